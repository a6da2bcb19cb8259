//! A rule of thumb for games in which dice are kept: the points at which to bank by the dice left.

use std::collections::HashMap;

use crate::game::{Game, Plan};
use crate::pairs::{self, PairRate};
use crate::solve::{SolveError, Watch};
use crate::strategy::{BankAt, Jeopardy, Strategy, StrategyError};

/// Thresholds with what they win against an opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// The points at which to bank with one die left, two, and so on; a single number for all.
    pub points: Vec<i64>,
    /// What a die left counts when dice are kept, in points.
    pub die: i64,
    /// The strategy's rolls.
    pub plan: Plan,
    /// The win rates against the opponent, and a bound on their errors.
    pub rate: (PairRate, f64),
    /// What they lose to the best strategy against it.
    pub loss: f64,
}

impl Thresholds {
    /// The number of sentences that say it: on the dice to keep, and on each threshold.
    pub fn lines(&self) -> usize {
        usize::from(self.die > 0) + self.points.len()
    }

    /// Returns the name of the strategy.
    pub fn name(&self) -> String {
        bank_at(&self.points, self.die).to_string()
    }
}

/// The strategy of these numbers, without those that are 0.
fn bank_at(points: &[i64], die: i64) -> BankAt {
    BankAt::new(points, (die > 0).then_some(die))
}

/// Finds a single threshold against an opponent, given the win rate of the best strategy against
/// it, then what a die left counts beside it, and then a threshold for each number of dice left:
/// each number by steps to the nearest best, until none changes any more. That no other numbers are
/// better is not proven.
///
/// # Errors
/// Returns an error if the game has no pot, a rate cannot be computed, or `watch` stops the work.
pub fn thresholds(
    game: &Game,
    opponent: &Plan,
    best: f64,
    watch: &Watch,
) -> Result<Vec<Thresholds>, StrategyError> {
    let rules = game.rules();
    let step = rules.pot().map_or(1, |pot| pot.step);
    let dice: u32 = rules.hand.iter().map(|dice| dice.count).sum();
    let mut search = ThresholdSearch { game, opponent, best, watch, step, known: HashMap::new() };
    // What a die left counts, and then the thresholds.
    let mut numbers = vec![0, (i64::from(rules.goal) / 8 / step).max(1) * step];
    search.climb(&mut numbers, 1, LONG_STEPS)?;
    let mut found = vec![search.thresholds(&numbers)?];
    search.climb_all(&mut numbers)?;
    found.push(search.thresholds(&numbers)?);
    numbers.resize(1 + BankAt::most().min(dice as usize), numbers[1]);
    search.climb_all(&mut numbers)?;
    found.push(search.thresholds(&numbers)?);
    let mut least = f64::INFINITY;
    found.retain(|of| {
        let is_less = of.loss < least;
        least = least.min(of.loss);
        is_less
    });
    Ok(found)
}

struct ThresholdSearch<'s> {
    game: &'s Game,
    opponent: &'s Plan,
    best: f64,
    watch: &'s Watch<'s>,
    step: i64,
    known: HashMap<Vec<i64>, f64>,
}

impl ThresholdSearch<'_> {
    /// Changes one number after the other until none changes any more, a few times at most.
    fn climb_all(&mut self, numbers: &mut Vec<i64>) -> Result<(), StrategyError> {
        for steps in ROUNDS {
            let before = numbers.clone();
            for at in 0..numbers.len() {
                self.climb(numbers, at, steps)?;
            }
            if *numbers == before {
                break;
            }
        }
        Ok(())
    }

    /// Changes a number to the nearest one that wins more than those so many steps below and above.
    fn climb(
        &mut self,
        numbers: &mut Vec<i64>,
        at: usize,
        steps: &[i64],
    ) -> Result<(), StrategyError> {
        let least = if at == 0 { 0 } else { self.step };
        let most = i64::from(self.game.rules().goal);
        let mut best = self.wins(numbers)?;
        for steps in steps {
            for change in [*steps * self.step, -*steps * self.step] {
                loop {
                    let mut next = numbers.clone();
                    next[at] += change;
                    if !(least..=most).contains(&next[at]) {
                        break;
                    }
                    let wins = self.wins(&next)?;
                    if wins <= best {
                        break;
                    }
                    best = wins;
                    *numbers = next;
                }
            }
        }
        Ok(())
    }

    fn wins(&mut self, numbers: &[i64]) -> Result<f64, StrategyError> {
        if let Some(wins) = self.known.get(numbers) {
            return Ok(*wins);
        }
        let wins = self.thresholds(numbers)?.rate.0.average();
        self.known.insert(numbers.to_vec(), wins);
        Ok(wins)
    }

    fn thresholds(&self, numbers: &[i64]) -> Result<Thresholds, StrategyError> {
        if !self.watch.step(0, 1) {
            return Err(SolveError::Cancelled.into());
        }
        let die = numbers[0];
        let points = numbers[1..].to_vec();
        let strategy = Strategy::Jeopardy(Jeopardy::BankAt(bank_at(&points, die)));
        let plan = strategy.plan(self.game, self.watch)?;
        let rate = pairs::rate(self.game, [&plan, self.opponent], self.watch)?;
        let loss = self.best - rate.0.average();
        Ok(Thresholds { points, die, plan, rate, loss })
    }
}

/// By how many steps a number is changed: far off first.
const LONG_STEPS: &[i64] = &[4, 2, 1];
/// The same for each time that all numbers are changed.
const ROUNDS: [&[i64]; 4] = [LONG_STEPS, LONG_STEPS, &[1], &[1]];
