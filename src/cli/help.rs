//! The list of commands in the help, by who uses them, and the common options in the help of each
//! command: those that act on it.

use std::io::Write as _;

use clap::{Arg, ArgMatches, Args as _, Command};

use super::question;
use super::shared::Shared;

/// The commands by who uses them most, most used first. Those in no group are not listed.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Your strategy", &["try", "tune", "simplify"]),
    ("A position", &["best", "why", "turn", "play"]),
    ("A game of your own", &["rules", "describe", "effects", "fair", "vary", "compare", "survey"]),
    ("Exact results", &["solve", "rate", "check", "plot", "dice", "simulate", "ask"]),
    ("A class", &["contest", "gradescope", "serve"]),
];
/// The common options that every help shows; the others are shown where they act.
const ALWAYS: [&str; 3] = ["format", "quiet", "color"];
/// Arguments that name a file or folder to write.
const WRITTEN: [&str; 9] =
    ["output", "save", "html", "matrix", "reports", "gradebook", "results", "keep", "folder"];

/// What `hog` says without a command.
const INTRODUCTION: &str = "hog: the exact solver for the dice game Hog and every game like it

  hog try fa24 hog.py        how good your final_strategy is, where it loses
  hog best fa24 20 36        the best roll at 20 points to 36
  hog play fa24              a game against the best player
  hog serve                  all of it as a page in the browser

fa24 is a semester: `hog rules list` has them all, and other games.
`hog help` lists the commands, `hog COMMAND -h` tells the options of one.
";

/// Prints what a newcomer needs, and returns the exit status: nothing was asked for.
pub(super) fn introduce() -> u8 {
    // There is nowhere to report that this cannot be written.
    let _ = anstream::stderr().write_all(INTRODUCTION.as_bytes());
    2
}

/// Puts the commands into groups, and shows in the help of each the common options that act on it.
pub(super) fn arranged(command: Command) -> Command {
    let shared = Shared::augment_args(Command::new("common"));
    let options: Vec<Arg> = shared.get_arguments().cloned().collect();
    let mut command = command;
    for option in options.iter().filter(|option| !ALWAYS.contains(&option.get_id().as_str())) {
        command = command.mut_arg(option.get_id(), |option| option.hide(true));
    }
    let list = groups(&command);
    command.mut_subcommands(|command| with_options(command, &options)).help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\n\n\
         `hog COMMAND -h` tells the options of a command.{{after-help}}"
    ))
}

/// The list of commands.
fn groups(command: &Command) -> String {
    let styles = command.get_styles();
    let header = styles.get_header();
    let literal = styles.get_literal();
    let mut list = String::new();
    for (heading, names) in GROUPS {
        list.push_str(&format!("{header}{heading}:{header:#}\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(String::new, ToString::to_string);
            list.push_str(&format!("  {literal}{name:<10}{literal:#}  {about}\n"));
        }
        list.push('\n');
    }
    list
}

fn with_options(command: Command, options: &[Arg]) -> Command {
    let mut command = command;
    for option in options {
        let acts = acts_on(option.get_id().as_str(), &command);
        command = command.arg(option.clone().hide(!acts));
    }
    command.mut_subcommands(|command| with_options(command, options))
}

/// Whether a common option acts on a command, by the arguments that the command has.
pub(super) fn acts_on(option: &str, command: &Command) -> bool {
    let name = command.get_name();
    let is_printer = matches!(name, "completions" | "man");
    match option {
        "format" => !is_printer,
        // A file that is copied keeps its rules.
        "goal" | "max_dice" | "set" => {
            name != "new" && takes(command, |value| value.starts_with("RULES"))
        }
        "threads" | "max_memory" => !is_printer && !matches!(name, "list" | "new" | "functions"),
        "trust" | "python" | "no_cache" | "strategy_seconds" => {
            takes(command, |value| value.ends_with("STRATEGY"))
                || has_any(command, &["strategy", "play", "submission"])
                || matches!(name, "serve" | "ask")
        }
        "force" => has_any(command, &WRITTEN),
        "theme" | "size" => question::draws(name),
        _ => true,
    }
}

/// Whether an argument has a value with such a name.
fn takes(command: &Command, is_such: fn(&str) -> bool) -> bool {
    command.get_arguments().any(|argument| match argument.get_value_names() {
        Some(names) => names.iter().any(|name| is_such(name)),
        None => is_such(&argument.get_id().as_str().to_uppercase()),
    })
}

fn has_any(command: &Command, ids: &[&str]) -> bool {
    command.get_arguments().any(|argument| ids.contains(&argument.get_id().as_str()))
}

/// The command that was given.
pub(super) fn given<'c>(command: &'c Command, matches: &ArgMatches) -> &'c Command {
    let mut command = command;
    let mut matches = matches;
    while let Some((name, inner)) = matches.subcommand() {
        let Some(named) = command.find_subcommand(name) else { break };
        (command, matches) = (named, inner);
    }
    command
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;
    use crate::cli::command_line;

    /// Commands that other programs call, or that are needed once.
    const UNLISTED: [&str; 3] = ["completions", "grade", "man"];

    #[test]
    fn every_command_is_listed_once_in_eighty_columns() {
        let command = command_line();
        let mut named: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        named.extend(UNLISTED);
        named.sort_unstable();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(named, all);
        for line in strip_str(&groups(&command)).to_string().lines() {
            assert!(line.len() <= 80, "{line}");
        }
    }

    #[test]
    fn common_options_are_shown_where_they_act() {
        let command = command_line();
        let shown = |name: &str| -> Vec<&str> {
            let of = command.find_subcommand(name).expect(name);
            let shown = of.get_arguments().filter(|option| !option.is_hide_set());
            shown.filter_map(Arg::get_long).collect()
        };
        for (name, option, is_shown) in [
            ("best", "python", true),
            ("effects", "python", false),
            ("check", "goal", false),
            ("contest", "force", true),
            ("rate", "force", false),
            ("man", "format", false),
            ("serve", "trust", true),
        ] {
            assert_eq!(shown(name).contains(&option), is_shown, "{name} --{option}");
        }
    }
}
