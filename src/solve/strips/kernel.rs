//! One strip in one layer: its means, its best actions, or what a fixed plan brings.

use crate::game::{DiceSet, Plan};

use super::mend::Differences;
use super::menu::{Mask, Menu, Mixed, Weighed};
use super::setting::Setting;
use super::strip::{Lanes, Layer, Strip, add};
use super::weights::GROUP;
use super::{LANES, Row, ZERO};
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::Chooser;
use crate::solve::program::Sum;

/// The results of a strip in one layer.
#[derive(Clone, Debug)]
pub(super) struct Out {
    /// By state of a cell.
    pub values: Vec<Row>,
    pub sets: Vec<[DiceSet; LANES]>,
}

/// Room for one thread's work.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// `[number of the menu's means * mine + opponent's memory]`
    means: Vec<Row>,
    differences: Differences,
}

/// A strip in one layer, its chains ready. `MEMORYLESS` games have one state a cell: no loops over states.
pub(super) struct Tile<'t, const MEMORYLESS: bool> {
    pub layer: &'t Layer<'t>,
    pub strip: &'t Strip,
    lanes: Lanes,
}

/// Solves a strip in one layer with the best vectors that this processor has.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "x86_64+avx"))
)]
pub(super) fn solve_strip(layer: &Layer, strip: &mut Strip, out: &mut Out, room: &mut Room) {
    let setting = layer.question.setting;
    if setting.program.reads_own_layer {
        strip.foresee(layer);
    }
    strip.climb(setting, (layer.sum, layer.slots), &layer.question.most_dice[layer.side.own]);
    match setting.space.per_cell() {
        1 => solve::<true>(layer, strip, out, room),
        _ => solve::<false>(layer, strip, out, room),
    }
}

/// The rest, once clean rolls are known.
#[inline(always)]
fn solve<const MEMORYLESS: bool>(layer: &Layer, strip: &mut Strip, out: &mut Out, room: &mut Room) {
    let mut latest = std::mem::take(&mut strip.menus);
    let tile: Tile<MEMORYLESS> = Tile { layer, strip, lanes: layer.lanes(strip.first) };
    if !layer.question.setting.by_points.is_empty() {
        tile.find_differences(&mut room.differences);
    }
    match layer.side.chooser {
        Chooser::Best => {
            let menu = match &layer.question.setting.menus {
                Some(menus) => menus.of(strip.first, layer.sum),
                None => latest.find(layer, strip.first),
            };
            tile.weigh(menu, room);
            tile.choose(menu, &room.means, out);
        }
        Chooser::Fixed(plan) => tile.follow(plan, &room.differences, out),
    }
    strip.menus = latest;
}

/// See [`Strip::pass_the_goal`].
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "x86_64+avx"))
)]
pub(super) fn pass_the_goal(strip: &mut Strip, setting: &Setting, payoff: Payoff, most_dice: &[usize]) {
    strip.pass_the_goal(setting, payoff, most_dice);
}

/// See [`Strip::land`].
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "x86_64+avx"))
)]
pub(super) fn land(layer: &Layer, strip: &mut Strip, mirror: (&[Out], usize)) {
    strip.land(layer, mirror);
}

