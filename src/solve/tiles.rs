//! Floats solved a layer at a time, many cells side by side: the engine of games in double precision.
//!
//! Let a column be an opponent's score o. In the layer of a sum S of scores the mover there has t = S - o, and a plain turn
//! of p points leads to the same column of the layer S + p. So whatever a turn reads lies in the column of its cell, and
//! the Bellman step is the same few sums of rows for all columns: one multiplication and one addition for all of them at
//! once. Columns are taken [`LANES`] at a time, a tile, which is what vectors of a processor like.
//!
//! **Arrivals.** For each kind of landing and each column, what arriving there is worth to the opponent: the value of the
//! state, or where the rules on totals lead elsewhere (a swap, a bonus, another turn), what that is worth.
//!
//! **Chains.** A clean roll of n dice is a clean roll of n - 1 dice from wherever the first die leads. With A(t) the value
//! of arriving and U(0, t) = A(t), U(n, t) is the weighted sum of U(n - 1, t + p) over what one die brings, p. So all numbers
//! of dice cost a few additions each instead of a sum over all their outcomes.
//!
//! All operations are on single columns, in a fixed order: the bits do not depend on the processor's vectors or on the
//! number of threads.

use rayon::prelude::*;

use crate::game::{Destination, DiceSet, Game, Landing, Order, Plan, Space};

use super::arithmetic::{Engine, Payoff, Solved};
use super::bellman::{Chooser, Side};
use super::layout::{LayerIndex, Layout};
use super::program::{Program, Sum};

/// Columns of a tile.
const LANES: usize = 16;

/// One number for each column of a tile.
type Row = [f64; LANES];

const ZERO: Row = [0.0; LANES];

/// A layer is shared between threads from so many numbers of its rows on: below, waking a thread costs more than the work.
const WORTH_SHARING: usize = 50_000;

/// What the engine knows of a game and of how it is solved.
#[derive(Debug)]
struct Setting<'a> {
    game: &'a Game,
    program: Program,
    space: Space,
    payoff: Payoff,
    /// Two values of a layer closer than this count as tied, by layer.
    slack: Vec<f64>,
    /// Tiles of a layer.
    tiles: usize,
    /// Rows of arrivals, and of chains, of a tile.
    arrival_rows: usize,
    chain_rows: usize,
    /// Landings whose arrivals depend on the points: their kinds.
    by_points: Vec<usize>,
}

/// The engine.
#[derive(Debug)]
pub(super) struct Tiles<'a> {
    setting: Setting<'a>,
    sides: Vec<Rings>,
    /// By sum of scores: where arrivals are not plain.
    surprises: Vec<Vec<Surprise>>,
    means: Means,
}

/// The rows of the layers that turns may still read, as one side's turns see them; of a sum of scores S those at S
/// modulo their number.
#[derive(Debug)]
struct Rings {
    /// `[tile * rows + kind * mine + opponent's memory]`
    arrivals: Vec<Vec<Row>>,
    /// `[tile * rows + chain's row + (dice - 1) * mine + opponent's memory]`
    chains: Vec<Vec<Row>>,
    /// By chain.
    most_dice: Vec<usize>,
    /// By tile, the latest.
    menus: Vec<Vec<Menu>>,
}

/// An arrival that is not plain.
#[derive(Clone, Copy, Debug)]
struct Surprise {
    kind: usize,
    column: usize,
    destination: Destination,
}

/// What one player's win is worth to the other.
fn flip(payoff: Payoff, value: f64) -> f64 {
    if payoff == Payoff::WinRate { 1.0 - value } else { value }
}

/// What an arrival that ends the game is worth to the opponent.
fn end(payoff: Payoff, destination: Destination) -> f64 {
    match (payoff, destination) {
        (Payoff::WinRate, Destination::Lost) => 1.0,
        (Payoff::WinRate, Destination::Tied) => 0.5,
        _ => 0.0,
    }
}

