//! The two passes for partial information: reach probabilities forward, values backward.
//!
//! A turn does not change the other player's memory, so all states of a cell that differ only in it
//! are processed together. A row holds a number for each memory of the side to move, its *lanes*.
//! Both passes store a row for each place that turns of the other side reach
//! ([`Planes`](crate::game::planes::Planes)), and combine the rows that belong to a cell when
//! they come to that cell.

use crate::game::Successor;
use crate::game::planes::{BLOCK, Block};

use super::{AscentWorkspace, CellCandidate, Matchup, Problem};

impl Problem<'_> {
    /// Returns values by place and lane for `side` to move, as win rates of the solved side, set
    /// only at places that lead to an end.
    pub(super) fn end_values(&self, side: usize) -> Vec<f64> {
        let lanes = self.lanes[side];
        let mut values = vec![0.0; self.planes.places() * self.lanes[side]];
        let leads_to =
            self.planes.planes.iter().flat_map(|plane| &self.planes.maps[plane.map].leads_to);
        for (row, leads_to) in values.chunks_exact_mut(lanes).zip(leads_to) {
            // The other side has just moved.
            row.fill(match leads_to {
                Successor::End(end) if side == 0 => end.value_to_opponent(),
                Successor::End(end) => 1.0 - end.value_to_opponent(),
                Successor::Next { .. } => 0.0,
            });
        }
        values
    }

    /// Calls `see(place, row)` for each place that leads to a cell with `side` to move; `row` is
    /// the row of the cell to which the place belongs.
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

    /// See [`super::forward`].
    #[inline(always)]
    pub(super) fn forward(
        &self,
        candidate: &mut CellCandidate,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let space = *self.space();
        let workspace = &mut candidate.numbers.workspace;
        for (opponent, matchup) in self.opponents.iter().zip(&mut candidate.numbers.matchups) {
            matchup.place_reach.iter_mut().for_each(|reach| reach.fill(0.0));
            for stage in 0..space.stages() {
                if !go_on() {
                    return false;
                }
                for (cell, side) in space.stage(stage).flat_map(|cell| [(cell, 0), (cell, 1)]) {
                    self.collect_reach(side, cell, matchup, &mut workspace.rows);
                    let policy = |row: usize, lane: usize| match side {
                        0 => self.chosen(&candidate.table, cell, row, lane),
                        _ => {
                            opponent.distributions_at(self, cell)[lane * space.mine + row] as usize
                        }
                    };
                    self.propagate(
                        side,
                        cell,
                        policy,
                        workspace,
                        &mut matchup.place_reach[1 - side],
                    );
                }
            }
        }
        true
    }

    /// Sums the reach probabilities of the states of a cell over the places that lead to it.
    #[inline(always)]
    fn collect_reach(&self, side: usize, cell: usize, matchup: &mut Matchup, rows: &mut Vec<f64>) {
        let lanes = self.lanes[side];
        let place_reach = &matchup.place_reach[side];
        rows.clear();
        rows.resize(self.rows(side) * lanes, 0.0);
        self.each_place(side, cell, |place, row| {
            let from = &place_reach[place * lanes..][..lanes];
            rows[row * lanes..][..lanes]
                .iter_mut()
                .zip(from)
                .for_each(|(sum, reach)| *sum += reach);
        });
        if cell == 0 {
            rows[self.start_index(side)] += 0.5;
        }
        if side == 0 {
            matchup.state_reach[cell * rows.len()..][..rows.len()].copy_from_slice(rows);
        }
    }

    /// The index of the start among the rows and lanes of its cell.
    fn start_index(&self, side: usize) -> usize {
        let (_, start) = self.space().parts(self.game.start());
        let row = self.memories[1 - side].binary_search(&start.theirs);
        let lane = self.memories[side].binary_search(&start.mine);
        row.expect("the start's memories are listed") * self.lanes[side]
            + lane.expect("the start's memories are listed")
    }

    /// Propagates the reach probabilities of a cell to the places that its turns reach. `policy`
    /// returns the distribution of a row and lane.
    #[inline(always)]
    fn propagate(
        &self,
        side: usize,
        cell: usize,
        policy: impl Fn(usize, usize) -> usize,
        workspace: &mut AscentWorkspace,
        place_reach: &mut [f64],
    ) {
        let own = self.lanes[side];
        let lanes = self.lanes[1 - side];
        for (row, reach) in workspace.rows.chunks_exact(own).enumerate() {
            for (lane, reach) in reach.iter().enumerate().filter(|(_, reach)| **reach > 0.0) {
                let distribution = policy(row, lane);
                workspace.by_distribution[distribution * lanes + row] += reach;
                workspace.used[distribution] = true;
            }
        }
        let origin = self.planes.origin(cell);
        for distribution in &self.distributions_of_set[self.game.action_set_number(cell)] {
            let distribution = *distribution as usize;
            if std::mem::take(&mut workspace.used[distribution]) {
                let reach = &mut workspace.by_distribution[distribution * lanes..][..lanes];
                let (blocks, scale) = self.blocks(distribution);
                reach.iter_mut().for_each(|reach| *reach *= scale);
                scatter(blocks, origin, reach, place_reach);
                reach.fill(0.0);
            }
        }
    }

    /// See [`super::backward`].
    #[inline(always)]
    pub(super) fn backward(
        &self,
        candidate: &mut CellCandidate,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<(f64, usize)> {
        let space = *self.space();
        let mut changed = 0;
        for stage in (0..space.stages()).rev() {
            if !go_on() {
                return None;
            }
            for cell in space.stage(stage) {
                self.compute_turn_values(cell, candidate);
                changed += self.improve(cell, candidate);
                for index in 0..self.opponents.len() {
                    self.value_own(cell, index, candidate);
                    self.value_theirs(cell, index, candidate);
                }
            }
        }
        let each = self.opponents.iter().zip(&candidate.numbers.matchups);
        let values = each.map(|(opponent, matchup)| {
            opponent.share * ((matchup.start[0] + matchup.start[1]) / 2.0)
        });
        Some((values.sum(), changed))
    }

    /// The index in `workspace.turn_values` of a distribution against an opponent.
    #[inline(always)]
    pub(super) fn turn_values_at(&self, opponent: usize, distribution: usize) -> usize {
        (opponent * self.game.distributions().len() + distribution) * self.lanes[1]
    }

    /// Computes the value of each distribution of a cell against each opponent.
    #[inline(always)]
    fn compute_turn_values(&self, cell: usize, candidate: &mut CellCandidate) {
        let origin = self.planes.origin(cell);
        for (index, matchup) in candidate.numbers.matchups.iter().enumerate() {
            for distribution in &self.distributions_of_set[self.game.action_set_number(cell)] {
                let at = self.turn_values_at(index, *distribution as usize);
                let means = &mut candidate.numbers.workspace.turn_values[at..at + self.lanes[1]];
                let (blocks, scale) = self.blocks(*distribution as usize);
                gather(blocks, scale, origin, &matchup.values[1], means);
            }
        }
    }

    /// Computes the values of a cell's states with the solved side to move.
    #[inline(always)]
    fn value_own(&self, cell: usize, index: usize, candidate: &mut CellCandidate) {
        let lanes = self.lanes[0];
        let AscentWorkspace { turn_values, rows, .. } = &mut candidate.numbers.workspace;
        rows.clear();
        rows.resize(self.rows(0) * lanes, 0.0);
        for (row, values) in rows.chunks_exact_mut(lanes).enumerate() {
            for (mine, value) in values.iter_mut().enumerate().take(self.space().mine) {
                let distribution = self.chosen(&candidate.table, cell, row, mine);
                *value = turn_values[self.turn_values_at(index, distribution) + row];
            }
        }
        self.store_values(0, cell, rows, &mut candidate.numbers.matchups[index]);
    }

    /// Computes the values of a cell's states with an opponent to move.
    #[inline(always)]
    fn value_theirs(&self, cell: usize, index: usize, candidate: &mut CellCandidate) {
        let space = self.space();
        let [own, lanes] = self.lanes;
        let origin = self.planes.origin(cell);
        let AscentWorkspace { by_distribution: means, used, rows, .. } =
            &mut candidate.numbers.workspace;
        let matchup = &mut candidate.numbers.matchups[index];
        let played = self.opponents[index].distributions_at(self, cell);
        rows.clear();
        rows.resize(space.mine * lanes, 0.0);
        for (lane, of_mine) in played.chunks_exact(space.mine).enumerate() {
            for (mine, distribution) in of_mine.iter().enumerate() {
                let distribution = *distribution as usize;
                let of_distribution = &mut means[distribution * own..][..own];
                if !std::mem::replace(&mut used[distribution], true) {
                    let (blocks, scale) = self.blocks(distribution);
                    gather(blocks, scale, origin, &matchup.values[0], of_distribution);
                }
                rows[mine * lanes + lane] = of_distribution[mine];
            }
        }
        for distribution in played {
            used[*distribution as usize] = false;
            means[*distribution as usize * own..][..own].fill(0.0);
        }
        self.store_values(1, cell, rows, matchup);
    }

    /// Stores the values of a cell's states at the places that lead to it.
    #[inline(always)]
    fn store_values(&self, side: usize, cell: usize, rows: &[f64], matchup: &mut Matchup) {
        let lanes = self.lanes[side];
        let values = &mut matchup.values[side];
        self.each_place(side, cell, |place, row| {
            values[place * lanes..][..lanes].copy_from_slice(&rows[row * lanes..][..lanes]);
        });
        if cell == 0 {
            matchup.start[side] = rows[self.start_index(side)];
        }
    }
}

/// Writes the mean of `values` (by place and lane) over a distribution's blocks, relative to an
/// origin, for each lane.
#[inline(always)]
fn gather(blocks: &[Block], scale: f64, origin: usize, values: &[f64], means: &mut [f64]) {
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

/// Adds `reach` (by lane) times the weights of the blocks to their places in `into`.
#[inline(always)]
fn scatter(blocks: &[Block], origin: usize, reach: &[f64], into: &mut [f64]) {
    let lanes = reach.len();
    for block in blocks {
        let rows = &mut into[(origin + block.place) * lanes..][..BLOCK * lanes];
        for (weight, row) in block.weights.iter().zip(rows.chunks_exact_mut(lanes)) {
            row.iter_mut().zip(reach).for_each(|(sum, reach)| *sum += weight * reach);
        }
    }
}
