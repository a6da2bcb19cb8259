//! What a solution claims, for the checker; tests of other crates use this file too.

use hog_check::{Claim, LoopBounds};
use hog_solve::game::{Game, Plan};
use hog_solve::solve::{Arithmetic, Solution};

pub(crate) fn claim<'a>(
    game: &'a Game,
    solution: &'a Solution,
    against: Option<&'a Plan>,
) -> Claim<'a> {
    Claim {
        rules: game.rules(),
        states: game.states(),
        best: &solution.own.best,
        win_rates: &solution.own.win_rates,
        exact: solution.arithmetic == Arithmetic::Exact,
        error_bound: solution.error_bound,
        bounds: solution.bounds.as_ref().map(|bounds| LoopBounds {
            other: solution.other.as_ref().map_or(&[], |other| &other.win_rates),
            states: &bounds.states,
            below: &bounds.below,
            above: &bounds.above,
        }),
        against,
        rates: [solution.first(), solution.second(), solution.average()],
    }
}
