//! Facts of a game that solvers choose their methods by: how turns move the sum of scores.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::rules::Faults;

use super::intern::Interner;
use super::{Destination, Game, Landing, Lottery, Offer, Successor};

/// How the sum of both scores moves in a turn that does not end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every turn raises it: one backward pass over the sums solves the game.
    Rising,
    /// No turn lowers it, but some leave it unchanged: states of one sum may form loops.
    Level {
        /// Whether a turn of chance may leave it unchanged: then values have no common denominator.
        random: bool,
    },
}

/// How some lottery raises the sum of scores, and how its mean rounds in doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The least gain of each outcome that does not end the game, and its chance (a double).
    pub gains: Vec<(usize, f64)>,
    /// Each number of roundings on the way of a value into the weighted sum, times its chance, if terms are added one by
    /// one.
    pub roundings: f64,
    /// The same if clean rolls are summed by a [`Climb`](super::Climb).
    pub climbing: f64,
}

/// From a cell to a cell of the same sum of scores.
pub(super) type Stay = (u32, u32);

/// Whether every turn raises the sum of scores, and which leave it unchanged; a game in which a turn can lower it is refused.
pub(super) fn order(game: &mut Game) -> Result<(Order, Vec<Stay>), Faults> {
    let mut suspects = false;
    for offer in game.panels.iter_mut().flat_map(|panel| &mut panel.offers) {
        let least = |landing: &Landing| {
            game.arrivals[usize::from(landing.table)].least_excess.saturating_add(i64::from(landing.points))
        };
        let level = offer.landings.iter().enumerate().filter(|(_, landing)| least(landing) <= 0);
        offer.level = level.map(|(place, _)| place as u16).collect();
        suspects |= !offer.level.is_empty();
    }
    if !suspects {
        return Ok((Order::Rising, Vec::new()));
    }
    // The bound is over all totals; what counts is what happens from the cells themselves.
    let suspects: Vec<Vec<(Landing, bool)>> =
        game.panels.iter().map(|panel| panel.offers.iter().flat_map(level_landings).collect()).collect();
    let (mut stays, mut random, goal) = (Vec::new(), false, game.space.goal);
    for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
        for (landing, by_chance) in &suspects[game.panel_number_at(score, opponent)] {
            if let Some(next) = stay(game, (score, opponent), landing)? {
                stays.push(((score * goal + opponent) as u32, next as u32));
                random |= by_chance;
            }
        }
    }
    Ok((if stays.is_empty() { Order::Rising } else { Order::Level { random } }, stays))
}

/// The distinct ways in which turns raise the sum of scores.
pub(super) fn growths(game: &Game) -> Vec<Growth> {
    let most_points = game.panels.iter().flat_map(|panel| &panel.offers).flat_map(|offer| &offer.landings);
    let window = most_points.map(|landing| landing.points as usize + 1).max().unwrap_or(1);
    let surprises: Vec<usize> = game.arrivals.iter().map(|table| table.most_surprises(window)).collect();
    let mut growths: Vec<Growth> = Vec::new();
    for offer in game.panels.iter().flat_map(|panel| &panel.offers) {
        let of_landings = offer.landings.iter().map(|landing| {
            let least =
                game.arrivals[usize::from(landing.table)].least_excess.saturating_add(i64::from(landing.points));
            (least.clamp(game.least_gain(), i64::from(u32::MAX)) as usize, surprises[usize::from(landing.table)])
        });
        let (gains, mended): (Vec<usize>, Vec<usize>) = of_landings.unzip();
        for lottery in &offer.lotteries {
            let chance = |weight: u64| weight as f64 / lottery.total as f64;
            let outcomes = || lottery.outcomes.iter();
            let mended =
                outcomes().map(|(landing, _)| mended[usize::from(*landing)]).max().unwrap_or(0) + offer.level.len();
            let growth = Growth {
                gains: outcomes().map(|(landing, weight)| (gains[usize::from(*landing)], chance(*weight))).collect(),
                roundings: adding(lottery),
                climbing: climbing(lottery, &game.ladders, mended.min(lottery.outcomes.len())),
            };
            if !growths.contains(&growth) {
                growths.push(growth);
            }
        }
    }
    growths
}

/// Weights from here on are rounded themselves.
const FIRST_ROUNDED: u64 = 1 << f64::MANTISSA_DIGITS;

/// Roundings if terms are added one by one: a product and all sums but the first, and one each for large weights and
/// their total.
fn adding(lottery: &Lottery) -> f64 {
    let rounded = if lottery.total >= FIRST_ROUNDED { 2 } else { 0 };
    (lottery.outcomes.len() + rounded) as f64
}

