//! What a game does where its rule file says nothing.

use super::{Hook, Rules};

/// The goal of a file without `goal`.
pub(super) const GOAL: i64 = 100;
/// The fewest and the most dice of a file without `min_dice` and `max_dice`.
pub(super) const MIN_DICE: i64 = 0;
pub(super) const MAX_DICE: i64 = 10;

impl Hook {
    /// The value of a hook that no rule sets, for the hooks that stand for a number: the sides of
    /// the die, the points of no dice, and the points of a roll that shows a 1.
    pub fn default(self) -> Option<i64> {
        match self {
            Self::Die => Some(6),
            Self::ZeroDice => Some(0),
            Self::Bust => Some(1),
            _ => None,
        }
    }
}

/// A part of the game that its rule file leaves to the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultValue {
    /// The key of the rule file, with the memory's name in front if it is one of a memory: `goal`,
    /// `bust`, `pot.start`.
    pub key: String,
    /// The value, as it would be written.
    pub value: String,
    /// What it means.
    pub meaning: String,
    /// For a default that decides what turns score: what the author should be asked.
    pub warning: Option<String>,
}

impl DefaultValue {
    fn new(key: &str, value: impl ToString, meaning: &str) -> Self {
        let meaning = meaning.to_owned();
        Self { key: key.to_owned(), value: value.to_string(), meaning, warning: None }
    }
}

/// Which keys of a file are missing that have a default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub(super) goal: bool,
    pub(super) min_dice: bool,
    pub(super) max_dice: bool,
    pub(super) worth: bool,
    pub(super) bust: bool,
}

impl Rules {
    /// Returns everything that decides how the game is played and that its file leaves to the
    /// default.
    pub fn defaults(&self) -> Vec<DefaultValue> {
        let mut found = Vec::new();
        if self.left_out.goal {
            let meaning = format!("a score of {} or more ends the game", self.goal);
            found.push(DefaultValue::new("goal", self.goal, &meaning));
        }
        if self.left_out.min_dice && self.hooked(Hook::MinDice).next().is_none() {
            found.push(self.default_of_min_dice());
        }
        if self.left_out.max_dice && !self.keeps_dice() {
            let meaning = format!("a turn rolls at most {} dice", self.max_dice);
            found.push(DefaultValue::new("max_dice", self.max_dice, &meaning));
        }
        for memory in &self.memories {
            if memory.left_out.of {
                let meaning = "each player has one; of = \"game\" makes it one for both";
                found.push(DefaultValue::new(&format!("{}.of", memory.name), "player", meaning));
            }
            if memory.left_out.start {
                let key = format!("{}.start", memory.name);
                let meaning = "its value before the first turn";
                found.push(DefaultValue::new(&key, memory.start, meaning));
            }
        }
        if self.baseline.is_none() {
            let meaning = "strategies are rated against the opponent that is named";
            found.push(DefaultValue::new("baseline", "none", meaning));
        }
        if self.is_default(Hook::Worth) {
            let meaning = "the dice kept score their sum";
            found.push(DefaultValue::new("worth", "sum", meaning));
        }
        if self.is_default(Hook::Bust) {
            let meaning = "a roll of which no dice may be kept scores 0 points";
            found.push(DefaultValue::new("bust", 0, meaning));
        }
        for hook in [Hook::Die, Hook::ZeroDice, Hook::Bust] {
            if hook != Hook::Die || !self.keeps_dice() {
                found.extend(self.default_of(hook));
            }
        }
        found
    }

    /// Whether the file leaves out a formula that a rule on keeping has by default.
    pub fn is_default(&self, hook: Hook) -> bool {
        let is_left_out = match hook {
            Hook::Worth => self.left_out.worth,
            Hook::Bust => self.left_out.bust,
            _ => false,
        };
        self.keeps_dice() && is_left_out
    }

    fn default_of_min_dice(&self) -> DefaultValue {
        let meaning = "a turn may roll no dice";
        let warning = "no rule asks for a roll, so that a player may bank before the first one; \
                       write min_dice = \"pot == 0 ? 1 : 0\" in a rule, or min_dice = 0 at the \
                       top to keep that";
        let warning = self.pot().filter(|_| self.keeps_dice()).map(|pot| {
            let name = &pot.name;
            warning.replace("pot", name)
        });
        DefaultValue { warning, ..DefaultValue::new("min_dice", self.min_dice, meaning) }
    }

