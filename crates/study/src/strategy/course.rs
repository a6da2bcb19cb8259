//! The course's strategies, by their handout names, with the arguments in the handouts' order.
//!
//! Each rolls no dice if the result of that turn meets a criterion, and `num_rolls` dice otherwise.
//! They see scores only: memories are assumed to have their initial values. Whether a strategy fits
//! a game depends only on the hooks of the game's rules, so a strategy of one semester can be
//! played at any game with a rule of the same kind.

mod playing;

use std::fmt;

use crate::game::Policy;
use crate::rules::{Hook, Rules};

use super::Strategy;
use playing::Playing;
pub use playing::ZeroDiceThresholds;

/// When a strategy of the course does not roll `num_rolls` dice. "Enough points" means that rolling
/// no dice scores at least `threshold` points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Criterion {
    /// Rolls no dice for enough points.
    Points,
    /// Rolls no dice for a swap that helps the player, or for enough points unless a swap harms the
    /// player.
    Swap,
    /// Rolls no dice for a swap that raises the player's score by at least `threshold`.
    SwineSwap,
    /// Rolls no dice if a rule then raises the mover's total, or for enough points.
    Pile,
    /// Rolls no dice if the mover's score rises by at least `threshold`, rules on totals included.
    Gain,
    /// Rolls no dice if a rule then raises the mover's total, or for enough points unless a rule
    /// changes a total otherwise.
    Prime,
    /// Rolls no dice for another turn, or for enough points.
    ExtraTurn,
    /// Rolls no dice for enough points if the opponent then has fewer dice or other dice than
    /// six-sided ones.
    Mean,
    /// Rolls one die more if the opponent leads by at least `threshold` points.
    Comeback,
}

/// A strategy of the course, with the arguments that were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    entry: &'static Entry,
    threshold: Option<i64>,
    num_rolls: Option<i32>,
}

/// A strategy as the handouts name it.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: &'static str,
    criterion: Criterion,
    /// The rule that the handout's strategy exploits; empty if none. Of several names for the same
    /// kind of rule, the one whose rule the game has is listed.
    rule: &'static str,
    /// The handout's name for the threshold.
    parameter: &'static str,
    /// The handout's threshold.
    usual: i64,
}

const fn entry(
    name: &'static str,
    rule: &'static str,
    criterion: Criterion,
    parameter: &'static str,
    usual: i64,
) -> Entry {
    Entry { name, criterion, rule, parameter, usual }
}

/// All strategies since 2012. Of those that need the same kind of rule, the one used by most
/// semesters comes first.
static ENTRIES: [Entry; 20] = [
    entry("bacon_strategy", "Free Bacon", Criterion::Points, "margin", 8),
    entry("picky_piggy_strategy", "Picky Piggy", Criterion::Points, "cutoff", 8),
    entry("piggypoints_strategy", "Piggy Points", Criterion::Points, "cutoff", 8),
    entry("hefty_hogs_strategy", "Hefty Hogs", Criterion::Points, "threshold", 8),
    entry("oink_points_strategy", "Oink Points", Criterion::Points, "threshold", 8),
    entry("tail_strategy", "Pig Tail", Criterion::Points, "threshold", 12),
    entry("boar_strategy", "Boar Brawl", Criterion::Points, "threshold", 11),
    entry("swap_strategy", "Swine Swap", Criterion::Swap, "margin", 8),
    entry("swine_swap_strategy", "Swine Swap", Criterion::SwineSwap, "cutoff", 8),
    entry("hog_pile_strategy", "Hog Pile", Criterion::Pile, "cutoff", 8),
    entry("pigs_on_prime_strategy", "Pigs on Prime", Criterion::Pile, "threshold", 8),
    entry("sus_strategy", "Sus Fuss", Criterion::Gain, "threshold", 11),
    entry("fuzzy_strategy", "Fuzzy Factors", Criterion::Gain, "threshold", 12),
    entry("square_strategy", "Square Swine", Criterion::Gain, "threshold", 12),
    entry("prime_strategy", "Hogtimus Prime", Criterion::Prime, "margin", 8),
    entry("extra_turn_strategy", "Pig Pass", Criterion::ExtraTurn, "cutoff", 8),
    entry("more_boar_strategy", "More Boar", Criterion::ExtraTurn, "cutoff", 8),
    entry("mean_strategy", "Hog Tied", Criterion::Mean, "min_points", 3),
    entry("comeback_strategy", "", Criterion::Comeback, "margin", 8),
    entry("catch_up", "", Criterion::Comeback, "margin", 1),
];