impl<const MEMORYLESS: bool> Tile<'_, MEMORYLESS> {
    /// The opponent's memories.
    #[inline(always)]
    pub fn memories(&self) -> usize {
        if MEMORYLESS { 1 } else { self.layer.question.setting.space.mine }
    }

    fn cell(&self, lane: usize) -> usize {
        let column = self.strip.first + lane;
        (self.layer.sum - column) * self.layer.question.setting.space.goal + column
    }

    #[inline(always)]
    fn arrival(&self, kind: usize, points: usize, memory: usize) -> &Row {
        &self.strip.arrivals[self.layer.slots.arrivals_of(self.layer.question.setting, kind, points) + memory]
    }

    /// The clean rolls of a sum.
    #[inline(always)]
    fn start(&self, sum: &Sum, memory: usize) -> &Row {
        let Some((row, shift)) = self.layer.question.setting.row_of_climb(sum) else { return &ZERO };
        &self.strip.chains[self.layer.slots.chains[shift]][row + memory]
    }

    /// The clean rolls of a sum on the menu.
    #[inline(always)]
    fn clean(&self, climb: Option<(usize, usize)>, memory: usize) -> Row {
        match climb {
            Some((row, shift)) => self.strip.chains[self.layer.slots.chains[shift]][row + memory],
            None => ZERO,
        }
    }

    /// The opponent's total of a sum on the menu, as if all arrivals were plain.
    #[inline(always)]
    fn plain(&self, menu: &Menu, sum: &Weighed, memory: usize) -> Row {
        let arrivals = &self.strip.arrivals[self.layer.slots.arrivals..];
        let mut total = self.clean(sum.climb, memory);
        for term in menu.terms(sum) {
            add(&mut total, term.weight, &arrivals[term.row + memory]);
        }
        total
    }

    /// The means of all that is on the menu, as they are to the mover.
    #[inline(always)]
    fn weigh(&self, menu: &Menu, room: &mut Room) {
        let setting = self.layer.question.setting;
        let mine = self.memories();
        if room.means.len() < menu.means() * mine {
            room.means.resize(menu.means() * mine, ZERO);
        }
        // The opponent's share, or what is left of 1.
        let (base, sign) = if self.layer.question.payoff == Payoff::WinRate { (1.0, -1.0) } else { (0.0, 1.0) };
        let (means, differences) = (&mut room.means[..], &room.differences);
        let by_points = !setting.by_points.is_empty();
        let arrivals = &self.strip.arrivals[self.layer.slots.arrivals..];
        if by_points {
            self.weigh_groups(menu, (means, differences), (base, sign));
        } else {
            for (sum, means) in menu.sums.iter().zip(means.chunks_exact_mut(mine)) {
                for (memory, mean) in means.iter_mut().enumerate() {
                    let mut total = self.plain(menu, sum, memory);
                    turn(&mut total, base, sign * sum.scale);
                    *mean = total;
                }
            }
        }
        let (sums, others) = means.split_at_mut(menu.sums.len() * mine);
        let (blends, others) = others.split_at_mut(menu.blends.len() * mine);
        let (mixed, sure) = others.split_at_mut(menu.mixed.len() * mine);
        for (blend, means) in menu.blends.iter().zip(blends.chunks_exact_mut(mine)) {
            for (memory, mean) in means.iter_mut().enumerate() {
                let mut total = self.clean(blend.climbs[0], memory);
                pick(&mut total, &self.clean(blend.climbs[1], memory), &blend.second);
                for term in &blend.terms {
                    let row = &arrivals[term.row + memory];
                    for lane in 0..LANES {
                        total[lane] += term.weights[lane % 2] * row[lane];
                    }
                }
                turn(&mut total, base, sign * blend.scale);
                *mean = total;
            }
        }
        for (mixed, means) in menu.mixed.iter().zip(mixed.chunks_exact_mut(mine)) {
            for (memory, mean) in means.iter_mut().enumerate() {
                match mixed {
                    Mixed::Two { sums: sums_of, mask } => {
                        *mean = sums[sums_of[0] as usize * mine + memory];
                        pick(mean, &sums[sums_of[1] as usize * mine + memory], mask);
                    }
                    Mixed::Many(sums_of) => {
                        for lane in 0..LANES {
                            mean[lane] = sums[sums_of[lane] as usize * mine + memory][lane];
                        }
                    }
                }
            }
        }
        for (sure, means) in menu.sure.iter().zip(sure.chunks_exact_mut(mine)) {
            for (memory, mean) in means.iter_mut().enumerate() {
                for lane in 0..LANES {
                    mean[lane] = arrivals[sure.rows[lane] as usize + memory][lane];
                }
                if by_points {
                    self.mend_sure(differences, sure, memory, mean);
                }
                turn(mean, base, sign);
            }
        }
    }

    /// The means of sums, where arrivals depend on the points: several at a time, which would only cost other games.
    #[inline(always)]
    fn weigh_groups(&self, menu: &Menu, (means, differences): (&mut [Row], &Differences), (base, sign): (f64, f64)) {
        let mine = self.memories();
        for group in 0..menu.sums.len().div_ceil(GROUP) {
            // A group with fewer sums weighs its last one again.
            let place = |sum: usize| (group * GROUP + sum).min(menu.sums.len() - 1);
            for memory in 0..mine {
                let mut totals = [ZERO; GROUP];
                for (sum, total) in totals.iter_mut().enumerate() {
                    *total = self.plain(menu, &menu.sums[place(sum)], memory);
                }
                self.mend(differences, &menu.weights, (group, memory), &mut totals);
                for (sum, total) in totals.iter_mut().enumerate() {
                    turn(total, base, sign * menu.sums[place(sum)].scale);
                    means[place(sum) * mine + memory] = *total;
                }
            }
        }
    }

    /// The best of all actions in every state, and those that tie with it.
    #[inline(always)]
    fn choose(&self, menu: &Menu, means: &[Row], out: &mut Out) {
        let setting = self.layer.question.setting;
        let space = &setting.space;
        let slack = self.layer.question.slack_of(self.layer.sum);
        if MEMORYLESS {
            return best(&menu.rows, (means, 1), slack, (&mut out.values[0], &mut out.sets[0]));
        }
        for shared in 0..space.shared {
            for theirs in 0..space.mine {
                for mine in 0..space.mine {
                    let row = shared * space.mine + mine;
                    let place = if menu.theirs_matter { row * space.mine + theirs } else { row };
                    let rows = &menu.rows[place * space.actions..][..space.actions];
                    let state = space.state(0, shared, theirs, mine);
                    let results = (&mut out.values[state], &mut out.sets[state]);
                    best(rows, (&means[theirs..], space.mine), slack, results);
                }
            }
        }
    }

    /// What a fixed plan brings in every state.
    fn follow(&self, plan: &Plan, differences: &Differences, out: &mut Out) {
        let setting = self.layer.question.setting;
        let (space, game) = (&setting.space, setting.game);
        for lane in self.lanes.range() {
            let cell = self.cell(lane);
            let (panel, choices) = (game.panel(cell), &setting.program.choices[game.panel_number(cell)]);
            let actions = plan.actions_of(cell, space.per_cell());
            for shared in 0..space.shared {
                for theirs in 0..space.mine {
                    for mine in 0..space.mine {
                        let state = space.state(0, shared, theirs, mine);
                        let action = usize::from(actions[state.min(actions.len() - 1)]);
                        let place = panel.place(space, (shared, mine, theirs));
                        let sum = choices[place * space.actions + action];
                        let mean = self.mean(&setting.program.sums[sum as usize], differences, (theirs, lane));
                        out.values[state][lane] = self.layer.question.flip(mean);
                        out.sets[state][lane] = 1 << action;
                    }
                }
            }
        }
    }

    /// The opponent's mean of a lottery in one column, against one memory.
    #[inline(always)]
    fn mean(&self, sum: &Sum, differences: &Differences, (memory, lane): (usize, usize)) -> f64 {
        let mut total = self.start(sum, memory)[lane];
        for term in &sum.rest {
            total += term.weight * self.arrival(term.kind, term.points, memory)[lane];
        }
        if !self.layer.question.setting.by_points.is_empty() {
            total += self.mended(differences, sum, (memory, lane));
        }
        total * sum.scale
    }
}

