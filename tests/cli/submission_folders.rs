//! Submissions as folders: archives in a folder, folders named one by one, links, several
//! strategies in one.

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
    zip(
        folder.path(),
        "files/ada.zip",
        &[("hog/roll.txt", &table(4)), ("hog/readme.txt", "Roll 4!")],
    );
    zip(folder.path(), "files/bob.zip", &[("final.txt", &table(5))]);
    zip(folder.path(), "files/eve.zip", &[("notes.md", "I forgot")]);
    write(folder.path(), "files/zoe.zip", "not an archive");
    write(folder.path(), "roster.csv", "name,file\nBob,bob\n");
    let inner = ["ada", "bob", "eve", "zoe"]
        .map(|name| std::fs::read(folder.path().join(format!("files/{name}.zip"))));
    let mut all = ZipWriter::new(std::fs::File::create(folder.path().join("all.zip")).unwrap());
    for (name, bytes) in ["ada", "bob", "eve", "zoe"].into_iter().zip(inner) {
        all.start_file(format!("{name}.zip"), SimpleFileOptions::default()).unwrap();
        all.write_all(&bytes.unwrap()).unwrap();
    }
    all.finish().unwrap();
    let one_by_one = ["files/ada.zip", "files/bob.zip", "files/eve.zip"];
    write(folder.path(), "more/roll.txt", &table(6));
    let with_another_folder = contest(&folder, &["--each-in", "files", "more"]).1;
    assert_eq!(names(&with_another_folder, "ranking"), ["ada", "bob", "more"]);
    write(folder.path(), "mixed/hog.txt", &table(7));
    std::fs::copy(folder.path().join("files/ada.zip"), folder.path().join("mixed/ada.zip"))
        .unwrap();
    assert_eq!(names(&contest(&folder, &["mixed"]).1, "ranking"), ["ada", "hog"]);
    for (named, rejected) in [(&["files"][..], 2), (&["all.zip"], 2), (&one_by_one, 1)] {
        let (output, document) = contest(&folder, &[named, &["--roster", "roster.csv"]].concat());
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(names(&document, "ranking"), ["Bob", "ada"], "{named:?}");
        assert_eq!(names(&document, "rejected"), ["eve", "zoe"][..rejected], "{named:?}");
        assert!(
            document["rejected"][0]["reason"].as_str().unwrap().starts_with("it holds no strategy"),
            "{document}"
        );
    }
}

#[test]
fn folders_named_one_by_one_are_taken_as_the_folder_that_holds_them_takes_them() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let strategy =
        "import weights\ndef final_strategy(score, opponent_score):\n    return weights.dice\n";
    for (number, name) in [(101, "Ada"), (102, "Bob")] {
        let at = |file: &str| format!("class/submission_{number}/{file}");
        write(folder.path(), &at("hog.py"), strategy);
        write(folder.path(), &at("weights.py"), &format!("dice = {}\n", number - 98));
        write(folder.path(), &at("helper.py"), "def helper(): return 1\n");
        write(folder.path(), &at("data.csv"), "a,b\n1,2\n");
        let list = format!("submission_{number}:\n  :submitters:\n  - :name: {name}\n");
        let all = std::fs::read_to_string(folder.path().join("class/submission_metadata.yml"))
            .unwrap_or_default();
        write(folder.path(), "class/submission_metadata.yml", &(all + &list));
    }
    write(folder.path(), "class/submission_103/readme.txt", "I forgot\n");
    let found = |named: &[&str]| {
        let (_, document) = contest(&folder, named);
        let all = ["ranking", "rejected"].map(|list| names(&document, list));
        (
            all.concat(),
            document["helpers"].as_array().unwrap().len(),
            document["rejected"].to_string(),
        )
    };
    let named = ["101", "102", "103"].map(|number| format!("class/submission_{number}"));
    let named = [&named[0], &named[1], &named[2], "class/submission_metadata.yml"];
    assert_eq!(found(&["class"]).0, ["Ada", "Bob", "submission_103"]);
    assert!(
        found(&["class"]).2.contains("it holds no strategy: readme.txt has no rolls"),
        "{}",
        found(&["class"]).2
    );
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
        let (_, document) =
            contest(&folder, &[&["submission_101", "always_roll:5"], more].concat());
        assert_eq!(names(&document, "ranking"), ["always_roll:5", "submission_101"]);
    }
    write(folder.path(), "mine/hog.txt", &table(4));
    write(folder.path(), "mine/second.txt", &table(5));
    assert_eq!(
        names(&contest(&folder, &["mine"]).1, "ranking"),
        ["hog", "second"],
        "a folder of files"
    );
}

