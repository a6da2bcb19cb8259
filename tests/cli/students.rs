//! `hog try` and `hog tune`, as a student uses them.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Makes a folder to work in, with a cache of its own.
fn workspace() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns the document that a command prints when it runs in a folder.
fn json(workspace: &Path, arguments: &[&str]) -> Value {
    let output = command(workspace, arguments).output().unwrap();
    let (out, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "hog {}: {out}{errors}", arguments.join(" "));
    serde_json::from_str(&out).unwrap()
}

fn command(workspace: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(arguments).args(["--format", "json"]).current_dir(workspace);
    command.env("XDG_CACHE_HOME", workspace.join("cache")).env("HOG_RULES", "fa21");
    command
}

/// Writes a table that always rolls the same number of dice, for a goal of 12.
fn always(workspace: &Path, dice: &str) {
    let rolls = (dice.repeat(12) + "\n").repeat(12);
    std::fs::write(workspace.join("mine.txt"), rolls).unwrap();
}

const TRY: [&str; 4] = ["try", "mine.txt", "--goal", "12"];

#[test]
fn what_the_best_possible_sees_and_the_strategy_does_not_is_named() {
    let workspace = workspace();
    always(workspace.path(), "4");
    for (game, unseen) in
        [("fa19", json!(["last_dice", "opponent_last_dice"])), ("fa24", json!([]))]
    {
        let tried = json(workspace.path(), &["try", game, "mine.txt", "--goal", "12"]);
        assert_eq!(tried["unseen"], unseen, "{game}");
    }
}

/// What is proposed for a function of the scores is a command that works, also where turns are
/// numbered.
#[test]
fn the_best_that_sees_the_scores_alone_is_proposed_and_found() {
    let workspace = workspace();
    always(workspace.path(), "4");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(["try", "fa18c", "mine.txt", "--goal", "12"]).current_dir(workspace.path());
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let line = shown.lines().find(|line| line.contains("--sees scores")).expect(&shown);
    let proposed = line.trim().strip_prefix("hog ").unwrap();
    let arguments: Vec<&str> = proposed.split(' ').chain(["--tries", "3"]).collect();
    let found = json(workspace.path(), &arguments);
    let [average, most] = ["/win_rate/average", "/search/at_most"]
        .map(|place| found.pointer(place).and_then(Value::as_f64).unwrap());
    let tried = json(workspace.path(), &["try", "fa18c", "mine.txt", "--goal", "12"]);
    let mine = tried.pointer("/win_rate/average").and_then(Value::as_f64).unwrap();
    assert!(mine < average && average <= most, "{mine} {average} {most}");
}

#[test]
fn losses_count_without_a_list_and_a_target_needs_the_courses_goal_and_baseline() {
    let workspace = workspace();
    let text = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
        command
            .args(arguments)
            .current_dir(workspace.path())
            .env("XDG_CACHE_HOME", workspace.path().join("cache"));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(!text(&["try", "fa21", "always_roll:3", "--top", "0"]).contains("nothing is lost"));
    assert!(text(&["try", "fa13", "optimal"]).contains("the course asks"));
    for other in [["--against", "always_roll:1"], ["--goal", "20"]] {
        assert!(
            !text(&[&["try", "fa13", "optimal"], &other[..]].concat()).contains("the course asks")
        );
    }
}

#[test]
fn a_strategy_is_tried_and_the_last_run_is_remembered() {
    let workspace = workspace();
    always(workspace.path(), "6");
    let first = json(workspace.path(), &TRY);
    assert_eq!([&first["previous"], &first["changed"]], [&Value::Null; 2]);
    assert_eq!(first["win_rate"]["average"], 0.5, "the baseline against itself");
    let rate = |name: &str| first[name]["average"].as_f64().unwrap();
    assert!(rate("best_response") > rate("optimal") && rate("optimal") > rate("win_rate"));
    let worst = first["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 10);
    for position in worst {
        let place = format!("at {}-{} you roll 6: roll ", position["score"], position["opponent"]);
        assert!(position["words"].as_str().unwrap().starts_with(&place), "{position}");
    }
    always(workspace.path(), "4");
    let second = json(workspace.path(), &TRY);
    assert_eq!([&second["previous"], &second["changed"]], [&first["win_rate"], &144.into()]);
    assert_eq!(json(workspace.path(), &TRY)["changed"], 0);
    // No earlier run against another opponent is known.
    let other = json(workspace.path(), &[&TRY[..], &["--against", "optimal"]].concat());
    assert_eq!(other["previous"], Value::Null);
}

#[test]
fn a_damaged_record_of_the_last_run_is_ignored_and_replaced() {
    let workspace = workspace();
    always(workspace.path(), "6");
    json(workspace.path(), &TRY);
    let folder = workspace.path().join("cache/hog/tries");
    let kept: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    std::fs::write(&kept[0], "{\"of\":").unwrap();
    assert_eq!(json(workspace.path(), &TRY)["previous"], Value::Null);
    assert_ne!(json(workspace.path(), &TRY)["previous"], Value::Null);
    // If the cache folder cannot be used, nothing is remembered.
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "in the way").unwrap();
    assert_eq!(json(workspace.path(), &TRY)["previous"], Value::Null);
}

