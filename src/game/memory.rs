//! The memories of a game as dense indices, one for each player and one for what both share; stage 4 joins those that
//! behave alike in classes.

use crate::rules::Rules;
use crate::rules::formula::{Scope, Variable};

use super::Landing;
use super::distributions::{CleanRolls, DistributionTable, Distributions, RawDistribution, RawOutcome, summed};
use super::intern::Interner;

/// All combinations of values of some memories, numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Combinations {
    /// Index of each memory among the rules' and its number of values, the last one counting fastest.
    parts: Vec<(usize, usize)>,
}

impl Combinations {
    /// Of the memories that each player has one of.
    pub fn of_players(rules: &Rules) -> Self {
        Self::of(rules, true)
    }

    /// Of the memories that both players share.
    pub fn of_game(rules: &Rules) -> Self {
        Self::of(rules, false)
    }

    fn of(rules: &Rules, of_player: bool) -> Self {
        let memories = rules.memories.iter().enumerate().filter(|(_, m)| m.of_player == of_player);
        Self { parts: memories.map(|(i, m)| (i, m.max as usize + 1)).collect() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.parts.iter().map(|(_, size)| size).product()
    }

    /// The memories' values in combination `index`, as (memory, value).
    pub fn values(&self, mut index: usize) -> Vec<(usize, i64)> {
        let mut values = Vec::with_capacity(self.parts.len());
        for (memory, size) in self.parts.iter().rev() {
            values.push((*memory, (index % size) as i64));
            index /= size;
        }
        values.reverse();
        values
    }

    /// The index of the combination in which each memory has the value that `value_of` gives.
    pub fn index(&self, value_of: impl Fn(usize) -> i64) -> usize {
        self.parts.iter().fold(0, |index, (memory, size)| index * size + value_of(*memory) as usize)
    }

    /// Sets the variables of combination `index`; `variable` names the variable of a memory.
    pub fn write(&self, index: usize, scope: &mut Scope, variable: fn(usize) -> Variable) {
        for (memory, value) in self.values(index) {
            scope.set(variable(memory), value);
        }
    }
}

/// Values that behave alike, joined in classes.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// The class of each value.
    pub class_of: Vec<u32>,
    /// The smallest value of each class.
    pub representative: Vec<usize>,
}

impl Classes {
    /// One class of all values.
    pub fn joined(values: usize) -> Self {
        Self { class_of: vec![0; values], representative: vec![0] }
    }

    /// How many classes there are.
    pub fn count(&self) -> usize {
        self.representative.len()
    }

    /// Splits each class by `signature`; true if there are more classes than before.
    pub fn refine(&mut self, signature: impl Fn(usize) -> Vec<u32>) -> bool {
        let before = self.count();
        let mut numbers = Interner::new();
        self.representative.clear();
        for value in 0..self.class_of.len() {
            let class = numbers.number((self.class_of[value], signature(value)));
            if class as usize == self.representative.len() {
                self.representative.push(value);
            }
            self.class_of[value] = class;
        }
        self.count() > before
    }
}

/// Classes of one player's memories, and of the shared ones.
pub(super) struct MemoryClasses {
    pub mine: Classes,
    pub shared: Classes,
}

/// A distribution over outcomes whose memories are joined in classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct JoinedDistribution {
    /// Ascending.
    pub outcomes: Vec<(Landing, u64)>,
    /// The sum of the weights.
    pub total: u64,
    /// Rolls without a 1, if they differ by their points alone.
    pub clean: Option<CleanRolls<Landing>>,
    /// The other outcomes, ascending; none if there are no such rolls.
    pub remainder: Vec<(Landing, u64)>,
}

