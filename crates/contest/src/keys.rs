//! Whose a submission is and when it came, by what the system that collected it wrote into the name
//! of its file or folder.
//!
//! Only what the system wrote identifies. In `lovelaceada_LATE_4713_998879_hog.py` Canvas wrote all
//! but `hog.py`, which its author chose and could have called by somebody else's number. A name
//! that no system wrote is the instructor's, and identifies as a whole. Names that can be read in
//! several ways have several readings.

use std::path::PathBuf;

use unicode_normalization::UnicodeNormalization as _;

use super::paths::name_of;

/// What a key is. It decides which columns of a roster it is looked up in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// A student number.
    Sid,
    /// An email address.
    Email,
    /// A number of a person at Canvas.
    CanvasUser,
    /// A number of a participant at Moodle.
    Participant,
    /// A user name at GitHub, or the name of a team there.
    GithubUser,
    /// A number of a submission, or the name of its folder.
    Submission,
    /// A person's name.
    Name,
    /// The name of a file or folder that no system wrote.
    Whole,
}

/// A text that identifies a person, composed and in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub kind: KeyKind,
    pub text: String,
}

impl Key {
    pub fn new(kind: KeyKind, text: &str) -> Self {
        Self { kind, text: text.nfc().collect::<String>().to_lowercase() }
    }
}

/// One way to read a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NameReading {
    pub keys: Vec<Key>,
    /// Why it may not be the right one. Such a reading gives a submission to nobody.
    pub doubt: Option<&'static str>,
    /// Whether that doubt holds unless the owner bears the name: in `eve_7_101_500_hog.py`, 7 is
    /// the number of a person, or `eve_7` what somebody with the number 101 is called.
    pub asks_for_name: bool,
}

/// The doubt of names with further numbers.
pub(super) const SEVERAL_WAYS: &str = "its name can be read in several ways";

/// What the name of a file or folder says about the submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Collected {
    pub readings: Vec<NameReading>,
    /// The number of the submission.
    pub id: Option<String>,
    /// Whether it was handed in late, if the system says so.
    pub late: Option<bool>,
}

impl Collected {
    /// Reads a name, of a file without the extension.
    pub fn of(name: &str) -> Self {
        Self::moodle(name)
            .or_else(|| Self::canvas(name))
            .or_else(|| Self::gradescope(name))
            .unwrap_or_else(|| {
                let mut found = Self::default();
                found.add_whole(name);
                found
            })
    }

    /// Reads the name of a folder that may begin with the name of an assignment, as GitHub
    /// Classroom makes them: `hog-contest-ada`. Hyphens after the prefix that it shares with
    /// other folders are part of a user's name: `mary-jane` is not `jane`.
    pub fn of_folder(folder: &str, prefix: &SharedPrefix) -> Self {
        let mut found = Self::of(folder);
        let doubt = prefix
            .text
            .is_empty()
            .then_some("one folder does not tell where the name of its user begins");
        let last = if doubt.is_some() { folder.len() } else { prefix.text.len() };
        let is_whole = found
            .readings
            .iter()
            .flat_map(|reading| &reading.keys)
            .all(|key| key.kind == KeyKind::Whole);
        for (at, _) in folder.match_indices('-').filter(|(at, _)| is_whole && *at < last) {
            let user = &folder[at + 1..];
            if !user.is_empty() {
                found.readings.push(NameReading {
                    keys: vec![Key::new(KeyKind::GithubUser, user)],
                    doubt,
                    ..NameReading::default()
                });
            }
        }
        found
    }

    /// Whether a system wrote a part of the name.
    pub fn is_of_a_system(&self) -> bool {
        let mut keys = self.readings.iter().flat_map(|reading| &reading.keys);
        self.id.is_some() || self.late.is_some() || keys.any(|key| key.kind != KeyKind::Whole)
    }

    /// Adds a name that identifies as a whole.
    pub fn add_whole(&mut self, name: &str) {
        if !name.is_empty() {
            self.readings.push(NameReading {
                keys: vec![Key::new(KeyKind::Whole, name)],
                ..NameReading::default()
            });
        }
    }

    /// Reads a name of Canvas: `lastfirst[_LATE]_USER_FILE_own`, all in lower case in earlier
    /// versions. Two numbers must follow each other before the author's own part. Canvas
    /// removes numbers between underscores from people's names, but not all of them, so further
    /// pairs are possible readings.
    fn canvas(name: &str) -> Option<Self> {
        let parts: Vec<&str> = name.split('_').collect();
        if parts[0] == "anon" && parts.len() > 3 {
            let late = parts[1].eq_ignore_ascii_case("late");
            return Some(Self { late: Some(late), ..Self::default() });
        }
        let mut found = Self::default();
        for at in (1..parts.len().saturating_sub(2)).filter(|at| is_pair(&parts, *at)) {
            let late = at > 1 && parts[at - 1].eq_ignore_ascii_case("late");
            let person = parts[..if late { at - 1 } else { at }].join("_");
            let is_first = found.readings.is_empty();
            if is_first {
                found.late = Some(late);
                found.id = Some(parts[at + 1].to_owned());
            }
            let keys = vec![
                Key::new(KeyKind::CanvasUser, parts[at]),
                Key::new(KeyKind::Submission, parts[at + 1]),
                Key::new(KeyKind::Name, &person),
            ];
            let doubt = (!is_first).then_some(SEVERAL_WAYS);
            let asks_for_name = is_pair(&parts, at + 1);
            found.readings.push(NameReading { keys, doubt, asks_for_name });
        }
        (!found.readings.is_empty()).then_some(found)
    }

