//! The command line as scripts and people use it: what it prints, what it refuses, and what it
//! leaves on the disk.

mod asked;
mod autograders;
mod completions;
mod contests;
mod designers;
mod gradebooks;
#[cfg(unix)]
mod host;
mod json;
mod options;
mod output;
mod outputs;
mod own_rules;
mod refusals;
mod simplify;
mod simulated_turns;
mod standard_input;
mod strangers_files;
mod students;
mod submission_folders;
mod submissions;
mod tables;
#[cfg(unix)]
mod terminal;
mod turns;
mod why;

use assert_cmd::Command;
use serde_json::Value;

use crate::readme::is_progress;

/// Returns a command that runs the built program.
fn hog(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(arguments);
    // Files that hog wrote are recognised by a list in its cache folder.
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// Returns what a command prints; it must succeed and print nothing on standard error but the
/// progress that a busy machine may tell.
fn text(arguments: &[&str]) -> String {
    let output = hog(arguments).output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "hog {}: {errors}", arguments.join(" "));
    let told: Vec<&str> = errors.lines().filter(|line| !is_progress(line)).collect();
    assert!(told.is_empty(), "hog {}: {errors}", arguments.join(" "));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the JSON document that a command prints.
fn json(arguments: &[&str]) -> Value {
    let printed = text(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&printed)
        .unwrap_or_else(|e| panic!("hog {}: {e}: {printed}", arguments.join(" ")))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Asserts that a command is refused: exit status 2, nothing on standard output, and one message
/// that contains all `words`.
fn assert_refused(arguments: &[&str], words: &[&str]) {
    assert_refusal(
        hog(arguments).output().expect("it runs"),
        words,
        &format!("hog {}", arguments.join(" ")),
    );
}

/// Asserts the same of the output of a command that has already run.
fn assert_refusal(output: std::process::Output, words: &[&str], what: &str) {
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{what}: {message}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{what}");
    assert!(message.starts_with("error: "), "{what}: {message}");
    assert_eq!(message.matches("error: ").count(), 1, "{what}: one message: {message}");
    for mishap in ["panicked", "RUST_BACKTRACE", "unwrap", "src/"] {
        assert!(!message.contains(mishap), "{what}: {message}");
    }
    for word in words {
        assert!(message.contains(word), "{what}: no `{word}` in: {message}");
    }
}
