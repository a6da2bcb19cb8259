//! Reports errors: as text on standard error, or as JSON on standard output.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{Write, stderr};
use std::path::Path;

use crate::bid::BidError;
use crate::engine::Error;
use crate::files::escape::terminal;
use crate::files::has_extension;
use crate::format;
use crate::game::memory_names;
use crate::queries::ErrorAnswer;
use crate::rules::fault::edits;
use crate::rules::{Overrides, RulesError, builtin, load};
use crate::strategy::python::{Fault, PythonFault};
use crate::strategy::{INPUT, Strategy, StrategyError, not_a_file, similar_file};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::given_rules::VARIABLE;
use super::lines::fit_terminal;
use super::nearest::nearest_file;
use super::shared::Format;

/// An error that is part of the JSON document that was printed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct InResult(pub String);

/// Reports an error, with the option that helps. The library knows no options, so they are named
/// here.
pub(super) fn report(error: &anyhow::Error, format: Format) {
    let answer = answer(error);
    if format == Format::Json && (error.is::<InResult>() || print_json(&answer).is_ok()) {
        return;
    }
    let style = anstyle::AnsiColor::Red.on_default().bold();
    print_error(&format!("{style}error{style:#}: {}\n", terminal(&answer.error.message)));
}

/// Returns an error as a document.
pub(super) fn answer(error: &anyhow::Error) -> ErrorAnswer {
    let known = error.chain().find_map(|cause| cause.downcast_ref::<Error>());
    let mut answer =
        known.map_or_else(|| ErrorAnswer::new(kind(error), String::new()), ErrorAnswer::from);
    answer.error.message = message(error);
    answer
}

/// Returns what kind of error it is, as [`Error::kind`] does.
fn kind(error: &anyhow::Error) -> &'static str {
    // An error that is only a message is one of the command line.
    let is_message = error.is::<String>() || error.is::<&'static str>();
    let unknown = if is_message && error.chain().count() == 1 { "request" } else { "other" };
    error.chain().find_map(kind_of_cause).unwrap_or(unknown)
}

fn kind_of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    if let Some(error) = cause.downcast_ref::<Error>() {
        Some(error.kind())
    } else if let Some(error) = cause.downcast_ref::<StrategyError>() {
        Some(Error::kind_of_strategy(error))
    } else {
        cause.is::<std::io::Error>().then_some("file")
    }
}

/// Prints an error to standard error, wrapped to the width of the terminal.
fn print_error(text: &str) {
    // There is nowhere left to report that this cannot be written.
    let _ = anstream::stderr().write_all(fit_terminal(text, &stderr()).as_bytes());
}

/// Reports an invalid command line as text, and returns the exit status.
pub(super) fn report_usage_in_text(error: &clap::Error) -> u8 {
    print_error(&terminal(&error.render().ansi().to_string()));
    2
}

/// Adds the names of all subcommands to the error for an unknown one, unless it suggests a similar
/// name.
pub(super) fn with_subcommands(
    mut error: clap::Error,
    command: &clap::Command,
    words: &[OsString],
) -> clap::Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let unknown = unknown.clone();
    // Not `grade`, which clap thinks of.
    let is_list = words.get(1).is_some_and(|first| first == "list" || first == "games");
    if is_list {
        error.remove(ContextKind::SuggestedSubcommand);
    }
    if error.kind() != ErrorKind::InvalidSubcommand
        || error.get(ContextKind::SuggestedSubcommand).is_some()
    {
        return error;
    }
    let list = is_list.then(|| "hog rules list".to_owned());
    if let Some(meant) = list.or_else(|| meant_try(&unknown, words)) {
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![format!("did you mean `{meant}`?").into()]),
        );
        return error;
    }
    // `hog help NAME` knows no names itself.
    let before = words.iter().take_while(|word| **word != *unknown);
    let known = before.filter(|word| *word != "help");
    let command =
        known.fold(command, |command, word| command.find_subcommand(word).unwrap_or(command));
    let names = command.get_subcommands().map(clap::Command::get_name);
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    if let Some(similar) = similar(&unknown, &names) {
        let context = ContextValue::Strings(vec![similar.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, context);
        return error;
    }
    let kind = command.get_subcommand_value_name().unwrap_or("COMMAND");
    let list = format!("{kind} is one of {}", names.join(", "));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![list.into()]));
    error
}

/// Replaces the tips for an unknown option: clap's are to pass it as a value, and options whose
/// names only sound alike.
pub(super) fn with_option(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let unknown = unknown.clone();
    error.remove(ContextKind::Suggested);
    if let Some(ContextValue::String(similar)) = error.get(ContextKind::SuggestedArg)
        && edits(&unknown, similar).is_none_or(|edits| edits > 2)
    {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    let meant = match unknown.as_str() {
        "--json" => "--format json prints JSON".to_owned(),
        range if range.contains('=') && range.contains("..") => {
            format!("each range has an option of its own: --vary {range}")
        }
        memory if is_memory(memory.trim_start_matches('-'), words) => {
            let name = memory.trim_start_matches('-');
            format!("the game remembers it: --memory {name}=VALUE")
        }
        _ => return error,
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![meant.into()]));
    error
}

