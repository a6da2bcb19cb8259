//! Strategies for jeopardy games such as Pig, in which a turn accumulates points at risk until the
//! player holds.

use std::fmt;

use crate::game::{Policy, PolicyError, Position, TurnError, hand_left, points_without_dice};
use crate::rules::Rules;

/// When to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jeopardy {
    /// Hold if that scores at least this many points.
    HoldAt(i64),
    /// Hold at a number of points that rises with the deficit; once either player is close to the
    /// goal, only to win (T. W. Neller and C. G. M. Presser, "Practical Play of the Dice Game
    /// Pig", The UMAP Journal 31, 2010).
    EndRaceOrKeepPace,
    /// Where dice are kept: when to bank, and which dice to keep.
    BankAt(BankAt),
}

/// When to bank and which dice to keep, in numbers that a person remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankAt {
    /// Bank as soon as the pot has this many points with one die left, two, ...; numbers that are
    /// not given are as the last one.
    points: [Option<i64>; MOST_THRESHOLDS],
    /// What a die left counts, in points, when dice are kept: of all choices the one with most
    /// points is taken, these included, of equals the one that leaves more dice. As 0 if not given.
    die: Option<i64>,
}

/// The most dice left for which [`BankAt`] has a number.
const MOST_THRESHOLDS: usize = 12;

/// The name of [`Jeopardy::EndRaceOrKeepPace`].
const KEEP_PACE: &str = "end_race_or_keep_pace";

impl Jeopardy {
    /// The strategies' names, without numbers.
    pub const NAMES: [&str; 3] = ["hold_at", KEEP_PACE, "bank_at"];

    /// Parses `hold_at:N` or `end_race_or_keep_pace`; returns `None` for any other name.
    pub(super) fn read(name: &str, arguments: Option<&str>) -> Option<Result<Self, String>> {
        match (name, arguments) {
            ("hold_at", arguments) => {
                let points = arguments.and_then(|text| text.trim().parse().ok());
                Some(points.filter(|points| *points > 0).map(Self::HoldAt).ok_or_else(|| {
                    "hold_at needs a number of points above 0, as in hold_at:20".into()
                }))
            }
            ("bank_at", arguments) => {
                Some(arguments.and_then(BankAt::read).map(Self::BankAt).ok_or_else(|| {
                    "bank_at needs the points at which to bank with 1, 2, ... dice left, as in \
                     bank_at:250,300,400,500,600,800, and may end with what a die left counts, as \
                     in bank_at:300,die=80"
                        .into()
                }))
            }
            (KEEP_PACE, None) => Some(Ok(Self::EndRaceOrKeepPace)),
            (KEEP_PACE, Some(_)) => Some(Err(format!("{KEEP_PACE} takes no numbers"))),
            _ => None,
        }
    }

    /// Returns the strategies that can be played at a game, with the usual number for `hold_at`.
    pub fn fitting(rules: &Rules) -> Vec<Self> {
        if rules.pot().is_some() {
            vec![Self::HoldAt(20), Self::EndRaceOrKeepPace]
        } else {
            Vec::new()
        }
    }

