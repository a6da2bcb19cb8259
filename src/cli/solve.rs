//! `hog solve`: solves a game and writes its table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::{Cancel, of_usual_kind};
use crate::export::{Exporter, ScoreTable, SolvedTable};
use crate::files::has_extension;
use crate::game::{Game, Plan};
use crate::queries::{GivenGame, Sight, Solve, SolveAnswer, SolveResult, SolvedGame};
use anyhow::bail;
use clap::{Args, ValueEnum};

use super::console::{Console, Status};
use super::export::{Export, ExportArguments, endings, exporter_for, naming_search};
use super::interrupt::stopped_by_interrupt;
use super::output::{
    ending, is_standard_output, listed_endings, output_file, refuse_binary_in_terminal,
    refuse_inputs,
};

/// The win rate and all best rolls of every position
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog solve fa21                              the exact equilibrium
  hog solve fa21 -o fa21.hog                  save its table as well
  hog solve fa21 -o final.py                  a function final_strategy(score, opponent_score)
  hog solve fa21 --to csv                     for each position: score,opponent,win_rate,dice,best
  hog solve my.hog -o rolls.npy               a table of your own as a NumPy array
  hog solve su15 --against always_roll:5      the best response to the baseline
  hog solve fa21 --fraction                   the first player's win rate as a fraction
  hog solve fa19 --arithmetic float           in floats, with a proven error bound
  hog solve fa19 --sees scores --against always_roll:4 -o best.py
                                              the best table found that sees only scores")]
pub(super) struct SolveCommand {
    #[command(flatten)]
    solve: Solve,
    #[arg(short, long, value_name = "FILE", help = format!("Write the table to this file: .hog, \
        {}; - is standard output", listed_endings(&endings())))]
    output: Option<PathBuf>,
    #[command(flatten)]
    export: ExportArguments,
    /// Leave win rates out of the table; hog computes them from its best rolls when needed
    #[arg(long, requires = "output")]
    packed: bool,
}

/// The endings of tables that see only scores.
const SCORE_TABLES: [&str; 3] = ["py", "csv", "txt"];

