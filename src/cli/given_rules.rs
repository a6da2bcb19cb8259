//! Takes the game from the environment variable `HOG_RULES` where RULES is left out.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::files::has_extension;
use crate::rules::builtin;
use crate::strategy::Strategy;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};

/// The environment variable that names the game.
pub(super) const VARIABLE: &str = "HOG_RULES";

/// Parses a command line, and returns it as it was understood: with `rules` as its game where it
/// names none.
///
/// # Errors
/// Returns the parser's error. If a game is missing, it shows the line with one.
pub(super) fn parse(
    command: &mut Command,
    words: Vec<OsString>,
    rules: Option<OsString>,
) -> Result<(ArgMatches, Vec<OsString>), clap::Error> {
    let rules = rules.filter(|rules| !rules.is_empty());
    let first = first_argument(command, &words);
    let given = command.try_get_matches_from_mut(&words);
    let names_game = words[first..].iter().any(is_game);
    let needs_game = match &given {
        Ok(matches) => named_game(matches).is_some_and(|named| !is_game(named)),
        Err(error) => match error.kind() {
            ErrorKind::MissingRequiredArgument => true,
            // A strategy in the place of the game moves what follows it by one place.
            ErrorKind::ValueValidation => !words.get(first).is_some_and(is_game),
            _ => false,
        },
    };
    if !needs_game {
        return Ok((given?, words));
    }
    let Some(rules) = rules else {
        let later = words[first..].iter().position(is_builtin);
        let mut right = words.clone();
        let (what, game) = match later {
            Some(later) => ("the game comes first: ", right.remove(first + later)),
            None => ("no game is named: write one, as in ", "fa24".into()),
        };
        right.insert(first, game);
        let is_right = command.try_get_matches_from_mut(&right).is_ok();
        return match given {
            Ok(matches) if is_right && is_misplaced(&matches, later.is_some()) => {
                Err(command.error(ErrorKind::ValueValidation, hint(what, &right)))
            }
            Ok(matches) => Ok((matches, words)),
            Err(mut error) => {
                if is_right {
                    let hints = vec![hint(what, &right).into()];
                    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(hints));
                }
                Err(error)
            }
        };
    };
    let mut full = words.clone();
    full.insert(first, rules);
    match (given, command.try_get_matches_from_mut(&full)) {
        (_, Ok(matches)) => Ok((matches, full)),
        // A misspelt game with all that follows it, or a misspelt operand.
        (Ok(matches), Err(_)) => Ok((matches, words)),
        (Err(error), Err(with_rules)) => Err(if names_game { error } else { with_rules }),
    }
}

/// Returns the index at which the arguments of the command that the words name begin.
fn first_argument(command: &Command, words: &[OsString]) -> usize {
    let mut command = command;
    let mut first = 1;
    for (index, word) in words.iter().enumerate().skip(1) {
        if let Some(named) = word.to_str().and_then(|word| command.find_subcommand(word)) {
            (command, first) = (named, index + 1);
            if command.get_subcommands().next().is_none() {
                break;
            }
        }
    }
    first.min(words.len())
}

/// Returns the arguments of the command that was named.
fn innermost(mut matches: &ArgMatches) -> &ArgMatches {
    while let Some((_, named)) = matches.subcommand() {
        matches = named;
    }
    matches
}

/// Returns the word that was taken for the game.
fn named_game(matches: &ArgMatches) -> Option<&str> {
    let command = innermost(matches);
    let mut ones = ["rules", "what", "first"].into_iter();
    let one = ones.find_map(|id| command.try_get_one::<String>(id).ok().flatten());
    let mut lists = ["tables", "rules"].into_iter();
    one.or_else(|| lists.find_map(|id| command.try_get_many(id).ok().flatten()?.next()))
        .map(String::as_str)
}

/// Whether the word that was taken for the game is something else: values of a number, or, if a
/// game follows, a folder, a file or a strategy.
fn is_misplaced(matches: &ArgMatches, game_follows: bool) -> bool {
    let Some(named) = named_game(matches) else { return false };
    let is_operand = Path::new(named).exists() || named.parse::<Strategy>().is_ok();
    named.contains('=') && !Path::new(named).exists() || game_follows && is_operand
}

