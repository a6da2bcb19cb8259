//! The processes of strategies are found while they run, and gone afterwards.

use super::*;

/// Returns the processes below this one that have computed for a while, by number and start time:
/// strategies in their loops, not the short-lived programs that hog runs before them.
fn below(parent: u32) -> Vec<(u32, String)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    let all: Vec<(u32, u32, bool, String)> = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // The name, in brackets, may contain anything.
            let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
            (fields[0] != "Z").then(|| {
                // In hundredths of a second.
                let computed: u64 = fields[11].parse().ok()?;
                Some((process, fields[1].parse().ok()?, computed >= 20, fields[19].to_owned()))
            })?
        })
        .collect();
    let mut parents = vec![parent];
    while let Some(parent) = parents.pop() {
        for (process, _, is_busy, began) in all.iter().filter(|(_, above, ..)| *above == parent) {
            found.extend(is_busy.then(|| (*process, began.clone())));
            parents.push(*process);
        }
    }
    found
}

fn is_there(process: &(u32, String)) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.0)).unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    fields.get(19).is_some_and(|began| **began == process.1 && fields[0] != "Z")
}

/// Waits for something to become true in another process; returns false if it does not within five
/// minutes, which a busy machine may need.
fn becomes_true(what: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(300) {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

const SLOW: &str = "import os\nif hasattr(os, 'fork'):\n  try: os.fork()\n  except OSError: pass\n\
 while True: pass\n";

/// Returns how many threads of a process compute, with `--threads`.
fn computing(process: u32) -> usize {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.starts_with("compute-")).count()
}

/// Whoever starts threads before the option is read makes it void, and takes the sandbox's user
/// namespace away.
#[test]
fn as_many_threads_compute_as_the_option_says() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slow.py");
    std::fs::write(&file, SLOW).unwrap();
    for number in [1, 3] {
        let mut hog = Command::new(env!("CARGO_BIN_EXE_hog"))
            .args([
                "rate",
                "fa21",
                file.to_str().unwrap(),
                "--goal",
                "20",
                "--strategy-seconds",
                "1000",
            ])
            .args(["--threads", &number.to_string()])
            .spawn()
            .unwrap();
        let runs = becomes_true(|| !below(hog.id()).is_empty());
        let threads = computing(hog.id());
        hog.kill().unwrap();
        hog.wait().unwrap();
        assert!(runs, "the strategy was not found while it ran");
        assert_eq!(threads, number);
    }
}

/// Sends hog a signal during a strategy, and asserts that all processes it had started end.
fn assert_none_is_left(signal: &str, options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slow.py");
    std::fs::write(&file, SLOW).unwrap();
    let mut hog = Command::new(env!("CARGO_BIN_EXE_hog"))
        .args([
            "rate",
            "fa21",
            file.to_str().unwrap(),
            "--goal",
            "20",
            "--strategy-seconds",
            "1000",
        ])
        .args(options)
        .spawn()
        .unwrap();
    let wanted = if options.contains(&"--trust") { 2 } else { 1 };
    assert!(
        becomes_true(|| below(hog.id()).len() >= wanted),
        "the strategy was not found while it ran"
    );
    let running = below(hog.id());
    assert!(running.iter().all(is_there));
    let number = hog.id().to_string();
    assert!(Command::new("kill").args([signal, &number]).status().unwrap().success());
    hog.wait().unwrap();
    assert!(becomes_true(|| !running.iter().any(is_there)), "{signal}: {running:?}");
}

#[test]
fn no_process_is_left_after_an_interrupt() {
    if !without_python() {
        assert_none_is_left("-INT", &[]);
        assert_none_is_left("-INT", &["--trust"]);
    }
}

#[test]
fn no_process_is_left_when_hog_is_killed() {
    if !without_python() {
        assert_none_is_left("-KILL", &[]);
    }
}

/// The processes that a trusted file has started end with it.
#[test]
fn no_process_is_left_after_a_deadline() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slow.py");
    let started = folder.path().join("started");
    let source = format!(
        "import os, time\nwhile True:\n  if os.fork() == 0:\n    open({:?}, 'a').write('%d\\n\
         ' % os.getpid())\n    \
         time.sleep(600)\n  time.sleep(0.1)\n",
        started.display().to_string()
    );
    std::fs::write(&file, source).unwrap();
    let name = format!("python:{}", file.display());
    let fault =
        planned(&name, launcher().within_seconds(1).trusting(true)).unwrap_err().to_string();
    assert!(fault.contains("after 1 s of waiting"), "{fault}");
    let numbers = std::fs::read_to_string(&started).unwrap();
    assert!(numbers.lines().count() >= 2, "the file started no processes");
    let alive = |number: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        stat.contains("python") && !stat.contains(") Z ")
    };
    assert!(becomes_true(|| !numbers.lines().any(alive)), "{numbers}");
}

/// A program in place of the launcher records each start and then waits.
#[test]
fn a_contest_that_is_cancelled_starts_no_more_strategies() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (starts, program) = (folder.path().join("starts"), folder.path().join("launcher"));
    write_script(
        &program,
        &format!(
            "echo start >> '{}'; printf 'ready\\n' >&2; exec sleep 600 2>&-",
            starts.display()
        ),
    );
    let threads = rayon::current_num_threads();
    for entrant in 0..4 * threads {
        std::fs::create_dir_all(folder.path().join("all")).unwrap();
        std::fs::write(folder.path().join(format!("all/{entrant}.py")), body("pass")).unwrap();
    }
    let entrants = vec![folder.path().join("all").display().to_string()];
    let invitation = Invitation { entrants, ..Invitation::default() };
    let sources = Sources::files().with_python(Launcher::new(&program).within_seconds(600));
    let read = |on_read: OnRead| {
        let error =
            field(&game(), &invitation, &sources, USUAL_MEMORY, on_read, &|_, _| ()).unwrap_err();
        let is_stop =
            matches!(&error, FieldError::Strategy(StrategyError::Unsolved(SolveError::Cancelled)));
        assert!(is_stop, "{error}");
        std::fs::read_to_string(&starts).map_or(0, |text| text.lines().count())
    };
    assert_eq!(read(&|_, _, _| false), 0, "cancelled before the first");
    let started = read(&|_, _, _| !starts.exists());
    assert!((1..=2 * threads).contains(&started), "{started} processes with {threads} threads");
}
