//! `hog rules`: lists, shows, checks and starts rule files.

use std::path::PathBuf;

use crate::queries::ErrorDetail;
use crate::queries::{GivenGame, NewRules, RulesCheck, RulesCheckAnswer, RulesList, RulesShow};
use crate::rules::{builtins, starter};
use anyhow::bail;
use clap::{Args, Subcommand};

use super::console::{Console, Status};
use super::output::{is_standard_output, refuse_second_result};

/// List, show and check rules, or start a game of your own
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog rules list
  hog rules show fa19                         (hog rules fa19 does the same)
  hog rules check my_game.toml                find the errors of a rule file and run its examples
  hog rules new my_game                       write my_game.toml, with a comment on every part
  hog rules new my_dice --from kcd            write my_dice.toml, a copy of a game to change
  hog rules functions                         the language of rule files")]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct RulesCommand {
    #[command(subcommand)]
    action: Option<RulesAction>,
    /// A built-in game or a rule file to show
    rules: Option<String>,
}

/// The commands with work of their own; the others are questions of the engine's list.
#[derive(Subcommand, Debug)]
enum RulesAction {
    Show(RulesShow),
    /// Check rules and run their examples (default: of all built-in games)
    Check {
        /// Built-in games or rule files
        rules: Vec<String>,
    },
    /// Write a commented rule file to start from; a file that you have edited is replaced only with
    /// --force
    New {
        /// The new game's id: letters, digits, _ and -
        id: String,
        /// Copy this built-in game or rule file, in place of the comments
        #[arg(long, value_name = "RULES")]
        from: Option<String>,
        /// The file to write (default: ID.toml); - is standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

impl RulesCommand {
    /// Returns whether it reads rules that `--goal` and `--max-dice` can change.
    pub fn reads_rules(&self) -> bool {
        self.rules.is_some()
            || matches!(self.action, Some(RulesAction::Show(_) | RulesAction::Check { .. }))
    }

    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        match (&self.rules, &self.action) {
            (Some(rules), _) => show(console, &RulesShow::of(console.given(rules))),
            (None, None) => console.show(&console.engine.ask(&RulesList {})?),
            (None, Some(RulesAction::Show(question))) => show(console, question),
            (None, Some(RulesAction::Check { rules })) => check(console, rules),
            (None, Some(RulesAction::New { id, from, output })) => {
                let text = match from {
                    Some(from) => copied(console, from, id)?,
                    None => starter(id),
                };
                new(console, id, &text, output.clone())
            }
        }
    }
}

/// Shows rules, without a note on the semester: they name it themselves.
fn show(console: &Console, question: &RulesShow) -> anyhow::Result<Status> {
    console.show(&console.engine.ask(question)?)
}

/// Returns the file of a game with another id. Its other names stay with the original.
fn copied(console: &Console, from: &str, id: &str) -> anyhow::Result<String> {
    let rules = console.engine.call().rules(&console.given(from))?;
    let mut text = String::new();
    for line in rules.text.lines() {
        if line.starts_with("id = ") {
            text += &format!("id = \"{id}\"\n");
        } else if !line.starts_with("aliases = ") {
            text += &format!("{line}\n");
        }
    }
    Ok(text)
}

fn new(console: &Console, id: &str, text: &str, output: Option<PathBuf>) -> anyhow::Result<Status> {
    if id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        bail!("`{id}` cannot be the id of a game: use letters, digits, _ and -");
    }
    let path = output.unwrap_or_else(|| PathBuf::from(format!("{id}.toml")));
    if !is_standard_output(&path) && path.extension().is_none_or(|ending| ending != "toml") {
        bail!("{}: the name of a rule file ends in .toml", path.display());
    }
    refuse_second_result(&path, "the rule file", console.format)?;
    console.write(&path, text.as_bytes())?;
    console.show(&NewRules::new(id.to_owned(), path.display().to_string()))
}

fn check(console: &Console, names: &[String]) -> anyhow::Result<Status> {
    let games: Vec<GivenGame> = match names {
        [] => builtins().iter().map(|game| console.given(game.id)).collect(),
        names => names.iter().map(|name| console.given(name)).collect(),
    };
    let of = games.len();
    let mut checked = Vec::new();
    let mut failed = Vec::new();
    for game in games {
        match RulesCheck::of(game).checked(&console.engine.call()) {
            Ok(passed) => checked.push(passed),
            Err(error) if error.is_stop() || of == 1 => return Err(error.into()),
            Err(error) => failed.push(error),
        }
    }
    let error = ErrorDetail::of_some("used", of, &failed);
    console.show_judged(&RulesCheckAnswer::new(&checked, error))
}
