//! What was solved, how, and how good the numbers are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rate;
use crate::solve::{Arithmetic, NearTies, Objective};

/// A solved game in one page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SolveView {
    /// The game's id.
    pub rules: String,
    /// The goal it was solved for.
    pub goal: u32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// What was solved for.
    pub objective: ObjectiveKind,
    /// The strategy answered, if it is a best response.
    pub against: Option<String>,
    /// What the solved side sees.
    pub sees: Sight,
    /// In which numbers it was solved.
    pub arithmetic: ArithmeticKind,
    /// The method, in words.
    pub method: String,
    /// How many states the game has.
    pub states: usize,
    /// Win rates of the first player under best play by both, or of the solved side.
    pub win_rate: Rate,
    /// The best numbers of dice at 0 to 0, ascending.
    pub first_roll: Vec<i32>,
    /// States with more than one best number of dice (in floats: whose values the bound cannot separate).
    pub ties: u64,
    /// What is known of ties of floats where chance closes loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_ties: Option<NearTiesView>,
    /// Groups of states that lead back to themselves and were solved together.
    pub loops: u64,
    /// Time taken.
    pub seconds: f64,
    /// The file written.
    pub output: Option<String>,
    /// The exact win rate of the solved side moving first, as a reduced fraction N/D.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// How the table was searched for, where the solved side sees less than the game remembers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchView>,
}

/// What more digits than those of doubles say of the ties of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NearTiesView {
    /// How many decimal digits were counted with, at most.
    pub digits: u64,
    /// States whose best numbers of dice are still not known to be worth the same.
    pub open: u64,
}

impl From<NearTies> for NearTiesView {
    fn from(known: NearTies) -> Self {
        Self { digits: known.digits as u64, open: known.open as u64 }
    }
}

/// A search for the best table of a side that does not see everything.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchView {
    /// Entries of the table.
    pub decisions: usize,
    /// What nobody exceeds on average, even seeing the whole state.
    pub at_most: f64,
    /// How many changed tables were tried.
    pub tries: usize,
    /// How many of them were tried: all, unless the search was interrupted.
    pub tried: usize,
    /// Where its random numbers begin.
    pub seed: u64,
}

/// What was solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ObjectiveKind {
    /// Both sides play to win.
    Equilibrium,
    /// The best play against one fixed strategy.
    BestResponse,
}

impl From<Objective> for ObjectiveKind {
    fn from(objective: Objective) -> Self {
        match objective {
            Objective::BestResponse => Self::BestResponse,
            Objective::Equilibrium | Objective::Evaluation => Self::Equilibrium,
        }
    }
}

/// In which numbers a game was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ArithmeticKind {
    /// Integers to the last division: each win rate is the double nearest to the exact value.
    Exact,
    /// Doubles with a proven bound on their error.
    Float,
}

impl From<Arithmetic> for ArithmeticKind {
    fn from(arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Exact => Self::Exact,
            Arithmetic::Float => Self::Float,
        }
    }
}

/// What the solved side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Sight {
    /// The whole state: both scores and all memories.
    State,
    /// The two scores.
    Scores,
}
