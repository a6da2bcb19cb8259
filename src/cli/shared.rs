//! Options that commands have in common.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::engine::GivenGame;
use crate::engine::numbers::{memory_value, size, whole, within};
use crate::plot::Look;
use crate::rules::Overrides;
use crate::strategy::python::DEFAULT_SECONDS;

/// Options that commands have in common; the help of each shows those that act on it.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Common options")]
pub(super) struct Shared {
    /// How to print results
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Play to this many points instead of the rules' goal (1 to 20000)
    #[arg(long, global = true, value_name = "N", value_parser = whole::<u32>)]
    pub goal: Option<u32>,
    /// Roll at most this many dice instead of the rules' maximum (0 to 30)
    #[arg(long, global = true, value_name = "N", value_parser = whole::<u32>)]
    pub max_dice: Option<u32>,
    /// Give numbers that the rules name other values, as in hunger=4 (see `hog rules show RULES`);
    /// second_start=6 gives the player who moves second 6 points at the start
    #[arg(long, global = true, value_name = "NAME=VALUE", value_parser = memory_value,
          value_delimiter = ',')]
    pub set: Vec<(String, i64)>,
    /// Print no notes and no progress on standard error
    #[arg(long, global = true)]
    pub quiet: bool,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub color: Colour,
    /// Use this many threads (default: all cores); results are the same with any number
    #[arg(long, global = true, value_name = "N",
        value_parser = |text: &str| within(text, 1..=1024))]
    pub threads: Option<u64>,
    /// Use at most about this much memory, as in 500M or 12G (default: what is free)
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// Run Python strategies without the sandbox: they can do whatever you can
    #[arg(long, global = true)]
    pub trust: bool,
    /// Run Python strategies with this interpreter or virtual environment (default: $HOG_PYTHON,
    /// or python3)
    #[arg(long, global = true, value_name = "PATH")]
    pub python: Option<PathBuf>,
    /// Ask Python strategies again, even if their answers are known from an earlier run
    #[arg(long, global = true)]
    pub no_cache: bool,
    /// How many seconds a Python strategy may compute and wait, for 10,000 positions
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS,
          value_parser = |text: &str| within(text, 1..=86_400))]
    pub strategy_seconds: u64,
    /// Let -o and --save replace a file that hog did not write, or that was edited
    #[arg(long, global = true)]
    pub force: bool,
    #[command(flatten)]
    pub look: Look,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people
    Text,
    /// One JSON document
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// Only in a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Shared {
    /// The changes to the rules, of no game yet.
    pub fn changes(&self) -> GivenGame {
        let overrides = Overrides { goal: self.goal, max_dice: self.max_dice };
        GivenGame::default().overridden(overrides).numbers(self.set.clone())
    }
}
