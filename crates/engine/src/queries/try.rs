//! How good a student's strategy is, and which positions to change first.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    GivenGame, GivenStrategy, Loss, Losses, MistakeLoss, Query, WinRates, Writes,
    listed_by_default, rounded_up,
};
use crate::engine::numbers::whole;
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, counted, paint, thousands};
use crate::game::{Game, Plan, memory_names};
use crate::strategy::{HandoutComparison, Strategy, StrategyError};
use crate::{pairs, solve};

/// How good your strategy is, and which positions to change first
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "Shows the exact win rate against the course's baseline, the win rate that \
the course asks for, the best possible win rate, what each kind of mistake and the worst positions \
cost, and what changed since the last run (which is kept in your cache folder). The loss of a \
position is how often it is met, times what the roll there costs. All losses add up exactly to the \
gap to the best response.

Examples:
  hog try fa24 hog.py                  the final_strategy of your file
  hog try fa24 hog.py --watch          again whenever you save it, until Ctrl-C
  hog try fa24 hog.py:sus_strategy     another function of your file
  hog try fa24 hog.py --against final_strategy     against optimal play
  hog try fa24 hog.py -o losses.csv    every position met, and what it costs
  export HOG_RULES=fa24; hog try hog.py"
)]
#[non_exhaustive]
pub struct Try {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// Your file, or another strategy
    #[schemars(example = &"always_roll:4")]
    #[arg(value_name = "FILE")]
    pub strategy: GivenStrategy,
    /// The opponent's strategy (default: the game's baseline)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
    /// How many positions to show
    #[serde(default = "listed_by_default")]
    #[arg(long, value_name = "N", default_value_t = listed_by_default(),
          value_parser = whole::<usize>)]
    pub top: usize,
}

/// How good a strategy is, how good it could be, where it loses, and what changed since it was last
/// tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TryAnswer {
    /// The game's id.
    pub rules: String,
    /// The strategy.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: WinRates,
    /// The highest possible win rates against the same opponent, of a player who sees everything.
    pub best_response: WinRates,
    /// The total loss over all positions: `best_response` minus `win_rate`, up to rounding.
    pub loss: WinRates,
    /// What the player of the best response sees and the strategy does not, since it looks at the
    /// scores alone: the game's memories.
    pub unseen: Vec<String>,
    /// The win rates of equilibrium play against the same opponent.
    pub optimal: WinRates,
    /// The win rate that the course asks for, in its words.
    pub target: Option<String>,
    /// The loss by kind of mistake, compared with the highest possible win rate.
    pub mistakes: Vec<MistakeLoss>,
    /// The positions that cost most, averaged over moving first and second.
    pub worst: Vec<Loss>,
    /// The number of positions that are reached with positive probability.
    pub positions_met: usize,
    /// The win rates of the last try under these rules against this opponent, if known.
    pub previous: Option<WinRates>,
    /// The number of pairs of scores at which it rolls a different number of dice than in the last
    /// try, if known.
    pub changed: Option<usize>,
    /// How the functions in the strategy's file compare with those of the handout.
    pub handout: HandoutComparison,
}

/// A strategy that was tried, with every position that it reaches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tried {
    /// The answer.
    pub answer: TryAnswer,
    /// What each position costs.
    pub losses: Losses,
}

