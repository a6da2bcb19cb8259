//! One table against a field, state by state: for games that give another turn, change a memory of
//! both players, or may lower the sum of the scores.
//!
//! Reach probabilities are those of [`reach`]. The backward pass goes through the stages from the
//! highest sum down. Where turns may keep or lower the sum, successors that are not passed yet have
//! the values of the pass before, so values converge from pass to pass instead of being exact at
//! once.

use rayon::prelude::*;

use crate::dice::double_of;
use crate::game::{Game, Plan, Space, Successor};
use crate::solve::{SolveError, Watch, reach};

use super::{Ascent, COPIES, Candidate, LESS_MEMORY, Sees, UNREACHED_WEIGHT};

/// A game, and the opponents, each with its share of the games.
pub(super) struct StateProblem<'g> {
    game: &'g Game,
    space: Space,
    sees: Sees,
    opponents: &'g [(Plan, f64)],
    successors: CodedSuccessors,
}

/// Where the outcomes of all actions of all states lead: read once, as the passes go through them
/// again and again.
struct CodedSuccessors {
    /// By distribution and outcome: the chance.
    chances: Vec<Vec<f64>>,
    /// By state and action: the first of its outcomes in `leads_to`.
    starts: Vec<usize>,
    /// A state, times two, plus one if the same player moves again; from [`ENDS`] on how the game
    /// ends, plus twice what that is worth to the opponent.
    leads_to: Vec<u32>,
}

/// See [`CodedSuccessors::leads_to`].
const ENDS: u32 = u32::MAX - 2;

impl CodedSuccessors {
    fn of(game: &Game, watch: &Watch) -> Result<Self, SolveError> {
        let space = game.space();
        let mut chances = Vec::with_capacity(game.distributions().len());
        for distribution in game.distributions() {
            let total = double_of(distribution.total);
            let outcomes = distribution.outcomes.iter();
            chances.push(outcomes.map(|one| double_of(one.weight) / total).collect());
        }
        let mut starts = Vec::with_capacity(space.states() * space.actions);
        let mut leads_to = Vec::new();
        for state in 0..space.states() {
            if state % space.goal == 0 {
                watch.report(0, 1)?;
            }
            let rolls = game.actions(state);
            let first = starts.len();
            for (action, roll) in rolls.iter().enumerate() {
                if let Some(same) = rolls[..action].iter().position(|other| other == roll) {
                    starts.push(starts[first + same]);
                    continue;
                }
                starts.push(leads_to.len());
                for (_, to) in game.weighted_successors(state, action) {
                    leads_to.push(match to {
                        Successor::Next { to, again } => 2 * to as u32 + u32::from(again),
                        Successor::End(end) => ENDS + (2.0 * end.value_to_opponent()) as u32,
                    });
                }
            }
        }
        Ok(Self { chances, starts, leads_to })
    }

    /// A bound on the memory that they take, in bytes.
    fn bytes(game: &Game) -> usize {
        let space = game.space();
        let all = game.in_all_cells(|set| {
            let of_all = set.all().iter().map(|number| &game.distributions()[*number as usize]);
            of_all.map(|distribution| distribution.outcomes.len()).sum()
        });
        size_of::<u32>() * all + size_of::<usize>() * space.states() * space.actions
    }

    /// The value of a roll to its mover, where its outcomes begin at `start`, given the values of
    /// states to the side that moves there.
    fn value(&self, roll: u32, start: usize, own: &[f64], after: &[f64]) -> f64 {
        let chances = &self.chances[roll as usize];
        let mut sum = 0.0;
        for (chance, to) in chances.iter().zip(&self.leads_to[start..][..chances.len()]) {
            let state = (to >> 1) as usize;
            sum += chance
                * match to {
                    ENDS.. => 1.0 - f64::from(to - ENDS) / 2.0,
                    _ if to & 1 == 1 => own[state],
                    _ => 1.0 - after[state],
                };
        }
        sum
    }
}

/// The numbers of a table against one opponent.
#[derive(Clone)]
pub(super) struct StateNumbers {
    /// By side to move and state: its win rate. The solved side is side 0.
    values: [Vec<f64>; 2],
    /// By state of the solved side: the expected number of visits in a game.
    visits: Vec<f64>,
}

/// What a backward pass finds for a cell.
struct CellValues {
    /// By decision: by action, the sum of values times weights; and the sum of the weights.
    sums: Vec<Vec<f64>>,
    weights: Vec<f64>,
    /// By opponent, state and action: the value to the solved side.
    of_actions: Vec<f64>,
    /// By opponent and state: the opponent's value where it moves.
    of_opponents: Vec<f64>,
}

impl<'g> StateProblem<'g> {
    /// Creates the problem for a field of plans with their shares.
    ///
    /// # Errors
    /// Returns an error if the search would take too much memory.
    pub fn new(
        game: &'g Game,
        opponents: &'g [(Plan, f64)],
        sees: Sees,
        watch: &Watch,
    ) -> Result<Self, SolveError> {
        let space = game.space();
        let numbers = 3 * space.states() * size_of::<f64>() * opponents.len();
        let table = space.states() * (1 + size_of::<f32>() * space.actions);
        let bytes = CodedSuccessors::bytes(game) + (numbers + table) * (1 + COPIES);
        watch.admit(bytes as u64, LESS_MEMORY)?;
        if space.states() >= ENDS as usize / 2 {
            let message = format!("{} states are too many to search for a table", space.states());
            return Err(SolveError::TooMuch(message));
        }
        let successors = CodedSuccessors::of(game, watch)?;
        Ok(Self { game, space, sees, opponents, successors })
    }

