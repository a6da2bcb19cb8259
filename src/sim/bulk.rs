//! Many games at once: turns drawn from the exact distributions of the solver's game, the same with any number of threads.

use rayon::prelude::*;

use crate::game::{End, Game, Order, Plan, Successor};
use crate::solve::{SolveError, Watch};

use super::dice::SeededDice;
use super::sampler::Sampler;

/// How some games between two strategies came out for the first of them.
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
    /// Turns of both players.
    pub turns: u64,
}

impl GameTally {
    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.won + self.lost + self.tied + self.endless
    }

    /// The share of wins; ties and endless games count half. 0.5 without any game.
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

/// Games that share one generator: a part of what a seed means, so never to be changed.
const GAMES_A_STREAM: u64 = 4096;
/// Streams played between two reports of progress.
const STREAMS_A_STEP: u64 = 64;

/// Plays that many games of the first plan moving first, and as many of it moving second.
///
/// Games come in blocks of 4096, each with the stream `2 * block + (0 or 1)` of the seed (see [`SeededDice`]): 0 where the
/// first plan moves first, 1 where it moves second.
///
/// # Errors
/// If `watch` stops it.
pub fn simulate(
    game: &Game,
    plans: [&Plan; 2],
    (games, seed): ([u64; 2], u64),
    watch: &Watch,
) -> Result<[GameTally; 2], SolveError> {
    let board = BulkGame::new(game, plans);
    let all = games[0] + games[1];
    let (mut done, mut tallies) = (0, [GameTally::default(); 2]);
    for (first, tally) in tallies.iter_mut().enumerate() {
        let blocks = games[first].div_ceil(GAMES_A_STREAM);
        for step in (0..blocks).step_by(STREAMS_A_STEP as usize) {
            let played = (step..blocks.min(step + STREAMS_A_STEP)).into_par_iter().map(|block| {
                let count = GAMES_A_STREAM.min(games[first] - block * GAMES_A_STREAM);
                board.block(first, count, SeededDice::stream(seed, 2 * block + first as u64))
            });
            let played = played.reduce(GameTally::default, GameTally::with);
            *tally = tally.with(played);
            done += played.games();
            if !watch.step(done as usize, all as usize) {
                return Err(SolveError::Cancelled);
            }
        }
    }
    Ok(tallies)
}

/// A sampler's number where the game can no longer end.
const ENDLESS: u32 = u32::MAX;

/// Two plans at a game, ready to play.
struct BulkGame<'a> {
    game: &'a Game,
    samplers: Vec<Sampler>,
    /// By plan and state.
    sampler_of: [Vec<u32>; 2],
}

impl<'a> BulkGame<'a> {
    fn new(game: &'a Game, plans: [&Plan; 2]) -> Self {
        let (mut samplers, mut first_of) = (Vec::new(), Vec::new());
        for actions in game.action_sets() {
            let mut of_offers = Vec::new();
            for offer in &actions.by_shared {
                of_offers.push(samplers.len() as u32);
                samplers.extend(offer.distributions.iter().map(|distribution| Sampler::new(offer, distribution)));
            }
            first_of.push(of_offers);
        }
        let sampler_of = plans.map(|plan| {
            let space = game.space();
            let of_state = |state: usize| {
                let (cell, (shared, mine, theirs)) = space.parts(state);
                let number = game.action_set_number(cell);
                let distributions = game.action_sets()[number].distributions(&space, (shared, mine, theirs));
                first_of[number][shared] + u32::from(distributions[plan.action(state)])
            };
            (0..space.states()).into_par_iter().map(of_state).collect()
        });
        let mut board = Self { game, samplers, sampler_of };
        if game.order() != Order::Acyclic {
            board.mark_endless();
        }
        board
    }

    /// Some games of one generator.
    fn block(&self, first: usize, games: u64, mut dice: SeededDice) -> GameTally {
        let mut tally = GameTally::default();
        for _ in 0..games {
            self.game(first, &mut dice, &mut tally);
        }
        tally
    }

    #[inline(always)]
    fn game(&self, first: usize, dice: &mut SeededDice, tally: &mut GameTally) {
        let space = self.game.space();
        let (mut cell, (mut shared, mut mine, mut theirs)) = space.parts(self.game.start());
        let mut mover = first;
        loop {
            let number = self.sampler_of[mover][space.state(cell, shared, theirs, mine)];
            if number == ENDLESS {
                tally.endless += 1;
                return;
            }
            tally.turns += 1;
            let outcome = self.samplers[number as usize].draw(dice);
            match self.game.successor(cell, &outcome) {
                Successor::Passed { cell: next, shared: kept, theirs: passed } => {
                    (cell, shared, mine, theirs) = (next, kept, theirs, passed);
                    mover = 1 - mover;
                }
                Successor::Again { cell: next, shared: kept, mine: own } => (cell, shared, mine) = (next, kept, own),
                Successor::End(End::Tied) => {
                    tally.tied += 1;
                    return;
                }
                Successor::End(end) => {
                    let won = (end == End::Won) == (mover == 0);
                    tally.won += u64::from(won);
                    tally.lost += u64::from(!won);
                    return;
                }
            }
        }
    }

    /// Marks the states from which these plans never reach the end: sums of scores only grow, so from the highest sum
    /// down each state looks at states already known, or of its own sum.
    fn mark_endless(&mut self) {
        let space = self.game.space();
        let mut ends = [vec![false; space.states()], vec![false; space.states()]];
        for layer in (0..space.stages()).rev() {
            let mut grew = true;
            while grew {
                grew = false;
                let states = space.stage(layer).flat_map(|cell| cell * space.per_cell()..(cell + 1) * space.per_cell());
                for (state, plan) in states.flat_map(|state| [(state, 0), (state, 1)]) {
                    if !ends[plan][state] && self.may_end(plan, state, &ends) {
                        ends[plan][state] = true;
                        grew = true;
                    }
                }
            }
        }
        for (numbers, ends) in self.sampler_of.iter_mut().zip(&ends) {
            for (number, _) in numbers.iter_mut().zip(ends).filter(|(_, ends)| !**ends) {
                *number = ENDLESS;
            }
        }
    }

    fn may_end(&self, plan: usize, state: usize, ends: &[Vec<bool>; 2]) -> bool {
        let space = self.game.space();
        let (cell, (_, _, theirs)) = space.parts(state);
        let mut outcomes = self.samplers[self.sampler_of[plan][state] as usize].outcomes();
        outcomes.any(|outcome| match space.after(theirs, self.game.successor(cell, outcome)) {
            Err(_) => true,
            Ok((to, again)) => ends[if again { plan } else { 1 - plan }][to],
        })
    }
}
