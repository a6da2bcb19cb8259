//! The gradebook of a contest: a line for each person of the roster, in its order and with its
//! cells, then for those who are not on it.

use super::answer::PersonPoints;
use super::{HandIn, PlayedContest, RosterLines, Student};

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

/// A roster with points in one of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GradedRoster {
    /// The lines, from the headings on.
    pub records: Vec<Vec<String>>,
    /// What stands between the cells of a line.
    pub separator: u8,
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
struct GradeRow<'c> {
    name: &'c str,
    hand_in: &'c HandIn,
    /// The cells of the added columns.
    cells: [String; ADDED.len()],
}

/// What the contest adds to the line of a person.
struct GradeLine {
    /// The person's line in the roster; `None` if there is none.
    at: Option<usize>,
    person: Student,
    added: [String; ADDED.len()],
}

impl PlayedContest {
    /// Returns the results by people: a line for each person of the roster, and for those who are
    /// not on it. `page` returns the file of an entrant's report, if there is one.
    pub fn gradebook(&self, page: impl Fn(&str) -> Option<String>) -> Gradebook {
        let roster = &self.field.roster;
        let results = results(self, page);
        let columns = PersonColumns::of(roster, &results);
        let mut lines = Vec::new();
        for GradeLine { at, person, added } in self.grade_lines(&results) {
            let cells = match at {
                Some(at) => &roster.lines[at].cells,
                None => &cells_of(&person, roster),
            };
            lines.push(columns.line(cells, &person, added));
        }
        Gradebook { headings: columns.headings(), lines }.without_empty()
    }

    /// Returns the points of each person, as the gradebook has them; of the staff only those with
    /// points.
    pub(super) fn people(&self) -> Vec<PersonPoints> {
        let roster = &self.field.roster;
        let mut people = Vec::new();
        for GradeLine { at, person, added: [.., points, _, _] } in
            self.grade_lines(&results(self, |_| None))
        {
            let points = points.parse().ok();
            if points.is_some() || !at.is_some_and(|at| roster.lines[at].is_staff) {
                people.push(PersonPoints { name: person.name, points });
            }
        }
        people
    }

    fn grade_lines(&self, results: &[GradeRow]) -> Vec<GradeLine> {
        let roster = &self.field.roster;
        let mut lines = Vec::new();
        for (at, one) in roster.lines.iter().enumerate() {
            let mut people = results.iter().flat_map(|result| &result.hand_in.people);
            let person = people.find(|person| person.line == Some(at)).cloned();
            let person =
                person.unwrap_or_else(|| Student { name: one.name.clone(), ..Student::default() });
            let added = added_to(results, at, one.is_staff);
            lines.push(GradeLine { at: Some(at), person, added });
        }
        for result in results {
            let nobody = [Student { name: result.name.to_owned(), ..Student::default() }];
            let people =
                if result.hand_in.people.is_empty() { &nobody[..] } else { &result.hand_in.people };
            for person in people.iter().filter(|person| person.line.is_none()) {
                let mut added = result.cells.clone();
                if !roster.headings.is_empty() && result.hand_in.unclear.is_none() {
                    note(&mut added, "not on the roster");
                }
                lines.push(GradeLine { at: None, person: person.clone(), added });
            }
        }
        lines
    }
}

impl PlayedContest {
    /// Returns the roster as it was written, with the points of each person in one of its columns:
    /// a file that the system which exported the roster imports. Cells of those of whom there are
    /// no points stay as they are.
    pub fn graded_roster(&self, column: usize) -> GradedRoster {
        let roster = &self.field.roster;
        let results = results(self, |_| None);
        let mut records = roster.records.clone();
        for (at, one) in roster.lines.iter().enumerate() {
            let [.., points, _, _] = added_to(&results, at, one.is_staff);
            let record = &mut records[one.record];
            if !points.is_empty() {
                record.resize(record.len().max(column + 1), String::new());
                record[column] = points;
            }
        }
        GradedRoster { records, separator: roster.separator }
    }
}

impl Gradebook {
    /// Leaves out the added columns of which nothing is known, except for those that every
    /// gradebook has.
    fn without_empty(mut self) -> Self {
        let first = self.headings.len() - ADDED.len();
        for at in (first..self.headings.len()).rev() {
            let is_fixed = ["Rank", "Note"].contains(&&*self.headings[at]);
            if !is_fixed && self.lines.iter().all(|line| line[at].is_empty()) {
                self.headings.remove(at);
                for line in &mut self.lines {
                    line.remove(at);
                }
            }
        }
        self
    }
}

