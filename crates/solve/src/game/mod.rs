//! The game that rules describe: states, actions, weighted successors, and the facts by which
//! solvers choose a method.
//!
//! A state is two scores and the memories, seen by the player to move. [`Game`] numbers all states
//! densely ([`States`]). For each cell (pair of scores) it holds the distribution of each action in
//! each state, and where the outcomes lead, in the form in which solvers read them. It is built in
//! phases, each of which uses only the results of earlier ones:
//!
//! 0. The rules give the size of the game ([`most_states`]); a game that is too large is refused
//!    (`size`).
//! 1. The rules applied before the totals give classes of scores that behave alike (`classes`,
//!    `grid`).
//! 2. One cell of each class gives distributions: outcomes with integer weights (`distributions`,
//!    `raw`).
//! 3. The totals that are reached and the rules on them give tables of successors (`tabulate`,
//!    `totals`, `table`; `failure`).
//! 4. Distributions and tables give classes of memories, outcome classes, distributions and action
//!    sets (`memory`, `action_sets`, `outcomes`, `successor`, `successors`, `segments`; `moves`).
//! 5. Action sets and successors give facts: order, largest increment (`facts`).
//!
//! An error in the rules is reported by the phase that detects it, with its place in the file.
//! Turns with given dice need no tables; the module `turn` plays them and defines positions.
//! `policy` defines policies and plans. `planes` lists all totals for algorithms that work cell by
//! cell.
//!
//! | word | meaning |
//! |---|---|
//! | cell | a pair of scores, `score * goal + opponent`, seen by the mover |
//! | total | the mover's score with the turn's points added, before the rules on totals |
//! | context | what else the rules on totals read: dice, what was rolled, memories |
//! | outcome | a result of an action: its class (a context and the memories after it) and points |
//! | stage, column | the sum of both scores, and the opponent's score: together they give a cell |
//! | regular successor | the opponent moves with the totals as they are, or the mover has won |
//! | exceptional successor | any other: totals changed or swapped, another end, the same mover |
//! | correction | the change of the sum of the scores made by the rules on totals |
//! | clean sum | the rolls without a 1: points are a sum over dice, by a convolution |
//! | segment | consecutive columns of a stage whose successors follow one formula |
//!
//! In stage s and column o the mover has s - o points. A turn of p points adds p to the mover's
//! total and keeps the column, so its successor depends only on the outcome class, the stage s + p
//! and the column.

mod action_sets;
mod classes;
mod distributions;
mod ending;
pub mod examples;
mod facts;
mod failure;
mod grid;
mod intern;
mod kept;

mod memory;
mod moves;
mod outcomes;
pub(crate) mod planes;
mod raw;
mod segments;
mod size;
mod successor;
mod successors;
mod table;
mod tabulate;
#[cfg(test)]
mod tests;
mod totals;

use std::sync::Arc;

use facts::Facts;
pub use facts::Order;
pub(crate) use intern::Interner;
pub(crate) use kept::taken;
pub use outcomes::{ActionSet, Distribution, Outcome};
pub(crate) use outcomes::{Convolution, OutcomeClass};
pub(crate) use segments::Segment;
pub use size::{BYTES_A_STATE, USUAL_MEMORY, fewest_states, most_states};
pub(crate) use successor::Cell;
pub use successor::{End, StateParts, Successor};
pub(crate) use successors::ClassSuccessors;

pub use crate::policy::{Plan, Policy, PolicyError};
pub use crate::states::{DiceSet, Space, StateMemories, States};
pub use crate::turn::{
    EffectKind, Keep, Position, PositionError, TurnEffect, TurnError, TurnResult, action_in_words,
    choices, dice_rolled, hand_left, keep_turn, keeps, marked, memory_names, patterns_in,
    points_without_dice, rolls_of_hand, settle, take_turn,
};

use crate::dice::Weight;
use crate::rules::{Faults, Hook, Rules};
use moves::Moves;

