//! `hog tune`: rates a strategy with many values of its numbers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use hog::engine::EngineError;
use hog::format::{json, tune_csv};
use hog::game::Game;
use hog::strategy::{Family, Strategy, Varied};
use hog::view::TuneView;

use super::console::{Console, Status};
use super::output::{ending, is_standard_output, output_file, refuse_inputs};

/// Rate a strategy with every value of its numbers, exactly, and mark the best
#[derive(Args, Debug)]
#[command(
    after_help = "A..B is a range that includes both ends, A..B:STEP a range with steps, and A,B,C a list of values.

Examples:
  hog tune fa24 boar_strategy:0..20,0..10              thresholds and dice, as a heat map
  hog tune fa24 sus_strategy --vary threshold=5..15    one number, by its name
  hog tune fa24 hog.py:sus_strategy --vary threshold=5..15 --vary num_rolls=4..8
                                                       keyword arguments of your own function
  hog tune su15 swap_strategy:0..15,3..7 -o swap.csv   all rates in a file (.csv or .json)"
)]
pub(super) struct TuneCommand {
    #[command(flatten)]
    family: FamilyArguments,
    /// Write all rates to this file: .csv or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A game and a family of strategies.
#[derive(Args, Debug)]
pub(super) struct FamilyArguments {
    /// A built-in game or a rule file (default: what HOG_RULES says)
    rules: String,
    /// A strategy with ranges for its numbers, or a file
    strategy: String,
    /// A number, by its name, and its values
    #[arg(long, value_name = "NAME=A..B", value_parser = Varied::parse)]
    vary: Vec<Varied>,
    /// The opponent's strategy (default: the game's baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
}

impl FamilyArguments {
    /// Rates the family.
    pub fn tuned(&self, console: &Console) -> anyhow::Result<(Arc<Game>, TuneView)> {
        if self.vary.is_empty() && matches!(self.strategy.parse(), Ok(Strategy::Python(_))) {
            bail!(
                "{}: name an argument of its function and its values, as in --vary threshold=0..20",
                self.strategy
            );
        }
        let family = Family::parse(&self.strategy, &self.vary).map_err(EngineError::from)?;
        let game = console.game(&self.rules)?;
        let view = console.engine.tune(&game, &family, self.against.as_ref())?;
        Ok((game, view))
    }
}

impl TuneCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let output = output_file(&self.output, console);
        let form = output.map(|path| ending(path, &["csv", "json"])).transpose()?;
        let family = &self.family;
        refuse_inputs(
            &self.output,
            [&family.rules, &family.strategy].map(Path::new),
            &family.against,
        )?;
        console.can_write(&self.output)?;
        let (_, view) = self.family.tuned(console)?;
        if let Some(path) = output {
            let as_json = form == Some(Some("json"));
            console.write_with(path, |out| {
                if as_json { json(&view, out) } else { tune_csv(&view, out) }
            })?;
        }
        if output.is_some_and(is_standard_output) { Ok(Status::Done) } else { console.show(&view) }
    }
}
