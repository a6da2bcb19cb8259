//! Turns and values of small games computed by `scripts/variants.py`, which implements the rules
//! from prose and shares nothing with hog.

use hog_rules::rules::{Rules, load};
use hog_solve::game::{Position, memory_names, take_turn};
use hog_solve::solve::{Arithmetic, Watch, equilibrium};
use serde_json::Value;

/// The numbers of lines of the files, so that a truncated file fails.
const TURNS: usize = 38 * 40;
const VALUES: usize = 37 * 2;

#[test]
fn every_reference_turn_is_reproduced() {
    let text = include_str!("turns.jsonl");
    assert_eq!(text.lines().count(), TURNS);
    let (mut id, mut rules) = (String::new(), None);
    let mut wrong = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["rules"].as_str().unwrap();
        if id != name {
            id = name.to_owned();
            rules = Some(load(name, Default::default()).unwrap());
        }
        let found = played(rules.as_ref().unwrap(), &case["turn"]);
        if found != Ok(case["after"].clone()) {
            wrong.push(format!("turns.jsonl:{number}: {found:?}\n  {line}"));
        }
    }
    assert!(wrong.is_empty(), "{} turns differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Plays a turn; returns its result with the memories of the mover and the game.
fn played(rules: &Rules, turn: &Value) -> Result<Value, String> {
    let number = |key: &str| turn[key].as_u64().map(|n| n as u32).ok_or(format!("no {key}"));
    let start =
        Position::new(rules, number("score")?, number("opponent")?).map_err(|e| e.to_string())?;
    let before = turn["memory"].as_object().ok_or("no memory")?;
    let position = before.iter().try_fold(start, |at, (name, value)| {
        at.with_memory(rules, name, value.as_i64().unwrap_or(-1)).map_err(|e| e.to_string())
    })?;
    let faces: Vec<u32> = serde_json::from_value(turn["dice"].clone()).unwrap_or_default();
    let request = turn["dice"].as_i64().unwrap_or(0) as i32;
    let turn = take_turn(rules, &position, &faces, request).map_err(|e| e.to_string())?;
    let named = memory_names(rules).into_iter().zip(turn.memory);
    let memory: serde_json::Map<String, Value> = named
        .filter(|(name, _)| before.contains_key(name))
        .map(|(name, value)| (name, value.into()))
        .collect();
    Ok(serde_json::json!({
        "points": turn.points, "score": turn.score, "opponent": turn.opponent,
        "again": turn.again, "memory": memory
    }))
}

/// These games have classes of cells and memories, clamps, weighted dice, extra turns and ties;
/// their values are compared to the last digit.
#[test]
fn every_small_game_has_the_reference_value_and_first_rolls() {
    let rows = include_str!("small_exact.csv").lines().skip(1);
    let mut count = 0;
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let [id, goal, max_dice, value, first_rolls] = fields[..] else {
            panic!("five fields: {row}")
        };
        let game = super::game(id, goal.parse().unwrap(), Some(max_dice.parse().unwrap()));
        let solution = equilibrium(&game, Arithmetic::Exact, &Watch::silent()).unwrap();
        assert_eq!(solution.first_fraction().unwrap().to_string(), value, "{row}");
        let best = game
            .space()
            .dice_in(solution.first_roll())
            .iter()
            .map(i32::to_string)
            .collect::<Vec<_>>();
        assert_eq!(best.join(" "), first_rolls, "{row}");
        count += 1;
    }
    assert_eq!(count, VALUES);
}
