//! Hostile Python files, each of which must be contained. The first line of a file says what it tries, and what is
//! expected of hog.
//!
//! After the colon stand one or more texts, at least one of which the refusal must contain; or `plays N` if the file
//! must play like a strategy that always rolls N dice. A file that succeeds in what it tries rolls 3.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

use tempfile::TempDir;

const GOAL: &str = "20";

/// A folder outside the strategy's, with files worth stealing, to which the caller's environment points.
struct Outside(TempDir);

impl Outside {
    fn new() -> Self {
        let outside = Self(tempfile::tempdir().unwrap());
        outside.write("secret", "nobody's business");
        outside.write("planted.py", "secret = 1\n");
        outside
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn is_as_it_was(&self) -> bool {
        std::fs::read_to_string(self.0.path().join("secret")).unwrap() == "nobody's business"
            && std::fs::read_dir(self.0.path()).unwrap().count() == 2
    }
}

/// Runs hog on a strategy; returns the exit status, standard output and standard error.
fn answered(strategy: &str, outside: &Outside) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(["rate", "fa21", strategy, "always_roll:4", "--goal", GOAL, "--format", "json"])
        .args(["--strategy-seconds", "1", "--no-cache"])
        .env("PYTHONPATH", outside.0.path())
        .env("HOG_SECRET", "nobody's business")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn win_rate(printed: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(printed).unwrap()["win_rate"].clone()
}

/// Copies a hostile file into a folder of its own, with other files that such a folder may hold.
fn folder_of(file: &Path, outside: &Outside) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let place = outside.0.path().to_string_lossy().trim_start_matches('/').to_owned();
    write("strategy.py", &std::fs::read_to_string(file).unwrap().replace("@OUTSIDE@", &place));
    write("helper.py", "def helper(): return 1\n");
    std::os::unix::fs::symlink(outside.0.path().join("secret"), folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(outside.0.path().join("planted.py"), folder.path().join("linked.py")).unwrap();
    if file.ends_with("shadows_library.py") {
        for name in ["os.py", "operator.py", "random.py", "encodings.py", "_signal.py", "dice.py"] {
            write(name, "raise Exception('imported by the program that asks')\n");
        }
    }
    folder
}

fn names_in(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

/// Returns how the containment of a file failed, if it did.
fn fault(file: &Path, hides_names: bool) -> Option<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let expected = text.lines().next().and_then(|line| line.strip_prefix("# ")?.split_once(": "));
    let Some((reason, expected)) = expected else { return Some("no reason in its first line".into()) };
    if reason.contains("where the kernel lets hog hide it") && !hides_names {
        eprintln!("SKIPPED: {} (no namespaces here)", file.display());
        return None;
    }
    let outside = Outside::new();
    let folder = folder_of(file, &outside);
    let before = (names_in(folder.path()), std::fs::read(folder.path().join("strategy.py")).unwrap());
    let (status, printed, refused) = answered(&folder.path().join("strategy.py").display().to_string(), &outside);
    let after = (names_in(folder.path()), std::fs::read(folder.path().join("strategy.py")).unwrap());
    if before != after || !outside.is_as_it_was() {
        return Some("it changed files".into());
    }
    if let Some(dice) = expected.strip_prefix("plays ") {
        let (_, like, _) = answered(&format!("always_roll:{dice}"), &outside);
        let same = status == Some(0) && win_rate(&printed) == win_rate(&like);
        return (!same).then(|| format!("it does not play {dice}: {printed}{refused}"));
    }
    let words: Vec<&str> = expected.split('"').skip(1).step_by(2).collect();
    let message = serde_json::from_str::<serde_json::Value>(&printed).unwrap_or_default()["error"]["message"].clone();
    let message = message.as_str().unwrap_or_default();
    let as_expected = status == Some(2) && words.iter().any(|word| message.contains(word));
    let clean = !message.contains(char::is_control) && !message.contains("--trust") && refused.is_empty();
    (!as_expected || !clean).then(|| format!("exit {status:?}: {printed}{refused}"))
}

/// Returns whether hog may mount; if it may, it hides the names of processes and of files outside.
fn hides_names() -> bool {
    let run = |arguments: &[&str]| Command::new("unshare").args(arguments).output().is_ok_and(|o| o.status.success());
    run(&["-m", "true"]) || run(&["-U", "-r", "-m", "mount", "-t", "tmpfs", "none", "/proc"])
}

#[test]
fn every_hostile_file_is_contained() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let python = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "py");
    let files: Vec<PathBuf> = names_in(&folder).into_iter().filter(python).collect();
    assert!(files.len() >= 30, "only {} files", files.len());
    let (hides_names, left, faults) = (hides_names(), Mutex::new(files), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(file) = { left.lock().unwrap().pop() } {
                    if let Some(fault) = fault(&file, hides_names) {
                        faults.lock().unwrap().push(format!("{}: {fault}", file.display()));
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs hog with a system call that fails with this error.
fn without_call(call: i64, error: i32, command: &mut Command) -> Output {
    let machine = std::env::consts::ARCH.try_into().unwrap();
    let refuse = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new([(call, vec![])].into(), SeccompAction::Allow, refuse, machine).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    let refused = || {
        // The filter applies to this thread and to the processes that it starts.
        apply_filter(&program).unwrap();
        command.output().unwrap()
    };
    std::thread::scope(|scope| scope.spawn(refused).join().unwrap())
}

/// Kernels without Landlock or with Landlock switched off, and one that accepts no more seccomp filters.
#[test]
fn without_landlock_or_seccomp_no_strategy_is_run() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.py"), "def final_strategy(score, opponent_score): return 4\n").unwrap();
    let rate = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
        command.args(["rate", "fa21", "mine.py", "--goal", GOAL, "--no-cache"]).args(more).current_dir(folder.path());
        command
    };
    for (call, error, lock) in [
        (libc::SYS_landlock_create_ruleset, libc::ENOSYS, "Landlock"),
        (libc::SYS_landlock_create_ruleset, libc::EOPNOTSUPP, "Landlock"),
        (libc::SYS_landlock_restrict_self, libc::EPERM, "Landlock"),
        (libc::SYS_seccomp, libc::EINVAL, "seccomp"),
    ] {
        let output = without_call(call, error, &mut rate(&[]));
        let message = String::from_utf8_lossy(&output.stderr);
        let named = message.contains(&format!("{lock} ")) && message.contains("needed");
        assert!(!output.status.success() && named, "{message}");
        let trusted = without_call(call, error, &mut rate(&["--trust"]));
        assert!(trusted.status.success(), "{}", String::from_utf8_lossy(&trusted.stderr));
    }
    assert!(rate(&[]).output().unwrap().status.success(), "the file runs if neither is missing");
}
