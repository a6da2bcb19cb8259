//! The best table for someone who does not see everything: hidden memories, or an opponent drawn from a field.
//!
//! A position is met at most once a game, since the sum of scores grows. So, given the rest of the table, the best choice of
//! one entry is exact: weigh what each roll is worth in each hidden state with how often that state is met there. Going
//! backward through the sums, each choice stays right for what has been chosen after it, and the win rate never falls;
//! a forward pass renews how often hidden states are met; both are repeated until nothing changes (coordinate ascent).
//! That is a local maximum. The search goes on from perturbed copies of the best table, always in the same number of
//! rounds of as many copies, so a seed gives the same table on any machine with any number of threads. Finding the best
//! table of all is hard (partially observed games); what no one can exceed is the best response that sees everything.

mod ascent;

use rayon::prelude::*;

use crate::game::{Game, Plan};

use crate::kernel::Kernel;
use crate::kernel::planes::{Misfit, Planes, memories_after};
use crate::solve::{Arithmetic, SolveError, Watch, best_response, evaluate};
use ascent::{Candidate, Problem, backward, forward};

/// What the solved side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// The two scores.
    Scores,
    /// The scores and the memories.
    State,
}

/// Opponents, each with its weight: one is drawn for each game, and nobody tells which.
#[derive(Clone, Debug)]
pub struct OpponentMix {
    opponents: Vec<(Plan, f64)>,
}

impl OpponentMix {
    /// A mix of opponents; weights are above 0 and need not sum to 1.
    ///
    /// # Errors
    /// If there is no opponent, or a weight is no finite number above 0.
    pub fn new(opponents: Vec<(Plan, f64)>) -> Result<Self, HiddenError> {
        let sum: f64 = opponents.iter().map(|(_, weight)| weight).sum();
        if opponents.is_empty() || opponents.iter().any(|(_, weight)| !weight.is_finite() || *weight <= 0.0) {
            return Err(HiddenError::Weights);
        }
        Ok(Self { opponents: opponents.into_iter().map(|(plan, weight)| (plan, weight / sum)).collect() })
    }

    /// One opponent.
    pub fn of_one(opponent: Plan) -> Self {
        Self { opponents: vec![(opponent, 1.0)] }
    }
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HiddenError {
    /// See [`OpponentMix::new`].
    #[error("a field needs at least one opponent, with weights above 0")]
    Weights,
    /// The game's turns do not fit the method.
    #[error(
        "the best play without seeing everything is not solved for {0}: some turns leave the sum of scores as it is, give \
         another turn, or change a memory that both players share"
    )]
    Unfit(String),
    /// The watch stopped it, or the game is too large.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
}

/// How long and from where to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenSearch {
    /// What the solved side sees.
    pub sees: Sees,
    /// How many perturbed tables to try; 0 stops at the first local maximum.
    pub tries: usize,
    /// The same seed gives the same table.
    pub seed: u64,
}

/// The best table found.
#[derive(Clone, Debug)]
pub struct HiddenSolution {
    /// The table.
    pub plan: Plan,
    /// Its win rates against the field: moving first, moving second.
    pub first: f64,
    /// See [`Self::first`].
    pub second: f64,
    /// No rate is further than this from the exact one.
    pub error_bound: f64,
    /// What nobody exceeds on average, even seeing everything: the memories and who sits there.
    pub at_most: f64,
    /// How many decisions the table has.
    pub decisions: usize,
    /// How many perturbed tables were tried: fewer than wanted if the watch stopped the search.
    pub tried: usize,
}

impl HiddenSolution {
    /// The average win rate.
    pub fn average(&self) -> f64 {
        (self.first + self.second) / 2.0
    }
}

/// Copies perturbed in one round. A constant, so that results do not depend on the machine.
const COPIES: usize = 4;

/// Rounds of the ascent after which a table counts as a local maximum.
const MOST_SWEEPS: usize = 200;

/// A gain below this ends an ascent.
const LEAST_GAIN: f64 = 1e-13;

/// A gain below this ends the ascent of a perturbed table.
const WORTH_GOING_ON: f64 = 1e-6;

impl HiddenSearch {
    /// Searches for the best table against a field. If `watch` stops it, the best found until then is the answer.
    ///
    /// # Errors
    /// If the game does not fit, or `watch` stops it before any table is found.
    pub fn run(&self, game: &Game, field: &OpponentMix, watch: &Watch) -> Result<HiddenSolution, HiddenError> {
        let kernel = Kernel::new(game);
        let planes = Planes::new(&kernel).map_err(|misfit| match misfit {
            Misfit::Rules => HiddenError::Unfit(game.rules().id.clone()),
            Misfit::Size => {
                let message = format!("{} states are too many to search for a table", game.space().states());
                HiddenError::Unsolved(SolveError::TooLarge(message))
            }
        })?;
        let problem = Problem::new((game, &kernel, &planes), &field.opponents, self.sees);
        let (table, tried) = self.best_table(&problem, watch)?;
        Ok(HiddenSolution { tried, ..report(game, &problem, field, &table)? })
    }

