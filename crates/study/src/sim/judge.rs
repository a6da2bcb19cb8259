//! A judge who knows the values of best play: grades and remarks for each roll, and a summary of a
//! game.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Position, TurnError, action_in_words, keeps};
use crate::solve::{Values, choices, successor_value};

use super::turn::Rolled;

/// Judges rolls by the values of best play.
#[derive(Clone, Debug)]
pub struct Judge {
    game: Arc<Game>,
    values: Values,
}

/// The grade of a roll, by the win rate it gave away.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum RollGrade {
    /// One of the best rolls.
    Best,
    /// It gave away less than 0.01.
    Good,
    /// It gave away less than 0.03.
    Slip,
    /// It gave away less than 0.08.
    Mistake,
    /// It gave away 0.08 or more.
    Blunder,
}

impl RollGrade {
    /// All grades, from best to worst.
    pub const ALL: [Self; 5] = [Self::Best, Self::Good, Self::Slip, Self::Mistake, Self::Blunder];

    /// Returns the limit that a loss of this grade stays below; `None` for the best and the worst
    /// grade.
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
        grades
            .filter(|grade| grade.less_than().is_some_and(|most| loss < most))
            .min()
            .unwrap_or(Self::Blunder)
    }
}

impl fmt::Display for RollGrade {
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

/// The value of a number of dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hint {
    /// The number of dice.
    pub dice: i32,
    /// The mover's win rate with them.
    pub win_rate: f64,
    /// Whether it is one of the best.
    pub best: bool,
    /// After a roll of which dice are kept: the whole roll, with a 0 for each die that is not kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<u32>,
    /// What it is where dice are kept: `bank`, `roll 4 dice` or `keep 1 5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
}

/// A remark on a roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// The number of dice rolled.
    pub dice: i32,
    /// The win rate given away.
    pub loss: f64,
    /// All best numbers of dice.
    pub best: Vec<i32>,
    /// The grade of the roll.
    pub grade: RollGrade,
    /// What was done and what was best, where dice are kept; the loss is that of both choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(words) = &self.words {
            return write!(f, "{words} ({})", self.grade);
        }
        if self.grade == RollGrade::Best {
            return write!(f, "{}: best", counted(self.dice));
        }
        let best = self.best.iter().map(i32::to_string).collect::<Vec<_>>().join(" or ");
        let rolled = counted(self.dice);
        let verb = if self.best == [1] { "was" } else { "were" };
        let points = in_points(self.loss);
        write!(
            f,
            "{rolled} gave away {points} points of win rate; {best} {verb} best ({})",
            self.grade
        )
    }
}

/// Returns a loss in points of win rate.
fn in_points(loss: f64) -> String {
    match loss * 100.0 {
        points if points < 0.05 => "less than 0.1".to_owned(),
        points => format!("{points:.1}"),
    }
}

/// Returns `1 die`, `4 dice` and so on.
fn counted(dice: i32) -> String {
    if dice == 1 { "1 die".into() } else { format!("{dice} dice") }
}

impl Judge {
    /// Creates a judge from the values of the game's states under best play of both.
    pub fn new(game: Arc<Game>, values: Values) -> Self {
        Self { game, values }
    }

    /// Returns the value of each choice in a position.
    pub fn hints(&self, position: &Position) -> Vec<Hint> {
        let space = self.game.space();
        let state = self.game.state(position);
        let win_rates = choices(&self.game, &self.values, &self.values, state);
        let rules = self.game.rules();
        let mut hints = Vec::new();
        for action in space.actions_in(self.game.choices(state)) {
            let dice = space.dice(action);
            hints.push(Hint {
                dice,
                win_rate: win_rates[action],
                best: self.values.best[state] >> action & 1 == 1,
                keep: Vec::new(),
                means: action_in_words(rules, position, dice),
            });
        }
        hints
    }

