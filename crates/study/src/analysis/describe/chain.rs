//! A game between two players as a Markov chain whose step is a whole turn: the positions in which
//! turns begin, and where these lead.
//!
//! Its strongly connected components are solved one after another by [`crate::solve`]'s own code:
//! win rates as [`Component`]s, with proven bounds, and the expected numbers of turns by
//! [`visits`].

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use crate::chains::{self, UnsolvedSystem, each_component};
use crate::component::{self, Component};
use crate::dice::Weight;
use crate::game::{End, Plan, Space, Successor};
use crate::limits;
use crate::solve::{SolveError, Watch};

use super::turn::{Roller, TurnOutcome, Turns};

/// A share of unfinished games small enough to ignore: smaller than any printed digit.
const NEGLIGIBLE: f64 = 1e-13;

/// Whether to go on is asked once in so many components, and only in those of as many nodes.
const CHECKED_EVERY: usize = 64;

/// Marks a position in which no turn begins, or a node that is not in a component.
const NONE: u32 = u32::MAX;

/// The weight of a certain outcome: shares are multiples of 2^-100.
const CERTAIN: f64 = (1_u128 << 100) as f64;

/// A double's unit: how much it is off near 1.
const UNIT: f64 = f64::EPSILON / 2.0;

/// Where the turns of all nodes lead, in compressed rows.
pub(super) struct Rows {
    /// By node, and the end of the last: its first transition.
    first: Vec<usize>,
    /// By transition: the node it leads to, and its probability.
    to: Vec<u32>,
    share: Vec<f64>,
    /// By node: the probability that its turn ends the game, by [`End`].
    ends: Vec<[f64; 3]>,
    /// By node: how much all these probabilities are off together, in [`UNIT`]s.
    off: Vec<f64>,
}

