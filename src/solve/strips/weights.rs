//! What outcomes whose arrivals depend on the points weigh in sums: for differences that are added to the sums.

use std::collections::BTreeMap;

use super::groups::GROUP;
use super::setting::Setting;
use crate::solve::program::Sum;

/// Weights of outcomes in the sums of a menu.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weights {
    /// By group: its runs of outcomes whose numbers follow each other, the first and the end.
    groups: Vec<(u32, u32)>,
    runs: Vec<Run>,
    /// `[run's first + landing - run's first landing][sum of the group]`; where a group has fewer sums, its last one again.
    weights: Vec<[f64; GROUP]>,
}

/// Landings of a group whose numbers follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    /// Their numbers: the first, and the end.
    pub outcomes: (usize, usize),
    first: usize,
}

impl Weights {
    /// Of groups of sums that all columns take.
    pub fn new(setting: &Setting, groups: impl Iterator<Item = [u32; GROUP]>) -> Self {
        let mut made = Self::default();
        for sums in groups {
            let first = made.runs.len() as u32;
            made.push(setting, sums.map(|sum| &setting.program.sums[sum as usize]));
            made.groups.push((first, made.runs.len() as u32));
        }
        made
    }

    /// Adds the runs of a group.
    fn push(&mut self, setting: &Setting, sums: [&Sum; GROUP]) {
        let mut weights: BTreeMap<usize, [f64; GROUP]> = BTreeMap::new();
        for (place, sum) in sums.into_iter().enumerate() {
            for term in &sum.all {
                if let Some(landing) = setting.number_of(term.kind, term.points) {
                    weights.entry(landing).or_default()[place] += term.weight;
                }
            }
        }
        let mut runs: Vec<Run> = Vec::new();
        for (landing, weights) in weights {
            match runs.last_mut() {
                Some(run) if run.outcomes.1 == landing => run.outcomes.1 += 1,
                _ => runs.push(Run { outcomes: (landing, landing + 1), first: self.weights.len() }),
            }
            self.weights.push(weights);
        }
        self.runs.extend(runs);
    }

    /// The runs of a group.
    #[inline(always)]
    pub fn runs(&self, group: usize) -> &[Run] {
        let (first, end) = self.groups[group];
        &self.runs[first as usize..end as usize]
    }

    /// The weights of a run's outcomes.
    #[inline(always)]
    pub fn of(&self, run: &Run) -> &[[f64; GROUP]] {
        &self.weights[run.first..][..run.outcomes.1 - run.outcomes.0]
    }
}
