//! The solution of a game: win rates, the best first roll, and how they were computed.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use hog_study::export::Mover;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::export::ENDINGS;
use super::{Bid, BidAnswer, GivenGame, GivenStrategy, Query, WinRates, Writes, rounded_up};
use crate::engine::numbers::whole;
use crate::engine::{ArithmeticKind, Call, Error, of_usual_kind};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, counted, either, paint, thousands};
use crate::game::{Game, Plan};
use crate::partial::{HiddenSearch, OpponentMix, Sees};
use crate::solve::{self, Arithmetic, Method, Objective, Solution, Watch, admit_exact, endless};
use crate::strategy::{Strategy, all_end};
use crate::survey::first_rolls;
use crate::table::Table;

/// Exact numbers are the default if they take at most so many seconds.
pub(crate) const SOON: f64 = 1.0;

/// The win rate and all best rolls of every position
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Examples:
  hog solve fa21                              the exact equilibrium
  hog solve fa21 -o fa21.hog                  save its table as well
  hog solve fa21 -o final.py                  a function final_strategy(score, opponent_score)
  hog solve fa21 --to csv                     for each position: score,opponent,win_rate,dice,best
  hog solve my.hog -o rolls.npy               a table of your own as a NumPy array
  hog solve fa21 -o fa21.drn                  a model for the model checker Storm
  hog solve su15 --against always_roll:5      the best response to the baseline
  hog solve fa21 --fraction                   the first player's win rate as a fraction
  hog solve fa19 --arithmetic float           in floats, with a proven error bound
  hog solve fa19 --sees scores --against always_roll:4 -o best.py
                                              the best table found that sees only scores")]
#[non_exhaustive]
pub struct Solve {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// Solve the best response to this strategy instead of the equilibrium
    #[schemars(example = &"baseline")]
    #[arg(long, value_name = "STRATEGY")]
    pub against: Option<GivenStrategy>,
    /// What the solved player can see
    #[serde(default)]
    #[arg(long, value_enum, default_value_t = Sight::State)]
    pub sees: Sight,
    /// The numbers to solve with (default: exact, where that takes at most about a second)
    #[arg(long, value_enum)]
    pub arithmetic: Option<ArithmeticKind>,
    /// Return the exact win rate of the solved player, moving first, as a reduced fraction too
    #[serde(default)]
    #[arg(long)]
    pub fraction: bool,
    /// With --sees scores in a game with memory: how many changes of the table to try in search of
    /// a better one
    #[serde(default = "default_tries")]
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TRIES, value_parser = whole::<usize>)]
    pub tries: usize,
    /// The seed of that search; the same seed finds the same table
    #[serde(default)]
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>)]
    pub seed: u64,
    /// Which player uses the table in a .drn model, while the other chooses freely (default:
    /// second)
    #[arg(long, value_enum, value_name = "PLAYER")]
    pub fix: Option<FixedPlayer>,
    /// Leave win rates out of a .hog table; hog computes them from its best rolls when needed
    #[serde(skip)]
    #[arg(long)]
    pub packed: bool,
}

/// The player who uses the table in a .drn model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum FixedPlayer {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
}

impl From<FixedPlayer> for Mover {
    fn from(player: FixedPlayer) -> Self {
        match player {
            FixedPlayer::First => Self::First,
            FixedPlayer::Second => Self::Second,
        }
    }
}

/// The default of [`Solve::tries`]: about a minute on two cores for a course's game with a memory.
const DEFAULT_TRIES: usize = 300;

fn default_tries() -> usize {
    DEFAULT_TRIES
}

