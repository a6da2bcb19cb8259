//! The forward pass: how often each state is reached when two fixed policies play each other.
//!
//! Turns mostly raise the sum of scores, so the stages are taken upward. Within a stage, where turns may leave the sum as it
//! is, the strongly connected components are solved in order ([`cycles`]); then everything leaves the stage. Where turns lower the
//! sum, what comes back enters the next sweep; once each sweep brings back the same share of the one before, in the same places,
//! the sum of all that follow is known. No step subtracts, so that every number is right to within the roundings of its own
//! terms, however small it is.

mod cycles;

use crate::dice::double_of;
use crate::game::{End, Game, Order, Plan};

use super::{SolveError, Watch};

/// How often states are reached in one game between two fixed policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// By side (whose turn it is), then by state as its mover sees it: the expected number of visits in a game. Where the
    /// game goes round for ever, only the states in which it enters the loop are counted there, once.
    pub visits: [Vec<f64>; 2],
    /// States in which games enter loops that they never leave: the side whose turn it is there, the state, and the
    /// probability.
    pub endless: Vec<(usize, usize, f64)>,
    /// The probability that the first side wins.
    pub won: f64,
    /// The probability of a tie.
    pub tied: f64,
}

/// A turn that may be taken in a game, as [`Reach::each_transition`] tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Whose turn it is.
    pub side: usize,
    /// The state in which it is taken, as its mover sees it.
    pub state: usize,
    /// Whose turn it is then, and the state, as the next mover sees it; or how the game ends for the player who has moved.
    pub to: Result<(usize, usize), End>,
    /// The expected number of times it is taken in a game.
    pub times: f64,
}

/// The expected visits of states between `plans[0]` and `plans[1]`; `start` are the probabilities that each moves first.
///
/// # Errors
/// If `watch` stops it, or a loop of states is too large to solve.
pub fn reach(game: &Game, plans: [&Plan; 2], start: [f64; 2], watch: &Watch) -> Result<Reach, SolveError> {
    let space = game.space();
    let none = |states: usize| [0, 1].map(|_| vec![0.0; states]);
    let returned = none(if game.order() == Order::Recurrent { space.states() } else { 0 });
    let cyclic = if game.order() == Order::Acyclic { 0 } else { space.states() };
    let node_of = [0, 1].map(|_| vec![usize::MAX; cyclic]);
    let mut pass = ForwardPass { game, plans, visits: none(space.states()), ended: [[0.0; 3]; 2], returned, node_of };
    for (visits, chance) in pass.visits.iter_mut().zip(start) {
        visits[game.start()] = chance;
    }
    let mut endless = pass.sweep(watch)?;
    if game.order() == Order::Recurrent {
        endless.extend(pass.sweep_again(watch)?);
    }
    let ended = |side: usize, end: End| pass.ended[side][end as usize];
    let (won, tied) = (ended(0, End::Won) + ended(1, End::Lost), ended(0, End::Tied) + ended(1, End::Tied));
    Ok(Reach { visits: pass.visits, endless, won, tied })
}

impl Reach {
    /// Calls `visit` with every transition that is taken at all, those of the first side first, in ascending order of
    /// states. Of transitions within a loop that is never left only those from where games enter it are told, once.
    pub fn each_transition(&self, game: &Game, plans: [&Plan; 2], mut visit: impl FnMut(&Transition)) {
        for (side, plan) in plans.into_iter().enumerate() {
            for (state, visits) in self.visits[side].iter().enumerate().filter(|(_, visits)| **visits > 0.0) {
                let action = plan.action(state);
                let each = visits / double_of(game.distribution(state, action).1.total);
                for (weight, successor) in game.weighted_successors(state, action) {
                    let to = next_state(side, successor);
                    visit(&Transition { side, state, to, times: each * double_of(weight) });
                }
            }
        }
    }
}

/// Whose turn it is after one of a side, and the state; or how the game ends for that side.
fn next_state(side: usize, successor: Result<(usize, bool), End>) -> Result<(usize, usize), End> {
    successor.map(|(state, again)| (if again { side } else { 1 - side }, state))
}

