//! Rates a tile: up to [`SIDE`] plans against up to as many others, in games without memories.
//!
//! In a cell, a plan rolls the same number of dice against all opponents, so the weights of a turn
//! are the same and only the values differ. The values of the opponents are therefore neighbours in
//! memory (*lanes*), and a turn is a sum of short rows times weights. They are stored by the totals
//! that a turn reaches, with the rules on totals already applied, so consecutive points read
//! consecutive places. Each result is written, with rows and lanes exchanged, to all places that
//! lead to its cell.
//!
//! Stages are evaluated from the highest sum of scores down, each for all plans together. Each lane
//! is a fixed sequence of operations, so a rate depends neither on the tile nor on other plans.

use std::sync::Arc;

use crate::game::{ClassSuccessors, Distribution, Game, Order, Plan, StateMemories, Successor};
use crate::limits;
use crate::solve::bounds;
use crate::solve::{SolveError, Watch};

/// The most plans on each side of a tile: with more, the values that turns read do not fit a cache.
pub(super) const SIDE: usize = 8;

/// Weights of 0 that a segment may have between others: to begin another takes longer.
const MOST_GAP: usize = 3;

/// The values against each opponent.
type OpponentValues = [f64; SIDE];

/// The values of a place or a cell, by plan.
type PlanValues = [OpponentValues; SIDE];

/// A game prepared for rating tiles. The totals that the outcomes of a class reach form a *plane*,
/// or those of each number of points, if the rules on totals read the points.
#[derive(Debug)]
pub(super) struct Tiles {
    goal: usize,
    /// The number of totals in a column: a *place* is `(plane * goal + column) * width + total`.
    width: usize,
    /// By plane, then by column: the end of the totals with values other than 0.
    ends: Vec<usize>,
    /// The places where the game ends, with the value to the opponent if it is not 0.
    ended: Vec<(usize, f64)>,
    /// By cell: the places that lead to it, and those after which the same player moves again.
    places: Vec<[Vec<u32>; 2]>,
    /// By distribution.
    sums: Vec<WeightedSum>,
    pub error_bound: f64,
}

/// A distribution as a weighted sum over places.
#[derive(Debug)]
struct WeightedSum {
    segments: Vec<PointWeights>,
    /// Whether there is one outcome.
    certain: bool,
    /// The reciprocal of the sum of the weights.
    scale: f64,
}

impl WeightedSum {
    /// `first_planes` has the first plane of each class of outcomes.
    fn new(game: &Game, distribution: &Distribution, first_planes: &[usize]) -> Self {
        let mut weights = Vec::with_capacity(distribution.outcomes.len());
        for outcome in &distribution.outcomes {
            let successors = &game.classes()[outcome.class].successors;
            let of_points = successors.points.binary_search(&outcome.points).unwrap_or(0);
            let of_points = if successors.points_dependent() { of_points } else { 0 };
            let plane = first_planes[outcome.class] + of_points;
            weights.push((plane, outcome.points, outcome.weight as f64));
        }
        weights.sort_unstable_by_key(|(plane, points, _)| (*plane, *points));
        let scale = 1.0 / distribution.total as f64;
        Self { segments: segments(&weights), certain: weights.len() == 1, scale }
    }
}

/// The weights of consecutive points in a plane.
#[derive(Debug)]
struct PointWeights {
    plane: usize,
    points: usize,
    weights: Vec<f64>,
}

/// The workspace for a tile.
#[derive(Debug)]
pub(super) struct TileRoom {
    /// By side: the values that its turns read, by place and by its plan.
    values: [Vec<PlanValues>; 2],
    /// By side: its values in the current stage, by column and by its plan.
    stage: [Vec<PlanValues>; 2],
}

/// The plans of a tile.
struct Tile<'t> {
    tiles: &'t Tiles,
    game: &'t Game,
    /// The number of plans of each side.
    counts: [usize; 2],
    /// By cell: the distribution of each side's plans.
    played: Vec<[[u32; SIDE]; 2]>,
}

impl Tiles {
    /// Prepares a game; `None` if it has memories, would need too much memory, or has turns that
    /// lower the sum of the scores or leave it unchanged by chance.
    pub fn new(game: &Game) -> Option<Self> {
        let space = game.space();
        let order = game.order();
        if game.start() != 0
            || space.per_cell() > 1
            || !matches!(order, Order::Acyclic | Order::Cyclic { random: false })
        {
            return None;
        }
        let goal = space.goal;
        let width = space.goal + game.facts().most_points;
        let mut tiles = Self {
            goal,
            width,
            ends: Vec::new(),
            ended: Vec::new(),
            places: vec![Default::default(); goal * goal],
            sums: Vec::with_capacity(game.distributions().len()),
            error_bound: bounds::by_stage(game, bounds::roundings_of_products)[0],
        };
        let mut first_planes = Vec::with_capacity(game.classes().len());
        for (number, class) in game.classes().iter().enumerate() {
            let successors = &class.successors;
            let mut before = game.classes()[..number].iter();
            let known = before.position(|other| Arc::ptr_eq(&other.successors, successors));
            first_planes.push(known.map_or(tiles.ends.len() / goal, |known| first_planes[known]));
            if known.is_some() {
                continue;
            }
            let all = &successors.points;
            let planes = if successors.points_dependent() {
                all.chunks(1)
            } else {
                all.chunks(all.len().max(1))
            };
            for points in planes {
                let bytes = (tiles.ends.len() + goal) * width * 2 * size_of::<PlanValues>();
                if bytes > limits::TILE_BYTES {
                    return None;
                }
                tiles.add_plane(successors, points);
            }
        }
        for distribution in game.distributions() {
            tiles.sums.push(WeightedSum::new(game, distribution, &first_planes));
        }
        Some(tiles)
    }

