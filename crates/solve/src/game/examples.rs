//! Runs the worked examples of a rule file.

use crate::rules::{Example, Rules};

use super::{Budget, GameError, Position, TurnError, keep_turn, marked, memory_names, take_turn};

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
    play(rules, example).map_err(|fault| format!("{name}: {fault}"))
}

/// Plays an example; returns what is wrong with it.
fn play(rules: &Rules, example: &Example) -> Result<(), String> {
    let score = score_of(example, "score")?;
    let opponent = score_of(example, "opponent")?;
    let start = Position::new(rules, score, opponent).map_err(|error| error.to_string())?;
    let mut position = start.with_rolled(rules, example.dice.len());
    for (memory, value) in
        example.turn.iter().filter(|(key, _)| key != "score" && key != "opponent")
    {
        position =
            position.with_memory(rules, memory, *value).map_err(|error| error.to_string())?;
    }
    let position = position.with_dice_left(rules).map_err(|error| error.to_string())?;
    let faces = faces(&example.dice)?;
    let kept = self::faces(example.keep.as_deref().unwrap_or_default())?;
    let turn = match kept.is_empty() {
        true => take_turn(rules, &position, &faces, example.request),
        false => marked(rules, &position, &faces, &kept)
            .and_then(|kept| keep_turn(rules, &position, &faces, &kept)),
    };
    let turn = turn.map_err(|error| match error {
        TurnError::NothingKept { .. } => format!("{error}, as in keep = [{}]", faces[0]),
        error => error.to_string(),
    })?;
    let names = memory_names(rules);
    for (key, expected) in &example.after {
        let found = match key.as_str() {
            "score" => turn.score,
            "opponent" => turn.opponent,
            "points" => turn.points,
            "again" if turn.again != (*expected == 1) => {
                return Err(format!("again is {} after the turn, not {}", turn.again, !turn.again));
            }
            "again" => *expected,
            memory => {
                turn.memory[names.iter().position(|n| n == memory).expect("checked when read")]
            }
        };
        if found != *expected {
            return Err(format!("{key} is {found} after the turn, not {expected}"));
        }
    }
    Ok(())
}

/// Returns a score before the turn; 0 if the example has none.
fn score_of(example: &Example, key: &str) -> Result<u32, String> {
    let given = example.turn.iter().find(|(name, _)| name == key);
    let value = given.map_or(0, |(_, value)| *value);
    u32::try_from(value).map_err(|_| format!("the {key} {value} is not a score"))
}

fn faces(numbers: &[i64]) -> Result<Vec<u32>, String> {
    let mut faces = Vec::with_capacity(numbers.len());
    for number in numbers {
        let face =
            u32::try_from(*number).map_err(|_| format!("{number} is not a face of a die"))?;
        faces.push(face);
    }
    Ok(faces)
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
