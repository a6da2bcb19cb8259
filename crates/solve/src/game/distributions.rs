//! Phase 2, from the rules before the totals to distributions: the outcomes of each number of dice,
//! with exact weights.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::FixedState;

use crate::dice::{Detail, DiceCounts, Die, Feature, PatternCount, RollCount, Weight};
use crate::limits;
use crate::rules::formula::{Formula, Scope, Variable, VariableSet};
use crate::rules::limits::{POINTS, ROLLS};
use crate::rules::{Faults, Hook, Place, Rules};
use crate::turn::{DiceLimits, die_of, of_a_roll, patterns_in};

use super::classes::ScoreClasses;
use super::failure::{FaultLog, Logged, at};
use super::grid::ScoreGrid;
use super::intern::Interner;
use super::kept::KeptDice;
use super::raw::{
    Context, DistributionTable, Distributions, RawClass, RawCleanSum, RawDistribution, RawOutcome,
    summed, sums_of_one,
};
use super::size;
use super::totals::past_goal_alike;
use super::{Budget, GameError};
use crate::states::Combinations;

/// Points above this limit, or above a higher goal, are capped unless some rule depends on the
/// difference.
pub(super) const POINTS_KEPT: i64 = 4096;

/// Computes the distributions of all actions, and finds the faults of the rules before the totals:
/// formulas without a value, and dice, points and memories out of their ranges. With faults, only
/// sound distributions are returned.
///
/// # Errors
/// Returns an error if there are too many rolls, the tables take too much memory, or the work is
/// cancelled.
pub(super) fn distributions(
    rules: &Rules,
    classes: &ScoreClasses,
    budget: Budget,
) -> Result<(Distributions, Option<Faults>), GameError> {
    let mut maker = DistributionMaker::new(rules, budget);
    let zero = maker.table(&classes.zero, rules.min_dice..=rules.max_dice.min(0), budget)?;
    let roll = maker.table(&classes.roll, rules.min_dice.max(1)..=rules.max_dice, budget)?;
    // An action that was stopped has no distribution.
    budget.check()?;
    maker.check_that_dice_may_be_kept();
    let theirs_matter = maker.depends.theirs;
    let DistributionMaker { mine, shared, points_matter, distributions, contexts, log, .. } = maker;
    let all = distributions.into_items();
    let contexts = contexts.into_items();
    let distributions =
        Distributions { zero, roll, all, contexts, points_matter, theirs_matter, mine, shared };
    Ok((distributions, log.into_faults()))
}

/// On which memories some distribution depends.
#[derive(Clone, Copy, Default)]
struct Depends {
    mine: bool,
    theirs: bool,
    shared: bool,
}

/// Data shared by the outcomes of one distribution.
struct BeforeRoll<'a> {
    /// The rules on points, partially evaluated with what is known before the roll.
    points_rules: Vec<(usize, Cow<'a, Formula>)>,
    /// The class of the outcome that was computed last.
    class: Option<RawClass>,
}

/// A die, the extra points of its faces, and the number of dice.
type DiceShown = (Die, Vec<i64>, u32);

/// Computes distributions and keeps the data they share.
struct DistributionMaker<'a> {
    rules: &'a Rules,
    budget: Budget<'a>,
    log: FaultLog<'a>,
    mine: Combinations,
    shared: Combinations,
    context_variables: Vec<Variable>,
    points_rules: Vec<(usize, &'a Formula)>,
    /// Whether all outcomes of a distribution have one class: no memory and no rule on totals
    /// reads the roll.
    one_class: bool,
    points_matter: bool,
    depends: Depends,
    /// Points are capped at this number; no rule depends on the difference.
    most_points: i64,
    detail: Detail,
    /// The patterns that rules read, each with its feature.
    patterns: Vec<(Variable, Feature)>,
    /// The rolls of hands of which dice are kept.
    kept: KeptDice,
    /// The number of distinct rolls enumerated for patterns, reset for each table.
    enumerated: usize,
    distributions: Interner<RawDistribution>,
    /// The memory for the distinct distributions, in bytes.
    bytes: usize,
    contexts: Interner<Context>,
    /// Counts without patterns, by die and extra points of its faces.
    dice: HashMap<(Die, Vec<i64>), DiceCounts, FixedState>,
    /// Counts with patterns, by die, extra points and number of dice.
    shown: HashMap<DiceShown, Rc<[PatternCount]>, FixedState>,
}

