//! Python: a `final_strategy(score, opponent_score)` without imports, to paste into `hog.py` and
//! hand in.

use std::io::{self, Write};

use super::{AboutTable, unsupported};
use crate::WinRates;
use crate::files::escape::python_docstring;

/// The digits for numbers of dice; 10 is A.
const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Writes a function that rolls `roll(score * goal + opponent)` dice: a string of digits for each
/// score, with a digit for each opponent's score.
pub(super) fn write(
    about: &AboutTable,
    roll: &dyn Fn(usize) -> i32,
    out: &mut dyn Write,
) -> io::Result<()> {
    let game = about.game;
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
    let WinRates { first, second, average, .. } = about.win_rate;
    let what = match about.against {
        None => "If both sides play like this, the first player wins".to_owned(),
        Some(strategy) => {
            format!(
                "Against {} it wins {average} of all games;\n    moving first",
                python_docstring(strategy)
            )
        }
    };
    writeln!(out, "def final_strategy(score, opponent_score):")?;
    let which = if about.against.is_some() { "A good" } else { "The best" };
    writeln!(
        out,
        "    \"\"\"{which} number of dice in {}, goal {goal}, as `{}` prints it.\n",
        python_docstring(&rules.title),
        python_docstring(about.command)
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
