//! The rules of games: a list of the built-in ones, the rules of one, its text, a check of its
//! examples, and the language of rule files.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, Query};
use crate::engine::{Call, Error, values_by_name};
use crate::format::style::{BEST, FAINT, TITLE, counted, paint, thousands};
use crate::format::{Text, Verdict};
use crate::game::Game;
use crate::game::examples::check_examples;
use crate::queries::ErrorDetail;
use crate::rules::formula::functions::{COUNT, FUNCTIONS, SHOWN};
use crate::rules::formula::{Scope, TURN_VARIABLES, Variable, VariableSet, Vocabulary};
use crate::rules::{
    DefaultValue, HandDice, Hook, Overrides, Rules, STARTS, bid_variables, builtins,
    memory_variables,
};
use crate::solve;
use crate::strategy::Strategy;

/// The games that come with hog
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, clap::Args)]
pub struct RulesList {}

impl Query for RulesList {
    const NAME: &str = "rules/list";
    const SCHEMA: &str = "rules-list";
    type Answer = RulesListAnswer;

    fn answer(&self, call: &Call) -> Result<RulesListAnswer, Error> {
        let mut games = Vec::new();
        for game in builtins() {
            games.push(call.rules(&GivenGame::named(game.id))?);
        }
        Ok(RulesListAnswer::new(&games))
    }
}

/// The rules of a game as sentences and formulas
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
pub struct RulesShow {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
}

impl RulesShow {
    /// The question about a game.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::RulesShow;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&RulesShow::of("sp26"))?;
    /// assert_eq!(answer.id, "fa23");
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into() }
    }
}

impl Query for RulesShow {
    const NAME: &str = "rules/show";
    const SCHEMA: &str = "rules-show";
    type Answer = RulesShowAnswer;

    fn answer(&self, call: &Call) -> Result<RulesShowAnswer, Error> {
        Ok(RulesShowAnswer::new(&call.rules(&self.game)?))
    }
}

/// The text of a game's rule file
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RulesText {
    /// The id or alias of a built-in game.
    #[schemars(example = &"sp16")]
    pub rules: Option<String>,
    /// The text of a rule file, in place of `rules`.
    #[schemars(extend("contentMediaType" = "application/toml"))]
    pub file: Option<String>,
    /// Values by name that are written into its `[numbers]`.
    #[serde(default, deserialize_with = "values_by_name")]
    #[schemars(with = "std::collections::BTreeMap<String, i64>")]
    pub numbers: Vec<(String, i64)>,
}

impl Query for RulesText {
    const NAME: &str = "rules/text";
    const SCHEMA: &str = "rules-text";
    type Answer = RulesTextAnswer;

    fn answer(&self, call: &Call) -> Result<RulesTextAnswer, Error> {
        let rules = self.rules.clone();
        let file = self.file.clone();
        let numbers = self.numbers.clone();
        let game = GivenGame { rules, file, numbers, ..GivenGame::default() };
        Ok(RulesTextAnswer::new(&call.rules(&game)?))
    }
}

impl Text for RulesTextAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())
    }
}

/// A check of a rule file and its worked examples
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RulesCheck {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
}

/// A game whose rules are sound, and whose worked examples hold.
#[derive(Clone, Debug)]
pub struct CheckedRules {
    /// The game.
    pub game: Arc<Game>,
    /// The number of its examples.
    pub examples: usize,
}

impl RulesCheck {
    /// The question about a game.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::RulesCheck;
    ///
    /// let engine = Engine::builder().build();
    /// let answer = engine.ask(&RulesCheck::of("fa21"))?;
    /// assert_eq!(answer.checked, [("fa21".to_owned(), 51)]);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>) -> Self {
        Self { game: game.into() }
    }

    /// Plays the worked examples of the rule file and tabulates the rules. The examples are those
    /// of the rules as they are written, with their own goal and number of dice.
    ///
    /// # Errors
    /// Returns the examples that do not hold together with the errors of the tabulated rules, or an
    /// error if the rules as they are written have faults, or the work is stopped.
    pub fn checked(&self, call: &Call) -> Result<CheckedRules, Error> {
        let rules = call.rules(&self.game)?;
        let written = call.engine.rules_from(&rules.text, &rules.origin, Overrides::default())?;
        let examples = check_examples(&written, &|| call.check().is_ok())
            .map_err(|error| call.game_error(error));
        match (examples, call.tabulate(rules)) {
            (Err(Error::Game(faults)), Err(Error::Game(more))) => Err(faults.and(more).into()),
            (examples, game) => Ok(CheckedRules { examples: examples?, game: game? }),
        }
    }
}

