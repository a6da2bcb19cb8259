//! Arrivals by points, kept as few runs.

use std::ops::Range;

use super::arrival::Arrival;

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

/// Appends the runs of the arrivals by points from so many points on, the run of the most points first; the last is made to
/// reach down to no points.
pub(super) fn append_runs(runs: &mut Vec<PointsRun>, least: usize, arrivals: &[Arrival]) {
    let before = runs.len();
    let mut at = 0;
    while at < arrivals.len() {
        let step = |at: usize| arrivals[at + 1].0.wrapping_sub(arrivals[at].0);
        let own = if at + 1 < arrivals.len() { step(at) } else { 0 };
        let length = 1 + (at..arrivals.len() - 1).take_while(|at| step(*at) == own).count();
        let (from, first) = if at == 0 {
            (0, arrivals[0].0.wrapping_sub(own.wrapping_mul(least as u32)))
        } else {
            ((least + at) as u32, arrivals[at].0)
        };
        runs.push(PointsRun { from, first, step: own });
        at += length;
    }
    runs[before..].reverse();
}
