//! Writes all positions that a strategy meets as CSV.

use std::io::{self, Write};

use crate::analysis::{Explanation, Mistake, Reached};
use crate::game::{Game, memory_names};

/// Writes all positions met, one per line: `score,opponent[,MEMORY...],met_first,met_second,dice,
/// best,loss_each,loss_first,loss_second,loss,mistake`.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn explain_csv(game: &Game, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    let names: String = memory_names(game.rules()).iter().map(|name| format!(",{name}")).collect();
    let last = "met_first,met_second,dice,best,loss_each,loss_first,loss_second,loss,mistake";
    writeln!(out, "score,opponent{names},{last}")?;
    let mut rows: Vec<&Reached> = explanation.reached.iter().collect();
    rows.sort_by(|a, b| {
        let key = |reached: &Reached| {
            (reached.position.score, reached.position.opponent, reached.position.memory.clone())
        };
        key(a).cmp(&key(b))
    });
    for reached in rows {
        let Reached { position, met, dice, best, loss_each, loss, mistake } = reached;
        let memory: String = position.memory.iter().map(|value| format!(",{value}")).collect();
        let best = best.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        let (average, kind) = (reached.average_loss(), mistake.map_or("", Mistake::name));
        write!(
            out,
            "{},{}{memory},{},{},{dice},{best},",
            position.score, position.opponent, met[0], met[1]
        )?;
        writeln!(out, "{loss_each},{},{},{average},{kind}", loss[0], loss[1])?;
    }
    Ok(())
}
