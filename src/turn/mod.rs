//! One turn with given dice, rule by rule, told in words.

mod error;
mod patterns;
mod position;

use crate::dice::{DiceError, Die};
use crate::rules::formula::{Formula, Scope, Variable};
use crate::rules::{Hook, Rules};

pub use error::TurnError;
use error::weighted_faces;
pub(crate) use patterns::of_a_roll;
pub use patterns::patterns_in;
use position::memory_variables;
pub use position::{Position, PositionError, memory_names};

/// The most points of one turn.
pub(crate) const MOST_POINTS: i64 = 1_000_000;

/// What a turn led to, from the mover's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The points of the turn, after every rule on points.
    pub points: i64,
    /// The points that the dice, or rolling none, gave before any rule rewrote them.
    pub rolled: i64,
    /// The mover's score after every effect; may be past the goal.
    pub score: i64,
    /// The opponent's score after every effect.
    pub opponent: i64,
    /// True if the totals have changed places.
    pub swapped: bool,
    /// True if the same player moves once more.
    pub again: bool,
    /// The memories after the turn, still seen by the mover.
    pub memory: Vec<i64>,
    /// What each rule did, in order.
    pub steps: Vec<RuleEffect>,
}

/// What is told of a rule that lets the same player move once more.
pub const MOVES_AGAIN: &str = "the same player moves again";

/// What one rule did in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleEffect {
    /// The rule's name; `Roll` for the dice themselves.
    pub rule: String,
    /// What it did.
    pub text: String,
}

/// Plays one turn with the faces rolled. `request` is the number of dice asked for: as many as faces, or 0, or with
/// no faces a game's move below 0; 0 stands for the number of faces.
///
/// # Errors
/// If the dice do not fit the game, or a rule has no value here.
pub fn take_turn(rules: &Rules, position: &Position, faces: &[u32], request: i32) -> Result<Turn, TurnError> {
    let mut turn = InPlay::new(rules, position, faces, request)?;
    turn.roll(faces)?;
    turn.finish(position)
}

/// [`take_turn`] with the handouts' test dice, which may show what the game's die does not.
///
/// # Errors
/// As there, but for such faces.
pub fn take_test_turn(rules: &Rules, position: &Position, faces: &[u32], request: i32) -> Result<Turn, TurnError> {
    let mut turn = InPlay::new(rules, position, faces, request)?;
    if faces.is_empty() {
        turn.roll_nothing()?
    } else {
        turn.show(faces, &turn.die()?)?
    }
    turn.finish(position)
}

/// How many dice of which kind are rolled when `request` are asked for: a rule may lower the number. None have six sides.
///
/// # Errors
/// If the game has no such move, or a rule has no value here.
pub fn dice_rolled(rules: &Rules, position: &Position, request: i32) -> Result<(usize, Die), TurnError> {
    let dice = i64::from(request);
    let (min, max) = (rules.min_dice, rules.max_dice);
    if request < min || request > max {
        return Err(TurnError::NoSuchMove { dice, game: rules.id.clone(), min, max });
    }
    let mut scope = position.scope(rules);
    scope.set(Variable::DICE, dice);
    let mut turn = InPlay::begun(rules, scope);
    let rolled = dice.min(turn.most_dice()?).max(0).max(turn.least_dice()?);
    turn.scope.set(Variable::DICE, rolled);
    let die = if rolled == 0 { Die::fair(6)? } else { turn.die()? };
    Ok((rolled as usize, die))
}

/// What the rules on totals make of totals that a turn of so many points has reached; they may be past the goal.
/// Memories are as they start.
///
/// # Errors
/// If a rule has no value there.
pub fn settle(rules: &Rules, (score, opponent): (u32, u32), points: u32) -> Result<Turn, TurnError> {
    let memory = Position::new(rules, 0, 0).expect("0 is below every goal").memory;
    let position = Position { score: score.saturating_sub(points), opponent, memory };
    let mut scope = position.scope(rules);
    scope.set(Variable::POINTS, points.into());
    scope.set(Variable::ROLLED, points.into());
    let mut turn = InPlay::begun(rules, scope);
    turn.change_totals()?;
    turn.remember(&position)
}

/// The first rule on totals that cannot be followed where the turn's points and all that rules on totals read beside the
/// totals are set, and why.
pub(crate) fn misrule_on_totals(rules: &Rules, scope: Scope) -> Option<(usize, TurnError)> {
    InPlay::begun(rules, scope).try_totals().err()
}

/// A turn being played.
struct InPlay<'a> {
    rules: &'a Rules,
    scope: Scope,
    steps: Vec<RuleEffect>,
    swapped: bool,
    again: bool,
}

impl<'a> InPlay<'a> {
    fn begun(rules: &'a Rules, scope: Scope) -> Self {
        Self { rules, scope, steps: Vec::new(), swapped: false, again: false }
    }

