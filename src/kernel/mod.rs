//! The game compiled for solving: outcome classes, distributions, action sets, and where outcomes lead.
//!
//! This is the only place that flattens a [`Game`]. A *column* is an opponent's score before the turn, a *stage* a sum of
//! scores; the cell of a column o in a stage s is the one in which the mover has s - o. A turn of p points adds p to the
//! mover's total and leaves the column, so whatever it leads to is told by class, stage s + p and column: see [`successors`].

pub mod planes;
mod successors;

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;

use crate::dice::Weight;
use crate::game::{CellActions, DistributionSet, Game, Interner, Order, OutcomeDistribution, Plan, Space, TurnOutcome};

pub use successors::{ClassSuccessors, Segment, Target};

/// A game as distributions over classes of outcomes.
#[derive(Debug)]
pub struct Kernel {
    pub space: Space,
    pub order: Order,
    pub classes: Vec<OutcomeClass>,
    pub convolutions: Vec<Convolution>,
    pub distributions: Vec<Distribution>,
    pub action_sets: Vec<ActionSet>,
    /// The most points of an outcome that is read by itself, not as part of a clean sum.
    pub direct_reach: usize,
    /// The most points of one die of a convolution, and of an offset.
    pub convolution_reach: usize,
    /// The most points of any outcome.
    pub farthest: usize,
    /// Whether some outcome brings no points.
    pub reads_own_stage: bool,
}

/// Outcomes that differ in their points alone: they leave the same memories, and the same rules on totals apply.
#[derive(Debug)]
pub struct OutcomeClass {
    /// The outcome of no points.
    pub outcome: TurnOutcome,
    pub successors: ClassSuccessors,
}

/// Rolls of one kind of dice without a 1, whose points are the sum of what each die brings.
#[derive(Debug)]
pub struct Convolution {
    pub class: usize,
    /// What one die brings, at least 1 point, and its weight.
    pub die: Vec<(usize, Weight)>,
    pub most_dice: usize,
}

/// What an action can lead to.
#[derive(Debug)]
pub struct Distribution {
    /// All outcomes.
    pub outcomes: Vec<Outcome>,
    /// The sum of the weights.
    pub total: Weight,
    /// The outcomes that are a clean sum, if there are any, and the remainder.
    pub clean: Option<CleanSum>,
    pub remainder: Vec<Outcome>,
    /// The outcomes of classes that have deferred successors.
    pub deferred: Vec<Outcome>,
    /// The outcomes that may leave the sum of scores as it is, from some cell.
    pub staying: Vec<Outcome>,
}

/// Some dice of a convolution, with points on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CleanSum {
    pub convolution: usize,
    pub dice: usize,
    pub offset: usize,
}

/// A class, the turn's points, and how many of the equally likely rolls lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    pub class: usize,
    pub points: usize,
    pub weight: Weight,
}

/// The distributions of all actions at some cells.
#[derive(Debug)]
pub struct ActionSet {
    /// `[((shared * mine + i) * mine + j) * actions + action]`, or without `j` where the opponent's memory does not matter.
    distributions: Vec<u32>,
    pub theirs_matter: bool,
    /// Whether some turn may leave the sum of scores as it is, from some cell.
    may_stay: bool,
}

impl ActionSet {
    /// The distributions of all actions, whatever is remembered.
    pub fn all(&self) -> &[u32] {
        &self.distributions
    }

