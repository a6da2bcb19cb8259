//! The proof of bounds on the errors of values, however they were found.
//!
//! Let x be the movers' values, and let `U = x + above` and `L = x - below` be claimed. If no
//! choice of a node is worth more than U where the mover's own values are U and the other player's
//! are L, and strictly less wherever U is below the value of endless play, then U bounds the true
//! values: under any play of the mover, against the choices of the other player that reach L, U is
//! a supermartingale and falls by a certain least amount wherever endless play would be better than
//! it, so that no play stays there for ever. Likewise, if *some* choice is worth at least L where
//! the values are the other way round, strictly wherever L is above the value of endless play, then
//! L bounds them from below. (Interval iteration: Baier et al. 2017; for games Kelmendi, Kramer,
//! Kretinsky and Weininger 2018.)
//!
//! What is rounded while these means are computed, and the errors of the values of leaving, count
//! against the bounds. A choice that leads to one value alone needs no rounding, so it costs
//! nothing where no margin is needed: loops of such choices, as where both players pass for ever,
//! are proven too.
//!
//! The bounds are looked for in two ways: by sweeps that raise errors from 0, and as the solution
//! of the linear system `error = cost + P error` under the choices that bind. Either is a guess
//! until each place has been checked ([`Proof::excess`]).

use std::rc::Rc;

use crate::linear::{Chain, EliminationOrder, Equations, GoOn, Number};

use super::menus::{MenuOption, MenuRoom};
use super::places::target;
use super::{Component, Unsolved, menus};

/// By node: bounds on the errors below and above, in units of the values' numbers.
type Errors = Vec<[f64; 2]>;

/// The margin by which bounds are strict, in units.
const MARGIN: f64 = 4.0;
/// Whether the sweeps that raise errors suffice is tried once in so many.
const TRIED_EVERY: usize = 4;
/// When it is tried first where outcomes lead to menus, as sweeps take long there.
const FIRST_TRIED: usize = 2;
/// The most rounds that make the errors of nodes follow exactly where there is no room for
/// rounding.
const MOST_SETTLING: usize = 100;
/// The most times that errors are solved for.
const MOST_ROUNDS: usize = 40;
/// More than the rounding of a mean of errors, in units of their numbers.
const ROUNDED: f64 = 9000.0;
/// Errors are refined until no equation is off by more than this part of the margin.
const ENOUGH: f64 = 1.0 / 1024.0;

/// Returns errors found by so many sweeps at most; `None` if these do not suffice.
pub(super) fn by_sweeps<N: Number>(
    component: &Component<N>,
    values: &[N],
    sweeps: usize,
    go_on: GoOn,
) -> Result<Option<Errors>, Unsolved> {
    if !has_known_exits(component) {
        return Ok(None);
    }
    Proof::new(component, values, N::to_double, N::in_units).raised(sweeps, go_on)
}

/// Whether the errors of all values of leaving are bounded.
fn has_known_exits<N: Number>(component: &Component<N>) -> bool {
    component.leaving_error.iter().all(|error| error.is_finite())
}

/// Returns errors found by elimination, given a best choice of each node; `None` if they are not
/// proven.
pub(super) fn by_elimination<N: Number>(
    component: &Component<N>,
    values: &[N],
    policy: &[u32],
    order: Option<&Rc<EliminationOrder>>,
    go_on: GoOn,
) -> Result<Option<Errors>, Unsolved> {
    if !has_known_exits(component) {
        return Ok(None);
    }
    // Doubles suffice for the errors, unless play lasts so long that these differ too little from
    // one turn to the next.
    let in_doubles = Proof::new(component, values, N::to_double, N::in_units);
    if let Some(errors) = in_doubles.solved(policy, order, go_on)? {
        return Ok(Some(errors));
    }
    if component.as_doubles().is_some() {
        return Ok(None);
    }
    let unit = N::units(1.0);
    Proof::new(component, values, N::clone, |number| number.over(&unit))
        .solved(policy, order, go_on)
}

