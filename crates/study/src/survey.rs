//! What best play rolls, of all states together and at the start.

use crate::game::Game;
use crate::solve::Solution;

/// Returns the share of states in which each number of dice is the lowest best one; numbers with no
/// such state are left out.
pub fn best_dice(game: &Game, solution: &Solution) -> Vec<(i32, f64)> {
    let mut counts = vec![0_usize; game.space().actions];
    for (state, set) in solution.own.best.iter().enumerate() {
        counts[game.choices_in(state, *set).trailing_zeros() as usize] += 1;
    }
    let mut shares = Vec::new();
    for (action, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        shares.push((game.space().dice(action), count as f64 / game.space().states() as f64));
    }
    shares
}

/// Returns the best numbers of dice at the start; where dice are kept, that is the whole hand.
pub fn first_rolls(game: &Game, solution: &Solution) -> Vec<i32> {
    let rules = game.rules();
    let mut dice = game.space().dice_in(game.choices_in(game.start(), solution.first_roll()));
    if rules.keeps_dice() {
        for request in dice.iter_mut().filter(|request| **request > 0) {
            *request = rules.dice_of_hand() as i32;
        }
    }
    dice
}
