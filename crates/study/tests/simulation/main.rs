//! Simulated games follow the rules turn by turn, and are won as often as the exact win rates say.

mod agreement;
#[path = "../handouts/played.rs"]
mod played;
mod rates;
mod strategies;

use hog_rules::rules::load;
use hog_solve::game::{Game, Plan};
use hog_solve::solve::Watch;
use hog_study::strategy::{Sources, Strategy};

/// The games of the five handouts.
const HANDOUTS: [&str; 5] = ["fa21", "nju21", "fa19", "su15", "sp15"];

/// Returns a built-in game.
fn game(id: &str) -> Game {
    Game::new(load(id, Default::default()).unwrap()).unwrap()
}

/// Returns the plan of a strategy.
fn plan(game: &Game, strategy: &str) -> Plan {
    strategy
        .parse::<Strategy>()
        .unwrap()
        .plan_from(&Sources::files(), game, &Watch::silent())
        .unwrap()
}
