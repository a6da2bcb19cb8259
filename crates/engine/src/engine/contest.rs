//! Exact round-robin contests, and a report on each entrant.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::contest::{
    Entrant, EntrantDigest, Field, Invitation, KeepError, KeptPairs, Robin, Scoring, Standings,
    field_with_fates, round_robin,
};
use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rater};
use crate::solve::{Arithmetic, SolveError, Solver, Watch};
use crate::strategy::Strategy;
use crate::view::{ContestParts, ContestReportView, ContestView, GradebookView};

use super::call::Call;
use super::{Engine, EngineError, ScoreMap};

mod gradebook;
mod reports;

use reports::Reporter;

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
    ) -> Result<Self, EngineError> {
        Ok(Self { known: KeptPairs::read(path, game.rules())?, save: Box::new(save) })
    }
}

/// A contest to be played.
#[derive(Clone, Debug, Default)]
pub struct ContestQuery {
    /// Where the entrants come from.
    pub invitation: Invitation,
    /// How the contest is scored.
    pub scoring: Scoring,
}

impl ContestQuery {
    /// A contest of strategies given by name, file, folder or archive, scored as in the course.
    pub fn of(entrants: &[String]) -> Self {
        let invitation = Invitation { entrants: entrants.to_vec(), ..Invitation::default() };
        Self { invitation, scoring: Scoring::default() }
    }
}

/// A finished contest.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The results.
    pub view: ContestView,
    field: Field,
    robin: Robin,
    standings: Standings,
}

impl Contest {
    /// Returns the name of the first entrant found under the first given name, even if it could not
    /// take part.
    pub fn first(&self) -> Option<&str> {
        self.field.first.as_deref()
    }

    /// Returns the results by people: a line for each person of the roster, and for those who are
    /// not on it. `page` returns the file of an entrant's report, if there is one.
    pub fn gradebook(&self, page: impl Fn(&str) -> Option<String>) -> GradebookView {
        GradebookView::of(self, page)
    }
}

impl Engine {
    /// Plays every entrant against every other. Entrants are strategies by name and, if the sources
    /// allow it, files, folders and archives of strategies. The view lists those that cannot
    /// take part.
    ///
    /// # Errors
    /// Returns an error if a name is invalid, there are no entrants, the file of finished pairs
    /// cannot be written, or the work is stopped.
    pub fn contest(
        &self,
        game: &Arc<Game>,
        query: &ContestQuery,
        pairs: Pairs,
    ) -> Result<Contest, EngineError> {
        self.contest_if(game, query, pairs, |_| Ok(()))
    }

    /// As [`Self::contest`], but first calls `may` with the entrants; an error from it prevents the
    /// contest.
    ///
    /// # Errors
    /// As [`Self::contest`], and those of `may`.
    pub fn contest_if<E: From<EngineError>>(
        &self,
        game: &Arc<Game>,
        query: &ContestQuery,
        pairs: Pairs,
        may: impl FnOnce(&Field) -> Result<(), E>,
    ) -> Result<Contest, E> {
        let call = self.call();
        let field = self.field(&call, game, &query.invitation)?;
        if field.entrants.is_empty() && field.rejected.is_empty() {
            let Invitation { entrants, each_in, .. } = &query.invitation;
            let folders = each_in.iter().map(|path| path.display().to_string());
            let names = entrants.iter().cloned().chain(folders).collect::<Vec<_>>().join(", ");
            return Err(EngineError::NobodyPlays { names }.into());
        }
        may(&field)?;
        Ok(self.play_contest(&call, game, field, &query.scoring, pairs)?)
    }

    fn play_contest(
        &self,
        call: &Call,
        game: &Arc<Game>,
        field: Field,
        scoring: &Scoring,
        pairs: Pairs,
    ) -> Result<Contest, EngineError> {
        let baseline = if scoring.needs_baseline() {
            self.against_baseline(call, game, &field)?
        } else {
            Vec::new()
        };
        let Pairs { mut known, mut save } = pairs;
        let digests: Vec<EntrantDigest> = field.entrants.par_iter().map(Entrant::digest).collect();
        let report_and_save = |kept: &KeptPairs| {
            if let Some(progress) = call.progress {
                progress.rated(&|| kept.averages(&digests));
            }
            save(kept)
        };
        let robin = call.run("playing", |watch| {
            round_robin(game, &field.entrants, &mut known, watch, report_and_save)
        })?;
        let standings = Standings::of(&robin, scoring, &baseline);
        let view = ContestView::new(ContestParts {
            rules: &game.rules().id,
            field: &field,
            robin: &robin,
            standings: &standings,
            scoring,
            seconds: call.began.elapsed().as_secs_f64(),
        });
        Ok(Contest { view, field, robin, standings })
    }

