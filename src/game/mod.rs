//! The game that rules describe: states, actions, weighted successors, and the facts solvers choose methods by.
//!
//! A state is two scores and the memories, seen by the player to move. [`Game`] numbers all states densely and
//! tells, for each cell (pair of scores), a [`Panel`]: the lotteries on offer and which state may take which.

mod arrival;
mod build;
mod classes;
pub mod examples;
mod facts;
mod grid;
mod intern;
mod line;
mod lottery;
mod memory;
mod misrule;
mod offer;
mod offering;
mod panels;
mod points_run;
mod policy;
mod position;
mod tabulate;
mod totals;
mod turn;

pub use arrival::{Arrival, Destination};
pub use facts::{Growth, Order};
pub use offer::{Climb, Landing, Lottery, Offer, Panel};
pub use points_run::PointsRun;
pub use policy::{Plan, Policy, PolicyError};
pub use position::{Position, PositionError, memory_names};
pub use turn::{Step, Turn, TurnError, dice_rolled, settle, take_turn};

use crate::rules::{Faults, Rules};
use arrival::ArrivalTable;
use memory::{Classes, Combinations};
use panels::PanelIndex;

/// A set of numbers of dice, one bit for each action of the game from its fewest dice up.
pub type DiceSet = u32;

/// A game ready to be solved: rules tabulated into lotteries and arrivals.
#[derive(Debug)]
pub struct Game {
    rules: Rules,
    space: Space,
    mine: (Combinations, Classes),
    shared: (Combinations, Classes),
    panel_index: PanelIndex,
    panels: Vec<Panel>,
    ladders: Vec<Vec<(u32, u64)>>,
    arrivals: Vec<ArrivalTable>,
    order: Order,
    growths: Vec<Growth>,
    reach: usize,
    /// By sum of scores; empty where every turn raises it.
    longest_chains: Vec<usize>,
}

/// The sizes of a game's state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Scores run from 0 to this, exclusive.
    pub goal: usize,
    /// Classes of one player's memories.
    pub mine: usize,
    /// Classes of the shared memories.
    pub shared: usize,
    /// Actions: numbers of dice from the fewest up.
    pub actions: usize,
    /// The fewest dice: the dice of action 0.
    pub min_dice: i32,
}

/// Where a lottery's outcome leads from a given cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// The game ends.
    End(End),
    /// The opponent moves next.
    Passed {
        /// The cell as the opponent sees it.
        cell: usize,
        /// The shared class.
        shared: usize,
        /// The mover's memory class, which the opponent sees as the other's.
        theirs: usize,
    },
    /// The mover moves again.
    Again {
        /// The cell as the mover sees it.
        cell: usize,
        /// The shared class.
        shared: usize,
        /// The mover's memory class.
        mine: usize,
    },
}

/// How a game ends for the player who has just moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With the higher score.
    Won,
    /// With the lower score.
    Lost,
    /// With equal scores.
    Tied,
}

impl Space {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.goal * self.goal * self.per_cell()
    }

    /// How many states share one pair of scores.
    pub fn per_cell(&self) -> usize {
        self.shared * self.mine * self.mine
    }

    /// The index of a state. The mover's own memory counts fastest, so that the states a turn leads to, which
    /// differ in just the next mover's memory, lie side by side.
    #[inline(always)]
    pub fn state(&self, cell: usize, shared: usize, theirs: usize, mine: usize) -> usize {
        ((cell * self.shared + shared) * self.mine + theirs) * self.mine + mine
    }

    /// The cell of a state and its memory classes (shared, the mover's, the other's): the inverse of [`Self::state`].
    #[inline(always)]
    pub fn parts(&self, state: usize) -> (usize, (usize, usize, usize)) {
        let (mine, rest) = (state % self.mine, state / self.mine);
        let (theirs, rest) = (rest % self.mine, rest / self.mine);
        (rest / self.shared, (rest % self.shared, mine, theirs))
    }

    /// The sum of the scores of a cell.
    pub fn sum(&self, cell: usize) -> usize {
        cell / self.goal + cell % self.goal
    }

    /// The cells of one sum of scores, in ascending order of the mover's score.
    pub fn layer(&self, sum: usize) -> impl ExactSizeIterator<Item = usize> + use<> {
        let (goal, least) = (self.goal, (sum + 1).saturating_sub(self.goal));
        (least..sum.min(goal - 1) + 1).map(move |score| score * goal + sum - score)
    }

    /// How many sums of scores there are.
    pub fn layers(&self) -> usize {
        2 * self.goal - 1
    }

    /// The number of dice of an action.
    pub fn dice(&self, action: usize) -> i32 {
        self.min_dice + action as i32
    }

    /// The action of a number of dice.
    pub fn action(&self, dice: i32) -> Option<usize> {
        usize::try_from(dice.checked_sub(self.min_dice)?).ok().filter(|action| *action < self.actions)
    }

    /// The numbers of dice in a set, ascending.
    pub fn dice_in(&self, set: DiceSet) -> Vec<i32> {
        (0..self.actions).filter(|action| set >> action & 1 == 1).map(|action| self.dice(action)).collect()
    }
}

