//! Pairs of plans that do not see the other's memory, in a game whose players remember something of their own.
//!
//! Where a memory decides the points of the same roll, nearly all its values share one distribution and a few, the
//! exceptions, another. So a cell is worth a number and, for the exceptions, a difference, each for every memory of the
//! opponent. Which memories can come up where is found for each plan by itself, whatever it meets.

use crate::game::{Game, Order, Plan, Successor};

use super::PairRate;
use crate::solve::SolveError;
use crate::solve::transitions::{ENDS, PASSED, RowSegment, Transitions, sums};

/// The most memories of a player: they are the bits of a set.
const MOST_MEMORIES: usize = 64;

/// Whether pairs of a game may be rated here: nothing is shared, and every turn raises the sum of scores.
pub(super) fn fits(game: &Game) -> bool {
    (2..=MOST_MEMORIES).contains(&game.space().mine) && game.space().shared == 1 && game.order() == Order::Acyclic
}

/// A bound on the error of every rate, with u = 2^-53 (Higham, *Accuracy and Stability of Numerical Algorithms*, section
/// 3.1). A mean and what exceptions add are each rounded by their products and at most as many additions as there are
/// outcomes, none of them above 1; then come the difference of the exceptions, the quotient and the complement. Each stage
/// adds that to the errors of the values that it reads.
pub(super) fn error_bound(game: &Game) -> f64 {
    let distributions = game.action_sets().iter().flat_map(|actions| &actions.by_shared[0].distributions);
    let outcomes = distributions.map(|distribution| distribution.outcomes.len()).max().unwrap_or(0);
    1.01 * (game.space().stages() * (2 * (outcomes + 1) + 4)) as f64 * f64::EPSILON / 2.0
}

/// What a plan plays with the memories that can come up.
#[derive(Debug)]
pub(super) struct ScorePlan {
    /// By cell, what is played there; `None` where the plan's player never is.
    steps: Vec<Option<Step>>,
    segments: Vec<RowSegment>,
    /// By cell: the memories with which the second distribution is played.
    exceptions: Vec<u64>,
    /// By cell of the other player: the memories that the plan's player may then have.
    away: Vec<u64>,
}

/// The distributions that are played at a cell, the second only with the memories that are exceptions.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Where the segments of the first begin, those of the second, and their end.
    segments: [u32; 3],
    totals: [f64; 2],
}

impl ScorePlan {
    /// Makes a plan ready; `None` if it does not fit: it depends on the other's memory, plays more than two distributions at
    /// one cell, or takes extra turns.
    pub fn new(flat: &Transitions, plan: &Plan) -> Option<Self> {
        let (space, cells) = (flat.space, flat.space.goal * flat.space.goal);
        let (mut own, mut room) = (vec![0u64; cells], Vec::new());
        own[0] = 1 << (flat.game.start() % space.mine);
        let mut ready = Self { steps: vec![None; cells], segments: Vec::new(), exceptions: vec![0; cells], away: own.clone() };
        for cell in (0..space.stages()).flat_map(|stage| space.stage(stage)) {
            let played = played(flat, plan, cell, own[cell])?;
            let mut step = Step { segments: [ready.segments.len() as u32; 3], totals: [1.0; 2] };
            for (index, (distribution, memories)) in played.into_iter().enumerate().filter(|(_, (_, memories))| *memories != 0) {
                for segment in flat.segments(cell, 0, distribution, &mut room) {
                    ready.note(flat, segment)?;
                }
                step.totals[index] = flat.total(cell, 0, distribution);
                step.segments[index + 1..].fill(ready.segments.len() as u32);
                ready.steps[cell] = Some(step);
                ready.exceptions[cell] = if index == 1 { memories } else { 0 };
            }
            if ready.away[cell] != 0 {
                let successors = flat.game.successors_from(cell);
                for outcome in &flat.game.action_set(cell).by_shared[0].outcomes {
                    match successors.successor(outcome) {
                        Successor::Passed { cell: next, .. } => own[next] |= ready.away[cell],
                        Successor::Again { .. } => return None,
                        Successor::End(_) => {}
                    }
                }
            }
        }
        Some(ready)
    }

    /// Adds a segment, and the memories that it leaves to where it leads.
    fn note(&mut self, flat: &Transitions, segment: &RowSegment) -> Option<()> {
        let (row, cells) = (segment.row as usize, self.away.len());
        if row < flat.rows() {
            let first = row % cells;
            self.away[first..first + usize::from(segment.length)].iter_mut().for_each(|away| *away |= 1 << (row / cells));
        }
        self.segments.push(*segment);
        (segment.again == PASSED).then_some(())
    }

    fn segments(&self, step: &Step, index: usize) -> &[RowSegment] {
        &self.segments[step.segments[index] as usize..step.segments[index + 1] as usize]
    }
}

