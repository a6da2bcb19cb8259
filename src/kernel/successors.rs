//! The successors of the outcomes of one class: where each total leads.
//!
//! A successor is *regular* if the totals stay as they are after adding the points and the opponent moves next, or if
//! the mover's total has reached the goal and the mover has won. All others (a swap, a bonus, another turn) are
//! *exceptional*; they are listed by the stage of the totals after adding, as segments of columns. An exceptional
//! successor is *deferred* if it depends on the turn's points, or if its own stage is lower than that of the totals:
//! its value is not known when the stage of the totals is solved, so it is added when a turn that leads there is
//! evaluated.

use crate::game::{End, Game, PackedSuccessor, PointsSegment, ScoreSuccessor, TurnOutcome};

/// Where one column of a segment leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The game ends; the result is that of the player who has just moved.
    End(End),
    /// The game continues in a cell, where the opponent moves or, if `again`, the same player.
    Cell { again: bool, stage: u32, column: u32 },
}

impl Target {
    /// The stage of the target minus `from`; `None` if the game ends.
    fn correction(self, from: usize) -> Option<i64> {
        match self {
            Self::Cell { stage, .. } => Some(i64::from(stage) - from as i64),
            Self::End(_) => None,
        }
    }
}

/// Consecutive columns whose targets lie in one stage; the target's column changes by `step` from each column to the
/// next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub first: u32,
    pub count: u32,
    /// The target of the first column.
    pub target: Target,
    pub step: i32,
}

impl Segment {
    fn one(column: u32, target: Target) -> Self {
        Self { first: column, count: 1, target, step: 0 }
    }

    /// The regular successors of some columns of a stage, all totals being below the goal.
    pub fn regular(stage: usize, columns: &std::ops::Range<usize>) -> Self {
        let target = Target::Cell { again: false, stage: stage as u32, column: (stage - columns.start) as u32 };
        Self { first: columns.start as u32, count: columns.len() as u32, target, step: -1 }
    }

    /// The most columns of a segment that begins with this one and has this step.
    fn most_columns(&self, step: i32, goal: u32) -> u32 {
        match (self.target, step) {
            (_, 0) => u32::MAX,
            (Target::Cell { stage, column, .. }, 1) => (goal - column).min(stage - column + 1),
            (Target::Cell { stage, column, .. }, _) => (column + 1).min(goal - (stage - column)),
            (Target::End(_), _) => 0,
        }
    }

    /// The columns of the segment.
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// The target of one of the segment's columns.
    pub fn target_of(&self, column: usize) -> Target {
        match self.target {
            Target::Cell { again, stage, column: first } => {
                let beyond = (column as i64 - i64::from(self.first)) * i64::from(self.step);
                Target::Cell { again, stage, column: (i64::from(first) + beyond) as u32 }
            }
            end => end,
        }
    }

    /// The part of the segment within `columns`, or `None` if they do not overlap.
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

/// Lists of segments, indexed by a key; the columns of each list ascend.
#[derive(Debug, Default)]
struct Index {
    segments: Vec<Segment>,
    /// `first[key]..first[key + 1]` are the segments of a key; empty if nothing is listed.
    first: Vec<u32>,
    /// While columns are added: the successor of the last segment's first column, and the most columns it may have.
    first_successor: PackedSuccessor,
    most_columns: u32,
}

impl Index {
    /// An index without keys, to be filled with [`Self::push`] and [`Self::end_key`].
    fn new() -> Self {
        Self { first: vec![0], ..Self::default() }
    }

    fn at(&self, key: usize) -> &[Segment] {
        match self.first.get(key..key + 2) {
            Some(&[first, end]) => &self.segments[first as usize..end as usize],
            _ => &[],
        }
    }

    /// Completes the current key; returns its segments.
    fn end_key(&mut self) -> &[Segment] {
        self.first.push(self.segments.len() as u32);
        self.at(self.first.len() - 2)
    }

