//! Pairs solved sum by sum, from the highest scores down.

use super::plan::TilePlan;
use super::row::{LANES, Row, ZERO, add, climb, take};
use super::tables::{MOST_STEPS, Tables};

/// What is known of the player of a plan.
#[derive(Debug)]
pub(super) struct Side {
    /// What arriving is worth to the other side: `[(kind * sums + sum) * tiles + tile][column in the tile]`.
    arrivals: Vec<Row>,
    /// What cells are worth to their mover: `[sum * width + the mover's score]`, then the ends, to who did not move.
    worth: Vec<f64>,
    /// Rows of chains by sum, of as many sums as are read.
    ring: Vec<Vec<Row>>,
    /// Of the sum that is being solved.
    excess: Vec<Row>,
    solved: Vec<Row>,
}

impl Side {
    /// Nothing is known but the ends.
    pub(super) fn new(tables: &Tables) -> Self {
        let mut worth = vec![0.0; tables.ends()];
        worth.extend([0.0, 1.0, 0.5]);
        Self {
            arrivals: tables.blank.clone(),
            worth,
            ring: vec![vec![ZERO; tables.chain_rows * tables.tiles]; (tables.reach + 1).next_power_of_two()],
            excess: vec![ZERO; tables.excesses.rows * tables.tiles],
            solved: vec![ZERO; tables.tiles],
        }
    }

    /// What the start of the game is worth to its mover.
    pub(super) fn start(&self) -> f64 {
        self.worth[0]
    }
}

/// Solves both sides with the best vectors that this processor has.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx"))]
pub(super) fn solve(tables: &Tables, plans: [&TilePlan; 2], sides: &mut [Side; 2]) {
    for sum in (0..tables.space.layers() + tables.reach).rev() {
        for (side, plan) in sides.iter_mut().zip(plans) {
            tables.climb(plan, sum, side);
        }
        if sum >= tables.space.layers() {
            continue;
        }
        if !tables.excesses.is_empty() {
            let [a, b] = &mut *sides;
            tables.exceed(plans[0], sum, (a, &b.worth));
            tables.exceed(plans[1], sum, (b, &a.worth));
        }
        let [a, b] = &mut *sides;
        tables.foresee(sum, &a.worth, &mut b.arrivals);
        tables.foresee(sum, &b.worth, &mut a.arrivals);
        for (side, plan) in sides.iter_mut().zip(plans) {
            tables.weigh(plan, sum, side);
        }
        tables.pass(plans, sum, sides);
        let [a, b] = sides;
        tables.arrive(sum, &a.worth, b);
        tables.arrive(sum, &b.worth, a);
    }
}

impl Tables {
    /// The last tile with a cell of a sum, plus one.
    #[inline(always)]
    fn past_tile(&self, sum: usize) -> usize {
        sum.min(self.space.goal - 1) / LANES + 1
    }

    /// Clean rolls from all cells of a sum.
    #[inline(always)]
    fn climb(&self, plan: &TilePlan, sum: usize, side: &mut Side) {
        let slots = side.ring.len() - 1;
        let (live, first) = self.first_tiles(sum);
        let past = self.past_tile(sum).max(live);
        let (all, mut rows) = (self.chain_rows, std::mem::take(&mut side.ring[sum & slots]));
        let edges = &self.edges[sum];
        rows[first * all..first * all + edges.len()].copy_from_slice(edges);
        let mut sources: [&[Row]; MOST_STEPS] = [&[]; MOST_STEPS];
        for (chain, dice) in self.chains.iter().zip(&plan.dice) {
            let dice = &dice[sum * self.tiles..(sum + 1) * self.tiles];
            for (source, points) in sources.iter_mut().zip(&chain.points) {
                *source = &side.ring[(sum + points) & slots];
            }
            let tiles = dice.iter().enumerate().take(past).skip(live);
            let blocks = tiles.map(|(tile, dice)| (tile * all + chain.first_row, usize::from(*dice)));
            climb(&sources[..chain.points.len()], &chain.weights, blocks, &mut rows);
        }
        side.ring[sum & slots] = rows;
    }

    /// By how much arrivals from the cells of a sum are worth more than plain ones.
    #[inline(always)]
    fn exceed(&self, plan: &TilePlan, sum: usize, (side, worth): (&mut Side, &[f64])) {
        let tiles = self.first_tiles(sum).0..self.past_tile(sum);
        let (excess, arrivals) = (&mut side.excess, side.arrivals.as_flattened());
        let mut ready = 0;
        for run in &self.excesses.runs[sum] {
            if !plan.brings[run.points as usize] {
                continue;
            }
            if ready <= run.row as usize {
                for row in &mut excess[run.row as usize * self.tiles..][tiles.clone()] {
                    *row = ZERO;
                }
                ready = run.row as usize + 1;
            }
            let excess = excess.as_flattened_mut();
            let (at, count) = (run.at as usize, run.count as usize);
            let into = &mut excess[run.row as usize * self.width() + run.column as usize..][..count];
            let plain = &arrivals[at..at + count];
            if run.moves {
                let worth = &worth[run.to as usize..][..count];
                for ((into, worth), plain) in into.iter_mut().zip(worth).zip(plain) {
                    *into = worth - plain;
                }
            } else {
                let worth = worth[run.to as usize];
                for (into, plain) in into.iter_mut().zip(plain) {
                    *into = worth - plain;
                }
            }
        }
    }

