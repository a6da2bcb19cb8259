//! Turns without chance that leave the sum of scores as it is: where they lead, and play that goes to and fro.

use super::LANES;
use super::kernel::Out;
use super::setting::{Setting, flip};
use crate::game::{DiceSet, Game, Order, Space, Successor};
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::{Chooser, Side};

/// A state of a layer, as its mover sees it: side, opponent's score, place among the cell's states.
type Place = (usize, usize, usize);

/// A state whose mover may pass within the layer.
#[derive(Debug)]
struct Node {
    at: Place,
    /// The actions that pass.
    actions: DiceSet,
    /// Where they lead.
    to: Place,
    /// The node there, if it is one.
    next: Option<usize>,
}

/// The states of each sum of scores whose movers may pass.
#[derive(Debug, Default)]
pub(super) struct Passes {
    /// By sum of scores.
    layers: Vec<Vec<Node>>,
}

impl Passes {
    /// Finds all passes; `None` if some state has several, or one that goes on with its mover, or leads round through more
    /// than two states.
    pub fn new(game: &Game, sides: &[Side]) -> Option<Self> {
        let mut passes = Self::default();
        if game.order() == Order::Rising {
            return Some(passes);
        }
        let of_panel: Vec<Vec<(usize, usize, u16)>> =
            (0..game.panels().len()).map(|panel| level(game, panel)).collect();
        // By place: its node, if it is one.
        let mut numbers = vec![None; 2 * game.space().goal * game.space().per_cell()];
        for sum in 0..game.space().layers() {
            let mut nodes = Vec::new();
            for cell in game.space().layer(sum) {
                for side in sides.iter().filter(|_| !of_panel[game.panel_number(cell)].is_empty()) {
                    list(game, side, (cell, &of_panel[game.panel_number(cell)]), &mut nodes)?;
                }
            }
            link(&mut nodes, game.space(), &mut numbers)?;
            passes.layers.push(nodes);
        }
        Some(passes)
    }

    /// Whether there are any in a layer.
    pub fn any(&self, sum: usize) -> bool {
        self.layers.get(sum).is_some_and(|nodes| !nodes.is_empty())
    }

    /// Settles the states of a layer that may pass, whose results so far are the best of all other turns (below 0 if
    /// there is none); the number of loops.
    pub fn settle(&self, setting: &Setting, sum: usize, outs: &mut [Vec<Out>]) -> usize {
        let slack = setting.slack[setting.space.layers() - 1 - sum];
        let nodes = &self.layers[sum];
        let mut layer = Layer { nodes, payoff: setting.payoff, slack, outs, done: vec![false; nodes.len()], loops: 0 };
        (0..nodes.len()).for_each(|node| layer.settle(node));
        layer.loops
    }
}

/// The turns of a panel that may stay in their layer: place among a cell's states, action, landing.
fn level(game: &Game, panel: usize) -> Vec<(usize, usize, u16)> {
    let (space, panel) = (game.space(), &game.panels()[panel]);
    let mut level = Vec::new();
    for place in (0..space.per_cell()).filter(|_| panel.offers.iter().any(|offer| !offer.level.is_empty())) {
        let (_, memories) = space.parts(place);
        let offer = &panel.offers[memories.0];
        for (action, lottery) in panel.lotteries(&space, memories).iter().enumerate() {
            if let [(landing, _)] = offer.lotteries[usize::from(*lottery)].outcomes[..]
                && offer.level.contains(&landing)
            {
                level.push((place, action, landing));
            }
        }
    }
    level
}

/// Lists the states of a cell whose mover may pass.
fn list(game: &Game, side: &Side, (cell, level): (usize, &[(usize, usize, u16)]), nodes: &mut Vec<Node>) -> Option<()> {
    let space = game.space();
    for (place, action, landing) in level {
        if let Chooser::Fixed(plan) = side.chooser
            && plan.action(cell * space.per_cell() + place) != *action
        {
            continue;
        }
        let (_, (shared, _, theirs)) = space.parts(*place);
        let to = match game.successor(cell, &game.panel(cell).offers[shared].landings[usize::from(*landing)]) {
            Successor::Passed { cell: to, shared, theirs: mine } if space.sum(to) == space.sum(cell) => {
                (side.other, to % space.goal, space.state(0, shared, mine, theirs))
            }
            Successor::Again { cell: to, .. } if space.sum(to) == space.sum(cell) => return None,
            _ => continue,
        };
        let at = (side.own, cell % space.goal, *place);
        match nodes.last_mut().filter(|last| last.at == at) {
            Some(last) if last.to != to => return None,
            Some(last) => last.actions |= 1 << action,
            None => nodes.push(Node { at, actions: 1 << action, to, next: None }),
        }
    }
    Some(())
}

