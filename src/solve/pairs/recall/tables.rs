//! What all pairs of a game with memories share: distributions as blocks of weights, and where arrivals lead.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::game::{self, Game, Order, ScoreSuccessor, Space, TurnOutcome};

/// Neighbouring weights that are worked on together.
pub(super) const BLOCK: usize = 8;

/// A game in places: where a turn arrives, by kind of outcome, the opponent's score and the total.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) space: Space,
    /// Totals: those below the goal, as many past it as points can reach, and room for a block.
    pub(super) width: usize,
    pub(super) start_memory: usize,
    pub(super) kinds: Vec<Kind>,
    /// Kinds that lead to the same cells, whatever they leave in memory.
    pub(super) groups: Vec<Group>,
    /// By memory: the kinds that leave it.
    pub(super) leaving: Vec<Vec<u32>>,
    pub(super) distributions: Vec<BlockDistribution>,
    pub(super) blocks: Vec<Block>,
    /// By actions: the first of its distributions.
    pub(super) first_lottery: Vec<usize>,
    /// The points that turns bring, ascending.
    pub(super) points: Vec<usize>,
}

/// Landings that differ in their points alone.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) group: usize,
    /// What the mover remembers.
    pub(super) memory: usize,
}

/// Where totals lead.
#[derive(Debug)]
pub(super) struct Group {
    /// By the opponent's score and the total: the cell, or an end.
    pub(super) leads_to: Vec<u32>,
    /// By cell: where the places that lead to it begin.
    starts: Vec<u32>,
    places: Vec<u32>,
}

/// A distribution as blocks.
#[derive(Debug)]
pub(super) struct BlockDistribution {
    pub(super) blocks: Range<usize>,
    /// One over the sum of the weights.
    pub(super) scale: f64,
}

/// Neighbouring outcomes.
#[derive(Debug)]
pub(super) struct Block {
    /// The place of the first, from that of no points.
    pub(super) place: usize,
    /// The same among the places of a group.
    pub(super) of_group: usize,
    pub(super) weights: [f64; BLOCK],
}

/// Places that lead to the end of the game: won, lost, tied for who has just moved.
pub(super) const ENDS: [u32; 3] = [u32::MAX - 2, u32::MAX - 1, u32::MAX];

/// The most memories of a player: they are the bits of a set.
pub(super) const MOST_MEMORIES: usize = 64;
/// The most places, in numbers of eight bytes.
const MOST_PLACES: usize = 1 << 26;

/// Additions across the lanes of a block.
const ACROSS: usize = 3;
/// Roundings of one value beside its sums.
const ON_TOP: usize = 4;

impl Tables {
    /// The tables of a game; `None` if it does not fit: extra turns, shared memories, turns that stay in their layer,
    /// arrivals that depend on the points.
    pub(super) fn new(game: &Game) -> Option<Self> {
        let space = game.space();
        if space.shared > 1 || space.mine > MOST_MEMORIES || game.order() != Order::Acyclic {
            return None;
        }
        let outcomes = || game.action_sets().iter().flat_map(|actions| &actions.by_shared[0].outcomes);
        let mut points: Vec<usize> = outcomes().map(|outcome| outcome.points as usize).collect();
        points.sort_unstable();
        points.dedup();
        let mut tables = Self {
            space,
            width: space.goal + points.last()? + 1 + BLOCK,
            start_memory: game.start() % space.mine,
            kinds: Vec::new(),
            groups: Vec::new(),
            leaving: vec![Vec::new(); space.mine],
            distributions: Vec::new(),
            blocks: Vec::new(),
            first_lottery: Vec::new(),
            points,
        };
        let mut numbers = HashMap::new();
        for outcome in outcomes().map(|outcome| outcome.with_points(0)) {
            if let Entry::Vacant(entry) = numbers.entry(outcome) {
                entry.insert(tables.kinds.len());
                if (tables.kinds.len() + 1) * tables.plane() > MOST_PLACES {
                    return None;
                }
                tables.add_kind(game, outcome)?;
            }
        }
        for actions in game.action_sets() {
            tables.first_lottery.push(tables.distributions.len());
            let set = &actions.by_shared[0];
            for distribution in &set.distributions {
                tables.flatten(&set.outcomes, distribution, &numbers);
            }
        }
        Some(tables)
    }

