//! The game that rules describe: states, actions, weighted successors, and the facts solvers choose methods by.
//!
//! A state is two scores and the memories, seen by the player to move. [`Game`] numbers all states densely and
//! tells, for each cell (pair of scores), a [`Panel`]: the lotteries on offer and which state may take which.

mod arrival;
mod build;
mod classes;
pub mod examples;
mod lottery;
mod memory;
mod policy;
mod position;
mod turn;

pub use arrival::{Arrival, Destination};
pub use policy::{Plan, Policy, PolicyError};
pub use position::{Position, PositionError, memory_names};
pub use turn::{Step, Turn, TurnError, take_turn};

use crate::rules::{Faults, Rules};
use arrival::ArrivalTable;
use memory::{Classes, Combinations};

/// A set of numbers of dice, one bit for each action of the game from its fewest dice up.
pub type DiceSet = u32;

/// A game ready to be solved: rules tabulated into lotteries and arrivals.
#[derive(Debug)]
pub struct Game {
    rules: Rules,
    space: Space,
    mine: (Combinations, Classes),
    shared: (Combinations, Classes),
    panel_of_cell: Vec<u16>,
    panels: Vec<Panel>,
    ladders: Vec<Vec<(u32, u64)>>,
    arrivals: Vec<ArrivalTable>,
    order: Order,
    growths: Vec<Growth>,
}

/// How some turn raises the sum of scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The least gain of each outcome that does not end the game, and its chance (a double).
    pub gains: Vec<(usize, f64)>,
    /// See [`Lottery::additions`].
    pub additions: usize,
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

/// How the sum of both scores moves in a turn that does not end the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Every turn raises it: one backward pass over the sums solves the game.
    Rising,
    /// No turn lowers it, but some leave it unchanged: states of one sum may form loops.
    Level {
        /// The smallest chance with which a turn of chance that may leave the sum unchanged raises it or ends the game;
        /// 1 if only turns without chance leave it unchanged.
        least_leave: f64,
    },
}

/// Where an outcome arrives, as far as it does not depend on the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Landing {
    /// Which table of arrivals.
    table: u16,
    /// The mover's memory class if the turn passes, and if the mover moves again.
    mine: [u16; 2],
    /// The shared class, likewise.
    shared: [u16; 2],
    /// The turn's points.
    pub points: u32,
}

/// What one action can lead to: landings of a panel with whole weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Lottery {
    /// The landing's index in [`Offer::landings`], ascending, and its weight.
    pub outcomes: Vec<(u16, u64)>,
    /// The sum of the weights.
    pub total: u64,
    /// The same outcomes as stretches of neighbouring landings, weights as doubles: what vectors of a processor like.
    pub stretches: Vec<Stretch>,
    /// The same outcomes as a climb, where all rolls without a 1 land alike but for their points.
    pub climb: Option<Climb>,
    /// The most roundings that one weighted value goes through in the sum, whichever way it is taken.
    pub additions: usize,
}

/// A lottery as clean rolls, each die of which brings some points more, and a rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    /// Which of [`Game::ladders`] tells what one die brings.
    pub ladder: usize,
    /// How many dice.
    pub dice: usize,
    /// The other outcomes.
    pub rest: Vec<Stretch>,
}

/// Outcomes on neighbouring landings of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The index of the run.
    pub run: usize,
    /// The first landing.
    pub first: usize,
    /// Its place in the run.
    pub offset: usize,
    /// The weight of each landing from the first on, 0 for some that are not among the outcomes; a double (exact below
    /// 2^53).
    pub weights: Vec<f64>,
}

/// Neighbouring landings that differ only in their points, which are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The index of its first landing.
    pub first: usize,
    /// How many landings.
    pub length: usize,
    landing: Landing,
}

impl Lottery {
    /// The weight of a landing, as a double; 0 if it is not among the outcomes.
    #[inline(always)]
    pub fn weight_of(&self, landing: usize) -> f64 {
        let at = |part: &Stretch| part.weights.get(landing.wrapping_sub(part.first)).copied();
        self.stretches.iter().find_map(at).unwrap_or(0.0)
    }
}

/// Gaps up to this long are filled with weights of 0: a few more products cost less than one more stretch.
const LONGEST_GAP: usize = 8;

impl Lottery {
    fn new(outcomes: Vec<(u16, u64)>, total: u64, runs: &[Run], climb: Option<Climb>) -> Self {
        // Each weight and each product rounds once; then a term goes through at most as many sums as there are terms. A
        // climb rounds once for each step of each die; mended by single landings, once more for each of those.
        let rest = |climb: &Climb| climb.rest.iter().map(|part| part.weights.len()).sum::<usize>();
        let climbing = climb.as_ref().map_or(0, |climb| climb.dice * LONGEST_STEP + rest(climb) + 2);
        let additions = 2 + outcomes.len().max(climbing);
        let stretches = stretches(&outcomes, runs);
        Self { outcomes, total, stretches, climb, additions }
    }
}