/// A cell, from which landings are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    game: &'a Game,
    score: usize,
    opponent: usize,
}

impl Outlook<'_> {
    /// Where a landing leads.
    #[inline(always)]
    pub fn successor(&self, landing: &Landing) -> Successor {
        match self.game.destination((self.score, self.opponent), landing) {
            Destination::Won => Successor::End(End::Won),
            Destination::Lost => Successor::End(End::Lost),
            Destination::Tied => Successor::End(End::Tied),
            Destination::Passed { cell } => {
                Successor::Passed { cell, shared: landing.shared[0].into(), theirs: landing.mine[0].into() }
            }
            Destination::Again { cell } => {
                Successor::Again { cell, shared: landing.shared[1].into(), mine: landing.mine[1].into() }
            }
        }
    }
}

impl Game {
    /// Tabulates rules into a game.
    ///
    /// # Errors
    /// If a rule has no value somewhere, leaves its range, can lower the sum of scores, or the game cannot end.
    pub fn new(rules: Rules) -> Result<Self, Faults> {
        build::build(rules)
    }

    /// The rules it was made from.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The sizes of its state space.
    pub fn space(&self) -> Space {
        self.space
    }

    /// How the sum of scores moves.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The least that a turn raises the sum of scores by, if it does not end the game.
    fn least_gain(&self) -> i64 {
        if self.order == Order::Rising { 1 } else { 0 }
    }

    /// The most that a turn raises the sum of scores by, if it does not end the game; at least 1.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// The most states of a sum of scores that a value may pass through, one after another; 0 where every turn raises
    /// the sum.
    pub fn longest_chain(&self, sum: usize) -> usize {
        self.longest_chains.get(sum).copied().unwrap_or(0)
    }

    /// Whether rules on totals may lower the sum of the totals that a turn's points have led to.
    pub fn rules_lower_totals(&self) -> bool {
        self.arrivals.iter().any(|table| table.least_excess < 0)
    }

    /// What one die of a clean roll can bring, with weights: one list for each kind of die and extra points.
    pub fn ladders(&self) -> &[Vec<(u32, u64)>] {
        &self.ladders
    }

    /// The distinct ways in which turns raise the sum of scores.
    pub fn growths(&self) -> &[Growth] {
        &self.growths
    }

