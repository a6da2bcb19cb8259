//! Queries that solve games or read their tables.

use std::path::Path;
use std::sync::Arc;

use crate::files::has_extension;
use crate::game::{Game, Order, Plan};
use crate::partial::{HiddenSearch, HiddenSolution, OpponentMix, Sees};
use crate::queries::WinRates;
use crate::solve::{self, Arithmetic, Solution, Watch, endless};
use crate::strategy::Strategy;
use crate::table::{self, Table, TableError, shipped};
use crate::view::{ArithmeticKind, NearTiesView, ObjectiveKind, SearchView, Sight, SolveView};

use super::call::Call;
use super::query::SolveQuery;
use super::{Engine, EngineError, GameQuery};

/// A solved game.
#[derive(Clone, Debug)]
pub struct SolvedGame {
    /// A summary of the result.
    pub view: SolveView,
    /// The solution or plan itself.
    pub result: SolveResult,
}

/// The result of solving a game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SolveResult {
    /// A solution for every state. If it is a best response, the second field is the opponent's
    /// plan.
    Solution(Arc<Solution>, Option<Arc<Plan>>),
    /// The best plan found that sees only scores, in a game that also has memories.
    Plan(Arc<Plan>),
}

impl SolvedGame {
    /// Returns the table of the solution; `None` if the result is only a plan.
    pub fn table(&self, game: &Game) -> Option<Table> {
        match &self.result {
            SolveResult::Solution(solution, answered) => {
                Some(Table::new(game, solution, self.view.against.clone().zip(answered.as_deref())))
            }
            SolveResult::Plan(_) => None,
        }
    }
}

/// A table with its game and win rates.
#[derive(Clone, Debug)]
pub struct TabledGame {
    /// The game.
    pub game: Arc<Game>,
    /// The game's table.
    pub table: Table,
    /// The mover's win rate in each state.
    pub win_rates: Vec<f64>,
    /// The win rates of the solved side at the start of the game.
    pub win_rate: WinRates,
}

impl Engine {
    /// Solves a game.
    ///
    /// # Errors
    /// Returns an error if the game is too large, the query contradicts itself, a strategy cannot
    /// be used, or the work is stopped.
    pub fn solve(&self, game: &Arc<Game>, query: &SolveQuery) -> Result<SolveView, EngineError> {
        Ok(self.solved(game, query)?.view)
    }

