//! A comparison of two rolls in one position: which outcomes make the difference.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::best::{KeepChoice, write_assumed};
use super::rules::wrapped;
use super::{
    Best, GivenGame, GivenPosition, GivenStrategy, Numbers, Query, memories_in_words,
    named_memories,
};
use crate::analysis::{AddedPoints, reason};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, counted, paint};
use crate::game::{DiceSet, EffectKind, End, Game, Position, Successor, action_in_words, settle};
use crate::solve::{self, Values, best_successors, successor_value};

/// Why a roll is better: the outcomes that make the difference
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Examples:
  hog why fa21 20 36                                  a best roll against the next best
  hog why fa21 20 36 --rolls 8,4                      8 dice against 4
  hog why fa19 20 36 --memory last_dice=4             after rolling 4 dice on your last turn")]
#[non_exhaustive]
pub struct Why {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The position.
    #[serde(flatten)]
    #[command(flatten)]
    pub position: GivenPosition,
    /// The opponent's strategy (default: optimal play)
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
    /// Two numbers of dice to compare (default: a best one, and the best of the others)
    #[serde(default)]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub rolls: Vec<i32>,
    /// The faces rolled, in games in which a player then chooses which dice to keep: why the best
    /// choice is better than the next
    #[serde(default)]
    #[arg(
        long,
        value_name = "FACES",
        conflicts_with = "rolls",
        default_value = "",
        hide_default_value = true,
        value_parser = super::turn::faces
    )]
    pub roll: std::vec::Vec<u32>,
}

/// A comparison of two rolls in one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct WhyAnswer {
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
    /// The two numbers of dice.
    pub dice: [i32; 2],
    /// The mover's win rate with each.
    pub win_rate: [f64; 2],
    /// Why the better one wins more often, as the end of a sentence: `less risk: a 1 shows 52% of
    /// the time, not 67%`; empty if there is no other.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The outcomes of both rolls: first those that end the game, then the others, ascending by
    /// the mover's score.
    pub outcomes: Vec<RollOutcome>,
    /// The parts that add up to the difference of the win rates, the largest in absolute value
    /// first.
    pub parts: Vec<DifferencePart>,
    /// What the two are where dice are kept: `bank`, or `roll 4 dice`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub means: Vec<String>,
    /// The best choice of dice to keep of a roll, and the next, if there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keeps: Vec<KeepChoice>,
    /// In the middle of a turn in which dice are kept: the memories that were not given, and have
    /// their values of the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// Where the numbers are from.
    #[serde(flatten)]
    pub numbers: Numbers,
}

/// An outcome of one or both rolls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RollOutcome {
    /// The kind of outcome.
    pub kind: OutcomeKind,
    /// The mover's score after the turn; null if the game is over.
    pub score: Option<u32>,
    /// The opponent's score after the turn; null if the game is over.
    pub opponent: Option<u32>,
    /// The mover's win rate after this outcome of each of the two rolls (the memories may differ);
    /// null for a roll that cannot lead to it.
    pub win_rate: [Option<f64>; 2],
    /// The probability of this outcome for each of the two rolls.
    pub chance: [f64; 2],
    /// The rules on totals that act, as far as the scores and the points tell it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// A kind of outcome.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutcomeKind {
    /// Points are added, and the opponent moves.
    Points,
    /// A rule changes more than the mover's points, and the opponent moves.
    Changed,
    /// The mover moves again.
    Again,
    /// The mover wins.
    Won,
    /// The game ends with equal scores.
    Tied,
    /// The mover loses.
    Lost,
}

/// A part of the difference: consecutive points that favour the same roll, or all outcomes of
/// another kind by the same rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DifferencePart {
    /// The kind of these outcomes.
    pub kind: OutcomeKind,
    /// The fewest points among them; null unless the kind is `points`.
    pub least: Option<u32>,
    /// The most points among them; null unless the kind is `points`.
    pub most: Option<u32>,
    /// The probability of these outcomes for each of the two rolls.
    pub chance: [f64; 2],
    /// The contribution of these outcomes to the difference of the win rates.
    pub share: f64,
    /// The rules that act in all of these outcomes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

