//! `hog man`: prints or installs manual pages.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::console::{Console, Status, cannot_write};

/// Print the manual page of hog, or write those of all commands into a folder
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog man | man -l -                          read it now
  hog man ~/.local/share/man/man1             install hog.1, hog-best.1 and the others")]
pub(super) struct ManCommand {
    /// The folder to write to; it is made if it does not exist
    folder: Option<PathBuf>,
}

impl ManCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let program = super::command_line();
        let Some(folder) = &self.folder else {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page)?;
            console.print(|out| out.write_all(&page))?;
            return Ok(Status::Done);
        };
        std::fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
        clap_mangen::generate_to(program, folder).with_context(|| cannot_write(folder))?;
        Ok(Status::Done)
    }
}
