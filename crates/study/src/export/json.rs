//! JSON: the game and its win rate, then one object per state with all its best rolls.

use std::io::{self, Write};

use serde_json::{Map, json};

use super::{AboutTable, SolvedTable};
use crate::game::memory_names;

/// Writes JSON, one state per line.
pub(super) fn write(solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()> {
    let AboutTable { game, win_rate, against, command } = solved.about;
    let rules = game.rules();
    let head = json!({
        "rules": rules.id, "goal": rules.goal, "max_dice": rules.max_dice,
        "command": command,
        "objective": if against.is_some() { "best_response" } else { "equilibrium" },
        "against": against, "win_rate": win_rate,
    });
    let head = head.to_string();
    writeln!(out, "{},\"states\":[", head.strip_suffix('}').expect("an object"))?;
    let names = memory_names(rules);
    for (state, win_rate) in solved.win_rates.iter().enumerate() {
        let position = game.position(state);
        let mut entry = Map::new();
        entry.insert("score".into(), position.score.into());
        entry.insert("opponent".into(), position.opponent.into());
        entry.extend(
            names.iter().zip(position.memory).map(|(name, value)| (name.clone(), value.into())),
        );
        entry.insert("win_rate".into(), (*win_rate).into());
        entry.insert("best".into(), game.space().dice_in(solved.best(state)).into());
        let comma = if state + 1 < solved.win_rates.len() { "," } else { "" };
        writeln!(out, "{}{comma}", serde_json::Value::Object(entry))?;
    }
    writeln!(out, "]}}")
}
