//! The gradebook of a contest: a line for each person of the roster, in its order and with its
//! cells, then for those who are not on it.

use super::{HandIn, PlayedContest, Student};

/// The results of a contest for a gradebook: a line for each person. It is written as CSV, not as
/// JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gradebook {
    /// The headings.
    pub headings: Vec<String>,
    /// The lines, with a cell for each heading.
    pub lines: Vec<Vec<String>>,
}

/// The columns that a contest adds to those of the roster. A column of the roster with the same
/// heading is replaced, so that a gradebook may be the roster of the next run.
const ADDED: [&str; 11] = [
    "Submission ID",
    "Submitted At",
    "Late",
    "Rank",
    "Wins",
    "Losses",
    "Ties",
    "Mean",
    "Points",
    "Report",
    "Note",
];

/// A submission: who handed it in, and what the contest adds to their lines.
struct Row<'c> {
    name: &'c str,
    hand_in: &'c HandIn,
    /// The cells of the added columns.
    cells: [String; ADDED.len()],
}

impl PlayedContest {
    /// Returns the results by people: a line for each person of the roster, and for those who are
    /// not on it. `page` returns the file of an entrant's report, if there is one.
    pub fn gradebook(&self, page: impl Fn(&str) -> Option<String>) -> Gradebook {
        let roster = &self.field.roster;
        let results = results(self, page);
        let is_added =
            |heading: &str| ADDED.iter().any(|added| added.eq_ignore_ascii_case(heading));
        let kept: Vec<usize> =
            (0..roster.headings.len()).filter(|at| !is_added(&roster.headings[*at])).collect();
        let people = || results.iter().flat_map(|result| &result.hand_in.people);
        // What only Gradescope's list says comes after the roster's own columns.
        let adds = |column: Option<usize>, text: &dyn Fn(&Student) -> bool| {
            column.is_none() && people().any(text)
        };
        let own = [
            roster.headings.is_empty().then_some("Name"),
            adds(roster.sid_column, &|person| !person.sid.is_empty()).then_some("SID"),
            adds(roster.email_column, &|person| !person.email.is_empty()).then_some("Email"),
        ];
        let mut headings: Vec<String> =
            kept.iter().map(|at| roster.headings[*at].clone()).collect();
        headings.extend(own.into_iter().flatten().chain(ADDED).map(str::to_owned));
        let line = |cells: Option<&[String]>, person: &Student, added: [String; ADDED.len()]| {
            let known = |at: usize| match cells {
                Some(cells) => cells[at].clone(),
                None if Some(at) == roster.name_column => person.name.clone(),
                None if Some(at) == roster.sid_column => person.sid.clone(),
                None if Some(at) == roster.email_column => person.email.clone(),
                None => String::new(),
            };
            let mut line: Vec<String> = kept.iter().map(|at| known(*at)).collect();
            let texts = [&person.name, &person.sid, &person.email];
            line.extend(
                own.iter()
                    .zip(texts)
                    .filter(|(own, _)| own.is_some())
                    .map(|(_, text)| text.clone()),
            );
            line.extend(added);
            line
        };
        let mut lines = Vec::new();
        for (at, one) in roster.lines.iter().enumerate() {
            let is_theirs = |person: &&Student| person.line == Some(at);
            let own: Vec<&Row> = results
                .iter()
                .filter(|result| result.hand_in.people.iter().any(|person| person.line == Some(at)))
                .collect();
            let person = people()
                .find(is_theirs)
                .cloned()
                .unwrap_or_else(|| Student { name: one.name.clone(), ..Student::default() });
            let added = match &own[..] {
                [only] => only.cells.clone(),
                [] => {
                    let may_be = results.iter().find(|result| result.hand_in.may_be.contains(&at));
                    noted(match may_be {
                        Some(result) => format!(
                            "may have handed in {}; {}",
                            result.name,
                            unclear(result.hand_in)
                        ),
                        None if one.is_staff => String::new(),
                        None => "nothing handed in".to_owned(),
                    })
                }
                several => {
                    let names: Vec<&str> = several.iter().map(|result| result.name).collect();
                    noted(format!(
                        "{} submissions, none of them counted: {}",
                        names.len(),
                        names.join(", ")
                    ))
                }
            };
            lines.push(line(Some(&one.cells), &person, added));
        }
        for result in &results {
            let nobody = [Student { name: result.name.to_owned(), ..Student::default() }];
            let people =
                if result.hand_in.people.is_empty() { &nobody[..] } else { &result.hand_in.people };
            for person in people.iter().filter(|person| person.line.is_none()) {
                let mut added = result.cells.clone();
                if !roster.headings.is_empty() && result.hand_in.unclear.is_none() {
                    note(&mut added, "not on the roster");
                }
                lines.push(line(None, person, added));
            }
        }
        // Columns of which nothing is known are left out, except for those that every gradebook
        // has.
        let first = headings.len() - ADDED.len();
        let is_needed = |at: usize| {
            at < first
                || ["Rank", "Note"].contains(&&*headings[at])
                || lines.iter().any(|line| !line[at].is_empty())
        };
        let needed: Vec<bool> = (0..headings.len()).map(is_needed).collect();
        let chosen = |cells: Vec<String>| {
            cells
                .into_iter()
                .zip(&needed)
                .filter(|(_, needed)| **needed)
                .map(|(cell, _)| cell)
                .collect()
        };
        let lines = lines.into_iter().map(chosen).collect();
        Gradebook { headings: chosen(headings), lines }
    }
}

