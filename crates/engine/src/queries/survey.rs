//! The figures of many games.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::solve::SOON;
use super::{ArithmeticKind, BidShare, GivenGame, GivenGames, Query, WinRates, Writes, rounded_up};
use crate::bid;
use crate::engine::{Call, Error};
use crate::files::escape::{markdown, markdown_code};
use crate::format::Text;
use crate::format::style::{FAINT, TITLE, columns_of, either, padded, paint, thousands};
use crate::game::{Game, Plan};
use crate::rules::builtins;
use crate::solve::{self, Arithmetic, Solution, SolveError, Solver, Watch, endless};
use crate::strategy::{Strategy, StrategyError, that_ends};
use crate::survey;

/// Many games side by side, or all that come with hog
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
#[command(after_help = "Examples:
  hog survey                                  all built-in games
  hog survey fa21 fa24 my_game.toml           the games named
  hog survey -o survey.md                     a page
  hog survey -o survey.svg                    a picture")]
#[non_exhaustive]
pub struct Survey {
    /// The games.
    #[serde(flatten)]
    #[command(flatten)]
    pub games: GivenGames,
}

impl Survey {
    /// The question about these games, or about all built-in ones if there are none.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Survey;
    ///
    /// let answer = Engine::builder().build().ask(&Survey::of(["fa21", "fa22"]))?;
    /// let [hog_pile, pig_tail] = &answer.games[..] else { unreachable!() };
    /// assert!(hog_pile.win_rate.first > pig_tail.win_rate.first, "the first player's");
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(games: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let rules = games.into_iter().map(Into::into).collect();
        Self { games: GivenGames { rules, ..GivenGames::default() } }
    }
}

/// The figures of many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyAnswer {
    /// The command that makes this survey.
    pub command: String,
    /// One row for each game.
    pub games: Vec<SurveyRow>,
    /// The total time taken, in seconds.
    pub seconds: f64,
}

/// The figures of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SurveyRow {
    /// The game's id.
    pub rules: String,
    /// The game's title.
    pub title: String,
    /// The heading under which it is listed.
    pub group: String,
    /// Other names by which it can be given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The publication that the rules come from.
    #[serde(default)]
    pub source: Option<String>,
    /// The game's goal.
    pub goal: u32,
    /// The win rates under optimal play by both players.
    pub win_rate: WinRates,
    /// The best numbers of dice at the start; several if they tie.
    pub first_roll: Vec<i32>,
    /// The strategy against which its course rates others.
    pub baseline: Option<String>,
    /// The win rates of the best response to the baseline.
    pub best_response: Option<WinRates>,
    /// The win rates of equilibrium play against the baseline.
    pub equilibrium: Option<WinRates>,
    /// The arithmetic in which the equilibrium was solved.
    pub arithmetic: ArithmeticKind,
    /// The number of states with more than one best number of dice.
    pub ties: usize,
    /// For each number of dice, the share of states in which it is the smallest best number.
    #[serde(default)]
    pub best_dice: Vec<DiceShare>,
    /// The number of states of the game.
    pub states: usize,
    /// The probability of each bid in the equilibrium; omitted if the game does not begin with a
    /// bidding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<BidShare>,
    /// The time to read, tabulate and solve the game, in seconds.
    pub seconds: f64,
}

/// The share of states in which a number of dice is the smallest best number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DiceShare {
    /// The number of dice; negative for moves that roll nothing.
    pub dice: i32,
    /// The share of all states, from 0 to 1.
    pub share: f64,
}

