//! `hog try` and `hog tune`, and a student's day with them.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder to work in, with a cache of its own.
fn desk() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// What a command prints in a folder, as a document.
fn json(desk: &Path, arguments: &[&str]) -> Value {
    let output = command(desk, arguments).output().unwrap();
    let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "hog {}: {out}{errors}", arguments.join(" "));
    serde_json::from_str(&out).unwrap()
}

fn command(desk: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(arguments).args(["--format", "json"]).current_dir(desk);
    command.env("XDG_CACHE_HOME", desk.join("cache")).env("HOG_RULES", "fa21");
    command
}

/// Always the same roll, for a goal of 12.
fn always(desk: &Path, dice: &str) {
    let rolls = (dice.repeat(12) + "\n").repeat(12);
    std::fs::write(desk.join("mine.txt"), rolls).unwrap();
}

const TRY: [&str; 4] = ["try", "mine.txt", "--goal", "12"];

#[test]
fn what_is_not_listed_is_lost_all_the_same_and_a_target_is_of_the_games_own_baseline() {
    let desk = desk();
    let text = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
        command.args(arguments).current_dir(desk.path()).env("XDG_CACHE_HOME", desk.path().join("cache"));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(!text(&["try", "fa21", "always_roll:3", "--top", "0"]).contains("nothing is lost"));
    assert!(text(&["try", "fa13", "optimal"]).contains("the course asks"));
    for other in [["--against", "always_roll:1"], ["--goal", "20"]] {
        assert!(!text(&[&["try", "fa13", "optimal"], &other[..]].concat()).contains("the course asks"));
    }
}

#[test]
fn a_strategy_is_tried_and_the_last_run_is_remembered() {
    let desk = desk();
    always(desk.path(), "6");
    let first = json(desk.path(), &TRY);
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
    always(desk.path(), "4");
    let second = json(desk.path(), &TRY);
    assert_eq!([&second["previous"], &second["changed"]], [&first["win_rate"], &144.into()]);
    assert_eq!(json(desk.path(), &TRY)["changed"], 0);
    // Against another opponent nothing is known yet.
    let other = json(desk.path(), &[&TRY[..], &["--against", "optimal"]].concat());
    assert_eq!(other["previous"], Value::Null);
}

#[test]
fn what_was_kept_and_is_damaged_is_forgotten() {
    let desk = desk();
    always(desk.path(), "6");
    json(desk.path(), &TRY);
    let folder = desk.path().join("cache/hog/tries");
    let kept: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    std::fs::write(&kept[0], "{\"of\":").unwrap();
    assert_eq!(json(desk.path(), &TRY)["previous"], Value::Null);
    assert_ne!(json(desk.path(), &TRY)["previous"], Value::Null);
    // A cache that cannot be made is none.
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "in the way").unwrap();
    assert_eq!(json(desk.path(), &TRY)["previous"], Value::Null);
}

#[test]
fn only_so_many_files_are_remembered() {
    let desk = desk();
    always(desk.path(), "6");
    let folder = desk.path().join("cache/hog/tries");
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..120 {
        std::fs::write(folder.join(format!("{number}.json")), "{}").unwrap();
    }
    json(desk.path(), &TRY);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 100);
    assert_ne!(json(desk.path(), &TRY)["previous"], Value::Null, "the newest is kept");
}

