//! What a file answers and may read, and which answers are cached.

use super::*;

#[test]
fn a_starter_file_is_called_for_all_scores() {
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
    let plan = plan_of_source(&folder, source).unwrap();
    for (score, opponent) in
        (0..20).flat_map(|score| (0..20).map(move |opponent| (score, opponent)))
    {
        let expected = if score > opponent { 4 + score % 3 } else { 6 };
        assert_eq!(plan.action(score * 20 + opponent), expected, "{score}-{opponent}");
    }
}

/// A function with the names of memories after the scores is asked with their values: this one holds
/// as `hold_at:20` does.
#[test]
fn a_function_takes_the_memories_that_it_names() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strategy.py");
    let sources = Sources::builtin().with_python(launcher());
    let asked = |game: &Game, source: &str| {
        std::fs::write(&path, source).unwrap();
        let strategy: Strategy = format!("python:{}", path.display()).parse().unwrap();
        let plan = strategy.plan_from(&sources, game, &Watch::silent());
        plan.map_err(|error| error.to_string())
    };
    let to_40 = Overrides { goal: Some(40), max_dice: None };
    let pig = Game::new(load("pig", to_40).unwrap()).unwrap();
    let hold: Strategy = "hold_at:20".parse().unwrap();
    let hold = hold.plan(&pig, &Watch::silent()).unwrap();
    let source = "def final_strategy(score, opponent_score, pot, least=20):
    return pot < least and score + pot < 40\n";
    let plan = asked(&pig, source).unwrap();
    for state in 0..pig.space().states() {
        assert_eq!(plan.action(state), hold.action(state), "{:?}", pig.position(state));
    }
    // One of the scores alone is asked as before.
    assert!(asked(&pig, "def final_strategy(a, b): return 1\n").is_ok());
    let message = asked(&pig, "def final_strategy(a, b, total): return 1\n").unwrap_err();
    let wanted = "it takes (a, b, total); take (score, opponent_score[, pot])";
    assert!(message.ends_with(wanted), "{message}");
    // Only where there are two choices, `True` is one of them.
    let hogs = Game::new(load("fa19", to_40).unwrap()).unwrap();
    let of_hogs = "def final_strategy(a, b, last_dice): return 4 if last_dice == 3 else 6\n";
    let plan = asked(&hogs, of_hogs).unwrap();
    for memory in 0..hogs.space().per_cell() {
        let position = hogs.position(memory);
        let dice = if position.memory[0] == 3 { 4 } else { 6 };
        assert_eq!(hogs.space().dice(plan.action(memory)), dice, "{position:?}");
    }
    let message = asked(&hogs, "def final_strategy(a, b, last_dice): return True\n").unwrap_err();
    assert!(message.contains("it returns True, a bool"), "{message}");
}

#[test]
fn another_function_can_be_named_and_a_missing_one_is_reported() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    plan_of_source(&folder, "def best(score, opponent_score): return 3\n").unwrap_err();
    let named = format!("python:{}:best", folder.path().join("strategy.py").display());
    assert!(always(&planned(&named, launcher()).unwrap(), 3));
    assert_fault(
        "def best(a, b): return 3\n",
        &["`final_strategy`", "it has best", "as in", "strategy.py:best"],
    );
    let beside_a_die = "def die(): return 6\ndef best(a, b): return 3\n";
    assert_fault(beside_a_die, &["it has best; name one, as in"]);
    let method = "class Player:\n    def final_strategy(self, a, b): return 4\n";
    assert_fault(method, &["it is a method of a class: define it outside of the class"]);
    assert_fault("final_strategy = 6\n", &["no function `final_strategy`"]);
    let mistyped = "def best(a, b): return 3\ndef final_stratgy(a, b): return 3\n";
    assert_fault(mistyped, &["it defines final_stratgy: rename it to final_strategy"]);
}

