//! Exact equilibrium values of chosen states as fractions.

use dashu::rational::RBig;

use crate::game::Game;

use super::arithmetic::{self, Payoff};
use super::bellman::{Board, Chooser, Side};
use super::layout::Layout;
use super::rational::Rational;
use super::scaled::{self, Scaled};
use super::sweep::sweep;
use super::{Arithmetic, Objective, Problem, RANDOM_LOOPS, SolveError, Watch};

/// The mover's exact win rate in each of `states` if both sides play to win, reduced.
///
/// # Errors
/// If `watch` stops it, or exact numbers would not fit in memory.
pub fn exact_values(game: &Game, states: &[usize], watch: &Watch) -> Result<Vec<RBig>, SolveError> {
    let sides = [Side { chooser: Chooser::Best, own: 0, other: 0 }];
    let problem = Problem { game, objective: Objective::Equilibrium, arithmetic: Arithmetic::Exact, sides: &sides };
    match scaled::base(game) {
        Some(base) if game.order() != RANDOM_LOOPS => {
            let scaled = Scaled::new(base, game.space().layers());
            problem.refuse_large(&scaled)?;
            problem.values_at(&scaled, states, watch)
        }
        _ => {
            problem.refuse_growing()?;
            problem.values_at(&Rational, states, watch)
        }
    }
}

impl Problem<'_> {
    fn values_at<A: arithmetic::Arithmetic>(
        &self,
        numbers: &A,
        states: &[usize],
        watch: &Watch,
    ) -> Result<Vec<RBig>, SolveError> {
        let layout = Layout::new(self.game.space(), |layer| numbers.words(layer));
        let board = Board { game: self.game, layout: &layout, arithmetic: numbers };
        let swept = sweep(board, Payoff::WinRate, (self.sides, states), watch)?;
        let fraction = |(state, number): (&usize, &Vec<A::Word>)| {
            numbers.to_rational(number, layout.layer_of(state / layout.space.per_cell()))
        };
        Ok(states.iter().zip(&swept.asked[0]).map(fraction).collect())
    }
}
