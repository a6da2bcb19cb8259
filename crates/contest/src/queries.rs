//! The questions of this crate: an exact round robin, the grade of one submission, and the
//! autograder that gives it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hog_engine::queries::{GivenGame, GivenStrategy, Query, QueryEntry, Writes};
use schemars::JsonSchema;
#[cfg(not(target_family = "wasm"))]
use schemars::{Schema, schema_for};
use serde::Deserialize;

pub use super::answer::{
    ContestAnswer, PersonPoints, RankedBy, RankedEntrant, RejectedEntrant, UnclearSubmission,
    UnwrittenFile,
};
pub use super::autograder::{AutograderAnswer, AutograderKind, MakeAutograder};
use super::gradescope::METADATA;
use super::{
    ContestError, Grade, Grading, Invitation, Naming, Pairs, PlayedContest, Readers, Scoring, Time,
};
use crate::engine::{Call, Error, SentFiles};

/// All questions of this crate.
pub const QUERIES: &[QueryEntry] = &[
    QueryEntry::of::<Contest>(),
    QueryEntry::of::<GradeSubmission>(),
    QueryEntry::command::<MakeAutograder>(),
];

/// Returns the schema of every document of this crate, by the name of its file in `docs/schema`
/// without `.json`.
#[cfg(not(target_family = "wasm"))]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("autograder", schema_for!(AutograderAnswer)),
        ("contest", schema_for!(ContestAnswer)),
        ("grade", schema_for!(Grade)),
    ]
}

/// An exact round robin: every strategy against every other
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct Contest {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// Files, folders, .zip files, or strategies by name (over HTTP the files that are sent take
    /// part, too)
    #[serde(default)]
    #[schemars(with = "Vec<GivenStrategy>")]
    #[arg(required_unless_present = "folders", value_name = "FILE|FOLDER|STRATEGY")]
    pub entrants: Vec<String>,
    /// Whether each folder among the files that were sent is the submission of one entrant.
    #[serde(default)]
    #[arg(skip)]
    pub each_in: bool,
    /// Take each file, folder and .zip file in this folder or .zip file as an entrant; may be
    /// repeated
    #[serde(skip)]
    #[arg(long = "each-in", value_name = "FOLDER|FILE.zip")]
    pub folders: Vec<PathBuf>,
    /// Take names from this CSV file: a column `name`, and columns with folders, user names, ids
    /// or addresses
    #[arg(long, value_name = "FILE")]
    pub roster: Option<String>,
    /// Which names to show
    #[serde(default)]
    #[arg(long, value_enum, default_value_t = Naming::Chosen)]
    pub names: Naming,
    /// The title of the ranking and of all pages (default: `Hog contest` and the game)
    #[arg(long)]
    pub title: Option<String>,
    /// How it is scored.
    #[serde(flatten)]
    #[command(flatten)]
    pub scoring: Scoring,
    /// Submissions after this time are late, as in 2024-09-20T23:59-07:00. Gradescope's exports
    /// have their times; Canvas marks late ones itself
    #[arg(long, value_name = "TIME")]
    pub deadline: Option<Time>,
    /// Reject late submissions
    #[serde(default)]
    #[arg(long)]
    pub refuse_late: bool,
    /// Roll so many dice where an entrant's function raises an exception or returns what may not be
    /// rolled, in place of rejecting it
    #[arg(long, value_name = "N")]
    pub default_roll: Option<i32>,
}