#[test]
fn at_most_100_files_are_remembered() {
    let workspace = workspace();
    always(workspace.path(), "6");
    let folder = workspace.path().join("cache/hog/tries");
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..120 {
        std::fs::write(folder.join(format!("{number}.json")), "{}").unwrap();
    }
    json(workspace.path(), &TRY);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 100);
    assert_ne!(json(workspace.path(), &TRY)["previous"], Value::Null, "the newest is kept");
}

#[cfg(unix)]
#[test]
fn a_watched_file_is_tried_on_every_save_until_an_interrupt() {
    let workspace = workspace();
    always(workspace.path(), "6");
    let mut child =
        command(workspace.path(), &TRY).arg("--watch").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let first = next();
    assert_eq!([&first["type"], &first["win_rate"]["average"]], [&json!("try"), &json!(0.5)]);
    // A file that is not a strategy is reported, and hog waits for the next save.
    std::fs::write(workspace.path().join("mine.txt"), "nothing yet").unwrap();
    let failed = next();
    assert!(failed["error"]["message"].as_str().unwrap().contains("mine.txt"));
    assert_eq!([&failed["type"], &failed["error"]["kind"]], ["error", "file"]);
    always(workspace.path(), "4");
    assert_eq!(next()["changed"], 144);
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// In text the runs after the first are short.
#[cfg(unix)]
#[test]
fn a_watched_file_shows_only_what_is_new() {
    let workspace = workspace();
    always(workspace.path(), "6");
    let mut watching = Command::new(env!("CARGO_BIN_EXE_hog"));
    watching
        .args(["try", "fa21", "mine.txt", "--goal", "12", "--watch"])
        .current_dir(workspace.path());
    watching.env("XDG_CACHE_HOME", workspace.path().join("cache")).stdout(Stdio::piped());
    let mut child = watching.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first: Vec<String> =
        lines.by_ref().take_while(|line| !line.starts_with("computed over")).collect();
    assert!(first.len() > 10, "{first:?}");
    always(workspace.path(), "4");
    let news: Vec<String> = lines.by_ref().take(3).collect();
    assert!(
        news[0].contains("it wins")
            && news[1].contains("144 rolls changed")
            && news[2].contains("costs most now")
    );
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    child.wait().unwrap();
    assert_eq!(lines.next(), None, "nothing else is printed");
}

/// The rule functions of a student's file, against those of the handout at all scores.
#[test]
fn a_wrong_rule_function_is_reported_with_its_first_scores() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let workspace = workspace();
    let words = |game: &str, source: &str| -> Vec<String> {
        let strategy = "def final_strategy(score, opponent_score):\n    return 6\n\n\n";
        std::fs::write(workspace.path().join("hog.py"), strategy.to_owned() + source).unwrap();
        let handout = json(workspace.path(), &["try", game, "hog.py"])["handout"].clone();
        let wrong = handout["wrong_functions"].as_array().unwrap();
        let other = handout["other_semester"].as_object();
        other
            .into_iter()
            .chain(wrong.iter().filter_map(Value::as_object))
            .map(|v| v["words"].as_str().unwrap().into())
            .collect()
    };
    let boar = "def boar_brawl(player_score, opponent_score):\n    \
                return max(1, 3 * abs(opponent_score // 10 % 10 - player_score % 10))\n\n\n";
    let right = boar.to_owned()
        + "def sus_update(num_rolls, player_score, opponent_score, dice=None):\n    \
           score = player_score + boar_brawl(player_score, opponent_score)\n    \
           divisors = sum(score % n == 0 for n in range(1, score + 1))\n    \
           while divisors in (3, 4) and any(score % n == 0 for n in range(2, score)):\n        \
           score += 1\n    \
           return score\n";
    assert_eq!(words("fa24", boar), [""; 0]);
    assert_eq!(words("fa24", &right), [""; 0]);
    // The digits of the hundreds are not left out; below 100 nothing differs. The least points are.
    assert_eq!(
        words("fa24", &boar.replace("max(1, ", "(")),
        ["your boar_brawl(0, 0) is 0; the handout's is 1"]
    );
    // What only calls a wrong function is not reported.
    let doubled = right.replace("3 * abs", "2 * abs");
    assert_eq!(words("fa24", &doubled), ["your boar_brawl(0, 10) is 2; the handout's is 3"]);
    let missing = "def boar_brawl(player_score, opponent_score):\n    \"*** YOUR CODE HERE ***\"\n";
    assert_eq!(words("fa24", missing), ["your boar_brawl(0, 0) is None; the handout's is 1"]);
    let one_argument = "def boar_brawl(score):\n    return 1\n";
    assert_eq!(
        words("fa24", one_argument),
        ["your boar_brawl(0, 0) raises TypeError; the handout's is 1"]
    );
    let pile = "def hog_pile(player_score, opponent_score):\n    return player_score\n";
    assert_eq!(words("fa21", pile), ["your hog_pile(1, 0) is 1; the handout's is 0"]);
    let swap = "def is_swap(player_score, opponent_score):\n    return None\n";
    assert_eq!(words("su18", swap), ["your is_swap(1, 10) is None; the handout's is True"]);
    // A file for another semester.
    let other = words("fa21", &right);
    assert!(
        other.len() == 1
            && other[0].contains("boar_brawl and sus_update")
            && other[0].contains("fa23"),
        "{other:?}"
    );
}

