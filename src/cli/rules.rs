//! `hog rules`: the games and their rules.

use clap::{Args, Subcommand};
use hog::game::Game;
use hog::game::examples::check_examples;
use hog::report::{FunctionsView, RulesCheckView, RulesListView, RulesView};
use hog::rules::builtins;

use super::context::{Context, Outcome};

/// Games and their rules: list them, show one, check a file
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog rules list
  hog rules show fa19
  hog rules check my_game.toml                every fault of a rule file, then its examples
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
            Action::Functions => context.show(&FunctionsView::new()),
        }
    }
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