impl SolveCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if self.export.to.is_some() || has_extension(self.rules(), "hog") {
            return self.export_solved(console);
        }
        let call = console.engine.call();
        let game = self.solve.game(&call)?;
        let searched = self.solve.searches(&game);
        if self.packed && searched {
            bail!(
                "--packed is for .hog tables: leave it out with --sees scores in {}",
                game.rules().id
            );
        }
        let export = match &self.output {
            Some(path) if searched => {
                ending(path, &SCORE_TABLES)?;
                None
            }
            Some(path) => {
                let export = self.export(path)?;
                if export.is_none()
                    && output_file(&self.output, console.format).is_some_and(is_standard_output)
                {
                    refuse_binary_in_terminal("a .hog table")?;
                }
                export
            }
            None => None,
        };
        let against = call.optional_strategy(self.solve.against.as_ref())?;
        refuse_inputs(&self.output, [Path::new(self.rules())], &against)?;
        console.can_write(&self.output)?;
        let output = output_file(&self.output, console.format);
        let mut solve = self.solve.clone();
        solve.game = GivenGame::from(&game);
        let mut solved = if searched {
            let cancel = Cancel::new();
            let engine = console.engine.clone().cancelled_by(cancel.clone());
            stopped_by_interrupt(&cancel, || solve.solved(&engine.call()))?
        } else {
            solve.solved(&console.engine.call())?
        };
        let Some(path) = output else { return console.show(&solved.answer) };
        self.write(&game, &solved, path, export, console).map_err(|error| {
            // If the format cannot hold this game, the message names others.
            let against = solved.answer.against.as_deref();
            naming_search(error, &game, self.rules(), against, Some(path), console)
        })?;
        solved.answer.output = Some(path.display().to_string());
        console.show(&solved.answer)
    }

    /// Writes a strategy, or a table that is solved already, in another format.
    fn export_solved(&self, console: &Console) -> anyhow::Result<Status> {
        if self.says_how() {
            bail!(
                "{} is solved already: leave out the options that say how to solve it",
                self.rules()
            );
        }
        let call = console.engine.call();
        let export = Export {
            what: self.rules(),
            against: call.optional_strategy(self.solve.against.as_ref())?,
            arguments: &self.export,
            output: self.output.as_deref(),
        };
        export.run(console)
    }

    /// Returns the exporter for a file's ending; `None` for a table in hog's own format.
    fn export(&self, path: &Path) -> anyhow::Result<Option<&'static dyn Exporter>> {
        let endings = [vec!["hog"], endings()].concat();
        let Some(exporter) = ending(path, &endings)?.and_then(exporter_for) else {
            return Ok(None);
        };
        if self.packed {
            bail!("--packed is for .hog tables: leave it out with -o {}", path.display());
        }
        Ok(Some(exporter))
    }

    /// Whether it says how to solve, which a table has no use for.
    fn says_how(&self) -> bool {
        self.packed || self.solve.sees != Sight::State || !self.numbers_as_options().is_empty()
    }

    /// Returns the game as the command line names it.
    fn rules(&self) -> &str {
        self.solve.game.rules.as_deref().unwrap_or_default()
    }

    /// Formats the options that decide which numbers a game is solved with, each preceded by a
    /// space.
    fn numbers_as_options(&self) -> String {
        let Solve { arithmetic, fraction, .. } = self.solve;
        let arithmetic = arithmetic.and_then(|choice| choice.to_possible_value());
        let arithmetic = arithmetic
            .map_or_else(String::new, |choice| format!(" --arithmetic {}", choice.get_name()));
        arithmetic + if fraction { " --fraction" } else { "" }
    }

    fn write(
        &self,
        game: &Arc<Game>,
        solved: &SolvedGame,
        path: &Path,
        export: Option<&dyn Exporter>,
        console: &Console,
    ) -> anyhow::Result<()> {
        if let SolveResult::Plan(plan) = &solved.result {
            return self.write_rolls(game, plan, &solved.answer, path, console);
        }
        let Some(table) = solved.table(game) else {
            bail!("{} has no table to write", game.rules().id)
        };
        let Some(exporter) = export else {
            let table = if self.packed { table.packed() } else { table };
            return console.write(path, &table.to_bytes());
        };
        if exporter.format().name == "drn" {
            of_usual_kind(game.rules())?;
        }
        let against = solved.answer.against.as_deref();
        let command = format!(
            "hog solve {}{}{}{} -o {}",
            self.rules(),
            against.map_or_else(String::new, |against| format!(" --against {against}")),
            console.changes.as_options(),
            self.numbers_as_options(),
            path.display()
        );
        let solved = SolvedTable {
            game,
            win_rates: table.stored_win_rates(),
            best: table.best(),
            win_rate: solved.answer.win_rate,
            against,
            command: &command,
        };
        console.write(path, &exporter.file(&solved)?)
    }

    /// Writes a table that sees only scores, in the format of the file's ending.
    fn write_rolls(
        &self,
        game: &Game,
        plan: &Plan,
        answer: &SolveAnswer,
        path: &Path,
        console: &Console,
    ) -> anyhow::Result<()> {
        let against = answer.against.as_deref();
        let command = format!(
            "hog solve {} --sees scores --against {}{}{} --tries {} --seed {} -o {}",
            self.rules(),
            against.unwrap_or_default(),
            console.changes.as_options(),
            self.numbers_as_options(),
            self.solve.tries,
            self.solve.seed,
            path.display()
        );
        let rolls =
            ScoreTable { game, plan, win_rate: answer.win_rate, against, command: &command };
        // Standard output gets the Python function.
        let format = ending(path, &SCORE_TABLES)?.unwrap_or("py");
        console.write_with(path, |out| rolls.write(format, out))
    }
}
