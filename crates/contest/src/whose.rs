//! Who handed a submission in and when: the roster, Gradescope's list, and the names of files and
//! folders together.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::gradescope::Submitter;
use super::invitation::Invitation;
use super::keys::{Key, KeyKind};
use super::naming::clean;
use super::roster::{Owner, Roster, RosterError, RosterLines, folded, written_names};
use super::submissions::Submission;
use super::time::Time;

/// Who handed a submission in and when, as far as the system that collected it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandIn {
    /// The people whose work it is.
    pub people: Vec<Student>,
    /// Its number at the system that collected it.
    pub id: Option<String>,
    /// When it was handed in.
    pub at: Option<String>,
    /// Whether it is late.
    pub late: Option<bool>,
    /// Whether it is rejected since it is late: another submission of its people counts in its
    /// place.
    pub is_refused: bool,
    /// Why it cannot be told whose it is.
    pub unclear: Option<String>,
    /// The lines of the roster of the people whose it may be, if it cannot be told.
    pub may_be: Vec<usize>,
}

/// A person whose work a submission is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Student {
    /// The name, by the roster or else by Gradescope's list.
    pub name: String,
    /// The student number, if it is known.
    pub sid: String,
    /// The address, if it is known.
    pub email: String,
    /// The person's line in the roster.
    pub line: Option<usize>,
}

impl HandIn {
    /// Returns the names of its people.
    pub(super) fn names(&self) -> Option<String> {
        let mut names: Vec<&str> = self.people.iter().map(|person| person.name.as_str()).collect();
        names.retain(|name| !name.is_empty());
        // Both submitters of a team that is one line of the roster have its name.
        names.dedup();
        Some(clean(&names.join(" and "))).filter(|names| !names.is_empty())
    }

    pub(super) fn is_on_roster(&self) -> bool {
        self.people.iter().any(|person| person.line.is_some())
    }

    /// Whether somebody whose work it is is not on the roster, as far as that is clear.
    pub(super) fn is_off_roster(&self) -> bool {
        let is_known = self.people.iter().all(|person| person.line.is_some());
        self.unclear.is_none() && (self.people.is_empty() || !is_known)
    }

    /// Returns the time at which it was handed in, if it can be read.
    fn time(&self) -> Option<Time> {
        self.at.as_ref().and_then(|at| at.parse().ok())
    }

    /// Returns the same time in seconds since 1970.
    pub(super) fn seconds(&self) -> Option<i64> {
        self.time().map(|at| at.seconds())
    }

    /// Returns why it is rejected if late ones are.
    pub(super) fn refusal(&self, deadline: Option<&Time>) -> Option<String> {
        if self.late != Some(true) {
            return None;
        }
        Some(match self.time().zip(deadline) {
            Some((at, deadline)) => format!(
                "it was handed in {} late: at {}, after {}",
                at.since(deadline),
                at.shown(),
                deadline.shown()
            ),
            None => "it was handed in late".to_owned(),
        })
    }
}

/// The people of a course.
pub(super) struct Registry {
    roster: Roster,
}

impl Registry {
    /// Reads a roster if there is one.
    pub fn read(path: Option<&Path>) -> Result<Self, RosterError> {
        Ok(Self { roster: path.map(Roster::read).transpose()?.unwrap_or_default() })
    }

