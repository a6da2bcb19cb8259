//! `hog play`: line by line through pipes, and on the full screen of a scripted terminal.

mod line;
mod screen;

use assert_cmd::Command;

/// The built program.
const HOG: &str = env!("CARGO_BIN_EXE_hog");

/// Returns what `hog play` prints for these lines of input; it must succeed and print nothing on
/// standard error.
fn played(arguments: &[&str], lines: &str) -> String {
    let output = Command::new(HOG).arg("play").args(arguments).write_stdin(lines).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}
