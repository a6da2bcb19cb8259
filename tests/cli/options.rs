//! Options and words: refused where they mean nothing, read as people write them, answered in plain English.

use super::{assert_refused, json, text};

#[test]
fn another_goal_is_refused_by_what_has_no_goal() {
    let commands: [&[&str]; 6] = [
        &["dice", "3"],
        &["check", "fa21"],
        &["completions", "bash"],
        &["rules", "list"],
        &["rules", "functions"],
        &["play", "--replay", "game.hogplay"],
    ];
    for command in commands {
        assert_refused(&[command, &["--goal", "50"]].concat(), &["--goal", "leave it out"]);
        assert_refused(&[command, &["--max-dice", "5"]].concat(), &["--max-dice"]);
    }
    assert_refused(&["best", "fa21", "1", "2", "--force"], &["--force", "leave it out"]);
    assert!(text(&["rules", "show", "fa21", "--goal", "50"]).contains("up to 50 points"));
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let games = |text: &str| json(&["simulate", "fa21", "always_roll:4", "--games", text])["games"].clone();
    assert_eq!([games("1e3"), games("1_000")], [1000, 1000]);
    assert_refused(&["simulate", "fa21", "always_roll:4", "--games", "many"], &["many", "whole number", "1e5"]);
    assert_refused(&["simulate", "fa21", "always_roll:4", "--games", "1"], &["--games", "choose 2 to"]);
    assert_refused(&["solve", "fa21", "--threads", "0"], &["--threads", "1 to 1024"]);
}

#[test]
fn a_number_of_one_is_told_in_the_singular() {
    assert!(text(&["solve", "fa21", "--goal", "1", "--max-dice", "1"]).contains("first roll  0 or 1 dice"));
    let one = text(&["explain", "fa21", "always_roll:3", "--goal", "1", "--against", "always_roll:3"]);
    assert!(one.contains("nothing is lost") || one.contains("1 position met"), "{one}");
}

#[test]
fn an_answer_for_a_semester_names_it() {
    let told = text(&["best", "FA23", "20", "36"]);
    assert!(told.starts_with("fa23 is played by the rules of su23: CS 61A"), "{told}");
    assert!(text(&["best", "su23", "20", "36"]).starts_with("su23: 20 to 36"));
    assert_eq!(json(&["best", "fa23", "20", "36"]), json(&["best", "su23", "20", "36"]));
}

#[test]
fn a_strategy_in_the_place_of_the_rules_is_called_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hog.py");
    std::fs::write(&path, "def final_strategy(score, opponent_score):\n    return 6\n").unwrap();
    assert_refused(&["best", path.to_str().unwrap(), "2", "3"], &["hog.py is Python", "fa21"]);
    assert_refused(&["solve", "rolls.csv"], &["rolls.csv is a table of rolls", ".toml"]);
}

#[test]
fn semesters_that_are_not_known_suggest_their_neighbours() {
    assert_refused(&["best", "FA26", "1", "2"], &["`FA26`", "`fa25`"]);
}

#[test]
fn explain_claims_no_more_than_it_shows() {
    let none = text(&["explain", "fa21", "always_roll:6", "--top", "0"]);
    assert!(!none.contains("nothing is lost") && !none.contains("costs most"), "{none}");
    assert!(none.contains("too many dice") && none.contains("of the exact ones"), "{none}");
    let perfect = text(&["explain", "fa21", "beat:always_roll:6", "--top", "3"]);
    assert!(perfect.contains("nothing is lost") && perfect.contains("of the exact ones"), "{perfect}");
}

#[test]
fn errors_speak_no_jargon() {
    let output = super::hog(&["solve", "fa21", "--goal", "9", "-o", "nowhere/a.hog"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "error: cannot write nowhere/a.hog: No such file or directory\n");
}
