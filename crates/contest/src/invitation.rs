//! Who is invited to a contest.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

use super::naming::Naming;
use super::time::Time;

/// The entrants to read, and how to name them.
#[derive(Clone, Debug, Default)]
pub struct Invitation {
    /// Files, folders, archives, and names of strategies. Each path is the submission of one
    /// entrant, unless it is the only one: then it may hold a submission in each of its files,
    /// folders and archives. A path that is repeated counts once.
    pub entrants: Vec<String>,
    /// Folders and archives with a submission in each of their files, folders and archives.
    pub each_in: Vec<PathBuf>,
    /// Which names the entrants have.
    pub naming: Naming,
    /// A CSV file of the people in the course.
    pub roster: Option<PathBuf>,
    /// A submission handed in after this time is late, where the time is known. Where it is not,
    /// the system that collected the submissions may have marked the late ones.
    pub deadline: Option<Time>,
    /// Whether late submissions are rejected.
    pub refuse_late: bool,
    /// What an entrant's function rolls where it fails; without it, the entrant is rejected.
    pub default_roll: Option<i32>,
    /// Files in the folders that are not strategies.
    pub skip: Vec<PathBuf>,
    /// Files of submissions that are rejected without being read, with the reasons.
    pub refused: HashMap<String, String>,
    /// Whether the first of `entrants`, if it is a folder, is the submission of one entrant, as
    /// for an autograder.
    pub first_is_one: bool,
    /// The folder in which archives are unpacked; `None` for the system's temporary folder.
    pub unpack_in: Option<PathBuf>,
    /// The folder of files that were sent rather than named: no entrant is called after it.
    pub sent_in: Option<PathBuf>,
    /// When the submissions must have been read; those that were not are rejected.
    pub until: Option<Instant>,
}
