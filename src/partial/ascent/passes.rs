//! The two passes of partial information: how often states are reached, and what they are worth.
//!
//! A turn leaves the other player's memory as it is, so all states of a cell that differ in that alone are carried on at once.
//! A row holds a number for each memory of one side, its *lanes*; both passes keep a row for each place that the other side's
//! turns reach ([`Planes`](crate::kernel::planes::Planes)), and put together those of a cell when they come to it.

use crate::game::End;
use crate::kernel::planes::{BLOCK, Block, end_of};

use super::{Against, Candidate, Problem, Workspace};

impl Problem<'_> {
    /// What places are worth to the solved side that lead to an end, if a side would move next.
    pub(super) fn ends(&self, side: usize) -> Vec<f64> {
        let (lanes, mut values) = (self.lanes[side], vec![0.0; self.planes.places() * self.lanes[side]]);
        let leads_to = self.planes.planes.iter().flat_map(|plane| &self.planes.maps[plane.map].leads_to);
        for (row, leads_to) in values.chunks_exact_mut(lanes).zip(leads_to) {
            // The other side has just moved.
            let worth = |end: End| if side == 0 { end.lost() } else { 1.0 - end.lost() };
            row.fill(end_of(*leads_to).map_or(0.0, worth));
        }
        values
    }

    /// Calls `see` with the places that lead to a cell of a side, and the row of the cell that each belongs to.
    #[inline(always)]
    fn each_place(&self, side: usize, cell: usize, mut see: impl FnMut(usize, usize)) {
        for (plane, first) in self.planes.planes.iter().zip((0..).step_by(self.planes.size())) {
            if let Ok(row) = self.memories[1 - side].binary_search(&plane.memory) {
                for place in self.planes.maps[plane.map].places(cell) {
                    see(first + *place as usize, row);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn forward(&self, candidate: &mut Candidate) {
        let (space, workspace) = (*self.space(), &mut candidate.workspace);
        for (opponent, against) in self.opponents.iter().zip(&mut candidate.against) {
            against.arriving.iter_mut().for_each(|arriving| arriving.fill(0.0));
            for cell in (0..space.stages()).flat_map(|stage| space.stage(stage)) {
                for side in 0..2 {
                    self.collect(side, cell, against, &mut workspace.rows);
                    let policy = |row: usize, lane: usize| match side {
                        0 => self.chosen(&candidate.table, cell, (row, lane)),
                        _ => opponent.taken(self, cell)[lane * space.mine + row] as usize,
                    };
                    self.carry_on(side, cell, policy, (workspace, &mut against.arriving[1 - side]));
                }
            }
        }
    }

    /// Puts together how often the states of a cell are reached.
    #[inline(always)]
    fn collect(&self, side: usize, cell: usize, against: &mut Against, rows: &mut Vec<f64>) {
        let (lanes, arriving) = (self.lanes[side], &against.arriving[side]);
        rows.clear();
        rows.resize(self.rows(side) * lanes, 0.0);
        self.each_place(side, cell, |place, row| {
            let from = &arriving[place * lanes..][..lanes];
            rows[row * lanes..][..lanes].iter_mut().zip(from).for_each(|(sum, visits)| *sum += visits);
        });
        if cell == 0 {
            rows[self.place_of_start(side)] += 0.5;
        }
        if side == 0 {
            against.reached[cell * rows.len()..][..rows.len()].copy_from_slice(rows);
        }
    }

    /// Where the start lies among the rows of its cell.
    fn place_of_start(&self, side: usize) -> usize {
        let (_, (_, mine, theirs)) = self.space().parts(self.game.start());
        let place = |side: usize, memory: usize| {
            self.memories[side].binary_search(&memory).expect("the start's memories are told apart")
        };
        place(1 - side, theirs) * self.lanes[side] + place(side, mine)
    }

    /// Carries the visits of a cell on to the totals that its turns reach; `policy` tells the distribution of a row and lane.
    #[inline(always)]
    fn carry_on(
        &self,
        side: usize,
        cell: usize,
        policy: impl Fn(usize, usize) -> usize,
        (workspace, arriving): (&mut Workspace, &mut [f64]),
    ) {
        let (own, lanes) = (self.lanes[side], self.lanes[1 - side]);
        for (row, visits) in workspace.rows.chunks_exact(own).enumerate() {
            for (lane, visits) in visits.iter().enumerate().filter(|(_, visits)| **visits > 0.0) {
                let distribution = policy(row, lane);
                workspace.by_distribution[distribution * lanes + row] += visits;
                workspace.used[distribution] = true;
            }
        }
        let origin = self.planes.origin(cell);
        for distribution in &self.offered[self.game.action_set_number(cell)] {
            let distribution = *distribution as usize;
            if std::mem::take(&mut workspace.used[distribution]) {
                let (visits, (blocks, scale)) =
                    (&mut workspace.by_distribution[distribution * lanes..][..lanes], self.blocks(distribution));
                visits.iter_mut().for_each(|visits| *visits *= scale);
                scatter(blocks, origin, visits, arriving);
                visits.fill(0.0);
            }
        }
    }

    #[inline(always)]
    pub(super) fn backward(&self, candidate: &mut Candidate) -> (f64, usize) {
        let (space, mut changed) = (*self.space(), 0);
        for cell in (0..space.stages()).rev().flat_map(|stage| space.stage(stage)) {
            self.expect(cell, candidate);
            changed += self.choose(cell, candidate);
            for index in 0..self.opponents.len() {
                self.value_own(cell, index, candidate);
                self.value_theirs(cell, index, candidate);
            }
        }
        let value = |against: &Against| (against.start[0] + against.start[1]) / 2.0;
        let values = self.opponents.iter().zip(&candidate.against);
        (values.map(|(opponent, against)| opponent.share * value(against)).sum(), changed)
    }

    /// Where `workspace.expected` has a distribution, if an opponent is met.
    #[inline(always)]
    pub(super) fn expected_at(&self, opponent: usize, distribution: usize) -> usize {
        (opponent * self.kernel.distributions.len() + distribution) * self.lanes[1]
    }

    /// Works out what each distribution of a cell is worth against each opponent.
    #[inline(always)]
    fn expect(&self, cell: usize, candidate: &mut Candidate) {
        let origin = self.planes.origin(cell);
        for (index, against) in candidate.against.iter().enumerate() {
            for distribution in &self.offered[self.game.action_set_number(cell)] {
                let at = self.expected_at(index, *distribution as usize);
                let means = &mut candidate.workspace.expected[at..at + self.lanes[1]];
                gather(self.blocks(*distribution as usize), origin, &against.values[1], means);
            }
        }
    }

    /// The values of the solved side's states of a cell.
    #[inline(always)]
    fn value_own(&self, cell: usize, index: usize, candidate: &mut Candidate) {
        let (lanes, Workspace { expected, rows, .. }) = (self.lanes[0], &mut candidate.workspace);
        rows.clear();
        rows.resize(self.rows(0) * lanes, 0.0);
        for (row, values) in rows.chunks_exact_mut(lanes).enumerate() {
            for (mine, value) in values.iter_mut().enumerate().take(self.space().mine) {
                let distribution = self.chosen(&candidate.table, cell, (row, mine));
                *value = expected[self.expected_at(index, distribution) + row];
            }
        }
        self.spread(0, cell, rows, &mut candidate.against[index]);
    }

    /// The values of an opponent's states of a cell.
    #[inline(always)]
    fn value_theirs(&self, cell: usize, index: usize, candidate: &mut Candidate) {
        let (space, [own, lanes], origin) = (self.space(), self.lanes, self.planes.origin(cell));
        let Workspace { by_distribution: means, used, rows, .. } = &mut candidate.workspace;
        let (against, taken) = (&mut candidate.against[index], self.opponents[index].taken(self, cell));
        rows.clear();
        rows.resize(space.mine * lanes, 0.0);
        for (lane, of_mine) in taken.chunks_exact(space.mine).enumerate() {
            for (mine, distribution) in of_mine.iter().enumerate() {
                let distribution = *distribution as usize;
                let of_distribution = &mut means[distribution * own..][..own];
                if !std::mem::replace(&mut used[distribution], true) {
                    gather(self.blocks(distribution), origin, &against.values[0], of_distribution);
                }
                rows[mine * lanes + lane] = of_distribution[mine];
            }
        }
        for distribution in taken {
            used[*distribution as usize] = false;
            means[*distribution as usize * own..][..own].fill(0.0);
        }
        self.spread(1, cell, rows, against);
    }

    /// Takes in what the states of a cell are worth.
    #[inline(always)]
    fn spread(&self, side: usize, cell: usize, rows: &[f64], against: &mut Against) {
        let (lanes, values) = (self.lanes[side], &mut against.values[side]);
        self.each_place(side, cell, |place, row| {
            values[place * lanes..][..lanes].copy_from_slice(&rows[row * lanes..][..lanes]);
        });
        if cell == 0 {
            against.start[side] = rows[self.place_of_start(side)];
        }
    }
}

/// Writes the means of values (by place and lane) over a distribution's blocks, seen from an origin, by lane.
#[inline(always)]
fn gather((blocks, scale): (&[Block], f64), origin: usize, values: &[f64], means: &mut [f64]) {
    let lanes = means.len();
    means.fill(0.0);
    for block in blocks {
        let rows = &values[(origin + block.place) * lanes..][..BLOCK * lanes];
        for (weight, row) in block.weights.iter().zip(rows.chunks_exact(lanes)) {
            means.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
        }
    }
    means.iter_mut().for_each(|mean| *mean *= scale);
}

/// Adds visits, by lane, times the weights of blocks to the places of these.
#[inline(always)]
fn scatter(blocks: &[Block], origin: usize, visits: &[f64], into: &mut [f64]) {
    let lanes = visits.len();
    for block in blocks {
        let rows = &mut into[(origin + block.place) * lanes..][..BLOCK * lanes];
        for (weight, row) in block.weights.iter().zip(rows.chunks_exact_mut(lanes)) {
            row.iter_mut().zip(visits).for_each(|(sum, visits)| *sum += weight * visits);
        }
    }
}