    /// As [`Self::solve`], with the solution itself, from which a table can be made.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn solved(&self, game: &Arc<Game>, query: &SolveQuery) -> Result<SolvedGame, EngineError> {
        self.solved_in(&self.call(), game, query)
    }

    fn solved_in(
        &self,
        call: &Call,
        game: &Arc<Game>,
        query: &SolveQuery,
    ) -> Result<SolvedGame, EngineError> {
        if query.sees == Sight::Scores && game.space().per_cell() > 1 {
            return self.search(call, game, query);
        }
        if query.fraction && query.arithmetic == Some(Arithmetic::Float) {
            return Err(EngineError::FractionInFloats);
        }
        let arithmetic = if query.fraction { Some(Arithmetic::Exact) } else { query.arithmetic };
        let arithmetic = arithmetic.unwrap_or_else(|| self.practical_arithmetic(game));
        let mut solution = call.solution(game, query.against.as_ref(), arithmetic)?;
        let opponent =
            query.against.as_ref().map(|strategy| call.plan(game, strategy)).transpose()?;
        if query.separate && solution.ties > 0 && solve::may_separate(game, &solution) {
            let (open, against) = (Arc::make_mut(&mut solution), opponent.as_deref());
            call.run("telling near ties apart", |watch| {
                solve::separate(game, against, open, watch)
            })?;
        }
        let plan = solution.plan();
        let played = opponent.as_deref().unwrap_or(&plan);
        let never =
            call.run("counting endless games", |watch| endless(game, [&plan, played], watch))?;
        let (rules, space) = (game.rules(), game.space());
        let rates = [solution.first(), solution.second(), solution.average()];
        let view = SolveView {
            rules: rules.id.clone(),
            goal: rules.goal,
            max_dice: rules.max_dice,
            objective: solution.objective.into(),
            against: query.against.as_ref().map(ToString::to_string),
            sees: query.sees,
            arithmetic: solution.arithmetic.into(),
            method: solution.method.name().to_owned(),
            states: space.states(),
            win_rate: WinRates::new(rates, never, solution.error_bound),
            first_roll: space.dice_in(solution.first_roll()),
            ties: solution.ties as u64,
            near_ties: solution.near_ties.map(NearTiesView::from),
            loops: solution.loops as u64,
            seconds: solution.elapsed.as_secs_f64(),
            output: None,
            fraction: query
                .fraction
                .then(|| solution.first_fraction().map(ToString::to_string))
                .flatten(),
            search: None,
        };
        Ok(SolvedGame { view, result: SolveResult::Solution(solution, opponent) })
    }

    /// Returns the default arithmetic of a game: exact, unless that would take too long or too much
    /// memory.
    pub(super) fn practical_arithmetic(&self, game: &Game) -> Arithmetic {
        match solve::practical_arithmetic(game) {
            Arithmetic::Exact if solve::exact_bytes(game) > self.limits().memory => {
                Arithmetic::Float
            }
            practical => practical,
        }
    }

    /// Searches for the best plan that sees only scores, in a game that also has memories.
    fn search(
        &self,
        call: &Call,
        game: &Arc<Game>,
        query: &SolveQuery,
    ) -> Result<SolvedGame, EngineError> {
        let id = || game.rules().id.clone();
        let Some(against) = &query.against else {
            return Err(EngineError::NobodyToAnswer { game: id() });
        };
        if query.fraction || query.arithmetic == Some(Arithmetic::Exact) {
            return Err(EngineError::SearchIsInFloats { game: id() });
        }
        let opponent = call.plan(game, against)?;
        let search = HiddenSearch { sees: Sees::Scores, tries: query.tries, seed: query.seed };
        let field = OpponentMix::of_one(Plan::clone(&opponent));
        let found = call.run("searching", |watch| search.run(game, &field, watch))?;
        // Not watched: the games that can be searched have no cycles, so this is quick, and a
        // search that was stopped early still returns its best plan.
        let never = endless(game, [&found.plan, &opponent], &Watch::silent())?;
        let view = searched_view(
            game,
            query,
            against,
            (&found, never),
            call.began.elapsed().as_secs_f64(),
        );
        Ok(SolvedGame { view, result: SolveResult::Plan(Arc::new(found.plan)) })
    }

    /// Returns the table of a game: read from a table file, shipped, or solved now, exactly where
    /// that is practical.
    ///
    /// # Errors
    /// Returns an error if the file may not or cannot be read, or the game cannot be solved.
    pub fn tabled(&self, query: impl Into<GameQuery>) -> Result<TabledGame, EngineError> {
        let (query, call) = (query.into(), self.call());
        let name = query.name.clone();
        let (game, table) = if has_extension(&query.name, "hog") {
            if query.overrides != Default::default() {
                return Err(EngineError::SolvedAlready);
            }
            call.read_table(Path::new(&query.name))?
        } else {
            let game = call.game_named(&query)?;
            let table = match shipped(game.rules()).filter(|table| table.fits(&game).is_ok()) {
                Some(table) => table,
                None => {
                    let arithmetic = self.practical_arithmetic(&game);
                    Table::new(&game, &*call.solution(&game, None, arithmetic)?, None)
                }
            };
            (game, table)
        };
        let win_rates = table_win_rates(&call, &game, &table)?;
        let win_rate = table_rate(&call, &name, (&game, &table))?;
        Ok(TabledGame { game, table, win_rates, win_rate })
    }

    /// Returns the table of the best response to a strategy, solved now, exactly where that is
    /// practical.
    ///
    /// # Errors
    /// Returns an error if the query names a table instead of rules, the strategy cannot be used,
    /// or the game cannot be solved.
    pub fn response_table(
        &self,
        query: impl Into<GameQuery>,
        against: &Strategy,
    ) -> Result<TabledGame, EngineError> {
        let (query, call) = (query.into(), self.call());
        if has_extension(&query.name, "hog") {
            return Err(EngineError::NotRules { name: query.name, against: against.to_string() });
        }
        let game = call.game_named(&query)?;
        let solved = self.solved_in(&call, &game, &SolveQuery::best_response(against.clone()))?;
        let table = solved.table(&game).expect("a response that sees the state has a table");
        let win_rates = table.stored_win_rates().to_vec();
        Ok(TabledGame { game, table, win_rates, win_rate: solved.view.win_rate })
    }

    /// Returns the win rates of a table's solved side at the start of the game. Errors call the
    /// table `name`.
    ///
    /// # Errors
    /// Returns an error if the game may never end and the table is a best response without the
    /// opponent's rolls, or if the work is stopped.
    pub fn table_rate(
        &self,
        name: &str,
        game: &Game,
        table: &Table,
    ) -> Result<WinRates, EngineError> {
        table_rate(&self.call(), name, (game, table))
    }

    /// Returns the mover's win rate in each state of a table's game; those of a packed table are
    /// computed.
    ///
    /// # Errors
    /// Returns an error if the work is stopped.
    pub fn table_win_rates(&self, game: &Game, table: &Table) -> Result<Vec<f64>, EngineError> {
        table_win_rates(&self.call(), game, table)
    }

    /// Reads a table file and tabulates its game, as [`Self::table_from`] does.
    ///
    /// # Errors
    /// Returns an error if the file may not or cannot be read, or is not a valid table.
    pub fn read_table(&self, path: &Path) -> Result<(Arc<Game>, Table), EngineError> {
        self.call().read_table(path)
    }

    /// Reads a table from the bytes of a file and tabulates its game. Files that the table names
    /// are not opened. The limits are checked against the rules in the table before the rest of
    /// it is decoded. Errors call the table `name`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid table, or its game exceeds the limits.
    pub fn table_from(&self, bytes: &[u8], name: &Path) -> Result<(Arc<Game>, Table), EngineError> {
        self.call().table_from(bytes, name)
    }
}

