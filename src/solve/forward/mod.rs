//! The forward pass: how often each state is reached when two fixed policies play each other.
//!
//! Turns never lower the sum of scores, so the stages are taken upward. Within a stage, where turns may leave the sum as it
//! is, the strongly connected components are solved in order ([`cycles`]); then everything leaves the stage. No step
//! subtracts, so that every number is right to within the roundings of its own terms, however small it is.

mod cycles;
mod elimination;

use std::ops::Range;

use crate::game::{End, Game, Order, Plan, Successor};

use super::transitions::{ENDS, PASSED, RowSegment, Transitions, each_outcome};
use super::{SolveError, Watch};

/// How often states are reached in one game between two fixed policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// By side (whose turn it is), then by state as its mover sees it: the expected number of visits in a game. Where the
    /// game goes round for ever, only the states in which it enters the loop are counted there, once.
    pub visits: [Vec<f64>; 2],
    /// States in which games enter loops that they never leave: the side whose turn it is there, the state, and the
    /// probability.
    pub endless: Vec<(usize, usize, f64)>,
    /// The probability that the first side wins.
    pub won: f64,
    /// The probability of a tie.
    pub tied: f64,
}

/// A turn that may be taken in a game, as [`Reach::each_transition`] tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Whose turn it is.
    pub side: usize,
    /// The state in which it is taken, as its mover sees it.
    pub state: usize,
    /// Whose turn it is then, and the state, as the next mover sees it; or how the game ends for the player who has moved.
    pub to: Result<(usize, usize), End>,
    /// The expected number of times it is taken in a game.
    pub times: f64,
}

/// The expected visits of states between `plans[0]` and `plans[1]`; `start` are the probabilities that each moves first.
///
/// # Errors
/// If `watch` stops it, or a loop of states is too large to solve.
pub fn reach(game: &Game, plans: [&Plan; 2], start: [f64; 2], watch: &Watch) -> Result<Reach, SolveError> {
    let (transitions, space) = (Transitions::new(game, [None, None])?, game.space());
    let mut pass = ForwardPass::new(&transitions);
    pass.restart(game.start(), start);
    let policy = |side: usize, cell: usize, (shared, mine, theirs): (usize, usize, usize)| {
        let action = plans[side].action(space.state(cell, shared, theirs, mine));
        usize::from(transitions.of_actions(cell, (shared, mine, theirs))[action])
    };
    let mut endless = Vec::new();
    for stage in 0..space.stages() {
        watch.report(stage, space.stages())?;
        if game.order() != Order::Acyclic {
            endless.extend(cycles::solve(&mut pass, plans, stage, watch)?);
        }
        pass.leave_stage(stage, &policy);
    }
    watch.report(space.stages(), space.stages())?;
    let [after_second, after_first] = [0, 1].map(|side| pass.ended(side));
    let visits =
        [0, 1].map(|side| (0..space.states()).map(|state| pass.visits[side][transitions.place(side, state)]).collect());
    Ok(Reach { visits, endless, won: after_first[0] + after_second[1], tied: after_first[2] + after_second[2] })
}

impl Reach {
    /// Calls `visit` with every transition that is taken at all, those of the first side first, in ascending order of
    /// states. Of transitions within a loop that is never left only those from where games enter it are told, once.
    pub fn each_transition(&self, game: &Game, plans: [&Plan; 2], mut visit: impl FnMut(&Transition)) {
        for (side, plan) in plans.into_iter().enumerate() {
            for (state, visits) in self.visits[side].iter().enumerate().filter(|(_, visits)| **visits > 0.0) {
                let mut outcomes = Vec::new();
                let total = each_outcome(game, state, plan.action(state), |weight, to| outcomes.push((weight, to)));
                for (weight, successor) in outcomes {
                    let times = visits * (weight as f64 / total as f64);
                    visit(&Transition { side, state, to: next_state(game, (side, state), successor), times });
                }
            }
        }
    }
}

/// The side and state that a turn leads to, or how it ends the game for the mover.
fn next_state(game: &Game, (side, state): (usize, usize), successor: Successor) -> Result<(usize, usize), End> {
    let space = game.space();
    let (_, (_, _, theirs)) = space.parts(state);
    match successor {
        Successor::End(end) => Err(end),
        // The other player sees its own memory as its own, and the mover's as the other's.
        Successor::Passed { cell, shared, theirs: left } => Ok((1 - side, space.state(cell, shared, left, theirs))),
        Successor::Again { cell, shared, mine: left } => Ok((side, space.state(cell, shared, theirs, left))),
    }
}

/// Visits by side, row and lane, while they are carried from stage to stage.
#[derive(Clone)]
pub(super) struct ForwardPass<'t> {
    pub transitions: &'t Transitions<'t>,
    pub visits: [Vec<f64>; 2],
    /// What has reached a cell, by distribution and lane of the next row; all 0 between cells.
    gathered: Vec<f64>,
    /// By distribution: whether anything was gathered.
    used: Vec<bool>,
    room: Vec<RowSegment>,
}

impl<'t> ForwardPass<'t> {
    /// Nothing reached yet.
    pub fn new(transitions: &'t Transitions) -> Self {
        let visits = [transitions.room(0), transitions.room(1)];
        Self { transitions, visits, gathered: Vec::new(), used: Vec::new(), room: Vec::new() }
    }

