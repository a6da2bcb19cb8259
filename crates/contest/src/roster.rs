//! The roster of a course in CSV, as Gradescope, Canvas, Moodle, GitHub Classroom or a spreadsheet
//! writes it.

use std::path::{Path, PathBuf};

use csv::StringRecord;
use unicode_normalization::UnicodeNormalization as _;

use crate::files;

use super::keys::{Key, KeyKind, NameReading, SEVERAL_WAYS};
use super::limits;
use super::naming::clean;

/// Why a roster cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the roster {}: {reason}", .path.display())]
pub struct RosterError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// The people of a course, with the texts that identify their submissions.
#[derive(Debug, Default)]
pub(super) struct Roster {
    headings: Vec<String>,
    columns: Vec<RosterColumn>,
    people: Vec<Person>,
    /// All lines of the file, from the headings on.
    records: Vec<Vec<String>>,
    separator: u8,
}

/// What a column holds, by its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RosterColumn {
    Key(KeyKind),
    /// Names of teams, or a heading that does not tell.
    Team,
    Other,
    Role,
}

/// A line of the roster.
#[derive(Debug)]
struct Person {
    name: String,
    /// The ways in which systems write the name, reduced to letters and digits.
    names: Vec<String>,
    cells: Vec<String>,
    is_staff: bool,
    /// The place of the line among those of the file, after the headings.
    at: usize,
}

/// The roster as it was written, for a gradebook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterLines {
    /// The headings.
    pub headings: Vec<String>,
    /// The lines of people.
    pub lines: Vec<RosterLine>,
    /// All lines of the file with their cells, also those of nobody, from the headings on.
    pub records: Vec<Vec<String>>,
    /// What stands between the cells of a line.
    pub separator: u8,
    /// The column of names, or the first of them.
    pub name_column: Option<usize>,
    /// The column of student numbers.
    pub sid_column: Option<usize>,
    /// The column of addresses.
    pub email_column: Option<usize>,
}

/// A person's line of a roster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterLine {
    /// The person's name.
    pub name: String,
    /// The cells, one for each heading.
    pub cells: Vec<String>,
    /// Whether the person hands nothing in.
    pub is_staff: bool,
    /// Its place in [`RosterLines::records`].
    pub record: usize,
}

impl RosterLines {
    /// Returns the column with a heading, or the only one whose heading begins with it: Canvas adds
    /// a number to the name of an assignment.
    pub fn column(&self, heading: &str) -> Option<usize> {
        if let Some(exact) = self.headings.iter().position(|known| known == heading) {
            return Some(exact);
        }
        let mut found =
            (0..self.headings.len()).filter(|at| self.headings[*at].starts_with(heading));
        found.next().filter(|_| found.next().is_none())
    }
}

/// Whose a submission is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Nobody's on the roster.
    Unknown,
    /// That of one person, or of a team.
    People(Vec<usize>),
    /// It cannot be told: whose it may be, and why.
    Unclear(Vec<usize>, String),
}

impl Roster {
    /// Reads a file with a line of headings: `name` (or `first name` and `last name`, or
    /// `identifier`), and any other columns, whose cells identify files, folders and
    /// submitters.
    pub fn read(path: &Path) -> Result<Self, RosterError> {
        Self::of_bytes(files::read(path, limits::ROSTER_BYTES))
            .map_err(|reason| RosterError { path: path.to_owned(), reason })
    }

    /// Reads the contents of a file. An encoding that is not declared would have to be guessed, and
    /// a wrong guess changes names.
    fn of_bytes(bytes: std::io::Result<Vec<u8>>) -> Result<Self, String> {
        let bytes = bytes.map_err(|error| error.to_string())?;
        let text = String::from_utf8(bytes).map_err(|_| NOT_UTF_8.to_owned())?;
        Self::of(&text)
    }

