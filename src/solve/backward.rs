//! The backward pass: stages from the end of the game to its start, the tasks of a stage on all cores.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use crate::game::{DiceSet, Order};

use super::cycles::{self, SolvedCycles};
use super::layout::Layout;
use super::numbers::{Job, Numbers, PassContext, Side};
use super::{SolveError, Values, Watch};

/// A stage is shared between threads if its words, times actions, are at least this many: below it, waking a thread costs more
/// than the work.
const WORTH_SHARING: usize = 20_000;

/// So many stages are copied to the results together: in each row of a result they are neighbours.
const BAND: usize = 8;

/// What is wanted beside the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted<'a> {
    /// All values and best actions, and the numbers as they are of these states.
    Values(&'a [usize]),
    /// Only the numbers of the start.
    Start,
}

/// What a backward pass found.
pub(super) struct Solved<W> {
    /// Of each side, in state order; empty if not wanted.
    pub values: Vec<Values>,
    /// The numbers of each side in the states that were asked for.
    pub asked: Vec<Vec<Vec<W>>>,
    /// How many cycles were solved.
    pub cycles: usize,
}

/// The numbers and actions of one side, by stage; empty before they are solved and after the last look at them.
pub(super) struct Store<W> {
    pub numbers: Vec<Vec<W>>,
    pub sets: Vec<Vec<DiceSet>>,
    /// Empty where the first of the set is taken.
    choices: Vec<Vec<u8>>,
}

/// Numbers and sets to be written.
type Out<'o, W> = (&'o mut [W], &'o mut [DiceSet]);

/// A backward pass on its way.
struct Pass<'a, N: Numbers> {
    context: PassContext<'a>,
    numbers: &'a N,
    sides: &'a [Side<'a>],
    stores: Vec<Store<N::Word>>,
    /// By side and task.
    works: Vec<Vec<N::Work>>,
    keeps_choices: bool,
}

/// Solves all stages.
pub(super) fn solve<N: Numbers>(
    context: PassContext,
    numbers: &N,
    (sides, wanted): (&[Side], Wanted),
    watch: &Watch,
) -> Result<Solved<N::Word>, SolveError> {
    let (layout, stages) = (context.layout, context.layout.stages());
    let start = [context.game.start()];
    let (asked, keeps_choices) = match wanted {
        Wanted::Values(asked) => (asked, true),
        Wanted::Start => (&start[..], false),
    };
    let mut pass = Pass::new(context, numbers, sides, keeps_choices);
    let states = if keeps_choices { layout.space.states() } else { 0 };
    let empty = || Values { win_rates: vec![0.0; states], best: vec![0; states], choices: vec![0; states] };
    let mut solved = Solved {
        values: sides.iter().map(|_| empty()).collect(),
        asked: sides.iter().map(|_| vec![Vec::new(); asked.len()]).collect(),
        cycles: 0,
    };
    for stage in (stages..=context.kernel.highest_stage()).rev() {
        pass.past_the_goal(stage);
    }
    let mut flushed = stages;
    // Progress is told in work, not in stages: those in the middle have the most columns, the last the longest numbers.
    let work = |stage: usize| layout.columns(stage).len() * numbers.words(stage);
    let (mut done, all) = (0, (0..stages).map(work).sum());
    for stage in (0..stages).rev() {
        watch.report(done, all)?;
        done += work(stage);
        solved.cycles += pass.solve(stage, &|| watch.step(done, all))?;
        pass.keep_asked(stage, asked, &mut solved.asked);
        if keeps_choices && (stage + BAND == flushed || stage == 0) {
            for (values, store) in solved.values.iter_mut().zip(&pass.stores) {
                flush(numbers, &layout, stage..flushed, store, values);
            }
            flushed = stage;
        }
        pass.retire(stage, if keeps_choices { flushed } else { stage });
    }
    watch.report(all, all)?;
    Ok(solved)
}

/// A task of a side in a stage.
fn job<'s, W>(
    context: PassContext<'s>,
    side: &'s Side<'s>,
    (stage, task): (usize, usize),
    stores: &'s [Store<W>],
) -> Job<'s, W> {
    let [first, last] = [&stores[0].numbers, &stores[stores.len() - 1].numbers];
    Job { context, side, stage, task, solved: [first, last] }
}

