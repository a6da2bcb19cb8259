//! The attributes of positions that a line of a decision list may compare: numbers that a player
//! sees, or can compute before a turn, with the same computation in Python.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::game::{Game, Position};
use crate::lists::Column;
use crate::rules::formula::{Formula, Scope, Variable, VariableSet, python_definition};
use crate::rules::{Hook, Rules, totals_at_the_end};

/// A number that a line may compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attribute {
    /// The mover's score.
    Score,
    /// The opponent's score.
    Opponent,
    /// The mover's score less the opponent's.
    Lead,
    /// The points of rolling no dice; in a game with a pot, the pot.
    Points,
    /// The mover's score after rolling no dice.
    Total,
    /// The lead after rolling no dice.
    LeadAfter,
    /// By how much rolling no dice raises the lead.
    Gain,
    /// Whether rolling no dice gives another turn.
    Again,
    /// Whether the mover's dice are not six-sided.
    OtherDice,
    /// Whether rolling no dice leaves the opponent dice that are not six-sided.
    OtherDiceAfter,
    /// The most dice that the mover may roll.
    MostDice,
    /// The most dice that the opponent may roll after the mover rolls none.
    MostDiceAfter,
    /// The points of rolling no dice, plus this part of the lead: in Pig, a player who keeps pace
    /// holds with fewer points when ahead.
    Pace(i64),
}

const ATTRIBUTES: [Attribute; 14] = [
    Attribute::Score,
    Attribute::Opponent,
    Attribute::Lead,
    Attribute::Points,
    Attribute::Total,
    Attribute::LeadAfter,
    Attribute::Gain,
    Attribute::Again,
    Attribute::OtherDice,
    Attribute::OtherDiceAfter,
    Attribute::MostDice,
    Attribute::MostDiceAfter,
    Attribute::Pace(4),
    Attribute::Pace(8),
];

/// The most bins of an attribute; a number of a bin fits a byte.
const MOST_BINS: i64 = 250;

/// How the values of an attribute are sorted into bins: between multiples of a step, with which a
/// line may compare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    pub attribute: Attribute,
    step: i64,
    /// The lowest bin holds the values from here, in steps.
    first: i64,
}

impl Scale {
    /// The least value in the bins from `bin` up.
    pub fn least(&self, bin: usize) -> i64 {
        (self.first + bin as i64) * self.step
    }
}

/// Sorts the values of an attribute into bins; `None` if all are in one.
fn sorted(attribute: Attribute, values: &[i64]) -> Option<(Scale, Column)> {
    let least = *values.iter().min()?;
    let most = *values.iter().max()?;
    let unit = if let Attribute::Pace(part) = attribute { part } else { 1 };
    let step = unit * ((most - least) / unit / MOST_BINS + 1);
    let first = least.div_euclid(step);
    let bin_of = values.iter().map(|value| (value.div_euclid(step) - first) as u8).collect();
    let bins = (most.div_euclid(step) - first + 1) as usize;
    (bins > 1).then_some((Scale { attribute, step, first }, Column { bins, bin_of }))
}

/// A turn without dice, as formulas of the scores and the pot: memories have their values at the
/// start of the game, since a player does not see them.
#[derive(Debug)]
struct ZeroDice {
    /// The points, and what rules on points make of them.
    points: Vec<Formula>,
    totals: Vec<OnTotals>,
    /// The totals where a rule ends the game.
    at_the_end: [Formula; 2],
}

/// The formulas of a rule on totals.
#[derive(Debug, Default)]
struct OnTotals {
    score: Option<Formula>,
    opponent: Option<Formula>,
    swap: Option<Formula>,
    again: Option<Formula>,
    end: Option<Formula>,
}

/// The result of a turn without dice.
#[derive(Clone, Copy)]
struct AfterZeroDice {
    points: i64,
    score: i64,
    opponent: i64,
    again: bool,
}