    fn of(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let separator = separator(text);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let headings: Vec<String> = match reader.headers() {
            Ok(headings) => headings.iter().map(str::to_owned).collect(),
            Err(error) => return Err(error.to_string()),
        };
        let known: Vec<String> = headings.iter().map(|heading| plain_heading(heading)).collect();
        let names = NameColumns::of(&known)?;
        let mut columns: Vec<RosterColumn> = known.iter().map(|heading| kind_of(heading)).collect();
        for at in [names.full, names.first, names.last].into_iter().flatten() {
            columns[at] = RosterColumn::Key(KeyKind::Name);
        }
        let role = columns.iter().position(|column| *column == RosterColumn::Role);
        let mut people = Vec::new();
        for (at, record) in reader.records().enumerate() {
            let record = record.map_err(|error| error.to_string())?;
            // After a quote that is not closed, the lines that follow would be one cell.
            if record.iter().any(|cell| cell.contains('\n')) {
                let line = record.position().map_or(0, csv::Position::line);
                return Err(format!(
                    "line {line}: a cell in quotes goes on in the next line: close its quotes"
                ));
            }
            let name = names.name(&record);
            // The second line of Canvas' gradebook.
            let Some(name) = name.filter(|name| name != "Points Possible") else { continue };
            let is_test = ["Student, Test", "Test Student"].contains(&&*name);
            let is_staff = is_test || is_staff(cell(&record, role));
            let cells = (0..headings.len()).map(|at| cell(&record, Some(at)).to_owned()).collect();
            people.push(Person { names: written_names(&name), name, cells, is_staff, at });
        }
        let mut as_written = csv::ReaderBuilder::new();
        as_written.delimiter(separator).flexible(true).has_headers(false);
        let as_written = as_written.from_reader(text.as_bytes());
        let mut records = Vec::with_capacity(people.len());
        for record in as_written.into_records().flatten() {
            records.push(record.iter().map(str::to_owned).collect());
        }
        Ok(Self { headings, columns, people, records, separator })
    }

    /// Returns whose a submission is by the readings of its name.
    pub fn owner(&self, readings: &[NameReading]) -> Owner {
        let mut owner = Owner::Unknown;
        let mut doubt = None;
        for reading in readings {
            let found = match self.owner_by(&reading.keys) {
                Owner::Unknown => continue,
                Owner::People(found) => found,
                unclear @ Owner::Unclear(..) => return unclear,
            };
            let is_unnamed = reading.asks_for_name && !self.bear_name(&found, &reading.keys);
            let doubts = reading.doubt.or(is_unnamed.then_some(SEVERAL_WAYS));
            owner = match owner {
                Owner::People(known) if known != found => {
                    let both = format!(
                        "its name may be read as that of {} or of {}",
                        self.all(&known),
                        self.all(&found)
                    );
                    return Owner::Unclear([known, found].concat(), both);
                }
                Owner::People(known) => {
                    doubt = doubt.filter(|_| doubts.is_some());
                    Owner::People(known)
                }
                _ => {
                    doubt = doubts;
                    Owner::People(found)
                }
            };
        }
        match (owner, doubt) {
            (Owner::People(found), Some(doubt)) => {
                let reason = format!("it may be that of {}: {doubt}", self.all(&found));
                Owner::Unclear(found, reason)
            }
            (owner, _) => owner,
        }
    }

