//! Bulk simulation: turns are drawn from the exact distributions of the solver's game. Results do
//! not depend on the number of threads.

use rayon::prelude::*;

use crate::game::{End, Game, Order, Outcome, Plan, StateParts, Successor};
use crate::solve::{SolveError, Watch};

use super::dice::SeededDice;
use super::sampler::Sampler;

/// The results of games between two strategies, for the first strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTally {
    /// Games won.
    pub won: u64,
    /// Games lost.
    pub lost: u64,
    /// Games that ended with equal scores: half a win.
    pub tied: u64,
    /// Games that never end: half a win.
    pub endless: u64,
    /// The number of turns of both players. In a game with a pot, a turn ends when the other
    /// player is to move.
    pub turns: u64,
}

impl GameTally {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.won + self.lost + self.tied + self.endless
    }

    /// Returns the share of wins; ties and endless games count half. It is 0.5 if there are no
    /// games.
    pub fn win_rate(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (2 * self.won + self.tied + self.endless) as f64 / (2 * games) as f64,
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            won: self.won + other.won,
            lost: self.lost + other.lost,
            tied: self.tied + other.tied,
            endless: self.endless + other.endless,
            turns: self.turns + other.turns,
        }
    }
}

/// The number of games that share one generator. It must never change, since the results of a seed
/// depend on it.
const GAMES_A_STREAM: u64 = 4096;
/// The moves of one game between two looks at the clock: a game may take billions.
const MOVES_A_LOOK: u64 = 1 << 20;
/// The number of streams between two progress reports.
const STREAMS_A_STEP: u64 = 64;

/// Simulates `games[0]` games in which the first plan moves first, and `games[1]` in which it moves
/// second.
///
/// Games are played in blocks of 4096, each with its own stream of the seed (see [`SeededDice`]):
/// `2 * block` if the first plan moves first, `2 * block + 1` if it moves second.
///
/// # Errors
/// Returns an error if `watch` cancels the work.
pub fn simulate(
    game: &Game,
    plans: [&Plan; 2],
    games: [u64; 2],
    seed: u64,
    watch: &Watch,
) -> Result<[GameTally; 2], SolveError> {
    let bulk = BulkGame::new(game, plans, watch).ok_or(SolveError::Cancelled)?;
    let all = games[0] + games[1];
    let mut done = 0;
    let mut tallies = [GameTally::default(); 2];
    for (first, tally) in tallies.iter_mut().enumerate() {
        let blocks = games[first].div_ceil(GAMES_A_STREAM);
        for step in (0..blocks).step_by(STREAMS_A_STEP as usize) {
            let played = (step..blocks.min(step + STREAMS_A_STEP)).into_par_iter().map(|block| {
                let count = GAMES_A_STREAM.min(games[first] - block * GAMES_A_STREAM);
                let dice = SeededDice::stream(seed, 2 * block + first as u64);
                bulk.block(first, count, dice, &|| watch.step(done as usize, all as usize))
            });
            let played = played.try_reduce(GameTally::default, |one, other| Some(one.with(other)));
            let played = played.ok_or(SolveError::Cancelled)?;
            *tally = tally.with(played);
            done += played.games();
            if !watch.step(done as usize, all as usize) {
                return Err(SolveError::Cancelled);
            }
        }
    }
    Ok(tallies)
}

/// The sampler number of states from which the game can no longer end.
const ENDLESS: u32 = u32::MAX;

/// A game and two plans, prepared for simulation.
struct BulkGame<'a> {
    game: &'a Game,
    plans: [&'a Plan; 2],
    has_turns_of_rolls: bool,
    keeps_dice: bool,
    /// Indexed like [`Game::distributions`].
    samplers: Vec<Sampler<'a>>,
    /// The number of the sampler, by plan and state.
    sampler_of: [Vec<u32>; 2],
}

impl<'a> BulkGame<'a> {
    /// `None` if `watch` cancels the work.
    fn new(game: &'a Game, plans: [&'a Plan; 2], watch: &Watch) -> Option<Self> {
        let samplers = game.distributions().iter().map(Sampler::new).collect();
        let mut sampler_of = plans.map(|plan| {
            let states = (0..game.space().states()).into_par_iter();
            states.map(|state| game.actions(state)[plan.action(state)]).collect::<Vec<u32>>()
        });
        if game.order() != Order::Acyclic {
            let ends = game.may_end(plans, &|| watch.step(0, 1))?;
            for (numbers, ends) in sampler_of.iter_mut().zip(&ends) {
                let endless = numbers.iter_mut().zip(ends).filter(|(_, ends)| !**ends);
                endless.for_each(|(number, _)| *number = ENDLESS);
            }
        }
        Some(Self {
            game,
            plans,
            has_turns_of_rolls: game.rules().has_turns_of_rolls(),
            keeps_dice: game.rules().keeps_dice(),
            samplers,
            sampler_of,
        })
    }

    /// Plays `games` games with one generator; `None` if `go_on` returns false.
    fn block(
        &self,
        first: usize,
        games: u64,
        mut dice: SeededDice,
        go_on: &dyn Fn() -> bool,
    ) -> Option<GameTally> {
        let mut tally = GameTally::default();
        for _ in 0..games {
            match self.keeps_dice {
                false => self.game::<false>(first, &mut dice, &mut tally, go_on)?,
                true => self.game::<true>(first, &mut dice, &mut tally, go_on)?,
            }
        }
        Some(tally)
    }

    /// Draws an outcome, or a menu of which the player chooses one.
    #[cold]
    fn kept(
        &self,
        mover: usize,
        state: usize,
        number: usize,
        dice: &mut SeededDice,
    ) -> &'a Outcome {
        let distribution = &self.game.distributions()[number];
        let place = self.samplers[number].place(dice);
        if let Some(outcome) = distribution.outcomes.get(place) {
            return outcome;
        }
        let options = distribution.menus.options(place - distribution.outcomes.len());
        let plan = self.plans[mover];
        &distribution.outcomes[self.game.kept_by(plan, state, distribution, options)]
    }

    /// Plays a game in which dice are kept or not: known beforehand, since games without menus need
    /// no other draws.
    #[inline(always)]
    fn game<const KEEPS_DICE: bool>(
        &self,
        first: usize,
        dice: &mut SeededDice,
        tally: &mut GameTally,
        go_on: &dyn Fn() -> bool,
    ) -> Option<()> {
        let space = self.game.space();
        let mut at = StateParts::of(self.game.start(), &space);
        let mut mover = first;
        for moves in 1_u64.. {
            if moves.is_multiple_of(MOVES_A_LOOK) && !go_on() {
                return None;
            }
            let number = self.sampler_of[mover][at.state(&space)];
            if number == ENDLESS {
                tally.endless += 1;
                return Some(());
            }
            tally.turns += 1;
            let outcome = match KEEPS_DICE {
                false => self.samplers[number as usize].draw(dice),
                true => self.kept(mover, at.state(&space), number as usize, dice),
            };
            match self.game.next(at.score, at.opponent, at.memories.theirs, outcome) {
                Successor::Next { to, again: false } => {
                    at = to;
                    mover = 1 - mover;
                }
                Successor::Next { to, again: true } => {
                    at = to;
                    tally.turns -= u64::from(self.has_turns_of_rolls);
                }
                Successor::End(End::Tied) => {
                    tally.tied += 1;
                    return Some(());
                }
                Successor::End(end) => {
                    let won = (end == End::Won) == (mover == 0);
                    tally.won += u64::from(won);
                    tally.lost += u64::from(!won);
                    return Some(());
                }
            }
        }
        None
    }
}
