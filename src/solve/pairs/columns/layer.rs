//! Pairs solved sum by sum, from the highest scores down.

use super::excess::{Mend, Way};
use super::plan::TilePlan;
use super::row::{LANES, Row, Rows, ZERO, add, less, take};
use super::tables::{OutcomeDistribution, Tables};

/// What is known of the player of a plan.
#[derive(Debug)]
pub(super) struct Side {
    /// What arriving is worth to the other side: `[(kind * sums + sum) * tiles + tile][column in the tile]`.
    arrivals: Rows,
    /// What cells are worth to their mover: `[sum * tiles + tile][the mover's score in the tile]`, nothing where there is
    /// none; then the ends, to who did not move.
    worth: Rows,
    /// Rows of chains by sum, of as many sums as are read: `[row * tiles + tile]`.
    ring: Vec<Rows>,
    /// Of the sum that is being solved: `[row * tiles + tile]`.
    excess: Rows,
    /// What the cells of that sum are worth to their mover, by tile of columns; a tile of nothing before each class, and after
    /// the last.
    solved: Rows,
}

/// A side while it is solved.
pub(super) struct Board<'s> {
    pub(super) arrivals: &'s mut [Row],
    worth: &'s mut [Row],
    pub(super) ring: Vec<&'s mut [Row]>,
    excess: &'s mut [Row],
    solved: &'s mut [Row],
}

/// What neighbouring tiles of a sum read.
struct Block<'b> {
    lottery: &'b OutcomeDistribution,
    /// The rows of all clean rolls.
    clean: Option<&'b [Row]>,
    /// Arrivals and excesses from the block's first tile on.
    arrivals: &'b [Row],
    excess: &'b [Row],
    mends: &'b [Mend],
}

impl Side {
    /// Nothing is known but the ends.
    pub(super) fn new(tables: &Tables) -> Self {
        let mut arrivals = Rows::new(tables.blank.len());
        arrivals.copy_from_slice(&tables.blank);
        let mut worth = Rows::new(tables.ends() / LANES + 2);
        worth[tables.ends() / LANES][..3].copy_from_slice(&[0.0, 1.0, 0.5]);
        // From the highest sum that is read down to the one that is climbed, or to the lower one of two.
        let slots = (tables.reach + 1 + usize::from(tables.climbs_two)).next_power_of_two();
        Self {
            arrivals,
            worth,
            ring: (0..slots).map(|_| Rows::new(tables.chain_rows * tables.tiles)).collect(),
            excess: Rows::new(tables.excesses.rows * tables.tiles + 1),
            solved: Rows::new(tables.tiles + tables.classes + 1),
        }
    }

    /// What the start of the game is worth to its mover.
    pub(super) fn start(&self) -> f64 {
        self.worth[0][0]
    }

    /// Everything as plain slices; the chains of another pair are forgotten.
    #[inline(always)]
    fn open(&mut self, tables: &Tables, plan: &TilePlan) -> Board<'_> {
        for rows in &mut self.ring {
            for (chain, most_dice) in tables.chains.iter().zip(&plan.most_dice) {
                rows[chain.first_row * tables.tiles..][..most_dice * tables.tiles].fill(ZERO);
            }
        }
        Board {
            arrivals: &mut self.arrivals,
            worth: &mut self.worth,
            ring: self.ring.iter_mut().map(|rows| &mut rows[..]).collect(),
            excess: &mut self.excess,
            solved: &mut self.solved,
        }
    }
}

/// Solves both sides with the best vectors that this processor has.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "x86_64+avx"))
)]
pub(super) fn solve(tables: &Tables, plans: [&TilePlan; 2], sides: &mut [Side; 2]) {
    let [a, b] = sides;
    let sides = &mut [a.open(tables, plans[0]), b.open(tables, plans[1])];
    for sum in (0..tables.space.stages() + tables.reach).rev() {
        for (side, plan) in sides.iter_mut().zip(plans) {
            tables.convolution(plan, sum, side);
        }
        if sum >= tables.space.stages() {
            continue;
        }
        let [a, b] = &mut *sides;
        if !tables.excesses.is_empty() {
            tables.exceed(plans[0].runs(sum), a, b.worth);
            tables.exceed(plans[1].runs(sum), b, a.worth);
        }
        if tables.reads_own_sum {
            tables.foresee(sum, a.worth, b.arrivals);
            tables.foresee(sum, b.worth, a.arrivals);
        }
        for (side, plan) in sides.iter_mut().zip(plans) {
            tables.weigh(plan, sum, side);
        }
        // Only now: what has just been written row by row is read across rows.
        for side in sides.iter_mut() {
            tables.turn_round(sum, side.solved, side.worth);
        }
        tables.pass(plans, sum, sides);
        let [a, b] = &mut *sides;
        tables.arrive(sum, a.worth, b.arrivals);
        tables.arrive(sum, b.worth, a.arrivals);
    }
}

