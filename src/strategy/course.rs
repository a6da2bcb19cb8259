//! The course's strategies, by their handout names, with the arguments in the handouts' order.
//!
//! Each looks at what rolling no dice would do, learnt by playing that turn, and rolls `num_rolls` dice otherwise. They
//! see scores only: memories are taken as they start.

use std::fmt;

use crate::game::{Policy, PolicyError, Position, Turn, take_turn};
use crate::rules::{Hook, Rules};

/// When one of the course's strategies rolls no dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lure {
    /// At least `cutoff` points: Free Bacon.
    Bacon,
    /// The same under its later name.
    PickyPiggy,
    /// A swap that helps, or enough points without a swap that harms.
    Swap,
    /// A swap by which the player gains at least `cutoff`.
    SwineSwap,
    /// A rule that raises the mover's total, or enough points.
    HogPile,
    /// A boost of the mover's total, or enough points without a boost of the opponent's.
    Prime,
}

/// A strategy of the course: roll no dice where that is worth it, else `num_rolls`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    lure: Lure,
    /// The points (of `swine_swap_strategy`: the gain of the turn) from which no dice are rolled; handouts call it
    /// `cutoff` or `margin`.
    cutoff: i64,
    num_rolls: i32,
}

/// All of them: name, what it needs, and the strategy.
const NAMES: [(&str, Need, Lure); 6] = [
    ("bacon_strategy", Need::ZeroDice, Lure::Bacon),
    ("picky_piggy_strategy", Need::ZeroDice, Lure::PickyPiggy),
    ("swap_strategy", Need::Swap, Lure::Swap),
    ("swine_swap_strategy", Need::Swap, Lure::SwineSwap),
    ("hog_pile_strategy", Need::Pile, Lure::HogPile),
    ("prime_strategy", Need::Boost, Lure::Prime),
];

/// The fact of a game's rules that a strategy plays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    ZeroDice,
    Swap,
    Pile,
    Boost,
}

impl Need {
    fn met(self, rules: &Rules) -> bool {
        let hooked = |hook| rules.hooked(hook).next().is_some();
        match self {
            Self::ZeroDice => hooked(Hook::ZeroDice),
            Self::Swap => hooked(Hook::Swap),
            Self::Pile => hooked(Hook::Score) && !hooked(Hook::OpponentScore),
            Self::Boost => hooked(Hook::Score) && hooked(Hook::OpponentScore),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::ZeroDice => "gives points for rolling no dice (hook zero_dice)",
            Self::Swap => "swaps the scores (hook swap)",
            Self::Pile => "raises the mover's total only (hook score, no opponent_score)",
            Self::Boost => "raises the total of either player (hooks score and opponent_score)",
        }
    }
}

impl Course {
    /// Reads `NAME:CUTOFF,NUM`; `None` if the name is none of the course's.
    pub(super) fn read(name: &str, arguments: Option<&str>) -> Option<Result<Self, String>> {
        let (name, _, lure) = *NAMES.iter().find(|(known, ..)| *known == name)?;
        let read = || {
            let (cutoff, num_rolls) = arguments?.split_once(',')?;
            Some(Self { lure, cutoff: cutoff.trim().parse().ok()?, num_rolls: num_rolls.trim().parse().ok()? })
        };
        Some(read().ok_or_else(|| {
            format!("{name} wants two whole numbers, the points to roll no dice for and the dice to roll else, as in {name}:8,6")
        }))
    }

    /// Those that a game has the rules for, with the same arguments.
    pub(super) fn fitting(rules: &Rules, cutoff: i64, num_rolls: i32) -> impl Iterator<Item = Self> {
        let fits = |need: Need| rules.min_dice <= 0 && need.met(rules);
        NAMES.iter().filter(move |(_, need, _)| fits(*need)).map(move |(.., lure)| Self {
            lure: *lure,
            cutoff,
            num_rolls,
        })
    }

    /// The strategy as it plays a game.
    ///
    /// # Errors
    /// What the game lacks, in words.
    pub(super) fn policy(self, rules: &Rules) -> Result<impl Policy + '_, String> {
        let need = self.facts().1;
        if !need.met(rules) {
            return Err(format!("it needs a rule that {}", need.words()));
        }
        if rules.min_dice > 0 {
            return Err("it needs a turn of no dice".into());
        }
        Ok(Playing { course: self, rules })
    }

    fn facts(self) -> (&'static str, Need) {
        let (name, need, _) = NAMES.iter().find(|(.., lure)| *lure == self.lure).expect("every strategy has a name");
        (name, *need)
    }

    /// Whether the turn without dice is worth it.
    fn rolls_none(self, before: &Position, turn: &Turn) -> bool {
        let enough = turn.points >= self.cutoff;
        let added = i64::from(before.score) + turn.points;
        match self.lure {
            Lure::Bacon | Lure::PickyPiggy => enough,
            // A swap of equal scores is neutral.
            Lure::Swap if turn.swapped && turn.score != turn.opponent => turn.score > turn.opponent,
            Lure::Swap => enough,
            Lure::SwineSwap => turn.swapped && turn.score - i64::from(before.score) >= self.cutoff,
            Lure::HogPile => enough || turn.score > added,
            Lure::Prime if turn.score != added || turn.opponent != i64::from(before.opponent) => turn.score > added,
            Lure::Prime => enough,
        }
    }
}

impl fmt::Display for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{},{}", self.facts().0, self.cutoff, self.num_rolls)
    }
}

/// A strategy of the course at a game.
struct Playing<'a> {
    course: Course,
    rules: &'a Rules,
}

impl Policy for Playing<'_> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        let scores_only = Position::new(self.rules, position.score, position.opponent);
        let before = scores_only.map_err(|e| PolicyError::at(position, e.to_string()))?;
        let turn = take_turn(self.rules, &before, &[], 0).map_err(|e| PolicyError::at(position, e.to_string()))?;
        Ok(if self.course.rolls_none(&before, &turn) { 0 } else { self.course.num_rolls })
    }
}
