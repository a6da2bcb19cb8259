//! One table against a field: reach probabilities forward, values backward, and each decision chosen anew on the way.
//!
//! The solved side is side 0, the opponents are side 1. All values are the solved side's win rate if it plays its table from
//! there on. A decision's actions are worth the mean over the states that it cannot tell apart, weighted with how likely
//! they are reached.

use std::ops::Range;

use crate::game::{DiceSet, Plan};

use super::super::forward::ForwardPass;
use super::super::transitions::{ENDS, RowSegment, Transitions, gather};
use super::Sees;

/// A game, and the opponents that may be met, each with its share of the games.
pub(super) struct Problem<'t> {
    flat: &'t Transitions<'t>,
    sees: Sees,
    opponents: Vec<Opponent>,
}

struct Opponent {
    share: f64,
    /// The distribution it takes, by cell, its own lane, and the solved side's memory.
    distributions: Vec<u16>,
}

/// A table that is being improved, and what is known of it.
#[derive(Clone)]
pub(super) struct Candidate<'t> {
    against: Vec<Against<'t>>,
    /// The action of each decision: of a cell, or of a state where memories are seen.
    pub table: Vec<u8>,
    /// By decision and action: its value, on average over what is hidden.
    pub action_values: Vec<f32>,
    expected: Vec<f64>,
}

/// A table against one opponent.
#[derive(Clone)]
struct Against<'t> {
    pass: ForwardPass<'t>,
    /// By side: values by row and lane.
    values: [Vec<f64>; 2],
}

/// Weight of states that are never reached: just enough that decisions there are sensible ones.
const FAINT: f64 = 1e-18;

/// An action must be better by this much, times how often the decision is reached, to replace another.
const BETTER: f64 = 1e-14;

impl<'t> Problem<'t> {
    /// The problem of a field of plans with their shares; side 1 of `flat` has their memories.
    pub fn new(flat: &'t Transitions, field: &[(Plan, f64)], sees: Sees) -> Self {
        let (space, mut opponents) = (flat.space, Vec::new());
        for (plan, share) in field {
            let mut distributions = Vec::with_capacity(space.goal * space.goal * flat.memories[1].len() * space.mine);
            for cell in 0..space.goal * space.goal {
                for own in &flat.memories[1] {
                    distributions.extend((0..space.mine).map(|theirs| {
                        let action = plan.action(space.state(cell, 0, theirs, *own));
                        flat.of_actions(cell, (0, *own, theirs))[action]
                    }));
                }
            }
            opponents.push(Opponent { share: *share, distributions });
        }
        Self { flat, sees, opponents }
    }

    /// How many decisions a table has.
    pub fn decisions(&self) -> usize {
        self.flat.space.goal * self.flat.space.goal * self.per_cell()
    }

    fn per_cell(&self) -> usize {
        if self.sees == Sees::Scores { 1 } else { self.flat.memories[1].len() * self.flat.space.mine }
    }

    #[inline(always)]
    fn decision(&self, cell: usize, lane: usize, mine: usize) -> usize {
        match self.sees {
            Sees::Scores => cell,
            Sees::State => cell * self.per_cell() + lane * self.flat.space.mine + mine,
        }
    }

    /// The distribution that the solved side takes, given the opponent's lane.
    #[inline(always)]
    fn chosen(&self, table: &[u8], cell: usize, (lane, mine): (usize, usize)) -> usize {
        let action = usize::from(table[self.decision(cell, lane, mine)]);
        usize::from(self.flat.of_actions(cell, (0, mine, self.flat.memories[1][lane]))[action])
    }

    /// A table as a plan.
    pub fn plan(&self, table: &[u8]) -> Plan {
        let space = self.flat.space;
        if self.sees == Sees::Scores {
            return Plan::of_scores(self.flat.game, table.to_vec());
        }
        let action = |state: usize| {
            let (cell, (_, mine, theirs)) = space.parts(state);
            // Memories that never come up are played as the first that does.
            let lane = self.flat.memories[1].iter().position(|memory| *memory == theirs).unwrap_or(0);
            table[self.decision(cell, lane, mine)]
        };
        Plan::from_actions((0..space.states()).map(action).collect())
    }