    /// Returns whose a submission is: its submitters by Gradescope's list, or else the people to
    /// whom its name belongs.
    pub fn hand_in(&self, one: &Submission, invitation: &Invitation) -> HandIn {
        let listed = &one.listed;
        let mut found =
            HandIn { id: one.collected.id.clone(), late: one.collected.late, ..HandIn::default() };
        found.at.clone_from(&listed.created_at);
        let at = listed.created_at.as_ref().and_then(|at| at.parse::<Time>().ok());
        if let Some((at, deadline)) = at.zip(invitation.deadline.as_ref()) {
            found.late = Some(at.is_after(deadline));
        }
        for submitter in &listed.submitters {
            let Submitter { name, sid, email } = submitter.clone();
            let mut person = Student { name, sid, email, line: None };
            match self.roster.owner_by(&keys(submitter)) {
                // A person is one, even where a team shares a cell.
                Owner::People(lines) if lines.len() == 1 => {
                    person = self.with_line(person, lines[0])
                }
                Owner::People(_) | Owner::Unknown => {}
                Owner::Unclear(lines, reason) => found.doubt(lines, reason),
            }
            if !found.people.contains(&person) {
                found.people.push(person);
            }
        }
        if !found.is_on_roster() && found.unclear.is_none() {
            match self.roster.owner(&one.collected.readings) {
                Owner::People(lines) => {
                    found.people = lines
                        .iter()
                        .map(|line| self.with_line(Student::default(), *line))
                        .collect();
                }
                Owner::Unknown => {}
                Owner::Unclear(lines, reason) => found.doubt(lines, reason),
            }
        }
        found
    }

    /// Returns a person with what the roster says of them.
    fn with_line(&self, mut person: Student, line: usize) -> Student {
        self.roster.name(line).clone_into(&mut person.name);
        person.line = Some(line);
        if person.sid.is_empty() {
            person.sid = self.roster.cell(line, KeyKind::Sid).to_owned();
        }
        if person.email.is_empty() {
            person.email = self.roster.cell(line, KeyKind::Email).to_owned();
        }
        person
    }

    /// Returns the students who handed in nothing, not even something of which it is unclear
    /// whether it is theirs.
    pub fn absent(&self, hand_ins: &[HandIn]) -> Vec<String> {
        let mut found = Vec::new();
        for one in hand_ins {
            found.extend(one.people.iter().filter_map(|person| person.line));
            found.extend(&one.may_be);
        }
        self.roster.absent(&found)
    }

    pub fn into_lines(self) -> RosterLines {
        self.roster.into_lines()
    }
}

impl HandIn {
    fn doubt(&mut self, lines: Vec<usize>, reason: String) {
        self.may_be.extend(lines);
        self.unclear.get_or_insert(format!("whose it is: {reason}"));
    }
}

fn keys(submitter: &Submitter) -> Vec<Key> {
    let Submitter { name, sid, email } = submitter;
    let keys = [(KeyKind::Sid, sid), (KeyKind::Email, email), (KeyKind::Name, name)];
    keys.into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(kind, text)| Key::new(kind, text))
        .collect()
}

/// The names that only some submissions may give themselves: those of people, and of other
/// entrants' files.
pub(super) struct NameClaims {
    /// The submissions that may use a name, by its letters and digits.
    of: HashMap<String, HashSet<usize>>,
}

impl NameClaims {
    pub fn of(registry: &Registry, all: &[Submission], hand_ins: &[HandIn]) -> Self {
        let mut of: HashMap<String, HashSet<usize>> = HashMap::new();
        for name in registry.roster.names() {
            for name in claims(name) {
                of.entry(name).or_default();
            }
        }
        for (at, (one, hand_in)) in all.iter().zip(hand_ins).enumerate() {
            let names = hand_in.people.iter().flat_map(|person| claims(&person.name));
            let file = one.file.as_deref().map(Path::new);
            let files =
                file.map_or([None; 2], |path| [Some(path), path.file_name().map(Path::new)]);
            for name in names
                .chain(hand_in.names().map(|names| claimed(&names)))
                .chain([claimed(&one.shown_label())])
                .chain(files.into_iter().flatten().map(|path| claimed(&path.to_string_lossy())))
            {
                of.entry(name).or_default().insert(at);
            }
        }
        Self { of }
    }

    /// Whether the submission at an index may give itself a name.
    pub fn may_use(&self, name: &str, at: usize) -> bool {
        self.of.get(&claimed(name)).is_none_or(|owners| owners.contains(&at))
    }
}

/// The ways to write a person's name, as [`claimed`]: any of its words may come first.
fn claims(name: &str) -> Vec<String> {
    [vec![claimed(name)], written_names(name)].concat()
}

fn claimed(name: &str) -> String {
    let letters = folded(name);
    if letters.is_empty() { name.to_owned() } else { letters }
}
