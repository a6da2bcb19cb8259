//! Two games under optimal play: what each is like, and where their best rolls differ.

use std::io::{self, Write};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::describe::{Describe, DescribeAnswer, percent};
use super::{GivenGame, Query, listed_by_default};
use crate::analysis::{self, PositionDifference, Skill};
use crate::engine::numbers::whole;
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{TITLE, either, paint, thousands};
use crate::solve::Arithmetic;
use crate::strategy::Strategy;

/// Two games compared, and where their best rolls differ
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Both games are played optimally.

Examples:
  hog compare fa21 sp22
  hog compare old.toml new.toml --top 20")]
#[non_exhaustive]
pub struct Compare {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// Another built-in game or rule file; changes to the rules are made in both
    #[serde(default)]
    pub other: String,
    /// The text of a rule file, in place of `other`.
    #[serde(default)]
    #[arg(skip)]
    #[schemars(extend("contentMediaType" = "application/toml"))]
    pub other_file: Option<String>,
    /// How many positions to show
    #[serde(default = "listed_by_default")]
    #[arg(long, value_name = "N", default_value_t = listed_by_default(),
          value_parser = whole::<usize>)]
    pub top: usize,
    /// The other game, in place of its name.
    #[serde(skip)]
    #[arg(skip)]
    pub given: Option<GivenGame>,
}

/// The descriptions of two games, and where best play differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CompareAnswer {
    /// The description of each game.
    pub games: [DescribeAnswer; 2],
    /// The number of positions compared: all pairs of scores below the lower goal, if both games
    /// have a pot with each pot that can be met in both, and where both keep dice with all dice
    /// left that can be; with the other memories of the games' start. None where only one
    /// of the games keeps dice or has a pot: a choice is another one there.
    pub compared: usize,
    /// The number of these positions at which no roll is best in both games.
    pub differing: usize,
    /// The positions at which the difference costs most.
    pub positions: Vec<PositionDifference>,
}

impl Compare {
    /// The question about two games.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Compare;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Compare::of("fa21", "fa22", 1))?;
    /// assert_eq!((answer.compared, answer.differing), (10_000, 7_130));
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>, other: impl Into<GivenGame>, top: usize) -> Self {
        let given = Some(other.into());
        Self { game: game.into(), other: String::new(), other_file: None, top, given }
    }

    /// The other game, as it is named or sent.
    fn other(&self) -> Result<GivenGame, Error> {
        if let Some(given) = &self.given {
            return Ok(given.clone());
        }
        let other = match (&self.other[..], &self.other_file) {
            ("", Some(text)) => GivenGame::of_text(text),
            ("", None) | (_, Some(_)) => return Err(Error::OneOther),
            (name, None) => GivenGame::named(name),
        };
        Ok(other.overridden(self.game.overrides()).numbers(self.game.numbers.clone()))
    }
}

impl Query for Compare {
    const NAME: &str = "compare";
    const IS_LONG: bool = true;
    type Answer = CompareAnswer;

    fn answer(&self, call: &Call) -> Result<CompareAnswer, Error> {
        let games = [call.game(&self.game)?, call.game(&self.other()?)?];
        let optimal = [Strategy::Optimal, Strategy::Optimal];
        let mut described = [
            Describe::described(call, &games[0], &optimal)?,
            Describe::described(call, &games[1], &optimal)?,
        ];
        if described[0].rules == described[1].rules {
            // As a game that was edited and the one that it comes from.
            for (described, game) in described.iter_mut().zip(&games) {
                let origin = &game.rules().origin;
                let file = Path::new(origin).file_name();
                described.game = file.map_or(origin.into(), |file| file.to_string_lossy()).into();
            }
        }
        let solutions = [
            call.solution(&games[0], None, Arithmetic::Float)?,
            call.solution(&games[1], None, Arithmetic::Float)?,
        ];
        let (compared, mut positions) = call.run("comparing", |watch| {
            analysis::compare([&games[0], &games[1]], [&solutions[0], &solutions[1]], watch)
        })?;
        let differing = positions.len();
        positions.truncate(self.top.min(call.engine().limits().listed));
        Ok(CompareAnswer { games: described, compared, differing, positions })
    }
}

