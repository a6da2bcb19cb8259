//! Where a strategy loses: its difference from the best response, as a sum over positions.
//!
//! Let V(s) be the win rate of the best response at s, and Q(s, a) that of rolling a at s and
//! playing the best response from then on. Then
//!
//! V(start) - rate = sum over states s of (expected visits to s) x (V(s) - Q(s, the strategy's roll
//! at s)),
//!
//! exactly, since the terms telescope along each game (the performance difference of Kakade and
//! Langford, 2002). Games that never end add their share times V(s) - 1/2, where s is the state in
//! which they enter a loop: they count as half a win, and the sum ends there.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sum;
use crate::dice::double_of;
use crate::game::{DiceSet, Game, Keep, Plan, Position, Successor, keeps, rolls_of_hand};
use crate::solve::{
    Arithmetic, Solution, SolveError, Solver, Watch, action_value, chance_to_win_at_once, endless,
    reach, successor_value,
};

/// A kind of mistake. Of several kinds that apply, the first in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Mistake {
    /// The game never ends, although another roll has a higher win rate.
    NeverEnds,
    /// More dice than are best, although the best roll wins in this turn more often than not.
    RisksTheEnd,
    /// One or more dice, although zero dice are best.
    MissesZeroDice,
    /// More dice than any best number.
    TooManyDice,
    /// Fewer dice than any best number, or a number between two best ones.
    TooFewDice,
    /// The pot is held, although rolling on is best.
    StopsTooEarly,
    /// Another roll, although holding the pot is best.
    StopsTooLate,
    /// Other dice are kept than the best, which costs more than the choice to roll.
    KeepsOthers,
}

impl Mistake {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::TooManyDice,
        Self::TooFewDice,
        Self::MissesZeroDice,
        Self::StopsTooEarly,
        Self::StopsTooLate,
        Self::RisksTheEnd,
        Self::NeverEnds,
        Self::KeepsOthers,
    ];

    /// The name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::NeverEnds => "never_ends",
            Self::RisksTheEnd => "risks_the_end",
            Self::MissesZeroDice => "misses_zero_dice",
            Self::TooManyDice => "too_many_dice",
            Self::TooFewDice => "too_few_dice",
            Self::StopsTooEarly => "stops_too_early",
            Self::StopsTooLate => "stops_too_late",
            Self::KeepsOthers => "keeps_others",
        }
    }

    /// Returns its name in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::NeverEnds => "goes round for ever",
            Self::RisksTheEnd => "too many, when fewer win at once",
            Self::MissesZeroDice => "dice, where zero is best",
            Self::TooManyDice => "too many dice",
            Self::TooFewDice => "too few dice",
            Self::StopsTooEarly => "stops too early",
            Self::StopsTooLate => "stops too late",
            Self::KeepsOthers => "keeps other dice than the best",
        }
    }
}

/// A position that the strategy reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The position.
    pub position: Position,
    /// The expected number of visits in a game: moving first, moving second.
    pub met: [f64; 2],
    /// The number of dice it rolls.
    pub dice: i32,
    /// The best numbers of dice.
    pub best: Vec<i32>,
    /// The loss of each visit: the win rate of the best roll minus that of this roll.
    pub loss_each: f64,
    /// The loss of all visits in a game: moving first, moving second.
    pub loss: [f64; 2],
    /// The kind of mistake; `None` if the roll is not a mistake.
    pub mistake: Option<Mistake>,
}

impl Reached {
    /// Returns the average loss over moving first and second.
    pub fn average_loss(&self) -> f64 {
        (self.loss[0] + self.loss[1]) / 2.0
    }

    /// Returns the average number of visits over moving first and second.
    pub fn average_met(&self) -> f64 {
        (self.met[0] + self.met[1]) / 2.0
    }
}

/// Where a strategy loses against an opponent.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The strategy's win rates: first, second, average.
    pub rate: [f64; 3],
    /// The win rates of the best response to the opponent.
    pub best: [f64; 3],
    /// The shares of games that never end: `[strategy, best response]`, each moving first and
    /// second.
    pub endless: [[f64; 2]; 2],
    /// The bounds on the error of the strategy's rates, and of the best response's rates. The
    /// second also bounds the error of the values whose difference is a
    /// [`Reached::loss_each`], up to the rounding of one sum.
    pub error_bound: [f64; 2],
    /// The sums of all losses: first, second, average. They equal `best - rate`, up to rounding.
    pub loss: [f64; 3],
    /// The positions reached, by descending average loss.
    pub reached: Vec<Reached>,
    /// The best response, by whose values the losses are counted.
    pub response: Solution,
}

