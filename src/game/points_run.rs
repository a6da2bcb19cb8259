//! Arrivals by points, kept as few runs.

use std::ops::Range;

use super::arrival::{Arrival, To};

/// Arrivals by points, from some number of points up to where the run before begins: each so much beyond the last, in their
/// four bytes. Points are mostly added to a score, so that one or two runs tell all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsRun {
    from: u32,
    first: u32,
    step: u32,
}

impl PointsRun {
    /// All points lead there.
    pub(super) fn any(arrival: Arrival) -> Self {
        Self { from: 0, first: arrival.0, step: 0 }
    }

    /// The fewest points it tells of.
    pub fn from(&self) -> usize {
        self.from as usize
    }

    /// Where so many points lead.
    #[inline(always)]
    pub fn arrival(&self, points: usize) -> Arrival {
        Arrival(self.first.wrapping_add(self.step.wrapping_mul(points as u32 - self.from)))
    }

    /// Its points below `end` that lead to an arrival; where steps go round all of the four bytes it may miss them.
    pub(super) fn points_to(&self, arrival: Arrival, end: usize) -> Range<usize> {
        let steps = arrival.0.wrapping_sub(self.first).cast_signed();
        let points = match self.step.cast_signed() {
            0 if steps == 0 => return self.from()..end,
            0 => return 0..0,
            step => self.from() as i64 + i64::from(steps) / i64::from(step),
        };
        match usize::try_from(points) {
            Ok(points) if points >= self.from() && points < end && self.arrival(points) == arrival => {
                points..points + 1
            }
            _ => 0..0,
        }
    }

    /// From a cell to that of one more point, as long as those lead to cells for the same player.
    pub fn step(&self) -> isize {
        self.step.cast_signed() as isize
    }
}

/// Consecutive points whose arrivals are each so much beyond the last, in their four bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// How many points.
    pub count: usize,
    /// Where the fewest of them lead.
    pub first: Arrival,
    /// From one arrival to the next, if there are several.
    pub step: u32,
}

impl Piece {
    /// A single number of points.
    pub fn one(arrival: Arrival) -> Self {
        Self { count: 1, first: arrival, step: 0 }
    }
}

/// Where points from so many on lead: to one arrival, or by runs, which are appended, the run of the most points first; the
/// last is made to reach down to no points.
pub(super) fn append_runs(runs: &mut Vec<PointsRun>, least: usize, pieces: impl IntoIterator<Item = Piece>) -> To {
    let before = runs.len();
    let mut joined = JoinedRuns { runs, next: least as u32, length: 0 };
    pieces.into_iter().for_each(|piece| joined.append(piece));
    if let [PointsRun { first, step: 0, .. }] = runs[before..] {
        runs.truncate(before);
        return To::any(Arrival(first));
    }
    let run = &mut runs[before];
    (run.from, run.first) = (0, run.first.wrapping_sub(run.step.wrapping_mul(run.from)));
    runs[before..].reverse();
    To::by_points(before)
}

/// Runs of which each goes on as long as it can.
struct JoinedRuns<'a> {
    runs: &'a mut Vec<PointsRun>,
    /// The points that come next.
    next: u32,
    /// How many points the last run tells of.
    length: usize,
}

impl JoinedRuns<'_> {
    fn append(&mut self, mut piece: Piece) {
        while piece.count > 0 {
            let taken = self.take(&piece);
            piece.count -= taken;
            piece.first = Arrival(piece.first.0.wrapping_add(piece.step.wrapping_mul(taken as u32)));
            self.next += taken as u32;
        }
    }

    /// Has the last run tell of the first points of a piece, or else a new one; of how many.
    fn take(&mut self, piece: &Piece) -> usize {
        let (next, first) = (self.next, piece.first);
        let taken = match self.runs.last_mut() {
            Some(run) if self.length == 1 => {
                run.step = first.0.wrapping_sub(run.first);
                1
            }
            Some(run) if self.length > 1 && run.arrival(next as usize) == first => {
                if run.step == piece.step {
                    piece.count
                } else {
                    1
                }
            }
            _ => {
                let step = if piece.count > 1 { piece.step } else { 0 };
                self.runs.push(PointsRun { from: next, first: first.0, step });
                self.length = 0;
                piece.count
            }
        };
        self.length += taken;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(least: usize, pieces: &[Piece]) -> (To, Vec<PointsRun>) {
        let mut runs = vec![PointsRun::any(Arrival(7))];
        let to = append_runs(&mut runs, least, pieces.iter().copied());
        (to, runs)
    }

    #[test]
    fn pieces_are_joined_in_the_same_runs_as_their_points_one_by_one() {
        let counts = [1, 2, 5];
        let steps = [0, 3, 3u32.wrapping_neg()];
        let pieces = || counts.iter().flat_map(|count| steps.iter().map(move |step| (*count, *step)));
        for (a, b, c) in pieces().flat_map(|a| pieces().flat_map(move |b| pieces().map(move |c| (a, b, c)))) {
            let piece = |(count, step), first| Piece { count, first: Arrival(first), step };
            let pieces = [piece(a, 100), piece(b, 103), piece(c, 112)];
            let points = pieces.iter().flat_map(|piece| {
                (0..piece.count as u32).map(|point| Arrival(piece.first.0.wrapping_add(piece.step.wrapping_mul(point))))
            });
            let one_by_one: Vec<Piece> = points.map(Piece::one).collect();
            assert_eq!(runs(4, &pieces), runs(4, &one_by_one), "{pieces:?}");
        }
    }

    #[test]
    fn points_that_make_no_difference_need_no_runs() {
        let same = Piece { count: 3, first: Arrival(5), step: 0 };
        assert_eq!(runs(2, &[same, Piece::one(Arrival(5))]), (To::any(Arrival(5)), vec![PointsRun::any(Arrival(7))]));
    }
}