impl Rows {
    fn new() -> Self {
        Self {
            first: vec![0],
            to: Vec::new(),
            share: Vec::new(),
            ends: Vec::new(),
            off: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.off.len()
    }

    /// Appends the turn of the next node, given its outcomes and how much they are off.
    fn push(
        &mut self,
        outcomes: &[TurnOutcome],
        off: f64,
        mut node: impl FnMut(usize, bool) -> u32,
    ) {
        let mut ends = [0.0; 3];
        for (share, after) in outcomes {
            match *after {
                Successor::End(end) => ends[end as usize] += share,
                Successor::Next { to, again } => {
                    self.to.push(node(to, again));
                    self.share.push(*share);
                }
            }
        }
        self.ends.push(ends);
        self.off.push(off);
        self.first.push(self.to.len());
    }

    fn transitions(&self, node: usize) -> Range<usize> {
        self.first[node]..self.first[node + 1]
    }

    fn of(&self, node: usize) -> impl Iterator<Item = (usize, f64)> {
        let transitions = self.transitions(node);
        let to = self.to[transitions.clone()].iter().map(|to| *to as usize);
        to.zip(self.share[transitions].iter().copied())
    }
}

/// The chain of a game. A node is a position in which a turn begins, with the side that moves.
pub(super) struct TurnChain {
    /// The side that moves at each node, and the state as seen by that side.
    pub nodes: Vec<(usize, usize)>,
    /// The node, by side and state, or [`NONE`].
    number: [Vec<u32>; 2],
    rows: Rows,
    /// The probability that the turn at each node changes the lead.
    leads: Vec<f64>,
    /// The strongly connected components, each after all that it leads to.
    components: Vec<Vec<u32>>,
    /// Whether the game can end from each node.
    ends: Vec<bool>,
    /// The start nodes, by the side that moves first.
    pub starts: [usize; 2],
}

/// Probabilities by node, with bounds on their errors in [`UNIT`]s.
struct NodeProbabilities {
    values: Vec<f64>,
    errors: Vec<f64>,
}

/// Side 0's win rates when it moves first and when it moves second.
pub(super) struct Rates {
    pub rates: [f64; 2],
    /// A proven bound on their errors.
    pub error_bound: f64,
}

impl TurnChain {
    /// Builds the chain of two players; `None` if it is too large, or a turn may never end.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work.
    pub fn new(
        turns: &mut Turns,
        players: &[Roller; 2],
        watch: &Watch,
    ) -> Result<Option<Self>, SolveError> {
        let space = turns.game().space();
        let start = turns.game().start();
        let mut number = [vec![NONE; space.states()], vec![NONE; space.states()]];
        let mut nodes = vec![(0, start), (1, start)];
        number[0][start] = 0;
        number[1][start] = 1;
        let mut rows = Rows::new();
        let mut leads = Vec::new();
        while let Some((side, state)) = nodes.get(rows.len()).copied() {
            watch.report(0, 1)?;
            let Some(turn) = turns.from(state, &players[side]) else { return Ok(None) };
            let before = lead(&space, state);
            let mut changes = 0.0;
            for (share, after) in turn.outcomes {
                let after = lead_after(&space, *after);
                changes += if after.is_ne() && after != before { *share } else { 0.0 };
            }
            leads.push(changes);
            rows.push(turn.outcomes, turn.off, |to, again| {
                let side = if again { side } else { 1 - side };
                let number = &mut number[side][to];
                if *number == NONE {
                    *number = nodes.len() as u32;
                    nodes.push((side, to));
                }
                *number
            });
            if rows.to.len() > limits::CHAIN_TRANSITIONS {
                return Ok(None);
            }
        }
        let mut components = Vec::new();
        let mut ends = vec![false; nodes.len()];
        each_component(
            nodes.len(),
            &|node, targets| targets.extend(&rows.to[rows.transitions(node)]),
            &mut |component| {
                let may_end = component.iter().map(|node| *node as usize).any(|node| {
                    rows.ends[node] != [0.0; 3] || rows.of(node).any(|(to, _)| ends[to])
                });
                for node in component {
                    ends[*node as usize] = may_end;
                }
                let mut component = component.to_vec();
                // Turns mostly raise the sum of scores.
                component
                    .sort_by_key(|node| Reverse(space.sum(space.parts(nodes[*node as usize].1).0)));
                components.push(component);
                Ok::<(), SolveError>(())
            },
        )?;
        Ok(Some(Self { nodes, number, rows, leads, components, ends, starts: [0, 1] }))
    }

    /// Returns the probability that a game ends from each node, as [`super::chance_to_end`].
    pub fn chances_to_end(&self, endless: Option<&[Vec<f64>; 2]>) -> Vec<f64> {
        let nodes = self.nodes.iter();
        nodes.map(|(side, state)| super::chance_to_end(endless, *side, *state)).collect()
    }

    /// Returns the probability that a game ends, given that from each node.
    pub fn chance_of_an_end(&self, ending: &[f64]) -> f64 {
        self.starts.iter().map(|start| ending[*start] / 2.0).sum()
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
        let mut chances = vec![0.0; self.nodes.len()];
        for start in self.starts.into_iter().filter(|start| self.ends[*start]) {
            chances[start] += 0.5;
        }
        let mut lengths = Vec::new();
        let mut work = 0;
        while lengths.len() < limits::LENGTH_TURNS
            && work < limits::LENGTH_TRANSITIONS
            && chances.iter().sum::<f64>() > NEGLIGIBLE
        {
            watch.report(0, 1)?;
            let mut next = vec![0.0; chances.len()];
            let mut over = 0.0;
            for (node, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                work += self.rows.transitions(node).len() as u64;
                over += chance * self.rows.ends[node].iter().sum::<f64>();
                for (to, share) in self.rows.of(node).filter(|(to, _)| self.ends[*to]) {
                    next[to] += chance * share;
                }
            }
            lengths.push(over);
            chances = next;
        }
        Ok(lengths)
    }

