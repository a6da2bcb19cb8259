//! The games, one game's rules as sentences, and the language of rule files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ErrorDetail;

use crate::rules::formula::functions::{COUNT, FUNCTIONS};
use crate::rules::formula::{TURN_VARIABLES, Vocabulary};
use crate::rules::{self, Hook, Rules, bid_variables, memory_variables};

/// All games that come with the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesListView {
    /// The games, in the order asked.
    pub games: Vec<GameView>,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GameView {
    /// Its short name.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// The heading it is listed under.
    pub group: String,
    /// Other short names.
    pub aliases: Vec<String>,
    /// The names of its rules.
    pub rules: Vec<String>,
    /// The strategy that its course rates against.
    pub baseline: Option<String>,
}

impl RulesListView {
    /// Of these games.
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
    /// Its short name.
    pub id: String,
    /// Where the rules were read from: the path of a file, or the id of a built-in game.
    pub origin: String,
    /// Its name for people.
    pub title: String,
    /// Other short names.
    pub aliases: Vec<String>,
    /// Where the rules come from.
    pub source: Option<String>,
    /// A score of this or more ends the game.
    pub goal: u32,
    /// The fewest dice of a turn; below 0 for moves that roll nothing.
    pub min_dice: i32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// The strategy that its course rates against.
    pub baseline: Option<String>,
    /// The win rate against the baseline that the course asks for, in its words.
    pub target: Option<String>,
    /// What the game remembers beside the scores.
    pub memories: Vec<MemoryView>,
    /// The rules in the order they apply.
    pub rules: Vec<RuleView>,
    /// How the players bid for the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bid: Option<RuleView>,
    /// How many worked examples the file has.
    pub examples: usize,
    /// The number that tables of this game carry, in hexadecimal.
    pub fingerprint: String,
}

/// One memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MemoryView {
    /// Its name in formulas.
    pub name: String,
    /// Whose it is.
    pub of: MemoryOwner,
    /// Its value before the first turn.
    pub start: i64,
    /// Its largest value; the smallest is 0.
    pub max: i64,
    /// The formula of its next value.
    pub next: String,
}

/// Whose a memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MemoryOwner {
    /// Each player has one.
    Player,
    /// Both share one.
    Game,
}

/// One rule with its formulas by hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleView {
    /// The handout's name of the rule.
    pub name: String,
    /// What it says, in a sentence.
    pub text: Option<String>,
    /// Its formulas with the hooks they set.
    pub hooks: Vec<(String, String)>,
}

impl RulesView {
    /// Of a game.
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
            hooks: rule.hooks.iter().map(|(hook, formula)| (hook.key().into(), formula.source().into())).collect(),
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
            rules: rules.rules.iter().map(rule).collect(),
            bid: rules.bid.as_ref().map(bid),
            examples: rules.examples.len(),
            fingerprint: format!("{:016x}", rules.fingerprint()),
        }
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
    /// Of a game.
    pub fn new(rules: &Rules) -> Self {
        Self { id: rules.id.clone(), text: rules.text.clone() }
    }
}

/// A rule file that was written to start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NewRulesView {
    /// The new game's id.
    pub id: String,
    /// The file.
    pub path: String,
}

impl NewRulesView {
    /// Of a file that was written.
    pub fn new(id: String, path: String) -> Self {
        Self { id, path }
    }
}

/// Rules that were read, tabulated, and whose examples hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RulesCheckView {
    /// Each game's id, and how many examples it has.
    pub checked: Vec<(String, usize)>,
    /// What is wrong with the others; left out if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDetail>,
}

impl RulesCheckView {
    /// Of ids and numbers of examples, and of what could not be used.
    pub fn new(checked: Vec<(String, usize)>, error: Option<ErrorDetail>) -> Self {
        Self { checked, error }
    }
}

/// The language of rule files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FunctionsView {
    /// What a rule may set, and what each means.
    pub hooks: Vec<(String, String)>,
    /// What a formula may name, and what each means.
    pub variables: Vec<(String, String)>,
    /// By variable: the hooks whose formulas may name it, and `next` (of a memory) and `bid` (both formulas of the bid).
    pub seen_by: Vec<(String, Vec<String>)>,
    /// The functions, each with its meaning.
    pub functions: Vec<String>,
}

impl FunctionsView {
    /// All hooks, variables and functions.
    pub fn new() -> Self {
        Self {
            hooks: Hook::ALL.iter().map(|hook| (hook.key().into(), hook.meaning().into())).collect(),
            variables: TURN_VARIABLES.iter().map(|(name, meaning)| ((*name).into(), (*meaning).into())).collect(),
            seen_by: TURN_VARIABLES.iter().map(|(name, _)| ((*name).into(), seen_by(name))).collect(),
            functions: FUNCTIONS.iter().map(|function| function.meaning).chain([COUNT.1]).map(str::to_owned).collect(),
        }
    }
}

/// The formulas that may name a variable.
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
