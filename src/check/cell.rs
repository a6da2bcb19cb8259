//! One cell: what each draw leads to from there, and what it is worth.

use crate::dice::{Weight, double_of};
use crate::game::{DiceSet, Plan};

use super::CheckError;
use super::draws::Draw;
use super::numbers::{Mix, Numbers, Term};
use super::reading::{ActionSet, Reading};
use super::totals::Successor;

/// The values of one sum of scores, by rank of the cell (ascending score of the mover) and place of the state in it.
pub(super) struct Stage<N> {
    /// The mover's win rates.
    pub values: Vec<N>,
    /// The doubles nearest to them.
    pub near: Vec<f64>,
    /// The best actions.
    pub best: Vec<DiceSet>,
    /// See [`Found::shortfall`].
    pub shortfall: Vec<f64>,
}

impl<N> Default for Stage<N> {
    fn default() -> Self {
        Self { values: Vec::new(), near: Vec::new(), best: Vec::new(), shortfall: Vec::new() }
    }
}

impl<N> Stage<N> {
    /// Appends a state; one that is not solved yet has a stand-in.
    pub fn push(&mut self, found: Found<N>) {
        self.values.push(found.value);
        self.near.push(found.near);
        self.best.push(found.best);
        self.shortfall.push(found.shortfall);
    }

    /// Sets a state that had a stand-in.
    pub fn set(&mut self, index: usize, found: Found<N>) {
        self.values[index] = found.value;
        self.near[index] = found.near;
        self.best[index] = found.best;
        self.shortfall[index] = found.shortfall;
    }
}

/// Who moves in some states.
pub(super) struct Side<'a, N> {
    /// The plan of the other player of a best response; `None` for the best play.
    pub plan: Option<&'a Plan>,
    /// The side that moves when the turn passes.
    pub other: usize,
    /// By sum of scores; empty until solved, and when no longer needed.
    pub stages: Vec<Stage<N>>,
}

/// All that is known while the states are gone through backward.
pub(super) struct Board<'a, A: Numbers> {
    pub reading: &'a Reading,
    pub numbers: &'a A,
    pub sides: Vec<Side<'a, A::Number>>,
    /// Draws whose doubles are farther apart than this differ.
    pub tolerance: f64,
}

/// The answer in one state.
#[derive(Clone)]
pub(super) struct Found<N> {
    /// The mover's win rate.
    pub value: N,
    /// The double nearest to it.
    pub near: f64,
    /// The best actions; one bit, for a side with a plan.
    pub best: DiceSet,
    /// By how much the worst action that the claim lists wrongly falls short of the best.
    pub shortfall: f64,
}

/// A successor of a draw.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub weight: Weight,
    pub sum: usize,
    /// Where its cell starts in the stage.
    start: usize,
    mover: usize,
    shared: usize,
    pub passed: bool,
}

/// What a draw leads to from one cell.
pub(super) struct View {
    pub total: Weight,
    pub halves: Weight,
    /// Highest sums of scores first.
    pub exits: Vec<Exit>,
    /// True if it can leave the sum of scores as it is.
    pub stays: bool,
}

/// One cell with the views of its action set's draws.
pub(super) struct Cell<'a> {
    pub number: usize,
    pub sum: usize,
    pub action_set: &'a ActionSet,
    pub views: Vec<View>,
}

/// A state of a cell, and which side moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Spot {
    pub side: usize,
    /// The index in the stage.
    pub index: usize,
}

/// The actions that share one draw, and its place.
pub(super) type SharedDraw = (DiceSet, usize);

impl Exit {
    /// The index in its stage, for the opponent's memories `theirs`.
    fn index(&self, classes: usize, theirs: usize) -> usize {
        let (theirs, mine) = if self.passed { (self.mover, theirs) } else { (theirs, self.mover) };
        self.start + (self.shared * classes + theirs) * classes + mine
    }
}

impl<'a, A: Numbers> Board<'a, A> {
    /// How many sums of scores a sum is from the end.
    pub fn height(&self, sum: usize) -> usize {
        self.reading.space.stages() - sum
    }

    /// The opponent's memories in a state of this place.
    pub fn theirs(&self, place: usize) -> usize {
        place / self.reading.space.mine % self.reading.space.mine
    }

