//! Tables: read from files, shipped, or made of a solution.

use std::path::Path;
use std::sync::Arc;

use super::solve::SOON;
use super::{GivenGame, GivenPosition, WinRates};
use crate::files::has_extension;
use crate::game::{Game, Order};
use crate::solve::{self, Arithmetic, endless};
use crate::strategy::plan_of_table;
use crate::table::{self, Table, TableError, shipped};

use crate::engine::{Call, Engine, Error};

/// A table with its game and win rates.
#[derive(Clone, Debug)]
pub struct GameTable {
    /// The game.
    pub game: Arc<Game>,
    /// The game's table.
    pub table: Table,
    /// The mover's win rate in each state.
    pub win_rates: Vec<f64>,
    /// The win rates of the solved side at the start of the game.
    pub win_rate: WinRates,
}

impl GameTable {
    /// Returns the win rate of the player to move, who plays the best rolls.
    ///
    /// # Errors
    /// Returns an error if the game has no such position.
    pub fn value(&self, position: &GivenPosition) -> Result<f64, Error> {
        Ok(self.win_rates[self.state(position)?])
    }

    /// Returns the best numbers of dice, in ascending order: several if they tie.
    ///
    /// # Errors
    /// Returns an error if the game has no such position.
    pub fn best(&self, position: &GivenPosition) -> Result<Vec<i32>, Error> {
        let state = self.state(position)?;
        let choices = self.game.choices_in(state, self.table.best()[state]);
        Ok(self.game.space().dice_in(choices))
    }

    fn state(&self, position: &GivenPosition) -> Result<usize, Error> {
        Ok(self.game.state(&position.position(self.game.rules())?))
    }
}

impl Engine {
    /// Returns a game with the values and the best rolls of all its positions: from the shipped
    /// table, or solved now, exactly where that is practical.
    ///
    /// ```
    /// use hog_engine::{Engine, queries::GivenPosition};
    /// let solved = Engine::builder().build().solved("fa21")?;
    /// let position = GivenPosition::scores(20, 36);
    /// assert_eq!(solved.best(&position)?, [8]);
    /// assert_eq!(solved.value(&position)?, 0.3965707251269991);
    /// assert!(solved.win_rate.first > solved.win_rate.second);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if no game has this name, or it cannot be solved.
    pub fn solved(&self, game: impl Into<GivenGame>) -> Result<GameTable, Error> {
        self.call().table(&game.into())
    }
}

impl Call<'_> {
    /// Returns the table of a game: read from a table file, shipped, or solved now, exactly where
    /// that is practical.
    ///
    /// # Errors
    /// Returns an error if the file may not or cannot be read, or the game cannot be solved.
    pub fn table(&self, given: &GivenGame) -> Result<GameTable, Error> {
        let name = given.rules.as_deref().unwrap_or_default();
        let (game, table) = if has_extension(name, "hog") {
            if given.is_changed() {
                return Err(Error::SolvedAlready { name: name.to_owned() });
            }
            self.read_table(Path::new(name))?
        } else {
            let game = self.game(given)?;
            let table = match self.shipped_table(&game) {
                Some(table) => table,
                None => {
                    let arithmetic = self.practical_arithmetic(&game, SOON);
                    Table::new(&game, &*self.solution(&game, None, arithmetic)?, None)
                }
            };
            (game, table)
        };
        self.game_table(name, game, table)
    }

    /// Returns the table of a game that comes with hog.
    pub(super) fn shipped_table(&self, game: &Game) -> Option<Table> {
        shipped(game.rules()).filter(|table| table.fits(game).is_ok())
    }

    /// Returns a table with its win rates. Errors call it `name`.
    pub(super) fn game_table(
        &self,
        name: &str,
        game: Arc<Game>,
        table: Table,
    ) -> Result<GameTable, Error> {
        let (win_rates, error_bound) = self.table_win_rates(&game, &table)?;
        let mut win_rate = self.table_rate(name, &game, &table)?;
        win_rate.error_bound = error_bound;
        Ok(GameTable { game, table, win_rates, win_rate })
    }

    /// Returns the win rates of a table's solved side at the start of the game. Errors call the
    /// table `name`.
    ///
    /// # Errors
    /// Returns an error if the game may never end and the table is a best response without the
    /// opponent's rolls, or if the work is stopped.
    pub fn table_rate(&self, name: &str, game: &Game, table: &Table) -> Result<WinRates, Error> {
        let own = plan_of_table(table, game);
        let opponent = match (table.against(), table.answered()) {
            (Some(_), _) if game.rules().keeps_dice() => {
                return Err(Error::RollsMissing { name: name.to_owned() });
            }
            (Some(_), None) if game.order() != Order::Acyclic => {
                return Err(Error::RollsMissing { name: name.to_owned() });
            }
            (_, answered) => answered.unwrap_or_else(|| own.clone()),
        };
        let never =
            self.run("counting endless games", |watch| endless(game, [&own, &opponent], watch))?;
        Ok(WinRates::new(table.rates(), never, table.error_bound()))
    }

    /// Returns the mover's win rate in each state of a table's game, and a bound on their errors;
    /// those of a packed table are computed.
    ///
    /// # Errors
    /// Returns an error if the work is stopped.
    pub fn table_win_rates(&self, game: &Game, table: &Table) -> Result<(Vec<f64>, f64), Error> {
        self.run("solving", |watch| table.win_rates(game, watch))
    }

    /// Reads a table file and tabulates its game, as [`Self::table_from`] does.
    ///
    /// # Errors
    /// Returns an error if the file may not or cannot be read, or is not a valid table.
    pub fn read_table(&self, path: &Path) -> Result<(Arc<Game>, Table), Error> {
        if !self.engine.sources().opens_strategy_files() {
            return Err(Error::Closed { name: path.display().to_string() });
        }
        self.table_from(&table::read_bytes(path, self.engine.limits().table_file)?, path)
    }

    /// Reads a table from the bytes of a file and tabulates its game. Files that the table names
    /// are not opened. The limits are checked against the rules in the table before the rest of
    /// it is decoded. Errors call the table `name`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid table, or its game exceeds the limits.
    pub fn table_from(&self, bytes: &[u8], name: &Path) -> Result<(Arc<Game>, Table), Error> {
        let faulty = |fault| TableError::Faulty { path: name.to_owned(), fault };
        let rules = Table::rules_inside(bytes).map_err(faulty)?;
        self.engine.limits().admit_rules(&rules)?;
        let table = Table::from_bytes(bytes).map_err(faulty)?;
        let game = self.tabulate(rules)?;
        table.fits(&game).map_err(faulty)?;
        Ok((game, table))
    }

    /// Returns the default arithmetic of a game: exact, unless that would take longer than so many
    /// seconds or too much memory.
    pub(crate) fn practical_arithmetic(&self, game: &Game, seconds: f64) -> Arithmetic {
        match solve::practical_arithmetic(game, seconds) {
            Arithmetic::Exact if solve::exact_bytes(game) > self.engine.limits().memory => {
                Arithmetic::Float
            }
            practical => practical,
        }
    }
}
