//! The latest layers once more, so that cells along a layer lie side by side.

use super::LANES;
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

    /// Forgets all layers.
    pub fn restart(&mut self) {
        self.solved = (0, 0);
        self.numbers.iter_mut().for_each(|numbers| numbers.fill(0.0));
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
        let (columns, last) = (&lanes.range(), sum - strip_first - lanes.first);
        for (place, numbers) in self.places.iter().zip(of_side) {
            let scores = &mut numbers[first..][last + 1 - columns.len()..=last];
            let row = &out.values[*place];
            if let Ok(scores) = <&mut [f64; LANES]>::try_from(&mut scores[..]) {
                for lane in 0..LANES {
                    scores[LANES - 1 - lane] = row[lane];
                }
                continue;
            }
            for (number, value) in scores.iter_mut().rev().zip(&row[columns.clone()]) {
                *number = *value;
            }
        }
    }

    /// Where the numbers of a state on a side are kept.
    #[inline(always)]
    pub fn slot(&self, side: usize, place: usize) -> usize {
        let number = self.places.iter().position(|known| *known == place).expect("a state that is kept");
        side * self.places.len() + number
    }

    /// The numbers of a state in a layer, by mover's score; 0 where there is no such cell, for there the other has won.
    #[inline(always)]
    pub fn layer(&self, slot: usize, sum: usize) -> &[f64] {
        &self.numbers[slot][self.first(sum)..][..self.goal]
    }

    /// The same of a layer that is solved and kept; `None` if it is not.
    #[inline(always)]
    pub fn solved_layer(&self, slot: usize, sum: usize) -> Option<&[f64]> {
        (sum > self.solved.0 && sum - self.solved.0 < self.kept).then(|| self.layer(slot, sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::strips::Row;

    /// A number that tells its cell.
    fn number(score: usize, opponent: usize) -> f64 {
        (10 * score + opponent) as f64
    }

    #[test]
    fn cells_along_a_layer_lie_side_by_side_while_it_is_kept() {
        let (goal, slot) = (5, 0);
        let mut kept = Diagonals { goal, kept: 3, solved: (0, 0), places: vec![0], numbers: vec![vec![0.0; 15]] };
        for sum in (4..9).rev() {
            kept.turn(sum);
            assert_eq!(kept.layer(slot, sum), [0.0; 5], "nothing is solved in the layer of {sum}");
            let row = std::array::from_fn(|column| number(sum.saturating_sub(column), column));
            let out = Out { values: vec![Row(row)], sets: vec![[0; LANES]] };
            kept.keep(0, (sum, 0), Lanes::new((0, goal), (sum, goal), 0), &out);
        }
        assert_eq!(kept.layer(slot, 6), [0.0, 0.0, number(2, 4), number(3, 3), number(4, 2)]);
        assert_eq!(
            kept.solved_layer(slot, 5),
            Some(&[0.0, number(1, 4), number(2, 3), number(3, 2), number(4, 1)][..])
        );
        assert_eq!(kept.solved_layer(slot, 4), None, "it is being solved");
        assert_eq!(kept.solved_layer(slot, 7), None, "it is no longer kept");
    }
}
