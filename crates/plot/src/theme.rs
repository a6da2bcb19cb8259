//! All colours and sizes of the pictures: light or dark; for a column, a page or a slide.

use schemars::JsonSchema;
use serde::Deserialize;

use super::colour::{Rgb, along};

/// The appearance of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::Args)]
pub struct Look {
    /// The colours of a picture
    #[serde(default, rename = "theme")]
    #[arg(id = "theme", long, value_name = "THEME", value_enum, global = true, default_value_t)]
    pub shade: Shade,
    /// The size of a picture, by where it will be shown
    #[serde(default)]
    #[arg(long, value_enum, global = true, default_value_t)]
    pub size: Size,
}

/// The background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Shade {
    /// Dark ink on white
    #[default]
    Light,
    /// Light ink on dark
    Dark,
}

/// Where a picture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// In a column of a paper: 460 pixels wide
    Column,
    /// Across a page: 760 pixels wide
    #[default]
    Page,
    /// On a slide: 1280 by 720 pixels
    Slide,
}

/// The colours and lengths of a look.
#[derive(Clone, Debug)]
pub(super) struct Theme {
    pub paper: Rgb,
    pub ink: Rgb,
    /// The colour of axes and notes.
    pub soft: Rgb,
    /// The colour of grid lines.
    pub faint: Rgb,
    /// The colours of the first, the second and the third series.
    pub accent: Rgb,
    pub second: Rgb,
    pub other: Rgb,
    dice: [Rgb; 11],
    losses: &'static [Rgb],
    rates: &'static [Rgb],
    pub width: f64,
    /// The minimum height; 0 if the height is not fixed.
    pub height: f64,
    pub margin: f64,
    /// Font sizes: of normal text, the title, and small text.
    pub text: f64,
    pub title: f64,
    pub small: f64,
    /// The side of a single map.
    pub map: f64,
    /// Pixels of a PNG per pixel of the scene.
    pub density: f64,
}

const LIGHT_PAPER: Rgb = Rgb::hex(0xffffff);
const DARK_PAPER: Rgb = Rgb::hex(0x15181d);

/// The colours of one to ten dice, as on the page. The lightness falls in steps, and the hue varies
/// between green, blue and red, so that people with any colour blindness can distinguish them.
/// `tests/plot/colours.rs` checks the distances of neighbours.
const DICE: [Rgb; 10] = [
    Rgb::hex(0xdefcad),
    Rgb::hex(0x96e3aa),
    Rgb::hex(0x0ed3b6),
    Rgb::hex(0x11b1bc),
    Rgb::hex(0x0093b6),
    Rgb::hex(0x0373ad),
    Rgb::hex(0x1753b1),
    Rgb::hex(0x5b287d),
    Rgb::hex(0x5b0040),
    Rgb::hex(0x3d0010),
];

/// The colour of no dice, which stands out.
const NO_DICE: Rgb = Rgb::hex(0xffc200);

/// From no loss to the largest: from the paper's colour to dark red and violet, in even steps of
/// lightness.
const LIGHT_LOSSES: [Rgb; 7] = [
    Rgb::hex(0xfdf3dc),
    Rgb::hex(0xfbd9a0),
    Rgb::hex(0xf5b26b),
    Rgb::hex(0xe5824f),
    Rgb::hex(0xc5524f),
    Rgb::hex(0x8f2f5b),
    Rgb::hex(0x4b1a56),
];

/// The same for dark paper, with rising lightness.
const DARK_LOSSES: [Rgb; 7] = [
    Rgb::hex(0x2b1b3d),
    Rgb::hex(0x55215f),
    Rgb::hex(0x8a2f66),
    Rgb::hex(0xc04a5b),
    Rgb::hex(0xe67a4d),
    Rgb::hex(0xf7b357),
    Rgb::hex(0xfcefa8),
];

