//! Recognises files that hog wrote, which a new result may replace.
//!
//! A table is recognised by its first bytes, a page, picture or document by a mark near its beginning, and a CSV file
//! by its first line. Any other file is somebody's work, which is replaced only if the user says so.

use std::io::{self, Read};
use std::path::Path;

use crate::files;
use crate::rules::starter;
use crate::table::MAGIC;

/// The number of bytes examined at the beginning of a file.
const HEAD: u64 = 4096;

/// The largest Python or rule file that is examined completely, in bytes.
const LARGEST_EXAMINED: u64 = 1 << 24;

/// The mark near the beginning of pages, pictures and documents.
const MARK: &str = "Made by hog";

/// The beginning of a transcript, whose file may have any ending.
const TRANSCRIPT: &str = "{\"format\":\"hog transcript ";

/// Returns whether a file was written by hog, or is empty.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn is_made_by_hog(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    files::open(path, u64::MAX)?.take(HEAD).read_to_end(&mut head)?;
    if head.is_empty() || head.starts_with(&MAGIC) {
        return Ok(true);
    }
    let text = String::from_utf8_lossy(&head);
    let complete = || files::read_text(path, LARGEST_EXAMINED).unwrap_or_default();
    Ok(match ending(path) {
        _ if text.starts_with(TRANSCRIPT) => true,
        "py" => is_unchanged_function(&complete()),
        "toml" => is_unchanged_starter(&complete()),
        "csv" => is_csv(text.lines().next().unwrap_or_default()),
        "json" | "jsonl" => text.starts_with("{\"rules\":") || text.contains("\"command\":\"hog "),
        "npy" => text.contains("NUMPY") && text.contains("'|i1'"),
        "txt" => text.starts_with("# ") && text.lines().next().is_some_and(|line| line.contains(": hog ")),
        _ => text.contains(MARK),
    })
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// Returns whether a text is a function that hog wrote, with nothing added before or after it.
fn is_unchanged_function(text: &str) -> bool {
    let last = text.trim_end().lines().last().unwrap_or_default();
    text.starts_with("def final_strategy(") && text.contains(MARK) && last.trim_start().starts_with("return int(rolls[")
}

/// Returns whether a text is a rule file as `hog rules new` writes it, which nobody has edited.
fn is_unchanged_starter(text: &str) -> bool {
    let id = text.strip_prefix("# ").and_then(|text| text.split_once(".toml: ")).map(|(id, _)| id);
    id.is_some_and(|id| text == starter(id))
}

fn is_csv(head: &str) -> bool {
    let columns: Vec<&str> = head.split(',').collect();
    head.starts_with("rank,name,")
        || head.ends_with(",first,second,average")
        || head.contains(",first_player,first_roll,")
        || ["best", "met_first"].iter().any(|column| columns.contains(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_written_by_hog_are_recognised_and_similar_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let is_ours = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            is_made_by_hog(&path).unwrap()
        };
        let function =
            "def final_strategy(score, opponent_score):\n    \"\"\"Made by hog.\"\"\"\n    return int(rolls[0], 36)\n";
        let ours = [
            ("a.py", function),
            ("a.csv", "score,opponent,win_rate,dice,best\n0,0,0.5,6,6\n"),
            ("a.svg", "<svg>\n<desc>Made by hog survey; do not edit.</desc>"),
            ("a.md", "[//]: # (Made by hog survey -o a.md; do not edit.)\n"),
            ("a.txt", "# fa21: hog solve fa21\n6 6\n"),
            ("a.hogplay", "{\"format\":\"hog transcript 1\"}\n"),
            ("a.jsonl", "{\"format\":\"hog transcript 1\"}\n"),
            ("a.toml", &starter("mine")),
            ("a.json", "{\"rules\":\"fa21\",\"goal\":100}"),
            ("empty.py", ""),
        ];
        for (name, text) in ours {
            assert!(is_ours(name, text), "{name}");
        }
        let pasted = format!("from dice import six_sided\n\n{function}");
        let added = format!("{function}\ndef other():\n    pass\n");
        let theirs = [
            ("b.py", pasted.as_str()),
            ("b.py", &added),
            ("b.py", "def final_strategy(score, opponent_score):\n    return 5\n"),
            ("b.csv", "score,opponent,dice\n0,0,6\n"),
            ("b.md", "# My notes\n"),
            ("b.hog", "not a table"),
            ("b.json", "[1]"),
            ("b.toml", &starter("mine").replace("goal = 100", "goal = 50")),
            ("b.toml", "id = \"mine\"\n"),
        ];
        for (name, text) in theirs {
            assert!(!is_ours(name, text), "{name}: {text}");
        }
    }
}
