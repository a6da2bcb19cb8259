//! Programs killed at any moment, disks full at any byte, clocks that jump: afterwards each file is
//! either the old one or the new one, and kept pairs are still used.
//!
//! `HOG_KILLS=200 cargo test --release --test program faults` kills each command that many times;
//! the default is 15.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use hog::contest::KeptPairs;
use hog::rules::{Overrides, load};
use hog::table::Table;
use tempfile::TempDir;

/// Returns how often each command is killed.
fn kills() -> u64 {
    std::env::var("HOG_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(15)
}

/// A sequence of pseudorandom numbers (a linear congruential generator: D. Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most.max(1)
    }
}

fn hog(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn run(folder: &TempDir, arguments: &[&str]) {
    assert!(hog(folder, arguments).status().unwrap().success(), "hog {}", arguments.join(" "));
}

/// Runs a command repeatedly and kills it (SIGKILL) at moments spread over its usual duration;
/// after each run, `look` inspects what is there. Returns how often the command was killed before
/// its end.
fn kill_at_any_moment(folder: &TempDir, arguments: &[&str], mut look: impl FnMut()) -> u64 {
    let began = Instant::now();
    run(folder, arguments);
    let whole = began.elapsed();
    let (mut numbers, mut killed) = (Numbers(arguments.len() as u64), 0);
    for _ in 0..kills() {
        let mut child = hog(folder, arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(
            numbers.below(whole.as_micros() as u64 * 11 / 10),
        ));
        child.kill().unwrap();
        killed += u64::from(!child.wait().unwrap().success());
        look();
    }
    killed
}

/// Returns the names of the files in a folder, without temporary files that have not been renamed
/// yet.
fn files(folder: &TempDir) -> Vec<String> {
    let names = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with(".hog-")).collect();
    names.sort();
    names
}

#[test]
fn a_killed_solve_leaves_the_old_table_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.hog");
    let solve = |goal| ["solve", "fa21", "--goal", goal, "-o", "t.hog"];
    let bytes = |goal| {
        run(&folder, &solve(goal));
        std::fs::read(&table).unwrap()
    };
    let (new, old) = (bytes("31"), bytes("30"));
    assert!(Table::from_bytes(&old).is_ok() && old != new);
    let mut seen = [0, 0];
    kill_at_any_moment(&folder, &solve("31"), || {
        let found = std::fs::read(&table).unwrap();
        assert!(found == old || found == new, "{} bytes that are neither table", found.len());
        seen[usize::from(found == new)] += 1;
        assert_eq!(files(&folder), ["t.hog"]);
        std::fs::write(&table, &old).unwrap();
    });
    println!(
        "after a kill the old table was there {} times, the new one {} times",
        seen[0], seen[1]
    );
}

#[test]
fn a_killed_contest_keeps_its_pairs_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("pairs.json");
    let rules = load("fa21", Overrides { goal: Some(60), max_dice: None }).unwrap();
    let mut contest: Vec<String> = (0..=10).map(|dice| format!("always_roll:{dice}")).collect();
    contest.extend((0..30).map(|cutoff| format!("bacon_strategy:{cutoff},6")));
    let all = ["contest", "fa21", "--goal", "60", "--keep", "pairs.json"].map(str::to_owned);
    let arguments: Vec<&str> = all.iter().chain(&contest).map(String::as_str).collect();
    run(&folder, &arguments);
    let fresh = std::fs::read(&kept).unwrap();
    std::fs::remove_file(&kept).unwrap();
    let mut turn = 0;
    let killed = kill_at_any_moment(&folder, &arguments, || {
        KeptPairs::read(&kept, &rules).unwrap_or_else(|error| panic!("{error}"));
        turn += 1;
        // Every third run starts from the beginning, the others from what the killed runs left.
        if turn % 3 == 0 {
            let _ = std::fs::remove_file(&kept);
        }
    });
    run(&folder, &arguments);
    assert_eq!(
        std::fs::read(&kept).unwrap(),
        fresh,
        "the pairs differ from those of an undisturbed run"
    );
    println!("{killed} contests were killed before their end");
}

#[test]
fn a_killed_survey_leaves_a_complete_page() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let survey = ["survey", "fa21", "su15", "--goal", "25", "-o", "page.md"];
    run(&folder, &survey);
    let lines = read("page.md").lines().count();
    kill_at_any_moment(&folder, &survey, || {
        assert_eq!(read("page.md").lines().count(), lines);
        assert_eq!(files(&folder), ["page.md"]);
    });
}

