//! The modules from `files` to `table`: rules, dice, games, the solver and the checker. The crate `hog` re-exports them
//! together with the modules built on them.

pub mod bid;
pub mod check;
pub mod dice;
pub mod files;
pub mod game;
mod kernel;
mod linear;
pub mod pairs;
pub mod partial;
pub mod rules;
pub mod solve;
pub mod table;
mod turn;
