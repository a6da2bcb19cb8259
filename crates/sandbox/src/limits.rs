//! The limits on a stranger's file, and on what it answers.

/// The processor time of a function for 10,000 questions, in seconds, unless a caller sets another.
pub const SECONDS: u64 = 10;

/// The memory that a file's process may map, in MiB.
pub const MEMORY_MIB: u64 = 1024;

/// The files that its process has open.
pub const OPEN_FILES: u64 = 64;

/// The bytes of a file, and of all other files that it may read together if its answers are to be
/// kept.
pub const FILE_BYTES: u64 = 16 << 20;

/// The files that a file may read. Those nearest to it come first; the others are left out.
pub const FILES: usize = 1000;

/// The folders, one in the other, in its folder.
pub const DEPTH: usize = 4;

/// The bytes of a line that the harness writes; a longer one is not its own.
pub const LINE_BYTES: usize = 8192;

/// The characters of the text of a fault, as `harness.py` cuts them too: a file may write lines of
/// its own in its place.
pub const TEXT_CHARS: usize = 400;

/// The bytes of a message of the launcher, or of a run that cannot be confined.
pub const MESSAGE_BYTES: u64 = 4096;

/// The bytes of the folder of kept answers; the least recently used entries are removed first.
pub const KEPT_BYTES: u64 = 64 << 20;

/// The answers of one of its entries.
pub const KEPT_ANSWERS: usize = 1 << 22;

/// The bytes of a fault in one of its entries.
pub const KEPT_FAULT_BYTES: usize = 1 << 16;

/// The bytes of a script in place of an interpreter that is looked into.
pub const SCRIPT_BYTES: u64 = 1 << 16;
