//! A game between two fixed plans as a Markov chain: the states that are reached, the turns between them, and the ends.

use std::cmp::Ordering;

use crate::game::{End, Game, Plan};

/// The most turns that are held; a game with more is played instead.
const MOST_TURNS: usize = 8_000_000;

/// What is left of all games when they count as over: less than anyone prints.
const NOTHING: f64 = 1e-13;

/// The most turns of a game, and passes over a chain, that are followed.
const LONGEST: usize = 20_000;

/// The chain of a game. Its nodes are the states that are reached, by the side whose turn it is, in order of the sum of scores:
/// in an acyclic game no turn leads back.
pub(super) struct Chain {
    /// The side whose turn it is, and the state as it sees it.
    pub nodes: Vec<(usize, usize)>,
    /// Where each node's turns begin in `turns`.
    begins: Vec<usize>,
    /// Where a turn leads, and its chance; `None` if the game is over then.
    turns: Vec<(Option<u32>, f64)>,
    /// The chance that the turn taken at a node brings another player into the lead.
    leads: Vec<f64>,
    /// Whether the game can end from there.
    ends: Vec<bool>,
    /// The nodes in which each side moves first.
    starts: [usize; 2],
}

impl Chain {
    /// The chain of two plans; `None` if it is too large to be followed.
    pub fn new(game: &Game, plans: [&Plan; 2]) -> Option<Self> {
        let (mut chain, number) = Self::reached(game, plans)?;
        for place in 0..chain.nodes.len() {
            let (side, state) = chain.nodes[place];
            let mut lead = 0.0;
            each_turn(game, (side, state), plans[side], |share, to, takes_lead| {
                lead += if takes_lead { share } else { 0.0 };
                chain.turns.push((to.map(|(side, state)| number[side][state]), share));
            });
            chain.leads.push(lead);
            chain.begins.push(chain.turns.len());
        }
        chain.ends = chain.can_end();
        Some(chain)
    }

    /// The nodes alone, and their numbers by side and state.
    fn reached(game: &Game, plans: [&Plan; 2]) -> Option<(Self, [Vec<u32>; 2])> {
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
        Some((Self { nodes, begins: vec![0], turns, leads: Vec::new(), ends: Vec::new(), starts }, number))
    }

    fn turns(&self, node: usize) -> &[(Option<u32>, f64)] {
        &self.turns[self.begins[node]..self.begins[node + 1]]
    }

    /// From which nodes the game can end at all.
    fn can_end(&self) -> Vec<bool> {
        let mut ends = vec![false; self.nodes.len()];
        loop {
            let mut found = false;
            for node in (0..ends.len()).rev().filter(|node| !ends[*node]).collect::<Vec<_>>() {
                ends[node] = self.turns(node).iter().any(|(to, _)| to.is_none_or(|to| ends[to as usize]));
                found |= ends[node];
            }
            if !found {
                return ends;
            }
        }
    }

    /// The chances of both sides to move first, one half each, by node.
    fn beginning(&self) -> Vec<f64> {
        let mut chances = vec![0.0; self.nodes.len()];
        self.starts.iter().for_each(|start| chances[*start] += 0.5);
        chances
    }

    /// The chance that a game is over after 0, 1, 2, ... turns. Games that cannot end any more are in none of them.
    pub fn lengths(&self) -> Vec<f64> {
        let (mut chances, mut lengths) = (self.beginning(), vec![0.0]);
        while lengths.len() < LONGEST && chances.iter().sum::<f64>() > NOTHING {
            let (mut next, mut over) = (vec![0.0; chances.len()], 0.0);
            for (node, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
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

    /// How often each node is met, if games stop at the nodes of `stops` and where they cannot end any more.
    pub fn visits(&self, stops: impl Fn(usize) -> bool) -> Vec<f64> {
        let (mut waiting, mut visits) = (self.beginning(), vec![0.0; self.nodes.len()]);
        for _ in 0..LONGEST {
            for node in 0..visits.len() {
                let chance = std::mem::take(&mut waiting[node]);
                visits[node] += chance;
                if chance == 0.0 || stops(node) || !self.ends[node] {
                    continue;
                }
                for (to, share) in self.turns(node) {
                    if let Some(to) = to {
                        waiting[*to as usize] += chance * share;
                    }
                }
            }
            // In an acyclic game one pass leaves nothing.
            if waiting.iter().sum::<f64>() <= NOTHING {
                break;
            }
        }
        visits
    }

    /// How many turns bring another player into the lead, from how often each node is met.
    pub fn lead_changes(&self, visits: &[f64]) -> f64 {
        visits
            .iter()
            .zip(&self.leads)
            .zip(&self.ends)
            .map(|((met, lead), ends)| if *ends { met * lead } else { 0.0 })
            .sum()
    }
}

/// Calls `visit` with each outcome of a turn: its chance, whose turn it is then and in which state, and whether another
/// player leads than before.
fn each_turn(
    game: &Game,
    (side, state): (usize, usize),
    plan: &Plan,
    mut visit: impl FnMut(f64, Option<(usize, usize)>, bool),
) {
    let space = game.space();
    // Who is ahead in a state, as its mover sees it.
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
