//! Bad usage and bad input: each gets exit status 2 and one message that names what to change,
//! without a panic.

use std::time::Duration;

use super::{assert_refusal, assert_refused, hog};

#[test]
fn an_unknown_game_is_refused_with_the_nearest_name() {
    assert_refused(
        &["best", "fa221", "1", "2"],
        &["`fa221`", "did you mean `fa21`?", "hog rules list"],
    );
    assert_refused(&["solve", "su51"], &["`su51`", "did you mean `su15`?"]);
    assert_refused(&["solve", "fa2024"], &["`fa2024`", "did you mean `fa24`?"]);
    assert_refused(&["solve", "nju2024"], &["`nju2024`", "did you mean `nju24`?"]);
    assert_refused(
        &["rate", "backgammon", "optimal", "optimal"],
        &["`backgammon`", "hog rules list"],
    );
    assert_refused(&["rules", "show", ""], &["hog rules list"]);
}

/// As a student who has not seen the commands would type it.
#[test]
fn a_game_or_a_file_in_place_of_a_command_is_tried() {
    assert_refused(&["fa24"], &["did you mean `hog try fa24 hog.py`?"]);
    assert_refused(&["hog.py"], &["did you mean `hog try fa24 hog.py`?"]);
    assert_refused(&["mine.py", "FA21"], &["did you mean `hog try FA21 mine.py`?"]);
    assert_refused(&["fa21", "mine.csv"], &["did you mean `hog try fa21 mine.csv`?"]);
    assert_refused(&["games"], &["did you mean `hog rules list`?"]);
}

#[test]
fn ranges_and_numbers_to_vary_are_shown_as_they_are_written() {
    let tune = ["tune", "fa24", "sus_strategy", "--vary"];
    assert_refused(&[&tune[..], &["threshold=1-5"]].concat(), &["write the range as 1..5"]);
    let both = ["threshold=1..2,num_rolls=3..4"];
    assert_refused(&[&tune[..], &both].concat(), &["`threshold=1..2` and `num_rolls=3..4`"]);
}

#[test]
fn a_missing_rule_file_is_named() {
    assert_refused(&["solve", "nowhere/game.toml"], &["nowhere/game.toml", "No such file"]);
    assert_refused(&["solve", "."], &["cannot read"]);
}

#[test]
fn a_score_at_or_above_the_goal_is_refused() {
    assert_refused(&["best", "fa21", "100", "36"], &["score 100", "goal 100", "0 to 99"]);
    assert_refused(
        &["best", "fa21", "36", "101"],
        &["opponent's score 101", "goal 100", "0 to 99"],
    );
    assert_refused(
        &["best", "fa21", "30", "5", "--goal", "30"],
        &["score 30", "goal 30", "0 to 29"],
    );
    assert_refused(&["turn", "fa21", "100", "0", "--dice", "4"], &["score 100", "goal 100"]);
    assert_refused(&["best", "fa21", "99999999999999999999", "0"], &["'<SCORE>'", "whole number"]);
}

#[test]
fn negative_numbers_are_refused() {
    assert_refused(&["best", "fa21", "-1", "2"], &["-1", "<SCORE>", "whole number from 0"]);
    assert_refused(&["best", "fa21", "1", "-2"], &["-2", "<OPPONENT>", "whole number from 0"]);
    assert_refused(&["turn", "fa21", "-1", "2", "--dice", "4"], &["-1", "SCORE"]);
    assert_refused(&["turn", "fa21", "1", "2", "--dice", "-4"], &["no move of -4 dice", "0 to 10"]);
    assert_refused(&["dice", "-3"], &["-3", "<DICE>"]);
    assert_refused(&["dice", "3", "--die", "-6"], &["-6"]);
    assert_refused(&["solve", "fa21", "--goal", "-5"], &["-5"]);
    assert_refused(&["rate", "fa21", "always_roll:-1", "optimal"], &["always_roll:-1", "0 to 10"]);
}

#[test]
fn words_and_fractions_are_refused_where_whole_numbers_are_needed() {
    assert_refused(&["best", "fa21", "ten", "2"], &["ten", "<SCORE>"]);
    assert_refused(&["best", "fa21", "1.5", "2"], &["1.5", "<SCORE>"]);
    assert_refused(&["turn", "fa21", "1", "2", "--dice", "a,b"], &["a,b", "2,5", "none"]);
    assert_refused(&["dice", "many"], &["many", "<DICE>"]);
}

