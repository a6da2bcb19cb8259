//! `hog contest`, `hog try`, strategies in files, and tables that see only scores, as scripts
//! use them.

use std::path::{Path, PathBuf};

use super::{assert_refused, hog, json, text};
use tempfile::TempDir;

/// Makes a folder with two sound strategies, two faulty ones and a file that is not a strategy.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("four.txt", &"4 ".repeat(20).trim().to_owned().add_lines(20));
    write("six.txt", &"6".repeat(20).add_lines(20));
    write("short.txt", "4 4 4\n");
    write("notes.md", "no strategy\n");
    write("table.csv", "score,dice\n0,4\n");
    folder
}

trait AddLines {
    fn add_lines(self, count: usize) -> String;
}

impl AddLines for String {
    fn add_lines(self, count: usize) -> String {
        vec![self; count].join("\n") + "\n"
    }
}

fn shown(path: impl AsRef<Path>) -> String {
    path.as_ref().display().to_string()
}

#[test]
fn a_contest_ranks_entrants_lists_rejected_ones_and_writes_all_formats() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let outputs: Vec<PathBuf> = ["all.csv", "all.md", "all.json"].map(at).into();
    let mut command = hog(&[
        "contest",
        "fa21",
        &shown(folder.path()),
        "optimal",
        "--goal",
        "20",
        "--format",
        "json",
    ]);
    for path in &outputs {
        command.arg("-o").arg(path);
    }
    command.arg("--keep").arg(at("pairs.json")).arg("--matrix").arg(at("matrix.csv"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "two entrants are rejected");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<&str> = document["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[0], "optimal", "no strategy beats it");
    assert_eq!(names.len(), 3);
    let rejected: Vec<&str> = document["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["name"].as_str().unwrap())
        .collect();
    assert_eq!(rejected, ["short", "table"]);
    let rate = json(&["rate", "fa21", "always_roll:4", "always_roll:6", "--goal", "20"]);
    let close = |a: &serde_json::Value, b: &serde_json::Value| {
        (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-12
    };
    assert!(
        close(&document["matrix"][0][1], &rate["win_rate"]["average"])
            && close(&document["first"][0][1], &rate["win_rate"]["first"])
    );
    let csv = std::fs::read_to_string(&outputs[0]).unwrap();
    let head = "rank,name,wins,losses,ties,mean,worst_against,worst_win_rate,file,rejected,late,\
                points,baseline\n1,optimal,2,0,0,";
    assert!(csv.starts_with(head) && csv.lines().count() == 6, "{csv}");
    assert!(csv.contains("\n,short,,,,,,,short.txt,") && csv.contains("\n,table,,,,,,,"), "{csv}");
    let matrix = std::fs::read_to_string(at("matrix.csv")).unwrap();
    assert!(matrix.starts_with("rank,name,optimal,") && matrix.lines().count() == 4, "{matrix}");
    assert!(std::fs::read_to_string(&outputs[1]).unwrap().contains("| 1 | optimal | 2 | 0 | 0 |"));
    let written: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&outputs[2]).unwrap()).unwrap();
    assert_eq!(written["matrix"], document["matrix"]);

    let again = hog(&[
        "contest",
        "fa21",
        &shown(at("four.txt")),
        &shown(at("six.txt")),
        "--goal",
        "20",
        "--keep",
    ])
    .arg(at("pairs.json"))
    .output()
    .unwrap();
    assert_eq!(again.status.code(), Some(0));
    assert!(String::from_utf8(again.stdout).unwrap().contains("; 1 pair known already"));
}

#[test]
fn equal_bids_are_reported() {
    let text = |entrants: &[&str]| {
        let output =
            hog(&[&["contest", "fa14", "--goal", "20"], entrants].concat()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let note =
        "every entrant bids 0, and every pair ties: a bid is `final_bid` in a Python file, or 0";
    let shown_by_name = text(&["always_roll:4", "always_roll:5", "optimal"]);
    assert!(shown_by_name.contains(note), "{shown_by_name}");
    let folder = tempfile::tempdir().unwrap();
    let html = shown(folder.path().join("a.html"));
    text(&["always_roll:4", "always_roll:5", "-o", &html]);
    assert!(
        std::fs::read_to_string(&html)
            .unwrap()
            .contains("every entrant bids 0, and every pair ties")
    );
}

#[test]
fn a_contest_that_cannot_be_held_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_refused(&["contest", "fa21", &shown(folder.path())], &["there are no entrants", ".py"]);
    assert_refused(&["contest", "fa21", "nobody"], &["`nobody`", "always_roll:N"]);
    assert_refused(
        &["contest", "fa21", "optimal", "-o", "a.xlsx"],
        &["a.xlsx", ".html, .csv, .md or .json"],
    );
    assert_refused(
        &["contest", "fa21", "optimal", "--keep", &shown(folder.path())],
        &["directory"],
    );
    assert_refused(
        &["contest", "fa21", "optimal", "--win-above", "0.4"],
        &["--win-above", "at least 0.5"],
    );
    let missing = shown(folder.path().join("no/ranking.csv"));
    assert_refused(
        &["contest", "fa21", "optimal", "-o", &missing],
        &["cannot write", "ranking.csv"],
    );
    let file = shown(folder.path().join("file"));
    std::fs::write(&file, "").unwrap();
    assert_refused(
        &["contest", "fa21", "optimal", "--reports", &file],
        &["is a file: name a folder"],
    );
    std::fs::write(&file, "sid,mail\n1,2\n").unwrap();
    assert_refused(
        &["contest", "fa21", "optimal", "--roster", &file],
        &["the roster", "`name`", "sid, mail"],
    );
}

#[test]
fn the_losses_of_an_explanation_sum_to_the_gap_to_the_best_response() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("losses.csv");
    let document = json(&["try", "fa21", "always_roll:6", "--goal", "30", "-o", &shown(&file)]);
    assert_eq!(document["against"], "always_roll:6", "the default opponent is the baseline");
    assert_eq!(document["worst"].as_array().unwrap().len(), 10);
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let gap =
        number(&document["best_response"]["average"]) - number(&document["win_rate"]["average"]);
    assert!((number(&document["loss"]["average"]) - gap).abs() < 1e-12);
    let parts: f64 = document["mistakes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mistake| number(&mistake["loss"]))
        .sum();
    assert!((parts - gap).abs() < 1e-12);
    let csv = std::fs::read_to_string(&file).unwrap();
    let head = "score,opponent,met_first,met_second,dice,best,loss_each,loss_first,loss_second,loss,mistake";
    assert_eq!(csv.lines().next(), Some(head));
    let column = |line: &str| line.split(',').nth(9).unwrap().parse::<f64>().unwrap();
    assert!((csv.lines().skip(1).map(column).sum::<f64>() - gap).abs() < 1e-12);
    let best =
        text(&["try", "fa21", "beat:always_roll:6", "--against", "always_roll:6", "--goal", "30"]);
    assert!(best.contains("no strategy does better"), "{best}");
}

#[test]
fn exported_tables_are_read_as_strategies() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["fa21", "fa19"] {
        for form in ["csv", "npy", "json"] {
            let file = shown(folder.path().join(format!("rolls.{form}")));
            text(&["solve", game, "--to", form, "--goal", "12", "-o", &file]);
            let table = format!("table:{file}");
            let rate = |strategy: &str| {
                json(&["rate", game, strategy, "always_roll:4", "--goal", "12"])["win_rate"].clone()
            };
            assert_eq!(rate(&table), rate("optimal"), "{game} {form}");
        }
    }
}

#[test]
fn grids_with_faults_are_refused_with_the_line_or_the_scores() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, bytes: &[u8], words: &[&str]| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let table = format!("table:{}", file.display());
        assert_refused(
            &["rate", "fa21", &table, "optimal", "--goal", "2"],
            &[&[name], words].concat(),
        );
    };
    refused("lines.txt", b"4 4\n", &["1 line;", "2 are needed"]);
    refused("rolls.txt", b"# rolls\n4 4\n4\n", &["line 3", "1 roll; 2 are needed"]);
    refused("word.txt", b"4 x\n4 4\n", &["line 1", "`x`"]);
    refused("many.txt", b"4 4\n4 11\n", &["at 1-1", "11 dice", "0 to 10"]);
    refused("bytes.txt", b"\xff\xfe", &["UTF-16 text"]);
    refused("empty.npy", b"", &["empty.npy"]);
    refused("half.npy", b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'", &["within its header"]);
    let header = |dtype, shape| {
        format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({shape}), }}")
    };
    let npy = |dtype, shape| format!("\x01\x00\x76\x00{:117}\n", header(dtype, shape)).into_bytes();
    let file = |dtype, shape| [b"\x93NUMPY", &npy(dtype, shape)[..]].concat();
    refused(
        "huge.npy",
        &file("<i8", "500000, 500000"),
        &["0 bytes of numbers", "[500000, 500000]"],
    );
    refused("short.npy", &file("<i8", "2, 2"), &["0 bytes of numbers"]);
    refused("small.npy", &file("<i8", "1, 5"), &["its shape is [1, 5]", "[2, 2]"]);
    refused("floats.npy", &file("<f8", "2, 2"), &["not integers"]);
}

