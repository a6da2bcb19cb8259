//! A plan that sees only scores as what it plays with which memories, and which memories can come up.

use crate::game::{Game, Plan};
use crate::kernel::Kernel;
use crate::kernel::planes::{Block, FIRST_END};

use super::Recall;

/// What a plan plays, whatever it remembers.
#[derive(Debug)]
pub(in crate::pairs) struct ScorePlan {
    /// By cell in solving order.
    pub(super) steps: Vec<Step>,
    /// By cell of the other player: the memories that the plan's player may then have.
    pub(super) away: Vec<u64>,
    /// Whether some cell has exceptions.
    pub(super) excepts: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The distribution of most memories and, if `mask` is not empty, that of the exceptions.
    pub(super) distributions: [u32; 2],
    /// The own memories that are exceptions.
    pub(super) mask: u64,
    /// Whether the plan's player can be here at all.
    pub(super) met: bool,
}

impl ScorePlan {
    /// A plan as steps; `None` if it does not fit: it sees memories, or one cell has more than two distributions.
    pub(super) fn new(recall: &Recall, (game, kernel): (&Game, &Kernel), plan: &Plan) -> Option<Self> {
        let space = kernel.space;
        let steps = (0..space.goal * space.goal).map(|cell| Step::new((game, kernel), plan, cell));
        let (steps, away) = explore(recall, steps.collect::<Option<Vec<Step>>>()?);
        let cells = (0..space.stages()).rev().flat_map(|stage| space.stage(stage));
        let excepts = steps.iter().any(|step| step.mask != 0);
        Some(Self { steps: cells.map(|cell| steps[cell]).collect(), away, excepts })
    }
}

impl Step {
    fn new((game, kernel): (&Game, &Kernel), plan: &Plan, cell: usize) -> Option<Self> {
        let (space, per_cell) = (kernel.space, kernel.space.per_cell());
        let action = plan.action(cell * per_cell);
        if (1..per_cell).any(|place| plan.action(cell * per_cell + place) != action) {
            return None;
        }
        let set = &kernel.action_sets[game.action_set_number(cell)];
        let distribution = |mine: usize, theirs: usize| set.of(&space, (0, mine, theirs))[action];
        let of_mine: Vec<u32> = (0..space.mine).map(|mine| distribution(mine, 0)).collect();
        let depends = |mine: usize| (1..space.mine).any(|theirs| distribution(mine, theirs) != of_mine[mine]);
        if set.theirs_matter && (0..space.mine).any(depends) {
            return None;
        }
        let (most, other, mask) = split(&of_mine)?;
        Some(Self { distributions: [most, other], mask, met: true })
    }

    /// Keeps what it plays with the memories that can come up.
    fn keep(&mut self, memories: u64) {
        self.met = memories != 0;
        if memories & !self.mask == 0 {
            (self.distributions[0], self.mask) = (self.distributions[1], 0);
        } else if memories & self.mask == 0 {
            self.mask = 0;
        }
    }

    /// The outcomes that it may meet.
    fn outcomes<'r>(&self, recall: &'r Recall) -> impl Iterator<Item = &'r Block> + use<'r> {
        let count = match (self.met, self.mask) {
            (false, _) => 0,
            (true, 0) => 1,
            _ => 2,
        };
        let planes = &recall.planes;
        let played = self.distributions.into_iter().take(count);
        played.flat_map(|distribution| &planes.blocks[planes.distributions[distribution as usize].blocks.clone()])
    }
}

/// Finds the memories that can come up, whatever the other player does: keeps what the steps, by cell, play with them, and
/// tells, by cell of the other player, which the plan's player may then have.
fn explore(recall: &Recall, mut steps: Vec<Step>) -> (Vec<Step>, Vec<u64>) {
    let (planes, space, size) = (&recall.planes, recall.planes.space, recall.planes.size());
    let mut own = vec![0u64; steps.len()];
    own[0] = 1 << recall.start_memory;
    let mut away = own.clone();
    for cell in (0..space.stages()).flat_map(|stage| space.stage(stage)) {
        let origin = planes.origin(cell);
        steps[cell].keep(own[cell]);
        for block in steps[cell].outcomes(recall) {
            let plane = &planes.planes[block.place / size];
            let leads_to = &planes.maps[plane.map].leads_to[origin + block.place % size..];
            let reached = block.weights.iter().zip(leads_to).filter(|(weight, _)| **weight > 0.0);
            for (_, next) in reached.filter(|(_, next)| **next < FIRST_END) {
                away[*next as usize] |= 1 << plane.memory;
            }
        }
        let memories = away[cell];
        for map in planes.maps.iter().filter(|_| memories != 0) {
            for points in &planes.points {
                // Places of ends are past all cells.
                if let Some(own) = own.get_mut(map.leads_to[origin + points] as usize) {
                    *own |= memories;
                }
            }
        }
    }
    (steps, away)
}

/// The distribution of most memories, that of the others, and who those are; `None` if there are more than two.
fn split(of_mine: &[u32]) -> Option<(u32, u32, u64)> {
    let first = of_mine[0];
    let other = of_mine.iter().copied().find(|distribution| *distribution != first).unwrap_or(first);
    if of_mine.iter().any(|distribution| *distribution != first && *distribution != other) {
        return None;
    }
    let firsts = of_mine.iter().filter(|distribution| **distribution == first).count();
    let (most, other) = if firsts * 2 >= of_mine.len() { (first, other) } else { (other, first) };
    let exceptions = of_mine.iter().enumerate().filter(|(_, distribution)| **distribution != most);
    Some((most, other, exceptions.fold(0, |mask, (mine, _)| mask | 1 << mine)))
}
