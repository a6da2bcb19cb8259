//! A function in a notebook of Jupyter: the cell that defines it, and those that it needs.

use std::path::Path;

use hog_files::has_extension;
use serde::Deserialize;

use crate::fault::Fault;
use crate::outline::Outline;

/// The part of a notebook that is read; format 4 (nbformat).
#[derive(Deserialize)]
struct Notebook {
    cells: Vec<NotebookCell>,
}

#[derive(Deserialize)]
struct NotebookCell {
    cell_type: String,
    #[serde(default)]
    source: CellSource,
}

/// A cell's text: in one piece, or by lines, each with its line end.
#[derive(Deserialize)]
#[serde(untagged)]
enum CellSource {
    Text(String),
    Lines(Vec<String>),
}

impl Default for CellSource {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl CellSource {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Lines(lines) => lines.concat(),
        }
    }
}

/// Whether a file has the extension of notebooks, of which one function is asked.
pub fn is_notebook(path: &Path) -> bool {
    has_extension(path, "ipynb")
}

/// The code of a notebook that a function needs, as one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookCode {
    /// The program.
    pub text: String,
    /// The cells that it consists of, from 1, and the number of lines of each.
    cells: Vec<(usize, usize)>,
}

/// Returns the cell of a notebook that defines a function, after the other cells that define a name
/// which it uses, or which these use. Lines for Jupyter (`%...`, `!...`) are left out, and cells in
/// other languages are not read.
///
/// # Errors
/// Returns what is wrong if the text is not a notebook, or not exactly one of its cells defines the
/// function.
pub fn code(notebook: &[u8], function: &str) -> Result<NotebookCode, String> {
    let notebook = notebook.strip_prefix("\u{feff}".as_bytes()).unwrap_or(notebook);
    let read: Result<Notebook, _> = serde_json::from_slice(notebook);
    let Ok(Notebook { cells }) = read else {
        return Err("it is not a notebook of Jupyter (format 4)".into());
    };
    let cells: Vec<CodeCell> = cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| cell.cell_type == "code")
        .filter_map(|(place, cell)| CodeCell::of(place + 1, &cell.source.text()))
        .collect();
    let defining: Vec<usize> =
        (0..cells.len()).filter(|cell| cells[*cell].outline.defines(function)).collect();
    match defining[..] {
        [main] => Ok(NotebookCode::of(&cells, main)),
        [] => Err(format!("no cell of the notebook defines `{function}`")),
        _ => {
            let places: Vec<String> =
                defining.iter().map(|cell| cells[*cell].number.to_string()).collect();
            let places = places.join(", ");
            Err(format!(
                "more than one cell of the notebook defines `{function}`: {places}; keep one"
            ))
        }
    }
}

impl NotebookCode {
    fn of(cells: &[CodeCell], main: usize) -> Self {
        let mut chosen = vec![main];
        let mut next = 0;
        while let Some(&user) = chosen.get(next) {
            for name in cells[user].outline.used() {
                if chosen.iter().any(|cell| cells[*cell].outline.defines(name)) {
                    continue;
                }
                // The definition that holds when the cell of the function is run, or one after it.
                let mut nearest = (0..main).rev().chain(main..cells.len());
                chosen.extend(nearest.find(|cell| cells[*cell].outline.defines(name)));
            }
            next += 1;
        }
        // The definitions are needed before the function is defined: a default may use them.
        chosen.sort_by_key(|cell| (*cell == main, *cell));
        let mut text = String::new();
        let mut lines = Vec::new();
        for cell in chosen {
            let CodeCell { number, text: cell, .. } = &cells[cell];
            text += cell;
            if !text.ends_with('\n') {
                text.push('\n');
            }
            lines.push((*number, cell.lines().count()));
        }
        Self { text, cells: lines }
    }

    /// Returns a fault with the line within its cell, which it names if there are several.
    pub fn located(&self, mut fault: Fault) -> Fault {
        if let Some(inner) = fault.inner_mut() {
            inner.line = self.within_cell(inner.line);
        }
        let Some(line) = fault.line_mut().filter(|line| **line > 0) else { return fault };
        let mut before = 0;
        for (cell, lines) in &self.cells {
            if *line <= before + lines {
                *line -= before;
                if self.cells.len() > 1 {
                    fault.add_words(&format!(" in cell {cell}"));
                }
                break;
            }
            before += lines;
        }
        fault
    }

    /// Returns a line as one of its cell.
    fn within_cell(&self, line: usize) -> usize {
        let mut before = 0;
        for (_, lines) in &self.cells {
            if line <= before + lines {
                break;
            }
            before += lines;
        }
        line - before.min(line)
    }
}

/// A cell of code, without what Jupyter reads itself.
struct CodeCell {
    /// Its place among all cells, from 1.
    number: usize,
    text: String,
    outline: Outline,
}

/// Magics at the head of a cell after which it still is Python.
const OF_PYTHON: [&str; 6] = ["writefile", "time", "timeit", "capture", "python", "python3"];

