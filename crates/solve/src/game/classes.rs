//! Phase 1, from rules to classes of scores: pairs of scores at which the hooks before the totals
//! have equal values.
//!
//! Each hook is tabulated over the variables that it reads; two cells are in one class if the
//! values of all hooks are equal. Most games have a few dozen classes among their ten thousand
//! cells.

use std::ops::{Range, RangeInclusive};

use crate::rules::formula::{Arrays, Cells, FAULT, Formula, Lookups, Variable, VariableSet};
use crate::rules::{Hook, Rules};

use super::grid::{GridRows, ScoreGrid};
use super::intern::Interner;
use super::size;
use super::{Budget, GameError};

/// The classes of pairs of scores that behave alike before the rules on totals.
pub(super) struct ScoreClasses {
    /// Classes for actions that roll no dice: 0 and moves below it.
    pub zero: ScoreGrid,
    /// Classes for actions that roll dice.
    pub roll: ScoreGrid,
}

/// The ranges of variables over which hooks are tabulated.
struct Ranges {
    memories: Vec<(Variable, i64)>,
    dice: RangeInclusive<i64>,
    sides: i64,
}

/// Computes the classes of scores.
///
/// # Errors
/// Returns an error if a formula has too many values, or the work is cancelled.
pub(super) fn score_classes(rules: &Rules, budget: Budget) -> Result<ScoreClasses, GameError> {
    let memories = memory_ranges(rules);
    let fewest = i64::from(rules.min_dice.min(0));
    let no_dice = Ranges { memories: memories.clone(), dice: fewest..=0, sides: 1 };
    let (by_die, sides) = die_classes(rules, budget)?;
    let most_dice = rules.max_dice.max(rules.dice_of_hand() as i32).max(1);
    let dice = Ranges { memories: memories.clone(), dice: 1..=i64::from(most_dice), sides };
    let none = Ranges { memories, dice: 0..=0, sides };
    // A roll that is lowered to no dice scores like the action of no dice.
    let lowered = rules.hooked(Hook::MaxDice).next().is_some();
    let instead: &[Hook] = if lowered { &[Hook::ZeroDice] } else { &[] };
    let hooks = &[
        Hook::MaxDice,
        Hook::MinDice,
        Hook::Keep,
        Hook::Worth,
        Hook::Bust,
        Hook::FacePoints,
        Hook::Points,
    ];
    let roll = by_die.joined(&joint_classes(rules, &[(&dice, hooks), (&none, instead)], budget)?);
    let mut zero = joint_classes(rules, &[(&no_dice, &[Hook::ZeroDice, Hook::Points])], budget)?;
    // An action of no dice that is raised to some dice scores like a roll.
    if rules.hooked(Hook::MinDice).next().is_some() {
        zero = zero.joined(&roll);
    }
    Ok(ScoreClasses { zero, roll })
}

