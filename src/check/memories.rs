//! Proves that memories which the game holds as one play alike.
//!
//! Two positions play alike if each number of dice does the same in both, chance for chance: the same successor from every
//! cell, and next memories that are held as one again. Then no play tells them apart (a bisimulation; Milner, 1980).

use std::collections::{BTreeMap, HashMap};

use crate::dice::Weight;
use crate::game::{Game, Position};
use crate::rules::Hook;
use crate::rules::formula::{Variable, VariableSet};

use super::draws::{Draws, Kept, reads};
use super::totals::Successor;
use super::{CheckError, Steps};

/// Compares every value of the memories with the one that stands for it.
pub(super) fn check<'a>(game: &'a Game, draws: &mut Draws<'a>, steps: &Steps) -> Result<(), CheckError> {
    let rules = game.rules();
    let values = |of_player: bool| -> i64 {
        rules.memories.iter().filter(|memory| memory.of_player == of_player).map(|memory| memory.max + 1).product()
    };
    let space = game.space();
    if space.mine as i64 == values(true) && space.shared as i64 == values(false) {
        return Ok(());
    }
    let before_totals =
        [Hook::MaxDice, Hook::MinDice, Hook::Die, Hook::ZeroDice, Hook::Bust, Hook::FacePoints, Hook::Points];
    let read = reads(rules, &before_totals);
    let scores = |variable| if read.holds(variable) { rules.goal } else { 1 };
    let counted = counted(game, draws.memory());
    let mut twins = Twins { game, draws, kinds: HashMap::new(), kind_of: HashMap::new() };
    let mut memory = vec![0; twins.draws.memory().len()];
    loop {
        steps.report(0)?;
        let shown = game.position(game.state(&Position { score: 0, opponent: 0, memory: memory.clone() })).memory;
        if shown != memory {
            for score in 0..scores(Variable::SCORE) {
                for opponent in 0..scores(Variable::OPPONENT) {
                    let of = |memory: &[i64]| Position { score, opponent, memory: memory.to_vec() };
                    twins.compare(of(&memory), of(&shown))?;
                }
            }
        }
        if !advance(&counted, &mut memory) {
            return Ok(());
        }
    }
}

/// The places of the memories that count, each with its largest value: the opponent's only if a formula reads them.
fn counted(game: &Game, variables: &[Variable]) -> Vec<(usize, i64)> {
    let rules = game.rules();
    let next = rules.memories.iter().map(|kept| kept.next().reads());
    let read = next.fold(reads(rules, Hook::ALL), VariableSet::union);
    let theirs_matter = (0..rules.memories.len()).any(|index| read.holds(Variable::opponent_memory(index)));
    let mut counted = Vec::new();
    for (index, kept) in rules.memories.iter().enumerate() {
        for (variable, counts) in [(Variable::memory(index), true), (Variable::opponent_memory(index), theirs_matter)] {
            let place = variables.iter().position(|known| *known == variable);
            counted.extend(place.filter(|_| counts).map(|place| (place, kept.max)));
        }
    }
    counted
}

/// The next combination of values; false at the end.
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

/// Compares draws by what they do.
struct Twins<'a, 'b> {
    game: &'a Game,
    draws: &'b mut Draws<'a>,
    /// The successors from all cells, numbered.
    kinds: HashMap<Vec<Successor>, usize>,
    /// The kind of some points in a context.
    kind_of: HashMap<(u32, u32), usize>,
}

/// How many rolls lead to the same successors and memories.
type Deeds = BTreeMap<(usize, [Kept; 2]), Weight>;

impl Twins<'_, '_> {
    fn compare(&mut self, one: Position, other: Position) -> Result<(), CheckError> {
        let space = self.game.space();
        for action in 0..space.actions {
            let dice = space.dice(action);
            let (first, second) = (self.draws.draw(&one, dice)?, self.draws.draw(&other, dice)?);
            let alike = first == second || self.deeds(first)? == self.deeds(second)?;
            if !alike {
                return Err(CheckError::Unlike { one, other, dice });
            }
        }
        Ok(())
    }

    fn deeds(&mut self, draw: u32) -> Result<(Weight, Deeds), CheckError> {
        let draw = self.draws.read(draw).clone();
        let mut deeds = Deeds::new();
        for scored in draw.scored {
            let kind = self.kind(scored.points, scored.context)?;
            *deeds.entry((kind, scored.kept)).or_insert(0) += scored.weight;
        }
        Ok((draw.total, deeds))
    }

    fn kind(&mut self, points: u32, context: u32) -> Result<usize, CheckError> {
        if let Some(kind) = self.kind_of.get(&(points, context)) {
            return Ok(*kind);
        }
        let goal = self.game.space().goal;
        let totals = self.draws.totals();
        let cells = (0..goal * goal).map(|cell| totals.successor(cell / goal, cell % goal, points, context));
        let successors = cells.collect::<Result<_, _>>()?;
        let next = self.kinds.len();
        let kind = *self.kinds.entry(successors).or_insert(next);
        self.kind_of.insert((points, context), kind);
        Ok(kind)
    }
}
