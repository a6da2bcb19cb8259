//! The shipped tables: for each game its id and the bytes of its table (`README.md` says how each
//! was made).
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

use std::borrow::Cow;

#[cfg(not(target_family = "wasm"))]
include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Returns the bytes of the shipped table of a game, if there is one. In a browser's tab they are
/// not part of the program, but files in the folder `/tables`, which the page loads when it needs
/// them.
pub fn table(id: &str) -> Option<Cow<'static, [u8]>> {
    #[cfg(not(target_family = "wasm"))]
    return TABLES.iter().find(|(known, _)| *known == id).map(|(_, bytes)| (*bytes).into());
    #[cfg(target_family = "wasm")]
    return std::fs::read(format!("/tables/{id}.hog")).ok().map(Cow::from);
}
