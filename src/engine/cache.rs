//! What is kept of earlier calls: as much as fits, the longest unused goes first.

/// Values by their keys, each with a weight.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    /// The last used at the end.
    entries: Vec<(K, V, u64)>,
    most: u64,
}

impl<K: PartialEq, V: Clone> Cache<K, V> {
    /// Room for values that weigh so much in all.
    pub fn new(most: u64) -> Self {
        Self { entries: Vec::new(), most }
    }

    /// The value of a key, which is then the last used.
    pub fn get(&mut self, key: &K) -> Option<V> {
        let place = self.entries.iter().position(|(known, ..)| known == key)?;
        let entry = self.entries.remove(place);
        let value = entry.1.clone();
        self.entries.push(entry);
        Some(value)
    }

    /// Keeps a value unless it alone is too heavy. The value of a key that is there is kept, and is the answer.
    pub fn add(&mut self, key: K, value: V, weight: u64) -> V {
        if let Some(known) = self.get(&key) {
            return known;
        }
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

#[cfg(test)]
mod tests {
    use super::Cache;

    #[test]
    fn the_longest_unused_goes_first_and_the_heaviest_never_comes_in() {
        let mut cache = Cache::new(10);
        cache.add("a", 1, 4);
        cache.add("b", 2, 4);
        assert_eq!(cache.get(&"a"), Some(1));
        cache.add("c", 3, 4);
        assert_eq!([cache.get(&"a"), cache.get(&"b"), cache.get(&"c")], [Some(1), None, Some(3)]);
        assert_eq!(cache.add("d", 4, 11), 4);
        assert_eq!([cache.get(&"d"), cache.get(&"a")], [None, Some(1)]);
    }

    #[test]
    fn the_first_of_two_values_stays() {
        let mut cache = Cache::new(10);
        assert_eq!([cache.add("a", 1, 1), cache.add("a", 2, 1)], [1, 1]);
    }
}