    /// Where a kind of landing does not lead to the opponent with the totals as they are after adding the points, or to a
    /// win where those reach the goal: the opponent's score, the total, and where it leads; `None` if that depends on the
    /// points.
    pub fn surprises(&self, landing: &Landing) -> Option<impl Iterator<Item = (usize, usize, Destination)> + use<'_>> {
        self.arrivals[usize::from(landing.table)].surprises()
    }

    /// The same in any game: `see` gets each opponent's score and total, in ascending order of both, and where the points of
    /// a turn lead that brings the total there, most points first.
    pub fn each_surprise(&self, landing: &Landing, see: impl FnMut(usize, usize, &[PointsRun])) {
        self.arrivals[usize::from(landing.table)].each_surprise(see);
    }

    /// The same from one cell: the turn's points, and where they lead.
    pub fn surprises_from(
        &self,
        cell: usize,
        landing: &Landing,
    ) -> impl Iterator<Item = (usize, Destination)> + use<'_> {
        let (score, opponent) = (cell / self.space.goal, cell % self.space.goal);
        self.arrivals[usize::from(landing.table)].surprises_from(score, opponent)
    }

    /// What is on offer at a cell.
    #[inline(always)]
    pub fn panel(&self, cell: usize) -> &Panel {
        &self.panels[self.panel_number(cell)]
    }

    /// The index of a cell's panel in [`Self::panels`].
    #[inline(always)]
    pub fn panel_number(&self, cell: usize) -> usize {
        self.panel_index.of_cell(cell, self.space.goal)
    }

    /// The index of the panel of a pair of scores in [`Self::panels`]: as [`Self::panel_number`] of their cell, without its
    /// division.
    #[inline(always)]
    pub fn panel_number_at(&self, score: usize, opponent: usize) -> usize {
        self.panel_index.at(score, opponent)
    }

    /// The indices in [`Self::panels`] by the opponent's score, as many as the goal, if what is on offer does not depend on
    /// the own score; `None` if it does.
    pub fn panels_by_opponent(&self) -> Option<&[u16]> {
        self.panel_index.by_opponent()
    }

    /// After how many own scores what is on offer repeats, at each of the opponent's; the goal if it does not.
    pub fn panels_repeat_after(&self) -> usize {
        self.panel_index.period()
    }

    /// All panels.
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// What an action leads to in a state: the landings on offer, and the lottery over them.
    pub fn lottery(&self, state: usize, action: usize) -> (&Offer, &Lottery) {
        let (cell, memories) = self.space.parts(state);
        let panel = self.panel(cell);
        let offer = &panel.offers[memories.0];
        (offer, &offer.lotteries[usize::from(panel.lotteries(&self.space, memories)[action])])
    }

    /// The view from a cell.
    #[inline(always)]
    pub fn outlook(&self, cell: usize) -> Outlook<'_> {
        Outlook { game: self, score: cell / self.space.goal, opponent: cell % self.space.goal }
    }

    /// Where a landing leads from a cell.
    pub fn successor(&self, cell: usize, landing: &Landing) -> Successor {
        self.outlook(cell).successor(landing)
    }

    /// Where a landing leads from a pair of scores, without the memories.
    #[inline(always)]
    pub fn destination(&self, (score, opponent): (usize, usize), landing: &Landing) -> Destination {
        let arrivals = &self.arrivals[usize::from(landing.table)];
        arrivals.arrival(score, opponent, landing.points as usize).destination()
    }

    /// The state of a position.
    pub fn state(&self, position: &Position) -> usize {
        let (mine, theirs, shared) = self.memory_indices(position);
        let cell = position.score as usize * self.space.goal + position.opponent as usize;
        self.space.state(
            cell,
            self.shared.1.class_of[shared] as usize,
            self.mine.1.class_of[theirs] as usize,
            self.mine.1.class_of[mine] as usize,
        )
    }

    /// The state in which the game starts.
    pub fn start(&self) -> usize {
        self.state(&Position::new(&self.rules, 0, 0).expect("0 is below every goal"))
    }

    /// A position of a state: memories that behave alike are shown by the smallest.
    pub fn position(&self, state: usize) -> Position {
        let (cell, (shared, mine, theirs)) = self.space.parts(state);
        let values = |(combinations, classes): &(Combinations, Classes), class: usize| {
            combinations.values(classes.representative[class])
        };
        let (mine, theirs, shared) =
            (values(&self.mine, mine), values(&self.mine, theirs), values(&self.shared, shared));
        let of =
            |values: &[(usize, i64)], memory: usize| values.iter().find(|(m, _)| *m == memory).expect("its memory").1;
        let mut memory = Vec::new();
        for (index, kept) in self.rules.memories.iter().enumerate() {
            if kept.of_player {
                memory.extend([of(&mine, index), of(&theirs, index)]);
            } else {
                memory.push(of(&shared, index));
            }
        }
        let goal = self.space.goal;
        Position { score: (cell / goal) as u32, opponent: (cell % goal) as u32, memory }
    }

    fn memory_indices(&self, position: &Position) -> (usize, usize, usize) {
        let mut slots = Vec::with_capacity(self.rules.memories.len());
        let mut next = 0;
        for kept in &self.rules.memories {
            slots.push(next);
            next += if kept.of_player { 2 } else { 1 };
        }
        let mine = self.mine.0.index(|m| position.memory[slots[m]]);
        let theirs = self.mine.0.index(|m| position.memory[slots[m] + 1]);
        (mine, theirs, self.shared.0.index(|m| position.memory[slots[m]]))
    }
}
