//! The whole board: blocks of cells, pairs of them in an order in which all that they read is solved before.

use rayon::prelude::*;

use crate::game::{ScoreSuccessor, Space};

use super::LANES;
use super::diagonals::Diagonals;
use super::pair::{Crew, Pair};
use super::question::{Question, end};
use super::setting::{LARGE, Setting};
use super::stock::{Desk, Stock};
use crate::solve::{SolveError, Values, Watch};

/// A square of cells, solved or on its way.
#[derive(Debug)]
pub(super) struct Block {
    /// Its place: rows of blocks by the mover's score, columns by the opponent's.
    pub at: (usize, usize),
    /// The movers' scores: the first, and the end.
    pub rows: (usize, usize),
    /// The opponents' scores, likewise.
    pub columns: (usize, usize),
    /// By side: the values and best actions of its states, in the order of a board of just these cells.
    pub sides: Vec<Values>,
}

impl Block {
    /// The block at a place, in the memory of one that nothing reads any more, if there is one.
    fn new((row, column): (usize, usize), setting: &Setting, sides: usize, spare: Option<Self>) -> Self {
        let (goal, edge) = (setting.space.goal, setting.edge);
        let range = |number: usize| (number * edge, (number * edge + edge).min(goal));
        let (rows, columns) = (range(row), range(column));
        let states = (rows.1 - rows.0) * (columns.1 - columns.0) * setting.space.per_cell();
        let empty = || Values { win_rates: zeros(states), best: zeros(states) };
        let mut values = spare.map_or_else(|| (0..sides).map(|_| empty()).collect(), |spare| spare.sides);
        for values in &mut values {
            values.win_rates.resize(states, 0.0);
            values.best.resize(states, 0);
        }
        Self { at: (row, column), rows, columns, sides: values }
    }

    /// The place of the first state of a cell.
    #[inline(always)]
    pub fn place(&self, space: &Space, score: usize, opponent: usize) -> usize {
        let width = self.columns.1 - self.columns.0;
        ((score - self.rows.0) * width + opponent - self.columns.0) * space.per_cell()
    }
}

/// All that is solved, as a pair of blocks sees it: its own cells, and those before.
pub(super) struct Known<'k> {
    pub space: Space,
    pub edge: usize,
    pub own: &'k [Block],
    /// By side: the whole board, zeros where nothing is solved yet.
    pub others: &'k [Values],
    pub diagonals: &'k Diagonals,
}

impl Known<'_> {
    /// All numbers of one side, of a board that is one block.
    #[inline(always)]
    pub fn whole(&self, side: usize) -> &[f64] {
        debug_assert!(self.edge >= self.space.goal, "the board is cut into blocks");
        &self.own[0].sides[side].win_rates
    }

    /// The number of a state of a cell on one side.
    #[inline(always)]
    pub fn number(&self, side: usize, cell: usize, place: usize) -> f64 {
        let state = cell * self.space.per_cell() + place;
        if self.edge >= self.space.goal {
            return self.whole(side)[state];
        }
        let (score, opponent) = (cell / self.space.goal, cell % self.space.goal);
        let at = (score / self.edge, opponent / self.edge);
        match self.own.iter().find(|block| block.at == at) {
            Some(own) => own.sides[side].win_rates[own.place(&self.space, score, opponent) + place],
            None => self.others[side].win_rates[state],
        }
    }
}

/// The whole board on its way.
pub(super) struct Board<'a> {
    question: &'a Question<'a>,
    stock: &'a Stock,
    /// Blocks in a row.
    count: usize,
    /// The strips of each column of blocks; empty while a pair has them.
    crews: Vec<Crew>,
    /// Those of a desk, until a pair has them.
    diagonals: Option<Diagonals>,
    /// Blocks whose results are on the board: their memory serves again.
    spare: Vec<Block>,
}

