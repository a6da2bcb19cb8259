//! The distribution of each number of dice, computed from the rules hook by hook, with exact
//! weights.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use hog_rules::dice::{Detail, Die, RollCount, Weight};
use hog_rules::rules::formula::{FACES_COUNTED, Formula, Scope, Variable, VariableSet};
use hog_rules::rules::{Hook, Rules};
use hog_rules::states::States;
use hog_rules::turn::Position;

use super::error::CheckError;
use super::limits;
use super::shown::{SortedRolls, patterns};
use super::totals::Totals;

/// The memories after a turn, as the game numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NextMemories {
    /// The number of the mover's memories.
    pub mover: u32,
    /// The number of the shared memories.
    pub shared: u32,
}

/// An outcome: the rolls that give the same points, context and memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scored {
    /// The turn's points.
    pub points: u32,
    /// The number of the context: the values that the rules on totals read, other than scores.
    pub context: u32,
    /// The memories after the turn: `[if the turn passes, if the mover moves again]`.
    pub memories: [NextMemories; 2],
    /// The number of rolls.
    pub weight: Weight,
}

impl Scored {
    /// The points and the context.
    pub fn outcome(&self) -> (u32, u32) {
        (self.points, self.context)
    }
}

/// The outcomes of one number of dice, out of `total` rolls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Distribution {
    pub total: Weight,
    pub scored: Vec<Scored>,
    /// The rolls after which the mover chooses which dice to keep: their number, and the outcomes
    /// in `scored`, whose weight is that of rolls that leave no choice.
    pub menus: Menus,
}

impl Distribution {
    /// The distribution of rolls by what they leave to choose from.
    fn of_choices(total: Weight, rolls: &BTreeMap<Vec<Outcome>, Weight>) -> Self {
        let mut outcomes: BTreeMap<Outcome, Weight> = BTreeMap::new();
        for (options, weight) in rolls {
            for option in options {
                *outcomes.entry(*option).or_insert(0) +=
                    if options.len() == 1 { *weight } else { 0 };
            }
        }
        let known: Vec<Outcome> = outcomes.keys().copied().collect();
        let mut menus = Vec::new();
        for (options, weight) in rolls.iter().filter(|(options, _)| options.len() > 1) {
            let places =
                options.iter().map(|option| known.partition_point(|known| known < option) as u32);
            menus.push((*weight, places.collect()));
        }
        let scored = outcomes.into_iter().map(|((points, context, memories), weight)| Scored {
            points,
            context,
            memories,
            weight,
        });
        Self { total, scored: scored.collect(), menus: menus.into() }
    }
}

/// See [`Distribution::menus`].
pub(super) type Menus = Arc<[(Weight, Vec<u32>)]>;

/// Computes distributions from the rules, and numbers the distinct ones.
pub(super) struct Distributions<'a> {
    rules: &'a Rules,
    states: &'a States,
    memory: Vec<Variable>,
    /// The variables that determine a distribution, in addition to the number of dice and the die:
    /// `[without dice, with dice]`.
    decides: [Vec<Variable>; 2],
    on_totals: Vec<Variable>,
    detail: Detail,
    known: HashMap<Vec<i64>, u32>,
    numbers: HashMap<Distribution, u32>,
    distributions: Vec<Distribution>,
    context_numbers: HashMap<Vec<i64>, u32>,
    totals: Totals,
    /// The pattern variables that the formulas read.
    patterns: VariableSet,
    sorted: HashMap<Die, SortedRolls>,
    rolls: HashMap<(Die, Vec<i64>, u32), Arc<[RollClass]>>,
    /// Whether a formula reads what was rolled besides what is kept.
    reads_shown: bool,
    /// The hands of which dice are kept, by the dice left.
    hands: HashMap<Vec<i64>, Arc<Hand>>,
}

/// The points, the context and the memories of an outcome.
type Outcome = (u32, u32, [NextMemories; 2]);

/// The rolls of a hand, and the sets of dice that might be kept.
struct Hand {
    /// By kind: the dice left.
    left: Vec<i64>,
    total: Weight,
    sets: Vec<KeptSet>,
    rolls: Vec<HandRoll>,
}