/// The other number where all bits are set.
#[inline(always)]
fn picked(one: f64, other: f64, bits: u64) -> f64 {
    f64::from_bits(one.to_bits() & !bits | other.to_bits() & bits)
}

/// Takes the columns of another row where the mask says so.
#[inline(always)]
fn pick(row: &mut Row, other: &Row, mask: &Mask) {
    for lane in 0..LANES {
        row[lane] = picked(row[lane], other[lane], mask[lane]);
    }
}

/// `row = base + scale * row`
#[inline(always)]
fn turn(row: &mut Row, base: f64, scale: f64) {
    for value in row.iter_mut() {
        *value = base + *value * scale;
    }
}

/// The largest of some means in each column, and those that tie with it; rows are `stride` apart.
#[inline(always)]
fn best(rows: &[u32], (means, stride): (&[Row], usize), slack: f64, (best, set): (&mut Row, &mut [DiceSet; LANES])) {
    let mut highest = means[rows[0] as usize * stride];
    for row in &rows[1..] {
        let values = &means[*row as usize * stride];
        for lane in 0..LANES {
            highest[lane] = if values[lane] > highest[lane] { values[lane] } else { highest[lane] };
        }
    }
    let mut least = highest;
    for least in least.iter_mut() {
        *least -= slack;
    }
    let mut ties = [0u64; LANES];
    for (action, row) in rows.iter().enumerate() {
        let (bit, values) = (1u64 << action, &means[*row as usize * stride]);
        for lane in 0..LANES {
            ties[lane] |= if values[lane] >= least[lane] { bit } else { 0 };
        }
    }
    *best = highest;
    for lane in 0..LANES {
        set[lane] = ties[lane] as DiceSet;
    }
}