impl<'a> Board<'a> {
    /// A board with nothing solved.
    pub fn new(question: &'a Question, stock: &'a Stock) -> Self {
        let (setting, sides) = (question.setting, question.sides.len());
        let (goal, edge) = (setting.space.goal, setting.edge);
        let count = goal.div_ceil(edge);
        let numbers = |column: usize| column * edge / LANES..(column * edge + edge).min(goal).div_ceil(LANES);
        let desk = if count == 1 { stock.take(sides) } else { None };
        let (mut crews, diagonals): (Vec<Crew>, _) = match desk {
            Some(desk) => (vec![desk.crew], Some(desk.diagonals)),
            None => ((0..count).map(|column| Crew::new(setting, sides, numbers(column))).collect(), None),
        };
        crews.iter_mut().for_each(|crew| crew.begin(question, stock));
        Self { question, stock, count, crews, diagonals, spare: Vec::new() }
    }

    /// Solves all of it.
    pub fn solve(mut self, watch: &Watch) -> Result<(Vec<Values>, usize), SolveError> {
        if self.count == 1 {
            let mut pair = self.pair(0, 0);
            pair.solve(&[], watch)?;
            let Pair { mut blocks, mut crews, diagonals, loops, .. } = pair;
            let (block, crew) = (blocks.pop().expect("its only block"), crews.pop().expect("its strips"));
            self.stock.give(Desk { crew, diagonals });
            return Ok((block.sides, loops));
        }
        let states = self.question.setting.space.states();
        let empty = || Values { win_rates: vec![0.0; states], best: vec![0; states] };
        let mut values: Vec<Values> = self.question.sides.iter().map(|_| empty()).collect();
        let (bands, mut loops) = (2 * self.count - 1, 0);
        for band in (0..bands).rev() {
            watch.report(bands - 1 - band, bands)?;
            let columns = band.saturating_sub(self.count - 1)..=band / 2;
            let mut pairs: Vec<Pair> = columns.map(|low| self.pair(band - low, low)).collect();
            let known = &values;
            // Nobody watches what threads do between bands.
            pairs.par_iter_mut().try_for_each(|pair| pair.solve(known, &Watch::silent()))?;
            self.copy_band(&pairs, &mut values);
            for pair in pairs {
                loops += pair.loops;
                for (block, crew) in pair.blocks.into_iter().zip(pair.crews) {
                    self.crews[block.at.1] = crew;
                    self.spare.push(block);
                }
            }
        }
        watch.report(bands, bands)?;
        Ok((values, loops))
    }

    /// The pair of the block with a place and its mirror image, ready to be solved.
    fn pair(&mut self, high: usize, low: usize) -> Pair<'a> {
        let places = if high == low { vec![(low, low)] } else { vec![(high, low), (low, high)] };
        let Question { setting, sides, .. } = self.question;
        let blocks = places.iter().map(|at| Block::new(*at, setting, sides.len(), self.spare.pop())).collect();
        let crews = places.iter().map(|(_, column)| std::mem::take(&mut self.crews[*column])).collect();
        let mut diagonals = self.diagonals.take().unwrap_or_else(|| Diagonals::new(setting, sides.len()));
        diagonals.restart(end(self.question.payoff, ScoreSuccessor::Lost));
        Pair { question: self.question, blocks, crews, diagonals, loops: 0 }
    }

    /// Copies the blocks of a band to where their states belong.
    fn copy_band(&self, pairs: &[Pair], values: &mut [Values]) {
        let (goal, per_cell) = (self.question.setting.space.goal, self.question.setting.space.per_cell());
        let stride = goal * per_cell;
        // A band has at most one block with a given row.
        let mut of_row: Vec<Option<&Block>> = vec![None; self.count];
        pairs.iter().flat_map(|pair| &pair.blocks).for_each(|block| of_row[block.at.0] = Some(block));
        for (side, values) in values.iter_mut().enumerate() {
            let rows = self.question.setting.edge * stride;
            let parts = values.win_rates.par_chunks_mut(rows).zip(values.best.par_chunks_mut(rows)).zip(&of_row);
            parts.for_each(|((win_rates, best), block)| {
                let Some(block) = block else { return };
                let columns = block.columns.0 * per_cell..block.columns.1 * per_cell;
                copy_rows(&block.sides[side].win_rates, (win_rates, stride), columns.clone());
                copy_rows(&block.sides[side].best, (best, stride), columns);
            });
        }
    }
}