/// Bounds on errors, to be proven. All numbers are in units of those of the values; the bound below
/// a value is at the first place of its node, that above at the second.
struct Proof<'p, N: Number, E: Number, C> {
    component: &'p Component<N>,
    /// Converts a probability.
    chance: C,
    /// By node: how much more than endless play it is worth.
    lead: Vec<E>,
    /// By place: how far a certain loss, or win, is from the value, rounded up.
    room: Vec<E>,
    /// By choice: how much less it is worth than its node.
    loss: Vec<E>,
    /// By choice: the errors of its turn; 0 if it leads to the node's value alone.
    own: Vec<E>,
    menus: ProvenMenus<E>,
    margin: E,
    /// Factors for rounding up and down.
    more: E,
    less: E,
}

/// The menus of all choices, if there are any: those options of each that may matter, as long as no
/// error is more than [`CLOSE`].
struct ProvenMenus<E> {
    /// By choice, and the end of the last: its first menu. Empty if there are no menus.
    first: Vec<u32>,
    /// By choice: whether it has menus, and is so much worse that it binds nothing then.
    is_bad: Vec<bool>,
    menus: Vec<ProvenMenu<E>>,
    options: Vec<ProvenOption<E>>,
    /// Of the choice that is read, by target: the menu of which it is the only option, if there is
    /// one.
    only: Vec<u32>,
}

impl<E: Number> ProvenMenus<E> {
    fn new(has_menus: bool) -> Self {
        let first = if has_menus { vec![0] } else { Vec::new() };
        Self { first, is_bad: Vec::new(), menus: Vec::new(), options: Vec::new(), only: Vec::new() }
    }

    fn are_none(&self) -> bool {
        self.first.is_empty()
    }

    fn of(&self, choice: usize) -> &[ProvenMenu<E>] {
        match self.are_none() {
            true => &[],
            false => &self.menus[self.first[choice] as usize..self.first[choice + 1] as usize],
        }
    }

    /// Reads the menus of the next choice, which is worth less than its node by `short`; `factors`
    /// round down and up.
    #[expect(clippy::too_many_arguments, reason = "what all choices of a proof share")]
    fn read<'m, N: Number>(
        &mut self,
        component: &'m Component<N>,
        choice: usize,
        both: &'m [N],
        room: &mut MenuRoom<'m, N>,
        short: &N,
        factors: [&E; 2],
        chance: &impl Fn(&N) -> E,
        in_units: &impl Fn(&N) -> E,
    ) {
        if self.are_none() {
            return;
        }
        let close = N::units(CLOSE);
        let is_bad = *short > close.plus(&close).plus(&close) && component.has_menus(choice);
        self.is_bad.push(is_bad);
        if !is_bad {
            self.only.clear();
            component.each_menu(choice, both, &close, room, |of_menu, best, listed| {
                self.add(chance(of_menu), listed, |option| {
                    let short = in_units(&best.minus(option.value));
                    factors.map(|factor| short.times(factor))
                });
            });
        }
        self.first.push(self.menus.len() as u32);
    }

    /// Adds a menu. Menus with the same option alone are one.
    fn add<N: Number>(
        &mut self,
        chance: E,
        listed: &[MenuOption<N>],
        short: impl Fn(&MenuOption<N>) -> [E; 2],
    ) {
        if let [option] = listed {
            let at = usize::from(option.target);
            self.only.resize(self.only.len().max(at + 1), NO_MENU);
            if self.only[at] != NO_MENU {
                let same = &mut self.menus[self.only[at] as usize];
                same.chance = same.chance.plus(&chance);
                return;
            }
            self.only[at] = self.menus.len() as u32;
        }
        let from = self.options.len() as u32;
        for option in listed {
            self.options.push(ProvenOption {
                to: option.to.map_or(KNOWN, |to| to as u32),
                short: short(option),
                error: option.error,
            });
        }
        self.menus.push(ProvenMenu { chance, options: (from, self.options.len() as u32) });
    }
}

/// A menu: the value of its options is known, and one of them is the best.
struct ProvenMenu<E> {
    chance: E,
    options: (u32, u32),
}

