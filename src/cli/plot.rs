//! `hog plot`: results as pictures.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use hog::engine::{Explained, GameQuery, MapQuery, Query, ScoreMap};
use hog::game::Game;
use hog::plot::{self, Caption, Look, Picture, Shade, Size};
use hog::rules::builtins;
use hog::strategy::Strategy;
use hog::view::{PlotView, SurveyRow, SurveyView};

use super::console::{Console, Status, memory_value, position, score};
use super::output::ending;

/// Results as pictures, in SVG or PNG: best rolls, win rates, losses, distributions
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog plot best fa21 -o best.svg                       how many dice to roll, over both scores
  hog plot best fa19 --memory last_dice=4 -o best.png  after rolling 4 dice on your last turn
  hog plot win fa21 -o win.png --theme dark --size slide")]
pub(super) struct PlotCommand {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand, Debug)]
enum Kind {
    /// How many dice to roll, over both scores; ties have a dot
    Best(MapArguments),
    /// The win rate of the player to move, over both scores, with a line at each tenth
    Win(MapArguments),
    /// What a strategy gives away by position: each time it is met, and in all
    Loss(PairArguments),
    /// How often a strategy is to move at each pair of scores
    Visits(PairArguments),
    /// Where two strategies or tables roll differently
    Diff(DiffArguments),
    /// The points of one turn, for every number of dice
    Points(PositionArguments),
    /// What each number of dice is worth in one position, and what may follow
    Choices(PositionArguments),
    /// Figures of the game against its goal
    Goal(GoalArguments),
    /// Many games at a glance: moving first, the baseline, and what best play rolls
    Survey(SurveyArguments),
}

/// What a map is of.
#[derive(Args, Debug)]
struct MapArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy that plays (default: best play)
    strategy: Option<Strategy>,
    /// Whom it plays against (default: best play answers best play, a strategy the rules' baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// A memory's value (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value)]
    memory: Vec<(String, i64)>,
    #[command(flatten)]
    sheet: Sheet,
}

/// A strategy and whom it plays against.
#[derive(Args, Debug)]
struct PairArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to be looked at
    strategy: Strategy,
    /// What it plays against (default: the rules' baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    #[command(flatten)]
    sheet: Sheet,
}

#[derive(Args, Debug)]
struct DiffArguments {
    /// A built-in game or a rule file
    rules: String,
    /// One strategy; `optimal` counts every tied roll as its own
    first: Strategy,
    /// The other
    second: Strategy,
    /// A memory's value (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value)]
    memory: Vec<(String, i64)>,
    #[command(flatten)]
    sheet: Sheet,
}

#[derive(Args, Debug)]
struct PositionArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The score of the player to move
    #[arg(value_parser = score, default_value_t = 0)]
    score: u32,
    /// The opponent's score
    #[arg(value_parser = score, default_value_t = 0)]
    opponent: u32,
    /// A memory's value (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value)]
    memory: Vec<(String, i64)>,
    /// The opponent plays this strategy, instead of playing to win
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    #[command(flatten)]
    sheet: Sheet,
}

#[derive(Args, Debug)]
struct GoalArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The goals, from the least to the most
    #[arg(long, value_name = "FROM..TO", value_parser = span, default_value = "20..200")]
    goals: (u32, u32),
    /// How far it is from one goal to the next (default: at most twenty goals)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    step: Option<u32>,
    #[command(flatten)]
    sheet: Sheet,
}

#[derive(Args, Debug)]
struct SurveyArguments {
    /// Built-in games or rule files (default: all built-in games)
    rules: Vec<String>,
    #[command(flatten)]
    sheet: Sheet,
}

/// What every picture takes.
#[derive(Args, Debug)]
struct Sheet {
    /// Write to this file: .svg or .png; - is standard output, as SVG
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The paper
    #[arg(long, value_enum, default_value_t = Paper::Light)]
    theme: Paper,
    /// Where it will be shown
    #[arg(long, value_enum, default_value_t = Place::Page)]
    size: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Dark ink on white
    Light,
    /// Light ink on dark
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Place {
    /// In a column of a paper: 460 pixels wide
    Column,
    /// Across a page: 760 pixels wide
    Page,
    /// On a slide: 1280 by 720 pixels
    Slide,
}

impl PlotCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        match &self.kind {
            Kind::Best(map) => map.run(console, plot::best),
            Kind::Win(map) => map.run(console, plot::win),
            Kind::Loss(pair) => pair.run(console, plot::loss),
            Kind::Visits(pair) => pair.run(console, plot::visits),
            Kind::Diff(diff) => diff.run(console),
            Kind::Points(position) => position.points(console),
            Kind::Choices(position) => position.choices(console),
            Kind::Goal(goal) => goal.run(console),
            Kind::Survey(survey) => survey.run(console),
        }
    }
}

impl MapArguments {
    fn run(&self, console: &Console, drawn: impl Fn(Look, &Caption, &ScoreMap) -> Picture) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let mut query = MapQuery::default().memory(self.memory.clone());
        (query.strategy, query.against) = (self.strategy.clone(), self.against.clone());
        let map = console.engine.score_map(&console.game(&self.rules)?, &query)?;
        self.sheet.write(console, |look| drawn(look, &Caption::of(&map).command(command()), &map))
    }
}

impl PairArguments {
    fn run(
        &self,
        console: &Console,
        drawn: impl Fn(Look, &Caption, &Game, &Explained) -> Picture,
    ) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let game = console.game(&self.rules)?;
        let explained = console.engine.explained(&game, &self.strategy, self.against.as_ref(), 0)?;
        let source = bound(explained.explanation.error_bound);
        let caption = Caption::new(game.rules(), source).command(command());
        self.sheet.write(console, |look| drawn(look, &caption, &game, &explained))
    }
}

