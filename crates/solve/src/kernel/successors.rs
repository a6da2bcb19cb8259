//! The successors of the outcomes of one class: where each total leads.
//!
//! A successor is *regular* if the totals stay as they are after adding the points and the opponent
//! moves next, or if the mover's total has reached the goal and the mover has won. All others (a
//! swap, a bonus, another turn) are *exceptional*; they are listed by the stage of the totals after
//! adding, as segments of columns. An exceptional successor is *deferred* if it depends on the
//! turn's points, or if its own stage is lower than that of the totals: its value is not known when
//! the stage of the totals is solved, so it is added when a turn that leads there is evaluated.

use crate::game::{Game, PackedSuccessor, PointsSegment, TurnOutcome};

use super::segments::{Index, Segment, Target, target};

/// The exceptional successors of a class. All stages are those of the totals after adding the
/// points.
#[derive(Debug, Default)]
pub struct ClassSuccessors {
    /// The points of the outcomes of the class, ascending.
    pub points: Vec<usize>,
    /// Indexed like `points`: the least amount by which a turn of these points raises the sum of
    /// the scores, over all cells from which the game continues; at most the points
    /// themselves.
    least_increments: Vec<i64>,
    /// By stage: successors that end the game or lie in that stage or a higher one, known once the
    /// stage is solved.
    known: Index,
    /// By stage: successors in a lower stage. Deferred.
    lower_stage: Index,
    /// By stage before the turn, then by index in `points`: successors that depend on the points.
    /// Deferred.
    points_dependent: Index,
    /// The number of stages in which turns are taken.
    stages: usize,
    /// By stage: the columns with deferred successors; their targets are placeholders.
    deferred_columns: Index,
}

/// An exceptional successor: its column and its target, or the range of the segments of points that
/// give the target.
type ExceptionalSuccessor = (u32, Result<PackedSuccessor, std::ops::Range<u32>>);

impl ClassSuccessors {
    /// Computes the exceptional successors of an outcome; `points` are the points with which it
    /// occurs.
    pub fn new(game: &Game, outcome: &TurnOutcome, points: Vec<usize>) -> Self {
        let (goal, most_points) = (game.space().goal, points.last().copied().unwrap_or(0));
        let (mut entries, mut all_segments): (
            Vec<(u32, ExceptionalSuccessor)>,
            Vec<PointsSegment>,
        ) = (Vec::new(), Vec::new());
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
        let mut successors =
            Self { points, least_increments, stages: 2 * goal - 1, ..Self::default() };
        if !entries.is_empty() {
            entries.sort_by_key(|(stage, _)| *stage);
            let first: Vec<u32> = (0..=successors.stages + most_points)
                .map(|stage| entries.partition_point(|entry| (entry.0 as usize) < stage) as u32)
                .collect();
            let entries: Vec<ExceptionalSuccessor> =
                entries.into_iter().map(|(_, entry)| entry).collect();
            successors.list(goal, &entries, &first);
            successors.list_points_dependent(goal, &entries, &all_segments, &first);
        }
        successors
    }

    fn list(&mut self, goal: usize, entries: &[ExceptionalSuccessor], first: &[u32]) {
        let [mut known, mut lower_stage, mut deferred_columns] =
            [Index::new(), Index::new(), Index::new()];
        // By total: the least correction, that is, the least change of the sum by the rules on
        // totals.
        let mut least = vec![0; goal + self.points.last().map_or(0, |most| *most)];
        for (stage, bounds) in first.windows(2).enumerate() {
            for (column, packed) in &entries[bounds[0] as usize..bounds[1] as usize] {
                let target = packed.as_ref().map(|packed| target(*packed, goal)).ok();
                lower_to(
                    &mut least[stage - *column as usize],
                    target.and_then(|target| target.correction(stage)),
                );
                let is_lower = matches!(target, Some(Target::Cell { stage: next, .. }) if (next as usize) < stage);
                if let Ok(packed) = packed {
                    let index = if is_lower { &mut lower_stage } else { &mut known };
                    index.push(*column, *packed, goal);
                }
                if is_lower || packed.is_err() {
                    deferred_columns.push(*column, PackedSuccessor::WON, goal);
                }
            }
            [&mut known, &mut lower_stage, &mut deferred_columns]
                .into_iter()
                .for_each(|index| _ = index.end_key());
        }
        (self.known, self.lower_stage, self.deferred_columns) =
            (known, lower_stage, deferred_columns);
        for (points, increment) in self.points.iter().zip(&mut self.least_increments) {
            *increment +=
                least[*points..*points + goal].iter().min().expect("the goal is positive");
        }
    }

