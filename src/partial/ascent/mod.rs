//! One table against a field: reach probabilities forward, values backward, and each decision chosen anew on the way.
//!
//! The solved side is side 0, the opponents are side 1. All values are the solved side's win rate if it plays its table from
//! there on. A decision's actions are worth the mean over the states that it cannot tell apart, weighted with how likely
//! they are reached.

mod passes;

use crate::game::{DiceSet, Game, Plan, Space};
use crate::kernel::Kernel;
use crate::kernel::planes::{Block, Planes};

use super::{Sees, memories_after};

/// A game, and the opponents that may be met, each with its share of the games.
pub(super) struct Problem<'k> {
    game: &'k Game,
    kernel: &'k Kernel,
    planes: &'k Planes,
    sees: Sees,
    /// By side: the memories told apart, ascending: all of the solved side's.
    memories: [Vec<usize>; 2],
    /// By side: how many these are.
    lanes: [usize; 2],
    /// By action set: its distributions, each once.
    offered: Vec<Vec<u32>>,
    opponents: Vec<HiddenOpponent>,
}

struct HiddenOpponent {
    share: f64,
    /// The distribution it takes, by cell, its own memory among those told apart, and the solved side's memory.
    distributions: Vec<u32>,
}

/// A table that is being improved, and what is known of it.
#[derive(Clone)]
pub(super) struct Candidate {
    against: Vec<Against>,
    /// The action of each decision: of a cell, or of a state where memories are seen.
    pub table: Vec<u8>,
    /// By decision and action: its value, on average over what is hidden.
    pub action_values: Vec<f32>,
    workspace: Workspace,
}

/// A table against one opponent.
#[derive(Clone)]
struct Against {
    /// By side: how often the other's turns reach a place; by place and lane.
    arriving: [Vec<f64>; 2],
    /// By side: what that is worth; by place and lane.
    values: [Vec<f64>; 2],
    /// How often the solved side's states are reached, by cell and row.
    reached: Vec<f64>,
    /// By side: what it is worth that it moves first.
    start: [f64; 2],
}

/// Memory that is used again at each cell.
#[derive(Clone, Default)]
struct Workspace {
    /// By opponent, distribution and lane of the opponent: what the solved side's turns are worth.
    expected: Vec<f64>,
    /// By distribution and lane of the next mover: what is carried on, or what the opponent's turns are worth.
    by_distribution: Vec<f64>,
    /// By distribution: whether there is anything; all false between cells.
    used: Vec<bool>,
    /// Of a cell: by the other's memory among those told apart, and own lane.
    rows: Vec<f64>,
}

/// Weight of states that are never reached: just enough that decisions there are sensible ones.
const FAINT: f64 = 1e-18;

/// An action must be better by this much, times how often the decision is reached, to replace another.
const BETTER: f64 = 1e-14;

