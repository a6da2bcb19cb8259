//! Searches for the best table with partial information: hidden memories, or an opponent drawn from
//! a field.
//!
//! Where every turn raises the sum of the scores, each position occurs at most once in a game.
//! Given the rest of the table, the best choice for one entry is then exact: the value of each
//! roll, averaged over the hidden states weighted by their reach probabilities. A backward pass
//! through the stages makes each choice optimal for the choices already made in higher stages, so
//! the win rate never falls. A forward pass recomputes the reach probabilities. Both are repeated
//! until nothing changes (coordinate ascent), which gives a local maximum. The search continues
//! from perturbed copies of the best table, in a fixed number of rounds with a fixed number of
//! copies, so a seed gives the same table on any machine with any number of threads. Finding a
//! global maximum is hard (partially observed games); the best response of a player who sees
//! everything is an upper bound.
//!
//! `ascent` computes a pass for all states of a cell at once. Games that do not fit into its planes
//! (another turn, a memory of both players, sums that may fall) are passed through state by state
//! (`states`).

mod ascent;
mod states;

use rayon::prelude::*;

use crate::game::{Game, Order, Plan};

use crate::game::planes::{Misfit, Planes, memories_after};
use crate::limits;
use crate::solve::{Arithmetic, SolveError, Solver, Watch};
use ascent::Problem;
use states::StateProblem;

/// The information available to the solved side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// The two scores.
    Scores,
    /// The scores and the memories.
    State,
}

/// Opponents with weights: one is drawn for each game, and the solved side does not know which.
#[derive(Clone, Debug)]
pub struct OpponentMix {
    opponents: Vec<(Plan, f64)>,
}

impl OpponentMix {
    /// Creates a mix of opponents; weights are above 0 and need not sum to 1.
    ///
    /// # Errors
    /// Returns an error if there is no opponent, a weight is not above 0, or their sum is not
    /// finite.
    pub fn new(opponents: Vec<(Plan, f64)>) -> Result<Self, HiddenError> {
        let sum: f64 = opponents.iter().map(|(_, weight)| weight).sum();
        if opponents.is_empty()
            || !sum.is_finite()
            || opponents.iter().any(|(_, weight)| weight.is_nan() || *weight <= 0.0)
        {
            return Err(HiddenError::Weights);
        }
        Ok(Self {
            opponents: opponents.into_iter().map(|(plan, weight)| (plan, weight / sum)).collect(),
        })
    }

    /// Creates a mix of a single opponent.
    pub fn of_one(opponent: Plan) -> Self {
        Self { opponents: vec![(opponent, 1.0)] }
    }
}

/// Why no table was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HiddenError {
    /// The opponents or weights are invalid: see [`OpponentMix::new`].
    #[error("a field needs at least one opponent, and all weights must be above 0")]
    Weights,
    /// The method does not apply to the game.
    #[error(
        "best play with partial information cannot be computed for {0}: which dice to keep is \
         decided after the roll"
    )]
    Unfit(String),
    /// The watch stopped the search, or the game is too large.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
}

/// A search: what the solved side sees, and how to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenSearch {
    /// The information available to the solved side.
    pub sees: Sees,
    /// The number of perturbed tables to try; with 0 the search stops at the first local maximum.
    pub tries: usize,
    /// The seed of the random perturbations. The same seed gives the same table.
    pub seed: u64,
}

/// The best table found.
#[derive(Clone, Debug)]
pub struct HiddenSolution {
    /// The table.
    pub plan: Plan,
    /// Its win rate against the field when it moves first.
    pub first: f64,
    /// Its win rate against the field when it moves second.
    pub second: f64,
    /// An upper bound on the error of both rates.
    pub error_bound: f64,
    /// An upper bound on the average win rate of any player, even of one who sees the memories and
    /// knows the opponent.
    pub at_most: f64,
    /// The number of decisions in the table.
    pub decisions: usize,
    /// The number of perturbed tables that were tried: fewer than requested if the watch stopped
    /// the search.
    pub tried: usize,
}

impl HiddenSolution {
    /// The average of moving first and moving second.
    pub fn average(&self) -> f64 {
        (self.first + self.second) / 2.0
    }
}

/// What to change if a search takes too much memory.
const LESS_MEMORY: &str = "lower the goal, or name fewer strategies in a mix";

/// The number of perturbed copies in one round; constant, so that results do not depend on the
/// machine.
const COPIES: usize = 4;

/// An ascent ends when a sweep gains less than this.
const LEAST_GAIN: f64 = 1e-13;

/// Added to reach probabilities, so that decisions at states that are never reached are sensible
/// too.
const UNREACHED_WEIGHT: f64 = 1e-18;

/// An action replaces another only if its value is higher by more than this.
const LEAST_IMPROVEMENT: f64 = 1e-14;