impl SurveyRow {
    /// Solves a game in this arithmetic, all else in floats. The work on it began at `began`.
    fn solved(
        game: &Game,
        began: Instant,
        arithmetic: Arithmetic,
        watch: &Watch,
    ) -> Result<Self, Error> {
        let solution = solve::equilibrium(game, arithmetic, watch)?;
        let seconds = began.elapsed().as_secs_f64();
        let plan = that_ends(game, solution.plan(), None, watch)?;
        let rules = game.rules();
        let (best_response, equilibrium) = against_baseline(game, &plan, watch)?.unzip();
        let mut best_dice = Vec::new();
        for (dice, share) in survey::best_dice(game, &solution) {
            best_dice.push(DiceShare { dice, share });
        }
        let bids = match rules.bid {
            Some(_) => bid::equilibrium(game, watch)?.shares_as_doubles(),
            None => Vec::new(),
        };
        Ok(Self {
            rules: rules.id.clone(),
            title: rules.title.clone(),
            group: rules.group().to_owned(),
            aliases: rules.aliases.clone(),
            source: rules.source.clone(),
            goal: rules.goal,
            win_rate: rates(game, &solution, [&plan, &plan], watch)?,
            first_roll: survey::first_rolls(game, &solution),
            baseline: rules.baseline.clone(),
            best_response,
            equilibrium,
            arithmetic: arithmetic.into(),
            ties: game.ties(&solution.own.best),
            best_dice,
            states: game.space().states(),
            bids: BidShare::of(bids),
            seconds,
        })
    }

    /// Returns the largest error bound of the win rates in this row.
    pub fn error_bound(&self) -> f64 {
        let against = self.best_response.iter().chain(&self.equilibrium);
        against.map(|rate| rate.error_bound).fold(self.win_rate.error_bound, f64::max)
    }
}