/// Other names of some strategies, without `_strategy`: the rule's own name, and the functions of
/// 2012 that make them.
const ALSO: [(&str, &str); 11] = [
    ("free_bacon", "bacon_strategy"),
    ("piggy_points", "piggypoints_strategy"),
    ("oink", "oink_points_strategy"),
    ("pig_tail", "tail_strategy"),
    ("boar_brawl", "boar_strategy"),
    ("sus_fuss", "sus_strategy"),
    ("fuzzy_factors", "fuzzy_strategy"),
    ("square_swine", "square_strategy"),
    ("hogtimus_prime", "prime_strategy"),
    ("make_mean", "mean_strategy"),
    ("make_comeback", "comeback_strategy"),
];

/// The kind of rule that a strategy needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    ZeroDice,
    Swap,
    OwnTotal,
    AnyTotal,
    Again,
    Dice,
    Nothing,
}

impl Criterion {
    fn need(self) -> Need {
        match self {
            Self::Points => Need::ZeroDice,
            Self::Swap | Self::SwineSwap => Need::Swap,
            Self::Pile | Self::Gain => Need::OwnTotal,
            Self::Prime => Need::AnyTotal,
            Self::ExtraTurn => Need::Again,
            Self::Mean => Need::Dice,
            Self::Comeback => Need::Nothing,
        }
    }
}

impl Need {
    fn met(self, rules: &Rules) -> bool {
        match self {
            Self::ZeroDice => has(rules, Hook::ZeroDice),
            Self::Swap => has(rules, Hook::Swap),
            Self::OwnTotal => has(rules, Hook::Score) && !has(rules, Hook::OpponentScore),
            Self::AnyTotal => has(rules, Hook::Score) && has(rules, Hook::OpponentScore),
            Self::Again => has(rules, Hook::Again),
            Self::Dice => {
                has(rules, Hook::Die) || has(rules, Hook::MaxDice) || has(rules, Hook::MinDice)
            }
            Self::Nothing => true,
        }
    }

    /// Completes the sentence "it needs a rule that ...".
    fn description(self) -> &'static str {
        match self {
            Self::ZeroDice => "gives points for rolling no dice (hook zero_dice)",
            Self::Swap => "swaps the scores (hook swap)",
            Self::OwnTotal => "raises the mover's total only (hook score, no opponent_score)",
            Self::AnyTotal => "raises the total of either player (hooks score and opponent_score)",
            Self::Again => "gives another turn (hook again)",
            Self::Dice => {
                "leaves a player with other or fewer dice (hook die, max_dice or min_dice)"
            }
            Self::Nothing => "exists",
        }
    }
}

fn has(rules: &Rules, hook: Hook) -> bool {
    rules.hooked(hook).next().is_some()
}

/// Finds a strategy by its name, with or without `_strategy`, or by one of the names of [`ALSO`].
fn find(name: &str) -> Option<&'static Entry> {
    let bare = name.strip_suffix("_strategy").unwrap_or(name);
    let also = ALSO.iter().find(|(other, _)| *other == bare).map(|(_, name)| *name);
    ENTRIES
        .iter()
        .find(|entry| also.map_or_else(|| entry.short() == bare, |name| entry.name == name))
}

impl Entry {
    fn short(&self) -> &'static str {
        self.name.strip_suffix("_strategy").unwrap_or(self.name)
    }

    /// Whether a game has the rule that it exploits.
    fn is_named_in(&self, rules: &Rules) -> bool {
        rules.rules.iter().any(|rule| rule.name == self.rule)
    }
}

