//! Where the outcomes of one class lead.
//!
//! *Regular*: the totals stand as they are after adding the points, and the opponent moves; a mover whose total reaches the goal
//! has won. The *exceptional* rest (a swap, a bonus, another turn) is listed by stage, as segments of columns. A successor is
//! *deferred* if it depends on the turn's points, or if its stage lies below that of the totals after adding: such values are
//! added to the sums that read them, in the stage that is being solved.

use crate::game::{End, Game, PackedSuccessor, PointsSegment, ScoreSuccessor, TurnOutcome};

/// Where a column of a segment leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The game ends for who has just moved.
    End(End),
    /// On to a cell: of the opponent, or if `again` of the mover.
    Cell { again: bool, stage: u32, column: u32 },
}

impl Target {
    /// By how much it lies above a stage, if it is a cell.
    fn excess(self, from: usize) -> Option<i64> {
        match self {
            Self::Cell { stage, .. } => Some(i64::from(stage) - from as i64),
            Self::End(_) => None,
        }
    }
}

/// Neighbouring columns whose targets are of one stage, each `step` columns beyond the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub first: u32,
    pub count: u32,
    /// Of the first column.
    pub target: Target,
    pub step: i32,
}

impl Segment {
    fn one(column: u32, target: Target) -> Self {
        Self { first: column, count: 1, target, step: 0 }
    }

    /// Where the cells of a stage lead if the opponent moves with the totals as they are.
    pub fn regular(stage: usize, columns: &std::ops::Range<usize>) -> Self {
        let target = Target::Cell { again: false, stage: stage as u32, column: (stage - columns.start) as u32 };
        Self { first: columns.start as u32, count: columns.len() as u32, target, step: -1 }
    }

    /// Takes in the next column, if it goes on in the same way.
    fn extend(&mut self, column: u32, target: Target) -> bool {
        if column != self.first + self.count {
            return false;
        }
        let goes_on = match (self.target, target) {
            (Target::End(own), Target::End(other)) => own == other,
            (Target::Cell { again, stage, column: from }, Target::Cell { again: other, stage: next, column: to }) => {
                let step = i64::from(to) - i64::from(from) - i64::from(self.step) * i64::from(self.count - 1);
                let fits = if self.count == 1 { step.abs() <= 1 } else { step == i64::from(self.step) };
                let goes_on = again == other && stage == next && fits;
                self.step = if goes_on { step as i32 } else { self.step };
                goes_on
            }
            _ => false,
        };
        self.count += u32::from(goes_on);
        goes_on
    }

    /// Its columns.
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Where one of its columns leads.
    pub fn target_of(&self, column: usize) -> Target {
        match self.target {
            Target::Cell { again, stage, column: first } => {
                let beyond = (column as i64 - i64::from(self.first)) * i64::from(self.step);
                Target::Cell { again, stage, column: (i64::from(first) + beyond) as u32 }
            }
            end => end,
        }
    }

    /// The part of it within some columns.
    pub fn within(&self, columns: &std::ops::Range<usize>) -> Option<Self> {
        let (first, end) = (self.columns().start.max(columns.start), self.columns().end.min(columns.end));
        let part = || Self {
            first: first as u32,
            count: (end - first) as u32,
            target: self.target_of(first),
            step: self.step,
        };
        (first < end).then(part)
    }
}

/// Segments in the order of a key, the columns of each key ascending.
#[derive(Debug, Default)]
struct Index {
    segments: Vec<Segment>,
    /// By key: where its segments begin; one more for the end. Empty where there are none.
    first: Vec<u32>,
}

impl Index {
    /// With nothing listed.
    fn begun() -> Self {
        Self { segments: Vec::new(), first: vec![0] }
    }

    fn at(&self, key: usize) -> &[Segment] {
        match self.first.get(key..key + 2) {
            Some(&[first, end]) => &self.segments[first as usize..end as usize],
            _ => &[],
        }
    }