impl Tables {
    /// By how much arrivals from the cells of a sum are worth more than plain ones.
    // A run is worked out in whole rows: what this writes to the right of it is written again by the next one, or is no cell.
    #[inline(always)]
    fn exceed(&self, runs: &[u32], side: &mut Board, worth: &[Row]) {
        let (excess, arrivals) = (side.excess.as_flattened_mut(), side.arrivals.as_flattened());
        let worth = worth.as_flattened();
        for run in runs {
            let run = &self.excesses.runs[*run as usize];
            let count = (run.count as usize).next_multiple_of(LANES);
            let into = &mut excess[run.row as usize * self.width() + run.column as usize..][..count];
            let into = into.as_chunks_mut().0;
            let plain = arrivals[run.plain as usize..][..count].as_chunks().0;
            match run.way {
                Way::Plain => into.fill(ZERO),
                Way::Places(to) => {
                    let worth = worth[to as usize..][..count].as_chunks().0;
                    for ((into, plain), worth) in into.iter_mut().zip(plain).zip(worth) {
                        *into = less(*worth, plain);
                    }
                }
                Way::Place(to) => {
                    let worth = [worth[to as usize]; LANES];
                    for (into, plain) in into.iter_mut().zip(plain) {
                        *into = less(worth, plain);
                    }
                }
            }
        }
    }

    /// Works out the cells of a sum.
    #[inline(always)]
    fn weigh(&self, plan: &TilePlan, sum: usize, side: &mut Board) {
        let slots = side.ring.len() - 1;
        for item in plan.items(sum) {
            let (number, tile) = (item.lottery as usize, usize::from(item.tile));
            let lottery = &self.distributions[number];
            let lanes = plan.lanes(item);
            let clean = match lottery.convolution {
                Some(convolution) => {
                    Some(&side.ring[(sum + convolution.shift) & slots][convolution.row * self.tiles + tile..])
                }
                None => None,
            };
            let (excess, mends): (&[Row], &[Mend]) = match self.excesses.is_empty() {
                true => (&[], &[]),
                false => (&side.excess[tile..], self.excesses.mends(sum, number)),
            };
            let arrivals = &side.arrivals[sum * self.tiles + tile..];
            let block = Block { lottery, clean, arrivals, excess, mends };
            let solved = &mut side.solved[1 + usize::from(item.class) + tile..][..lanes.len()];
            // As many tiles at a time as there are: each weight is then loaded for all of them.
            let at = self.weigh_blocks::<4>(&block, 0, lanes, solved);
            let at = self.weigh_blocks::<2>(&block, at, lanes, solved);
            self.weigh_blocks::<1>(&block, at, lanes, solved);
        }
    }

    /// Works out the tiles of a block, so many at a time, from one on as long as there are enough; the first that is left.
    #[inline(always)]
    fn weigh_blocks<const TILES: usize>(
        &self,
        block: &Block,
        mut at: usize,
        lanes: &[u8],
        solved: &mut [Row],
    ) -> usize {
        while let (Some(lanes), Some(solved)) = (lanes[at..].first_chunk(), solved[at..].first_chunk_mut()) {
            self.weigh_tiles::<TILES>(block, at, lanes, solved);
            at += TILES;
        }
        at
    }

    /// Works out some tiles of a block, from one on.
    #[inline(always)]
    fn weigh_tiles<const TILES: usize>(
        &self,
        block: &Block,
        at: usize,
        lanes: &[u8; TILES],
        solved: &mut [Row; TILES],
    ) {
        let mut totals = match block.clean.and_then(|clean| clean[at..].first_chunk()) {
            Some(clean) => *clean,
            None => [ZERO; TILES],
        };
        for term in &self.terms[block.lottery.rest.clone()] {
            add_all(&mut totals, term.weight, &block.arrivals[term.at + at..]);
        }
        for mend in block.mends {
            add_all(&mut totals, mend.weight, &block.excess[mend.at as usize + at..]);
        }
        for tile in 0..TILES {
            take(&mut solved[tile], &to_mover(totals[tile], block.lottery.scale), lanes[tile]);
        }
    }

