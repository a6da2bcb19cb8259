//! Bidding for the start: a matrix game on top of the solved values, and its exact equilibrium.
//!
//! Both players bid at once, by the same formulas, so what one player wins with bid i against bid j the other wins
//! with bid j against bid i: the payoffs less one half are skew-symmetric, and the game is worth one half. What is
//! sought is how often to make each bid so that no answer wins more than that.

mod matrix;

use dashu_ratio::RBig;

use crate::game::{Game, Position};
use crate::rules::Bid;
use crate::rules::formula::{Scope, Variable};
use crate::solve::{SolveError, Watch, exact_values, nearest_double};

/// Why a bid cannot be solved.
#[derive(Debug, thiserror::Error)]
pub enum BidError {
    /// The rules have no bidding.
    #[error("the game {game} has no bidding for the start; `hog rules show {game}` prints its rules")]
    NoBid {
        /// The game's id.
        game: String,
    },
    /// A formula has no value, or a score below 0.
    #[error("the bid's `score` gives {} for {bid} against {opponent_bid}; let it give 0 or more", shown(.score))]
    NoScore {
        /// The player's bid.
        bid: i64,
        /// The opponent's bid.
        opponent_bid: i64,
        /// What it gives, if anything.
        score: Option<i64>,
    },
    /// The game itself could not be solved.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
}

fn shown(score: &Option<i64>) -> String {
    score.map_or_else(|| "no value".to_owned(), |score| score.to_string())
}

/// How to bid, proven in exact numbers.
#[derive(Clone, Debug)]
pub struct Bidding {
    /// The bids made, ascending, each with its exact share; a single one if there is a sure bid.
    pub shares: Vec<(i64, RBig)>,
    /// For each bid from 0 up, the exact win rate of answering the equilibrium with it: one half at most.
    pub answers: Vec<RBig>,
}

impl Bidding {
    /// The shares as the nearest doubles.
    pub fn shares_as_doubles(&self) -> Vec<(i64, f64)> {
        self.shares.iter().map(|(bid, share)| (*bid, nearest_double(share))).collect()
    }

    /// The answers as the nearest doubles.
    pub fn answers_as_doubles(&self) -> Vec<f64> {
        self.answers.iter().map(nearest_double).collect()
    }
}

/// The equilibrium of the bids for the start, from exact values of every start they can lead to.
///
/// # Errors
/// [`BidError`] says whether the rules or the solving is at fault.
pub fn equilibrium(game: &Game, watch: &Watch) -> Result<Bidding, BidError> {
    let bid = game.rules().bid.as_ref().ok_or_else(|| BidError::NoBid { game: game.rules().id.clone() })?;
    let starts = Starts::new(game, bid)?;
    let advantages = starts.advantages(game, watch)?;
    let shares = matrix::equilibrium(&advantages);
    let half = RBig::from_parts(1.into(), 2u8.into());
    let gain = |answer: &Vec<RBig>| {
        let sum = shares.iter().fold(RBig::ZERO, |sum, (bid, share)| sum + &answer[*bid] * share);
        sum + &half
    };
    let answers = advantages.iter().map(gain).collect();
    Ok(Bidding { shares: shares.into_iter().map(|(bid, share)| (bid as i64, share)).collect(), answers })
}

/// What each pair of bids starts with.
struct Starts {
    count: usize,
    /// The score of the player with the row's bid against the column's.
    scores: Vec<u32>,
    /// Whether that player moves first, by their own formula.
    first: Vec<bool>,
}

impl Starts {
    fn new(game: &Game, rule: &Bid) -> Result<Self, BidError> {
        let mut starts = Self { count: rule.max as usize + 1, scores: Vec::new(), first: Vec::new() };
        let mut scope = Scope::default();
        scope.set(Variable::GOAL, i64::from(game.rules().goal));
        for (bid, opponent_bid) in (0..=rule.max).flat_map(|bid| (0..=rule.max).map(move |other| (bid, other))) {
            scope.set(Variable::BID, bid);
            scope.set(Variable::OPPONENT_BID, opponent_bid);
            let score = rule.score.value(&scope);
            let fits = score.and_then(|score| u32::try_from(score).ok());
            starts.scores.push(fits.ok_or(BidError::NoScore { bid, opponent_bid, score })?);
            let no_value = BidError::NoScore { bid, opponent_bid, score: None };
            starts.first.push(rule.first.value(&scope).ok_or(no_value)? == 1);
        }
        Ok(starts)
    }

    /// By bid and opponent's bid, what the player wins above one half.
    fn advantages(&self, game: &Game, watch: &Watch) -> Result<Vec<Vec<RBig>>, BidError> {
        let goal = game.rules().goal;
        let at =
            |bid: usize, other: usize| (self.scores[bid * self.count + other], self.scores[other * self.count + bid]);
        let pairs = || (0..self.count).flat_map(|bid| (0..self.count).map(move |other| (bid, other)));
        let position = |(score, opponent): (u32, u32)| Position::new(game.rules(), score, opponent).ok();
        let state = |scores| position(scores).map(|position| game.state(&position));
        let mut states: Vec<usize> = pairs().filter_map(|(bid, other)| state(at(bid, other))).collect();
        states.sort_unstable();
        states.dedup();
        let values = exact_values(game, &states, watch)?;
        let half = RBig::from_parts(1.into(), 2u8.into());
        // What the mover wins above one half from these scores.
        let edge = |scores: (u32, u32)| match state(scores).and_then(|state| states.binary_search(&state).ok()) {
            Some(place) => &values[place] - &half,
            None => RBig::ZERO,
        };
        let advantage = |bid: usize, other: usize| {
            let (score, opponent) = at(bid, other);
            if score >= goal || opponent >= goal {
                return match score.cmp(&opponent) {
                    std::cmp::Ordering::Greater => half.clone(),
                    std::cmp::Ordering::Equal => RBig::ZERO,
                    std::cmp::Ordering::Less => -&half,
                };
            }
            let (moving, waiting) = (edge((score, opponent)), -edge((opponent, score)));
            match (self.first[bid * self.count + other], self.first[other * self.count + bid]) {
                (true, false) => moving,
                (false, true) => waiting,
                // Nobody, or both: a fair coin.
                _ => (moving + waiting) * &half,
            }
        };
        Ok((0..self.count).map(|bid| (0..self.count).map(|other| advantage(bid, other)).collect()).collect())
    }
}
