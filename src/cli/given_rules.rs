//! Takes the game from the environment variable `HOG_RULES` where RULES is left out.

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, Command};
use hog::files::has_extension;
use hog::rules::builtin;
use hog::strategy::{Family, Strategy};

/// The environment variable that names the game.
pub(super) const VARIABLE: &str = "HOG_RULES";

/// The ids of the positional arguments that name a game.
const GAMES: [&str; 3] = ["rules", "what", "tables"];

/// Inserts `rules` before a command's own arguments if the command needs a game and they do not
/// begin with one.
///
/// # Errors
/// Returns an error that shows the right command line if the game is missing or not the first
/// argument.
pub(super) fn complete(
    command: &mut Command,
    mut arguments: Vec<OsString>,
    rules: Option<OsString>,
) -> Result<Vec<OsString>, clap::Error> {
    command.build();
    let rules = rules.filter(|rules| !rules.is_empty());
    let mut found = NamedCommand { command, first: 1 };
    let positionals = found.positionals(&arguments);
    let has =
        |option: &str| arguments.iter().any(|word| word.to_string_lossy().starts_with(option));
    let needs_game = match found.command.get_name() {
        // The file of a recorded game contains its rules.
        "play" => !has("--replay"),
        "check" => !has("--all"),
        // Without `--vary` it surveys all games.
        "survey" => has("--vary"),
        _ => false,
    };
    let is_needed =
        |arg: &&Arg| arg.is_required_set() || (needs_game && arg.get_index() == Some(1));
    let needed: Vec<&Arg> = found.command.get_positionals().filter(is_needed).collect();
    if needed.first().is_none_or(|arg| !GAMES.contains(&arg.get_id().as_str())) {
        return Ok(arguments);
    }
    let first = positionals.first().map(|index| arguments[*index].to_string_lossy().into_owned());
    let left_out = match &first {
        None => true,
        // Only one of the two games is named.
        Some(_) if found.command.get_name() == "compare" => positionals.len() == 1,
        // The first argument is not a game but another operand. With HOG_RULES set, a misspelt
        // strategy counts as one, so that the command reports the misspelling and not a
        // missing argument. If no argument is missing, it is a misspelt game.
        Some(first) => {
            let missing = positionals.len() < found.command.get_positionals().count();
            let misspelt = || rules.is_some() && missing && takes_one_strategy(&needed);
            !names_game(first, needed.len()) && (names_operand(first) || misspelt())
        }
    };
    if !left_out {
        return Ok(arguments);
    }
    let later_game = positionals
        .iter()
        .skip(1)
        .copied()
        .find(|index| builtin(&arguments[*index].to_string_lossy()).is_some());
    match (rules, later_game) {
        (Some(rules), _) => arguments.insert(found.first, rules),
        (None, Some(index)) => {
            let game = arguments.remove(index);
            arguments.insert(positionals[0], game);
            return Err(
                found.missing(format!("the game comes first: `hog {}`", found.line(&arguments)))
            );
        }
        (None, None) if first.is_some() && positionals.len() < needed.len() => {
            arguments.insert(found.first, "fa24".into());
            return Err(found.missing(format!(
                "no game is named: write one, as in `hog {}`, or set the environment variable {VARIABLE} to one",
                found.line(&arguments)
            )));
        }
        (None, None) => {}
    }
    Ok(arguments)
}

/// Returns whether a command takes exactly a game and one strategy.
fn takes_one_strategy(needed: &[&Arg]) -> bool {
    needed.len() == 2 && ["strategy", "file"].contains(&needed[1].get_id().as_str())
}

/// Returns whether a word names a game and not another operand. A solved table counts as a game if
/// the command takes only one argument.
fn names_game(word: &str, needed: usize) -> bool {
    builtin(word).is_some()
        || has_extension(word, "toml")
        || (needed == 1 && has_extension(word, "hog"))
}

/// Returns whether a word is a score, a strategy, a family of strategies, or a folder or archive of
/// strategies.
fn names_operand(word: &str) -> bool {
    let path = Path::new(word);
    let is_many = path.is_dir() || has_extension(path, "zip");
    let family = || Family::parse(word, &[]).is_ok();
    word.parse::<i64>().is_ok() || word.parse::<Strategy>().is_ok() || is_many || family()
}

/// The command that a command line names, and the index at which its own arguments begin.
struct NamedCommand<'c> {
    command: &'c Command,
    first: usize,
}

