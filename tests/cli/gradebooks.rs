//! Contests of a course: whose a submission is, who was late, points, the gradebook, pages for
//! students, notebooks.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::submissions::{contest, names, runs_python, table, write};
use super::{assert_refusal, hog};

const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Points\n\
                      \"    Points Possible\",,,,,10\n\
                      \"Lovelace, Ada\",4713,30330001,ada,1,\n\
                      \"Small, Eve\",4714,30330002,eve,1,\n\
                      \"Zöllner, Zoë\",4715,30330003,zoe,1,\n";

/// Reads a CSV file as a list of lines, each a list of `heading=cell` without the empty ones.
fn lines(path: &Path) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let headings = reader.headers().unwrap().clone();
    let line = |record: csv::StringRecord| {
        let cells = headings.iter().zip(&record).filter(|(_, cell)| !cell.is_empty());
        cells.map(|(heading, cell)| format!("{heading}={cell}")).collect::<Vec<_>>().join("|")
    };
    reader.records().map(|record| line(record.unwrap())).collect()
}

fn row<'d>(document: &'d Value, name: &str) -> &'d Value {
    let rows = document["ranking"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {document}"))
}

/// Canvas: `lastfirst[_LATE]_USER_FILE_own`.
#[test]
fn nobody_becomes_somebody_else_by_the_name_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "roster.csv", CANVAS);
    // Ada handed in nothing.
    write(folder.path(), "in/smalleve_4714_998879_30330001.txt", &table(4));
    write(folder.path(), "in/zöllnerzoë_LATE_4715_998880_lovelaceada_4713_hog.txt", &table(5));
    let (_, document) = contest(&folder, &["in", "--roster", "roster.csv"]);
    assert_eq!(names(&document, "ranking"), ["Small, Eve", "Zöllner, Zoë"]);
    assert_eq!(document["absent"], json!(["Lovelace, Ada"]));
    assert_eq!(row(&document, "Small, Eve")["submission"], "998879");
    assert_eq!(row(&document, "Small, Eve")["late"], false);
    assert_eq!(row(&document, "Zöllner, Zoë")["late"], true);
    // Another system's numbers, a name with numbers at Canvas, two people in one name: nobody's,
    // and it is said.
    for name in ["hog_30330001.txt", "30330001_hog.txt", "x_30330001_hog.txt"] {
        write(folder.path(), &format!("other/{name}"), &table(4));
    }
    write(folder.path(), "other/smalleve_4714_998879_4713_5_hog.txt", &table(6));
    let (_, document) = contest(&folder, &["other", "--roster", "roster.csv", "--names", "people"]);
    assert_eq!(
        names(&document, "ranking"),
        ["30330001_hog", "hog_30330001", "smalleve_4714_998879_4713_5_hog", "x_30330001_hog"]
    );
    let unclear = document["unclear"].as_array().unwrap();
    assert_eq!(unclear.len(), 1);
    let reason = unclear[0]["reason"].as_str().unwrap();
    assert!(reason.contains("Lovelace, Ada") && reason.contains("Small, Eve"), "{reason}");
    let text = hog(&["contest", "su15", "other", "--goal", "10", "--roster", "roster.csv"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.contains("unclear smalleve_4714_998879_4713_5_hog: whose it is: its name may be read"),
        "{text}"
    );
}

const LIST: &str = "---\nsubmission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '17'\n    :email: ada@x.edu\n  \
                    :created_at: 2024-09-20 06:58:59.999000000 Z\n\
                    submission_2:\n  :submitters:\n  - :name: 'Eve xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n      \
                    :sid: 17 '\n    :sid: '0018'\n    :email: eve@x.edu\n  - :name: Bob Both\n    :sid: '19'\n    \
                    :email: bob@x.edu\n  :created_at: 2024-09-20 07:00:00.000000000 Z\n\
                    submission_3:\n  :submitters:\n  - :name: Cyd Charisse\n    :sid: '20'\n    :email: cyd@x.edu\n";

const GRADESCOPE: &str = "First Name,Last Name,SID,Email,Role\n\
                          Ada,Lovelace,17,ada@x.edu,Student\n\
                          Eve,Small,0018,eve@x.edu,Student\n\
                          Prof,Essor,1,prof@x.edu,Instructor\n\
                          Tee,Ay,2,ta@x.edu,TA\n\
                          Dan,Absent,21,dan@x.edu,Student\n";

