//! Random rule texts, composed of parts that may be combined freely.

use hog_rules::rules::rules_from_text;
use hog_solve::game::{Game, Position};
use proptest::prelude::*;

/// The dice of a random game: their formula, and the weights of the faces at (score, opponent,
/// shared memory).
#[derive(Clone, Copy, Debug)]
struct Dice {
    formula: &'static str,
    weights: fn(u32, u32, i64) -> &'static [u32],
}

const DICE: &[Dice] = &[
    Dice { formula: "2", weights: |_, _, _| &[1, 1] },
    Dice { formula: "3", weights: |_, _, _| &[1, 1, 1] },
    Dice { formula: "4", weights: |_, _, _| &[1, 1, 1, 1] },
    Dice { formula: "[3, 1]", weights: |_, _, _| &[3, 1] },
    Dice { formula: "[0, 2, 1]", weights: |_, _, _| &[0, 2, 1] },
    Dice { formula: "[1, 0, 1, 5]", weights: |_, _, _| &[1, 0, 1, 5] },
    Dice {
        formula: "(score + opponent) % 3 == 0 ? 2 : 4",
        weights: |score, opponent, _| {
            if (score + opponent) % 3 == 0 { &[1, 1] } else { &[1, 1, 1, 1] }
        },
    },
    Dice {
        formula: "score > opponent ? [2, 1] : 3",
        weights: |score, opponent, _| if score > opponent { &[2, 1] } else { &[1, 1, 1] },
    },
];

/// Dice that depend on a shared memory `odd`.
const TOGGLED: Dice = Dice {
    formula: "odd == 1 ? 3 : 2",
    weights: |_, _, odd| if odd == 1 { &[1, 1, 1] } else { &[1, 1] },
};

/// Rules under which every turn that scores raises the sum of scores.
const RULES: &[&str] = &[
    "",
    "swap = \"(2 * score + opponent) % 5 == 3\"",
    "swap = \"score % 2 == opponent % 2 && points > 1\"",
    "score = \"score == opponent ? 2 * score : score\"",
    "again = \"(score + opponent) % 4 == 1\"",
    "again = \"busted && score > opponent\"\nswap = \"score == 2\"",
    "opponent_score = \"busted ? opponent + dice : opponent\"",
    "score = \"score + opponent == 3 ? score + points : score\"\nopponent_score = \"rolled == 2 ? \
     opponent + 1 : opponent\"",
    "points = \"points % 3 == 0 ? points + 1 : points\"",
    "points = \"opponent == 1 ? points + 1 : points\"",
    "points = \"score == 2 && dice == 0 ? points + 2 : min(points, 4)\"",
    "face_points = \"face % 2 == score % 2 ? 1 : 0\"",
    "max_dice = \"score + opponent == 2 ? 1 : 2\"",
    "max_dice = \"opponent == 1 ? 0 : 2\"",
    "max_dice = \"score == 1 ? 0 : 2\"",
    "score = \"score_before == 1 ? score + 1 : score\"",
    "swap = \"opponent_before == 1 && dice == 1\"",
    "score = \"max(score, opponent + points)\"",
    "score = \"score + score % (points + 1)\"",
    "points = \"pairs == 1 ? 2 * points : points\"",
    "points = \"of_a_kind == dice && dice > 0 ? points + highest - lowest + 1 : points\"",
    "score = \"count(3) == 1 || straight == 2 ? score + distinct : score\"",
    "again = \"count(2) == 2 && score > opponent\"",
    "min_dice = \"score > opponent ? 1 : opponent - 1\"",
    "end = \"score + opponent >= 4\"",
    "end = \"points == 3 && score >= opponent\"",
    "again = \"score > 2\"\nend = \"score == opponent\"",
    "swap = \"gcd(score, points) == 2 || abs(score - 2 * score_before) == 1\"",
];

/// The points of a roll with a 1: at least 1 ...
const BUSTS: &[&str] = &[
    "1",
    "count(1) + highest - 1",
    "opponent == 1 ? lowest + pairs : distinct",
    "ones_rolled",
    "max(1, dice)",
    "sum",
    "opponent % 2 + 1",
];

/// ... or possibly 0.
const CYCLIC_BUSTS: &[&str] = &["0", "0", "ones_rolled - 1", "opponent % 2"];

