//! The game compiled for solving: outcome classes, distributions, action sets, and where outcomes lead.
//!
//! This is the only place that flattens a [`Game`]. A *column* is an opponent's score before the turn, a *stage* a sum of
//! scores; the cell of a column o in a stage s is the one in which the mover has s - o. A turn of p points adds p to the
//! mover's total and leaves the column, so whatever it leads to is told by class, stage s + p and column: see [`successors`].

mod successors;

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::dice::Weight;
use crate::game::{DistributionSet, Game, Order, OutcomeDistribution, Plan, Space, TurnOutcome};

pub(super) use successors::{ClassSuccessors, Segment, Target};

/// A game as distributions over classes of outcomes.
#[derive(Debug)]
pub(super) struct Kernel {
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
pub(super) struct OutcomeClass {
    /// The outcome of no points.
    pub outcome: TurnOutcome,
    pub successors: ClassSuccessors,
}

/// Rolls of one kind of dice without a 1, whose points are the sum of what each die brings.
#[derive(Debug)]
pub(super) struct Convolution {
    pub class: usize,
    /// What one die brings, at least 1 point, and its weight.
    pub die: Vec<(usize, Weight)>,
    pub most_dice: usize,
}

/// What an action can lead to.
#[derive(Debug)]
pub(super) struct Distribution {
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
pub(super) struct CleanSum {
    pub convolution: usize,
    pub dice: usize,
    pub offset: usize,
}

/// A class, the turn's points, and how many of the equally likely rolls lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Outcome {
    pub class: usize,
    pub points: usize,
    pub weight: Weight,
}

/// The distributions of all actions at some cells.
#[derive(Debug)]
pub(super) struct ActionSet {
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
        let mut compiler =
            Compiler { game, kernel: Self::empty(game), classes: HashMap::default(), known: HashMap::default() };
        let sets = game.action_sets().iter().map(|actions| {
            let numbers = actions.by_shared.iter().map(|set| compiler.set(set));
            let numbers: Vec<Vec<u32>> = numbers.collect();
            let distributions = numbers.iter().enumerate().flat_map(|(shared, numbers)| {
                actions.all_distributions(&game.space(), shared).iter().map(|place| numbers[usize::from(*place)])
            });
            ActionSet {
                distributions: distributions.collect(),
                theirs_matter: actions.theirs_matter(),
                may_stay: false,
            }
        });
        let sets: Vec<ActionSet> = sets.collect();
        let mut kernel = compiler.kernel;
        kernel.action_sets = sets;
        kernel.find_successors(game);
        kernel
    }

    fn empty(game: &Game) -> Self {
        Self {
            space: game.space(),
            order: game.order(),
            classes: Vec::new(),
            convolutions: Vec::new(),
            distributions: Vec::new(),
            action_sets: Vec::new(),
            direct_reach: 0,
            convolution_reach: 0,
            farthest: 0,
            reads_own_stage: false,
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

    fn find_successors(&mut self, game: &Game) {
        let mut points: Vec<Vec<bool>> = vec![vec![false; self.farthest + 1]; self.classes.len()];
        for outcome in self.distributions.iter().flat_map(|distribution| &distribution.outcomes) {
            points[outcome.class][outcome.points] = true;
            self.reads_own_stage |= outcome.points == 0;
        }
        for (class, points) in self.classes.iter_mut().zip(points) {
            let points = (0..points.len()).filter(|at| points[*at]).collect();
            class.successors = ClassSuccessors::new(game, &class.outcome, points);
        }
        let classes = &self.classes;
        for distribution in &mut self.distributions {
            let deferred = distribution.outcomes.iter().filter(|outcome| classes[outcome.class].successors.defers());
            distribution.deferred = deferred.copied().collect();
            let stays =
                |outcome: &&Outcome| outcome.points as i64 + classes[outcome.class].successors.least_excess <= 0;
            distribution.staying = distribution.outcomes.iter().filter(stays).copied().collect();
        }
        for set in &mut self.action_sets {
            set.may_stay =
                set.distributions.iter().any(|place| !self.distributions[*place as usize].staying.is_empty());
        }
    }
}

/// What makes two distributions the same: the clean sum, the remainder, the total.
type DistributionKey = (Option<CleanSum>, Vec<Outcome>, Weight);

struct Compiler<'g> {
    game: &'g Game,
    kernel: Kernel,
    classes: HashMap<TurnOutcome, usize, FixedState>,
    known: HashMap<DistributionKey, u32, FixedState>,
}

impl Compiler<'_> {
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
        let classes = &mut self.kernel.classes;
        *self.classes.entry(outcome).or_insert_with(|| {
            classes.push(OutcomeClass { outcome, successors: ClassSuccessors::default() });
            classes.len() - 1
        })
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
        let (kernel, all) = (&mut self.kernel, outcomes(&distribution.outcomes));
        let reach = |outcomes: &[Outcome]| outcomes.iter().map(|outcome| outcome.points).max().unwrap_or(0);
        kernel.farthest = kernel.farthest.max(reach(&all));
        kernel.direct_reach = kernel.direct_reach.max(reach(&key.1));
        kernel.convolution_reach = kernel.convolution_reach.max(clean.map_or(0, |clean| clean.offset));
        kernel.distributions.push(Distribution {
            outcomes: all,
            total: distribution.total,
            clean,
            remainder: key.1.clone(),
            deferred: Vec::new(),
            staying: Vec::new(),
        });
        let number = (kernel.distributions.len() - 1) as u32;
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
        let most = die.iter().map(|(points, _)| *points).max().unwrap_or(0);
        let kernel = &mut self.kernel;
        kernel.direct_reach = kernel.direct_reach.max(most);
        kernel.convolution_reach = kernel.convolution_reach.max(most);
        let known = kernel.convolutions.iter().position(|known| known.class == class && known.die == die);
        let number = known.unwrap_or_else(|| {
            kernel.convolutions.push(Convolution { class, die, most_dice: 0 });
            kernel.convolutions.len() - 1
        });
        kernel.convolutions[number].most_dice = kernel.convolutions[number].most_dice.max(dice);
        number
    }
}
