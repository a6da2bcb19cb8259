//! The tables that come with the program.

use super::Table;
use crate::rules::{Overrides, Rules, builtins, rules_from_text};

/// Returns the shipped table for these rules, if there is one with the game's id that is for them.
pub fn shipped(rules: &Rules) -> Option<Table> {
    let bytes = hog_tables::table(&rules.id)?;
    // Tests read every shipped table. One that fails here was damaged in memory, and is ignored.
    Table::from_bytes(&bytes).ok().filter(|table| table.is_for(rules))
}

/// Returns the ids of the games for which a table is shipped.
pub fn shipped_games() -> Vec<&'static str> {
    let mut games = Vec::new();
    for game in builtins() {
        let rules = rules_from_text(game.text, game.id, Overrides::default());
        if rules.is_ok_and(|rules| shipped(&rules).is_some()) {
            games.push(game.id);
        }
    }
    games
}
