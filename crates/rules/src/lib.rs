//! Rule files of the dice game Hog and every game like it, and what follows from a rule file alone:
//! its formulas, the distribution of its dice, one turn in words, and the numbering of its states.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

pub mod dice;
pub mod limits;
pub mod policy;
pub mod rules;
pub mod states;
pub mod turn;

#[doc(inline)]
pub use hog_files as files;