/// What a player of a game may look at.
#[derive(Debug)]
pub struct Attributes {
    goal: u32,
    max_dice: i32,
    pot: Option<(Variable, String)>,
    /// Without it, a turn needs dice.
    zero: Option<ZeroDice>,
    die: Option<Formula>,
    most: Vec<Formula>,
    /// The scale of each column.
    pub(super) scales: Vec<Scale>,
    pub(super) columns: Vec<Column>,
}

impl Attributes {
    /// Computes what can be seen in all places of a game: its states if it has a pot, else its
    /// pairs of scores.
    pub fn new(game: &Game) -> Self {
        let rules = game.rules();
        let pot = rules.pot().map(|pot| {
            let place = rules.memories.iter().position(|memory| memory.name == pot.name);
            (Variable::memory(place.expect("a memory of the game")), pot.name.clone())
        });
        let seen = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT]);
        let seen = pot.iter().fold(seen, |all, (pot, _)| all.union(VariableSet::of(&[*pot])));
        let start = Position::new(rules, 0, 0).expect("0 is below every goal").scope(rules);
        let mut attributes = Self {
            goal: rules.goal,
            max_dice: rules.max_dice,
            pot,
            zero: (rules.min_dice <= 0).then(|| ZeroDice::new(rules, &start, seen)),
            die: before_roll(rules, Hook::Die, &start, seen).pop(),
            most: before_roll(rules, Hook::MaxDice, &start, seen),
            scales: Vec::new(),
            columns: Vec::new(),
        };
        let by_state = attributes.is_by_state();
        let space = game.space();
        let count = if by_state { space.states() } else { space.goal * space.goal };
        let after: Vec<Option<AfterZeroDice>> = (0..count)
            .into_par_iter()
            .map(|place| attributes.zero.as_ref()?.play(attributes.scope(game, place)))
            .collect();
        for attribute in ATTRIBUTES {
            let values: Option<Vec<i64>> = (0..count)
                .into_par_iter()
                .map(|place| {
                    attributes.value(attribute, &attributes.scope(game, place), after[place])
                })
                .collect();
            let Some((scale, column)) = values.and_then(|values| sorted(attribute, &values)) else {
                continue;
            };
            let is_known = attributes.scales.iter().zip(&attributes.columns).any(|(known, of)| {
                (known.step, known.first) == (scale.step, scale.first) && *of == column
            });
            if !is_known {
                attributes.scales.push(scale);
                attributes.columns.push(column);
            }
        }
        attributes
    }

    /// What is seen in a place: the scores and the pot.
    fn scope(&self, game: &Game, place: usize) -> Scope {
        let state = if self.is_by_state() { place } else { place * game.space().per_cell() };
        let position = game.position(state);
        let mut scope = Scope::default();
        scope.set(Variable::SCORE, position.score.into());
        scope.set(Variable::OPPONENT, position.opponent.into());
        if let Some((pot, _)) = &self.pot {
            scope.set(*pot, position.scope(game.rules()).get(*pot));
        }
        scope
    }

    /// Whether a player sees more than the scores: the pot.
    pub fn is_by_state(&self) -> bool {
        self.pot.is_some()
    }

    /// The names of the arguments of a strategy.
    pub fn arguments(&self) -> Vec<&str> {
        let pot = self.pot.iter().map(|(_, name)| name.as_str());
        ["score", "opponent_score"].into_iter().chain(pot).collect()
    }

    fn value(
        &self,
        attribute: Attribute,
        scope: &Scope,
        after: Option<AfterZeroDice>,
    ) -> Option<i64> {
        let score = scope.get(Variable::SCORE);
        let opponent = scope.get(Variable::OPPONENT);
        let goal = i64::from(self.goal);
        match attribute {
            Attribute::Score => Some(score),
            Attribute::Opponent => Some(opponent),
            Attribute::Lead => Some(score - opponent),
            Attribute::Points => Some(after?.points),
            Attribute::Total => Some(after?.score.min(goal)),
            Attribute::LeadAfter => Some(after?.lead().clamp(-goal, goal)),
            Attribute::Gain => Some((after?.lead() - (score - opponent)).clamp(-goal, goal)),
            Attribute::Again => Some(after?.again.into()),
            Attribute::OtherDice => self.other_dice(scope),
            Attribute::OtherDiceAfter => self.other_dice(&after?.as_opponent_sees(scope)),
            Attribute::MostDice => self.most_dice(scope),
            Attribute::MostDiceAfter => self.most_dice(&after?.as_opponent_sees(scope)),
            Attribute::Pace(part) => {
                self.pot.as_ref()?;
                Some(part * after?.points + score - opponent)
            }
        }
    }

    /// Whether the dice are not six-sided.
    fn other_dice(&self, scope: &Scope) -> Option<i64> {
        Some(i64::from(self.die.as_ref()?.value(scope)? != 6))
    }

    fn most_dice(&self, scope: &Scope) -> Option<i64> {
        let mut most = i64::from(self.max_dice);
        for formula in &self.most {
            most = most.min(formula.value(scope)?.max(0));
        }
        Some(most)
    }

    /// A condition in words: whether an attribute is at least `number`, or at most.
    pub fn in_words(&self, attribute: Attribute, at_least: bool, number: i64) -> String {
        let has_pot = self.pot.is_some();
        let none = if has_pot { "holding" } else { "rolling none" };
        let bounds =
            if at_least { format!("{number} or more") } else { format!("at most {number}") };
        match attribute {
            Attribute::Score => format!("you have {bounds}"),
            Attribute::Opponent => format!("the opponent has {bounds}"),
            Attribute::Lead => format!("you {}", led_by(at_least, number)),
            Attribute::Points if has_pot => format!("the pot holds {bounds}"),
            Attribute::Points => format!("{none} scores {bounds}"),
            Attribute::Total if number == i64::from(self.goal) && at_least => {
                format!("{none} wins")
            }
            Attribute::Total => format!("{none} brings you to {bounds}"),
            Attribute::LeadAfter => format!("after {none} you {}", led_by(at_least, number)),
            Attribute::Gain => format!("{none} {}", gained(at_least, number)),
            Attribute::Again if at_least => format!("{none} gives another turn"),
            Attribute::Again => format!("{none} gives no other turn"),
            Attribute::OtherDice if at_least => "your dice are not six-sided".into(),
            Attribute::OtherDice => "your dice are six-sided".into(),
            Attribute::OtherDiceAfter if at_least => {
                format!("{none} leaves the opponent dice that are not six-sided")
            }
            Attribute::OtherDiceAfter => format!("{none} leaves the opponent six-sided dice"),
            Attribute::MostDice => format!("you may roll {bounds} dice"),
            Attribute::MostDiceAfter => format!("{none} leaves the opponent {bounds} dice"),
            Attribute::Pace(part) => {
                let part_of = if part == 4 { "a quarter" } else { "an eighth" };
                // Numbers are multiples of the part, or one less.
                let number = if at_least { number / part } else { (number + 1) / part };
                let bounds = if at_least {
                    format!("{number} or more")
                } else {
                    format!("less than {number}")
                };
                format!("the pot plus {part_of} of your lead is {bounds}")
            }
        }
    }
}

