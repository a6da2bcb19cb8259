//! Stage 5, from action sets and successors to facts: what solvers choose their methods by, how turns move the sum of scores.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::rules::{Faults, Rules};

use super::distributions::DieSums;
use super::intern::Interner;
use super::moves::Moves;
use super::{Destination, Landing, Lottery, Offer, Successor};

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

/// What is known of a game beside its arrays.
#[derive(Debug)]
pub(super) struct Facts {
    pub order: Order,
    /// The distinct ways in which turns raise the sum of scores.
    pub growths: Vec<Growth>,
    /// The most that a turn raises the sum of scores by, if it does not end the game; at least 1.
    pub reach: usize,
    /// By sum of scores, the most states of that sum that a value may pass through, one after another; empty where every
    /// turn raises the sum.
    pub longest_chains: Vec<usize>,
}

/// Why a game is not solved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unsolvable {
    /// A turn from a cell lowers the sum of scores: the cell, the points, the next cell.
    Lowers((usize, usize), u32, (usize, usize)),
    /// No play reaches the end.
    Endless,
}

impl Unsolvable {
    /// The same as a fault of the rules.
    pub fn told(self, rules: &Rules) -> Faults {
        let Self::Lowers((score, opponent), points, next) = self else {
            let message = "a game that cannot end: no play from 0-0 reaches the goal".to_owned();
            return rules.fault(None, message, "let some turn bring points");
        };
        let (before, after) = (score + opponent, next.0 + next.1);
        let message = format!(
            "a turn of {points} points from {score}-{opponent} lowers the sum of scores from {before} to {after}, so a \
             game can go round for ever through many positions; such a game is not solved"
        );
        rules.fault(None, message, "let no rule take more points than the turn brings")
    }
}

/// From a cell to a cell of the same sum of scores.
type Stay = (u32, u32);

/// The facts of a game, from its action sets and successors and from what one die of its clean rolls brings.
///
/// # Errors
/// If a turn can lower the sum of scores, or the game cannot end.
pub(super) fn facts(moves: &Moves, dice: &[DieSums]) -> Result<Facts, Unsolvable> {
    let (order, stays) = order(moves)?;
    let mut longest = Vec::new();
    if order != Order::Rising {
        refuse_endless(moves)?;
        longest = longest_chains(moves, &stays);
    }
    Ok(Facts { order, growths: growths((moves, order), dice), reach: reach(moves), longest_chains: longest })
}

/// The least that an outcome raises the sum of scores by, if the game goes on; it may be less from no cell.
fn least_increment(moves: &Moves, landing: &Landing) -> i64 {
    moves.table(landing).least_correction.saturating_add(i64::from(landing.points))
}

/// Marks the outcomes that may leave the sum of scores as it is.
pub(super) fn mark_staying(moves: &mut Moves) {
    let mut sets = std::mem::take(&mut moves.sets);
    for offer in sets.iter_mut().flat_map(|set| &mut set.offers) {
        let staying = (0..).zip(&offer.landings).filter(|(_, landing)| least_increment(moves, landing) <= 0);
        offer.level = staying.map(|(place, _)| place).collect();
    }
    moves.sets = sets;
}

/// Whether every turn raises the sum of scores, and which leave it unchanged; a game in which a turn can lower it is refused.
fn order(moves: &Moves) -> Result<(Order, Vec<Stay>), Unsolvable> {
    // The increments are bounds over all totals; what counts is what happens from the cells themselves.
    let suspects: Vec<Vec<(Landing, bool)>> =
        moves.sets.iter().map(|set| set.offers.iter().flat_map(level_landings).collect()).collect();
    if suspects.iter().all(Vec::is_empty) {
        return Ok((Order::Rising, Vec::new()));
    }
    let (mut stays, mut random, goal) = (Vec::new(), false, moves.space.goal);
    for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
        for (landing, by_chance) in &suspects[moves.number_at(score, opponent)] {
            if let Some(next) = stay(moves, (score, opponent), landing)? {
                stays.push(((score * goal + opponent) as u32, next as u32));
                random |= by_chance;
            }
        }
    }
    Ok((if stays.is_empty() { Order::Rising } else { Order::Level { random } }, stays))
}

