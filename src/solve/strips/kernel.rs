//! One strip in one layer: its means, its best actions, or what a fixed plan brings.

use crate::game::{DiceSet, Plan};

use super::groups::{GROUP, RollConvolution, Weighed};
use super::line::Line;
use super::mend::Differences;
use super::menu::{Mask, Menu, Mixed};
use super::setting::Setting;
use super::strip::{Lanes, Layer, Strip};
use super::{LANES, Row, ZERO};
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::Chooser;
use crate::solve::program::Sum;

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
pub(super) fn solve_strip(layer: &Layer, strip: &mut Strip, line: &mut Line, room: &mut Room) {
    let setting = layer.question.setting;
    if setting.program.reads_own_layer {
        strip.foresee(layer);
    }
    strip.convolution(setting, (layer.sum, layer.slots), &layer.question.most_dice[layer.side.own]);
    match setting.space.per_cell() {
        1 => solve::<true>(layer, strip, line, room),
        _ => solve::<false>(layer, strip, line, room),
    }
}

/// The rest, once clean rolls are known.
#[inline(always)]
fn solve<const MEMORYLESS: bool>(layer: &Layer, strip: &mut Strip, line: &mut Line, room: &mut Room) {
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
            tile.choose(menu, &room.means, line);
        }
        Chooser::Fixed(plan) => tile.follow(plan, &room.differences, line),
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
pub(super) fn land(layer: &Layer, strip: &mut Strip, mirror: &Line) {
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

    /// Clean rolls against one memory, if there are any.
    #[inline(always)]
    fn clean(&self, convolution: Option<RollConvolution>, memory: usize) -> &Row {
        let Some(RollConvolution { row, above }) = convolution else { return &ZERO };
        &self.strip.chains[self.layer.slots.chains[above] + row + memory]
    }

    /// The clean rolls of a sum on the menu.
    #[inline(always)]
    fn start(&self, menu: &Menu, sum: &Weighed, memory: usize) -> Row {
        let mut row = *self.clean(sum.climbs[0], memory);
        if !sum.one_climb {
            pick(&mut row, self.clean(sum.climbs[1], memory), &menu.sums.second);
        }
        row
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
        for (number, group) in menu.sums.groups.iter().enumerate() {
            for memory in 0..mine {
                let mut totals = [ZERO; GROUP];
                for (sum, total) in group.sums.iter().zip(&mut totals) {
                    *total = self.start(menu, sum, memory);
                }
                for term in menu.sums.terms(group) {
                    let row = &arrivals[term.row + memory];
                    for (weights, total) in term.weights.iter().zip(&mut totals) {
                        for lane in 0..LANES {
                            total[lane] += weights[lane % 2] * row[lane];
                        }
                    }
                }
                if by_points {
                    self.mend(differences, &menu.weights, (number, memory), &mut totals);
                }
                for (sum, total) in group.sums.iter().zip(&mut totals) {
                    turn(total, base, sign * sum.scale);
                    means[sum.number * mine + memory] = *total;
                }
            }
        }
        let (sums, others) = means.split_at_mut((menu.means() - menu.mixed.len() - menu.sure.len()) * mine);
        let (mixed, sure) = others.split_at_mut(menu.mixed.len() * mine);
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

    /// The best of all actions in every state, and those that tie with it.
    #[inline(always)]
    fn choose(&self, menu: &Menu, means: &[Row], line: &mut Line) {
        let setting = self.layer.question.setting;
        let space = &setting.space;
        let slack = self.layer.question.slack_of(self.layer.sum);
        let spot = line.spot_of_strip(self.layer.sum, self.strip.first);
        if MEMORYLESS {
            return best(&menu.rows, (means, 1), slack, line.window_mut(0, spot));
        }
        for shared in 0..space.shared {
            for theirs in 0..space.mine {
                for mine in 0..space.mine {
                    let row = shared * space.mine + mine;
                    let place = if menu.theirs_matter { row * space.mine + theirs } else { row };
                    let rows = &menu.rows[place * space.actions..][..space.actions];
                    let state = space.state(0, shared, theirs, mine);
                    best(rows, (&means[theirs..], space.mine), slack, line.window_mut(state, spot));
                }
            }
        }
    }

    /// What a fixed plan brings in every state.
    fn follow(&self, plan: &Plan, differences: &Differences, line: &mut Line) {
        let setting = self.layer.question.setting;
        let (space, game) = (&setting.space, setting.game);
        for lane in self.lanes.range() {
            let cell = self.cell(lane);
            let (panel, choices) = (game.action_set(cell), &setting.program.choices[game.action_set_number(cell)]);
            let actions = plan.actions_of(cell, space.per_cell());
            for shared in 0..space.shared {
                for theirs in 0..space.mine {
                    for mine in 0..space.mine {
                        let state = space.state(0, shared, theirs, mine);
                        let action = usize::from(actions[state.min(actions.len() - 1)]);
                        let place = panel.place(space, (shared, mine, theirs));
                        let sum = choices[place * space.actions + action];
                        let mean = self.mean(&setting.program.sums[sum as usize], differences, (theirs, lane));
                        let (value, set) = line.at(state, cell / space.goal);
                        (*value, *set) = (self.layer.question.flip(mean), 1 << action);
                    }
                }
            }
        }
    }

    /// The opponent's mean of a lottery in one column, against one memory.
    #[inline(always)]
    fn mean(&self, sum: &Sum, differences: &Differences, (memory, lane): (usize, usize)) -> f64 {
        let setting = self.layer.question.setting;
        let mut total = self.clean(setting.row_of_climb(sum), memory)[lane];
        for term in &sum.rest {
            total += term.weight * self.arrival(term.kind, term.points, memory)[lane];
        }
        if !setting.by_points.is_empty() {
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

/// The largest of some means in each column, and those that tie with it, the last column's first; rows are `stride` apart.
#[inline(always)]
fn best(
    rows: &[u32],
    (means, stride): (&[Row], usize),
    slack: f64,
    (best, set): (&mut [f64; LANES], &mut [DiceSet; LANES]),
) {
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
    for lane in 0..LANES {
        best[lane] = highest[LANES - 1 - lane];
        set[lane] = ties[LANES - 1 - lane] as DiceSet;
    }
}