    /// Reads a name of Moodle: `Ada Lovelace_4713_assignsubmission_file_own`. Moodle replaces
    /// underscores in people's names by spaces.
    fn moodle(name: &str) -> Option<Self> {
        let (person, _) = name.split_once("_assignsubmission_")?;
        let (person, number) = person.split_once('_').filter(|(_, number)| is_number(number))?;
        let keys = vec![Key::new(KeyKind::Participant, number), Key::new(KeyKind::Name, person)];
        Some(Self {
            readings: vec![NameReading { keys, ..NameReading::default() }],
            ..Self::default()
        })
    }

    /// Reads the name of a folder of Gradescope: `submission_123`.
    fn gradescope(name: &str) -> Option<Self> {
        let number = name.strip_prefix("submission_").filter(|number| is_number(number))?;
        let keys = [number, name].map(|text| Key::new(KeyKind::Submission, text));
        let mut found = Self { id: Some(number.to_owned()), ..Self::default() };
        found.readings.push(NameReading { keys: keys.into(), ..NameReading::default() });
        Some(found)
    }
}

/// Whether there are two numbers at a place.
fn is_pair(parts: &[&str], at: usize) -> bool {
    parts.get(at..at + 2).is_some_and(|pair| pair.iter().all(|part| is_number(part)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The prefix `ASSIGNMENT-` that the names of several folders share, as GitHub Classroom makes
/// them; empty if there is none.
#[derive(Debug, Default)]
pub(super) struct SharedPrefix {
    text: String,
    /// Whether all folders are clones of repositories: then the names of the entrants are without
    /// the prefix.
    is_of_clones: bool,
}

impl SharedPrefix {
    pub fn of(folders: &[(PathBuf, bool)]) -> Self {
        let names: Vec<String> = folders.iter().map(|(folder, _)| name_of(folder)).collect();
        let [first, _, ..] = &names[..] else { return Self::default() };
        let prefixes = first.match_indices('-').rev().map(|(at, _)| &first[..=at]);
        let shared =
            prefixes.into_iter().find(|prefix| names.iter().all(|name| name.starts_with(prefix)));
        let is_of_clones = folders.iter().all(|(folder, _)| folder.join(".git").exists());
        Self { text: shared.unwrap_or_default().to_owned(), is_of_clones }
    }

    /// Returns the name of a folder without the prefix, if the folders are clones and something is
    /// left.
    pub fn user<'f>(&self, folder: &'f str) -> Option<&'f str> {
        let user = folder.strip_prefix(&*self.text).filter(|user| !user.is_empty());
        user.filter(|_| self.is_of_clones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the keys of readings without doubt as `kind text`.
    fn keys(found: &Collected) -> Vec<String> {
        let certain = found.readings.iter().filter(|reading| reading.doubt.is_none());
        certain
            .flat_map(|reading| &reading.keys)
            .map(|key| format!("{:?} {}", key.kind, key.text))
            .collect()
    }

    #[test]
    fn hyphens_after_the_shared_prefix_are_part_of_a_name() {
        let folders =
            ["hog-contest-ada", "hog-contest-mary-jane"].map(|name| (PathBuf::from(name), false));
        let of =
            |prefix: &SharedPrefix| keys(&Collected::of_folder("hog-contest-mary-jane", prefix));
        let shared = of(&SharedPrefix::of(&folders));
        assert!(shared.contains(&"GithubUser mary-jane".to_owned()), "{shared:?}");
        assert!(!shared.contains(&"GithubUser jane".to_owned()), "{shared:?}");
        assert_eq!(
            of(&SharedPrefix::default()),
            ["Whole hog-contest-mary-jane"],
            "one folder tells nothing"
        );
    }

    #[test]
    fn only_what_the_system_wrote_is_a_key() {
        for (name, expected) in [
            (
                "lovelaceada_4713_998879_hog",
                &["CanvasUser 4713", "Submission 998879", "Name lovelaceada"][..],
            ),
            (
                "lovelaceada_LATE_4713_998879_hog",
                &["CanvasUser 4713", "Submission 998879", "Name lovelaceada"],
            ),
            (
                "lovelaceada_4713_998879_30330001",
                &["CanvasUser 4713", "Submission 998879", "Name lovelaceada"],
            ),
            (
                "lovelaceada_4713_998879_9_9_hog",
                &["CanvasUser 4713", "Submission 998879", "Name lovelaceada"],
            ),
            ("anon_x7k2p_998879_30330001_5_hog", &[]),
            ("anon_LATE_x7k2p_998879_hog", &[]),
            ("Ann Smith_111_assignsubmission_file_", &["Participant 111", "Name ann smith"]),
            ("Ann Smith_111_assignsubmission_file_9_9_hog", &["Participant 111", "Name ann smith"]),
            ("submission_17", &["Submission 17", "Submission submission_17"]),
            // No system wrote these: the whole name identifies, and no part of it.
            ("ada", &["Whole ada"]),
            ("hog_30330001", &["Whole hog_30330001"]),
            ("hog_30330001_2", &["Whole hog_30330001_2"]),
            ("ada lovelace_hog", &["Whole ada lovelace_hog"]),
        ] {
            assert_eq!(keys(&Collected::of(name)), expected, "{name}");
        }
        for (name, late, id) in [
            ("lovelaceada_LATE_4713_998879_hog", Some(true), Some("998879")),
            ("lovelaceada_late_4713_998879_hog", Some(true), Some("998879")),
            ("lovelaceada_4713_998879_LATE_hog", Some(false), Some("998879")),
            ("anon_LATE_x7k2p_998879_hog", Some(true), None),
            ("late_hog", None, None),
            ("submission_17", None, Some("17")),
        ] {
            let found = Collected::of(name);
            assert_eq!((found.late, found.id.as_deref()), (late, id), "{name}");
        }
    }
}
