//! Simulated games, for what is not computed: how often each rule acts, and all statistics of games
//! that are too large.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;

use crate::dice::Die;
use crate::game::{Game, Plan, Position};
use crate::rules::{Hook, Rules};
use crate::sim::{CONFIDENCE_95, Estimate, PATIENCE, Rolled, SeededDice, take_turn};
use crate::solve::{Solution, SolveError, Watch};

use super::chain::Chain;

/// The most games that are simulated.
const GAMES: u64 = 4000;
/// The number of games between two looks at their turns.
const GAMES_A_STEP: u64 = 100;
/// No further games are simulated after this many turns: a few seconds of work.
const MOST_TURNS: u64 = 500_000;

/// The statistics of a simulated game.
pub(super) struct Played {
    /// Whether it ended.
    pub ended: bool,
    /// The side that moved first.
    pub first: usize,
    /// The number of turns of both players.
    pub turns: u32,
    /// The number of times that dice were rolled.
    pub rolls: u32,
    /// The number of lead changes.
    pub leads: u32,
    /// The lowest win rate that the winner had before a turn; `None` if the game was tied.
    pub lowest: Option<f64>,
    /// Side 0's result: 1 for a win, 0 for a loss, 1/2 for a tie.
    pub won: f64,
    /// The number of turns in which each rule acted.
    pub rules: Vec<u32>,
    /// Every eighth position in which a side moved; the first of them differs from game to game.
    pub met: Vec<Position>,
}

/// How a side chooses the number of dice.
pub(super) enum Roller<'a> {
    /// A plan.
    Plan(&'a Plan),
    /// A uniformly random number of dice.
    Random,
}

impl Roller<'_> {
    /// The actions that it chooses from, each as probable as any other.
    pub fn actions(&self, game: &Game, state: usize) -> Range<usize> {
        match self {
            Self::Plan(plan) => plan.action(state)..plan.action(state) + 1,
            Self::Random => 0..game.space().actions,
        }
    }

    fn dice(&self, game: &Game, position: &Position, dice: &mut SeededDice) -> i32 {
        use crate::sim::Dice as _;
        let space = game.space();
        match self {
            Self::Plan(plan) => space.dice(plan.action(game.state(position))),
            // A die with a side for each number of dice.
            Self::Random => match Die::fair(space.actions as i64) {
                Ok(die) => space.dice(dice.roll(&die) as usize - 1),
                Err(_) => space.dice(0),
            },
        }
    }
}

/// Simulates games from a fixed seed, in which the sides move first in turn. `values` are the win
/// rates of both plans, for [`Played::lowest`]. A game is given up where it can no longer end by
/// the `chain` of the plans, or after [`PATIENCE`] turns, ten times as many with a chain.
///
/// # Errors
/// Returns an error if `watch` cancels the work.
pub(super) fn games(
    game: &Game,
    movers: [Roller; 2],
    values: Option<&Solution>,
    chain: Option<&Chain>,
    watch: &Watch,
) -> Result<Vec<Played>, SolveError> {
    let (mut played, mut turns) = (Vec::new(), 0);
    for first in (0..GAMES).step_by(GAMES_A_STEP as usize) {
        let play = |number: u64| one(game, &movers, values, chain, number, watch);
        let step: Vec<Played> =
            (first..first + GAMES_A_STEP).into_par_iter().filter_map(play).collect();
        watch.report(first as usize, GAMES as usize)?;
        turns += step.iter().map(|game| u64::from(game.turns)).sum::<u64>();
        played.extend(step);
        if turns > MOST_TURNS {
            break;
        }
    }
    Ok(played)
}

