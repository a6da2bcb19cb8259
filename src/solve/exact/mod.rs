//! Exact arithmetic: integers over fixed denominators where a game has them, reduced fractions elsewhere.

mod denominators;
mod fractions;
mod horner;
mod limbs;
mod scaled;

use dashu_ratio::RBig;

pub(super) use denominators::{base, common_multiple};
pub(super) use fractions::{FloatValues, solve as solve_in_fractions};
pub(super) use scaled::Scaled;

/// The double nearest to a rational.
pub fn nearest_double(value: &RBig) -> f64 {
    value.to_f64().value()
}
