//! The memories of a game as dense indices: one for each player, one for what both share.

use crate::rules::Rules;
use crate::rules::formula::{Scope, Variable};

use super::intern::Interner;

/// All combinations of values of some memories, numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Combinations {
    /// Index of each memory among the rules' and its number of values, the last one counting fastest.
    parts: Vec<(usize, usize)>,
}

impl Combinations {
    /// Of the memories that each player has one of.
    pub fn of_players(rules: &Rules) -> Self {
        Self::of(rules, true)
    }

    /// Of the memories that both players share.
    pub fn of_game(rules: &Rules) -> Self {
        Self::of(rules, false)
    }

    fn of(rules: &Rules, of_player: bool) -> Self {
        let memories = rules.memories.iter().enumerate().filter(|(_, m)| m.of_player == of_player);
        Self { parts: memories.map(|(i, m)| (i, m.max as usize + 1)).collect() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.parts.iter().map(|(_, size)| size).product()
    }

    /// The memories' values in combination `index`, as (memory, value).
    pub fn values(&self, mut index: usize) -> Vec<(usize, i64)> {
        let mut values = Vec::with_capacity(self.parts.len());
        for (memory, size) in self.parts.iter().rev() {
            values.push((*memory, (index % size) as i64));
            index /= size;
        }
        values.reverse();
        values
    }

    /// The index of the combination in which each memory has the value that `value_of` gives.
    pub fn index(&self, value_of: impl Fn(usize) -> i64) -> usize {
        self.parts.iter().fold(0, |index, (memory, size)| index * size + value_of(*memory) as usize)
    }

    /// Sets the variables of combination `index`; `variable` names the variable of a memory.
    pub fn write(&self, index: usize, scope: &mut Scope, variable: fn(usize) -> Variable) {
        for (memory, value) in self.values(index) {
            scope.set(variable(memory), value);
        }
    }
}

/// Values that behave alike, joined in classes.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// The class of each value.
    pub class_of: Vec<u32>,
    /// The smallest value of each class.
    pub representative: Vec<usize>,
}

impl Classes {
    /// One class of all values.
    pub fn joined(values: usize) -> Self {
        Self { class_of: vec![0; values], representative: vec![0] }
    }

    /// How many classes there are.
    pub fn count(&self) -> usize {
        self.representative.len()
    }

    /// Splits each class by `signature`; true if there are more classes than before.
    pub fn refine(&mut self, signature: impl Fn(usize) -> Vec<u32>) -> bool {
        let before = self.count();
        let mut numbers = Interner::new();
        self.representative.clear();
        for value in 0..self.class_of.len() {
            let class = numbers.number((self.class_of[value], signature(value)));
            if class as usize == self.representative.len() {
                self.representative.push(value);
            }
            self.class_of[value] = class;
        }
        self.count() > before
    }
}
