//! What rules on points add to a turn, whatever is rolled.

use crate::game::{Game, Position, dice_rolled};
use crate::rules::Hook;
use crate::rules::formula::{Variable, VariableSet};

/// What a rule adds to the points of each roll of some dice, as Feral Hogs does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedPoints {
    /// The name of the rule.
    pub rule: String,
    /// How many points it adds.
    pub points: usize,
}

impl AddedPoints {
    /// Returns what the first rule that does so adds to each roll of `dice` dice in a position;
    /// `None` if none does, also where what is added depends on the roll.
    pub fn of(game: &Game, position: &Position, dice: i32) -> Option<Self> {
        let rules = game.rules();
        let (rolled, die) = dice_rolled(rules, position, dice).ok()?;
        let numbers = [
            Variable::SCORE,
            Variable::OPPONENT,
            Variable::GOAL,
            Variable::MAX_DICE,
            Variable::DICE,
            Variable::POINTS,
        ];
        let known = VariableSet::of(&numbers).union(rules.vocabulary().memories());
        let mut scope = position.scope(rules);
        scope.set(Variable::DICE, i64::from(dice.min(rolled as i32)));
        // No dice score some points, too.
        let most = (rolled.max(2) * die.sides()) as i64;
        rules.hooked(Hook::Points).find_map(|(rule, formula)| {
            if !formula.reads().without(known).is_empty() {
                return None;
            }
            let mut added = (0..=most).map(|points| {
                scope.set(Variable::POINTS, points);
                Some(formula.value(&scope)? - points)
            });
            let points = added.next()??;
            let is_added = points > 0 && added.all(|other| other == Some(points));
            let rule = rules.rules[rule].name.clone();
            is_added.then_some(Self { rule, points: points as usize })
        })
    }
}