/// The distributions that a plan plays at a cell with some memories of its own, each with those memories: that of most first.
fn played(flat: &Transitions, plan: &Plan, cell: usize, memories: u64) -> Option<[(usize, u64); 2]> {
    let (space, mut played) = (flat.space, [(0, 0u64); 2]);
    for (mine, theirs) in bits(memories).flat_map(|mine| (0..space.mine).map(move |theirs| (mine, theirs))) {
        let action = plan.action(space.state(cell, 0, theirs, mine));
        let distribution = usize::from(flat.of_actions(cell, (0, mine, theirs))[action]);
        let at = played.iter().position(|(known, with)| *with == 0 || *known == distribution)?;
        played[at] = (distribution, played[at].1 | 1 << mine);
    }
    if played[0].1.count_ones() < played[1].1.count_ones() {
        played.swap(0, 1);
    }
    (played[0].1 & played[1].1 == 0).then_some(played)
}

/// Where one thread rates its pairs.
#[derive(Debug)]
pub(super) struct Room<'g> {
    flat: Transitions<'g>,
    sides: [SideValues; 2],
}

/// What each cell is worth to a side that is next to move.
#[derive(Debug)]
struct SideValues {
    /// By row: the value with most memories of its own.
    most: Vec<f64>,
    /// By row: what is added with those that are exceptions.
    extra: Vec<f64>,
    start: f64,
}

impl<'g> Room<'g> {
    /// Room for the pairs of a game.
    ///
    /// # Errors
    /// If the game has too many states.
    pub fn new(game: &'g Game) -> Result<Self, SolveError> {
        let flat = Transitions::new(game, [None, None])?;
        let side = || {
            let mut most = vec![0.0; flat.rows() + ENDS];
            // The ends are those of the other player, who has moved.
            most[flat.rows()..].copy_from_slice(&[0.0, 1.0, 0.5]);
            SideValues { most, extra: vec![0.0; flat.rows()], start: 0.0 }
        };
        let sides = [side(), side()];
        Ok(Self { flat, sides })
    }

    /// The rates of a pair.
    pub fn rate(&mut self, plans: [&ScorePlan; 2]) -> PairRate {
        solve(&self.flat, plans, &mut self.sides);
        PairRate { first: self.sides[0].start, second: 1.0 - self.sides[1].start }
    }
}

/// Solves both sides with the best vectors that this processor has.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx")))]
fn solve(flat: &Transitions, plans: [&ScorePlan; 2], sides: &mut [SideValues; 2]) {
    let mut means = [[0.0; MOST_MEMORIES]; 2];
    for cell in (0..flat.space.stages()).rev().flat_map(|stage| flat.space.stage(stage)) {
        let [a, b] = &mut *sides;
        update(flat, cell, plans, (b, a), &mut means);
        update(flat, cell, [plans[1], plans[0]], (a, b), &mut means);
    }
}

/// Works out a cell of the first plan's player.
#[inline(always)]
fn update(
    flat: &Transitions,
    cell: usize,
    [plan, other]: [&ScorePlan; 2],
    (theirs, own): (&SideValues, &mut SideValues),
    means: &mut [[f64; MOST_MEMORIES]; 2],
) {
    let (Some(step), lanes) = (&plan.steps[cell], other.away[cell]) else { return };
    if lanes == 0 {
        return;
    }
    let (exceptions, start) = (plan.exceptions[cell], flat.game.start() % flat.space.mine);
    for index in 0..1 + usize::from(exceptions != 0) {
        let (segments, means) = (plan.segments(step, index), &mut means[index]);
        let [most] = sums::<1>(flat, segments, &theirs.most, (0, 1));
        bits(lanes).for_each(|memory| means[memory] = most);
        add_exceptions(flat, segments, (&other.exceptions, lanes), &theirs.extra, means);
        bits(lanes).for_each(|memory| means[memory] = 1.0 - means[memory] / step.totals[index]);
    }
    for memory in bits(lanes) {
        let row = flat.row(cell, 0, memory);
        own.most[row] = means[0][memory];
        own.extra[row] = if exceptions == 0 { 0.0 } else { means[1][memory] - means[0][memory] };
    }
    own.start = means[(exceptions >> start & 1) as usize][start];
}

/// Adds what the exceptions among the opponent's memories are worth more.
#[inline(always)]
fn add_exceptions(
    flat: &Transitions,
    segments: &[RowSegment],
    (exceptions, lanes): (&[u64], u64),
    extra: &[f64],
    means: &mut [f64; MOST_MEMORIES],
) {
    for segment in segments.iter().filter(|segment| (segment.row as usize) < flat.rows()) {
        let mut part = *segment;
        // Neighbouring cells mostly have the same exceptions.
        let masks = &exceptions[(segment.row % exceptions.len() as u32) as usize..][..usize::from(segment.length)];
        for same in masks.chunk_by(|a, b| a == b) {
            part.length = same.len() as u16;
            if same[0] & lanes != 0 {
                let [sum] = sums::<1>(flat, &[part], extra, (0, 1));
                bits(same[0] & lanes).for_each(|memory| means[memory] += sum);
            }
            (part.row, part.weights) = (part.row + same.len() as u32, part.weights + same.len() as u32);
        }
    }
}

/// The places of the bits of a set.
#[inline(always)]
fn bits(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        bit
    })
}
