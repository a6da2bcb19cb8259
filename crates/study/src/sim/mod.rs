//! Simulated and interactive games: dice, commentary, experiments, fast simulation, sessions with
//! people.
//!
//! The functions that the handouts ask for have the handouts' names: [`make_fair_dice`],
//! [`four_sided`], [`six_sided`], [`make_test_dice`], [`roll_dice`], [`take_turn`], [`free_bacon`],
//! [`picky_piggy`], [`select_dice`], [`is_swap`], [`swine_swap`], [`hog_pile`], [`is_prime`],
//! [`play`], [`say_scores`], [`announce_lead_changes`], [`announce_highest`], [`both`],
//! [`make_averaged`], [`max_scoring_num_rolls`], [`average_win_rate`], [`run_experiments`]. All of
//! them call the one rules engine, [`crate::game::take_turn`].
//!
//! ```
//! use hog_study::sim;
//! use hog_rules::rules;
//! let fa21 = rules::load("fa21", Default::default())?;
//! let start = sim::position(&fa21, 0, 0)?;
//! assert_eq!(sim::roll_dice(&fa21, &start, 2, &mut sim::make_test_dice([4, 6, 1]))?, 10);
//! assert_eq!(sim::roll_dice(&fa21, &start, 3, &mut sim::make_test_dice([4, 6, 1]))?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bidding;
mod bulk;
mod commentary;
mod dice;
mod estimate;
mod experiments;
mod handout;
mod judge;
mod play;
mod sampler;
pub mod session;

pub use bidding::{Opening, draw_bid, opening};
pub use bulk::{GameTally, simulate};
pub use commentary::{
    Commentary, announce_highest, announce_highest_gain, announce_lead_changes, both, say_scores,
    silence,
};
pub use dice::{
    DiceSource, FairDice, SeededDice, TestDice, four_sided, make_fair_dice, make_test_dice,
    roll_together, six_sided,
};
pub use estimate::{CONFIDENCE_95, Estimate};
pub use experiments::{
    ExperimentError, Experiments, Trials, TurnAverage, WinRate, average_points, average_win_rate,
    make_averaged, max_scoring_num_rolls, run_experiments,
};
pub use handout::{
    PlaceError, Rolled, free_bacon, hog_pile, is_prime, is_swap, picky_piggy, position, roll_dice,
    roll_hand, select_dice, swine_swap, take_turn, take_turn_keeping, zero_dice,
};
pub use judge::{Hint, Judge, Remark, RollGrade, Summary};
pub use play::{ByScores, Ending, Match, PATIENCE, PlayError, play};
