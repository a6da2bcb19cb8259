//! The game that rules describe: states, actions, weighted successors, and the facts by which
//! solvers choose a method.
//!
//! A state is two scores and the memories, seen by the player to move. [`Game`] numbers all states
//! densely ([`States`]). For each cell (pair of scores) it holds the distribution of each action in
//! each state, and where the outcomes lead. It is built in phases, each of which uses only the
//! results of earlier ones:
//!
//! | phase | from | to | where |
//! |---|---|---|---|
//! | 0 | rules | [`SizeEstimate`]: the size of the game; games that are too large are refused | `limits` |
//! | 1 | rules applied before the totals | classes of scores that behave alike | `classes`, `grid` |
//! | 2 | one cell of each class | distributions: outcomes with integer weights | `distributions`, `raw` |
//! | 3 | reached totals, rules on totals | tables of successors | `tabulate`, `totals`, `segments`, `successors`; `failure` |
//! | 4 | distributions and tables | classes of memories; action sets | `memory`, `action_sets`, `outcomes`; `moves` |
//! | 5 | action sets and tables | facts: order, largest increment | `facts` |
//!
//! An error in the rules is reported by the phase that detects it, with its place in the file.
//! Turns with given dice need no tables; the module `turn` plays them and defines positions.
//! `policy` defines policies and plans.
//!
//! | word | meaning |
//! |---|---|
//! | cell | a pair of scores, `score * goal + opponent`, seen by the mover |
//! | total | the mover's score with the turn's points added, before the rules on totals |
//! | context | what the rules on totals read apart from totals and points: dice, what was rolled, memories |
//! | outcome | a possible result of an action: its class (a context and the memories after the turn) and points |
//! | regular successor | the opponent moves with the totals as they are, or the mover has won by reaching the goal |
//! | exceptional successor | any other: totals changed or swapped, another end, the same player again |
//! | correction | the change of the sum of the scores made by the rules on totals |
//! | clean sum | the rolls without a 1: their points are a sum over the dice, so their distribution is a convolution |
//! | segment | consecutive numbers of points whose successors differ by a constant step |

mod action_sets;
mod classes;
mod distributions;
mod ending;
pub mod examples;
mod facts;
mod failure;
mod grid;
mod intern;
mod limits;
mod memory;
mod moves;
mod outcomes;
mod raw;
mod segments;
mod successors;
mod tabulate;
#[cfg(test)]
mod tests;
mod totals;

pub use facts::Order;
pub(crate) use intern::Interner;
pub use limits::{SizeEstimate, USUAL_MEMORY};
pub use moves::{End, Successor};
pub use outcomes::{
    CellActions, DistributionSet, OutcomeDistribution, RollConvolution, TurnOutcome,
};
pub use segments::PointsSegment;
pub use successors::{PackedSuccessor, ScoreSuccessor};

pub use crate::policy::{Plan, Policy, PolicyError};
pub use crate::states::{DiceSet, Space, States};
pub use crate::turn::{
    EffectKind, Position, PositionError, RuleEffect, Turn, TurnError, dice_rolled, memory_names,
    patterns_in, settle, take_turn,
};

use crate::dice::Weight;
use crate::rules::{Faults, Rules};
use action_sets::ActionSets;
use facts::Facts;
use moves::Moves;
use raw::DieSums;
use tabulate::Successors;

/// A game ready to be solved: its rules, tabulated as distributions and successors.
#[derive(Debug)]
pub struct Game {
    rules: Rules,
    states: States,
    moves: Moves,
    /// The points and weights of one die of a clean sum, one list for each distinct die.
    dice: Vec<DieSums>,
    facts: Facts,
}

/// Why no game was built from rules.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The rules are invalid.
    #[error(transparent)]
    Faulty(#[from] Faults),
    /// The caller cancelled the work.
    #[error("stopped before the end")]
    Stopped,
}

/// What building a game may take.
#[derive(Clone, Copy)]
struct Budget<'a> {
    /// The most memory for the tables of one phase, in bytes.
    memory: u64,
    /// A callback, called between parts of the work, that returns whether to continue.
    keep_going: &'a (dyn Fn() -> bool + Sync),
}

impl Budget<'_> {
    fn check(self) -> Result<(), GameError> {
        if (self.keep_going)() { Ok(()) } else { Err(GameError::Stopped) }
    }
}

impl Game {
    /// Tabulates rules into a game, whose tables may take [`USUAL_MEMORY`].
    ///
    /// # Errors
    /// Returns an error if a rule has no value or an invalid value somewhere, the game cannot end,
    /// or it is too large.
    pub fn new(rules: Rules) -> Result<Self, Faults> {
        Self::watched(rules, USUAL_MEMORY, &|| true).map_err(|error| match error {
            GameError::Faulty(faults) => faults,
            GameError::Stopped => unreachable!("the callback never cancels"),
        })
    }

