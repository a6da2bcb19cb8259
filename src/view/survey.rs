//! Every game's figures in one table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ArithmeticKind, Rate, ShareView};
use crate::rules::Rules;
use crate::survey::{Figures, FoundRate};

/// The figures of many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyView {
    /// The command that makes it.
    pub command: String,
    /// One row a game.
    pub games: Vec<SurveyRow>,
    /// How long all of it took.
    pub seconds: f64,
}

/// The figures of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyRow {
    /// The game's id.
    pub rules: String,
    /// Its name for people.
    pub title: String,
    /// The heading it is listed under.
    pub group: String,
    /// Its goal.
    pub goal: u32,
    /// The first player's win rates if both play to win.
    pub win_rate: Rate,
    /// All best numbers of dice at the start.
    pub first_roll: Vec<i32>,
    /// The strategy that its course rates against.
    pub baseline: Option<String>,
    /// Against the baseline: the win rates of its best response.
    pub best_response: Option<Rate>,
    /// Against the baseline: the win rates of equilibrium play.
    pub equilibrium: Option<Rate>,
    /// The numbers of the equilibrium.
    pub arithmetic: ArithmeticKind,
    /// States with more than one best number of dice.
    pub ties: usize,
    /// How often each number of dice is the fewest best, as a share of all states.
    #[serde(default)]
    pub best_dice: Vec<DiceShareView>,
    /// How many states the game has.
    pub states: usize,
    /// Where the game begins with a bidding: how often to make each bid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<ShareView>,
    /// The time to read, tabulate and solve the game.
    pub seconds: f64,
}

/// How often a number of dice is the fewest best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiceShareView {
    /// How many dice; below 0 for moves that roll nothing.
    pub dice: i32,
    /// The share of all states.
    pub share: f64,
}

/// The figures of one game as a number of it varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedView {
    /// The game's id.
    pub rules: String,
    /// What varies.
    pub vary: String,
    /// One row a value, in the order asked.
    pub rows: Vec<VariedRow>,
}

/// The figures of a game with one value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedRow {
    /// The value.
    pub value: u32,
    /// The figures.
    pub figures: SurveyRow,
}

impl VariedView {
    /// Of values and figures.
    pub fn new(vary: String, rows: impl IntoIterator<Item = (u32, SurveyRow)>) -> Self {
        let rows: Vec<VariedRow> = rows.into_iter().map(|(value, figures)| VariedRow { value, figures }).collect();
        let rules = rows.first().map_or_else(String::new, |row| row.figures.rules.clone());
        Self { rules, vary, rows }
    }
}

impl SurveyView {
    /// Of rows that a command made in so many seconds.
    pub fn new(command: String, games: Vec<SurveyRow>, seconds: f64) -> Self {
        Self { command, games, seconds }
    }
}

impl SurveyRow {
    /// Of a game and its figures.
    pub fn new(rules: &Rules, figures: &Figures) -> Self {
        let rate = |found: &FoundRate| Rate::new(found.rates, found.endless, found.error_bound);
        let baseline = figures.baseline.as_ref();
        Self {
            rules: rules.id.clone(),
            title: rules.title.clone(),
            group: rules.group().to_owned(),
            goal: rules.goal,
            win_rate: rate(&figures.equilibrium),
            first_roll: figures.first_roll.clone(),
            baseline: rules.baseline.clone(),
            best_response: baseline.map(|baseline| rate(&baseline.best_response)),
            equilibrium: baseline.map(|baseline| rate(&baseline.equilibrium)),
            arithmetic: figures.arithmetic.into(),
            ties: figures.ties,
            best_dice: figures
                .best_dice
                .iter()
                .map(|(dice, share)| DiceShareView { dice: *dice, share: *share })
                .collect(),
            states: figures.states,
            bids: ShareView::of(figures.bids.iter().copied()),
            seconds: figures.solved_in.as_secs_f64(),
        }
    }

    /// The largest bound on the error of the win rates here.
    pub fn error_bound(&self) -> f64 {
        let against = self.best_response.iter().chain(&self.equilibrium);
        against.map(|rate| rate.error_bound).fold(self.win_rate.error_bound, f64::max)
    }
}
