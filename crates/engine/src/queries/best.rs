//! The best rolls in a position, and the win rate of each number of dice.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    GivenGame, GivenPosition, GivenStrategy, Numbers, Query, memories_in_words, named_memories,
};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, bar, either, paint};
use crate::game::{Game, Keep, Position, action_in_words, keeps, memory_names};
use crate::rules::Rules;
use crate::solve::{self, Values};

/// The best roll in a position, and the win rate of every other
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Examples:
  hog best fa21 20 36                                 you have 20 points, your opponent 36
  hog best fa19 20 36 --memory last_dice=4            after rolling 4 dice on your last turn
  hog best su15 90 10 --against always_roll:5         against the baseline instead of best play
  hog best kcd 500 900 --memory pot=350 --roll 1145   which dice to keep")]
#[non_exhaustive]
pub struct Best {
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
    /// The faces rolled, in games in which a player then chooses which dice to keep: what to keep
    #[serde(default)]
    #[arg(
        long,
        value_name = "FACES",
        default_value = "",
        hide_default_value = true,
        value_parser = super::turn::faces
    )]
    pub roll: std::vec::Vec<u32>,
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
    /// The roll after which dice are kept, if one is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roll: Vec<u32>,
    /// Every choice of dice to keep of the roll with its win rate, the best first.
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

/// A choice of dice to keep and its win rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct KeepChoice {
    /// The faces that are kept; none if the roll has none that may be.
    pub keep: Vec<u32>,
    /// These faces in words, with the names of the kinds of dice if there are several.
    #[serde(default)]
    pub kept: String,
    /// The whole roll, with a 0 for each die that is not kept.
    pub marked: Vec<u32>,
    /// The points of these dice.
    pub points: i64,
    /// The win rate of keeping them and playing optimally from there on.
    pub win_rate: f64,
    /// What is best then, if the same player goes on: `roll 2 dice`, `bank`, or both if they tie.
    pub then: Vec<String>,
    /// What the player may do then, with its win rate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Choice>,
    /// The chance that no dice of the next roll may be kept, or that roll ends the turn in any
    /// case; null if the player does not go on.
    #[serde(default)]
    pub bust: Option<f64>,
}

impl KeepChoice {
    /// Returns what is best then, and what anything else loses.
    fn then_in_words(&self) -> String {
        let mut words = self.then.join(" or ");
        for other in &self.next {
            let name = other.name();
            if !self.then.contains(&name) {
                words +=
                    &format!("; {name} loses {:.5}", (self.win_rate - other.win_rate).max(0.0));
            }
        }
        words
    }

    /// Returns what this choice is and leads to, in words.
    pub fn in_words(&self) -> String {
        let mut words = format!("keep {}: {} points", self.kept, self.points);
        if !self.then.is_empty() {
            words += &format!(", then {}", self.then.join(" or "));
        }
        let rolls = self.then.iter().any(|then| then.starts_with("roll"));
        if let Some(bust) = self.bust.filter(|_| rolls) {
            words += &format!("; the next roll ends the turn {:.1}% of the time", bust * 100.0);
        }
        words
    }
}

/// One number of dice and its win rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Choice {
    /// The number of dice; negative for moves that roll nothing.
    pub dice: i32,
    /// The win rate of rolling them and playing optimally from there on.
    pub win_rate: f64,
    /// What it means where dice are kept: `bank`, or `roll 4 dice`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
}

impl Choice {
    /// Returns what it means, or the number of dice.
    fn name(&self) -> String {
        self.means.clone().unwrap_or_else(|| self.dice.to_string())
    }

    /// Returns the choices of a state with their win rates.
    fn all(
        game: &Game,
        own: &Values,
        after: &Values,
        position: &Position,
        state: usize,
    ) -> Vec<Self> {
        let win_rates = solve::choices(game, own, after, state);
        let mut all = Vec::new();
        for action in game.space().actions_in(game.choices(state)) {
            let dice = game.space().dice(action);
            let means = action_in_words(game.rules(), position, dice);
            all.push(Self { dice, win_rate: win_rates[action], means });
        }
        all
    }
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
        Self { game: game.into(), position, against: None, roll: Vec::new() }
    }

    /// Sets the value of a memory.
    #[must_use]
    pub fn memory(mut self, name: impl Into<String>, value: i64) -> Self {
        self.position.memory.push((name.into(), value));
        self
    }

    /// Sets the roll of which dice are kept.
    #[must_use]
    pub fn roll(mut self, faces: impl Into<Vec<u32>>) -> Self {
        self.roll = faces.into();
        self
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.against = Some(opponent.into());
        self
    }
}

