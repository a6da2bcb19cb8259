//! Expected visits within a component that play leaves: a linear system, solved without a subtraction.
//!
//! States are eliminated one after another: play through an eliminated state is replaced by play around it. The chance to
//! go on from a state is the sum of its chances to leave, never 1 less that to stay, so that every number keeps its
//! relative accuracy (Grassmann, Taksar and Heyman, 1985). The state whose elimination adds the fewest transitions comes first
//! (Markowitz, 1957): where few states feed the loops, as in a turn that is played on until it busts, hardly any are added.

use std::collections::BTreeSet;

use super::super::SolveError;

/// A component: play enters its states, moves among them, and leaves from some.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    /// By state: the expected number of entries from outside.
    pub entries: Vec<f64>,
    /// By state: the other states that a turn leads to, ascending, with the chances, and without the state itself.
    pub next: Vec<Vec<(usize, f64)>>,
    /// By state: the chance that a turn leaves the component; above 0 for at least one state, which all others lead to.
    pub leaving: Vec<f64>,
}

/// The most entries of rows that may be written for one component: some seconds of work.
const MOST_WORK: usize = 2_000_000_000;

/// A state that has been eliminated: those left that lead to it, with chances, and its chance to go on to another state.
struct Eliminated {
    state: usize,
    from: Vec<(usize, f64)>,
    going_on: f64,
}

impl Component {
    /// The expected visits of all states. `go_on` is asked between eliminations.
    ///
    /// # Errors
    /// Of `go_on`, or if the component is too entangled.
    pub fn visits(mut self, go_on: impl Fn() -> Result<(), SolveError>) -> Result<Vec<f64>, SolveError> {
        let count = self.entries.len();
        let mut previous: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        for (state, next) in self.next.iter().enumerate() {
            next.iter().for_each(|(to, _)| _ = previous[*to].insert(state));
        }
        let added = |next: &[Vec<(usize, f64)>], previous: &[BTreeSet<usize>], state: usize| {
            (next[state].len() * previous[state].len(), state)
        };
        let mut order: BTreeSet<_> = (0..count).map(|state| added(&self.next, &previous, state)).collect();
        let (mut work, mut eliminated) = (0, Vec::with_capacity(count));
        while let Some((_, state)) = order.pop_first() {
            go_on()?;
            let next = &self.next;
            work += previous[state].iter().map(|other| next[*other].len() + next[state].len()).sum::<usize>();
            if work > MOST_WORK {
                return Err(SolveError::TooLarge(format!("a loop of {count} states has too many ways through it")));
            }
            let near: BTreeSet<usize> =
                previous[state].iter().copied().chain(next[state].iter().map(|(to, _)| *to)).collect();
            near.iter().for_each(|state| _ = order.remove(&added(next, &previous, *state)));
            eliminated.push(self.eliminate(&mut previous, state));
            order.extend(near.into_iter().map(|state| added(&self.next, &previous, state)));
        }
        let mut visits = self.entries;
        for Eliminated { state, from, going_on } in eliminated.into_iter().rev() {
            let moves: f64 = from.iter().map(|(other, chance)| visits[*other] * chance).sum();
            visits[state] = (visits[state] + moves) / going_on;
        }
        Ok(visits)
    }

    /// Replaces play through a state by play around it.
    fn eliminate(&mut self, previous: &mut [BTreeSet<usize>], state: usize) -> Eliminated {
        let next = std::mem::take(&mut self.next[state]);
        let going_on = self.leaving[state] + next.iter().map(|(_, chance)| chance).sum::<f64>();
        let mut from = Vec::with_capacity(previous[state].len());
        for (to, chance) in &next {
            self.entries[*to] += self.entries[state] * (chance / going_on);
            previous[*to].remove(&state);
        }
        for other in std::mem::take(&mut previous[state]) {
            let place = self.next[other].binary_search_by_key(&state, |(to, _)| *to).expect("it leads here");
            let (_, chance) = self.next[other].remove(place);
            let through = chance / going_on;
            self.leaving[other] += through * self.leaving[state];
            let onward = next.iter().filter(|(to, _)| *to != other).map(|(to, chance)| (*to, through * chance));
            self.next[other] = sum(&self.next[other], onward, |to| _ = previous[to].insert(other));
            from.push((other, chance));
        }
        Eliminated { state, from, going_on }
    }
}

/// The sum of chances by state, both lists ascending; `is_new` is told the states that only `more` holds.
fn sum(
    known: &[(usize, f64)],
    more: impl Iterator<Item = (usize, f64)>,
    mut is_new: impl FnMut(usize),
) -> Vec<(usize, f64)> {
    let mut known = known.iter().copied().peekable();
    let mut sum = Vec::with_capacity(known.len() + more.size_hint().1.unwrap_or(0));
    for (to, chance) in more {
        while let Some(before) = known.next_if(|(other, _)| *other < to) {
            sum.push(before);
        }
        let before = known.next_if(|(other, _)| *other == to);
        if before.is_none() {
            is_new(to);
        }
        sum.push((to, before.map_or(0.0, |(_, chance)| chance) + chance));
    }
    sum.extend(known);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visits(component: Component) -> Vec<f64> {
        component.visits(|| Ok(())).expect("small enough")
    }

    #[test]
    fn a_state_that_stays_is_visited_until_it_leaves() {
        let rare = 2f64.powi(-60);
        let alone = Component { entries: vec![0.5], next: vec![Vec::new()], leaving: vec![rare] };
        assert_eq!(visits(alone), [0.5 / rare], "1 less the chance to stay would be 0");
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
        let entries = (0..count).map(|state| if state == 0 { 1.0 } else { 0.0 }).collect();
        let chain = Component { entries, next: next.clone(), leaving: leaving.clone() };
        let found = visits(chain);
        let left: f64 = found.iter().zip(&leaving).map(|(visits, leaving)| visits * leaving).sum();
        assert!((left - 1.0).abs() < 1e-12, "what enters leaves: {left}");
    }

    #[test]
    fn every_state_is_visited_as_often_as_it_is_entered() {
        // A dense component with chances made by hand of small primes.
        let count = 12;
        let next: Vec<Vec<(usize, f64)>> = (0..count)
            .map(|state| {
                let others = (0..count).filter(|to| *to != state);
                others.map(|to| (to, (1 + (7 * state + 5 * to) % 11) as f64 / 100.0)).collect()
            })
            .collect();
        let (entries, leaving) = (vec![0.1; count], vec![0.01; count]);
        let found = visits(Component { entries, next: next.clone(), leaving: leaving.clone() });
        for state in 0..count {
            let entered = next.iter().zip(&found).flat_map(|(next, visits)| {
                next.iter().filter(move |(to, _)| *to == state).map(move |(_, chance)| visits * chance)
            });
            let going_on = leaving[state] + next[state].iter().map(|(_, chance)| chance).sum::<f64>();
            let balance = 0.1 + entered.sum::<f64>() - found[state] * going_on;
            assert!(balance.abs() < 1e-13 * found[state], "{balance:e} at {state}");
        }
    }
}
