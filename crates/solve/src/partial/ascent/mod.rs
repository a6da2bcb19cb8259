//! One table against a field: computes reach probabilities forward, and values backward while
//! improving each decision.
//!
//! The solved side is side 0, the opponents are side 1. All values are win rates of the solved side
//! when it plays its table from there on. The value of an action at a decision is the mean over the
//! states that the decision cannot distinguish, weighted by their reach probabilities.

mod passes;

use crate::game::planes::{Block, Planes};
use crate::game::{ActionSet, DiceSet, Game, Plan, Space, StateMemories};

use super::{Ascent, COPIES, LESS_MEMORY, Sees, UNREACHED_WEIGHT, memories_after};
use crate::solve::{SolveError, Watch};

/// A game, and the opponents, each with its share of the games.
pub(super) struct Problem<'k> {
    game: &'k Game,
    planes: &'k Planes,
    sees: Sees,
    /// By side: the memories that are distinguished, ascending. For the solved side these are all
    /// memories.
    memories: [Vec<usize>; 2],
    /// By side: the number of these memories.
    lanes: [usize; 2],
    /// By action set: its distinct distributions.
    distributions_of_set: Vec<Vec<u32>>,
    opponents: Vec<HiddenOpponent>,
}

struct HiddenOpponent {
    share: f64,
    /// The distributions it plays, by cell, its own memory (among those distinguished) and the
    /// solved side's memory.
    distributions: Vec<u32>,
}

/// A table's reach probabilities and values.
#[derive(Clone)]
pub(super) struct TableNumbers {
    matchups: Vec<Matchup>,
    workspace: AscentWorkspace,
}

type CellCandidate = super::Candidate<TableNumbers>;

/// The numbers of a table against one opponent.
#[derive(Clone)]
struct Matchup {
    /// By side to move: the probability that a turn of the other side leads to a place; by place
    /// and lane.
    place_reach: [Vec<f64>; 2],
    /// By side to move: the value of a place; by place and lane.
    values: [Vec<f64>; 2],
    /// The reach probabilities of the solved side's states, by cell, row and lane.
    state_reach: Vec<f64>,
    /// By side: the value if that side moves first.
    start: [f64; 2],
}

/// Buffers that are reused at each cell.
#[derive(Clone, Default)]
struct AscentWorkspace {
    /// By opponent, distribution and lane of the opponent: the value of a turn of the solved side.
    turn_values: Vec<f64>,
    /// By distribution and lane of the next mover: probabilities to be propagated, or values of
    /// the opponent's turns.
    by_distribution: Vec<f64>,
    /// By distribution: whether `by_distribution` is set; all false between cells.
    used: Vec<bool>,
    /// The numbers of one cell, by the other side's memory (among those distinguished) and own
    /// lane.
    rows: Vec<f64>,
}

impl<'k> Problem<'k> {
    /// Creates the problem for a field of plans with their shares.
    ///
    /// # Errors
    /// Returns an error if the search would take too much memory, or `watch` stops the work.
    pub fn new(
        game: &'k Game,
        planes: &'k Planes,
        field: &[(Plan, f64)],
        sees: Sees,
        watch: &Watch,
    ) -> Result<Self, SolveError> {
        let space = game.space();
        let memories =
            [(0..space.mine).collect(), memories_after(game, field.iter().map(|(plan, _)| plan))];
        let lanes = [memories[0].len(), memories[1].len()];
        let distributions_of_set = game.action_sets().iter().map(ActionSet::distinct).collect();
        let opponents = Vec::new();
        let mut problem =
            Self { game, planes, sees, memories, lanes, distributions_of_set, opponents };
        watch.admit(problem.bytes(field.len()), LESS_MEMORY)?;
        for (plan, share) in field {
            watch.report(0, 1)?;
            let mut distributions =
                Vec::with_capacity(space.goal * space.goal * problem.rows(0) * space.mine);
            for cell in 0..space.goal * space.goal {
                for own in &problem.memories[1] {
                    distributions.extend((0..space.mine).map(|theirs| {
                        let memories = StateMemories { shared: 0, mine: *own, theirs };
                        let action = plan.action(space.state(cell, memories));
                        problem.of_actions(cell, *own, theirs)[action]
                    }));
                }
            }
            problem.opponents.push(HiddenOpponent { share: *share, distributions });
        }
        Ok(problem)
    }