/// The ascent of a perturbed table ends when a sweep gains less than this.
const LEAST_GAIN_OF_COPY: f64 = 1e-6;

/// A table that is being improved.
#[derive(Clone)]
struct Candidate<N> {
    /// The action of each decision: of a cell, or of a state where memories are seen.
    table: Vec<u8>,
    /// By decision and action: the value of the action, averaged over hidden states.
    action_values: Vec<f32>,
    /// Its reach probabilities and values.
    numbers: N,
}

/// A game and the opponents, and how a table is evaluated and improved.
trait Ascent: Sync {
    /// The reach probabilities and values of a table.
    type Numbers: Clone + Send;

    /// The numbers of a table that is not evaluated yet.
    fn numbers(&self) -> Self::Numbers;

    /// The number of decisions in a table.
    fn decisions(&self) -> usize;

    /// The number of actions of a decision.
    fn actions(&self) -> usize;

    /// Converts a table to a plan.
    fn plan(&self, table: &[u8]) -> Plan;

    /// Recomputes all reach probabilities, then all values, and improves each decision. Returns the
    /// win rate and the number of decisions that changed.
    ///
    /// # Errors
    /// Returns an error if `go_on`, called between stages, returns false.
    fn sweep(
        &self,
        candidate: &mut Candidate<Self::Numbers>,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(f64, usize), SolveError>;
}

/// The table that a search has found.
struct FoundTable {
    plan: Plan,
    decisions: usize,
    tried: usize,
}

impl HiddenSearch {
    /// Returns whether the method applies to a game, however large it is.
    pub fn applies(game: &Game) -> bool {
        !game.rules().keeps_dice()
    }

    /// Refuses a search against this many opponents that would take more memory than `watch`
    /// allows, by what each takes at least. Call it before the opponents' plans are made.
    ///
    /// # Errors
    /// Returns an error if the search is refused.
    pub fn admit(game: &Game, opponents: usize, watch: &Watch) -> Result<(), HiddenError> {
        let space = game.space();
        let at_once = 1 + COPIES as u64;
        // A plan; for each candidate, two numbers of eight bytes for each total and each state of
        // both sides.
        let each = space.states() as u64 * (1 + 2 * at_once * size_of::<f64>() as u64);
        Ok(watch.admit(each.saturating_mul(opponents as u64), LESS_MEMORY)?)
    }

    /// Searches for the best table against a field. If `watch` stops the search, returns the best
    /// table found so far, in games without cycles.
    ///
    /// # Errors
    /// Returns an error if the method does not apply to the game, the game is too large, or `watch`
    /// stops the search before it begins.
    pub fn run(
        &self,
        game: &Game,
        field: &OpponentMix,
        watch: &Watch,
    ) -> Result<HiddenSolution, HiddenError> {
        let found = self.search(game, field, watch)?;
        // Without cycles a table is rated at once, also after the search was stopped.
        let silent = Watch::silent();
        let watch = if game.order() == Order::Acyclic { &silent } else { watch };
        Ok(report(game, field, found, watch)?)
    }

    /// As [`Self::run`], but returns only the table, and only that of the complete search.
    ///
    /// # Errors
    /// Returns an error if the method does not apply to the game, the game is too large, or `watch`
    /// stops the search.
    pub fn table(
        &self,
        game: &Game,
        field: &OpponentMix,
        watch: &Watch,
    ) -> Result<Plan, HiddenError> {
        let found = self.search(game, field, watch)?;
        // What stops the search never takes it back, so a search that was stopped is noticed here.
        watch.report(1, 1)?;
        Ok(found.plan)
    }

    /// Searches by the method that fits the game.
    fn search(
        &self,
        game: &Game,
        field: &OpponentMix,
        watch: &Watch,
    ) -> Result<FoundTable, HiddenError> {
        if !Self::applies(game) {
            return Err(HiddenError::Unfit(game.rules().id.clone()));
        }
        let found = match Planes::new(game) {
            Ok(planes) => {
                let problem = Problem::new(game, &planes, &field.opponents, self.sees, watch)?;
                self.best_table(&problem, watch)
            }
            Err(Misfit::Rules) => {
                let problem = StateProblem::new(game, &field.opponents, self.sees, watch)?;
                self.best_table(&problem, watch)
            }
            Err(Misfit::Size) => {
                let states = game.space().states();
                let message = format!("{states} states are too many to search for a table");
                Err(SolveError::TooMuch(message))
            }
        };
        Ok(found?)
    }

