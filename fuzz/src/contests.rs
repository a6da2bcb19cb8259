//! What strangers hand in to a contest, beside honest people: their archives, the names of their
//! files, and what they call themselves at the system that collects the submissions.
//!
//! Submissions are found and named, but no strategy is read: the time for that is over.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hog::contest::{Field, FieldError, HandIn, Invitation, field};
use hog::game::{Game, USUAL_MEMORY};
use hog::strategy::Sources;
use hog::strategy::python::code;
use tempfile::TempDir;

const STRATEGY: &str = "def final_strategy(score, opponent_score):\n    return 4\n";

/// A folder in which a contest is prepared.
struct Desk {
    folder: TempDir,
    /// Where archives are unpacked.
    unpacking: PathBuf,
    roster: PathBuf,
}

impl Desk {
    fn new(roster: &[u8]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (unpacking, path) = (folder.path().join("unpacking"), folder.path().join("roster.csv"));
        std::fs::create_dir(&unpacking).expect("a new folder");
        std::fs::write(&path, roster).expect("a new file");
        Self { folder, unpacking, roster: path }
    }

    /// Finds the submissions in an archive or folder. Nothing may be left of what was unpacked, and
    /// nothing may appear beside it.
    fn field(&self, game: &Game, submissions: &Path) -> Result<Field, FieldError> {
        let before = listed(self.folder.path());
        let invitation = Invitation {
            each_in: vec![submissions.to_owned()],
            roster: Some(self.roster.clone()),
            unpack_in: Some(self.unpacking.clone()),
            until: Some(Instant::now()),
            ..Invitation::default()
        };
        let found =
            field(game, &invitation, &Sources::files(), USUAL_MEMORY, &|_, _, _| true, &|_, _| ());
        assert_eq!(listed(&self.unpacking), [] as [PathBuf; 0]);
        assert_eq!(listed(self.folder.path()), before);
        if let Ok(field) = &found {
            consistent(field);
        }
        found
    }
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Asserts what holds of every field: names are distinct and on one line, and each line of the
/// roster has something handed in, or nothing, or is one of those whose it may be.
fn consistent(field: &Field) {
    let mut names: Vec<&str> = field.rejected.iter().map(|one| one.name.as_str()).collect();
    let count = names.len();
    assert!(field.entrants.is_empty(), "no strategy is read");
    for one in &field.rejected {
        assert!(!one.name.is_empty() && !one.name.contains(char::is_control), "{one:?}");
        assert!(!one.reason.contains(char::is_control), "{one:?}");
        for line in one.hand_in.people.iter().filter_map(|person| person.line) {
            assert!(line < field.roster.lines.len(), "{one:?}");
            assert!(
                !field.absent.contains(&field.roster.lines[line].name)
                    || is_shared_name(field, line),
                "{one:?}"
            );
        }
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "names are distinct");
}

fn is_shared_name(field: &Field, line: usize) -> bool {
    let name = &field.roster.lines[line].name;
    field.roster.lines.iter().filter(|other| other.name == *name).count() > 1
}

/// Asserts that each of these files belongs to the person of its line of the roster, that it was
/// refused for no other reason than that no time is left, and that no other file is said to be
/// theirs.
fn safe(field: &Field, honest: &[(&str, usize)], shown: &dyn Fn() -> String) {
    for (file, line) in honest {
        let own: Vec<_> =
            field.rejected.iter().filter(|one| one.file.as_deref() == Some(file)).collect();
        let [one] = own[..] else { panic!("{file} is there once: {own:?}\n{}", shown()) };
        let is_not_read =
            one.reason.contains("longer than its share of the time for all entrants together");
        assert!(is_not_read, "{file}: {}\n{}", one.reason, shown());
        assert!(is_of(&one.hand_in, *line), "{file}: {:?}\n{}", one.hand_in, shown());
    }
    for one in &field.rejected {
        let is_honest = honest.iter().any(|(file, _)| one.file.as_deref() == Some(file));
        for (_, line) in honest.iter().filter(|_| !is_honest) {
            assert!(!is_of(&one.hand_in, *line), "{:?} is of line {line}\n{}", one.file, shown());
        }
    }
}

fn is_of(hand_in: &HandIn, line: usize) -> bool {
    hand_in.people.iter().any(|one| one.line == Some(line))
}

/// Unpacks the archive of a class: the bytes as they are, as an archive and as a submission in a
/// sound archive; and a sound archive with entries made of their lines.
pub fn archive(data: &[u8], game: &Game) {
    let desk = Desk::new(b"name,id\nAda Lovelace,7\nBob,8\nCarl,9\n");
    let file = desk.folder.path().join("class.zip");
    std::fs::write(&file, data).expect("a new file");
    let _ = desk.field(game, &file);

    let mut own = Vec::new();
    let mut class = vec![
        Entry::new('f', b"lovelaceada_7_70_hog.py", STRATEGY.as_bytes()),
        Entry::new('f', b"bob/hog.py", STRATEGY.as_bytes()),
        Entry::new('f', b"carl.zip", &zip(&[Entry::new('f', b"hog.py", STRATEGY.as_bytes())])),
        Entry::new('f', b"mallory.zip", data),
    ];
    for line in data.split(|byte| *byte == b'\n') {
        let Some((kind, line)) = line.split_first() else { continue };
        let (name, content) =
            line.split_at(line.iter().position(|b| *b == b'|').unwrap_or(line.len()));
        let content: Vec<u8> =
            content.iter().skip(1).map(|b| if *b == b'\r' { b'\n' } else { *b }).collect();
        match kind {
            // In an archive of its own, in a file that the system named, or in a folder.
            b'A'..=b'Z' => {
                own.push(Entry::new(char::from(kind.to_ascii_lowercase()), name, &content));
            }
            b'0'..=b'9' => {
                let name: Vec<u8> =
                    name.iter().copied().filter(|byte| !b"/\\".contains(byte)).collect();
                class.push(Entry::new('f', &[b"eve_12_34_", &name[..]].concat(), &content));
            }
            _ => class.push(Entry::new(char::from(*kind), &[b"eve/", name].concat(), &content)),
        }
    }
    class.push(Entry::new('f', b"eve.zip", &zip(&own)));
    std::fs::write(&file, zip(&class)).expect("a file");
    let honest = [("lovelaceada_7_70_hog.py", 0), ("bob/hog.py", 1), ("carl.zip", 2)];
    let found = desk.field(game, &file);
    let shown = || String::from_utf8_lossy(data).into_owned();
    match found {
        Ok(field) => safe(&field, &honest, &shown),
        Err(error) => panic!("one entrant spoils the archive: {error}\n{}", shown()),
    }
}

/// An entry of an archive.
struct Entry {
    /// What is unusual about it.
    kind: char,
    name: Vec<u8>,
    content: Vec<u8>,
}

impl Entry {
    fn new(kind: char, name: &[u8], content: &[u8]) -> Self {
        let name = name[..name.len().min(usize::from(u16::MAX))].to_vec();
        Self { kind, name, content: content.to_vec() }
    }
}

/// Writes an archive, whose entries may lie.
fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for Entry { kind, name, content } in entries {
        let (mut name, mut content) = (name.clone(), content.clone());
        let (mut flags, mut method, mut mode) = (0x800u16, 0u16, 0o100_644u32);
        if *kind == 'x' {
            content = content.repeat(1000);
        }
        let (mut size, mut crc) = (content.len() as u32, crc32fast::hash(&content));
        match kind {
            'd' => name.push(b'/'),
            'l' => mode = 0o120_777,
            'p' => mode = 0o010_644,
            'b' => size = 1 << 30,
            'h' => size = u32::MAX,
            's' => size = size.saturating_sub(1),
            'c' => crc ^= 1,
            'e' => flags |= 1,
            'm' => method = 99,
            'o' => flags = 0,
            'x' => {
                let mut encoder =
                    flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(&content).expect("writing to memory");
                (content, method) = (encoder.finish().expect("writing to memory"), 8);
            }
            _ => {}
        }
        let mut common = Vec::new();
        for number in [20, flags, method, 0, 0x21] {
            common.extend(number.to_le_bytes());
        }
        for number in [crc, content.len() as u32, size] {
            common.extend(number.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        let at = bytes.len() as u32;
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend([0; 2]);
        bytes.extend(&name);
        bytes.extend(content);
        // Written by Unix; no extra field, comment, disk or inner attributes.
        list.extend(b"PK\x01\x02\x14\x03");
        list.extend(common);
        list.extend([0; 8]);
        list.extend((mode << 16).to_le_bytes());
        list.extend(at.to_le_bytes());
        list.extend(name);
    }
    let (at, length, count) = (bytes.len() as u32, list.len() as u32, entries.len() as u16);
    bytes.extend(list);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

/// Finds whose submissions are. The first byte tells how the bytes are read: as a roster, names of
/// files and a list of Gradescope; or as what some people call themselves at a system, and how they
/// call their files there, beside two honest people.
pub fn roster(data: &[u8], game: &Game) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.split('\n');
    let system = lines.next().unwrap_or_default();
    match system {
        "canvas" | "moodle" | "gradescope" => people(system, lines, game),
        _ => anything(text, game),
    }
}

/// A roster, names of files, and a list of Gradescope, with `==` between them.
fn anything(text: &str, game: &Game) {
    let mut parts = text.split("\n==\n");
    let desk = Desk::new(parts.next().unwrap_or_default().as_bytes());
    let folder = desk.folder.path().join("submissions");
    std::fs::create_dir(&folder).expect("a new folder");
    for name in parts.next().unwrap_or_default().lines().take(20) {
        let is_folder = name.ends_with('/');
        let name = name.trim_end_matches('/');
        if is_folder {
            write(&folder.join(as_file(name)), "hog.py", STRATEGY);
        } else {
            write(&folder, &format!("{}.py", as_file(name)), STRATEGY);
        }
    }
    if let Some(list) = parts.next() {
        write(&folder, "submission_metadata.yml", list);
    }
    let _ = desk.field(game, &folder);
}

/// Writes a file if a file may have this name.
fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let _ = std::fs::create_dir_all(folder);
    let _ = std::fs::write(folder.join(name), text);
}

/// A name as that of a file.
fn as_file(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, '/' | '\\' | '\0' | '\n'));
    match kept.take(80).collect::<String>() {
        name if [".", "..", ""].contains(&&*name) => "x".to_owned(),
        name => name,
    }
}