impl Query for RulesCheck {
    const NAME: &str = "rules/check";
    const SCHEMA: &str = "rules-check";
    const IS_LONG: bool = true;
    type Answer = RulesCheckAnswer;

    fn answer(&self, call: &Call) -> Result<RulesCheckAnswer, Error> {
        Ok(RulesCheckAnswer::new(&[self.checked(call)?], None))
    }
}

/// The parts, hooks, variables and functions that rule files can use
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, clap::Args)]
pub struct RulesFunctions {}

impl Query for RulesFunctions {
    const NAME: &str = "rules/functions";
    const SCHEMA: &str = "rules-functions";
    type Answer = RulesFunctionsAnswer;

    fn answer(&self, _call: &Call) -> Result<RulesFunctionsAnswer, Error> {
        Ok(RulesFunctionsAnswer::new())
    }
}

/// The built-in games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesListAnswer {
    /// The games, in the order of the request.
    pub games: Vec<ListedGame>,
}

/// One game of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ListedGame {
    /// The game's id.
    pub id: String,
    /// The game's title.
    pub title: String,
    /// The heading under which it is listed.
    pub group: String,
    /// Other names by which it can be given.
    pub aliases: Vec<String>,
    /// The names of its rules.
    pub rules: Vec<String>,
    /// The strategy against which its course rates others.
    pub baseline: Option<String>,
}

impl RulesListAnswer {
    /// Makes the list of these games.
    pub fn new(games: &[Rules]) -> Self {
        let games = games.iter().map(|rules| ListedGame {
            id: rules.id.clone(),
            title: rules.title.clone(),
            group: rules.group().to_owned(),
            aliases: rules.aliases.clone(),
            rules: rules.rules.iter().map(|rule| rule.name.clone()).collect(),
            baseline: rules.baseline.clone(),
        });
        Self { games: games.collect() }
    }
}

/// Equal dice of a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct KindOfDice {
    /// The name of the memory that counts how many are left.
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// The weights of the faces from 1 up.
    pub weights: Vec<u32>,
}

impl KindOfDice {
    fn new(dice: &HandDice) -> Self {
        let faces = 1..=dice.die.sides() as u32;
        let weights = faces.map(|face| dice.die.weight(face)).collect();
        Self { name: dice.name.clone(), count: dice.count, weights }
    }

    /// The dice in words.
    fn text(&self) -> String {
        let dice = if self.count == 1 { "die" } else { "dice" };
        let name = if self.name == "dice" { String::new() } else { format!(" ({})", self.name) };
        match self.weights.iter().all(|weight| *weight == self.weights[0]) {
            true => format!("{} {dice} of {} sides{name}", self.count, self.weights.len()),
            false => format!("{} {dice} of weights {:?}{name}", self.count, self.weights),
        }
    }
}

