//! Positions: two scores and the values of the memories.

use crate::rules::Rules;
use crate::rules::formula::{Scope, Variable};

use super::TurnResult;

/// A position, seen by the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The mover's score.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The memories' values, in the order of [`memory_names`].
    pub memory: Vec<i64>,
}

/// Why a position does not exist in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A score is at or above the goal.
    #[error("the {whose} {score} is at or above the goal {goal}: the game is over there; choose 0 \
             to {}", .goal - .step)]
    Over {
        /// `score` or `opponent`.
        parameter: &'static str,
        /// "score" or "opponent's score".
        whose: &'static str,
        /// Its value.
        score: u32,
        /// The goal.
        goal: u32,
        /// The step of scores.
        step: u32,
    },
    /// A score or a memory that cannot be.
    #[error("the {what} {value} cannot be: choose a multiple of {step}")]
    NoMultiple {
        /// `score`, `opponent` or `memory`.
        parameter: &'static str,
        /// "score", "opponent's score" or the memory's name.
        what: String,
        /// The value given.
        value: i64,
        /// The step.
        step: i64,
    },
    /// The game has no such memory.
    #[error("the game {game} has no memory `{name}`{}", known(.names))]
    NoMemory {
        /// The game's id.
        game: String,
        /// The name given.
        name: String,
        /// The names it has.
        names: Vec<String>,
    },
    /// A memory is given more than one value.
    #[error("the memory `{name}` is given twice: give it one value")]
    MemoryTwice {
        /// Its name.
        name: String,
    },
    /// No die of a hand is left.
    #[error("no die is left to be rolled: after the last one all are rolled again; give {names}")]
    NoDiceLeft {
        /// The memories of the dice left, each with the number of all.
        names: String,
    },
    /// A memory's value is out of its range.
    #[error("the memory `{name}` is {value}; choose 0 to {max}")]
    MemoryRange {
        /// Its name.
        name: String,
        /// The value given.
        value: i64,
        /// The largest value.
        max: i64,
    },
}

impl PositionError {
    /// Returns what of a position does not exist: `score`, `opponent` or `memory`.
    pub fn parameter(&self) -> &'static str {
        match self {
            Self::Over { parameter, .. } | Self::NoMultiple { parameter, .. } => parameter,
            _ => "memory",
        }
    }
}

fn known(names: &[String]) -> String {
    if names.is_empty() { "; it has none".into() } else { format!("; it has {}", names.join(", ")) }
}

/// The variables of the memories: for each memory the mover's and the opponent's, or the shared
/// one.
pub(super) fn memory_variables(rules: &Rules) -> impl Iterator<Item = Variable> {
    rules.vocabulary().memories().iter()
}

/// The names of a position's memories: `last_dice`, `opponent_last_dice`, ...
pub fn memory_names(rules: &Rules) -> Vec<String> {
    memory_variables(rules).map(|v| rules.vocabulary().name(v).to_owned()).collect()
}

impl Position {
    /// Creates a position with these scores and the start values of the memories.
    ///
    /// # Errors
    /// Returns an error if a score is at or above the goal.
    pub fn new(rules: &Rules, score: u32, opponent: u32) -> Result<Self, PositionError> {
        for (parameter, whose, value) in
            [("score", "score", score), ("opponent", "opponent's score", opponent)]
        {
            if value >= rules.goal {
                let Rules { goal, step, .. } = *rules;
                return Err(PositionError::Over { parameter, whose, score: value, goal, step });
            }
            if value % rules.step != 0 {
                return Err(PositionError::NoMultiple {
                    parameter,
                    what: whose.to_owned(),
                    value: value.into(),
                    step: rules.step.into(),
                });
            }
        }
        let starts =
            rules.memories.iter().flat_map(|m| vec![m.start; if m.of_player { 2 } else { 1 }]);
        Ok(Self { score, opponent, memory: starts.collect() })
    }

