//! The turns of random games are those that `hog turn --batch` gives for their dice.

use hog::game::{Game, memory_names};
use hog::rules::{Rules, load};
use hog::sim::SeededDice;
use serde_json::{Value, json};

#[path = "../../crates/study/tests/handouts/played.rs"]
mod played;

use super::hog;
use played::{ByScores, PlayedTurn, play};

/// Plays a game of two strategies that roll anything the game allows, from a seed.
fn random_game(rules: &Rules, seed: u64) -> Vec<PlayedTurn> {
    let (least, most) = (rules.min_dice, rules.max_dice);
    let any = move |score: u32, opponent: u32| {
        let mixed = (u64::from(score) << 32 | u64::from(opponent)) ^ (seed << 17);
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        least + ((mixed >> 40) % (most - least + 1) as u64) as i32
    };
    let strategy = ByScores(any);
    let mut dice = SeededDice::new(seed);
    play(rules, [&strategy, &strategy], [0, 0], &mut dice)
}

#[test]
fn every_turn_of_random_games_agrees_with_hog_turn() {
    for id in ["fa21", "nju21", "fa19", "su15", "sp15"] {
        let game = Game::new(load(id, Default::default()).unwrap()).unwrap();
        let rules = game.rules();
        let turns: Vec<_> = (0..200).flat_map(|seed| random_game(rules, seed)).collect();
        let names = memory_names(rules);
        let memory = |values: &[i64]| -> Value {
            names
                .iter()
                .zip(values)
                .map(|(name, value)| (name.clone(), json!(value)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        };
        let line = |(_, from, rolled): &PlayedTurn| {
            let turn = json!({ "score": from.score, "opponent": from.opponent, "dice": rolled.faces,
                "memory": memory(&from.memory) });
            turn.to_string() + "\n"
        };
        let input: String = turns.iter().map(line).collect();
        let output = hog(&["turn", id, "--batch"]).write_stdin(input).output();
        let printed = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(printed.lines().count(), turns.len());
        for (line, (_, from, rolled)) in printed.lines().zip(&turns) {
            let found: Value = serde_json::from_str(line).unwrap();
            let turn = &rolled.turn;
            let expected =
                json!([turn.points, turn.score, turn.opponent, turn.again, memory(&turn.memory)]);
            let keys = ["points", "score", "opponent", "again", "memory"];
            assert_eq!(
                json!(keys.map(|key| found[key].clone())),
                expected,
                "{id}: {from:?} {rolled:?}"
            );
        }
    }
}
