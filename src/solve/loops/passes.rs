//! Loops of turns without chance, read from the best ways to leave them.

use dashu::rational::RBig;

use crate::game::{DiceSet, Successor};

use super::super::arithmetic::{Arithmetic, Payoff};
use super::super::bellman::{Board, Chooser, Side};
use super::{Choice, LayerLoops, Node, Settled};

impl<'a, A: Arithmetic> LayerLoops<'a, A> {
    /// The same where only turns without chance stay in the layer, and the best of all others is known already:
    /// `leaving` holds the numbers and sets of each side's states of the layer, the number below 0 where there is none.
    pub fn solve_passes(
        board: Board<'a, A>,
        payoff: Payoff,
        sides: &[Side],
        cells: &[usize],
        leaving: &[(&[A::Word], &[DiceSet])],
    ) -> (Vec<Settled<A::Word>>, usize) {
        let mut loops = Self::new(board, payoff, cells);
        for side in sides {
            loops.read_passes(side, sides.len(), cells, leaving);
        }
        loops.finish(cells)
    }

    /// Reads, of all states of the cells on one side, the best way to leave and all ways to pass within the layer.
    fn read_passes(&mut self, side: &Side, sides: usize, cells: &[usize], leaving: &[(&[A::Word], &[DiceSet])]) {
        let (board, space) = (self.board, self.board.layout.space);
        let words = board.layout.words(self.layer);
        let (numbers, sets) = leaving[side.own];
        let zero = board.arithmetic.nearest(&RBig::ZERO, self.layer);
        for cell in cells {
            let (first_word, first_state) =
                (board.layout.first_word_of(*cell), board.layout.place(*cell) * space.per_cell());
            for place in 0..space.per_cell() {
                let word = first_word + place * words;
                let leave = &numbers[word..word + words];
                let mut choices = Vec::new();
                if board.arithmetic.compare(leave, &zero).is_ge() {
                    let actions = sets[first_state + place];
                    choices.push(Choice { actions, base: leave.to_vec(), stays: Vec::new(), total: 1 });
                }
                self.list_passes(side, (sides, cells), (*cell, place), leaving, &mut choices);
                let fixed = matches!(side.chooser, Chooser::Fixed(_));
                self.nodes.push(Node { side: side.own, word, choices, fixed });
            }
        }
    }

    fn list_passes(
        &self,
        side: &Side,
        (sides, cells): (usize, &[usize]),
        (cell, place): (usize, usize),
        leaving: &[(&[A::Word], &[DiceSet])],
        choices: &mut Vec<Choice<A::Word>>,
    ) {
        let (board, space, words) = (self.board, self.board.layout.space, self.board.layout.words(self.layer));
        let (_, (shared, mine, theirs)) = space.parts(place);
        let (panel, fixed) = (
            board.game.panel(cell),
            match side.chooser {
                Chooser::Best => None,
                Chooser::Fixed(plan) => Some(plan.action(cell * space.per_cell() + place)),
            },
        );
        let lotteries = panel.lotteries(&space, (shared, mine, theirs));
        for (action, lottery) in
            lotteries.iter().enumerate().filter(|(action, _)| fixed.is_none_or(|only| only == *action))
        {
            let offer = &panel.offers[shared];
            let [(landing, total)] = offer.lotteries[usize::from(*lottery)].outcomes[..] else { continue };
            let next = board.game.successor(cell, &offer.landings[usize::from(landing)]);
            let (to_side, to_cell, to_place, again) = match next {
                Successor::Passed { cell, shared, theirs: mine } => {
                    (side.other, cell, space.state(0, shared, mine, theirs), false)
                }
                Successor::Again { cell, shared, mine } => (side.own, cell, space.state(0, shared, theirs, mine), true),
                Successor::End(_) => continue,
            };
            if space.sum(to_cell) != space.sum(cell) {
                continue;
            }
            let actions = 1 << action;
            choices.push(match cells.iter().position(|known| *known == to_cell) {
                Some(at) => {
                    let node = ((to_side % sides) * cells.len() + at) * space.per_cell() + to_place;
                    let base = board.arithmetic.nearest(&RBig::ONE, self.layer);
                    Choice { actions, base, stays: vec![(node, again, total)], total }
                }
                // All turns from there leave the layer, so its number is known.
                None => {
                    let word = board.layout.first_word_of(to_cell) + to_place * words;
                    let number = &leaving[to_side].0[word..word + words];
                    let base = if again { number.to_vec() } else { board.arithmetic.turned(number, self.layer) };
                    Choice { actions, base, stays: Vec::new(), total: 1 }
                }
            });
        }
    }
}
