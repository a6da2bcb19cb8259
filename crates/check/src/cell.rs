//! One cell: the outcomes of each distribution from it, and the values of its actions.

use std::borrow::Cow;

use hog_rules::dice::{Weight, double_of};
use hog_rules::policy::Plan;
use hog_rules::states::DiceSet;

use super::distributions::{Distribution, Menus};
use super::error::CheckError;
use super::numbers::{Mixture, RateArithmetic, Term};
use super::reading::{ActionSet, Reading};
use super::totals::Successor;

/// The values of one stage, by rank of the cell (ascending score of the mover) and place of the
/// state in its cell.
pub(super) struct Stage<N> {
    /// The mover's win rates.
    pub values: Vec<N>,
    /// The doubles nearest to `values`.
    pub near: Vec<f64>,
    /// The best actions.
    pub best: Vec<DiceSet>,
    /// See [`StateSolution::shortfall`].
    pub shortfall: Vec<f64>,
}

impl<N> Default for Stage<N> {
    fn default() -> Self {
        Self { values: Vec::new(), near: Vec::new(), best: Vec::new(), shortfall: Vec::new() }
    }
}

impl<N> Stage<N> {
    /// Appends a state, or a placeholder for one that is not solved yet.
    pub fn push(&mut self, found: StateSolution<N>) {
        self.values.push(found.value);
        self.near.push(found.near);
        self.best.push(found.best);
        self.shortfall.push(found.shortfall);
    }

    /// Replaces the placeholder of a state.
    pub fn set(&mut self, index: usize, found: StateSolution<N>) {
        self.values[index] = found.value;
        self.near[index] = found.near;
        self.best[index] = found.best;
        self.shortfall[index] = found.shortfall;
    }
}

/// The policy of one player, and the values of the states in which that player moves.
pub(super) struct Side<'a, N> {
    /// The fixed plan that a best response answers; `None` for a side that plays optimally.
    pub plan: Option<&'a Plan>,
    /// The index of the side that moves when the turn passes.
    pub other: usize,
    /// The values by sum of scores; a stage is empty until it is solved and again after its last
    /// use.
    pub stages: Vec<Stage<N>>,
}

impl<'a, N> Side<'a, N> {
    fn new(plan: Option<&'a Plan>, other: usize, reading: &Reading) -> Self {
        let stages = (0..reading.space.stages()).map(|_| Stage::default()).collect();
        Self { plan, other, stages }
    }
}

/// The inputs of the backward pass, and the values solved so far.
pub(super) struct Workspace<'a, A: RateArithmetic> {
    pub reading: &'a Reading,
    pub numbers: &'a A,
    pub sides: Vec<Side<'a, A::Number>>,
    /// Distributions whose win rates in doubles differ by more than this have different exact win
    /// rates.
    pub tolerance: f64,
}

/// The solution of one state.
#[derive(Clone)]
pub(super) struct StateSolution<N> {
    /// The mover's win rate.
    pub value: N,
    /// The double nearest to it.
    pub near: f64,
    /// The best actions; for a side with a plan, the plan's action.
    pub best: DiceSet,
    /// How much lower than the best the win rate of the worst wrongly listed action is; 0 if the
    /// claim lists none wrongly.
    pub shortfall: f64,
}

/// An outcome after which the game continues, with the next cell and memories.
#[derive(Clone, Copy)]
pub(super) struct Transition {
    pub weight: Weight,
    /// The sum of scores of the next cell.
    pub sum: usize,
    /// The index of the next cell's first state in its stage.
    start: usize,
    mover: usize,
    shared: usize,
    pub passed: bool,
}

/// The outcomes of a distribution from one cell.
pub(super) struct Transitions {
    pub total: Weight,
    /// The rolls that end the game: two for each one won, one for each one tied.
    pub halves: Weight,
    /// The outcomes after which the game continues, highest sums of scores first.
    pub continuing: Vec<Transition>,
    /// Whether some outcome leaves the sum of scores unchanged.
    pub may_stay: bool,
    /// See [`Distribution::menus`]; their options are indices of `targets`.
    menus: Menus,
    targets: Vec<Target>,
}

/// Where an outcome leads.
#[derive(Clone, Copy)]
enum Target {
    Continuing(Transition),
    /// The halves of a win.
    End(u8),
}

/// One cell, with the transitions of each distribution of its action set.
pub(super) struct Cell<'a> {
    pub number: usize,
    pub sum: usize,
    pub action_set: &'a ActionSet,
    pub transitions: Vec<Transitions>,
}

/// A state of a stage, and the side that moves there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Spot {
    pub side: usize,
    /// The index in the stage.
    pub index: usize,
}

/// The actions that share one distribution, and its index in the action set.
pub(super) type SharedDistribution = (DiceSet, usize);

impl Transition {
    /// Returns the index of the next state in its stage; `theirs` numbers the opponent's memories
    /// before the turn.
    fn index(&self, classes: usize, theirs: usize) -> usize {
        let (theirs, mine) = if self.passed { (self.mover, theirs) } else { (theirs, self.mover) };
        self.start + (self.shared * classes + theirs) * classes + mine
    }
}

