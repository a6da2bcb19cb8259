//! How good a student's strategy is, and which positions to change first.

use std::io::{self, Write};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Explain, GivenGame, GivenStrategy, Loss, MistakeLoss, Query, WinRates, listed_by_default,
};
#[cfg(feature = "clap")]
use crate::engine::numbers::whole;
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, paint, thousands};
use crate::game::{Game, Plan, memory_names};
use crate::strategy::{HandoutComparison, Strategy};
use crate::{pairs, solve};

/// How good your strategy is, and which positions to change first
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(
        after_help = "Shows the exact win rate against the course's baseline, the win rate that \
the course asks for, the best possible win rate, the positions that cost most, and what changed \
since the last run (which is kept in your cache folder).

Examples:
  hog try fa24 hog.py                  the final_strategy of your file
  hog try fa24 hog.py --watch          again whenever you save it, until Ctrl-C
  hog try fa24 hog.py:sus_strategy     another function of your file
  export HOG_RULES=fa24; hog try hog.py"
    )
)]
#[non_exhaustive]
pub struct Try {
    /// The game.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub game: GivenGame,
    /// Your file, or another strategy
    #[schemars(example = &"always_roll:4")]
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub strategy: GivenStrategy,
    /// The opponent's strategy (default: the game's baseline)
    #[schemars(example = &"baseline")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "STRATEGY"))]
    pub against: Option<GivenStrategy>,
    /// How many positions to show
    #[serde(default = "listed_by_default")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = listed_by_default(), value_parser = whole::<usize>)
    )]
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
    /// What that player sees and the strategy does not, since it looks at the scores alone: the
    /// game's memories.
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

/// A strategy that was rated, with the actions that it plays.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TryResult {
    /// The game.
    pub game: Arc<Game>,
    /// The answer.
    pub answer: TryAnswer,
    /// The strategy's action in every state.
    pub plan: Arc<Plan>,
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

    /// Rates the strategy as its course does, and returns the actions that it plays as well.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn rated(&self, call: &Call) -> Result<TryResult, Error> {
        let mut explain = Explain::of(self.game.clone(), self.strategy.clone()).top(self.top);
        explain.against = self.against.clone();
        let explained = explain.explained(call)?;
        let game = explained.game;
        let opponent = explained.opponent;
        let best = call.plan(&game, &Strategy::Optimal)?;
        let (rate, bound) =
            call.run("rating", |watch| pairs::rate(&game, [&best, &opponent], watch))?;
        let never = call.run("rating", |watch| solve::endless(&game, [&best, &opponent], watch))?;
        // The course's target is a win rate against its baseline.
        let is_baseline = explained.against == Strategy::Baseline
            || Strategy::baseline(game.rules()).is_ok_and(|one| one == explained.against);
        let answer = explained.answer;
        let answer = TryAnswer {
            rules: answer.rules,
            strategy: answer.strategy,
            against: answer.against,
            win_rate: answer.win_rate,
            best_response: answer.best_response,
            unseen: unseen(&game, &explained.plan),
            optimal: WinRates::new([rate.first, rate.second, rate.average()], never, bound),
            target: game.rules().target.clone().filter(|_| is_baseline),
            mistakes: answer.mistakes,
            worst: answer.worst,
            positions_met: answer.positions_met,
            previous: None,
            changed: None,
            handout: answer.handout,
        };
        Ok(TryResult { game, answer, plan: explained.plan })
    }
}

/// Returns the names of the game's memories, if a plan sees only scores.
fn unseen(game: &Game, plan: &Plan) -> Vec<String> {
    if plan.states_per_action() == 1 { Vec::new() } else { memory_names(game.rules()) }
}

impl Query for Try {
    const NAME: &str = "try";
    const IS_LONG: bool = true;
    type Answer = TryAnswer;

    fn answer(&self, call: &Call) -> Result<TryAnswer, Error> {
        Ok(self.rated(call)?.answer)
    }
}

impl TryAnswer {
    /// Sets the results of the last try: its win rates, and at how many pairs of scores the rolls
    /// have changed since.
    pub fn since(&mut self, previous: WinRates, changed: Option<usize>) {
        (self.previous, self.changed) = (Some(previous), changed);
    }

    /// Returns the costliest kind of mistake, if there is one.
    pub fn costliest(&self) -> Option<&MistakeLoss> {
        let made =
            self.mistakes.iter().filter(|mistake| mistake.positions > 0 && mistake.loss > 0.0);
        made.max_by(|a, b| a.loss.total_cmp(&b.loss))
    }

    /// Returns the win rate that the course's target begins with, if it begins with one.
    pub fn target_rate(&self) -> Option<f64> {
        let first = self.target.as_deref()?.split_whitespace().next()?;
        first.parse().ok().filter(|rate| (0.0..=1.0).contains(rate))
    }
}

impl TryAnswer {
    fn list_worst(&self, out: &mut dyn Write) -> io::Result<()> {
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
        let gap = self.best_response.average - self.win_rate.average;
        if self.worst.is_empty()
            && gap <= self.best_response.error_bound + self.win_rate.error_bound
        {
            return writeln!(out, "\nno strategy does better against {}", self.against);
        }
        if let Some(mistake) = self.costliest() {
            let kind = mistake.kind.in_words();
            let share = mistake.loss;
            writeln!(out, "  costs most         {}: {share:.4} of {gap:.4}", paint(LOSS, kind))?;
        }
        self.list_worst(out)?;
        let met = thousands(self.positions_met as u64);
        let note = format!(
            "exact, over all {met} positions met; their losses add up to the gap to the best \
             possible"
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
