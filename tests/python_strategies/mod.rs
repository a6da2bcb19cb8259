//! Strategies in Python files: what they answer and may read, how their faults are reported, and
//! what is cached. Hostile files are in `tests/hostile`.

#![cfg(target_os = "linux")]

mod answers;
mod interpreters;
mod processes;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use hog::contest::{Field, FieldError, Invitation, OnRead, field};
use hog::game::{Game, Plan, USUAL_MEMORY};
use hog::rules::{Overrides, load};
use hog::solve::{SolveError, Watch};
use hog::strategy::python::Launcher;
use hog::strategy::{Sources, Strategy, StrategyError};
use tempfile::TempDir;

/// The seconds that a strategy may take in these tests.
const SECONDS: u64 = 1;

fn game() -> Game {
    Game::new(load("fa21", Overrides { goal: Some(20), max_dice: None }).unwrap()).unwrap()
}

/// The interpreter that `python3` starts; that may be a script which takes longer than the
/// interpreter.
static PYTHON: LazyLock<PathBuf> = LazyLock::new(|| {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    asked.map_or("python3".into(), |output| String::from_utf8_lossy(&output.stdout).trim().into())
});

fn launcher() -> Launcher {
    launched_by(env!("CARGO_BIN_EXE_hog"))
}

fn launched_by(program: &str) -> Launcher {
    Launcher::new(program).with_interpreter(&*PYTHON).within_seconds(SECONDS)
}

/// Plans a strategy with this source; returns its plan, or the error message.
fn plan_of_source(folder: &TempDir, source: &str) -> Result<Plan, String> {
    let file = folder.path().join("strategy.py");
    std::fs::write(&file, source).unwrap();
    planned(&format!("python:{}", file.display()), launcher()).map_err(|error| error.to_string())
}

/// Plans a strategy in the sandbox of the built program.
fn planned(strategy: &str, launcher: Launcher) -> Result<Plan, StrategyError> {
    let strategy: Strategy = strategy.parse().unwrap();
    strategy.plan_from(&Sources::builtin().with_python(launcher), &game(), &Watch::silent())
}

fn always(plan: &Plan, dice: i32) -> bool {
    (0..400).all(|cell| plan.action(cell) as i32 == dice)
}

fn without_python() -> bool {
    let missing = Command::new("python3").arg("--version").output().is_err();
    if missing {
        eprintln!("SKIPPED: there is no python3 on this machine");
    }
    missing
}

#[track_caller]
fn assert_fault(source: &str, words: &[&str]) {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let message = plan_of_source(&folder, source).expect_err(source);
    assert_eq!(message.lines().count(), 1, "{message}");
    for word in words {
        assert!(message.contains(word), "no `{word}` in: {message}");
    }
}

/// Returns a strategy whose body is this line.
fn body(line: &str) -> String {
    format!(
        "import os, sys\ndef final_strategy(score, opponent_score):\n    {line}\n    return 1\n"
    )
}

/// Makes an executable script. Another process writes it, because a file that is open for writing
/// cannot be run, not even while a thread of this process starts another program.
fn write_script(path: &Path, text: &str) {
    let source = path.with_extension("txt");
    std::fs::write(&source, format!("#!/bin/sh\n{text}\n")).unwrap();
    assert!(
        Command::new("install")
            .args(["-m", "755"])
            .arg(&source)
            .arg(path)
            .status()
            .unwrap()
            .success()
    );
}

fn hog(arguments: &[&str], cache: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(["rate", "fa21", "--goal", "20"]).args(arguments).env("XDG_CACHE_HOME", cache);
    command.env("HOG_PYTHON", &*PYTHON);
    command.output().unwrap()
}
