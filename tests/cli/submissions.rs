//! Submissions in the forms in which an instructor receives them, turned into rankings, reports and
//! results, whatever names the students choose.

use std::io::Write;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::hog;

/// Returns a table that always rolls the same number of dice, for a goal of 10.
pub(super) fn table(dice: usize) -> String {
    format!("{}\n", vec![dice.to_string(); 10].join(" ")).repeat(10)
}

pub(super) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Runs a contest to 10 points in a folder; returns its output and its JSON document.
pub(super) fn contest(folder: &TempDir, arguments: &[&str]) -> (Output, Value) {
    let output = hog(&["contest", "su15", "--goal", "10", "--format", "json"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let document = serde_json::from_slice(&output.stdout);
    let document = document
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (output, document)
}

pub(super) fn names(document: &Value, list: &str) -> Vec<String> {
    let rows = document[list].as_array().unwrap().iter();
    let mut names: Vec<String> = rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// Returns whether Python strategies can be run here; prints a note if not.
pub(super) fn runs_python() -> bool {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "four.py", "def final_strategy(score, opponent_score):\n    return 4\n");
    let output = hog(&["rate", "fa21", "four.py", "--goal", "10"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    if !output.status.success() {
        eprintln!("skipped: no Python here that can be sandboxed");
    }
    output.status.success()
}

/// Writes a Gradescope export of 300 folders: mostly tables, and some Python files with helpers
/// beside them.
fn export(folder: &Path, python: bool) {
    let mut zip = ZipWriter::new(std::fs::File::create(folder.join("submissions.zip")).unwrap());
    let mut file = |name: String, text: &str| {
        zip.start_file(format!("assignment_7_export/{name}"), SimpleFileOptions::default())
            .unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    };
    let mut list = "---\n".to_owned();
    for student in 0..300 {
        let at = |name: &str| format!("submission_{}/{name}", 1000 + student);
        list += &format!(
            "submission_{}:\n  :submitters:\n  - :name: Student {student}\n    :sid: \
             '{student}'\n    :email: s{student}@x.edu\n",
            1000 + student
        );
        if python && student % 10 == 0 {
            let text = format!(
                "from dice import six_sided\nPLAYER_NAME = 'Team {student}' # TEAM_NAME\n\
                 def final_strategy(score, opponent_score):\n    return {}\n",
                student % 7
            );
            file(at("hog_contest.py"), &text);
            file(at("dice.py"), "def six_sided():\n    return 1\n");
            file(at("__pycache__/hog_contest.py"), "nonsense");
            file(at(".hidden.py"), "nonsense");
        } else if student % 100 == 99 {
            file(at("notes.md"), "I forgot");
        } else {
            file(at("final.txt"), &table(student % 11));
        }
    }
    file("submission_metadata.yml".into(), &list);
    zip.finish().unwrap();
}

#[test]
fn one_command_turns_an_export_of_300_folders_into_pages_of_results() {
    let folder = tempfile::tempdir().unwrap();
    let python = runs_python();
    export(folder.path(), python);
    let command = ["submissions.zip", "-o", "ranking.html", "--reports", "reports"];
    let (output, document) = contest(&folder, &command);
    assert_eq!(output.status.code(), Some(1), "three submissions hold no strategy");
    let ranking = names(&document, "ranking");
    assert_eq!(ranking.len(), 297);
    assert_eq!(names(&document, "rejected"), ["Student 199", "Student 299", "Student 99"]);
    let reason = document["rejected"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("it holds no strategy: no file that ends in .py"), "{reason}");
    assert!(ranking.contains(&"Student 1".to_owned()));
    if python {
        assert!(ranking.contains(&"Team 290".to_owned()));
        assert_eq!(document["helpers"].as_array().unwrap().len(), 30);
    }
    let page = std::fs::read_to_string(folder.path().join("ranking.html")).unwrap();
    assert_eq!(page.matches("<tr><td").count(), 297);
    assert!(
        page.starts_with("<!doctype html>")
            && page.contains("Student 99</bdi></b>: <span class=\"bad\">it holds")
    );
    let reports = folder.path().join("reports");
    assert_eq!(
        std::fs::read_dir(&reports).unwrap().count(),
        301,
        "a page for each submission, and the ranking"
    );
    let index = std::fs::read_to_string(reports.join("index.html")).unwrap();
    let links = index.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    assert_eq!(
        links.filter(|link| reports.join(link).is_file()).count(),
        300,
        "every link leads to a page"
    );
    let report = std::fs::read_to_string(reports.join("student-1.html")).unwrap();
    for part in [
        "of 297",
        "wins least against",
        "Against a sample of the field",
        "Against best play",
        "Plays the same",
        ">Why<",
        "<svg",
    ] {
        assert!(report.contains(part), "{part} is missing in:\n{report}");
    }
}

/// Hostile names, given by a roster so that no Python is needed.
const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "</td><img src=x onerror=alert(1)>",
    "=HYPERLINK(\"http://evil\",\"x\")",
    "\u{1b}]0;title\u{7}\u{1b}[31mred",
    "\u{202e}gnp.exe",
    "../../../tmp/evil",
    "مرحبا بالعالم",
    "Ada",
    "ADA",
];

#[test]
fn hostile_names_are_escaped_in_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(500);
    let all: Vec<&str> =
        HOSTILE.into_iter().chain([long.as_str(), "Same", "Same", "   "]).collect();
    let mut roster = csv::Writer::from_path(folder.path().join("roster.csv")).unwrap();
    roster.write_record(["name", "folder"]).unwrap();
    for (place, name) in all.iter().enumerate() {
        roster.write_record([name, format!("entrant{place}").as_str()]).unwrap();
        write(folder.path(), &format!("in/entrant{place}/roll.txt"), &table(place % 11));
    }
    drop(roster);
    let arguments = [
        "in",
        "--roster",
        "roster.csv",
        "-o",
        "a.html",
        "-o",
        "a.csv",
        "-o",
        "a.md",
        "--matrix",
        "m.csv",
    ];
    let more = ["--reports", "reports", "--results", "results"];
    let (output, document) = contest(&folder, &[&arguments[..], &more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let names = names(&document, "ranking");
    assert_eq!(names.len(), 13);
    for name in ["entrant12", "Same (entrant10)", "Same (entrant11)", "gnp.exe", "مرحبا بالعالم"]
    {
        assert!(names.contains(&name.to_owned()), "no {name} in {names:?}");
    }
    assert!(
        names
            .iter()
            .all(|name| name.chars().count() <= 60 && !name.contains(|c: char| c.is_control()))
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let mut pages = vec![read("a.html")];
    for entry in std::fs::read_dir(folder.path().join("reports")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            name.chars().all(|c| (c.is_alphanumeric() && !c.is_uppercase()) || "-.".contains(c)),
            "{name}"
        );
        pages.push(std::fs::read_to_string(path).unwrap());
    }
    assert_eq!(pages.len(), 15, "the ranking twice, and a page for each entrant");
    for page in &pages {
        assert_eq!(
            page.matches("<script").count(),
            usize::from(page.contains("class=\"ranking\"")),
            "only the script of the ranking"
        );
        assert!(!page.contains("<img") && !page.contains('\u{1b}') && !page.contains('\u{202e}'));
        assert!(page.contains("default-src 'none'") && !page.contains(" onclick"));
    }
    for sheet in ["a.csv", "m.csv"] {
        let text = read(sheet);
        let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let cells = rows
            .records()
            .flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
        assert!(cells.into_iter().all(|cell| !cell.starts_with(['=', '+', '-', '@'])), "{text}");
    }
    assert!(!read("a.md").contains("<script>"));
    assert_eq!(std::fs::read_dir(folder.path().join("results")).unwrap().count(), 13);

    let text = hog(&["contest", "su15", "in", "--goal", "10", "--roster", "roster.csv"])
        .current_dir(folder.path())
        .output();
    let text = String::from_utf8(text.unwrap().stdout).unwrap();
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    let ranking = text.lines().take_while(|line| !line.starts_with("play"));
    assert!(ranking.count() > 10, "{text}");
}

#[test]
fn clones_of_github_classroom_are_named_by_their_users_and_the_roster() {
    let folder = tempfile::tempdir().unwrap();
    for (user, dice) in [("ada", 4), ("bob-b", 5), ("eve", 6)] {
        write(
            folder.path(),
            &format!("hog-submissions/hog-contest-{user}/src/roll.txt"),
            &table(dice),
        );
        write(
            folder.path(),
            &format!("hog-submissions/hog-contest-{user}/.git/roll.txt"),
            "nonsense",
        );
    }
    let (_, document) = contest(&folder, &["."]);
    assert_eq!(names(&document, "ranking"), ["ada", "bob-b", "eve"]);
    let roster =
        "identifier,github_username,github_id,name\nAda L,ada,1,\nB,bob-b,2,Bob\nZ,zoe,3,Zoe\n";
    write(folder.path(), "roster.csv", roster);
    let (_, document) = contest(&folder, &["hog-submissions", "--roster", "roster.csv"]);
    assert_eq!(names(&document, "ranking"), ["Ada L", "Bob", "eve"]);
    assert_eq!(document["absent"], serde_json::json!(["Zoe"]));
    let (_, document) =
        contest(&folder, &["hog-submissions", "--roster", "roster.csv", "--names", "files"]);
    assert_eq!(names(&document, "ranking"), ["ada", "bob-b", "eve"]);
}

#[test]
fn one_damaged_submission_does_not_exclude_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut file = |name: &str, text: &str| {
        let stored =
            SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        zip.start_file(format!("export/{name}"), stored).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    };
    file("submission_1/roll.txt", &table(1));
    file("submission_2/roll.txt", &table(2));
    file("submission_2/notes.md", "DAMAGED");
    file("submission_3/../submission_1/roll.txt", &table(3));
    file(&format!("submission_4/{}.txt", "long".repeat(1000)), &table(4));
    file("submission_5/roll.txt", &table(5));
    file("submission_metadata.yml", "---\nsubmission_2:\n  :submitters:\n  - :name: Student 2\n");
    let mut bytes = zip.finish().unwrap().into_inner();
    let at = bytes.windows(7).position(|part| part == b"DAMAGED").unwrap();
    bytes[at] = b'd';
    std::fs::write(folder.path().join("all.zip"), bytes).unwrap();
    let (output, document) = contest(&folder, &["all.zip"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(names(&document, "ranking"), ["submission_1", "submission_5"]);
    assert_eq!(names(&document, "rejected"), ["Student 2", "submission_3", "submission_4"]);
    for (rejected, word) in
        document["rejected"].as_array().unwrap().iter().zip(["notes.md", "outside", "cannot"])
    {
        let reason = rejected["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("its entry export/submission_") && reason.contains(word),
            "{reason}"
        );
        assert!(reason.len() < 200, "{reason}");
    }
}

#[test]
fn results_of_an_earlier_run_and_the_roster_are_not_entrants() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "four.txt", &table(4));
    write(folder.path(), "roster.csv", "name,file\nAda,four\n");
    for _ in 0..2 {
        let command = [
            ".",
            "--roster",
            "roster.csv",
            "-o",
            "ranking.csv",
            "--reports",
            "pages",
            "--results",
            "results",
        ];
        let (output, document) = contest(&folder, &command);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(names(&document, "ranking"), ["Ada"]);
    }
}

#[test]
fn files_with_equal_names_are_named_by_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    for (name, dice) in [("ada", 3), ("bob", 4)] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        write(folder.path(), &format!("{name}/hog.txt"), &table(dice));
    }
    for named in [["ada/hog.txt", "bob/hog.txt"], ["ada", "bob"]] {
        let (_, document) = contest(&folder, &named);
        let mut names = names(&document, "ranking");
        names.sort();
        assert_eq!(names, ["ada", "bob"]);
    }
}

#[test]
fn files_are_named_with_their_extensions_where_folders_do_not_tell_them_apart() {
    let folder = tempfile::tempdir().unwrap();
    let one = format!(
        "score,opponent,dice\n{}",
        (0..100).map(|at| format!("{},{},2\n", at / 10, at % 10)).collect::<String>()
    );
    for (name, text) in [
        ("c1/eve.txt", &table(3)),
        ("c1/eve.csv", &one),
        ("c2/eve.txt", &table(4)),
        ("c3/eve.txt", &table(5)),
        ("own/ada.txt", &table(6)),
        ("own/ada/hog.txt", &table(7)),
        ("optimal.txt", &table(8)),
        ("eve.txt", &table(9)),
        ("roster.csv", &"name,file\nEve Example,eve\n".to_owned()),
    ] {
        write(folder.path(), name, text);
    }
    let zipped = |name: &str, dice: usize| {
        let mut zip = ZipWriter::new(std::fs::File::create(folder.path().join(name)).unwrap());
        for (name, dice) in [("eve.txt", dice), ("zoe.txt", 1)] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(table(dice).as_bytes()).unwrap();
        }
        zip.finish().unwrap();
    };
    zipped("one.zip", 2);
    zipped("two.zip", 0);
    for (named, expected) in [
        (&["c1"][..], &["eve.csv", "eve.txt"][..]),
        (&["c1/eve.txt", "c1/eve.csv"], &["eve.csv", "eve.txt"]),
        (&["c1/eve.txt", "c2/eve.txt"], &["c1", "c2"]),
        (&["--each-in", "c1", "c2/eve.txt"], &["c1/eve.csv", "c1/eve.txt", "c2"]),
        (&["eve.txt", "c2/eve.txt"], &["c2", "eve.txt"]),
        (
            &["--each-in", "one.zip", "--each-in", "two.zip"],
            &["one/eve.txt", "one/zoe.txt", "two/eve.txt", "two/zoe.txt"],
        ),
        (&["own"], &["ada", "ada.txt"]),
        (&["optimal.txt", "optimal"], &["optimal", "optimal.txt"]),
        // What is named twice takes part once.
        (&["c1/eve.txt", "./c1/../c1/eve.txt", "optimal"], &["eve", "optimal"]),
        (&["c2/eve.txt", "c3", "c2", "c3"], &["c3", "eve"]),
        (&["--each-in", "c2", "c2/eve.txt"], &["eve"]),
        (&["one.zip", "./one.zip"], &["eve", "zoe"]),
        (&["c1", "--roster", "roster.csv"], &["Eve Example (eve.csv)", "Eve Example (eve.txt)"]),
    ] {
        let (_, document) = contest(&folder, named);
        assert_eq!(names(&document, "ranking"), expected, "{named:?}");
    }
}

