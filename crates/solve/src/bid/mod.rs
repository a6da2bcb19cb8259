//! Bidding for the start: a matrix game on the solved values, and its exact equilibrium.
//!
//! Both players bid simultaneously, by the same formulas. What one player wins with bid i against
//! bid j, the other wins with bid j against bid i, so the payoffs minus one half are
//! skew-symmetric, and the value of the game is one half. An equilibrium is a distribution of bids
//! against which no bid wins more than that.

mod matrix;

use std::cmp::Ordering;

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
    /// The formula of the score has no value, or gives one that cannot be a score.
    #[error("the bid's `score` gives {} for {bid} against {opponent_bid}; let it give {}",
            shown(.score), allowed(.score))]
    NoScore {
        /// The player's bid.
        bid: i64,
        /// The opponent's bid.
        opponent_bid: i64,
        /// The value of `score`; `None` if it has none.
        score: Option<i64>,
    },
    /// The formula that says who moves first has no value.
    #[error(
        "the bid's `first` gives no value for {bid} against {opponent_bid}; let it give true \
         or false"
    )]
    NoFirst {
        /// The player's bid.
        bid: i64,
        /// The opponent's bid.
        opponent_bid: i64,
    },
    /// The game itself could not be solved.
    #[error(transparent)]
    Unsolved(#[from] SolveError),
}

fn shown(score: &Option<i64>) -> String {
    score.map_or_else(|| "no value".to_owned(), |score| score.to_string())
}

/// What a score may be, for one that is none.
fn allowed(score: &Option<i64>) -> String {
    match score {
        Some(0..) => format!("at most {}", u32::MAX),
        _ => "0 or more".to_owned(),
    }
}

/// An equilibrium of the bidding, in exact numbers.
#[derive(Clone, Debug)]
pub struct Bidding {
    /// The bids made, ascending, each with its exact probability; a single bid if one is never
    /// beaten.
    pub shares: Vec<(i64, RBig)>,
    /// For each bid from 0 up, its exact win rate against the equilibrium: one half at most.
    pub win_rates: Vec<RBig>,
}

impl Bidding {
    /// Returns the shares as the nearest doubles.
    pub fn shares_as_doubles(&self) -> Vec<(i64, f64)> {
        self.shares.iter().map(|(bid, share)| (*bid, nearest_double(share))).collect()
    }

    /// Returns the win rates as the nearest doubles.
    pub fn win_rates_as_doubles(&self) -> Vec<f64> {
        self.win_rates.iter().map(nearest_double).collect()
    }
}

/// Returns the equilibrium of the bids for the start, from the exact values of all starts that bids
/// can lead to.
///
/// ```
/// use hog_solve::bid::equilibrium;
/// use hog_solve::game::Game;
/// use hog_rules::rules::rules_from_text;
/// use hog_solve::solve::Watch;
///
/// // Whoever bids one more than the other, modulo 3, starts at the goal: paper, scissors, stone.
/// let text = r#"
///     id = "three"
///     [bid]
///     max = 2
///     score = "bid == (opponent_bid + 1) % 3 ? goal : 0"
///     first = "bid > opponent_bid"
/// "#;
/// let game = Game::new(rules_from_text(text, "three", Default::default())?)?;
/// let bidding = equilibrium(&game, &Watch::silent())?;
/// let third = 1.0 / 3.0;
/// assert_eq!(bidding.shares_as_doubles(), [(0, third), (1, third), (2, third)]);
/// assert_eq!(bidding.win_rates_as_doubles(), [0.5; 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the rules have no bidding, a formula fails, or the game cannot be solved.
pub fn equilibrium(game: &Game, watch: &Watch) -> Result<Bidding, BidError> {
    let rules = game.rules();
    let Some(rule) = &rules.bid else {
        return Err(BidError::NoBid { game: rules.origin.clone() });
    };
    let starts = starts(rules, rule, watch)?;
    let advantages = advantages(game, &starts, watch)?;
    let shares = matrix::equilibrium(&advantages, watch)?;
    let half = half();
    let mut win_rates = Vec::with_capacity(advantages.len());
    for advantages in &advantages {
        let gains = shares.iter().map(|(bid, share)| &advantages[*bid] * share);
        win_rates.push(gains.fold(RBig::ZERO, |sum, gain| sum + gain) + &half);
    }
    Ok(Bidding {
        shares: shares.into_iter().map(|(bid, share)| (bid as i64, share)).collect(),
        win_rates,
    })
}

