//! The whole game read from its rules: which draws each cell has, and where every turn leads.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::dice::Weight;
use crate::game::{Game, Position, Space};
use crate::rules::Hook;
use crate::rules::formula::{Variable, VariableSet};

use super::draws::{Draw, Draws, ON_TOTALS, Scored, reads};
use super::totals::{Successor, Totals};
use super::{CheckError, Steps};

/// The most successors that are tabulated.
const MOST_SUCCESSORS: usize = 1 << 24;
/// The most states that are read.
const MOST_STATES: usize = 200_000_000;

/// The draws of all actions at some cells.
pub(super) struct ActionSet {
    /// The draws, each once.
    pub draws: Vec<Draw>,
    /// Which of `draws` an action is, by kind of memory and action.
    pub choice: Vec<u32>,
    /// The points with their contexts, each once.
    pub outcomes: Vec<(u32, u32)>,
    /// For each draw and each of its groups of rolls, which of `outcomes` it is.
    pub outcome_of: Vec<Vec<u32>>,
}

/// Whether turns can leave the sum of scores as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stays {
    /// None does.
    Never,
    /// Some surely do; none does by chance.
    Surely,
    /// Some do by chance.
    ByChance,
    /// Some even lower it.
    Returning,
}

/// A game as its rules say, one turn after the other.
pub(super) struct Reading {
    pub space: Space,
    /// For each place among the states of a cell, the number of the values that formulas read of its memories.
    pub kind: Vec<u32>,
    action_sets: Vec<ActionSet>,
    action_set_of_cell: Vec<u32>,
    totals: Totals,
    /// For each opponent's score the successors by context and total; empty if there are too many.
    successors: Vec<Vec<Option<Successor>>>,
    /// One more than the highest total.
    width: usize,
    /// The rolls of all draws, each number once.
    pub rolls: Vec<Weight>,
    /// The most groups of rolls that a draw has.
    pub groups: usize,
    pub stays: Stays,
    /// The most by which a turn raises the sum of scores.
    pub reach: usize,
}

impl Reading {
    pub fn new(game: &Game, steps: &Steps) -> Result<Self, CheckError> {
        let space = game.space();
        if space.states() > MOST_STATES {
            return Err(CheckError::TooLarge(format!("more than {MOST_STATES} states are not checked")));
        }
        let mut draws = Draws::new(game);
        super::memories::check(game, &mut draws, steps)?;
        let (kind, memories) = kinds(game, draws.memory());
        let mut action_sets = ActionSets::default();
        let mut action_set_of_cell = Vec::with_capacity(space.goal * space.goal);
        for score in 0..space.goal as u32 {
            steps.report(0)?;
            for opponent in 0..space.goal as u32 {
                action_set_of_cell.push(action_sets.number(&mut draws, (score, opponent), &memories, space)?);
            }
        }
        let (draws, totals) = draws.into_parts();
        let most_points = draws.iter().flat_map(|draw| &draw.scored).map(|scored| scored.points).max().unwrap_or(0);
        let width = space.goal + most_points as usize;
        // Where the score before the turn matters, or all of a turn, tables would hold each turn once for its one use.
        let reads_before = reads(game.rules(), &ON_TOTALS).holds(Variable::SCORE_BEFORE);
        let entries = totals.contexts.len().saturating_mul(width).saturating_mul(space.goal);
        let tabulated = !reads_before && entries <= MOST_SUCCESSORS;
        let mut rolls: Vec<Weight> = draws.iter().map(|draw| draw.total).collect();
        rolls.sort_unstable();
        rolls.dedup();
        let mut reading = Self {
            space,
            kind,
            action_sets: action_sets.listed.into_iter().map(|of_actions| action_set(&draws, of_actions)).collect(),
            action_set_of_cell,
            totals,
            successors: Vec::new(),
            width,
            rolls,
            groups: draws.iter().map(|draw| draw.scored.len()).max().unwrap_or(0),
            stays: Stays::Never,
            reach: 0,
        };
        let columns = (0..space.goal).into_par_iter().map(|opponent| reading.column(opponent, tabulated));
        for column in columns.collect::<Result<Vec<Column>, _>>()? {
            reading.stays = reading.stays.max(column.stays);
            reading.reach = reading.reach.max(column.reach);
            reading.successors.push(column.successors);
        }
        Ok(reading)
    }

    /// Where `points` in a context arrive from a cell.
    pub fn successor(&self, cell: usize, (points, context): (u32, u32)) -> Result<Successor, CheckError> {
        let (score, opponent) = (cell / self.space.goal, cell % self.space.goal);
        let place = context as usize * self.width + score + points as usize;
        let known = self.successors.get(opponent).and_then(|column| *column.get(place)?);
        known.map_or_else(|| self.totals.successor(score, opponent, points, context), Ok)
    }