#[test]
fn a_strategy_alone_in_its_folder_does_not_read_the_roster() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "eve.py", "raise Exception(open('roster.csv').read())\n");
    write(folder.path(), "roster.csv", "name,file\nSECRET,eve\n");
    let (_, document) = contest(&folder, &[".", "always_roll:4", "--roster", "roster.csv"]);
    let rejected = document["rejected"].to_string();
    assert!(
        document["rejected"].as_array().unwrap().len() == 1 && !rejected.contains("name,file"),
        "{rejected}"
    );
}

/// `/dev/full` can be opened, and every write to it fails, as on a disk that fills up.
#[cfg(target_os = "linux")]
#[test]
fn a_write_that_fails_loses_only_its_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["full.csv", "full.json", "kept.json"] {
        std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).unwrap();
    }
    write(folder.path(), "four.txt", &table(4));
    let run = |more: &[&str]| {
        let fixed = [
            "contest",
            "su15",
            "four.txt",
            "always_roll:6",
            "--goal",
            "10",
            "-o",
            "full.csv",
            "-o",
            "good.csv",
        ];
        hog(&[&fixed[..], more].concat()).current_dir(folder.path()).output().unwrap()
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let (shown, message) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(shown.contains("always_roll:6") && shown.contains("mean"), "{shown}");
    assert!(
        message.starts_with("error: cannot write full.csv: ") && message.lines().count() == 1,
        "{message}"
    );
    assert!(folder.path().join("good.csv").is_file());
    let output = run(&["-o", "full.json", "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let files: Vec<&str> = document["unwritten"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["file"].as_str().unwrap())
        .collect();
    assert_eq!(
        (files, document["ranking"].as_array().unwrap().len()),
        (vec!["full.csv", "full.json"], 2)
    );
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(2), &b""[..]));
}

