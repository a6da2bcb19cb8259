//! Cells that behave alike: pairs of scores at which the hooks before the totals do the same.
//!
//! A hook is tabulated over just the variables it reads; two cells are alike if their rows are equal. Most games
//! have a few dozen kinds of cells among their ten thousand.

use std::collections::HashMap;
use std::hash::Hash;

use ndarray::{Axis, Slice};

use crate::rules::formula::{Arrays, Cells, Formula, Variable, VariableSet};
use crate::rules::{Hook, Rules};

/// Numbers things in the order they first come up.
#[derive(Debug)]
pub(super) struct Interner<K> {
    numbers: HashMap<K, u32>,
    items: Vec<K>,
}

impl<K: Hash + Eq + Clone> Interner<K> {
    pub fn new() -> Self {
        Self { numbers: HashMap::new(), items: Vec::new() }
    }

    /// The number of `item`.
    pub fn number(&mut self, item: K) -> u32 {
        if let Some(number) = self.numbers.get(&item) {
            return *number;
        }
        let number = self.items.len() as u32;
        self.numbers.insert(item.clone(), number);
        self.items.push(item);
        number
    }

    /// The items by number.
    pub fn into_items(self) -> Vec<K> {
        self.items
    }
}

/// Which cells are alike, for some of the turn's hooks.
pub(super) struct CellClasses {
    /// The class of each cell, `score * goal + opponent`.
    pub class_of: Vec<u32>,
    /// A cell of each class.
    pub representative: Vec<usize>,
}

/// The ranges of variables over which hooks are tabulated.
struct Ranges {
    memories: Vec<(Variable, i64)>,
    dice: std::ops::RangeInclusive<i64>,
    sides: i64,
}

/// Classes of cells by what zero dice (and moves below zero) score.
pub(super) fn zero_dice_classes(rules: &Rules) -> CellClasses {
    let ranges = Ranges { memories: memory_ranges(rules), dice: i64::from(rules.min_dice.min(0))..=0, sides: 1 };
    group(rules, &[(&ranges, &[Hook::ZeroDice, Hook::Points])])
}

/// Classes of cells by everything that decides the points of a roll.
pub(super) fn roll_classes(rules: &Rules, sides: i64) -> CellClasses {
    let dice = Ranges { memories: memory_ranges(rules), dice: 1..=i64::from(rules.max_dice.max(1)), sides };
    let none = Ranges { memories: memory_ranges(rules), dice: 0..=0, sides };
    let clamped = rules.hooked(Hook::MaxDice).next().is_some();
    // A roll that is lowered to no dice scores as those do.
    let instead: &[Hook] = if clamped { &[Hook::ZeroDice] } else { &[] };
    let hooks = &[Hook::MaxDice, Hook::Die, Hook::Bust, Hook::FacePoints, Hook::Points];
    group(rules, &[(&dice, hooks), (&none, instead)])
}

/// The largest number of sides of any die of the game, and the codes of all its dice.
pub(super) fn dice_codes(rules: &Rules) -> Result<Vec<i64>, Vec<usize>> {
    let Some((_, formula)) = rules.hooked(Hook::Die).next() else { return Ok(vec![6]) };
    let ranges = Ranges { memories: memory_ranges(rules), dice: 1..=i64::from(rules.max_dice.max(1)), sides: 1 };
    let (cells, _) = tabulate(rules, formula, &ranges);
    if let Some(index) = cells.first_fault() {
        return Err(index);
    }
    let mut codes: Vec<i64> = cells.values.iter().copied().collect();
    codes.sort_unstable();
    codes.dedup();
    Ok(codes)
}

fn memory_ranges(rules: &Rules) -> Vec<(Variable, i64)> {
    let memories = rules.memories.iter().enumerate();
    memories
        .flat_map(|(i, m)| {
            let theirs = m.of_player.then(|| (Variable::opponent_memory(i), m.max));
            [Some((Variable::memory(i), m.max)), theirs].into_iter().flatten()
        })
        .collect()
}

