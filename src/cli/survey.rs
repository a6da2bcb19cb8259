//! `hog survey`: solves many games, and writes their figures as a table, a page and a picture.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::engine::Error;
use crate::format::json;
use crate::plot::{self, Look};
use crate::queries::ArithmeticKind;
use crate::queries::{Answer, GameNumber, SurveyAnswer, vary_csv, vary_pair_csv};
use crate::rules::Overrides;
use crate::strategy::Varied;
use anyhow::{anyhow, bail};
use clap::Args;
use serde::Serialize;

use super::console::{Console, Status};
use super::output::{ending, is_standard_output, output_file, refuse_inputs};
use super::plot::survey_caption;

/// Many games side by side, or one for many values of its numbers
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog survey                                  all built-in games
  hog survey fa21 fa24 my_game.toml           the games named
  hog survey -o survey.md                     a page, and the picture survey.svg next to it
  hog survey my_game.toml --vary goal=20..200
                                              one game, with every goal from 20 to 200
  hog survey fa21 --vary max_dice=1..10 -o dice.csv
  hog survey fa21 --vary goal=20..100:20 --vary max_dice=2..6
                                              all pairs of values, as a table
  hog survey --arithmetic exact               exact equilibria and ties, where practical")]
pub(super) struct SurveyCommand {
    /// Built-in games or rule files (default: all built-in games)
    rules: Vec<String>,
    /// Numbers to solve the equilibria in; `exact` uses floats where exact numbers are not
    /// practical
    #[arg(long, value_enum, default_value_t = ArithmeticKind::Float)]
    arithmetic: ArithmeticKind,
    /// Solve one game for many values of its goal, max_dice or a number with a name in the rules: NAME=A..B,
    /// NAME=A..B:STEP or NAME=A,B,C; given twice, all pairs of values
    #[arg(long, value_name = "NAME=A..B", value_parser = Varied::parse)]
    vary: Vec<Varied>,
    /// Write a page to this file (.md), and its picture next to it; with --vary, the figures (.csv
    /// or .json)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl SurveyCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        match &self.vary[..] {
            [] => {}
            [vary] => return self.varied(vary, console),
            [one, other] => return self.varied_pair([one, other], console),
            _ => bail!("--vary takes at most two numbers here; `hog fair` tries more"),
        }
        self.output.as_deref().map(|page| ending(page, &["md"])).transpose()?;
        console.can_write(self.output.iter().chain(&self.output.as_deref().and_then(picture)))?;
        let began = Instant::now();
        let games =
            console.engine.call().surveys(&console.given_or_all(&self.rules), self.is_exact())?;
        let view = SurveyAnswer::new(self.command(console), games, began.elapsed().as_secs_f64());
        match output_file(&self.output, console) {
            None => console.show(&view),
            Some(page) => write(&view, page, console).map(|()| Status::Done),
        }
    }

    /// Solves one game for every value of a number.
    fn varied(&self, vary: &Varied, console: &Console) -> anyhow::Result<Status> {
        let form = self.form(console)?;
        let (number, values) = varied_number(vary, console)?;
        let view = console.engine.call().vary(
            console.given(self.only()?),
            number,
            &values,
            self.is_exact(),
        );
        self.finish(&view.map_err(of_options)?, form, vary_csv, console)
    }

    /// Solves one game for every pair of values of two numbers.
    fn varied_pair(&self, vary: [&Varied; 2], console: &Console) -> anyhow::Result<Status> {
        let form = self.form(console)?;
        let (one, ones) = varied_number(vary[0], console)?;
        let (other, others) = varied_number(vary[1], console)?;
        let view = console.engine.call().vary_pair(
            console.given(self.only()?),
            [(one, &ones[..]), (other, &others[..])],
            self.is_exact(),
        );
        self.finish(&view.map_err(of_options)?, form, vary_pair_csv, console)
    }

    /// Returns the only game that is named.
    fn only(&self) -> anyhow::Result<&String> {
        let [rules] = &self.rules[..] else { bail!("--vary needs exactly one game: name one") };
        Ok(rules)
    }

    /// Returns the ending of the file for the figures, which can be written.
    fn form(&self, console: &Console) -> anyhow::Result<Option<&'static str>> {
        let rules = self.only()?;
        let output = output_file(&self.output, console);
        let form = output.map(|path| ending(path, &["csv", "json"])).transpose()?;
        refuse_inputs(&self.output, [Path::new(rules)], [])?;
        console.can_write(&self.output)?;
        Ok(form.flatten())
    }

    /// Writes the figures to the file, and shows them.
    fn finish<V: Answer + Serialize>(
        &self,
        view: &V,
        form: Option<&str>,
        csv: fn(&V, &mut dyn Write) -> io::Result<()>,
        console: &Console,
    ) -> anyhow::Result<Status> {
        let output = output_file(&self.output, console);
        if let Some(path) = output {
            console.write_with(path, |out| {
                if form == Some("json") { json(view, out) } else { csv(view, out) }
            })?;
        }
        if output.is_some_and(is_standard_output) { Ok(Status::Done) } else { console.show(view) }
    }

    fn is_exact(&self) -> bool {
        self.arithmetic == ArithmeticKind::Exact
    }

    /// Returns the command that makes this output.
    fn command(&self, console: &Console) -> String {
        let mut command = ["hog survey"]
            .into_iter()
            .chain(self.rules.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ");
        if self.is_exact() {
            command += " --arithmetic exact";
        }
        command += &console.overrides_as_options();
        if let Some(path) = &self.output {
            command += &format!(" -o {}", path.display());
        }
        command
    }
}