/// Outcomes as stretches.
fn stretches(outcomes: &[(u16, u64)], runs: &[Run]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (landing, weight) in outcomes {
        let landing = usize::from(*landing);
        let run = runs.partition_point(|run| run.first <= landing) - 1;
        let near = |last: &&mut Stretch| last.run == run && landing <= last.first + last.weights.len() + LONGEST_GAP;
        match stretches.last_mut().filter(near) {
            Some(last) => {
                last.weights.resize(landing - last.first, 0.0);
                last.weights.push(*weight as f64);
            }
            None => {
                let offset = landing - runs[run].first;
                stretches.push(Stretch { run, first: landing, offset, weights: vec![*weight as f64] });
            }
        }
    }
    stretches
}

/// The most numbers of points that one die of a ladder may bring.
const LONGEST_STEP: usize = 6;

impl Offer {
    /// The landings that may leave the sum of scores as it is, from some cell.
    pub fn level_landings(&self) -> impl Iterator<Item = &Landing> {
        self.level.iter().map(|landing| &self.landings[usize::from(*landing)])
    }
}

impl Run {
    /// The points of its first landing.
    pub fn points(&self) -> usize {
        self.landing.points as usize
    }

    /// The mover's memory class and the shared class after its turns, where they pass.
    pub fn classes(&self) -> (usize, usize) {
        (self.landing.mine[0].into(), self.landing.shared[0].into())
    }
}

/// What is on offer at some cells for one class of the shared memories.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// All landings of the lotteries.
    pub landings: Vec<Landing>,
    /// The same in runs.
    pub runs: Vec<Run>,
    /// Those that may leave the sum of scores as it is, from some cell.
    pub level: Vec<u16>,
    /// The distinct lotteries.
    pub lotteries: Vec<Lottery>,
}

/// What is on offer at some cells.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// By class of the shared memories.
    pub offers: Vec<Offer>,
    /// Lottery of each action: `choices[((g * mine + i) * mine + j) * actions + action]`, or without `j` where the
    /// opponent's memory does not matter.
    choices: Vec<u16>,
    theirs_matter: bool,
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
    /// The mover's score.
    #[inline(always)]
    pub fn score(&self) -> usize {
        self.score
    }

    /// The opponent's score.
    #[inline(always)]
    pub fn opponent(&self) -> usize {
        self.opponent
    }

    /// Landings of a stretch of `length` landings from `first` on, all of one run, that do not lead to the opponent
    /// with the scores as they are after adding the points, or to a win where those reach the goal.
    #[inline(always)]
    pub fn surprises(&self, run: &Run, first: usize, length: usize) -> impl Iterator<Item = usize> + use<'_> {
        let points = run.points() + first - run.first;
        let table = &self.game.arrivals[usize::from(run.landing.table)];
        table.surprises((self.score, self.opponent), points, length).map(move |place| first + place)
    }

    /// Where a landing leads.
    #[inline(always)]
    pub fn successor(&self, landing: &Landing) -> Successor {
        let arrivals = &self.game.arrivals[usize::from(landing.table)];
        match arrivals.row(self.score, self.opponent)[landing.points as usize].destination() {
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

impl Panel {
    /// The lotteries, among `offers[shared]`, of each action in a state with memories (shared, mine, theirs).
    #[inline(always)]
    pub fn lotteries(&self, space: &Space, (shared, mine, theirs): (usize, usize, usize)) -> &[u16] {
        let row = shared * space.mine + mine;
        let place = if self.theirs_matter { row * space.mine + theirs } else { row };
        &self.choices[place * space.actions..][..space.actions]
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

    /// What one die of a clean roll can bring, with weights: one list for each kind of die and extra points.
    pub fn ladders(&self) -> &[Vec<(u32, u64)>] {
        &self.ladders
    }

    /// The distinct ways in which turns raise the sum of scores.
    pub fn growths(&self) -> &[Growth] {
        &self.growths
    }

    /// The arrivals that are not plain, if all turns share one table of arrivals by (total, opponent): the opponent's
    /// score, the total, and where it leads.
    pub fn only_surprises(&self) -> Option<Vec<(usize, usize, Destination)>> {
        match &self.arrivals[..] {
            [only] => only.all_surprises(),
            _ => None,
        }
    }

    /// What is on offer at a cell.
    #[inline(always)]
    pub fn panel(&self, cell: usize) -> &Panel {
        &self.panels[usize::from(self.panel_of_cell[cell])]
    }

    /// All panels.
    pub fn panels(&self) -> &[Panel] {
        &self.panels
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
        let (mine, rest) = (state % self.space.mine, state / self.space.mine);
        let (theirs, rest) = (rest % self.space.mine, rest / self.space.mine);
        let (shared, cell) = (rest % self.space.shared, rest / self.space.shared);
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
