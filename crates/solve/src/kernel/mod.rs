//! A [`Game`] compiled for solving: outcome classes and their successors, action sets, and
//! distributions.
//!
//! This is the only place that flattens a [`Game`]. A *column* is the opponent's score before the
//! turn; a *stage* is the sum of both scores. In stage s and column o the mover therefore has s - o
//! points. A turn of p points adds p to the mover's total and keeps the column, so its successor
//! depends only on the outcome class, the stage s + p and the column: see [`successors`].
//!
//! The kernel is computed once for each game and only read afterwards.

pub mod planes;
mod segments;
mod successors;

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;

use crate::dice::Weight;
use crate::game::{
    CellActions, DistributionSet, Game, Interner, Order, OutcomeDistribution, Plan, Space,
    TurnOutcome,
};

pub use segments::{Segment, Target};
pub use successors::ClassSuccessors;

/// A game in flat arrays; the fields refer to each other by index.
#[derive(Debug)]
pub struct Kernel {
    pub space: Space,
    pub order: Order,
    pub classes: Vec<OutcomeClass>,
    pub convolutions: Vec<Convolution>,
    pub distributions: Vec<Distribution>,
    pub action_sets: Vec<ActionSet>,
    /// The most points of any outcome outside a clean sum, and of one die of a convolution: how
    /// many stages above its own a turn may read the values of successors.
    pub most_direct_points: usize,
    /// The most points of one die of a convolution, and of any offset: how many stages above its
    /// own a turn may read clean sums.
    pub most_convolution_points: usize,
    /// The most points of any outcome.
    pub most_points: usize,
    /// The highest stage (of the totals after adding the points) with values other than 0: with a
    /// cell, or with an exceptional successor that is not deferred. In higher stages the mover
    /// has won.
    pub highest_stage: usize,
    /// Whether any outcome has 0 points, so that a stage reads totals of the same stage.
    pub reads_own_stage: bool,
}

/// Outcomes that differ only in their points: they leave the same memories, and the same rules on
/// totals apply to them.
#[derive(Debug)]
pub struct OutcomeClass {
    /// The outcome of this class with 0 points.
    pub outcome: TurnOutcome,
    pub successors: ClassSuccessors,
}

/// The rolls without a 1 of one kind of dice: their points are the sum of the points of each die.
#[derive(Debug)]
pub struct Convolution {
    pub class: usize,
    /// The points of one die, at least 1, with their weights.
    pub die: Vec<(usize, Weight)>,
    pub most_dice: usize,
}

/// The outcomes of an action.
#[derive(Debug)]
pub struct Distribution {
    /// All outcomes.
    pub outcomes: Vec<Outcome>,
    /// The sum of the weights.
    pub total: Weight,
    /// The part of the outcomes that is a clean sum, if there is one; `remainder` lists the
    /// others.
    pub clean: Option<CleanSum>,
    pub remainder: Vec<Outcome>,
    /// The outcomes whose class has deferred successors.
    pub deferred: Vec<Outcome>,
    /// The outcomes that, from at least one cell, do not raise the sum of the scores.
    pub non_increasing: Vec<Outcome>,
}

/// The sum of `dice` dice of a convolution, plus `offset` points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CleanSum {
    pub convolution: usize,
    pub dice: usize,
    pub offset: usize,
}

/// An outcome class, the turn's points, and how many of the equally likely rolls have this outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    pub class: usize,
    pub points: usize,
    pub weight: Weight,
}

/// The distributions of all actions in the cells that share this set.
#[derive(Debug)]
pub struct ActionSet {
    /// The index of the distribution, at `[((shared * mine + i) * mine + j) * actions + action]`,
    /// where i is the mover's memory class and j the opponent's; without j if `theirs_matter`
    /// is false.
    distributions: Vec<u32>,
    pub theirs_matter: bool,
    /// Whether any of the distributions has a non-increasing outcome.
    may_not_increase: bool,
}

impl ActionSet {
    /// The distributions of all actions for all memory classes.
    pub fn all(&self) -> &[u32] {
        &self.distributions
    }

    /// The distributions of all actions in a state with these memory classes: (shared, the mover's,
    /// the opponent's).
    #[inline(always)]
    pub fn of(&self, space: &Space, shared: usize, mine: usize, theirs: usize) -> &[u32] {
        let row = shared * space.mine + mine;
        let row = if self.theirs_matter { row * space.mine + theirs } else { row };
        &self.distributions[row * space.actions..][..space.actions]
    }
}

