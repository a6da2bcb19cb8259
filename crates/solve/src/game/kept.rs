//! The rolls of a hand of dice, and the sets of dice that may be kept of each.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::FixedState;

use crate::dice::{Detail, Feature, Weight};
use crate::limits;
use crate::rules::formula::{FACES_COUNTED, Scope, Variable, VariableSet};
use crate::rules::limits::ROLLS;
use crate::rules::{Hook, Place, Rules};
use crate::turn::{left_in, of_a_roll, show_kept};

use super::failure::{FaultLog, Logged};
use super::{Distribution, End, Game, Keep, Plan, Position, Successor, TurnResult};

/// A hand of which dice are kept, where the rules say which.
pub(super) struct Hand {
    /// The number of dice that are rolled.
    pub dice: i64,
    /// The sets of dice that may be kept, or none where none may: for each the values of
    /// [`KeptDice::variables`]. Rolls of the same set are one case, unless rules read what was
    /// rolled.
    pub cases: Vec<Vec<i64>>,
    /// For each roll the cases to choose from, and the number of its rolls.
    pub rolls: Vec<(Vec<u32>, Weight)>,
    pub total: Weight,
}

/// The hands seen so far, by the dice left and what else the rules on keeping read.
pub(super) struct KeptDice {
    /// The variables of a roll and its dice kept that rules read.
    pub variables: Vec<Variable>,
    /// What the rule on keeping reads besides.
    read_before: Vec<Variable>,
    /// Whether rules read what was rolled.
    sees_shown: bool,
    hands: HashMap<Vec<i64>, Rc<Hand>, FixedState>,
}

fn refused(log: &FaultLog, message: String) -> Logged {
    let fix = "take fewer dice, fewer kinds of them, or lower weights".to_owned();
    log.add(Place::File, || (message, fix))
}

impl KeptDice {
    /// `reads` are the variables that any rule reads.
    pub fn new(rules: &Rules, reads: VariableSet) -> Self {
        let of_roll = of_a_roll()
            .union(VariableSet::of(&[Variable::DICE]))
            .without(VariableSet::of(&[Variable::POINTS, Variable::ROLLED]));
        let keep = rules.hooked(Hook::Keep).map(|(_, formula)| formula.reads());
        let keep = keep.fold(VariableSet::NONE, VariableSet::union);
        let shown: Vec<Variable> = (1..=FACES_COUNTED).map(Variable::shown).collect();
        // Whether the roll busts is needed in any case.
        let variables = reads.and(of_roll).union(VariableSet::of(&[Variable::BUSTED]));
        Self {
            variables: variables.iter().collect(),
            read_before: keep.without(of_roll).iter().collect(),
            sees_shown: !reads.is_disjoint(VariableSet::of(&shown)),
            hands: HashMap::default(),
        }
    }

    /// Whether hands were seen, and no dice of any of their rolls may be kept.
    pub fn keeps_nothing(&self) -> bool {
        let busted = self.variables.iter().position(|variable| *variable == Variable::BUSTED);
        let busted = busted.expect("it is always read");
        let mut cases = self.hands.values().flat_map(|hand| &hand.cases);
        !self.hands.is_empty() && cases.all(|case| case[busted] == 1)
    }

    /// The hand that is left in a scope.
    pub fn hand(
        &mut self,
        rules: &Rules,
        scope: &Scope,
        log: &FaultLog,
    ) -> Result<Rc<Hand>, Logged> {
        let left = left_in(rules, scope);
        let mut key: Vec<i64> = left.iter().map(|left| i64::from(*left)).collect();
        key.extend(self.read_before.iter().map(|variable| scope.get(*variable)));
        if let Some(known) = self.hands.get(&key) {
            return Ok(Rc::clone(known));
        }
        let hand = Rc::new(self.new_hand(rules, &left, scope, log)?);
        self.hands.insert(key, Rc::clone(&hand));
        Ok(hand)
    }

