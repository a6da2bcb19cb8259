//! `hog describe` and `hog compare`: what games are like.

use clap::Args;
use hog::strategy::Strategy;

use super::console::{Console, Status};
use super::numbers::whole;

/// What a game is like: its length, its leads, its rules, and how far skill carries
#[derive(Args, Debug)]
#[command(
    after_help = "Computed by forward passes over all games where the game is small enough; the rest is the mean of
games played, and says so with the interval that holds the true figure 95 times in 100.

Examples:
  hog describe fa21                               both play optimally
  hog describe my_game.toml --play baseline       how it is played by who has no plan
  hog describe fa21 --play optimal,always_roll:6  two strategies"
)]
pub(super) struct DescribeCommand {
    /// A built-in game or a rule file (default: what HOG_RULES says)
    rules: String,
    /// Who plays: one strategy for both, or two with a comma between them
    #[arg(long, value_name = "A,B", value_parser = players, default_value = "optimal")]
    play: [Strategy; 2],
}

/// Reads `A,B` or `A`; commas may stand in the numbers of either.
pub(super) fn players(text: &str) -> Result<[Strategy; 2], String> {
    let commas = text.match_indices(',').map(|(place, _)| place);
    let mut both =
        commas.rev().filter_map(|place| Some([text[..place].parse().ok()?, text[place + 1..].trim().parse().ok()?]));
    match (text.parse::<Strategy>(), both.next()) {
        (Ok(one), _) => Ok([one.clone(), one]),
        (Err(_), Some(both)) => Ok(both),
        (Err(error), None) => Err(error.to_string()),
    }
}

impl DescribeCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let game = console.game(&self.rules)?;
        console.show(&console.engine.describe(&game, [&self.play[0], &self.play[1]])?)
    }
}

/// Two games side by side, and the positions whose best roll differs
#[derive(Args, Debug)]
#[command(after_help = "Both are played optimally.

Examples:
  hog compare fa21 sp22
  hog compare old.toml new.toml --top 20")]
pub(super) struct CompareCommand {
    /// A built-in game or a rule file
    rules: String,
    /// Another
    other: String,
    /// How many positions to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    top: usize,
}

impl CompareCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let games = [console.game(&self.rules)?, console.game(&self.other)?];
        console.show(&console.engine.compare([&games[0], &games[1]], self.top)?)
    }
}
