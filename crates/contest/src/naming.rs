//! The names of entrants: which name is preferred, cleaning for display, and making equal names
//! distinct.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

use super::limits;
use crate::files::escape;

/// Which names entrants have. Each variant lists its sources in order of preference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Naming {
    /// The roster, else PLAYER_NAME or TEAM_NAME, else the submitters, else the folder or file
    #[default]
    Chosen,
    /// The roster or the submitters, else the folder or file
    People,
    /// The folder or file
    Files,
}

/// What stands between names in a list: a semicolon if they have commas, as in `Brown, Milo`.
pub(super) fn between(names: &[impl AsRef<str>]) -> &'static str {
    if names.iter().any(|name| name.as_ref().contains(',')) { "; " } else { ", " }
}

/// Cleans a name for display: composed (`é` is one character), on one line, without control
/// characters, invisible ones and those that change the direction of text, with single spaces, and
/// cut to [`limits::NAME_CHARS`]. May be empty.
pub(super) fn clean(name: &str) -> String {
    let plain = name.nfc().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c });
    let visible: String = plain.filter(|c| !escape::is_unseen(*c)).collect();
    let joined = visible.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= limits::NAME_CHARS {
        return joined;
    }
    joined.chars().take(limits::NAME_CHARS - 1).chain(['…']).collect()
}

/// Makes names distinct, given as pairs of a name and a label (the folder or file): equal names are
/// followed by their labels, and numbered if these are equal too.
pub(super) fn distinct(names: Vec<(String, String)>) -> Vec<String> {
    let mut count: HashMap<String, usize> = HashMap::new();
    for (name, _) in &names {
        *count.entry(name.clone()).or_default() += 1;
    }
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut given: Vec<String> = Vec::with_capacity(names.len());
    for (mut name, label) in names {
        if count[&name] > 1 && name != label {
            name = format!("{name} ({label})");
        }
        let times = taken.entry(name.clone()).or_default();
        *times += 1;
        let mut own = if *times == 1 { name.clone() } else { format!("{name} ({times})") };
        // An entrant's actual name may be `a (2)`.
        while given.contains(&own) {
            *times += 1;
            own = format!("{name} ({times})");
        }
        taken.entry(own.clone()).or_default();
        given.push(own);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_to_one_visible_line() {
        assert_eq!(clean("  Ada\n\tLovelace "), "Ada Lovelace");
        assert_eq!(clean("\u{1b}[31mred\u{7}"), "[31mred");
        assert_eq!(clean("\u{202e}dlrow\u{200b}"), "dlrow");
        assert_eq!(clean(" \u{200b}\n"), "");
        assert_eq!(clean("Zoe\u{308}"), "Zoë");
        assert_eq!(clean("مرحبا <b>"), "مرحبا <b>");
        assert_eq!(clean(&"x".repeat(500)).chars().count(), limits::NAME_CHARS);
    }

    #[test]
    fn equal_names_are_made_distinct() {
        let given = |names: &[(&str, &str)]| {
            distinct(
                names
                    .iter()
                    .map(|(name, label)| ((*name).to_owned(), (*label).to_owned()))
                    .collect(),
            )
        };
        assert_eq!(given(&[("A", "a"), ("B", "b")]), ["A", "B"]);
        assert_eq!(given(&[("A", "a"), ("A", "b")]), ["A (a)", "A (b)"]);
        assert_eq!(given(&[("A", "A"), ("A", "A"), ("A (2)", "x")]), ["A", "A (2)", "A (2) (2)"]);
        assert_eq!(given(&[("A (2)", "x"), ("A", "A"), ("A", "A")]), ["A (2)", "A", "A (3)"]);
    }
}
