//! Phase 4, from joined distributions to the arrays of the game: classes, distributions and action
//! sets, each numbered in the order of its first use, and equal ones stored once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::component::Menus;
use crate::dice::Weight;
use crate::rules::Rules;

use super::classes::ScoreClasses;
use super::intern::Interner;
use super::memory::MemoryClasses;
use super::moves::Moves;
use super::outcomes::{ActionSet, CleanSum, Convolution, Distribution, Outcome, OutcomeClass};
use super::raw::{Distributions, JoinedClass, JoinedOutcome, RawCleanSum, RawDistribution};
use super::tabulate::Successors;
use super::{Budget, ClassSuccessors, GameError, Space, size};

impl ActionSet {
    fn mark_non_increasing(&mut self, distributions: &[Distribution]) {
        let mut used = self.distributions.iter().map(|number| &distributions[*number as usize]);
        self.may_not_increase = used.any(|distribution| !distribution.non_increasing.is_empty());
    }
}

/// Builds the action set of each cell, and the distributions and classes that they refer to.
///
/// # Errors
/// Returns an error if an action set has too many distributions or outcomes, the arrays take too
/// much memory, or the work is cancelled.
pub(super) fn moves(
    rules: &Rules,
    space: Space,
    scores: &ScoreClasses,
    memories: &MemoryClasses,
    distributions: &Distributions,
    successors: &Successors,
    budget: Budget,
) -> Result<Moves, GameError> {
    let mine = memories.mine.representatives();
    let shared = memories.shared.representatives();
    let (numbers, joined) = memories.join(&distributions.all, &successors.of_context, budget)?;
    let theirs = if distributions.theirs_matter { mine } else { &mine[..1] };
    let grid = scores.zero.joined(&scores.roll);
    let mut distinct = Interner::new();
    let mut set_of = Vec::new();
    for (score, opponent) in grid.representatives() {
        budget.check()?;
        let zero = scores.zero.at(score, opponent) as usize;
        let roll = scores.roll.at(score, opponent) as usize;
        let mut row: Vec<u32> = Vec::new();
        for g in shared {
            for i in mine {
                for j in theirs {
                    let ids = distributions.zero.row(zero, *i, *j, *g).iter();
                    let ids = ids.chain(distributions.roll.row(roll, *i, *j, *g));
                    row.extend(ids.map(|id| numbers[*id as usize]));
                }
            }
        }
        let rows = (distinct.count() + 1) * size_of_val(&row[..]);
        size::refuse_much_memory(rules, rows, budget)?;
        set_of.push(distinct.number(row));
    }
    let grid = grid.renamed(&set_of);
    let mut maker = MovesMaker::new(rules, &joined);
    let mut action_sets = Vec::new();
    for row in distinct.into_items() {
        budget.check()?;
        action_sets.push(maker.action_set(&row, shared.len(), distributions.theirs_matter)?);
        size::refuse_much_memory(rules, maker.bytes, budget)?;
    }
    let MovesMaker { classes, convolutions, mut distributions, .. } = maker;
    let classes = with_successors(&classes.into_items(), &distributions, successors, budget)?;
    for distribution in &mut distributions {
        list_exceptions(distribution, &classes);
    }
    for set in &mut action_sets {
        set.mark_non_increasing(&distributions);
    }
    let by_opponent = grid.by_opponent();
    Ok(Moves { space, grid, by_opponent, action_sets, distributions, classes, convolutions })
}

/// Marks a distribution without a number.
const UNUSED: u32 = u32::MAX;

/// Numbers the distributions of action sets and their classes.
struct MovesMaker<'a> {
    rules: &'a Rules,
    joined: &'a [RawDistribution<JoinedOutcome>],
    /// By index in `joined`: the number of a distribution, or [`UNUSED`].
    numbers: Vec<u32>,
    classes: Interner<JoinedClass>,
    convolutions: Vec<Convolution>,
    distributions: Vec<Distribution>,
    menus: Vec<Arc<Menus>>,
    /// The memory of the distributions and action sets, in bytes.
    bytes: usize,
}

impl<'a> MovesMaker<'a> {
    fn new(rules: &'a Rules, joined: &'a [RawDistribution<JoinedOutcome>]) -> Self {
        Self {
            rules,
            joined,
            numbers: vec![UNUSED; joined.len()],
            classes: Interner::new(),
            convolutions: Vec::new(),
            distributions: Vec::new(),
            menus: Vec::new(),
            bytes: 0,
        }
    }

    /// Makes an action set of indices in `joined`, which are listed class by class of the shared
    /// memories.
    fn action_set(
        &mut self,
        ids: &[u32],
        shared: usize,
        theirs_matter: bool,
    ) -> Result<ActionSet, GameError> {
        for of_shared in ids.chunks_exact(ids.len() / shared) {
            self.add(of_shared)?;
        }
        let distributions: Vec<u32> = ids.iter().map(|id| self.numbers[*id as usize]).collect();
        self.bytes += size_of_val(&distributions[..]);
        Ok(ActionSet { distributions, theirs_matter, may_not_increase: false })
    }

