//! A contest: ranking, matrix, circles.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::{Entrant, Rejected, Robin, Standing, Standings, WINNING};

/// The outcome of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ContestView {
    /// The game's id.
    pub rules: String,
    /// The names in the order of the matrix.
    pub entrants: Vec<String>,
    /// From the first: by wins, then by mean win rate.
    pub ranking: Vec<RankView>,
    /// `matrix[a][b]`: the average win rate of a against b; one half on the diagonal.
    pub matrix: Vec<Vec<f64>>,
    /// The same where a moves first.
    pub first: Vec<Vec<f64>>,
    /// Entrants that play alike in every state: each group of two or more.
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
    /// No win rate is further than this from the exact one.
    pub error_bound: f64,
    /// Time taken.
    pub seconds: f64,
}

/// One line of the ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RankView {
    /// From 1; equal wins share a rank.
    pub rank: usize,
    /// The entrant's name.
    pub name: String,
    /// How many others it beats.
    pub wins: usize,
    /// How many beat it.
    pub losses: usize,
    /// Mean win rate against all others.
    pub mean: f64,
    /// The opponent it wins least against; null if there is none.
    pub worst_against: Option<String>,
    /// What it wins against that one.
    pub worst_win_rate: Option<f64>,
}

/// One that could not take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RejectedView {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

impl ContestView {
    /// The view of a finished contest.
    pub fn new(rules: &str, entrants: &[Entrant], rejected: &[Rejected], robin: &Robin, seconds: f64) -> Self {
        let standings = Standings::of(robin);
        let name = |entrant: usize| entrants[entrant].name.clone();
        let count = entrants.len();
        let matrix =
            |cell: &dyn Fn(usize, usize) -> f64| (0..count).map(|a| (0..count).map(|b| cell(a, b)).collect()).collect();
        let rejected = rejected.iter().map(|one| RejectedView { name: one.name.clone(), reason: one.reason.clone() });
        Self {
            rules: rules.to_owned(),
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
            winning: WINNING,
            error_bound: robin.error_bound,
            seconds,
        }
    }

    /// The entrants by rank, as indices of the matrix.
    pub(crate) fn order(&self) -> Vec<usize> {
        let place =
            |name: &String| self.entrants.iter().position(|entrant| entrant == name).expect("names are distinct");
        self.ranking.iter().map(|row| place(&row.name)).collect()
    }
}

impl RankView {
    fn new(standing: &Standing, entrants: &[Entrant]) -> Self {
        let name = |entrant: usize| entrants[entrant].name.clone();
        Self {
            rank: standing.rank,
            name: name(standing.entrant),
            wins: standing.wins,
            losses: standing.losses,
            mean: standing.mean,
            worst_against: standing.worst.map(|(other, _)| name(other)),
            worst_win_rate: standing.worst.map(|(_, rate)| rate),
        }
    }
}

/// The groups of entrants whose plans are equal, each in the order of the entrants.
fn same(entrants: &[Entrant]) -> Vec<Vec<String>> {
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, entrant) in entrants.iter().enumerate() {
        alike.entry(entrant.plan.fingerprint()).or_default().push(place);
    }
    let mut groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups.iter().map(|group| group.iter().map(|place| entrants[*place].name.clone()).collect()).collect()
}
