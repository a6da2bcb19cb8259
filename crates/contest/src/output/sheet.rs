//! Writes a contest for spreadsheets: the ranking, with a line for each entrant, the matrix of win
//! rates, and the gradebook.

use std::io::{self, Write};

use crate::Gradebook;
use crate::files::escape;
use crate::queries::ContestAnswer;

impl ContestAnswer {
    /// Writes the ranking as CSV:
    /// `rank,name,wins,losses,ties,mean,worst_against,worst_win_rate,file,rejected,late,
    /// points`. After the ranking follow those who could not take part, with the reason and without
    /// a rank, and those of the roster who handed in nothing.
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
            "rejected",
            "late",
            "points",
        ])?;
        let late = |late: Option<bool>| {
            late.map(|late| if late { "yes" } else { "no" }.to_owned()).unwrap_or_default()
        };
        let text = |text: &Option<String>| text.as_deref().map(escape::csv).unwrap_or_default();
        for row in &self.ranking {
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
                String::new(),
                late(row.late),
                row.points.map(|points| points.to_string()).unwrap_or_default(),
            ])?;
        }
        let rejected = self
            .rejected
            .iter()
            .map(|one| (&one.name, text(&one.file), &*one.reason, late(one.late)));
        let absent = self
            .absent
            .iter()
            .map(|name| (name, String::new(), "nothing handed in", String::new()));
        for (name, file, reason, late) in rejected.chain(absent) {
            let mut record = vec![String::new(), escape::csv(name)];
            record.extend(vec![String::new(); 6]);
            record.extend([file, escape::csv(reason), late, String::new()]);
            writer.write_record(record)?;
        }
        writer.flush()
    }

    /// Writes the matrix as CSV: columns `rank`, `name` and one for each entrant, by rank; a line
    /// holds an entrant's win rates against all.
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
            writer.write_record(
                [row.rank.to_string(), escape::csv(&row.name)].into_iter().chain(rates),
            )?;
        }
        writer.flush()
    }
}

impl Gradebook {
    /// Writes the gradebook as CSV.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        for line in [&self.headings].into_iter().chain(&self.lines) {
            // A student number such as 0017, or a negative one, stays as it is.
            let cell = |cell: &String| {
                if cell.parse::<f64>().is_ok() { cell.clone() } else { escape::csv(cell) }
            };
            writer.write_record(line.iter().map(cell))?;
        }
        writer.flush()
    }
}
