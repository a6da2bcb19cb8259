//! What is kept of a backward pass: results in the order of states, and the numbers of some states.

use crate::solve::Values;
use crate::solve::layout::Layout;
use crate::solve::numbers::Numbers;

use super::{Pass, Solved, Store, Wanted};

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

    /// Copies a stage to where its states belong.
    pub fn flush<N: Numbers<Number = T>>(&mut self, pass: &Pass<N>, stage: usize) {
        for (values, store) in self.solved.values.iter_mut().zip(&pass.stores) {
            flush(pass.numbers, &pass.context.layout, stage, store, values);
        }
    }

    pub fn solved(self, cycles: usize, cycle_error: f64) -> Solved<T> {
        Solved { cycles, cycle_error, ..self.solved }
    }
}

/// Copies a stage to where its states belong.
fn flush<N: Numbers>(numbers: &N, layout: &Layout, stage: usize, store: &Store<N::Number>, values: &mut Values) {
    let (space, win_rates) = (&layout.space, numbers.doubles(&store.numbers[stage], stage));
    let places: Vec<usize> = layout.memories().map(|memories| layout.at(0, memories)).collect();
    for (column, cell) in layout.columns(stage).map(|column| (column, (stage - column) * space.goal + column)) {
        let from = layout.at(column, (0, 0, 0));
        for (state, place) in (cell * places.len()..).zip(&places) {
            let (set, choice) = (store.sets[stage][from + place], store.choices[stage].get(from + place));
            (values.win_rates[state], values.best[state]) = (win_rates[from + place], set);
            values.choices[state] = choice.copied().unwrap_or_else(|| set.trailing_zeros() as u8);
        }
    }
}
