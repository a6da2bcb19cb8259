//! Where one turn leads.

use super::{Space, StateMemories};

/// Where a turn leads: to an end of the game, or on to a state, in the form `To`: its index, unless
/// stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Successor<To = usize> {
    /// The game ends.
    End(End),
    /// The game goes on.
    Next {
        /// The state, seen by the player who moves there.
        to: To,
        /// Whether the same player moves again.
        again: bool,
    },
}

impl<To> Successor<To> {
    /// The successor with its state in another form; `form` receives the state and whether the same
    /// player moves again.
    #[inline(always)]
    pub fn map<T>(self, form: impl FnOnce(To, bool) -> T) -> Successor<T> {
        match self {
            Self::End(end) => Successor::End(end),
            Self::Next { to, again } => Successor::Next { to: form(to, again), again },
        }
    }

    /// The state, if the game goes on.
    #[inline(always)]
    pub fn state(self) -> Option<To> {
        match self {
            Self::End(_) => None,
            Self::Next { to, .. } => Some(to),
        }
    }
}

impl Successor {
    /// The value to the player who has moved, given by state the values to its mover: in `own`
    /// where the same player moves again, in `after` where the opponent does.
    #[inline]
    pub fn value(self, own: &[f64], after: &[f64]) -> f64 {
        match self {
            Self::Next { to, again: true } => own[to],
            Self::Next { to, again: false } => 1.0 - after[to],
            Self::End(end) => 1.0 - end.value_to_opponent(),
        }
    }
}

impl Successor<Cell> {
    /// The stage of the successor minus `from`; `None` if the game ends.
    pub(crate) fn correction(self, from: usize) -> Option<i64> {
        self.state().map(|to| i64::from(to.stage) - from as i64)
    }
}

/// How a game ends for the player who has just moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// With the higher score.
    Won,
    /// With the lower score.
    Lost,
    /// With equal scores.
    Tied,
}

impl End {
    /// The value to the opponent of the player who has just moved, in halves of a win.
    pub fn halves_to_opponent(self) -> u8 {
        match self {
            Self::Won => 0,
            Self::Tied => 1,
            Self::Lost => 2,
        }
    }

    /// The value to the opponent of the player who has just moved.
    pub fn value_to_opponent(self) -> f64 {
        f64::from(self.halves_to_opponent()) / 2.0
    }
}

/// A state without its memories: a column of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub stage: u32,
    pub column: u32,
}

/// A state in parts, seen by its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateParts {
    /// The mover's score.
    pub score: usize,
    /// The opponent's score.
    pub opponent: usize,
    /// The memory classes.
    pub memories: StateMemories,
}

impl StateParts {
    /// The parts of a state.
    #[inline(always)]
    pub fn of(state: usize, space: &Space) -> Self {
        let (cell, memories) = space.parts(state);
        let (score, opponent) = space.scores(cell);
        Self { score, opponent, memories }
    }

    /// The index of the state.
    #[inline(always)]
    pub fn state(&self, space: &Space) -> usize {
        let cell = self.score * space.goal + self.opponent;
        space.state(cell, self.memories)
    }
}
