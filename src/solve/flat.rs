//! Lotteries of a game without extra turns, flattened: parts of weights, and the places that they are read from.
//!
//! The places are those of a board that holds what the cells of the next mover are worth: by (the memory of the player who
//! has just moved, the next mover's score, the other's total), and after them the ends won, lost and tied, seen by the
//! player who has just moved. Totals past the goal are won turns.

use std::collections::HashMap;

use crate::game::{End, Game, Offer, Order, Space, Successor};

use super::layout::Layout;
use super::least_leave;

/// A game in flat lotteries.
#[derive(Debug)]
pub(super) struct Tables {
    pub space: Space,
    /// True if some turns stay in their layer.
    pub level: bool,
    pub width: usize,
    pub layout: Layout,
    pub start_memory: usize,
    pub lotteries: Vec<FlatLottery>,
    pub parts: Vec<Part>,
    pub weights: Vec<f64>,
    /// By address of the panel: the index of its first lottery in `lotteries`.
    pub first_lottery: HashMap<usize, usize>,
    /// By cell: landings that are not plain.
    pub odd: Vec<Vec<Odd>>,
}

#[derive(Clone, Debug)]
pub(super) struct FlatLottery {
    pub parts: std::ops::Range<usize>,
    pub total: f64,
    /// The landing of a lottery without chance.
    pub only: Option<usize>,
}

/// Outcomes on neighbouring landings.
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

impl Tables {
    /// The tables of a game, if it fits.
    pub fn new(game: &Game) -> Option<Self> {
        let space = game.space();
        let level = game.order() != Order::Rising;
        if space.shared > 1 || space.mine > 64 || least_leave(game) < 1.0 || (level && space.mine > 1) {
            return None;
        }
        let offers = || game.panels().iter().flat_map(|panel| &panel.offers);
        let runs = offers().flat_map(|offer| &offer.runs);
        let width = space.goal + runs.map(|run| run.points() + run.length).max()?;
        let mut tables = Self {
            space,
            level,
            width,
            layout: Layout::new(space, |_| 1),
            start_memory: game.start() % space.mine,
            lotteries: Vec::new(),
            parts: Vec::new(),
            weights: Vec::new(),
            first_lottery: HashMap::new(),
            odd: Vec::new(),
        };
        u32::try_from(tables.ends() + 3).ok()?;
        for panel in game.panels() {
            tables.first_lottery.insert(std::ptr::from_ref(panel).addr(), tables.lotteries.len());
            panel.offers.iter().for_each(|offer| tables.flatten(offer));
        }
        for cell in 0..space.goal * space.goal {
            let odd = tables.odd_landings(game, cell)?;
            tables.odd.push(odd);
        }
        Some(tables)
    }

    /// Places of a board before those of the ends: won, lost, tied.
    pub fn ends(&self) -> usize {
        self.space.mine * self.space.goal * self.width
    }

    fn flatten(&mut self, offer: &Offer) {
        for lottery in &offer.lotteries {
            let first = self.parts.len();
            for stretch in &lottery.stretches {
                let run = &offer.runs[stretch.run];
                let (plane, _) = run.classes();
                self.parts.push(Part {
                    offset: plane * self.space.goal * self.width + run.points() + stretch.offset,
                    landing: stretch.first,
                    weights: self.weights.len(),
                    length: stretch.weights.len(),
                });
                self.weights.extend(&stretch.weights);
            }
            let only = match lottery.outcomes[..] {
                [(landing, _)] => Some(usize::from(landing)),
                _ => None,
            };
            self.lotteries.push(FlatLottery { parts: first..self.parts.len(), total: lottery.total as f64, only });
        }
    }

    /// The landings of a cell that are not plain; `None` if one of them gives another turn.
    fn odd_landings(&self, game: &Game, cell: usize) -> Option<Vec<Odd>> {
        let outlook = game.outlook(cell);
        let mut odd = Vec::new();
        for offer in &game.panel(cell).offers {
            for run in &offer.runs {
                let (plane, _) = run.classes();
                let row = (plane * self.space.goal + outlook.opponent()) * self.width + outlook.score() + run.points();
                for landing in outlook.surprises(run, run.first, run.length) {
                    let to = match outlook.successor(&offer.landings[landing]) {
                        Successor::End(End::Won) => self.ends(),
                        Successor::End(End::Lost) => self.ends() + 1,
                        Successor::End(End::Tied) => self.ends() + 2,
                        Successor::Passed { cell, theirs, .. } => self.place(theirs, cell),
                        Successor::Again { .. } => return None,
                    };
                    odd.push(Odd { landing, plain: row + landing - run.first, to });
                }
            }
        }
        Some(odd)
    }

    /// Where a cell's worth is written, for one memory of the player who has just moved.
    pub fn place(&self, plane: usize, cell: usize) -> usize {
        (plane * self.space.goal + cell / self.space.goal) * self.width + cell % self.space.goal
    }

    /// Adds the mends of a lottery at a cell.
    pub fn mend(&self, cell: usize, lottery: u32, mends: &mut Vec<Mend>) {
        let parts = &self.parts[self.lotteries[lottery as usize].parts.clone()];
        for odd in &self.odd[cell] {
            let within = |part: &&Part| (part.landing..part.landing + part.length).contains(&odd.landing);
            let Some(part) = parts.iter().find(within) else { continue };
            let weight = self.weights[part.weights + odd.landing - part.landing];
            if weight != 0.0 {
                mends.push(Mend { weight, plain: odd.plain as u32, to: odd.to as u32 });
            }
        }
    }
}