    /// Adds a column to the current key. Only a column that begins a segment is unpacked, which takes a division.
    #[inline(always)]
    fn push(&mut self, column: u32, successor: PackedSuccessor, goal: usize) {
        let key = *self.first.last().expect("the first entry is 0") as usize;
        if let Some(last) = self.segments[key..].last_mut()
            && column == last.first + last.count
        {
            if last.count == 1 {
                // The second column decides the step.
                let is_next = |step: &i32| successor == self.first_successor.columns_on(*step, goal);
                let step = [0, -1, 1].into_iter().find(is_next);
                self.most_columns = step.map_or(0, |step| last.most_columns(step, goal as u32));
                last.step = step.filter(|_| self.most_columns > 1).unwrap_or(0);
            }
            let next = self.first_successor.columns_on(last.step * last.count as i32, goal);
            if last.count < self.most_columns && successor == next {
                last.count += 1;
                return;
            }
        }
        self.segments.push(Segment::one(column, target(successor, goal)));
        self.first_successor = successor;
    }
}

/// The exceptional successors of a class. All stages are those of the totals after adding the points.
#[derive(Debug, Default)]
pub struct ClassSuccessors {
    /// The points of the outcomes of the class, ascending.
    pub points: Vec<usize>,
    /// Indexed like `points`: the least amount by which a turn of these points raises the sum of the scores, over all
    /// cells from which the game continues; at most the points themselves.
    least_increments: Vec<i64>,
    /// By stage: successors that end the game or lie in that stage or a higher one, known once the stage is solved.
    known: Index,
    /// By stage: successors in a lower stage. Deferred.
    lower_stage: Index,
    /// By stage before the turn, then by index in `points`: successors that depend on the points. Deferred.
    points_dependent: Index,
    /// The number of stages in which turns are taken.
    stages: usize,
    /// By stage: the columns with deferred successors; their targets are placeholders.
    deferred_columns: Index,
}

/// An exceptional successor: its column and its target, or the range of the segments of points that give the target.
type ExceptionalSuccessor = (u32, Result<PackedSuccessor, std::ops::Range<u32>>);

impl ClassSuccessors {
    /// Computes the exceptional successors of an outcome; `points` are the points with which it occurs.
    pub fn new(game: &Game, outcome: &TurnOutcome, points: Vec<usize>) -> Self {
        let (goal, most_points) = (game.space().goal, points.last().copied().unwrap_or(0));
        let (mut entries, mut all_segments): (Vec<(u32, ExceptionalSuccessor)>, Vec<PointsSegment>) =
            (Vec::new(), Vec::new());
        game.each_exceptional(outcome, |opponent, total, segments| {
            if total > goal - 1 + most_points {
                return;
            }
            let to = match segments {
                [segment] if segment.from() == 0 && segment.step() == 0 => Ok(segment.successor(0)),
                segments => {
                    let first = all_segments.len() as u32;
                    all_segments.extend_from_slice(segments);
                    Err(first..all_segments.len() as u32)
                }
            };
            entries.push(((opponent + total) as u32, (opponent as u32, to)));
        });
        let least_increments = points.iter().map(|points| *points as i64).collect();
        let mut successors = Self { points, least_increments, stages: 2 * goal - 1, ..Self::default() };
        if !entries.is_empty() {
            entries.sort_by_key(|(stage, _)| *stage);
            let first: Vec<u32> = (0..=successors.stages + most_points)
                .map(|stage| entries.partition_point(|entry| (entry.0 as usize) < stage) as u32)
                .collect();
            let entries: Vec<ExceptionalSuccessor> = entries.into_iter().map(|(_, entry)| entry).collect();
            successors.list(goal, &entries, &first);
            successors.list_points_dependent(goal, (&entries, &all_segments), &first);
        }
        successors
    }