/// One game's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesShowAnswer {
    /// The game's id.
    pub id: String,
    /// The path of the rule file, or the id of a built-in game.
    pub origin: String,
    /// The game's title.
    pub title: String,
    /// Other names by which it can be given.
    pub aliases: Vec<String>,
    /// The publication that the rules come from.
    pub source: Option<String>,
    /// The goal: a score of at least this ends the game.
    pub goal: u32,
    /// The step of all scores and points; omitted if it is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The dice of the hand, kind by kind, in games in which some are kept after each roll; omitted
    /// in others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hand: Vec<KindOfDice>,
    /// The fewest dice of a turn; negative if there are moves that roll nothing.
    pub min_dice: i32,
    /// The most dice of a turn; where dice are kept, 1 stands for all that are left.
    pub max_dice: i32,
    /// The strategy against which its course rates others.
    pub baseline: Option<String>,
    /// The win rate against the baseline that the course asks for, in its words.
    pub target: Option<String>,
    /// The memories: numbers that the game keeps between turns in addition to the scores.
    pub memories: Vec<GameMemory>,
    /// The memory that is a pot, as in Pig: a player scores it by rolling no dice. Null if there
    /// is none.
    pub pot: Option<String>,
    /// The numbers with names, in the order of the file; omitted if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<NamedNumber>,
    /// The rules, in the order in which they apply.
    pub rules: Vec<GameRule>,
    /// The rule by which the players bid for the start; omitted if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bid: Option<GameRule>,
    /// What the file does not say, with the value that is used.
    #[serde(default)]
    pub defaults: Vec<GameDefault>,
    /// The number of worked examples in the file.
    pub examples: usize,
    /// The fingerprint of the rules, in hexadecimal, by which a table names its rules.
    pub fingerprint: String,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NamedNumber {
    /// Its name in formulas.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// Where it is used.
    pub used_in: Vec<NumberUse>,
}

/// A formula that uses a number with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NumberUse {
    /// The name of the memory or the rule, or `Bid`.
    pub of: String,
    /// The key of the formula there.
    pub key: String,
}

/// One memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GameMemory {
    /// The memory's name in formulas.
    pub name: String,
    /// Whether each player has one or both share it.
    pub of: MemoryOwner,
    /// The value before the first turn.
    pub start: i64,
    /// The largest value; the smallest is 0.
    pub max: i64,
    /// The formula for the value after a turn.
    pub next: String,
}

/// The owner of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MemoryOwner {
    /// Each player has one.
    Player,
    /// Both players share one.
    Game,
}

/// A part of the game that its file does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GameDefault {
    /// The key of a rule file that would set it, after the memory's name and a dot if it belongs
    /// to a memory.
    pub key: String,
    /// The value used.
    pub value: String,
    /// What the value means.
    pub meaning: String,
}

/// One rule and its formulas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GameRule {
    /// The name of the rule in the handout.
    pub name: String,
    /// The rule in a sentence.
    pub text: Option<String>,
    /// Pairs of a hook and its formula.
    pub hooks: Vec<(String, String)>,
}

impl RulesShowAnswer {
    /// Makes the view of a game's rules.
    pub fn new(rules: &Rules) -> Self {
        let memories = rules.memories.iter().map(|memory| GameMemory {
            name: memory.name.clone(),
            of: if memory.of_player { MemoryOwner::Player } else { MemoryOwner::Game },
            start: memory.start,
            max: memory.max,
            next: memory.next().source().to_owned(),
        });
        let of_turns = rules.rules.iter().map(|rule| GameRule {
            name: rule.name.clone(),
            text: rule.text.clone(),
            hooks: rule
                .hooks
                .iter()
                .filter(|(hook, _)| !rules.is_default(*hook))
                .map(|(hook, formula)| (hook.key().into(), formula.source().into()))
                .collect(),
        });
        let numbers = rules.numbers.iter().map(|number| NamedNumber {
            name: number.name.clone(),
            value: number.value,
            used_in: number
                .uses
                .iter()
                .map(|place| NumberUse { of: place.of.clone(), key: place.key.into() })
                .collect(),
        });
        let bid = rules.bid.as_ref().map(|bid| GameRule {
            name: "Bid".into(),
            text: bid.text.clone(),
            hooks: [("score", &bid.score), ("first", &bid.first)]
                .map(|(key, f)| (key.into(), f.source().into()))
                .into(),
        });
        Self {
            id: rules.id.clone(),
            origin: rules.origin.clone(),
            title: rules.title.clone(),
            aliases: rules.aliases.clone(),
            source: rules.source.clone(),
            goal: rules.goal,
            step: (rules.step > 1).then_some(rules.step),
            hand: rules.hand.iter().map(KindOfDice::new).collect(),
            min_dice: rules.min_dice,
            max_dice: rules.max_dice,
            baseline: rules.baseline.clone(),
            target: rules.target.clone(),
            memories: memories.collect(),
            pot: rules.pot().map(|pot| pot.name.clone()),
            numbers: numbers.collect(),
            rules: of_turns.collect(),
            bid,
            defaults: rules.defaults().into_iter().map(GameDefault::from).collect(),
            examples: rules.examples.len(),
            fingerprint: format!("{:016x}", rules.fingerprint()),
        }
    }
}

