//! A game's transitions, flattened for the passes that follow fixed policies: the only file of theirs that asks the game.
//!
//! **Rows and lanes.** A state is a row and a lane. A row stands for a cell (the scores as the mover sees them), a shared
//! memory and the other player's memory; its lanes are the memories of the mover that are told apart. A turn leaves the
//! other player's memory as it is, so that all states which differ in that alone are carried on at once: what was a row's
//! memory before the turn is a lane after it. Rows count cells fastest: points that differ by one lead to neighbours.
//!
//! **Segments.** The outcomes of an action that leave the stage (the sum of scores), as runs: consecutive weights that lead
//! to consecutive rows, or all to the same end of the game. Outcomes that stay in the stage are left out.

use std::collections::HashMap;

use crate::game::{End, Game, Plan, Space, Successor};

use super::SolveError;

/// Outcomes of one action: `length` consecutive weights from `weights` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowSegment {
    /// The row of the first; each other outcome leads one row further, but for rows of ends, which are the same for all.
    pub row: u32,
    /// Where the weights begin.
    pub weights: u32,
    /// How many outcomes.
    pub length: u16,
    /// The lane of the mover's new memory if the mover moves again: then `row` is that of the other's memory 0, and it is
    /// the only outcome. [`PASSED`] otherwise.
    pub again: u16,
}

/// [`RowSegment::again`] of turns after which the other player moves.
pub(super) const PASSED: u16 = u16::MAX;

/// How many rows stand for ends of the game, after all others: won, lost, tied, for the player who has just moved.
pub(super) const ENDS: usize = 3;

/// A game in rows, lanes and weights.
#[derive(Debug)]
pub(super) struct Transitions<'g> {
    pub game: &'g Game,
    pub space: Space,
    /// By side: the memories told apart, one for each lane, ascending.
    pub memories: [Vec<usize>; 2],
    /// By side: lanes of a row, those included that only fill vectors.
    pub lanes: [usize; 2],
    /// The weights of distributions, those that are alike only once, with one place to spare after each.
    pub weights: Vec<f64>,
    /// The sum of a distribution's weights before each place.
    pub before: Vec<f64>,
    /// By distribution: where its weights begin.
    starts: Vec<usize>,
    /// By action set, then shared memory: the first distribution.
    first: Vec<usize>,
    kept: Option<KeptSegments>,
}

/// The segments of all cells.
#[derive(Debug)]
struct KeptSegments {
    /// By cell: where the entries of its distributions begin in `starts`.
    cells: Vec<u32>,
    /// By cell and distribution: where the segments begin.
    starts: Vec<u32>,
    segments: Vec<RowSegment>,
}

/// Lanes to keep for so many memories: a number that vectors like.
fn padded(needed: usize) -> usize {
    [1, 2, 4, 8, 12, 16].into_iter().find(|lanes| *lanes >= needed).unwrap_or(needed.next_multiple_of(16))
}

