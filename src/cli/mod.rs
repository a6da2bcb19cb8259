//! The command line: its arguments, one file for each command, and the code that commands share.

mod ask;
mod completions;
mod confine;
mod console;
mod contest;
mod given_rules;
mod grade;
mod help;
mod input;
mod interrupt;
mod last_try;
mod lines;
mod machine;
mod man;
mod nearest;
mod output;
mod play;
mod progress;
mod question;
mod refusal;
mod rules;
mod serve;
mod shared;
mod tables;
mod r#try;
mod turn;
mod written;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::strategy::python::Launcher;

use crate::format::without_blank_ends;
use crate::questions;
use console::{Console, Status};
use input::Input;
use progress::Bar;
use question::Question;
use shared::{Colour, Format, Shared};

/// The exact solver for the dice game Hog and every game like it.
///
/// A rule file describes a game. hog computes the exact distributions of its dice, solves the game
/// backward from its end, and reports the best roll in any position and what every other roll
/// costs.
#[derive(Parser, Debug)]
#[command(name = "hog", version, after_help = EXAMPLES, arg_required_else_help = true)]
struct Program {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    shared: Shared,
}

/// A command line that was read.
struct Arguments {
    task: Task,
    shared: Shared,
    /// The command that was given.
    command: clap::Command,
    /// What is read from standard input because it is named `-`.
    input: Option<Input>,
}

/// What a command line asks for.
enum Task {
    /// The answer to a question.
    Question(Question),
    /// A command with options or work of its own.
    Command(Box<Command>),
}

const EXAMPLES: &str = "Examples:
  hog try fa24 hog.py                      how good your final_strategy is
  hog best fa21 20 36                      the best roll at 20 points to 36
  hog why fa21 20 36                       why it is better than the next best
  hog rules show fa21                      the rules as sentences and formulas
  hog describe fa21                        what the game is like
  hog rate fa21 optimal always_roll:6      exact win rates against each other
  hog solve fa21 -o final.py               best play as a Python function
  hog plot best fa21 -o fa21.svg           the best rolls as a picture
  hog serve                                the same as a page in the browser

RULES is the id of a built-in game, a semester that played it (`hog rules list` shows both), or \
the path of a rule file. If it is left out, the environment variable HOG_RULES names the game. `-` \
in place of RULES or of a strategy is standard input.

STRATEGY is one of:
  optimal              equilibrium play
  final_strategy       the table that comes with hog for these rules
  baseline             the strategy that the course rates against
  beat:STRATEGY        the best response to a strategy
  always_roll:N        always N dice
  FILE[:FUNCTION]      a .py, .csv, .npy, .txt, .strat, .json or .hog file
  seeded:FILE.py       a Python file that uses random numbers
  bacon_strategy:8,6   a strategy of the course's handout; numbers left out are the handout's
  hold_at:N            for Pig and its variants, as is end_race_or_keep_pace
  bank_at:N,N,die=N    where dice are kept: points to bank at with 1, 2, ... dice left, and what a
                       die left counts when dice are kept; also most_points

The course's other strategies are picky_piggy, piggypoints, hefty_hogs, oink_points, tail, boar, \
swap, swine_swap, hog_pile, pigs_on_prime, sus, square, prime, extra_turn, more_boar, mean and \
comeback, each followed by _strategy, and catch_up.

Exit status: 0 done, 1 a check or comparison failed, 2 bad usage or bad input.";

#[derive(Subcommand, Debug)]
enum Command {
    Try(r#try::TryCommand),
    Turn(turn::TurnCommand),
    Ask(ask::AskCommand),
    Rules(rules::RulesCommand),
    Play(play::PlayCommand),
    Contest(contest::ContestCommand),
    Grade(grade::GradeCommand),
    Serve(serve::ServeCommand),
    Completions(completions::CompletionsCommand),
    Man(man::ManCommand),
}

impl Task {
    /// Whether it reads rules that options can change, if its command may.
    fn reads_rules(&self) -> bool {
        let Self::Command(command) = self else { return true };
        match &**command {
            Command::Rules(command) => command.reads_rules(),
            Command::Play(command) => command.reads_rules(),
            _ => true,
        }
    }

