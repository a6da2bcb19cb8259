//! Whole turns. In games such as Pig, a turn is all rolls until the other player is to move.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::dice::double_of;
use crate::game::{End, Game, Plan, Successor};
use crate::limits;

/// How a side chooses the number of dice.
pub(super) enum Roller<'a> {
    /// A plan.
    Plan(&'a Plan),
    /// A uniformly random number of dice, of which random ones are kept.
    Random,
    /// Always the same action.
    Always(usize),
}

impl Roller<'_> {
    /// The actions that it chooses from, each as probable as any other.
    pub fn actions(&self, game: &Game, state: usize) -> Range<usize> {
        match self {
            Self::Plan(plan) => plan.action(state)..plan.action(state) + 1,
            Self::Random => 0..game.space().actions,
            Self::Always(action) => *action..*action + 1,
        }
    }
}

/// A share of a turn's outcomes too small to follow. It only bounds how often a turn comes back to
/// the same state: chains are to have all nodes that can be reached.
const NEGLIGIBLE: f64 = 1e-300;

/// An outcome of a turn, with its probability.
pub(super) type TurnOutcome = (f64, Successor);

/// A whole turn.
pub(super) struct WholeTurn<'t> {
    pub outcomes: &'t [TurnOutcome],
    /// How much the probabilities are off together, in units of 2^-53.
    pub off: f64,
}

/// A turn in which the player holds at some number of points: [`Turns::raise`].
pub(super) struct HeldTurn {
    /// The states in which the player holds, with their probabilities.
    held: Vec<(usize, f64)>,
    /// The outcomes of rolls.
    rolled: Vec<TurnOutcome>,
}

impl HeldTurn {
    /// A turn in which nothing has been rolled.
    pub fn new(state: usize) -> Self {
        Self { held: vec![(state, 1.0)], rolled: Vec::new() }
    }

    /// Appends the outcomes of the turn.
    pub fn append(&self, game: &Game, hold: usize, outcomes: &mut Vec<TurnOutcome>) {
        outcomes.extend(&self.rolled);
        for (state, share) in &self.held {
            each_roll(game, *state, *share, &Roller::Always(hold), |share, after| {
                outcomes.push((share, after));
            });
        }
    }
}

/// The operations that round the probability of one roll.
const ROUNDED: f64 = 3.0;

/// Finds the outcomes of turns; holds the room for it.
pub(super) struct Turns<'g> {
    game: &'g Game,
    has_rolls: bool,
    /// Where a turn may be several rolls, by state: the probability that the turn comes there and
    /// has not been followed further, and how much that is off.
    coming: Vec<[f64; 2]>,
    /// The states with such a probability. A pot grows, so the lowest state is usually followed
    /// once.
    waiting: BinaryHeap<Reverse<usize>>,
    /// By state, the place in `outcomes` where the turn ends with this state; `u32::MAX` if there
    /// is none.
    place: Vec<u32>,
    outcomes: Vec<TurnOutcome>,
    /// The probabilities that the turn ends the game, by [`End`].
    ends: [f64; 3],
    met: Vec<(usize, f64)>,
}

