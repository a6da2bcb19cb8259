//! Arrivals that depend on the points of the turn, as neighbouring columns share them.

use std::ops::{Range, RangeInclusive};

use crate::game::{Game, PointsSegment, ScoreSuccessor, TurnOutcome};

/// Where points lead that bring both scores to one sum: from neighbouring columns, with points from one limit up to below
/// another, to cells in a line, which may go on beyond the board: there the game has ended, lost where the next mover's score
/// is past the goal, else won.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    columns: (i32, i32),
    from: Limit,
    until: Limit,
    /// From the first column.
    line: Line,
    /// From a column to the next: the next mover's score, and the opponent's.
    by_column: (i32, i32),
}

/// Points at the first of some columns, and how many more at each next one: one less, as many or one more, as the mover's
/// total before the rules is one less.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limit {
    first: i32,
    step: i32,
}

/// Where points lead from one column.
#[derive(Clone, Copy, Debug)]
struct Line {
    way: Way,
    /// Some of its points.
    points: i32,
    /// The scores there, the next mover's first; 0 where the game ends.
    scores: (i32, i32),
    /// From each number of points to the next; `None` if there is but one.
    by_points: Option<(i32, i32)>,
}

/// How a game goes on from an arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    Ended(ScoreSuccessor),
    Passed,
    Again,
}

/// Points from a number up to below another, and where they lead from one column.
#[derive(Clone, Copy, Debug)]
struct Piece {
    points: (i32, i32),
    line: Line,
}

/// Where so many points lead from neighbouring columns, which may be beyond the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrivals {
    pub way: Way,
    /// The scores at the first column, the next mover's first.
    pub scores: (i32, i32),
    /// From a column to the next.
    pub by_column: (i32, i32),
}

/// Lines of cells are read in so many layers above a turn's own, where no turn brings more points than `farthest`: a rule may
/// let them count once more.
pub(super) fn layers_seen(farthest: usize) -> usize {
    2 * farthest
}

/// No limit: more points than any turn brings.
const NEVER: i32 = 1 << 30;

impl Limit {
    /// After so many columns.
    fn at(self, columns: i32) -> i32 {
        self.first + self.step * columns
    }

    /// With the limit of one more column after so many; `None` if it is not in line.
    fn with(self, columns: i32, limit: i32) -> Option<Self> {
        let step = if columns == 1 { limit - self.first } else { self.step };
        let fits = step.abs() <= 1 && Self { step, ..self }.at(columns) == limit;
        fits.then_some(Self { step, ..self })
    }
}

impl Stretch {
    fn new(column: usize, piece: Piece) -> Self {
        let (limit, column) = (|first| Limit { first, step: 0 }, column as i32);
        let (from, until) = (limit(piece.points.0), limit(piece.points.1));
        Self { columns: (column, column + 1), from, until, line: piece.line, by_column: (0, 0) }
    }

    /// With a piece of the next column; `None` if that is not in line.
    fn with(&self, piece: Piece) -> Option<Self> {
        let columns = self.columns.1 - self.columns.0;
        let (from, until) = (self.from.with(columns, piece.points.0)?, self.until.with(columns, piece.points.1)?);
        let by_points = match (self.line.by_points, piece.line.by_points) {
            (own, other) if own == other => own,
            (own, None) => own,
            (None, other) if columns == 1 => other,
            _ => return None,
        };
        let (scores, line) = (piece.line.at(self.line.points, by_points)?, Line { by_points, ..self.line });
        let by_column = match columns {
            1 => (scores.0 - line.scores.0, scores.1 - line.scores.1),
            _ => self.by_column,
        };
        let expected = (line.scores.0 + by_column.0 * columns, line.scores.1 + by_column.1 * columns);
        let columns = (self.columns.0, self.columns.1 + 1);
        (line.way == piece.line.way && scores == expected).then_some(Self { columns, from, until, line, by_column })
    }

