//! The report on an entrant of a contest: its standing, its results against each opponent, and
//! where it loses. It is drawn as a page, not written as JSON.

use rayon::prelude::*;

use super::PlayedContest;
use super::answer::RankedEntrant;
use crate::analysis::{Answered, Miss, misses, reason};
use crate::engine::{Call, Error};
use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rater};
use crate::solve::{Arithmetic, SolveError, Solver, Watch};
use crate::strategy::Strategy;
use hog_engine::queries::ScoreMap;

/// The report on one entrant of a contest.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntrantReport {
    /// The title of the contest.
    pub contest: String,
    /// Its row of the ranking.
    pub standing: RankedEntrant,
    /// The number of entrants.
    pub entrants: usize,
    /// The results against all opponents, from the lowest win rate to the highest.
    pub meetings: Vec<Meeting>,
    /// The other entrants that play exactly the same.
    pub same: Vec<String>,
    /// Where it loses against the field, represented by opponents spread evenly over the ranking.
    pub against_field: Misses,
    /// Where it loses against optimal play.
    pub against_optimal: Misses,
}

/// The result against one opponent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Meeting {
    /// The opponent's name.
    pub name: String,
    /// The opponent's rank.
    pub rank: usize,
    /// The average win rate against it.
    pub win_rate: f64,
    /// The win rate when moving first.
    pub first: f64,
    /// The win rate when moving second.
    pub second: f64,
}

/// The loss against some opponents, compared with the best response to each.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Misses {
    /// The opponents.
    pub opponents: Vec<String>,
    /// The mean win rate against them.
    pub win_rate: f64,
    /// The mean win rate of the best responses.
    pub best_response: f64,
    /// The positions that cost most.
    pub worst: Vec<ReportedMiss>,
}

/// A pair of scores and the loss there, averaged over the opponents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReportedMiss {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The number of dice that the entrant rolls; in games with memories, at the values of the
    /// memories that cost most.
    pub dice: i32,
    /// The best numbers of dice there, against the opponent that makes it cost most.
    pub best: Vec<i32>,
    /// The reason why they are better, in words.
    pub why: String,
    /// The loss in win rate per game.
    pub loss: f64,
    /// The expected number of times that the entrant is to move at these scores in a game.
    pub met: f64,
}

/// The number of opponents that represent the field: evenly spaced in the ranking, the first and
/// the last among them.
const OPPONENTS: usize = 8;

impl PlayedContest {
    /// Makes a report on each entrant and a map of its rolls, in the order of the ranking. `draw`
    /// converts both to a result, in parallel; `write` is called with each result in order, and
    /// an error from it ends the work.
    ///
    /// # Errors
    /// Returns the error of `write`, or an error if the work is stopped.
    pub fn reports<T: Send, E: From<Error>>(
        &self,
        call: &Call,
        draw: impl Fn(&EntrantReport, &ScoreMap) -> T + Sync,
        mut write: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.game.position(self.game.start());
        let optimal = call.plan(&self.game, &Strategy::Optimal)?;
        let solver = Solver::new(&*self.game, Arithmetic::Float);
        let reporter =
            call.run("solving", |watch| Reporter::new(self, &solver, &optimal, watch))?;
        let ranking = &self.answer.ranking;
        let at_once = 4 * rayon::current_num_threads();
        let unreported = call.unreported();
        for (done, rows) in ranking.chunks(at_once).enumerate() {
            call.check()?;
            let first = done * at_once;
            if let Some(progress) = call.progress() {
                progress.named_step("reporting", &rows[0].name, first, ranking.len());
            }
            let drawn = unreported.run("reporting", |watch| {
                let places = (first..first + rows.len()).into_par_iter();
                let drawn = places.map(|place| {
                    let report = reporter.report(place, watch)?;
                    let name = &report.standing.name;
                    Ok(draw(
                        &report,
                        &ScoreMap::of_plan(&self.game, &start, name, self.plan(place)),
                    ))
                });
                drawn.collect::<Result<Vec<T>, SolveError>>()
            })?;
            drawn.into_iter().try_for_each(&mut write)?;
        }
        if let Some(progress) = call.progress() {
            progress.end();
        }
        Ok(())
    }
}

/// Makes reports. What all reports need is computed once.
pub(super) struct Reporter<'c> {
    game: &'c Game,
    contest: &'c PlayedContest,
    rater: Rater<&'c Game>,
    /// The opponents that represent the field: the place in the ranking, and the plan with its
    /// best response.
    field: Vec<(usize, Answered)>,
    optimal: Answered,
}

