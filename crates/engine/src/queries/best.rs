//! The best rolls in a position, and the win rate of each number of dice.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenPosition, GivenStrategy, Numbers, Query, named_memories};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, bar, either, paint};
use crate::solve;

/// The best roll in a position, and the win rate of every other
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(after_help = "Examples:
  hog best fa21 20 36                                 you have 20 points, your opponent 36
  hog best fa19 20 36 --memory last_dice=4            after rolling 4 dice on your last turn
  hog best su15 90 10 --against always_roll:5         against the baseline instead of best play")
)]
#[non_exhaustive]
pub struct Best {
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
}

/// The best rolls and all choices in one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BestAnswer {
    /// The game's id.
    pub rules: String,
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The values of the memories by name.
    pub memory: BTreeMap<String, i64>,
    /// The opponent's strategy; null means optimal play.
    pub against: Option<String>,
    /// The win rate of the player to move, rolling a best number of dice.
    pub win_rate: f64,
    /// The best numbers of dice, ascending; several if they tie.
    pub best: Vec<i32>,
    /// Every number of dice with its win rate, ascending by dice. Of requests that the rules change
    /// to the same roll, one is listed: the number that is rolled, if it can be requested.
    pub choices: Vec<Choice>,
    /// Where the numbers are from.
    #[serde(flatten)]
    pub numbers: Numbers,
}

/// One number of dice and its win rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Choice {
    /// The number of dice; negative for moves that roll nothing.
    pub dice: i32,
    /// The win rate of rolling them and playing optimally from there on.
    pub win_rate: f64,
}

impl Best {
    /// The question about a position with these scores, against optimal play.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Best;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Best::at("fa21", 20, 36))?;
    /// assert_eq!(answer.best, [8]);
    /// assert_eq!(answer.win_rate, 0.3965707251269991);
    /// // After rolling 4 dice on the last turn, in a game that remembers this.
    /// let answer = engine.ask(&Best::at("fa19", 20, 36).memory("last_dice", 4))?;
    /// assert_eq!(answer.memory["last_dice"], 4);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn at(game: impl Into<GivenGame>, score: u32, opponent: u32) -> Self {
        let position = GivenPosition::scores(score, opponent);
        Self { game: game.into(), position, against: None }
    }

    /// Sets the value of a memory.
    #[must_use]
    pub fn memory(mut self, name: impl Into<String>, value: i64) -> Self {
        self.position.memory.push((name.into(), value));
        self
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.against = Some(opponent.into());
        self
    }
}

impl Query for Best {
    const NAME: &str = "best";
    type Answer = BestAnswer;

    fn answer(&self, call: &Call) -> Result<BestAnswer, Error> {
        let against = call.optional_strategy(self.against.as_ref())?;
        let (game, position) = call.game_at(&self.game, &self.position)?;
        let (values, numbers) = call.values(&game, against.as_ref())?;
        let (own, after) = values.sides();
        let state = game.state(&position);
        let win_rates = solve::choices(&game, own, after, state);
        let choices = game
            .space()
            .actions_in(game.choices(state))
            .map(|action| Choice { dice: game.space().dice(action), win_rate: win_rates[action] });
        Ok(BestAnswer {
            rules: game.rules().id.clone(),
            score: position.score,
            opponent: position.opponent,
            memory: named_memories(game.rules(), &position.memory),
            against: against.map(|strategy| strategy.to_string()),
            win_rate: own.win_rates[state],
            best: game.space().dice_in(game.choices_in(state, own.best[state])),
            choices: choices.collect(),
            numbers,
        })
    }
}

/// The width of the longest bar, in columns.
const WIDTH: usize = 24;

impl Text for BestAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let memory: Vec<String> =
            self.memory.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let memory =
            if memory.is_empty() { String::new() } else { format!(" ({})", memory.join(", ")) };
        let place = format!("{}: {} to {}{memory}", self.rules, self.score, self.opponent);
        let opponent = match &self.against {
            None => "against best play".to_owned(),
            Some(strategy) => format!("against {strategy}"),
        };
        writeln!(out, "{}", paint(TITLE, place))?;
        writeln!(
            out,
            "roll {}: win rate {} {opponent}\n",
            paint(BEST, either(&self.best)),
            paint(BEST, self.win_rate)
        )?;
        writeln!(
            out,
            "{}",
            paint(FAINT, format!("{:>6}  {:<12}  {}", "dice", "win rate", "loss"))
        )?;
        for choice in &self.choices {
            let best = self.best.contains(&choice.dice);
            let (mark, style) = if best { ("▶", BEST) } else { (" ", anstyle::Style::new()) };
            let loss = (self.win_rate - choice.win_rate).max(0.0);
            let loss = match best {
                true => paint(BEST, format!("{:<10}", "best")),
                false => paint(LOSS, format!("{loss:<10.8}")),
            };
            let bar = paint(style, bar(choice.win_rate, WIDTH));
            let line = format!("{mark} {:>4}  {:<12.10}", choice.dice, choice.win_rate);
            writeln!(out, "{}  {loss}  {bar}", paint(style, line))?;
        }
        writeln!(out, "\n{}", paint(FAINT, &self.numbers.words))
    }
}
