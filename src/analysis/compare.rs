//! Two games, position by position: where the best roll of one is no best roll of the other.

use super::sum;
use crate::game::{Game, Position};
use crate::solve::{Solution, action_value};

/// A pair of scores where best play differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The scores of the player to move and of the opponent.
    pub scores: (u32, u32),
    /// The best numbers of dice in each game.
    pub best: [Vec<i32>; 2],
    /// What the best roll of the other game costs in each; none where it is not allowed.
    pub costs: [Option<f64>; 2],
}

/// How many positions were compared, and where best play differs, the costliest first. The memories are as they start, and
/// games of different goals are compared up to the lower.
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
    // A roll that is among the best of both is no difference.
    if best[0].iter().any(|dice| best[1].contains(dice)) {
        return None;
    }
    let costs = std::array::from_fn(|at: usize| {
        let (game, solution, state) = (games[at], solutions[at], states[at]);
        let after = solution.other.as_ref().unwrap_or(&solution.own);
        let value = |dice: &i32| {
            let action = game.space().action(*dice)?;
            Some(action_value(game, (&solution.own, after), (state, action)))
        };
        let other = best[1 - at].iter().filter_map(value).max_by(f64::total_cmp)?;
        Some((solution.own.win_rates[state] - other).max(0.0))
    });
    Some(Difference { scores: (score, opponent), best, costs })
}
