//! The tables that come with the program, embedded in it.

use super::Table;
use crate::rules::Rules;

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The shipped table for these rules, if there is one: the game's id is looked up, then its fingerprint compared.
pub fn shipped(rules: &Rules) -> Option<Table> {
    let (_, bytes) = TABLES.iter().find(|(id, _)| *id == rules.id)?;
    // Tests read every shipped table, so a table that fails here was damaged in memory: as if there were none.
    Table::from_bytes(bytes).ok().filter(|table| table.is_for(rules))
}