    fn new_hand(
        &self,
        rules: &Rules,
        left: &[u32],
        scope: &Scope,
        log: &FaultLog,
    ) -> Result<Hand, Logged> {
        let mut kinds = Vec::new();
        let mut total: Weight = 1;
        let mut sets: u64 = 1;
        for (kind, (of_kind, left)) in rules.hand.iter().zip(left).enumerate() {
            kinds.extend((0..*left).map(|_| kind));
            let rolls = of_kind.die.rolls(*left).ok().and_then(|rolls| rolls.checked_mul(total));
            let Some(rolls) = rolls.filter(|rolls| *rolls <= ROLLS) else {
                return Err(refused(log, "the dice of the hand have more than 2^112 rolls".into()));
            };
            total = rolls;
            let shown = of_kind.die.multisets(*left).unwrap_or(u64::MAX);
            sets = sets.saturating_mul(shown).saturating_mul(1 << left);
        }
        if sets > limits::KEPT_SETS {
            let message = format!(
                "the dice of the hand show about {:.0e} different rolls with sets of dice to keep, \
                 more than the {:.0e} that can be enumerated",
                sets as f64,
                limits::KEPT_SETS as f64
            );
            return Err(refused(log, message));
        }
        let mut cases =
            Cases { of: self, rules, kinds: &kinds, scope, log, known: HashMap::default() };
        let mut hand =
            Hand { dice: kinds.len() as i64, cases: Vec::new(), rolls: Vec::new(), total };
        for (faces, weight) in rolls(rules, left) {
            let options = cases.of_roll(&faces, &mut hand.cases)?;
            hand.rolls.push((options, weight));
        }
        Ok(hand)
    }
}

/// All rolls of the dice left of a hand, kind by kind with ascending faces, and their weights.
fn rolls(rules: &Rules, left: &[u32]) -> Vec<(Vec<u32>, Weight)> {
    let mut all = vec![(Vec::new(), 1)];
    for (of_kind, left) in rules.hand.iter().zip(left) {
        let sides = of_kind.die.sides() as u32;
        let features: Vec<Feature> = (1..=sides).map(Feature::Count).collect();
        let shown = of_kind.die.patterns(*left, &[], Detail::LEAST, &features);
        let shown = shown.expect("the rolls were counted");
        let mut longer = Vec::with_capacity(all.len() * shown.len());
        for (faces, weight) in &all {
            for pattern in &shown {
                let mut faces: Vec<u32> = faces.clone();
                for (face, dice) in (1..).zip(&pattern.features) {
                    faces.extend((0..*dice).map(|_| face));
                }
                longer.push((faces, weight * pattern.roll.count));
            }
        }
        all = longer;
    }
    all
}

/// What a player who keeps dice makes of an outcome: where it leads, and what that is worth.
#[derive(Clone, Copy)]
pub struct KeptOutcome {
    worth: f64,
    to: Successor,
}

impl KeptOutcome {
    /// An outcome that leads to a successor, by the worth that a plan gives to states.
    fn by(plan: &Plan, to: Successor) -> Self {
        let worth = plan.worth().expect("the plan says what it keeps");
        Self { worth: to.value(worth, worth), to }
    }

    /// Whether it is taken rather than another: if it is worth more, of equals the first state.
    #[inline]
    fn is_before(self, other: Self) -> bool {
        self.worth > other.worth || (self.worth == other.worth && self.to < other.to)
    }
}

/// The index of the outcome that is taken.
#[inline]
fn first_of(mut outcomes: impl Iterator<Item = KeptOutcome>) -> usize {
    let mut first = 0;
    let mut best = outcomes.next().expect("there is a choice");
    for (index, next) in (1..).zip(outcomes) {
        if next.is_before(best) {
            best = next;
            first = index;
        }
    }
    first
}

