//! A short hash for names and accidents. Anyone can make a text with a given hash: it does not tell
//! apart what strangers send.

/// Returns the 64-bit FNV-1a hash (Fowler, Noll, Vo) of some bytes.
pub fn fnv_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv_64;

    /// The values of the authors' list of test vectors.
    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(
            [fnv_64(b""), fnv_64(b"a"), fnv_64(b"foobar")],
            [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]
        );
    }
}
