//! States that may lead back to themselves without a change of the scores' sum: found, and solved as loops.
//!
//! Within a layer, the states with such turns form a graph. Its strongly connected components are solved one after
//! another, those that others lead to first: a single state by the Bellman step, a pass loop in closed form
//! (`closed_form`), any other loop as a recursive game (`recursive`).

mod rounds;

use std::collections::HashMap;

use dashu::integer::UBig;
use dashu::rational::RBig;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::game::{DiceSet, DistributionSet, Space, Successor};

use super::arithmetic::{Arithmetic, Payoff, Solved, Source, Weighing};
use super::bellman::{Board, Chooser, Room, Side, pairs};
use super::layout::LayerIndex;

/// What a state's action offers.
struct Choice<W> {
    /// The action, or several that never stay and tie.
    actions: DiceSet,
    /// Its value if every turn that stays in the layer won.
    base: Vec<W>,
    /// The turns that stay: to which node, whether the mover goes on, and their weight.
    stays: Vec<(usize, bool, u64)>,
    total: u64,
}

impl<W> Choice<W> {
    /// The node that the move surely passes to, if it does just that.
    fn pass(&self) -> Option<usize> {
        match self.stays[..] {
            [(node, false, weight)] if weight == self.total => Some(node),
            _ => None,
        }
    }
}

/// A state of the layer whose turns may stay in it.
struct Node<W> {
    side: usize,
    /// Where its number begins.
    word: usize,
    choices: Vec<Choice<W>>,
    fixed: bool,
}

/// A node's result.
pub(super) struct Settled<W> {
    pub side: usize,
    /// Where its number begins.
    pub word: usize,
    /// Its place among the layer's states.
    pub state: usize,
    pub value: Vec<W>,
    pub set: DiceSet,
}

/// The states of some cells of one layer, to be solved together.
pub(super) struct LayerLoops<'a, A: Arithmetic> {
    board: Board<'a, A>,
    payoff: Payoff,
    layer: LayerIndex,
    nodes: Vec<Node<A::Word>>,
    values: Vec<Option<(Vec<A::Word>, DiceSet)>>,
    /// How many loops were solved.
    pub loops: usize,
}

/// True if some turn from the cell leaves the sum of scores as it is.
pub(super) fn may_stay<A>(board: &Board<A>, cell: usize) -> bool {
    let outcomes = board.game.action_set(cell).by_shared.iter().flat_map(DistributionSet::staying_outcomes);
    outcomes.map(|landing| board.game.successor(cell, landing)).any(|next| stays(&board.layout.space, cell, next))
}

/// True if some turn from the cell leads to one of `cells`, all of its own layer.
pub(super) fn may_stay_among<A>(board: &Board<A>, cell: usize, cells: &[usize]) -> bool {
    let outcomes = board.game.action_set(cell).by_shared.iter().flat_map(DistributionSet::staying_outcomes);
    outcomes.map(|landing| board.game.successor(cell, landing)).any(|next| match next {
        Successor::End(_) => false,
        Successor::Passed { cell, .. } | Successor::Again { cell, .. } => cells.contains(&cell),
    })
}

/// True if a turn from the cell with that successor leaves the sum of scores as it is.
pub(super) fn stays(space: &Space, cell: usize, successor: Successor) -> bool {
    match successor {
        Successor::End(_) => false,
        Successor::Passed { cell: next, .. } | Successor::Again { cell: next, .. } => {
            space.sum(next) == space.sum(cell)
        }
    }
}

impl<'a, A: Arithmetic> LayerLoops<'a, A> {
    /// Solves the states of `cells`, all of one layer, on all sides, from everything solved before.
    pub fn solve(
        board: Board<'a, A>,
        payoff: Payoff,
        sides: &[Side],
        cells: &[usize],
        known: &Solved<A::Word>,
    ) -> (Vec<Settled<A::Word>>, usize) {
        let mut loops = Self::new(board, payoff, cells);
        for side in sides {
            loops.read(side, sides.len(), cells, known);
        }
        loops.finish(cells)
    }

    fn new(board: Board<'a, A>, payoff: Payoff, cells: &[usize]) -> Self {
        let layer = board.layout.layer_of(cells[0]);
        Self { board, payoff, layer, nodes: Vec::new(), values: Vec::new(), loops: 0 }
    }

    fn finish(mut self, cells: &[usize]) -> (Vec<Settled<A::Word>>, usize) {
        self.values.resize_with(self.nodes.len(), || None);
        for component in self.components() {
            self.settle(&component);
        }
        (self.settled(cells), self.loops)
    }

