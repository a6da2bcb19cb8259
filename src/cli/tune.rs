//! `hog tune`: rates a strategy with many values of its numbers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::format::json;
use crate::game::Game;
use crate::queries::{GivenStrategy, Tune, TuneAnswer, tune_csv};
use crate::strategy::Strategy;
use anyhow::bail;
use clap::Args;

use super::console::{Console, Status};
use super::output::{ending, is_standard_output, output_file, refuse_inputs};

/// A strategy with every value of its numbers, and the best of them
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
    tune: Tune,
    /// Write all rates to this file: .csv or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Rates the family, and returns its game too.
pub(super) fn tuned(tune: &Tune, console: &Console) -> anyhow::Result<(Arc<Game>, TuneAnswer)> {
    if tune.vary.is_empty() && matches!(tune.strategy.parse(), Ok(Strategy::Python(_))) {
        bail!(
            "{}: name an argument of its function and its values, as in --vary threshold=0..20",
            tune.strategy
        );
    }
    let answer = console.engine.ask(tune)?;
    Ok((console.game(tune.game.rules.as_deref().unwrap_or_default())?, answer))
}

impl TuneCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let output = output_file(&self.output, console);
        let form = output.map(|path| ending(path, &["csv", "json"])).transpose()?;
        let Tune { game, strategy, against, .. } = &self.tune;
        let names = game.rules.iter().chain([strategy]).map(Path::new);
        refuse_inputs(&self.output, names, against.as_ref().and_then(GivenStrategy::known))?;
        console.can_write(&self.output)?;
        let (_, view) = tuned(&self.tune, console)?;
        if let Some(path) = output {
            let as_json = form == Some(Some("json"));
            console.write_with(path, |out| {
                if as_json { json(&view, out) } else { tune_csv(&view, out) }
            })?;
        }
        if output.is_some_and(is_standard_output) { Ok(Status::Done) } else { console.show(&view) }
    }
}