impl From<DefaultValue> for GameDefault {
    fn from(DefaultValue { key, value, meaning, .. }: DefaultValue) -> Self {
        Self { key, value, meaning }
    }
}

/// The text of a rule file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesTextAnswer {
    /// The game's id.
    pub id: String,
    /// The text.
    pub text: String,
}

impl RulesTextAnswer {
    /// Makes the view of a rule file's text.
    pub fn new(rules: &Rules) -> Self {
        Self { id: rules.id.clone(), text: rules.text.clone() }
    }
}

/// A new rule file that was written as a starting point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NewRules {
    /// The new game's id.
    pub id: String,
    /// The file's path.
    pub path: String,
}

impl NewRules {
    /// Makes the view of a file that was written.
    pub fn new(id: String, path: String) -> Self {
        Self { id, path }
    }
}

/// The result of checking rules: they were read and tabulated, and their examples were played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesCheckAnswer {
    /// The id and the number of examples of each game that passed.
    pub checked: Vec<(String, usize)>,
    /// How large each game that passed is, and about what it takes to solve it.
    pub sizes: Vec<GameSize>,
    /// What the author of a game that passed should be asked, each with the id of the game;
    /// omitted if there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<(String, String)>,
    /// The errors of the games that failed; omitted if all passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDetail>,
}

/// How large a game is, and about what it takes to solve it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GameSize {
    /// The game's id.
    pub game: String,
    /// The number of states.
    pub states: u64,
    /// The estimated time on one core, in seconds.
    pub seconds: f64,
    /// The estimated memory, in bytes.
    pub bytes: u64,
}

impl RulesCheckAnswer {
    /// Combines the games that passed and the errors of those that failed.
    pub fn new(passed: &[CheckedRules], error: Option<ErrorDetail>) -> Self {
        let mut warnings = Vec::new();
        for CheckedRules { game, .. } in passed {
            let rules = game.rules();
            let defaults = rules.defaults().into_iter().filter_map(|default| default.warning);
            let found = defaults
                .chain(warning_of_memories(game))
                .chain(warning_of_turns(rules))
                .chain(warning_of_baseline(rules));
            warnings.extend(found.map(|warning| (rules.id.clone(), warning)));
        }
        let mut checked = Vec::new();
        let mut sizes = Vec::new();
        for CheckedRules { game, examples, .. } in passed {
            let id = &game.rules().id;
            let cost = solve::cost(game);
            checked.push((id.clone(), *examples));
            sizes.push(GameSize {
                game: id.clone(),
                states: game.space().states() as u64,
                seconds: cost.seconds,
                bytes: cost.bytes,
            });
        }
        Self { checked, sizes, warnings, error }
    }
}

/// Says that the rules do not allow what their baseline rolls.
fn warning_of_baseline(rules: &Rules) -> Option<String> {
    let baseline = rules.baseline.as_deref()?;
    let reason = baseline.parse::<Strategy>().ok()?.misfit(rules)?;
    Some(format!(
        "the baseline `{baseline}` cannot be played: {reason}; strategies are rated against the \
         opponent that is named"
    ))
}

/// Says that a turn ends only by a bust, if a rule lets the mover go on after everything else.
fn warning_of_turns(rules: &Rules) -> Option<String> {
    let busted = VariableSet::of(&[Variable::BUSTED]);
    let mut formulas = rules.hooked(Hook::Again).map(|(_, formula)| formula);
    let endless = formulas
        .find(|formula| formula.reads() == busted && formula.value(&Scope::default()) == Some(1))?;
    Some(format!(
        "`again = \"{}\"` holds for 0 dice, too, so that a turn ends only by a bust: write \
         `dice > 0 && {0}`",
        endless.source()
    ))
}

