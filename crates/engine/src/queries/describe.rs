//! What a game is like: its length, its lead changes, its rules, and how much skill matters.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenPlayers, Query, WinRates};
use crate::analysis::{self, Choices, Comeback, Description, Mean, RuleUse, Skill};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, bar, counted, paint, thousands};
use crate::game::Game;
use crate::strategy::Strategy;
use hog_study::limits;

/// What a game is like: its length, lead changes, and skill
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Figures are computed over all games where the game is small enough. The \
others are averages of played games, and are shown with their 95 % confidence interval.

Examples:
  hog describe fa21                               both play optimally
  hog describe my_game.toml --play baseline       both play the course's baseline
  hog describe fa21 --play optimal,always_roll:6  two strategies against each other")]
#[non_exhaustive]
pub struct Describe {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The players: one strategy for both, or two separated by a comma
    #[serde(default)]
    #[arg(long = "play", value_name = "A,B", default_value = "optimal")]
    pub players: GivenPlayers,
}

/// A description of a game as two strategies play it, and of how much skill matters in it. A figure
/// whose `interval` is not null is an estimate from simulated games, with its 95% confidence
/// interval; all others are computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DescribeAnswer {
    /// The game's id.
    pub rules: String,
    /// What the game is called: its id, or beside another game with this id its file.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The names of the two strategies.
    pub play: [String; 2],
    /// The win rates of the first strategy.
    pub win_rate: WinRates,
    /// The first strategy's win rate when it moves first minus that when it moves second.
    pub first_mover_edge: f64,
    /// The length of the game.
    pub turns: GameTurns,
    /// How often dice are rolled in a game whose turns may be several rolls; null in other games,
    /// and if no game ends.
    pub rolls: Option<Mean>,
    /// The share of games that end with equal scores, half a win for each player.
    pub tied: Mean,
    /// The number of times that the lead changes in a game.
    pub lead_changes: Mean,
    /// How often the winner was close to losing.
    pub comebacks: Vec<Comeback>,
    /// How often each rule has an effect.
    pub rule_uses: Vec<RuleUse>,
    /// The win rates of increasingly skilled strategies against optimal play.
    pub skill: Vec<Skill>,
    /// How much the choice of a roll matters.
    pub choices: Choices,
    /// The number of games simulated for the figures with an interval: 4,000, or as many as
    /// 1,000,000 moves allow.
    pub games: u64,
    /// The number of these that were given up after very many moves, though they might have ended.
    pub given_up: u64,
}

/// The length of a game, in turns of both players. Extra turns count; where a turn may be several
/// rolls, as in a game with a pot, it ends when the other player is to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GameTurns {
    /// The mean, over games that end; null if none ends.
    pub mean: Option<f64>,
    /// The median; null if no game ends or it is beyond the distribution.
    pub median: Option<usize>,
    /// The 95th percentile; likewise.
    pub p95: Option<usize>,
    /// The probability that the game takes 1, 2, 3, ... turns; breaks off where games take more
    /// turns than can be computed.
    pub distribution: Vec<f64>,
    /// The 95% confidence interval of the mean; null if the mean is computed.
    pub interval: Option<[f64; 2]>,
}

impl DescribeAnswer {
    /// Makes the view of a description of a game, as the strategies named `play` play it.
    pub fn new(game: &Game, play: [String; 2], found: Description) -> Self {
        Self {
            rules: game.rules().id.clone(),
            game: game.rules().id.clone(),
            title: game.rules().title.clone(),
            play,
            win_rate: found.win_rate,
            first_mover_edge: found.win_rate.first - found.win_rate.second,
            turns: GameTurns {
                mean: Some(found.turns.mean).filter(|mean| mean.is_finite()),
                median: reached(&found.lengths, 0.5 * found.ends),
                p95: reached(&found.lengths, 0.95 * found.ends),
                distribution: found.lengths,
                interval: found.turns.interval,
            },
            rolls: found.rolls.filter(|rolls| rolls.mean.is_finite()),
            tied: found.tied,
            lead_changes: found.lead_changes,
            comebacks: found.comebacks,
            rule_uses: found.rule_uses,
            skill: found.skill,
            choices: found.choices,
            games: found.games,
            given_up: found.given_up,
        }
    }
}

