//! The influence of skill on a game: simple strategies against optimal play, and how much the
//! choice of a roll matters.

use crate::game::{End, Game, Order, Plan, Successor};
use crate::limits;
use crate::solve::{Solution, SolveError, Watch};

/// The result of evaluating every roll of every state.
pub(super) struct EveryRoll {
    /// The win rate of a uniformly random number of dice against optimal play: first, second.
    pub random: [f64; 2],
    /// By state, the best roll's win rate minus the worst's, and minus the second best's, with
    /// optimal play afterwards.
    pub spreads: Vec<[f64; 2]>,
}

/// Evaluates every roll of every state; returns `None` if the game is too large or not acyclic.
pub(super) fn every_roll(
    game: &Game,
    optimal: &Solution,
    watch: &Watch,
) -> Result<Option<EveryRoll>, SolveError> {
    let space = game.space();
    if game.order() != Order::Acyclic
        || space.states() > limits::EVERY_ROLL_STATES
        || game.rules().keeps_dice()
    {
        return Ok(None);
    }
    let plan = optimal.plan();
    let values = &optimal.own.win_rates;
    // The win rate of the player to move: where the random player moves, and where the optimal
    // player does.
    let mut random = vec![0.0; space.states()];
    let mut other = vec![0.0; space.states()];
    let mut spreads = vec![[0.0; 2]; space.states()];
    for stage in (0..space.stages()).rev() {
        if !watch.step(space.stages() - stage, space.stages()) {
            return Err(SolveError::Cancelled);
        }
        for state in space
            .stage(stage)
            .flat_map(|cell| cell * space.per_cell()..(cell + 1) * space.per_cell())
        {
            let mut sum = 0.0;
            let mut action_values = Vec::with_capacity(space.actions);
            for action in 0..space.actions {
                let [of_random, of_best] =
                    mean(game, state, action, [(&random, &other), (values, values)]);
                sum += of_random;
                action_values.push(of_best);
            }
            random[state] = sum / space.actions as f64;
            let [of_plan] = mean(game, state, plan.action(state), [(&other, &random)]);
            other[state] = of_plan;
            spreads[state] = spread(game, state, &action_values);
        }
    }
    let start = game.start();
    Ok(Some(EveryRoll { random: [random[start], 1.0 - other[start]], spreads }))
}

/// Returns the best value of a state's actions minus the worst, and minus the second best. Requests
/// that the rules change to the same roll are one choice.
pub(super) fn spread(game: &Game, state: usize, action_values: &[f64]) -> [f64; 2] {
    let best = (0..action_values.len())
        .max_by(|a, b| action_values[*a].total_cmp(&action_values[*b]))
        .unwrap_or(0);
    let rolls = game.actions(state);
    let other_rolls = (0..action_values.len()).filter(|action| rolls[*action] != rolls[best]);
    let (worst, second) = other_rolls
        .map(|action| action_values[action])
        .fold((action_values[best], f64::NEG_INFINITY), |(worst, second), value| {
            (worst.min(value), second.max(value))
        });
    let second = if second.is_finite() { second } else { action_values[best] };
    [action_values[best] - worst, action_values[best] - second]
}

/// Returns the value of an action for several pairs of values: where the mover moves again, and
/// where the opponent moves next.
fn mean<const N: usize>(
    game: &Game,
    state: usize,
    action: usize,
    values: [(&Vec<f64>, &Vec<f64>); N],
) -> [f64; N] {
    let mut sums = [0.0; N];
    for (weight, successor) in game.weighted_successors(state, action) {
        for (sum, (own, after)) in sums.iter_mut().zip(&values) {
            *sum += weight as f64 * successor.value(own, after);
        }
    }
    let total = game.distribution(state, action).total as f64;
    sums.map(|sum| sum / total)
}

/// The plans `hold_at:N` of a game with a pot, as the strategies tabulate them, but without asking
/// the rules in each state.
pub(super) struct Holding {
    /// By state: the points that holding scores; infinite if it wins, negative if the player must
    /// roll.
    pub points: Vec<f64>,
    pub hold: usize,
    pub roll: usize,
    /// Whether the other player always moves after it.
    pub ends_turn: bool,
}

impl Holding {
    /// `None` if nobody may hold.
    pub fn new(game: &Game) -> Option<Self> {
        let space = game.space();
        let hold = space.action(0)?;
        let roll = space.actions - 1;
        let mut points = Vec::with_capacity(space.states());
        let mut ends_turn = true;
        for state in 0..space.states() {
            let rolls = game.actions(state);
            if rolls[hold] == rolls[roll] {
                points.push(f64::NEG_INFINITY);
                continue;
            }
            let mut wins = true;
            for (_, after) in game.weighted_successors(state, hold) {
                wins &= after == Successor::End(End::Won);
                ends_turn &= !matches!(after, Successor::Next { again: true, .. });
            }
            points.push(match wins {
                true => f64::INFINITY,
                false => game.distribution(state, hold).mean_points(),
            });
        }
        Some(Self { points, hold, roll, ends_turn })
    }

    /// Returns the plan of `hold_at:N`.
    pub fn at(&self, points: f64) -> Plan {
        let held = self.points.iter();
        Plan::from_actions(
            held.map(|held| if *held >= points { self.hold } else { self.roll } as u8).collect(),
        )
    }
}

/// The threshold strategies of a game: roll zero dice if that scores at least the threshold,
/// otherwise a number of dice. Their plans are made one by one: all together would take more memory
/// than the game.
pub(super) struct ThresholdFamily {
    /// The threshold of each, and the action of its number of dice. If the game does not allow zero
    /// dice, there are no thresholds.
    pub members: Vec<(Option<i64>, usize)>,
    /// The highest threshold that is reached.
    pub most: i64,
    /// By pair of scores, the points of zero dice.
    gained: Vec<f64>,
}

impl ThresholdFamily {
    pub fn of(game: &Game) -> Self {
        let space = game.space();
        let cells = space.goal * space.goal;
        let dice = (0..space.actions).filter(|action| space.dice(*action) > 0);
        let Some(zero) = space.action(0) else {
            let members = dice.map(|action| (None, action)).collect();
            return Self { members, most: 0, gained: vec![0.0; cells] };
        };
        let gained: Vec<f64> = (0..cells).map(|cell| points(game, cell, zero)).collect();
        let most = gained.iter().fold(0.0_f64, |most, gained| most.max(*gained)).min(30.0) as i64;
        let mut members = Vec::new();
        for action in dice {
            members.extend((0..=most + 1).map(|least| (Some(least), action)));
        }
        Self { members, most, gained }
    }

    pub fn plan(&self, game: &Game, member: usize) -> Plan {
        let (threshold, action) = self.members[member];
        let zero = game.space().action(0).filter(|_| threshold.is_some()).unwrap_or(action);
        let least = threshold.unwrap_or(0) as f64;
        let gained = self.gained.iter();
        let actions = gained.map(|gained| if *gained >= least { zero } else { action } as u8);
        Plan::of_scores(game.states(), actions.collect())
    }
}

/// Returns the mean points of a turn from a pair of scores, with the memories at their starting
/// values.
fn points(game: &Game, cell: usize, action: usize) -> f64 {
    let per_cell = game.space().per_cell();
    let memories = game.start() % per_cell;
    game.distribution(cell * per_cell + memories, action).mean_points()
}
