//! A contest in files: the ranking as CSV, Markdown and a page, the matrix as CSV, a page for each entrant, and what
//! autograders read.

mod markdown;
mod page;
mod ranking;
mod report;
mod results;
mod sheet;

use std::collections::{HashMap, HashSet};

use crate::view::ContestView;

/// Names of files for the entrants of a contest, without an ending: of small letters, digits and hyphens, all different,
/// the same in every run with the same entrants.
#[derive(Clone, Debug)]
pub struct FileNames(HashMap<String, String>);

/// Names that systems or the ranking itself keep.
const TAKEN: [&str; 6] = ["index", "con", "prn", "aux", "nul", "results"];

/// The longest such name, before a number.
const LONGEST: usize = 40;

impl FileNames {
    /// Those of all who took part and who could not.
    pub fn of(view: &ContestView) -> Self {
        Self::of_names(view.entrants.iter().chain(view.rejected.iter().map(|one| &one.name)))
    }

    /// Those of entrants by name: those who took part come first, then those who could not.
    pub fn of_names<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let mut used: HashSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
        let mut name = |entrant: &String| {
            let plain = plain(entrant);
            let numbered = (2..).map(|number| format!("{plain}-{number}"));
            let mut own = std::iter::once(plain.clone()).chain(numbered).filter(|name| !used.contains(name));
            let own = own.next().expect("numbers do not end");
            used.insert(own.clone());
            (entrant.clone(), own)
        };
        Self(names.map(&mut name).collect())
    }

    /// The name of an entrant's file, without its ending.
    pub fn get(&self, entrant: &str) -> &str {
        self.0.get(entrant).map_or("entrant", String::as_str)
    }
}

fn plain(name: &str) -> String {
    let small = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let words: String = small.collect();
    let joined = words.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let cut: String = joined.chars().take(LONGEST).collect();
    let of_a_port = cut.len() == 4 && (cut.starts_with("com") || cut.starts_with("lpt"));
    if cut.is_empty() || of_a_port { format!("entrant-{cut}").trim_end_matches('-').to_owned() } else { cut }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_files_are_plain() {
        let names = ["Ada Lovelace", "../../etc/passwd", "<script>", "", "مرحبا", "COM1", &"x".repeat(500)].map(plain);
        assert_eq!(names[..6], ["ada-lovelace", "etc-passwd", "script", "entrant", "entrant", "entrant-com1"]);
        assert_eq!(names[6].len(), super::LONGEST);
    }
}