/// Sends thirty strategies in one upload.
fn thirty() -> Vec<(String, String)> {
    (0..30).map(|number| (format!("sybil{number}/hog.txt"), table(number % 11))).collect()
}

#[test]
fn a_path_among_others_is_one_entrant() {
    let folder = tempfile::tempdir().unwrap();
    let thirty = thirty();
    for (name, text) in &thirty {
        write(folder.path(), &format!("repos/eve/{name}"), text);
    }
    write(folder.path(), "repos/ada/hog.txt", &table(4));
    write(folder.path(), "repos/bob.txt", &table(5));
    let entries: Vec<(&str, &str)> = thirty.iter().map(|(name, text)| (&**name, &**text)).collect();
    zip(folder.path(), "zips/eve.zip", &entries);
    zip(folder.path(), "zips/ada.zip", &[("hog.txt", &table(4))]);
    write(folder.path(), "zips/bob.txt", &table(5));
    write(folder.path(), "zips/max.zip", "not an archive");
    for named in [
        &["repos/ada", "repos/eve", "repos/bob.txt"][..],
        &["repos"],
        &["zips/eve.zip", "zips/ada.zip", "zips/bob.txt"],
        &["zips"],
        &["zips/bob.txt", "--each-in", "zips"],
    ] {
        let (output, document) = contest(&folder, named);
        assert_eq!(output.status.code(), Some(1), "{named:?}");
        assert_eq!(names(&document, "ranking"), ["ada", "bob"], "{named:?}");
        let eve = document["rejected"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["name"] == "eve")
            .unwrap();
        let reason = eve["reason"].as_str().unwrap();
        assert!(reason.contains("27 more?"), "it says what is in it: {reason}");
        let is_named = named.iter().any(|name| name.contains("eve"));
        assert_eq!(eve["may_hold_several"], is_named, "the user may have meant it otherwise");
    }
    // The only path, and a path of which it is said, hold a submission in each of their folders.
    for named in [
        &["repos/eve"][..],
        &["--each-in", "repos/eve", "zips/ada.zip"],
        &["zips/eve.zip", "optimal"],
    ] {
        assert!(names(&contest(&folder, named).1, "ranking").len() >= 30, "{named:?}");
    }
    let (_, document) = contest(&folder, &["zips/eve.zip", "optimal", "--results", "results.json"]);
    assert_eq!(
        names(&document, "rejected"),
        ["eve"],
        "an autograder's submission is one entrant's"
    );
    for (wrong, reason) in [("nope", "nope"), ("zips/bob.txt", "not a folder or .zip archive")] {
        super::assert_refused(&["contest", "su15", "--goal", "10", "--each-in", wrong], &[reason]);
    }
    let (_, document) = contest(&folder, &["zips/ada.zip", "zips/max.zip"]);
    assert_eq!(
        (names(&document, "ranking"), names(&document, "rejected")),
        (vec!["ada".into()], vec!["max".into()])
    );
}