impl<'k> Problem<'k> {
    /// The problem of a field of plans with their shares.
    pub fn new((game, kernel, planes): (&'k Game, &'k Kernel, &'k Planes), field: &[(Plan, f64)], sees: Sees) -> Self {
        let space = kernel.space;
        let memories = [(0..space.mine).collect(), memories_after(game, kernel, field.iter().map(|(plan, _)| plan))];
        let lanes = [memories[0].len(), memories[1].len()];
        let offered = kernel.action_sets.iter().map(|set| {
            let mut distinct = set.all().to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            distinct
        });
        let offered = offered.collect();
        let mut problem = Self { game, kernel, planes, sees, memories, lanes, offered, opponents: Vec::new() };
        for (plan, share) in field {
            let mut distributions = Vec::with_capacity(space.goal * space.goal * problem.rows(0) * space.mine);
            for cell in 0..space.goal * space.goal {
                for own in &problem.memories[1] {
                    distributions.extend((0..space.mine).map(|theirs| {
                        let action = plan.action(space.state(cell, 0, theirs, *own));
                        problem.of_actions(cell, *own, theirs)[action]
                    }));
                }
            }
            problem.opponents.push(HiddenOpponent { share: *share, distributions });
        }
        problem
    }

    fn space(&self) -> &Space {
        &self.kernel.space
    }

    /// Rows of a side at a cell: one for each memory of the other.
    fn rows(&self, side: usize) -> usize {
        self.memories[1 - side].len()
    }

    /// The distributions of all actions in a state.
    #[inline(always)]
    fn of_actions(&self, cell: usize, mine: usize, theirs: usize) -> &[u32] {
        self.kernel.action_sets[self.game.action_set_number(cell)].of(self.space(), (0, mine, theirs))
    }

    /// The blocks of a distribution, and one over the sum of its weights.
    #[inline(always)]
    fn blocks(&self, distribution: usize) -> (&[Block], f64) {
        let of = &self.planes.distributions[distribution];
        (&self.planes.blocks[of.blocks.clone()], of.scale)
    }

    /// How many decisions a table has.
    pub fn decisions(&self) -> usize {
        self.space().goal * self.space().goal * self.per_cell()
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

    /// The distribution that the solved side takes.
    #[inline(always)]
    fn chosen(&self, table: &[u8], cell: usize, (row, mine): (usize, usize)) -> usize {
        let action = usize::from(table[self.decision(cell, row, mine)]);
        self.of_actions(cell, mine, self.memories[1][row])[action] as usize
    }

    /// A table as a plan.
    pub fn plan(&self, table: &[u8]) -> Plan {
        let space = self.space();
        if self.sees == Sees::Scores {
            return Plan::of_scores(self.game, table.to_vec());
        }
        let action = |state: usize| {
            let (cell, (_, mine, theirs)) = space.parts(state);
            // Memories that never come up are played as the first that does.
            let row = self.memories[1].iter().position(|memory| *memory == theirs).unwrap_or(0);
            table[self.decision(cell, row, mine)]
        };
        Plan::from_actions((0..space.states()).map(action).collect())
    }

    /// The table of one action, of which nothing is known.
    pub fn candidate(&self, action: u8) -> Candidate {
        let (cells, distributions) = (self.space().goal * self.space().goal, self.kernel.distributions.len());
        let [own, theirs] = self.lanes;
        let against = Against {
            arriving: self.lanes.map(|lanes| vec![0.0; self.planes.places() * lanes]),
            values: [self.ends(0), self.ends(1)],
            reached: vec![0.0; cells * self.rows(0) * own],
            start: [0.0; 2],
        };
        let workspace = Workspace {
            expected: vec![0.0; self.opponents.len() * distributions * theirs],
            by_distribution: vec![0.0; distributions * own.max(theirs)],
            used: vec![false; distributions],
            rows: Vec::new(),
        };
        Candidate {
            against: vec![against; self.opponents.len()],
            table: vec![action; self.decisions()],
            action_values: vec![0.0; self.decisions() * self.space().actions],
            workspace,
        }
    }

    /// Chooses the decisions of a cell anew; how many changed.
    #[inline(always)]
    fn choose(&self, cell: usize, candidate: &mut Candidate) -> usize {
        let space = *self.space();
        let mut sums = [0.0; DiceSet::BITS as usize];
        let (mut changed, mut reached_in_all) = (0, 0.0);
        // What is reached is what counts; only where nothing is, all that might be.
        let any_reached = self.sees == Sees::Scores
            && candidate.against.iter().any(|against| {
                let mut rows = (0..self.rows(0)).map(|row| against.row(self, cell, row));
                rows.any(|row| row.iter().any(|reached| *reached > 0.0))
            });
        let states = (0..self.rows(0)).flat_map(|row| (0..space.mine).map(move |mine| (row, mine)));
        for (row, mine) in states {
            let of_actions = self.of_actions(cell, mine, self.memories[1][row]);
            for (index, (opponent, against)) in self.opponents.iter().zip(&candidate.against).enumerate() {
                let reached = against.row(self, cell, row)[mine];
                if any_reached && reached == 0.0 {
                    continue;
                }
                let weight = opponent.share * (reached + FAINT);
                reached_in_all += weight;
                for (sum, distribution) in sums.iter_mut().zip(of_actions) {
                    *sum +=
                        weight * candidate.workspace.expected[self.expected_at(index, *distribution as usize) + row];
                }
            }
            if self.sees == Sees::State || (row, mine) == (self.rows(0) - 1, space.mine - 1) {
                let decision = self.decision(cell, row, mine);
                changed += usize::from(candidate.decide(decision, &sums[..space.actions], reached_in_all));
                sums.fill(0.0);
                reached_in_all = 0.0;
            }
        }
        changed
    }
}

impl HiddenOpponent {
    /// The distributions it takes at a cell, by its own memory and the solved side's.
    #[inline(always)]
    fn taken(&self, problem: &Problem, cell: usize) -> &[u32] {
        let states = problem.rows(0) * problem.space().mine;
        &self.distributions[cell * states..][..states]
    }
}

impl Against {
    /// How often the solved side's states of a cell are reached, by its memory.
    #[inline(always)]
    fn row(&self, problem: &Problem, cell: usize, row: usize) -> &[f64] {
        let lanes = problem.lanes[0];
        &self.reached[(cell * problem.rows(0) + row) * lanes..][..problem.space().mine]
    }
}

impl Candidate {
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
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2")))]
pub(super) fn forward(problem: &Problem, candidate: &mut Candidate) {
    problem.forward(candidate);
}

/// Renews all values and chooses each decision anew. The win rate, and how many decisions changed.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2")))]
pub(super) fn backward(problem: &Problem, candidate: &mut Candidate) -> (f64, usize) {
    problem.backward(candidate)
}
