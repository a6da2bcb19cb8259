//! What a terminal of 80 columns shows, by way of a pseudo-terminal: wrapped lines, progress, and
//! no binary files.

use std::io::{Read, Write};
use std::num::NonZeroU16;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::hog;

/// Runs a command in a terminal; its exit status and the lines shown at its end. Ctrl-C is pressed
/// as soon as the terminal shows `interrupt_at`.
fn shown(arguments: &[&str], interrupt_at: Option<&str>) -> (u32, Vec<String>) {
    let (status, lines, _) = shown_in(80, arguments, interrupt_at);
    (status, lines)
}

/// As [`shown`], in a terminal of so many columns; and all that was written to it.
fn shown_in(
    cols: u16,
    arguments: &[&str],
    mut interrupt_at: Option<&str>,
) -> (u32, Vec<String>, String) {
    let rows = 300;
    let pair = native_pty_system()
        .openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 })
        .unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_hog"));
    command.args(arguments);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let (mut reader, mut keys) =
        (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
    let size = |cells| NonZeroU16::new(cells).unwrap();
    let mut terminal = vt100::Parser::new(size(rows), size(cols), 0);
    let mut bytes = [0; 4096];
    let mut written = Vec::new();
    while let Ok(count @ 1..) = reader.read(&mut bytes) {
        terminal.process(&bytes[..count]);
        written.extend_from_slice(&bytes[..count]);
        if interrupt_at.is_some_and(|part| terminal.screen().contents().contains(part)) {
            interrupt_at = None;
            keys.write_all(b"\x03").unwrap();
        }
    }
    assert_eq!(interrupt_at, None, "{}", terminal.screen().contents());
    // A line that the terminal itself has broken counts as one.
    let lines = terminal.screen().contents().lines().map(str::to_owned).collect();
    let written = String::from_utf8_lossy(&written).into_owned();
    (child.wait().unwrap().exit_code(), lines, written)
}

#[track_caller]
fn assert_fits(lines: &[String]) {
    for line in lines {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn errors_are_wrapped_between_words() {
    for arguments in
        [&["rate", "fa21", "nobody"][..], &["solve", "fa19", "--to", "python"], &["nope"]]
    {
        let (status, lines) = shown(arguments, None);
        assert!(status == 2 && lines[0].starts_with("error: ") && lines.len() > 1, "{lines:?}");
        assert_fits(&lines);
    }
}

#[test]
fn wrapped_lines_of_lists_and_rules_keep_their_indent() {
    let (_, list) = shown(&["rules", "list"], None);
    assert_fits(&list);
    assert!(list.contains(&format!("{:21}Swine Swap", "")), "{list:?}");
    let (_, game) = shown(
        &["play", "fa21", "--goal", "9", "--seed", "1", "--as", "always_roll:5", "--plain"],
        None,
    );
    assert_fits(&game);
    let rule = game.iter().position(|line| line.starts_with("  Sow Sad: ")).unwrap();
    assert_eq!(game[rule + 1], "  the turn is 1.");
}

#[test]
fn binary_files_are_not_written_to_a_terminal() {
    for arguments in [["solve", "fa19", "-o", "-"], ["solve", "fa19", "--to", "npy"]] {
        let (status, lines) = shown(&arguments, None);
        assert_eq!(status, 2);
        assert!(
            lines.join(" ").contains("is not text, and standard output is a terminal"),
            "{lines:?}"
        );
    }
}

#[test]
fn an_interrupt_during_progress_ends_the_command_with_its_status() {
    let (status, lines) = shown(&["survey"], Some(" %"));
    // The terminal's own `^C` may leave the bar's line, or a letter of a control sequence; no
    // result follows.
    assert!(status == 130 && lines.len() <= 2, "{status}: {lines:?}");
}

#[test]
fn quiet_work_shows_no_progress() {
    // A bar is shown after less than half a second.
    let work = ["simulate", "fa21", "always_roll:4", "--games", "4e6"];
    let (_, lines, written) = shown_in(80, &work, None);
    assert!(written.contains('█'), "{written}");
    let (_, quiet_lines, quiet) = shown_in(80, &[&work[..], &["--quiet"]].concat(), None);
    assert!(!quiet.contains('█'), "{quiet}");
    assert_eq!(quiet_lines[..4], lines[..4]);
}

/// Rows are kept whole, and bars in proportion, where the terminal has room for the columns.
#[test]
fn tables_fit_the_terminal() {
    for arguments in [
        &["best", "fa21", "20", "36"][..],
        &["dice", "2"],
        &["why", "fa21", "20", "36", "--rolls", "8,5"],
        &["effects", "fa21", "--goal", "40"],
    ] {
        let output = hog(arguments).output().unwrap();
        let piped = String::from_utf8(output.stdout).unwrap();
        for cols in [60, 80, 120] {
            let lines = shown_in(cols, arguments, None).1;
            for line in &lines {
                assert!(line.chars().count() <= cols.into(), "{line}");
            }
            let rows = |line: &&str| line.trim().contains("  ");
            let expected = piped.lines().filter(rows).count();
            let found = lines.iter().map(String::as_str).filter(|line| line.contains("  "));
            assert!(cols < 80 || found.count() >= expected, "{arguments:?} in {cols}: {lines:?}");
        }
    }
    let narrow = shown_in(60, &["dice", "2"], None).1;
    let bars = |lines: &[String]| -> Vec<usize> {
        lines.iter().map(|line| line.matches('█').count()).filter(|bar| *bar > 0).collect()
    };
    assert_eq!(bars(&narrow).len(), 11, "{narrow:?}");
    assert!(narrow.iter().any(|line| line.chars().count() == 60), "{narrow:?}");
}

/// The help of each command, at the width of a terminal that is narrower than its lines.
#[test]
fn examples_of_the_help_are_wrapped_to_their_column() {
    let help = |command: &str| {
        let output = hog(&[command, "--help"]).env("COLUMNS", "80").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let best = help("best");
    let example =
        "  hog best fa21 20 36                                 you have 20 points, your\n";
    assert!(best.contains(&format!("{example}{:54}opponent 36\n", "")), "{best}");
    // The paragraph is filled, and has no short lines but its last.
    let check = help("check");
    let paragraph = "A second solver, which shares no code with the first, reads the rules inside\n\
     each table and recomputes it.";
    assert!(check.contains(paragraph), "{check}");
}
