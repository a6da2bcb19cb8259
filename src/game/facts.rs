//! Facts of a game that solvers choose their methods by: how turns move the sum of scores.

use crate::rules::Faults;

use super::{Game, Landing, Successor};

/// How the sum of both scores moves in a turn that does not end the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Every turn raises it: one backward pass over the sums solves the game.
    Rising,
    /// No turn lowers it, but some leave it unchanged: states of one sum may form loops.
    Level {
        /// The smallest chance with which a turn of chance that may leave the sum unchanged raises it or ends the game;
        /// 1 if only turns without chance leave it unchanged.
        least_leave: f64,
    },
}

/// How some turn raises the sum of scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The least gain of each outcome that does not end the game, and its chance (a double).
    pub gains: Vec<(usize, f64)>,
    /// See [`Lottery::additions`](super::Lottery::additions).
    pub additions: usize,
}

/// Whether every turn raises the sum of scores; a game in which a turn can lower it is refused.
pub(super) fn order(game: &mut Game) -> Result<Order, Faults> {
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
        return Ok(Order::Rising);
    }
    // The bound is over all totals; what counts is what happens from the cells themselves.
    let (mut level, mut least_leave) = (false, 1f64);
    for cell in 0..game.space.goal * game.space.goal {
        for offer in &game.panel(cell).offers {
            let stays = |landing: u16| -> Result<bool, Faults> {
                Ok(offer.level.contains(&landing) && !raises(game, cell, &offer.landings[usize::from(landing)])?)
            };
            for landing in &offer.level {
                level |= stays(*landing)?;
            }
            for lottery in
                offer.lotteries.iter().filter(|lottery| lottery.outcomes.len() > 1 && !offer.level.is_empty())
            {
                let mut staying = 0;
                for (landing, weight) in &lottery.outcomes {
                    staying += if stays(*landing)? { *weight } else { 0 };
                }
                if 0 < staying && staying < lottery.total {
                    least_leave = least_leave.min((lottery.total - staying) as f64 / lottery.total as f64);
                }
            }
        }
    }
    Ok(if level { Order::Level { least_leave } } else { Order::Rising })
}

/// The distinct ways in which turns raise the sum of scores.
pub(super) fn growths(game: &Game) -> Vec<Growth> {
    let mut growths: Vec<Growth> = Vec::new();
    for offer in game.panels.iter().flat_map(|panel| &panel.offers) {
        for lottery in &offer.lotteries {
            let gain = |landing: &u16| {
                let landing = &offer.landings[usize::from(*landing)];
                let least = game.arrivals[usize::from(landing.table)].least_excess;
                least.saturating_add(i64::from(landing.points)).max(0).min(i64::from(u32::MAX)) as usize
            };
            let outcomes = lottery.outcomes.iter();
            let gains =
                outcomes.map(|(landing, weight)| (gain(landing), *weight as f64 / lottery.total as f64)).collect();
            let growth = Growth { gains, additions: lottery.additions };
            if !growths.contains(&growth) {
                growths.push(growth);
            }
        }
    }
    growths
}

/// Whether a turn from the cell ends the game or raises the sum of scores, rather than leaving it as it is.
fn raises(game: &Game, cell: usize, landing: &Landing) -> Result<bool, Faults> {
    let (Successor::Passed { cell: next, .. } | Successor::Again { cell: next, .. }) = game.successor(cell, landing)
    else {
        return Ok(true);
    };
    let (before, after) = (game.space.sum(cell), game.space.sum(next));
    if after >= before {
        return Ok(after > before);
    }
    let (score, opponent, points) = (cell / game.space.goal, cell % game.space.goal, landing.points);
    let message = format!(
        "a turn of {points} points from {score}-{opponent} lowers the sum of scores from {before} to {after}, so a game \
         can go round for ever through many positions; such a game is not solved"
    );
    Err(game.rules.fault(None, message, "let no rule take more points than the turn brings"))
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
