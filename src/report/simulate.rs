//! `hog simulate`: games played, with the exact rates beside the averages.

use std::io::{self, Write};

use serde::Serialize;

use crate::sim::{Estimate, Experiments, TurnAverage, WinRate};

use super::View;
use super::style::{BEST, FAINT, LOSS, TITLE, paint, thousands};

/// One strategy played against another.
#[derive(Clone, Debug, Serialize)]
pub struct SimulateView {
    pub rules: String,
    pub strategy: String,
    pub opponent: String,
    /// Games in all.
    pub games: u64,
    pub seed: u64,
    pub first: PlayedView,
    pub second: PlayedView,
    /// The average of first and second: what the course calls the win rate.
    pub average: PlayedView,
    /// Games that ended with equal scores.
    pub tied: u64,
    /// Games that never end.
    pub endless: u64,
    /// Turns of a game, of both players, on average.
    pub turns: f64,
    pub seconds: f64,
}

/// An average of games played.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlayedView {
    pub win_rate: f64,
    /// The interval that holds the true rate 95 times in 100.
    pub low: f64,
    pub high: f64,
    /// The exact rate.
    pub exact: f64,
    /// Whether it lies in the interval.
    pub in_interval: bool,
}

impl PlayedView {
    fn new(played: &Estimate, exact: f64) -> Self {
        let Estimate { mean, low, high } = *played;
        Self { win_rate: mean, low, high, exact, in_interval: played.holds(exact) }
    }
}

/// Who played what, how often, and how long it took.
#[derive(Clone, Debug)]
pub struct Simulated {
    pub rules: String,
    pub strategy: String,
    pub opponent: String,
    pub seed: u64,
    pub seconds: f64,
}

impl SimulateView {
    pub fn new(what: Simulated, rate: &WinRate) -> Self {
        let [first, second, average] = rate.exact;
        Self {
            rules: what.rules,
            strategy: what.strategy,
            opponent: what.opponent,
            games: rate.games[0] + rate.games[1],
            seed: what.seed,
            first: PlayedView::new(&rate.first, first),
            second: PlayedView::new(&rate.second, second),
            average: PlayedView::new(&rate.average, average),
            tied: rate.tied,
            endless: rate.endless,
            turns: rate.turns,
            seconds: what.seconds,
        }
    }
}

fn played(name: &str, view: &PlayedView) -> String {
    let inside = if view.in_interval { paint(BEST, "inside") } else { paint(LOSS, "outside") };
    let PlayedView { win_rate, low, high, exact, .. } = view;
    format!("{name}  {}  {low:.6} to {high:.6}  {exact:.6}  {inside}", paint(TITLE, format!("{win_rate:.6}")))
}

impl View for SimulateView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, strategy, opponent, games, seed, .. } = self;
        writeln!(out, "{}", paint(TITLE, format!("{rules}: {strategy} against {opponent}")))?;
        let head = format!("  {:<9}{:<10}{:<22}{:<10}", "", "played", "95 % interval", "exact");
        writeln!(out, "{}", paint(FAINT, head.trim_end()))?;
        for (name, view) in [("average", &self.average), ("first  ", &self.first), ("second ", &self.second)] {
            writeln!(out, "  {}", played(name, view))?;
        }
        if self.tied > 0 {
            writeln!(out, "  {} games ended with equal scores and count half a win", thousands(self.tied))?;
        }
        if self.endless > 0 {
            writeln!(out, "  {} games never end and count half a win", thousands(self.endless))?;
        }
        let games = format!("  {} games from seed {seed}, {:.1} turns each", thousands(*games), self.turns);
        writeln!(out, "{}", paint(FAINT, games))?;
        writeln!(out, "{}", paint(FAINT, format!("  played in {:.2} s", self.seconds)))
    }
}

/// The experiments of the handouts.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentsView {
    pub rules: String,
    pub baseline: String,
    /// Games for each win rate.
    pub games: u64,
    pub seed: u64,
    pub points: Vec<PointsView>,
    pub win_rates: Vec<RatedView>,
}

/// The points of a turn by number of dice, from some scores.
#[derive(Clone, Debug, Serialize)]
pub struct PointsView {
    pub score: u32,
    pub opponent: u32,
    /// The sides of the die rolled there.
    pub sides: usize,
    /// The number of dice with the highest average played; the fewest if several tie.
    pub max_scoring_num_rolls: i32,
    pub averages: Vec<TurnAverage>,
}

/// A strategy's average win rate.
#[derive(Clone, Debug, Serialize)]
pub struct RatedView {
    pub strategy: String,
    #[serde(flatten)]
    pub average: PlayedView,
}

impl ExperimentsView {
    pub fn new(rules: String, (games, seed): (u64, u64), found: Experiments) -> Self {
        let points = found.points.into_iter().map(|(sides, [score, opponent], averages)| {
            let rolled = averages.iter().filter(|average| average.dice > 0);
            let best = rolled.fold((0, f64::NEG_INFINITY), |best, next| {
                if next.simulated.mean > best.1 { (next.dice, next.simulated.mean) } else { best }
            });
            PointsView { score, opponent, sides, max_scoring_num_rolls: best.0, averages }
        });
        let rated = |(strategy, rate): (String, WinRate)| RatedView {
            strategy,
            average: PlayedView::new(&rate.average, rate.exact[2]),
        };
        let win_rates = found.win_rates.into_iter().map(rated).collect();
        Self { rules, baseline: found.baseline, games, seed, points: points.collect(), win_rates }
    }
}

impl View for ExperimentsView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for PointsView { score, opponent, sides, max_scoring_num_rolls, averages } in &self.points {
            let title = format!("{}: points of a turn from {score}-{opponent} (dice of {sides} sides)", self.rules);
            writeln!(out, "{}", paint(TITLE, title))?;
            writeln!(out, "{}", paint(FAINT, format!("  {:>4}  {:<20}exact", "dice", "played")))?;
            for TurnAverage { dice, simulated, exact } in averages {
                let style = if dice == max_scoring_num_rolls { BEST } else { anstyle::Style::new() };
                let half = (simulated.high - simulated.low) / 2.0;
                let line = format!("  {dice:>4}  {:>8.4} ± {half:<7.4}  {exact:.4}", simulated.mean);
                writeln!(out, "{}", paint(style, line))?;
            }
            writeln!(out, "  max_scoring_num_rolls {}\n", paint(BEST, max_scoring_num_rolls))?;
        }
        writeln!(out, "{}", paint(TITLE, format!("{}: average win rate against {}", self.rules, self.baseline)))?;
        let width = self.win_rates.iter().map(|rated| rated.strategy.len()).max().unwrap_or(0);
        for RatedView { strategy, average } in &self.win_rates {
            writeln!(out, "  {}", played(&format!("{strategy:<width$}"), average))?;
        }
        let note = format!("  {} games each from seed {}", thousands(self.games), self.seed);
        writeln!(out, "{}", paint(FAINT, note))
    }
}