/// The option of a menu that is taken, given all outcomes of the distribution.
#[inline]
pub(crate) fn taken(options: &[u16], outcomes: &[KeptOutcome]) -> usize {
    let first = first_of(options.iter().map(|option| outcomes[usize::from(*option)]));
    usize::from(options[first])
}

impl Game {
    /// What a plan makes of the outcomes of a distribution from a state.
    ///
    /// # Panics
    /// Panics if the plan does not say which dice it keeps.
    pub(crate) fn kept_outcomes(
        &self,
        plan: &Plan,
        state: usize,
        distribution: &Distribution,
    ) -> Vec<KeptOutcome> {
        let outcomes = distribution.outcomes.iter();
        outcomes.map(|outcome| KeptOutcome::by(plan, self.successor(state, outcome))).collect()
    }

    /// The outcome that a plan keeps dice for, of the options of a menu; all are indices of the
    /// outcomes of the distribution.
    ///
    /// # Panics
    /// Panics if the plan does not say which dice it keeps.
    pub fn kept_by(
        &self,
        plan: &Plan,
        state: usize,
        distribution: &Distribution,
        options: &[u16],
    ) -> usize {
        let first = first_of(options.iter().map(|option| {
            let outcome = &distribution.outcomes[usize::from(*option)];
            KeptOutcome::by(plan, self.successor(state, outcome))
        }));
        usize::from(options[first])
    }

    /// The index of the dice that a plan keeps, of those that may be kept of a roll.
    ///
    /// # Panics
    /// Panics if the plan does not say which dice it keeps.
    pub fn best_keep(&self, plan: &Plan, keeps: &[Keep]) -> usize {
        first_of(keeps.iter().map(|keep| KeptOutcome::by(plan, self.after(&keep.turn))))
    }

    /// Where a turn has led.
    pub fn after(&self, turn: &TurnResult) -> Successor {
        match Position::after(&self.rules, turn) {
            Some(next) => Successor::Next { to: self.state(&next), again: turn.again },
            None => Successor::End(match turn.score.cmp(&turn.opponent) {
                Ordering::Greater => End::Won,
                Ordering::Equal => End::Tied,
                Ordering::Less => End::Lost,
            }),
        }
    }

    /// The successors of a state under an action, each with its weight, where the mover keeps the
    /// dice after which the state is worth most, of several the first state.
    pub fn successors_kept(
        &self,
        state: usize,
        action: usize,
        worth: impl Fn(Successor) -> f64,
    ) -> impl Iterator<Item = (Weight, Successor)> {
        let distribution = self.distribution(state, action);
        let mut kept = Vec::with_capacity(distribution.menus.len());
        if !distribution.menus.is_empty() {
            let mut outcomes = Vec::with_capacity(distribution.outcomes.len());
            for (_, to) in self.weighted_successors(state, action) {
                outcomes.push(KeptOutcome { worth: worth(to), to });
            }
            for (weight, options) in distribution.menus.iter() {
                kept.push((weight, outcomes[taken(options, &outcomes)].to));
            }
        }
        let certain = self.weighted_successors(state, action).filter(|(weight, _)| *weight > 0);
        certain.chain(kept)
    }

    /// The chance that an action passes the turn to the opponent whatever the mover keeps.
    pub fn chance_to_pass(&self, state: usize, action: usize) -> f64 {
        let mut passing: Weight = 0;
        for (weight, to) in self.weighted_successors(state, action) {
            if matches!(to, Successor::Next { again: false, .. }) {
                passing += weight;
            }
        }
        passing as f64 / self.distribution(state, action).total as f64
    }

    /// The successors of a state under a plan, each with its weight.
    ///
    /// # Panics
    /// Panics if dice are kept and the plan does not say which.
    pub fn successors_by(
        &self,
        plan: &Plan,
        state: usize,
    ) -> impl Iterator<Item = (Weight, Successor)> {
        self.successors_kept(state, plan.action(state), |to| {
            let worth = plan.worth().expect("the plan says what it keeps");
            to.value(worth, worth)
        })
    }

