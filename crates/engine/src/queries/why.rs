//! A comparison of two rolls in one position.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, GivenPosition, GivenStrategy, Query};
use crate::engine::{self, Call, EngineError};
use crate::format::Text;
use crate::format::style::{FAINT, TITLE, counted, paint};
use crate::view::{OutcomeKind, PartView, WhyView};

/// A comparison of two rolls: the outcomes of each, and which of them make the difference
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(after_help = "Examples:
  hog why fa21 20 36                          a best roll against the best of the others
  hog why fa21 20 36 --rolls 8,4              8 dice against 4")
)]
#[non_exhaustive]
pub struct Why {
    /// The game.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub game: GivenGame,
    /// The position.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub position: GivenPosition,
    /// The opponent's strategy (default: optimal play)
    #[schemars(example = &"baseline")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "STRATEGY"))]
    pub against: Option<GivenStrategy>,
    /// Two numbers of dice to compare (default: a best one, and the best of the others)
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N,N", value_delimiter = ','))]
    pub rolls: Vec<i32>,
}

impl Query for Why {
    const NAME: &str = "why";
    type Answer = WhyView;

    fn answer(&self, call: &Call) -> Result<WhyView, EngineError> {
        let rolls = match self.rolls[..] {
            [] => None,
            [one, other] => Some([one, other]),
            _ => return Err(EngineError::TwoRolls { given: self.rolls.len() }),
        };
        let against = call.optional_strategy(self.against.as_ref())?;
        let (game, _) = call.game_at(&self.game, &self.position)?;
        call.engine.why(&game, &engine::Query::of(&self.position, against), rolls)
    }
}

impl Text for WhyView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [one, other] = self.dice;
        let memory: Vec<String> =
            self.memory.iter().map(|(name, value)| format!(", {name} {value}")).collect();
        let place =
            format!("{}: {} to {}{}", self.rules, self.score, self.opponent, memory.concat());
        let against = self.against.as_deref().unwrap_or("best play");
        writeln!(out, "{}, against {against}", paint(TITLE, place))?;
        for (dice, win_rate) in self.dice.iter().zip(self.win_rate) {
            writeln!(out, "  roll {dice:>2}: win rate {win_rate}")?;
        }
        let difference = self.win_rate[0] - self.win_rate[1];
        writeln!(out, "\nthe difference of {difference:+.6} is made by\n")?;
        let heads = format!("{:>9}  {:<30}{:>12}{:>12}", "", "", chance_of(one), chance_of(other));
        writeln!(out, "{}", paint(FAINT, heads.trim_end()))?;
        for part in &self.parts {
            let [first, second] = part.chance;
            let what = described(part);
            writeln!(out, "{:>+9.6}  {what:<30}{first:>12.6}{second:>12.6}", part.share)?;
        }
        Ok(())
    }
}

fn chance_of(dice: i32) -> String {
    format!("with {dice}")
}

/// Names the outcomes of a part.
fn described(part: &PartView) -> String {
    match (part.kind, part.least, part.most) {
        (OutcomeKind::Points, Some(least), Some(most)) if least == most => {
            counted(least.into(), "point")
        }
        (OutcomeKind::Points, Some(least), Some(most)) => format!("{least} to {most} points"),
        (OutcomeKind::Points, ..) => "points".into(),
        (OutcomeKind::Changed, ..) => "a rule changes the scores".into(),
        (OutcomeKind::Again, ..) => "the same player moves again".into(),
        (OutcomeKind::Won, ..) => "the game is won".into(),
        (OutcomeKind::Tied, ..) => "the game is tied".into(),
        (OutcomeKind::Lost, ..) => "the game is lost".into(),
    }
}