/// Returns the formulas of a hook that do not depend on how many dice are rolled: what does is not
/// seen before the turn.
fn before_roll(rules: &Rules, hook: Hook, start: &Scope, seen: VariableSet) -> Vec<Formula> {
    let formulas = rules.hooked(hook).map(|(_, formula)| formula);
    let known = formulas.filter(|formula| !formula.reads().holds(Variable::DICE));
    known.map(|formula| formula.with_known(start, seen)).collect()
}

/// `lead by 5 or more`, `are behind by 5 or more`, ...
fn led_by(at_least: bool, lead: i64) -> String {
    match (at_least, lead) {
        (true, 1) => "lead".into(),
        (true, 0) => "are not behind".into(),
        (true, lead) if lead > 0 => format!("lead by {lead} or more"),
        (true, lead) => format!("are ahead or at most {} behind", -lead),
        (false, -1) => "are behind".into(),
        (false, 0) => "do not lead".into(),
        (false, lead) if lead < 0 => format!("are behind by {} or more", -lead),
        (false, lead) => format!("are behind or lead by at most {lead}"),
    }
}

/// `gains 5 or more on the opponent`, `loses 5 or more to the opponent`, ...
fn gained(at_least: bool, gain: i64) -> String {
    match (at_least, gain) {
        (true, 0) => "loses nothing to the opponent".into(),
        (true, gain) if gain > 0 => format!("gains {gain} or more on the opponent"),
        (true, gain) => format!("loses at most {} to the opponent", -gain),
        (false, 0) => "gains nothing on the opponent".into(),
        (false, gain) if gain > 0 => format!("gains at most {gain} on the opponent"),
        (false, gain) => format!("loses {} or more to the opponent", -gain),
    }
}