    /// Whether a turn by a plan may lead to a successor as wanted; if the plan does not say which
    /// dice it keeps, whichever it keeps.
    pub(super) fn may_lead(
        &self,
        plan: &Plan,
        state: usize,
        wanted: impl Fn(Successor) -> bool,
    ) -> bool {
        let distribution = self.distribution(state, plan.action(state));
        let mut certain = distribution.outcomes.iter().filter(|outcome| outcome.weight > 0);
        if certain.any(|outcome| wanted(self.successor(state, outcome))) {
            return true;
        }
        if distribution.menus.is_empty() {
            return false;
        }
        if plan.worth().is_some() {
            let outcomes = self.kept_outcomes(plan, state, distribution);
            let mut menus = distribution.menus.iter();
            return menus.any(|(_, options)| wanted(outcomes[taken(options, &outcomes)].to));
        }
        distribution.menus.iter().any(|(_, options)| {
            options.iter().all(|option| {
                wanted(self.successor(state, &distribution.outcomes[usize::from(*option)]))
            })
        })
    }
}

/// The cases of a hand while they are found: by kinds and faces of the dice kept (and of all dice,
/// if rules read these), `None` if these may not be kept.
struct Cases<'c> {
    of: &'c KeptDice,
    rules: &'c Rules,
    kinds: &'c [usize],
    scope: &'c Scope,
    log: &'c FaultLog<'c>,
    known: HashMap<Vec<u16>, Option<u32>, FixedState>,
}

impl Cases<'_> {
    /// The cases to choose from after a roll; new ones are appended to `cases`.
    fn of_roll(&mut self, faces: &[u32], cases: &mut Vec<Vec<i64>>) -> Result<Vec<u32>, Logged> {
        let mut options = Vec::new();
        let mut kept = vec![false; faces.len()];
        for set in 1..1u32 << faces.len() {
            let mut is_first = true;
            for die in 0..faces.len() {
                kept[die] = set >> die & 1 == 1;
                // Of equal dice the first ones are kept.
                let is_equal = die > 0
                    && faces[die] == faces[die - 1]
                    && self.kinds[die] == self.kinds[die - 1];
                is_first &= !(is_equal && kept[die] && !kept[die - 1]);
            }
            if is_first {
                options.extend(self.number(faces, &kept, cases)?);
            }
        }
        if options.is_empty() {
            kept.fill(false);
            options.extend(self.number(faces, &kept, cases)?);
        }
        Ok(options)
    }

    fn number(
        &mut self,
        faces: &[u32],
        kept: &[bool],
        cases: &mut Vec<Vec<i64>>,
    ) -> Result<Option<u32>, Logged> {
        let mut key = Vec::with_capacity(2 * faces.len());
        for die in (0..faces.len()).filter(|die| kept[*die]) {
            key.push((self.kinds[die] * 32) as u16 + faces[die] as u16);
        }
        if self.of.sees_shown {
            key.push(u16::MAX);
            key.extend(faces.iter().map(|face| *face as u16));
        }
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let mut scope = self.scope.clone();
        show_kept(&mut scope, self.rules, faces, self.kinds, kept);
        let is_allowed = !kept.contains(&true) || self.may_keep(&scope)?;
        let number = is_allowed.then_some(cases.len() as u32);
        if is_allowed {
            cases.push(self.of.variables.iter().map(|variable| scope.get(*variable)).collect());
        }
        self.known.insert(key, number);
        Ok(number)
    }

    fn may_keep(&self, scope: &Scope) -> Result<bool, Logged> {
        let (rule, formula) = self.rules.hooked(Hook::Keep).next().expect("dice are kept");
        let value = formula.value(scope);
        let place = Place::Hook(rule, Hook::Keep);
        value.map(|value| value == 1).ok_or_else(|| self.log.no_value(place, formula, scope))
    }
}
