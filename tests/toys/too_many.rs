//! Games in which a cell has more on offer than is numbered: refused in words.

use hog::game::Game;
use hog::rules::rules_from_text;

fn refusal(text: &str) -> String {
    let rules = rules_from_text(&format!("id = \"toy\"\n{text}"), "toy", Default::default()).unwrap();
    Game::new(rules).unwrap_err().to_string()
}

#[test]
fn every_pair_of_memories_may_have_a_turn_of_its_own_up_to_a_number() {
    let refused = refusal(
        r#"
        goal = 10
        max_dice = 0
        [[memory]]
        name = "kept"
        of = "player"
        max = 299
        next = "(kept + 1) % 300"
        [[rule]]
        name = "Own Turns"
        zero_dice = "1 + 300 * kept + opponent_kept"
        "#,
    );
    assert!(refused.contains("more than 65,536 kinds of turns or of what they lead to"), "{refused}");
}

#[test]
fn every_memory_may_have_results_of_its_own_up_to_a_number() {
    let refused = refusal(
        r#"
        goal = 10
        min_dice = 1
        max_dice = 1
        [[memory]]
        name = "kept"
        of = "player"
        max = 99
        next = "(kept + 1) % 100"
        [[rule]]
        name = "Own Results"
        die = "1000"
        points = "100 * points + kept"
        "#,
    );
    assert!(refused.contains("more than 65,536 kinds of turns or of what they lead to"), "{refused}");
}
