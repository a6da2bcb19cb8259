//! Strategies that a person can remember.

use std::io::{self, Write};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenStrategy, Query, WinRates, Writes, rounded_up};
use crate::analysis::{self, Benchmark, DecisionList, Simplified, Thresholds, Wanted};
use crate::engine::{Call, Error};
use crate::format::style::{BEST, FAINT, LOSS, TITLE, counted, paint};
use crate::format::{Text, Verdict};
use crate::game::{Game, Plan, memory_names};
use crate::pairs::{self, PairRate};
use crate::solve;
use crate::strategy::Strategy;
use hog_study::limits;

/// A strategy to remember: a few lines that lose little
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "A strategy is a list of lines, the first of which that applies says what to \
roll. They look only at what a player sees: the scores, the points of rolling no dice and what \
these do, the dice; in Pig and its kin at the pot.

The loss is one half less the strategy's average win rate against optimal play, as `hog rate RULES \
FILE optimal` prints it; with --against, the highest win rate against that strategy less its own. \
It is exact; that no shorter list loses as little is not proven. If no list loses as little as \
--within asks, the status is 1, and nothing is written.

Examples:
  hog simplify fa21 --within 0.02         the shortest list found that loses at most 0.02
  hog simplify fa24 --lines 3             the best of at most three lines, and of two, and of one
  hog simplify fa24 --lines 5 -o final.py a Python function that plays it
  hog simplify fa24 --against baseline    the best function of few ifs against the baseline
  hog simplify pig -o pig.csv             what it rolls in every position: a table for `hog rate`"
)]
#[non_exhaustive]
pub struct Simplify {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The most that the strategy may lose: lines are added until it loses no more (default: 0.005,
    /// without --lines)
    #[schemars(range(min = 0.0, max = 0.5))]
    #[arg(long, value_name = "LOSS", value_parser = loss)]
    pub within: Option<f64>,
    /// The most lines (default: 16)
    #[arg(long, value_name = "N", value_parser = |text: &str| {
            crate::engine::numbers::within(text, 1..=limits::LIST_LINES as u64)
                .map(|lines| lines as usize)
        })]
    pub lines: Option<usize>,
    /// The opponent against which it is to win (default: optimal play)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
}

/// What a strategy may lose if nothing is said.
const USUAL_LOSS: f64 = 0.005;

/// Reads a loss on the command line.
fn loss(text: &str) -> Result<f64, String> {
    let loss = text.parse::<f64>().ok().filter(|loss| (0.0..=0.5).contains(loss));
    loss.ok_or_else(|| "choose a part of the win rate from 0 to 0.5, as in 0.005".into())
}

/// Short strategies for a game, with what they lose: the highest win rate against an opponent less
/// their own, averaged over moving first and second. Optimal play, the usual opponent, wins half of
/// the games against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimplifyAnswer {
    /// The game's id.
    pub rules: String,
    /// The loss that was asked for, if any.
    pub within: Option<f64>,
    /// Whether the last strategy loses no more than that.
    pub reached: bool,
    /// Whether that loss was chosen by the request.
    #[serde(skip)]
    pub is_wanted: bool,
    /// The opponent.
    pub against: String,
    /// The highest average win rate against it.
    pub best: f64,
    /// The win rates of the last strategy against the opponent.
    pub win_rate: WinRates,
    /// Its win rates against the game's baseline, if there is one that can be played.
    pub against_baseline: Option<BaselineRate>,
    /// The best strategies that were found: of at most one line, of at most two lines, and so on.
    pub strategies: Vec<SimpleStrategy>,
}

/// Win rates against a game's baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BaselineRate {
    /// The baseline.
    pub baseline: String,
    /// The win rates.
    pub win_rate: WinRates,
}

/// A strategy of a few lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimpleStrategy {
    /// The number of lines.
    pub lines: usize,
    /// What it loses to the best strategy against the opponent.
    pub loss: f64,
    /// Its lines as sentences, of which the first that applies decides.
    pub sentences: Vec<String>,
    /// A Python function `final_strategy` that plays it, with those that it calls.
    pub python: String,
}

/// Short strategies with the rolls of the last of them in all positions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SimpleTable {
    /// The answer.
    pub answer: SimplifyAnswer,
    game: Arc<Game>,
    plan: Plan,
}