/// A summary of a solved game: its win rates, the method and the error bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SolveAnswer {
    /// The game's id.
    pub rules: String,
    /// The goal it was solved for.
    pub goal: u32,
    /// The most dice of a turn.
    pub max_dice: i32,
    /// The kind of solution: an equilibrium or a best response.
    pub objective: ObjectiveKind,
    /// The opponent's strategy, if the solution is a best response.
    pub against: Option<String>,
    /// The part of the state that the solved side sees.
    pub sees: Sight,
    /// The arithmetic in which it was solved.
    pub arithmetic: ArithmeticKind,
    /// A description of the method.
    pub method: String,
    /// The number of states of the game.
    pub states: usize,
    /// The win rates of the solved side; in an equilibrium, of either player.
    pub win_rate: WinRates,
    /// The best numbers of dice at 0 to 0, ascending.
    pub first_roll: Vec<i32>,
    /// The number of states with more than one best number of dice (in floats: several within the
    /// error bound).
    pub ties: u64,
    /// The result of comparing near ties with more digits, in floats where chance closes loops;
    /// omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_ties: Option<NearTies>,
    /// The number of groups of states that can lead back to themselves and were solved together.
    pub loops: u64,
    /// The time taken, in seconds.
    pub seconds: f64,
    /// The file that was written.
    pub output: Option<String>,
    /// The exact win rate of the solved side when it moves first, as a reduced fraction N/D;
    /// omitted unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// The search for the table, if the solved side does not see the memories; omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<TableSearch>,
    /// How to bid for the start, in a game that begins with bids and was solved exactly; omitted
    /// otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bid: Option<BidAnswer>,
    /// Whether floats were chosen because exact numbers take longer; told to people alone.
    #[serde(skip)]
    pub exact_takes_longer: bool,
}

/// The result of comparing near ties of floats with more digits than doubles have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NearTies {
    /// The largest number of decimal digits used.
    pub digits: u64,
    /// The number of states whose best numbers of dice are still not known to have equal win
    /// rates.
    pub open: u64,
}

impl From<solve::Separation> for NearTies {
    fn from(known: solve::Separation) -> Self {
        Self { digits: known.digits as u64, open: known.open as u64 }
    }
}

/// The search for the best table that sees only part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct TableSearch {
    /// The number of entries of the table.
    pub decisions: usize,
    /// An upper bound on the average win rate of any play, even one that sees the complete state.
    pub at_most: f64,
    /// The number of perturbed tables to try.
    pub tries: usize,
    /// The number of perturbed tables that were tried: all of them, unless the search was
    /// interrupted.
    pub tried: usize,
    /// The seed of the search's random numbers.
    pub seed: u64,
}

/// The kind of solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ObjectiveKind {
    /// Optimal play by both sides.
    Equilibrium,
    /// Optimal play against one fixed strategy.
    BestResponse,
}

impl From<Objective> for ObjectiveKind {
    fn from(objective: Objective) -> Self {
        match objective {
            Objective::BestResponse => Self::BestResponse,
            Objective::Equilibrium | Objective::Evaluation => Self::Equilibrium,
        }
    }
}

/// The part of the state that the solved side sees.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Sight {
    /// The complete state: both scores and all memories.
    #[default]
    State,
    /// Only the two scores.
    Scores,
}

/// A solved game.
#[derive(Clone, Debug)]
pub struct SolvedGame {
    /// A summary of the result.
    pub answer: SolveAnswer,
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
                let against = self.answer.against.clone().zip(answered.as_deref());
                Some(Table::new(game, solution, against))
            }
            SolveResult::Plan(_) => None,
        }
    }
}

impl Solve {
    /// The equilibrium of a game, exact where that is practical.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::{GivenGame, Solve};
    ///
    /// let engine = Engine::builder().build();
    /// // A race to 3 points with one die, in which a 1 counts as a 1.
    /// let rules = GivenGame::of_text("id = 'race'\ngoal = 3\nmax_dice = 1\n");
    /// let answer = engine.ask(&Solve::equilibrium(rules).fraction(true))?;
    /// assert_eq!(answer.fraction.as_deref(), Some("997/1296"));
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn equilibrium(game: impl Into<GivenGame>) -> Self {
        Self {
            game: game.into(),
            against: None,
            sees: Sight::State,
            arithmetic: None,
            fraction: false,
            tries: DEFAULT_TRIES,
            seed: 0,
            fix: None,
            packed: false,
        }
    }

