//! Exact dynamic programming where play may return to where it was.
//!
//! A [`Component`] is a game of two players: at each *node* one of them moves, and takes a
//! *choice*; its outcomes lead to other nodes, or leave the component for a known value. All values
//! are those of the player who moves. An outcome after which the *same* player moves again has the
//! value of its node, any other the complement. **Play that never ends is worth one half.** This is
//! a recursive game (Everett, 1957) with perfect information; its values are the least and the
//! largest that the players can secure, each without memory.
//!
//! Outcomes may lead to a *menu* ([`Menus`]): a choice *after* chance, such as which dice to keep.
//! Of its options the mover of the turn takes the best. It is the same as a node of that player,
//! each of whose choices moves on with certainty; sweeps read menus as they are, and all other
//! methods such nodes (`menus`).
//!
//! ```
//! use hog_solve::component::Component;
//! // The first to roll a six wins: a turn wins with 1/6, else the other player rolls.
//! let mut game = Component::<f64>::new();
//! game.begin_choice(6);
//! game.end(1, 2); // one roll wins: two halves
//! game.lead(0, 5, false); // five lead to the same node, with the other player
//! game.end_choice();
//! game.end_node();
//! let solved = game.solve(None, &|| true).expect("it is small");
//! assert!((solved.values[0] - 6.0 / 11.0).abs() < 1e-15);
//! let [below, above] = solved.errors[0]; // in units of 2^-53
//! assert!(below < 1000.0 && above < 1000.0);
//! ```
//!
//! # Methods
//!
//! | method | for | how |
//! |---|---|---|
//! | `policy` | all | policy iteration; each pair of policies leaves a Markov chain |
//! | `sweeps` | doubles, many nodes | value iteration while it converges; then `policy` |
//!
//! Each yields values; `proof` proves bounds on their errors, and `best` says which choices are
//! best. `docs/proofs.md` states the theorems.

mod best;
mod menus;
mod places;
mod policy;
mod proof;
mod sweeps;

pub use crate::linear::{Number, Twofold};
pub(crate) use best::Tolerance;

use std::any::Any;
use std::convert::Infallible;
use std::ops::Range;

use crate::dice::Weight;
use crate::linear::{GoOn, each_component};
use menus::ComponentMenus;
pub use menus::Menus;
use sweeps::SweptValues;

/// A component in compressed rows, in numbers of some type. It is built node by node, choice by
/// choice, outcome by outcome.
#[derive(Clone, Debug)]
pub struct Component<N: Number> {
    /// The value of endless play.
    endless: N,
    /// By node, and the end of the last: its first choice.
    first_choice: Vec<u32>,
    /// By choice, and the end of the last: its first edge.
    first_edge: Vec<u32>,
    /// By edge: twice the node it leads to, plus 1 if the same player moves there.
    to: Vec<u32>,
    /// By edge: its probability.
    chance: Vec<N>,
    /// By choice: the probability of leaving.
    exit: Vec<N>,
    /// By choice: the value of leaving times its probability.
    leaving: Vec<N>,
    /// By choice: a bound on the error of that, in units.
    leaving_error: Vec<f64>,
    /// Whether any outcome leads back to a node.
    has_edges: bool,
    /// Nodes with a choice that always leads back to them, which counts as leaving.
    staying: Vec<u32>,
    /// The menus, if there are any.
    menus: Option<Box<ComponentMenus<N>>>,
    open: OpenChoice,
}

/// A choice that is being built.
#[derive(Clone, Debug, Default)]
struct OpenChoice {
    total: Weight,
    /// The weight of outcomes that lead to nodes.
    staying: Weight,
    /// The outcomes that end the game, as halves of a win.
    halves: Weight,
    edges: Vec<(u32, Weight)>,
}

/// The most feedback nodes, over all choices, for which one order of evaluation serves all
/// policies: each evaluation takes as many passes.
const FEEDBACK_NODES: usize = 64;
/// The most nodes for which such an order is looked for: with more, that takes as long as sweeps.
const ORDERED_NODES: usize = 20_000;
/// The fewest nodes that are swept first: fewer are eliminated in less time.
const SWEPT_NODES: usize = 64;

/// Values to start from, in doubles.
#[derive(Clone, Copy, Debug)]
pub struct Near<'v> {
    /// By node: the mover's win rate.
    pub values: &'v [f64],
    /// How far they may be off, infinite if that is not known: of a menu, options that are worse by
    /// more are left out.
    pub off: f64,
}

