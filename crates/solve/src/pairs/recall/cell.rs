//! Evaluates a pair of plans cell by cell, from the highest stage down.

use crate::game::Successor;
use crate::game::planes::{BLOCK, Block, BlockDistribution, Planes};

use super::plan::{CellPlan, ScorePlan};
use super::{MOST_MEMORIES, Recall};

/// The values of one side's cells to its player, who is to move, stored where turns of the other
/// side read them.
#[derive(Debug)]
pub(super) struct SideValues {
    /// By place: the value for most of the player's own memories.
    base: Vec<f64>,
    /// By place: the difference added for the own memories in `mask`.
    extra: Vec<f64>,
    /// By place of the maps: the own memories that are exceptions in the cell; only read if the
    /// plan has exceptions.
    mask: Vec<u64>,
    /// The value of the start.
    pub(super) start: f64,
}

/// The position of a mean: the place of 0 points, the opponent's memories that can occur, and
/// whether the opponent's plan has exceptions.
#[derive(Clone, Copy)]
struct MeanPosition {
    origin: usize,
    memories: u64,
    has_exceptions: bool,
}

impl SideValues {
    /// Creates storage in which only the values of ends are set.
    pub(super) fn new(planes: &Planes) -> Self {
        let mut base = Vec::with_capacity(planes.places());
        for plane in &planes.planes {
            base.extend(planes.maps[plane.map].leads_to.iter().map(|leads_to| match leads_to {
                Successor::End(end) => end.value_to_opponent(),
                Successor::Next { .. } => 0.0,
            }));
        }
        base.resize(planes.places(), 0.0);
        let mask = vec![0; planes.maps.len() * planes.size() + BLOCK];
        Self { base, extra: vec![0.0; planes.places()], mask, start: 0.0 }
    }
}

/// Evaluates both sides, with the widest vector instructions of this processor.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2")))]
pub(super) fn solve(recall: &Recall, plans: [&ScorePlan; 2], values: &mut [SideValues; 2]) {
    let space = recall.planes.space;
    let mut means = [[0.0; MOST_MEMORIES]; 2];
    // Only cells with exceptions write their masks, so those of the pair before are cleared.
    for (values, _) in values.iter_mut().zip(plans).filter(|(_, plan)| plan.has_exceptions) {
        values.mask.fill(0);
    }
    let cells = (0..space.stages()).rev().flat_map(|sum| space.stage(sum));
    for (cell, cell_plans) in cells.zip(plans[0].cells.iter().zip(&plans[1].cells)) {
        let [a, b] = &mut *values;
        recall.evaluate(cell, cell_plans.0, plans[1], b, a, &mut means);
        recall.evaluate(cell, cell_plans.1, plans[0], a, b, &mut means);
    }
}

impl Recall {
    /// Computes the values of a cell for one side and stores them where the other side reads them.
    #[inline(always)]
    fn evaluate(
        &self,
        cell: usize,
        plan: &CellPlan,
        other: &ScorePlan,
        theirs: &SideValues,
        own: &mut SideValues,
        means: &mut [[f64; MOST_MEMORIES]; 2],
    ) {
        let memories = other.waiting_memories[cell];
        if !plan.reachable || memories == 0 {
            return;
        }
        let planes = &self.planes;
        let size = self.planes.size();
        let position = MeanPosition {
            origin: planes.origin(cell),
            memories,
            has_exceptions: other.has_exceptions,
        };
        let [most, exceptions] = means;
        self.means(&planes.distributions[plan.distributions[0] as usize], position, theirs, most);
        if plan.mask != 0 {
            self.means(
                &planes.distributions[plan.distributions[1] as usize],
                position,
                theirs,
                exceptions,
            );
        }
        for memory in bits(memories) {
            for plane in &self.planes_of_memory[memory] {
                let first = plane * size;
                for place in planes.maps[planes.planes[*plane].map].places(cell) {
                    own.base[first + *place as usize] = most[memory];
                    if plan.mask != 0 {
                        own.extra[first + *place as usize] = exceptions[memory] - most[memory];
                    }
                }
            }
        }
        if plan.mask != 0 {
            for (map, mask) in planes.maps.iter().zip(own.mask.chunks_exact_mut(size)) {
                for place in map.places(cell) {
                    mask[*place as usize] = plan.mask;
                }
            }
        }
        let of_start = if plan.mask >> self.start_memory & 1 == 1 { exceptions } else { most };
        own.start = of_start[self.start_memory];
    }

    /// Computes the mover's mean over a distribution for each memory of the opponent that can
    /// occur.
    #[inline(always)]
    fn means(
        &self,
        distribution: &BlockDistribution,
        position: MeanPosition,
        values: &SideValues,
        means: &mut [f64; MOST_MEMORIES],
    ) {
        let blocks = &self.planes.blocks[distribution.blocks.clone()];
        let mut sums = [0.0; BLOCK];
        for block in blocks {
            let base = &values.base[position.origin + block.place..][..BLOCK];
            for lane in 0..BLOCK {
                sums[lane] += block.weights[lane] * base[lane];
            }
        }
        let base = horizontal_sum(&sums);
        for memory in bits(position.memories) {
            means[memory] = base;
        }
        if position.has_exceptions {
            add_exceptions(blocks, position, values, means);
        }
        for memory in bits(position.memories) {
            means[memory] = 1.0 - means[memory] * distribution.scale;
        }
    }
}

/// Adds the differences of the opponent's exceptions to the means.
#[inline(always)]
fn add_exceptions(
    blocks: &[Block],
    position: MeanPosition,
    values: &SideValues,
    means: &mut [f64; MOST_MEMORIES],
) {
    for block in blocks {
        let mask = &values.mask[position.origin + block.of_map..][..BLOCK];
        let mut excepted = mask.iter().fold(0, |all, mask| all | mask) & position.memories;
        if excepted == 0 {
            continue;
        }
        let extra = &values.extra[position.origin + block.place..][..BLOCK];
        let mut products = [0.0; BLOCK];
        let mut masks = [0; BLOCK];
        for lane in 0..BLOCK {
            (products[lane], masks[lane]) = (block.weights[lane] * extra[lane], mask[lane]);
        }
        while excepted != 0 {
            let bit = excepted & excepted.wrapping_neg();
            let mut selected = [0.0; BLOCK];
            for lane in 0..BLOCK {
                selected[lane] = if masks[lane] & bit != 0 { products[lane] } else { 0.0 };
            }
            means[bit.trailing_zeros() as usize] += horizontal_sum(&selected);
            excepted ^= bit;
        }
    }
}

/// Iterates over the elements of a bit set.
#[inline(always)]
fn bits(set: u64) -> impl Iterator<Item = usize> {
    let mut remaining = set;
    std::iter::from_fn(move || {
        let bit = (remaining != 0).then(|| remaining.trailing_zeros() as usize);
        remaining &= remaining.wrapping_sub(1);
        bit
    })
}

/// Sums all lanes in a fixed order.
#[inline(always)]
fn horizontal_sum(sums: &[f64; BLOCK]) -> f64 {
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