fn half() -> RBig {
    RBig::from_parts(1.into(), 2u8.into())
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
    /// Returns how the score of the player with the first bid compares with the other's if one of
    /// them has reached the goal, so that the game is over.
    pub fn decided(&self, goal: u32) -> Option<Ordering> {
        let [own, other] = self.scores;
        (own >= goal || other >= goal).then(|| own.cmp(&other))
    }
}

/// Returns a player's score at the start, and whether that player moves first.
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
        return Err(BidError::NoFirst { bid, opponent_bid });
    };
    Ok((fits, first == 1))
}

/// Returns the start that two bids lead to.
///
/// ```
/// use hog_solve::bid::{Start, start};
/// use hog_rules::rules::rules_from_text;
///
/// // The higher bidder moves first, and the other gets that bid as points.
/// let text = r#"
///     id = "auction"
///     [bid]
///     max = 20
///     score = "bid < opponent_bid ? opponent_bid : 0"
///     first = "bid > opponent_bid"
/// "#;
/// let rules = rules_from_text(text, "auction", Default::default())?;
/// let rule = rules.bid.as_ref().expect("it has one");
/// assert_eq!(start(&rules, rule, [7, 5])?, Start { scores: [0, 7], first: Some(true) });
/// // Equal bids: a coin.
/// assert_eq!(start(&rules, rule, [5, 5])?, Start { scores: [0, 0], first: None });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a formula has no value there, or gives a score below 0 or above `u32::MAX`.
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

/// Returns the starts of all pairs of bids, by bid and opponent's bid.
fn starts(rules: &Rules, rule: &BidRules, watch: &Watch) -> Result<Vec<Vec<Start>>, BidError> {
    let count = rule.max as usize + 1;
    let mut starts = Vec::with_capacity(count);
    for bid in 0..=rule.max {
        watch.report(bid as usize, count)?;
        let mut of_bid = Vec::with_capacity(count);
        for opponent_bid in 0..=rule.max {
            of_bid.push(start(rules, rule, [bid, opponent_bid])?);
        }
        starts.push(of_bid);
    }
    Ok(starts)
}

/// Returns the player's win rate minus one half, by bid and opponent's bid.
fn advantages(
    game: &Game,
    starts: &[Vec<Start>],
    watch: &Watch,
) -> Result<Vec<Vec<RBig>>, BidError> {
    let goal = game.rules().goal;
    let open = starts.iter().flatten().filter(|start| start.decided(goal).is_none());
    let mut states: Vec<usize> = open.map(|start| state_at(game, start.scores)).collect();
    states.sort_unstable();
    states.dedup();
    let values = exact_values(game, &states, watch)?;
    let solved = SolvedStarts { game, states, values };
    let half = half();
    let mut advantages = Vec::with_capacity(starts.len());
    for starts in starts {
        let mut of_bid = Vec::with_capacity(starts.len());
        for start in starts {
            of_bid.push(match start.decided(goal) {
                Some(Ordering::Greater) => half.clone(),
                Some(Ordering::Less) => -&half,
                Some(Ordering::Equal) => RBig::ZERO,
                None => solved.advantage(start),
            });
        }
        advantages.push(of_bid);
    }
    Ok(advantages)
}

/// The states at the starts of all pairs of bids, with their values.
struct SolvedStarts<'g> {
    game: &'g Game,
    /// Ascending.
    states: Vec<usize>,
    values: Vec<RBig>,
}

impl SolvedStarts<'_> {
    /// Returns the win rate of the player with the first bid, minus one half.
    fn advantage(&self, start: &Start) -> RBig {
        let [score, opponent] = start.scores;
        // The same bids, seen by the opponent, lead to the other state.
        let moving = self.of_mover([score, opponent]);
        let waiting = -self.of_mover([opponent, score]);
        match start.first {
            Some(true) => moving,
            Some(false) => waiting,
            None => (moving + waiting) * half(),
        }
    }

    /// Returns the mover's win rate at some scores, minus one half.
    fn of_mover(&self, scores: [u32; 2]) -> RBig {
        let place = self.states.binary_search(&state_at(self.game, scores));
        &self.values[place.expect("a state of a start")] - half()
    }
}

/// Returns the state at scores below the goal.
fn state_at(game: &Game, [score, opponent]: [u32; 2]) -> usize {
    let position = Position::new(game.rules(), score, opponent).expect("no score is at the goal");
    game.state(&position)
}
