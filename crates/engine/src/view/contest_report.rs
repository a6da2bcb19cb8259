//! The report on one entrant of a contest: its standing, its results against each opponent, and
//! where it loses. It is drawn as a page, not written as JSON.

use super::RankView;

/// The report on one entrant of a contest.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContestReportView {
    /// The game's id.
    pub rules: String,
    /// Its row of the ranking.
    pub standing: RankView,
    /// The number of entrants.
    pub entrants: usize,
    /// The results against all opponents, from the lowest win rate to the highest.
    pub meetings: Vec<MeetingView>,
    /// The other entrants that play exactly the same.
    pub same: Vec<String>,
    /// Where it loses against the field, represented by opponents spread evenly over the ranking.
    pub against_field: MissesView,
    /// Where it loses against optimal play.
    pub against_optimal: MissesView,
}

/// The result against one opponent.
#[derive(Clone, Debug, PartialEq)]
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

/// The loss against some opponents, compared with the best response to each.
#[derive(Clone, Debug, PartialEq)]
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

/// A pair of scores and the loss there, averaged over the opponents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MissView {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The number of dice that the entrant rolls; in games with memories, at the values of the
    /// memories that cost most.
    pub dice: i32,
    /// The best numbers of dice there, against the opponent that makes it cost most.
    pub best: Vec<i32>,
    /// The reason why they are better, in words.
    pub why: String,
    /// The loss in win rate per game.
    pub loss: f64,
    /// The expected number of times that the entrant is to move at these scores in a game.
    pub met: f64,
}
