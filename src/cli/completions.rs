//! `hog completions`: scripts that make a shell ask this program for completions, and the answers.

use std::ffi::OsStr;

use crate::engine::Engine;
use crate::files::has_extension;
use crate::rules::builtins;
use crate::strategy::Course;
use anyhow::Context as _;
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Shells};

use super::console::{Console, Status};

/// The environment variable that a shell sets to ask for completions.
const VARIABLE: &str = "HOG_COMPLETE";

/// Print a script that makes a shell complete commands, options, games, strategies and files
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog completions bash > ~/.local/share/bash-completion/completions/hog
  hog completions zsh > ~/.zfunc/_hog
  hog completions fish > ~/.config/fish/completions/hog.fish

The shell runs hog for each completion, so it must find hog by that name.")]
pub(super) struct CompletionsCommand {
    /// The shell that you use
    shell: Shell,
}

impl CompletionsCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let shells = Shells::builtins();
        let completer =
            shells.completer(&self.shell.to_string()).context("no completions for this shell")?;
        let mut script = Vec::new();
        completer.write_registration(VARIABLE, "hog", "hog", "hog", &mut script)?;
        console.print(|out| out.write_all(&script))?;
        Ok(Status::Done)
    }
}

/// Answers and ends the program if a shell asks for completions.
pub(super) fn answer_shell() {
    CompleteEnv::with_factory(|| with_completers(super::command_line())).var(VARIABLE).complete();
}

/// Adds completers to all arguments that take a game, a strategy or a table.
fn with_completers(command: Command) -> Command {
    command.mut_subcommands(with_completers).mut_args(|arg: Arg| match arg.get_id().as_str() {
        "rules" | "first" | "second" => arg.add(ArgValueCompleter::new(RulesArgument)),
        "what" | "tables" => arg.add(ArgValueCompleter::new(RulesOrTables)),
        "strategy" | "against" | "watch" | "entrants" => {
            arg.add(ArgValueCompleter::new(Strategies))
        }
        _ => arg,
    })
}

/// Completes games by id and semester, and rule files.
struct RulesArgument;

impl ValueCompleter for RulesArgument {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        games(current).into_iter().chain(files(current, &["toml"])).collect()
    }
}

/// Completes games, rule files, and tables.
struct RulesOrTables;

impl ValueCompleter for RulesOrTables {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        games(current).into_iter().chain(files(current, &["toml", "hog"])).collect()
    }
}

/// Completes strategies by name, and files that contain one.
struct Strategies;

/// Names of strategies, and what they play; a name that ends in a colon takes an argument.
const STRATEGIES: [(&str, &str); 7] = [
    ("optimal", "equilibrium play"),
    ("final_strategy", "the shipped table of these rules"),
    ("baseline", "the strategy that the course rates against"),
    ("beat:", "the best response to a strategy"),
    ("always_roll:", "the same number of dice in every turn"),
    ("hold_at:", "Pig and its variants: hold at a number of points"),
    ("end_race_or_keep_pace", "Pig: Neller and Presser's simple rule"),
];

impl ValueCompleter for Strategies {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let typed = current.to_string_lossy();
        let named = STRATEGIES.iter().filter(|(name, _)| name.starts_with(&*typed));
        let mut found: Vec<CompletionCandidate> = named
            .map(|(name, help)| CompletionCandidate::new(name).help(Some((*help).into())))
            .collect();
        let course = Course::names_with_rules().filter(|(name, _)| name.starts_with(&*typed));
        found.extend(
            course.map(|(name, rule)| CompletionCandidate::new(name).help(Some(rule.into()))),
        );
        found.extend(files(current, &["py", "ipynb", "csv", "npy", "txt", "strat", "hog"]));
        found
    }
}

fn games(current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_string_lossy().to_ascii_lowercase();
    let engine = Engine::builder().build();
    let rules = builtins().iter().filter_map(|game| engine.rules(game.id).ok());
    let named = rules.flat_map(|rules| {
        let title = rules.title.clone();
        std::iter::once(rules.id).chain(rules.aliases).map(move |name| (name, title.clone()))
    });
    let fitting = named.filter(|(name, _)| name.starts_with(&typed));
    fitting.map(|(name, title)| CompletionCandidate::new(name).help(Some(title.into()))).collect()
}

/// Completes files with these endings, and folders.
fn files(current: &OsStr, endings: &'static [&'static str]) -> Vec<CompletionCandidate> {
    let completer = PathCompleter::file().filter(|path: &std::path::Path| {
        path.is_dir() || endings.iter().any(|ending| has_extension(path, ending))
    });
    completer.complete(current)
}
