//! Options and arguments: refused where they have no meaning, read in the forms that people write,
//! answered in plain English.

use super::{assert_refused, hog, json, text};

#[test]
fn goal_and_max_dice_are_refused_by_commands_that_take_no_game() {
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
    assert_refused(&["why", "fa21", "1", "2", "--force"], &["--force", "leave it out"]);
    assert_refused(&["rules", "list", "--force"], &["--force", "leave it out"]);
    assert_refused(&["describe", "fa21", "--force"], &["--force", "leave it out"]);
    assert_refused(&["compare", "fa21", "sp21", "--force"], &["--force", "leave it out"]);
    let both = "both set and varied";
    assert_refused(&["vary", "fa21", "goal=9..10", "--goal", "9"], &["goal", both]);
    assert_refused(&["vary", "fa21", "max_dice=1,2", "--max-dice", "3"], &["max_dice", both]);
    assert_refused(&["vary", "fa21", "--goal", "9"], &["goal", both]);
    assert_refused(&["play", "--replay", "game.hogplay", "--plain"], &["--replay", "--plain"]);
    assert!(text(&["rules", "show", "fa21", "--goal", "50"]).contains("up to 50 points"));
}

#[test]
fn numbers_may_have_exponents_and_underscores() {
    let games =
        |text: &str| json(&["simulate", "fa21", "always_roll:4", "--games", text])["games"].clone();
    assert_eq!([games("1e3"), games("1_000")], [1000, 1000]);
    assert_refused(
        &["simulate", "fa21", "always_roll:4", "--games", "many"],
        &["many", "whole number", "1e5"],
    );
    assert_refused(
        &["simulate", "fa21", "always_roll:4", "--games", "1"],
        &["--games", "choose 2 to"],
    );
    assert_refused(&["solve", "fa21", "--threads", "0"], &["--threads", "1 to 1024"]);
}

#[test]
fn a_count_of_one_is_printed_in_the_singular() {
    assert!(
        text(&["solve", "fa21", "--goal", "1", "--max-dice", "1"])
            .contains("first roll  0 or 1 dice")
    );
    let one = text(&["try", "fa21", "always_roll:3", "--goal", "1", "--against", "always_roll:3"]);
    assert!(one.contains("no strategy does better") || one.contains("1 position met"), "{one}");
}

#[test]
fn an_answer_for_a_semester_names_the_game_it_plays() {
    let printed = text(&["best", "FA24", "20", "36"]);
    assert!(printed.starts_with("fa24 is played by the rules of fa23: CS 61A"), "{printed}");
    assert!(text(&["best", "fa23", "20", "36"]).starts_with("fa23: 20 to 36"));
    assert_eq!(json(&["best", "fa24", "20", "36"]), json(&["best", "fa23", "20", "36"]));
}

#[test]
fn a_strategy_given_in_place_of_the_rules_is_refused_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hog.py");
    std::fs::write(&path, "def final_strategy(score, opponent_score):\n    return 6\n").unwrap();
    assert_refused(&["best", path.to_str().unwrap(), "2", "3"], &["hog.py is Python", "fa21"]);
    assert_refused(&["solve", "rolls.csv"], &["rolls.csv is a table of rolls", ".toml"]);
}

#[test]
fn an_unknown_semester_is_refused_with_a_neighbouring_one() {
    assert_refused(&["best", "FA26", "1", "2"], &["`FA26`", "`fa25`"]);
}

#[test]
fn a_try_claims_no_more_than_it_shows() {
    let pig = text(&["try", "pig", "hold_at:5", "--goal", "20", "--against", "optimal"]);
    assert!(
        pig.contains("stops too early (") && pig.contains(" if it ends (17% of rolls)"),
        "{pig}"
    );
    let none = text(&["try", "fa21", "always_roll:6", "--top", "0"]);
    assert!(!none.contains("no strategy does better") && !none.contains("what to roll"), "{none}");
    assert!(none.contains("too many dice") && none.contains("of the exact ones"), "{none}");
    let perfect = text(&["try", "fa21", "beat:always_roll:6", "--top", "3"]);
    assert!(
        perfect.contains("no strategy does better") && perfect.contains("of the exact ones"),
        "{perfect}"
    );
}