/// Dice that are kept.
#[derive(Clone, PartialEq, Eq, Hash)]
struct KeptSet {
    /// Ascending.
    faces: Vec<u32>,
    /// By kind: how many.
    of_kind: Vec<u32>,
}

struct HandRoll {
    faces: Vec<u32>,
    weight: Weight,
    /// The sets of its dice, each once, as indices of those of the hand.
    sets: Vec<u32>,
}

impl Hand {
    fn new(rules: &Rules, left: &[i64]) -> Self {
        let mut total = 1;
        let mut all: Vec<(Vec<(usize, u32)>, Weight)> = vec![(Vec::new(), 1)];
        for (kind, (dice, left)) in rules.hand.iter().zip(left).enumerate() {
            total *= (0..*left).map(|_| dice.die.total()).product::<Weight>();
            let mut sorted = SortedRolls::new(dice.die.clone());
            let mut longer = Vec::new();
            for (roll, weight) in &all {
                for (faces, count) in sorted.of(*left as u32) {
                    let mut roll = roll.clone();
                    roll.extend(faces.iter().map(|face| (kind, *face)));
                    longer.push((roll, weight * count));
                }
            }
            all = longer;
        }
        let mut hand = Self { left: left.to_vec(), total, sets: Vec::new(), rolls: Vec::new() };
        let mut numbers: HashMap<Vec<(usize, u32)>, u32> = HashMap::new();
        for (roll, weight) in all {
            let mut sets: Vec<u32> = Vec::new();
            for marks in 1u32..1 << roll.len() {
                let marked = roll.iter().enumerate().filter(|(die, _)| marks >> die & 1 == 1);
                let dice: Vec<(usize, u32)> =
                    marked.map(|(_, kind_and_face)| *kind_and_face).collect();
                let next = hand.sets.len() as u32;
                let number = *numbers.entry(dice.clone()).or_insert(next);
                if number == next {
                    hand.sets.push(KeptSet::new(&dice, left.len()));
                }
                sets.push(number);
            }
            sets.sort_unstable();
            sets.dedup();
            let faces = roll.into_iter().map(|(_, face)| face).collect();
            hand.rolls.push(HandRoll { faces, weight, sets });
        }
        hand
    }
}

impl KeptSet {
    fn new(dice: &[(usize, u32)], kinds: usize) -> Self {
        let mut faces: Vec<u32> = dice.iter().map(|(_, face)| *face).collect();
        faces.sort_unstable();
        let mut of_kind = vec![0; kinds];
        dice.iter().for_each(|(kind, _)| of_kind[*kind] += 1);
        Self { faces, of_kind }
    }
}

/// Rolls that the rules do not distinguish, and the values of the pattern variables for them.
type RollClass = (RollCount, Vec<(Variable, i64)>);

impl<'a> Distributions<'a> {
    pub fn new(rules: &'a Rules, states: &'a States) -> Self {
        use Variable as V;
        let known_at_totals = VariableSet::of(&[
            V::SCORE,
            V::OPPONENT,
            V::SCORE_BEFORE,
            V::OPPONENT_BEFORE,
            V::GOAL,
            V::MAX_DICE,
        ]);
        let on_totals: Vec<Variable> = rules
            .read_by(&Hook::ON_TOTALS)
            .iter()
            .filter(|variable| !known_at_totals.holds(*variable))
            .collect();
        let next = rules.memories.iter().map(|memory| memory.next().reads());
        let always = next.fold(
            rules.read_by(&[Hook::Points]).union(VariableSet::of(&on_totals)),
            VariableSet::union,
        );
        let before = VariableSet::of(&[V::SCORE, V::OPPONENT]).union(rules.vocabulary().memories());
        let with_dice = [Hook::Keep, Hook::Worth, Hook::Bust, Hook::FacePoints];
        let read = always.union(rules.read_by(&[Hook::Keep, Hook::Worth, Hook::Bust]));
        let bust = rules.read_by(&[Hook::Bust]);
        Self {
            rules,
            states,
            memory: rules.vocabulary().memories().iter().collect(),
            decides: [
                rules.read_by(&[Hook::ZeroDice]).union(always).and(before).iter().collect(),
                rules.read_by(&with_dice).union(always).and(before).iter().collect(),
            ],
            on_totals,
            detail: Detail {
                sum_with_ones: bust.holds(V::SUM),
                number_of_ones: bust.holds(V::ONES_ROLLED),
            },
            known: HashMap::new(),
            numbers: HashMap::new(),
            distributions: Vec::new(),
            context_numbers: HashMap::new(),
            totals: Totals { rules: rules.clone(), contexts: Vec::new() },
            patterns: always.union(bust).and(VariableSet::patterns()),
            sorted: HashMap::new(),
            rolls: HashMap::new(),
            reads_shown: (1..=FACES_COUNTED).any(|face| read.holds(V::shown(face))),
            hands: HashMap::new(),
        }
    }

