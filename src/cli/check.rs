//! `hog check`: proves tables from their rules.

use anyhow::anyhow;
use clap::Args;

use super::console::{Console, Status};

/// Prove tables from their rules: every win rate, every best roll, every tie
#[derive(Args, Debug)]
#[command(
    after_help = "A second solver, which shares no code with the first, reads the rules inside each table and \
recomputes it. Exact tables must agree to the last bit, others within their error bound.

Examples:
  hog check tables/fa21.hog
  hog check fa21                              the table that comes with hog
  hog check mine.hog --format json            exit status 1 if anything is wrong"
)]
pub(super) struct CheckCommand {
    /// Tables to check: files, or games whose tables come with hog
    #[arg(required_unless_present = "all", value_name = "TABLE|RULES")]
    tables: Vec<String>,
    /// Check all tables that come with hog
    #[arg(long, conflicts_with = "tables")]
    all: bool,
}

impl CheckCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let view = if self.all {
            console.engine.check(&console.engine.shipped_games())?
        } else {
            console.engine.check(&self.tables)?
        };
        console.show_with(
            &view,
            view.error.as_ref().map_or(Ok(()), |error| Err(anyhow!("{}", error.message))),
        )?;
        Ok(Status::of(view.ok))
    }
}