/// Returns the least number of turns within which games of this probability are over, if there are
/// such games and the list reaches so far.
fn reached(lengths: &[f64], probability: f64) -> Option<usize> {
    let mut sum = 0.0;
    let over = lengths.iter().position(|chance| {
        sum += chance;
        sum >= probability
    });
    over.filter(|_| probability > 0.0).map(|place| place + 1)
}

impl Describe {
    /// The question about a game that both play optimally.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Describe;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&Describe::of("piglet"))?;
    /// assert_eq!(answer.turns.median, Some(3));
    /// assert!((answer.win_rate.first - 4.0 / 7.0).abs() < 1e-12);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into(), players: GivenPlayers::default() }
    }

    /// Sets the players.
    #[must_use]
    pub fn players(mut self, players: impl Into<GivenPlayers>) -> Self {
        self.players = players.into();
        self
    }

    /// Returns the probability that the game takes 1, 2, 3, ... turns, counting both players'
    /// turns.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn lengths(&self, call: &Call) -> Result<Vec<f64>, Error> {
        let players = call.strategies(&self.players)?;
        let game = call.game(&self.game)?;
        let [first, second] = [call.plan(&game, &players[0])?, call.plan(&game, &players[1])?];
        call.all_end(&game, players.each_ref(), [&first, &second])?;
        call.run("describing", |watch| analysis::game_lengths(&game, [&first, &second], watch))
    }

    /// Describes a game as two strategies play it.
    pub(super) fn described(
        call: &Call,
        game: &std::sync::Arc<Game>,
        players: &[Strategy; 2],
    ) -> Result<DescribeAnswer, Error> {
        let [first, second] = [call.plan(game, &players[0])?, call.plan(game, &players[1])?];
        call.all_end(game, players.each_ref(), [&first, &second])?;
        let found =
            call.run("describing", |watch| analysis::describe(game, [&first, &second], watch))?;
        let names = players.each_ref().map(ToString::to_string);
        Ok(DescribeAnswer::new(game, names, found))
    }
}

impl Query for Describe {
    const NAME: &str = "describe";
    const IS_LONG: bool = true;
    type Answer = DescribeAnswer;

    fn answer(&self, call: &Call) -> Result<DescribeAnswer, Error> {
        let players = call.strategies(&self.players)?;
        Self::described(call, &call.game(&self.game)?, &players)
    }
}

/// The widest line, in columns.
const WIDTH: usize = 79;

/// The largest number of bars in the distribution of lengths.
const ROWS: usize = 16;

