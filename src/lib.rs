//! The exact solver for the dice game Hog and every game like it.
//!
//! [`Engine`] is the main entry point; the modules behind it can also be used directly. The library prints nothing,
//! except for [`cli`], which is the `hog` command: both the binary and the Python package call it.
//!
//! The modules come from three crates: the rules, the games and the solver (`src/core.rs`), those built on them
//! (`src/library.rs`), and the command line with the page's server (`src/shell.rs`).

#[doc(inline)]
pub use hog_core::{bid, check, dice, files, game, pairs, partial, rules, solve, table};
pub use hog_library::Engine;
#[doc(inline)]
pub use hog_library::{analysis, contest, engine, format, plot, sim, site, strategy, survey, view};
#[doc(inline)]
pub use hog_shell::{cli, web};
