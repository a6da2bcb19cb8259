//! How one entrant of a contest did: its record, the opponents it met, and where it loses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RankView;

/// One entrant's contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ContestReportView {
    /// The game's id.
    pub rules: String,
    /// Its line of the ranking.
    pub standing: RankView,
    /// How many took part.
    pub entrants: usize,
    /// All opponents, those it wins least against first.
    pub meetings: Vec<MeetingView>,
    /// Who else plays exactly the same.
    pub same: Vec<String>,
    /// What it loses against the field: opponents from all over the ranking.
    pub against_field: MissesView,
    /// What it loses against best play.
    pub against_optimal: MissesView,
}

/// An opponent, and how it went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MeetingView {
    /// The opponent's name.
    pub name: String,
    /// The opponent's rank.
    pub rank: usize,
    /// The average win rate against it.
    pub win_rate: f64,
    /// The win rate when moving first.
    pub first: f64,
    /// The win rate when moving second.
    pub second: f64,
}

/// What is lost against some opponents, compared with the best response to each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MissesView {
    /// The opponents.
    pub opponents: Vec<String>,
    /// The mean win rate against them.
    pub win_rate: f64,
    /// The mean win rate of the best responses.
    pub best_response: f64,
    /// The positions that cost most.
    pub worst: Vec<MissView>,
}

/// A position, and what is lost there on average over the opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MissView {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The number of dice rolled there: where the game remembers something, what is rolled when most is lost.
    pub dice: i32,
    /// The best numbers of dice there, against the opponent that makes it cost most.
    pub best: Vec<i32>,
    /// Why they are better, in words.
    pub why: String,
    /// What it costs in a game.
    pub loss: f64,
    /// How often it is met in a game.
    pub met: f64,
}
