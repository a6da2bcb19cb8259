//! Exact round robins.

use std::path::Path;
use std::sync::Arc;

use crate::contest::{KeepError, KeptPairs, entrants, round_robin};
use crate::game::Game;
use crate::view::ContestView;

use super::{Engine, EngineError};

/// Saves finished pairs.
pub type SavePairs<'a> = Box<dyn FnMut(&KeptPairs) -> Result<(), KeepError> + 'a>;

/// Finished pairs of a contest, and how they are saved now and then.
pub struct Pairs<'a> {
    /// Those known already; new ones are added.
    pub known: KeptPairs,
    /// Called from time to time, and at the end.
    pub save: SavePairs<'a>,
}

impl<'a> Pairs<'a> {
    /// None, saved nowhere.
    pub fn none(game: &Game) -> Self {
        Self { known: KeptPairs::new(game.rules()), save: Box::new(|_| Ok(())) }
    }

    /// Those in a file, if it is there, saved to it by `save`.
    ///
    /// # Errors
    /// If the file cannot be read, is something else, or belongs to other rules.
    pub fn in_file(
        path: &Path,
        game: &Game,
        save: impl FnMut(&KeptPairs) -> Result<(), KeepError> + 'a,
    ) -> Result<Self, EngineError> {
        Ok(Self { known: KeptPairs::read(path, game.rules())?, save: Box::new(save) })
    }
}

impl Engine {
    /// Every entrant against every other: strategies by name and, where they may be opened, files and folders of them.
    /// What cannot take part is told in the view.
    ///
    /// # Errors
    /// If a name is none, there is nobody, finished pairs cannot be kept, or the work is stopped.
    pub fn contest(&self, game: &Arc<Game>, names: &[String], pairs: Pairs) -> Result<ContestView, EngineError> {
        let job = self.job();
        let (entrants, rejected) = entrants(game, names, self.sources())?;
        if entrants.is_empty() && rejected.is_empty() {
            return Err(EngineError::NobodyPlays { names: names.join(", ") });
        }
        let Pairs { mut known, save } = pairs;
        let robin = job.run("playing", |watch| round_robin(game, &entrants, &mut known, watch, save))?;
        let seconds = job.began.elapsed().as_secs_f64();
        Ok(ContestView::new(&game.rules().id, &entrants, &rejected, &robin, seconds))
    }
}
