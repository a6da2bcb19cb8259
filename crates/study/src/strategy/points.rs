//! The strategy that scores the most points in each turn, on average, as calculators advise.

use crate::dice::double_of;
use crate::game::{Distribution, End, Game, Plan, Successor};
use crate::solve::{SolveError, Watch};

/// The number of states between two looks at the watch.
const STATES_A_LOOK: usize = 1024;

/// Returns the plan that maximises the expected points of each turn, with the fewest dice of those
/// that tie.
///
/// # Errors
/// Returns an error if `watch` cancels the work.
pub fn most_points(game: &Game, watch: &Watch) -> Result<Plan, SolveError> {
    let space = game.space();
    let keeps_dice = game.rules().keeps_dice();
    if space.actions == 1 && !keeps_dice {
        return Ok(Plan::from_actions(vec![0; space.states()]));
    }
    if game.rules().has_turns_of_rolls() || keeps_dice {
        return ExpectedPoints::new(game).plan(watch);
    }
    let means: Vec<f64> = game.distributions().iter().map(Distribution::mean_points).collect();
    let mut actions = Vec::with_capacity(space.states());
    for state in 0..space.states() {
        let rolls = game.actions(state);
        let best = (0..space.actions)
            .rev()
            .max_by(|a, b| means[rolls[*a] as usize].total_cmp(&means[rolls[*b] as usize]));
        actions.push(best.unwrap_or(0) as u8);
    }
    Ok(Plan::from_actions(actions))
}

/// The most times that all states are improved: the most rolls of a turn that are foreseen where a
/// turn may come back to a state.
const MOST_PASSES: usize = 500;

/// Expected points that differ by no more are equal.
const EQUAL_POINTS: f64 = 1e-9;

/// The points of turns of several rolls: each counts the points that it scores and those that are
/// expected of the rest of the turn.
struct ExpectedPoints<'g> {
    game: &'g Game,
    /// By state: the points that are expected of the rest of the turn.
    rest: Vec<f64>,
    /// Whether a turn has come back to a state of a lower index than expected.
    goes_back: bool,
    /// By outcome: the points it scores at once and later.
    scored: Vec<f64>,
}

impl<'g> ExpectedPoints<'g> {
    fn new(game: &'g Game) -> Self {
        let rest = vec![0.0; game.space().states()];
        Self { game, rest, goes_back: false, scored: Vec::new() }
    }

    fn plan(mut self, watch: &Watch) -> Result<Plan, SolveError> {
        let space = self.game.space();
        let mut plan = vec![0; space.states()];
        let mut points = vec![0.0; space.actions];
        for _ in 0..MOST_PASSES {
            let mut change = 0.0_f64;
            // A pot grows, so that the states behind a state mostly are those after it.
            self.goes_back = false;
            for state in (0..space.states()).rev() {
                if state.is_multiple_of(STATES_A_LOOK) {
                    watch.report(0, 1)?;
                }
                if let Some((action, points)) = self.won_at_once(state) {
                    self.rest[state] = points;
                    plan[state] = action as u8;
                    continue;
                }
                for (action, points) in points.iter_mut().enumerate() {
                    *points = self.points(state, action);
                }
                let best = points.iter().copied().fold(0.0, f64::max);
                let first = points.iter().position(|points| *points >= best - EQUAL_POINTS);
                change = change.max((best - self.rest[state]).abs());
                self.rest[state] = best;
                plan[state] = first.unwrap_or(0) as u8;
            }
            if !self.goes_back || change <= EQUAL_POINTS {
                break;
            }
        }
        let plan = Plan::from_actions(plan);
        Ok(if self.game.rules().keeps_dice() { plan.keeping(self.worth()) } else { plan })
    }

    /// The action by which a player who keeps dice wins at once, if there is one, and its points:
    /// no more are worth a risk.
    fn won_at_once(&self, state: usize) -> Option<(usize, f64)> {
        if !self.game.rules().keeps_dice() {
            return None;
        }
        for action in 0..self.game.space().actions {
            if let [only] = &self.game.distribution(state, action).outcomes[..]
                && self.game.successor(state, only) == Successor::End(End::Won)
            {
                return Some((action, only.points as f64));
            }
        }
        None
    }

    /// The points that are expected of an action, where the best dice are kept.
    fn points(&mut self, state: usize, action: usize) -> f64 {
        let distribution = self.game.distribution(state, action);
        self.scored.clear();
        let mut sum = 0.0;
        for outcome in &distribution.outcomes {
            let mut scored = outcome.points as f64;
            if let Successor::Next { to, again: true } = self.game.successor(state, outcome) {
                scored += self.rest[to];
                self.goes_back |= to <= state;
            }
            self.scored.push(scored);
            sum += outcome.weight as f64 * scored;
        }
        for (weight, options) in distribution.menus.iter() {
            let scored = options.iter().map(|option| self.scored[usize::from(*option)]);
            sum += double_of(weight) * scored.fold(0.0, f64::max);
        }
        sum / distribution.total as f64
    }

    /// The worth of all states by points: those of the mover, also expected ones, less those of the
    /// opponent.
    fn worth(&self) -> Vec<f64> {
        let space = self.game.space();
        let mut worth = Vec::with_capacity(self.rest.len());
        for (state, rest) in self.rest.iter().enumerate() {
            let (score, opponent) = space.scores(state / space.per_cell());
            let ahead = score as f64 - opponent as f64 + rest;
            worth.push(0.5 + ahead / (4.0 * space.goal as f64));
        }
        worth
    }
}
