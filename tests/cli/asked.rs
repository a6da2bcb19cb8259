//! `hog ask`: questions as lines of JSON.

use serde_json::{Value, json as value};

use super::hog;

/// Returns the exit status and the lines that answer these.
fn asked(input: &str) -> (Option<i32>, Vec<Value>) {
    let output = hog(&["ask"]).write_stdin(input).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let replies = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code(), replies)
}

fn turn(rules: &str, dice: &Value) -> String {
    let turn =
        value!({ "question": "turn", "rules": rules, "score": 20, "opponent": 5, "dice": dice });
    format!("{turn}\n")
}

#[test]
fn every_line_is_answered_and_bad_ones_make_the_status_1() {
    let lines = [&turn("fa21", &value!([2, 5])), "\n", "not JSON\n", &turn("fa16", &value!(-1))];
    let (status, replies) = asked(&lines.concat());
    assert_eq!(status, Some(1));
    let shown = replies.iter().map(|reply| value!([reply["type"], reply["id"]]));
    let expected = [value!(["answer", 1]), value!(["error", 3]), value!(["answer", 4])];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!([&replies[0], &replies[2]].map(|reply| &reply["answer"]["points"]), [7, 1]);
    assert_eq!(asked(&turn("fa21", &value!([2]))).0, Some(0));
    assert_eq!(asked(""), (Some(0), Vec::new()));
}

/// The answer is the document that the command prints, and so is the error.
#[test]
fn a_line_is_answered_as_by_the_command() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.txt"), "4 ".repeat(400)).unwrap();
    for (arguments, question) in [
        (
            &["rate", "fa21", "mine.txt", "--goal", "20"][..],
            value!({ "question": "rate", "rules": "fa21", "strategy": "mine.txt", "goal": 20 }),
        ),
        (
            &["best", "fa21", "100", "36"],
            value!({ "question": "best", "rules": "fa21", "score": 100, "opponent": 36 }),
        ),
        (
            &["rules", "show", "nowhere.toml"],
            value!({ "question": "rules/show", "rules": "nowhere.toml" }),
        ),
    ] {
        let command = hog(arguments).args(["--format", "json"]).current_dir(&folder).output();
        let printed: Value = serde_json::from_slice(&command.unwrap().stdout).unwrap();
        let line = question.to_string();
        let reply = hog(&["ask"]).current_dir(&folder).write_stdin(line).output().unwrap();
        let reply: Value = serde_json::from_slice(&reply.stdout).unwrap();
        match printed.get("error") {
            Some(error) => assert_eq!(reply["error"]["kind"], error["kind"], "{reply}"),
            None => assert_eq!(reply["answer"], printed),
        }
    }
}

/// A script asks for a turn, waits for the answer, and asks for the next turn from the new scores.
#[test]
fn an_answer_is_written_before_the_next_line_is_read() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_hog"))
        .arg("ask")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut replies = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut scores = [0, 0];
    for turn in 0..40 {
        let question = value!({ "question": "turn", "rules": "fa21", "score": scores[0],
            "opponent": scores[1], "dice": [2, 3 + turn % 4, 6] });
        writeln!(input, "{question}").unwrap();
        // This blocks if the answer is held back.
        let reply: Value = serde_json::from_str(&replies.next().unwrap().unwrap()).unwrap();
        let [score, opponent] = ["score", "opponent"].map(|key| &reply["answer"][key]);
        scores = [opponent, score].map(|score| score.as_u64().unwrap());
        if scores.iter().any(|score| *score >= 100) {
            break;
        }
    }
    assert!(scores[0] + scores[1] > 100, "{scores:?}");
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_is_answered() {
    let (status, replies) = asked(&("7".repeat(3 << 20) + "\n" + &turn("fa21", &value!([2]))));
    assert_eq!(status, Some(1));
    assert_eq!(replies[0]["error"]["kind"], "limit", "{}", replies[0]);
    assert_eq!(replies[1]["answer"]["points"], 2, "{}", replies[1]);
}

#[test]
fn a_comparison_takes_one_other_game() {
    let file = "id = 'a'\ngoal = 9\nmax_dice = 2\n";
    let wanted = |others: Value| {
        let mut question = value!({ "question": "compare", "rules": "fa21", "goal": 9 });
        question.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
        asked(&question.to_string()).1.remove(0)
    };
    for wrong in [value!({}), value!({ "other": "fa22", "other_file": file })] {
        let reply = wanted(wrong);
        assert_eq!(reply["error"]["kind"], "request", "{reply}");
        let message = reply["error"]["message"].as_str().unwrap();
        assert!(message.contains("`other`") && message.contains("`other_file`"), "{message}");
    }
    for right in [value!({ "other": "fa22" }), value!({ "other_file": file })] {
        let reply = wanted(right);
        assert_eq!(reply["answer"]["games"].as_array().unwrap().len(), 2, "{reply}");
    }
}

#[test]
fn an_error_is_told_in_terms_of_the_question() {
    for (change, words) in [
        (value!({ "score": -3 }), &["`score`", "whole number from 0", "-3"][..]),
        (value!({ "score": "2" }), &["`score`", "\"2\""]),
        (value!({ "score": 5_000_000_000_u64 }), &["`score`", "5000000000"]),
        (value!({ "memory": [1] }), &["`memory`", "names and whole numbers"]),
        (value!({ "dices": [2] }), &["no `dices`", "opponent"]),
        (value!({ "dice": 7 }), &["dice is 7", "[2,5]"]),
        (value!({ "question": "trun" }), &["`question`", "trun", "turn"]),
    ] {
        let mut question: Value = serde_json::from_str(&turn("fa21", &value!([2]))).unwrap();
        question.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let reply = asked(&question.to_string()).1.remove(0);
        let message = reply["error"]["message"].as_str().unwrap();
        words.iter().for_each(|word| assert!(message.contains(word), "{change}: {message}"));
        for jargon in ["u32", "invalid type", "invalid value", "struct", "expected"] {
            assert!(!message.contains(jargon), "{change}: {message}");
        }
    }
}
