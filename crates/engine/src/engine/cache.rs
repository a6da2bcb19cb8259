//! A cache of limited size that evicts the least recently used entries, and one of results about
//! games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::game::Game;

/// Values by key, each with a size in bytes.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    /// From the least to the most recently used.
    entries: Vec<(K, V, u64)>,
    /// The largest total size.
    most: u64,
}

/// What an entry takes besides its value, in bytes: this also bounds the number of small ones,
/// which are searched in turn.
const EACH: u64 = 4 << 10;

impl<K: PartialEq, V: Clone> Cache<K, V> {
    /// Creates a cache for values that take at most `most` bytes together.
    pub fn new(most: u64) -> Self {
        Self { entries: Vec::new(), most }
    }

    /// Returns the value of a key and marks it as the most recently used.
    pub fn get(&mut self, key: &K) -> Option<V> {
        let place = self.entries.iter().position(|(known, ..)| known == key)?;
        let entry = self.entries.remove(place);
        let value = entry.1.clone();
        self.entries.push(entry);
        Some(value)
    }

    /// Adds a value of this many bytes, unless it alone exceeds the capacity, and returns it. If
    /// the key is present, its value stays and is returned instead.
    pub fn add(&mut self, key: K, value: V, bytes: u64) -> V {
        if let Some(known) = self.get(&key) {
            return known;
        }
        let weight = bytes.saturating_add(EACH);
        if weight <= self.most {
            self.entries.push((key, value.clone(), weight));
            let mut held: u64 = self.entries.iter().map(|(.., weight)| weight).sum();
            while held > self.most {
                held -= self.entries.remove(0).2;
            }
        }
        value
    }
}

/// Locks a cache. A poisoned lock is safe to use: a panic cannot leave a cache half changed.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Results about games, by the game and a key.
pub(super) struct Results<K, V>(Mutex<Cache<(usize, K), GameResult<V>>>);

/// A result about a game.
#[derive(Clone)]
struct GameResult<V> {
    /// While it exists no other game can get the address; the game's tables end with the game.
    _game: Weak<Game>,
    value: V,
}

impl<K: PartialEq, V: Clone> Results<K, V> {
    /// Creates a cache for results that take at most `most` bytes together.
    pub fn new(most: u64) -> Self {
        Self(Mutex::new(Cache::new(most)))
    }

    /// Returns the result of a game if it is known.
    pub fn get(&self, game: &Arc<Game>, key: K) -> Option<V> {
        locked(&self.0).get(&(Arc::as_ptr(game) as usize, key)).map(|known| known.value)
    }

    /// Returns the result of a game, or computes and keeps it; `bytes` is what it takes.
    pub fn get_or<E>(
        &self,
        game: &Arc<Game>,
        key: K,
        bytes: impl FnOnce(&V) -> usize,
        compute: impl FnOnce() -> Result<V, E>,
    ) -> Result<V, E> {
        let key = (Arc::as_ptr(game) as usize, key);
        if let Some(known) = locked(&self.0).get(&key) {
            return Ok(known.value);
        }
        let value = compute()?;
        let weight = bytes(&value) as u64;
        let entry = GameResult { _game: Arc::downgrade(game), value };
        Ok(locked(&self.0).add(key, entry, weight).value)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, EACH};

    #[test]
    fn the_least_recently_used_entry_is_evicted_and_a_value_over_capacity_is_not_kept() {
        let mut cache = Cache::new(10 + 2 * EACH);
        cache.add("a", 1, 4);
        cache.add("b", 2, 4);
        assert_eq!(cache.get(&"a"), Some(1));
        cache.add("c", 3, 4);
        assert_eq!([cache.get(&"a"), cache.get(&"b"), cache.get(&"c")], [Some(1), None, Some(3)]);
        assert_eq!(cache.add("d", 4, 11 + EACH), 4);
        assert_eq!([cache.get(&"d"), cache.get(&"a")], [None, Some(1)]);
    }

    #[test]
    fn a_second_value_does_not_replace_the_first() {
        let mut cache = Cache::new(10 + EACH);
        assert_eq!([cache.add("a", 1, 1), cache.add("a", 2, 1)], [1, 1]);
    }
}