#[test]
fn the_best_table_that_sees_only_scores_is_found_reported_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| shown(folder.path().join(name));
    let command = [
        "solve",
        "fa19",
        "--goal",
        "15",
        "--sees",
        "scores",
        "--against",
        "always_roll:4",
        "--tries",
        "8",
    ];
    let document = json(&[&command[..], &["-o", &file("best.txt")]].concat());
    let average = document["win_rate"]["average"].as_f64().unwrap();
    assert!(
        average < document["search"]["at_most"].as_f64().unwrap() && document["sees"] == "scores"
    );
    let table = format!("table:{}", file("best.txt"));
    let rate = json(&["rate", "fa19", &table, "always_roll:4", "--goal", "15"]);
    assert_eq!(rate["win_rate"]["average"], document["win_rate"]["average"]);
    text(&[&command[..], &["-o", &file("best.py")]].concat());
    let function = std::fs::read_to_string(file("best.py")).unwrap();
    assert!(
        function.contains("def final_strategy(score, opponent_score):")
            && function.contains(" --goal 15 ")
    );
    assert_refused(&[&command[..], &["-o", &file("best.hog")]].concat(), &[".py, .csv or .txt"]);
    assert_refused(&["solve", "fa19", "--sees", "scores"], &["--against STRATEGY"]);
    assert_refused(
        &["solve", "fa19", "--sees", "scores", "--against", "optimal", "--fraction"],
        &["--fraction"],
    );
}

