//! The order in which the states of a chain are evaluated: feedback states, without which no cycle
//! is left, and all others, each after those that it leads to.

use super::each_component;

/// Several states are removed at once if they are at most one in so many.
const FEW: usize = 8;
/// Of more, at least one in so many of a component: each removal takes as long as all states.
const AT_ONCE: usize = 64;

/// The feedback states of a graph, and the order of the others.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// All other states, each after all interior states that it leads to.
    pub interior: Vec<u32>,
    pub feedback: Vec<u32>,
    /// By state: its index in `feedback`.
    pub place: Vec<Option<u32>>,
}

impl Order {
    /// Removes states from a graph in compressed rows until no cycle is left, in each cycle those
    /// with the most paths through them; `None` if that takes more than `most`.
    pub fn new(first: &[u32], to: &[u32], most: usize) -> Option<Self> {
        let count = first.len() - 1;
        let mut order =
            Self { interior: Vec::new(), feedback: Vec::new(), place: vec![None; count] };
        let next = |state: usize| &to[first[state] as usize..first[state + 1] as usize];
        loop {
            let cyclic = order.order_interior(next);
            if cyclic.is_empty() {
                return Some(order);
            }
            order.remove_most_used(&cyclic, next);
            if order.feedback.len() > most {
                return None;
            }
        }
    }

    /// All states as feedback states.
    pub fn of_feedback(count: usize) -> Self {
        let place = (0..count as u32).map(Some).collect();
        Self { interior: Vec::new(), feedback: (0..count as u32).collect(), place }
    }

    /// Adds for each state its image, unless that `is_known` already.
    pub fn mirror(&mut self, image: impl Fn(u32) -> u32, is_known: impl Fn(u32) -> bool) {
        let images = |states: &[u32]| -> Vec<u32> {
            states.iter().map(|state| image(*state)).filter(|state| !is_known(*state)).collect()
        };
        let interior = images(&self.interior);
        self.interior.extend(interior);
        for state in images(&self.feedback) {
            self.place[state as usize] = Some(self.feedback.len() as u32);
            self.feedback.push(state);
        }
    }

    /// All states, each after the interior states that it leads to.
    pub fn all(&self) -> impl Iterator<Item = usize> {
        self.interior.iter().chain(&self.feedback).map(|state| *state as usize)
    }

    /// Orders the interior states; returns the strongly connected components that still have
    /// cycles.
    fn order_interior<'g>(&mut self, next: impl Fn(usize) -> &'g [u32]) -> Vec<Vec<u32>> {
        self.interior.clear();
        let place = &self.place;
        let interior = &mut self.interior;
        let mut cyclic = Vec::new();
        let append_targets = |state: usize, targets: &mut Vec<u32>| {
            if place[state].is_none() {
                targets.extend(next(state).iter().filter(|to| place[**to as usize].is_none()));
            }
        };
        let sort = |component: &[u32]| {
            let state = component[0];
            if component.len() > 1 || next(state as usize).contains(&state) {
                if place[state as usize].is_none() {
                    cyclic.push(component.to_vec());
                }
            } else if place[state as usize].is_none() {
                interior.push(state);
            }
            Ok::<(), ()>(())
        };
        each_component(place.len(), append_targets, sort).expect("nothing fails");
        cyclic
    }

    /// Removes from each component the states with at least half as many paths through them (edges
    /// in times edges out) as any other, if these are few; else a share of those with the most.
    fn remove_most_used<'g>(&mut self, components: &[Vec<u32>], next: impl Fn(usize) -> &'g [u32]) {
        let mut component_of = vec![None; self.place.len()];
        for (number, component) in components.iter().enumerate() {
            for state in component {
                component_of[*state as usize] = Some(number);
            }
        }
        let mut paths_from = vec![0u64; self.place.len()];
        let mut paths_to = vec![0u64; self.place.len()];
        for source in components.iter().flatten().map(|state| *state as usize) {
            for target in next(source).iter().map(|state| *state as usize) {
                if component_of[target] == component_of[source] {
                    paths_from[source] += 1;
                    paths_to[target] += 1;
                }
            }
        }
        for component in components {
            let paths = |state: u32| paths_from[state as usize] * paths_to[state as usize];
            let most = component.iter().map(|state| paths(*state)).max().unwrap_or(0);
            let mut used: Vec<u32> = component.clone();
            used.retain(|state| 2 * paths(*state) >= most);
            if used.len() * FEW > component.len() {
                used.retain(|state| paths(*state) == most);
                used.truncate(1 + component.len() / AT_ONCE);
            }
            for state in used {
                self.place[state as usize] = Some(self.feedback.len() as u32);
                self.feedback.push(state);
            }
        }
    }
}
