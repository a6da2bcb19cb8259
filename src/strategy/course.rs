//! The course's strategies, by their handout names, with the arguments in the handouts' order.
//!
//! Each looks at what rolling no dice would do, learnt by playing that turn, and rolls `num_rolls` dice otherwise. They
//! see scores only: memories are taken as they start. Which one fits a game is told by the hooks of its rules alone, so a
//! semester's strategy may be played at every game that has the rule it plays for.

mod playing;

use std::fmt;

use crate::game::Policy;
use crate::rules::{Hook, Rules};

use super::Strategy;
pub use playing::Lures;
use playing::Playing;

/// When one of the course's strategies rolls something else than `num_rolls`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lure {
    /// None for at least `threshold` points.
    Points,
    /// None for a swap that helps, or enough points without a swap that harms.
    Swap,
    /// None for a swap by which the player gains at least `threshold`.
    SwineSwap,
    /// None where a rule raises the mover's total, or for enough points.
    Pile,
    /// None where the mover's score rises by at least `threshold` in all.
    Gain,
    /// None for a boost of the mover's total, or enough points without a boost of the opponent's.
    Prime,
    /// None for another turn, or enough points.
    ExtraTurn,
    /// None for enough points, if the opponent is then left with other or fewer dice.
    Mean,
    /// One more where the opponent is `threshold` points ahead or more.
    Comeback,
}

/// A strategy of the course: roll no dice where that is worth it, else `num_rolls`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    entry: &'static Entry,
    threshold: Option<i64>,
    num_rolls: Option<i32>,
}

/// A name of the handouts.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: &'static str,
    lure: Lure,
    /// The rule that its handout plays for: of names with the same meaning, the game's own is listed.
    rule: &'static str,
    /// What its handout calls the threshold.
    parameter: &'static str,
    /// The threshold of its handout.
    usual: i64,
}

