//! Scores that come in steps: files and people write points, and states are numbered by steps.

use std::borrow::Cow;
use std::sync::Arc;

use super::formula::{Formula, Scope, Variable, VariableSet};
use super::{Hook, Rules};

/// The variables that are points or scores.
fn points() -> VariableSet {
    VariableSet::of(&[
        Variable::SCORE,
        Variable::OPPONENT,
        Variable::GOAL,
        Variable::POINTS,
        Variable::ROLLED,
        Variable::SCORE_BEFORE,
        Variable::OPPONENT_BEFORE,
    ])
}

impl Hook {
    /// Whether the hook gives points or a score.
    fn gives_points(self) -> bool {
        matches!(
            self,
            Self::ZeroDice
                | Self::Bust
                | Self::FacePoints
                | Self::Worth
                | Self::Points
                | Self::Score
                | Self::OpponentScore
        )
    }
}

impl Rules {
    /// Whether scores or memories have a step other than 1.
    pub fn has_steps(&self) -> bool {
        self.step > 1 || self.memories.iter().any(|memory| memory.step > 1)
    }

    /// The rules in points: these, unless they count steps.
    pub fn in_points(&self) -> &Self {
        self.in_points.as_deref().unwrap_or(self)
    }

    /// The rules of the same game in which scores and memories are counted in steps: a formula has
    /// no value where it gives no multiple of the step. They are these if the game has no steps.
    pub fn in_steps(&self) -> Cow<'_, Self> {
        if !self.has_steps() || self.in_points.is_some() {
            return Cow::Borrowed(self);
        }
        let mut counted = self.clone();
        for rule in &mut counted.rules {
            for (hook, formula) in &mut rule.hooks {
                let gives = if hook.gives_points() { self.step.into() } else { 1 };
                *formula = self.counted(formula, gives);
            }
        }
        for memory in &mut counted.memories {
            memory.next = memory.next.as_ref().map(|next| self.counted(next, memory.step));
            memory.start /= memory.step;
            memory.max /= memory.step;
            memory.step = 1;
        }
        counted.goal /= self.step;
        counted.start = self.start.map(|score| score / self.step);
        counted.step = 1;
        counted.in_points = Some(Arc::new(self.clone()));
        Cow::Owned(counted)
    }

    fn counted(&self, formula: &Formula, gives: i64) -> Formula {
        formula.in_steps(&|variable| self.step_of(variable), gives)
    }

    /// The step of a variable.
    fn step_of(&self, variable: Variable) -> i64 {
        if points().holds(variable) {
            return self.step.into();
        }
        let of_memory = self.memories.iter().enumerate().find(|(index, _)| {
            [Variable::memory(*index), Variable::opponent_memory(*index)].contains(&variable)
        });
        of_memory.map_or(1, |(_, memory)| memory.step)
    }

    /// The variables in points, given those of these rules, which may count steps.
    pub fn scope_in_points(&self, scope: &Scope) -> Scope {
        let mut points_scope = scope.clone();
        if let Some(rules) = &self.in_points {
            for variable in points().union(self.vocabulary().memories()).iter() {
                points_scope.set(variable, scope.get(variable) * rules.step_of(variable));
            }
        }
        points_scope
    }
}
