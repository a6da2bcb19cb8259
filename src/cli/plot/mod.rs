//! `hog plot`: draws results as pictures.

mod many;
mod picture;

use crate::engine::{MapQuery, ScoreMap};
use crate::plot::{self, Caption, Look, Picture};
use crate::queries::numbers::{memory_value, score};
use crate::queries::{Explain, Explained, GivenPosition};
use crate::strategy::Strategy;
use clap::{Args, Subcommand};

use super::console::{Console, Status};
use many::{FamiliesArguments, GoalArguments, LengthArguments, SurveyArguments, VaryArguments};
use picture::{PictureArguments, bound, command};

pub(super) use many::survey_caption;

/// Pictures in SVG or PNG: best rolls, win rates, losses, and more
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog plot best fa21 -o best.svg                       the best number of dice at each pair of scores
  hog plot best fa19 --memory last_dice=4 -o best.png  after rolling 4 dice on your last turn
  hog plot win fa21 -o win.png --theme dark --size slide
  hog plot families fa21 bacon_strategy:0..20,0..10 -o rates.svg")]
#[command(subcommand_value_name = "KIND", subcommand_help_heading = "Kinds")]
pub(super) struct PlotCommand {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand, Debug)]
enum Kind {
    /// The best number of dice at each pair of scores; ties have a dot
    Best(MapArguments),
    /// The win rate of the player to move at each pair of scores, with a line at each tenth
    Win(MapArguments),
    /// The least value of a memory at which to roll no dice, at each pair of scores: when to hold
    /// in Pig
    Hold(HoldArguments),
    /// The loss of a strategy at each pair of scores: each time they are met, and in total
    Loss(PairArguments),
    /// How often a strategy is to move at each pair of scores
    Visits(PairArguments),
    /// The positions at which two strategies or tables roll differently
    Diff(DiffArguments),
    /// The distribution of one turn's points, for each number of dice
    Points(PositionArguments),
    /// The win rate of each number of dice in one position, and what may follow
    Choices(PositionArguments),
    /// The number of turns in a game, for different players
    Length(LengthArguments),
    /// Figures of the game for many goals
    Goal(GoalArguments),
    /// The first player's win rate for all pairs of values of two numbers of a game
    Vary(VaryArguments),
    /// The win rates of a family of strategies, as `hog tune` computes them
    Families(FamiliesArguments),
    /// Many games at a glance: the value of moving first, the baseline, and the best rolls
    Survey(SurveyArguments),
}

/// The game, players and memories of a map.
#[derive(Args, Debug)]
struct MapArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to show (default: best play)
    strategy: Option<Strategy>,
    /// The opponent's strategy (default: the game's baseline, or best play if no strategy is
    /// named)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// A memory's value (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, value_delimiter = ',')]
    memory: Vec<(String, i64)>,
    #[command(flatten)]
    picture: PictureArguments,
}

/// The arguments of a map of when to hold.
#[derive(Args, Debug)]
struct HoldArguments {
    #[command(flatten)]
    map: MapArguments,
    /// The memory whose value decides (default: the pot, or the game's only memory)
    #[arg(long, value_name = "NAME")]
    over: Option<String>,
}

/// A strategy and its opponent.
#[derive(Args, Debug)]
struct PairArguments {
    /// A built-in game or a rule file
    rules: String,
    /// The strategy to examine
    strategy: Strategy,
    /// The opponent's strategy (default: the game's baseline)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// Show only positions with this value of a memory (default: all)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, value_delimiter = ',')]
    memory: Vec<(String, i64)>,
    #[command(flatten)]
    picture: PictureArguments,
}

#[derive(Args, Debug)]
struct DiffArguments {
    /// A built-in game or a rule file
    rules: String,
    /// A strategy; `optimal` includes all tied best rolls
    first: Strategy,
    /// Another strategy
    second: Strategy,
    /// A memory's value (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, value_delimiter = ',')]
    memory: Vec<(String, i64)>,
    #[command(flatten)]
    picture: PictureArguments,
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
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, value_delimiter = ',')]
    memory: Vec<(String, i64)>,
    /// The opponent's strategy (default: optimal play)
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    #[command(flatten)]
    picture: PictureArguments,
}