    /// Returns how often a turn begins at each node, if games stop at nodes for which `stops` is
    /// true and where they can no longer end; with the turns of another player if they are given.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work, or a component is too large to solve.
    pub fn visits(
        &self,
        player: Option<&Rows>,
        stops: &dyn Fn(usize) -> bool,
        watch: &Watch,
    ) -> Result<Vec<f64>, SolveError> {
        let goes_on = |node: usize| self.ends[node] && !stops(node);
        let mut begun = vec![0.0; self.nodes.len()];
        for start in self.starts {
            begun[start] += 0.5;
        }
        let mut place = vec![NONE; self.nodes.len()];
        // In the order of play.
        for (count, component) in self.components.iter().rev().enumerate() {
            if count.is_multiple_of(CHECKED_EVERY) {
                watch.report(0, 1)?;
            }
            if component.iter().all(|node| begun[*node as usize] == 0.0) {
                continue;
            }
            number_all(&mut place, component);
            let chain = self.within(component, &place, player, &goes_on);
            let entries: Vec<f64> = component.iter().map(|node| begun[*node as usize]).collect();
            let visits = match chain.to.is_empty() {
                true => entries,
                false => chains::visits(chain, &entries, &go_on(component.len(), watch)).map_err(
                    |unsolved| match unsolved {
                        UnsolvedSystem::Stopped => SolveError::Cancelled,
                        UnsolvedSystem::TooLarge => {
                            SolveError::Unproven("a loop of turns has too many paths")
                        }
                    },
                )?,
            };
            for (node, visits) in component.iter().map(|node| *node as usize).zip(visits) {
                begun[node] = visits;
                if goes_on(node) {
                    let onward = self.rows(node, player).of(node);
                    for (to, share) in onward.filter(|(to, _)| place[*to] == NONE) {
                        begun[to] += visits * share;
                    }
                }
            }
            forget_all(&mut place, component);
        }
        Ok(begun)
    }

    /// The turns from each node of a component, whose places in it are `place`, to its nodes.
    fn within(
        &self,
        component: &[u32],
        place: &[u32],
        player: Option<&Rows>,
        goes_on: &dyn Fn(usize) -> bool,
    ) -> chains::Chain<f64> {
        let mut chain = chains::Chain::with_room(component.len(), 4 * component.len());
        for node in component.iter().map(|node| *node as usize) {
            if !goes_on(node) {
                chain.end_state(1.0);
                continue;
            }
            let rows = self.rows(node, player);
            let mut exit: f64 = rows.ends[node].iter().sum();
            for (to, share) in rows.of(node) {
                match place[to] {
                    NONE => exit += share,
                    to => chain.push(to as usize, share),
                }
            }
            chain.end_state(exit);
        }
        chain
    }

    /// Returns another player's win rate as side 0, when each side moves first with probability
    /// 1/2: without a bound on its error, but in less time than [`Self::rates`].
    ///
    /// # Errors
    /// As for [`Self::visits`].
    pub fn average(&self, player: &Rows, watch: &Watch) -> Result<f64, SolveError> {
        let begun = self.visits(Some(player), &|_| false, watch)?;
        let mut won = 0.0;
        let mut ended = 0.0;
        for (node, begun) in begun.iter().enumerate().filter(|(_, begun)| **begun > 0.0) {
            let ends = &self.rows(node, Some(player)).ends[node];
            won += begun * self.value(node, ends);
            ended += begun * ends.iter().sum::<f64>();
        }
        Ok(won + (1.0 - ended) / 2.0)
    }

    /// The rows in which the turn at a node is found.
    fn rows<'r>(&'r self, node: usize, player: Option<&'r Rows>) -> &'r Rows {
        player.filter(|_| self.nodes[node].0 == 0).unwrap_or(&self.rows)
    }

    /// What side 0 wins by the ends of the turn at a node, given their probabilities.
    fn value(&self, node: usize, ends: &[f64; 3]) -> f64 {
        let won = if self.nodes[node].0 == 0 { End::Won } else { End::Lost };
        ends[won as usize] + ends[End::Tied as usize] / 2.0
    }

