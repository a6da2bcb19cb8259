//! Strategies in Python files, kind and hostile: each verdict is right, and nothing is left behind or let out.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use hog::game::{Game, Plan};
use hog::rules::{Overrides, load};
use hog::solve::Watch;
use hog::strategy::python::Launcher;
use hog::strategy::{Sources, Strategy, StrategyError};
use tempfile::TempDir;

/// Seconds that a strategy may take here.
const SECONDS: u64 = 2;

fn game() -> Game {
    Game::new(load("fa21", Overrides { goal: Some(20), max_dice: None }).unwrap()).unwrap()
}

/// What comes of a strategy with this source; `None` for the plan if there is no Python on this machine.
fn asked(folder: &TempDir, source: &str) -> Result<Plan, String> {
    let file = folder.path().join("strategy.py");
    std::fs::write(&file, source).unwrap();
    let strategy: Strategy = format!("python:{}", file.display()).parse().unwrap();
    planned(&strategy).map_err(|error| error.to_string())
}

/// What a strategy plays, shut in by the built program.
fn planned(strategy: &Strategy) -> Result<Plan, StrategyError> {
    let launcher = Launcher::new(env!("CARGO_BIN_EXE_hog")).within_seconds(SECONDS);
    strategy.plan_from(&Sources::builtin().with_python(launcher), &game(), &Watch::silent())
}

fn without_python() -> bool {
    let missing = Command::new("python3").arg("--version").output().is_err();
    if missing {
        eprintln!("SKIPPED: there is no python3 on this machine");
    }
    missing
}