#[test]
fn more_dice_than_the_game_rolls_are_refused() {
    assert_refused(
        &["turn", "fa21", "1", "2", "--dice", "2,2,2,2,2,2,2,2,2,2,2"],
        &["11 dice", "at most 10"],
    );
    assert_refused(
        &["rate", "fa21", "always_roll:11", "always_roll:6"],
        &["always_roll:11", "0 to 10"],
    );
    assert_refused(
        &["best", "fa21", "1", "2", "--against", "always_roll:11"],
        &["always_roll:11", "0 to 10"],
    );
    assert_refused(
        &["rate", "fa21", "always_roll:4", "always_roll:6", "--max-dice", "5"],
        &["always_roll:6", "0 to 5"],
    );
}

#[test]
fn a_face_the_die_does_not_have_is_refused() {
    assert_refused(&["turn", "fa21", "1", "2", "--dice", "7"], &["7", "1, 2, 3, 4, 5, 6"]);
    assert_refused(&["turn", "su15", "0", "0", "--dice", "5"], &["5", "1, 2, 3, 4"]);
    assert_refused(&["turn", "fa21", "1", "2", "--dice", "0"], &["--dice", "from 1"]);
}

#[test]
fn a_memory_the_game_does_not_have_is_refused() {
    assert_refused(
        &["best", "fa19", "1", "2", "--memory", "last=4"],
        &["`last`", "last_dice, opponent_last_dice"],
    );
    assert_refused(
        &["best", "fa21", "1", "2", "--memory", "last_dice=4"],
        &["fa21", "`last_dice`", "none"],
    );
    assert_refused(
        &["turn", "fa21", "1", "2", "--dice", "3", "--memory", "last_dice=4"],
        &["fa21", "`last_dice`"],
    );
}

#[test]
fn a_memory_out_of_its_range_is_refused() {
    assert_refused(
        &["best", "fa19", "1", "2", "--memory", "last_dice=11"],
        &["`last_dice` is 11", "0 to 10"],
    );
    assert_refused(
        &["best", "fa19", "1", "2", "--memory", "last_dice=-1"],
        &["`last_dice` is -1", "0 to 10"],
    );
    let twice = ["--memory", "last_dice=2", "--memory", "last_dice=2"];
    assert_refused(
        &[&["best", "fa19", "1", "2"][..], &twice].concat(),
        &["`last_dice` is given twice"],
    );
    assert_refused(
        &[&["plot", "best", "fa19", "-o", "-"][..], &twice].concat(),
        &["`last_dice` is given twice"],
    );
    assert_refused(&["best", "fa19", "1", "2", "--memory", "last_dice"], &["--memory", "NAME=V"]);
    assert_refused(
        &["best", "fa19", "1", "2", "--memory", "last_dice=few"],
        &["--memory", "`few`", "whole number"],
    );
}

#[test]
fn goals_and_dice_out_of_range_are_refused() {
    assert_refused(
        &["solve", "fa21", "--goal", "0"],
        &["error: --goal 0 is out of range: choose 1 to 20000"],
    );
    assert_refused(&["solve", "fa21", "--goal", "20001"], &["--goal 20001", "1 to 20000"]);
    assert_refused(
        &["solve", "fa21", "--max-dice", "99"],
        &["error: --max-dice 99 is out of range: choose 0 to 30"],
    );
    assert_refused(&["best", "fa21", "0", "0", "--goal", "many"], &["--goal", "many"]);
}

/// 48 billion states; the memory allowed is less than a fiftieth of what they need.
#[cfg(target_os = "linux")]
#[test]
fn a_game_too_large_for_any_memory_is_refused_in_words() {
    let script = "ulimit -v 6000000; exec \"$0\" solve fa19 --goal 20000";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_hog")])
        .output()
        .unwrap();
    assert_refusal(output, &["goal"], "hog solve fa19 --goal 20000");
}

/// Runs the program with at most this many KiB of memory, for at most a minute.
#[cfg(target_os = "linux")]
fn within(kibibytes: u32, arguments: &[&str]) -> std::process::Output {
    let script = format!("ulimit -v {kibibytes}; exec timeout 60 \"$0\" \"$@\"");
    let program = env!("CARGO_BIN_EXE_hog");
    std::process::Command::new("sh")
        .args(["-c", &script, program])
        .args(arguments)
        .output()
        .expect("it runs")
}

