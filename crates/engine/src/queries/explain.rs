//! Where a strategy loses.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    GivenGame, GivenPosition, GivenStrategy, Query, WinRates, Writes, listed_by_default,
    named_memories, rounded_up,
};
use crate::analysis::{self, Explanation, Mistake, Reached, WrongKeep, reason, worst_keep};
#[cfg(feature = "clap")]
use crate::engine::numbers::whole;
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, counted, either, paint};
use crate::game::{Game, Plan, action_in_words, memory_names};
use crate::solve::SolveError;
use crate::strategy::{HandoutComparison, Strategy, StrategyError};

/// Where a strategy loses: the positions, and what each costs
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(
        after_help = "The loss of a position is how often it is met, times what the roll there \
costs. All losses add up exactly to the gap between the strategy and the best response to the \
opponent.

Examples:
  hog explain fa21 always_roll:6                            against the course's baseline
  hog explain fa21 python:mine.py --against final_strategy  your file against optimal play
  hog explain su15 table:mine.csv -o losses.csv             every position met, as a CSV file"
    )
)]
#[non_exhaustive]
pub struct Explain {
    /// The game.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub game: GivenGame,
    /// The strategy to examine
    #[schemars(example = &"always_roll:4")]
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

/// How much a strategy loses, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExplainAnswer {
    /// The game's id.
    pub rules: String,
    /// The strategy that is explained.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: WinRates,
    /// The win rates of the best response to the opponent.
    pub best_response: WinRates,
    /// The total loss over all positions: `best_response` minus `win_rate`, up to rounding.
    pub loss: WinRates,
    /// The loss by kind of mistake.
    pub mistakes: Vec<MistakeLoss>,
    /// The positions that cost most, averaged over moving first and second.
    pub worst: Vec<Loss>,
    /// The number of positions that are reached with positive probability.
    pub positions_met: usize,
    /// How the functions in the strategy's file compare with those of the handout.
    pub handout: HandoutComparison,
}

/// The loss by one kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MistakeLoss {
    /// The kind of mistake.
    pub kind: Mistake,
    /// The number of positions with such a mistake.
    pub positions: usize,
    /// The loss in these positions, averaged over moving first and second.
    pub loss: f64,
}

/// A position and the loss there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Loss {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The values of the memories by name.
    pub memory: BTreeMap<String, i64>,
    /// The number of dice the strategy rolls.
    pub dice: i32,
    /// The best numbers of dice, ascending.
    pub best: Vec<i32>,
    /// The loss per game, averaged over moving first and second: `met` times `loss_each`.
    pub loss: f64,
    /// The expected number of times that the position is reached in a game, averaged over moving
    /// first and second.
    pub met: f64,
    /// The loss in win rate each time the position is reached.
    pub loss_each: f64,
    /// The kind of mistake.
    pub mistake: Option<Mistake>,
    /// Where dice are kept: the roll of which other dice should be kept that costs most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roll: Vec<u32>,
    /// That roll with a 0 for each die that the strategy does not keep, and likewise the best.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keeps: Vec<Vec<u32>>,
    /// A sentence with the position, the roll, the best rolls and the reason: `at 25-27 you roll
    /// 6: roll 0, it swaps`.
    pub words: String,
}

/// Where a strategy loses, with every position that it reaches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explained {
    /// The game.
    pub game: Arc<Game>,
    /// The answer.
    pub answer: ExplainAnswer,
    /// All positions that are reached.
    pub explanation: Explanation,
    /// The strategy's action in every state.
    pub plan: Arc<Plan>,
    /// The opponent.
    pub(super) against: Strategy,
    /// The opponent's action in every state.
    pub(super) opponent: Arc<Plan>,
}

impl Explain {
    /// The question about a strategy against the game's baseline.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Explain;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Explain::of("fa21", "always_roll:6").top(3))?;
    /// assert_eq!(answer.worst.len(), 3);
    /// assert!(answer.loss.average > 0.0);
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

