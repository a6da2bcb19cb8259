//! The header of a `.hog` table: its first 64 bytes, all little-endian.
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 8 | magic: 89 48 4F 47 0D 0A 1A 0A |
//! | 8 | 4 | version of the format: 1, 2 or 3 |
//! | 12 | 4 | CRC-32 (IEEE) of all bytes from 16 to the end of the file |
//! | 16 | 8 | fingerprint of the rules ([`crate::rules::Rules::fingerprint`]) |
//! | 24 | 8 | length of the body in the file |
//! | 32 | 8 | length of the body once inflated |
//! | 40 | 24 | id of the game, UTF-8, padded with zeros |
//!
//! The body follows, compressed with zlib, up to the end of the file. The magic is like PNG's: it
//! reveals files damaged by a text conversion. Version 2 is for a best response that holds the
//! opponent's rolls, 3 for a table with the bounds of loops.

use crate::limits;

use super::TableFault;
use super::version::{BOUNDS_VERSION, VERSION};

/// The length of the header.
pub const HEADER: usize = 64;
/// The first bytes of a table.
pub const MAGIC: [u8; 8] = [0x89, b'H', b'O', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// A header whose magic, version, lengths and checksum are valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The fingerprint of the rules that the table was solved for.
    pub fingerprint: u64,
    /// The version of the format, which says what the body holds.
    pub version: u32,
    /// The length of the inflated body, at most [`limits::TABLE_BODY_BYTES`].
    pub inflated: usize,
    /// The game's id.
    pub id: String,
}

impl Header {
    /// Returns the bytes of the file: the header and the compressed body.
    pub fn seal(&self, body: &[u8]) -> Vec<u8> {
        let mut id = [0u8; 24];
        for (place, byte) in id.iter_mut().zip(self.id.bytes()) {
            *place = byte;
        }
        let mut file = Vec::with_capacity(HEADER + body.len());
        file.extend(MAGIC);
        file.extend(self.version.to_le_bytes());
        file.extend([0; 4]);
        file.extend(self.fingerprint.to_le_bytes());
        file.extend((body.len() as u64).to_le_bytes());
        file.extend((self.inflated as u64).to_le_bytes());
        file.extend(id);
        file.extend(body);
        let checksum = crc32fast::hash(&file[16..]);
        file[12..16].copy_from_slice(&checksum.to_le_bytes());
        file
    }

    /// Reads and checks the header of a complete file; returns the header and the compressed body.
    ///
    /// # Errors
    /// Returns an error if the file is not a table, has another version, or is cut short, too long
    /// or damaged.
    pub fn open(file: &[u8]) -> Result<(Self, &[u8]), TableFault> {
        if file.len() < 8 || file[..8] != MAGIC {
            return Err(if file.len() < 8 && MAGIC.starts_with(file) {
                TableFault::Truncated
            } else {
                TableFault::Foreign
            });
        }
        // First of all: another version may have other fields after this one.
        let version = u32::from_le_bytes(take(file, 8)?);
        if !(VERSION..=BOUNDS_VERSION).contains(&version) {
            return Err(TableFault::Version { found: version });
        }
        let body = u64::from_le_bytes(take(file, 24)?);
        let inflated = u64::from_le_bytes(take(file, 32)?);
        let id: [u8; 24] = take(file, 40)?;
        let there = (file.len() - HEADER) as u64;
        if there < body {
            return Err(TableFault::Truncated);
        }
        let checksum = u32::from_le_bytes(take(file, 12)?);
        if crc32fast::hash(&file[16..]) != checksum
            || there > body
            || inflated > limits::TABLE_BODY_BYTES
        {
            return Err(TableFault::Damaged);
        }
        let id = id.split(|byte| *byte == 0).next().unwrap_or_default();
        let id = String::from_utf8(id.to_vec()).map_err(|_| TableFault::Damaged)?;
        let header = Self {
            fingerprint: u64::from_le_bytes(take(file, 16)?),
            version,
            inflated: inflated as usize,
            id,
        };
        Ok((header, &file[HEADER..]))
    }
}

fn take<const N: usize>(file: &[u8], at: usize) -> Result<[u8; N], TableFault> {
    file.get(at..at + N).and_then(|bytes| bytes.try_into().ok()).ok_or(TableFault::Truncated)
}