impl<'g> Turns<'g> {
    pub fn new(game: &'g Game) -> Self {
        let has_rolls = game.rules().has_turns_of_rolls();
        let states = if has_rolls { game.space().states() } else { 0 };
        Self {
            game,
            has_rolls,
            coming: vec![[0.0; 2]; states],
            waiting: BinaryHeap::new(),
            place: vec![u32::MAX; states],
            outcomes: Vec::new(),
            ends: [0.0; 3],
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

    /// Returns the turn from a state; `None` if it may go on for ever.
    pub fn from(&mut self, state: usize, roller: &Roller) -> Option<WholeTurn<'_>> {
        self.outcomes.clear();
        self.met.clear();
        if !self.has_rolls {
            each_roll(self.game, state, 1.0, roller, |share, after| {
                self.outcomes.push((share, after));
            });
            // Those of one end are added up.
            let off = ROUNDED + self.outcomes.len() as f64;
            return Some(WholeTurn { outcomes: &self.outcomes, off });
        }
        self.come(state, 1.0, 0.0);
        let off = self.follow(|_| Some(roller), &mut Vec::new())?;
        Some(WholeTurn { outcomes: &self.outcomes, off })
    }

    /// Rolls on in a turn wherever less than `goal` points are held, given those by state. Returns
    /// `None` if it may go on for ever.
    pub fn raise(
        &mut self,
        turn: &mut HeldTurn,
        points: &[f64],
        goal: f64,
        roll: usize,
    ) -> Option<()> {
        self.outcomes.clear();
        self.met.clear();
        for (share, after) in turn.rolled.drain(..) {
            match after {
                Successor::Next { to, .. } => _ = self.pass(to, share),
                Successor::End(end) => self.ends[end as usize] += share,
            }
        }
        for (state, share) in turn.held.drain(..) {
            self.come(state, share, 0.0);
        }
        let rolls_on = Roller::Always(roll);
        self.follow(|state| (points[state] < goal).then_some(&rolls_on), &mut turn.held)?;
        turn.rolled.extend(&self.outcomes);
        Some(())
    }

    /// Follows a turn wherever somebody rolls; appends the other states to `held`. Returns how much
    /// the probabilities are off; `None` if it may go on for ever.
    fn follow<'r>(
        &mut self,
        roller: impl Fn(usize) -> Option<&'r Roller<'r>>,
        held: &mut Vec<(usize, f64)>,
    ) -> Option<f64> {
        let mut followed = 0;
        let mut off_in_all = 0.0;
        while let Some(Reverse(from)) = self.waiting.pop() {
            let [share, off] = std::mem::take(&mut self.coming[from]);
            if share < NEGLIGIBLE || followed > limits::TURN_POSITIONS {
                continue;
            }
            let Some(roller) = roller(from) else {
                held.push((from, share));
                continue;
            };
            followed += 1;
            self.met.push((from, share));
            let each_off = off / share;
            each_roll(self.game, from, share, roller, |share, after| {
                let off = share * (each_off + ROUNDED);
                let sum = match after {
                    Successor::Next { to, again: true } => {
                        self.come(to, share, off);
                        return;
                    }
                    Successor::Next { to, again: false } => self.pass(to, share),
                    Successor::End(end) => {
                        self.ends[end as usize] += share;
                        self.ends[end as usize]
                    }
                };
                // The sum is rounded too.
                off_in_all += off + sum;
            });
        }
        for to in self.outcomes.iter().filter_map(|(_, after)| after.state()) {
            self.place[to] = u32::MAX;
        }
        for end in [End::Won, End::Lost, End::Tied] {
            let share = std::mem::take(&mut self.ends[end as usize]);
            if share > 0.0 {
                self.outcomes.push((share, Successor::End(end)));
            }
        }
        (followed <= limits::TURN_POSITIONS).then_some(off_in_all + 1.0)
    }

    /// The states of the turn that was last found in a game with a pot, with their probabilities.
    pub fn met(&self) -> &[(usize, f64)] {
        &self.met
    }

    fn come(&mut self, state: usize, share: f64, off: f64) {
        let [sum, sum_off] = &mut self.coming[state];
        if *sum == 0.0 {
            self.waiting.push(Reverse(state));
        }
        *sum += share;
        // The sum is rounded too.
        *sum_off += off + *sum;
    }

    /// Adds to the probability of an outcome; returns the sum.
    fn pass(&mut self, state: usize, share: f64) -> f64 {
        if self.place[state] == u32::MAX {
            self.place[state] = self.outcomes.len() as u32;
            self.outcomes.push((0.0, Successor::Next { to: state, again: false }));
        }
        let sum = &mut self.outcomes[self.place[state] as usize].0;
        *sum += share;
        *sum
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
        let roller = Roller::Plan(plan);
        for (state, visits) in visits[side].iter().enumerate().filter(|(_, visits)| **visits > 0.0)
        {
            each_roll(game, state, *visits, &roller, |share, after| {
                if let Successor::Next { to, again: false } = after {
                    begun[1 - side][to] += share;
                }
            });
        }
    }
    Cow::Owned(begun)
}

/// Calls `visit` with each outcome of one roll of a player, given the probability of the roll.
fn each_roll(
    game: &Game,
    state: usize,
    chance: f64,
    roller: &Roller,
    mut visit: impl FnMut(f64, Successor),
) {
    let actions = roller.actions(game, state);
    let each = chance / actions.len() as f64;
    for action in actions {
        let distribution = game.distribution(state, action);
        let total = distribution.total as f64;
        if let Roller::Plan(plan) = roller {
            for (weight, after) in game.successors_by(plan, state) {
                visit(each * (weight as f64 / total), after);
            }
            continue;
        }
        for (weight, after) in game.weighted_successors(state, action) {
            if weight > 0 {
                visit(each * (weight as f64 / total), after);
            }
        }
        for (weight, options) in distribution.menus.iter() {
            let share = each * (double_of(weight) / total / options.len() as f64);
            for option in options {
                let outcome = &distribution.outcomes[usize::from(*option)];
                visit(share, game.successor(state, outcome));
            }
        }
    }
}
