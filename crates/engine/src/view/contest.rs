//! The results of a contest: ranking, matrix and cycles.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::{
    Entrant, EntrantDigest, Field, RankBy, Robin, Scoring, Standing, Standings, TieBreak,
};

/// The results of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ContestView {
    /// The game's id.
    pub rules: String,
    /// The names of the entrants, in the order of the matrix.
    pub entrants: Vec<String>,
    /// The ranking, best first; `scoring` says how it is made.
    pub ranking: Vec<RankView>,
    /// `matrix[a][b]` is the average win rate of a against b; one half on the diagonal.
    pub matrix: Vec<Vec<f64>>,
    /// `first[a][b]` is the win rate of a against b when a moves first.
    pub first: Vec<Vec<f64>>,
    /// Groups of two or more entrants that play (and bid) the same in every state.
    pub same: Vec<Vec<String>>,
    /// The entrants that could not take part.
    pub rejected: Vec<RejectedView>,
    /// The first hundred cycles of three: A beats B, B beats C, C beats A.
    pub cycles: Vec<[String; 3]>,
    /// The number of all such cycles.
    pub all_cycles: usize,
    /// The number of pairs of entrants.
    pub pairs: usize,
    /// The number of these pairs that were known from an earlier run.
    pub kept: usize,
    /// An average win rate above this counts as a win.
    pub winning: f64,
    /// How the ranking is made.
    pub scoring: ScoringView,
    /// Whether the entrants bid for the start; the win rates of moving first and second are then
    /// equal.
    pub bids: bool,
    /// Python files that do not take part: helpers, and other files of an entrant beside the
    /// chosen one.
    pub helpers: Vec<String>,
    /// Files beside the submissions that cannot be strategies.
    pub skipped: Vec<String>,
    /// Students of the roster whose work was not found.
    pub absent: Vec<String>,
    /// Submissions of which something could not be told, such as whose they are. They are also
    /// ranked or rejected.
    pub unclear: Vec<UnclearView>,
    /// With a deadline, or if late submissions are refused: the number of those of which nothing
    /// says when they came.
    pub undated: usize,
    /// The rule by which entrants get points for a gradebook; null if they get none.
    pub points: Option<String>,
    /// No win rate differs from the exact one by more than this.
    pub error_bound: f64,
    /// The time taken, in seconds.
    pub seconds: f64,
    /// Requested output files that could not be written.
    pub unwritten: Vec<UnwrittenView>,
}

/// A file that could not be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnwrittenView {
    /// The file, or the folder of several files.
    pub file: String,
    /// The reason.
    pub reason: String,
}

impl UnwrittenView {
    /// A file and the reason why it could not be written.
    pub fn new(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: file.into(), reason: reason.into() }
    }
}

/// How a contest was scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ScoringView {
    /// The score by which entrants are ranked.
    pub rank_by: RankByView,
    /// The criterion between entrants with the same score.
    pub break_ties: TieBreakView,
}

/// The score by which entrants are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankByView {
    /// The number of wins; a tie counts as a loss.
    Wins,
    /// The number of wins; a tie counts as half a win.
    Points,
    /// The mean win rate against all others.
    Mean,
}

/// The criterion between entrants with the same score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TieBreakView {
    /// None: they share a rank.
    Share,
    /// The mean win rate against all others.
    Mean,
    /// The win rate against the game's baseline.
    Baseline,
}

impl From<&Scoring> for ScoringView {
    fn from(scoring: &Scoring) -> Self {
        let rank_by = match scoring.rank_by {
            RankBy::Wins => RankByView::Wins,
            RankBy::Points => RankByView::Points,
            RankBy::Mean => RankByView::Mean,
        };
        let break_ties = match scoring.break_ties {
            TieBreak::Share => TieBreakView::Share,
            TieBreak::Mean => TieBreakView::Mean,
            TieBreak::Baseline => TieBreakView::Baseline,
        };
        Self { rank_by, break_ties }
    }
}

/// One row of the ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RankView {
    /// The rank, from 1; entrants that tie share a rank.
    pub rank: usize,
    /// The entrant's name.
    pub name: String,
    /// The number of opponents it beats.
    pub wins: usize,
    /// The number of opponents that beat it.
    pub losses: usize,
    /// The number of opponents it ties with.
    pub ties: usize,
    /// The mean win rate against all others.
    pub mean: f64,
    /// The opponent against which its win rate is lowest; null if it has no opponents.
    pub worst_against: Option<String>,
    /// The win rate against that opponent.
    pub worst_win_rate: Option<f64>,
    /// Its file, relative to the given folder or archive; null for a strategy given by name.
    pub file: Option<String>,
    /// The people who submitted it, as far as a roster or Gradescope's list names them.
    pub submitters: Vec<String>,
    /// Its bid for the start; null in games without bids.
    pub bid: Option<i64>,
    /// The number of the submission at the system that collected it; null if it is not known.
    pub submission: Option<String>,
    /// Whether it was handed in late; null if that is not known.
    pub late: Option<bool>,
    /// The win rate against the game's baseline; null if the scoring does not need it.
    pub baseline: Option<f64>,
    /// The points for a gradebook; null if there is no rule for them.
    pub points: Option<f64>,
}