impl Why {
    /// The question why a best roll in a position with these scores is better than the next best.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Why;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Why::at("fa21", 20, 36).rolls(8, 7))?;
    /// assert_eq!(answer.dice, [8, 7]);
    /// let explained: f64 = answer.parts.iter().map(|part| part.share).sum();
    /// assert!((explained - (answer.win_rate[0] - answer.win_rate[1])).abs() < 1e-9);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn at(game: impl Into<GivenGame>, score: u32, opponent: u32) -> Self {
        let position = GivenPosition::scores(score, opponent);
        Self { game: game.into(), position, against: None, rolls: Vec::new(), roll: Vec::new() }
    }

    /// Sets the two numbers of dice.
    #[must_use]
    pub fn rolls(mut self, one: i32, other: i32) -> Self {
        self.rolls = vec![one, other];
        self
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.against = Some(opponent.into());
        self
    }
}

impl Why {
    /// Compares the two best choices of dice to keep of the roll.
    fn of_roll(&self, call: &Call) -> Result<WhyAnswer, Error> {
        let best = Best {
            game: self.game.clone(),
            position: self.position.clone(),
            against: self.against.clone(),
            roll: self.roll.clone(),
        };
        let mut best = best.answer(call)?;
        best.keeps.truncate(2);
        let win_rates = best.keeps.first().zip(best.keeps.last());
        Ok(WhyAnswer {
            rules: best.rules,
            score: best.score,
            opponent: best.opponent,
            memory: best.memory,
            against: best.against,
            dice: [1, 1],
            win_rate: win_rates.map_or([0.0; 2], |(one, other)| [one.win_rate, other.win_rate]),
            reason: String::new(),
            outcomes: Vec::new(),
            parts: Vec::new(),
            means: best.keeps.iter().map(|keep| format!("keep {}", keep.kept)).collect(),
            keeps: best.keeps,
            assumed: best.assumed,
            numbers: best.numbers,
        })
    }
}

impl Query for Why {
    const NAME: &str = "why";
    type Answer = WhyAnswer;

    fn answer(&self, call: &Call) -> Result<WhyAnswer, Error> {
        let rolls = match self.rolls[..] {
            [] => None,
            [one, other] => Some([one, other]),
            _ => {
                let given = self.rolls.len();
                let fault = format!(
                    "two rolls are compared, not {given}: give two numbers of dice, or none"
                );
                return Err(Error::malformed_by("rolls", fault));
            }
        };
        if !self.roll.is_empty() {
            return self.of_roll(call);
        }
        let against = call.optional_strategy(self.against.as_ref())?;
        let (game, position) = call.game_at(&self.game, &self.position)?;
        let (values, numbers) = call.values(&game, against.as_ref())?;
        let (own, after) = values.sides();
        let space = game.space();
        let state = game.state(&position);
        let win_rates = solve::choices(&game, own, after, state);
        let actions = match rolls {
            None => two_best(&game, &win_rates, state, own.best[state]),
            Some(rolls) => two_named(&game, state, rolls)?,
        };
        let mut by_rate = actions;
        by_rate.sort_by(|a, b| win_rates[*a].total_cmp(&win_rates[*b]));
        let [worse, better] = by_rate.map(|action| space.dice(action));
        let outcomes = outcomes(&game, own, after, &position, actions);
        let means = actions
            .into_iter()
            .filter_map(|action| action_in_words(game.rules(), &position, space.dice(action)))
            .collect();
        Ok(WhyAnswer {
            rules: game.rules().id.clone(),
            score: position.score,
            opponent: position.opponent,
            memory: named_memories(game.rules(), &position.memory),
            against: against.map(|strategy| strategy.to_string()),
            dice: actions.map(|action| space.dice(action)),
            win_rate: actions.map(|action| win_rates[action]),
            reason: match worse == better {
                true => String::new(),
                false => reason(&game, own, after, &position, [worse, better]),
            },
            parts: parts(&outcomes, win_rates[actions[1]], position.score, game.rules().step),
            outcomes,
            means,
            keeps: Vec::new(),
            assumed: Vec::new(),
            numbers,
        })
    }
}