    /// Adds the distributions of an action set, with one class of the shared memories; `ids` are
    /// their indices in `joined`.
    fn add(&mut self, ids: &[u32]) -> Result<(), GameError> {
        let mut distinct = Interner::new();
        ids.iter().for_each(|id| _ = distinct.number(*id));
        size::refuse_many_kinds(self.rules, distinct.count())?;
        let new: Vec<u32> = distinct
            .into_items()
            .into_iter()
            .filter(|id| self.numbers[*id as usize] == UNUSED)
            .collect();
        let outcomes: Vec<_> = new.iter().map(|id| self.joined[*id as usize].outcomes()).collect();
        let all: Vec<JoinedOutcome> =
            outcomes.iter().flatten().map(|(outcome, _)| *outcome).collect();
        if size::refuse_many_kinds(self.rules, all.len()).is_err() {
            let distinct: HashSet<JoinedOutcome, FixedState> = all.iter().copied().collect();
            size::refuse_many_kinds(self.rules, distinct.len())?;
        }
        let classes: BTreeSet<JoinedClass> = all.into_iter().map(|outcome| outcome.class).collect();
        for class in classes {
            self.classes.number(class);
        }
        for (id, outcomes) in new.into_iter().zip(outcomes) {
            let distribution = self.distribution(&self.joined[id as usize], &outcomes);
            self.bytes += distribution.bytes();
            self.numbers[id as usize] = self.distributions.len() as u32;
            self.distributions.push(distribution);
        }
        Ok(())
    }

    fn distribution(
        &mut self,
        joined: &RawDistribution<JoinedOutcome>,
        outcomes: &[(JoinedOutcome, Weight)],
    ) -> Distribution {
        let menus = self.menus(joined, outcomes);
        Distribution {
            outcomes: self.numbered(outcomes),
            menus,
            total: joined.total,
            remainder: self.numbered(&joined.remainder),
            clean: joined.clean.as_ref().map(|clean| self.clean_sum(clean)),
            deferred: Vec::new(),
            non_increasing: Vec::new(),
        }
    }

    /// The menus of a distribution, as indices of its outcomes. Equal ones are shared.
    fn menus(
        &mut self,
        joined: &RawDistribution<JoinedOutcome>,
        outcomes: &[(JoinedOutcome, Weight)],
    ) -> Arc<Menus> {
        let mut menus = Menus::default();
        // Menus of the same length follow each other: they are evaluated in less time so.
        let mut sorted: Vec<_> = joined.menus.iter().collect();
        sorted.sort_by_key(|(options, _)| options.len());
        for (options, weight) in sorted {
            let places = options.iter().map(|option| {
                let place = outcomes.binary_search_by_key(option, |(outcome, _)| *outcome);
                place.expect("each option is an outcome") as u16
            });
            menus.push(*weight, places);
        }
        let known = self.menus.iter().rev().find(|known| ***known == menus);
        known.cloned().unwrap_or_else(|| {
            self.menus.push(Arc::new(menus));
            Arc::clone(self.menus.last().expect("it was added"))
        })
    }

    /// Outcomes with the numbers of their classes.
    fn numbered(&mut self, outcomes: &[(JoinedOutcome, Weight)]) -> Vec<Outcome> {
        let mut numbered = Vec::with_capacity(outcomes.len());
        for (JoinedOutcome { class, points }, weight) in outcomes {
            let class = self.classes.number(*class) as usize;
            numbered.push(Outcome { class, points: *points as usize, weight: *weight });
        }
        numbered
    }

    fn clean_sum(&mut self, clean: &RawCleanSum<JoinedOutcome>) -> CleanSum {
        let class = self.classes.number(clean.outcomes[0].0.class) as usize;
        let die: Vec<_> =
            clean.die.iter().map(|(points, weight)| (*points as usize, *weight)).collect();
        let mut known = self.convolutions.iter();
        let known = known.position(|known| known.class == class && known.die == die);
        let convolution = known.unwrap_or_else(|| {
            self.convolutions.push(Convolution { class, die, most_dice: 0 });
            self.convolutions.len() - 1
        });
        let dice = clean.dice as usize;
        let most_dice = &mut self.convolutions[convolution].most_dice;
        *most_dice = dice.max(*most_dice);
        CleanSum { convolution, dice, offset: clean.offset as usize }
    }
}

/// Adds to each class its successors, for all points that occur in the distributions.
fn with_successors(
    classes: &[JoinedClass],
    distributions: &[Distribution],
    tables: &Successors,
    budget: Budget,
) -> Result<Vec<OutcomeClass>, GameError> {
    let mut points = vec![BTreeSet::new(); classes.len()];
    for outcome in distributions.iter().flat_map(|distribution| &distribution.outcomes) {
        points[outcome.class].insert(outcome.points);
    }
    let mut known: HashMap<(u16, Vec<usize>), Arc<ClassSuccessors>, FixedState> =
        HashMap::default();
    let mut found = Vec::with_capacity(classes.len());
    for (JoinedClass { table, mine, shared }, points) in classes.iter().zip(points) {
        budget.check()?;
        let successors = known.entry((*table, points.into_iter().collect())).or_insert_with_key(
            |(table, points)| {
                let table = &tables.tables[usize::from(*table)];
                Arc::new(ClassSuccessors::new(table, points.clone()))
            },
        );
        found.push(OutcomeClass { mine: *mine, shared: *shared, successors: successors.clone() });
    }
    Ok(found)
}

/// Lists the outcomes that have deferred successors, and those that may not raise the sum of the
/// scores.
fn list_exceptions(distribution: &mut Distribution, classes: &[OutcomeClass]) {
    for outcome in &distribution.outcomes {
        let successors = &classes[outcome.class].successors;
        if successors.defers() {
            distribution.deferred.push(*outcome);
        }
        if successors.least_increment(outcome.points) <= 0 {
            distribution.non_increasing.push(*outcome);
        }
    }
}