#[test]
fn errors_in_python_are_reported_with_their_line() {
    assert_fault("x = 1\ndef final_strategy(a, b): return 5 +\n", &["line 2", "not valid Python"]);
    assert_fault("\0", &["not valid Python"]);
    assert_fault(
        "import nonsense\n",
        &[
            "while its file is loaded",
            "No module named 'nonsense' in line 1; leave it out, or use an interpreter",
        ],
    );
}

#[test]
fn a_file_that_imports_itself_is_told_so() {
    let advice =
        "in line 1; define it in strategy.py, or leave out the import if that is this file";
    assert_fault("from strategy import boar_brawl\n", &["cannot import name 'boar_brawl'", advice]);
}

#[test]
fn a_function_of_other_arguments_is_shown_the_right_ones() {
    assert_fault(
        "\ndef final_strategy(score): return 4\n",
        &["it takes (score); take (score, opponent_score)"],
    );
    assert_fault(
        "def final_strategy(a, b, c): return 4\n",
        &["it takes (a, b, c); take (score, opponent_score)"],
    );
    // A mistake within the function is not one of its arguments.
    let inner = "def f(a): return 4\ndef final_strategy(a, b): return f(a, b)\n";
    assert_fault(inner, &["it raises TypeError", "line 2"]);
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "def f(score, opponent_score, threshold=8, *, num_rolls=5): return 4\n";
    std::fs::write(folder.path().join("strategy.py"), source).unwrap();
    let name = format!("python:{}:f", folder.path().join("strategy.py").display());
    let strategy =
        name.parse::<Strategy>().unwrap().with_numbers(&[("treshold".into(), 3)]).unwrap();
    let sources = Sources::builtin().with_python(launcher());
    let message = strategy.plan_from(&sources, &game(), &Watch::silent()).unwrap_err().to_string();
    let takes = "it takes (score, opponent_score, threshold, *, num_rolls), ";
    let given = "and is called with (score, opponent_score, treshold)";
    assert!(message.ends_with(&format!("{takes}{given}")), "{message}");
}

#[test]
fn the_place_of_a_fault_is_in_the_document() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("strategy.py");
    let file = file.to_str().unwrap();
    for (source, line, column, word) in [
        (&b"x = 1\nreturn = 2\n"[..], 2, Some(8), "not valid Python"),
        (b"x = 1\n# caf\xe9\ndef final_strategy(a, b): return 4\n", 2, None, "not UTF-8"),
        (b"import nonsense\n", 1, None, "nonsense"),
        (b"def final_strategy(a, b):\n    return a // b\n", 2, None, "ZeroDivisionError"),
        (b"\ndef final_strategy(a): return 4\n", 2, None, "it takes (a)"),
        (b"\ndef final_strategy(a, b): return 'x'\n", 2, None, "it returns 'x'"),
        (b"def final_strategy(a, b):\n    return 11 if a else 4\n", 2, None, "it rolls 11 dice"),
    ] {
        std::fs::write(file, source).unwrap();
        let output = hog(&[file, "--format", "json"], folder.path());
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let fault = &document["error"]["faults"][0];
        let place = serde_json::json!([file, line, column]);
        assert_eq!(
            serde_json::json!([fault["file"], fault["line"], fault["column"]]),
            place,
            "{document}"
        );
        assert!(fault["message"].as_str().unwrap().contains(word), "{document}");
        assert_eq!(
            document["error"]["message"].as_str().unwrap().contains("(--python PATH)"),
            word == "nonsense"
        );
    }
    let random = "import random\ndef final_strategy(a, b): return random.randrange(9)\n";
    for (source, kind) in [(random, "random"), ("import nonsense\n", "python")] {
        std::fs::write(file, source).unwrap();
        let output = hog(&[file, "--format", "json"], folder.path());
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["error"]["kind"], "python");
        assert_eq!(document["error"]["faults"][0]["kind"], kind, "{document}");
    }
}