const fn entry(
    (name, rule): (&'static str, &'static str),
    lure: Lure,
    (parameter, usual): (&'static str, i64),
) -> Entry {
    Entry { name, lure, rule, parameter, usual }
}

/// All of them, from 2012 on; of a kind the one that most semesters had comes first.
static ENTRIES: [Entry; 19] = [
    entry(("bacon_strategy", "Free Bacon"), Lure::Points, ("margin", 8)),
    entry(("picky_piggy_strategy", "Picky Piggy"), Lure::Points, ("cutoff", 8)),
    entry(("piggypoints_strategy", "Piggy Points"), Lure::Points, ("cutoff", 8)),
    entry(("hefty_hogs_strategy", "Hefty Hogs"), Lure::Points, ("threshold", 8)),
    entry(("oink_points_strategy", "Oink Points"), Lure::Points, ("threshold", 8)),
    entry(("tail_strategy", "Pig Tail"), Lure::Points, ("threshold", 12)),
    entry(("boar_strategy", "Boar Brawl"), Lure::Points, ("threshold", 11)),
    entry(("swap_strategy", "Swine Swap"), Lure::Swap, ("margin", 8)),
    entry(("swine_swap_strategy", "Swine Swap"), Lure::SwineSwap, ("cutoff", 8)),
    entry(("hog_pile_strategy", "Hog Pile"), Lure::Pile, ("cutoff", 8)),
    entry(("pigs_on_prime_strategy", "Pigs on Prime"), Lure::Pile, ("threshold", 8)),
    entry(("sus_strategy", "Sus Fuss"), Lure::Gain, ("threshold", 11)),
    entry(("square_strategy", "Square Swine"), Lure::Gain, ("threshold", 12)),
    entry(("prime_strategy", "Hogtimus Prime"), Lure::Prime, ("margin", 8)),
    entry(("extra_turn_strategy", "Pig Pass"), Lure::ExtraTurn, ("cutoff", 8)),
    entry(("more_boar_strategy", "More Boar"), Lure::ExtraTurn, ("cutoff", 8)),
    entry(("mean_strategy", "Hog Tied"), Lure::Mean, ("min_points", 3)),
    entry(("comeback_strategy", ""), Lure::Comeback, ("margin", 8)),
    entry(("catch_up", ""), Lure::Comeback, ("margin", 1)),
];

/// Other ways to write some of them: the rule's own name, and what makes the strategy in the handouts of 2012.
const ALSO: [(&str, &str); 10] = [
    ("free_bacon", "bacon_strategy"),
    ("piggy_points", "piggypoints_strategy"),
    ("oink", "oink_points_strategy"),
    ("pig_tail", "tail_strategy"),
    ("boar_brawl", "boar_strategy"),
    ("sus_fuss", "sus_strategy"),
    ("square_swine", "square_strategy"),
    ("hogtimus_prime", "prime_strategy"),
    ("make_mean", "mean_strategy"),
    ("make_comeback", "comeback_strategy"),
];

/// What a strategy finds in a game's rules to play for.
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

impl Lure {
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
        let hooked = |hook| rules.hooked(hook).next().is_some();
        match self {
            Self::ZeroDice => hooked(Hook::ZeroDice),
            Self::Swap => hooked(Hook::Swap),
            Self::OwnTotal => hooked(Hook::Score) && !hooked(Hook::OpponentScore),
            Self::AnyTotal => hooked(Hook::Score) && hooked(Hook::OpponentScore),
            Self::Again => hooked(Hook::Again),
            Self::Dice => [Hook::Die, Hook::MaxDice, Hook::MinDice].into_iter().any(hooked),
            Self::Nothing => true,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::ZeroDice => "gives points for rolling no dice (hook zero_dice)",
            Self::Swap => "swaps the scores (hook swap)",
            Self::OwnTotal => "raises the mover's total only (hook score, no opponent_score)",
            Self::AnyTotal => "raises the total of either player (hooks score and opponent_score)",
            Self::Again => "gives another turn (hook again)",
            Self::Dice => "leaves a player with other or fewer dice (hook die, max_dice or min_dice)",
            Self::Nothing => "exists",
        }
    }
}

/// A name as it stands in the table: with or without `_strategy`, or a rule's own name.
fn find(name: &str) -> Option<&'static Entry> {
    let bare = name.strip_suffix("_strategy").unwrap_or(name);
    let also = ALSO.iter().find(|(other, _)| *other == bare).map(|(_, name)| *name);
    ENTRIES.iter().find(|entry| also.map_or_else(|| entry.short() == bare, |name| entry.name == name))
}

impl Entry {
    fn short(&self) -> &'static str {
        self.name.strip_suffix("_strategy").unwrap_or(self.name)
    }
}