    /// Places of one kind.
    pub(super) fn plane(&self) -> usize {
        self.space.goal * self.width
    }

    /// The place of no points from a cell.
    #[inline(always)]
    pub(super) fn origin(&self, cell: usize) -> usize {
        cell % self.space.goal * self.width + cell / self.space.goal
    }

    /// A bound on the error of every win rate, with u = 2^-53 (Higham, *Accuracy and Stability of Numerical Algorithms*,
    /// section 3.1). Of b blocks, the means of base and of extras are each rounded by their products, by b additions at most
    /// and by [`ACROSS`] across the lanes, none of them above 1; on top come the extras' own difference, the scale and its
    /// product, and the difference from 1. Each layer adds that to what its values read are off by.
    pub(super) fn error_bound(&self) -> f64 {
        let blocks = self.distributions.iter().map(|distribution| distribution.blocks.len()).max().unwrap_or(0);
        let roundings = 2 * (1 + blocks + ACROSS) + ON_TOP;
        1.01 * (self.space.stages() * roundings) as f64 * f64::EPSILON / 2.0
    }

    fn add_kind(&mut self, game: &Game, outcome: TurnOutcome) -> Option<()> {
        let goal = self.space.goal;
        let place = |place: usize| (place / self.width, place % self.width);
        let plain = |(opponent, total): (usize, usize)| {
            if total < goal { (opponent * goal + total) as u32 } else { ENDS[0] }
        };
        let mut leads_to: Vec<u32> = (0..self.plane()).map(|at| plain(place(at))).collect();
        for (opponent, total, destination) in game.exceptional(&outcome)? {
            leads_to[opponent * self.width + total] = match destination {
                ScoreSuccessor::Won => ENDS[0],
                ScoreSuccessor::Lost => ENDS[1],
                ScoreSuccessor::Tied => ENDS[2],
                ScoreSuccessor::Passed { cell } => cell as u32,
                ScoreSuccessor::Again { .. } => return None,
            };
        }
        let group = self.groups.iter().position(|group| group.leads_to == leads_to).unwrap_or_else(|| {
            self.groups.push(Group::new(leads_to, goal * goal));
            self.groups.len() - 1
        });
        let memory = usize::from(outcome.mine[0]);
        self.leaving[memory].push(self.kinds.len() as u32);
        self.kinds.push(Kind { group, memory });
        Some(())
    }

    fn flatten(
        &mut self,
        outcomes: &[TurnOutcome],
        distribution: &game::OutcomeDistribution,
        numbers: &HashMap<TurnOutcome, usize>,
    ) {
        let (plane, first) = (self.plane(), self.blocks.len());
        for (outcome, weight) in &distribution.outcomes {
            let outcome = &outcomes[usize::from(*outcome)];
            let (points, kind) = (outcome.points as usize, numbers[&outcome.with_points(0)]);
            let place = kind * plane + points;
            let fits = |block: &&mut Block| (block.place..block.place + BLOCK).contains(&place);
            match self.blocks[first..].last_mut().filter(fits) {
                Some(block) => block.weights[place - block.place] = *weight as f64,
                None => {
                    let mut weights = [0.0; BLOCK];
                    weights[0] = *weight as f64;
                    self.blocks.push(Block { place, of_group: self.kinds[kind].group * plane + points, weights });
                }
            }
        }
        self.distributions
            .push(BlockDistribution { blocks: first..self.blocks.len(), scale: 1.0 / distribution.total as f64 });
    }
}

impl Group {
    fn new(leads_to: Vec<u32>, cells: usize) -> Self {
        let mut starts = vec![0; cells + 1];
        for cell in leads_to.iter().filter(|cell| **cell < ENDS[0]) {
            starts[*cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        let (mut next, mut places) = (starts.clone(), vec![0; starts[cells] as usize]);
        for (place, cell) in leads_to.iter().enumerate().filter(|(_, cell)| **cell < ENDS[0]) {
            places[next[*cell as usize] as usize] = place as u32;
            next[*cell as usize] += 1;
        }
        Self { leads_to, starts, places }
    }

    /// The places that lead to a cell.
    #[inline(always)]
    pub(super) fn places(&self, cell: usize) -> &[u32] {
        &self.places[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}
