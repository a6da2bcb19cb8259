//! From the rules before the totals to lotteries: what a number of dice can score, with exact weights.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::dice::{Detail, Die, Outcome, Tally};
use crate::rules::formula::{Formula, Scope, Variable, VariableSet};
use crate::rules::{Faults, Hook, Rules};

use super::arrival::{Context, context_variables};
use super::grid::ScoreGrid;
use super::intern::Interner;
use super::memory::Combinations;
use super::turn::die_of;

/// What the rules on points, and all after them, may read of a roll.
fn of_a_roll() -> VariableSet {
    VariableSet::of(&[Variable::POINTS, Variable::ROLLED, Variable::BUSTED])
}

/// The most points of one turn.
pub(super) const MOST_POINTS: i64 = 1_000_000;

/// One result of a lottery, before memories are joined in classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RawOutcome {
    /// The number of the context in which the rules on totals run.
    pub context: u32,
    /// The turn's points.
    pub points: u32,
    /// The mover's memories after the turn: if the turn passes, and if the mover moves again.
    pub mine: [u32; 2],
    /// The shared memories, likewise.
    pub shared: [u32; 2],
}

/// What an outcome leaves behind beside its points: as in [`RawOutcome`].
#[derive(Clone, Copy, Debug)]
struct Aftermath {
    context: u32,
    mine: [u32; 2],
    shared: [u32; 2],
}

/// What the outcomes of one lottery have in common.
struct Common<'a> {
    /// The rules on points, as far as they are known before the roll.
    points_rules: Vec<(usize, Cow<'a, Formula>)>,
    /// The aftermath of some outcome, if there is one already.
    aftermath: Option<Aftermath>,
}

/// What one action can lead to: outcomes with whole weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RawLottery {
    /// In ascending order.
    pub outcomes: Vec<(RawOutcome, u64)>,
    /// The sum of the weights.
    pub total: u64,
    /// If rolls without a 1 score just their faces (with extra points, and some for the whole roll): how.
    pub clean: Option<CleanRolls>,
}

/// Points that one die brings, and weights.
type Step = Vec<(u32, u64)>;

/// Rolls without a 1 that score the sum of what their dice bring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CleanRolls {
    pub dice: u32,
    /// What one die brings and the weight of it, the 1 left out, in ascending order.
    pub step: Step,
    /// Points that the roll brings on top.
    pub shift: u32,
}

/// Which memories decide a lottery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dependence {
    pub mine: bool,
    pub theirs: bool,
    pub shared: bool,
}

/// Lotteries by class of cell, memories and action.
pub(super) struct LotteryTable {
    /// `ids[(((class * mine + i) * theirs + j) * shared + g) * actions + action]`.
    ids: Vec<u32>,
    /// How many classes of cells there are.
    pub classes: usize,
    mine: usize,
    theirs: usize,
    shared: usize,
    actions: usize,
}

impl LotteryTable {
    /// How many of the mover's, the opponent's and the shared memories are told apart.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.mine, self.theirs, self.shared)
    }

    /// The lotteries of all actions; memories that do not matter may be anything.
    pub fn row(&self, class: usize, (i, j, g): (usize, usize, usize)) -> &[u32] {
        let place = (class * self.mine + i.min(self.mine - 1)) * self.theirs + j.min(self.theirs - 1);
        &self.ids[(place * self.shared + g.min(self.shared - 1)) * self.actions..][..self.actions]
    }
}

/// Everything that lotteries are made from.
pub(super) struct LotteryMaker<'a> {
    rules: &'a Rules,
    pub mine: Combinations,
    pub shared: Combinations,
    context_variables: Vec<Variable>,
    /// The rules on points.
    points_rules: Vec<(usize, &'a Formula)>,
    /// Whether all outcomes of a lottery have one aftermath: no memory and no rule on totals reads what was rolled.
    one_aftermath: bool,
    /// Whether the rules on totals read the turn's points.
    pub by_points: bool,
    pub depends: Dependence,
    detail: Detail,
    pub lotteries: Interner<RawLottery>,
    pub contexts: Interner<Context>,
    /// By kind of die and the extra points of its faces.
    dice: HashMap<(Die, Vec<i64>), Tally, FixedState>,
}