    fn run(&self, console: &Console) -> anyhow::Result<Status> {
        match self {
            Self::Question(question) => question.run(console),
            Self::Command(command) => run(command, console),
        }
    }
}

impl Arguments {
    /// Returns an error if an option is given that the command would ignore.
    fn refuse_unused_options(&self) -> anyhow::Result<()> {
        let Shared { goal, max_dice, set, force, format, .. } = &self.shared;
        let uses_overrides = help::acts_on("goal", &self.command) && self.task.reads_rules();
        let override_given = goal
            .map(|_| "--goal")
            .or(max_dice.map(|_| "--max-dice"))
            .or((!set.is_empty()).then_some("--set"));
        if let Some(option) = override_given.filter(|_| !uses_overrides) {
            bail!(
                "{option} changes the rules of a game, and this command has no rules that it \
                 could change: leave it out"
            );
        }
        if *force && !help::acts_on("force", &self.command) {
            bail!(
                "--force allows a file to be replaced, and this command writes no files: \
                 leave it out"
            );
        }
        if *format == Format::Json && !help::acts_on("format", &self.command) {
            bail!(
                "--format json prints a result as JSON, and this command has no result: \
                 leave it out"
            );
        }
        Ok(())
    }
}

/// Runs the command line of this process and returns its exit status.
pub fn main() -> ExitCode {
    let program = std::env::current_exe().unwrap_or_else(|_| "hog".into());
    ExitCode::from(run_arguments(std::env::args_os().collect(), Launcher::new(program)))
}

/// Runs a command line, whose first argument is the program's name, and returns the exit status.
/// `launcher` starts Python strategies; the program that it runs must call this function as well.
pub fn run_arguments(arguments: Vec<OsString>, launcher: Launcher) -> u8 {
    if let Some(refused) = confine::if_asked(&arguments) {
        return refused;
    }
    if let Err(error) = machine::check_limits() {
        refusal::report(&error, Format::Text);
        return 2;
    }
    completions::answer_shell();
    if arguments.len() < 2 {
        return help::introduce();
    }
    let json = wants_json(&arguments);
    let rules = std::env::var_os(given_rules::VARIABLE);
    let mut command = command_line();
    let parsed = parse(&mut command, arguments, rules);
    let (arguments, words) = match parsed.map_err(|error| refusal::with_file(error, &command)) {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() && json => {
            refusal::report_usage(&error);
            return 2;
        }
        Err(error) if error.use_stderr() => return refusal::report_usage_in_text(&error),
        Err(help) => return print_help(&help),
    };
    let shared = &arguments.shared;
    let colour = match shared.color {
        Colour::Auto => anstream::ColorChoice::Auto,
        Colour::Always => anstream::ColorChoice::Always,
        Colour::Never => anstream::ColorChoice::Never,
    };
    colour.write_global();
    machine::refuse_without_threads(2);
    let progress = Bar::new(shared.quiet);
    let installed = interrupt::install(progress.clone(), launcher.clone())
        .context(machine::TOO_FEW_THREADS)
        .and_then(|()| shared.threads.map_or(Ok(()), start_threads));
    if let Err(error) = installed {
        refusal::report(&error, shared.format);
        return 2;
    }
    let input = match arguments.input.map(Input::read).transpose() {
        Ok(input) => input,
        Err(error) => {
            refusal::report(&error, shared.format);
            return 2;
        }
    };
    let console = Console::new(shared, words, launcher, progress, input);
    let result = arguments.refuse_unused_options().and_then(|()| arguments.task.run(&console));
    interrupt::wait_if_ending();
    match result.and_then(|status| console.flush().map(|()| status)) {
        Ok(Status::Done) => 0,
        Ok(Status::Failed) => 1,
        Ok(Status::Unwritten) => 2,
        Err(error) if refusal::is_broken_pipe(&error) => 0,
        Err(error) => {
            console.progress.stop();
            // Results printed so far come before the error. If they cannot be printed, the error is
            // still reported.
            let _ = console.flush();
            refusal::report(&error, shared.format);
            2
        }
    }
}

/// Starts this many threads that compute; without it as many as there are cores start when they are
/// needed.
fn start_threads(number: u64) -> anyhow::Result<()> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(number as usize);
    let started = threads.thread_name(|thread| format!("compute-{thread}")).build_global();
    started.with_context(|| format!("--threads {number}: the threads cannot be started"))
}

/// Prints the help or the version that a command line asks for, and returns the exit status.
fn print_help(help: &clap::Error) -> u8 {
    let text = without_blank_ends(&help.render().ansi().to_string());
    let printed = anstream::stdout().write_all(text.as_bytes());
    match printed.context("cannot write to standard output") {
        Err(error) if !refusal::is_broken_pipe(&error) => {
            refusal::report(&error, Format::Text);
            2
        }
        _ => 0,
    }
}