#[test]
fn invalid_answers_are_reported_with_the_scores() {
    assert_fault(
        &body("return 11 if score == 4 else 2"),
        &["at 4-0", "it rolls 11 dice", "0 to 10"],
    );
    assert_fault(&body("return -1"), &["at 0-0", "-1 dice"]);
    assert_fault(&body("return 10 ** 9999"), &["at 0-0", "dice; the game allows 0 to 10"]);
    assert_fault(&body("return 6 / 2"), &["at 0-0", "3.0", "a float"]);
    assert_fault(&body("return None"), &["None", "is a `return` missing?"]);
    assert_fault(&body("return score > 3"), &["False", "a bool"]);
    assert_fault(&body("return '6'"), &["'6'", "a str"]);
    assert_fault(&body("return 5 // (score - 3)"), &["at 0-0", "it rolls -2 dice"]);
    assert_fault(
        &body("return [6][score - 3 if score == 3 else 0] // abs(score - 3)"),
        &["at 3-0", "ZeroDivisionError", "line 3"],
    );
}

/// The library has no options; the program names the one that helps.
#[test]
fn the_program_names_the_option_for_more_time() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slow.py");
    std::fs::write(&file, body("while True: pass")).unwrap();
    let output = hog(&[file.to_str().unwrap(), "--strategy-seconds", "1"], folder.path());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("after 1 s in line 3") && message.contains("(--strategy-seconds"),
        "{message}"
    );
}

/// A loop whose condition nothing changes is told long before the limit; one that may end is not.
#[test]
fn a_loop_that_nothing_ends_is_told_by_its_line() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    for changes in ["points", "n"] {
        let loops = format!("n = 3\n    while n > 2 and score == 0:\n        {changes} = n + 1");
        std::fs::write(folder.path().join("strategy.py"), body(&loops)).unwrap();
        let named = format!("python:{}", folder.path().join("strategy.py").display());
        let fault = planned(&named, launcher().within_seconds(3)).unwrap_err().to_string();
        faults.push(fault);
    }
    assert!(faults[0].contains("at 0-0: it never ends"), "{faults:?}");
    assert!(faults[0].contains("loop in line 4 changes its condition"), "{faults:?}");
    assert!(faults[1].contains("it was stopped after 3 s"), "{faults:?}");
}

/// The file works in the sandbox and, with `--trust`, without it.
#[test]
fn a_strategy_reads_the_files_of_its_folder_and_no_others() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("helper.py", "def f(): return 2\n");
    write("number.txt", "1");
    std::fs::create_dir(folder.path().join("package")).unwrap();
    write("package/__init__.py", "");
    write("package/more.py", "three = 3\n");
    std::fs::create_dir_all(folder.path().join("savedStrats/old")).unwrap();
    write("savedStrats/old/table.txt", "0");
    write(".hidden", "1");
    let source = "\
from helper import f
from package.more import three
number = int(open('number.txt').read())
def final_strategy(score, opponent_score):
    return f() + three + number + int(open('savedStrats/old/table.txt').read())
";
    assert!(always(&plan_of_source(&folder, source).unwrap(), 6));
    let file = format!("python:{}", folder.path().join("strategy.py").display());
    assert!(always(&planned(&file, launcher().trusting(true)).unwrap(), 6));

    let refused = plan_of_source(&folder, &body("open('.hidden').read()")).unwrap_err();
    let readable = "may read Python's library and the files in its folder";
    assert!(refused.contains("PermissionError") && refused.contains(readable), "{refused}");
}

/// The stand-ins are for a file without the course's modules beside it.
#[test]
fn the_courses_modules_beside_a_file_are_the_ones_it_imports() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let own_dice = "\
from dice import six_sided, expected_points
from ucb import main, trace
def final_strategy(score, opponent_score):
    return expected_points(2)