    fn list(&mut self, goal: usize, entries: &[ExceptionalSuccessor], first: &[u32]) {
        let [mut known, mut lower_stage, mut deferred_columns] = [Index::new(), Index::new(), Index::new()];
        // By total: the least correction, that is, the least change of the sum by the rules on totals.
        let mut least = vec![0; goal + self.points.last().map_or(0, |most| *most)];
        for (stage, bounds) in first.windows(2).enumerate() {
            for (column, packed) in &entries[bounds[0] as usize..bounds[1] as usize] {
                let target = packed.as_ref().map(|packed| target(*packed, goal)).ok();
                lower_to(&mut least[stage - *column as usize], target.and_then(|target| target.correction(stage)));
                let is_lower = matches!(target, Some(Target::Cell { stage: next, .. }) if (next as usize) < stage);
                if let Ok(packed) = packed {
                    let index = if is_lower { &mut lower_stage } else { &mut known };
                    index.push(*column, *packed, goal);
                }
                if is_lower || packed.is_err() {
                    deferred_columns.push(*column, PackedSuccessor::WON, goal);
                }
            }
            [&mut known, &mut lower_stage, &mut deferred_columns].into_iter().for_each(|index| _ = index.end_key());
        }
        (self.known, self.lower_stage, self.deferred_columns) = (known, lower_stage, deferred_columns);
        for (points, increment) in self.points.iter().zip(&mut self.least_increments) {
            *increment += least[*points..*points + goal].iter().min().expect("the goal is positive");
        }
    }

    fn list_points_dependent(
        &mut self,
        goal: usize,
        (entries, all_segments): (&[ExceptionalSuccessor], &[PointsSegment]),
        first: &[u32],
    ) {
        if all_segments.is_empty() {
            return;
        }
        let mut index = Index::new();
        for before in 0..self.stages {
            let columns = (before + 1).saturating_sub(goal) as u32..before as u32 + 1;
            for (points, least) in self.points.iter().zip(&mut self.least_increments) {
                let stage = before + points;
                let of_stage = &entries[first[stage] as usize..first[stage + 1] as usize];
                let listed = of_stage.partition_point(|(column, _)| *column < columns.start);
                for (column, segments) in of_stage[listed..].iter().take_while(|(column, _)| *column < columns.end) {
                    let Err(segments) = segments else { continue };
                    let segment = all_segments[segments.start as usize..segments.end as usize]
                        .iter()
                        .find(|segment| segment.from() <= *points)
                        .expect("the last segment reaches down to no points");
                    index.push(*column, segment.successor(*points), goal);
                }
                for segment in index.end_key() {
                    let correction = segment.target.correction(stage);
                    lower_to(least, correction.map(|correction| *points as i64 + correction));
                }
            }
        }
        self.points_dependent = index;
    }

    /// The least amount by which a turn of these points raises the sum of the scores, if the game continues.
    pub fn least_increment(&self, points: usize) -> i64 {
        self.least_increments[self.points.binary_search(&points).expect("the class has an outcome of these points")]
    }

    /// Whether any successor depends on the turn's points.
    pub fn points_dependent(&self) -> bool {
        !self.points_dependent.segments.is_empty()
    }

    /// Whether any successor is deferred.
    pub fn defers(&self) -> bool {
        !self.lower_stage.segments.is_empty() || self.points_dependent()
    }

    /// The highest stage with an exceptional successor that is not deferred.
    pub fn highest_stage(&self) -> Option<usize> {
        let stages = self.known.first.len().saturating_sub(1);
        (0..stages).rev().find(|stage| !self.known.at(*stage).is_empty())
    }

    /// Whether any total past the goal has an exceptional successor that is not deferred.
    pub fn passes_goal(&self, goal: usize) -> bool {
        let stages = self.known.first.len().saturating_sub(1);
        let past = |stage: usize| self.known.at(stage).iter().any(|segment| segment.first as usize + goal <= stage);
        (0..stages).any(past)
    }

    /// Whether all of `columns` have exceptional successors in a stage that are not deferred.
    pub fn is_exceptional(&self, stage: usize, columns: &std::ops::Range<usize>) -> bool {
        let of_stage = self.known.at(stage).iter().filter_map(|segment| segment.within(columns));
        of_stage.map(|segment| segment.count as usize).sum::<usize>() == columns.len()
    }

    /// The columns of a stage whose successors are deferred.
    pub fn deferred_columns(&self, stage: usize) -> &[Segment] {
        self.deferred_columns.at(stage)
    }

