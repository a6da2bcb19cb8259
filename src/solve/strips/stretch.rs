//! Arrivals that depend on the points of the turn, as neighbouring columns share them.

use std::ops::{Range, RangeInclusive};

use crate::game::{Destination, Game, Landing, PointsRun};

/// Where points lead that bring both scores to one sum: from neighbouring columns, with points from one limit up to below
/// another, to cells in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    columns: (usize, usize),
    from: Limit,
    until: Limit,
    line: Line,
    /// From a column to the next.
    by_column: isize,
}

/// Points at the first of some columns, and how many more at each next one: one less, as many or one more, as the mover's
/// total before the rules is one less.
#[derive(Clone, Copy, Debug)]
struct Limit {
    first: isize,
    step: isize,
}

/// Where points lead from one column.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    way: Way,
    /// The cell without points, and each point further; 0 where the game ends.
    cell: isize,
    by_points: isize,
}

/// How a game goes on from an arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    Ended(Destination),
    Passed,
    Again,
}

/// Points from a number up to below another, and where they lead from one column.
#[derive(Clone, Copy, Debug)]
struct Piece {
    points: (isize, isize),
    line: Line,
}

/// No limit: more points than any turn brings.
const NEVER: isize = 1 << 40;

impl Limit {
    /// The places among so many columns where so many points reach it.
    #[inline(always)]
    fn reached(self, points: isize, columns: usize) -> Range<usize> {
        let (more, columns) = (points - self.first, columns as isize);
        let places = match self.step {
            0 if more < 0 => 0..0,
            0 => 0..columns,
            1 => 0..(more + 1).clamp(0, columns),
            _ => (-more).clamp(0, columns)..columns,
        };
        places.start as usize..places.end as usize
    }

    /// With the limit of one more column after so many; `None` if it is not in line.
    fn with(self, columns: usize, limit: isize) -> Option<Self> {
        let step = if columns == 1 { limit - self.first } else { self.step };
        let fits = step.abs() <= 1 && self.first + step * columns as isize == limit;
        fits.then_some(Self { step, ..self })
    }
}

impl Stretch {
    fn new(column: usize, piece: Piece) -> Self {
        let limit = |first| Limit { first, step: 0 };
        let (from, until) = (limit(piece.points.0), limit(piece.points.1));
        Self { columns: (column, column + 1), from, until, line: piece.line, by_column: 0 }
    }

    /// With a piece of the next column; `None` if that is not in line.
    fn with(&self, piece: Piece) -> Option<Self> {
        let columns = self.columns.1 - self.columns.0;
        let (from, until) = (self.from.with(columns, piece.points.0)?, self.until.with(columns, piece.points.1)?);
        let by_column = if columns == 1 { piece.line.cell - self.line.cell } else { self.by_column };
        let line = Line { cell: self.line.cell + by_column * columns as isize, ..self.line };
        let columns = (self.columns.0, self.columns.1 + 1);
        (line == piece.line).then_some(Self { columns, from, until, by_column, ..*self })
    }

    /// The columns among some from which so many points lead as it tells.
    #[inline(always)]
    pub fn columns(&self, points: usize, among: &Range<usize>) -> Range<usize> {
        let (first, end) = self.columns;
        let (first, end) = (first.max(among.start), end.min(among.end));
        if first >= end {
            return 0..0;
        }
        let count = self.columns.1 - self.columns.0;
        let (from, until) = (self.from.reached(points as isize, count), self.until.reached(points as isize, count));
        // What has reached the upper limit is at one end of what has reached the lower one.
        let reached = if until.is_empty() {
            from
        } else if until.start <= from.start {
            until.end.max(from.start)..from.end
        } else {
            from.start..until.start.min(from.end)
        };
        first.max(self.columns.0 + reached.start)..end.min(self.columns.0 + reached.end)
    }

    /// How the game goes on with so many points, the cell to which they lead from a column, and how much further they lead
    /// from the next.
    #[inline(always)]
    pub fn line(&self, points: usize, column: usize) -> (Way, isize, isize) {
        let cell = self.line.cell + self.line.by_points * points as isize;
        (self.line.way, cell + self.by_column * (column - self.columns.0) as isize, self.by_column)
    }
}

/// The stretches of a kind of landing.
#[derive(Debug)]
pub(super) struct Stretches {
    /// By sum of scores before the rules on totals, then by first column.
    of_sum: Vec<Vec<Stretch>>,
}

impl Stretches {
    /// Finds where no more than so many points lead that turns bring.
    pub fn new(game: &Game, kind: &Landing, farthest: usize) -> Self {
        let goal = game.space().goal;
        let mut of_sum: Vec<Vec<Stretch>> = vec![Vec::new(); 2 * goal + farthest];
        // By sum: how many stretches the last column has.
        let mut open = vec![0; of_sum.len()];
        let (mut pieces, mut extended) = (Vec::new(), Vec::new());
        game.each_surprise(kind, |opponent, total, runs| {
            if total >= goal + farthest {
                return;
            }
            pieces.clear();
            list_pieces(runs, (total + 1).saturating_sub(goal)..=total.min(farthest), &mut pieces);
            let (stretches, open) = (&mut of_sum[opponent + total], &mut open[opponent + total]);
            let last = stretches.len() - *open;
            extended.clear();
            for (stretch, piece) in stretches[last..].iter().zip(&pieces) {
                extended.extend(if stretch.columns.1 == opponent { stretch.with(*piece) } else { None });
            }
            if extended.len() == pieces.len() && extended.len() == *open {
                stretches[last..].copy_from_slice(&extended);
            } else {
                stretches.extend(pieces.iter().map(|piece| Stretch::new(opponent, *piece)));
            }
            *open = pieces.len();
        });
        Self { of_sum }
    }