    /// The table of one action, of which nothing is known.
    pub fn candidate(&self, action: u8) -> Candidate<'t> {
        let flat = self.flat;
        let values = |side: usize, ends: [f64; ENDS]| {
            let (mut values, lanes) = (flat.room(side), flat.lanes[side]);
            for (end, value) in ends.into_iter().enumerate() {
                values[(flat.rows() + end) * lanes..][..lanes].fill(value);
            }
            values
        };
        // The ends are those of the player who has moved: the other one.
        let values = [values(0, [0.0, 1.0, 0.5]), values(1, [1.0, 0.0, 0.5])];
        let against = Against { pass: ForwardPass::new(flat), values };
        Candidate {
            against: vec![against; self.opponents.len()],
            table: vec![action; self.decisions()],
            action_values: vec![0.0; self.decisions() * flat.space.actions],
            expected: Vec::new(),
        }
    }

    #[inline(always)]
    fn forward(&self, candidate: &mut Candidate) {
        let (space, start) = (self.flat.space, self.flat.game.start());
        for (opponent, against) in self.opponents.iter().zip(&mut candidate.against) {
            against.pass.restart(start, [0.5, 0.5]);
            let policy = |side: usize, cell: usize, (_, mine, theirs): (usize, usize, usize)| match side {
                0 => self.chosen(&candidate.table, cell, (theirs, mine)),
                _ => usize::from(opponent.taken(self.flat, cell)[mine * space.mine + theirs]),
            };
            for stage in 0..space.stages() {
                against.pass.leave_stage(stage, &policy);
            }
        }
    }

    #[inline(always)]
    fn backward(&self, candidate: &mut Candidate) -> (f64, usize) {
        let (space, mut changed, mut room) = (self.flat.space, 0, Vec::new());
        for cell in (0..space.stages()).rev().flat_map(|stage| space.stage(stage)) {
            self.expect(cell, candidate, &mut room);
            changed += self.choose(cell, candidate);
            self.update_own(cell, candidate);
            for (opponent, against) in self.opponents.iter().zip(&mut candidate.against) {
                self.update_theirs(cell, against, opponent, (&mut candidate.expected, &mut room));
            }
        }
        let starts = [0, 1].map(|side| self.flat.place(side, self.flat.game.start()));
        let value = |against: &Against| (against.values[0][starts[0]] + against.values[1][starts[1]]) / 2.0;
        let values = self.opponents.iter().zip(&candidate.against);
        (values.map(|(opponent, against)| opponent.share * value(against)).sum(), changed)
    }

    /// The values of the distributions of a cell, by lane of the opponent, where `opponent` is met.
    #[inline(always)]
    fn expected_at(&self, cell: usize, opponent: usize, distribution: usize) -> Range<usize> {
        let lanes = self.flat.lanes[1];
        let first = (opponent * self.flat.distributions(cell, 0) + distribution) * lanes;
        first..first + lanes
    }

    /// Writes to `candidate.expected` what each distribution of a cell is worth against each opponent.
    #[inline(always)]
    fn expect(&self, cell: usize, candidate: &mut Candidate, room: &mut Vec<RowSegment>) {
        let Candidate { against, expected, .. } = candidate;
        expected.resize(against.len() * self.flat.distributions(cell, 0) * self.flat.lanes[1], 0.0);
        for (index, against) in against.iter().enumerate() {
            for distribution in 0..self.flat.distributions(cell, 0) {
                let means = &mut expected[self.expected_at(cell, index, distribution)];
                gather(self.flat, (cell, distribution), &against.values[1], means, room);
            }
        }
    }

    /// Chooses the decisions of a cell anew; how many changed.
    #[inline(always)]
    fn choose(&self, cell: usize, candidate: &mut Candidate) -> usize {
        let (flat, space) = (self.flat, self.flat.space);
        let mut sums = [0.0; DiceSet::BITS as usize];
        let (mut changed, mut reached_in_all) = (0, 0.0);
        // What is reached is what counts; only where nothing is, all that might be.
        let any_reached = self.sees == Sees::Scores
            && candidate.against.iter().any(|against| {
                let mut rows = flat.memories[1].iter().map(|theirs| against.row(flat, cell, *theirs));
                rows.any(|row| row.iter().any(|reached| *reached > 0.0))
            });
        let states = (0..flat.memories[1].len()).flat_map(|lane| (0..space.mine).map(move |mine| (lane, mine)));
        for (lane, mine) in states {
            let theirs = flat.memories[1][lane];
            let of_actions = flat.of_actions(cell, (0, mine, theirs));
            for (index, (opponent, against)) in self.opponents.iter().zip(&candidate.against).enumerate() {
                let reached = against.row(flat, cell, theirs)[mine];
                if any_reached && reached == 0.0 {
                    continue;
                }
                let weight = opponent.share * (reached + FAINT);
                reached_in_all += weight;
                let first = self.expected_at(cell, index, 0).start + lane;
                for (sum, distribution) in sums.iter_mut().zip(of_actions) {
                    *sum += weight * candidate.expected[first + usize::from(*distribution) * flat.lanes[1]];
                }
            }
            if self.sees == Sees::State || (lane, mine) == (flat.memories[1].len() - 1, space.mine - 1) {
                let decision = self.decision(cell, lane, mine);
                changed += usize::from(candidate.decide(decision, &sums[..space.actions], reached_in_all));
                sums.fill(0.0);
                reached_in_all = 0.0;
            }
        }
        changed
    }

    /// The values of the solved side's states of a cell.
    #[inline(always)]
    fn update_own(&self, cell: usize, candidate: &mut Candidate) {
        let flat = self.flat;
        for (lane, theirs) in flat.memories[1].iter().enumerate() {
            let place = flat.row(cell, 0, *theirs) * flat.lanes[0];
            for mine in 0..flat.space.mine {
                let distribution = self.chosen(&candidate.table, cell, (lane, mine));
                for (index, against) in candidate.against.iter_mut().enumerate() {
                    let expected = self.expected_at(cell, index, distribution).start + lane;
                    against.values[0][place + mine] = candidate.expected[expected];
                }
            }
        }
    }

    /// The values of an opponent's states of a cell.
    #[inline(always)]
    fn update_theirs(
        &self,
        cell: usize,
        against: &mut Against,
        opponent: &Opponent,
        (expected, room): (&mut Vec<f64>, &mut Vec<RowSegment>),
    ) {
        let (flat, lanes) = (self.flat, self.flat.lanes[0]);
        expected.resize(flat.distributions(cell, 0) * lanes, 0.0);
        // Worked out when first needed; few of a cell's distributions are.
        let mut worked_out = [0u64; 4];
        for (lane, of_mine) in opponent.taken(flat, cell).chunks_exact(flat.space.mine).enumerate() {
            for (mine, distribution) in of_mine.iter().enumerate() {
                let distribution = usize::from(*distribution);
                let (word, bit) = (distribution / 64 % worked_out.len(), 1 << (distribution % 64));
                let means = distribution * lanes..(distribution + 1) * lanes;
                if worked_out[word] & bit == 0 || distribution >= 64 * worked_out.len() {
                    gather(flat, (cell, distribution), &against.values[0], &mut expected[means.clone()], room);
                    worked_out[word] |= bit;
                }
                against.values[1][flat.row(cell, 0, mine) * flat.lanes[1] + lane] = expected[means][mine];
            }
        }
    }
}

