//! `hog simplify` and `hog fair`: strategies to remember, and fair games.

use std::path::Path;
use std::process::Command;

use super::{assert_refused, hog, json, number};

/// Returns the average win rate of a file against optimal play.
fn rated(game: &[&str], file: &Path) -> f64 {
    let rate = json(&[&["rate"], game, &[file.to_str().unwrap(), "optimal"]].concat());
    number(&rate["win_rate"]["average"])
}

/// The rolls of the written table, and in most games those of the Python function, are rated by the
/// commands for strategies in files: what they lose is what was said. Between them the games have
/// all kinds of things that a line may look at.
#[test]
fn what_is_written_loses_what_was_said() {
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    let folder = tempfile::tempdir().unwrap();
    const GAMES: [&str; 12] = [
        "fa12",
        "fa13",
        "fa15",
        "fa16",
        "fa20",
        "fa21",
        "fa23",
        "sp15",
        "sp20",
        "sp22",
        "neller_hog",
        "pig",
    ];
    for game in GAMES {
        // Pig to 25 is won by never holding.
        let goal = match game {
            "sp20" => "15",
            "pig" => "40",
            _ => "25",
        };
        let goal = ["--goal", goal];
        let [csv, python] =
            ["csv", "py"].map(|ending| folder.path().join(format!("{game}.{ending}")));
        let simplify = |file: &Path| {
            let output = ["-o", file.to_str().unwrap()];
            json(&[&["simplify", game, "--lines", "5"], &goal[..], &output].concat())
        };
        let answer = simplify(&csv);
        let strategies = answer["strategies"].as_array().unwrap();
        let losses: Vec<f64> = strategies.iter().map(|one| number(&one["loss"])).collect();
        assert!(losses.windows(2).all(|pair| pair[1] <= pair[0]), "{game}: {losses:?}");
        let (lines, loss) =
            (&strategies[strategies.len() - 1]["sentences"], losses[losses.len() - 1]);
        assert!(lines.as_array().unwrap().len() <= 5 && loss < losses[0], "{game}: {lines}");
        let average = number(&answer["win_rate"]["average"]);
        assert!((0.5 - average - loss).abs() < 1e-12, "{game}");
        let named = [&[game], &goal[..]].concat();
        let of_table = rated(&named, &csv);
        assert!((0.5 - of_table - loss).abs() < 1e-12, "{game}: {of_table} and {loss}");
        // A function of the scores does not see a pot.
        if has_python && game != "pig" {
            assert_eq!(simplify(&python), answer, "{game}: the same at every call");
            let of_python = rated(&named, &python);
            let program = std::fs::read_to_string(&python).unwrap();
            assert!(
                (0.5 - of_python - loss).abs() < 1e-12,
                "{game}: {of_python}, {loss}: {program}"
            );
        }
    }
}

/// A rule that ends the game for who leads, unless both end at an odd sum, before one that swaps.
#[test]
fn lists_see_a_turn_without_dice_that_ends_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ends.toml");
    let text = "id = \"ends\"\ngoal = 30\nmax_dice = 6\nbaseline = \"always_roll:3\"\n\
                [[rule]]\nname = \"End\"\nbust = 1\nzero_dice = \"ones(opponent) + 1\"\n\
                end = \"score + opponent > 24 && (score + opponent) % 2 == 1\"\n\
                [[rule]]\nname = \"Later\"\nswap = \"(score + opponent) % 3 == 0\"\n\
                again = \"score % 5 == 0\"\n";
    std::fs::write(&file, text).unwrap();
    let ends = file.to_str().unwrap();
    let python = folder.path().join("ends.py");
    let answer = json(&["simplify", ends, "--lines", "5", "-o", python.to_str().unwrap()]);
    let program = std::fs::read_to_string(&python).unwrap();
    assert!(program.contains("if not over:"), "{program}");
    if Command::new("python3").arg("--version").output().is_ok() {
        let average = number(&answer["win_rate"]["average"]);
        assert!((rated(&[ends], &python) - average).abs() < 1e-12, "{program}");
    }
}

/// Rolling none scores 1, the die has two faces, of which the 1 scores nothing; 3 points win. At 2
/// rolling none wins. At 1-1 the die wins two thirds, against half for none; at 0-1 none wins a
/// third, the die a quarter: none, none, and dice from then on, is optimal.
///
/// Always none, moving first: the opponent rolls the die once, at 1-2, so it wins a half. Moving
/// second: the opponent rolls at 1-1 and at 1-2, so it wins a quarter. Their average is 1/8 less
/// than a half. With the die from 1 point on nothing is lost.
const COIN: &str = r#"
id = "coin"
title = "Coin"
goal = 3
max_dice = 1

[[rule]]
name = "Coin"
die = "2"
bust = "0"
zero_dice = "1"
"#;

/// Seven lines by hand win 0.7139 of fa24 against its baseline.
#[test]
fn a_list_against_the_baseline_wins_more_than_one_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("list.csv");
    let written = ["-o", csv.to_str().unwrap()];
    let asked = ["simplify", "fa24", "--against", "baseline", "--lines", "7"];
    let answer = json(&[&asked[..], &written].concat());
    assert_eq!(answer["against"], "always_roll:6");
    let wins = answer["win_rate"]["average"].as_f64().unwrap();
    assert!(wins > 0.7139, "{wins}");
    let best = json(&["rate", "fa24", "beat:baseline"])["win_rate"]["average"].as_f64().unwrap();
    let loss = answer["strategies"][6]["loss"].as_f64().unwrap();
    assert!((best - wins - loss).abs() < 1e-12, "{best} - {wins} is not {loss}");
    let rate = json(&["rate", "fa24", csv.to_str().unwrap(), "baseline"]);
    assert!((rate["win_rate"]["average"].as_f64().unwrap() - wins).abs() < 1e-12);
}

