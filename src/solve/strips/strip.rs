//! A strip of columns: what arriving there is worth and what clean rolls from there bring, in the layers that turns may
//! still read.

use std::cell::Cell;

use super::board::Known;
use super::climb::climb_layers;
use super::detours::Detours;
use super::line::Line;
use super::menu::{LatestMenus, Mask};
use super::question::{Question, end};
use super::setting::{Ascent, Setting, Slots, Surprise};
use super::{LANES, Row, ZERO};
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::Side;

/// A strip of columns, as one side's turns see it.
///
/// Layers take turns: of a sum of scores S, arrivals are kept at S modulo their number, and so are chains, but these perhaps
/// further up: see [`Ascent`]. Arrivals are kept once more as many places further: so those of the layers from any one upward
/// lie in a row.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    /// The first column.
    pub first: usize,
    /// `[place of the layer * rows + kind * mine + opponent's memory]`, twice
    pub arrivals: Vec<Row>,
    /// `[place of the layer * rows + chain's row + (dice - 1) * mine + opponent's memory]`
    pub chains: Vec<Row>,
    /// Where they are not made beforehand.
    pub menus: LatestMenus,
    /// Of its surprises: how many are met.
    met: usize,
}

/// One layer of a block on its way.
#[derive(Clone, Copy)]
pub(super) struct Layer<'l> {
    pub question: &'l Question<'l>,
    pub side: &'l Side<'l>,
    pub sum: usize,
    pub slots: &'l Slots,
    /// The movers' scores of the block: the first, and the end.
    pub rows: (usize, usize),
    pub known: &'l Known<'l>,
    pub detours: &'l Detours,
}

/// Columns of a strip, counted from its first.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    pub first: usize,
    pub end: usize,
}

/// No bits for as many columns as a strip has, then all, then none.
static BITS: [Mask; 3] = [[0; LANES], [u64::MAX; LANES], [0; LANES]];

impl Lanes {
    /// The columns of the strip that begins at `strip_first` whose mover's score is one of `rows`, in the layer of a sum.
    #[inline(always)]
    pub fn new(rows: (usize, usize), (sum, goal): (usize, usize), strip_first: usize) -> Self {
        let first = (sum + 1).saturating_sub(rows.1).max(strip_first);
        let end = (sum + 1).saturating_sub(rows.0).min(goal).min(strip_first + LANES);
        Self { first: first - strip_first, end: end.saturating_sub(strip_first).max(first - strip_first) }
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.first..self.end
    }

    /// All bits from the first column on, and all up to the last: both in these columns.
    #[inline(always)]
    pub fn bits(self) -> (&'static Mask, &'static Mask) {
        let bits = |first: usize| BITS.as_flattened()[first..].first_chunk().expect("there are as many more");
        (bits(LANES - self.first), bits(2 * LANES - self.end))
    }
}

impl Layer<'_> {
    /// The columns of a strip that are cells of the layer.
    #[inline(always)]
    pub fn lanes(&self, strip_first: usize) -> Lanes {
        Lanes::new(self.rows, (self.sum, self.question.setting.space.goal), strip_first)
    }
}

impl Strip {
    /// A strip with nothing solved.
    pub fn new(setting: &Setting, number: usize) -> Self {
        Self {
            first: number * LANES,
            arrivals: vec![ZERO; 2 * setting.arrivals_kept * setting.arrival_rows],
            chains: vec![ZERO; setting.chains_kept * setting.chain_rows],
            menus: LatestMenus::default(),
            met: 0,
        }
    }

    /// Becomes like another of the same columns, or one with nothing solved, in the memory that it has.
    pub fn restart(&mut self, like: Option<&Self>) {
        match like {
            Some(like) => {
                self.arrivals.copy_from_slice(&like.arrivals);
                self.chains.copy_from_slice(&like.chains);
            }
            None => {
                self.arrivals.fill(ZERO);
                self.chains.fill(ZERO);
            }
        }
        self.met = like.map_or(0, |like| like.met);
    }

    /// Readies the chains that a layer and those below it read; `most_dice` tells of each how far it is needed. A strip that begins
    /// in between has them from the one that it goes on from, or there is nothing to read yet.
    #[inline(always)]
    pub fn convolution(&mut self, setting: &Setting, (sum, slots): (usize, &Slots), most_dice: &[usize]) {
        let due = setting.ascent.at_once().map(|layers| sum.is_multiple_of(layers));
        if due == [false, false] {
            return;
        }
        let (arrivals, chains) = (cells(&mut self.arrivals), cells(&mut self.chains));
        for (chain, most_dice) in setting.program.chains.iter().zip(most_dice).filter(|(_, most)| **most > 0) {
            let (mine, others) = (setting.space.mine, (*most_dice - 1) * setting.space.mine);
            let rows = |layer: usize, first: usize, count: usize| &chains[slots.chains[layer] + first..][..count];
            let landed = |layer: usize| &arrivals[slots.arrivals_of(setting, chain.kind, layer)..][..mine];
            let one = |layer: usize| rows(layer, chain.first_row, mine);
            let fewer = |layer: usize| rows(layer, chain.first_row, others);
            let more = |layer: usize| rows(layer, chain.first_row + mine, others);
            match setting.ascent {
                Ascent::Single => {
                    climb_layers::<1, 3, 5>((chain, 0), one, landed);
                    climb_layers::<1, 3, 5>((chain, 0), more, fewer);
                }
                Ascent::Ahead => {
                    // The lower of two layers reads what has just landed one above this one: its rows are kept there, too.
                    if due[0] {
                        climb_layers::<2, 4, 6>((chain, 1), |layer| one(layer + 1), landed);
                    }
                    if due[1] {
                        climb_layers::<4, 6, 8>((chain, 1), more, fewer);
                    }
                }
            }
        }
    }

