//! What landings weigh in sums, by landing: for differences that are added to the sums that read them.

use super::setting::Setting;
use crate::solve::program::Term;

/// Weights of landings in the sums of a menu.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weights {
    /// Points from 0 to the most.
    points: usize,
    /// By kind and points: the first sum of which it is an outcome, and where its weights begin and end.
    places: Vec<(u32, u32, u32)>,
    /// From that sum to the last of which it is an outcome.
    weights: Vec<f64>,
}

impl Weights {
    /// Of a program's sums, in the order of a menu.
    pub fn new(setting: &Setting, sums: &[u32]) -> Self {
        let points = setting.points();
        let terms = || {
            let sums = sums.iter().map(|index| &setting.program.sums[*index as usize]);
            (0..).zip(sums).flat_map(|(place, sum)| sum.all.iter().map(move |term| (place, term)))
        };
        let landing = |term: &Term| term.kind * points + term.points;
        // First the sums of each landing, then room for the weights in them.
        let mut places = vec![(0, 0, 0); setting.program.kinds.len() * points];
        for (sum, term) in terms() {
            let (first, begin, end) = &mut places[landing(term)];
            (*first, *end) = if begin == end { (sum, sum + 1) } else { (*first, sum + 1) };
            *begin = *first;
        }
        let mut room = 0;
        for (_, begin, end) in &mut places {
            (*begin, *end) = (room, room + *end - *begin);
            room = *end;
        }
        let mut weights = vec![0.0; room as usize];
        for (sum, term) in terms() {
            let (first, begin, _) = places[landing(term)];
            weights[(begin + sum - first) as usize] += term.weight;
        }
        Self { points, places, weights }
    }

    /// The weights of a landing in the sums from one on; none before that and after.
    #[inline(always)]
    pub fn of(&self, kind: usize, points: usize) -> (usize, &[f64]) {
        let (first, begin, end) = self.places[kind * self.points + points];
        (first as usize, &self.weights[begin as usize..end as usize])
    }
}