impl Try {
    /// The question about a strategy against the game's baseline.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Try;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Try::of("fa24", "always_roll:5").top(2))?;
    /// assert_eq!(answer.rules, "fa23");
    /// assert!(answer.win_rate.average < answer.optimal.average);
    /// assert!(answer.optimal.average < answer.best_response.average);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>, strategy: impl Into<GivenStrategy>) -> Self {
        let top = listed_by_default();
        Self { game: game.into(), strategy: strategy.into(), against: None, top }
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.against = Some(opponent.into());
        self
    }

    /// Sets how many positions are listed.
    #[must_use]
    pub fn top(mut self, top: usize) -> Self {
        self.top = top;
        self
    }

    /// Returns what each position costs.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn losses(&self, call: &Call) -> Result<Losses, Error> {
        Losses::new(self, call)
    }

    /// As [`Self::losses`], with only those positions that have these values of memories. Also
    /// returns the values that stand for them: of values that behave alike, the game keeps one.
    ///
    /// # Errors
    /// As [`Query::answer`], or if the game has no such memory or value.
    pub fn losses_at(
        &self,
        call: &Call,
        memory: &[(String, i64)],
    ) -> Result<(Losses, Vec<(String, i64)>), Error> {
        Losses::at(self, call, memory)
    }

    /// Rates the strategy as its course does, with every position that it reaches.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn tried(&self, call: &Call) -> Result<Tried, Error> {
        let losses = self.losses(call)?;
        let game = &losses.game;
        let handout = call.run("asking", |watch| {
            let sources = call.engine.sources();
            Ok::<_, StrategyError>(losses.strategy.compared_with_handout(sources, game, watch))
        })?;
        let best = call.plan(game, &Strategy::Optimal)?;
        let plans = [&*best, &*losses.opponent];
        let (rate, bound) = call.run("rating", |watch| pairs::rate(game, plans, watch))?;
        let never = call.run("rating", |watch| solve::endless(game, plans, watch))?;
        // The course's target is a win rate against its baseline.
        let is_baseline = losses.against == Strategy::Baseline
            || Strategy::baseline(game.rules()).is_ok_and(|one| one == losses.against);
        let answer = TryAnswer {
            rules: game.rules().id.clone(),
            strategy: losses.strategy.to_string(),
            against: losses.against.to_string(),
            win_rate: losses.win_rate(),
            best_response: losses.best_response(),
            loss: losses.loss(),
            unseen: unseen(game, &losses.plan),
            optimal: WinRates::new([rate.first, rate.second, rate.average()], never, bound),
            target: game.rules().target.clone().filter(|_| is_baseline),
            mistakes: losses.mistakes(),
            worst: losses.worst(call, self.top.min(call.engine.limits().listed))?,
            positions_met: losses.explanation.reached.len(),
            previous: None,
            changed: None,
            handout,
        };
        Ok(Tried { answer, losses })
    }
}

/// Returns the names of the game's memories, if a plan sees only scores.
fn unseen(game: &Game, plan: &Plan) -> Vec<String> {
    if plan.states_per_action() == 1 { Vec::new() } else { memory_names(game.rules()) }
}

impl Query for Try {
    const NAME: &str = "try";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> =
        Some(Writes { contents: "all positions met", endings: &["csv"] });
    type Answer = TryAnswer;

    fn answer(&self, call: &Call) -> Result<TryAnswer, Error> {
        Ok(self.tried(call)?.answer)
    }

    fn answer_in(
        &self,
        call: &Call,
        _ending: &str,
        file: &mut dyn Write,
    ) -> Result<TryAnswer, Error> {
        let tried = self.tried(call)?;
        tried.losses.csv(file).map_err(Error::Storage)?;
        Ok(tried.answer)
    }
}

impl TryAnswer {
    /// Sets the results of the last try: its win rates, and at how many pairs of scores the rolls
    /// have changed since.
    pub fn since(&mut self, previous: WinRates, changed: Option<usize>) {
        (self.previous, self.changed) = (Some(previous), changed);
    }

    /// Returns the kinds of mistake that cost something, the costliest first.
    pub fn costly_mistakes(&self) -> Vec<MistakeLoss> {
        let made = self.mistakes.iter().filter(|mistake| mistake.loss > 0.0);
        let mut made: Vec<MistakeLoss> = made.copied().collect();
        made.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        made
    }

    /// Returns the win rate that the course's target begins with, if it begins with one.
    pub fn target_rate(&self) -> Option<f64> {
        let first = self.target.as_deref()?.split_whitespace().next()?;
        first.parse().ok().filter(|rate| (0.0..=1.0).contains(rate))
    }
}

