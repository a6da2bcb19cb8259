//! Which distributions the states of a task may roll in a stage, and at which columns.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::game::Plan;
use crate::solve::numbers::{Decider, Job, PassContext};
use crate::solve::rows::LANES;

use super::stage::Places;

/// A distribution whose means are needed, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needed {
    pub distribution: u32,
    at: LaneSet,
}

impl Needed {
    /// The places to be worked on, of some.
    pub fn runs(&self, of: Places) -> impl Iterator<Item = Places> + use<> {
        let all = u64::MAX >> (u64::BITS as usize - (of.end - of.start) / LANES);
        let mut left = self.at & all << (of.start / LANES);
        std::iter::from_fn(move || {
            let first = left.trailing_zeros() as usize;
            let count = left.checked_shr(first as u32)?.trailing_ones() as usize;
            left &= !(u64::MAX >> (u64::BITS as usize - count) << first);
            Some(Places { start: first * LANES, end: (first + count) * LANES })
        })
    }
}

/// Columns of a task, a bit for each [`LANES`] of them.
type LaneSet = u64;

/// The most columns of a task.
pub(super) const MOST_COLUMNS: usize = LANES * LaneSet::BITS as usize;

/// Takes in a column, counted from the first of the task, for the thing of that number; numbers come up in order.
fn take_in(sets: &mut Vec<LaneSet>, number: u32, column: usize) {
    if sets.len() <= number as usize {
        sets.push(0);
    }
    sets[number as usize] |= 1 << (column / LANES);
}

/// One action of the states of a row: what it rolls.
#[derive(Clone, Copy, Debug)]
pub(super) enum ActionRow {
    /// The same distribution, by its place among the needed, at all columns.
    Uniform(u32),
    /// By kind of action set: the place of a mix in [`Actions::mixes`].
    Mixed(u32),
}

/// What the states of a task may do, where action sets of these kinds come up.
#[derive(Debug)]
pub(super) struct Actions {
    /// The distributions needed, each with the kinds of action sets that have it.
    needed: Vec<(u32, Vec<u32>)>,
    /// By row (shared, mine) and action.
    pub rows: Vec<ActionRow>,
    /// By kind: the place of the distribution among the needed.
    pub mixes: Vec<Vec<u32>>,
}

/// What a fixed policy rolls in the states of a task in one stage.
#[derive(Debug)]
pub(super) struct Played {
    needed: Vec<Needed>,
    /// By row and place of the stage's columns: the place among the needed, and the action.
    pub places: Vec<u32>,
    pub choices: Vec<u8>,
}

/// A policy made ready for games without memory: what it rolls, by stage.
#[derive(Debug)]
pub(in crate::solve) struct PreparedPolicy {
    /// The most dice of each convolution.
    pub(super) most_dice: Vec<usize>,
    pub(super) stages: Vec<Arc<Played>>,
}

/// The selection of one stage; kept for the next one, to use its memory.
#[derive(Debug, Default)]
pub(super) struct Selection {
    needed: Vec<Needed>,
    /// The first column of the task.
    first: usize,
    /// By column of the task: the kind of its action set, of those of the stage; a double, for it is compared beside doubles.
    pub kinds: Vec<f64>,
    /// Where all actions may be taken.
    pub actions: Option<Arc<Actions>>,
    /// Where a policy is fixed.
    pub played: Option<Arc<Played>>,
    /// What was found for the same kinds of action sets.
    known: HashMap<Vec<u32>, Arc<Actions>, FixedState>,
    /// By action set or distribution: its number in this stage, valid if the stamp is that of the stage.
    stamps: Vec<(usize, u32)>,
    /// The kinds of the stage, in the order in which they come up, and their columns.
    sets: Vec<u32>,
    columns: Vec<LaneSet>,
}

impl Selection {
    /// Finds what a task may roll in a stage.
    pub fn find<W>(&mut self, job: &Job<W>) {
        let (columns, all) = (job.columns(), job.context.layout.columns_of_task(job.task));
        self.first = all.start;
        self.kinds.resize(job.context.layout.width(), 0.0);
        match (job.side.decider, job.side.prepared) {
            (Decider::Best, _) if job.context.game.action_sets_by_opponent().is_some() => {
                // The same in each stage: found once, for all columns.
                if self.actions.is_none() {
                    self.find_all(job, all, |column| (0, column));
                }
            }
            (Decider::Best, _) => self.find_all(job, columns, |column| (job.stage - column, column)),
            (Decider::Fixed(_), Some(prepared)) => self.played = Some(Arc::clone(&prepared.stages[job.stage])),
            (Decider::Fixed(plan), None) => self.played = Some(Arc::new(self.find_played(job, plan, columns))),
        }
    }

    /// The distributions needed.
    pub fn needed(&self) -> &[Needed] {
        self.played.as_ref().map_or(&self.needed, |played| &played.needed)
    }

    /// The number of a thing in this stage; a new one is put at the end of `list`.
    fn number(stamps: &mut Vec<(usize, u32)>, stage: usize, thing: u32, list: &mut Vec<u32>) -> u32 {
        if stamps.len() <= thing as usize {
            stamps.resize(thing as usize + 1, (usize::MAX, 0));
        }
        let stamp = &mut stamps[thing as usize];
        if stamp.0 != stage {
            *stamp = (stage, list.len() as u32);
            list.push(thing);
        }
        stamp.1
    }