/// The values of a component.
#[derive(Clone, Debug)]
pub struct Solved<N> {
    /// By node: the mover's win rate.
    pub values: Vec<N>,
    /// By node: bounds on how far the true value is below and above, in units of
    /// [`Number::units`]; 0 in exact numbers.
    pub errors: Vec<[f64; 2]>,
}

/// Why a component is not solved.
#[derive(Clone, Debug, PartialEq)]
pub enum Unsolved {
    /// The caller stopped it.
    Stopped,
    /// Its linear systems take too much work.
    TooLarge,
    /// The errors of these values, by node, are not bounded.
    Unproven(Vec<f64>),
}

impl From<crate::linear::UnsolvedSystem> for Unsolved {
    fn from(unsolved: crate::linear::UnsolvedSystem) -> Self {
        match unsolved {
            crate::linear::UnsolvedSystem::Stopped => Self::Stopped,
            crate::linear::UnsolvedSystem::TooLarge => Self::TooLarge,
        }
    }
}

impl<N: Number> Default for Component<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl Component<f64> {
    /// [`Self::solve`] in doubles, which is compiled here, once, and not again in each crate that
    /// calls it.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn solve_in_doubles(&self, go_on: GoOn) -> Result<Solved<f64>, Unsolved> {
        self.solve(None, go_on)
    }
}

impl<N: Number> Component<N> {
    /// An empty component, in which endless play is worth one half.
    pub fn new() -> Self {
        Self {
            endless: N::ratio(1, 2),
            first_choice: vec![0],
            first_edge: vec![0],
            to: Vec::new(),
            chance: Vec::new(),
            exit: Vec::new(),
            leaving: Vec::new(),
            leaving_error: Vec::new(),
            has_edges: false,
            staying: Vec::new(),
            menus: None,
            open: OpenChoice::default(),
        }
    }

    /// Sets the value of endless play: with 1, no win and the same player always moving on, values
    /// are the probabilities that play never ends.
    #[must_use]
    pub fn with_endless(self, value: N) -> Self {
        Self { endless: value, ..self }
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.first_choice.truncate(1);
        self.first_edge.truncate(1);
        self.to.clear();
        self.chance.clear();
        self.exit.clear();
        self.leaving.clear();
        self.leaving_error.clear();
        self.has_edges = false;
        self.staying.clear();
        if let Some(menus) = &mut self.menus {
            menus.clear();
        }
    }

    /// Begins a choice of the node that is being built; `total` is the sum of the weights of all
    /// its outcomes.
    pub fn begin_choice(&mut self, total: Weight) {
        self.open.total = total;
        self.open.staying = 0;
        self.open.halves = 0;
        self.open.edges.clear();
        self.leaving.push(N::ZERO);
        self.leaving_error.push(0.0);
    }

    /// Adds outcomes that end the game: with 2, 1 or 0 halves of a win.
    pub fn end(&mut self, weight: Weight, halves: u8) {
        self.open.halves += weight * Weight::from(halves);
    }

    /// Adds outcomes that leave for a known value of the player who moves next, with a bound on its
    /// error in units.
    pub fn leave(&mut self, weight: Weight, value: &N, error: f64, again: bool) {
        let at = self.leaving.len() - 1;
        let complement = N::ONE.minus(value);
        let value = if again { value } else { &complement };
        if weight == self.open.total {
            self.leaving[at] = value.clone();
            self.leaving_error[at] = error + if again || N::IS_EXACT { 0.0 } else { 1.0 };
            return;
        }
        let chance = N::ratio(weight, self.open.total);
        self.leaving[at] = self.leaving[at].plus(&chance.times(value));
        if !N::IS_EXACT {
            // The probability, the complement and the product are rounded, then the sum.
            self.leaving_error[at] += chance.to_double() * (error + 3.0) + 1.0;
        }
    }

    /// Says that the probabilities of the choice's outcomes are off, by so many units in all.
    pub fn misread(&mut self, units: f64) {
        let at = self.leaving.len() - 1;
        self.leaving_error[at] += units;
    }

    /// Adds outcomes that lead to a node of the component, of the same player or the other.
    pub fn lead(&mut self, to: usize, weight: Weight, again: bool) {
        let to = 2 * to as u32 + u32::from(again);
        self.open.staying += weight;
        match self.open.edges.last_mut() {
            Some((last, sum)) if *last == to => *sum += weight,
            _ => self.open.edges.push((to, weight)),
        }
    }