fn is_game(word: impl AsRef<OsStr>) -> bool {
    is_builtin(&word) || ["toml", "hog"].iter().any(|ending| has_extension(word.as_ref(), ending))
}

fn is_builtin(word: impl AsRef<OsStr>) -> bool {
    word.as_ref().to_str().is_some_and(|word| builtin(word).is_some())
}

/// Shows the right line.
fn hint(what: &str, words: &[OsString]) -> String {
    let line: Vec<_> = words[1..].iter().map(|word| word.to_string_lossy()).collect();
    let line = line.join(" ");
    format!("{what}`hog {line}`; or set the environment variable {VARIABLE} to the game's name")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command_line;

    fn completed(line: &str, rules: Option<&str>) -> Result<String, String> {
        let arguments = line.split(' ').map(OsString::from).collect();
        let parsed = parse(&mut command_line(), arguments, rules.map(OsString::from));
        let joined = |all: Vec<OsString>| all.join(" ".as_ref()).into_string().unwrap();
        parsed.map(|(_, words)| joined(words)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_missing_game_is_taken_from_the_environment() {
        for (line, full) in [
            ("hog best 20 36", "hog best fa24 20 36"),
            ("hog --format json best 20 36", "hog --format json best fa24 20 36"),
            ("hog best --goal 50 20 36", "hog best fa24 --goal 50 20 36"),
            ("hog rate hog.py", "hog rate fa24 hog.py"),
            ("hog tune always_roll:0..9", "hog tune fa24 always_roll:0..9"),
            ("hog rate optimal always_roll:6", "hog rate fa24 optimal always_roll:6"),
            ("hog try x.hog --top 3", "hog try fa24 x.hog --top 3"),
            ("hog solve -o x.hog", "hog solve fa24 -o x.hog"),
            ("hog rules show", "hog rules show fa24"),
            ("hog play", "hog play fa24"),
            ("hog play --two", "hog play fa24 --two"),
            ("hog solve --to csv", "hog solve fa24 --to csv"),
            ("hog check", "hog check fa24"),
            ("hog compare mine.toml", "hog compare fa24 mine.toml"),
            ("hog compare fa21", "hog compare fa24 fa21"),
            ("hog vary goal=20..40", "hog vary fa24 goal=20..40"),
            ("hog plot best -o x.svg", "hog plot best fa24 -o x.svg"),
            ("hog vary", "hog vary fa24"),
        ] {
            assert_eq!(completed(line, Some("fa24")).unwrap(), full);
        }
        // A misspelt strategy is reported as such, and not as a missing argument.
        for (line, misspelt) in
            [("hog rate boar_strateg:5", "boar_strateg:5"), ("hog try hog.pyy --watch", "hog.pyy")]
        {
            let error = completed(line, Some("fa24")).unwrap_err();
            assert!(error.contains(misspelt), "{error}");
        }
    }

    #[test]
    fn lines_that_name_a_game_or_need_none_are_unchanged() {
        for line in [
            "hog best fa21 20 36",
            "hog rate FA21 optimal",
            "hog rate mine.toml x.py",
            "hog solve my.toml",
            "hog play --replay g.txt",
            "hog solve my.hog",
            "hog check my.hog",
            "hog check --all",
            "hog compare fa21 my.toml",
            "hog survey",
            "hog vary my.toml goal=20..40",
        ] {
            assert_eq!(completed(line, Some("fa24")).unwrap(), line);
        }
        for line in ["hog survey", "hog rules list", "hog dice 3"] {
            assert_eq!(completed(line, None).unwrap(), line);
        }
    }

    #[test]
    fn the_error_for_a_missing_game_shows_the_right_line() {
        let error = completed("hog rate hog.py", None).unwrap_err();
        assert!(error.contains("`hog rate fa24 hog.py`") && error.contains("HOG_RULES"), "{error}");
        assert_eq!(completed("hog rate hog.py", Some("")).unwrap_err(), error);
        for (line, right) in [
            ("hog rate --threads 1 hog.py FA24", "`hog rate FA24 --threads 1 hog.py`"),
            ("hog contest class fa24 --keep x.json", "`hog contest fa24 class --keep x.json`"),
        ] {
            let error = completed(&line.replace("class", "."), None).unwrap_err();
            assert!(error.contains(&right.replace("class", ".")), "{error}");
        }
    }
}
