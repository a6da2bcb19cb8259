//! The exact solver for the dice game Hog and every game like it.
//!
//! [`Engine`] is the front door; the rooms behind it can be used by themselves. The library is silent but for [`cli`], which is
//! the `hog` command: the binary and the Python package both call it.

// The command line names the library as any user of it does.
extern crate self as hog;

pub mod analysis;
pub mod bid;
pub mod check;
pub mod cli;
pub mod contest;
pub mod dice;
pub mod engine;
pub mod files;
pub mod format;
pub mod game;
mod kernel;
mod linear;
pub mod pairs;
pub mod partial;
pub mod plot;
pub mod rules;
pub mod sim;
pub mod solve;
pub mod strategy;
pub mod survey;
pub mod table;
mod turn;
pub mod view;
pub mod web;

pub use engine::Engine;
