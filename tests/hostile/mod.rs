//! Hostile Python files, each of which must be contained. The first line of a file says what it
//! tries, and what is expected of hog.
//!
//! After the colon stand one or more texts, at least one of which the refusal must contain; or
//! `plays N` if the file must play like a strategy that always rolls N dice. A file that succeeds
//! in what it tries rolls 3.
//!
//! hog is started with open files that are none of a strategy's business, and, if the tests run as
//! root, also as an ordinary user, whose sandbox is made in another way.

#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

use tempfile::TempDir;

const GOAL: &str = "20";

/// A folder outside the strategy's, with files worth stealing, to which the caller's environment
/// points.
struct Outside(TempDir);

impl Outside {
    fn new() -> Self {
        let outside = Self(open_folder());
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

/// A temporary folder that every user can read.
fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

/// A user who runs hog.
struct User {
    hog: PathBuf,
    python: PathBuf,
    /// The program that becomes this user, with its arguments; empty for the user of the tests.
    becomes: &'static [&'static str],
    /// Whether the kernel lets this user's hog hide the names of processes and of files outside.
    hides_names: bool,
    /// A copy of the program that this user can run.
    _copy: Option<TempDir>,
}

/// Returns the interpreter that `python3` starts for a user; that may be a script which takes longer
/// than the interpreter.
fn python(becomes: &[&str]) -> PathBuf {
    let words = [becomes, &["python3", "-c", "import sys; print(sys.executable)"]].concat();
    let asked = Command::new(words[0]).args(&words[1..]).output().unwrap();
    String::from_utf8(asked.stdout).unwrap().trim().into()
}

const NOBODY: &[&str] = &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

/// Opens a folder, a pipe, a file and a socket, which comes as standard input, and then becomes
/// another program.
const WITH_OPEN_FILES: &str =
    r#"mkfifo "$0/pipe" && exec 4<"$0" 5<>"$0/pipe" 6<"$0/grades" 7<&0 </dev/null && exec "$@""#;

impl User {
    /// The user of the tests and, if that is root, an ordinary one.
    fn all() -> Vec<Self> {
        let of_tests = Self {
            hog: env!("CARGO_BIN_EXE_hog").into(),
            python: python(&[]),
            becomes: &[],
            hides_names: hides_names(&[]),
            _copy: None,
        };
        let is_root =
            Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        if !is_root {
            return vec![of_tests];
        }
        if !runs(NOBODY, &["true"]) {
            eprintln!("SKIPPED: as an ordinary user, whom setpriv cannot become here");
            return vec![of_tests];
        }
        let copy = open_folder();
        let hog = copy.path().join("hog");
        std::fs::copy(&of_tests.hog, &hog).unwrap();
        vec![
            of_tests,
            Self {
                hog,
                python: python(NOBODY),
                becomes: NOBODY,
                hides_names: hides_names(NOBODY),
                _copy: Some(copy),
            },
        ]
    }

