//! The backward pass: layers from the end of the game to its start, the cells of a layer on all cores.

use rayon::prelude::*;

use crate::game::{DiceSet, Order};

use super::arithmetic::{Arithmetic, Payoff, Solved};
use super::bellman::{Board, Room, Side};
use super::layout::LayerIndex;
use super::loops::{LayerLoops, may_stay, may_stay_among};
use super::{SolveError, Watch};

/// A layer is shared between threads if its words, times actions, are at least this many: below it, waking a
/// thread costs more than the work.
const WORTH_SHARING: usize = 20_000;

/// The numbers and best actions of one side, in solving order.
pub(super) struct SideResult<W> {
    pub values: Vec<W>,
    pub sets: Vec<DiceSet>,
}

/// What a backward pass found.
pub(super) struct Swept<W> {
    pub sides: Vec<SideResult<W>>,
    /// How many loops were solved.
    pub loops: usize,
}

/// Solves all layers.
pub(super) fn sweep<A: Arithmetic>(
    board: Board<A>,
    payoff: Payoff,
    sides: &[Side],
    watch: &Watch,
) -> Result<Swept<A::Word>, SolveError> {
    let layout = board.layout;
    let states = layout.space.states();
    let empty = || SideResult { values: vec![A::Word::default(); layout.total_words()], sets: vec![0; states] };
    let mut swept = Swept { sides: sides.iter().map(|_| empty()).collect(), loops: 0 };
    let mut room = Room::<A>::default();
    let mut mirror = board.arithmetic.mirror(board.game, layout, sides.len());
    for layer in 0..layout.layers() {
        watch.report(layer, layout.layers())?;
        let staying = match board.game.order() {
            Order::Rising => Vec::new(),
            Order::Level { .. } => staying_cells(&board, layer),
        };
        board.arithmetic.prepare(&mut mirror, layout, layer);
        let others = Regular { layer, staying: &staying, mirror: &mirror };
        others.solve(&board, sides, &mut swept.sides, &mut room);
        let (looping, others): (Vec<usize>, Vec<usize>) =
            staying.iter().partition(|cell| may_stay_among(&board, **cell, &staying));
        for cell in others {
            after_regular(&board, sides, cell, &mirror, &mut swept.sides, &mut room);
        }
        if !looping.is_empty() {
            swept.loops += level(board, payoff, sides, &looping, &mirror, &mut swept.sides);
        }
        for (side, result) in swept.sides.iter().enumerate() {
            board.arithmetic.reflect(&mut mirror, layout, layer, side, &result.values);
        }
    }
    watch.report(layout.layers(), layout.layers())?;
    Ok(swept)
}

fn staying_cells<A>(board: &Board<A>, layer: LayerIndex) -> Vec<usize> {
    board.layout.cells(layer).iter().map(|cell| *cell as usize).filter(|cell| may_stay(board, *cell)).collect()
}

/// The cells of a layer all of whose turns leave it.
struct Regular<'a, M> {
    layer: LayerIndex,
    /// The others, which are solved later.
    staying: &'a [usize],
    mirror: &'a M,
}

impl<M: Sync> Regular<'_, M> {
    fn solve<A: Arithmetic<Mirror = M>>(
        &self,
        board: &Board<A>,
        sides: &[Side],
        results: &mut [SideResult<A::Word>],
        room: &mut Room<A>,
    ) {
        let layout = board.layout;
        let (words, ranks) = (layout.word_range(self.layer), layout.ranks(self.layer));
        let per_cell = layout.space.per_cell();
        let cell_words = per_cell * layout.words(self.layer);
        let mut solved_parts = Vec::with_capacity(2);
        let mut open_parts = Vec::with_capacity(2);
        for result in results {
            let (solved, rest) = result.values.split_at_mut(words.start);
            let sets = &mut result.sets[ranks.start * per_cell..ranks.end * per_cell];
            solved_parts.push(&*solved);
            open_parts.push((&mut rest[..words.len()], sets));
        }
        let solved = Solved { sides: [solved_parts[0], solved_parts[solved_parts.len() - 1]] };
        let cells = layout.cells(self.layer);
        let share = words.len() * layout.space.actions >= WORTH_SHARING && rayon::current_num_threads() > 1;
        for (side, (values, sets)) in sides.iter().zip(open_parts) {
            let step = |room: &mut Room<A>, cell: u32, values: &mut [A::Word], sets: &mut [DiceSet]| {
                if !self.staying.contains(&(cell as usize)) {
                    board.step(side, cell as usize, (&solved, self.mirror), room, (values, sets));
                }
            };
            if share {
                let cells = cells.par_iter().zip(values.par_chunks_mut(cell_words)).zip(sets.par_chunks_mut(per_cell));
                cells.for_each_init(Room::<A>::default, |room, ((cell, values), sets)| step(room, *cell, values, sets));
            } else {
                let cells = cells.iter().zip(values.chunks_mut(cell_words)).zip(sets.chunks_mut(per_cell));
                cells.for_each(|((cell, values), sets)| step(room, *cell, values, sets));
            }
        }
    }
}

/// Solves a cell some of whose turns lead to regular cells of its own layer, which are solved already.
fn after_regular<A: Arithmetic>(
    board: &Board<A>,
    sides: &[Side],
    cell: usize,
    mirror: &A::Mirror,
    results: &mut [SideResult<A::Word>],
    room: &mut Room<A>,
) {
    let layout = board.layout;
    let per_cell = layout.space.per_cell();
    let words = layout.words(layout.layer_of(cell)) * per_cell;
    for (index, side) in sides.iter().enumerate() {
        let (mut values, mut sets) = (vec![A::Word::default(); words], vec![0; per_cell]);
        let last = results.len() - 1;
        let solved = Solved { sides: [&results[0].values[..], &results[last].values[..]] };
        board.step(side, cell, (&solved, mirror), room, (&mut values, &mut sets));
        let (word, rank) = (layout.first_word_of(cell), layout.rank(cell));
        results[index].values[word..word + words].clone_from_slice(&values);
        results[index].sets[rank * per_cell..(rank + 1) * per_cell].copy_from_slice(&sets);
    }
}

/// Solves the cells of a layer some of whose turns stay in it; the number of loops.
fn level<A: Arithmetic>(
    board: Board<A>,
    payoff: Payoff,
    sides: &[Side],
    looping: &[usize],
    mirror: &A::Mirror,
    results: &mut [SideResult<A::Word>],
) -> usize {
    let last = results.len() - 1;
    let solved = Solved { sides: [&results[0].values[..], &results[last].values[..]] };
    let (settled, loops) = LayerLoops::solve(board, payoff, sides, looping, (&solved, mirror));
    for state in settled {
        let result = &mut results[state.side];
        result.values[state.word..state.word + state.value.len()].clone_from_slice(&state.value);
        result.sets[state.state] = state.set;
    }
    loops
}
