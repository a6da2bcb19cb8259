//! The rules of a game: rule files, their formulas, and the checks that turn a file into [`Rules`].
//!
//! ```
//! let rules = hog_rules::rules::load("fa21", Default::default())?;
//! assert_eq!((rules.goal, rules.max_dice), (100, 10));
//! # Ok::<(), hog_rules::rules::RulesError>(())
//! ```

mod defaults;
mod difference;
mod error;
pub mod fault;
mod file;
pub mod formula;
mod hand;
mod hooks;
mod library;

mod steps;
mod validate;

pub use crate::limits;
pub use defaults::DefaultValue;
pub use error::RulesError;
pub use fault::{Faults, RuleFileFault};
pub use hand::HandDice;
pub use hooks::{Hook, bid_variables, memory_variables};
pub use library::{Builtin, builtin, builtins, load, refuse_other_file, starter, unknown};
pub use validate::{Overrides, rules_from_text};

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use crate::files::hash::fnv_64;
use defaults::{LeftOut, MemoryLeftOut};
use formula::{Formula, Scope, Type, Variable, VariableSet, Vocabulary};
use validate::where_dice_are_kept;

/// The rules of one game, read from a rule file and checked.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The id of the game, as in `hog solve fa21`.
    pub id: String,
    /// The title of the game.
    pub title: String,
    /// The heading under which the game is listed, if the file gives one: see [`Rules::group`].
    group: Option<String>,
    /// Other ids of the same game.
    pub aliases: Vec<String>,
    /// Where the rules come from.
    pub source: Option<String>,
    /// A score of this or more ends the game: 1 to [`limits::GOAL`].
    pub goal: u32,
    /// The step of all scores and points, which are multiples of it: 1 if the file says none.
    pub step: u32,
    /// The dice of a turn in a game in which dice are kept, kind by kind; empty in all others. How
    /// many of a kind are left is a memory of the game with the kind's name.
    pub hand: Vec<HandDice>,
    /// The fewest dice that a turn may request. Numbers below 0 are moves that roll no dice, such
    /// as Pork Chop's -1.
    pub min_dice: i32,
    /// The most dice that a turn may request: at most [`limits::DICE`]. In a game in which dice are
    /// kept, 1 stands for all dice of the hand that are left.
    pub max_dice: i32,
    /// The strategy against which the course rates strategies.
    pub baseline: Option<String>,
    /// The byte offset of the baseline in the text.
    baseline_at: usize,
    /// The win rate against the baseline that the course requires, in its words.
    pub target: Option<String>,
    /// Numbers that formulas use by name.
    pub numbers: Vec<RuleNumber>,
    /// The scores with which the game starts, of the player who moves first and of the other: the
    /// numbers with the names [`STARTS`], 0 if there are none.
    pub start: [u32; 2],
    /// State beyond the scores.
    pub memories: Vec<Memory>,
    /// The rules in the order in which they apply.
    pub rules: Vec<Rule>,
    /// How the players bid for the start; if `None`, both start at 0 and player 0 moves first.
    pub bid: Option<BidRules>,
    /// Worked examples.
    pub examples: Vec<Example>,
    /// The text of the file.
    pub text: String,
    /// The source of the text: a path, or the id of a built-in game.
    pub origin: String,
    left_out: LeftOut,
    vocabulary: Vocabulary,
    /// The rules in points, if these count steps.
    in_points: Option<Arc<Rules>>,
}

/// The names of the numbers that are the scores at the start: of the player who moves first, and of
/// the other.
pub const STARTS: [&str; 2] = ["first_start", "second_start"];

/// A number that formulas use by name, so that it can vary.
#[derive(Clone, Debug)]
pub struct RuleNumber {
    /// Its name in formulas.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// The formulas that use it, in the order of the file's parts: memories, rules, the bid.
    pub uses: Vec<FormulaKey>,
    /// The place of the value in the text.
    place: Range<usize>,
}

/// A formula that uses a number with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaKey {
    /// The name of the memory or the rule, or `Bid`.
    pub of: String,
    /// The key of the formula there.
    pub key: &'static str,
}

/// A number that the game keeps between turns.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name in formulas. The opponent's memory has the prefix `opponent_`.
    pub name: String,
    /// True if each player has one, false if both share one.
    pub of_player: bool,
    /// Its value before the first turn.
    pub start: i64,
    /// Its largest value; the smallest is 0.
    pub max: i64,
    /// The step of its values, which are multiples of it.
    pub step: i64,
    next: Option<Formula>,
    /// The byte offset of `next` in the text.
    next_at: usize,
    left_out: MemoryLeftOut,
}