impl<'a> LotteryMaker<'a> {
    pub fn new(rules: &'a Rules) -> Self {
        let (context_variables, by_points) = context_variables(rules);
        let before_totals = [Hook::MaxDice, Hook::Die, Hook::ZeroDice, Hook::Bust, Hook::FacePoints, Hook::Points];
        let formulas = before_totals.iter().flat_map(|hook| rules.hooked(*hook)).map(|(_, formula)| formula);
        let memories = rules.memories.iter().map(|memory| memory.next().reads());
        let aftermath = memories.fold(context_variables, VariableSet::union);
        let reads = formulas.map(Formula::reads).fold(aftermath, VariableSet::union);
        let own = |of_player| {
            (0..rules.memories.len())
                .any(|m| rules.memories[m].of_player == of_player && reads.holds(Variable::memory(m)))
        };
        let depends = Dependence {
            mine: own(true),
            theirs: (0..rules.memories.len()).any(|m| reads.holds(Variable::opponent_memory(m))),
            shared: own(false),
        };
        let bust = rules.hooked(Hook::Bust).fold(VariableSet::NONE, |set, (_, f)| set.union(f.reads()));
        let detail =
            Detail { sum_with_ones: bust.holds(Variable::SUM), number_of_ones: bust.holds(Variable::ONES_ROLLED) };
        Self {
            rules,
            mine: Combinations::of_players(rules),
            shared: Combinations::of_game(rules),
            context_variables: context_variables.iter().collect(),
            points_rules: rules.hooked(Hook::Points).collect(),
            one_aftermath: aftermath.is_disjoint(of_a_roll()),
            by_points,
            depends,
            detail,
            lotteries: Interner::new(),
            contexts: Interner::new(),
            dice: HashMap::default(),
        }
    }

    /// The lotteries of the actions `dice` at a cell of each class.
    pub fn table(&mut self, classes: &ScoreGrid, dice: Vec<i32>) -> Result<LotteryTable, Faults> {
        let count = |depends: bool, combinations: &Combinations| if depends { combinations.count() } else { 1 };
        let (mine, theirs) = (count(self.depends.mine, &self.mine), count(self.depends.theirs, &self.mine));
        let shared = count(self.depends.shared, &self.shared);
        let cells = classes.representatives();
        let mut ids = Vec::with_capacity(cells.len() * mine * theirs * shared * dice.len());
        for cell in &cells {
            for place in 0..mine * theirs * shared {
                let (i, j, g) = (place / (theirs * shared), place / shared % theirs, place % shared);
                let scope = self.scope(*cell, i, j, g);
                for action in &dice {
                    ids.push(self.lottery(&scope, *action)?);
                }
            }
        }
        Ok(LotteryTable { ids, classes: cells.len(), mine, theirs, shared, actions: dice.len() })
    }

    fn scope(&self, (score, opponent): (usize, usize), i: usize, j: usize, g: usize) -> Scope {
        let goal = self.rules.goal as usize;
        let mut scope = Scope::default();
        for (variable, value) in [
            (Variable::SCORE, score),
            (Variable::OPPONENT, opponent),
            (Variable::GOAL, goal),
            (Variable::MAX_DICE, self.rules.max_dice as usize),
        ] {
            scope.set(variable, value as i64);
        }
        self.mine.write(i, &mut scope, Variable::memory);
        self.mine.write(j, &mut scope, Variable::opponent_memory);
        self.shared.write(g, &mut scope, Variable::memory);
        scope
    }