impl Course {
    /// Returns every name, in the order of [`ENTRIES`].
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        ENTRIES.iter().map(|entry| entry.name)
    }

    /// Parses `NAME`, `NAME:THRESHOLD` or `NAME:THRESHOLD,NUM_ROLLS`; returns `None` if the course
    /// has no such name. Arguments that are left out have the handout's values.
    pub(super) fn read(name: &str, arguments: Option<&str>) -> Option<Result<Self, String>> {
        let entry = find(name)?;
        Some(Self::with_arguments(entry, arguments).ok_or_else(|| {
            let Entry { name, parameter, usual, .. } = entry;
            format!(
                "{name} takes at most two whole numbers, {parameter} and num_rolls, \
                 as in {name}:{usual},6"
            )
        }))
    }

    fn with_arguments(entry: &'static Entry, arguments: Option<&str>) -> Option<Self> {
        let mut course = Self { entry, threshold: None, num_rolls: None };
        let Some(arguments) = arguments else { return Some(course) };
        let mut threshold = arguments;
        if let Some((first, num_rolls)) = arguments.split_once(',') {
            threshold = first;
            course.num_rolls = Some(num_rolls.trim().parse().ok()?);
        }
        course.threshold = Some(threshold.trim().parse().ok()?);
        Some(course)
    }

    /// Returns every name with the rule that the strategy exploits; the rule is empty if there is
    /// none in particular.
    pub fn names_with_rules() -> impl Iterator<Item = (&'static str, &'static str)> {
        ENTRIES.iter().map(|entry| (entry.name, entry.rule))
    }

    /// Returns the strategy's name in the handouts.
    pub fn name(self) -> &'static str {
        self.entry.name
    }

    /// Returns the strategies that fit a game, with both arguments. Of those that need the same
    /// kind of rule, they are the ones whose own rule the game has, or the first if the game
    /// has none of these rules.
    pub fn fitting(rules: &Rules) -> Vec<Self> {
        let mut fitting = Vec::new();
        for entry in ENTRIES.iter().filter(|_| rules.min_dice <= 0) {
            let need = entry.criterion.need();
            let mut alike = ENTRIES.iter().filter(|other| other.criterion.need() == need);
            // The strategy that needs other dice is for one particular rule, and is listed only
            // with that rule.
            let is_first = need != Need::Dice
                && alike.clone().next() == Some(entry)
                && !alike.any(|other| other.is_named_in(rules));
            let is_listed = entry.is_named_in(rules) || is_first;
            if need != Need::Nothing && need.met(rules) && is_listed {
                let course = Self { entry, threshold: None, num_rolls: None };
                fitting.push(course.spelled_out(rules));
            }
        }
        fitting
    }

    /// Makes both arguments explicit: the handout's threshold, and the baseline's number of dice,
    /// as in the handouts.
    fn spelled_out(self, rules: &Rules) -> Self {
        let usual = match rules.baseline.as_deref().map(str::parse) {
            _ if self.entry.name == "catch_up" => 5,
            Some(Ok(Strategy::AlwaysRoll(dice))) => dice,
            _ => rules.max_dice.min(5),
        };
        let threshold = self.threshold();
        let num_rolls = self.num_rolls.unwrap_or(usual);
        Self { threshold: Some(threshold), num_rolls: Some(num_rolls), ..self }
    }

    fn threshold(self) -> i64 {
        self.threshold.unwrap_or(self.entry.usual)
    }

    /// Returns the strategy that rolls no dice for at least `threshold` points, under the name that
    /// fits the rules.
    pub(super) fn for_points(rules: &Rules, threshold: i64, num_rolls: i32) -> Option<Self> {
        let mut fitting = Self::fitting(rules).into_iter();
        let course = fitting.find(|course| course.entry.criterion == Criterion::Points)?;
        Some(Self { threshold: Some(threshold), num_rolls: Some(num_rolls), ..course })
    }

    /// Sets an argument by its name in any handout; returns false if the name or the value is not
    /// possible.
    pub(super) fn set(&mut self, name: &str, value: i64) -> bool {
        match name {
            "num_rolls" => i32::try_from(value).is_ok_and(|value| {
                self.num_rolls = Some(value);
                // The threshold is written before it, and so must be explicit.
                self.threshold = Some(self.threshold());
                true
            }),
            "threshold" | "cutoff" | "margin" | "min_points" => {
                self.threshold = Some(value);
                true
            }
            _ => false,
        }
    }

    /// Returns the handout's names of the arguments.
    pub fn parameters(self) -> [&'static str; 2] {
        [self.entry.parameter, "num_rolls"]
    }

    /// Returns the strategy as a policy for a game.
    ///
    /// # Errors
    /// Returns a message that says what the game lacks.
    pub fn policy(self, rules: &Rules) -> Result<impl Policy + '_, String> {
        self.playing(rules)
    }

    fn playing(self, rules: &Rules) -> Result<Playing<'_>, String> {
        let need = self.entry.criterion.need();
        if !need.met(rules) {
            return Err(format!("it needs a rule that {}", need.description()));
        }
        if rules.min_dice > 0 && need != Need::Nothing {
            return Err("it needs a turn of no dice".into());
        }
        Ok(Playing {
            criterion: self.entry.criterion,
            threshold: self.threshold(),
            num_rolls: self.num_rolls(rules),
            rules,
        })
    }

    /// Returns the number of dice that the strategy rolls when its criterion is not met.
    pub(super) fn num_rolls(self, rules: &Rules) -> i32 {
        self.spelled_out(rules).num_rolls.unwrap_or(0)
    }
}

impl fmt::Display for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.name)?;
        match (self.threshold, self.num_rolls) {
            (Some(threshold), Some(num_rolls)) => write!(f, ":{threshold},{num_rolls}"),
            (Some(threshold), None) => write!(f, ":{threshold}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