impl Course {
    /// Every name, in the order of the table.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        ENTRIES.iter().map(|entry| entry.name)
    }

    /// Reads `NAME`, `NAME:THRESHOLD` or `NAME:THRESHOLD,NUM_ROLLS`; `None` if the name is none of the course's. What is
    /// left out is as in the handout.
    pub(super) fn read(name: &str, arguments: Option<&str>) -> Option<Result<Self, String>> {
        let entry = find(name)?;
        let read = || {
            let Some(arguments) = arguments else { return Some((None, None)) };
            let (threshold, num_rolls) = match arguments.split_once(',') {
                Some((threshold, num_rolls)) => (threshold, Some(num_rolls.trim().parse().ok()?)),
                None => (arguments, None),
            };
            Some((Some(threshold.trim().parse().ok()?), num_rolls))
        };
        let read = read().map(|(threshold, num_rolls)| Self { entry, threshold, num_rolls });
        Some(read.ok_or_else(|| {
            let (name, parameter, usual) = (entry.name, entry.parameter, entry.usual);
            format!("{name} takes at most two whole numbers, {parameter} and num_rolls, as in {name}:{usual},6")
        }))
    }

    /// Every name, with the rule that it plays for; that is empty where it plays for none in particular.
    pub fn names_with_rules() -> impl Iterator<Item = (&'static str, &'static str)> {
        ENTRIES.iter().map(|entry| (entry.name, entry.rule))
    }

    /// One by name; `None` if the name is none of the course's.
    pub fn named(name: &str, threshold: Option<i64>, num_rolls: Option<i32>) -> Option<Self> {
        Some(Self { entry: find(name)?, threshold, num_rolls })
    }

    /// Its handout's name.
    pub fn name(self) -> &'static str {
        self.entry.name
    }

    /// Those that a game has the rules for: of the names that play for the same, those whose rule the game has, or the first.
    pub fn fitting(rules: &Rules) -> Vec<Self> {
        let named = |entry: &Entry| rules.rules.iter().any(|rule| rule.name == entry.rule);
        let listed = |entry: &&Entry| {
            let need = entry.lure.need();
            let alike = || ENTRIES.iter().filter(|other| other.lure.need() == need);
            // The first of 2012's names is one of a rule that few games have.
            let first = need != Need::Dice && !alike().any(named) && alike().next() == Some(*entry);
            rules.min_dice <= 0 && need != Need::Nothing && need.met(rules) && (named(entry) || first)
        };
        let spelled_out = |entry| Self { entry, threshold: None, num_rolls: None }.spelled_out(rules);
        ENTRIES.iter().filter(listed).map(spelled_out).collect()
    }

    /// With both arguments told: the handouts' thresholds, and as many dice as the baseline rolls, which is what they have.
    fn spelled_out(self, rules: &Rules) -> Self {
        let usual = match rules.baseline.as_deref().map(str::parse) {
            _ if self.entry.name == "catch_up" => 5,
            Some(Ok(Strategy::AlwaysRoll(dice))) => dice,
            _ => rules.max_dice.min(5),
        };
        let (threshold, num_rolls) = (self.threshold(), self.num_rolls.unwrap_or(usual));
        Self { threshold: Some(threshold), num_rolls: Some(num_rolls), ..self }
    }

    fn threshold(self) -> i64 {
        self.threshold.unwrap_or(self.entry.usual)
    }

    /// The strategy that rolls none for enough points, by the name that fits the rules best.
    pub(super) fn for_points(rules: &Rules, threshold: i64, num_rolls: i32) -> Option<Self> {
        let fits = |course: &Self| course.entry.lure == Lure::Points;
        let course = Self::fitting(rules).into_iter().find(fits)?;
        Some(Self { threshold: Some(threshold), num_rolls: Some(num_rolls), ..course })
    }

    /// Changes an argument by its name in any handout; false if there is none, or it cannot be that.
    pub(super) fn set(&mut self, name: &str, value: i64) -> bool {
        match name {
            "num_rolls" => i32::try_from(value).is_ok_and(|value| {
                self.num_rolls = Some(value);
                // What is written after it must be told too.
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

    /// What its handout calls its arguments.
    pub fn parameters(self) -> [&'static str; 2] {
        [self.entry.parameter, "num_rolls"]
    }

    /// The strategy as it plays a game.
    ///
    /// # Errors
    /// What the game lacks, in words.
    pub fn policy(self, rules: &Rules) -> Result<impl Policy + '_, String> {
        self.playing(rules)
    }

    fn playing(self, rules: &Rules) -> Result<Playing<'_>, String> {
        let need = self.entry.lure.need();
        if !need.met(rules) {
            return Err(format!("it needs a rule that {}", need.words()));
        }
        if rules.min_dice > 0 && need != Need::Nothing {
            return Err("it needs a turn of no dice".into());
        }
        Ok(Playing { lure: self.entry.lure, threshold: self.threshold(), num_rolls: self.num_rolls(rules), rules })
    }

    /// How many dice it rolls otherwise.
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