/// A helper that computes the game's own rule is no sign of another semester's file, whatever it is
/// called there; one that computes another rule is.
#[test]
fn a_helper_of_ones_own_is_not_taken_for_another_semesters() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let workspace = workspace();
    let other = |game: &str, source: &str| -> Value {
        let strategy = "def final_strategy(score, opponent_score):\n    return 6\n\n\n";
        std::fs::write(workspace.path().join("hog.py"), strategy.to_owned() + source).unwrap();
        json(workspace.path(), &["try", game, "hog.py", "--goal", "30"])["handout"]["other_semester"]["functions"].clone()
    };
    let bacon = "def free_bacon(opponent_score):\n    \
                 return 1 + max(opponent_score // 10, opponent_score % 10)\n";
    let reversed = "def is_swap(a, b):\n    \
                    return a % 100 == b % 10 * 10 + b // 10 % 10\n";
    for game in ["su15", "fa15"] {
        assert_eq!(other(game, &(bacon.to_owned() + reversed)), Value::Null, "{game}");
    }
    assert_eq!(other("fa15", &bacon.replace("opponent_score)", "a, b, c)")), Value::Null);
    assert_eq!(other("fa15", &bacon.replace("1 +", "2 +")), serde_json::json!(["free_bacon"]));
    assert_eq!(other("fa16", reversed), serde_json::json!(["is_swap"]));
}

#[test]
fn scores_in_the_wrong_order_are_told() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let workspace = workspace();
    let write = |parameters: &str| {
        let source = format!("def final_strategy({parameters}):\n    return 6\n");
        std::fs::write(workspace.path().join("hog.py"), source).unwrap();
    };
    let remark =
        || json(workspace.path(), &["rate", "fa21", "hog.py", "--goal", "20"])["remark"].clone();
    write("opponent_score, score: int = 4");
    assert!(remark().as_str().unwrap().contains("final_strategy(opponent_score, score)"));
    let tried = json(workspace.path(), &["try", "fa21", "hog.py", "--goal", "20"]);
    assert_eq!(tried["handout"]["swapped_scores"], remark());
    write("score, opponent_score");
    assert_eq!(remark(), Value::Null);
}