/// Each line has what a person is called, and how that person calls the own file, with `|` between
/// them.
fn people<'a>(system: &str, lines: impl Iterator<Item = &'a str>, game: &Game) {
    let mut roster = String::from(match system {
        "canvas" => "name,id\nVera Vole,7000001\nWalt Wren,7000002\n",
        "moodle" => {
            "Full name,Identifier\nVera Vole,Participant 7000001\nWalt Wren,Participant 7000002\n"
        }
        _ => "name,sid,email\nVera Vole,7000001,vera@x.edu\nWalt Wren,7000002,walt@x.edu\n",
    });
    let mut files = BTreeMap::new();
    let mut list = String::from("---\n");
    let honest = [("Vera Vole", 7_000_001, "hog"), ("Walt Wren", 7_000_002, "hog")];
    let others = lines.take(12).zip(101..).map(|(line, number)| {
        let (name, own) = line.split_once('|').unwrap_or((line, "hog"));
        (name, number, own)
    });
    let mut expected = Vec::new();
    for (place, (name, number, own)) in honest.into_iter().chain(others).enumerate() {
        let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
        let own = as_file(own);
        let submission = 500 + place;
        let file = match system {
            // Last name first, without what is neither a letter nor a digit; numbers between
            // underscores get hyphens.
            "canvas" => {
                let (first, last) = name.rsplit_once(' ').unwrap_or(("", &name));
                let sortable: String = format!("{last}{first}")
                    .chars()
                    .filter(|c| c.is_alphanumeric() || *c == '_')
                    .take(60)
                    .flat_map(char::to_lowercase)
                    .collect();
                format!("{}_{number}_{submission}_{own}.py", hyphenated(&sortable))
            }
            "moodle" => {
                let name = as_file(&name.replace('_', " "));
                format!("{name}_{number}_assignsubmission_file_{own}.py")
            }
            _ => format!("submission_{submission}/{own}.py"),
        };
        if place >= honest.len() && number % 2 == 1 {
            let cell = format!("\"{}\"", name.replace('"', "\"\""));
            let _ = match system {
                "canvas" => writeln!(roster, "{cell},{number}"),
                "moodle" => writeln!(roster, "{cell},Participant {number}"),
                _ => writeln!(roster, "{cell},{number},{number}@x.edu"),
            };
        }
        // As Ruby writes them: in quotes, over several lines if they are long.
        let quoted = name.replace('\'', "''");
        let quoted = if quoted.len() > 60 { quoted.replace(' ', "\n      ") } else { quoted };
        let email = match number {
            7_000_001 => "vera@x.edu".to_owned(),
            7_000_002 => "walt@x.edu".to_owned(),
            _ => format!("{number}@x.edu"),
        };
        let _ = writeln!(
            list,
            "submission_{submission}:\n  :submitters:\n  - :name: '{quoted}'\n    :sid: '{number}'\n    :email: {email}\n  :created_at: 2024-09-20 06:59:29 Z"
        );
        if place < honest.len() {
            expected.push((file.clone(), place));
        }
        files.insert(file, STRATEGY);
    }
    let desk = Desk::new(roster.as_bytes());
    let folder = desk.folder.path().join("submissions");
    for (file, text) in files {
        let path = folder.join(&file);
        write(
            path.parent().expect("a folder"),
            &path.file_name().expect("a file").to_string_lossy(),
            text,
        );
    }
    if system == "gradescope" {
        write(&folder, "submission_metadata.yml", &list);
    }
    let field = desk.field(game, &folder).expect("a sound roster and a folder");
    let expected: Vec<(&str, usize)> =
        expected.iter().map(|(file, line)| (file.as_str(), *line)).collect();
    safe(&field, &expected, &|| format!("{roster}\n{list}"));
}

