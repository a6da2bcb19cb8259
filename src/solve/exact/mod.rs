//! Exact arithmetic: integers over fixed denominators where a game has them; reduced fractions of doubles, and back.

mod denominators;
mod horner;
mod limbs;
mod scaled;

pub(super) use denominators::{base, common_multiple};
pub(super) use scaled::Scaled;