impl Kernel {
    /// Compiles a game.
    pub fn new(game: &Game) -> Self {
        let mut compiler = Compiler {
            game,
            classes: Interner::new(),
            convolutions: Vec::new(),
            distributions: Vec::new(),
            known: HashMap::default(),
        };
        let mut action_sets: Vec<ActionSet> =
            game.action_sets().iter().map(|actions| compiler.action_set(actions)).collect();
        let Compiler { classes, convolutions, mut distributions, .. } = compiler;
        let classes = with_successors(game, classes.into_items(), &distributions);
        for distribution in &mut distributions {
            let successors = |outcome: &&Outcome| &classes[outcome.class].successors;
            let non_increasing =
                |outcome: &&Outcome| successors(outcome).least_increment(outcome.points) <= 0;
            let defers = |outcome: &&Outcome| successors(outcome).defers();
            distribution.deferred = distribution.outcomes.iter().filter(defers).copied().collect();
            distribution.non_increasing =
                distribution.outcomes.iter().filter(non_increasing).copied().collect();
        }
        for set in &mut action_sets {
            set.may_not_increase = set
                .distributions
                .iter()
                .any(|number| !distributions[*number as usize].non_increasing.is_empty());
        }
        let most = |points: &mut dyn Iterator<Item = usize>| points.max().unwrap_or(0);
        let of_dice =
            most(&mut convolutions.iter().flat_map(|of| &of.die).map(|(points, _)| *points));
        let offset =
            most(&mut distributions.iter().filter_map(|of| of.clean).map(|clean| clean.offset));
        let direct = most(
            &mut distributions.iter().flat_map(|of| &of.remainder).map(|outcome| outcome.points),
        );
        let outcomes = || distributions.iter().flat_map(|of| &of.outcomes);
        let exceptional =
            most(&mut classes.iter().filter_map(|class| class.successors.highest_stage()));
        Self {
            space: game.space(),
            order: game.order(),
            most_direct_points: direct.max(of_dice),
            most_convolution_points: offset.max(of_dice),
            most_points: most(&mut outcomes().map(|outcome| outcome.points)),
            highest_stage: exceptional.max(game.space().stages() - 1),
            reads_own_stage: outcomes().any(|outcome| outcome.points == 0),
            classes,
            convolutions,
            distributions,
            action_sets,
        }
    }

    /// Whether any turn with an action set can, from at least one cell, fail to raise the sum of
    /// the scores.
    pub fn may_not_increase(&self, action_set: usize) -> bool {
        self.action_sets[action_set].may_not_increase
    }

    /// Returns, for each distribution, whether the policy uses it in any state.
    pub fn played(&self, game: &Game, plan: &Plan) -> Vec<bool> {
        let (space, mut played) = (self.space, vec![false; self.distributions.len()]);
        let mut states = 0..;
        // In the order of states, which is cheaper than decomposing each state's index.
        for cell in 0..space.goal * space.goal {
            let set = &self.action_sets[game.action_set_number(cell)];
            for (shared, theirs) in (0..space.shared)
                .flat_map(|shared| (0..space.mine).map(move |theirs| (shared, theirs)))
            {
                for (mine, state) in (0..space.mine).zip(&mut states) {
                    played[set.of(&space, shared, mine, theirs)[plan.action(state)] as usize] =
                        true;
                }
            }
        }
        played
    }

    /// The number of stages whose successor values, and whose clean sums, are kept while stages are
    /// solved in rows: at least those that turns read, rounded up to a power of 2, so that a
    /// stage's slot is a bit mask.
    pub fn rings(&self) -> [usize; 2] {
        let ring = |points: usize| (points.min(self.highest_stage) + 1).next_power_of_two();
        [self.most_direct_points, self.most_convolution_points].map(ring)
    }

    /// Estimates the memory for the rows of all stages that are kept, if a row has `columns`
    /// numbers, in bytes.
    pub fn bytes_of_rows(&self, columns: usize) -> u64 {
        let of_dice: usize =
            self.convolutions.iter().map(|convolution| convolution.most_dice).sum();
        let rows: u64 = self
            .rings()
            .iter()
            .zip([self.classes.len(), of_dice])
            .map(|(stages, of_stage)| (stages * of_stage) as u64)
            .sum();
        rows.saturating_mul((columns * size_of::<f64>()) as u64)
    }
}

