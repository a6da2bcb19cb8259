//! The errors of an engine. No message names a command-line option: the command line adds its own
//! hints.

use std::path::PathBuf;

use crate::bid::BidError;
use crate::check::CheckError;
use crate::dice::DiceError;
use crate::format::style::thousands;
use crate::game::{PositionError, TurnError};
use crate::partial::HiddenError;
use crate::rules::{Faults, RulesError};
use crate::sim::ExperimentError;
use crate::sim::session::TranscriptError;
use crate::solve::SolveError;
use crate::strategy::StrategyError;
use crate::table::TableError;

/// The reason why an engine cannot answer a query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The rules could not be loaded.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The rules were read but do not define a valid game.
    #[error(transparent)]
    Game(#[from] Faults),
    /// A name refers to a file, and files may not be opened.
    #[error("`{name}` would open a file, which is not allowed here")]
    Closed {
        /// The name.
        name: String,
    },
    /// A question about a game in which dice are kept, or scores have steps, that has no answer
    /// there.
    #[error(
        "not for {game}, in which {what}: maps, `plot best`, `.drn` files and `--sees scores` show \
         one number of dice for each pair of scores; `hog best {game} SCORE OPPONENT` tells what \
         to do at any of them"
    )]
    NotOfSuchGames {
        /// The game's id.
        game: String,
        /// What is particular about the game.
        what: &'static str,
    },
    /// A game without the rule that says which dice may be kept.
    #[error("no rule says which dice may be kept")]
    NobodyKeeps,
    /// Points at which to bank are looked for where there is no pot.
    #[error(
        "where dice are kept, simplify finds the points at which to bank, and {game} has no pot: a \
         memory of the game that grows with each roll of a turn and that no dice score"
    )]
    NoPot {
        /// The game's id.
        game: String,
    },
    /// A roll is given in a game in which no dice are kept.
    #[error("in {game} nothing is chosen after the roll: leave the roll out")]
    NothingToKeep {
        /// The game's id.
        game: String,
    },
    /// A request that cannot be read.
    #[error("{message}")]
    Malformed {
        /// The parameter at fault; `None` if it is none or several.
        parameter: Option<String>,
        /// What is wrong.
        message: String,
    },
    /// More files in one request than the limit.
    #[error("{files} files; at most {most} are accepted")]
    TooManyFiles {
        /// The number of files.
        files: usize,
        /// The limit.
        most: usize,
    },
    /// The files of a request, or its answer, could not be written.
    #[error("hog could not answer: {0}")]
    Storage(std::io::Error),
    /// The answer is larger than the limit.
    #[error("the answer has more than {mebibytes} MiB: ask for less, or lower the goal")]
    AnswerTooLarge {
        /// The limit, in MiB.
        mebibytes: usize,
    },
    /// A comparison names no other game, or two.
    #[error("name the other game with `other`, or send its rule file as `other_file`")]
    OneOther,
    /// A strategy that is neither built in nor a file of the request.
    #[error("`{name}` would open a file, which is not allowed here: send it with the request")]
    NotSent {
        /// The name.
        name: String,
    },
    /// A game exceeds the limits.
    #[error(
        "{game} to {goal} points has {} positions or more, and {} can be computed here: lower the \
         goal to {largest_goal} or less{}",
        thousands(*.states), thousands(*.most),
        if *.step > 1 { "" } else { ", or give a `step` if all points are multiples of it" }
    )]
    TooLarge {
        /// The game's id.
        game: String,
        /// Its goal.
        goal: u32,
        /// The step of its scores.
        step: u32,
        /// A lower bound on its number of states.
        states: u64,
        /// The most states within the limits.
        most: u64,
        /// A goal with which it is within the limits.
        largest_goal: u32,
    },
    /// The game with one value of a number that varies cannot be loaded or solved.
    #[error("{number}={value}: {error}")]
    Varied {
        /// The number's name.
        number: String,
        /// Its value.
        value: i64,
        /// What is wrong.
        error: Box<Error>,
    },
    /// The work was cancelled.
    #[error("stopped before the end")]
    Cancelled,
    /// The work exceeded the time limit.
    #[error("stopped after {seconds} seconds, the limit")]
    Time {
        /// The limit, in seconds.
        seconds: f64,
    },
    /// Scores or memories that the game does not have.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A turn that cannot be played.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// A strategy that cannot be used.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The game could not be solved, or the work was stopped.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The search for a table that sees only part of the state failed.
    #[error(transparent)]
    Search(#[from] HiddenError),
    /// A fraction was requested together with floating-point arithmetic.
    #[error("a fraction takes exact numbers, not floats")]
    FractionInFloats,
    /// A table that sees only scores was requested for a game with memories, without naming an
    /// opponent.
    #[error(
        "{game} has a memory: the best table that sees only scores depends on the opponent's \
         strategy; name one"
    )]
    NobodyToAnswer {
        /// The game's id.
        game: String,
    },
    /// A table that sees only scores was requested for a game with memories, in exact arithmetic.
    #[error(
        "{game} has a memory: a table that sees only scores is searched for in floats, without a \
         fraction"
    )]
    SearchIsInFloats {
        /// The game's id.
        game: String,
    },
    /// Other rules, or how to solve them, were requested for a table.
    #[error(
        "{name} is solved already: leave out what changes its rules, whom it answers and how it is \
         solved, or name the game"
    )]
    SolvedAlready {
        /// The table's name.
        name: String,
    },
    /// A file that cannot hold the game in its form.
    #[error("{reason}")]
    FormCannotHold {
        /// The reason.
        reason: String,
        /// The command that searches for a table of scores, which the file can hold.
        search: Option<String>,
    },
    /// A number of dice that the game does not allow.
    #[error("a roll of {dice} dice: the game allows {least} to {most}")]
    NoSuchRoll {
        /// The number.
        dice: i32,
        /// The fewest.
        least: i32,
        /// The most.
        most: i32,
    },
    /// A map of when to hold was requested for a game in which no memory decides that.
    #[error("{game}: {why}")]
    NoHolding {
        /// The game's id.
        game: String,
        /// What is particular about the game.
        why: String,
    },
    /// A game that does not end within the limit on turns.
    #[error("the game is not over after {most} turns, the limit")]
    TooManyTurns {
        /// The limit.
        most: usize,
    },
    /// More rolls were given than the game has turns.
    #[error(
        "the game is over after {turns} turns, and a roll of {dice} dice is left: leave it out"
    )]
    RollAfterTheEnd {
        /// The number of turns of the game.
        turns: usize,
        /// The first roll after the end.
        dice: i32,
    },
    /// A distribution of dice that cannot be computed.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// A formula over dice that has no distribution.
    #[error(transparent)]
    DiceFormula(#[from] DiceFormulaError),
    /// A number of dice was given instead of their faces.
    #[error("dice is {dice}: give the faces in brackets, as in [2,5]")]
    FacesWanted {
        /// The number.
        dice: i32,
    },
    /// The bids for the start could not be solved.
    #[error(transparent)]
    Bid(#[from] BidError),
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table of a best response does not contain the opponent's rolls.
    #[error(
        "the table {name} does not hold the rolls of the strategy it answers (format version 1): \
         solve it again"
    )]
    RollsMissing {
        /// The table's name.
        name: String,
    },
    /// No table is shipped for a game.
    #[error("no table is shipped for the rules of {name}: solve them, and name the table")]
    NoTable {
        /// The name of the game, or its rule file.
        name: String,
    },
    /// A table could not be checked.
    #[error("cannot check {table}: {error}")]
    Check {
        /// The table's name.
        table: String,
        /// The reason.
        error: CheckError,
    },
    /// The figures of a game could not be computed.
    #[error("{game}: {error}")]
    Survey {
        /// The game's id.
        game: String,
        /// The reason.
        error: Box<Error>,
    },
    /// Experiments could not be run.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A recorded game cannot be replayed.
    #[error("cannot replay {}: {error}", .path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: ReplayError,
    },
    /// An error of a crate above this one.
    #[error("{error}")]
    Other {
        /// What [`Error::kind`] returns.
        kind: &'static str,
        /// What [`Error::parameter`] returns.
        parameter: Option<&'static str>,
        /// The error.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// The reason why a formula over dice has no distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiceFormulaError {
    /// The rolls cannot be counted.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// The formula cannot be parsed.
    #[error("the formula `{formula}`: {message}; {fix}")]
    Unread {
        /// The formula's text.
        formula: String,
        /// What is wrong.
        message: String,
        /// What to change.
        fix: String,
    },
    /// The formula has no value for some rolls.
    #[error("the formula has no value for some of these dice: {0}")]
    NoValue(String),
}

