//! The game that rules describe: states, actions, weighted successors, and the facts solvers choose methods by.
//!
//! A state is two scores and the memories, seen by the player to move. [`Game`] numbers all states densely ([`Space`]) and
//! tells, for each cell (pair of scores), which distributions an action may have in which state, and where their outcomes
//! lead. It is made in one direction, each stage from what the ones before have found:
//!
//! | stage | from | to | where |
//! |---|---|---|---|
//! | 0 | rules | [`SizeEstimate`]: what the game will take; too much is refused | `limits` |
//! | 1 | rules before the totals | classes of scores that behave alike | `classes`, `grid` |
//! | 2 | a cell of each class | distributions: outcomes with whole weights | `distributions`, `raw` |
//! | 3 | the totals that these reach, rules on totals | tables of successors | `tabulate`, `totals`, `segments`, `successors`; `misrule` |
//! | 4 | distributions and tables | classes of memories; action sets | `memory`, `action_sets`, `offer`; `moves` |
//! | 5 | action sets and tables | facts: order, increments, chains | `facts` |
//!
//! A fault of the rules is told by the stage that first sees it, with its place in the file. Turns with given dice, which
//! need no tables, are followed by the room `turn`, which has positions too; `policy` is what strategies hold.
//!
//! | word | meaning |
//! |---|---|
//! | cell | a pair of scores, `score * goal + opponent`, seen by the mover |
//! | total | the mover's score with the turn's points added, before the rules on totals |
//! | context | what the rules on totals read beside totals and points: dice, what was rolled, memories |
//! | outcome | what an action may lead to: a context, memories after the turn, points |
//! | regular successor | the opponent moves with the totals as they are, or the mover has won by reaching the goal |
//! | exceptional successor | any other: totals changed or swapped, another end, the same player again |
//! | correction | by how much rules on totals change the sum of the scores |
//! | clean rolls | rolls without a 1; their points are a sum over their dice, a convolution |
//! | segment | consecutive points whose successors are each one more step of scores further |

mod action_sets;
mod classes;
mod distributions;
pub mod examples;
mod facts;
mod grid;
mod intern;
mod limits;
mod memory;
mod misrule;
mod moves;
mod offer;
mod policy;
mod raw;
mod segments;
mod space;
mod successors;
mod tabulate;
#[cfg(test)]
mod tests;
mod totals;

pub use facts::Order;
pub(crate) use intern::Interner;
pub use limits::SizeEstimate;
pub use moves::{End, Successor};
pub use offer::{CellActions, DistributionSet, OutcomeDistribution, RollConvolution, TurnOutcome};
pub use policy::{Plan, Policy, PolicyError};
pub use segments::PointsSegment;
pub use space::Space;
pub use successors::{PackedSuccessor, ScoreSuccessor};

pub use crate::turn::{
    MOVES_AGAIN, Position, PositionError, RuleEffect, Turn, TurnError, dice_rolled, memory_names, patterns_in, settle,
    take_test_turn, take_turn,
};

use crate::dice::Weight;
use crate::rules::formula::{Scope, Variable};
use crate::rules::{Faults, Rules};
use action_sets::ActionSets;
use facts::Facts;
use memory::{Classes, Combinations};
use moves::Moves;
use raw::DieSums;
use tabulate::Successors;

/// A set of numbers of dice, one bit for each action of the game from its fewest dice up.
pub type DiceSet = u32;

/// A game ready to be solved: rules tabulated into distributions and successors.
#[derive(Debug)]
pub struct Game {
    rules: Rules,
    /// One player's memories, and the shared ones.
    mine: (Combinations, Classes),
    shared: (Combinations, Classes),
    moves: Moves,
    /// What one die of a clean roll brings: points and weights.
    dice: Vec<DieSums>,
    facts: Facts,
}

/// Why rules were not made into a game.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// They do not make one.
    #[error(transparent)]
    Faulty(#[from] Faults),
    /// Whoever was asked whether to go on said no.
    #[error("stopped before the end")]
    Stopped,
}

/// Asked between parts of the work whether to go on.
#[derive(Clone, Copy)]
struct GoOn<'a>(&'a dyn Fn() -> bool);

impl GoOn<'_> {
    fn ask(self) -> Result<(), GameError> {
        if (self.0)() { Ok(()) } else { Err(GameError::Stopped) }
    }
}

impl Game {
    /// Tabulates rules into a game.
    ///
    /// # Errors
    /// If a rule has no value somewhere, leaves its range, the game cannot end, or it is too large.
    pub fn new(rules: Rules) -> Result<Self, Faults> {
        Self::watched(rules, &|| true).map_err(|error| match error {
            GameError::Faulty(faults) => faults,
            GameError::Stopped => unreachable!("it is always to go on"),
        })
    }

    /// The same, stopped where `go_on` says no; it is asked between parts of the work that take little time.
    ///
    /// # Errors
    /// As [`Self::new`], or if it is stopped.
    pub fn watched(rules: Rules, go_on: &dyn Fn() -> bool) -> Result<Self, GameError> {
        let go_on = GoOn(go_on);
        limits::refuse_large(&rules)?;
        let classes = classes::score_classes(&rules, go_on)?;
        let distributions = distributions::distributions(&rules, &classes, go_on)?;
        let Successors { tables, of_context } = tabulate::successors(&rules, &distributions, go_on)?;
        let memories = memory::join_memories(&distributions, &of_context);
        let sets = action_sets::action_sets((&classes, &memories), &distributions, &of_context);
        let ActionSets { grid, sets, dice } = sets.map_err(|_| {
            let message = "a pair of scores has more than 65,536 kinds of turns or of what they lead to".to_owned();
            rules.fault(None, message, "lower the memories' max")
        })?;
        let space = Space {
            goal: rules.goal as usize,
            mine: memories.mine.count(),
            shared: memories.shared.count(),
            actions: (rules.max_dice - rules.min_dice + 1) as usize,
            min_dice: rules.min_dice,
        };
        limits::refuse_many_states(&rules, &space)?;
        let by_opponent = grid.by_opponent();
        let moves = Moves { space, grid, by_opponent, sets, tables };
        let facts = facts::facts(&moves).map_err(|fault| fault.told(&rules))?;
        let (mine, shared) = ((distributions.mine, memories.mine), (distributions.shared, memories.shared));
        Ok(Self { rules, mine, shared, moves, dice, facts })
    }