    /// Returns the position in which so many dice are rolled, in a game in which dice of one kind
    /// are kept: as many as were left. No more are left than there are.
    #[must_use]
    pub fn with_rolled(mut self, rules: &Rules, rolled: usize) -> Self {
        if let [dice] = &rules.hand[..]
            && rolled > 0
        {
            // The dice left are the last memory, which both players share.
            let left = self.memory.last_mut().expect("a memory for each kind");
            *left = i64::from(dice.count).min(rolled as i64);
        }
        self
    }

    /// Checks that dice of the hand are left, if there is a hand.
    ///
    /// # Errors
    /// Returns an error if none is.
    pub fn with_dice_left(self, rules: &Rules) -> Result<Self, PositionError> {
        let left = &self.memory[self.memory.len() - rules.hand.len()..];
        if left.is_empty() || left.iter().any(|left| *left > 0) {
            return Ok(self);
        }
        let all = rules.hand.iter().map(|dice| format!("{}={}", dice.name, dice.count));
        Err(PositionError::NoDiceLeft { names: all.collect::<Vec<_>>().join(",") })
    }

    /// Returns the position with one memory changed.
    ///
    /// # Errors
    /// Returns an error if the game has no such memory, or the value is out of its range.
    pub fn with_memory(
        mut self,
        rules: &Rules,
        name: &str,
        value: i64,
    ) -> Result<Self, PositionError> {
        let names = memory_names(rules);
        let Some(index) = names.iter().position(|n| n == name) else {
            return Err(PositionError::NoMemory {
                game: rules.id.clone(),
                name: name.to_owned(),
                names,
            });
        };
        let owners = rules.memories.iter().flat_map(|m| vec![m; if m.of_player { 2 } else { 1 }]);
        let kept = owners.into_iter().nth(index).expect("one for each name");
        let max = kept.max;
        if !(0..=max).contains(&value) {
            return Err(PositionError::MemoryRange { name: name.to_owned(), value, max });
        }
        if value % kept.step != 0 {
            return Err(PositionError::NoMultiple {
                parameter: "memory",
                what: name.to_owned(),
                value,
                step: kept.step,
            });
        }
        self.memory[index] = value;
        Ok(self)
    }

    /// Returns the position after a turn, seen by the next player to move (the same player if
    /// `turn.again`), or `None` if the game is over.
    pub fn after(rules: &Rules, turn: &TurnResult) -> Option<Self> {
        let score = u32::try_from(turn.score).ok()?;
        let opponent = u32::try_from(turn.opponent).ok()?;
        if score >= rules.goal || opponent >= rules.goal {
            return None;
        }
        if turn.again {
            return Some(Self { score, opponent, memory: turn.memory.clone() });
        }
        let mut memory = turn.memory.clone();
        let mut slot = 0;
        for kept in &rules.memories {
            if kept.of_player {
                memory.swap(slot, slot + 1);
            }
            slot += if kept.of_player { 2 } else { 1 };
        }
        Some(Self { score: opponent, opponent: score, memory })
    }

    /// The position in points, if these are rules of a game in steps and it counts them.
    #[must_use]
    pub fn in_points(&self, rules: &Rules) -> Self {
        let points = rules.in_points();
        if std::ptr::eq(points, rules) {
            return self.clone();
        }
        let steps = points.memories.iter();
        let steps = steps.flat_map(|m| vec![m.step; if m.of_player { 2 } else { 1 }]);
        Self {
            score: self.score * points.step,
            opponent: self.opponent * points.step,
            memory: self.memory.iter().zip(steps).map(|(value, step)| value * step).collect(),
        }
    }

    /// The variables of formulas before a turn from this position.
    pub fn scope(&self, rules: &Rules) -> Scope {
        let mut scope = Scope::default();
        scope.set(Variable::SCORE, i64::from(self.score));
        scope.set(Variable::OPPONENT, i64::from(self.opponent));
        scope.set(Variable::GOAL, i64::from(rules.goal));
        scope.set(Variable::MAX_DICE, i64::from(rules.max_dice));
        for (variable, value) in memory_variables(rules).zip(&self.memory) {
            scope.set(variable, *value);
        }
        scope
    }
}
