//! The body of a table in bytes: the only file that names bincode.
//!
//! bincode 2.0.1 is pinned in its legacy configuration (fixed-width little-endian integers, lengths as u64). Those
//! bytes equal bincode 1's and wincode's, so there is a way on although the crate is no longer maintained
//! (RUSTSEC-2025-0141).

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::TableFault;

/// What a table holds, as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The text of the rule file, UTF-8. Bytes here and below, and not strings, which have the same bytes in the file:
    /// for bytes no more memory is taken than comes, whatever length is announced.
    pub rules: Vec<u8>,
    pub goal: u32,
    pub max_dice: i32,
    /// The strategy it is a best response to, as on the command line; none for an equilibrium.
    pub against: Option<Vec<u8>>,
    /// True if win rates are exact values rounded to nearest, false if they are within the bound.
    pub exact: bool,
    pub error_bound: f64,
    pub ties: u64,
    pub loops: u64,
    /// Win rates of the solved side: moving first, second, on average.
    pub rates: [f64; 3],
    /// Sets of best dice that occur.
    pub palette: Vec<u32>,
    /// For each state the index of its set, in one byte if there are at most 256, else in two, low byte first.
    pub sets: Vec<u8>,
    /// The mover's win rate of each state; empty in a packed table.
    pub win_rates: Vec<f64>,
}

impl Body {
    /// The bytes, and their number before compression.
    pub fn encode(&self) -> (Vec<u8>, usize) {
        let plain =
            bincode::serde::encode_to_vec(self, bincode::config::legacy()).expect("a body has only plain fields");
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&plain).expect("writing to memory");
        (encoder.finish().expect("writing to memory"), plain.len())
    }

    /// Reads the bytes, which must inflate to exactly `inflated` bytes and hold nothing more.
    pub fn decode(compressed: &[u8], inflated: usize) -> Result<Self, TableFault> {
        // Grows as bytes come, and stops one past what was announced: a lying length allocates nothing.
        let mut plain = Vec::new();
        let mut decoder = ZlibDecoder::new(compressed).take(inflated as u64 + 1);
        decoder.read_to_end(&mut plain).map_err(|_| TableFault::Damaged)?;
        if plain.len() != inflated || decoder.into_inner().total_in() != compressed.len() as u64 {
            return Err(TableFault::Damaged);
        }
        // Lengths inside are claims too: each vector is read from the bytes at hand, which are few enough.
        let (body, read): (Self, usize) =
            bincode::serde::decode_from_slice(&plain, bincode::config::legacy().with_limit::<{ 2 << 30 }>())
                .map_err(|_| TableFault::Damaged)?;
        if read == plain.len() { Ok(body) } else { Err(TableFault::Damaged) }
    }
}
