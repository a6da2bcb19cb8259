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
use crate::rules::{Bid, Rules};
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
    #[error("the bid's `score` gives {} for {bid} against {opponent_bid}; let it give 0 or more", shown(.score))]
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
    let lacking = || BidError::NoBid { game: rules.origin.clone() };
    let bid = rules.bid.as_ref().ok_or_else(lacking)?;
    let starts = Starts::new(game, bid, watch)?;
    let advantages = starts.advantages(game, watch)?;
    let shares = matrix::equilibrium(&advantages, watch)?;
    let half = RBig::from_parts(1.into(), 2u8.into());
    let gain = |answer: &Vec<RBig>| {
        let sum = shares.iter().fold(RBig::ZERO, |sum, (bid, share)| sum + &answer[*bid] * share);
        sum + &half
    };
    let answers = advantages.iter().map(gain).collect();
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

/// Returns the start that two bids lead to.
///
/// # Errors
/// Returns an error if a formula has no value there, or gives a negative score.
pub fn start(rules: &Rules, rule: &Bid, [bid, opponent_bid]: [i64; 2]) -> Result<Start, BidError> {
    let seen = |bid: i64, opponent_bid: i64| {
        let mut scope = Scope::default();
        scope.set(Variable::GOAL, i64::from(rules.goal));
        scope.set(Variable::BID, bid);
        scope.set(Variable::OPPONENT_BID, opponent_bid);
        let score = rule.score.value(&scope);
        let fits = score.and_then(|score| u32::try_from(score).ok());
        let fits = fits.ok_or(BidError::NoScore { bid, opponent_bid, score })?;
        let first =
            rule.first.value(&scope).ok_or(BidError::NoScore { bid, opponent_bid, score: None })?
                == 1;
        Ok::<_, BidError>((fits, first))
    };
    let (own, mine) = seen(bid, opponent_bid)?;
    let (other, theirs) = seen(opponent_bid, bid)?;
    // If the formula lets both players move first, or neither, a coin decides.
    Ok(Start { scores: [own, other], first: (mine != theirs).then_some(mine) })
}

/// The starts of all pairs of bids, in row-major order.
struct Starts {
    count: usize,
    starts: Vec<Start>,
}

impl Starts {
    fn new(game: &Game, rule: &Bid, watch: &Watch) -> Result<Self, BidError> {
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
        let state = |[score, opponent]: [u32; 2]| {
            Position::new(game.rules(), score, opponent).ok().map(|position| game.state(&position))
        };
        let mut states: Vec<usize> =
            self.starts.iter().filter_map(|start| state(start.scores)).collect();
        states.sort_unstable();
        states.dedup();
        let values = exact_values(game, &states, watch)?;
        let half = RBig::from_parts(1.into(), 2u8.into());
        // The mover's win rate minus one half at these scores.
        let mover_advantage = |scores: [u32; 2]| match state(scores)
            .and_then(|state| states.binary_search(&state).ok())
        {
            Some(place) => &values[place] - &half,
            None => RBig::ZERO,
        };
        let advantage = |start: &Start| {
            let [score, opponent] = start.scores;
            match start.decided(goal) {
                Some(1.0) => return half.clone(),
                Some(0.0) => return -&half,
                Some(_) => return RBig::ZERO,
                None => {}
            }
            let moving = mover_advantage([score, opponent]);
            let waiting = -mover_advantage([opponent, score]);
            match start.first {
                Some(true) => moving,
                Some(false) => waiting,
                None => (moving + waiting) * &half,
            }
        };
        Ok(self.starts.chunks(self.count).map(|row| row.iter().map(advantage).collect()).collect())
    }
}