    /// Writes what the cells of a sum are worth, which lie by column, by the mover's score.
    #[inline(always)]
    fn turn_round(&self, sum: usize, solved: &[Row], worth: &mut [Row]) {
        let solved = solved.as_flattened();
        for class in 0..self.classes {
            // The columns that belong to the scores of a class are those of one class too; the first score's is the last.
            let other = (sum + self.classes - class) & (self.classes - 1);
            let first = (1 + other + other * self.class_tiles) * LANES;
            let Some(last) = (sum + self.classes).checked_sub(class + other) else { continue };
            let end = first + (last >> self.class_bits);
            for tile in self.live_tiles(class, sum) {
                let from = &solved[end - (tile - class * self.class_tiles + 1) * LANES..][..LANES];
                let into = &mut worth[sum * self.tiles + tile];
                for lane in 0..LANES {
                    into[lane] = from[LANES - 1 - lane];
                }
            }
        }
    }

    /// Follows turns that bring no points to where they leave their layer; a game that goes round for ever counts half.
    #[inline(always)]
    fn pass(&self, plans: [&TilePlan; 2], sum: usize, sides: &mut [Board; 2]) {
        let (least, most) = self.scores(sum);
        let places = sum * self.width()..(sum + 1) * self.width();
        for (side, plan) in plans.iter().enumerate() {
            for place in &plan.passes[sum] {
                let (mut mover, mut at, mut turns) = (side, *place as usize, 0);
                // A place of the other side's is known unless it is a pass of this layer too.
                let own = loop {
                    let Some(to) = plans[mover].leads(at).filter(|_| places.contains(&at)) else {
                        let known = sides[mover].worth[at / LANES][at % LANES];
                        break if turns % 2 == 1 { 1.0 - known } else { known };
                    };
                    (mover, at, turns) = (1 - mover, to, turns + 1);
                    if turns > 2 * (most - least + 1) {
                        break 0.5;
                    }
                };
                let place = *place as usize;
                sides[side].worth[place / LANES][place % LANES] = own;
            }
        }
    }

    /// Readies the arrivals of a sum for its own turns of chance that may bring no points but leave it all the same.
    #[inline(always)]
    fn foresee(&self, sum: usize, worth: &[Row], arrivals: &mut [Row]) {
        let (worth, arrivals) = (worth.as_flattened(), arrivals.as_flattened_mut());
        for patch in self.patches[sum].iter().filter(|patch| patch.to as usize >= (sum + 1) * self.width()) {
            arrivals[patch.at as usize] = worth[patch.to as usize];
        }
    }

    /// Writes what arriving at a sum is worth, from what its cells are worth.
    #[inline(always)]
    fn arrive(&self, sum: usize, worth: &[Row], arrivals: &mut [Row]) {
        for class in 0..self.classes {
            let tiles = self.live_tiles(class, sum);
            let solved = &worth[sum * self.tiles..][tiles.clone()];
            for kind in 0..self.program.kinds.len() {
                let arrivals = &mut arrivals[self.arrivals(kind, sum)..][tiles.clone()];
                for (arrivals, solved) in arrivals.iter_mut().zip(solved) {
                    *arrivals = *solved;
                }
            }
        }
        let (worth, arrivals) = (worth.as_flattened(), arrivals.as_flattened_mut());
        for patch in &self.patches[sum] {
            arrivals[patch.at as usize] = worth[patch.to as usize];
        }
    }
}

/// Adds `weight` times the first of `rows`.
#[inline(always)]
fn add_all<const TILES: usize>(totals: &mut [Row; TILES], weight: f64, rows: &[Row]) {
    let rows = &rows[..TILES];
    for tile in 0..TILES {
        add(&mut totals[tile], weight, &rows[tile]);
    }
}

/// What turns are worth to their mover, from the sums of what they are worth to the other side.
#[inline(always)]
fn to_mover(mut totals: Row, scale: f64) -> Row {
    for value in &mut totals {
        *value = 1.0 - *value * scale;
    }
    totals
}