";
    write("dice.py", "six_sided = None\ndef expected_points(n): return n + 3\n");
    assert!(always(&plan_of_source(&folder, own_dice).unwrap(), 5), "`ucb` is a stand-in");
    write("ucb.py", "main = 7\n");
    assert!(
        plan_of_source(&folder, own_dice)
            .unwrap_err()
            .contains("cannot import name 'trace' from 'ucb'")
    );
    std::fs::remove_file(folder.path().join("dice.py")).unwrap();
    std::fs::remove_file(folder.path().join("ucb.py")).unwrap();
    std::fs::create_dir(folder.path().join("dice")).unwrap();
    write("dice/__init__.py", "from .mine import *\n");
    write("dice/mine.py", "six_sided = None\ndef expected_points(n): return n + 4\n");
    assert!(always(&plan_of_source(&folder, own_dice).unwrap(), 6), "a package");
}

#[test]
fn one_of_several_strategies_in_a_folder_reads_only_itself() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let spy = "def final_strategy(a, b): return len(open(__file__).read()) and 2\n";
    std::fs::write(
        folder.path().join("spy.py"),
        spy.replace("__file__", "__file__.replace('spy', 'other')"),
    )
    .unwrap();
    std::fs::write(folder.path().join("other.py"), spy).unwrap();
    std::fs::write(folder.path().join("thief.py"), "from other import final_strategy\n").unwrap();
    std::os::unix::fs::symlink("other.py", folder.path().join("twin.py")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(["contest", "fa21", folder.path().to_str().unwrap(), "always_roll:4"])
        .args(["--goal", "20", "--format", "json", "--no-cache"])
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rejected = document["rejected"].as_array().unwrap();
    let reason = |name: &str| {
        rejected.iter().find(|r| r["name"] == name).map(|r| r["reason"].as_str().unwrap())
    };
    assert_eq!(rejected.len(), 3, "{document}");
    assert!(reason("spy").unwrap().contains("other.py"), "{document}");
    let thief = reason("thief").unwrap();
    assert!(
        thief.contains("No module named 'other'")
            && thief.contains("may read Python's library and its own file")
    );
    assert!(reason("twin").unwrap().contains("link"), "{document}");
}

#[test]
fn random_numbers_are_refused_unless_they_are_seeded() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The order of a set depends on the seed of hashes.
    let draws = "import random\nfrom dice import six_sided\n\
     row = [six_sided() for _ in range(20)]\n\
                 first = int(list({str(number) for number in range(9)})[0])\n\
                 def final_strategy(a, b): return (row[a] + random.randint(0, 4) + first) % 10\n";
    let message = plan_of_source(&folder, draws).unwrap_err();
    assert!(
        message.contains("random numbers (random.randint in line 3)")
            && !message.contains("seeded"),
        "{message}"
    );
    assert_eq!(
        plan_of_source(&folder, draws).unwrap_err(),
        message,
        "each run gives the same reason"
    );
    let seeded = format!("seeded:{}", folder.path().join("strategy.py").display());
    let plans = [(); 2].map(|()| planned(&seeded, launcher()).unwrap());
    assert!((0..400).all(|cell| plans[0].action(cell) == plans[1].action(cell)));
    assert!((1..400).any(|cell| plans[0].action(cell) != plans[0].action(0)));
    let output = hog(&[&seeded, "--format", "json"], folder.path());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["strategy"], seeded.as_str(), "the result names the strategy as seeded");
    let clock = body("return __import__('time').time_ns() // 1000 % 9");
    assert!(plan_of_source(&folder, &clock).unwrap_err().contains("the clock"));
    // Both processes have the same conditions, and they are the same in every run.
    let system = "import secrets, random, time\nown = random.Random()\n\
                  def final_strategy(a, b): return (secrets.randbelow(5) + own.randrange(5) + \
                  time.time_ns() // 1000) % 9\n";
    assert!(plan_of_source(&folder, system).is_err());
    let plans = [(); 2].map(|()| planned(&seeded, launcher()).unwrap());
    assert!((0..400).all(|cell| plans[0].action(cell) == plans[1].action(cell)));
}

