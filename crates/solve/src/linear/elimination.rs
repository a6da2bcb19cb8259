//! State elimination: a Markov chain solved without a single subtraction.
//!
//! States are eliminated one after another: each path through the eliminated state is replaced by
//! direct transitions between its neighbours. The probability of moving on from a state is computed
//! as the sum of its transition probabilities to other states and out of the chain, never as 1
//! minus the probability of staying, so every floating-point number keeps its relative accuracy
//! (Grassmann, Taksar and Heyman, 1985). The next state to eliminate is the one that adds the
//! fewest transitions (Markowitz, 1957).

use std::collections::BTreeSet;

use super::{Chain, Number};

/// The remaining states are eliminated as a matrix when more than one in so many of its entries is
/// not 0, which is tried once in so many states.
const DENSE: usize = 4;
const DENSITY_EVERY: usize = 64;
/// So few states are a matrix at once.
const FEW: usize = 8;

/// The states that are not yet eliminated.
struct Remaining<N> {
    /// By state: the other states that a transition leads to, ascending, with the probabilities.
    next: Vec<Vec<(usize, N)>>,
    /// By state: the probability of leaving.
    leaving: Vec<N>,
}

/// A chain after the elimination of all its states, in the order of elimination.
#[derive(Debug)]
pub(super) struct Elimination<N>(Vec<Eliminated<N>>);

/// A state that has been eliminated.
#[derive(Debug)]
struct Eliminated<N> {
    state: usize,
    /// The states not yet eliminated that lead to it, with the probabilities.
    from: Vec<(usize, N)>,
    /// The states not yet eliminated that it leads to, with the probabilities.
    next: Vec<(usize, N)>,
    /// The probability of moving to another state or leaving: 1 minus the probability of staying.
    departing: N,
}

impl<N: Number> Elimination<N> {
    /// Eliminates all states of a chain. Before each elimination, `go_on` is called with the number
    /// of matrix entries written so far, and may return an error to stop.
    ///
    /// # Errors
    /// Returns the error of `go_on`.
    pub fn new<E>(chain: &Chain<N>, go_on: impl Fn(u64) -> Result<(), E>) -> Result<Self, E> {
        let mut next = Vec::with_capacity(chain.len());
        for state in 0..chain.len() {
            let mut of_state: Vec<(usize, N)> = Vec::with_capacity(chain.edges(state).len());
            for (to, chance) in chain.steps(state) {
                if to != state {
                    of_state.push((to, chance.clone()));
                }
            }
            of_state.sort_unstable_by_key(|(to, _)| *to);
            of_state.dedup_by(|(to, chance), (before, sum)| {
                let is_same = to == before;
                if is_same {
                    *sum = sum.plus(chance);
                }
                is_same
            });
            next.push(of_state);
        }
        Remaining { next, leaving: chain.exit.clone() }.eliminate(go_on)
    }
}

impl<N: Number> Remaining<N> {
    fn eliminate<E>(mut self, go_on: impl Fn(u64) -> Result<(), E>) -> Result<Elimination<N>, E> {
        let count = self.next.len();
        if count <= FEW {
            let states: Vec<usize> = (0..count).collect();
            let mut eliminated = Vec::with_capacity(count);
            self.eliminate_dense(&states, &mut 0, &mut eliminated, go_on)?;
            return Ok(Elimination(eliminated));
        }
        let mut previous: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        for (state, next) in self.next.iter().enumerate() {
            next.iter().for_each(|(to, _)| _ = previous[*to].insert(state));
        }
        let mut order: BTreeSet<_> =
            (0..count).map(|state| self.edges_added(&previous, state)).collect();
        let mut work = 0;
        let mut eliminated = Vec::with_capacity(count);
        while let Some((_, state)) = order.pop_first() {
            if order.len() % DENSITY_EVERY == 0 && self.is_dense(&order, state) {
                let mut states: Vec<usize> = order.iter().map(|(_, state)| *state).collect();
                states.push(state);
                states.sort_unstable();
                self.eliminate_dense(&states, &mut work, &mut eliminated, go_on)?;
                break;
            }
            for other in &previous[state] {
                work += (self.next[*other].len() + self.next[state].len()) as u64;
            }
            go_on(work)?;
            let mut near = previous[state].clone();
            near.extend(self.next[state].iter().map(|(to, _)| *to));
            for state in &near {
                order.remove(&self.edges_added(&previous, *state));
            }
            eliminated.push(self.eliminate_one(&mut previous, state));
            order.extend(near.into_iter().map(|state| self.edges_added(&previous, state)));
        }
        Ok(Elimination(eliminated))
    }

    /// How many edges its elimination adds at most, and the state.
    fn edges_added(&self, previous: &[BTreeSet<usize>], state: usize) -> (usize, usize) {
        (self.next[state].len() * previous[state].len(), state)
    }

    /// Whether the remaining states, `order` and `state`, lead to many of each other.
    fn is_dense(&self, order: &BTreeSet<(usize, usize)>, state: usize) -> bool {
        let transitions: usize = order.iter().map(|(_, state)| self.next[*state].len()).sum();
        transitions + self.next[state].len() > order.len() * order.len() / DENSE
    }

