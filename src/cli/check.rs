//! `hog check`: proves tables afresh from their rules.

use std::path::PathBuf;

use clap::Args;

use super::context::{Context, Outcome};

/// Prove tables afresh from their rules
#[derive(Args, Debug)]
pub(super) struct Check {
    /// Tables to check
    #[arg(required = true)]
    tables: Vec<PathBuf>,
}

impl Check {
    pub fn run(&self, _context: &Context) -> anyhow::Result<Outcome> {
        anyhow::bail!("{} tables", self.tables.len())
    }
}