impl<'g> Transitions<'g> {
    /// The transitions of a game; `memories` are those that each side can have, or all if `None`.
    ///
    /// # Errors
    /// If the game has too many states.
    pub fn new(game: &'g Game, memories: [Option<Vec<usize>>; 2]) -> Result<Self, SolveError> {
        let space = game.space();
        if u32::try_from(space.goal * space.goal * space.shared * space.mine + ENDS).is_err() {
            return Err(SolveError::TooLarge(format!("{} states are too many to follow", space.states())));
        }
        let memories = memories.map(|of_side| of_side.unwrap_or_else(|| (0..space.mine).collect()));
        let lanes = [padded(memories[0].len()), padded(memories[1].len())];
        let (weights, before, starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut flat = Self { game, space, memories, lanes, weights, before, starts, first: Vec::new(), kept: None };
        let mut known = HashMap::new();
        for set in game.action_sets().iter().flat_map(|actions| &actions.by_shared) {
            flat.first.push(flat.starts.len());
            for distribution in &set.distributions {
                let (mut sum, start) = (0.0, flat.weights.len());
                let weights: Vec<u64> = distribution.outcomes.iter().map(|(_, weight)| *weight).chain([0]).collect();
                flat.starts.push(*known.entry(weights).or_insert_with_key(|weights| {
                    for weight in weights {
                        flat.weights.push(*weight as f64);
                        flat.before.push(sum);
                        sum += *weight as f64;
                    }
                    start
                }));
            }
        }
        Ok(flat)
    }

    /// Works out the segments of all cells once, for many passes.
    pub fn keep(&mut self) {
        let cells = vec![0; self.space.goal * self.space.goal];
        let (mut kept, mut room) = (KeptSegments { cells, starts: Vec::new(), segments: Vec::new() }, Vec::new());
        // In the order in which they are read, stage by stage.
        for cell in (0..self.space.stages()).flat_map(|stage| self.space.stage(stage)) {
            kept.cells[cell] = kept.starts.len() as u32;
            for shared in 0..self.space.shared {
                for distribution in 0..self.distributions(cell, shared) {
                    kept.starts.push(kept.segments.len() as u32);
                    self.flatten(cell, shared, distribution, &mut room);
                    kept.segments.append(&mut room);
                }
            }
        }
        kept.starts.push(kept.segments.len() as u32);
        self.kept = Some(kept);
    }

    /// Whether some turn gives its mover another one; of segments that are kept.
    pub fn gives_extra_turns(&self) -> bool {
        self.kept.iter().flat_map(|kept| &kept.segments).any(|segment| segment.again != PASSED)
    }

    /// Rows, without those of the ends.
    pub fn rows(&self) -> usize {
        self.space.shared * self.space.mine * self.space.goal * self.space.goal
    }

    /// The place of a state, by row and lane, in what is kept for a side that has its memory.
    pub fn place(&self, side: usize, state: usize) -> usize {
        let (cell, (shared, mine, theirs)) = self.space.parts(state);
        let lane = self.memories[side].binary_search(&mine).expect("the side has this memory");
        self.row(cell, shared, theirs) * self.lanes[side] + lane
    }

    /// Room for a number for each state of a side, and for each lane of the ends.
    pub fn room(&self, side: usize) -> Vec<f64> {
        vec![0.0; (self.rows() + ENDS) * self.lanes[side]]
    }

    /// The row of a cell, a shared memory and the other player's memory.
    #[inline(always)]
    pub fn row(&self, cell: usize, shared: usize, theirs: usize) -> usize {
        (shared * self.space.mine + theirs) * self.space.goal * self.space.goal + cell
    }

    /// How many distributions there are at a cell.
    #[inline(always)]
    pub fn distributions(&self, cell: usize, shared: usize) -> usize {
        self.game.action_set(cell).by_shared[shared].distributions.len()
    }

    /// The distributions, among those of a cell and shared memory, of all actions in a state with memories (shared, mine,
    /// theirs).
    #[inline(always)]
    pub fn of_actions(&self, cell: usize, memories: (usize, usize, usize)) -> &[u16] {
        self.game.action_set(cell).distributions(&self.space, memories)
    }

    /// The sum of a distribution's weights.
    #[inline(always)]
    pub fn total(&self, cell: usize, shared: usize, distribution: usize) -> f64 {
        self.game.action_set(cell).by_shared[shared].distributions[distribution].total as f64
    }

    /// What of a distribution leaves the stage; `room` is for those that are not kept.
    #[inline(always)]
    pub fn segments<'a>(
        &'a self,
        cell: usize,
        shared: usize,
        distribution: usize,
        room: &'a mut Vec<RowSegment>,
    ) -> &'a [RowSegment] {
        let Some(kept) = &self.kept else {
            room.clear();
            self.flatten(cell, shared, distribution, room);
            return room;
        };
        let before = if shared == 0 { 0 } else { (0..shared).map(|shared| self.distributions(cell, shared)).sum() };
        let starts = &kept.starts[kept.cells[cell] as usize + before + distribution..];
        &kept.segments[starts[0] as usize..starts[1] as usize]
    }

    /// Adds the segments of a distribution to `segments`.
    fn flatten(&self, cell: usize, shared: usize, distribution: usize, segments: &mut Vec<RowSegment>) {
        let (space, set) = (&self.space, &self.game.action_set(cell).by_shared[shared]);
        let start = self.starts[self.first[self.game.action_set_number(cell) * space.shared + shared] + distribution];
        let successors = self.game.successors_from(cell);
        for (place, (outcome, _)) in set.distributions[distribution].outcomes.iter().enumerate() {
            let (row, again, step) = match successors.successor(&set.outcomes[usize::from(*outcome)]) {
                Successor::End(End::Won) => (self.rows(), PASSED, 0),
                Successor::End(End::Lost) => (self.rows() + 1, PASSED, 0),
                Successor::End(End::Tied) => (self.rows() + 2, PASSED, 0),
                Successor::Passed { cell: to, .. } | Successor::Again { cell: to, .. }
                    if space.sum(to) == space.sum(cell) =>
                {
                    continue;
                }
                Successor::Passed { cell, shared, theirs } => (self.row(cell, shared, theirs), PASSED, 1),
                Successor::Again { cell, shared, mine } => (self.row(cell, shared, 0), mine as u16, 1),
            };
            let weights = (start + place) as u32;
            match segments.last_mut() {
                Some(last)
                    if again == PASSED
                        && last.again == PASSED
                        && last.length < u16::MAX
                        && weights == last.weights + u32::from(last.length)
                        && row == last.row as usize + step * usize::from(last.length) =>
                {
                    last.length += 1;
                }
                _ => segments.push(RowSegment { row: row as u32, weights, length: 1, again }),
            }
        }
    }
}