/// Runs a command that may write no file longer than this many blocks: writing more fails as on a
/// full disk.
fn with_room(folder: &TempDir, blocks: u64, arguments: &str) -> Output {
    let script =
        format!("trap '' XFSZ; ulimit -f {blocks}; exec {} {arguments}", env!("CARGO_BIN_EXE_hog"));
    Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_full_disk_leaves_the_old_file_and_the_error_alone_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(7);
    for (command, name) in [
        ("solve fa21 --force -o t.hog", "t.hog"),
        ("solve fa21 --force -o t.csv", "t.csv"),
        ("survey fa21 --force -o t.md", "t.md"),
    ] {
        assert!(
            with_room(&folder, 1 << 20, command).status.success(),
            "the command fails even with room"
        );
        let file = folder.path().join(name);
        let size = std::fs::metadata(&file).unwrap().len();
        let before = entries(folder.path()).len();
        for _ in 0..(kills() / 4).max(3) {
            std::fs::write(&file, "old").unwrap();
            // A block has 512 bytes, or 1024 in some shells.
            let output = with_room(&folder, numbers.below(size / 1024), command);
            let [printed, message] =
                [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(output.status.code(), Some(2), "{command}: {message}");
            assert!(message.starts_with("error: cannot write t."), "{command}: {message}");
            assert_eq!(printed, "", "{command}: a result is printed");
            assert_eq!(std::fs::read(&file).unwrap(), b"old", "{command}");
            assert_eq!(entries(folder.path()).len(), before, "{command}: other files are left");
        }
    }
}

/// The files that read the wall clock, and why a jump of the clock does no harm there.
const READS_THE_CLOCK: [(&str, &str); 3] = [
    ("src/cli/try.rs", "whether a file was saved again: two stamps are only compared for equality"),
    (
        "crates/sandbox/src/kept.rs",
        "which cached answers were used last: those that are removed are computed again",
    ),
    (
        "crates/sandbox/src/interpreter.rs",
        "whether the interpreter is another one: stamps of files are only compared for equality",
    ),
];

/// Elsewhere time is measured by the monotonic clock.
#[test]
fn only_the_listed_files_read_the_wall_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut files) = (vec![root.join("src"), root.join("crates")], 0);
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let looks = text.contains("SystemTime") || text.contains("UNIX_EPOCH");
                let known = READS_THE_CLOCK.iter().any(|(known, _)| path == root.join(known));
                assert!(!looks || known, "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 300, "{files} files were read");
}

/// Returns a command that holds a contest of the tables in a folder.
fn contest(folder: &Path, keep: Option<&Path>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(["contest", "fa19", "--format", "json"]).arg(folder);
    keep.map(|file| command.arg("--keep").arg(file));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn outcome(command: &mut Command) -> serde_json::Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_killed_contest_resumes_and_has_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let (tables, file) = (folder.path().join("tables"), folder.path().join("pairs.json"));
    std::fs::create_dir(&tables).unwrap();
    for seed in 0..32 {
        let mut numbers = Numbers(seed);
        let mut cell =
            |cell: usize| format!("{},{},{}\n", cell / 100, cell % 100, numbers.below(11));
        let rows: String = (0..10_000).map(&mut cell).collect();
        std::fs::write(tables.join(format!("t{seed}.csv")), format!("score,opponent,dice\n{rows}"))
            .unwrap();
    }
    let mut running = contest(&tables, Some(&file)).spawn().unwrap();
    while !file.exists() {
        assert!(
            running.try_wait().unwrap().is_none(),
            "the contest ended before any pair was kept"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    // This sends SIGKILL, which no process can catch.
    running.kill().unwrap();
    assert_eq!(running.wait().unwrap().code(), None, "the contest ended before it was killed");

    let resumed = outcome(&mut contest(&tables, Some(&file)));
    let kept = resumed["kept"].as_u64().unwrap();
    assert!(kept > 0 && kept < 496, "{kept} pairs were kept");
    let whole = outcome(&mut contest(&tables, None));
    for key in ["ranking", "entrants", "matrix", "first", "cycles", "error_bound"] {
        assert_eq!(resumed[key], whole[key], "{key}");
    }
    let again = outcome(&mut contest(&tables, Some(&file)));
    assert_eq!(again["kept"], again["pairs"], "all pairs are kept");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "only the tables and the kept pairs may be there: {left:?}");
}