    /// Takes in another one if that is the end of the game where this one goes on beyond the board: where the next mover's
    /// score would be past the goal and the game is lost, or the opponent's, and it is won. No turn brings more points than
    /// `farthest`.
    fn takes_in(&mut self, end: &Self, (sum, goal): (i32, i32), farthest: i32) -> bool {
        let goes_on = self.line.way == Way::Passed && self.by_column == (1, -1) && self.until == end.from;
        let (Way::Ended(destination), Some(_), true) = (end.line.way, self.line.by_points, goes_on) else {
            return false;
        };
        let beyond = |column: i32, points: i32| {
            let along = column - self.columns.0;
            let (score, opponent) = self.line.at(points, self.line.by_points).expect("it has a step");
            let (score, opponent) = (score + self.by_column.0 * along, opponent + self.by_column.1 * along);
            let out = match destination {
                ScoreSuccessor::Won => (0..goal).contains(&score) && opponent >= goal,
                ScoreSuccessor::Lost => (goal..goal + farthest).contains(&score) && (0..goal).contains(&opponent),
                _ => false,
            };
            out && (1..=layers_seen(farthest as usize) as i32).contains(&(score + opponent + points - sum))
        };
        // All scores are in line, so both ends of a column tell of all of it.
        let all_beyond = (end.columns.0..end.columns.1).all(|column| {
            let least = end.from.at(column - end.columns.0).max(sum - column + 1 - goal);
            let most = (sum - column).min(farthest);
            least > most || (beyond(column, least) && beyond(column, most))
        });
        let fits = self.columns == end.columns && end.until == Limit { first: NEVER, step: 0 } && all_beyond;
        self.until = if fits { end.until } else { self.until };
        fits
    }

    /// The columns among some from which so many points lead as it tells.
    #[inline(always)]
    pub fn columns(&self, points: usize, (first, end): (usize, usize)) -> Range<usize> {
        let points = points as i32;
        // So many points more than the limits at the first column.
        let (from, until) = (points - self.from.first, points - self.until.first);
        let (mut low, mut high) = (0, self.columns.1 - self.columns.0);
        match self.from.step {
            0 if from < 0 => high = 0,
            0 => {}
            1 => high = high.min(from + 1),
            _ => low = low.max(-from),
        }
        match self.until.step {
            0 if until >= 0 => high = 0,
            0 => {}
            1 => low = low.max(until + 1),
            _ => high = high.min(-until),
        }
        let (first, end) = ((first as i32).max(self.columns.0 + low), (end as i32).min(self.columns.0 + high));
        if first < end { first as usize..end as usize } else { 0..0 }
    }

    /// Where so many points lead from a column on.
    #[inline(always)]
    pub fn arrivals(&self, points: usize, column: usize) -> Arrivals {
        let columns = column as i32 - self.columns.0;
        let Line { way, scores, by_points, .. } = self.line;
        let (by_points, more) = (by_points.unwrap_or_default(), points as i32 - self.line.points);
        let scores = (
            scores.0 + by_points.0 * more + self.by_column.0 * columns,
            scores.1 + by_points.1 * more + self.by_column.1 * columns,
        );
        Arrivals { way, scores, by_column: self.by_column }
    }
}

/// The stretches of a kind of landing.
#[derive(Debug)]
pub(super) struct Stretches {
    /// By sum of scores before the rules on totals, then by first column.
    of_sum: Vec<Vec<Stretch>>,
    /// The sums that have any, ascending.
    sums: Vec<usize>,
    /// By sum, how many of these are lower.
    lower: Vec<usize>,
}

impl Stretches {
    /// Finds where no more than so many points lead that turns bring.
    pub fn new(game: &Game, kind: &TurnOutcome, farthest: usize) -> Self {
        let goal = game.space().goal;
        let mut of_sum: Vec<Vec<Stretch>> = vec![Vec::new(); 2 * goal + farthest];
        // By sum: how many stretches the last column has.
        let mut open = vec![0; of_sum.len()];
        let (mut pieces, mut extended) = (Vec::new(), Vec::new());
        game.each_exceptional(kind, |opponent, total, runs| {
            if total >= goal + farthest {
                return;
            }
            let points = (total + 1).saturating_sub(goal)..=total.min(farthest);
            list_pieces(runs, goal, points, &mut pieces);
            let (stretches, open) = (&mut of_sum[opponent + total], &mut open[opponent + total]);
            let last = stretches.len() - *open;
            extended.clear();
            for (stretch, piece) in stretches[last..].iter().zip(&pieces) {
                extended.extend(if stretch.columns.1 == opponent as i32 { stretch.with(*piece) } else { None });
            }
            if extended.len() == pieces.len() && extended.len() == *open {
                stretches[last..].copy_from_slice(&extended);
            } else {
                stretches.extend(pieces.iter().map(|piece| Stretch::new(opponent, *piece)));
            }
            *open = pieces.len();
        });
        let (mut sums, mut lower) = (Vec::new(), Vec::with_capacity(of_sum.len()));
        for (sum, stretches) in of_sum.iter_mut().enumerate() {
            stretches.dedup_by(|next, stretch| stretch.takes_in(next, (sum as i32, goal as i32), farthest as i32));
            lower.push(sums.len());
            if !stretches.is_empty() {
                sums.push(sum);
            }
        }
        Self { of_sum, sums, lower }
    }

