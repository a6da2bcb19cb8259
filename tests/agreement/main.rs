//! The games of the handouts and of the literature: exact against float, strategies against the equilibrium, threads, and the
//! conformance tables.

mod arithmetics;
mod conformance;
mod games;
mod literature;
mod pass_loops;
mod strategies;
mod threads;
mod vectors;
