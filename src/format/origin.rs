//! Whether a file is one of hog's own, which a new result may replace.
//!
//! A table is known by its first bytes; a page, a picture or a document by the words in its head; a CSV file by its first
//! line. What only looks alike is somebody's work: it takes a word from its owner to be replaced.

use std::io::{self, Read};
use std::path::Path;

use crate::files;
use crate::table::MAGIC;

/// How much of a file is looked at.
const HEAD: u64 = 4096;

/// The largest Python file that is looked at whole.
const LARGEST_PYTHON: u64 = 1 << 24;

/// What stands in the head of pages, pictures and documents.
const MARK: &str = "Made by hog";

/// Whether a file was written by hog, or is empty.
///
/// # Errors
/// If it cannot be read.
pub fn is_made_by_hog(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    files::open(path, u64::MAX)?.take(HEAD).read_to_end(&mut head)?;
    if head.is_empty() || head.starts_with(&MAGIC) {
        return Ok(true);
    }
    let text = String::from_utf8_lossy(&head);
    Ok(match ending(path) {
        "py" => is_function_alone(&files::read_text(path, LARGEST_PYTHON).unwrap_or_default()),
        "csv" => is_csv(text.lines().next().unwrap_or_default()),
        "json" | "jsonl" => text.starts_with("{\"rules\":") || text.contains("\"command\":\"hog "),
        "npy" => text.contains("NUMPY") && text.contains("'|i1'"),
        "txt" => text.starts_with("# ") && text.lines().next().is_some_and(|line| line.contains(": hog ")),
        _ => text.contains(MARK) || text.contains("{\"format\":\"hog "),
    })
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// A function that hog wrote, with nothing added before or after it: pasted into a file of one's own it is not.
fn is_function_alone(text: &str) -> bool {
    let last = text.trim_end().lines().last().unwrap_or_default();
    text.starts_with("def final_strategy(") && text.contains(MARK) && last.trim_start().starts_with("return int(rolls[")
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
    fn what_hog_wrote_is_told_from_what_looks_alike() {
        let folder = tempfile::tempdir().unwrap();
        let known = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            is_made_by_hog(&path).unwrap()
        };
        let function =
            "def final_strategy(score, opponent_score):\n    \"\"\"Made by hog.\"\"\"\n    return int(rolls[0], 36)\n";
        let mine = [
            ("a.py", function),
            ("a.csv", "score,opponent,win_rate,dice,best\n0,0,0.5,6,6\n"),
            ("a.svg", "<svg>\n<desc>Made by hog survey; do not edit.</desc>"),
            ("a.md", "[//]: # (Made by hog survey -o a.md; do not edit.)\n"),
            ("a.txt", "# fa21: hog solve fa21\n6 6\n"),
            ("a.hogplay", "{\"format\":\"hog transcript 1\"}\n"),
            ("a.json", "{\"rules\":\"fa21\",\"goal\":100}"),
            ("empty.py", ""),
        ];
        for (name, text) in mine {
            assert!(known(name, text), "{name}");
        }
        let pasted = format!("from dice import six_sided\n\n{function}");
        let added = format!("{function}\ndef other():\n    pass\n");
        let theirs = [
            ("b.py", pasted.as_str()),
            ("b.py", &added),
            ("b.py", "def final_strategy(score, opponent_score):\n    return 5\n"),
            ("b.csv", "score,opponent,dice\n0,0,6\n"),
            ("b.md", "# My notes\n"),
            ("b.hog", "no table"),
            ("b.json", "[1]"),
        ];
        for (name, text) in theirs {
            assert!(!known(name, text), "{name}: {text}");
        }
    }
}
