//! Games played line by line.

use std::process::{Command, Stdio};

use hog::game::{Game, Position, take_turn};
use hog::rules::load;
use serde_json::Value;

use super::{HOG, played};

/// Returns enough lines of `6` for any game.
fn sixes() -> String {
    "6\n".repeat(200)
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect()
}

#[test]
fn a_complete_game_is_played_and_summarised() {
    for id in ["fa21", "nju21", "fa19", "su15", "sp15", "neller_hog"] {
        let text = played(&[id, "--seed", "3"], &sixes());
        assert!(
            text.contains("you win: ")
                || text.contains("strategy wins: ")
                || text.contains("optimal wins: "),
            "{text}"
        );
        assert!(text.contains("points of win rate given away a roll"), "{text}");
    }
}

#[test]
fn a_turn_of_several_rolls_shows_the_pot() {
    let text = played(&["pig", "--goal", "20", "--seed", "7"], "1\n1\n0\nq\n");
    for line in [
        "you: 1 die, pot 2, 0 to 0, and moves again",
        "you, pot 7: how many dice",
        "you: 0 dice, 7 points, 7 to 0",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("points become 0") && !text.contains("the same player"), "{text}");
    let lines = json_lines(&played(
        &["pig", "--goal", "20", "--seed", "7", "--format", "json"],
        "1\n1\n0\nq\n",
    ));
    let kept: Vec<&Value> = lines.iter().filter_map(|line| line.get("kept")).take(3).collect();
    assert_eq!(
        kept,
        [
            &serde_json::json!({ "pot": 2 }),
            &serde_json::json!({ "pot": 7 }),
            &serde_json::json!({})
        ]
    );
    assert!(
        lines.iter().any(|line| line["memory"] == serde_json::json!({ "pot": 7 })),
        "the prompt shows the pot"
    );
}

#[test]
fn every_turn_shown_follows_the_rules() {
    let game = Game::new(load("fa21", Default::default()).unwrap()).unwrap();
    let lines = json_lines(&played(&["fa21", "--seed", "5", "--format", "json"], &sixes()));
    let mut scores = [0, 0];
    let mut turns = 0;
    for line in lines.iter().filter(|line| line.get("faces").is_some()) {
        let player = line["player"].as_u64().unwrap() as usize;
        let faces: Vec<u32> = serde_json::from_value(line["faces"].clone()).unwrap();
        let from = Position::new(game.rules(), scores[player], scores[1 - player]).unwrap();
        let turn = take_turn(game.rules(), &from, &faces, 0).unwrap();
        let shown: [u32; 2] = serde_json::from_value(line["scores"].clone()).unwrap();
        assert_eq!(
            [shown[player], shown[1 - player]].map(i64::from),
            [turn.score, turn.opponent],
            "{line}"
        );
        scores = shown;
        turns += 1;
    }
    let end = lines.last().unwrap();
    assert_eq!(end["turns"], turns);
    assert_eq!(end["scores"], serde_json::json!(scores));
    assert!(end["result"]["won"].is_number() && end["summaries"].is_array(), "{end}");
}

#[test]
fn a_turn_that_is_taken_back_rolls_the_same_again() {
    let text = played(&["su15", "--seed", "11", "--format", "json"], "6\nu\n6\nu\nu\nq\n");
    let lines = json_lines(&text);
    let turns: Vec<&Value> = lines.iter().filter(|line| line.get("faces").is_some()).collect();
    assert_eq!(turns[0..2], turns[2..4]);
    let undone: Vec<u64> = lines.iter().filter_map(|line| line["undone"].as_u64()).collect();
    assert_eq!(undone, [2, 2, 0]);
    assert_eq!(lines.last().unwrap()["turns"], 0);
}