impl PlotCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        match &self.kind {
            Kind::Best(map) => map.run(console, plot::best),
            Kind::Win(map) => map.run(console, plot::win),
            Kind::Hold(hold) => hold.run(console),
            Kind::Loss(pair) => pair.run(console, plot::loss),
            Kind::Visits(pair) => pair.run(console, plot::visits),
            Kind::Diff(diff) => diff.run(console),
            Kind::Points(position) => position.points(console),
            Kind::Choices(position) => position.choices(console),
            Kind::Length(length) => length.run(console),
            Kind::Families(families) => families.run(console),
            Kind::Goal(goal) => goal.run(console),
            Kind::Vary(vary) => vary.run(console),
            Kind::Survey(survey) => survey.run(console),
        }
    }
}

impl MapArguments {
    fn query(&self) -> MapQuery {
        let mut query = MapQuery::default().memory(self.memory.clone());
        (query.strategy, query.against) = (self.strategy.clone(), self.against.clone());
        query
    }

    fn run(
        &self,
        console: &Console,
        drawn: impl Fn(Look, &Caption, &ScoreMap) -> Picture,
    ) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let map = console.engine.score_map(&console.game(&self.rules)?, &self.query())?;
        self.picture
            .write(console, |look| drawn(look, &Caption::of(&map).command(command(console)), &map))
    }
}

impl HoldArguments {
    fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let picture = &self.map.picture;
        picture.check_output(console)?;
        let game = console.game(&self.map.rules)?;
        let hold = console.engine.hold_map(&game, &self.map.query(), self.over.as_deref())?;
        picture.write(console, |look| {
            plot::hold(look, &Caption::of(&hold.map).command(command(console)), &hold)
        })
    }
}

impl PairArguments {
    fn run(
        &self,
        console: &Console,
        drawn: impl Fn(Look, &Caption, &Explained) -> Picture,
    ) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let game = console.game(&self.rules)?;
        let mut explain = Explain::of(&game, &self.strategy).top(0);
        explain.against = self.against.clone().map(Into::into);
        let (explained, kept) = explain.explained_at(&console.engine.call(), &self.memory)?;
        let [own, best] = explained.explanation.error_bound;
        let only =
            kept.iter().map(|(name, value)| format!("; only positions with {name} = {value}"));
        let source = bound(own.max(best)) + &only.collect::<String>();
        let caption = Caption::new(game.rules(), source).command(command(console));
        self.picture.write(console, |look| drawn(look, &caption, &explained))
    }
}

impl DiffArguments {
    fn run(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let game = console.game(&self.rules)?;
        let map = |strategy: &Strategy| {
            console
                .engine
                .score_map(&game, &MapQuery::rolls_of(strategy).memory(self.memory.clone()))
        };
        let maps = [map(&self.first)?, map(&self.second)?];
        let caption = Caption::new(game.rules(), "rolls of both, position by position")
            .command(command(console));
        self.picture.write(console, |look| plot::diff(look, &caption, [&maps[0], &maps[1]]))
    }
}

impl PositionArguments {
    fn position(&self) -> GivenPosition {
        GivenPosition::scores(self.score, self.opponent).memories(self.memory.iter().cloned())
    }

    fn points(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let game = console.game(&self.rules)?;
        let position = self.position();
        let turns = console.engine.turn_points(&game, &position)?;
        let caption = Caption::new(game.rules(), "all rolls counted").command(command(console));
        let id = &game.rules().id;
        self.picture.write(console, |look| plot::points(look, &caption, id, &position, &turns))
    }

    fn choices(&self, console: &Console) -> anyhow::Result<Status> {
        self.picture.check_output(console)?;
        let game = console.game(&self.rules)?;
        let prospects = console.engine.prospects(&game, &self.position(), self.against.as_ref())?;
        let caption = Caption::new(game.rules(), &prospects.numbers).command(command(console));
        self.picture.write(console, |look| plot::choices(look, &caption, &game, &prospects))
    }
}
