//! The exact solver for games whose totals have a common multiple: integers over one fixed
//! denominator for each stage. Reduced fractions are in [`full_graph`](super::full_graph).

mod denominators;
mod horner;
mod limbs;
mod scaled;

pub(super) use denominators::common_multiple;
pub(super) use scaled::Scaled;