impl<'a> Tiles<'a> {
    /// An engine with nothing solved; `slack` tells how close values of a layer count as tied. `None` for a game in which
    /// it takes the points to tell whether a turn without points stays in its layer.
    pub fn new(game: &'a Game, payoff: Payoff, sides: &[Side], slack: Vec<f64>) -> Option<Self> {
        let (space, program) = (game.space(), Program::new(game));
        let tiles = space.goal.div_ceil(LANES);
        let by_points: Vec<usize> =
            (0..program.kinds.len()).filter(|kind| game.surprises(&program.kinds[*kind]).is_none()).collect();
        if !by_points.is_empty() && program.reads_own_layer && game.order() != Order::Rising {
            return None;
        }
        let (arrival_rows, chain_rows) = (program.kinds.len() * space.mine, program.chain_rows(space.mine));
        // Where arrivals depend on the points, any of them is read.
        let reach = if by_points.is_empty() { program.arrivals_reach } else { program.farthest };
        let ring = |rows: usize, reach: usize| vec![vec![ZERO; rows * tiles]; reach + 1];
        let rings = |side: &Side| Rings {
            arrivals: ring(arrival_rows, reach),
            chains: ring(chain_rows, program.chains_reach),
            most_dice: program.most_dice(game, side),
            menus: vec![Vec::new(); tiles],
        };
        let sides = sides.iter().map(rings).collect();
        let past = space.layers() + program.farthest;
        let mut surprises = vec![Vec::new(); past];
        for (kind, landing) in program.kinds.iter().enumerate() {
            for (column, total, destination) in game.surprises(landing).into_iter().flatten() {
                if let Some(of_sum) = surprises.get_mut(column + total) {
                    of_sum.push(Surprise { kind, column, destination });
                }
            }
        }
        let setting = Setting { game, program, space, payoff, slack, tiles, arrival_rows, chain_rows, by_points };
        let mut tiles = Self { setting, sides, surprises, means: Means::new() };
        tiles.pass_the_goal();
        Some(tiles)
    }

    /// Readies the rows of sums of scores that only ended games reach, from the highest down.
    fn pass_the_goal(&mut self) {
        let first = self.setting.space.layers();
        let Some(last) = (first..self.surprises.len()).rev().find(|sum| !self.surprises[*sum].is_empty()) else {
            return;
        };
        for sum in (first..=last).rev() {
            for side in 0..self.sides.len() {
                let mut chains = self.sides[side].take_chains(sum);
                let slots = self.sides[side].slots(sum);
                for (tile, rows) in chains.chunks_exact_mut(self.setting.chain_rows.max(1)).enumerate() {
                    self.sides[side].climb(&self.setting, &slots, tile, rows);
                }
                self.sides[side].put_chains(sum, chains);
                let arrivals = self.sides[side].arrivals_of(sum);
                arrivals.fill(ZERO);
                for surprise in &self.surprises[sum] {
                    let value = end(self.setting.payoff, surprise.destination);
                    let rows = self.setting.rows_of(surprise.kind, surprise.column / LANES);
                    arrivals[rows].iter_mut().for_each(|row| row[surprise.column % LANES] = value);
                }
            }
        }
    }

    /// The first tile of a layer that has something to say: any, if games may go on past the goal there.
    fn first_tile(&self, layout: &Layout, sum: usize) -> usize {
        if self.surprises[self.setting.space.layers()..].iter().any(|of_sum| !of_sum.is_empty()) {
            0
        } else {
            layout.least_score(sum) / LANES
        }
    }
}

/// Places in the rings, by points.
struct Slots {
    arrivals: Vec<usize>,
    chains: Vec<usize>,
}

impl Rings {
    fn arrivals_of(&mut self, sum: usize) -> &mut Vec<Row> {
        let depth = self.arrivals.len();
        &mut self.arrivals[sum % depth]
    }

