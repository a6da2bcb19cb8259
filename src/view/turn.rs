//! One turn, with what each rule did.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Turn, memory_names};
use crate::rules::Rules;

/// A turn and its effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TurnView {
    /// The points of the turn, before effects on the scores.
    pub points: i64,
    /// The mover's score after every effect.
    pub score: i64,
    /// The opponent's.
    pub opponent: i64,
    /// True if the same player moves once more.
    pub again: bool,
    /// The memories after the turn, seen by the mover.
    pub memory: BTreeMap<String, i64>,
    /// What each rule did, in the order of the turn.
    pub steps: Vec<StepView>,
}

/// What one rule did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct StepView {
    /// The rule's name.
    pub rule: String,
    /// Its effect in words.
    pub text: String,
}

/// The answer to a line of a batch that describes no turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct BadLineView {
    /// What is wrong.
    pub error: String,
    /// The line's number, from 1.
    pub line: usize,
    /// The line itself.
    pub input: String,
}

impl BadLineView {
    /// Of a line and what is wrong with it.
    pub fn new(error: String, line: usize, input: String) -> Self {
        Self { error, line, input }
    }
}

impl TurnView {
    /// Of a turn that was taken.
    pub fn new(rules: &Rules, turn: Turn) -> Self {
        Self {
            points: turn.points,
            score: turn.score,
            opponent: turn.opponent,
            again: turn.again,
            memory: memory_names(rules).into_iter().zip(turn.memory).collect(),
            steps: turn.steps.into_iter().map(|step| StepView { rule: step.rule, text: step.text }).collect(),
        }
    }
}
