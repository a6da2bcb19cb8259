//! Where turns lead: by outcome class, where each total leads.
//!
//! A successor is *regular* if the totals stay as they are after adding the points and the opponent
//! moves next, or if the mover's total has reached the goal and the mover has won. All others (a
//! swap, a bonus, another turn) are *exceptional*; they are listed by the stage of the totals after
//! adding, as segments of columns. An exceptional successor is *deferred* if it depends on the
//! turn's points, or if its own stage is lower than that of the totals: its value is not known when
//! the stage of the totals is solved, so it is added when a turn that leads there is evaluated.

use super::segments::{Index, Segment};
use super::successor::{Cell, End, Successor};
use super::table::{PackedSuccessor, SuccessorTable, TotalSuccessor};

/// The exceptional successors of a class. All stages are those of the totals after adding the
/// points.
#[derive(Debug, Default)]
pub struct ClassSuccessors {
    goal: usize,
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
    /// The largest correction by the rules on totals, over totals after which the game continues;
    /// `i64::MIN` if there are none.
    pub most_correction: i64,
    /// By stage: the columns with deferred successors; their targets are placeholders.
    deferred_columns: Index,
}

/// The exceptional totals of a table that a class can reach, by stage.
struct ReachedTotals<'t> {
    table: &'t SuccessorTable,
    /// The columns of each stage, ascending, with the successors.
    columns: Vec<(u32, TotalSuccessor)>,
    /// By stage: the index of its first column, and the end of the last.
    first: Vec<u32>,
}

impl<'t> ReachedTotals<'t> {
    fn new(table: &'t SuccessorTable, most_points: usize) -> Self {
        let stages = 2 * table.goal - 1 + most_points;
        // Totals from here on are not reached.
        let end = table.goal + most_points;
        let mut first = vec![0; stages + 1];
        for (column, exceptional) in table.each_exceptional() {
            if (exceptional.total as usize) < end {
                first[column + exceptional.total as usize + 1] += 1;
            }
        }
        for stage in 0..stages {
            first[stage + 1] += first[stage];
        }
        let placeholder = (0, TotalSuccessor::any(PackedSuccessor::WON));
        let mut next = first.clone();
        let mut columns = vec![placeholder; first[stages] as usize];
        for (column, exceptional) in table.each_exceptional() {
            if (exceptional.total as usize) < end {
                let place = &mut next[column + exceptional.total as usize];
                columns[*place as usize] = (column as u32, exceptional.successor);
                *place += 1;
            }
        }
        Self { table, columns, first }
    }

    fn stages(&self) -> usize {
        self.first.len() - 1
    }

    fn of_stage(&self, stage: usize) -> &[(u32, TotalSuccessor)] {
        &self.columns[self.first[stage] as usize..self.first[stage + 1] as usize]
    }
}

impl ClassSuccessors {
    /// Arranges a table for a class; `points` are those of its outcomes, ascending.
    pub(super) fn new(table: &SuccessorTable, points: Vec<usize>) -> Self {
        let least_increments = points.iter().map(|points| *points as i64).collect();
        let totals = ReachedTotals::new(table, points.last().copied().unwrap_or(0));
        let mut successors = Self {
            goal: table.goal,
            points,
            least_increments,
            most_correction: table.most_correction.0,
            ..Self::default()
        };
        if !totals.columns.is_empty() {
            successors.list(&totals);
            successors.list_points_dependent(&totals);
        }
        successors
    }

    fn list(&mut self, totals: &ReachedTotals) {
        let goal = self.goal;
        let [mut known, mut lower_stage, mut deferred_columns] =
            [Index::new(), Index::new(), Index::new()];
        // By total: the least correction, that is, the least change of the sum by the rules on
        // totals.
        let mut least = vec![0; goal + self.points.last().map_or(0, |most| *most)];
        for stage in 0..totals.stages() {
            for (column, successor) in totals.of_stage(stage) {
                let Some(successor) = successor.for_all_points() else {
                    deferred_columns.push(*column, PackedSuccessor::WON, goal);
                    continue;
                };
                let target = successor.unpacked(goal);
                lower_to(&mut least[stage - *column as usize], target.correction(stage));
                if target.state().is_some_and(|to| (to.stage as usize) < stage) {
                    lower_stage.push(*column, successor, goal);
                    deferred_columns.push(*column, PackedSuccessor::WON, goal);
                } else {
                    known.push(*column, successor, goal);
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

    fn list_points_dependent(&mut self, totals: &ReachedTotals) {
        if totals.columns.iter().all(|(_, successor)| successor.segments().is_none()) {
            return;
        }
        let goal = self.goal;
        let mut index = Index::new();
        for before in 0..self.stages() {
            let columns = (before + 1).saturating_sub(goal) as u32..before as u32 + 1;
            for (points, least) in self.points.iter().zip(&mut self.least_increments) {
                let stage = before + points;
                let of_stage = totals.of_stage(stage);
                let listed = of_stage.partition_point(|(column, _)| *column < columns.start);
                for (column, successor) in
                    of_stage[listed..].iter().take_while(|(column, _)| *column < columns.end)
                {
                    let Some(first) = successor.segments() else { continue };
                    index.push(*column, totals.table.by_points(first, *points), goal);
                }
                for segment in index.end_key() {
                    let correction = segment.target.correction(stage);
                    lower_to(least, correction.map(|correction| *points as i64 + correction));
                }
            }
        }
        self.points_dependent = index;
    }

    /// The number of stages in which turns are taken.
    fn stages(&self) -> usize {
        2 * self.goal - 1
    }

    /// The memory of the lists, in bytes.
    pub fn bytes(&self) -> usize {
        let lists =
            [&self.known, &self.lower_stage, &self.points_dependent, &self.deferred_columns];
        lists.map(Index::bytes).iter().sum::<usize>() + 2 * size_of_val(&self.points[..])
    }

    /// Where a turn of these points leads from a column of a stage.
    #[inline(always)]
    pub fn after(&self, stage: usize, column: usize, points: usize) -> Successor<Cell> {
        let totals = stage + points;
        let mut found = self.known.find(totals, column);
        if found.is_none() && self.defers() {
            found = self.find_deferred(stage, column, points);
        }
        match found {
            Some(segment) => segment.target_of(column),
            None if totals - column >= self.goal => Successor::End(End::Won),
            None => {
                let to = Cell { stage: totals as u32, column: (totals - column) as u32 };
                Successor::Next { to, again: false }
            }
        }
    }

    fn find_deferred(&self, stage: usize, column: usize, points: usize) -> Option<&Segment> {
        self.lower_stage.find(stage + points, column).or_else(|| {
            let place = self.points.binary_search(&points).ok()?;
            self.points_dependent.find(stage * self.points.len() + place, column)
        })
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
    pub fn passes_goal(&self) -> bool {
        (0..self.known.keys()).any(|stage| {
            let mut segments = self.known.at(stage).iter();
            segments.any(|segment| segment.first as usize + self.goal <= stage)
        })
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
        let before = stage.checked_sub(self.points[place]).filter(|before| *before < self.stages());
        let of_points = before
            .map_or(&[][..], |before| self.points_dependent.at(before * self.points.len() + place));
        of_points.iter().chain(self.lower_stage.at(stage))
    }
}

/// Sets `least` to the minimum of itself and `other`, if there is one.
fn lower_to(least: &mut i64, other: Option<i64>) {
    *least = other.map_or(*least, |other| other.min(*least));
}