    /// The draws of all actions at a cell.
    pub fn action_set(&self, cell: usize) -> &ActionSet {
        &self.action_sets[self.action_set_of_cell[cell] as usize]
    }

    /// The successors of all turns against one opponent's score.
    fn column(&self, opponent: usize, tabulated: bool) -> Result<Column, CheckError> {
        let size = if tabulated { self.totals.contexts.len() * self.width } else { 0 };
        let mut column = Column { successors: vec![None; size], stays: Stays::Never, reach: 0 };
        for score in 0..self.space.goal {
            let cell = score * self.space.goal + opponent;
            let action_set = self.action_set(cell);
            let mut successors = Vec::with_capacity(action_set.outcomes.len());
            for (points, context) in &action_set.outcomes {
                let place = *context as usize * self.width + score + *points as usize;
                let known = column.successors.get(place).copied().flatten();
                let successor = known.map_or_else(|| self.totals.successor(score, opponent, *points, *context), Ok)?;
                if let Some(entry) = column.successors.get_mut(place) {
                    *entry = Some(successor);
                }
                successors.push(successor);
            }
            for outcomes in &action_set.outcome_of {
                for outcome in outcomes {
                    column.meet(self.space, cell, successors[*outcome as usize], outcomes.len() == 1);
                }
            }
        }
        Ok(column)
    }
}

struct Column {
    successors: Vec<Option<Successor>>,
    stays: Stays,
    reach: usize,
}

impl Column {
    fn meet(&mut self, space: Space, cell: usize, successor: Successor, surely: bool) {
        let (Successor::Passed(next) | Successor::Again(next)) = successor else { return };
        let (sum, next) = (space.sum(cell), space.sum(next as usize));
        if next == sum {
            self.stays = self.stays.max(if surely { Stays::Surely } else { Stays::ByChance });
        }
        if next < sum {
            self.stays = Stays::Returning;
        }
        self.reach = self.reach.max(next.saturating_sub(sum));
    }
}

/// The different values of memories that formulas read: the kind of each place, and memories of each kind.
fn kinds(game: &Game, variables: &[Variable]) -> (Vec<u32>, Vec<Vec<i64>>) {
    let rules = game.rules();
    let next = rules.memories.iter().map(|memory| memory.next().reads());
    let read = next.fold(reads(rules, Hook::ALL), VariableSet::union);
    let mut numbers: HashMap<Vec<i64>, u32> = HashMap::new();
    let mut memories = Vec::new();
    let kind = (0..game.space().per_cell()).map(|place| {
        let memory = game.position(place).memory;
        let seen = variables.iter().zip(&memory).filter(|(variable, _)| read.holds(**variable));
        let next = memories.len() as u32;
        let number = *numbers.entry(seen.map(|(_, value)| *value).collect()).or_insert(next);
        if number == next {
            memories.push(memory);
        }
        number
    });
    (kind.collect(), memories)
}

/// The draws of all actions, by kind of memory and action, each different list once.
#[derive(Default)]
struct ActionSets {
    numbers: HashMap<Vec<u32>, u32>,
    listed: Vec<Vec<u32>>,
}

impl ActionSets {
    fn number(
        &mut self,
        draws: &mut Draws,
        (score, opponent): (u32, u32),
        memories: &[Vec<i64>],
        space: Space,
    ) -> Result<u32, CheckError> {
        let mut of_actions = Vec::with_capacity(memories.len() * space.actions);
        let mut position = Position { score, opponent, memory: Vec::new() };
        for memory in memories {
            position.memory.clone_from(memory);
            for action in 0..space.actions {
                of_actions.push(draws.draw(&position, space.dice(action))?);
            }
        }
        if let Some(number) = self.numbers.get(&of_actions) {
            return Ok(*number);
        }
        let next = self.listed.len() as u32;
        self.listed.push(of_actions.clone());
        self.numbers.insert(of_actions, next);
        Ok(next)
    }
}

fn action_set(draws: &[Draw], of_actions: Vec<u32>) -> ActionSet {
    let distinct: Vec<u32> = of_actions.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    let choice = of_actions.iter().map(|draw| distinct.partition_point(|known| known < draw) as u32).collect();
    let draws: Vec<Draw> = distinct.iter().map(|number| draws[*number as usize].clone()).collect();
    let all = draws.iter().flat_map(|draw| &draw.scored).map(|scored| (scored.points, scored.context));
    let outcomes: Vec<(u32, u32)> = all.collect::<BTreeSet<_>>().into_iter().collect();
    let outcome_of = draws.iter().map(|draw| {
        let outcome =
            |scored: &Scored| outcomes.partition_point(|known| *known < (scored.points, scored.context)) as u32;
        draw.scored.iter().map(outcome).collect()
    });
    let outcome_of = outcome_of.collect();
    ActionSet { draws, choice, outcomes, outcome_of }
}
