//! Describes the failures of rules: collects the faults of formulas that are evaluated one by one,
//! and locates those of rules on totals. Evaluation over arrays only detects that some rule on
//! totals fails; this module searches cell by cell for the rules and the places.

use std::cell::RefCell;
use std::ops::Range;

use crate::rules::formula::{FACES_COUNTED, Formula, Scope, Variable};
use crate::rules::limits::POINTS;
use crate::rules::{Faults, Place, Rules};
use crate::turn::{TurnError, failing_rule_on_totals};

use super::raw::Context;
use super::{Budget, GameError};

/// What to write where a formula has no value.
const GUARD: &str = "guard it, as in `opponent == 0 ? 1 : ...`";

/// The faults found while formulas are evaluated: the first of each formula.
pub(super) struct FaultLog<'a> {
    rules: &'a Rules,
    found: RefCell<Vec<(Place, Faults)>>,
}

/// The error of an evaluation whose fault is in the [`FaultLog`].
#[derive(Debug)]
pub(super) struct Logged;

/// What to do about a value that is no multiple of the step.
fn multiples(rules: &Rules) -> String {
    let memories = rules.in_points().memories.iter();
    match memories.filter(|memory| memory.step == 1 && memory.max > 1).max_by_key(|one| one.max) {
        Some(memory) => {
            format!(
                "give multiples of the step; if `{}` counts points, give it a step",
                memory.name
            )
        }
        None => "give multiples of the step, or choose another step".to_owned(),
    }
}

impl<'a> FaultLog<'a> {
    pub fn new(rules: &'a Rules) -> Self {
        Self { rules, found: RefCell::default() }
    }

    /// Adds a fault, made of a message and a fix, unless its formula has one already.
    pub fn add(&self, place: Place, fault: impl FnOnce() -> (String, String)) -> Logged {
        let mut found = self.found.borrow_mut();
        if found.iter().all(|(known, _)| *known != place) {
            let (message, fix) = fault();
            found.push((place, self.rules.fault(place, message, &fix)));
        }
        Logged
    }

    /// Adds the fault of a formula that has no value where `scope` is.
    pub fn no_value(&self, place: Place, formula: &Formula, scope: &Scope) -> Logged {
        self.add(place, || {
            let owner = owner(self.rules, place);
            let scope = &self.rules.scope_in_points(scope);
            let (formula, step) = in_points(self.rules, place).unwrap_or((formula, 1));
            match formula.value(scope) {
                Some(value) => {
                    let message = format!(
                        "{owner} gives {value} {}, no multiple of the step {step}",
                        at(scope)
                    );
                    (message, multiples(self.rules))
                }
                None => {
                    let why = formula.why_no_value(scope, self.rules.vocabulary());
                    let message = format!("{owner} has no value {}: {why}", at(scope));
                    (message, GUARD.to_owned())
                }
            }
        })
    }

    /// Adds the fault of a memory that would get a value out of its range.
    pub fn out_of_range(&self, memory: usize, value: i64, scope: &Scope) -> Logged {
        self.add(Place::Next(memory), || {
            let scope = &self.rules.scope_in_points(scope);
            let step = self.rules.in_points().memories[memory].step;
            let value = value * step;
            let name = &self.rules.memories[memory].name;
            let max = self.rules.memories[memory].max * step;
            let message = format!(
                "the memory `{name}` becomes {value}, out of its range 0 to {max}, {}",
                at(scope)
            );
            let limited = match value {
                ..0 => "limit its next, as in `max(..., 0)`".to_owned(),
                _ => format!("raise its max or limit its next, as in `min(..., {max})`"),
            };
            (message, limited)
        })
    }

    /// Adds the fault of a number of points that is out of the range from `least` to
    /// [`POINTS`].
    pub fn points(
        &self,
        place: Place,
        what: &str,
        least: i64,
        points: i64,
        scope: &Scope,
    ) -> Logged {
        self.add(place, || {
            let scope = &self.rules.scope_in_points(scope);
            let points = points * i64::from(self.rules.in_points().step);
            (
                format!("{what} {points} {}", at(scope)),
                format!("keep them between {least} and {}", POINTS),
            )
        })
    }

    /// All faults added.
    pub fn into_faults(self) -> Option<Faults> {
        self.found.into_inner().into_iter().map(|(_, fault)| fault).reduce(Faults::and)
    }
}

