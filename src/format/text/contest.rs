//! A contest: ranking and circles.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, paint, thousands};
use crate::view::{ContestView, RankView};

/// How many entrants, and how many circles, are shown.
const SHOWN: usize = 30;

impl Text for ContestView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (count, pairs) = (self.entrants.len(), thousands(self.pairs as u64));
        writeln!(out, "{}", paint(TITLE, format!("{}: {count} strategies, {pairs} pairs", self.rules)))?;
        let wide = self.ranking.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(8);
        writeln!(out, "  rank  {:<wide$}  wins  losses      mean  worst against", "strategy")?;
        for row in self.ranking.iter().take(SHOWN) {
            let worst = row.worst_against.as_deref().zip(row.worst_win_rate);
            let worst = worst.map(|(name, rate)| format!("{rate:.6} {name}")).unwrap_or_default();
            let rank = format!("{:>4}", row.rank);
            let rank = if row.rank == 1 { paint(BEST, rank) } else { rank };
            let RankView { name, wins, losses, mean, .. } = row;
            writeln!(out, "  {rank}  {name:<wide$}  {wins:>4}  {losses:>6}  {mean:.6}  {worst}")?;
        }
        if self.ranking.len() > SHOWN {
            writeln!(out, "  and {} more: -o FILE.csv, .md or .json has all", self.ranking.len() - SHOWN)?;
        }
        if self.all_cycles > 0 {
            writeln!(out, "circles of three: {}", thousands(self.all_cycles as u64))?;
            for [a, b, c] in self.cycles.iter().take(SHOWN / 3) {
                writeln!(out, "  {a} beats {b} beats {c} beats {a}")?;
            }
        }
        for one in &self.rejected {
            writeln!(out, "{} {}: {}", paint(LOSS, "not taken part"), one.name, one.reason)?;
        }
        let kept = if self.kept > 0 {
            format!(", {} pairs known already", thousands(self.kept as u64))
        } else {
            String::new()
        };
        let note = format!("a win is an average win rate above {}{kept}", self.winning);
        writeln!(out, "{}", paint(FAINT, note))?;
        writeln!(out, "{}", paint(FAINT, format!("  solved in   {:.3} s", self.seconds)))
    }
}
