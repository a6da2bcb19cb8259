//! Phase 4, from distributions to action sets: the action set of each cell, equal sets stored once.

use std::num::TryFromIntError;

use crate::rules::{Place, Rules};

use super::classes::ScoreClasses;
use super::grid::ScoreGrid;
use super::intern::Interner;
use super::memory::{JoinedDistribution, MemoryClasses};
use super::raw::{DieSums, Distributions};
use super::{
    Budget, CellActions, DistributionSet, GameError, OutcomeDistribution, RollConvolution,
    TurnOutcome, limits,
};

/// The action sets of all cells.
pub(super) struct ActionSets {
    /// The action set of each cell, as an index into `sets`.
    pub grid: ScoreGrid,
    pub sets: Vec<CellActions>,
    /// The distinct dice of clean sums, each with its points and weights.
    pub dice: Vec<DieSums>,
}

/// Builds the action set of each cell. `tables` holds the table of successors of each context.
///
/// # Errors
/// Returns an error if an action set has more distributions or outcomes than 16 bits can number,
/// the sets take too much memory, or the work is cancelled.
pub(super) fn action_sets(
    rules: &Rules,
    scores: &ScoreClasses,
    memories: &MemoryClasses,
    distributions: &Distributions,
    tables: &[u16],
    budget: Budget,
) -> Result<ActionSets, GameError> {
    let (mine, shared) = (memories.mine.representatives(), memories.shared.representatives());
    let (numbers, joined) = memories.join(&distributions.all, tables, budget)?;
    let theirs = if distributions.theirs_matter { mine } else { &mine[..1] };
    let of_shared = |g| mine.iter().flat_map(move |i| theirs.iter().map(move |j| (*i, *j, g)));
    let memories: Vec<(usize, usize, usize)> = shared.iter().flat_map(|g| of_shared(*g)).collect();
    let row_of = |(score, opponent): (usize, usize)| -> Vec<u32> {
        let (zero, roll) =
            (scores.zero.at(score, opponent) as usize, scores.roll.at(score, opponent) as usize);
        let ids = memories.iter().flat_map(|(i, j, g)| {
            distributions
                .zero
                .row(zero, *i, *j, *g)
                .iter()
                .chain(distributions.roll.row(roll, *i, *j, *g))
        });
        ids.map(|id| numbers[*id as usize]).collect()
    };
    let grid = scores.zero.joined(&scores.roll);
    let (mut distinct, mut set_of) = (Interner::new(), Vec::new());
    for cell in grid.representatives() {
        budget.check()?;
        let row = row_of(cell);
        let rows = (distinct.count() + 1) * size_of_val(&row[..]);
        limits::refuse_much_memory(rules, rows, budget)?;
        set_of.push(distinct.number(row));
    }
    let (mut maker, mut sets, mut bytes) = (ActionSetMaker::new(&joined), Vec::new(), 0);
    for row in distinct.into_items() {
        budget.check()?;
        let set = maker.set(&row, shared.len(), distributions.theirs_matter).map_err(|_| {
            let message =
                "a pair of scores has more than 65,536 distributions or outcomes".to_owned();
            rules.fault(Place::File, message, "lower the memories' max")
        })?;
        bytes += set.bytes();
        limits::refuse_much_memory(rules, bytes, budget)?;
        sets.push(set);
    }
    Ok(ActionSets { grid: grid.renamed(&set_of), sets, dice: maker.dice.into_items() })
}

/// Builds action sets, sharing the work that they have in common.
struct ActionSetMaker<'a> {
    distributions: &'a [JoinedDistribution],
    /// The distinct outcomes of all distributions, ascending.
    outcomes: Vec<TurnOutcome>,
    /// By distribution: the indices of its outcomes in `outcomes`.
    places: Vec<Vec<u32>>,
    /// By index in `outcomes`: the index in the set that is being built.
    in_set: Vec<u16>,
    /// One bit for each outcome, used for sorting; all bits are clear between calls.
    marks: Vec<u64>,
    dice: Interner<DieSums>,
}

