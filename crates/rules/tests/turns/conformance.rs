//! Turns of the five handout games agree with reference data made by another implementation
//! (`tests/conformance/turns`).

use std::path::Path;

use hog_rules::rules::{Rules, load};
use hog_rules::turn::{Position, take_turn};
use serde_json::Value;

#[test]
fn every_reference_turn_of_fa21_is_reproduced() {
    reproduces_every_turn_of("fa21");
}

#[test]
fn every_reference_turn_of_nju21_is_reproduced() {
    reproduces_every_turn_of("nju21");
}

#[test]
fn every_reference_turn_of_fa19_is_reproduced() {
    reproduces_every_turn_of("fa19");
}

#[test]
fn every_reference_turn_of_su15_is_reproduced() {
    reproduces_every_turn_of("su15");
}

#[test]
fn every_reference_turn_of_sp15_is_reproduced() {
    reproduces_every_turn_of("sp15");
}

/// The number of lines of each file, so that a truncated file fails.
const LINES: usize = 300;

fn reproduces_every_turn_of(id: &str) {
    let file = format!("../../tests/conformance/turns/{id}.jsonl");
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file))
        .expect("a reference file");
    let rules = load(id, Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let failed: Vec<String> = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| {
            Some(format!("{file}:{number}: {}\n  {line}", fault(&rules, line).err()?))
        })
        .collect();
    assert!(failed.is_empty(), "{} turns differ:\n{}", failed.len(), failed.join("\n"));
    assert_eq!(text.lines().count(), LINES, "lines in {file}");
}

/// Returns an error that says how the turn of one line differs.
fn fault(rules: &Rules, line: &str) -> Result<(), String> {
    let case: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let faces: Vec<u32> =
        serde_json::from_value(case["turn"]["dice"].clone()).map_err(|e| e.to_string())?;
    let turn =
        take_turn(rules, &position(rules, &case["turn"])?, &faces, 0).map_err(|e| e.to_string())?;
    for (key, found) in
        [("points", turn.points), ("score", turn.score), ("opponent", turn.opponent)]
    {
        let expected = &case["after"][key];
        if expected.as_i64() != Some(found) {
            return Err(format!("{key} is {found} after the turn, not {expected}"));
        }
    }
    Ok(())
}

fn position(rules: &Rules, turn: &Value) -> Result<Position, String> {
    let score =
        |key: &str| turn[key].as_u64().and_then(|n| n.try_into().ok()).ok_or(format!("no {key}"));
    let start =
        Position::new(rules, score("score")?, score("opponent")?).map_err(|e| e.to_string())?;
    let mut memory = turn["memory"].as_object().into_iter().flatten();
    memory.try_fold(start, |position, (name, value)| {
        let value = value.as_i64().ok_or(format!("no number for {name}"))?;
        position.with_memory(rules, name, value).map_err(|e| e.to_string())
    })
}