/// What `hog try` proposes to tune was tried: a number of what was rated, or of what that calls.
#[test]
fn the_number_that_gains_most_is_proposed() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let workspace = workspace();
    let source = "def play(one, two, first=0):\n    return first, one\n\n\n\
                  def careful(score, opponent, dice=9, unused=3):\n    return dice\n\n\n\
                  def final_strategy(score, opponent):\n    return careful(score, opponent)\n";
    std::fs::write(workspace.path().join("hog.py"), source).unwrap();
    let proposed = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
        command.args(["try", "fa21", "hog.py", "--goal", "30"]).current_dir(workspace.path());
        let output = command.env("XDG_CACHE_HOME", workspace.path()).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        text.lines().find(|line| line.contains("hog tune")).map(|line| line.trim().to_owned())
    };
    let line = proposed().unwrap();
    assert!(line.contains("hog.py:careful --vary dice="), "{line}");
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    assert!(command(workspace.path(), &words).output().unwrap().status.success(), "{line}");
    // A number is called with another value than its default: what is promised is over what is
    // played, with the other numbers as they are called.
    let called = source.replace("careful(score, opponent)\n", "careful(score, opponent, 8, 0)\n");
    let called = called.replace("return dice", "return dice + unused - 3");
    std::fs::write(workspace.path().join("hog.py"), called).unwrap();
    let line = proposed().unwrap();
    assert!(line.contains("--vary dice=4..12 --vary unused=0"), "{line}");
    let played = json(workspace.path(), &["try", "fa21", "hog.py", "--goal", "30"]);
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    let tuned = json(workspace.path(), &words);
    let gain = |rate: &Value| rate["average"].as_f64().unwrap();
    assert!(gain(&tuned["best"]) > gain(&played["win_rate"]), "{line}");
    // Nothing near what is played is better, though the default is worse.
    let best = source.replace("careful(score, opponent)\n", "careful(score, opponent, dice=8)\n");
    std::fs::write(workspace.path().join("hog.py"), best).unwrap();
    assert_eq!(proposed(), None, "no other number is better than the one that is played");
    let alone = source.replace("careful(score, opponent)\n", "6\n");
    std::fs::write(workspace.path().join("hog.py"), alone).unwrap();
    assert_eq!(proposed(), None, "nothing that it calls has a number");
}

/// Text is wrapped to the width of a terminal, and not in a file.
#[test]
fn text_in_a_file_is_not_wrapped() {
    let workspace = workspace();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(["try", "fa24", "always_roll:6"]).current_dir(workspace.path());
    let text =
        String::from_utf8(command.env("XDG_CACHE_HOME", workspace.path()).output().unwrap().stdout)
            .unwrap();
    let rows = text
        .lines()
        .skip_while(|line| !line.ends_with("what to roll"))
        .skip(1)
        .take_while(|line| !line.starts_with("the losses"));
    assert!(rows.clone().count() == 10 && rows.clone().all(|row| row.starts_with("0.0")), "{text}");
    assert!(text.contains("hog plot loss fa24 always_roll:6"), "{text}");
}