impl CodeCell {
    /// Reads a cell; `None` if it is in another language.
    fn of(number: usize, source: &str) -> Option<Self> {
        let head = source.trim_start().strip_prefix("%%");
        let magic = head.and_then(|head| head.split_whitespace().next());
        if magic.is_some_and(|magic| !OF_PYTHON.contains(&magic)) {
            return None;
        }
        let mut text = String::new();
        for line in source.split_inclusive('\n') {
            text += if line.starts_with(['%', '!']) { "\n" } else { line };
        }
        let outline = Outline::of(&text);
        Some(Self { number, text, outline })
    }
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

    fn program(sent: &[u8]) -> String {
        code(sent, "final_strategy").unwrap().text
    }

    #[test]
    fn the_cell_that_defines_the_function_is_run_without_those_that_it_does_not_need() {
        let sent = notebook(&[
            ("markdown", "def final_strategy(score, opponent_score):"),
            ("code", "%matplotlib inline\n!pip install x\n"),
            ("code", STRATEGY),
            (
                "code",
                "print(final_strategy(0, 0))\n    final_strategy = 4\nfinal_strategy == \
                 4\nfinal_strategy_2 = 4\n",
            ),
            ("code", "score = draw(final_strategy)\n"),
        ]);
        assert_eq!(program(&sent), STRATEGY);
        assert_eq!(program(&[b"\xef\xbb\xbf", &sent[..]].concat()), STRATEGY);
        assert!(
            code(&sent, "other").unwrap_err().contains("no cell of the notebook defines `other`")
        );
        let whole =
            br#"{"cells": [{"cell_type": "code", "source": "final_strategy = lambda a, b: 4"}]}"#;
        assert_eq!(program(whole), "final_strategy = lambda a, b: 4\n");
    }

    #[test]
    fn cells_are_run_that_define_a_name_which_is_used() {
        let main = "def final_strategy(score, other):\n    return NAME(score)\n";
        for cell in [
            "import NAME\n",
            "import a.b as NAME, c\n",
            "from x import y as NAME\n",
            "NAME = 90\n",
            "(a, NAME) = 1, 2\n",
            "NAME: int = 4\n",
            "a = NAME = 4\n",
            "def NAME(score):\n    return 4\n",
            "class NAME:\n    pass\n",
        ] {
            let sent = notebook(&[("code", cell), ("code", main), ("code", "NAME_2 = NAMES")]);
            assert_eq!(program(&sent), format!("{cell}{main}"));
        }
        for cell in ["%%writefile hog.py\nNAME = 4\n", "!pip install x\nNAME = 4\n"] {
            let sent = notebook(&[("code", cell), ("code", main)]);
            assert_eq!(program(&sent), format!("\nNAME = 4\n{main}"), "{cell}");
        }
        for cell in
            ["# NAME = 4", "\"\"\"\nNAME = 4\"\"\"", "f(NAME=4)", "NAME == 4", "%%bash\nNAME=4"]
        {
            let sent = notebook(&[("code", cell), ("code", main)]);
            assert_eq!(program(&sent), main, "{cell}");
        }
    }

    #[test]
    fn definitions_are_found_through_others_and_the_last_one_before_holds() {
        let sent = notebook(&[
            ("code", "LIMIT = 1"),
            ("code", "LIMIT = 2"),
            ("code", "def final_strategy(score, opponent, top=LIMIT):\n    return helper(score)"),
            ("code", "LIMIT = 3"),
            ("code", "def helper(score):\n    # of BASE\n    return BASE"),
            ("code", "BASE = 5"),
        ]);
        let found = code(&sent, "final_strategy").unwrap();
        let cells: Vec<usize> = found.cells.iter().map(|(number, _)| *number).collect();
        assert_eq!(cells, [2, 5, 6, 3]);
        let error = "NameError: x".to_owned();
        let fault = Fault::Raised { at: crate::fault::At::Loading, error, line: 4 };
        let located = found.located(fault);
        assert_eq!(located.place().0, Some(3), "the third line of the cell");
        assert!(
            matches!(located, Fault::Raised { error, .. } if error == "NameError: x in cell 5")
        );
    }

    #[test]
    fn two_definitions_or_no_notebook_are_refused() {
        let twice = notebook(&[("code", STRATEGY), ("markdown", ""), ("code", STRATEGY)]);
        assert!(
            code(&twice, "final_strategy")
                .unwrap_err()
                .ends_with("`final_strategy`: 1, 3; keep one")
        );
        for text in ["", "[]", "4", "{\"cells\": 4}", "def final_strategy(a, b): return 4"] {
            assert!(
                code(text.as_bytes(), "final_strategy").unwrap_err().contains("notebook"),
                "{text}"
            );
        }
        for text in ["{}", "{\"worksheets\": []}"] {
            let reason = code(text.as_bytes(), "final_strategy").unwrap_err();
            assert!(reason.contains("format 4"), "{reason}");
        }
        assert!(code(b"{\"cells\": []}", "final_strategy").unwrap_err().contains("no cell"));
    }
}