    /// Returns the variables of the memories, in the order of [`Position::memory`].
    pub fn memory(&self) -> &[Variable] {
        &self.memory
    }

    /// Returns all distributions by number, and the rules on totals with their contexts.
    pub fn into_parts(self) -> (Vec<Distribution>, Totals) {
        (self.distributions, self.totals)
    }

    /// Returns the distribution of a number.
    pub fn get(&self, number: u32) -> &Distribution {
        &self.distributions[number as usize]
    }

    /// Returns the rules on totals, with the contexts of the distributions so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the number of the distribution of a request for `request` dice in a position.
    pub fn distribution(&mut self, position: &Position, request: i32) -> Result<u32, CheckError> {
        let mut scope = self.scope(position);
        let mut dice = i64::from(request);
        scope.set(Variable::DICE, dice);
        for (rule, formula) in self.rules.hooked(Hook::MaxDice) {
            dice = dice.min(self.value(&scope, rule, formula)?.max(0));
        }
        for (rule, formula) in self.rules.hooked(Hook::MinDice) {
            match self.value(&scope, rule, formula)?.min(self.rules.max_dice.into()) {
                none if none <= 0 => {}
                least => dice = dice.max(least),
            }
        }
        scope.set(Variable::DICE, dice);
        if dice > 0 && self.rules.keeps_dice() {
            return self.of_hand(scope);
        }
        let die = if dice > 0 { Some(self.die(&scope)?) } else { None };
        let mut key = vec![dice, die.as_ref().map_or(i64::MIN, |(code, _)| *code)];
        key.extend(self.decides[usize::from(dice > 0)].iter().map(|variable| scope.get(*variable)));
        if let Some(number) = self.known.get(&key) {
            return Ok(*number);
        }
        let distribution = match die {
            None => self.without_dice(scope)?,
            Some((_, die)) => self.with_dice(scope, die, dice as u32)?,
        };
        let number = self.number(distribution);
        self.known.insert(key, number);
        Ok(number)
    }

    fn number(&mut self, distribution: Distribution) -> u32 {
        let next = self.distributions.len() as u32;
        let number = *self.numbers.entry(distribution.clone()).or_insert(next);
        if number == next {
            self.distributions.push(distribution);
        }
        number
    }

    /// The number of the distribution of a roll of the dice left of a hand.
    fn of_hand(&mut self, scope: Scope) -> Result<u32, CheckError> {
        let memories: Vec<Variable> = (0..self.rules.hand.len())
            .map(|kind| Variable::memory(self.rules.memory_of_kind(kind)))
            .collect();
        let mut left: Vec<i64> = memories.iter().map(|memory| scope.get(*memory)).collect();
        if left.iter().all(|left| *left == 0) {
            // Turns never leave an empty hand: it stands for a whole one.
            left = self.rules.hand.iter().map(|dice| dice.count.into()).collect();
        }
        let mut key = vec![1, i64::MIN];
        key.extend(&left);
        key.extend(self.decides[1].iter().map(|variable| scope.get(*variable)));
        if let Some(number) = self.known.get(&key) {
            return Ok(*number);
        }
        let hand = match self.hands.get(&left) {
            Some(known) => Arc::clone(known),
            None => {
                let hand = Arc::new(Hand::new(self.rules, &left));
                self.hands.insert(left, Arc::clone(&hand));
                hand
            }
        };
        let distribution = self.kept(scope, &hand)?;
        let number = self.number(distribution);
        self.known.insert(key, number);
        Ok(number)
    }