    /// Returns the best table found, and the number of tries.
    fn best_table<A: Ascent>(&self, problem: &A, watch: &Watch) -> Result<FoundTable, SolveError> {
        let rounds = self.tries.div_ceil(COPIES);
        watch.report(0, rounds)?;
        let mut tried = self.tries;
        let mut candidate = Candidate {
            table: vec![0; problem.decisions()],
            action_values: vec![0.0; problem.decisions() * problem.actions()],
            numbers: problem.numbers(),
        };
        let rate = ascend(problem, &mut candidate, LEAST_GAIN, &|| watch.step(0, rounds))?;
        let mut best = (rate, candidate.table.clone(), candidate.action_values.clone());
        let mut copies: Vec<Candidate<A::Numbers>> = vec![candidate.clone(); COPIES];
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
                ascend(problem, candidate, LEAST_GAIN_OF_COPY, &|| watch.step(round, rounds))
            });
            let rates: Vec<f64> = tries.collect::<Result<_, SolveError>>()?;
            for (rate, candidate) in rates.into_iter().zip(&copies) {
                if rate > best.0 {
                    best = (rate, candidate.table.clone(), candidate.action_values.clone());
                }
            }
        }
        candidate.table = best.1;
        ascend(problem, &mut candidate, LEAST_GAIN, &|| watch.step(rounds, rounds))?;
        let plan = problem.plan(&candidate.table);
        Ok(FoundTable { plan, decisions: problem.decisions(), tried })
    }
}

/// Evaluates a table from scratch: its rates, and the upper bound.
fn report(
    game: &Game,
    field: &OpponentMix,
    found: FoundTable,
    watch: &Watch,
) -> Result<HiddenSolution, SolveError> {
    let FoundTable { plan, decisions, tried } = found;
    let mut solution = HiddenSolution {
        plan,
        first: 0.0,
        second: 0.0,
        error_bound: 0.0,
        at_most: 0.0,
        decisions,
        tried,
    };
    let solver = Solver::new(game, Arithmetic::Float);
    for (opponent, share) in &field.opponents {
        let rated = solver.evaluate([&solution.plan, opponent], watch)?;
        let bound = solver.best_response(opponent, watch)?;
        solution.first += share * rated.first();
        solution.second += share * rated.second();
        solution.error_bound += share * rated.error_bound;
        solution.at_most += share * (bound.average() + bound.error_bound);
    }
    Ok(solution)
}

/// Improves a table by coordinate ascent until a sweep changes nothing or gains little, or `go_on`
/// returns false; returns its win rate.
fn ascend<A: Ascent>(
    problem: &A,
    candidate: &mut Candidate<A::Numbers>,
    least_gain: f64,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<f64, SolveError> {
    let mut last = 0.0;
    for _ in 0..limits::ASCENT_SWEEPS {
        let (rate, changed) = match problem.sweep(candidate, go_on) {
            Err(SolveError::Cancelled) => return Ok(last),
            swept => swept?,
        };
        if changed == 0 || (rate - last < least_gain && last > 0.0) {
            return Ok(rate);
        }
        last = rate;
    }
    Ok(last)
}

impl<N> Candidate<N> {
    /// Sets a decision to the best action, keeping the present one if none is better, given each
    /// action's value times `total_weight`; returns whether it changed.
    #[inline(always)]
    fn decide(&mut self, decision: usize, sums: &[f64], total_weight: f64) -> bool {
        let present = usize::from(self.table[decision]);
        let mut best = present;
        let mut most = sums[present] + LEAST_IMPROVEMENT * total_weight;
        for (action, sum) in sums.iter().enumerate() {
            self.action_values[decision * sums.len() + action] = (sum / total_weight) as f32;
            if *sum > most {
                (best, most) = (action, *sum);
            }
        }
        self.table[decision] = best as u8;
        best != present
    }
}

/// How a table is changed before the next ascent.
#[derive(Clone, Copy)]
struct Change {
    /// The probability that a decision is considered.
    share: f64,
    /// How much lower than the best the value of a replacement may be.
    tolerance: f32,
}

/// The changes made to the copies of a round. Chosen by experiment against the baseline of the
/// course's game with memories: choosing among nearly equal actions everywhere finds the best
/// tables soonest, and larger changes of fewer decisions find tables that it misses.
const CHANGES: [Change; COPIES] = [
    Change { share: 1.0, tolerance: 0.015 },
    Change { share: 0.2, tolerance: 0.03 },
    Change { share: 1.0, tolerance: 0.01 },
    Change { share: 0.1, tolerance: 0.03 },
];

/// Replaces some decisions by random actions that are not much worse than the best.
fn perturb<N>(candidate: &mut Candidate<N>, change: Change, random: &mut Random) {
    let actions = candidate.action_values.len() / candidate.table.len();
    for (decision, values) in candidate.action_values.chunks_exact(actions).enumerate() {
        if random.unit() > change.share {
            continue;
        }
        let best = values.iter().copied().fold(f32::MIN, f32::max);
        let close: Vec<usize> =
            (0..actions).filter(|action| values[*action] >= best - change.tolerance).collect();
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

    /// Returns a number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number below `count`.
    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}
