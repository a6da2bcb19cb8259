//! What each rule of a game does: the game without it.

use std::io::{self, Write};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, Query, rounded_up};
use crate::analysis::mean_turns;
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{FAINT, TITLE, cut, fit, paint};
use crate::game::Game;
use crate::pairs;
use crate::solve::Arithmetic;
use crate::strategy::{Strategy, StrategyError, that_ends};

/// What each rule does: the game without it
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "The game is solved once as it is, and once without each of its rules. What \
only that rule sets takes its default; where it alone says what a 1 does, a 1 becomes a face like \
any other.

Examples:
  hog effects fa21               which rules make moving first better, games longer, skill count
  hog effects mine.toml --format json"
)]
#[non_exhaustive]
pub struct Effects {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
}

/// What each rule of a game does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct EffectsAnswer {
    /// The game's id.
    pub rules: String,
    /// The strategy that skill is measured by; null if the game names none.
    pub baseline: Option<String>,
    /// The game as it is.
    pub whole: EffectFigures,
    /// The game without each of its rules, in their order.
    pub without: Vec<RuleEffect>,
    /// No edge and no skill here differs from the exact one by more than this.
    pub error_bound: f64,
}

/// The figures of a game that both play optimally.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct EffectFigures {
    /// The win rate of the player who moves first less that of the other.
    pub first_mover_edge: f64,
    /// The mean number of turns of both players in games that end; null if none does.
    pub turns: Option<f64>,
    /// The 95% confidence interval of the turns; null if they are computed.
    pub turns_interval: Option<[f64; 2]>,
    /// By how much optimal play wins more than half of the games against the baseline, on average
    /// of moving first and second; null if there is no baseline that this game can be played with.
    pub skill: Option<f64>,
}

/// A game without one of its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleEffect {
    /// The rule's name.
    pub rule: String,
    /// The figures of the game without it; null if it cannot be solved.
    pub figures: Option<EffectFigures>,
    /// These figures less those of the whole game; null likewise.
    pub change: Option<EffectChange>,
    /// Why it cannot be solved; omitted if it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The figures of one game less those of another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct EffectChange {
    /// The difference of the edges of the first mover.
    pub first_mover_edge: f64,
    /// The difference of the mean numbers of turns; null if one is unknown.
    pub turns: Option<f64>,
    /// The difference of the skill; null if one is unknown.
    pub skill: Option<f64>,
}

impl Effects {
    /// The question about a game.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::{Effects, GivenGame};
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Effects::of(GivenGame::named("fa21").goal(20)))?;
    /// let rules: Vec<&str> = answer.without.iter().map(|effect| &*effect.rule).collect();
    /// assert_eq!(rules, ["Sow Sad", "Picky Piggy", "Hog Pile"]);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into() }
    }
}

impl Query for Effects {
    const NAME: &str = "effects";
    const IS_LONG: bool = true;
    type Answer = EffectsAnswer;

    fn answer(&self, call: &Call) -> Result<EffectsAnswer, Error> {
        let game = call.game(&self.game)?;
        let rules = game.rules();
        let (whole, mut error_bound) = figures(call, &game)?;
        let mut without = Vec::new();
        for (place, rule) in rules.rules.iter().enumerate() {
            let call = call.about(format!("without {}", rule.name));
            let rest = rules.without(place);
            let found = match rest.says_what_is_kept() {
                true => call.tabulate(rest).and_then(|game| figures(&call, &game)),
                false => Err(Error::NobodyKeeps),
            };
            let effect = match found {
                Ok((figures, bound)) => {
                    error_bound = error_bound.max(bound);
                    let change = Some(EffectChange::between(&figures, &whole));
                    RuleEffect {
                        rule: rule.name.clone(),
                        figures: Some(figures),
                        change,
                        reason: None,
                    }
                }
                Err(error) if error.is_stop() => return Err(error),
                Err(error) => RuleEffect {
                    rule: rule.name.clone(),
                    figures: None,
                    change: None,
                    reason: Some(error.reason()),
                },
            };
            without.push(effect);
        }
        Ok(EffectsAnswer {
            rules: rules.id.clone(),
            baseline: rules.baseline.clone(),
            whole,
            without,
            error_bound: 2.0 * error_bound,
        })
    }
}

