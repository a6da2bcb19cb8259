//! Stage 1, from rules to classes of scores: pairs of scores at which the hooks before the totals do the same.
//!
//! A hook is tabulated over just the variables it reads; two cells are alike if their rows are equal. Most games
//! have a few dozen classes among their ten thousand cells.

use std::ops::{Range, RangeInclusive};

use crate::dice::Die;
use crate::rules::formula::{Arrays, Cells, FAULT, Formula, Lookups, Variable, VariableSet};
use crate::rules::{Hook, Rules};

use super::grid::{GridRows, ScoreGrid};
use super::intern::Interner;
use super::{GameError, GoOn};

/// Pairs of scores that behave alike before the rules on totals.
pub(super) struct ScoreClasses {
    /// By what no dice (and moves below zero) score.
    pub zero: ScoreGrid,
    /// By everything that decides the points of a roll.
    pub roll: ScoreGrid,
}

/// The ranges of variables over which hooks are tabulated.
struct Ranges {
    memories: Vec<(Variable, i64)>,
    dice: RangeInclusive<i64>,
    sides: i64,
}

/// The classes of scores.
///
/// # Errors
/// If a die has no value somewhere, or cannot be rolled, or the work is stopped.
pub(super) fn score_classes(rules: &Rules, go_on: GoOn) -> Result<ScoreClasses, GameError> {
    let memories = || memory_ranges(rules);
    let no_dice = Ranges { memories: memories(), dice: i64::from(rules.min_dice.min(0))..=0, sides: 1 };
    let (by_die, sides) = die_classes(rules, go_on)?;
    let dice = Ranges { memories: memories(), dice: 1..=i64::from(rules.max_dice.max(1)), sides };
    let none = Ranges { memories: memories(), dice: 0..=0, sides };
    // A roll that is lowered to no dice scores as those do.
    let lowered = rules.hooked(Hook::MaxDice).next().is_some();
    let instead: &[Hook] = if lowered { &[Hook::ZeroDice] } else { &[] };
    let hooks = &[Hook::MaxDice, Hook::MinDice, Hook::Bust, Hook::FacePoints, Hook::Points];
    let roll = by_die.joined(&group(rules, &[(&dice, hooks), (&none, instead)], go_on)?);
    let mut zero = group(rules, &[(&no_dice, &[Hook::ZeroDice, Hook::Points])], go_on)?;
    // No dice that are raised to some score as those do.
    if rules.hooked(Hook::MinDice).next().is_some() {
        zero = zero.joined(&roll);
    }
    Ok(ScoreClasses { zero, roll })
}

