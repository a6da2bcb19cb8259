//! RULES left out: the game that the environment variable `HOG_RULES` names stands in its place.

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, Command};
use hog::rules::builtin;
use hog::strategy::{Family, Strategy};

/// The environment variable.
pub(super) const VARIABLE: &str = "HOG_RULES";

/// What arguments are called that are games first of all.
const GAMES: [&str; 3] = ["rules", "what", "tables"];

/// The arguments of a program, with `rules` put in front of a command's own where these begin with no game.
///
/// # Errors
/// If a game is wanted and nobody names one.
pub(super) fn complete(
    command: &mut Command,
    mut arguments: Vec<OsString>,
    rules: Option<OsString>,
) -> Result<Vec<OsString>, clap::Error> {
    command.build();
    let rules = rules.filter(|rules| !rules.is_empty());
    let mut found = Walk { command, place: 1 };
    let positionals = found.positionals(&arguments);
    let has = |option: &str| arguments.iter().any(|word| word.to_string_lossy().starts_with(option));
    let asks_for_game = match found.command.get_name() {
        // A game that is played once more has its rules in its file.
        "play" => !has("--replay"),
        "check" => !has("--all"),
        // Without it, all games are meant.
        "survey" => has("--vary"),
        _ => false,
    };
    let asks = |arg: &&Arg| arg.is_required_set() || (asks_for_game && arg.get_index() == Some(1));
    let wanted: Vec<&Arg> = found.command.get_positionals().filter(asks).collect();
    if wanted.first().is_none_or(|arg| !GAMES.contains(&arg.get_id().as_str())) {
        return Ok(arguments);
    }
    let first = positionals.first().map(|place| arguments[*place].to_string_lossy().into_owned());
    let left_out = match &first {
        None => true,
        // One game of the two that are compared.
        Some(_) if found.command.get_name() == "compare" => positionals.len() == 1,
        // What is wanted beside the game is there, or is no strategy: that is told, and not that something is missing.
        Some(first) => !names_game(first, wanted.len()) && (plays(first) || rules.is_some() && asks_for_one(&wanted)),
    };
    if !left_out {
        return Ok(arguments);
    }
    let later_game =
        positionals.iter().skip(1).copied().find(|place| builtin(&arguments[*place].to_string_lossy()).is_some());
    match (rules, later_game) {
        (Some(rules), _) => arguments.insert(found.place, rules),
        (None, Some(place)) => {
            let game = arguments.remove(place);
            arguments.insert(positionals[0], game);
            return Err(found.missing(format!("the game comes first: `hog {}`", found.line(&arguments))));
        }
        (None, None) if first.is_some() && positionals.len() < wanted.len() => {
            arguments.insert(found.place, "fa24".into());
            return Err(found.missing(format!(
                "no game is named; write one, as in `hog {}`, or set the environment variable {VARIABLE} to it once",
                found.line(&arguments)
            )));
        }
        (None, None) => {}
    }
    Ok(arguments)
}

/// Whether a command wants one strategy beside its game.
fn asks_for_one(wanted: &[&Arg]) -> bool {
    wanted.len() == 2 && ["strategy", "file"].contains(&wanted[1].get_id().as_str())
}

/// Whether a word names a game rather than what is played at one; a solved table is a game where nothing else is named.
fn names_game(word: &str, wanted: usize) -> bool {
    let ends = |ending: &str| Path::new(word).extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
    builtin(word).is_some() || ends("toml") || (wanted == 1 && ends("hog"))
}

/// Whether a word is a score, a strategy, a family, or a folder or archive of them.
fn plays(word: &str) -> bool {
    let path = Path::new(word);
    let is_many = path.is_dir() || path.extension().is_some_and(|found| found.eq_ignore_ascii_case("zip"));
    let family = || Family::parse(word, &[]).is_ok();
    word.parse::<i64>().is_ok() || word.parse::<Strategy>().is_ok() || is_many || family()
}

/// A way through the arguments: down to the command that they name, and where its own begin.
struct Walk<'c> {
    command: &'c Command,
    place: usize,
}

impl Walk<'_> {
    /// A game is missing, or not where it belongs.
    fn missing(&self, message: String) -> clap::Error {
        self.command.clone().error(ErrorKind::MissingRequiredArgument, message)
    }

    /// The command and its arguments.
    fn line(&self, arguments: &[OsString]) -> String {
        let given = arguments[self.place..].iter().map(|word| word.to_string_lossy());
        [self.command.get_name().into()].into_iter().chain(given).collect::<Vec<_>>().join(" ")
    }

    /// The places of the arguments that are no options and no values of options.
    fn positionals(&mut self, arguments: &[OsString]) -> Vec<usize> {
        let (mut places, mut place) = (Vec::new(), 1);
        while place < arguments.len() {
            let word = arguments[place].to_string_lossy();
            if word == "--" {
                places.extend(place + 1..arguments.len());
                break;
            }
            if word.len() > 1 && word.starts_with('-') && word.parse::<f64>().is_err() {
                place += if self.takes_the_next(&word) { 2 } else { 1 };
                continue;
            }
            match self.command.find_subcommand(&*word).filter(|_| places.is_empty()) {
                Some(command) => (self.command, self.place) = (command, place + 1),
                None => places.push(place),
            }
            place += 1;
        }
        places
    }

    /// Whether the value of an option is the next argument.
    fn takes_the_next(&self, word: &str) -> bool {
        let option = self.command.get_arguments().find(|arg| match word.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => word.chars().nth(1) == arg.get_short() && arg.get_short().is_some() && word.chars().count() == 2,
        });
        option.is_some_and(|arg| arg.get_action().takes_values())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Arguments;

    fn completed(line: &str, rules: Option<&str>) -> Result<String, String> {
        let arguments = line.split(' ').map(OsString::from).collect();
        let completed = complete(&mut Arguments::command(), arguments, rules.map(OsString::from));
        let joined = |all: Vec<OsString>| all.join(" ".as_ref()).into_string().unwrap();
        completed.map(joined).map_err(|error| error.to_string())
    }

    #[test]
    fn the_game_of_the_environment_stands_where_none_is_named() {
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
            // No strategies: that is for the command to tell.
            ("hog rate boar_strateg:5", "hog rate fa24 boar_strateg:5"),
            ("hog try hog.pyy --watch", "hog try fa24 hog.pyy --watch"),
        ] {
            assert_eq!(completed(line, Some("fa24")).unwrap(), full);
        }
    }

    #[test]
    fn what_names_a_game_and_what_wants_none_is_left_alone() {
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
        for line in ["hog survey", "hog rules list", "hog dice 3", "hog", "hog --version", "hog best"] {
            assert_eq!(completed(line, None).unwrap(), line);
        }
    }

    #[test]
    fn a_file_without_its_game_is_told_what_to_write() {
        let told = completed("hog rate hog.py", None).unwrap_err();
        assert!(told.contains("`hog rate fa24 hog.py`") && told.contains("HOG_RULES"), "{told}");
        assert_eq!(completed("hog rate hog.py", Some("")).unwrap_err(), told);
        for (line, right) in [
            ("hog rate --threads 1 hog.py FA24", "`hog rate --threads 1 FA24 hog.py`"),
            ("hog contest class fa24 --keep x.json", "`hog contest fa24 class --keep x.json`"),
        ] {
            let told = completed(&line.replace("class", "src"), None).unwrap_err();
            assert!(told.contains(&right.replace("class", "src")), "{told}");
        }
    }
}
