//! The best of a cell's draws in each of its states.

use crate::game::DiceSet;

use super::cell::{Board, Cell, Found, SharedDraw};
use super::numbers::Numbers;

/// Finds the best of a cell's draws, counting each one once for all states that share it.
pub(super) struct Chooser<'b, 'a, A: Numbers> {
    board: &'b Board<'a, A>,
    cell: &'b Cell<'a>,
    side: usize,
    near: Vec<Option<f64>>,
    exact: Vec<Option<A::Number>>,
}

impl<'b, 'a, A: Numbers> Chooser<'b, 'a, A> {
    pub fn new(board: &'b Board<'a, A>, cell: &'b Cell<'a>, side: usize) -> Self {
        let draws = cell.views.len() * board.reading.space.mine;
        Self { board, cell, side, near: vec![None; draws], exact: vec![None; draws] }
    }

    /// The answer in a state whose successors are all solved; `claimed` are the actions that the claim lists.
    pub fn find(&mut self, draws: &[SharedDraw], place: usize, claimed: DiceSet) -> Option<Found<A::Number>> {
        let theirs = self.board.theirs(place);
        let near: Vec<f64> = draws.iter().map(|(_, draw)| self.near(*draw, theirs)).collect();
        let most = near.iter().copied().fold(0.0, f64::max) - self.board.tolerance;
        let mut best: Option<(A::Number, DiceSet)> = None;
        for ((set, draw), _) in draws.iter().zip(&near).filter(|(_, near)| **near >= most) {
            let value = self.exact(*draw, theirs);
            best = match best {
                Some((most, sets)) if most == value => Some((most, sets | set)),
                Some((most, sets)) if most > value => Some((most, sets)),
                _ => Some((value, *set)),
            };
        }
        let (value, best) = best?;
        let near = self.board.numbers.nearest(self.board.height(self.cell.sum), &value);
        let mut shortfall: f64 = 0.0;
        for (_, draw) in draws.iter().filter(|(set, _)| set & claimed & !best != 0) {
            let listed = self.exact(*draw, theirs);
            shortfall = shortfall.max(self.board.numbers.short_of(self.board.height(self.cell.sum), &value, &listed));
        }
        Some(Found { value, near, best, shortfall })
    }

    fn near(&mut self, draw: usize, theirs: usize) -> f64 {
        let (board, view, side) = (self.board, &self.cell.views[draw], self.side);
        let place = draw * board.reading.space.mine + theirs;
        *self.near[place].get_or_insert_with(|| board.near(side, view, theirs))
    }

    fn exact(&mut self, draw: usize, theirs: usize) -> A::Number {
        let (board, cell, side) = (self.board, self.cell, self.side);
        let place = draw * board.reading.space.mine + theirs;
        let value = || board.exact(side, cell.sum, &cell.views[draw], theirs);
        self.exact[place].get_or_insert_with(value).clone()
    }
}
