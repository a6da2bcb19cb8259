//! Contests: exact round robins of many strategies, and rankings.
//!
//! [`field`] reads the submissions (files, folders and archives) and names the entrants,
//! [`round_robin`] rates every pair, and [`Standings`] ranks the entrants by the rules of a
//! course's contest ([`Scoring`]). [`PlayedContest::play`] does all of it; [`queries::Contest`] is
//! the question that programs ask.
//!
//! ```
//! use hog_contest::queries::Contest;
//! use hog_engine::Engine;
//! let contest: Contest = serde_json::from_str(
//!     r#"{"rules": "fa21", "goal": 20, "entrants": ["optimal", "always_roll:4"]}"#,
//! )?;
//! let answer = Engine::builder().build().ask(&contest)?;
//! assert_eq!(answer.ranking[0].name, "optimal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

mod answer;
mod archive;
mod autograder;
mod contents;
mod digest;
mod error;
mod grade;
mod gradebook;
mod gradescope;
mod invitation;
mod keep;
mod keys;
pub mod limits;
mod loading;
mod naming;
mod output;
mod paths;
mod played;
mod points;
pub mod queries;
mod reading;
mod report;
mod robin;
mod roster;
mod standing;
mod submissions;
mod time;
mod whose;

pub use digest::EntrantDigest;
pub use error::ContestError;
pub use grade::{
    Feedback, Grade, GradeData, GradeTest, GradedRate, Grading, LeaderboardEntry, TestStatus,
};
pub use gradebook::{Gradebook, GradedRoster};
pub use invitation::Invitation;
pub use keep::{KeepError, KeptPairs};
pub use loading::{Entrant, Field, FieldError, OnFate, OnRead, Rejected, Unclear, field};
pub use naming::Naming;
pub use output::{Audience, FileNames, Labels, Readers};
pub use played::{Pairs, PlayedContest, SavePairs};
pub use points::{Measure, PointsRule, Tier};
pub use report::{EntrantReport, Meeting, Misses, ReportedMiss};
pub use robin::{Robin, RobinError, round_robin};
pub use roster::{RosterError, RosterLine, RosterLines};
pub use standing::{RankBy, Scoring, Standing, Standings, TieBreak};
pub use time::Time;
pub use whose::{HandIn, Student};

use hog_engine::{engine, format};
use hog_rules::{files, rules};
use hog_solve::{bid, game, pairs, solve};
use hog_study::{analysis, strategy};

/// The default of [`Scoring::win_above`], as in the course's contests.
pub const WINNING: f64 = 0.500001;
