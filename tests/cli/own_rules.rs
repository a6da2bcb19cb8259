//! Rule files of users: they work wherever a built-in game does, and every fault is reported with
//! its line and column.

use std::path::{Path, PathBuf};

use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::{assert_refused, hog, json, number, text};

/// A game of no handout: a memory, an extra turn at multiples of ten, and a four-sided die at some
/// scores.
const GAME: &str = r#"
id = "barn"
title = "A game of the tests"
goal = 30
max_dice = 4
baseline = "always_roll:2"

[[memory]]
name = "rolled_last"
max = "max_dice"
next = "dice"

[[rule]]
name = "Pig Out"
bust = "1"

[[rule]]
name = "Scraps"
zero_dice = "2"

[[rule]]
name = "Small Die"
die = "score % 5 == 0 ? 4 : 6"

[[rule]]
name = "Change of Mind"
points = "dice != rolled_last ? points + 1 : points"

[[rule]]
name = "Round Number"
again = "score % 10 == 0"

[[example]]
turn = { score = 7, opponent = 3, dice = [2, 4], rolled_last = 1 }
after = { points = 7, score = 14, opponent = 3, rolled_last = 2 }
"#;

struct File {
    folder: TempDir,
    path: PathBuf,
}

impl File {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("barn.toml");
        std::fs::write(&path, text).unwrap();
        Self { folder, path }
    }

    fn name(&self) -> &str {
        name(&self.path)
    }
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_users_game_is_solved_and_queried() {
    let file = File::new(GAME);
    let solved = json(&["solve", file.name()]);
    assert_eq!(
        value!([solved["rules"], solved["goal"], solved["max_dice"]]),
        value!(["barn", 30, 4])
    );
    let best = json(&["best", file.name(), "0", "0"]);
    assert_eq!(best["memory"], value!({ "rolled_last": 0, "opponent_rolled_last": 0 }));
    let (exact, float) =
        (solved["win_rate"]["first"].as_f64().unwrap(), best["win_rate"].as_f64().unwrap());
    assert!((exact - float).abs() < 1e-12, "{exact} {float}");
}

#[test]
fn win_rates_in_a_users_game_add_to_one() {
    let file = File::new(GAME);
    let rate = |a, b| json(&["rate", file.name(), a, b])["win_rate"]["average"].as_f64().unwrap();
    let (ours, theirs) = (rate("optimal", "always_roll:2"), rate("always_roll:2", "optimal"));
    assert!(ours > 0.5 && (ours + theirs - 1.0).abs() < 1e-12, "{ours} {theirs}");
}

