//! Why a turn cannot be played.

use crate::dice::{DiceError, Die};

/// Why a turn cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// There are more dice than the game allows.
    #[error("{dice} dice; the game {game} rolls at most {most} here")]
    TooManyDice {
        /// The dice given.
        dice: i64,
        /// The game's id.
        game: String,
        /// The most it allows in this position.
        most: i64,
    },
    /// There are fewer dice than the game requires.
    #[error("{dice} dice; the game {game} rolls at least {least} here")]
    TooFewDice {
        /// The dice given.
        dice: i64,
        /// The game's id.
        game: String,
        /// The fewest it allows in this position.
        least: i64,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game has no such move.
    #[error("the game {game} has no move of {dice} dice; choose {min} to {max}")]
    NoSuchMove {
        /// The move.
        dice: i64,
        /// The game's id.
        game: String,
        /// Its fewest dice.
        min: i32,
        /// Its most dice.
        max: i32,
    },
    /// Another move than the only one that the rules allow here.
    #[error("the only move here is to {only}")]
    OnlyMove {
        /// The move.
        only: String,
    },
    /// The number of faces differs from the number of dice requested.
    #[error("{request} dice are requested, but {faces} faces are given")]
    FacesMissing {
        /// The dice requested.
        request: i32,
        /// The faces given.
        faces: usize,
    },
    /// The die of this turn has no such face.
    #[error("a die shows {face}, but {which} has faces {}", faces(.die))]
    NoSuchFace {
        /// The face given.
        face: u32,
        /// Which die it is, as in "the die of this turn".
        which: String,
        /// The die of this turn.
        die: Die,
    },
    /// Other dice are rolled than those of the hand that are left.
    #[error("{dice} dice are given; of the hand of {game} {left} are rolled here")]
    NotTheHand {
        /// The dice given.
        dice: usize,
        /// The game's id.
        game: String,
        /// The dice that are left.
        left: usize,
    },
    /// Some of the dice must be kept.
    #[error("of {faces} some dice must be kept: say which, by `keep`")]
    NothingKept {
        /// The roll.
        faces: String,
    },
    /// Dice are kept before any were rolled.
    #[error("no roll is to be kept of: roll first")]
    NothingRolled,
    /// The rules do not allow to keep these dice.
    #[error("of {faces} the dice {kept} may not be kept")]
    MayNotKeep {
        /// The dice.
        kept: String,
        /// The roll.
        faces: String,
    },
    /// A die is kept that was not rolled.
    #[error("not so many dice that show {face} can be kept: the roll is {faces}")]
    NotRolled {
        /// The face, of one die more than show it.
        face: u32,
        /// The roll.
        faces: String,
    },
    /// A 0 where the other numbers are not the whole roll.
    #[error(
        "a 0 stands for a die that is not kept, where the others are as in the roll {faces}: \
         write the whole roll, or only the faces that are kept"
    )]
    NotTheRoll {
        /// The roll.
        faces: String,
    },
    /// Dice of several kinds show the face of one that is kept.
    #[error(
        "dice of several kinds show a {face}: write the whole roll, with a 0 for each die that is \
         not kept"
    )]
    WhichKind {
        /// The face.
        face: u32,
    },
    /// The formula of the die gives a die that cannot be rolled.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// A formula has no value here.
    #[error("{owner} has no value at {score}-{opponent}: {why}")]
    NoValue {
        /// The rule or the memory, as in "the rule Free Bacon".
        owner: String,
        /// Which part of its formula has no value, and why.
        why: String,
        /// The mover's score at that point of the turn.
        score: i64,
        /// The opponent's score at that point of the turn.
        opponent: i64,
    },
    /// A rule gave a score, the points or a memory a value that is no multiple of its step.
    #[error("{owner} makes {what} {value}, no multiple of the step {step}")]
    NoMultiple {
        /// The rule or the memory, as in "the rule Free Bacon".
        owner: String,
        /// What has that step.
        what: String,
        /// The value.
        value: i64,
        /// The step.
        step: i64,
    },
    /// A rule gave a score, the points or a memory a value out of its range.
    #[error("{owner} makes {what} {value}, out of its range")]
    OutOfRange {
        /// The rule or the memory, as in "the rule Free Bacon".
        owner: String,
        /// What is out of range.
        what: String,
        /// The value.
        value: i64,
    },
}

fn faces(die: &Die) -> String {
    let shown = (1..=die.sides() as u32).filter(|f| die.weight(*f) > 0);
    shown.map(|f| f.to_string()).collect::<Vec<_>>().join(", ")
}

/// The faces of a die, with their weights if these differ: `1, 2 (3 times), 3, 4 (3 times)`.
pub(super) fn weighted_faces(die: &Die) -> String {
    let shown: Vec<(u32, u32)> = (1..=die.sides() as u32)
        .map(|face| (face, die.weight(face)))
        .filter(|(_, weight)| *weight > 0)
        .collect();
    let least = shown.iter().map(|(_, weight)| *weight).min().unwrap_or(1);
    if shown.iter().all(|(_, weight)| *weight == least) {
        return faces(die);
    }
    let mut texts = Vec::with_capacity(shown.len());
    for (face, weight) in shown {
        texts.push(match weight {
            1 => face.to_string(),
            weight => format!("{face} ({weight} times)"),
        });
    }
    texts.join(", ")
}
