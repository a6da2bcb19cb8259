//! Rates many fixed plans against each other; the work that pairs share is done once.
//!
//! There are two fast methods: `tile`, many plans against many others at once, in games without
//! memories; and `recall`, for plans that see only the scores, in games with memories of the
//! players. All other pairs (shared memories, plans that see memories) are evaluated by the
//! general, slower method.

mod recall;
mod tile;

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::game::{Game, Plan};

use crate::solve::{Arithmetic, SolveError, Solver, Watch};
use recall::Recall;
use tile::{TileRoom, Tiles};

/// Rates pairs of plans of one game, which is held as an `Arc` or by reference.
#[derive(Debug)]
pub struct Rater<G> {
    solver: Solver<G>,
    method: PairMethod,
}

/// How groups of pairs are rated.
#[derive(Debug)]
enum PairMethod {
    /// With the workspaces that no thread uses.
    Tiles(Tiles, Mutex<Vec<TileRoom>>),
    Recall(Recall),
    General,
}

/// The win rates of one plan against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRate {
    /// The first plan's win rate when it moves first.
    pub first: f64,
    /// The first plan's win rate when it moves second.
    pub second: f64,
}

impl PairRate {
    /// Creates the rates from the values of both plans, each when it moves first.
    fn of([first, other]: [f64; 2]) -> Self {
        Self { first, second: 1.0 - other }
    }

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

/// The win rates of some pairs, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rated {
    /// The rates.
    pub rates: Vec<PairRate>,
    /// The largest absolute error of any rate.
    pub error_bound: f64,
}

/// The most plans on each side of a group of pairs that `recall` rates: they are prepared once.
const RECALL_SIDE: usize = 8;

impl<G: Borrow<Game>> Rater<G> {
    /// Creates a rater for the plans of a game.
    pub fn new(game: G) -> Self {
        let solver = Solver::new(game, Arithmetic::Float);
        let method = match (Tiles::new(solver.game()), Recall::new(solver.game())) {
            (Some(tiles), _) => PairMethod::Tiles(tiles, Mutex::default()),
            (None, Some(recall)) => PairMethod::Recall(recall),
            (None, None) => PairMethod::General,
        };
        Self { solver, method }
    }

    /// The number of plans on each side of a group of pairs.
    pub fn side(&self) -> usize {
        match self.method {
            PairMethod::Tiles(..) => tile::SIDE,
            PairMethod::Recall(_) => RECALL_SIDE,
            PairMethod::General => 1,
        }
    }

    /// Splits pairs of plans, given by their numbers, into groups that are rated together: lists of
    /// indices into `pairs`. Each takes a fraction of a second in games of the usual size.
    pub fn groups(&self, pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let plans = pairs.iter().map(|(a, b)| 1 + *a.max(b)).max().unwrap_or(0);
        let mut counts = vec![0; plans];
        pairs.iter().flat_map(|(a, b)| [a, b]).for_each(|plan| counts[*plan] += 1);
        // Plans with as many open pairs stand together, so that a few new ones fill few groups.
        let mut order: Vec<usize> = (0..plans).collect();
        order.sort_by_key(|plan| std::cmp::Reverse(counts[*plan]));
        let mut place = vec![0; plans];
        order.iter().enumerate().for_each(|(at, plan)| place[*plan] = at / self.side());
        let mut groups: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (index, (a, b)) in pairs.iter().enumerate() {
            groups.entry((place[*a], place[*b])).or_default().push(index);
        }
        groups.into_values().collect()
    }

    /// Rates pairs of `plans`, given by their numbers.
    ///
    /// # Errors
    /// Returns an error if the game is too large, the values cannot be proven, or `watch` stops the
    /// work.
    pub fn rate(
        &self,
        plans: &[&Plan],
        pairs: &[(usize, usize)],
        watch: &Watch,
    ) -> Result<Rated, SolveError> {
        let mut rated = Rated::default();
        rated.rates.resize(pairs.len(), PairRate { first: 0.5, second: 0.5 });
        for group in self.groups(pairs) {
            let of_group: Vec<(usize, usize)> = group.iter().map(|index| pairs[*index]).collect();
            let found = self.rate_group(plans, &of_group, watch)?;
            group.iter().zip(found.rates).for_each(|(index, rate)| rated.rates[*index] = rate);
            rated.error_bound = rated.error_bound.max(found.error_bound);
        }
        Ok(rated)
    }

