//! The patterns that dice show, from sorted rolls, which are enumerated by adding one die at a
//! time.

use std::collections::BTreeMap;

use hog_rules::dice::{Die, Weight};
use hog_rules::rules::formula::{FACES_COUNTED, Variable, VariableSet};

/// The rolls of one kind of dice, by their faces in ascending order, with the number of rolls that
/// show these faces.
pub(super) struct SortedRolls {
    die: Die,
    dice: u32,
    rolls: BTreeMap<Vec<u32>, Weight>,
}

impl SortedRolls {
    /// Creates the rolls of no dice.
    pub fn new(die: Die) -> Self {
        Self { die, dice: 0, rolls: BTreeMap::from([(Vec::new(), 1)]) }
    }

    /// Returns the rolls of `dice` dice, whose number must fit in a weight. Continues from the
    /// rolls of the call before, unless they have more dice.
    pub fn of(&mut self, dice: u32) -> &BTreeMap<Vec<u32>, Weight> {
        if dice < self.dice {
            *self = Self::new(self.die.clone());
        }
        for _ in self.dice..dice {
            let mut longer = BTreeMap::new();
            for (roll, count) in &self.rolls {
                for face in (1..=self.die.sides() as u32).filter(|face| self.die.weight(*face) > 0)
                {
                    let mut roll: Vec<u32> = roll.clone();
                    roll.insert(roll.partition_point(|known| *known < face), face);
                    *longer.entry(roll).or_insert(0) += count * Weight::from(self.die.weight(face));
                }
            }
            self.rolls = longer;
        }
        self.dice = dice;
        &self.rolls
    }
}

/// Returns the values, for a sorted roll, of the pattern variables in `reads`.
pub(super) fn patterns(roll: &[u32], reads: VariableSet) -> Vec<(Variable, i64)> {
    let alike: Vec<usize> = roll.chunk_by(|a, b| a == b).map(<[u32]>::len).collect();
    let mut different = roll.to_vec();
    different.dedup();
    let runs = different.chunk_by(|a, b| a + 1 == *b).map(<[u32]>::len);
    let named = [
        (Variable::HIGHEST, *roll.last().unwrap_or(&0) as usize),
        (Variable::LOWEST, *roll.first().unwrap_or(&0) as usize),
        (Variable::DISTINCT, different.len()),
        (Variable::OF_A_KIND, alike.iter().copied().max().unwrap_or(0)),
        (Variable::PAIRS, alike.iter().map(|dice| dice / 2).sum()),
        (Variable::STRAIGHT, runs.max().unwrap_or(0)),
    ];
    let counts = (1..=FACES_COUNTED).map(|face| {
        (Variable::count(face), roll.iter().filter(|shown| **shown == u32::from(face)).count())
    });
    let all = named.into_iter().chain(counts).filter(|(variable, _)| reads.holds(*variable));
    all.map(|(variable, value)| (variable, value as i64)).collect()
}
