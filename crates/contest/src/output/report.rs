//! Writes a page for one entrant: its record, the opponents it wins least against, where it loses,
//! and the map of its rolls.

use std::io::{self, Write};

use crate::answer::{ContestAnswer, PointsStep, RankedEntrant, RejectedEntrant};
use crate::files::escape::html;
use crate::format::style::either;
use crate::grade::Feedback;
use crate::{EntrantReport, Meeting, Misses};

use super::page::{self, listed, name, percent};
use super::{Audience, FileNames, Labels, Readers};

/// The largest number of opponents that are shown.
const SHOWN: usize = 10;

impl EntrantReport {
    /// Writes the page as far as `readers` see it. For staff, it has links to the pages of its
    /// opponents, whose files are `names`, and says who plays the same. `labels` are how they see
    /// the others, `picture` is an SVG of its rolls.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn html(
        &self,
        readers: Readers,
        names: &FileNames,
        labels: &Labels,
        picture: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let own = &self.standing;
        let audience = readers.audience;
        page::write(out, &format!("{}: {}", own.name, self.contest), |out| {
            writeln!(out, "<p><a href=\"index.html\">{}</a></p>", html(&self.contest))?;
            writeln!(out, "<h1>{}</h1>", name(&own.name))?;
            self.record(readers, out)?;
            if !readers.see(Feedback::Rates) {
                return Ok(());
            }
            self.opponents(Some(names).filter(|_| audience == Audience::Staff), labels, out)?;
            let field = self.against_field.opponents.iter().map(|one| labels.get(one));
            let field: Vec<&str> = field.collect();
            for (title, whom, found) in [
                ("Against a sample of the field", listed(&field), &self.against_field),
                ("Against best play", "a player who plays to win".into(), &self.against_optimal),
            ] {
                rate_and_best(title, &whom, found, out)?;
                if readers.see(Feedback::Costs) {
                    misses(found, out)?;
                }
            }
            writeln!(out, "<h2>What it rolls</h2>")?;
            writeln!(out, "{picture}")
        })
    }

    fn record(&self, readers: Readers, out: &mut dyn Write) -> io::Result<()> {
        let own = &self.standing;
        let RankedEntrant { rank, wins, losses, ties, mean, .. } = own;
        writeln!(out, "<dl><dt>Rank</dt><dd>{rank} of {}</dd>", self.entrants)?;
        writeln!(
            out,
            "<dt>Wins</dt><dd>{wins}</dd><dt>Losses</dt><dd>{losses}</dd>\
             <dt>Ties</dt><dd>{ties}</dd>"
        )?;
        if readers.see(Feedback::Rates) {
            writeln!(out, "<dt>Mean win rate</dt><dd>{}</dd>", percent(*mean))?;
        }
        if let Some(points) = own.points {
            let most: f64 = own.steps.iter().map(|step| step.points).sum();
            writeln!(out, "<dt>Points</dt><dd>{points} of {most}</dd>")?;
        }
        if let Some(rate) = own.baseline.filter(|_| readers.see(Feedback::Rates)) {
            writeln!(out, "<dt>Win rate against the baseline</dt><dd>{}</dd>", percent(rate))?;
        }
        if own.late == Some(true) {
            writeln!(out, "<dt>Handed in</dt><dd>late</dd>")?;
        }
        if let Some(bid) = own.bid {
            writeln!(out, "<dt>Bid</dt><dd>{bid}</dd>")?;
        }
        if readers.audience == Audience::Staff && !self.same.is_empty() {
            writeln!(out, "<dt>Plays the same</dt><dd>{}</dd>", listed(&self.same))?;
        }
        writeln!(out, "</dl>")?;
        if own.steps.is_empty() {
            return Ok(());
        }
        writeln!(out, "<ul>")?;
        for PointsStep { words, points, reached, rate } in &own.steps {
            let given = if *reached { *points } else { 0.0 };
            let rate = rate.filter(|_| readers.see(Feedback::Rates));
            let rate = rate.map_or_else(String::new, |rate| format!(" ({})", percent(rate)));
            let not = if *reached { "" } else { ", not reached" };
            writeln!(out, "<li>{given} of {points}{not}: {}{rate}</li>", html(words))?;
        }
        writeln!(out, "</ul>")
    }

    fn opponents(
        &self,
        names: Option<&FileNames>,
        labels: &Labels,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.meetings.is_empty() {
            return Ok(());
        }
        let all = self.meetings.len();
        let title =
            if all > SHOWN { "The opponents it wins least against" } else { "Its opponents" };
        writeln!(
            out,
            "<h2>{title}</h2>\n<div class=\"wide\"><table><thead><tr><th \
             scope=\"col\">Opponent</th>"
        )?;
        // An opponent that is seen as its rank has no other.
        let headings = ["Rank", "Win rate", "Moving first", "Moving second"];
        for heading in headings.iter().skip(usize::from(labels.are_ranks())) {
            writeln!(out, "<th scope=\"col\" class=\"n\">{heading}</th>")?;
        }
        writeln!(out, "</tr></thead><tbody>")?;
        for Meeting { name: other, rank, win_rate, first, second } in
            self.meetings.iter().take(SHOWN)
        {
            let shown = match names {
                Some(names) => {
                    format!("<a href=\"{}.html\">{}</a>", html(names.get(other)), name(other))
                }
                None => name(labels.get(other)),
            };
            let rank = if labels.are_ranks() {
                String::new()
            } else {
                format!("<td class=\"n\">{rank}</td>")
            };
            writeln!(
                out,
                "<tr><td class=\"name\">{shown}</td>{rank}\
                 <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                percent(*win_rate),
                percent(*first),
                percent(*second)
            )?;
        }
        writeln!(out, "</tbody></table></div>")
    }
}

