//! `hog best`: the best roll in a position.

use clap::Args;
use hog::game::{Game, memory_names};
use hog::report::{BestView, ChoiceView};
use hog::solve::{self, Arithmetic, Values};
use hog::strategy::Strategy;
use hog::table::shipped;

use super::context::{Context, Outcome, memory_value, position, score};
use super::progress::with_progress;
use super::solve::solve_game;

/// The best roll in a position, and what each number of dice is worth
#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  hog best fa21 20 36                                 you have 20 points, your opponent 36
  hog best fa19 20 36 --memory last_dice=4            after rolling 4 dice on your last turn
  hog best su15 90 10 --against always_roll:5         against the baseline instead of best play"
)]
pub(super) struct Best {
    /// A built-in game or a rule file
    rules: String,
    /// Your score
    #[arg(value_parser = score)]
    score: u32,
    /// Your opponent's score
    #[arg(value_parser = score)]
    opponent: u32,
    /// A memory's value (default: as at the start of the game)
    #[arg(long, value_name = "NAME=V", value_parser = memory_value)]
    memory: Vec<(String, i64)>,
    /// The opponent plays this strategy, instead of playing to win
    #[arg(long, value_name = "STRATEGY")]
    against: Option<Strategy>,
}

/// What a position is judged by.
pub(super) struct Judged {
    pub own: Values,
    /// Values where the opponent moves, if they differ.
    pub other: Option<Values>,
    /// How the values were had, in words.
    pub numbers: String,
}

impl Best {
    pub fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let rules = context.rules(&self.rules)?;
        // Before any work: a position that is none is the commonest mistake.
        let position = position(&rules, self.score, self.opponent, &self.memory)?;
        let game = Game::new(rules)?;
        let judged = judge(&game, self.against.as_ref())?;
        let state = game.state(&position);
        let choices = solve::choices(&game, &judged.own, judged.other.as_ref().unwrap_or(&judged.own), state);
        let space = game.space();
        let choice = |(action, win_rate): (usize, &f64)| ChoiceView { dice: space.dice(action), win_rate: *win_rate };
        context.show(&BestView {
            rules: game.rules().id.clone(),
            score: self.score,
            opponent: self.opponent,
            memory: memory_names(game.rules()).into_iter().zip(position.memory.iter().copied()).collect(),
            win_rate: judged.own.win_rates[state],
            best: space.dice_in(judged.own.best[state]),
            choices: choices.iter().enumerate().map(choice).collect(),
            against: self.against.as_ref().map(ToString::to_string),
            numbers: judged.numbers,
        })
    }
}

/// From the shipped table where it answers the question, else by solving.
pub(super) fn judge(game: &Game, against: Option<&Strategy>) -> anyhow::Result<Judged> {
    let table = shipped(game.rules()).filter(|table| against.is_none() && table.fits(game).is_ok());
    if let Some(table) = table {
        let win_rates = with_progress("solving", |watch| table.win_rates(game, watch))?;
        let proven = match (table.arithmetic(), table.stored_win_rates().is_empty()) {
            (Arithmetic::Exact, false) => "the shipped table: win rates exact, best rolls and ties proven",
            (Arithmetic::Exact, true) => "the shipped table: best rolls and ties proven, win rates computed from them",
            (Arithmetic::Float, _) => "the shipped table, solved in floating point",
        };
        let own = Values { win_rates, best: table.best().to_vec(), choices: Vec::new() };
        return Ok(Judged { own, other: None, numbers: proven.into() });
    }
    let solution = solve_game(game, against, Some(super::solve::Numbers::Float))?;
    let numbers = format!("solved just now, every win rate within {:.1e} of the exact one", solution.error_bound);
    Ok(Judged { own: solution.own, other: solution.other, numbers })
}
