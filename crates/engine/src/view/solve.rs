//! The result of solving a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::queries::WinRates;
use crate::solve::{Arithmetic, NearTies, Objective};

/// A summary of a solved game: its win rates, the method and the error bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SolveView {
    /// The game's id.
    pub rules: String,
    /// The goal it was solved for.
    pub goal: u32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// The kind of solution: an equilibrium or a best response.
    pub objective: ObjectiveKind,
    /// The opponent's strategy, if the solution is a best response.
    pub against: Option<String>,
    /// The part of the state that the solved side sees.
    pub sees: Sight,
    /// The arithmetic in which it was solved.
    pub arithmetic: ArithmeticKind,
    /// A description of the method.
    pub method: String,
    /// The number of states of the game.
    pub states: usize,
    /// The win rates of the solved side; in an equilibrium, of either player.
    pub win_rate: WinRates,
    /// The best numbers of dice at 0 to 0, ascending.
    pub first_roll: Vec<i32>,
    /// The number of states with more than one best number of dice (in floats: several within the
    /// error bound).
    pub ties: u64,
    /// The result of comparing near ties with more digits, in floats where chance closes loops;
    /// omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_ties: Option<NearTiesView>,
    /// The number of groups of states that can lead back to themselves and were solved together.
    pub loops: u64,
    /// The time taken, in seconds.
    pub seconds: f64,
    /// The file that was written.
    pub output: Option<String>,
    /// The exact win rate of the solved side when it moves first, as a reduced fraction N/D;
    /// omitted unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// The search for the table, if the solved side does not see the memories; omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchView>,
}

/// The result of comparing near ties of floats with more digits than doubles have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NearTiesView {
    /// The largest number of decimal digits used.
    pub digits: u64,
    /// The number of states whose best numbers of dice are still not known to have equal win
    /// rates.
    pub open: u64,
}

impl From<NearTies> for NearTiesView {
    fn from(known: NearTies) -> Self {
        Self { digits: known.digits as u64, open: known.open as u64 }
    }
}

/// The search for the best table that sees only part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchView {
    /// The number of entries of the table.
    pub decisions: usize,
    /// An upper bound on the average win rate of any play, even one that sees the complete state.
    pub at_most: f64,
    /// The number of perturbed tables to try.
    pub tries: usize,
    /// The number of perturbed tables that were tried: all of them, unless the search was
    /// interrupted.
    pub tried: usize,
    /// The seed of the search's random numbers.
    pub seed: u64,
}

/// The kind of solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ObjectiveKind {
    /// Optimal play by both sides.
    Equilibrium,
    /// Optimal play against one fixed strategy.
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

/// The arithmetic in which a game was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ArithmeticKind {
    /// Integers or fractions: each win rate is the double nearest to the exact value.
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

/// The part of the state that the solved side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Sight {
    /// The complete state: both scores and all memories.
    State,
    /// Only the two scores.
    Scores,
}
