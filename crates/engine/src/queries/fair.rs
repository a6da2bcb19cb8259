//! What makes a game fair: points at the start for the weaker side, or other numbers in the rules.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::survey::{GameNumber, admit_combinations};
use super::{GivenGame, Query, rounded_up};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, paint};
use crate::game::Position;
use crate::solve::Arithmetic;
use crate::strategy::Varied;

/// What makes the first and the second player equal
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(
        after_help = "Both play to win. Every handicap is tried, and with --vary every value, or every combination of values; \
the rows nearest to one half come first.

Examples:
  hog fair fa21                                    how many points the second player needs at the start
  hog fair mine.toml --vary goal=20..200           which goal is fairest
  hog fair mine.toml --vary goal=40..60 --vary max_dice=2..10"
    )
)]
#[non_exhaustive]
pub struct Fair {
    /// The game.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub game: GivenGame,
    /// A number of the game (goal, max_dice or a number with a name in the rules), and the values to try
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME=A..B", value_parser = varied))]
    pub vary: Vec<String>,
}

/// Refuses what does not name a number and its values.
#[cfg(feature = "clap")]
fn varied(text: &str) -> Result<String, String> {
    numbers(text).map(|_| text.to_owned())
}

/// Reads a number and its values.
fn numbers(text: &str) -> Result<(GameNumber, Vec<u32>), String> {
    let varied = Varied::parse(text)?;
    let value = |value: &i64| {
        u32::try_from(*value).map_err(|_| format!("{}={value}: it cannot be negative", varied.name))
    };
    let values = varied.values.iter().map(value).collect::<Result<_, String>>()?;
    Ok((GameNumber::named(&varied.name), values))
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
    /// The names of the numbers that vary.
    pub numbers: Vec<String>,
    /// The game with all values of these numbers, the fairest first.
    pub varied: Vec<FairNumbers>,
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

/// A game with other numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FairNumbers {
    /// The values, in the order of the names.
    pub values: Vec<u32>,
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
    /// let answer = engine.ask(&Fair::of("fa21").vary("goal=20..22"))?;
    /// assert_eq!((answer.handicaps.len(), answer.varied.len()), (100, 3));
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into(), vary: Vec::new() }
    }

    /// Adds a number and its values, as in `goal=20..200`.
    #[must_use]
    pub fn vary(mut self, number: impl Into<String>) -> Self {
        self.vary.push(number.into());
        self
    }

    /// Returns the win rate of the first player with other numbers, and its error bound.
    fn with_numbers(
        &self,
        call: &Call,
        numbers: &[(GameNumber, Vec<u32>)],
        values: &[u32],
    ) -> Result<(f64, f64), Error> {
        let pairs = || numbers.iter().zip(values);
        let failed = |error: Error| match (numbers.last(), values.last()) {
            (Some((number, _)), Some(value)) => {
                Error::Varied { number: number.clone(), value: *value, error: Box::new(error) }
            }
            _ => error,
        };
        let about = pairs().map(|((number, _), value)| format!("{} {value}", number.name()));
        let call = call.about(about.collect::<Vec<_>>().join(", "));
        let solved = || {
            let mut game = self.game.clone();
            for ((number, _), value) in pairs() {
                game = call.with_number(&game, number, *value)?;
            }
            let game = call.game(&game)?;
            call.solution(&game, None, Arithmetic::Float)
        };
        let solution = solved().map_err(failed)?;
        Ok((solution.first(), solution.error_bound))
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
        let malformed = |message| Error::Malformed { message };
        let numbers = self.vary.iter().map(|text| numbers(text));
        let numbers = numbers.collect::<Result<Vec<_>, _>>().map_err(malformed)?;
        let combinations: usize = numbers.iter().map(|(_, values)| values.len()).product();
        admit_combinations(combinations)?;
        let game = call.game(&self.game)?;
        let solution = call.solution(&game, None, Arithmetic::Float)?;
        let mut error_bound = solution.error_bound;
        let (rules, first_player) = (game.rules(), solution.first());
        let handicap = |points: u32| {
            let [first, second] = if first_player < 0.5 { [points, 0] } else { [0, points] };
            let start = Position::new(rules, first, second)?;
            let first_player = solution.own.win_rates[game.state(&start)];
            Ok::<_, Error>(Handicap { first, second, first_player })
        };
        let mut handicaps = (0..rules.goal).map(handicap).collect::<Result<Vec<_>, _>>()?;
        handicaps.sort_by(|a, b| unfairness(a.first_player).total_cmp(&unfairness(b.first_player)));
        let mut varied = Vec::new();
        if !numbers.is_empty() {
            for mut place in 0..combinations {
                let mut values = Vec::new();
                // The last number varies fastest.
                for (_, of_number) in numbers.iter().rev() {
                    values.push(of_number[place % of_number.len()]);
                    place /= of_number.len();
                }
                values.reverse();
                let (first_player, bound) = self.with_numbers(call, &numbers, &values)?;
                error_bound = error_bound.max(bound);
                varied.push(FairNumbers { values, first_player });
            }
        }
        varied.sort_by(|a, b| unfairness(a.first_player).total_cmp(&unfairness(b.first_player)));
        Ok(FairAnswer {
            rules: rules.id.clone(),
            first_player,
            handicaps,
            numbers: numbers.iter().map(|(number, _)| number.name().to_owned()).collect(),
            varied,
            error_bound,
        })
    }
}

/// How many rows of each list are printed.
const ROWS: usize = 5;

impl Text for FairAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let title =
            format!("{}: the first player wins {:.10} from 0-0", self.rules, self.first_player);
        writeln!(out, "{}", paint(TITLE, title))?;
        let mut list = |heading: String, rows: Vec<(String, f64)>| {
            writeln!(out, "\n{}", paint(FAINT, format!("{heading:>16}  first player wins")))?;
            for (place, (row, rate)) in rows.into_iter().enumerate() {
                let rate = format!("{rate:.10}");
                let rate = if place == 0 { paint(BEST, rate) } else { rate };
                writeln!(out, "{row:>16}  {rate}")?;
            }
            Ok::<_, io::Error>(())
        };
        let start = |of: &Handicap| (format!("{}-{}", of.first, of.second), of.first_player);
        list("start".into(), self.handicaps.iter().take(ROWS).map(start).collect())?;
        if !self.varied.is_empty() {
            let joined =
                |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            let row = |of: &FairNumbers| (joined(&of.values), of.first_player);
            list(self.numbers.join(" "), self.varied.iter().take(2 * ROWS).map(row).collect())?;
        }
        let note = format!(
            "if both play to win; the fairest first, of all handicaps{}; within {}",
            if self.varied.is_empty() { "" } else { " and values" },
            rounded_up(self.error_bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}
