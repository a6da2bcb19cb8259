//! Comparison of two games, position by position: where no roll is best in both.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sum;
use crate::game::{Game, Position, Successor, memory_names};
use crate::solve::{Solution, SolveError, Watch, action_value};

/// A position where best play differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PositionDifference {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The pot; null unless both games have one.
    pub pot: Option<i64>,
    /// The dice that are left, kind by kind; omitted unless both games keep dice of these kinds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left: BTreeMap<String, i64>,
    /// The best numbers of dice in each game; where dice are kept, 0 banks and 1 rolls those left.
    pub best: [Vec<i32>; 2],
    /// The loss in win rate, in each game, of a best roll of the other game; null if that roll is
    /// not allowed.
    pub costs: [Option<f64>; 2],
}

/// Compares two games; returns the number of positions compared, and those where best play differs,
/// the costliest first.
///
/// Games with different goals are compared up to the lower goal; if both have a pot, with every pot
/// that can be met in both, and where both keep dice, with all dice left that can be. Other
/// memories have their starting values. Where dice are kept, or a pot is, a choice is another one:
/// such a game and one without have no positions to compare.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or it would take too much memory.
pub fn compare(
    games: [&Game; 2],
    solutions: [&Solution; 2],
    watch: &Watch,
) -> Result<(usize, Vec<PositionDifference>), SolveError> {
    let states = games.map(|game| game.space().states()).into_iter().min().unwrap_or(0);
    // In all positions that both have, best play may differ.
    watch.admit((states * 2 * size_of::<PositionDifference>()) as u64, "lower the goal")?;
    let goal = games.map(|game| game.rules().goal).into_iter().min().unwrap_or(0);
    let mut compared = 0;
    let mut found = Vec::new();
    let step = games[0].rules().step as usize;
    for score in (0..goal).step_by(step) {
        for opponent in (0..goal).step_by(step) {
            watch.report(score as usize, goal as usize)?;
            for place in places(games, score, opponent) {
                compared += 1;
                found.extend(difference(games, solutions, [score, opponent], place));
            }
        }
    }
    found.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
    Ok((compared, found))
}

impl PositionDifference {
    fn cost(&self) -> f64 {
        sum(self.costs.iter().map(|cost| cost.unwrap_or(0.0)))
    }
}

/// A position that both games have at a pair of scores.
struct CommonPosition {
    pot: Option<i64>,
    left: BTreeMap<String, i64>,
    /// The state in each game.
    states: [usize; 2],
}

/// Returns the positions that both games have at a pair of scores.
fn places(games: [&Game; 2], score: u32, opponent: u32) -> Vec<CommonPosition> {
    if games[0].rules().hand.is_empty() != games[1].rules().hand.is_empty() {
        return Vec::new();
    }
    let [Ok(one), Ok(other)] = games.map(|game| Position::new(game.rules(), score, opponent))
    else {
        return Vec::new();
    };
    let (pot, others) = match games.map(|game| game.rules().pot()) {
        [Some(pot), Some(others)] => (pot, others),
        [None, None] => {
            let states = [games[0].state(&one), games[1].state(&other)];
            return vec![CommonPosition { pot: None, left: BTreeMap::new(), states }];
        }
        _ => return Vec::new(),
    };
    let met = [in_turn(games[0], games[0].state(&one)), in_turn(games[1], games[1].state(&other))];
    let mut places = Vec::new();
    for left in hands_left(games, &met[0]) {
        for value in 0..=pot.max.min(others.max) {
            let one = position(games[0], &one, &pot.name, value, &left);
            let other = position(games[1], &other, &others.name, value, &left);
            let [Some(one), Some(other)] = [one, other] else { continue };
            let states = [games[0].state(&one), games[1].state(&other)];
            if (0..2).all(|at| met[at].contains(&states[at])) {
                places.push(CommonPosition { pot: Some(value), left: left.clone(), states });
            }
        }
    }
    places
}

/// Returns the dice that can be left in the states `met` of the first game, if both keep dice of
/// the same kinds; otherwise one empty list.
fn hands_left(games: [&Game; 2], met: &HashSet<usize>) -> Vec<BTreeMap<String, i64>> {
    let kinds = games
        .map(|game| game.rules().hand.iter().map(|dice| dice.name.as_str()).collect::<Vec<_>>());
    if kinds[0] != kinds[1] || kinds[0].is_empty() {
        return vec![BTreeMap::new()];
    }
    let names = memory_names(games[0].rules());
    let mut hands = Vec::new();
    for state in met {
        let memory = games[0].states().position(*state).memory;
        let mut left: BTreeMap<String, i64> = names.iter().cloned().zip(memory).collect();
        left.retain(|name, _| kinds[0].contains(&name.as_str()));
        if !hands.contains(&left) {
            hands.push(left);
        }
    }
    hands.sort();
    hands
}

/// Returns a position with this pot and these dice left, if the game has it.
fn position(
    game: &Game,
    scores: &Position,
    pot: &str,
    value: i64,
    left: &BTreeMap<String, i64>,
) -> Option<Position> {
    let mut position = scores.clone().with_memory(game.rules(), pot, value).ok()?;
    for (name, dice) in left {
        position = position.with_memory(game.rules(), name, *dice).ok()?;
    }
    Some(position)
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
    [score, opponent]: [u32; 2],
    CommonPosition { pot, left, states }: CommonPosition,
) -> Option<PositionDifference> {
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
    Some(PositionDifference { score, opponent, pot, left, best, costs })
}
