//! A commentator who knows the table: what each roll was worth, in words and grades, and a summary at the end.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Position};
use crate::solve::{Values, choices};

/// Judges rolls by the values of best play.
#[derive(Clone, Debug)]
pub struct Judge {
    game: Arc<Game>,
    own: Values,
    /// Values where the opponent moves, if they differ.
    other: Option<Values>,
}

/// How good a roll was, by the win rate it gave away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// One of the best rolls.
    Best,
    /// Less than 0.01 lost.
    Good,
    /// Less than 0.03 lost.
    Slip,
    /// Less than 0.08 lost.
    Mistake,
    /// More.
    Blunder,
}

impl Grade {
    /// All of them, from best to worst.
    pub const ALL: [Self; 5] = [Self::Best, Self::Good, Self::Slip, Self::Mistake, Self::Blunder];

    /// What a roll of this grade loses less than; `None` for the best and the worst.
    pub fn less_than(self) -> Option<f64> {
        match self {
            Self::Good => Some(0.01),
            Self::Slip => Some(0.03),
            Self::Mistake => Some(0.08),
            Self::Best | Self::Blunder => None,
        }
    }

    fn of(loss: f64) -> Self {
        let grades = Self::ALL.into_iter();
        grades.filter(|grade| grade.less_than().is_some_and(|most| loss < most)).min().unwrap_or(Self::Blunder)
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Slip => "slip",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        })
    }
}

/// What a number of dice is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hint {
    /// How many dice.
    pub dice: i32,
    /// The mover's win rate with them.
    pub win_rate: f64,
    /// Whether it is one of the best.
    pub best: bool,
}

/// What is said of a roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// The dice rolled.
    pub dice: i32,
    /// The win rate given away.
    pub loss: f64,
    /// The best rolls: all that tie.
    pub best: Vec<i32>,
    /// How good it was.
    pub grade: Grade,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.grade == Grade::Best {
            return write!(f, "{}: best", counted(self.dice));
        }
        let best = self.best.iter().map(i32::to_string).collect::<Vec<_>>().join(" or ");
        let (rolled, verb) = (counted(self.dice), if self.best == [1] { "was" } else { "were" });
        let points = match self.loss * 100.0 {
            points if points < 0.05 => "less than 0.1".to_owned(),
            points => format!("{points:.1}"),
        };
        write!(f, "{rolled} gave away {points} points of win rate; {best} {verb} best ({})", self.grade)
    }
}

/// `1 die`, `4 dice`.
fn counted(dice: i32) -> String {
    if dice == 1 { "1 die".into() } else { format!("{dice} dice") }
}

impl Judge {
    /// A judge by these values of the game's states; `other` those in which the opponent moves, if they differ.
    pub fn new(game: Arc<Game>, own: Values, other: Option<Values>) -> Self {
        Self { game, own, other }
    }

    /// What each number of dice is worth in a position.
    pub fn hints(&self, position: &Position) -> Vec<Hint> {
        let (space, state) = (self.game.space(), self.game.state(position));
        let worth = choices(&self.game, &self.own, self.other.as_ref().unwrap_or(&self.own), state);
        let hint = |(action, win_rate)| Hint {
            dice: space.dice(action),
            win_rate,
            best: self.own.best[state] >> action & 1 == 1,
        };
        worth.into_iter().enumerate().map(hint).collect()
    }

    /// What is to be said of a roll in a position.
    pub fn remark(&self, position: &Position, dice: i32) -> Remark {
        let hints = self.hints(position);
        let rolled = hints.iter().find(|hint| hint.dice == dice);
        let most = self.own.win_rates[self.game.state(position)];
        let loss = rolled.map_or(0.0, |hint| (most - hint.win_rate).max(0.0));
        let best = rolled.is_some_and(|hint| hint.best);
        Remark {
            dice,
            loss: if best { 0.0 } else { loss },
            best: hints.iter().filter(|hint| hint.best).map(|hint| hint.dice).collect(),
            grade: if best { Grade::Best } else { Grade::of(loss) },
        }
    }
}

/// One player's rolls, taken together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// How many rolls.
    pub moves: usize,
    /// The win rate given away by a roll, on average.
    pub mean_loss: f64,
    /// The rolls of each grade, from best to blunder.
    pub grades: [usize; 5],
    /// The roll that gave away most, if any did: the number of its turn from 1, the scores before it, and the remark.
    pub worst: Option<(usize, [u32; 2], Remark)>,
}

impl Summary {
    /// Of remarks, each with the number of its turn and the scores before it.
    pub fn of<'r>(remarks: impl Iterator<Item = (usize, [u32; 2], &'r Remark)>) -> Self {
        let mut summary = Self::default();
        let mut lost = 0.0;
        for (turn, scores, remark) in remarks {
            summary.moves += 1;
            summary.grades[remark.grade as usize] += 1;
            lost += remark.loss;
            let most = summary.worst.as_ref().map_or(0.0, |(.., worst)| worst.loss);
            if remark.loss > most {
                summary.worst = Some((turn, scores, remark.clone()));
            }
        }
        summary.mean_loss = lost / summary.moves.max(1) as f64;
        summary
    }
}
