//! The backward pass: layers from the end of the game to its start, the cells of a layer on all cores.

use rayon::prelude::*;

use crate::game::{DiceSet, Order};

use super::arithmetic::{Arithmetic, Payoff, Solved};
use super::bellman::{Board, Room, Side};
use super::layout::LayerIndex;
use super::loops::{LayerLoops, Settled, may_stay, may_stay_among};
use super::{SolveError, Values, Watch};

/// A layer is shared between threads if its words, times actions, are at least this many: below it, waking a
/// thread costs more than the work.
const WORTH_SHARING: usize = 20_000;

/// So many layers are copied to the results together: in each row of a result they are neighbours.
const BAND: usize = 8;

/// What a backward pass found.
pub(super) struct Swept<W> {
    /// Of each side, in state order.
    pub sides: Vec<Values>,
    /// The numbers of each side in the states that were asked for.
    pub asked: Vec<Vec<Vec<W>>>,
    /// How many loops were solved.
    pub loops: usize,
}

/// The numbers and best actions of one side, by layer; empty before they are solved and after the last look at them.
struct Shelf<W> {
    numbers: Vec<Vec<W>>,
    /// What is kept of clean rolls.
    rolls: Vec<Vec<W>>,
    sets: Vec<Vec<DiceSet>>,
}

/// Solves all layers; `asked` are the states whose numbers are wanted as they are.
pub(super) fn sweep<A: Arithmetic>(
    board: Board<A>,
    payoff: Payoff,
    (sides, asked): (&[Side], &[usize]),
    watch: &Watch,
) -> Result<Swept<A::Word>, SolveError> {
    let (layout, layers) = (board.layout, board.layout.stages());
    let states = layout.space.states();
    let mut pass = Pass {
        board,
        payoff,
        sides,
        shelves: sides
            .iter()
            .map(|_| Shelf {
                numbers: vec![Vec::new(); layers],
                rolls: vec![Vec::new(); layers],
                sets: vec![Vec::new(); layers],
            })
            .collect(),
        room: Room::default(),
    };
    let empty = || Values { win_rates: vec![0.0; states], best: vec![0; states] };
    let mut swept = Swept {
        sides: sides.iter().map(|_| empty()).collect(),
        asked: sides.iter().map(|_| vec![Vec::new(); asked.len()]).collect(),
        loops: 0,
    };
    let mut flushed = 0;
    for layer in 0..layers {
        watch.report(layer, layers)?;
        swept.loops += pass.solve(layer);
        for (numbers, shelf) in swept.asked.iter_mut().zip(&pass.shelves) {
            keep_asked(&board, (asked, layer), shelf, numbers);
        }
        if layer + 1 == flushed + BAND || layer + 1 == layers {
            for (values, shelf) in swept.sides.iter_mut().zip(&mut pass.shelves) {
                flush(&board, flushed..layer + 1, shelf, values);
            }
            flushed = layer + 1;
        }
        pass.retire(layer, flushed);
    }
    watch.report(layers, layers)?;
    Ok(swept)
}

/// Copies the numbers of those states asked for that are of the layer.
fn keep_asked<A: Arithmetic>(
    board: &Board<A>,
    (asked, layer): (&[usize], LayerIndex),
    shelf: &Shelf<A::Word>,
    kept: &mut [Vec<A::Word>],
) {
    let (layout, per_cell) = (board.layout, board.layout.space.per_cell());
    for (state, number) in asked.iter().zip(kept) {
        let cell = state / per_cell;
        if layout.layer_of(cell) == layer {
            let first = layout.first_word_of(cell) + state % per_cell * layout.words(layer);
            *number = shelf.numbers[layer][first..first + layout.words(layer)].to_vec();
        }
    }
}

/// Copies layers to where their states belong.
fn flush<A: Arithmetic>(
    board: &Board<A>,
    band: std::ops::Range<LayerIndex>,
    shelf: &mut Shelf<A::Word>,
    values: &mut Values,
) {
    let (layout, read) = (board.layout, &*shelf);
    let row = layout.space.goal * layout.space.per_cell();
    let copy = |(score, rows): (usize, (&mut [f64], &mut [DiceSet]))| copy_row(board, read, (&band, score), rows);
    let words: usize = band.clone().map(|layer| read.numbers[layer].len()).sum();
    if words >= WORTH_SHARING {
        let rows = values.win_rates.par_chunks_mut(row).zip(values.best.par_chunks_mut(row)).enumerate();
        rows.for_each(copy);
    } else {
        values.win_rates.chunks_mut(row).zip(values.best.chunks_mut(row)).enumerate().for_each(copy);
    }
    band.for_each(|layer| shelf.sets[layer] = Vec::new());
}

