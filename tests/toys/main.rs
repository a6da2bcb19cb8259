//! Toy games with answers worked out by hand, and random small games against brute force.

mod board;
mod brute_force;
mod certain;
mod edges;
mod explain;
mod generator;
mod hooks;
mod lowering;
mod many_panels;
mod memories;
mod near_ties;
mod one_die;
mod pass_cycles;
mod pass_loops;
mod random_games;
mod random_level_games;
mod random_loops;
mod rare_exits;
mod thirty_dice;
mod too_far;
mod wide_games;
mod wide_generator;
