//! Untrusted rule files, tables and arrays: each is read or refused immediately, and nothing in it
//! is executed.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{assert_refused, hog, text};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Writes a file into a folder and returns its path.
fn file(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// Asserts that a command is refused within sixty seconds. A slow machine needs less; without its
/// fix, one of these files takes an hour.
fn assert_refused_quickly(arguments: &[&str], words: &[&str]) {
    let mut command = hog(arguments);
    command.timeout(std::time::Duration::from_secs(60));
    super::assert_refusal(command.output().expect("it ends"), words, &arguments.join(" "));
}

/// Regression: a title that closed its own quotes ran as Python when the export was imported, and
/// `\N` was a syntax error.
#[test]
fn a_hostile_title_is_only_a_title_in_python() {
    let folder = folder();
    let title = r#"x\"\"\" + open('PWNED', 'w').name + \"\"\" \\N '"#;
    let rules = file(&folder, "t.toml", format!("id = \"t\"\ngoal = 5\ntitle = \"{title}\"\n"));
    let program = text(&["solve", &rules, "--to", "python"]);
    assert!(program.contains(r#"x\"\"\" + open('PWNED', 'w').name + \"\"\" \\N '"#), "{program}");
    file(&folder, "final.py", &program);
    let call = "import final; print(final.final_strategy(0, 0)); assert 'PWNED' in \
        final.final_strategy.__doc__";
    match Command::new("python3").args(["-c", call]).current_dir(&folder).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr))
        }
        Err(_) => println!("skipped in part: there is no python3"),
    }
    assert!(!folder.path().join("PWNED").exists());
}

