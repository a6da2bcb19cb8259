//! Simulated games: average win rates with their intervals, next to the exact ones.

use std::io::{self, Write};
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GivenGame, GivenOpponent, GivenStrategy, Query};
use crate::engine::{Call, EngineError};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, columns_of, counted, padded, paint};
use crate::sim::{
    Estimate, Experiments, Trials, TurnAverage, WinRate, average_win_rate, run_experiments,
};
use crate::strategy::Strategy;

/// Play many games at random: average win rates with their intervals, next to the exact ones
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[non_exhaustive]
pub struct Simulate {
    /// The game.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub game: GivenGame,
    /// The strategy to rate
    #[schemars(example = &"always_roll:4")]
    pub strategy: GivenStrategy,
    /// The opponent; without it, the game's baseline.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub opponent: GivenOpponent,
    /// The games to play.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub trials: GivenTrials,
}

/// How many games to play, and with which dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct GivenTrials {
    /// How many games to play; the strategy moves first in half of them
    #[serde(default = "usual_games")]
    #[schemars(range(min = 2, max = MOST_GAMES))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = usual_games(),
        value_parser = |text: &str| super::numbers::within(text, 2..=MOST_GAMES)))]
    pub games: u64,
    /// The seed of the dice
    #[serde(default)]
    #[schemars(range(max = 9_007_199_254_740_992_u64))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = 0,
        value_parser = super::numbers::whole::<u64>))]
    pub seed: u64,
}

fn usual_games() -> u64 {
    100_000
}

/// The largest number of games, which take days.
const MOST_GAMES: u64 = 1_000_000_000_000;

impl Simulate {
    /// The question about a strategy against the game's baseline.
    pub fn of(game: impl Into<GivenGame>, strategy: impl Into<GivenStrategy>) -> Self {
        let trials = GivenTrials { games: usual_games(), seed: 0 };
        Self {
            game: game.into(),
            strategy: strategy.into(),
            opponent: GivenOpponent::default(),
            trials,
        }
    }
}

impl Query for Simulate {
    const NAME: &str = "simulate";
    const IS_LONG: bool = true;
    type Answer = SimulateAnswer;

    fn answer(&self, call: &Call) -> Result<SimulateAnswer, EngineError> {
        let strategy = call.strategy(&self.strategy)?;
        let against = call.optional_strategy(self.opponent.strategy())?;
        let game = call.game(&self.game)?;
        let against = call.or_baseline(&game, against.as_ref())?;
        let [own, other] = [call.plan(&game, &strategy)?, call.plan(&game, &against)?];
        let began = Instant::now();
        let trials = self.trials.trials();
        let rate =
            call.run("playing", |watch| average_win_rate(&game, [&own, &other], trials, watch))?;
        let what = Simulated {
            rules: game.rules().id.clone(),
            strategy: strategy.to_string(),
            against: against.to_string(),
            seed: trials.seed,
            seconds: began.elapsed().as_secs_f64(),
        };
        Ok(SimulateAnswer::new(what, &rate))
    }
}

impl GivenTrials {
    fn trials(self) -> Trials {
        Trials { games: self.games, seed: self.seed }
    }
}

/// The course's `run_experiments`: the average points of a turn for each number of dice, and the win
/// rate of every strategy of the course against the baseline
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RunExperiments {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
    /// The games to play.
    #[serde(flatten)]
    pub trials: GivenTrials,
}

impl RunExperiments {
    /// The question about a game.
    pub fn of(game: impl Into<GivenGame>, trials: GivenTrials) -> Self {
        Self { game: game.into(), trials }
    }
}

impl Query for RunExperiments {
    const NAME: &str = "simulate/experiments";
    const SCHEMA: &str = "simulate-experiments";
    const IS_LONG: bool = true;
    type Answer = ExperimentsAnswer;