/// Memories and the rules that read them.
const MEMORIES: &[&str] = &[
    "",
    "[[memory]]\nname = \"last\"\nmax = 2\nnext = \"max(dice, 0)\"\n[[rule]]\nname = \"Feral \
     Hogs\"\n\
     points = \"abs(dice - last) == 1 ? points + 1 : points\"\n",
    "[[memory]]\nname = \"last\"\nmax = 9\nnext = \"min(rolled, 9)\"\n[[rule]]\nname = \"Feral \
     Hogs\"\n\
     points = \"dice == last ? points + 2 : points\"\n",
    "[[memory]]\nname = \"last\"\nmax = 2\nnext = \"min(points, 2)\"\n[[rule]]\nname = \"Envy\"\n\
     score = \"opponent_last == 2 ? score + 1 : score\"\n",
    "[[memory]]\nname = \"busts\"\nmax = 2\nnext = \"busted ? min(busts + 1, 2) : \
     0\"\n[[rule]]\nname = \"Pig Fest\"\n\
     points = \"busted ? points : points * max(1, busts)\"\n",
    "[[memory]]\nname = \"seen\"\nof = \"game\"\nmax = 2\nnext = \"pairs == 1 ? 2 : min(straight, \
     1)\"\n[[rule]]\nname = \"Seen\"\n\
     points = \"seen == 2 ? points + 1 : points\"\n",
    "[[memory]]\nname = \"extra\"\nof = \"game\"\nstart = 1\nmax = 1\nnext = \"again ? 1 : \
     0\"\n[[rule]]\nname = \"Trot\"\n\
     again = \"extra == 0 && dice == 1\"\n",
];

/// The parts of a random game.
#[derive(Clone, Debug)]
pub struct RandomGame {
    goal: u32,
    dice: (i32, i32),
    die: Dice,
    zero: (u32, u32, u32),
    bust: &'static str,
    rules: Vec<&'static str>,
    memory: &'static str,
    toggles: bool,
    /// Whether every turn scores, so that the game is acyclic.
    acyclic: bool,
}

impl RandomGame {
    /// Returns the game of these parts.
    pub fn game(&self) -> Game {
        let text = self.text();
        let rules = rules_from_text(&text, "random", Default::default())
            .unwrap_or_else(|e| panic!("{e}\n{text}"));
        Game::new(rules).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    /// Returns the weights of the faces of the die at a position.
    pub fn weights(&self, position: &Position) -> Vec<u32> {
        (self.die.weights)(
            position.score,
            position.opponent,
            position.memory.first().copied().unwrap_or(0),
        )
        .to_vec()
    }

    /// Returns its rule text.
    pub fn text(&self) -> String {
        let (min, max) = self.dice;
        let (a, b, c) = self.zero;
        let mut text =
            format!("id = \"random\"\ngoal = {}\nmin_dice = {min}\nmax_dice = {max}\n", self.goal);
        if self.toggles {
            text += "[[memory]]\nname = \"odd\"\nof = \"game\"\nmax = 1\nnext = \"(odd + rolled) \
                     % 2\"\n";
        }
        text += self.memory;
        let zero =
            format!("{} + (opponent * {a} + {b} + dice * dice) % {c}", u8::from(self.acyclic));
        let (die, bust) = (self.die.formula, self.bust);
        text += &format!(
            "[[rule]]\nname = \"Dice\"\ndie = \"{die}\"\nzero_dice = \"{zero}\"\nbust \
             = \"{bust}\"\n"
        );
        for rule in self.rules.iter().filter(|rule| !rule.is_empty()) {
            text += &format!("[[rule]]\nname = \"Rule\"\n{rule}\n");
        }
        text
    }
}

fn one_of<T: Copy + std::fmt::Debug + 'static>(list: &'static [T]) -> impl Strategy<Value = T> {
    (0..list.len()).prop_map(|index| list[index])
}

prop_compose! {
    /// A game with a goal of 3 to `goal`; every turn scores if it is to be `acyclic`.
    pub fn random_game(goal: u32, acyclic: bool)(
        goal in 3..=goal,
        min in -1..=1i32,
        max in 1..=2i32,
        die in one_of(DICE),
        zero in (0..3u32, 0..5u32, 1..=3u32),
        bust in one_of(if acyclic { BUSTS } else { CYCLIC_BUSTS }),
        rules in prop::collection::vec(one_of(RULES), 1..=3),
        memory in one_of(MEMORIES),
        toggles in any::<bool>(),
    ) -> RandomGame {
        let die = if toggles { TOGGLED } else { die };
        RandomGame { goal, dice: (min, max), die, zero, bust, rules, memory, toggles, acyclic }
    }
}
