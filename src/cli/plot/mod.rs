//! `hog plot`: results as pictures.

mod many;
mod sheet;

use anyhow::{bail, ensure};
use clap::{Args, Subcommand};
use hog::engine::{EngineError, Explained, MapQuery, Query, ScoreMap};
use hog::game::{Game, memory_names};
use hog::plot::{self, Caption, Look, Picture};
use hog::strategy::Strategy;

use super::console::{Console, Status, memory_value, position, score};
use many::{FamiliesArguments, GoalArguments, LengthArguments, SurveyArguments};
use sheet::{Sheet, bound, command};

pub(super) use many::survey_caption;

/// Results as pictures, in SVG or PNG: best rolls, win rates, losses, distributions
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog plot best fa21 -o best.svg                       how many dice to roll, over both scores
  hog plot best fa19 --memory last_dice=4 -o best.png  after rolling 4 dice on your last turn
  hog plot win fa21 -o win.png --theme dark --size slide
  hog plot families fa21 bacon_strategy:0..20,0..10 -o rates.svg")]
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
    /// From which value of a memory on to roll no dice, over both scores: where to hold in Pig
    Hold(HoldArguments),
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
    /// How many turns a game takes, by who plays
    Length(LengthArguments),
    /// Figures of the game against its goal
    Goal(GoalArguments),
    /// The win rates of a family of strategies, as `hog tune` finds them
    Families(FamiliesArguments),
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

/// What a map of stopping is of.
#[derive(Args, Debug)]
struct HoldArguments {
    #[command(flatten)]
    map: MapArguments,
    /// The memory whose value decides (default: the game's only one)
    #[arg(long, value_name = "NAME")]
    over: Option<String>,
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
    /// Only positions with this value of a memory (default: all)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value)]
    memory: Vec<(String, i64)>,
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

    fn run(&self, console: &Console, drawn: impl Fn(Look, &Caption, &ScoreMap) -> Picture) -> anyhow::Result<Status> {
        self.sheet.before(console)?;
        let map = console.engine.score_map(&console.game(&self.rules)?, &self.query())?;
        self.sheet.write(console, |look| drawn(look, &Caption::of(&map).command(command()), &map))
    }
}

impl HoldArguments {
    fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let sheet = &self.map.sheet;
        sheet.before(console)?;
        let game = console.game(&self.map.rules)?;
        let rules = game.rules();
        ensure!(rules.min_dice <= 0, "{}: a turn rolls at least {} dice, so nobody stops", rules.id, rules.min_dice);
        let over = match (&self.over, &memory_names(rules)[..]) {
            (Some(name), _) => name.clone(),
            (None, [only]) => only.clone(),
            (None, []) => bail!("{} remembers nothing between turns, so one map tells all: hog plot best", rules.id),
            (None, names) => bail!("{} has several memories: name one with --over: {}", rules.id, names.join(", ")),
        };
        let hold = console.engine.hold_map(&game, &self.map.query(), &over)?;
        sheet.write(console, |look| plot::hold(look, &Caption::of(&hold.map).command(command()), &hold))
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
        let wanted = position(0, 0, &self.memory).position(game.rules()).map_err(EngineError::from)?;
        // Values that behave alike are shown by one of them.
        let wanted = game.position(game.state(&wanted));
        let mut explained = console.engine.explained(&game, &self.strategy, self.against.as_ref(), 0)?;
        let [own, best] = explained.explanation.error_bound;
        let mut source = bound(own.max(best));
        let names = memory_names(game.rules());
        for (place, name) in
            names.iter().enumerate().filter(|(_, name)| self.memory.iter().any(|(one, _)| one == *name))
        {
            let value = wanted.memory[place];
            explained.explanation.reached.retain(|reached| reached.position.memory[place] == value);
            source += &format!("; only positions with {name} = {value}");
        }
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