    /// The best response to a strategy, exact where that is practical.
    pub fn best_response(game: impl Into<GivenGame>, against: impl Into<GivenStrategy>) -> Self {
        Self { against: Some(against.into()), ..Self::equilibrium(game) }
    }

    /// Sets the arithmetic.
    #[must_use]
    pub fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = Some(arithmetic.into());
        self
    }

    /// Sets the part of the state that the solved side sees.
    #[must_use]
    pub fn sees(mut self, sees: Sight) -> Self {
        self.sees = sees;
        self
    }

    /// Sets whether to return the first player's win rate as a fraction too, which needs exact
    /// arithmetic.
    #[must_use]
    pub fn fraction(mut self, wanted: bool) -> Self {
        self.fraction = wanted;
        self
    }

    /// Returns the game. One that is too large for exact numbers is refused before it is tabulated
    /// if those are wanted.
    ///
    /// # Errors
    /// Returns an error if the game cannot be loaded, or is too large.
    pub fn game(&self, call: &Call) -> Result<Arc<Game>, Error> {
        let exact = self.fraction || self.arithmetic == Some(ArithmeticKind::Exact);
        call.game_if(&self.game, |rules| if exact { Ok(admit_exact(rules)?) } else { Ok(()) })
    }

    /// Whether the answer in this game is a table found by a search: the solved side does not see
    /// the memories.
    pub fn searches(&self, game: &Game) -> bool {
        self.sees == Sight::Scores && game.space().per_cell() > 1
    }

    /// Solves the game. The result has the solution itself, from which a table can be made.
    ///
    /// # Errors
    /// Returns an error if the game is too large, the question contradicts itself, a strategy
    /// cannot be used, or the work is stopped.
    pub fn solved(&self, call: &Call) -> Result<SolvedGame, Error> {
        let against = call.optional_strategy(self.against.as_ref())?;
        let game = self.game(call)?;
        if self.searches(&game) {
            of_usual_kind(game.rules())?;
            return self.search(call, &game, against.as_ref());
        }
        if self.fraction && self.arithmetic == Some(ArithmeticKind::Float) {
            return Err(Error::FractionInFloats);
        }
        let arithmetic = match self.arithmetic {
            _ if self.fraction => Arithmetic::Exact,
            Some(kind) => kind.into(),
            None => call.practical_arithmetic(&game, SOON),
        };
        let mut solution = call.solution(&game, against.as_ref(), arithmetic)?;
        let opponent = against.as_ref().map(|strategy| call.plan(&game, strategy)).transpose()?;
        let separates = call.engine.limits().near_ties;
        if separates && solution.ties > 0 && solve::may_separate(&game, &solution) {
            let open = Arc::make_mut(&mut solution);
            call.run("telling near ties apart", |watch| {
                solve::separate(&game, opponent.as_deref(), open, watch)
            })?;
        }
        let never = call.run("counting endless games", |watch| {
            if game.rules().keeps_dice() && opponent.is_none() {
                // Most games end whichever dice are kept; the values of all states are long.
                let rolls = Plan::from_actions(solution.own.choices.clone());
                if let Ok(never) = endless(&game, [&rolls, &rolls], watch) {
                    return Ok(never);
                }
            }
            let plan = solution.plan();
            endless(&game, [&plan, opponent.as_deref().unwrap_or(&plan)], watch)
        })?;
        all_end(game.rules(), never)?;
        let rules = game.rules();
        let is_exact = solution.arithmetic == Arithmetic::Exact;
        let bid = match rules.bid {
            Some(_) if is_exact && opponent.is_none() => {
                Some(Query::answer(&Bid::in_game(&game), call)?)
            }
            _ => None,
        };
        let rates = [solution.first(), solution.second(), solution.average()];
        let fraction = solution.first_fraction().filter(|_| self.fraction);
        let win_rate = WinRates::new(rates, never, solution.error_bound);
        let answer = SolveAnswer {
            objective: solution.objective.into(),
            against: against.as_ref().map(ToString::to_string),
            sees: self.sees,
            method: solution.method.name().to_owned(),
            first_roll: first_rolls(&game, &solution),
            ties: game.ties(&solution.own.best) as u64,
            near_ties: solution.near_ties.map(NearTies::from),
            loops: solution.loops as u64,
            fraction: fraction.map(ToString::to_string),
            bid,
            exact_takes_longer: self.arithmetic.is_none()
                && solution.arithmetic == Arithmetic::Float
                && !solve::may_separate(&game, &solution),
            ..SolveAnswer::of(call, &game, solution.arithmetic.into(), win_rate)
        };
        Ok(SolvedGame { answer, result: SolveResult::Solution(solution, opponent) })
    }

    /// Searches for the best plan that sees only scores, in a game that also has memories.
    fn search(
        &self,
        call: &Call,
        game: &Arc<Game>,
        against: Option<&Strategy>,
    ) -> Result<SolvedGame, Error> {
        let rules = game.rules();
        let Some(against) = against else {
            return Err(Error::NobodyToAnswer { game: rules.id.clone() });
        };
        if self.fraction || self.arithmetic == Some(ArithmeticKind::Exact) {
            return Err(Error::SearchIsInFloats { game: rules.id.clone() });
        }
        let opponent = call.plan(game, against)?;
        let search = HiddenSearch { sees: Sees::Scores, tries: self.tries, seed: self.seed };
        let field = OpponentMix::of_one(Plan::clone(&opponent));
        // A search that is stopped early returns its best plan.
        call.cancel.set_result(true);
        let found = call.run("searching", |watch| search.run(game, &field, watch));
        call.cancel.set_result(false);
        let found = found?;
        // Not watched: the search may have been stopped.
        let never = endless(game, [&found.plan, &opponent], &Watch::silent())?;
        let rates = [found.first, found.second, found.average()];
        let win_rate = WinRates::new(rates, never, found.error_bound);
        let answer = SolveAnswer {
            objective: ObjectiveKind::BestResponse,
            against: Some(against.to_string()),
            sees: Sight::Scores,
            method: "a local search over tables that see only scores, in doubles".into(),
            first_roll: vec![game.space().dice(found.plan.action(game.start()))],
            search: Some(TableSearch {
                decisions: found.decisions,
                at_most: found.at_most,
                tries: self.tries,
                tried: found.tried,
                seed: self.seed,
            }),
            ..SolveAnswer::of(call, game, ArithmeticKind::Float, win_rate)
        };
        Ok(SolvedGame { answer, result: SolveResult::Plan(Arc::new(found.plan)) })
    }
}

