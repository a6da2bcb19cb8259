//! The list of games, the rules of one game, and the language of rule files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ErrorDetail;

use crate::rules::formula::functions::{COUNT, FUNCTIONS};
use crate::rules::formula::{TURN_VARIABLES, Vocabulary};
use crate::rules::{self, DefaultValue, Hook, Rules, bid_variables, memory_variables};

/// The built-in games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesListView {
    /// The games, in the order of the request.
    pub games: Vec<GameView>,
}

/// One game of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GameView {
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

impl RulesListView {
    /// Makes the list of these games.
    pub fn new(games: &[Rules]) -> Self {
        let game = |rules: &Rules| GameView {
            id: rules.id.clone(),
            title: rules.title.clone(),
            group: rules.group().to_owned(),
            aliases: rules.aliases.clone(),
            rules: rules.rules.iter().map(|rule| rule.name.clone()).collect(),
            baseline: rules.baseline.clone(),
        };
        Self { games: games.iter().map(game).collect() }
    }
}

/// One game's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesView {
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
    /// The fewest dice of a turn; negative if there are moves that roll nothing.
    pub min_dice: i32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// The strategy against which its course rates others.
    pub baseline: Option<String>,
    /// The win rate against the baseline that the course asks for, in its words.
    pub target: Option<String>,
    /// The memories: numbers that the game keeps between turns in addition to the scores.
    pub memories: Vec<MemoryView>,
    /// The memory that is a pot, as in Pig: a player scores it by rolling no dice. Null if there
    /// is none.
    pub pot: Option<String>,
    /// The rules, in the order in which they apply.
    pub rules: Vec<RuleView>,
    /// The rule by which the players bid for the start; omitted if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bid: Option<RuleView>,
    /// What the file does not say, with the value that is used.
    #[serde(default)]
    pub defaults: Vec<DefaultView>,
    /// The number of worked examples in the file.
    pub examples: usize,
    /// The fingerprint of the rules, in hexadecimal, by which a table names its rules.
    pub fingerprint: String,
}

/// One memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MemoryView {
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
pub struct DefaultView {
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
pub struct RuleView {
    /// The name of the rule in the handout.
    pub name: String,
    /// The rule in a sentence.
    pub text: Option<String>,
    /// Pairs of a hook and its formula.
    pub hooks: Vec<(String, String)>,
}

impl RulesView {
    /// Makes the view of a game's rules.
    pub fn new(rules: &Rules) -> Self {
        let memory = |memory: &rules::Memory| MemoryView {
            name: memory.name.clone(),
            of: if memory.of_player { MemoryOwner::Player } else { MemoryOwner::Game },
            start: memory.start,
            max: memory.max,
            next: memory.next().source().to_owned(),
        };
        let rule = |rule: &crate::rules::Rule| RuleView {
            name: rule.name.clone(),
            text: rule.text.clone(),
            hooks: rule
                .hooks
                .iter()
                .map(|(hook, formula)| (hook.key().into(), formula.source().into()))
                .collect(),
        };
        let bid = |bid: &rules::Bid| RuleView {
            name: "Bid".into(),
            text: bid.text.clone(),
            hooks: [("score", &bid.score), ("first", &bid.first)]
                .map(|(key, f)| (key.into(), f.source().into()))
                .into(),
        };
        Self {
            id: rules.id.clone(),
            origin: rules.origin.clone(),
            title: rules.title.clone(),
            aliases: rules.aliases.clone(),
            source: rules.source.clone(),
            goal: rules.goal,
            min_dice: rules.min_dice,
            max_dice: rules.max_dice,
            baseline: rules.baseline.clone(),
            target: rules.target.clone(),
            memories: rules.memories.iter().map(memory).collect(),
            pot: rules.pot().map(|pot| pot.name.clone()),
            rules: rules.rules.iter().map(rule).collect(),
            bid: rules.bid.as_ref().map(bid),
            defaults: rules.defaults().into_iter().map(DefaultView::from).collect(),
            examples: rules.examples.len(),
            fingerprint: format!("{:016x}", rules.fingerprint()),
        }
    }
}

impl From<DefaultValue> for DefaultView {
    fn from(DefaultValue { key, value, meaning, .. }: DefaultValue) -> Self {
        Self { key, value, meaning }
    }
}

/// The text of a rule file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesTextView {
    /// The game's id.
    pub id: String,
    /// The text.
    pub text: String,
}

impl RulesTextView {
    /// Makes the view of a rule file's text.
    pub fn new(rules: &Rules) -> Self {
        Self { id: rules.id.clone(), text: rules.text.clone() }
    }
}

/// A new rule file that was written as a starting point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NewRulesView {
    /// The new game's id.
    pub id: String,
    /// The file's path.
    pub path: String,
}

impl NewRulesView {
    /// Makes the view of a file that was written.
    pub fn new(id: String, path: String) -> Self {
        Self { id, path }
    }
}

/// The result of checking rules: they were read and tabulated, and their examples were played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesCheckView {
    /// The id and the number of examples of each game that passed.
    pub checked: Vec<(String, usize)>,
    /// What the author of a game that passed should be asked, each with the id of the game;
    /// omitted if there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<(String, String)>,
    /// The errors of the games that failed; omitted if all passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDetail>,
}

impl RulesCheckView {
    /// Combines the games that passed, each with its number of examples, and the errors of those
    /// that failed.
    pub fn new(passed: &[(&Rules, usize)], error: Option<ErrorDetail>) -> Self {
        let warnings_of = |rules: &Rules| -> Vec<(String, String)> {
            let warnings = rules.defaults().into_iter().filter_map(|default| default.warning);
            warnings.map(|warning| (rules.id.clone(), warning)).collect()
        };
        Self {
            checked: passed.iter().map(|(rules, examples)| (rules.id.clone(), *examples)).collect(),
            warnings: passed.iter().flat_map(|(rules, _)| warnings_of(rules)).collect(),
            error,
        }
    }
}

/// The language of rule files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FunctionsView {
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

impl FunctionsView {
    /// Makes the list of all hooks, variables and functions.
    pub fn new() -> Self {
        Self {
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
                .chain([COUNT.1])
                .map(str::to_owned)
                .collect(),
        }
    }
}

/// Returns the formulas that may use a variable.
fn seen_by(name: &str) -> Vec<String> {
    let names = Vocabulary::new(&[]);
    let hooks = Hook::ALL.iter().map(|hook| (hook.key(), hook.variables()));
    let formulas = hooks.chain([("next", memory_variables()), ("bid", bid_variables())]);
    let seeing = formulas.filter(|(_, variables)| names.names_in(*variables).contains(&name));
    seeing.map(|(formula, _)| formula.to_owned()).collect()
}

impl Default for FunctionsView {
    fn default() -> Self {
        Self::new()
    }
}