#[track_caller]
fn assert_verdict(source: &str, words: &[&str]) {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let message = asked(&folder, source).expect_err(source);
    assert_eq!(message.lines().count(), 1, "{message}");
    for word in words {
        assert!(message.contains(word), "no `{word}` in: {message}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["strategy.py"], "no file was made beside it");
    assert_eq!(std::fs::read_to_string(folder.path().join("strategy.py")).unwrap(), source, "and none was changed");
}

const FORBIDDEN: &str = "a strategy may not read other files, write, start processes or use the network";

/// A strategy whose body is this line.
fn body(line: &str) -> String {
    format!("import os, sys\ndef final_strategy(score, opponent_score):\n    {line}\n    return 1\n")
}

#[test]
fn a_starter_file_is_asked_about_all_scores() {
    if without_python() {
        return;
    }
    let source = "\
from dice import six_sided, four_sided, make_test_dice
from ucb import main, trace, interact
@trace
def helper(score):
    return score % 3
def final_strategy(score, opponent_score):
    print('asked', score)
    return 4 + helper(score) if score > opponent_score else 6
assert make_test_dice(1, 2)() == 1 and 1 <= six_sided() <= 6
@main
def run(*args):
    raise SystemExit
if __name__ == '__main__':
    run()
";
    let folder = tempfile::tempdir().unwrap();
    let plan = asked(&folder, source).unwrap();
    for (score, opponent) in (0..20).flat_map(|score| (0..20).map(move |opponent| (score, opponent))) {
        let expected = if score > opponent { 4 + score % 3 } else { 6 };
        assert_eq!(plan.action(score * 20 + opponent), expected, "{score}-{opponent}");
    }
}

#[test]
fn another_function_can_be_named_and_a_missing_one_is_told() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    asked(&folder, "def best(score, opponent_score): return 3\n").unwrap_err();
    let named = format!("python:{}:best", folder.path().join("strategy.py").display());
    let plan = planned(&named.parse().unwrap()).unwrap();
    assert_eq!(plan.action(0), 3);
    assert_verdict("def best(a, b): return 3\n", &["`final_strategy`", "it has best", "python:FILE:best"]);
    assert_verdict("final_strategy = 6\n", &["no function `final_strategy`"]);
}

#[test]
fn what_is_no_python_is_told_with_its_line() {
    assert_verdict("x = 1\ndef final_strategy(a, b): return 5 +\n", &["line 2", "no Python"]);
    assert_verdict("\0", &["no Python"]);
    assert_verdict("import nonsense\n", &["while its file is loaded", "No module named 'nonsense'", "line 1"]);
}

#[test]
fn answers_that_are_no_numbers_of_dice_are_told_with_the_scores() {
    assert_verdict(&body("return 11 if score == 4 else 2"), &["at 4-0", "it rolls 11 dice", "0 to 10"]);
    assert_verdict(&body("return -1"), &["at 0-0", "-1 dice"]);
    assert_verdict(&body("return 10 ** 9999"), &["at 0-0", "dice; the game allows 0 to 10"]);
    assert_verdict(&body("return 6 / 2"), &["at 0-0", "3.0", "a float"]);
    assert_verdict(&body("return None"), &["None", "is a `return` missing?"]);
    assert_verdict(&body("return score > 3"), &["False", "a bool"]);
    assert_verdict(&body("return '6'"), &["'6'", "a str"]);
    assert_verdict(&body("return 5 // (score - 3)"), &["at 0-0", "it rolls -2 dice"]);
    assert_verdict(
        &body("return [6][score - 3 if score == 3 else 0] // abs(score - 3)"),
        &["at 3-0", "ZeroDivisionError", "line 3"],
    );
}

#[test]
fn an_answer_that_changes_is_impure() {
    assert_verdict("n = 0\ndef final_strategy(a, b):\n  global n\n  n += 1\n  return n % 7\n", &["not pure"]);
    assert_verdict("import random\ndef final_strategy(a, b): return random.randint(0, 9)\n", &["not pure"]);
    assert_verdict("import time\ndef final_strategy(a, b): return time.time_ns() // 1000 % 9\n", &["not pure"]);
}

#[test]
fn what_takes_too_much_is_stopped() {
    assert_verdict(&body("while score == 5: pass"), &["at 5-0", "after 2 s"]);
    assert_verdict("while True: pass\n", &["while its file is loaded", "after 2 s"]);
    assert_verdict(&body("__import__('time').sleep(1000)"), &["at 0-0", "after 2 s"]);
    assert_verdict(&body("x = [0] * (10 * 2 ** 30 // 8)"), &["at 0-0", "1024 MiB of memory"]);
    assert_verdict(&body("for _ in range(1000): print('x' * 1000000)"), &["printing more than 8 MiB"]);
    assert_verdict(&body("for _ in range(1000): os.write(2, b'x' * 1000000)"), &["printing more than 8 MiB"]);
}

/// The library knows no options; the program names the one that helps.
#[test]
fn the_program_says_how_a_strategy_gets_longer() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slow.py");
    std::fs::write(&file, body("while True: pass")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(["rate", "fa21", file.to_str().unwrap(), "--goal", "5", "--strategy-seconds", "1"])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("after 1 s") && message.contains("(--strategy-seconds"), "{message}");
}

#[test]
fn what_is_not_allowed_fails_and_is_told() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    std::fs::write(&victim, "as it was").unwrap();
    let shown = victim.display();
    for line in [
        "open('/etc/passwd').read()".to_owned(),
        "os.listdir('/root')".to_owned(),
        format!("open({:?}).read()", shown.to_string()),
        format!("open({:?}, 'w')", shown.to_string()),
        format!("open({:?}, 'x')", shown.to_string() + ".new"),
        format!("os.open({:?}, os.O_RDONLY | os.O_TRUNC)", shown.to_string()),
        format!("os.truncate({:?}, 0)", shown.to_string()),
        format!("os.remove({:?})", shown.to_string()),
        format!("os.chmod({:?}, 0)", shown.to_string()),
        format!("os.utime({:?}, (0, 0))", shown.to_string()),
        "open(__file__, 'a')".to_owned(),
        "__import__('socket').socket()".to_owned(),
        "__import__('socket').socketpair()".to_owned(),
        "os.fork()".to_owned(),
        "while True: os.fork()".to_owned(),
        "__import__('subprocess').run(['true'])".to_owned(),
        "os.execv('/bin/sh', ['sh'])".to_owned(),
        "os.kill(os.getppid(), 9)".to_owned(),
        "os.kill(1, 0)".to_owned(),
        "__import__('resource').setrlimit(7, (99, 99))".to_owned(),
        "__import__('fcntl').fcntl(1, 8, os.getppid())".to_owned(),
        "open('/proc/%d/mem' % os.getppid(), 'rb')".to_owned(),
    ] {
        assert_verdict(&body(&line), &["at 0-0"]);
        // Some modules turn the refusal into an error of their own.
        if !line.contains("setrlimit") {
            assert_verdict(&body(&line), &[FORBIDDEN]);
        }
    }
    assert_verdict(&body("__import__('threading').Thread(target=print).start()"), &["can't start new thread"]);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "as it was");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
}