/// The share of what came back before that comes back now, if it is the same in all places; nothing is a share of 0.
fn same_share(before: &[Vec<f64>; 2], now: &[Vec<f64>; 2]) -> Option<f64> {
    let sum = |visits: &[Vec<f64>; 2]| visits.iter().flatten().sum::<f64>();
    let share = sum(now) / sum(before);
    let pairs = before.iter().flatten().zip(now.iter().flatten());
    let difference: f64 = pairs.map(|(before, now)| (now - share * before).abs()).sum();
    (share < 1.0 && difference <= SAME_SHARE * (1.0 - share)).then_some(share)
}

/// Visits while they are carried from stage to stage.
struct ForwardPass<'g> {
    game: &'g Game,
    plans: [&'g Plan; 2],
    /// By side and state.
    visits: [Vec<f64>; 2],
    /// By the side that has just moved, and end.
    ended: [[f64; 3]; 2],
    /// By side and state: what has come back to lower stages and enters the next sweep; empty where no turn lowers the sum.
    returned: [Vec<f64>; 2],
    /// By side and state: scratch of [`cycles`], all of it [`usize::MAX`]; empty where turns always raise the sum.
    node_of: [Vec<usize>; 2],
}

/// More sweeps than these are not waited for.
const MOST_SWEEPS: usize = 2000;
/// How far all visits together may be off by taking two shares for the same.
const SAME_SHARE: f64 = 1e-12;

impl ForwardPass<'_> {
    /// Takes all stages upward once; where games enter loops that they never leave.
    fn sweep(&mut self, watch: &Watch) -> Result<Vec<(usize, usize, f64)>, SolveError> {
        let (stages, mut endless) = (self.game.space().stages(), Vec::new());
        for stage in 0..stages {
            watch.report(stage, stages)?;
            if self.game.order() != Order::Acyclic {
                endless.extend(cycles::solve(self, stage, watch)?);
            }
            self.leave(stage);
        }
        watch.report(stages, stages)?;
        Ok(endless)
    }

    /// Takes up what has come back to lower stages until nothing does.
    fn sweep_again(&mut self, watch: &Watch) -> Result<Vec<(usize, usize, f64)>, SolveError> {
        let states = self.game.space().states();
        let (mut endless, mut all) = (Vec::new(), std::mem::take(&mut self.visits));
        let mut before: Option<[Vec<f64>; 2]> = None;
        for _ in 0..MOST_SWEEPS {
            self.visits = std::mem::replace(&mut self.returned, [0, 1].map(|_| vec![0.0; states]));
            let share = before.as_ref().and_then(|before| same_share(before, &self.visits));
            let total: f64 = self.visits.iter().flatten().sum();
            before = Some(self.visits.clone());
            if let Some(share) = share {
                // This sweep stands for all that follow: 1 + share + share^2 + ...
                self.visits.iter_mut().flatten().for_each(|visits| *visits /= 1.0 - share);
            }
            endless.extend(self.sweep(watch)?);
            for (all, visits) in all.iter_mut().flatten().zip(self.visits.iter().flatten()) {
                *all += visits;
            }
            if share.is_some() || total == 0.0 {
                self.visits = all;
                return Ok(endless);
            }
        }
        Err(SolveError::Unproven("games come back to lower sums of scores for ever, or nearly"))
    }

    /// Carries all visits of a stage on to later stages; turns that stay in it are left to [`cycles`].
    fn leave(&mut self, stage: usize) {
        let (game, space) = (self.game, self.game.space());
        let (per_cell, acyclic) = (space.per_cell(), game.order() == Order::Acyclic);
        for state in space.stage(stage).flat_map(|cell| cell * per_cell..(cell + 1) * per_cell) {
            for side in 0..2 {
                if self.visits[side][state] == 0.0 {
                    continue;
                }
                let action = self.plans[side].action(state);
                let each = self.visits[side][state] / double_of(game.distribution(state, action).1.total);
                for (weight, successor) in game.weighted_successors(state, action) {
                    match next_state(side, successor) {
                        // Every turn raises the sum: to look for it would cost more than all else.
                        Ok((side, to)) if acyclic => self.visits[side][to] += each * double_of(weight),
                        Ok((_, to)) if space.sum(to / per_cell) == stage => {}
                        Ok((side, to)) if space.sum(to / per_cell) < stage => {
                            self.returned[side][to] += each * double_of(weight);
                        }
                        Ok((side, to)) => self.visits[side][to] += each * double_of(weight),
                        Err(end) => self.ended[side][end as usize] += each * double_of(weight),
                    }
                }
            }
        }
    }
}
