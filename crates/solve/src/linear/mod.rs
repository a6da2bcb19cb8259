//! Absorbing Markov chains, solved in doubles, pairs of doubles or fractions.
//!
//! A [`Chain`] is what is left of a component when all choices are made. Its linear system is
//! solved in two steps ([`System`]): all states but a few *feedback* states are replaced by what
//! follows them, in an order in which each comes after the states that it leads to
//! ([`EliminationOrder`]); the few are eliminated without a subtraction ([`elimination`]). The same
//! system answers two kinds of questions: the value of each state, and the expected number of
//! visits to it. In floats of more digits than doubles, the system is solved in doubles and its
//! solution refined ([`Equations`]).

mod components;
mod elimination;
mod numbers;
mod order;
mod twofold;

pub use components::each_component;
pub use numbers::{Number, nearest_double};
pub(crate) use numbers::{UNIT, fraction};
pub(crate) use order::EliminationOrder;
pub use twofold::Twofold;

use std::ops::Range;
use std::rc::Rc;

use crate::limits;
use elimination::Elimination;

/// The states of a Markov chain that play may leave from, in compressed rows.
#[derive(Clone, Debug)]
pub struct Chain<N> {
    /// By state, and the end of the last: its first transition.
    first: Vec<u32>,
    /// By transition: the state it leads to.
    pub to: Vec<u32>,
    /// By transition: its probability.
    pub chance: Vec<N>,
    /// By state: the probability of leaving the chain.
    pub exit: Vec<N>,
}

/// Why a system is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsolvedSystem {
    /// The caller wants to stop.
    Stopped,
    /// It takes too much work.
    TooLarge,
}

/// Called now and then; returns false to stop.
pub(crate) type GoOn<'g> = &'g dyn Fn() -> bool;

/// Where more feedback states than this would be needed, all states are eliminated one by one.
const MOST_FEEDBACK: usize = 1024;
/// The feedback states whose probabilities are followed together.
const LANES: usize = 4;
/// So few states need no order.
const FEW: usize = 8;
/// The most times that play is followed through a chain before its states are eliminated.
const MOST_SWEEPS: usize = 500;
/// The part of all visits that is too small to follow: well below the rounding of their sum.
const NO_FLOW: f64 = 1e-18;
/// Solutions are refined at most so many times.
const MOST_REFINEMENTS: usize = 60;

impl<N: Number> Chain<N> {
    /// An empty chain, with room for so many states and transitions.
    pub fn with_room(states: usize, transitions: usize) -> Self {
        let mut first = Vec::with_capacity(states + 1);
        first.push(0);
        Self {
            first,
            to: Vec::with_capacity(transitions),
            chance: Vec::with_capacity(transitions),
            exit: Vec::with_capacity(states),
        }
    }

    /// Appends a transition of the state that is being built.
    pub fn push(&mut self, to: usize, chance: N) {
        self.to.push(to as u32);
        self.chance.push(chance);
    }

    /// Ends a state, which leaves the chain with a probability.
    pub fn end_state(&mut self, exit: N) {
        self.exit.push(exit);
        self.first.push(self.to.len() as u32);
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.exit.len()
    }

    fn edges(&self, state: usize) -> Range<usize> {
        self.first[state] as usize..self.first[state + 1] as usize
    }

    /// The transitions of a state: where they lead, and their probabilities.
    #[inline(always)]
    pub fn steps(&self, state: usize) -> impl Iterator<Item = (usize, &N)> {
        let edges = self.edges(state);
        self.to[edges.clone()].iter().map(|to| *to as usize).zip(&self.chance[edges])
    }

    /// Returns the mean of a state's successors, and of leaving from it.
    #[inline(always)]
    pub fn mean(&self, state: usize, leaving: &N, values: &[N]) -> N {
        let mut sum = leaving.clone();
        for (to, chance) in self.steps(state) {
            sum = sum.plus(&chance.times(&values[to]));
        }
        sum
    }