    /// Returns the default of a hook that no rule sets, if turns of this game come to it.
    fn default_of(&self, hook: Hook) -> Option<DefaultValue> {
        let value = hook.default()?;
        let is_met = match hook {
            // A rule that limits the dice knows whether no dice may be rolled.
            Hook::ZeroDice => self.min_dice <= 0 && self.hooked(Hook::MinDice).next().is_none(),
            _ => self.max_dice > 0,
        };
        if !is_met || self.hooked(hook).next().is_some() {
            return None;
        }
        let (meaning, warning) = match hook {
            Hook::Die => ("the dice have six sides", None),
            Hook::ZeroDice => (
                "rolling no dice scores 0 points",
                Some(
                    "no rule says what no dice score: it is 0 points; write zero_dice = \"0\" to \
                     keep that, or min_dice = 1 if a turn must roll",
                ),
            ),
            _ => (
                "a roll that shows a 1 scores 1 point, whatever else it shows",
                Some(
                    "no rule says what a 1 does: a roll that shows one scores 1 point, as in Pig \
                     Out; write bust = \"1\" to keep that, or bust = \"sum\" if a 1 is a face \
                     like any other",
                ),
            ),
        };
        Some(DefaultValue {
            key: hook.key().into(),
            value: value.to_string(),
            meaning: meaning.into(),
            warning: warning.map(str::to_owned),
        })
    }
}

/// Which keys of a `[[memory]]` are missing that have a default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryLeftOut {
    pub(super) of: bool,
    pub(super) start: bool,
}

#[cfg(test)]
mod tests {
    use crate::rules::{Overrides, builtins, load, rules_from_text, starter};

    fn defaults(text: &str, overrides: Overrides) -> Vec<String> {
        let rules = rules_from_text(text, "test", overrides).expect("valid rules");
        rules
            .defaults()
            .into_iter()
            .map(|default| format!("{} = {}", default.key, default.value))
            .collect()
    }

    fn warned(text: &str) -> Vec<String> {
        let rules = rules_from_text(text, "test", Overrides::default()).expect("valid rules");
        rules
            .defaults()
            .into_iter()
            .filter(|default| default.warning.is_some())
            .map(|default| default.key)
            .collect()
    }

    #[test]
    fn an_empty_game_is_told_all_that_it_leaves_out() {
        assert_eq!(
            defaults("id = \"a\"", Overrides::default()),
            [
                "goal = 100",
                "min_dice = 0",
                "max_dice = 10",
                "baseline = none",
                "die = 6",
                "zero_dice = 0",
                "bust = 1"
            ]
        );
        let memory =
            "id = \"a\"\nbaseline = \"optimal\"\n[[memory]]\nname = \"m\"\nmax = 1\nnext = \"m\"\n";
        let left = defaults(memory, Overrides { goal: Some(20), max_dice: Some(2) });
        assert_eq!(
            left,
            [
                "min_dice = 0",
                "m.of = player",
                "m.start = 0",
                "die = 6",
                "zero_dice = 0",
                "bust = 1"
            ]
        );
    }

    #[test]
    fn only_defaults_of_points_that_turns_come_to_are_warned_of() {
        let rule = |hook: &str| format!("id = \"a\"\n[[rule]]\nname = \"r\"\n{hook}\n");
        assert_eq!(warned(&rule("zero_dice = 3")), ["bust"]);
        assert_eq!(warned(&rule("bust = \"sum\"")), ["zero_dice"]);
        assert_eq!(warned(&rule("bust = 1\nzero_dice = 0")), [""; 0]);
        assert_eq!(warned("id = \"a\"\nmin_dice = 1"), ["bust"]);
        assert_eq!(warned("id = \"a\"\nmax_dice = 0"), ["zero_dice"]);
    }

    #[test]
    fn no_published_game_and_no_starter_leaves_points_to_a_default() {
        for game in builtins() {
            let rules = load(game.id, Overrides::default()).expect("valid rules");
            assert!(
                rules.defaults().iter().all(|default| default.warning.is_none()),
                "{}",
                game.id
            );
        }
        assert_eq!(defaults(&starter("a"), Overrides::default()), ["die = 6"]);
    }
}