#[test]
fn an_export_among_other_paths_is_not_taken_for_one_entrant() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "export/submission_1/hog.txt", &table(4));
    write(
        folder.path(),
        "export/submission_metadata.yml",
        "submission_1:\n  :submitters:\n  - :name: Ada\n",
    );
    write(folder.path(), "bot.txt", &table(5));
    let (output, document) = contest(&folder, &["export", "bot.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        (names(&document, "ranking"), names(&document, "rejected")),
        (vec!["bot".into()], vec!["export".into()])
    );
    assert!(document["rejected"][0]["may_hold_several"] == true, "{document}");
    for named in [&["export", "optimal"][..], &["--each-in", "export", "optimal"]] {
        assert_eq!(names(&contest(&folder, named).1, "ranking"), ["Ada", "optimal"], "{named:?}");
    }
    zip(
        folder.path(),
        "export.zip",
        &[
            ("export/submission_1/one/hog.txt", &table(4)),
            ("export/submission_1/two/hog.txt", &table(5)),
            ("export/submission_metadata.yml", "submission_1:\n  :submitters:\n  - :name: Ada\n"),
        ],
    );
    let (_, document) = contest(&folder, &["export.zip", "bot.txt"]);
    assert!(document["rejected"][0]["may_hold_several"] == true, "{document}");
    let (_, document) = contest(&folder, &["export.zip", "optimal"]);
    assert_eq!(
        names(&document, "rejected"),
        ["Ada"],
        "an export of one submission is that of one entrant: {document}"
    );
}

#[test]
fn what_is_skipped_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["class/ada.txt", "class/bob/hog.txt"] {
        write(folder.path(), name, &table(4));
    }
    for name in ["class/eve.md", "class/.hidden", "class/dice.pkl"] {
        write(folder.path(), name, "x");
    }
    zip(
        folder.path(),
        "class.zip",
        &[
            ("a/ada.txt", &table(4)),
            ("a/bob/hog.txt", &table(4)),
            ("a/eve.md", "x"),
            ("a/dice.pkl", "x"),
        ],
    );
    for (named, place) in [("class", ""), ("class.zip", "a/")] {
        let (output, document) = contest(&folder, &[named]);
        assert_eq!(output.status.code(), Some(0));
        let expected = ["dice.pkl", "eve.md"].map(|name| format!("{place}{name}"));
        assert_eq!(document["skipped"], serde_json::json!(expected), "{named}");
    }
    let output = super::hog(&["contest", "su15", "class", "--goal", "10"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("2 files are skipped") && text.contains("dice.pkl, eve.md"), "{text}");
}

/// A bare file in a folder of others' work reads none of it, however the folder and the file are
/// named.
#[cfg(target_os = "linux")]
#[test]
fn an_entrant_reads_only_its_own_files() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let others = [
        "bob.ipynb",
        "cem.docx",
        "data.json",
        "dan.py",
        "max.zip",
        "roster.xlsx",
        "eva.txt",
        "sub/own.py",
    ];
    let cheat = format!(
        r"import os
found, names, folder = [], {others:?}, os.path.dirname(__file__)
for place in [folder, '.', folder + '/sub']:
    try:
        names += os.listdir(place)
    except OSError:
        pass
for name in names:
    try:
        found.append(open(os.path.join(folder, name)).read())
    except OSError:
        pass
found = [text for text in found if text.startswith('SECRET')]
if found:
    raise Exception(found)
def final_strategy(score, opponent_score):
    return 4
"
    );
    // The name of a bare file may be one that a project has.
    for own in ["cheat.py", "hog.py"] {
        for other in others {
            std::fs::create_dir_all(folder.path().join("class/sub")).unwrap();
            write(folder.path(), &format!("class/{other}"), "SECRET = 'def'\n");
        }
        write(folder.path(), &format!("class/{own}"), &cheat);
        let bare = format!("class/{own}");
        let all: Vec<String> = others.iter().map(|name| format!("class/{name}")).collect();
        let each: Vec<&str> = [&*bare].into_iter().chain(all.iter().map(|name| &**name)).collect();
        // Named by mistake as one entrant's, the folder is none.
        write(folder.path(), "bot.txt", &table(4));
        let (_, document) = contest(&folder, &["class", "bot.txt"]);
        assert_eq!(names(&document, "rejected"), ["class"], "{document}");
        assert!(document["rejected"][0]["may_hold_several"] == true, "{document}");
        for named in [&["class"][..], &["--each-in", "class"], &[&*bare], &each] {
            let (_, document) = contest(&folder, named);
            let stem = own.trim_end_matches(".py");
            assert!(
                names(&document, "ranking").contains(&stem.to_owned()),
                "{named:?}: {document}"
            );
            assert!(!document.to_string().contains("SECRET ="), "{named:?}: {document}");
        }
        std::fs::remove_dir_all(folder.path().join("class")).unwrap();
    }
    // A folder of its own, in a class or named, and an archive hold what belongs to it.
    let strategy =
        "import weights\ndef final_strategy(score, opponent_score):\n    return weights.dice\n";
    let entries = [("hog.py", strategy), ("weights.py", "dice = 5\n")];
    for (name, text) in entries {
        write(folder.path(), &format!("class/ada/{name}"), text);
    }
    zip(folder.path(), "class/bob.zip", &entries);
    for named in [&["class"][..], &["class/ada", "class/bob.zip"]] {
        assert_eq!(names(&contest(&folder, named).1, "ranking"), ["ada", "bob"], "{named:?}");
    }
    let (_, document) = contest(&folder, &["class/ada/hog.py"]);
    let reason = document["rejected"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("weights") && reason.contains("folder or .zip archive of its own"),
        "{reason}"
    );
}