#[test]
fn mixes_of_strategies_are_read_and_invalid_ones_refused() {
    let average = |strategy: &str| {
        json(&["rate", "fa21", strategy, "always_roll:6", "--goal", "20"])["win_rate"]["average"]
            .clone()
    };
    let close = |a: serde_json::Value, b: serde_json::Value| {
        (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-12
    };
    assert!(close(average("beat:mix(always_roll:6)"), average("beat:always_roll:6")));
    for wrong in
        ["beat:mix(", "beat:mix()", "beat:mix(always_roll:6*0)", "beat:mix(always_roll:6,nobody)"]
    {
        assert_refused(&["rate", "fa21", wrong, "optimal"], &["unknown strategy"]);
    }
}

/// An archive of submissions is unpacked while the contest runs, and removed after Ctrl-C.
#[cfg(unix)]
#[test]
fn an_interrupted_contest_removes_the_unpacked_archive() {
    let folder = tempfile::tempdir().unwrap();
    let unpacked = folder.path().join("unpacked");
    std::fs::create_dir(&unpacked).unwrap();
    let mut zip =
        zip::ZipWriter::new(std::fs::File::create(folder.path().join("all.zip")).unwrap());
    zip.start_file("ada/notes.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.finish().unwrap();
    // Large enough to run for long after the interrupt.
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(["contest", "fa19", "--goal", "400", "all.zip", "optimal", "always_roll:4"])
        .current_dir(folder.path())
        .env("TMPDIR", &unpacked)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let is_empty = |folder: &Path| std::fs::read_dir(folder).unwrap().next().is_none();
    let has_notes = || {
        let mut folders = vec![unpacked.clone()];
        while let Some(folder) = folders.pop() {
            // The folder may have been removed by now.
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().ends_with("ada/notes.txt") {
                    return true;
                }
                folders.extend(entry.path().is_dir().then(|| entry.path()));
            }
        }
        false
    };
    while !has_notes() {
        assert!(child.try_wait().unwrap().is_none(), "hog ended before the archive was unpacked");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(is_empty(&unpacked), "the unpacked archive is left behind");
}

/// Whether a process has started others.
#[cfg(target_os = "linux")]
fn has_children(process: u32) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let mut children =
        tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    children.any(|children| !children.trim().is_empty())
}

/// An interrupt while archives are read is an interrupt, whatever happens to the strategies that it
/// ends.
#[cfg(target_os = "linux")]
#[test]
fn a_contest_that_is_interrupted_while_it_reads_says_nothing_and_leaves_nothing() {
    if !super::submissions::runs_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let unpacked = folder.path().join("unpacked");
    std::fs::create_dir(&unpacked).unwrap();
    let mut zip =
        zip::ZipWriter::new(std::fs::File::create(folder.path().join("all.zip")).unwrap());
    let mut file = |name: &str, text: &[u8]| {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, text).unwrap();
    };
    for entrant in 0..8 {
        file(
            &format!("e{entrant}/hog.py"),
            b"while True: pass\ndef final_strategy(score, opponent_score): pass\n",
        );
        // So many that it takes a while to remove them.
        (0..250).for_each(|number| file(&format!("e{entrant}/{number}.md"), b""));
    }
    zip.finish().unwrap();
    for started in [true, false, true] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_hog"))
            .args(["contest", "su15", "all.zip", "--goal", "10", "--strategy-seconds", "600"])
            .current_dir(folder.path())
            .env("TMPDIR", &unpacked)
            .stderr(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let is_empty = || std::fs::read_dir(&unpacked).unwrap().next().is_none();
        while if started { !has_children(child.id()) } else { is_empty() } {
            assert!(child.try_wait().unwrap().is_none(), "hog ended before it was interrupted");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((kill.success(), output.status.code(), &*message), (true, Some(130), ""));
        assert!(is_empty(), "the unpacked archive is left behind");
    }
}

#[test]
fn a_path_that_does_not_exist_is_bad_usage() {
    for missing in ["nonexist.py", "nonexist.csv", "table:nonexist", "beat:nonexist.hog"] {
        let name = missing.rsplit(':').next().unwrap();
        assert_refused(
            &["contest", "fa21", "--goal", "9", "always_roll:5", missing],
            &[name, "no such file"],
        );
    }
}

#[test]
fn long_rankings_are_shortened_in_the_terminal_and_complete_in_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    let write = |name: &str, rows: &str| std::fs::write(folder.path().join(name), rows).unwrap();
    for place in 0..40 {
        let rows: String = (0..10)
            .map(|row| format!("{}\n", vec![((row + place) % 11).to_string(); 10].join(" ")))
            .collect();
        write(&format!("in/s{place}.txt"), &rows);
    }
    write("in/short.txt", "4 4\n");
    let output = hog(&["contest", "su15", "in", "--goal", "10", "-o", "all.csv"])
        .current_dir(folder.path())
        .output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(text.contains("and 27 more: -o FILE.html"), "{text}");
    assert!(text.lines().count() < 60 && text.contains("rejected short: short.txt: "), "{text}");
    let csv = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(csv.lines().count(), 42);
    assert!(csv.lines().skip(1).take(40).all(|line| line.ends_with(".txt,,,,")), "{csv}");
    assert!(csv.lines().last().unwrap().starts_with(",short,,,,,,,short.txt,"), "{csv}");
}
