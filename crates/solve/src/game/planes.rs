//! All totals in flat arrays, for algorithms that work cell by cell: evaluation of pairs of
//! policies with memories, and search under partial information.
//!
//! A turn of p points from a cell leads to the totals (opponent's score, own score + p). All totals
//! that the outcomes of one class can reach form a *plane*; a class whose successors depend on the
//! points has one plane for each number of points. An action's outcomes are then a few *blocks* of
//! neighbouring places. The blocks are the same for every cell, relative to the cell's origin. Each
//! place leads to one cell or one end of the game, with the rules on totals already applied.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::limits;

use super::{ClassSuccessors, End, Game, Order, Plan, Space, Successor};

/// The number of neighbouring places in a block.
pub const BLOCK: usize = 8;

/// The planes of a game without shared memories, extra turns or cycles that starts at 0-0.
#[derive(Debug)]
pub struct Planes {
    pub space: Space,
    /// The number of totals in a column: a place is `column * width + total`.
    width: usize,
    pub planes: Vec<Plane>,
    /// The points that outcomes have, ascending.
    pub points: Vec<usize>,
    /// The maps of the planes, without duplicates.
    pub maps: Vec<PlaneMap>,
    /// Indexed like [`Game::distributions`].
    pub distributions: Vec<BlockDistribution>,
    pub blocks: Vec<Block>,
}

/// The totals that the outcomes of a class reach.
#[derive(Debug)]
pub struct Plane {
    /// The index of its map in [`Planes::maps`].
    pub map: usize,
    /// The mover's memory class after the turn.
    pub memory: usize,
}

/// Where the places of a plane lead.
#[derive(Debug)]
pub struct PlaneMap {
    /// By place: the next cell.
    pub leads_to: Vec<Successor<u32>>,
    /// `starts[cell]..starts[cell + 1]` is the range of `places` that leads to a cell.
    starts: Vec<u32>,
    places: Vec<u32>,
}

/// A distribution as a range of [`Planes::blocks`].
#[derive(Debug)]
pub struct BlockDistribution {
    pub blocks: Range<usize>,
    /// The reciprocal of the sum of the weights.
    pub scale: f64,
}

/// Outcomes that reach neighbouring places.
#[derive(Debug)]
pub struct Block {
    /// The first place, counted through all planes, for the origin 0.
    pub place: usize,
    /// The same, counted through all maps.
    pub of_map: usize,
    pub weights: [f64; BLOCK],
}

/// Why a game cannot be laid out in planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The game has shared memories, extra turns or cycles, or starts with points.
    Rules,
    /// There would be too many places.
    Size,
}

impl Planes {
    /// Lays out the planes of a game.
    pub fn new(game: &Game) -> Result<Self, Misfit> {
        let space = game.space();
        let is_even = game.rules().start == [0, 0];
        if space.shared > 1 || game.order() != Order::Acyclic || !is_even {
            return Err(Misfit::Rules);
        }
        let width = space.goal + game.facts().most_points;
        let points: BTreeSet<usize> = game
            .classes()
            .iter()
            .flat_map(|class| class.successors.points.iter().copied())
            .collect();
        let mut found = Self {
            space,
            width,
            planes: Vec::new(),
            points: points.into_iter().collect(),
            maps: Vec::new(),
            distributions: Vec::new(),
            blocks: Vec::new(),
        };
        let mut first_planes = Vec::with_capacity(game.classes().len());
        for class in game.classes() {
            first_planes.push(found.planes.len());
            for place in 0..if class.successors.points_dependent() {
                class.successors.points.len()
            } else {
                1
            } {
                if (found.planes.len() + 1) * found.size() > limits::PLACES {
                    return Err(Misfit::Size);
                }
                let leads_to = found.leads_to(&class.successors, place).ok_or(Misfit::Rules)?;
                let map =
                    found.maps.iter().position(|map| map.leads_to == leads_to).unwrap_or_else(
                        || {
                            found.maps.push(PlaneMap::new(leads_to, space.goal * space.goal));
                            found.maps.len() - 1
                        },
                    );
                found.planes.push(Plane { map, memory: usize::from(class.mine[0]) });
            }
        }
        found.list_blocks(game, &first_planes);
        Ok(found)
    }

