//! The memories of a game as dense indices: one index for each player and one for the shared
//! memories. Phase 4 joins those that behave alike into classes.

use crate::dice::Weight;
use crate::states::{Classes, Combinations};

use super::intern::Interner;
use super::raw::{
    Distributions, JoinedClass, JoinedOutcome, RawCleanSum, RawDistribution, RawOutcome, summed,
};
use super::{Budget, GameError};

/// Splits each class by `signature`; returns whether there are more classes than before.
///
/// # Errors
/// Returns an error if the work is cancelled.
fn refine(
    classes: &mut Classes,
    budget: Budget,
    signature: impl Fn(usize) -> Vec<u32>,
) -> Result<bool, GameError> {
    let mut numbers = Interner::new();
    let mut class_of = Vec::with_capacity(classes.values());
    for value in 0..classes.values() {
        budget.check()?;
        class_of.push(numbers.number((classes.class_of(value), signature(value))));
    }
    let refined = Classes::new(class_of);
    let more = refined.count() > classes.count();
    *classes = refined;
    Ok(more)
}

/// The classes of one player's memories, and of the shared ones.
pub(super) struct MemoryClasses {
    pub mine: Classes,
    pub shared: Classes,
}

/// Joins memories that behave alike: returns the coarsest partition in which the distributions
/// within each class agree. Starting from a single class, classes are split until nothing changes
/// (partition refinement; Moore, 1956). `tables` holds the table of successors of each context.
///
/// # Errors
/// Returns an error if the work is cancelled.
pub(super) fn join_memories(
    distributions: &Distributions,
    tables: &[u16],
    budget: Budget,
) -> Result<MemoryClasses, GameError> {
    let [mine, shared] = [&distributions.mine, &distributions.shared].map(Combinations::count);
    let mut classes =
        MemoryClasses { mine: Classes::joined(mine), shared: Classes::joined(shared) };
    if mine == 1 && shared == 1 {
        return Ok(classes);
    }
    loop {
        let (numbers, _) = classes.join(&distributions.all, tables, budget)?;
        // A value is compared as the mover's memory and, if distributions depend on it, as the
        // opponent's.
        let more_mine = refine(&mut classes.mine, budget, |value| {
            signature(distributions, &numbers, |(mine, theirs, shared)| {
                let as_mine =
                    (0..theirs).flat_map(move |j| (0..shared).map(move |g| (value, j, g)));
                let mine = if theirs > 1 { mine } else { 0 };
                as_mine.chain((0..mine).flat_map(move |i| (0..shared).map(move |g| (i, value, g))))
            })
        })?;
        let more_shared = refine(&mut classes.shared, budget, |value| {
            signature(distributions, &numbers, |(mine, theirs, _)| {
                (0..mine).flat_map(move |i| (0..theirs).map(move |j| (i, j, value)))
            })
        })?;
        if !more_mine && !more_shared {
            return Ok(classes);
        }
    }
}

impl MemoryClasses {
    /// Replaces memories by their classes in every distribution: the number of each resulting
    /// distribution among the distinct ones, and the distinct ones.
    ///
    /// # Errors
    /// Returns an error if the work is cancelled.
    pub fn join(
        &self,
        distributions: &[RawDistribution],
        tables: &[u16],
        budget: Budget,
    ) -> Result<(Vec<u32>, Vec<RawDistribution<JoinedOutcome>>), GameError> {
        let mut interner = Interner::new();
        let mut numbers = Vec::with_capacity(distributions.len());
        for distribution in distributions {
            budget.check()?;
            numbers.push(interner.number(self.joined(distribution, tables)));
        }
        Ok((numbers, interner.into_items()))
    }

    fn joined_outcomes(
        &self,
        outcomes: &[(RawOutcome, Weight)],
        tables: &[u16],
    ) -> Vec<(JoinedOutcome, Weight)> {
        let outcomes = outcomes.iter();
        outcomes.map(|(outcome, weight)| (self.outcome(outcome, tables), *weight)).collect()
    }

    fn joined(
        &self,
        distribution: &RawDistribution,
        tables: &[u16],
    ) -> RawDistribution<JoinedOutcome> {
        if !distribution.menus.is_empty() {
            return self.joined_menus(distribution, tables);
        }
        let mut clean = None;
        let mut remainder = self.joined_outcomes(&distribution.remainder, tables);
        if let Some(RawCleanSum { dice, die, offset, outcomes }) = &distribution.clean {
            let outcomes = self.joined_outcomes(outcomes, tables);
            if outcomes.iter().all(|(outcome, _)| outcome.class == outcomes[0].0.class) {
                let die = die.clone();
                clean = Some(RawCleanSum { dice: *dice, die, offset: *offset, outcomes });
            } else {
                remainder.extend(outcomes);
            }
        }
        RawDistribution {
            clean,
            remainder: summed(remainder),
            menus: Vec::new(),
            total: distribution.total,
        }
    }

    fn joined_menus(
        &self,
        distribution: &RawDistribution,
        tables: &[u16],
    ) -> RawDistribution<JoinedOutcome> {
        let mut rolls = Vec::with_capacity(distribution.menus.len());
        for (outcome, weight) in distribution.remainder.iter().filter(|(_, weight)| *weight > 0) {
            rolls.push((vec![self.outcome(outcome, tables)], *weight));
        }
        for (options, weight) in &distribution.menus {
            let options = options.iter().map(|option| self.outcome(option, tables)).collect();
            rolls.push((options, *weight));
        }
        RawDistribution::of_menus(rolls, distribution.total)
    }

    fn outcome(&self, outcome: &RawOutcome, tables: &[u16]) -> JoinedOutcome {
        let class = JoinedClass {
            table: tables[outcome.context as usize],
            mine: outcome.mine.map(|value| self.mine.class_of(value as usize) as u16),
            shared: outcome.shared.map(|value| self.shared.class_of(value as usize) as u16),
        };
        JoinedOutcome { class, points: outcome.points }
    }
}

/// The numbers of all distributions, in all classes of scores, for some memories. `memories` yields
/// these as (mover's, opponent's, shared), given how many of each a table distinguishes.
fn signature<M: Iterator<Item = (usize, usize, usize)>>(
    distributions: &Distributions,
    numbers: &[u32],
    memories: impl Fn((usize, usize, usize)) -> M,
) -> Vec<u32> {
    let mut signature = Vec::new();
    for table in [&distributions.zero, &distributions.roll] {
        for (i, j, g) in memories(table.counts()) {
            for class in 0..table.classes {
                signature.extend(table.row(class, i, j, g).iter().map(|id| numbers[*id as usize]));
            }
        }
    }
    signature
}
