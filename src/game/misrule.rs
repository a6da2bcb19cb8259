//! Where and why a rule on totals cannot be followed: looked for cell by cell once the arrays have shown that there is such
//! a place.

use std::ops::Range;

use crate::rules::formula::{Scope, Variable};
use crate::rules::{Faults, Hook};

use super::arrival::Context;
use super::tabulate::Tabulation;

/// What goes wrong with a rule's hooks.
#[derive(Clone, Copy)]
enum Wrong {
    /// The hook with this place in the rule has no value.
    NoValue(usize),
    /// The mover's score becomes negative.
    Score(i64),
    /// The opponent's does.
    Opponent(i64),
}

/// The first rule that cannot be followed from some cell against these opponents, what is wrong, and in which of the cells
/// first: by opponent's score, then by the score before the turn, then by points (or by total, if points do not matter).
pub(super) fn describe(tabulation: &Tabulation, context: &Context, opponents: Range<usize>) -> Faults {
    let (rules, goal) = (tabulation.rules, tabulation.rules.goal as usize);
    let (scores, points) =
        if tabulation.by_points { (goal, tabulation.most_points + 1) } else { (1, goal + tabulation.most_points) };
    let mut first: Option<((usize, Wrong), (usize, usize))> = None;
    for opponent in opponents {
        for (score, points) in (0..scores).flat_map(|score| (0..points).map(move |points| (score, points))) {
            let Some(found) = follow(tabulation, context, (opponent, score, points)) else { continue };
            if first.is_none_or(|(known, _)| rank(found) < rank(known)) {
                first = Some((found, (score + points, opponent)));
            }
        }
    }
    let ((rule, wrong), (total, opponent)) = first.expect("arrays and cells find the same faults");
    let (name, place) = (&rules.rules[rule].name, format!("a total of {total} against {opponent}"));
    match wrong {
        Wrong::NoValue(_) => {
            let message = format!(
                "the rule {name} has no value at {place}: it divides by zero, overflows or leaves a function's domain"
            );
            rules.fault(Some(rule), message, "guard it, as in `opponent == 0 ? 1 : ...`")
        }
        Wrong::Score(value) | Wrong::Opponent(value) => {
            let message = format!("the rule {name} makes a score {value} at {place}");
            rules.fault(Some(rule), message, "keep scores at 0 or more, as in `max(0, ...)`")
        }
    }
}

/// What comes first does not depend on the value.
fn rank((rule, wrong): (usize, Wrong)) -> (usize, usize, usize) {
    match wrong {
        Wrong::NoValue(hook) => (rule, 0, hook),
        Wrong::Score(_) => (rule, 1, 0),
        Wrong::Opponent(_) => (rule, 2, 0),
    }
}

/// Follows the rules on totals in one cell; what goes wrong first, and in which rule.
fn follow(
    tabulation: &Tabulation,
    context: &Context,
    (opponent, before, points): (usize, usize, usize),
) -> Option<(usize, Wrong)> {
    let rules = tabulation.rules;
    let mut scope = Scope::default();
    let number = |n: usize| n as i64;
    for (variable, value) in [
        (Variable::GOAL, i64::from(rules.goal)),
        (Variable::MAX_DICE, i64::from(rules.max_dice)),
        (Variable::OPPONENT, number(opponent)),
        (Variable::OPPONENT_BEFORE, number(opponent)),
        (Variable::SCORE_BEFORE, number(before)),
        (Variable::POINTS, number(points)),
        (Variable::SCORE, number(before + points)),
    ] {
        scope.set(variable, value);
    }
    context.values.iter().for_each(|(variable, value)| scope.set(*variable, *value));
    for (index, rule) in rules.rules.iter().enumerate() {
        let mut after = [scope.get(Variable::SCORE), scope.get(Variable::OPPONENT)];
        let mut swap = false;
        for (place, (hook, formula)) in rule.hooks.iter().enumerate() {
            if !matches!(hook, Hook::Score | Hook::OpponentScore | Hook::Swap | Hook::Again) {
                continue;
            }
            let Some(value) = formula.value(&scope) else { return Some((index, Wrong::NoValue(place))) };
            match hook {
                Hook::Score => after[0] = value,
                Hook::OpponentScore => after[1] = value,
                Hook::Swap => swap = value == 1,
                _ => {}
            }
        }
        match after {
            [score, _] if score < 0 => return Some((index, Wrong::Score(score))),
            [_, opponent] if opponent < 0 => return Some((index, Wrong::Opponent(opponent))),
            _ => {}
        }
        if swap {
            after.swap(0, 1);
        }
        scope.set(Variable::SCORE, after[0]);
        scope.set(Variable::OPPONENT, after[1]);
    }
    None
}