impl<'a> DistributionMaker<'a> {
    fn new(rules: &'a Rules, budget: Budget<'a>) -> Self {
        let totals = rules.read_by(&Hook::ON_TOTALS);
        let wanted = of_a_roll()
            .without(VariableSet::of(&[Variable::POINTS]))
            .union(VariableSet::of(&[Variable::DICE]));
        let context_variables = totals.and(wanted.union(rules.vocabulary().memories()));
        let nexts = rules.memories.iter().map(|memory| memory.next().reads());
        let after_points = nexts.fold(context_variables, VariableSet::union);
        let reads = after_points.union(rules.read_by(&Hook::BEFORE_TOTALS));
        let mut depends = Depends { shared: rules.keeps_dice(), ..Depends::default() };
        for (memory, kept) in rules.memories.iter().enumerate() {
            let is_read = reads.holds(Variable::memory(memory));
            depends.mine |= is_read && kept.of_player;
            depends.shared |= is_read && !kept.of_player;
            depends.theirs |= reads.holds(Variable::opponent_memory(memory));
        }
        let bust = rules.read_by(&[Hook::Bust]);
        Self {
            rules,
            budget,
            log: FaultLog::new(rules),
            mine: Combinations::of_players(rules),
            shared: Combinations::of_game(rules),
            context_variables: context_variables.iter().collect(),
            points_rules: rules.hooked(Hook::Points).collect(),
            one_class: after_points.is_disjoint(of_a_roll()),
            // The score before the turn is the total minus the points.
            points_matter: totals.holds(Variable::POINTS) || totals.holds(Variable::SCORE_BEFORE),
            depends,
            most_points: if past_goal_alike(rules) {
                POINTS_KEPT.max(rules.goal.into())
            } else {
                POINTS
            },
            detail: Detail {
                sum_with_ones: bust.holds(Variable::SUM),
                number_of_ones: bust.holds(Variable::ONES_ROLLED),
            },
            patterns: patterns_in(reads),
            kept: KeptDice::new(rules, reads),
            enumerated: 0,
            distributions: Interner::new(),
            bytes: 0,
            contexts: Interner::new(),
            dice: HashMap::default(),
            shown: HashMap::default(),
        }
    }

    /// Finds the fault of rules by which no dice of any roll may be kept, so that every roll busts.
    fn check_that_dice_may_be_kept(&self) {
        let Some((rule, _)) = self.rules.hooked(Hook::Keep).next() else { return };
        if self.kept.keeps_nothing() {
            self.log.add(Place::Hook(rule, Hook::Keep), || {
                let message = "no dice of any roll may be kept, so every roll busts";
                (message.to_owned(), "say which dice may be kept".to_owned())
            });
        }
    }

    /// Computes the distributions of these actions in each class of scores.
    fn table(
        &mut self,
        classes: &ScoreGrid,
        actions: std::ops::RangeInclusive<i32>,
        budget: Budget,
    ) -> Result<DistributionTable, GameError> {
        if actions.is_empty() {
            return Ok(DistributionTable::of_no_actions());
        }
        let mine = if self.depends.mine { self.mine.count() } else { 1 };
        let theirs = if self.depends.theirs { self.mine.count() } else { 1 };
        let shared = if self.depends.shared { self.shared.count() } else { 1 };
        let cells = classes.representatives();
        let places = cells.len() * mine * theirs * shared;
        let each = actions.clone().count();
        self.enumerated = 0;
        let numbers = places * each * DistributionTable::BYTES;
        size::refuse_much_memory(self.rules, numbers, budget)?;
        let mut ids = Vec::with_capacity(places * each);
        for cell in &cells {
            for place in 0..mine * theirs * shared {
                let i = place / (theirs * shared);
                let j = place / shared % theirs;
                let g = place % shared;
                let scope = self.scope(cell.0, cell.1, i, j, g);
                for action in actions.clone() {
                    budget.check()?;
                    ids.push(self.distribution(&scope, action).unwrap_or(0));
                }
                size::refuse_much_memory(self.rules, numbers + self.bytes, budget)?;
                if ids.len() == each {
                    size::refuse_many_patterns(self.rules, self.enumerated, places)?;
                }
            }
        }
        Ok(DistributionTable { ids, classes: cells.len(), mine, theirs, shared, actions: each })
    }

    fn scope(&self, score: usize, opponent: usize, i: usize, j: usize, g: usize) -> Scope {
        let mut scope = Scope::default();
        for (variable, value) in [
            (Variable::SCORE, score as i64),
            (Variable::OPPONENT, opponent as i64),
            (Variable::GOAL, self.rules.goal.into()),
            (Variable::MAX_DICE, self.rules.max_dice.into()),
        ] {
            scope.set(variable, value);
        }
        self.mine.write(i, &mut scope, Variable::memory);
        self.mine.write(j, &mut scope, Variable::opponent_memory);
        self.shared.write(g, &mut scope, Variable::memory);
        scope
    }

