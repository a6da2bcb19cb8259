//! Loops of chance as linear systems, solved without a subtraction: by elimination of states.
//!
//! States are eliminated one after another: play through an eliminated state is replaced by play around it. The chance to
//! go on from a state is the sum of its chances to leave, never 1 less that to stay, so that in floats every number keeps
//! its relative accuracy (Grassmann, Taksar and Heyman, 1985). The state whose elimination adds the fewest transitions comes
//! first (Markowitz, 1957): where few states feed the loops, as in a turn that is played on until it busts, hardly any are
//! added. What has been eliminated once answers both questions: how often each state is visited, and what it is worth.

mod numbers;
mod wide;

use std::collections::BTreeSet;

pub use numbers::nearest_double;
pub(crate) use numbers::{Float, Scalar, UNIT, exact_double};
pub(crate) use wide::Wide;

/// States that play moves among, and leaves from some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Component<N> {
    /// By state: the other states that a turn leads to, ascending, with the chances, and without the state itself.
    pub next: Vec<Vec<(usize, N)>>,
    /// By state: the chance that a turn leaves the component. All states lead to some where it is above 0.
    pub leaving: Vec<N>,
}

/// A component whose states are all eliminated, in this order.
#[derive(Debug)]
pub(crate) struct Elimination<N>(Vec<Eliminated<N>>);

/// A state that has been eliminated.
#[derive(Debug)]
struct Eliminated<N> {
    state: usize,
    /// Those left that lead to it, with chances.
    from: Vec<(usize, N)>,
    /// Those left that it leads to.
    next: Vec<(usize, N)>,
    /// The chance to go on to another state, or to leave.
    going_on: N,
}

impl<N: Scalar> Component<N> {
    /// Eliminates all states. `go_on` is asked between them: how many entries have been written so far.
    ///
    /// # Errors
    /// Of `go_on`.
    pub fn eliminate<E>(mut self, go_on: impl Fn(usize) -> Result<(), E>) -> Result<Elimination<N>, E> {
        let count = self.next.len();
        let mut previous: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        for (state, next) in self.next.iter().enumerate() {
            next.iter().for_each(|(to, _)| _ = previous[*to].insert(state));
        }
        let added = |next: &[Vec<(usize, N)>], previous: &[BTreeSet<usize>], state: usize| {
            (next[state].len() * previous[state].len(), state)
        };
        let mut order: BTreeSet<_> = (0..count).map(|state| added(&self.next, &previous, state)).collect();
        let (mut work, mut eliminated) = (0, Vec::with_capacity(count));
        while let Some((_, state)) = order.pop_first() {
            let next = &self.next;
            work += previous[state].iter().map(|other| next[*other].len() + next[state].len()).sum::<usize>();
            go_on(work)?;
            let near: BTreeSet<usize> =
                previous[state].iter().copied().chain(next[state].iter().map(|(to, _)| *to)).collect();
            near.iter().for_each(|state| _ = order.remove(&added(next, &previous, *state)));
            eliminated.push(self.eliminate_one(&mut previous, state));
            order.extend(near.into_iter().map(|state| added(&self.next, &previous, state)));
        }
        Ok(Elimination(eliminated))
    }

    /// Replaces play through a state by play around it.
    fn eliminate_one(&mut self, previous: &mut [BTreeSet<usize>], state: usize) -> Eliminated<N> {
        let next = std::mem::take(&mut self.next[state]);
        let chances = next.iter().fold(N::ZERO, |sum, (_, chance)| sum.plus(chance));
        let going_on = self.leaving[state].plus(&chances);
        let mut from = Vec::with_capacity(previous[state].len());
        next.iter().for_each(|(to, _)| _ = previous[*to].remove(&state));
        for other in std::mem::take(&mut previous[state]) {
            let place = self.next[other].binary_search_by_key(&state, |(to, _)| *to).expect("it leads here");
            let (_, chance) = self.next[other].remove(place);
            let through = chance.over(&going_on);
            self.leaving[other] = self.leaving[other].plus(&through.times(&self.leaving[state]));
            let onward = next.iter().filter(|(to, _)| *to != other).map(|(to, chance)| (*to, through.times(chance)));
            self.next[other] = sum(&self.next[other], onward, |to| _ = previous[to].insert(other));
            from.push((other, chance));
        }
        Eliminated { state, from, next, going_on }
    }
}

