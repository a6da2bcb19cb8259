//! Games that are played: simulations, sessions, replays.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::files;
use crate::game::{Game, Position};
use crate::sim::session::{LARGEST_TRANSCRIPT, Seat, Session, Transcript};
use crate::sim::{Trials, average_win_rate, draw_bid, run_experiments};
use crate::strategy::Strategy;
use crate::table::shipped;
use crate::view::{ExperimentsView, SessionView, SimulateView, Simulated};

use super::{Engine, EngineError, ReplayError};

/// A game by what makes it: who plays, where the dice begin, and what people rolled.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlayQuery {
    /// Player 0 and Player 1: strategies, or people where there is none.
    pub players: [Option<Strategy>; 2],
    /// Where the dice begin.
    pub seed: u64,
    /// The numbers of dice that people rolled, in order.
    pub rolls: Vec<i32>,
    /// Where the game begins, Player 0 to move; at its start if there is none.
    pub from: Option<Position>,
}

impl PlayQuery {
    /// A game about to begin.
    pub fn new(players: [Option<Strategy>; 2], seed: u64) -> Self {
        Self { players, seed, rolls: Vec::new(), from: None }
    }

    /// After these rolls.
    #[must_use]
    pub fn rolls(mut self, rolls: Vec<i32>) -> Self {
        self.rolls = rolls;
        self
    }

    /// Begun elsewhere.
    #[must_use]
    pub fn from(mut self, position: Position) -> Self {
        self.from = Some(position);
        self
    }
}

/// The most turns of a game that is told at once.
const MOST_TURNS: usize = 2_000;

impl Engine {
    /// Games played at random: averages with intervals, the exact rates beside them.
    ///
    /// # Errors
    /// If a strategy cannot be used, the game names no baseline, or the work is stopped.
    pub fn simulate(
        &self,
        game: &Arc<Game>,
        strategy: &Strategy,
        against: Option<&Strategy>,
        trials: Trials,
    ) -> Result<SimulateView, EngineError> {
        let call = self.call();
        let against = self.or_baseline(game, against)?;
        let plans = [self.plan_in(&call, game, strategy)?, self.plan_in(&call, game, &against)?];
        let began = Instant::now();
        let rate = call.run("playing", |watch| average_win_rate(game, [&*plans[0], &*plans[1]], trials, watch))?;
        let what = Simulated {
            rules: game.rules().id.clone(),
            strategy: strategy.to_string(),
            against: against.to_string(),
            seed: trials.seed,
            seconds: began.elapsed().as_secs_f64(),
        };
        Ok(SimulateView::new(what, &rate))
    }

    /// `run_experiments`: the points of a turn by number of dice, and every strategy of the course against the baseline.
    ///
    /// # Errors
    /// If the game names no baseline, a strategy cannot be used, or the work is stopped.
    pub fn experiments(&self, game: &Arc<Game>, trials: Trials) -> Result<ExperimentsView, EngineError> {
        let baseline = Strategy::baseline(game.rules())?;
        let found = self.call().run("experiments", |watch| run_experiments(game, &baseline, trials, watch))?;
        Ok(ExperimentsView::new(game.rules().id.clone(), (trials.games, trials.seed), found))
    }

    /// A seat for a strategy.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn seat(&self, game: &Arc<Game>, strategy: &Strategy) -> Result<Seat, EngineError> {
        Ok(Seat { name: strategy.to_string(), plan: Some(self.plan(game, strategy)?) })
    }

    /// The strongest strategy that is at hand: the shipped table, or equilibrium play where none is shipped.
    pub fn strongest(&self, game: &Game) -> Strategy {
        let fits = shipped(game.rules()).is_some_and(|table| table.fits(game).is_ok());
        if fits { Strategy::Final } else { Strategy::Optimal }
    }

    /// A game about to begin, with a judge.
    ///
    /// # Errors
    /// If the game is too large to be judged, or the work is stopped.
    pub fn session(&self, game: &Arc<Game>, seats: [Seat; 2], seed: u64) -> Result<Session, EngineError> {
        Ok(Session::new(Arc::clone(game), seats, seed).with_judge(self.judge(game)?))
    }

    /// What a strategy bids for the start: a bid of the equilibrium, drawn for this player of this seed.
    ///
    /// # Errors
    /// As [`Self::bid`].
    pub fn drawn_bid(&self, game: &Arc<Game>, seed: u64, player: usize) -> Result<i64, EngineError> {
        let shares = self.bid(game)?.shares;
        Ok(draw_bid(shares.into_iter().map(|one| (one.bid, one.share)), seed, player))
    }

    /// A game from its start to where a person is to move: the same query is always the same game, so that one taken
    /// back is one roll less.
    ///
    /// # Errors
    /// If a strategy cannot be used, a roll is not allowed, or the game is too large or too long.
    pub fn play(&self, game: &Arc<Game>, query: &PlayQuery) -> Result<SessionView, EngineError> {
        let call = self.call();
        let person = |player: usize| Seat { name: format!("Player {player}"), plan: None };
        let seat = |player: usize| match &query.players[player] {
            Some(strategy) => self.seat(game, strategy),
            None => Ok(person(player)),
        };
        let mut session = self.session(game, [seat(0)?, seat(1)?], query.seed)?;
        if let Some(from) = &query.from {
            session = session.beginning_at(from.clone());
        }
        let mut rolls = query.rolls.iter();
        loop {
            while session.play_on()?.is_some() {
                call.check()?;
                if session.taken().len() > MOST_TURNS {
                    return Err(EngineError::TooManyTurns { most: MOST_TURNS });
                }
            }
            match (session.mover(), rolls.next()) {
                (_, None) => return Ok(SessionView::new(&session)),
                (Some(_), Some(dice)) => drop(session.roll(*dice)?),
                (None, Some(dice)) => {
                    return Err(EngineError::RollAfterTheEnd { turns: session.taken().len(), dice: *dice });
                }
            }
        }
    }

    /// A game that was written down, every turn played again.
    ///
    /// # Errors
    /// If files may not be opened, or this one is no game written down.
    pub fn replay(&self, path: &Path) -> Result<Session, EngineError> {
        if !self.sources().opens_tables() {
            return Err(EngineError::Closed { name: path.display().to_string() });
        }
        let failed = |error: ReplayError| EngineError::Replay { path: path.to_owned(), error };
        let text = files::read_text(path, LARGEST_TRANSCRIPT).map_err(|error| failed(error.into()))?;
        let transcript = Transcript::read(&text).map_err(|error| failed(error.into()))?;
        let rules = transcript.rules().map_err(|error| failed(error.into()))?;
        let game = self.tabulate(rules)?;
        let turns = transcript.replay(&game).map_err(|error| failed(error.into()))?;
        let start = transcript.start(game.rules()).map_err(|error| failed(error.into()))?;
        let seats = transcript.players().clone().map(|name| Seat { name, plan: None });
        Ok(self.session(&game, seats, transcript.seed())?.beginning_at(start).resumed(turns))
    }
}
