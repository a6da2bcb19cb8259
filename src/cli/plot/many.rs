//! Pictures of many games or strategies: lengths, families, goals and the survey.

use crate::engine::Error;
use crate::plot::{self, Caption, GameLengths};
use crate::queries::{
    Describe, GameNumber, GivenPlayers, GoalSteps, SurveyAnswer, SurveyRow, Tune,
};
use crate::strategy::{Strategy, Varied};
use anyhow::bail;
use clap::Args;
use rayon::prelude::*;

use super::picture::{PictureArguments, bound, command};
use crate::cli::console::{Console, Status};
use crate::cli::survey::{of_options, varied_number};
use crate::cli::tune::tuned;

#[derive(Args, Debug)]
pub(in crate::cli) struct LengthArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The players of a curve: one strategy for both, or two separated by a comma; can be repeated
    /// (default: best play and the game's baseline, each against itself and against the other)
    #[arg(long, value_name = "A,B")]
    play: Vec<GivenPlayers>,
    #[command(flatten)]
    picture: PictureArguments,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct FamiliesArguments {
    #[command(flatten)]
    tune: Tune,
    #[command(flatten)]
    picture: PictureArguments,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct GoalArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The lowest and the highest goal (default: 20..200, or 20..100 in a game with memories)
    #[arg(long, value_name = "FROM..TO", value_parser = span)]
    goals: Option<(u32, u32)>,
    /// The step between goals (default: chosen for at most 21 goals, fewer in a large game)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    step: Option<u32>,
    #[command(flatten)]
    picture: PictureArguments,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct VaryArguments {
    /// A built-in game or a rule file
    rules: String,
    /// A number of the game (goal, max_dice or a number with a name in the rules) and its values;
    /// given twice, the first is drawn across
    #[arg(long, value_name = "NAME=A..B", value_parser = Varied::parse, required = true)]
    vary: Vec<Varied>,
    #[command(flatten)]
    picture: PictureArguments,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct SurveyArguments {
    /// Built-in games or rule files (default: all built-in games)
    rules: Vec<String>,
    #[command(flatten)]
    picture: PictureArguments,
}

impl LengthArguments {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let game = console.game(&self.rules)?;
        let usual: Vec<GivenPlayers> = match &game.rules().baseline {
            None => vec![GivenPlayers::default()],
            Some(_) => {
                let [optimal, baseline] = [Strategy::Optimal, Strategy::Baseline];
                [[&optimal, &optimal], [&optimal, &baseline], [&baseline, &baseline]]
                    .into_iter()
                    .map(|[first, second]| [first.clone(), second.clone()].into())
                    .collect()
            }
        };
        let pairs = if self.play.is_empty() { &usual } else { &self.play };
        let engine = &console.engine;
        let lengths = pairs.par_iter().map(|players| {
            let chances = Describe::of(&game).players(players.clone()).lengths(&engine.call())?;
            let [first, second] = &players.0;
            Ok(GameLengths { players: format!("{first} and {second}"), chances })
        });
        let lengths = lengths.collect::<Result<Vec<_>, Error>>()?;
        let source = "moving first and second by turns";
        let caption = Caption::new(game.rules(), source).command(command(console));
        self.picture.write(console, |look| plot::length(look, &caption, &game.rules().id, &lengths))
    }
}

impl FamiliesArguments {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let (game, tuned) = tuned(&self.tune, console)?;
        let caption =
            Caption::new(game.rules(), bound(tuned.error_bound)).command(command(console));
        self.picture.write(console, |look| plot::families(look, &caption, &tuned))
    }
}

impl GoalArguments {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        if console.overrides().goal.is_some() {
            bail!("--goal sets the number that this picture varies: use --goals FROM..TO");
        }
        let (engine, query) = (&console.engine, console.given(&self.rules));
        let goals = engine.call().goals(&query, self.goals, self.step)?;
        let rows = engine.call().vary(&query, GameNumber::Goal, &goals.values(), false)?.rows;
        let rows: Vec<SurveyRow> = rows.into_iter().map(|row| row.figures).collect();
        let (GoalSteps { least, most, step, .. }, rules) = (goals, engine.rules(query)?);
        let source = bound(rows.iter().map(SurveyRow::error_bound).fold(0.0, f64::max));
        let game =
            format!("{} ({}): goals from {least} to {most}, every {step}", rules.title, rules.id);
        let caption = Caption { game, source, command: command(console) };
        self.picture.write(console, |look| plot::goal(look, &caption, &rows))
    }
}

impl VaryArguments {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let [one, other] = &self.vary[..] else {
            bail!("this picture has two numbers: --vary goal=20..100:20 --vary max_dice=2..6")
        };
        let (one, ones) = varied_number(one, console)?;
        let (other, others) = varied_number(other, console)?;
        let query = console.given(&self.rules);
        let numbers = [(one, &ones[..]), (other, &others[..])];
        let view = console.engine.call().vary_pair(&query, numbers, false).map_err(of_options)?;
        let rules = console.engine.rules(query)?;
        let game = format!("{} ({})", rules.title, rules.id);
        let caption =
            Caption { game, source: bound(view.error_bound()), command: command(console) };
        self.picture.write(console, |look| plot::vary(look, &caption, &view))
    }
}

impl SurveyArguments {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let rows = console.engine.call().surveys(&console.given_or_all(&self.rules), false)?;
        let view = SurveyAnswer::new(command(console), rows, 0.0);
        self.picture.write(console, |look| plot::survey(look, &survey_caption(&view), &view))
    }
}

/// Returns the caption of a survey's picture.
pub(in crate::cli) fn survey_caption(view: &SurveyAnswer) -> Caption {
    let game = match &view.games[..] {
        [only] => format!("{}: goal {}", only.title, only.goal),
        games => format!("{} games, each to its own goal", games.len()),
    };
    let source = bound(view.games.iter().map(SurveyRow::error_bound).fold(0.0, f64::max));
    Caption { game, source, command: view.command.clone() }
}

/// Parses `FROM..TO`.
fn span(text: &str) -> Result<(u32, u32), String> {
    let ends =
        text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    ends.filter(|(from, to)| from <= to && *from > 0)
        .ok_or_else(|| "write FROM..TO, as in 20..200".to_owned())
}