    /// Adds the plane of turns of some points.
    fn add_plane(&mut self, successors: &ClassSuccessors, points: &[usize]) {
        for column in 0..self.goal {
            let first = self.ends.len() * self.width;
            let mut end = 0;
            for total in 0..self.width {
                // All turns that reach a total lead to the same place.
                let mut before = points.iter().filter_map(|points| {
                    let score = total.checked_sub(*points).filter(|score| *score < self.goal)?;
                    Some((score, *points))
                });
                let Some((score, points)) = before.next_back() else { continue };
                match successors.after(score + column, column, points) {
                    Successor::End(ended) if ended.halves_to_opponent() == 0 => continue,
                    Successor::End(ended) => {
                        self.ended.push((first + total, ended.value_to_opponent()));
                    }
                    Successor::Next { to, again } => {
                        let cell = (to.stage - to.column) as usize * self.goal + to.column as usize;
                        self.places[cell][usize::from(again)].push((first + total) as u32);
                    }
                }
                end = total + 1;
            }
            self.ends.push(end);
        }
    }

    pub fn room(&self) -> TileRoom {
        let mut values = zeros(self.ends.len() * self.width);
        for (place, value) in &self.ended {
            values.iter_mut().for_each(|values| values[*place] = [[*value; SIDE]; SIDE]);
        }
        TileRoom { values, stage: zeros(self.goal) }
    }

    /// Returns the win rates of each of the first plans against each of the second, row by row: of
    /// the first plan and of the second, each when it moves first.
    pub fn rate(
        &self,
        game: &Game,
        plans: [&[&Plan]; 2],
        room: &mut TileRoom,
        watch: &Watch,
    ) -> Result<Vec<[f64; 2]>, SolveError> {
        let mut played = vec![[[0; SIDE]; 2]; self.goal * self.goal];
        for (cell, played) in played.iter_mut().enumerate() {
            let set = game.action_set_number_at(cell / self.goal, cell % self.goal);
            let distributions = game.action_sets()[set].of(&game.space(), StateMemories::default());
            for (played, plans) in played.iter_mut().zip(plans) {
                for (played, plan) in played.iter_mut().zip(plans) {
                    *played = distributions[plan.action(cell)];
                }
            }
        }
        let tile = Tile { tiles: self, game, counts: plans.map(<[_]>::len), played };
        let stages = 2 * self.goal - 1;
        for stage in (0..stages).rev() {
            watch.report(stages - 1 - stage, stages)?;
            evaluate(&tile, stage, room);
            if game.order() != Order::Acyclic {
                tile.pass(stage, room);
            }
            tile.store(stage, room);
        }
        // The last stage is the start.
        let [first, second] = [0, 1].map(|side| room.stage[side][0]);
        let pairs = (0..plans[0].len())
            .flat_map(|row| (0..plans[1].len()).map(move |column| (row, column)));
        Ok(pairs.map(|(row, column)| [first[row][column], second[column][row]]).collect())
    }
}

/// Room for the values of both sides. Not cloned, because the system has zeros for pages that are
/// never written.
fn zeros(count: usize) -> [Vec<PlanValues>; 2] {
    [(); 2].map(|()| vec![[[0.0; SIDE]; SIDE]; count])
}

/// Splits planes, points and weights, ascending, into segments.
fn segments(weights: &[(usize, usize, f64)]) -> Vec<PointWeights> {
    let mut segments: Vec<PointWeights> = Vec::new();
    for (plane, points, weight) in weights {
        match segments.last_mut() {
            Some(last)
                if last.plane == *plane
                    && *points <= last.points + last.weights.len() + MOST_GAP =>
            {
                last.weights.resize(last.weights.len().max(points - last.points + 1), 0.0);
                last.weights[points - last.points] += weight;
            }
            _ => segments.push(PointWeights {
                plane: *plane,
                points: *points,
                weights: vec![*weight],
            }),
        }
    }
    segments
}