impl Simplify {
    /// The question about the shortest strategy that loses little.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Simplify;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Simplify::of("fa21").lines(2))?;
    /// assert_eq!(answer.strategies.len(), 2);
    /// assert!(answer.strategies[1].loss < answer.strategies[0].loss);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into(), within: None, lines: None, against: None }
    }

    /// Sets the most lines.
    #[must_use]
    pub fn lines(mut self, lines: usize) -> Self {
        self.lines = Some(lines);
        self
    }

    /// Sets the most that the strategy may lose.
    #[must_use]
    pub fn within(mut self, loss: f64) -> Self {
        self.within = Some(loss);
        self
    }

    /// Sets the opponent.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.against = Some(opponent.into());
        self
    }

    /// Finds the strategies, with the rolls of the last.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn simplified(&self, call: &Call) -> Result<SimpleTable, Error> {
        let within = match (self.within, self.lines) {
            (None, None) => Some(USUAL_LOSS),
            (within, _) => within,
        };
        let wanted = Wanted {
            lines: self.lines.unwrap_or(limits::LIST_LINES).clamp(1, limits::LIST_LINES),
            within: within.unwrap_or(f64::NEG_INFINITY),
        };
        let game = call.game(&self.game)?;
        if game.rules().keeps_dice() && game.rules().pot().is_none() {
            return Err(Error::NoPot { game: game.rules().id.clone() });
        }
        let against = call.optional_strategy(self.against.as_ref())?;
        let against = match against {
            Some(Strategy::Baseline) => Some(Strategy::baseline(game.rules())?),
            against => against,
        };
        let (values, _) = call.values(&game, against.as_ref())?;
        let opponent = call.plan(&game, against.as_ref().unwrap_or(&Strategy::Optimal))?;
        let best = match &against {
            Some(other) => call.plan(&game, &Strategy::Beat(Box::new(other.clone())))?,
            None => Arc::clone(&opponent),
        };
        let (highest, _) =
            call.run("rating", |watch| pairs::rate(&game, [&best, &opponent], watch))?;
        let benchmark = Benchmark {
            opponent: &opponent,
            best: &best,
            values: values.sides(),
            win_rate: if against.is_some() { highest.average() } else { 0.5 },
        };
        let strategy = against.as_ref().unwrap_or(&Strategy::Optimal);
        let against = Opponent { strategy, plan: &opponent, best: benchmark.win_rate };
        if game.rules().keeps_dice() {
            let found = call.run("simplifying", |watch| {
                analysis::thresholds(&game, &opponent, benchmark.win_rate, watch)
            })?;
            return self.of_thresholds(call, &game, against, within, found);
        }
        let found =
            call.run("simplifying", |watch| analysis::simplify(&game, benchmark, wanted, watch))?;
        let last = found.lists.last().expect("there is a list of one line");
        let strategies = found
            .lists
            .iter()
            .map(|list| SimpleStrategy::new(&game, &found, list, &against.whom()))
            .collect();
        let rate = (last.rate, last.error_bound);
        self.table(call, &game, against, (&last.plan, rate), within, strategies)
    }

    /// The answer in games in which dice are kept: the points at which to bank.
    fn of_thresholds(
        &self,
        call: &Call,
        game: &Arc<Game>,
        against: Opponent,
        within: Option<f64>,
        found: Vec<Thresholds>,
    ) -> Result<SimpleTable, Error> {
        let most = found.iter().map(Thresholds::lines).max().unwrap_or(1);
        let mut last = found.first().expect("there is a single threshold");
        let mut strategies = Vec::new();
        for lines in 1..=most.min(self.lines.unwrap_or(limits::LIST_LINES)) {
            last = found.iter().rfind(|of| of.lines() <= lines).unwrap_or(last);
            strategies.push(SimpleStrategy::of_thresholds(game, last, &against.whom()));
            if within.is_some_and(|within| last.loss <= within) {
                break;
            }
        }
        self.table(call, game, against, (&last.plan, last.rate), within, strategies)
    }

    /// Makes the answer, given the last strategy, and its win rates against the opponent with their
    /// bound.
    fn table(
        &self,
        call: &Call,
        game: &Arc<Game>,
        against: Opponent,
        (last, rate): (&Plan, (PairRate, f64)),
        within: Option<f64>,
        strategies: Vec<SimpleStrategy>,
    ) -> Result<SimpleTable, Error> {
        let against_baseline = match Strategy::baseline(game.rules()) {
            Err(_) => None,
            Ok(baseline) => {
                let opponent = call.plan(game, &baseline)?;
                let plans = [last, &*opponent];
                let rated = call.run("rating", |watch| pairs::rate(game, plans, watch))?;
                let win_rate = win_rates(call, game, plans, rated)?;
                Some(BaselineRate { baseline: baseline.to_string(), win_rate })
            }
        };
        let loss = strategies.last().map_or(0.0, |last| last.loss);
        let answer = SimplifyAnswer {
            rules: game.rules().id.clone(),
            within,
            is_wanted: self.within.is_some(),
            reached: within.is_none_or(|within| loss <= within + rate.1),
            against: against.strategy.to_string(),
            best: against.best,
            win_rate: win_rates(call, game, [last, against.plan], rate)?,
            against_baseline,
            strategies,
        };
        Ok(SimpleTable { answer, game: Arc::clone(game), plan: last.clone() })
    }
}

