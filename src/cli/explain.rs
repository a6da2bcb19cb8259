//! `hog explain`: where a strategy loses.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use hog::analysis;
use hog::report::{ExplainView, explain_csv};
use hog::strategy::Strategy;
use hog::table;

use super::context::{Context, Outcome};
use super::interrupt::undisturbed;
use super::progress::with_progress;

/// Where a strategy loses: every position that costs win rate, and how much
#[derive(Args, Debug)]
#[command(
    after_help = "The parts sum exactly to the gap between the strategy and the best response to the opponent: how
often a position is met, times what the roll there costs.

Examples:
  hog explain fa21 always_roll:6                            against the course's baseline
  hog explain fa21 python:mine.py --against final_strategy  your file against best play
  hog explain su15 table:mine.csv -o losses.csv             every position met, for a picture"
)]
pub(super) struct Explain {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to be looked at
    strategy: Strategy,
    /// What it plays against (default: the rules' baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// How many positions to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Write all positions met to this CSV file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Explain {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let game = context.game(&self.rules)?;
        let against = match (&self.against, &game.rules().baseline) {
            (Some(strategy), _) => strategy.clone(),
            (None, Some(baseline)) => baseline.parse()?,
            (None, None) => bail!("{} names no baseline: say --against STRATEGY", game.rules().id),
        };
        let explanation = with_progress("explaining", |watch| {
            let plans = [self.strategy.plan(&game, watch)?, against.plan(&game, watch)?];
            Ok::<_, anyhow::Error>(analysis::explain(&game, [&plans[0], &plans[1]], watch)?)
        })?;
        if let Some(path) = &self.output {
            let mut bytes = Vec::new();
            explain_csv(&game, &explanation, &mut bytes)?;
            undisturbed(|| table::write(path, &bytes))?;
        }
        let names = [self.strategy.to_string(), against.to_string()];
        context.show(&ExplainView::new(&game, names, &explanation, self.top))
    }
}