/// Computes the values of both sides in all cells of a stage.
#[cfg_attr(
    not(feature = "portable"),
    multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))
)]
fn evaluate(tile: &Tile, stage: usize, room: &mut TileRoom) {
    for column in tile.game.space().scores_in(stage) {
        for side in [0, 1] {
            let numbers = &tile.played[tile.cell(stage, column)][side][..tile.counts[side]];
            let found = &mut room.stage[side][column];
            for (row, number) in numbers.iter().enumerate() {
                let played = &tile.tiles.sums[*number as usize];
                let score = stage - column;
                found[row] = sum(tile.tiles, score, column, played, &room.values[side], row);
                for value in &mut found[row] {
                    let mean = *value * played.scale;
                    // Rounding may make a mean too large.
                    *value = if mean < 1.0 { 1.0 - mean } else { 0.0 };
                }
            }
        }
    }
}

/// Sums `weight * value` of a turn, for all opponents of a plan.
#[inline(always)]
fn sum(
    tiles: &Tiles,
    score: usize,
    column: usize,
    sum: &WeightedSum,
    values: &[PlanValues],
    row: usize,
) -> OpponentValues {
    // Two sums, because each addition waits for the one before.
    let mut even = [0.0; SIDE];
    let mut odd = [0.0; SIDE];
    for segment in &sum.segments {
        let of_column = segment.plane * tiles.goal + column;
        let first = score + segment.points;
        let count = tiles.ends[of_column].saturating_sub(first).min(segment.weights.len());
        let (weights, last_weight) = segment.weights[..count].as_chunks();
        let (values, last) = values[of_column * tiles.width + first..][..count].as_chunks();
        for ([weight, other], [value, next]) in weights.iter().zip(values) {
            add(&mut even, *weight, &value[row]);
            add(&mut odd, *other, &next[row]);
        }
        if let ([weight], [value]) = (last_weight, last) {
            add(&mut even, *weight, &value[row]);
        }
    }
    add(&mut even, 1.0, &odd);
    even
}

#[inline(always)]
fn add(sums: &mut OpponentValues, weight: f64, values: &OpponentValues) {
    for lane in 0..SIDE {
        sums[lane] += weight * values[lane];
    }
}

impl Tile<'_> {
    fn cell(&self, stage: usize, column: usize) -> usize {
        (stage - column) * self.tiles.goal + column
    }

    /// Writes the values of a stage where turns read them.
    fn store(&self, stage: usize, room: &mut TileRoom) {
        for column in self.game.space().scores_in(stage) {
            let [next, again] = &self.tiles.places[self.cell(stage, column)];
            for side in [0, 1] {
                let found = &room.stage[side][column];
                if !next.is_empty() {
                    let mut exchanged = [[0.0; SIDE]; SIDE];
                    for (row, found) in found.iter().enumerate() {
                        for (lane, value) in found.iter().enumerate() {
                            exchanged[lane][row] = *value;
                        }
                    }
                    next.iter().for_each(|at| room.values[1 - side][*at as usize] = exchanged);
                }
                if !again.is_empty() {
                    let to_opponent = found.map(|values| values.map(|value| 1.0 - value));
                    again.iter().for_each(|at| room.values[side][*at as usize] = to_opponent);
                }
            }
        }
    }

    /// Computes the values of states in which a plan passes: a turn with one outcome leaves the sum
    /// of the scores unchanged.
    fn pass(&self, stage: usize, room: &mut TileRoom) {
        for column in self.game.space().scores_in(stage) {
            for side in [0, 1] {
                for row in 0..self.counts[side] {
                    let Some(after) = self.passed(stage, column, side, row) else { continue };
                    for lane in 0..self.counts[1 - side] {
                        let value = self.value_after(stage, after, side, [row, lane], room);
                        room.stage[side][column][row][lane] = value;
                    }
                }
            }
        }
    }

    /// The column after a pass, and whether the same player moves again; `None` if the plan does
    /// not pass.
    fn passed(
        &self,
        stage: usize,
        column: usize,
        side: usize,
        row: usize,
    ) -> Option<(usize, bool)> {
        let number = self.played[self.cell(stage, column)][side][row] as usize;
        if !self.tiles.sums[number].certain {
            return None;
        }
        let outcome = &self.game.distributions()[number].outcomes[0];
        match self.game.next(stage - column, column, 0, outcome) {
            Successor::Next { to, again } if to.score + to.opponent == stage => {
                Some((to.opponent, again))
            }
            _ => None,
        }
    }

    /// The value of a pass to its player, given where it leads: that of the first state in which a
    /// player does not pass.
    fn value_after(
        &self,
        stage: usize,
        after: (usize, bool),
        side: usize,
        [row, lane]: [usize; 2],
        room: &TileRoom,
    ) -> f64 {
        let (mut column, mut moves) = after;
        // A stage has at most this many states.
        for _ in 0..2 * self.tiles.goal {
            let (mover, own, other) = if moves { (side, row, lane) } else { (1 - side, lane, row) };
            match self.passed(stage, column, mover, own) {
                Some((next, again)) => {
                    column = next;
                    moves ^= !again;
                }
                None => {
                    let value = room.stage[mover][column][own][other];
                    return if moves { value } else { 1.0 - value };
                }
            }
        }
        // The game never ends.
        0.5
    }
}