impl Contest {
    /// The files beside those of strategies that its request may bring.
    pub const OTHER_FILES: &'static [&'static str] = &[METADATA];

    /// Returns the invitation of those it names, and of the files that came with the request.
    ///
    /// # Errors
    /// Returns an error if a name is none of a strategy, or a file was not sent.
    pub fn invitation(&self, call: &Call) -> Result<Invitation, Error> {
        let invitation = Invitation {
            naming: self.names,
            deadline: self.deadline.clone(),
            refuse_late: self.refuse_late,
            default_roll: self.default_roll,
            ..Invitation::default()
        };
        match call.sent_files() {
            Some(sent) => self.invitation_of_sent(call, sent, invitation),
            None => Ok(Invitation {
                entrants: self.entrants.clone(),
                each_in: self.folders.clone(),
                roster: self.roster.as_ref().map(PathBuf::from),
                ..invitation
            }),
        }
    }

    fn invitation_of_sent(
        &self,
        call: &Call,
        sent: SentFiles,
        invitation: Invitation,
    ) -> Result<Invitation, Error> {
        only_builtin(call, &self.entrants)?;
        let roster = self.roster.as_ref().map(|name| roster(name, sent)).transpose()?;
        // Files beside an export are not part of it, but were sent to take part.
        let is_export = sent.files.iter().any(|(name, _)| name == METADATA);
        let mut entrants = Vec::new();
        for (_, path) in sent.files {
            let is_named = !self.each_in || (is_export && path.parent() == sent.folder);
            if is_named && Some(path) != roster.as_ref() {
                entrants.push(path.display().to_string());
            }
        }
        entrants.extend(self.entrants.iter().cloned());
        let folder = sent.folder.map(Path::to_owned);
        Ok(Invitation {
            entrants,
            each_in: if self.each_in { folder.iter().cloned().collect() } else { Vec::new() },
            skip: roster.iter().cloned().collect(),
            roster,
            sent_in: folder,
            ..invitation
        })
    }

    /// Plays the contest: entrants are the names, and the files that came with the request. Those
    /// that were rejected in the answer that is `shown` (as JSON), if there is one, are not read
    /// again.
    ///
    /// # Errors
    /// As [`Query::answer`], and if another one takes part than in that answer.
    pub fn played(&self, call: &Call, shown: Option<&str>) -> Result<PlayedContest, Error> {
        let shown: Option<ContestAnswer> =
            shown.map(serde_json::from_str).transpose().map_err(ContestError::NotShown)?;
        let game = call.game(&self.game)?;
        admit(call, self.entrants.len())?;
        let invitation = self.invitation(call)?;
        if invitation.entrants.is_empty() && invitation.each_in.is_empty() {
            return Err(ContestError::NoEntrants.into());
        }
        admit(call, invitation.entrants.len())?;
        // Files that take too long are left out, and the others still play.
        let until = call.engine().time_left().map(|left| Instant::now() + left * 2 / 3);
        let refused = shown.iter().flat_map(|shown| &shown.rejected);
        let refused = refused.filter_map(|one| Some((one.file.clone()?, one.reason.clone())));
        let invitation = Invitation { until, refused: refused.collect(), ..invitation };
        // A file may have several entrants, and a folder any number.
        let pairs = Pairs::none(&game);
        let played = PlayedContest::play(call, &game, &invitation, &self.scoring, pairs, |field| {
            admit(call, field.entrants.len())?;
            let names = field.entrants.iter().map(|entrant| &entrant.name);
            match &shown {
                Some(shown) if !names.eq(&shown.entrants) => {
                    Err(ContestError::OtherEntrants.into())
                }
                _ => Ok(()),
            }
        });
        played.map(|played| played.titled(&self.title))
    }
}

/// Returns an error if there are more entrants than the engine's limits allow.
fn admit(call: &Call, entrants: usize) -> Result<(), Error> {
    let most = call.engine().limits().entrants;
    if entrants > most {
        return Err(ContestError::TooManyEntrants { entrants, most }.into());
    }
    Ok(())
}

impl Query for Contest {
    const NAME: &str = "contest";
    const IS_LONG: bool = true;
    const OTHER_FILES: &'static [&'static str] = Self::OTHER_FILES;
    const WRITES: Option<Writes> =
        Some(Writes { contents: "the ranking", endings: ContestAnswer::ENDINGS });
    type Answer = ContestAnswer;

    fn answer(&self, call: &Call) -> Result<ContestAnswer, Error> {
        Ok(self.played(call, None)?.answer)
    }

    fn answer_in(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<ContestAnswer, Error> {
        let answer = Query::answer(self, call)?;
        answer.write(ending, Readers::default(), file).map_err(Error::Storage)?;
        Ok(answer)
    }
}

