//! The strategy that a program reads from its standard input.

use super::names::INPUT;
use super::python::{PythonFile, is_notebook};
use super::sources::closed;
use super::{Sources, Strategy, StrategyError};
use crate::files::has_extension;
use crate::game::{Game, Plan};
use crate::solve::Watch;
use crate::table::{self, TableError};

/// Returns the ending of the file that these bytes are, of a strategy: `py`, `ipynb`, `hog`, or
/// `csv` for rolls in any form.
pub fn kind_of_input(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(&table::MAGIC) {
        return "hog";
    }
    let text = String::from_utf8_lossy(bytes);
    if text.trim_start().starts_with('{') && text.contains("\"cells\"") {
        "ipynb"
    } else if text.lines().any(is_python) {
        "py"
    } else {
        "csv"
    }
}

/// Whether a line begins as one that defines something in Python.
fn is_python(line: &str) -> bool {
    let starts = ["def ", "class ", "import ", "from ", "@"];
    starts.iter().any(|start| line.starts_with(start)) || line.contains("= lambda ")
}

/// Returns the plan of what was read; messages call it `-`.
pub(super) fn plan(sources: &Sources, game: &Game, watch: &Watch) -> Result<Plan, StrategyError> {
    let Some(file) = sources.input() else {
        return Err(closed(&Strategy::Input, "standard input"));
    };
    let strategy = if has_extension(file, "py") || is_notebook(file) {
        Strategy::Python(PythonFile::new(file))
    } else {
        Strategy::Table(file.to_owned())
    };
    // The file is a new one in each run.
    let planned = strategy.plan_from(&sources.clone().keeping_no_answers(), game, watch);
    planned.map_err(|error| match error {
        StrategyError::File { fault, .. } => StrategyError::File { path: INPUT.into(), fault },
        StrategyError::Python { fault, line, .. } => {
            StrategyError::Python { path: INPUT.into(), fault, line }
        }
        StrategyError::Impossible { error, .. } => {
            StrategyError::Impossible { name: INPUT.into(), error }
        }
        StrategyError::Table(TableError::Faulty { fault, .. }) => {
            TableError::Faulty { path: INPUT.into(), fault }.into()
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_strategy_follows_from_its_contents() {
        for (text, kind) in [
            ("def final_strategy(score, opponent):\n    return 5\n", "py"),
            ("# mine\nimport random\n", "py"),
            ("final_strategy = lambda a, b: 5\n", "py"),
            ("{\"cells\": []}", "ipynb"),
            ("score,opponent,dice\n0,0,5\n", "csv"),
            ("[[1, 2], [3, 4]]", "csv"),
            ("5 5 5\n", "csv"),
            ("", "csv"),
        ] {
            assert_eq!(kind_of_input(text.as_bytes()), kind, "{text}");
        }
    }
}