    /// The number of places in one plane.
    pub fn size(&self) -> usize {
        self.space.goal * self.width
    }

    /// The number of places in all planes, plus room for a block that begins at the last one.
    pub fn places(&self) -> usize {
        self.planes.len() * self.size() + BLOCK
    }

    /// The origin of a cell: the place in each plane that a turn of 0 points reaches.
    #[inline(always)]
    pub fn origin(&self, cell: usize) -> usize {
        cell % self.space.goal * self.width + cell / self.space.goal
    }

    /// Where each place leads after a turn of `successors.points[points]` points; `None` if the
    /// same player may move again.
    fn leads_to(&self, successors: &ClassSuccessors, points: usize) -> Option<Vec<Successor<u32>>> {
        let goal = self.space.goal;
        let width = self.width;
        let mut leads_to: Vec<Successor<u32>> = vec![Successor::End(End::Won); self.size()];
        for (column, row) in leads_to.chunks_exact_mut(width).enumerate() {
            for (total, to) in row.iter_mut().take(goal).enumerate() {
                let cell = column * goal + total;
                *to = Successor::Next { to: cell as u32, again: false };
            }
        }
        for stage in 0..goal + width - 1 {
            for segment in successors.known(stage).iter().chain(successors.deferred(stage, points))
            {
                if matches!(segment.target, Successor::Next { again: true, .. }) {
                    return None;
                }
                for column in segment.columns() {
                    leads_to[column * width + stage - column] = segment
                        .target_of(column)
                        .map(|to, _| (to.stage - to.column) * goal as u32 + to.column);
                }
            }
        }
        Some(leads_to)
    }

    fn list_blocks(&mut self, game: &Game, first_planes: &[usize]) {
        let size = self.size();
        for distribution in game.distributions() {
            let first = self.blocks.len();
            for outcome in &distribution.outcomes {
                let successors = &game.classes()[outcome.class].successors;
                let of_points = successors
                    .points
                    .binary_search(&outcome.points)
                    .expect("the class has an outcome of these points");
                let plane = first_planes[outcome.class]
                    + if successors.points_dependent() { of_points } else { 0 };
                let place = plane * size + outcome.points;
                match self.blocks[first..].last_mut() {
                    Some(block) if (block.place..block.place + BLOCK).contains(&place) => {
                        block.weights[place - block.place] += outcome.weight as f64;
                    }
                    _ => {
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
    fn new(leads_to: Vec<Successor<u32>>, cells: usize) -> Self {
        let mut starts = vec![0; cells + 1];
        for cell in leads_to.iter().filter_map(|to| to.state()) {
            starts[cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut of_cells = vec![0; starts[cells] as usize];
        for (place, to) in (0..).zip(&leads_to) {
            if let Some(cell) = to.state() {
                of_cells[next[cell as usize] as usize] = place;
                next[cell as usize] += 1;
            }
        }
        Self { leads_to, starts, places: of_cells }
    }

    /// The places that lead to a cell.
    #[inline(always)]
    pub fn places(&self, cell: usize) -> &[u32] {
        &self.places[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// The memory classes of a player who follows these plans, ascending: that of the start, and all
/// that a turn leaves in any state, reachable or not.
pub fn memories_after<'p>(game: &Game, plans: impl Iterator<Item = &'p Plan>) -> Vec<usize> {
    let mine = game.space().mine;
    let mut found = vec![false; mine];
    found[game.start() % mine] = true;
    for plan in plans {
        let distributions = game.distributions().iter().zip(game.played(plan));
        for (distribution, _) in distributions.filter(|(_, played)| *played) {
            for outcome in &distribution.outcomes {
                found[usize::from(game.classes()[outcome.class].mine[0])] = true;
            }
        }
    }
    (0..found.len()).filter(|memory| found[*memory]).collect()
}
