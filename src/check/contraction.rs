//! Large loops in doubles: Bellman steps from a guess until nothing changes, and a proof of how far off that may be.
//!
//! Let x be the values found and e errors with `e = step + P e` for the best turns, found by steps like the values. If from `x + e`
//! no turn leads to more than `x + e`, and the best turn from `x - e` to no less, roundings included, then the true values lie
//! between: whoever leaves the best turns gains nothing, and each turn loses a little of the interval, so that no play can stay
//! at its edge for ever.

use super::CheckError;
use super::cell::Found;
use super::loops::Group;
use super::numbers::Numbers;
use super::rounding::fraction_of;
use super::sweep::Pending;
use crate::dice::double_of;
use crate::game::DiceSet;

/// The most rounds.
const MOST_ROUNDS: usize = 100_000;
/// Rounds are over when none changes a guess by more; below that, rounding decides.
const SETTLED: f64 = 2.0 * f64::EPSILON;
/// Errors larger than this are none: loops that may go on for ever are solved in another way.
const MOST_ERROR: f64 = 1e-9;

/// A draw in a state of the loop.
struct Choice {
    actions: DiceSet,
    /// The mover's win rate from the outcomes that leave, times their chance.
    leaving: f64,
    /// The states stayed in: which, with what chance, and whether the other player moves there.
    stays: Vec<(usize, f64, bool)>,
}

/// The answers in all states of a group.
pub(super) struct Contracted<N> {
    pub found: Vec<Found<N>>,
    /// A bound on the error of their values.
    pub error: f64,
}

/// The answers in all states of a group; `None` if they cannot be proven.
pub(super) fn solve<A: Numbers>(group: &Group<'_, '_, A>) -> Result<Option<Contracted<A::Number>>, CheckError> {
    let choices: Vec<Vec<Choice>> = group.states.iter().map(|state| choices(group, state)).collect();
    let Some(values) = settled(&choices) else { return Ok(None) };
    let Some(error) = proven(&choices, &values) else { return Ok(None) };
    let states = group.states.iter().zip(&choices).zip(&values);
    let found = states.map(|((state, choices), value)| found(group, state, choices, (*value, &values)));
    let found = found.collect::<Option<_>>().ok_or_else(|| group.unsettled())?;
    Ok(Some(Contracted { found, error }))
}

/// Values that a round of Bellman steps does not change any more.
fn settled(choices: &[Vec<Choice>]) -> Option<Vec<f64>> {
    let mut values = vec![0.5; choices.len()];
    for _ in 0..MOST_ROUNDS {
        let mut change: f64 = 0.0;
        // Later states are mostly those that turns lead to.
        for (state, choices) in choices.iter().enumerate().rev() {
            let most = choices.iter().map(|choice| worth(choice, &values)).fold(0.0, f64::max);
            change = change.max((most - values[state]).abs());
            values[state] = most;
        }
        if change <= SETTLED {
            return Some(values);
        }
    }
    None
}

/// A proven bound on the error of values.
fn proven(choices: &[Vec<Choice>], values: &[f64]) -> Option<f64> {
    let rounding = |choice: &Choice| (choice.stays.len() + 6) as f64 * f64::EPSILON / 2.0;
    let best = |choices: &Vec<Choice>| {
        let worths = choices.iter().map(|choice| worth(choice, values));
        worths.enumerate().fold((0, f64::MIN), |best, (at, worth)| if worth > best.1 { (at, worth) } else { best })
    };
    let best: Vec<(usize, f64)> = choices.iter().map(best).collect();
    let step = 2.0 * SETTLED + 2.0 * choices.iter().flatten().map(rounding).fold(0.0, f64::max);
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
            let (next, slack) = (worth(choice, values), spread(choice, &errors) * (1.0 + 1e-12) + rounding(choice));
            next + slack <= value + error && (at != best[state].0 || next - slack >= value - error)
        })
    };
    let holds = choices.iter().enumerate().all(inside);
    holds.then(|| errors.into_iter().fold(0.0, f64::max))
}

fn choices<A: Numbers>(group: &Group<'_, '_, A>, state: &Pending) -> Vec<Choice> {
    let board = group.board;
    let choice = |draw: &(DiceSet, usize)| {
        let view = group.view(state, draw);
        let total = view.total as f64;
        let (mut leaving, mut stays) = (double_of(view.halves) / 2.0, Vec::new());
        for exit in &view.exits {
            if let Some(member) = group.member(state, exit) {
                stays.push((member, double_of(exit.weight) / total, exit.passed));
                continue;
            }
            let spot = board.spot(state.spot.side, exit, board.theirs(state.place));
            let near = board.sides[spot.side].stages[exit.sum].near[spot.index];
            leaving += double_of(exit.weight) * if exit.passed { 1.0 - near } else { near };
        }
        Choice { actions: draw.0, leaving: leaving / total, stays }
    };
    state.draws.iter().map(choice).collect()
}

fn worth(choice: &Choice, values: &[f64]) -> f64 {
    choice.stays.iter().fold(choice.leaving, |sum, (state, chance, passed)| {
        sum + chance * if *passed { 1.0 - values[*state] } else { values[*state] }
    })
}

fn found<A: Numbers>(
    group: &Group<'_, '_, A>,
    state: &Pending,
    choices: &[Choice],
    (value, values): (f64, &[f64]),
) -> Option<Found<A::Number>> {
    let worths: Vec<(DiceSet, f64)> = choices.iter().map(|choice| (choice.actions, worth(choice, values))).collect();
    let most = worths.iter().map(|(_, worth)| *worth).fold(0.0, f64::max);
    let best = worths.iter().filter(|(_, worth)| *worth == most).fold(0, |sets, (set, _)| sets | set);
    let wrong = worths.iter().filter(|(set, _)| set & state.claimed & !best != 0);
    let shortfall = wrong.map(|(_, worth)| most - worth).fold(0.0, f64::max);
    let near = value.clamp(0.0, 1.0);
    let value = group.board.numbers.number(group.board.height(group.sum), &fraction_of(near))?;
    Some(Found { value, near, best, shortfall })
}