    /// Returns the strategy as a policy for a game.
    ///
    /// # Errors
    /// Returns a message that says what the game lacks.
    pub(super) fn policy(self, rules: &Rules) -> Result<impl Policy + '_, String> {
        let needs = "it needs a pot: a memory of the game that grows with each roll of a turn \
            (hook again) and that no dice score";
        if matches!(self, Self::BankAt(_)) && !rules.keeps_dice() {
            return Err("it banks by the dice left, and no dice are kept".into());
        }
        self.fits_steps(rules)?;
        if rules.pot().is_some() {
            Ok(JeopardyPlay { strategy: self, rules })
        } else {
            Err(needs.into())
        }
    }

    /// Checks that its points can be those of a pot, and that there are as many dice as it has
    /// numbers.
    fn fits_steps(self, rules: &Rules) -> Result<(), String> {
        let points = match self {
            Self::HoldAt(points) => vec![points],
            Self::BankAt(BankAt { points, .. }) => points.into_iter().flatten().collect(),
            Self::EndRaceOrKeepPace => Vec::new(),
        };
        let dice = rules.dice_of_hand() as usize;
        if rules.keeps_dice() && points.len() > dice {
            return Err(format!("it has {} numbers, one for each of {dice} dice", points.len()));
        }
        let step = i64::from(rules.step);
        match points.into_iter().find(|points| points % step != 0) {
            Some(odd) => Err(format!("{odd} is no multiple of {step}, as points are in this game")),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Jeopardy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HoldAt(points) => write!(f, "hold_at:{points}"),
            Self::EndRaceOrKeepPace => f.write_str(KEEP_PACE),
            Self::BankAt(numbers) => write!(f, "{numbers}"),
        }
    }
}

impl BankAt {
    /// Returns the most dice left for which there is a number.
    pub fn most() -> usize {
        MOST_THRESHOLDS
    }

    /// The names of its numbers.
    const NAMES: [&str; MOST_THRESHOLDS] = [
        "with_1", "with_2", "with_3", "with_4", "with_5", "with_6", "with_7", "with_8", "with_9",
        "with_10", "with_11", "with_12",
    ];

    /// Banks at so many points with one die left, two, and so on, and keeps dice as if each die
    /// left counted `die` points.
    pub fn new(points: &[i64], die: Option<i64>) -> Self {
        Self { points: std::array::from_fn(|dice| points.get(dice).copied()), die }
    }

    /// Reads `250,300,400` or `250,300,400,die=80`.
    fn read(text: &str) -> Option<Self> {
        let mut numbers: Vec<&str> = text.split(',').map(str::trim).collect();
        let die = match numbers.last()?.strip_prefix(DIE) {
            Some(die) => {
                numbers.pop();
                Some(die.parse().ok().filter(|die| *die >= 0)?)
            }
            None => None,
        };
        let points: Option<Vec<i64>> = numbers.into_iter().map(|of| of.parse().ok()).collect();
        points
            .filter(|points| (1..=MOST_THRESHOLDS).contains(&points.len()))
            .map(|points| Self::new(&points, die))
    }

    /// What a die left counts when dice are kept, in points.
    pub(super) fn die(self) -> i64 {
        self.die.unwrap_or(0)
    }

    /// The names of its numbers, in order.
    pub(super) fn parameters(self) -> Vec<&'static str> {
        let given = self.points.iter().flatten().count();
        Self::NAMES[..given].iter().copied().chain(self.die.map(|_| "die")).collect()
    }

    /// Changes a number; returns whether there is one of this name.
    pub(super) fn set(&mut self, name: &str, value: i64) -> bool {
        if name == "die" && value >= 0 {
            self.die = Some(value);
            return true;
        }
        let mut named = self.points.iter_mut().flatten().zip(Self::NAMES);
        let found = named.find(|(_, known)| *known == name);
        found.is_some_and(|(points, _)| {
            *points = value;
            true
        })
    }
}

/// What stands before the points that a die left counts.
pub(super) const DIE: &str = "die=";

impl fmt::Display for BankAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown: Vec<String> = self.points.iter().flatten().map(i64::to_string).collect();
        shown.extend(self.die.map(|die| format!("{DIE}{die}")));
        write!(f, "bank_at:{}", shown.join(","))
    }
}

/// A strategy as a policy for a game.
struct JeopardyPlay<'a> {
    strategy: Jeopardy,
    rules: &'a Rules,
}