impl<N: Scalar> Elimination<N> {
    /// How often each state is visited, given how often it is entered from outside.
    pub fn visits(&self, mut entries: Vec<N>) -> Vec<N> {
        for Eliminated { state, next, going_on, .. } in &self.0 {
            for (to, chance) in next {
                entries[*to] = entries[*to].plus(&entries[*state].times(&chance.over(going_on)));
            }
        }
        for Eliminated { state, from, going_on, .. } in self.0.iter().rev() {
            let moves = from.iter().fold(N::ZERO, |sum, (other, chance)| sum.plus(&entries[*other].times(chance)));
            entries[*state] = entries[*state].plus(&moves).over(going_on);
        }
        entries
    }

    /// What each state is worth, given what its leaving is worth, times the chance to leave.
    pub fn values(&self, mut leaving: Vec<N>) -> Vec<N> {
        for Eliminated { state, from, going_on, .. } in &self.0 {
            for (other, chance) in from {
                leaving[*other] = leaving[*other].plus(&chance.over(going_on).times(&leaving[*state]));
            }
        }
        for Eliminated { state, next, going_on, .. } in self.0.iter().rev() {
            let moves = next.iter().fold(N::ZERO, |sum, (to, chance)| sum.plus(&leaving[*to].times(chance)));
            leaving[*state] = leaving[*state].plus(&moves).over(going_on);
        }
        leaving
    }
}

/// The sum of chances by state, both lists ascending; `is_new` is told the states that only `more` holds.
fn sum<N: Scalar>(
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

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;

    fn eliminated<N: Scalar>(next: &[Vec<(usize, N)>], leaving: &[N]) -> Elimination<N> {
        Component { next: next.to_vec(), leaving: leaving.to_vec() }
            .eliminate(|_| Ok::<_, ()>(()))
            .expect("nobody stops it")
    }

    #[test]
    fn a_state_that_stays_is_visited_until_it_leaves() {
        let rare = 2f64.powi(-60);
        let alone = eliminated(&[Vec::new()], &[rare]);
        assert_eq!(alone.visits(vec![0.5]), [0.5 / rare], "1 less the chance to stay would be 0");
        assert_eq!(alone.values(vec![0.75 * rare]), [0.75]);
    }

    /// A turn that is played on: each state leads to the next ones or back to the first. Thousands of states take no time
    /// since hardly any transition is added.
    #[test]
    fn long_chains_that_lead_back_to_their_start_are_sparse() {
        let count = 20_000;
        let next = (0..count).map(|state| {
            let on = (state + 1..count.min(state + 6)).map(|to| (to, 0.125));
            if state == 0 { on.collect() } else { std::iter::once((0, 0.25)).chain(on).collect() }
        });
        let next: Vec<Vec<(usize, f64)>> = next.collect();
        let leaving: Vec<f64> =
            next.iter().map(|next| 1.0 - next.iter().map(|(_, chance)| chance).sum::<f64>()).collect();
        let chain = eliminated(&next, &leaving);
        let entries = (0..count).map(|state| if state == 0 { 1.0 } else { 0.0 }).collect();
        let left: f64 = chain.visits(entries).iter().zip(&leaving).map(|(visits, leaving)| visits * leaving).sum();
        assert!((left - 1.0).abs() < 1e-12, "what enters leaves: {left}");
        let worth = chain.values(leaving);
        assert!(worth.iter().all(|worth| (worth - 1.0).abs() < 1e-12), "leaving is all there is");
    }

    /// A dense component with chances made by hand of small primes.
    #[test]
    fn visits_and_values_solve_their_systems_exactly() {
        let count = 12;
        let hundredths = |number: usize| RBig::from_parts(number.into(), 200u8.into());
        let others = |state: usize| (0..count).filter(move |to| *to != state);
        let chances = |state: usize| others(state).map(move |to| (to, hundredths(1 + (7 * state + 5 * to) % 11)));
        let next: Vec<Vec<(usize, RBig)>> = (0..count).map(|state| chances(state).collect()).collect();
        let leaving: Vec<RBig> = (0..count).map(|state| hundredths(state % 3)).collect();
        let entries: Vec<RBig> = (0..count).map(hundredths).collect();
        let solved = eliminated(&next, &leaving);
        let (visits, values) = (solved.visits(entries.clone()), solved.values(entries.clone()));
        for state in 0..count {
            let going_on = next[state].iter().fold(leaving[state].clone(), |sum, (_, chance)| sum + chance);
            let into = |from: &usize| &next[*from].iter().find(|(to, _)| *to == state).expect("dense").1;
            let entered = others(state).fold(entries[state].clone(), |sum, from| sum + into(&from) * &visits[from]);
            assert_eq!(&visits[state] * &going_on, entered, "state {state}");
            let worth =
                next[state].iter().fold(entries[state].clone(), |sum, (to, chance)| sum + chance * &values[*to]);
            assert_eq!(&values[state] * &going_on, worth, "state {state}");
        }
    }
}