    fn new(rules: &'a Rules, position: &Position, faces: &[u32], request: i32) -> Result<Self, TurnError> {
        let mut scope = position.scope(rules);
        if request > 0 && request as usize != faces.len() || request < 0 && !faces.is_empty() {
            return Err(TurnError::FacesMissing { request, faces: faces.len() });
        }
        let dice = if faces.is_empty() { i64::from(request) } else { faces.len() as i64 };
        scope.set(Variable::DICE, dice);
        let turn = Self::begun(rules, scope);
        let (least, most) = (turn.least_dice()?, turn.most_dice()?);
        let game = rules.id.clone();
        if least > 0 && dice < least {
            return Err(TurnError::TooFewDice { dice, game, least });
        }
        if dice > most.max(least) {
            return Err(TurnError::TooManyDice { dice, game, most });
        }
        // A request may be lowered to fewer dice than can be asked for.
        if dice < i64::from(rules.min_dice) && dice != most.max(0) {
            return Err(TurnError::NoSuchMove { dice, game, min: rules.min_dice, max: rules.max_dice });
        }
        Ok(turn)
    }

    /// What follows the roll.
    fn finish(mut self, position: &Position) -> Result<Turn, TurnError> {
        self.rewrite_points()?;
        self.change_totals()?;
        self.remember(position)
    }

    /// The most dice that may be rolled here.
    fn most_dice(&self) -> Result<i64, TurnError> {
        let mut most = i64::from(self.rules.max_dice);
        for (rule, formula) in self.rules.hooked(Hook::MaxDice) {
            most = most.min(self.value(rule, formula)?);
        }
        Ok(most)
    }

    /// The fewest dice that must be rolled here; 0 if none need be.
    fn least_dice(&self) -> Result<i64, TurnError> {
        let mut least = 0;
        for (rule, formula) in self.rules.hooked(Hook::MinDice) {
            least = self.value(rule, formula)?.min(self.rules.max_dice.into()).max(least);
        }
        Ok(least)
    }

    fn roll(&mut self, faces: &[u32]) -> Result<(), TurnError> {
        if faces.is_empty() {
            return self.roll_nothing();
        }
        let die = self.die()?;
        if let Some(&face) = faces.iter().find(|face| die.weight(**face) == 0) {
            return Err(TurnError::NoSuchFace { face, die });
        }
        self.show(faces, &die)
    }

