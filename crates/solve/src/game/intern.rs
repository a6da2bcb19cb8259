//! Interning: numbers distinct items in the order of their first occurrence.

use std::hash::Hash;

use foldhash::fast::FixedState;
use indexmap::{Equivalent, IndexSet};

/// Assigns consecutive numbers from 0 to distinct items, in the order of their first occurrence.
#[derive(Debug)]
pub(crate) struct Interner<K> {
    items: IndexSet<K, FixedState>,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { items: IndexSet::default() }
    }
}

impl<K: Hash + Eq> Interner<K> {
    /// Creates an empty interner.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of `item`, adding it if it is new.
    pub fn number(&mut self, item: K) -> u32 {
        self.items.insert_full(item).0 as u32
    }

    /// Returns the number of the item equivalent to `item`; if it is new, adds the result of
    /// `make`.
    pub fn number_of<Q: Hash + Equivalent<K> + ?Sized>(
        &mut self,
        item: &Q,
        make: impl FnOnce() -> K,
    ) -> u32 {
        match self.items.get_index_of(item) {
            Some(number) => number as u32,
            None => self.number(make()),
        }
    }

    /// The number of items.
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// The items, indexed by their number.
    pub fn into_items(self) -> Vec<K> {
        self.items.into_iter().collect()
    }
}
