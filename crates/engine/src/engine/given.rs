//! What requests name, before it is read: a game, a position, a strategy.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::numbers::{memory_value, score};
use crate::game::{Game, Position, PositionError};
use crate::rules::{Overrides, Rules, builtins};
use crate::strategy::{Strategy, StrategyError};

/// A game by name or as the text of a rule file, with changes to its rules.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GivenGame {
    /// The id or alias of a built-in game.
    #[schemars(example = &"sp16")]
    pub rules: Option<String>,
    /// The text of a rule file, in place of `rules`.
    #[schemars(extend("contentMediaType" = "application/toml"))]
    pub file: Option<String>,
    /// A goal that replaces that of the rules.
    #[schemars(range(min = 1, max = crate::rules::limits::GOAL))]
    pub goal: Option<u32>,
    /// A largest number of dice that replaces that of the rules.
    pub max_dice: Option<u32>,
    /// Values by name that replace those of the `[numbers]` of the rules.
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "BTreeMap<String, i64>")]
    pub numbers: Vec<(String, i64)>,
    /// A game that is tabulated already, in place of all others.
    #[serde(skip)]
    pub tabulated: Option<Arc<Game>>,
}

impl GivenGame {
    /// The game with this id or alias, or of the rule file with this path.
    pub fn named(name: impl Into<String>) -> Self {
        Self { rules: Some(name.into()), ..Self::default() }
    }

    /// The game of the text of a rule file.
    pub fn of_text(text: impl Into<String>) -> Self {
        Self { file: Some(text.into()), ..Self::default() }
    }

    /// Sets another goal.
    #[must_use]
    pub fn goal(mut self, goal: u32) -> Self {
        self.goal = Some(goal);
        self
    }

    /// Sets another largest number of dice.
    #[must_use]
    pub fn max_dice(mut self, max_dice: u32) -> Self {
        self.max_dice = Some(max_dice);
        self
    }

    /// Sets another goal and largest number of dice, or those of the rules.
    #[must_use]
    pub fn overridden(self, overrides: Overrides) -> Self {
        Self { goal: overrides.goal, max_dice: overrides.max_dice, ..self }
    }

    /// Sets other values of the numbers that rules name.
    #[must_use]
    pub fn numbers(mut self, values: impl IntoIterator<Item = (String, i64)>) -> Self {
        self.numbers.extend(values);
        self
    }

    /// Whether anything replaces what the rules say.
    pub fn is_changed(&self) -> bool {
        self.overrides() != Overrides::default() || !self.numbers.is_empty()
    }

    /// Formats the changes to the rules as options of the command line, each preceded by a space.
    pub fn as_options(&self) -> String {
        let mut options = String::new();
        for (option, value) in [("goal", self.goal), ("max-dice", self.max_dice)] {
            if let Some(value) = value {
                options += &format!(" --{option} {value}");
            }
        }
        for (name, value) in &self.numbers {
            options += &format!(" --set {name}={value}");
        }
        options
    }

    /// Returns the changes to the rules.
    pub fn overrides(&self) -> Overrides {
        Overrides { goal: self.goal, max_dice: self.max_dice }
    }
}

impl From<&str> for GivenGame {
    fn from(name: &str) -> Self {
        Self::named(name)
    }
}

impl From<String> for GivenGame {
    fn from(name: String) -> Self {
        Self::named(name)
    }
}

impl From<&GivenGame> for GivenGame {
    fn from(given: &Self) -> Self {
        given.clone()
    }
}

impl From<&Arc<Game>> for GivenGame {
    fn from(game: &Arc<Game>) -> Self {
        Self { tabulated: Some(Arc::clone(game)), ..Self::default() }
    }
}

/// Games by name, and changes to the rules of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GivenGames {
    /// The ids or aliases of built-in games (default: all).
    #[serde(default)]
    pub rules: Vec<String>,
    /// A goal that replaces that of each game.
    pub goal: Option<u32>,
    /// A largest number of dice that replaces that of each game.
    pub max_dice: Option<u32>,
    /// Values by name that replace those of the `[numbers]` of each game.
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "BTreeMap<String, i64>")]
    pub numbers: Vec<(String, i64)>,
}

impl GivenGames {
    /// Returns these games, or all built-in ones if none is named.
    pub fn each_or_all(&self) -> Vec<GivenGame> {
        let overrides = Overrides { goal: self.goal, max_dice: self.max_dice };
        let names: Vec<&str> = match &self.rules[..] {
            [] => builtins().iter().map(|game| game.id).collect(),
            names => names.iter().map(String::as_str).collect(),
        };
        let changed = GivenGame::default().overridden(overrides).numbers(self.numbers.clone());
        let mut games = Vec::new();
        for name in names {
            games.push(GivenGame { rules: Some(name.to_owned()), ..changed.clone() });
        }
        games
    }
}

/// On the command line, names are arguments; the changes are options that all commands share.
mod arguments {
    use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

    use super::{GivenGame, GivenGames};

