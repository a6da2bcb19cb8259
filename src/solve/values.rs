//! Exact equilibrium values of chosen states as fractions.

use dashu_ratio::RBig;

use crate::game::Game;

use super::arithmetic::{self, Payoff};
use super::bellman::{Board, Chooser, Side};
use super::layout::Layout;
use super::rational::Rational;
use super::solver::{Numbers, Solver};
use super::sweep::sweep;
use super::{Arithmetic, SolveError, Watch};

/// The mover's exact win rate in each of `states` if both sides play to win, reduced.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn exact_values(game: &Game, states: &[usize], watch: &Watch) -> Result<Vec<RBig>, SolveError> {
    let solver = Solver::new(game, Arithmetic::Exact);
    if let Numbers::Scaled(scaled) = &solver.numbers {
        solver.refuse_large(scaled, 1)?;
        return values_at(game, scaled, states, watch);
    }
    solver.refuse_growing()?;
    values_at(game, &Rational, states, watch)
}

fn values_at<A: arithmetic::Arithmetic>(
    game: &Game,
    numbers: &A,
    states: &[usize],
    watch: &Watch,
) -> Result<Vec<RBig>, SolveError> {
    let sides = [Side { chooser: Chooser::Best, own: 0, other: 0 }];
    let layout = Layout::new(game.space(), |layer| numbers.words(layer));
    let board = Board { game, layout: &layout, arithmetic: numbers };
    let swept = sweep(board, Payoff::WinRate, (&sides, states), watch)?;
    let fraction = |(state, number): (&usize, &Vec<A::Word>)| {
        numbers.to_rational(number, layout.layer_of(state / layout.space.per_cell()))
    };
    Ok(states.iter().zip(&swept.asked[0]).map(fraction).collect())
}
