//! What all pairs of a game without memory share: its distributions as sums over rows, and where arrivals are not plain.

use std::ops::Range;

use crate::game::{Game, Order, ScoreSuccessor, Space};
use crate::solve::program::{self, Program};

use super::excess::Excesses;
use super::row::{LANES, Row, ZERO, add};

/// A game in columns.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) space: Space,
    pub(super) program: Program,
    /// Scores lie by class, which are two where what is on offer alternates from score to score: then the columns of a tile
    /// are alike. Else all scores are of one, and the logarithm of their number is 0.
    pub(super) classes: usize,
    pub(super) class_bits: u32,
    /// Tiles of a class, and of a row.
    pub(super) class_tiles: usize,
    pub(super) tiles: usize,
    /// Sums of scores, those that totals past the goal reach among them.
    pub(super) sums: usize,
    /// The most points of a die, or on top of a climb; at least 1.
    pub(super) reach: usize,
    pub(super) chains: Vec<Chain>,
    /// Rows of all chains.
    pub(super) chain_rows: usize,
    /// Whether chains are climbed two sums at a time.
    pub(super) climbs_two: bool,
    /// In the order of the program's sums.
    pub(super) distributions: Vec<OutcomeDistribution>,
    pub(super) terms: Vec<Term>,
    /// Arrivals as far as they are known before anything is solved.
    pub(super) blank: Vec<Row>,
    /// By sum: tiles that chains are read in and that are not solved, for totals are past the goal.
    pub(super) edge_tiles: Vec<Vec<u32>>,
    /// By sum, row and such a tile: the chains there; empty where they hold nothing.
    pub(super) edges: Vec<Vec<Row>>,
    /// By sum: arrivals that are not plain, whatever the points.
    pub(super) patches: Vec<Vec<Patch>>,
    pub(super) excesses: Excesses,
    /// Whether a turn of chance may bring no points.
    pub(super) reads_own_sum: bool,
}

/// A chain of the program with its rows: one for each die.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) kind: usize,
    /// What one die brings.
    pub(super) points: Vec<usize>,
    /// The weight of each.
    pub(super) weights: Vec<f64>,
    /// Whether all weights are 1.
    pub(super) is_fair: bool,
    pub(super) first_row: usize,
    pub(super) most_dice: usize,
}

/// A lottery as the rows that it is summed from.
#[derive(Debug)]
pub(super) struct OutcomeDistribution {
    pub(super) convolution: Option<RollConvolution>,
    pub(super) rest: Range<usize>,
    /// One over the sum of the weights.
    pub(super) scale: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RollConvolution {
    /// That of all its dice.
    pub(super) row: usize,
    /// Points on top.
    pub(super) shift: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// The tile of its arrivals, from the first of the row of the mover's sum.
    pub(super) at: usize,
    pub(super) weight: f64,
}

/// An arrival that is another cell's worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) at: u32,
    pub(super) to: u32,
}

/// The most points of a die, so that few rows of a chain are kept.
const MOST_REACH: usize = 31;
/// The most different numbers of points that one die brings.
const MOST_STEPS: usize = 16;
/// The most kinds of outcomes, each of which has arrivals of its own.
const MOST_KINDS: usize = 4;
/// The most rows of arrivals.
const MOST_ROWS: usize = 1 << 20;

impl Tables {
    /// The tables of a game; `None` if it does not fit: extra turns, memories, loops of chance, totals that are lowered, dice
    /// of very many points or of none.
    pub(super) fn new(game: &Game) -> Option<Self> {
        let space = game.space();
        let climbs = |step: &Vec<(u32, u64)>| step.len() <= MOST_STEPS && step.iter().all(|(points, _)| *points > 0);
        let random = game.order() == (Order::Cyclic { random: true });
        if space.per_cell() > 1 || random || game.rules_lower_totals() || !game.die_sums().iter().all(climbs) {
            return None;
        }
        let program = Program::new(game);
        let by_points = program.kinds.iter().any(|kind| game.exceptional(kind).is_none());
        let classes = if game.action_sets_repeat_after() == 2 && !by_points { 2 } else { 1 };
        let class_tiles = space.goal.div_ceil(classes * LANES);
        let (tiles, sums) = (classes * class_tiles, space.stages() + program.farthest + 1);
        let rows = program.kinds.len() * sums * tiles;
        if program.chains_reach > MOST_REACH || program.kinds.len() > MOST_KINDS || rows > MOST_ROWS {
            return None;
        }
        let level = |sum: &program::Sum| sum.all.len() > 1 && sum.all.iter().any(|term| term.points == 0);
        let mut tables = Self {
            space,
            classes,
            class_bits: classes.ilog2(),
            class_tiles,
            tiles,
            sums,
            reach: program.chains_reach.max(1),
            chains: Vec::new(),
            chain_rows: 0,
            climbs_two: false,
            distributions: Vec::new(),
            terms: Vec::new(),
            blank: vec![ZERO; rows],
            edge_tiles: Vec::new(),
            edges: Vec::new(),
            patches: vec![Vec::new(); space.stages()],
            excesses: Excesses::default(),
            reads_own_sum: program.sums.iter().any(level),
            program,
        };
        tables.number_rows();
        tables.list_arrivals(game)?;
        tables.edge_tiles = (0..space.stages() + tables.reach).map(|sum| tables.edge_tiles(sum)).collect();
        tables.edges = tables.edges();
        Some(tables)
    }

