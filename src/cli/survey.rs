//! `hog survey`: every game solved, in one table, page and picture.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use hog::rules::builtins;
use hog::view::{SurveyRow, SurveyView};
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::console::{Console, Status};
use super::solve::ArithmeticChoice;

/// Every game's figures: equilibrium, best first roll, best response to its baseline, ties, states, time
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog survey                                  all built-in games
  hog survey fa21 fa24 my_game.toml           these
  hog survey -o survey.md                     a page, and its picture survey.svg beside it
  hog survey --arithmetic exact               equilibria and ties proven, where exact numbers are practical")]
pub(super) struct SurveyCommand {
    /// Built-in games or rule files (default: all built-in games)
    rules: Vec<String>,
    /// ArithmeticChoice for the equilibria; exact means wherever exact numbers are practical
    #[arg(long, value_enum, default_value_t = ArithmeticChoice::Float)]
    arithmetic: ArithmeticChoice,
    /// Write a page in Markdown to this file, and its picture beside it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl SurveyCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        console.can_write(&self.output)?;
        let began = Instant::now();
        let all: Vec<String> = builtins().iter().map(|game| game.id.to_owned()).collect();
        let names = if self.rules.is_empty() { &all } else { &self.rules };
        let bar = ProgressBar::with_draw_target(Some(names.len() as u64), ProgressDrawTarget::stderr_with_hz(10));
        let exact = self.arithmetic == ArithmeticChoice::Exact;
        let games = names.iter().map(|name| {
            let row = console.engine.survey(console.query(name), exact);
            bar.inc(1);
            row
        });
        let games = games.collect::<Result<Vec<SurveyRow>, _>>()?;
        bar.finish_and_clear();
        let view = SurveyView::new(self.command(console), games, began.elapsed().as_secs_f64());
        match &self.output {
            None => console.show(&view),
            Some(page) => write(&view, page, console),
        }
    }

    /// The command that makes this output.
    fn command(&self, console: &Console) -> String {
        let mut command =
            ["hog survey"].into_iter().chain(self.rules.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
        if self.arithmetic == ArithmeticChoice::Exact {
            command += " --arithmetic exact";
        }
        command += &console.overrides_as_options();
        if let Some(path) = &self.output {
            command += &format!(" -o {}", path.display());
        }
        command
    }
}

/// Writes the page and, beside it, the picture.
fn write(view: &SurveyView, page: &Path, console: &Console) -> anyhow::Result<Status> {
    let picture = page.with_extension("svg");
    anyhow::ensure!(picture != page, "the page would be overwritten by its picture; name it FILE.md");
    let name = picture.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    console.write_with(&picture, |out| view.picture(out))?;
    console.write_with(page, |out| view.page(&name, out))?;
    Ok(Status::Done)
}