    fn list_points_dependent(
        &mut self,
        goal: usize,
        entries: &[ExceptionalSuccessor],
        all_segments: &[PointsSegment],
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
                for (column, segments) in
                    of_stage[listed..].iter().take_while(|(column, _)| *column < columns.end)
                {
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

    /// The least amount by which a turn of these points raises the sum of the scores, if the game
    /// continues.
    pub fn least_increment(&self, points: usize) -> i64 {
        self.least_increments
            [self.points.binary_search(&points).expect("the class has an outcome of these points")]
    }

    /// Whether any successor depends on the turn's points.
    pub fn points_dependent(&self) -> bool {
        !self.points_dependent.is_empty()
    }

    /// Whether any successor is deferred.
    pub fn defers(&self) -> bool {
        !self.lower_stage.is_empty() || self.points_dependent()
    }

    /// The highest stage with an exceptional successor that is not deferred.
    pub fn highest_stage(&self) -> Option<usize> {
        (0..self.known.keys()).rev().find(|stage| !self.known.at(*stage).is_empty())
    }

    /// Whether any total past the goal has an exceptional successor that is not deferred.
    pub fn passes_goal(&self, goal: usize) -> bool {
        let past = |stage: usize| {
            self.known.at(stage).iter().any(|segment| segment.first as usize + goal <= stage)
        };
        (0..self.known.keys()).any(past)
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
    pub fn deferred_from(
        &self,
        stage: usize,
    ) -> impl Iterator<Item = (usize, impl Iterator<Item = &Segment>)> {
        self.points.iter().enumerate().map(move |(place, points)| {
            let of_points = self.points_dependent.at(stage * self.points.len() + place);
            (*points, of_points.iter().chain(self.lower_stage.at(stage + points)))
        })
    }

    /// The deferred successors of the totals of a stage, for turns of `points[place]` points.
    pub fn deferred(&self, stage: usize, place: usize) -> impl Iterator<Item = &Segment> {
        let before = stage.checked_sub(self.points[place]).filter(|before| *before < self.stages);
        let of_points = before
            .map_or(&[][..], |before| self.points_dependent.at(before * self.points.len() + place));
        of_points.iter().chain(self.lower_stage.at(stage))
    }
}

/// Sets `least` to the minimum of itself and `other`, if there is one.
fn lower_to(least: &mut i64, other: Option<i64>) {
    *least = other.map_or(*least, |other| other.min(*least));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{End, Successor};
    use crate::rules::{Overrides, load};

    /// The segments give the game's own successor for every cell and all points, and the successors
    /// they do not list are regular.
    #[test]
    fn segments_agree_with_the_game_in_every_cell_for_all_points() {
        for id in ["fa21", "nju21", "su15", "sp15", "fa20"] {
            let game =
                Game::new(load(id, Overrides { goal: Some(23), max_dice: Some(4) }).unwrap())
                    .unwrap();
            let goal = game.space().goal;
            for class in &super::super::Kernel::new(&game).classes {
                for (place, points) in class.successors.points.iter().enumerate() {
                    for (score, column) in
                        (0..goal).flat_map(|score| (0..goal).map(move |column| (score, column)))
                    {
                        let stage = score + points + column;
                        let has =
                            |segment: &&Segment| segment.within(&(column..column + 1)).is_some();
                        let known = class.successors.known(stage).iter().find(has);
                        let listed =
                            known.or_else(|| class.successors.deferred(stage, place).find(has));
                        let regular = match score + points < goal {
                            true => Target::Cell {
                                again: false,
                                stage: stage as u32,
                                column: (score + points) as u32,
                            },
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