    /// By sum of scores before the rules on totals: whether stretches tell of all turns with some numbers of points that lead
    /// there from the board, and of totals short of the goal.
    pub fn sums_without_plain(&self, goal: usize, outcomes: &[bool]) -> Vec<bool> {
        let told = |sum: usize| {
            let first = (sum + 1).saturating_sub(goal);
            outcomes.iter().enumerate().filter(|(_, comes_up)| **comes_up).all(|(points, _)| {
                // With fewer points than its total the mover had scored none.
                let columns = (first, (sum + 1).saturating_sub(points).clamp(first, goal.max(first)));
                let told = self.of_sum[sum].iter().map(|stretch| stretch.columns(points, columns).len());
                told.sum::<usize>() == columns.1 - columns.0
            })
        };
        let mut without = vec![false; self.of_sum.len()];
        self.sums.iter().for_each(|sum| without[*sum] = told(*sum));
        without
    }

    /// Those of a sum of scores before the rules on totals, by first column.
    #[inline(always)]
    pub fn of_sum(&self, sum: usize) -> &[Stretch] {
        &self.of_sum[sum]
    }

    /// The sums from one upward that have stretches.
    #[inline(always)]
    pub fn sums_from(&self, sum: usize) -> &[usize] {
        &self.sums[self.lower[sum]..]
    }
}

/// Takes runs apart into pieces that go on with one player each, or end the game one way; points ascending.
fn list_pieces(runs: &[PointsSegment], goal: usize, points: RangeInclusive<usize>, pieces: &mut Vec<Piece>) {
    pieces.clear();
    let mut end = *points.end() + 1;
    for run in runs {
        let own = run.from().max(*points.start())..end;
        if own.is_empty() {
            continue;
        }
        end = own.start;
        match Line::new(run, goal, own.clone()) {
            Some(line) => pieces.push(Piece { points: (own.start as i32, own.end as i32), line }),
            None => pieces.extend(own.rev().map(|points| {
                let line = Line::new(run, goal, points..points + 1).expect("one point is in line");
                Piece { points: (points as i32, points as i32 + 1), line }
            })),
        }
    }
    pieces.reverse();
    pieces.dedup_by(|piece, before| {
        let together = matches!(piece.line.way, Way::Ended(_)) && piece.line.way == before.line.way;
        before.points.1 = if together { piece.points.1 } else { before.points.1 };
        together
    });
    // Where no turn from the columns leads, limits may be anywhere: so they are more often alike.
    if let [lowest, ..] = &mut pieces[..] {
        lowest.points.0 = 0;
    }
    if let [.., highest] = &mut pieces[..] {
        highest.points.1 = NEVER;
    }
}

impl Line {
    /// `None` if some of the points lead to another player than others, or to another end.
    fn new(run: &PointsSegment, goal: usize, points: Range<usize>) -> Option<Self> {
        let (first, last) = (points.start, points.end - 1);
        let (way, scores) = Way::of(run.arrival(first).score_successor(), goal);
        let (last_way, last_scores) = Way::of(run.arrival(last).score_successor(), goal);
        let count = (last - first) as i32;
        let by_points = match way {
            Way::Ended(_) if count > 0 && run.step() != 0 => return None,
            Way::Ended(_) => Some((0, 0)),
            Way::Passed | Way::Again if count == 0 => None,
            Way::Passed | Way::Again => Some(((last_scores.0 - scores.0) / count, (last_scores.1 - scores.1) / count)),
        };
        let line = Self { way, points: first as i32, scores, by_points };
        // All cells between two that are on the board and as far apart as the run's steps are in line with them.
        let step = by_points.map_or(0, |(own, other)| own as isize * goal as isize + other as isize);
        let in_line = way == last_way && line.at(last as i32, by_points) == Some(last_scores);
        (in_line && (count == 0 || step == run.step())).then_some(line)
    }