/// A game ready to be solved: its rules, tabulated as distributions and successors.
#[derive(Debug)]
pub struct Game {
    rules: Rules,
    states: States,
    moves: Moves,
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
        let in_points = rules;
        // States and tables count scores in steps.
        let rules = in_points.in_steps();
        let rules: &Rules = &rules;
        size::refuse_large(rules)?;
        let classes = classes::score_classes(rules, budget)?;
        let (distributions, faults) = distributions::distributions(rules, &classes, budget)?;
        if let Some(faults) = &faults
            && distributions.all.is_empty()
        {
            // Without outcomes no total is reached, so the rules on totals cannot fail.
            return Err(faults.clone().into());
        }
        let successors = tabulate::successors(rules, &distributions, budget);
        let successors = match (faults, successors) {
            (None, successors) => successors?,
            (Some(faults), Err(GameError::Faulty(more))) => return Err(faults.and(more).into()),
            (Some(faults), _) => return Err(faults.into()),
        };
        let memories = memory::join_memories(&distributions, &successors.of_context, budget)?;
        let states = States::new(&in_points, memories.mine.clone(), memories.shared.clone());
        let space = states.space();
        size::refuse_many_states(rules, &space, budget)?;
        let moves = action_sets::moves(
            rules,
            space,
            &classes,
            &memories,
            &distributions,
            &successors,
            budget,
        )?;
        let facts = facts::facts(&moves).map_err(|error| error.into_faults(rules))?;
        Ok(Self { rules: in_points, states, moves, facts })
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

    /// Further properties of the game.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// All distributions, each once.
    pub fn distributions(&self) -> &[Distribution] {
        &self.moves.distributions
    }

    /// The classes of all outcomes.
    pub(crate) fn classes(&self) -> &[OutcomeClass] {
        &self.moves.classes
    }

    /// The convolutions of clean sums.
    pub(crate) fn convolutions(&self) -> &[Convolution] {
        &self.moves.convolutions
    }

    /// All action sets.
    pub fn action_sets(&self) -> &[ActionSet] {
        &self.moves.action_sets
    }

