//! The limits on what is checked: what takes more is refused, or checked in another way.

/// The states of a game.
pub const STATES: usize = 200_000_000;

/// The successors that are tabulated; of more, each is computed when it is needed.
pub const TABULATED_SUCCESSORS: usize = 1 << 24;

/// The points of one turn, and the bonus of one face in absolute value.
pub const POINTS: i64 = 1_000_000;

/// The bytes of exact values: `[of exact claims, of claims in floats]`.
pub const EXACT_BYTES: [usize; 2] = [16 << 30, 2 << 30];

/// The states that are solved in fractions, whose size has no useful bound: of exact claims, and of
/// claims in floats that bring no bounds.
pub const FRACTION_STATES: [usize; 2] = [10_000, 2000];

/// The states of a loop that is solved.
pub const LOOP_STATES: usize = 128;

/// The rounds of best responses, and of policy iteration in one of them; a correct claim takes one.
pub const ROUNDS: usize = 1000;

/// The error bound of an exact claim, which tells none; no solver proves larger ones.
pub const EXACT_BOUND: f64 = 1e-6;
