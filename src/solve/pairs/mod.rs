//! Many fixed plans against each other: the work that all pairs share is done once.
//!
//! There are two ways to rate a pair fast: in `columns` for games without memory, and in `recall` for plans that see only the
//! scores, in games whose players remember something. What fits neither (extra turns, shared memories, plans that see
//! memories, loops of chance) is evaluated as any pair is, more slowly.

mod columns;
mod recall;

use crate::game::{Game, Plan};

use super::{Arithmetic, SolveError, Watch, evaluate};
use columns::{Columns, TilePlan};
use recall::{Recall, ScorePlan};

/// Rates pairs of plans of one game.
#[derive(Debug)]
pub struct Rater<'g> {
    game: &'g Game,
    method: Method,
}

/// The fast way that a game fits.
#[derive(Debug)]
enum Method {
    Columns(Box<Columns>),
    Recall(Box<Recall>),
    Neither,
}

/// A plan made ready for a [`Rater`].
#[derive(Debug)]
pub struct Contender<'p> {
    plan: &'p Plan,
    prepared: Prepared,
}

#[derive(Debug)]
enum Prepared {
    Tiles(TilePlan),
    Scores(ScorePlan),
    /// The plan does not fit, or the game.
    No,
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
}

/// Where one thread rates its pairs, with memory that all of them use.
#[derive(Debug)]
pub struct PairRoom<'r> {
    rater: &'r Rater<'r>,
    /// Made when first needed.
    columns: Option<columns::Room<'r>>,
    recall: Option<recall::Room<'r>>,
}

/// The most error that a pair may have that fits no fast way; the bound of its evaluation is held against it.
const MOST_ERROR: f64 = 1e-9;

impl<'g> Rater<'g> {
    /// For the pairs of a game.
    pub fn new(game: &'g Game) -> Self {
        let columns = || Columns::new(game).map(|columns| Method::Columns(Box::new(columns)));
        let recall = || Recall::new(game).map(|recall| Method::Recall(Box::new(recall)));
        let method = columns().or_else(recall).unwrap_or(Method::Neither);
        Self { game, method }
    }

    /// No rate is further than this from the exact one.
    pub fn error_bound(&self) -> f64 {
        match &self.method {
            Method::Columns(columns) => columns.error_bound(),
            Method::Recall(recall) => recall.error_bound(),
            Method::Neither => MOST_ERROR,
        }
    }

    /// Makes a plan ready.
    pub fn contender<'p>(&self, plan: &'p Plan) -> Contender<'p> {
        let prepared = match &self.method {
            Method::Columns(columns) => Prepared::Tiles(columns.prepare(self.game, plan)),
            Method::Recall(recall) => recall.prepare(self.game, plan).map_or(Prepared::No, Prepared::Scores),
            Method::Neither => Prepared::No,
        };
        Contender { plan, prepared }
    }

    /// Room for a thread's pairs.
    pub fn room(&self) -> PairRoom<'_> {
        PairRoom { rater: self, columns: None, recall: None }
    }
}

impl PairRoom<'_> {
    /// The win rates of `a` against `b`, both made ready by the room's rater.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn rate(&mut self, a: &Contender, b: &Contender) -> Result<PairRate, SolveError> {
        if let Some(rate) = self.rate_fast(a, b) {
            return Ok(rate);
        }
        let rated = evaluate(self.rater.game, [a.plan, b.plan], Arithmetic::Float, &Watch::silent())?;
        if rated.error_bound > self.rater.error_bound() {
            return Err(SolveError::TooLarge("the errors of doubles add up to too much in this game".into()));
        }
        Ok(PairRate { first: rated.first(), second: rated.second() })
    }

    /// The same, if both fit.
    fn rate_fast(&mut self, a: &Contender, b: &Contender) -> Option<PairRate> {
        match (&self.rater.method, &a.prepared, &b.prepared) {
            (Method::Columns(columns), Prepared::Tiles(a), Prepared::Tiles(b)) => {
                Some(self.columns.get_or_insert_with(|| columns.room()).rate([a, b]))
            }
            (Method::Recall(recall), Prepared::Scores(a), Prepared::Scores(b)) => {
                Some(self.recall.get_or_insert_with(|| recall.room()).rate([a, b]))
            }
            _ => None,
        }
    }
}

/// The win rates of one plan against another in floats, by the fastest way that they fit, and a bound on their error.
///
/// # Errors
/// If `watch` stops it.
pub fn rate(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<(PairRate, f64), SolveError> {
    let rater = Rater::new(game);
    let [a, b] = plans.map(|plan| rater.contender(plan));
    if let Some(rate) = rater.room().rate_fast(&a, &b) {
        return Ok((rate, rater.error_bound()));
    }
    let rated = evaluate(game, plans, Arithmetic::Float, watch)?;
    Ok((PairRate { first: rated.first(), second: rated.second() }, rated.error_bound))
}
