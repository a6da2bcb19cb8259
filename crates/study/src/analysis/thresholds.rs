//! A rule of thumb for games in which dice are kept: the points at which to bank by the dice left.

use std::collections::HashMap;

use crate::game::{Game, Plan};
use crate::pairs::{self, PairRate};
use crate::solve::{SolveError, Watch};
use crate::strategy::{Jeopardy, StrategyError};

/// Thresholds with what they win against an opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// The points at which to bank with one die left, two, and so on; a single number for all.
    pub points: Vec<i64>,
    /// The strategy's rolls.
    pub plan: Plan,
    /// The win rates against the opponent, and a bound on their errors.
    pub rate: (PairRate, f64),
    /// What they lose to the best strategy against it.
    pub loss: f64,
}

impl Thresholds {
    /// Returns the name of the strategy.
    pub fn name(&self) -> String {
        let points: Vec<String> = self.points.iter().map(i64::to_string).collect();
        format!("bank_at:{}", points.join(","))
    }
}

/// Finds a single threshold against an opponent, given the win rate of the best strategy against
/// it, and then one for each number of dice left, each by steps from the one before to the nearest
/// best. That no other thresholds are better is not proven.
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
    let mut points = vec![(i64::from(rules.goal) / 8 / step).max(1) * step];
    search.climb(&mut points, 0)?;
    let single = search.thresholds(&points)?;
    let mut points = vec![points[0]; Jeopardy::most_thresholds().min(dice as usize)];
    for left in 0..points.len() {
        search.climb(&mut points, left)?;
    }
    let all = search.thresholds(&points)?;
    Ok(if all.loss < single.loss { vec![single, all] } else { vec![single] })
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
    /// Changes a threshold to the nearest one that wins more than its neighbours, by long steps
    /// first.
    fn climb(&mut self, points: &mut Vec<i64>, at: usize) -> Result<(), StrategyError> {
        let mut best = self.wins(points)?;
        for change in [4, 2, 1].map(|steps| steps * self.step) {
            for change in [change, -change] {
                loop {
                    let mut next = points.clone();
                    next[at] += change;
                    if next[at] <= 0 || next[at] > i64::from(self.game.rules().goal) {
                        break;
                    }
                    let wins = self.wins(&next)?;
                    if wins <= best {
                        break;
                    }
                    best = wins;
                    *points = next;
                }
            }
        }
        Ok(())
    }

    fn wins(&mut self, points: &[i64]) -> Result<f64, StrategyError> {
        if let Some(wins) = self.known.get(points) {
            return Ok(*wins);
        }
        let wins = self.thresholds(points)?.rate.0.average();
        self.known.insert(points.to_vec(), wins);
        Ok(wins)
    }

    fn thresholds(&self, points: &[i64]) -> Result<Thresholds, StrategyError> {
        if !self.watch.step(0, 1) {
            return Err(SolveError::Cancelled.into());
        }
        let strategy = Jeopardy::bank_at(points);
        let plan = strategy.plan(self.game, self.watch)?;
        let rate = pairs::rate(self.game, [&plan, self.opponent], self.watch)?;
        let loss = self.best - rate.0.average();
        Ok(Thresholds { points: points.to_vec(), plan, rate, loss })
    }
}
