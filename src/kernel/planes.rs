//! Totals laid out whole, for what works cell by cell: pairs of policies with memories, and partial information.
//!
//! A turn of p points from a cell reaches the totals (opponent's score, own score + p). All such totals of an outcome class
//! are a *plane*; a class whose successors depend on the points has one for each number of points. An action's outcomes are
//! then a few *blocks* of neighbouring places, the same from every cell but for its origin, and each place leads to a cell or
//! an end, whatever the rules on totals do there.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::game::{End, Game, Order, Plan, Space};

use super::{ClassSuccessors, Kernel, Target};

/// Neighbouring weights that are worked on together.
pub const BLOCK: usize = 8;

/// The most places, in numbers of eight bytes.
const MOST_PLACES: usize = 1 << 26;

/// A game without shared memories, extra turns or cycles, in places.
#[derive(Debug)]
pub struct Planes {
    pub space: Space,
    /// Totals in a column.
    width: usize,
    pub planes: Vec<Plane>,
    /// The points that turns bring, ascending.
    pub points: Vec<usize>,
    /// Where planes lead, each way once.
    pub maps: Vec<PlaneMap>,
    /// As in [`Kernel::distributions`].
    pub distributions: Vec<BlockDistribution>,
    pub blocks: Vec<Block>,
}

/// The totals that outcomes of a class reach.
#[derive(Debug)]
pub struct Plane {
    /// Where its places lead.
    pub map: usize,
    /// The mover's memory afterwards.
    pub memory: usize,
}

/// Where the places of a plane lead.
#[derive(Debug)]
pub struct PlaneMap {
    /// The cell as the opponent sees it; from [`FIRST_END`] on an end.
    pub leads_to: Vec<u32>,
    /// By cell: where the places that lead to it begin.
    starts: Vec<u32>,
    places: Vec<u32>,
}

/// A distribution as blocks.
#[derive(Debug)]
pub struct BlockDistribution {
    pub blocks: Range<usize>,
    /// One over the sum of the weights.
    pub scale: f64,
}

/// Neighbouring outcomes.
#[derive(Debug)]
pub struct Block {
    /// The place of the first among those of all planes, from a cell's origin.
    pub place: usize,
    /// The same among the places of all maps.
    pub of_map: usize,
    pub weights: [f64; BLOCK],
}

/// Why a game has no places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It has shared memories, extra turns or cycles.
    Rules,
    /// They would be too many.
    Size,
}

/// Three places that lead to no cell: won, lost, tied for who has just moved.
pub const FIRST_END: u32 = u32::MAX - 2;

/// How the game ends at such a place.
pub fn end_of(leads_to: u32) -> Option<End> {
    let end = leads_to.checked_sub(FIRST_END)?;
    [End::Won, End::Lost, End::Tied].into_iter().find(|known| *known as u32 == end)
}

impl Planes {
    /// The places of a game.
    pub fn new(kernel: &Kernel) -> Result<Self, Misfit> {
        let space = kernel.space;
        if space.shared > 1 || kernel.order != Order::Acyclic {
            return Err(Misfit::Rules);
        }
        let width = space.goal + kernel.farthest;
        let points: BTreeSet<usize> =
            kernel.classes.iter().flat_map(|class| class.successors.points.iter().copied()).collect();
        let mut found = Self {
            space,
            width,
            planes: Vec::new(),
            points: points.into_iter().collect(),
            maps: Vec::new(),
            distributions: Vec::new(),
            blocks: Vec::new(),
        };
        let mut first_planes = Vec::with_capacity(kernel.classes.len());
        for class in &kernel.classes {
            first_planes.push(found.planes.len());
            for place in 0..if class.successors.by_points() { class.successors.points.len() } else { 1 } {
                if (found.planes.len() + 1) * found.size() > MOST_PLACES {
                    return Err(Misfit::Size);
                }
                let leads_to = found.leads_to(&class.successors, place).ok_or(Misfit::Rules)?;
                let map = found.maps.iter().position(|map| map.leads_to == leads_to).unwrap_or_else(|| {
                    found.maps.push(PlaneMap::new(leads_to, space.goal * space.goal));
                    found.maps.len() - 1
                });
                found.planes.push(Plane { map, memory: usize::from(class.outcome.mine[0]) });
            }
        }
        found.list_blocks(kernel, &first_planes);
        Ok(found)
    }