impl Explanation {
    /// Returns the number of positions and the average loss of each kind of mistake, in the order
    /// of [`Mistake::ALL`].
    pub fn by_mistake(&self) -> Vec<(Mistake, usize, f64)> {
        let mut mistakes = Vec::new();
        for kind in Mistake::ALL {
            let of_kind = self.reached.iter().filter(|reached| reached.mistake == Some(kind));
            let loss = sum(of_kind.clone().map(Reached::average_loss));
            mistakes.push((kind, of_kind.count(), loss));
        }
        mistakes
    }
}

/// Explains by positions what `plans[0]` loses against `plans[1]`, compared with the best response
/// to it.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or a loop of states is too large to solve.
pub fn explain(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<Explanation, SolveError> {
    let states = game.space().states();
    // All states may be reached.
    watch.admit((states * 2 * size_of::<Reached>()) as u64, "lower the goal")?;
    let solver = Solver::new(game, Arithmetic::Float);
    let best = solver.best_response(plans[1], watch)?;
    let rated = solver.evaluate(plans, watch)?;
    let first = reach(game, plans, [1.0, 0.0], &|_, _| false, watch)?;
    let second = reach(game, plans, [0.0, 1.0], &|_, _| false, watch)?;
    let mut reached = BTreeMap::new();
    for state in 0..states {
        if state.is_multiple_of(STATES_BETWEEN) {
            watch.report(state, states)?;
        }
        let met = [first.visits[0][state], second.visits[0][state]];
        if met[0] > 0.0 || met[1] > 0.0 {
            reached.insert(state, reached_state(game, plans[0], &best, state, met));
        }
    }
    for (seat, reach) in [&first, &second].into_iter().enumerate() {
        for entry in &reach.endless {
            watch.report(states, states)?;
            add_endless(game, plans, &best, (seat, *entry), &mut reached);
        }
    }
    let mut reached: Vec<Reached> = reached.into_values().collect();
    let loss = [0, 1].map(|seat| sum(reached.iter().map(|reached| reached.loss[seat])));
    reached.sort_by(|a, b| b.average_loss().total_cmp(&a.average_loss()));
    let never = [first, second].map(|reach| sum(reach.endless.iter().map(|(.., chance)| *chance)));
    Ok(Explanation {
        rate: [rated.first(), rated.second(), rated.average()],
        best: [best.first(), best.second(), best.average()],
        endless: [never, endless(game, [&best.plan(), plans[1]], watch)?],
        error_bound: [rated.error_bound, best.error_bound],
        loss: [loss[0], loss[1], (loss[0] + loss[1]) / 2.0],
        reached,
        response: best,
    })
}

/// The number of states between two checks of the watch.
const STATES_BETWEEN: usize = 1024;

/// An upper bound on the rounding error of a mean of win rates.
pub(super) const ROUNDING: f64 = 1e-14;

/// Describes a state with `met` expected visits.
fn reached_state(
    game: &Game,
    plan: &Plan,
    best: &Solution,
    state: usize,
    met: [f64; 2],
) -> Reached {
    let space = game.space();
    let action = plan.action(state);
    let set = best.own.best[state];
    let (own, after) = best.values();
    let of_action = action_value(game, own, after, state, action);
    let of_kept = match plan.worth() {
        Some(_) => value_of_kept(game, plan, best, state),
        None => of_action,
    };
    // In a tie that is not proven the roll may still lose a little, which adds up over a million
    // visits in a slow loop.
    let others = set & !(1 << action);
    let of_roll = own.win_rates[state] - of_action;
    let tied = of_roll.abs() <= ROUNDING || others == 0;
    let of_roll = if tied { 0.0 } else { of_roll };
    let of_dice = of_action - of_kept;
    let keeps_best = of_dice.abs() <= ROUNDING;
    let of_dice = if keeps_best { 0.0 } else { of_dice };
    let loss_each = of_roll + of_dice;
    let mistake = match (tied, keeps_best) {
        (true, true) => None,
        (_, false) if tied || of_dice > of_roll => Some(Mistake::KeepsOthers),
        _ => Some(mistake(game, state, action, others)),
    };
    Reached {
        position: game.position(state),
        met,
        dice: space.dice(action),
        best: space.dice_in(game.choices_in(state, set)),
        loss_each,
        loss: met.map(|met| met * loss_each),
        mistake,
    }
}

/// Returns the value of the action of a plan that keeps dice of its own choice, if the best
/// response goes on after it.
fn value_of_kept(game: &Game, plan: &Plan, best: &Solution, state: usize) -> f64 {
    let (own, after) = best.values();
    let mut sum = 0.0;
    for (weight, to) in game.successors_by(plan, state) {
        sum += double_of(weight) * successor_value(own, after, to);
    }
    sum / double_of(game.distribution(state, plan.action(state)).total)
}

/// A roll of which a plan keeps other dice than the best, and what it loses.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongKeep {
    /// The faces rolled.
    pub faces: Vec<u32>,
    /// The roll with a 0 for each die that the plan does not keep, and likewise the best.
    pub kept: [Vec<u32>; 2],
    /// What each wins then.
    pub win_rates: [f64; 2],
}