/// An option of a menu.
struct ProvenOption<E> {
    /// See [`Component::steps`]; [`KNOWN`] if it leaves.
    to: u32,
    /// By how much it is worth less than the best, rounded down and up.
    short: [E; 2],
    /// Its error if it leaves.
    error: f64,
}

const KNOWN: u32 = u32::MAX;
const NO_MENU: u32 = u32::MAX;
/// Options that are worth less than the best by more units, and errors above that, are not looked
/// at.
const CLOSE: f64 = (1u64 << 22) as f64;

/// What turns add to errors, by place.
struct TurnCosts<E> {
    added: Vec<E>,
    /// Whether a turn costs nothing.
    are_free: Vec<bool>,
}

/// The choice that binds the error at a place, and the error that it requires.
struct Requirement<E> {
    choice: usize,
    required: E,
}

impl<'p, N: Number, E: Number, C: Fn(&N) -> E> Proof<'p, N, E, C> {
    /// `chance` converts a probability.
    fn new(
        component: &'p Component<N>,
        values: &[N],
        chance: C,
        in_units: impl Fn(&N) -> E,
    ) -> Self {
        let both = component.both(values);
        let rounding = E::units(ROUNDED);
        let more = E::ONE.plus(&rounding);
        let mut loss = Vec::with_capacity(component.exit.len());
        let mut own = Vec::with_capacity(component.exit.len());
        let mut lead = Vec::with_capacity(values.len());
        let mut room = Vec::with_capacity(both.len());
        let mut menus = ProvenMenus::new(component.menus.is_some());
        let mut room_of_targets = Vec::new();
        let mut room_of_menus = MenuRoom::default();
        let less = E::ONE.minus(&rounding);
        for (node, value) in values.iter().enumerate() {
            lead.push(in_units(&value.minus(&component.endless)));
            room.push(in_units(value).times(&more));
            room.push(in_units(&N::ONE.minus(value)).times(&more));
            for choice in component.choices(node) {
                let level = component.level(choice, &both);
                let of_choice = match level {
                    Some(level) => level.clone(),
                    None => component.value_by(choice, &both, &mut room_of_targets),
                };
                let is_free = level.is_some() && of_choice == *value;
                let short = value.minus(&of_choice);
                loss.push(in_units(&short));
                let of_menus = &mut room_of_menus;
                let factors = [&less, &more];
                menus.read(component, choice, &both, of_menus, &short, factors, &chance, &in_units);
                // A value is a sum of products up to 1; probabilities, products and sums are
                // rounded.
                let of_menus = menus::roundings(component.count_menus(choice));
                let of_sums = component.edges(choice).len() + of_menus;
                let roundings = (of_sums + 4) as f64;
                let of_turn = component.leaving_error[choice] + roundings;
                own.push(E::from_double(if is_free { 0.0 } else { of_turn }));
            }
        }
        Self {
            component,
            chance,
            lead,
            room,
            loss,
            own,
            menus,
            margin: E::from_double(MARGIN),
            less,
            more,
        }
    }

    /// The errors below and above that a menu requires, given the errors of all places.
    #[inline(always)]
    fn of_menu(&self, menu: &ProvenMenu<E>, errors: &[E]) -> [E; 2] {
        let [mut below, mut above] = [self.room_for_all(), E::ZERO];
        let options = menu.options.0 as usize..menu.options.1 as usize;
        for option in &self.menus.options[options] {
            let known;
            let [of_below, of_above] = match option.to {
                KNOWN => {
                    known = E::from_double(option.error);
                    [&known, &known]
                }
                to => [&errors[target(0, to as usize)], &errors[target(1, to as usize)]],
            };
            let of_below = of_below.plus(&option.short[1]);
            let of_above = of_above.minus(&option.short[0]);
            below = if of_below < below { of_below } else { below };
            above = if of_above > above { of_above } else { above };
        }
        [below, above]
    }

    /// More than any error.
    fn room_for_all(&self) -> E {
        E::from_double(CLOSE).plus(&E::from_double(CLOSE))
    }

