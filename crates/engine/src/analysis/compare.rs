//! Comparison of two games, position by position: where no roll is best in both.

use super::sum;
use crate::game::{Game, Position};
use crate::solve::{Solution, action_value};

/// A pair of scores where no roll is best in both games.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The scores of the player to move and of the opponent.
    pub scores: (u32, u32),
    /// The best numbers of dice in each game.
    pub best: [Vec<i32>; 2],
    /// The win rate that the other game's best rolls lose in each game; `None` if the game allows none of them.
    pub costs: [Option<f64>; 2],
}

/// Compares two games; returns the number of positions compared, and those where best play differs, the costliest
/// first.
///
/// Memories have their starting values. Games with different goals are compared up to the lower goal.
pub fn compare(games: [&Game; 2], solutions: [&Solution; 2]) -> (usize, Vec<Difference>) {
    let goal = games.map(|game| game.rules().goal).into_iter().min().unwrap_or(0);
    let mut found = Vec::new();
    for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
        found.extend(difference(games, solutions, (score, opponent)));
    }
    let cost = |difference: &Difference| sum(difference.costs.iter().map(|cost| cost.unwrap_or(0.0)));
    found.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    ((goal as usize).pow(2), found)
}

fn difference(games: [&Game; 2], solutions: [&Solution; 2], (score, opponent): (u32, u32)) -> Option<Difference> {
    let states =
        games.map(|game| Position::new(game.rules(), score, opponent).ok().map(|position| game.state(&position)));
    let states = [states[0]?, states[1]?];
    let best: [Vec<i32>; 2] = std::array::from_fn(|at| games[at].space().dice_in(solutions[at].own.best[states[at]]));
    // A roll that is best in both makes no difference.
    if best[0].iter().any(|dice| best[1].contains(dice)) {
        return None;
    }
    let costs = std::array::from_fn(|at: usize| {
        let (game, solution, state) = (games[at], solutions[at], states[at]);
        let value = |dice: &i32| {
            let action = game.space().action(*dice)?;
            Some(action_value(game, solution.values(), (state, action)))
        };
        let other = best[1 - at].iter().filter_map(value).max_by(f64::total_cmp)?;
        Some((solution.own.win_rates[state] - other).max(0.0))
    });
    Some(Difference { scores: (score, opponent), best, costs })
}
