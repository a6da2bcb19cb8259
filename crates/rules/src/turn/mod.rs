//! Plays one turn with given dice, rule by rule, and describes in words what each rule does.

mod error;
mod keep;
mod patterns;
pub(crate) mod position;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::dice::{DiceError, Die};
use crate::rules::formula::{Formula, Scope, Variable};
use crate::rules::{Hook, Rules, totals_at_the_end};

use crate::limits;
pub use error::TurnError;
use error::weighted_faces;
pub use keep::{
    Keep, action_in_words, hand_left, keep_turn, keeps, left_in, marked, rolls_of_hand, show_kept,
};
pub use patterns::of_a_roll;
pub use patterns::patterns_in;
use position::memory_variables;
pub use position::{Position, PositionError, memory_names};

/// A set of numbers of dice, one bit for each action of the game from its fewest dice up.
pub type DiceSet = u32;

/// The result of a turn, seen by the mover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnResult {
    /// The points of the turn, after every rule on points.
    pub points: i64,
    /// The points of the roll, or of rolling no dice, before any rule on points rewrote them.
    pub rolled: i64,
    /// The mover's score after all rules; it may exceed the goal.
    pub score: i64,
    /// The opponent's score after all rules.
    pub opponent: i64,
    /// True if the totals were swapped (an odd number of times).
    pub swapped: bool,
    /// True if the same player moves once more.
    pub again: bool,
    /// The memories after the turn, seen by the mover, in the order of [`memory_names`].
    pub memory: Vec<i64>,
    /// What each rule that had an effect did, in order.
    pub steps: Vec<TurnEffect>,
}

/// What a [`TurnEffect`] changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// The turn's points become 0.
    LosesPoints,
    /// The same player moves again.
    MovesAgain,
    /// A 1 among the dice spoils the roll, whatever it scores then.
    Busts,
    /// The totals are swapped, which may be equal.
    Swaps,
    /// Anything else: the dice, other points, the scores.
    Other,
}

/// The effect of one rule in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnEffect {
    /// The rule's name; `Roll` for the dice themselves.
    pub rule: String,
    /// What it changes.
    pub kind: EffectKind,
    /// A description of the effect.
    pub text: String,
}

/// Plays one turn with the faces rolled. `request` is the number of dice requested: the number of
/// faces (0 means the same), or, without faces, a move below 0.
///
/// # Errors
/// Returns an error if the dice are not allowed by the game, or a rule has no value or an
/// out-of-range value here.
pub fn take_turn(
    rules: &Rules,
    position: &Position,
    faces: &[u32],
    request: i32,
) -> Result<TurnResult, TurnError> {
    if rules.keeps_dice() && !faces.is_empty() {
        return keep_turn(rules, position, faces, &vec![false; faces.len()]);
    }
    let mut turn = TurnInProgress::new(rules, position, faces, request)?;
    turn.roll(faces)?;
    turn.finish(position)
}

/// Plays a turn without dice; returns its points, and the mover's score after it. This is
/// [`take_turn`] without what a caller who only compares numbers does not need.
///
/// # Errors
/// As for [`take_turn`].
pub fn points_without_dice(rules: &Rules, position: &Position) -> Result<(i64, i64), TurnError> {
    let mut turn = TurnInProgress::new(rules, position, &[], 0)?;
    turn.steps = None;
    turn.roll_nothing()?;
    turn.rewrite_points()?;
    turn.change_totals()?;
    Ok((turn.scope.get(Variable::POINTS), turn.scope.get(Variable::SCORE)))
}

/// Returns the number of dice that are rolled when `request` are requested, and the die: a rule may
/// lower or raise the number. If no dice are rolled, the die has six sides.
///
/// # Errors
/// Returns an error if the game has no such move, or a rule has no value here.
pub fn dice_rolled(
    rules: &Rules,
    position: &Position,
    request: i32,
) -> Result<(usize, Die), TurnError> {
    let dice = i64::from(request);
    let min = rules.min_dice;
    let max = rules.max_dice;
    if request < min || request > max {
        return Err(TurnError::NoSuchMove { dice, game: rules.id.clone(), min, max });
    }
    let mut scope = position.scope(rules);
    scope.set(Variable::DICE, dice);
    let mut turn = TurnInProgress::with_scope(rules, scope);
    let rolled = turn.dice_limits()?.clamp(dice).max(0);
    turn.scope.set(Variable::DICE, rolled);
    let die = if rolled == 0 { Die::fair(6)? } else { turn.die()? };
    Ok((rolled as usize, die))
}

