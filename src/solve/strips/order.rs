//! Sorting by small numbers.

/// Items in ascending order of a key below `keys`, those of equal keys in the order in which they came, and for each key
/// the place of its first item, then the number of all.
pub(super) fn in_order<T: Clone>(items: &[T], keys: usize, key: impl Fn(&T) -> usize) -> (Vec<T>, Vec<usize>) {
    let mut first = vec![0; keys + 1];
    items.iter().for_each(|item| first[key(item) + 1] += 1);
    for key in 0..keys {
        first[key + 1] += first[key];
    }
    let (mut next, mut sorted) = (first.clone(), items.to_vec());
    for item in items {
        let place = &mut next[key(item)];
        sorted[*place] = item.clone();
        *place += 1;
    }
    (sorted, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_keep_their_order() {
        let items = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')];
        let (sorted, first) = in_order(&items, 5, |item| item.0);
        assert_eq!(sorted, [(0, 'b'), (0, 'e'), (2, 'a'), (2, 'c'), (3, 'd')]);
        assert_eq!(first, [0, 2, 2, 4, 5, 5]);
        assert_eq!(in_order(&[] as &[usize], 1, |item| *item), (vec![], vec![0, 0]));
    }
}
