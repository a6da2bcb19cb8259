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
use std::io::{self, Write};

use hog_engine::format;
use schemars::JsonSchema;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

use crate::answer::ContestAnswer;
use crate::grade::Feedback;
use crate::limits;

/// Who reads the pages of a contest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// One's own results, as far as `--feedback` shows them; the ranking
    ///
    /// A report shows nobody else's strategy and has a name that others cannot guess.
    Students,
    /// Everything
    #[default]
    Staff,
}

/// Who reads the pages of a contest, and what they see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::Args)]
pub struct Readers {
    /// Who reads the pages. For students, reports show nobody else's strategy and have names that
    /// others cannot guess
    #[serde(default)]
    #[arg(long = "reports-for", value_enum, value_name = "WHOM", default_value_t)]
    pub audience: Audience,
    /// What students' pages show besides rank and points
    #[serde(default)]
    #[arg(long, value_enum, default_value_t)]
    pub feedback: Feedback,
    /// Show students the names of all others, in the ranking and as opponents; without it, others
    /// are told by their ranks alone
    #[serde(default)]
    #[arg(long)]
    pub show_names: bool,
}

impl ContestAnswer {
    /// The endings of the files of a ranking.
    pub const ENDINGS: &'static [&'static str] = &["html", "csv", "md", "json"];

    /// Writes the ranking in the form of files with this ending, one of [`Self::ENDINGS`]; a page
    /// as its readers see it.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn write(&self, ending: &str, readers: Readers, out: &mut dyn Write) -> io::Result<()> {
        match ending {
            "html" => self.html(readers, None, out),
            "md" => self.markdown(out),
            "json" => format::json(self, out),
            _ => self.csv(out),
        }
    }
}

impl Readers {
    /// Returns whether they see as much as `level` shows.
    fn see(self, level: Feedback) -> bool {
        self.audience == Audience::Staff || self.feedback >= level
    }
}

/// How readers see the names of a contest: as they are, or those of submissions as their ranks.
#[derive(Clone, Debug, Default)]
pub struct Labels(HashMap<String, String>);

impl Labels {
    /// Returns how these readers see the names. Strategies given by name are nobody's.
    pub fn of(answer: &ContestAnswer, readers: Readers) -> Self {
        let mut labels = HashMap::new();
        if readers.audience == Audience::Students && !readers.show_names {
            for row in answer.ranking.iter().filter(|row| row.file.is_some()) {
                labels.insert(row.name.clone(), format!("rank {}", row.rank));
            }
        }
        Self(labels)
    }

    /// Whether submissions are seen as their ranks.
    pub fn are_ranks(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns how an entrant is seen.
    pub fn get<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.get(name).map_or(name, String::as_str)
    }
}

/// File names, without an ending, for the entrants of a contest. They consist of lower-case letters
/// of any script, digits and hyphens, are all different, and are the same in every run with the
/// same entrants.
#[derive(Clone, Debug)]
pub struct FileNames(HashMap<String, String>);

/// Names that are reserved by operating systems or by the contest's own files.
const RESERVED: [&str; 6] = ["index", "con", "prn", "aux", "nul", "results"];

impl FileNames {
    /// Names the files of all entrants, admitted and rejected.
    pub fn of(view: &ContestAnswer) -> Self {
        Self::of_names(view.entrants.iter().chain(view.rejected.iter().map(|one| &one.name)))
    }

    /// Names the files of entrants by their names: the admitted first, then the rejected.
    pub fn of_names<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let mut used: HashSet<String> = RESERVED.iter().map(|name| (*name).to_owned()).collect();
        let mut files = HashMap::new();
        for entrant in names {
            let slug = slug(entrant);
            let mut own = slug.clone();
            let mut number = 2;
            while !used.insert(own.clone()) {
                own = format!("{slug}-{number}");
                number += 1;
            }
            files.insert(entrant.clone(), own);
        }
        Self(files)
    }

    /// Adds to each name digits that nobody can guess, for pages that only the entrant is to find.
    /// Names of `earlier` files, without their endings, are used again, so that links stay
    /// valid.
    #[must_use]
    pub fn unguessable(mut self, earlier: &[String]) -> Self {
        let one = RandomState::new();
        let other = RandomState::new();
        for name in self.0.values_mut() {
            let earlier = earlier.iter().find(|file| {
                file.rsplit_once("--").is_some_and(|(own, code)| own == name && is_code(code))
            });
            *name = match earlier {
                Some(file) => file.clone(),
                None => {
                    format!("{name}--{:016x}{:016x}", one.hash_one(&name), other.hash_one(&name))
                }
            };
        }
        self
    }

    /// Returns the name of an entrant's file, without its ending.
    pub fn get(&self, entrant: &str) -> &str {
        self.0.get(entrant).map_or("entrant", String::as_str)
    }
}

fn is_code(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Reduces a name to lower-case letters of any script, digits and hyphens. Accents stay.
fn slug(name: &str) -> String {
    // Composed again after it is in lower case, since some systems take both forms for the same
    // file.
    let small: String = name
        .nfc()
        .flat_map(char::to_lowercase)
        .nfc()
        .map(|c| if c.is_alphanumeric() || is_accent(c) { c } else { '-' })
        .collect();
    let words = small
        .split('-')
        .map(|word| word.trim_start_matches(is_accent))
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    let cut: String = joined.chars().take(limits::FILE_NAME_CHARS).collect();
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
        assert_eq!(names[6].len(), super::limits::FILE_NAME_CHARS);
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