impl<'a, N: Numbers> Pass<'a, N> {
    fn new(context: PassContext<'a>, numbers: &'a N, sides: &'a [Side<'a>], keeps_choices: bool) -> Self {
        let stages = context.layout.stages();
        let store = |_: &Side| Store {
            numbers: vec![Vec::new(); stages],
            sets: vec![Vec::new(); stages],
            choices: vec![Vec::new(); stages],
        };
        let works = |side: &Side| (0..context.layout.tasks()).map(|task| numbers.work(&context, side, task)).collect();
        Self {
            context,
            numbers,
            sides,
            stores: sides.iter().map(store).collect(),
            works: sides.iter().map(works).collect(),
            keeps_choices,
        }
    }

    /// Readies a stage in which all totals are past the goal.
    fn past_the_goal(&mut self, stage: usize) {
        for index in 0..self.sides.len() {
            for (task, work) in self.works[index].iter_mut().enumerate() {
                let job = job(self.context, &self.sides[index], (stage, task), &self.stores);
                self.numbers.solve(&job, work, (&mut [], &mut []));
                self.numbers.arrive(&job, work);
            }
        }
    }

    /// Whether the work of a stage is worth sharing between threads.
    fn shares(&self, stage: usize) -> bool {
        let space = self.context.space();
        let words = self.context.layout.columns(stage).len() * space.per_cell() * self.numbers.words(stage);
        words * space.actions >= WORTH_SHARING && self.context.layout.tasks() > 1 && rayon::current_num_threads() > 1
    }

    /// Solves a stage; the number of cycles in it.
    fn solve(&mut self, stage: usize, go_on: &dyn Fn() -> bool) -> Result<usize, SolveError> {
        (0..self.sides.len()).for_each(|index| self.solve_side(index, stage));
        let cycles = match self.context.kernel.order {
            Order::Acyclic => 0,
            Order::Cyclic { .. } => self.solve_cycles(stage, go_on)?,
        };
        let shares = self.shares(stage);
        let (context, numbers, stores) = (self.context, self.numbers, &self.stores);
        for (side, works) in self.sides.iter().zip(&mut self.works) {
            let arrive = |(task, work): (usize, &mut N::Work)| {
                numbers.arrive(&job(context, side, (stage, task), stores), work);
            };
            match shares {
                true => works.par_iter_mut().enumerate().for_each(arrive),
                false => works.iter_mut().enumerate().for_each(arrive),
            }
        }
        Ok(cycles)
    }

    fn solve_side(&mut self, index: usize, stage: usize) {
        let (context, layout, shares) = (self.context, self.context.layout, self.shares(stage));
        let (words, all, of_task) = (self.numbers.words(stage), layout.numbers(), layout.numbers_of_task());
        let (mut numbers, mut sets) = (vec![N::Word::default(); all * words], vec![0; all]);
        let (side, stores, solver, works) = (&self.sides[index], &self.stores, self.numbers, &mut self.works[index]);
        let solve = |(task, (work, out)): (usize, (&mut N::Work, Out<N::Word>))| {
            solver.solve(&job(context, side, (stage, task), stores), work, out);
        };
        if shares {
            let out = numbers.par_chunks_mut(of_task * words).zip(sets.par_chunks_mut(of_task));
            works.par_iter_mut().zip(out).enumerate().for_each(solve);
        } else {
            let out = numbers.chunks_mut(of_task * words).zip(sets.chunks_mut(of_task));
            works.iter_mut().zip(out).enumerate().for_each(solve);
        }
        let store = &mut self.stores[index];
        if self.keeps_choices {
            works
                .iter()
                .filter_map(|work| self.numbers.choices(work))
                .for_each(|choices| store.choices[stage].extend_from_slice(choices));
        }
        (store.numbers[stage], store.sets[stage]) = (numbers, sets);
    }

    fn solve_cycles(&mut self, stage: usize, go_on: &dyn Fn() -> bool) -> Result<usize, SolveError> {
        let (context, sides, stores) = (self.context, self.sides, &self.stores);
        let jobs = |index: usize, task: usize| job(context, &sides[index], (stage, task), stores);
        let SolvedCycles { states, count } = cycles::solve(self.numbers, sides, jobs, &self.works, go_on)?;
        for state in states {
            let (words, store) = (self.numbers.words(stage), &mut self.stores[state.side]);
            store.numbers[stage][state.place * words..][..words].clone_from_slice(&state.value);
            store.sets[stage][state.place] = state.set;
            if let Some(choice) = store.choices[stage].get_mut(state.place) {
                *choice = state.choice;
            }
        }
        Ok(count)
    }

    /// Copies the numbers of those states asked for that are of the stage.
    fn keep_asked(&self, stage: usize, asked: &[usize], kept: &mut [Vec<Vec<N::Word>>]) {
        for (at, state) in asked.iter().enumerate() {
            let (of_state, column, memories) = self.context.layout.of_state(*state);
            if of_state == stage {
                let (words, place) = (self.numbers.words(stage), self.context.layout.at(column, memories));
                for (kept, store) in kept.iter_mut().zip(&self.stores) {
                    kept[at] = store.numbers[stage][place * words..][..words].to_vec();
                }
            }
        }
    }

    /// Lets go of the numbers that no later stage reads.
    fn retire(&mut self, stage: usize, flushed: usize) {
        let first = flushed.max(stage + self.context.game.most_increment());
        for store in &mut self.stores {
            // Everything above has been let go of already.
            for stage in
                (first..store.numbers.len()).take_while(|stage| !store.numbers[*stage].is_empty()).collect::<Vec<_>>()
            {
                (store.numbers[stage], store.sets[stage]) = (Vec::new(), Vec::new());
                store.choices[stage] = Vec::new();
            }
        }
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
fn flush<N: Numbers>(numbers: &N, layout: &Layout, band: Range<usize>, store: &Store<N::Word>, values: &mut Values) {
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
