//! `hog survey`: every game solved, in one table, page and picture.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use hog::game::Game;
use hog::report::{SurveyRow, SurveyView};
use hog::rules::builtins;
use hog::solve::{Arithmetic, Watch, practical_arithmetic};
use hog::survey::figures;
use hog::table;
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::context::{Context, Outcome};
use super::interrupt::undisturbed;
use super::solve::Numbers;

/// Every game's figures: equilibrium, best first roll, best response to its baseline, ties, states, time
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog survey                                  all built-in games
  hog survey fa21 fa24 my_game.toml           these
  hog survey -o survey.md                     a page, and its picture survey.svg beside it
  hog survey --arithmetic exact               equilibria and ties proven, where exact numbers are practical")]
pub(super) struct Survey {
    /// Built-in games or rule files (default: all built-in games)
    rules: Vec<String>,
    /// Numbers for the equilibria; exact means wherever exact numbers are practical
    #[arg(long, value_enum, default_value_t = Numbers::Float)]
    arithmetic: Numbers,
    /// Write a page in Markdown to this file, and its picture beside it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Survey {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let began = Instant::now();
        let all: Vec<String> = builtins().iter().map(|game| game.id.to_owned()).collect();
        let names = if self.rules.is_empty() { &all } else { &self.rules };
        let bar = ProgressBar::with_draw_target(Some(names.len() as u64), ProgressDrawTarget::stderr_with_hz(10));
        let games = names.iter().map(|name| {
            let row = self.row(context, name);
            bar.inc(1);
            row
        });
        let games = games.collect::<anyhow::Result<Vec<SurveyRow>>>()?;
        bar.finish_and_clear();
        let view = SurveyView { command: self.command(context), games, seconds: began.elapsed().as_secs_f64() };
        match &self.output {
            None => context.show(&view),
            Some(page) => write(&view, page),
        }
    }

    fn row(&self, context: &Context, name: &str) -> anyhow::Result<SurveyRow> {
        let began = Instant::now();
        let game: Game = context.game(name)?;
        let arithmetic = match self.arithmetic {
            Numbers::Exact => practical_arithmetic(&game),
            Numbers::Float => Arithmetic::Float,
        };
        let figures = figures(&game, began, arithmetic, &Watch::silent()).with_context(|| name.to_owned())?;
        Ok(SurveyRow::new(game.rules(), &figures))
    }

    /// The command that makes this output.
    fn command(&self, context: &Context) -> String {
        let mut command =
            ["hog survey"].into_iter().chain(self.rules.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
        if self.arithmetic == Numbers::Exact {
            command += " --arithmetic exact";
        }
        command += &context.overrides_as_options();
        if let Some(path) = &self.output {
            command += &format!(" -o {}", path.display());
        }
        command
    }
}

/// Writes the page and, beside it, the picture.
fn write(view: &SurveyView, page: &Path) -> anyhow::Result<Outcome> {
    let picture = page.with_extension("svg");
    anyhow::ensure!(picture != page, "the page would be overwritten by its picture; name it FILE.md");
    let name = picture.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (mut text, mut svg) = (Vec::new(), Vec::new());
    view.page(&name, &mut text)?;
    view.picture(&mut svg)?;
    undisturbed(|| table::write(&picture, &svg))?;
    undisturbed(|| table::write(page, &text))?;
    Ok(Outcome::Done)
}
