//! The modules `web` and `cli`: the page's server and the command line. The crate `hog` re-exports them.

// Lets the command line refer to the library as `hog`, as its users do.
extern crate self as hog;

pub mod cli;
pub mod web;

use hog_core::{bid, files, game, partial, rules, solve, table};
use hog_library::{Engine, contest, engine, format, plot, sim, site, strategy, view};
