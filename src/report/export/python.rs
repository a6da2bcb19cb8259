//! Python: a `final_strategy(score, opponent_score)` to paste into `hog.py` and hand in, with no imports.

use std::io::{self, Write};

use super::{Exporter, Solved, unfit};

/// Writes Python: one string of digits for each score, one digit for each opponent's score.
pub(super) struct Python;

/// The digits of numbers of dice: 10 is A.
const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl Exporter for Python {
    fn export(&self, solved: &Solved, out: &mut dyn Write) -> io::Result<()> {
        let (rules, space) = (solved.game.rules(), solved.game.space());
        if space.per_cell() > 1 {
            let names: Vec<&str> = rules.memories.iter().map(|memory| memory.name.as_str()).collect();
            return Err(unfit(format!(
                "a Python final_strategy sees only the two scores, and the best roll of {} depends on {} too; export csv \
                 or json",
                rules.id,
                names.join(", ")
            )));
        }
        if space.min_dice < 0 {
            return Err(unfit(format!("moves below zero dice, as {} has them, have no digit", rules.id)));
        }
        let goal = space.goal;
        writeln!(out, "def final_strategy(score, opponent_score):")?;
        writeln!(
            out,
            "    \"\"\"The best number of dice in {}, goal {goal}, as `{}` prints it.",
            rules.title, solved.command
        )?;
        writeln!(out)?;
        let [first, second, average] = solved.rates;
        let what = match solved.against {
            None => "Both sides playing so, the first player wins".to_owned(),
            Some(strategy) => format!("Against {strategy} it wins {average} of all games;\n    moving first"),
        };
        writeln!(out, "    {what} {first},\n    the second {second}.")?;
        writeln!(
            out,
            "    Each line is a score, each digit an opponent's score (A is 10). Made by hog, the exact solver."
        )?;
        writeln!(out, "    \"\"\"")?;
        writeln!(out, "    rolls = (")?;
        for score in 0..goal {
            let digit = |opponent: usize| char::from(DIGITS[solved.dice(score * goal + opponent) as usize]);
            let row: String = (0..goal).map(digit).collect();
            writeln!(out, "        '{row}'  # {score}")?;
        }
        writeln!(out, "    )")?;
        writeln!(out, "    return int(rolls[score * {goal} + opponent_score], 36)")
    }
}
