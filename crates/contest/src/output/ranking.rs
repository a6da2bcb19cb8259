//! Writes the ranking as a page that can be sorted and searched, and is readable without its
//! script.

use std::io::{self, Write};

use crate::files::escape::html;
use crate::format::style::{counted, thousands};
use crate::grade::Feedback;
use crate::queries::{ContestAnswer, RankedEntrant};
use crate::{RankBy, TieBreak};
use hog_engine::queries::rounded_up;

use super::page::{self, SCRIPT, listed, name, percent};
use super::{Audience, FileNames, Labels, Readers};

/// The largest number of cycles and groups that are listed.
const LISTED: usize = 20;

impl ContestAnswer {
    /// Writes the ranking as a page for `readers`, with a link to each report in `reports`.
    /// Students see no names, unless these are shown, no reasons of rejection, no points, and not
    /// who handed in late, nothing, or the same as somebody else.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn html(
        &self,
        readers: Readers,
        reports: Option<&FileNames>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        page::write(out, &self.heading(), |out| {
            writeln!(out, "<h1>{}</h1>", html(&self.heading()))?;
            let count = counted(self.ranking.len() as u64, "strategy");
            let pairs = thousands(self.pairs as u64);
            writeln!(
                out,
                "<p>{count}, {pairs} pairs, all win rates computed exactly. {}</p>",
                self.how_it_is_scored()
            )?;
            let is_for_staff = readers.audience == Audience::Staff;
            let labels = Labels::of(self, readers);
            let reports = reports.filter(|_| is_for_staff);
            self.html_table(reports, &labels, readers, out)?;
            if is_for_staff {
                self.html_same(out)?;
            }
            // Ranks alone would be cycles of equal ranks.
            if !labels.are_ranks() {
                self.html_cycles(&labels, out)?;
            }
            if is_for_staff {
                self.html_rejected(reports, out)?;
            }
            let bound = format!(
                "No win rate is further than {} from the exact one.",
                rounded_up(self.error_bound)
            );
            writeln!(out, "<p class=\"soft\">{bound} Made by hog in {:.1} s.</p>", self.seconds)?;
            writeln!(out, "<script>{SCRIPT}</script>")
        })
    }

    /// Describes what counts as a win, what the ranking is by, and how ties are broken.
    pub(crate) fn how_it_is_scored(&self) -> String {
        let counts = match self.scoring.rank_by {
            RankBy::Wins => "Ranked by wins; a tie counts as a loss",
            RankBy::Points => "Ranked by wins; a tie counts as half a win",
            RankBy::Mean => "Ranked by mean win rate",
        };
        let decides = match self.scoring.break_ties {
            TieBreak::Share => "equals share a rank",
            TieBreak::Mean => "the mean win rate decides between equals",
            TieBreak::Baseline => "the win rate against the baseline decides between equals",
        };
        let equal = self.equal_bids().map(|note| format!("; {note}")).unwrap_or_default();
        let bids = format!(" The bids of both players decide how a game starts{equal}.");
        let bids = if self.bids { &bids } else { "" };
        format!("A win is an average win rate above {}. {counts}; {decides}.{bids}", self.winning)
    }

    /// Describes the bids if all are equal, as when no file gives one.
    pub(crate) fn equal_bids(&self) -> Option<String> {
        let bid = self.ranking.first()?.bid?;
        let count = self.ranking.len();
        let are_equal = count > 1 && self.ranking.iter().all(|row| row.bid == Some(bid));
        let result = if self.ranking.iter().all(|row| row.ties + 1 == count) {
            ", and every pair ties"
        } else {
            ""
        };
        let source = "a bid is `final_bid` in a Python file, or 0";
        are_equal.then(|| format!("every entrant bids {bid}{result}: {source}"))
    }

    fn html_table(
        &self,
        reports: Option<&FileNames>,
        labels: &Labels,
        readers: Readers,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let is_for_staff = readers.audience == Audience::Staff;
        let shows_rates = readers.see(Feedback::Rates);
        let shows_points = is_for_staff && self.points.is_some();
        let shows_late = is_for_staff && self.ranking.iter().any(|row| row.late.is_some());
        writeln!(
            out,
            "<p class=\"search\" hidden><label>Find <input type=\"search\" id=\"find\" \
             autocomplete=\"off\"></label></p>"
        )?;
        writeln!(out, "<div class=\"wide\">\n<table class=\"ranking\">\n<thead><tr>")?;
        let down = " data-first=\"descending\"";
        let columns = [
            ("Rank", "n", "", true),
            ("Strategy", "", "", true),
            ("Wins", "n", down, true),
            ("Losses", "n less", down, true),
            ("Ties", "n less", down, true),
            ("Mean win rate", "n", down, shows_rates),
            ("Wins least against", "less", "", shows_rates),
            ("Points", "n", down, shows_points),
            ("Late", "", "", shows_late),
        ];
        for (heading, class, first, _) in columns.into_iter().filter(|(.., is_shown)| *is_shown) {
            writeln!(out, "<th scope=\"col\" class=\"{class}\"{first}>{heading}</th>")?;
        }
        writeln!(out, "</tr></thead>\n<tbody>")?;
        for row in &self.ranking {
            let points = row.points.filter(|_| shows_points);
            let points =
                points.map(|points| format!("<td class=\"n\">{points}</td>")).unwrap_or_default();
            let late = if row.late == Some(true) { "<td>late</td>" } else { "<td></td>" };
            let late = if shows_late { late } else { "" };
            line(row, reports, labels, shows_rates, out)?;
            writeln!(out, "{points}{late}</tr>")?;
        }
        writeln!(out, "</tbody>\n</table>\n</div>")
    }

    fn html_same(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.same.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "<h2>The same strategy</h2>\n<p>These roll the same at all scores:</p>\n<ul>"
        )?;
        for group in self.same.iter().take(LISTED) {
            writeln!(out, "<li>{}</li>", listed(group))?;
        }
        writeln!(out, "</ul>")?;
        more(self.same.len(), "group", out)
    }

    fn html_cycles(&self, labels: &Labels, out: &mut dyn Write) -> io::Result<()> {
        if self.all_cycles == 0 {
            return Ok(());
        }
        writeln!(
            out,
            "<h2>Cycles</h2>\n<p>Three strategies, each of which beats the next:</p>\n<ul>"
        )?;
        for [a, b, c] in self.cycles.iter().take(LISTED) {
            let [a, b, c] = [a, b, c].map(|one| name(labels.get(one)));
            writeln!(out, "<li>{a} beats {b} beats {c} beats {a}</li>")?;
        }
        writeln!(out, "</ul>")?;
        more(self.all_cycles, "cycle", out)
    }

    fn html_rejected(&self, reports: Option<&FileNames>, out: &mut dyn Write) -> io::Result<()> {
        if !self.rejected.is_empty() {
            writeln!(out, "<h2>Could not take part</h2>\n<ul>")?;
            for one in &self.rejected {
                writeln!(
                    out,
                    "<li><b>{}</b>: <span class=\"bad\">{}</span></li>",
                    linked(&one.name, name(&one.name), reports),
                    html(&one.reason)
                )?;
            }
            writeln!(out, "</ul>")?;
        }
        if !self.unclear.is_empty() {
            writeln!(out, "<h2>Unclear</h2>\n<ul>")?;
            for one in &self.unclear {
                writeln!(out, "<li><b>{}</b>: {}</li>", name(&one.name), html(&one.reason))?;
            }
            writeln!(out, "</ul>")?;
        }
        if !self.absent.is_empty() {
            writeln!(out, "<h2>Nothing handed in</h2>\n<p>{}</p>", listed(&self.absent))?;
        }
        if !self.unlisted.is_empty() {
            writeln!(out, "<h2>Not on the roster</h2>\n<p>{}</p>", listed(&self.unlisted))?;
        }
        Ok(())
    }
}

