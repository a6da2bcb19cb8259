//! `hog dice`: shows the exact distribution of n dice, or that of a formula over them.

use crate::queries::Dice;
use clap::Args;

use super::console::{Console, Status};

/// The exact distribution of dice, or of a formula of them
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog dice 10
  hog dice 3 --die 4 --format json
  hog dice 5 --of of_a_kind                        how likely three, four and five of a kind are
  hog dice 6 --of 'pairs == 3'")]
pub(super) struct DiceCommand {
    #[command(flatten)]
    dice: Dice,
    /// The distribution of a formula: sum, count(6), highest, lowest, distinct, of_a_kind, pairs,
    /// straight, and functions
    #[arg(long, value_name = "FORMULA")]
    of: Option<String>,
}

impl DiceCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        match &self.of {
            None => console.show(&console.engine.ask(&self.dice)?),
            Some(formula) => console.show(&self.dice.formula(formula)?),
        }
    }
}