#[test]
fn results_have_the_format_that_autograders_read() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "submission/roll.txt", &table(4));
    write(folder.path(), "bots/five.txt", &table(5));
    let read = || -> Value {
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("results.json")).unwrap())
            .unwrap()
    };
    // The first path is one entrant's, and `bots` the only other one.
    let arguments = ["submission", "bots", "always_roll:0", "--results", "results.json"];
    let (_, document) = contest(&folder, &arguments);
    let row = document["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"] == "submission")
        .unwrap();
    let results = read();
    assert_eq!(results["score"].as_f64(), row["wins"].as_f64());
    assert_eq!(results["tests"].as_array().unwrap().len(), 3);
    let takes_part = results["tests"][0].clone();
    assert_eq!(takes_part["status"], "passed");
    assert!(results["tests"][1]["name"].as_str().unwrap().starts_with("against "));
    assert_eq!(
        results["leaderboard"][0],
        serde_json::json!({ "name": "Wins", "value": row["wins"] })
    );
    assert_eq!(results["leaderboard"][2]["order"], "asc");

    std::fs::remove_file(folder.path().join("submission/roll.txt")).unwrap();
    let (output, _) = contest(&folder, &arguments);
    assert_eq!(output.status.code(), Some(1));
    let results = read();
    assert_eq!(
        (results["score"].as_f64(), results["tests"][0]["status"].as_str()),
        (Some(0.0), Some("failed"))
    );
    assert!(results["output"].as_str().unwrap().contains("no strategy"), "{results}");
    assert_eq!(results["tests"][0]["name"], takes_part["name"], "the same test, not passed");
}

/// What a Python lacks, another one may have: the contest says how it is named.
#[test]
fn a_package_that_is_missing_is_told_with_what_helps() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "class/ada.py",
        "import no_such_package\ndef final_strategy(a, b):\n    return 4\n",
    );
    write(folder.path(), "class/bob.py", "def final_strategy(a, b):\n    return b[0]\n");
    let (_, document) = contest(&folder, &["class"]);
    let lacks = document["rejected"].as_array().unwrap().iter().map(|one| &one["lacks_package"]);
    assert_eq!(lacks.collect::<Vec<_>>(), [true, false]);
    let output = hog(&["contest", "su15", "--goal", "10", "class"]).current_dir(&folder).output();
    assert!(String::from_utf8(output.unwrap().stdout).unwrap().contains("--python"));
}