fn export(folder: &TempDir) {
    for (number, dice) in [(1, 4), (2, 0), (3, 6)] {
        write(folder.path(), &format!("in/submission_{number}/roll.txt"), &table(dice));
    }
    write(folder.path(), "in/submission_4/notes.md", "I forgot");
    write(folder.path(), "in/submission_metadata.yml", LIST);
    write(folder.path(), "roster.csv", GRADESCOPE);
}

/// What Canvas imports: every line and cell as it was, and the points in the assignment's column.
#[test]
fn points_go_into_the_column_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let canvas = CANVAS.replace("Section,Points", "Section,Hog (4711)");
    write(folder.path(), "roster.csv", &canvas.replace("ada,1,", "ada,1,\"3, see note\""));
    write(folder.path(), "in/smalleve_4714_998879_hog.txt", &table(4));
    write(folder.path(), "in/zöllnerzoë_4715_998880_hog.txt", "no table");
    let given =
        ["in", "--roster", "roster.csv", "--gradebook", "grades.csv", "--points", "plays=2"];
    contest(&folder, &[&given[..], &["--grade-column", "Hog"]].concat());
    let grades = std::fs::read_to_string(folder.path().join("grades.csv")).unwrap();
    let expected = "Student,ID,SIS User ID,SIS Login ID,Section,Hog (4711)\n    Points Possible,,,,,10\n\
                    \"Lovelace, Ada\",4713,30330001,ada,1,\"3, see note\"\n\
                    \"Small, Eve\",4714,30330002,eve,1,2\n\
                    \"Zöllner, Zoë\",4715,30330003,zoe,1,0\n";
    assert_eq!(grades, expected);
    let mut unknown = hog(&["contest", "su15", "in", "--goal", "10", "--roster", "roster.csv"]);
    unknown.args(["--points", "plays=1", "--gradebook", "other.csv", "--grade-column", "Pig"]);
    let output = unknown.current_dir(&folder).output().unwrap();
    assert_refusal(output, &["--grade-column Pig", "Hog (4711)"], "a column that is not there");
    assert!(!folder.path().join("other.csv").exists());
}