/// Simulates a game; `None` if it cannot be played, or `watch` cancels the work.
fn one(
    game: &Game,
    movers: &[Roller; 2],
    values: Option<&Solution>,
    chain: Option<&Chain>,
    number: u64,
    watch: &Watch,
) -> Option<Played> {
    let (first, mut dice) = (number as usize % 2, SeededDice::stream(0, number));
    let rules = game.rules();
    let has_rolls = rules.has_turns_of_rolls();
    let patience = if chain.is_some() { 10 * PATIENCE } else { PATIENCE };
    let mut played = Played {
        ended: false,
        first,
        turns: 0,
        rolls: 0,
        leads: 0,
        lowest: None,
        won: 0.5,
        rules: vec![0; rules.rules.len()],
        met: Vec::new(),
    };
    let (mut position, mut side, mut lowest) =
        (Position::new(rules, 0, 0).ok()?, first, [1.0_f64; 2]);
    // The lead before the turn, and the rules that have acted in it; a turn may be several moves.
    let (mut before, mut turn_begins, mut acting) = (Ordering::Equal, true, BTreeSet::new());
    for moves in 0_usize.. {
        let state = game.state(&position);
        if moves > patience || turn_begins && chain.is_some_and(|chain| !chain.may_end(side, state))
        {
            return Some(played);
        }
        if turn_begins {
            before = position.score.cmp(&position.opponent);
        }
        if let Some(values) = values.filter(|_| turn_begins) {
            let own = match &values.other {
                Some(other) if side == 1 => other.win_rates[state],
                _ => values.own.win_rates[state],
            };
            (lowest[side], lowest[1 - side]) =
                (lowest[side].min(own), lowest[1 - side].min(1.0 - own));
        }
        // A turn may take long: its formulas are a stranger's.
        watch.report(0, 1).ok()?;
        let request = movers[side].dice(game, &position, &mut dice);
        let rolled = take_turn(rules, &position, request, &mut dice).ok()?;
        played.rolls += u32::from(!rolled.faces.is_empty());
        acting.extend(acted(rules, &rolled));
        let turn = &rolled.turn;
        let next = Position::after(rules, turn);
        turn_begins = next.is_none() || !turn.again || !has_rolls;
        if turn_begins {
            played.turns += 1;
            std::mem::take(&mut acting).into_iter().for_each(|rule| played.rules[rule] += 1);
            let after = turn.score.cmp(&turn.opponent);
            played.leads += u32::from(after.is_ne() && after != before);
        }
        // Two games in sequence have different first movers, and sample the same turns.
        if (moves as u64 + 1 + number / 2).is_multiple_of(8) {
            played.met.push(position);
        }
        match next {
            Some(next) => position = next,
            None => {
                played.ended = true;
                let winner = match turn.score.cmp(&turn.opponent) {
                    Ordering::Equal => return Some(played),
                    Ordering::Greater => side,
                    Ordering::Less => 1 - side,
                };
                (played.won, played.lowest) =
                    (if winner == 0 { 1.0 } else { 0.0 }, Some(lowest[winner]));
                return Some(played);
            }
        }
        side = if turn.again { side } else { 1 - side };
    }
    None
}

/// Returns the indices of the rules that acted in a turn.
fn acted(rules: &Rules, rolled: &Rolled) -> BTreeSet<usize> {
    let named = rolled
        .turn
        .steps
        .iter()
        .filter_map(|step| rules.rules.iter().position(|rule| rule.name == step.rule));
    let mut acted: BTreeSet<usize> = named.collect();
    let usual = rolled.faces.is_empty() || Die::fair(6).is_ok_and(|six| six == rolled.die);
    if !usual {
        acted.extend(rules.hooked(Hook::Die).map(|(rule, _)| rule));
    }
    let changed_by = match (rolled.faces.len() as i32).cmp(&rolled.request.max(0)) {
        Ordering::Less => Some(Hook::MaxDice),
        Ordering::Greater => Some(Hook::MinDice),
        Ordering::Equal => None,
    };
    acted.extend(changed_by.into_iter().flat_map(|hook| rules.hooked(hook)).map(|(rule, _)| rule));
    acted
}

/// Returns the mean of a figure over games, with its confidence interval.
pub(super) fn mean(games: &[Played], of: impl Fn(&Played) -> f64) -> Estimate {
    Estimate::of_results(games.iter().map(of), CONFIDENCE_95)
}

/// Returns the mean of a figure between 0 and 1 over all simulated games, with its confidence
/// interval; it is 0 in those that are not among `games`.
pub(super) fn share(games: &[Played], simulated: u64, of: impl Fn(&Played) -> f64) -> Estimate {
    let sum: f64 = games.iter().map(of).sum();
    Estimate::of_share(sum / simulated.max(1) as f64, simulated, CONFIDENCE_95)
}
