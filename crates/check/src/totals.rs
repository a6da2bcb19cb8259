//! The successor of a turn: the rules on totals, applied in their order to one turn at a time.

use hog_rules::rules::formula::{Formula, Scope, Variable};
use hog_rules::rules::{Hook, Rules};

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
    /// Returns what the rules on totals know before they change the totals.
    fn scope(&self, score: i64, opponent: i64, context: u32) -> Scope {
        let mut scope = Scope::default();
        for (variable, value) in self.contexts.get(context as usize).into_iter().flatten() {
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
        let mut totals = (score + i64::from(points), opponent);
        let mut again = false;
        for rule in &self.rules.rules {
            scope.set(Variable::SCORE, totals.0);
            scope.set(Variable::OPPONENT, totals.1);
            let mut swap = false;
            let mut end = false;
            for (hook, formula) in &rule.hooks {
                if !Hook::ON_TOTALS.contains(hook) {
                    continue;
                }
                let value = self.value(&scope, &rule.name, formula)?;
                match hook {
                    Hook::Score => totals.0 = value,
                    Hook::OpponentScore => totals.1 = value,
                    Hook::Swap => swap = value == 1,
                    Hook::Again => again |= value == 1,
                    _ => end = value == 1,
                }
            }
            if totals.0 < 0 || totals.1 < 0 {
                return Err(fault(&scope, &rule.name, "a score is below 0".to_owned()));
            }
            if swap {
                totals = (totals.1, totals.0);
            }
            if end {
                // Whoever is ahead has won, as if by reaching the goal.
                let most = totals.0.max(totals.1);
                for total in [&mut totals.0, &mut totals.1] {
                    if *total == most {
                        *total = most.max(goal);
                    }
                }
                // The later rules do nothing.
                break;
            }
        }
        Ok(place(goal, totals.0, totals.1, again))
    }

    fn value(&self, scope: &Scope, rule: &str, formula: &Formula) -> Result<i64, CheckError> {
        formula
            .value(scope)
            .ok_or_else(|| fault(scope, rule, format!("`{}` has no value", formula.source())))
    }
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

fn fault(scope: &Scope, rule: &str, fault: String) -> CheckError {
    CheckError::Rule {
        rule: rule.to_owned(),
        score: scope.get(Variable::SCORE),
        opponent: scope.get(Variable::OPPONENT),
        fault,
    }
}
