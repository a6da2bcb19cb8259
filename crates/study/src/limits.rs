//! The limits on strategies, tables and transcripts, which may be a stranger's, and on the work
//! that a question about a solved game takes.

/// The bytes of a strategy's name: that of a mix of many files.
pub const NAME_BYTES: usize = 1 << 16;

/// The brackets of a name. Names within brackets are parsed, and corrected, one within the other.
pub const NAME_BRACKETS: usize = 64;

/// The nested `beat:` of a name, each of which is solved.
pub const NESTED_BEATS: usize = 8;

/// The characters of a name that a message repeats: enough for the path of a file.
pub const SHOWN_NAME_CHARS: usize = 200;

/// The strategies of a family.
pub const FAMILY_MEMBERS: usize = 20_000;

/// The strategies of a mixture: more than a large class hands in different ones. Each takes memory
/// and time.
pub const MIXED_STRATEGIES: usize = 500;

/// The bytes of a file of rolls, for each state: a number, or a line of CSV with all its columns.
pub const ROLLS_BYTES_A_STATE: u64 = 256;

/// The bytes of such a file for headers and comments.
pub const ROLLS_COMMENT_BYTES: u64 = 1 << 20;

/// The bytes of a table's file, unless a caller sets another limit.
pub const TABLE_BYTES: u64 = 2 << 30;

/// The bytes of a table's inflated body: enough for 10^8 states.
pub const TABLE_BODY_BYTES: u64 = 2 << 30;

/// The bytes of a table's head: its rules are at most as long as a rule file, and names of
/// strategies are short.
pub const TABLE_HEAD_BYTES: u64 = hog_rules::limits::FILE_BYTES + (64 << 10);

/// The differences of rules that a message lists.
pub const SHOWN_DIFFERENCES: usize = 5;

/// The bytes of a transcript.
pub const TRANSCRIPT_BYTES: u64 = 64 << 20;

/// The characters of a player's name that are read.
pub const PLAYER_CHARS: usize = 200;

/// The turns that are simulated for one average: enough for two digits.
pub const AVERAGED_TURNS: u32 = 10_000;

/// The positions in which a strategy loses most that are listed.
pub const MISSES: usize = 10;

/// The lines of a decision list.
pub const LIST_LINES: usize = 16;

/// The transitions that a chain of turns holds, about 100 MB; a larger game is simulated instead.
pub const CHAIN_TRANSITIONS: usize = 8_000_000;

/// The positions that a turn is followed through; one that goes on may never end.
pub const TURN_POSITIONS: usize = 1_000_000;

/// The turns of a game up to which the probabilities of its length are computed.
pub const LENGTH_TURNS: usize = 20_000;

/// The transitions followed for these probabilities: some seconds of work.
pub const LENGTH_TRANSITIONS: u64 = 10_000_000_000;

/// The games that are simulated to describe one.
pub const SIMULATED_GAMES: u64 = 4000;

/// The moves of all these games: a few seconds of work.
pub const SIMULATED_MOVES: usize = 1_000_000;

/// The states of a game in which every roll of every state is evaluated.
pub const EVERY_ROLL_STATES: usize = 50_000;

/// The choices, times numbers of dice, of which all are evaluated; in larger games those of
/// simulated games are.
pub const EVALUATED_ROLLS: usize = 2_200_000;

/// The positions of simulated games in which every roll is evaluated.
pub const SAMPLED_POSITIONS: usize = 1500;

/// The moves of a simulated game after which it counts as endless; ten times as many where a turn
/// is a chain of rolls.
pub const GAME_MOVES: usize = 10_000;
