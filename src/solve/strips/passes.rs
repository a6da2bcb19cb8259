//! Turns without chance that leave the sum of scores as it is: where they lead, and play that goes to and fro.

use std::borrow::Cow;

use super::line::Line;
use super::order::in_order;
use super::question::{Question, flip};
use crate::game::{DiceSet, Game, Order, ScoreSuccessor, Space};
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::{Chooser, Side};

/// A state of a layer, as its mover sees it: side, opponent's score, place among the cell's states.
type Place = (u32, u32, u32);

/// A turn that may stay in its layer: the mover's place among a cell's states, action, landing.
type Level = (usize, usize, u16);

/// A turn without chance that leaves the sum of scores as it is.
#[derive(Clone, Debug)]
struct Way {
    sum: u32,
    /// The opponent's score, and the mover's place among the cell's states.
    column: u32,
    place: u32,
    action: u8,
    /// The same of the next mover; `None` if that is the mover once more.
    to: Option<(u32, u32)>,
}

/// All turns of a game without chance that leave the sum of scores as it is.
#[derive(Debug)]
pub(super) struct Ways {
    /// By sum of scores, then by the mover's score, by place and action.
    ways: Vec<Way>,
    /// By sum of scores the place of the first, then the number of all.
    first: Vec<usize>,
    /// Where both players choose the best.
    both_best: Option<Passes>,
}

impl Ways {
    /// Finds all of them.
    pub fn new(game: &Game) -> Self {
        let (space, period) = (game.space(), game.action_sets_repeat_after());
        let mut ways = Vec::new();
        if game.order() != Order::Acyclic {
            let of_panel: Vec<Vec<Level>> = (0..game.action_sets().len()).map(|panel| level(game, panel)).collect();
            // By own score modulo the period: the opponent's scores with such turns.
            let level = |score, opponent| &of_panel[game.action_set_number_at(score, opponent)];
            let columns = |score| (0..space.goal).filter(|opponent| !level(score, *opponent).is_empty()).collect();
            let columns: Vec<Vec<usize>> = (0..period).map(columns).collect();
            for score in 0..space.goal {
                for opponent in &columns[score % period] {
                    ways.extend(list(game, (score, *opponent), level(score, *opponent)));
                }
            }
        }
        let (ways, first) = in_order(&ways, space.stages(), |way| way.sum as usize);
        let mut found = Self { ways, first, both_best: None };
        found.both_best = Passes::new(&found, space, &[Side { chooser: Chooser::Best, own: 0, other: 0 }]);
        found
    }

    /// The states of some sides whose movers may pass; `None` if some state has several passes, or one that goes on with its
    /// mover, or leads round through more than two states.
    pub fn passes(&self, space: Space, sides: &[Side]) -> Option<Cow<'_, Passes>> {
        match sides {
            [Side { chooser: Chooser::Best, own: 0, other: 0 }] => self.both_best.as_ref().map(Cow::Borrowed),
            _ => Passes::new(self, space, sides).map(Cow::Owned),
        }
    }
}

/// A state whose mover may pass within the layer.
#[derive(Clone, Debug)]
struct Node {
    at: Place,
    /// The actions that pass.
    actions: DiceSet,
    /// Where they lead.
    to: Place,
    /// The node there, if it is one, counted from the first of the layer.
    next: Option<u32>,
}

/// The states of each sum of scores whose movers may pass.
#[derive(Clone, Debug)]
pub(super) struct Passes {
    /// By sum of scores.
    nodes: Vec<Node>,
    /// By sum of scores the place of the first, then the number of all.
    first: Vec<usize>,
}

impl Passes {
    /// `None` as [`Ways::passes`] says.
    fn new(ways: &Ways, space: Space, sides: &[Side]) -> Option<Self> {
        let mut passes = Self { nodes: Vec::new(), first: vec![0] };
        // By place: its node, if it is one.
        let mut numbers = vec![None; if ways.ways.is_empty() { 0 } else { 2 * space.goal * space.per_cell() }];
        for layer in ways.first.windows(2) {
            let first = passes.nodes.len();
            for of_cell in ways.ways[layer[0]..layer[1]].chunk_by(|way, next| way.column == next.column) {
                for side in sides {
                    add_nodes(space, side, of_cell, (&mut passes.nodes, first))?;
                }
            }
            link(&mut passes.nodes[first..], space, &mut numbers)?;
            passes.first.push(passes.nodes.len());
        }
        Some(passes)
    }

