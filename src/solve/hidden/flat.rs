//! Lotteries of a game without extra turns, flattened: parts of weights, and the places that they are read from.
//!
//! The places are those of a board that holds what the cells of the next mover are worth: by (the memory of the player who
//! has just moved, the next mover's score, the other's total), and after them the ends won, lost and tied, seen by the
//! player who has just moved. Totals past the goal are won turns.

use crate::game::{DistributionSet, End, Game, Order, Space, Successor};

/// A game in flat distributions.
#[derive(Debug)]
pub(super) struct Tables {
    pub space: Space,
    /// Totals: those below the goal, and as many past it as points can reach.
    pub width: usize,
    pub start_memory: usize,
    pub distributions: Vec<FlatLottery>,
    pub parts: Vec<Part>,
    pub weights: Vec<f64>,
    /// By panel: the index of its first lottery in `distributions`.
    pub first_lottery: Vec<usize>,
    /// By cell: outcomes that are not plain.
    pub odd: Vec<Vec<Odd>>,
}

/// A lottery.
#[derive(Clone, Debug)]
pub(super) struct FlatLottery {
    pub parts: std::ops::Range<usize>,
    pub total: f64,
}

/// Outcomes on neighbouring outcomes with consecutive points that leave the same memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Where the first is read, from the place of no points on plane 0.
    pub offset: usize,
    /// The first landing, and where the weights begin.
    pub landing: usize,
    pub weights: usize,
    pub length: usize,
}

/// A landing that leads elsewhere than to the totals after adding the points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odd {
    pub landing: usize,
    pub plain: usize,
    pub to: usize,
}

/// A weight to be moved from one place to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mend {
    pub weight: f64,
    pub plain: u32,
    pub to: u32,
}

/// The most memories of a player that fit in a set of bits.
const MOST_MEMORIES: usize = 64;

impl Tables {
    /// The tables of a game; `None` if it does not fit: extra turns, shared memories, or turns that stay in their layer.
    pub fn new(game: &Game) -> Option<Self> {
        let space = game.space();
        if space.shared > 1 || space.mine > MOST_MEMORIES || game.order() != Order::Acyclic {
            return None;
        }
        let offers = || game.action_sets().iter().flat_map(|panel| &panel.by_shared);
        let most_points = offers().flat_map(|offer| &offer.outcomes).map(|landing| landing.points as usize).max()?;
        let mut tables = Self {
            space,
            width: space.goal + most_points + 1,
            start_memory: game.start() % space.mine,
            distributions: Vec::new(),
            parts: Vec::new(),
            weights: Vec::new(),
            first_lottery: Vec::new(),
            odd: Vec::new(),
        };
        u32::try_from(tables.ends() + 3).ok()?;
        for panel in game.action_sets() {
            tables.first_lottery.push(tables.distributions.len());
            panel.by_shared.iter().for_each(|offer| tables.flatten(offer));
        }
        for cell in 0..space.goal * space.goal {
            let odd = tables.odd_landings(game, cell)?;
            tables.odd.push(odd);
        }
        Some(tables)
    }

    /// The cells with a height above the end, the highest sum of scores being 0.
    pub fn cells(&self, layer: usize) -> impl ExactSizeIterator<Item = usize> + use<> {
        self.space.stage(self.space.stages() - 1 - layer)
    }

    /// Places of a board before those of the ends: won, lost, tied.
    pub fn ends(&self) -> usize {
        self.space.mine * self.space.goal * self.width
    }

    /// Where a cell's worth is written, for one memory of the player who has just moved.
    pub fn place(&self, plane: usize, cell: usize) -> usize {
        (plane * self.space.goal + cell / self.space.goal) * self.width + cell % self.space.goal
    }

    fn flatten(&mut self, offer: &DistributionSet) {
        for lottery in &offer.distributions {
            let first = self.parts.len();
            let mut last = None;
            for (landing, weight) in &lottery.outcomes {
                let landing = usize::from(*landing);
                let here = &offer.outcomes[landing];
                let offset = usize::from(here.mine[0]) * self.space.goal * self.width + here.points as usize;
                match self.parts[first..].last_mut() {
                    Some(part) if last == Some((landing, offset)) => part.length += 1,
                    _ => self.parts.push(Part { offset, landing, weights: self.weights.len(), length: 1 }),
                }
                self.weights.push(*weight as f64);
                last = Some((landing + 1, offset + 1));
            }
            self.distributions.push(FlatLottery { parts: first..self.parts.len(), total: lottery.total as f64 });
        }
    }

    /// The outcomes of a cell that are not plain; `None` if one of them gives another turn.
    fn odd_landings(&self, game: &Game, cell: usize) -> Option<Vec<Odd>> {
        let (score, opponent) = (cell / self.space.goal, cell % self.space.goal);
        let outlook = game.successors_from(cell);
        let mut odd = Vec::new();
        for (landing, here) in
            game.action_set(cell).by_shared.iter().flat_map(|offer| offer.outcomes.iter().enumerate())
        {
            let total = score + here.points as usize;
            let plain = (usize::from(here.mine[0]) * self.space.goal + opponent) * self.width + total;
            let to = match outlook.successor(here) {
                Successor::End(End::Won) if total >= self.space.goal => continue,
                Successor::End(End::Won) => self.ends(),
                Successor::End(End::Lost) => self.ends() + 1,
                Successor::End(End::Tied) => self.ends() + 2,
                Successor::Passed { cell, theirs, .. } => self.place(theirs, cell),
                Successor::Again { .. } => return None,
            };
            if to != plain {
                odd.push(Odd { landing, plain, to });
            }
        }
        Some(odd)
    }

    /// Adds the mends of a lottery at a cell.
    pub fn mend(&self, cell: usize, lottery: usize, mends: &mut Vec<Mend>) {
        let parts = &self.parts[self.distributions[lottery].parts.clone()];
        for odd in &self.odd[cell] {
            let within = |part: &&Part| (part.landing..part.landing + part.length).contains(&odd.landing);
            let Some(part) = parts.iter().find(within) else { continue };
            let weight = self.weights[part.weights + odd.landing - part.landing];
            mends.push(Mend { weight, plain: odd.plain as u32, to: odd.to as u32 });
        }
    }
}
