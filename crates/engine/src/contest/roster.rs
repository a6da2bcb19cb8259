//! The roster of a course in CSV, as Gradescope, GitHub Classroom or a spreadsheet writes it.

use std::path::{Path, PathBuf};

use crate::files;

use super::naming::clean;

/// The size limit of a roster, in bytes.
const LARGEST_ROSTER: u64 = 16 << 20;

/// The largest number of people whose work one submission can be.
const LARGEST_TEAM: usize = 6;

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
    people: Vec<Person>,
}

#[derive(Debug)]
struct Person {
    name: String,
    /// The other cells of their line, in lower case: ids, addresses, user names.
    keys: Vec<String>,
}

impl Roster {
    /// Reads a file with a line of headings: `name` (or `first name` and `last name`, or `identifier`), and any other
    /// columns, whose cells identify files, folders and submitters.
    pub fn read(path: &Path) -> Result<Self, RosterError> {
        let wrong = |reason: String| RosterError { path: path.to_owned(), reason };
        let text = files::read_text(path, LARGEST_ROSTER).map_err(|error| wrong(error.to_string()))?;
        Self::of(&text).map_err(wrong)
    }

    fn of(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
        let headings: Vec<String> = match reader.headers() {
            Ok(headings) => headings.iter().map(str::to_lowercase).collect(),
            Err(error) => return Err(error.to_string()),
        };
        // The first of the names wanted that there is.
        let column = |wanted: &[&str]| wanted.iter().find_map(|name| headings.iter().position(|head| head == name));
        let full = column(&["name", "full name", "student name", "student", "display name"]);
        let first = column(&["first name", "first_name", "firstname", "given name"]);
        let last = column(&["last name", "last_name", "lastname", "family name", "surname"]);
        let identifier = column(&["identifier"]);
        let named = [full, first, last, identifier];
        if named.iter().all(Option::is_none) {
            let found = headings.join(", ");
            return Err(format!("no column is headed `name`, `first name` or `identifier`; its headings are: {found}"));
        }
        let mut people = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            // After a quote that is not closed, the lines that follow would be one cell.
            if record.iter().any(|cell| cell.contains('\n')) {
                let line = record.position().map_or(0, csv::Position::line);
                return Err(format!("line {line}: a cell in quotes goes on in the next line: close its quotes"));
            }
            let cell = |column: Option<usize>| column.and_then(|column| record.get(column)).unwrap_or_default();
            let both = format!("{} {}", cell(first), cell(last));
            let name = [cell(full), &both, cell(identifier)].map(clean).into_iter().find(|name| !name.is_empty());
            let is_key = |at: &usize| ![full, first, last].contains(&Some(*at));
            let keys = (0..record.len()).filter(is_key).filter_map(|at| record.get(at)).map(str::to_lowercase);
            let keys: Vec<String> = keys.filter(|key| !key.is_empty()).collect();
            people.extend(name.map(|name| Person { name, keys }));
        }
        Ok(Self { people })
    }

    /// Returns the indices of the people to whom one of the keys belongs. The first key that belongs to anyone decides;
    /// the name of a team belongs to all its members. What more than [`LARGEST_TEAM`] share, such as a section or a
    /// role, identifies nobody, and neither does a number, such as a year, that several share.
    pub fn find(&self, keys: &[String]) -> Vec<usize> {
        let owners = |key: &String| {
            let known = |person: &Person| person.keys.contains(key) || person.name.to_lowercase() == *key;
            let found: Vec<usize> = (0..self.people.len()).filter(|place| known(&self.people[*place])).collect();
            let most = if key.bytes().all(|byte| byte.is_ascii_digit()) { 1 } else { LARGEST_TEAM };
            Some(found).filter(|found| (1..=most).contains(&found.len()))
        };
        keys.iter().find_map(owners).unwrap_or_default()
    }

    pub fn name(&self, place: usize) -> &str {
        &self.people[place].name
    }

    /// Returns the names of the people who are not among `found`.
    pub fn absent(&self, found: &[usize]) -> Vec<String> {
        let missing = self.people.iter().enumerate().filter(|(place, _)| !found.contains(place));
        missing.map(|(_, person)| person.name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rosters_of_gradescope_and_github_are_read() {
        let found = |text: &str, key: &str| {
            let roster = Roster::of(text).unwrap();
            roster.find(&[key.to_owned()]).first().map(|place| roster.name(*place).to_owned())
        };
        let gradescope = "First Name,Last Name,SID,Email,Role\nAda,Lovelace,17,Ada@x.edu,Student\n";
        assert_eq!(found(gradescope, "ada@x.edu").as_deref(), Some("Ada Lovelace"));
        assert_eq!(found(gradescope, "17").as_deref(), Some("Ada Lovelace"));
        assert_eq!(found(gradescope, "ada lovelace").as_deref(), Some("Ada Lovelace"));
        let github = "\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"Ada L\",\"adal\",\"5\",\"\"\n";
        assert_eq!(found(github, "adal").as_deref(), Some("Ada L"));
        assert_eq!(found(github, "nobody"), None);
        assert!(Roster::of("sid,mail\n1,2\n").unwrap_err().contains("sid, mail"));
        let unclosed = Roster::of("name,sid\nAda,1\n\"Bob,2\nCarl,3\n").unwrap_err();
        assert!(unclosed.starts_with("line 3: "), "{unclosed}");
        assert_eq!(Roster::of("name,sid\nA,1\nB,2\n").unwrap().absent(&[0]), ["B"]);
        let teams = Roster::of("name,team\nA,pigs\nB,hogs\nC,pigs\n").unwrap();
        assert_eq!(teams.find(&["pigs".to_owned()]), [0, 2]);
        let years = Roster::of("name,year,sid\nA,2026,101\nB,2026,102\n").unwrap();
        assert_eq!(years.find(&["2026".to_owned(), "102".to_owned()]), [1]);
    }
}
