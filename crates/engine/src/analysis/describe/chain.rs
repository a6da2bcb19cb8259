//! A game between two fixed plans as a Markov chain: the reachable states, the turns between them, and the ends.

use std::cmp::Ordering;

use crate::game::{End, Game, Order, Plan};
use crate::solve::{SolveError, Watch, reach};

/// The most transitions that a chain holds; a larger game is simulated instead.
const MOST_TURNS: usize = 8_000_000;

/// A share of unfinished games small enough to ignore: smaller than any printed digit.
const NEGLIGIBLE: f64 = 1e-13;

/// The most turns of a game whose probabilities are computed.
const LONGEST: usize = 20_000;

/// The most transitions followed for these probabilities: some seconds of work.
const MOST_WORK: usize = 10_000_000_000;

/// The chain of a game. A node is a reachable state with the side that moves there. Nodes are ordered by the sum of
/// scores, so that no turn of an acyclic game leads back.
pub(super) struct Chain {
    /// The side that moves at each node, and the state as seen by that side.
    pub nodes: Vec<(usize, usize)>,
    /// The node, by side and state; `u32::MAX` for states that are not reached.
    number: [Vec<u32>; 2],
    /// The index in `turns` of each node's first transition; one entry more than there are nodes.
    offsets: Vec<usize>,
    /// The transitions: the next node (`None` if the game is over) and the probability.
    turns: Vec<(Option<u32>, f64)>,
    /// The probability that the turn at each node changes the lead.
    leads: Vec<f64>,
    /// Whether the game can end from each node.
    ends: Vec<bool>,
    /// The start nodes, by the side that moves first.
    pub starts: [usize; 2],
}

impl Chain {
    /// Builds the chain of two plans; returns `None` if it is too large or `watch` cancels the work.
    pub fn new(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Option<Self> {
        let mut chain = Self::reached(game, plans)?;
        for place in 0..chain.nodes.len() {
            let (side, state) = chain.nodes[place];
            let mut lead = 0.0;
            each_turn(game, (side, state), plans[side], |share, to, takes_lead| {
                lead += if takes_lead { share } else { 0.0 };
                chain.turns.push((to.map(|(side, state)| chain.number[side][state]), share));
            });
            chain.leads.push(lead);
            chain.offsets.push(chain.turns.len());
        }
        let ends = match game.order() {
            Order::Acyclic => None,
            _ => Some(game.may_end(plans, &|| watch.step(0, 1))?),
        };
        let may_end = |(side, state): &(usize, usize)| ends.as_ref().is_none_or(|ends| ends[*side][*state]);
        chain.ends = chain.nodes.iter().map(may_end).collect();
        Some(chain)
    }

    /// Finds the nodes; returns a chain without transitions.
    fn reached(game: &Game, plans: [&Plan; 2]) -> Option<Self> {
        let (space, start) = (game.space(), game.start());
        let mut number = [vec![u32::MAX; space.states()], vec![u32::MAX; space.states()]];
        let (mut nodes, mut turns) = (vec![(0, start), (1, start)], 0);
        (number[0][start], number[1][start]) = (0, 0);
        let mut next = 0;
        while let Some((side, state)) = nodes.get(next).copied() {
            each_turn(game, (side, state), plans[side], |_, to, _| {
                turns += 1;
                if let Some((side, state)) = to.filter(|(side, state)| number[*side][*state] == u32::MAX) {
                    number[side][state] = 0;
                    nodes.push((side, state));
                }
            });
            next += 1;
            if turns > MOST_TURNS {
                return None;
            }
        }
        nodes.sort_by_key(|(side, state)| (space.sum(space.parts(*state).0), *side, *state));
        for (place, (side, state)) in nodes.iter().enumerate() {
            number[*side][*state] = place as u32;
        }
        let starts = [0, 1].map(|side: usize| number[side][start] as usize);
        let turns = Vec::with_capacity(turns);
        Some(Self { nodes, number, offsets: vec![0], turns, leads: Vec::new(), ends: Vec::new(), starts })
    }

    fn turns(&self, node: usize) -> &[(Option<u32>, f64)] {
        &self.turns[self.offsets[node]..self.offsets[node + 1]]
    }

    /// Returns whether a game can end from a state in which `side` moves.
    pub fn may_end(&self, side: usize, state: usize) -> bool {
        self.ends[self.number[side][state] as usize]
    }

    /// Returns the probabilities that a game ends after exactly 1, 2, ... turns, each side moving first with
    /// probability 1/2. The list breaks off where what is missing is negligible, or its computation too long.
    pub fn lengths(&self) -> Vec<f64> {
        let (mut chances, mut lengths, mut work) = (vec![0.0; self.nodes.len()], Vec::new(), 0);
        self.starts.iter().filter(|start| self.ends[**start]).for_each(|start| chances[*start] += 0.5);
        while lengths.len() < LONGEST && work < MOST_WORK && chances.iter().sum::<f64>() > NEGLIGIBLE {
            let (mut next, mut over) = (vec![0.0; chances.len()], 0.0);
            for (node, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                work += self.turns(node).len();
                for (to, share) in self.turns(node) {
                    match to {
                        Some(to) if self.ends[*to as usize] => next[*to as usize] += chance * share,
                        Some(_) => {}
                        None => over += chance * share,
                    }
                }
            }
            lengths.push(over);
            chances = next;
        }
        lengths
    }

    /// Returns the expected visits to each node, if games stop at nodes for which `stops` is true and where they can no
    /// longer end.
    pub fn visits(
        &self,
        (game, plans): (&Game, [&Plan; 2]),
        stops: impl Fn(usize) -> bool,
        watch: &Watch,
    ) -> Result<Vec<f64>, SolveError> {
        let stops = |side: usize, state: usize| {
            let node = self.number[side][state] as usize;
            !self.ends[node] || stops(node)
        };
        let reach = reach(game, (plans, [0.5, 0.5]), &stops, watch)?;
        Ok(self.nodes.iter().map(|(side, state)| reach.visits[*side][*state]).collect())
    }

    /// Returns the expected number of lead changes, given the expected visits to each node.
    pub fn lead_changes(&self, visits: &[f64]) -> f64 {
        visits
            .iter()
            .zip(&self.leads)
            .zip(&self.ends)
            .map(|((visits, lead), ends)| if *ends { visits * lead } else { 0.0 })
            .sum()
    }
}

/// Calls `visit` with each outcome of a turn: its probability, the next side and state (`None` if the game is over),
/// and whether the lead changes.
fn each_turn(
    game: &Game,
    (side, state): (usize, usize),
    plan: &Plan,
    mut visit: impl FnMut(f64, Option<(usize, usize)>, bool),
) {
    let space = game.space();
    // The mover's score compared with the opponent's.
    let lead = |state: usize| {
        let (cell, _) = space.parts(state);
        (cell / space.goal).cmp(&(cell % space.goal))
    };
    let (before, action) = (lead(state), plan.action(state));
    let total = game.distribution(state, action).1.total as f64;
    for (weight, successor) in game.weighted_successors(state, action) {
        let share = weight as f64 / total;
        let (to, after) = match successor {
            Err(End::Won) => (None, Ordering::Greater),
            Err(End::Lost) => (None, Ordering::Less),
            Err(End::Tied) => (None, Ordering::Equal),
            Ok((to, false)) => (Some((1 - side, to)), lead(to).reverse()),
            Ok((to, true)) => (Some((side, to)), lead(to)),
        };
        visit(share, to, after.is_ne() && after != before);
    }
}
