//! Lookup tables of functions with small ranges of arguments.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::FixedState;

use crate::limits;

use super::Operator;
use super::functions::FUNCTIONS;
use super::interval::{self, IntegerInterval};

/// The function of a lookup: a number function, or a slow operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Computed {
    Function(usize),
    Operator(Operator),
}

impl Computed {
    /// The result, or `None` if there is none.
    pub fn apply(self, arguments: &[i64]) -> Option<i64> {
        match self {
            Self::Function(function) => (FUNCTIONS[function].apply)(arguments),
            Self::Operator(operator) => operator.apply(arguments[0], arguments[1]),
        }
    }
}

/// The results of a function for all combinations of its arguments, the last argument varying
/// fastest.
#[derive(Debug)]
pub(super) struct Lookup {
    /// The results; 0 where the function has no value.
    pub results: Vec<i64>,
    /// 1 where the function has no value; empty if it has one everywhere.
    pub faults: Vec<u8>,
    /// The hull of the results.
    pub range: IntegerInterval,
}

impl Lookup {
    /// Computes all results; `None` if the work is to stop.
    fn new(
        computed: Computed,
        arguments: &[IntegerInterval],
        size: usize,
        going: GoingOn,
    ) -> Option<Self> {
        let mut row: Vec<i64> = arguments.iter().map(|interval| interval.0).collect();
        let mut results = Vec::with_capacity(size);
        let mut faults = Vec::new();
        for place in 0..size {
            if !going.is_asked_at(place) {
                return None;
            }
            let result = computed.apply(&row);
            results.push(result.unwrap_or(0));
            if result.is_none() {
                faults.resize(size, 0);
                faults[place] = 1;
            }
            for (value, interval) in row.iter_mut().zip(arguments).rev() {
                if *value < interval.1 {
                    *value += 1;
                    break;
                }
                *value = interval.0;
            }
        }
        let range = (
            results.iter().copied().min().unwrap_or(0),
            results.iter().copied().max().unwrap_or(0),
        );
        Some(Self { results, faults, range })
    }
}

/// A callback that returns whether to continue; without one, the work always continues.
#[derive(Clone, Copy, Default)]
pub(super) struct GoingOn<'w>(Option<&'w (dyn Fn() -> bool + Sync)>);

/// The number of values between two calls of the callback: some functions take a millisecond.
const VALUES_BETWEEN: usize = 64;

impl GoingOn<'_> {
    /// Whether to continue with the value at this place; asks only at every [`VALUES_BETWEEN`]th.
    pub fn is_asked_at(self, place: usize) -> bool {
        !place.is_multiple_of(VALUES_BETWEEN) || self.0.is_none_or(|keep_going| keep_going())
    }
}

impl std::fmt::Debug for GoingOn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GoingOn")
    }
}

/// The function of a lookup, and the ranges of its arguments.
type LookupKey = (Computed, Vec<IntegerInterval>);

/// A cache of lookups, shared by all parts of a tabulation, and what stops it.
#[derive(Debug, Default)]
pub struct Lookups<'w> {
    known: Mutex<KnownLookups>,
    pub(super) going: GoingOn<'w>,
}

/// The lookups computed so far, and the number of their results.
#[derive(Debug, Default)]
struct KnownLookups {
    lookups: HashMap<LookupKey, Arc<Lookup>, FixedState>,
    results: usize,
}

impl<'w> Lookups<'w> {
    /// Creates a cache for formulas whose evaluation ends soon after `keep_going` returns false.
    /// Values that are left out count as missing: the caller has to notice that it was stopped.
    pub fn watched(keep_going: &'w (dyn Fn() -> bool + Sync)) -> Self {
        Self { going: GoingOn(Some(keep_going)), ..Self::default() }
    }

    /// Returns the lookup of a function over these ranges of arguments; `None` if it would have
    /// more results than `asked`, the number of values needed, or than [`limits::LOOKUP_RESULTS`],
    /// or all lookups more than [`limits::ALL_LOOKUP_RESULTS`], and if the work is to stop.
    pub(super) fn over(
        &self,
        computed: Computed,
        arguments: Vec<IntegerInterval>,
        asked: usize,
    ) -> Option<Arc<Lookup>> {
        let mut counts = arguments.iter().map(|interval| interval::count(*interval));
        let size = counts.try_fold(1usize, |size, count| size.checked_mul(count?))?;
        if size > asked.min(limits::LOOKUP_RESULTS) {
            return None;
        }
        let key = (computed, arguments);
        {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(lookup) = known.lookups.get(&key) {
                return Some(lookup.clone());
            }
            if known.results + size > limits::ALL_LOOKUP_RESULTS {
                return None;
            }
        }
        // Two threads may compute the same lookup: that is cheaper than waiting for each other.
        let lookup = Arc::new(Lookup::new(computed, &key.1, size, self.going)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.results += size;
        known.lookups.insert(key, lookup.clone());
        Some(lookup)
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::find;
    use super::*;

    #[test]
    fn all_lookups_together_have_a_limit() {
        let (lookups, ones) = (Lookups::default(), Computed::Function(find("ones").unwrap()));
        let size = limits::LOOKUP_RESULTS as i64;
        let over =
            |part: i64| lookups.over(ones, vec![(part * size, (part + 1) * size - 1)], usize::MAX);
        let known: Vec<bool> = (0..10).map(|part| over(part).is_some()).collect();
        assert_eq!(
            known.iter().filter(|known| **known).count(),
            limits::ALL_LOOKUP_RESULTS / limits::LOOKUP_RESULTS,
            "{known:?}"
        );
        assert_eq!(over(0).unwrap().results[17], 7, "those that are known stay");
    }
}
