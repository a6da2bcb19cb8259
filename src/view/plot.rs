//! A picture that was written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was drawn, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlotView {
    /// What the picture shows, in one line.
    pub title: String,
    /// The file.
    pub output: String,
    /// How many bytes it has.
    pub size: usize,
}
