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
    assert!(String::from_utf8(output.stdout).unwrap().contains("optimal is none"));
}
