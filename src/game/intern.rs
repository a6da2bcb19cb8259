//! Numbers for things in the order in which they first come up.

use std::hash::Hash;

use foldhash::fast::FixedState;
use indexmap::{Equivalent, IndexSet};

/// Numbers things in the order they first come up.
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
    /// Nothing is numbered yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of `item`.
    pub fn number(&mut self, item: K) -> u32 {
        self.items.insert_full(item).0 as u32
    }

    /// The number of what is like `item`, which is made only if it is new.
    pub fn number_of<Q: Hash + Equivalent<K> + ?Sized>(&mut self, item: &Q, make: impl FnOnce() -> K) -> u32 {
        match self.items.get_index_of(item) {
            Some(number) => number as u32,
            None => self.number(make()),
        }
    }

    /// The items by number.
    pub fn into_items(self) -> Vec<K> {
        self.items.into_iter().collect()
    }
}
