//! What makes a game fair: points at the start for the weaker side.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, Query, rounded_up};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, paint};
use crate::game::Position;
use crate::solve::Arithmetic;

/// What makes the first and the second player equal
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Both play to win. Every handicap is tried; the fairest come first. `hog \
vary` tries other numbers in the rules.

Example:
  hog fair fa21                     how many points the second player needs at the start")]
#[non_exhaustive]
pub struct Fair {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
}

/// What makes the first and the second player equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FairAnswer {
    /// The game's id.
    pub rules: String,
    /// The win rate of the player who moves first, without a handicap.
    pub first_player: f64,
    /// All handicaps of the player who wins more often without one, the fairest first.
    pub handicaps: Vec<Handicap>,
    /// No win rate here differs from the exact one by more than this.
    pub error_bound: f64,
}

/// Scores at the start of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Handicap {
    /// The score of the player who moves first.
    pub first: u32,
    /// The score of the other player.
    pub second: u32,
    /// The win rate of the player who moves first.
    pub first_player: f64,
}

impl Fair {
    /// The question about a game's handicaps.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Fair;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Fair::of("fa21"))?;
    /// assert_eq!(answer.handicaps.len(), 100);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into() }
    }
}

/// How far a win rate is from one half.
fn unfairness(rate: f64) -> f64 {
    (rate - 0.5).abs()
}

impl Query for Fair {
    const NAME: &str = "fair";
    const IS_LONG: bool = true;
    type Answer = FairAnswer;

    fn answer(&self, call: &Call) -> Result<FairAnswer, Error> {
        let game = call.game(&self.game)?;
        let solution = call.solution(&game, None, Arithmetic::Float)?;
        let rules = game.rules();
        let even = game.state(&Position::new(rules, 0, 0)?);
        let first_player = solution.own.win_rates[even];
        let mut handicaps = Vec::new();
        for points in (0..rules.goal).step_by(rules.step as usize) {
            let [first, second] = if first_player < 0.5 { [points, 0] } else { [0, points] };
            let start = Position::new(rules, first, second)?;
            let first_player = solution.own.win_rates[game.state(&start)];
            handicaps.push(Handicap { first, second, first_player });
        }
        handicaps.sort_by(|a, b| unfairness(a.first_player).total_cmp(&unfairness(b.first_player)));
        let error_bound = solution.error_bound;
        Ok(FairAnswer { rules: rules.id.clone(), first_player, handicaps, error_bound })
    }
}

/// How many handicaps are printed.
const ROWS: usize = 5;

impl Text for FairAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let title =
            format!("{}: the first player wins {:.10} from 0-0", self.rules, self.first_player);
        writeln!(out, "{}\n", paint(TITLE, title))?;
        writeln!(out, "{}", paint(FAINT, format!("{:>16}  first player wins", "start")))?;
        for (place, handicap) in self.handicaps.iter().take(ROWS).enumerate() {
            let start = format!("{}-{}", handicap.first, handicap.second);
            let rate = format!("{:.10}", handicap.first_player);
            let rate = if place == 0 { paint(BEST, rate) } else { rate };
            writeln!(out, "{start:>16}  {rate}")?;
        }
        let bound = rounded_up(self.error_bound);
        let note =
            format!("if both play to win; the fairest first, of all handicaps; within {bound}");
        writeln!(out, "{}", paint(FAINT, note))
    }
}
