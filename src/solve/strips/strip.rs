//! A strip of columns: what arriving there is worth and what clean rolls from there bring, in the layers that turns may
//! still read.

use super::board::Known;
use super::detours::Detours;
use super::kernel::Out;
use super::menu::{LatestMenus, Mask};
use super::question::{Question, end};
use super::setting::{Setting, Slots, Surprise};
use super::{LANES, Row, ZERO};
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::Side;
use crate::solve::program::Chain;

/// So many steps of a chain are summed at a time.
const STEPS: usize = 6;

/// A strip of columns, as one side's turns see it.
///
/// Layers take turns: of a sum of scores S, arrivals are kept at S modulo their number, and so are chains. Arrivals are
/// kept once more as many places further: so those of the layers from any one upward lie in a row.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    /// The first column.
    pub first: usize,
    /// `[place of the layer * rows + kind * mine + opponent's memory]`, twice
    pub arrivals: Vec<Row>,
    /// `[place of the layer][chain's row + (dice - 1) * mine + opponent's memory]`
    pub chains: Vec<Vec<Row>>,
    /// The sum of scores whose chains are climbed already, ahead of their layer.
    ahead: Option<usize>,
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
            chains: vec![vec![ZERO; setting.chain_rows]; setting.chains_kept],
            ahead: None,
            menus: LatestMenus::default(),
            met: 0,
        }
    }

    /// Becomes like another of the same columns, or one with nothing solved, in the memory that it has.
    pub fn restart(&mut self, like: Option<&Self>) {
        match like {
            Some(like) => {
                self.arrivals.copy_from_slice(&like.arrivals);
                self.chains.iter_mut().zip(&like.chains).for_each(|(rows, like)| rows.copy_from_slice(like));
            }
            None => {
                self.arrivals.fill(ZERO);
                self.chains.iter_mut().for_each(|rows| rows.fill(ZERO));
            }
        }
        (self.ahead, self.met) = like.map_or((None, 0), |like| (like.ahead, like.met));
    }

    /// Takes one step on all chains; `most_dice` tells of each how far it is needed.
    #[inline(always)]
    pub fn climb(&mut self, setting: &Setting, (sum, slots): (usize, &Slots), most_dice: &[usize]) {
        if self.ahead.take() == Some(sum) {
            return;
        }
        let mut own = std::mem::take(&mut self.chains[slots.chains[0]]);
        let chains = setting.program.chains.iter().zip(most_dice).filter(|(_, most)| **most > 0);
        if setting.two_layers {
            let last = slots.chains[slots.chains.len() - 1];
            let mut next = std::mem::take(&mut self.chains[last]);
            for (chain, most_dice) in chains {
                match chain.step.len() {
                    5 => self.climb_two::<6>(setting, slots, (chain, *most_dice), (&mut own, &mut next)),
                    _ => self.climb_two::<4>(setting, slots, (chain, *most_dice), (&mut own, &mut next)),
                }
            }
            self.chains[last] = next;
            self.ahead = sum.checked_sub(1);
        } else {
            for (chain, most_dice) in chains {
                self.climb_weighted(setting, slots, (chain, *most_dice), &mut own);
            }
        }
        self.chains[slots.chains[0]] = own;
    }

    /// The rows that one die, and more dice, of a chain read after `points`.
    #[inline(always)]
    fn above(
        &self,
        setting: &Setting,
        slots: &Slots,
        (chain, most_dice): (&Chain, usize),
        points: usize,
    ) -> [&[Row]; 2] {
        let mine = setting.space.mine;
        let landed = &self.arrivals[slots.arrivals_of(setting, chain.kind, points)..][..mine];
        let fewer = &self.chains[slots.chains[points]][chain.first_row..][..(most_dice - 1) * mine];
        [landed, fewer]
    }

    /// A die whose faces beside the 1 are alike and follow each other: this layer and the next one at the same time, which
    /// read nearly the same. `TERMS` is the number of those faces, and one.
    #[inline(always)]
    fn climb_two<const TERMS: usize>(
        &self,
        setting: &Setting,
        slots: &Slots,
        (chain, most_dice): (&Chain, usize),
        (own, next): (&mut [Row], &mut [Row]),
    ) {
        let (mine, rows) = (setting.space.mine, chain.first_row..chain.first_row + most_dice * setting.space.mine);
        // Loops from here on, not closures: those would not be compiled for the caller's vectors.
        let (mut landed, mut fewer): ([&[Row]; TERMS], [&[Row]; TERMS]) = ([&[]; TERMS], [&[]; TERMS]);
        for term in 0..TERMS {
            [landed[term], fewer[term]] = self.above(setting, slots, (chain, most_dice), chain.step[0].0 - 1 + term);
        }
        let (one, more) = own[rows.clone()].split_at_mut(mine);
        let (next_one, next_more) = next[rows].split_at_mut(mine);
        sum_rows((one, next_one), &landed);
        sum_rows((more, next_more), &fewer);
    }

    /// Any die.
    #[inline(always)]
    fn climb_weighted(&self, setting: &Setting, slots: &Slots, (chain, most_dice): (&Chain, usize), own: &mut [Row]) {
        let mine = setting.space.mine;
        let own = &mut own[chain.first_row..chain.first_row + most_dice * mine];
        let (one, more) = own.split_at_mut(mine);
        // A few steps at a time, their sum held in the processor's vectors.
        for (part, step) in chain.step.chunks(STEPS).enumerate() {
            let (mut landed, mut fewer): (Weighted, Weighted) = ([(0.0, &[]); STEPS], [(0.0, &[]); STEPS]);
            for (index, (points, weight)) in step.iter().enumerate() {
                let above = self.above(setting, slots, (chain, most_dice), *points);
                (landed[index], fewer[index]) = ((*weight, above[0]), (*weight, above[1]));
            }
            weigh_rows(one, &landed[..step.len()], part == 0);
            weigh_rows(more, &fewer[..step.len()], part == 0);
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
        let (mut slots, mut needed) = (Slots::default(), most_dice.to_vec());
        let lowest = (goal + self.first + LANES - 1).min(2 * goal - 1);
        for sum in (lowest..=highest).rev() {
            slots.turn(setting, sum);
            // So much further than the highest score below the goal (in the next layer, which may be climbed with this one),
            // turns come only with some dice still to roll.
            let beyond = (sum + 1).saturating_sub(goal + self.first + LANES + setting.program.chains_reach);
            for ((needed, most), chain) in needed.iter_mut().zip(most_dice).zip(&setting.program.chains) {
                let step = chain.step.iter().map(|(points, _)| *points).max().unwrap_or(1);
                *needed = most.saturating_sub(beyond.div_ceil(step));
            }
            self.climb(setting, (sum, &slots), &needed);
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

    /// Takes in a layer that has just been solved: what arriving in it is worth. `mirror` are the results of the columns
    /// that hold the next movers' cells, from a first column on.
    #[inline(always)]
    pub fn land(&mut self, layer: &Layer, (mirror, mirror_first): (&[Out], usize)) {
        let (setting, lanes) = (layer.question.setting, layer.lanes(self.first));
        let space = &setting.space;
        let from = layer.sum - self.first - lanes.first - mirror_first;
        let (from_first, to_last) = lanes.bits();
        // Past the goal the mover has won: 0. Higher totals short of it are known from other blocks.
        let past = Lanes { first: if layer.rows.1 == space.goal { lanes.first } else { 0 }, end: LANES };
        let (kept, _) = past.bits();
        // Columns of the mirror image count down, from the last of one strip on to those of the strip before.
        let mut columns = [0.0; 3 * LANES];
        for (kind, landing) in setting.program.kinds.iter().enumerate() {
            let first = layer.slots.arrivals_of(setting, kind, 0);
            let state = setting.passed(landing, 0);
            for (memory, row) in self.arrivals[first..first + space.mine].iter_mut().enumerate() {
                if let Some(before) = (from / LANES).checked_sub(1) {
                    columns[..LANES].copy_from_slice(&mirror[before].values[state + memory][..]);
                }
                columns[LANES..2 * LANES].copy_from_slice(&mirror[from / LANES].values[state + memory][..]);
                let last = LANES + from % LANES + lanes.first;
                let columns: [f64; LANES] = *columns[last + 1 - LANES..].first_chunk().expect("as many as a strip has");
                let mut own = *row;
                for lane in 0..LANES {
                    let (value, bits) = (columns[LANES - 1 - lane].to_bits(), from_first[lane] & to_last[lane]);
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

/// Each row the sum of those at its place in all terms but the first, and the next layer's in all but the last.
#[inline(always)]
fn sum_rows<const TERMS: usize>((rows, next): (&mut [Row], &mut [Row]), terms: &[&[Row]; TERMS]) {
    let count = rows.len();
    let (mut cut, next) = (*terms, &mut next[..count]);
    for term in &mut cut {
        *term = &term[..count];
    }
    for index in 0..count {
        let (mut above, mut total) = (cut[0][index], cut[1][index]);
        for lane in 0..LANES {
            above[lane] += total[lane];
        }
        for (term, rows) in cut.iter().enumerate().skip(2) {
            let row = &rows[index];
            for lane in 0..LANES {
                total[lane] += row[lane];
            }
            if term + 1 < TERMS {
                for lane in 0..LANES {
                    above[lane] += row[lane];
                }
            }
        }
        (rows[index], next[index]) = (total, above);
    }
}

/// Rows and their weights.
type Weighted<'r> = [(f64, &'r [Row]); STEPS];

/// Each row the weighted sum of those at its place in all terms, or that added to it.
#[inline(always)]
fn weigh_rows(rows: &mut [Row], terms: &[(f64, &[Row])], anew: bool) {
    for (index, row) in rows.iter_mut().enumerate() {
        let mut total = if anew { ZERO } else { *row };
        for (weight, above) in terms {
            add(&mut total, *weight, &above[index]);
        }
        *row = total;
    }
}

/// `total += weight * row`
#[inline(always)]
pub(super) fn add(total: &mut Row, weight: f64, row: &Row) {
    // A loop, not an iterator's closure: that would not be compiled for the vectors that its caller is compiled for.
    for lane in 0..LANES {
        total[lane] += weight * row[lane];
    }
}
