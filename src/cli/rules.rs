//! `hog rules`: the games and their rules.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use hog::game::Game;
use hog::game::examples::check_examples;
use hog::report::{FunctionsView, NewRulesView, RulesCheckView, RulesListView, RulesView};
use hog::rules::{builtins, starter};

use super::context::{Context, Outcome};
use super::interrupt::undisturbed;

/// Games and their rules: list them, show one, check a file, start a new one
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog rules list
  hog rules show fa19
  hog rules check my_game.toml                every fault of a rule file, then its examples
  hog rules new my_game                       writes my_game.toml, with a comment on every part
  hog rules functions                         the language of rule files")]
pub(super) struct RulesCommand {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
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
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        match self.action.as_ref().unwrap_or(&Action::List) {
            Action::List => {
                let games = builtins().iter().map(|game| context.rules(game.id)).collect::<Result<Vec<_>, _>>()?;
                context.show(&RulesListView::new(&games))
            }
            Action::Show { rules } => context.show(&RulesView::new(&context.rules(rules)?)),
            Action::Check { rules } => check(context, rules),
            Action::New { id, output } => new(context, id, output.clone()),
            Action::Functions => context.show(&FunctionsView::new()),
        }
    }
}

fn new(context: &Context, id: &str, output: Option<PathBuf>) -> anyhow::Result<Outcome> {
    if id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        bail!("`{id}` is no id for a game: use letters, digits, _ and -");
    }
    let path = output.unwrap_or_else(|| PathBuf::from(format!("{id}.toml")));
    let written = undisturbed(|| {
        let mut file = std::fs::File::create_new(&path)?;
        file.write_all(starter(id).as_bytes())
    });
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} is there already, and is left as it is; name another file with -o", path.display())
        }
        other => other.with_context(|| format!("cannot write {}", path.display()))?,
    }
    let path = path.display().to_string();
    context.show(&NewRulesView { id: id.to_owned(), path })
}

fn check(context: &Context, names: &[String]) -> anyhow::Result<Outcome> {
    let all: Vec<String> = builtins().iter().map(|game| game.id.to_owned()).collect();
    let names = if names.is_empty() { &all } else { names };
    let mut checked = Vec::new();
    for name in names {
        let rules = context.rules(name)?;
        let examples = check_examples(&rules)?;
        let id = rules.id.clone();
        Game::new(rules)?;
        checked.push((id, examples));
    }
    context.show(&RulesCheckView { checked })
}