    /// Returns the value of each choice of dice to keep of a roll in a position, the best first.
    ///
    /// # Errors
    /// Returns an error if the dice cannot show this roll there.
    pub fn keep_hints(&self, position: &Position, faces: &[u32]) -> Result<Vec<Hint>, TurnError> {
        let mut hints = Vec::new();
        for keep in keeps(self.game.rules(), position, faces)? {
            let marked = keep.marked(faces);
            hints.push(Hint {
                dice: 1,
                win_rate: successor_value(&self.values, &self.values, self.game.after(&keep.turn)),
                best: false,
                means: Some(kept_in_words(&marked)),
                keep: marked,
            });
        }
        hints.sort_by(|one, other| other.win_rate.total_cmp(&one.win_rate));
        let most = hints.first().map_or(0.0, |hint| hint.win_rate);
        hints.iter_mut().for_each(|hint| hint.best = hint.win_rate == most);
        Ok(hints)
    }

    /// Returns the remark on a turn from a position.
    pub fn remark(&self, position: &Position, rolled: &Rolled) -> Remark {
        let dice = rolled.request;
        let space = self.game.space();
        let state = self.game.state(position);
        let most = self.values.win_rates[state];
        let set = self.values.best[state];
        let win_rates = choices(&self.game, &self.values, &self.values, state);
        let action = space.action(dice);
        let is_best = action.is_some_and(|action| set >> action & 1 == 1);
        let loss = action.map_or(0.0, |action| (most - win_rates[action]).max(0.0));
        let mut remark = Remark {
            dice,
            loss: if is_best { 0.0 } else { loss },
            best: space.dice_in(self.game.choices_in(state, set)),
            grade: if is_best { RollGrade::Best } else { RollGrade::of(loss) },
            words: None,
        };
        if self.game.rules().keeps_dice() {
            self.add_kept(position, rolled, &mut remark);
        }
        remark
    }

    /// Adds to the remark on a turn what is to be said of the dice kept.
    fn add_kept(&self, position: &Position, rolled: &Rolled, remark: &mut Remark) {
        let rules = self.game.rules();
        let in_words = |dice: i32| action_in_words(rules, position, dice).unwrap_or_default();
        let mut words = in_words(remark.dice);
        if remark.loss > 0.0 {
            let best: Vec<String> = remark.best.iter().map(|dice| in_words(*dice)).collect();
            let lost = in_points(remark.loss);
            words += &format!(" gave away {lost} points of win rate, best: {}", best.join(" or "));
        }
        let hints = self.keep_hints(position, &rolled.faces).unwrap_or_default();
        if let Some(best) = hints.first().filter(|_| hints.len() > 1) {
            let marked = rolled.marked();
            let chosen = hints.iter().find(|hint| hint.keep == marked).unwrap_or(best);
            words += &format!("; {}", kept_in_words(&marked));
            let loss = best.win_rate - chosen.win_rate;
            if loss > 0.0 {
                let best = kept_in_words(&best.keep);
                words += &format!(" gave away {}, best: {best}", in_points(loss));
                remark.loss += loss;
                remark.grade = RollGrade::of(remark.loss);
            }
        }
        remark.words = Some(words);
    }
}

/// Returns `keep 1 5`, given a roll with 0 for each die that is not kept.
fn kept_in_words(marked: &[u32]) -> String {
    let kept: Vec<String> = marked.iter().filter(|face| **face > 0).map(u32::to_string).collect();
    if kept.is_empty() { "keep nothing".into() } else { format!("keep {}", kept.join(" ")) }
}

/// A summary of one player's rolls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// The number of rolls.
    pub moves: usize,
    /// The average win rate given away per roll.
    pub mean_loss: f64,
    /// The number of rolls of each grade, from best to blunder.
    pub grades: [usize; 5],
    /// The roll that gave away most, if any did: the number of the turn, from 1, the scores before
    /// it, and the remark.
    pub worst: Option<(usize, [u32; 2], Remark)>,
}

impl Summary {
    /// Creates a summary of remarks, each with the number of the turn and the scores before it.
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