    /// Reads the choices of all states of the cells on one side.
    fn read(&mut self, side: &Side, sides: usize, cells: &[usize], solved: &Solved<A::Word>) {
        let (board, space) = (self.board, self.board.layout.space);
        let words = board.layout.words(self.layer);
        let place_of: HashMap<usize, usize> = cells.iter().enumerate().map(|(place, cell)| (*cell, place)).collect();
        let node_at = |side: usize, cell: usize, place: usize| {
            place_of.get(&cell).map(|at| ((side % sides) * cells.len() + at) * space.per_cell() + place)
        };
        let mut room = Room::<A>::default();
        for cell in cells {
            let first_word = board.layout.first_word_of(*cell);
            let first_node = self.nodes.len();
            self.nodes.extend((0..space.per_cell()).map(|place| Node {
                side: side.own,
                word: first_word + place * words,
                choices: Vec::new(),
                fixed: matches!(side.chooser, Chooser::Fixed(_)),
            }));
            let panel = board.game.action_set(*cell);
            for (shared, offer) in panel.by_shared.iter().enumerate() {
                board.wanted(side, *cell, shared, &mut room.wanted);
                let successors: Vec<Successor> =
                    offer.outcomes.iter().map(|landing| board.game.successor(*cell, landing)).collect();
                // Where a landing leads if it stays among the cells: the node, given the opponent's memory.
                let near: Vec<bool> = successors.iter().map(|next| stays(&space, *cell, *next)).collect();
                let stay = |landing: usize, theirs: usize| match successors[landing] {
                    _ if !near[landing] => None,
                    Successor::Passed { cell, shared, theirs: mine } => {
                        Some((node_at(side.other, cell, space.state(0, shared, mine, theirs))?, false))
                    }
                    Successor::Again { cell, shared, mine } => {
                        Some((node_at(side.own, cell, space.state(0, shared, theirs, mine))?, true))
                    }
                    Successor::End(_) => None,
                };
                let open = |landing: usize| stay(landing, 0).is_some();
                let source =
                    |landing: usize| if open(landing) { Source::Open } else { board.source(side, successors[landing]) };
                let spot = board.spot(side, *cell);
                let weighing = Weighing { offer, wanted: &room.wanted, lanes: space.mine, layer: self.layer, spot };
                let numbers = (&mut room.scratch, &mut room.expected);
                board.arithmetic.expect(&weighing, source, solved, numbers);
                for (mine, theirs) in pairs(space.mine) {
                    let place = space.state(0, shared, theirs, mine);
                    let actions = match side.chooser {
                        Chooser::Best => 0..space.actions,
                        Chooser::Fixed(plan) => {
                            let action = plan.action(space.state(*cell, shared, theirs, mine));
                            action..action + 1
                        }
                    };
                    let choice = |action: usize| {
                        let index = usize::from(panel.distributions(&space, (shared, mine, theirs))[action]);
                        let lottery = &offer.distributions[index];
                        let first = (index * space.mine + theirs) * words;
                        let stays = lottery.outcomes.iter().filter_map(|(landing, weight)| {
                            stay(usize::from(*landing), theirs).map(|(node, again)| (node, again, *weight))
                        });
                        Choice {
                            actions: 1 << action,
                            base: room.expected[first..first + words].to_vec(),
                            stays: stays.collect(),
                            total: lottery.total,
                        }
                    };
                    self.nodes[first_node + place].choices = actions.map(choice).collect();
                }
            }
        }
    }

    /// The strongly connected components, each after all that it leads to.
    fn components(&self) -> Vec<Vec<usize>> {
        let edges = self.nodes.iter().enumerate().flat_map(|(from, node)| {
            node.choices.iter().flat_map(|choice| &choice.stays).map(move |(to, _, _)| (from as u32, *to as u32))
        });
        let mut graph = DiGraph::<(), ()>::from_edges(edges);
        while graph.node_count() < self.nodes.len() {
            graph.add_node(());
        }
        kosaraju_scc(&graph).into_iter().map(|nodes| nodes.into_iter().map(NodeIndex::index).collect()).collect()
    }

    fn settle(&mut self, component: &[usize]) {
        let inside = |node: &usize| component.contains(node);
        let stays = |node: &usize| self.nodes[*node].choices.iter().flat_map(|choice| &choice.stays);
        if component.iter().all(|node| stays(node).all(|(to, _, _)| !inside(to))) {
            let node = component[0];
            self.values[node] = Some(self.best(node, |_| true));
            return;
        }
        self.loops += 1;
        let passes =
            |choice: &Choice<A::Word>| choice.pass().is_some() || choice.stays.iter().all(|(to, ..)| !inside(to));
        let pass_loop =
            component.len() <= 2 && component.iter().all(|node| self.nodes[*node].choices.iter().all(passes));
        if pass_loop && self.payoff == Payoff::WinRate {
            self.settle_pass_loop(component);
        } else {
            self.settle_recursive(component);
        }
    }

    /// The value of a choice whose stays are all settled.
    fn value(&self, choice: &Choice<A::Word>) -> Vec<A::Word> {
        let arithmetic = self.board.arithmetic;
        let settled = |node: usize| &self.values[node].as_ref().expect("components come in order").0;
        match choice.stays[..] {
            [] => choice.base.clone(),
            [(node, false, weight)] if weight == choice.total => arithmetic.turned(settled(node), self.layer),
            [(node, true, weight)] if weight == choice.total => settled(node).clone(),
            _ => arithmetic.nearest(&self.settled_part(choice, |_| true), self.layer),
        }
    }