impl<'a> ActionSetMaker<'a> {
    fn new(distributions: &'a [JoinedDistribution]) -> Self {
        let all = || distributions.iter().flat_map(|distribution| &distribution.outcomes);
        let mut interner = Interner::new();
        let numbers: Vec<u32> = all().map(|(outcome, _)| interner.number(*outcome)).collect();
        let first_seen = interner.into_items();
        let mut order: Vec<u32> = (0..first_seen.len() as u32).collect();
        order.sort_unstable_by_key(|number| first_seen[*number as usize]);
        let mut place_of = vec![0; order.len()];
        order
            .iter()
            .enumerate()
            .for_each(|(place, number)| place_of[*number as usize] = place as u32);
        let mut numbers = numbers.into_iter().map(|number| place_of[number as usize]);
        let places = distributions
            .iter()
            .map(|of| numbers.by_ref().take(of.outcomes.len()).collect())
            .collect();
        Self {
            distributions,
            outcomes: order.iter().map(|number| first_seen[*number as usize]).collect(),
            places,
            in_set: vec![0; order.len()],
            marks: vec![0; order.len().div_ceil(64)],
            dice: Interner::new(),
        }
    }

    /// Builds the action set of the given distributions, one for each action: ordered by the shared
    /// memories, the mover's and, if they matter, the opponent's.
    fn set(
        &mut self,
        row: &[u32],
        shared: usize,
        theirs_matter: bool,
    ) -> Result<CellActions, TryFromIntError> {
        let mut set = CellActions { theirs_matter, ..CellActions::default() };
        for distributions in row.chunks_exact(row.len() / shared) {
            let mut distinct = Interner::new();
            for distribution in distributions {
                set.choices.push(distinct.number(*distribution).try_into()?);
            }
            set.by_shared.push(self.of_shared(&distinct.into_items())?);
        }
        Ok(set)
    }

    fn of_shared(&mut self, distributions: &[u32]) -> Result<DistributionSet, TryFromIntError> {
        let places = self.places_of(distributions);
        for (index, place) in places.iter().enumerate() {
            self.in_set[*place as usize] = index.try_into()?;
        }
        let outcomes = places.iter().map(|place| self.outcomes[*place as usize]).collect();
        let distributions =
            distributions.iter().map(|id| self.distribution(*id as usize)).collect();
        Ok(DistributionSet { outcomes, distributions })
    }

    /// The indices in `outcomes` of all outcomes of some distributions, ascending.
    fn places_of(&mut self, distributions: &[u32]) -> Vec<u32> {
        for place in
            distributions.iter().flat_map(|distribution| &self.places[*distribution as usize])
        {
            self.marks[*place as usize / 64] |= 1 << (place % 64);
        }
        let mut places = Vec::new();
        for (first, marks) in (0..).step_by(64).zip(&mut self.marks) {
            while *marks != 0 {
                places.push(first + marks.trailing_zeros());
                *marks &= *marks - 1;
            }
        }
        places
    }

    fn distribution(&mut self, id: usize) -> OutcomeDistribution {
        let JoinedDistribution { outcomes, total, clean, remainder } = &self.distributions[id];
        let places: Vec<u16> =
            self.places[id].iter().map(|place| self.in_set[*place as usize]).collect();
        let convolution = clean.as_ref().map(|clean| {
            let place = |outcome: &TurnOutcome| {
                let own = outcomes.binary_search_by_key(outcome, |(outcome, _)| *outcome);
                places[own.expect("an outcome")]
            };
            RollConvolution {
                die: self.dice.number_of(&clean.die, || clean.die.clone()) as usize,
                dice: clean.dice as usize,
                at_offset: clean.outcomes[0].0.with_points(clean.offset),
                remainder: remainder
                    .iter()
                    .map(|(outcome, weight)| (place(outcome), *weight))
                    .collect(),
            }
        });
        let outcomes = places.into_iter().zip(outcomes.iter().map(|(_, weight)| *weight));
        OutcomeDistribution { outcomes: outcomes.collect(), total: *total, convolution }
    }
}