/// Returns the requests that are choices of their own in a position. Of all requests that the rules
/// on the number of dice change to the same roll, one is: the number that is rolled, or the
/// smallest of them if that number cannot be requested.
///
/// # Errors
/// Returns an error if a rule has no value here.
pub fn choices(rules: &Rules, position: &Position) -> Result<DiceSet, TurnError> {
    let actions = rules.max_dice - rules.min_dice + 1;
    let limits = TurnInProgress::with_scope(rules, position.scope(rules)).dice_limits()?;
    let mut kept: BTreeMap<i64, i32> = BTreeMap::new();
    for action in 0..actions {
        let request = i64::from(rules.min_dice + action);
        let rolled = limits.clamp(request);
        if rolled == request || !kept.contains_key(&rolled) {
            kept.insert(rolled, action);
        }
    }
    Ok(kept.values().fold(0, |set, action| set | 1 << action))
}

/// Applies the rules on totals to the totals (mover's, opponent's) after a turn of `points` points,
/// which are already added. The totals may exceed the goal; memories have their start values.
///
/// # Errors
/// Returns an error if a rule has no value or an out-of-range value there.
pub fn settle(
    rules: &Rules,
    score: u32,
    opponent: u32,
    points: u32,
) -> Result<TurnResult, TurnError> {
    let memory = Position::new(rules, 0, 0).expect("0 is below every goal").memory;
    let position = Position { score: score.saturating_sub(points), opponent, memory };
    let mut scope = position.scope(rules);
    scope.set(Variable::POINTS, points.into());
    scope.set(Variable::ROLLED, points.into());
    let mut turn = TurnInProgress::with_scope(rules, scope);
    turn.change_totals()?;
    turn.remember(&position)
}

/// Returns the first rule, by index, that fails when the rules on totals are applied, with its hook
/// and the error. `scope` holds the scores before the turn, its points, and all other variables
/// that rules on totals read.
pub fn failing_rule_on_totals(rules: &Rules, scope: Scope) -> Option<(usize, Hook, TurnError)> {
    TurnInProgress::with_scope(rules, scope).try_totals().err()
}

/// How many dice the rules let a turn roll.
#[derive(Clone, Copy, Debug)]
pub struct DiceLimits {
    /// The fewest; 0 if there is no minimum.
    pub least: i64,
    /// The most.
    pub most: i64,
}

impl DiceLimits {
    /// Returns the limits of the rules; `value` evaluates a formula, given as the index of its
    /// rule, the hook and itself.
    ///
    /// # Errors
    /// Returns the first error of `value`.
    pub fn of<E>(
        rules: &Rules,
        value: impl Fn(usize, Hook, &Formula) -> Result<i64, E>,
    ) -> Result<Self, E> {
        let all = i64::from(rules.max_dice);
        let mut limits = Self { least: 0, most: all };
        for (rule, formula) in rules.hooked(Hook::MaxDice) {
            limits.most = limits.most.min(value(rule, Hook::MaxDice, formula)?.max(0));
        }
        for (rule, formula) in rules.hooked(Hook::MinDice) {
            limits.least = limits.least.max(value(rule, Hook::MinDice, formula)?.min(all));
        }
        Ok(limits)
    }

    /// The number of dice that are rolled if `dice` are requested. A move below 0 stays what it is,
    /// unless some dice must be rolled.
    pub fn clamp(self, dice: i64) -> i64 {
        let lowered = dice.min(self.most);
        if self.least > 0 { lowered.max(self.least) } else { lowered }
    }
}

/// A turn being played.
struct TurnInProgress<'a> {
    rules: &'a Rules,
    scope: Scope,
    /// What was done so far; `None` if nobody asks.
    steps: Option<Vec<TurnEffect>>,
    swapped: bool,
    again: bool,
}

impl<'a> TurnInProgress<'a> {
    fn with_scope(rules: &'a Rules, scope: Scope) -> Self {
        Self { rules, scope, steps: Some(Vec::new()), swapped: false, again: false }
    }

