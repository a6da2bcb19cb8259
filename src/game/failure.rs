//! Describes the first failure of a rule on totals. Evaluation over arrays only detects that some rule fails; this
//! module searches cell by cell for the rule and the place.

use std::ops::Range;

use crate::rules::Faults;
use crate::rules::formula::{Scope, Variable};
use crate::turn::{TurnError, failing_rule_on_totals};

use super::raw::Context;
use super::tabulate::Tabulation;

/// Describes the failure of the first rule that fails for any of these opponents' scores, at the first cell where it
/// fails: in the order of opponent's score, score before the turn, and points (or total, if points do not matter).
pub(super) fn describe(tabulation: &Tabulation, context: &Context, opponents: Range<usize>) -> Faults {
    let (rules, goal) = (tabulation.rules, tabulation.rules.goal as usize);
    let every: Vec<usize> = (0..=tabulation.most_points()).collect();
    let (scores, points) = if tabulation.points_matter { (goal, &every) } else { (1, &tabulation.totals) };
    let mut first: Option<(usize, TurnError, (usize, usize))> = None;
    for opponent in opponents {
        for (score, points) in (0..scores).flat_map(|score| points.iter().map(move |points| (score, *points))) {
            let Some((rule, error)) =
                failing_rule_on_totals(rules, scope(tabulation, context, (score, opponent, points)))
            else {
                continue;
            };
            if first.as_ref().is_none_or(|(known, ..)| rule < *known) {
                first = Some((rule, error, (score + points, opponent)));
            }
        }
    }
    let (rule, error, (total, opponent)) = first.expect("arrays and cells fail at the same places");
    let (name, place) = (&rules.rules[rule].name, format!("a total of {total} against {opponent}"));
    if let TurnError::OutOfRange { value, .. } = error {
        let message = format!("the rule {name} makes a score {value} at {place}");
        return rules.fault(Some(rule), message, "keep scores at 0 or more, as in `max(0, ...)`");
    }
    let message =
        format!("the rule {name} has no value at {place}: it divides by zero, overflows or leaves a function's domain");
    rules.fault(Some(rule), message, "guard it, as in `opponent == 0 ? 1 : ...`")
}

/// The variables that rules on totals read after a turn of `points` points from a cell.
fn scope(tabulation: &Tabulation, context: &Context, (score, opponent, points): (usize, usize, usize)) -> Scope {
    let mut scope = Scope::default();
    for (variable, value) in [
        (Variable::GOAL, i64::from(tabulation.rules.goal)),
        (Variable::MAX_DICE, i64::from(tabulation.rules.max_dice)),
        (Variable::OPPONENT, opponent as i64),
        (Variable::SCORE, score as i64),
        (Variable::POINTS, points as i64),
    ] {
        scope.set(variable, value);
    }
    context.values.iter().for_each(|(variable, value)| scope.set(*variable, *value));
    scope
}