/// Makes the view of rates, given their bound, with the games that never end.
fn win_rates(
    call: &Call,
    game: &Game,
    plans: [&Plan; 2],
    rated: (PairRate, f64),
) -> Result<WinRates, Error> {
    let (rate, bound) = rated;
    let never = call.run("rating", |watch| solve::endless(game, plans, watch))?;
    Ok(WinRates::new([rate.first, rate.second, rate.average()], never, bound))
}

/// The opponent of short strategies, and the highest win rate against it.
#[derive(Clone, Copy)]
struct Opponent<'a> {
    strategy: &'a Strategy,
    plan: &'a Plan,
    best: f64,
}

impl Opponent<'_> {
    /// To whom a strategy loses.
    fn whom(&self) -> String {
        whom(&self.strategy.to_string())
    }
}

/// To whom a strategy loses that is played against another one.
fn whom(against: &str) -> String {
    if against == Strategy::Optimal.to_string() {
        "optimal play".into()
    } else {
        format!("the best against {against}")
    }
}

impl SimpleStrategy {
    /// The strategy of some thresholds.
    fn of_thresholds(game: &Game, of: &Thresholds, whom: &str) -> Self {
        let rules = game.rules();
        let loss = of.loss;
        let mut sentences = Vec::new();
        if of.die > 0 {
            sentences.push(format!(
                "keep the dice with the most points, where each die left counts {}",
                of.die
            ));
        }
        for (left, points) in (1..).zip(&of.points) {
            let what = match *points >= i64::from(rules.goal) {
                true => "bank only to win".to_owned(),
                false => format!("bank {points} points or more"),
            };
            sentences.push(match (of.points.len(), left) {
                (1, _) => what,
                (_, 1) => format!("with 1 die left, {what}"),
                _ => format!("with {left} dice left, {what}"),
            });
        }
        let pot = rules.pot().map_or("0", |pot| &pot.name);
        let mut kinds = Vec::new();
        for kind in 0..rules.hand.len() {
            kinds.push(&*rules.memories[rules.memory_of_kind(kind)].name);
        }
        let left = match &kinds[..] {
            [only] => (*only).to_owned(),
            several => format!("({})", several.join(" + ")),
        };
        let mut python = format!(
            "# {}, to {} points: loses {loss:.6} to {whom}, as {} (hog simplify).\n\n\n\
             def roll_on(score, opponent_score, {}):\n    thresholds = {:?}\n    \
             left = min({left}, len(thresholds))\n    \
             return score + {pot} < {} and {pot} < thresholds[left - 1]\n",
            rules.title,
            rules.goal,
            of.name(),
            memory_names(rules).join(", "),
            of.points,
            rules.goal,
        );
        if of.die > 0 {
            python += &format!(
                "\n\ndef worth(score, opponent_score, {}):\n    return {pot} + {} * {left}\n",
                memory_names(rules).join(", "),
                of.die,
            );
        }
        Self { lines: of.lines(), loss, sentences, python }
    }
}

impl SimpleStrategy {
    fn new(game: &Game, found: &Simplified, list: &DecisionList, whom: &str) -> Self {
        let rules = game.rules();
        let loss = list.loss;
        let about = format!(
            "{}, to {} points: loses {loss:.6} to {whom} (hog simplify).",
            rules.title, rules.goal
        );
        Self {
            lines: list.lines.len(),
            loss,
            sentences: found.sentences(game, list),
            python: found.python(game, list, &about),
        }
    }
}