/// Around Python: the system calls themselves.
#[test]
fn raw_system_calls_are_refused_too() {
    let calls = "import ctypes, os\ndef final_strategy(a, b):\n  c = ctypes.CDLL(None, use_errno=True)\n  raise Exception(\
                 [c.socket(2, 1, 0), c.fork(), c.syscall(62, os.getppid(), 9), c.syscall(425, 8, 0)])\n";
    assert_verdict(calls, &["Exception: [-1, -1, -1, -1]"]);
}

#[test]
fn a_program_that_ends_itself_is_told() {
    assert_verdict(&body("sys.exit()"), &["at 0-0", "SystemExit"]);
    assert_verdict(&body("os._exit(0)"), &["at 0-0", "it ends the program"]);
    assert_verdict(&body("os._exit(7)"), &["at 0-0", "exit status 7"]);
    assert_verdict(&body("__import__('ctypes').string_at(0)"), &["at 0-0", "signal 11"]);
    assert_verdict(&body("input()"), &["EOFError"]);
    assert_verdict(&body("return final_strategy(score, opponent_score)"), &["RecursionError"]);
}

/// Whatever it does to the modules it can reach, the answers come out as it gives them, or not at all.
#[test]
fn meddling_with_the_harness_does_not_help() {
    if without_python() {
        return;
    }
    let source = "\
import os, sys, builtins, operator, __main__
os.write = lambda *a: 0
os._exit = builtins.print = builtins.type = builtins.isinstance = builtins.str = None
operator.index = lambda x: 9
sys.stdout = sys.stderr = None
__main__._ask = None
def final_strategy(score, opponent_score): return 3
";
    let folder = tempfile::tempdir().unwrap();
    let plan = asked(&folder, source).unwrap();
    assert!((0..400).all(|cell| plan.action(cell) == 3));
    let lines = "[os.write(fd, b'loaded\\n6\\n') for fd in range(3, 20) if os.path.exists('/') and not os.isatty(fd)]";
    assert!(asked(&folder, &body(lines)).is_err());
    let forged = "import os\nfor fd in range(3, 9):\n  try: os.write(fd, b'loaded\\n' + b'6\\n' * 800 + b'done\\n')\n  \
                  except OSError: pass\ndef final_strategy(a, b): return 1\n";
    assert_verdict(forged, &["writes into files that it has not opened"]);
    assert_verdict("import os\nos.closerange(0, 99)\ndef final_strategy(a, b): return 1\n", &["it ends the program"]);
}

/// The last test of what is left: all strategies above were children of this process.
#[test]
fn no_process_is_left() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for line in ["while True: os.fork()", "while True: pass", "os._exit(0)"] {
        asked(&folder, &body(line)).unwrap_err();
    }
    let mine = std::process::id();
    let mut waiting: BTreeMap<u32, String> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(status) = std::fs::read_to_string(entry.path().join("status")) else { continue };
        let field =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim().to_owned();
        let command = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        if command.contains(&folder.path().display().to_string()) {
            waiting.insert(field("Pid:").parse().unwrap(), command);
        }
    }
    waiting.remove(&mine);
    assert!(waiting.is_empty(), "{waiting:?}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    asked(&folder, "").unwrap_err();
    let refused = |path: &Path| {
        let strategy: Strategy = format!("python:{}", path.display()).parse().unwrap();
        planned(&strategy).unwrap_err().to_string()
    };
    assert!(refused(&folder.path().join("nowhere.py")).contains("nowhere.py"));
    assert!(refused(folder.path()).contains("directory"));
}