    fn take_chains(&mut self, sum: usize) -> Vec<Row> {
        let depth = self.chains.len();
        std::mem::take(&mut self.chains[sum % depth])
    }

    fn put_chains(&mut self, sum: usize, rows: Vec<Row>) {
        let depth = self.chains.len();
        self.chains[sum % depth] = rows;
    }

    /// Takes one step on all chains in a tile; `slots` are the places of the layers so many points above.
    #[inline(always)]
    fn climb(&self, setting: &Setting, slots: &Slots, tile: usize, rows: &mut [Row]) {
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
    fn slots(&self, sum: usize) -> Slots {
        let places = |ring: &[Vec<Row>]| (0..ring.len()).map(|points| (sum + points) % ring.len()).collect();
        Slots { arrivals: places(&self.arrivals), chains: places(&self.chains) }
    }
}

/// `total += weight * row`
#[inline(always)]
fn add(total: &mut Row, weight: f64, row: &Row) {
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

impl Setting<'_> {
    /// By kind of landing and points: its weight in each of some sums.
    fn weights(&self, sums: &[u32]) -> Vec<Vec<Vec<f64>>> {
        let mut weights = vec![vec![Vec::new(); self.program.farthest + 1]; self.program.kinds.len()];
        for (place, index) in sums.iter().enumerate() {
            for term in &self.program.sums[*index as usize].all {
                let of_landing = &mut weights[term.kind][term.points];
                of_landing.resize(sums.len(), 0.0);
                of_landing[place] = term.weight;
            }
        }
        weights
    }

    /// The rows of a kind of landing in a tile.
    fn rows_of(&self, kind: usize, tile: usize) -> std::ops::Range<usize> {
        let first = tile * self.arrival_rows + kind * self.space.mine;
        first..first + self.space.mine
    }

    /// What a landing of a kind is worth to the opponent with a memory, where it leads to `destination`.
    fn worth(
        &self,
        kind: &Landing,
        (destination, memory): (Destination, usize),
        (side, layout, solved): (&Side, &Layout, &Solved<f64>),
    ) -> f64 {
        let number = |side: usize, cell: usize, place: usize| {
            solved.sides[side][layout.layer_of(cell)][layout.first_word_of(cell) + place]
        };
        match destination {
            Destination::Passed { cell } => {
                let place = self.space.state(0, kind.shared[0].into(), kind.mine[0].into(), memory);
                number(side.other, cell, place)
            }
            Destination::Again { cell } => {
                let place = self.space.state(0, kind.shared[1].into(), memory, kind.mine[1].into());
                flip(self.payoff, number(side.own, cell, place))
            }
            ended => end(self.payoff, ended),
        }
    }
}

/// One tile of a layer on its way.
struct Tile<'a> {
    setting: &'a Setting<'a>,
    rings: &'a Rings,
    side: &'a Side<'a>,
    layout: &'a Layout,
    solved: &'a Solved<'a, f64>,
    sum: usize,
    /// See [`Rings::slots`].
    slots: &'a Slots,
    tile: usize,
}

/// What the columns of a tile choose from. There are few such menus: most games have the same in each layer, or in turns.
#[derive(Clone, Debug, Default)]
struct Menu {
    /// The panels of the columns.
    panels: [usize; LANES],
    /// By memories as far as they matter and action: the row of its means, a sum's or after those a mixed one.
    rows: Vec<u32>,
    /// Sums that some column wants.
    wanted: Vec<u32>,
    /// Rows of which each column has a sum of its own.
    mixed: Vec<[u32; LANES]>,
    /// By kind of landing and points, where arrivals depend on these: its weight in each of the wanted sums; empty if it is
    /// an outcome of none.
    weights: Vec<Vec<Vec<f64>>>,
}

/// The most menus that are kept for a tile.
const MENUS: usize = 8;

/// Room for the means of one tile, `[row * mine + opponent's memory]`.
type Means = Vec<Row>;