    /// Computes the distribution of a request for `request` dice and returns its number.
    fn distribution(&mut self, before: &Scope, request: i32) -> Result<u32, Logged> {
        let mut scope = before.clone();
        scope.set(Variable::DICE, request.into());
        let limits = DiceLimits::of(self.rules, |rule, hook, formula| {
            self.value(&scope, rule, hook, formula)
        })?;
        let dice = limits.clamp(request.into());
        scope.set(Variable::DICE, dice);
        let distribution = if dice <= 0 {
            self.of_no_dice(&mut scope)?
        } else if self.rules.keeps_dice() {
            self.of_hand(&mut scope)?
        } else {
            self.of_roll(&mut scope, dice as u32)?
        };
        let bytes = distribution.bytes();
        let known = self.distributions.count();
        let number = self.distributions.number(distribution);
        self.bytes += if self.distributions.count() > known { bytes } else { 0 };
        Ok(number)
    }

    fn of_no_dice(&mut self, scope: &mut Scope) -> Result<RawDistribution, Logged> {
        let mut before = self.before_roll(scope);
        let points = self.value_or_default(scope, Hook::ZeroDice)?;
        let remainder = vec![(self.outcome(scope, points, &mut before)?, 1)];
        Ok(RawDistribution { clean: None, remainder, menus: Vec::new(), total: 1 })
    }

    /// The distribution of a roll of the dice left of a hand, of which the mover then keeps some.
    fn of_hand(&mut self, scope: &mut Scope) -> Result<RawDistribution, Logged> {
        let hand = self.kept.hand(self.rules, scope, &self.log)?;
        scope.set(Variable::DICE, hand.dice);
        let mut before = self.before_roll(scope);
        let mut outcomes = Vec::with_capacity(hand.cases.len());
        let mut faulty = false;
        for case in &hand.cases {
            if self.budget.check().is_err() {
                return Err(Logged);
            }
            for (variable, value) in self.kept.variables.iter().zip(case) {
                scope.set(*variable, *value);
            }
            let hook = if scope.get(Variable::BUSTED) == 1 { Hook::Bust } else { Hook::Worth };
            let worth = self.value_or_default(scope, hook);
            match worth.and_then(|worth| self.outcome(scope, worth, &mut before)) {
                Ok(outcome) => outcomes.push(outcome),
                Err(Logged) => faulty = true,
            }
        }
        if faulty {
            return Err(Logged);
        }
        let mut rolls = Vec::with_capacity(hand.rolls.len());
        for (cases, weight) in &hand.rolls {
            rolls.push((cases.iter().map(|case| outcomes[*case as usize]).collect(), *weight));
        }
        Ok(RawDistribution::of_menus(rolls, hand.total))
    }

    /// The number of all rolls of some dice.
    fn all_rolls(&mut self, die: &Die, dice: u32) -> Result<Weight, Logged> {
        if let Some(total) = die.rolls(dice).ok().filter(|total| *total <= ROLLS) {
            return Ok(total);
        }
        let message = format!("{dice} dice of this kind have more than 2^112 rolls");
        let fault = (message, "lower max_dice, the sides or the weights".into());
        Err(self.log.add(self.first(&[Hook::Die]), || fault))
    }

    fn of_roll(&mut self, scope: &mut Scope, dice: u32) -> Result<RawDistribution, Logged> {
        let mut before = self.before_roll(scope);
        let die = self.die(scope)?;
        let total = self.all_rolls(&die, dice)?;
        let bonus = self.bonus(scope, &die)?;
        let sums = sums_of_one(&die, &bonus);
        let convolved = POINTS_KEPT.max(self.rules.goal.into());
        let rolls = self.rolls(die, bonus, dice)?;
        let mut clean = Vec::with_capacity(rolls.len());
        let mut remainder = Vec::new();
        let mut offset = None;
        let mut is_sum = true;
        let mut faulty = false;
        self.enumerated += if self.patterns.is_empty() { 0 } else { rolls.len() };
        for pattern in rolls.iter() {
            // Checked again, and reported, before the next action.
            if self.budget.check().is_err() {
                return Err(Logged);
            }
            let Ok((points, outcome)) = self.of_pattern(scope, pattern, &mut before) else {
                faulty = true;
                continue;
            };
            let roll = &pattern.roll;
            let weighted = (outcome, roll.count);
            if roll.ones > 0 {
                remainder.push(weighted);
                continue;
            }
            clean.push(weighted);
            let added = i64::from(outcome.points) - points;
            // The limit keeps arrays over points small.
            is_sum &=
                added == *offset.get_or_insert(added) && i64::from(outcome.points) <= convolved;
        }
        if faulty {
            return Err(Logged);
        }
        // A die of 0 points would read the stage that is being solved.
        is_sum &= sums.iter().all(|(points, _)| *points > 0);
        let mut clean_sum = None;
        match offset.filter(|_| is_sum).and_then(|offset| u32::try_from(offset).ok()) {
            Some(offset) => {
                let outcomes = summed(clean);
                clean_sum = Some(RawCleanSum { dice, die: sums, offset, outcomes });
            }
            None => remainder.append(&mut clean),
        }
        let remainder = summed(remainder);
        Ok(RawDistribution { clean: clean_sum, remainder, menus: Vec::new(), total })
    }