    /// Returns the person, or the team, to whom all keys of one reading belong, as far as they
    /// belong to anyone. A key found in a column of its kind counts before those found in
    /// columns whose headings say nothing, and before names.
    pub fn owner_by(&self, keys: &[Key]) -> Owner {
        let mut sure = Vec::new();
        let mut others = Vec::new();
        // A name that several people bear leaves the submission unclear, unless a key that comes
        // before names tells whose it is.
        let mut namesakes = None;
        for key in keys {
            let (found, is_sure) = self.lookup(key);
            let is_of_one = key.kind == KeyKind::Name || self.is_name_of(&key.text, &found);
            let may_be_team =
                matches!(key.kind, KeyKind::Whole | KeyKind::GithubUser | KeyKind::Submission);
            match found.len() {
                0 => continue,
                2.. if is_of_one || (is_sure && !may_be_team) => {
                    let reason =
                        format!("`{}` is that of {} on the roster", key.text, self.all(&found));
                    if !is_of_one {
                        return Owner::Unclear(found, reason);
                    }
                    namesakes.get_or_insert(Owner::Unclear(found, reason));
                }
                // What more people share than a team has, such as a section, identifies nobody, and
                // neither does a number that several share, such as a year.
                2.. if !may_be_team || found.len() > limits::TEAM || is_number(&key.text) => {
                    continue;
                }
                _ if is_sure => sure.push((key, found)),
                _ => others.push((key, found)),
            }
        }
        if !sure.is_empty() {
            return self.common_owner(&sure);
        }
        if let Some(unclear) = namesakes {
            return unclear;
        }
        let owner = self.common_owner(&others);
        let is_by_name = others.iter().all(|(key, _)| key.kind == KeyKind::Name);
        match owner {
            Owner::People(owners) if is_by_name => self.unless_contradicted(keys, owners),
            owner => owner,
        }
    }

    /// Returns those to whom a name belongs, unless they have other texts than another key's.
    fn unless_contradicted(&self, keys: &[Key], owners: Vec<usize>) -> Owner {
        let Some(key) = keys.iter().find(|key| self.contradicts(key, &owners)) else {
            return Owner::People(owners);
        };
        let names = self.all(&owners);
        let reason = format!("it bears the name of {names}, but `{}` is not theirs", key.text);
        Owner::Unclear(owners, reason)
    }

    /// Returns the people to whom all of the keys belong.
    fn common_owner(&self, found: &[(&Key, Vec<usize>)]) -> Owner {
        let Some(((first, all), rest)) = found.split_first() else { return Owner::Unknown };
        let mut owners = all.clone();
        for (key, other) in rest {
            let both: Vec<usize> =
                owners.iter().copied().filter(|place| other.contains(place)).collect();
            if both.is_empty() {
                let reason = format!(
                    "`{}` is that of {} on the roster, and `{}` is that of {}",
                    first.text,
                    self.all(all),
                    key.text,
                    self.all(other)
                );
                return Owner::Unclear([&owners[..], other].concat(), reason);
            }
            owners = both;
        }
        Owner::People(owners)
    }

    /// Returns the people to whom a key belongs, and whether it is in a column of its kind.
    fn lookup(&self, key: &Key) -> (Vec<usize>, bool) {
        let own = RosterColumn::Key(key.kind);
        match key.kind {
            KeyKind::Name => {
                let name = folded(&key.text);
                (self.those_who(|person| person.names.contains(&name)), false)
            }
            KeyKind::Submission => (self.with(key, |column| column == own), true),
            KeyKind::Whole => {
                let mut found = self.with(key, |column| column != RosterColumn::Role);
                // `Cem_Nguyen` is how Cem Nguyen may be written as a file.
                let name = folded(&key.text);
                found.extend(self.those_who(|person| person.names.contains(&name)));
                found.sort_unstable();
                found.dedup();
                (found, false)
            }
            KeyKind::GithubUser if self.columns.contains(&own) => {
                (self.with(key, |column| [own, RosterColumn::Team].contains(&column)), true)
            }
            _ if self.columns.contains(&own) => (self.with(key, |column| column == own), true),
            KeyKind::Email => (self.with(key, |column| column == RosterColumn::Other), false),
            _ => (self.with(key, |column| column.may_hold(key.kind)), false),
        }
    }

    /// Returns the people with the text of a key in one of the columns.
    fn with(&self, key: &Key, columns: impl Fn(RosterColumn) -> bool) -> Vec<usize> {
        self.those_who(|person| {
            let mut cells = self.columns.iter().zip(&person.cells);
            cells.any(|(column, cell)| columns(*column) && holds(cell, key))
        })
    }

    fn those_who(&self, is_one: impl Fn(&Person) -> bool) -> Vec<usize> {
        (0..self.people.len()).filter(|place| is_one(&self.people[*place])).collect()
    }

