//! Encoding and decoding of a table's body; the only file that uses bincode.
//!
//! bincode 2.0.1 is pinned, in its legacy configuration (fixed-width little-endian integers,
//! lengths as u64). The crate is no longer maintained (RUSTSEC-2025-0141), but bincode 1 and
//! wincode give the same bytes and could replace it.

use std::io::{BufWriter, Read};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::version::{ANSWER_VERSION, BOUNDS_VERSION};
use super::{TableFault, sets};
use crate::game::most_states;
use crate::limits;
use crate::rules::{Overrides, Rules, rules_from_text};
use crate::solve;

/// The body of a table, with its fields in the order of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The text of the rule file, in UTF-8. A `Vec<u8>`, here and below, is encoded like a
    /// `String`, but decoding it allocates no more memory than there are bytes, whatever
    /// length is announced.
    pub rules: Vec<u8>,
    pub goal: u32,
    pub max_dice: i32,
    /// The name of the strategy that the table is a best response to, as on the command line;
    /// `None` for an equilibrium.
    pub against: Option<Vec<u8>>,
    /// True if the win rates are exact values rounded to nearest, false if they are within
    /// `error_bound` of the exact values.
    pub exact: bool,
    pub error_bound: f64,
    pub ties: u64,
    pub loops: u64,
    /// Win rates of the solved side: moving first, second, on average.
    pub rates: [f64; 3],
    /// The distinct sets of best actions, ascending.
    pub palette: Vec<u32>,
    /// For each state, the index of its set in `palette`: see [`super::sets`].
    pub sets: Vec<u8>,
    /// The mover's win rate in each state; empty in a packed table.
    pub win_rates: Vec<f64>,
    /// For each state, the action of the strategy that the table is a best response to; empty for
    /// an equilibrium. It is written last, and only if it is not empty, so that tables of
    /// equilibria have the same bytes as in version 1.
    #[serde(skip)]
    pub answered: Vec<u8>,
    /// The bounds of the states on loops; `None` if the game has none, in an exact table of a game
    /// whose loops do not depend on chance, and in tables of versions 1 and 2. They follow
    /// `answered`, which is then written in any case.
    #[serde(skip)]
    pub bounds: Option<StoredBounds>,
}

/// Bounds on win rates that prove themselves: see [`hog_check::LoopBounds`].
#[derive(Debug, Clone, PartialEq)]
pub struct StoredBounds {
    /// The mover's win rate in each state of the other side; empty for an equilibrium.
    pub other: Vec<f64>,
    /// Shared with the solution. In the file, its lists follow `other` in their order.
    pub on_cycles: Arc<solve::Bounds>,
}

/// Compresses fields one after the other.
struct Encoder {
    compressed: BufWriter<ZlibEncoder<Vec<u8>>>,
    /// The number of bytes before compression.
    inflated: usize,
}

impl Encoder {
    fn write(&mut self, field: &impl Serialize) {
        let config = bincode::config::legacy();
        self.inflated += bincode::serde::encode_into_std_write(field, &mut self.compressed, config)
            .expect("plain fields, written to memory");
    }
}

/// The first fields of a body, which determine how large it may be.
#[derive(Deserialize)]
pub struct BodyHead {
    pub rules: Vec<u8>,
    pub goal: u32,
    pub max_dice: i32,
    pub against: Option<Vec<u8>>,
}

/// Bodies of at most this many bytes are read without checking their size against the rules.
const SMALL: usize = 1 << 20;
/// The most bytes of a state: a set in the palette, its index, a win rate, an action of `answered`,
/// and the bounds of two sides with a win rate of the other.
const BYTES_A_STATE: u64 = 4 + sets::WIDEST as u64 + 8 + 1 + 2 * (4 + 8 + 8) + 8;
/// The most bytes of all other fields except the texts.
const OTHER_BYTES: u64 = 1024;

impl BodyHead {
    /// Decodes only the head.
    pub fn decode(compressed: &[u8]) -> Result<Self, TableFault> {
        let mut plain = Vec::new();
        // Bytes after the head may be missing or damaged; decoding the head fails if it does not
        // have enough bytes.
        let _ = ZlibDecoder::new(compressed).take(limits::TABLE_HEAD_BYTES).read_to_end(&mut plain);
        Self::of_plain(&plain)
    }

    fn of_plain(plain: &[u8]) -> Result<Self, TableFault> {
        let plain = &plain[..plain.len().min(limits::TABLE_HEAD_BYTES as usize)];
        let (head, _): (Self, usize) =
            bincode::serde::decode_from_slice(plain, bincode::config::legacy())
                .map_err(|_| TableFault::Damaged)?;
        Ok(head)
    }