#[test]
fn a_gradebook_has_a_line_for_each_person() {
    let folder = tempfile::tempdir().unwrap();
    export(&folder);
    let points =
        ["--points", "plays=1,baseline=2,mean:0.5=3", "--deadline", "2024-09-19T23:59-07:00"];
    let arguments = ["in", "--roster", "roster.csv", "--gradebook", "grades.csv"];
    let (_, document) = contest(&folder, &[&arguments[..], &points].concat());
    let ada = row(&document, "Ada Lovelace");
    assert_eq!((&ada["late"], &ada["submission"]), (&json!(false), &json!("1")));
    let both = row(&document, "Eve Small and Bob Both");
    assert_eq!((&both["late"], &both["points"]), (&json!(true), &json!(1.0)), "{both}");
    assert!(ada["baseline"].as_f64().unwrap() > 0.0 && ada["points"].as_f64().unwrap() >= 1.0);
    assert_eq!(document["absent"], json!(["Dan Absent"]), "the staff hands nothing in");
    assert_eq!(document["undated"], 2, "submission_3 and submission_4 have no time");
    let grades = lines(&folder.path().join("grades.csv"));
    let begins =
        |at: usize, text: &str| assert!(grades[at].starts_with(text), "{text} in {grades:#?}");
    begins(
        0,
        "First Name=Ada|Last Name=Lovelace|SID=17|Email=ada@x.edu|Role=Student|Submission \
         ID=1|Submitted At=2024-",
    );
    begins(
        1,
        "First Name=Eve|Last Name=Small|SID=0018|Email=eve@x.edu|Role=Student|Submission \
         ID=2|Submitted At=2024-",
    );
    assert!(
        grades[0].contains("|Late=no|Rank=") && grades[1].contains("|Late=yes|Rank=3|Wins=0|"),
        "{grades:#?}"
    );
    assert!(grades[1].ends_with("|Points=1"), "{grades:#?}");
    assert_eq!(grades[2], "First Name=Prof|Last Name=Essor|SID=1|Email=prof@x.edu|Role=Instructor");
    assert_eq!(
        grades[4],
        "First Name=Dan|Last Name=Absent|SID=21|Email=dan@x.edu|Role=Student|Note=nothing handed in"
    );
    let mut others = grades[5..].to_vec();
    others.sort();
    assert!(
        others[0].starts_with("First Name=Bob Both|SID=19|Email=bob@x.edu|Submission ID=2|"),
        "{others:#?}"
    );
    assert!(
        others[0].ends_with("Note=not on the roster")
            && others[1].contains("SID=20|Email=cyd@x.edu"),
        "{others:#?}"
    );
    assert!(others[2].starts_with(
        "First Name=submission_4|Submission ID=4|Points=0|Note=could not take part: it"
    ));
    // The gradebook may be the next roster, and its columns are not doubled.
    let again = ["in", "--roster", "grades.csv", "--gradebook", "again.csv"];
    contest(&folder, &[&again[..], &points].concat());
    let headings = |name: &str| {
        std::fs::read_to_string(folder.path().join(name))
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(headings("again.csv"), headings("grades.csv"));
    // Without a roster, by Gradescope's list.
    contest(&folder, &["in", "optimal", "--gradebook", "list.csv"]);
    let mut list = lines(&folder.path().join("list.csv"));
    list.sort();
    assert!(
        list[0]
            .starts_with("Name=Ada Lovelace|SID=17|Email=ada@x.edu|Submission ID=1|Submitted At="),
        "{list:#?}"
    );
    assert_eq!(
        list.len(),
        5,
        "three people, a pair's other half, and a folder of which the list says nothing: {list:#?}"
    );
}

#[test]
fn late_submissions_are_refused_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    export(&folder);
    let arguments = ["in", "--refuse-late", "--deadline", "2024-09-20T06:59Z"];
    let (output, document) = contest(&folder, &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(names(&document, "ranking"), ["Ada Lovelace", "Cyd Charisse"]);
    let late =
        document["rejected"].as_array().unwrap().iter().find(|one| one["late"] == true).unwrap();
    let reason = late["reason"].as_str().unwrap();
    assert!(
        reason.contains("late: at 2024-09-20 07:00") && reason.contains("after 2024-09-20T06:59Z"),
        "{reason}"
    );
    // Canvas marks late ones, and its times are not in the export.
    write(folder.path(), "canvas/lovelaceada_LATE_4713_1_hog.txt", &table(4));
    write(folder.path(), "canvas/smalleve_4714_2_LATE.txt", &table(5));
    let (_, document) = contest(&folder, &["canvas", "--refuse-late"]);
    assert_eq!(names(&document, "rejected"), ["lovelaceada_LATE_4713_1_hog"]);
    let refused = |more: &[&str], words: &[&str]| {
        let output = hog(&["contest", "su15", "in", "--goal", "10"])
            .args(more)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert_refusal(output, words, &format!("{more:?}"));
    };
    refused(&["--deadline", "2024-09-20 23:59"], &["2024-09-20 23:59", "offset from UTC"]);
    refused(&["--points", "rank=3"], &["`rank=3`", "plays=1,baseline=2"]);
    refused(&["--gradebook", "grades.txt"], &["--gradebook", ".csv"]);
}

/// A late submission that is refused takes nothing from the one that came in time.
#[test]
fn what_was_handed_in_in_time_counts_beside_a_late_one_that_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut list = String::new();
    for (name, at) in [("submission_7", "19 10:00:00"), ("submission_8", "21 10:00:00")] {
        write(folder.path(), &format!("in/{name}/hog.txt"), &table(4));
        list += &format!(
            "{name}:\n  :created_at: 2024-09-{at} Z\n  :submitters:\n  - :name: Ada\n    :email: \
             ada@x.edu\n"
        );
    }
    write(folder.path(), "in/submission_metadata.yml", &list);
    write(folder.path(), "roster.csv", "Name,Email\nAda,ada@x.edu\n");
    let arguments = ["in", "--roster", "roster.csv", "--deadline", "2024-09-20T06:59Z"];
    let points = ["--gradebook", "grades.csv", "--points", "plays=1"];
    for (refused, unclear, given) in
        [(&["--refuse-late"][..], 0, json!(1.0)), (&[], 2, Value::Null)]
    {
        let (_, document) = contest(&folder, &[&arguments[..], &points, refused].concat());
        assert_eq!(document["unclear"].as_array().unwrap().len(), unclear, "{document}");
        assert_eq!(document["people"], json!([{ "name": "Ada", "points": given }]));
        let grades = lines(&folder.path().join("grades.csv"));
        assert_eq!(grades[0].contains("Points=1"), given != Value::Null, "{grades:?}");
    }
}