    /// By state: whether play can never leave from it.
    pub fn endless(&self) -> Vec<bool> {
        // The states that lead to each state, in compressed rows.
        let mut first = vec![0; self.len() + 2];
        for to in &self.to {
            first[*to as usize + 2] += 1;
        }
        for state in 2..first.len() {
            first[state] += first[state - 1];
        }
        let mut from = vec![0; self.to.len()];
        for state in 0..self.len() {
            for (to, _) in self.steps(state) {
                from[first[to + 1]] = state;
                first[to + 1] += 1;
            }
        }
        let mut endless = vec![true; self.len()];
        let mut ends: Vec<usize> =
            (0..self.len()).filter(|state| self.exit[*state] != N::ZERO).collect();
        ends.iter().for_each(|state| endless[*state] = false);
        while let Some(state) = ends.pop() {
            for before in &from[first[state]..first[state + 1]] {
                if std::mem::replace(&mut endless[*before], false) {
                    ends.push(*before);
                }
            }
        }
        endless
    }

    /// The chain without what follows some states, which are left with certainty.
    fn without(&self, states: &[bool]) -> Self {
        let mut chain = Self::with_room(self.len(), self.to.len());
        for (state, is_left) in states.iter().enumerate() {
            if *is_left {
                chain.end_state(N::ONE);
                continue;
            }
            for (to, chance) in self.steps(state) {
                chain.push(to, chance.clone());
            }
            chain.end_state(self.exit[state].clone());
        }
        chain
    }

    fn in_doubles(&self) -> Chain<f64> {
        Chain {
            first: self.first.clone(),
            to: self.to.clone(),
            chance: self.chance.iter().map(N::to_double).collect(),
            exit: self.exit.iter().map(N::to_double).collect(),
        }
    }
}

/// Returns the expected number of visits to each state of a chain, given how often each is entered
/// from outside; it is quick if states mostly follow those that they lead to. Where play can never
/// leave the chain, only its entries are counted.
///
/// # Errors
/// Returns an error if `go_on` returns false, or the system takes too much work.
pub fn visits(chain: Chain<f64>, entries: &[f64], go_on: GoOn) -> Result<Vec<f64>, UnsolvedSystem> {
    let endless = chain.endless();
    let chain = if endless.contains(&true) { chain.without(&endless) } else { chain };
    if chain.len() <= FEW {
        // An order would take longer than the elimination of so few states.
        let order = Rc::new(EliminationOrder::of_feedback(chain.len()));
        return Ok(System::new(chain, Some(&order), go_on)?.visits(entries));
    }
    match swept_visits(&chain, entries, go_on)? {
        Some(visits) => Ok(visits),
        None => Ok(System::new(chain, None, go_on)?.visits(entries)),
    }
}

/// Follows play through the chain again and again, until nothing is left in it; `None` if that
/// takes long.
fn swept_visits(
    chain: &Chain<f64>,
    entries: &[f64],
    go_on: GoOn,
) -> Result<Option<Vec<f64>>, UnsolvedSystem> {
    let mut visits = vec![0.0; chain.len()];
    let mut coming = entries.to_vec();
    for _ in 0..MOST_SWEEPS {
        if !go_on() {
            return Err(UnsolvedSystem::Stopped);
        }
        let mut moved = 0.0;
        for state in (0..chain.len()).rev() {
            let here = std::mem::take(&mut coming[state]);
            if here > 0.0 {
                visits[state] += here;
                moved += here;
                for (to, chance) in chain.steps(state) {
                    coming[to] += here * chance;
                }
            }
        }
        if moved <= NO_FLOW * visits.iter().sum::<f64>() {
            return Ok(Some(visits));
        }
    }
    Ok(None)
}

/// The linear system of a chain, prepared for any number of solutions. From each of its states, one
/// with a positive probability of leaving must be reachable.
#[derive(Debug)]
pub(crate) struct System<N> {
    chain: Chain<N>,
    order: Rc<EliminationOrder>,
    /// The chain of the feedback states alone, eliminated.
    feedback: Elimination<N>,
}