#[test]
fn a_turn_of_a_users_game_is_shown_rule_by_rule() {
    let file = File::new(GAME);
    let turn = json(&["turn", file.name(), "4", "3", "--dice", "2,3", "--memory", "rolled_last=1"]);
    assert_eq!(value!([turn["points"], turn["score"], turn["again"]]), value!([6, 10, true]));
    let rules: Vec<&str> = turn["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["rule"].as_str().unwrap())
        .collect();
    assert!(rules.contains(&"Change of Mind") && rules.contains(&"Round Number"), "{rules:?}");
}

#[test]
fn exported_tables_of_a_users_game_play_as_strategies() {
    let file = File::new(GAME);
    let csv = text(&["solve", file.name(), "--to", "csv"]);
    assert!(
        csv.starts_with("score,opponent,rolled_last,opponent_rolled_last,win_rate,dice,best\n"),
        "{}",
        &csv[..80]
    );
    let exported: Value =
        serde_json::from_str(&text(&["solve", file.name(), "--to", "json"])).unwrap();
    assert_eq!(exported["states"].as_array().unwrap().len(), csv.lines().count() - 1);

    let rolls = file.folder.path().join("rolls.csv");
    std::fs::write(&rolls, &csv).unwrap();
    let table = file.folder.path().join("barn.hog");
    json(&["solve", file.name(), "-o", name(&table)]);
    for strategy in [format!("table:{}", name(&rolls)), format!("table:{}", name(&table))] {
        assert_eq!(
            json(&["rate", file.name(), &strategy, "optimal"])["win_rate"]["average"],
            0.5,
            "{strategy}"
        );
    }
}

#[test]
fn the_examples_of_a_rule_file_are_run() {
    let file = File::new(GAME);
    assert!(
        text(&["rules", "check", file.name()]).contains("barn  the rules are sound and 1 example")
    );
    // Examples are turns of the rules as they are written, whatever the goal.
    assert!(
        text(&["rules", "check", "fa21", "--goal", "50", "--max-dice", "3"])
            .contains("fa21  the rules are sound")
    );
    let wrong = File::new(
        &GAME.replace("after = { points = 7, score = 14", "after = { points = 8, score = 15"),
    );
    let output = hog(&["rules", "check", wrong.name()]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && message.contains(":33:") && message.contains('7'),
        "{message}"
    );
}

#[test]
fn a_rule_file_is_shown() {
    let file = File::new(GAME);
    assert!(
        text(&["rules", "show", file.name()])
            .contains("points = dice != rolled_last ? points + 1 : points")
    );
}

#[test]
fn every_fault_of_a_rule_file_is_reported_with_line_and_column() {
    let file = File::new(
        r#"id = "broken"
goal = 0
colour = "red"

[[memory]]
name = "last"
max = 3

[[rule]]
name = "Typing error"
points = "poinst + 1"

[[rule]]
name = "Number for a truth"
swap = "score + 1"
"#,
    );
    let places = ["5 faults", ":2:8:", ":3:1:", ":5:1:", ":11:11:", ":15:9:"];
    let words = ["goal is 0", "`colour`", "no `next`", "`poinst`", "did you mean `points`"];
    assert_refused(&["solve", file.name()], &[&places[..], &words[..]].concat());
    assert_refused(&["rules", "check", file.name()], &places);
}

#[test]
fn a_fault_of_a_formula_has_its_line_its_column_and_a_correction() {
    let formula = "zero_dice = \"\"\"\n  score > 3\n    and opponent > 3 ? 2 : 1\n\"\"\"";
    let several_lines = File::new(&GAME.replace("zero_dice = \"2\"", formula));
    assert_refused(
        &["rules", "check", several_lines.name()],
        &["1 fault", ":21:5:", "`and`", "write &&"],
    );
    for (written, place, fix) in [
        ("\"score = 3 ? 1 : 2\"", ":19:20:", "write == to compare"),
        ("'max(score, 2'", ":19:17:", "this `(` has no `)`; add )"),
        ("\"99999999999999999999\"", ":19:14:", "64 bits"),
    ] {
        let file = File::new(&GAME.replace("zero_dice = \"2\"", &format!("zero_dice = {written}")));
        assert_refused(&["rules", "check", file.name()], &["1 fault", place, fix]);
    }
    let nested = format!("zero_dice = \"{}2{}\"", "(".repeat(2000), ")".repeat(2000));
    let nested = File::new(&GAME.replace("zero_dice = \"2\"", &nested));
    assert_refused(
        &["rules", "check", nested.name()],
        &["1 fault", ":19:", "brackets nest deeper than 100"],
    );
}

#[test]
fn a_division_by_zero_is_reported_with_the_scores_where_it_happens() {
    let file =
        File::new(&GAME.replace("zero_dice = \"2\"", "zero_dice = \"20 / abs(opponent - 3)\""));
    assert_refused(
        &["solve", file.name()],
        &["barn.toml:19:14:", "Scraps", "0-3 with 0 dice", "divides by", "which is 0"],
    );
}

#[test]
fn formulas_that_fail_and_examples_that_do_not_hold_are_reported_together() {
    let file = File::new(
        r#"id = "failing"
goal = 20
max_dice = 3

[[memory]]
name = "streak"
max = 3
next = "streak + 1"

[[memory]]
name = "share"
max = 100
next = "1 / streak"

[[rule]]
name = "Before"
die = "opponent == 3 ? 0 : 6"
zero_dice = "100 / opponent"
bust = "dice == 2 ? -1 : 1"

[[rule]]
name = "On totals"
score = "score - opponent"
opponent_score = "score == 10 ? 1 / (opponent - 2) : opponent"

[[example]]
turn = { score = 1, opponent = 0, dice = [5] }
after = { points = 6 }
"#,
    );
    let places = [":8:9:", ":13:9:", ":17:8:", ":18:14:", ":19:9:", ":23:10:", ":24:19:", ":26:1:"];
    assert_refused(
        &["rules", "check", file.name()],
        &[&["8 faults", "`min(..., 3)`"], &places[..]].concat(),
    );
    let fixed = File::new(
        &std::fs::read_to_string(&file.path)
            .unwrap()
            .replace("\"streak + 1\"", "\"min(streak + 1, 3)\"")
            .replace("\"1 / streak\"", "\"0\"")
            .replace("? 0 : 6", "? 4 : 6")
            .replace("100 / opponent", "100 / (opponent + 1)")
            .replace("-1 : 1", "2 : 1")
            .replace("score - opponent", "score")
            .replace("(opponent - 2)", "1"),
    );
    assert_refused(&["rules", "check", fixed.name()], &["1 fault", ":26:1:", "points is 5"]);
}

/// What the file lacks because of a fault that is reported anyway is not reported.
#[test]
fn a_fault_is_reported_once() {
    let only = |text: &str, faults: &str, words: &[&str]| {
        let file = File::new(text);
        assert_refused(&["rules", "check", file.name()], &[&[faults], words].concat());
    };
    only("id = \"a\"\n[[rule]\nname = \"A\"\n", "1 fault", &[":2:8:", "not TOML"]);
    only("id = bad\n", "1 fault", &[":1:6:", "not TOML"]);
    only("id = “a”\n", "1 fault", &[":1:6:", "straight quotes"]);
    only("id = \"a\"\n[rule]\nname = \"A\"\n", "1 fault", &[":2:1:", "[[rule]]"]);
    let twice = "id = \"a\"\n[rule]\nname = \"A\"\n\n[rule]\nname = \"B\"\n";
    only(twice, "1 fault", &[":5:2:", "duplicate key", "write [[rule]]"]);
    only("Id = \"a\"\n", "1 fault", &[":1:1:", "did you mean `id`?"]);
    only("id = 5\n", "1 fault", &[":1:6:", "text in quotes"]);
    only(
        "id = \"a\"\n[[rule]]\nname = \"A\"\npoinst = \"1\"\n",
        "1 fault",
        &[":4:1:", "did you mean `points`?"],
    );
    only(
        "id = \"a\"\n[[rule]]\nname = \"A\"\nbust = [1]\n",
        "1 fault",
        &[":4:8:", "whole number is needed"],
    );
    let memory = "[[memory]]\nnam = \"last\"\nmax = 3\nnext = \"last\"\n";
    only(&format!("id = \"a\"\n{memory}"), "1 fault", &[":3:1:", "did you mean `name`?"]);
    only(
        "id = \"a\"\n[[example]]\nturn = 3\nafter = { score = 1 }\n",
        "1 fault",
        &[":3:8:", "a table such as"],
    );
    let below = "[[rule]]\nname = \"A\"\nbust = \"1\"\nid = \"a\"\nbaseline = \"optimal\"\n";
    only("id = \"a\"\nmin_dice = 11\n", "1 fault", &[":2:12:", "no move is left"]);
    let many = "[[memory]]\nname = \"x\"\nmax = 999\nnext = \"x\"\n[[memory]]\nname = \"y\"\n\
     max = 9\nnext = \"y\"\n";
    only(&format!("id = \"a\"\n{many}"), "1 fault", &[":5:9:", "10000 combinations"]);
    only(below, "2 faults", &[":4:1:", ":5:1:", "move it to the top of the file"]);
}

/// No turn is sound, so the rules on totals have nothing to be applied to.
#[test]
fn rules_that_fail_in_every_turn_are_reported() {
    let swap = "[[rule]]\nname = \"Swap\"\nswap = \"score == 2 * opponent\"\n";
    let memory = |next: &str| format!("[[memory]]\nname = \"m\"\nmax = 3\nnext = \"{next}\"\n");
    let rule = |hook: &str| format!("[[rule]]\nname = \"A\"\n{hook}\n");
    for (text, words) in [
        (rule("points = \"points - 3\"") + swap, "the points of a turn are -3 at 0-0 with 0 dice"),
        (rule("bust = \"-1\"\nzero_dice = \"-1\"") + swap, "-1 at 0-0"),
        (memory("5") + swap, "the memory `m` becomes 5, out of its range 0 to 3"),
        (memory("4") + &rule("score = \"0 / score\""), "the memory `m` becomes 4"),
        (
            memory("m / 0") + &rule("opponent_score = \"busted ? -2 : opponent\""),
            "the memory `m` has no value",
        ),
        (
            "min_dice = 1\nmax_dice = 1\n".to_owned()
                + &rule("bust = \"1 / pairs\"")
                + &rule("swap = \"lowest >= 5\""),
            "has no value at",
        ),
    ] {
        let file = File::new(&format!("id = \"a\"\n{text}"));
        assert_refused(&["rules", "check", file.name()], &[words]);
        assert_refused(&["best", file.name(), "0", "0"], &[words]);
    }
}

/// A rule forces one or two dice, so that requests are the same roll: one choice, no tie.
#[test]
fn requests_that_are_the_same_roll_are_one_choice() {
    let game = |goal: u32, forced: &str| {
        File::new(&format!(
            "id = \"forced\"\ngoal = {goal}\nmax_dice = 2\n[[rule]]\nname = \"Forced\"\n\
             bust = \"1\"\nzero_dice = \"1\"\n{forced}\n"
        ))
    };
    for (forced, dice) in
        [("min_dice = 2", 2), ("max_dice = 0", 0), ("max_dice = 1\nmin_dice = 1", 1)]
    {
        let file = game(10, forced);
        let found = json(&["best", file.name(), "0", "0"]);
        assert_eq!(found["best"], serde_json::json!([dice]), "{forced}");
        let choices: Vec<&Value> =
            found["choices"].as_array().unwrap().iter().map(|choice| &choice["dice"]).collect();
        assert_eq!(choices, [&serde_json::json!(dice)], "{forced}");
        let solved = json(&["solve", file.name()]);
        assert_eq!(
            (&solved["ties"], &solved["first_roll"]),
            (&0.into(), &serde_json::json!([dice]))
        );
        let surveyed = json(&["survey", file.name()]);
        assert_eq!(surveyed["games"][0]["ties"], 0);
        let why = json(&["why", file.name(), "0", "0"]);
        assert_eq!(why["dice"], serde_json::json!([dice, dice]));
        let exported = text(&["solve", file.name(), "--to", "csv", "-o", "-"]);
        let first = exported.lines().nth(1).unwrap();
        assert!(first.ends_with(&format!(",{dice},{dice}")), "{first}");
    }
    // Where both rolls are allowed, nothing is forced.
    let free = json(&["best", game(10, "min_dice = \"score == 3 ? 2 : 0\"").name(), "0", "0"]);
    assert_eq!(free["choices"].as_array().unwrap().len(), 3);
}

/// A table of rolls may give merged values of a memory different requests, if they are one roll.
#[test]
fn a_table_of_rolls_may_have_a_column_for_a_memory_that_is_merged() {
    let file = File::new(
        "id = \"merged\"\ngoal = 4\nmax_dice = 2\n\
         [[memory]]\nname = \"seen\"\nof = \"game\"\nmax = 1\nnext = \"1 - seen\"\n\
         [[rule]]\nname = \"One\"\nmax_dice = 1\nbust = \"1\"\nzero_dice = \"1\"\n",
    );
    let folder = tempfile::tempdir().unwrap();
    let table = |second: u32| {
        let cells = (0..4).flat_map(|score| (0..4).map(move |other| (score, other)));
        let rows = cells.map(|(a, b)| format!("{a},{b},0,1\n{a},{b},1,{second}\n"));
        let path = folder.path().join(format!("rolls{second}.csv"));
        std::fs::write(&path, format!("score,opponent,seen,dice\n{}", rows.collect::<String>()))
            .unwrap();
        path.display().to_string()
    };
    let rate =
        |table: &str| json(&["rate", file.name(), table, "always_roll:0"])["win_rate"].clone();
    assert_eq!(rate(&table(2)), rate(&table(1)));
    assert_refused(
        &["rate", file.name(), &table(0), "always_roll:0"],
        &["alike with seen 1 and 0"],
    );
}

/// In these games a turn is all rolls until the other player is to move.
#[test]
fn rolls_of_one_turn_are_not_counted_as_turns() {
    for (game, goal) in [("drop_dead", "40"), ("going_to_boston", "19"), ("bunco_round", "21")] {
        let path = format!("{}/docs/games/{game}.toml", env!("CARGO_MANIFEST_DIR"));
        let found = json(&["describe", &path, "--goal", goal]);
        assert!(number(&found["rolls"]["mean"]) > number(&found["turns"]["mean"]), "{game}");
        if game == "drop_dead" {
            // One turn each.
            assert!((number(&found["turns"]["mean"]) - 2.0).abs() < 1e-12);
            let played = json(&["simulate", &path, "optimal", "optimal", "--games", "100"]);
            assert_eq!(number(&played["turns"]), 2.0);
        }
    }
}

/// A pot that each player has, and nobody sees of the other.
#[test]
fn a_check_tells_the_size_and_which_memories_could_be_of_the_game() {
    let pig = |of: &str, next: &str, points: &str| {
        File::new(&format!(
            "id = \"own_pot\"\ngoal = 20\nmax_dice = 1\n\
             [[memory]]\nname = \"pot\"\nof = \"{of}\"\nmax = 20\nnext = \"{next}\"\n\
             [[rule]]\nname = \"Roll or hold\"\nbust = 0\nzero_dice = \"pot\"\n\
             points = \"{points}\"\nagain = \"dice > 0 && !busted\"\n"
        ))
    };
    let check = |file: &File| {
        let found = json(&["rules", "check", file.name()]);
        let warnings = found["warnings"].as_array().cloned().unwrap_or_default();
        (found["sizes"][0]["states"].as_u64().unwrap(), warnings)
    };
    let points = "dice == 0 ? points : 0";
    for next in
        ["again ? min(pot + rolled, 20) : 0", "dice == 0 || busted ? 0 : min(pot + rolled, 20)"]
    {
        let (states, warnings) = check(&pig("player", next, points));
        let (fewer, none) = check(&pig("game", next, points));
        assert!(none.is_empty() && states > 10 * fewer, "{states} {fewer} {none:?}");
        let [_, warning] = warnings[0].as_array().unwrap().as_slice() else { panic!() };
        let warning = warning.as_str().unwrap();
        for words in ["`opponent_pot` is never read", "of = \"game\"", &fewer.to_string()] {
            assert!(warning.replace(',', "").contains(words), "{warning}");
        }
        let rate = |file: &File| number(&json(&["solve", file.name()])["win_rate"]["first"]);
        let apart = rate(&pig("player", next, points)) - rate(&pig("game", next, points));
        assert!(apart.abs() < 1e-9);
    }
    // Who reads the other's pot, or keeps the own one, needs one each.
    let read = "dice == 0 ? points : min(opponent_pot, 0)";
    assert_eq!(
        check(&pig("player", "again ? min(pot + rolled, 20) : 0", read)).1,
        [Value::Null; 0]
    );
    assert_eq!(check(&pig("player", "min(pot + rolled, 20)", points)).1, [Value::Null; 0]);
}

/// Rolling no dice is no bust, so `!busted` would let a turn go on for ever.
#[test]
fn a_check_warns_of_turns_that_only_a_bust_ends() {
    let warnings = |again: &str| {
        let file = File::new(&format!(
            "id = \"endless\"\ngoal = 20\nmax_dice = 2\n\
             [[rule]]\nname = \"On\"\nagain = \"{again}\"\n"
        ));
        json(&["rules", "check", file.name()])["warnings"].as_array().map_or(0, Vec::len)
    };
    let others = warnings("dice > 0 && !busted");
    assert_eq!(warnings("!busted"), others + 1);
    assert_eq!([warnings("1 == 1"), warnings("busted")], [others; 2]);
}

/// Faults in games with steps name points, as the file does.
#[test]
fn a_score_between_two_steps_is_told_in_points() {
    let file = File::new(
        "id = \"between\"\ngoal = 500\nstep = 50\nmax_dice = 1\nmin_dice = 1\n\
         [[rule]]\nname = \"Fifty\"\npoints = \"50 * rolled\"\nbust = 50\n\
         [[rule]]\nname = \"Ten more\"\nscore = \"score + 10\"\n",
    );
    assert_refused(
        &["rules", "check", file.name()],
        &[":12:10: the rule Ten more makes a score 2510 at a total of 2500", "the step 50"],
    );
}

/// The mistakes of people who wrote Farkle from docs/rules.md: each is told with what to write.
#[test]
fn mistakes_in_games_with_kept_dice_are_told_with_what_to_write() {
    let dice = "id = \"f\"\ngoal = 1000\nstep = 50\n[[dice]]\ncount = 3\n";
    let pot = "[[memory]]\nname = \"pot\"\nof = \"game\"\nmax = 1000\nstep = 50\n\
               next = \"again ? min(pot + rolled, 1000) : 0\"\n";
    let rule = "[[rule]]\nname = \"R\"\nkeep = \"count(1) == kept\"\n\
                worth = \"100 * kept\"\nzero_dice = \"pot\"\n\
                points = \"dice == 0 ? points : 0\"\nagain = \"kept > 0\"\n";
    let example = "[[example]]\nname = \"E\"\nturn = { dice = [1, 2, 3], keep = [1] }\n";
    let good = format!("{dice}{pot}{rule}{example}after = {{ pot = 100, again = true }}\n");
    json(&["rules", "check", File::new(&good).name()]);
    for (from, to, words) in [
        ("count(1) == kept", "kept > 3", ["no dice of any roll may be kept", ":14:9:"]),
        ("max = 1000\nstep = 50", "max = 1000", ["no multiple of the step", "`pot` counts points"]),
        ("min(pot + rolled, 1000)", "pot + rolled", ["out of its range", "`min(..., 1000)`"]),
        ("[[memory]]\nname = \"pot\"", "[[memory]]\nname = \"heap\"", ["`pot`", "[[memory]]"]),
        ("again = true", "again = false", ["again is true after the turn", "not false"]),
        ("{ pot", "{ ptos", ["unknown key `ptos`", "did you mean `pot`"]),
        ("[[dice]]", "[[die]]", ["unknown key `die`", "[[dice]]"]),
        ("count = 3", "count = 3\nsides = 6\nweights = [1, 2]", ["`weights` and `sides`", "out"]),
        ("kept\"\n", "\n || kept == 3\"\n", ["1 fault", "\"\"\""]),
    ] {
        assert!(good.contains(from), "{from}");
        let file = File::new(&good.replacen(from, to, 1));
        assert_refused(&["rules", "check", file.name()], &words);
    }
    // A turn that must roll needs no points for no dice, and what cannot be banked is not simplified.
    let none = good.replace("zero_dice = \"pot\"", "min_dice = 1");
    let file = File::new(&none.replace("points = \"dice == 0 ? points : 0\"\n", ""));
    assert_eq!(json(&["rules", "check", file.name()])["warnings"], Value::Null);
    assert_refused(&["simplify", file.name()], &["no pot", "no dice score"]);
    let large = good.replacen("step = 50\n", "", 1).replace("1000", "10000");
    assert_refused(&["rules", "check", File::new(&large).name()], &["lower the goal", "`step`"]);
}

/// A rule after one that ends the game would take the points back, or swap the scores.
#[test]
fn the_end_of_a_game_is_not_undone_by_a_later_rule() {
    let folder = TempDir::new().unwrap();
    for later in ["score = \"min(score, 12)\"", "swap = \"true\"", "opponent_score = \"30\""] {
        let file = File::new(&format!(
            "id = \"undone\"\ngoal = 20\nmax_dice = 1\n\
             [[rule]]\nname = \"stop\"\nbust = 1\nzero_dice = 2\nend = \"score + opponent >= 10\"\n\
             [[rule]]\nname = \"after\"\n{later}\n"
        ));
        let turn = json(&["turn", file.name(), "6", "3", "--dice", "4"]);
        assert_eq!([&turn["score"], &turn["opponent"]], [20, 3], "{later}");
        assert_eq!([&turn["over"], &turn["again"]], [true, false], "{later}");
        let best = json(&["best", file.name(), "6", "3"]);
        assert_eq!(best["win_rate"], 1.0, "{later}");
        let table = folder.path().join("undone.hog").display().to_string();
        json(&["solve", file.name(), "-o", &table, "--force"]);
        assert_eq!(json(&["check", &table])["ok"], true, "{later}");
    }
}

/// A name that is known elsewhere: where, and what to write instead.
#[test]
fn a_name_of_another_hook_is_refused_with_the_hooks_that_know_it() {
    let rule = |hook: &str| format!("id = \"a\"\n[[rule]]\nname = \"R\"\n{hook}\n");
    let next = "id = \"a\"\n[[memory]]\nname = \"seen\"\nmax = 60\nnext = \"sum\"\n";
    for (text, words) in [
        (rule("points = \"sum\""), ["`sum` is not known here, only in `bust`", "`rolled` is"]),
        (next.to_owned(), ["`sum` is not known here, only in `bust`", "`rolled` is"]),
        (rule("points = \"ones_rolled\""), ["only in `bust`", "`count(1)` is"]),
        (rule("points = \"face\""), ["only in `face_points`", "count(f)"]),
        (rule("max_dice = \"dice\""), ["only in `die` to `end`", "decided by this hook"]),
        (rule("bust = \"points\""), ["only in `points` to `end`", "`sum` is"]),
        (rule("points = \"count(score + 1)\""), ["one face", "must not depend on the turn"]),
    ] {
        let file = File::new(&text);
        assert_refused(&["rules", "check", file.name()], &words);
    }
}

#[test]
fn numbers_lists_and_truth_values_need_no_quotes() {
    let game = |rule: &str| {
        File::new(&format!("id = \"a\"\ngoal = 9\nmax_dice = 2\n[[rule]]\nname = \"R\"\n{rule}"))
    };
    let quoted = game("die = \"[1, 2, 1]\"\nbust = \"1\"\nzero_dice = \"1\"\nswap = \"true\"\n");
    let bare = game("die = [1, 2, 1]\nbust = 1\nzero_dice = 1\nswap = true\n");
    let solved = |file: &File| json(&["best", file.name(), "0", "0"])["win_rate"].clone();
    assert_eq!(solved(&quoted), solved(&bare));
    let refused = game("die = [1, \"2\"]\nbust = 1.5\n");
    assert_refused(&["rules", "check", refused.name()], &["2 faults", "formula in quotes"]);
}

#[test]
fn memories_may_be_given_one_by_one_or_with_commas() {
    let memory = |name: &str| {
        format!("[[memory]]\nname = \"{name}\"\nof = \"game\"\nmax = 3\nnext = \"{name}\"\n")
    };
    let text = format!(
        "id = \"a\"\ngoal = 9\n{}{}[[rule]]\nname = \"R\"\nzero_dice = \"a + 2 * b\"\n",
        memory("a"),
        memory("b")
    );
    let file = File::new(&text);
    let turn = |memory: &[&str]| {
        json(&[&["turn", file.name(), "0", "0", "--dice", "none"], memory].concat())["points"]
            .clone()
    };
    assert_eq!(turn(&["--memory", "a=1,b=2"]), 5);
    assert_eq!(turn(&["--memory", "a=1", "--memory", "b=2"]), 5);
}

#[test]
fn a_suggestion_for_a_name_is_one_that_works() {
    let file = File::new(
        "id = \"a\"\ncolour = 1\n[[rule]]\nname = \"A\"\nbust = \"opponent_score % num_rolls\"\n",
    );
    let words = [
        "3 faults",
        "`colour`; use one of id, title",
        "did you mean `opponent`?",
        "did you mean `dice`?",
    ];
    assert_refused(&["rules", "check", file.name()], &words);
    for (key, hook) in
        [("die", "die"), ("dice", "die"), ("zero_dice", "zero_dice"), ("point", "points")]
    {
        let file = File::new(&format!("id = \"a\"\n{key} = \"4\"\n"));
        let words = [&format!("; `{hook}` belongs in a [[rule]]"), ":2:1:"];
        assert_refused(&["rules", "check", file.name()], &words.map(|word: &str| word));
    }
    // Three letters of which one is that of a hook are no misspelt hook.
    let file = File::new("id = \"a\"\n[[rule]]\nname = \"A\"\nbust = \"gap\"\ngap = 15\n");
    assert_refused(&["rules", "check", file.name()], &["names are under [numbers]"]);
}

#[test]
fn a_game_that_cannot_end_is_refused() {
    let file = File::new(
        "id = \"idle\"\ngoal = 10\nmax_dice = 0\n\n[[rule]]\nname = \"Idle\"\nzero_dice = \"0\"\n",
    );
    assert_refused(&["solve", file.name()], &["end"]);
}

#[test]
fn a_file_that_is_not_a_rule_file_is_refused_with_its_line() {
    assert_refused(&["solve", File::new("id = \"a\"\nthis is prose\n").name()], &[":2:", "TOML"]);
    assert_refused(&["solve", File::new("").name()], &[":1:1:", "`id` is missing"]);
    let binary = File::new("");
    std::fs::write(&binary.path, [0xff, 0xfe, 0x00]).unwrap();
    assert_refused(&["solve", binary.name()], &[binary.name(), "UTF-8"]);
}

/// The values of 28 to 30 dice differ by the effect of one roll in 6^28.
const NEAR_TIES: &str = r#"
id = "sixes"
goal = 6
min_dice = 28
max_dice = 30
[[rule]]
name = "Sixes"
points = "rolled == 6 * dice ? 2 : rolled % 2"
"#;

#[test]
fn rolls_that_doubles_cannot_separate_are_separated_and_checked() {
    let file = File::new(NEAR_TIES);
    let (table, solve) =
        (file.folder.path().join("sixes.hog"), ["solve", file.name(), "--arithmetic", "float"]);
    let shown = text(&[&solve[..], &["-o", name(&table)]].concat());
    assert!(shown.contains("36, 0 with a tie, 21 loops"), "{shown}");
    assert!(shown.contains("near ties   told apart with 31 digits; none is left open"), "{shown}");
    assert_eq!(json(&solve)["near_ties"], value!({ "digits": 31, "open": 0 }));
    let verdict = text(&["check", name(&table)]);
    assert!(verdict.contains("every best roll within") && verdict.contains("of the best"));
}