    /// Looks at a cell.
    pub fn cell(&self, number: usize) -> Result<Cell<'a>, CheckError> {
        let action_set = self.reading.action_set(number);
        let sum = self.reading.space.sum(number);
        let successors = action_set.outcomes.iter().map(|outcome| self.reading.successor(number, *outcome));
        let successors: Vec<Successor> = successors.collect::<Result<_, _>>()?;
        let views = action_set.draws.iter().zip(&action_set.outcome_of).map(|(draw, outcomes)| {
            let successors = outcomes.iter().map(|outcome| successors[*outcome as usize]);
            self.view(sum, draw, successors)
        });
        let views = views.collect();
        Ok(Cell { number, sum, action_set, views })
    }

    fn view(&self, sum: usize, draw: &Draw, successors: impl Iterator<Item = Successor>) -> View {
        let space = self.reading.space;
        let mut view =
            View { total: draw.total, halves: 0, exits: Vec::with_capacity(draw.scored.len()), stays: false };
        for (scored, successor) in draw.scored.iter().zip(successors) {
            let (next, passed) = match successor {
                Successor::Passed(next) => (next as usize, true),
                Successor::Again(next) => (next as usize, false),
                Successor::End(halves) => {
                    view.halves += scored.weight * Weight::from(halves);
                    continue;
                }
            };
            let kept = scored.kept[usize::from(!passed)];
            view.exits.push(Exit {
                weight: scored.weight,
                sum: space.sum(next),
                start: rank(space.goal, next) * space.per_cell(),
                mover: kept.mover as usize,
                shared: kept.shared as usize,
                passed,
            });
        }
        view.exits.sort_by_key(|exit| std::cmp::Reverse(exit.sum));
        view.stays = view.exits.iter().any(|exit| exit.sum == sum);
        view
    }

    /// The actions of a state, joined by draw.
    pub fn draws(&self, side: usize, cell: &Cell, place: usize) -> Vec<SharedDraw> {
        let actions = self.reading.space.actions;
        let row = self.reading.kind[place] as usize * actions;
        let draw = |action: usize| cell.action_set.choice[row + action] as usize;
        if let Some(plan) = self.sides[side].plan {
            let action = plan.action(cell.number * self.reading.space.per_cell() + place).min(actions - 1);
            return vec![(1 << action, draw(action))];
        }
        let mut draws: Vec<SharedDraw> = Vec::with_capacity(actions);
        for action in 0..actions {
            match draws.iter_mut().find(|(_, known)| *known == draw(action)) {
                Some((set, _)) => *set |= 1 << action,
                None => draws.push((1 << action, draw(action))),
            }
        }
        draws
    }

    /// The states to which an exit leads.
    pub fn spot(&self, side: usize, exit: &Exit, theirs: usize) -> Spot {
        let side = if exit.passed { self.sides[side].other } else { side };
        Spot { side, index: exit.index(self.reading.space.mine, theirs) }
    }

    /// The win rate with a draw in doubles, within `tolerance / 2`.
    pub fn near(&self, side: usize, view: &View, theirs: usize) -> f64 {
        let mut sum = double_of(view.halves) / 2.0;
        for exit in &view.exits {
            let spot = self.spot(side, exit, theirs);
            let near = self.sides[spot.side].stages[exit.sum].near[spot.index];
            sum += double_of(exit.weight) * if exit.passed { 1.0 - near } else { near };
        }
        sum / double_of(view.total)
    }

    /// The win rate with a draw.
    pub fn exact(&self, side: usize, sum: usize, view: &View, theirs: usize) -> A::Number {
        let term = |exit: &Exit| {
            let spot = self.spot(side, exit, theirs);
            let value = &self.sides[spot.side].stages[exit.sum].values[spot.index];
            Term { weight: exit.weight, height: self.height(exit.sum), value, passed: exit.passed }
        };
        let terms = view.exits.iter().map(term).collect();
        self.numbers.mix(self.height(sum), &Mix { total: view.total, halves: view.halves, terms })
    }
}

/// The place of a cell among those of its sum of scores.
pub(super) fn rank(goal: usize, cell: usize) -> usize {
    let (score, opponent) = (cell / goal, cell % goal);
    score - (score + opponent + 1).saturating_sub(goal)
}