/// The columns before those that a contest adds.
struct PersonColumns<'c> {
    roster: &'c RosterLines,
    /// The columns of the roster that stay.
    kept: Vec<usize>,
    /// Whether names, student numbers and addresses follow: what only Gradescope's list says.
    has_name: bool,
    has_sid: bool,
    has_email: bool,
}

impl<'c> PersonColumns<'c> {
    fn of(roster: &'c RosterLines, results: &[GradeRow]) -> Self {
        let mut kept = Vec::new();
        for (at, heading) in roster.headings.iter().enumerate() {
            if !ADDED.iter().any(|added| added.eq_ignore_ascii_case(heading)) {
                kept.push(at);
            }
        }
        let people: Vec<&Student> =
            results.iter().flat_map(|result| &result.hand_in.people).collect();
        Self {
            roster,
            kept,
            has_name: roster.headings.is_empty(),
            has_sid: roster.sid_column.is_none()
                && people.iter().any(|person| !person.sid.is_empty()),
            has_email: roster.email_column.is_none()
                && people.iter().any(|person| !person.email.is_empty()),
        }
    }

    fn headings(&self) -> Vec<String> {
        let added = ADDED.map(str::to_owned);
        let heads =
            Student { name: "Name".into(), sid: "SID".into(), email: "Email".into(), line: None };
        self.line(&self.roster.headings, &heads, added)
    }

    /// Returns a line: the cells of the roster, a person's texts, and what the contest adds.
    fn line(
        &self,
        cells: &[String],
        person: &Student,
        added: [String; ADDED.len()],
    ) -> Vec<String> {
        let mut line: Vec<String> = self.kept.iter().map(|at| cells[*at].clone()).collect();
        line.extend(self.has_name.then(|| person.name.clone()));
        line.extend(self.has_sid.then(|| person.sid.clone()));
        line.extend(self.has_email.then(|| person.email.clone()));
        line.extend(added);
        line
    }
}

/// Returns the cells of a person who is not on the roster.
fn cells_of(person: &Student, roster: &RosterLines) -> Vec<String> {
    let mut cells = vec![String::new(); roster.headings.len()];
    for (column, text) in [
        (roster.email_column, &person.email),
        (roster.sid_column, &person.sid),
        (roster.name_column, &person.name),
    ] {
        if let Some(column) = column {
            cells[column].clone_from(text);
        }
    }
    cells
}

/// Returns what the contest adds to a line of the roster.
fn added_to(results: &[GradeRow], at: usize, is_staff: bool) -> [String; ADDED.len()] {
    let mut own = Vec::new();
    for result in results {
        if result.hand_in.people.iter().any(|person| person.line == Some(at)) {
            own.push(result);
        }
    }
    if own.iter().any(|one| !one.hand_in.is_refused) {
        own.retain(|one| !one.hand_in.is_refused);
    }
    match &own[..] {
        [only] => only.cells.clone(),
        [] => {
            let may_be = results.iter().find(|result| result.hand_in.may_be.contains(&at));
            noted(match may_be {
                Some(result) => {
                    format!("may have handed in {}; {}", result.name, unclear(result.hand_in))
                }
                None if is_staff => String::new(),
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
    }
}

/// Returns the submissions, without the strategies given by name.
fn results(contest: &PlayedContest, page: impl Fn(&str) -> Option<String>) -> Vec<GradeRow<'_>> {
    let PlayedContest { answer, field, standings, .. } = contest;
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
        results.push(GradeRow { name: &row.name, hand_in, cells: added(hand_in, cells) });
    }
    for one in &field.rejected {
        let mut cells = [const { String::new() }; 7];
        if answer.points.is_some() {
            cells[5] = "0".to_owned();
        }
        cells[6] = page(&one.name).unwrap_or_default();
        let mut cells = added(&one.hand_in, cells);
        note(&mut cells, &format!("could not take part: {}", one.reason));
        results.push(GradeRow { name: &one.name, hand_in: &one.hand_in, cells });
    }
    results
}

/// Returns the added cells: what is known of the submission, and its result.
fn added(hand_in: &HandIn, result: [String; 7]) -> [String; ADDED.len()] {
    let [rank, wins, losses, ties, mean, points, page] = result;
    let id = hand_in.id.clone().unwrap_or_default();
    let at = hand_in.at.clone().unwrap_or_default();
    let late = hand_in.late.map_or("", |late| if late { "yes" } else { "no" }).to_owned();
    let text = unclear(hand_in).to_owned();
    [id, at, late, rank, wins, losses, ties, mean, points, page, text]
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