impl Text for CompareAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = &self.games;
        writeln!(out, "{}", paint(TITLE, format!("{:<30}{:>20}  {:>20}", "", a.game, b.game)))?;
        let mut row = |name: &str, of: &dyn Fn(&DescribeAnswer) -> String| {
            writeln!(out, "{name:<30}{:>20}  {:>20}", of(a), of(b))
        };
        row("first player wins", &|game| format!("{:.9}", game.win_rate.first))?;
        row("first mover's edge", &|game| format!("{:+.6}", game.first_mover_edge))?;
        row("turns in the mean", &|game| {
            game.turns.mean.map_or_else(|| "-".into(), |mean| format!("{mean:.3}"))
        })?;
        row("turns, 95 of 100", &|game| {
            game.turns.p95.map_or_else(|| "-".into(), |p95| p95.to_string())
        })?;
        if self.games.iter().any(|game| game.rolls.is_some()) {
            row("rolls in the mean", &|game| {
                game.rolls.map_or_else(|| "-".into(), |rolls| format!("{:.3}", rolls.mean))
            })?;
        }
        if self.games.iter().any(|game| game.tied.mean > 0.0) {
            row("tied games", &|game| percent(game.tied.mean))?;
        }
        row("lead changes", &|game| format!("{:.3}", game.lead_changes.mean))?;
        for place in 0..a.comebacks.len() {
            let name = format!("comebacks from {}", a.comebacks[place].win_rate);
            row(&name, &|game| percent(game.comebacks[place].share))?;
        }
        row("best less worst roll", &|game| format!("{:.4}", game.choices.mean_spread))?;
        let choices =
            if self.games.iter().any(|game| game.rolls.is_some()) { "choices" } else { "turns" };
        row(&format!("{choices} that matter"), &|game| percent(game.choices.share_that_matter))?;
        for name in ["random", "baseline", "greedy", "threshold", "pace"] {
            if name == "pace" && self.games.iter().all(|game| game.level(name).is_none()) {
                continue;
            }
            row(&format!("{name} against optimal"), &|game| {
                let level = game.level(name).map(|level| level.against_optimal.average);
                level.map_or_else(|| "-".into(), |average| format!("{average:.4}"))
            })?;
        }
        let mut rules: Vec<&str> = a.rule_uses.iter().map(|rule| rule.name.as_str()).collect();
        rules.extend(
            b.rule_uses
                .iter()
                .map(|rule| rule.name.as_str())
                .filter(|name| a.rule_uses.iter().all(|r| r.name != *name)),
        );
        for name in rules {
            row(&format!("{name}, times a game"), &|game| {
                let found = game.rule_uses.iter().find(|rule| rule.name == name);
                found.map_or_else(|| "-".into(), |rule| format!("{:.2}", rule.per_game))
            })?;
        }
        self.positions(out)
    }
}

impl DescribeAnswer {
    fn level(&self, level: &str) -> Option<&Skill> {
        self.skill.iter().find(|step| step.level == level)
    }
}

impl CompareAnswer {
    fn positions(&self, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = &self.games;
        let differing = thousands(self.differing as u64);
        let all = thousands(self.compared as u64);
        let keeps = self.positions.iter().any(|position| !position.left.is_empty());
        let what = if keeps { "rolling on or banking" } else { "the best roll" };
        let title = match self.compared {
            0 => "no position has the same choices in both".to_owned(),
            _ => format!("{what} differs in {differing} of {all} positions"),
        };
        writeln!(out, "\n{}", paint(TITLE, title))?;
        if self.positions.is_empty() {
            return Ok(());
        }
        let has_pots = self.positions.iter().any(|position| position.pot.is_some());
        let pots = if has_pots { "pot  " } else { "" };
        writeln!(
            out,
            "  scores     {pots}{:<16}{:<16}  what the other's best roll costs in each",
            a.game, b.game
        )?;
        for position in &self.positions {
            let scores = format!("{}-{}", position.score, position.opponent);
            let pot = position.pot.map_or_else(String::new, |pot| format!("{pot:>3}  "));
            let [ours, theirs] = position.best.each_ref().map(|best| in_words(position, best));
            let costs = position
                .costs
                .map(|cost| cost.map_or_else(|| "not allowed".into(), |cost| format!("{cost:.6}")));
            writeln!(
                out,
                "  {scores:<9}  {pot}{ours:<16}{theirs:<16}  {:<11}  {}",
                costs[0], costs[1]
            )?;
        }
        Ok(())
    }
}

/// Lists the best choices: numbers of dice, or where dice are kept what to do with those left.
fn in_words(position: &PositionDifference, best: &[i32]) -> String {
    if position.left.is_empty() {
        return dice(best);
    }
    let left = position.left.iter().map(|(kind, count)| match position.left.len() {
        1 => count.to_string(),
        _ => format!("{count} {kind}"),
    });
    let left = left.collect::<Vec<_>>().join(", ");
    let choices = best.iter().map(|choice| match choice {
        0 => "bank".to_owned(),
        _ => format!("roll {left}"),
    });
    choices.collect::<Vec<_>>().join(" or ")
}

/// Lists numbers of dice as `3`, `3 or 4` or `4 to 10`.
fn dice(best: &[i32]) -> String {
    match best {
        [first, .., last] if best.len() > 2 && (last - first) as usize + 1 == best.len() => {
            format!("{first} to {last}")
        }
        best if best.len() > 3 => format!("{} of them", best.len()),
        best => either(best),
    }
}