    /// The distinct rolls of `dice` dice, as far as rules distinguish them; at most [`ROLLS`]
    /// rolls in total.
    fn rolls(
        &mut self,
        die: Die,
        bonus: Vec<i64>,
        dice: u32,
    ) -> Result<Rc<[PatternCount]>, Logged> {
        if self.patterns.is_empty() {
            if self.dice.len() >= limits::DICE_COUNTS {
                self.dice.clear();
            }
            let counts = self.dice.entry((die, bonus)).or_insert_with_key(|(die, bonus)| {
                DiceCounts::new(die.clone(), bonus.clone(), self.detail)
            });
            // Counted for this number of dice only: the counts for max_dice could overflow.
            let rolls = counts.of(dice).expect("the number of rolls was checked").iter();
            return Ok(rolls
                .map(|roll| PatternCount { roll: *roll, features: Vec::new() })
                .collect());
        }
        let key = (die, bonus, dice);
        if let Some(known) = self.shown.get(&key) {
            return Ok(known.clone());
        }
        let features: Vec<Feature> = self.patterns.iter().map(|(_, feature)| *feature).collect();
        match key.0.patterns(dice, &key.1, self.detail, &features) {
            Ok(shown) => Ok(self.shown.entry(key).or_insert(shown.into()).clone()),
            Err(error) => Err(self.log.add(self.first(&[Hook::Die]), || {
                (error.to_string(), "lower max_dice or the sides of the dice".to_owned())
            })),
        }
    }

    fn die(&self, scope: &Scope) -> Result<Die, Logged> {
        let rule = self.rules.hooked(Hook::Die).next();
        let Some((rule, formula)) = rule else { return Ok(Die::fair(6).expect("six sides")) };
        let value = self.value(scope, rule, Hook::Die, formula)?;
        die_of(formula, value).map_err(|error| {
            self.log.add(Place::Hook(rule, Hook::Die), || {
                (format!("{error} ({})", at(scope)), "give the die other sides".into())
            })
        })
    }

    /// The extra points of each face; empty if no rule gives any.
    fn bonus(&self, scope: &mut Scope, die: &Die) -> Result<Vec<i64>, Logged> {
        let mut bonus = Vec::new();
        for (rule, formula) in self.rules.hooked(Hook::FacePoints) {
            bonus.resize(die.sides(), 0i64);
            for (face, extra) in (1..).zip(&mut bonus).filter(|(face, _)| die.weight(*face) > 0) {
                scope.set(Variable::FACE, i64::from(face));
                *extra =
                    extra.saturating_add(self.value(scope, rule, Hook::FacePoints, formula)?);
                if !(-POINTS..=POINTS).contains(extra) {
                    let place = Place::Hook(rule, Hook::FacePoints);
                    let what = "the extra points of a face are";
                    return Err(self.log.points(place, what, -POINTS, *extra, scope));
                }
            }
        }
        Ok(bonus)
    }

    fn points_of_roll(&self, scope: &mut Scope, outcome: &RollCount) -> Result<i64, Logged> {
        scope.set(Variable::ONES_ROLLED, i64::from(outcome.ones));
        scope.set(Variable::SUM, i64::from(outcome.sum));
        scope.set(Variable::BUSTED, i64::from(outcome.ones > 0));
        if outcome.ones == 0 {
            return Ok(i64::from(outcome.sum) + outcome.bonus);
        }
        let points = self.value_or_default(scope, Hook::Bust)?;
        Ok(points.saturating_add(outcome.bonus))
    }