    /// Explains the strategy, with every position that is reached.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn explained(&self, call: &Call) -> Result<Explained, Error> {
        let strategy = call.strategy(&self.strategy)?;
        let against = call.optional_strategy(self.against.as_ref())?;
        let game = call.game(&self.game)?;
        let against = call.or_baseline(&game, against.as_ref())?;
        let plan = call.plan(&game, &strategy)?;
        let opponent = call.plan(&game, &against)?;
        call.all_end(&game, [&strategy, &against], [&plan, &opponent])?;
        let explanation =
            call.run("explaining", |watch| analysis::explain(&game, [&plan, &opponent], watch))?;
        let handout = call.run("asking", |watch| {
            let sources = call.engine.sources();
            Ok::<_, StrategyError>(strategy.compared_with_handout(sources, &game, watch))
        })?;
        let top = self.top.min(call.engine.limits().listed);
        let costly = explanation.reached.iter().filter(|reached| reached.average_loss() > 0.0);
        // Saying why one roll is better takes longer than anything else about a position.
        let worst = call.run("explaining", |watch| -> Result<Vec<Loss>, SolveError> {
            let mut worst = Vec::new();
            for reached in costly.take(top) {
                watch.report(worst.len(), top)?;
                let wrong = match reached.mistake {
                    Some(Mistake::KeepsOthers) => {
                        worst_keep(&game, &plan, &explanation.response, &reached.position)
                    }
                    _ => None,
                };
                worst.push(Loss::new(&game, reached, wrong.as_ref()));
            }
            Ok(worst)
        })?;
        let mistakes = explanation.by_mistake().into_iter();
        let [own_bound, best_bound] = explanation.error_bound;
        let [own_endless, best_endless] = explanation.endless;
        let more_endless = [best_endless[0] - own_endless[0], best_endless[1] - own_endless[1]];
        let answer = ExplainAnswer {
            rules: game.rules().id.clone(),
            strategy: strategy.to_string(),
            against: against.to_string(),
            win_rate: WinRates::new(explanation.rate, own_endless, own_bound),
            best_response: WinRates::new(explanation.best, best_endless, best_bound),
            loss: WinRates::new(explanation.loss, more_endless, own_bound + best_bound),
            mistakes: mistakes
                .map(|(kind, positions, loss)| MistakeLoss { kind, positions, loss })
                .collect(),
            worst,
            positions_met: explanation.reached.len(),
            handout,
        };
        Ok(Explained { game, answer, explanation, plan, against, opponent })
    }

    /// As [`Self::explained`], with only those reached positions that have these values of
    /// memories. Also returns the values that stand for them: of values that behave alike, the
    /// game keeps one.
    ///
    /// # Errors
    /// As [`Query::answer`], or if the game has no such memory or value.
    pub fn explained_at(
        &self,
        call: &Call,
        memory: &[(String, i64)],
    ) -> Result<(Explained, Vec<(String, i64)>), Error> {
        let wanted = GivenPosition::scores(0, 0).memories(memory.iter().cloned());
        let (game, wanted) = call.game_at(&self.game, &wanted)?;
        let mut explained = Self { game: (&game).into(), ..self.clone() }.explained(call)?;
        let values = game.position(game.state(&wanted)).memory;
        let named = memory_names(game.rules()).into_iter().zip(values).enumerate();
        let kept: Vec<(usize, (String, i64))> =
            named.filter(|(_, (name, _))| memory.iter().any(|(one, _)| one == name)).collect();
        explained.explanation.reached.retain(|reached| {
            kept.iter().all(|(place, (_, value))| reached.position.memory[*place] == *value)
        });
        Ok((explained, kept.into_iter().map(|(_, named)| named).collect()))
    }
}

impl Query for Explain {
    const NAME: &str = "explain";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> =
        Some(Writes { contents: "all positions met", endings: &["csv"] });
    type Answer = ExplainAnswer;

    fn answer(&self, call: &Call) -> Result<ExplainAnswer, Error> {
        Ok(self.explained(call)?.answer)
    }

    fn answer_in(
        &self,
        call: &Call,
        _ending: &str,
        file: &mut Vec<u8>,
    ) -> Result<ExplainAnswer, Error> {
        let explained = self.explained(call)?;
        explained.csv(file).map_err(Error::Storage)?;
        Ok(explained.answer)
    }
}

impl Loss {
    /// Describes a position that is reached.
    pub fn new(game: &Game, reached: &Reached, wrong: Option<&WrongKeep>) -> Self {
        let Reached { position, dice, best, loss_each, mistake, .. } = reached;
        Self {
            words: in_words(game, reached, wrong),
            roll: wrong.map(|wrong| wrong.faces.clone()).unwrap_or_default(),
            keeps: wrong.map(|wrong| wrong.kept.to_vec()).unwrap_or_default(),
            score: position.score,
            opponent: position.opponent,
            memory: named_memories(game.rules(), &position.memory),
            dice: *dice,
            best: best.clone(),
            loss: reached.average_loss(),
            met: reached.average_met(),
            loss_each: *loss_each,
            mistake: *mistake,
        }
    }
}

