//! Reads from the kernel the states of a stage whose turns may stay in it or lead to lower stages.

use rayon::prelude::*;

use crate::kernel::Outcome;
use crate::solve::layout::Memories;
use crate::solve::numbers::{Decider, Job, Next, Numbers};

use super::graph::{Choice, ColumnGraph, Graph, Node, ReadEdge};
use super::{CycleValues, MIN_SHARED_STATES};

/// Reads all columns of a stage with such states, ascending; as a single one if the stage is small.
pub(super) fn columns<'j, N: Numbers>(
    numbers: &N,
    job: &(impl Fn(usize, usize) -> Job<'j, N::Number> + Sync),
    works: &[Vec<N::Work>],
) -> Vec<ColumnGraph<N::Number>>
where
    N::Number: 'j,
{
    let first = job(0, 0);
    let (context, stage) = (&first.context, first.stage);
    let may_not_increase =
        |column: &usize| context.kernel.may_not_increase(context.game.action_set_number_at(stage - column, *column));
    let values = numbers.cycle_values(stage, context.allowance);
    let read = |columns: &[usize]| {
        let mut found = ColumnGraph { column: columns[0], graph: Graph::default(), next: Vec::new() };
        for column in columns {
            for (side, works) in works.iter().enumerate() {
                for theirs in 0..context.space().mine {
                    let task = context.layout.place(*column).0 * context.space().mine + theirs;
                    let reader = StateReader { numbers, values: &values, job: job(side, task), work: &works[task] };
                    reader.read(*column, &mut found);
                }
            }
        }
        found.next.dedup();
        found
    };
    let columns: Vec<usize> = context.layout.columns(stage).filter(may_not_increase).collect();
    let found: Vec<ColumnGraph<N::Number>> = if columns.len() * context.space().per_cell() < MIN_SHARED_STATES {
        columns.chunks(columns.len().max(1)).map(read).collect()
    } else {
        columns.par_chunks(1).map(read).collect()
    };
    found.into_iter().filter(|column| !column.graph.nodes.is_empty()).collect()
}

struct StateReader<'a, N: Numbers> {
    numbers: &'a N,
    values: &'a N::Cycles,
    job: Job<'a, N::Number>,
    work: &'a N::Work,
}

impl<N: Numbers> StateReader<'_, N> {
    fn read(&self, column: usize, found: &mut ColumnGraph<N::Number>) {
        let (space, theirs) = (self.job.context.space(), self.job.theirs());
        for row in 0..space.shared * space.mine {
            self.read_state((column, (row / space.mine, row % space.mine, theirs)), found);
        }
    }

    fn read_state(&self, at: (usize, Memories), found: &mut ColumnGraph<N::Number>) {
        let (job, context) = (&self.job, &self.job.context);
        let set = context.action_set(job.stage, at.0, at.1);
        let one = |action: usize| action..action + 1;
        let actions = match job.side.decider {
            Decider::Best => 0..set.len(),
            Decider::Fixed(plan) => one(plan.action(context.state(job.stage, at.0, at.1))),
        };
        let Graph { nodes, choices, edges } = &mut found.graph;
        let (first_choice, first_edge) = (choices.len(), edges.len());
        for action in actions {
            let (distribution, first) = (&context.kernel.distributions[set[action] as usize], edges.len());
            edges.extend(distribution.non_increasing.iter().filter_map(|outcome| self.edge(at, outcome)));
            let base = self.numbers.base(job, self.work, at, action);
            choices.push(Choice { action, base, total: distribution.total, edges: first..edges.len() });
        }
        if edges.len() == first_edge {
            return choices.truncate(first_choice);
        }
        // Of the actions without edges, only those that may be the best of them are kept.
        let value = |choice: &Choice<N::Number>| self.numbers.cycle_value(&choice.base);
        let leave = choices[first_choice..].iter().filter(|choice| choice.edges.is_empty()).map(value);
        if let Some(best) = leave.max_by(|one, other| self.values.compare(one, other)) {
            let worse = |choice: &mut Choice<_>| choice.edges.is_empty() && !self.values.ties(&best, &value(choice));
            choices.extract_if(first_choice.., worse).for_each(drop);
        }
        let here = edges[first_edge..].iter().filter(|edge| edge.stage as usize == job.stage);
        found.next.extend(here.map(|edge| edge.column));
        let place = context.layout.at(at.0, at.1);
        nodes.push(Node { side: job.side.own, place, choices: first_choice..choices.len() });
    }

    /// The edge of an outcome; `None` if it raises the sum of the scores or ends the game.
    fn edge(&self, (column, memories): (usize, Memories), outcome: &Outcome) -> Option<ReadEdge> {
        match self.job.next((column, memories.2), outcome) {
            Next::State { cell, side, stage, place, again } if stage <= self.job.stage => {
                let column = cell % self.job.context.space().goal;
                let [stage, column, place] = [stage, column, place].map(|number| number as u32);
                Some(ReadEdge { stage, column, place, side: side as u8, again, weight: outcome.weight })
            }
            _ => None,
        }
    }
}
