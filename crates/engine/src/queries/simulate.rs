//! Simulated games, next to the exact win rates.

use std::io::{self, Write};
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenOpponent, GivenStrategy, Query};
use crate::engine::numbers::{whole, within};
use crate::engine::{Call, Error};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, columns_of, counted, padded, paint};
use crate::sim::{Estimate, Trials, TurnAverage, average_win_rate, run_experiments};
use crate::strategy::Strategy;

/// Games played at random, next to the exact win rates
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "Without a strategy it is the course's `run_experiments`: the average points \
of a turn for each number of dice, and the win rate of every strategy of the course against the \
baseline.

Turns are drawn from the exact distributions of the game's dice. The random number generator is \
ChaCha8, keyed with the seed: a seed plays the same games on any machine and with any number of \
threads. A game that never ends counts half a win.

Examples:
  hog simulate fa21 final_strategy always_roll:6 --games 1000000
  hog simulate su15 swap_strategy:8,5 --seed 7        against the game's baseline
  hog simulate sp15                                   all of the course's strategies"
)]
#[non_exhaustive]
pub struct Simulate {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The strategy to rate (default: all of the course's)
    #[schemars(example = &"always_roll:4")]
    pub strategy: Option<GivenStrategy>,
    /// The opponent; without it, the game's baseline.
    #[serde(flatten)]
    #[command(flatten)]
    pub opponent: GivenOpponent,
    /// How many games to play; the strategy moves first in half of them
    #[serde(default = "usual_games")]
    #[schemars(range(min = 2, max = MOST_GAMES))]
    #[arg(long, value_name = "N", default_value_t = usual_games(),
          value_parser = |text: &str| within(text, 2..=MOST_GAMES))]
    pub games: u64,
    /// The seed of the dice
    #[serde(default)]
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>)]
    pub seed: u64,
}

const fn usual_games() -> u64 {
    100_000
}

/// The largest number of games, which take days.
const MOST_GAMES: u64 = 1_000_000_000_000;

/// Games played at random: of one strategy, or of all of the course's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SimulateAnswer {
    /// Of one strategy.
    Strategy(SimulatedGames),
    /// Of all of the course's.
    Course(ExperimentsAnswer),
}

/// Simulated games of one strategy against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimulatedGames {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The number of games.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The games in which the strategy moved first.
    pub first: SimulatedRate,
    /// The games in which the strategy moved second.
    pub second: SimulatedRate,
    /// The average of first and second: what the course calls the win rate.
    pub average: SimulatedRate,
    /// The number of games that ended with equal scores.
    pub tied: u64,
    /// The number of games that never end.
    pub endless: u64,
    /// The mean number of turns per game, counting both players' turns. In a game with a pot, a
    /// turn ends when the other player is to move.
    pub turns: f64,
    /// The time taken, in seconds.
    pub seconds: f64,
}

/// The win rate in simulated games, with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimulatedRate {
    /// The mean over the simulated games.
    pub win_rate: f64,
    /// The lower end of the 95% confidence interval.
    pub low: f64,
    /// The upper end of the 95% confidence interval.
    pub high: f64,
    /// The exact win rate.
    pub exact: f64,
    /// Whether the exact win rate lies in the interval.
    pub in_interval: bool,
}

impl SimulatedRate {
    fn new(played: &Estimate, exact: f64) -> Self {
        let Estimate { mean, low, high } = *played;
        Self { win_rate: mean, low, high, exact, in_interval: played.holds(exact) }
    }
}

/// The results of the handouts' experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExperimentsAnswer {
    /// The game's id.
    pub rules: String,
    /// The opponent of all strategies.
    pub baseline: String,
    /// The number of games for each win rate.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The average points of a turn, for each kind of die.
    pub points: Vec<SimulatedPoints>,
    /// The win rates of the course's strategies.
    pub win_rates: Vec<SimulatedStrategy>,
}

/// The average points of a turn at one pair of scores, by number of dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimulatedPoints {
    /// The mover's score.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The number of sides of the die rolled there.
    pub sides: usize,
    /// The number of dice with the highest simulated average; the smallest if several tie.
    pub max_scoring_num_rolls: i32,
    /// The averages for each number of dice.
    pub averages: Vec<TurnAverage>,
}

