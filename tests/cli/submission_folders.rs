//! Submissions as folders: archives in a folder, folders named one by one, links, several strategies in one.

use std::io::Write;
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::submissions::{contest, names, runs_python, table, write};

/// Writes a zip archive.
fn zip(folder: &Path, name: &str, entries: &[(&str, &str)]) {
    std::fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
    let mut zip = ZipWriter::new(std::fs::File::create(folder.join(name)).unwrap());
    for (entry, text) in entries {
        zip.start_file(*entry, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn an_archive_in_a_folder_is_the_submission_of_one_entrant() {
    let folder = tempfile::tempdir().unwrap();
    zip(folder.path(), "files/ada.zip", &[("hog/roll.txt", &table(4)), ("hog/readme.txt", "Roll 4!")]);
    zip(folder.path(), "files/bob.zip", &[("final.txt", &table(5))]);
    zip(folder.path(), "files/eve.zip", &[("notes.md", "I forgot")]);
    write(folder.path(), "files/zoe.zip", "not an archive");
    write(folder.path(), "roster.csv", "name,file\nBob,bob\n");
    let inner = ["ada", "bob", "eve", "zoe"].map(|name| std::fs::read(folder.path().join(format!("files/{name}.zip"))));
    let mut all = ZipWriter::new(std::fs::File::create(folder.path().join("all.zip")).unwrap());
    for (name, bytes) in ["ada", "bob", "eve", "zoe"].into_iter().zip(inner) {
        all.start_file(format!("{name}.zip"), SimpleFileOptions::default()).unwrap();
        all.write_all(&bytes.unwrap()).unwrap();
    }
    all.finish().unwrap();
    let one_by_one = ["files/ada.zip", "files/bob.zip", "files/eve.zip"];
    write(folder.path(), "more/roll.txt", &table(6));
    let with_another_folder = contest(&folder, &["files", "more"]).1;
    assert_eq!(names(&with_another_folder, "ranking"), ["ada", "bob", "more"]);
    write(folder.path(), "mixed/hog.txt", &table(7));
    std::fs::copy(folder.path().join("files/ada.zip"), folder.path().join("mixed/ada.zip")).unwrap();
    assert_eq!(names(&contest(&folder, &["mixed"]).1, "ranking"), ["ada", "hog"]);
    for (named, rejected) in [(&["files"][..], 2), (&["all.zip"], 2), (&one_by_one, 1)] {
        let (output, document) = contest(&folder, &[named, &["--roster", "roster.csv"]].concat());
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(names(&document, "ranking"), ["Bob", "ada"], "{named:?}");
        assert_eq!(names(&document, "rejected"), ["eve", "zoe"][..rejected], "{named:?}");
        assert!(document["rejected"][0]["reason"].as_str().unwrap().starts_with("it holds no strategy"), "{document}");
    }
}

#[test]
fn folders_named_one_by_one_are_taken_as_the_folder_that_holds_them_takes_them() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let strategy = "import weights\ndef final_strategy(score, opponent_score):\n    return weights.dice\n";
    for (number, name) in [(101, "Ada"), (102, "Bob")] {
        let at = |file: &str| format!("class/submission_{number}/{file}");
        write(folder.path(), &at("hog.py"), strategy);
        write(folder.path(), &at("weights.py"), &format!("dice = {}\n", number - 98));
        write(folder.path(), &at("helper.py"), "def helper(): return 1\n");
        write(folder.path(), &at("data.csv"), "a,b\n1,2\n");
        let list = format!("submission_{number}:\n  :submitters:\n  - :name: {name}\n");
        let all = std::fs::read_to_string(folder.path().join("class/submission_metadata.yml")).unwrap_or_default();
        write(folder.path(), "class/submission_metadata.yml", &(all + &list));
    }
    write(folder.path(), "class/submission_103/readme.txt", "I forgot\n");
    let found = |named: &[&str]| {
        let (_, document) = contest(&folder, named);
        let all = ["ranking", "rejected"].map(|list| names(&document, list));
        (all.concat(), document["helpers"].as_array().unwrap().len(), document["rejected"].to_string())
    };
    let named = ["101", "102", "103"].map(|number| format!("class/submission_{number}"));
    let named = [&named[0], &named[1], &named[2], "class/submission_metadata.yml"];
    assert_eq!(found(&["class"]).0, ["Ada", "Bob", "submission_103"]);
    assert!(found(&["class"]).2.contains("it holds no strategy: readme.txt has no rolls"), "{}", found(&["class"]).2);
    assert_eq!(found(&named), found(&["class"]));
    std::fs::remove_file(folder.path().join("class/submission_metadata.yml")).unwrap();
    assert_eq!(found(&["class"]).0, ["submission_101", "submission_102", "submission_103"]);
    assert_eq!(found(&named[..3]), found(&["class"]));
}

#[test]
fn a_folder_of_one_entrant_has_the_same_name_with_and_without_results() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "submission_101/hog.txt", &table(4));
    for more in [&[][..], &["--results", "results.json"]] {
        let (_, document) = contest(&folder, &[&["submission_101", "always_roll:5"], more].concat());
        assert_eq!(names(&document, "ranking"), ["always_roll:5", "submission_101"]);
    }
    write(folder.path(), "mine/hog.txt", &table(4));
    write(folder.path(), "mine/second.txt", &table(5));
    assert_eq!(names(&contest(&folder, &["mine"]).1, "ranking"), ["hog", "second"], "a folder of files");
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a/roll.txt", &table(4));
    write(folder.path(), "in/d/readme.md", "");
    std::os::unix::fs::symlink(folder.path().join("in/a"), folder.path().join("in/b")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("in/a/roll.txt"), folder.path().join("in/c.txt")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("in/a/roll.txt"), folder.path().join("in/d/roll.txt")).unwrap();
    let (output, document) = contest(&folder, &["in"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        (names(&document, "ranking"), names(&document, "rejected")),
        (vec!["a".into()], vec!["b".into(), "c".into(), "d".into()])
    );
    let reasons: Vec<&str> =
        document["rejected"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
    assert!(reasons.iter().all(|reason| reason.contains("a link")), "{reasons:?}");
    assert!(
        reasons.iter().any(|reason| reason.contains("roll.txt is a link, and links are not followed")),
        "{reasons:?}"
    );
}

#[test]
fn a_folder_with_several_strategies_is_rejected_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/two/a.txt", &table(4));
    write(folder.path(), "in/two/b.txt", &table(5));
    write(folder.path(), "in/functions/a.py", "def final_strategy(s, o): return 4\n");
    write(folder.path(), "in/functions/b.py", "def final_strategy(s, o): return 5\n");
    write(folder.path(), "in/misnamed/a.py", "def strategy(s, o): return 4\n");
    write(folder.path(), "in/misnamed/b.py", "import a\n");
    write(folder.path(), "in/bots/four.txt", &table(4));
    let (_, document) = contest(&folder, &["in"]);
    let reason = |name: &str| {
        let rejected = document["rejected"].as_array().unwrap();
        rejected.iter().find(|one| one["name"] == name).unwrap()["reason"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason("two"), "which of its files is the strategy: a.txt, b.txt? hand in one");
    assert_eq!(reason("functions"), "more than one file defines `final_strategy`: a.py, b.py; hand in one");
    assert_eq!(reason("misnamed"), "no file defines `final_strategy`: it holds a.py, b.py");
}

/// The folder of an unpacked archive has another name each time, so kept answers would never be found again.
#[test]
fn answers_of_files_in_archives_are_not_kept() {
    if !runs_python() {
        return;
    }
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let rolls = |dice: i32| format!("def final_strategy(score, opponent_score):\n    return {dice}\n");
    zip(folder.path(), "all.zip", &[("ada.py", &rolls(4)), ("bob.py", &rolls(5))]);
    zip(folder.path(), "files/eve.zip", &[("hog.py", &rolls(6))]);
    write(folder.path(), "files/zoe/hog.py", &rolls(7));
    for (named, kept) in [("all.zip", 0), ("files/eve.zip", 0), ("files", 1)] {
        let output = super::hog(&["contest", "fa21", "--goal", "20", named])
            .current_dir(&folder)
            .env("XDG_CACHE_HOME", cache.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{named}: {}", String::from_utf8_lossy(&output.stderr));
        let entries = std::fs::read_dir(cache.path().join("hog/answers")).map_or(0, Iterator::count);
        assert_eq!(entries, kept, "{named}");
    }
}

/// Names of files need not be text, and a folder may have many long ones.
#[cfg(target_os = "linux")]
#[test]
fn a_notebook_without_a_strategy_is_rejected_with_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    for notebook in ["flat/eve.ipynb", "each/eve/hog.ipynb", "each/bob/hog.ipynb"] {
        write(folder.path(), notebook, "{}");
    }
    for table_of in ["flat/ada.txt", "each/ada/hog.txt", "each/bob/hog.txt"] {
        write(folder.path(), table_of, &table(4));
    }
    zip(folder.path(), "flat.zip", &[("ada.txt", &table(4)), ("bob.txt", &table(5)), ("eve.ipynb", "{}")]);
    for (named, entrants) in [
        (&["flat"][..], &["ada"][..]),
        (&["each"], &["ada", "bob"]),
        (&["each/ada", "each/eve"], &["ada"]),
        (&["flat.zip"], &["ada", "bob"]),
        (&["flat/ada.txt", "flat/eve.ipynb"], &["ada"]),
    ] {
        let (output, document) = contest(&folder, named);
        assert_eq!(output.status.code(), Some(1), "{named:?}");
        assert_eq!(
            (names(&document, "ranking"), names(&document, "rejected").join(" ")),
            (entrants.iter().map(ToString::to_string).collect(), "eve".to_owned()),
            "{named:?}"
        );
        let reason = document["rejected"][0]["reason"].as_str().unwrap();
        assert!(reason.contains("no cell of the notebook defines `final_strategy`"), "{reason}");
    }
}

#[test]
fn no_names_of_files_stop_a_contest() {
    use std::os::unix::ffi::OsStrExt;
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bytes = std::ffi::OsStr::from_bytes;
    let rolls = "def final_strategy(score, opponent_score):\n    return 4\n";
    for name in ["in/good", "in/evil", "in/long"] {
        write(folder.path(), &format!("{name}/hog.py"), rolls);
    }
    std::fs::write(folder.path().join("in/evil").join(bytes(b"z\xff.txt")), "").unwrap();
    std::fs::create_dir(folder.path().join("in").join(bytes(b"own\xfe"))).unwrap();
    std::fs::write(folder.path().join("in").join(bytes(b"own\xfe/hog.py")), rolls).unwrap();
    for number in 0..900 {
        write(folder.path(), &format!("in/long/{number:0>240}.txt"), "");
    }
    let (output, document) = contest(&folder, &["in"]);
    assert_eq!(output.status.code(), Some(0), "{document}");
    assert_eq!(names(&document, "ranking"), ["evil", "good", "long", "own\u{fffd}"]);
}

#[test]
fn nobody_who_handed_something_in_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let unread = ["ben/.hidden.py", "cleo/hog.rar", "dan/__MACOSX/hog.py"];
    let class = || [("ada/roll.txt", table(4))].into_iter().chain(unread.map(|path| (path, "x".into())));
    for (path, text) in class() {
        write(folder.path(), &format!("class/{path}"), &text);
        write(folder.path(), &format!("flat/{}", path.replace(['/'], "_")), &text);
    }
    std::fs::create_dir(folder.path().join("class/eve")).unwrap();
    let mut all = ZipWriter::new(std::fs::File::create(folder.path().join("class.zip")).unwrap());
    for (path, text) in class() {
        all.start_file(path, SimpleFileOptions::default()).unwrap();
        all.write_all(text.as_bytes()).unwrap();
    }
    all.add_directory("eve/", SimpleFileOptions::default()).unwrap();
    all.finish().unwrap();
    for named in ["class", "class.zip"] {
        let document = contest(&folder, &[named]).1;
        assert_eq!(names(&document, "ranking"), ["ada"], "{named}");
        assert_eq!(names(&document, "rejected"), ["ben", "cleo", "dan", "eve"], "{named}: {document}");
        assert!(document["rejected"][1]["reason"].as_str().unwrap().contains("hog.rar ends in `.rar`"), "{document}");
    }
    let flat = contest(&folder, &["flat"]).1;
    assert!(names(&flat, "rejected").contains(&"cleo_hog".to_owned()), "{flat}");
}

#[test]
fn an_archive_named_first_is_one_entrant_in_results() {
    let folder = tempfile::tempdir().unwrap();
    zip(folder.path(), "eli.zip", &[("a.txt", &table(4)), ("b.txt", &table(5))]);
    let (_, document) = contest(&folder, &["eli.zip", "optimal", "--results", "results.json"]);
    assert_eq!(
        (names(&document, "ranking"), names(&document, "rejected")),
        (vec!["optimal".into()], vec!["eli".into()])
    );
    let results: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("results.json")).unwrap()).unwrap();
    assert_eq!(results["extra_data"]["rejected"], document["rejected"][0], "it says whose submission it is");
}