/// The reason why a recorded game cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    /// The file is not a valid transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

impl Error {
    /// A request that cannot be read, and what is wrong with it.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::Malformed { parameter: None, message: message.into() }
    }

    /// A request with a parameter that cannot be read, and what is wrong with it.
    pub fn malformed_by(parameter: &str, message: impl Into<String>) -> Self {
        Self::Malformed { parameter: Some(parameter.to_owned()), message: message.into() }
    }

    /// Returns the parameter of the request that it is about; `None` if it is about none or
    /// several, or if that is not known.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Self::Malformed { parameter, .. } => parameter.as_deref(),
            Self::Other { parameter, .. } => *parameter,
            Self::Rules(
                RulesError::Override { key, .. } | RulesError::OverrideMisfit { key, .. },
            ) => Some(key),
            Self::Position(error) => Some(error.parameter()),
            Self::TooManyFiles { .. } => Some("files"),
            Self::RollAfterTheEnd { .. } => Some("rolls"),
            Self::FacesWanted { .. } => Some("dice"),
            _ => None,
        }
    }

    /// Returns the faults of the rule file, if they are the cause.
    pub fn faults(&self) -> Option<&Faults> {
        match self {
            Self::Rules(RulesError::Faulty(faults)) | Self::Game(faults) => Some(faults),
            Self::Varied { error, .. } => error.faults(),
            _ => None,
        }
    }

    /// Says why a game is none whose text nobody has, so that places in it would say nothing.
    pub(crate) fn reason(&self) -> String {
        match self.faults().and_then(|faults| faults.faults.first()) {
            Some(fault) => fault.message.clone(),
            None => self.to_string(),
        }
    }

    /// Returns what kind of error it is, in one of few words that stay the same; `docs/scripts.md`
    /// lists them.
    ///
    /// ```
    /// use hog_engine::{Engine, queries::Best};
    /// let engine = Engine::builder().build();
    /// assert_eq!(engine.ask(&Best::at("fa21", 100, 0)).unwrap_err().kind(), "value");
    /// assert_eq!(engine.ask(&Best::at("fa99", 0, 0)).unwrap_err().kind(), "unknown_game");
    /// ```
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Rules(error) => of_rules(error),
            Self::Game(_) => "rules",
            Self::Closed { .. } | Self::NotSent { .. } => "closed",
            Self::Malformed { .. }
            | Self::OneOther
            | Self::FractionInFloats
            | Self::SearchIsInFloats { .. }
            | Self::SolvedAlready { .. }
            | Self::FacesWanted { .. } => "request",
            Self::TooManyFiles { .. }
            | Self::AnswerTooLarge { .. }
            | Self::TooLarge { .. }
            | Self::TooManyTurns { .. } => "limit",
            Self::Storage(_) | Self::Replay { .. } => "file",
            Self::Varied { error, .. } | Self::Survey { error, .. } => error.kind(),
            Self::Cancelled => "stopped",
            Self::Time { .. } => "time",
            Self::Position(_)
            | Self::Turn(_)
            | Self::NoSuchRoll { .. }
            | Self::RollAfterTheEnd { .. }
            | Self::Dice(_)
            | Self::DiceFormula(_) => "value",
            Self::Strategy(error) => Self::kind_of_strategy(error),
            Self::Solve(error) => of_solving(error),
            Self::Search(error) => of_search(error),
            Self::NobodyToAnswer { .. }
            | Self::FormCannotHold { .. }
            | Self::NoHolding { .. }
            | Self::NotOfSuchGames { .. }
            | Self::NobodyKeeps
            | Self::NothingToKeep { .. }
            | Self::NoPot { .. } => "game",
            Self::Bid(error) => of_bids(error),
            Self::Table(_)
            | Self::RollsMissing { .. }
            | Self::NoTable { .. }
            | Self::Check { .. } => "table",
            Self::Experiment(error) => match error {
                ExperimentError::Turn(_) => "value",
                ExperimentError::Strategy(error) => Self::kind_of_strategy(error),
                ExperimentError::Stopped(error) => of_solving(error),
            },
            Self::Other { kind, .. } => kind,
        }
    }

    /// Returns what kind of error one of a strategy is, as [`Self::kind`] does.
    pub fn kind_of_strategy(error: &StrategyError) -> &'static str {
        match error {
            StrategyError::Closed { .. } => "closed",
            StrategyError::File { .. } => "file",
            StrategyError::Python { .. }
            | StrategyError::NotConfined(_)
            | StrategyError::NoPython(_)
            | StrategyError::NotRun { .. } => "python",
            StrategyError::Unsolved(error) => of_solving(error),
            StrategyError::Unanswered(error) => of_search(error),
            StrategyError::KeepsMayStall { .. } => "game",
            _ => "strategy",
        }
    }

    /// Whether the work was cancelled or exceeded its time limit, rather than failed.
    pub fn is_stop(&self) -> bool {
        match self {
            Self::Cancelled | Self::Time { .. } => true,
            Self::Varied { error, .. } => error.is_stop(),
            _ => false,
        }
    }
}

fn of_rules(error: &RulesError) -> &'static str {
    match error {
        RulesError::Unknown { .. } => "unknown_game",
        RulesError::Override { .. } | RulesError::OverrideMisfit { .. } => "value",
        RulesError::Faulty(_) => "rules",
        RulesError::TooLong { .. } => "limit",
        RulesError::OtherFile { .. } | RulesError::Unreadable { .. } => "file",
    }
}

fn of_solving(error: &SolveError) -> &'static str {
    match error {
        SolveError::Cancelled => "stopped",
        SolveError::TooLarge(_) | SolveError::TooMuch(_) => "limit",
        SolveError::Unproven(_) => "unsolved",
    }
}

fn of_search(error: &HiddenError) -> &'static str {
    match error {
        HiddenError::Weights => "value",
        HiddenError::Unfit(_) => "game",
        HiddenError::Unsolved(error) => of_solving(error),
    }
}

fn of_bids(error: &BidError) -> &'static str {
    match error {
        BidError::NoBid { .. } => "game",
        BidError::NoScore { .. } | BidError::NoFirst { .. } => "rules",
        BidError::Unsolved(error) => of_solving(error),
    }
}