    /// Whether one of the people bears a name among the keys.
    fn bear_name(&self, people: &[usize], keys: &[Key]) -> bool {
        let mut names = keys.iter().filter(|key| key.kind == KeyKind::Name);
        names.any(|key| {
            let name = folded(&key.text);
            people.iter().any(|place| self.people[*place].names.contains(&name))
        })
    }

    /// Whether the people have other texts than the key's in the column of its kind.
    fn contradicts(&self, key: &Key, people: &[usize]) -> bool {
        if matches!(key.kind, KeyKind::Name | KeyKind::Whole | KeyKind::Submission) {
            return false;
        }
        let own = RosterColumn::Key(key.kind);
        people.iter().all(|place| {
            let mut cells = self.columns.iter().zip(&self.people[*place].cells);
            cells.any(|(column, cell)| *column == own && !cell.is_empty() && !holds(cell, key))
        })
    }

    fn is_name_of(&self, text: &str, people: &[usize]) -> bool {
        let name = folded(text);
        people.iter().any(|place| self.people[*place].names.contains(&name))
    }

    /// Returns the names of people, for messages.
    fn all(&self, people: &[usize]) -> String {
        let names: Vec<&str> = people.iter().take(3).map(|place| self.name(*place)).collect();
        let more = people.len() - names.len();
        names.join(" and ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
    }

    pub fn name(&self, place: usize) -> &str {
        &self.people[place].name
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.people.iter().map(|person| person.name.as_str())
    }

    /// Returns the cell of a person in the column of a kind; empty if there is none.
    pub fn cell(&self, place: usize, kind: KeyKind) -> &str {
        self.column(kind).map_or("", |column| &self.people[place].cells[column])
    }

    fn column(&self, kind: KeyKind) -> Option<usize> {
        self.columns.iter().position(|column| *column == RosterColumn::Key(kind))
    }

    pub fn into_lines(self) -> RosterLines {
        let [name, sid, email] =
            [KeyKind::Name, KeyKind::Sid, KeyKind::Email].map(|kind| self.column(kind));
        let mut lines = Vec::with_capacity(self.people.len());
        for Person { name, cells, is_staff, at, .. } in self.people {
            lines.push(RosterLine { name, cells, is_staff, record: at + 1 });
        }
        RosterLines {
            headings: self.headings,
            lines,
            records: self.records,
            separator: self.separator,
            name_column: name,
            sid_column: sid,
            email_column: email,
        }
    }

    /// Returns the names of the students who are not among `found`.
    pub fn absent(&self, found: &[usize]) -> Vec<String> {
        let missing = self
            .people
            .iter()
            .enumerate()
            .filter(|(place, one)| !one.is_staff && !found.contains(place));
        missing.map(|(_, person)| person.name.clone()).collect()
    }
}

/// Why a roster in another encoding is refused.
const NOT_UTF_8: &str = "it is not text in UTF-8: save it as `CSV UTF-8`, or convert it, as in \
                         iconv -f GBK -t UTF-8";

/// Returns what stands between the cells of a file, by its headings: a comma, or what spreadsheets
/// write where the comma is for decimals.
fn separator(text: &str) -> u8 {
    let headings = text.lines().next().unwrap_or_default();
    let commas = headings.matches(',').count();
    for other in [';', '\t'] {
        if headings.matches(other).count() > commas {
            return other as u8;
        }
    }
    b','
}

/// The columns of people's names.
struct NameColumns {
    full: Option<usize>,
    first: Option<usize>,
    last: Option<usize>,
    identifier: Option<usize>,
}

impl NameColumns {
    fn of(headings: &[String]) -> Result<Self, String> {
        let known = ["name", "full name", "student name", "student", "display name"];
        let found = Self {
            full: first_headed(headings, &known),
            first: first_headed(headings, &["first name", "firstname", "given name"]),
            last: first_headed(headings, &["last name", "lastname", "family name", "surname"]),
            identifier: first_headed(headings, &["identifier"]),
        };
        if [found.full, found.first, found.last, found.identifier] == [None; 4] {
            let headings = headings.join(", ");
            return Err(format!(
                "no column is headed `name`, `first name` or `identifier`; \
                 its headings are: {headings}"
            ));
        }
        Ok(found)
    }