    /// The errors that a turn by a choice adds below and above a node that has some errors already:
    /// with a margin where the bound is on the wrong side of endless play.
    #[inline(always)]
    fn cost(&self, node: usize, choice: usize, errors: &[E]) -> [E; 2] {
        let own = &self.own[choice];
        if *own > E::ZERO {
            let cost = own.plus(&self.margin);
            return [cost.clone(), cost];
        }
        let lead = &self.lead[node];
        let mut cost = [const { E::ZERO }; 2];
        if *lead > errors[2 * node] {
            cost[0] = self.margin.clone();
        }
        if lead.plus(&errors[2 * node + 1]) < E::ZERO {
            cost[1] = self.margin.clone();
        }
        cost
    }

    /// The errors below and above a node that a choice requires, given the errors of all places.
    #[inline(always)]
    fn required(&self, node: usize, choice: usize, errors: &[E]) -> [E; 2] {
        let mut below = E::ZERO;
        let mut above = E::ZERO;
        let mut most_below = E::ZERO;
        let mut most_above = E::ZERO;
        for (to, chance) in self.component.steps(choice) {
            let chance = (self.chance)(chance);
            // Above a value there is the bound of the same player above, or that of the other
            // below.
            let of_above = &errors[target(1, to)];
            let of_below = &errors[target(0, to)];
            above = above.plus(&chance.times(of_above));
            below = below.plus(&chance.times(of_below));
            most_above = if *of_above > most_above { of_above.clone() } else { most_above };
            most_below = if *of_below > most_below { of_below.clone() } else { most_below };
        }
        if self.menus.is_bad.get(choice).is_some_and(|is_bad| *is_bad) {
            return [self.room_for_all(), E::ZERO.minus(&self.room_for_all())];
        }
        for menu in self.menus.of(choice) {
            let [of_below, of_above] = self.of_menu(menu, errors);
            above = above.plus(&menu.chance.times(&of_above));
            below = below.plus(&menu.chance.times(&of_below));
            most_above = if of_above > most_above { of_above } else { most_above };
            most_below = if of_below > most_below { of_below } else { most_below };
        }
        above = self.rounded(choice, above, most_above);
        below = self.rounded(choice, below, most_below);
        let [cost_below, cost_above] = self.cost(node, choice, errors);
        let loss = &self.loss[choice];
        [
            below.plus(&cost_below).plus(&self.rounded_up(loss.clone())),
            above.plus(&cost_above).plus(&self.rounded_up(E::ZERO.minus(loss))),
        ]
    }

    /// No less than a number of which one rounding is not counted.
    #[inline(always)]
    fn rounded_up(&self, number: E) -> E {
        number.times(if number > E::ZERO { &self.more } else { &self.less })
    }

    /// A mean of errors with its rounding. Nothing else is added for a choice that costs nothing,
    /// so it gets a margin; but no mean is larger than its largest number, however these are
    /// rounded.
    #[inline(always)]
    fn rounded(&self, choice: usize, mean: E, most: E) -> E {
        let mean = mean.times(&self.more);
        let mean = if self.own[choice] > E::ZERO { mean } else { mean.plus(&self.margin) };
        if mean > most { most } else { mean }
    }

    /// The choices that bind the errors of a node: below, the one that requires least; above, the
    /// one that requires most.
    #[inline(always)]
    fn binding(&self, node: usize, errors: &[E]) -> [Requirement<E>; 2] {
        let mut choices = self.component.choices(node);
        let choice = choices.start;
        let [below, above] = self.required(node, choice, errors);
        let mut found =
            [Requirement { choice, required: below }, Requirement { choice, required: above }];
        choices.next();
        for choice in choices {
            let [below, above] = self.required(node, choice, errors);
            if below < found[0].required {
                found[0] = Requirement { choice, required: below };
            }
            if above > found[1].required {
                found[1] = Requirement { choice, required: above };
            }
        }
        found
    }

    /// The bindings of a node, each if more is required than the error at its place. Nothing is
    /// worth more than a certain win, or less than a certain loss.
    fn excess(&self, node: usize, errors: &[E]) -> [Option<Requirement<E>>; 2] {
        let [below, above] = self.binding(node, errors);
        let place = 2 * node;
        let may_grow = [place, place + 1].map(|place| errors[place] < self.room[place]);
        [
            Some(below).filter(|below| may_grow[0] && below.required > errors[place]),
            Some(above).filter(|above| may_grow[1] && above.required > errors[place + 1]),
        ]
    }