    /// The scores at some points, if those of neighbouring points are so far apart.
    fn at(&self, points: i32, by_points: Option<(i32, i32)>) -> Option<(i32, i32)> {
        match by_points {
            Some((own, other)) => {
                let more = points - self.points;
                Some((self.scores.0 + own * more, self.scores.1 + other * more))
            }
            None => (points == self.points).then_some(self.scores),
        }
    }
}

impl Way {
    /// Of a destination, and the scores there.
    fn of(destination: ScoreSuccessor, goal: usize) -> (Self, (i32, i32)) {
        let scores = |cell: usize| ((cell / goal) as i32, (cell % goal) as i32);
        match destination {
            ScoreSuccessor::Passed { cell } => (Self::Passed, scores(cell)),
            ScoreSuccessor::Again { cell } => (Self::Again, scores(cell)),
            ended => (Self::Ended(ended), (0, 0)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rules::{Overrides, rules_from_text};

    /// Rules whose arrivals depend on the points in several ways.
    pub const ODD: &str = r#"
        id = "odd"
        goal = 23
        max_dice = 2
        [[rule]]
        name = "Odd"
        score = "(score + opponent) % 5 == 0 && points % 3 > 0 ? score + 2 * points : score"
        opponent_score = "(score + opponent) % 7 == 0 ? opponent + points : opponent"
        again = "score == 2 * points"
    "#;

    const GOAL: i32 = 23;

    /// The destination that stretches tell of, if any; lines may go on beyond the board.
    fn told(stretches: &Stretches, (score, opponent): (usize, usize), points: usize) -> Vec<(Way, (i32, i32))> {
        let mut told = Vec::new();
        for stretch in stretches.of_sum(score + opponent + points) {
            let columns = stretch.columns(points, (opponent / 4 * 4, opponent / 4 * 4 + 4));
            if columns.contains(&opponent) {
                let Arrivals { way, scores, by_column } = stretch.arrivals(points, columns.start);
                let further = (opponent - columns.start) as i32;
                let scores = (scores.0 + by_column.0 * further, scores.1 + by_column.1 * further);
                told.push(match scores {
                    (score, _) if score >= GOAL => (Way::Ended(ScoreSuccessor::Lost), (0, 0)),
                    (_, opponent) if opponent >= GOAL => (Way::Ended(ScoreSuccessor::Won), (0, 0)),
                    _ => (way, scores),
                });
            }
        }
        told
    }

    #[test]
    fn stretches_tell_every_arrival_by_points() {
        let game = Game::new(rules_from_text(ODD, "odd", Overrides::default()).expect("a sound file")).expect("sound");
        let (goal, landing) = (game.space().goal, game.action_set(0).by_shared[0].outcomes[0].with_points(0));
        assert!(game.exceptional(&landing).is_none(), "arrivals depend on the points");
        let farthest = 12;
        let stretches = Stretches::new(&game, &landing, farthest);
        for cell in 0..goal * goal {
            let at = (cell / goal, cell % goal);
            for points in 0..=farthest {
                let destination = game.score_successor(at, &landing.with_points(points as u32));
                let told = told(&stretches, at, points);
                assert!(told.len() <= 1, "{at:?} and {points} points: {told:?}");
                let (total, plain) = (at.0 + points, ScoreSuccessor::Passed { cell: at.1 * goal + at.0 + points });
                let plain = if total < goal { plain } else { ScoreSuccessor::Won };
                let found = told.first().copied().unwrap_or(Way::of(plain, goal));
                assert_eq!(found, Way::of(destination, goal), "{at:?} and {points} points");
            }
        }
    }
}
