//! Pairs of plans that see only the scores, in a game whose players remember something of their own.
//!
//! Where a memory decides the points of the same roll, nearly all its values share one lottery and a few, the exceptions,
//! another. So a cell is worth a number and, for the exceptions, a difference, each for every memory of the opponent; a
//! turn's mean is a dot product over numbers that lie side by side, and one over the differences for each memory of the
//! opponent that can come up there. What can come up is found out for each plan by itself, whatever it meets.
//!
//! Boards hold what arriving is worth, rules on totals applied, so that a sum reads neighbours whatever these lead to.

mod plan;
mod tables;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::game::{Game, Plan};

use super::PairRate;
pub(super) use plan::ScorePlan;
use plan::Step;
use tables::{BLOCK, ENDS, Flat, Tables};

/// Rates pairs of plans of a game with memories.
#[derive(Debug)]
pub(super) struct Recall {
    tables: Tables,
    /// Tells whose room a room is.
    number: u64,
}

/// Room for one thread's pairs.
#[derive(Debug, Default)]
pub(super) struct Room {
    number: u64,
    boards: [Board; 2],
}

/// What the cells of a side are worth to its player, who is next to move, where the other's turns read it.
#[derive(Debug, Default)]
struct Board {
    /// By kind of landing, own score, the other's total.
    base: Vec<f64>,
    /// What is added for the own memories in the mask.
    extra: Vec<f64>,
    /// By group of kinds, own score, the other's total.
    mask: Vec<u64>,
    /// What the start is worth.
    start: f64,
}

/// The most memories of a player.
const MOST: usize = 64;

/// Where a sum is taken: the place of no points, the other's memories that matter, and whether it may have exceptions.
#[derive(Clone, Copy)]
struct Spot {
    origin: usize,
    lanes: u64,
    excepts: bool,
}

impl Recall {
    /// For the pairs of a game, if it fits.
    pub(super) fn new(game: &Game) -> Option<Self> {
        static ROOMS: AtomicU64 = AtomicU64::new(1);
        Some(Self { tables: Tables::new(game)?, number: ROOMS.fetch_add(1, Ordering::Relaxed) })
    }

    /// No rate is further than this from the exact one.
    pub(super) fn error_bound(&self) -> f64 {
        self.tables.error_bound()
    }

    /// Makes a plan ready, if it fits.
    pub(super) fn prepare(&self, game: &Game, plan: &Plan) -> Option<ScorePlan> {
        ScorePlan::new(&self.tables, game, plan)
    }

    /// The rates of a pair.
    pub(super) fn rate(&self, plans: [&ScorePlan; 2], room: &mut Room) -> PairRate {
        if room.number != self.number {
            *room = Room { number: self.number, boards: [self.tables.board(), self.tables.board()] };
        }
        solve(&self.tables, plans, &mut room.boards);
        PairRate { first: room.boards[0].start, second: 1.0 - room.boards[1].start }
    }
}

/// Solves both sides with the best vectors that this processor has.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx"))]
fn solve(tables: &Tables, plans: [&ScorePlan; 2], boards: &mut [Board; 2]) {
    let (space, mut at, mut means) = (tables.space, 0, [[0.0; MOST]; 2]);
    for sum in (0..space.layers()).rev() {
        let cells = space.layer(sum);
        let next = at + cells.len();
        for (cell, at) in cells.zip(at..) {
            let [a, b] = &mut *boards;
            tables.step(cell, (&plans[0].steps[at], plans[1]), (b, a), &mut means);
            tables.step(cell, (&plans[1].steps[at], plans[0]), (a, b), &mut means);
        }
        at = next;
    }
}

