//! The text of `hog contest`: the top and bottom of the ranking, equal strategies, cycles, and
//! rejected entrants. Files have the complete results.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{
    BEST, FAINT, LOSS, TITLE, columns_of, counted, cut, fit, paint, thousands,
};
use crate::view::{ContestView, RankView};

/// Rankings up to this length are shown completely; of longer ones, the first and the last entrants
/// are shown.
const COMPLETE: usize = 20;
const FIRST: usize = 10;
const LAST: usize = 3;

/// The largest number of entries shown in each other list.
const SHOWN: usize = 10;

/// The widest line of the ranking, and the widest name in it, in columns.
const LINE: usize = 80;
const NAME: usize = 24;

impl Text for ContestView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = counted(self.entrants.len() as u64, "strategy");
        let pairs = counted(self.pairs as u64, "pair");
        writeln!(out, "{}", paint(TITLE, format!("{}: {count}, {pairs}", self.rules)))?;
        if !self.ranking.is_empty() {
            self.ranking(out)?;
        }
        self.alike(out)?;
        if self.all_cycles > 0 {
            writeln!(out, "cycles of three: {}", thousands(self.all_cycles as u64))?;
            for [a, b, c] in self.cycles.iter().take(LAST) {
                writeln!(out, "  {a} beats {b} beats {c} beats {a}")?;
            }
        }
        self.missing(out)?;
        let kept = if self.kept > 0 {
            format!("; {} known already", counted(self.kept as u64, "pair"))
        } else {
            String::new()
        };
        let bids = if self.bids { "; the bids of both decide how a game starts" } else { "" };
        let note = format!("a win is an average win rate above {}{bids}{kept}", self.winning);
        writeln!(out, "{}", paint(FAINT, note))?;
        if let Some(note) = self.equal_bids() {
            writeln!(out, "{}", paint(FAINT, note))?;
        }
        writeln!(out, "{}", paint(FAINT, format!("  solved in   {:.3} s", self.seconds)))
    }
}

impl ContestView {
    fn ranking(&self, out: &mut dyn Write) -> io::Result<()> {
        let all = self.ranking.len();
        let (first, last) = if all <= COMPLETE { (all, 0) } else { (FIRST, LAST) };
        let shown = || self.ranking[..first].iter().chain(&self.ranking[all - last..]);
        let wide = shown().map(|row| columns_of(&row.name)).max().unwrap_or(0).clamp(8, NAME);
        let ties = shown().any(|row| row.ties > 0);
        let tied = |text: &str| if ties { format!("  {text:>4}") } else { String::new() };
        let pointed =
            |text: &str| if self.points.is_some() { format!("  {text:>6}") } else { String::new() };
        let (of_ties, of_points) = (tied("ties"), pointed("points"));
        writeln!(
            out,
            "  rank  {:<wide$}  wins  losses{of_ties}      mean{of_points}  worst against",
            "strategy"
        )?;
        let used = 2 + 4 + 2 + wide + 2 + 4 + 2 + 6 + of_ties.len() + 2 + 8 + of_points.len() + 2;
        for (place, row) in shown().enumerate() {
            if place == first {
                writeln!(
                    out,
                    "   ...  and {} more: -o FILE.html, .csv, .md or .json has all",
                    all - first - last
                )?;
            }
            let RankView { rank, name, wins, losses, mean, .. } = row;
            let (rank, is_first) = (format!("{rank:>4}"), *rank == 1);
            let rank = if is_first { paint(BEST, rank) } else { rank };
            let worst = row.worst_against.as_deref().zip(row.worst_win_rate);
            let worst = worst.map(|(other, rate)| format!("{rate:.6} {other}")).unwrap_or_default();
            let (name, worst) = (fit(name, wide), cut(&worst, LINE - used));
            let ties = tied(&row.ties.to_string());
            let points = pointed(&row.points.map(|points| points.to_string()).unwrap_or_default());
            writeln!(
                out,
                "  {rank}  {name}  {wins:>4}  {losses:>6}{ties}  {mean:.6}{points}  {worst}"
            )?;
        }
        Ok(())
    }

    fn alike(&self, out: &mut dyn Write) -> io::Result<()> {
        for group in self.same.iter().take(SHOWN) {
            let more = group.len().saturating_sub(LAST);
            let names = group.iter().take(LAST).cloned().collect::<Vec<_>>().join(", ");
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            writeln!(out, "play the same: {names}{more}")?;
        }
        more(self.same.len(), "group that plays the same", "groups that play the same", out)
    }

    fn missing(&self, out: &mut dyn Write) -> io::Result<()> {
        for one in self.rejected.iter().take(SHOWN) {
            writeln!(out, "{} {}: {}", paint(LOSS, "rejected"), one.name, one.reason)?;
        }
        more(self.rejected.len(), "that could not take part", "that could not take part", out)?;
        for one in self.unclear.iter().take(SHOWN) {
            writeln!(out, "{} {}: {}", paint(LOSS, "unclear"), one.name, one.reason)?;
        }
        more(self.unclear.len(), "that is unclear", "that are unclear", out)?;
        let late = self.late();
        if !late.is_empty() {
            writeln!(
                out,
                "handed in late: {}",
                late.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ")
            )?;
            more(late.len(), "handed in late", "handed in late", out)?;
        }
        if self.undated > 0 {
            let count = counted(self.undated as u64, "submission");
            writeln!(out, "not known whether late: {count}; nothing says when they came")?;
        }
        if !self.absent.is_empty() {
            let names = self.absent.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            writeln!(out, "nothing handed in by {} of the roster: {names}", self.absent.len())?;
            more(self.absent.len(), "of the roster", "of the roster", out)?;
        }
        for (files, one, many) in [
            (&self.helpers, "file does not take part", "files do not take part"),
            (
                &self.skipped,
                "file is skipped, as it cannot be a strategy",
                "files are skipped, as they cannot be strategies",
            ),
        ] {
            let names = files.iter().take(LAST).cloned().collect::<Vec<_>>().join(", ");
            let others = if files.len() > LAST { ", …" } else { "" };
            let what = if files.len() == 1 { one } else { many };
            if !files.is_empty() {
                let note = format!("{} {what}: {names}{others}", thousands(files.len() as u64));
                writeln!(out, "{}", paint(FAINT, note))?;
            }
        }
        if self.absent.len().max(self.rejected.len()) > SHOWN {
            writeln!(out, "{}", paint(FAINT, "-o FILE.json has all of them"))?;
        }
        Ok(())
    }
}

fn more(all: usize, one: &str, many: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(SHOWN) {
        0 => Ok(()),
        1 => writeln!(out, "  and 1 more {one}"),
        more => writeln!(out, "  and {more} more {many}"),
    }
}
