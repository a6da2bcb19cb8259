//! The exact solver for the dice game Hog and every game like it.
//!
//! A *question* is a value: a game, a position, strategies. [`ask`] answers it; an [`Engine`] is
//! for programs that ask many, with limits, cancellation and a cache. [`queries`] lists all
//! questions.
//!
//! The best roll in a position, and what every other roll costs:
//!
//! ```
//! use hog::queries::Best;
//!
//! let answer = hog::ask(&Best::at("fa21", 20, 36))?;
//! assert_eq!(answer.best, [8]);
//! assert_eq!(answer.win_rate, 0.3965707251269991);
//! # Ok::<(), hog::Error>(())
//! ```
//!
//! The exact win rates of a strategy against another:
//!
//! ```
//! use hog::queries::Rate;
//!
//! let rate = hog::ask(&Rate::of("su15", "optimal").against("always_roll:5"))?.win_rate;
//! assert!(rate.average > 0.5 && rate.error_bound < 1e-12);
//! # Ok::<(), hog::Error>(())
//! ```
//!
//! The value of a game of one's own, as a fraction: a race to 3 points with one die, in which a 1
//! counts as a 1 (worked out by hand: 4/6 + 1/6 (1 - 4/6) + 1/6 (1 - 155/216)):
//!
//! ```
//! use hog::queries::{GivenGame, Solve};
//!
//! let rules = GivenGame::of_text("id = 'race'\ngoal = 3\nmax_dice = 1\n");
//! let answer = hog::ask(&Solve::equilibrium(rules).fraction(true))?;
//! assert_eq!(answer.fraction.as_deref(), Some("997/1296"));
//! # Ok::<(), hog::Error>(())
//! ```
//!
//! Where a strategy loses:
//!
//! ```
//! use hog::queries::Try;
//!
//! let answer = hog::ask(&Try::of("fa21", "always_roll:6").top(3))?;
//! assert_eq!(answer.worst.len(), 3);
//! assert!(answer.loss.average > 0.0);
//! # Ok::<(), hog::Error>(())
//! ```
//!
//! An engine of one's own, with a limit of time, and the plan of a strategy:
//!
//! ```
//! use std::time::Duration;
//!
//! use hog::Engine;
//! use hog::engine::Limits;
//!
//! let mut limits = Limits::default();
//! limits.time = Some(Duration::from_secs(10));
//! let engine = Engine::builder().limits(limits).build();
//! let game = engine.game("fa19")?;
//! let plan = engine.plan(&game, &"always_roll:4".parse()?)?;
//! assert_eq!(game.space().dice(plan.action(game.start())), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A closure is a strategy, and a solved game has the value and the best rolls of each position:
//!
//! ```
//! use hog::Engine;
//! use hog::queries::{GivenPosition, Rate};
//! use hog::strategy::Strategy;
//!
//! let engine = Engine::builder().build();
//! let careful = Strategy::from_fn(|position| if position.score < 90 { 6 } else { 2 });
//! let rate = engine.ask(&Rate::of("fa21", careful).against("always_roll:6"))?.win_rate;
//! assert!(rate.average > 0.5);
//! let solved = engine.solved("fa21")?;
//! assert_eq!(solved.best(&GivenPosition::scores(20, 36))?, [8]);
//! # Ok::<(), hog::Error>(())
//! ```
//!
//! The folder `examples` of the source has programs to begin with. The feature `command`, which is
//! on by default, is the command `hog`, in [`cli`], with its server, contests, pictures and the
//! sandbox for Python files; the library without it has half the dependencies.
//!
//! The library prints nothing, except for [`cli`]: both the binary and the Python package call it.
//! The modules come from the crates below this one: `hog-rules`, `hog-solve`, `hog-check`,
//! `hog-study`, `hog-engine`, `hog-contest` and `hog-plot`.
//!
//! # What is stable
//!
//! Versions follow [Semantic Versioning](https://semver.org/); before 1.0.0, a change that breaks
//! something stable raises the second number. Stable are
//!
//! * [`ask`], [`Engine`] and its builder, [`engine::Sources`], [`engine::Limits`] and [`Error`];
//! * [`Engine::solved`] with [`queries::GameTable::value`] and [`queries::GameTable::best`];
//!   [`strategy::Strategy::from_fn`], [`from_scores`](strategy::Strategy::from_scores) and the
//!   scores of [`game::Position`];
//! * the questions and answers in [`queries`], [`contest::queries`] and [`plot::queries`]: names,
//!   fields, and the JSON documents that they are written as ([`schemas`]);
//! * the format of tables (`.hog`) and the language of rule files.
//!
//! Everything else is public because the crates of this project need it from each other. It has no
//! page here but those of its crate, and may change in any release.

#[cfg(feature = "command")]
pub mod cli;
#[cfg(feature = "command")]
pub mod web;

use std::sync::OnceLock;

#[doc(hidden)]
pub use hog_check as check;
#[cfg(feature = "command")]
#[doc(inline)]
pub use hog_contest as contest;
pub use hog_engine::Engine;
pub use hog_engine::engine::Error;
#[doc(inline)]
pub use hog_engine::{engine, queries};
#[doc(hidden)]
pub use hog_engine::{format, requests};
#[cfg(feature = "command")]
#[doc(inline)]
pub use hog_plot as plot;
#[doc(inline)]
pub use hog_rules::rules;
#[doc(hidden)]
pub use hog_rules::{dice, files};
#[doc(inline)]
pub use hog_solve::game;
#[doc(hidden)]
pub use hog_solve::{bid, pairs, partial, solve};
#[doc(inline)]
pub use hog_study::strategy;
#[doc(hidden)]
pub use hog_study::{analysis, export, sim, survey, table};

/// Returns the schema of every JSON document, by the name of its file in `docs/schema` without
/// `.json`. Each has an `$id`, and the `version` of hog whose documents it describes.
pub fn schemas() -> Vec<(&'static str, schemars::Schema)> {
    let mut all = queries::schemas();
    all.push(("ask", schemars::schema_for!(requests::AskedLine)));
    #[cfg(feature = "command")]
    all.extend(contest::queries::schemas());
    #[cfg(feature = "command")]
    all.extend(plot::queries::schemas());
    let home = env!("CARGO_PKG_REPOSITORY");
    let version = env!("CARGO_PKG_VERSION");
    for (name, schema) in &mut all {
        schema.insert("$id".to_owned(), format!("{home}/schema/{version}/{name}.json").into());
        schema.insert("version".to_owned(), version.into());
    }
    all
}

/// Returns all questions: those of [`queries`], [`contest::queries`] and [`plot::queries`].
pub fn questions() -> impl Iterator<Item = &'static queries::QueryEntry> {
    let below = queries::QUERIES.iter();
    #[cfg(feature = "command")]
    let below = below.chain(contest::queries::QUERIES).chain(plot::queries::QUERIES);
    below
}

/// Answers a question with an engine that all callers share: it opens rule files and tables of
/// strategies by path, runs no Python, and keeps earlier results in a cache.
///
/// # Errors
/// Returns an error if the question has no answer.
pub fn ask<Q: queries::Query>(query: &Q) -> Result<Q::Answer, Error> {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| Engine::builder().sources(engine::Sources::files()).build()).ask(query)
}
