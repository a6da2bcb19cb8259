//! `hog check`: proves tables from their rules.

use crate::queries::Check;
use anyhow::anyhow;
use clap::Args;

use super::console::{Console, Status};

#[derive(Args, Debug)]
pub(super) struct CheckCommand {
    #[command(flatten)]
    check: Check,
}

impl CheckCommand {
    /// Prints the verdicts. A wrong table is told by the exit status too.
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let answer = console.engine.ask(&self.check)?;
        console.show_with(
            &answer,
            answer.error.as_ref().map_or(Ok(()), |error| Err(anyhow!("{}", error.message))),
        )?;
        Ok(Status::of(answer.ok))
    }
}
