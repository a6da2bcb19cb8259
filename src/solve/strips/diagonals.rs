//! The latest layers once more, so that cells along a layer lie side by side.

use std::ops::Range;

use super::kernel::Out;
use super::setting::Setting;
use super::strip::Lanes;

/// What some states of the cells of the latest layers are worth to their movers.
#[derive(Debug, Default)]
pub(super) struct Diagonals {
    goal: usize,
    /// So many layers are kept, of the one that is solved and those above it.
    kept: usize,
    /// The sum of scores of the layer that is solved, and its place.
    solved: (usize, usize),
    /// The places of these states among those of a cell; none for games that never ask for them.
    places: Vec<usize>,
    /// By side and place: of each layer, those of sums of scores equal modulo those kept in turns, by mover's score.
    numbers: Vec<Vec<f64>>,
}

impl Diagonals {
    /// Room for the states to which landings lead whose arrivals depend on the points.
    pub fn new(setting: &Setting, sides: usize) -> Self {
        let kinds = setting.by_points.iter().map(|by_points| &setting.program.kinds[by_points.kind]);
        let passed = |kind| (0..setting.space.mine).map(move |memory| setting.passed(kind, memory));
        let mut places: Vec<usize> = kinds.flat_map(passed).collect();
        places.sort_unstable();
        places.dedup();
        // A rule may let the turn's points count once more.
        let (goal, kept) = (setting.space.goal, 2 * setting.program.farthest + 1);
        let numbers = (0..sides * places.len()).map(|_| vec![0.0; goal * kept]).collect();
        Self { goal, kept, solved: (0, 0), places, numbers }
    }

    /// Turns to a layer: zeros, until it is solved.
    pub fn turn(&mut self, sum: usize) {
        self.solved = (sum, sum % self.kept);
        let first = self.first(sum);
        self.numbers.iter_mut().for_each(|numbers| numbers[first..][..self.goal].fill(0.0));
    }

    /// Where the numbers of a layer begin that is kept.
    #[inline(always)]
    fn first(&self, sum: usize) -> usize {
        let place = self.solved.1 + sum - self.solved.0;
        (if place < self.kept { place } else { place - self.kept }) * self.goal
    }

    /// Keeps the results of a strip's columns in a layer.
    #[inline]
    pub fn keep(&mut self, side: usize, (sum, strip_first): (usize, usize), lanes: Lanes, out: &Out) {
        let first = self.first(sum);
        let of_side = &mut self.numbers[side * self.places.len()..][..self.places.len()];
        for (place, numbers) in self.places.iter().zip(of_side) {
            let row = &out.values[*place];
            let layer = &mut numbers[first..][..self.goal];
            for lane in lanes.range() {
                layer[sum - strip_first - lane] = row[lane];
            }
        }
    }

    /// The numbers of a state in a layer, by mover's score; 0 where there is no such cell, for there the other has won.
    #[inline(always)]
    pub fn layer(&self, (side, place): (usize, usize), sum: usize, scores: Range<usize>) -> &[f64] {
        let place = self.places.iter().position(|known| *known == place).expect("a state that is kept");
        let first = self.first(sum);
        &self.numbers[side * self.places.len() + place][first + scores.start..first + scores.end]
    }

    /// The numbers of a state of so many cells, each with a mover's score of one more and an opponent's of one less than
    /// the one before; `None` if they are not all on the board and in a layer that is solved and kept.
    #[inline(always)]
    pub fn line(&self, state: (usize, usize), cell: usize, count: usize) -> Option<&[f64]> {
        let cell = u32::try_from(cell).ok()?;
        let (score, opponent) = ((cell / self.goal as u32) as usize, (cell % self.goal as u32) as usize);
        let sum = score + opponent;
        if sum <= self.solved.0 || sum - self.solved.0 >= self.kept || score + count > self.goal || opponent + 1 < count
        {
            return None;
        }
        Some(self.layer(state, sum, score..score + count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::strips::{LANES, Row};

    /// A number that tells its cell.
    fn number(score: usize, opponent: usize) -> f64 {
        (10 * score + opponent) as f64
    }

    #[test]
    fn cells_along_a_layer_lie_side_by_side_while_it_is_kept() {
        let (goal, state) = (5, (0, 0));
        let mut kept = Diagonals { goal, kept: 3, solved: (0, 0), places: vec![0], numbers: vec![vec![0.0; 15]] };
        for sum in (4..9).rev() {
            kept.turn(sum);
            assert_eq!(kept.layer(state, sum, 0..goal), [0.0; 5], "nothing is solved in the layer of {sum}");
            let row = std::array::from_fn(|column| number(sum.saturating_sub(column), column));
            let out = Out { values: vec![Row(row)], sets: vec![[0; LANES]] };
            kept.keep(0, (sum, 0), Lanes::new((0, goal), (sum, goal), 0), &out);
        }
        assert_eq!(kept.layer(state, 6, 0..goal), [0.0, 0.0, number(2, 4), number(3, 3), number(4, 2)]);
        let cell = |score: usize, opponent: usize| score * goal + opponent;
        assert_eq!(kept.line(state, cell(2, 3), 3), Some(&[number(2, 3), number(3, 2), number(4, 1)][..]));
        assert_eq!(kept.line(state, cell(2, 3), 4), None, "the fourth is past the goal");
        assert_eq!(kept.line(state, cell(4, 1), 1), Some(&[number(4, 1)][..]));
        assert_eq!(kept.line(state, cell(2, 2), 1), None, "its layer is being solved");
        assert_eq!(kept.line(state, cell(4, 3), 1), None, "its layer is no longer kept");
    }
}