    fn new(
        rules: &'a Rules,
        position: &Position,
        faces: &[u32],
        request: i32,
    ) -> Result<Self, TurnError> {
        let mut scope = position.scope(rules);
        if request > 0 && request as usize != faces.len() || request < 0 && !faces.is_empty() {
            return Err(TurnError::FacesMissing { request, faces: faces.len() });
        }
        let dice = if faces.is_empty() { i64::from(request) } else { faces.len() as i64 };
        scope.set(Variable::DICE, dice);
        let turn = Self::with_scope(rules, scope);
        let DiceLimits { least, most } = turn.dice_limits()?;
        let game = rules.id.clone();
        if least > 0 && dice < least {
            return Err(TurnError::TooFewDice { dice, game, least });
        }
        if dice > most.max(least) {
            return Err(TurnError::TooManyDice { dice, game, most });
        }
        // A rule may lower a request below the fewest dice that can be requested.
        if dice < i64::from(rules.min_dice) && dice != most {
            return Err(TurnError::NoSuchMove {
                dice,
                game,
                min: rules.min_dice,
                max: rules.max_dice,
            });
        }
        Ok(turn)
    }

    /// Applies everything after the roll: the rules on points, the rules on totals, the memories.
    fn finish(mut self, position: &Position) -> Result<TurnResult, TurnError> {
        self.rewrite_points()?;
        self.change_totals()?;
        self.remember(position)
    }

    fn dice_limits(&self) -> Result<DiceLimits, TurnError> {
        DiceLimits::of(self.rules, |rule, _, formula| self.value(rule, formula))
    }

    fn roll(&mut self, faces: &[u32]) -> Result<(), TurnError> {
        if faces.is_empty() {
            return self.roll_nothing();
        }
        let die = self.die()?;
        if let Some(&face) = faces.iter().find(|face| die.weight(**face) == 0) {
            let which = "the die of this turn".to_owned();
            return Err(TurnError::NoSuchFace { face, which, die });
        }
        self.show(faces, &die)
    }

    /// Sets the points of dice that show these faces.
    fn show(&mut self, faces: &[u32], die: &Die) -> Result<(), TurnError> {
        let ones = faces.iter().filter(|face| **face == 1).count() as i64;
        let sum = faces.iter().map(|face| i64::from(*face)).sum();
        for (variable, value) in
            [(Variable::ONES_ROLLED, ones), (Variable::SUM, sum), (Variable::BUSTED, ones.min(1))]
        {
            self.scope.set(variable, value);
        }
        patterns::show(&mut self.scope, faces);
        let usual = Die::fair(6)?;
        self.record("Roll", EffectKind::Other, || {
            let shown: Vec<String> = faces.iter().map(u32::to_string).collect();
            let dice =
                if faces.len() == 1 { "die".to_owned() } else { format!("{} dice", faces.len()) };
            let sides = if *die == usual {
                String::new()
            } else {
                format!(" with faces {}", weighted_faces(die))
            };
            format!("{dice}{sides}: {}; the sum is {sum}", shown.join(", "))
        });
        let mut points = if ones > 0 { self.bust()? } else { sum };
        for (rule, formula) in self.rules.hooked(Hook::FacePoints) {
            let mut bonus = 0;
            for face in faces {
                self.scope.set(Variable::FACE, i64::from(*face));
                bonus = self.value(rule, formula)?.saturating_add(bonus);
            }
            let before = points;
            points = points.saturating_add(bonus);
            if bonus != 0 {
                self.record_rule(rule, EffectKind::Other, || {
                    format!("{bonus} extra: {before} becomes {points}")
                });
            }
        }
        self.set_points(None, points)?;
        self.scope.set(Variable::ROLLED, points);
        Ok(())
    }

    fn roll_nothing(&mut self) -> Result<(), TurnError> {
        let rule = self.rules.hooked(Hook::ZeroDice).next();
        let points = self.value_or_default(Hook::ZeroDice)?;
        self.set_points(rule.map(|(rule, _)| rule), points)?;
        self.scope.set(Variable::ROLLED, points);
        let seen = rule.filter(|(_, formula)| formula.reads().holds(Variable::OPPONENT));
        let opponent = self.scope.get(Variable::OPPONENT);
        let name = rule.map_or("Roll", |(rule, _)| &self.rules.rules[rule].name);
        self.record(name, EffectKind::Other, || {
            let against = seen.map(|_| format!(" against an opponent with {opponent}"));
            let points_text =
                if points == 1 { "1 point".to_owned() } else { format!("{points} points") };
            format!("no dice rolled{}: {points_text}", against.unwrap_or_default())
        });
        Ok(())
    }

