//! A game between two fixed plans as a Markov chain: the reachable states, the turns between them,
//! and the ends.

use std::cmp::Ordering;
use std::ops::Range;

use crate::game::{End, Game, Order, Plan, Space, Successor};
use crate::solve::{SolveError, Watch, reach};

use super::played::Roller;
use super::turn::Turns;

/// The most transitions that a chain holds; a larger game is simulated instead.
const MOST_TURNS: usize = 8_000_000;

/// A share of unfinished games small enough to ignore: smaller than any printed digit.
const NEGLIGIBLE: f64 = 1e-13;

/// The most turns of a game whose probabilities are computed.
const LONGEST: usize = 20_000;

/// The most transitions followed for these probabilities: some seconds of work.
const MOST_WORK: u64 = 10_000_000_000;

/// The most times that all values of a chain are improved, and those of one sum of scores.
const MOST_SWEEPS: usize = 2000;
const MOST_REPEATS: usize = 20_000;

/// A probability too small to follow.
const NO_FLOW: f64 = 1e-18;

/// Values that change by no more are settled.
const SETTLED: f64 = 1e-15;

/// The largest distance between bounds that have converged.
const CONVERGED: f64 = 1e-10;

/// A transition: the probability, and the next node or the end of the game.
type Transition = (f64, Result<u32, End>);

/// The chain of a game. A node is a reachable state in which a turn begins, with the side that
/// moves there. Nodes are ordered by the sum of scores, so that no turn of an acyclic game leads
/// back.
pub(super) struct Chain {
    /// The side that moves at each node, and the state as seen by that side.
    pub nodes: Vec<(usize, usize)>,
    /// The node, by side and state; `u32::MAX` for states in which no turn begins.
    number: [Vec<u32>; 2],
    /// The places in `turns` of each node's transitions: the first, and that after the last.
    spans: Vec<(usize, usize)>,
    /// The transitions: the next node or the end of the game, and the probability.
    turns: Vec<Transition>,
    /// The probability that the turn at each node changes the lead.
    leads: Vec<f64>,
    /// Whether the game can end from each node.
    ends: Vec<bool>,
    /// The start nodes, by the side that moves first.
    pub starts: [usize; 2],
    /// The nodes of each sum of the scores, ascending.
    stages: Vec<Range<usize>>,
}

impl Chain {
    /// Builds the chain of two plans; returns `None` if it is too large or `watch` cancels the
    /// work.
    pub fn new(turns: &mut Turns, plans: [&Plan; 2], watch: &Watch) -> Option<Self> {
        let mut chain = Self::reached(turns, &plans.map(Roller::Plan), watch)?;
        let game = turns.game();
        if game.order() != Order::Acyclic {
            let ends = game.may_end(plans, &|| watch.step(0, 1))?;
            chain.ends = chain.nodes.iter().map(|(side, state)| ends[*side][*state]).collect();
        }
        Some(chain)
    }

    /// Returns the probability that a game ends from each node, given by state the chances that it
    /// never does; `None` if each game ends.
    pub fn chances_to_end(&self, endless: Option<&[Vec<f64>; 2]>) -> Vec<f64> {
        let ends = |side: usize, state: usize| endless.map_or(1.0, |of| 1.0 - of[side][state]);
        self.nodes.iter().map(|(side, state)| ends(*side, *state)).collect()
    }

    /// Returns the probability that a game ends, given that from each node.
    pub fn chance_of_an_end(&self, ending: &[f64]) -> f64 {
        self.starts.iter().map(|start| ending[*start] / 2.0).sum()
    }