/// Finds the nodes that passes lead to; `None` if some lead round through more than two.
fn link(nodes: &mut [Node], space: Space, numbers: &mut [Option<usize>]) -> Option<()> {
    let index = |(side, column, place): Place| (side * space.goal + column) * space.per_cell() + place;
    nodes.iter().enumerate().for_each(|(number, node)| numbers[index(node.at)] = Some(number));
    nodes.iter_mut().for_each(|node| node.next = numbers[index(node.to)]);
    nodes.iter().for_each(|node| numbers[index(node.at)] = None);
    for start in 0..nodes.len() {
        let (mut node, mut steps) = (start, 0);
        while let Some(next) = nodes[node].next.filter(|next| nodes[*next].next != Some(node)) {
            (node, steps) = (next, steps + 1);
            if steps > nodes.len() {
                return None;
            }
        }
    }
    Some(())
}

/// The states of one layer whose movers may pass, on their way.
struct Layer<'l> {
    nodes: &'l [Node],
    payoff: Payoff,
    slack: f64,
    outs: &'l mut [Vec<Out>],
    done: Vec<bool>,
    loops: usize,
}

impl Layer<'_> {
    fn value(&self, (side, column, place): Place) -> f64 {
        self.outs[side][column / LANES].values[place][column % LANES]
    }

    /// The best way to leave, and its actions; worth 0 if there is none.
    fn leaving(&self, node: usize) -> (f64, DiceSet) {
        let (side, column, place) = self.nodes[node].at;
        let value = self.value(self.nodes[node].at);
        if value < 0.0 {
            return (0.0, 0);
        }
        (value, self.outs[side][column / LANES].sets[place][column % LANES])
    }

    fn write(&mut self, node: usize, value: f64, set: DiceSet) {
        let (side, column, place) = self.nodes[node].at;
        let out = &mut self.outs[side][column / LANES];
        (out.values[place][column % LANES], out.sets[place][column % LANES]) = (value, set);
        self.done[node] = true;
    }

    fn settle(&mut self, node: usize) {
        match self.nodes[node].next {
            _ if self.done[node] => {}
            Some(next) if self.nodes[next].next == Some(node) => {
                self.loops += 1;
                self.settle_loop(node, next);
            }
            next => {
                next.into_iter().for_each(|next| self.settle(next));
                let passing = flip(self.payoff, self.value(self.nodes[node].to));
                let ((leave, set), actions) = (self.leaving(node), self.nodes[node].actions);
                let best = if set != 0 && leave > passing { leave } else { passing };
                let leaves = if best - leave <= self.slack { set } else { 0 };
                let passes = if best - passing <= self.slack { actions } else { 0 };
                self.write(node, best, leaves | passes);
            }
        }
    }

    /// Two states that pass to each other, or one that passes to itself: see `RULES.md`, "Games that never end".
    ///
    /// Let leaving be worth x at a and y at b (nothing, if there is no leaving). If x + y >= 1 both leave; else a is
    /// worth the median of x, 1/2 and 1 - y, and b the rest to 1. A player who is ahead must not pass, even where one
    /// step looks the same: the other would pass back for ever.
    fn settle_loop(&mut self, a: usize, b: usize) {
        if self.payoff == Payoff::Endless {
            // Plans are fixed: who passes here does not leave.
            for node in [a, b] {
                self.write(node, 1.0, self.nodes[node].actions);
            }
            return;
        }
        let ((x, x_set), (y, y_set)) = (self.leaving(a), self.leaving(b));
        let rest = 1.0 - y;
        let (value_a, value_b) = if x >= rest {
            (x, y)
        } else {
            // x < 1 - y, so the median is one half kept between them.
            let median = x.max(0.5).min(rest);
            (median, 1.0 - median)
        };
        for (node, own, other, leave, leave_set) in [(a, value_a, value_b, x, x_set), (b, value_b, value_a, y, y_set)] {
            let ties = |other: f64| own - other <= self.slack;
            let mut set = if ties(leave) { leave_set } else { 0 };
            let ahead = own > 0.5 && !ties(0.5);
            if set == 0 || (!ahead && ties(1.0 - other)) {
                set |= self.nodes[node].actions;
            }
            self.write(node, own, set);
        }
    }
}
