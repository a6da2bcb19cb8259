//! A game that is played turn by turn.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hog::game::{Successor, keeps};
use hog::queries::PlayTurn;
use hog::sim::session::{Finish, PastTurn, Seat, Session};
use pyo3::prelude::*;

use crate::errors::request_error;
use crate::game::{NativeGame, json};

/// A game in progress: the caller chooses for both players, and the dice are rolled here.
#[pyclass(frozen, module = "hog_solver._native")]
pub struct NativeSession {
    session: Mutex<Session>,
}

/// A position as the player to move sees it: score, opponent's score and memories.
type Seen = (u32, u32, Vec<i64>);

/// A choice of dice to keep: see [`NativeSession::keeps`].
type KeepView = (Vec<u32>, Option<usize>, bool, f64);

#[pymethods]
impl NativeSession {
    #[new]
    fn new(game: &NativeGame, seed: u64) -> Self {
        let seats = ["player_0", "player_1"].map(|name| Seat { name: name.to_owned(), plan: None });
        Self { session: Mutex::new(Session::new(Arc::clone(&game.game), seats, seed)) }
    }

    /// Takes a turn for the player to move and returns its view; `None` if dice of the roll are to
    /// be kept first.
    fn roll(&self, dice: i32) -> PyResult<Option<String>> {
        let mut session = self.locked();
        let taken = session.roll(dice).map_err(request_error)?.cloned();
        taken.map(|taken| view(&session, &taken)).transpose()
    }

    /// Keeps dice of the roll, given by their faces or by the whole roll with a 0 for each other
    /// die, and returns the view of the turn.
    fn keep(&self, kept: Vec<u32>) -> PyResult<String> {
        let mut session = self.locked();
        let taken = session.keep(&kept).map_err(request_error)?.clone();
        view(&session, &taken)
    }

    /// Returns the roll of which dice are to be kept; `None` if there is none.
    #[getter]
    fn rolled(&self) -> Option<Vec<u32>> {
        self.locked().rolled().map(<[u32]>::to_vec)
    }

    /// Returns all choices of dice to keep of the roll: the whole roll with a 0 for each other die;
    /// the state that follows, if the game goes on; whether the same player moves there; and
    /// otherwise the value to the player who has moved. Empty if there is no roll.
    #[getter]
    fn keeps(&self) -> PyResult<Vec<KeepView>> {
        let session = self.locked();
        let (Some(faces), Some(position)) = (session.rolled(), session.position()) else {
            return Ok(Vec::new());
        };
        let game = session.game();
        let mut views = Vec::new();
        for keep in keeps(game.rules(), position, faces).map_err(request_error)? {
            let marked = keep.marked(faces);
            views.push(match game.after(&keep.turn) {
                Successor::Next { to, again } => (marked, Some(to), again, 0.0),
                Successor::End(end) => (marked, None, false, 1.0 - end.value_to_opponent()),
            });
        }
        Ok(views)
    }

    /// Returns the position as the player to move sees it; `None` if the game is over.
    #[getter]
    fn position(&self) -> Option<Seen> {
        self.locked().position().map(|seen| (seen.score, seen.opponent, seen.memory.clone()))
    }

    /// Returns the position's index in flattened arrays over states; `None` if the game is over.
    #[getter]
    fn state(&self) -> Option<usize> {
        let session = self.locked();
        session.position().map(|seen| session.game().state(seen))
    }

    /// Returns, for each action, whether it is a choice of its own: of requests that the rules
    /// change to the same roll, one is; `None` if the game is over.
    #[getter]
    fn choices(&self) -> Option<Vec<bool>> {
        let session = self.locked();
        let game = session.game();
        let set = game.choices(game.state(session.position()?));
        Some((0..game.space().actions).map(|action| set >> action & 1 == 1).collect())
    }

    #[getter]
    fn mover(&self) -> Option<usize> {
        self.locked().mover()
    }

    #[getter]
    fn scores(&self) -> [i64; 2] {
        self.locked().scores()
    }

    /// Returns the winner, 0 or 1, or -1 for a tie and -2 for an endless game; `None` if the game
    /// is not over.
    #[getter]
    fn result(&self) -> Option<i32> {
        self.locked().result().map(|finish| match finish {
            Finish::Won(player) => player as i32,
            Finish::Tied => -1,
            Finish::Endless => -2,
        })
    }
}

fn view(session: &Session, taken: &PastTurn) -> PyResult<String> {
    let name = &session.seats()[taken.player].name;
    json(&PlayTurn::new(session.game().rules(), taken, name))
}

impl NativeSession {
    fn locked(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