    /// The points of dice that show these faces.
    fn show(&mut self, faces: &[u32], die: &Die) -> Result<(), TurnError> {
        let ones = faces.iter().filter(|face| **face == 1).count() as i64;
        let sum = faces.iter().map(|face| i64::from(*face)).sum();
        for (variable, value) in [(Variable::ONES_ROLLED, ones), (Variable::SUM, sum), (Variable::BUSTED, ones.min(1))]
        {
            self.scope.set(variable, value);
        }
        patterns::show(&mut self.scope, faces);
        let shown: Vec<String> = faces.iter().map(u32::to_string).collect();
        let dice = if faces.len() == 1 { "die".to_owned() } else { format!("{} dice", faces.len()) };
        let sides = if *die == Die::fair(6)? { String::new() } else { format!(" with faces {}", weighted_faces(die)) };
        self.tell("Roll", format!("{dice}{sides}: {}; the sum is {sum}", shown.join(", ")));
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
                self.tell_rule(rule, format!("{bonus} extra: {before} becomes {points}"));
            }
        }
        self.set_points(None, points)?;
        self.scope.set(Variable::ROLLED, points);
        Ok(())
    }

    fn roll_nothing(&mut self) -> Result<(), TurnError> {
        let rule = self.rules.hooked(Hook::ZeroDice).next();
        let points = rule.map_or(Ok(0), |(rule, formula)| self.value(rule, formula))?;
        self.set_points(rule.map(|(rule, _)| rule), points)?;
        self.scope.set(Variable::ROLLED, points);
        let against = match rule.filter(|(_, formula)| formula.reads().holds(Variable::OPPONENT)) {
            Some(_) => format!(" against an opponent with {}", self.scope.get(Variable::OPPONENT)),
            None => String::new(),
        };
        let points_told = if points == 1 { "1 point".to_owned() } else { format!("{points} points") };
        let text = format!("no dice rolled{against}: {points_told}");
        self.tell(rule.map_or("Roll", |(rule, _)| &self.rules.rules[rule].name), text);
        Ok(())
    }

    fn die(&self) -> Result<Die, TurnError> {
        let Some((rule, formula)) = self.rules.hooked(Hook::Die).next() else { return Ok(Die::fair(6)?) };
        Ok(die_of(formula, self.value(rule, formula)?)?)
    }

    fn bust(&mut self) -> Result<i64, TurnError> {
        let rule = self.rules.hooked(Hook::Bust).next();
        let points = rule.map_or(Ok(1), |(rule, formula)| self.value(rule, formula))?;
        let name = rule.map_or("Pig Out", |(rule, _)| &self.rules.rules[rule].name);
        self.tell(name, format!("a die shows 1: {points} point{}", if points == 1 { "" } else { "s" }));
        Ok(points)
    }

    fn rewrite_points(&mut self) -> Result<(), TurnError> {
        for (rule, formula) in self.rules.hooked(Hook::Points) {
            let (before, after) = (self.scope.get(Variable::POINTS), self.value(rule, formula)?);
            self.set_points(Some(rule), after)?;
            if before != after {
                self.tell_rule(rule, format!("{before} points become {after}"));
            }
        }
        Ok(())
    }

    fn change_totals(&mut self) -> Result<(), TurnError> {
        self.try_totals().map_err(|(_, error)| error)
    }

    /// Adds the points and applies all rules on totals; or the first rule that cannot be followed.
    fn try_totals(&mut self) -> Result<(), (usize, TurnError)> {
        let (score, opponent) = (self.scope.get(Variable::SCORE), self.scope.get(Variable::OPPONENT));
        self.scope.set(Variable::SCORE_BEFORE, score);
        self.scope.set(Variable::OPPONENT_BEFORE, opponent);
        self.scope.set(Variable::SCORE, score + self.scope.get(Variable::POINTS));
        (0..self.rules.rules.len()).try_for_each(|index| self.apply_to_totals(index).map_err(|error| (index, error)))
    }

    /// Applies one rule's hooks on totals; all of them read the totals as they were before the rule.
    fn apply_to_totals(&mut self, index: usize) -> Result<(), TurnError> {
        let rule = &self.rules.rules[index];
        let before = (self.scope.get(Variable::SCORE), self.scope.get(Variable::OPPONENT));
        let (mut after, mut swap, mut again) = (before, false, false);
        for (hook, formula) in &rule.hooks {
            match hook {
                Hook::Score => after.0 = self.value(index, formula)?,
                Hook::OpponentScore => after.1 = self.value(index, formula)?,
                Hook::Swap => swap = self.value(index, formula)? == 1,
                Hook::Again => again = self.value(index, formula)? == 1,
                _ => {}
            }
        }
        for (what, value) in [("the score", after.0), ("the opponent's score", after.1)] {
            if value < 0 {
                return Err(TurnError::OutOfRange { rule: rule.name.clone(), what: what.into(), value });
            }
        }
        if after != before {
            self.tell_rule(index, format!("{}-{} becomes {}-{}", before.0, before.1, after.0, after.1));
        }
        if swap {
            self.tell_rule(index, format!("{}-{} is swapped to {}-{}", after.0, after.1, after.1, after.0));
            after = (after.1, after.0);
            self.swapped = !self.swapped;
        }
        if again {
            self.tell_rule(index, MOVES_AGAIN.into());
            self.again = true;
        }
        self.scope.set(Variable::SCORE, after.0);
        self.scope.set(Variable::OPPONENT, after.1);
        Ok(())
    }

    fn remember(mut self, position: &Position) -> Result<Turn, TurnError> {
        self.scope.set(Variable::AGAIN, self.again.into());
        let mut memory = position.memory.clone();
        let variables = memory_variables(self.rules);
        for (index, kept) in self.rules.memories.iter().enumerate() {
            let out = |value| TurnError::OutOfRange {
                rule: format!("memory {}", kept.name),
                what: "its next value".into(),
                value,
            };
            let value = kept.next().value(&self.scope).ok_or_else(|| out(0))?;
            if !(0..=kept.max).contains(&value) {
                return Err(out(value));
            }
            let slot = variables.iter().position(|v| *v == Variable::memory(index)).expect("each memory has a slot");
            memory[slot] = value;
        }
        Ok(Turn {
            points: self.scope.get(Variable::POINTS),
            rolled: self.scope.get(Variable::ROLLED),
            score: self.scope.get(Variable::SCORE),
            opponent: self.scope.get(Variable::OPPONENT),
            swapped: self.swapped,
            again: self.again,
            memory,
            steps: self.steps,
        })
    }

    fn set_points(&mut self, rule: Option<usize>, points: i64) -> Result<(), TurnError> {
        if !(0..=MOST_POINTS).contains(&points) {
            let rule = rule.map_or("Roll", |rule| &self.rules.rules[rule].name).to_owned();
            return Err(TurnError::OutOfRange { rule, what: "the turn's points".into(), value: points });
        }
        self.scope.set(Variable::POINTS, points);
        Ok(())
    }

    fn value(&self, rule: usize, formula: &Formula) -> Result<i64, TurnError> {
        formula.value(&self.scope).ok_or_else(|| TurnError::NoValue {
            rule: self.rules.rules[rule].name.clone(),
            formula: formula.source().to_owned(),
            score: self.scope.get(Variable::SCORE),
            opponent: self.scope.get(Variable::OPPONENT),
        })
    }

    fn tell_rule(&mut self, rule: usize, text: String) {
        let name = self.rules.rules[rule].name.clone();
        self.steps.push(RuleEffect { rule: name, text });
    }

    fn tell(&mut self, rule: &str, text: String) {
        self.steps.push(RuleEffect { rule: rule.to_owned(), text });
    }
}

/// The die that a `die` formula's value stands for.
pub(crate) fn die_of(formula: &Formula, value: i64) -> Result<Die, DiceError> {
    formula.die_weights(value).map_or_else(|| Die::fair(value), Die::weighted)
}
