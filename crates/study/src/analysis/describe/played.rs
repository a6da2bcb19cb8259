//! Simulated games, for what is not computed: how often each rule acts, and all statistics of games
//! that are too large.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::dice::Die;
use crate::game::{Game, Position};
use crate::limits;
use crate::rules::{Hook, Rules};
use crate::sim::{CONFIDENCE_95, DiceSource as _, Estimate, Rolled, SeededDice, take_turn_keeping};
use crate::solve::{Solution, SolveError, Watch};

use super::chain::TurnChain;
use super::turn::Roller;

/// The most games between two looks at their moves.
const GAMES_A_STEP: usize = 100;
/// The moves of a game between two looks at the clock: its formulas are a stranger's.
const MOVES_A_LOOK: usize = 16;

/// The statistics of a simulated game.
pub(super) struct Played {
    /// Whether it ended.
    pub ended: bool,
    /// Whether it was given up, though it might have ended.
    pub given_up: bool,
    /// The number of moves: turns, or their rolls and the decisions to hold.
    moves: usize,
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

impl Played {
    /// A game in which nobody has moved yet.
    fn begun(first: usize, rules: usize) -> Self {
        Self {
            ended: false,
            given_up: false,
            moves: 0,
            first,
            turns: 0,
            rolls: 0,
            leads: 0,
            lowest: None,
            won: 0.5,
            rules: vec![0; rules],
            met: Vec::new(),
        }
    }

    /// Counts a turn that is over, in which these rules acted.
    fn count_turn(&mut self, acted: BTreeSet<usize>, changes_lead: bool) {
        self.turns += 1;
        self.leads += u32::from(changes_lead);
        for rule in acted {
            self.rules[rule] += 1;
        }
    }

    /// Ends the game by a side's turn, after which its score is so much beside the other's;
    /// `lowest` are the lowest win rates of both sides.
    fn end(&mut self, score: Ordering, side: usize, lowest: [f64; 2]) {
        self.ended = true;
        let winner = match score {
            Ordering::Equal => return,
            Ordering::Greater => side,
            Ordering::Less => 1 - side,
        };
        self.won = if winner == 0 { 1.0 } else { 0.0 };
        self.lowest = Some(lowest[winner]);
    }
}

/// What is simulated.
pub(super) struct Simulation<'a> {
    pub game: &'a Game,
    pub movers: [Roller<'a>; 2],
    /// The win rates of both plans, for [`Played::lowest`].
    pub values: Option<&'a Solution>,
    /// The chain of both plans: games are given up where they can no longer end.
    pub chain: Option<&'a TurnChain>,
    pub watch: &'a Watch<'a>,
}

/// The dice of a simulation that are not the game's.
struct OwnDice {
    /// A die with a side for each action.
    actions: Option<Die>,
    six: Option<Die>,
}

impl Simulation<'_> {
    /// Simulates games from a fixed seed, in which the sides move first in turn:
    /// [`limits::SIMULATED_GAMES`], or as many as [`limits::SIMULATED_MOVES`] allow.
    ///
    /// # Errors
    /// Returns an error if the watch cancels the work.
    pub fn games(&self) -> Result<Vec<Played>, SolveError> {
        let own_dice = OwnDice {
            actions: Die::fair(self.game.space().actions as i64).ok(),
            six: Die::fair(6).ok(),
        };
        let mut games = Vec::new();
        let mut left = limits::SIMULATED_MOVES;
        let mut first = 0;
        while first < limits::SIMULATED_GAMES {
            self.watch.report(first as usize, limits::SIMULATED_GAMES as usize)?;
            // As many as there are likely to be moves for.
            let longest = games
                .iter()
                .map(|game: &Played| game.moves)
                .max()
                .unwrap_or(limits::SIMULATED_MOVES);
            let together = (left / longest.max(1)).clamp(1, GAMES_A_STEP);
            let next = limits::SIMULATED_GAMES.min(first + together as u64);
            let played: Vec<_> = (first..next)
                .into_par_iter()
                .map(|number| self.one(number, left, &own_dice))
                .collect();
            // As if one were played after another, so that the threads do not matter.
            for game in played.into_iter().flatten() {
                if game.moves > left {
                    return Ok(games);
                }
                left -= game.moves;
                games.push(game);
            }
            first = next;
        }
        self.watch.report(limits::SIMULATED_GAMES as usize, limits::SIMULATED_GAMES as usize)?;
        Ok(games)
    }

