//! Random small games in which dice are kept, as rule texts.

/// Numbers that look random (Knuth's multiplier).
pub struct Seeded(pub u64);

impl Seeded {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

const DICE: &[&str] = &[
    "[[dice]]\ncount = 2\nsides = 3",
    "[[dice]]\ncount = 3\nsides = 2",
    "[[dice]]\ncount = 2\nweights = [2, 0, 1, 1]",
    "[[dice]]\nname = \"hand\"\ncount = 2\nsides = 4",
    "[[dice]]\nname = \"coin\"\ncount = 1\nsides = 2\n[[dice]]\nname = \"odd\"\ncount = \
     2\nweights = [1, 2, 3]",
    "[[dice]]\nname = \"a\"\ncount = 1\nweights = [3, 1]\n[[dice]]\nname = \"b\"\ncount = \
     1\nweights = [1, 3]",
];
const KEEP: &[&str] = &[
    "count(1) > 0",
    "sum % 2 == 0",
    "true",
    "distinct == kept",
    "shown(1) == 0 || count(1) > 0",
    "kept == 1 || of_a_kind == kept",
    "highest > 1 && left < 2",
    "sum > score / 50",
    "pot == 0 || sum > 1",
];
const WORTH: &[&str] =
    &["50 * sum", "50 * kept", "100 * count(1) + 50 * of_a_kind", "50 * (sum % 3)"];
const AGAIN: &[&str] = &[
    "kept > 0",
    "kept > 0 && left > 0",
    "kept > 0 && pot < 150",
    "kept > 0 || shown(2) > 1 && score < 100",
    "kept > 0 && (left > 0 || dice > 1)",
];
const BANK: &[&str] = &["pot", "pot", "pot", "max(pot, 50)"];
const OTHERS: &[&str] = &[
    "",
    "",
    "min_dice = \"score == 0 && pot < 100 ? 1 : 0\"",
    "max_dice = \"pot >= 150 ? 0 : 1\"",
    "bust = \"50 * (opponent > score ? 1 : 0)\"",
    "score = \"score == opponent ? score + 50 : score\"",
    "swap = \"score == 150 && busted\"",
    "score = \"busted ? max(score - 50, 0) : score\"",
    "end = \"score >= 150 && opponent >= 100\"",
];

/// The rule file of a random game. Nobody passes without a roll: brute force cannot tell how much
/// play is worth in which both players pass for ever.
pub fn random_game(random: &mut Seeded) -> String {
    let goal = 50 * (3 + random.below(3));
    let must_roll = if random.below(6) == 0 { "1" } else { "0" };
    let most =
        if must_roll == "1" { "dice == 0 ? points : rolled" } else { "dice == 0 ? points : 0" };
    format!(
        "id = \"toy\"\ngoal = {goal}\nstep = 50\nmin_dice = {must_roll}\n{}\n\
         [[memory]]\nname = \"pot\"\nof = \"game\"\nmax = \"goal\"\nstep = 50\n\
         next = \"again ? min(pot + rolled, goal) : 0\"\n\
         [[rule]]\nname = \"Keep\"\nmin_dice = \"pot == 0 ? 1 : 0\"\nkeep = \"{}\"\nworth \
         = \"{}\"\nzero_dice = \"{}\"\n\
         points = \"{most}\"\nagain = \"{}\"\n[[rule]]\nname = \"Other\"\n{}\n",
        random.one_of(DICE),
        random.one_of(KEEP),
        random.one_of(WORTH),
        random.one_of(BANK),
        random.one_of(AGAIN),
        match random.one_of(OTHERS) {
            "" => "swap = \"false\"",
            other => other,
        },
    )
}