    /// Returns a number that changes the rules; a program without these options has none.
    fn number(matches: &ArgMatches, name: &str) -> Option<u32> {
        matches.try_get_one::<u32>(name).ok().flatten().copied()
    }

    /// Returns other values of numbers.
    fn numbers(matches: &ArgMatches) -> Vec<(String, i64)> {
        let set = matches.try_get_many::<(String, i64)>("set").ok().flatten();
        set.into_iter().flatten().cloned().collect()
    }

    impl FromArgMatches for GivenGames {
        fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
            let rules = matches.get_many::<String>("rules").into_iter().flatten();
            Ok(Self {
                rules: rules.cloned().collect(),
                goal: number(matches, "goal"),
                max_dice: number(matches, "max_dice"),
                numbers: numbers(matches),
            })
        }

        fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
            *self = Self::from_arg_matches(matches)?;
            Ok(())
        }
    }

    impl Args for GivenGames {
        fn augment_args(command: Command) -> Command {
            let rules = Arg::new("rules").value_name("RULES").num_args(0..);
            command.arg(rules.help("Built-in games or rule files (default: all built-in games)"))
        }

        fn augment_args_for_update(command: Command) -> Command {
            Self::augment_args(command)
        }
    }

    impl FromArgMatches for GivenGame {
        fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
            Ok(Self {
                rules: matches.get_one::<String>("rules").cloned(),
                goal: number(matches, "goal"),
                max_dice: number(matches, "max_dice"),
                numbers: numbers(matches),
                ..Self::default()
            })
        }

        fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
            *self = Self::from_arg_matches(matches)?;
            Ok(())
        }
    }

    impl Args for GivenGame {
        fn augment_args(command: Command) -> Command {
            let rules = Arg::new("rules").value_name("RULES").required(true);
            command.arg(rules.help("A built-in game or a rule file"))
        }

        fn augment_args_for_update(command: Command) -> Command {
            Self::augment_args(command)
        }
    }
}

/// A position, which the game may not have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct GivenPosition {
    /// The score of the player to move.
    #[arg(value_parser = score)]
    pub score: u32,
    /// The opponent's score.
    #[arg(value_parser = score)]
    pub opponent: u32,
    /// Values of memories by name; those not given have their value at the start of the game.
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "BTreeMap<String, i64>")]
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, value_delimiter = ',')]
    pub memory: Vec<(String, i64)>,
}

impl GivenPosition {
    /// A position with the scores of the player to move and of the opponent.
    pub fn scores(score: u32, opponent: u32) -> Self {
        Self { score, opponent, memory: Vec::new() }
    }

    /// Sets the values of some memories.
    #[must_use]
    pub fn memories(mut self, values: impl IntoIterator<Item = (String, i64)>) -> Self {
        self.memory.extend(values);
        self
    }

    /// Returns the position under these rules.
    ///
    /// # Errors
    /// Returns an error if the game has no such position, or a memory has two values.
    pub fn position(&self, rules: &Rules) -> Result<Position, PositionError> {
        self.before_roll(rules, 0)
    }

    /// Returns the position in which so many dice are rolled: where dice of one kind are kept, they
    /// are those that were left, unless the memory is given.
    ///
    /// # Errors
    /// As [`Self::position`].
    pub(crate) fn before_roll(
        &self,
        rules: &Rules,
        rolled: usize,
    ) -> Result<Position, PositionError> {
        for (at, (name, _)) in self.memory.iter().enumerate() {
            if self.memory[..at].iter().any(|(earlier, _)| earlier == name) {
                return Err(PositionError::MemoryTwice { name: name.clone() });
            }
        }
        let start = Position::new(rules, self.score, self.opponent)?;
        let mut position = start.with_rolled(rules, rolled);
        for (name, value) in &self.memory {
            position = position.with_memory(rules, name, *value)?;
        }
        position.with_dice_left(rules)
    }
}

/// Values of memories.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct GivenMemories {
    /// A memory's value (default: as at the start of the game)
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "BTreeMap<String, i64>")]
    #[arg(long, value_name = "NAME=V", value_parser = memory_value, value_delimiter = ',')]
    pub memory: Vec<(String, i64)>,
}

impl GivenMemories {
    /// These values of memories.
    pub fn of(memory: Vec<(String, i64)>) -> Self {
        Self { memory }
    }

    /// Returns the start of the game with these values.
    pub fn at_start(&self) -> GivenPosition {
        GivenPosition::scores(0, 0).memories(self.memory.iter().cloned())
    }
}

pub(crate) fn values_by_name<'de, D: serde::Deserializer<'de>>(
    document: D,
) -> Result<Vec<(String, i64)>, D::Error> {
    Ok(BTreeMap::deserialize(document)?.into_iter().collect())
}

/// A strategy by name, or one that is known already.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(from = "String")]
#[schemars(with = "String", extend("format" = "strategy"))]
pub enum GivenStrategy {
    /// A name: `always_roll:6`, `beat:baseline`, or that of a file.
    Named(String),
    /// A strategy.
    Known(Strategy),
}

