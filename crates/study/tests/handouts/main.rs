//! The worked examples and question-and-answer cases of the five course handouts.
//!
//! Each test is named after its handout and the problem in it.

mod course;
mod fa19;
mod fa21;
mod nju21;
mod played;
mod sp15;
mod su15;

use hog_rules::rules::{builtins, rules_from_text};
use hog_solve::game::examples::check_examples;

#[test]
fn every_example_of_every_built_in_game_holds() {
    for game in builtins() {
        let rules = rules_from_text(game.text, game.id, Default::default())
            .unwrap_or_else(|e| panic!("{e}"));
        check_examples(&rules, &|| true).unwrap_or_else(|e| panic!("{e}"));
    }
}
