//! Tests of the program and its library, in one binary: tests that wait run beside those that
//! compute, and it is linked once.
//!
//! `cargo test --release --locked --test program readme` runs those of one folder or file.

mod cli;
mod faults;
mod fuzz_corpora;
mod hostile;
mod patterns;
mod playing;
mod plot;
mod python_export;
mod python_strategies;
mod readme;
mod schema;
mod storm_witness;
mod survey;
mod web;