    /// Converts the errors of places to those of nodes.
    fn by_node(&self, errors: &[E]) -> Option<Errors> {
        let errors = errors.chunks(2);
        let errors: Errors =
            errors.map(|of| [&of[0], &of[1]].map(|error| error.to_double().next_up())).collect();
        let most = if self.menus.are_none() { f64::MAX } else { CLOSE };
        errors.iter().flatten().all(|error| *error <= most).then_some(errors)
    }

    /// The part of the cost of a choice that is not the error of known values, which may be large
    /// where outcomes lead to menus.
    fn cost_of_rounding(&self, node: usize, choice: usize, errors: &[E]) -> [E; 2] {
        let cost = self.cost(node, choice, errors);
        if self.menus.are_none() {
            return cost;
        }
        let known = E::from_double(self.component.leaving_error[choice]);
        cost.map(|cost| cost.minus(&known))
    }

    /// Raises errors from 0, adding the cost of each turn twice, so that few sweeps suffice.
    fn raised(&self, sweeps: usize, go_on: GoOn) -> Result<Option<Errors>, Unsolved> {
        let mut errors = vec![E::ZERO; self.room.len()];
        for sweep in 1..=sweeps {
            if !go_on() {
                return Err(Unsolved::Stopped);
            }
            for node in 0..self.lead.len() {
                let bindings = self.binding(node, &errors);
                for (side, binding) in bindings.into_iter().enumerate() {
                    let cost = &self.cost_of_rounding(node, binding.choice, &errors)[side];
                    let raised = binding.required.plus(cost);
                    if raised > errors[2 * node + side] {
                        errors[2 * node + side] = raised;
                    }
                }
            }
            let is_tried =
                sweep % TRIED_EVERY == 0 || sweep == FIRST_TRIED && !self.menus.are_none();
            if is_tried && self.settles(&mut errors, TRIED_EVERY) {
                return Ok(self.by_node(&errors));
            }
        }
        Ok(None)
    }

    /// Gives places exactly the errors that are required there, as choices without a cost have no
    /// room; returns whether all are proven after some rounds at most.
    fn settles(&self, errors: &mut [E], rounds: usize) -> bool {
        for _ in 0..rounds {
            let mut is_settled = true;
            for node in 0..self.lead.len() {
                for (side, binding) in self.excess(node, errors).into_iter().enumerate() {
                    if let Some(Requirement { required, .. }) = binding {
                        errors[2 * node + side] = required;
                        is_settled = false;
                    }
                }
            }
            if is_settled {
                return true;
            }
        }
        false
    }

    /// Returns the errors that solve the equations of the choices that bind.
    fn solved(
        &self,
        policy: &[u32],
        order: Option<&Rc<EliminationOrder>>,
        go_on: GoOn,
    ) -> Result<Option<Errors>, Unsolved> {
        let mut binding: Vec<u32> = policy.iter().flat_map(|choice| [*choice; 2]).collect();
        let mut costs = self.costs(&binding, &vec![E::ZERO; binding.len()]);
        for _ in 0..MOST_ROUNDS {
            let Some(mut errors) = self.solve(&binding, &costs, order, go_on)? else {
                return Ok(None);
            };
            let mut changed = false;
            let mut is_settled = true;
            for node in 0..self.lead.len() {
                for (side, excess) in self.excess(node, &errors).into_iter().enumerate() {
                    let Some(Requirement { choice, required }) = excess else { continue };
                    let bound = &mut binding[2 * node + side];
                    let of_bound = self.required(node, *bound as usize, &errors);
                    is_settled = false;
                    if required != of_bound[side] {
                        *bound = choice as u32;
                        changed = true;
                    }
                }
            }
            if is_settled {
                return Ok(self.by_node(&errors));
            }
            let costs_before = std::mem::replace(&mut costs, self.costs(&binding, &errors));
            if !changed && costs.added == costs_before.added {
                let is_proven = self.settles(&mut errors, MOST_SETTLING);
                return Ok(if is_proven { self.by_node(&errors) } else { None });
            }
        }
        Ok(None)
    }