impl JeopardyPlay<'_> {
    /// Returns the smallest number of points to hold with.
    fn hold_threshold(&self, position: &Position) -> i64 {
        let score = i64::from(position.score);
        let opponent = i64::from(position.opponent);
        let goal = i64::from(self.rules.goal);
        match self.strategy {
            Jeopardy::HoldAt(points) => points,
            Jeopardy::BankAt(BankAt { points, .. }) => {
                let left: u32 = hand_left(self.rules, position).iter().sum();
                let upto = &points[..(left.max(1) as usize).min(MOST_THRESHOLDS)];
                upto.iter().flatten().last().copied().unwrap_or(0)
            }
            // At 71 of 100 points; for other goals, at the same distance from the goal.
            Jeopardy::EndRaceOrKeepPace if score.max(opponent) >= goal - 29 => goal - score,
            // An eighth of the deficit, rounded to the nearest integer, halves up.
            Jeopardy::EndRaceOrKeepPace => 21 + (opponent - score + 4).div_euclid(8),
        }
    }
}

impl Policy for JeopardyPlay<'_> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        let holds = match points_without_dice(self.rules, position) {
            Ok((points, score)) => {
                points >= self.hold_threshold(position) || score >= i64::from(self.rules.goal)
            }
            Err(TurnError::TooFewDice { .. }) => false,
            Err(error) => return Err(PolicyError::at(position, error.to_string())),
        };
        Ok(if holds { 0 } else { self.rules.max_dice })
    }

    fn sees_memory(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::load;

    fn dice(strategy: &str, game: &str, score: u32, opponent: u32, pot: i64) -> i32 {
        let rules = load(game, Default::default()).unwrap();
        let position = Position::new(&rules, score, opponent)
            .unwrap()
            .with_memory(&rules, "pot", pot)
            .unwrap();
        let (name, arguments) =
            strategy.split_once(':').map_or((strategy, None), |(name, rest)| (name, Some(rest)));
        let strategy = Jeopardy::read(name, arguments).unwrap().unwrap();
        assert_eq!(strategy.to_string().split(':').next(), Some(name));
        strategy.policy(&rules).unwrap().dice(&position).unwrap()
    }

    #[test]
    fn hold_at_holds_with_enough_points_or_at_the_goal() {
        let pots = [0, 19, 20, 30].map(|pot| dice("hold_at:20", "pig", 10, 50, pot));
        assert_eq!(pots, [1, 1, 0, 0]);
        assert_eq!([11, 12].map(|pot| dice("hold_at:20", "pig", 88, 50, pot)), [1, 0]);
        assert_eq!(
            [22, 23].map(|pot| dice("hold_at:23", "two_dice_pig_mild", 0, 0, pot)),
            [2, 0],
            "both dice"
        );
    }

    #[test]
    fn end_race_or_keep_pace_holds_at_the_published_numbers() {
        let holds = |score, opponent| {
            (1..100).find(|pot| dice("end_race_or_keep_pace", "pig", score, opponent, *pot) == 0)
        };
        assert_eq!(
            [holds(0, 0), holds(30, 54), holds(54, 30), holds(40, 44), holds(44, 40)]
                .map(Option::unwrap),
            [21, 24, 18, 22, 21]
        );
        assert_eq!([holds(70, 70), holds(71, 0), holds(10, 71)].map(Option::unwrap), [21, 29, 90]);
    }

    #[test]
    fn a_game_without_a_pot_is_refused() {
        for game in ["fa21", "neller_hog", "sp22"] {
            let rules = load(game, Default::default()).unwrap();
            let error = Jeopardy::HoldAt(20).policy(&rules).map(|_| ()).unwrap_err();
            assert!(
                error.contains("needs a pot") && Jeopardy::fitting(&rules).is_empty(),
                "{error}"
            );
        }
        for (name, arguments) in [
            ("hold_at", None),
            ("hold_at", Some("0")),
            ("hold_at", Some("x")),
            (KEEP_PACE, Some("3")),
        ] {
            assert!(Jeopardy::read(name, arguments).unwrap().is_err());
        }
        assert_eq!(Jeopardy::read("hold", None), None);
    }
}
