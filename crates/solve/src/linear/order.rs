//! The order in which the states of a chain are evaluated: feedback states, without which no cycle
//! is left, and all others, each after those that it leads to.

use super::each_component;

/// Several states are removed at once if they are at most one in so many.
const FEW: usize = 8;
/// Of more, at least one in so many of a component: each removal takes as long as all states.
const AT_ONCE: usize = 64;

/// The feedback states of a graph, and the order of the others.
#[derive(Clone, Debug)]
pub(crate) struct EliminationOrder {
    /// All other states, each after all interior states that it leads to.
    pub interior: Vec<u32>,
    pub feedback: Vec<u32>,
    /// By state: its index in `feedback`.
    pub place: Vec<Option<u32>>,
}

/// A graph in compressed rows.
#[derive(Clone, Copy)]
struct GraphRows<'g> {
    first: &'g [u32],
    to: &'g [u32],
}

impl<'g> GraphRows<'g> {
    /// The states that a state leads to.
    fn of(self, state: usize) -> &'g [u32] {
        &self.to[self.first[state] as usize..self.first[state + 1] as usize]
    }
}

impl EliminationOrder {
    /// Removes states from a graph in compressed rows until no cycle is left, in each cycle those
    /// with the most paths through them; `None` if that takes more than `most`.
    pub fn new(first: &[u32], to: &[u32], most: usize) -> Option<Self> {
        let count = first.len() - 1;
        let mut order =
            Self { interior: Vec::new(), feedback: Vec::new(), place: vec![None; count] };
        let graph = GraphRows { first, to };
        loop {
            let cyclic = order.order_interior(graph);
            if cyclic.is_empty() {
                return Some(order);
            }
            order.remove_most_used(&cyclic, graph);
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
        for at in 0..self.interior.len() {
            let state = image(self.interior[at]);
            if !is_known(state) {
                self.interior.push(state);
            }
        }
        for at in 0..self.feedback.len() {
            let state = image(self.feedback[at]);
            if !is_known(state) {
                self.place[state as usize] = Some(self.feedback.len() as u32);
                self.feedback.push(state);
            }
        }
    }

    /// All states, each after the interior states that it leads to.
    pub fn all(&self) -> impl Iterator<Item = usize> {
        self.interior.iter().chain(&self.feedback).map(|state| *state as usize)
    }

    /// Orders the interior states; returns the strongly connected components that still have
    /// cycles.
    fn order_interior(&mut self, graph: GraphRows) -> Vec<Vec<u32>> {
        self.interior.clear();
        let place = &self.place;
        let mut cyclic = Vec::new();
        let searched = each_component(
            place.len(),
            &|state, targets| {
                if place[state].is_none() {
                    let next = graph.of(state).iter();
                    targets.extend(next.filter(|to| place[**to as usize].is_none()));
                }
            },
            &mut |component| {
                let state = component[0];
                if place[state as usize].is_some() {
                    return Ok::<(), ()>(());
                }
                if component.len() > 1 || graph.of(state as usize).contains(&state) {
                    cyclic.push(component.to_vec());
                } else {
                    self.interior.push(state);
                }
                Ok(())
            },
        );
        searched.expect("nothing fails");
        cyclic
    }

    /// Removes from each component the states with at least half as many paths through them (edges
    /// in times edges out) as any other, if these are few; else a share of those with the most.
    fn remove_most_used(&mut self, components: &[Vec<u32>], graph: GraphRows) {
        let mut component_of = vec![None; self.place.len()];
        for (number, component) in components.iter().enumerate() {
            for state in component {
                component_of[*state as usize] = Some(number);
            }
        }
        let mut paths_from = vec![0u64; self.place.len()];
        let mut paths_to = vec![0u64; self.place.len()];
        for source in components.iter().flatten().map(|state| *state as usize) {
            for target in graph.of(source).iter().map(|state| *state as usize) {
                if component_of[target] == component_of[source] {
                    paths_from[source] += 1;
                    paths_to[target] += 1;
                }
            }
        }
        let through = paths_from.iter().zip(paths_to).map(|(from, to)| from * to);
        let through: Vec<u64> = through.collect();
        for component in components {
            let most = component.iter().map(|state| through[*state as usize]).max().unwrap_or(0);
            let mut used: Vec<u32> = component.clone();
            used.retain(|state| 2 * through[*state as usize] >= most);
            if used.len() * FEW > component.len() {
                used.retain(|state| through[*state as usize] == most);
                used.truncate(1 + component.len() / AT_ONCE);
            }
            for state in used {
                self.place[state as usize] = Some(self.feedback.len() as u32);
                self.feedback.push(state);
            }
        }
    }
}
