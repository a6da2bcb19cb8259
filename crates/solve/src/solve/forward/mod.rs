//! The forward pass: how often each state is reached when two fixed policies play each other.
//!
//! Turns usually raise the sum of the scores, so the stages are processed upward. In a stage where
//! turns may leave the sum unchanged, the strongly connected components are solved in order
//! ([`cycles`]); then all visits are carried to later stages. Where turns lower the sum, the visits
//! that return to lower stages start the next sweep; once each sweep returns the same multiple of
//! the one before, in the same places, the sum of all further sweeps is a geometric series. Within
//! a sweep no operation subtracts, so every number is accurate relative to its own size, however
//! small.

mod cycles;

use std::cmp::Ordering;

use crate::dice::double_of;
use crate::game::{End, Game, Order, Plan, Successor};

use super::{SolveError, Watch};

/// The expected visits and results of one game between two fixed policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// By side to move, then by state as its mover sees it: the expected number of visits in a
    /// game. In loops that are never left, only the states in which games enter are counted,
    /// once.
    pub visits: [Vec<f64>; 2],
    /// The states in which games enter loops that are never left: the side to move, the state, and
    /// the probability. Where turns may lower the sum, those from which games can no longer
    /// end.
    pub endless: Vec<(usize, usize, f64)>,
    /// The probability that the first side wins.
    pub won: f64,
    /// The probability of a tie.
    pub tied: f64,
}

/// Computes the expected visits of states between `plans[0]` and `plans[1]`; `start` are the
/// probabilities that each moves first. A game is broken off in a state for which `stops` is true,
/// given the side to move and the state.
///
/// # Errors
/// Returns an error if `watch` cancels the work, a loop of states is too large to solve, or
/// returning visits do not converge.
pub fn reach(
    game: &Game,
    plans: [&Plan; 2],
    start: [f64; 2],
    stops: &dyn Fn(usize, usize) -> bool,
    watch: &Watch,
) -> Result<Reach, SolveError> {
    let space = game.space();
    let none = |states: usize| [0, 1].map(|_| vec![0.0; states]);
    let returned = none(if game.order() == Order::Recurrent { space.states() } else { 0 });
    let cyclic = if game.order() == Order::Acyclic { 0 } else { space.states() };
    let node_of = [0, 1].map(|_| vec![usize::MAX; cyclic]);
    let (visits, ended) = (none(space.states()), [[0.0; 3]; 2]);
    let ends = match game.order() {
        Order::Recurrent => {
            Some(game.may_end(plans, &|| watch.step(0, 1)).ok_or(SolveError::Cancelled)?)
        }
        _ => None,
    };
    let never = |side: usize, state: usize| ends.as_ref().is_some_and(|ends| !ends[side][state]);
    let stops = &|side: usize, state: usize| never(side, state) || stops(side, state);
    let mut pass = ForwardPass { game, plans, stops, visits, ended, returned, node_of };
    for (visits, chance) in pass.visits.iter_mut().zip(start) {
        visits[game.start()] = chance;
    }
    let mut endless = pass.sweep(watch)?;
    if game.order() == Order::Recurrent {
        pass.sweep_returned(watch)?;
        let states = (0..2).flat_map(|side| (0..space.states()).map(move |state| (side, state)));
        let entered = states.map(|(side, state)| (side, state, pass.visits[side][state]));
        endless
            .extend(entered.filter(|(side, state, visits)| *visits > 0.0 && never(*side, *state)));
    }
    let ended = |side: usize, end: End| pass.ended[side][end as usize];
    let (won, tied) =
        (ended(0, End::Won) + ended(1, End::Lost), ended(0, End::Tied) + ended(1, End::Tied));
    Ok(Reach { visits: pass.visits, endless, won, tied })
}

/// The side that moves after a turn of `side`.
fn next_side(side: usize, again: bool) -> usize {
    if again { side } else { 1 - side }
}

/// Returns the ratio of the visits returned now to those before, if it is below 1 and the same in
/// all places.
fn common_ratio(before: &[Vec<f64>; 2], now: &[Vec<f64>; 2]) -> Option<f64> {
    let sum = |visits: &[Vec<f64>; 2]| visits.iter().flatten().sum::<f64>();
    let ratio = sum(now) / sum(before);
    let pairs = before.iter().flatten().zip(now.iter().flatten());
    let difference: f64 = pairs.map(|(before, now)| (now - ratio * before).abs()).sum();
    (ratio < 1.0 && difference <= RATIO_TOLERANCE * (1.0 - ratio)).then_some(ratio)
}

