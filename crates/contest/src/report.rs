//! The report on an entrant of a contest: its standing, its results against each opponent, and
//! where it loses. It is drawn as a page, not written as JSON.

use super::{PlayedContest, Standing};
use crate::analysis::{Answered, Miss, misses, reason};
use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rater};
use crate::queries::RankedEntrant;
use crate::solve::{SolveError, Solver, Watch};

/// The report on one entrant of a contest.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntrantReport {
    /// The game's id.
    pub rules: String,
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
        let answered = |plan: &Plan| {
            Ok(Answered { plan: plan.clone(), best: solver.best_response(plan, watch)? })
        };
        let places = spread(contest.standings.ranking.len());
        let plan =
            |place: usize| &contest.field.entrants[contest.standings.ranking[place].entrant].plan;
        let field = places.into_iter().map(|place| Ok((place, answered(plan(place))?)));
        let field = field.collect::<Result<_, SolveError>>()?;
        let game = &*contest.game;
        Ok(Self { game, contest, rater: Rater::new(game), field, optimal: answered(optimal)? })
    }

    /// Makes the report on the entrant at a place of the ranking, from 0.
    pub fn report(&self, place: usize, watch: &Watch) -> Result<EntrantReport, SolveError> {
        let view = &self.contest.answer;
        let standing = view.ranking[place].clone();
        let plan = &self.contest.field.entrants[self.contest.standings.ranking[place].entrant].plan;
        let same = view.same.iter().find(|group| group.contains(&standing.name));
        let same =
            same.into_iter().flatten().filter(|name| **name != standing.name).cloned().collect();
        let names =
            |places: &[usize]| places.iter().map(|at| view.ranking[*at].name.clone()).collect();
        let others: Vec<&(usize, Answered)> =
            self.field.iter().filter(|(other, _)| *other != place).collect();
        let field: Vec<&Answered> = others.iter().map(|(_, answered)| answered).collect();
        let places: Vec<usize> = others.iter().map(|(place, _)| *place).collect();
        Ok(EntrantReport {
            rules: view.rules.clone(),
            standing,
            entrants: view.ranking.len(),
            meetings: self.meetings(place),
            same,
            against_field: self.misses(plan, &field, names(&places), watch)?,
            against_optimal: self.misses(plan, &[&self.optimal], vec!["optimal".into()], watch)?,
        })
    }

    /// Returns the results against all opponents, from the lowest win rate to the highest.
    fn meetings(&self, place: usize) -> Vec<Meeting> {
        let ranking = &self.contest.standings.ranking;
        let own = ranking[place].entrant;
        let others = ranking
            .iter()
            .zip(&self.contest.answer.ranking)
            .filter(|(other, _)| other.entrant != own);
        let meeting = |(other, row): (&Standing, &RankedEntrant)| {
            let rate = self.contest.robin.rates[own][other.entrant];
            Meeting {
                name: row.name.clone(),
                rank: other.rank,
                win_rate: rate.average(),
                first: rate.first,
                second: rate.second,
            }
        };
        let mut meetings: Vec<Meeting> = others.map(meeting).collect();
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
        let mean = |sum: f64| if opponents.is_empty() { 0.5 } else { sum / opponents.len() as f64 };
        let worst = misses(self.game, plan, opponents, watch)?;
        Ok(Misses {
            opponents: names,
            win_rate: mean(rated.rates.iter().map(PairRate::average).sum()),
            best_response: mean(opponents.iter().map(|other| other.best.average()).sum()),
            worst: worst.into_iter().map(|found| miss(self.game, found)).collect(),
        })
    }
}

fn miss(game: &Game, miss: Miss) -> ReportedMiss {
    let Miss { position, dice, best, loss, met } = miss;
    let why = best.first().map_or_else(String::new, |best| reason(game, &position, dice, *best));
    ReportedMiss { score: position.score, opponent: position.opponent, dice, best, why, loss, met }
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