    /// The lottery of asking for `request` dice.
    fn lottery(&mut self, before: &Scope, request: i32) -> Result<u32, Faults> {
        let mut scope = before.clone();
        let mut dice = i64::from(request);
        scope.set(Variable::DICE, dice);
        for (rule, formula) in self.rules.hooked(Hook::MaxDice) {
            dice = dice.min(self.value(&scope, rule, formula)?.max(0));
        }
        scope.set(Variable::DICE, dice);
        let mut weights: Vec<(RawOutcome, u64)> = Vec::new();
        let mut common = self.common(&scope);
        let total = if dice <= 0 { 1 } else { self.die(&scope)?.total().checked_pow(dice as u32).unwrap_or(u128::MAX) };
        let mut clean = None;
        let Ok(total) = u64::try_from(total) else {
            let message = format!("{dice} dice of this kind have 2^64 rolls or more");
            return Err(self.rules.fault(None, message, "lower max_dice, the sides or the weights"));
        };
        if dice <= 0 {
            let rule = self.rules.hooked(Hook::ZeroDice).next();
            let points = rule.map_or(Ok(0), |(rule, formula)| self.value(&scope, rule, formula))?;
            scope.set(Variable::ROLLED, points);
            weights.push((self.outcome(&mut scope, points, &mut common)?, 1));
        } else {
            let (rolls, step) = self.rolls(&mut scope, dice as u32)?;
            weights.reserve(rolls.len());
            let mut shifts: Option<i64> = None;
            let mut plain = true;
            for outcome in rolls {
                let points = self.points_of_roll(&mut scope, &outcome)?;
                scope.set(Variable::ROLLED, points);
                let raw = self.outcome(&mut scope, points, &mut common)?;
                if outcome.ones == 0 {
                    let shift = i64::from(raw.points) - points;
                    plain &= shift == *shifts.get_or_insert(shift);
                }
                // Counts sum to the total, which fits.
                weights.push((raw, outcome.count as u64));
            }
            let shift = shifts.filter(|_| plain).and_then(|shift| u32::try_from(shift).ok());
            clean = shift.map(|shift| CleanRolls { dice: dice as u32, step, shift });
        }
        Ok(self.lotteries.number(RawLottery { outcomes: summed(weights), total, clean }))
    }

    fn die(&self, scope: &Scope) -> Result<Die, Faults> {
        let Some((rule, formula)) = self.rules.hooked(Hook::Die).next() else {
            return Ok(Die::fair(6).expect("six sides"));
        };
        let value = self.value(scope, rule, formula)?;
        die_of(formula, value)
            .map_err(|error| self.rules.fault(Some(rule), error.to_string(), "give the die other sides"))
    }

    /// All rolls, and what one die brings.
    fn rolls(&mut self, scope: &mut Scope, dice: u32) -> Result<(Vec<Outcome>, Step), Faults> {
        let die = self.die(scope)?;
        let mut bonus = Vec::new();
        for (rule, formula) in self.rules.hooked(Hook::FacePoints) {
            bonus.resize(die.sides(), 0i64);
            for (face, extra) in (1..).zip(&mut bonus).filter(|(face, _)| die.weight(*face) > 0) {
                scope.set(Variable::FACE, i64::from(face));
                *extra = extra.saturating_add(self.value(scope, rule, formula)?);
                if !(-MOST_POINTS..=MOST_POINTS).contains(extra) {
                    let message = format!("the face {face} brings {extra} extra points {}", place(scope));
                    return Err(self.rules.fault(Some(rule), message, &format!("keep them within {MOST_POINTS}")));
                }
            }
        }
        let brings = |face: u32| i64::from(face) + bonus.get(face as usize - 1).copied().unwrap_or(0);
        let mut step = Step::new();
        for face in (2..=die.sides() as u32).filter(|face| die.weight(*face) > 0) {
            // A negative sum is refused where points are; what cannot be is not offered as a step.
            let points = u32::try_from(brings(face)).unwrap_or(u32::MAX);
            match step.iter_mut().find(|(known, _)| *known == points) {
                Some((_, weight)) => *weight += u64::from(die.weight(face)),
                None => step.push((points, u64::from(die.weight(face)))),
            }
        }
        step.sort_unstable();
        let detail = self.detail;
        let tally = self
            .dice
            .entry((die, bonus))
            .or_insert_with_key(|(die, bonus)| Tally::new(die.clone(), bonus.clone(), detail));
        // The rolls of one action may be countable where those of max_dice are not.
        Ok((tally.of(dice).expect("fewer than 2^64 rolls").to_vec(), step))
    }

    fn points_of_roll(&self, scope: &mut Scope, outcome: &Outcome) -> Result<i64, Faults> {
        scope.set(Variable::ONES_ROLLED, i64::from(outcome.ones));
        scope.set(Variable::SUM, i64::from(outcome.sum));
        scope.set(Variable::BUSTED, i64::from(outcome.ones > 0));
        if outcome.ones == 0 {
            return Ok(i64::from(outcome.sum) + outcome.bonus);
        }
        let rule = self.rules.hooked(Hook::Bust).next();
        Ok(rule.map_or(Ok(1), |(rule, formula)| self.value(scope, rule, formula))?.saturating_add(outcome.bonus))
    }