    /// Parses the rules, as those of a game with this id.
    pub fn rules(&self, id: &str) -> Result<Rules, TableFault> {
        let max_dice = u32::try_from(self.max_dice).map_err(|_| TableFault::Damaged)?;
        let overrides = Overrides { goal: Some(self.goal), max_dice: Some(max_dice) };
        let text = std::str::from_utf8(&self.rules).map_err(|_| TableFault::Damaged)?;
        rules_from_text(text, id, overrides).map_err(|error| TableFault::Rules(error.to_string()))
    }

    /// Returns the most bytes of a body with this head.
    fn size_limit(&self) -> Result<u64, TableFault> {
        let states = most_states(&self.rules("the table")?);
        let head = self.rules.len() + self.against.as_ref().map_or(0, Vec::len);
        Ok(states.saturating_mul(BYTES_A_STATE).saturating_add(OTHER_BYTES + head as u64))
    }
}

impl Body {
    /// Returns the compressed bytes, and their number before compression.
    pub fn encode(&self) -> (Vec<u8>, usize) {
        // The last digits of win rates take most of the space and cannot be compressed: the best
        // level saves less than a tenth of a table in floats, and takes five times as long
        // for goal 1,000. Exact tables use it, so that their bytes never change.
        let level = if self.exact { Compression::best() } else { Compression::fast() };
        let compressed = BufWriter::with_capacity(1 << 16, ZlibEncoder::new(Vec::new(), level));
        let mut encoder = Encoder { compressed, inflated: 0 };
        encoder.write(self);
        if !self.answered.is_empty() || self.bounds.is_some() {
            encoder.write(&self.answered);
        }
        if let Some(StoredBounds { other, on_cycles }) = &self.bounds {
            let solve::Bounds { states, below, above } = &**on_cycles;
            encoder.write(&(other, states, below, above));
        }
        let compressed = encoder.compressed.into_inner().map(ZlibEncoder::finish);
        (compressed.expect("writing to memory").expect("writing to memory"), encoder.inflated)
    }

    /// Decodes compressed bytes. They must inflate to exactly `inflated` bytes, at most as many as
    /// a table of their rules has, with no bytes left over. `version` says which fields there are.
    pub fn decode(compressed: &[u8], inflated: usize, version: u32) -> Result<Self, TableFault> {
        // Grows with the bytes read, and stops one byte past the announced length: a false length
        // allocates nothing.
        let mut plain = Vec::new();
        let mut decoder = ZlibDecoder::new(compressed).take(SMALL.min(inflated) as u64 + 1);
        decoder.read_to_end(&mut plain).map_err(|_| TableFault::Damaged)?;
        if inflated > SMALL {
            decoder
                .set_limit((limits::TABLE_HEAD_BYTES as usize).saturating_sub(plain.len()) as u64);
            decoder.read_to_end(&mut plain).map_err(|_| TableFault::Damaged)?;
            let most = BodyHead::of_plain(&plain)?.size_limit()?;
            if inflated as u64 > most {
                return Err(TableFault::Oversized { announced: inflated as u64, most });
            }
            decoder.set_limit((inflated + 1).saturating_sub(plain.len()) as u64);
            decoder.read_to_end(&mut plain).map_err(|_| TableFault::Damaged)?;
        }
        if plain.len() != inflated || decoder.into_inner().total_in() != compressed.len() as u64 {
            return Err(TableFault::Damaged);
        }
        // The lengths of fields are not trusted either: each vector is read from the bytes in
        // memory, whose number is limited.
        let limited = bincode::config::legacy().with_limit::<{ 2 << 30 }>();
        let (mut body, mut read): (Self, usize) =
            bincode::serde::decode_from_slice(&plain, limited).map_err(|_| TableFault::Damaged)?;
        if version >= ANSWER_VERSION {
            let more;
            (body.answered, more) = bincode::serde::decode_from_slice(&plain[read..], limited)
                .map_err(|_| TableFault::Damaged)?;
            read += more;
        }
        if version >= BOUNDS_VERSION {
            let ((other, states, below, above), more) =
                bincode::serde::decode_from_slice(&plain[read..], limited)
                    .map_err(|_| TableFault::Damaged)?;
            let on_cycles = Arc::new(solve::Bounds { states, below, above });
            body.bounds = Some(StoredBounds { other, on_cycles });
            read += more;
        }
        if read == plain.len() { Ok(body) } else { Err(TableFault::Damaged) }
    }
}
