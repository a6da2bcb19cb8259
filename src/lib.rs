//! The exact solver for the dice game Hog and every game like it.
//!
//! [`Engine`] is the main entry point; the modules behind it can also be used directly. The library
//! prints nothing, except for [`cli`], which is the `hog` command: both the binary and the Python
//! package call it.
//!
//! The modules come from the crates below this one: `hog-rules`, `hog-solve`, `hog-check`,
//! `hog-engine` and `hog-plot`.

// Lets the command line refer to the library as `hog`, as its users do.
extern crate self as hog;

pub mod cli;
pub mod web;

#[doc(inline)]
pub use hog_check as check;
pub use hog_engine::Engine;
#[doc(inline)]
pub use hog_engine::{
    analysis, contest, engine, format, queries, sim, site, strategy, survey, table, view,
};
#[doc(inline)]
pub use hog_plot as plot;
#[doc(inline)]
pub use hog_rules::{dice, files, rules};
#[doc(inline)]
pub use hog_solve::{bid, game, pairs, partial, solve};
