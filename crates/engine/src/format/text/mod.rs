//! Writes views as text for people, in one file for each.

mod contest;
mod dice;
mod export;
mod play;
mod plot;
mod rules;
mod simulate;
mod survey;
mod tune;
mod vary;

pub use play::{dice_drawn, race_track};