    /// The most moves of a game before it is given up.
    fn patience(&self) -> usize {
        limits::GAME_MOVES * if self.chain.is_some() { 10 } else { 1 }
    }

    /// Simulates a game, or its first moves if it has more than `most`; `None` if it cannot be
    /// played, or the watch cancels the work.
    fn one(&self, number: u64, most: usize, own_dice: &OwnDice) -> Option<Played> {
        let rules = self.game.rules();
        let has_rolls = rules.has_turns_of_rolls();
        let mut dice = SeededDice::stream(0, number);
        let mut position = self.game.position(self.game.start());
        let mut side = number as usize % 2;
        let mut played = Played::begun(side, rules.rules.len());
        let mut lowest = [1.0_f64; 2];
        // The lead before the turn, and the rules that have acted in it; a turn may be several
        // moves.
        let mut before = Ordering::Equal;
        let mut acting = BTreeSet::new();
        let mut turn_begins = true;
        loop {
            let state = self.game.state(&position);
            let is_endless = turn_begins && self.chain.is_some_and(|of| !of.may_end(side, state));
            played.given_up = !is_endless && played.moves >= self.patience().min(most + 1);
            if is_endless || played.given_up {
                return Some(played);
            }
            if played.moves.is_multiple_of(MOVES_A_LOOK) {
                self.watch.report(0, 1).ok()?;
            }
            if turn_begins {
                before = position.score.cmp(&position.opponent);
                self.lower(&mut lowest, side, state);
            }
            let rolled = self.rolled(side, &position, own_dice, &mut dice)?;
            played.rolls += u32::from(!rolled.faces.is_empty());
            add_acted(rules, &rolled, own_dice, &mut acting);
            let turn = &rolled.turn;
            let next = Position::after(rules, turn);
            turn_begins = next.is_none() || !turn.again || !has_rolls;
            if turn_begins {
                let after = turn.score.cmp(&turn.opponent);
                played.count_turn(std::mem::take(&mut acting), after.is_ne() && after != before);
            }
            played.moves += 1;
            // Two games in sequence have different first movers, and sample the same turns.
            if (played.moves as u64 + number / 2).is_multiple_of(8) {
                played.met.push(position);
            }
            let Some(next) = next else {
                played.end(turn.score.cmp(&turn.opponent), side, lowest);
                return Some(played);
            };
            position = next;
            side = if turn.again { side } else { 1 - side };
        }
    }

    /// Lowers the lowest win rates so far to those before a side's turn.
    fn lower(&self, lowest: &mut [f64; 2], side: usize, state: usize) {
        if let Some(values) = self.values {
            let own = super::movers_rate(values, side, state);
            lowest[side] = lowest[side].min(own);
            lowest[1 - side] = lowest[1 - side].min(1.0 - own);
        }
    }

    /// The move of a side, with the dice that are rolled for it; `None` if it cannot be played.
    fn rolled(
        &self,
        side: usize,
        position: &Position,
        own_dice: &OwnDice,
        dice: &mut SeededDice,
    ) -> Option<Rolled> {
        let mover = &self.movers[side];
        let actions = mover.actions(self.game, self.game.state(position));
        let action = match &own_dice.actions {
            Some(die) if actions.len() > 1 => dice.roll(die) as usize - 1,
            _ => actions.start,
        };
        let request = self.game.space().dice(action);
        let rules = self.game.rules();
        let rolled = take_turn_keeping(rules, position, request, dice, |keeps, dice| match mover {
            Roller::Plan(plan) => self.game.best_keep(plan, keeps),
            _ => dice.below(keeps.len() as u64) as usize,
        });
        rolled.ok()
    }
}

/// Adds the indices of the rules that acted in a turn.
fn add_acted(rules: &Rules, rolled: &Rolled, own_dice: &OwnDice, acted: &mut BTreeSet<usize>) {
    for step in &rolled.turn.steps {
        acted.extend(rules.rules.iter().position(|rule| rule.name == step.rule));
    }
    let is_usual = rolled.faces.is_empty() || own_dice.six.as_ref() == Some(&rolled.die);
    if !is_usual {
        acted.extend(rules.hooked(Hook::Die).map(|(rule, _)| rule));
    }
    let changed_by = match (rolled.faces.len() as i32).cmp(&rolled.request.max(0)) {
        Ordering::Less => Some(Hook::MaxDice),
        Ordering::Greater => Some(Hook::MinDice),
        Ordering::Equal => None,
    };
    acted.extend(changed_by.into_iter().flat_map(|hook| rules.hooked(hook)).map(|(rule, _)| rule));
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
