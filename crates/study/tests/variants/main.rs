//! Every published game: its file, its turns and small values against an independent
//! implementation, the figures that the courses published, and properties of any game.

mod all_games;
mod bids;
#[path = "../../../check/tests/check/claims.rs"]
mod claims;
mod figures;
mod games;
mod jeopardy;
mod library;
mod reference;

use hog_rules::rules::{Overrides, load};
use hog_solve::game::Game;

/// Returns a game with another goal and, perhaps, fewer dice.
/// A game with another goal, in the steps of its scores.
fn game(id: &str, goal: u32, max_dice: Option<u32>) -> Game {
    let goal = goal * load(id, Overrides::default()).unwrap_or_else(|e| panic!("{e}")).step;
    let rules =
        load(id, Overrides { goal: Some(goal), max_dice }).unwrap_or_else(|e| panic!("{e}"));
    Game::new(rules).unwrap_or_else(|e| panic!("{e}"))
}
