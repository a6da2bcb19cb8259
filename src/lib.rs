//! The exact solver for the dice game Hog and every game like it.
//!
//! [`Engine`] is the front door; the rooms behind it can be used by themselves. Those from rules to tables are a crate of their
//! own (`src/core.rs`), handed on here. The library is silent but for [`cli`], which is the `hog` command: the binary and the
//! Python package both call it.

// The command line names the library as any user of it does.
extern crate self as hog;

pub mod analysis;
pub mod cli;
pub mod contest;
pub mod engine;
pub mod format;
pub mod plot;
pub mod sim;
pub mod strategy;
pub mod survey;
pub mod view;
pub mod web;

pub use engine::Engine;
#[doc(inline)]
pub use hog_core::{bid, check, dice, files, game, pairs, partial, rules, solve, table};