/// A formula in points and the step of its value, where `rules` count steps.
fn in_points(rules: &Rules, place: Place) -> Option<(&Formula, i64)> {
    let points = Some(rules.in_points()).filter(|points| points.has_steps())?;
    match place {
        Place::Hook(rule, hook) => {
            let hooked = points.rules[rule].hooks.iter().find(|(known, _)| *known == hook)?;
            Some((&hooked.1, points.step.into()))
        }
        Place::Next(memory) => {
            let memory = &points.memories[memory];
            Some((memory.next(), memory.step))
        }
        Place::File => None,
    }
}

/// The rule or the memory that a formula belongs to.
fn owner(rules: &Rules, place: Place) -> String {
    match place {
        Place::Hook(rule, _) => format!("the rule {}", rules.rules[rule].name),
        Place::Next(memory) => format!("the memory `{}`", rules.memories[memory].name),
        Place::File => "the game".into(),
    }
}

/// The scores and the number of dice in messages.
pub(super) fn at(scope: &Scope) -> String {
    let [score, opponent, dice] =
        [Variable::SCORE, Variable::OPPONENT, Variable::DICE].map(|v| scope.get(v));
    let dice = if dice == 1 { "1 die".to_owned() } else { format!("{dice} dice") };
    let mut kept = Vec::new();
    if scope.get(Variable::KEPT) > 0 {
        for face in 1..=FACES_COUNTED {
            let count = scope.get(Variable::count(face));
            kept.extend((0..count).map(|_| face.to_string()));
        }
    }
    let kept = match kept.is_empty() {
        true => String::new(),
        false => format!(", {} kept", kept.join(", ")),
    };
    format!("at {score}-{opponent} with {dice}{kept}")
}

/// Describes the failures of rules on totals in some cells: for each formula the first cell where
/// it fails, in the order of opponent's score, score before the turn, and points.
///
/// # Errors
/// Returns an error if the work is cancelled.
pub(super) fn describe(
    rules: &Rules,
    context: &Context,
    opponents: Range<usize>,
    scores: Range<usize>,
    points: &[usize],
    budget: Budget,
) -> Result<Faults, GameError> {
    let log = FaultLog::new(rules);
    for opponent in opponents {
        for (score, points) in
            scores.clone().flat_map(|score| points.iter().map(move |points| (score, *points)))
        {
            budget.check()?;
            let scope = rules.scope_in_points(&scope(rules, context, score, opponent, points));
            let total = scope.get(Variable::SCORE) + scope.get(Variable::POINTS);
            let against = scope.get(Variable::OPPONENT);
            if let Some((rule, hook, error)) = failing_rule_on_totals(rules.in_points(), scope) {
                let place = Place::Hook(rule, hook);
                log.add(place, || on_totals(rules, place, &error, [total, against]));
            }
        }
    }
    Ok(log.into_faults().expect("arrays and cells fail at the same places"))
}

/// The message and the fix for a rule on totals that fails.
fn on_totals(
    rules: &Rules,
    place: Place,
    error: &TurnError,
    [total, opponent]: [i64; 2],
) -> (String, String) {
    let rule = owner(rules, place);
    let cell = format!("a total of {total} against {opponent}");
    match error {
        TurnError::OutOfRange { value, .. } => {
            let message = format!("{rule} makes a score {value} at {cell}");
            (message, "keep scores at 0 or more, as in `max(0, ...)`".into())
        }
        TurnError::NoMultiple { value, step, .. } => {
            let message =
                format!("{rule} makes a score {value} at {cell}, no multiple of the step {step}");
            (message, multiples(rules))
        }
        TurnError::NoValue { why, .. } => {
            (format!("{rule} has no value at {cell}: {why}"), GUARD.to_owned())
        }
        other => unreachable!("no error of rules on totals: {other}"),
    }
}

/// The variables that rules on totals read after a turn of `points` points from a cell.
fn scope(rules: &Rules, context: &Context, score: usize, opponent: usize, points: usize) -> Scope {
    let mut scope = Scope::default();
    for (variable, value) in [
        (Variable::GOAL, i64::from(rules.goal)),
        (Variable::MAX_DICE, i64::from(rules.max_dice)),
        (Variable::OPPONENT, opponent as i64),
        (Variable::SCORE, score as i64),
        (Variable::POINTS, points as i64),
    ] {
        scope.set(variable, value);
    }
    context.values.iter().for_each(|(variable, value)| scope.set(*variable, *value));
    scope
}
