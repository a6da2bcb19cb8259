//! Patterns of dice agree with Icepool, another program for dice as multisets; skipped if Icepool
//! cannot be installed.

use std::path::Path;
use std::process::Command;

/// Runs a command; returns `None` if it cannot be run or fails.
fn done(command: &mut Command) -> Option<()> {
    command.output().ok().filter(|output| output.status.success()).map(|_| ())
}

#[test]
fn two_hundred_distributions_are_those_of_icepool() {
    let folder = tempfile::tempdir().unwrap();
    let python = folder.path().join("bin/python");
    let made =
        done(Command::new("python3").args(["-m", "venv"]).arg(folder.path())).and_then(|()| {
            done(Command::new(&python).args(["-m", "pip", "install", "--quiet", "icepool==2.1.3"]))
        });
    if made.is_none() {
        eprintln!("skipped: Icepool cannot be installed from PyPI");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/compare.py");
    let output = Command::new(&python).arg(script).arg(env!("CARGO_BIN_EXE_hog")).output().unwrap();
    let [printed, errors] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{printed}{errors}");
}
