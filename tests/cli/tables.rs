//! Tables in files: damaged, foreign and newer ones are refused, and a failed write keeps the old
//! file.

use std::io::Write;
use std::path::{Path, PathBuf};

use hog::table::HEADER;
use tempfile::TempDir;

use super::{assert_refused, hog, json, text};

/// A folder with a small sound table in it.
struct Folder {
    folder: TempDir,
    table: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("small.hog");
        json(&["solve", "fa21", "--goal", "6", "-o", table.to_str().unwrap()]);
        Self { folder, table }
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.table).unwrap()
    }

    /// Asserts that these bytes are refused by every command that reads a table.
    fn assert_refused(&self, bytes: &[u8], words: &[&str]) {
        let path = self.folder.path().join("bad.hog");
        std::fs::write(&path, bytes).unwrap();
        let path = path.to_str().unwrap();
        let words = [&["bad.hog"], words].concat();
        assert_refused(&["solve", path, "--to", "csv"], &words);
        assert_refused(&["check", path], &words);
        assert_refused(
            &["rate", "fa21", "--goal", "6", &format!("table:{path}"), "always_roll:6"],
            &words,
        );
    }

    /// Returns the names of its files.
    fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_table_is_written_and_read_back() {
    let folder = Folder::new();
    let path = folder.table.to_str().unwrap();
    assert_eq!(
        text(&["solve", path, "--to", "csv"]),
        text(&["solve", "fa21", "--goal", "6", "--to", "csv"])
    );
    assert_eq!(folder.names(), ["small.hog"]);
}

/// Near the goal complete rows of win rates are 0 or 1; a rounding beyond them would make the table
/// damaged.
#[test]
fn a_table_in_floats_holds_win_rates_from_0_to_1() {
    let folder = tempfile::tempdir().unwrap();
    let [rules, table] =
        ["neg0.toml", "neg0.hog"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let rule = "zero_dice = \"1\"\nbust = \"opponent % 2 + 1\"\n";
    let best_of_both = "score = \"max(score, opponent + points)\"\n";
    let text = format!(
        "id = \"neg0\"\nmax_dice = 1\n[[rule]]\nname = \"Dice\"\n{rule}[[rule]]\nname = \"Max\"\n\
         {best_of_both}"
    );
    std::fs::write(&rules, text).unwrap();
    for goal in 5..=60 {
        let goal = goal.to_string();
        json(&["solve", &rules, "--goal", &goal, "--arithmetic", "float", "-o", &table]);
        let checked = json(&["check", &table]);
        assert_eq!(
            (&checked["ok"], &checked["tables"][0]["wrong_values"]),
            (&true.into(), &0.into()),
            "goal {goal}"
        );
    }
}

#[test]
fn a_truncated_table_is_refused() {
    let folder = Folder::new();
    let bytes = folder.bytes();
    for length in [5, 40, 64, bytes.len() / 2, bytes.len() - 1] {
        folder.assert_refused(&bytes[..length], &["cut short"]);
    }
}

#[test]
fn a_bit_flipped_table_is_refused() {
    let folder = Folder::new();
    let bytes = folder.bytes();
    for place in [13, 20, 45, 70, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[place] ^= 4;
        folder.assert_refused(&flipped, &["damaged"]);
    }
}

#[test]
fn a_foreign_file_is_refused() {
    let folder = Folder::new();
    folder.assert_refused(b"score,opponent,dice\n0,0,6\n", &["not a hog table"]);
    folder.assert_refused(
        b"\x89PNG\r\n\x1a\n and so on, for a while, to be longer than any header is",
        &["not a hog table"],
    );
}

#[test]
fn a_newer_table_is_refused_with_both_versions() {
    let folder = Folder::new();
    let mut newer = folder.bytes();
    newer[8] = 4;
    folder.assert_refused(&newer, &["version 4", "versions 1 to 3", "update hog"]);
}

/// A table with a correct checksum whose rules claim to be 2 GB long, read with less memory than
/// that.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_lies_about_a_length_allocates_nothing_for_it() {
    let folder = Folder::new();
    let mut bytes = folder.bytes();
    let mut body = Vec::new();
    std::io::copy(&mut flate2::read::ZlibDecoder::new(&bytes[HEADER..]), &mut body).unwrap();
    body[..8].copy_from_slice(&((1u64 << 31) - 1000).to_le_bytes());
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&body).unwrap();
    let body = encoder.finish().unwrap();
    bytes.truncate(HEADER);
    bytes[24..32].copy_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend(body);
    let checksum = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(&folder.table, bytes).unwrap();

    let script = "ulimit -v 1500000; exec \"$0\" solve \"$1\" --to csv";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_hog")])
        .arg(&folder.table)
        .output()
        .unwrap();
    super::assert_refusal(output, &["small.hog", "damaged"], "a lying table");
}