impl ContestAnswer {
    /// Writes the page of one that could not take part: the reason.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn rejected_html(&self, one: &RejectedEntrant, out: &mut dyn Write) -> io::Result<()> {
        let contest = self.heading();
        page::write(out, &format!("{}: {contest}", one.name), |out| {
            writeln!(out, "<p><a href=\"index.html\">{}</a></p>", html(&contest))?;
            writeln!(out, "<h1>{}</h1>", name(&one.name))?;
            let reason = html(&one.reason);
            writeln!(out, "<p>It could not take part: <span class=\"bad\">{reason}</span></p>")?;
            match self.points {
                Some(_) => writeln!(out, "<p>It gets 0 points.</p>"),
                None => Ok(()),
            }
        })
    }
}

/// The columns of the scores that cost most, with their classes.
const MISS_COLUMNS: [(&str, &str); 7] = [
    ("Its score", "n"),
    ("Opponent", "n"),
    ("Rolls", "n"),
    ("Best", ""),
    ("Why", ""),
    ("Met", "n"),
    ("Costs", "n"),
];

fn rate_and_best(title: &str, whom: &str, found: &Misses, out: &mut dyn Write) -> io::Result<()> {
    if found.opponents.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>{title}</h2>")?;
    let more = (found.best_response - found.win_rate).max(0.0) * 100.0;
    let rate = percent(found.win_rate);
    let best = percent(found.best_response);
    if found.opponents.len() == 1 {
        let best = format!("The best possible is {best}, {more:.2} percentage points more.");
        return writeln!(out, "<p>It wins {rate} against {whom}. {best}</p>");
    }
    writeln!(out, "<p>It wins {rate} on average against {whom}.")?;
    writeln!(
        out,
        "Whoever knew which of them it meets could win {best}, {more:.2} percentage points more; \
         no single strategy need reach that.</p>"
    )
}

fn misses(found: &Misses, out: &mut dyn Write) -> io::Result<()> {
    if found.opponents.is_empty() {
        return Ok(());
    }
    if found.worst.is_empty() {
        return writeln!(out, "<p>It loses nothing at any score.</p>");
    }
    writeln!(
        out,
        "<div class=\"wide\"><table><caption>The scores that cost most</caption><thead><tr>"
    )?;
    for (heading, class) in MISS_COLUMNS {
        writeln!(out, "<th scope=\"col\" class=\"{class}\">{heading}</th>")?;
    }
    writeln!(out, "</tr></thead><tbody>")?;
    for miss in &found.worst {
        writeln!(
            out,
            "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td \
             class=\"n\">{}</td><td>{}</td><td>{}</td>\
             <td class=\"n\">{:.4}</td><td class=\"n\">{:.3}</td></tr>",
            miss.score,
            miss.opponent,
            miss.dice,
            either(&miss.best),
            html(&miss.why),
            miss.met,
            miss.loss * 100.0
        )?;
    }
    writeln!(out, "</tbody></table></div>")?;
    writeln!(
        out,
        "<p class=\"soft\">Met: how often in a game. Costs: how many percentage points of the \
         win rate are lost there.</p>"
    )
}