impl ZeroDice {
    fn new(rules: &Rules, start: &Scope, seen: VariableSet) -> Self {
        let unknown = seen.union(VariableSet::of(&[
            Variable::POINTS,
            Variable::ROLLED,
            Variable::SCORE_BEFORE,
            Variable::OPPONENT_BEFORE,
        ]));
        let zero =
            rules.hooked(Hook::ZeroDice).map(|(_, formula)| formula.with_known(start, unknown));
        // A formula that then says nothing new is left out.
        let words = rules.vocabulary();
        let rewritten = rules
            .hooked(Hook::Points)
            .map(|(_, formula)| formula.with_known(start, unknown))
            .filter(|formula| formula.canonical(words) != "points");
        let points = zero.chain(rewritten).collect();
        let mut all_totals = Vec::new();
        for rule in &rules.rules {
            let mut totals = OnTotals::default();
            for (hook, formula) in &rule.hooks {
                let (slot, usual) = match hook {
                    Hook::Score => (&mut totals.score, "score"),
                    Hook::OpponentScore => (&mut totals.opponent, "opponent"),
                    Hook::Swap => (&mut totals.swap, "0"),
                    Hook::Again => (&mut totals.again, "0"),
                    Hook::End => (&mut totals.end, "0"),
                    _ => continue,
                };
                *slot = Some(formula.with_known(start, unknown))
                    .filter(|formula| formula.canonical(words) != usual);
            }
            if totals.acts() {
                all_totals.push(totals);
            }
        }
        let at_the_end =
            totals_at_the_end().each_ref().map(|total| total.with_known(start, unknown));
        Self { points, totals: all_totals, at_the_end }
    }

    /// Plays the turn; `None` if a formula has no value.
    fn play(&self, mut scope: Scope) -> Option<AfterZeroDice> {
        let score = scope.get(Variable::SCORE);
        let opponent = scope.get(Variable::OPPONENT);
        let mut points = 0;
        for (place, formula) in self.points.iter().enumerate() {
            points = formula.value(&scope)?;
            scope.set(Variable::POINTS, points);
            if place == 0 {
                scope.set(Variable::ROLLED, points);
            }
        }
        scope.set(Variable::SCORE_BEFORE, score);
        scope.set(Variable::OPPONENT_BEFORE, opponent);
        let mut after = AfterZeroDice { points, score: score + points, opponent, again: false };
        for rule in &self.totals {
            scope.set(Variable::SCORE, after.score);
            scope.set(Variable::OPPONENT, after.opponent);
            after.score = value_or(&rule.score, &scope, after.score)?;
            after.opponent = value_or(&rule.opponent, &scope, after.opponent)?;
            if value_or(&rule.swap, &scope, 0)? == 1 {
                std::mem::swap(&mut after.score, &mut after.opponent);
            }
            after.again |= value_or(&rule.again, &scope, 0)? == 1;
            if value_or(&rule.end, &scope, 0)? == 1 {
                scope.set(Variable::SCORE, after.score);
                scope.set(Variable::OPPONENT, after.opponent);
                let [own, other] = &self.at_the_end;
                after.score = own.value(&scope)?;
                after.opponent = other.value(&scope)?;
                break;
            }
        }
        Some(after)
    }
}