/// Says which memories of the players could be of the game: those that begin each turn anew and
/// that the opponent's turn does not read.
fn warning_of_memories(game: &Game) -> Option<String> {
    let rules = game.rules();
    let space = game.space();
    let all = rules.memories.iter().filter(|memory| memory.of_player).count();
    let mut found = rules.unread_of_opponent();
    if !(found.len() == all && game.begins_turns_anew()) {
        found.retain(|memory| rules.begins_anew(*memory));
    }
    if found.is_empty() || space.mine == 1 {
        return None;
    }
    let names: Vec<&str> = found.iter().map(|memory| &*rules.memories[*memory].name).collect();
    let unread: Vec<String> = names.iter().map(|name| format!("`opponent_{name}`")).collect();
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (is, begins) = if names.len() == 1 { ("is", "begins") } else { ("are", "begin") };
    let instead = match found.len() == all {
        true => {
            let [fewer, states] = [space.states() / space.mine, space.states()];
            let [fewer, states] = [fewer, states].map(|states| thousands(states as u64));
            format!("the game is the same with {fewer} states, not {states}")
        }
        false => "the game is the same with fewer states".to_owned(),
    };
    Some(format!(
        "{} {is} never read, and {} {begins} each turn anew: write of = \"game\", and {instead}",
        unread.join(" and "),
        names.join(" and "),
    ))
}

/// The parts of a rule file, each with its meaning.
const PARTS: [(&str, &str); 11] = [
    ("goal", "a score of at least this ends the game"),
    ("min_dice", "the fewest dice that a turn may roll"),
    ("max_dice", "the most dice that a turn may roll"),
    ("step", "all scores and points are multiples of it"),
    ("baseline", "the built-in strategy that others are rated against, as in always_roll:6"),
    ("[numbers]", "numbers with names, which formulas may use and others can be tried: hunger = 3"),
    ("[[dice]]", "the dice of which some are kept after each roll"),
    ("[[memory]]", "what the game remembers between turns: name, of, max, start, next"),
    ("[[rule]]", "name, text, and a formula for each hook that it sets"),
    ("[bid]", "the bids with which the game begins"),
    (
        "[[example]]",
        "a turn and what follows: turn = { score = 2, dice = [1, 4] }, after = { ... }",
    ),
];

/// The language of rule files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesFunctionsAnswer {
    /// The parts of a rule file that decide how a game is played or rated, each with its meaning.
    pub parts: Vec<(String, String)>,
    /// The hooks that a rule may set, each with its meaning.
    pub hooks: Vec<(String, String)>,
    /// The variables that a formula may use, each with its meaning.
    pub variables: Vec<(String, String)>,
    /// For each variable, the hooks whose formulas may use it. `next` stands for the formula of a
    /// memory and `bid` for both formulas of the bid.
    pub seen_by: Vec<(String, Vec<String>)>,
    /// A description of each function.
    pub functions: Vec<String>,
}

impl RulesFunctionsAnswer {
    /// Makes the list of all hooks, variables and functions.
    pub fn new() -> Self {
        let parts = PARTS.iter().map(|(name, meaning)| ((*name).into(), (*meaning).into()));
        Self {
            parts: parts.collect(),
            hooks: Hook::ALL
                .iter()
                .map(|hook| (hook.key().into(), hook.meaning().into()))
                .collect(),
            variables: TURN_VARIABLES
                .iter()
                .map(|(name, meaning)| ((*name).into(), (*meaning).into()))
                .collect(),
            seen_by: TURN_VARIABLES
                .iter()
                .map(|(name, _)| ((*name).into(), seen_by(name)))
                .collect(),
            functions: FUNCTIONS
                .iter()
                .map(|function| function.meaning)
                .chain([COUNT.1, SHOWN.1])
                .map(str::to_owned)
                .collect(),
        }
    }
}

/// Returns the formulas that may use a variable.
fn seen_by(name: &str) -> Vec<String> {
    let names = Vocabulary::of_all();
    let hooks = Hook::ALL.iter().map(|hook| (hook.key(), hook.variables()));
    let formulas = hooks.chain([("next", memory_variables()), ("bid", bid_variables())]);
    let seeing = formulas.filter(|(_, variables)| names.names_in(*variables).contains(&name));
    seeing.map(|(formula, _)| formula.to_owned()).collect()
}