/// Finds the roll of a position of which the dice that a plan keeps lose most; `None` if none
/// loses.
pub fn worst_keep(
    game: &Game,
    plan: &Plan,
    response: &Solution,
    position: &Position,
) -> Option<WrongKeep> {
    let rules = game.rules();
    let (own, after) = response.values();
    let mut worst: Option<WrongKeep> = None;
    let mut most = ROUNDING;
    for faces in rolls_of_hand(rules, position) {
        let keeps = keeps(rules, position, &faces).ok()?;
        let value = |keep: &Keep| successor_value(own, after, game.after(&keep.turn));
        let chosen = &keeps[game.best_keep(plan, &keeps)];
        let best = keeps.iter().max_by(|one, other| value(one).total_cmp(&value(other)))?;
        let both = [chosen, best];
        let win_rates = both.map(value);
        let loss = win_rates[1] - win_rates[0];
        if loss > most {
            most = loss;
            worst =
                Some(WrongKeep { kept: both.map(|keep| keep.marked(&faces)), win_rates, faces });
        }
    }
    worst
}

/// Adds the loss of games that enter a loop they never leave, where the best response does not win
/// exactly one half, to the first position in the loop in which the strategy moves. An entry is the
/// side to move, the state and the probability.
fn add_endless(
    game: &Game,
    plans: [&Plan; 2],
    best: &Solution,
    (seat, (side, state, share)): (usize, (usize, usize, f64)),
    reached: &mut BTreeMap<usize, Reached>,
) {
    let (value, own) = match &best.other {
        Some(other) if side == 1 => (1.0 - other.win_rates[state], own_move(game, plans[1], state)),
        _ => (best.own.win_rates[state], Some(state)),
    };
    let Some(own) = own.filter(|_| value != 0.5) else { return };
    let row =
        reached.entry(own).or_insert_with(|| reached_state(game, plans[0], best, own, [0.0; 2]));
    if row.mistake != Some(Mistake::NeverEnds) {
        // The sum ends where games enter the loop: the turns in it lose nothing more.
        row.loss = [0.0; 2];
    }
    // Visits count a loop only where games enter it.
    row.met[seat] += if side == 1 { share } else { 0.0 };
    row.loss[seat] += share * (value - 0.5);
    row.loss_each = row.average_loss() / row.average_met();
    row.mistake = Some(Mistake::NeverEnds);
}

/// The first state in which the other player moves, if the player of `plan` is to move in `state`;
/// `None` if that player takes extra turns for ever.
fn own_move(game: &Game, plan: &Plan, state: usize) -> Option<usize> {
    let mut found = vec![state];
    let mut known = HashSet::from([state]);
    for at in 0.. {
        let state = *found.get(at)?;
        for (_, successor) in game.successors_by(plan, state) {
            match successor {
                Successor::Next { to, again: false } => return Some(to),
                Successor::Next { to, again: true } if known.insert(to) => found.push(to),
                _ => {}
            }
        }
    }
    None
}

fn mistake(game: &Game, state: usize, action: usize, best: DiceSet) -> Mistake {
    let space = game.space();
    let dice = space.dice_in(game.choices_in(state, best));
    let fewest = dice[0];
    let most = dice[dice.len() - 1];
    let rolled = space.dice(action);
    let has_pot = game.rules().pot().is_some();
    if rolled > most && chance_to_win_at_once(game, state, best.trailing_zeros() as usize) > 0.5 {
        Mistake::RisksTheEnd
    } else if fewest == 0 && rolled > 0 {
        if has_pot { Mistake::StopsTooLate } else { Mistake::MissesZeroDice }
    } else if rolled > most {
        Mistake::TooManyDice
    } else if rolled == 0 && has_pot {
        Mistake::StopsTooEarly
    } else {
        Mistake::TooFewDice
    }
}