/// Returns the figures of a game, and an error bound of the win rates behind them.
fn figures(call: &Call, game: &Arc<Game>) -> Result<(EffectFigures, f64), Error> {
    let solution = call.solution(game, None, Arithmetic::Float)?;
    let plan = call.run("describing", |watch| that_ends(game, solution.plan(), None, watch))?;
    let turns = call.run("describing", |watch| mean_turns(game, [&plan, &plan], watch))?;
    let mut skill = None;
    let mut error_bound = solution.error_bound;
    if let Some(name) = &game.rules().baseline {
        match call.plan(game, &name.parse::<Strategy>()?) {
            // Without a rule the game may not allow what the baseline rolls, or lack what it needs.
            Err(Error::Strategy(
                StrategyError::Impossible { .. } | StrategyError::NoRule { .. },
            )) => {}
            baseline => {
                let baseline = baseline?;
                let (rate, bound) =
                    call.run("rating", |watch| pairs::rate(game, [&plan, &baseline], watch))?;
                skill = Some(rate.average() - 0.5);
                error_bound = error_bound.max(bound);
            }
        }
    }
    let figures = EffectFigures {
        first_mover_edge: solution.first() - solution.second(),
        turns: Some(turns.mean).filter(|turns| turns.is_finite()),
        turns_interval: turns.interval,
        skill,
    };
    Ok((figures, error_bound))
}

impl EffectChange {
    fn between(figures: &EffectFigures, whole: &EffectFigures) -> Self {
        Self {
            first_mover_edge: figures.first_mover_edge - whole.first_mover_edge,
            turns: figures.turns.zip(whole.turns).map(|(turns, of_whole)| turns - of_whole),
            skill: figures.skill.zip(whole.skill).map(|(skill, of_whole)| skill - of_whole),
        }
    }
}

/// The width of a rule's name, in columns.
const NAME: usize = 28;

/// Formats a number with its sign, or `0` if nothing is left of it; `-` if there is none.
fn signed(number: Option<f64>, decimals: usize) -> String {
    match number.map(|number| format!("{number:+.decimals$}")) {
        None => "-".to_owned(),
        Some(text) if text.bytes().all(|c| matches!(c, b'+' | b'-' | b'0' | b'.')) => {
            "0".to_owned()
        }
        Some(text) => text,
    }
}

/// Formats the mean number of turns; one of simulated games is marked.
fn turns(figures: &EffectFigures) -> String {
    let mark = if figures.turns_interval.is_some() { "~" } else { "" };
    figures.turns.map_or_else(|| "-".to_owned(), |turns| format!("{mark}{turns:.2}"))
}

impl Text for EffectsAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{}: what each rule does", self.rules)))?;
        let heads = format!(
            "{:NAME$}  {:>7} {:>7}  {:>7} {:>7}  {:>7} {:>7}",
            "", "edge", "change", "turns", "change", "skill", "change"
        );
        writeln!(out, "{}", paint(FAINT, heads))?;
        let mut line = |name: &str, of: &EffectFigures, change: [String; 3]| {
            writeln!(
                out,
                "{}  {:>7} {:>7}  {:>7} {:>7}  {:>7} {:>7}",
                fit(name, NAME),
                signed(Some(of.first_mover_edge), 4),
                change[0],
                turns(of),
                change[1],
                signed(of.skill, 4),
                change[2],
            )
        };
        line("the whole game", &self.whole, Default::default())?;
        for RuleEffect { rule, figures, change, .. } in &self.without {
            if let (Some(figures), Some(change)) = (figures, change) {
                let change = [
                    signed(Some(change.first_mover_edge), 4),
                    signed(change.turns, 2),
                    signed(change.skill, 4),
                ];
                line(&format!("without {rule}"), figures, change)?;
            }
        }
        for RuleEffect { rule, reason, .. } in &self.without {
            if let Some(reason) = reason {
                writeln!(out, "\nwithout {} it is no game that can be solved:", cut(rule, NAME))?;
                reason.lines().try_for_each(|line| writeln!(out, "  {line}"))?;
            }
        }
        let skill = match &self.baseline {
            Some(baseline) => format!("what optimal play wins above one half against {baseline}"),
            None => "not measured, as the rules name no baseline".to_owned(),
        };
        let played = self.without.iter().filter_map(|effect| effect.figures.as_ref());
        let played = played.chain([&self.whole]).any(|figures| figures.turns_interval.is_some());
        let note = format!(
            "edge: the first mover's win rate less the second's\n\
             turns: of both players{}\n\
             skill: {skill}\n\
             both play optimally; edge and skill within {}",
            if played { ", ~ in simulated games" } else { "" },
            rounded_up(self.error_bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}
