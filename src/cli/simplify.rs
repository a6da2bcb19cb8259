//! `hog simplify`: a strategy that a person can remember.

use std::path::{Path, PathBuf};

use crate::queries::Simplify;
use clap::Args;

use super::console::{Console, Status};
use super::output::{ending, is_standard_output, output_file, refuse_inputs};

#[derive(Args, Debug)]
#[command(
    after_help = "A strategy is a list of lines, the first of which that applies says what to roll. They look only at what a \
player sees: the scores, the points of rolling no dice and what these do, the dice; in Pig and its kin at the pot.

The loss is one half less the strategy's average win rate against optimal play, as `hog rate RULES FILE optimal` prints it. \
It is exact; that no shorter list loses as little is not proven. If no list loses as little as --within asks, the status is \
1, and nothing is written.

Examples:
  hog simplify fa21 --within 0.02         the shortest list found that loses at most 0.02
  hog simplify fa24 --lines 3             the best of at most three lines, and of two, and of one
  hog simplify fa24 --lines 5 -o final.py a final_strategy to hand in
  hog simplify pig -o pig.csv             what it rolls in every position: a table that `hog rate` reads"
)]
pub(super) struct SimplifyCommand {
    #[command(flatten)]
    query: Simplify,
    /// Write the strategy to this file: .py or .csv
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl SimplifyCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let Self { query, output } = self;
        let rules = query.game.rules.as_deref().unwrap_or_default();
        let file = output_file(output, console);
        let form = file.map(|path| ending(path, &["py", "csv"])).transpose()?;
        refuse_inputs(output, [Path::new(rules)], [])?;
        console.can_write(output)?;
        let found = query.simplified(&console.engine.call())?;
        console.note_semester(rules)?;
        if query.within.is_some() && !found.answer.reached {
            // What was asked for was not found: nothing is written.
            console.show(&found.answer)?;
            return Ok(Status::Failed);
        }
        if let Some(path) = file {
            let as_csv = form == Some(Some("csv"));
            console.write_with(path, |out| match as_csv {
                true => found.csv(out),
                false => out.write_all(found.answer.python().as_bytes()),
            })?;
        }
        if file.is_some_and(is_standard_output) {
            Ok(Status::Done)
        } else {
            console.show(&found.answer)
        }
    }
}
