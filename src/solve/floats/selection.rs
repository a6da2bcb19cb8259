//! Which distributions the states of a task may roll in a stage.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::game::{Interner, Plan};
use crate::solve::numbers::{Job, PassContext};

/// What the states of a task may roll, where certain action sets come up.
#[derive(Debug)]
pub(super) struct Actions {
    /// The distributions that are needed at all columns.
    pub needed: Vec<u32>,
    /// Those of actions that differ by column, by its kind (see [`Selection::kinds`]).
    pub mixes: Vec<Vec<u32>>,
    /// By row (shared, mine) and action: which of these it rolls; mixes are counted after the needed.
    pub places: Vec<u32>,
}

/// The actions of one stage; kept for the next one, which mostly has the same.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Those of the stage found last.
    pub actions: Option<Arc<Actions>>,
    /// Its action sets, each once.
    pub sets: Vec<u32>,
    /// By column of the task: which of them.
    pub kinds: Vec<u32>,
    /// What was found for other action sets.
    known: HashMap<Vec<u32>, Arc<Actions>, FixedState>,
}

/// A policy made ready to be evaluated more than once, in a game without memory.
#[derive(Debug)]
pub struct PreparedPolicy {
    /// The most dice of each convolution.
    pub(super) most_dice: Vec<usize>,
    /// By stage and column, from the first that is a cell: the action, and the distribution rolled.
    pub(super) rolled: Vec<Vec<(u8, u32)>>,
}

impl PreparedPolicy {
    pub(super) fn new(context: &PassContext, plan: &Plan, most_dice: Vec<usize>) -> Self {
        let of_cell = |stage: usize, column: usize| {
            let action = plan.action(context.state(stage, column, (0, 0, 0)));
            (action as u8, context.action_set(stage, column, (0, 0, 0))[action])
        };
        let of_stage = |stage: usize| context.layout.columns(stage).map(|column| of_cell(stage, column)).collect();
        Self { most_dice, rolled: (0..context.layout.stages()).map(of_stage).collect() }
    }
}

impl Selection {
    /// Finds what may be rolled in a stage.
    pub fn find<T>(&mut self, job: &Job<T>) {
        let game = job.context.game;
        if game.action_sets_by_opponent().is_none() {
            self.find_at(job, job.columns(), |column| game.action_set_number_at(job.stage - column, column));
        } else if self.actions.is_none() {
            // The same in each stage: found once, for all columns.
            let all = job.context.layout.columns_of_task(job.task);
            self.find_at(job, all, |column| game.action_set_number_at(0, column));
        }
    }

    fn find_at<T>(&mut self, job: &Job<T>, columns: Range<usize>, set_at: impl Fn(usize) -> usize) {
        let first = job.context.layout.columns_of_task(job.task).start;
        self.kinds.clear();
        self.kinds.resize(job.context.layout.width(), 0);
        self.sets.clear();
        for column in columns {
            let set = set_at(column) as u32;
            let kind = self.sets.iter().position(|known| *known == set).unwrap_or(self.sets.len());
            if kind == self.sets.len() {
                self.sets.push(set);
            }
            self.kinds[column - first] = kind as u32;
        }
        if !self.known.contains_key(&self.sets) {
            let actions = Actions::new(&job.context, &self.sets, job.theirs());
            self.known.insert(self.sets.clone(), Arc::new(actions));
        }
        self.actions = Some(Arc::clone(&self.known[&self.sets]));
    }
}

impl Actions {
    fn new(context: &PassContext, sets: &[u32], theirs: usize) -> Self {
        let space = context.space();
        let (mut needed, mut mixes, mut places) = (Interner::new(), Interner::new(), Vec::new());
        for row in 0..space.shared * space.mine {
            let memories = (row / space.mine, row % space.mine, theirs);
            let of_set = |set: &u32| context.kernel.action_sets[*set as usize].of(space, memories);
            let offered: Vec<&[u32]> = sets.iter().map(of_set).collect();
            for action in 0..space.actions {
                let rolled: Vec<u32> = offered.iter().map(|set| set[action]).collect();
                let uniform = rolled.iter().all(|distribution| *distribution == rolled[0]);
                places.push(if uniform { Ok(needed.number(rolled[0])) } else { Err(mixes.number(rolled)) });
            }
        }
        let needed: Vec<u32> = needed.into_items();
        Self {
            places: places.into_iter().map(|place| place.unwrap_or_else(|mix| needed.len() as u32 + mix)).collect(),
            needed,
            mixes: mixes.into_items(),
        }
    }
}
