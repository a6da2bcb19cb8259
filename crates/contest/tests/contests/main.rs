//! Round robins and explanations: the fast rates of pairs equal those of the solver, losses sum to
//! their total, and a killed contest resumes.

mod explanations;
mod kept_pairs;
mod pairs;
#[cfg(unix)]
mod replaced;
mod resumed;
mod robins;
mod unread;

use std::path::Path;

use hog_contest::{
    Entrant, KeptPairs, RankBy, Robin, Scoring, Standings, TieBreak, WINNING, round_robin,
};
use hog_rules::files::hash::fnv_64;
use hog_rules::rules::{Overrides, builtins, load};
use hog_solve::game::{Game, Order, Plan, Policy, PolicyError, Position};
use hog_solve::pairs::{PairRate, Rated, Rater, rate};
use hog_solve::solve::{Arithmetic, Watch, best_response, evaluate, reach};
use hog_study::analysis::{Mistake, explain};
use hog_study::strategy::Strategy;

const GAMES: [&str; 5] = ["fa19", "fa21", "nju21", "sp15", "su15"];

/// A game with another goal, in the steps of its scores.
fn game(id: &str, goal: Option<u32>) -> Game {
    let goal = goal.map(|goal| goal * load(id, Overrides::default()).unwrap().step);
    Game::new(load(id, Overrides { goal, max_dice: None }).unwrap()).unwrap()
}

fn named(game: &Game, name: &str) -> Plan {
    name.parse::<Strategy>().unwrap().plan(game, &Watch::silent()).unwrap()
}

/// A policy that rolls by a hash of the scores.
struct Scattered(u64);

impl Policy for Scattered {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        let mixed =
            (u64::from(position.score) << 20 | u64::from(position.opponent) << 4 | self.0) as u128;
        Ok(((mixed * 0x9e37_79b9_7f4a_7c15) >> 30) as i32 & 0xffff).map(|hash| hash % 11)
    }
}

fn scattered(game: &Game, seed: u64) -> Plan {
    Plan::tabulate(game.states(), &Scattered(seed)).unwrap()
}

fn slow(game: &Game, plans: [&Plan; 2]) -> [f64; 2] {
    let rated = evaluate(game, plans, Arithmetic::Float, &Watch::silent()).unwrap();
    [rated.first(), rated.second()]
}

/// A policy that usually rolls zero dice.
struct Mixed(u64);

impl Policy for Mixed {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        let roll = Scattered(self.0).dice(position)?;
        Ok(if roll < 8 { 0 } else { roll })
    }
}

fn entrants(game: &Game, count: u64) -> Vec<Entrant> {
    (0..count).map(|seed| Entrant::new(format!("s{seed}"), scattered(game, seed))).collect()
}