/// Joins memories that behave alike: the coarsest classes within which all distributions agree. From one class on, classes
/// are split until nothing changes (partition refinement; Moore, 1956). `tables` has the table of successors by context.
pub(super) fn join_memories(distributions: &Distributions, tables: &[u16]) -> MemoryClasses {
    let [mine, shared] = [&distributions.mine, &distributions.shared].map(Combinations::count);
    let mut classes = MemoryClasses { mine: Classes::joined(mine), shared: Classes::joined(shared) };
    if mine == 1 && shared == 1 {
        return classes;
    }
    loop {
        let (numbers, _) = classes.join(&distributions.all, tables);
        let more_mine = classes.mine.refine(|value| player_signature(distributions, &numbers, value));
        let more_shared = classes.shared.refine(|value| shared_signature(distributions, &numbers, value));
        if !more_mine && !more_shared {
            return classes;
        }
    }
}

impl MemoryClasses {
    /// Every distribution with memories replaced by their classes: its number among the distinct ones, and these.
    pub fn join(&self, distributions: &[RawDistribution], tables: &[u16]) -> (Vec<u32>, Vec<JoinedDistribution>) {
        let mut interner = Interner::new();
        let numbers = distributions.iter().map(|distribution| interner.number(self.joined(distribution, tables)));
        (numbers.collect(), interner.into_items())
    }

    fn joined(&self, distribution: &RawDistribution, tables: &[u16]) -> JoinedDistribution {
        let of_all = |outcomes: &[(RawOutcome, u64)]| -> Vec<(Landing, u64)> {
            outcomes.iter().map(|(outcome, weight)| (self.outcome(outcome, tables), *weight)).collect()
        };
        let (mut outcomes, total) = (of_all(&distribution.remainder), distribution.total);
        let Some(CleanRolls { dice, die, offset, outcomes: clean }) = &distribution.clean else {
            return JoinedDistribution { outcomes: summed(outcomes), total, clean: None, remainder: Vec::new() };
        };
        let clean = of_all(clean);
        let alike = clean.iter().all(|(outcome, _)| outcome.with_points(0) == clean[0].0.with_points(0));
        let remainder = if alike { summed(outcomes.clone()) } else { Vec::new() };
        outcomes.extend_from_slice(&clean);
        let clean = alike.then(|| CleanRolls { dice: *dice, die: die.clone(), offset: *offset, outcomes: clean });
        JoinedDistribution { outcomes: summed(outcomes), total, clean, remainder }
    }

    fn outcome(&self, outcome: &RawOutcome, tables: &[u16]) -> Landing {
        Landing {
            table: tables[outcome.context as usize],
            mine: outcome.mine.map(|value| self.mine.class_of[value as usize] as u16),
            shared: outcome.shared.map(|value| self.shared.class_of[value as usize] as u16),
            points: outcome.points,
        }
    }
}

/// All distributions in which a player's memory takes part: as the mover's, then as the opponent's.
fn player_signature(distributions: &Distributions, numbers: &[u32], value: usize) -> Vec<u32> {
    let mut signature = Vec::new();
    for table in [&distributions.zero, &distributions.roll] {
        let (i_count, j_count, g_count) = table.counts();
        let as_mine = (0..j_count).flat_map(|j| (0..g_count).map(move |g| (value, j, g)));
        // Where the opponent's memory does not matter, there is nothing to compare.
        let theirs = if j_count > 1 { i_count } else { 0 };
        let as_theirs = (0..theirs).flat_map(|i| (0..g_count).map(move |g| (i, value, g)));
        as_mine.chain(as_theirs).for_each(|memories| push_all(table, memories, numbers, &mut signature));
    }
    signature
}

/// All distributions in which a value of the shared memories takes part.
fn shared_signature(distributions: &Distributions, numbers: &[u32], value: usize) -> Vec<u32> {
    let mut signature = Vec::new();
    for table in [&distributions.zero, &distributions.roll] {
        let (i_count, j_count, _) = table.counts();
        let memories = (0..i_count).flat_map(|i| (0..j_count).map(move |j| (i, j, value)));
        memories.for_each(|memories| push_all(table, memories, numbers, &mut signature));
    }
    signature
}

/// Appends the distributions of all classes of scores and all actions for the same memories.
fn push_all(table: &DistributionTable, memories: (usize, usize, usize), numbers: &[u32], all: &mut Vec<u32>) {
    for class in 0..table.classes {
        all.extend(table.row(class, memories).iter().map(|id| numbers[*id as usize]));
    }
}