    /// What outcomes have in common once it is set how many dice are rolled.
    fn common(&self, scope: &Scope) -> Common<'a> {
        let before_the_roll = |formula: &'a Formula| {
            // A single outcome is not worth the work.
            if scope.get(Variable::DICE) <= 0 {
                return Cow::Borrowed(formula);
            }
            Cow::Owned(formula.with_known(scope, of_a_roll()))
        };
        let points_rules = self.points_rules.iter().map(|(rule, formula)| (*rule, before_the_roll(formula)));
        Common { points_rules: points_rules.collect(), aftermath: None }
    }

    /// The outcome in which the dice gave `rolled` points and all other variables are set.
    fn outcome(&mut self, scope: &mut Scope, rolled: i64, common: &mut Common) -> Result<RawOutcome, Faults> {
        let mut points = rolled;
        self.check_points(scope, None, points)?;
        for (rule, formula) in &common.points_rules {
            scope.set(Variable::POINTS, points);
            points = self.value(scope, *rule, formula)?;
            self.check_points(scope, Some(*rule), points)?;
        }
        scope.set(Variable::POINTS, points);
        let Aftermath { context, mine, shared } = match common.aftermath.filter(|_| self.one_aftermath) {
            Some(known) => known,
            None => *common.aftermath.insert(self.aftermath(scope)?),
        };
        Ok(RawOutcome { context, points: points as u32, mine, shared })
    }

    fn aftermath(&mut self, scope: &mut Scope) -> Result<Aftermath, Faults> {
        let values = self.context_variables.iter().map(|variable| (*variable, scope.get(*variable))).collect();
        let context = self.contexts.number(Context { values });
        let (mut mine, mut shared) = ([0; 2], [0; 2]);
        for again in 0..2 {
            scope.set(Variable::AGAIN, again as i64);
            let next: Vec<i64> =
                (0..self.rules.memories.len()).map(|m| self.next(scope, m)).collect::<Result<_, _>>()?;
            mine[again] = self.mine.index(|m| next[m]) as u32;
            shared[again] = self.shared.index(|m| next[m]) as u32;
        }
        Ok(Aftermath { context, mine, shared })
    }

    fn next(&self, scope: &Scope, memory: usize) -> Result<i64, Faults> {
        let kept = &self.rules.memories[memory];
        let value = kept.next().value(scope).filter(|value| (0..=kept.max).contains(value));
        value.ok_or_else(|| {
            let message = format!("the memory `{}` leaves its range 0 to {} {}", kept.name, kept.max, place(scope));
            self.rules.fault(None, message, "raise its max or bound its next, as in `min(next, max)`")
        })
    }

    fn check_points(&self, scope: &Scope, rule: Option<usize>, points: i64) -> Result<(), Faults> {
        if (0..=MOST_POINTS).contains(&points) {
            return Ok(());
        }
        let message = format!("the points of a turn are {points} {}", place(scope));
        Err(self.rules.fault(rule, message, &format!("keep them between 0 and {MOST_POINTS}")))
    }

    fn value(&self, scope: &Scope, rule: usize, formula: &Formula) -> Result<i64, Faults> {
        formula.value(scope).ok_or_else(|| {
            let name = &self.rules.rules[rule].name;
            let message = format!(
                "the rule {name} has no value {}: `{}` divides by zero, overflows or leaves a function's domain",
                place(scope),
                formula.source()
            );
            self.rules.fault(Some(rule), message, "guard it, as in `opponent == 0 ? 1 : ...`")
        })
    }
}

/// Outcomes in ascending order, the weights of equal ones summed.
pub(super) fn summed<K: Ord>(mut outcomes: Vec<(K, u64)>) -> Vec<(K, u64)> {
    outcomes.sort_unstable();
    outcomes.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        earlier.1 += if same { later.1 } else { 0 };
        same
    });
    outcomes
}

fn place(scope: &Scope) -> String {
    let of = |variable| scope.get(variable);
    format!("at {}-{} with {} dice", of(Variable::SCORE), of(Variable::OPPONENT), of(Variable::DICE))
}