/// The columns of a tile, as far as the layer has cells there.
#[derive(Clone, Copy)]
struct Columns {
    first: usize,
    /// How many.
    count: usize,
}

impl Tile<'_> {
    /// The tile's columns that are cells, counted from its first.
    fn columns(&self) -> Columns {
        let least = self.layout.least_score(self.sum);
        let most = self.sum.min(self.setting.space.goal - 1);
        let start = self.tile * LANES;
        let first = least.max(start);
        Columns { first: first - start, count: (most + 1).min(start + LANES).saturating_sub(first) }
    }

    fn cell(&self, lane: usize) -> usize {
        let column = self.tile * LANES + lane;
        (self.sum - column) * self.setting.space.goal + column
    }

    /// Solves the tile's cells; results are in ascending order of the mover's score, so columns count down.
    #[inline(always)]
    fn solve(
        &self,
        chains: &mut [Row],
        (menus, means): (&mut Vec<Menu>, &mut Means),
        results: (&mut [f64], &mut [DiceSet]),
    ) {
        self.rings.climb(self.setting, self.slots, self.tile, chains);
        let columns = self.columns();
        if columns.count == 0 {
            return;
        }
        match self.side.chooser {
            Chooser::Best => {
                let menu = self.read_menu(columns, menus);
                self.weigh(chains, columns, (menu, means));
                self.choose(columns, (menu, means), results);
            }
            Chooser::Fixed(plan) => self.follow(plan, chains, columns, results),
        }
    }

    /// The menu of the tile, one of those known or a new one.
    fn read_menu<'m>(&self, columns: Columns, known: &'m mut Vec<Menu>) -> &'m Menu {
        let (game, goal) = (self.setting.game, self.setting.space.goal);
        let most = (self.tile * LANES + LANES - 1).min(goal - 1);
        // Columns that are not cells are taken to offer what a cell near by offers, where the mover's score is even or odd
        // like theirs, so that menus seldom differ.
        let panels: [usize; LANES] = std::array::from_fn(|lane| {
            let column = (self.tile * LANES + lane).min(most);
            let score = match self.sum.checked_sub(column) {
                None => (column - self.sum) % 2,
                Some(score) if score < goal => score,
                Some(score) => goal - 1 - (score + 1 - goal) % 2.min(goal),
            };
            game.panel_number(score.min(goal - 1) * goal + column)
        });
        let lanes = columns.first..columns.first + columns.count;
        match known.iter().position(|menu| menu.panels[lanes.clone()] == panels[lanes.clone()]) {
            Some(place) => &known[place],
            None => {
                if known.len() == MENUS {
                    known.pop();
                }
                known.push(self.new_menu(panels));
                &known[known.len() - 1]
            }
        }
    }

    /// Finds the sum of every action in every column.
    fn new_menu(&self, panels: [usize; LANES]) -> Menu {
        let program = &self.setting.program;
        let mut menu = Menu { panels, ..Menu::default() };
        let choices: [&Vec<u32>; LANES] = std::array::from_fn(|lane| &program.choices[panels[lane]]);
        for (place, first) in choices[0].iter().enumerate() {
            let each: [u32; LANES] = std::array::from_fn(|lane| choices[lane][place]);
            let row = if each.iter().all(|sum| sum == first) {
                menu.wanted.push(*first);
                *first
            } else {
                menu.wanted.extend(each);
                let known = menu.mixed.iter().position(|mixed| *mixed == each).unwrap_or_else(|| {
                    menu.mixed.push(each);
                    menu.mixed.len() - 1
                });
                (program.sums.len() + known) as u32
            };
            menu.rows.push(row);
        }
        menu.wanted.sort_unstable();
        menu.wanted.dedup();
        if !self.setting.by_points.is_empty() {
            menu.weights = self.setting.weights(&menu.wanted);
        }
        menu
    }

    /// The means of all rows on the menu.
    #[inline(always)]
    fn weigh(&self, chains: &[Row], columns: Columns, (menu, means): (&Menu, &mut Means)) {
        let (program, mine) = (&self.setting.program, self.setting.space.mine);
        let rows = (program.sums.len() + menu.mixed.len()) * mine;
        if means.len() < rows {
            means.resize(rows, ZERO);
        }
        for index in &menu.wanted {
            let sum = &program.sums[*index as usize];
            for memory in 0..mine {
                let mut total = self.start(sum, chains, memory);
                for term in &sum.rest {
                    add(&mut total, term.weight, self.arrival(term.kind, term.points, memory));
                }
                means[*index as usize * mine + memory] = total;
            }
        }
        let mut mended = Vec::new();
        for kind in &self.setting.by_points {
            for lane in columns.first..columns.first + columns.count {
                self.mend(menu, *kind, lane, (means, &mut mended));
            }
        }
        for index in &menu.wanted {
            let scale = program.sums[*index as usize].scale;
            for row in &mut means[*index as usize * mine..(*index as usize + 1) * mine] {
                for value in row {
                    let mean = *value * scale;
                    *value = if self.setting.payoff == Payoff::WinRate { 1.0 - mean } else { mean };
                }
            }
        }
        for (place, sums) in menu.mixed.iter().enumerate() {
            for memory in 0..mine {
                let mut row = ZERO;
                for (lane, sum) in sums.iter().enumerate() {
                    row[lane] = means[*sum as usize * mine + memory][lane];
                }
                means[(program.sums.len() + place) * mine + memory] = row;
            }
        }
    }

    /// The clean rolls of a sum.
    #[inline(always)]
    fn start(&self, sum: &Sum, chains: &[Row], memory: usize) -> Row {
        let Some((chain, dice, shift)) = sum.climb else { return ZERO };
        let setting = self.setting;
        let row = setting.program.chains[chain].first_row + (dice - 1) * setting.space.mine + memory;
        match shift {
            0 => chains[row],
            _ => self.rings.chains[self.slots.chains[shift]][self.tile * setting.chain_rows + row],
        }
    }

    #[inline(always)]
    fn arrival(&self, kind: usize, points: usize, memory: usize) -> &Row {
        &self.rings.arrivals[self.slots.arrivals[points]]
            [self.tile * self.setting.arrival_rows + kind * self.setting.space.mine + memory]
    }

    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    fn mend(&self, menu: &Menu, kind: usize, lane: usize, (means, sums): (&mut [Row], &mut Vec<f64>)) {
        let (setting, mine) = (self.setting, self.setting.space.mine);
        let landing = &setting.program.kinds[kind];
        for memory in 0..mine {
            sums.clear();
            sums.resize(menu.wanted.len(), 0.0);
            for (points, destination) in setting.game.surprises_from(self.cell(lane), landing) {
                let Some(weights) = menu.weights[kind].get(points).filter(|weights| !weights.is_empty()) else {
                    continue;
                };
                let difference = self.difference(landing, (points, destination), (kind, memory), lane);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight * difference;
                }
            }
            for (sum, index) in sums.iter().zip(&menu.wanted) {
                means[*index as usize * mine + memory][lane] += sum;
            }
        }
    }

    fn difference(
        &self,
        landing: &Landing,
        (points, destination): (usize, Destination),
        (kind, memory): (usize, usize),
        lane: usize,
    ) -> f64 {
        if self.stays(destination) {
            return 0.0;
        }
        let known = (self.side, self.layout, self.solved);
        self.setting.worth(landing, (destination, memory), known) - self.arrival(kind, points, memory)[lane]
    }

    /// Whether a turn leads to the layer itself, which is not solved yet; its cell is solved later.
    fn stays(&self, destination: Destination) -> bool {
        match destination {
            Destination::Passed { cell } | Destination::Again { cell } => self.setting.space.sum(cell) == self.sum,
            _ => false,
        }
    }

    /// The best of all actions in every state, and those that tie with it.
    #[inline(always)]
    fn choose(&self, columns: Columns, (menu, means): (&Menu, &Means), (values, sets): (&mut [f64], &mut [DiceSet])) {
        let space = self.setting.space;
        let slack = self.setting.slack[self.layout.layers() - 1 - self.sum];
        let theirs_matter = self.setting.game.panels()[menu.panels[0]].theirs_matter();
        for shared in 0..space.shared {
            for mine in 0..space.mine {
                for theirs in 0..space.mine {
                    let row = shared * space.mine + mine;
                    let place = if theirs_matter { row * space.mine + theirs } else { row };
                    let rows = &menu.rows[place * space.actions..][..space.actions];
                    let (best, set) = best(rows, &means[theirs..], space.mine, slack);
                    let state = space.state(0, shared, theirs, mine);
                    let mut lane = columns.first + columns.count;
                    let cells = values.chunks_exact_mut(space.per_cell()).zip(sets.chunks_exact_mut(space.per_cell()));
                    for (values, sets) in cells {
                        lane -= 1;
                        (values[state], sets[state]) = (best[lane], set[lane] as DiceSet);
                    }
                }
            }
        }
    }

    /// What a fixed plan brings in every state.
    fn follow(&self, plan: &Plan, chains: &[Row], columns: Columns, (values, sets): (&mut [f64], &mut [DiceSet])) {
        let (space, game) = (self.setting.space, self.setting.game);
        let mut mended = Vec::new();
        for (place, lane) in (columns.first..columns.first + columns.count).rev().enumerate() {
            let cell = self.cell(lane);
            let (panel, choices) = (game.panel(cell), &self.setting.program.choices[game.panel_number(cell)]);
            self.list_mended(lane, &mut mended);
            for state in 0..space.per_cell() {
                let (mine, rest) = (state % space.mine, state / space.mine);
                let (shared, theirs) = (rest / space.mine, rest % space.mine);
                let action = plan.action(cell * space.per_cell() + state);
                let index = choices[panel.place(&space, (shared, mine, theirs)) * space.actions + action] as usize;
                let mean = self.mean(index, chains, (theirs, lane), &mended) * self.setting.program.sums[index].scale;
                values[place * space.per_cell() + state] = flip(self.setting.payoff, mean);
                sets[place * space.per_cell() + state] = 1 << action;
            }
        }
    }

    /// The weighted sum of one lottery in one column, against one memory.
    #[inline(always)]
    fn mean(&self, index: usize, chains: &[Row], (memory, lane): (usize, usize), mended: &[Mended]) -> f64 {
        let sum = &self.setting.program.sums[index];
        let mut total = match sum.climb {
            Some((chain, dice, 0)) => {
                let first = self.setting.program.chains[chain].first_row;
                chains[first + (dice - 1) * self.setting.space.mine + memory][lane]
            }
            _ => self.start(sum, chains, memory)[lane],
        };
        for term in &sum.rest {
            total += term.weight * self.arrival(term.kind, term.points, memory)[lane];
        }
        for mended in mended.iter().filter(|mended| mended.memory == memory) {
            let weight = sum.all.iter().find(|term| (term.kind, term.points) == (mended.kind, mended.points));
            total += weight.map_or(0.0, |term| term.weight) * mended.difference;
        }
        total
    }

    /// All arrivals of a column that depend on the points and are not plain.
    fn list_mended(&self, lane: usize, mended: &mut Vec<Mended>) {
        mended.clear();
        for kind in &self.setting.by_points {
            let landing = &self.setting.program.kinds[*kind];
            for (points, destination) in self.setting.game.surprises_from(self.cell(lane), landing) {
                if points > self.setting.program.farthest {
                    continue;
                }
                mended.extend((0..self.setting.space.mine).map(|memory| Mended {
                    kind: *kind,
                    points,
                    memory,
                    difference: self.difference(landing, (points, destination), (*kind, memory), lane),
                }));
            }
        }
    }
}