    fn answer(&self, call: &Call) -> Result<ExperimentsAnswer, EngineError> {
        let game = call.game(&self.game)?;
        let baseline = Strategy::baseline(game.rules())?;
        let trials = self.trials.trials();
        let found =
            call.run("experiments", |watch| run_experiments(&game, &baseline, trials, watch))?;
        Ok(ExperimentsAnswer::new(game.rules().id.clone(), trials, found))
    }
}

/// Simulated games of one strategy against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SimulateAnswer {
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
    pub first: PlayedRate,
    /// The games in which the strategy moved second.
    pub second: PlayedRate,
    /// The average of first and second: what the course calls the win rate.
    pub average: PlayedRate,
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
pub struct PlayedRate {
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

impl PlayedRate {
    fn new(played: &Estimate, exact: f64) -> Self {
        let Estimate { mean, low, high } = *played;
        Self { win_rate: mean, low, high, exact, in_interval: played.holds(exact) }
    }
}

/// What was simulated.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The seed of the dice.
    pub seed: u64,
    /// The time taken, in seconds.
    pub seconds: f64,
}

impl SimulateAnswer {
    /// Makes the view of simulated games.
    pub fn new(what: Simulated, rate: &WinRate) -> Self {
        let [first, second, average] = rate.exact;
        Self {
            rules: what.rules,
            strategy: what.strategy,
            against: what.against,
            games: rate.games[0] + rate.games[1],
            seed: what.seed,
            first: PlayedRate::new(&rate.first, first),
            second: PlayedRate::new(&rate.second, second),
            average: PlayedRate::new(&rate.average, average),
            tied: rate.tied,
            endless: rate.endless,
            turns: rate.turns,
            seconds: what.seconds,
        }
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
    pub points: Vec<PointsOfTurn>,
    /// The win rates of the course's strategies.
    pub win_rates: Vec<RatedStrategy>,
}

/// The average points of a turn at one pair of scores, by number of dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PointsOfTurn {
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
pub struct RatedStrategy {
    /// The strategy.
    pub strategy: String,
    /// The win rate, averaged over moving first and second.
    #[serde(flatten)]
    pub average: PlayedRate,
}

impl ExperimentsAnswer {
    /// Makes the answer of experiments with this number of games for each win rate.
    pub fn new(rules: String, trials: Trials, found: Experiments) -> Self {
        let points = found.points.into_iter().map(|(sides, [score, opponent], averages)| {
            let rolled = averages.iter().filter(|average| average.dice > 0);
            let best = rolled.fold((0, f64::NEG_INFINITY), |best, next| {
                if next.simulated.mean > best.1 { (next.dice, next.simulated.mean) } else { best }
            });
            PointsOfTurn { score, opponent, sides, max_scoring_num_rolls: best.0, averages }
        });
        let rated = |(strategy, rate): (String, WinRate)| RatedStrategy {
            strategy,
            average: PlayedRate::new(&rate.average, rate.exact[2]),
        };
        let win_rates = found.win_rates.into_iter().map(rated).collect();
        let Trials { games, seed } = trials;
        Self { rules, baseline: found.baseline, games, seed, points: points.collect(), win_rates }
    }
}

fn played(name: &str, view: &PlayedRate) -> String {
    let inside = if view.in_interval { paint(BEST, "inside") } else { paint(LOSS, "outside") };
    let PlayedRate { win_rate, low, high, exact, .. } = view;
    format!(
        "{name}  {}  {low:.6} to {high:.6}  {exact:.6}  {inside}",
        paint(TITLE, format!("{win_rate:.6}"))
    )
}

impl Text for SimulateAnswer {
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
        for PointsOfTurn { score, opponent, sides, max_scoring_num_rolls, averages } in &self.points
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
        for RatedStrategy { strategy, average } in &self.win_rates {
            writeln!(out, "  {}", played(&padded(strategy, width), average))?;
        }
        let note = format!("  {} each from seed {}", counted(self.games, "game"), self.seed);
        writeln!(out, "{}", paint(FAINT, note))
    }
}
