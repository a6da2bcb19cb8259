//! Large loops in doubles: where every turn leaves with some chance, going round draws all guesses together.
//!
//! If each choice leaves with a chance of at least `c`, one round of Bellman steps brings any two guesses closer by the
//! factor `1 - c`, so that the values are within `r / c` of a guess that a round changes by `r` at most (Banach, 1922).

use super::CheckError;
use super::cell::Found;
use super::loops::Group;
use super::numbers::Numbers;
use super::rounding::fraction_of;
use super::sweep::Pending;
use crate::game::DiceSet;

/// The most rounds.
const MOST_ROUNDS: usize = 100_000;
/// Rounds are over when none changes a guess by more; below that, rounding decides.
const SETTLED: f64 = 2.0 * f64::EPSILON;

/// A draw in a state of the loop.
struct Choice {
    actions: DiceSet,
    /// The mover's win rate from the outcomes that leave, times their chance.
    leaving: f64,
    /// The chance of leaving.
    leaves: f64,
    /// The states stayed in: which, with what chance, and whether the other player moves there.
    stays: Vec<(usize, f64, bool)>,
}

/// The answers in all states of a group, and the least chance of leaving; `None` if some choice never leaves.
#[expect(clippy::type_complexity, reason = "answers, which may be absent or in error")]
pub(super) fn solve<A: Numbers>(group: &Group<'_, '_, A>) -> Result<Option<(Vec<Found<A::Number>>, f64)>, CheckError> {
    let choices: Vec<Vec<Choice>> = group.states.iter().map(|state| choices(group, state)).collect();
    let least = choices.iter().flatten().map(|choice| choice.leaves).fold(1.0, f64::min);
    if least <= 0.0 {
        return Ok(None);
    }
    let mut values = vec![0.5; choices.len()];
    for _ in 0..MOST_ROUNDS {
        let mut change: f64 = 0.0;
        for (state, choices) in choices.iter().enumerate() {
            let most = choices.iter().map(|choice| worth(choice, &values)).fold(0.0, f64::max);
            change = change.max((most - values[state]).abs());
            values[state] = most;
        }
        if change <= SETTLED {
            let states = group.states.iter().zip(&choices).zip(&values);
            let found = states.map(|((state, choices), value)| found(group, state, choices, (*value, &values)));
            return found.collect::<Option<_>>().map(|found| Some((found, least))).ok_or_else(|| group.unsettled());
        }
    }
    Err(group.unsettled())
}

fn choices<A: Numbers>(group: &Group<'_, '_, A>, state: &Pending) -> Vec<Choice> {
    let board = group.board;
    let choice = |draw: &(DiceSet, usize)| {
        let view = group.view(state, draw);
        let total = view.total as f64;
        let (mut leaving, mut staying, mut stays) = (view.halves as f64 / 2.0, 0, Vec::new());
        for exit in &view.exits {
            if let Some(member) = group.member(state, exit) {
                staying += exit.weight;
                stays.push((member, exit.weight as f64 / total, exit.passed));
                continue;
            }
            let spot = board.spot(state.spot.side, exit, board.theirs(state.place));
            let near = board.sides[spot.side].stages[exit.sum].near[spot.index];
            leaving += exit.weight as f64 * if exit.passed { 1.0 - near } else { near };
        }
        Choice { actions: draw.0, leaving: leaving / total, leaves: (view.total - staying) as f64 / total, stays }
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