/// A strategy's win rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimulatedStrategy {
    /// The strategy.
    pub strategy: String,
    /// The win rate, averaged over moving first and second.
    #[serde(flatten)]
    pub average: SimulatedRate,
}

impl Simulate {
    /// The question about a strategy against the game's baseline.
    ///
    /// ```
    /// use hog_engine::Engine;
    /// use hog_engine::queries::Simulate;
    ///
    /// let engine = Engine::builder().build();
    /// let question = Simulate::of("fa21", "optimal").games(1_000).seed(1);
    /// let answer = question.played(&engine.call())?;
    /// assert_eq!(answer.games, 1_000);
    /// assert!(answer.average.low < answer.average.win_rate);
    /// // The same seed plays the same games.
    /// let again = question.played(&engine.call())?;
    /// assert_eq!(again.average.win_rate, answer.average.win_rate);
    /// # Ok::<(), hog_engine::engine::Error>(())
    /// ```
    pub fn of(game: impl Into<GivenGame>, strategy: impl Into<GivenStrategy>) -> Self {
        Self { strategy: Some(strategy.into()), ..Self::course(game) }
    }

    /// The question about all strategies of a game's course.
    pub fn course(game: impl Into<GivenGame>) -> Self {
        let opponent = GivenOpponent::default();
        Self { game: game.into(), strategy: None, opponent, games: usual_games(), seed: 0 }
    }

    /// Sets the opponent's strategy.
    #[must_use]
    pub fn against(mut self, opponent: impl Into<GivenStrategy>) -> Self {
        self.opponent.against = Some(opponent.into());
        self
    }

    /// Sets how many games are played.
    #[must_use]
    pub fn games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// Sets the seed of the dice.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Plays the games of one strategy; that of the baseline, if none is named.
    ///
    /// # Errors
    /// As [`Query::answer`].
    pub fn played(&self, call: &Call) -> Result<SimulatedGames, Error> {
        let strategy = call.optional_strategy(self.strategy.as_ref())?;
        let against = call.optional_strategy(self.opponent.strategy())?;
        let game = call.game(&self.game)?;
        let strategy = call.or_baseline(&game, strategy.as_ref())?;
        let against = call.or_baseline(&game, against.as_ref())?;
        let plans = [call.plan(&game, &strategy)?, call.plan(&game, &against)?];
        call.all_end(&game, [&strategy, &against], plans.each_ref().map(|plan| &**plan))?;
        let began = Instant::now();
        let rate = call.run("playing", |watch| {
            average_win_rate(&game, [&*plans[0], &*plans[1]], self.trials(), watch)
        })?;
        let [first, second, average] = rate.exact;
        Ok(SimulatedGames {
            rules: game.rules().id.clone(),
            strategy: strategy.to_string(),
            against: against.to_string(),
            games: rate.games[0] + rate.games[1],
            seed: self.seed,
            first: SimulatedRate::new(&rate.first, first),
            second: SimulatedRate::new(&rate.second, second),
            average: SimulatedRate::new(&rate.average, average),
            tied: rate.tied,
            endless: rate.endless,
            turns: rate.turns,
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// Runs the experiments of the game's course.
    fn experiments(&self, call: &Call) -> Result<ExperimentsAnswer, Error> {
        let game = call.game(&self.game)?;
        if game.rules().keeps_dice() {
            return Err(Error::malformed_by(
                "strategy",
                "name a strategy: turns with each number of dice are rolled otherwise",
            ));
        }
        let baseline = Strategy::baseline(game.rules())?;
        let found = call
            .run("experiments", |watch| run_experiments(&game, &baseline, self.trials(), watch))?;
        let points = found.points.into_iter().map(|(sides, [score, opponent], averages)| {
            let rolled = averages.iter().filter(|average| average.dice > 0);
            let best = rolled.fold((0, f64::NEG_INFINITY), |best, next| {
                if next.simulated.mean > best.1 { (next.dice, next.simulated.mean) } else { best }
            });
            SimulatedPoints { score, opponent, sides, max_scoring_num_rolls: best.0, averages }
        });
        let points = points.collect();
        let rated = found.win_rates.into_iter().map(|(strategy, rate)| SimulatedStrategy {
            strategy,
            average: SimulatedRate::new(&rate.average, rate.exact[2]),
        });
        Ok(ExperimentsAnswer {
            rules: game.rules().id.clone(),
            baseline: found.baseline,
            games: self.games,
            seed: self.seed,
            points,
            win_rates: rated.collect(),
        })
    }

    fn trials(&self) -> Trials {
        Trials { games: self.games, seed: self.seed }
    }
}

impl Query for Simulate {
    const NAME: &str = "simulate";
    const IS_LONG: bool = true;
    type Answer = SimulateAnswer;

    fn answer(&self, call: &Call) -> Result<SimulateAnswer, Error> {
        if !(2..=MOST_GAMES).contains(&self.games) {
            let games = self.games;
            return Err(Error::malformed_by(
                "games",
                format!("games is {games}: choose 2 to {MOST_GAMES}"),
            ));
        }
        Ok(match &self.strategy {
            Some(_) => SimulateAnswer::Strategy(self.played(call)?),
            None => SimulateAnswer::Course(self.experiments(call)?),
        })
    }
}

fn played(name: &str, view: &SimulatedRate) -> String {
    let inside = if view.in_interval { paint(BEST, "inside") } else { paint(LOSS, "outside") };
    let SimulatedRate { win_rate, low, high, exact, .. } = view;
    format!(
        "{name}  {}  {low:.6} to {high:.6}  {exact:.6}  {inside}",
        paint(TITLE, format!("{win_rate:.6}"))
    )
}

impl Text for SimulateAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Strategy(games) => games.text(out),
            Self::Course(experiments) => experiments.text(out),
        }
    }
}