/// The exact values would take thousands of GiB and the states alone 1.5 GB; 1 GB is allowed.
#[cfg(target_os = "linux")]
#[test]
fn exact_values_too_large_for_any_memory_are_refused_before_any_is_computed() {
    for goal in ["10000", "20000"] {
        let arguments = ["solve", "fa21", "--goal", goal, "--arithmetic", "exact"];
        let words = ["exact values", "GiB", "--arithmetic float", "--goal"];
        assert_refusal(
            within(1_000_000, &arguments),
            &words,
            &format!("hog {}", arguments.join(" ")),
        );
    }
}

/// Each needs some 40 GB at a goal of 100: the numbers of the distributions, first of none and then
/// of ten billion, or one array of the values of a formula. 1 GB is allowed.
#[cfg(target_os = "linux")]
#[test]
fn rules_whose_tables_are_too_large_for_any_memory_are_refused_before_one_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.toml");
    let points = "points = \"(m + opponent_m + score + opponent) % 2 == 0 ? points + 1 : points\"";
    let bust = "bust = \"(m + opponent_m + opponent + sum) % 2\"";
    for (least, hook) in [(0, points), (1, points), (0, bust)] {
        let memory = "[[memory]]\nname = \"m\"\nmax = 1000\nnext = \"min(points, 1000)\"\n";
        let rule = format!("[[rule]]\nname = \"Odd\"\n{hook}\n");
        std::fs::write(
            &path,
            format!("id = \"large\"\ngoal = 100\nmin_dice = {least}\n{memory}{rule}"),
        )
        .unwrap();
        let output = within(1_000_000, &["rules", "check", path.to_str().unwrap()]);
        // Three quarters of what the process may take.
        let allowed = format!("{} MiB are allowed", 1_000_000 * 3 / 4 / 1024);
        assert_refusal(
            output,
            &["MiB of memory or more", &allowed, "lower the goal or the memories' max"],
            hook,
        );
    }
}

/// Up to 900,000 points in a turn, at a goal of 100: outcomes far past the goal take no memory of
/// their own.
#[cfg(target_os = "linux")]
#[test]
fn points_far_past_the_goal_take_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("far.toml");
    std::fs::write(
        &path,
        "id = \"far\"\n[[rule]]\nname = \"Far\"\nface_points = \"face == 6 ? 90000 : 0\"\n",
    )
    .unwrap();
    for arithmetic in ["exact", "float"] {
        let output =
            within(1_000_000, &["solve", path.to_str().unwrap(), "--arithmetic", arithmetic]);
        let printed = String::from_utf8_lossy(&output.stdout);
        // Any six wins the game, so the most dice are best.
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(
            printed.contains("first roll  10 dice")
                && printed.contains("win rate    0.860951608849"),
            "{printed}"
        );
    }
}

#[test]
fn rolls_that_cannot_be_counted_are_refused() {
    assert_refused(&["dice", "50"], &["50 dice of 6 sides", "2^128", "at most 49"]);
    assert_refused(&["dice", "60", "--die", "6"], &["60 dice of 6 sides", "2^128", "at most 49"]);
    assert_refused(&["dice", "1000000"], &["1000000 dice of 6 sides", "2^128", "at most 49"]);
    assert_refused(&["dice", "1001", "--die", "1"], &["1001 dice are too many: at most 1000"]);
    assert_refused(&["dice", "3", "--die", "0"], &["0 sides", "1 to 1000"]);
    assert_refused(&["dice", "3", "--die", "1001"], &["1001 sides", "1 to 1000"]);
}

/// Even one-sided dice are refused, although they have only one roll. The timeout makes a hang
/// fail.
#[test]
fn absurdly_many_dice_are_refused_immediately() {
    for die in ["6", "2", "1"] {
        let arguments = ["dice", "4294967295", "--die", die];
        let output = hog(&arguments).timeout(Duration::from_secs(20)).output().expect("it runs");
        assert_refusal(
            output,
            &["4294967295 dice", "at most"],
            &format!("hog dice 4294967295 --die {die}"),
        );
    }
}

#[test]
fn an_unknown_strategy_is_refused_with_the_list_of_strategies() {
    let known = ["optimal", "final_strategy", "beat:STRATEGY", "always_roll:N", ".py"];
    for strategy in ["beat:", "beat:nobody", "nobody:4", ""] {
        assert_refused(&["rate", "fa21", strategy, "always_roll:6"], &known);
    }
    // If the mistake is recognised, the message names it instead of the list.
    for (strategy, hint) in [
        ("optimum", "did you mean `optimal`?"),
        ("always_roll", "as in always_roll:4"),
        ("always_roll:four", "whole number of dice"),
        ("table:", "needs a path"),
    ] {
        assert_refused(&["rate", "fa21", strategy, "always_roll:6"], &["unknown strategy", hint]);
        let output = hog(&["rate", "fa21", strategy]).output().unwrap();
        assert!(!String::from_utf8_lossy(&output.stderr).contains("STRATEGY,"), "{strategy}");
    }
}

