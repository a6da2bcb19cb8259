//! Results as pictures, in SVG and PNG: each function takes data and returns a [`Picture`].
//!
//! Every picture is a scene of paths, dots and text (`scene`) on a sheet with title, axes and
//! source (`figure`). All colours and sizes come from `theme`. `svg` writes the scene with text as
//! text, `png` rasterizes it with the shipped font.
//!
//! ```
//! use hog_engine::{Engine, queries::GivenMap};
//! use hog_plot::{self as plot, Caption, Look};
//! let engine = Engine::builder().build();
//! let map = engine.call().score_map(&GivenMap::of("fa21"))?;
//! let picture = plot::best(Look::default(), &Caption::of(&map), &map);
//! assert!(picture.svg().starts_with("<svg"));
//! # Ok::<(), hog_engine::engine::Error>(())
//! ```
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

mod best;
mod board;
mod choices;
mod colour;
mod contours;
mod curves;
mod diff;
mod drawn;
mod families;
mod figure;
mod font;
mod heat;
mod hold;
mod kinds;
mod legend;
mod length;
mod loss;
mod pictures;
mod png;
mod points;
pub mod queries;
mod regions;
mod reports;
mod scale;
mod scene;
mod spread;
mod survey;
mod svg;
mod theme;
mod vary;
mod visits;
mod win;

pub use best::best;
pub use choices::choices;
pub use colour::Rgb;
pub use diff::diff;
pub use drawn::{Drawing, Drawn};
pub use families::families;
pub use hold::hold;
pub use length::{GameLengths, length};
pub use loss::loss;
pub use pictures::{DrawnAnswer, PICTURES, PictureEntry};
pub use points::points;
pub use queries::{ContestReportsAnswer, PlotAnswer};
pub use reports::{REPORTS_INDEX, contest_reports};
pub use spread::spread;
pub use survey::survey;
pub use theme::{Look, Shade, Size, dice_colours};
pub use vary::vary;
pub use visits::visits;
pub use win::win;

use hog_engine::queries::{ArithmeticKind, NumberSource, ScoreMap, rounded_up};
use hog_rules::rules::Rules;
use scene::Scene;

/// A picture, which can be written as SVG or PNG.
#[derive(Clone, Debug)]
pub struct Picture {
    scene: Scene,
    title: String,
    description: String,
    density: f64,
}

/// The text in the lower corners of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// The game.
    pub game: String,
    /// The source of the numbers, and the fingerprint of the rules.
    pub source: String,
    /// The command that makes the picture; empty if there is none.
    pub command: String,
}

impl Caption {
    /// Describes the game of the rules, and gives the source of the numbers.
    pub fn new(rules: &Rules, source: impl Into<String>) -> Self {
        let Rules { title, goal, max_dice, .. } = rules;
        let name = rules.called();
        let hand: u32 = rules.hand.iter().map(|dice| dice.count).sum();
        let dice = match (hand, max_dice) {
            (0, 1) => "at most 1 die".to_owned(),
            (0, _) => format!("at most {max_dice} dice"),
            _ => format!("{hand} dice, some of which are kept"),
        };
        let game = format!("{title} ({name}): goal {goal}, {dice}");
        let own = format!("rules {:016x}", rules.fingerprint());
        let source = match source.into() {
            source if source.is_empty() => own,
            source => format!("{source}; {own}"),
        };
        Self { game, source, command: String::new() }
    }

    /// Describes the game and the source of a map.
    pub fn of(map: &ScoreMap) -> Self {
        let source = map.numbers.as_ref().map_or(String::new(), |numbers| {
            match (numbers.source, numbers.arithmetic) {
                (NumberSource::Solved, _) | (_, ArithmeticKind::Exact) => numbers.words.clone(),
                _ => format!("{}, within {}", numbers.words, rounded_up(numbers.error_bound)),
            }
        });
        Self::new(map.game.rules(), source)
    }

    /// Adds the command that makes the picture.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = command.into();
        self
    }
}

impl Picture {
    /// The title, in one line.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Writes the picture as SVG: a document of its own, which can also be embedded in a page.
    pub fn svg(&self) -> String {
        svg::document(&self.scene, &self.title, &self.description)
    }

    /// Writes the picture as PNG.
    pub fn png(&self) -> Vec<u8> {
        png::document(&self.scene, self.density).expect("no sheet is empty or larger than memory")
    }
}
