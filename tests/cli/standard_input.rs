//! `-` in place of a game or a strategy: standard input.

use serde_json::Value;

use super::hog;

const MINE: &str = "def final_strategy(score, opponent):\n    return 4\n";
const GAME: &str = "id = 'race'\ngoal = 3\nmax_dice = 1\n";

/// Returns the document that a command prints with this standard input.
fn given(input: &str, arguments: &[&str]) -> Value {
    let output = hog(arguments).args(["--format", "json"]).write_stdin(input).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
    })
}

#[test]
fn rules_are_read_from_standard_input() {
    let best = given(GAME, &["best", "-", "0", "0"]);
    assert_eq!([&best["rules"], &best["best"][0]], [&Value::from("race"), &Value::from(1)]);
    assert_eq!(given(GAME, &["rules", "show", "-"])["id"], "race");
    let faulty = given("id = 'race'\ngoal = 0\n", &["rules", "check", "-"]);
    let fault = &faulty["error"]["faults"][0];
    assert_eq!([&fault["file"], &fault["line"]], [&Value::from("-"), &Value::from(2)]);
}

#[test]
fn a_strategy_is_read_as_what_it_holds() {
    let rolls = "4 ".repeat(100) + "\n";
    for input in [MINE, &rolls.repeat(100)] {
        let rate = given(input, &["rate", "fa21", "-", "always_roll:4"]);
        assert_eq!(rate["strategy"], "-");
        assert_eq!(rate["win_rate"]["average"], 0.5, "{input}");
    }
    let beaten = given(MINE, &["rate", "fa21", "beat:-", "always_roll:4"]);
    assert!(beaten["win_rate"]["average"].as_f64() > Some(0.6), "{beaten}");
    let tried = given(MINE, &["try", "fa21", "-", "--goal", "20"]);
    assert_eq!(tried["strategy"], "-");
    let fails = "def final_strategy(score, opponent):\n    return score / 0\n";
    let failed = given(fails, &["rate", "fa21", "-"]);
    assert_eq!(failed["error"]["kind"], "python");
    assert_eq!(failed["error"]["faults"][0]["file"], "-");
}

#[test]
fn standard_input_is_read_once() {
    for (arguments, word) in [
        (&["rate", "fa21", "-", "-"][..], "once"),
        (&["best", "-", "0", "0", "--against", "-"], "once"),
        (&["rate", "fa21", "beat:mix(-,-)"], "once"),
        (&["try", "fa21", "-", "--watch"], "--watch"),
        (&["play", "fa21", "--against", "-"], "moves"),
        (&["play", "-"], "moves"),
    ] {
        let refused = given(MINE, arguments);
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("`-`") && message.contains(word), "{arguments:?}: {message}");
        assert_eq!(refused["error"]["kind"], "request");
    }
}

#[test]
fn an_output_that_is_standard_output_is_no_input() {
    let output = hog(&["solve", "-", "-o", "-", "--to", "csv"]).write_stdin(GAME).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("score,opponent"), "{text}");
}
