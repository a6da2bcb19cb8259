//! What landings weigh in sums whose arrivals depend on the points: for differences that are added to the sums.

use super::setting::Setting;
use crate::solve::program::Term;

/// Weights of landings in the sums of a menu.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weights {
    /// By sum: its runs of landings whose numbers follow each other, the first and the end.
    sums: Vec<(u32, u32)>,
    runs: Vec<Run>,
    /// `[run's first weight + landing - run's first landing]`
    weights: Vec<f64>,
}

/// Landings of a sum whose numbers follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    /// Their numbers: the first, and the end.
    pub landings: (usize, usize),
    first_weight: usize,
}

impl Weights {
    /// Of a program's sums, in the order of a menu.
    pub fn new(setting: &Setting, sums: &[u32]) -> Self {
        let mut made = Self::default();
        for index in sums {
            let number = |term: &Term| Some((setting.number_of(term.kind, term.points)? as u32, term.weight));
            let mut landings: Vec<(u32, f64)> =
                setting.program.sums[*index as usize].all.iter().filter_map(number).collect();
            landings.sort_by_key(|(landing, _)| *landing);
            let first = made.runs.len() as u32;
            for run in landings.chunk_by(|(one, _), (next, _)| next - one <= 1) {
                made.push(run);
            }
            made.sums.push((first, made.runs.len() as u32));
        }
        made
    }

    /// Adds a run: landings, some perhaps more than once, and their weights.
    fn push(&mut self, run: &[(u32, f64)]) {
        let ((first, _), (last, _)) = (run[0], run[run.len() - 1]);
        let first_weight = self.weights.len();
        self.weights.resize(first_weight + (last + 1 - first) as usize, 0.0);
        for (landing, weight) in run {
            self.weights[first_weight + (landing - first) as usize] += weight;
        }
        self.runs.push(Run { landings: (first as usize, last as usize + 1), first_weight });
    }

    /// The runs of a sum.
    #[inline(always)]
    pub fn runs(&self, sum: usize) -> &[Run] {
        let (first, end) = self.sums[sum];
        &self.runs[first as usize..end as usize]
    }

    /// The weights of a run's landings.
    #[inline(always)]
    pub fn of(&self, run: &Run) -> &[f64] {
        &self.weights[run.first_weight..][..run.landings.1 - run.landings.0]
    }
}
