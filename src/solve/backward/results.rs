//! What is kept of a backward pass: results in the order of states, and the numbers of some states.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use crate::game::DiceSet;
use crate::solve::Values;
use crate::solve::layout::Layout;
use crate::solve::numbers::Numbers;

use super::{Out, Pass, Solved, Store, WORTH_SHARING, Wanted};

/// So many stages are copied to the results together: in each row of a result they are neighbours.
pub(super) const BAND: usize = 8;

/// The results of a pass on their way.
pub(super) struct Results<T> {
    /// The states whose numbers are asked for.
    states: Vec<usize>,
    solved: Solved<T>,
}

impl<T: Clone + Default + Send + Sync> Results<T> {
    pub fn new<N: Numbers<Number = T>>(pass: &Pass<N>, wanted: Wanted) -> Self {
        let (asked, states) = match wanted {
            Wanted::Values(asked) => (asked.to_vec(), pass.context.layout.space.states()),
            Wanted::Start => (vec![pass.context.game.start()], 0),
        };
        let empty = || Values { win_rates: vec![0.0; states], best: vec![0; states], choices: vec![0; states] };
        let solved = Solved {
            values: pass.sides.iter().map(|_| empty()).collect(),
            asked: pass.sides.iter().map(|_| vec![T::default(); asked.len()]).collect(),
            cycles: 0,
            cycle_error: 0.0,
        };
        Self { states: asked, solved }
    }

    /// Copies the numbers of those states asked for that are of the stage.
    pub fn keep_asked<N: Numbers<Number = T>>(&mut self, pass: &Pass<N>, stage: usize) {
        for (at, state) in self.states.iter().enumerate() {
            let (of_state, column, memories) = pass.context.layout.of_state(*state);
            if of_state == stage {
                let place = pass.context.layout.at(column, memories);
                for (kept, store) in self.solved.asked.iter_mut().zip(&pass.stores) {
                    kept[at] = store.numbers[stage][place].clone();
                }
            }
        }
    }

    /// Copies stages to where their states belong.
    pub fn flush<N: Numbers<Number = T>>(&mut self, pass: &Pass<N>, band: Range<usize>) {
        for (values, store) in self.solved.values.iter_mut().zip(&pass.stores) {
            flush(pass.numbers, &pass.context.layout, band.clone(), store, values);
        }
    }

    pub fn solved(self, cycles: usize, cycle_error: f64) -> Solved<T> {
        Solved { cycles, cycle_error, ..self.solved }
    }
}

/// A stage that is solved, in doubles.
struct Flushed<'s> {
    stage: usize,
    win_rates: Cow<'s, [f64]>,
    sets: &'s [DiceSet],
    choices: &'s [u8],
}

/// Copies stages to where their states belong.
fn flush<N: Numbers>(numbers: &N, layout: &Layout, band: Range<usize>, store: &Store<N::Number>, values: &mut Values) {
    let row = layout.space.goal * layout.space.per_cell();
    let places: Vec<usize> = layout.memories().map(|memories| layout.at(0, memories)).collect();
    let flushed = |stage: usize| Flushed {
        stage,
        win_rates: numbers.doubles(&store.numbers[stage], stage),
        sets: &store.sets[stage],
        choices: &store.choices[stage],
    };
    let band: Vec<Flushed> = band.map(flushed).collect();
    let copy = |(score, ((win_rates, best), choices)): (usize, (Out<f64>, &mut [u8]))| {
        copy_row((layout, &places), (&band, score), (win_rates, best, choices));
    };
    let count: usize = band.iter().map(|stage| stage.sets.len()).sum();
    if count >= WORTH_SHARING {
        let rows = values.win_rates.par_chunks_mut(row).zip(values.best.par_chunks_mut(row));
        rows.zip(values.choices.par_chunks_mut(row)).enumerate().for_each(copy);
    } else {
        let rows = values.win_rates.chunks_mut(row).zip(values.best.chunks_mut(row));
        rows.zip(values.choices.chunks_mut(row)).enumerate().for_each(copy);
    }
}

/// Copies the cells with that score of the mover, one of each stage of a band, to the row of all cells with that score; `places`
/// tells where each state of a cell lies from the first on.
fn copy_row(
    (layout, places): (&Layout, &[usize]),
    (band, score): (&[Flushed], usize),
    (win_rates, best, choices): (&mut [f64], &mut [DiceSet], &mut [u8]),
) {
    let goal = layout.space.goal;
    let first = band[0].stage.max(score);
    let of_score = band.get(first - band[0].stage..).unwrap_or_default();
    for (column, solved) in (first - score..goal).zip(of_score) {
        let (from, to) = (layout.at(column, (0, 0, 0)), column * places.len());
        for (to, place) in (to..).zip(places) {
            let from = from + place;
            (win_rates[to], best[to]) = (solved.win_rates[from], solved.sets[from]);
            choices[to] = solved.choices.get(from).copied().unwrap_or_else(|| best[to].trailing_zeros() as u8);
        }
    }
}