    /// The data shared by all outcomes once the number of dice is known.
    fn before_roll(&self, scope: &Scope) -> BeforeRoll<'a> {
        let mut points_rules = Vec::with_capacity(self.points_rules.len());
        for (rule, formula) in &self.points_rules {
            // Partial evaluation does not pay off for a single outcome.
            let formula = match scope.get(Variable::DICE) <= 0 {
                true => Cow::Borrowed(*formula),
                false => Cow::Owned(formula.with_known(scope, of_a_roll())),
            };
            points_rules.push((*rule, formula));
        }
        BeforeRoll { points_rules, class: None }
    }

    /// The points of a roll, before rules on points, and its outcome.
    fn of_pattern(
        &mut self,
        scope: &mut Scope,
        pattern: &PatternCount,
        before: &mut BeforeRoll,
    ) -> Result<(i64, RawOutcome), Logged> {
        for ((variable, _), value) in self.patterns.iter().zip(&pattern.features) {
            scope.set(*variable, *value);
        }
        let points = self.points_of_roll(scope, &pattern.roll)?;
        Ok((points, self.outcome(scope, points, before)?))
    }

    /// Computes the outcome of a roll that gave `rolled` points; all other variables are set in
    /// `scope`.
    fn outcome(
        &mut self,
        scope: &mut Scope,
        rolled: i64,
        before: &mut BeforeRoll,
    ) -> Result<RawOutcome, Logged> {
        scope.set(Variable::ROLLED, rolled);
        let mut points = rolled;
        let sources: &[Hook] = match scope.get(Variable::DICE) {
            ..=0 => &[Hook::ZeroDice],
            _ if self.rules.keeps_dice() => &[Hook::Worth],
            _ if scope.get(Variable::BUSTED) == 1 => &[Hook::Bust, Hook::FacePoints],
            _ => &[Hook::FacePoints],
        };
        self.check_points(scope, self.first(sources), points)?;
        for (rule, formula) in &before.points_rules {
            scope.set(Variable::POINTS, points);
            points = self.value(scope, *rule, Hook::Points, formula)?;
            self.check_points(scope, Place::Hook(*rule, Hook::Points), points)?;
        }
        scope.set(Variable::POINTS, points);
        let RawClass { context, mine, shared } = match before.class.filter(|_| self.one_class) {
            Some(known) => known,
            None => *before.class.insert(self.class(scope)?),
        };
        Ok(RawOutcome { context, points: points.min(self.most_points) as u32, mine, shared })
    }

    fn class(&mut self, scope: &mut Scope) -> Result<RawClass, Logged> {
        let values = self
            .context_variables
            .iter()
            .map(|variable| (*variable, scope.get(*variable)))
            .collect();
        let context = self.contexts.number(Context { values });
        let mut mine = [0; 2];
        let mut shared = [0; 2];
        for again in 0..2 {
            scope.set(Variable::AGAIN, again as i64);
            let all: Vec<_> = (0..self.rules.memories.len()).map(|m| self.next(scope, m)).collect();
            let next = all.into_iter().collect::<Result<Vec<i64>, _>>()?;
            mine[again] = self.mine.index(|m| next[m]) as u32;
            shared[again] = self.shared.index(|m| next[m]) as u32;
        }
        Ok(RawClass { context, mine, shared })
    }

    fn next(&self, scope: &Scope, memory: usize) -> Result<i64, Logged> {
        let kept = &self.rules.memories[memory];
        let place = Place::Next(memory);
        let value =
            kept.next().value(scope).ok_or_else(|| self.log.no_value(place, kept.next(), scope))?;
        if (0..=kept.max).contains(&value) {
            Ok(value)
        } else {
            Err(self.log.out_of_range(memory, value, scope))
        }
    }

    fn check_points(&self, scope: &Scope, place: Place, points: i64) -> Result<(), Logged> {
        if !(0..=POINTS).contains(&points) {
            return Err(self.log.points(place, "the points of a turn are", 0, points, scope));
        }
        Ok(())
    }

    fn value(
        &self,
        scope: &Scope,
        rule: usize,
        hook: Hook,
        formula: &Formula,
    ) -> Result<i64, Logged> {
        formula
            .value(scope)
            .ok_or_else(|| self.log.no_value(Place::Hook(rule, hook), formula, scope))
    }

    /// Returns the value of a hook that at most one rule sets and that has a default.
    fn value_or_default(&self, scope: &Scope, hook: Hook) -> Result<i64, Logged> {
        match self.rules.hooked(hook).next() {
            Some((rule, formula)) => self.value(scope, rule, hook, formula),
            None => Ok(hook.default().expect("a hook with a default")),
        }
    }

    /// The place of the first formula of these hooks.
    fn first(&self, hooks: &[Hook]) -> Place {
        for hook in hooks {
            if let Some((rule, _)) = self.rules.hooked(*hook).next() {
                return Place::Hook(rule, *hook);
            }
        }
        Place::File
    }
}
