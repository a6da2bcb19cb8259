//! A function in a notebook of Jupyter: the cell that defines it.

use std::path::Path;

use hog_files::has_extension;
use serde::Deserialize;

/// The part of a notebook that is read; format 4 (nbformat).
#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(default)]
    source: Source,
}

/// A cell's text: in one piece, or by lines, each with its line end.
#[derive(Deserialize)]
#[serde(untagged)]
enum Source {
    Text(String),
    Lines(Vec<String>),
}

impl Default for Source {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Source {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Lines(lines) => lines.concat(),
        }
    }
}

/// Whether a file has the extension of notebooks, of which one cell is asked.
pub fn is_notebook(path: &Path) -> bool {
    has_extension(path, "ipynb")
}

/// Returns the text of the one cell of a notebook that defines a function. Other cells are not run:
/// they may draw, print, or install packages.
///
/// # Errors
/// Returns what is wrong if the text is not a notebook, or not exactly one of its cells defines the
/// function.
pub fn cell(notebook: &[u8], function: &str) -> Result<String, String> {
    let read: Result<Notebook, _> = serde_json::from_slice(notebook);
    let Ok(Notebook { cells }) = read else {
        return Err("it is not a notebook of Jupyter (format 4)".into());
    };
    let code = cells.iter().enumerate().filter(|(_, cell)| cell.cell_type == "code");
    let code = code.map(|(place, cell)| (place + 1, cell.source.text()));
    let mut defining: Vec<(usize, String)> =
        code.filter(|(_, text)| defines(text, function)).collect();
    match &defining[..] {
        [_] => Ok(defining.remove(0).1),
        [] => Err(format!("no cell of the notebook defines `{function}`")),
        several => {
            let places: Vec<String> = several.iter().map(|(place, _)| place.to_string()).collect();
            let places = places.join(", ");
            Err(format!(
                "more than one cell of the notebook defines `{function}`: {places}; keep one"
            ))
        }
    }
}

/// Whether a line at the margin of a cell defines the function, or assigns it.
fn defines(text: &str, function: &str) -> bool {
    text.lines().any(|line| {
        let defined = line.strip_prefix("def ").map(str::trim_start);
        defined
            .and_then(|rest| rest.strip_prefix(function))
            .is_some_and(|rest| rest.trim_start().starts_with('('))
            || line.strip_prefix(function).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.starts_with('=') && !rest.starts_with("==")
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook(cells: &[(&str, &str)]) -> Vec<u8> {
        let cells = cells.iter().map(|(kind, text)| {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            serde_json::json!({ "cell_type": kind, "metadata": {}, "source": lines })
        });
        let cells: Vec<serde_json::Value> = cells.collect();
        serde_json::to_vec(&serde_json::json!({ "cells": cells, "nbformat": 4, "metadata": {} }))
            .unwrap()
    }

    const STRATEGY: &str = "MARGIN = 8\ndef final_strategy(score, opponent_score):\n    return 4\n";

    #[test]
    fn the_cell_that_defines_the_function_is_taken_alone() {
        let sent = notebook(&[
            ("markdown", "def final_strategy(score, opponent_score):"),
            ("code", "%matplotlib inline\n!pip install x\n"),
            ("code", STRATEGY),
            (
                "code",
                "print(final_strategy(0, 0))\n    final_strategy = 4\nfinal_strategy == \
                 4\nfinal_strategy_2 = 4\n",
            ),
        ]);
        assert_eq!(cell(&sent, "final_strategy").as_deref(), Ok(STRATEGY));
        assert!(
            cell(&sent, "other").unwrap_err().contains("no cell of the notebook defines `other`")
        );
        let whole =
            br#"{"cells": [{"cell_type": "code", "source": "final_strategy = lambda a, b: 4"}]}"#;
        assert_eq!(cell(whole, "final_strategy").as_deref(), Ok("final_strategy = lambda a, b: 4"));
    }

    #[test]
    fn two_definitions_or_no_notebook_are_refused() {
        let twice = notebook(&[("code", STRATEGY), ("markdown", ""), ("code", STRATEGY)]);
        assert!(
            cell(&twice, "final_strategy")
                .unwrap_err()
                .ends_with("`final_strategy`: 1, 3; keep one")
        );
        for text in ["", "[]", "4", "{\"cells\": 4}", "def final_strategy(a, b): return 4"] {
            assert!(
                cell(text.as_bytes(), "final_strategy").unwrap_err().contains("notebook"),
                "{text}"
            );
        }
        assert!(cell(b"{}", "final_strategy").unwrap_err().contains("no cell"));
    }
}