/// Roundings if clean rolls are summed by a climb: on each die's step a product and all sums but the first; then one sum for
/// each of the other outcomes and their products, and for each landing that has to be mended one more and those of the
/// difference and its product.
fn climbing(lottery: &Lottery, ladders: &[Vec<(u32, u64)>], mended: usize) -> f64 {
    let mending = if mended > 0 { mended as f64 + 2.0 } else { 0.0 };
    let Some(climb) = &lottery.climb else { return adding(lottery) + mending };
    let rest = climb.rest.iter().map(|(_, weight)| *weight as f64).sum::<f64>() / lottery.total as f64;
    let step = &ladders[climb.ladder];
    let each = if step.iter().all(|(_, weight)| *weight == 1) { step.len() - 1 } else { step.len() };
    let rounded = if lottery.total >= FIRST_ROUNDED { 2.0 } else { 0.0 };
    (1.0 - rest) * (climb.dice * each) as f64 + climb.rest.len() as f64 + rest + mending + rounded
}

/// The most that a turn raises the sum of scores by, if it does not end the game; at least 1.
pub(super) fn reach(game: &Game) -> usize {
    let landings = game.panels.iter().flat_map(|panel| &panel.offers).flat_map(|offer| &offer.landings);
    let most = landings
        .map(|landing| game.arrivals[usize::from(landing.table)].most_excess.saturating_add(i64::from(landing.points)));
    most.max().unwrap_or(1).clamp(1, game.space.layers() as i64) as usize
}

/// The next cell, if a turn from these scores goes on and leaves their sum as it is.
fn stay(game: &Game, (score, opponent): (usize, usize), landing: &Landing) -> Result<Option<usize>, Faults> {
    let (Destination::Passed { cell: next } | Destination::Again { cell: next }) =
        game.destination((score, opponent), landing)
    else {
        return Ok(None);
    };
    let (before, after) = (score + opponent, game.space.sum(next));
    if after >= before {
        return Ok((after == before).then_some(next));
    }
    let points = landing.points;
    let message = format!(
        "a turn of {points} points from {score}-{opponent} lowers the sum of scores from {before} to {after}, so a game \
         can go round for ever through many positions; such a game is not solved"
    );
    Err(game.rules.fault(None, message, "let no rule take more points than the turn brings"))
}

/// The level landings of an offer, and whether each is one of several outcomes of some lottery.
fn level_landings(offer: &Offer) -> Vec<(Landing, bool)> {
    let chances = offer.lotteries.iter().filter(|lottery| lottery.outcomes.len() > 1);
    let by_chance: Vec<u16> =
        chances.flat_map(|lottery| lottery.outcomes.iter().map(|(landing, _)| *landing)).collect();
    let level = offer.level.iter();
    level.map(|place| (offer.landings[usize::from(*place)], by_chance.contains(place))).collect()
}

/// By sum of scores, the most states of that sum that a value may pass through, one after another: the longest chain of
/// turns that leave the sum as it is, each set of states that lead round to each other counted whole; 0 where no turn does.
pub(super) fn longest_chains(game: &Game, stays: &[Stay]) -> Vec<usize> {
    let mut longest = vec![0; game.space.layers()];
    // Most stays are the last of their chain; few are left to be searched for loops.
    let goes_on = |(_, next): &Stay| stays.binary_search_by_key(next, |(cell, _)| *cell).is_ok();
    let (inner, last): (Vec<Stay>, Vec<Stay>) = stays.iter().partition(|stay| goes_on(stay));
    last.iter().for_each(|(cell, _)| longest[game.space.sum(*cell as usize)] = 2);
    let mut nodes = Interner::new();
    let edges: Vec<Stay> = inner.iter().map(|(cell, next)| (nodes.number(*cell), nodes.number(*next))).collect();
    // By node: how many cells come after it beside those in the graph.
    let mut beside = vec![0; nodes.count()];
    last.iter().filter_map(|(cell, _)| nodes.find(cell)).for_each(|node| beside[node as usize] = 1);
    let cells: Vec<u32> = nodes.into_items();
    let graph = DiGraph::<(), ()>::from_edges(edges);
    let mut length = vec![0; cells.len()];
    // Each set comes after all that it leads to.
    for set in kosaraju_scc(&graph) {
        let after = set.iter().flat_map(|node| graph.neighbors(*node)).map(|next| length[next.index()]);
        let after = after.chain(set.iter().map(|node| beside[node.index()]));
        let chain = after.max().unwrap_or(0) + set.len();
        set.iter().for_each(|node| length[node.index()] = chain);
        let longest = &mut longest[game.space.sum(cells[set[0].index()] as usize)];
        *longest = chain.max(*longest);
    }
    longest.into_iter().map(|chain| chain * game.space.per_cell()).collect()
}

/// Refuses a game whose start cannot lead to its end.
pub(super) fn refuse_endless(game: &Game) -> Result<(), Faults> {
    let mut seen = vec![false; game.space.goal * game.space.goal];
    let mut waiting = vec![0];
    seen[0] = true;
    while let Some(cell) = waiting.pop() {
        for landing in game.panel(cell).offers.iter().flat_map(|offer| &offer.landings) {
            match game.successor(cell, landing) {
                Successor::End(_) => return Ok(()),
                Successor::Passed { cell: next, .. } | Successor::Again { cell: next, .. } if !seen[next] => {
                    seen[next] = true;
                    waiting.push(next);
                }
                _ => {}
            }
        }
    }
    let message = "a game that cannot end: no play from 0-0 reaches the goal".to_owned();
    Err(game.rules.fault(None, message, "let some turn bring points"))
}