    /// Ends the segments of the next key.
    fn end_key(&mut self) {
        self.first.push(self.segments.len() as u32);
    }

    /// Adds a column to the key that is being filled.
    fn push(&mut self, column: u32, target: Target) {
        let begun = *self.first.last().expect("0, at least") as usize;
        if !self.segments[begun..].last_mut().is_some_and(|last| last.extend(column, target)) {
            self.segments.push(Segment::one(column, target));
        }
    }
}

/// The exceptional successors of a class.
#[derive(Debug, Default)]
pub struct ClassSuccessors {
    /// The points of the outcomes of the class, ascending.
    pub points: Vec<usize>,
    /// By place among the points: the least that such turns raise the sum of scores by, over successors that go on; the points at
    /// most.
    least_increments: Vec<i64>,
    /// By stage of the totals after adding: known when that stage is solved.
    known: Index,
    /// Likewise, but in a lower stage: known when some later stage is solved.
    later: Index,
    /// By stage and place among the points.
    by_points: Index,
    /// By stage: the columns that are deferred, their targets of no meaning.
    left_out: Index,
}

/// An exceptional successor: its column, and where it leads, for all points or by runs of points.
type ExceptionalSuccessor = (u32, Result<PackedSuccessor, std::ops::Range<u32>>);

impl ClassSuccessors {
    /// Those of an outcome of a game, which comes up with these points.
    pub fn new(game: &Game, outcome: &TurnOutcome, points: Vec<usize>) -> Self {
        let (goal, farthest) = (game.space().goal, points.last().copied().unwrap_or(0));
        let (mut entries, mut runs_of): (Vec<(u32, ExceptionalSuccessor)>, Vec<PointsSegment>) =
            (Vec::new(), Vec::new());
        game.each_exceptional(outcome, |opponent, total, runs| {
            if total > goal - 1 + farthest {
                return;
            }
            let to = match runs {
                [run] if run.from() == 0 && run.step() == 0 => Ok(run.successor(0)),
                runs => {
                    let first = runs_of.len() as u32;
                    runs_of.extend_from_slice(runs);
                    Err(first..runs_of.len() as u32)
                }
            };
            entries.push(((opponent + total) as u32, (opponent as u32, to)));
        });
        let least_increments = points.iter().map(|points| *points as i64).collect();
        let mut successors = Self { points, least_increments, ..Self::default() };
        if !entries.is_empty() {
            entries.sort_by_key(|(stage, _)| *stage);
            let stages = 2 * goal - 1 + farthest;
            let first: Vec<u32> =
                (0..=stages).map(|stage| entries.partition_point(|entry| (entry.0 as usize) < stage) as u32).collect();
            let entries: Vec<ExceptionalSuccessor> = entries.into_iter().map(|(_, entry)| entry).collect();
            successors.list(goal, &entries, &first);
            successors.list_by_points(goal, (&entries, &runs_of), &first);
        }
        successors
    }

    fn list(&mut self, goal: usize, entries: &[ExceptionalSuccessor], first: &[u32]) {
        let [mut known, mut later, mut left_out] = [Index::begun(), Index::begun(), Index::begun()];
        // By total: the least that the rules on totals raise the sum by.
        let mut least = vec![0; goal + self.points.last().map_or(0, |most| *most)];
        for (stage, bounds) in first.windows(2).enumerate() {
            for (column, arrival) in &entries[bounds[0] as usize..bounds[1] as usize] {
                let target = arrival.as_ref().map(|arrival| target(*arrival, goal)).ok();
                lower_to(&mut least[stage - *column as usize], target.and_then(|target| target.excess(stage)));
                let lower =
                    |target: &Target| matches!(target, Target::Cell { stage: next, .. } if (*next as usize) < stage);
                match target.filter(|target| !lower(target)) {
                    Some(target) => known.push(*column, target),
                    None => left_out.push(*column, Target::End(End::Won)),
                }
                target.filter(lower).iter().for_each(|target| later.push(*column, *target));
            }
            [&mut known, &mut later, &mut left_out].into_iter().for_each(Index::end_key);
        }
        (self.known, self.later, self.left_out) = (known, later, left_out);
        for (points, increment) in self.points.iter().zip(&mut self.least_increments) {
            *increment += least[*points..*points + goal].iter().min().expect("a total");
        }
    }