#[test]
fn a_hint_agrees_with_hog_best() {
    let lines = json_lines(&played(&["fa21", "--seed", "1", "--format", "json"], "?\n"));
    let hints =
        lines.iter().find_map(|line| line.get("hints")).unwrap().as_array().unwrap().clone();
    let best = assert_cmd::Command::new(HOG)
        .args(["best", "fa21", "0", "0", "--format", "json"])
        .output()
        .unwrap();
    let best: Value = serde_json::from_slice(&best.stdout).unwrap();
    for (hint, choice) in hints.iter().zip(best["choices"].as_array().unwrap()) {
        assert_eq!([&hint["dice"], &hint["win_rate"]], [&choice["dice"], &choice["win_rate"]]);
        assert_eq!(hint["best"], hint["dice"] == 6, "{hint}");
    }
    assert_eq!(hints.len(), 11);
}

#[test]
fn an_invalid_move_is_explained_and_the_game_continues() {
    let text = played(&["fa21", "--seed", "1"], "eleven\n11\n-1\n\nh\n6\nq\n");
    assert!(text.contains("`eleven` is not a move: a number rolls that many dice"), "{text}");
    assert!(text.contains("the game fa21 has no move of 11 dice; choose 0 to 10"), "{text}");
    assert!(text.contains("no move of -1 dice") && text.contains("you: 6 dice"), "{text}");
    assert!(text.contains("the game is left at"), "{text}");
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    assert!(
        played(&["fa21", "--seed", "1"], "").contains("the game is left at 0 to 0 after 0 turns")
    );
}

#[test]
fn people_and_strategies_take_either_seat() {
    let two = played(&["fa19", "--two", "--seed", "2"], "4\n5\nq\n");
    assert!(two.contains("Player 0: 4 dice") && two.contains("Player 1: 5 dice"), "{two}");
    let second =
        played(&["sp15", "--second", "--against", "prime_strategy:8,5", "--seed", "2"], "q\n");
    assert!(
        second.find("prime_strategy:8,5: ").unwrap() < second.find("you: how many").unwrap(),
        "{second}"
    );
    let watched =
        played(&["su15", "--as", "always_roll:5", "--against", "always_roll:5", "--seed", "2"], "");
    assert!(
        watched.contains("always_roll:5 (Player 0): 5 dice") && watched.contains(" wins: "),
        "{watched}"
    );
}

/// Neither player ever rolls, and passing changes nothing; or a single die never scores.
#[test]
fn strategies_that_play_for_ever_are_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("idle.toml");
    let one_is_nothing = "[[rule]]\nname = \"One\"\npoints = \"dice == 1 ? 0 : points\"\n";
    let text =
        format!("id = \"idle\"\ntitle = \"Idle\"\ngoal = 10\nmax_dice = 2\n{one_is_nothing}");
    std::fs::write(&rules, text).unwrap();
    for strategy in ["always_roll:0", "always_roll:1"] {
        let players = ["--as", strategy, "--against", strategy, "--seed", "1"];
        let text = played(&[&[rules.to_str().unwrap()], &players[..]].concat(), "");
        assert!(
            text.contains("the game never ends, half a win for each: 0 to 0 after 2 turns"),
            "{text}"
        );
    }
}

#[test]
fn a_saved_game_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.hogplay");
    let path = path.to_str().unwrap();
    let first = played(&["fa19", "--seed", "9", "--save", path], &sixes());
    let again = played(&["--replay", path], "");
    for line in again.lines() {
        assert!(first.contains(line), "{line} is not in the first game");
    }
    let turns = |text: &str| text.lines().filter(|line| line.contains(" points, ")).count();
    assert_eq!(turns(&first), turns(&again));
}

#[test]
fn names_in_a_transcript_cannot_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.hogplay");
    let path = path.to_str().unwrap();
    played(&["fa21", "--two", "--seed", "9", "--save", path], "6\nq\n");
    let text = std::fs::read_to_string(path).unwrap().replacen(
        "\"Player 0\"",
        "\"\\u001b[30;40mA\\nB\"",
        1,
    );
    std::fs::write(path, &text).unwrap();
    let shown = played(&["--replay", path, "--color", "always"], "");
    assert!(!shown.contains("\u{1b}[30;40m") && shown.contains("[30;40mA B"), "{shown:?}");
}