impl Memory {
    /// The formula of its value after a turn of its player (of either player, if shared).
    pub fn next(&self) -> &Formula {
        self.next.as_ref().expect("validated rules have it")
    }
}

/// A named rule: formulas for one or more hooks of the turn.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name of the rule in the handout.
    pub name: String,
    /// A description in one sentence.
    pub text: Option<String>,
    /// Its formulas, in the order of the turn.
    pub hooks: Vec<(Hook, Formula)>,
    /// The byte offset of each formula in the text.
    hooks_at: Vec<(Hook, usize)>,
}

/// The part of a rule file that has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// No particular part.
    File,
    /// The formula of a hook in the rule with this index.
    Hook(usize, Hook),
    /// The formula `next` of the memory with this index.
    Next(usize),
}

/// Bidding for the start: both players choose a number simultaneously, which decides their scores
/// and who moves first.
#[derive(Clone, Debug)]
pub struct BidRules {
    /// A description in one sentence.
    pub text: Option<String>,
    /// The largest bid; the smallest is 0.
    pub max: i64,
    /// A player's score at the start, as a function of both bids.
    pub score: Formula,
    /// Whether a player moves first. If it holds for both players or for neither, a fair coin
    /// decides.
    pub first: Formula,
}

/// A worked example: a turn and its expected result.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its name or source.
    pub name: Option<String>,
    /// The given scores and memories before the turn. A score that is not given is 0, a memory has
    /// its start value.
    pub turn: Vec<(String, i64)>,
    /// The faces rolled.
    pub dice: Vec<i64>,
    /// The faces kept, or all faces with a 0 for each die that is not kept.
    pub keep: Option<Vec<i64>>,
    /// The move below 0, which rolls no dice, or 0.
    pub request: i32,
    /// The expected values after the turn.
    pub after: Vec<(String, i64)>,
    at: usize,
}

impl Rules {
    /// The heading under which the game is listed: the one in the file, or the title up to the
    /// first comma.
    pub fn group(&self) -> &str {
        self.group.as_deref().unwrap_or_else(|| self.title.split(',').next().unwrap_or_default())
    }

    /// The names that its formulas may use.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// All formulas of one hook, each with the index of its rule, in order.
    pub fn hooked(&self, hook: Hook) -> impl Iterator<Item = (usize, &Formula)> {
        let formulas = self.rules.iter().enumerate();
        formulas.flat_map(move |(i, rule)| {
            rule.hooks.iter().filter(move |(h, _)| *h == hook).map(move |(_, f)| (i, f))
        })
    }

    /// The variables that the formulas of some hooks read.
    pub fn read_by(&self, hooks: &[Hook]) -> VariableSet {
        let formulas = hooks.iter().flat_map(|hook| self.hooked(*hook));
        formulas.fold(VariableSet::NONE, |set, (_, formula)| set.union(formula.reads()))
    }

