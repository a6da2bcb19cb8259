//! The values of a formula over arrays of cells: numbers, slopes of values that change with a
//! number of steps, flags.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use ndarray::{ArrayD, Dimension, IxDyn};

use super::broadcast::{Lane, map, select_cells, zip};
use super::interval::{self, IntegerInterval};
use super::lookup::Lookup;

/// The values of a formula, with flags where it has none (division by zero, overflow, outside a
/// function's domain).
#[derive(Clone, Debug)]
pub struct Cells {
    /// The values at 0 steps; 0 where there is none. Axes that the formula does not depend on have
    /// length 1.
    pub values: ArrayD<i64>,
    /// The slopes: what each step adds to the values (see
    /// [`bind_linear`](super::Arrays::bind_linear)). `None` if all are 0.
    pub slopes: Option<ArrayD<i64>>,
    /// The flags of the values: [`FAULT`], [`NONLINEAR`] or both. `None` if no value has a flag.
    pub flags: Option<ArrayD<u8>>,
    /// A range that contains all values, including those of flagged cells and those after any
    /// number of steps.
    pub(super) range: IntegerInterval,
}

/// The formula has no value here.
pub const FAULT: u8 = 1;
/// The value depends on the number of steps, but is not represented by a slope; it may also be a
/// fault for some of them. It must be computed for each number of steps separately.
pub const NONLINEAR: u8 = 2;

impl Cells {
    /// Creates cells from values within a range, without slopes or flags.
    pub fn new(values: ArrayD<i64>, range: RangeInclusive<i64>) -> Self {
        Self { values, slopes: None, flags: None, range: (*range.start(), *range.end()) }
    }

    /// The value (at 0 steps) at an index of the common shape; `None` if it has a flag. Axes of
    /// length 1 are read at 0.
    pub fn at(&self, index: &[usize]) -> Option<i64> {
        let flags = self.flags.as_ref().map_or(0, |flags| broadcast_at(flags, index));
        (flags == 0).then(|| broadcast_at(&self.values, index))
    }

    /// Whether the value at an index is flagged as nonlinear.
    #[cfg(test)]
    pub(super) fn is_nonlinear(&self, index: &[usize]) -> bool {
        self.flags.as_ref().is_some_and(|flags| broadcast_at(flags, index) & NONLINEAR != 0)
    }

    /// The slope at an index.
    #[cfg(test)]
    pub(super) fn slope_at(&self, index: &[usize]) -> i64 {
        self.slopes.as_ref().map_or(0, |slopes| broadcast_at(slopes, index))
    }

    /// Whether the range contains a value.
    #[cfg(test)]
    pub(super) fn may_be(&self, value: i64) -> bool {
        (self.range.0..=self.range.1).contains(&value)
    }

    /// The first index whose only flag is [`FAULT`].
    pub fn first_fault(&self) -> Option<Vec<usize>> {
        let flags =
            self.flags.as_ref().filter(|flags| flags.iter().any(|flags| *flags == FAULT))?;
        flags
            .indexed_iter()
            .find(|(_, flags)| **flags == FAULT)
            .map(|(index, _)| index.slice().to_vec())
    }

