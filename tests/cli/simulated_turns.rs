//! The turns of random games are those that `hog ask` gives for their dice.

use hog::game::{Game, Policy, Position, memory_names};
use hog::rules::{Rules, load};
use hog::sim::{ByScores, Ending, Match, Rolled, SeededDice, play, silence};
use serde_json::{Value, json};

use super::hog;

/// Plays a game of two strategies that roll anything the game allows, from a seed.
fn random_game(rules: &Rules, seed: u64) -> Ending {
    let (least, most) = (rules.min_dice, rules.max_dice);
    let any = move |score: u32, opponent: u32| {
        let mixed = (u64::from(score) << 32 | u64::from(opponent)) ^ (seed << 17);
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        least + ((mixed >> 40) % (most - least + 1) as u64) as i32
    };
    let strategy = ByScores(any);
    let mut dice = SeededDice::new(seed);
    let strategies: [&dyn Policy; 2] = [&strategy, &strategy];
    play(Match { rules, strategies, scores: [0, 0], dice: &mut dice, say: silence() }).unwrap()
}

#[test]
fn every_turn_of_random_games_agrees_with_hog_turn() {
    for id in ["fa21", "nju21", "fa19", "su15", "sp15"] {
        let game = Game::new(load(id, Default::default()).unwrap()).unwrap();
        let rules = game.rules();
        let turns: Vec<_> = (0..200).flat_map(|seed| random_game(rules, seed).turns).collect();
        let names = memory_names(rules);
        let memory = |values: &[i64]| -> Value {
            names
                .iter()
                .zip(values)
                .map(|(name, value)| (name.clone(), json!(value)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        };
        let line = |(_, from, rolled): &(usize, Position, Rolled)| {
            let turn = json!({ "question": "turn", "rules": id, "score": from.score,
                "opponent": from.opponent, "dice": rolled.faces, "memory": memory(&from.memory) });
            turn.to_string() + "\n"
        };
        let input: String = turns.iter().map(line).collect();
        let output = hog(&["ask"]).write_stdin(input).output();
        let printed = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(printed.lines().count(), turns.len());
        for (line, (_, from, rolled)) in printed.lines().zip(&turns) {
            let reply: Value = serde_json::from_str(line).unwrap();
            let found = &reply["answer"];
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