impl Text for SimulatedGames {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, strategy, against, games, seed, .. } = self;
        writeln!(out, "{}", paint(TITLE, format!("{rules}: {strategy} against {against}")))?;
        let head = format!("  {:<9}{:<10}{:<22}{:<10}", "", "played", "95 % interval", "exact");
        writeln!(out, "{}", paint(FAINT, head.trim_end()))?;
        for (name, view) in
            [("average", &self.average), ("first  ", &self.first), ("second ", &self.second)]
        {
            writeln!(out, "  {}", played(name, view))?;
        }
        if self.tied > 0 {
            writeln!(
                out,
                "  ended with equal scores, which is half a win: {}",
                counted(self.tied, "game")
            )?;
        }
        if self.endless > 0 {
            writeln!(out, "  never end, which is half a win: {}", counted(self.endless, "game"))?;
        }
        let games =
            format!("  {} from seed {seed}, {:.1} turns each", counted(*games, "game"), self.turns);
        writeln!(out, "{}", paint(FAINT, games))?;
        writeln!(out, "{}", paint(FAINT, format!("  played in {:.2} s", self.seconds)))
    }
}

impl Text for ExperimentsAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for SimulatedPoints { score, opponent, sides, max_scoring_num_rolls, averages } in
            &self.points
        {
            let title = format!(
                "{}: points of a turn from {score}-{opponent} (dice of {sides} sides)",
                self.rules
            );
            writeln!(out, "{}", paint(TITLE, title))?;
            writeln!(out, "{}", paint(FAINT, format!("  {:>4}  {:<20}exact", "dice", "played")))?;
            for TurnAverage { dice, simulated, exact } in averages {
                let style =
                    if dice == max_scoring_num_rolls { BEST } else { anstyle::Style::new() };
                let half = (simulated.high - simulated.low) / 2.0;
                let line =
                    format!("  {dice:>4}  {:>8.4} ± {half:<7.4}  {exact:.4}", simulated.mean);
                writeln!(out, "{}", paint(style, line))?;
            }
            writeln!(out, "  max_scoring_num_rolls {}\n", paint(BEST, max_scoring_num_rolls))?;
        }
        writeln!(
            out,
            "{}",
            paint(TITLE, format!("{}: average win rate against {}", self.rules, self.baseline))
        )?;
        let width =
            self.win_rates.iter().map(|rated| columns_of(&rated.strategy)).max().unwrap_or(0);
        for SimulatedStrategy { strategy, average } in &self.win_rates {
            writeln!(out, "  {}", played(&padded(strategy, width), average))?;
        }
        let note = format!("  {} each from seed {}", counted(self.games, "game"), self.seed);
        writeln!(out, "{}", paint(FAINT, note))
    }
}