impl Opponent {
    /// The distributions it takes at a cell, by its lane and the solved side's memory.
    #[inline(always)]
    fn taken(&self, flat: &Transitions, cell: usize) -> &[u16] {
        let states = flat.memories[1].len() * flat.space.mine;
        &self.distributions[cell * states..][..states]
    }
}

impl Against<'_> {
    /// How often the solved side's states of a cell are reached, by its memory.
    #[inline(always)]
    fn row(&self, flat: &Transitions, cell: usize, theirs: usize) -> &[f64] {
        &self.pass.visits[0][flat.row(cell, 0, theirs) * flat.lanes[0]..][..flat.space.mine]
    }
}

impl Candidate<'_> {
    /// Takes the best action, the one in the table where none is better; true if it changed.
    #[inline(always)]
    fn decide(&mut self, decision: usize, sums: &[f64], reached: f64) -> bool {
        let known = usize::from(self.table[decision]);
        let (mut best, mut most) = (known, sums[known] + BETTER * reached);
        for (action, sum) in sums.iter().enumerate() {
            self.action_values[decision * sums.len() + action] = (sum / reached) as f32;
            if *sum > most {
                (best, most) = (action, *sum);
            }
        }
        self.table[decision] = best as u8;
        best != known
    }
}

/// Renews how often each state is reached, with the best vectors that this processor has.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx")))]
pub(super) fn forward(problem: &Problem, candidate: &mut Candidate) {
    problem.forward(candidate);
}

/// Renews all values and chooses each decision anew. The win rate, and how many decisions changed.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx")))]
pub(super) fn backward(problem: &Problem, candidate: &mut Candidate) -> (f64, usize) {
    problem.backward(candidate)
}
