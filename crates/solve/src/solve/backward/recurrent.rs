//! Games whose turns may lower the sum of the scores, so that play may return to any stage: value
//! iteration with a proof.
//!
//! A sweep through all stages reads the values of lower stages from the sweep before. The map F
//! from old to new values is monotone, and no value changes by more than the largest change of the
//! values it reads; sweeps converge if play lowers the sum ever more rarely. After a few sweeps all
//! changes shrink by nearly the same factor, so the limit is extrapolated (Aitken, 1926). Starting
//! from one half everywhere, n sweeps give the value of the game that ends in a tie when the sum is
//! lowered for the n-th time; the limit therefore values endless play at one half.
//!
//! **Proof.** Let x be the values found, as the first player's, and w weights with `A w <= w - 1/2`,
//! where A is the derivative of F: w is about the expected number of further lowerings of the sum. If
//! `F(x + d w) <= x + d w` and `F(x - d w) >= x - d w`, each with the error bound of one sweep added
//! against it, then the true values are within `d w` of x, because F maps that interval into itself
//! (interval iteration: Baier et al. 2017). Each lowering loses a part of the interval, so no play
//! that lowers the sum for ever stays at its edge. F is monotone in the values of one player alone,
//! so the states of both are kept, even where both play alike: where the second player moves, a
//! larger value of the first is a smaller one of the mover.

use crate::solve::floats::Floats;
use crate::solve::numbers::Payoff;
use crate::solve::{LARGEST_BOUND, SolveError, Watch};

use super::Pass;

/// Sweeps have converged when no value changes by more than this or by a quarter of the bound on
/// their rounding errors.
const CONVERGED: f64 = 1.0 / (1u64 << 47) as f64;
/// The most sweeps before giving up, and the most to find weights.
const MOST_SWEEPS: usize = 2000;
const MOST_WEIGHING: usize = 200;
/// The progress reported at convergence; the remainder is for the proof, whose number of sweeps is
/// unknown.
const CONVERGENCE_SHARE: f64 = 0.7;
/// Progress is reported in this many parts, always the same, so that all sweeps count as one piece
/// of work.
const PARTS: f64 = 10_000.0;
/// The step of the finite differences that approximate the derivative of F.
const STEP: f64 = 1e-5;

/// All values of both sides, stage by stage.
type Snapshot = Vec<f64>;

/// Sweeps until the values converge and proves them (probabilities of endless play only converge).
/// Returns the number of cycles in a sweep, and a bound on all errors other than the rounding of
/// turns.
pub(super) fn solve(pass: &mut Pass<Floats>, watch: &Watch) -> Result<(usize, f64), SolveError> {
    let mut sweeps = Sweeps { pass, watch, done: 0.0, cycles: 0 };
    if sweeps.pass.numbers.payoff == Payoff::Endless {
        sweeps.find_endless()?;
        return Ok((sweeps.cycles, 0.0));
    }
    let found = sweeps.converge()?;
    let error = sweeps.prove(&found)?;
    sweeps.pass.error_of_lower_stages = error;
    sweeps.sweep(&found)?;
    Ok((sweeps.cycles, sweeps.pass.context.allowance))
}

struct Sweeps<'p, 'a, 'w> {
    pass: &'p mut Pass<'a, Floats>,
    watch: &'w Watch<'w>,
    /// The share of the work reported as done.
    done: f64,
    cycles: usize,
}

