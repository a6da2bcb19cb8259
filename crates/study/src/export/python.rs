//! Python: a `final_strategy(score, opponent_score)` without imports, to paste into `hog.py` and
//! hand in.

use std::io::{self, Write};

use super::{ExportFormat, Exporter, SolvedTable, sees_only_scores, unsupported};
use crate::WinRates;
use crate::files::escape::python_docstring;
use crate::game::Game;

/// Writes Python: a string of digits for each score, with a digit for each opponent's score.
pub(super) struct Python;

/// The digits for numbers of dice; 10 is A.
const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl Exporter for Python {
    fn format(&self) -> ExportFormat {
        ExportFormat {
            name: "python",
            ending: "py",
            meaning: "A Python function final_strategy",
            is_text: true,
        }
    }

    fn export(&self, solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()> {
        sees_only_scores("a Python final_strategy", solved.game)?;
        write_python(
            solved.game,
            &PythonHead {
                win_rate: solved.win_rate,
                against: solved.against,
                command: solved.command,
            },
            &|cell| solved.dice(cell),
            out,
        )
    }
}

/// The contents of the docstring.
pub(super) struct PythonHead<'a> {
    /// The win rates of the table.
    pub win_rate: WinRates,
    /// The opponent's strategy if the table is an answer to one.
    pub against: Option<&'a str>,
    /// The command that makes this file.
    pub command: &'a str,
}

/// Writes a function that rolls `roll(score * goal + opponent)` dice.
pub(super) fn write_python(
    game: &Game,
    head: &PythonHead,
    roll: &dyn Fn(usize) -> i32,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rules = game.rules();
    let space = game.space();
    if space.min_dice < 0 {
        return Err(unsupported(format!(
            "{} has moves below zero dice, for which a Python table has no digit: \
             export csv or json",
            rules.id
        )));
    }
    let goal = space.goal;
    let WinRates { first, second, average, .. } = head.win_rate;
    let what = match head.against {
        None => "If both sides play like this, the first player wins".to_owned(),
        Some(strategy) => {
            format!(
                "Against {} it wins {average} of all games;\n    moving first",
                python_docstring(strategy)
            )
        }
    };
    writeln!(out, "def final_strategy(score, opponent_score):")?;
    let which = if head.against.is_some() { "A good" } else { "The best" };
    writeln!(
        out,
        "    \"\"\"{which} number of dice in {}, goal {goal}, as `{}` prints it.\n",
        python_docstring(&rules.title),
        python_docstring(head.command)
    )?;
    writeln!(out, "    {what} {first},\n    the second {second}.")?;
    let reading = "Each line is a score, each digit an opponent's score (A is 10). \
                   Made by hog, the exact solver.";
    writeln!(out, "    {reading}\n    \"\"\"\n    rolls = (")?;
    for score in 0..goal {
        let mut row = String::with_capacity(goal);
        for opponent in 0..goal {
            row.push(char::from(DIGITS[roll(score * goal + opponent) as usize]));
        }
        writeln!(out, "        '{row}'  # {score}")?;
    }
    writeln!(out, "    )\n    return int(rolls[score * {goal} + opponent_score], 36)")
}