/// Formats the interval after a figure that is the mean of played games.
fn played(interval: Option<[f64; 2]>) -> String {
    interval.map_or_else(String::new, |[low, high]| format!("  (played: {low:.3} to {high:.3})"))
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

impl Text for DescribeAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = &self.play;
        writeln!(out, "{}", paint(TITLE, format!("{}: {a} against {b}", self.game)))?;
        writeln!(out, "  first player wins  {}", self.win_rate.first)?;
        writeln!(out, "  first mover's edge {:+.6}", self.first_mover_edge)?;
        if self.win_rate.endless > 0.0 {
            writeln!(out, "  endless games      {}", self.win_rate.endless)?;
        }
        if self.tied.mean > 0.0 {
            writeln!(out, "  tied games         {}{}", self.tied.mean, played(self.tied.interval))?;
        }
        let turns = &self.turns;
        let mean = turns
            .mean
            .map_or_else(|| "no game ends".into(), |mean| format!("{mean:.2} in the mean"));
        writeln!(out, "  turns in a game    {mean}{}", played(turns.interval))?;
        if let Some(median) = turns.median {
            let p95 = turns.p95.map_or_else(
                || format!("over {}", turns.distribution.len()),
                |p95| p95.to_string(),
            );
            writeln!(
                out,
                "                     {median} or fewer in half of the games, {p95} in 95 of 100"
            )?;
        }
        if let Some(rolls) = &self.rolls {
            writeln!(
                out,
                "  rolls in a game    {:.2} in the mean{}",
                rolls.mean,
                played(rolls.interval)
            )?;
        }
        writeln!(
            out,
            "  lead changes       {:.3}{}",
            self.lead_changes.mean,
            played(self.lead_changes.interval)
        )?;
        if turns.mean.is_some() {
            writeln!(out, "\n{}", paint(TITLE, "how long it lasts (turns of both)"))?;
            lengths(out, &turns.distribution)?;
        }
        writeln!(out, "\n{}", paint(TITLE, "comebacks: the winner once had no more than"))?;
        for comeback in &self.comebacks {
            let share = format!("{:>7} of games", percent(comeback.share));
            writeln!(out, "  {:>5.2}  {share}{}", comeback.win_rate, played(comeback.interval))?;
        }
        writeln!(out, "\n{}", paint(TITLE, "how often each rule acts in a game"))?;
        for rule in &self.rule_uses {
            writeln!(out, "  {:<20} {:>8.3}{}", rule.name, rule.per_game, played(rule.interval))?;
        }
        self.skill(out)?;
        let mut note = match self.turns.interval {
            None => format!(
                "computed, except for figures marked as played: the mean of {} games, seed 0",
                thousands(self.games)
            ),
            Some(_) => format!(
                "too large to compute everything: {} games were played, seed 0",
                thousands(self.games)
            ),
        };
        if self.games < limits::SIMULATED_GAMES {
            note += &format!(
                ";\nno more, as they had {} moves",
                thousands(limits::SIMULATED_MOVES as u64)
            );
        }
        if self.given_up > 0 {
            note += &format!(";\n{} of them were given up as too long", thousands(self.given_up));
        }
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl DescribeAnswer {
    fn skill(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "\n{}",
            paint(TITLE, "how far skill carries: win rate against optimal play")
        )?;
        for step in &self.skill {
            let rate = step.against_optimal.average;
            let bar = bar(rate * 2.0, 20);
            let name = match step.level == step.strategy {
                true => step.level.clone(),
                false => format!("{}: {}", step.level, step.strategy),
            };
            let mut after = played(step.interval);
            if let Some(games) = step.games.filter(|games| *games < limits::SIMULATED_GAMES) {
                after = after.replace("(played", &format!("(played {}", counted(games, "game")));
            }
            writeln!(out, "  {name:<32} {rate:.6}  {}{after}", paint(BEST, bar))?;
        }
        let choices = &self.choices;
        if choices.mean_spread == 0.0 {
            return writeln!(out, "\n  how many dice are rolled makes no difference");
        }
        let worst = format!(
            "the best roll wins {:.4} more than the worst{}",
            choices.mean_spread,
            played(choices.interval)
        );
        writeln!(
            out,
            "\n  {worst};\n  in {} of {} it wins 0.01 more than any other",
            percent(choices.share_that_matter),
            if self.rolls.is_some() { "choices" } else { "turns" }
        )
    }
}

/// Writes a bar for each number of turns, or for ranges of turns if there are many.
fn lengths(out: &mut dyn Write, distribution: &[f64]) -> io::Result<()> {
    // Numbers of turns that are too rare for a visible bar are left out; in long games all are
    // rare.
    let rare =
        distribution.iter().fold(0.0_f64, |most, chance| most.max(*chance / 100.0)).min(5e-4);
    let first = distribution.iter().position(|chance| *chance > rare).unwrap_or(0);
    let last = distribution.iter().rposition(|chance| *chance > rare).unwrap_or(0);
    let together = (last + 1 - first).div_ceil(ROWS);
    let rows: Vec<(usize, f64)> = (first..=last)
        .step_by(together)
        .map(|row| (row, distribution[row..(row + together).min(distribution.len())].iter().sum()))
        .collect();
    let most = rows.iter().map(|(_, share)| *share).fold(f64::MIN_POSITIVE, f64::max);
    // Two numbers and a dash.
    let wide = (2 * last.to_string().len() + 1).max(9);
    for (row, share) in rows {
        let turns = match together {
            1 => format!("{}", row + 1),
            _ => format!("{}-{}", row + 1, row + together),
        };
        let bar = paint(BEST, bar(share / most, WIDTH - 13 - wide));
        writeln!(out, "  {turns:>wide$}  {:>6}  {bar}", percent(share))?;
    }
    Ok(())
}
