//! What may be wrong with the bytes of a table.

use crate::limits;

use super::version::{BOUNDS_VERSION, VERSION};

/// A fault in the bytes of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// The bytes do not begin like a table.
    #[error("this is not a hog table")]
    Foreign,
    /// The table has a format version that this program does not read.
    #[error("it has format version {found}, this program reads versions {VERSION} to \
        {BOUNDS_VERSION}; {}", advice(.found))]
    Version {
        /// The table's format version.
        found: u32,
    },
    /// The end of the file is missing.
    #[error("it is cut short; copy or solve it again")]
    Truncated,
    /// The checksum or the contents are inconsistent.
    #[error("it is damaged (its checksum or contents do not fit); copy or solve it again")]
    Damaged,
    /// The rules inside the table are not valid.
    #[error("the rules inside it are not valid: {0}")]
    Rules(String),
    /// The header announces more bytes than a table of its rules can have.
    #[error(
        "it announces {announced} bytes, and a table of its rules has at most {most}; solve it \
         again"
    )]
    Oversized {
        /// The number of bytes that the header announces.
        announced: u64,
        /// The most bytes that a table of its rules has.
        most: u64,
    },
    /// The table was solved for other rules than those requested.
    #[error("it was solved for {found}, not for {wanted}{}", shown(.differences))]
    OtherRules {
        /// The game that the table was solved for.
        found: Box<str>,
        /// The game that was requested.
        wanted: Box<str>,
        /// The differences between the table's rules and those requested, in words.
        differences: Box<[String]>,
    },
}

fn advice(found: &u32) -> &'static str {
    if *found > BOUNDS_VERSION { "update hog" } else { "solve it again" }
}

fn shown(differences: &[String]) -> String {
    let (first, remaining) = differences.split_at(differences.len().min(limits::SHOWN_DIFFERENCES));
    let more = if remaining.is_empty() {
        String::new()
    } else {
        format!("; and {} more differences", remaining.len())
    };
    if first.is_empty() { String::new() } else { format!(": {}{more}", first.join("; ")) }
}