    /// Rates the pairs of one of [`Self::groups`].
    ///
    /// # Errors
    /// As [`Self::rate`].
    pub fn rate_group(
        &self,
        plans: &[&Plan],
        pairs: &[(usize, usize)],
        watch: &Watch,
    ) -> Result<Rated, SolveError> {
        let game = self.solver.game();
        let solver = &self.solver;
        let rows = distinct(pairs.iter().map(|(a, _)| *a));
        let columns = distinct(pairs.iter().map(|(_, b)| *b));
        let places = pairs.iter().map(|(a, b)| {
            let row = rows.binary_search(a).expect("a listed plan");
            (row, columns.binary_search(b).expect("a listed plan"))
        });
        let first: Vec<&Plan> = rows.iter().map(|number| plans[*number]).collect();
        let second: Vec<&Plan> = columns.iter().map(|number| plans[*number]).collect();
        match &self.method {
            PairMethod::Tiles(tiles, rooms) => {
                let room = rooms.lock().ok().and_then(|mut rooms| rooms.pop());
                let mut room = room.unwrap_or_else(|| tiles.room());
                let values = tiles.rate(game, [&first, &second], &mut room, watch);
                if let Ok(mut rooms) = rooms.lock() {
                    rooms.push(room);
                }
                let values = values?;
                let rates =
                    places.map(|(row, column)| PairRate::of(values[row * columns.len() + column]));
                Ok(Rated { rates: rates.collect(), error_bound: tiles.error_bound })
            }
            PairMethod::Recall(recall) => {
                let [one, other] = [&first, &second]
                    .map(|of| of.iter().map(|plan| recall.prepare(game, plan)).collect::<Vec<_>>());
                let mut workspace = recall.workspace();
                collect(places.map(|(row, column)| {
                    watch.report(0, 1)?;
                    match (&one[row], &other[column]) {
                        (Some(one), Some(other)) => {
                            Ok((workspace.rate([one, other]), recall.error_bound()))
                        }
                        _ => evaluate(solver, [first[row], second[column]], watch),
                    }
                }))
            }
            PairMethod::General => collect(
                places.map(|(row, column)| evaluate(solver, [first[row], second[column]], watch)),
            ),
        }
    }
}

/// Returns numbers in ascending order, each once.
fn distinct(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    numbers.collect::<BTreeSet<usize>>().into_iter().collect()
}

fn collect(
    pairs: impl Iterator<Item = Result<(PairRate, f64), SolveError>>,
) -> Result<Rated, SolveError> {
    let mut rated = Rated::default();
    for pair in pairs {
        let (rate, error_bound) = pair?;
        rated.rates.push(rate);
        rated.error_bound = rated.error_bound.max(error_bound);
    }
    Ok(rated)
}

/// Rates a pair by the general method, in an order that depends on the plans alone.
fn evaluate<G: Borrow<Game>>(
    solver: &Solver<G>,
    [a, b]: [&Plan; 2],
    watch: &Watch,
) -> Result<(PairRate, f64), SolveError> {
    if a.actions() > b.actions() {
        let (rate, error_bound) = evaluate(solver, [b, a], watch)?;
        return Ok((rate.swapped(), error_bound));
    }
    let solved = solver.evaluate([a, b], watch)?;
    Ok((PairRate { first: solved.first(), second: solved.second() }, solved.error_bound))
}

/// Returns the win rates of one plan against another, computed in doubles, and a bound on their
/// error.
///
/// # Errors
/// Returns an error if the game is too large, the values cannot be proven, or `watch` stops the
/// work.
pub fn rate(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<(PairRate, f64), SolveError> {
    if let Some(recall) = Recall::new(game)
        && let [Some(one), Some(other)] = plans.map(|plan| recall.prepare(game, plan))
    {
        return Ok((recall.workspace().rate([&one, &other]), recall.error_bound()));
    }
    evaluate(&Solver::new(game, Arithmetic::Float), plans, watch)
}
