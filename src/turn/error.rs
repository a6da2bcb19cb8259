//! Why a turn cannot be played.

use crate::dice::{DiceError, Die};

/// Why a turn cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// More dice than the game allows.
    #[error("{dice} dice; the game {game} rolls at most {most} here")]
    TooManyDice {
        /// The dice given.
        dice: i64,
        /// The game's id.
        game: String,
        /// The most it allows in this position.
        most: i64,
    },
    /// Fewer dice than the game demands.
    #[error("{dice} dice; the game {game} rolls at least {least} here")]
    TooFewDice {
        /// The dice given.
        dice: i64,
        /// The game's id.
        game: String,
        /// The fewest it allows in this position.
        least: i64,
    },
    /// A move that rolls nothing, which the game does not know.
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
    /// Dice are asked for, but their faces are not given, or are those of another number of dice.
    #[error("{request} dice are asked for and {faces} faces are given")]
    FacesMissing {
        /// The dice asked for.
        request: i32,
        /// The faces given.
        faces: usize,
    },
    /// A face that the die of this turn does not have.
    #[error("a die shows {face}, but the die of this turn has faces {}", faces(.die))]
    NoSuchFace {
        /// The face given.
        face: u32,
        /// The die of this turn.
        die: Die,
    },
    /// The die's formula gives none that can be rolled.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// A formula has no value here.
    #[error(
        "the rule {rule} has no value at {score}-{opponent}: `{formula}` divides by zero or leaves a function's domain"
    )]
    NoValue {
        /// The rule's name.
        rule: String,
        /// Its formula.
        formula: String,
        /// The mover's score then.
        score: i64,
        /// The opponent's score then.
        opponent: i64,
    },
    /// A rule made a score or the points negative, or a memory leave its range.
    #[error("the rule {rule} makes {what} {value}, out of its range")]
    OutOfRange {
        /// The rule's name.
        rule: String,
        /// What went out of range.
        what: String,
        /// The value.
        value: i64,
    },
}

fn faces(die: &Die) -> String {
    let shown = (1..=die.sides() as u32).filter(|f| die.weight(*f) > 0);
    shown.map(|f| f.to_string()).collect::<Vec<_>>().join(", ")
}

/// The faces of a die, each with how often it comes where that differs: `1, 2 (3 times), 3, 4 (3 times)`.
pub(super) fn weighted_faces(die: &Die) -> String {
    let shown: Vec<(u32, u32)> =
        (1..=die.sides() as u32).map(|face| (face, die.weight(face))).filter(|(_, weight)| *weight > 0).collect();
    let least = shown.iter().map(|(_, weight)| *weight).min().unwrap_or(1);
    if shown.iter().all(|(_, weight)| *weight == least) {
        return faces(die);
    }
    let told = |(face, weight): &(u32, u32)| match weight {
        1 => face.to_string(),
        weight => format!("{face} ({weight} times)"),
    };
    shown.iter().map(told).collect::<Vec<_>>().join(", ")
}
