//! Where rules come from: the games built into the program, and files of the user's own.

use std::path::{Path, PathBuf};

use crate::files;

use super::{Faults, Overrides, Rules, rules_from_text};

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

/// A commented rule file to start a new game from: sound as it is, with the id given.
pub fn starter(id: &str) -> String {
    include_str!("starter.toml").replace("ID", id)
}

/// Why rules could not be had.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// Neither a built-in game nor a file.
    #[error("no game and no rule file is called `{name}`{}; `hog rules list` names the games", hint(.nearest))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The built-in id most like it.
        nearest: Option<String>,
    },
    /// A file of another kind, by its ending.
    #[error("{} is {what}, and the rules of a game come first: an id such as fa21, or a rule file (.toml)", .path.display())]
    OtherFile {
        /// The file.
        path: PathBuf,
        /// What its ending says.
        what: &'static str,
    },
    /// The file is there but could not be read.
    #[error("cannot read the rule file {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file was read and has faults.
    #[error(transparent)]
    Faulty(#[from] Faults),
    /// A changed goal or number of dice is out of range.
    #[error("{0}")]
    Override(String),
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |id| format!(" (did you mean `{id}`?)"))
}

/// The largest rule file that is read, in bytes, if nobody says otherwise.
pub const LARGEST_FILE: u64 = 1 << 20;

/// Loads a built-in game by id or alias, or a rule file by path.
///
/// # Errors
/// [`RulesError`] says whether the name, the file or its contents are at fault.
pub fn load(name: &str, overrides: Overrides) -> Result<Rules, RulesError> {
    check_overrides(overrides)?;
    if let Some(game) = builtin(name) {
        return Ok(rules_from_text(game.text, game.id, overrides)?);
    }
    let path = Path::new(name);
    let looks_like_path = path.extension().is_some() || name.contains(std::path::is_separator) || path.exists();
    if !looks_like_path {
        return Err(unknown(name));
    }
    refuse_other_file(path)?;
    let text = files::read_text(path, LARGEST_FILE)
        .map_err(|error| RulesError::Unreadable { path: path.to_owned(), error })?;
    Ok(rules_from_text(&text, name, overrides)?)
}

/// Refuses a file whose ending says that it holds no rules.
///
/// # Errors
/// [`RulesError::OtherFile`].
pub fn refuse_other_file(path: &Path) -> Result<(), RulesError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let what = match ending.as_deref() {
        Some("py") => "Python, a strategy",
        Some("csv" | "npy" | "txt" | "strat") => "a table of rolls, a strategy",
        Some("hog") => "a solved table",
        _ => return Ok(()),
    };
    Err(RulesError::OtherFile { path: path.to_owned(), what })
}

/// The built-in game with this id or alias, in any case.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    let name = name.to_ascii_lowercase();
    GAMES.iter().find(|game| game.id == name).or_else(|| by_alias(&name))
}

/// The error for a name that nothing is called.
pub fn unknown(name: &str) -> RulesError {
    RulesError::Unknown { name: name.to_owned(), nearest: nearest(name) }
}

/// Checks a changed goal and number of dice.
///
/// # Errors
/// If one is out of range.
pub fn check_overrides(overrides: Overrides) -> Result<(), RulesError> {
    use super::validate::{LARGEST_GOAL, MOST_DICE};
    if let Some(goal) = overrides.goal.filter(|goal| !(1..=LARGEST_GOAL).contains(goal)) {
        return Err(RulesError::Override(format!("the goal {goal} is out of range: choose 1 to {LARGEST_GOAL}")));
    }
    if let Some(dice) = overrides.max_dice.filter(|dice| *dice > MOST_DICE) {
        let message = format!("the most dice {dice} are out of range: choose 0 to {MOST_DICE}");
        return Err(RulesError::Override(message));
    }
    Ok(())
}

/// The game that lists `name` (in lower case) among its aliases. A cheap look at the text comes before reading it as rules.
fn by_alias(name: &str) -> Option<&'static Builtin> {
    let quoted = format!("\"{name}\"");
    let mentions = GAMES.iter().filter(|game| game.text.contains(&quoted));
    mentions.into_iter().find(|game| aliases(game).iter().any(|alias| alias == name))
}

fn aliases(game: &Builtin) -> Vec<String> {
    rules_from_text(game.text, game.id, Overrides::default()).map_or_else(|_| Vec::new(), |rules| rules.aliases)
}

fn nearest(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&name, known);
    let ids = GAMES.iter().map(|game| game.id.to_owned());
    // An alias is as good as an id, but of equally near names the id comes first.
    let aliases = GAMES.iter().flat_map(aliases);
    let known = ids.chain(aliases).filter(|known| distance(known) <= 2);
    // Of semesters as near, the one of the same season, and of these the nearest year.
    known.min_by_key(|known| (distance(known), season_and_years(&name, known)))
}

/// Whether two semesters have different seasons, and how many years lie between them; nothing for other names.
fn season_and_years(name: &str, known: &str) -> Option<(bool, u32)> {
    let semester = |name: &str| {
        let year = name.get(2..).filter(|year| year.len() == 2)?.parse().ok().filter(|year| (11..40).contains(year))?;
        Some((name.get(..2)?.to_owned(), year))
    };
    let ((season, year), (known_season, known_year)): ((String, u32), (String, u32)) =
        (semester(name)?, semester(known)?);
    Some((season != known_season, year.abs_diff(known_year)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_of_the_same_season_in_any_case() {
        let near = |name: &str| nearest(name).unwrap_or_default();
        assert_eq!(["FA26", "fa27", "SP27", "fa221", "su51"].map(near), ["fa25", "fa25", "sp26", "fa21", "su15"]);
        assert_eq!(nearest("backgammon"), None);
    }

    #[test]
    fn a_strategy_in_the_place_of_rules_is_called_what_it_is() {
        let error = load("hog.py", Overrides::default()).unwrap_err().to_string();
        assert!(error.contains("hog.py is Python"), "{error}");
        assert!(refuse_other_file(Path::new("a.toml")).is_ok() && refuse_other_file(Path::new("A.CSV")).is_err());
    }
}
