//! The exact win rates of one strategy against another.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenOpponent, GivenStrategy, Query, WinRates};
use crate::engine::{Call, Error, rounded_up};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, paint};
use crate::strategy::all_end;
use crate::{pairs, solve};

/// The exact win rates of one strategy against another
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Examples:
  hog rate fa21 optimal always_roll:6                 best play against the baseline
  hog rate fa21 beat:always_roll:6 always_roll:6      the highest win rate against the baseline
  hog rate su15 mine.csv                              your own table: columns score,opponent,dice

A Python file runs in a sandbox: it can read only its own folder and the Python installation, and \
it cannot write files, use the network or start programs. The sandbox needs Linux 5.13 or later; \
elsewhere, --trust runs the file without it.")]
#[non_exhaustive]
pub struct Rate {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The strategy to rate
    #[schemars(example = &"always_roll:4")]
    pub strategy: GivenStrategy,
    /// The opponent; without it, the game's baseline.
    #[serde(flatten)]
    #[command(flatten)]
    pub opponent: GivenOpponent,
}

/// The win rates of one strategy against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RateAnswer {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: WinRates,
    /// What the strategy's file probably means otherwise; left out if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl Rate {
    /// The question about a strategy against the game's baseline.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Rate;
    ///
    /// let engine = Engine::builder().build();
    /// let rate = engine.ask(&Rate::of("su15", "optimal").against("always_roll:5"))?.win_rate;
    /// assert!((rate.average - 0.695_586_795).abs() < 1e-9);
    /// assert!(rate.error_bound < 1e-12);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>, strategy: impl Into<GivenStrategy>) -> Self {
        Self { game: game.into(), strategy: strategy.into(), opponent: GivenOpponent::default() }
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.opponent.against = Some(opponent.into());
        self
    }
}

impl Query for Rate {
    const NAME: &str = "rate";
    const IS_LONG: bool = true;
    type Answer = RateAnswer;

    fn answer(&self, call: &Call) -> Result<RateAnswer, Error> {
        let strategy = call.strategy(&self.strategy)?;
        let against = call.optional_strategy(self.opponent.strategy())?;
        let game = call.game(&self.game)?;
        let against = call.or_baseline(&game, against.as_ref())?;
        let [own, other] = [call.plan(&game, &strategy)?, call.plan(&game, &against)?];
        let (rate, bound) =
            call.run("rating", |watch| pairs::rate(&game, [&own, &other], watch))?;
        let never = call.run("rating", |watch| solve::endless(&game, [&own, &other], watch))?;
        if strategy.is_by_win_rates() || against.is_by_win_rates() {
            all_end(game.rules(), never)?;
        }
        Ok(RateAnswer {
            rules: game.rules().id.clone(),
            strategy: strategy.to_string(),
            against: against.to_string(),
            win_rate: WinRates::new([rate.first, rate.second, rate.average()], never, bound),
            remark: strategy.swapped_scores(),
        })
    }
}

impl Text for RateAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, strategy, against, win_rate, remark } = self;
        let WinRates { first, second, average, endless, error_bound, .. } = win_rate;
        writeln!(out, "{}", paint(TITLE, format!("{rules}: {strategy} against {against}")))?;
        writeln!(out, "  average  {}", paint(BEST, average))?;
        writeln!(out, "  first    {first}\n  second   {second}")?;
        if *endless > 0.0 {
            writeln!(out, "  endless  {endless} of the games never end and count half a win each")?;
        }
        let note = format!(
            "  computed over all games, not simulated; within {} of the exact rates",
            rounded_up(*error_bound)
        );
        writeln!(out, "{}", paint(FAINT, note))?;
        remark.iter().try_for_each(|remark| writeln!(out, "  {remark}"))
    }
}

#[cfg(test)]
mod tests {
    use super::rounded_up;

    #[test]
    fn a_printed_bound_is_never_smaller_than_the_bound() {
        assert_eq!(
            [1.356e-13, 1.31e-13, 1.3e-13, 9.96e-13, 9.91e-13, 0.0].map(rounded_up),
            ["1.4e-13", "1.4e-13", "1.3e-13", "1.0e-12", "1.0e-12", "0.0e0"]
        );
        let all = (1..2000).map(|step| 1.0e-16 * 1.013_f64.powi(step));
        all.for_each(|bound| {
            assert!(rounded_up(bound).parse::<f64>().unwrap() >= bound, "{bound}")
        });
    }
}