    /// The number of decisions at a cell.
    fn per_cell(&self) -> usize {
        if self.sees == Sees::Scores { 1 } else { self.space.per_cell() }
    }

    /// Computes how often the states are reached.
    fn reach(
        &self,
        candidate: &mut Candidate<Vec<StateNumbers>>,
        watch: &Watch,
    ) -> Result<(), SolveError> {
        let plan = self.plan(&candidate.table);
        for ((opponent, _), numbers) in self.opponents.iter().zip(&mut candidate.numbers) {
            let plans = [&plan, opponent];
            let reached = reach(self.game, plans, [0.5; 2], &|_, _| false, watch)?;
            [numbers.visits, _] = reached.visits;
        }
        Ok(())
    }

    /// Computes the values of a cell's actions, given those of the states that follow.
    fn values_of(&self, cell: usize, numbers: &[StateNumbers]) -> CellValues {
        let Space { actions, .. } = self.space;
        let per_cell = self.space.per_cell();
        let first = cell * per_cell;
        let mut found = CellValues {
            sums: vec![vec![0.0; actions]; self.per_cell()],
            weights: vec![0.0; self.per_cell()],
            of_actions: Vec::with_capacity(numbers.len() * per_cell * actions),
            of_opponents: Vec::with_capacity(numbers.len() * per_cell),
        };
        for ((opponent, share), numbers) in self.opponents.iter().zip(numbers) {
            let [own, theirs] = &numbers.values;
            for state in first..first + per_cell {
                let values = self.values_of_actions(state, own, theirs);
                let weight = share * (numbers.visits[state] + UNREACHED_WEIGHT);
                let decision = (state - first) % self.per_cell();
                found.weights[decision] += weight;
                for (sum, value) in found.sums[decision].iter_mut().zip(&values) {
                    *sum += weight * value;
                }
                found.of_actions.extend(values);
                let value = self.value_of_action(state, opponent.action(state), theirs, own);
                found.of_opponents.push(value);
            }
        }
        found
    }

    /// The value of each action in a state to its mover, given the values of the states to the side
    /// that moves there.
    fn values_of_actions(&self, state: usize, own: &[f64], after: &[f64]) -> Vec<f64> {
        let rolls = self.game.actions(state);
        let mut values = Vec::with_capacity(rolls.len());
        for (action, roll) in rolls.iter().enumerate() {
            values.push(match rolls[..action].iter().position(|same| same == roll) {
                Some(same) => values[same],
                None => self.value_of_action(state, action, own, after),
            });
        }
        values
    }

    fn value_of_action(&self, state: usize, action: usize, own: &[f64], after: &[f64]) -> f64 {
        let start = self.successors.starts[state * self.space.actions + action];
        self.successors.value(self.game.actions(state)[action], start, own, after)
    }

    /// Improves the decisions of a cell and stores its values; returns how many decisions changed.
    fn settle(
        &self,
        cell: usize,
        found: &CellValues,
        candidate: &mut Candidate<Vec<StateNumbers>>,
    ) -> usize {
        let mut changed = 0;
        for (place, (sums, weight)) in found.sums.iter().zip(&found.weights).enumerate() {
            changed += usize::from(candidate.decide(cell * self.per_cell() + place, sums, *weight));
        }
        let per_cell = self.space.per_cell();
        let mut of_actions = found.of_actions.chunks_exact(self.space.actions);
        let mut of_opponents = found.of_opponents.iter();
        for numbers in &mut candidate.numbers {
            let states = (0..per_cell).zip(&mut of_actions).zip(&mut of_opponents);
            for ((place, values), opponents) in states {
                let decision = cell * self.per_cell() + place % self.per_cell();
                let action = usize::from(candidate.table[decision]);
                numbers.values[0][cell * per_cell + place] = values[action];
                numbers.values[1][cell * per_cell + place] = *opponents;
            }
        }
        changed
    }
}

impl Ascent for StateProblem<'_> {
    type Numbers = Vec<StateNumbers>;

    fn numbers(&self) -> Vec<StateNumbers> {
        let half = vec![0.5; self.space.states()];
        let numbers = StateNumbers { values: [half.clone(), half], visits: Vec::new() };
        vec![numbers; self.opponents.len()]
    }

    fn decisions(&self) -> usize {
        self.space.goal * self.space.goal * self.per_cell()
    }

    fn actions(&self) -> usize {
        self.space.actions
    }

    fn plan(&self, table: &[u8]) -> Plan {
        match self.sees {
            Sees::Scores => Plan::of_scores(self.game.states(), table.to_vec()),
            Sees::State => Plan::from_actions(table.to_vec()),
        }
    }

    fn sweep(
        &self,
        candidate: &mut Candidate<Vec<StateNumbers>>,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(f64, usize), SolveError> {
        self.reach(candidate, &Watch::new(&|_, _| go_on()))?;
        let mut changed = 0;
        for stage in (0..self.space.stages()).rev() {
            if !go_on() {
                return Err(SolveError::Cancelled);
            }
            let cells: Vec<usize> = self.space.stage(stage).collect();
            let numbers = &candidate.numbers;
            let found = cells.par_iter().map(|cell| self.values_of(*cell, numbers));
            let found: Vec<CellValues> = found.collect();
            for (cell, found) in cells.iter().zip(&found) {
                changed += self.settle(*cell, found, candidate);
            }
        }
        let start = self.game.start();
        let shares = self.opponents.iter().zip(&candidate.numbers);
        let rates = shares.map(|((_, share), numbers)| {
            share * (numbers.values[0][start] + 1.0 - numbers.values[1][start]) / 2.0
        });
        Ok((rates.sum(), changed))
    }
}