/// Returns the command line: the questions of the engine's list, and the commands that do more.
fn command_line() -> clap::Command {
    let mut command = Program::command().subcommand(plot());
    for query in questions() {
        let (of, name) = query.name.rsplit_once('/').unwrap_or(("", query.name));
        let Some(added) = question::arguments(query, clap::Command::new(name)) else { continue };
        command = match of {
            "" => command.subcommand(added),
            of => command.mut_subcommand(of, |of| of.subcommand(added)),
        };
    }
    with_negative_numbers(help::arranged(command))
}

/// The command of all kinds of pictures, which are questions of the list.
fn plot() -> clap::Command {
    clap::Command::new("plot")
        .about("Pictures in SVG or PNG: best rolls, win rates, losses, and more")
        .subcommand_value_name("KIND")
        .subcommand_help_heading("Kinds")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(
            "best, tune, vary and survey draw their answers, too: `hog best fa21 20 36 -o roll.svg`.

Examples:
  hog plot best fa21 -o best.svg                       the best dice at each pair of scores
  hog plot best fa19 --memory last_dice=4 -o best.png  after rolling 4 dice on your last turn
  hog plot win fa21 -o win.png --theme dark --size slide
  hog plot loss fa21 always_roll:6 -o loss.svg         where a strategy loses",
        )
}

/// Returns the name of the command that was given, as in `best` or `rules/list`, and its arguments.
fn command_of(matches: &ArgMatches) -> (String, &ArgMatches) {
    let mut words = Vec::new();
    let mut arguments = matches;
    while let Some((word, inner)) = arguments.subcommand() {
        words.push(word);
        arguments = inner;
    }
    (words.join("/"), arguments)
}

/// Reads the task and the shared options of a parsed command line.
fn read(command: &clap::Command, matches: &ArgMatches) -> Result<Arguments, clap::Error> {
    let (name, arguments) = command_of(matches);
    let query = questions().find(|query| query.name == name);
    let question = query.map(|query| Question::read(query, arguments)).transpose()?.flatten();
    let task = match question {
        Some(question) => Task::Question(question),
        None => Task::Command(Box::new(Command::from_arg_matches(matches)?)),
    };
    let command = help::given(command, matches).clone();
    let input = Input::named(&command, arguments)?;
    Ok(Arguments { task, shared: Shared::from_arg_matches(matches)?, command, input })
}

/// Parses a command line, whose first argument is the program's name; `rules` is its game where it
/// names none. Also returns the line as it was understood.
fn parse(
    command: &mut clap::Command,
    words: Vec<OsString>,
    rules: Option<OsString>,
) -> Result<(Arguments, Vec<String>), clap::Error> {
    let parsed = given_rules::parse(command, words.clone(), rules);
    let read = parsed.and_then(|(matches, words)| {
        let words = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Ok((read(command, &matches)?, words))
    });
    read.map_err(|error| match error.kind() {
        // Only help needs the width of the terminal, and fitting it takes longer than parsing.
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let fitted = lines::fit_help(command_line()).try_get_matches_from(&words);
            fitted.err().unwrap_or(error)
        }
        ErrorKind::UnknownArgument => refusal::with_option(error.format(command), &words),
        _ => refusal::with_subcommands(error.format(command), command, &words),
    })
}

/// Lets every command take negative numbers as values, so that one that is too small is refused as
/// such.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command.allow_negative_numbers(true).mut_subcommands(with_negative_numbers)
}

/// Returns whether a command line that may be invalid asks for JSON.
fn wants_json(arguments: &[OsString]) -> bool {
    arguments.iter().any(|text| text == "--format=json")
        || arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json")
}

fn run(command: &Command, console: &Console) -> anyhow::Result<Status> {
    match command {
        Command::Try(command) => command.run(console),
        Command::Turn(command) => command.run(console),
        Command::Ask(command) => command.run(console),
        Command::Rules(command) => command.run(console),
        Command::Play(command) => command.run(console),
        Command::Contest(command) => command.run(console),
        Command::Grade(command) => command.run(console),
        Command::Serve(command) => command.run(console),
        Command::Completions(command) => command.run(console),
        Command::Man(command) => command.run(console),
    }
}