    /// Builds the chain of two players, each of which may be random; in it, each game may end.
    /// Returns `None` if it is too large, a turn may never end, or `watch` cancels the work.
    pub fn reached(turns: &mut Turns, players: &[Roller; 2], watch: &Watch) -> Option<Self> {
        let (space, start) = (turns.game().space(), turns.game().start());
        let mut number = [vec![u32::MAX; space.states()], vec![u32::MAX; space.states()]];
        (number[0][start], number[1][start]) = (0, 1);
        let (mut found, mut all, mut spans, mut leads) =
            (vec![(0, start), (1, start)], Vec::new(), Vec::new(), Vec::new());
        while let Some((side, state)) = found.get(spans.len()).copied() {
            watch.report(0, 1).ok()?;
            let before = (all.len(), lead(&space, state));
            let mut changes = 0.0;
            for (share, after) in turns.from(state, &players[side])? {
                let (to, after) = match after {
                    Successor::End(end) => (Err(*end), lead_at(*end)),
                    Successor::Next { to, again: true } => (Ok((side, *to)), lead(&space, *to)),
                    Successor::Next { to, again: false } => {
                        (Ok((1 - side, *to)), lead(&space, *to).reverse())
                    }
                };
                changes += if after.is_ne() && after != before.1 { *share } else { 0.0 };
                let to = to.map(|(side, state)| {
                    let number = &mut number[side][state];
                    if *number == u32::MAX {
                        *number = found.len() as u32;
                        found.push((side, state));
                    }
                    *number
                });
                all.push((*share, to));
            }
            leads.push(changes);
            spans.push((before.0, all.len()));
            if all.len() > MOST_TURNS {
                return None;
            }
        }
        // Nodes get their final order.
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|place| {
            (space.sum(space.parts(found[*place].1).0), found[*place].0, found[*place].1)
        });
        let mut renamed = vec![0; found.len()];
        order.iter().enumerate().for_each(|(node, place)| renamed[*place] = node as u32);
        found.iter().for_each(|(side, state)| {
            let number = &mut number[*side][*state];
            *number = renamed[*number as usize];
        });
        all.iter_mut()
            .filter_map(|(_, to)| to.as_mut().ok())
            .for_each(|to| *to = renamed[*to as usize]);
        let sum = |node: &usize| space.sum(space.parts(found[order[*node]].1).0);
        let mut firsts: Vec<usize> =
            (0..order.len()).filter(|node| *node == 0 || sum(node) != sum(&(node - 1))).collect();
        firsts.push(order.len());
        Some(Self {
            stages: firsts.windows(2).map(|ends| ends[0]..ends[1]).collect(),
            nodes: order.iter().map(|place| found[*place]).collect(),
            starts: [0, 1].map(|side: usize| number[side][start] as usize),
            number,
            spans: order.iter().map(|place| spans[*place]).collect(),
            turns: all,
            leads: order.iter().map(|place| leads[*place]).collect(),
            ends: vec![true; order.len()],
        })
    }

    fn turns(&self, node: usize) -> &[Transition] {
        &self.turns[self.spans[node].0..self.spans[node].1]
    }

    /// Returns whether a game can end from a state in which `side` begins a turn.
    pub fn may_end(&self, side: usize, state: usize) -> bool {
        self.ends[self.number[side][state] as usize]
    }

    /// Returns the probabilities that a game ends after exactly 1, 2, ... turns, each side moving
    /// first with probability 1/2. The list breaks off where what is missing is negligible, or
    /// its computation too long.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work.
    pub fn lengths(&self, watch: &Watch) -> Result<Vec<f64>, SolveError> {
        let (mut chances, mut lengths, mut work) = (vec![0.0; self.nodes.len()], Vec::new(), 0);
        self.starts
            .iter()
            .filter(|start| self.ends[**start])
            .for_each(|start| chances[*start] += 0.5);
        while lengths.len() < LONGEST
            && work < MOST_WORK
            && chances.iter().sum::<f64>() > NEGLIGIBLE
        {
            watch.report(0, 1)?;
            let (mut next, mut over) = (vec![0.0; chances.len()], 0.0);
            for (node, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                work += self.turns(node).len() as u64;
                for (share, to) in self.turns(node) {
                    match to {
                        Ok(to) if self.ends[*to as usize] => next[*to as usize] += chance * share,
                        Ok(_) => {}
                        Err(_) => over += chance * share,
                    }
                }
            }
            lengths.push(over);
            chances = next;
        }
        Ok(lengths)
    }

    /// Returns how often a turn begins at each node, if games stop at nodes for which `stops` is
    /// true and where they can no longer end.
    pub fn visits(
        &self,
        game: &Game,
        plans: [&Plan; 2],
        stops: &dyn Fn(usize) -> bool,
        watch: &Watch,
    ) -> Result<Vec<f64>, SolveError> {
        if game.rules().has_turns_of_rolls() {
            // The chain has only the turns, and is much smaller than the game, which has their
            // rolls.
            return self.flow(stops, watch);
        }
        let stops = |side: usize, state: usize| {
            let node = self.number[side][state] as usize;
            !self.ends[node] || stops(node)
        };
        let reach = reach(game, plans, [0.5, 0.5], &stops, watch)?;
        Ok(self.nodes.iter().map(|(side, state)| reach.visits[*side][*state]).collect())
    }

    /// Like [`Self::visits`], along the transitions of the chain: from the lowest sum of scores to
    /// the highest, at each sum until nothing is left there; where turns may lower the sum, all
    /// over again.
    fn flow(&self, stops: &dyn Fn(usize) -> bool, watch: &Watch) -> Result<Vec<f64>, SolveError> {
        let goes_on = |node: usize| self.ends[node] && !stops(node);
        let (mut visits, mut coming) = (vec![0.0; self.nodes.len()], vec![0.0; self.nodes.len()]);
        self.starts.iter().for_each(|start| coming[*start] += 0.5);
        for _ in 0..MOST_SWEEPS {
            for stage in &self.stages {
                watch.report(0, 1)?;
                let mut here: Vec<f64> = coming[stage.clone()].to_vec();
                coming[stage.clone()].fill(0.0);
                if here.iter().all(|flow| *flow == 0.0) {
                    continue;
                }
                let within = |node: usize| -> Vec<(f64, usize)> {
                    let turns = if goes_on(node) { self.turns(node) } else { &[] };
                    let to =
                        turns.iter().filter_map(|(share, to)| Some((*share, to.ok()? as usize)));
                    to.filter(|(_, to)| stage.contains(to))
                        .map(|(share, to)| (share, to - stage.start))
                        .collect()
                };
                let within: Vec<Vec<(f64, usize)>> = stage.clone().map(within).collect();
                let (mut passed, mut repeats) = (vec![0.0; here.len()], 0);
                while here.iter().sum::<f64>() > NO_FLOW {
                    watch.report(0, 1)?;
                    for place in 0..here.len() {
                        let flow = std::mem::take(&mut here[place]);
                        passed[place] += flow;
                        within[place].iter().for_each(|(share, to)| here[*to] += flow * share);
                    }
                    repeats += 1;
                    if repeats > MOST_REPEATS {
                        return Err(SolveError::Unproven(
                            "games stay at the same scores for ever, or nearly so",
                        ));
                    }
                }
                for (node, passed) in stage.clone().zip(passed) {
                    visits[node] += passed;
                    let turns = if goes_on(node) { self.turns(node) } else { &[] };
                    let outside =
                        turns.iter().filter_map(|(share, to)| Some((*share, to.ok()? as usize)));
                    outside
                        .filter(|(_, to)| !stage.contains(to))
                        .for_each(|(share, to)| coming[to] += passed * share);
                }
            }
            if coming.iter().sum::<f64>() <= NO_FLOW {
                return Ok(visits);
            }
        }
        Err(SolveError::Unproven("games return to lower sums of scores for ever, or nearly so"))
    }

    /// Returns the probability that a side wins with the turn at a node.
    pub fn chance_to_win(&self, node: usize, side: usize) -> f64 {
        let won = if self.nodes[node].0 == side { End::Won } else { End::Lost };
        self.chance_of(node, won)
    }

    /// Returns the probability that a game is tied, given how often a turn begins at each node.
    pub fn chance_of_a_tie(&self, begun: &[f64]) -> f64 {
        let ties = begun.iter().enumerate();
        ties.fold(0.0, |sum, (node, begun)| sum + begun * self.chance_of(node, End::Tied))
    }

    fn chance_of(&self, node: usize, end: End) -> f64 {
        let ends = self.turns(node).iter().filter(|(_, to)| *to == Err(end));
        ends.fold(0.0, |sum, (share, _)| sum + share)
    }

    /// Returns the expected number of lead changes, given how often a turn begins at each node.
    pub fn lead_changes(&self, begun: &[f64]) -> f64 {
        begun
            .iter()
            .zip(&self.leads)
            .zip(&self.ends)
            .map(|((begun, lead), ends)| if *ends { begun * lead } else { 0.0 })
            .sum()
    }

    /// Returns the chain with the turns of another player as side 0, if that player begins turns
    /// only at nodes of this chain, each of them ends, and `watch` does not cancel the work.
    pub fn with_player(
        &self,
        turns: &mut Turns,
        player: &Roller,
        watch: &Watch,
    ) -> Option<OtherPlayer<'_>> {
        let (mut all, mut spans) = (Vec::new(), Vec::with_capacity(self.nodes.len()));
        for (side, state) in &self.nodes {
            watch.report(0, 1).ok()?;
            let begins = all.len();
            if *side == 0 {
                let node = |(side, state): (usize, usize)| self.number[side][state];
                let of = |after: &Successor| match after {
                    Successor::End(end) => Err(*end),
                    Successor::Next { to, again } => Ok(node((usize::from(!again), *to))),
                };
                all.extend(
                    turns.from(*state, player)?.iter().map(|(share, after)| (*share, of(after))),
                );
            }
            spans.push((begins, all.len()));
        }
        if all.iter().any(|(_, to)| *to == Ok(u32::MAX)) {
            return None;
        }
        Some(OtherPlayer { chain: self, turns: all, spans })
    }

    /// Returns bounds on side 0's win rate when it moves first and when it moves second; `None` if
    /// they do not converge, or `watch` cancels the work.
    pub fn rates(&self, order: Order, watch: &Watch) -> Option<[[f64; 2]; 2]> {
        self.bounds(order, &|node| self.turns(node), watch)
    }

    /// Returns the bounds of [`Self::rates`], given the transitions of each node.
    ///
    /// Each node's value lies between two numbers, 0 and 1 at first. They are improved from the
    /// highest sum of scores to the lowest, at each sum until nothing changes; where turns may
    /// lower the sum, all over again.
    fn bounds<'t>(
        &self,
        order: Order,
        turns: &dyn Fn(usize) -> &'t [Transition],
        watch: &Watch,
    ) -> Option<[[f64; 2]; 2]> {
        let mut values = vec![[0.0, 1.0]; self.nodes.len()];
        let bounds = |values: &[[f64; 2]], node: usize, (share, to): &Transition| match to {
            Err(end) => [0, 1].map(|_| share * (1.0 - end.value_to_opponent())),
            Ok(to) if self.nodes[*to as usize].0 == self.nodes[node].0 => {
                values[*to as usize].map(|value| share * value)
            }
            Ok(to) => {
                let [low, high] = values[*to as usize];
                [share * (1.0 - high), share * (1.0 - low)]
            }
        };
        let plus = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        for _ in 0..MOST_SWEEPS {
            let mut change = 0.0_f64;
            for stage in self.stages.iter().rev() {
                let here =
                    |to: &Result<u32, End>| to.is_ok_and(|to| stage.contains(&(to as usize)));
                // What leads out of the stage is fixed while the stage is repeated.
                let mut nodes: Vec<(usize, [f64; 2], Vec<Transition>)> = stage
                    .clone()
                    .map(|node| {
                        let outside = turns(node).iter().filter(|(_, to)| !here(to));
                        let fixed = outside
                            .fold([0.0; 2], |sum, turn| plus(sum, bounds(&values, node, turn)));
                        (
                            node,
                            fixed,
                            turns(node).iter().copied().filter(|(_, to)| here(to)).collect(),
                        )
                    })
                    .collect();
                for _ in 0..MOST_REPEATS {
                    watch.report(0, 1).ok()?;
                    let mut moved = 0.0_f64;
                    for (node, fixed, inside) in &mut nodes {
                        let sum = inside
                            .iter()
                            .fold(*fixed, |sum, turn| plus(sum, bounds(&values, *node, turn)));
                        moved = moved.max(sum[0] - values[*node][0]).max(values[*node][1] - sum[1]);
                        values[*node] = sum;
                    }
                    change = change.max(moved);
                    if moved <= SETTLED {
                        break;
                    }
                }
            }
            if order != Order::Recurrent || change <= SETTLED {
                let [first, second] = self.starts.map(|start| values[start]);
                let rates = [first, [1.0 - second[1], 1.0 - second[0]]];
                return rates.iter().all(|[low, high]| high - low <= CONVERGED).then_some(rates);
            }
        }
        None
    }
}

/// A chain in which side 0 is another player.
pub(super) struct OtherPlayer<'c> {
    chain: &'c Chain,
    turns: Vec<Transition>,
    spans: Vec<(usize, usize)>,
}

impl OtherPlayer<'_> {
    /// As [`Chain::rates`].
    pub fn rates(&self, order: Order, watch: &Watch) -> Option<[[f64; 2]; 2]> {
        let turns = |node: usize| match self.chain.nodes[node].0 {
            0 => &self.turns[self.spans[node].0..self.spans[node].1],
            _ => self.chain.turns(node),
        };
        self.chain.bounds(order, &turns, watch)
    }
}

/// Compares the mover's score with the opponent's.
fn lead(space: &Space, state: usize) -> Ordering {
    let (score, opponent) = space.scores(space.parts(state).0);
    score.cmp(&opponent)
}

/// Compares the scores of the player who ended the game, and of the other.
fn lead_at(end: End) -> Ordering {
    match end {
        End::Won => Ordering::Greater,
        End::Lost => Ordering::Less,
        End::Tied => Ordering::Equal,
    }
}