    fn list_by_points(
        &mut self,
        goal: usize,
        (entries, runs_of): (&[ExceptionalSuccessor], &[PointsSegment]),
        first: &[u32],
    ) {
        if runs_of.is_empty() {
            return;
        }
        let mut index = Index::begun();
        let points = std::mem::take(&mut self.points);
        for (stage, bounds) in first.windows(2).enumerate() {
            let entries = &entries[bounds[0] as usize..bounds[1] as usize];
            for (place, points) in points.iter().enumerate() {
                for (column, runs) in entries {
                    let Err(runs) = runs else { continue };
                    let total = stage - *column as usize;
                    if total < *points || total - points >= goal {
                        continue;
                    }
                    let runs = &runs_of[runs.start as usize..runs.end as usize];
                    let run =
                        runs.iter().find(|run| run.from() <= *points).expect("the last run reaches down to no points");
                    let target = target(run.successor(*points), goal);
                    let increment = target.excess(stage).map(|excess| *points as i64 + excess);
                    lower_to(&mut self.least_increments[place], increment);
                    index.push(*column, target);
                }
                index.end_key();
            }
        }
        (self.by_points, self.points) = (index, points);
    }

    /// The least that turns of some points raise the sum of scores by, if the game goes on.
    pub fn least_increment(&self, points: usize) -> i64 {
        self.least_increments[self.points.binary_search(&points).expect("an outcome of the class has them")]
    }

    /// Whether some depend on the turn's points.
    pub fn by_points(&self) -> bool {
        !self.by_points.segments.is_empty()
    }

    /// Whether some are deferred.
    pub fn defers(&self) -> bool {
        !self.later.segments.is_empty() || self.by_points()
    }

    /// The highest stage with an exceptional successor that is known there.
    pub fn highest_stage(&self) -> Option<usize> {
        let stages = self.known.first.len().saturating_sub(1);
        (0..stages).rev().find(|stage| !self.known.at(*stage).is_empty())
    }

    /// Whether totals past the goal may lead to anything but a win of who has just moved, or to what is deferred.
    pub fn passes_goal(&self, goal: usize) -> bool {
        let stages = self.known.first.len().saturating_sub(1);
        let past = |stage: usize| self.known.at(stage).iter().any(|segment| segment.first as usize + goal <= stage);
        (0..stages).any(past)
    }

    /// Whether all of some columns of a stage are exceptional and known.
    pub fn is_exceptional(&self, stage: usize, columns: &std::ops::Range<usize>) -> bool {
        let of_stage = self.known.at(stage).iter().filter_map(|segment| segment.within(columns));
        of_stage.map(|segment| segment.count as usize).sum::<usize>() == columns.len()
    }

    /// The columns of a stage whose successors are deferred, as segments.
    pub fn left_out(&self, stage: usize) -> &[Segment] {
        self.left_out.at(stage)
    }

    /// Those from the totals of a stage that are known when it is solved.
    pub fn known(&self, stage: usize) -> &[Segment] {
        self.known.at(stage)
    }

    /// The deferred ones from the totals of a stage, for a turn of points told by their place among [`Self::points`].
    pub fn deferred(&self, stage: usize, place: usize) -> impl Iterator<Item = &Segment> {
        self.by_points.at(stage * self.points.len() + place).iter().chain(self.later.at(stage))
    }