impl<N: Number> System<N> {
    /// Prepares a chain, whose states are evaluated in a given order if there is one.
    ///
    /// # Errors
    /// Returns an error if `go_on` returns false, or the system takes too much work.
    pub fn new(
        chain: Chain<N>,
        order: Option<&Rc<EliminationOrder>>,
        go_on: GoOn,
    ) -> Result<Self, UnsolvedSystem> {
        let order = match order {
            Some(order) => order.clone(),
            None => EliminationOrder::new(&chain.first, &chain.to, MOST_FEEDBACK)
                .unwrap_or_else(|| EliminationOrder::of_feedback(chain.len()))
                .into(),
        };
        let check = |work: u64| match work {
            _ if !go_on() => Err(UnsolvedSystem::Stopped),
            ..=limits::ELIMINATED_ENTRIES => Ok(()),
            _ => Err(UnsolvedSystem::TooLarge),
        };
        let feedback = if order.interior.is_empty() {
            Elimination::new(&chain, check)?
        } else {
            Elimination::new(&reduced(&chain, &order, go_on)?, check)?
        };
        Ok(Self { chain, order, feedback })
    }

    /// Returns the value of each state, given by state that of leaving from it times the
    /// probability of leaving.
    pub fn values(&self, leaving: &[N]) -> Vec<N> {
        if self.order.interior.is_empty() {
            return self.feedback.values(leaving.to_vec());
        }
        let mut values = vec![N::ZERO; leaving.len()];
        for state in self.order.all() {
            values[state] = self.before_feedback(state, &leaving[state], &values);
        }
        let of_feedback: Vec<N> =
            self.order.feedback.iter().map(|state| values[*state as usize].clone()).collect();
        let of_feedback = self.feedback.values(of_feedback);
        for (state, value) in self.order.feedback.iter().zip(of_feedback) {
            values[*state as usize] = value;
        }
        for state in self.order.interior.iter().map(|state| *state as usize) {
            values[state] = self.chain.mean(state, &leaving[state], &values);
        }
        values
    }

    /// Returns the value of a state if feedback states that follow are worth nothing.
    fn before_feedback(&self, state: usize, leaving: &N, values: &[N]) -> N {
        let mut sum = leaving.clone();
        for (to, chance) in self.chain.steps(state) {
            if self.order.place[to].is_none() {
                sum = sum.plus(&chance.times(&values[to]));
            }
        }
        sum
    }

    /// Returns the expected number of visits to each state, given how often each is entered from
    /// outside the chain.
    pub fn visits(&self, entries: &[N]) -> Vec<N> {
        if self.order.interior.is_empty() {
            return self.feedback.visits(entries.to_vec());
        }
        let mut visits = entries.to_vec();
        self.carry(&mut visits, &vec![N::ZERO; self.order.feedback.len()]);
        let of_feedback: Vec<N> =
            self.order.feedback.iter().map(|state| visits[*state as usize].clone()).collect();
        let of_feedback = self.feedback.visits(of_feedback);
        let mut visits = entries.to_vec();
        self.carry(&mut visits, &of_feedback);
        for (state, of_state) in self.order.feedback.iter().zip(of_feedback) {
            visits[*state as usize] = of_state;
        }
        visits
    }

    /// Carries visits through the interior, from the entries and from visits to feedback states.
    fn carry(&self, visits: &mut [N], of_feedback: &[N]) {
        for (state, of_state) in self.order.feedback.iter().zip(of_feedback) {
            self.carry_on(*state as usize, of_state, visits);
        }
        for state in self.order.interior.iter().rev().map(|state| *state as usize) {
            let of_state = visits[state].clone();
            self.carry_on(state, &of_state, visits);
        }
    }

    fn carry_on(&self, state: usize, of_state: &N, visits: &mut [N]) {
        if *of_state == N::ZERO {
            return;
        }
        for (to, chance) in self.chain.steps(state) {
            visits[to] = visits[to].plus(&of_state.times(chance));
        }
    }
}

/// By state: the probability that play leaves before it comes to a feedback state.
fn exits_before_feedback<N: Number>(chain: &Chain<N>, order: &EliminationOrder) -> Vec<N> {
    let mut exits = vec![N::ZERO; chain.len()];
    for state in order.all() {
        let mut exit = chain.exit[state].clone();
        for (to, chance) in chain.steps(state) {
            if order.place[to].is_none() {
                exit = exit.plus(&chance.times(&exits[to]));
            }
        }
        exits[state] = exit;
    }
    exits
}