    /// Returns the text of the rule file with other values of its numbers. Those of [`STARTS`] need
    /// not be in it.
    ///
    /// # Errors
    /// Returns a name that is none of its numbers.
    pub fn with_numbers<'n>(&self, values: &[(&'n str, i64)]) -> Result<String, &'n str> {
        let mut replaced = Vec::new();
        let mut added = String::new();
        for (name, value) in values {
            match self.numbers.iter().find(|number| number.name == *name) {
                Some(number) => replaced.push((number.place.clone(), value.to_string())),
                None if STARTS.contains(name) => added += &format!("{name} = {value}\n"),
                None => return Err(name),
            }
        }
        let mut text = self.text.clone();
        match self.numbers.first() {
            Some(number) => {
                let line = text[..number.place.start].rfind('\n').map_or(0, |end| end + 1);
                replaced.push((line..line, added));
            }
            None if !added.is_empty() => {
                replaced.push((text.len()..text.len(), format!("\n\n[numbers]\n{added}")))
            }
            None => {}
        }
        // The last one first, so that the places of the others stay.
        replaced.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        for (place, value) in replaced {
            text.replace_range(place, &value);
        }
        Ok(text)
    }

    /// Returns the rules without the one with this index, without examples. What only that rule
    /// sets takes its default; but where it alone says what a 1 does, a 1 becomes a face like any
    /// other, as the default is Pig Out itself.
    #[must_use]
    pub fn without(&self, rule: usize) -> Self {
        let mut rest = Self { examples: Vec::new(), target: None, ..self.clone() };
        let left_out = rest.rules.remove(rule);
        let bust = if self.keeps_dice() { "0" } else { "sum" };
        for (hook, default) in [(Hook::Bust, bust), (Hook::Worth, "sum")] {
            let at = left_out.hooks_at.iter().find(|(of, _)| *of == hook);
            let Some(at) = at else { continue };
            let variables = match self.keeps_dice() {
                true => where_dice_are_kept(hook.variables()),
                false => hook.variables(),
            };
            let formula = Formula::parse(default, hook.gives(), &self.vocabulary, variables);
            rest.rules.push(Rule {
                name: format!("in place of {}", left_out.name),
                text: None,
                hooks: vec![(hook, formula.expect("a formula of this hook"))],
                hooks_at: vec![*at],
            });
        }
        rest
    }

    /// Whether a rule says which dice may be kept, if dice are.
    pub fn says_what_is_kept(&self) -> bool {
        !self.keeps_dice() || self.hooked(Hook::Keep).next().is_some()
    }

    /// The pot of a game such as Pig: a shared memory that grows with the rolls of a turn and is
    /// scored by rolling no dice.
    pub fn pot(&self) -> Option<&Memory> {
        let may_hold = self.min_dice <= 0 && self.hooked(Hook::Again).next().is_some();
        for (index, memory) in self.memories.iter().enumerate() {
            let pot = Variable::memory(index);
            let next = memory.next().reads();
            let grows = next.holds(pot) && !next.without(self.vocabulary.memories()).is_empty();
            let mut scores =
                [Hook::ZeroDice, Hook::Points].into_iter().flat_map(|hook| self.hooked(hook));
            if may_hold
                && grows
                && !memory.of_player
                && scores.any(|(_, points)| points.reads().holds(pot))
            {
                return Some(memory);
            }
        }
        None
    }

    /// Whether a turn may be several rolls: all until the other player is to move. So it is in a
    /// game with a [pot](Self::pot) or another memory of the game that gathers what the dice of one
    /// turn show, and where players choose nothing. In other games each roll is a turn, and who
    /// moves again has an extra turn.
    pub fn has_turns_of_rolls(&self) -> bool {
        let chooses_nothing = self.min_dice == self.max_dice;
        self.hooked(Hook::Again).next().is_some()
            && (self.pot().is_some()
                || chooses_nothing
                || (0..self.memories.len()).any(|memory| self.gathers_in_a_turn(memory)))
    }

    /// Whether a memory of the game gathers what dice show until the other player is to move.
    fn gathers_in_a_turn(&self, memory: usize) -> bool {
        let next = self.memories[memory].next();
        let of_dice = VariableSet::of(&[
            Variable::DICE,
            Variable::POINTS,
            Variable::ROLLED,
            Variable::BUSTED,
        ]);
        let of_dice = of_dice.union(VariableSet::patterns());
        !self.memories[memory].of_player
            && next.reads().holds(Variable::memory(memory))
            && !next.reads().is_disjoint(of_dice)
            && self.left_by_a_turn(memory).is_some()
    }

    /// The value of a memory after a turn that passes to the opponent, if its formula gives one
    /// alone.
    fn left_by_a_turn(&self, memory: usize) -> Option<i64> {
        let next = self.memories[memory].next();
        let others = next.reads().without(VariableSet::of(&[Variable::AGAIN]));
        let passed = next.with_known(&Scope::default(), others);
        passed.canonical(&self.vocabulary).parse().ok()
    }

    /// The memories of the players, by index, of which the opponent's is never read.
    pub fn unread_of_opponent(&self) -> Vec<usize> {
        let hooks =
            self.rules.iter().flat_map(|rule| rule.hooks.iter().map(|(_, formula)| formula));
        let formulas = hooks.chain(self.memories.iter().map(Memory::next));
        let read = formulas.fold(VariableSet::NONE, |set, formula| set.union(formula.reads()));
        let mut unread = Vec::new();
        for (index, memory) in self.memories.iter().enumerate() {
            if memory.of_player && !read.holds(Variable::opponent_memory(index)) {
                unread.push(index);
            }
        }
        unread
    }

    /// Whether a memory always has its start value when a turn passes to the opponent, by its
    /// formula alone.
    pub fn begins_anew(&self, memory: usize) -> bool {
        self.left_by_a_turn(memory) == Some(self.memories[memory].start)
    }

    /// Returns the name by which the game was asked for: one of its aliases, or its id.
    pub fn called(&self) -> &str {
        if self.aliases.contains(&self.origin) { &self.origin } else { &self.id }
    }

    /// A hash that identifies how turns are played: [`fnv_64`] of the goal, the dice, the memories
    /// and the formulas of all rules in canonical form. It ignores the bid, names, texts and
    /// examples.
    pub fn fingerprint(&self) -> u64 {
        fnv_64(self.text_of_play().as_bytes())
    }

    /// Whether turns are played as by other rules. Rules of strangers can have the fingerprint of
    /// any others.
    pub fn play_like(&self, other: &Self) -> bool {
        self.text_of_play() == other.text_of_play()
    }

    /// Like [`Self::fingerprint`], but it also identifies how bids decide the start. Without bids,
    /// both are equal.
    pub fn fingerprint_with_bid(&self) -> u64 {
        let mut text = self.text_of_play();
        if let Some(bid) = &self.bid {
            let [score, first] =
                [&bid.score, &bid.first].map(|formula| formula.canonical(&self.vocabulary));
            text += &format!("\nbid 0..{} score {score} first {first}", bid.max);
        }
        fnv_64(text.as_bytes())
    }

    /// The goal, the dice, the memories and the formulas of all rules as a text.
    fn text_of_play(&self) -> String {
        let mut text = format!("goal {} dice {} to {}", self.goal, self.min_dice, self.max_dice);
        if self.step > 1 {
            text += &format!(" step {}", self.step);
        }
        if self.start != [0, 0] {
            text += &format!(" start {:?}", self.start);
        }
        for dice in &self.hand {
            text += &format!("\n{dice}");
        }
        for memory in &self.memories {
            let next = memory.next().canonical(&self.vocabulary);
            let owner = if memory.of_player { "player" } else { "game" };
            text += &format!(
                "\nmemory {} of {owner} {}..{} next {next}",
                memory.name, memory.start, memory.max
            );
            if memory.step > 1 {
                text += &format!(" step {}", memory.step);
            }
        }
        for rule in &self.rules {
            text += "\nrule";
            for (hook, formula) in &rule.hooks {
                text += &format!(" {} {};", hook.key(), formula.canonical(&self.vocabulary));
            }
        }
        text
    }

    /// Creates a fault that was found after reading.
    pub fn fault(&self, place: Place, message: String, fix: &str) -> Faults {
        let at = match place {
            Place::File => 0,
            Place::Hook(rule, hook) => {
                let known = self.rules[rule].hooks_at.iter().find(|(known, _)| *known == hook);
                known.map_or(0, |(_, at)| *at)
            }
            Place::Next(memory) => self.memories[memory].next_at,
        };
        let mut faults = fault::FaultList::new(&self.text);
        faults.add(at, message, fix);
        faults.into_error(&self.origin)
    }

    /// Creates a fault of the baseline, which is checked by a higher module.
    pub fn baseline_fault(&self, message: String, fix: &str) -> Faults {
        let mut faults = fault::FaultList::new(&self.text);
        faults.add(self.baseline_at, message, fix);
        faults.into_error(&self.origin)
    }

    /// Creates faults for examples that do not hold: the index of each, and a message with the
    /// actual result.
    pub fn example_faults(&self, failed: &[(usize, String)]) -> Faults {
        let mut faults = fault::FaultList::new(&self.text);
        for (example, message) in failed {
            faults.add(
                self.examples[*example].at,
                message.clone(),
                "correct the example or the rules",
            );
        }
        faults.into_error(&self.origin)
    }
}

/// The mover's and the opponent's total where [`Hook::End`] ends the game, from those before: the
/// larger one is raised to the goal, or both if they are equal.
pub fn totals_at_the_end() -> &'static [Formula; 2] {
    static TOTALS: LazyLock<[Formula; 2]> = LazyLock::new(|| {
        let variables = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT, Variable::GOAL]);
        [
            "score >= opponent ? max(score, goal) : score",
            "opponent >= score ? max(opponent, goal) : opponent",
        ]
        .map(|source| {
            Formula::parse(source, Type::Integer, &Vocabulary::new(&[]), variables)
                .expect("a formula")
        })
    });
    &TOTALS
}