/// A formula over (score, opponent, everything else it reads).
fn tabulate(rules: &Rules, formula: &Formula, ranges: &Ranges) -> (Cells, usize) {
    let reads = formula.reads();
    let most = *ranges.dice.end();
    let mut others: Vec<(Variable, std::ops::RangeInclusive<i64>)> = vec![
        (Variable::DICE, ranges.dice.clone()),
        (Variable::FACE, 1..=ranges.sides),
        (Variable::ONES_ROLLED, 1..=most.max(1)),
        (Variable::SUM, 1..=(most * ranges.sides).max(1)),
    ];
    others.extend(ranges.memories.iter().map(|(variable, max)| (*variable, 0..=*max)));
    others.retain(|(variable, _)| reads.holds(*variable));
    let goal = i64::from(rules.goal);
    let mut arrays = Arrays::new(2 + others.len());
    arrays.bind_axis(Variable::SCORE, 0, 0..goal);
    arrays.bind_axis(Variable::OPPONENT, 1, 0..goal);
    arrays.bind_constant(Variable::GOAL, goal);
    arrays.bind_constant(Variable::MAX_DICE, i64::from(rules.max_dice));
    for (axis, (variable, range)) in others.iter().enumerate() {
        arrays.bind_axis(*variable, 2 + axis, range.clone());
    }
    (formula.values(&arrays), 2 + others.len())
}

/// Cells at which all these hooks do the same, each over its ranges.
fn group(rules: &Rules, hooks: &[(&Ranges, &[Hook])]) -> CellClasses {
    let goal = rules.goal as usize;
    let scores = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT]);
    let mut kinds = vec![0u32; goal * goal];
    for (ranges, hook) in hooks.iter().flat_map(|(ranges, hooks)| hooks.iter().map(move |hook| (*ranges, hook))) {
        for (_, formula) in rules.hooked(*hook).filter(|(_, f)| !f.reads().is_disjoint(scores)) {
            // Points have no range that could be tabulated beforehand: such a rule tells all its scores apart.
            let rows = if *hook == Hook::Points { raw_rows(formula, goal) } else { rows(rules, formula, ranges) };
            let mut joint = Interner::new();
            kinds.iter_mut().zip(rows).for_each(|(kind, row)| *kind = joint.number((*kind, row)));
        }
    }
    let mut representative = Vec::new();
    for (cell, kind) in kinds.iter().enumerate() {
        if *kind as usize == representative.len() {
            representative.push(cell);
        }
    }
    CellClasses { class_of: kinds, representative }
}

/// For each cell the number of its row of values; cells without a value count as a value of their own.
fn rows(rules: &Rules, formula: &Formula, ranges: &Ranges) -> Vec<u32> {
    let (cells, axes) = tabulate(rules, formula, ranges);
    let mut values = cells.values;
    if let Some(faults) = &cells.faults {
        ndarray::Zip::from(&mut values).and_broadcast(faults).for_each(|value, fault| {
            if *fault != 0 {
                *value = i64::MIN;
            }
        });
    }
    let goal = rules.goal as usize;
    let (tall, wide) = (values.shape()[0], values.shape()[1]);
    let mut interner = Interner::new();
    let mut numbers = vec![0; tall * wide];
    for s in 0..tall {
        for o in 0..wide {
            let row = values.slice_each_axis(|axis| match axis.axis {
                Axis(0) => Slice::from(s..s + 1),
                Axis(1) => Slice::from(o..o + 1),
                _ => Slice::from(..),
            });
            numbers[s * wide + o] = interner.number(row.iter().copied().collect::<Vec<i64>>());
        }
    }
    debug_assert!(axes >= 2, "scores come first");
    let at = |cell: usize| numbers[(cell / goal).min(tall - 1) * wide + (cell % goal).min(wide - 1)];
    (0..goal * goal).map(at).collect()
}

/// A number for each value of the scores that the formula reads.
fn raw_rows(formula: &Formula, goal: usize) -> Vec<u32> {
    let (score, opponent) = (formula.reads().holds(Variable::SCORE), formula.reads().holds(Variable::OPPONENT));
    let number = |cell: usize| if score { cell / goal } else { 0 } * goal + if opponent { cell % goal } else { 0 };
    (0..goal * goal).map(|cell| number(cell) as u32).collect()
}