    /// Numbers of a row.
    pub(super) fn width(&self) -> usize {
        self.tiles * LANES
    }

    /// The place of a cell's worth.
    pub(super) fn place(&self, cell: usize) -> usize {
        self.space.sum(cell) * self.width() + self.position(cell / self.space.goal)
    }

    /// The place of a score in a row.
    pub(super) fn position(&self, score: usize) -> usize {
        (score & (self.classes - 1)) * self.class_tiles * LANES + (score >> self.class_bits)
    }

    /// The place in its class of the first score of a class that is no lower than another.
    #[inline(always)]
    fn first_of_class(&self, class: usize, score: usize) -> usize {
        (score + self.classes - 1).saturating_sub(class) >> self.class_bits
    }

    /// The places of the ends: won, lost, tied for who has just moved.
    pub(super) fn ends(&self) -> usize {
        self.space.stages() * self.width()
    }

    /// Where a landing leads: the place of a worth; `None` if to another turn.
    pub(super) fn score_successor(&self, destination: ScoreSuccessor) -> Option<usize> {
        match destination {
            ScoreSuccessor::Won => Some(self.ends()),
            ScoreSuccessor::Lost => Some(self.ends() + 1),
            ScoreSuccessor::Tied => Some(self.ends() + 2),
            ScoreSuccessor::Passed { cell } => Some(self.place(cell)),
            ScoreSuccessor::Again { .. } => None,
        }
    }

    /// The tile of arrivals of a kind at the first column of a sum.
    #[inline(always)]
    pub(super) fn arrivals(&self, kind: usize, sum: usize) -> usize {
        (kind * self.sums + sum) * self.tiles
    }

    /// Whether a tile has columns that are no lower than those of a sum's cells.
    pub(super) fn is_live(&self, sum: usize, tile: usize) -> bool {
        let (class, tile) = (tile / self.class_tiles, tile % self.class_tiles);
        sum < self.space.stages() && tile >= self.first_of_class(class, self.scores(sum).0) / LANES
    }

    /// The tiles below the live ones of a sum in which chains are read.
    fn edge_tiles(&self, sum: usize) -> Vec<u32> {
        let read = |tile: &usize| {
            let (class, tile) = (tile / self.class_tiles, tile % self.class_tiles);
            tile >= self.first_of_class(class, self.scores(sum).0.saturating_sub(self.reach)) / LANES
        };
        let tiles = (0..self.tiles).filter(|tile| read(tile) && !self.is_live(sum, *tile));
        tiles.map(|tile| tile as u32).collect()
    }

    /// The scores, of either player, in the cells of a sum.
    #[inline(always)]
    pub(super) fn scores(&self, sum: usize) -> (usize, usize) {
        ((sum + 1).saturating_sub(self.space.goal), sum.min(self.space.goal - 1))
    }

    /// The tiles of a class with cells of a sum.
    #[inline(always)]
    pub(super) fn live_tiles(&self, class: usize, sum: usize) -> Range<usize> {
        let (least, most) = self.scores(sum);
        let (first, end) = (self.first_of_class(class, least), self.first_of_class(class, most + 1));
        class * self.class_tiles + first / LANES..class * self.class_tiles + end.div_ceil(LANES)
    }

    /// Whether a lottery surely brings no points.
    pub(super) fn stays(&self, lottery: usize) -> bool {
        matches!(self.program.sums[lottery].all[..], [program::Term { points: 0, .. }])
    }

    /// The sums whose chains are climbed when the turn is at one: that one, or it and the one below, or none, if they have been
    /// with the one above.
    #[inline(always)]
    pub(super) fn climbed_at(&self, sum: usize) -> Range<usize> {
        if !self.climbs_two || sum >= self.space.stages() {
            return sum..sum + 1;
        }
        let is_upper = (self.space.stages() - 1 - sum).is_multiple_of(2);
        if is_upper { sum.saturating_sub(1)..sum + 1 } else { sum..sum }
    }

