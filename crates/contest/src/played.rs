//! A contest, from invitation to ranking.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde_json::json;

use super::answer::ContestAnswer;
use super::{
    ContestError, Entrant, EntrantDigest, Field, Invitation, KeepError, KeptPairs, Robin, Scoring,
    Standings, field, limits, round_robin,
};
use crate::engine::{Call, Error};
use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rated, Rater};
use crate::solve::{SolveError, Watch};
use crate::strategy::Strategy;

/// An estimate of the memory that an entrant takes for each state, in bytes: its plan, and the plan
/// prepared for its pairs.
const BYTES_A_STATE: u64 = 12;

/// Saves the finished pairs of a contest.
pub type SavePairs<'a> = Box<dyn FnMut(&KeptPairs) -> Result<(), KeepError> + 'a>;

/// The pairs of a contest that are already rated, and the function that saves them.
pub struct Pairs<'a> {
    /// The rated pairs, to which the contest adds its own.
    pub known: KeptPairs,
    /// Called periodically and at the end.
    pub save: SavePairs<'a>,
}

impl<'a> Pairs<'a> {
    /// Starts without rated pairs and saves none.
    pub fn none(game: &Game) -> Self {
        Self { known: KeptPairs::new(game.rules()), save: Box::new(|_| Ok(())) }
    }

    /// Reads the rated pairs in a file, if it exists. `save` is to write them back to it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a file of rated pairs, or was written
    /// for other rules.
    pub fn in_file(
        path: &Path,
        game: &Game,
        save: impl FnMut(&KeptPairs) -> Result<(), KeepError> + 'a,
    ) -> Result<Self, Error> {
        Ok(Self { known: KeptPairs::read(path, game.rules())?, save: Box::new(save) })
    }
}

/// A finished contest.
#[derive(Clone, Debug)]
pub struct PlayedContest {
    /// The results.
    pub answer: ContestAnswer,
    pub(super) game: Arc<Game>,
    /// The entrants, and what is known of them.
    pub field: Field,
    pub(super) robin: Robin,
    pub(super) standings: Standings,
}

impl PlayedContest {
    /// Plays every entrant against every other. Entrants are strategies by name and, if the sources
    /// allow it, files, folders and archives of strategies. The answer lists those that cannot take
    /// part. `before_play` is called with the entrants; an error from it prevents the contest.
    ///
    /// # Errors
    /// Returns an error if a name is invalid, there are no entrants, the file of finished pairs
    /// cannot be written, or the work is stopped; and those of `before_play`.
    pub fn play<E: From<Error>>(
        call: &Call,
        game: &Arc<Game>,
        invitation: &Invitation,
        scoring: &Scoring,
        pairs: Pairs,
        before_play: impl FnOnce(&Field) -> Result<(), E>,
    ) -> Result<Self, E> {
        let in_play = InPlay { call, game };
        in_play.admit_default(invitation.default_roll)?;
        let field = in_play.field(invitation)?;
        if field.entrants.is_empty() && field.rejected.is_empty() {
            let Invitation { entrants, each_in, .. } = invitation;
            let folders = each_in.iter().map(|path| path.display().to_string());
            let names = entrants.iter().cloned().chain(folders).collect::<Vec<_>>().join(", ");
            return Err(Error::from(ContestError::NobodyPlays { names }).into());
        }
        before_play(&field)?;
        let mut against_baseline = Vec::new();
        if scoring.needs_baseline() {
            against_baseline = in_play.against_baseline(&field)?;
        }
        let robin = in_play.robin(&field.entrants, pairs)?;
        Ok(Self::ranked(game, field, robin, scoring, &against_baseline, call.seconds()))
    }

    /// Ranks the entrants of a game by the rates of all pairs. `baseline` are their win rates
    /// against the game's baseline, if the scoring needs them ([`Scoring::needs_baseline`]);
    /// `seconds` is the time taken.
    pub fn ranked(
        game: &Arc<Game>,
        field: Field,
        robin: Robin,
        scoring: &Scoring,
        baseline: &[f64],
        seconds: f64,
    ) -> Self {
        let standings = Standings::of(&robin, scoring, baseline);
        let answer = ContestAnswer::new(game.rules(), &field, &robin, &standings, scoring, seconds);
        let mut played = Self { answer, game: Arc::clone(game), field, robin, standings };
        if played.answer.points.is_some() {
            played.answer.people = played.people();
        }
        played
    }

    /// Gives the contest a title; without one, it is called after the game.
    #[must_use]
    pub fn titled(mut self, title: &Option<String>) -> Self {
        self.answer.title.clone_from(title);
        self
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Returns the name of the first entrant found under the first given name, even if it could not
    /// take part.
    pub fn first(&self) -> Option<&str> {
        self.field.first.as_deref()
    }

    /// Returns the plan of the entrant at a place of the ranking.
    pub(super) fn plan(&self, place: usize) -> &Plan {
        &self.field.entrants[self.standings.ranking[place].entrant].plan
    }
}

/// A contest that is being played.
struct InPlay<'c> {
    call: &'c Call<'c>,
    game: &'c Arc<Game>,
}