    /// Like [`Self::new`], but cancelled as soon as `keep_going` returns false, which is called by
    /// any thread between short parts of the work. A game is too large if the tables of one
    /// phase, by an estimate, take more than `memory` bytes.
    ///
    /// # Errors
    /// Returns the errors of [`Self::new`], and [`GameError::Stopped`] if the work is cancelled.
    pub fn watched(
        rules: Rules,
        memory: u64,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, GameError> {
        let budget = Budget { memory, keep_going };
        limits::refuse_large(&rules)?;
        let classes = classes::score_classes(&rules, budget)?;
        let (distributions, faults) = distributions::distributions(&rules, &classes, budget)?;
        if let (Some(faults), []) = (&faults, &distributions.all[..]) {
            // Without outcomes no total is reached, so the rules on totals cannot fail.
            return Err(faults.clone().into());
        }
        let successors = tabulate::successors(&rules, &distributions, budget);
        let Successors { tables, of_context } = match (faults, successors) {
            (None, successors) => successors?,
            (Some(faults), Err(GameError::Faulty(more))) => return Err(faults.and(more).into()),
            (Some(faults), _) => return Err(faults.into()),
        };
        let memories = memory::join_memories(&distributions, &of_context, budget)?;
        let states = States::new(&rules, memories.mine.clone(), memories.shared.clone());
        let space = states.space();
        limits::refuse_many_states(&rules, &space)?;
        let sets = action_sets::action_sets(
            &rules,
            &classes,
            &memories,
            &distributions,
            &of_context,
            budget,
        );
        let ActionSets { grid, sets, dice } = sets?;
        let by_opponent = grid.by_opponent();
        let moves = Moves { space, grid, by_opponent, sets, tables };
        let facts = facts::facts(&moves).map_err(|error| error.into_faults(&rules))?;
        Ok(Self { rules, states, moves, dice, facts })
    }

    /// The rules that the game was built from.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Estimates the memory that the game takes, in bytes.
    pub fn bytes(&self) -> u64 {
        // The text and what is parsed from it: a formula takes several times its text.
        (8 * self.rules.text.len() + self.moves.bytes()) as u64
    }

    /// The dimensions of the state space.
    pub fn space(&self) -> Space {
        self.moves.space
    }

    /// How turns change the sum of the scores.
    pub fn order(&self) -> Order {
        self.facts.order
    }

    /// An upper bound on the increase of the sum of the scores in a turn that does not end the
    /// game; at least 1.
    pub fn most_increment(&self) -> usize {
        self.facts.most_increment
    }

    /// The points of one die of a clean sum, with their weights: one list for each distinct die.
    pub fn die_sums(&self) -> &[Vec<(u32, Weight)>] {
        &self.dice
    }

    /// Calls `see` for each exceptional successor of an outcome class, in ascending order of the
    /// opponent's score and then of the total: `see(opponent, total, segments)`. The segments
    /// give the successor for each number of points by which a turn can reach that total, those
    /// with the most points first.
    pub fn each_exceptional(
        &self,
        outcome: &TurnOutcome,
        see: impl FnMut(usize, usize, &[PointsSegment]),
    ) {
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

    /// The index in [`Self::action_sets`] of the action set of a pair of scores. Equals
    /// [`Self::action_set_number`] of the cell but needs no division.
    #[inline(always)]
    pub fn action_set_number_at(&self, score: usize, opponent: usize) -> usize {
        self.moves.number_at(score, opponent)
    }

    /// The index in [`Self::action_sets`] for each opponent's score, if the action set does not
    /// depend on the mover's score; otherwise `None`.
    pub fn action_sets_by_opponent(&self) -> Option<&[u16]> {
        self.moves.by_opponent.as_deref()
    }

    /// All action sets.
    pub fn action_sets(&self) -> &[CellActions] {
        &self.moves.sets
    }

    /// The distribution of an action in a state, and the set that holds the outcomes it refers to.
    pub fn distribution(
        &self,
        state: usize,
        action: usize,
    ) -> (&DistributionSet, &OutcomeDistribution) {
        let (cell, (shared, mine, theirs)) = self.moves.space.parts(state);
        let action_set = self.action_set(cell);
        let set = &action_set.by_shared[shared];
        let of_actions = action_set.distributions(&self.moves.space, shared, mine, theirs);
        (set, &set.distributions[usize::from(of_actions[action])])
    }

    /// The successor of a cell under an outcome.
    #[inline(always)]
    pub fn successor(&self, cell: usize, outcome: &TurnOutcome) -> Successor {
        let (score, opponent) = self.moves.space.scores(cell);
        self.moves.successor(score, opponent, outcome)
    }

    /// Equals [`Self::successor`] of the cell of these scores, without a division.
    #[inline(always)]
    pub fn successor_at(&self, score: usize, opponent: usize, outcome: &TurnOutcome) -> Successor {
        self.moves.successor(score, opponent, outcome)
    }

    /// The successors of a state under an action, in the form of [`Successor::after`], each with
    /// its weight.
    #[inline]
    pub fn weighted_successors(
        &self,
        state: usize,
        action: usize,
    ) -> impl Iterator<Item = (Weight, Result<(usize, bool), End>)> + use<'_> {
        let (space, (set, distribution)) = (self.moves.space, self.distribution(state, action));
        let (cell, (_, _, theirs)) = space.parts(state);
        distribution.outcomes.iter().map(move |(place, weight)| {
            (*weight, self.successor(cell, &set.outcomes[usize::from(*place)]).after(space, theirs))
        })
    }

    /// The numbering of the states.
    pub fn states(&self) -> &States {
        &self.states
    }

    /// The state of a position.
    pub fn state(&self, position: &Position) -> usize {
        self.states.state(position)
    }

    /// The state in which the game starts.
    pub fn start(&self) -> usize {
        self.states.start()
    }

    /// A position of a state. Memories are the smallest values of their class.
    pub fn position(&self, state: usize) -> Position {
        self.states.position(state)
    }
}