/// Returns the chain of the feedback states: which of them comes next, and whether play leaves
/// before.
fn reduced<N: Number>(
    chain: &Chain<N>,
    order: &EliminationOrder,
    go_on: GoOn,
) -> Result<Chain<N>, UnsolvedSystem> {
    let count = order.feedback.len();
    let exits = exits_before_feedback(chain, order);
    let mut next: Vec<Vec<(usize, N)>> = vec![Vec::new(); count];
    // By state: the probabilities that each of some feedback states comes first.
    let mut forms = vec![[const { N::ZERO }; LANES]; chain.len()];
    for first in (0..count).step_by(LANES) {
        if !go_on() {
            return Err(UnsolvedSystem::Stopped);
        }
        for state in order.all() {
            let mut form = [const { N::ZERO }; LANES];
            for (to, chance) in chain.steps(state) {
                match order.place[to] {
                    None => {
                        for (sum, further) in form.iter_mut().zip(&forms[to]) {
                            *sum = sum.plus(&chance.times(further));
                        }
                    }
                    Some(place) => {
                        if let Some(sum) = form.get_mut((place as usize).wrapping_sub(first)) {
                            *sum = sum.plus(chance);
                        }
                    }
                }
            }
            if let Some(place) = order.place[state] {
                let found = form.into_iter().enumerate();
                let found = found.filter(|(_, chance)| *chance != N::ZERO);
                next[place as usize].extend(found.map(|(lane, chance)| (first + lane, chance)));
            } else {
                forms[state] = form;
            }
        }
    }
    let mut found = Chain::with_room(count, count);
    for (state, next) in order.feedback.iter().zip(next) {
        for (to, chance) in next {
            found.push(to, chance);
        }
        found.end_state(exits[*state as usize].clone());
    }
    Ok(found)
}

/// The equations of a chain's values. In floats of many digits they are solved in doubles and
/// refined by what the equations are then off, which is computed in all digits (Wilkinson, 1963):
/// as elimination in doubles keeps the accuracy of slow cycles, each refinement gives many digits.
pub(crate) struct Equations<N: Number> {
    order: Option<Rc<EliminationOrder>>,
    /// By state: whether play never leaves from it.
    endless: Vec<bool>,
    solution: LinearMethod<N>,
}

/// How equations are solved.
enum LinearMethod<N: Number> {
    Direct(System<N>),
    /// By the system in doubles.
    Refined(Chain<N>, System<f64>),
}

impl<N: Number> Equations<N> {
    /// Prepares the equations of a chain, in which play may stay for ever.
    ///
    /// # Errors
    /// As for [`System::new`].
    pub fn new(
        chain: Chain<N>,
        order: Option<&Rc<EliminationOrder>>,
        go_on: GoOn,
    ) -> Result<Self, UnsolvedSystem> {
        let endless = chain.endless();
        let chain = if endless.contains(&true) { chain.without(&endless) } else { chain };
        let order = order.cloned();
        let solution = if N::IS_REFINED {
            let doubles = System::new(chain.in_doubles(), order.as_ref(), go_on)?;
            LinearMethod::Refined(chain, doubles)
        } else {
            LinearMethod::Direct(System::new(chain, order.as_ref(), go_on)?)
        };
        Ok(Self { order, endless, solution })
    }

    /// By state: whether play never leaves from it.
    pub fn endless(&self) -> &[bool] {
        &self.endless
    }

    /// Returns the value of each state, given by state that of leaving from it times the
    /// probability of leaving, and that of endless play. Where solutions are refined, no equation
    /// is off by more than `enough`.
    ///
    /// # Errors
    /// As for [`System::new`].
    pub fn values(
        &mut self,
        mut leaving: Vec<N>,
        of_endless: &N,
        enough: &N,
        go_on: GoOn,
    ) -> Result<Vec<N>, UnsolvedSystem> {
        for (leaving, endless) in leaving.iter_mut().zip(&self.endless) {
            if *endless {
                *leaving = of_endless.clone();
            }
        }
        if let LinearMethod::Refined(chain, doubles) = &self.solution {
            if let Some(values) = self.refined(chain, doubles, &leaving, enough, go_on)? {
                return Ok(values);
            }
            let system = System::new(chain.clone(), self.order.as_ref(), go_on)?;
            self.solution = LinearMethod::Direct(system);
        }
        match &self.solution {
            LinearMethod::Direct(system) => Ok(system.values(&leaving)),
            LinearMethod::Refined(..) => unreachable!("it was just replaced"),
        }
    }