    /// Whether some are deferred from the totals of a stage.
    pub fn defers_from(&self, stage: usize) -> bool {
        let keys = stage * self.points.len()..(stage + 1) * self.points.len();
        let of_stage = self.by_points.first.get(keys.start).zip(self.by_points.first.get(keys.end));
        !self.later.at(stage).is_empty() || of_stage.is_some_and(|(first, end)| first < end)
    }
}

/// Lowers a number to another one, if that is less.
fn lower_to(least: &mut i64, other: Option<i64>) {
    *least = other.map_or(*least, |other| other.min(*least));
}

fn target(arrival: PackedSuccessor, goal: usize) -> Target {
    let (again, cell) = match arrival.score_successor() {
        ScoreSuccessor::Won => return Target::End(End::Won),
        ScoreSuccessor::Lost => return Target::End(End::Lost),
        ScoreSuccessor::Tied => return Target::End(End::Tied),
        ScoreSuccessor::Passed { cell } => (false, cell),
        ScoreSuccessor::Again { cell } => (true, cell),
    };
    let (score, column) = (cell as u32 / goal as u32, cell as u32 % goal as u32);
    Target::Cell { again, stage: score + column, column }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Successor;
    use crate::rules::{Overrides, load};

    fn cell(column: u32) -> Target {
        Target::Cell { again: false, stage: 9, column }
    }

    #[test]
    fn columns_join_a_segment_as_long_as_targets_go_on_in_one_way() {
        let mut index = Index::begun();
        for (column, target) in [
            (1, cell(8)),
            (2, cell(7)),
            (3, cell(6)),
            (4, cell(6)),
            (5, Target::End(End::Lost)),
            (7, Target::End(End::Lost)),
        ] {
            index.push(column, target);
        }
        index.end_key();
        let found: Vec<(u32, u32, i32)> =
            index.at(0).iter().map(|segment| (segment.first, segment.count, segment.step)).collect();
        assert_eq!(found, [(1, 3, -1), (4, 1, 0), (5, 1, 0), (7, 1, 0)]);
        assert_eq!(index.at(0)[0].within(&(2..9)).unwrap().target, cell(7));
        assert!(index.at(1).is_empty());
    }

    /// Every successor that the segments tell is the game's own, and all others are regular.
    #[test]
    fn segments_tell_what_the_game_tells_of_every_cell_and_all_points() {
        for id in ["fa21", "nju21", "su15", "sp15", "fa20"] {
            let game = Game::new(load(id, Overrides { goal: Some(23), max_dice: Some(4) }).unwrap()).unwrap();
            let goal = game.space().goal;
            for class in &super::super::Kernel::new(&game).classes {
                for (place, points) in class.successors.points.iter().enumerate() {
                    for (score, column) in (0..goal).flat_map(|score| (0..goal).map(move |column| (score, column))) {
                        let stage = score + points + column;
                        let has = |segment: &&Segment| segment.within(&(column..column + 1)).is_some();
                        let known = class.successors.known(stage).iter().find(has);
                        let told = known.or_else(|| class.successors.deferred(stage, place).find(has));
                        let regular = match score + points < goal {
                            true => Target::Cell { again: false, stage: stage as u32, column: (score + points) as u32 },
                            false => Target::End(End::Won),
                        };
                        let outcome = class.outcome.with_points(*points as u32);
                        let to = |cell: usize, again: bool| {
                            let (stage, column) = (cell / goal + cell % goal, cell % goal);
                            Target::Cell { again, stage: stage as u32, column: column as u32 }
                        };
                        let expected = match game.successor(score * goal + column, &outcome) {
                            Successor::End(end) => Target::End(end),
                            Successor::Passed { cell, .. } => to(cell, false),
                            Successor::Again { cell, .. } => to(cell, true),
                        };
                        assert_eq!(
                            told.map_or(regular, |segment| segment.target_of(column)),
                            expected,
                            "{id} {score}-{column} {points}"
                        );
                    }
                }
            }
        }
    }
}
