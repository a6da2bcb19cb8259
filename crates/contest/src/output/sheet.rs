//! Writes a contest for spreadsheets: the ranking, with a line for each entrant, the matrix of win
//! rates, and the gradebook.

use std::io::{self, Write};

use crate::answer::ContestAnswer;
use crate::files::escape;
use crate::{Gradebook, GradedRoster};

/// The columns of the ranking.
const HEADINGS: [&str; 13] = [
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
    "baseline",
];

fn cell(text: Option<&str>) -> String {
    text.map(escape::csv).unwrap_or_default()
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn yes_or_no(late: Option<bool>) -> String {
    late.map_or("", |late| if late { "yes" } else { "no" }).to_owned()
}

/// Returns the line of one who has no rank.
fn absence(name: &str, file: String, reason: &str, late: String) -> [String; HEADINGS.len()] {
    let mut line = [const { String::new() }; HEADINGS.len()];
    line[1] = escape::csv(name);
    line[8] = file;
    line[9] = escape::csv(reason);
    line[10] = late;
    line
}

impl ContestAnswer {
    /// Writes the ranking as CSV:
    /// `rank,name,wins,losses,ties,mean,worst_against,worst_win_rate,file,rejected,late,
    /// points,baseline`. After the ranking follow those who could not take part, with the reason
    /// and without a rank, and those of the roster who handed in nothing.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(HEADINGS)?;
        for row in &self.ranking {
            writer.write_record([
                row.rank.to_string(),
                escape::csv(&row.name),
                row.wins.to_string(),
                row.losses.to_string(),
                row.ties.to_string(),
                row.mean.to_string(),
                cell(row.worst_against.as_deref()),
                number(row.worst_win_rate),
                cell(row.file.as_deref()),
                String::new(),
                yes_or_no(row.late),
                number(row.points),
                number(row.baseline),
            ])?;
        }
        for one in &self.rejected {
            let file = cell(one.file.as_deref());
            writer.write_record(absence(&one.name, file, &one.reason, yes_or_no(one.late)))?;
        }
        for name in &self.absent {
            let reason = "nothing handed in";
            writer.write_record(absence(name, String::new(), reason, String::new()))?;
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

impl GradedRoster {
    /// Writes it as CSV, every cell as it was.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::WriterBuilder::new();
        let mut writer = writer.delimiter(self.separator).flexible(true).from_writer(out);
        for record in &self.records {
            writer.write_record(record)?;
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
            writer.write_record(line.iter().map(|cell| match cell.parse::<f64>() {
                Ok(_) => cell.clone(),
                Err(_) => escape::csv(cell),
            }))?;
        }
        writer.flush()
    }
}