/// The classes of cells by the die that is rolled there, and the largest number of sides.
fn die_classes(rules: &Rules, budget: Budget) -> Result<(ScoreGrid, i64), GameError> {
    let goal = rules.goal as usize;
    let Some((_, formula)) = rules.hooked(Hook::Die).next() else {
        return Ok((ScoreGrid::of_one(goal), 6));
    };
    let ranges = Ranges {
        memories: memory_ranges(rules),
        dice: 1..=i64::from(rules.max_dice.max(1)),
        sides: 1,
    };
    let AllValues { rows, distinct } = evaluate_all(rules, formula, &ranges, budget)?;
    let mut codes = distinct.concat();
    codes.sort_unstable();
    codes.dedup();
    // Faulty dice are reported where they are rolled.
    let sides = codes.into_iter().filter_map(|code| crate::turn::die_of(formula, code).ok());
    Ok((ScoreGrid::new(goal, rows), sides.map(|die| die.sides() as i64).max().unwrap_or(1)))
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

/// The target number of values in one array while a hook is tabulated.
const VALUES_AT_ONCE: usize = 1 << 17;
/// The assumed number of arrays that exist together while a formula is evaluated.
const ARRAYS_AT_ONCE: usize = 16;
/// The memory for a cell in a class of its own, in bytes: its number while two grids are joined.
const BYTES_APART: usize = 48;

/// The variables other than the scores that a formula reads, with their ranges.
fn others(formula: &Formula, ranges: &Ranges) -> Vec<(Variable, RangeInclusive<i64>)> {
    let most = *ranges.dice.end();
    let mut others: Vec<(Variable, RangeInclusive<i64>)> = vec![
        (Variable::DICE, ranges.dice.clone()),
        (Variable::FACE, 1..=ranges.sides),
        (Variable::ONES_ROLLED, 1..=most.max(1)),
        (Variable::SUM, 1..=(most * ranges.sides).max(1)),
    ];
    others.extend(ranges.memories.iter().map(|(variable, max)| (*variable, 0..=*max)));
    others.retain(|(variable, _)| formula.reads().holds(*variable));
    others
}

/// The number of values that a formula has for one score, and the number of scores to tabulate (1
/// if it does not read the score).
fn sizes(rules: &Rules, formula: &Formula, ranges: &Ranges) -> (usize, usize) {
    let reads = formula.reads();
    let goal = rules.goal as usize;
    let width = if reads.holds(Variable::OPPONENT) { goal } else { 1 };
    let others = others(formula, ranges).into_iter().map(|(_, range)| range.count());
    (
        others.fold(width, usize::saturating_mul).max(1),
        if reads.holds(Variable::SCORE) { goal } else { 1 },
    )
}

/// The scores to tabulate, split into parts so that arrays stay small.
fn parts(
    rules: &Rules,
    formula: &Formula,
    ranges: &Ranges,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let (each, scores) = sizes(rules, formula, ranges);
    let together = (VALUES_AT_ONCE / each).max(1);
    (0..scores).step_by(together).map(move |first| first..scores.min(first + together))
}

/// Evaluates a formula over (score, opponent, all other variables that it reads), for some scores.
fn tabulate(
    rules: &Rules,
    lookups: &Lookups,
    formula: &Formula,
    ranges: &Ranges,
    scores: Range<usize>,
) -> Cells {
    let others = others(formula, ranges);
    let (each, all) = sizes(rules, formula, ranges);
    let goal = i64::from(rules.goal);
    let mut arrays = Arrays::new(2 + others.len(), lookups, each.saturating_mul(all));
    arrays.bind_axis(Variable::SCORE, 0, 0..=goal - 1, scores.start as i64..scores.end as i64);
    arrays.bind_axis(Variable::OPPONENT, 1, 0..=goal - 1, 0..goal);
    arrays.bind_constant(Variable::GOAL, goal);
    arrays.bind_constant(Variable::MAX_DICE, i64::from(rules.max_dice));
    for (axis, (variable, range)) in others.iter().enumerate() {
        arrays.bind_axis(*variable, 2 + axis, range.clone(), range.clone());
    }
    formula.values(&arrays).into_owned()
}

/// The classes of cells at which all these hooks have equal values, each tabulated over its ranges.
fn joint_classes(
    rules: &Rules,
    hooks: &[(&Ranges, &[Hook])],
    budget: Budget,
) -> Result<ScoreGrid, GameError> {
    let goal = rules.goal as usize;
    let scores = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT]);
    let hooks =
        hooks.iter().flat_map(|(ranges, hooks)| hooks.iter().map(move |hook| (*ranges, hook)));
    let formulas = hooks.flat_map(|(ranges, hook)| {
        rules.hooked(*hook).map(move |(_, formula)| (ranges, hook, formula))
    });
    let grids = formulas.filter(|(_, _, formula)| !formula.reads().is_disjoint(scores)).map(
        |(ranges, hook, formula)| match hook {
            // The range of points is not known beforehand, and patterns have too many combinations
            // of values: such a rule puts each of the scores that it reads into a class
            // of its own.
            Hook::Points | Hook::Keep | Hook::Worth => all_apart(rules, formula, budget),
            _ if !formula.reads().is_disjoint(VariableSet::patterns()) => {
                all_apart(rules, formula, budget)
            }
            _ => Ok(evaluate_all(rules, formula, ranges, budget)?.rows),
        },
    );
    grids.into_iter().try_fold(
        ScoreGrid::of_one(goal),
        |joint, rows: Result<GridRows, GameError>| {
            budget.check()?;
            Ok(joint.joined(&ScoreGrid::new(goal, rows?)))
        },
    )
}

/// The values of a formula at all cells, distinct values numbered.
struct AllValues {
    /// By score and opponent's score: the number of the values there.
    rows: GridRows,
    /// By number: the values over all combinations of the other variables that it reads.
    distinct: Vec<Vec<i64>>,
}

/// Evaluates a formula at all cells; a missing value counts as a value of its own.
fn evaluate_all(
    rules: &Rules,
    formula: &Formula,
    ranges: &Ranges,
    budget: Budget,
) -> Result<AllValues, GameError> {
    let mut row_of = Vec::new();
    let mut rows = Interner::new();
    let mut width = 1;
    let lookups = Lookups::watched(budget.keep_going);
    let (each, _) = sizes(rules, formula, ranges);
    for scores in parts(rules, formula, ranges) {
        budget.check()?;
        let arrays = rows.count() + ARRAYS_AT_ONCE;
        size::refuse_much_memory(rules, each.saturating_mul(arrays * size_of::<i64>()), budget)?;
        let mut cells = tabulate(rules, &lookups, formula, ranges, scores);
        budget.check()?;
        if let Some(flags) = &cells.flags {
            ndarray::Zip::from(&mut cells.values).and_broadcast(flags).for_each(|value, flags| {
                if *flags == FAULT {
                    *value = i64::MIN;
                }
            });
        }
        for row in cells.values.outer_iter() {
            width = row.shape()[0];
            row_of.push(rows.number(row.iter().copied().collect::<Vec<i64>>()) as u16);
        }
    }
    let mut distinct = Interner::new();
    let mut numbered = Vec::with_capacity(rows.count());
    for row in rows.into_items() {
        let cells = row.chunks_exact(row.len() / width);
        numbered.push(cells.map(|values| distinct.number_of(values, || values.to_vec())).collect());
    }
    let rows = GridRows { row_of, rows: numbered };
    Ok(AllValues { rows, distinct: distinct.into_items() })
}

/// A separate number for each value of the scores that the formula reads.
fn all_apart(rules: &Rules, formula: &Formula, budget: Budget) -> Result<GridRows, GameError> {
    let goal = rules.goal as usize;
    let height = if formula.reads().holds(Variable::SCORE) { goal } else { 1 };
    let width = if formula.reads().holds(Variable::OPPONENT) { goal } else { 1 };
    size::refuse_much_memory(rules, height * width * BYTES_APART, budget)?;
    let numbers: Vec<u32> = (0..(height * width) as u32).collect();
    Ok(GridRows {
        row_of: (0..height).map(|score| score as u16).collect(),
        rows: numbers.chunks_exact(width).map(<[u32]>::to_vec).collect(),
    })
}