impl From<String> for GivenStrategy {
    fn from(name: String) -> Self {
        Self::Named(name)
    }
}

impl From<&str> for GivenStrategy {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<Strategy> for GivenStrategy {
    fn from(strategy: Strategy) -> Self {
        Self::Known(strategy)
    }
}

impl From<&Strategy> for GivenStrategy {
    fn from(strategy: &Strategy) -> Self {
        Self::Known(strategy.clone())
    }
}

impl GivenStrategy {
    /// Returns the strategy, if it is known: on the command line, always.
    pub fn known(&self) -> Option<&Strategy> {
        match self {
            Self::Known(strategy) => Some(strategy),
            Self::Named(_) => None,
        }
    }

    /// Returns how often it names standard input, as [`Strategy::inputs`] does.
    pub fn inputs(&self) -> usize {
        self.known().map_or(0, Strategy::inputs)
    }
}

/// Reads a name on the command line, which is refused there if it names nothing.
impl clap::builder::ValueParserFactory for GivenStrategy {
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        clap::builder::ValueParser::new(|name: &str| {
            Strategy::on_command_line(name).map(Self::Known)
        })
    }
}

impl fmt::Display for GivenStrategy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => out.write_str(name),
            Self::Known(strategy) => strategy.fmt(out),
        }
    }
}

/// The opponent's strategy. On the command line it is an argument or an option.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct GivenOpponent {
    /// The opponent's strategy (default: the game's baseline)
    #[schemars(example = &"baseline")]
    pub against: Option<GivenStrategy>,
    /// The same as AGAINST
    #[serde(skip)]
    #[arg(long = "against", value_name = "STRATEGY", conflicts_with = "against")]
    pub named: Option<GivenStrategy>,
}

impl GivenOpponent {
    /// Returns the strategy, if one is given.
    pub fn strategy(&self) -> Option<&GivenStrategy> {
        self.against.as_ref().or(self.named.as_ref())
    }
}

/// Two players: Player 0, who moves first, and Player 1.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct GivenPlayers(pub [GivenStrategy; 2]);

/// Both play optimally.
impl Default for GivenPlayers {
    fn default() -> Self {
        [Strategy::Optimal, Strategy::Optimal].into()
    }
}

impl From<[Strategy; 2]> for GivenPlayers {
    fn from(strategies: [Strategy; 2]) -> Self {
        Self(strategies.map(GivenStrategy::Known))
    }
}

/// Reads `A,B` or `A`, where the numbers of a strategy may contain commas.
impl FromStr for GivenPlayers {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let commas = text.match_indices(',').map(|(place, _)| place);
        let mut both = commas.rev().filter_map(|place| {
            Some([text[..place].parse().ok()?, text[place + 1..].trim().parse().ok()?])
        });
        let players: [Strategy; 2] = match (text.parse::<Strategy>(), both.next()) {
            // The name of one file may have a comma, but two files are likelier.
            (Ok(Strategy::Python(_) | Strategy::Table(_)), Some(both))
                if !Path::new(text).is_file() =>
            {
                both
            }
            (Ok(one), _) => [one.clone(), one],
            (Err(_), Some(both)) => both,
            // If one side of a comma is a strategy, the other is to blame.
            (Err(error), None) => {
                let sides = text.match_indices(',').map(|(place, _)| {
                    (
                        text[..place].parse::<Strategy>(),
                        text[place + 1..].trim().parse::<Strategy>(),
                    )
                });
                let wrong = sides.rev().find_map(|sides| match sides {
                    (Ok(_), Err(error)) | (Err(error), Ok(_)) => Some(error),
                    _ => None,
                });
                return Err(wrong.unwrap_or(error));
            }
        };
        Ok(players.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_players_are_separated_by_the_comma_that_gives_two_names() {
        for (text, both) in [
            ("optimal", ["optimal", "optimal"]),
            ("always_roll:4,baseline", ["always_roll:4", "baseline"]),
            ("bacon_strategy:8,6", ["bacon_strategy:8,6", "bacon_strategy:8,6"]),
            ("bacon_strategy:8,6,optimal", ["bacon_strategy:8,6", "optimal"]),
            ("a.py,b.py", ["python:a.py", "python:b.py"]),
            ("a.csv, b.npy", ["table:a.csv", "table:b.npy"]),
        ] {
            let players: GivenPlayers = text.parse().unwrap();
            assert_eq!(players.0.map(|player| player.to_string()), both, "{text}");
        }
        for (text, wrong) in
            [("optimal,nobody", "nobody"), ("nobody,always_roll:4", "nobody"), ("no,one", "no,one")]
        {
            let error = text.parse::<GivenPlayers>().unwrap_err();
            let StrategyError::Unknown { text: named, .. } = &error else { panic!("{error}") };
            assert_eq!(named, wrong, "{text}");
        }
    }
}
