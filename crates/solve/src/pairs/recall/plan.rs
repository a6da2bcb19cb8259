//! Prepares a plan that sees only scores: the distribution it plays for each memory, and which
//! memories can occur.

use crate::game::planes::Block;
use crate::game::{Game, Plan, StateMemories};

use super::Recall;

/// A prepared plan.
#[derive(Debug)]
pub(in crate::pairs) struct ScorePlan {
    /// By cell, in the order of evaluation.
    pub(super) cells: Vec<CellPlan>,
    /// By cell with the other player to move: the memories that the plan's player may have there.
    pub(super) waiting_memories: Vec<u64>,
    /// Whether some cell has exceptions.
    pub(super) has_exceptions: bool,
}

/// The play of a plan in one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPlan {
    /// The distribution for most memories and, if `mask` is not empty, the one for the exceptions.
    pub(super) distributions: [u32; 2],
    /// The own memories that are exceptions.
    pub(super) mask: u64,
    /// Whether the plan's player can ever be to move here.
    pub(super) reachable: bool,
}

impl ScorePlan {
    /// Prepares a plan; `None` if it sees memories, or a cell has more than two distributions or
    /// one that depends on the opponent's memory.
    pub(super) fn new(recall: &Recall, game: &Game, plan: &Plan) -> Option<Self> {
        let space = game.space();
        let cells = (0..space.goal * space.goal).map(|cell| CellPlan::new(game, plan, cell));
        let (cells, waiting_memories) =
            restrict_to_reachable(recall, cells.collect::<Option<Vec<CellPlan>>>()?);
        let order = (0..space.stages()).rev().flat_map(|stage| space.stage(stage));
        let has_exceptions = cells.iter().any(|cell| cell.mask != 0);
        Some(Self {
            cells: order.map(|cell| cells[cell]).collect(),
            waiting_memories,
            has_exceptions,
        })
    }
}

impl CellPlan {
    fn new(game: &Game, plan: &Plan, cell: usize) -> Option<Self> {
        let space = game.space();
        let per_cell = game.space().per_cell();
        let action = plan.action(cell * per_cell);
        if (1..per_cell).any(|place| plan.action(cell * per_cell + place) != action) {
            return None;
        }
        let set = &game.action_sets()[game.action_set_number(cell)];
        let mut of_mine: Vec<u32> = Vec::with_capacity(space.mine);
        for mine in 0..space.mine {
            let first = StateMemories { mine, ..StateMemories::default() };
            let own = set.of(&space, first)[action];
            let opponents = if set.theirs_matter { space.mine } else { 1 };
            for theirs in 1..opponents {
                if set.of(&space, StateMemories { theirs, ..first })[action] != own {
                    return None;
                }
            }
            of_mine.push(own);
        }
        let (most, other, mask) = split(&of_mine)?;
        Some(Self { distributions: [most, other], mask, reachable: true })
    }

    /// Restricts the cell to the memories that can occur.
    fn restrict(&mut self, memories: u64) {
        self.reachable = memories != 0;
        if memories & !self.mask == 0 {
            (self.distributions[0], self.mask) = (self.distributions[1], 0);
        } else if memories & self.mask == 0 {
            self.mask = 0;
        }
    }

    /// The outcomes that can occur.
    fn outcomes<'r>(&self, recall: &'r Recall) -> impl Iterator<Item = &'r Block> + use<'r> {
        let count = match (self.reachable, self.mask) {
            (false, _) => 0,
            (true, 0) => 1,
            _ => 2,
        };
        let planes = &recall.planes;
        let played = self.distributions.into_iter().take(count);
        played.flat_map(|distribution| {
            &planes.blocks[planes.distributions[distribution as usize].blocks.clone()]
        })
    }
}

/// Finds the memories that can occur against any opponent. Returns the cells restricted to them,
/// and by cell with the other player to move the memories that the plan's player may have there.
fn restrict_to_reachable(recall: &Recall, mut cells: Vec<CellPlan>) -> (Vec<CellPlan>, Vec<u64>) {
    let planes = &recall.planes;
    let space = recall.planes.space;
    let size = recall.planes.size();
    let mut own = vec![0u64; cells.len()];
    own[0] = 1 << recall.start_memory;
    let mut waiting = own.clone();
    for cell in (0..space.stages()).flat_map(|stage| space.stage(stage)) {
        let origin = planes.origin(cell);
        cells[cell].restrict(own[cell]);
        for block in cells[cell].outcomes(recall) {
            let plane = &planes.planes[block.place / size];
            let leads_to = &planes.maps[plane.map].leads_to[origin + block.place % size..];
            let reached = block.weights.iter().zip(leads_to).filter(|(weight, _)| **weight > 0.0);
            for next in reached.filter_map(|(_, next)| next.state()) {
                waiting[next as usize] |= 1 << plane.memory;
            }
        }
        let memories = waiting[cell];
        for map in planes.maps.iter().filter(|_| memories != 0) {
            for points in &planes.points {
                if let Some(next) = map.leads_to[origin + points].state() {
                    own[next as usize] |= memories;
                }
            }
        }
    }
    (cells, waiting)
}

/// Returns the distribution of most memories, that of the others, and the set of these others;
/// `None` if there are more than two distributions.
fn split(of_mine: &[u32]) -> Option<(u32, u32, u64)> {
    let first = of_mine[0];
    let other =
        of_mine.iter().copied().find(|distribution| *distribution != first).unwrap_or(first);
    if of_mine.iter().any(|distribution| *distribution != first && *distribution != other) {
        return None;
    }
    let firsts = of_mine.iter().filter(|distribution| **distribution == first).count();
    let (most, other) = if firsts * 2 >= of_mine.len() { (first, other) } else { (other, first) };
    let exceptions = of_mine.iter().enumerate().filter(|(_, distribution)| **distribution != most);
    Some((most, other, exceptions.fold(0, |mask, (mine, _)| mask | 1 << mine)))
}