    /// Estimates the memory of a search against this many opponents, in bytes.
    fn bytes(&self, opponents: usize) -> u64 {
        let cells = self.space().goal * self.space().goal;
        let distributions = self.game.distributions().len();
        let [own, theirs] = self.lanes.map(|lanes| lanes as u64);
        // The numbers of a `Matchup`, and the opponent's part of the `AscentWorkspace`.
        let matchup =
            2 * self.planes.places() as u64 * (own + theirs) + cells as u64 * theirs * own;
        let each = matchup + distributions as u64 * theirs;
        let decisions =
            self.decisions() as u64 * (1 + size_of::<f32>() as u64 * self.space().actions as u64);
        let candidate =
            each.saturating_mul((opponents * size_of::<f64>()) as u64).saturating_add(decisions);
        let played = cells as u64 * theirs * own * size_of::<u32>() as u64 * opponents as u64;
        // The copies of a round, the first candidate and the best decisions found.
        candidate.saturating_mul(1 + COPIES as u64).saturating_add(played + decisions)
    }

    fn space(&self) -> &Space {
        &self.planes.space
    }

    /// The number of rows of a side at a cell: one for each memory of the other side.
    fn rows(&self, side: usize) -> usize {
        self.memories[1 - side].len()
    }

    /// The distributions of all actions in a state.
    #[inline(always)]
    fn of_actions(&self, cell: usize, mine: usize, theirs: usize) -> &[u32] {
        let set = &self.game.action_sets()[self.game.action_set_number(cell)];
        set.of(self.space(), StateMemories { shared: 0, mine, theirs })
    }

    /// The blocks of a distribution, and the reciprocal of the sum of its weights.
    #[inline(always)]
    fn blocks(&self, distribution: usize) -> (&[Block], f64) {
        let of = &self.planes.distributions[distribution];
        (&self.planes.blocks[of.blocks.clone()], of.scale)
    }

    fn per_cell(&self) -> usize {
        if self.sees == Sees::Scores { 1 } else { self.rows(0) * self.space().mine }
    }

    #[inline(always)]
    fn decision(&self, cell: usize, row: usize, mine: usize) -> usize {
        match self.sees {
            Sees::Scores => cell,
            Sees::State => cell * self.per_cell() + row * self.space().mine + mine,
        }
    }

    /// The distribution that the solved side plays.
    #[inline(always)]
    fn chosen(&self, table: &[u8], cell: usize, row: usize, mine: usize) -> usize {
        let action = usize::from(table[self.decision(cell, row, mine)]);
        self.of_actions(cell, mine, self.memories[1][row])[action] as usize
    }

    /// Chooses the best actions for the decisions of a cell; returns how many decisions changed.
    #[inline(always)]
    fn improve(&self, cell: usize, candidate: &mut CellCandidate) -> usize {
        let space = *self.space();
        let mut sums = [0.0; DiceSet::BITS as usize];
        let mut changed = 0;
        let mut total_weight = 0.0;
        // Only reached states count, unless no state of the cell is reached.
        let any_reached = self.sees == Sees::Scores
            && candidate.numbers.matchups.iter().any(|matchup| {
                let mut rows = (0..self.rows(0)).map(|row| matchup.row(self, cell, row));
                rows.any(|row| row.iter().any(|reached| *reached > 0.0))
            });
        let states = (0..self.rows(0)).flat_map(|row| (0..space.mine).map(move |mine| (row, mine)));
        for (row, mine) in states {
            let of_actions = self.of_actions(cell, mine, self.memories[1][row]);
            for (index, (opponent, matchup)) in
                self.opponents.iter().zip(&candidate.numbers.matchups).enumerate()
            {
                let reached = matchup.row(self, cell, row)[mine];
                if any_reached && reached == 0.0 {
                    continue;
                }
                let weight = opponent.share * (reached + UNREACHED_WEIGHT);
                total_weight += weight;
                for (sum, distribution) in sums.iter_mut().zip(of_actions) {
                    *sum += weight
                        * candidate.numbers.workspace.turn_values
                            [self.turn_values_at(index, *distribution as usize) + row];
                }
            }
            if self.sees == Sees::State || (row, mine) == (self.rows(0) - 1, space.mine - 1) {
                let decision = self.decision(cell, row, mine);
                changed +=
                    usize::from(candidate.decide(decision, &sums[..space.actions], total_weight));
                sums.fill(0.0);
                total_weight = 0.0;
            }
        }
        changed
    }
}