    /// Readies the rows of layers in which all columns are past the goal, from the highest down.
    #[inline(always)]
    pub fn pass_the_goal(&mut self, setting: &Setting, payoff: Payoff, most_dice: &[usize]) {
        let goal = setting.space.goal;
        let surprises = &setting.surprises[self.first / LANES];
        let Some(highest) = surprises.iter().filter(|surprise| surprise.total >= goal).map(Surprise::sum).max() else {
            return;
        };
        let mut slots = Slots::default();
        let lowest = (goal + self.first + LANES - 1).min(2 * goal - 1);
        for sum in (lowest..=highest).rev() {
            slots.turn(setting, sum);
            self.convolution(setting, (sum, &slots), most_dice);
            let first = slots.arrivals;
            self.arrivals[first..first + setting.arrival_rows].fill(ZERO);
            while let Some(surprise) = surprises.get(self.met).filter(|surprise| surprise.sum() == sum) {
                let (column, value) = (surprise.column - self.first, end(payoff, surprise.destination));
                let first = slots.arrivals_of(setting, surprise.kind, 0);
                for row in &mut self.arrivals[first..first + setting.space.mine] {
                    row[column] = value;
                }
                self.met += 1;
            }
            self.repeat(setting, &slots);
        }
    }

    /// Keeps the arrivals of a layer the second time.
    #[inline(always)]
    fn repeat(&mut self, setting: &Setting, slots: &Slots) {
        let (once, twice) = self.arrivals.split_at_mut(setting.arrivals_kept * setting.arrival_rows);
        let rows = slots.arrivals..slots.arrivals + setting.arrival_rows;
        for (row, again) in once[rows.clone()].iter().zip(&mut twice[rows]) {
            *again = *row;
        }
    }

    /// Readies the arrivals of a layer for those of its own turns that bring no points: those that leave it all the same
    /// get their worth, the others count as never chosen.
    #[inline(always)]
    pub fn foresee(&mut self, layer: &Layer) {
        let (setting, lanes) = (layer.question.setting, layer.lanes(self.first));
        let first = layer.slots.arrivals;
        for row in &mut self.arrivals[first..first + setting.arrival_rows] {
            row[lanes.range()].fill(layer.question.never());
        }
        let met = self.met;
        while let Some(surprise) = self.next_surprise(layer) {
            if !setting.stays(layer.sum, surprise.destination) {
                self.surprise(layer, &surprise);
            }
        }
        self.met = met;
    }

    /// Takes in a layer that has just been solved: what arriving in it is worth. `mirror` are the results of the next movers'
    /// cells.
    #[inline(always)]
    pub fn land(&mut self, layer: &Layer, mirror: &Line) {
        let (setting, lanes) = (layer.question.setting, layer.lanes(self.first));
        let space = &setting.space;
        let (from_first, to_last) = lanes.bits();
        // Past the goal the mover has won: 0. Higher totals short of it are known from other blocks.
        let past = Lanes { first: if layer.rows.1 == space.goal { lanes.first } else { 0 }, end: LANES };
        let (kept, _) = past.bits();
        // An opponent's score is the next mover's.
        let spot = mirror.spot(self.first);
        for (kind, landing) in setting.program.kinds.iter().enumerate() {
            let first = layer.slots.arrivals_of(setting, kind, 0);
            let state = setting.passed(landing, 0);
            if setting.never_plain(kind, layer.sum) {
                self.arrivals[first..first + space.mine].fill(ZERO);
                continue;
            }
            for (memory, row) in self.arrivals[first..first + space.mine].iter_mut().enumerate() {
                let (values, mut own) = (mirror.window(state + memory, spot), *row);
                for lane in 0..LANES {
                    let (value, bits) = (values[lane].to_bits(), from_first[lane] & to_last[lane]);
                    own[lane] = f64::from_bits(own[lane].to_bits() & kept[lane] & !bits | value & bits);
                }
                *row = own;
            }
        }
        while let Some(surprise) = self.next_surprise(layer) {
            self.surprise(layer, &surprise);
        }
        self.repeat(setting, layer.slots);
    }

    fn next_surprise(&mut self, layer: &Layer) -> Option<Surprise> {
        let next = layer.question.setting.surprises[self.first / LANES].get(self.met)?;
        let (goal, (first, end)) = (layer.question.setting.space.goal, layer.rows);
        let met = next.sum() == layer.sum && (first..end).contains(&next.total.min(goal - 1));
        self.met += usize::from(met);
        met.then_some(*next)
    }

    fn surprise(&mut self, layer: &Layer, surprise: &Surprise) {
        let setting = layer.question.setting;
        let kind = &setting.program.kinds[surprise.kind];
        let first = layer.slots.arrivals_of(setting, surprise.kind, 0);
        for (memory, row) in self.arrivals[first..first + setting.space.mine].iter_mut().enumerate() {
            let worth = layer.question.worth(kind, (surprise.destination, memory), (layer.side, layer.known));
            row[surprise.column - self.first] = worth;
        }
    }
}

/// Rows, each of which may be read while others are written.
#[inline(always)]
fn cells(rows: &mut [Row]) -> &[Cell<Row>] {
    Cell::from_mut(rows).as_slice_of_cells()
}
