//! Comparison of two games, position by position: where no roll is best in both.

use std::collections::HashSet;

use super::sum;
use crate::game::{Game, Position, Successor};
use crate::solve::{Solution, SolveError, Watch, action_value};

/// A position where no roll is best in both games.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The scores of the player to move and of the opponent.
    pub scores: (u32, u32),
    /// The pot, if both games have one.
    pub pot: Option<i64>,
    /// The best numbers of dice in each game.
    pub best: [Vec<i32>; 2],
    /// The win rate that the other game's best rolls lose in each game; `None` if the game allows
    /// none of them.
    pub costs: [Option<f64>; 2],
}

/// Compares two games; returns the number of positions compared, and those where best play differs,
/// the costliest first.
///
/// Games with different goals are compared up to the lower goal; if both have a pot, with every pot
/// that can be met in both. Other memories have their starting values.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or it would take too much memory.
pub fn compare(
    games: [&Game; 2],
    solutions: [&Solution; 2],
    watch: &Watch,
) -> Result<(usize, Vec<Difference>), SolveError> {
    let states = games.map(|game| game.space().states()).into_iter().min().unwrap_or(0);
    // In all positions that both have, best play may differ.
    watch.admit((states * 2 * size_of::<Difference>()) as u64, "lower the goal")?;
    let goal = games.map(|game| game.rules().goal).into_iter().min().unwrap_or(0);
    let mut compared = 0;
    let mut found = Vec::new();
    let step = games[0].rules().step as usize;
    for score in (0..goal).step_by(step) {
        for opponent in (0..goal).step_by(step) {
            watch.report(score as usize, goal as usize)?;
            for (pot, states) in positions(games, score, opponent) {
                compared += 1;
                found.extend(difference(games, solutions, (score, opponent), pot, states));
            }
        }
    }
    found.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
    Ok((compared, found))
}

impl Difference {
    fn cost(&self) -> f64 {
        sum(self.costs.iter().map(|cost| cost.unwrap_or(0.0)))
    }
}

/// Returns the positions of both games at a pair of scores: the pot, and the state in each game.
fn positions(games: [&Game; 2], score: u32, opponent: u32) -> Vec<(Option<i64>, [usize; 2])> {
    let [Ok(one), Ok(other)] = games.map(|game| Position::new(game.rules(), score, opponent))
    else {
        return Vec::new();
    };
    let [Some(pot), Some(others)] = games.map(|game| game.rules().pot()) else {
        return vec![(None, [games[0].state(&one), games[1].state(&other)])];
    };
    let met = [in_turn(games[0], games[0].state(&one)), in_turn(games[1], games[1].state(&other))];
    let mut positions = Vec::new();
    for value in 0..=pot.max.min(others.max) {
        let one = one.clone().with_memory(games[0].rules(), &pot.name, value);
        let other = other.clone().with_memory(games[1].rules(), &others.name, value);
        let [Ok(one), Ok(other)] = [one, other] else { continue };
        let states = [games[0].state(&one), games[1].state(&other)];
        if (0..2).all(|at| met[at].contains(&states[at])) {
            positions.push((Some(value), states));
        }
    }
    positions
}

/// Returns the states in which the mover can be during a turn that begins in a state.
fn in_turn(game: &Game, begin: usize) -> HashSet<usize> {
    let mut met = HashSet::from([begin]);
    let mut next = vec![begin];
    while let Some(state) = next.pop() {
        for action in 0..game.space().actions {
            for (_, successor) in game.weighted_successors(state, action) {
                if let Successor::Next { to, again: true } = successor
                    && met.insert(to)
                {
                    next.push(to);
                }
            }
        }
    }
    met
}

fn difference(
    games: [&Game; 2],
    solutions: [&Solution; 2],
    scores: (u32, u32),
    pot: Option<i64>,
    states: [usize; 2],
) -> Option<Difference> {
    let best: [Vec<i32>; 2] = std::array::from_fn(|at| {
        let set = games[at].choices_in(states[at], solutions[at].own.best[states[at]]);
        games[at].space().dice_in(set)
    });
    // A roll that is best in both makes no difference.
    if best[0].iter().any(|dice| best[1].contains(dice)) {
        return None;
    }
    let costs = std::array::from_fn(|at: usize| {
        let game = games[at];
        let solution = solutions[at];
        let state = states[at];
        let (own, after) = solution.values();
        let actions = best[1 - at].iter().filter_map(|dice| game.space().action(*dice));
        let values = actions.map(|action| action_value(game, own, after, state, action));
        Some((solution.own.win_rates[state] - values.max_by(f64::total_cmp)?).max(0.0))
    });
    Some(Difference { scores, pot, best, costs })
}