    /// Evaluates all sets of dice that may be kept of each roll of a hand.
    fn kept(&mut self, scope: Scope, hand: &Hand) -> Result<Distribution, CheckError> {
        // By roll, or of the first roll if no rule reads what was rolled, and by set.
        let mut known: HashMap<(usize, u32), Option<Scored>> = HashMap::new();
        let mut rolls: BTreeMap<Vec<Outcome>, Weight> = BTreeMap::new();
        for (at, roll) in hand.rolls.iter().enumerate() {
            let of = if self.reads_shown { at } else { 0 };
            let mut options = Vec::new();
            for set in &roll.sets {
                let scored = match known.get(&(of, *set)) {
                    Some(scored) => *scored,
                    None => {
                        let kept = &hand.sets[*set as usize];
                        let scored = self.of_kept(&scope, &roll.faces, kept, &hand.left)?;
                        known.insert((of, *set), scored);
                        scored
                    }
                };
                options.extend(
                    scored.map(|Scored { points, context, memories, .. }| {
                        (points, context, memories)
                    }),
                );
            }
            options.sort_unstable();
            options.dedup();
            if options.is_empty() {
                let nothing =
                    KeptSet { faces: Vec::new(), of_kind: vec![0; self.rules.hand.len()] };
                let bust = self.of_kept(&scope, &roll.faces, &nothing, &hand.left)?;
                options.extend(bust.map(|bust| (bust.points, bust.context, bust.memories)));
            }
            *rolls.entry(options).or_insert(0) += roll.weight;
        }
        Ok(Distribution::of_choices(hand.total, &rolls))
    }

    /// Evaluates a roll of which some dice are kept; `None` if these may not be.
    fn of_kept(
        &mut self,
        scope: &Scope,
        faces: &[u32],
        kept: &KeptSet,
        in_hand: &[i64],
    ) -> Result<Option<Scored>, CheckError> {
        let mut scope = scope.clone();
        let shown = patterns(&kept.faces, VariableSet::patterns());
        shown.into_iter().for_each(|(variable, value)| scope.set(variable, value));
        for face in 1..=FACES_COUNTED {
            let dice = faces.iter().filter(|shown| **shown == u32::from(face)).count();
            scope.set(Variable::shown(face), dice as i64);
        }
        let mut left = 0;
        for (kind, kept) in kept.of_kind.iter().enumerate() {
            let of_kind = in_hand[kind] - i64::from(*kept);
            scope.set(Variable::left_of(kind), of_kind);
            left += of_kind;
        }
        scope.set(Variable::DICE, faces.len() as i64);
        scope.set(Variable::KEPT, kept.faces.len() as i64);
        scope.set(Variable::LEFT, left);
        scope.set(Variable::SUM, kept.faces.iter().map(|face| i64::from(*face)).sum());
        scope.set(Variable::BUSTED, kept.faces.is_empty().into());
        let hook = if kept.faces.is_empty() { Hook::Bust } else { Hook::Worth };
        for (rule, formula) in self.rules.hooked(Hook::Keep) {
            if hook == Hook::Worth && self.value(&scope, rule, formula)? != 1 {
                return Ok(None);
            }
        }
        let points = match self.rules.hooked(hook).next() {
            Some((rule, formula)) => self.value(&scope, rule, formula)?,
            None => 0,
        };
        self.scored(&mut scope, points).map(Some)
    }

    fn scope(&self, position: &Position) -> Scope {
        let mut scope = Scope::default();
        scope.set(Variable::SCORE, i64::from(position.score));
        scope.set(Variable::OPPONENT, i64::from(position.opponent));
        scope.set(Variable::GOAL, i64::from(self.rules.goal));
        scope.set(Variable::MAX_DICE, i64::from(self.rules.max_dice));
        for (variable, value) in self.memory.iter().zip(&position.memory) {
            scope.set(*variable, *value);
        }
        scope
    }

    /// Returns the value of the die's formula, and the die.
    fn die(&self, scope: &Scope) -> Result<(i64, Die), CheckError> {
        let Some((rule, formula)) = self.rules.hooked(Hook::Die).next() else {
            return Ok((
                6,
                Die::fair(6).map_err(|error| self.fault(scope, None, error.to_string()))?,
            ));
        };
        let code = self.value(scope, rule, formula)?;
        let die = formula.die_weights(code).map_or_else(|| Die::fair(code), Die::weighted);
        Ok((code, die.map_err(|error| self.fault(scope, Some(rule), error.to_string()))?))
    }

