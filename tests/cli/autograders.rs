//! Autograders: the archive for Gradescope, what its scripts do with submissions of every kind, and
//! the test of Otter-Grader.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::submissions::{runs_python, table, write};
use super::{assert_refused, hog, text};

/// A folder in place of `/autograder`, with an archive unpacked as Gradescope unpacks it.
struct Container(TempDir);

impl Container {
    /// Makes the archive with these options, and sets the container up.
    fn new(options: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let archive = root.path().join("autograder.zip");
        let mut command = hog(&["gradescope", "-o", archive.to_str().unwrap()]);
        let output = command.args(options).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for folder in ["source", "submission", "results", "bin"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        let container = Self(root);
        for (name, bytes, _) in entries(&archive) {
            let path = container.path("source").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        assert!(container.run("setup.sh").status.success());
        container
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Runs a script of the archive, as it does not keep in every system which files are programs.
    fn run(&self, script: &str) -> Output {
        let script = self.path("source").join(script);
        let mut command = Command::new("sh");
        command.arg(script).arg(self.0.path()).arg(self.path("bin"));
        command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
        command.output().unwrap()
    }

    /// Grades a submission of these files, and returns the results, which are valid in any case.
    fn graded(&self, files: &[(&str, &str)]) -> Value {
        std::fs::remove_dir_all(self.path("submission")).unwrap();
        std::fs::create_dir(self.path("submission")).unwrap();
        for (name, contents) in files {
            write(&self.path("submission"), name, contents);
        }
        let output = self.run("run_autograder");
        assert!(output.status.success(), "{output:?}");
        let text = std::fs::read_to_string(self.path("results/results.json")).unwrap();
        let results: Value = serde_json::from_str(&text).unwrap();
        assert!(results["score"].is_number() && results["output"].is_string(), "{text}");
        assert_eq!(results["stdout_visibility"], "hidden");
        for test in results["tests"].as_array().unwrap() {
            assert!(test["name"].is_string() && test["output"].is_string(), "{test}");
            assert_eq!(test["score"].is_number(), test["max_score"].is_number(), "{test}");
        }
        results
    }
}

/// Returns the entries of an archive: names, contents, modes.
fn entries(archive: &Path) -> Vec<(String, Vec<u8>, Option<u32>)> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    let count = archive.len();
    let mut read = |place: usize| {
        let mut entry = archive.by_index(place).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes, entry.unix_mode())
    };
    (0..count).map(&mut read).collect()
}

fn score(results: &Value) -> f64 {
    results["score"].as_f64().unwrap()
}

/// A program of Linux, as far as the archive looks at it.
fn small_program(folder: &Path) -> String {
    std::fs::write(folder.join("program"), b"\x7fELF").unwrap();
    folder.join("program").to_str().unwrap().to_owned()
}

#[test]
fn the_archive_has_what_gradescope_expects() {
    let folder = tempfile::tempdir().unwrap();
    let program = small_program(folder.path());
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rules = "id = 'mine'\ntitle = 'Mine'\ngoal = 50\nbaseline = 'always_roll:6'\n";
    std::fs::write(at("mine.toml"), rules).unwrap();
    write(folder.path(), "five.txt", &table(5));
    let arguments = [
        "gradescope",
        &at("mine.toml"),
        "-o",
        &at("a.zip"),
        "--binary",
        &program,
        "--against",
        "optimal",
        "--against",
        &at("five.txt"),
        "--goal",
        "10",
        "--points",
        "plays=1,mean:0.5=2",
    ];
    text(&arguments);
    let found = entries(Path::new(&at("a.zip")));
    let of = |name: &str| found.iter().find(|(known, ..)| known == name).unwrap();
    let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "setup.sh",
            "run_autograder",
            "not_graded.json",
            "hog",
            "rules.toml",
            "opponents/five.txt"
        ]
    );
    for name in ["setup.sh", "run_autograder", "hog"] {
        assert_eq!(of(name).2.unwrap() & 0o777, 0o755, "{name}");
    }
    let run = String::from_utf8(of("run_autograder").1.clone()).unwrap();
    let command = "grade \"$source\"/'rules.toml' \"$root/submission\" '--goal' '10' '--against' \
        'optimal' '--against' \"$source\"/'opponents/five.txt' '--points' 'plays=1,mean:0.5=2' \
        '--feedback' 'rates' -o";
    assert!(run.starts_with("#!/bin/sh\n") && run.contains(command), "{run}");
    let stopped: Value = serde_json::from_slice(&of("not_graded.json").1).unwrap();
    assert!(
        stopped["score"] == 0.0 && stopped["output"].as_str().unwrap().contains("not your fault")
    );
    let first = std::fs::read(at("a.zip")).unwrap();
    text(&arguments);
    assert_eq!(std::fs::read(at("a.zip")).unwrap(), first, "the same archive again");
}

