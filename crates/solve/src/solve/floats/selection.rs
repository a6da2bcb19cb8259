//! The distributions whose means a task needs in a stage.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::game::{Interner, StateMemories};
use crate::solve::stage_solver::{PassContext, StageTask};

/// The means needed by the states of a task whose cells have certain action sets.
#[derive(Debug)]
pub(super) struct Actions {
    /// By row of means: one distribution, or one for each action set (see
    /// [`Selection::set_of_column`]).
    pub means: Vec<Vec<u32>>,
    /// By row of means: whether it has several distributions, each of a single roll, as zero dice
    /// have.
    pub certain: Vec<bool>,
    /// By row (shared, mine) and action: its row of means.
    pub places: Vec<u32>,
}

/// The needed distributions of the current stage; usually reused for the next one.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// The result for the last stage.
    pub actions: Option<Arc<Actions>>,
    /// The action sets of that stage, without duplicates.
    pub sets: Vec<u32>,
    /// By column of the task: the index of its action set in `sets`.
    pub set_of_column: Vec<u32>,
    /// Results by action sets.
    known: HashMap<Vec<u32>, Arc<Actions>, FixedState>,
}

impl Selection {
    /// Finds the distributions that the task's stage needs.
    pub fn find<T>(&mut self, task: &StageTask<T>) {
        let game = task.context.game;
        if game.action_sets_by_opponent().is_none() {
            self.find_at(task, task.columns(), |column| {
                game.action_set_number_at(task.stage - column, column)
            });
        } else if self.actions.is_none() {
            // The action sets are the same in each stage, so they are looked up once for all
            // columns.
            let all = task.context.layout.columns_of_task(task.index);
            self.find_at(task, all, |column| game.action_set_number_at(0, column));
        }
    }

    fn find_at<T>(
        &mut self,
        task: &StageTask<T>,
        columns: Range<usize>,
        set_at: impl Fn(usize) -> usize,
    ) {
        let first = task.context.layout.columns_of_task(task.index).start;
        self.set_of_column.clear();
        self.set_of_column.resize(task.context.layout.width, 0);
        self.sets.clear();
        for column in columns {
            let set = set_at(column) as u32;
            let index = self.sets.iter().position(|known| *known == set).unwrap_or(self.sets.len());
            if index == self.sets.len() {
                self.sets.push(set);
            }
            self.set_of_column[column - first] = index as u32;
        }
        if !self.known.contains_key(&self.sets) {
            let actions = Actions::new(&task.context, &self.sets, task.theirs());
            self.known.insert(self.sets.clone(), Arc::new(actions));
        }
        self.actions = Some(Arc::clone(&self.known[&self.sets]));
    }
}

impl Actions {
    fn new(context: &PassContext, sets: &[u32], theirs: usize) -> Self {
        let game = context.game;
        let space = context.space();
        let mut means = Interner::new();
        let mut places = Vec::new();
        for row in 0..space.shared * space.mine {
            let memories =
                StateMemories { shared: row / space.mine, mine: row % space.mine, theirs };
            let mut action_sets: Vec<&[u32]> = Vec::with_capacity(sets.len());
            for set in sets {
                action_sets.push(game.action_sets()[*set as usize].of(space, memories));
            }
            for action in 0..space.actions {
                let mut rolled: Vec<u32> = action_sets.iter().map(|set| set[action]).collect();
                if rolled.iter().all(|distribution| *distribution == rolled[0]) {
                    rolled.truncate(1);
                }
                places.push(means.number(rolled));
            }
        }
        let means: Vec<Vec<u32>> = means.into_items();
        let mut certain = Vec::with_capacity(means.len());
        for rolled in &means {
            let mut totals = rolled.iter().map(|of| game.distributions()[*of as usize].total);
            certain.push(rolled.len() > 1 && totals.all(|total| total == 1));
        }
        Self { means, certain, places }
    }
}