    fn number_rows(&mut self) {
        for chain in &self.program.chains {
            let (points, weights): (_, Vec<f64>) = chain.step.iter().copied().unzip();
            let (kind, most_dice, first_row) = (chain.kind, chain.most_dice, self.chain_rows);
            let is_fair = weights.iter().all(|weight| *weight == 1.0);
            self.chains.push(Chain { kind, points, weights, is_fair, first_row, most_dice });
            self.chain_rows += most_dice;
        }
        let fair =
            |chain: &program::Chain| chain.least() > 1 && chain.is_fair_die() && [3, 5].contains(&chain.step.len());
        self.climbs_two = self.program.chains.iter().all(fair);
        for sum in &self.program.sums {
            let convolution = sum
                .convolution
                .map(|(chain, dice, shift)| RollConvolution { row: self.chains[chain].first_row + dice - 1, shift });
            let first = self.terms.len();
            let term = |term: &program::Term| Term { at: self.arrivals(term.kind, term.points), weight: term.weight };
            let terms: Vec<Term> = sum.rest.iter().map(term).collect();
            self.terms.extend(terms);
            self.distributions.push(OutcomeDistribution {
                convolution,
                rest: first..self.terms.len(),
                scale: sum.scale,
            });
        }
    }

    /// Lists the arrivals that are not plain; `None` if one of them does not fit.
    fn list_arrivals(&mut self, game: &Game) -> Option<()> {
        let goal = self.space.goal;
        let mut by_points = Vec::new();
        for kind in 0..self.program.kinds.len() {
            let Some(surprises) = game.exceptional(&self.program.kinds[kind]) else {
                by_points.push(kind);
                continue;
            };
            for (column, total, destination) in surprises {
                let (sum, to) = (column + total, self.score_successor(destination)?);
                let at = self.arrivals(kind, sum) * LANES + self.position(column);
                match (total < goal, to >= self.ends()) {
                    (true, _) if to >= sum * self.width() => {
                        self.patches[sum].push(Patch { at: at as u32, to: to as u32 });
                    }
                    (false, true) => self.land_past_the_goal(sum, at, to),
                    _ => return None,
                }
            }
        }
        if !by_points.is_empty() {
            if self.reads_own_sum {
                return None;
            }
            self.excesses = Excesses::new(self, game, &by_points)?;
        }
        Some(())
    }

    /// Notes what arriving past the goal is worth: once for all, but where solving its tile writes over it.
    fn land_past_the_goal(&mut self, sum: usize, at: usize, to: usize) {
        self.blank[at / LANES][at % LANES] = [0.0, 1.0, 0.5][to - self.ends()];
        if self.is_live(sum, at / LANES % self.tiles) {
            self.patches[sum].push(Patch { at: at as u32, to: to as u32 });
        }
    }

    /// What chains hold where totals are past the goal.
    fn edges(&self) -> Vec<Vec<Row>> {
        let sums = self.space.stages() + self.reach;
        if self.blank.iter().all(|row| *row == ZERO) {
            return vec![Vec::new(); sums];
        }
        let mut edges: Vec<Vec<Row>> =
            self.edge_tiles.iter().map(|tiles| vec![ZERO; tiles.len() * self.chain_rows]).collect();
        for chain in &self.chains {
            let farthest = chain.points.iter().max().unwrap_or(&0);
            let first = self.arrivals(chain.kind, 0);
            let mut rows = self.blank[first..first + self.sums * self.tiles].to_vec();
            for row in chain.first_row..chain.first_row + chain.most_dice {
                let mut next = vec![ZERO; rows.len()];
                // Below the goal there are no totals past it; beyond the last row there are no outcomes.
                for place in self.space.goal * self.tiles..(self.sums - farthest) * self.tiles {
                    for (points, weight) in chain.points.iter().zip(&chain.weights) {
                        add(&mut next[place], *weight, &rows[place + points * self.tiles]);
                    }
                }
                rows = next;
                for (sum, (edges, tiles)) in edges.iter_mut().zip(&self.edge_tiles).enumerate() {
                    for (edge, tile) in edges[row * tiles.len()..].iter_mut().zip(tiles) {
                        *edge = rows[sum * self.tiles + *tile as usize];
                    }
                }
            }
        }
        for edges in edges.iter_mut().filter(|edges| edges.iter().all(|row| *row == ZERO)) {
            edges.clear();
        }
        edges
    }
}
