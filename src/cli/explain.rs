//! `hog explain`: shows where a strategy loses.

use std::path::{Path, PathBuf};

use crate::queries::{Explain, GivenStrategy};
use clap::Args;

use super::console::{Console, Status};
use super::output::{ending, is_standard_output, output_file, refuse_inputs};

#[derive(Args, Debug)]
pub(super) struct ExplainCommand {
    #[command(flatten)]
    query: Explain,
    /// Write all positions met to this CSV file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ExplainCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let Self { query, output } = self;
        let rules = query.game.rules.as_deref().unwrap_or_default();
        let file = output_file(output, console);
        file.map(|path| ending(path, &["csv"])).transpose()?;
        let given = [&query.strategy].into_iter().chain(&query.against);
        refuse_inputs(output, [Path::new(rules)], given.filter_map(GivenStrategy::known))?;
        console.can_write(output)?;
        let explained = query.explained(&console.engine.call())?;
        console.note_semester(rules)?;
        if let Some(path) = file {
            console.write_with(path, |out| explained.csv(out))?;
        }
        if file.is_some_and(is_standard_output) {
            Ok(Status::Done)
        } else {
            console.show(&explained.answer)
        }
    }
}
