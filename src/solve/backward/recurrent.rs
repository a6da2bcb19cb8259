//! Games in which turns may lower the sum of scores, so that play may come back to any stage.
//!
//! A sweep through the stages takes the values of lower stages from the sweep before. That map F of values to values is monotone,
//! and no value changes by more than the largest change of those it is made of: where each play lowers the sum ever more rarely,
//! sweeps settle. After a few of them changes shrink by nearly the same factor, so the limit is guessed ahead (Aitken, 1926).
//! From one half for all, n sweeps give the value of the game that ends as a tie when the sum is lowered for the n-th time: what
//! they settle to is worth one half where play never ends.
//!
//! **Proof.** Let x be the values found, w weights with `A w <= w - 1/2`, A being how F changes with its argument: w is how
//! often the sum is still lowered, about. If `F(x + d w) <= x + d w` and `F(x - d w) >= x - d w`, with the bound of one sweep
//! on both sides, then the true values are within `d w` (an interval that F maps into itself; Baier et al. 2017). Each lowering
//! loses a part of it, so that no play that lowers the sum for ever stays at its edge.

use crate::solve::floats::Floats;
use crate::solve::numbers::Payoff;
use crate::solve::{LARGEST_BOUND, SolveError, Watch};

use super::Pass;

/// Sweeps that change no value by more than this, or by a part of what their roundings may, have settled.
const SETTLED: f64 = 1.0 / (1u64 << 47) as f64;
/// More sweeps than these are not waited for.
const MOST_SWEEPS: usize = 2000;
/// Sweeps are told as this share of all work while values settle; what is left is the proof, whose sweeps nobody can count.
const SETTLING: f64 = 0.7;
/// Progress is told in so many parts: always as many, so that it is one piece of work.
const PARTS: f64 = 10_000.0;
/// How far values are moved to see how others follow.
const STEP: f64 = 1e-5;

/// All values of all sides, stage by stage.
type Snapshot = Vec<f64>;

/// Sweeps until values have settled, and proves them; the number of cycles of a sweep, and how far values may be off by all
/// that is not the rounding of turns.
pub(super) fn settle(pass: &mut Pass<Floats>, watch: &Watch) -> Result<(usize, f64), SolveError> {
    let mut sweeps = Sweeps { pass, watch, done: 0.0, cycles: 0 };
    if sweeps.pass.numbers.payoff() == Payoff::Endless {
        sweeps.find_endless()?;
        return Ok((sweeps.cycles, 0.0));
    }
    let found = sweeps.find()?;
    let error = sweeps.prove(&found)?;
    sweeps.pass.error_of_lower_stages = error;
    sweeps.sweep(&found)?;
    Ok((sweeps.cycles, sweeps.pass.context.allowance))
}

struct Sweeps<'p, 'a, 'w> {
    pass: &'p mut Pass<'a, Floats>,
    watch: &'w Watch<'w>,
    /// The share of the work that is done, as it is told.
    done: f64,
    cycles: usize,
}

