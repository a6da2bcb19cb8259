//! `hog export`: a solved game in another form.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use hog::game::Game;
use hog::report::export::{Drn, Seat, Solved, exporter};
use hog::table::{self, Table, shipped};

use super::context::{Context, Outcome};
use super::interrupt::undisturbed;
use super::progress::with_progress;
use super::solve::solve_game;

/// A solved game in another form: python, csv, json, npy, drn
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog export fa21 --to python -o final.py     a final_strategy(score, opponent_score) to hand in
  hog export fa21 --to csv                    score,opponent,win_rate,dice: one line a position
  hog export my.hog --to npy -o rolls.npy     a table of your own as a NumPy array
  hog export fa21 --to drn -o fa21.drn        for Storm: the table as second player, the first chooses")]
pub(super) struct Export {
    /// A built-in game, a rule file, or a .hog table
    #[arg(value_name = "RULES|TABLE")]
    what: String,
    /// The form
    #[arg(long, value_enum)]
    to: Form,
    /// Who plays the table in a DRN model; the other player chooses freely (default: second)
    #[arg(long, value_enum, value_name = "PLAYER")]
    fix: Option<Fix>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A Python function to hand in
    Python,
    /// One line a state
    Csv,
    /// One document with one object a state
    Json,
    /// A NumPy array of the best rolls
    Npy,
    /// A model for Storm: one player plays the table, the other chooses
    Drn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fix {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
}

impl Export {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        if self.fix.is_some() && self.to != Form::Drn {
            bail!("--fix says who plays the table in a DRN model: use it with --to drn");
        }
        let (game, table) = self.table(context)?;
        let win_rates = with_progress("solving", |watch| table.win_rates(&game, watch))?;
        let name = self.to.to_possible_value().expect("no form is hidden").get_name().to_owned();
        let drn = Drn { fixed: if self.fix == Some(Fix::First) { Seat::First } else { Seat::Second } };
        let command = self.command(&name, context, drn.fixed);
        let solved = Solved {
            game: &game,
            win_rates: &win_rates,
            best: table.best(),
            rates: table.rates(),
            against: table.against(),
            command: &command,
        };
        let exporter = match self.to {
            Form::Drn => &drn,
            _ => exporter(&name).expect("every form has its exporter"),
        };
        match &self.output {
            None if self.to == Form::Npy => {
                let mut bytes = Vec::new();
                exporter.export(&solved, &mut bytes)?;
                context.print_bytes(&bytes)?;
            }
            None => context.print(|out| exporter.export(&solved, out))?,
            Some(path) => {
                let mut bytes = Vec::new();
                exporter.export(&solved, &mut bytes)?;
                undisturbed(|| table::write(path, &bytes))?;
            }
        }
        Ok(Outcome::Done)
    }

    /// The command that makes this output.
    fn command(&self, form: &str, context: &Context, fixed: Seat) -> String {
        let mut command = format!("hog export {} --to {form}", self.what);
        if self.to == Form::Drn {
            command += &format!(" --fix {}", fixed.name());
        }
        command + &context.overrides_as_options()
    }

    /// The table to export: read from a file, shipped, or solved just now.
    fn table(&self, context: &Context) -> anyhow::Result<(Game, Table)> {
        if Path::new(&self.what).extension().is_some_and(|extension| extension == "hog") {
            if context.overrides != Default::default() {
                bail!("--goal and --max-dice change rules, not a table that is solved already");
            }
            let path = Path::new(&self.what);
            let table = table::read(path)?;
            let faulty = |fault| table::TableError::Faulty { path: path.to_owned(), fault };
            let game = table.game().map_err(faulty)?;
            return Ok((game, table));
        }
        let game = context.game(&self.what)?;
        let table = match shipped(game.rules()).filter(|table| table.fits(&game).is_ok()) {
            Some(table) => table,
            None => Table::new(&game, &solve_game(&game, None, None)?, None),
        };
        Ok((game, table))
    }
}
