//! The rooms from files to tables: rules, dice, games, their solver and the checker. The crate `hog` hands them on beside
//! the rooms that stand on them.

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