    /// Eliminates all remaining states, given ascending, in their order, as a matrix.
    fn eliminate_dense<E>(
        mut self,
        states: &[usize],
        work: &mut u64,
        eliminated: &mut Vec<Eliminated<N>>,
        go_on: impl Fn(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let count = states.len();
        let mut rows = vec![vec![N::ZERO; count]; count];
        for (row, state) in rows.iter_mut().zip(states) {
            for (to, chance) in std::mem::take(&mut self.next[*state]) {
                let at =
                    states.binary_search(&to).expect("a transition leads to a remaining state");
                row[at] = chance;
            }
        }
        let mut leaving: Vec<N> = states.iter().map(|state| self.leaving[*state].clone()).collect();
        for at in 0..count {
            *work += ((count - at) * (count - at)) as u64;
            go_on(*work)?;
            let (done, others) = rows.split_at_mut(at + 1);
            let onward = &done[at][at + 1..];
            let departing = onward.iter().fold(N::ZERO, |sum, chance| sum.plus(chance));
            let departing = leaving[at].plus(&departing);
            let own = leaving[at].clone();
            let mut from = Vec::new();
            for (other, row) in (at + 1..).zip(others) {
                let chance = std::mem::replace(&mut row[at], N::ZERO);
                if chance == N::ZERO {
                    continue;
                }
                let through = chance.over(&departing);
                leaving[other] = leaving[other].plus(&through.times(&own));
                for (sum, further) in row[at + 1..].iter_mut().zip(onward) {
                    *sum = sum.plus(&through.times(further));
                }
                // Paths back to the state itself count as staying.
                row[other] = N::ZERO;
                from.push((states[other], chance));
            }
            let next = onward.iter().zip(&states[at + 1..]);
            let next = next.filter(|(chance, _)| **chance != N::ZERO);
            eliminated.push(Eliminated {
                state: states[at],
                from,
                next: next.map(|(chance, to)| (*to, chance.clone())).collect(),
                departing,
            });
        }
        Ok(())
    }

    /// Eliminates one state: replaces the paths through it by transitions between its neighbours.
    fn eliminate_one(&mut self, previous: &mut [BTreeSet<usize>], state: usize) -> Eliminated<N> {
        let next = std::mem::take(&mut self.next[state]);
        let chances = next.iter().fold(N::ZERO, |sum, (_, chance)| sum.plus(chance));
        let departing = self.leaving[state].plus(&chances);
        let mut from = Vec::with_capacity(previous[state].len());
        next.iter().for_each(|(to, _)| _ = previous[*to].remove(&state));
        for other in std::mem::take(&mut previous[state]) {
            let place = self.next[other]
                .binary_search_by_key(&state, |(to, _)| *to)
                .expect("a predecessor leads to the state");
            let (_, chance) = self.next[other].remove(place);
            let through = chance.over(&departing);
            self.leaving[other] = self.leaving[other].plus(&through.times(&self.leaving[state]));
            let onward = next
                .iter()
                .filter(|(to, _)| *to != other)
                .map(|(to, chance)| (*to, through.times(chance)));
            self.next[other] = sum(&self.next[other], onward, |to| _ = previous[to].insert(other));
            from.push((other, chance));
        }
        Eliminated { state, from, next, departing }
    }
}

impl<N: Number> Elimination<N> {
    /// Returns the expected number of visits to each state, given how often each is entered from
    /// outside the component.
    pub fn visits(&self, mut entries: Vec<N>) -> Vec<N> {
        for Eliminated { state, next, departing, .. } in &self.0 {
            for (to, chance) in next {
                entries[*to] = entries[*to].plus(&entries[*state].times(&chance.over(departing)));
            }
        }
        for Eliminated { state, from, departing, .. } in self.0.iter().rev() {
            let moves = from
                .iter()
                .fold(N::ZERO, |sum, (other, chance)| sum.plus(&entries[*other].times(chance)));
            entries[*state] = entries[*state].plus(&moves).over(departing);
        }
        entries
    }

    /// Returns the value of each state; `leaving[state]` is the value of leaving from it times the
    /// probability of leaving.
    pub fn values(&self, mut leaving: Vec<N>) -> Vec<N> {
        for Eliminated { state, from, departing, .. } in &self.0 {
            for (other, chance) in from {
                leaving[*other] =
                    leaving[*other].plus(&chance.over(departing).times(&leaving[*state]));
            }
        }
        for Eliminated { state, next, departing, .. } in self.0.iter().rev() {
            let moves = next
                .iter()
                .fold(N::ZERO, |sum, (to, chance)| sum.plus(&leaving[*to].times(chance)));
            leaving[*state] = leaving[*state].plus(&moves).over(departing);
        }
        leaving
    }
}

/// Adds two lists of probabilities by state, both ascending; calls `is_new` with each state that
/// only `more` contains.
fn sum<N: Number>(
    known: &[(usize, N)],
    more: impl Iterator<Item = (usize, N)>,
    mut is_new: impl FnMut(usize),
) -> Vec<(usize, N)> {
    let mut known = known.iter().cloned().peekable();
    let mut sum = Vec::with_capacity(known.len() + more.size_hint().1.unwrap_or(0));
    for (to, chance) in more {
        while let Some(before) = known.next_if(|(other, _)| *other < to) {
            sum.push(before);
        }
        match known.next_if(|(other, _)| *other == to) {
            Some((_, before)) => sum.push((to, before.plus(&chance))),
            None => {
                is_new(to);
                sum.push((to, chance));
            }
        }
    }
    sum.extend(known);
    sum
}
