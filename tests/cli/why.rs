//! `hog why`: which outcomes make one roll better than another.

use serde_json::json as value;

use super::{assert_refused, json, text};

#[test]
fn without_rolls_the_best_one_is_compared_with_the_next_best() {
    let best = json(&["best", "fa21", "20", "36"]);
    let mut choices = best["choices"].as_array().unwrap().clone();
    let rate = |choice: &serde_json::Value| choice["win_rate"].as_f64().unwrap();
    choices.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    let why = json(&["why", "fa21", "20", "36"]);
    assert_eq!(why["dice"], value!([choices[0]["dice"], choices[1]["dice"]]));
    assert_eq!(why["win_rate"], value!([choices[0]["win_rate"], choices[1]["win_rate"]]));
}

/// One point before the goal any dice win, however they fall.
#[test]
fn rolls_that_win_equally_often_differ_in_nothing() {
    let arguments = ["why", "fa21", "99", "0", "--rolls", "1,2"];
    let why = json(&arguments);
    assert_eq!(why["win_rate"][0], why["win_rate"][1]);
    let kinds: Vec<&serde_json::Value> =
        why["outcomes"].as_array().unwrap().iter().map(|outcome| &outcome["kind"]).collect();
    assert_eq!(kinds, ["won"]);
    assert!(text(&arguments).contains("no outcome makes a difference"));
}

#[test]
fn the_text_adds_up_to_the_difference_within_80_columns() {
    for arguments in [
        &["why", "fa21", "20", "36"][..],
        &["why", "fa21", "20", "36", "--rolls", "5,8"],
        &["why", "nju21", "40", "40", "--against", "always_roll:4"],
        &["why", "fa19", "20", "36", "--memory", "last_dice=4"],
        &["why", "pig", "30", "42", "--goal", "60", "--memory", "pot=18"],
        &["why", "fa16", "20", "5", "--rolls=-1,4"],
    ] {
        let printed = text(arguments);
        assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
        let why = json(arguments);
        let rate = |side: usize| why["win_rate"][side].as_f64().unwrap();
        let shares: Vec<f64> = printed
            .lines()
            .filter_map(|line| line.split_whitespace().next())
            .filter(|word| word.starts_with(['+', '-']) && word.contains('.'))
            .map(|word| word.parse().unwrap())
            .collect();
        assert!(!shares.is_empty(), "{printed}");
        // Each line is rounded to six digits.
        let difference = shares.iter().sum::<f64>() - (rate(0) - rate(1));
        assert!(difference.abs() < 1e-6 * shares.len() as f64, "{difference}: {printed}");
    }
}

#[test]
fn rolls_that_are_not_two_or_not_allowed_are_refused() {
    assert_refused(&["why", "fa21", "20", "36", "--rolls", "4"], &["two numbers of dice"]);
    assert_refused(&["why", "fa21", "20", "36", "--rolls", "4,11"], &["11 dice", "0 to 10"]);
    assert_refused(&["why", "fa21", "20", "100"], &["100"]);
}

/// 20 and 16 points make 36, which Hog Pile doubles; in fa20 Pig Pass gives another turn.
#[test]
fn the_rules_that_act_are_named() {
    for (game, score, opponent, rolls, kind, rules) in [
        ("fa21", "20", "36", "8,7", "points", "Hog Pile"),
        ("fa20", "20", "40", "8,4", "again", "Pig Pass"),
        ("su15", "30", "46", "6,7", "changed", "Swine Swap"),
    ] {
        let why = json(&["why", game, score, opponent, "--rolls", rolls]);
        let parts = why["parts"].as_array().unwrap();
        assert!(
            parts.iter().any(|part| part["kind"] == kind && part["rules"][0] == rules),
            "{why}"
        );
        let named = why["outcomes"].as_array().unwrap().iter().find(|one| one["rules"][0] == rules);
        assert_eq!(named.unwrap()["kind"], kind);
    }
}

/// Players type what they see: with commas, with spaces, or one digit after the other.
#[test]
fn a_roll_is_read_as_players_type_it() {
    let of = ["best", "kcd", "100", "200", "--goal", "500", "--roll"];
    let answer = |roll: &'static str| json(&[&of[..], &[roll]].concat());
    assert_eq!(answer("1,1,4")["roll"], value!([1, 1, 4]));
    assert_eq!(answer("114"), answer("1,1,4"));
    assert_eq!(answer("1 1 4"), answer("1,1,4"));
    assert_eq!(answer("1, 1, 4"), answer("1,1,4"));
    assert_refused(&[&of[..], &["1x"]].concat(), &["2,5 or 25"]);
    assert_refused(&[&of[..], &["1111111"]].concat(), &["7 dice", "6"]);
    let turn = ["turn", "kcd", "0", "0", "--keep", "11", "--dice", "1 1 4 5 3 2"];
    assert_eq!(json(&turn)["memory"]["pot"], value!(200));
}

/// The mean over all rolls is less than what the roll that is told loses, as `best` has it.
#[test]
fn the_dice_that_are_kept_worst_are_told_with_a_loss_of_their_own() {
    let tried = ["try", "kcd", "hold_at:300", "--goal", "500", "--against", "optimal"];
    let worst = json(&tried)["worst"][0].clone();
    assert_eq!(worst["roll"], value!([1, 2, 2, 3, 5, 5]));
    let best = json(&["best", "kcd", "0", "0", "--goal", "500", "--roll", "122355"]);
    let keeps = best["keeps"].as_array().unwrap();
    let rate = |kept| {
        let keep = keeps.iter().find(|keep| keep["keep"] == kept).unwrap();
        keep["win_rate"].as_f64().unwrap()
    };
    let [better, own] = [rate(value!([1])), rate(value!([1, 5, 5]))];
    let loss = worst["roll_loss"].as_f64().unwrap();
    assert!((loss - (better - own)).abs() < 1e-12, "{loss} of {better} and {own}");
    assert!(worst["loss_each"].as_f64().unwrap() < loss);
    let words = "keep 1, which leaves 5 dice, not 3, and wins 58.8%, not 45.5%";
    assert!(worst["words"].as_str().unwrap().ends_with(words), "{worst}");
}
