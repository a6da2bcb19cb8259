//! From rules to a game, and from a game to its solution: equilibria, best responses, win rates of
//! fixed strategies.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

pub mod bid;
/// How often a Markov chain visits its states, for chains that are not read from a game's rules.
///
/// ```
/// use hog_solve::chains::{Chain, visits};
/// // A coin is tossed until it shows heads: twice in the mean.
/// let mut coin = Chain::with_room(1, 1);
/// coin.push(0, 0.5);
/// coin.end_state(0.5);
/// assert_eq!(visits(coin, &[1.0], &|| true), Ok(vec![2.0]));
/// ```
pub mod chains {
    pub use crate::linear::{Chain, UnsolvedSystem, each_component, visits};
}
pub mod component;
pub mod game;
pub mod limits;
mod linear;
pub mod lists;
pub mod pairs;
pub mod partial;
pub mod solve;

use hog_rules::{dice, policy, rules, states, turn};
