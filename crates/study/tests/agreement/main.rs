//! The games of the handouts and of the literature: exact arithmetic against floats, strategies
//! against the equilibrium, threads, vector instructions, and reference data.

// A test may print.
#![allow(clippy::disallowed_macros)]

mod arithmetics;
#[path = "../../../check/tests/check/claims.rs"]
mod claims;
mod conformance;
mod games;
mod hidden;
mod literature;
mod pass_loops;
mod strategies;
mod threads;
mod vectors;