/// Adds to each outcome class its successors, for all points that occur in the distributions.
fn with_successors(
    game: &Game,
    classes: Vec<TurnOutcome>,
    distributions: &[Distribution],
) -> Vec<OutcomeClass> {
    let mut points = vec![BTreeSet::new(); classes.len()];
    for outcome in distributions.iter().flat_map(|distribution| &distribution.outcomes) {
        points[outcome.class].insert(outcome.points);
    }
    let class = |(outcome, points): (TurnOutcome, BTreeSet<usize>)| {
        let successors = ClassSuccessors::new(game, &outcome, points.into_iter().collect());
        OutcomeClass { outcome, successors }
    };
    classes.into_iter().zip(points).map(class).collect()
}

/// What identifies a distribution: the clean sum, the remainder and the total.
type DistributionKey = (Option<CleanSum>, Vec<Outcome>, Weight);

struct Compiler<'g> {
    game: &'g Game,
    classes: Interner<TurnOutcome>,
    convolutions: Vec<Convolution>,
    distributions: Vec<Distribution>,
    known: HashMap<DistributionKey, u32, FixedState>,
}

impl Compiler<'_> {
    fn action_set(&mut self, actions: &CellActions) -> ActionSet {
        let numbers: Vec<Vec<u32>> = actions.by_shared.iter().map(|set| self.set(set)).collect();
        let distributions = numbers.iter().enumerate().flat_map(|(shared, numbers)| {
            let places = actions.all_distributions(&self.game.space(), shared).iter();
            places.map(|place| numbers[usize::from(*place)])
        });
        let distributions = distributions.collect();
        ActionSet { distributions, theirs_matter: actions.theirs_matter(), may_not_increase: false }
    }

    /// Compiles the distributions of a set; returns their indices.
    fn set(&mut self, set: &DistributionSet) -> Vec<u32> {
        let (mut classes, mut last) = (Vec::with_capacity(set.outcomes.len()), None);
        for known in &set.outcomes {
            let outcome = known.with_points(0);
            // Neighbouring outcomes usually share a class.
            let class = match last {
                Some((known, class)) if known == outcome => class,
                _ => self.class(outcome),
            };
            last = Some((outcome, class));
            classes.push(class);
        }
        set.distributions
            .iter()
            .map(|distribution| self.distribution(set, &classes, distribution))
            .collect()
    }

    fn class(&mut self, outcome: TurnOutcome) -> usize {
        self.classes.number(outcome) as usize
    }

    fn distribution(
        &mut self,
        set: &DistributionSet,
        classes: &[usize],
        distribution: &OutcomeDistribution,
    ) -> u32 {
        let outcomes = |weighted: &[(u16, Weight)]| -> Vec<Outcome> {
            let outcome = |(place, weight): &(u16, Weight)| {
                let place = usize::from(*place);
                Outcome {
                    class: classes[place],
                    points: set.outcomes[place].points as usize,
                    weight: *weight,
                }
            };
            weighted.iter().map(outcome).collect()
        };
        let clean = self.clean_sum(distribution);
        let remainder = match (&clean, &distribution.convolution) {
            (Some(_), Some(rolled)) => outcomes(&rolled.remainder),
            _ => outcomes(&distribution.outcomes),
        };
        let key = (clean, remainder, distribution.total);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.distributions.push(Distribution {
            outcomes: outcomes(&distribution.outcomes),
            total: distribution.total,
            clean,
            remainder: key.1.clone(),
            deferred: Vec::new(),
            non_increasing: Vec::new(),
        });
        let number = (self.distributions.len() - 1) as u32;
        self.known.insert(key, number);
        number
    }

    fn clean_sum(&mut self, distribution: &OutcomeDistribution) -> Option<CleanSum> {
        let rolled = distribution.convolution.as_ref()?;
        let die = &self.game.die_sums()[rolled.die];
        // A die of 0 points would read the stage that is being solved.
        if die.iter().any(|(points, _)| *points == 0) || rolled.dice == 0 {
            return None;
        }
        let die = die.iter().map(|(points, weight)| (*points as usize, *weight)).collect();
        let (class, offset) =
            (self.class(rolled.at_offset.with_points(0)), rolled.at_offset.points as usize);
        Some(CleanSum {
            convolution: self.convolution(class, die, rolled.dice),
            dice: rolled.dice,
            offset,
        })
    }

    fn convolution(&mut self, class: usize, die: Vec<(usize, Weight)>, dice: usize) -> usize {
        let known =
            self.convolutions.iter().position(|known| known.class == class && known.die == die);
        let number = known.unwrap_or_else(|| {
            self.convolutions.push(Convolution { class, die, most_dice: 0 });
            self.convolutions.len() - 1
        });
        self.convolutions[number].most_dice = self.convolutions[number].most_dice.max(dice);
        number
    }
}