/// Returns the win rates of the best response to the game's baseline and of a plan against it;
/// `None` without a baseline that can be played.
fn against_baseline(
    game: &Game,
    plan: &Plan,
    watch: &Watch,
) -> Result<Option<(WinRates, WinRates)>, Error> {
    let Some(name) = &game.rules().baseline else { return Ok(None) };
    let baseline = match name.parse::<Strategy>()?.plan(game, watch) {
        // The game does not allow the number of dice that the baseline rolls.
        Err(StrategyError::Impossible { .. }) => return Ok(None),
        plan => plan?,
    };
    match rated_against(game, plan, &baseline, watch) {
        Ok(rated) => Ok(Some(rated)),
        // The equilibrium is still worth its row.
        Err(SolveError::Unproven(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn rated_against(
    game: &Game,
    plan: &Plan,
    baseline: &Plan,
    watch: &Watch,
) -> Result<(WinRates, WinRates), SolveError> {
    let solver = Solver::new(game, Arithmetic::Float);
    let answer = solver.best_response(baseline, watch)?;
    let rated = solver.evaluate([plan, baseline], watch)?;
    Ok((
        rates(game, &answer, [&answer.plan(), baseline], watch)?,
        rates(game, &rated, [plan, baseline], watch)?,
    ))
}

/// Returns the win rates of a solution that two plans play.
fn rates(
    game: &Game,
    solution: &Solution,
    plans: [&Plan; 2],
    watch: &Watch,
) -> Result<WinRates, SolveError> {
    let rates = [solution.first(), solution.second(), solution.average()];
    Ok(WinRates::new(rates, endless(game, plans, watch)?, solution.error_bound))
}

impl SurveyRow {
    /// Returns the cells of the row: game, first player, first roll, baseline, best response,
    /// equilibrium, ties, endless, states, seconds.
    pub fn columns(&self) -> [String; 10] {
        let [best_response, equilibrium] = [self.best_response, self.equilibrium].map(|rate| {
            rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.10}", rate.average))
        });
        let endless = if self.win_rate.endless == 0.0 {
            "0".to_owned()
        } else {
            format!("{:.10}", self.win_rate.endless)
        };
        [
            self.rules.clone(),
            format!("{:.10}", self.win_rate.first),
            either(&self.first_roll),
            self.baseline.clone().unwrap_or_else(|| "-".into()),
            best_response,
            equilibrium,
            thousands(self.ties as u64),
            endless,
            thousands(self.states as u64),
            format!("{:.2}", self.seconds),
        ]
    }
}

const HEADS: [&str; 10] = [
    "game",
    "first player",
    "first roll",
    "baseline",
    "best response",
    "equilibrium",
    "ties",
    "endless",
    "states",
    "seconds",
];

/// The columns of the text, short enough for a terminal of 80 columns: the first of [`HEADS`].
const SHOWN: [&str; 7] =
    ["game", "first player", "roll", "baseline", "best response", "equilibrium", "ties"];

impl SurveyAnswer {
    /// Returns the headings of groups of games, the largest group first.
    pub fn groups(&self) -> Vec<&str> {
        super::rules::groups(self.games.iter().map(|row| &*row.group))
    }

    /// Returns the rows of a group.
    pub fn of<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a SurveyRow> {
        self.games.iter().filter(move |row| row.group == group)
    }

    /// Describes the arithmetic and the error bound of the figures.
    fn legend(&self) -> String {
        let exact = self.games.iter().filter(|row| row.arithmetic == ArithmeticKind::Exact).count();
        let bound = self.games.iter().map(SurveyRow::error_bound).fold(0.0, f64::max);
        let solved = match (exact, self.games.len()) {
            (0, _) => {
                "Equilibria are solved in floats; ties are rolls closer than the bound".to_owned()
            }
            (1, 1) => "The equilibrium and its ties are exact".to_owned(),
            (exact, all) if exact == all => "Equilibria and their ties are exact".to_owned(),
            (exact, all) => format!(
                "Equilibria and their ties are exact in {exact} of {all} games, else in floats"
            ),
        };
        format!(
            "{solved}. No win rate here is further than {} from the exact one, before rounding to \
             ten digits.",
            rounded_up(bound)
        )
    }

    /// Writes the page: the command that makes it, and the table.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn page(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "[//]: # (Made by {}; do not edit.)\n",
            markdown(&self.command).replace(')', "\\)")
        )?;
        writeln!(out, "# {}\n", markdown(&self.title()))?;
        writeln!(
            out,
            "{} made this page, in {:.0} seconds.\n",
            markdown_code(&self.command),
            self.seconds
        )?;
        writeln!(out, "{MEANING}\n\n{}", self.legend())?;
        for group in self.groups() {
            writeln!(out, "\n## {}\n", markdown(group))?;
            writeln!(out, "| {} |\n|{}", HEADS.join(" | "), "---|".repeat(HEADS.len()))?;
            for row in self.of(group) {
                let [id, first, roll, baseline, rest @ ..] = row.columns();
                let baseline = if baseline == "-" { baseline } else { markdown_code(&baseline) };
                let columns =
                    [vec![markdown_code(&id), first, roll, baseline], rest.to_vec()].concat();
                writeln!(out, "| {} |", columns.join(" | "))?;
            }
        }
        self.bids(out)?;
        writeln!(out, "\n## Where the rules come from\n\n| game | also | source |\n|---|---|---|")?;
        for row in &self.games {
            let also =
                row.aliases.iter().map(|alias| markdown_code(alias)).collect::<Vec<_>>().join(" ");
            let source = markdown(row.source.as_deref().unwrap_or(&row.title));
            writeln!(out, "| {} | {also} | {source} |", markdown_code(&row.rules))?;
        }
        if self.has_every_game() {
            write!(out, "\n{SEMESTERS}")?;
        }
        Ok(())
    }

    fn has_every_game(&self) -> bool {
        builtins().iter().all(|game| self.games.iter().any(|row| row.rules == game.id))
    }

    /// Returns the title of the page.
    fn title(&self) -> String {
        match &self.games[..] {
            [one] => format!("{}, solved", one.title),
            _ if self.has_every_game() => "Every published Hog, solved".into(),
            some => format!("{} games of Hog, solved", some.len()),
        }
    }

    /// Writes how to bid in games that begin with bids.
    fn bids(&self, out: &mut dyn Write) -> io::Result<()> {
        let bidding: Vec<&SurveyRow> =
            self.games.iter().filter(|row| !row.bids.is_empty()).collect();
        if !bidding.is_empty() {
            writeln!(out, "\n## Bids for the start\n\n{BIDDING}")?;
        }
        for row in bidding {
            writeln!(out, "\n| bid in {} | share |\n|---|---|", markdown_code(&row.rules))?;
            row.bids
                .iter()
                .try_for_each(|BidShare { bid, share }| writeln!(out, "| {bid} | {share:.10} |"))?;
        }
        Ok(())
    }
}

/// What is known of every semester; `tests/survey.rs` compares it with the rule files.
const SEMESTERS: &str = include_str!("semesters.md");

/// What the table of bids says.
const BIDDING: &str = include_str!("bidding.md").trim_ascii_end();

/// What the columns of the survey say.
const MEANING: &str = include_str!("columns.md").trim_ascii_end();

fn line(columns: &[impl AsRef<str>], widths: &[usize]) -> String {
    let padded = columns.iter().zip(widths).map(|(text, width)| padded(text.as_ref(), *width));
    padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

impl Text for SurveyAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows: Vec<[String; 10]> = self.games.iter().map(SurveyRow::columns).collect();
        let mut widths = SHOWN.map(str::len);
        for row in &rows {
            for (width, text) in widths.iter_mut().zip(row) {
                *width = (*width).max(columns_of(text));
            }
        }
        writeln!(out, "{}", paint(TITLE, line(&SHOWN, &widths)))?;
        for row in &rows {
            writeln!(out, "{}", line(row, &widths))?;
        }
        writeln!(out, "{}", paint(FAINT, format!("{} In {:.1} s.", self.legend(), self.seconds)))
    }
}