#[test]
fn a_file_is_suggested_for_an_unknown_strategy_only_if_it_exists() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = || hog(&["rate", "fa21", "hogpy"]).current_dir(&folder).output().unwrap();
    assert_refusal(refusal(), &["unknown strategy `hogpy`; write one of"], "no such file");
    std::fs::write(folder.path().join("hog.py"), "").unwrap();
    assert_refusal(
        refusal(),
        &["error: unknown strategy `hogpy`; did you mean `hog.py`?"],
        "hog.py",
    );
}

#[test]
fn a_path_that_is_not_a_strategys_file_is_refused_as_such() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sent")).unwrap();
    for name in ["hog.ipynb", "notes.pdf"] {
        std::fs::write(folder.path().join(name), "{\"cells\": []}").unwrap();
    }
    let refused = |arguments: &[&str], words: &[&str]| {
        let output = hog(arguments).current_dir(&folder).output().unwrap();
        assert!(
            !String::from_utf8_lossy(&output.stderr).contains("write one of"),
            "the list of strategies: {arguments:?}"
        );
        assert_refusal(output, words, &arguments.join(" "));
    };
    for missing in ["missing.zip", "missing/", "a/missing", "missing.pdf", "beat:missing.zip"] {
        refused(&["try", "fa24", missing], &["there is no such file or folder"]);
        refused(&["contest", "fa24", "optimal", missing], &["there is no such file or folder"]);
    }
    refused(&["try", "fa24", "sent"], &["it is a folder"]);
    refused(&["try", "fa24", "notes.pdf"], &["a strategy's file ends in .py"]);
    refused(
        &["try", "fa24", "hog.ipynb"],
        &["hog.ipynb", "no cell of the notebook defines `final_strategy`"],
    );
    // This may be a misspelt strategy as well.
    assert_refused(
        &["contest", "fa24", "optimal", "missing"],
        &["there is no such file or folder", "always_roll:N"],
    );
}

#[test]
fn a_baseline_that_cannot_be_played_is_named_as_such() {
    let words = ["fa21's baseline always_roll:6", "0 to 5", "name another", "--against"];
    assert_refused(&["rate", "fa21", "optimal", "--max-dice", "5"], &words);
    assert_refused(&["try", "fa21", "always_roll:5", "--max-dice", "5"], &words);
}

#[test]
fn a_game_from_the_environment_is_named_as_such() {
    for (rules, words) in
        [("nope", ["`nope`", "HOG_RULES"]), ("nope.toml", ["nope.toml", "HOG_RULES"])]
    {
        assert_refusal(
            hog(&["best", "20", "36"]).env("HOG_RULES", rules).output().unwrap(),
            &words,
            rules,
        );
    }
    for command in [&["try", "fa99", "optimal"][..], &["try", "fa99", "hog.py"]] {
        let refused = hog(command).env("HOG_RULES", "fa21").output().unwrap();
        assert_refusal(refused, &["no game", "`fa99`", "did you mean `fa19`?"], command[0]);
    }
    let named = hog(&["best", "nope", "20", "36"]).env("HOG_RULES", "fa21").output().unwrap();
    assert!(!String::from_utf8_lossy(&named.stderr).contains("HOG_RULES"), "{named:?}");
}

#[test]
fn final_strategy_is_refused_for_changed_rules() {
    assert_refused(
        &["rate", "fa21", "final_strategy", "always_roll:6", "--goal", "50"],
        &["goal 50", "optimal"],
    );
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    assert_refused(
        &["solve", "fa21", "--fraction", "--arithmetic", "float"],
        &["--fraction", "--arithmetic float"],
    );
    assert_refused(&["solve", "fa21", "--packed"], &["packed", "leave it out"]);
    assert_refused(&["turn", "fa21", "1", "2"], &["--dice"]);
}

