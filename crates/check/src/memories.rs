//! Proves that memories which the game merges into one are equivalent.
//!
//! Two positions are equivalent if every number of dice leads, with the same probabilities, to the
//! same successors from every cell and to next memories that the game merges as well. No play can
//! then distinguish them (a bisimulation; Milner, 1980).

use std::collections::{BTreeMap, HashMap};

use hog_rules::dice::Weight;
use hog_rules::rules::Hook;
use hog_rules::rules::Rules;
use hog_rules::rules::formula::{Variable, VariableSet};
use hog_rules::states::States;
use hog_rules::turn::Position;

use super::distributions::{Distributions, NextMemories};
use super::error::{CheckError, Steps};
use super::totals::Successor;

/// Compares every combination of memories with the one that represents it.
pub(super) fn check<'a>(
    rules: &Rules,
    states: &'a States,
    distributions: &mut Distributions<'a>,
    steps: &Steps,
) -> Result<(), CheckError> {
    let space = states.space();
    if space.mine as i64 == combinations(rules, true)
        && space.shared as i64 == combinations(rules, false)
    {
        return Ok(());
    }
    let read = rules.read_by(&Hook::BEFORE_TOTALS);
    let scores = if read.holds(Variable::SCORE) { rules.goal } else { 1 };
    let opponents = if read.holds(Variable::OPPONENT) { rules.goal } else { 1 };
    let counted = counted(rules, distributions.memory());
    let mut bisimulation =
        Bisimulation { states, distributions, classes: HashMap::new(), class_of: HashMap::new() };
    let mut memory = vec![0; bisimulation.distributions.memory().len()];
    loop {
        steps.report(0)?;
        let shown = states
            .position(states.state(&Position { score: 0, opponent: 0, memory: memory.clone() }))
            .memory;
        if shown != memory {
            for score in 0..scores {
                for opponent in 0..opponents {
                    let one = Position { score, opponent, memory: memory.clone() };
                    let other = Position { score, opponent, memory: shown.clone() };
                    bisimulation.compare(one, other)?;
                }
            }
        }
        if !advance(&counted, &mut memory) {
            return Ok(());
        }
    }
}

/// Returns the number of combinations of the memories of a player, or of those that are shared.
fn combinations(rules: &Rules, of_player: bool) -> i64 {
    let memories = rules.memories.iter().filter(|memory| memory.of_player == of_player);
    memories.map(|memory| memory.max + 1).product()
}

/// Returns the indices of the memories to enumerate, each with its largest value: the opponent's
/// only if a formula reads them.
fn counted(rules: &Rules, variables: &[Variable]) -> Vec<(usize, i64)> {
    let next = rules.memories.iter().map(|definition| definition.next().reads());
    let read = next.fold(rules.read_by(Hook::ALL), VariableSet::union);
    let theirs_matter =
        (0..rules.memories.len()).any(|index| read.holds(Variable::opponent_memory(index)));
    let mut counted = Vec::new();
    for (index, definition) in rules.memories.iter().enumerate() {
        for (variable, counts) in
            [(Variable::memory(index), true), (Variable::opponent_memory(index), theirs_matter)]
        {
            let place = variables.iter().position(|known| *known == variable);
            counted.extend(place.filter(|_| counts).map(|place| (place, definition.max)));
        }
    }
    counted
}

/// Advances to the next combination of values; returns false after the last one.
fn advance(counted: &[(usize, i64)], memory: &mut [i64]) -> bool {
    for (place, max) in counted {
        if memory[*place] < *max {
            memory[*place] += 1;
            return true;
        }
        memory[*place] = 0;
    }
    false
}

/// Compares distributions by their successors and next memories.
struct Bisimulation<'a, 'b> {
    states: &'a States,
    distributions: &'b mut Distributions<'a>,
    /// The number of each distinct list of the successors from all cells: the class of an outcome.
    classes: HashMap<Vec<Successor>, usize>,
    /// The class of each pair of points and context.
    class_of: HashMap<(u32, u32), usize>,
}

/// The number of rolls for each class of successors and next memories; and for each set of these
/// to choose from.
type Behaviour = (
    BTreeMap<(usize, [NextMemories; 2]), Weight>,
    BTreeMap<Vec<(usize, [NextMemories; 2])>, Weight>,
);

impl Bisimulation<'_, '_> {
    fn compare(&mut self, one: Position, other: Position) -> Result<(), CheckError> {
        let space = self.states.space();
        for action in 0..space.actions {
            let dice = space.dice(action);
            let first = self.distributions.distribution(&one, dice)?;
            let second = self.distributions.distribution(&other, dice)?;
            let alike = first == second || self.behaviour(first)? == self.behaviour(second)?;
            if !alike {
                return Err(CheckError::Unlike { one, other, dice });
            }
        }
        Ok(())
    }

    fn behaviour(&mut self, distribution: u32) -> Result<(Weight, Behaviour), CheckError> {
        let distribution = self.distributions.get(distribution).clone();
        let mut behaviour = Behaviour::default();
        let mut kinds = Vec::new();
        for scored in distribution.scored {
            let class = self.class(scored.points, scored.context)?;
            kinds.push((class, scored.memories));
            if scored.weight > 0 {
                *behaviour.0.entry((class, scored.memories)).or_insert(0) += scored.weight;
            }
        }
        for (weight, options) in distribution.menus.iter() {
            let mut options: Vec<_> =
                options.iter().map(|option| kinds[*option as usize]).collect();
            options.sort_unstable();
            options.dedup();
            match options[..] {
                [only] => *behaviour.0.entry(only).or_insert(0) += weight,
                _ => *behaviour.1.entry(options).or_insert(0) += weight,
            }
        }
        Ok((distribution.total, behaviour))
    }

    fn class(&mut self, points: u32, context: u32) -> Result<usize, CheckError> {
        if let Some(class) = self.class_of.get(&(points, context)) {
            return Ok(*class);
        }
        let goal = self.states.space().goal;
        let totals = self.distributions.totals();
        let cells = (0..goal * goal)
            .map(|cell| totals.successor(cell / goal, cell % goal, points, context));
        let successors = cells.collect::<Result<_, _>>()?;
        let next = self.classes.len();
        let class = *self.classes.entry(successors).or_insert(next);
        self.class_of.insert((points, context), class);
        Ok(class)
    }
}