#[test]
fn what_would_fail_in_the_container_is_refused_here() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let program = small_program(folder.path());
    std::fs::write(at("script"), "#!/bin/sh\n").unwrap();
    write(folder.path(), "five.txt", &table(5));
    let refused = |more: &[&str], words: &[&str]| {
        let archive = at("a.zip");
        assert_refused(&[&["gradescope", "-o", &archive, "--goal", "10"], more].concat(), words);
        assert!(!Path::new(&archive).exists());
    };
    refused(&["su15", "--binary", &at("script")], &["not a program of Linux", "--binary"]);
    refused(&["su15", "--against", "always_rol:4", "--binary", &program], &["always_rol:4"]);
    let beat = format!("beat:{}", at("five.txt"));
    refused(&["su15", "--against", &beat, "--binary", &program], &["name the opponent's file"]);
    refused(&["su15", "--points", "mean=x", "--binary", &program], &["mean=x"]);
    refused(&["no_such", "--binary", &program], &["no_such"]);
}

#[cfg(target_os = "linux")]
#[test]
fn every_submission_gets_a_score_and_a_reason() {
    if !runs_python() {
        return;
    }
    let points = "plays=1,baseline=2,baseline:0.99=8";
    let container = Container::new(&[
        "fa24",
        "--goal",
        "20",
        "--points",
        points,
        "--feedback",
        "map",
        "--against",
        "always_roll:4",
    ]);
    let function = |body: &str| format!("def final_strategy(score, opponent_score):\n    {body}\n");
    let good = container.graded(&[("hog.py", &function("return 3"))]);
    let statuses: Vec<&Value> =
        good["tests"].as_array().unwrap().iter().map(|test| &test["status"]).collect();
    assert_eq!(statuses[0], "passed");
    assert_eq!(statuses[2], "failed", "nobody wins 0.99");
    assert_eq!((statuses.len(), statuses[3]), (5, &Value::Null), "costs and a map");
    let rate = &good["extra_data"]["rates"][0];
    let exact = super::json(&["rate", "fa24", "always_roll:3", "always_roll:4", "--goal", "20"]);
    assert_eq!(rate["average"], exact["win_rate"]["average"], "the exact win rate");
    assert_eq!(good["leaderboard"][0]["value"], exact["win_rate"]["average"]);
    assert!(good["tests"][4]["output"].as_str().unwrap().contains("\n 19 "), "{good}");
    let cell = |text: &str| serde_json::json!({ "cell_type": "code", "source": [text] });
    let notebook = serde_json::json!({
        "cells": [cell("1 / 0"), cell(&function("return 3"))], "nbformat": 4, "metadata": {},
    });
    let notebook = container.graded(&[("hog.ipynb", &notebook.to_string())]);
    assert_eq!(notebook["extra_data"]["rates"], good["extra_data"]["rates"]);
    let wrong = "def boar_brawl(player_score, opponent_score):\n    return 1\n\n";
    let wrong = container.graded(&[("hog.py", &(wrong.to_owned() + &function("return 3")))]);
    assert!(wrong["output"].as_str().unwrap().contains("boar_brawl"), "{wrong}");
    assert_eq!(score(&wrong), score(&good));
    for (files, word) in [
        (&[][..], "no strategy"),
        (&[("notes.md", "I forgot")], ""),
        (&[("essay.docx", "PK")], ""),
        (&[("hog.py", "def other(): pass\n")], "final_strategy"),
        (&[("hog.py", "def final_strategy(\n")], "line 1"),
        (&[("hog.py", &function("return 'six'"))], "six"),
        (&[("hog.py", &function("return open('/etc/shadow').read()"))], "/etc/shadow"),
        (&[("broken.zip", "PK")], ""),
    ] {
        let results = container.graded(files);
        let output = results["output"].as_str().unwrap();
        assert!(score(&results) == 0.0 && output.contains("cannot be played"), "{output}");
        assert!(output.contains(word) && results["extra_data"]["not_graded"].is_null(), "{output}");
        assert!(!output.contains("--"), "options are not for students: {output}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_submission_reaches_neither_the_results_nor_the_source() {
    if !runs_python() {
        return;
    }
    let container = Container::new(&["fa24", "--goal", "20", "--feedback", "points"]);
    let root = container.0.path().display();
    let thief = format!(
        "import glob, os\n\
         def tries(what):\n    try:\n        return what()\n    except BaseException:\n        \
         return None\n\
         got = [\n    \
         tries(lambda: open('{root}/results/results.json', 'w')),\n    \
         tries(lambda: open('{root}/results/results.json').read()),\n    \
         tries(lambda: open('{root}/source/run_autograder').read()),\n    \
         tries(lambda: os.listdir('{root}/source') or None),\n    \
         tries(lambda: os.rename('{root}/results', '{root}/gone') or 1),\n    \
         tries(lambda: os.fork()),\n    \
         tries(lambda: open('{root}/submission/hog.py', 'a')),\n]\n\
         def final_strategy(score, opponent_score):\n    \
         assert got == [None] * 7, got\n    return 3\n"
    );
    let results = container.graded(&[("hog.py", &thief)]);
    assert!(results["extra_data"]["rejected"].is_null(), "{results}");
    // Of how it plays nothing is shown.
    assert_eq!(results["leaderboard"], serde_json::json!([]));
    assert_eq!(results["extra_data"]["rates"], serde_json::json!([]));
    // Links lead nowhere.
    std::fs::remove_file(container.path("submission/hog.py")).unwrap();
    write(&container.path("source"), "solution.py", "def final_strategy(a, b): return 3\n");
    std::os::unix::fs::symlink(
        container.path("source/solution.py"),
        container.path("submission/hog.py"),
    )
    .unwrap();
    container.run("run_autograder");
    let text = std::fs::read_to_string(container.path("results/results.json")).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    assert!(results["output"].as_str().unwrap().contains("link"), "{results}");
}

#[test]
fn what_is_no_fault_of_the_student_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "hog.py", "def final_strategy(score, opponent_score): return 4\n");
    let graded = |more: &[&str]| {
        let output = hog(&["grade", "fa24", "hog.py", "--goal", "10", "-o", "results.json"])
            .args(more)
            .current_dir(&folder)
            .output()
            .unwrap();
        let text = std::fs::read_to_string(folder.path().join("results.json")).unwrap();
        (output.status.code(), serde_json::from_str::<Value>(&text).unwrap())
    };
    let (status, results) = graded(&["--python", "no-such-python"]);
    assert_eq!(status, Some(2));
    assert_eq!((score(&results), &results["leaderboard"]), (0.0, &serde_json::json!([])));
    let output = results["output"].as_str().unwrap();
    assert!(output.contains("not your fault") && output.contains("no-such-python"), "{output}");
    std::fs::write(folder.path().join("bot.csv"), "my strategy is luck\n").unwrap();
    let (status, results) = graded(&["--against", "bot.csv"]);
    assert_eq!(status, Some(1));
    assert!(results["extra_data"]["not_graded"].as_str().unwrap().contains("bot"), "{results}");
}