/// By how much an arrival is worth more than a plain one.
struct Mended {
    kind: usize,
    points: usize,
    memory: usize,
    difference: f64,
}

/// The largest of some rows in each column, and those that tie with it; rows are `stride` apart.
#[inline(always)]
fn best(rows: &[u32], means: &[Row], stride: usize, slack: f64) -> (Row, [u64; LANES]) {
    let mut best = means[rows[0] as usize * stride];
    for row in &rows[1..] {
        for (best, value) in best.iter_mut().zip(&means[*row as usize * stride]) {
            *best = if *value > *best { *value } else { *best };
        }
    }
    let mut least = best;
    for least in &mut least {
        *least -= slack;
    }
    let mut set = [0u64; LANES];
    for (action, row) in rows.iter().enumerate() {
        let bit = 1u64 << action;
        for ((set, least), value) in set.iter_mut().zip(&least).zip(&means[*row as usize * stride]) {
            *set |= if *value >= *least { bit } else { 0 };
        }
    }
    (best, set)
}

/// Solves a tile with the best vectors that this processor has.
#[multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx"))]
fn solve_tile(
    tile: &Tile,
    chains: &mut [Row],
    room: (&mut Vec<Menu>, &mut Means),
    results: (&mut [f64], &mut [DiceSet]),
) {
    tile.solve(chains, room, results);
}