struct ForwardPass<'g> {
    game: &'g Game,
    plans: [&'g Plan; 2],
    stops: &'g dyn Fn(usize, usize) -> bool,
    visits: [Vec<f64>; 2],
    /// By the side that has just moved, and end.
    ended: [[f64; 3]; 2],
    /// By side and state: visits that have returned to lower stages, for the next sweep; empty if
    /// no turn lowers the sum.
    returned: [Vec<f64>; 2],
    /// By side and state: a buffer of [`cycles`], all [`usize::MAX`]; empty if turns always raise
    /// the sum.
    node_of: [Vec<usize>; 2],
}

/// The most sweeps before giving up.
const MOST_SWEEPS: usize = 2000;
/// Two sweeps have a common ratio if the error that this makes, summed over all visits, is at most
/// this.
const RATIO_TOLERANCE: f64 = 1e-12;

impl ForwardPass<'_> {
    /// Processes all stages upward once; returns where games enter loops that they never leave.
    fn sweep(&mut self, watch: &Watch) -> Result<Vec<(usize, usize, f64)>, SolveError> {
        let (stages, mut endless) = (self.game.space().stages(), Vec::new());
        for stage in 0..stages {
            watch.report(stage, stages)?;
            if self.game.order() != Order::Acyclic {
                endless.extend(cycles::solve(self, stage, watch)?);
            }
            self.propagate(stage);
        }
        watch.report(stages, stages)?;
        Ok(endless)
    }

    /// Sweeps the visits that have returned to lower stages, until none return or their ratio is
    /// constant.
    fn sweep_returned(&mut self, watch: &Watch) -> Result<(), SolveError> {
        let states = self.game.space().states();
        let mut all = std::mem::take(&mut self.visits);
        let mut before: Option<[Vec<f64>; 2]> = None;
        for _ in 0..MOST_SWEEPS {
            self.visits = std::mem::replace(&mut self.returned, [0, 1].map(|_| vec![0.0; states]));
            let ratio = before.as_ref().and_then(|before| common_ratio(before, &self.visits));
            let total: f64 = self.visits.iter().flatten().sum();
            before = Some(self.visits.clone());
            if let Some(ratio) = ratio {
                // This sweep represents all further ones: 1 + ratio + ratio^2 + ...
                self.visits.iter_mut().flatten().for_each(|visits| *visits /= 1.0 - ratio);
            }
            self.sweep(watch)?;
            for (all, visits) in all.iter_mut().flatten().zip(self.visits.iter().flatten()) {
                *all += visits;
            }
            if ratio.is_some() || total == 0.0 {
                self.visits = all;
                return Ok(());
            }
        }
        Err(SolveError::Unproven("games return to lower sums of scores for ever, or nearly so"))
    }

    /// Carries the visits of a stage to later stages and ends; turns within the stage were handled
    /// by [`cycles`].
    fn propagate(&mut self, stage: usize) {
        let (game, space) = (self.game, self.game.space());
        let (per_cell, stages) = (space.per_cell(), space.stages());
        let acyclic = game.order() == Order::Acyclic;
        for state in space.stage(stage).flat_map(|cell| cell * per_cell..(cell + 1) * per_cell) {
            for side in 0..2 {
                if self.visits[side][state] == 0.0 || (self.stops)(side, state) {
                    continue;
                }
                let action = self.plans[side].action(state);
                let each =
                    self.visits[side][state] / double_of(game.distribution(state, action).total);
                for (weight, successor) in game.weighted_successors(state, action) {
                    let visits = each * double_of(weight);
                    match successor {
                        Successor::End(end) => self.ended[side][end as usize] += visits,
                        Successor::Next { to, again } => {
                            let next = next_side(side, again);
                            // If every turn raises the sum, the stage need not be computed, which
                            // would dominate the cost.
                            let after = if acyclic { stages } else { space.sum(to / per_cell) };
                            match after.cmp(&stage) {
                                Ordering::Less => self.returned[next][to] += visits,
                                Ordering::Equal => {}
                                Ordering::Greater => self.visits[next][to] += visits,
                            }
                        }
                    }
                }
            }
        }
    }
}