/// Grade one submission, as an autograder does
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[non_exhaustive]
pub struct GradeSubmission {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// The folder, file or .zip file of the submission (over HTTP the files that are sent)
    #[arg(required = true)]
    pub submission: Option<PathBuf>,
    /// How it is graded.
    #[serde(flatten)]
    #[command(flatten)]
    pub grading: Grading,
}

impl Query for GradeSubmission {
    const NAME: &str = "grade";
    const IS_LONG: bool = true;
    type Answer = Grade;

    fn answer(&self, call: &Call) -> Result<Grade, Error> {
        let game = call.game(&self.game)?;
        let (submission, unpack_in) = match call.sent_files() {
            Some(sent) => {
                only_builtin(call, &self.grading.against)?;
                (Some(self.sent_submission(sent)?), sent.folder.map(Path::to_owned))
            }
            None => (self.submission.as_deref(), None),
        };
        let Some(submission) = submission else {
            return Err(Error::malformed_by(
                "submission",
                "there is no submission: name its file or folder as `submission`",
            ));
        };
        self.grading.grade(call, &game, submission, unpack_in)
    }
}

impl GradeSubmission {
    /// Returns the submission among the files that came with the request, which are all its own.
    fn sent_submission<'s>(&self, sent: SentFiles<'s>) -> Result<&'s Path, Error> {
        let message = match (&self.submission, sent.files, sent.folder) {
            (Some(_), ..) => "the submission is what is sent as `files`: leave out `submission`",
            (None, [(_, file)], _) => return Ok(file),
            (None, _, Some(folder)) => return Ok(folder),
            (None, _, None) => "there is no submission: send its `files`",
        };
        Err(Error::malformed_by("submission", message))
    }
}

/// Refuses names of strategies that are files of this machine.
pub(crate) fn only_builtin(call: &Call, names: &[String]) -> Result<(), Error> {
    for name in names {
        let strategy = call.strategy(&GivenStrategy::Named(name.clone()))?;
        // A contest would read a file or folder with this name.
        if !strategy.is_builtin() || Path::new(name).exists() {
            return Err(Error::Closed { name: name.clone() });
        }
    }
    Ok(())
}

/// Returns the path of the roster, which came with the request.
fn roster(name: &String, sent: SentFiles) -> Result<PathBuf, Error> {
    let found = sent.files.iter().find(|(sent, _)| sent == name);
    found.map(|(_, path)| path.clone()).ok_or_else(|| {
        Error::malformed_by("roster", format!("no file is called `{name}`, as the roster is"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{RankBy, TieBreak};

    /// The scoring is flattened into the request, so that both sides must know their defaults.
    #[test]
    fn a_request_says_how_its_contest_is_scored() {
        let read = |scoring: Value| {
            let mut request = json!({ "rules": "fa21", "entrants": ["optimal"] });
            let (all, given) = (request.as_object_mut().unwrap(), scoring.as_object().unwrap());
            all.extend(given.clone());
            serde_json::from_value::<Contest>(request).map(|contest| contest.scoring)
        };
        assert_eq!(read(json!({})).unwrap(), Scoring::default());
        let given = json!({ "rank_by": "mean", "break_ties": "baseline", "points": "plays=1" });
        let points = Some("plays=1".parse().unwrap());
        let (rank_by, break_ties) = (RankBy::Mean, TieBreak::Baseline);
        let wanted = Scoring { rank_by, break_ties, points, ..Scoring::default() };
        assert_eq!(read(given).unwrap(), wanted);
        assert_eq!(read(json!({ "win_above": 0.5 })).unwrap().win_above, 0.5);
        for wrong in [
            json!({ "win_above": 0.4 }),
            json!({ "win_above": 1 }),
            json!({ "rank_by": "luck" }),
            json!({ "points": "luck=3" }),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