fn growths((moves, order): (&Moves, Order), dice: &[DieSums]) -> Vec<Growth> {
    let least = if order == Order::Rising { 1 } else { 0 };
    let all = moves.sets.iter().flat_map(|set| &set.offers).flat_map(|offer| &offer.landings);
    let window = all.map(|landing| landing.points as usize + 1).max().unwrap_or(1);
    let exceptional: Vec<usize> = moves.tables.iter().map(|table| table.most_exceptional(window)).collect();
    let mut growths: Vec<Growth> = Vec::new();
    for offer in moves.sets.iter().flat_map(|set| &set.offers) {
        let of_landings = offer.landings.iter().map(|landing| {
            let increment = least_increment(moves, landing).clamp(least, i64::from(u32::MAX));
            (increment as usize, exceptional[usize::from(landing.table)])
        });
        let (gains, corrected): (Vec<usize>, Vec<usize>) = of_landings.unzip();
        for lottery in &offer.lotteries {
            let outcomes = || lottery.outcomes.iter().map(|(landing, weight)| (usize::from(*landing), *weight));
            let corrected = outcomes().map(|(landing, _)| corrected[landing]).max().unwrap_or(0) + offer.level.len();
            let chance = |weight: u64| weight as f64 / lottery.total as f64;
            let growth = Growth {
                gains: outcomes().map(|(landing, weight)| (gains[landing], chance(weight))).collect(),
                roundings: adding(lottery),
                climbing: climbing(lottery, dice, corrected.min(lottery.outcomes.len())),
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
fn climbing(lottery: &Lottery, dice: &[DieSums], corrected: usize) -> f64 {
    let correcting = if corrected > 0 { corrected as f64 + 2.0 } else { 0.0 };
    let Some(climb) = &lottery.climb else { return adding(lottery) + correcting };
    let rest = climb.rest.iter().map(|(_, weight)| *weight as f64).sum::<f64>() / lottery.total as f64;
    let die = &dice[climb.ladder];
    let each = if die.iter().all(|(_, weight)| *weight == 1) { die.len() - 1 } else { die.len() };
    let rounded = if lottery.total >= FIRST_ROUNDED { 2.0 } else { 0.0 };
    (1.0 - rest) * (climb.dice * each) as f64 + climb.rest.len() as f64 + rest + correcting + rounded
}

fn reach(moves: &Moves) -> usize {
    let landings = moves.sets.iter().flat_map(|set| &set.offers).flat_map(|offer| &offer.landings);
    let most = landings.map(|landing| moves.table(landing).most_correction.saturating_add(i64::from(landing.points)));
    most.max().unwrap_or(1).clamp(1, moves.space.layers() as i64) as usize
}

/// The next cell, if a turn from these scores goes on and leaves their sum as it is.
fn stay(moves: &Moves, scores: (usize, usize), landing: &Landing) -> Result<Option<usize>, Unsolvable> {
    let (Destination::Passed { cell: next } | Destination::Again { cell: next }) = moves.destination(scores, landing)
    else {
        return Ok(None);
    };
    let (before, after) = (scores.0 + scores.1, moves.space.sum(next));
    if after < before {
        let next = (next / moves.space.goal, next % moves.space.goal);
        return Err(Unsolvable::Lowers(scores, landing.points, next));
    }
    Ok((after == before).then_some(next))
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
fn longest_chains(moves: &Moves, stays: &[Stay]) -> Vec<usize> {
    let mut longest = vec![0; moves.space.layers()];
    // Most stays are the last of their chain; few are left to be searched for loops.
    let goes_on = |(_, next): &Stay| stays.binary_search_by_key(next, |(cell, _)| *cell).is_ok();
    let (inner, last): (Vec<Stay>, Vec<Stay>) = stays.iter().partition(|stay| goes_on(stay));
    last.iter().for_each(|(cell, _)| longest[moves.space.sum(*cell as usize)] = 2);
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
        let longest = &mut longest[moves.space.sum(cells[set[0].index()] as usize)];
        *longest = chain.max(*longest);
    }
    longest.into_iter().map(|chain| chain * moves.space.per_cell()).collect()
}

/// Refuses a game whose start cannot lead to its end.
fn refuse_endless(moves: &Moves) -> Result<(), Unsolvable> {
    let mut seen = vec![false; moves.space.goal * moves.space.goal];
    let mut waiting = vec![0];
    seen[0] = true;
    while let Some(cell) = waiting.pop() {
        for landing in moves.at(cell).offers.iter().flat_map(|offer| &offer.landings) {
            match moves.outlook(cell).successor(landing) {
                Successor::End(_) => return Ok(()),
                Successor::Passed { cell: next, .. } | Successor::Again { cell: next, .. } if !seen[next] => {
                    seen[next] = true;
                    waiting.push(next);
                }
                _ => {}
            }
        }
    }
    Err(Unsolvable::Endless)
}