impl Sweeps<'_, '_, '_> {
    /// Returns the values after a sweep that reads `guess` for lower stages.
    fn sweep(&mut self, guess: &[f64]) -> Result<Snapshot, SolveError> {
        let sizes = self.pass.context.layout.numbers();
        let mut guess = guess.chunks_exact(sizes);
        for store in &mut self.pass.stores {
            store
                .numbers
                .iter_mut()
                .zip(&mut guess)
                .for_each(|(numbers, guess)| *numbers = guess.to_vec());
        }
        let (done, watch) = (self.done, self.watch);
        let report = |_: usize, _: usize| watch.step((done * PARTS) as usize, PARTS as usize);
        self.cycles = self.pass.sweep(&report, |_, _| {})?;
        // The sweeps of a proof advance the progress, but never to the end.
        self.done += if self.done < CONVERGENCE_SHARE { 0.0 } else { (1.0 - self.done) / 5.0 };
        Ok(self.pass.stores.iter().flat_map(|store| &store.numbers).flatten().copied().collect())
    }

    /// Finds the probability of endless play, where there is any.
    fn find_endless(&mut self) -> Result<(), SolveError> {
        let mut guess = vec![1.0; self.count()];
        for _ in 0..MOST_SWEEPS {
            let next = self.sweep(&guess)?;
            let changes = next.iter().zip(&guess).map(|(next, guess)| (next - guess).abs());
            let change = changes.fold(0.0, f64::max);
            self.update_progress(change, CONVERGED);
            if change <= CONVERGED {
                return Ok(());
            }
            guess = next;
        }
        Err(SolveError::Unproven("the probability of endless play does not converge"))
    }

    /// Updates the progress, in digits, after a sweep whose largest change is `change`; it must
    /// reach `converged`.
    fn update_progress(&mut self, change: f64, converged: f64) {
        let digits = change.max(converged).min(1.0).ln() / converged.ln();
        self.done = self.done.max(CONVERGENCE_SHARE * digits);
    }

    /// By value: 1, or -1 where the second player moves.
    fn signs(&self) -> impl Iterator<Item = f64> + use<> {
        let of_side = self.count() / self.pass.sides.len();
        [1.0, -1.0].into_iter().flat_map(move |sign| std::iter::repeat_n(sign, of_side))
    }

    fn count(&self) -> usize {
        self.pass.sides.len()
            * self.pass.context.layout.stages()
            * self.pass.context.layout.numbers()
    }

    /// Sweeps until the values converge.
    fn converge(&mut self) -> Result<Snapshot, SolveError> {
        let mut guess = vec![0.5; self.count()];
        let mut before: Option<Vec<f64>> = None;
        for _ in 0..MOST_SWEEPS {
            let next = self.sweep(&guess)?;
            let change: Vec<f64> =
                next.iter().zip(&guess).map(|(next, guess)| next - guess).collect();
            let converged = CONVERGED.max(self.bound_of_sweep() / 4.0);
            self.update_progress(largest(&change), converged);
            if largest(&change) <= converged {
                return Ok(next);
            }
            let factor =
                before.as_ref().map_or(0.0, |before| dot(&change, before) / dot(before, before));
            let ahead = if (0.05..0.98).contains(&factor) { factor / (1.0 - factor) } else { 0.0 };
            guess = next
                .iter()
                .zip(&change)
                .map(|(next, change)| (next + ahead * change).clamp(0.0, 1.0))
                .collect();
            before = (ahead == 0.0).then_some(change);
        }
        Err(SolveError::Unproven("the values do not converge"))
    }

    /// Returns a proven bound on the error of the values found.
    fn prove(&mut self, found: &[f64]) -> Result<f64, SolveError> {
        let weights = self.weights(found)?;
        let most = largest(&weights);
        let mut sweep_bound = self.bound_of_sweep();
        let mut width = 4.0 * (CONVERGED + sweep_bound);
        while width * most <= LARGEST_BOUND {
            let shifted = |by: f64| -> Vec<f64> {
                let steps = self.signs().zip(&weights).map(|(sign, weight)| by * sign * weight);
                found
                    .iter()
                    .zip(steps)
                    .map(|(value, step)| (value + step).clamp(0.0, 1.0))
                    .collect()
            };
            let (above, below) = (shifted(width), shifted(-width));
            let highest = self.sweep(&above)?;
            sweep_bound = self.bound_of_sweep();
            let lowest = self.sweep(&below)?;
            sweep_bound = sweep_bound.max(self.bound_of_sweep());
            // No value of the mover is above 1 or below 0.
            let not_above = |next: f64, end: f64| next + sweep_bound <= end || end == 1.0;
            let not_below = |next: f64, end: f64| next - sweep_bound >= end || end == 0.0;
            let leads_inside = |next: &[f64], ends: &[f64], by: f64| {
                let mut ends = self.signs().zip(next.iter().zip(ends));
                ends.all(|(sign, (next, end))| match sign * by > 0.0 {
                    true => not_above(*next, *end),
                    false => not_below(*next, *end),
                })
            };
            let holds =
                leads_inside(&highest, &above, width) && leads_inside(&lowest, &below, -width);
            if holds {
                return Ok(width * most);
            }
            width *= 4.0;
        }
        Err(SolveError::Unproven("turns lower the sum of scores too often"))
    }

    /// A bound on the error of the last sweep, given the values of lower stages that it read.
    fn bound_of_sweep(&self) -> f64 {
        self.pass.numbers.bound_of_rows() + self.pass.context.allowance
    }

    /// Returns weights w with `A w <= w - 1/2`: about the expected number of further lowerings from
    /// each state.
    fn weights(&mut self, found: &[f64]) -> Result<Vec<f64>, SolveError> {
        let mut weights = vec![1.0; found.len()];
        for _ in 0..MOST_WEIGHING {
            let steps = self.signs().zip(&weights).map(|(sign, weight)| STEP * sign * weight);
            let moved: Vec<f64> =
                found.iter().zip(steps).map(|(value, step)| value + step).collect();
            let next = self.sweep(&moved)?;
            let more = self.signs().zip(next.iter().zip(found));
            let next: Vec<f64> = more
                .map(|(sign, (next, value))| 1.0 + (sign * (next - value) / STEP).max(0.0))
                .collect();
            let more =
                next.iter().zip(&weights).map(|(next, weight)| next - weight).fold(0.0, f64::max);
            if more <= 0.5 {
                return Ok(weights);
            }
            weights = next;
        }
        Err(SolveError::Unproven("turns lower the sum of scores for ever"))
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
