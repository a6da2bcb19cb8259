//! `hog describe` and `hog compare`: show what games are like.

use std::path::Path;

use clap::Args;
use hog::strategy::Strategy;

use super::console::{Console, Status};
use super::numbers::whole;

/// Describe a game: how long it lasts, how often the lead changes and rules act, and how much skill
/// matters
#[derive(Args, Debug)]
#[command(
    after_help = "Figures are computed over all games where the game is small enough. The others are averages of \
played games, and are shown with their 95 % confidence interval.

Examples:
  hog describe fa21                               both play optimally
  hog describe my_game.toml --play baseline       both play the course's baseline
  hog describe fa21 --play optimal,always_roll:6  two strategies against each other"
)]
pub(super) struct DescribeCommand {
    /// A built-in game or a rule file (default: what HOG_RULES says)
    rules: String,
    /// The players: one strategy for both, or two separated by a comma
    #[arg(long, value_name = "A,B", value_parser = players, default_value = "optimal")]
    play: [Strategy; 2],
}

/// Parses `A,B` or `A`, where the numbers of a strategy may contain commas.
pub(super) fn players(text: &str) -> Result<[Strategy; 2], String> {
    let commas = text.match_indices(',').map(|(place, _)| place);
    let mut both = commas.rev().filter_map(|place| {
        Some([text[..place].parse().ok()?, text[place + 1..].trim().parse().ok()?])
    });
    match (text.parse::<Strategy>(), both.next()) {
        // The name of one file may have a comma, but two files are likelier.
        (Ok(Strategy::Python(_) | Strategy::Table(_)), Some(both))
            if !Path::new(text).is_file() =>
        {
            Ok(both)
        }
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

/// Compare two games, and show the positions whose best roll differs
#[derive(Args, Debug)]
#[command(after_help = "Both games are played optimally.

Examples:
  hog compare fa21 sp22
  hog compare old.toml new.toml --top 20")]
pub(super) struct CompareCommand {
    /// A built-in game or a rule file
    rules: String,
    /// Another built-in game or rule file
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

#[cfg(test)]
mod tests {
    use super::players;

    #[test]
    fn two_players_are_separated_by_the_comma_that_gives_two_names() {
        for (text, both) in [
            ("optimal", ["optimal", "optimal"]),
            ("always_roll:4,baseline", ["always_roll:4", "baseline"]),
            ("bacon_strategy:8,6", ["bacon_strategy:8,6", "bacon_strategy:8,6"]),
            ("bacon_strategy:8,6,optimal", ["bacon_strategy:8,6", "optimal"]),
            ("a.py,b.py", ["python:a.py", "python:b.py"]),
            ("a.csv, b.npy", ["table:a.csv", "table:b.npy"]),
        ] {
            assert_eq!(players(text).unwrap().map(|player| player.to_string()), both, "{text}");
        }
    }
}