impl InPlay<'_> {
    /// Checks that a default roll is one of the game.
    fn admit_default(&self, default: Option<i32>) -> Result<(), Error> {
        let Some(default) = default else { return Ok(()) };
        let rules = self.game.rules();
        if rules.keeps_dice() {
            return Err(ContestError::DefaultOfKept.into());
        }
        if self.game.space().action(default).is_none() {
            let game = rules.id.clone();
            let least = rules.min_dice;
            let most = rules.max_dice;
            return Err(ContestError::DefaultRoll { default, game, least, most }.into());
        }
        Ok(())
    }

    /// Rates all pairs that are not known yet.
    fn robin(&self, entrants: &[Entrant], pairs: Pairs) -> Result<Robin, Error> {
        let game = self.game;
        let Pairs { mut known, mut save } = pairs;
        let digests: Vec<EntrantDigest> = entrants.par_iter().map(Entrant::digest).collect();
        self.call.run("playing", |watch| {
            round_robin(game, entrants, &mut known, watch, |kept| {
                self.report_rated(kept, &digests);
                save(kept)
            })
        })
    }

    /// Reports the average win rate of each entrant (row) against each other (column), as far as
    /// they are rated.
    fn report_rated(&self, kept: &KeptPairs, digests: &[EntrantDigest]) {
        let Some(progress) =
            self.call.progress().filter(|_| digests.len() <= limits::SHOWN_ENTRANTS)
        else {
            return;
        };
        let matrix = kept.averages(digests);
        let count = matrix.len();
        // Each pair stands twice in the matrix: above the diagonal and below.
        let mut done = 0;
        for (row, rates) in matrix.iter().enumerate() {
            done += rates[row..].iter().flatten().count();
        }
        let of = count * (count + 1) / 2;
        progress.partial("playing", done, of, "matrix", &|| json!(matrix));
    }

    /// Reads the entrants and reports the name of each as it is read.
    fn field(&self, invitation: &Invitation) -> Result<Field, Error> {
        let refused: OnceLock<SolveError> = OnceLock::new();
        let result = field(
            self.game,
            invitation,
            self.call.engine().sources(),
            self.call.memory(),
            &|done, of, name| match self.admit(of) {
                Ok(()) => self.goes_on(done, of, name),
                Err(error) => {
                    let _ = refused.set(error);
                    false
                }
            },
            &|name, rejected| {
                if let Some(progress) = self.call.progress() {
                    progress.item("entrants", &|| json!({ "name": name, "rejected": rejected }));
                }
            },
        );
        if let Some(progress) = self.call.progress() {
            progress.end();
        }
        if let Some(refused) = refused.into_inner() {
            return Err(refused.into());
        }
        self.call.check()?;
        Ok(result?)
    }

    /// Returns an error if the plans of so many entrants need too much memory.
    fn admit(&self, entrants: usize) -> Result<(), SolveError> {
        let each = self.game.space().states() as u64 * BYTES_A_STATE;
        let bytes = each.saturating_mul(entrants as u64);
        let limit = Watch::silent().memory(self.call.memory());
        limit.admit(bytes, "lower the goal, or invite fewer entrants")
    }

    /// Reports the submission that is read, and returns false if the call has ended.
    fn goes_on(&self, done: usize, of: usize, name: &str) -> bool {
        if let Some(progress) = self.call.progress() {
            progress.named_step("reading", name, done, of);
        }
        self.call.check().is_ok()
    }

    /// Rates each entrant against the game's baseline.
    fn against_baseline(&self, field: &Field) -> Result<Vec<f64>, Error> {
        let game = self.game;
        let baseline = self.call.plan(game, &Strategy::baseline(game.rules())?)?;
        let rater = Rater::new(&**game);
        // The baseline is the last of the plans.
        let count = field.entrants.len();
        let entrants = field.entrants.iter().map(|entrant| &entrant.plan);
        let plans: Vec<&Plan> = entrants.chain([&*baseline]).collect();
        let firsts: Vec<usize> = (0..count).step_by(rater.side()).collect();
        let rated = self.call.run("rating", |watch| {
            let rated = firsts.into_par_iter().map(|first| {
                let of_group = first..count.min(first + rater.side());
                let pairs: Vec<(usize, usize)> = of_group.map(|entrant| (entrant, count)).collect();
                rater.rate_group(&plans, &pairs, watch)
            });
            rated.collect::<Result<Vec<Rated>, SolveError>>()
        })?;
        Ok(rated.iter().flat_map(|group| &group.rates).map(PairRate::average).collect())
    }
}