    /// Returns a command of this user that runs hog with open files of its caller, one of them in
    /// `held`.
    fn hog(&self, held: &TempDir) -> Command {
        std::fs::write(held.path().join("grades"), "nobody's business").unwrap();
        let (socket, _) = UnixStream::pair().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", WITH_OPEN_FILES]).arg(held.path()).args(self.becomes).arg(&self.hog);
        command.stdin(Stdio::from(OwnedFd::from(socket)));
        command
    }
}

/// Runs hog on a strategy; returns the exit status, standard output and standard error.
fn answered(user: &User, strategy: &str, outside: &Outside) -> (Option<i32>, String, String) {
    let held = open_folder();
    let output = user
        .hog(&held)
        .args(["rate", "fa21", strategy, "always_roll:4", "--goal", GOAL, "--format", "json"])
        // Without the lines that tell how far hog is where a machine is busy.
        .args(["--strategy-seconds", "1", "--no-cache", "--quiet"])
        .env("HOG_PYTHON", &user.python)
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
    let folder = open_folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let place = outside.0.path().to_string_lossy().trim_start_matches('/').to_owned();
    write("strategy.py", &std::fs::read_to_string(file).unwrap().replace("@OUTSIDE@", &place));
    write("helper.py", "def helper(): return 1\n");
    std::os::unix::fs::symlink(outside.0.path().join("secret"), folder.path().join("link"))
        .unwrap();
    std::os::unix::fs::symlink(
        outside.0.path().join("planted.py"),
        folder.path().join("linked.py"),
    )
    .unwrap();
    if file.ends_with("shadows_library.py") {
        for name in ["os.py", "operator.py", "random.py", "encodings.py", "_signal.py", "dice.py"] {
            write(name, "raise Exception('imported by the program that asks')\n");
        }
    }
    folder
}

fn names_in(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

/// Returns how the containment of a file failed, if it did.
fn fault(user: &User, file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let expected = text.lines().next().and_then(|line| line.strip_prefix("# ")?.split_once(": "));
    let Some((reason, expected)) = expected else {
        return Some("no reason in its first line".into());
    };
    if reason.contains("where the kernel lets hog hide it") && !user.hides_names {
        eprintln!("SKIPPED: {} (no namespaces here)", file.display());
        return None;
    }
    let outside = Outside::new();
    let folder = folder_of(file, &outside);
    let before =
        (names_in(folder.path()), std::fs::read(folder.path().join("strategy.py")).unwrap());
    let (status, printed, refused) =
        answered(user, &folder.path().join("strategy.py").display().to_string(), &outside);
    let after =
        (names_in(folder.path()), std::fs::read(folder.path().join("strategy.py")).unwrap());
    if before != after || !outside.is_as_it_was() {
        return Some("it changed files".into());
    }
    if let Some(dice) = expected.strip_prefix("plays ") {
        let (_, like, _) = answered(user, &format!("always_roll:{dice}"), &outside);
        let same = status == Some(0) && win_rate(&printed) == win_rate(&like);
        return (!same).then(|| format!("it does not play {dice}: {printed}{refused}"));
    }
    let words: Vec<&str> = expected.split('"').skip(1).step_by(2).collect();
    let message = serde_json::from_str::<serde_json::Value>(&printed).unwrap_or_default()["error"]
        ["message"]
        .clone();
    let message = message.as_str().unwrap_or_default();
    let as_expected = status == Some(2) && words.iter().any(|word| message.contains(word));
    let clean =
        !message.contains(char::is_control) && !message.contains("--trust") && refused.is_empty();
    (!as_expected || !clean).then(|| format!("exit {status:?}: {printed}{refused}"))
}

/// Returns whether a program can be run, by a program that becomes another user.
fn runs(becomes: &[&str], program: &[&str]) -> bool {
    let words = [becomes, program].concat();
    Command::new(words[0]).args(&words[1..]).output().is_ok_and(|output| output.status.success())
}

/// Returns whether hog may mount; if it may, it hides the names of processes and of files outside.
fn hides_names(becomes: &[&str]) -> bool {
    runs(becomes, &["unshare", "-m", "true"])
        || runs(becomes, &["unshare", "-U", "-r", "-m", "mount", "-t", "tmpfs", "none", "/proc"])
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
    let users = User::all();
    let tries = users.iter().flat_map(|user| files.iter().map(move |file| (user, file))).collect();
    let (left, faults): (Mutex<Vec<(&User, &PathBuf)>>, _) =
        (Mutex::new(tries), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        // More than there are cores: many of them only wait.
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((user, file)) = { left.lock().unwrap().pop() } {
                    if let Some(fault) = fault(user, file) {
                        let by = user
                            .becomes
                            .first()
                            .map_or(String::new(), |program| format!(" (by {program})"));
                        faults.lock().unwrap().push(format!("{}{by}: {fault}", file.display()));
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs hog for a user in a shell with lower limits.
fn limited(user: &User, limits: &str, arguments: &[&str]) -> Output {
    let script = format!("ulimit {limits} && exec \"$0\" \"$@\"");
    let words = [user.becomes, &["bash", "-c", &script]].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(&user.hog).args(arguments).env("HOG_PYTHON", &user.python);
    command.output().unwrap()
}

/// Only root can raise them again; the lower ones hold, and the sandbox is as it was.
#[test]
fn lower_limits_of_the_host_hold_for_strategies_too() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let folder = open_folder();
    let file = folder.path().join("strategy.py");
    let strategy = file.display().to_string();
    for user in User::all() {
        let by = user.becomes.first().unwrap_or(&"the user of the tests");
        let rate = ["rate", "fa21", &strategy, "--goal", GOAL, "--no-cache"];
        std::fs::write(&file, "def final_strategy(a, b): return 4\n").unwrap();
        for limits in ["-n 40", "-v 800000", "-t 100"] {
            let rated = limited(&user, limits, &rate);
            let errors = String::from_utf8_lossy(&rated.stderr);
            assert_eq!(rated.status.code(), Some(0), "{limits}, {by}: {errors}");
        }
        std::fs::write(&file, "def final_strategy(a, b): return len(bytearray(1 << 30))\n")
            .unwrap();
        let refused = limited(&user, "-v 800000", &rate);
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && errors.contains("781 MiB"), "{by}: {errors}");
        if !user.becomes.is_empty() {
            // Root has no such limit.
            let refused = limited(&user, "-u 2", &rate);
            let errors = String::from_utf8_lossy(&refused.stderr);
            assert!(refused.status.code() == Some(2) && errors.contains("threads"), "{errors}");
        }
    }
}

/// A strategy that is sent to the page does not get what hog was started with either.
#[test]
fn an_upload_cannot_use_files_of_the_caller() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    for user in User::all() {
        let held = open_folder();
        let mut server = user.hog(&held);
        server.args(["serve", "--port", "0", "--format", "json"]).stdout(Stdio::piped());
        let mut server = server.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let started: serde_json::Value = serde_json::from_str(&line).unwrap();
        let host = started["url"]
            .as_str()
            .unwrap()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        let text = include_str!("uses_files_of_caller.py");
        let ask = |strategy: &str| {
            let files = serde_json::json!([{ "name": "a.py", "text": text }]);
            let body =
                serde_json::json!({ "rules": "fa21", "goal": 20, "strategy": strategy, "files": files }).to_string();
            let head =
                format!("POST /api/v1/rate HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
            let kind =
                format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
            let mut stream = TcpStream::connect(&host).unwrap();
            stream.write_all([head, kind, body].concat().as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            win_rate(answer.split_once("\r\n\r\n").unwrap().1)
        };
        let rates = ["a.py", "always_roll:1", "always_roll:3"].map(ask);
        server.kill().unwrap();
        server.wait().unwrap();
        assert!(rates[0] == rates[1] && rates[0] != rates[2], "{rates:?}");
    }
}

/// Runs hog with a system call that fails with this error.
fn without_call(call: i64, error: i32, command: &mut Command) -> Output {
    let machine = std::env::consts::ARCH.try_into().unwrap();
    let refuse = SeccompAction::Errno(error as u32);
    let filter =
        SeccompFilter::new([(call, vec![])].into(), SeccompAction::Allow, refuse, machine).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    let refused = || {
        // The filter applies to this thread and to the processes that it starts.
        apply_filter(&program).unwrap();
        command.output().unwrap()
    };
    std::thread::scope(|scope| scope.spawn(refused).join().unwrap())
}

/// Kernels without Landlock or with Landlock switched off, and one that accepts no more seccomp
/// filters.
#[test]
fn without_landlock_or_seccomp_no_strategy_is_run() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("mine.py"),
        "def final_strategy(score, opponent_score): return 4\n",
    )
    .unwrap();
    let rate = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
        command
            .args(["rate", "fa21", "mine.py", "--goal", GOAL, "--no-cache"])
            .args(more)
            .current_dir(folder.path());
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
        assert!(
            !message.contains("Access") && !message.contains('|'),
            "flags are not for users: {message}"
        );
        let trusted = without_call(call, error, &mut rate(&["--trust"]));
        assert!(trusted.status.success(), "{}", String::from_utf8_lossy(&trusted.stderr));
    }
    assert!(rate(&[]).output().unwrap().status.success(), "the file runs if neither is missing");
}

/// What a submission tries that runs as another user, without Landlock.
const AS_NOBODY: &str = "
import os
def tries(what):
    try:
        return what()
    except BaseException:
        return None
got = [
    tries(lambda: open('@FOLDER@/source/solution.py').read()),
    tries(lambda: os.listdir('@FOLDER@/source')),
    tries(lambda: open('@FOLDER@/results.json', 'w')),
    tries(lambda: open('@FOLDER@/open', 'w')),
    tries(lambda: os.remove('@FOLDER@/open') or 1),
    tries(lambda: os.mkdir('@FOLDER@/new') or 1),
    tries(lambda: os.setuid(0) or 1),
    tries(lambda: os.fork()),
    tries(lambda: os.kill(1, 0) or 1),
    tries(lambda: os.execv('/bin/true', ['true'])),
]
def final_strategy(score, opponent_score):
    assert got == [None] * 10 and os.getuid() == os.geteuid() == 65534, got
    return 4
";

/// An autograder's container may have an old kernel. There `hog grade` runs a submission as another
/// user if it is root; seccomp is needed in any case.
#[test]
fn without_landlock_a_submission_is_graded_as_nobody() {
    let users = User::all();
    let [of_tests, ordinary] = &users[..] else {
        eprintln!("SKIPPED: the tests do not run as root");
        return;
    };
    let folder = open_folder();
    let at = |name: &str| folder.path().join(name);
    let set_mode = |name: &str, mode: u32| {
        std::fs::set_permissions(at(name), PermissionsExt::from_mode(mode)).unwrap();
    };
    for name in ["source", "submission"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    std::fs::write(at("source/solution.py"), "def final_strategy(a, b): return 6\n").unwrap();
    set_mode("source", 0o700);
    std::fs::write(at("open"), "anybody's").unwrap();
    set_mode("open", 0o666);
    let text = AS_NOBODY.replace("@FOLDER@", &folder.path().display().to_string());
    std::fs::write(at("submission/hog.py"), text).unwrap();
    // Where everybody may write, so that only the protections keep the file from it.
    set_mode(".", 0o777);
    let graded = |user: &User, calls: &[i64]| {
        let words = [user.becomes, &[user.hog.to_str().unwrap()]].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["grade", "fa21", "submission", "--goal", GOAL]);
        command.args(["-o", "results.json", "--force"]).current_dir(folder.path());
        command.env("HOG_PYTHON", &ordinary.python).env("XDG_CACHE_HOME", at("cache"));
        match calls {
            [] => command.output().unwrap(),
            [call] => without_call(*call, libc::ENOSYS, &mut command),
            calls => panic!("one call, not {}", calls.len()),
        };
        let results = std::fs::read(at("results.json")).unwrap();
        serde_json::from_slice::<serde_json::Value>(&results).unwrap()["extra_data"].clone()
    };
    let landlock = libc::SYS_landlock_create_ruleset;
    let results = graded(of_tests, &[landlock]);
    assert!(results["rejected"].is_null() && results["not_graded"].is_null(), "{results}");
    assert_eq!(std::fs::read_to_string(at("open")).unwrap(), "anybody's");
    // With Landlock it stays the user of hog.
    let results = graded(of_tests, &[]);
    assert!(results["rejected"].as_str().unwrap().contains("AssertionError"), "{results}");
    for (user, call, lock) in
        [(ordinary, landlock, "Landlock"), (of_tests, libc::SYS_seccomp, "seccomp")]
    {
        let reason = graded(user, &[call])["not_graded"].clone();
        assert!(reason.as_str().is_some_and(|reason| reason.contains(lock)), "{reason}");
    }
}
