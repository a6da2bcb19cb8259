//! What the Bellman step asks of numbers, so that one step serves floats, scaled integers and rationals.

use std::cmp::Ordering;

use dashu::rational::RBig;

use crate::game::{DistributionSet, End, TurnOutcome};

use super::layout::LayerIndex;

/// What is computed for every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Payoff {
    /// The probability that the mover wins, a game without end counting half.
    WinRate,
    /// The probability that the game never ends.
    Endless,
}

/// Where the value of one landing is read, seen from the cell that is being solved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// The game is over.
    End(End),
    /// The next mover's values: `lanes` numbers side by side from this word of the layer on.
    Passed { side: usize, layer: LayerIndex, word: usize },
    /// The mover's own values: one number each `stride` numbers from this word of the layer on.
    Again { side: usize, layer: LayerIndex, word: usize, stride: usize },
    /// A state of the same layer that is not solved yet. It counts as won; whoever asks accounts for it.
    Open,
}

/// The numbers solved so far, of both sides, by layer; layers that no turn reaches any more are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved<'a, W> {
    pub sides: [&'a [Vec<W>]; 2],
    /// What is kept of clean rolls from the cells of a layer; empty where nothing is.
    pub rolls: [&'a [Vec<W>]; 2],
}

/// A cell, as one side sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub side: usize,
    pub layer: LayerIndex,
    /// The mover's score and the opponent's.
    pub scores: (usize, usize),
}

/// The distributions of one offer to be weighed at one cell.
pub(super) struct Weighing<'a> {
    pub offer: &'a DistributionSet,
    /// The indices of the distributions wanted.
    pub wanted: &'a [u16],
    /// How many values of the opponent's memory there are.
    pub lanes: usize,
    pub layer: LayerIndex,
    /// The cell, if its clean rolls are known.
    pub spot: Option<Spot>,
}

impl Weighing<'_> {
    /// True if all distributions of the offer are wanted.
    pub fn wants_all(&self) -> bool {
        self.wanted.len() == self.offer.distributions.len()
    }

    /// Calls `visit` once or more for each landing of the wanted distributions, and maybe for others.
    #[inline(always)]
    pub fn each_landing(&self, mut visit: impl FnMut(usize)) {
        if self.wants_all() {
            return (0..self.offer.outcomes.len()).for_each(visit);
        }
        let distributions = self.wanted.iter().map(|index| &self.offer.distributions[usize::from(*index)]);
        distributions.flat_map(|lottery| &lottery.outcomes).for_each(|(landing, _)| visit(usize::from(*landing)));
    }
}

/// Numbers a game can be solved in. Each is held in one or more words; how many depends on the layer.
pub(super) trait Arithmetic: Sync {
    /// A part of a number.
    type Word: Clone + Default + Send + Sync;
    /// Room for work, kept by each thread.
    type Scratch: Default + Send;
    /// Words of one number of a layer.
    fn words(&self, layer: LayerIndex) -> usize;

    /// The value, for the mover, of each wanted lottery in each lane: `expected[(lottery * lanes + lane) * words]`.
    /// `source` tells where the value of a landing of the offer, by index, is read.
    fn expect(
        &self,
        weighing: &Weighing,
        source: impl Fn(usize) -> Source,
        solved: &Solved<Self::Word>,
        room: (&mut Self::Scratch, &mut Vec<Self::Word>),
    );

    /// Words of what is kept of the clean rolls from a cell of a layer.
    fn roll_words(&self, _: LayerIndex) -> usize {
        0
    }

    /// From a layer, its clean rolls are read in so many below it.
    fn rolls_reach(&self) -> usize {
        0
    }

    /// Finds the clean rolls from a cell, all layers above being known; `source` tells where the value of a landing is read.
    fn roll(
        &self,
        _: &Spot,
        _: impl Fn(&TurnOutcome) -> Source,
        _: &Solved<Self::Word>,
        _: (&mut Self::Scratch, &mut [Self::Word]),
    ) {
    }

    /// Which of two numbers of one layer is larger.
    fn compare(&self, a: &[Self::Word], b: &[Self::Word]) -> Ordering;

    /// Whether `other`, no larger than `best`, counts as a tie with it.
    fn ties(&self, best: &[Self::Word], other: &[Self::Word], layer: LayerIndex) -> bool;

    /// How far apart two numbers of a layer may be that count as equal.
    fn slack(&self, layer: LayerIndex) -> f64;

    /// What a number is worth to the other player, within the layer.
    fn turned(&self, number: &[Self::Word], layer: LayerIndex) -> Vec<Self::Word>;

    /// The exact value of a number.
    fn to_rational(&self, number: &[Self::Word], layer: LayerIndex) -> RBig;

    /// The number of a layer that is nearest to a value; exact numbers hold it exactly.
    fn nearest(&self, value: &RBig, layer: LayerIndex) -> Vec<Self::Word>;

    /// The double nearest to a number.
    fn to_f64(&self, number: &[Self::Word], layer: LayerIndex) -> f64;
}
