//! Large loops in doubles: value iteration until the values converge, and a proven bound on their
//! error.
//!
//! Let x be the values found, P the transition matrix of the best actions within the loop, and e
//! the solution of `e = step + P e`, also found by iteration. Suppose that, for all successor
//! values within `x ± e` and with roundings included, every action's value is at most `x + e` and
//! the best action's at least `x - e`. Then the true values lie within `x ± e`: deviating from the
//! best actions gains nothing, and each turn shrinks the interval a little, so that no play can
//! stay at its edge for ever.

use super::CheckError;
use super::cell::Found;
use super::loops::Component;
use super::numbers::Numbers;
use super::rounding::fraction_of;
use super::sweep::Pending;
use hog_rules::dice::double_of;
use hog_rules::states::DiceSet;

/// The most sweeps over the states of the loop.
const MOST_ROUNDS: usize = 100_000;
/// The values have converged when a sweep changes none by more than this; smaller changes are due
/// to rounding.
const CONVERGED_CHANGE: f64 = 2.0 * f64::EPSILON;
/// The largest error that counts as a proof. It is exceeded in loops that can go on for ever, which
/// `component` solves.
const MOST_ERROR: f64 = 1e-9;

/// One distribution in a state of the loop.
struct Choice {
    actions: DiceSet,
    /// The sum, over the outcomes that leave the loop, of their chance times the mover's win rate.
    leaving: f64,
    /// The outcomes that stay in the loop: the state's index, the chance, and whether the other
    /// player moves there.
    stays: Vec<(usize, f64, bool)>,
}

/// A value, and a bound on its error.
struct Approximate {
    value: f64,
    error: f64,
}

/// The solutions of all states of a component.
pub(super) struct Contracted<N> {
    pub found: Vec<Found<N>>,
    /// A bound on the error of their values.
    pub error: f64,
}

/// Solves a component; returns `None` if the values cannot be proven.
pub(super) fn solve<A: Numbers>(
    component: &Component<'_, '_, A>,
) -> Result<Option<Contracted<A::Number>>, CheckError> {
    let choices: Vec<Vec<Choice>> =
        component.states.iter().map(|state| choices(component, state)).collect();
    let Some(values) = converged(&choices) else { return Ok(None) };
    let Some(error) = proven(&choices, &values) else { return Ok(None) };
    let states = component.states.iter().zip(&choices).zip(&values);
    let found = states.map(|((state, choices), value)| {
        found(component, state, choices, Approximate { value: *value, error }, &values)
    });
    let found = found.collect::<Option<_>>().ok_or_else(|| component.not_converged())?;
    Ok(Some(Contracted { found, error }))
}

/// Iterates Bellman backups until the values converge; returns `None` if they do not.
fn converged(choices: &[Vec<Choice>]) -> Option<Vec<f64>> {
    let mut values = vec![0.5; choices.len()];
    for _ in 0..MOST_ROUNDS {
        let mut change: f64 = 0.0;
        // Backward, since later states are usually successors of earlier ones.
        for (state, choices) in choices.iter().enumerate().rev() {
            let most =
                choices.iter().map(|choice| action_value(choice, &values)).fold(0.0, f64::max);
            change = change.max((most - values[state]).abs());
            values[state] = most;
        }
        if change <= CONVERGED_CHANGE {
            return Some(values);
        }
    }
    None
}

/// Returns a proven bound on the error of the values, or `None` if the proof fails.
fn proven(choices: &[Vec<Choice>], values: &[f64]) -> Option<f64> {
    let rounding = |choice: &Choice| (choice.stays.len() + 6) as f64 * f64::EPSILON / 2.0;
    let best = |choices: &Vec<Choice>| {
        let action_values = choices.iter().map(|choice| action_value(choice, values));
        action_values.enumerate().fold((0, f64::MIN), |best, (at, action_value)| {
            if action_value > best.1 { (at, action_value) } else { best }
        })
    };
    let best: Vec<(usize, f64)> = choices.iter().map(best).collect();
    let step =
        2.0 * CONVERGED_CHANGE + 2.0 * choices.iter().flatten().map(rounding).fold(0.0, f64::max);
    let spread = |choice: &Choice, errors: &[f64]| {
        choice.stays.iter().map(|(state, chance, _)| chance * errors[*state]).sum::<f64>()
    };
    let mut errors = vec![step; choices.len()];
    for _ in 0..MOST_ROUNDS {
        let mut growth: f64 = 0.0;
        for state in (0..choices.len()).rev() {
            let error = step + spread(&choices[state][best[state].0], &errors);
            growth = growth.max(error - errors[state]);
            errors[state] = error;
        }
        if errors.iter().any(|error| *error > MOST_ERROR) {
            return None;
        }
        if growth <= step * 1e-3 {
            break;
        }
    }
    let inside = |(state, choices): (usize, &Vec<Choice>)| {
        let (value, error) = (values[state], errors[state]);
        choices.iter().enumerate().all(|(at, choice)| {
            let (next, tolerance) = (
                action_value(choice, values),
                spread(choice, &errors) * (1.0 + 1e-12) + rounding(choice),
            );
            next + tolerance <= value + error
                && (at != best[state].0 || next - tolerance >= value - error)
        })
    };
    let holds = choices.iter().enumerate().all(inside);
    holds.then(|| errors.into_iter().fold(0.0, f64::max))
}

fn choices<A: Numbers>(component: &Component<'_, '_, A>, state: &Pending) -> Vec<Choice> {
    let workspace = component.workspace;
    let choice = |distribution: &(DiceSet, usize)| {
        let transitions = component.transitions(state, distribution);
        let total = transitions.total as f64;
        let (mut leaving, mut stays) = (double_of(transitions.halves) / 2.0, Vec::new());
        for transition in &transitions.continuing {
            if let Some(member) = component.member(state, transition) {
                stays.push((member, double_of(transition.weight) / total, transition.passed));
                continue;
            }
            let spot = workspace.spot(state.spot.side, transition, workspace.theirs(state.place));
            let near = workspace.sides[spot.side].stages[transition.sum].near[spot.index];
            leaving +=
                double_of(transition.weight) * if transition.passed { 1.0 - near } else { near };
        }
        Choice { actions: distribution.0, leaving: leaving / total, stays }
    };
    state.distributions.iter().map(choice).collect()
}

fn action_value(choice: &Choice, values: &[f64]) -> f64 {
    choice.stays.iter().fold(choice.leaving, |sum, (state, chance, passed)| {
        sum + chance * if *passed { 1.0 - values[*state] } else { values[*state] }
    })
}

fn found<A: Numbers>(
    component: &Component<'_, '_, A>,
    state: &Pending,
    choices: &[Choice],
    approximate: Approximate,
    values: &[f64],
) -> Option<Found<A::Number>> {
    let action_values: Vec<(DiceSet, f64)> =
        choices.iter().map(|choice| (choice.actions, action_value(choice, values))).collect();
    let most = action_values.iter().map(|(_, action_value)| *action_value).fold(0.0, f64::max);
    let best = action_values
        .iter()
        .filter(|(_, action_value)| *action_value == most)
        .fold(0, |sets, (set, _)| sets | set);
    let wrong = action_values.iter().filter(|(set, _)| set & state.claimed & !best != 0);
    let shortfall = wrong.map(|(_, action_value)| most - action_value).fold(0.0, f64::max);
    let (workspace, side) = (component.workspace, state.spot.side);
    let near = workspace.numbers.within(side, approximate.value, approximate.error);
    let value =
        workspace.numbers.number(workspace.height(component.sum), side, &fraction_of(near))?;
    Some(Found { value, near, best, shortfall })
}
