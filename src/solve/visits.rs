//! The forward pass: how often each state is met when two fixed plans play each other.
//!
//! Turns never lower the sum of scores, so the sums are taken upward. Where turns stay in their layer, what they carry
//! is passed on until nothing is left in it; loops without chance, which never end, keep what enters them.

use std::collections::BTreeMap;

use crate::game::{End, Game, Order, Plan, Space, Successor};

use super::{SolveError, Watch};

/// How often states are met on the way through one game, starting as told.
#[derive(Clone, Debug, PartialEq)]
pub struct Visits {
    /// By side (whose turn it is), then by state as its mover sees it: how often it is met in a game, on average. A
    /// state from which the game goes round for ever counts once.
    pub met: [Vec<f64>; 2],
    /// States from which the game goes round for ever: the side whose turn it is there, the state, and the share of
    /// games that enter the loop there.
    pub endless: Vec<(usize, usize, f64)>,
    /// The shares of games that the first side wins, and that end in a tie.
    pub won: f64,
    /// See [`Self::won`].
    pub tied: f64,
}

/// Shares of the games by side and state.
type Shares = BTreeMap<(usize, usize), f64>;

/// What is left in a layer is counted as nothing below this.
const NEGLIGIBLE: f64 = 1e-30;

/// Follows games of `plans[0]` against `plans[1]`; `start` are the shares of games in which each moves first.
///
/// # Errors
/// If `watch` stops it.
pub fn visits(game: &Game, plans: [&Plan; 2], start: [f64; 2], watch: &Watch) -> Result<Visits, SolveError> {
    let states = game.space().states();
    let met = [vec![0.0; states], vec![0.0; states]];
    let mut pass = Pass { game, plans, visits: Visits { met, endless: Vec::new(), won: 0.0, tied: 0.0 } };
    for (side, share) in start.into_iter().enumerate() {
        pass.visits.met[side][game.start()] += share;
    }
    let layers = game.space().stages();
    for sum in 0..layers {
        watch.report(sum, layers)?;
        pass.stage(sum);
    }
    watch.report(layers, layers)?;
    Ok(pass.visits)
}

struct Pass<'a> {
    game: &'a Game,
    plans: [&'a Plan; 2],
    visits: Visits,
}

impl Pass<'_> {
    fn stage(&mut self, sum: usize) {
        let (space, level) = (self.game.space(), self.game.order() != Order::Acyclic);
        let mut waiting: Shares = BTreeMap::new();
        for cell in space.stage(sum) {
            for (side, state) in (0..2).flat_map(|side| {
                let states = cell * space.per_cell()..(cell + 1) * space.per_cell();
                states.map(move |state| (side, state))
            }) {
                let share = self.visits.met[side][state];
                if share > 0.0 && level {
                    waiting.insert((side, state), share);
                } else if share > 0.0 {
                    self.follow(side, state, share, None);
                }
            }
        }
        // Each round carries what stayed on by one turn.
        for node in waiting.keys() {
            self.visits.met[node.0][node.1] = 0.0;
        }
        while waiting.values().sum::<f64>() > NEGLIGIBLE {
            let mut staying = BTreeMap::new();
            for ((side, state), share) in waiting {
                self.visits.met[side][state] += share;
                if self.goes_round(side, state) {
                    self.visits.endless.push((side, state, share));
                } else {
                    self.follow(side, state, share, Some((sum, &mut staying)));
                }
            }
            waiting = staying;
        }
    }

    /// Carries a share of the games on from a state; what stays in the layer goes to `staying`.
    fn follow(&mut self, side: usize, state: usize, share: f64, mut staying: Option<(usize, &mut Shares)>) {
        let space = self.game.space();
        each_successor(self.game, self.plans[side], state, |chance, successor| {
            let to = match node(&space, side, state, successor) {
                Ok(to) => to,
                Err(End::Tied) => return self.visits.tied += share * chance,
                Err(end) if (end == End::Won) == (side == 0) => return self.visits.won += share * chance,
                Err(_) => return,
            };
            match &mut staying {
                Some((sum, staying)) if space.sum(to.1 / space.per_cell()) == *sum => {
                    *staying.entry(to).or_default() += share * chance;
                }
                _ => self.visits.met[to.0][to.1] += share * chance,
            }
        });
    }

    /// Whether turns without chance lead from a state round for ever.
    fn goes_round(&self, side: usize, state: usize) -> bool {
        let space = self.game.space();
        let mut seen = vec![(side, state)];
        loop {
            let (side, state) = seen[seen.len() - 1];
            let mut next = None;
            each_successor(self.game, self.plans[side], state, |chance, successor| {
                next = node(&space, side, state, successor).ok().filter(|_| chance == 1.0);
            });
            match next {
                Some(to) if space.sum(to.1 / space.per_cell()) != space.sum(state / space.per_cell()) => return false,
                Some(to) if seen.contains(&to) => return true,
                Some(to) => seen.push(to),
                None => return false,
            }
        }
    }
}

/// The side and state that a turn leads to, or how it ends the game for the mover.
fn node(space: &Space, side: usize, state: usize, successor: Successor) -> Result<(usize, usize), End> {
    let (_, (_, _, theirs)) = space.parts(state);
    match successor {
        Successor::End(end) => Err(end),
        // The opponent sees its own memory as its own, and the mover's as the other's.
        Successor::Passed { cell, shared, theirs: left } => Ok((1 - side, space.state(cell, shared, left, theirs))),
        Successor::Again { cell, shared, mine: left } => Ok((side, space.state(cell, shared, theirs, left))),
    }
}

/// Calls `visit` with the chance and the successor of each outcome of what the plan plays in a state.
pub(super) fn each_successor(game: &Game, plan: &Plan, state: usize, mut visit: impl FnMut(f64, Successor)) {
    let (offer, lottery) = game.distribution(state, plan.action(state));
    let outlook = game.successors_from(game.space().parts(state).0);
    for (landing, weight) in &lottery.outcomes {
        let chance = *weight as f64 / lottery.total as f64;
        visit(chance, outlook.successor(&offer.outcomes[usize::from(*landing)]));
    }
}
