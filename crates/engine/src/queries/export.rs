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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hog_study::export::{EXPORTERS, SolvedTable};

    use super::*;
    use crate::Engine;
    use crate::queries::{Try, WinRates};
    use crate::rules::{Overrides, load, rules_from_text};
    use crate::solve::{Arithmetic, Watch, equilibrium};

    /// Returns the columns of all exports of a game without memories.
    fn columns() -> Vec<String> {
        let rules = load("fa21", Overrides { goal: Some(5), max_dice: Some(2) }).unwrap();
        let game = Arc::new(Game::new(rules).unwrap());
        let solved = equilibrium(&game, Arithmetic::Exact, &Watch::silent()).unwrap();
        let table = SolvedTable {
            game: &game,
            win_rates: &solved.own.win_rates,
            best: &solved.own.best,
            win_rate: WinRates::new([0.5; 3], [0.0; 2], 0.0),
            against: None,
            command: "hog",
        };
        let export = |name| {
            let form = EXPORTERS.iter().find(|form| form.format().name == name).unwrap();
            form.file(&table).unwrap()
        };
        let csv = export("csv");
        let json = export("json");
        let mut losses = Vec::new();
        let engine = Engine::builder().build();
        let query = Try::of(&game, "optimal").against("optimal");
        query.losses(&engine.call()).unwrap().csv(&mut losses).unwrap();
        let document: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let mut names: Vec<String> =
            document["states"][0].as_object().unwrap().keys().cloned().collect();
        for text in [csv, losses] {
            let text = String::from_utf8(text).unwrap();
            names.extend(text.lines().next().unwrap().split(',').map(str::to_owned));
        }
        names
    }

    /// A memory is a column beside these, so a memory of the same name would be lost.
    #[test]
    fn no_memory_has_the_name_of_a_column() {
        let rules = |name: &str, of: &str| {
            let memory =
                format!("[[memory]]\nname = \"{name}\"\nof = \"{of}\"\nmax = 1\nnext = \"0\"\n");
            rules_from_text(&format!("id = \"own\"\n{memory}"), "own", Overrides::default())
        };
        assert!(rules("pot", "player").is_ok());
        let names = columns();
        assert!(names.len() > 15, "{names:?}");
        for name in &names {
            for of in ["player", "game"] {
                let faults = rules(name, of).unwrap_err().to_string();
                assert!(faults.contains(&format!("the name `{name}` is taken")), "{faults}");
            }
        }
        assert!(rules("before", "game").is_ok());
        let faults = rules("before", "player").unwrap_err().to_string();
        assert!(faults.contains("the name `opponent_before` is taken"), "{faults}");
    }
}