/// Returns a number that varies, and its values.
pub(super) fn varied_number(
    vary: &Varied,
    console: &Console,
) -> anyhow::Result<(GameNumber, Vec<u32>)> {
    let Overrides { goal, max_dice } = console.overrides();
    let number = GameNumber::named(&vary.name);
    let (option, fixed) = match number {
        GameNumber::Goal => ("--goal", goal),
        GameNumber::MaxDice => ("--max-dice", max_dice),
        _ => ("", None),
    };
    if fixed.is_some() {
        bail!("{option} sets the number that --vary {} varies: leave one of them out", vary.name);
    }
    let value = |value: &i64| {
        u32::try_from(*value)
            .map_err(|_| anyhow!("--vary {}={value}: it cannot be negative", vary.name))
    };
    Ok((number, vary.values.iter().map(value).collect::<Result<Vec<u32>, _>>()?))
}

/// Says which values of the options an error is about.
pub(super) fn of_options(error: Error) -> anyhow::Error {
    let (mut error, mut options) = (error, Vec::new());
    while let Error::Varied { number, value, error: inner } = error {
        options.push(format!("--vary {}={value}", number.name()));
        error = *inner;
    }
    let context = options.join(" ");
    if options.is_empty() { error.into() } else { anyhow::Error::from(error).context(context) }
}

/// Returns the path of a page's picture; `None` for a page on standard output.
fn picture(page: &Path) -> Option<PathBuf> {
    (!is_standard_output(page)).then(|| page.with_extension("svg"))
}

/// Writes the page and, next to it, the picture.
fn write(view: &SurveyAnswer, page: &Path, console: &Console) -> anyhow::Result<()> {
    let picture = picture(page);
    let name = picture
        .as_deref()
        .and_then(Path::file_name)
        .map(|name| name.to_string_lossy().into_owned());
    // The page comes first: a full disk or a device then leaves no picture without it.
    console.write_with(page, |out| view.page(name.as_deref(), out))?;
    picture.map_or(Ok(()), |picture| {
        console.write(
            &picture,
            plot::survey(Look::default(), &survey_caption(view), view).svg().as_bytes(),
        )
    })
}
