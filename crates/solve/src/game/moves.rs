//! The arrays of phase 4: the action set of each cell, distributions, and where outcomes lead.

use std::sync::Arc;

use super::grid::ScoreGrid;
use super::outcomes::{ActionSet, Convolution, Distribution, Outcome, OutcomeClass};
use super::{Cell, Space, StateParts, Successor};

/// The action sets of all cells, and what they refer to.
#[derive(Debug)]
pub(super) struct Moves {
    pub space: Space,
    /// The action set of each cell, as an index into `action_sets`.
    pub grid: ScoreGrid,
    /// The same by the opponent's score, if the action set does not depend on the mover's score.
    pub by_opponent: Option<Vec<u16>>,
    pub action_sets: Vec<ActionSet>,
    pub distributions: Vec<Distribution>,
    pub classes: Vec<OutcomeClass>,
    pub convolutions: Vec<Convolution>,
}

impl Moves {
    /// The memory of the arrays, in bytes.
    pub fn bytes(&self) -> usize {
        let sets = self.action_sets.iter().map(|set| size_of_val(&set.distributions[..]));
        let distributions = self.distributions.iter().map(Distribution::bytes);
        let classes = self.classes.iter().map(|OutcomeClass { successors, .. }| {
            successors.bytes() / Arc::strong_count(successors)
        });
        self.grid.bytes()
            + sets.sum::<usize>()
            + distributions.sum::<usize>()
            + classes.sum::<usize>()
    }

    /// The index in `action_sets` of the action set of a pair of scores.
    #[inline(always)]
    pub fn number_at(&self, score: usize, opponent: usize) -> usize {
        match &self.by_opponent {
            Some(numbers) => usize::from(numbers[opponent]),
            None => self.grid.at(score, opponent) as usize,
        }
    }

    /// Where an outcome leads from a pair of scores, without the memories.
    #[inline(always)]
    pub fn next_cell(&self, score: usize, opponent: usize, outcome: &Outcome) -> Successor<Cell> {
        let successors = &self.classes[outcome.class].successors;
        successors.after(score + opponent, opponent, outcome.points)
    }

    /// Where an outcome leads from a pair of scores; `theirs` is the opponent's memory class during
    /// the turn.
    #[inline(always)]
    pub fn next(
        &self,
        score: usize,
        opponent: usize,
        theirs: usize,
        outcome: &Outcome,
    ) -> Successor<StateParts> {
        let class = &self.classes[outcome.class];
        self.next_cell(score, opponent, outcome).map(|Cell { stage, column }, again| {
            let memories = class.memories_after(again, theirs);
            let score = (stage - column) as usize;
            let opponent = column as usize;
            StateParts { score, opponent, memories }
        })
    }
}