    /// Ends a choice.
    pub fn end_choice(&mut self) {
        let at = self.leaving.len() - 1;
        let edges = &mut self.open.edges;
        if !edges.is_sorted_by(|one, other| one.0 < other.0) {
            edges.sort_unstable_by_key(|(to, _)| *to);
            edges.dedup_by(|(to, weight), (before, sum)| {
                let is_same = to == before;
                if is_same {
                    *sum += *weight;
                }
                is_same
            });
        }
        if self.open.halves > 0 {
            let ends = N::ratio(self.open.halves, 2 * self.open.total);
            self.leaving[at] = self.leaving[at].plus(&ends);
            if !N::IS_EXACT {
                self.leaving_error[at] += 2.0;
            }
        }
        if let Some(menus) = &mut self.menus {
            menus.end_choice();
        }
        self.has_edges |= !edges.is_empty();
        let own = self.first_choice.len() as u32 - 1;
        let mut leaves = self.open.total - self.open.staying;
        let has_menus = self.menus.as_ref().is_some_and(|menus| menus.has_any_of_last());
        if leaves == 0 && !has_menus && edges.iter().all(|(to, _)| to / 2 == own) {
            // Who can stay here for ever is worth endless play or more, and no more by staying.
            self.staying.push(own);
            leaves = self.open.total;
            edges.clear();
            self.leaving[at] = self.endless.clone();
        }
        for (to, weight) in edges.drain(..) {
            self.to.push(to);
            self.chance.push(N::ratio(weight, self.open.total));
        }
        self.exit.push(N::ratio(leaves, self.open.total));
        self.first_edge.push(self.to.len() as u32);
    }

    /// Ends a node.
    pub fn end_node(&mut self) {
        self.first_choice.push(self.leaving.len() as u32);
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.first_choice.len() - 1
    }

    /// Whether any outcome leads back to a node.
    pub fn has_edges(&self) -> bool {
        self.has_edges
    }

    /// The number of loops: of strongly connected parts with more than a node that does not lead to
    /// itself.
    pub(crate) fn loops(&self) -> usize {
        let mut loops = 0;
        let mut targets = Vec::new();
        let found: Result<(), Infallible> = each_component(
            self.nodes(),
            &|node, targets| self.append_successors(node, targets),
            &mut |nodes: &[u32]| {
                let own = nodes[0];
                targets.clear();
                self.append_successors(own as usize, &mut targets);
                let stays = targets.contains(&own) || self.staying.contains(&own);
                loops += usize::from(nodes.len() > 1 || stays);
                Ok(())
            },
        );
        let Ok(()) = found;
        loops
    }

    /// Appends the nodes that the choices of a node may lead to, possibly with duplicates.
    fn append_successors(&self, node: usize, targets: &mut Vec<u32>) {
        for choice in self.choices(node) {
            self.append_nodes(choice, targets);
        }
    }

    /// The choices of a node, as numbers of all choices.
    pub fn choices(&self, node: usize) -> Range<usize> {
        self.first_choice[node] as usize..self.first_choice[node + 1] as usize
    }

    fn edges(&self, choice: usize) -> Range<usize> {
        self.first_edge[choice] as usize..self.first_edge[choice + 1] as usize
    }

    /// The edges of a choice: twice the node, plus 1 if the same player moves there; the
    /// probability.
    #[inline(always)]
    fn steps(&self, choice: usize) -> impl Iterator<Item = (usize, &N)> {
        let edges = self.edges(choice);
        self.to[edges.clone()].iter().map(|to| *to as usize).zip(&self.chance[edges])
    }

    /// Whether a choice may leave the component.
    fn may_leave(&self, choice: usize) -> bool {
        self.exit[choice] != N::ZERO
    }

    /// The value of a choice; `both` has for each node its value to the player who does not move
    /// there, and to the one who does.
    #[inline(always)]
    fn value(&self, choice: usize, both: &[N]) -> N {
        self.value_by(choice, both, &mut Vec::new())
    }

    /// As [`Self::value`], with room for the targets of menus.
    #[inline(always)]
    fn value_by(&self, choice: usize, both: &[N], room: &mut Vec<N>) -> N {
        let mut sum = self.leaving[choice].clone();
        for (to, chance) in self.steps(choice) {
            sum = sum.plus(&chance.times(&both[to]));
        }
        match &self.menus {
            Some(menus) => menus.added(choice, sum, both, room),
            None => sum,
        }
    }