#[test]
fn unknown_commands_and_options_are_refused() {
    assert_refused(&["sovle", "fa21"], &["'sovle'", "solve"]);
    assert_refused(&["plot", "nope"], &["'nope'", "KIND is one of best, diff, hold"]);
    assert_refused(&["solve", "fa21", "--quickly"], &["--quickly"]);
    assert_refused(&["best", "fa21", "1", "2", "--format", "xml"], &["xml", "text, json"]);
    assert_refused(&["best", "fa21", "1", "2", "--json"], &["--json", "--format json"]);
    assert_refused(
        &["tune", "fa24", "boar_strategy", "--vary", "num_rolls=1..3", "threshold=2..5"],
        &["--vary threshold=2..5"],
    );
    for line in [["best", "fa21", "1", "2", "--dice"], ["best", "fa21", "1", "2", "--top"]] {
        let output = hog(&line).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!told.contains("tip:") && !told.contains("--output"), "{told}");
    }
    assert_refused(&["play", "fa21", "--seed", "abc"], &["abc", "whole number"]);
    assert_refused(&["serve", "--port", "abc"], &["abc", "whole number"]);
    let dump = hog(&["try", "fa24", "missing"]).output().unwrap().stderr;
    assert!(dump.len() < 400, "{}", String::from_utf8_lossy(&dump));
}

/// A copy of a built-in game is a game of its own, with its examples.
#[test]
fn a_game_is_copied_to_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["kcd", "sp16"] {
        let path = folder.path().join(format!("my_{game}.toml")).display().to_string();
        let id = format!("my_{game}");
        assert!(
            hog(&["rules", "new", &id, "--from", game, "-o", &path])
                .output()
                .unwrap()
                .status
                .success()
        );
        let output = hog(&["rules", "check", &path, "--format", "json"]).output().unwrap();
        let checked: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(checked["checked"][0][0], id.as_str(), "{checked}");
    }
    assert_refused(&["rules", "new", "mine", "--from", "fa99", "-o", "-"], &["fa99"]);
}

#[test]
fn an_export_to_python_is_refused_for_a_game_with_memory() {
    let search = "`hog solve fa19 --sees scores --against STRATEGY -o final.py`";
    assert_refused(&["solve", "fa19", "--to", "python"], &["fa19", "last_dice", "csv", search]);
    let file = std::env::temp_dir().join("memory.py").display().to_string();
    let search = "`hog solve fa19 --goal 9 --sees scores --against always_roll:4 -o final.py`";
    let game = ["solve", "fa19", "--goal", "9", "--against", "always_roll:4", "-o", &file];
    assert_refused(&game, &[search]);
}

#[test]
fn a_new_rule_file_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "precious").unwrap();
    assert_refused(
        &["rules", "new", "mine", "-o", path.to_str().unwrap()],
        &["mine.toml", "already exists"],
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
    assert_refused(&["rules", "new", "mine", "-o", "mine.csv"], &["mine.csv", "ends in .toml"]);
    assert_refused(&["rules", "new", "../mine"], &["`../mine`", "letters, digits"]);
}

#[test]
fn a_negative_move_that_the_game_does_not_have_is_refused() {
    assert_refused(&["turn", "fa21", "20", "36", "--dice", "-1"], &["fa21", "-1 dice", "0 to 10"]);
}

#[test]
fn an_error_that_the_document_has_is_not_printed_a_second_time() {
    for command in
        [&["check", "missing1", "missing2"][..], &["rules", "check", "missing1", "missing2"]]
    {
        let output = hog(&[command, &["--format", "json"]].concat()).output().unwrap();
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one document");
        assert!(document["error"]["message"].as_str().unwrap().contains("missing2"), "{document}");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(2), &b""[..]), "{command:?}");
    }
}

#[test]
fn an_option_that_does_not_fit_is_a_fault_of_the_request() {
    for line in [
        &["rate", "fa21", "optimal", "--force"][..],
        &["try", "fa21", "optimal", "--watch"],
        &["survey", "fa21", "pig", "--vary", "goal=5..7"],
    ] {
        let output = hog(line).args(["--format", "json"]).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["error"]["kind"], "request", "{line:?}: {document}");
    }
}

#[test]
fn a_misspelt_command_or_file_is_corrected() {
    assert_refused(&["help", "bets"], &["'best'"]);
    assert_refused(&["help", "rules", "shwo"], &["'show'"]);
    assert_refused(&["help", "nothing"], &["best", "solve"]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), "").unwrap();
    std::fs::write(folder.path().join("hog.py"), "").unwrap();
    for (line, meant) in [
        (&["best", "mine.tml", "0", "0"][..], "mine.toml"),
        (&["best", "mien.toml", "0", "0"], "mine.toml"),
        (&["rate", "fa21", "hgo.py"], "hog.py"),
        (&["rate", "fa21", "hog.yp"], "hog.py"),
    ] {
        let output = hog(line).current_dir(&folder).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(&format!("did you mean `{meant}`?")), "{line:?}: {message}");
    }
}
