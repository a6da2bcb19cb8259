//! Simulated and interactive games: dice, commentary, experiments, fast simulation, sessions with
//! people.

mod bidding;
mod bulk;
mod commentary;
mod dice;
mod estimate;
mod experiments;
mod judge;
mod sampler;
pub mod session;
mod turn;

pub use bidding::{Opening, draw_bid, opening};
pub use bulk::{GameTally, simulate};
pub use commentary::Commentary;
pub use dice::{DiceSource, SeededDice, roll_together};
pub use estimate::{CONFIDENCE_95, Estimate};
pub use experiments::{
    ExperimentError, Experiments, Trials, TurnAverage, WinRate, average_points, average_win_rate,
    run_experiments,
};
pub use judge::{Hint, Judge, Remark, RollGrade, Summary};
pub use turn::{Rolled, roll_hand, take_turn, take_turn_keeping};
