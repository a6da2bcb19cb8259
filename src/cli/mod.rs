//! The command line: arguments, one file for each command, and what all of them share.

mod best;
mod bid;
mod check;
mod completions;
mod confine;
mod contest;
mod context;
mod dice;
mod explain;
mod export;
mod interrupt;
mod play;
mod progress;
mod rate;
mod rules;
mod simulate;
mod solve;
mod survey;
mod turn;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use hog::strategy::python::DEFAULT_SECONDS;

use context::Context;
pub use context::Outcome;

/// The exact solver for the dice game Hog and every game like it.
///
/// A game of Hog is a rule file; hog turns it into exact dice counts, solves it backward from its end, and answers
/// with the best roll of any position and what every other roll costs.
#[derive(Parser, Debug)]
#[command(name = "hog", version, max_term_width = 100, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    shared: Shared,
}

const EXAMPLES: &str = "Examples:
  hog best fa21 20 36                         the best roll at 20 to 36, and what each other roll costs
  hog rate fa21 optimal always_roll:6         the exact win rate of best play against the course's baseline
  hog solve fa21 -o fa21.hog                  the table of a whole game, proven
  hog export fa21 --to python -o final.py     a final_strategy to hand in
  hog rules show fa21                         the rules as sentences and as formulas
  hog simulate su15 swap_strategy:8,5         games played, with the exact rates beside the averages
  hog play fa21                               a game against final_strategy

RULES is the id of a built-in game (`hog rules list`) or the path of a rule file.
STRATEGY is optimal, final_strategy, beat:STRATEGY, always_roll:N, table:PATH (.hog, .csv, .npy or .txt),
python:PATH[:FUNCTION], or another of the course's, such as bacon_strategy:8,6: picky_piggy, swap, swine_swap,
hog_pile and prime_strategy:CUTOFF,NUM.
Exit status: 0 done, 1 a check or comparison failed, 2 bad usage or bad input.";

/// What every command takes.
#[derive(Args, Debug, Clone)]
struct Shared {
    /// How to print results
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Play to this many points instead of the rules' goal (1 to 20000)
    #[arg(long, global = true, value_name = "N")]
    goal: Option<u32>,
    /// Roll at most this many dice instead of the rules' (0 to 24)
    #[arg(long, global = true, value_name = "N")]
    max_dice: Option<u32>,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
    /// Use this many threads (default: all cores); results are the same with any number
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run python:FILE strategies without shutting them in: they can do whatever you can
    #[arg(long, global = true)]
    trust: bool,
    /// How long a python:FILE strategy may take for 10,000 positions
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    strategy_seconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// One JSON document
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// In a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    Solve(solve::Solve),
    Best(best::Best),
    Bid(bid::Bid),
    Rate(rate::Rate),
    Turn(turn::Turn),
    Dice(dice::Dice),
    Check(check::Check),
    Rules(rules::RulesCommand),
    Survey(survey::Survey),
    Export(export::Export),
    Simulate(simulate::Simulate),
    Play(play::Play),
    Explain(explain::Explain),
    Contest(contest::Contest),
    Completions(completions::Completions),
}

/// Reads the command line, runs it, and says how it went.
pub fn main() -> ExitCode {
    if let Some(refused) = confine::if_asked() {
        return refused;
    }
    let arguments = Arguments::parse();
    let colour = match arguments.shared.color {
        Colour::Auto => anstream::ColorChoice::Auto,
        Colour::Always => anstream::ColorChoice::Always,
        Colour::Never => anstream::ColorChoice::Never,
    };
    colour.write_global();
    interrupt::install();
    confine::install(&arguments.shared);
    if let Some(threads) = arguments.shared.threads {
        // Fails only if a pool exists already, which nothing before this line makes.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    let context = Context::new(&arguments.shared);
    match run(&arguments.command, &context).and_then(|outcome| context.finish().map(|()| outcome)) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(error) if context::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            context::complain(&error);
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command, context: &Context) -> anyhow::Result<Outcome> {
    match command {
        Command::Solve(command) => command.run(context),
        Command::Best(command) => command.run(context),
        Command::Bid(command) => command.run(context),
        Command::Rate(command) => command.run(context),
        Command::Turn(command) => command.run(context),
        Command::Dice(command) => command.run(context),
        Command::Check(command) => command.run(context),
        Command::Rules(command) => command.run(context),
        Command::Survey(command) => command.run(context),
        Command::Export(command) => command.run(context),
        Command::Simulate(command) => command.run(context),
        Command::Play(command) => command.run(context),
        Command::Explain(command) => command.run(context),
        Command::Contest(command) => command.run(context),
        Command::Completions(command) => command.run(context),
    }
}