impl Best {
    /// Returns the memories whose values are assumed in the middle of a turn.
    fn assumed(&self, rules: &Rules) -> Vec<String> {
        let mut names = memory_names(rules);
        let hand: u32 = rules.hand.iter().map(|dice| dice.count).sum();
        let is_in_a_turn = match self.roll.len() as u32 {
            0 => !self.position.memory.is_empty(),
            rolled => rolled < hand,
        };
        if !rules.keeps_dice() || !is_in_a_turn {
            return Vec::new();
        }
        if !self.roll.is_empty() {
            // The roll says which dice are left.
            names.truncate(names.len().saturating_sub(rules.hand.len()));
        }
        names.retain(|name| self.position.memory.iter().all(|(given, _)| given != name));
        names
    }
}

impl Query for Best {
    const NAME: &str = "best";
    type Answer = BestAnswer;

    fn answer(&self, call: &Call) -> Result<BestAnswer, Error> {
        let against = call.optional_strategy(self.against.as_ref())?;
        // As `Call::game_at`: a position that is not of the game is found before it is tabulated.
        let rolled = self.roll.len();
        let game = call.game_if(&self.game, |rules| {
            Ok(self.position.before_roll(rules, rolled).map(drop)?)
        })?;
        let rules = game.rules();
        let position = self.position.before_roll(rules, rolled)?;
        if !self.roll.is_empty() && !rules.keeps_dice() {
            return Err(Error::NothingToKeep { game: rules.id.clone() });
        }
        // A roll that cannot be is refused before the game is solved.
        let kept = match self.roll.is_empty() {
            true => Vec::new(),
            false => keeps(rules, &position, &self.roll)?,
        };
        let (values, numbers) = call.values(&game, against.as_ref())?;
        let (own, after) = values.sides();
        let state = game.state(&position);
        let mut choices_of_dice: Vec<KeepChoice> = Vec::new();
        for keep in &kept {
            choices_of_dice.push(keep_choice(&game, &position, &self.roll, keep, own, after));
        }
        choices_of_dice.sort_by(|one, other| other.win_rate.total_cmp(&one.win_rate));
        let of_roll = choices_of_dice.first().map(|best| best.win_rate);
        Ok(BestAnswer {
            rules: game.rules().id.clone(),
            score: position.score,
            opponent: position.opponent,
            memory: named_memories(game.rules(), &position.memory),
            against: against.map(|strategy| strategy.to_string()),
            win_rate: of_roll.unwrap_or(own.win_rates[state]),
            best: game.space().dice_in(game.choices_in(state, own.best[state])),
            choices: Choice::all(&game, own, after, &position, state),
            roll: self.roll.clone(),
            keeps: choices_of_dice,
            assumed: self.assumed(rules),
            numbers,
        })
    }
}

/// A choice of dice to keep, valued by the solved game.
pub(super) fn keep_choice(
    game: &Game,
    position: &Position,
    roll: &[u32],
    keep: &Keep,
    own: &Values,
    after: &Values,
) -> KeepChoice {
    let rules = game.rules();
    let mut then = Vec::new();
    let mut next = Vec::new();
    let mut bust = None;
    let on = Position::after(rules, &keep.turn).filter(|_| keep.turn.again);
    if let Some(on) = on {
        let state = game.state(&on);
        next = Choice::all(game, own, after, &on, state);
        for action in game.space().actions_in(game.choices_in(state, own.best[state])) {
            then.extend(action_in_words(rules, &on, game.space().dice(action)));
        }
        bust = Some(game.chance_to_pass(state, game.space().actions - 1));
    }
    let win_rate = solve::successor_value(own, after, game.after(&keep.turn));
    let marked = keep.marked(roll);
    let faces = marked.iter().copied().filter(|face| *face > 0).collect();
    let kept = keep.in_words(rules, position, roll);
    KeepChoice { keep: faces, kept, marked, points: keep.turn.rolled, win_rate, then, next, bust }
}