    /// The index of a cell's action set in [`Self::action_sets`].
    #[inline(always)]
    pub fn action_set_number(&self, cell: usize) -> usize {
        let (score, opponent) = self.moves.space.scores(cell);
        self.moves.number_at(score, opponent)
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

    /// The distribution of each action in a state, as an index into [`Self::distributions`].
    #[inline(always)]
    pub fn actions(&self, state: usize) -> &[u32] {
        let (cell, memories) = self.moves.space.parts(state);
        let set = &self.moves.action_sets[self.action_set_number(cell)];
        set.of(&self.moves.space, memories)
    }

    /// The actions that are choices of their own in a state: see
    /// [`turn::choices`](crate::turn::choices).
    pub fn choices(&self, state: usize) -> DiceSet {
        let all = DiceSet::MAX >> (DiceSet::BITS - self.space().actions as u32);
        // Without such rules no position has to be read.
        if [Hook::MaxDice, Hook::MinDice].iter().all(|hook| self.rules.hooked(*hook).count() == 0) {
            return all;
        }
        choices(&self.rules, &self.position(state)).unwrap_or(all)
    }

    /// The choices that are the same rolls as the actions of a set.
    pub fn choices_in(&self, state: usize, set: DiceSet) -> DiceSet {
        let choices = self.choices(state);
        if set & !choices == 0 {
            return set;
        }
        let space = self.space();
        let rolls = self.actions(state);
        let mut found = 0;
        for choice in space.actions_in(choices) {
            if space.actions_in(set).any(|action| rolls[action] == rolls[choice]) {
                found |= 1 << choice;
            }
        }
        found
    }

    /// Whether each player begins each turn with the memories of the start: no turn leaves others
    /// when it passes to the opponent.
    pub fn begins_turns_anew(&self) -> bool {
        let space = self.space();
        let (_, start) = space.parts(self.start());
        // By action set: the outcomes that leave other memories.
        let mut kept: Vec<Vec<Outcome>> = Vec::with_capacity(self.action_sets().len());
        for set in self.action_sets() {
            let mut of_set = Vec::new();
            for number in set.distinct() {
                for outcome in &self.distributions()[number as usize].outcomes {
                    if usize::from(self.classes()[outcome.class].mine[0]) != start.mine {
                        of_set.push(*outcome);
                    }
                }
            }
            kept.push(of_set);
        }
        (0..space.goal * space.goal).all(|cell| {
            let (score, opponent) = space.scores(cell);
            kept[self.action_set_number(cell)].iter().all(|outcome| {
                let next = self.next(score, opponent, start.mine, outcome);
                !matches!(next, Successor::Next { again: false, .. })
            })
        })
    }

    /// The number of states in which several choices are best, given the best actions of each.
    pub fn ties(&self, best: &[DiceSet]) -> usize {
        let several = best.iter().enumerate().filter(|(_, set)| set.count_ones() > 1);
        several.filter(|(state, set)| self.choices_in(*state, **set).count_ones() > 1).count()
    }

    /// The distribution of an action in a state.
    #[inline(always)]
    pub fn distribution(&self, state: usize, action: usize) -> &Distribution {
        &self.moves.distributions[self.actions(state)[action] as usize]
    }

    /// Where an outcome of a turn leads from a pair of scores; `theirs` is the opponent's memory
    /// class during the turn.
    #[inline(always)]
    pub fn next(
        &self,
        score: usize,
        opponent: usize,
        theirs: usize,
        outcome: &Outcome,
    ) -> Successor<StateParts> {
        self.moves.next(score, opponent, theirs, outcome)
    }

    /// Where an outcome of a turn leads from a state.
    #[inline(always)]
    pub fn successor(&self, state: usize, outcome: &Outcome) -> Successor {
        let StateParts { score, opponent, memories } = StateParts::of(state, &self.moves.space);
        self.next(score, opponent, memories.theirs, outcome)
            .map(|to, _| to.state(&self.moves.space))
    }

    /// The successors of a state under an action, each with its weight. Those to which only a
    /// choice of dice to keep leads have the weight 0.
    #[inline]
    pub fn weighted_successors(
        &self,
        state: usize,
        action: usize,
    ) -> impl Iterator<Item = (Weight, Successor)> + use<'_> {
        let StateParts { score, opponent, memories } = StateParts::of(state, &self.moves.space);
        self.distribution(state, action).outcomes.iter().map(move |outcome| {
            let next = self.next(score, opponent, memories.theirs, outcome);
            (outcome.weight, next.map(|to, _| to.state(&self.moves.space)))
        })
    }

    /// The sum over all cells of a number that their action set has.
    pub(crate) fn in_all_cells(&self, of_set: impl Fn(&ActionSet) -> usize) -> usize {
        let of_sets: Vec<usize> = self.action_sets().iter().map(of_set).collect();
        let cells = 0..self.space().goal * self.space().goal;
        cells.map(|cell| of_sets[self.action_set_number(cell)]).sum()
    }

    /// Keeps one of the outcomes that lead to the same scores.
    pub(crate) fn keep_one_of_alike(&self, outcomes: &mut Vec<Outcome>) {
        outcomes.sort_by_key(|outcome| {
            (Arc::as_ptr(&self.classes()[outcome.class].successors), outcome.points)
        });
        outcomes.dedup_by_key(|outcome| {
            (Arc::as_ptr(&self.classes()[outcome.class].successors), outcome.points)
        });
    }

    /// Returns, for each distribution, whether the plan uses it in any state.
    pub(crate) fn played(&self, plan: &Plan) -> Vec<bool> {
        let space = self.space();
        let mut played = vec![false; self.distributions().len()];
        let mut states = 0..;
        // In the order of states, which is cheaper than decomposing each state's index.
        for cell in 0..space.goal * space.goal {
            let set = &self.action_sets()[self.action_set_number(cell)];
            for (shared, theirs) in (0..space.shared)
                .flat_map(|shared| (0..space.mine).map(move |theirs| (shared, theirs)))
            {
                for (mine, state) in (0..space.mine).zip(&mut states) {
                    let memories = StateMemories { shared, mine, theirs };
                    played[set.of(&space, memories)[plan.action(state)] as usize] = true;
                }
            }
        }
        played
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
