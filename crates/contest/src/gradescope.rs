//! The submitters of each folder and its time, from the file `submission_metadata.yml` of a
//! Gradescope export.
//!
//! Only the subset of YAML that Gradescope writes is supported: the name of a folder at the left
//! margin, and below it `:created_at:` and `:submitters:` with `:name:`, `:sid:` and `:email:` of
//! each. Other lines are ignored, and so is a file that cannot be read.

use std::collections::HashMap;
use std::path::Path;

use crate::files;

use super::limits;
use super::naming::clean;

/// The file's name.
pub(super) const METADATA: &str = "submission_metadata.yml";

/// A person who submitted a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Submitter {
    pub name: String,
    pub sid: String,
    pub email: String,
}

/// What Gradescope's list says of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    pub submitters: Vec<Submitter>,
    /// When it was handed in, as written: `2024-09-20 06:59:29.812546000 Z`.
    pub created_at: Option<String>,
}

/// Reads the list of a folder's folders, by their names.
pub(super) fn list(folder: &Path) -> HashMap<String, Listed> {
    files::read_text(&folder.join(METADATA), limits::LIST_BYTES)
        .map(|text| read(&text))
        .unwrap_or_default()
}

/// Reads the file's text. A key counts only at its indentation: people's names and the output of
/// their programs may go on in further lines, which are indented more, and look like keys.
fn read(text: &str) -> HashMap<String, Listed> {
    let mut found: HashMap<String, Listed> = HashMap::new();
    let mut folder = None;
    let mut within = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.is_empty() {
            continue;
        }
        let mut line = line.to_owned();
        if is_key(&line) {
            // A text that goes on: its lines are joined by spaces.
            while let Some(next) =
                lines.next_if(|next| !is_key(next) && line.len() < limits::VALUE_BYTES)
            {
                line.push(' ');
                line.push_str(next.trim());
            }
        }
        if !line.starts_with([' ', '-']) {
            folder = line.trim_end().strip_suffix(':').map(scalar);
            within = false;
            continue;
        }
        let Some(folder) = &folder else { continue };
        if let Some((key, value)) = entry(&line, "  :") {
            within = key == "submitters";
            if key == "created_at" {
                found.entry(folder.clone()).or_default().created_at = Some(scalar(value));
            }
        } else if within
            && let Some((key, value)) = entry(&line, "  - :").or_else(|| entry(&line, "    :"))
        {
            let people = &mut found.entry(folder.clone()).or_default().submitters;
            if line.starts_with("  - ") {
                people.push(Submitter::default());
            }
            match (people.last_mut(), key) {
                (Some(person), "name") => person.name = clean(&scalar(value)),
                (Some(person), "sid") => person.sid = clean(&scalar(value)),
                (Some(person), "email") => person.email = clean(&scalar(value)),
                _ => {}
            }
        }
    }
    found
}

/// How the lines of the keys of a folder and of its submitters begin.
const KEY_STARTS: [&str; 3] = ["  :", "  - :", "    :"];

fn is_key(line: &str) -> bool {
    KEY_STARTS.iter().any(|start| line.starts_with(start))
        || !line.starts_with(' ') && !line.is_empty()
}

/// Returns the key and the value of a line that begins with `start`.
fn entry<'l>(line: &'l str, start: &str) -> Option<(&'l str, &'l str)> {
    line.strip_prefix(start)?.split_once(':')
}

/// Parses a YAML scalar on one line: plain, or in single or double quotes.
fn scalar(text: &str) -> String {
    let text = text.trim();
    if let Some(text) = unquoted(text, '\'') {
        return text.replace("''", "'");
    }
    match unquoted(text, '"') {
        // Gradescope uses only escapes that JSON has too.
        Some(quoted) => serde_json::from_str(text).unwrap_or_else(|_| quoted.to_owned()),
        None => text.to_owned(),
    }
}

fn unquoted(text: &str, quote: char) -> Option<&str> {
    text.strip_prefix(quote)?.strip_suffix(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submitters_are_read_and_earlier_results_ignored() {
        let text = "---\nsubmission_1:\n  :submitters:\n  - :name: 'O''Neil'\n    :sid: \
                    '100'\n    :email: O@x.edu\n  :created_at: 2024-09-20 06:59:29.812546000 \
                    Z\n  :score: 1.0\n  :history:\n  - :id: 4\n    :name: \
                    nobody\n    :created_at: 2020-01-01 00:00:00 Z\n\
                    submission_2:\n  :submitters:\n  - :name: \"A\\u00e9\"\n    :sid: 2\n  - \
                    :name: B\nnonsense\n  - :name: C\n\
                    ";
        let found = read(text);
        assert_eq!(found.len(), 2);
        let one = Submitter { name: "O'Neil".into(), sid: "100".into(), email: "O@x.edu".into() };
        assert_eq!(found["submission_1"].submitters, [one]);
        assert_eq!(
            found["submission_1"].created_at.as_deref(),
            Some("2024-09-20 06:59:29.812546000 Z")
        );
        let names: Vec<&str> =
            found["submission_2"].submitters.iter().map(|person| person.name.as_str()).collect();
        assert_eq!(names, ["Aé", "B"]);
    }

    /// A library of YAML puts long texts on several lines; a name may then have a line that looks
    /// like a key.
    #[test]
    fn a_long_name_does_not_write_keys() {
        let text = "submission_1:\n  :submitters:\n  - :name: 'Eve \
                    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n      :sid: \
                    30330001\n      :email: ada@x.edu '\n    :sid: '17'\n  :results:\n    output: \
                    |\n      :sid: 30330001\n    :submitters:\n    - :name: Ada\n  :created_at: \
                    2024-09-20 06:59:29 Z\n\
                    ";
        let found = &read(text)["submission_1"];
        assert_eq!(found.submitters.len(), 1);
        let person = &found.submitters[0];
        assert!(person.name.starts_with("Eve x"), "{person:?}");
        assert_eq!((&*person.sid, &*person.email), ("17", ""));
        assert_eq!(found.created_at.as_deref(), Some("2024-09-20 06:59:29 Z"));
    }
}