    /// Returns the probability that a side wins with the turn at a node.
    pub fn chance_to_win(&self, node: usize, side: usize) -> f64 {
        let won = if self.nodes[node].0 == side { End::Won } else { End::Lost };
        self.rows.ends[node][won as usize]
    }

    /// Returns the probability that a game is tied, given how often a turn begins at each node.
    pub fn chance_of_a_tie(&self, begun: &[f64]) -> f64 {
        let ties = self.rows.ends.iter().map(|ends| ends[End::Tied as usize]);
        super::sum(begun.iter().zip(ties).map(|(begun, tie)| begun * tie))
    }

    /// Returns the expected number of lead changes, given how often a turn begins at each node.
    pub fn lead_changes(&self, begun: &[f64]) -> f64 {
        let nodes = (0..begun.len()).filter(|node| self.ends[*node]);
        super::sum(nodes.map(|node| begun[node] * self.leads[node]))
    }

    /// Returns the turns of another plan as side 0, if that begins turns only at nodes of this
    /// chain, and each of them ends.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work.
    pub fn of_plan(
        &self,
        turns: &mut Turns,
        plan: &Plan,
        watch: &Watch,
    ) -> Result<Option<Rows>, SolveError> {
        let roller = Roller::Plan(plan);
        self.of_player(
            |state, outcomes| {
                let turn = turns.from(state, &roller)?;
                outcomes.extend(turn.outcomes);
                Some(turn.off)
            },
            watch,
        )
    }

    /// Returns the turns of another player as side 0, if that begins turns only at nodes of this
    /// chain; `turn` appends the outcomes of the turn at a state, and returns how much they are
    /// off, or `None` if it may never end.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work.
    pub fn of_player(
        &self,
        mut turn: impl FnMut(usize, &mut Vec<TurnOutcome>) -> Option<f64>,
        watch: &Watch,
    ) -> Result<Option<Rows>, SolveError> {
        let mut rows = Rows::new();
        let mut outcomes = Vec::new();
        for (side, state) in &self.nodes {
            outcomes.clear();
            let mut off = 0.0;
            if *side == 0 {
                watch.report(0, 1)?;
                let Some(turn_off) = turn(*state, &mut outcomes) else { return Ok(None) };
                off = turn_off;
            }
            rows.push(&outcomes, off, |to, again| self.number[usize::from(!again)][to]);
        }
        Ok((!rows.to.contains(&NONE)).then_some(rows))
    }

    /// Returns side 0's win rates, with the turns of another player if they are given.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work, or the rates are not proven.
    pub fn rates(&self, player: Option<&Rows>, watch: &Watch) -> Result<Rates, SolveError> {
        let won =
            self.values(player, Component::new(), &|node, ends| self.value(node, ends), watch)?;
        let [first, second] = self.starts;
        Ok(Rates {
            rates: [won.values[first], won.values[second]],
            error_bound: won.errors[first].max(won.errors[second]) * UNIT,
        })
    }

    /// Returns the probabilities that a game never ends, if side 0 moves first and if it moves
    /// second.
    ///
    /// # Errors
    /// As for [`Self::rates`].
    pub fn endless(&self, player: Option<&Rows>, watch: &Watch) -> Result<[f64; 2], SolveError> {
        let game = Component::new().with_endless(1.0);
        let endless = self.values(player, game, &|_, _| 0.0, watch)?;
        Ok(self.starts.map(|start| endless.values[start]))
    }