impl Query for Solve {
    const NAME: &str = "solve";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> = Some(Writes { contents: "the table", endings: ENDINGS });
    type Answer = SolveAnswer;

    fn answer(&self, call: &Call) -> Result<SolveAnswer, Error> {
        self.admit_form(None)?;
        match self.given_table(call)? {
            Some((answer, _)) => Ok(answer),
            None => Ok(self.solved(call)?.answer),
        }
    }

    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<SolveAnswer, Error> {
        self.written(call, ending, file)
    }
}

impl Text for SolveAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let what = match (&self.against, &self.search) {
            (None, _) => "equilibrium: both sides play to win".to_owned(),
            (Some(opponent), None) => format!("best response to {opponent}"),
            (Some(opponent), Some(_)) => {
                format!("the best table found against {opponent} that sees only scores")
            }
        };
        writeln!(out, "{}  {what}", paint(TITLE, format!("{}, goal {}", self.rules, self.goal)))?;
        match &self.search {
            None => self.solved_text(out)?,
            Some(search) => self.search_text(search, out)?,
        }
        writeln!(out, "{}", paint(FAINT, format!("  found in    {:.3} s", self.seconds)))?;
        if let Some(path) = &self.output {
            writeln!(out, "  table       {path}")?;
        }
        if let Some(bid) = &self.bid {
            writeln!(out)?;
            bid.text(out)?;
        }
        Ok(())
    }

    fn wrote(&mut self, file: &Path, _size: usize) {
        self.output = Some(file.display().to_string());
    }
}

