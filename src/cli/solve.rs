//! `hog solve`: solves a game and writes its table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hog::engine::{Cancel, DEFAULT_TRIES, SolveQuery, SolveResult, SolvedGame};
use hog::format::export::{Exporter, ScoreTable, SolvedTable};
use hog::game::{Game, Plan};
use hog::solve::Arithmetic;
use hog::strategy::Strategy;
use hog::view::{Sight, SolveView};

use super::console::{Console, Status};
use super::export::{endings, exporter_for, naming_search};
use super::interrupt::stopped_by_interrupt;
use super::output::{
    ending, is_standard_output, listed_endings, output_file, refuse_binary_in_terminal,
    refuse_inputs,
};
use hog::queries::numbers::whole;

/// Solve a game: the win rate and all best rolls of every position
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog solve fa21                              the exact equilibrium
  hog solve fa21 -o fa21.hog                  save its table as well
  hog solve su15 --against always_roll:5      the best response to the baseline
  hog solve fa21 --fraction                   the first player's win rate as a fraction
  hog solve fa19 --arithmetic float           in floats, with a proven error bound
  hog solve fa19 --sees scores --against always_roll:4 -o best.py
                                              the best table found that sees only scores")]
pub(super) struct SolveCommand {
    /// A built-in game or a rule file
    rules: String,
    /// Solve the best response to this strategy instead of the equilibrium
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// What the solved player can see
    #[arg(long, value_enum, default_value_t = SeesChoice::State)]
    sees: SeesChoice,
    /// The numbers to solve with (default: exact, unless the game is too large)
    #[arg(long, value_enum)]
    arithmetic: Option<ArithmeticChoice>,
    /// Print the exact win rate of the solved player, moving first, as a reduced fraction
    #[arg(long)]
    fraction: bool,
    /// Keep rolls tied that floats cannot tell apart, without solving again with more digits
    /// (games with loops of chance)
    #[arg(long)]
    keep_near_ties: bool,
    #[arg(short, long, value_name = "FILE", help = format!("Write the table to this file: .hog, or {} as `hog export` \
        does; - is standard output", listed_endings(&endings())))]
    output: Option<PathBuf>,
    /// With --sees scores in a game with memory: how many changes of the table to try in search of
    /// a better one
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TRIES, value_parser = whole::<usize>)]
    tries: usize,
    /// The seed of that search; the same seed finds the same table
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>)]
    seed: u64,
    /// Leave win rates out of the table; hog computes them from its best rolls when needed
    #[arg(long, requires = "output")]
    packed: bool,
}

/// The endings of tables that see only scores.
const SCORE_TABLES: [&str; 3] = ["py", "csv", "txt"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SeesChoice {
    /// The whole state, memories included
    State,
    /// The two scores
    Scores,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ArithmeticChoice {
    /// Exact integers or fractions
    Exact,
    /// Floats (doubles) with a proven error bound
    Float,
}

impl From<ArithmeticChoice> for Arithmetic {
    fn from(choice: ArithmeticChoice) -> Self {
        match choice {
            ArithmeticChoice::Exact => Self::Exact,
            ArithmeticChoice::Float => Self::Float,
        }
    }
}

impl SolveCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let query = console.query(&self.rules);
        let exact = self.fraction || matches!(self.arithmetic, Some(ArithmeticChoice::Exact));
        let game = console.engine.game(if exact { query.exact() } else { query })?;
        let searched = self.sees == SeesChoice::Scores && game.space().per_cell() > 1;
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
                    && output_file(&self.output, console).is_some_and(is_standard_output)
                {
                    refuse_binary_in_terminal("a .hog table")?;
                }
                export
            }
            None => None,
        };
        refuse_inputs(&self.output, [Path::new(&self.rules)], &self.against)?;
        console.can_write(&self.output)?;
        let output = output_file(&self.output, console);
        let query = self.query();
        let mut solved = if searched {
            let cancel = Cancel::new();
            let engine = console.engine.clone().cancelled_by(cancel.clone());
            stopped_by_interrupt(&cancel, || engine.solved(&game, &query))?
        } else {
            console.engine.solved(&game, &query)?
        };
        let Some(path) = output else { return console.show(&solved.view) };
        self.write(&game, &solved, (path, export), console).map_err(|error| {
            // If the format cannot hold this game, the message names others.
            let played = (&*self.rules, solved.view.against.as_deref());
            naming_search(error, &game, played, Some(path), console)
        })?;
        solved.view.output = Some(path.display().to_string());
        console.show(&solved.view)
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

    fn query(&self) -> SolveQuery {
        let mut query =
            SolveQuery::equilibrium().fraction(self.fraction).search(self.tries, self.seed);
        query.against = self.against.clone();
        query.arithmetic = self.arithmetic.map(Into::into);
        query.separate = !self.keep_near_ties;
        query.sees(if self.sees == SeesChoice::Scores { Sight::Scores } else { Sight::State })
    }

    /// Formats the options that decide which numbers a game is solved with, each preceded by a
    /// space.
    fn numbers_as_options(&self) -> String {
        let arithmetic = self.arithmetic.and_then(|choice| choice.to_possible_value());
        let arithmetic = arithmetic
            .map_or_else(String::new, |choice| format!(" --arithmetic {}", choice.get_name()));
        let flags = [(self.fraction, " --fraction"), (self.keep_near_ties, " --keep-near-ties")];
        let flags: String =
            flags.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag).collect();
        arithmetic + &flags
    }

    fn write(
        &self,
        game: &Arc<Game>,
        solved: &SolvedGame,
        (path, export): (&Path, Option<&dyn Exporter>),
        console: &Console,
    ) -> anyhow::Result<()> {
        if let SolveResult::Plan(plan) = &solved.result {
            return self.write_rolls((game, plan), &solved.view, path, console);
        }
        let Some(table) = solved.table(game) else {
            bail!("{} has no table to write", game.rules().id)
        };
        let Some(exporter) = export else {
            let table = if self.packed { table.packed() } else { table };
            return console.write(path, &table.to_bytes());
        };
        let against = solved.view.against.as_deref();
        let command = format!(
            "hog solve {}{}{}{} -o {}",
            self.rules,
            against.map_or_else(String::new, |against| format!(" --against {against}")),
            console.overrides_as_options(),
            self.numbers_as_options(),
            path.display()
        );
        let solved = SolvedTable {
            game,
            win_rates: table.stored_win_rates(),
            best: table.best(),
            win_rate: solved.view.win_rate,
            against,
            command: &command,
        };
        console.write(path, &exporter.file(&solved)?)
    }

    /// Writes a table that sees only scores, in the format of the file's ending.
    fn write_rolls(
        &self,
        (game, plan): (&Game, &Plan),
        view: &SolveView,
        path: &Path,
        console: &Console,
    ) -> anyhow::Result<()> {
        let against = view.against.as_deref();
        let command = format!(
            "hog solve {} --sees scores --against {}{}{} --tries {} --seed {} -o {}",
            self.rules,
            against.unwrap_or_default(),
            console.overrides_as_options(),
            self.numbers_as_options(),
            self.tries,
            self.seed,
            path.display()
        );
        let rolls = ScoreTable { game, plan, win_rate: view.win_rate, against, command: &command };
        // Standard output gets the Python function.
        let format = ending(path, &SCORE_TABLES)?.unwrap_or("py");
        console.write_with(path, |out| rolls.write(format, out))
    }
}