    /// Works out the cells of a sum.
    #[inline(always)]
    fn weigh(&self, plan: &TilePlan, sum: usize, side: &mut Side) {
        let (tiles, slots) = (self.tiles, side.ring.len() - 1);
        for item in plan.items(sum) {
            let (number, tile) = (item.lottery as usize, usize::from(item.tile));
            let lottery = &self.lotteries[number];
            let mut total = match lottery.climb {
                Some(climb) => side.ring[(sum + climb.shift) & slots][tile * self.chain_rows + climb.row],
                None => ZERO,
            };
            for term in &self.terms[lottery.rest.clone()] {
                add(&mut total, term.weight, &side.arrivals[term.at + sum * tiles + tile]);
            }
            if !self.excesses.is_empty() {
                for mend in self.excesses.mends(sum, number) {
                    add(&mut total, mend.weight, &side.excess[mend.at as usize + tile]);
                }
            }
            for value in &mut total {
                *value = 1.0 - *value * lottery.scale;
            }
            take(&mut side.solved[tile], &total, item.lanes);
        }
        let (least, most) = self.scores(sum);
        let worth = &mut side.worth[sum * self.width()..][least..=most];
        let solved = &side.solved.as_flattened()[least..=most];
        for (worth, solved) in worth.iter_mut().zip(solved.iter().rev()) {
            *worth = *solved;
        }
    }

    /// The scores, of either player, in the cells of a sum.
    #[inline(always)]
    fn scores(&self, sum: usize) -> (usize, usize) {
        ((sum + 1).saturating_sub(self.space.goal), sum.min(self.space.goal - 1))
    }

    /// Follows turns that bring no points to where they leave their layer; a game that goes round for ever counts half.
    #[inline(always)]
    fn pass(&self, plans: [&TilePlan; 2], sum: usize, sides: &mut [Side; 2]) {
        let (least, most) = self.scores(sum);
        let places = sum * self.width()..(sum + 1) * self.width();
        for (side, plan) in plans.iter().enumerate() {
            for place in &plan.passes[sum] {
                let (mut mover, mut at, mut turns) = (side, *place as usize, 0);
                // A place of the other side's is known unless it is a pass of this layer too.
                let own = loop {
                    let Some(to) = plans[mover].leads(at).filter(|_| places.contains(&at)) else {
                        let known = sides[mover].worth[at];
                        break if turns % 2 == 1 { 1.0 - known } else { known };
                    };
                    (mover, at, turns) = (1 - mover, to, turns + 1);
                    if turns > 2 * (most - least + 1) {
                        break 0.5;
                    }
                };
                sides[side].worth[*place as usize] = own;
            }
        }
    }

    /// Readies the arrivals of a sum for its own turns of chance that may bring no points but leave it all the same.
    #[inline(always)]
    fn foresee(&self, sum: usize, worth: &[f64], arrivals: &mut [Row]) {
        if self.reads_own_sum {
            for patch in self.patches[sum].iter().filter(|patch| patch.to as usize >= (sum + 1) * self.width()) {
                arrivals.as_flattened_mut()[patch.at as usize] = worth[patch.to as usize];
            }
        }
    }

    /// Writes what arriving at a sum is worth, from what its cells are worth.
    #[inline(always)]
    fn arrive(&self, sum: usize, worth: &[f64], side: &mut Side) {
        let (least, most) = self.scores(sum);
        let solved = &worth[sum * self.width()..][least..=most];
        let arrivals = side.arrivals.as_flattened_mut();
        for kind in 0..self.program.kinds.len() {
            arrivals[self.arrivals(kind, sum) * LANES..][least..=most].copy_from_slice(solved);
        }
        for patch in &self.patches[sum] {
            arrivals[patch.at as usize] = worth[patch.to as usize];
        }
        let slot = sum & (side.ring.len() - 1);
        let tiles = least / LANES..most / LANES + 1;
        for chain in &self.chains {
            let arrivals = &side.arrivals[self.arrivals(chain.kind, sum)..][tiles.clone()];
            let rows = side.ring[slot][tiles.start * self.chain_rows..].chunks_exact_mut(self.chain_rows);
            for (rows, arrivals) in rows.zip(arrivals) {
                rows[chain.first_row] = *arrivals;
            }
        }
    }
}
