//! Functions are asked in the sandbox. This test is its own launcher, so it has a `main` of its
//! own: started with [`CONFINE`], it becomes the interpreter. Hostile files are in the tests of
//! the program, which also has doors to attack (`tests/hostile`).

// There is no harness that prints.
#![allow(clippy::disallowed_macros)]

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use hog_sandbox::{At, CONFINE, Fault, Function, Launcher, NoAnswers, Questions, StandIn, confine};

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
    launcher().ask(function, &Questions { below: 3, answers: 0..=9 }, &|| true)
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
    let questions = Questions { below: 3, answers: 0..=9 };
    let keeping = launcher().keeping_answers_in(kept.path());
    let entries = || std::fs::read_dir(kept.path()).unwrap().count();
    let ask = |function: &Function| keeping.ask(function, &questions, &|| true).unwrap();
    assert_eq!((ask(&file.function(&path)), entries()), (vec![2; 9], 1));
    assert_eq!((ask(&file.function(&path)), entries()), (vec![2; 9], 1));
    let other = Function { source: b"def f(a, b): return 3\n", ..file.function(&path) };
    assert_eq!((ask(&other), entries()), (vec![3; 9], 2));
}

fn a_function_that_never_ends_is_cancelled() {
    let file = File::new("def f(a, b):\n    while True: pass\n");
    let (path, began) = (file.path(), Instant::now());
    let questions = Questions { below: 3, answers: 0..=9 };
    let keep_going = || began.elapsed().as_millis() < 300;
    let stopped = launcher().ask(&file.function(&path), &questions, &keep_going);
    assert_eq!(stopped, Err(NoAnswers::Cancelled));
}