    /// Reads the entrants and reports the name of each as it is read.
    fn field(
        &self,
        call: &Call,
        game: &Game,
        invitation: &Invitation,
    ) -> Result<Field, EngineError> {
        let each = game.space().states() as u64 * BYTES_A_STATE;
        let limit = Watch::silent().memory(call.memory);
        let admit = |of: usize| {
            limit.admit(each.saturating_mul(of as u64), "lower the goal, or invite fewer entrants")
        };
        let refused: OnceLock<SolveError> = OnceLock::new();
        let on_read = |done: usize, of: usize, name: &str| {
            if let Err(error) = admit(of) {
                let _ = refused.set(error);
                return false;
            }
            if let Some(progress) = call.progress {
                progress.named_step("reading", name, (done, of));
            }
            call.check().is_ok()
        };
        let on_fate = |name: &str, rejected: Option<&str>| {
            if let Some(progress) = call.progress {
                progress.fate(name, rejected);
            }
        };
        let result =
            field_with_fates(game, invitation, self.sources(), call.memory, &on_read, &on_fate);
        if let Some(progress) = call.progress {
            progress.end();
        }
        if let Some(refused) = refused.into_inner() {
            return Err(refused.into());
        }
        call.check()?;
        Ok(result?)
    }

    fn against_baseline(
        &self,
        call: &Call,
        game: &Arc<Game>,
        field: &Field,
    ) -> Result<Vec<f64>, EngineError> {
        let baseline = call.plan(game, &Strategy::baseline(game.rules())?)?;
        let (rater, entrants) = (Rater::new(&**game), &field.entrants);
        let plans: Vec<&Plan> =
            entrants.iter().map(|entrant| &entrant.plan).chain([&*baseline]).collect();
        let groups: Vec<usize> = (0..entrants.len()).step_by(rater.side()).collect();
        call.run("rating", |watch| {
            let rate = |first: usize| {
                let numbers = first..entrants.len().min(first + rater.side());
                let pairs: Vec<(usize, usize)> =
                    numbers.map(|number| (number, entrants.len())).collect();
                Ok(rater.rate_group(&plans, &pairs, watch)?.rates)
            };
            let rates = groups.into_par_iter().map(rate);
            rates.collect::<Result<Vec<Vec<PairRate>>, SolveError>>()
        })
        .map(|rates| rates.iter().flatten().map(PairRate::average).collect())
    }

    /// Makes a report on each entrant and a map of its rolls, in the order of the ranking. `draw`
    /// converts both to a result, in parallel; `write` is called with each result in order, and
    /// an error from it ends the work.
    ///
    /// # Errors
    /// Returns the error of `write`, or an error if the work is stopped.
    pub fn contest_reports<T: Send, E: From<EngineError>>(
        &self,
        game: &Arc<Game>,
        contest: &Contest,
        draw: impl Fn(&ContestReportView, &ScoreMap) -> T + Sync,
        mut write: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let call = self.call();
        let optimal = call.plan(game, &Strategy::Optimal)?;
        let solver = Solver::new(&**game, Arithmetic::Float);
        let reporter =
            call.run("solving", |watch| Reporter::new(game, contest, (&solver, &optimal), watch))?;
        let (ranking, at_once) = (&contest.view.ranking, 4 * rayon::current_num_threads());
        let drawn = |place: usize, watch: &Watch| {
            let report = reporter.report(place, watch)?;
            let entrant = &contest.field.entrants[contest.standings.ranking[place].entrant];
            Ok(draw(&report, &ScoreMap::of_plan(game, &report.standing.name, &entrant.plan)))
        };
        let unreported = Call { progress: None, ..call.clone() };
        for (done, rows) in ranking.chunks(at_once).enumerate() {
            call.check()?;
            let first = done * at_once;
            if let Some(progress) = call.progress {
                progress.named_step("reporting", &rows[0].name, (first, ranking.len()));
            }
            let reports = unreported.run("reporting", |watch| {
                let places = (first..first + rows.len()).into_par_iter();
                places.map(|place| drawn(place, watch)).collect::<Result<Vec<T>, SolveError>>()
            })?;
            reports.into_iter().try_for_each(&mut write)?;
        }
        if let Some(progress) = call.progress {
            progress.end();
        }
        Ok(())
    }
}