/// Returns the value of a formula, or `usual` if a rule has none.
fn value_or(formula: &Option<Formula>, scope: &Scope, usual: i64) -> Option<i64> {
    match formula {
        Some(formula) => formula.value(scope),
        None => Some(usual),
    }
}

impl AfterZeroDice {
    fn lead(self) -> i64 {
        self.score - self.opponent
    }

    /// What the opponent sees after the turn that began with `scope`.
    fn as_opponent_sees(self, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        scope.set(Variable::SCORE, self.opponent);
        scope.set(Variable::OPPONENT, self.score);
        scope
    }
}

impl OnTotals {
    fn acts(&self) -> bool {
        let hooks = [&self.score, &self.opponent, &self.swap, &self.again, &self.end];
        hooks.iter().any(|hook| hook.is_some())
    }
}

/// The Python of a decision list: the computation of its attributes.
#[derive(Debug, Default)]
pub(super) struct PythonAttributes {
    /// Assignments, before the first line.
    pub lines: Vec<String>,
    calls: BTreeSet<&'static str>,
}

impl PythonAttributes {
    /// The definitions of the functions that it calls.
    pub fn definitions(&self, goal: u32) -> Vec<String> {
        self.calls.iter().map(|name| python_definition(name, goal)).collect()
    }

    fn set(&mut self, name: &str, formula: &Formula, names: &dyn Fn(Variable) -> String) {
        let text = self.expression(formula, names);
        if text != name {
            self.lines.push(format!("{name} = {text}"));
        }
    }

    fn expression(&mut self, formula: &Formula, names: &dyn Fn(Variable) -> String) -> String {
        let python = formula.python(names);
        self.calls.extend(python.calls);
        python.text
    }
}

impl Attributes {
    /// Whether the points of no dice are the pot itself.
    fn points_are_pot(&self) -> bool {
        let (Some((_, pot)), Some(zero)) = (&self.pot, &self.zero) else { return false };
        match &zero.points[..] {
            [points] => points.python(&|variable| self.name_before(variable)).text == *pot,
            _ => false,
        }
    }

    /// The Python name of a variable before the totals.
    fn name_before(&self, variable: Variable) -> String {
        match variable {
            Variable::SCORE | Variable::SCORE_BEFORE => "score".into(),
            Variable::OPPONENT | Variable::OPPONENT_BEFORE => "opponent_score".into(),
            Variable::POINTS => "free".into(),
            Variable::ROLLED => "rolled".into(),
            _ => self.pot.as_ref().map_or_else(|| "0".into(), |(_, name)| name.clone()),
        }
    }

    fn has_totals(&self) -> bool {
        self.zero.as_ref().is_some_and(|zero| !zero.totals.is_empty())
    }

    /// The points of no dice, and both totals after them, in Python.
    fn names_after(&self) -> [String; 3] {
        let points = match &self.pot {
            Some((_, name)) if self.points_are_pot() => name.clone(),
            _ => "free".into(),
        };
        if self.has_totals() {
            return [points, "own".into(), "other".into()];
        }
        let own = format!("score + {points}");
        [points, own, "opponent_score".into()]
    }

    /// The Python expression of an attribute.
    pub(super) fn expression(&self, attribute: Attribute) -> String {
        let [points, own, other] = self.names_after();
        match attribute {
            Attribute::Score => "score".into(),
            Attribute::Opponent => "opponent_score".into(),
            Attribute::Lead => "score - opponent_score".into(),
            Attribute::Points => points,
            Attribute::Total => own,
            Attribute::LeadAfter => format!("{own} - {other}"),
            Attribute::Gain => format!("{own} - {other} - score + opponent_score"),
            Attribute::Again => "again".into(),
            Attribute::OtherDice => "sides != 6".into(),
            Attribute::OtherDiceAfter => "their_sides != 6".into(),
            Attribute::MostDice => "most".into(),
            Attribute::MostDiceAfter => "their_most".into(),
            Attribute::Pace(part) => format!("{part} * {points} + score - opponent_score"),
        }
    }

