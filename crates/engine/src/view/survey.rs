//! The figures of many games in one table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::queries::{ArithmeticKind, BidShare, WinRates};
use crate::rules::Rules;
use crate::survey::{Figures, FoundRate};

/// The figures of many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyView {
    /// The command that makes this survey.
    pub command: String,
    /// One row for each game.
    pub games: Vec<SurveyRow>,
    /// The total time taken, in seconds.
    pub seconds: f64,
}

/// The figures of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyRow {
    /// The game's id.
    pub rules: String,
    /// The game's title.
    pub title: String,
    /// The heading under which it is listed.
    pub group: String,
    /// Other names by which it can be given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The publication that the rules come from.
    #[serde(default)]
    pub source: Option<String>,
    /// The game's goal.
    pub goal: u32,
    /// The win rates under optimal play by both players.
    pub win_rate: WinRates,
    /// The best numbers of dice at the start; several if they tie.
    pub first_roll: Vec<i32>,
    /// The strategy against which its course rates others.
    pub baseline: Option<String>,
    /// The win rates of the best response to the baseline.
    pub best_response: Option<WinRates>,
    /// The win rates of equilibrium play against the baseline.
    pub equilibrium: Option<WinRates>,
    /// The arithmetic in which the equilibrium was solved.
    pub arithmetic: ArithmeticKind,
    /// The number of states with more than one best number of dice.
    pub ties: usize,
    /// For each number of dice, the share of states in which it is the smallest best number.
    #[serde(default)]
    pub best_dice: Vec<DiceShare>,
    /// The number of states of the game.
    pub states: usize,
    /// The probability of each bid in the equilibrium; omitted if the game does not begin with a
    /// bidding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<BidShare>,
    /// The time to read, tabulate and solve the game, in seconds.
    pub seconds: f64,
}

/// The share of states in which a number of dice is the smallest best number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceShare {
    /// The number of dice; negative for moves that roll nothing.
    pub dice: i32,
    /// The share of all states, from 0 to 1.
    pub share: f64,
}

/// The figures of one game for several values of one of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedView {
    /// The game's id.
    pub rules: String,
    /// The name of the number that varies.
    pub vary: String,
    /// One row for each value, in the order of the request.
    pub rows: Vec<VariedRow>,
}

/// The figures of a game for one value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct VariedRow {
    /// The value.
    pub value: u32,
    /// The figures.
    pub figures: SurveyRow,
}

impl VariedView {
    /// Makes the view of pairs of a value and its figures.
    pub fn new(vary: &str, rows: impl IntoIterator<Item = (u32, SurveyRow)>) -> Self {
        let rows: Vec<VariedRow> =
            rows.into_iter().map(|(value, figures)| VariedRow { value, figures }).collect();
        let rules = rows.first().map_or_else(String::new, |row| row.figures.rules.clone());
        Self { rules, vary: vary.to_owned(), rows }
    }
}

impl SurveyView {
    /// Makes the view of the rows that a command computed in this number of seconds.
    pub fn new(command: String, games: Vec<SurveyRow>, seconds: f64) -> Self {
        Self { command, games, seconds }
    }
}

impl SurveyRow {
    /// Makes the row of a game from its figures.
    pub fn new(rules: &Rules, figures: &Figures) -> Self {
        let rate = |found: &FoundRate| WinRates::new(found.rates, found.endless, found.error_bound);
        let baseline = figures.baseline.as_ref();
        Self {
            rules: rules.id.clone(),
            title: rules.title.clone(),
            group: rules.group().to_owned(),
            aliases: rules.aliases.clone(),
            source: rules.source.clone(),
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
                .map(|(dice, share)| DiceShare { dice: *dice, share: *share })
                .collect(),
            states: figures.states,
            bids: BidShare::of(figures.bids.iter().copied()),
            seconds: figures.solved_in.as_secs_f64(),
        }
    }

    /// Returns the largest error bound of the win rates in this row.
    pub fn error_bound(&self) -> f64 {
        let against = self.best_response.iter().chain(&self.equilibrium);
        against.map(|rate| rate.error_bound).fold(self.win_rate.error_bound, f64::max)
    }
}
