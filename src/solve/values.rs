//! Exact equilibrium values of chosen states as fractions.

use dashu_ratio::RBig;

use crate::game::Game;

use super::solver::Prepared;
use super::{Arithmetic, SolveError, Watch};

/// The mover's exact win rate in each of `states` if both sides play to win, reduced.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn exact_values(game: &Game, states: &[usize], watch: &Watch) -> Result<Vec<RBig>, SolveError> {
    Prepared::new(game, Arithmetic::Exact).exact_values(game, states, watch)
}