/// Returns what is shown of an entrant, with a link to its report if it has one.
fn linked(entrant: &str, shown: String, reports: Option<&FileNames>) -> String {
    match reports {
        Some(names) => format!("<a href=\"{}.html\">{shown}</a>", html(names.get(entrant))),
        None => shown,
    }
}

/// Writes the row of an entrant up to its win rates, if these are shown.
fn line(
    row: &RankedEntrant,
    reports: Option<&FileNames>,
    labels: &Labels,
    shows_rates: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let RankedEntrant { rank, wins, losses, ties, mean, .. } = row;
    let linked = linked(&row.name, name(labels.get(&row.name)), reports);
    write!(
        out,
        "<tr><td class=\"n\">{rank}</td><td class=\"name\">{linked}</td><td class=\"n\">{wins}</td>\
         <td class=\"n less\">{losses}</td><td class=\"n less\">{ties}</td>"
    )?;
    if !shows_rates {
        return Ok(());
    }
    let worst = row.worst_against.as_deref().zip(row.worst_win_rate);
    let worst = worst
        .map(|(other, rate)| format!("{} {}", percent(rate), name(labels.get(other))))
        .unwrap_or_default();
    write!(
        out,
        "<td class=\"n of\" data-value=\"{mean}\" style=\"--share: {:.1}%\">{}</td>\
         <td class=\"less\">{worst}</td>",
        mean * 100.0,
        percent(*mean)
    )
}

fn more(all: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "<p class=\"soft\">and {} more</p>", counted(more as u64, what)),
    }
}