impl Sweeps<'_, '_, '_> {
    /// The values that a sweep gives if those of lower stages are `guess`.
    fn sweep(&mut self, guess: &[f64]) -> Result<Snapshot, SolveError> {
        let sizes = self.pass.context.layout.numbers();
        let mut guess = guess.chunks_exact(sizes);
        for store in &mut self.pass.stores {
            store.numbers.iter_mut().zip(&mut guess).for_each(|(numbers, guess)| *numbers = guess.to_vec());
        }
        let (done, watch) = (self.done, self.watch);
        let tell = |_: usize, _: usize| watch.step((done * PARTS) as usize, PARTS as usize);
        self.cycles = self.pass.sweep(&tell, |_, _| {})?;
        // So that sweeps of a proof tell something, and all of them less than the end.
        self.done += if self.done < SETTLING { 0.0 } else { (1.0 - self.done) / 5.0 };
        Ok(self.pass.stores.iter().flat_map(|store| &store.numbers).flatten().copied().collect())
    }

    /// Finds how likely games never end: they never lower the sum for ever if they do so once with a chance below 1.
    fn find_endless(&mut self) -> Result<(), SolveError> {
        let count = self.count();
        let mut guess = self.sweep(&vec![1.0; count])?;
        // Mostly one more is all.
        self.done = SETTLING;
        // Then the values of the second sweep stand.
        if largest(&guess) < 1.0 && largest(&self.sweep(&vec![0.0; count])?) == 0.0 {
            return Ok(());
        }
        for _ in 0..MOST_SWEEPS {
            let next = self.sweep(&guess)?;
            let change = next.iter().zip(&guess).map(|(next, guess)| (next - guess).abs()).fold(0.0, f64::max);
            self.changed(change, SETTLED);
            if change <= SETTLED {
                return Ok(());
            }
            guess = next;
        }
        Err(SolveError::Unproven("how often games never end does not settle"))
    }

    /// The last sweep has changed values by this much; they are settled when that is `settled`: progress counts digits.
    fn changed(&mut self, change: f64, settled: f64) {
        let digits = change.max(settled).min(1.0).ln() / settled.ln();
        self.done = self.done.max(SETTLING * digits);
    }

    fn count(&self) -> usize {
        self.pass.sides.len() * self.pass.context.layout.stages() * self.pass.context.layout.numbers()
    }

    /// Sweeps until nothing changes.
    fn find(&mut self) -> Result<Snapshot, SolveError> {
        let mut guess = vec![0.5; self.count()];
        let mut before: Option<Vec<f64>> = None;
        for _ in 0..MOST_SWEEPS {
            let next = self.sweep(&guess)?;
            let change: Vec<f64> = next.iter().zip(&guess).map(|(next, guess)| next - guess).collect();
            let settled = SETTLED.max(self.bound_of_sweep() / 4.0);
            self.changed(largest(&change), settled);
            if largest(&change) <= settled {
                return Ok(next);
            }
            let factor = before.as_ref().map_or(0.0, |before| dot(&change, before) / dot(before, before));
            guess = next;
            before = Some(change);
            if (0.05..0.98).contains(&factor) {
                let change = before.take().expect("just set");
                let ahead = factor / (1.0 - factor);
                guess
                    .iter_mut()
                    .zip(&change)
                    .for_each(|(guess, change)| *guess = (*guess + ahead * change).clamp(0.0, 1.0));
            }
        }
        Err(SolveError::Unproven("values do not settle"))
    }

    /// Proves by how much the values found may be off.
    fn prove(&mut self, found: &[f64]) -> Result<f64, SolveError> {
        let weights = self.weights(found)?;
        let most = largest(&weights);
        let mut of_sweep = self.bound_of_sweep();
        let mut width = 4.0 * (SETTLED + of_sweep);
        while width * most <= LARGEST_BOUND {
            let edge = |sign: f64| -> Vec<f64> {
                let moved = found.iter().zip(&weights).map(|(value, weight)| value + sign * width * weight);
                moved.map(|value| value.clamp(0.0, 1.0)).collect()
            };
            let (above, below) = (edge(1.0), edge(-1.0));
            let highest = self.sweep(&above)?;
            of_sweep = self.bound_of_sweep();
            let lowest = self.sweep(&below)?;
            of_sweep = of_sweep.max(self.bound_of_sweep());
            let inside = |next: f64, edge: f64| next + of_sweep <= edge || edge == 1.0;
            let holds = highest.iter().zip(&above).all(|(next, edge)| inside(*next, *edge))
                && lowest.iter().zip(&below).all(|(next, edge)| inside(1.0 - next, 1.0 - edge));
            if holds {
                return Ok(width * most);
            }
            width *= 4.0;
        }
        Err(SolveError::Unproven("turns lower the sum of scores too often"))
    }

    /// How far the values of the last sweep may be off, those of lower stages being as they were given.
    fn bound_of_sweep(&self) -> f64 {
        self.pass.numbers.bound_of_rows() + self.pass.context.allowance
    }

    /// How often the sum is still lowered from each state, about: more than half a time less after each lowering.
    fn weights(&mut self, found: &[f64]) -> Result<Vec<f64>, SolveError> {
        let mut weights = vec![1.0; found.len()];
        for _ in 0..MOST_SWEEPS {
            let moved: Vec<f64> = found.iter().zip(&weights).map(|(value, weight)| value + STEP * weight).collect();
            let next = self.sweep(&moved)?;
            let next: Vec<f64> =
                next.iter().zip(found).map(|(next, value)| 1.0 + ((next - value) / STEP).max(0.0)).collect();
            let more = next.iter().zip(&weights).map(|(next, weight)| next - weight).fold(0.0, f64::max);
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