#[test]
fn a_missing_table_is_named() {
    assert_refused(&["check", "nowhere.hog"], &["nowhere.hog", "No such file"]);
    assert_refused(
        &["rate", "fa21", "table:nowhere.hog", "optimal"],
        &["nowhere.hog", "No such file"],
    );
    assert_refused(
        &["rate", "fa21", "table:nowhere.csv", "optimal"],
        &["nowhere.csv", "No such file"],
    );
}

#[test]
fn a_table_of_another_game_is_refused_with_both_names() {
    let folder = Folder::new();
    let strategy = format!("table:{}", folder.table.display());
    assert_refused(&["rate", "su15", &strategy, "optimal"], &["fa21 (goal 6", "su15 (goal 100"]);
    assert_refused(&["rate", "fa21", &strategy, "optimal"], &["fa21 (goal 6", "fa21 (goal 100"]);
}

#[test]
fn a_table_in_csv_needs_a_roll_for_every_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rolls.csv");
    let strategy = format!("table:{}", path.display());
    let refused = |text: &str, words: &[&str]| {
        std::fs::write(&path, text).unwrap();
        assert_refused(
            &["rate", "fa21", "--goal", "2", &strategy, "optimal"],
            &[&["rolls.csv"], words].concat(),
        );
    };
    let sound = "score,opponent,dice\n0,0,1\n0,1,0\n1,0,2\n1,1,0\n";
    refused(&sound.replace("1,0,2\n", ""), &["no roll for 1-0"]);
    refused(&sound.replace("1,0,2", "1,0,11"), &["line 4", "11 dice", "0 to 10"]);
    refused(&sound.replace("1,0,2", "1,2,2"), &["no roll for 1-0"]);
    refused(&sound.replace("1,0,2", "-1,0,2"), &["line 4", "`-1` is not a score"]);
    refused(&sound.replace("1,0,2", "1,0,few"), &["line 4", "`few`"]);
    refused(&sound.replace("1,0,2", "1,0,2\n1,0,3"), &["line 5", "second roll for 1-0"]);
    refused(
        &sound.replace("dice", "points"),
        &["no column `dice`", "`score`, `opponent`, `points`"],
    );
    let past_the_goal = sound.to_owned() + "2,0,99\n0,300,99\n";
    for headed in [
        sound.to_owned(),
        past_the_goal,
        sound.replace("score,opponent,dice", "Score, OPPONENT ,Dice"),
    ] {
        std::fs::write(&path, headed).unwrap();
        json(&["rate", "fa21", "--goal", "2", &strategy, "optimal"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_on_a_full_device_is_refused() {
    for command in [
        &["solve", "fa21", "--goal", "9", "-o", "/dev/full"][..],
        &["solve", "fa21", "--goal", "9", "--to", "csv", "-o", "/dev/full"],
        &["survey", "fa21", "--goal", "9", "-o", "/dev/full"],
    ] {
        assert_refused(command, &["/dev/full", "No space left"]);
        let output = hog(&[command, &["--format", "json"]].concat()).output().unwrap();
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one document");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(2), &b""[..]), "{command:?}");
        assert!(document["error"]["message"].as_str().unwrap().contains("/dev/full"), "{document}");
    }
}

#[test]
fn a_path_that_cannot_be_written_is_refused() {
    assert_refused(
        &["solve", "fa21", "--goal", "9", "-o", "nowhere/small.hog"],
        &["nowhere/small.hog", "No such file"],
    );
    let folder = Folder::new();
    let below_a_file = folder.table.join("small.hog");
    assert_refused(
        &["solve", "fa21", "--goal", "9", "-o", below_a_file.to_str().unwrap()],
        &["small.hog", "Not a directory"],
    );
    let taken = folder.folder.path().join("taken");
    std::fs::create_dir_all(taken.join("inside")).unwrap();
    assert_refused(
        &["solve", "fa21", "--goal", "9", "-o", taken.to_str().unwrap()],
        &["taken", "directory"],
    );
    assert_eq!(folder.names(), ["small.hog", "taken"]);
}

/// The shell limits files to 4 KiB, so that writing the larger table fails half-way, as on a full
/// disk.
#[cfg(unix)]
#[test]
fn a_write_that_fails_half_way_leaves_the_old_table() {
    let folder = Folder::new();
    let before = folder.bytes();
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" solve fa21 -o \"$1\"";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_hog")])
        .arg(&folder.table)
        .output()
        .unwrap();
    super::assert_refusal(
        output,
        &["cannot write", "small.hog", "File too large"],
        "a file that is too large",
    );
    assert!(folder.bytes() == before, "the old table was changed");
    assert_eq!(folder.names(), ["small.hog"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_old_table() {
    let folder = Folder::new();
    let before = folder.bytes();
    // Large enough to run for long after the interrupt.
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(["solve", "fa19", "--goal", "250", "--arithmetic", "exact", "-o"])
        .arg(&folder.table)
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert!(!child.wait().unwrap().success());
    assert!(folder.bytes() == before, "the old table was changed");
    assert_eq!(folder.names(), ["small.hog"]);
}

/// The search would take weeks; the best table found before the interrupt is written.
#[cfg(unix)]
#[test]
fn an_interrupted_search_keeps_the_best_it_has_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("best.py");
    let search = [
        "solve",
        "fa19",
        "--goal",
        "20",
        "--sees",
        "scores",
        "--against",
        "always_roll:4",
        "--tries",
        "1e9",
    ];
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(search)
        .args(["--format", "json", "-o"])
        .arg(&path)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["search"]["tried"].as_u64() < found["search"]["tries"].as_u64(), "{found}");
    assert!(std::fs::read_to_string(path).unwrap().starts_with("def final_strategy("));
}

#[test]
fn a_new_table_replaces_the_old_one() {
    let folder = Folder::new();
    let path = folder.table.to_str().unwrap();
    json(&["solve", "su15", "--goal", "7", "-o", path]);
    assert!(text(&["solve", path, "--to", "json"]).contains("\"rules\":\"su15\""));
    assert_eq!(folder.names(), ["small.hog"]);
}

/// The win rates of a best response do not follow from its own rolls alone, so a packed one must
/// not compute wrong ones.
#[test]
fn a_packed_best_response_exports_no_wrong_win_rates() {
    let folder = Folder::new();
    let solve = [
        "solve",
        "fa21",
        "--goal",
        "12",
        "--against",
        "always_roll:6",
        "-o",
        folder.table.to_str().unwrap(),
    ];
    text(&solve);
    let export = ["solve", folder.table.to_str().unwrap(), "--to", "csv"];
    let expected = win_rates(&text(&export));
    assert_eq!(expected.len(), 144);
    text(&[&solve[..], &["--packed"]].concat());
    let found = win_rates(&text(&export));
    let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(found.len() == 144 && worst < 1e-12, "off by {worst}");
}

/// A packed table has no win rates: they are computed in floats, and are not called exact.
#[test]
fn the_win_rates_of_a_packed_table_are_told_as_what_they_are() {
    let folder = Folder::new();
    let path = folder.table.to_str().unwrap();
    for (packed, arithmetic) in [(&[][..], "exact"), (&["--packed"][..], "float")] {
        json(&[&["solve", "fa19", "--goal", "9", "-o", path, "--force"], packed].concat());
        let told = json(&["solve", path]);
        let bound = told["win_rate"]["error_bound"].as_f64();
        assert_eq!(told["arithmetic"], arithmetic);
        assert_eq!(bound > Some(1e-16), arithmetic == "float", "{told}");
    }
}

/// Returns the column of win rates of a CSV export.
fn win_rates(csv: &str) -> Vec<f64> {
    csv.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect()
}

#[test]
fn an_export_is_the_same_in_a_file_and_on_standard_output() {
    let folder = Folder::new();
    let path = folder.folder.path().join("fa21.csv");
    let path_shown = path.to_str().unwrap();
    let wrote = text(&["solve", "fa21", "--to", "csv", "-o", path_shown]);
    assert!(wrote.ends_with(&format!("  table       {path_shown}\n")), "{wrote}");
    assert!(std::fs::read_to_string(path).unwrap() == text(&["solve", "fa21", "--to", "csv"]));
}

#[test]
fn the_best_response_to_a_strategy_is_exported_as_it_is_solved() {
    let folder = Folder::new();
    let path = |name: &str| folder.folder.path().join(name).display().to_string();
    let against = ["--against", "always_roll:5", "--goal", "12"];
    for (game, ending) in [("fa21", "csv"), ("fa21", "npy"), ("fa19", "csv")] {
        let (solved, exported) =
            (path(&format!("solved.{ending}")), path(&format!("exported.{ending}")));
        text(&[&["solve", game, "-o", &solved], &against[..]].concat());
        let view =
            json(&[&["solve", game, "--to", ending, "-o", &exported], &against[..]].concat());
        assert_eq!(
            (&view["against"], &view["output"]),
            (&"always_roll:5".into(), &exported.as_str().into())
        );
        assert!(
            std::fs::read(solved).unwrap() == std::fs::read(exported).unwrap(),
            "{game} {ending}"
        );
    }
    let function = text(&[&["solve", "fa21", "--to", "python"], &against[..]].concat());
    assert!(
        function.contains("Against always_roll:5 it wins")
            && function.contains("--against always_roll:5 --goal 12 --to py")
    );
    let table = path("fa21.hog");
    text(&["solve", "fa21", "--goal", "12", "-o", &table]);
    let words = ["fa21.hog is solved already", "name the game"];
    assert_refused(&["solve", &table, "--to", "csv", "--against", "optimal"], &words);
    let other = path("other.csv");
    for option in [&["--fraction"][..], &["--arithmetic", "float"], &["--goal", "9"]] {
        let line = [&["solve", &table, "-o", &other], option].concat();
        assert_refused(&line, &["solved already", "leave out"]);
    }
}

#[test]
fn a_solution_is_written_in_the_format_of_the_extension() {
    let folder = Folder::new();
    let path = |name: &str| folder.folder.path().join(name).display().to_string();
    for ending in ["csv", "npy"] {
        let (solved, exported) =
            (path(&format!("solved.{ending}")), path(&format!("exported.{ending}")));
        assert_eq!(json(&["solve", "fa21", "--goal", "6", "-o", &solved])["output"], solved);
        text(&["solve", "fa21", "--goal", "6", "--to", ending, "-o", &exported]);
        assert!(std::fs::read(solved).unwrap() == std::fs::read(exported).unwrap(), "{ending}");
    }
    text(&["solve", "fa21", "--goal", "6", "-o", &path("final.py")]);
    assert!(std::fs::read_to_string(path("final.py")).unwrap().starts_with("def final_strategy("));
    for name in ["a.xlsx", "a.python"] {
        assert_refused(
            &["solve", "fa21", "--goal", "6", "-o", &path(name)],
            &[name, ".hog, .py, .csv, .json"],
        );
    }
    assert_refused(
        &["solve", "fa21", "--packed", "-o", &path("a.csv")],
        &["only a .hog table", "packed"],
    );
}

#[test]
fn a_text_export_plays_as_the_table_that_it_is_made_from() {
    let folder = Folder::new();
    let path = folder.folder.path().join("rolls.txt").display().to_string();
    text(&["solve", "fa21", "--goal", "9", "-o", &path]);
    assert_eq!(
        std::fs::read_to_string(&path)
            .unwrap()
            .lines()
            .filter(|line| !line.starts_with('#'))
            .count(),
        9
    );
    assert_eq!(
        json(&["rate", "fa21", "--goal", "9", &path, "optimal"])["win_rate"]["average"],
        0.5
    );
}

/// The reason comes without the stream or the file that was to be written.
#[test]
fn a_format_that_cannot_hold_a_game_is_refused_with_the_reason() {
    for (form, what) in
        [("python", "error: a Python final_strategy"), ("txt", "error: a .txt table")]
    {
        let words =
            [what, "sees only the two scores", "pig also depends on pot: export csv or json"];
        assert_refused(&["solve", "pig", "--goal", "5", "--to", form], &words);
    }
}

#[test]
fn a_numpy_export_has_the_header_and_the_size_of_its_array() {
    let output = hog(&["solve", "fa21", "--to", "npy"]).output().unwrap();
    assert!(output.stdout.starts_with(b"\x93NUMPY"));
    assert!(String::from_utf8_lossy(&output.stdout[..128]).contains("(100, 100)"));
    assert_eq!(output.stdout.len(), 128 + 10_000);
}

/// What `most_points` keeps is not in the table, but known.
#[test]
fn a_best_response_where_dice_are_kept_is_proven() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("answer.hog");
    let table = table.to_str().unwrap();
    json(&["solve", "kcd", "--goal", "300", "--against", "most_points", "-o", table]);
    let checked = json(&["check", table]);
    assert_eq!(checked["tables"][0]["ok"], true, "{checked}");
}