    /// Solves a component after another; `ends` is the value of the ends of a node's turn, given
    /// their probabilities.
    fn values(
        &self,
        player: Option<&Rows>,
        mut game: Component<f64>,
        ends: &dyn Fn(usize, &[f64; 3]) -> f64,
        watch: &Watch,
    ) -> Result<NodeProbabilities, SolveError> {
        let mut found = NodeProbabilities {
            values: vec![0.0; self.nodes.len()],
            errors: vec![0.0; self.nodes.len()],
        };
        let mut place = vec![NONE; self.nodes.len()];
        for (count, nodes) in self.components.iter().enumerate() {
            if count.is_multiple_of(CHECKED_EVERY) {
                watch.report(0, 1)?;
            }
            game.clear();
            number_all(&mut place, nodes);
            for node in nodes.iter().map(|node| *node as usize) {
                let rows = self.rows(node, player);
                let value = ends(node, &rows.ends[node]);
                found.read(rows, node, value, &place, &mut game);
            }
            forget_all(&mut place, nodes);
            let solved = game.solve_in_doubles(&go_on(nodes.len(), watch));
            let solved = solved.map_err(|unsolved| match unsolved {
                component::Unsolved::Stopped => SolveError::Cancelled,
                _ => SolveError::Unproven("a loop of turns may last too long"),
            })?;
            for (at, node) in nodes.iter().map(|node| *node as usize).enumerate() {
                found.values[node] = solved.values[at];
                found.errors[node] = solved.errors[at][0].max(solved.errors[at][1]);
            }
        }
        Ok(found)
    }
}

impl NodeProbabilities {
    /// Reads the turn at a node into the component that `place` numbers. All values are those of
    /// one side, whoever moves.
    fn read(
        &self,
        rows: &Rows,
        node: usize,
        of_ends: f64,
        place: &[u32],
        game: &mut Component<f64>,
    ) {
        let mut chance: f64 = rows.ends[node].iter().sum();
        let mut value = of_ends;
        let mut error = 0.0;
        let mut total = 0;
        for (to, share) in rows.of(node) {
            if place[to] == NONE {
                chance += share;
                value += share * self.values[to];
                error += share * self.errors[to];
            } else {
                total += weight(share);
            }
        }
        total += weight(chance);
        game.begin_choice(total);
        if weight(chance) > 0 {
            // The value, the chance and the errors are sums of products; then they are divided.
            let roundings = 3.0 * rows.transitions(node).len() as f64 + 8.0;
            game.leave(
                weight(chance),
                &(value / chance).min(1.0),
                error / chance + roundings,
                true,
            );
        }
        for (to, share) in rows.of(node).filter(|(to, _)| place[*to] != NONE) {
            game.lead(place[to] as usize, weight(share), true);
        }
        // Once for themselves, and once for their sum, which is to be 1.
        game.misread(2.0 * rows.off[node]);
        game.end_choice();
        game.end_node();
    }
}

fn weight(share: f64) -> Weight {
    (share * CERTAIN) as Weight
}

/// Whether to go on, which is asked only in components that take long.
fn go_on(nodes: usize, watch: &Watch) -> impl Fn() -> bool {
    move || nodes < CHECKED_EVERY || watch.step(0, 1)
}

/// Numbers the nodes of a component.
fn number_all(place: &mut [u32], component: &[u32]) {
    for (number, node) in component.iter().enumerate() {
        place[*node as usize] = number as u32;
    }
}

fn forget_all(place: &mut [u32], component: &[u32]) {
    for node in component {
        place[*node as usize] = NONE;
    }
}

/// Compares the mover's score with the opponent's.
fn lead(space: &Space, state: usize) -> Ordering {
    let (score, opponent) = space.scores(space.parts(state).0);
    score.cmp(&opponent)
}

/// Compares the scores of the player who moved, and of the other.
fn lead_after(space: &Space, after: Successor) -> Ordering {
    match after {
        Successor::End(End::Won) => Ordering::Greater,
        Successor::End(End::Lost) => Ordering::Less,
        Successor::End(End::Tied) => Ordering::Equal,
        Successor::Next { to, again: true } => lead(space, to),
        Successor::Next { to, again: false } => lead(space, to).reverse(),
    }
}
