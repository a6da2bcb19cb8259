//! The one Bellman step: what a state is worth, given the states its turns lead to (Bellman, 1957).
//!
//! A state's value is that of its best lottery; a lottery's is the weighted mean of where it lands, which is the
//! opponent's loss or, where the mover goes on, the mover's own value. Methods differ only in the order in which
//! they take states and in when they stop.

use crate::game::{DiceSet, Game, Plan, Successor, TurnOutcome};

use super::arithmetic::{Arithmetic, Solved, Source, Spot, Weighing};
use super::layout::{LayerIndex, Layout};

/// Who chooses on a side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Chooser<'a> {
    /// The best action for the mover.
    Best,
    /// A fixed policy.
    Fixed(&'a Plan),
}

/// A side of the game: who moves there, and on which side the states lie after the move is passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub chooser: Chooser<'a>,
    /// The index of the side whose numbers are read after passing; its own for symmetric play.
    pub other: usize,
    /// The index of the side whose numbers these are.
    pub own: usize,
}

/// Everything a step reads beside the numbers.
pub(super) struct Board<'a, A> {
    pub game: &'a Game,
    pub layout: &'a Layout,
    pub arithmetic: &'a A,
}

// Derived, these would ask the numbers to be copied, which are only borrowed.
impl<A> Clone for Board<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Board<'_, A> {}

/// Room for one thread's steps.
pub(super) struct Room<A: Arithmetic> {
    pub wanted: Vec<u16>,
    pub expected: Vec<A::Word>,
    pub scratch: A::Scratch,
}

impl<A: Arithmetic> Default for Room<A> {
    fn default() -> Self {
        Self { wanted: Vec::new(), expected: Vec::new(), scratch: A::Scratch::default() }
    }
}

impl<'a, A: Arithmetic> Board<'a, A> {
    /// Where the value of a successor is read.
    #[inline(always)]
    pub fn source(&self, side: &Side, successor: Successor) -> Source {
        let space = &self.layout.space;
        match successor {
            Successor::End(end) => Source::End(end),
            Successor::Passed { cell, shared, theirs } => {
                let layer = self.layout.layer_of(cell);
                let number = space.state(0, shared, theirs, 0);
                let word = self.layout.first_word_of(cell) + number * self.layout.words(layer);
                Source::Passed { side: side.other, layer, word }
            }
            Successor::Again { cell, shared, mine } => {
                let layer = self.layout.layer_of(cell);
                let number = space.state(0, shared, 0, mine);
                let word = self.layout.first_word_of(cell) + number * self.layout.words(layer);
                Source::Again { side: side.own, layer, word, stride: space.mine }
            }
        }
    }

    /// Whether clean rolls are kept on a side: where only some are played, to find all takes longer.
    pub fn keeps_rolls(&self, side: &Side) -> bool {
        matches!(side.chooser, Chooser::Best) && self.arithmetic.rolls_reach() > 0
    }

    /// The cell, if its clean rolls are kept on a side.
    pub fn spot(&self, side: &Side, cell: usize) -> Option<Spot> {
        let scores = (cell / self.layout.space.goal, cell % self.layout.space.goal);
        self.keeps_rolls(side).then(|| Spot { side: side.own, layer: self.layout.layer_of(cell), scores })
    }

    /// Finds the clean rolls from a cell.
    pub fn roll(
        &self,
        side: &Side,
        cell: usize,
        solved: &Solved<A::Word>,
        (room, rolls): (&mut Room<A>, &mut [A::Word]),
    ) {
        let outlook = self.game.successors_from(cell);
        let source = |landing: &TurnOutcome| self.source(side, outlook.successor(landing));
        if let Some(spot) = self.spot(side, cell) {
            self.arithmetic.roll(&spot, source, solved, (&mut room.scratch, rolls));
        }
    }

    /// The distributions that the chooser may take in some state of a cell, for one class of the shared memories.
    pub fn wanted(&self, side: &Side, cell: usize, shared: usize, wanted: &mut Vec<u16>) {
        let space = &self.layout.space;
        let panel = self.game.action_set(cell);
        wanted.clear();
        match side.chooser {
            Chooser::Best => wanted.extend(0..panel.by_shared[shared].distributions.len() as u16),
            Chooser::Fixed(plan) => {
                for (mine, theirs) in pairs(space.mine) {
                    let action = plan.action(space.state(cell, shared, theirs, mine));
                    wanted.push(panel.distributions(space, (shared, mine, theirs))[action]);
                }
                wanted.sort_unstable();
                wanted.dedup();
            }
        }
    }

    /// Solves all states of one cell from what is solved. `values` and `sets` are the cell's. Turns may land
    /// on states of the cell's own layer that are solved.
    pub fn step(
        &self,
        side: &Side,
        cell: usize,
        solved: &Solved<A::Word>,
        room: &mut Room<A>,
        (values, sets): (&mut [A::Word], &mut [DiceSet]),
    ) {
        let (space, layer) = (&self.layout.space, self.layout.layer_of(cell));
        let (panel, words) = (self.game.action_set(cell), self.layout.words(layer));
        let outlook = self.game.successors_from(cell);
        for (shared, offer) in panel.by_shared.iter().enumerate() {
            self.wanted(side, cell, shared, &mut room.wanted);
            let spot = self.spot(side, cell);
            let weighing = Weighing { offer, wanted: &room.wanted, lanes: space.mine, layer, spot };
            let source = |landing: usize| self.source(side, outlook.successor(&offer.outcomes[landing]));
            self.arithmetic.expect(&weighing, source, solved, (&mut room.scratch, &mut room.expected));
            for (mine, theirs) in pairs(space.mine) {
                let place = space.state(0, shared, theirs, mine);
                let distributions = panel.distributions(space, (shared, mine, theirs));
                let value_of = |action: usize| {
                    let first = (usize::from(distributions[action]) * space.mine + theirs) * words;
                    &room.expected[first..first + words]
                };
                let (best, set) = match side.chooser {
                    Chooser::Best => self.best(layer, value_of),
                    Chooser::Fixed(plan) => {
                        let action = plan.action(space.state(cell, shared, theirs, mine));
                        (value_of(action), 1 << action)
                    }
                };
                values[place * words..(place + 1) * words].clone_from_slice(best);
                sets[place] = set;
            }
        }
    }

    /// The largest of the actions' values, and all actions that tie with it.
    fn best<'v>(&self, layer: LayerIndex, value_of: impl Fn(usize) -> &'v [A::Word]) -> (&'v [A::Word], DiceSet)
    where
        A::Word: 'v,
    {
        let mut best = value_of(0);
        for action in 1..self.layout.space.actions {
            let value = value_of(action);
            if self.arithmetic.compare(value, best).is_gt() {
                best = value;
            }
        }
        let actions = 0..self.layout.space.actions;
        let set = actions.filter(|action| self.arithmetic.ties(best, value_of(*action), layer));
        (best, set.fold(0, |set, action| set | 1 << action))
    }
}

/// All pairs (mine, theirs) of memory classes.
pub(super) fn pairs(classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..classes).flat_map(move |theirs| (0..classes).map(move |mine| (mine, theirs)))
}