    /// Those of a sum of scores before the rules on totals, by first column.
    #[inline(always)]
    pub fn of_sum(&self, sum: usize) -> &[Stretch] {
        &self.of_sum[sum]
    }
}

/// Takes runs apart into pieces that go on with one player each, or end the game one way; points ascending.
fn list_pieces(runs: &[PointsRun], points: RangeInclusive<usize>, pieces: &mut Vec<Piece>) {
    let first = pieces.len();
    let mut end = *points.end() + 1;
    for run in runs {
        let own = run.from().max(*points.start())..end;
        if own.is_empty() {
            continue;
        }
        end = own.start;
        match Line::new(run, own.clone()) {
            Some(line) => pieces.push(Piece { points: (own.start as isize, own.end as isize), line }),
            None => pieces.extend(own.rev().map(|points| {
                let line = Line::new(run, points..points + 1).expect("one point is in line");
                Piece { points: (points as isize, points as isize + 1), line }
            })),
        }
    }
    pieces[first..].reverse();
    // Where no turn from the columns leads, limits may be anywhere: so they are more often alike.
    if let [lowest, ..] = &mut pieces[first..] {
        lowest.points.0 = 0;
    }
    if let [.., highest] = &mut pieces[first..] {
        highest.points.1 = NEVER;
    }
}

impl Line {
    /// `None` if some of the points lead to another player than others, or to another end.
    fn new(run: &PointsRun, points: Range<usize>) -> Option<Self> {
        let (first, last) = (points.start, points.end - 1);
        let (way, cell) = Way::of(run.arrival(first).destination());
        let (last_way, last_cell) = Way::of(run.arrival(last).destination());
        // Steps are taken modulo 2^32, and cells are below 2^30: all are in line if the last is.
        let by_points = match way {
            Way::Ended(_) if first < last && run.step() != 0 => return None,
            Way::Ended(_) => 0,
            Way::Passed | Way::Again => run.step(),
        };
        let in_line = way == last_way && last_cell - cell == by_points * (last - first) as isize;
        in_line.then_some(Self { way, cell: cell - by_points * first as isize, by_points })
    }
}

impl Way {
    /// Of a destination, and the cell there.
    fn of(destination: Destination) -> (Self, isize) {
        match destination {
            Destination::Passed { cell } => (Self::Passed, cell as isize),
            Destination::Again { cell } => (Self::Again, cell as isize),
            ended => (Self::Ended(ended), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Overrides, rules_from_text};

    const ODD: &str = r#"
        id = "odd"
        goal = 23
        max_dice = 2
        [[rule]]
        name = "Odd"
        score = "(score + opponent) % 5 == 0 && points % 3 > 0 ? score + 2 * points : score"
        opponent_score = "(score + opponent) % 7 == 0 ? opponent + points : opponent"
        again = "score == 2 * points"
    "#;

    /// The destination that stretches tell of, if any.
    fn told(stretches: &Stretches, (score, opponent): (usize, usize), points: usize) -> Vec<(Way, isize)> {
        let mut told = Vec::new();
        for stretch in stretches.of_sum(score + opponent + points) {
            for column in stretch.columns(points, &(opponent / 4 * 4..opponent / 4 * 4 + 4)) {
                let (way, cell, _) = stretch.line(points, column);
                if column == opponent {
                    told.push((way, cell));
                }
            }
        }
        told
    }

    #[test]
    fn stretches_tell_every_arrival_by_points() {
        let game = Game::new(rules_from_text(ODD, "odd", Overrides::default()).expect("a sound file")).expect("sound");
        let (goal, landing) = (game.space().goal, game.panel(0).offers[0].landings[0].with_points(0));
        assert!(game.surprises(&landing).is_none(), "arrivals depend on the points");
        let farthest = 12;
        let stretches = Stretches::new(&game, &landing, farthest);
        for cell in 0..goal * goal {
            let at = (cell / goal, cell % goal);
            for points in 0..=farthest {
                let destination = game.destination(at, &landing.with_points(points as u32));
                let told = told(&stretches, at, points);
                assert!(told.len() <= 1, "{at:?} and {points} points: {told:?}");
                let (total, plain) = (at.0 + points, Destination::Passed { cell: at.1 * goal + at.0 + points });
                let plain = if total < goal { plain } else { Destination::Won };
                let found = told.first().copied().unwrap_or(Way::of(plain));
                assert_eq!(found, Way::of(destination), "{at:?} and {points} points");
            }
        }
    }
}
