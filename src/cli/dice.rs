//! `hog dice`: the exact distribution of n dice.

use clap::Args;
use hog::view::DiceView;

use super::console::{Console, Status};
use super::numbers::whole;

/// The exact distribution of N dice, its mean, and the chance of a 1
#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  hog dice 10
  hog dice 3 --die 4 --format json"
)]
pub(super) struct DiceCommand {
    /// How many dice
    #[arg(value_parser = whole::<u32>)]
    dice: u32,
    /// The sides of each die
    #[arg(long, value_name = "SIDES", default_value_t = 6, value_parser = whole::<i64>)]
    die: i64,
}

impl DiceCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        console.show(&DiceView::new(self.dice, self.die)?)
    }
}
