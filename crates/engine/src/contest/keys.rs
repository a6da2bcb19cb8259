//! The texts by which a roster may identify the submission in a folder.

use std::path::PathBuf;

use super::gradescope::Submitter;
use super::paths::name_of;

/// The prefix `ASSIGNMENT-` that the names of several folders share, as GitHub Classroom makes them; empty if there is
/// none.
#[derive(Debug, Default)]
pub(super) struct SharedPrefix {
    text: String,
    /// Whether all folders are clones of repositories: then the names of the entrants are without the prefix.
    is_of_clones: bool,
}

impl SharedPrefix {
    pub fn of(folders: &[(PathBuf, bool)]) -> Self {
        let names: Vec<String> = folders.iter().map(|(folder, _)| name_of(folder)).collect();
        let [first, _, ..] = &names[..] else { return Self::default() };
        let prefixes = first.match_indices('-').rev().map(|(at, _)| &first[..=at]);
        let shared = prefixes.into_iter().find(|prefix| names.iter().all(|name| name.starts_with(prefix)));
        let is_of_clones = folders.iter().all(|(folder, _)| folder.join(".git").exists());
        Self { text: shared.unwrap_or_default().to_owned(), is_of_clones }
    }

    /// Returns the name of a folder without the prefix, if the folders are clones and something is left.
    pub fn user<'f>(&self, folder: &'f str) -> Option<&'f str> {
        let user = folder.strip_prefix(&*self.text).filter(|user| !user.is_empty());
        user.filter(|_| self.is_of_clones)
    }
}

/// Returns the numbers in the name of a file or folder, as learning-management systems put them between the signs `_`:
/// `smith_12345_late_hog`. Those of one or two digits number attempts, not people.
pub(super) fn numbers(name: &str) -> impl Iterator<Item = String> {
    let is_number = |part: &&str| part.len() > 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    name.split('_').filter(is_number).map(str::to_owned)
}

/// Returns the texts by which a roster may identify a folder: its submitters, its label, its number at Gradescope, the
/// part of its name after each hyphen (GitHub Classroom puts the assignment in front), and its name. Hyphens after the
/// prefix that it shares with other folders are part of a user's name: `mary-jane` is not `jane`.
pub(super) fn keys(folder: &str, (label, submitters): (&str, &[Submitter]), prefix: &SharedPrefix) -> Vec<String> {
    let folder = folder.to_lowercase();
    let mut keys: Vec<String> = submitters.iter().flat_map(|person| person.keys.iter().cloned()).collect();
    keys.extend(submitters.iter().map(|person| person.name.to_lowercase()));
    keys.extend([label.to_lowercase(), folder.trim_start_matches("submission_").to_owned()]);
    let last = if prefix.text.is_empty() { folder.len() } else { prefix.text.len() };
    keys.extend(folder.match_indices('-').filter(|(at, _)| *at < last).map(|(at, _)| folder[at + 1..].to_owned()));
    keys.extend(numbers(&folder));
    // Moodle puts the person's name in front.
    keys.extend(folder.split_once('_').map(|(name, _)| name.to_owned()));
    keys.push(folder);
    keys.retain(|key| !key.is_empty());
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_after_the_shared_prefix_are_part_of_a_name() {
        let folders = ["hog-contest-ada", "hog-contest-mary-jane"].map(|name| (PathBuf::from(name), false));
        let shared = SharedPrefix::of(&folders);
        let of = |prefix: &SharedPrefix| keys("hog-contest-mary-jane", ("hog-contest-mary-jane", &[]), prefix);
        assert!(of(&shared).contains(&"mary-jane".to_owned()) && !of(&shared).contains(&"jane".to_owned()));
        assert!(of(&SharedPrefix::default()).contains(&"jane".to_owned()));
    }

    #[test]
    fn names_of_learning_management_systems_hold_a_number() {
        assert_eq!(numbers("smith_late_12345_67890_hog-2").collect::<Vec<_>>(), ["12345", "67890"]);
        let moodle = keys("Ann Smith_111_assignsubmission_file_", ("", &[]), &SharedPrefix::default());
        assert!(["ann smith", "111"].iter().all(|key| moodle.contains(&(*key).to_owned())), "{moodle:?}");
    }
}
