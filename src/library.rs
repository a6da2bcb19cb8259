//! The modules from `strategy` to `site`: what is built on the solver. The crate `hog` re-exports them.

pub mod analysis;
pub mod contest;
pub mod engine;
pub mod format;
pub mod plot;
pub mod sim;
pub mod site;
pub mod strategy;
pub mod survey;
pub mod view;

pub use engine::Engine;
use hog_core::{bid, check, dice, files, game, pairs, partial, rules, solve, table};