/// Returns the best action and the best of the others, or the same action twice if there is no
/// other.
fn two_best(game: &Game, win_rates: &[f64], state: usize, set: DiceSet) -> [usize; 2] {
    let best = game.choices_in(state, set).trailing_zeros() as usize;
    let others = game.space().actions_in(game.choices(state)).filter(|action| *action != best);
    [best, others.max_by(|a, b| win_rates[*a].total_cmp(&win_rates[*b])).unwrap_or(best)]
}

/// Returns the actions of two numbers of dice, which must be different rolls.
fn two_named(game: &Game, state: usize, rolls: [i32; 2]) -> Result<[usize; 2], Error> {
    let space = game.space();
    let mut actions = [0; 2];
    for (action, dice) in actions.iter_mut().zip(rolls) {
        let least = space.min_dice;
        let most = space.dice(space.actions - 1);
        *action = space.action(dice).ok_or(Error::NoSuchRoll { dice, least, most })?;
    }
    let meant = actions.map(|action| game.choices_in(state, 1 << action));
    if meant[0] == meant[1] {
        let [one, other] = rolls;
        let fault =
            format!("{one} and {other} are the same roll here: give two that differ, or none");
        return Err(Error::malformed_by("rolls", fault));
    }
    Ok(actions)
}

/// The outcomes of one of the two rolls that are grouped together.
#[derive(Default)]
struct Group {
    chance: f64,
    /// The sum of probability times win rate.
    won: f64,
    /// The rules that act in the last of them.
    rules: Vec<String>,
}

/// Returns the outcomes of both actions, grouped by kind and by the scores after the turn.
fn outcomes(
    game: &Game,
    own: &Values,
    after: &Values,
    position: &Position,
    actions: [usize; 2],
) -> Vec<RollOutcome> {
    let state = game.state(position);
    // The key is in the order of the outcomes: those that end the game have no scores.
    let mut found: BTreeMap<(Option<[u32; 2]>, OutcomeKind), [Group; 2]> = BTreeMap::new();
    for (side, action) in actions.into_iter().enumerate() {
        let distribution = game.distribution(state, action);
        let successors = best_successors(game, own, after, state, action);
        let added = AddedPoints::of(game, position, game.space().dice(action));
        for (outcome, (weight, successor)) in distribution.outcomes.iter().zip(successors) {
            let key = outcome_key(game, position, successor);
            let mut rules = match key.0 {
                Some(then) => acting(game, position, outcome.points as u32, then, key.1),
                None => Vec::new(),
            };
            if let Some(added) = added.as_ref().filter(|_| key.0.is_some()) {
                rules.insert(0, added.rule.clone());
            }
            let group = &mut found.entry(key).or_default()[side];
            let chance = weight as f64 / distribution.total as f64;
            group.chance += chance;
            group.won += chance * successor_value(own, after, successor);
            group.rules = rules;
        }
    }
    let outcomes = found.into_iter().map(|((scores, kind), [one, other])| RollOutcome {
        kind,
        score: scores.map(|[score, _]| score),
        opponent: scores.map(|[_, opponent]| opponent),
        // The mean of outcomes that differ only in the memories.
        win_rate: [&one, &other].map(|of| (of.chance > 0.0).then(|| of.won / of.chance)),
        chance: [one.chance, other.chance],
        rules: if one.rules.is_empty() { other.rules } else { one.rules },
    });
    outcomes.collect()
}

/// The scores after a turn from a position, the mover's first, unless it ends the game, and the
/// kind of the outcome.
fn outcome_key(
    game: &Game,
    position: &Position,
    successor: Successor,
) -> (Option<[u32; 2]>, OutcomeKind) {
    let (to, again) = match successor {
        Successor::End(End::Won) => return (None, OutcomeKind::Won),
        Successor::End(End::Tied) => return (None, OutcomeKind::Tied),
        Successor::End(End::Lost) => return (None, OutcomeKind::Lost),
        Successor::Next { to, again } => (to, again),
    };
    let space = game.space();
    let (cell, _) = space.parts(to);
    let next = [cell / space.goal, cell % space.goal];
    let [own, theirs] = next.map(|score| score as u32 * game.rules().step);
    if again {
        return (Some([own, theirs]), OutcomeKind::Again);
    }
    // The next player sees the scores the other way round.
    let is_plain = own == position.opponent && theirs >= position.score;
    let kind = if is_plain { OutcomeKind::Points } else { OutcomeKind::Changed };
    (Some([theirs, own]), kind)
}

