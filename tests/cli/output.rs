//! Standard output and standard error: colour, closed pipes, full devices, exit codes of help.

use std::process::{Command, Stdio};

use super::{assert_refusal, hog, text};

const ESCAPE: char = '\u{1b}';

#[test]
fn piped_output_has_no_colour() {
    let commands: [&[&str]; 7] = [
        &["best", "fa21", "20", "36"],
        &["rate", "fa21", "final_strategy", "always_roll:6"],
        &["turn", "fa21", "20", "36", "--dice", "2,5"],
        &["dice", "3"],
        &["solve", "fa21", "--goal", "9"],
        &["rules", "list"],
        &["rules", "show", "fa19"],
    ];
    for arguments in commands {
        assert!(!text(arguments).contains(ESCAPE), "hog {}", arguments.join(" "));
    }
    let refused = hog(&["best", "fa99", "1", "2"]).output().unwrap();
    assert!(!String::from_utf8(refused.stderr).unwrap().contains(ESCAPE));
}

#[test]
fn colour_can_be_forced_and_changes_nothing_else() {
    let plain = text(&["best", "fa21", "20", "36"]);
    let coloured = text(&["best", "fa21", "20", "36", "--color", "always"]);
    assert!(coloured.contains(ESCAPE));
    let mut stripped = String::new();
    let mut inside = false;
    for c in coloured.chars() {
        inside |= c == ESCAPE;
        if !inside {
            stripped.push(c);
        }
        inside &= c != 'm';
    }
    assert_eq!(stripped, plain);
}

#[test]
fn json_is_never_coloured() {
    assert!(
        !text(&["best", "fa21", "20", "36", "--format", "json", "--color", "always"])
            .contains(ESCAPE)
    );
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    for arguments in [
        ["rate", "nju21", "optimal", "beat:always_roll:6"],
        ["solve", "su15", "--to", "csv"],
        ["best", "fa19", "20", "36"],
    ] {
        let one = text(&[&arguments[..], &["--threads", "1"]].concat());
        let many = text(&[&arguments[..], &["--threads", "7"]].concat());
        assert!(one == many, "hog {}", arguments.join(" "));
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(["solve", "fa21", "--to", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stderr).unwrap()),
        (Some(0), String::new())
    );
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_on_a_full_device_is_an_error() {
    let commands: [&[&str]; 5] = [
        &["best", "--help"],
        &["best", "fa21", "20", "36"],
        &["solve", "fa21", "--to", "csv"],
        &["dice", "10", "--format", "json"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output =
            Command::new(env!("CARGO_BIN_EXE_hog")).args(arguments).stdout(full).output().unwrap();
        assert_refusal(
            output,
            &["standard output", "No space left"],
            &format!("hog {}", arguments.join(" ")),
        );
    }
}

#[test]
fn help_and_page_state_the_maximum_number_of_dice() {
    let most = hog::rules::limits::DICE;
    assert!(text(&["solve", "--help"]).contains(&format!("(0 to {most})")));
    assert!(include_str!("../../page/desk.js").contains(&format!("'max_dice', 0, {most}")));
}

#[test]
fn help_and_version_succeed() {
    for command in
        ["solve", "best", "vary", "rate", "turn", "dice", "check", "rules", "survey", "completions"]
    {
        assert!(text(&[command, "--help"]).contains("Usage: hog"), "{command}");
    }
    assert_eq!(text(&["--version"]), format!("hog {}\n", env!("CARGO_PKG_VERSION")));
}

/// A newcomer's first minute: few lines, and every command in them can be typed.
#[test]
fn without_a_command_a_few_lines_lead_to_the_first_ones() {
    let output = hog(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let lines = String::from_utf8(output.stderr).unwrap();
    assert!(lines.lines().count() <= 10 && lines.lines().all(|line| line.len() <= 80), "{lines}");
    for command in ["try", "best", "play", "serve"] {
        assert!(lines.contains(&format!("  hog {command} ")), "{command}: {lines}");
    }
}
