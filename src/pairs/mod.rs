//! Many fixed plans against each other: the work that all pairs share is done once.
//!
//! There are two ways to rate a pair fast: by rows, each plan made ready once, in games without memory; and in `recall` for plans
//! that see only the scores, in games whose players remember something. What fits neither (shared memories, plans that see
//! memories) is evaluated as any pair is, more slowly.

mod recall;

use std::borrow::Borrow;

use crate::game::{Game, Plan};

use crate::solve::{Arithmetic, PreparedPolicy, SolveError, Solver, Watch};
use recall::{Recall, ScorePlan};

/// Rates pairs of plans of one game, which it holds as an `Arc` or by reference.
#[derive(Debug)]
pub struct Rater<G> {
    solver: Solver<G>,
    recall: Option<Recall>,
}

/// A plan made ready for a [`Rater`].
#[derive(Debug)]
pub struct Contender<'p> {
    plan: &'p Plan,
    /// In games without memory.
    prepared: Option<PreparedPolicy>,
    /// In others, if it fits.
    scores: Option<ScorePlan>,
}

/// Exact win rates of one plan against another, to [`Rater::error_bound`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRate {
    /// The first plan's win rate when it moves first.
    pub first: f64,
    /// Its win rate when it moves second.
    pub second: f64,
}

impl PairRate {
    /// The average of moving first and moving second.
    pub fn average(&self) -> f64 {
        (self.first + self.second) / 2.0
    }

    /// The same games from the second plan's side.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { first: 1.0 - self.second, second: 1.0 - self.first }
    }
}

/// Where one thread rates its pairs, with memory that all of them use.
#[derive(Debug)]
pub struct PairRoom<'r, G> {
    solver: &'r Solver<G>,
    recall: Option<recall::Room<'r>>,
}

impl<G: Borrow<Game>> Rater<G> {
    /// For the pairs of a game.
    pub fn new(game: G) -> Self {
        let solver = Solver::new(game, Arithmetic::Float);
        let recall = Recall::new(solver.game(), solver.kernel());
        Self { solver, recall }
    }

    /// No rate is further than this from the exact one.
    pub fn error_bound(&self) -> f64 {
        let of_recall = self.recall.as_ref().map_or(0.0, Recall::error_bound);
        self.solver.error_bound().max(of_recall)
    }

    /// Makes a plan ready.
    pub fn contender<'p>(&self, plan: &'p Plan) -> Contender<'p> {
        let scores =
            self.recall.as_ref().and_then(|recall| recall.prepare((self.solver.game(), self.solver.kernel()), plan));
        Contender { plan, prepared: self.solver.prepare(plan), scores }
    }

    /// Room for a thread's pairs.
    pub fn room(&self) -> PairRoom<'_, G> {
        let recall = self.recall.as_ref().map(Recall::room);
        PairRoom { solver: &self.solver, recall }
    }
}

impl<G: Borrow<Game>> PairRoom<'_, G> {
    /// The win rates of `a` against `b`, both made ready by the room's rater.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn rate(&mut self, a: &Contender, b: &Contender) -> Result<PairRate, SolveError> {
        self.rate_watched(a, b, &Watch::silent())
    }

    fn rate_watched(&mut self, a: &Contender, b: &Contender, watch: &Watch) -> Result<PairRate, SolveError> {
        if let (Some(recall), Some(one), Some(other)) = (&mut self.recall, &a.scores, &b.scores) {
            return Ok(recall.rate([one, other]));
        }
        let [first, other] = self.solver.pair([a, b].map(|of| (of.plan, of.prepared.as_ref())), watch)?;
        Ok(PairRate { first, second: 1.0 - other })
    }
}

/// The win rates of one plan against another in floats, and a bound on their error.
///
/// # Errors
/// If `watch` stops it.
pub fn rate(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<(PairRate, f64), SolveError> {
    let rater = Rater::new(game);
    let [a, b] = plans.map(|plan| rater.contender(plan));
    let rate = rater.room().rate_watched(&a, &b, watch)?;
    let of_scores = rater.recall.as_ref().filter(|_| a.scores.is_some() && b.scores.is_some());
    Ok((rate, of_scores.map_or_else(|| rater.solver.error_bound(), Recall::error_bound)))
}
