//! Which dice race is played: rule files, their formulas, and the checks that turn a file into [`Rules`].
//!
//! ```
//! let rules = hog::rules::load("fa21", Default::default())?;
//! assert_eq!((rules.goal, rules.max_dice), (100, 10));
//! # Ok::<(), hog::rules::RulesError>(())
//! ```

mod difference;
pub mod fault;
mod file;
pub mod formula;
mod hooks;
mod library;
mod validate;

pub use fault::{Fault, Faults};
pub use hooks::{Hook, bid_variables, memory_variables};
pub use library::{
    Builtin, LARGEST_FILE, RulesError, builtin, builtins, check_overrides, load, refuse_other_file, starter, unknown,
};
pub use validate::{LARGEST_GOAL, MOST_DICE, Overrides, rules_from_text};

use formula::{Formula, Vocabulary};

/// The rules of one dice race, read from a rule file and checked.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The game's short name, as in `hog solve fa21`.
    pub id: String,
    /// The game's name for people.
    pub title: String,
    /// The heading it is listed under, if the file names one: see [`Rules::group`].
    group: Option<String>,
    /// Other short names of the same game.
    pub aliases: Vec<String>,
    /// Where the rules come from.
    pub source: Option<String>,
    /// A score of this or more ends the game: 1 to [`LARGEST_GOAL`].
    pub goal: u32,
    /// The fewest dice a turn may ask for (below 0 for moves that roll nothing, such as Pork Chop's -1).
    pub min_dice: i32,
    /// The most dice a turn may ask for: at most [`MOST_DICE`].
    pub max_dice: i32,
    /// The strategy that the course rates against.
    pub baseline: Option<String>,
    /// Where it stands in the text.
    baseline_at: usize,
    /// The win rate against the baseline that the course asks for, in its words.
    pub target: Option<String>,
    /// State beyond the scores.
    pub memories: Vec<Memory>,
    /// The rules in the order they apply.
    pub rules: Vec<Rule>,
    /// How the players bid for the start; without it both start at 0 and player 0 moves first.
    pub bid: Option<Bid>,
    /// Worked examples.
    pub examples: Vec<Example>,
    /// The text of the file.
    pub text: String,
    /// Where the text was read from: a path, or the id of a built-in game.
    pub origin: String,
    vocabulary: Vocabulary,
}

/// One number that the game remembers between turns.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name in formulas; the other player's has `opponent_` in front.
    pub name: String,
    /// One for each player, or one shared by both.
    pub of_player: bool,
    /// Its value before the first turn.
    pub start: i64,
    /// Its largest value; the smallest is 0.
    pub max: i64,
    next: Option<Formula>,
}

impl Memory {
    /// The formula of its value after a turn of its player (of any player, if shared).
    pub fn next(&self) -> &Formula {
        self.next.as_ref().expect("validated rules have it")
    }
}

/// A named rule: formulas for one or more hooks of the turn.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The handout's name of the rule.
    pub name: String,
    /// What it says, in a sentence.
    pub text: Option<String>,
    /// Its formulas in the order of the turn.
    pub hooks: Vec<(Hook, Formula)>,
    at: usize,
}

/// A bidding for the start: both players name a number at once, which decides their scores and who moves first.
#[derive(Clone, Debug)]
pub struct Bid {
    /// What it says, in a sentence.
    pub text: Option<String>,
    /// The largest bid; the smallest is 0.
    pub max: i64,
    /// A player's score at the start, from their bid and the opponent's.
    pub score: Formula,
    /// Whether the player moves first. Where it says so of both or of neither, a fair coin decides.
    pub first: Formula,
}

/// A worked example: a turn and what it must lead to.
#[derive(Clone, Debug)]
pub struct Example {
    /// Where it comes from.
    pub name: Option<String>,
    /// Scores and memories before the turn; what is not named is 0, or a memory's start.
    pub turn: Vec<(String, i64)>,
    /// The faces rolled.
    pub dice: Vec<i64>,
    /// The move below 0 that rolls nothing, or 0.
    pub request: i32,
    /// What is expected after the turn.
    pub after: Vec<(String, i64)>,
    at: usize,
}

impl Rules {
    /// The heading it is listed under: its own, or the title up to the first comma.
    pub fn group(&self) -> &str {
        self.group.as_deref().unwrap_or_else(|| self.title.split(',').next().unwrap_or_default())
    }

    /// The variables that its formulas know.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// All formulas of one hook with the index of their rule, in order.
    pub fn hooked(&self, hook: Hook) -> impl Iterator<Item = (usize, &Formula)> {
        let formulas = self.rules.iter().enumerate();
        formulas.flat_map(move |(i, rule)| rule.hooks.iter().filter(move |(h, _)| *h == hook).map(move |(_, f)| (i, f)))
    }

    /// A number that tells apart games that play differently; names, texts and examples do not enter it.
    ///
    /// FNV-1a of 64 bits (Fowler, Noll, Vo) over goal, dice, memories and all formulas in one spelling.
    pub fn fingerprint(&self) -> u64 {
        let mut text = format!("goal {} dice {} to {}", self.goal, self.min_dice, self.max_dice);
        for memory in &self.memories {
            let next = memory.next().canonical(&self.vocabulary);
            let owner = if memory.of_player { "player" } else { "game" };
            text += &format!("\nmemory {} of {owner} {}..{} next {next}", memory.name, memory.start, memory.max);
        }
        for rule in &self.rules {
            text += "\nrule";
            for (hook, formula) in &rule.hooks {
                text += &format!(" {} {};", hook.key(), formula.canonical(&self.vocabulary));
            }
        }
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// Reports faults found after reading, at the rule (by index) or at the head of the file.
    pub fn fault(&self, rule: Option<usize>, message: String, fix: &str) -> Faults {
        let mut faults = fault::FaultList::new(&self.text);
        faults.add(rule.and_then(|i| self.rules.get(i)).map_or(0, |rule| rule.at), message, fix);
        faults.into_error(&self.origin)
    }

    /// Reports a fault of the baseline, which this room cannot read.
    pub fn baseline_fault(&self, message: String, fix: &str) -> Faults {
        let mut faults = fault::FaultList::new(&self.text);
        faults.add(self.baseline_at, message, fix);
        faults.into_error(&self.origin)
    }

    /// Reports examples that do not hold: the index of each and what happened instead.
    pub fn example_faults(&self, failed: &[(usize, String)]) -> Faults {
        let mut faults = fault::FaultList::new(&self.text);
        for (example, message) in failed {
            faults.add(self.examples[*example].at, message.clone(), "correct the example or the rules");
        }
        faults.into_error(&self.origin)
    }
}
