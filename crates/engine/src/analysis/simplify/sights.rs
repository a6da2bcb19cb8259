//! What a line of a decision list may look at: numbers that a player sees, or can compute before a
//! turn, with the same computation in Python.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::game::{Game, Position};
use crate::lists::Column;
use crate::rules::formula::{Formula, Scope, Variable, VariableSet, python_definition};
use crate::rules::{Hook, Rules, totals_at_the_end};

/// A number that a line may compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
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

const SIGHTS: [Sight; 14] = [
    Sight::Score,
    Sight::Opponent,
    Sight::Lead,
    Sight::Points,
    Sight::Total,
    Sight::LeadAfter,
    Sight::Gain,
    Sight::Again,
    Sight::OtherDice,
    Sight::OtherDiceAfter,
    Sight::MostDice,
    Sight::MostDiceAfter,
    Sight::Pace(4),
    Sight::Pace(8),
];

/// The most bins of a sight; a number of a bin fits a byte.
const MOST_BINS: i64 = 250;

/// How the values of a sight are sorted into bins: between multiples of a step, with which a line
/// may compare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    pub sight: Sight,
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

/// Sorts the values of a sight into bins; `None` if all are in one.
fn sorted(sight: Sight, values: &[i64]) -> Option<(Scale, Column)> {
    let least = *values.iter().min()?;
    let most = *values.iter().max()?;
    let unit = if let Sight::Pace(part) = sight { part } else { 1 };
    let step = unit * ((most - least) / unit / MOST_BINS + 1);
    let first = least.div_euclid(step);
    let bin_of = values.iter().map(|value| (value.div_euclid(step) - first) as u8).collect();
    let bins = (most.div_euclid(step) - first + 1) as usize;
    (bins > 1).then_some((Scale { sight, step, first }, Column { bins, bin_of }))
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
pub struct Sights {
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

impl Sights {
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
        // Numbers that depend on how many dice are rolled are not seen before the turn.
        let before_roll = |hook: Hook| {
            let formulas = rules.hooked(hook).map(|(_, formula)| formula);
            let known = formulas.filter(|formula| !formula.reads().holds(Variable::DICE));
            known.map(|formula| formula.with_known(&start, seen)).collect::<Vec<_>>()
        };
        let mut sights = Self {
            goal: rules.goal,
            max_dice: rules.max_dice,
            pot,
            zero: (rules.min_dice <= 0).then(|| ZeroDice::new(rules, &start, seen)),
            die: before_roll(Hook::Die).pop(),
            most: before_roll(Hook::MaxDice),
            scales: Vec::new(),
            columns: Vec::new(),
        };
        let by_state = sights.is_by_state();
        let space = game.space();
        let count = if by_state { space.states() } else { space.goal * space.goal };
        let scope = |place: usize| {
            let position = game.position(if by_state { place } else { place * space.per_cell() });
            let mut scope = Scope::default();
            scope.set(Variable::SCORE, position.score.into());
            scope.set(Variable::OPPONENT, position.opponent.into());
            if let Some((pot, _)) = &sights.pot {
                scope.set(*pot, position.scope(rules).get(*pot));
            }
            scope
        };
        let after: Vec<Option<AfterZeroDice>> = (0..count)
            .into_par_iter()
            .map(|place| sights.zero.as_ref()?.play(scope(place)))
            .collect();
        for sight in SIGHTS {
            let values: Option<Vec<i64>> = (0..count)
                .into_par_iter()
                .map(|place| sights.value(sight, &scope(place), after[place]))
                .collect();
            let Some((scale, column)) = values.and_then(|values| sorted(sight, &values)) else {
                continue;
            };
            let is_known = sights.scales.iter().zip(&sights.columns).any(|(known, of)| {
                (known.step, known.first) == (scale.step, scale.first) && *of == column
            });
            if !is_known {
                sights.scales.push(scale);
                sights.columns.push(column);
            }
        }
        sights
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

    fn value(&self, sight: Sight, scope: &Scope, after: Option<AfterZeroDice>) -> Option<i64> {
        let score = scope.get(Variable::SCORE);
        let opponent = scope.get(Variable::OPPONENT);
        let bounded = |lead: i64| lead.clamp(-i64::from(self.goal), i64::from(self.goal));
        // The opponent's dice after a turn without dice.
        let theirs = || {
            let after = after?;
            let mut scope = scope.clone();
            scope.set(Variable::SCORE, after.opponent);
            scope.set(Variable::OPPONENT, after.score);
            Some(scope)
        };
        let other_dice = |scope: &Scope| Some(i64::from(self.die.as_ref()?.value(scope)? != 6));
        let most_dice = |scope: &Scope| {
            let least = |most: i64, formula: &Formula| Some(most.min(formula.value(scope)?.max(0)));
            self.most.iter().try_fold(i64::from(self.max_dice), least)
        };
        match sight {
            Sight::Score => Some(score),
            Sight::Opponent => Some(opponent),
            Sight::Lead => Some(score - opponent),
            Sight::Points => Some(after?.points),
            Sight::Total => Some(after?.score.min(i64::from(self.goal))),
            Sight::LeadAfter => after.map(|after| bounded(after.score - after.opponent)),
            Sight::Gain => {
                after.map(|after| bounded(after.score - after.opponent - (score - opponent)))
            }
            Sight::Again => Some(after?.again.into()),
            Sight::OtherDice => other_dice(scope),
            Sight::OtherDiceAfter => other_dice(&theirs()?),
            Sight::MostDice => most_dice(scope),
            Sight::MostDiceAfter => most_dice(&theirs()?),
            Sight::Pace(part) => {
                self.pot.as_ref()?;
                Some(part * after?.points + score - opponent)
            }
        }
    }

    /// A condition in words: whether a sight is at least `number`, or at most.
    pub fn in_words(&self, sight: Sight, at_least: bool, number: i64) -> String {
        let has_pot = self.pot.is_some();
        let none = if has_pot { "holding" } else { "rolling none" };
        let bounds = |number: i64| {
            if at_least { format!("{number} or more") } else { format!("at most {number}") }
        };
        match sight {
            Sight::Score => format!("you have {}", bounds(number)),
            Sight::Opponent => format!("the opponent has {}", bounds(number)),
            Sight::Lead => format!("you {}", led_by(at_least, number)),
            Sight::Points if has_pot => format!("the pot holds {}", bounds(number)),
            Sight::Points => format!("{none} scores {}", bounds(number)),
            Sight::Total if number == i64::from(self.goal) && at_least => {
                format!("{none} wins")
            }
            Sight::Total => format!("{none} brings you to {}", bounds(number)),
            Sight::LeadAfter => format!("after {none} you {}", led_by(at_least, number)),
            Sight::Gain => format!("{none} {}", gained(at_least, number)),
            Sight::Again if at_least => format!("{none} gives another turn"),
            Sight::Again => format!("{none} gives no other turn"),
            Sight::OtherDice if at_least => "your dice are not six-sided".into(),
            Sight::OtherDice => "your dice are six-sided".into(),
            Sight::OtherDiceAfter if at_least => {
                format!("{none} leaves the opponent dice that are not six-sided")
            }
            Sight::OtherDiceAfter => format!("{none} leaves the opponent six-sided dice"),
            Sight::MostDice => format!("you may roll {} dice", bounds(number)),
            Sight::MostDiceAfter => format!("{none} leaves the opponent {} dice", bounds(number)),
            Sight::Pace(part) => {
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
        let simplified = |formula: &Formula| formula.with_known(start, unknown);
        // What a formula adds to the turn is known if it then says nothing new.
        let says = |formula: &Formula, usual: &str| formula.canonical(rules.vocabulary()) != usual;
        let zero = rules.hooked(Hook::ZeroDice).map(|(_, formula)| simplified(formula));
        let rewritten = rules.hooked(Hook::Points).map(|(_, formula)| simplified(formula));
        let rewritten = rewritten.filter(|formula| says(formula, "points"));
        let of_rule = |rule: &crate::rules::Rule| {
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
                *slot = Some(simplified(formula)).filter(|formula| says(formula, usual));
            }
            totals
        };
        Self {
            points: zero.chain(rewritten).collect(),
            totals: rules.rules.iter().map(of_rule).filter(OnTotals::acts).collect(),
            at_the_end: totals_at_the_end().each_ref().map(simplified),
        }
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
            let value = |formula: &Option<Formula>, usual: i64| match formula {
                Some(formula) => formula.value(&scope),
                None => Some(usual),
            };
            let [mut score, mut opponent] =
                [value(&rule.score, after.score)?, value(&rule.opponent, after.opponent)?];
            if value(&rule.swap, 0)? == 1 {
                std::mem::swap(&mut score, &mut opponent);
            }
            after.again |= value(&rule.again, 0)? == 1;
            let is_over = value(&rule.end, 0)? == 1;
            (after.score, after.opponent) = (score, opponent);
            if is_over {
                scope.set(Variable::SCORE, score);
                scope.set(Variable::OPPONENT, opponent);
                let [own, other] = &self.at_the_end;
                (after.score, after.opponent) = (own.value(&scope)?, other.value(&scope)?);
                break;
            }
        }
        Some(after)
    }
}

impl OnTotals {
    fn acts(&self) -> bool {
        let hooks = [&self.score, &self.opponent, &self.swap, &self.again, &self.end];
        hooks.iter().any(|hook| hook.is_some())
    }
}

/// The Python of a decision list: the computation of its sights.
#[derive(Debug, Default)]
pub(super) struct PythonSights {
    /// Assignments, before the first line.
    pub lines: Vec<String>,
    calls: BTreeSet<&'static str>,
}

impl PythonSights {
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

impl Sights {
    /// Whether the points of no dice are the pot itself.
    fn points_are_pot(&self) -> bool {
        let names = |variable: Variable| self.name_before(variable);
        let texts = |zero: &ZeroDice| match &zero.points[..] {
            [points] => Some(points.python(&names).text),
            _ => None,
        };
        let pot = self.pot.as_ref().map(|(_, name)| name);
        pot.is_some() && self.zero.as_ref().and_then(texts).as_ref() == pot
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

    /// The Python expression of a sight.
    pub(super) fn expression(&self, sight: Sight) -> String {
        let [points, own, other] = self.names_after();
        match sight {
            Sight::Score => "score".into(),
            Sight::Opponent => "opponent_score".into(),
            Sight::Lead => "score - opponent_score".into(),
            Sight::Points => points,
            Sight::Total => own,
            Sight::LeadAfter => format!("{own} - {other}"),
            Sight::Gain => format!("{own} - {other} - score + opponent_score"),
            Sight::Again => "again".into(),
            Sight::OtherDice => "sides != 6".into(),
            Sight::OtherDiceAfter => "their_sides != 6".into(),
            Sight::MostDice => "most".into(),
            Sight::MostDiceAfter => "their_most".into(),
            Sight::Pace(part) => format!("{part} * {points} + score - opponent_score"),
        }
    }

    /// Whether a sight is true or false.
    pub(super) fn is_truth(sight: Sight) -> bool {
        matches!(sight, Sight::Again | Sight::OtherDice | Sight::OtherDiceAfter)
    }

    /// Computes some sights in Python.
    pub(super) fn python(&self, used: &BTreeSet<Sight>) -> PythonSights {
        let mut python = PythonSights::default();
        let uses = |sights: &[Sight]| sights.iter().any(|sight| used.contains(sight));
        let needs_totals = uses(&[
            Sight::Total,
            Sight::LeadAfter,
            Sight::Gain,
            Sight::Again,
            Sight::OtherDiceAfter,
            Sight::MostDiceAfter,
        ]);
        let needs_points = needs_totals || uses(&[Sight::Points, Sight::Pace(4), Sight::Pace(8)]);
        if let Some(zero) = self.zero.as_ref().filter(|_| needs_points) {
            self.points_in_python(zero, &mut python);
            if needs_totals && self.has_totals() {
                self.totals_in_python(zero, &mut python);
            }
        }
        let before = |variable: Variable| self.name_before(variable);
        let [_, own, other] = self.names_after();
        let after = |variable: Variable| match variable {
            Variable::SCORE => other.clone(),
            Variable::OPPONENT if self.has_totals() => own.clone(),
            Variable::OPPONENT => format!("({own})"),
            other => self.name_before(other),
        };
        if let Some(die) = &self.die {
            if uses(&[Sight::OtherDice]) {
                python.set("sides", die, &before);
            }
            if uses(&[Sight::OtherDiceAfter]) {
                python.set("their_sides", die, &after);
            }
        }
        let mut set_most = |name: &str, names: &dyn Fn(Variable) -> String| {
            let formulas = self.most.iter().map(|formula| python.expression(formula, names));
            let all: Vec<String> = formulas.collect();
            python.lines.push(format!(
                "{name} = max(0, min({}, {}))",
                self.max_dice,
                all.join(", ")
            ));
        };
        if uses(&[Sight::MostDice]) {
            set_most("most", &before);
        }
        if uses(&[Sight::MostDiceAfter]) {
            set_most("their_most", &after);
        }
        python
    }

    fn points_in_python(&self, zero: &ZeroDice, python: &mut PythonSights) {
        if self.points_are_pot() {
            return;
        }
        let names = |variable: Variable| self.name_before(variable);
        if zero.points.is_empty() {
            python.lines.push("free = 0".into());
        }
        for (place, formula) in zero.points.iter().enumerate() {
            python.set("free", formula, &names);
            if place == 0 && zero.points.len() > 1 {
                python.lines.push("rolled = free".into());
            }
        }
    }

    fn totals_in_python(&self, zero: &ZeroDice, python: &mut PythonSights) {
        let [points, ..] = self.names_after();
        let names = |variable: Variable| match variable {
            Variable::SCORE => "own".into(),
            Variable::OPPONENT => "other".into(),
            Variable::POINTS => points.clone(),
            other => self.name_before(other),
        };
        python.lines.push(format!("own, other = score + {points}, opponent_score"));
        let has = |hook: fn(&OnTotals) -> &Option<Formula>| {
            zero.totals.iter().any(|rule| hook(rule).is_some())
        };
        // Rules that are left out at the end assign nothing.
        let mut gave_turn = has(|rule| &rule.end) && has(|rule| &rule.again);
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
            let mut of = |formula: &Option<Formula>, usual: &str| match formula {
                Some(formula) => python.expression(formula, &names),
                None => usual.to_owned(),
            };
            let [own, other] = [of(&rule.score, "own"), of(&rule.opponent, "other")];
            let swap = rule.swap.as_ref().map(|swap| python.expression(swap, &names));
            let is_kept = own == "own" && other == "other";
            lines.extend(match swap {
                None if is_kept => None,
                None if other == "other" => Some(format!("own = {own}")),
                None => Some(format!("own, other = {own}, {other}")),
                Some(swap) if is_kept => Some(format!("if {swap}:\n    own, other = other, own")),
                Some(swap) => {
                    Some(format!("own, other = ({other}, {own}) if ({swap}) else ({own}, {other})"))
                }
            });
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
    const ENDS: &str = "id = \"ends\"\ngoal = 30\n[[rule]]\nname = \"End\"\nzero_dice = \"ones(opponent)\"\n\
                        score = \"score + 1\"\nend = \"score + opponent > 30\"\n\
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
