//! Exact round robins, and a report on each entrant.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::contest::{
    Entrant, Field, Invitation, KeepError, KeptPairs, Robin, Scoring, Standings, TieBreak, field, round_robin,
};
use crate::game::{Game, Plan};
use crate::pairs::Rater;
use crate::solve::{Arithmetic, SolveError, Solver};
use crate::strategy::Strategy;
use crate::view::{ContestParts, ContestReportView, ContestView};

use super::limits::EngineCall;
use super::{Engine, EngineError, ScoreMap};

mod reports;

use reports::Reporter;

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

/// A contest: who is asked to take part, and how it is scored.
#[derive(Clone, Debug, Default)]
pub struct ContestQuery {
    /// Who is asked to take part.
    pub invitation: Invitation,
    /// How it is scored.
    pub scoring: Scoring,
}

impl ContestQuery {
    /// Of files, folders, archives and strategies by name, scored as in the course.
    pub fn of(entrants: &[String]) -> Self {
        let invitation = Invitation { entrants: entrants.to_vec(), ..Invitation::default() };
        Self { invitation, scoring: Scoring::default() }
    }
}

/// A finished contest.
#[derive(Clone, Debug)]
pub struct Contest {
    /// What there is to say.
    pub view: ContestView,
    field: Field,
    robin: Robin,
    standings: Standings,
}

impl Contest {
    /// The name of the first entrant found in what was named first, whether it could take part or not.
    pub fn first(&self) -> Option<&str> {
        self.field.first.as_deref()
    }
}

impl Engine {
    /// Every entrant against every other: strategies by name and, where they may be opened, files, folders and archives of
    /// them. What cannot take part is told in the view.
    ///
    /// # Errors
    /// If a name is none, there is nobody, finished pairs cannot be kept, or the work is stopped.
    pub fn contest(&self, game: &Arc<Game>, query: &ContestQuery, pairs: Pairs) -> Result<Contest, EngineError> {
        self.contest_if(game, query, pairs, |_| Ok(()))
    }

    /// [`Self::contest`], unless an error of `may` ends it: that is told who takes part before anything is computed.
    ///
    /// # Errors
    /// As there, and those of `may`.
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
            return Err(EngineError::NobodyPlays { names: query.invitation.entrants.join(", ") }.into());
        }
        may(&field)?;
        Ok(self.play_contest(&call, game, field, &query.scoring, pairs)?)
    }

    fn play_contest(
        &self,
        call: &EngineCall,
        game: &Arc<Game>,
        field: Field,
        scoring: &Scoring,
        pairs: Pairs,
    ) -> Result<Contest, EngineError> {
        let baseline = match scoring.break_ties {
            TieBreak::Baseline => self.against_baseline(call, game, &field)?,
            TieBreak::Share | TieBreak::Mean => Vec::new(),
        };
        let Pairs { mut known, mut save } = pairs;
        let digests: Vec<u64> = field.entrants.iter().map(Entrant::digest).collect();
        let tell_and_save = |kept: &KeptPairs| {
            if let Some(progress) = call.progress {
                progress.rated(&|| kept.averages(&digests));
            }
            save(kept)
        };
        let robin =
            call.run("playing", |watch| round_robin(game, &field.entrants, &mut known, watch, tell_and_save))?;
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

    /// Reads who takes part, each told by name as it is read.
    fn field(&self, call: &EngineCall, game: &Game, invitation: &Invitation) -> Result<Field, EngineError> {
        let on_read = |done: usize, of: usize, name: &str| {
            if let Some(progress) = call.progress {
                progress.named_step("reading", name, (done, of));
            }
            call.check().is_ok()
        };
        let result = field(game, invitation, self.sources(), &on_read);
        if let Some(progress) = call.progress {
            progress.end();
        }
        call.check()?;
        Ok(result?)
    }

    fn against_baseline(&self, call: &EngineCall, game: &Arc<Game>, field: &Field) -> Result<Vec<f64>, EngineError> {
        let baseline = self.plan_in(call, game, &Strategy::baseline(game.rules())?)?;
        let rater = Rater::new(&**game);
        let against = rater.contender(&baseline);
        let rate = |plan: &Plan| Ok(rater.room().rate(&rater.contender(plan), &against)?.average());
        let rates: Result<Vec<f64>, SolveError> =
            field.entrants.par_iter().map(|entrant| rate(&entrant.plan)).collect();
        Ok(rates?)
    }

    /// A report on each entrant and what it rolls, in the order of the ranking: `draw` makes something of each, on all cores,
    /// and `tell` is called with that; its error ends the work.
    ///
    /// # Errors
    /// If `tell` fails, or the work is stopped.
    pub fn contest_reports<T: Send, E: From<EngineError>>(
        &self,
        game: &Arc<Game>,
        contest: &Contest,
        draw: impl Fn(&ContestReportView, &ScoreMap) -> T + Sync,
        mut tell: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let call = self.call();
        let optimal = self.plan_in(&call, game, &Strategy::Optimal)?;
        let solver = Solver::new(&**game, Arithmetic::Float);
        let reporter = call.run("solving", |watch| Reporter::new(game, contest, (&solver, &optimal), watch))?;
        let (ranking, at_once) = (&contest.view.ranking, 4 * rayon::current_num_threads());
        let drawn = |place: usize| {
            let report = reporter.report(place)?;
            let entrant = &contest.field.entrants[contest.standings.ranking[place].entrant];
            Ok(draw(&report, &ScoreMap::of_plan(game, &report.standing.name, &entrant.plan)))
        };
        for (done, rows) in ranking.chunks(at_once).enumerate() {
            call.check()?;
            let first = done * at_once;
            if let Some(progress) = call.progress {
                progress.named_step("reporting", &rows[0].name, (first, ranking.len()));
            }
            let reports: Result<Vec<T>, SolveError> = (first..first + rows.len()).into_par_iter().map(drawn).collect();
            reports.map_err(EngineError::from)?.into_iter().try_for_each(&mut tell)?;
        }
        if let Some(progress) = call.progress {
            progress.end();
        }
        Ok(())
    }
}