    /// The distributions of all actions in a state with these memory classes (shared, mine, theirs).
    #[inline(always)]
    pub fn of(&self, space: &Space, (shared, mine, theirs): (usize, usize, usize)) -> &[u32] {
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
            let stays = |outcome: &&Outcome| successors(outcome).least_increment(outcome.points) <= 0;
            let defers = |outcome: &&Outcome| successors(outcome).defers();
            distribution.deferred = distribution.outcomes.iter().filter(defers).copied().collect();
            distribution.staying = distribution.outcomes.iter().filter(stays).copied().collect();
        }
        for set in &mut action_sets {
            set.may_stay = set.distributions.iter().any(|number| !distributions[*number as usize].staying.is_empty());
        }
        let most = |points: &mut dyn Iterator<Item = usize>| points.max().unwrap_or(0);
        let of_dice = most(&mut convolutions.iter().flat_map(|of| &of.die).map(|(points, _)| *points));
        let offset = most(&mut distributions.iter().filter_map(|of| of.clean).map(|clean| clean.offset));
        let direct = most(&mut distributions.iter().flat_map(|of| &of.remainder).map(|outcome| outcome.points));
        let outcomes = || distributions.iter().flat_map(|of| &of.outcomes);
        Self {
            space: game.space(),
            order: game.order(),
            direct_reach: direct.max(of_dice),
            convolution_reach: offset.max(of_dice),
            farthest: most(&mut outcomes().map(|outcome| outcome.points)),
            reads_own_stage: outcomes().any(|outcome| outcome.points == 0),
            classes,
            convolutions,
            distributions,
            action_sets,
        }
    }

    /// Whether some turn with an action set may leave the sum of scores as it is, from some cell.
    pub fn may_stay(&self, action_set: usize) -> bool {
        self.action_sets[action_set].may_stay
    }

    /// The distributions that a policy may roll, of all.
    pub fn played(&self, game: &Game, plan: &Plan) -> Vec<bool> {
        let (space, mut played) = (self.space, vec![false; self.distributions.len()]);
        let mut states = 0..;
        // In the order of states: to take each apart would cost more than to look at it.
        for cell in 0..space.goal * space.goal {
            let set = &self.action_sets[game.action_set_number(cell)];
            for (shared, theirs) in
                (0..space.shared).flat_map(|shared| (0..space.mine).map(move |theirs| (shared, theirs)))
            {
                for (mine, state) in (0..space.mine).zip(&mut states) {
                    played[set.of(&space, (shared, mine, theirs))[plan.action(state)] as usize] = true;
                }
            }
        }
        played
    }

    /// The highest stage of totals after adding whose successors are not all regular and not deferred.
    pub fn highest_stage(&self) -> usize {
        self.classes.iter().filter_map(|class| class.successors.highest_stage()).max().unwrap_or(0)
    }
}

/// Outcome classes with where they lead, from the points that they come up with.
fn with_successors(game: &Game, classes: Vec<TurnOutcome>, distributions: &[Distribution]) -> Vec<OutcomeClass> {
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

/// What makes two distributions the same: the clean sum, the remainder, the total.
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
        ActionSet { distributions, theirs_matter: actions.theirs_matter(), may_stay: false }
    }

    /// The distributions of a set.
    fn set(&mut self, set: &DistributionSet) -> Vec<u32> {
        let (mut classes, mut last) = (Vec::with_capacity(set.outcomes.len()), None);
        for known in &set.outcomes {
            let outcome = known.with_points(0);
            // Neighbours are mostly of one class.
            let class = match last {
                Some((known, class)) if known == outcome => class,
                _ => self.class(outcome),
            };
            last = Some((outcome, class));
            classes.push(class);
        }
        set.distributions.iter().map(|distribution| self.distribution((set, &classes), distribution)).collect()
    }

    fn class(&mut self, outcome: TurnOutcome) -> usize {
        self.classes.number(outcome) as usize
    }

    fn distribution(
        &mut self,
        (set, classes): (&DistributionSet, &[usize]),
        distribution: &OutcomeDistribution,
    ) -> u32 {
        let outcomes = |weighted: &[(u16, Weight)]| -> Vec<Outcome> {
            let outcome = |(place, weight): &(u16, Weight)| {
                let place = usize::from(*place);
                Outcome { class: classes[place], points: set.outcomes[place].points as usize, weight: *weight }
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
            staying: Vec::new(),
        });
        let number = (self.distributions.len() - 1) as u32;
        self.known.insert(key, number);
        number
    }

    fn clean_sum(&mut self, distribution: &OutcomeDistribution) -> Option<CleanSum> {
        let rolled = distribution.convolution.as_ref()?;
        let die = &self.game.die_sums()[rolled.die];
        // A die that brings nothing would read the stage that is being solved.
        if die.iter().any(|(points, _)| *points == 0) || rolled.dice == 0 {
            return None;
        }
        let die = die.iter().map(|(points, weight)| (*points as usize, *weight)).collect();
        let (class, offset) = (self.class(rolled.at_offset.with_points(0)), rolled.at_offset.points as usize);
        Some(CleanSum { convolution: self.convolution(class, die, rolled.dice), dice: rolled.dice, offset })
    }

    fn convolution(&mut self, class: usize, die: Vec<(usize, Weight)>, dice: usize) -> usize {
        let known = self.convolutions.iter().position(|known| known.class == class && known.die == die);
        let number = known.unwrap_or_else(|| {
            self.convolutions.push(Convolution { class, die, most_dice: 0 });
            self.convolutions.len() - 1
        });
        self.convolutions[number].most_dice = self.convolutions[number].most_dice.max(dice);
        number
    }
}