impl Query for Survey {
    const NAME: &str = "survey";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> = Some(Writes { contents: "a page", endings: &["md"] });
    type Answer = SurveyAnswer;

    fn answer(&self, call: &Call) -> Result<SurveyAnswer, Error> {
        let began = Instant::now();
        let games = self.games.each_or_all();
        // All rules are read before the first game is solved.
        games.iter().try_for_each(|game| call.rules(game).map(drop))?;
        let mut rows = Vec::new();
        for game in &games {
            let name = game.rules.as_deref().unwrap_or_default();
            let about = format!("{} of {}, {name}", rows.len() + 1, games.len());
            rows.push(call.about(about).surveyed(game)?);
        }
        let mut command = ["hog survey"].map(str::to_owned).to_vec();
        command.extend(self.games.rules.iter().cloned());
        command.extend(self.games.goal.map(|goal| format!("--goal {goal}")));
        command.extend(self.games.max_dice.map(|dice| format!("--max-dice {dice}")));
        let command = command.join(" ");
        Ok(SurveyAnswer { command, games: rows, seconds: began.elapsed().as_secs_f64() })
    }

    fn answer_in(
        &self,
        call: &Call,
        _ending: &str,
        file: &mut dyn Write,
    ) -> Result<SurveyAnswer, Error> {
        let answer = self.answer(call)?;
        answer.page(file).map_err(Error::Storage)?;
        Ok(answer)
    }
}

impl Call<'_> {
    /// Computes the figures of a game: those of its equilibrium, exact if that takes about a
    /// second, and of its baseline.
    fn surveyed(&self, game: &GivenGame) -> Result<SurveyRow, Error> {
        let began = Instant::now();
        // Not cached: the time to tabulate is one of the figures.
        let rules = self.rules(game)?;
        let game = self.tabulate(rules)?;
        let arithmetic = self.practical_arithmetic(&game, SOON);
        self.figures_of(&game, began, arithmetic)
    }

    /// Computes the figures of a loaded game, in floats.
    ///
    /// # Errors
    /// Returns an error if the game cannot be solved, its baseline cannot be played, or the work is
    /// stopped.
    pub fn figures(&self, game: &Arc<Game>) -> Result<SurveyRow, Error> {
        self.figures_of(game, Instant::now(), Arithmetic::Float)
    }

    /// Computes the figures of a game, on which the work began at `began`.
    fn figures_of(
        &self,
        game: &Arc<Game>,
        began: Instant,
        arithmetic: Arithmetic,
    ) -> Result<SurveyRow, Error> {
        self.run("solving", |watch| {
            SurveyRow::solved(game, began, arithmetic, watch).map_err(|error| Error::Survey {
                game: game.rules().id.clone(),
                error: Box::new(error),
            })
        })
    }
}