impl Engine<f64> for Tiles<'_> {
    fn solve(
        &mut self,
        side: &Side,
        (layout, layer): (&Layout, LayerIndex),
        solved: &Solved<f64>,
        (mut values, mut sets): (&mut [f64], &mut [DiceSet]),
    ) {
        let (setting, sum) = (&self.setting, layout.sum(layer));
        let (space, last) = (setting.space, sum.min(setting.space.goal - 1) / LANES);
        let tiles = self.first_tile(layout, sum)..last + 1;
        if setting.program.reads_own_layer {
            let (rings, surprises) = (&mut self.sides[side.own], &self.surprises[sum]);
            let rows = tiles.start * setting.arrival_rows..tiles.end * setting.arrival_rows;
            rings.arrivals_of(sum)[rows].fill([setting.never(); LANES]);
            setting.foresee(rings.arrivals_of(sum), (sum, surprises), (side, layout, solved));
        }
        let mut all = self.sides[side.own].take_chains(sum);
        let mut menus = std::mem::take(&mut self.sides[side.own].menus);
        let rings = &self.sides[side.own];
        let slots = rings.slots(sum);
        // One row at least, so that a game without chains has tiles too.
        all.resize(all.len().max(setting.tiles), ZERO);
        let rows = setting.chain_rows.max(1);
        let mut parts = Vec::with_capacity(tiles.len());
        let rooms = all.chunks_exact_mut(rows).zip(&mut menus).enumerate();
        for (index, (chains, menus)) in rooms.take(tiles.end).skip(tiles.start).rev() {
            let tile = Tile { setting, rings, side, layout, solved, sum, slots: &slots, tile: index };
            let states = tile.columns().count * space.per_cell();
            let (own_values, own_sets);
            (own_values, values) = values.split_at_mut(states);
            (own_sets, sets) = sets.split_at_mut(states);
            parts.push((tile, (chains, menus), (own_values, own_sets)));
        }
        let work = tiles.len() * LANES * (setting.chain_rows * 4 + space.per_cell() * space.actions * 3);
        type Part<'p> = (Tile<'p>, (&'p mut [Row], &'p mut Vec<Menu>), (&'p mut [f64], &'p mut [DiceSet]));
        let step = |means: &mut Means, (tile, (chains, menus), results): Part| {
            solve_tile(&tile, chains, (menus, means), results);
        };
        if work >= WORTH_SHARING && rayon::current_num_threads() > 1 && parts.len() > 1 {
            parts.into_par_iter().for_each_init(Means::default, step);
        } else {
            let mut means = std::mem::take(&mut self.means);
            parts.into_iter().for_each(|part| step(&mut means, part));
            self.means = means;
        }
        self.sides[side.own].put_chains(sum, all);
        self.sides[side.own].menus = menus;
    }

    fn reflect(&mut self, sides: &[Side], (layout, layer): (&Layout, LayerIndex), solved: &Solved<f64>) {
        let sum = layout.sum(layer);
        let first = self.first_tile(layout, sum);
        let (setting, surprises) = (&self.setting, &self.surprises[sum]);
        for (side, rings) in sides.iter().zip(&mut self.sides) {
            let arrivals = rings.arrivals_of(sum);
            setting.land(sum, (first, layout), &solved.sides[side.other][layer], arrivals);
            for surprise in surprises {
                let kind = &setting.program.kinds[surprise.kind];
                let rows = setting.rows_of(surprise.kind, surprise.column / LANES);
                for (memory, row) in arrivals[rows].iter_mut().enumerate() {
                    let worth = setting.worth(kind, (surprise.destination, memory), (side, layout, solved));
                    row[surprise.column % LANES] = worth;
                }
            }
        }
    }
}