impl SimpleTable {
    /// Writes the rolls of the last strategy in all positions as CSV, as strategies in files are
    /// read.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let game = &self.game;
        let space = self.game.space();
        let per_row = self.plan.states_per_action();
        let has_memory = per_row < space.per_cell();
        let memories = if has_memory { memory_names(game.rules()) } else { Vec::new() };
        let names = ["score", "opponent"].into_iter().chain(memories.iter().map(String::as_str));
        writeln!(out, "{},dice", names.collect::<Vec<_>>().join(","))?;
        for (row, action) in self.plan.actions().iter().enumerate() {
            let position = game.position(row * per_row);
            write!(out, "{},{}", position.score, position.opponent)?;
            for value in position.memory.iter().take(memories.len()) {
                write!(out, ",{value}")?;
            }
            writeln!(out, ",{}", space.dice(usize::from(*action)))?;
        }
        Ok(())
    }
}

impl Query for Simplify {
    const NAME: &str = "simplify";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> =
        Some(Writes { contents: "the strategy", endings: &["py", "csv"] });
    type Answer = SimplifyAnswer;

    fn answer(&self, call: &Call) -> Result<SimplifyAnswer, Error> {
        Ok(self.simplified(call)?.answer)
    }

    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<SimplifyAnswer, Error> {
        let found = self.simplified(call)?;
        match ending {
            "csv" => found.csv(file).map_err(Error::Storage)?,
            _ => file.write_all(found.answer.python().as_bytes()).map_err(Error::Storage)?,
        }
        Ok(found.answer)
    }
}

impl SimplifyAnswer {
    /// The last strategy: the longest.
    fn last(&self) -> &SimpleStrategy {
        self.strategies.last().expect("there is a strategy of one line")
    }

    /// Whether the opponent is optimal play.
    fn is_optimal(&self) -> bool {
        self.against == Strategy::Optimal.to_string()
    }

    /// The Python of the last strategy.
    pub fn python(&self) -> &str {
        &self.last().python
    }
}

impl Text for SimplifyAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let last = self.last();
        if let Some(within) = self.within.filter(|_| !self.reached) {
            let most = counted(self.strategies.len() as u64, "line");
            writeln!(
                out,
                "no list of up to {most} was found that loses at most {within}; the best:"
            )?;
        }
        let title = format!(
            "{}: {} that {} {:.6} to {}",
            self.rules,
            counted(last.lines as u64, "line"),
            if last.lines == 1 { "loses" } else { "lose" },
            last.loss,
            whom(&self.against)
        );
        writeln!(out, "{}", paint(TITLE, title))?;
        for (number, sentence) in last.sentences.iter().enumerate() {
            writeln!(out, "  {:>2}. {sentence}", number + 1)?;
        }
        let WinRates { first, second, average, endless, error_bound, .. } = &self.win_rate;
        let opponent = if self.is_optimal() { "optimal play" } else { &self.against };
        writeln!(out, "\n  average  {} against {opponent}", paint(BEST, average))?;
        writeln!(out, "  first    {first}\n  second   {second}")?;
        if *endless > 0.0 {
            writeln!(out, "  endless  {endless} of the games never end and count half a win each")?;
        }
        if !self.is_optimal() {
            writeln!(out, "  the best possible is {}", self.best)?;
        }
        if let Some(BaselineRate { baseline, win_rate }) =
            self.against_baseline.as_ref().filter(|rate| rate.baseline != self.against)
        {
            writeln!(out, "  average  {} against {baseline}", paint(BEST, win_rate.average))?;
        }
        if self.strategies.len() > 1 {
            writeln!(out, "\n{}", paint(FAINT, "lines  loss"))?;
            for (most, strategy) in self.strategies.iter().enumerate() {
                writeln!(out, "{:>5}  {}", most + 1, paint(LOSS, format!("{:.6}", strategy.loss)))?;
            }
        }
        writeln!(out, "\n{}", last.python)?;
        let note = format!(
            "the loss is {} less the average; computed over all games, within {}; a shorter list \
             that loses as little may exist",
            if self.is_optimal() { "one half" } else { "the best possible" },
            rounded_up(*error_bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }

    fn verdict(&self) -> Verdict<'_> {
        if self.is_wanted && !self.reached { Verdict::No } else { Verdict::Yes }
    }
}