/// Whether a built-in game among the words remembers a value of this name.
fn is_memory(name: &str, words: &[OsString]) -> bool {
    let games = words.iter().filter_map(|word| load(word.to_str()?, Overrides::default()).ok());
    games.flat_map(|game| memory_names(&game)).any(|known| known == name)
}

/// Returns the name that a misspelt one probably means.
fn similar<'n>(unknown: &str, names: &[&'n str]) -> Option<&'n str> {
    let near =
        names.iter().copied().filter(|name| edits(unknown, name).is_some_and(|edits| edits <= 2));
    near.min_by_key(|name| edits(unknown, name))
}

/// Returns the command line of `hog try` that a game or a strategy's file in place of a command
/// probably means.
fn meant_try(first: &str, words: &[OsString]) -> Option<String> {
    let second =
        words.iter().skip_while(|word| **word != *first).nth(1).map(|word| word.to_string_lossy());
    let second = second.as_deref();
    if is_game(first) {
        let file = second.filter(|word| is_file(word)).unwrap_or("hog.py");
        return Some(format!("hog try {first} {file}"));
    }
    if !is_file(first) {
        return None;
    }
    let variable = std::env::var(VARIABLE).ok().filter(|game| !game.is_empty());
    let game = second.filter(|word| is_game(word)).map(str::to_owned).or(variable);
    Some(format!("hog try {} {first}", game.unwrap_or_else(|| "fa24".into())))
}

fn is_game(word: &str) -> bool {
    builtin(word).is_some() || has_extension(word, "toml")
}

/// Whether a word names a strategy in a file.
fn is_file(word: &str) -> bool {
    word.parse::<Strategy>().is_ok_and(|strategy| strategy.file().is_some())
}

/// Reports an invalid command line as JSON.
pub(super) fn report_usage(error: &clap::Error) {
    let message = usage_in_a_line(&error.render().to_string());
    let cause = std::error::Error::source(error).and_then(kind_of_cause);
    let answer = ErrorAnswer::new(cause.unwrap_or("request"), message);
    if print_json(&answer).is_err() {
        let _ = error.print();
    }
}

/// Suggests a file where an unknown strategy is probably one, or says that there is no such file.
pub(super) fn with_file(error: clap::Error, command: &clap::Command) -> clap::Error {
    let unknown =
        std::error::Error::source(&error).and_then(|source| source.downcast_ref::<StrategyError>());
    let Some(StrategyError::Unknown { text, .. }) = unknown else { return error };
    let similar = similar_file(text).or_else(|| nearest_file(Path::new(text), &STRATEGIES));
    let similar = similar.map(|file| format!("did you mean `{file}`?"));
    let Some(reason) = similar.or_else(|| not_a_file(text).map(str::to_owned)) else {
        return error;
    };
    let suggested = StrategyError::Unknown { text: text.clone(), reason };
    clap::Error::raw(ErrorKind::ValueValidation, format!("{suggested}\n")).with_cmd(command)
}

/// Joins the text of a usage error into one line, and leaves out the usage of the command.
fn usage_in_a_line(text: &str) -> String {
    let paragraphs = text.trim().split("\n\n");
    let kept = paragraphs.filter(|part| {
        !["Usage:", "For more information"].iter().any(|start| part.starts_with(start))
    });
    let lines = kept.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let message = lines.collect::<Vec<_>>().join("; ").replace(":; ", ": ");
    message.strip_prefix("error: ").unwrap_or(&message).to_owned()
}

/// Removes the numbers of the system's errors from a message.
fn without_numbers(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').map_or("", |(_, rest)| rest))
}

fn print_json(view: &ErrorAnswer) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    format::json(view, &mut out)?;
    out.flush()
}

/// Returns an error's message, with the option that helps if there is one, and without numbers of
/// the system's errors.
pub(super) fn message(error: &anyhow::Error) -> String {
    without_numbers(&complete_message(error))
}

fn complete_message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error
        .chain()
        .skip(1)
        .map(ToString::to_string)
        .filter(|cause| !error.to_string().contains(cause))
    {
        message += &format!(": {cause}");
    }
    let Some(known) = error.chain().find_map(|cause| cause.downcast_ref::<Error>()) else {
        return message;
    };
    if let Error::Rules(RulesError::Override { key, .. } | RulesError::OverrideMisfit { key, .. }) =
        known
        && message.starts_with(key)
    {
        return format!("--{}{}", key.replace('_', "-"), message.trim_start_matches(key));
    }
    let option =
        option(known).filter(|option| !message.contains(option.split(' ').next().unwrap_or("")));
    let variable = names_variable(known).then(|| format!("{VARIABLE} names it").into());
    let hints: Vec<_> = option.into_iter().chain(variable).collect();
    if hints.is_empty() { message } else { format!("{message} ({})", hints.join("; ")) }
}