impl NamedCommand<'_> {
    /// Returns the error for a game that is missing or not the first argument.
    fn missing(&self, message: String) -> clap::Error {
        self.command.clone().error(ErrorKind::MissingRequiredArgument, message)
    }

    /// Returns the command's name and arguments as one line.
    fn line(&self, arguments: &[OsString]) -> String {
        let given = arguments[self.first..].iter().map(|word| word.to_string_lossy());
        [self.command.get_name().into()].into_iter().chain(given).collect::<Vec<_>>().join(" ")
    }

    /// Returns the indices of the positional arguments, and descends to the command that the
    /// arguments name.
    fn positionals(&mut self, arguments: &[OsString]) -> Vec<usize> {
        let (mut indices, mut index) = (Vec::new(), 1);
        while index < arguments.len() {
            let word = arguments[index].to_string_lossy();
            if word == "--" {
                indices.extend(index + 1..arguments.len());
                break;
            }
            if word.len() > 1 && word.starts_with('-') && word.parse::<f64>().is_err() {
                index += if self.takes_next(&word) { 2 } else { 1 };
                continue;
            }
            match self.command.find_subcommand(&*word).filter(|_| indices.is_empty()) {
                Some(command) => (self.command, self.first) = (command, index + 1),
                None => indices.push(index),
            }
            index += 1;
        }
        indices
    }

    /// Returns whether an option takes the next argument as its value.
    fn takes_next(&self, word: &str) -> bool {
        let option = self.command.get_arguments().find(|arg| match word.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => {
                word.chars().nth(1) == arg.get_short()
                    && arg.get_short().is_some()
                    && word.chars().count() == 2
            }
        });
        option.is_some_and(|arg| arg.get_action().takes_values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command_line;

    fn completed(line: &str, rules: Option<&str>) -> Result<String, String> {
        let arguments = line.split(' ').map(OsString::from).collect();
        let completed = complete(&mut command_line(), arguments, rules.map(OsString::from));
        let joined = |all: Vec<OsString>| all.join(" ".as_ref()).into_string().unwrap();
        completed.map(joined).map_err(|error| error.to_string())
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
            ("hog explain x.hog --top 3", "hog explain fa24 x.hog --top 3"),
            ("hog solve -o x.hog", "hog solve fa24 -o x.hog"),
            ("hog rules show", "hog rules show fa24"),
            ("hog play", "hog play fa24"),
            ("hog play --two", "hog play fa24 --two"),
            ("hog export --to csv", "hog export fa24 --to csv"),
            ("hog check", "hog check fa24"),
            ("hog compare mine.toml", "hog compare fa24 mine.toml"),
            ("hog compare fa21", "hog compare fa24 fa21"),
            ("hog survey --vary goal=20..40", "hog survey fa24 --vary goal=20..40"),
            ("hog plot best -o x.svg", "hog plot best fa24 -o x.svg"),
            // Misspelt strategies: the command reports them.
            ("hog rate boar_strateg:5", "hog rate fa24 boar_strateg:5"),
            ("hog try hog.pyy --watch", "hog try fa24 hog.pyy --watch"),
        ] {
            assert_eq!(completed(line, Some("fa24")).unwrap(), full);
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
            "hog export my.hog",
            "hog check my.hog",
            "hog check --all",
            "hog compare fa21 my.toml",
            "hog survey",
            "hog survey my.toml --vary goal=20..40",
        ] {
            assert_eq!(completed(line, Some("fa24")).unwrap(), line);
        }
        for line in
            ["hog survey", "hog rules list", "hog dice 3", "hog", "hog --version", "hog best"]
        {
            assert_eq!(completed(line, None).unwrap(), line);
        }
    }

    #[test]
    fn the_error_for_a_missing_game_shows_the_right_line() {
        let error = completed("hog rate hog.py", None).unwrap_err();
        assert!(error.contains("`hog rate fa24 hog.py`") && error.contains("HOG_RULES"), "{error}");
        assert_eq!(completed("hog rate hog.py", Some("")).unwrap_err(), error);
        for (line, right) in [
            ("hog rate --threads 1 hog.py FA24", "`hog rate --threads 1 FA24 hog.py`"),
            ("hog contest class fa24 --keep x.json", "`hog contest fa24 class --keep x.json`"),
        ] {
            let error = completed(&line.replace("class", "."), None).unwrap_err();
            assert!(error.contains(&right.replace("class", ".")), "{error}");
        }
    }
}