#[test]
fn pages_for_students_show_nobody_elses_strategy() {
    let folder = tempfile::tempdir().unwrap();
    for (name, dice) in [("zoë", 4), ("ada", 4), ("bob", 6)] {
        write(folder.path(), &format!("in/{name}.txt"), &table(dice));
    }
    write(folder.path(), "in/broken.csv", "SECRET\n");
    write(folder.path(), "roster.csv", "name,file\nZoë Zöllner,zoë\nMissing Person,none\n");
    let command = [
        "in",
        "--roster",
        "roster.csv",
        "--reports",
        "web",
        "--reports-for",
        "students",
        "--points",
        "plays=7,baseline:0.9=2",
    ];
    let more = ["--gradebook", "grades.csv", "-o", "ranking.html"];
    let pages = || {
        contest(&folder, &[&command[..], &more].concat());
        let entries = std::fs::read_dir(folder.path().join("web")).unwrap();
        let mut pages: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        pages.sort();
        pages
    };
    let found = pages();
    assert_eq!(found.len(), 5, "also of one that could not be played: {found:?}");
    let page = |begins: &str| {
        let name = found
            .iter()
            .find(|name| name.starts_with(begins))
            .unwrap_or_else(|| panic!("{begins}: {found:?}"));
        (name.clone(), std::fs::read_to_string(folder.path().join("web").join(name)).unwrap())
    };
    let (name, own) = page("zoë-zöllner--");
    assert_eq!(name.len(), "zoë-zöllner--.html".len() + 32, "a name that cannot be guessed");
    assert!(own.contains("<svg") && own.contains("Against a sample") && own.contains("of 3"));
    assert!(own.contains("<dd>7 of 9</dd>") && own.contains("7 of 7: It can be played"));
    assert!(own.contains("0 of 2, not reached: It wins at least 0.9"), "{own}");
    assert!(!own.contains("Plays the same"), "that would show another's strategy");
    assert!(!own.contains("The scores that cost most"), "that would show best rolls");
    let links = |page: &str| {
        page.split("href=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(links(&own), ["index.html"]);
    assert!(!own.contains("bob") && own.contains("rank 1"), "opponents by their ranks");
    let (_, refused) = page("broken--");
    assert!(refused.contains("could not take part") && refused.contains("SECRET"), "{refused}");
    assert!(refused.contains("It gets 0 points"), "{refused}");
    for index in
        [page("index").1, std::fs::read_to_string(folder.path().join("ranking.html")).unwrap()]
    {
        assert_eq!(links(&index), [""; 0]);
        for secret in ["SECRET", "broken", "Missing Person", "same strategy", "Points"] {
            let body = index.split("</style>").nth(1).unwrap().split("<script>").next().unwrap();
            assert!(!body.contains(secret), "{secret} in {body}");
        }
        assert!(
            !index.contains("Zoë Zöllner") && !index.contains("bob") && index.contains("rank 1")
        );
    }
    let named = ["in", "--roster", "roster.csv", "-o", "named.html", "--reports-for", "students"];
    contest(&folder, &[&named[..], &["--show-names"]].concat());
    let named = std::fs::read_to_string(folder.path().join("named.html")).unwrap();
    assert!(named.contains("Zoë Zöllner") && named.contains("bob"));
    let told = |level: &str| {
        contest(&folder, &[&command[..], &["--feedback", level]].concat());
        let (_, own) = page("zoë-zöllner--");
        ["of 3", "<svg", "The scores that cost most"].map(|part| own.contains(part))
    };
    assert_eq!(told("points"), [true, false, false]);
    assert_eq!(told("rates"), [true, true, false]);
    assert_eq!(told("costs"), [true, true, true]);
    let grades = lines(&folder.path().join("grades.csv"));
    assert!(grades[0].contains(&format!("|Report={name}")), "{grades:#?}");
    assert_eq!(pages(), found, "links stay valid");
    let staff = ["in", "--roster", "roster.csv", "--reports", "staff"];
    let (_, document) = contest(&folder, &staff);
    assert_eq!(document["unlisted"], serde_json::json!(["ada", "bob", "broken"]));
    let own = std::fs::read_to_string(folder.path().join("staff/zoë-zöllner.html")).unwrap();
    assert!(own.contains("Plays the same") && links(&own).contains(&"ada.html".to_owned()));
}

#[test]
fn an_entrants_own_name_is_nobody_elses() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let strategy = |name: &str| {
        format!(
            "PLAYER_NAME = '{name}'\ndef final_strategy(score, opponent_score):\n    return 4\n"
        )
    };
    write(folder.path(), "in/eve/hog.py", &strategy("ada  LOVELACE"));
    write(folder.path(), "in/bob/hog.py", &strategy("Eve"));
    write(folder.path(), "in/cyd/hog.py", &strategy("The Pigs"));
    write(folder.path(), "roster.csv", "name,folder\nAda Lovelace,ada\n");
    let (_, document) =
        contest(&folder, &["in", "optimal", "--roster", "roster.csv", "--results", "results"]);
    assert_eq!(names(&document, "ranking"), ["The Pigs", "bob", "eve", "optimal"]);
    assert_eq!(names(&document, "unclear"), ["bob", "eve"]);
    // Other widths, another order, the name of another's file; a name that nobody can see is none.
    for name in ["\u{ff21}da Lovelace", "Lovelace, Ada", "eve/hog.py", "\u{2800}"] {
        write(folder.path(), "in/bob/hog.py", &strategy(name));
        let (_, document) = contest(&folder, &["in", "optimal", "--roster", "roster.csv"]);
        assert_eq!(names(&document, "ranking"), ["The Pigs", "bob", "eve", "optimal"], "{name}");
    }
    assert!(!folder.path().join("results/ada-lovelace.json").exists());
}

fn notebook(cells: &[&str]) -> String {
    let cell = |text: &&str| json!({ "cell_type": "code", "metadata": {}, "outputs": [], "source": [text] });
    let cells: Vec<Value> = cells.iter().map(cell).collect();
    json!({ "cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5 }).to_string()
}

#[test]
fn a_notebook_with_one_cell_that_defines_the_function_takes_part() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let four = "PLAYER_NAME = 'Notes'\ndef final_strategy(score, opponent_score):\n    return 4\n";
    let wrong = "x = 1\ndef final_strategy(score, opponent_score):\n    return 1 / 0\n";
    write(
        folder.path(),
        "flat/ada.ipynb",
        &notebook(&["%pip install hog\n", four, "final_strategy(0, 0)"]),
    );
    write(folder.path(), "flat/bob.ipynb", &notebook(&[four, four]));
    write(folder.path(), "flat/cyd.ipynb", &notebook(&["x = 4"]));
    write(folder.path(), "flat/dan.ipynb", &notebook(&["", wrong]));
    write(folder.path(), "flat/eve.ipynb", "no notebook");
    write(folder.path(), "each/ada/work.ipynb", &notebook(&[four]));
    write(folder.path(), "each/bob/work.ipynb", &notebook(&["x = 4"]));
    write(
        folder.path(),
        "each/cyd/hog.py",
        "def final_strategy(score, opponent_score):\n    return 5\n",
    );
    write(folder.path(), "each/cyd/hog.ipynb", &notebook(&[four]));
    let (_, document) = contest(&folder, &["flat", "optimal"]);
    assert_eq!(names(&document, "ranking"), ["Notes", "optimal"]);
    let reasons =
        document["rejected"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap());
    for (reason, words) in reasons.zip([
        "more than one cell",
        "no cell of the notebook defines `final_strategy`",
        "line 3",
        "not a notebook",
    ]) {
        assert!(reason.contains(words), "{words}: {reason}");
    }
    let (_, document) = contest(&folder, &["each"]);
    assert_eq!(names(&document, "ranking"), ["Notes", "cyd"]);
    let reason = document["rejected"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("work.ipynb cannot be used: no cell of the notebook defines"),
        "{reason}"
    );
    let rated = hog(&["rate", "su15", "flat/ada.ipynb", "--goal", "10"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(rated.status.success(), "{}", String::from_utf8_lossy(&rated.stderr));
}