impl<'c> Reporter<'c> {
    pub fn new(
        contest: &'c PlayedContest,
        solver: &Solver<&Game>,
        optimal: &Plan,
        watch: &Watch,
    ) -> Result<Self, SolveError> {
        let mut field = Vec::new();
        for place in spread(contest.standings.ranking.len()) {
            field.push((place, answered(contest.plan(place), solver, watch)?));
        }
        let optimal = answered(optimal, solver, watch)?;
        let game = &*contest.game;
        Ok(Self { game, contest, rater: Rater::new(game), field, optimal })
    }

    /// Makes the report on the entrant at a place of the ranking, from 0.
    pub fn report(&self, place: usize, watch: &Watch) -> Result<EntrantReport, SolveError> {
        let view = &self.contest.answer;
        let standing = view.ranking[place].clone();
        let plan = self.contest.plan(place);
        let same = view.same.iter().find(|group| group.contains(&standing.name));
        let same =
            same.into_iter().flatten().filter(|name| **name != standing.name).cloned().collect();
        let mut names = Vec::new();
        let mut field = Vec::new();
        for (other, answered) in &self.field {
            if *other != place {
                names.push(view.ranking[*other].name.clone());
                field.push(answered);
            }
        }
        Ok(EntrantReport {
            contest: view.heading(),
            standing,
            entrants: view.ranking.len(),
            meetings: self.meetings(place),
            same,
            against_field: self.misses(plan, &field, names, watch)?,
            against_optimal: self.misses(plan, &[&self.optimal], vec!["optimal".into()], watch)?,
        })
    }

    /// Returns the results against all opponents, from the lowest win rate to the highest.
    fn meetings(&self, place: usize) -> Vec<Meeting> {
        let ranking = &self.contest.standings.ranking;
        let own = ranking[place].entrant;
        let mut meetings = Vec::with_capacity(ranking.len());
        for (other, row) in ranking.iter().zip(&self.contest.answer.ranking) {
            if other.entrant == own {
                continue;
            }
            let rate = self.contest.robin.rates[own][other.entrant];
            meetings.push(Meeting {
                name: row.name.clone(),
                rank: other.rank,
                win_rate: rate.average(),
                first: rate.first,
                second: rate.second,
            });
        }
        meetings.sort_by(|a, b| a.win_rate.total_cmp(&b.win_rate));
        meetings
    }

    /// Finds where a plan loses most against these opponents, in games that start without bids.
    fn misses(
        &self,
        plan: &Plan,
        opponents: &[&Answered],
        names: Vec<String>,
        watch: &Watch,
    ) -> Result<Misses, SolveError> {
        let plans: Vec<&Plan> = opponents.iter().map(|other| &other.plan).chain([plan]).collect();
        let pairs: Vec<(usize, usize)> =
            (0..opponents.len()).map(|other| (opponents.len(), other)).collect();
        let rated = self.rater.rate(&plans, &pairs, watch)?;
        let rates: Vec<f64> = rated.rates.iter().map(PairRate::average).collect();
        let best: Vec<f64> = opponents.iter().map(|other| other.best.average()).collect();
        let worst = misses(self.game, plan, opponents, watch)?;
        Ok(Misses {
            opponents: names,
            win_rate: mean(&rates),
            best_response: mean(&best),
            worst: worst.into_iter().map(|found| miss(self.game, found, opponents)).collect(),
        })
    }
}

fn miss(game: &Game, miss: Miss, opponents: &[&Answered]) -> ReportedMiss {
    let Miss { position, dice, best, loss, met, against } = miss;
    let (own, after) = opponents[against].best.values();
    let why = best
        .first()
        .map_or_else(String::new, |best| reason(game, own, after, &position, [dice, *best]));
    ReportedMiss { score: position.score, opponent: position.opponent, dice, best, why, loss, met }
}

fn answered(plan: &Plan, solver: &Solver<&Game>, watch: &Watch) -> Result<Answered, SolveError> {
    Ok(Answered { plan: plan.clone(), best: solver.best_response(plan, watch)? })
}

/// Returns the mean of win rates; one half if there are none.
fn mean(rates: &[f64]) -> f64 {
    if rates.is_empty() { 0.5 } else { rates.iter().sum::<f64>() / rates.len() as f64 }
}

/// Returns at most [`OPPONENTS`] evenly spaced places of a ranking.
fn spread(count: usize) -> Vec<usize> {
    let most = OPPONENTS.min(count);
    (0..most).map(|step| if most == 1 { 0 } else { step * (count - 1) / (most - 1) }).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn the_field_is_represented_from_first_to_last() {
        assert_eq!(spread(300), [0, 42, 85, 128, 170, 213, 256, 299]);
        assert_eq!([spread(0), spread(1), spread(2)], [vec![], vec![0], vec![0, 1]]);
        assert_eq!(spread(8), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
