//! Questions whose answers are pictures: `hog plot`.

use std::io::{self, Write};
use std::path::Path;

use hog_engine::engine::numbers::score;
use hog_engine::engine::{Call, Error};
use hog_engine::format::Text;
use hog_engine::queries::{
    Describe, GivenGame, GivenMemories, GivenPlayers, GivenStrategy, Losses, Query, Try, Writes,
};
use hog_engine::queries::{GivenMap, Map, MapLayer, TurnPoints};
use hog_study::strategy::Strategy;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::drawn::{Drawing, Drawn, bound};
use super::{Caption, GameLengths, Look, Picture};

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlotAnswer {
    /// A description of the picture, in one line.
    pub title: String,
    /// The picture as SVG; omitted if it was written to a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The file's path; omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The file's size in bytes; omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
}

impl PlotAnswer {
    fn of(picture: &Picture) -> Self {
        Self { title: picture.title().to_owned(), svg: None, output: None, size: None }
    }
}

impl Text for PlotAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.output {
            Some(output) => writeln!(out, "{output}: {}", self.title),
            None => writeln!(out, "{}", self.title),
        }
    }

    fn wrote(&mut self, file: &Path, size: usize) {
        self.svg = None;
        self.output = Some(file.display().to_string());
        self.size = Some(size);
    }
}

/// The best number of dice at each pair of scores; ties have a dot
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotBest {
    /// What the map shows.
    #[serde(flatten)]
    #[command(flatten)]
    pub map: GivenMap,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// The win rate of the player to move at each pair of scores, with a line at each tenth
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotWin {
    /// What the map shows.
    #[serde(flatten)]
    #[command(flatten)]
    pub map: GivenMap,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// The least value of a memory at which to roll no dice, at each pair of scores: when to hold in
/// Pig
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotHold {
    /// What the map shows.
    #[serde(flatten)]
    #[command(flatten)]
    pub map: GivenMap,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// How much the best number of dice wins more often than the worst, at each pair of scores
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotSpread {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The opponent's strategy (default: best play)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
    /// Values of memories.
    #[serde(flatten)]
    #[command(flatten)]
    pub memories: GivenMemories,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// A strategy against another, where memories may have given values.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct Games {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The strategy to examine
    #[schemars(example = &"always_roll:4")]
    pub strategy: GivenStrategy,
    /// The opponent's strategy (default: the game's baseline)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
    /// Show only positions with this value of a memory (default: all)
    #[serde(flatten)]
    #[command(flatten)]
    pub memories: GivenMemories,
}

/// The loss of a strategy at each pair of scores: each time they are met, and in total
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotLoss {
    /// The strategies.
    #[serde(flatten)]
    #[command(flatten)]
    pub games: Games,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// How often a strategy is to move at each pair of scores
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotVisits {
    /// The strategies.
    #[serde(flatten)]
    #[command(flatten)]
    pub games: Games,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// The positions at which two strategies or tables roll differently
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotDiff {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// A strategy; `optimal` includes all tied best rolls
    #[schemars(example = &"optimal")]
    pub first: GivenStrategy,
    /// Another strategy
    #[schemars(example = &"always_roll:4")]
    pub second: GivenStrategy,
    /// Values of memories.
    #[serde(flatten)]
    #[command(flatten)]
    pub memories: GivenMemories,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// The distribution of one turn's points, for each number of dice
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotPoints {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The score of the player to move
    #[serde(default)]
    #[arg(value_parser = score, default_value_t = 0)]
    pub score: u32,
    /// The opponent's score
    #[serde(default)]
    #[arg(value_parser = score, default_value_t = 0)]
    pub opponent: u32,
    /// Values of memories.
    #[serde(flatten)]
    #[command(flatten)]
    pub memories: GivenMemories,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

/// The number of turns in a game, for different players
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct PlotLength {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The players of a curve: one strategy for both, or two separated by a comma; can be repeated
    /// (default: best play and the game's baseline, each against itself and against the other)
    #[serde(default)]
    #[arg(long, value_name = "A,B")]
    pub play: Vec<GivenPlayers>,
    /// The appearance.
    #[serde(flatten)]
    #[arg(skip)]
    pub look: Look,
}

impl PlotBest {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let map = call.score_map(&self.map)?;
        Ok(super::best(drawing.look, &Caption::of(&map).command(&drawing.command), &map))
    }
}

impl PlotWin {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let map = call.win_map(&self.map)?;
        Ok(super::win(drawing.look, &Caption::of(&map).command(&drawing.command), &map))
    }
}

impl PlotSpread {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let mut question = Map::of(self.game.clone()).layer(MapLayer::Spread);
        question.given.against.clone_from(&self.against);
        question.given.memories.clone_from(&self.memories);
        let map = question.answer(call)?;
        let spread = map.spread.as_deref().expect("the layer that is asked for");
        let rules = call.rules(&self.game)?;
        let caption = Caption::new(&rules, &map.numbers.words).command(&drawing.command);
        Ok(super::spread(drawing.look, &caption, rules.called(), &map, spread))
    }
}

impl PlotHold {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let (map, hold) = call.hold_map(&self.map)?;
        Ok(super::hold(drawing.look, &Caption::of(&map).command(&drawing.command), &map, &hold))
    }
}

impl Games {
    /// Finds what the strategy loses in the positions that are shown, and writes the caption.
    fn losses(&self, call: &Call, drawing: &Drawing) -> Result<(Losses, Caption), Error> {
        let mut question = Try::of(self.game.clone(), self.strategy.clone());
        question.against.clone_from(&self.against);
        let (losses, kept) = question.losses_at(call, &self.memories.memory)?;
        let [own, best] = losses.explanation.error_bound;
        let mut source = bound(own.max(best));
        for (name, value) in kept {
            source += &format!("; only positions with {name} = {value}");
        }
        let caption = Caption::new(losses.game.rules(), source).command(&drawing.command);
        Ok((losses, caption))
    }
}

impl PlotLoss {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let (losses, caption) = self.games.losses(call, drawing)?;
        Ok(super::loss(drawing.look, &caption, &losses))
    }
}

impl PlotVisits {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let (losses, caption) = self.games.losses(call, drawing)?;
        Ok(super::visits(drawing.look, &caption, &losses))
    }
}

impl PlotDiff {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let mut map = GivenMap::of(self.game.clone());
        map.memories = self.memories.clone();
        let mut maps = Vec::new();
        for given in [&self.first, &self.second] {
            map.strategy = Some(given.clone());
            maps.push(call.score_map(&map)?);
        }
        let source = "rolls of both, position by position";
        let caption = Caption::new(maps[0].game.rules(), source).command(&drawing.command);
        Ok(super::diff(drawing.look, &caption, [&maps[0], &maps[1]]))
    }
}