#[test]
fn answers_are_cached_until_files_or_limits_change() {
    if without_python() {
        return;
    }
    let (folder, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // Beside the description of the interpreter.
    let entries = || std::fs::read_dir(kept.path()).unwrap().count() - 1;
    let (file, helper) = (folder.path().join("strategy.py"), folder.path().join("helper.py"));
    std::fs::write(&helper, "dice = 2\n").unwrap();
    std::fs::write(&file, "from helper import dice\ndef final_strategy(a, b): return dice\n")
        .unwrap();
    let name = format!("python:{}", file.display());
    let plan = |launcher: Launcher| planned(&name, launcher.keeping_answers_in(kept.path()));
    assert!(always(&plan(launcher()).unwrap(), 2));
    assert_eq!(entries(), 1);
    let forged = |entry: std::fs::DirEntry| {
        let altered = [std::fs::read(entry.path()).unwrap(), vec![0]].concat();
        std::fs::write(entry.path(), altered).unwrap();
    };
    assert!(always(&plan(launcher()).unwrap(), 2));
    assert_eq!(entries(), 1, "the cached answers are reused");
    // Cached answers are used without a launcher, but the cache key needs the interpreter.
    assert!(plan(launched_by("/nowhere/hog")).is_ok());
    std::fs::read_dir(kept.path()).unwrap().flatten().for_each(forged);
    assert!(matches!(plan(launched_by("/nowhere/hog")), Err(StrategyError::NoPython(_))));
    assert!(always(&plan(launcher()).unwrap(), 2), "a damaged entry is ignored and replaced");
    assert_eq!(entries(), 1);

    std::fs::write(&helper, "dice = 3\n").unwrap();
    assert!(always(&plan(launcher()).unwrap(), 3));
    plan(launcher().within_seconds(9)).unwrap();
    plan(launcher().trusting(true)).unwrap();
    assert_eq!(
        entries(),
        3,
        "one entry each for another helper and another limit, none for a trusted file"
    );
    std::fs::write(&file, body("return 11")).unwrap();
    plan(launcher()).unwrap_err();
    assert_eq!(entries(), 4, "a fault is cached");
    let first = plan(launcher()).unwrap_err().to_string();
    let kept = plan(launched_by("/nowhere/hog")).unwrap_err().to_string();
    assert_eq!(first, kept);

    let cache = tempfile::tempdir().unwrap();
    std::fs::write(&file, body("return 3")).unwrap();
    assert!(hog(&[&name, "--no-cache"], cache.path()).status.success());
    assert!(!cache.path().join("hog").exists());
    assert!(hog(&[&name], cache.path()).status.success());
    assert_eq!(std::fs::read_dir(cache.path().join("hog/answers")).unwrap().count(), 1 + 1);
}

/// Unpacks an archive with these files in a new folder, as every run does, and reads its entrants.
fn read_archive(
    files: &[(&str, &str)],
    launcher: Launcher,
    until: Option<Instant>,
) -> Result<Field, FieldError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sent.zip");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, text) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    let entrants = vec![path.display().to_string()];
    let invitation = Invitation { entrants, until, ..Invitation::default() };
    field(
        &game(),
        &invitation,
        &Sources::files().with_python(launcher),
        USUAL_MEMORY,
        &|_, _, _| true,
        &|_, _| (),
    )
}

fn names_and_reasons(field: &Field) -> (Vec<String>, Vec<(String, String)>) {
    let rejected = field.rejected.iter().map(|one| (one.name.clone(), one.reason.clone()));
    (field.entrants.iter().map(|one| one.name.clone()).collect(), rejected.collect())
}

const SENT: [(&str, &str); 5] = [
    ("ann/hog.py", "from helper import f\ndef final_strategy(a, b): return f()\n"),
    ("ann/helper.py", "def f(): return 4\n"),
    (
        "bob/hog.py",
        "import os\ndef final_strategy(a, b): raise ValueError(os.path.abspath(__file__), \
         object())\n",
    ),
    ("cleo/hog.py", "def final_strategy(a, b):\n    while True: pass\n"),
    ("dan/hog.py", "def final_strategy(a, b): return open(__file__ + '.txt')\n"),
];

