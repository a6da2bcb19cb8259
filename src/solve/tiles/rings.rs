//! The rows of the layers that turns may still read, in rings: the newest layer takes the place of the oldest.

use super::LANES;
use super::menu::Menu;
use super::setting::Setting;

/// One number for each column of a tile.
pub(super) type Row = [f64; LANES];

pub(super) const ZERO: Row = [0.0; LANES];

/// The rows of the layers that turns may still read, as one side's turns see them; of a sum of scores S those at S
/// modulo their number.
#[derive(Debug)]
pub(super) struct Rings {
    /// `[tile * rows + kind * mine + opponent's memory]`
    pub(super) arrivals: Vec<Vec<Row>>,
    /// `[tile * rows + chain's row + (dice - 1) * mine + opponent's memory]`
    pub(super) chains: Vec<Vec<Row>>,
    /// By chain.
    pub(super) most_dice: Vec<usize>,
    /// By tile, the latest.
    pub(super) menus: Vec<Vec<Menu>>,
}

/// Places in the rings, by points.
pub(super) struct Slots {
    pub(super) arrivals: Vec<usize>,
    pub(super) chains: Vec<usize>,
}

impl Rings {
    pub(super) fn arrivals_of(&mut self, sum: usize) -> &mut Vec<Row> {
        let depth = self.arrivals.len();
        &mut self.arrivals[sum % depth]
    }

    pub(super) fn take_chains(&mut self, sum: usize) -> Vec<Row> {
        let depth = self.chains.len();
        std::mem::take(&mut self.chains[sum % depth])
    }

    pub(super) fn put_chains(&mut self, sum: usize, rows: Vec<Row>) {
        let depth = self.chains.len();
        self.chains[sum % depth] = rows;
    }

    /// Takes one step on all chains in a tile; `slots` are the places of the layers so many points above.
    #[inline(always)]
    pub(super) fn climb(&self, setting: &Setting, slots: &Slots, tile: usize, rows: &mut [Row]) {
        let mine = setting.space.mine;
        let arrivals = |points: usize| &self.arrivals[slots.arrivals[points]][tile * setting.arrival_rows..];
        let chains = |points: usize| &self.chains[slots.chains[points]][tile * setting.chain_rows..];
        for (chain, most_dice) in setting.program.chains.iter().zip(&self.most_dice) {
            if *most_dice == 0 {
                continue;
            }
            let (first, last) = (chain.first_row, chain.first_row + most_dice * mine);
            let above: Vec<(f64, &[Row], &[Row])> = (chain.step.iter())
                .map(|(points, weight)| {
                    let landed = &arrivals(*points)[chain.kind * mine..][..mine];
                    (*weight, landed, &chains(*points)[first..last - mine])
                })
                .collect();
            let (one, more) = rows[first..last].split_at_mut(mine);
            // Sums are kept out of memory until they are complete, so that the processor keeps them in its vectors.
            for (index, row) in one.iter_mut().enumerate() {
                let mut total = ZERO;
                for (weight, landed, _) in &above {
                    add(&mut total, *weight, &landed[index]);
                }
                *row = total;
            }
            for (index, row) in more.iter_mut().enumerate() {
                let mut total = ZERO;
                for (weight, _, fewer) in &above {
                    add(&mut total, *weight, &fewer[index]);
                }
                *row = total;
            }
        }
    }

    /// The places in the rings of the layers 0, 1, ... points above a sum of scores.
    pub(super) fn slots(&self, sum: usize) -> Slots {
        let places = |ring: &[Vec<Row>]| (0..ring.len()).map(|points| (sum + points) % ring.len()).collect();
        Slots { arrivals: places(&self.arrivals), chains: places(&self.chains) }
    }
}

/// `total += weight * row`
#[inline(always)]
pub(super) fn add(total: &mut Row, weight: f64, row: &Row) {
    // Loops, not iterators' closures: those would not be compiled for the vectors that their caller is compiled for.
    if weight == 1.0 {
        for (total, value) in total.iter_mut().zip(row) {
            *total += value;
        }
    } else {
        for (total, value) in total.iter_mut().zip(row) {
            *total += weight * value;
        }
    }
}
