//! The result of writing a table in another format.

use std::io::{self, Write};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::format::Text;
use crate::format::style::thousands;
use crate::game::Game;
use crate::table::Table;

/// A table that was written to a file in another format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExportAnswer {
    /// The game's id.
    pub rules: String,
    /// The goal of its rules.
    pub goal: u32,
    /// The opponent's strategy if the table is a best response; `null` for an equilibrium.
    pub against: Option<String>,
    /// The name of the format, as `--to` takes it.
    pub form: String,
    /// The number of states.
    pub states: usize,
    /// The file's path.
    pub output: String,
}

impl ExportAnswer {
    /// Returns the result of writing a game's table in the format `form` to the file `output`.
    pub fn new(game: &Game, table: &Table, form: &str, output: &Path) -> Self {
        Self {
            rules: game.rules().id.clone(),
            goal: game.rules().goal,
            against: table.against().map(str::to_owned),
            form: form.to_owned(),
            states: game.space().states(),
            output: output.display().to_string(),
        }
    }
}

impl Text for ExportAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, goal, form, output, .. } = self;
        let what = match &self.against {
            None => "equilibrium".to_owned(),
            Some(opponent) => format!("best response to {opponent}"),
        };
        writeln!(
            out,
            "{output}: {rules}, goal {goal}, {what}, {} states, as {form}",
            thousands(self.states as u64)
        )
    }
}