/// The second run gets all answers and faults from the cache: it has no program to run strategies.
#[test]
fn what_is_in_an_archive_is_run_once() {
    if without_python() {
        return;
    }
    let kept = tempfile::tempdir().unwrap();
    let read = |files: &[(&str, &str)], program: &str| {
        let launcher = launched_by(program).within_seconds(1).keeping_answers_in(kept.path());
        read_archive(files, launcher, None)
    };
    let first = names_and_reasons(&read(&SENT, env!("CARGO_BIN_EXE_hog")).unwrap());
    assert_eq!((&first.0[..], first.1.len()), (&["ann".to_owned()][..], 3));
    let temporary = std::env::temp_dir().display().to_string();
    assert!(first.1.iter().all(|(_, reason)| !reason.contains(&temporary)), "{:?}", first.1);
    assert_eq!(
        first.1[0].1,
        "hog.py: at 0-0: it raises ValueError: ('hog.py', <object object>) in line 2"
    );
    assert_eq!(names_and_reasons(&read(&SENT, "/nowhere/hog").unwrap()), first);
    // Another helper, or another student with the same file, is another entry.
    for changed in [("ann/helper.py", "def f(): return 5\n"), ("eve/hog.py", SENT[2].1)] {
        let mut files: Vec<(&str, &str)> =
            SENT.into_iter().filter(|(name, _)| *name != changed.0).collect();
        files.push(changed);
        assert!(read(&files, "/nowhere/hog").is_err(), "{}", changed.0);
    }
}