impl TryAnswer {
    fn list_losses(&self, out: &mut dyn Write) -> io::Result<()> {
        let mistakes = self.costly_mistakes();
        if !mistakes.is_empty() {
            let heads = [paint(TITLE, "costs"), paint(TITLE, "kind of mistake")];
            writeln!(out, "\n{}", heads.join("    "))?;
        }
        for MistakeLoss { kind, positions, loss } in mistakes {
            let positions = counted(positions as u64, "position");
            writeln!(out, "{loss:.5}  {} ({positions})", kind.in_words())?;
        }
        if !self.worst.is_empty() {
            let heads = [paint(TITLE, "costs"), paint(TITLE, "where, and what to roll")];
            writeln!(out, "\n{}", heads.join("    "))?;
        }
        for loss in &self.worst {
            writeln!(out, "{:.5}  {}", loss.loss, loss.words)?;
        }
        Ok(())
    }
}

impl Text for TryAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}",
            paint(TITLE, format!("{}: {} against {}", self.rules, self.strategy, self.against))
        )?;
        for sentence in self.handout.sentences() {
            writeln!(out, "  {}", paint(LOSS, sentence))?;
        }
        let rate = self.win_rate.average;
        writeln!(out, "  it wins            {}", paint(BEST, rate))?;
        writeln!(out, "  first, second      {}, {}", self.win_rate.first, self.win_rate.second)?;
        let seen = match &self.unseen[..] {
            [] => String::new(),
            names => format!(", which looks at {}, too", names.join(", ")),
        };
        writeln!(out, "  the best possible  {}{seen}", self.best_response.average)?;
        writeln!(out, "  equilibrium play   {}", self.optimal.average)?;
        if let Some(target) = &self.target {
            let reached = match self.target_rate() {
                Some(wanted) if rate >= wanted => paint(BEST, " (reached)"),
                Some(wanted) => paint(LOSS, format!(" ({:.4} to go)", wanted - rate)),
                None => String::new(),
            };
            writeln!(out, "  the course asks    {target}{reached}")?;
        }
        if self.win_rate.endless > 0.0 {
            writeln!(out, "  endless games      {} (half a win each)", self.win_rate.endless)?;
        }
        self.changes(out)?;
        let bound = self.win_rate.error_bound.max(self.best_response.error_bound);
        let gap = self.best_response.average - self.win_rate.average;
        let is_best = self.worst.is_empty() && gap <= 2.0 * bound;
        if is_best {
            writeln!(out, "\nno strategy does better against {}", self.against)?;
        } else {
            self.list_losses(out)?;
        }
        let met = counted(self.positions_met as u64, "position");
        let note = format!(
            "the losses at all {met} met add up to {}\ncomputed over all games, not simulated; \
             rates within {} of the exact ones",
            self.loss.average,
            rounded_up(bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl TryAnswer {
    /// Writes only what is new since the last run: the change, what costs most, and what the file
    /// says about the rules.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn news(&self, out: &mut dyn Write) -> io::Result<()> {
        for sentence in self.handout.sentences() {
            writeln!(out, "  {}", paint(LOSS, sentence))?;
        }
        writeln!(out, "  it wins            {}", paint(BEST, self.win_rate.average))?;
        self.changes(out)?;
        match self.worst.first() {
            Some(worst) => writeln!(out, "  costs most now     {:.5} {}", worst.loss, worst.words),
            None => Ok(()),
        }
    }

    /// Writes what changed since the last run.
    fn changes(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(previous) = &self.previous else { return Ok(()) };
        let more = self.win_rate.average - previous.average;
        let rolls = self.changed.map(|changed| {
            format!(
                "; {} {} changed",
                thousands(changed as u64),
                if changed == 1 { "roll" } else { "rolls" }
            )
        });
        let rolls = rolls.unwrap_or_default();
        if more == 0.0 {
            return writeln!(out, "  since the last run the win rate is unchanged{rolls}");
        }
        let style = if more > 0.0 { BEST } else { LOSS };
        writeln!(
            out,
            "  since the last run {} (from {}){rolls}",
            paint(style, format!("{more:+.6}")),
            previous.average
        )
    }
}
