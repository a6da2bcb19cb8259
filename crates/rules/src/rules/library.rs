//! Loads rules: the games built into the program, and the user's own files.

use std::path::Path;

use super::error::RulesError;
use super::fault::edits;
use super::{Overrides, Rules, rules_from_text};

/// A game that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its file name without `.toml`, which is its id.
    pub id: &'static str,
    /// The text of its rule file.
    pub text: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// The games that come with the program, in the order of their ids.
pub fn builtins() -> &'static [Builtin] {
    GAMES
}

/// Returns a commented, valid rule file with the given id, as a starting point for a new game.
pub fn starter(id: &str) -> String {
    include_str!("starter.toml").replace("ID", id)
}

/// Loads a built-in game by id or alias. `Engine::rules` reads rule files as well.
///
/// # Errors
/// Returns an error if the name is unknown or an override is out of range.
pub fn load(name: &str, overrides: Overrides) -> Result<Rules, RulesError> {
    let game = builtin(name).ok_or_else(|| unknown(name))?;
    rules_from_text(game.text, &name.to_ascii_lowercase(), overrides)
}

/// Checks that the extension of a file is not that of another kind of file.
///
/// # Errors
/// Returns [`RulesError::OtherFile`] if it is.
pub fn refuse_other_file(path: &Path) -> Result<(), RulesError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let what = match ending.as_deref() {
        Some("py" | "ipynb") => "Python, a strategy",
        Some("csv" | "npy" | "txt" | "strat") => "a table of rolls, a strategy",
        Some("hog") => "a solved table",
        _ => return Ok(()),
    };
    Err(RulesError::OtherFile { path: path.to_owned(), what })
}

/// Finds the built-in game with this id or alias, ignoring case.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    let name = name.to_ascii_lowercase();
    GAMES.iter().find(|game| game.id == name).or_else(|| by_alias(&name))
}

/// Creates the error for an unknown name.
pub fn unknown(name: &str) -> RulesError {
    RulesError::Unknown { name: name.to_owned(), nearest: nearest(name) }
}

/// Finds the game that lists `name` (in lower case) among its aliases. A cheap text search precedes
/// parsing.
fn by_alias(name: &str) -> Option<&'static Builtin> {
    let quoted = format!("\"{name}\"");
    let mentions = GAMES.iter().filter(|game| game.text.contains(&quoted));
    mentions.into_iter().find(|game| aliases(game).iter().any(|alias| alias == name))
}

fn aliases(game: &Builtin) -> Vec<String> {
    rules_from_text(game.text, game.id, Overrides::default())
        .map_or_else(|_| Vec::new(), |rules| rules.aliases)
}

fn nearest(name: &str) -> Option<String> {
    let name = short_semester(&name.to_ascii_lowercase());
    let ids = GAMES.iter().map(|game| game.id.to_owned());
    // Ids precede aliases: `min_by_key` returns the first of several minima.
    let aliases = GAMES.iter().flat_map(aliases);
    let near =
        ids.chain(aliases).filter(|known| edits(&name, known).is_some_and(|edits| edits <= 2));
    // Among equally near semesters, prefer the same season, then the nearest year.
    near.min_by_key(|known| (edits(&name, known), season_and_years(&name, known)))
}

/// Shortens `fa2024`, `fall-24` or `Fall 2024` (in lower case) to the form of ids, `fa24`; other
/// names are unchanged.
fn short_semester(name: &str) -> String {
    let letters = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
    let (season, rest) = name.split_at(letters);
    let digits = rest.trim_start_matches([' ', '-', '_', '\'']);
    let year = if digits.len() == 4 { digits.strip_prefix("20").unwrap_or(digits) } else { digits };
    let season = match season {
        "fall" | "autumn" => "fa",
        "spring" => "sp",
        "summer" => "su",
        season => season,
    };
    let is_year = year.len() == 2 && year.bytes().all(|c| c.is_ascii_digit());
    if is_year { format!("{season}{year}") } else { name.to_owned() }
}

/// For two semesters: whether their seasons differ, and the number of years between them. `None`
/// for other names.
fn season_and_years(name: &str, known: &str) -> Option<(bool, u32)> {
    let (season, year) = semester(name)?;
    let (known_season, known_year) = semester(known)?;
    Some((season != known_season, year.abs_diff(known_year)))
}

/// Splits the name of a semester into its season and its year: `fa` and 21.
fn semester(name: &str) -> Option<(&str, u32)> {
    let year = name.get(2..).filter(|year| year.len() == 2)?.parse().ok()?;
    (11..40).contains(&year).then_some((name.get(..2)?, year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_prefers_the_same_season_and_ignores_case() {
        let near = |name: &str| nearest(name).unwrap_or_default();
        assert_eq!(
            ["FA26", "fa27", "SP27", "fa221", "su51"].map(near),
            ["fa25", "fa25", "sp26", "fa21", "su15"]
        );
        assert_eq!(
            ["fa2024", "Fall 2024", "spring-25", "SU_2022"].map(near),
            ["fa24", "fa24", "sp25", "su22"]
        );
        assert_eq!(nearest("backgammon"), None);
    }

    #[test]
    fn a_file_of_another_kind_is_identified_in_the_error() {
        let error = refuse_other_file(Path::new("hog.py")).unwrap_err().to_string();
        assert!(error.contains("hog.py is Python"), "{error}");
        assert!(
            refuse_other_file(Path::new("a.toml")).is_ok()
                && refuse_other_file(Path::new("A.CSV")).is_err()
        );
    }
}