/// Writes an archive with an entry of zeros, which inflates to a thousand times its size, beside
/// these entries.
fn bomb(folder: &Path, name: &str, (entry, mebibytes): (&str, usize), entries: &[(&str, &str)]) {
    let mut zip = ZipWriter::new(std::fs::File::create(folder.join(name)).unwrap());
    for (entry, text) in entries {
        zip.start_file(*entry, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.start_file(entry, SimpleFileOptions::default()).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..mebibytes {
        zip.write_all(&zeros).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn an_archive_that_inflates_is_refused_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("class")).unwrap();
    for (name, dice) in [("ada", 4), ("zoe", 5)] {
        zip(folder.path(), &format!("class/{name}.zip"), &[("hog.txt", &table(dice))]);
    }
    bomb(folder.path(), "class/eve.zip", ("data.bin", 65), &[("hog.txt", &table(6))]);
    let all = ["ada", "eve", "zoe"].map(|name| format!("class/{name}.zip"));
    let nested =
        [("ada/hog.txt", &*table(4)), ("zoe/hog.txt", &table(5)), ("eve/hog.txt", &table(6))];
    bomb(folder.path(), "class.zip", ("eve/data.bin", 65), &nested);
    let list = "submission_1:\n  :submitters:\n  - :name: ada\n\
     submission_2:\n  :submitters:\n  - :name: zoe\n\
                submission_3:\n  :submitters:\n  - :name: eve\n";
    let mut many =
        ZipWriter::new(std::fs::File::create(folder.path().join("gradescope.zip")).unwrap());
    for (number, dice) in [(1, 4), (2, 5), (3, 6)] {
        many.start_file(
            format!("export/submission_{number}/hog.txt"),
            SimpleFileOptions::default(),
        )
        .unwrap();
        many.write_all(table(dice).as_bytes()).unwrap();
    }
    for number in 0..20_000 {
        many.start_file(format!("export/submission_3/{number}.md"), SimpleFileOptions::default())
            .unwrap();
    }
    many.start_file("export/submission_metadata.yml", SimpleFileOptions::default()).unwrap();
    many.write_all(list.as_bytes()).unwrap();
    many.finish().unwrap();
    for named in
        [&["class"][..], &all.each_ref().map(|name| &**name), &["class.zip"], &["gradescope.zip"]]
    {
        let (output, document) = contest(&folder, named);
        assert_eq!(output.status.code(), Some(1), "{named:?}");
        assert_eq!(names(&document, "ranking"), ["ada", "zoe"], "{named:?}: {document}");
        assert_eq!(names(&document, "rejected"), ["eve"], "{named:?}");
    }
}

#[test]
fn a_link_in_an_archive_is_called_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let link = |name: &str, entry: &str, beside: &[(&str, &str)]| {
        let mut zip = ZipWriter::new(std::fs::File::create(folder.path().join(name)).unwrap());
        zip.add_symlink(entry, "/etc/passwd", SimpleFileOptions::default()).unwrap();
        for (entry, text) in beside {
            zip.start_file(*entry, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
    };
    let ada = table(4);
    let beside = [("ada/hog.txt", &*ada), ("bob/hog.txt", &*ada)];
    link("inner.zip", "eve/hog.py", &beside);
    link("whole.zip", "eve", &beside);
    link("file.zip", "eve.py", &beside);
    for named in ["inner.zip", "whole.zip", "file.zip"] {
        let (_, document) = contest(&folder, &[named]);
        assert_eq!(names(&document, "ranking"), ["ada", "bob"], "{named}");
        assert_eq!(names(&document, "rejected"), ["eve"], "{named}: {document}");
        let reason = document["rejected"][0]["reason"].as_str().unwrap();
        assert!(reason.contains("is a link"), "{named}: {reason}");
    }
    link("eve.zip", "hog.py", &[]);
    let (_, document) = contest(&folder, &["eve.zip", "inner.zip"]);
    let reason = document["rejected"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("hog.py is a link"), "{reason}");
}

#[test]
fn a_damaged_list_of_submitters_refuses_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let mut zip = ZipWriter::new(std::fs::File::create(folder.path().join("all.zip")).unwrap());
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in
        [("submission_1/hog.txt", &*table(4)), ("submission_metadata.yml", "DAMAGED")]
    {
        zip.start_file(name, stored).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let mut bytes = std::fs::read(folder.path().join("all.zip")).unwrap();
    let at = bytes.windows(7).position(|part| part == b"DAMAGED").unwrap();
    bytes[at] = b'd';
    std::fs::write(folder.path().join("all.zip"), bytes).unwrap();
    let (output, document) = contest(&folder, &["all.zip"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(names(&document, "ranking"), ["submission_1"]);
    assert_eq!(names(&document, "rejected"), ["submission_metadata.yml"]);
}

#[test]
fn modules_of_the_course_are_told_by_where_they_come_from() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let rest = "def final_strategy(score, opponent_score):\n    return 4\n";
    for (entrant, import) in [
        ("ada", "from compare_strategies import x"),
        ("bob", "import hog"),
        ("cem", "import torchvision9"),
    ] {
        write(
            folder.path(),
            &format!("class/{entrant}/hog_contest.py"),
            &format!("{import}\n{rest}"),
        );
    }
    let (_, document) = contest(&folder, &["class"]);
    let reasons = document["rejected"].as_array().unwrap();
    let reasons: Vec<&str> = reasons.iter().map(|one| one["reason"].as_str().unwrap()).collect();
    assert!(
        reasons[0].contains("compare_strategies comes with") && reasons[0].contains("contest"),
        "{reasons:?}"
    );
    assert!(reasons[1].contains("hog comes with") && reasons[1].contains("project"), "{reasons:?}");
    assert!(
        reasons[2].contains("leave it out") && !reasons[2].contains("comes with"),
        "{reasons:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a/roll.txt", &table(4));
    write(folder.path(), "in/d/readme.md", "");
    std::os::unix::fs::symlink(folder.path().join("in/a"), folder.path().join("in/b")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("in/a/roll.txt"), folder.path().join("in/c.txt"))
        .unwrap();
    std::os::unix::fs::symlink(
        folder.path().join("in/a/roll.txt"),
        folder.path().join("in/d/roll.txt"),
    )
    .unwrap();
    let (output, document) = contest(&folder, &["in"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        (names(&document, "ranking"), names(&document, "rejected")),
        (vec!["a".into()], vec!["b".into(), "c".into(), "d".into()])
    );
    let reasons: Vec<&str> = document["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["reason"].as_str().unwrap())
        .collect();
    assert!(reasons.iter().all(|reason| reason.contains("a link")), "{reasons:?}");
    assert!(
        reasons
            .iter()
            .any(|reason| reason.contains("roll.txt is a link, and links are not followed")),
        "{reasons:?}"
    );
}

/// Found with a pattern such as `submissions/*`: the first of those that share a file would be kept.
#[test]
fn a_link_among_several_paths_takes_nothing_from_the_one_that_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    for (name, dice) in [("bob", 5), ("carl", 4)] {
        write(folder.path(), &format!("folders/{name}/roll.txt"), &table(dice));
        write(folder.path(), &format!("files/{name}.txt"), &table(dice));
    }
    std::os::unix::fs::symlink("bob", folder.path().join("folders/alice")).unwrap();
    std::os::unix::fs::symlink("bob.txt", folder.path().join("files/alice.txt")).unwrap();
    for paths in [
        ["folders/alice", "folders/bob", "folders/carl"],
        ["files/alice.txt", "files/bob.txt", "files/carl.txt"],
    ] {
        let document = contest(&folder, &paths).1;
        assert_eq!(names(&document, "ranking"), ["bob", "carl"], "{document}");
        assert_eq!(names(&document, "rejected"), ["alice"], "{document}");
    }
    // A link that is the only path is the user's own.
    let only = contest(&folder, &["files/alice.txt", "always_roll:4"]).1;
    assert_eq!(names(&only, "ranking"), ["alice", "always_roll:4"], "{only}");
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
        rejected.iter().find(|one| one["name"] == name).unwrap()["reason"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(reason("two"), "which of its files is the strategy: a.txt, b.txt? hand in one");
    assert_eq!(
        reason("functions"),
        "more than one file defines `final_strategy`: a.py, b.py; hand in one"
    );
    assert_eq!(reason("misnamed"), "no file defines `final_strategy`: it holds a.py, b.py");
}

/// The folder of an unpacked archive has another name each time; its path in the archive has not.
#[test]
fn answers_of_files_in_archives_are_kept() {
    if !runs_python() {
        return;
    }
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let rolls =
        |dice: i32| format!("def final_strategy(score, opponent_score):\n    return {dice}\n");
    zip(folder.path(), "all.zip", &[("ada.py", &rolls(4)), ("bob.py", &rolls(5))]);
    zip(folder.path(), "files/eve.zip", &[("hog.py", &rolls(6))]);
    write(folder.path(), "files/zoe/hog.py", &rolls(7));
    // The first is the description of the interpreter.
    let kept = || std::fs::read_dir(cache.path().join("hog/answers")).map_or(1, Iterator::count);
    for (named, entrants) in [("all.zip", 2), ("files", 2)] {
        for new in [entrants, 0] {
            let before = kept();
            let output = super::hog(&["contest", "fa21", "--goal", "20", named])
                .current_dir(&folder)
                .env("XDG_CACHE_HOME", cache.path())
                .output()
                .unwrap();
            assert!(
                output.status.success(),
                "{named}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert_eq!(kept() - before, new, "{named}");
        }
    }
}

#[test]
fn notes_beside_the_submissions_are_skipped_unless_a_system_says_whose_they_are() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "class/ada.txt", &table(4));
    write(folder.path(), "class/bob.txt", &table(5));
    write(folder.path(), "class/notes.txt", "collected on 3 May");
    let (output, document) = contest(&folder, &["class"]);
    assert_eq!(output.status.code(), Some(0), "{document}");
    assert_eq!(names(&document, "ranking"), ["ada", "bob"]);
    assert_eq!(document["skipped"], serde_json::json!(["notes.txt"]));
    write(folder.path(), "class/small_4713_998879_essay.txt", "I forgot");
    let (output, document) = contest(&folder, &["class"]);
    assert_eq!(output.status.code(), Some(1), "{document}");
    assert_eq!(names(&document, "rejected"), ["small_4713_998879_essay"]);
}

#[test]
fn folders_and_archives_of_one_name_are_called_after_the_folders_that_hold_them() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "x/hog/hog.txt", &table(4));
    write(folder.path(), "y/hog/hog.txt", &table(5));
    zip(folder.path(), "z/hog.zip", &[("hog.txt", &table(6))]);
    let named = contest(&folder, &["x/hog", "y/hog", "z/hog.zip"]).1;
    let mut shown = names(&named, "ranking");
    shown.sort_unstable();
    assert_eq!(shown, ["x/hog", "y/hog", "z/hog"]);
}

#[test]
fn a_name_is_read_in_the_encoding_that_its_file_declares() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, encoding, written) in [
        ("one", "latin-1", &b"J\xe9r\xf4me"[..]),
        ("two", "cp1252", b"\x93Z\xe9\x94"),
        ("three", "gbk", b"\xc4\xe3\xba\xc3"),
    ] {
        let head = format!("# -*- coding: {encoding} -*-\nPLAYER_NAME, LIMIT = \"");
        let tail = b"\", 50\ndef final_strategy(score, opponent_score):\n    return 4\n";
        std::fs::create_dir_all(folder.path().join(format!("class/{name}"))).unwrap();
        let file = folder.path().join(format!("class/{name}/hog.py"));
        std::fs::write(file, [head.as_bytes(), written, tail].concat()).unwrap();
    }
    let mut shown = names(&contest(&folder, &["class"]).1, "ranking");
    shown.sort_unstable();
    assert_eq!(shown, ["J\u{e9}r\u{f4}me", "\u{201c}Z\u{e9}\u{201d}", "\u{4f60}\u{597d}"]);
}

/// Names of files need not be text, and a folder may have many long ones.
#[cfg(target_os = "linux")]
#[test]
fn a_notebook_without_a_strategy_is_rejected_with_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    for notebook in ["flat/eve.ipynb", "each/eve/hog.ipynb", "each/bob/hog.ipynb"] {
        write(folder.path(), notebook, r#"{"cells": []}"#);
    }
    for table_of in ["flat/ada.txt", "each/ada/hog.txt", "each/bob/hog.txt"] {
        write(folder.path(), table_of, &table(4));
    }
    zip(
        folder.path(),
        "flat.zip",
        &[("ada.txt", &table(4)), ("bob.txt", &table(5)), ("eve.ipynb", r#"{"cells": []}"#)],
    );
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
    let class =
        || [("ada/roll.txt", table(4))].into_iter().chain(unread.map(|path| (path, "x".into())));
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
        assert_eq!(
            names(&document, "rejected"),
            ["ben", "cleo", "dan", "eve"],
            "{named}: {document}"
        );
        assert!(
            document["rejected"][1]["reason"].as_str().unwrap().contains("hog.rar ends in `.rar`"),
            "{document}"
        );
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
        serde_json::from_slice(&std::fs::read(folder.path().join("results.json")).unwrap())
            .unwrap();
    assert_eq!(
        results["extra_data"]["rejected"], document["rejected"][0],
        "it says whose submission it is"
    );
}

#[test]
fn two_files_of_one_name_are_not_chosen_between() {
    if !runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let strategy = "def final_strategy(score, opponent_score):\n    return 4\n";
    for path in [
        "class/cem/draft/hog.py",
        "class/cem/final/hog.py",
        "class/ann/hog.py",
        "class/ann/old/hog.py",
    ] {
        write(folder.path(), path, strategy);
    }
    write(folder.path(), "class/dee/hog.py", "def roll_dice(num_rolls): return 1\n");
    write(folder.path(), "class/dee/final.txt", &table(5));
    let (_, document) = contest(&folder, &["class"]);
    assert_eq!(
        (names(&document, "ranking"), names(&document, "rejected")),
        (["ann", "dee"].map(String::from).to_vec(), vec!["cem".into()])
    );
    assert!(
        document["rejected"][0]["reason"].as_str().unwrap().contains("draft/hog.py, final/hog.py"),
        "{document}"
    );
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
    write(
        folder.path(),
        "roster.csv",
        "Name,Team\nBob Lee,\nCy Young,\nAda,pigs\nZoe,pigs\nMax,\n",
    );
    let (_, document) = contest(&folder, &["class", "--roster", "roster.csv"]);
    assert_eq!(names(&document, "ranking"), ["Ada and Zoe", "Bob Lee and Cy Young"], "{document}");
    assert_eq!(document["absent"], serde_json::json!(["Max"]));
}