    /// The exceptional successors of the totals of a stage that are not deferred.
    pub fn known(&self, stage: usize) -> &[Segment] {
        self.known.at(stage)
    }

    /// The deferred successors of turns from a stage, by the points of a turn.
    pub fn deferred_from(&self, stage: usize) -> impl Iterator<Item = (usize, impl Iterator<Item = &Segment>)> {
        let count = self.points.len();
        let first = self.points_dependent.first.get(stage * count..=(stage + 1) * count).unwrap_or(&[]);
        self.points.iter().enumerate().map(move |(place, points)| {
            let of_points = match first.get(place..place + 2) {
                Some(&[first, end]) => &self.points_dependent.segments[first as usize..end as usize],
                _ => &[],
            };
            (*points, of_points.iter().chain(self.lower_stage.at(stage + points)))
        })
    }

    /// The deferred successors of the totals of a stage, for turns of `points[place]` points.
    pub fn deferred(&self, stage: usize, place: usize) -> impl Iterator<Item = &Segment> {
        let before = stage.checked_sub(self.points[place]).filter(|before| *before < self.stages);
        let of_points = before.map_or(&[][..], |before| self.points_dependent.at(before * self.points.len() + place));
        of_points.iter().chain(self.lower_stage.at(stage))
    }
}

/// Sets `least` to the minimum of itself and `other`, if there is one.
fn lower_to(least: &mut i64, other: Option<i64>) {
    *least = other.map_or(*least, |other| other.min(*least));
}

fn target(packed: PackedSuccessor, goal: usize) -> Target {
    let (again, cell) = match packed.score_successor() {
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

    #[test]
    fn a_segment_is_extended_while_its_targets_keep_one_step_and_one_stage() {
        let (mut index, goal) = (Index::new(), 10);
        let cell = |score: usize, column: usize| PackedSuccessor::regular(goal, column, score);
        let successors = [
            (1, cell(1, 8)),
            (2, cell(2, 7)),
            (3, cell(3, 6)),
            (4, cell(3, 6)),
            (5, PackedSuccessor::WON),
            (7, PackedSuccessor::WON),
            (8, cell(5, 1)),
            (9, cell(6, 0)),
            (10, cell(6, 9)),
            // Packed, this cell is as far from the end as from the next column.
            (11, cell(0, 8)),
            (12, PackedSuccessor::WON),
        ];
        successors.iter().for_each(|(column, successor)| index.push(*column, *successor, goal));
        let found: Vec<(u32, u32, i32)> =
            index.end_key().iter().map(|segment| (segment.first, segment.count, segment.step)).collect();
        assert_eq!(
            found,
            [(1, 3, -1), (4, 1, 0), (5, 1, 0), (7, 1, 0), (8, 2, -1), (10, 1, 0), (11, 1, 0), (12, 1, 0)]
        );
        let target = Target::Cell { again: false, stage: 9, column: 7 };
        assert_eq!(index.at(0)[0].within(&(2..9)).unwrap().target, target);
        assert!(index.at(1).is_empty());
    }

    /// The segments give the game's own successor for every cell and all points, and the successors they do not list
    /// are regular.
    #[test]
    fn segments_agree_with_the_game_in_every_cell_for_all_points() {
        for id in ["fa21", "nju21", "su15", "sp15", "fa20"] {
            let game = Game::new(load(id, Overrides { goal: Some(23), max_dice: Some(4) }).unwrap()).unwrap();
            let goal = game.space().goal;
            for class in &super::super::Kernel::new(&game).classes {
                for (place, points) in class.successors.points.iter().enumerate() {
                    for (score, column) in (0..goal).flat_map(|score| (0..goal).map(move |column| (score, column))) {
                        let stage = score + points + column;
                        let has = |segment: &&Segment| segment.within(&(column..column + 1)).is_some();
                        let known = class.successors.known(stage).iter().find(has);
                        let listed = known.or_else(|| class.successors.deferred(stage, place).find(has));
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
                            listed.map_or(regular, |segment| segment.target_of(column)),
                            expected,
                            "{id} {score}-{column} {points}"
                        );
                    }
                }
            }
        }
    }
}