    fn without_dice(&mut self, mut scope: Scope) -> Result<Distribution, CheckError> {
        let rule = self.rules.hooked(Hook::ZeroDice).next();
        let points = rule.map_or(Ok(0), |(rule, formula)| self.value(&scope, rule, formula))?;
        let scored = self.scored(&mut scope, points)?;
        let scored = vec![Scored { weight: 1, ..scored }];
        Ok(Distribution { total: 1, scored, menus: Menus::default() })
    }

    fn with_dice(
        &mut self,
        mut scope: Scope,
        die: Die,
        dice: u32,
    ) -> Result<Distribution, CheckError> {
        let total = die.rolls(dice).ok().filter(|total| *total <= hog_rules::limits::ROLLS);
        let total = total.ok_or_else(|| {
            self.fault(&scope, None, format!("{dice} dice have more than 2^112 rolls"))
        })?;
        let bonus = self.bonus(&mut scope, &die)?;
        let mut weights: BTreeMap<(u32, u32, [NextMemories; 2]), Weight> = BTreeMap::new();
        let outcomes = self
            .roll_classes(die, bonus, dice)
            .map_err(|message| self.fault(&scope, None, message))?;
        for (outcome, shown) in outcomes.iter() {
            shown.iter().for_each(|(variable, value)| scope.set(*variable, *value));
            scope.set(Variable::ONES_ROLLED, i64::from(outcome.ones));
            scope.set(Variable::SUM, i64::from(outcome.sum));
            scope.set(Variable::BUSTED, i64::from(outcome.ones > 0));
            let rolled = if outcome.ones > 0 { self.bust(&scope)? } else { i64::from(outcome.sum) };
            let points = rolled.saturating_add(outcome.bonus);
            let scored = self.scored(&mut scope, points)?;
            *weights.entry((scored.points, scored.context, scored.memories)).or_insert(0) +=
                outcome.count;
        }
        let groups = weights.into_iter();
        let scored = groups.map(|((points, context, memories), weight)| Scored {
            points,
            context,
            memories,
            weight,
        });
        Ok(Distribution { total, scored: scored.collect(), menus: Menus::default() })
    }

    /// Returns the extra points of each face; empty if no rule gives any.
    fn bonus(&self, scope: &mut Scope, die: &Die) -> Result<Vec<i64>, CheckError> {
        let mut bonus = Vec::new();
        for (rule, formula) in self.rules.hooked(Hook::FacePoints) {
            bonus.resize(die.sides(), 0i64);
            for (face, extra) in (1u32..).zip(&mut bonus).filter(|(face, _)| die.weight(*face) > 0)
            {
                scope.set(Variable::FACE, i64::from(face));
                *extra = extra.saturating_add(self.value(scope, rule, formula)?);
                if !(-limits::POINTS..=limits::POINTS).contains(extra) {
                    return Err(self.fault(
                        scope,
                        Some(rule),
                        format!("the face {face} brings {extra} points"),
                    ));
                }
            }
        }
        Ok(bonus)
    }

    /// Returns the rolls, grouped by what the rules distinguish, with the pattern variables that
    /// the formulas read.
    fn roll_classes(
        &mut self,
        die: Die,
        bonus: Vec<i64>,
        dice: u32,
    ) -> Result<Arc<[RollClass]>, String> {
        let key = (die, bonus, dice);
        if let Some(known) = self.rolls.get(&key) {
            return Ok(known.clone());
        }
        let outcomes: Arc<[RollClass]> = if self.patterns.is_empty() {
            let mut all =
                key.0.outcomes(dice, &key.1, self.detail).map_err(|error| error.to_string())?;
            all.pop().unwrap_or_default().into_iter().map(|roll| (roll, Vec::new())).collect()
        } else {
            let sorted = self
                .sorted
                .entry(key.0.clone())
                .or_insert_with_key(|die| SortedRolls::new(die.clone()));
            let mut classes = Vec::new();
            for (roll, count) in sorted.of(dice) {
                let ones = roll.iter().filter(|face| **face == 1).count() as u32;
                let bonus = roll.iter().filter_map(|face| key.1.get(*face as usize - 1)).sum();
                let counted = RollCount { ones, sum: roll.iter().sum(), bonus, count: *count };
                classes.push((counted, patterns(roll, self.patterns)));
            }
            classes.into()
        };
        self.rolls.insert(key, outcomes.clone());
        Ok(outcomes)
    }