/// Returns the names of the rules on totals that act after a turn of `points` points, each once.
/// `then` are the scores to which it leads, `kind` is the kind of this outcome; if rules that see
/// the scores and the points do not lead there, others act too, and none is named.
fn acting(
    game: &Game,
    position: &Position,
    points: u32,
    then: [u32; 2],
    kind: OutcomeKind,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let total = position.score + points;
    let Ok(turn) = settle(game.rules(), total, position.opponent, points) else { return names };
    let is_again = kind == OutcomeKind::Again;
    if [turn.score, turn.opponent] == then.map(i64::from) && turn.again == is_again {
        // Equal totals are swapped without effect.
        let is_idle = turn.swapped && turn.score == turn.opponent;
        for step in turn.steps {
            let has_effect = !is_idle || step.kind != EffectKind::Swaps;
            if has_effect && !names.contains(&step.rule) {
                names.push(step.rule);
            }
        }
    }
    names
}

/// Splits the difference in win rate into the shares of its outcomes. An outcome's share is
/// `chance * (win_rate - from)` with the first roll minus the same with the second, where `from` is
/// the win rate of the second roll. The shares sum to the difference, because the chances of each
/// roll sum to 1. Outcomes that only add points are merged while their points are consecutive and
/// their shares have the same sign; those of another kind that the same rules lead to are merged
/// into one part.
fn parts(outcomes: &[RollOutcome], from: f64, score: u32, step: u32) -> Vec<DifferencePart> {
    let mut sorts: Vec<(OutcomeKind, &[String])> = outcomes.iter().map(RollOutcome::sort).collect();
    sorts.sort_unstable();
    sorts.dedup();
    let mut parts: Vec<DifferencePart> = Vec::new();
    for sort in sorts {
        let kind = sort.0;
        let first = parts.len();
        for outcome in outcomes.iter().filter(|outcome| outcome.sort() == sort) {
            let [one, other] = [0, 1].map(|side| {
                outcome.win_rate[side].map_or(0.0, |rate| outcome.chance[side] * (rate - from))
            });
            let share = one - other;
            let points =
                outcome.score.filter(|_| kind == OutcomeKind::Points).map(|then| then - score);
            let merged = parts[first..].last_mut().filter(|part| match (part.most, points) {
                (Some(last), Some(points)) => {
                    part.share.signum() == share.signum() && points == last + step
                }
                _ => true,
            });
            match merged {
                Some(part) => {
                    part.most = points;
                    if part.rules != outcome.rules {
                        part.rules.clear();
                    }
                    part.share += share;
                    part.chance =
                        [part.chance[0] + outcome.chance[0], part.chance[1] + outcome.chance[1]];
                }
                None => parts.push(DifferencePart {
                    kind,
                    least: points,
                    most: points,
                    chance: outcome.chance,
                    share,
                    rules: outcome.rules.clone(),
                }),
            }
        }
    }
    parts.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    parts
}

/// The most parts that the text shows, and the least share of one that it shows.
const MOST_PARTS: usize = 10;
const LEAST_SHARE: f64 = 5e-7;

