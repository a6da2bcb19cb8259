//! Games played with dice: sessions and replays.

use std::path::Path;
use std::sync::Arc;

use crate::files;
use crate::game::Game;
use crate::sim::draw_bid;
use crate::sim::session::{Seat, Session, Transcript};
use crate::strategy::Strategy;
use crate::table::shipped;

use super::Bid;
use crate::engine::{Call, Engine, Error, ReplayError};
use hog_study::limits;

impl Engine {
    /// Makes a seat for a strategy.
    ///
    /// # Errors
    /// Returns an error if the strategy cannot be used.
    pub fn seat(&self, game: &Arc<Game>, strategy: &Strategy) -> Result<Seat, Error> {
        self.call().seat(game, strategy)
    }

    /// Returns the strategy of optimal play: the shipped table, or the equilibrium if no table is
    /// shipped.
    pub fn strongest(&self, game: &Game) -> Strategy {
        let fits = shipped(game.rules()).is_some_and(|table| table.fits(game).is_ok());
        if fits { Strategy::Final } else { Strategy::Optimal }
    }

    /// Sets up a game with a judge.
    ///
    /// # Errors
    /// Returns an error if the game is too large to be judged or the work is stopped.
    pub fn session(&self, game: &Arc<Game>, seats: [Seat; 2], seed: u64) -> Result<Session, Error> {
        self.call().session(game, seats, seed)
    }

    /// Draws a bid for the start from the equilibrium; the result depends only on the game, `seed`
    /// and `player`.
    ///
    /// # Errors
    /// Returns an error if the game has no bidding, it could not be solved, or the work is stopped.
    pub fn drawn_bid(&self, game: &Arc<Game>, seed: u64, player: usize) -> Result<i64, Error> {
        let shares = self.ask(&Bid::in_game(game))?.shares;
        Ok(draw_bid(shares.into_iter().map(|one| (one.bid, one.share)), seed, player))
    }

    /// Reads a transcript and replays every turn of its game.
    ///
    /// # Errors
    /// Returns an error if files may not be opened, or the file cannot be read or is not a valid
    /// transcript.
    pub fn replay(&self, path: &Path) -> Result<Session, Error> {
        if !self.sources().opens_strategy_files() {
            return Err(Error::Closed { name: path.display().to_string() });
        }
        let call = self.call();
        let text = files::read_text(path, limits::TRANSCRIPT_BYTES).map_err(|e| failed(path, e))?;
        let transcript = Transcript::read(&text).map_err(|e| failed(path, e))?;
        let rules = transcript
            .rules(|text, origin, overrides| self.rules_from(text, origin, overrides))
            .map_err(|e| failed(path, e))?;
        let game = call.tabulate(rules)?;
        let turns = transcript.replay(&game).map_err(|e| failed(path, e))?;
        let start = transcript.start(game.rules()).map_err(|e| failed(path, e))?;
        let seats = transcript.players().clone().map(|name| Seat { name, plan: None });
        Ok(call.session(&game, seats, transcript.seed())?.beginning_at(start).resumed(turns))
    }
}

fn failed(path: &Path, error: impl Into<ReplayError>) -> Error {
    Error::Replay { path: path.to_owned(), error: error.into() }
}

impl Call<'_> {
    /// Makes a seat for a strategy.
    pub(crate) fn seat(&self, game: &Arc<Game>, strategy: &Strategy) -> Result<Seat, Error> {
        Ok(Seat { name: strategy.to_string(), plan: Some(self.plan(game, strategy)?) })
    }

    /// Sets up a game with a judge.
    pub(crate) fn session(
        &self,
        game: &Arc<Game>,
        seats: [Seat; 2],
        seed: u64,
    ) -> Result<Session, Error> {
        Ok(Session::new(Arc::clone(game), seats, seed).with_judge(self.judge(game)?))
    }
}
