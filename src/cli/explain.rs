//! `hog explain`: shows where a strategy loses.

use std::path::{Path, PathBuf};

use clap::Args;
use hog::format::explain_csv;
use hog::strategy::Strategy;

use super::console::{Console, Status};
use super::output::{ending, is_standard_output, output_file, refuse_inputs};
use hog::queries::numbers::whole;

/// Show where a strategy loses: the positions that cost win rate, and how much each costs
#[derive(Args, Debug)]
#[command(
    after_help = "The loss of a position is how often it is met, times what the roll there costs. All losses add up \
exactly to the gap between the strategy and the best response to the opponent.

Examples:
  hog explain fa21 always_roll:6                            against the course's baseline
  hog explain fa21 python:mine.py --against final_strategy  your file against optimal play
  hog explain su15 table:mine.csv -o losses.csv             every position met, as a CSV file"
)]
pub(super) struct ExplainCommand {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to examine
    strategy: Strategy,
    /// The opponent's strategy (default: the game's baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// How many positions to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    top: usize,
    /// Write all positions met to this CSV file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ExplainCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let output = output_file(&self.output, console);
        output.map(|path| ending(path, &["csv"])).transpose()?;
        let strategies = [&self.strategy].into_iter().chain(&self.against);
        refuse_inputs(&self.output, [Path::new(&self.rules)], strategies)?;
        console.can_write(&self.output)?;
        let game = console.game(&self.rules)?;
        let explained =
            console.engine.explained(&game, &self.strategy, self.against.as_ref(), self.top)?;
        if let Some(path) = output {
            console.write_with(path, |out| explain_csv(&game, &explained.explanation, out))?;
        }
        if output.is_some_and(is_standard_output) {
            Ok(Status::Done)
        } else {
            console.show(&explained.view)
        }
    }
}