/// Copies the cells with that score of the mover, one of each layer of a band, to the row of all cells with that score.
fn copy_row<A: Arithmetic>(
    board: &Board<A>,
    shelf: &Shelf<A::Word>,
    (band, score): (&std::ops::Range<LayerIndex>, usize),
    (win_rates, best): (&mut [f64], &mut [DiceSet]),
) {
    let (layout, numbers, per_cell) = (board.layout, board.arithmetic, board.layout.space.per_cell());
    // The layers with such a cell: sums from the score to the score plus the highest other score.
    let first = band.start.max(layout.stages().saturating_sub(score + layout.space.goal));
    let end = band.end.min(layout.stages() - score);
    for layer in first..end {
        let (sum, words) = (layout.sum(layer), layout.words(layer));
        let (from, to) = ((score - layout.least_score(sum)) * per_cell, (sum - score) * per_cell);
        let (read, sets) = (&shelf.numbers[layer], &shelf.sets[layer][from..from + per_cell]);
        let cell = win_rates[to..to + per_cell].iter_mut().zip(&mut best[to..to + per_cell]).zip(sets);
        for (state, ((win_rate, best), set)) in (from..).zip(cell) {
            *win_rate = numbers.to_f64(&read[state * words..(state + 1) * words], layer);
            *best = *set;
        }
    }
}

/// A backward pass on its way.
struct Pass<'a, A: Arithmetic> {
    board: Board<'a, A>,
    payoff: Payoff,
    sides: &'a [Side<'a>],
    shelves: Vec<Shelf<A::Word>>,
    room: Room<A>,
}