#[test]
fn a_saved_game_of_a_rule_file_contains_its_rules() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, path) = (folder.path().join("own.toml"), folder.path().join("own.hogplay"));
    std::fs::write(&rules, "id = \"own\"\ntitle = \"Own\"\ngoal = 30\nmax_dice = 3\n").unwrap();
    played(
        &[rules.to_str().unwrap(), "--seed", "1", "--save", path.to_str().unwrap()],
        "3\n3\nq\n",
    );
    std::fs::remove_file(rules).unwrap();
    assert!(
        played(&["--replay", path.to_str().unwrap()], "")
            .contains("own: you against optimal, to 30 points")
    );
    let text = std::fs::read_to_string(&path).unwrap();
    for (old, new, said) in [
        ("\"goal\":30", "\"goal\":0", "the rules of the transcript: goal 0 is out of range"),
        ("goal = 30", "baseline = 'a.py'", "own:3:12: the baseline `a.py` needs a file"),
    ] {
        assert!(text.contains(old), "{text}");
        std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        let output = assert_cmd::Command::new(HOG)
            .args(["play", "--replay", path.to_str().unwrap()])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(said), "{said}: {errors}");
    }
}

#[test]
fn a_changed_transcript_is_refused_with_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.hogplay");
    played(&["fa21", "--seed", "9", "--save", path.to_str().unwrap()], "6\n6\nq\n");
    let text = std::fs::read_to_string(&path).unwrap();
    let second = text.lines().nth(1).unwrap();
    let other_end = text.replacen("\"scores\":[", "\"scores\":[9", 1);
    let wrong_turn = text.replacen("\"player\":0", "\"player\":1", 1);
    let too_few = text.replacen("\"faces\":[", "\"faces\":[2],\"faces\":[", 1);
    for (changed, said) in [
        (other_end.as_str(), "line 2 of the transcript: the turn leads to"),
        (&wrong_turn, "line 2 of the transcript: Player 1 moves, but it is Player 0's turn"),
        (&too_few, "line 2 of the transcript: not a turn"),
        (second, "line 1 of the transcript: not the first line"),
        ("", "line 1 of the transcript: not the first line"),
        (&text.replace("transcript 1", "transcript 9"), "the format is `hog transcript 9`"),
        (&text.replace("\"fa21\"", "\"fa99\""), "the rules of the transcript: no game"),
        (
            &text.replace("\"goal\":100", "\"goal\":0"),
            "the rules of the transcript: goal 0 is out of range",
        ),
        (
            &text.replace("\"max_dice\":10", "\"max_dice\":31"),
            "the rules of the transcript: max_dice 31 is out of range",
        ),
    ] {
        std::fs::write(&path, changed).unwrap();
        let output = assert_cmd::Command::new(HOG)
            .args(["play", "--replay", path.to_str().unwrap()])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(said), "{said}: {errors}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_reported_before_the_first_roll() {
    let output = assert_cmd::Command::new(HOG)
        .args(["play", "fa21", "--save", "/nowhere/game"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write /nowhere/game"));
    assert!(output.stdout.is_empty());
}

#[test]
fn a_closed_pipe_ends_the_game_quietly() {
    let watch =
        ["play", "fa19", "--as", "always_roll:1", "--against", "always_roll:1", "--delay", "0.01"];
    let mut child = Command::new(HOG)
        .args(watch)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_rules_are_shown_at_the_start_and_on_request() {
    let text = played(&["fa23", "--seed", "1"], "r\nu\nq\n");
    let (before, after) = text.split_once("how many dice").unwrap();
    assert!(before.contains("Sow Sad: If any of the dice outcomes is a 1"), "{text}");
    assert!(after.contains("bust = 1") && after.contains("nothing to take back"), "{text}");
}

#[test]
fn a_game_in_which_the_other_side_moves_first_has_no_bids() {
    let lines = json_lines(&played(&["fa14", "--second", "--seed", "1", "--format", "json"], ""));
    let bidding =
        lines.iter().find(|line| line.get("bids").is_some() || line.get("help").is_some());
    assert_eq!(bidding, None, "a bid was made or asked for");
    let prompt = lines.iter().find(|line| line.get("mover").is_some()).unwrap();
    assert_eq!(prompt["mover"], 1, "{prompt}");
}

/// No table is shipped for a goal of 20.
#[test]
fn strategies_are_watched_where_no_table_is_shipped() {
    let text = played(&["fa21", "--goal", "20", "--as", "--seed", "1"], "");
    assert!(text.contains("optimal (Player 0)") && text.contains(" wins: "), "{text}");
}

/// fa14: a player whose bid is exactly 5 higher starts with 10 points against 0, equal bids end the
/// game, and otherwise each player starts with the bid of the other.
#[test]
fn bids_of_people_decide_the_start() {
    for (bids, scores, first) in [
        ([7, 2], [10, 0], Some(0)),
        ([1, 6], [0, 10], Some(1)),
        ([3, 4], [4, 3], Some(1)),
        ([4, 4], [100, 100], None),
    ] {
        let input = format!("{}\nx\n-1\n{}\n6\nq\n", bids[0], bids[1]);
        let lines =
            json_lines(&played(&["fa14", "--two", "--seed", "1", "--format", "json"], &input));
        let opening = lines.iter().find(|line| line.get("bids").is_some()).unwrap();
        let expected = serde_json::json!([bids, scores, first]);
        assert_eq!(
            serde_json::json!([opening["bids"], opening["scores"], opening["first"]]),
            expected
        );
        let turn = lines.iter().find(|line| line.get("faces").is_some());
        assert_eq!(
            turn.map(|turn| turn["name"].clone()),
            first.map(|first: usize| format!("Player {first}").into())
        );
        assert_eq!(lines.iter().filter(|line| line.get("error").is_some()).count(), 2, "{lines:?}");
    }
    assert!(!played(&["fa14", "--seed", "1"], "q\n").contains("dice"));
}

#[test]
fn strategies_draw_different_bids_and_the_saved_game_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("g.hogplay");
    let save = saved.to_str().unwrap();
    let watched = ["sp15c", "--goal", "20", "--as", "optimal", "--format", "json"];
    let mut bids = Vec::new();
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let lines = json_lines(&played(
            &[&watched[..], &["--seed", seed, "--save", save, "--force"]].concat(),
            "",
        ));
        bids.push(lines[0]["bids"].clone());
        if lines[0]["first"].is_null() {
            continue;
        }
        let again = json_lines(&played(&["--replay", save, "--format", "json"], ""));
        let of_turns = |lines: &[Value]| -> Vec<Value> {
            lines
                .iter()
                .filter(|line| line.get("faces").is_some())
                .map(|line| line["scores"].clone())
                .collect()
        };
        assert_eq!(of_turns(&again), of_turns(&lines));
        assert_eq!(again.last().unwrap()["result"], lines.last().unwrap()["result"]);
    }
    bids.sort_by_key(Value::to_string);
    bids.dedup();
    assert!(bids.len() > 1, "{bids:?}");
}

#[test]
fn an_endless_line_is_refused() {
    for (game, words) in [("fa21", "one roll per line"), ("fa14", "one bid per line")] {
        let command = ["play", game, "--seed", "1"];
        let output = assert_cmd::Command::new(HOG)
            .args(command)
            .write_stdin("7".repeat(2 << 20))
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains("longer than 1048576 bytes") && message.contains(words),
            "{message}"
        );
    }
}
