//! What is built on the solver and computes: tables, strategies, games played with dice, analyses,
//! and solved games in other formats.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

pub mod analysis;
pub mod export;
pub mod limits;
pub mod sim;
pub mod strategy;
pub mod survey;
pub mod table;
mod win_rates;

use hog_rules::{dice, files, rules};
use hog_solve::{bid, chains, component, game, lists, pairs, partial, solve};
pub use win_rates::WinRates;