    /// By place: what a turn by the choice that binds adds to the errors of those it leads to, with
    /// a second margin where it costs errors, so that there is room for rounding.
    fn costs(&self, binding: &[u32], errors: &[E]) -> TurnCosts<E> {
        let mut costs = TurnCosts { added: Vec::new(), are_free: Vec::new() };
        for (place, choice) in binding.iter().map(|choice| *choice as usize).enumerate() {
            let mut cost = self.cost(place / 2, choice, errors)[place % 2].clone();
            costs.are_free.push(cost == E::ZERO);
            if cost > E::ZERO {
                cost = cost.plus(&self.margin);
            }
            let mut targets =
                self.component.steps(choice).map(|(to, _)| &errors[target(place, to)]);
            let first = targets.next();
            if self.own[choice] == E::ZERO && targets.any(|other| Some(other) != first) {
                // See `rounded`.
                cost = cost.plus(&self.margin).plus(&self.margin);
            }
            let loss = &self.loss[choice];
            let gain = if place & 1 == 1 { E::ZERO.minus(loss) } else { loss.clone() };
            costs.added.push(if gain > E::ZERO { cost.plus(&gain) } else { cost });
        }
        costs
    }

    /// Solves for the errors under choices that bind. `None` if play never leaves by choices that
    /// cost.
    fn solve(
        &self,
        binding: &[u32],
        costs: &TurnCosts<E>,
        order: Option<&Rc<EliminationOrder>>,
        go_on: GoOn,
    ) -> Result<Option<Vec<E>>, Unsolved> {
        let mut chain = Chain::with_room(binding.len(), 4 * binding.len());
        for (place, choice) in binding.iter().map(|choice| *choice as usize).enumerate() {
            for (to, chance) in self.component.steps(choice) {
                chain.push(target(place, to), (self.chance)(chance));
            }
            chain.end_state((self.chance)(&self.component.exit[choice]));
        }
        let mut equations = Equations::new(chain, order, go_on)?;
        let mut added = costs.added.clone();
        for (place, endless) in equations.endless().iter().enumerate() {
            if *endless && !costs.are_free[place] {
                return Ok(None);
            }
            if *endless {
                // There all errors will be equal.
                added[place] = E::ZERO;
            }
        }
        let enough = E::from_double(ENOUGH * MARGIN);
        let mut errors = equations.values(added, &E::ZERO, &enough, go_on)?;
        if equations.endless().contains(&true) {
            // The errors of endless play must exceed those of other choices there.
            let nothing = vec![E::ZERO; binding.len()];
            let to_endless = equations.values(nothing, &self.margin, &enough, go_on)?;
            let Some(of_endless) = self.of_endless(equations.endless(), &errors, &to_endless)
            else {
                return Ok(None);
            };
            for (error, part) in errors.iter_mut().zip(&to_endless) {
                *error = error.plus(&part.times(&of_endless));
            }
        }
        Ok(Some(errors))
    }

    /// The error of endless play that suffices for all choices where it goes on, in margins; `None`
    /// if none does. `to_endless` are the errors if that of endless play is the margin, and no
    /// other is.
    fn of_endless(&self, endless: &[bool], errors: &[E], to_endless: &[E]) -> Option<E> {
        let mut most = E::ZERO;
        for node in (0..self.lead.len()).filter(|node| endless[2 * node + 1]) {
            for choice in self.component.choices(node) {
                let [_, required] = self.required(node, choice, errors);
                let mut away = self.margin.clone();
                for (to, chance) in self.component.steps(choice) {
                    away = away.minus(&(self.chance)(chance).times(&to_endless[target(1, to)]));
                }
                if required > E::ZERO && required > most.times(&away) {
                    if away <= E::ZERO {
                        return None;
                    }
                    most = required.plus(&required).over(&away);
                }
            }
        }
        Some(most)
    }
}
