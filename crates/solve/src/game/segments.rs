//! Where consecutive columns of a stage lead, in segments, and lists of such segments.

use super::successor::{Cell, Successor};
use super::table::PackedSuccessor;

/// Consecutive columns whose targets lie in one stage; the target's column changes by `step` from
/// each column to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub first: u32,
    pub count: u32,
    /// The target of the first column.
    pub target: Successor<Cell>,
    pub step: i32,
}

impl Segment {
    fn one(column: u32, target: Successor<Cell>) -> Self {
        Self { first: column, count: 1, target, step: 0 }
    }

    /// The regular successors of some columns of a stage, all totals being below the goal.
    pub fn regular(stage: usize, columns: &std::ops::Range<usize>) -> Self {
        let to = Cell { stage: stage as u32, column: (stage - columns.start) as u32 };
        let target = Successor::Next { to, again: false };
        Self { first: columns.start as u32, count: columns.len() as u32, target, step: -1 }
    }

    /// The most columns of a segment that begins with this column and has this step.
    fn most_columns(&self, step: i32, goal: u32) -> u32 {
        let Cell { stage, column } = match self.target {
            _ if step == 0 => return u32::MAX,
            Successor::End(_) => return 0,
            Successor::Next { to, .. } => to,
        };
        match step {
            1 => (goal - column).min(stage - column + 1),
            _ => (column + 1).min(goal - (stage - column)),
        }
    }

    /// The columns of the segment.
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// The target of one of the segment's columns.
    #[inline(always)]
    pub fn target_of(&self, column: usize) -> Successor<Cell> {
        self.target.map(|first, _| {
            let beyond = (column as u32 - self.first).wrapping_mul(self.step.cast_unsigned());
            Cell { column: first.column.wrapping_add(beyond), ..first }
        })
    }

    /// The part of the segment within `columns`, or `None` if they do not overlap.
    pub fn within(&self, columns: &std::ops::Range<usize>) -> Option<Self> {
        let first = self.columns().start.max(columns.start);
        let end = self.columns().end.min(columns.end);
        (first < end).then(|| Self {
            first: first as u32,
            count: (end - first) as u32,
            target: self.target_of(first),
            step: self.step,
        })
    }
}

/// Lists of segments, indexed by a key; the columns of each list ascend.
#[derive(Debug, Default)]
pub struct Index {
    segments: Vec<Segment>,
    /// `first[key]..first[key + 1]` are the segments of a key; empty if nothing is listed.
    first: Vec<u32>,
    /// While columns are added: the successor of the last segment's first column, and the most
    /// columns it may have.
    first_successor: PackedSuccessor,
    most_columns: u32,
}

impl Index {
    /// An index without keys, to be filled with [`Self::push`] and [`Self::end_key`].
    pub fn new() -> Self {
        Self { first: vec![0], ..Self::default() }
    }

    /// The segments of a key; none if nothing is listed.
    pub fn at(&self, key: usize) -> &[Segment] {
        match self.first.get(key..key + 2) {
            Some(&[first, end]) => &self.segments[first as usize..end as usize],
            _ => &[],
        }
    }

    /// The segment of a key that holds a column.
    #[inline(always)]
    pub fn find(&self, key: usize, column: usize) -> Option<&Segment> {
        let segments = self.at(key);
        let after = segments.partition_point(|segment| segment.first as usize <= column);
        segments[..after].last().filter(|segment| column < segment.columns().end)
    }

    /// The number of keys; 0 if nothing is listed.
    pub fn keys(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// The memory of the lists, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.segments[..]) + size_of_val(&self.first[..])
    }

    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Completes the current key; returns its segments.
    pub fn end_key(&mut self) -> &[Segment] {
        self.first.push(self.segments.len() as u32);
        self.at(self.first.len() - 2)
    }

    /// Adds a column to the current key. Only a column that begins a segment is unpacked, which
    /// takes a division.
    #[inline(always)]
    pub(super) fn push(&mut self, column: u32, successor: PackedSuccessor, goal: usize) {
        let key = *self.first.last().expect("the first entry is 0") as usize;
        if let Some(last) = self.segments[key..].last_mut()
            && column == last.first + last.count
        {
            if last.count == 1 {
                // The second column decides the step.
                let mut steps = [0, -1, 1].into_iter();
                let step =
                    steps.find(|step| successor == self.first_successor.columns_on(*step, goal));
                self.most_columns = step.map_or(0, |step| last.most_columns(step, goal as u32));
                last.step = step.filter(|_| self.most_columns > 1).unwrap_or(0);
            }
            let next = self.first_successor.columns_on(last.step * last.count as i32, goal);
            if last.count < self.most_columns && successor == next {
                last.count += 1;
                return;
            }
        }
        self.segments.push(Segment::one(column, successor.unpacked(goal)));
        self.first_successor = successor;
    }
}

#[cfg(test)]
mod tests {
    use super::super::End;
    use super::*;

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
        let found: Vec<(u32, u32, i32)> = index
            .end_key()
            .iter()
            .map(|segment| (segment.first, segment.count, segment.step))
            .collect();
        assert_eq!(
            found,
            [
                (1, 3, -1),
                (4, 1, 0),
                (5, 1, 0),
                (7, 1, 0),
                (8, 2, -1),
                (10, 1, 0),
                (11, 1, 0),
                (12, 1, 0)
            ]
        );
        let target = Successor::Next { to: Cell { stage: 9, column: 7 }, again: false };
        assert_eq!(index.at(0)[0].within(&(2..9)).unwrap().target, target);
        assert!(index.at(1).is_empty());
        assert_eq!(index.find(0, 2).unwrap().target_of(2), cell(2, 7).unpacked(goal));
        assert_eq!(index.find(0, 7).unwrap().target, Successor::End(End::Won));
        assert_eq!([0, 6, 13].map(|column| index.find(0, column).is_some()), [false; 3]);
    }
}