fn faces(faces: &[u32]) -> String {
    faces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

impl BestAnswer {
    /// Writes the choices of dice to keep.
    fn keeps_text(&self, place: &str, opponent: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, format!("{place}, rolled {}", faces(&self.roll))))?;
        let Some(best) = self.keeps.first() else { return Ok(()) };
        let rate = paint(BEST, self.win_rate);
        if best.keep.is_empty() {
            writeln!(out, "no dice may be kept, so the turn ends: win rate {rate} {opponent}")?;
        } else {
            let then = match &best.then[..] {
                [] => String::new(),
                then => format!(", then {}", then.join(" or ")),
            };
            let what = paint(BEST, format!("keep {}", best.kept));
            writeln!(out, "{what}{then}: win rate {rate} {opponent}\n")?;
            self.keeps_table(best, out)?;
        }
        write_assumed(&self.assumed, &self.memory, out)?;
        writeln!(out, "\n{}", paint(FAINT, &self.numbers.words))
    }

    fn keeps_table(&self, best: &KeepChoice, out: &mut dyn Write) -> io::Result<()> {
        let width = self.keeps.iter().map(|keep| keep.kept.len()).max().unwrap_or(0).max(18);
        let heading = format!(
            "  {:<width$} {:>6}  {:<12}  {:<10}  then",
            "keep", "points", "win rate", "loss"
        );
        writeln!(out, "{}", paint(FAINT, heading))?;
        for keep in &self.keeps {
            let is_best = keep.win_rate == best.win_rate;
            let (mark, style) = if is_best { ("▶", BEST) } else { (" ", anstyle::Style::new()) };
            let loss = match is_best {
                true => paint(BEST, format!("{:<10}", "best")),
                false => paint(LOSS, format!("{:<10.8}", best.win_rate - keep.win_rate)),
            };
            let KeepChoice { kept, points, win_rate, .. } = keep;
            let line = format!("{mark} {kept:<width$} {points:>6}  {win_rate:<12.10}");
            writeln!(out, "{}  {loss}  {}", paint(style, line), keep.then_in_words())?;
        }
        Ok(())
    }
}

/// Writes which values of memories are assumed, if some are, after an empty line.
pub(super) fn write_assumed(
    assumed: &[String],
    memory: &BTreeMap<String, i64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(first) = assumed.first() else { return Ok(()) };
    let values: Vec<String> =
        assumed.iter().map(|name| format!("{name} {}", memory[name])).collect();
    let values = values.join(", ");
    let note =
        format!("assumed: {values}; --memory {first}=N says what the turn had before this roll");
    writeln!(out, "\n{}", paint(LOSS, note))
}

/// The width of the longest bar, in columns.
const WIDTH: usize = 24;

impl Text for BestAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let memory = memories_in_words(&self.memory);
        let place = format!("{}: {} to {}{memory}", self.rules, self.score, self.opponent);
        let opponent = match &self.against {
            None => "against best play".to_owned(),
            Some(strategy) => format!("against {strategy}"),
        };
        if !self.roll.is_empty() {
            return self.keeps_text(&place, &opponent, out);
        }
        writeln!(out, "{}", paint(TITLE, place))?;
        let best = self.choices.iter().filter(|choice| self.best.contains(&choice.dice));
        let meant: Vec<&str> = best.filter_map(|choice| choice.means.as_deref()).collect();
        let what = match &meant[..] {
            [] => format!("roll {}", paint(BEST, either(&self.best))),
            meant => paint(BEST, meant.join(" or ")).to_string(),
        };
        writeln!(out, "{what}: win rate {} {opponent}\n", paint(BEST, self.win_rate))?;
        let head = if meant.is_empty() { "dice" } else { "choice" };
        let names = self.choices.iter().map(Choice::name);
        let names: Vec<String> = names.collect();
        let width = names.iter().map(String::len).max().unwrap_or(0).max(head.len());
        writeln!(out, "{}", paint(FAINT, format!("  {head:>width$}  {:<12}  loss", "win rate")))?;
        for (choice, name) in self.choices.iter().zip(&names) {
            let best = self.best.contains(&choice.dice);
            let (mark, style) = if best { ("▶", BEST) } else { (" ", anstyle::Style::new()) };
            let loss = (self.win_rate - choice.win_rate).max(0.0);
            let loss = match best {
                true => paint(BEST, format!("{:<10}", "best")),
                false => paint(LOSS, format!("{loss:<10.8}")),
            };
            let bar = paint(style, bar(choice.win_rate, WIDTH));
            let line = format!("{mark} {name:>width$}  {:<12.10}", choice.win_rate);
            writeln!(out, "{}  {loss}  {bar}", paint(style, line))?;
        }
        write_assumed(&self.assumed, &self.memory, out)?;
        writeln!(out, "\n{}", paint(FAINT, &self.numbers.words))
    }
}