/// From lost (orange) to won (blue), with the paper's colour at one half. People with colour
/// blindness can distinguish orange and blue.
const LIGHT_RATES: [Rgb; 9] = [
    Rgb::hex(0x7a3203),
    Rgb::hex(0xb2560e),
    Rgb::hex(0xdf8a3c),
    Rgb::hex(0xf6c48f),
    Rgb::hex(0xf7f5f2),
    Rgb::hex(0xb4d2ea),
    Rgb::hex(0x6ba5d3),
    Rgb::hex(0x2f74b0),
    Rgb::hex(0x0f437c),
];

const DARK_RATES: [Rgb; 9] = [
    Rgb::hex(0xffc48a),
    Rgb::hex(0xe8913f),
    Rgb::hex(0xb06018),
    Rgb::hex(0x69390f),
    Rgb::hex(0x22242a),
    Rgb::hex(0x153f66),
    Rgb::hex(0x2669a3),
    Rgb::hex(0x559bd6),
    Rgb::hex(0xa5d2f7),
];

impl Theme {
    /// Returns the theme of a look.
    pub fn new(look: Look) -> Self {
        let base = match look.shade {
            Shade::Light => Self::light(),
            Shade::Dark => Self::dark(),
        };
        match look.size {
            Size::Column => {
                Self { width: 460.0, map: 300.0, density: 3.0, ..base }.with_fonts([9.5, 13.0, 8.0])
            }
            Size::Page => Self { width: 760.0, map: 500.0, density: 2.0, ..base }
                .with_fonts([12.5, 18.0, 10.5]),
            Size::Slide => Self { width: 1280.0, height: 720.0, map: 460.0, density: 1.5, ..base }
                .with_fonts([18.0, 30.0, 14.0]),
        }
    }

    fn with_fonts(self, [text, title, small]: [f64; 3]) -> Self {
        Self { text, title, small, margin: (text * 1.6).round(), ..self }
    }

    fn light() -> Self {
        let mut dice = [NO_DICE; 11];
        dice[1..].copy_from_slice(&DICE);
        Self {
            paper: LIGHT_PAPER,
            ink: Rgb::hex(0x16181d),
            soft: Rgb::hex(0x5a606b),
            faint: Rgb::hex(0xd5d9e0),
            accent: Rgb::hex(0x1f6fb2),
            second: Rgb::hex(0xc8641b),
            other: Rgb::hex(0xa03c8c),
            dice,
            losses: &LIGHT_LOSSES,
            rates: &LIGHT_RATES,
            width: 0.0,
            height: 0.0,
            margin: 0.0,
            text: 0.0,
            title: 0.0,
            small: 0.0,
            map: 0.0,
            density: 0.0,
        }
    }

    fn dark() -> Self {
        let mut dice = [NO_DICE; 11];
        dice[1..].copy_from_slice(&DICE);
        Self {
            paper: DARK_PAPER,
            ink: Rgb::hex(0xeceef2),
            soft: Rgb::hex(0xa6adb8),
            faint: Rgb::hex(0x3a404a),
            accent: Rgb::hex(0x6cb4f0),
            second: Rgb::hex(0xf0a050),
            other: Rgb::hex(0xe07acb),
            dice,
            losses: &DARK_LOSSES,
            rates: &DARK_RATES,
            ..Self::light()
        }
    }

    /// Returns the colour of a number of dice, out of at most `most`. Zero dice have a colour that
    /// stands out, and negative moves the colour of notes. If `most` is above 10, colours are
    /// interpolated.
    pub fn dice(&self, dice: i32, most: i32) -> Rgb {
        match usize::try_from(dice) {
            Err(_) => self.soft,
            Ok(dice) if dice == 0 || most <= 10 => self.dice[dice],
            Ok(dice) => along(&self.dice[1..], (dice - 1) as f64 / f64::from(most - 1)),
        }
    }

    /// Returns the colour of a loss, from none (0) to the largest (1).
    pub fn loss(&self, share: f64) -> Rgb {
        along(self.losses, share)
    }

    /// Returns the colour of a win rate, from lost (0) to won (1).
    pub fn rate(&self, rate: f64) -> Rgb {
        along(self.rates, rate)
    }
}

/// Returns the colours of zero to ten dice, for tests of their distances.
pub fn dice_colours(shade: Shade) -> [Rgb; 11] {
    Theme::new(Look { shade, size: Size::default() }).dice
}