impl Text for WhyAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [one, other] = match &self.means[..] {
            [one, other] => [one.clone(), other.clone()],
            _ => self.dice.map(|dice| dice.to_string()),
        };
        let memory = memories_in_words(&self.memory);
        let place = format!("{}: {} to {}{memory}", self.rules, self.score, self.opponent);
        let against = self.against.as_deref().unwrap_or("best play");
        writeln!(out, "{}", paint(TITLE, format!("{place}, against {against}")))?;
        if let Some(best) = self.keeps.first() {
            for keep in &self.keeps {
                writeln!(out, "{}: win rate {}", keep.in_words(), keep.win_rate)?;
            }
            if self.keeps.len() == 1 {
                writeln!(out, "\nthere is no other choice")?;
            } else {
                let lost = best.win_rate - self.win_rate[1];
                writeln!(out, "\nthe first wins {lost:.6} more than any other choice")?;
            }
            return write_assumed(&self.assumed, &self.memory, out);
        }
        let has_choice = self.dice[0] != self.dice[1];
        for (place, win_rate) in self.win_rate.iter().take(1 + usize::from(has_choice)).enumerate()
        {
            let what = match self.means.get(place) {
                Some(means) => format!("{means:<11}"),
                None => format!("roll {:>2}", self.dice[place]),
            };
            writeln!(out, "{what}: win rate {win_rate}")?;
        }
        if !has_choice {
            return writeln!(out, "\nthere is no other choice");
        }
        let difference = self.win_rate[0] - self.win_rate[1];
        let mut shown: Vec<&DifferencePart> = self.parts.iter().collect();
        shown.retain(|part| part.share.abs() >= LEAST_SHARE);
        shown.truncate(MOST_PARTS);
        if shown.is_empty() {
            return writeln!(out, "\nno outcome makes a difference");
        }
        let more = if difference < 0.0 { "less" } else { "more" };
        let made = format!("{one} wins {:.6} {more} than {other}", difference.abs());
        let better = if difference < 0.0 { &other } else { &one };
        let why = wrapped(&format!("Why {better}: {}.", self.reason), 0);
        writeln!(out, "\n{why}\n{made}. It comes from\n")?;
        let widths = shown.iter().map(|part| part.in_words().chars().count() + 2);
        let width = widths.max().unwrap_or(0).max(28);
        let head = format!(
            "{:>9}  {:<width$}{:>12}{:>12}",
            "adds",
            "what happens",
            format!("with {one}"),
            format!("with {other}")
        );
        writeln!(out, "{}", paint(FAINT, head))?;
        for part in &shown {
            let style = if part.share > 0.0 { BEST } else { LOSS };
            let share = paint(style, format!("{:>+9.6}", part.share));
            let [first, second] = part.chance.map(|chance| format!("{:.3}%", chance * 100.0));
            writeln!(out, "{share}  {:<width$}{first:>12}{second:>12}", part.in_words())?;
        }
        let rest = difference - shown.iter().map(|part| part.share).sum::<f64>();
        if rest.abs() >= LEAST_SHARE {
            writeln!(out, "{rest:>+9.6}  everything else")?;
        }
        let note = format!(
            "adds: its chance, times how much more it then wins than {other} does on the whole;\n\
             the amount with {one}, minus the amount with {other}"
        );
        writeln!(out, "\n{}", paint(FAINT, note))
    }
}

impl RollOutcome {
    /// What the outcomes of a part have in common: those that add points may differ in the rules.
    fn sort(&self) -> (OutcomeKind, &[String]) {
        let rules = if self.kind == OutcomeKind::Points { &[] } else { &self.rules[..] };
        (self.kind, rules)
    }
}

impl DifferencePart {
    /// Returns what happens, in words.
    fn in_words(&self) -> String {
        let rules =
            if self.rules.is_empty() { "" } else { &format!(" ({})", self.rules.join(", ")) };
        let happens = match (self.kind, self.least, self.most) {
            (OutcomeKind::Points, Some(least), Some(most)) if least < most => {
                format!("{least} to {most} points")
            }
            (OutcomeKind::Points, least, _) => counted(least.unwrap_or(0).into(), "point"),
            (OutcomeKind::Changed, ..) => "the scores change".into(),
            (OutcomeKind::Again, ..) => "you move again".into(),
            (OutcomeKind::Won, ..) => "you win".into(),
            (OutcomeKind::Tied, ..) => "the game ends in a tie".into(),
            (OutcomeKind::Lost, ..) => "you lose".into(),
        };
        happens + rules
    }
}