/// Classes of cells by the die that is rolled there, and the most sides of any.
fn die_classes(rules: &Rules, go_on: GoOn) -> Result<(ScoreGrid, i64), GameError> {
    let goal = rules.goal as usize;
    let Some((rule, formula)) = rules.hooked(Hook::Die).next() else { return Ok((ScoreGrid::of_one(goal), 6)) };
    let ranges = Ranges { memories: memory_ranges(rules), dice: 1..=i64::from(rules.max_dice.max(1)), sides: 1 };
    let Kinds { rows, kinds, first_fault } = kinds(rules, formula, &ranges, go_on)?;
    if let Some((score, opponent)) = first_fault {
        let message = format!("the die has no value at {score}-{opponent}");
        return Err(rules.fault(Some(rule), message, "guard it, as in `opponent == 0 ? 6 : ...`").into());
    }
    let mut codes = kinds.concat();
    codes.sort_unstable();
    codes.dedup();
    let sides = |code| crate::turn::die_of(formula, code).map(|die: Die| die.sides() as i64);
    let sides: Result<Vec<i64>, _> = codes.into_iter().map(sides).collect();
    let sides = sides.map_err(|error| rules.fault(Some(rule), error.to_string(), "give the die other sides"))?;
    Ok((ScoreGrid::new(goal, rows), sides.into_iter().max().unwrap_or(1)))
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

/// Values of one array while a hook is tabulated.
const VALUES_AT_ONCE: usize = 1 << 17;

/// Variables beside the scores that a formula reads, with their ranges.
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

/// How many values a formula has for one score and for how many scores it has others: for the score 0 alone if it does not
/// read it.
fn sizes(rules: &Rules, formula: &Formula, ranges: &Ranges) -> (usize, usize) {
    let (reads, goal) = (formula.reads(), rules.goal as usize);
    let wide = if reads.holds(Variable::OPPONENT) { goal } else { 1 };
    let others = others(formula, ranges).into_iter().map(|(_, range)| range.count());
    (others.fold(wide, usize::saturating_mul).max(1), if reads.holds(Variable::SCORE) { goal } else { 1 })
}

/// The scores in parts, so that no large array is made.
fn parts(rules: &Rules, formula: &Formula, ranges: &Ranges) -> impl Iterator<Item = Range<usize>> + use<> {
    let (each, scores) = sizes(rules, formula, ranges);
    let together = (VALUES_AT_ONCE / each).max(1);
    (0..scores).step_by(together).map(move |first| first..scores.min(first + together))
}

/// A formula over (score, opponent, everything else it reads), for some scores.
fn tabulate((rules, lookups): (&Rules, &Lookups), formula: &Formula, ranges: &Ranges, scores: Range<usize>) -> Cells {
    let others = others(formula, ranges);
    let (each, all) = sizes(rules, formula, ranges);
    let goal = i64::from(rules.goal);
    let mut arrays = Arrays::new(2 + others.len(), lookups, each.saturating_mul(all));
    arrays.bind_axis(Variable::SCORE, (0, 0..=goal - 1), scores.start as i64..scores.end as i64);
    arrays.bind_axis(Variable::OPPONENT, (1, 0..=goal - 1), 0..goal);
    arrays.bind_constant(Variable::GOAL, goal);
    arrays.bind_constant(Variable::MAX_DICE, i64::from(rules.max_dice));
    for (axis, (variable, range)) in others.iter().enumerate() {
        arrays.bind_axis(*variable, (2 + axis, range.clone()), range.clone());
    }
    formula.values(&arrays).into_owned()
}

/// Numbers that are equal for cells at which all these hooks do the same, each over its ranges.
fn group(rules: &Rules, hooks: &[(&Ranges, &[Hook])], go_on: GoOn) -> Result<ScoreGrid, GameError> {
    let goal = rules.goal as usize;
    let scores = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT]);
    let hooks = hooks.iter().flat_map(|(ranges, hooks)| hooks.iter().map(move |hook| (*ranges, hook)));
    let formulas =
        hooks.flat_map(|(ranges, hook)| rules.hooked(*hook).map(move |(_, formula)| (ranges, hook, formula)));
    let grids = formulas.filter(|(_, _, formula)| !formula.reads().is_disjoint(scores)).map(
        |(ranges, hook, formula)| match hook {
            // Points have no range that could be tabulated beforehand, and patterns too many values together: such a rule
            // tells all its scores apart.
            Hook::Points => Ok(all_apart(formula, goal)),
            _ if !formula.reads().is_disjoint(VariableSet::patterns()) => Ok(all_apart(formula, goal)),
            _ => Ok(kinds(rules, formula, ranges, go_on)?.rows),
        },
    );
    grids.into_iter().try_fold(ScoreGrid::of_one(goal), |joint, rows: Result<GridRows, GameError>| {
        go_on.ask()?;
        Ok(joint.joined(&ScoreGrid::new(goal, rows?)))
    })
}

/// What a formula gives at all cells.
struct Kinds {
    /// By score, the numbers of the opponents' scores by what it gives there.
    rows: GridRows,
    /// What it gives at cells of each number: for all values of what it reads beside the scores.
    kinds: Vec<Vec<i64>>,
    /// The first pair of scores at which it has no value; that counts as a value of its own.
    first_fault: Option<(usize, usize)>,
}

fn kinds(rules: &Rules, formula: &Formula, ranges: &Ranges, go_on: GoOn) -> Result<Kinds, GameError> {
    let (mut row_of, mut rows, mut wide) = (Vec::new(), Interner::new(), 1);
    let (lookups, mut first_fault) = (Lookups::default(), None);
    for scores in parts(rules, formula, ranges) {
        go_on.ask()?;
        let mut cells = tabulate((rules, &lookups), formula, ranges, scores.clone());
        let fault = || cells.first_fault().map(|index| (scores.start + index[0], index[1]));
        first_fault = first_fault.or_else(fault);
        if let Some(flags) = &cells.flags {
            ndarray::Zip::from(&mut cells.values).and_broadcast(flags).for_each(|value, flags| {
                if *flags == FAULT {
                    *value = i64::MIN;
                }
            });
        }
        for row in cells.values.outer_iter() {
            wide = row.shape()[0];
            row_of.push(rows.number(row.iter().copied().collect::<Vec<i64>>()) as u16);
        }
    }
    let mut kinds = Interner::new();
    let numbered = |row: Vec<i64>| {
        row.chunks_exact(row.len() / wide).map(|values| kinds.number_of(values, || values.to_vec())).collect()
    };
    let rows = GridRows { row_of, rows: rows.into_items().into_iter().map(numbered).collect() };
    Ok(Kinds { rows, kinds: kinds.into_items(), first_fault })
}

/// A number for each value of the scores that the formula reads.
fn all_apart(formula: &Formula, goal: usize) -> GridRows {
    let count = |variable| if formula.reads().holds(variable) { goal } else { 1 };
    let (tall, wide) = (count(Variable::SCORE), count(Variable::OPPONENT));
    let row = |score: usize| (score * wide..(score + 1) * wide).map(|number| number as u32).collect();
    GridRows { row_of: (0..tall).map(|score| score as u16).collect(), rows: (0..tall).map(row).collect() }
}
