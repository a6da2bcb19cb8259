//! What is built on the solver, on toy games and random ones: explanations, tables, simulation and
//! the checker. The toys and the solver's own tests are in `crates/solve/tests/toys`.

// A test may read the environment.
#![allow(clippy::disallowed_methods)]

#[path = "../../../check/tests/check/claims.rs"]
mod claims;
mod explain;
mod loops;
mod lowering;
mod thirty_dice;
mod wide_games;
mod wide_generator;

// Not all of the toys' helpers are used here.
#[allow(dead_code)]
#[path = "../../../solve/tests/toys/generator.rs"]
mod generator;
#[allow(dead_code)]
#[path = "../../../solve/tests/toys/toy.rs"]
mod toy;
