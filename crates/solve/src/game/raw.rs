//! The result of phase 2: distributions before memories are joined into classes, and while they
//! are.

use crate::dice::{Die, Weight};
use crate::rules::formula::Variable;

use super::Outcome;
use crate::states::Combinations;

/// The context of an outcome: what the rules on totals read apart from the totals and the points.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Context {
    /// The variables that they read, ascending, with their values.
    pub values: Vec<(Variable, i64)>,
}

/// One outcome of an action, before memories are joined into classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RawOutcome {
    /// The number of the context.
    pub context: u32,
    /// The turn's points.
    pub points: u32,
    /// The mover's memories after the turn: if the turn passes, and if the mover moves again.
    pub mine: [u32; 2],
    /// The shared memories, likewise.
    pub shared: [u32; 2],
}

/// An outcome without its points: the other fields of [`RawOutcome`].
#[derive(Clone, Copy, Debug)]
pub(super) struct RawClass {
    pub context: u32,
    pub mine: [u32; 2],
    pub shared: [u32; 2],
}

/// An outcome with memory classes in place of memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct JoinedOutcome {
    pub class: JoinedClass,
    /// The turn's points.
    pub points: u32,
}

/// What identifies an outcome class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct JoinedClass {
    /// The index of its table of successors.
    pub table: u16,
    /// The mover's memory class after the turn: if the turn passes, and if the mover moves again.
    pub mine: [u16; 2],
    /// The class of the shared memories, likewise.
    pub shared: [u16; 2],
}

/// The outcomes of one action with integer weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RawDistribution<O = RawOutcome> {
    /// The rolls without a 1, if their points are sums over the dice, each of at least 1 point.
    /// Once memories are joined, these rolls differ only in their points.
    pub clean: Option<RawCleanSum<O>>,
    /// All other outcomes, ascending. Those that are only options of menus have weight 0.
    pub remainder: Vec<(O, Weight)>,
    /// Where the mover chooses among several outcomes after the roll: these, ascending. No game
    /// has any in which no dice are kept.
    pub menus: Vec<(Vec<O>, Weight)>,
    /// The sum of all weights.
    pub total: Weight,
}

/// The memory for one outcome of a distribution, in bytes: here, and twice where memories are
/// joined.
const BYTES_OF_OUTCOME: usize = size_of::<(RawOutcome, Weight)>() + 2 * size_of::<Outcome>();

impl RawDistribution {
    /// An estimate of the memory for this distribution in phases 2 and 4, in bytes.
    pub fn bytes(&self) -> usize {
        let clean = self.clean.as_ref().map_or(0, |clean| clean.outcomes.len());
        let options: usize = self.menus.iter().map(|(options, _)| options.len() + 1).sum();
        size_of::<Self>() + (clean + self.remainder.len() + options) * BYTES_OF_OUTCOME
    }
}

impl<O: Ord + Copy> RawDistribution<O> {
    /// Creates the distribution of a roll after which the mover chooses: for each roll the options,
    /// and its weight.
    pub fn of_menus(rolls: Vec<(Vec<O>, Weight)>, total: Weight) -> Self {
        let mut remainder = Vec::new();
        let mut menus = Vec::new();
        for (mut options, weight) in rolls {
            options.sort_unstable();
            options.dedup();
            if let [only] = options[..] {
                remainder.push((only, weight));
                continue;
            }
            remainder.extend(options.iter().map(|option| (*option, 0)));
            menus.push((options, weight));
        }
        Self { clean: None, remainder: summed(remainder), menus: summed(menus), total }
    }

    /// All outcomes, ascending.
    pub fn outcomes(&self) -> Vec<(O, Weight)> {
        let mut outcomes = self.remainder.clone();
        outcomes.extend(self.clean.iter().flat_map(|clean| &clean.outcomes));
        summed(outcomes)
    }
}

/// The points of one die that does not show a 1, ascending, with their weights.
pub(super) type DieSums = Vec<(u32, Weight)>;

/// Rolls without a 1 whose points are the sum of the points of the dice and an offset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RawCleanSum<O> {
    pub dice: u32,
    pub die: DieSums,
    /// The points added to those of the dice.
    pub offset: u32,
    /// The outcomes, ascending.
    pub outcomes: Vec<(O, Weight)>,
}

/// The distributions of all actions, by classes of scores and by memories.
pub(super) struct Distributions {
    /// Distributions of the actions that roll no dice, by their classes of scores.
    pub zero: DistributionTable,
    /// Distributions of the actions that roll dice, by their classes of scores.
    pub roll: DistributionTable,
    /// The distinct distributions.
    pub all: Vec<RawDistribution>,
    /// The distinct contexts of their outcomes.
    pub contexts: Vec<Context>,
    /// Whether the rules on totals read the turn's points.
    pub points_matter: bool,
    /// Whether some distribution depends on the opponent's memories.
    pub theirs_matter: bool,
    /// The combinations of one player's memories.
    pub mine: Combinations,
    /// The combinations of the shared memories.
    pub shared: Combinations,
}

/// The numbers of distributions, by class of scores, memories and action.
pub(super) struct DistributionTable {
    /// `ids[(((class * mine + i) * theirs + j) * shared + g) * actions + action]`. Counts are 1
    /// for memories that do not matter.
    pub ids: Vec<u32>,
    /// The number of classes of scores.
    pub classes: usize,
    pub mine: usize,
    pub theirs: usize,
    pub shared: usize,
    pub actions: usize,
}

impl DistributionTable {
    /// The memory for one entry of `ids`, in bytes: here, and in the signatures of the mover's and
    /// the opponent's memories.
    pub const BYTES: usize = 3 * size_of::<u32>();

    /// Creates the table of no actions, in which no class and no memory matters.
    pub fn of_no_actions() -> Self {
        Self { ids: Vec::new(), classes: 0, mine: 1, theirs: 1, shared: 1, actions: 0 }
    }

    /// How many of the mover's, the opponent's and the shared memories are distinguished.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.mine, self.theirs, self.shared)
    }

    /// The distributions of all actions; indices of memories that do not matter are ignored.
    pub fn row(&self, class: usize, i: usize, j: usize, g: usize) -> &[u32] {
        let place =
            (class * self.mine + i.min(self.mine - 1)) * self.theirs + j.min(self.theirs - 1);
        &self.ids[(place * self.shared + g.min(self.shared - 1)) * self.actions..][..self.actions]
    }
}

/// Sorts outcomes and sums the weights of equal ones.
pub(super) fn summed<K: Ord>(mut outcomes: Vec<(K, Weight)>) -> Vec<(K, Weight)> {
    outcomes.sort_unstable();
    outcomes.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        earlier.1 += if same { later.1 } else { 0 };
        same
    });
    outcomes
}

/// The points of one die that does not show a 1.
pub(super) fn sums_of_one(die: &Die, bonus: &[i64]) -> DieSums {
    let mut sums = Vec::with_capacity(die.sides());
    for face in (2..=die.sides() as u32).filter(|face| die.weight(*face) > 0) {
        let points = i64::from(face) + bonus.get(face as usize - 1).copied().unwrap_or(0);
        // If the points are negative, the roll in which all dice show this face is refused, so the
        // sum is never used.
        let points = u32::try_from(points).unwrap_or(u32::MAX);
        sums.push((points, Weight::from(die.weight(face))));
    }
    summed(sums)
}
