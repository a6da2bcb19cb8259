//! A contest as CSV and as Markdown.

use std::io::{self, Write};

use crate::files::escape;
use crate::view::{ContestView, RankView};

impl ContestView {
    /// Writes the matrix as CSV: a line for each entrant, by rank: `rank,name,wins,losses,mean`, then its win rates.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        let order = self.order();
        let head = ["rank", "name", "wins", "losses", "mean"].map(str::to_owned).into_iter();
        writer.write_record(head.chain(order.iter().map(|entrant| escape::csv(&self.entrants[*entrant]))))?;
        for (row, entrant) in self.ranking.iter().zip(&order) {
            let [rank, wins, losses] = [row.rank, row.wins, row.losses].map(|number| number.to_string());
            let head = [rank, escape::csv(&row.name), wins, losses, row.mean.to_string()].into_iter();
            writer.write_record(head.chain(order.iter().map(|other| self.matrix[*entrant][*other].to_string())))?;
        }
        writer.flush()
    }

    /// Writes the ranking and the matrix as Markdown.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        let order = self.order();
        let safe = escape::markdown;
        writeln!(out, "# Contest: {}\n", safe(&self.rules))?;
        writeln!(out, "| rank | name | wins | losses | mean win rate | worst opponent |\n|--:|---|--:|--:|--:|---|")?;
        for row in &self.ranking {
            let worst = row.worst_against.as_deref().zip(row.worst_win_rate);
            let worst = worst.map(|(name, rate)| format!("{} ({rate:.6})", safe(name))).unwrap_or_default();
            let RankView { rank, name, wins, losses, mean, .. } = row;
            writeln!(out, "| {rank} | {} | {wins} | {losses} | {mean:.6} | {worst} |", safe(name))?;
        }
        writeln!(out, "\nWin rates of the row against the column, averages of moving first and second:\n")?;
        let head: String = order.iter().map(|entrant| format!(" {} |", safe(&self.entrants[*entrant]))).collect();
        writeln!(out, "| |{head}\n|---|{}", "--:|".repeat(order.len()))?;
        for entrant in &order {
            let cells: String = order.iter().map(|other| format!(" {:.6} |", self.matrix[*entrant][*other])).collect();
            writeln!(out, "| {} |{cells}", safe(&self.entrants[*entrant]))?;
        }
        for [a, b, c] in &self.cycles {
            writeln!(out, "\n{} beats {} beats {} beats {}", safe(a), safe(b), safe(c), safe(a))?;
        }
        self.rejected
            .iter()
            .try_for_each(|one| writeln!(out, "\nNot taken part: {}: {}", safe(&one.name), safe(&one.reason)))
    }
}