    /// Places of one plane.
    pub fn size(&self) -> usize {
        self.space.goal * self.width
    }

    /// Places of all planes, and room for a block that begins at the last.
    pub fn places(&self) -> usize {
        self.planes.len() * self.size() + BLOCK
    }

    /// The place of no points from a cell, in each plane.
    #[inline(always)]
    pub fn origin(&self, cell: usize) -> usize {
        cell % self.space.goal * self.width + cell / self.space.goal
    }

    /// Where each place leads for a turn of points told by their place among those of the class; `None` if the same player may
    /// move again.
    fn leads_to(&self, successors: &ClassSuccessors, points: usize) -> Option<Vec<u32>> {
        let (goal, width) = (self.space.goal, self.width);
        let cell = |stage: usize, column: usize| ((stage - column) * goal + column) as u32;
        let regular = |place: usize| match (place / width, place % width) {
            (column, total) if total < goal => cell(column + total, total),
            _ => FIRST_END,
        };
        let mut leads_to: Vec<u32> = (0..self.size()).map(regular).collect();
        for stage in 0..goal + width - 1 {
            for segment in successors.known(stage).iter().chain(successors.deferred(stage, points)) {
                for column in segment.columns() {
                    leads_to[column * width + stage - column] = match segment.target_of(column) {
                        Target::End(end) => FIRST_END + end as u32,
                        Target::Cell { again: false, stage, column } => cell(stage as usize, column as usize),
                        Target::Cell { again: true, .. } => return None,
                    };
                }
            }
        }
        Some(leads_to)
    }

    fn list_blocks(&mut self, kernel: &Kernel, first_planes: &[usize]) {
        let size = self.size();
        for distribution in &kernel.distributions {
            let first = self.blocks.len();
            for outcome in &distribution.outcomes {
                let successors = &kernel.classes[outcome.class].successors;
                let of_points = successors.points.binary_search(&outcome.points).expect("it comes with these points");
                let plane = first_planes[outcome.class] + if successors.by_points() { of_points } else { 0 };
                let place = plane * size + outcome.points;
                let fits = |block: &&mut Block| (block.place..block.place + BLOCK).contains(&place);
                match self.blocks[first..].last_mut().filter(fits) {
                    Some(block) => block.weights[place - block.place] += outcome.weight as f64,
                    None => {
                        let mut weights = [0.0; BLOCK];
                        weights[0] = outcome.weight as f64;
                        let of_map = self.planes[plane].map * size + outcome.points;
                        self.blocks.push(Block { place, of_map, weights });
                    }
                }
            }
            let scale = 1.0 / distribution.total as f64;
            self.distributions.push(BlockDistribution { blocks: first..self.blocks.len(), scale });
        }
    }
}

impl PlaneMap {
    fn new(leads_to: Vec<u32>, cells: usize) -> Self {
        let mut starts = vec![0; cells + 1];
        for cell in leads_to.iter().filter(|cell| **cell < FIRST_END) {
            starts[*cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        let (mut next, mut places) = (starts.clone(), vec![0; starts[cells] as usize]);
        for (place, cell) in leads_to.iter().enumerate().filter(|(_, cell)| **cell < FIRST_END) {
            places[next[*cell as usize] as usize] = place as u32;
            next[*cell as usize] += 1;
        }
        Self { leads_to, starts, places }
    }

    /// The places that lead to a cell.
    #[inline(always)]
    pub fn places(&self, cell: usize) -> &[u32] {
        &self.places[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// The memories of a player who takes these plans, ascending: the start's, and those that a turn leaves in any state, reached or
/// not.
pub fn memories_after<'p>(game: &Game, kernel: &Kernel, plans: impl Iterator<Item = &'p Plan>) -> Vec<usize> {
    let mut found = vec![false; kernel.space.mine];
    found[game.start() % kernel.space.mine] = true;
    for plan in plans {
        let played = kernel.played(game, plan);
        for distribution in kernel.distributions.iter().zip(played).filter_map(|(of, played)| played.then_some(of)) {
            for outcome in &distribution.outcomes {
                found[usize::from(kernel.classes[outcome.class].outcome.mine[0])] = true;
            }
        }
    }
    (0..found.len()).filter(|memory| found[*memory]).collect()
}
