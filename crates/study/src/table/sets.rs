//! The sets of best actions in a table: the distinct ones, and for each state the index of its set.
//!
//! An index has one byte if there are at most 256 sets, two if there are at most 65,536, and four
//! otherwise; the low byte comes first.

use crate::game::DiceSet;

/// The most bytes of an index.
pub const WIDEST: usize = 4;

/// Returns the bytes of an index of one of so many sets.
fn width(sets: usize) -> usize {
    match sets {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => WIDEST,
    }
}

/// Returns the distinct sets, ascending, and the bytes of all indices.
pub fn pack(sets: &[DiceSet]) -> (Vec<DiceSet>, Vec<u8>) {
    let mut palette: Vec<DiceSet> = sets.to_vec();
    palette.sort_unstable();
    palette.dedup();
    let width = width(palette.len());
    let mut packed = Vec::with_capacity(sets.len() * width);
    for set in sets {
        let index = palette.binary_search(set).expect("in the palette") as u32;
        packed.extend_from_slice(&index.to_le_bytes()[..width]);
    }
    (palette, packed)
}

/// Returns the set of each state; `None` if the bytes are not indices of the palette.
pub fn unpack(palette: &[DiceSet], packed: &[u8]) -> Option<Vec<DiceSet>> {
    let indices = packed.chunks_exact(width(palette.len()));
    if !indices.remainder().is_empty() {
        return None;
    }
    let mut sets = Vec::with_capacity(indices.len());
    for bytes in indices {
        let index = bytes.iter().rev().fold(0, |index, byte| index << 8 | usize::from(*byte));
        sets.push(*palette.get(index)?);
    }
    Some(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_sets_is_read_back() {
        for (count, bytes) in [(1, 1), (256, 1), (257, 2), (65_536, 2), (65_537, 4), (90_000, 4)] {
            // Each set is met; neighbours have distant indices, and the first is met again.
            let order = (0..count).map(|place: u64| (place * 7_919 % count) as u32 + 1);
            let sets: Vec<DiceSet> = order.chain([1]).collect();
            let (palette, packed) = pack(&sets);
            assert_eq!(
                (palette.len() as u64, packed.len()),
                (count, bytes * sets.len()),
                "{count}"
            );
            assert!(unpack(&palette, &packed).as_ref() == Some(&sets), "{count}");
            let cut = &packed[..packed.len() - 1];
            assert!(bytes == 1 || unpack(&palette, cut).is_none(), "{count}: half an index");
        }
    }
}
