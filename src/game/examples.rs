//! Runs the worked examples of a rule file.

use crate::rules::{Example, Faults, Rules};

use super::{Position, memory_names, take_turn};

/// Plays every example of the rules; the number of examples if all hold.
///
/// # Errors
/// Each example that does not hold, with what happened instead.
pub fn check_examples(rules: &Rules) -> Result<usize, Faults> {
    let failed: Vec<(usize, String)> =
        rules.examples.iter().enumerate().filter_map(|(i, example)| Some((i, check(rules, example).err()?))).collect();
    if failed.is_empty() { Ok(rules.examples.len()) } else { Err(rules.example_faults(&failed)) }
}

fn check(rules: &Rules, example: &Example) -> Result<(), String> {
    let name = example.name.clone().unwrap_or_else(|| "example".into());
    let value = |key: &str| example.turn.iter().find(|(name, _)| name == key).map_or(0, |(_, value)| *value);
    let score =
        |key: &str| u32::try_from(value(key)).map_err(|_| format!("{name}: the {key} {} is no score", value(key)));
    let mut position = Position::new(rules, score("score")?, score("opponent")?).map_err(|e| format!("{name}: {e}"))?;
    for (memory, value) in example.turn.iter().filter(|(key, _)| key != "score" && key != "opponent") {
        position = position.with_memory(rules, memory, *value).map_err(|e| format!("{name}: {e}"))?;
    }
    let face = |face: &i64| u32::try_from(*face).map_err(|_| format!("{name}: no die shows {face}"));
    let faces = example.dice.iter().map(face).collect::<Result<Vec<u32>, _>>()?;
    let turn = take_turn(rules, &position, &faces, example.request).map_err(|e| format!("{name}: {e}"))?;
    let names = memory_names(rules);
    for (key, expected) in &example.after {
        let found = match key.as_str() {
            "score" => turn.score,
            "opponent" => turn.opponent,
            "points" => turn.points,
            "again" => turn.again.into(),
            memory => turn.memory[names.iter().position(|n| n == memory).expect("checked when read")],
        };
        if found != *expected {
            return Err(format!("{name}: {key} is {found} after the turn, not {expected}"));
        }
    }
    Ok(())
}
