//! Writes a contest for spreadsheets: the ranking, with a line for each entrant, and the matrix of win rates.

use std::io::{self, Write};

use crate::files::escape;
use crate::view::ContestView;

impl ContestView {
    /// Writes the ranking as CSV: `rank,name,wins,losses,ties,mean,worst_against,worst_win_rate,file`.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record([
            "rank",
            "name",
            "wins",
            "losses",
            "ties",
            "mean",
            "worst_against",
            "worst_win_rate",
            "file",
        ])?;
        for row in &self.ranking {
            let text = |text: &Option<String>| text.as_deref().map(escape::csv).unwrap_or_default();
            writer.write_record([
                row.rank.to_string(),
                escape::csv(&row.name),
                row.wins.to_string(),
                row.losses.to_string(),
                row.ties.to_string(),
                row.mean.to_string(),
                text(&row.worst_against),
                row.worst_win_rate.map(|rate| rate.to_string()).unwrap_or_default(),
                text(&row.file),
            ])?;
        }
        writer.flush()
    }

    /// Writes the matrix as CSV: columns `rank`, `name` and one for each entrant, by rank; a line holds an entrant's
    /// win rates against all.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn matrix_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        let order = self.order();
        let names = order.iter().map(|entrant| escape::csv(&self.entrants[*entrant]));
        writer.write_record(["rank", "name"].map(str::to_owned).into_iter().chain(names))?;
        for (row, entrant) in self.ranking.iter().zip(&order) {
            let rates = order.iter().map(|other| self.matrix[*entrant][*other].to_string());
            writer.write_record([row.rank.to_string(), escape::csv(&row.name)].into_iter().chain(rates))?;
        }
        writer.flush()
    }
}
