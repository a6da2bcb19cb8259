//! The lines of a strategy that is tried whenever its file is saved.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ErrorAnswer, TryAnswer};
use crate::format::Text;

/// A line for each time that the file was saved.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum WatchedTry {
    /// The strategy was rated.
    Try(Box<TryAnswer>),
    /// It could not be.
    Error(ErrorAnswer),
}

impl Text for WatchedTry {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Try(answer) => answer.text(out),
            Self::Error(answer) => writeln!(out, "{}", answer.error.message),
        }
    }
}
