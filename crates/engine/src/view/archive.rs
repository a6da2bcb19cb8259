//! Files packed into a zip archive.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::format::Text;

/// A zip archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ArchiveView {
    /// A name for the archive's file.
    pub name: String,
    /// The names of the files in it.
    pub files: Vec<String>,
    /// The archive's bytes in base64.
    pub base64: String,
}

impl ArchiveView {
    /// An archive with a name for its file, the names of the files in it, and its bytes in base64.
    pub fn new(name: impl Into<String>, files: Vec<String>, base64: String) -> Self {
        Self { name: name.into(), files, base64 }
    }
}

impl Text for ArchiveView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.name)?;
        self.files.iter().try_for_each(|file| writeln!(out, "  {file}"))
    }
}
