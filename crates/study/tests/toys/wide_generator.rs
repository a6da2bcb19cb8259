//! Random rule texts of games too large to play out: goals that span several blocks of scores, up
//! to 10 dice or many more, and parts that exercise different paths of the solver.

use hog_rules::rules::rules_from_text;
use hog_solve::game::Game;
use proptest::prelude::*;

const DICE: &[&str] = &[
    "",
    "",
    "4",
    "[3, 1, 2]",
    "[0, 2, 1, 0, 0, 1]",
    "(score + opponent) % 7 == 0 ? 4 : 6",
    "score > opponent ? [2, 1, 1] : 5",
    // Many distributions in each stage.
    "(score * 7 + opponent * 13) % 11 + 2",
    "odd == 1 ? 4 : 6",
    "dice % 2 == 0 ? 4 : 6",
    "mine == 1 ? [1, 2, 1] : 6",
];

/// The points of zero dice; 0 is a pass.
const ZEROS: &[&str] = &[
    "",
    "1",
    "1 + opponent % 10",
    "3 + abs(opponent % 10 - score % 5)",
    "opponent % 3",
    "opponent % 2 * 30",
    "0",
];

/// The points of a roll with a 1; 0 makes random cycles.
const BUSTS: &[&str] = &[
    "",
    "",
    "1",
    "ones_rolled",
    "opponent % 2 + 1",
    "min(sum, 4)",
    "0",
    "opponent % 3",
    "ones_rolled - 1",
    "count(1) == count(2) ? 3 : pairs",
];

const RULES: &[&str] = &[
    "swap = \"(2 * score + opponent) % 5 == 3\"",
    "swap = \"score == 2 * opponent || opponent == 2 * score\"",
    "swap = \"score % 2 == opponent % 2 && points > 3\"",
    "swap = \"score > goal + 3\"",
    "score = \"score == opponent ? 2 * score : score\"",
    "score = \"max(score, opponent + points)\"",
    "score = \"score + score % (points + 1)\"",
    "score = \"score > goal + 4 ? goal - 1 : score\"",
    "score = \"score_before % 5 == 1 ? score + 1 : score\"",
    // These lower totals below what was added, but never below the score before the turn.
    "score = \"points > 3 ? score - 2 : score\"",
    "score = \"score_before < 9 && score > 9 ? 9 : score\"",
    "score = \"score > goal ? score_before : score\"",
    "opponent_score = \"points > 2 ? max(0, opponent - 1) : opponent\"",
    "opponent_score = \"busted ? opponent + dice : opponent\"",
    "opponent_score = \"score >= goal + 5 ? 2 * score : opponent\"",
    "opponent_score = \"score == opponent + 1 ? opponent + 4 : opponent\"",
    "again = \"(score + opponent) % 4 == 1\"",
    "again = \"busted && score > opponent\"",
    "again = \"dice == 2 && points % 2 == 0\"",
    "again = \"gcd(score, opponent) > 5\"",
    "end = \"score > 20 && opponent > 20\"",
    "end = \"busted && dice == 1\"",
    "end = \"points > score_before\"",
    "points = \"points % 3 == 0 ? points + 1 : points\"",
    "points = \"points == 1 || dice == 0 ? points : points + 31\"",
    "points = \"min(points, 25 - dice)\"",
    "points = \"is_prime(points) ? next_prime(points) : points\"",
    "face_points = \"face % 2 == score % 2 ? 1 : 0\"",
    "max_dice = \"(score + opponent) % 10 == 7 ? 1 : max_dice\"",
    "max_dice = \"opponent % 4\"",
    "points = \"of_a_kind > 2 ? points + highest : points\"",
    "points = \"pairs == 2 && distinct == 2 ? 25 : points\"",
    "score = \"straight > 3 && lowest == 2 ? score + straight : score\"",
    "again = \"pairs == 1 && dice == 2\"",
    "min_dice = \"score % 3\"",
    "swap = \"mine == 1 && score % 3 == 0\"",
    "points = \"opponent_mine == 1 ? points + 2 : points\"",
    "again = \"odd == 1 && points > 4\"",
    "end = \"odd == 1 && score > opponent\"",
    "score = \"odd == 1 ? score + 1 : score\"",
    "opponent_score = \"odd == 1 && mine == 0 ? opponent + 1 : opponent\"",
];