impl PlotPoints {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let mut position = self.memories.at_start();
        position.score = self.score;
        position.opponent = self.opponent;
        let game = call.game(&self.game)?;
        let turns = TurnPoints::of(&game, &position)?;
        let caption = Caption::new(game.rules(), "all rolls counted").command(&drawing.command);
        Ok(super::points(drawing.look, &caption, game.rules().called(), &position, &turns))
    }
}

impl PlotLength {
    fn picture(&self, call: &Call, drawing: &Drawing) -> Result<Picture, Error> {
        let game = call.game(&self.game)?;
        let pairs = match &self.play[..] {
            [] if game.rules().baseline.is_none() => vec![GivenPlayers::default()],
            [] => usual_players(),
            play => play.to_vec(),
        };
        let lengths = pairs.par_iter().map(|players| {
            let chances = Describe::of(&game).players(players.clone()).lengths(call)?;
            let [first, second] = call.strategies(players)?;
            Ok(GameLengths { players: format!("{first} and {second}"), chances })
        });
        let lengths = lengths.collect::<Result<Vec<_>, Error>>()?;
        let source = "moving first and second by turns";
        let caption = Caption::new(game.rules(), source).command(&drawing.command);
        Ok(super::length(drawing.look, &caption, game.rules().called(), &lengths))
    }
}

/// Best play and the game's baseline, each against itself and against the other.
fn usual_players() -> Vec<GivenPlayers> {
    vec![
        GivenPlayers::from([Strategy::Optimal, Strategy::Optimal]),
        GivenPlayers::from([Strategy::Optimal, Strategy::Baseline]),
        GivenPlayers::from([Strategy::Baseline, Strategy::Baseline]),
    ]
}

/// Makes questions of the kinds of pictures: the name, and whether it takes more than a second.
macro_rules! questions {
    ($($kind:ty, $name:literal, $is_long:literal;)*) => { $(
        impl Query for $kind {
            const NAME: &str = $name;
            const SCHEMA: &str = "plot";
            const IS_LONG: bool = $is_long;
            const WRITES: Option<Writes> = Some(Writes { contents: "the picture", endings: &[] });
            type Answer = PlotAnswer;

            fn answer(&self, call: &Call) -> Result<PlotAnswer, Error> {
                let drawing = Drawing { look: self.look, command: String::new() };
                let picture = self.picture(call, &drawing)?;
                let mut answer = PlotAnswer::of(&picture);
                answer.svg = Some(picture.svg());
                Ok(answer)
            }
        }

        impl Drawn for $kind {
            fn drawn(
                &self,
                call: &Call,
                drawing: &Drawing,
            ) -> Result<(PlotAnswer, Picture), Error> {
                let picture = self.picture(call, drawing)?;
                Ok((PlotAnswer::of(&picture), picture))
            }
        }
    )* };
}

questions! {
    PlotBest, "plot/best", false;
    PlotDiff, "plot/diff", false;
    PlotHold, "plot/hold", false;
    PlotLength, "plot/length", true;
    PlotLoss, "plot/loss", true;
    PlotPoints, "plot/points", false;
    PlotSpread, "plot/spread", false;
    PlotVisits, "plot/visits", true;
    PlotWin, "plot/win", false;
}