#[test]
fn only_a_file_can_be_watched() {
    let output = command(workspace().path(), &["try", "optimal", "--watch"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains("optimal is not one"));
}

#[test]
fn all_strategies_of_a_family_are_rated_and_the_best_is_reported() {
    let workspace = workspace();
    let tuned = json(workspace.path(), &["tune", "picky_piggy_strategy:3..9,4..6", "--goal", "30"]);
    assert_eq!(tuned["parameters"], serde_json::json!(["cutoff", "num_rolls"]));
    let rates = tuned["rates"].as_array().unwrap();
    assert_eq!(rates.len(), 21);
    let average = |rate: &Value| rate["average"].as_f64().unwrap();
    assert!(rates.iter().all(|rate| average(rate) <= average(&tuned["best"])));
    // Each rate equals that of the strategy rated alone.
    for rate in [&rates[0], &rates[10], &tuned["best"]] {
        let alone =
            json(workspace.path(), &["rate", rate["strategy"].as_str().unwrap(), "--goal", "30"]);
        assert!((average(rate) - average(&alone["win_rate"])).abs() < 1e-12, "{rate}");
    }
    let named = [
        "tune",
        "picky_piggy_strategy",
        "--vary",
        "cutoff=3..9",
        "--vary",
        "num_rolls=4..6",
        "--goal",
        "30",
    ];
    assert_eq!(json(workspace.path(), &named)["rates"], tuned["rates"]);
    let twice = ["tune", "fa24", "boar_strategy:8..9,5..6", "--vary", "num_rolls=1..3"];
    super::assert_refused(&twice, &["`num_rolls` is varied twice; leave one of its ranges out"]);
}

#[test]
fn a_family_in_a_game_with_a_memory_is_rated_exactly_too() {
    let workspace = workspace();
    let run = |arguments: &[&str]| json(workspace.path(), &[arguments, &["--goal", "20"]].concat());
    let tuned = run(&["tune", "fa19", "swap_strategy:6..8,4..5"]);
    for rate in tuned["rates"].as_array().unwrap() {
        let alone = run(&["rate", "fa19", rate["strategy"].as_str().unwrap()]);
        let [a, b] =
            [&rate["average"], &alone["win_rate"]["average"]].map(|value| value.as_f64().unwrap());
        assert!((a - b).abs() < 1e-12, "{rate}");
    }
}

#[test]
fn all_rates_of_a_family_go_into_a_file() {
    let workspace = workspace();
    let tune = ["tune", "always_roll:0..10", "--goal", "20"];
    let tuned = json(workspace.path(), &[&tune[..], &["-o", "rates.csv"]].concat());
    let csv = std::fs::read_to_string(workspace.path().join("rates.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines[0], lines.len()), ("n,first,second,average", 12));
    assert_eq!(lines[6].rsplit(',').next().unwrap(), tuned["rates"][5]["average"].to_string());
    json(workspace.path(), &[&tune[..], &["-o", "rates.json"]].concat());
    let written = std::fs::read_to_string(workspace.path().join("rates.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), tuned);
    let refused =
        command(workspace.path(), &[&tune[..], &["-o", "rates.npy"]].concat()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(!workspace.path().join("rates.npy").exists());
}

/// From an empty folder to a better strategy.
#[test]
fn a_student_gets_from_an_empty_folder_to_a_better_strategy() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let workspace = workspace();
    let run = |arguments: &[&str]| {
        let output =
            command(workspace.path(), arguments).env("HOG_RULES", "fa24").output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        (
            output.status.code(),
            serde_json::from_str::<Value>(&printed).unwrap_or_else(|e| panic!("{e}: {printed}")),
        )
    };
    let save = |rolls: &str| {
        let text = format!(
            "def boar(score, opponent_score, threshold=11, num_rolls=6):\n    \
             free = max(1, 3 * abs(opponent_score // 10 % 10 - score % 10))\n    \
             return 0 if free >= threshold else num_rolls\n\n\n\
             def final_strategy(score, opponent_score):\n    return {rolls}\n"
        );
        std::fs::write(workspace.path().join("hog.py"), text).unwrap();
    };
    // The file does not exist yet.
    let (code, refused) = run(&["try", "hog.py"]);
    assert_eq!(code, Some(2), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("hog.py"));
    // A first attempt, then all given values of the parameters of its own function.
    save("6");
    let first = run(&["try", "hog.py"]).1;
    assert_eq!(first["win_rate"]["average"], 0.5, "always_roll(6) against itself");
    let vary = ["--vary", "threshold=9..12", "--vary", "num_rolls=5..6"];
    let tuned = run(&[&["tune", "hog.py:boar"][..], &vary].concat()).1;
    assert_eq!(tuned["parameters"], serde_json::json!(["threshold", "num_rolls"]));
    let same = run(&["tune", "boar_strategy:9..12,5..6"]).1;
    assert_eq!(tuned["best"]["values"], same["best"]["values"]);
    assert_eq!(tuned["best"]["average"], same["best"]["average"]);
    let values = &tuned["best"]["values"];
    save(&format!("boar(score, opponent_score, {}, {})", values[0], values[1]));
    let second = run(&["try", "hog.py"]).1;
    // One strategy alone and a family are rated by different methods.
    let [alone, in_family] = [&second["win_rate"]["average"], &tuned["best"]["average"]]
        .map(|average| average.as_f64().unwrap());
    assert!((alone - in_family).abs() < 1e-13, "{alone} {in_family}");
    assert_eq!(second["previous"], first["win_rate"]);
    assert!(second["win_rate"]["average"].as_f64() > Some(0.6));
    // The hint is followed: where zero dice win immediately, none are rolled.
    let words = second["worst"][0]["words"].as_str().unwrap();
    assert!(words.ends_with("roll 0, it wins at once"), "{words}");
    let free = "max(1, 3 * abs(opponent_score // 10 % 10 - score % 10))";
    save(&format!(
        "0 if score + {free} >= 100 else boar(score, opponent_score, {}, {})",
        values[0], values[1]
    ));
    let third = run(&["try", "hog.py"]).1;
    assert!(third["win_rate"]["average"].as_f64() > second["win_rate"]["average"].as_f64());
    assert!(third["changed"].as_u64() > Some(0));
    // A parameter that the function does not have is named in the error.
    assert!(
        run(&["tune", "hog.py:boar", "--vary", "treshold=1..2"]).1["error"]["message"]
            .as_str()
            .unwrap()
            .contains("treshold")
    );
}