/// Time that a strategy waits may be the machine's fault, and is not remembered.
#[test]
fn a_strategy_that_waits_is_run_again() {
    if without_python() {
        return;
    }
    let (folder, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = folder.path().join("strategy.py");
    std::fs::write(&file, body("__import__('time').sleep(1000)")).unwrap();
    let launcher = launcher().within_seconds(1).keeping_answers_in(kept.path());
    let fault = planned(&format!("python:{}", file.display()), launcher).unwrap_err().to_string();
    assert!(fault.contains("after 1 s of waiting"), "{fault}");
    // Only the description of the interpreter.
    assert_eq!(std::fs::read_dir(kept.path()).unwrap().count(), 1);
}

#[test]
fn who_is_not_read_in_time_is_named() {
    if without_python() {
        return;
    }
    let (entrants, rejected) =
        names_and_reasons(&read_archive(&SENT, launcher(), Some(Instant::now())).unwrap());
    assert!(entrants.is_empty() && rejected.len() == 4, "{rejected:?}");
    assert!(rejected.iter().all(|(_, reason)| reason.contains("it was not read")), "{rejected:?}");
    // Enough time for the busiest machine: the slow one, put off at first, then has all of its
    // time.
    let until = Instant::now() + Duration::from_secs(3600);
    let (entrants, rejected) =
        names_and_reasons(&read_archive(&SENT, launcher(), Some(until)).unwrap());
    assert_eq!((entrants.len(), rejected.len()), (1, 3));
    assert!(rejected[1].1.contains(&format!("after {SECONDS} s")), "{rejected:?}");
}

/// Together, those that loop take longer than all have if each has its whole limit, or a second.
#[test]
fn many_that_never_end_do_not_use_up_the_time_of_others() {
    if without_python() {
        return;
    }
    let loops = "def final_strategy(a, b):\n    while True: pass\n";
    let plays = "def final_strategy(a, b): return 4\n";
    let mut files: Vec<(String, &str)> =
        (0..30).map(|number| (format!("a{number:02}/hog.py"), loops)).collect();
    files.extend((0..3).map(|number| (format!("b{number}/hog.py"), plays)));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let until = Instant::now() + Duration::from_secs(24);
    let launcher = launcher().within_seconds(10);
    let (entrants, rejected) =
        names_and_reasons(&read_archive(&files, launcher, Some(until)).unwrap());
    assert_eq!(entrants, ["b0", "b1", "b2"], "{rejected:?}");
    assert_eq!(rejected.len(), 30);
}

/// Where a function fails it rolls the default, as if its author had written that.
#[test]
fn a_function_that_fails_at_some_scores_rolls_a_default_there() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, line: &str| {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        let text = format!("def final_strategy(score, opponent_score):\n    return {line}\n");
        std::fs::write(folder.path().join(name).join("hog.py"), text).unwrap();
    };
    write("fails", "[4, 11, None, 2][score // 5] if opponent_score else 1 // score");
    let rolls = "{0: 4, 3: 2}.get(score // 5, 6)";
    write("says", &format!("{rolls} if opponent_score else {{0: 6, 1: 1}}.get(score, 0)"));
    write("syntax", "5 +");
    let folder = folder.path().to_str().unwrap();
    let contest = ["contest", "fa21", "--goal", "20", "--each-in", folder, "--format", "json"];
    let run = |options: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hog"));
        command.args(contest).args(options).arg("--no-cache").env("HOG_PYTHON", &*PYTHON);
        let output = command.output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let strict = run(&[]);
    assert_eq!(
        (
            strict["entrants"].as_array().unwrap().len(),
            strict["rejected"].as_array().unwrap().len()
        ),
        (1, 2)
    );
    let lenient = run(&["--default-roll", "6"]);
    assert_eq!(lenient["same"], serde_json::json!([["fails", "says"]]), "{lenient}");
    assert_eq!(lenient["rejected"].as_array().unwrap().len(), 1, "{lenient}");
    let told = lenient["unclear"][0]["reason"].as_str().unwrap();
    assert!(told.contains("at 0-0: it raises ZeroDivisionError"), "{told}");
    // Each score from 5 to 14 against 19 others, and 0-0.
    assert!(told.contains("rolls 6 at the 191 of 400 pairs"), "{told}");
    let refused = run(&["--default-roll", "11"]);
    assert_eq!(refused["error"]["kind"], "request", "{refused}");
}

#[test]
fn a_cancelled_strategy_is_stopped() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slow.py"), body("while True: pass")).unwrap();
    let strategy: Strategy =
        format!("python:{}", folder.path().join("slow.py").display()).parse().unwrap();
    let sources = Sources::builtin().with_python(launcher().within_seconds(1000));
    let cancelled = strategy.plan_from(&sources, &game(), &Watch::new(&|_, _| false)).unwrap_err();
    assert!(matches!(cancelled, StrategyError::Unsolved(SolveError::Cancelled)), "{cancelled}");
}

/// The second process, which is asked in another order, may be the slow one.
#[test]
fn a_strategy_whose_second_process_is_slow_is_stopped() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let first_question = "asked = 0\ndef final_strategy(a, b):\n    global asked\n    asked += \
     1\n    \
                          while asked == 1 and (a, b) != (0, 0): pass\n    return 4\n";
    std::fs::write(folder.path().join("slow.py"), first_question).unwrap();
    let strategy: Strategy =
        format!("python:{}", folder.path().join("slow.py").display()).parse().unwrap();
    let sources = Sources::builtin().with_python(launcher().within_seconds(1_000_000));
    let began = Instant::now();
    let watch = |_: usize, _: usize| began.elapsed() < Duration::from_secs(1);
    let cancelled = strategy.plan_from(&sources, &game(), &Watch::new(&watch)).unwrap_err();
    assert!(cancelled.is_stop(), "{cancelled}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &Path| {
        planned(&format!("python:{}", path.display()), launcher()).unwrap_err().to_string()
    };
    assert!(refused(&folder.path().join("nowhere.py")).contains("nowhere.py"));
    assert!(refused(folder.path()).contains("directory"));
}
