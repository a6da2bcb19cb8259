//! The values of a formula in all cells: numbers, lines, and flags where there is none or more is to tell.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use ndarray::{ArrayD, Dimension, IxDyn};

use super::broadcast::{Lane, map, pick, zip};
use super::interval::{self, Interval};
use super::lookup::Lookup;

/// The values of a formula, and where it has none (division by zero, overflow, outside a function's domain).
#[derive(Clone, Debug)]
pub struct Cells {
    /// The values; 0 where there is none. Axes that the formula does not depend on have length 1.
    pub values: ArrayD<i64>,
    /// What each step along a line adds to them (see [`bind_line`](super::Arrays::bind_line)); absent if nothing anywhere.
    pub slopes: Option<ArrayD<i64>>,
    /// What there is to say of values: [`FAULT`], [`OPEN`] or both; absent if nothing is.
    pub flags: Option<ArrayD<u8>>,
    /// Where all values lie, those of flagged cells and those further along a line too.
    pub(super) range: Interval,
}

/// The formula has no value here.
pub const FAULT: u8 = 1;
/// The value depends on the place along a line, but not as a line itself; whether it is a fault is open too.
pub const OPEN: u8 = 2;

impl Cells {
    /// Values that lie in a range.
    pub fn new(values: ArrayD<i64>, range: RangeInclusive<i64>) -> Self {
        Self { values, slopes: None, flags: None, range: (*range.start(), *range.end()) }
    }

    /// The value at an index of the common shape; axes of length 1 are read at 0.
    pub fn at(&self, index: &[usize]) -> Option<i64> {
        let flags = self.flags.as_ref().map_or(0, |flags| broadcast_at(flags, index));
        (flags == 0).then(|| broadcast_at(&self.values, index))
    }

    /// Whether the value at an index is left open.
    #[cfg(test)]
    pub(super) fn is_open(&self, index: &[usize]) -> bool {
        self.flags.as_ref().is_some_and(|flags| broadcast_at(flags, index) & OPEN != 0)
    }

    /// What each step adds at an index.
    #[cfg(test)]
    pub(super) fn slope_at(&self, index: &[usize]) -> i64 {
        self.slopes.as_ref().map_or(0, |slopes| broadcast_at(slopes, index))
    }

    /// Whether a value lies in the range.
    #[cfg(test)]
    pub(super) fn may_be(&self, value: i64) -> bool {
        (self.range.0..=self.range.1).contains(&value)
    }

    /// The first index without a value.
    pub fn first_fault(&self) -> Option<Vec<usize>> {
        let flags = self.flags.as_ref().filter(|flags| flags.iter().any(|flags| *flags == FAULT))?;
        flags.indexed_iter().find(|(_, flags)| **flags == FAULT).map(|(index, _)| index.slice().to_vec())
    }

    /// The values in a row of two axes.
    pub fn row(&self, row: usize) -> Lane<'_, i64> {
        Lane::row(&self.values, row)
    }

    /// The slopes in a row of two axes.
    pub fn slopes_of_row(&self, row: usize) -> Lane<'_, i64> {
        self.slopes.as_ref().map_or(Lane::One(0), |slopes| Lane::row(slopes, row))
    }

    /// The flags in a row of two axes.
    pub fn flags_of_row(&self, row: usize) -> Lane<'_, u8> {
        self.flags.as_ref().map_or(Lane::One(0), |flags| Lane::row(flags, row))
    }

    /// Whether a value may be below zero, judged by the ranges of what it was computed from.
    pub fn may_be_negative(&self) -> bool {
        self.range.0 < 0
    }

    /// Whether some value that is neither open nor a fault is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.flags {
            None => self.values.iter().any(|value| *value < 0),
            Some(flags) => zip(&self.values, flags, |value, flags| value < 0 && flags == 0).iter().any(|is| *is),
        }
    }

    /// Whether it is one number on all axes, whatever else may be bound, and nothing is to say of it.
    pub(super) fn is_one_number(&self) -> bool {
        self.values.len() == 1 && self.range.0 == self.range.1 && self.flags.is_none()
    }

    pub(super) fn looked_up(
        lookup: &Lookup,
        flags: Option<&ArrayD<u8>>,
        values: impl FnOnce(&[i64]) -> ArrayD<i64>,
        faults: impl FnOnce(&[u8]) -> ArrayD<u8>,
    ) -> Self {
        let own = (!lookup.faults.is_empty()).then(|| faults(&lookup.faults));
        let flags = either(flags, own.as_ref().filter(|own| own.iter().any(|flag| *flag != 0)));
        Self { values: values(&lookup.results), slopes: None, flags, range: lookup.range }
    }
}

fn broadcast_at<A: Copy>(array: &ArrayD<A>, index: &[usize]) -> A {
    let index: Vec<usize> = index.iter().zip(array.shape()).map(|(i, n)| if *n == 1 { 0 } else { *i }).collect();
    array[IxDyn(&index)]
}

pub(super) fn either(a: Option<&ArrayD<u8>>, b: Option<&ArrayD<u8>>) -> Option<ArrayD<u8>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(zip(a, b, |a, b| a | b)),
        (one, other) => one.or(other).cloned(),
    }
}

/// The same cells with lines left open.
pub fn opened(cells: Cow<Cells>) -> Cow<Cells> {
    let Some(slopes) = &cells.slopes else { return cells };
    let open = map(slopes, |slope| if slope == 0 { 0 } else { OPEN });
    let flags = either(cells.flags.as_ref(), Some(&open));
    Cow::Owned(Cells { slopes: None, flags, ..cells.into_owned() })
}

/// Where the condition holds the one, elsewhere the other: slopes and flags of the branch not taken do not count.
pub fn choose(condition: &Cells, yes: &Cells, no: &Cells) -> Cells {
    debug_assert!(condition.slopes.is_none(), "no line is a yes or no");
    let chosen = &condition.values;
    let slopes = of_either(yes.slopes.as_ref(), no.slopes.as_ref(), |yes, no| pick(chosen, yes, no));
    let branch = of_either(yes.flags.as_ref(), no.flags.as_ref(), |yes, no| pick(chosen, yes, no));
    let flags = either(condition.flags.as_ref(), branch.as_ref());
    Cells {
        values: pick(chosen, &yes.values, &no.values),
        slopes: slopes.filter(|slopes| slopes.iter().any(|slope| *slope != 0)),
        flags: flags.filter(|flags| flags.iter().any(|flag| *flag != 0)),
        range: interval::hull(yes.range, no.range),
    }
}

/// Made of two arrays of as many axes, one of which stands for zeros if it is absent; nothing is made of none.
pub(super) fn of_either<A: Clone + Default>(
    a: Option<&ArrayD<A>>,
    b: Option<&ArrayD<A>>,
    make: impl FnOnce(&ArrayD<A>, &ArrayD<A>) -> ArrayD<A>,
) -> Option<ArrayD<A>> {
    let axes = a.or(b)?.ndim();
    let zero = ArrayD::from_elem(IxDyn(&vec![1; axes]), A::default());
    Some(make(a.unwrap_or(&zero), b.unwrap_or(&zero)))
}
