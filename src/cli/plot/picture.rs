//! The options of every picture: its file, theme and size.

use std::path::PathBuf;

use crate::plot::PlotAnswer;
use crate::plot::{Look, Picture, Shade, Size};
use crate::queries::rounded_up;
use clap::{Args, ValueEnum};

use crate::cli::console::{Console, Status};
use crate::cli::output::{ending, refuse_second_result};

/// The options of every picture.
#[derive(Args, Debug)]
pub(super) struct PictureArguments {
    /// Write to this file: .svg or .png; - is standard output, as SVG
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The colours
    #[arg(long, value_enum, default_value_t = ThemeChoice::Light)]
    theme: ThemeChoice,
    /// The size, by where the picture will be shown
    #[arg(long, value_enum, default_value_t = SizeChoice::Page)]
    size: SizeChoice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ThemeChoice {
    /// Dark ink on white
    Light,
    /// Light ink on dark
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SizeChoice {
    /// In a column of a paper: 460 pixels wide
    Column,
    /// Across a page: 760 pixels wide
    Page,
    /// On a slide: 1280 by 720 pixels
    Slide,
}

impl PictureArguments {
    /// Checks, before any work, that the picture can be written.
    pub fn check_output(&self, console: &Console) -> anyhow::Result<()> {
        self.is_png()?;
        refuse_second_result(&self.output, "the picture", console)?;
        console.can_write([&self.output])
    }

    /// Returns whether the file is a PNG, by its ending.
    fn is_png(&self) -> anyhow::Result<bool> {
        Ok(ending(&self.output, &["svg", "png"])? == Some("png"))
    }

    fn look(&self) -> Look {
        let shade = match self.theme {
            ThemeChoice::Light => Shade::Light,
            ThemeChoice::Dark => Shade::Dark,
        };
        let size = match self.size {
            SizeChoice::Column => Size::Column,
            SizeChoice::Page => Size::Page,
            SizeChoice::Slide => Size::Slide,
        };
        Look { shade, size }
    }

    /// Writes the picture as SVG or PNG, by the ending of its file.
    pub fn write(
        &self,
        console: &Console,
        drawn: impl FnOnce(Look) -> Picture,
    ) -> anyhow::Result<Status> {
        let picture = drawn(self.look());
        let bytes = if self.is_png()? { picture.png() } else { picture.svg().into_bytes() };
        console.write(&self.output, &bytes)?;
        console.show(&PlotAnswer::new(picture.title(), &self.output, bytes.len()))
    }
}

/// Returns the command that makes the picture, without `-o` and `--force`.
pub(super) fn command(console: &Console) -> String {
    let mut words = console.words.iter().skip(1);
    let mut command = "hog".to_owned();
    while let Some(word) = words.next() {
        if word == "-o" || word == "--output" {
            words.next();
        } else if word != "--force" && !word.starts_with("--output=") && !word.starts_with("-o") {
            command.push(' ');
            command += word;
        }
    }
    command
}

/// Describes an error bound of win rates.
pub(super) fn bound(error: f64) -> String {
    format!("every win rate within {} of the exact one", rounded_up(error))
}