/// Canvas writes numbers between underscores with hyphens.
fn hyphenated(name: &str) -> String {
    let parts: Vec<&str> = name.split('_').collect();
    let mut written = parts[0].to_owned();
    let mut is_replaced = false;
    for (place, part) in parts.iter().enumerate().skip(1) {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let is_between = is_number && place + 1 < parts.len() && !is_replaced;
        written.push(if is_between || is_replaced { '-' } else { '_' });
        written.push_str(part);
        is_replaced = is_between;
    }
    written
}

/// Reads the cell of a notebook: the bytes as they are, and as cells with `---` between them. They
/// are handed in too, as a notebook and as a Python file.
pub fn notebook(data: &[u8], game: &Game) {
    const FUNCTION: &str = "final_strategy";
    let mut texts = vec![data.to_vec()];
    if let Ok(text) = std::str::from_utf8(data) {
        texts.push(of_cells(text.split("---\n")));
    }
    for notebook in &texts {
        let Ok(found) = code(notebook, FUNCTION) else { continue };
        let found = found.text;
        assert!(found.contains(FUNCTION) && found.len() <= notebook.len() + 1);
        let alone = of_cells([found.as_str()].into_iter());
        let again = code(&alone, FUNCTION).map(|code| code.text);
        assert_eq!(again.as_deref(), Ok(&*found), "a notebook of this code in one cell");
    }
    let desk = Desk::new(b"name,id\nAda Lovelace,7\n");
    let folder = desk.folder.path().join("submissions");
    write(&folder, "lovelaceada_7_70_hog.py", STRATEGY);
    write(&folder, "eve_12_34_hog.py", data);
    for (place, notebook) in texts.iter().enumerate() {
        write(&folder, &format!("eve_12_{place}_hog.ipynb"), notebook);
    }
    let field = desk.field(game, &folder).expect("a sound roster and a folder");
    safe(&field, &[("lovelaceada_7_70_hog.py", 0)], &|| String::from_utf8_lossy(data).into_owned());
}

/// Makes a notebook of cells.
fn of_cells<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let cells: Vec<serde_json::Value> = texts
        .map(|text| {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            serde_json::json!({ "cell_type": "code", "metadata": {}, "source": lines })
        })
        .collect();
    serde_json::to_vec(&serde_json::json!({ "cells": cells, "nbformat": 4 }))
        .expect("writing to memory")
}