impl Call<'_> {
    /// Reads a table file and tabulates its game.
    pub(crate) fn read_table(&self, path: &Path) -> Result<(Arc<Game>, Table), EngineError> {
        if !self.engine.sources().opens_strategy_files() {
            return Err(EngineError::Closed { name: path.display().to_string() });
        }
        self.table_from(&table::read_bytes(path, self.engine.limits().table_file)?, path)
    }

    /// Reads a table from the bytes of a file, called `name` in errors, and tabulates its game.
    pub(crate) fn table_from(
        &self,
        bytes: &[u8],
        name: &Path,
    ) -> Result<(Arc<Game>, Table), EngineError> {
        let faulty = |fault| TableError::Faulty { path: name.to_owned(), fault };
        let rules = Table::rules_inside(bytes).map_err(faulty)?;
        self.engine.limits().admit_rules(&rules)?;
        let table = Table::from_bytes(bytes).map_err(faulty)?;
        let game = self.tabulate(rules)?;
        table.fits(&game).map_err(faulty)?;
        Ok((game, table))
    }
}

fn table_rate(
    call: &Call,
    name: &str,
    (game, table): (&Game, &Table),
) -> Result<WinRates, EngineError> {
    let own = table.plan();
    let opponent = match (table.against(), table.answered()) {
        (Some(_), None) if game.order() != Order::Acyclic => {
            return Err(EngineError::RollsMissing { name: name.to_owned() });
        }
        (_, answered) => answered.unwrap_or_else(|| own.clone()),
    };
    let never =
        call.run("counting endless games", |watch| endless(game, [&own, &opponent], watch))?;
    Ok(WinRates::new(table.rates(), never, table.error_bound()))
}

fn table_win_rates(call: &Call, game: &Game, table: &Table) -> Result<Vec<f64>, EngineError> {
    call.run("solving", |watch| table.win_rates(game, watch))
}

fn searched_view(
    game: &Game,
    query: &SolveQuery,
    against: &Strategy,
    (found, never): (&HiddenSolution, [f64; 2]),
    seconds: f64,
) -> SolveView {
    let (rules, space) = (game.rules(), game.space());
    SolveView {
        rules: rules.id.clone(),
        goal: rules.goal,
        max_dice: rules.max_dice,
        objective: ObjectiveKind::BestResponse,
        against: Some(against.to_string()),
        sees: Sight::Scores,
        arithmetic: ArithmeticKind::Float,
        method: "a local search over tables that see only scores, in doubles".into(),
        states: space.states(),
        win_rate: WinRates::new(
            [found.first, found.second, found.average()],
            never,
            found.error_bound,
        ),
        first_roll: vec![space.dice(found.plan.action(game.start()))],
        ties: 0,
        near_ties: None,
        loops: 0,
        seconds,
        output: None,
        fraction: None,
        search: Some(SearchView {
            decisions: found.decisions,
            at_most: found.at_most,
            tries: query.tries,
            tried: found.tried,
            seed: query.seed,
        }),
    }
}
