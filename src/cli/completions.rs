//! `hog completions`: completion scripts for shells.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::console::{Console, Status};

/// Print the completion script of a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog completions bash > ~/.local/share/bash-completion/completions/hog
  hog completions zsh > ~/.zfunc/_hog
  hog completions fish > ~/.config/fish/completions/hog.fish")]
pub(super) struct CompletionsCommand {
    /// The shell
    shell: Shell,
}

impl CompletionsCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Arguments::command(), "hog", &mut script);
        console.print(|out| out.write_all(&script))?;
        Ok(Status::Done)
    }
}