    fn die(&self) -> Result<Die, TurnError> {
        let Some((rule, formula)) = self.rules.hooked(Hook::Die).next() else {
            return Ok(Die::fair(6)?);
        };
        Ok(die_of(formula, self.value(rule, formula)?)?)
    }

    fn bust(&mut self) -> Result<i64, TurnError> {
        let rule = self.rules.hooked(Hook::Bust).next();
        let points = self.value_or_default(Hook::Bust)?;
        let (name, default) = match rule {
            Some((rule, _)) => (self.rules.rules[rule].name.as_str(), ""),
            None => ("Roll", ", as no rule says what a 1 does"),
        };
        self.record(name, EffectKind::Busts, || {
            format!("a die shows 1: {points} point{}{default}", if points == 1 { "" } else { "s" })
        });
        Ok(points)
    }

    /// Returns the value of a hook that at most one rule sets and that has a default.
    fn value_or_default(&self, hook: Hook) -> Result<i64, TurnError> {
        match self.rules.hooked(hook).next() {
            Some((rule, formula)) => self.value(rule, formula),
            None => Ok(hook.default().expect("a hook with a default")),
        }
    }

    fn rewrite_points(&mut self) -> Result<(), TurnError> {
        for (rule, formula) in self.rules.hooked(Hook::Points) {
            let before = self.scope.get(Variable::POINTS);
            let after = self.value(rule, formula)?;
            self.set_points(Some(rule), after)?;
            if before != after {
                let points = if before == 1 { "point becomes" } else { "points become" };
                let kind = if after == 0 { EffectKind::LosesPoints } else { EffectKind::Other };
                self.record_rule(rule, kind, || format!("{before} {points} {after}"));
            }
        }
        Ok(())
    }

    fn change_totals(&mut self) -> Result<(), TurnError> {
        self.try_totals().map_err(|(_, _, error)| error)
    }

    /// Adds the points and applies all rules on totals. On failure, returns the index of the rule,
    /// the hook and the error.
    fn try_totals(&mut self) -> Result<(), (usize, Hook, TurnError)> {
        let score = self.scope.get(Variable::SCORE);
        let opponent = self.scope.get(Variable::OPPONENT);
        self.scope.set(Variable::SCORE_BEFORE, score);
        self.scope.set(Variable::OPPONENT_BEFORE, opponent);
        self.scope.set(Variable::SCORE, score + self.scope.get(Variable::POINTS));
        for index in 0..self.rules.rules.len() {
            let is_over =
                self.apply_to_totals(index).map_err(|(hook, error)| (index, hook, error))?;
            if is_over {
                break;
            }
        }
        Ok(())
    }

    /// Applies the hooks of one rule on totals; all of them read the totals from before the rule.
    /// Returns whether it ends the game: the later rules then do nothing.
    fn apply_to_totals(&mut self, index: usize) -> Result<bool, (Hook, TurnError)> {
        let rule = &self.rules.rules[index];
        let before = (self.scope.get(Variable::SCORE), self.scope.get(Variable::OPPONENT));
        let mut after = before;
        let mut swap = false;
        let mut again = false;
        let mut end = false;
        for (hook, formula) in &rule.hooks {
            if !Hook::ON_TOTALS.contains(hook) {
                continue;
            }
            let value = self.value(index, formula).map_err(|error| (*hook, error))?;
            match hook {
                Hook::Score => after.0 = value,
                Hook::OpponentScore => after.1 = value,
                Hook::Swap => swap = value == 1,
                Hook::Again => again = value == 1,
                _ => end = value == 1,
            }
        }
        self.check_total(index, "the score", after.0).map_err(|error| (Hook::Score, error))?;
        self.check_total(index, "the opponent's score", after.1)
            .map_err(|error| (Hook::OpponentScore, error))?;
        if after != before {
            self.record_rule(index, EffectKind::Other, || {
                format!("{}-{} becomes {}-{}", before.0, before.1, after.0, after.1)
            });
        }
        if swap {
            self.record_rule(index, EffectKind::Swaps, || {
                format!("{}-{} is swapped to {}-{}", after.0, after.1, after.1, after.0)
            });
            after = (after.1, after.0);
            self.swapped = !self.swapped;
        }
        if again {
            self.record_rule(index, EffectKind::MovesAgain, || {
                "the same player moves again".into()
            });
            self.again = true;
        }
        self.scope.set(Variable::SCORE, after.0);
        self.scope.set(Variable::OPPONENT, after.1);
        if end {
            self.end_by(index);
        }
        Ok(end)
    }