#[test]
fn the_archive_for_otter_has_a_test_for_each_step() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("otter.zip");
    let program = small_program(folder.path());
    let points = "plays=1,baseline=1,baseline:0.6=3";
    let line = ["gradescope", "fa24", "--for", "otter", "--points", points, "--binary", &program];
    text(&[&line[..], &["-o", archive.to_str().unwrap()]].concat());
    let found = entries(&archive);
    let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["tests/final_strategy.py", "hog/hog"]);
    let test = String::from_utf8(found[0].1.clone()).unwrap();
    assert!(test.contains("OK_FORMAT = False\n") && test.contains("scores = range(100)"), "{test}");
    assert_eq!(test.matches("@test_case(name=").count(), 3, "{test}");
    assert!(
        test.contains(r#"["fa24","$submission","--points","plays=1,baseline=1,baseline:0.6=3""#),
        "{test}"
    );
    for points in ["points=1)\ndef step_0", "points=1)\ndef step_1", "points=2)\ndef step_2"] {
        assert!(test.contains(points), "{points}: {test}");
    }
}

#[test]
fn as_a_question_it_names_the_files_and_writes_none() {
    let asked = |more: &str| {
        let line = format!("{{\"question\":\"gradescope\",\"rules\":\"fa24\",{more}}}");
        let output = hog(&["ask"]).write_stdin(line).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let reply = asked(r#""kind":"otter""#);
    let files = ["tests/final_strategy.py", "hog/hog"];
    assert_eq!(reply["answer"]["files"], serde_json::json!(files), "{reply}");
    assert!(reply["answer"]["output"].is_null());
    let reply = asked(r#""packages":["--index-url"]"#);
    assert_eq!(reply["error"]["kind"], "request");
    assert!(reply["error"]["message"].as_str().unwrap().contains("as pip does"), "{reply}");
}