impl Tables {
    fn board(&self) -> Board {
        let places = self.kinds.len() * self.plane() + BLOCK;
        let mut base = vec![0.0; places];
        for (kind, base) in self.kinds.iter().zip(base.chunks_exact_mut(self.plane())) {
            for (base, next) in base.iter_mut().zip(&self.groups[kind.group].leads_to) {
                *base = if *next == ENDS[1] {
                    1.0
                } else if *next == ENDS[2] {
                    0.5
                } else {
                    0.0
                };
            }
        }
        Board { base, extra: vec![0.0; places], mask: vec![0; self.groups.len() * self.plane() + BLOCK], start: 0.0 }
    }

    /// Works out a cell.
    #[inline(always)]
    fn step(
        &self,
        cell: usize,
        (step, other): (&Step, &ScorePlan),
        (theirs, own): (&Board, &mut Board),
        means: &mut [[f64; MOST]; 2],
    ) {
        let lanes = other.away[cell];
        if !step.met || lanes == 0 {
            return;
        }
        let origin = cell % self.space.goal * self.width + cell / self.space.goal;
        let spot = Spot { origin, lanes, excepts: other.excepts };
        let [most, exceptions] = means;
        self.means(&self.lotteries[step.lotteries[0] as usize], spot, theirs, most);
        if step.mask != 0 {
            self.means(&self.lotteries[step.lotteries[1] as usize], spot, theirs, exceptions);
        }
        for memory in bits(lanes) {
            for kind in &self.leaving[memory] {
                let first = *kind as usize * self.plane();
                for place in self.groups[self.kinds[*kind as usize].group].places(cell) {
                    own.base[first + *place as usize] = most[memory];
                    if step.mask != 0 {
                        own.extra[first + *place as usize] = exceptions[memory] - most[memory];
                    }
                }
            }
        }
        for (group, mask) in self.groups.iter().zip(own.mask.chunks_exact_mut(self.plane())) {
            for place in group.places(cell) {
                mask[*place as usize] = step.mask;
            }
        }
        let of_start = if step.mask >> self.start_memory & 1 == 1 { exceptions } else { most };
        own.start = of_start[self.start_memory];
    }

    /// The mover's mean of a lottery for each memory of the opponent that matters.
    #[inline(always)]
    fn means(&self, lottery: &Flat, spot: Spot, board: &Board, means: &mut [f64; MOST]) {
        let blocks = &self.blocks[lottery.blocks.clone()];
        let mut sums = [0.0; BLOCK];
        for block in blocks {
            let base = &board.base[spot.origin + block.place..][..BLOCK];
            for lane in 0..BLOCK {
                sums[lane] += block.weights[lane] * base[lane];
            }
        }
        let base = across(&sums);
        for memory in bits(spot.lanes) {
            means[memory] = base;
        }
        if spot.excepts {
            for block in blocks {
                let mask = &board.mask[spot.origin + block.of_group..][..BLOCK];
                let mut excepted = mask.iter().fold(0, |all, mask| all | mask) & spot.lanes;
                if excepted == 0 {
                    continue;
                }
                let extra = &board.extra[spot.origin + block.place..][..BLOCK];
                let (mut products, mut masks) = ([0.0; BLOCK], [0; BLOCK]);
                for lane in 0..BLOCK {
                    (products[lane], masks[lane]) = (block.weights[lane] * extra[lane], mask[lane]);
                }
                while excepted != 0 {
                    let bit = excepted & excepted.wrapping_neg();
                    let mut taken = [0.0; BLOCK];
                    for lane in 0..BLOCK {
                        taken[lane] = if masks[lane] & bit != 0 { products[lane] } else { 0.0 };
                    }
                    means[bit.trailing_zeros() as usize] += across(&taken);
                    excepted ^= bit;
                }
            }
        }
        let scale = 1.0 / lottery.total;
        for memory in bits(spot.lanes) {
            means[memory] = 1.0 - means[memory] * scale;
        }
    }
}

/// The places of the bits of a set.
#[inline(always)]
fn bits(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        bit
    })
}

/// The sum of all lanes, in a fixed order.
#[inline(always)]
fn across(sums: &[f64; BLOCK]) -> f64 {
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
