//! What stage 2 gives: distributions before memories are joined in classes.

use crate::dice::{Die, Weight};
use crate::rules::formula::Variable;

use super::memory::Combinations;

/// What the rules on totals read beside the totals and the points.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Context {
    /// Values of the variables they read, in ascending order of the variables.
    pub values: Vec<(Variable, i64)>,
}

/// One outcome of an action, before memories are joined in classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RawOutcome {
    /// The number of the context in which the rules on totals apply.
    pub context: u32,
    /// The turn's points.
    pub points: u32,
    /// The mover's memories after the turn: if the turn passes, and if the mover moves again.
    pub mine: [u32; 2],
    /// The shared memories, likewise.
    pub shared: [u32; 2],
}

/// The outcomes of one action with whole weights, before memories are joined in classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RawDistribution {
    /// Rolls without a 1, if their points are sums of what their dice bring.
    pub clean: Option<CleanRolls<RawOutcome>>,
    /// All other outcomes, ascending.
    pub remainder: Vec<(RawOutcome, Weight)>,
    /// The sum of all weights.
    pub total: Weight,
}

/// Points that one die brings, without a 1, and their weights; in ascending order.
pub(super) type DieSums = Vec<(u32, Weight)>;

/// Rolls without a 1 whose points are the sum of what their dice bring and an offset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CleanRolls<O> {
    pub dice: u32,
    pub die: DieSums,
    /// Points that the roll brings beside its dice's.
    pub offset: u32,
    /// Their outcomes, ascending.
    pub outcomes: Vec<(O, Weight)>,
}

/// The distributions of all actions, by classes of scores and by memories.
pub(super) struct Distributions {
    /// By the classes in which no dice score alike: the actions that roll none.
    pub zero: DistributionTable,
    /// By the classes in which rolls score alike: the other actions.
    pub roll: DistributionTable,
    /// The distinct distributions.
    pub all: Vec<RawDistribution>,
    /// The distinct contexts of their outcomes.
    pub contexts: Vec<Context>,
    /// Whether the rules on totals read the turn's points.
    pub by_points: bool,
    /// Whether the opponent's memories decide some distribution.
    pub theirs_matter: bool,
    /// One player's memories, and the shared ones.
    pub mine: Combinations,
    pub shared: Combinations,
}

/// Numbers of distributions by class of scores, memories and action.
pub(super) struct DistributionTable {
    /// `ids[(((class * mine + i) * theirs + j) * shared + g) * actions + action]`; memories that do not matter count 1.
    pub ids: Vec<u32>,
    /// How many classes of scores there are.
    pub classes: usize,
    pub mine: usize,
    pub theirs: usize,
    pub shared: usize,
    pub actions: usize,
}

impl DistributionTable {
    /// How many of the mover's, the opponent's and the shared memories are told apart.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.mine, self.theirs, self.shared)
    }

    /// The distributions of all actions; memories that do not matter may be anything.
    pub fn row(&self, class: usize, (i, j, g): (usize, usize, usize)) -> &[u32] {
        let place = (class * self.mine + i.min(self.mine - 1)) * self.theirs + j.min(self.theirs - 1);
        &self.ids[(place * self.shared + g.min(self.shared - 1)) * self.actions..][..self.actions]
    }
}

/// Outcomes in ascending order, the weights of equal ones summed.
pub(super) fn summed<K: Ord>(mut outcomes: Vec<(K, Weight)>) -> Vec<(K, Weight)> {
    outcomes.sort_unstable();
    outcomes.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        earlier.1 += if same { later.1 } else { 0 };
        same
    });
    outcomes
}

/// What one die brings if it does not show a 1.
pub(super) fn sums_of_one(die: &Die, bonus: &[i64]) -> DieSums {
    let faces = (2..=die.sides() as u32).filter(|face| die.weight(*face) > 0);
    let brings = |face: u32| {
        let points = i64::from(face) + bonus.get(face as usize - 1).copied().unwrap_or(0);
        // A roll's negative points are refused; a single die's cannot be told as a sum.
        (u32::try_from(points).unwrap_or(u32::MAX), Weight::from(die.weight(face)))
    };
    summed(faces.map(brings).collect())
}