#[cfg(unix)]
#[test]
fn a_watched_file_is_tried_on_every_save_until_an_interrupt() {
    let desk = desk();
    always(desk.path(), "6");
    let mut child = command(desk.path(), &TRY).arg("--watch").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["win_rate"]["average"], 0.5);
    // A file that is no strategy is told, and the next save is waited for.
    std::fs::write(desk.path().join("mine.txt"), "nothing yet").unwrap();
    assert!(next()["error"]["message"].as_str().unwrap().contains("mine.txt"));
    always(desk.path(), "4");
    assert_eq!(next()["changed"], 144);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_is_no_file_cannot_be_watched() {
    let output = command(desk().path(), &["try", "optimal", "--watch"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains("optimal is not one"));
}

#[test]
fn a_family_is_rated_with_its_best_marked() {
    let desk = desk();
    let tuned = json(desk.path(), &["tune", "picky_piggy_strategy:3..9,4..6", "--goal", "30"]);
    assert_eq!(tuned["parameters"], serde_json::json!(["cutoff", "num_rolls"]));
    let rates = tuned["rates"].as_array().unwrap();
    assert_eq!(rates.len(), 21);
    let average = |rate: &Value| rate["average"].as_f64().unwrap();
    assert!(rates.iter().all(|rate| average(rate) <= average(&tuned["best"])));
    // Each rate is that of the strategy by itself.
    for rate in [&rates[0], &rates[10], &tuned["best"]] {
        let alone = json(desk.path(), &["rate", rate["strategy"].as_str().unwrap(), "--goal", "30"]);
        assert!((average(rate) - average(&alone["win_rate"])).abs() < 1e-12, "{rate}");
    }
    let named = ["tune", "picky_piggy_strategy", "--vary", "cutoff=3..9", "--vary", "num_rolls=4..6", "--goal", "30"];
    assert_eq!(json(desk.path(), &named)["rates"], tuned["rates"]);
    let twice = ["tune", "fa24", "boar_strategy:8..9,5..6", "--vary", "num_rolls=1..3"];
    super::assert_refused(&twice, &["`num_rolls` is varied twice; leave one of its ranges out"]);
}

#[test]
fn a_family_in_a_game_with_a_memory_is_rated_exactly_too() {
    let desk = desk();
    let run = |arguments: &[&str]| json(desk.path(), &[arguments, &["--goal", "20"]].concat());
    let tuned = run(&["tune", "fa19", "swap_strategy:6..8,4..5"]);
    for rate in tuned["rates"].as_array().unwrap() {
        let alone = run(&["rate", "fa19", rate["strategy"].as_str().unwrap()]);
        let [a, b] = [&rate["average"], &alone["win_rate"]["average"]].map(|value| value.as_f64().unwrap());
        assert!((a - b).abs() < 1e-12, "{rate}");
    }
}

#[test]
fn all_rates_of_a_family_go_into_a_file() {
    let desk = desk();
    let tune = ["tune", "always_roll:0..10", "--goal", "20"];
    let tuned = json(desk.path(), &[&tune[..], &["-o", "rates.csv"]].concat());
    let csv = std::fs::read_to_string(desk.path().join("rates.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines[0], lines.len()), ("n,first,second,average", 12));
    assert_eq!(lines[6].rsplit(',').next().unwrap(), tuned["rates"][5]["average"].to_string());
    json(desk.path(), &[&tune[..], &["-o", "rates.json"]].concat());
    let written = std::fs::read_to_string(desk.path().join("rates.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), tuned);
    let refused = command(desk.path(), &[&tune[..], &["-o", "rates.png"]].concat()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(!desk.path().join("rates.png").exists());
}

/// From an empty folder to a better strategy.
#[test]
fn a_students_day() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let desk = desk();
    let run = |arguments: &[&str]| {
        let output = command(desk.path(), arguments).env("HOG_RULES", "fa24").output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), serde_json::from_str::<Value>(&told).unwrap_or_else(|e| panic!("{e}: {told}")))
    };
    let save = |rolls: &str| {
        let text = format!(
            "def boar(score, opponent_score, threshold=11, num_rolls=6):\n    \
             free = max(1, 3 * abs(opponent_score // 10 % 10 - score % 10))\n    \
             return 0 if free >= threshold else num_rolls\n\n\n\
             def final_strategy(score, opponent_score):\n    return {rolls}\n"
        );
        std::fs::write(desk.path().join("hog.py"), text).unwrap();
    };
    // Nothing is there yet.
    let (code, told) = run(&["try", "hog.py"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("hog.py"));
    // A first attempt, then the numbers of its own function, all tried at once.
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
    assert_eq!(second["win_rate"]["average"], tuned["best"]["average"]);
    assert_eq!(second["previous"], first["win_rate"]);
    assert!(second["win_rate"]["average"].as_f64() > Some(0.6));
    // What it says is done: where no dice win at once, none are rolled.
    let words = second["worst"][0]["words"].as_str().unwrap();
    assert!(words.ends_with("roll 0, it wins at once"), "{words}");
    let free = "max(1, 3 * abs(opponent_score // 10 % 10 - score % 10))";
    save(&format!("0 if score + {free} >= 100 else boar(score, opponent_score, {}, {})", values[0], values[1]));
    let third = run(&["try", "hog.py"]).1;
    assert!(third["win_rate"]["average"].as_f64() > second["win_rate"]["average"].as_f64());
    assert!(third["changed"].as_u64() > Some(0));
    // A fault is told with its place, and an argument that the function does not have.
    assert!(
        run(&["tune", "hog.py:boar", "--vary", "treshold=1..2"]).1["error"]["message"]
            .as_str()
            .unwrap()
            .contains("treshold")
    );
}
