//! A plan that sees only scores as what it plays with which memories, and which memories can come up.

use crate::game::{Game, Plan};

use super::tables::{BlockDistribution, ENDS, Tables};

/// What a plan plays, whatever it remembers.
#[derive(Debug)]
pub(in super::super) struct ScorePlan {
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
    pub(super) fn new(tables: &Tables, game: &Game, plan: &Plan) -> Option<Self> {
        let space = tables.space;
        let steps = (0..space.goal * space.goal).map(|cell| Step::new(tables, game, plan, cell));
        let (steps, away) = explore(tables, steps.collect::<Option<Vec<Step>>>()?);
        let cells = (0..space.stages()).rev().flat_map(|sum| space.stage(sum));
        let excepts = steps.iter().any(|step| step.mask != 0);
        Some(Self { steps: cells.map(|cell| steps[cell]).collect(), away, excepts })
    }
}

impl Step {
    fn new(tables: &Tables, game: &Game, plan: &Plan, cell: usize) -> Option<Self> {
        let (space, per_cell) = (tables.space, tables.space.per_cell());
        let action = plan.action(cell * per_cell);
        if (1..per_cell).any(|place| plan.action(cell * per_cell + place) != action) {
            return None;
        }
        let actions = game.action_set(cell);
        let distribution = |mine: usize, theirs: usize| actions.distributions(&space, (0, mine, theirs))[action];
        let of_mine: Vec<u16> = (0..space.mine).map(|mine| distribution(mine, 0)).collect();
        let depends = |mine: usize| (1..space.mine).any(|theirs| distribution(mine, theirs) != of_mine[mine]);
        if actions.theirs_matter() && (0..space.mine).any(depends) {
            return None;
        }
        let (most, other, mask) = split(&of_mine)?;
        let first = tables.first_lottery[game.action_set_number(cell)];
        let distributions = [most, other].map(|index| (first + usize::from(index)) as u32);
        Some(Self { distributions, mask, met: true })
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

    /// The distributions that it may play.
    fn played<'t>(&self, tables: &'t Tables) -> impl Iterator<Item = &'t BlockDistribution> {
        let count = match (self.met, self.mask) {
            (false, _) => 0,
            (true, 0) => 1,
            _ => 2,
        };
        self.distributions.into_iter().take(count).map(|distribution| &tables.distributions[distribution as usize])
    }
}

/// Finds the memories that can come up, whatever the other player does: keeps what the steps, by cell, play with them, and
/// tells, by cell of the other player, which the plan's player may then have.
fn explore(tables: &Tables, mut steps: Vec<Step>) -> (Vec<Step>, Vec<u64>) {
    let space = tables.space;
    let mut own = vec![0u64; steps.len()];
    own[0] = 1 << tables.start_memory;
    let mut away = own.clone();
    for cell in (0..space.stages()).flat_map(|sum| space.stage(sum)) {
        let origin = tables.origin(cell);
        steps[cell].keep(own[cell]);
        for block in steps[cell].played(tables).flat_map(|distribution| &tables.blocks[distribution.blocks.clone()]) {
            let kind = &tables.kinds[block.place / tables.plane()];
            let leads_to = &tables.groups[kind.group].leads_to[origin + block.place % tables.plane()..];
            let reached = block.weights.iter().zip(leads_to).filter(|(weight, _)| **weight > 0.0);
            for (_, next) in reached.filter(|(_, next)| **next < ENDS[0]) {
                away[*next as usize] |= 1 << kind.memory;
            }
        }
        let memories = away[cell];
        for group in tables.groups.iter().filter(|_| memories != 0) {
            for points in &tables.points {
                // Places of ends are past all cells.
                if let Some(own) = own.get_mut(group.leads_to[origin + points] as usize) {
                    *own |= memories;
                }
            }
        }
    }
    (steps, away)
}

/// The distribution of most memories, that of the others, and who those are; `None` if there are more than two.
fn split(of_mine: &[u16]) -> Option<(u16, u16, u64)> {
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
