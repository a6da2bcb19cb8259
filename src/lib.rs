//! The exact solver for the dice game Hog and every game like it.
pub mod analysis;
pub mod bid;
pub mod check;
pub mod contest;
pub mod dice;
pub mod game;
pub mod report;
pub mod rules;
pub mod sim;
pub mod solve;
pub mod strategy;
pub mod survey;
pub mod table;
