//! Writes a contest: the ranking as CSV, Markdown and a page, the matrix and the gradebook as CSV,
//! a page for each entrant, and results for autograders.

mod markdown;
mod page;
mod ranking;
mod report;
mod results;
mod sheet;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use schemars::JsonSchema;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

use crate::queries::ContestAnswer;

/// Who reads the pages of a contest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// One's own map and losses; the ranking
    ///
    /// A report shows nobody else's strategy and has a name that others cannot guess.
    Students,
    /// Everything
    #[default]
    Staff,
}

/// File names, without an ending, for the entrants of a contest. They consist of lower-case letters
/// of any script, digits and hyphens, are all different, and are the same in every run with the
/// same entrants.
#[derive(Clone, Debug)]
pub struct FileNames(HashMap<String, String>);

/// Names that are reserved by operating systems or by the contest's own files.
const RESERVED: [&str; 6] = ["index", "con", "prn", "aux", "nul", "results"];

/// The longest name, without the number that makes it unique, in characters.
const LONGEST: usize = 40;

impl FileNames {
    /// Names the files of all entrants, admitted and rejected.
    pub fn of(view: &ContestAnswer) -> Self {
        Self::of_names(view.entrants.iter().chain(view.rejected.iter().map(|one| &one.name)))
    }

    /// Names the files of entrants by their names: the admitted first, then the rejected.
    pub fn of_names<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let mut used: HashSet<String> = RESERVED.iter().map(|name| (*name).to_owned()).collect();
        let mut name = |entrant: &String| {
            let slug = slug(entrant);
            let numbered = (2..).map(|number| format!("{slug}-{number}"));
            let mut own =
                std::iter::once(slug.clone()).chain(numbered).filter(|name| !used.contains(name));
            let own = own.next().expect("there is always another number");
            used.insert(own.clone());
            (entrant.clone(), own)
        };
        Self(names.map(&mut name).collect())
    }

    /// Adds to each name digits that nobody can guess, for pages that only the entrant is to find.
    /// Names of `earlier` files, without their endings, are used again, so that links stay
    /// valid.
    #[must_use]
    pub fn unguessable(mut self, earlier: &[String]) -> Self {
        let one = RandomState::new();
        let other = RandomState::new();
        for name in self.0.values_mut() {
            let is_code =
                |code: &str| code.len() == 32 && code.bytes().all(|byte| byte.is_ascii_hexdigit());
            let earlier = earlier.iter().find(|file| {
                file.rsplit_once("--").is_some_and(|(own, code)| own == name && is_code(code))
            });
            let new =
                || format!("{name}--{:016x}{:016x}", one.hash_one(&name), other.hash_one(&name));
            *name = earlier.cloned().unwrap_or_else(new);
        }
        self
    }

    /// Returns the name of an entrant's file, without its ending.
    pub fn get(&self, entrant: &str) -> &str {
        self.0.get(entrant).map_or("entrant", String::as_str)
    }
}

/// Reduces a name to lower-case letters of any script, digits and hyphens. Accents stay.
fn slug(name: &str) -> String {
    let is_kept = |c: char| c.is_alphanumeric() || is_accent(c);
    // Composed again after it is in lower case, since some systems take both forms for the same
    // file.
    let small: String = name
        .nfc()
        .flat_map(char::to_lowercase)
        .nfc()
        .map(|c| if is_kept(c) { c } else { '-' })
        .collect();
    let words = small
        .split('-')
        .map(|word| word.trim_start_matches(is_accent))
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    let cut: String = joined.chars().take(LONGEST).collect();
    let cut = cut.trim_end_matches('-').to_owned();
    let is_device = cut.len() == 4 && (cut.starts_with("com") || cut.starts_with("lpt"));
    if cut.is_empty() || is_device {
        format!("entrant-{cut}").trim_end_matches('-').to_owned()
    } else {
        cut
    }
}

/// Whether a character is an accent that the letter before it has no composed form with.
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::{FileNames, slug};

    #[test]
    fn file_names_have_only_safe_characters() {
        let names =
            ["Ada Lovelace", "../../etc/passwd", "<script>", "", "🐷", "COM1", &"x".repeat(500)]
                .map(slug);
        assert_eq!(
            names[..6],
            ["ada-lovelace", "etc-passwd", "script", "entrant", "entrant", "entrant-com1"]
        );
        assert_eq!(names[6].len(), super::LONGEST);
    }

    #[test]
    fn accents_and_scripts_survive() {
        for (name, file) in [
            ("Zoë Ångström", "zoë-ångström"),
            ("Zoe\u{308} A\u{30a}ngstro\u{308}m", "zoë-ångström"),
            ("מרים / مرحبا", "מרים-مرحبا"),
            ("Łukasz Żółć", "łukasz-żółć"),
            ("李 小龍", "李-小龍"),
            ("İpek", "i\u{307}pek"),
            ("\u{301}\u{301}", "entrant"),
        ] {
            assert_eq!(slug(name), file);
        }
        let names = ["Zoë".to_owned(), "Zoe\u{308}".to_owned(), "ZOË".to_owned()];
        let files = FileNames::of_names(names.iter());
        assert_eq!(names.each_ref().map(|name| files.get(name)), ["zoë", "zoë-2", "zoë-3"]);
    }

    #[test]
    fn unguessable_names_stay_the_same() {
        let names = ["Ada".to_owned(), "Ada B".to_owned()];
        let secret = || FileNames::of_names(names.iter());
        let [first, other] = [secret().unguessable(&[]), secret().unguessable(&[])];
        assert_ne!(first.get("Ada"), other.get("Ada"));
        assert!(first.get("Ada").starts_with("ada--") && first.get("Ada B").starts_with("ada-b--"));
        let earlier = names.each_ref().map(|name| first.get(name).to_owned());
        let again = secret().unguessable(&earlier);
        assert_eq!(names.each_ref().map(|name| again.get(name).to_owned()), earlier);
    }
}
