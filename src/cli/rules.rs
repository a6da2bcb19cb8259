//! `hog rules`: the games and their rules.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Subcommand};
use hog::engine::EngineError;
use hog::files;
use hog::format::style::thousands;
use hog::game::{Game, Order};
use hog::rules::{builtins, starter};
use hog::view::{ErrorDetail, FunctionsView, NewRulesView, RulesCheckView, RulesListView, RulesView};

use super::console::{Console, Status, cannot_write};
use super::interrupt::undisturbed;

/// Games and their rules: list them, show one, check a file, start a new one
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog rules list
  hog rules show fa19                         (hog rules fa19 says the same)
  hog rules check my_game.toml                every fault of a rule file, then its examples
  hog rules new my_game                       writes my_game.toml, with a comment on every part
  hog rules functions                         the language of rule files")]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct RulesCommand {
    #[command(subcommand)]
    action: Option<RulesAction>,
    /// A built-in game or a rule file, to be shown
    rules: Option<String>,
}

#[derive(Subcommand, Debug)]
enum RulesAction {
    /// The games that come with hog
    List,
    /// One game's rules as sentences and formulas
    Show {
        /// A built-in game or a rule file
        rules: String,
    },
    /// Check rules and run their worked examples (all built-in games if none is named)
    Check {
        /// Built-in games or rule files
        rules: Vec<String>,
    },
    /// Write a commented rule file to start from; an existing file is left alone
    New {
        /// The new game's id: letters, digits, _ and -
        id: String,
        /// The file to write (default: ID.toml)
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// The hooks, variables and functions that rule files may use
    Functions,
}

impl RulesCommand {
    /// Whether it reads rules that another goal would change.
    pub fn reads_rules(&self) -> bool {
        self.rules.is_some() || matches!(self.action, Some(RulesAction::Show { .. } | RulesAction::Check { .. }))
    }

    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if let Some(rules) = &self.rules {
            return console.show(&RulesView::new(&console.rules(rules)?));
        }
        match self.action.as_ref().unwrap_or(&RulesAction::List) {
            RulesAction::List => {
                let games = builtins().iter().map(|game| console.rules(game.id)).collect::<Result<Vec<_>, _>>()?;
                console.show(&RulesListView::new(&games))
            }
            RulesAction::Show { rules } => console.show(&RulesView::new(&console.rules(rules)?)),
            RulesAction::Check { rules } => check(console, rules),
            RulesAction::New { id, output } => new(console, id, output.clone()),
            RulesAction::Functions => console.show(&FunctionsView::new()),
        }
    }
}

fn new(console: &Console, id: &str, output: Option<PathBuf>) -> anyhow::Result<Status> {
    if id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        bail!("`{id}` is no id for a game: use letters, digits, _ and -");
    }
    let path = output.unwrap_or_else(|| PathBuf::from(format!("{id}.toml")));
    match undisturbed(|| files::write_new(&path, starter(id).as_bytes())) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} is there already, and is left as it is; name another file with -o", path.display())
        }
        other => other.with_context(|| cannot_write(&path))?,
    }
    console.show(&NewRulesView::new(id.to_owned(), path.display().to_string()))
}

fn check(console: &Console, names: &[String]) -> anyhow::Result<Status> {
    let all: Vec<String> = builtins().iter().map(|game| game.id.to_owned()).collect();
    let names = if names.is_empty() { &all } else { names };
    let (mut checked, mut failed) = (Vec::new(), Vec::new());
    for name in names {
        match check_one(console, name) {
            Ok(sound) => checked.push(sound),
            Err(error) if error.is_stop() || names.len() == 1 => return Err(error.into()),
            Err(error) => failed.push(error),
        }
    }
    let told: Vec<_> = failed.iter().map(|error| (error.to_string(), error.faults())).collect();
    let error = ErrorDetail::of_some("used", names.len(), &told);
    let beside = error.as_ref().map_or(Ok(()), |error| Err(anyhow!("{}", error.message)));
    console.show_with(&RulesCheckView::new(checked, error), beside)
}

/// The id of sound rules, and how many examples they have.
fn check_one(console: &Console, name: &str) -> Result<(String, usize), EngineError> {
    let rules = console.engine.rules(console.query(name))?;
    let examples = console.engine.check_examples(&rules)?;
    let id = rules.id.clone();
    let game = console.engine.tabulate(rules)?;
    if let Some(cost) = cost(&game) {
        console.note(&format!("{id}: {cost}"));
    }
    Ok((id, examples))
}

/// What solving a game will take, where loops of chance make it slow: about as long as the built-in games of a million states.
fn cost(game: &Game) -> Option<String> {
    let states = game.space().states() as u64;
    let (why, millionths) = match game.order() {
        Order::Recurrent => ("turns that lower the scores", 15),
        Order::Cyclic { random: true } => ("loops of chance", 1),
        _ => return None,
    };
    let seconds = states * millionths / 1_000_000;
    let states = thousands(states);
    (seconds > 0).then(|| format!("{states} states and {why}: solved in floats, in {} s or more", thousands(seconds)))
}
