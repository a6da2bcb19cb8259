//! From rules to a game, and from a game to its solution: equilibria, best responses, win rates of
//! fixed strategies.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

pub mod bid;
pub mod component;
pub mod game;
mod linear;
pub mod lists;
pub mod pairs;
pub mod partial;
pub mod solve;

use hog_rules::{dice, policy, rules, states, turn};
