//! The text of `hog simulate`: averages of played games, next to the exact rates.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, columns_of, counted, padded, paint};
use crate::sim::TurnAverage;
use crate::view::{ExperimentsView, PlayedView, PointsView, RatedView, SimulateView};

fn played(name: &str, view: &PlayedView) -> String {
    let inside = if view.in_interval { paint(BEST, "inside") } else { paint(LOSS, "outside") };
    let PlayedView { win_rate, low, high, exact, .. } = view;
    format!(
        "{name}  {}  {low:.6} to {high:.6}  {exact:.6}  {inside}",
        paint(TITLE, format!("{win_rate:.6}"))
    )
}

impl Text for SimulateView {
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

impl Text for ExperimentsView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for PointsView { score, opponent, sides, max_scoring_num_rolls, averages } in &self.points {
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
        for RatedView { strategy, average } in &self.win_rates {
            writeln!(out, "  {}", played(&padded(strategy, width), average))?;
        }
        let note = format!("  {} each from seed {}", counted(self.games, "game"), self.seed);
        writeln!(out, "{}", paint(FAINT, note))
    }
}
