//! Questions about games, and the [`Engine`] that answers them.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

pub mod engine;
pub mod format;
pub mod queries;
pub mod requests;

pub use engine::Engine;
use hog_check as check;
use hog_rules::{dice, files, rules};
use hog_solve::{bid, game, pairs, partial, solve};
use hog_study::{analysis, sim, strategy, survey, table};
