//! The limits on what strangers hand in, and on what is shown of it. Those of all entrants together
//! are in `hog_engine::engine::Limits`.

/// The bytes of one entrant's archive, and of what is unpacked from it.
pub const UNPACKED_BYTES: u64 = 64 << 20;

/// The unpacked files and folders of one entrant.
pub const UNPACKED_FILES: usize = 10_000;

/// The entries of one entrant's archive, with those that are hidden.
pub const ENTRIES: usize = 200_000;

/// The bytes that all entrants together unpack, on a disk that has room for twice as much.
pub const ALL_UNPACKED_BYTES: u64 = 16 << 30;

/// The folders, one in the other, in which the files of a submission are sought.
pub const DEPTH: usize = 6;

/// The folders above an entry that is unpacked. No strategy is sought so deep, and thousands of
/// folders would take minutes to make and to remove.
pub const UNPACKED_DEPTH: usize = 2 * DEPTH;

/// The files of a submission after which no more folders are read.
pub const LISTED_FILES: usize = 500;

/// The bytes of a file whose outline is read. A larger one can still take part if it is the only
/// one.
pub const TEXT_BYTES: u64 = 2 << 20;

/// The bytes of one submission's texts that are read to find its strategy.
pub const ALL_TEXT_BYTES: u64 = 64 << 20;

/// The bytes of a notebook that is read; they hold pictures.
pub const NOTEBOOK_BYTES: u64 = 16 << 20;

/// The bytes of a roster.
pub const ROSTER_BYTES: u64 = 16 << 20;

/// The people whose work one submission can be.
pub const TEAM: usize = 6;

/// The bytes of Gradescope's list; it contains all earlier results of all submitters.
pub const LIST_BYTES: u64 = 256 << 20;

/// The bytes after which no more lines are joined to a value of Gradescope's list.
pub const VALUE_BYTES: usize = 4096;

/// The bytes of a file of finished pairs: enough for those of ten thousand entrants.
pub const PAIRS_BYTES: u64 = 8 << 30;

/// The characters of a name; longer ones are cut.
pub const NAME_CHARS: usize = 60;

/// The characters of a reason; longer ones are cut.
pub const REASON_CHARS: usize = 1000;

/// The characters of a file's name, without the number that makes it unique.
pub const FILE_NAME_CHARS: usize = 40;

/// The entrants whose matrix is reported while it fills.
pub const SHOWN_ENTRANTS: usize = 60;

/// The circles of three entrants, each of whom beats the next, that are listed.
pub const CYCLES: usize = 100;

/// The opponents of whom each is a test in Gradescope's results.
pub const TESTED_OPPONENTS: usize = 25;

/// The goal of a game of which a map is drawn; wider ones do not fit on a page.
pub const MAP_GOAL: u32 = 150;

/// The bytes of a file that the archive of an autograder brings.
pub const BROUGHT_BYTES: u64 = 256 << 20;