impl HiddenOpponent {
    /// The distributions it plays at a cell, by its own memory and the solved side's.
    #[inline(always)]
    fn distributions_at(&self, problem: &Problem, cell: usize) -> &[u32] {
        let states = problem.rows(0) * problem.space().mine;
        &self.distributions[cell * states..][..states]
    }
}

impl Matchup {
    /// The reach probabilities of the solved side's states in one row of a cell, by its memory.
    #[inline(always)]
    fn row(&self, problem: &Problem, cell: usize, row: usize) -> &[f64] {
        let lanes = problem.lanes[0];
        &self.state_reach[(cell * problem.rows(0) + row) * lanes..][..problem.space().mine]
    }
}

impl Ascent for Problem<'_> {
    type Numbers = TableNumbers;

    fn numbers(&self) -> TableNumbers {
        let cells = self.space().goal * self.space().goal;
        let distributions = self.game.distributions().len();
        let [own, theirs] = self.lanes;
        let matchup = Matchup {
            place_reach: self.lanes.map(|lanes| vec![0.0; self.planes.places() * lanes]),
            values: [self.end_values(0), self.end_values(1)],
            state_reach: vec![0.0; cells * self.rows(0) * own],
            start: [0.0; 2],
        };
        let workspace = AscentWorkspace {
            turn_values: vec![0.0; self.opponents.len() * distributions * theirs],
            by_distribution: vec![0.0; distributions * own.max(theirs)],
            used: vec![false; distributions],
            rows: Vec::new(),
        };
        TableNumbers { matchups: vec![matchup; self.opponents.len()], workspace }
    }

    fn decisions(&self) -> usize {
        self.space().goal * self.space().goal * self.per_cell()
    }

    fn actions(&self) -> usize {
        self.space().actions
    }

    fn plan(&self, table: &[u8]) -> Plan {
        let space = self.space();
        if self.sees == Sees::Scores {
            return Plan::of_scores(self.game.states(), table.to_vec());
        }
        let mut actions = Vec::with_capacity(space.states());
        for state in 0..space.states() {
            let (cell, memories) = space.parts(state);
            let StateMemories { mine, theirs, .. } = memories;
            // An opponent's memory that cannot occur is treated as the first that can.
            let row = self.memories[1].iter().position(|memory| *memory == theirs).unwrap_or(0);
            actions.push(table[self.decision(cell, row, mine)]);
        }
        Plan::from_actions(actions)
    }

    fn sweep(
        &self,
        candidate: &mut CellCandidate,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(f64, usize), SolveError> {
        if !forward(self, candidate, go_on) {
            return Err(SolveError::Cancelled);
        }
        backward(self, candidate, go_on).ok_or(SolveError::Cancelled)
    }
}

/// Recomputes all reach probabilities, with the widest vector instructions of this processor;
/// returns false if `go_on` does, which is called between stages.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2")))]
fn forward(
    problem: &Problem,
    candidate: &mut CellCandidate,
    go_on: &(dyn Fn() -> bool + Sync),
) -> bool {
    problem.forward(candidate, go_on)
}

/// Recomputes all values and improves each decision, with the widest vector instructions of this
/// processor. Returns the win rate and the number of decisions that changed; `None` if `go_on`,
/// called between stages, returns false.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2")))]
fn backward(
    problem: &Problem,
    candidate: &mut CellCandidate,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Option<(f64, usize)> {
    problem.backward(candidate, go_on)
}
