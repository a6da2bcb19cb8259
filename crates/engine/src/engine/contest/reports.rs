//! The contents of the report on an entrant. Its standing comes from the ranking; the rest is
//! computed here.

use crate::analysis::{Answered, Miss, misses, reason};
use crate::game::{Game, Plan};
use crate::pairs::{PairRate, Rater};
use crate::solve::{SolveError, Solver, Watch};
use crate::view::{ContestReportView, MeetingView, MissView, MissesView, RankView};

use super::Contest;

/// The number of opponents that represent the field: evenly spaced in the ranking, the first and
/// the last among them.
const OPPONENTS: usize = 8;

/// Makes reports. What all reports need is computed once.
pub(super) struct Reporter<'c> {
    game: &'c Game,
    contest: &'c Contest,
    rater: Rater<&'c Game>,
    /// The opponents that represent the field: the place in the ranking, and the plan with its
    /// best response.
    field: Vec<(usize, Answered)>,
    optimal: Answered,
}

impl<'c> Reporter<'c> {
    pub fn new(
        game: &'c Game,
        contest: &'c Contest,
        (solver, optimal): (&Solver<&Game>, &Plan),
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
        Ok(Self { game, contest, rater: Rater::new(game), field, optimal: answered(optimal)? })
    }

    /// Makes the report on the entrant at a place of the ranking, from 0.
    pub fn report(&self, place: usize, watch: &Watch) -> Result<ContestReportView, SolveError> {
        let view = &self.contest.view;
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
        Ok(ContestReportView {
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
    fn meetings(&self, place: usize) -> Vec<MeetingView> {
        let ranking = &self.contest.standings.ranking;
        let own = ranking[place].entrant;
        let others = ranking
            .iter()
            .zip(&self.contest.view.ranking)
            .filter(|(other, _)| other.entrant != own);
        let meeting = |(other, row): (&crate::contest::Standing, &RankView)| {
            let rate = self.contest.robin.rates[own][other.entrant];
            MeetingView {
                name: row.name.clone(),
                rank: other.rank,
                win_rate: rate.average(),
                first: rate.first,
                second: rate.second,
            }
        };
        let mut meetings: Vec<MeetingView> = others.map(meeting).collect();
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
    ) -> Result<MissesView, SolveError> {
        let plans: Vec<&Plan> = opponents.iter().map(|other| &other.plan).chain([plan]).collect();
        let pairs: Vec<(usize, usize)> =
            (0..opponents.len()).map(|other| (opponents.len(), other)).collect();
        let rated = self.rater.rate(&plans, &pairs, watch)?;
        let mean = |sum: f64| if opponents.is_empty() { 0.5 } else { sum / opponents.len() as f64 };
        let worst = misses(self.game, plan, opponents, watch)?;
        Ok(MissesView {
            opponents: names,
            win_rate: mean(rated.rates.iter().map(PairRate::average).sum()),
            best_response: mean(opponents.iter().map(|other| other.best.average()).sum()),
            worst: worst.into_iter().map(|found| miss(self.game, found)).collect(),
        })
    }
}

fn miss(game: &Game, miss: Miss) -> MissView {
    let Miss { position, dice, best, loss, met } = miss;
    let why = best.first().map_or_else(String::new, |best| reason(game, &position, dice, *best));
    MissView { score: position.score, opponent: position.opponent, dice, best, why, loss, met }
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
