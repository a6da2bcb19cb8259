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
use crate::game::SizeEstimate;
use crate::rules::{LARGEST_FILE, Overrides, Rules, rules_from_text};

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
    /// For each state the action of the strategy it answers; empty for an equilibrium. Written after all else, and only
    /// where there is one, so that tables of equilibria have the same bytes as in version 1.
    #[serde(skip)]
    pub answered: Vec<u8>,
}

/// What a body begins with: all that says how large it may be.
#[derive(Deserialize)]
pub struct BodyHead {
    pub rules: Vec<u8>,
    pub goal: u32,
    pub max_dice: i32,
    pub against: Option<Vec<u8>>,
}

/// The most bytes that a head takes: its rules are no longer than a rule file, and strategies have short names.
const LARGEST_HEAD: u64 = LARGEST_FILE + (64 << 10);
/// Bodies up to here are read without asking what their rules say.
const SMALL: usize = 1 << 20;
/// Bytes of a state at most: a set, a win rate, and an action of the strategy answered.
const BYTES_A_STATE: u64 = 2 + 8 + 1;
/// All sets that occur at most, and the numbers between the fields.
const BYTES_BESIDE: u64 = 4 * 65_536 + 1024;

impl BodyHead {
    /// Reads the head alone.
    pub fn decode(compressed: &[u8]) -> Result<Self, TableFault> {
        let mut plain = Vec::new();
        // What follows may be cut off or damaged: then there is less to read the head from.
        let _ = ZlibDecoder::new(compressed).take(LARGEST_HEAD).read_to_end(&mut plain);
        Self::of_plain(&plain)
    }

    fn of_plain(plain: &[u8]) -> Result<Self, TableFault> {
        let plain = &plain[..plain.len().min(LARGEST_HEAD as usize)];
        let (head, _): (Self, usize) =
            bincode::serde::decode_from_slice(plain, bincode::config::legacy()).map_err(|_| TableFault::Damaged)?;
        Ok(head)
    }

    /// The rules, as those of a game of that name.
    pub fn rules(&self, id: &str) -> Result<Rules, TableFault> {
        let max_dice = u32::try_from(self.max_dice).map_err(|_| TableFault::Damaged)?;
        let overrides = Overrides { goal: Some(self.goal), max_dice: Some(max_dice) };
        crate::rules::check_overrides(overrides).map_err(|error| TableFault::Rules(error.to_string()))?;
        let text = std::str::from_utf8(&self.rules).map_err(|_| TableFault::Damaged)?;
        rules_from_text(text, id, overrides).map_err(|faults| TableFault::Rules(faults.to_string()))
    }

    /// The most bytes of a body that begins so.
    fn most(&self) -> Result<u64, TableFault> {
        let states = SizeEstimate::of(&self.rules("the table")?).states;
        let head = self.rules.len() + self.against.as_ref().map_or(0, Vec::len);
        Ok(states.saturating_mul(BYTES_A_STATE).saturating_add(BYTES_BESIDE + head as u64))
    }
}

fn encoded(plain: &impl Serialize) -> Vec<u8> {
    bincode::serde::encode_to_vec(plain, bincode::config::legacy()).expect("a body has only plain fields")
}

impl Body {
    /// The bytes, and their number before compression.
    pub fn encode(&self) -> (Vec<u8>, usize) {
        let mut plain = encoded(self);
        if !self.answered.is_empty() {
            plain.extend(encoded(&self.answered));
        }
        // The last digits of win rates take most of the room and cannot be made smaller: trying harder saves less than a tenth
        // of a table of floats, and to goal 1,000 takes five times as long. Exact tables keep their bytes.
        let level = if self.exact { Compression::best() } else { Compression::fast() };
        let mut encoder = ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(&plain).expect("writing to memory");
        (encoder.finish().expect("writing to memory"), plain.len())
    }

    /// Reads the bytes, which must inflate to exactly `inflated` bytes, no more than their rules call for, and hold nothing
    /// more. `answers` says that the rolls of the strategy answered follow.
    pub fn decode(compressed: &[u8], inflated: usize, answers: bool) -> Result<Self, TableFault> {
        // Grows as bytes come, and stops one past what was announced: a lying length allocates nothing.
        let mut plain = Vec::new();
        let mut decoder = ZlibDecoder::new(compressed).take(SMALL.min(inflated) as u64 + 1);
        decoder.read_to_end(&mut plain).map_err(|_| TableFault::Damaged)?;
        if inflated > SMALL {
            decoder.set_limit((LARGEST_HEAD as usize).saturating_sub(plain.len()) as u64);
            decoder.read_to_end(&mut plain).map_err(|_| TableFault::Damaged)?;
            let most = BodyHead::of_plain(&plain)?.most()?;
            if inflated as u64 > most {
                return Err(TableFault::Oversized { announced: inflated as u64, most });
            }
            decoder.set_limit((inflated + 1).saturating_sub(plain.len()) as u64);
            decoder.read_to_end(&mut plain).map_err(|_| TableFault::Damaged)?;
        }
        if plain.len() != inflated || decoder.into_inner().total_in() != compressed.len() as u64 {
            return Err(TableFault::Damaged);
        }
        // Lengths inside are claims too: each vector is read from the bytes at hand, which are few enough.
        let limited = bincode::config::legacy().with_limit::<{ 2 << 30 }>();
        let (mut body, mut read): (Self, usize) =
            bincode::serde::decode_from_slice(&plain, limited).map_err(|_| TableFault::Damaged)?;
        if answers {
            let more;
            (body.answered, more) =
                bincode::serde::decode_from_slice(&plain[read..], limited).map_err(|_| TableFault::Damaged)?;
            read += more;
        }
        if read == plain.len() { Ok(body) } else { Err(TableFault::Damaged) }
    }
}