    /// Whether an attribute is true or false.
    pub(super) fn is_truth(attribute: Attribute) -> bool {
        matches!(attribute, Attribute::Again | Attribute::OtherDice | Attribute::OtherDiceAfter)
    }

    /// Computes some attributes in Python.
    pub(super) fn python(&self, used: &BTreeSet<Attribute>) -> PythonAttributes {
        let mut python = PythonAttributes::default();
        let needs_totals = used.iter().any(|attribute| {
            matches!(
                attribute,
                Attribute::Total
                    | Attribute::LeadAfter
                    | Attribute::Gain
                    | Attribute::Again
                    | Attribute::OtherDiceAfter
                    | Attribute::MostDiceAfter
            )
        });
        let needs_points = needs_totals
            || used
                .iter()
                .any(|attribute| matches!(attribute, Attribute::Points | Attribute::Pace(4 | 8)));
        if let Some(zero) = self.zero.as_ref().filter(|_| needs_points) {
            self.points_in_python(zero, &mut python);
            if needs_totals && self.has_totals() {
                self.totals_in_python(zero, &mut python);
            }
        }
        if let Some(die) = &self.die {
            if used.contains(&Attribute::OtherDice) {
                python.set("sides", die, &|variable| self.name_before(variable));
            }
            if used.contains(&Attribute::OtherDiceAfter) {
                python.set("their_sides", die, &|variable| self.name_for_opponent(variable));
            }
        }
        if used.contains(&Attribute::MostDice) {
            self.most_in_python("most", &|variable| self.name_before(variable), &mut python);
        }
        if used.contains(&Attribute::MostDiceAfter) {
            let names = &|variable| self.name_for_opponent(variable);
            self.most_in_python("their_most", names, &mut python);
        }
        python
    }

    /// The Python name of a variable as the opponent sees it after a turn without dice.
    fn name_for_opponent(&self, variable: Variable) -> String {
        let [_, own, other] = self.names_after();
        match variable {
            Variable::SCORE => other,
            Variable::OPPONENT if self.has_totals() => own,
            Variable::OPPONENT => format!("({own})"),
            other => self.name_before(other),
        }
    }

    fn most_in_python(
        &self,
        name: &str,
        names: &dyn Fn(Variable) -> String,
        python: &mut PythonAttributes,
    ) {
        let mut most = self.max_dice.to_string();
        for formula in &self.most {
            most += &format!(", {}", python.expression(formula, names));
        }
        python.lines.push(format!("{name} = max(0, min({most}))"));
    }

    fn points_in_python(&self, zero: &ZeroDice, python: &mut PythonAttributes) {
        if self.points_are_pot() {
            return;
        }
        if zero.points.is_empty() {
            python.lines.push("free = 0".into());
        }
        for (place, formula) in zero.points.iter().enumerate() {
            python.set("free", formula, &|variable| self.name_before(variable));
            if place == 0 && zero.points.len() > 1 {
                python.lines.push("rolled = free".into());
            }
        }
    }