    fn bust(&self, scope: &Scope) -> Result<i64, CheckError> {
        self.rules
            .hooked(Hook::Bust)
            .next()
            .map_or(Ok(1), |(rule, formula)| self.value(scope, rule, formula))
    }

    /// Evaluates the turn from `rolled` points up to the rules on totals; the outcome's weight is
    /// left 0.
    fn scored(&mut self, scope: &mut Scope, rolled: i64) -> Result<Scored, CheckError> {
        scope.set(Variable::ROLLED, rolled);
        let mut points = self.in_range(scope, None, rolled)?;
        for (rule, formula) in self.rules.hooked(Hook::Points) {
            scope.set(Variable::POINTS, points);
            points = self.in_range(scope, Some(rule), self.value(scope, rule, formula)?)?;
        }
        scope.set(Variable::POINTS, points);
        let memories = [self.next_memories(scope, false)?, self.next_memories(scope, true)?];
        let values: Vec<i64> = self.on_totals.iter().map(|variable| scope.get(*variable)).collect();
        let next = self.totals.contexts.len() as u32;
        let context = *self.context_numbers.entry(values.clone()).or_insert(next);
        if context == next {
            self.totals.contexts.push(self.on_totals.iter().copied().zip(values).collect());
        }
        Ok(Scored { points: points as u32, context, memories, weight: 0 })
    }

    fn in_range(&self, scope: &Scope, rule: Option<usize>, points: i64) -> Result<i64, CheckError> {
        if (0..=limits::POINTS).contains(&points) {
            return Ok(points);
        }
        Err(self.fault(scope, rule, format!("the points of a turn are {points}")))
    }

    /// Evaluates the memories after the turn, as the game numbers them.
    fn next_memories(&self, scope: &mut Scope, again: bool) -> Result<NextMemories, CheckError> {
        if self.memory.is_empty() {
            return Ok(NextMemories { mover: 0, shared: 0 });
        }
        scope.set(Variable::AGAIN, again.into());
        let mut memory: Vec<i64> =
            self.memory.iter().map(|variable| scope.get(*variable)).collect();
        for (index, definition) in self.rules.memories.iter().enumerate() {
            let next =
                definition.next().value(scope).filter(|value| (0..=definition.max).contains(value));
            let Some(next) = next else {
                let fault = format!("the memory `{}` leaves its range", definition.name);
                return Err(self.fault(scope, None, fault));
            };
            if let Some(slot) =
                self.memory.iter().position(|variable| *variable == Variable::memory(index))
            {
                memory[slot] = next;
            }
        }
        let (_, mover, shared) =
            memory_indices(self.states, &Position { score: 0, opponent: 0, memory });
        Ok(NextMemories { mover: mover as u32, shared: shared as u32 })
    }

    fn value(&self, scope: &Scope, rule: usize, formula: &Formula) -> Result<i64, CheckError> {
        formula.value(scope).ok_or_else(|| {
            self.fault(scope, Some(rule), format!("`{}` has no value", formula.source()))
        })
    }

    fn fault(&self, scope: &Scope, rule: Option<usize>, fault: String) -> CheckError {
        let named = rule
            .and_then(|rule| self.rules.rules.get(rule))
            .map_or("of the dice", |rule| &rule.name);
        CheckError::Rule {
            rule: named.to_owned(),
            score: scope.get(Variable::SCORE),
            opponent: scope.get(Variable::OPPONENT),
            fault,
        }
    }
}

/// Returns the game's numbers of a position's memories: the opponent's, the mover's and the shared
/// ones.
pub(super) fn memory_indices(states: &States, position: &Position) -> (usize, usize, usize) {
    let space = states.space();
    let place = states.state(position) % space.per_cell();
    (place / space.mine % space.mine, place % space.mine, place / space.mine / space.mine)
}
