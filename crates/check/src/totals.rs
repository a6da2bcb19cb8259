//! The successor of a turn: the rules on totals, applied in their order to one turn at a time.

use hog_rules::rules::formula::{Formula, Scope, Variable};
use hog_rules::rules::{Hook, Rule, Rules};

use super::error::CheckError;

/// The successor of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Successor {
    /// The game is over; the mover's share of the win, in halves: 0, 1 or 2.
    End(u8),
    /// The opponent moves, from this cell as the opponent sees it.
    Passed(u32),
    /// The mover moves again, from this cell.
    Again(u32),
}

/// The rules on totals, applied to one turn at a time.
pub(super) struct Totals {
    pub rules: Rules,
    /// For each context, the values that the rules read, other than scores.
    pub contexts: Vec<Vec<(Variable, i64)>>,
}

impl Totals {
    /// Returns the variables that no rule on totals changes.
    fn scope(&self, score: i64, opponent: i64, context: u32) -> Scope {
        let mut scope = Scope::default();
        for (variable, value) in &self.contexts[context as usize] {
            scope.set(*variable, *value);
        }
        scope.set(Variable::GOAL, i64::from(self.rules.goal));
        scope.set(Variable::MAX_DICE, i64::from(self.rules.max_dice));
        scope.set(Variable::SCORE_BEFORE, score);
        scope.set(Variable::OPPONENT_BEFORE, opponent);
        scope
    }

    /// Returns the successor of a turn that scores `points` in a context, from two scores.
    pub fn successor(
        &self,
        score: usize,
        opponent: usize,
        points: u32,
        context: u32,
    ) -> Result<Successor, CheckError> {
        let score = score as i64;
        let opponent = opponent as i64;
        let goal = i64::from(self.rules.goal);
        let mut scope = self.scope(score, opponent, context);
        let mut own = score + i64::from(points);
        let mut other = opponent;
        let mut again = false;
        for rule in &self.rules.rules {
            // All formulas of a rule read the totals from before it.
            scope.set(Variable::SCORE, own);
            scope.set(Variable::OPPONENT, other);
            let mut swap = false;
            let mut end = false;
            for (hook, formula) in &rule.hooks {
                match hook {
                    Hook::Score => own = self.value(&scope, rule, formula)?,
                    Hook::OpponentScore => other = self.value(&scope, rule, formula)?,
                    Hook::Swap => swap = self.value(&scope, rule, formula)? == 1,
                    Hook::Again => again |= self.value(&scope, rule, formula)? == 1,
                    Hook::End => end = self.value(&scope, rule, formula)? == 1,
                    // Other hooks run before the rules on totals.
                    _ => {}
                }
            }
            if own < 0 || other < 0 {
                return Err(rule_error(&scope, rule, "a score is below 0".to_owned()));
            }
            if swap {
                std::mem::swap(&mut own, &mut other);
            }
            if end {
                let ahead = own.max(other);
                own = raised(own, ahead, goal);
                other = raised(other, ahead, goal);
                // The later rules do nothing.
                break;
            }
        }
        Ok(place(goal, own, other, again))
    }

    fn value(&self, scope: &Scope, rule: &Rule, formula: &Formula) -> Result<i64, CheckError> {
        formula
            .value(scope)
            .ok_or_else(|| rule_error(scope, rule, format!("`{}` has no value", formula.source())))
    }
}

/// Whoever is ahead at the end has won, as if by reaching the goal.
fn raised(total: i64, ahead: i64, goal: i64) -> i64 {
    if total == ahead { ahead.max(goal) } else { total }
}

fn place(goal: i64, score: i64, opponent: i64, again: bool) -> Successor {
    if score >= goal || opponent >= goal {
        return Successor::End(match score.cmp(&opponent) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        });
    }
    // Both are below the goal, so the cell fits.
    if again {
        Successor::Again((score * goal + opponent) as u32)
    } else {
        Successor::Passed((opponent * goal + score) as u32)
    }
}

fn rule_error(scope: &Scope, rule: &Rule, what: String) -> CheckError {
    CheckError::Rule {
        rule: rule.name.clone(),
        score: scope.get(Variable::SCORE),
        opponent: scope.get(Variable::OPPONENT),
        fault: what,
    }
}