    /// Begins anew in a state, with the probabilities that each side moves first.
    pub fn restart(&mut self, state: usize, chances: [f64; 2]) {
        let (flat, cells) = (self.transitions, self.transitions.space.goal.pow(2));
        for (side, chance) in chances.into_iter().enumerate() {
            let lanes = flat.lanes[side];
            for (shared, theirs) in (0..flat.space.shared)
                .flat_map(|shared| flat.memories[1 - side].iter().map(move |theirs| (shared, *theirs)))
            {
                self.visits[side][flat.row(0, shared, theirs) * lanes..][..cells * lanes].fill(0.0);
            }
            self.visits[side][flat.rows() * lanes..].fill(0.0);
            self.visits[side][flat.place(side, state)] = chance;
        }
    }

    /// The probabilities that the other side's last turn was won, lost and tied for it.
    fn ended(&self, side: usize) -> [f64; ENDS] {
        let (rows, lanes) = (self.transitions.rows(), self.transitions.lanes[side]);
        std::array::from_fn(|end| self.visits[side][(rows + end) * lanes..][..lanes].iter().sum())
    }

    /// Carries all visits of a stage on to later stages. `policy` tells the distribution that a side takes at a cell, by
    /// (shared memory, lane of its own memory, lane of the other's).
    #[inline(always)]
    pub fn leave_stage(&mut self, stage: usize, policy: &impl Fn(usize, usize, (usize, usize, usize)) -> usize) {
        for cell in self.transitions.space.stage(stage) {
            for shared in 0..self.transitions.space.shared {
                for side in 0..2 {
                    self.leave(side, cell, shared, policy);
                }
            }
        }
    }

    #[inline(always)]
    fn leave(
        &mut self,
        side: usize,
        cell: usize,
        shared: usize,
        policy: &impl Fn(usize, usize, (usize, usize, usize)) -> usize,
    ) {
        let (flat, count) = (self.transitions, self.transitions.distributions(cell, shared));
        let [own_lanes, lanes] = [flat.lanes[side], flat.lanes[1 - side]];
        self.gathered.resize(self.gathered.len().max(count * lanes), 0.0);
        self.used.resize(self.used.len().max(count), false);
        for (lane, theirs) in flat.memories[1 - side].iter().enumerate() {
            let row = &self.visits[side][flat.row(cell, shared, *theirs) * own_lanes..][..own_lanes];
            for (mine, visits) in row.iter().enumerate().filter(|(_, visits)| **visits > 0.0) {
                let distribution = policy(side, cell, (shared, mine, lane));
                self.gathered[distribution * lanes + lane] += visits;
                self.used[distribution] = true;
            }
        }
        for distribution in (0..count).filter(|distribution| self.used[*distribution]) {
            let gathered = &mut self.gathered[distribution * lanes..][..lanes];
            let total = flat.total(cell, shared, distribution);
            for visits in &mut *gathered {
                *visits /= total;
            }
            let segments = flat.segments(cell, shared, distribution, &mut self.room);
            scatter(flat, side, segments, gathered, &mut self.visits);
        }
        self.gathered[..count * lanes].fill(0.0);
        self.used[..count].fill(false);
    }
}

/// Adds visits, by lane, times the weights of segments to where these lead.
#[inline(always)]
fn scatter(flat: &Transitions, side: usize, segments: &[RowSegment], visits: &[f64], into: &mut [Vec<f64>; 2]) {
    let block = (flat, side, segments, visits, 0..visits.len());
    match visits.len() {
        1 => scatter_lanes::<1>(block, into),
        2 => scatter_lanes::<2>(block, into),
        4 => scatter_lanes::<4>(block, into),
        8 => scatter_lanes::<8>(block, into),
        12 => scatter_lanes::<12>(block, into),
        lanes => {
            for first in (0..lanes).step_by(16) {
                scatter_lanes::<16>((flat, side, segments, visits, first..first + 16), into);
            }
        }
    }
}

/// What is carried on to where, and which lanes of the visits.
type LaneBlock<'a> = (&'a Transitions<'a>, usize, &'a [RowSegment], &'a [f64], Range<usize>);

/// The same for a block of lanes.
#[inline(always)]
fn scatter_lanes<const N: usize>((flat, side, segments, visits, block): LaneBlock, into: &mut [Vec<f64>; 2]) {
    // Known to the compiler but for the many lanes that are taken in blocks.
    let (stride, first_lane) = if N < 16 { (N, 0) } else { (visits.len(), block.start) };
    let visits: &[f64; N] = visits[block].try_into().expect("as many lanes");
    for segment in segments {
        let (first, length, weights) = (segment.row as usize, usize::from(segment.length), segment.weights as usize);
        if segment.again != PASSED {
            let memories = flat.memories[1 - side].iter().skip(first_lane);
            for (memory, visits) in memories.zip(visits) {
                let row = first + flat.row(0, 0, *memory);
                into[side][row * flat.lanes[side] + usize::from(segment.again)] += flat.weights[weights] * visits;
            }
        } else if first >= flat.rows() {
            let weight = flat.before[weights + length] - flat.before[weights];
            let end = &mut into[1 - side][first * stride + first_lane..][..N];
            for lane in 0..N {
                end[lane] += weight * visits[lane];
            }
        } else {
            let rows = into[1 - side][first * stride..][..length * stride].chunks_exact_mut(stride);
            for (weight, row) in flat.weights[weights..][..length].iter().zip(rows) {
                let row = &mut row[first_lane..][..N];
                for lane in 0..N {
                    row[lane] += weight * visits[lane];
                }
            }
        }
    }
}