impl<A: Arithmetic> Pass<'_, A> {
    /// Solves a layer; the number of loops in it.
    fn solve(&mut self, layer: LayerIndex) -> usize {
        let staying = match self.board.game.order() {
            Order::Acyclic => Vec::new(),
            Order::Cyclic { .. } => {
                self.board.layout.cells(layer).filter(|cell| may_stay(&self.board, *cell)).collect::<Vec<_>>()
            }
        };
        for index in 0..self.sides.len() {
            if self.board.keeps_rolls(&self.sides[index]) {
                self.shelves[index].rolls[layer] = self.roll(index, layer);
            }
            let (numbers, sets) = self.regular(index, layer, &staying);
            self.shelves[index].numbers[layer] = numbers;
            self.shelves[index].sets[layer] = sets;
        }
        if staying.is_empty() {
            return 0;
        }
        let (looping, others): (Vec<usize>, Vec<usize>) =
            staying.iter().partition(|cell| may_stay_among(&self.board, **cell, &staying));
        others.into_iter().for_each(|cell| self.after_regular(cell));
        if looping.is_empty() { 0 } else { self.level(layer, &looping) }
    }

    /// The clean rolls from all cells of a layer, on one side, in the memory of those that nothing reads any more.
    fn roll(&mut self, side: usize, layer: LayerIndex) -> Vec<A::Word> {
        let (board, layout) = (self.board, self.board.layout);
        let out_of_reach = layer.checked_sub(board.arithmetic.rolls_reach() + 1);
        let mut rolls = out_of_reach.map_or_else(Vec::new, |old| std::mem::take(&mut self.shelves[side].rolls[old]));
        let words = board.arithmetic.roll_words(layer);
        rolls.resize(layout.cells(layer).len() * words, A::Word::default());
        let (side, solved) = (&self.sides[side], solved(&self.shelves));
        if rolls.len() >= WORTH_SHARING && rayon::current_num_threads() > 1 {
            let cells: Vec<usize> = layout.cells(layer).collect();
            let cells = cells.par_iter().zip(rolls.par_chunks_mut(words));
            cells.for_each_init(Room::<A>::default, |room, (cell, rolls)| {
                board.roll(side, *cell, &solved, (room, rolls))
            });
        } else {
            let cells = layout.cells(layer).zip(rolls.chunks_mut(words));
            cells.for_each(|(cell, rolls)| board.roll(side, cell, &solved, (&mut self.room, rolls)));
        }
        rolls
    }

    /// The cells of a layer all of whose turns leave it, on one side; the others are solved later.
    fn regular(&mut self, side: usize, layer: LayerIndex, staying: &[usize]) -> (Vec<A::Word>, Vec<DiceSet>) {
        let (layout, per_cell) = (self.board.layout, self.board.layout.space.per_cell());
        let mut numbers = vec![A::Word::default(); layout.states_of(layer) * layout.words(layer)];
        let mut sets = vec![0; layout.states_of(layer)];
        let (board, side, solved) = (self.board, &self.sides[side], solved(&self.shelves));
        let step = |room: &mut Room<A>, cell: usize, numbers: &mut [A::Word], sets: &mut [DiceSet]| {
            if !staying.contains(&cell) {
                board.step(side, cell, &solved, room, (numbers, sets));
            }
        };
        let cell_words = per_cell * layout.words(layer);
        if numbers.len() * layout.space.actions >= WORTH_SHARING && rayon::current_num_threads() > 1 {
            let cells: Vec<usize> = layout.cells(layer).collect();
            let cells = cells.par_iter().zip(numbers.par_chunks_mut(cell_words)).zip(sets.par_chunks_mut(per_cell));
            cells.for_each_init(Room::<A>::default, |room, ((cell, numbers), sets)| step(room, *cell, numbers, sets));
        } else {
            let cells = layout.cells(layer).zip(numbers.chunks_mut(cell_words)).zip(sets.chunks_mut(per_cell));
            cells.for_each(|((cell, numbers), sets)| step(&mut self.room, cell, numbers, sets));
        }
        (numbers, sets)
    }

    /// Solves a cell some of whose turns lead to regular cells of its own layer, which are solved already.
    fn after_regular(&mut self, cell: usize) {
        let (layout, per_cell) = (self.board.layout, self.board.layout.space.per_cell());
        let layer = layout.layer_of(cell);
        let words = layout.words(layer) * per_cell;
        for (index, side) in self.sides.iter().enumerate() {
            let (mut numbers, mut sets) = (vec![A::Word::default(); words], vec![0; per_cell]);
            self.board.step(side, cell, &solved(&self.shelves), &mut self.room, (&mut numbers, &mut sets));
            let (word, place) = (layout.first_word_of(cell), layout.place(cell));
            self.shelves[index].numbers[layer][word..word + words].clone_from_slice(&numbers);
            self.shelves[index].sets[layer][place * per_cell..(place + 1) * per_cell].copy_from_slice(&sets);
        }
    }

    /// Solves the cells of a layer some of whose turns stay in it; the number of loops.
    fn level(&mut self, layer: LayerIndex, looping: &[usize]) -> usize {
        let (settled, loops) = LayerLoops::solve(self.board, self.payoff, self.sides, looping, &solved(&self.shelves));
        self.write(layer, settled);
        loops
    }

    fn write(&mut self, layer: LayerIndex, settled: Vec<Settled<A::Word>>) {
        for state in settled {
            let shelf = &mut self.shelves[state.side];
            shelf.numbers[layer][state.word..state.word + state.value.len()].clone_from_slice(&state.value);
            shelf.sets[layer][state.state] = state.set;
        }
    }

    /// Lets go of the numbers that no later layer reads.
    fn retire(&mut self, layer: LayerIndex, flushed: LayerIndex) {
        let end = flushed.min((layer + 1).saturating_sub(self.board.game.most_increment()));
        for shelf in &mut self.shelves {
            // Everything before has been let go of already.
            let held = shelf.numbers[..end].iter_mut().rev().take_while(|numbers| !numbers.is_empty());
            held.for_each(|numbers| *numbers = Vec::new());
        }
    }
}

/// The numbers on the shelves.
fn solved<W>(shelves: &[Shelf<W>]) -> Solved<'_, W> {
    let [first, last] = [&shelves[0], &shelves[shelves.len() - 1]];
    Solved { sides: [&first.numbers, &last.numbers], rolls: [&first.rolls, &last.rolls] }
}
