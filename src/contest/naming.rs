//! What entrants are called: names made fit to be shown, chosen by preference, and told apart where two are the same.

use std::collections::HashMap;

use crate::files::escape;

/// The longest name that is shown, in characters.
pub const LONGEST_NAME: usize = 60;

/// Which names entrants go by; where one has none of that kind the next is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// What the roster says, else `PLAYER_NAME` or `TEAM_NAME` in the file, else who handed it in, else its folder or file.
    #[default]
    Chosen,
    /// Who handed it in, by the roster or by Gradescope's list, else its folder or file.
    People,
    /// Its folder or file.
    Files,
}

/// A name fit to be shown: on one line, without characters that command a terminal or turn the direction of text, spaces
/// joined, and cut off where it is too long. Empty if nothing is left.
pub(super) fn clean(name: &str) -> String {
    let plain = name.chars().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c });
    let visible: String = plain.filter(|c| !escape::is_unseen(*c)).collect();
    let joined = visible.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= LONGEST_NAME {
        return joined;
    }
    joined.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

/// The names, each with its label (its folder or file) behind it where two are the same, and numbered where even those are.
pub(super) fn distinct(names: Vec<(String, String)>) -> Vec<String> {
    let mut count: HashMap<String, usize> = HashMap::new();
    for (name, _) in &names {
        *count.entry(name.clone()).or_default() += 1;
    }
    let longer = |(name, label): (String, String)| match count[&name] {
        1 => name,
        _ if name == label => name,
        _ => format!("{name} ({label})"),
    };
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut given: Vec<String> = Vec::with_capacity(names.len());
    for name in names.into_iter().map(longer) {
        let times = taken.entry(name.clone()).or_default();
        *times += 1;
        let mut own = if *times == 1 { name.clone() } else { format!("{name} ({times})") };
        // Somebody may be called `a (2)`.
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
    fn names_are_one_line_of_what_is_seen() {
        assert_eq!(clean("  Ada\n\tLovelace "), "Ada Lovelace");
        assert_eq!(clean("\u{1b}[31mred\u{7}"), "[31mred");
        assert_eq!(clean("\u{202e}dlrow\u{200b}"), "dlrow");
        assert_eq!(clean(" \u{200b}\n"), "");
        assert_eq!(clean("مرحبا <b>"), "مرحبا <b>");
        assert_eq!(clean(&"x".repeat(500)).chars().count(), LONGEST_NAME);
    }

    #[test]
    fn names_that_are_the_same_are_told_apart() {
        let given = |names: &[(&str, &str)]| {
            distinct(names.iter().map(|(name, label)| ((*name).to_owned(), (*label).to_owned())).collect())
        };
        assert_eq!(given(&[("A", "a"), ("B", "b")]), ["A", "B"]);
        assert_eq!(given(&[("A", "a"), ("A", "b")]), ["A (a)", "A (b)"]);
        assert_eq!(given(&[("A", "A"), ("A", "A"), ("A (2)", "x")]), ["A", "A (2)", "A (2) (2)"]);
        assert_eq!(given(&[("A (2)", "x"), ("A", "A"), ("A", "A")]), ["A (2)", "A", "A (3)"]);
    }
}
