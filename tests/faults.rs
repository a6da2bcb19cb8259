//! Programs that are killed at any moment, disks that are full at any byte, clocks that jump: a file is the old one or the
//! new one, and what was kept goes on.
//!
//! `HOG_KILLS=200 cargo test --release --test faults` kills each command so many times; without it a few times.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use hog::contest::KeptPairs;
use hog::rules::{Overrides, load};
use hog::table::Table;
use tempfile::TempDir;

/// How many times each command is killed.
fn kills() -> u64 {
    std::env::var("HOG_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(15)
}

/// Numbers without order (a linear congruential generator: D. Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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

/// Runs a command again and again, killed (SIGKILL) at moments spread over the time that it takes; after each time `look`
/// sees what is there. How often it was killed before its end.
fn kill_at_any_moment(folder: &TempDir, arguments: &[&str], mut look: impl FnMut()) -> u64 {
    let began = Instant::now();
    run(folder, arguments);
    let whole = began.elapsed();
    let (mut numbers, mut killed) = (Numbers(arguments.len() as u64), 0);
    for _ in 0..kills() {
        let mut child = hog(folder, arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(numbers.below(whole.as_micros() as u64 * 11 / 10)));
        child.kill().unwrap();
        killed += u64::from(!child.wait().unwrap().success());
        look();
    }
    killed
}

/// The files of a folder, without those that never got their name.
fn files(folder: &TempDir) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
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
    println!("after a kill the old table was there {} times, the new one {} times", seen[0], seen[1]);
}

#[test]
fn a_killed_contest_goes_on_where_it_was() {
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
        // Now from the beginning, now from what the killed runs left.
        if turn % 3 == 0 {
            let _ = std::fs::remove_file(&kept);
        }
    });
    run(&folder, &arguments);
    assert_eq!(std::fs::read(&kept).unwrap(), fresh, "the pairs of a run that nobody disturbed");
    println!("{killed} contests were killed before their end");
}

#[test]
fn a_killed_survey_leaves_whole_pages_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let survey = ["survey", "fa21", "su15", "--goal", "25", "-o", "page.md"];
    run(&folder, &survey);
    let (lines, height) = (read("page.md").lines().count(), read("page.svg").len());
    kill_at_any_moment(&folder, &survey, || {
        assert_eq!(read("page.md").lines().count(), lines);
        assert_eq!(read("page.svg").len(), height);
        assert!(read("page.svg").ends_with("</svg>\n"));
        assert_eq!(files(&folder), ["page.md", "page.svg"]);
    });
}

/// Runs a command that may write no file longer than so many blocks: what is past that fails as on a full disk.
fn with_room(folder: &TempDir, blocks: u64, arguments: &str) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {} {arguments}", env!("CARGO_BIN_EXE_hog"));
    Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap()
}

fn rest(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_full_disk_leaves_the_old_file_and_the_result_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(7);
    for (command, name, result) in [
        ("solve fa21 --force -o t.hog", "t.hog", "win rate"),
        ("solve fa21 --force -o t.csv", "t.csv", "win rate"),
        ("survey fa21 --force -o t.md", "t.md", "first player"),
    ] {
        assert!(with_room(&folder, 1 << 20, command).status.success(), "there is room");
        let file = folder.path().join(name);
        let size = std::fs::metadata(&file).unwrap().len();
        let before = rest(folder.path()).len();
        for _ in 0..(kills() / 4).max(3) {
            std::fs::write(&file, "old").unwrap();
            // Blocks are of 512 bytes, or of 1024 in some shells.
            let output = with_room(&folder, numbers.below(size / 1024), command);
            let [printed, message] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(output.status.code(), Some(2), "{command}: {message}");
            assert!(message.starts_with("error: cannot write t."), "{command}: {message}");
            assert!(printed.contains(result), "{command}: the work is not lost: {printed}");
            assert_eq!(std::fs::read(&file).unwrap(), b"old", "{command}");
            assert_eq!(rest(folder.path()).len(), before, "{command}: nothing else is left");
        }
    }
}

/// What looks at the clock on the wall, and why a jump of it does no harm.
const LOOKS_AT_THE_CLOCK: [(&str, &str); 2] = [
    ("cli/attempt.rs", "whether a file was saved again: two stamps are equal or not"),
    (
        "strategy/python/kept.rs",
        "which of the answers kept are asked for least: what is thrown away is asked for again",
    ),
];

/// Time is otherwise only measured by the clock that does not jump.
#[test]
fn little_code_looks_at_the_clock_on_the_wall() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut files) = (vec![source.clone()], 0);
    while let Some(folder) = folders.pop() {
        for path in rest(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let looks = text.contains("SystemTime") || text.contains("UNIX_EPOCH");
                let known = LOOKS_AT_THE_CLOCK.iter().any(|(known, _)| path == source.join(known));
                assert!(!looks || known, "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 50, "{files} files were read");
}
