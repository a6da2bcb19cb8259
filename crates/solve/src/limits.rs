//! The limits on what is solved, and on what it takes; what goes beyond them is refused, or solved
//! in another way.

/// The states of a game that is tabulated.
pub const STATES: u64 = 2_000_000_000;

/// The pairs of a total and an opponent's score, over all contexts, to which rules on totals are
/// applied.
pub const TOTALS: u64 = 1 << 32;

/// The distinct rolls that are enumerated for rules on single faces, over all states; this many
/// take minutes.
pub const PATTERNS: u64 = 1 << 29;

/// The distributions, and the outcomes, of the actions at a pair of scores.
pub const DISTRIBUTIONS: usize = 1 << 16;

/// The kinds of dice, with the extra points of their faces, whose counts are kept while
/// distributions are made.
pub const DICE_COUNTS: usize = 128;

/// The pairs of a roll and a set of its dice that are looked at.
pub const KEPT_SETS: u64 = 1 << 24;

/// The places of all planes together: half a GiB for one number of eight bytes for each.
pub const PLACES: usize = 1 << 26;

/// The bytes of the values of a tile of pairs.
pub const TILE_BYTES: usize = 128 << 20;

/// The entries of a matrix that are written for one system: some ten seconds of work in doubles.
pub const ELIMINATED_ENTRIES: u64 = 16_000_000_000;

/// The memory that exact integers take, in GiB.
pub const INTEGER_GIB: f64 = 16.0;

/// The estimated work in fractions: some minutes.
pub const FRACTION_WORK: f64 = 1e13;

/// The states in fractions, on request, of a game in which dice are kept: some minutes.
pub const KEPT_FRACTION_STATES: usize = 60_000;

/// The states in fractions, on request, of a game whose turns may lower the sum of the scores: all
/// are one cycle.
pub const RECURRENT_FRACTION_STATES: usize = 100_000;

/// The states times outcomes of a game whose near ties are told apart: some ten seconds on one
/// core.
pub const NEAR_TIE_OUTCOMES: usize = 20_000_000;

/// The states of a loop of rolls that nearly tie: with more, near ties are left as they are, as
/// telling them apart would take longer than solving the game.
pub const NEAR_TIE_STATES: usize = 500;

/// The error bound of the solution of a loop in doubles; a larger one asks for more digits.
pub const LOOP_ERROR: f64 = 1.0 / (1u64 << 43) as f64;

/// The error bound of a whole game solved as one graph; a larger one asks for more digits.
pub const GRAPH_ERROR: f64 = 1e-11;

/// The error bound of values in floats where turns lower the sum; beyond it, a game is refused as
/// not proven.
pub const ERROR_BOUND: f64 = 1e-6;

/// The sweeps (a forward and a backward pass) in one ascent to a table that sees less.
pub const ASCENT_SWEEPS: usize = 200;
