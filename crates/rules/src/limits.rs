//! The limits on a rule file, which may be a stranger's, and on what is said of it.

/// The bytes of a rule file, unless a caller sets another limit.
pub const FILE_BYTES: u64 = 1 << 20;

/// The goal: such a game has 400 million states, without memories.
pub const GOAL: u32 = 20_000;

/// The points of a turn, and the extra points of a face.
pub const POINTS: i64 = 1_000_000;

/// The dice of a turn.
pub const DICE: u32 = 30;

/// The rolls of the dice of a turn. A weight has 16 more bits, as many as number the outcomes of a
/// turn.
pub const ROLLS: u128 = 1 << 112;

/// The dice that are counted, even if they have few rolls.
pub const COUNTED_DICE: u32 = 1000;

/// The sides of a die.
pub const SIDES: i64 = 1000;

/// The multisets of faces that are enumerated for one number of dice, in a second or two. 30
/// six-sided dice have 324,632, and 15 of twelve sides 7,726,160.
pub const MULTISETS: u64 = 1 << 23;

/// The actions of a game: sets of actions are stored in 32 bits.
pub const ACTIONS: i32 = 32;

/// The kinds of dice of a hand.
pub const HAND_KINDS: u8 = 8;

/// The dice of a hand.
pub const HAND_DICE: u32 = 12;

/// The faces of the dice of a hand: those that formulas can count.
pub const HAND_FACES: i64 = 20;

/// The memories of a game, for each of which a formula has two variables.
pub const MEMORIES: usize = 24;

/// The value of one memory, in steps.
pub const MEMORY_STEPS: i64 = 1000;

/// The rules of a file, far beyond any game.
pub const RULES: usize = 200;

/// The examples of a file, far beyond any game.
pub const EXAMPLES: usize = 10_000;

/// The numbers with names.
pub const NUMBERS: usize = 24;

/// A number with a name, without its sign.
pub const NUMBER: i64 = 1_000_000;

/// The bytes of a formula, far beyond any game.
pub const FORMULA_BYTES: usize = 4096;

/// The nesting of brackets, calls and values between `?` and `:`.
pub const BRACKET_DEPTH: usize = 100;

/// The depth of a tree, since trees are processed recursively.
pub const TREE_DEPTH: usize = 512;

/// The argument of `divisors`, `is_prime` and `next_prime`: far beyond any score, and each call
/// takes microseconds, so a hostile formula cannot take long.
pub const PRIME_ARGUMENT: i64 = 1_000_000_000;

/// The results of a function that are looked up.
pub const LOOKUP_RESULTS: usize = 1 << 20;

/// The results of all functions that are looked up: 72 MiB.
pub const ALL_LOOKUP_RESULTS: usize = 1 << 23;

/// The characters of a text.
pub const TEXT_CHARS: usize = 4096;

/// The faults of one file that are reported.
pub const REPORTED_FAULTS: usize = 100;

/// The faults of a file after which unknown keys are no longer compared with known ones: few of the
/// faults are reported, and comparing takes long.
pub const COMPARED_FAULTS: usize = 1000;

/// The bytes of a name that may be a misspelt one; comparing long ones takes long.
pub const MISSPELT_BYTES: usize = 60;

/// The names that a message lists.
pub const LISTED_NAMES: usize = 60;

/// The characters of a formula that a difference of games shows; longer ones are cut.
pub const SHOWN_CHARS: usize = 60;
