//! Bidding for the start: a matrix game on the solved values, and its exact equilibrium.
//!
//! Both players bid simultaneously, by the same formulas. What one player wins with bid i against
//! bid j, the other wins with bid j against bid i, so the payoffs minus one half are
//! skew-symmetric, and the value of the game is one half. An equilibrium is a distribution of bids
//! against which no bid wins more than that.

mod matrix;

use dashu_ratio::RBig;

use crate::game::{Game, Position};
use crate::rules::formula::{Scope, Variable};
use crate::rules::{BidRules, Rules};
use crate::solve::{SolveError, Watch, exact_values, nearest_double};

/// An error of the bidding.
#[derive(Debug, thiserror::Error)]
pub enum BidError {
    /// The rules have no bidding.
    #[error("the game {game} has no bidding for the start")]
    NoBid {
        /// The game's id, or the path of its rules.
        game: String,
    },
    /// A formula has no value, or gives a negative score.
    #[error("the bid's `score` gives {} for {bid} against {opponent_bid}; let it give 0 or \
             more", shown(.score))]
    NoScore {
        /// The player's bid.
        bid: i64,
        /// The opponent's bid.
        opponent_bid: i64,
        /// The value of `score`; `None` if a formula has no value.
        score: Option<i64>,
    },
    /// The game itself could not be solved.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
}

fn shown(score: &Option<i64>) -> String {
    score.map_or_else(|| "no value".to_owned(), |score| score.to_string())
}

/// An equilibrium of the bidding, in exact numbers.
#[derive(Clone, Debug)]
pub struct Bidding {
    /// The bids made, ascending, each with its exact probability; a single bid if one is never
    /// beaten.
    pub shares: Vec<(i64, RBig)>,
    /// For each bid from 0 up, its exact win rate against the equilibrium: one half at most.
    pub answers: Vec<RBig>,
}

impl Bidding {
    /// Returns the shares as the nearest doubles.
    pub fn shares_as_doubles(&self) -> Vec<(i64, f64)> {
        self.shares.iter().map(|(bid, share)| (*bid, nearest_double(share))).collect()
    }

    /// Returns the answers as the nearest doubles.
    pub fn answers_as_doubles(&self) -> Vec<f64> {
        self.answers.iter().map(nearest_double).collect()
    }
}

/// Returns the equilibrium of the bids for the start, from the exact values of all starts that bids
/// can lead to.
///
/// # Errors
/// Returns an error if the rules have no bidding, a formula fails, or the game cannot be solved.
pub fn equilibrium(game: &Game, watch: &Watch) -> Result<Bidding, BidError> {
    let rules = game.rules();
    let Some(bid) = &rules.bid else {
        return Err(BidError::NoBid { game: rules.origin.clone() });
    };
    let starts = Starts::new(game, bid, watch)?;
    let advantages = starts.advantages(game, watch)?;
    let shares = matrix::equilibrium(&advantages, watch)?;
    let half = RBig::from_parts(1.into(), 2u8.into());
    let mut answers = Vec::with_capacity(advantages.len());
    for answer in &advantages {
        let gains = shares.iter().map(|(bid, share)| &answer[*bid] * share);
        answers.push(gains.fold(RBig::ZERO, |sum, gain| sum + gain) + &half);
    }
    Ok(Bidding {
        shares: shares.into_iter().map(|(bid, share)| (bid as i64, share)).collect(),
        answers,
    })
}

/// The start that two bids lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The scores of the player with the first bid, and of the other player.
    pub scores: [u32; 2],
    /// Whether the player with the first bid moves first; `None` if a fair coin decides.
    pub first: Option<bool>,
}

impl Start {
    /// Returns the win rate of the player with the first bid if a score has reached the goal, so
    /// that the game is over.
    pub fn decided(&self, goal: u32) -> Option<f64> {
        let [own, other] = self.scores;
        (own >= goal || other >= goal).then(|| match own.cmp(&other) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
    }
}

/// Returns a player's score at the start, and whether the formula lets the player move first.
fn start_of_one(
    rules: &Rules,
    rule: &BidRules,
    bid: i64,
    opponent_bid: i64,
) -> Result<(u32, bool), BidError> {
    let mut scope = Scope::default();
    scope.set(Variable::GOAL, i64::from(rules.goal));
    scope.set(Variable::BID, bid);
    scope.set(Variable::OPPONENT_BID, opponent_bid);
    let score = rule.score.value(&scope);
    let Some(fits) = score.and_then(|score| u32::try_from(score).ok()) else {
        return Err(BidError::NoScore { bid, opponent_bid, score });
    };
    let Some(first) = rule.first.value(&scope) else {
        return Err(BidError::NoScore { bid, opponent_bid, score: None });
    };
    Ok((fits, first == 1))
}

/// Returns the state at some scores, unless the game is over there.
fn state_at(game: &Game, [score, opponent]: [u32; 2]) -> Option<usize> {
    Position::new(game.rules(), score, opponent).ok().map(|position| game.state(&position))
}

/// Returns the start that two bids lead to.
///
/// # Errors
/// Returns an error if a formula has no value there, or gives a negative score.
pub fn start(
    rules: &Rules,
    rule: &BidRules,
    [bid, opponent_bid]: [i64; 2],
) -> Result<Start, BidError> {
    let (own, mine) = start_of_one(rules, rule, bid, opponent_bid)?;
    let (other, theirs) = start_of_one(rules, rule, opponent_bid, bid)?;
    // If the formula lets both players move first, or neither, a coin decides.
    Ok(Start { scores: [own, other], first: (mine != theirs).then_some(mine) })
}

/// The starts of all pairs of bids, in row-major order.
struct Starts {
    count: usize,
    starts: Vec<Start>,
}

impl Starts {
    fn new(game: &Game, rule: &BidRules, watch: &Watch) -> Result<Self, BidError> {
        let count = rule.max as usize + 1;
        let mut starts = Vec::new();
        for bid in 0..=rule.max {
            watch.report(bid as usize, count)?;
            let bids = (0..=rule.max).map(|other| start(game.rules(), rule, [bid, other]));
            starts.extend(bids.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Self { count, starts })
    }

    /// Returns the player's win rate minus one half, by bid and opponent's bid.
    fn advantages(&self, game: &Game, watch: &Watch) -> Result<Vec<Vec<RBig>>, BidError> {
        let goal = game.rules().goal;
        let mut states: Vec<usize> =
            self.starts.iter().filter_map(|start| state_at(game, start.scores)).collect();
        states.sort_unstable();
        states.dedup();
        let values = exact_values(game, &states, watch)?;
        let half = RBig::from_parts(1.into(), 2u8.into());
        let mut advantages = Vec::with_capacity(self.starts.len());
        for start in &self.starts {
            let [score, opponent] = start.scores;
            // The mover's win rate minus one half, if the player or the opponent moves.
            let [own, other] = [[score, opponent], [opponent, score]].map(|scores| {
                let place = state_at(game, scores).and_then(|at| states.binary_search(&at).ok());
                place.map_or(RBig::ZERO, |place| &values[place] - &half)
            });
            advantages.push(match (start.decided(goal), start.first) {
                (Some(1.0), _) => half.clone(),
                (Some(0.0), _) => -&half,
                (Some(_), _) => RBig::ZERO,
                (None, Some(true)) => own,
                (None, Some(false)) => -other,
                (None, None) => (own - other) * &half,
            });
        }
        Ok(advantages.chunks(self.count).map(<[RBig]>::to_vec).collect())
    }
}