impl Setting<'_> {
    /// What a turn that stays in its layer counts as while that is solved: infinitely much to the opponent, so that nobody
    /// chooses it there.
    fn never(&self) -> f64 {
        match (self.game.order(), self.payoff) {
            (Order::Rising, _) => 0.0,
            (Order::Level { .. }, Payoff::WinRate) => f64::INFINITY,
            (Order::Level { .. }, Payoff::Endless) => f64::NEG_INFINITY,
        }
    }

    /// Readies the arrivals of a layer for those of its own turns that bring no points and leave it all the same.
    fn foresee(
        &self,
        arrivals: &mut [Row],
        (sum, surprises): (usize, &[Surprise]),
        known: (&Side, &Layout, &Solved<f64>),
    ) {
        for surprise in surprises {
            let stays = match surprise.destination {
                Destination::Passed { cell } | Destination::Again { cell } => self.space.sum(cell) == sum,
                _ => false,
            };
            if stays {
                continue;
            }
            let kind = &self.program.kinds[surprise.kind];
            let rows = self.rows_of(surprise.kind, surprise.column / LANES);
            for (memory, row) in arrivals[rows].iter_mut().enumerate() {
                row[surprise.column % LANES] = self.worth(kind, (surprise.destination, memory), known);
            }
        }
    }

    /// Writes the plain arrivals of a layer; `values` are those of the next mover's side.
    fn land(&self, sum: usize, (first, layout): (usize, &Layout), values: &[f64], arrivals: &mut [Row]) {
        let (space, goal) = (self.space, self.space.goal);
        let least = layout.least_score(sum);
        let last = sum.min(goal - 1) / LANES;
        let write = |(tile, rows): (usize, &mut [Row])| {
            for (kind, landing) in self.program.kinds.iter().enumerate() {
                let place = space.state(0, landing.shared[0].into(), landing.mine[0].into(), 0);
                let rows = &mut rows[kind * space.mine..(kind + 1) * space.mine];
                for lane in 0..LANES {
                    let column = tile * LANES + lane;
                    // Outside of the layer's cells the mover has won, or there is no such score.
                    if column < least || column > sum.min(goal - 1) {
                        rows.iter_mut().for_each(|row| row[lane] = 0.0);
                        continue;
                    }
                    let block = &values[(column - least) * space.per_cell() + place..][..space.mine];
                    rows.iter_mut().zip(block).for_each(|(row, value)| row[lane] = *value);
                }
            }
        };
        let tiles = arrivals.chunks_exact_mut(self.arrival_rows).enumerate().take(last + 1).skip(first);
        if values.len() >= WORTH_SHARING && rayon::current_num_threads() > 1 {
            tiles.par_bridge().for_each(write);
        } else {
            tiles.for_each(write);
        }
    }
}