impl Default for RulesFunctionsAnswer {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the headings of groups of games, the largest group first.
pub(crate) fn groups<'v>(of_games: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for name in of_games {
        match groups.iter_mut().find(|(group, _)| *group == name) {
            Some((_, games)) => *games += 1,
            None => groups.push((name, 1)),
        }
    }
    groups.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    groups.into_iter().map(|(group, _)| group).collect()
}

impl Text for RulesListAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.games.iter().map(|game| game.id.len()).max().unwrap_or(0);
        for (place, group) in groups(self.games.iter().map(|game| &*game.group)).iter().enumerate()
        {
            let gap = if place == 0 { "" } else { "\n" };
            writeln!(out, "{gap}{}", paint(TITLE, group))?;
            for game in self.games.iter().filter(|game| game.group == *group) {
                let also = match &game.aliases[..] {
                    [] => String::new(),
                    aliases => format!(" (also {})", aliases.join(", ")),
                };
                writeln!(
                    out,
                    "  {}  {}{also}",
                    paint(BEST, format!("{:<width$}", game.id)),
                    game.title
                )?;
                writeln!(
                    out,
                    "{}",
                    paint(FAINT, format!("  {:width$}  {}", "", game.rules.join(", ")))
                )?;
            }
        }
        Ok(())
    }
}

impl Text for RulesShowAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  {}", paint(BEST, &self.id), paint(TITLE, &self.title))?;
        if !self.aliases.is_empty() {
            writeln!(out, "  also called {}", self.aliases.join(", "))?;
        }
        match &self.hand[..] {
            [] => writeln!(
                out,
                "  {} to {} dice a turn, up to {} points",
                self.min_dice, self.max_dice, self.goal
            )?,
            hand => {
                let dice: Vec<String> = hand.iter().map(KindOfDice::text).collect();
                let dice = dice.join(" and ");
                writeln!(out, "  {dice}, some of which are kept after each roll")?;
                writeln!(out, "  up to {} points", self.goal)?;
            }
        }
        if let Some(step) = self.step {
            writeln!(out, "  all points are multiples of {step}")?;
        }
        if let Some(source) = &self.source {
            writeln!(out, "  source: {source}")?;
        }
        if let Some(baseline) = &self.baseline {
            let target = self
                .target
                .as_ref()
                .map_or_else(String::new, |target| format!(", target: {target}"));
            writeln!(out, "  baseline: {baseline}{target}")?;
        }
        if !self.numbers.is_empty() {
            writeln!(out, "\n{}", paint(TITLE, "Numbers"))?;
        }
        for NamedNumber { name, value, used_in } in &self.numbers {
            let uses: Vec<String> =
                used_in.iter().map(|NumberUse { of, key }| format!("{of} ({key})")).collect();
            let uses = match uses.is_empty() {
                true if STARTS.contains(&name.as_str()) => "a score at the start".to_owned(),
                true => "in no formula".to_owned(),
                false => format!("in {}", uses.join(", ")),
            };
            writeln!(out, "  {name} = {value}  {}", paint(FAINT, uses))?;
        }
        for memory in &self.memories {
            let whose =
                if memory.of == MemoryOwner::Player { "each player's" } else { "the game's" };
            let GameMemory { name, start, max, next, .. } = memory;
            if self.hand.iter().any(|dice| dice.name == *name) {
                writeln!(
                    out,
                    "\n{} how many of these dice are left to be rolled",
                    paint(TITLE, name)
                )?;
                continue;
            }
            writeln!(
                out,
                "\n{} {whose} memory, 0 to {max}, at first {start}, then {next}",
                paint(TITLE, name)
            )?;
        }
        for rule in self.bid.iter().chain(&self.rules) {
            writeln!(out, "\n{}", paint(TITLE, &rule.name))?;
            if let Some(text) = &rule.text {
                writeln!(out, "  {text}")?;
            }
            for (hook, formula) in &rule.hooks {
                writeln!(out, "  {}", paint(FAINT, format!("{hook} = {formula}")))?;
            }
        }
        if !self.defaults.is_empty() {
            writeln!(out, "\n{}", paint(TITLE, "Not in the file, so by default"))?;
        }
        for GameDefault { key, value, meaning } in &self.defaults {
            writeln!(out, "  {key} = {value}  {}", paint(FAINT, meaning))?;
        }
        writeln!(
            out,
            "\n{}",
            paint(
                FAINT,
                format!(
                    "{} worked examples; `hog rules check {}` runs them",
                    self.examples, self.origin
                )
            )
        )
    }
}

