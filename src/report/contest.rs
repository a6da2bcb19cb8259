//! `hog contest`: ranking, matrix, circles.

use std::io::{self, Write};

use serde::Serialize;

use crate::contest::{Entrant, Rejected, Robin, Standings, WINNING};

use super::View;
use super::style::{BEST, FAINT, LOSS, TITLE, paint, thousands};

/// The outcome of a contest.
#[derive(Clone, Debug, Serialize)]
pub struct ContestView {
    pub rules: String,
    /// What an average win rate must exceed to be a win.
    pub winning: f64,
    pub ranking: Vec<RankView>,
    /// The names in the order of the matrix.
    pub entrants: Vec<String>,
    /// `matrix[a][b]`: the average win rate of a against b; one half on the diagonal.
    pub matrix: Vec<Vec<f64>>,
    /// The same where a moves first.
    pub first: Vec<Vec<f64>>,
    /// A beats B beats C beats A.
    pub cycles: Vec<[String; 3]>,
    /// How many such circles there are; the longest list is 100.
    pub all_cycles: usize,
    pub rejected: Vec<RejectedView>,
    /// Pairs rated, and how many of them were known from an earlier run.
    pub pairs: usize,
    pub kept: usize,
    pub error_bound: f64,
    pub seconds: f64,
}

/// One line of the ranking.
#[derive(Clone, Debug, Serialize)]
pub struct RankView {
    pub rank: usize,
    pub name: String,
    pub wins: usize,
    pub losses: usize,
    /// Mean win rate against all others.
    pub mean: f64,
    pub worst_opponent: Option<String>,
    pub worst_win_rate: Option<f64>,
}

/// One that could not take part.
#[derive(Clone, Debug, Serialize)]
pub struct RejectedView {
    pub name: String,
    pub reason: String,
}

impl ContestView {
    /// The view of a finished contest.
    pub fn new(rules: &str, entrants: &[Entrant], rejected: &[Rejected], robin: &Robin, seconds: f64) -> Self {
        let standings = Standings::of(robin);
        let name = |entrant: usize| entrants[entrant].name.clone();
        let count = entrants.len();
        let rank = |standing: &crate::contest::Standing| RankView {
            rank: standing.rank,
            name: name(standing.entrant),
            wins: standing.wins,
            losses: standing.losses,
            mean: standing.mean,
            worst_opponent: standing.worst.map(|(other, _)| name(other)),
            worst_win_rate: standing.worst.map(|(_, rate)| rate),
        };
        let matrix =
            |cell: &dyn Fn(usize, usize) -> f64| (0..count).map(|a| (0..count).map(|b| cell(a, b)).collect()).collect();
        Self {
            rules: rules.to_owned(),
            winning: WINNING,
            ranking: standings.ranking.iter().map(rank).collect(),
            entrants: (0..count).map(name).collect(),
            matrix: matrix(&|a, b| robin.average(a, b)),
            first: matrix(&|a, b| robin.rates[a][b].first),
            cycles: standings.cycles.iter().map(|cycle| cycle.map(name)).collect(),
            all_cycles: standings.all_cycles,
            rejected: rejected
                .iter()
                .map(|one| RejectedView { name: one.name.clone(), reason: one.reason.clone() })
                .collect(),
            pairs: count * count.saturating_sub(1) / 2,
            kept: robin.kept,
            error_bound: robin.error_bound,
            seconds,
        }
    }

    /// Writes the matrix as CSV: a line for each entrant, by rank: `rank,name,wins,losses,mean`, then its win rates.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        let order = self.order();
        let head = ["rank", "name", "wins", "losses", "mean"].map(str::to_owned).into_iter();
        writer.write_record(head.chain(order.iter().map(|entrant| self.entrants[*entrant].clone())))?;
        for (row, entrant) in self.ranking.iter().zip(&order) {
            let [rank, wins, losses] = [row.rank, row.wins, row.losses].map(|number| number.to_string());
            let head = [rank, row.name.clone(), wins, losses, row.mean.to_string()].into_iter();
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
        let safe = |name: &str| name.replace('|', "\\|");
        writeln!(out, "# Contest: {}\n", self.rules)?;
        writeln!(out, "| rank | name | wins | losses | mean win rate | worst opponent |\n|--:|---|--:|--:|--:|---|")?;
        for row in &self.ranking {
            let worst = row.worst_opponent.as_deref().zip(row.worst_win_rate);
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
        self.rejected.iter().try_for_each(|one| writeln!(out, "\nNot taken part: {}: {}", safe(&one.name), one.reason))
    }

    /// The entrants by rank.
    fn order(&self) -> Vec<usize> {
        let place =
            |name: &String| self.entrants.iter().position(|entrant| entrant == name).expect("names are distinct");
        self.ranking.iter().map(|row| place(&row.name)).collect()
    }
}

/// How many entrants, and how many circles, are shown as text.
const SHOWN: usize = 30;

impl View for ContestView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (count, pairs) = (self.entrants.len(), thousands(self.pairs as u64));
        writeln!(out, "{}", paint(TITLE, format!("{}: {count} strategies, {pairs} pairs", self.rules)))?;
        let wide = self.ranking.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(8);
        writeln!(out, "  rank  {:<wide$}  wins  losses      mean  worst against", "strategy")?;
        for row in self.ranking.iter().take(SHOWN) {
            let worst = row.worst_opponent.as_deref().zip(row.worst_win_rate);
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