    /// The values in one row of an array of two axes.
    pub fn row(&self, row: usize) -> Lane<'_, i64> {
        Lane::row(&self.values, row)
    }

    /// The slopes in one row of an array of two axes.
    pub fn slopes_of_row(&self, row: usize) -> Lane<'_, i64> {
        self.slopes.as_ref().map_or(Lane::One(0), |slopes| Lane::row(slopes, row))
    }

    /// The flags in one row of an array of two axes.
    pub fn flags_of_row(&self, row: usize) -> Lane<'_, u8> {
        self.flags.as_ref().map_or(Lane::One(0), |flags| Lane::row(flags, row))
    }

    /// Whether the range contains negative numbers.
    pub fn may_be_negative(&self) -> bool {
        self.range.0 < 0
    }

    /// Whether some value without flags is negative.
    pub fn is_negative(&self) -> bool {
        match &self.flags {
            None => self.values.iter().any(|value| *value < 0),
            Some(flags) => zip(&self.values, flags, |value, flags| value < 0 && flags == 0)
                .iter()
                .any(|is| *is),
        }
    }

    /// Whether all cells have the same known number, without flags.
    pub(super) fn is_one_number(&self) -> bool {
        self.values.len() == 1 && self.range.0 == self.range.1 && self.flags.is_none()
    }

    /// Creates cells from a lookup: `values` and `faults` map the lookup's results and faults to
    /// arrays; `flags` are those of the arguments.
    pub(super) fn looked_up(
        lookup: &Lookup,
        flags: Option<&ArrayD<u8>>,
        values: impl FnOnce(&[i64]) -> ArrayD<i64>,
        faults: impl FnOnce(&[u8]) -> ArrayD<u8>,
    ) -> Self {
        let own = (!lookup.faults.is_empty()).then(|| faults(&lookup.faults));
        let flags =
            union_flags(flags, own.as_ref().filter(|own| own.iter().any(|flag| *flag != 0)));
        Self { values: values(&lookup.results), slopes: None, flags, range: lookup.range }
    }
}

fn broadcast_at<A: Copy>(array: &ArrayD<A>, index: &[usize]) -> A {
    let index: Vec<usize> =
        index.iter().zip(array.shape()).map(|(i, n)| if *n == 1 { 0 } else { *i }).collect();
    array[IxDyn(&index)]
}

/// The union of two arrays of flags.
pub(super) fn union_flags(a: Option<&ArrayD<u8>>, b: Option<&ArrayD<u8>>) -> Option<ArrayD<u8>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(zip(a, b, |a, b| a | b)),
        (one, other) => one.or(other).cloned(),
    }
}

/// Removes the slopes, and flags the values that had one as [`NONLINEAR`].
pub fn without_slopes(cells: Cow<Cells>) -> Cow<Cells> {
    let Some(slopes) = &cells.slopes else { return cells };
    let nonlinear = map(slopes, |slope| if slope == 0 { 0 } else { NONLINEAR });
    let flags = union_flags(cells.flags.as_ref(), Some(&nonlinear));
    Cow::Owned(Cells { slopes: None, flags, ..cells.into_owned() })
}

/// Selects, cell by cell, `yes` where the condition holds and `no` elsewhere. Slopes and flags of
/// the branch that is not taken are ignored.
pub fn select(condition: &Cells, yes: &Cells, no: &Cells) -> Cells {
    debug_assert!(condition.slopes.is_none(), "truth values have no slopes");
    let chosen = &condition.values;
    let slopes = zip_or_zero(yes.slopes.as_ref(), no.slopes.as_ref(), |yes, no| {
        select_cells(chosen, yes, no)
    });
    let branch =
        zip_or_zero(yes.flags.as_ref(), no.flags.as_ref(), |yes, no| select_cells(chosen, yes, no));
    let flags = union_flags(condition.flags.as_ref(), branch.as_ref());
    Cells {
        values: select_cells(chosen, &yes.values, &no.values),
        slopes: slopes.filter(|slopes| slopes.iter().any(|slope| *slope != 0)),
        flags: flags.filter(|flags| flags.iter().any(|flag| *flag != 0)),
        range: interval::hull(yes.range, no.range),
    }
}

/// Combines two arrays with the same number of axes, using zeros in place of an absent one; `None`
/// if both are absent.
pub(super) fn zip_or_zero<A: Clone + Default>(
    a: Option<&ArrayD<A>>,
    b: Option<&ArrayD<A>>,
    make: impl FnOnce(&ArrayD<A>, &ArrayD<A>) -> ArrayD<A>,
) -> Option<ArrayD<A>> {
    let axes = a.or(b)?.ndim();
    let zero = ArrayD::from_elem(IxDyn(&vec![1; axes]), A::default());
    Some(make(a.unwrap_or(&zero), b.unwrap_or(&zero)))
}
