//! Functions are asked in the sandbox. This test is its own launcher, so it has a `main` of its
//! own: started with [`CONFINE`], it becomes the interpreter. Hostile files are in the tests of
//! the program, which also has doors to attack (`tests/hostile`).

// There is no harness that prints.
#![allow(clippy::disallowed_macros)]

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use hog_sandbox::{
    At, CONFINE, Fault, Function, Launcher, NoAnswers, QuestionGrid, StandIn, confine,
};

/// The exit status of a launcher that could not become the interpreter.
const NOT_STARTED: u8 = 126;

const TESTS: &[(&str, fn())] = &[
    ("every_pair_is_asked_in_two_processes", every_pair_is_asked_in_two_processes),
    ("keyword_arguments_are_passed", keyword_arguments_are_passed),
    ("a_module_stands_in_unless_the_folder_has_one", a_module_stands_in_unless_the_folder_has_one),
    ("only_what_is_allowed_is_read_and_nothing_written", only_what_is_allowed_is_read),
    ("an_answer_that_is_not_allowed_is_named", an_answer_that_is_not_allowed_is_named),
    ("random_numbers_need_a_seed", random_numbers_need_a_seed),
    ("kept_answers_are_those_of_the_same_text", kept_answers_are_those_of_the_same_text),
    ("a_function_that_never_ends_is_cancelled", a_function_that_never_ends_is_cancelled),
    ("a_run_does_not_disturb_the_next", a_run_does_not_disturb_the_next),
    ("each_run_finds_the_same_addresses", each_run_finds_the_same_addresses),
    ("a_server_that_has_been_ended_is_replaced", a_server_that_has_been_ended_is_replaced),
    ("a_file_whose_server_is_always_ended_is_named", a_file_whose_server_is_always_ended_is_named),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next();
    if first.as_deref() == Some(CONFINE) {
        confine();
        return NOT_STARTED.into();
    }
    let words: Vec<String> = first.into_iter().chain(arguments).collect();
    let filters: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let chosen = TESTS.iter().filter(|(name, _)| {
        filters.is_empty() || filters.iter().any(|filter| name.contains(*filter))
    });
    if words.iter().any(|word| word == "--list") {
        chosen.for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    if cfg!(not(target_os = "linux")) || Command::new("python3").arg("--version").output().is_err()
    {
        eprintln!("SKIPPED: files are sandboxed on Linux only, and need python3");
        return ExitCode::SUCCESS;
    }
    for (name, test) in chosen {
        test();
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

/// The file of a function, in a folder of its own.
struct File {
    folder: tempfile::TempDir,
    source: &'static str,
}

impl File {
    fn new(source: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file.py"), source).unwrap();
        Self { folder, source }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().canonicalize().unwrap().join("file.py")
    }

    /// Returns the function `f` of the file at this path.
    fn function<'a>(&'a self, path: &'a Path) -> Function<'a> {
        Function {
            path,
            source: self.source.as_bytes(),
            name: "f",
            parameters: "a, b",
            keywords: &[],
            stand_ins: &[],
            reads_its_folder: true,
            is_seeded: false,
            known_as: None,
        }
    }

    fn asked(&self) -> Result<Vec<i32>, NoAnswers> {
        ask(&self.function(&self.path()))
    }
}

fn launcher() -> Launcher {
    Launcher::new(std::env::current_exe().unwrap())
}

fn ask(function: &Function) -> Result<Vec<i32>, NoAnswers> {
    launcher().ask(function, &QuestionGrid { below: 3, answers: 0..=9 }, &|| true)
}

fn every_pair_is_asked_in_two_processes() {
    let answers = File::new("def f(a, b): return 3 * a + b\n").asked();
    assert_eq!(answers, Ok((0..9).collect()));
    let impure = File::new("n = [0]\ndef f(a, b):\n    n[0] += 1\n    return n[0]\n").asked();
    assert!(matches!(impure, Err(NoAnswers::Fault(Fault::Impure { .. }))), "{impure:?}");
}

fn keyword_arguments_are_passed() {
    let file = File::new("def f(a, b, more): return a + more\n");
    let (path, keywords) = (file.path(), [("more".to_owned(), 4)]);
    let function = Function { keywords: &keywords, ..file.function(&path) };
    assert_eq!(ask(&function), Ok(vec![4, 4, 4, 5, 5, 5, 6, 6, 6]));
    assert_eq!(
        file.asked(),
        Err(NoAnswers::Fault(Fault::Arguments {
            line: 1,
            takes: "a, b, more".into(),
            given: "a, b".into()
        }))
    );
}

fn a_module_stands_in_unless_the_folder_has_one() {
    let file = File::new("from course import answer\ndef f(a, b): return answer\n");
    let path = file.path();
    let stand_ins = [StandIn { name: "course", source: "answer = 5\n" }];
    let function = Function { stand_ins: &stand_ins, ..file.function(&path) };
    assert!(matches!(file.asked(), Err(NoAnswers::Fault(Fault::NoModule { at: At::Loading, .. }))));
    assert_eq!(ask(&function), Ok(vec![5; 9]));
    std::fs::write(file.folder.path().join("course.py"), "answer = 6\n").unwrap();
    assert_eq!(ask(&function), Ok(vec![6; 9]));
}

fn only_what_is_allowed_is_read() {
    let beside = "def f(a, b): return int(open(__file__.replace('file.py', 'number')).read())\n";
    let file = File::new(beside);
    std::fs::write(file.folder.path().join("number"), "7").unwrap();
    let path = file.path();
    assert_eq!(file.asked(), Ok(vec![7; 9]));
    let alone = Function { reads_its_folder: false, ..file.function(&path) };
    for refused in [
        ask(&alone),
        File::new("def f(a, b): return open('/etc/hostname') and 1\n").asked(),
        File::new("def f(a, b): return open('new', 'w') and 1\n").asked(),
        File::new("import os\ndef f(a, b): return os.fork()\n").asked(),
    ] {
        assert!(matches!(refused, Err(NoAnswers::Fault(Fault::Forbidden { .. }))), "{refused:?}");
    }
}

fn an_answer_that_is_not_allowed_is_named() {
    let fault = File::new("def f(a, b): return 10 if (a, b) == (1, 2) else 4\n").asked();
    let (at, shown) = (At::Call(1, 2), "10".to_owned());
    assert_eq!(fault, Err(NoAnswers::Fault(Fault::OutOfRange { at, shown, min: 0, max: 9 })));
}

fn random_numbers_need_a_seed() {
    let file = File::new("import random\ndef f(a, b): return random.randrange(10)\n");
    let path = file.path();
    let refused = file.asked();
    assert!(
        matches!(&refused, Err(NoAnswers::Fault(Fault::Random { line: 2, .. }))),
        "{refused:?}"
    );
    let seeded = Function { is_seeded: true, ..file.function(&path) };
    assert_eq!(ask(&seeded).unwrap(), ask(&seeded).unwrap());
}

fn kept_answers_are_those_of_the_same_text() {
    let (file, kept) = (File::new("def f(a, b): return 2\n"), tempfile::tempdir().unwrap());
    let path = file.path();
    let questions = QuestionGrid { below: 3, answers: 0..=9 };
    let keeping = launcher().keeping_answers_in(kept.path());
    // Beside the description of the interpreter.
    let entries = || std::fs::read_dir(kept.path()).unwrap().count() - 1;
    let ask = |function: &Function| keeping.ask(function, &questions, &|| true).unwrap();
    assert_eq!((ask(&file.function(&path)), entries()), (vec![2; 9], 1));
    assert_eq!((ask(&file.function(&path)), entries()), (vec![2; 9], 1));
    let other = Function { source: b"def f(a, b): return 3\n", ..file.function(&path) };
    assert_eq!((ask(&other), entries()), (vec![3; 9], 2));
}

fn a_function_that_never_ends_is_cancelled() {
    let file = File::new("def f(a, b):\n    while True: pass\n");
    let (path, began) = (file.path(), Instant::now());
    let questions = QuestionGrid { below: 3, answers: 0..=9 };
    let keep_going = || began.elapsed().as_millis() < 300;
    let stopped = launcher().ask(&file.function(&path), &questions, &keep_going);
    assert_eq!(stopped, Err(NoAnswers::Cancelled));
}

/// Everything that a file can reach is its own: it ends with its process.
fn a_run_does_not_disturb_the_next() {
    let honest = File::new(
        "import os, random, sys\nassert len(sys.argv) == 1\ndef f(a, b): return 3 * a + b\n",
    );
    let answers = Ok((0..9).collect());
    let disturbing = [
        // What Python keeps for the whole process, with right answers.
        "import builtins, os, sys\nbuiltins.len = None\nsys.modules['random'] = os.fork = \
         os._exit\n\
         sys.path.clear()\nos.environ.clear()\ndef f(a, b): return 3 * a + b\n",
        // The streams and what is open beside them.
        "import os\nfor n in range(64):\n  try: os.write(n, b'0\\n' * 4000)\n  except OSError: \
         pass\n",
        "import os\ndef f(a, b): os.closerange(0, 64)\n",
        // The ends of a process.
        "import os\ndef f(a, b): os._exit(7)\n",
        "import os\ndef f(a, b): os._exit(0)\n",
        "import ctypes\ndef f(a, b): ctypes.string_at(0)\n",
        "def f(a, b): return len(bytearray(1 << 40))\n",
        "def f(a, b):\n  while True: pass\n",
        "import sys\nsys._getframe().f_back.f_globals.clear()\ndef f(a, b): raise SystemExit\n",
    ];
    let launcher = launcher().within_seconds(1);
    let questions = QuestionGrid { below: 3, answers: 0..=9 };
    for source in disturbing {
        let (file, begun) = (File::new(source), Instant::now());
        let path = file.path();
        let _ = launcher.ask(&file.function(&path), &questions, &|| begun.elapsed().as_secs() < 60);
        let path = honest.path();
        assert_eq!(
            launcher.ask(&honest.function(&path), &questions, &|| true),
            answers,
            "{source}"
        );
    }
}

/// A function that chooses by them chooses the same, whatever was run before.
fn each_run_finds_the_same_addresses() {
    let telling = File::new(
        "def f(a, b): raise ValueError(id(object()), id([1]), id('x' * 1000), id({}), id(lambda: \
         0))\n",
    );
    let (path, launcher) = (telling.path(), launcher());
    let questions = QuestionGrid { below: 3, answers: 0..=9 };
    let told = || launcher.ask(&telling.function(&path), &questions, &|| true);
    let first = told();
    assert!(matches!(&first, Err(NoAnswers::Fault(Fault::Raised { .. }))), "{first:?}");
    for source in ["def f(a, b): return 1\n", "x = ['a' * 9999] * 999\ndef f(a, b): return 2\n"] {
        assert_eq!(told(), first);
        let file = File::new(source);
        let path = file.path();
        launcher.ask(&file.function(&path), &questions, &|| true).unwrap();
    }
    assert_eq!(told(), first);
}

/// Kills the processes that this one has started, and not those that they have started.
fn kill_servers() -> usize {
    let number = std::process::id().to_string();
    let is_own = |stat: &str| {
        stat.rsplit(')').next().and_then(|fields| fields.split_whitespace().nth(1)) == Some(&number)
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        is_own(&stat).then(|| entry.file_name())
    });
    let processes: Vec<_> = processes.collect();
    for process in &processes {
        Command::new("kill").arg("-9").arg(process).output().unwrap();
    }
    processes.len()
}

fn a_server_that_has_been_ended_is_replaced() {
    let file = File::new("def f(a, b): return 3 * a + b\n");
    let (path, launcher) = (file.path(), launcher());
    let questions = QuestionGrid { below: 3, answers: 0..=9 };
    let ask = || launcher.ask(&file.function(&path), &questions, &|| true);
    // A busy machine may end a run, and its server with it, before it has ended by itself.
    let both_wait = || {
        assert_eq!(ask(), Ok((0..9).collect()));
        kill_servers() == 2
    };
    assert!((0..50).any(|_| both_wait()), "one with each order of sets");
    assert_eq!(ask(), Ok((0..9).collect()));
}

fn a_file_whose_server_is_always_ended_is_named() {
    let file = File::new("def f(a, b):\n    while True: pass\n");
    let (path, launcher) = (file.path(), launcher());
    let questions = QuestionGrid { below: 3, answers: 0..=9 };
    let keep_going = || {
        kill_servers();
        true
    };
    let ended = launcher.ask(&file.function(&path), &questions, &keep_going);
    // Whatever the file had reached; a busy machine may not even have begun it.
    match &ended {
        Err(NoAnswers::Fault(Fault::Ended { at: At::Loading | At::AfterCall(0, 0), how })) => {
            assert_eq!(how, "it is killed");
        }
        Err(NoAnswers::NotConfined(reason)) => assert!(reason.contains("without a message")),
        _ => panic!("{ended:?}"),
    }
}
