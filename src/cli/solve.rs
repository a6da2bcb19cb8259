//! `hog solve`: makes a table.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::{Args, ValueEnum};
use hog::game::Game;
use hog::report::export::ScoreTable;
use hog::report::{HiddenView, SolveView, WinRates};
use hog::solve::{self, Arithmetic, Field, HiddenSearch, Objective, Solution};
use hog::strategy::Strategy;
use hog::table::{self, Table};

use super::context::{Context, Outcome};
use super::interrupt::undisturbed;
use super::progress::with_progress;

/// Solve a game: the win rate and all best rolls of every position
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog solve fa21                              the equilibrium, exactly
  hog solve fa21 -o fa21.hog                  and its table
  hog solve su15 --against always_roll:5      the best response to the baseline
  hog solve fa21 --fraction                   the first player's win rate as a fraction
  hog solve fa19 --arithmetic float           in a tenth of a second, with a proven bound on the error
  hog solve fa19 --sees scores --against always_roll:4 -o best.py
                                              the best table found that sees scores only, to hand in")]
pub(super) struct Solve {
    /// A built-in game or a rule file
    rules: String,
    /// Solve the best response to this strategy instead of the equilibrium
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
    /// What the solved side may see: the whole state, or only the scores
    #[arg(long, value_enum, default_value_t = Sees::State)]
    sees: Sees,
    /// Exact integers, or floats with a certified bound; exact unless the game is too large for it
    #[arg(long, value_enum)]
    arithmetic: Option<Numbers>,
    /// Print the exact win rate of the solved side moving first as a reduced fraction
    #[arg(long)]
    fraction: bool,
    /// Write the table to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// With --sees scores in a game with memory: how many changed tables to try on the way to a better one
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TRIES)]
    tries: usize,
    /// With --tries: the same seed finds the same table
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Leave win rates out of the table: they are computed from its best rolls when needed
    #[arg(long, requires = "output")]
    packed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Sees {
    /// The whole state, memories included
    State,
    /// The two scores
    Scores,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Numbers {
    /// Integers to the last division
    Exact,
    /// Doubles with a bound on their error
    Float,
}

/// About a minute for the course's game with memory on two cores.
const DEFAULT_TRIES: usize = 300;

/// Solves a game as the command line asks.
pub(super) fn solve_game(
    game: &Game,
    against: Option<&Strategy>,
    numbers: Option<Numbers>,
) -> anyhow::Result<Solution> {
    let arithmetic = match numbers {
        Some(Numbers::Exact) => Arithmetic::Exact,
        Some(Numbers::Float) => Arithmetic::Float,
        None => solve::practical_arithmetic(game),
    };
    let solution = with_progress("solving", |watch| match against {
        None => Ok(solve::equilibrium(game, arithmetic, watch)?),
        Some(strategy) => {
            let plan = strategy.plan(game, watch)?;
            Ok::<_, anyhow::Error>(solve::best_response(game, &plan, arithmetic, watch)?)
        }
    })?;
    Ok(solution)
}

impl Solve {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let game = context.game(&self.rules)?;
        if self.sees == Sees::Scores && game.space().per_cell() > 1 {
            return self.search(&game, context);
        }
        if self.fraction && self.arithmetic == Some(Numbers::Float) {
            bail!("--fraction needs exact numbers: leave out --arithmetic float");
        }
        let numbers = if self.fraction { Some(Numbers::Exact) } else { self.arithmetic };
        let solution = solve_game(&game, self.against.as_ref(), numbers)?;
        let against = self.against.as_ref().map(ToString::to_string);
        if let Some(path) = &self.output {
            let table = Table::new(&game, &solution, against.clone());
            let bytes = if self.packed { table.packed() } else { table }.to_bytes();
            undisturbed(|| table::write(path, &bytes))?;
        }
        context.show(&self.view(&game, &solution, against))
    }

    /// The best table that sees only scores, in a game that has more to see.
    fn search(&self, game: &Game, context: &Context) -> anyhow::Result<Outcome> {
        let rules = game.rules();
        let Some(against) = &self.against else {
            bail!("--sees scores needs an opponent in {}, which has a memory: add --against STRATEGY", rules.id);
        };
        if self.fraction || self.packed || self.arithmetic == Some(Numbers::Exact) {
            bail!(
                "--sees scores in a game with memory searches in floats: leave out --fraction, --packed, --arithmetic exact"
            );
        }
        let began = Instant::now();
        let search = HiddenSearch { sees: solve::Sees::Scores, tries: self.tries, seed: self.seed };
        let found = with_progress("searching", |watch| {
            let field = Field::of_one(against.plan(game, watch)?);
            Ok::<_, anyhow::Error>(search.run(game, &field, watch)?)
        })?;
        let against = against.to_string();
        let view = HiddenView {
            rules: rules.id.clone(),
            goal: rules.goal,
            max_dice: rules.max_dice,
            objective: "best_response",
            against: against.clone(),
            sees: "scores",
            arithmetic: "float",
            states: game.space().states(),
            decisions: found.decisions,
            win_rate: WinRates { first: found.first, second: found.second, average: found.average() },
            at_most: found.at_most,
            first_roll: vec![game.space().dice(found.plan.action(game.start()))],
            error_bound: found.error_bound,
            tries: self.tries,
            seed: self.seed,
            seconds: began.elapsed().as_secs_f64(),
            table: self.output.as_ref().map(|path| path.display().to_string()),
        };
        if let Some(path) = &self.output {
            let command = format!(
                "hog solve {} --sees scores --against {against} --tries {} --seed {}",
                self.rules, self.tries, self.seed
            );
            let rates = [found.first, found.second, found.average()];
            let rolls = ScoreTable { game, plan: &found.plan, rates, against: Some(&against), command: &command };
            let mut bytes = Vec::new();
            rolls.write(path, &mut bytes)?;
            undisturbed(|| table::write(path, &bytes))?;
        }
        context.show(&view)
    }

    fn view(&self, game: &Game, solution: &Solution, against: Option<String>) -> SolveView {
        let rules = game.rules();
        SolveView {
            rules: rules.id.clone(),
            goal: rules.goal,
            max_dice: rules.max_dice,
            objective: match solution.objective {
                Objective::BestResponse => "best_response",
                Objective::Equilibrium | Objective::Evaluation => "equilibrium",
            },
            against,
            sees: if self.sees == Sees::Scores { "scores" } else { "state" },
            arithmetic: if solution.arithmetic == Arithmetic::Exact { "exact" } else { "float" },
            states: game.space().states(),
            win_rate: WinRates { first: solution.first(), second: solution.second(), average: solution.average() },
            first_roll: game.space().dice_in(solution.first_roll()),
            error_bound: solution.error_bound,
            ties: solution.ties as u64,
            loops: solution.loops as u64,
            seconds: solution.elapsed.as_secs_f64(),
            table: self.output.as_ref().map(|path| path.display().to_string()),
            fraction: self.fraction.then(|| solution.first_fraction().map(ToString::to_string)).flatten(),
        }
    }
}