    /// The best table found, and after how many tries.
    fn best_table(&self, problem: &Problem, watch: &Watch) -> Result<(Vec<u8>, usize), SolveError> {
        let rounds = self.tries.div_ceil(COPIES);
        watch.report(0, rounds)?;
        let mut tried = self.tries;
        let mut candidate = problem.candidate(0);
        let rate = ascend(problem, &mut candidate, LEAST_GAIN);
        let mut best = (rate, candidate.table.clone(), candidate.action_values.clone());
        let mut copies: Vec<Candidate> = vec![candidate.clone(); COPIES];
        for round in 0..rounds {
            if !watch.step(round, rounds) {
                tried = round * COPIES;
                break;
            }
            let tries = copies.par_iter_mut().enumerate().map(|(copy, candidate)| {
                let mut random = Random::new(self.seed, (round * COPIES + copy) as u64);
                candidate.table.clone_from(&best.1);
                candidate.action_values.clone_from(&best.2);
                perturb(candidate, CHANGES[copy], &mut random);
                ascend(problem, candidate, WORTH_GOING_ON)
            });
            let rates: Vec<f64> = tries.collect();
            for (rate, candidate) in rates.into_iter().zip(&copies) {
                if rate > best.0 {
                    best = (rate, candidate.table.clone(), candidate.action_values.clone());
                }
            }
        }
        watch.step(rounds, rounds);
        candidate.table = best.1;
        ascend(problem, &mut candidate, LEAST_GAIN);
        Ok((candidate.table, tried))
    }
}

/// The rates of a table, worked out afresh, and what nobody exceeds.
fn report(game: &Game, problem: &Problem, field: &OpponentMix, table: &[u8]) -> Result<HiddenSolution, HiddenError> {
    let plan = problem.plan(table);
    let watch = Watch::silent();
    let mut solution = HiddenSolution {
        plan,
        first: 0.0,
        second: 0.0,
        error_bound: 0.0,
        at_most: 0.0,
        decisions: problem.decisions(),
        tried: 0,
    };
    for (opponent, share) in &field.opponents {
        let rated = evaluate(game, [&solution.plan, opponent], Arithmetic::Float, &watch)?;
        let bound = best_response(game, opponent, Arithmetic::Float, &watch)?;
        solution.first += share * rated.first();
        solution.second += share * rated.second();
        solution.error_bound += share * rated.error_bound;
        solution.at_most += share * (bound.average() + bound.error_bound);
    }
    Ok(solution)
}

/// Improves a table to a local maximum; its win rate.
fn ascend(problem: &Problem, candidate: &mut Candidate, least_gain: f64) -> f64 {
    let mut last = 0.0;
    for _ in 0..MOST_SWEEPS {
        forward(problem, candidate);
        let (rate, changed) = backward(problem, candidate);
        if changed == 0 || (rate - last < least_gain && last > 0.0) {
            return rate;
        }
        last = rate;
    }
    last
}

/// How a table is changed before the next ascent.
#[derive(Clone, Copy)]
struct Change {
    /// The share of decisions that are looked at.
    share: f64,
    /// How much worse an action may be to take the place of the best.
    tolerance: f32,
}

/// What each copy of a round does. Tried against the baseline of the course's game with memory: choosing among near
/// equals everywhere finds the best tables soonest, larger changes at fewer places find what that misses.
const CHANGES: [Change; COPIES] = [
    Change { share: 1.0, tolerance: 0.015 },
    Change { share: 0.2, tolerance: 0.03 },
    Change { share: 1.0, tolerance: 0.01 },
    Change { share: 0.1, tolerance: 0.03 },
];

/// Replaces some decisions by others that are not much worse.
fn perturb(candidate: &mut Candidate, change: Change, random: &mut Random) {
    let actions = candidate.action_values.len() / candidate.table.len();
    for (decision, values) in candidate.action_values.chunks_exact(actions).enumerate() {
        if random.unit() > change.share {
            continue;
        }
        let best = values.iter().copied().fold(f32::MIN, f32::max);
        let close: Vec<usize> = (0..actions).filter(|action| values[*action] >= best - change.tolerance).collect();
        if !close.is_empty() {
            candidate.table[decision] = close[random.below(close.len())] as u8;
        }
    }
}

/// A stream of random numbers: SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// From 0 to 1, 1 excluded.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}
