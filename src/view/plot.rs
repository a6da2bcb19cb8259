//! The result of writing a picture.

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
