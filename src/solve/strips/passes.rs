//! Turns without chance that leave the sum of scores as it is: where they lead, and play that goes to and fro.

use super::LANES;
use super::kernel::Out;
use super::order::in_order;
use super::setting::{Setting, flip};
use crate::game::{Destination, DiceSet, Game, Order, Space};
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::{Chooser, Side};

/// A state of a layer, as its mover sees it: side, opponent's score, place among the cell's states.
type Place = (u32, u32, u32);

/// A turn that may stay in its layer: the mover's place among a cell's states, action, landing.
type Level = (usize, usize, u16);

/// A state whose mover may pass within the layer.
#[derive(Clone, Debug)]
struct Node {
    sum: u32,
    at: Place,
    /// The actions that pass.
    actions: DiceSet,
    /// Where they lead.
    to: Place,
    /// The node there, if it is one, counted from the first of the layer.
    next: Option<u32>,
}

/// The states of each sum of scores whose movers may pass.
#[derive(Debug, Default)]
pub(super) struct Passes {
    /// By sum of scores.
    nodes: Vec<Node>,
    /// By sum of scores the place of the first, then the number of all; nothing where no turn stays in its layer.
    first: Vec<usize>,
}

impl Passes {
    /// Finds all passes; `None` if some state has several, or one that goes on with its mover, or leads round through more
    /// than two states.
    pub fn new(game: &Game, sides: &[Side]) -> Option<Self> {
        if game.order() == Order::Rising {
            return Some(Self::default());
        }
        let of_panel: Vec<Vec<Level>> = (0..game.panels().len()).map(|panel| level(game, panel)).collect();
        let (space, period) = (game.space(), game.panels_repeat_after());
        // By own score modulo the period: the opponent's scores with such turns.
        let level = |score, opponent| &of_panel[game.panel_number_at(score, opponent)];
        let columns = |score| (0..space.goal).filter(|opponent| !level(score, *opponent).is_empty()).collect();
        let columns: Vec<Vec<usize>> = (0..period).map(columns).collect();
        let mut nodes = Vec::new();
        for score in 0..space.goal {
            for opponent in &columns[score % period] {
                for side in sides {
                    list(game, side, ((score, *opponent), level(score, *opponent)), &mut nodes)?;
                }
            }
        }
        let (mut nodes, first) = in_order(&nodes, space.layers(), |node| node.sum as usize);
        // By place: its node, if it is one.
        let mut numbers = vec![None; 2 * space.goal * space.per_cell()];
        for layer in first.windows(2) {
            link(&mut nodes[layer[0]..layer[1]], space, &mut numbers)?;
        }
        Some(Self { nodes, first })
    }

    /// Those of a layer.
    fn of_layer(&self, sum: usize) -> &[Node] {
        match self.first.get(sum..sum + 2) {
            Some(layer) => &self.nodes[layer[0]..layer[1]],
            None => &[],
        }
    }

    /// Whether there are any in a layer.
    pub fn any(&self, sum: usize) -> bool {
        !self.of_layer(sum).is_empty()
    }

    /// Settles the states of a layer that may pass, whose results so far are the best of all other turns (below 0 if
    /// there is none); the number of loops.
    pub fn settle(&self, setting: &Setting, sum: usize, outs: &mut [Vec<Out>]) -> usize {
        let slack = setting.slack[setting.space.layers() - 1 - sum];
        let nodes = self.of_layer(sum);
        let mut layer = Layer { nodes, payoff: setting.payoff, slack, outs, done: vec![false; nodes.len()], loops: 0 };
        (0..nodes.len()).for_each(|node| layer.settle(node));
        layer.loops
    }
}

/// The turns of a panel that may stay in their layer.
fn level(game: &Game, panel: usize) -> Vec<Level> {
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

/// Lists the states of a pair of scores whose mover may pass.
fn list(
    game: &Game,
    side: &Side,
    ((score, opponent), level): ((usize, usize), &[Level]),
    nodes: &mut Vec<Node>,
) -> Option<()> {
    let (space, panel) = (game.space(), &game.panels()[game.panel_number_at(score, opponent)]);
    let (cell, sum) = (score * space.goal + opponent, score + opponent);
    for (place, action, landing) in level {
        if let Chooser::Fixed(plan) = side.chooser
            && plan.action(cell * space.per_cell() + place) != *action
        {
            continue;
        }
        let (_, (shared, _, theirs)) = space.parts(*place);
        let landing = &panel.offers[shared].landings[usize::from(*landing)];
        let (to, next) = match game.destination((score, opponent), landing) {
            Destination::Passed { cell: to } if space.sum(to) == sum => {
                (to, space.state(0, landing.shared[0].into(), landing.mine[0].into(), theirs))
            }
            Destination::Again { cell: to } if space.sum(to) == sum => return None,
            _ => continue,
        };
        let at = (side.own as u32, opponent as u32, *place as u32);
        let to = (side.other as u32, (to % space.goal) as u32, next as u32);
        match nodes.last_mut().filter(|last| last.sum == sum as u32 && last.at == at) {
            Some(last) if last.to != to => return None,
            Some(last) => last.actions |= 1 << action,
            None => nodes.push(Node { sum: sum as u32, at, actions: 1 << action, to, next: None }),
        }
    }
    Some(())
}

/// Finds the nodes that passes lead to; `None` if some lead round through more than two.
fn link(nodes: &mut [Node], space: Space, numbers: &mut [Option<u32>]) -> Option<()> {
    let index = |(side, column, place): Place| {
        (side as usize * space.goal + column as usize) * space.per_cell() + place as usize
    };
    (0..).zip(nodes.iter()).for_each(|(number, node)| numbers[index(node.at)] = Some(number));
    nodes.iter_mut().for_each(|node| node.next = numbers[index(node.to)]);
    nodes.iter().for_each(|node| numbers[index(node.at)] = None);
    for start in 0..nodes.len() as u32 {
        let (mut node, mut steps) = (start, 0);
        while let Some(next) = nodes[node as usize].next.filter(|next| nodes[*next as usize].next != Some(node)) {
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
    /// The value of a state as far as it is known, and its best actions.
    #[inline(always)]
    fn result(&mut self, (side, column, place): Place) -> (&mut f64, &mut DiceSet) {
        let (column, place) = (column as usize, place as usize);
        let Out { values, sets } = &mut self.outs[side as usize][column / LANES];
        (&mut values[place][column % LANES], &mut sets[place][column % LANES])
    }

    /// The best way to leave, and its actions; worth 0 if there is none.
    fn leaving(&mut self, node: usize) -> (f64, DiceSet) {
        let (value, set) = self.result(self.nodes[node].at);
        if *value < 0.0 { (0.0, 0) } else { (*value, *set) }
    }

    fn write(&mut self, node: usize, value: f64, set: DiceSet) {
        let (own_value, own_set) = self.result(self.nodes[node].at);
        (*own_value, *own_set) = (value, set);
        self.done[node] = true;
    }

    fn settle(&mut self, node: usize) {
        match self.nodes[node].next.map(|next| next as usize) {
            _ if self.done[node] => {}
            Some(next) if self.nodes[next].next == Some(node as u32) => {
                self.loops += 1;
                self.settle_loop(node, next);
            }
            next => {
                next.into_iter().for_each(|next| self.settle(next));
                let passing = flip(self.payoff, *self.result(self.nodes[node].to).0);
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
