//! The complete game, as read from its rules: the distributions of each cell, and the successor of
//! every turn.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use hog_rules::dice::Weight;
use hog_rules::rules::Hook;
use hog_rules::rules::Rules;
use hog_rules::rules::formula::{Variable, VariableSet};
use hog_rules::states::{Space, States};
use hog_rules::turn::Position;

use super::distributions::{Distribution, Distributions, Scored};
use super::error::{CheckError, Steps};
use super::limits;
use super::totals::{Successor, Totals};

/// The distributions of all actions in some cells.
pub(super) struct ActionSet {
    /// The distinct distributions.
    pub distributions: Vec<Distribution>,
    /// The index in `distributions` of each action, by class of memories and action.
    pub choice: Vec<u32>,
    /// The distinct pairs of points and context.
    pub outcomes: Vec<(u32, u32)>,
    /// For each distribution and each of its outcomes, the index in `outcomes`.
    pub outcome_of: Vec<Vec<u32>>,
}

/// Whether turns can leave the sum of scores unchanged, or lower it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cycles {
    /// Every turn raises the sum.
    None,
    /// Some turns leave it unchanged, all of them with certainty.
    Deterministic,
    /// Some turns leave it unchanged by chance.
    Random,
    /// Some turns lower it.
    Recurrent,
}

/// A game, as its rules define it turn by turn.
pub(super) struct Reading {
    pub space: Space,
    /// The class of the memories at each place of a cell: memories of one class have the same
    /// values for all formulas.
    pub memory_class: Vec<u32>,
    action_sets: Vec<ActionSet>,
    action_set_of_cell: Vec<u32>,
    totals: Totals,
    /// The successors by opponent's score, then by context and total; empty if they are not
    /// tabulated.
    successors: Vec<Vec<Option<Successor>>>,
    /// One more than the highest total.
    width: usize,
    /// The distinct totals of all distributions, ascending.
    pub rolls: Vec<Weight>,
    /// The most outcomes of a distribution.
    pub most_outcomes: usize,
    pub cycles: Cycles,
    /// Whether players choose after a roll which dice to keep.
    pub has_menus: bool,
    /// The most by which a turn raises the sum of scores.
    pub most_increment: usize,
}

impl Reading {
    pub fn new(rules: &Rules, states: &States, steps: &Steps) -> Result<Self, CheckError> {
        let space = states.space();
        if space.states() > limits::STATES {
            return Err(CheckError::TooLarge(format!(
                "more than {} states are not checked",
                limits::STATES
            )));
        }
        let mut distributions = Distributions::new(rules, states);
        super::memories::check(rules, states, &mut distributions, steps)?;
        let (memory_class, memories) = memory_classes(rules, states, distributions.memory());
        let mut action_sets = ActionSets::default();
        let action_set_of_cell =
            action_sets.of_cells(&mut distributions, &memories, space, steps)?;
        let (distributions, totals) = distributions.into_parts();
        let mut most_points = 0;
        let mut most_outcomes = 0;
        let mut rolls: Vec<Weight> = Vec::with_capacity(distributions.len());
        for distribution in &distributions {
            let points = distribution.scored.iter().map(|scored| scored.points);
            most_points = most_points.max(points.max().unwrap_or(0));
            most_outcomes = most_outcomes.max(distribution.scored.len());
            rolls.push(distribution.total);
        }
        rolls.sort_unstable();
        rolls.dedup();
        let width = space.goal + most_points as usize;
        // If rules on totals read the score before the turn, context and total do not determine the
        // successor.
        let reads_before = rules.read_by(&Hook::ON_TOTALS).holds(Variable::SCORE_BEFORE);
        let entries = totals.contexts.len().saturating_mul(width).saturating_mul(space.goal);
        let tabulated = !reads_before && entries <= limits::TABULATED_SUCCESSORS;
        let sets = action_sets.listed.into_iter();
        let mut reading = Self {
            space,
            memory_class,
            action_sets: sets.map(|of_actions| action_set(&distributions, of_actions)).collect(),
            action_set_of_cell,
            totals,
            successors: Vec::new(),
            width,
            rolls,
            most_outcomes,
            cycles: Cycles::None,
            has_menus: rules.keeps_dice(),
            most_increment: 0,
        };
        reading.read_columns(tabulated)?;
        Ok(reading)
    }

    /// Reads where the outcomes lead, and tabulates it if that is asked for.
    fn read_columns(&mut self, tabulated: bool) -> Result<(), CheckError> {
        let columns =
            (0..self.space.goal).into_par_iter().map(|opponent| self.column(opponent, tabulated));
        for column in columns.collect::<Result<Vec<ColumnReading>, _>>()? {
            self.cycles = self.cycles.max(column.cycles);
            self.most_increment = self.most_increment.max(column.most_increment);
            self.successors.push(column.successors);
        }
        Ok(())
    }

    /// Returns the successor of a turn that scores `points` in a context from a cell.
    pub fn successor(
        &self,
        cell: usize,
        points: u32,
        context: u32,
    ) -> Result<Successor, CheckError> {
        let score = cell / self.space.goal;
        let opponent = cell % self.space.goal;
        let place = context as usize * self.width + score + points as usize;
        let known = self.successors.get(opponent).and_then(|column| *column.get(place)?);
        known.map_or_else(|| self.totals.successor(score, opponent, points, context), Ok)
    }

    /// Returns a bound on the rounding error of a turn's value in doubles: 2^-53 for each addition
    /// of an outcome, and 16 times as much for rounded values and weights, with a margin (which
    /// also covers the last operations on a loop).
    pub fn turn_error(&self) -> f64 {
        (self.most_outcomes as f64 + 16.0) * f64::EPSILON / 2.0
    }