#[test]
fn two_files_of_one_name_are_not_chosen_between() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let strategy = "def final_strategy(score, opponent_score):\n    return 4\n";
    for path in ["class/cem/draft/hog.py", "class/cem/final/hog.py", "class/ann/hog.py", "class/ann/old/hog.py"] {
        write(folder.path(), path, strategy);
    }
    write(folder.path(), "class/dee/hog.py", "def roll_dice(num_rolls): return 1\n");
    write(folder.path(), "class/dee/final.txt", &table(5));
    let (_, document) = contest(&folder, &["class"]);
    assert_eq!(
        (names(&document, "ranking"), names(&document, "rejected")),
        (["ann", "dee"].map(String::from).to_vec(), vec!["cem".into()])
    );
    assert!(document["rejected"][0]["reason"].as_str().unwrap().contains("draft/hog.py, final/hog.py"), "{document}");
    assert!(document["helpers"].to_string().contains("ann/old/hog.py"), "{document}");
}

#[test]
fn all_of_a_team_are_on_the_roster() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "class/submission_1/roll.txt", &table(4));
    write(folder.path(), "class/pigs/roll.txt", &table(5));
    let people = ["Bob Lee", "Cy Young"].map(|name| format!("  - :name: {name}\n"));
    write(
        folder.path(),
        "class/submission_metadata.yml",
        &format!("submission_1:\n  :submitters:\n{}", people.concat()),
    );
    write(folder.path(), "roster.csv", "Name,Team\nBob Lee,\nCy Young,\nAda,pigs\nZoe,pigs\nMax,\n");
    let (_, document) = contest(&folder, &["class", "--roster", "roster.csv"]);
    assert_eq!(names(&document, "ranking"), ["Ada and Zoe", "Bob Lee and Cy Young"], "{document}");
    assert_eq!(document["absent"], serde_json::json!(["Max"]));
}