/// Returns whether the rules that could not be loaded are those of the environment variable.
fn names_variable(error: &Error) -> bool {
    let Some(named) = std::env::var_os(VARIABLE) else { return false };
    match error {
        Error::Rules(RulesError::Unknown { name, .. }) => named == **name,
        Error::Rules(RulesError::OtherFile { path, .. } | RulesError::Unreadable { path, .. }) => {
            named == **path
        }
        _ => false,
    }
}

/// Returns the option that helps against an error.
fn option(error: &Error) -> Option<Cow<'static, str>> {
    let hint = match error {
        Error::Strategy(error) => match error {
            StrategyError::File { path, .. } | StrategyError::Python { path, .. }
                if !path.exists() && path != Path::new(INPUT) =>
            {
                return did_you_mean(path, &STRATEGIES);
            }
            StrategyError::NotConfined(_) => {
                Some("--trust runs Python strategies without the sandbox")
            }
            StrategyError::Python { fault, .. } if fault.lacks_package() => Some("--python PATH"),
            StrategyError::Python { fault, .. } if fault.is_random() => {
                Some("`seeded:FILE` runs it with a fixed seed")
            }
            StrategyError::NoPython(_) => Some(
                "--python PATH or HOG_PYTHON names another interpreter, or a virtual environment",
            ),
            StrategyError::Python { fault: PythonFault(Fault::TooLong { .. }), .. } => {
                Some("--strategy-seconds gives it more time")
            }
            StrategyError::NoBaseline { .. } | StrategyError::BaselineMisfit { .. } => {
                Some("AGAINST, or --against STRATEGY")
            }
            StrategyError::NoRule { game, .. } => {
                return Some(format!("`hog rules show {game}` lists its rules").into());
            }
            _ => None,
        },
        Error::Rules(RulesError::Unreadable { path, .. }) => {
            return did_you_mean(path, &["toml"]);
        }
        Error::Rules(RulesError::Unknown { .. }) => Some("`hog rules list` names the games"),
        Error::Bid(BidError::NoBid { game }) => {
            return Some(format!("`hog rules show {game}` lists its rules").into());
        }
        Error::NoTable { name } => {
            let table = Path::new(name).with_extension("hog");
            return Some(format!("`hog solve {name} -o {}` makes one", table.display()).into());
        }
        Error::Solve(crate::solve::SolveError::TooLarge(_)) => {
            Some("--arithmetic float solves it in floats; --goal lowers the goal")
        }
        Error::Solve(crate::solve::SolveError::Unproven(_)) => {
            Some("--arithmetic exact may solve it, in fractions; --goal lowers the goal")
        }
        Error::TooLarge { .. } => Some("--goal N, or --max-memory SIZE for more than is free now"),
        Error::FractionInFloats => Some("leave out --fraction, or --arithmetic float"),
        Error::NobodyToAnswer { .. } => Some("--sees scores needs --against STRATEGY in this game"),
        Error::SearchIsInFloats { .. } => Some("leave out --fraction and --arithmetic exact"),
        Error::NoHolding { .. } => Some("`hog plot best` draws the best rolls"),
        Error::FormCannotHold { search: Some(command), .. } => {
            return Some(format!("`{command}` searches for a table of the scores").into());
        }
        _ => None,
    };
    hint.map(Cow::from)
}

/// The endings of the files of strategies.
const STRATEGIES: [&str; 8] = ["py", "ipynb", "csv", "npy", "txt", "strat", "json", "hog"];

/// Returns a question about the file that is probably meant by a path.
fn did_you_mean(path: &Path, endings: &[&str]) -> Option<Cow<'static, str>> {
    let nearest = nearest_file(path, endings)?;
    Some(format!("did you mean `{nearest}`?").into())
}

/// Returns whether the reader of standard output has closed it, which is not a failure.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_are_joined_into_one_line() {
        let text = "error: unrecognized subcommand 'sovle'\n\
         \n  tip: a similar subcommand exists: 'solve'\n\n\
                    Usage: hog [OPTIONS] <COMMAND>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            usage_in_a_line(text),
            "unrecognized subcommand 'sovle'; tip: a similar subcommand exists: 'solve'"
        );
        let text = "error: the following required arguments were not provided:\n  <SCORE>\n  \
         <OPPONENT>\n\n\
                    Usage: hog best <RULES> <SCORE> <OPPONENT>\n\n\
                    For more information, try '--help'.\n";
        let line = "the following required arguments were not provided: <SCORE>; <OPPONENT>";
        assert_eq!(usage_in_a_line(text), line);
    }

    #[test]
    fn system_error_numbers_are_removed() {
        assert_eq!(
            without_numbers("cannot write a: No such file (os error 2)"),
            "cannot write a: No such file"
        );
        assert_eq!(without_numbers("a (os error 2): b (os error 13)."), "a: b.");
    }
}
