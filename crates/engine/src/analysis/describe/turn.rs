//! Whole turns. In games such as Pig, a turn is all rolls until the other player is to move.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::played::Roller;
use crate::game::{End, Game, Plan, Successor};

/// A share of a turn's outcomes too small to follow. It only bounds how often a turn comes back to
/// the same state: chains are to have all nodes that can be reached.
const NEGLIGIBLE: f64 = 1e-300;

/// The most positions that a turn is followed through; one that goes on may never end.
const MOST_ROLLS: usize = 1_000_000;

/// Finds the outcomes of turns; holds the room for it.
pub(super) struct Turns<'g> {
    game: &'g Game,
    has_rolls: bool,
    /// Where a turn may be several rolls, by state: the probability that the turn comes there and
    /// has not been followed further.
    coming: Vec<f64>,
    /// The states with such a probability. A pot grows, so the lowest state is usually followed
    /// once.
    waiting: BinaryHeap<Reverse<usize>>,
    /// By state, the place in `outcomes` where the turn ends with this state; `u32::MAX` if there
    /// is none.
    place: Vec<u32>,
    outcomes: Vec<(f64, Successor)>,
    met: Vec<(usize, f64)>,
}

impl<'g> Turns<'g> {
    pub fn new(game: &'g Game) -> Self {
        let has_rolls = game.rules().has_turns_of_rolls();
        let states = if has_rolls { game.space().states() } else { 0 };
        Self {
            game,
            has_rolls,
            coming: vec![0.0; states],
            waiting: BinaryHeap::new(),
            place: vec![u32::MAX; states],
            outcomes: Vec::new(),
            met: Vec::new(),
        }
    }

    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// Whether a turn may be several rolls.
    pub fn has_rolls(&self) -> bool {
        self.has_rolls
    }

    /// Returns the outcomes of a turn from a state, with their probabilities; `None` if it may go
    /// on for ever.
    pub fn from(&mut self, state: usize, roller: &Roller) -> Option<&[(f64, Successor)]> {
        self.outcomes.clear();
        self.met.clear();
        if !self.has_rolls {
            each_roll(self.game, state, 1.0, roller, |share, after| {
                self.outcomes.push((share, after))
            });
            return Some(&self.outcomes);
        }
        let mut ends: [f64; 3] = [0.0; 3];
        self.come(state, 1.0);
        let mut followed = 0;
        while let Some(Reverse(from)) = self.waiting.pop() {
            let share = std::mem::take(&mut self.coming[from]);
            followed += 1;
            if share < NEGLIGIBLE || followed > MOST_ROLLS {
                continue;
            }
            self.met.push((from, share));
            each_roll(self.game, from, share, roller, |share, after| match after {
                Successor::Next { to, again: true } => self.come(to, share),
                Successor::Next { to, again: false } => self.pass(to, share),
                Successor::End(end) => ends[end as usize] += share,
            });
        }
        for to in self.outcomes.iter().filter_map(|(_, after)| after.state()) {
            self.place[to] = u32::MAX;
        }
        let ended =
            [End::Won, End::Lost, End::Tied].map(|end| (ends[end as usize], Successor::End(end)));
        self.outcomes.extend(ended.into_iter().filter(|(share, _)| *share > 0.0));
        (followed <= MOST_ROLLS).then_some(&self.outcomes)
    }

    /// The states of the turn that was last found in a game with a pot, with their probabilities.
    pub fn met(&self) -> &[(usize, f64)] {
        &self.met
    }

    fn come(&mut self, state: usize, share: f64) {
        if self.coming[state] == 0.0 {
            self.waiting.push(Reverse(state));
        }
        self.coming[state] += share;
    }

    fn pass(&mut self, state: usize, share: f64) {
        if self.place[state] == u32::MAX {
            self.place[state] = self.outcomes.len() as u32;
            self.outcomes.push((0.0, Successor::Next { to: state, again: false }));
        }
        self.outcomes[self.place[state] as usize].0 += share;
    }
}

/// Returns how often turns begin in each state, by side, given the expected visits to all states
/// and the probabilities that each side moves first.
pub fn turns_begun<'v>(
    game: &Game,
    plans: [&Plan; 2],
    start: [f64; 2],
    visits: &'v [Vec<f64>; 2],
) -> Cow<'v, [Vec<f64>; 2]> {
    if !game.rules().has_turns_of_rolls() {
        return Cow::Borrowed(visits);
    }
    let mut begun = [0, 1].map(|side: usize| vec![0.0; visits[side].len()]);
    (0..2).for_each(|side| begun[side][game.start()] = start[side]);
    for (side, plan) in plans.into_iter().enumerate() {
        for (state, visits) in visits[side].iter().enumerate().filter(|(_, visits)| **visits > 0.0)
        {
            each_roll(game, state, *visits, &Roller::Plan(plan), |share, after| {
                if let Successor::Next { to, again: false } = after {
                    begun[1 - side][to] += share;
                }
            });
        }
    }
    Cow::Owned(begun)
}

/// Calls `visit` with each outcome of one roll, given the probability of the roll.
pub(super) fn each_roll(
    game: &Game,
    state: usize,
    chance: f64,
    roller: &Roller,
    mut visit: impl FnMut(f64, Successor),
) {
    let actions = match roller {
        Roller::Plan(plan) => plan.action(state)..plan.action(state) + 1,
        Roller::Random => 0..game.space().actions,
    };
    let each = chance / actions.len() as f64;
    for action in actions {
        let total = game.distribution(state, action).total as f64;
        for (weight, after) in game.weighted_successors(state, action) {
            visit(each * (weight as f64 / total), after);
        }
    }
}