    /// Returns the refined values; `None` if the cycles are too slow for doubles.
    fn refined(
        &self,
        chain: &Chain<N>,
        doubles: &System<f64>,
        leaving: &[N],
        enough: &N,
        go_on: GoOn,
    ) -> Result<Option<Vec<N>>, UnsolvedSystem> {
        let mut values = vec![N::ZERO; leaving.len()];
        let mut before = f64::INFINITY;
        let mut off = leaving.to_vec();
        for _ in 0..MOST_REFINEMENTS {
            if !go_on() {
                return Err(UnsolvedSystem::Stopped);
            }
            let mut largest: f64 = 0.0;
            for off in &off {
                largest = largest.max(off.over(enough).to_double().abs());
            }
            if largest <= 1.0 {
                return Ok(Some(values));
            }
            if largest > before / 2.0 {
                return Ok(None);
            }
            before = largest;
            // Of one sign each, so that nothing is subtracted.
            let up: Vec<f64> = off.iter().map(|off| off.to_double().max(0.0)).collect();
            let down: Vec<f64> = off.iter().map(|off| (-off.to_double()).max(0.0)).collect();
            let up = doubles.values(&up);
            let down = doubles.values(&down);
            for state in 0..values.len() {
                let change = up[state] - down[state];
                // Chances too small for doubles are 0 there, and their quotients no numbers.
                if !change.is_finite() {
                    return Ok(None);
                }
                values[state] = values[state].plus(&N::from_double(change));
            }
            for state in 0..values.len() {
                off[state] = chain.mean(state, &leaving[state], &values).minus(&values[state]);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;

    fn eliminated<N: Number>(next: &[Vec<(usize, N)>], leaving: &[N]) -> System<N> {
        let mut chain = Chain::with_room(next.len(), 0);
        for (state, (next, exit)) in next.iter().zip(leaving).enumerate() {
            // The rest is the probability of staying.
            let mut rest = N::ONE.minus(exit);
            for (to, chance) in next {
                chain.push(*to, chance.clone());
                rest = rest.minus(chance);
            }
            chain.push(state, rest);
            chain.end_state(exit.clone());
        }
        System::new(chain, None, &|| true).expect("the callback never stops it")
    }

    #[test]
    fn visits_are_accurate_where_leaving_is_improbable() {
        let rare = 2f64.powi(-60);
        let alone = eliminated(&[Vec::new()], &[rare]);
        assert_eq!(
            alone.visits(&[0.5]),
            [0.5 / rare],
            "1 minus the probability of staying would round to 0"
        );
        assert_eq!(alone.values(&[0.75 * rare]), [0.75]);
    }

    /// A turn that is played on: each state leads to the next ones or back to the first.
    /// Elimination adds almost no transitions, so that thousands of states are fast.
    #[test]
    fn elimination_of_a_long_chain_that_returns_to_its_start_stays_sparse() {
        let count = 20_000;
        let next = (0..count).map(|state| {
            let on = (state + 1..count.min(state + 6)).map(|to| (to, 0.125));
            if state == 0 { on.collect() } else { std::iter::once((0, 0.25)).chain(on).collect() }
        });
        let next: Vec<Vec<(usize, f64)>> = next.collect();
        let leaving: Vec<f64> = next
            .iter()
            .map(|next| 1.0 - next.iter().map(|(_, chance)| chance).sum::<f64>())
            .collect();
        let chain = eliminated(&next, &leaving);
        let entries: Vec<f64> =
            (0..count).map(|state| if state == 0 { 1.0 } else { 0.0 }).collect();
        let left: f64 = chain
            .visits(&entries)
            .iter()
            .zip(&leaving)
            .map(|(visits, leaving)| visits * leaving)
            .sum();
        assert!((left - 1.0).abs() < 1e-12, "the expected number of exits is 1: {left}");
        let values = chain.values(&leaving);
        assert!(
            values.iter().all(|value| (value - 1.0).abs() < 1e-12),
            "every path leaves, with value 1"
        );
    }

    /// So many states that the last ones are eliminated as a matrix.
    #[test]
    fn a_dense_component_of_many_states_is_left_with_probability_one() {
        let count = 150;
        let next = (0..count).map(|state| {
            let chance = |to: usize| (1 + (7 * state + 5 * to) % 11) as f64 / (6.1 * count as f64);
            (0..count).filter(|to| *to != state).map(|to| (to, chance(to))).collect()
        });
        let next: Vec<Vec<(usize, f64)>> = next.collect();
        let leaving: Vec<f64> = (0..count).map(|state| (1 + state % 3) as f64 * 1e-9).collect();
        let solved = eliminated(&next, &leaving);
        let values = solved.values(&leaving);
        assert!(values.iter().all(|value| (value - 1.0).abs() < 1e-12), "{values:?}");
        let visits = solved.visits(&vec![1.0 / count as f64; count]);
        let left: f64 = visits.iter().zip(&leaving).map(|(visits, leaving)| visits * leaving).sum();
        assert!((left - 1.0).abs() < 1e-12, "{left}");
        // Each state is entered as often as others lead to it.
        for state in 0..count {
            let from = |from: usize| next[from].iter().find(|(to, _)| *to == state);
            let entered: f64 = (0..count)
                .filter_map(|other| from(other).map(|(_, chance)| visits[other] * chance))
                .sum::<f64>()
                + 1.0 / count as f64;
            let departing =
                leaving[state] + next[state].iter().map(|(_, chance)| chance).sum::<f64>();
            assert!((entered / (visits[state] * departing) - 1.0).abs() < 1e-9, "{state}");
        }
    }

    /// Ten states in a row, each of which returns to the first with probability 1/2 and leads on
    /// with 1/4; then two that play never leaves.
    #[test]
    fn visits_are_followed_until_play_can_never_leave() {
        let mut chain = Chain::with_room(12, 24);
        for state in 0..10 {
            chain.push(0, 0.5);
            chain.push(state + 1, 0.25);
            chain.end_state(0.25);
        }
        chain.push(11, 1.0);
        chain.end_state(0.0);
        chain.push(10, 1.0);
        chain.end_state(0.0);
        let mut entries = vec![0.0; 12];
        entries[0] = 1.0;
        let visits = visits(chain, &entries, &|| true).expect("nothing stops it");
        // Of the first there are x = 1 + (x + x/4 + x/16 + ...) / 2.
        let of_first = 1.0 / (1.0 - (1.0 - 0.25f64.powi(10)) * 2.0 / 3.0);
        for (state, visits) in visits[..11].iter().enumerate() {
            let expected = of_first * 0.25f64.powi(state as i32);
            assert!((visits / expected - 1.0).abs() < 1e-14, "{state}: {visits}");
        }
        assert_eq!(visits[11], 0.0, "where play never leaves, only what enters is counted");
    }

    /// A dense component; its probabilities have a small common denominator.
    #[test]
    fn visits_and_values_solve_their_systems_exactly() {
        let count = 12;
        let fraction = |number: usize| RBig::from_parts(number.into(), 200u8.into());
        let others = |state: usize| (0..count).filter(move |to| *to != state);
        let chances = |state: usize| {
            others(state).map(move |to| (to, fraction(1 + (7 * state + 5 * to) % 11)))
        };
        let next: Vec<Vec<(usize, RBig)>> =
            (0..count).map(|state| chances(state).collect()).collect();
        let leaving: Vec<RBig> = (0..count).map(|state| fraction(state % 3)).collect();
        let entries: Vec<RBig> = (0..count).map(fraction).collect();
        let solved = eliminated(&next, &leaving);
        let (visits, values) = (solved.visits(&entries), solved.values(&entries));
        for state in 0..count {
            let departing =
                next[state].iter().fold(leaving[state].clone(), |sum, (_, chance)| sum + chance);
            let into =
                |from: &usize| &next[*from].iter().find(|(to, _)| *to == state).expect("dense").1;
            let entered = others(state)
                .fold(entries[state].clone(), |sum, from| sum + into(&from) * &visits[from]);
            assert_eq!(&visits[state] * &departing, entered, "state {state}");
            let expected = next[state]
                .iter()
                .fold(entries[state].clone(), |sum, (to, chance)| sum + chance * &values[*to]);
            assert_eq!(&values[state] * &departing, expected, "state {state}");
        }
    }
}
