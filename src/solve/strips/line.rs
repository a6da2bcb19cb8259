//! What one layer of a block came to, in the order of the movers' scores: as those who arrive there read it.

use super::LANES;
use crate::game::DiceSet;

/// The results of a layer of a block, one side's. By state of a cell, they lie in the order of the movers' scores, with room for as
/// many columns on both sides as a strip has: strips write all of theirs.
#[derive(Debug)]
pub(super) struct Line {
    values: Vec<f64>,
    sets: Vec<DiceSet>,
    /// Numbers of a state.
    width: usize,
    /// The lowest score of the block.
    lowest: usize,
}

/// The place of a score in each state's part of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot(usize);

impl Line {
    /// Room for so many scores of cells with so many states.
    pub fn new(scores: usize, states: usize) -> Self {
        let width = scores + 2 * LANES;
        Self { values: vec![0.0; states * width], sets: vec![0; states * width], width, lowest: 0 }
    }

    /// Turns to a block by its lowest score.
    pub fn turn(&mut self, lowest: usize) {
        self.lowest = lowest;
    }

    /// How many states a cell has.
    pub fn states(&self) -> usize {
        self.values.len() / self.width
    }

    /// Where a score is: one of the block's, or of the room on both sides.
    #[inline(always)]
    pub fn spot(&self, score: usize) -> Spot {
        Spot(LANES + score - self.lowest)
    }

    /// Where the last column is, in the layer of a sum, of the strip that begins with a column: its score is the lowest.
    #[inline(always)]
    pub fn spot_of_strip(&self, sum: usize, first: usize) -> Spot {
        Spot(1 + sum - first - self.lowest)
    }

    /// The numbers of a state from a score on, as many as a strip has columns.
    #[inline(always)]
    pub fn window(&self, state: usize, spot: Spot) -> &[f64; LANES] {
        self.values[state * self.width + spot.0..].first_chunk().expect("there is room on both sides")
    }

    /// The same, and the best actions.
    #[inline(always)]
    pub fn window_mut(&mut self, state: usize, spot: Spot) -> (&mut [f64; LANES], &mut [DiceSet; LANES]) {
        let first = state * self.width + spot.0;
        let values = self.values[first..].first_chunk_mut().expect("there is room on both sides");
        (values, self.sets[first..].first_chunk_mut().expect("there is room on both sides"))
    }

    /// All of a state from a score on.
    #[inline(always)]
    pub fn from(&self, state: usize, spot: Spot) -> (&[f64], &[DiceSet]) {
        let range = state * self.width + spot.0..(state + 1) * self.width;
        (&self.values[range.clone()], &self.sets[range])
    }

    /// Copies the numbers of all states of a score, and their best actions.
    pub fn copy_score(&self, score: usize, (values, sets): (&mut [f64], &mut [DiceSet])) {
        let spot = self.spot(score).0;
        values
            .iter_mut()
            .zip(self.values.chunks_exact(self.width))
            .for_each(|(value, of_state)| *value = of_state[spot]);
        sets.iter_mut().zip(self.sets.chunks_exact(self.width)).for_each(|(set, of_state)| *set = of_state[spot]);
    }

    /// The number of one state, and its best actions.
    #[inline(always)]
    pub fn at(&mut self, state: usize, score: usize) -> (&mut f64, &mut DiceSet) {
        let place = state * self.width + self.spot(score).0;
        (&mut self.values[place], &mut self.sets[place])
    }
}
