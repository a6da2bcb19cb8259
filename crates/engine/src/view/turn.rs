//! One turn, with the effect of each rule.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{EffectKind, RuleEffect, Turn, memory_names};
use crate::rules::Rules;

/// One turn, with the effect of each rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TurnView {
    /// The points of the turn, before the rules on totals.
    pub points: i64,
    /// The mover's score after the turn.
    pub score: i64,
    /// The opponent's score after the turn.
    pub opponent: i64,
    /// True if the same player moves again; false if the game is over.
    pub again: bool,
    /// True if the game is over: a score has reached the goal.
    pub over: bool,
    /// The values of the memories after the turn, as the mover sees them.
    pub memory: BTreeMap<String, i64>,
    /// The effect of each rule, in the order in which they apply.
    pub steps: Vec<StepView>,
}

/// The effect of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct StepView {
    /// The rule's name.
    pub rule: String,
    /// A description of its effect.
    pub text: String,
}

/// The answer to a line of a batch that does not describe a valid turn.
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
    /// Makes the answer from the error, the line's number and the line.
    pub fn new(error: String, line: usize, input: String) -> Self {
        Self { error, line, input }
    }
}

/// Whether a turn ends the game.
pub(super) fn is_over(rules: &Rules, turn: &Turn) -> bool {
    turn.score.max(turn.opponent) >= i64::from(rules.goal)
}

impl StepView {
    pub(super) fn new(step: &RuleEffect) -> Self {
        Self { rule: step.rule.clone(), text: step.text.clone() }
    }
}

impl TurnView {
    /// Makes the view of a turn that was taken.
    pub fn new(rules: &Rules, turn: Turn) -> Self {
        let over = is_over(rules, &turn);
        // After the end of the game, nobody moves again.
        let steps = turn.steps.iter().filter(|step| !over || step.kind != EffectKind::MovesAgain);
        Self {
            points: turn.points,
            score: turn.score,
            opponent: turn.opponent,
            again: turn.again && !over,
            over,
            steps: steps.map(StepView::new).collect(),
            memory: memory_names(rules).into_iter().zip(turn.memory).collect(),
        }
    }
}
