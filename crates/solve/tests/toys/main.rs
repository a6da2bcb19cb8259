//! Toy games with solutions worked out by hand, and random small games against brute force.

// A test may print.
#![allow(clippy::disallowed_macros)]

mod brute_force;
mod certain;
mod edges;
mod ends;
mod generator;
mod hooks;
mod kept;
mod kept_games;
mod many_action_sets;
mod memories;
mod near_ties;
mod one_die;
mod pairs;
mod pass_cycles;
mod pass_loops;
mod random_cycles;
mod random_cyclic_games;
mod random_games;
mod rare_exits;
mod too_far;
mod toy;
