//! Rates many fixed plans against each other; the work that all pairs share is done once.
//!
//! There are two fast methods: evaluation by rows, with each plan prepared once, in games without
//! memories; and `recall`, for plans that see only the scores, in games with memories of the
//! players. All other pairs (shared memories, plans that see memories) are evaluated by the
//! general, slower method.

mod recall;

use std::borrow::Borrow;

use crate::game::{Game, Plan};

use crate::solve::{Arithmetic, PreparedPolicy, SolveError, Solver, Watch};
use recall::{Recall, ScorePlan};

/// Rates pairs of plans of one game, which is held as an `Arc` or by reference.
#[derive(Debug)]
pub struct Rater<G> {
    solver: Solver<G>,
    recall: Option<Recall>,
}

/// A plan prepared for a [`Rater`].
#[derive(Debug)]
pub struct Contender<'p> {
    plan: &'p Plan,
    /// The plan prepared for evaluation by rows, in games without memories.
    prepared: Option<PreparedPolicy>,
    /// The plan prepared for `recall`, if game and plan are suitable.
    scores: Option<ScorePlan>,
}

/// The win rates of one plan against another, within [`Rater::error_bound`] of the exact ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRate {
    /// The first plan's win rate when it moves first.
    pub first: f64,
    /// The first plan's win rate when it moves second.
    pub second: f64,
}

impl PairRate {
    /// The average of moving first and moving second.
    pub fn average(&self) -> f64 {
        (self.first + self.second) / 2.0
    }

    /// The rates of the second plan against the first.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { first: 1.0 - self.second, second: 1.0 - self.first }
    }
}

/// The workspace of one thread: it rates pairs and reuses memory between them.
#[derive(Debug)]
pub struct PairRoom<'r, G> {
    solver: &'r Solver<G>,
    recall: Option<recall::RecallWorkspace<'r>>,
}

impl<G: Borrow<Game>> Rater<G> {
    /// Creates a rater for the plans of a game.
    pub fn new(game: G) -> Self {
        let solver = Solver::new(game, Arithmetic::Float);
        let recall = Recall::new(solver.game());
        Self { solver, recall }
    }

    /// An upper bound on the error of every rate computed so far.
    pub fn error_bound(&self) -> f64 {
        let recall_bound = self.recall.as_ref().map_or(0.0, Recall::error_bound);
        self.solver.error_bound().max(recall_bound)
    }

    /// Prepares a plan.
    pub fn contender<'p>(&self, plan: &'p Plan) -> Contender<'p> {
        let scores =
            self.recall.as_ref().and_then(|recall| recall.prepare(self.solver.game(), plan));
        Contender { plan, prepared: self.solver.prepare(plan), scores }
    }

    /// Creates a workspace for one thread.
    pub fn room(&self) -> PairRoom<'_, G> {
        let recall = self.recall.as_ref().map(Recall::workspace);
        PairRoom { solver: &self.solver, recall }
    }
}

impl<G: Borrow<Game>> PairRoom<'_, G> {
    /// Returns the win rates of `a` against `b`, both prepared by the rater that created this
    /// workspace.
    ///
    /// # Errors
    /// Returns an error if the game is too large or the values cannot be proven.
    pub fn rate(&mut self, a: &Contender, b: &Contender) -> Result<PairRate, SolveError> {
        self.rate_watched(a, b, &Watch::silent())
    }

    /// As [`Self::rate`], until `watch` stops it.
    ///
    /// # Errors
    /// As [`Self::rate`], and if `watch` stops the work.
    pub fn rate_watched(
        &mut self,
        a: &Contender,
        b: &Contender,
        watch: &Watch,
    ) -> Result<PairRate, SolveError> {
        if let (Some(recall), Some(one), Some(other)) = (&mut self.recall, &a.scores, &b.scores) {
            return Ok(recall.rate([one, other]));
        }
        let [first, other] =
            self.solver.pair([a, b].map(|of| (of.plan, of.prepared.as_ref())), watch)?;
        Ok(PairRate { first, second: 1.0 - other })
    }
}

/// Returns the win rates of one plan against another, computed in doubles, and a bound on their
/// error.
///
/// # Errors
/// Returns an error if the game is too large, the values cannot be proven, or `watch` stops the
/// work.
pub fn rate(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<(PairRate, f64), SolveError> {
    let rater = Rater::new(game);
    let [a, b] = plans.map(|plan| rater.contender(plan));
    let rate = rater.room().rate_watched(&a, &b, watch)?;
    let by_recall = rater.recall.as_ref().filter(|_| a.scores.is_some() && b.scores.is_some());
    Ok((rate, by_recall.map_or_else(|| rater.solver.error_bound(), Recall::error_bound)))
}