    fn name(&self, record: &StringRecord) -> Option<String> {
        let both = format!("{} {}", cell(record, self.first), cell(record, self.last));
        let names = [cell(record, self.full), &both, cell(record, self.identifier)].map(clean);
        names.into_iter().find(|name| !name.is_empty())
    }
}

/// Returns the column with the first of these headings that there is.
fn first_headed(headings: &[String], wanted: &[&str]) -> Option<usize> {
    wanted.iter().find_map(|name| headings.iter().position(|heading| heading == name))
}

fn cell(record: &StringRecord, column: Option<usize>) -> &str {
    column.and_then(|column| record.get(column)).unwrap_or_default()
}

impl RosterColumn {
    /// Whether a key may be found in it although it is not of the key's kind.
    fn may_hold(self, key: KeyKind) -> bool {
        match self {
            Self::Other | Self::Key(KeyKind::Sid | KeyKind::Participant) => true,
            Self::Team => key == KeyKind::GithubUser,
            Self::Key(_) | Self::Role => false,
        }
    }
}

/// Reduces a heading to lower case with single spaces: `github_username` is `github username`.
fn plain_heading(heading: &str) -> String {
    heading.to_lowercase().replace(['_', '-'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn kind_of(heading: &str) -> RosterColumn {
    match heading {
        "sid" | "student id" | "studentid" | "student number" | "sis id" | "sis user id"
        | "id number" => RosterColumn::Key(KeyKind::Sid),
        "email" | "e mail" | "mail" | "email address" | "e mail address" => {
            RosterColumn::Key(KeyKind::Email)
        }
        "id" | "canvas id" | "canvas user id" | "user id" => RosterColumn::Key(KeyKind::CanvasUser),
        "identifier" | "participant" | "participant id" => RosterColumn::Key(KeyKind::Participant),
        "github" | "github username" | "github user" | "github login" => {
            RosterColumn::Key(KeyKind::GithubUser)
        }
        "submission" | "submission id" | "submission number" | "folder" | "file" | "attachment" => {
            RosterColumn::Key(KeyKind::Submission)
        }
        "team" | "team name" | "group" | "group name" => RosterColumn::Team,
        "role" | "roles" | "course role" => RosterColumn::Role,
        _ => RosterColumn::Other,
    }
}

/// Words of roles that hand nothing in.
const STAFF: [&str; 16] = [
    "instructor",
    "teacher",
    "professor",
    "lecturer",
    "ta",
    "tas",
    "assistant",
    "reader",
    "grader",
    "tutor",
    "staff",
    "admin",
    "observer",
    "designer",
    "manager",
    "owner",
];

fn is_staff(role: &str) -> bool {
    let role = role.to_lowercase();
    role.split(|c: char| !c.is_alphanumeric()).any(|word| STAFF.contains(&word))
}

/// Whether a cell is a key, or the addresses of a team of which one is the key.
fn holds(cell: &str, key: &Key) -> bool {
    let is_address = key.text.contains('@');
    as_key(cell) == key.text
        || is_address && cell.split([',', ';', ' ']).any(|one| as_key(one) == key.text)
}

/// Returns a cell as keys are written. Moodle's worksheet says `Participant 111`.
fn as_key(cell: &str) -> String {
    let cell = cell.nfc().collect::<String>().to_lowercase();
    cell.strip_prefix("participant ").map(str::to_owned).unwrap_or(cell)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reduces a text to its letters and digits, in lower case.
pub(super) fn folded(text: &str) -> String {
    text.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the ways in which systems write a name, [`folded`]: any of its words may come first.
/// Canvas writes `lovelaceada` for Ada Lovelace.
pub(super) fn written_names(name: &str) -> Vec<String> {
    let words: Vec<String> =
        name.split([' ', ',']).map(folded).filter(|word| !word.is_empty()).collect();
    (0..words.len()).map(|first| [&words[first..], &words[..first]].concat().concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::keys::Collected;
    use super::*;

    fn owner(text: &str, name: &str) -> Owner {
        Roster::of(text).unwrap().owner(&Collected::of(name).readings)
    }

    fn people(found: Owner) -> Vec<usize> {
        match found {
            Owner::People(found) => found,
            Owner::Unknown => Vec::new(),
            Owner::Unclear(_, reason) => panic!("unclear: {reason}"),
        }
    }

    fn whole(text: &str, name: &str) -> Vec<usize> {
        people(Roster::of(text).unwrap().owner_by(&[Key::new(KeyKind::Whole, name)]))
    }

    #[test]
    fn rosters_of_gradescope_and_github_are_read() {
        let gradescope = "First Name,Last Name,SID,Email,Role\nAda,Lovelace,17,Ada@x.edu,Student\n";
        for key in ["ada@x.edu", "17", "ada lovelace", "ada_lovelace", "lovelace-ada"] {
            assert_eq!(whole(gradescope, key), [0], "{key}");
        }
        let github = "\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"Ada \
                      L\",\"adal\",\"5\",\"\"\n";
        assert_eq!(whole(github, "adal"), [0]);
        assert_eq!(Roster::of(github).unwrap().name(0), "Ada L");
        let teams = "name,email\nA,\"ada@x.edu, bob@x.edu\"\nB,cy@x.edu; di@x.edu\n";
        for (key, team) in [("bob@x.edu", 0), ("di@x.edu", 1)] {
            assert_eq!(whole(teams, key), [team]);
            assert_eq!(
                people(Roster::of(teams).unwrap().owner_by(&[Key::new(KeyKind::Email, key)])),
                [team]
            );
        }
        assert_eq!(whole(github, "nobody"), [0; 0]);
        assert!(Roster::of("sid,mail\n1,2\n").unwrap_err().contains("sid, mail"));
        for separator in [";", "\t"] {
            let other = gradescope.replace(',', separator);
            assert_eq!(whole(&other, "17"), [0]);
            assert_eq!(Roster::of(&other).unwrap().into_lines().separator, separator.as_bytes()[0]);
        }
        let gbk = b"name,sid\n\xd5\xc5\xce\xb0,1\n".to_vec();
        assert!(Roster::of_bytes(Ok(gbk)).unwrap_err().contains("CSV UTF-8"));
        let unclosed = Roster::of("name,sid\nAda,1\n\"Bob,2\nCarl,3\n").unwrap_err();
        assert!(unclosed.starts_with("line 3: "), "{unclosed}");
        assert_eq!(Roster::of("name,sid\nA,1\nB,2\n").unwrap().absent(&[0]), ["B"]);
        assert_eq!(whole("name,team\nA,pigs\nB,hogs\nC,pigs\n", "pigs"), [0, 2]);
        assert_eq!(
            whole("name,year,sid\nA,2026,101\nB,2026,102\n", "2026"),
            [0; 0],
            "a year that several share"
        );
    }

    #[test]
    fn the_staff_does_not_hand_in() {
        let roles = "name,role\nA,Student\nB,Instructor\nC,Teaching \
                     Assistant\nD,TA\nE,Reader\nF,\nG,Studentische*r\n";
        assert_eq!(Roster::of(roles).unwrap().absent(&[]), ["A", "F", "G"]);
        let canvas = "Student,ID,SIS User ID,Section\n    Points Possible,,,\n\"Lovelace, \
                      Ada\",4713,17,1\n\"Student, Test\",9,,1\n";
        assert_eq!(Roster::of(canvas).unwrap().absent(&[]), ["Lovelace, Ada"]);
    }

    const CANVAS: &str =
        "Student,ID,SIS User ID\n\"Lovelace, Ada\",4713,30330001\n\"Small, Eve\",4714,30330002\n";

    #[test]
    fn numbers_that_a_student_chose_identify_nobody_else() {
        for roster in [CANVAS, "name,sid\nAda Lovelace,30330001\nEve Small,30330002\n"] {
            for (name, owner_of) in [
                ("lovelaceada_4713_998879_hog", 0),
                ("lovelaceada_LATE_4713_998879_hog", 0),
                ("smalleve_4714_998880_30330001", 1),
                ("smalleve_4714_998880_30330001_hog", 1),
                ("smalleve_4714_998880_lovelaceada_hog", 1),
            ] {
                assert_eq!(
                    owner(roster, name),
                    Owner::People(vec![owner_of]),
                    "{name} by {roster}"
                );
            }
        }
        for name in [
            "hog_30330001",
            "x_30330001_hog",
            "30330001_hog",
            "smalleve_9_9_lovelaceada",
            "ada_lovelace_hog",
        ] {
            assert_ne!(owner(CANVAS, name), Owner::People(vec![0]), "{name}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_unclear() {
        let unclear = |roster: &str, name: &str| matches!(owner(roster, name), Owner::Unclear(..));
        // A person's name at Canvas, or the author's own part, may hold numbers.
        assert!(unclear(CANVAS, "smalleve_4714_998880_4713_5_hog"));
        assert!(
            unclear(CANVAS, "strangeme_9999_998880_4713_5_hog"),
            "the only owner comes of a later reading"
        );
        assert!(
            unclear(CANVAS, "lovelaceada_9999_998880_hog"),
            "the name of one, the number of another"
        );
        assert!(
            unclear(CANVAS, "eve_4713_9999_998880_hog"),
            "somebody who is not on the roster may be called `eve_4713` there"
        );
        assert_eq!(owner(CANVAS, "lovelaceada_4713_998879_61_hog"), Owner::People(vec![0]));
        assert!(unclear(
            "name,sid\nAda Lovelace,1\nAda Lovelace,2\n",
            "lovelaceada_4713_998879_hog"
        ));
        assert!(unclear("name,sid\nAda Lovelace,1\nAda Lovelace,2\n", "Ada Lovelace"));
        let both = "name,sid,email\nAda,17,ada@x.edu\nBob,18,bob@x.edu\n";
        let keys = [Key::new(KeyKind::Sid, "17"), Key::new(KeyKind::Email, "bob@x.edu")];
        assert!(matches!(
            Roster::of(both).unwrap().owner_by(&keys),
            Owner::Unclear(found, _) if found == [0, 1]
        ));
        let moodle = "Identifier,Full name,Email address\nParticipant 111,Ann \
                      Smith,a@x.edu\nParticipant 112,Bo,b@x.edu\n";
        assert_eq!(
            owner(moodle, "Ann Smith_111_assignsubmission_file_112_112_hog"),
            Owner::People(vec![0])
        );
        assert_eq!(
            owner(moodle, "Bo_111_assignsubmission_file_"),
            Owner::People(vec![0]),
            "numbers count before names"
        );
        assert!(unclear(moodle, "Ann Smith_9_assignsubmission_file_"));
        // Two of one name: a number tells them apart, and the name alone does not.
        let two = "Identifier,Full name\nParticipant 111,Jo Li\nParticipant 113,Jo Li\n";
        assert_eq!(owner(two, "Jo Li_113_assignsubmission_file_"), Owner::People(vec![1]));
        assert!(unclear(two, "Jo Li_9_assignsubmission_file_"));
    }

    #[test]
    fn the_number_of_a_submission_is_not_that_of_a_person() {
        let roster = "name,sid,submission\nAda,17,5\nBob,5,17\n";
        assert_eq!(owner(roster, "submission_17"), Owner::People(vec![1]));
        assert_eq!(owner("name,sid\nAda,17\n", "submission_17"), Owner::Unknown);
    }
}