    /// Returns the distributions of all actions in a cell.
    pub fn action_set(&self, cell: usize) -> &ActionSet {
        &self.action_sets[self.action_set_of_cell[cell] as usize]
    }

    /// Evaluates the successors of all turns against one opponent's score.
    fn column(&self, opponent: usize, tabulated: bool) -> Result<ColumnReading, CheckError> {
        let size = if tabulated { self.totals.contexts.len() * self.width } else { 0 };
        let mut column =
            ColumnReading { successors: vec![None; size], cycles: Cycles::None, most_increment: 0 };
        for score in 0..self.space.goal {
            let cell = score * self.space.goal + opponent;
            let action_set = self.action_set(cell);
            let mut successors = Vec::with_capacity(action_set.outcomes.len());
            for (points, context) in &action_set.outcomes {
                let place = *context as usize * self.width + score + *points as usize;
                let known = column.successors.get(place).copied().flatten();
                let successor = known.map_or_else(
                    || self.totals.successor(score, opponent, *points, *context),
                    Ok,
                )?;
                if let Some(entry) = column.successors.get_mut(place) {
                    *entry = Some(successor);
                }
                successors.push(successor);
            }
            for outcomes in &action_set.outcome_of {
                for outcome in outcomes {
                    column.record(
                        self.space,
                        cell,
                        successors[*outcome as usize],
                        outcomes.len() == 1,
                    );
                }
            }
        }
        Ok(column)
    }
}

struct ColumnReading {
    successors: Vec<Option<Successor>>,
    cycles: Cycles,
    most_increment: usize,
}

impl ColumnReading {
    fn record(&mut self, space: Space, cell: usize, successor: Successor, deterministic: bool) {
        let (Successor::Passed(next) | Successor::Again(next)) = successor else { return };
        let sum = space.sum(cell);
        let next = space.sum(next as usize);
        if next == sum {
            self.cycles =
                self.cycles.max(if deterministic { Cycles::Deterministic } else { Cycles::Random });
        }
        if next < sum {
            self.cycles = Cycles::Recurrent;
        }
        self.most_increment = self.most_increment.max(next.saturating_sub(sum));
    }
}

/// Classes memories by the values that formulas read: returns the class of each place, and one
/// example of each class.
fn memory_classes(
    rules: &Rules,
    states: &States,
    variables: &[Variable],
) -> (Vec<u32>, Vec<Vec<i64>>) {
    let next = rules.memories.iter().map(|memory| memory.next().reads());
    let read = next.fold(rules.read_by(Hook::ALL), VariableSet::union);
    let of_hand = (0..rules.hand.len()).map(|kind| Variable::memory(rules.memory_of_kind(kind)));
    let read = read.union(VariableSet::of(&of_hand.collect::<Vec<_>>()));
    let mut numbers: HashMap<Vec<i64>, u32> = HashMap::new();
    let mut memories = Vec::new();
    let memory_class = (0..states.space().per_cell()).map(|place| {
        let memory = states.position(place).memory;
        let seen = variables.iter().zip(&memory).filter(|(variable, _)| read.holds(**variable));
        let next = memories.len() as u32;
        let number = *numbers.entry(seen.map(|(_, value)| *value).collect()).or_insert(next);
        if number == next {
            memories.push(memory);
        }
        number
    });
    (memory_class.collect(), memories)
}

/// The distinct lists of the distributions of all actions, by class of memories and action.
#[derive(Default)]
struct ActionSets {
    numbers: HashMap<Vec<u32>, u32>,
    listed: Vec<Vec<u32>>,
}

impl ActionSets {
    /// Returns the numbers of the lists of all cells.
    fn of_cells(
        &mut self,
        distributions: &mut Distributions,
        memories: &[Vec<i64>],
        space: Space,
        steps: &Steps,
    ) -> Result<Vec<u32>, CheckError> {
        let mut numbers = Vec::with_capacity(space.goal * space.goal);
        for score in 0..space.goal as u32 {
            steps.report(0)?;
            for opponent in 0..space.goal as u32 {
                numbers.push(self.number(distributions, score, opponent, memories, space)?);
            }
        }
        Ok(numbers)
    }

    fn number(
        &mut self,
        distributions: &mut Distributions,
        score: u32,
        opponent: u32,
        memories: &[Vec<i64>],
        space: Space,
    ) -> Result<u32, CheckError> {
        let mut of_actions = Vec::with_capacity(memories.len() * space.actions);
        let mut position = Position { score, opponent, memory: Vec::new() };
        for memory in memories {
            position.memory.clone_from(memory);
            for action in 0..space.actions {
                of_actions.push(distributions.distribution(&position, space.dice(action))?);
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

fn action_set(distributions: &[Distribution], of_actions: Vec<u32>) -> ActionSet {
    let distinct: Vec<u32> =
        of_actions.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    let choice = of_actions
        .iter()
        .map(|distribution| distinct.partition_point(|known| known < distribution) as u32)
        .collect();
    let distributions: Vec<Distribution> =
        distinct.iter().map(|number| distributions[*number as usize].clone()).collect();
    let all = distributions.iter().flat_map(|distribution| &distribution.scored);
    let outcomes: BTreeSet<(u32, u32)> = all.map(Scored::outcome).collect();
    let outcomes: Vec<(u32, u32)> = outcomes.into_iter().collect();
    let mut outcome_of = Vec::with_capacity(distributions.len());
    for distribution in &distributions {
        let scored = distribution.scored.iter().map(Scored::outcome);
        let numbers = scored.map(|own| outcomes.partition_point(|known| *known < own) as u32);
        outcome_of.push(numbers.collect());
    }
    ActionSet { distributions, choice, outcomes, outcome_of }
}