#[test]
fn control_characters_are_refused_in_rules_and_escaped_in_messages() {
    let folder = folder();
    let rules = file(&folder, "t.toml", "id = \"t\"\ntitle = \"a\\u001b]0;b\"\n");
    assert_refused(
        &["rules", "show", &rules],
        &["t.toml:2:9", "U+001B, which cannot be seen", "leave it out"],
    );
    let output = hog(&["rate", "fa21", "\u{1b}[2J\u{202e}"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("\\u{1b}[2J\\u{202e}") && !message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn names_of_a_contest_are_escaped_in_every_format() {
    let folder = folder();
    let rows = "4 4\n".repeat(2);
    for name in ["=HYPERLINK(\"http:a\")", "<script>alert(1)<b>", "a|b`c", "\u{1b}[2Jd"] {
        file(&folder, &format!("{}.txt", name.replace('/', "")), &rows);
    }
    let bad = file(&folder, "<i>.txt", "4 4\n4 x\n");
    let [csv, page] = ["all.csv", "all.md"].map(|name| folder.path().join(name));
    let mut command =
        hog(&["contest", "fa21", &folder.path().display().to_string(), "--goal", "2"]);
    let output = command.arg("-o").arg(&csv).arg("-o").arg(&page).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{bad} is rejected");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("[2Jd") && !printed.contains('\u{1b}'), "{printed}");
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(
        csv.contains("\"'=HYPERLINK") && !csv.contains(",=") && !csv.contains('\u{1b}'),
        "{csv}"
    );
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        !page.contains("<script>") && !page.contains(" <i>") && page.contains("\\<script\\>"),
        "{page}"
    );
    assert!(page.contains("a\\|b\\`c"), "{page}");
}

#[test]
fn formulas_that_would_run_for_ever_are_refused() {
    let folder = folder();
    for formula in
        ["next_prime(9223372036854775000 + score)", "divisors(9223372036854775000 + score)"]
    {
        let rules = format!("id = \"t\"\n[[rule]]\nname = \"R\"\nzero_dice = \"{formula} % 7\"\n");
        let rules = file(&folder, "t.toml", rules);
        assert_refused_quickly(
            &["solve", &rules],
            &["the rule R has no value at 0-0", "has no value for 9223372036854775000"],
        );
    }
}

/// Regression: lines were counted from the start for each fault, so that 800 kB of faults took
/// forty seconds.
#[test]
fn hundreds_of_thousands_of_faults_are_reported_quickly() {
    let folder = folder();
    let lines = |line: fn(usize) -> String, count: usize| (0..count).map(line).collect::<String>();
    for (name, body, words) in [
        (
            "keys.toml",
            lines(|i| format!("k{i} = 1\n"), 80_000),
            &["unknown key `k0`", "79900 more faults"][..],
        ),
        ("signs.toml", "= \n".repeat(200_000), &["not TOML", "more faults"]),
        (
            "rules.toml",
            "[[rule]]\nname = \"r\"\npoints = \"points\"\n".repeat(20_000),
            &["the file has 20000", "at most 200"],
        ),
        (
            "memories.toml",
            "[[memory]]\nname = \"a\"\nmax = 1\nnext = \"0\"\n".repeat(20_000),
            &["keep at most 24"],
        ),
        ("key.toml", format!("{} = 1\n", "a".repeat(900_000)), &["aaa...`"]),
        ("deep.toml", format!("a = {}\n", "[".repeat(900_000)), &["not TOML"]),
        ("dots.toml", format!("{}b = 1\n", "a.".repeat(450_000)), &["not TOML"]),
    ] {
        let rules = file(&folder, name, format!("id = \"t\"\n{body}"));
        assert_refused_quickly(&["rules", "check", &rules], words);
    }
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_huge_files_are_refused_before_they_block_or_fill_memory() {
    let folder = folder();
    let directory = folder.path().display().to_string() + "/";
    for ending in ["toml", "hog", "csv", "npy", "txt", "json"] {
        let pipe = folder.path().join(format!("pipe.{ending}"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let pipe = pipe.display().to_string();
        match ending {
            "toml" => assert_refused_quickly(&["rules", "check", &pipe], &["name a plain file"]),
            "hog" => assert_refused_quickly(&["check", &pipe], &["name a plain file"]),
            "json" => assert_refused_quickly(
                &["contest", "fa21", "optimal", "--keep", &pipe],
                &["name a plain file"],
            ),
            _ => assert_refused_quickly(&["rate", "fa21", &pipe], &["name a plain file"]),
        }
    }
    assert_refused_quickly(&["solve", "/dev/zero"], &["name a plain file"]);
    assert_refused_quickly(&["rate", "fa21", "table:/dev/zero"], &["name a plain file"]);
    assert_refused_quickly(&["solve", &directory], &["it is a directory"]);
    let sparse = folder.path().join("large.toml");
    std::fs::File::create(&sparse).unwrap().set_len(1 << 40).unwrap();
    assert_refused_quickly(
        &["solve", &sparse.display().to_string()],
        &["at most 1048576 are read"],
    );
}

/// Returns a table with a changed body, whose lengths and checksum are correct.
fn tampered(table: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    use std::io::{Read, Write};
    let (mut head, mut body) = (table[..64].to_vec(), Vec::new());
    flate2::read::ZlibDecoder::new(&table[64..]).read_to_end(&mut body).unwrap();
    change(&mut body);
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&body).unwrap();
    let packed = encoder.finish().unwrap();
    head[24..32].copy_from_slice(&(packed.len() as u64).to_le_bytes());
    head[32..40].copy_from_slice(&(body.len() as u64).to_le_bytes());
    head.extend(packed);
    let checksum = crc32fast::hash(&head[16..]);
    head[12..16].copy_from_slice(&checksum.to_le_bytes());
    head
}

/// Returns the offset of a body's fields after the rules: goal, dice, whether it answers a
/// strategy, exact, bound, ties, loops.
fn after_the_rules(body: &[u8]) -> usize {
    8 + u64::from_le_bytes(body[..8].try_into().unwrap()) as usize
}

/// Regression: `ties`, `loops`, `error_bound` and `exact` could be changed, and the table was still
/// "proven".
#[test]
fn every_figure_of_a_table_is_checked() {
    let folder = folder();
    let path = folder.path().join("t.hog").display().to_string();
    let small = ["fa21", "--goal", "9"];
    for (arithmetic, alterations) in [
        (
            "exact",
            &[(10, "error bound"), (18, "ties"), (26, "loops"), (9, "its error bound is 5.5")][..],
        ),
        ("float", &[(10, "WRONG"), (18, "ties"), (26, "loops"), (9, "off by")]),
    ] {
        text(&[&["solve"], &small[..], &["--arithmetic", arithmetic, "-o", &path]].concat());
        let sound = std::fs::read(&path).unwrap();
        assert!(text(&["check", &path]).contains("proven"));
        for (place, words) in alterations {
            let at = |body: &[u8]| after_the_rules(body) + place;
            // Inverts the flag `exact`, or flips a bit in the last byte of the bound or of a count.
            let bytes = tampered(&sound, |body| {
                let at = at(body) + usize::from(*place != 9) * 7;
                body[at] ^= if *place == 9 { 1 } else { 0x10 };
            });
            std::fs::write(&path, bytes).unwrap();
            let output = hog(&["check", &path]).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(1), "{arithmetic} at {place}: {printed}");
            assert!(
                printed.contains("WRONG") && printed.contains(words),
                "{arithmetic} at {place}: {printed}"
            );
        }
    }
}

/// Regression: the number of loops was not read where turns lower the sum of the scores.
#[test]
fn the_loops_of_a_table_are_counted_where_turns_lower_the_sum() {
    let folder = folder();
    let rules = file(
        &folder,
        "bump.toml",
        "id = \"bump\"\ngoal = 7\nmin_dice = 1\nmax_dice = 1\n[[rule]]\nname = \"Fall\"\n\
         die = \"[30, 1]\"\nbust = \"1\"\nscore = \"busted ? max(score - 3, 0) : score\"\n",
    );
    let path = folder.path().join("t.hog").display().to_string();
    for arithmetic in ["exact", "float"] {
        text(&["solve", &rules, "--arithmetic", arithmetic, "-o", &path]);
        let sound = std::fs::read(&path).unwrap();
        assert!(text(&["check", &path]).contains("proven"), "{arithmetic}");
        let bytes = tampered(&sound, |body| {
            let at = after_the_rules(body) + 26;
            body[at] ^= 1;
        });
        std::fs::write(&path, bytes).unwrap();
        let output = hog(&["check", &path]).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arithmetic}: {printed}");
        assert!(printed.contains("WRONG") && printed.contains("loops"), "{arithmetic}: {printed}");
    }
}

/// Regression: a best response to a strategy that does not exist was proven to be one.
#[test]
fn a_strategy_that_hog_does_not_know_is_only_said_to_be_answered() {
    let folder = folder();
    let path = folder.path().join("t.hog").display().to_string();
    text(&["solve", "fa21", "--goal", "9", "--against", "always_roll:4", "-o", &path]);
    let known = "the best response to always_roll:4, whose rolls are in the table";
    assert!(text(&["check", &path]).contains(known));
    let bytes = tampered(&std::fs::read(&path).unwrap(), |body| {
        let at = body.windows(13).position(|bytes| bytes == b"always_roll:4").unwrap();
        body[at..at + 13].copy_from_slice(b"plays_nonsens");
    });
    std::fs::write(&path, bytes).unwrap();
    let printed = text(&["check", &path]);
    assert!(printed.contains("said to be those of plays_nonsens"), "{printed}");
}

#[test]
fn changed_rules_under_a_published_id_are_reported() {
    let folder = folder();
    let source = include_str!("../../crates/rules/games/fa21.toml");
    let mine = file(&folder, "mine.toml", source.replace("bust = \"1\"", "bust = \"2\""));
    let table = folder.path().join("mine.hog").display().to_string();
    text(&["solve", &mine, "-o", &table]);
    let printed = text(&["check", &table]);
    assert!(printed.contains("NOT the published rules of fa21: bust is 2, not 1"), "{printed}");
    let document = super::json(&["check", &table]);
    assert_eq!(document["tables"][0]["published"], false);
    assert_eq!(document["tables"][0]["differences"], serde_json::json!(["bust is 2, not 1"]));
    let reason =
        "it was solved for other rules that call themselves fa21, not for these: bust is 2, not 1";
    assert_refused(&["rate", "fa21", &format!("table:{table}")], &[reason]);
    let published = super::json(&["check", "fa21"]);
    assert_eq!(
        (&published["tables"][0]["published"], &published["tables"][0]["ok"]),
        (&true.into(), &true.into())
    );
}

/// Regression: with `against = "python:honest.py"` in a table, checking the table ran that file.
#[test]
fn files_that_a_table_names_are_neither_run_nor_opened() {
    let folder = folder();
    let rolls = file(&folder, "rolls.txt", "4 4 4\n4 4 4\n4 4 4\n");
    let table = folder.path().join("answer.hog").display().to_string();
    text(&["solve", "fa21", "--goal", "3", "--against", &rolls, "-o", &table]);
    std::fs::remove_file(&rolls).unwrap();
    assert!(
        text(&["check", &table]).contains("proven"),
        "the rolls of the opponent are in the table"
    );
    text(&["solve", &table, "--to", "csv"]);
    let ran = folder.path().join("RAN").display().to_string();
    let program =
        file(&folder, "p.py", format!("open({ran:?}, 'w')\ndef final_strategy(a, b): return 4\n"));
    let name = format!("table:{rolls}");
    let other = format!("python:{program}");
    let renamed = tampered(&std::fs::read(&table).unwrap(), |body| {
        let at = body.windows(name.len()).position(|bytes| bytes == name.as_bytes()).unwrap();
        body.splice(at..at + name.len(), other.bytes());
        body[at - 8..at].copy_from_slice(&(other.len() as u64).to_le_bytes());
    });
    std::fs::write(&table, renamed).unwrap();
    for arguments in
        [vec!["check", &table, "--trust"], vec!["solve", &table, "--to", "csv", "--trust"]]
    {
        text(&arguments);
        assert!(!Path::new(&ran).exists(), "{arguments:?}");
    }
}

/// Regression: a rule file decided which program ran, with `--trust` outside the sandbox.
#[test]
fn a_baseline_that_is_a_file_is_a_fault_and_is_not_opened() {
    let folder = folder();
    let ran = folder.path().join("RAN").display().to_string();
    let program =
        file(&folder, "p.py", format!("open({ran:?}, 'w')\ndef final_strategy(a, b): return 2\n"));
    for baseline in [
        format!("python:{program}"),
        format!("beat:{program}"),
        format!("beat:mix({program},optimal)"),
    ] {
        let rules =
            file(&folder, "t.toml", format!("id = \"t\"\ngoal = 5\nbaseline = {baseline:?}\n"));
        for arguments in [
            &["rules", "check", &rules][..],
            &["rate", &rules, "always_roll:2", "--trust"],
            &["rate", &rules, "always_roll:2", "--goal", "4", "--trust"],
            &["solve", &rules],
        ] {
            assert_refused(arguments, &["t.toml:3:12", "p.py", "needs a file", "always_roll:6"]);
        }
    }
    assert!(!Path::new(&ran).exists());
}

#[test]
fn a_table_that_names_a_strategy_and_holds_other_rolls_is_wrong() {
    let folder = folder();
    let table = folder.path().join("answer.hog").display().to_string();
    for (game, goal) in [("fa19", "5"), ("fa21", "30")] {
        text(&["solve", game, "--goal", goal, "--against", "always_roll:4", "-o", &table]);
        assert!(text(&["check", &table]).contains("proven"), "{game}");
    }
    let lying = tampered(&std::fs::read(&table).unwrap(), |body| {
        let name = b"always_roll:4";
        let at = body.windows(name.len()).position(|bytes| bytes == name).unwrap();
        body[at + name.len() - 1] = b'5';
    });
    std::fs::write(&table, lying).unwrap();
    let output = hog(&["check", &table]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("the rolls it answers are not those of always_roll:5"), "{printed}");
}

/// Regression: two megabytes that inflated to two gigabytes took twice as much memory. This table
/// is much smaller.
#[test]
fn a_table_that_inflates_beyond_the_size_its_rules_allow_is_refused() {
    let folder = folder();
    let table = folder.path().join("t.hog").display().to_string();
    text(&["solve", "fa21", "--goal", "9", "-o", &table]);
    let large = tampered(&std::fs::read(&table).unwrap(), |body| body.resize(40 << 20, 0));
    assert!(large.len() < 1 << 20);
    std::fs::write(&table, large).unwrap();
    for arguments in [&["check", &table][..], &["rate", "fa21", &table, "--goal", "9"]] {
        assert_refused_quickly(
            arguments,
            &["it announces 41943040 bytes, and a table of its rules has at most"],
        );
    }
}

/// Regression: the first bad file ended the command, and the others were not looked at.
#[test]
fn a_bad_file_among_others_does_not_end_the_command() {
    let folder = folder();
    let table = folder.path().join("t.hog").display().to_string();
    text(&["solve", "fa21", "--goal", "9", "-o", &table]);
    let bad = file(&folder, "bad.hog", "no table");
    let wrong = file(&folder, "wrong.toml", "id = \"w\"\ngaol = 9\n");
    let sound = file(&folder, "sound.toml", "id = \"s\"\n");
    for (command, sound, bad) in [
        (&["check"][..], [&table, "fa21"], [&bad, "this is not a hog table"]),
        (&["rules", "check"], [&sound, "su15"], [&wrong, "unknown key `gaol`"]),
    ] {
        let arguments = [command, &[bad[0], sound[0], "nowhere.hog", sound[1]]].concat();
        let output = hog(&arguments).output().unwrap();
        let [printed, message] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(
            printed.matches("proven").count() + printed.matches("are sound").count(),
            2,
            "{printed}"
        );
        for word in ["error: 2 of 4 could not be", bad[1], "nowhere.hog"] {
            assert!(message.contains(word), "{word}: {message}");
        }
        let output = hog(&[&arguments[..], &["--format", "json"]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one document");
        let list = document.get("tables").or(document.get("checked")).unwrap();
        assert_eq!(list.as_array().unwrap().len(), 2, "{document}");
        assert!(
            document["error"]["message"].as_str().unwrap().contains("nowhere.hog"),
            "{document}"
        );
        let faults = document["error"]["faults"].as_array().unwrap();
        assert_eq!(faults.len(), usize::from(command.len() == 2), "{document}");
    }
}

/// Tabulating slow rules stops when the time limit of the call is reached, or when it is cancelled.
#[test]
fn limits_hold_while_rules_are_tabulated() {
    use hog::engine::{Cancel, Error, Limits};
    let folder = folder();
    let slow = "score".to_owned() + &" + opponent % 7 * points".repeat(40);
    let rules = format!(
        "id = \"slow\"\ngoal = 2000\n[[rule]]\nname = \"R\"\nscore = \"({slow}) % 5 + score\"\n"
    );
    let rules = file(&folder, "slow.toml", rules);
    let mut limits = Limits::default();
    limits.time = Some(std::time::Duration::from_millis(20));
    let sources = hog::engine::Sources::files();
    let engine = hog::Engine::builder().limits(limits).sources(sources.clone()).build();
    assert!(matches!(engine.game(rules.as_str()), Err(Error::Time { .. })));
    let cancel = Cancel::new();
    let engine = hog::Engine::builder().sources(sources).build().cancelled_by(cancel.clone());
    let waiting = std::thread::spawn(move || engine.game(rules.as_str()).map(|_| ()));
    std::thread::sleep(std::time::Duration::from_millis(50));
    cancel.cancel();
    assert!(waiting.join().unwrap().unwrap_err().is_stop());
}

/// Shapes, cells and texts may have any length; a message quotes only a part of them.
#[test]
fn messages_quote_only_a_part_of_untrusted_text() {
    let folder = folder();
    let npy = |axes: String| {
        let header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({axes}), }}");
        [b"\x93NUMPY\x02\x00", &(header.len() as u32).to_le_bytes()[..], header.as_bytes()].concat()
    };
    let utf16: Vec<u8> =
        "score,opponent,dice\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let long = "x".repeat(9000);
    let game = |line: &str| format!("id = \"x\"\ngoal = 10\n{line}\n");
    let files: [(&str, Vec<u8>, &[&str]); 9] = [
        ("nested.npy", npy("(".repeat(5000)), &["`((((", "is not the length of an axis"]),
        ("shape.npy", npy("1, ".repeat(9000)), &["its shape is [1, 1, 1,", "[10, 10]"]),
        (
            "cell.csv",
            format!("score,opponent,dice\n\"0\n{long}\",0,4\n").into(),
            &["`0 xxx", "is not a whole number"],
        ),
        ("heading.csv", format!("{long},{long}\n4,4\n").into(), &["not a table of rolls", "`xxx"]),
        (
            "short.csv",
            "score,opponent,dice\n0,0\n".into(),
            &["line 2: it has 2 columns; the first line has 3"],
        ),
        ("wide.csv", [&[0xff, 0xfe][..], &utf16].concat(), &["it is UTF-16 text"]),
        (
            "row.txt",
            format!("{long}\n").repeat(10).into(),
            &["at 0-0: 33 dice", "the game allows 0 to 10"],
        ),
        (
            "baseline.toml",
            game(&format!("baseline = \"{}\"", "beat:".repeat(9000))).into(),
            &["3:12: a text of 45000"],
        ),
        (
            "number.toml",
            "id = \"x\"\ngoal = 99999999999999999999\n".into(),
            &["2:8: this number is too large"],
        ),
    ];
    for (name, bytes, words) in files {
        let path = file(&folder, name, bytes);
        let rate = ["rate", "su15", &path, "--goal", "10"];
        let arguments = if name.ends_with("toml") { &["rules", "check", &path][..] } else { &rate };
        assert_refused_quickly(arguments, words);
        let message = hog(arguments).output().unwrap().stderr;
        assert!(
            message.len() < 400 && message.iter().filter(|byte| **byte == b'\n').count() <= 2,
            "{name}: {} bytes",
            message.len()
        );
    }
}
