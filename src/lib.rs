//! The exact solver for the dice game Hog and every game like it.
//!
//! [`Engine`] is the main entry point; the modules behind it can also be used directly. The modules from `rules` to
//! `table` form a separate crate (`src/core.rs`), which is re-exported here. The library prints nothing, except for
//! [`cli`], which is the `hog` command: both the binary and the Python package call it.

// Lets the command line refer to the library as `hog`, as its users do.
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