const SHARED: &[&str] = &[
    "0",
    "(odd + rolled) % 2",
    "dice == 0 ? 1 - odd : odd",
    "busted ? 1 : 0",
    "again ? 1 : 0",
    "points % 2",
];

const MINE: &[(&str, &str)] = &[
    ("0", "0"),
    ("1", "busted ? 1 : 0"),
    ("1", "points % 2"),
    ("2", "min(abs(dice), 2)"),
    ("9", "min(rolled, 9)"),
    ("2", "min(count(6) + count(4), 2)"),
    ("3", "busted ? min(mine + 1, 3) : 0"),
];

/// A random game.
#[derive(Clone, Debug)]
pub struct WideGame {
    goal: u32,
    dice: (i32, i32),
    die: &'static str,
    zero: &'static str,
    bust: &'static str,
    rules: Vec<&'static str>,
    shared: &'static str,
    mine: (&'static str, &'static str),
    feral: bool,
}

impl WideGame {
    /// Returns its rule text, with the memories that some part reads.
    pub fn text(&self) -> String {
        let (min, max) = self.dice;
        let mut rules = String::new();
        for (hook, formula) in [("die", self.die), ("zero_dice", self.zero), ("bust", self.bust)] {
            if !formula.is_empty() {
                rules += &format!("[[rule]]\nname = \"Dice\"\n{hook} = \"{formula}\"\n");
            }
        }
        for rule in &self.rules {
            rules += &format!("[[rule]]\nname = \"Rule\"\n{rule}\n");
        }
        if self.feral {
            rules += "[[rule]]\nname = \"Feral\"\n\
             points = \"abs(dice - mine) == 2 ? points + 3 : points\"\n";
        }
        let mut text =
            format!("id = \"wide\"\ngoal = {}\nmin_dice = {min}\nmax_dice = {max}\n", self.goal);
        if rules.contains("odd") {
            text += &format!(
                "[[memory]]\nname = \"odd\"\nof = \"game\"\nmax = 1\nnext = \"{}\"\n",
                self.shared
            );
        }
        if rules.contains("mine") {
            text += &format!(
                "[[memory]]\nname = \"mine\"\nmax = {}\nnext = \"{}\"\n",
                self.mine.0, self.mine.1
            );
        }
        text + &rules
    }

    /// Returns whether it depends on single faces: many dice show too many sets of faces for a
    /// quick test.
    pub fn looks_at_faces(&self) -> bool {
        let text = self.text();
        ["count(", "pairs", "of_a_kind", "straight", "distinct"]
            .iter()
            .any(|pattern| text.contains(pattern))
    }

    /// Returns the game, or `None` if its parts do not fit together.
    pub fn game(&self) -> Option<Game> {
        let text = self.text();
        rules_from_text(&text, "wide", Default::default())
            .ok()
            .and_then(|rules| Game::new(rules).ok())
    }
}

fn one_of<T: Copy + std::fmt::Debug + 'static>(list: &'static [T]) -> impl Strategy<Value = T> {
    (0..list.len()).prop_map(|index| list[index])
}

/// Returns the maximum number of dice of a usual game.
pub fn usual_dice() -> BoxedStrategy<i32> {
    prop_oneof![Just(1), Just(2), 3..=6i32, Just(10)].boxed()
}

prop_compose! {
    /// A game with a goal in a range, and this maximum number of dice.
    pub fn wide_game(goals: std::ops::RangeInclusive<u32>, most: BoxedStrategy<i32>)(
        goal in goals,
        min in prop_oneof![4 => Just(0), 1 => -1..=1i32],
        max in most,
        die in one_of(DICE),
        zero in one_of(ZEROS),
        bust in one_of(BUSTS),
        rules in prop::collection::vec(one_of(RULES), 0..=3),
        shared in one_of(SHARED),
        mine in one_of(MINE),
        feral in prop::bool::weighted(0.2),
    ) -> WideGame {
        WideGame { goal, dice: (min, max), die, zero, bust, rules, shared, mine, feral }
    }
}
