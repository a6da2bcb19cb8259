//! What is built on the solver: tables, strategies, games played with dice, analysis, and the
//! [`Engine`] that answers questions about all of them.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

pub mod analysis;
pub mod engine;
pub mod format;
pub mod queries;
pub mod requests;
pub mod sim;
pub mod strategy;
pub mod survey;
pub mod table;

pub use engine::Engine;
use hog_check as check;
use hog_rules::{dice, files, rules};
use hog_solve::{bid, chains, component, game, lists, pairs, partial, solve};
