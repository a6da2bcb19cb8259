//! Pairs solved cell by cell, from the highest sum of scores down.

use crate::game::End;
use crate::kernel::planes::{BLOCK, Block, BlockDistribution, Planes, end_of};

use super::plan::{ScorePlan, Step};
use super::{MOST_MEMORIES, Recall};

/// What the cells of a side are worth to its player, who is next to move, where the other's turns read it.
#[derive(Debug)]
pub(super) struct Board {
    /// By place.
    base: Vec<f64>,
    /// What is added for the own memories in the mask.
    extra: Vec<f64>,
    /// By place of the maps.
    mask: Vec<u64>,
    /// What the start is worth.
    pub(super) start: f64,
}

/// Where a mean is taken: the place of no points, the other's memories that matter, and whether it may have exceptions.
#[derive(Clone, Copy)]
struct Spot {
    origin: usize,
    lanes: u64,
    excepts: bool,
}

impl Board {
    /// Nothing is known but the ends.
    pub(super) fn new(planes: &Planes) -> Self {
        let mut base = Vec::with_capacity(planes.places());
        for plane in &planes.planes {
            let leads_to = planes.maps[plane.map].leads_to.iter();
            base.extend(leads_to.map(|leads_to| end_of(*leads_to).map_or(0.0, End::lost)));
        }
        base.resize(planes.places(), 0.0);
        let mask = vec![0; planes.maps.len() * planes.size() + BLOCK];
        Self { base, extra: vec![0.0; planes.places()], mask, start: 0.0 }
    }
}

/// Solves both sides with the best vectors that this processor has.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2")))]
pub(super) fn solve(recall: &Recall, plans: [&ScorePlan; 2], boards: &mut [Board; 2]) {
    let (space, mut means) = (recall.planes.space, [[0.0; MOST_MEMORIES]; 2]);
    let cells = (0..space.stages()).rev().flat_map(|sum| space.stage(sum));
    for (cell, steps) in cells.zip(plans[0].steps.iter().zip(&plans[1].steps)) {
        let [a, b] = &mut *boards;
        recall.step(cell, (steps.0, plans[1]), (b, a), &mut means);
        recall.step(cell, (steps.1, plans[0]), (a, b), &mut means);
    }
}

impl Recall {
    /// Works out a cell.
    #[inline(always)]
    fn step(
        &self,
        cell: usize,
        (step, other): (&Step, &ScorePlan),
        (theirs, own): (&Board, &mut Board),
        means: &mut [[f64; MOST_MEMORIES]; 2],
    ) {
        let lanes = other.away[cell];
        if !step.met || lanes == 0 {
            return;
        }
        let (planes, size) = (&self.planes, self.planes.size());
        let spot = Spot { origin: planes.origin(cell), lanes, excepts: other.excepts };
        let [most, exceptions] = means;
        self.means(&planes.distributions[step.distributions[0] as usize], spot, theirs, most);
        if step.mask != 0 {
            self.means(&planes.distributions[step.distributions[1] as usize], spot, theirs, exceptions);
        }
        for memory in bits(lanes) {
            for plane in &self.leaving[memory] {
                let first = plane * size;
                for place in planes.maps[planes.planes[*plane].map].places(cell) {
                    own.base[first + *place as usize] = most[memory];
                    if step.mask != 0 {
                        own.extra[first + *place as usize] = exceptions[memory] - most[memory];
                    }
                }
            }
        }
        for (map, mask) in planes.maps.iter().zip(own.mask.chunks_exact_mut(size)) {
            for place in map.places(cell) {
                mask[*place as usize] = step.mask;
            }
        }
        let of_start = if step.mask >> self.start_memory & 1 == 1 { exceptions } else { most };
        own.start = of_start[self.start_memory];
    }

    /// The mover's mean of a distribution for each memory of the opponent that matters.
    #[inline(always)]
    fn means(&self, distribution: &BlockDistribution, spot: Spot, board: &Board, means: &mut [f64; MOST_MEMORIES]) {
        let blocks = &self.planes.blocks[distribution.blocks.clone()];
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
            except(blocks, spot, board, means);
        }
        for memory in bits(spot.lanes) {
            means[memory] = 1.0 - means[memory] * distribution.scale;
        }
    }
}

/// Adds what the exceptions among the opponent's memories are worth more.
#[inline(always)]
fn except(blocks: &[Block], spot: Spot, board: &Board, means: &mut [f64; MOST_MEMORIES]) {
    for block in blocks {
        let mask = &board.mask[spot.origin + block.of_map..][..BLOCK];
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
