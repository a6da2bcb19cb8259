//! Files packed into one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A zip archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ArchiveView {
    /// How its file may be called.
    pub name: String,
    /// The names of the files in it.
    pub files: Vec<String>,
    /// Its bytes in base64.
    pub base64: String,
}

impl ArchiveView {
    /// An archive by that name, with these files in it; `base64` holds its bytes.
    pub fn new(name: impl Into<String>, files: Vec<String>, base64: String) -> Self {
        Self { name: name.into(), files, base64 }
    }
}