/// Writes to `means`, by lane, the means of `values` (by row and lane) over a distribution of a cell.
#[inline(always)]
pub(super) fn gather(
    flat: &Transitions,
    (cell, distribution): (usize, usize),
    values: &[f64],
    means: &mut [f64],
    room: &mut Vec<RowSegment>,
) {
    let (segments, total) = (flat.segments(cell, 0, distribution, room), flat.total(cell, 0, distribution));
    match means.len() {
        1 => means.copy_from_slice(&sums::<1>(flat, segments, values, (0, 1))),
        2 => means.copy_from_slice(&sums::<2>(flat, segments, values, (0, 2))),
        4 => means.copy_from_slice(&sums::<4>(flat, segments, values, (0, 4))),
        8 => means.copy_from_slice(&sums::<8>(flat, segments, values, (0, 8))),
        12 => means.copy_from_slice(&sums::<12>(flat, segments, values, (0, 12))),
        lanes => {
            for (block, means) in means.chunks_exact_mut(16).enumerate() {
                means.copy_from_slice(&sums::<16>(flat, segments, values, (16 * block, lanes)));
            }
        }
    }
    for mean in means {
        *mean /= total;
    }
}

/// Outcomes that are summed apart, so that one addition need not wait for the last.
const STRIPES: usize = 4;

/// The weighted sums of `N` lanes; `block` is the first of them and the lanes of a row.
#[inline(always)]
pub(super) fn sums<const N: usize>(
    flat: &Transitions,
    segments: &[RowSegment],
    values: &[f64],
    block: (usize, usize),
) -> [f64; N] {
    // Known to the compiler but for the many lanes that are taken in blocks.
    let (first_lane, stride) = if N < 16 { (0, N) } else { block };
    let mut stripes = [[0.0; N]; STRIPES];
    for segment in segments {
        let (first, length, weights) = (segment.row as usize, usize::from(segment.length), segment.weights as usize);
        if first >= flat.rows() {
            let (weight, end) = (flat.before[weights + length] - flat.before[weights], values[first * stride]);
            stripes[1].iter_mut().for_each(|sum| *sum += weight * end);
            continue;
        }
        let (weights, last_weights) = flat.weights[weights..][..length].as_chunks::<STRIPES>();
        let rows = &values[first * stride..][..length * stride];
        let (rows, last_rows) = rows.split_at(weights.len() * STRIPES * stride);
        for (weights, rows) in weights.iter().zip(rows.chunks_exact(STRIPES * stride)) {
            for stripe in 0..STRIPES {
                let row = &rows[stripe * stride + first_lane..][..N];
                for lane in 0..N {
                    stripes[stripe][lane] += weights[stripe] * row[lane];
                }
            }
        }
        for (weight, row) in last_weights.iter().zip(last_rows.chunks_exact(stride)) {
            for lane in 0..N {
                stripes[0][lane] += weight * row[first_lane + lane];
            }
        }
    }
    std::array::from_fn(|lane| (stripes[0][lane] + stripes[1][lane]) + (stripes[2][lane] + stripes[3][lane]))
}

/// Calls `visit` with the weight and the successor of each outcome of an action in a state; the sum of the weights.
pub(super) fn each_outcome(game: &Game, state: usize, action: usize, mut visit: impl FnMut(u64, Successor)) -> u64 {
    let (set, distribution) = game.distribution(state, action);
    let successors = game.successors_from(game.space().parts(state).0);
    for (outcome, weight) in &distribution.outcomes {
        visit(*weight, successors.successor(&set.outcomes[usize::from(*outcome)]));
    }
    distribution.total
}

/// The memories of a player who takes these plans, in a game without shared memories, ascending: the start's, and those that
/// a turn leaves in any state, reached or not.
pub(super) fn memories_after<'a>(game: &Game, plans: impl Iterator<Item = &'a Plan> + Clone) -> Vec<usize> {
    let space = game.space();
    let mut found = vec![false; space.mine];
    found[game.start() % space.mine] = true;
    for cell in 0..space.goal * space.goal {
        let actions = game.action_set(cell);
        let mut taken = vec![false; actions.by_shared[0].distributions.len()];
        for (mine, theirs) in (0..space.mine).flat_map(|mine| (0..space.mine).map(move |theirs| (mine, theirs))) {
            let of_actions = actions.distributions(&space, (0, mine, theirs));
            for plan in plans.clone() {
                taken[usize::from(of_actions[plan.action(space.state(cell, 0, theirs, mine))])] = true;
            }
        }
        for (distribution, _) in actions.by_shared[0].distributions.iter().zip(taken).filter(|(_, taken)| *taken) {
            for (outcome, _) in &distribution.outcomes {
                found[usize::from(actions.by_shared[0].outcomes[usize::from(*outcome)].mine[0])] = true;
            }
        }
    }
    (0..space.mine).filter(|memory| found[*memory]).collect()
}