    /// A choice's base with the stays at settled nodes accounted for.
    fn settled_part(&self, choice: &Choice<A::Word>, settled: impl Fn(usize) -> bool) -> RBig {
        let arithmetic = self.board.arithmetic;
        let mut value = arithmetic.to_rational(&choice.base, self.layer);
        for (node, again, weight) in choice.stays.iter().filter(|(node, ..)| settled(*node)) {
            let known = arithmetic.to_rational(&self.values[*node].as_ref().expect("settled").0, self.layer);
            let chance = chance(*weight, choice.total);
            match (self.payoff, again) {
                (Payoff::Endless, _) => value += chance * known,
                (Payoff::WinRate, false) => value -= chance * known,
                (Payoff::WinRate, true) => value -= chance * (RBig::ONE - known),
            }
        }
        value
    }

    /// The best of the choices that `allowed` lets in, whose stays are settled, and the set of its ties.
    fn best(&self, node: usize, allowed: impl Fn(&Choice<A::Word>) -> bool) -> (Vec<A::Word>, DiceSet) {
        let arithmetic = self.board.arithmetic;
        let choices = self.nodes[node].choices.iter().filter(|choice| allowed(choice));
        let offers: Vec<(DiceSet, Vec<A::Word>)> = choices.map(|choice| (choice.actions, self.value(choice))).collect();
        let Some((_, best)) = offers.iter().max_by(|(_, a), (_, b)| arithmetic.compare(a, b)) else {
            return (arithmetic.nearest(&RBig::ZERO, self.layer), 0);
        };
        let tied = offers.iter().filter(|(_, offer)| arithmetic.ties(best, offer, self.layer));
        (best.clone(), tied.fold(0, |set, (actions, _)| set | actions))
    }

    /// Two states that pass to each other, or one that passes to itself: see `RULES.md`, "Games that never end".
    ///
    /// Let leaving be worth x at a and y at b (nothing, if there is no leaving). If x + y >= 1 both leave; else a is
    /// worth the median of x, 1/2 and 1 - y, and b the rest to 1. A player who is ahead must not pass, even where one
    /// step looks the same: the other would pass back for ever.
    fn settle_pass_loop(&mut self, component: &[usize]) {
        let arithmetic = self.board.arithmetic;
        let (a, b) = (component[0], component[component.len() - 1]);
        let leaves = |choice: &Choice<A::Word>| choice.stays.iter().all(|(to, ..)| *to != a && *to != b);
        let ((x, x_set), (y, y_set)) = (self.best(a, leaves), self.best(b, leaves));
        let rest = arithmetic.turned(&y, self.layer);
        let half = arithmetic.nearest(&RBig::from_parts(1.into(), 2u8.into()), self.layer);
        let (value_a, value_b) = if arithmetic.compare(&x, &rest).is_ge() {
            (x.clone(), y.clone())
        } else {
            // x < 1 - y, so the median is one half kept between them.
            let at_least = if arithmetic.compare(&half, &x).is_lt() { &x } else { &half };
            let median = if arithmetic.compare(at_least, &rest).is_gt() { &rest } else { at_least };
            (median.clone(), arithmetic.turned(median, self.layer))
        };
        for (node, own, other, leave, leave_set) in
            [(a, &value_a, &value_b, &x, x_set), (b, &value_b, &value_a, &y, y_set)]
        {
            let mut set = if arithmetic.ties(own, leave, self.layer) { leave_set } else { 0 };
            let passing = arithmetic.turned(other, self.layer);
            let ahead = arithmetic.compare(own, &half).is_gt() && !arithmetic.ties(own, &half, self.layer);
            if set == 0 || (!ahead && arithmetic.ties(own, &passing, self.layer)) {
                let passes = self.nodes[node].choices.iter().filter(|choice| !leaves(choice));
                set = passes.fold(set, |set, choice| set | choice.actions);
            }
            self.values[node] = Some((own.clone(), set));
        }
    }

    fn settled(&mut self, cells: &[usize]) -> Vec<Settled<A::Word>> {
        let per_cell = self.board.layout.space.per_cell();
        let values = std::mem::take(&mut self.values);
        let nodes = self.nodes.iter().zip(values).enumerate();
        nodes
            .map(|(index, (node, value))| {
                let (value, set) = value.expect("every component was settled");
                let place = self.board.layout.place(cells[index / per_cell % cells.len()]);
                debug_assert!(!node.fixed || set.is_power_of_two(), "a fixed policy has one action");
                Settled { side: node.side, word: node.word, state: place * per_cell + index % per_cell, value, set }
            })
            .collect()
    }
}

fn chance(weight: u64, total: u64) -> RBig {
    RBig::from_parts(UBig::from(weight).into(), UBig::from(total))
}