impl DiffArguments {
    fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let game = console.game(&self.rules)?;
        let map = |strategy: &Strategy| {
            let query = MapQuery::default().memory(self.memory.clone());
            // Best play has ties, of which a plan holds but one each.
            let query = match strategy {
                Strategy::Optimal => query,
                Strategy::Beat(other) => query.against((**other).clone()),
                other => query.strategy(other.clone()).against(other.clone()),
            };
            console.engine.score_map(&game, &query)
        };
        let maps = [map(&self.first)?, map(&self.second)?];
        let caption = Caption::new(game.rules(), "rolls of both, position by position").command(command());
        self.sheet.write(console, |look| plot::diff(look, &caption, [&maps[0], &maps[1]]))
    }
}

impl PositionArguments {
    fn query(&self) -> Query {
        let mut query = position(self.score, self.opponent, &self.memory);
        query.against = self.against.as_ref().map(ToString::to_string);
        query
    }

    fn points(&self, console: &Console) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let game = console.game(&self.rules)?;
        let query = self.query();
        let turns = console.engine.turn_points(&game, &query)?;
        let caption = Caption::new(game.rules(), "all rolls counted").command(command());
        self.sheet.write(console, |look| plot::points(look, &caption, &game.rules().id, &query, &turns))
    }

    fn choices(&self, console: &Console) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let game = console.game(&self.rules)?;
        let prospects = console.engine.prospects(&game, &self.query())?;
        let caption = Caption::new(game.rules(), &prospects.numbers).command(command());
        self.sheet.write(console, |look| plot::choices(look, &caption, &game, &prospects))
    }
}

/// So many goals are drawn unless their distance is given.
const GOALS: u32 = 20;

impl GoalArguments {
    fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let (least, most) = self.goals;
        let step = self.step.unwrap_or_else(|| {
            let round = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
            round.into_iter().find(|step| (most - least) / step <= GOALS).unwrap_or(most)
        });
        let goals = (least..=most).step_by(step as usize);
        let rows = goals.map(|goal| console.engine.survey(GameQuery::new(&self.rules).goal(goal), false));
        let rows = rows.collect::<Result<Vec<SurveyRow>, _>>()?;
        let rules = console.engine.rules(GameQuery::new(&self.rules).goal(most))?;
        let source = bound(rows.iter().map(SurveyRow::error_bound).fold(0.0, f64::max));
        let game = format!("{} ({}): goals from {least} to {most}, every {step}", rules.title, rules.id);
        let caption = Caption { game, source, command: command() };
        self.sheet.write(console, |look| plot::goal(look, &caption, &rows))
    }
}

impl SurveyArguments {
    fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let all: Vec<String> = builtins().iter().map(|game| game.id.to_owned()).collect();
        let names = if self.rules.is_empty() { &all } else { &self.rules };
        let games = names.iter().map(|name| console.engine.survey(console.query(name), false));
        let view = SurveyView::new(command(), games.collect::<Result<_, _>>()?, 0.0);
        self.sheet.write(console, |look| plot::survey(look, &survey_caption(&view), &view))
    }
}

/// What stands in the corner of a survey.
pub(super) fn survey_caption(view: &SurveyView) -> Caption {
    let game = match &view.games[..] {
        [only] => format!("{}: goal {}", only.title, only.goal),
        games => format!("{} games, each to its own goal", games.len()),
    };
    let source = bound(view.games.iter().map(SurveyRow::error_bound).fold(0.0, f64::max));
    Caption { game, source, command: view.command.clone() }
}

fn bound(error: f64) -> String {
    format!("every win rate within {error:.1e} of the exact one")
}

/// Reads `FROM..TO`.
fn span(text: &str) -> Result<(u32, u32), String> {
    let ends = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    ends.filter(|(from, to)| from <= to && *from > 0).ok_or_else(|| "write FROM..TO, as in 20..200".to_owned())
}

impl Sheet {
    /// Finds out, before any work, whether the picture can be written.
    fn before(&self, console: &Console) -> anyhow::Result<()> {
        self.is_png()?;
        console.can_write([&self.output])
    }

    /// Whether pixels are wanted.
    fn is_png(&self) -> anyhow::Result<bool> {
        Ok(ending(&self.output, &["svg", "png"])? == Some("png"))
    }

    fn look(&self) -> Look {
        let shade = match self.theme {
            Paper::Light => Shade::Light,
            Paper::Dark => Shade::Dark,
        };
        let size = match self.size {
            Place::Column => Size::Column,
            Place::Page => Size::Page,
            Place::Slide => Size::Slide,
        };
        Look { shade, size }
    }

    /// Writes the picture in the form of its file's ending.
    fn write(&self, console: &Console, drawn: impl FnOnce(Look) -> Picture) -> anyhow::Result<Status> {
        let picture = drawn(self.look());
        let bytes = if self.is_png()? { picture.png() } else { picture.svg().into_bytes() };
        console.write(&self.output, &bytes)?;
        let size = bytes.len();
        console.show(&PlotView { title: picture.title().to_owned(), output: self.output.display().to_string(), size })
    }
}

/// The command that makes the picture, without the file that it goes to.
fn command() -> String {
    let mut words = std::env::args().skip(1);
    let mut command = "hog".to_owned();
    while let Some(word) = words.next() {
        if word == "-o" || word == "--output" {
            words.next();
        } else if word != "--force" && !word.starts_with("--output=") && !word.starts_with("-o") {
            command.push(' ');
            command += &word;
        }
    }
    command
}
