//! The result of writing a picture.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A picture that was written to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PlotView {
    /// A description of the picture, in one line.
    pub title: String,
    /// The file's path.
    pub output: String,
    /// The file's size in bytes.
    pub size: usize,
}

impl PlotView {
    /// Returns the result of writing a picture of `size` bytes to the file `output`.
    pub fn new(title: &str, output: &Path, size: usize) -> Self {
        Self { title: title.to_owned(), output: output.display().to_string(), size }
    }
}