#[test]
fn an_error_of_the_system_is_reported_in_one_plain_line() {
    let output = hog(&["solve", "fa21", "--goal", "9", "-o", "nowhere/a.hog"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "error: cannot write nowhere/a.hog: No such file or directory\n");
}

#[test]
fn two_spellings_of_a_command_give_the_same_result() {
    assert_eq!(text(&["rules", "fa24"]), text(&["rules", "show", "fa24"]));
    let by_place = json(&["rate", "fa21", "optimal", "always_roll:5", "--goal", "20"]);
    assert_eq!(
        json(&["rate", "fa21", "optimal", "--against", "always_roll:5", "--goal", "20"]),
        by_place
    );
    let refused = hog(&["rate", "fa21", "optimal", "always_roll:5", "--against", "always_roll:4"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let by_name = json(&[
        "simulate",
        "fa21",
        "optimal",
        "--against",
        "always_roll:5",
        "--games",
        "10",
        "--goal",
        "9",
    ]);
    assert_eq!(by_name["against"], "always_roll:5");
}

#[test]
fn standard_output_gets_only_the_requested_result() {
    let contest = ["contest", "fa21", "always_roll:4", "always_roll:5", "--goal", "9", "-o", "-"];
    assert!(text(&contest).starts_with("rank,name,"));
    assert!(json(&contest)["ranking"].is_array());
    let tune = ["tune", "fa21", "always_roll:0..3", "--goal", "9", "-o", "-"];
    assert!(text(&tune).starts_with("n,"));
    assert_eq!(json(&tune)["rates"].as_array().unwrap().len(), 4);
    let vary = ["vary", "fa21", "goal=5..6", "-o", "-"];
    assert!(!text(&vary).contains("as goal varies") && json(&vary)["rows"].is_array());
    let solve = ["solve", "fa21", "--goal", "9", "-o", "-"];
    assert!(json(&solve)["states"] == 81 && json(&solve)["output"].is_null());
    let survey = ["survey", "fa21", "--goal", "9", "-o", "-"];
    assert!(text(&survey).contains("# CS 61A") && json(&survey)["games"].is_array());
    let tried = ["try", "fa21", "always_roll:4", "--goal", "9", "-o", "-"];
    assert!(!text(&tried).contains("it wins") && json(&tried)["worst"].is_array());
}

#[test]
fn a_survey_fits_in_80_columns() {
    let widest =
        text(&["survey", "fa19", "sp15", "--goal", "20"]).lines().next().unwrap().chars().count();
    assert!(widest <= 80, "{widest}");
}

#[test]
fn plots_of_a_strategy_may_be_limited_to_one_value_of_a_memory() {
    for kind in ["visits", "loss"] {
        let plot = ["plot", kind, "fa16", "always_roll:4", "--goal", "20", "-o", "-"];
        let one = [&plot[..], &["--memory", "dice_exchanged=1"]].concat();
        let (all, one) = (text(&plot), text(&one));
        assert!(
            one.contains("only positions with dice_exchanged = 1")
                && !all.contains("only positions"),
            "{kind}"
        );
        assert_ne!(all, one.replace("; only positions with dice_exchanged = 1", ""), "{kind}");
        assert_refused(
            &[&plot[..], &["--memory", "nothing=1"]].concat(),
            &["nothing", "dice_exchanged"],
        );
    }
}

/// Without a loss there is nothing to scale the colours by.
#[test]
fn the_losses_of_a_strategy_without_losses_are_plotted_too() {
    let picture = text(&["plot", "loss", "fa21", "beat:always_roll:6", "--goal", "20", "-o", "-"]);
    assert!(picture.contains("0.0000 is lost"), "{picture}");
}

#[test]
fn hints_name_commands_that_can_be_typed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let file = path.to_str().unwrap();
    text(&["rules", "new", "mine", "-o", file]);
    assert!(
        text(&["rules", "show", file]).contains(&format!("`hog rules check {file}` runs them"))
    );
    assert_refused(&["rate", file, "swap_strategy:8,5"], &[&format!("`hog rules show {file}`")]);
    assert_refused(&["check", file], &["no table is shipped", &format!("`hog solve {file} -o ")]);
    assert_refused(&["try", "hog.py", "fa24"], &["the game comes first: `hog try fa24 hog.py`"]);
    assert_refused(&["tune", "fa24", "hog.py"], &["argument of its function", "threshold=0..20"]);
    let own = folder.path().join("own.py");
    let functions = "def plain(a, b): return 6\ndef careful(a, b, dice=6, limit=11): return dice\n";
    std::fs::write(&own, functions).unwrap();
    let own = own.to_str().unwrap();
    let advice = format!("careful has dice, limit, as in {own}:careful --vary dice=2..10");
    assert_refused(&["tune", "fa24", own], &[&advice]);
    text(&["tune", "fa24", &format!("{own}:careful"), "--vary", "dice=2..10"]);
    assert_refused(
        &["tune", "fa24", "hog.py", "--vary", "threshold=3.."],
        &["a range has two ends, as in 0..20"],
    );
    assert_refused(&["simulate", "fa21", "--games", "1e20"], &["choose 2 to 1000000000000"]);
    assert_refused(&["rate", "fa21", "always_roll(4)"], &["did you mean `always_roll:4`?"]);
}

#[test]
fn no_line_of_a_help_ends_in_a_blank() {
    let help = hog(&["--help"]).output().unwrap();
    let list = String::from_utf8(help.stdout).unwrap();
    let rows = list.lines().filter_map(|line| line.strip_prefix("  "));
    for name in rows.filter_map(|row| row.split(' ').next()).filter(|name| *name != "hog") {
        let help = hog(&["help", name]).output().unwrap();
        let text = String::from_utf8(help.stdout).unwrap();
        assert!(!text.lines().any(|line| line.ends_with(' ')), "{name}: {text}");
    }
}