    /// The rules it was made from.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The sizes of its state space.
    pub fn space(&self) -> Space {
        self.moves.space
    }

    /// How the sum of scores moves.
    pub fn order(&self) -> Order {
        self.facts.order
    }

    /// The most that a turn raises the sum of scores by, if it does not end the game; at least 1.
    pub fn most_increment(&self) -> usize {
        self.facts.reach
    }

    /// What one die of a clean roll can bring, with weights: one list for each kind of die and extra points.
    pub fn die_sums(&self) -> &[Vec<(u32, Weight)>] {
        &self.dice
    }

    /// Calls `see` where outcomes of a kind do not lead to the opponent with the totals as they are after adding the points, or
    /// to a win where those reach the goal: with each such opponent's score and total, in ascending order of both, and where
    /// the points of a turn lead that brings the total there, most points first.
    pub fn each_exceptional(&self, outcome: &TurnOutcome, see: impl FnMut(usize, usize, &[PointsSegment])) {
        self.moves.table(outcome).each_exceptional(see);
    }

    /// The action set of a cell.
    #[inline(always)]
    pub fn action_set(&self, cell: usize) -> &CellActions {
        self.moves.at(cell)
    }

    /// The index of a cell's action set in [`Self::action_sets`].
    #[inline(always)]
    pub fn action_set_number(&self, cell: usize) -> usize {
        self.moves.number(cell)
    }

    /// The index of the action set of a pair of scores in [`Self::action_sets`]: as [`Self::action_set_number`] of their cell,
    /// without its division.
    #[inline(always)]
    pub fn action_set_number_at(&self, score: usize, opponent: usize) -> usize {
        self.moves.number_at(score, opponent)
    }

    /// The indices in [`Self::action_sets`] by the opponent's score, as many as the goal, if action sets do not depend on
    /// the own score; `None` if it does.
    pub fn action_sets_by_opponent(&self) -> Option<&[u16]> {
        self.moves.by_opponent.as_deref()
    }

    /// All action sets.
    pub fn action_sets(&self) -> &[CellActions] {
        &self.moves.sets
    }

    /// What an action leads to in a state: the outcomes at the cell, and the distribution over them.
    pub fn distribution(&self, state: usize, action: usize) -> (&DistributionSet, &OutcomeDistribution) {
        let (cell, memories) = self.moves.space.parts(state);
        let action_set = self.action_set(cell);
        let set = &action_set.by_shared[memories.0];
        (set, &set.distributions[usize::from(action_set.distributions(&self.moves.space, memories)[action])])
    }

    /// Where an outcome leads from a cell.
    #[inline(always)]
    pub fn successor(&self, cell: usize, outcome: &TurnOutcome) -> Successor {
        self.moves.successor(cell, outcome)
    }

    /// What the outcomes of an action lead to from a state, as [`Space::after`] tells it, each with its weight.
    #[inline]
    pub fn weighted_successors(
        &self,
        state: usize,
        action: usize,
    ) -> impl Iterator<Item = (Weight, Result<(usize, bool), End>)> + use<'_> {
        let (space, (set, distribution)) = (self.moves.space, self.distribution(state, action));
        let (cell, (_, _, theirs)) = space.parts(state);
        distribution.outcomes.iter().map(move |(place, weight)| {
            (*weight, space.after(theirs, self.successor(cell, &set.outcomes[usize::from(*place)])))
        })
    }

    /// The state of a position.
    pub fn state(&self, position: &Position) -> usize {
        let scope = position.scope(&self.rules);
        let [mine, theirs] = [Variable::memory, Variable::opponent_memory].map(|variable: fn(usize) -> Variable| {
            self.mine.1.class_of[self.mine.0.index(|memory| scope.get(variable(memory)))]
        });
        let shared = self.shared.1.class_of[self.shared.0.index(|memory| scope.get(Variable::memory(memory)))];
        let cell = position.score as usize * self.moves.space.goal + position.opponent as usize;
        self.moves.space.state(cell, shared as usize, theirs as usize, mine as usize)
    }

    /// The state in which the game starts.
    pub fn start(&self) -> usize {
        self.state(&Position::new(&self.rules, 0, 0).expect("0 is below every goal"))
    }

    /// A position of a state: memories that behave alike are shown by the smallest.
    pub fn position(&self, state: usize) -> Position {
        let (cell, (shared, mine, theirs)) = self.moves.space.parts(state);
        let (mut scope, goal) = (Scope::default(), self.moves.space.goal);
        let smallest = |classes: &Classes, class: usize| classes.representative[class];
        self.mine.0.write(smallest(&self.mine.1, mine), &mut scope, Variable::memory);
        self.mine.0.write(smallest(&self.mine.1, theirs), &mut scope, Variable::opponent_memory);
        self.shared.0.write(smallest(&self.shared.1, shared), &mut scope, Variable::memory);
        let memory = self.rules.vocabulary().memories().iter().map(|variable| scope.get(variable)).collect();
        Position { score: (cell / goal) as u32, opponent: (cell % goal) as u32, memory }
    }
}