impl Text for NewRules {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { path, .. } = self;
        writeln!(
            out,
            "{} is written: edit it, then run `hog rules check {path}`",
            paint(BEST, path)
        )
    }
}

impl fmt::Display for GameSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = match self.seconds {
            ..=1.5 => "a second or less".to_owned(),
            ..=90.0 => format!("about {:.0} seconds", self.seconds),
            seconds => format!("about {} minutes", thousands((seconds / 60.0).round() as u64)),
        };
        let memory = match self.bytes >> 20 {
            0 => "1 MB or less".to_owned(),
            mebibytes => format!("about {} MB", thousands(mebibytes)),
        };
        write!(f, "{} states: solving takes {time} and {memory}", thousands(self.states))
    }
}

impl Text for RulesCheckAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (id, examples) in &self.checked {
            let hold = if *examples == 1 { "holds" } else { "hold" };
            let examples = counted(*examples as u64, "example");
            writeln!(out, "{}  the rules are sound and {examples} {hold}", paint(BEST, id))?;
            for size in self.sizes.iter().filter(|size| size.game == *id) {
                writeln!(out, "  {size}")?;
            }
            for (_, warning) in self.warnings.iter().filter(|(of, _)| of == id) {
                writeln!(out, "  warning: {warning}")?;
            }
        }
        Ok(())
    }

    fn verdict(&self) -> Verdict<'_> {
        self.error.as_ref().map_or(Verdict::Yes, |error| Verdict::Partly(&error.message))
    }
}

impl Text for RulesFunctionsAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, "Parts of a rule file"))?;
        for (name, meaning) in &self.parts {
            entry(out, name, meaning)?;
        }
        writeln!(out, "\n{}", paint(TITLE, "Hooks, in the order of a turn"))?;
        for (name, meaning) in &self.hooks {
            entry(out, name, meaning)?;
        }
        writeln!(out, "\n{}", paint(TITLE, "Variables, and the hooks that see them"))?;
        for ((name, meaning), (_, seen_by)) in self.variables.iter().zip(&self.seen_by) {
            entry(out, name, meaning)?;
            // `next` (a formula of a memory) and `bid` (the formulas of the bid) are listed too,
            // but are not hooks.
            let everywhere = self.hooks.iter().all(|(hook, _)| seen_by.contains(hook));
            let shown: Vec<&str> = match everywhere {
                true => {
                    let others = seen_by
                        .iter()
                        .filter(|name| self.hooks.iter().all(|(hook, _)| hook != *name));
                    std::iter::once("every hook").chain(others.map(String::as_str)).collect()
                }
                false => seen_by.iter().map(String::as_str).collect(),
            };
            writeln!(
                out,
                "{}",
                paint(FAINT, wrapped(&format!("in {}", shown.join(", ")), MEANING))
            )?;
        }
        let note = "next is the formula of a memory, and bid stands for the two formulas of the \
            bid; every hook and next see memories";
        writeln!(out, "{}\n", paint(FAINT, wrapped(note, MEANING)))?;
        writeln!(out, "{}", paint(TITLE, "Functions"))?;
        self.functions.iter().try_for_each(|meaning| writeln!(out, "  {meaning}"))?;
        writeln!(out, "\nOperators: + - * / %, == != < <= > >=, && || !, a ? b : c, true, false")
    }
}

/// The column at which meanings begin.
const MEANING: usize = 19;

/// Writes a name and its meaning, indented and wrapped.
fn entry(out: &mut dyn Write, name: &str, meaning: &str) -> io::Result<()> {
    let wrapped = wrapped(meaning, MEANING);
    writeln!(out, "  {name:<16} {}", wrapped.trim_start())
}

/// Wraps a text at 79 columns, with an indent.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && indent + line.len() + 1 + word.len() > 79 {
            lines.push(std::mem::take(&mut line));
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    lines.push(line);
    lines.iter().map(|line| format!("{:indent$}{line}", "")).collect::<Vec<_>>().join("\n")
}
