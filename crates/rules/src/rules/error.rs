//! Why there are no rules.

use std::path::PathBuf;

use super::fault::Faults;

/// Why the rules could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The name is neither a built-in game nor a file.
    #[error("no game and no rule file is called `{name}`{}", hint(.nearest))]
    Unknown {
        /// The name requested.
        name: String,
        /// The most similar built-in id.
        nearest: Option<String>,
    },
    /// The extension is that of another kind of file.
    #[error("{} is {what}, and the rules of a game come first: an id such as fa21, or a rule file \
             (.toml)", .path.display())]
    OtherFile {
        /// The file.
        path: PathBuf,
        /// The kind of file that its extension indicates.
        what: &'static str,
    },
    /// The file could not be read.
    #[error("cannot read the rule file {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// The text of the file is too long.
    #[error("the rule file {origin} has {bytes} bytes; at most {most} are read")]
    TooLong {
        /// The file's name.
        origin: String,
        /// Its length.
        bytes: usize,
        /// The limit.
        most: u64,
    },
    /// The file has faults.
    #[error(transparent)]
    Faulty(#[from] Faults),
    /// An overridden goal or number of dice is out of range.
    #[error("{key} {value} is out of range: choose {least} to {most}")]
    Override {
        /// The key of the rule file.
        key: &'static str,
        /// The value that replaces the file's.
        value: u32,
        /// The smallest value.
        least: u32,
        /// The largest value.
        most: u32,
    },
    /// A game does not allow an overridden goal or number of dice.
    #[error("{key} {value} does not fit {origin}: {why}")]
    OverrideMisfit {
        /// The key of the rule file.
        key: &'static str,
        /// The value that replaces the file's.
        value: u32,
        /// The source of the text: a path, or the id of a built-in game.
        origin: String,
        /// What is wrong, and what to change.
        why: String,
    },
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |id| format!(" (did you mean `{id}`?)"))
}
