//! What the host does to the program: signals, and limits on it.

use std::fs::File;
use std::io::Read as _;
use std::process::{Command, Output};
use std::time::Duration;

use super::assert_refusal;

/// Runs hog in a shell with a lower limit.
fn limited(limit: &str, arguments: &[&str]) -> Output {
    let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_hog")]).args(arguments);
    shell.output().expect("a shell")
}

#[test]
fn a_limit_that_is_too_low_is_named() {
    for (limit, words) in [("-s 128", "ulimit -s"), ("-v 300000", "ulimit -v")] {
        let refused = limited(limit, &["best", "fa21", "20", "36"]);
        assert_refusal(refused, &[words], limit);
    }
    for limit in ["-s 1024", "-v 500000", "-n 20"] {
        let answered = limited(limit, &["best", "fa21", "20", "36"]);
        let errors = String::from_utf8_lossy(&answered.stderr);
        assert_eq!(answered.status.code(), Some(0), "{limit}: {errors}");
    }
}

/// A pipe that is full and that nobody reads.
#[test]
fn a_signal_ends_the_program_while_it_writes_to_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let pipe = folder.path().join(signal);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut writing = Command::new(env!("CARGO_BIN_EXE_hog"));
        writing.args(["try", "fa21", "always_roll:6", "-o"]).arg(&pipe);
        let mut writing = writing.spawn().unwrap();
        // It is opened when both ends are there, and takes less than all positions have.
        let mut read = File::open(&pipe).unwrap();
        read.read_exact(&mut [0]).unwrap();
        let number = writing.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &number]).status().unwrap().success());
        let ended = (0..600).find_map(|_| {
            std::thread::sleep(Duration::from_millis(100));
            writing.try_wait().unwrap()
        });
        writing.kill().unwrap();
        writing.wait().unwrap();
        assert_eq!(ended.and_then(|status| status.code()), Some(status), "SIG{signal}");
    }
}