/// Returns the submissions, without the strategies given by name.
fn results(contest: &PlayedContest, page: impl Fn(&str) -> Option<String>) -> Vec<Row<'_>> {
    let PlayedContest { answer, field, standings, .. } = contest;
    let added = |hand_in: &HandIn, result: [String; 7], text: &str| {
        let late = hand_in.late.map_or("", |late| if late { "yes" } else { "no" });
        let text = [unclear(hand_in), text]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("; ");
        let [rank, wins, losses, ties, mean, points, page] = result;
        let id = hand_in.id.clone().unwrap_or_default();
        let at = hand_in.at.clone().unwrap_or_default();
        [id, at, late.to_owned(), rank, wins, losses, ties, mean, points, page, text]
    };
    let mut results = Vec::new();
    for (standing, row) in
        standings.ranking.iter().zip(&answer.ranking).filter(|(_, row)| row.file.is_some())
    {
        let hand_in = &field.entrants[standing.entrant].hand_in;
        let numbers = [row.rank, row.wins, row.losses, row.ties].map(|number| number.to_string());
        let [rank, wins, losses, ties] = numbers;
        let points = row.points.map(|points| points.to_string()).unwrap_or_default();
        let cells = [
            rank,
            wins,
            losses,
            ties,
            row.mean.to_string(),
            points,
            page(&row.name).unwrap_or_default(),
        ];
        results.push(Row { name: &row.name, hand_in, cells: added(hand_in, cells, "") });
    }
    for one in &field.rejected {
        let mut cells = [const { String::new() }; 7];
        if answer.points.is_some() {
            cells[5] = "0".to_owned();
        }
        let text = format!("could not take part: {}", one.reason);
        results.push(Row {
            name: &one.name,
            hand_in: &one.hand_in,
            cells: added(&one.hand_in, cells, &text),
        });
    }
    results
}

fn unclear(hand_in: &HandIn) -> &str {
    hand_in.unclear.as_deref().unwrap_or_default()
}

/// Returns cells with a note alone.
fn noted(text: String) -> [String; ADDED.len()] {
    let mut cells = [const { String::new() }; ADDED.len()];
    cells[ADDED.len() - 1] = text;
    cells
}

/// Adds to the note.
fn note(cells: &mut [String; ADDED.len()], text: &str) {
    let last = &mut cells[ADDED.len() - 1];
    *last = if last.is_empty() { text.to_owned() } else { format!("{last}; {text}") };
}
