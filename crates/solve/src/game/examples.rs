//! Runs the worked examples of a rule file.

use crate::rules::{Example, Rules};

use super::{Budget, GameError, Position, keep_turn, marked, memory_names, take_turn};

/// Plays every example of the rules and returns their number if all of them hold. `keep_going` is
/// called before each example; once it returns false, the remaining examples are skipped.
///
/// # Errors
/// Returns the examples that do not hold, each with the actual result, or [`GameError::Stopped`].
pub fn check_examples(
    rules: &Rules,
    keep_going: &(dyn Fn() -> bool + Sync),
) -> Result<usize, GameError> {
    let mut failed: Vec<(usize, String)> = Vec::new();
    for (place, example) in rules.examples.iter().enumerate() {
        Budget { memory: 0, keep_going }.check()?;
        failed.extend(check(rules, example).err().map(|fault| (place, fault)));
    }
    if failed.is_empty() {
        Ok(rules.examples.len())
    } else {
        Err(rules.example_faults(&failed).into())
    }
}

fn check(rules: &Rules, example: &Example) -> Result<(), String> {
    let name = example.name.clone().unwrap_or_else(|| "example".into());
    let value = |key: &str| {
        example.turn.iter().find(|(name, _)| name == key).map_or(0, |(_, value)| *value)
    };
    let score = |key: &str| {
        u32::try_from(value(key))
            .map_err(|_| format!("{name}: the {key} {} is not a score", value(key)))
    };
    let mut position = Position::new(rules, score("score")?, score("opponent")?)
        .map_err(|e| format!("{name}: {e}"))?;
    if let ([dice], false) = (&rules.hand[..], example.dice.is_empty()) {
        // The roll says how many dice of the only kind are left.
        let left = example.dice.len() as i64;
        position =
            position.with_memory(rules, &dice.name, left).map_err(|e| format!("{name}: {e}"))?;
    }
    for (memory, value) in
        example.turn.iter().filter(|(key, _)| key != "score" && key != "opponent")
    {
        position =
            position.with_memory(rules, memory, *value).map_err(|e| format!("{name}: {e}"))?;
    }
    let face = |face: &i64| {
        u32::try_from(*face).map_err(|_| format!("{name}: {face} is not a face of a die"))
    };
    let faces = example.dice.iter().map(face).collect::<Result<Vec<u32>, _>>()?;
    let kept = example.keep.iter().flatten().map(face).collect::<Result<Vec<u32>, _>>()?;
    let turn = match kept.is_empty() {
        true => take_turn(rules, &position, &faces, example.request),
        false => marked(rules, &position, &faces, &kept)
            .and_then(|kept| keep_turn(rules, &position, &faces, &kept)),
    };
    let turn = turn.map_err(|e| format!("{name}: {e}"))?;
    let names = memory_names(rules);
    for (key, expected) in &example.after {
        let found = match key.as_str() {
            "score" => turn.score,
            "opponent" => turn.opponent,
            "points" => turn.points,
            "again" => turn.again.into(),
            memory => {
                turn.memory[names.iter().position(|n| n == memory).expect("checked when read")]
            }
        };
        if found != *expected {
            return Err(format!("{name}: {key} is {found} after the turn, not {expected}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::rules::{Overrides, load};

    #[test]
    fn remaining_examples_are_skipped_when_cancelled() {
        let rules = load("fa21", Overrides::default()).unwrap();
        let asked = AtomicUsize::new(0);
        let twice = || asked.fetch_add(1, Ordering::Relaxed) < 2;
        assert!(matches!(check_examples(&rules, &twice), Err(GameError::Stopped)));
        assert_eq!(asked.into_inner(), 3);
        assert_eq!(check_examples(&rules, &|| true).ok(), Some(rules.examples.len()));
    }
}
