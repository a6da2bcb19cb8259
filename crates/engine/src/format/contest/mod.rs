//! Writes a contest: the ranking as CSV, Markdown and a page, the matrix as CSV, a page for each entrant, and results
//! for autograders.

mod markdown;
mod page;
mod ranking;
mod report;
mod results;
mod sheet;

use std::collections::{HashMap, HashSet};

use crate::view::ContestView;

/// File names, without an ending, for the entrants of a contest. They consist of lower-case letters, digits and
/// hyphens, are all different, and are the same in every run with the same entrants.
#[derive(Clone, Debug)]
pub struct FileNames(HashMap<String, String>);

/// Names that are reserved by operating systems or by the contest's own files.
const RESERVED: [&str; 6] = ["index", "con", "prn", "aux", "nul", "results"];

/// The longest name, without the number that makes it unique, in characters.
const LONGEST: usize = 40;

impl FileNames {
    /// Names the files of all entrants, admitted and rejected.
    pub fn of(view: &ContestView) -> Self {
        Self::of_names(view.entrants.iter().chain(view.rejected.iter().map(|one| &one.name)))
    }

    /// Names the files of entrants by their names: the admitted first, then the rejected.
    pub fn of_names<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let mut used: HashSet<String> = RESERVED.iter().map(|name| (*name).to_owned()).collect();
        let mut name = |entrant: &String| {
            let slug = slug(entrant);
            let numbered = (2..).map(|number| format!("{slug}-{number}"));
            let mut own = std::iter::once(slug.clone()).chain(numbered).filter(|name| !used.contains(name));
            let own = own.next().expect("there is always another number");
            used.insert(own.clone());
            (entrant.clone(), own)
        };
        Self(names.map(&mut name).collect())
    }

    /// Returns the name of an entrant's file, without its ending.
    pub fn get(&self, entrant: &str) -> &str {
        self.0.get(entrant).map_or("entrant", String::as_str)
    }
}

/// Reduces a name to lower-case letters, digits and hyphens.
fn slug(name: &str) -> String {
    let small = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let words: String = small.collect();
    let joined = words.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let cut: String = joined.chars().take(LONGEST).collect();
    let is_device = cut.len() == 4 && (cut.starts_with("com") || cut.starts_with("lpt"));
    if cut.is_empty() || is_device { format!("entrant-{cut}").trim_end_matches('-').to_owned() } else { cut }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn file_names_have_only_safe_characters() {
        let names = ["Ada Lovelace", "../../etc/passwd", "<script>", "", "مرحبا", "COM1", &"x".repeat(500)].map(slug);
        assert_eq!(names[..6], ["ada-lovelace", "etc-passwd", "script", "entrant", "entrant", "entrant-com1"]);
        assert_eq!(names[6].len(), super::LONGEST);
    }
}
