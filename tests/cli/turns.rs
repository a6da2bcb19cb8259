//! `hog turn`: one turn, and batches of one turn per line.

use serde_json::{Value, json as value};

use super::json::assert_keys;
use super::{hog, json};

#[test]
fn turn_has_the_keys_of_the_contract() {
    let turn = json(&["turn", "fa19", "23", "4", "--dice", "5", "--memory", "last_dice=1"]);
    assert_keys(&turn, &["points", "score", "opponent", "again", "memory", "steps"]);
    assert_eq!(
        value!([turn["points"], turn["score"], turn["opponent"], turn["again"]]),
        value!([5, 4, 28, false])
    );
    assert_eq!(turn["memory"], value!({ "last_dice": 1, "opponent_last_dice": 0 }));
    let steps = turn["steps"].as_array().unwrap();
    steps.iter().for_each(|step| assert_keys(step, &["rule", "text"]));
    assert!(steps.iter().any(|step| step["rule"] == "Swine Swap"), "{turn}");
}

#[test]
fn a_batch_answers_every_line_and_exits_with_status_1_after_bad_lines() {
    let lines = [
        r#"{"score":20,"opponent":36,"dice":[2,5]}"#,
        r#"{"score":20,"opponent":36}"#,
        "not JSON",
        r#"{"score":100,"opponent":36,"dice":[]}"#,
        r#"{"score":20,"opponent":36,"dice":[],"memory":{}}"#,
    ];
    let output = hog(&["turn", "fa21", "--batch"]).write_stdin(lines.join("\n")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    for jargon in ["at line", "untagged", "variant", "expected ident"] {
        assert!(!String::from_utf8_lossy(&output.stdout).contains(jargon), "{jargon}");
    }
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), lines.len());
    for bad in &answers[1..4] {
        assert_keys(bad, &["error", "line", "input"]);
        assert!(bad.get("points").is_none(), "{bad}");
    }
    assert_eq!(value!([answers[2]["line"], answers[2]["input"]]), value!([3, "not JSON"]));
    // Against 36, zero dice score the sixth digit of the period of 1/7 = 0.142857...
    assert_eq!(value!([answers[0]["score"], answers[4]["points"]]), value!([27, 7]));
}

/// A script asks for a turn, waits for the answer, and asks for the next turn from the new scores.
#[test]
fn a_script_drives_a_game_turn_by_turn() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(["turn", "fa21", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) =
        (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut answers = output.lines();
    let mut scores = [0, 0];
    for turn in 0..40 {
        let request =
            value!({ "score": scores[0], "opponent": scores[1], "dice": [2, 3 + turn % 4, 6] });
        writeln!(input, "{request}").unwrap();
        // This blocks if the answer is held back.
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        let [score, opponent] = ["score", "opponent"].map(|key| answer[key].as_u64().unwrap());
        if score >= 100 || opponent >= 100 {
            break;
        }
        scores = [opponent, score];
    }
    assert!(scores[0] + scores[1] > 100, "{scores:?}");
    writeln!(input, "{{\"score\":1}}").unwrap();
    let bad: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
    assert_eq!(bad["input"], "{\"score\":1}");
    assert!(
        bad["error"]["message"].as_str().unwrap().contains("`opponent`")
            && bad["line"].as_u64() > Some(5),
        "{bad}"
    );
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_line_of_3_mib_is_a_bad_line_and_the_next_one_is_answered() {
    let lines = "7".repeat(3 << 20) + "\n" + r#"{"score":20,"opponent":36,"dice":[2,5]}"#;
    let output = hog(&["turn", "fa21", "--batch"]).write_stdin(lines).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let answers = String::from_utf8(output.stdout).unwrap();
    let [bad, good] = &answers.lines().collect::<Vec<_>>()[..] else { panic!("{answers}") };
    assert!(
        bad.contains("one turn per line") && bad.contains(r#""line":1"#) && bad.len() < 300,
        "{bad}"
    );
    assert!(good.contains(r#""points":7"#), "{good}");
}

#[test]
fn a_batch_of_sound_turns_succeeds() {
    let lines = r#"{"score":0,"opponent":1,"dice":[1,4,6,2],"memory":{"last_dice":0,"opponent_last_dice":3}}"#;
    hog(&["turn", "fa19", "--batch", "--format", "json"]).write_stdin(lines).assert().success();
    hog(&["turn", "fa19", "--batch"]).write_stdin("").assert().success();
}

#[test]
fn a_move_below_zero_is_played_and_read_from_lines() {
    let turn = json(&["turn", "fa16", "20", "5", "--dice", "-1"]);
    assert_eq!(
        value!([turn["points"], turn["score"], turn["memory"]["dice_exchanged"]]),
        value!([1, 21, 1])
    );
    let output = hog(&["turn", "fa16", "--batch"])
        .write_stdin(
            "{\"score\":20,\"opponent\":5,\"dice\":-1}\n{\"score\":20,\"opponent\":5,\"dice\":3}\n",
        )
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0], turn);
    assert!(
        answers[1]["error"]["message"].as_str().unwrap().contains("in brackets"),
        "{}",
        answers[1]
    );
}

#[test]
fn one_point_is_written_in_the_singular() {
    for (die, step) in [("1", "1 point becomes 0"), ("2", "2 points become 0")] {
        let game = "id = \"kept\"\ngoal = 9\nmax_dice = 1\n[[rule]]\nname = \"Nothing\"\n\
         bust = \"1\"\npoints = \"0\"\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.toml");
        std::fs::write(&path, game).unwrap();
        let turn = json(&["turn", path.to_str().unwrap(), "0", "0", "--dice", die]);
        let steps = turn["steps"].as_array().unwrap();
        assert!(steps.iter().any(|taken| taken["text"] == step), "{turn}");
    }
}

#[test]
fn an_error_in_a_line_is_reported_in_terms_of_the_game() {
    for (line, words) in [
        (r#"{"score":-3,"opponent":36,"dice":[2]}"#, &["`score` is -3", "whole number from 0"][..]),
        (r#"{"score":2.5,"opponent":36,"dice":[2]}"#, &["`score` is 2.5"]),
        (r#"{"score":"2","opponent":36,"dice":[2]}"#, &["`score` is \"2\""]),
        (r#"{"score":5000000000,"opponent":36,"dice":[2]}"#, &["`score` is 5000000000"]),
        (r#"{"score":2,"opponent":3,"dice":[2],"memory":[1]}"#, &["`memory` is [1]", "by name"]),
        (r#"{"score":2,"opponent":3,"dices":[2]}"#, &["no `dices`", "opponent, dice and memory"]),
        ("[20,36,[2]]", &["not an object"]),
        ("7", &["not an object"]),
    ] {
        let output = hog(&["turn", "fa21", "--batch"]).write_stdin(line).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let error = answer["error"]["message"].as_str().unwrap();
        words.iter().for_each(|word| assert!(error.contains(word), "{line}: {error}"));
        for jargon in ["u32", "invalid type", "invalid value", "struct", "expected"] {
            assert!(!error.contains(jargon), "{line}: {error}");
        }
        assert_eq!(answer["line"], 1);
    }
}