    /// The value that a choice leads to with certainty: a mean that needs no rounding.
    fn level<'v>(&self, choice: usize, both: &'v [N]) -> Option<&'v N> {
        if self.has_menus(choice) {
            return None;
        }
        let mut values = self.steps(choice).map(|(to, _)| &both[to]);
        let value = values.next().filter(|_| !self.may_leave(choice))?;
        values.all(|other| other == value).then_some(value)
    }

    /// Returns for each node its value to the player who does not move there, and to the one who
    /// does.
    fn both(&self, values: &[N]) -> Vec<N> {
        values.iter().flat_map(|value| [N::ONE.minus(value), value.clone()]).collect()
    }

    /// Solves the component. `near` are values to start from, if there are any; `go_on` is called
    /// now and then, and returns false to stop.
    ///
    /// # Errors
    /// Returns an error if it is stopped, or its values are not found or not proven.
    pub fn solve(&self, near: Option<Near>, go_on: GoOn) -> Result<Solved<N>, Unsolved> {
        if !self.has_edges {
            return Ok(self.of_known_values());
        }
        if self.menus.is_some() {
            return self.solve_with_menus(near, go_on);
        }
        let order = match self.nodes() <= ORDERED_NODES {
            true => self.order_of_all_choices(&self.reached(), FEEDBACK_NODES),
            false => None,
        };
        if order.is_none()
            && near.is_none()
            && self.nodes() > SWEPT_NODES
            && let Some(doubles) = self.as_doubles()
        {
            return self.solve_by_sweeps(doubles, go_on);
        }
        policy::solve(self, order.map(Into::into), near.map(|near| near.values), go_on)
    }

    /// Sweeps, and goes on by policy iteration where that converges too slowly.
    fn solve_by_sweeps(
        &self,
        doubles: &Component<f64>,
        go_on: GoOn,
    ) -> Result<Solved<N>, Unsolved> {
        let swept = sweeps::solve(doubles, go_on)?;
        if let Some(proven) = self.of_swept(doubles, &swept, go_on)? {
            return Ok(proven);
        }
        policy::solve(self, None, Some(&swept.values), go_on)
    }

    /// Values found by sweeps, if they can be proven.
    fn of_swept(
        &self,
        doubles: &Component<f64>,
        swept: &SweptValues,
        go_on: GoOn,
    ) -> Result<Option<Solved<N>>, Unsolved> {
        if !swept.has_converged {
            return Ok(None);
        }
        let mut errors = proof::by_sweeps(doubles, &swept.values, sweeps::RAISING, go_on)?;
        if errors.is_none() && doubles.menus.is_none() {
            let best = policy::best_choices(doubles, Some(&swept.values));
            errors = proof::by_elimination(doubles, &swept.values, &best, None, go_on)?;
        }
        let values = swept.values.iter().map(|value| N::from_double(*value));
        Ok(errors.map(|errors| Solved { values: values.collect(), errors }))
    }

    /// The component, if its numbers are doubles.
    fn as_doubles(&self) -> Option<&Component<f64>> {
        (self as &dyn Any).downcast_ref()
    }

    fn in_doubles(&self) -> Component<f64> {
        Component {
            endless: self.endless.to_double(),
            first_choice: self.first_choice.clone(),
            first_edge: self.first_edge.clone(),
            to: self.to.clone(),
            chance: self.chance.iter().map(N::to_double).collect(),
            exit: self.exit.iter().map(N::to_double).collect(),
            leaving: self.leaving.iter().map(N::to_double).collect(),
            leaving_error: self.leaving_error.clone(),
            has_edges: self.has_edges,
            staying: self.staying.clone(),
            menus: None,
            open: OpenChoice::default(),
        }
    }

    /// The nodes' values if no outcome leads to another node.
    fn of_known_values(&self) -> Solved<N> {
        let mut solved = Solved { values: Vec::new(), errors: Vec::new() };
        let most_error = self.most_error_of_targets();
        for node in 0..self.nodes() {
            let mut most = N::ZERO;
            let mut error: f64 = 0.0;
            for choice in self.choices(node) {
                let value = self.value(choice, &[]);
                let of_menus = self.error_of_menus(choice, most_error);
                most = if value > most { value } else { most };
                error = error.max(self.leaving_error[choice] + of_menus);
            }
            solved.values.push(most);
            solved.errors.push([if N::IS_EXACT { 0.0 } else { error }; 2]);
        }
        solved
    }
}