    /// Counts the totals as a rule that ends the game says.
    fn end_by(&mut self, index: usize) {
        let before = (self.scope.get(Variable::SCORE), self.scope.get(Variable::OPPONENT));
        let [score, opponent] = totals_at_the_end()
            .each_ref()
            .map(|formula| formula.value(&self.scope).expect("it has a value everywhere"));
        self.record_rule(index, EffectKind::Other, || {
            format!("the game ends: {}-{} counts as {score}-{opponent}", before.0, before.1)
        });
        self.scope.set(Variable::SCORE, score);
        self.scope.set(Variable::OPPONENT, opponent);
    }

    /// Checks that a total is a score of the game.
    fn check_total(&self, rule: usize, what: &str, value: i64) -> Result<(), TurnError> {
        let step = self.rules.step.into();
        if value < 0 || value % step != 0 {
            return Err(out_of_range(self.owner(rule), what, value, 0..=i64::MAX, step));
        }
        Ok(())
    }

    fn remember(mut self, position: &Position) -> Result<TurnResult, TurnError> {
        self.scope.set(Variable::AGAIN, self.again.into());
        let mut memory = position.memory.clone();
        for (index, kept) in self.rules.memories.iter().enumerate() {
            let value = self.value_of(kept.next(), || format!("the memory `{}`", kept.name))?;
            if !(0..=kept.max).contains(&value) || value % kept.step != 0 {
                let owner = format!("the memory `{}`", kept.name);
                let step = kept.step;
                return Err(out_of_range(owner, "its next value", value, 0..=kept.max, step));
            }
            let slot = memory_variables(self.rules)
                .position(|variable| variable == Variable::memory(index))
                .expect("each memory has a slot");
            memory[slot] = value;
        }
        Ok(TurnResult {
            points: self.scope.get(Variable::POINTS),
            rolled: self.scope.get(Variable::ROLLED),
            score: self.scope.get(Variable::SCORE),
            opponent: self.scope.get(Variable::OPPONENT),
            swapped: self.swapped,
            again: self.again,
            memory,
            steps: self.steps.unwrap_or_default(),
        })
    }

    fn set_points(&mut self, rule: Option<usize>, points: i64) -> Result<(), TurnError> {
        let step = self.rules.step.into();
        if !(0..=limits::POINTS).contains(&points) || points % step != 0 {
            let owner = rule.map_or_else(|| "the roll".to_owned(), |rule| self.owner(rule));
            return Err(out_of_range(owner, "the turn's points", points, 0..=limits::POINTS, step));
        }
        self.scope.set(Variable::POINTS, points);
        Ok(())
    }

    fn value(&self, rule: usize, formula: &Formula) -> Result<i64, TurnError> {
        self.value_of(formula, || self.owner(rule))
    }

    fn value_of(
        &self,
        formula: &Formula,
        owner: impl FnOnce() -> String,
    ) -> Result<i64, TurnError> {
        formula.value(&self.scope).ok_or_else(|| TurnError::NoValue {
            owner: owner(),
            why: formula.why_no_value(&self.scope, self.rules.vocabulary()),
            score: self.scope.get(Variable::SCORE),
            opponent: self.scope.get(Variable::OPPONENT),
        })
    }

    /// A rule in error messages.
    fn owner(&self, rule: usize) -> String {
        format!("the rule {}", self.rules.rules[rule].name)
    }

    fn record_rule(&mut self, rule: usize, kind: EffectKind, text: impl FnOnce() -> String) {
        self.record(&self.rules.rules[rule].name, kind, text);
    }

    fn record(&mut self, rule: &str, kind: EffectKind, text: impl FnOnce() -> String) {
        if let Some(steps) = &mut self.steps {
            steps.push(TurnEffect { rule: rule.to_owned(), kind, text: text() });
        }
    }
}

/// The die that a value of a `die` formula stands for.
pub fn die_of(formula: &Formula, value: i64) -> Result<Die, DiceError> {
    formula.die_weights(value).map_or_else(|| Die::fair(value), Die::weighted)
}

/// The error of a value that is out of its range or no multiple of its step.
fn out_of_range(
    owner: String,
    what: &str,
    value: i64,
    range: RangeInclusive<i64>,
    step: i64,
) -> TurnError {
    let what = what.to_owned();
    match range.contains(&value) {
        true => TurnError::NoMultiple { owner, what, value, step },
        false => TurnError::OutOfRange { owner, what, value },
    }
}
