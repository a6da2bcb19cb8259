//! The tables that are embedded in the program.

use hog_tables::TABLES;

use super::Table;
use crate::rules::Rules;

/// Returns the shipped table for these rules, if there is one with the game's id and fingerprint.
pub fn shipped(rules: &Rules) -> Option<Table> {
    let (_, bytes) = TABLES.iter().find(|(id, _)| *id == rules.id)?;
    // Tests read every shipped table. One that fails here was damaged in memory, and is ignored.
    Table::from_bytes(bytes).ok().filter(|table| table.is_for(rules))
}