#[test]
fn the_losses_of_a_game_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("coin.toml");
    std::fs::write(&file, COIN).unwrap();
    let coin = file.to_str().unwrap();
    let answer = json(&["simplify", coin, "--within", "0"]);
    let strategies = answer["strategies"].as_array().unwrap();
    assert_eq!(strategies.len(), 2, "{strategies:?}");
    assert!((number(&strategies[0]["loss"]) - 0.125).abs() < 1e-12, "{strategies:?}");
    assert!(number(&strategies[1]["loss"]).abs() < 1e-12, "{strategies:?}");
    assert_eq!(strategies[0]["sentences"], serde_json::json!(["Always roll none."]));
    let is_reached = json(&["simplify", coin, "--within", "0.2"]);
    assert_eq!(
        (&is_reached["reached"], is_reached["strategies"].as_array().unwrap().len()),
        (&true.into(), 1)
    );
    // What was asked for first: no such list, and no file.
    let kept = folder.path().join("kept.py");
    let too_short =
        ["simplify", coin, "--within", "0.1", "--lines", "1", "-o", kept.to_str().unwrap()];
    let output = hog(&too_short).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("no list of up to 1 line was found"), "{shown}");
    assert_eq!(output.status.code(), Some(1));
    assert!(!kept.exists());
    let output = hog(&[&too_short[..], &["--format", "json"]].concat()).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"reached\":false"));

    // The values of the starts, by hand: a third at 0-1, nothing at 0-2.
    let fair = json(&["fair", coin]);
    let of_start = |second: u64| {
        let all = fair["handicaps"].as_array().unwrap();
        number(&all.iter().find(|one| one["second"] == second).unwrap()["first_player"])
    };
    let values = [0, 1, 2].map(of_start);
    for (value, wanted) in values.into_iter().zip([2.0 / 3.0, 1.0 / 3.0, 0.0]) {
        assert!((value - wanted).abs() < 1e-12, "{values:?}");
    }
}

#[test]
fn losses_and_lines_out_of_range_are_refused() {
    assert_refused(&["simplify", "fa21", "--within", "0.7"], &["0 to 0.5"]);
    assert_refused(&["simplify", "fa21", "--lines", "0"], &["1 to 16"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("final.txt");
    assert_refused(&["simplify", "fa21", "-o", file.to_str().unwrap()], &[".py or .csv"]);
    let shown =
        hog(&["simplify", "fa21", "--goal", "10", "--lines", "1", "-o", "-"]).output().unwrap();
    assert!(
        String::from_utf8_lossy(&shown.stdout)
            .starts_with("def final_strategy(score, opponent_score):")
    );
}

/// Each win rate is that of `hog best` at the start, or of `hog survey` with the same numbers.
#[test]
fn what_makes_a_game_fair_is_what_other_commands_say() {
    let fair = json(&["fair", "fa21", "--goal", "30"]);
    let handicaps = fair["handicaps"].as_array().unwrap();
    assert_eq!(handicaps.len(), 30);
    let distances: Vec<f64> =
        handicaps.iter().map(|one| (number(&one["first_player"]) - 0.5).abs()).collect();
    assert!(distances.is_sorted(), "{distances:?}");
    let fairest = &handicaps[0];
    let scores = [fairest["first"].to_string(), fairest["second"].to_string()];
    let best = json(&["best", "fa21", &scores[0], &scores[1], "--goal", "30"]);
    assert!((number(&best["win_rate"]) - number(&fairest["first_player"])).abs() < 1e-12);
    let set = ["--set", &format!("second_start={}", scores[1])];
    let solved = json(&[&["solve", "fa21", "--goal", "30"][..], &set].concat());
    let first = number(&solved["win_rate"]["first"]);
    assert!((first - number(&fairest["first_player"])).abs() < 1e-12);
    let varied = json(&["vary", "fa21", "goal=20..30:5", "max_dice=5,6"]);
    let rows = varied["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let [goal, dice] = [0, 1].map(|place| row["values"][place].to_string());
        let survey = json(&["survey", "fa21", "--goal", &goal, "--max-dice", &dice]);
        let first = number(&survey["games"][0]["win_rate"]["first"]);
        let difference = first - number(&row["figures"]["win_rate"]["first"]);
        assert!(difference.abs() < 1e-12, "{row}");
    }
    assert_refused(
        &["vary", "fa21", "hunger=1..3"],
        &["fa21 has no number `hunger`: goal, max_dice"],
    );
}

/// The page has a row for every published game; those of quick games are what the program computes.
#[test]
fn the_page_of_losses_has_the_figures_of_the_program() {
    let page = std::fs::read_to_string("docs/simple.md").unwrap();
    let row = |game: &str| {
        let found = page.lines().find(|line| line.starts_with(&format!("| `{game}` |")));
        let cells: Vec<String> = found
            .unwrap_or_else(|| panic!("docs/simple.md lacks {game}; write it by scripts/simple.py"))
            .split(" | ")
            .map(|cell| cell.trim_matches(['|', ' ']).to_owned())
            .collect();
        cells
    };
    let list = json(&["rules", "list"]);
    for game in list["games"].as_array().unwrap() {
        assert_eq!(row(game["id"].as_str().unwrap()).len(), 6, "{game}");
    }
    // The search depends on the most lines: those of the page are 8.
    for game in ["fa23", "piglet"] {
        let answer = json(&["simplify", game, "--lines", "8"]);
        let strategies = answer["strategies"].as_array().unwrap();
        for lines in 1..=3 {
            let found = &strategies[lines.min(strategies.len()) - 1]["loss"];
            assert_eq!(row(game)[lines], format!("{:.6}", number(found)), "{game}");
        }
    }
}