/// An entrant that could not take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RejectedView {
    /// The entrant's name.
    pub name: String,
    /// Its file, relative to the given folder or archive; null for a strategy given by name.
    pub file: Option<String>,
    /// The reason.
    pub reason: String,
    /// The number of the submission at the system that collected it; null if it is not known.
    pub submission: Option<String>,
    /// Whether it was handed in late; null if that is not known.
    pub late: Option<bool>,
}

/// A submission of which something could not be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnclearView {
    /// The entrant's name.
    pub name: String,
    /// Its file, relative to the given folder or archive.
    pub file: Option<String>,
    /// What could not be told, and why.
    pub reason: String,
}

/// The parts from which a [`ContestView`] is made.
#[derive(Clone, Copy, Debug)]
pub struct ContestParts<'c> {
    /// The game's id.
    pub rules: &'c str,
    /// The entrants, and those that could not take part.
    pub field: &'c Field,
    /// The win rates of all pairs.
    pub robin: &'c Robin,
    /// The ranking.
    pub standings: &'c Standings,
    /// How the ranking was made.
    pub scoring: &'c Scoring,
    /// The time taken, in seconds.
    pub seconds: f64,
}

impl ContestView {
    /// Makes the view of a finished contest.
    pub fn new(parts: ContestParts) -> Self {
        let ContestParts { field, robin, standings, scoring, .. } = parts;
        let entrants = &field.entrants;
        let name = |entrant: usize| entrants[entrant].name.clone();
        let count = entrants.len();
        let matrix = |cell: &dyn Fn(usize, usize) -> f64| {
            (0..count).map(|a| (0..count).map(|b| cell(a, b)).collect()).collect()
        };
        let rejected = field.rejected.iter().map(|one| RejectedView {
            name: one.name.clone(),
            file: one.file.clone(),
            reason: one.reason.clone(),
            submission: one.hand_in.id.clone(),
            late: one.hand_in.late,
        });
        let unclear = field.unclear.iter().map(|one| UnclearView {
            name: one.name.clone(),
            file: one.file.clone(),
            reason: one.reason.clone(),
        });
        Self {
            rules: parts.rules.to_owned(),
            entrants: (0..count).map(name).collect(),
            ranking: standings
                .ranking
                .iter()
                .map(|standing| RankView::new(standing, entrants))
                .collect(),
            matrix: matrix(&|a, b| robin.average(a, b)),
            first: matrix(&|a, b| robin.rates[a][b].first),
            same: same(entrants),
            rejected: rejected.collect(),
            cycles: standings.cycles.iter().map(|cycle| cycle.map(name)).collect(),
            all_cycles: standings.all_cycles,
            pairs: count * count.saturating_sub(1) / 2,
            kept: robin.kept,
            winning: scoring.win_above,
            scoring: scoring.into(),
            bids: entrants.iter().any(|entrant| entrant.bid.is_some()),
            helpers: field.helpers.clone(),
            skipped: field.skipped.clone(),
            absent: field.absent.clone(),
            unclear: unclear.collect(),
            undated: field.undated,
            points: scoring.points.as_ref().map(ToString::to_string),
            error_bound: robin.error_bound,
            seconds: parts.seconds,
            unwritten: Vec::new(),
        }
    }

    /// Returns the names of the entrants of the ranking that were handed in late.
    pub(crate) fn late(&self) -> Vec<&str> {
        self.ranking
            .iter()
            .filter(|row| row.late == Some(true))
            .map(|row| row.name.as_str())
            .collect()
    }

    /// Returns the entrants by rank, as indices of the matrix.
    pub(crate) fn order(&self) -> Vec<usize> {
        let places: HashMap<&String, usize> =
            self.entrants.iter().enumerate().map(|(at, name)| (name, at)).collect();
        self.ranking.iter().map(|row| places[&row.name]).collect()
    }
}

impl RankView {
    fn new(standing: &Standing, entrants: &[Entrant]) -> Self {
        let name = |entrant: usize| entrants[entrant].name.clone();
        let own = &entrants[standing.entrant];
        Self {
            rank: standing.rank,
            name: own.name.clone(),
            wins: standing.wins,
            losses: standing.losses,
            ties: standing.ties,
            mean: standing.mean,
            worst_against: standing.worst.map(|(other, _)| name(other)),
            worst_win_rate: standing.worst.map(|(_, rate)| rate),
            file: own.file.clone(),
            submitters: own.submitters.clone(),
            bid: own.bid,
            submission: own.hand_in.id.clone(),
            late: own.hand_in.late,
            baseline: standing.baseline,
            points: standing.points,
        }
    }
}

/// Returns the groups of entrants whose plans and bids are equal, each in the order of the
/// entrants.
fn same(entrants: &[Entrant]) -> Vec<Vec<String>> {
    let mut by_digest: BTreeMap<EntrantDigest, Vec<usize>> = BTreeMap::new();
    for (place, entrant) in entrants.iter().enumerate() {
        by_digest.entry(entrant.digest()).or_default().push(place);
    }
    let mut groups: Vec<Vec<usize>> =
        by_digest.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
        .iter()
        .map(|group| group.iter().map(|place| entrants[*place].name.clone()).collect())
        .collect()
}
