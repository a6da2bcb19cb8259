//! A contest: ranking, matrix, circles.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::{Entrant, Field, RankBy, Robin, Scoring, Standing, Standings, TieBreak};

/// The outcome of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ContestView {
    /// The game's id.
    pub rules: String,
    /// The names in the order of the matrix.
    pub entrants: Vec<String>,
    /// From the first, by what `scoring` counts.
    pub ranking: Vec<RankView>,
    /// `matrix[a][b]`: the average win rate of a against b; one half on the diagonal.
    pub matrix: Vec<Vec<f64>>,
    /// The same where a moves first.
    pub first: Vec<Vec<f64>>,
    /// Entrants that play (and bid) alike in every state: each group of two or more.
    pub same: Vec<Vec<String>>,
    /// What could not take part.
    pub rejected: Vec<RejectedView>,
    /// A beats B beats C beats A: the first hundred.
    pub cycles: Vec<[String; 3]>,
    /// How many such circles there are.
    pub all_cycles: usize,
    /// Pairs of two entrants.
    pub pairs: usize,
    /// How many of them were known from an earlier run.
    pub kept: usize,
    /// What an average win rate must exceed to be a win.
    pub winning: f64,
    /// What the ranking counts, and what decides between equals.
    pub scoring: ScoringView,
    /// Whether the entrants bid for the start; moving first and second are then one.
    pub bids: bool,
    /// Python files that were taken for helpers of others.
    pub helpers: Vec<String>,
    /// People of the roster whose work was not found.
    pub absent: Vec<String>,
    /// No win rate is further than this from the exact one.
    pub error_bound: f64,
    /// Time taken.
    pub seconds: f64,
    /// Files that were asked for and could not be written.
    pub unwritten: Vec<UnwrittenView>,
}

/// A file that could not be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct UnwrittenView {
    /// The file, or the folder of the files.
    pub file: String,
    /// Why.
    pub reason: String,
}

impl UnwrittenView {
    /// A file, and why it could not be written.
    pub fn new(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: file.into(), reason: reason.into() }
    }
}

/// How a contest was scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ScoringView {
    /// What the ranking counts.
    pub rank_by: RankByView,
    /// What decides between entrants with the same count.
    pub break_ties: TieBreakView,
}

/// What a ranking counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankByView {
    /// Wins; a tie counts as a loss.
    Wins,
    /// Wins, and half of one for a tie.
    Points,
    /// The mean win rate against all others.
    Mean,
}

/// What decides between entrants with the same count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TieBreakView {
    /// Nothing: they share a rank.
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

/// One line of the ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RankView {
    /// From 1; equals share a rank.
    pub rank: usize,
    /// The entrant's name.
    pub name: String,
    /// How many others it beats.
    pub wins: usize,
    /// How many beat it.
    pub losses: usize,
    /// How many neither beat it nor are beaten.
    pub ties: usize,
    /// Mean win rate against all others.
    pub mean: f64,
    /// The opponent it wins least against; null if there is none.
    pub worst_against: Option<String>,
    /// What it wins against that one.
    pub worst_win_rate: Option<f64>,
    /// Its file below the folder or archive that was named; null for a strategy by name.
    pub file: Option<String>,
    /// Who handed it in, as far as a roster or Gradescope's list says.
    pub submitters: Vec<String>,
    /// Its bid for the start; null where there is none.
    pub bid: Option<i64>,
}

/// One that could not take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RejectedView {
    /// Its name.
    pub name: String,
    /// Its file below the folder or archive that was named; null for a strategy by name.
    pub file: Option<String>,
    /// What is wrong with it.
    pub reason: String,
}

/// What a [`ContestView`] is made of.
#[derive(Clone, Copy, Debug)]
pub struct ContestParts<'c> {
    /// The game's id.
    pub rules: &'c str,
    /// Who took part, and who could not.
    pub field: &'c Field,
    /// The rates of all pairs.
    pub robin: &'c Robin,
    /// The ranking.
    pub standings: &'c Standings,
    /// How it was made.
    pub scoring: &'c Scoring,
    /// Time taken.
    pub seconds: f64,
}

impl ContestView {
    /// The view of a finished contest.
    pub fn new(parts: ContestParts) -> Self {
        let ContestParts { field, robin, standings, scoring, .. } = parts;
        let entrants = &field.entrants;
        let name = |entrant: usize| entrants[entrant].name.clone();
        let count = entrants.len();
        let matrix =
            |cell: &dyn Fn(usize, usize) -> f64| (0..count).map(|a| (0..count).map(|b| cell(a, b)).collect()).collect();
        let rejected = field.rejected.iter().map(|one| RejectedView {
            name: one.name.clone(),
            file: one.file.clone(),
            reason: one.reason.clone(),
        });
        Self {
            rules: parts.rules.to_owned(),
            entrants: (0..count).map(name).collect(),
            ranking: standings.ranking.iter().map(|standing| RankView::new(standing, entrants)).collect(),
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
            absent: field.absent.clone(),
            error_bound: robin.error_bound,
            seconds: parts.seconds,
            unwritten: Vec::new(),
        }
    }

    /// The entrants by rank, as indices of the matrix.
    pub(crate) fn order(&self) -> Vec<usize> {
        let places: HashMap<&String, usize> = self.entrants.iter().enumerate().map(|(at, name)| (name, at)).collect();
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
        }
    }
}

/// The groups of entrants whose plans and bids are equal, each in the order of the entrants.
fn same(entrants: &[Entrant]) -> Vec<Vec<String>> {
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, entrant) in entrants.iter().enumerate() {
        alike.entry(entrant.digest()).or_default().push(place);
    }
    let mut groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups.iter().map(|group| group.iter().map(|place| entrants[*place].name.clone()).collect()).collect()
}
