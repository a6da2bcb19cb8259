//! The results of a backward pass: values and actions in the order of states, and the numbers of
//! requested states.

use std::ops::Range;

use dashu_ratio::RBig;

use crate::game::StateMemories;
use crate::solve::Values;
use crate::solve::stage_solver::StageSolver;

use super::{BackwardPass, Store};

/// The number of stages copied together: their entries of one score are neighbours in a cache line
/// of the results.
pub(in crate::solve) const FLUSH_STAGES: usize = 32;

/// The number of scores copied together: their entries in a stage are neighbours, too.
const FLUSH_SCORES: usize = 32;

/// The results of a pass, filled stage by stage.
pub(super) struct PassResults {
    /// The states whose exact values are requested.
    states: Vec<usize>,
    /// By side, then by state.
    pub values: Vec<Values>,
    /// By side: the exact values of the requested states.
    pub fractions: Vec<Vec<RBig>>,
}

impl PassResults {
    pub fn new<N: StageSolver>(pass: &BackwardPass<N>, requested: &[usize]) -> Self {
        let states = pass.context.layout.space.states();
        let mut values = Vec::with_capacity(pass.sides.len());
        for _ in pass.sides {
            // Not cloned, because the system has zeros for pages that are never written.
            values.push(Values {
                win_rates: vec![0.0; states],
                best: vec![0; states],
                choices: vec![0; states],
            });
        }
        let fractions = vec![vec![RBig::ZERO; requested.len()]; pass.sides.len()];
        Self { states: requested.to_vec(), values, fractions }
    }

    /// Copies the values of the requested states in a stage.
    pub fn copy_requested<N: StageSolver>(&mut self, pass: &BackwardPass<N>, stage: usize) {
        for (at, state) in self.states.iter().enumerate() {
            let (of_state, column, memories) = pass.context.layout.of_state(*state);
            if of_state == stage {
                let place = pass.context.layout.at(column, memories);
                for (found, store) in self.fractions.iter_mut().zip(&pass.stores) {
                    found[at] = pass.solver.convert(&store.numbers[stage][place], stage);
                }
            }
        }
    }

    /// Copies some stages to where their states belong.
    pub fn flush<N: StageSolver>(&mut self, pass: &BackwardPass<N>, stages: Range<usize>) {
        let stages = stages.start..stages.end.min(pass.context.layout.stages());
        for (values, store) in self.values.iter_mut().zip(&pass.stores) {
            flush(pass, &stages, store, values);
        }
    }
}

/// Copies some stages of one side, a few scores at a time, so that neighbours are read and written
/// together.
fn flush<N: StageSolver>(
    pass: &BackwardPass<N>,
    stages: &Range<usize>,
    store: &Store<N::Number>,
    values: &mut Values,
) {
    let layout = &pass.context.layout;
    let goal = pass.context.layout.space.goal;
    let places: Vec<usize> = layout.memories().map(|memories| layout.at(0, memories)).collect();
    let mut found = Vec::with_capacity(stages.len());
    for stage in stages.clone() {
        let win_rates = pass.solver.doubles(&store.numbers[stage], stage);
        found.push((win_rates, &store.sets[stage][..], &store.choices[stage][..]));
    }
    let first = (stages.start + 1).saturating_sub(goal) / FLUSH_SCORES;
    let count = goal.min(stages.end).div_ceil(FLUSH_SCORES) - first;
    let size = FLUSH_SCORES * goal * places.len();
    let out = values
        .win_rates
        .chunks_mut(size)
        .zip(values.best.chunks_mut(size))
        .zip(values.choices.chunks_mut(size));
    let out = out.enumerate().skip(first).take(count);
    pass.run(stages.start, out, |(at, ((win_rates, best), choices))| {
        let scores = at * FLUSH_SCORES..(at + 1) * FLUSH_SCORES;
        for (stage, (numbers, sets, chosen)) in stages.clone().zip(&found) {
            let columns = layout.space.scores_in(stage);
            let first = columns.start.max((stage + 1).saturating_sub(scores.end));
            let last = columns.end.min((stage + 1).saturating_sub(scores.start));
            for segment in layout.segments(first..last) {
                for (memory, place) in places.iter().enumerate() {
                    let from = layout.at(segment.start, StateMemories::default()) + place..;
                    for (column, from) in segment.clone().zip(from) {
                        let state = ((stage - column - scores.start) * goal + column)
                            * places.len()
                            + memory;
                        win_rates[state] = numbers[from];
                        best[state] = sets[from];
                        choices[state] = chosen[from];
                    }
                }
            }
        }
    });
}