fn in_words(game: &Game, reached: &Reached, wrong: Option<&WrongKeep>) -> String {
    let Reached { position, dice, best, mistake, .. } = reached;
    let names = memory_names(game.rules()).into_iter().zip(&position.memory);
    let memory: Vec<String> = names.map(|(name, value)| format!("{name} {value}")).collect();
    let memory =
        if memory.is_empty() { String::new() } else { format!(" ({})", memory.join(", ")) };
    let scores = format!("at {}-{}{memory}", position.score, position.opponent);
    if let Some(WrongKeep { faces, kept: [kept, better], .. }) = wrong {
        return format!(
            "{scores} you keep {} of {}: keep {}",
            shown(kept),
            shown(faces),
            shown(better)
        );
    }
    let what = |dice: i32| {
        action_in_words(game.rules(), position, dice).unwrap_or_else(|| format!("roll {dice}"))
    };
    let place = format!("{scores} you {}", what(*dice));
    match (best.split_last(), mistake) {
        (_, Some(Mistake::NeverEnds)) | (None, _) => format!("{place}: the game never ends"),
        (Some((last, others)), _) => {
            let why = reason(game, position, *dice, best[0]);
            if game.rules().keeps_dice() {
                return format!("{place}: {}, {why}", what(*last));
            }
            let others: String = others.iter().map(|dice| format!("{dice} or ")).collect();
            format!("{place}: roll {others}{last}, {why}")
        }
    }
}

/// Returns the faces of dice; a 0 stands for a die that is not kept.
fn shown(faces: &[u32]) -> String {
    let faces = faces.iter().filter(|face| **face > 0).map(u32::to_string);
    faces.collect::<Vec<_>>().join(" ")
}

impl Text for ExplainAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = format!("{}: {} against {}", self.rules, self.strategy, self.against);
        writeln!(out, "{}", paint(TITLE, title))?;
        for sentence in self.handout.sentences() {
            writeln!(out, "  {}", paint(LOSS, sentence))?;
        }
        writeln!(out, "  it wins            {}", self.win_rate.average)?;
        writeln!(out, "  the best response  {}", paint(BEST, self.best_response.average))?;
        writeln!(out, "  it loses           {}", paint(LOSS, self.loss.average))?;
        if self.mistakes.iter().all(|mistake| mistake.positions == 0) {
            writeln!(out, "nothing is lost: no one plays better against {}", self.against)?;
            return writeln!(out, "{}", paint(FAINT, self.bound()));
        }
        writeln!(out, "\nby kind of mistake")?;
        for mistake in self.mistakes.iter().filter(|mistake| mistake.positions > 0) {
            let positions = counted(mistake.positions as u64, "position");
            writeln!(out, "  {:<34}{:.8}  in {positions}", mistake.kind.in_words(), mistake.loss)?;
        }
        if !self.worst.is_empty() {
            writeln!(out, "\nwhere it costs most")?;
            writeln!(out, "  score  opponent  rolls  best        loss  each time       met")?;
        }
        for row in &self.worst {
            if row.mistake == Some(Mistake::KeepsOthers) {
                writeln!(out, "  {}: {:.6}", row.words, row.loss)?;
                continue;
            }
            let best = either(&row.best);
            let memory: Vec<String> =
                row.memory.iter().map(|(name, value)| format!("{name} {value}")).collect();
            let memory = if memory.is_empty() {
                String::new()
            } else {
                format!("  ({})", memory.join(", "))
            };
            writeln!(
                out,
                "  {:>5}  {:>8}  {:>5}  {best:<8}{:>8.6}   {:>8.6}  {:>8.6}{memory}",
                row.score, row.opponent, row.dice, row.loss, row.loss_each, row.met
            )?;
        }
        let met = counted(self.positions_met as u64, "position");
        writeln!(
            out,
            "{}",
            paint(FAINT, format!("averages of moving first and second, over all {met} met"))
        )?;
        writeln!(out, "{}", paint(FAINT, self.bound()))
    }
}

impl ExplainAnswer {
    fn bound(&self) -> String {
        let bound = self.win_rate.error_bound.max(self.best_response.error_bound);
        format!(
            "computed over all games, not simulated; both rates within {} of the exact ones",
            rounded_up(bound)
        )
    }
}

impl Explained {
    /// Writes all positions that are reached as CSV, one per line: `score,opponent[,MEMORY...],
    /// met_first,met_second,dice,best,loss_each,loss_first,loss_second,loss,mistake`.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = self.game.rules();
        let names: String = memory_names(rules).iter().map(|name| format!(",{name}")).collect();
        let last = "met_first,met_second,dice,best,loss_each,loss_first,loss_second,loss,mistake";
        writeln!(out, "score,opponent{names},{last}")?;
        let mut rows: Vec<&Reached> = self.explanation.reached.iter().collect();
        rows.sort_by_key(|reached| {
            let position = &reached.position;
            (position.score, position.opponent, position.memory.clone())
        });
        for reached in rows {
            let Reached { position, met, dice, best, loss_each, loss, mistake } = reached;
            let memory: String = position.memory.iter().map(|value| format!(",{value}")).collect();
            let best = best.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
            let average = reached.average_loss();
            let kind = mistake.map_or("", Mistake::name);
            write!(
                out,
                "{},{}{memory},{},{},{dice},{best},",
                position.score, position.opponent, met[0], met[1]
            )?;
            writeln!(out, "{loss_each},{},{},{average},{kind}", loss[0], loss[1])?;
        }
        Ok(())
    }
}