/// So many zeros; many are asked for on several threads.
fn zeros<T: Copy + Default + Send + Sync>(count: usize) -> Vec<T> {
    if count * size_of::<T>() <= LARGE {
        return vec![T::default(); count];
    }
    let mut zeros = Vec::with_capacity(count);
    zeros.par_extend(rayon::iter::repeat_n(T::default(), count));
    zeros
}

/// Copies rows that lie side by side to some columns of a wider board.
fn copy_rows<T: Copy>(from: &[T], (to, stride): (&mut [T], usize), columns: std::ops::Range<usize>) {
    for (to, from) in to.chunks_mut(stride).zip(from.chunks_exact(columns.len())) {
        to[columns.clone()].copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Plan};
    use crate::rules::{Overrides, load};
    use crate::solve::arithmetic::Payoff;
    use crate::solve::bellman::{Chooser, Side};
    use crate::solve::float::Float;
    use crate::solve::strips::setting::Ascent;

    fn game(id: &str, goal: u32) -> Game {
        let overrides = Overrides { goal: Some(goal), max_dice: None };
        Game::new(load(id, overrides).expect("built in")).expect("sound")
    }

    /// The best response to rolling some dice always, and that, after a change to what the engine knows of the game.
    fn solved(game: &Game, change: impl Fn(&mut Setting)) -> Vec<Values> {
        let four = Plan::of_scores(game, vec![4; game.space().goal * game.space().goal]);
        let sides = [
            Side { chooser: Chooser::Best, own: 0, other: 1 },
            Side { chooser: Chooser::Fixed(&four), own: 1, other: 0 },
        ];
        let slack = Float::new(game, Payoff::WinRate).slacks();
        let mut setting = Setting::new(game).expect("it fits");
        change(&mut setting);
        let question = Question::new(&setting, &sides, (Payoff::WinRate, &slack)).expect("nothing loops");
        Board::new(&question, &Stock::default()).solve(&Watch::silent()).expect("nobody stops it").0
    }

    #[test]
    fn boards_cut_into_blocks_have_the_same_bits() {
        for (id, goal, edges) in [("fa21", 100, &[16, 32, 64][..]), ("fa19", 45, &[16, 32]), ("su15", 70, &[32])] {
            let game = game(id, goal);
            let whole = solved(&game, |_| ());
            for edge in edges {
                let in_blocks = solved(&game, |setting| {
                    assert!(setting.mirrors(), "its arrivals stay above the totals reached");
                    setting.cut(*edge);
                });
                assert!(in_blocks == whole, "{id} in blocks of {edge}");
            }
        }
    }

    #[test]
    fn chains_climbed_layer_by_layer_bring_the_same() {
        for (id, goal) in [("fa21", 100), ("nju21", 60), ("su15", 50), ("sp15", 60), ("fa19", 30)] {
            let game = game(id, goal);
            let ahead = solved(&game, |setting| assert_eq!(setting.ascent, Ascent::Ahead));
            let single = solved(&game, |setting| {
                setting.ascend(Ascent::Single);
                setting.menus = None;
            });
            // Rows that several layers have in common are added in another order.
            for (ahead, single) in ahead.iter().zip(&single) {
                let pairs = ahead.win_rates.iter().zip(&single.win_rates);
                let farthest = pairs.map(|(ahead, single)| (ahead - single).abs()).fold(0.0, f64::max);
                assert!(farthest < 1e-14, "{id}: {farthest}");
                assert!(ahead.best == single.best, "{id}");
            }
        }
    }

    #[test]
    fn what_is_known_of_a_game_beforehand_changes_no_bits() {
        for (id, goal) in [("sp15", 100), ("nju21", 60)] {
            let game = game(id, goal);
            let forgetful = solved(&game, |setting| (setting.menus, setting.detours) = (None, None));
            assert!(forgetful == solved(&game, |_| ()), "{id}");
        }
    }
}
