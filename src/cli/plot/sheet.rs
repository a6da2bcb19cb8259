//! What every picture takes: its file, its paper, where it is shown.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hog::plot::{Look, Picture, Shade, Size};
use hog::view::PlotView;

use crate::cli::console::{Console, Status};
use crate::cli::output::ending;

/// What every picture takes.
#[derive(Args, Debug)]
pub(super) struct Sheet {
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

impl Sheet {
    /// Finds out, before any work, whether the picture can be written.
    pub fn before(&self, console: &Console) -> anyhow::Result<()> {
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
    pub fn write(&self, console: &Console, drawn: impl FnOnce(Look) -> Picture) -> anyhow::Result<Status> {
        let picture = drawn(self.look());
        let bytes = if self.is_png()? { picture.png() } else { picture.svg().into_bytes() };
        console.write(&self.output, &bytes)?;
        let size = bytes.len();
        console.show(&PlotView { title: picture.title().to_owned(), output: self.output.display().to_string(), size })
    }
}

/// The command that makes the picture, without the file that it goes to.
pub(super) fn command() -> String {
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

/// How good win rates are, in words.
pub(super) fn bound(error: f64) -> String {
    format!("every win rate within {error:.1e} of the exact one")
}