    fn totals_in_python(&self, zero: &ZeroDice, python: &mut PythonAttributes) {
        let [points, ..] = self.names_after();
        let names = |variable: Variable| match variable {
            Variable::SCORE => "own".into(),
            Variable::OPPONENT => "other".into(),
            Variable::POINTS => points.clone(),
            other => self.name_before(other),
        };
        python.lines.push(format!("own, other = score + {points}, opponent_score"));
        // Rules that are left out at the end assign nothing.
        let mut gave_turn = zero.totals.iter().any(|rule| rule.end.is_some())
            && zero.totals.iter().any(|rule| rule.again.is_some());
        if gave_turn {
            python.lines.push("again = False".into());
        }
        let mut may_be_over = false;
        for rule in &zero.totals {
            let mut lines = Vec::new();
            if let Some(again) = &rule.again {
                let text = python.expression(again, &names);
                lines.push(match gave_turn {
                    false => format!("again = {text}"),
                    true => format!("again = again or ({text})"),
                });
                gave_turn = true;
            }
            if let Some(end) = &rule.end {
                lines.push(format!("over = {}", python.expression(end, &names)));
            }
            let own = rule.score.as_ref();
            let own = own.map_or("own".into(), |score| python.expression(score, &names));
            let other = rule.opponent.as_ref();
            let other = other.map_or("other".into(), |score| python.expression(score, &names));
            let swap = rule.swap.as_ref().map(|swap| python.expression(swap, &names));
            lines.extend(assignment(&own, &other, swap));
            if rule.end.is_some() {
                let [own, other] =
                    zero.at_the_end.each_ref().map(|total| python.expression(total, &names));
                lines.push(format!("if over:\n    own, other = ({own}), ({other})"));
            }
            python.lines.extend(match may_be_over {
                false => lines,
                true => lines.iter().map(|line| unless_over(line)).collect(),
            });
            may_be_over |= rule.end.is_some();
        }
    }
}

/// The assignment of new totals, if they change; `swap` says when they are swapped.
fn assignment(own: &str, other: &str, swap: Option<String>) -> Option<String> {
    let is_kept = own == "own" && other == "other";
    match swap {
        None if is_kept => None,
        None if other == "other" => Some(format!("own = {own}")),
        None => Some(format!("own, other = {own}, {other}")),
        Some(swap) if is_kept => Some(format!("if {swap}:\n    own, other = other, own")),
        Some(swap) => {
            Some(format!("own, other = ({other}, {own}) if ({swap}) else ({own}, {other})"))
        }
    }
}

/// Returns lines of Python that run only if no earlier rule has ended the game.
fn unless_over(lines: &str) -> String {
    format!("if not over:\n    {}", lines.replace('\n', "\n    "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::take_turn;
    use crate::rules::{builtins, load, rules_from_text};

    /// A rule that ends the game, and others that do nothing then.
    const ENDS: &str = "id = \"ends\"\ngoal = 30\n[[rule]]\nname = \"End\"\n\
        zero_dice = \"ones(opponent)\"\nscore = \"score + 1\"\nend = \"score + opponent > 30\"\n\
        [[rule]]\nname = \"Later\"\nswap = \"score > opponent\"\nagain = \"true\"\n";

    /// The turn without dice is that of the rules, in every published game.
    #[test]
    fn a_turn_without_dice_is_that_of_the_rules() {
        let mut compared = 0;
        let ends = rules_from_text(ENDS, "ends", Default::default()).unwrap();
        let published = builtins().iter().map(|game| load(game.id, Default::default()).unwrap());
        for rules in published.chain([ends]).filter(|rules| !rules.keeps_dice()) {
            let start = Position::new(&rules, 0, 0).unwrap().scope(&rules);
            let seen = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT]);
            let zero = ZeroDice::new(&rules, &start, seen);
            for (score, opponent) in
                (0..rules.goal).flat_map(|a| (0..rules.goal).map(move |b| (a, b)))
            {
                let position = Position::new(&rules, score, opponent).unwrap();
                let Ok(turn) = take_turn(&rules, &position, &[], 0) else { continue };
                let mut scope = Scope::default();
                scope.set(Variable::SCORE, score.into());
                scope.set(Variable::OPPONENT, opponent.into());
                let after = zero.play(scope).unwrap();
                assert_eq!(
                    (after.points, after.score, after.opponent, after.again),
                    (turn.points, turn.score, turn.opponent, turn.again),
                    "{} at {score}-{opponent}",
                    rules.id
                );
                compared += 1;
            }
        }
        assert!(compared > 400_000, "{compared}");
    }
}