    /// Those of a layer.
    fn of_layer(&self, sum: usize) -> &[Node] {
        &self.nodes[self.first[sum]..self.first[sum + 1]]
    }

    /// Whether there are any in a layer.
    pub fn any(&self, sum: usize) -> bool {
        !self.of_layer(sum).is_empty()
    }

    /// Settles the states of a layer that may pass, whose results so far are the best of all other turns (below 0 if
    /// there is none); the number of loops.
    pub fn settle(&self, question: &Question, sum: usize, lines: &mut [Line]) -> usize {
        let (nodes, slack) = (self.of_layer(sum), question.slack_of(sum));
        let mut layer =
            Layer { nodes, sum, payoff: question.payoff, slack, lines, done: vec![false; nodes.len()], loops: 0 };
        (0..nodes.len()).for_each(|node| layer.settle(node));
        layer.loops
    }
}

/// The turns of a panel that may stay in their layer.
fn level(game: &Game, panel: usize) -> Vec<Level> {
    let (space, panel) = (game.space(), &game.action_sets()[panel]);
    let mut level = Vec::new();
    for place in (0..space.per_cell()).filter(|_| panel.by_shared.iter().any(|offer| !offer.staying.is_empty())) {
        let (_, memories) = space.parts(place);
        let offer = &panel.by_shared[memories.0];
        for (action, lottery) in panel.distributions(&space, memories).iter().enumerate() {
            if let [(landing, _)] = offer.distributions[usize::from(*lottery)].outcomes[..]
                && offer.staying.contains(&landing)
            {
                level.push((place, action, landing));
            }
        }
    }
    level
}

/// Those turns of a pair of scores that do stay.
fn list(game: &Game, (score, opponent): (usize, usize), level: &[Level]) -> impl Iterator<Item = Way> {
    let (space, panel) = (game.space(), &game.action_sets()[game.action_set_number_at(score, opponent)]);
    let sum = score + opponent;
    level.iter().filter_map(move |(place, action, landing)| {
        let (_, (shared, _, theirs)) = space.parts(*place);
        let landing = &panel.by_shared[shared].outcomes[usize::from(*landing)];
        let to = match game.score_successor((score, opponent), landing) {
            ScoreSuccessor::Passed { cell } if space.sum(cell) == sum => {
                let place = space.state(0, landing.shared[0].into(), landing.mine[0].into(), theirs);
                Some(((cell % space.goal) as u32, place as u32))
            }
            ScoreSuccessor::Again { cell } if space.sum(cell) == sum => None,
            _ => return None,
        };
        Some(Way { sum: sum as u32, column: opponent as u32, place: *place as u32, action: *action as u8, to })
    })
}

/// Adds the states of a cell and side whose mover may pass to the nodes of its layer, which begin with the number `first`.
fn add_nodes(space: Space, side: &Side, ways: &[Way], (nodes, first): (&mut Vec<Node>, usize)) -> Option<()> {
    for way in ways {
        let cell = (way.sum - way.column) as usize * space.goal + way.column as usize;
        if let Chooser::Fixed(plan) = side.chooser
            && plan.action(cell * space.per_cell() + way.place as usize) != usize::from(way.action)
        {
            continue;
        }
        let at = (side.own as u32, way.column, way.place);
        let (column, place) = way.to?;
        let to = (side.other as u32, column, place);
        match nodes[first..].last_mut().filter(|last| last.at == at) {
            Some(last) if last.to != to => return None,
            Some(last) => last.actions |= 1 << way.action,
            None => nodes.push(Node { at, actions: 1 << way.action, to, next: None }),
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
    sum: usize,
    payoff: Payoff,
    slack: f64,
    lines: &'l mut [Line],
    done: Vec<bool>,
    loops: usize,
}

impl Layer<'_> {
    /// The value of a state as far as it is known, and its best actions.
    #[inline(always)]
    fn result(&mut self, (side, column, place): Place) -> (&mut f64, &mut DiceSet) {
        self.lines[side as usize].at(place as usize, self.sum - column as usize)
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