impl<'a, A: RateArithmetic> Workspace<'a, A> {
    /// Creates a workspace with no values: with one side for both players, or with a second one,
    /// which follows the plan `against` or, without one, plays optimally.
    pub fn new(
        reading: &'a Reading,
        numbers: &'a A,
        against: Option<&'a Plan>,
        two_sided: bool,
    ) -> Self {
        let mut sides = vec![Side::new(None, usize::from(two_sided), reading)];
        if two_sided {
            sides.push(Side::new(against, 0, reading));
        }
        Self { reading, numbers, sides, tolerance: 2.0 * reading.turn_error() }
    }

    /// Returns the height of a stage: the number of stages from it to the end of the game, itself
    /// included.
    pub fn height(&self, sum: usize) -> usize {
        self.reading.space.stages() - sum
    }

    /// Returns the number of the opponent's memories in the state at `place` of a cell.
    pub fn theirs(&self, place: usize) -> usize {
        place / self.reading.space.mine % self.reading.space.mine
    }

    /// Evaluates all distributions of a cell.
    pub fn cell(&self, number: usize) -> Result<Cell<'a>, CheckError> {
        let action_set = self.reading.action_set(number);
        let sum = self.reading.space.sum(number);
        let successors = action_set
            .outcomes
            .iter()
            .map(|(points, context)| self.reading.successor(number, *points, *context));
        let successors: Vec<Successor> = successors.collect::<Result<_, _>>()?;
        let transitions = action_set.distributions.iter().zip(&action_set.outcome_of).map(
            |(distribution, outcomes)| {
                let successors = outcomes.iter().map(|outcome| successors[*outcome as usize]);
                self.transitions(sum, distribution, successors)
            },
        );
        let transitions = transitions.collect();
        Ok(Cell { number, sum, action_set, transitions })
    }

    fn transitions(
        &self,
        sum: usize,
        distribution: &Distribution,
        successors: impl Iterator<Item = Successor>,
    ) -> Transitions {
        let space = self.reading.space;
        let mut transitions = Transitions {
            total: distribution.total,
            halves: 0,
            continuing: Vec::with_capacity(distribution.scored.len()),
            may_stay: false,
            menus: Menus::clone(&distribution.menus),
            targets: Vec::new(),
        };
        let has_menus = !distribution.menus.is_empty();
        for (scored, successor) in distribution.scored.iter().zip(successors) {
            let (next, passed) = match successor {
                Successor::Passed(next) => (next as usize, true),
                Successor::Again(next) => (next as usize, false),
                Successor::End(halves) => {
                    transitions.halves += scored.weight * Weight::from(halves);
                    if has_menus {
                        transitions.targets.push(Target::End(halves));
                    }
                    continue;
                }
            };
            let next_memories = scored.memories[usize::from(!passed)];
            let transition = Transition {
                weight: scored.weight,
                sum: space.sum(next),
                start: rank(space.goal, next) * space.per_cell(),
                mover: next_memories.mover as usize,
                shared: next_memories.shared as usize,
                passed,
            };
            transitions.continuing.push(transition);
            if has_menus {
                transitions.targets.push(Target::Continuing(transition));
            }
        }
        transitions.continuing.sort_by_key(|transition| std::cmp::Reverse(transition.sum));
        transitions.may_stay =
            transitions.continuing.iter().any(|transition| transition.sum == sum);
        transitions
    }

    /// Returns the actions of a state, grouped by distribution; for a side with a plan, only the
    /// plan's action.
    pub fn distributions(&self, side: usize, cell: &Cell, place: usize) -> Vec<SharedDistribution> {
        let actions = self.reading.space.actions;
        let row = self.reading.memory_class[place] as usize * actions;
        let choice = &cell.action_set.choice[row..row + actions];
        if let Some(plan) = self.sides[side].plan {
            let action =
                plan.action(cell.number * self.reading.space.per_cell() + place).min(actions - 1);
            return vec![(1 << action, choice[action] as usize)];
        }
        let mut distributions: Vec<SharedDistribution> = Vec::with_capacity(actions);
        for (action, distribution) in choice.iter().enumerate() {
            let distribution = *distribution as usize;
            match distributions.iter_mut().find(|(_, known)| *known == distribution) {
                Some((set, _)) => *set |= 1 << action,
                None => distributions.push((1 << action, distribution)),
            }
        }
        distributions
    }

    /// Returns the state that a transition leads to.
    pub fn spot(&self, side: usize, transition: &Transition, theirs: usize) -> Spot {
        let side = if transition.passed { self.sides[side].other } else { side };
        Spot { side, index: transition.index(self.reading.space.mine, theirs) }
    }

    /// Returns the win rate of a distribution in doubles, within `tolerance / 2` of the exact one.
    pub fn near(&self, side: usize, transitions: &Transitions, theirs: usize) -> f64 {
        let mut sum = double_of(transitions.halves) / 2.0;
        for transition in &transitions.continuing {
            let spot = self.spot(side, transition, theirs);
            let near = self.sides[spot.side].stages[transition.sum].near[spot.index];
            sum += double_of(transition.weight) * if transition.passed { 1.0 - near } else { near };
        }
        sum / double_of(transitions.total)
    }

    /// Returns for each menu of a distribution the value of the option that the mover takes. Only
    /// of arithmetics whose numbers do not depend on the height.
    fn best_options(
        &self,
        side: usize,
        sum: usize,
        transitions: &Transitions,
        theirs: usize,
    ) -> Vec<A::Number> {
        let mut best = Vec::with_capacity(transitions.menus.len());
        for (_, options) in transitions.menus.iter() {
            if let Some(worth) = self.sides[side].plan.and_then(Plan::worth) {
                let target = self.kept(worth, options, transitions, theirs);
                best.push(self.target_value(side, sum, target, theirs));
                continue;
            }
            let mut values = options.iter().map(|option| {
                self.target_value(side, sum, transitions.targets[*option as usize], theirs)
            });
            let mut most = values.next().expect("a menu has options");
            for value in values {
                most = self.numbers.larger(most, value);
            }
            best.push(most);
        }
        best
    }

    /// Returns the transitions that may follow from a state by a distribution: of a side with a
    /// plan, only those after the dice that it keeps.
    pub fn reached<'t>(
        &self,
        side: usize,
        transitions: &'t Transitions,
        theirs: usize,
    ) -> Cow<'t, [Transition]> {
        let Some(worth) = self.sides[side].plan.and_then(Plan::worth) else {
            return Cow::Borrowed(&transitions.continuing);
        };
        let mut reached = transitions.continuing.clone();
        reached.retain(|transition| transition.weight > 0);
        for (_, options) in transitions.menus.iter() {
            if let Target::Continuing(next) = self.kept(worth, options, transitions, theirs) {
                reached.push(next);
            }
        }
        Cow::Owned(reached)
    }

    /// Returns where a plan keeps dice for that keeps them by the worth of states: where that is
    /// most, and of several the end of the game, or the first state.
    fn kept(
        &self,
        worth: &[f64],
        options: &[u32],
        transitions: &Transitions,
        theirs: usize,
    ) -> Target {
        let space = self.reading.space;
        let mut kept = transitions.targets[options[0] as usize];
        let mut most = f64::NEG_INFINITY;
        let mut first = usize::MAX;
        for option in options {
            let target = transitions.targets[*option as usize];
            let mut state = 0;
            let mut value = 0.0;
            match target {
                Target::End(halves) => value = f64::from(halves) / 2.0,
                Target::Continuing(next) => {
                    let index = next.index(space.mine, theirs);
                    let cell = cell_of_rank(space.goal, next.sum, index / space.per_cell());
                    let number = cell * space.per_cell() + index % space.per_cell();
                    value += if next.passed { 1.0 - worth[number] } else { worth[number] };
                    // Those of a mover who goes on come after the others.
                    state = 1 + 2 * number + usize::from(!next.passed);
                }
            }
            if value > most || (value == most && state < first) {
                kept = target;
                most = value;
                first = state;
            }
        }
        kept
    }

    /// Returns the mover's win rate where an option leads.
    fn target_value(&self, side: usize, sum: usize, target: Target, theirs: usize) -> A::Number {
        match target {
            Target::End(halves) => self.numbers.halves(halves),
            Target::Continuing(transition) => {
                let spot = self.spot(side, &transition, theirs);
                let value = &self.sides[spot.side].stages[transition.sum].values[spot.index];
                match transition.passed {
                    true => self.numbers.complement(self.height(sum), value),
                    false => value.clone(),
                }
            }
        }
    }

    /// Returns the win rate of a distribution.
    pub fn exact(
        &self,
        side: usize,
        sum: usize,
        transitions: &Transitions,
        theirs: usize,
    ) -> A::Number {
        let best = self.best_options(side, sum, transitions, theirs);
        let mut terms = Vec::with_capacity(transitions.continuing.len() + best.len());
        for transition in &transitions.continuing {
            let spot = self.spot(side, transition, theirs);
            terms.push(Term {
                weight: transition.weight,
                height: self.height(transition.sum),
                value: &self.sides[spot.side].stages[transition.sum].values[spot.index],
                passed: transition.passed,
            });
        }
        let height = self.height(sum);
        for ((weight, _), value) in transitions.menus.iter().zip(&best) {
            terms.push(Term { weight: *weight, height, value, passed: false });
        }
        self.numbers
            .mean(height, &Mixture { total: transitions.total, halves: transitions.halves, terms })
    }
}

/// Returns the rank of a cell within its stage.
pub(super) fn rank(goal: usize, cell: usize) -> usize {
    let score = cell / goal;
    let opponent = cell % goal;
    score - (score + opponent + 1).saturating_sub(goal)
}

/// Returns the cell of a rank in the stage of a sum: the reverse of [`rank`].
fn cell_of_rank(goal: usize, sum: usize, rank: usize) -> usize {
    let score = rank + (sum + 1).saturating_sub(goal);
    score * goal + (sum - score)
}