impl SolveAnswer {
    /// What can be said of any solution of a game; the rest says nothing.
    pub(super) fn of(
        call: &Call,
        game: &Game,
        arithmetic: ArithmeticKind,
        win_rate: WinRates,
    ) -> Self {
        let rules = game.rules();
        Self {
            rules: rules.id.clone(),
            goal: rules.goal,
            max_dice: rules.max_dice,
            objective: ObjectiveKind::Equilibrium,
            against: None,
            sees: Sight::State,
            arithmetic,
            method: String::new(),
            states: game.space().states(),
            win_rate,
            first_roll: Vec::new(),
            ties: 0,
            near_ties: None,
            loops: 0,
            seconds: call.began.elapsed().as_secs_f64(),
            output: None,
            fraction: None,
            search: None,
            bid: None,
            exact_takes_longer: false,
        }
    }

    /// Says which numbers it was solved with.
    fn numbers(&self) -> String {
        if self.arithmetic == ArithmeticKind::Float {
            return format!(
                "floating point, every win rate within {} of the exact one{}",
                rounded_up(self.win_rate.error_bound),
                if self.exact_takes_longer {
                    "\n              (--arithmetic exact takes longer)"
                } else {
                    ""
                }
            );
        }
        let method = match self.method.as_str() {
            method if method == Method::Integers.name() => "integers to the last division",
            method if method == Method::Rationals.name() => "reduced fractions",
            method => method,
        };
        format!("exact: {method}, each win rate the nearest double")
    }

    fn solved_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let WinRates { first, second, average, .. } = self.win_rate;
        writeln!(
            out,
            "  win rate    {} moving first, {second} second, {average} on average",
            paint(BEST, first)
        )?;
        if let Some(fraction) = &self.fraction {
            writeln!(out, "  exactly     {fraction}")?;
        }
        writeln!(out, "  first roll  {}", dice(&self.first_roll))?;
        writeln!(out, "  numbers     {}", self.numbers())?;
        let states = thousands(self.states as u64);
        let exact = self.arithmetic == ArithmeticKind::Exact;
        let proven = exact || self.near_ties.is_some_and(|known| known.open == 0);
        let ties = if proven { "with a tie" } else { "with rolls closer than the bound" };
        writeln!(
            out,
            "  states      {states}, {} {ties}, {}",
            thousands(self.ties),
            counted(self.loops, "loop")
        )?;
        match self.near_ties {
            Some(NearTies { digits, open }) if digits > u64::from(f64::DIGITS) => {
                let left = if open == 0 {
                    "none is".to_owned()
                } else {
                    format!("{} are", thousands(open))
                };
                writeln!(out, "  near ties   told apart with {digits} digits; {left} left open")
            }
            _ => Ok(()),
        }
    }

    fn search_text(&self, search: &TableSearch, out: &mut dyn Write) -> io::Result<()> {
        let WinRates { first, second, average, .. } = self.win_rate;
        writeln!(
            out,
            "  win rate    {} on average, {first} moving first, {second} second",
            paint(BEST, average)
        )?;
        writeln!(out, "  at most     {} for anyone who sees everything", search.at_most)?;
        writeln!(out, "  first roll  {}", dice(&self.first_roll))?;
        writeln!(out, "  numbers     {}", self.numbers())?;
        let decisions = thousands(search.decisions as u64);
        let states = thousands(self.states as u64);
        let tries = counted(search.tries as u64, "try");
        let stopped = if search.tried < search.tries {
            format!("stopped after {} of ", search.tried)
        } else {
            String::new()
        };
        writeln!(
            out,
            "  entries     {decisions} for {states} states, {stopped}{tries} from seed {}",
            search.seed
        )
    }
}

/// Formats numbers of dice as `1 die` or `3 or 4 dice`.
fn dice(numbers: &[i32]) -> String {
    format!("{} {}", either(numbers), if numbers == [1] { "die" } else { "dice" })
}