    /// The place of an action's distribution among the needed, in a row and at a column of the task, counted from the first that is
    /// a cell of the stage.
    pub fn place(
        &self,
        (row, action): (usize, usize),
        (actions, columns): (usize, &Range<usize>),
        column: usize,
    ) -> usize {
        let place = match (&self.played, &self.actions) {
            (Some(played), _) => {
                let at = Places::of(columns, self.first);
                played.places[row * (at.end - at.start) + column - self.first - at.start]
            }
            (None, Some(all)) => match all.rows[row * actions + action] {
                ActionRow::Uniform(place) => place,
                ActionRow::Mixed(mix) => all.mixes[mix as usize][self.kinds[column - self.first] as usize],
            },
            (None, None) => unreachable!("a stage is solved after its selection is found"),
        };
        place as usize
    }

    /// At some columns, whose cells are told by `scores`.
    fn find_all<W>(&mut self, job: &Job<W>, columns: Range<usize>, scores: impl Fn(usize) -> (usize, usize)) {
        let (game, first) = (job.context.game, self.first);
        self.sets.clear();
        self.columns.clear();
        for column in columns {
            let (score, opponent) = scores(column);
            let set = game.action_set_number_at(score, opponent) as u32;
            let kind = Self::number(&mut self.stamps, job.stage, set, &mut self.sets);
            self.kinds[column - first] = f64::from(kind);
            take_in(&mut self.columns, kind, column - first);
        }
        if !self.known.contains_key(&self.sets) {
            let actions = Actions::new(&job.context, &self.sets, job.theirs());
            self.known.insert(self.sets.clone(), Arc::new(actions));
        }
        let actions = Arc::clone(&self.known[&self.sets]);
        self.needed.clear();
        for (distribution, kinds) in &actions.needed {
            let at = kinds.iter().fold(0, |at, kind| at | self.columns[*kind as usize]);
            self.needed.push(Needed { distribution: *distribution, at });
        }
        self.actions = Some(actions);
    }

    fn find_played<W>(&mut self, job: &Job<W>, plan: &Plan, columns: Range<usize>) -> Played {
        let (context, space, theirs) = (&job.context, job.context.space(), job.theirs());
        let rows = space.shared * space.mine;
        let mut distributions = Vec::new();
        let at = Places::of(&columns, self.first);
        let count = at.end - at.start;
        let (places, choices) = (vec![0; rows * count], vec![0; rows * count]);
        let mut played = Played { needed: Vec::new(), places, choices };
        self.columns.clear();
        for row in 0..rows {
            let memories = (row / space.mine, row % space.mine, theirs);
            for column in columns.clone() {
                let action = plan.action(context.state(job.stage, column, memories));
                let distribution = context.action_set(job.stage, column, memories)[action];
                let place = Self::number(&mut self.stamps, job.stage, distribution, &mut distributions);
                take_in(&mut self.columns, place, column - self.first);
                let own = row * count + column - self.first - at.start;
                (played.places[own], played.choices[own]) = (place, action as u8);
            }
        }
        let needed = distributions.into_iter().zip(&self.columns);
        played.needed = needed.map(|(distribution, at)| Needed { distribution, at: *at }).collect();
        played
    }
}

impl Actions {
    fn new(context: &PassContext, sets: &[u32], theirs: usize) -> Self {
        let space = context.space();
        let mut actions = Self { needed: Vec::new(), rows: Vec::new(), mixes: Vec::new() };
        let mut places: HashMap<u32, u32, FixedState> = HashMap::default();
        for row in 0..space.shared * space.mine {
            let memories = (row / space.mine, row % space.mine, theirs);
            let of_kind = |set: &u32| context.kernel.action_sets[*set as usize].of(space, memories);
            let offered: Vec<&[u32]> = sets.iter().map(of_kind).collect();
            for action in 0..space.actions {
                let mix: Vec<u32> = offered.iter().map(|set| actions.place(&mut places, set[action])).collect();
                for (kind, place) in (0..).zip(&mix) {
                    let kinds = &mut actions.needed[*place as usize].1;
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                actions.push(mix);
            }
        }
        actions
    }

    fn place(&mut self, places: &mut HashMap<u32, u32, FixedState>, distribution: u32) -> u32 {
        *places.entry(distribution).or_insert_with(|| {
            self.needed.push((distribution, Vec::new()));
            (self.needed.len() - 1) as u32
        })
    }

    fn push(&mut self, mix: Vec<u32>) {
        let uniform = mix.iter().all(|place| *place == mix[0]);
        let row = match mix.first() {
            Some(first) if uniform => ActionRow::Uniform(*first),
            _ => {
                let known = self.mixes.iter().position(|known| *known == mix);
                ActionRow::Mixed(known.unwrap_or_else(|| {
                    self.mixes.push(mix);
                    self.mixes.len() - 1
                }) as u32)
            }
        };
        self.rows.push(row);
    }
}
