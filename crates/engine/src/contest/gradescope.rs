//! The submitters of each folder, from the file `submission_metadata.yml` of a Gradescope export.
//!
//! Only the subset of YAML that Gradescope writes is supported: the name of a folder at the left margin, and below it
//! `:submitters:` with `:name:`, `:sid:` and `:email:` of each. Other lines are ignored, and so is a file that cannot
//! be read.

use std::collections::HashMap;
use std::path::Path;

use crate::files;

use super::naming::clean;

/// The file's name.
pub(super) const METADATA: &str = "submission_metadata.yml";

/// The size limit of the file, in bytes. It is generous, since the file contains all earlier results of all submitters.
pub(super) const LARGEST_LIST: u64 = 256 << 20;

/// A person who submitted a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Submitter {
    pub name: String,
    /// The person's id and email address, in lower case.
    pub keys: Vec<String>,
}

/// Reads the submitters of each folder, by the folder's name.
pub(super) fn submitters(folder: &Path) -> HashMap<String, Vec<Submitter>> {
    files::read_text(&folder.join(METADATA), LARGEST_LIST).map(|text| read(&text)).unwrap_or_default()
}

fn read(text: &str) -> HashMap<String, Vec<Submitter>> {
    let mut found: HashMap<String, Vec<Submitter>> = HashMap::new();
    let (mut folder, mut within) = (None, false);
    for line in text.lines() {
        let indented = line.starts_with([' ', '-']);
        let bare = line.trim_start_matches([' ', '-']).trim_end();
        if !indented {
            folder = bare.strip_suffix(':').map(scalar);
            within = false;
        } else if line.starts_with("  :") {
            within = bare == ":submitters:";
        } else if let (true, Some(folder)) = (within, &folder) {
            let people = found.entry(folder.clone()).or_default();
            if line.trim_start().starts_with('-') {
                people.push(Submitter::default());
            }
            let entry = bare.strip_prefix(':').and_then(|entry| entry.split_once(": "));
            match (people.last_mut(), entry) {
                (Some(person), Some(("name", value))) => person.name = clean(&scalar(value)),
                (Some(person), Some(("sid" | "email", value))) => person.keys.push(scalar(value).to_lowercase()),
                _ => {}
            }
        }
    }
    found
}

/// Parses a YAML scalar on one line: plain, or in single or double quotes.
fn scalar(text: &str) -> String {
    let text = text.trim();
    let within = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(text) = within('\'') {
        return text.replace("''", "'");
    }
    match within('"') {
        // Gradescope uses only escapes that JSON has too.
        Some(quoted) => serde_json::from_str(text).unwrap_or_else(|_| quoted.to_owned()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submitters_are_read_and_earlier_results_ignored() {
        let text = "---\nsubmission_1:\n  :submitters:\n  - :name: 'O''Neil'\n    :sid: '100'\n    :email: O@x.edu\n  :score: 1.0\n  \
                    :history:\n  - :id: 4\n    :name: nobody\nsubmission_2:\n  :submitters:\n  - :name: \"A\\u00e9\"\n    \
                    :sid: 2\n  - :name: B\nnonsense\n  - :name: C\n";
        let found = read(text);
        assert_eq!(found.len(), 2);
        let one = Submitter { name: "O'Neil".into(), keys: vec!["100".into(), "o@x.edu".into()] };
        assert_eq!(found["submission_1"], [one]);
        let names: Vec<&str> = found["submission_2"].iter().map(|person| person.name.as_str()).collect();
        assert_eq!(names, ["Aé", "B"]);
    }
}
