//! `hog grade`: grades one submission, for an autograder.

use std::path::{Path, PathBuf};

use crate::contest::Grade;
use crate::contest::queries::GradeSubmission;
use crate::engine::{Cancel, Sources};
use crate::format;
use anyhow::Context as _;
use clap::Args;

use super::console::{Console, Status};
use super::interrupt::WorkFolder;
use super::output::{ending, refuse_inputs};
use super::refusal;

/// Grade one submission, as an autograder does
#[derive(Args, Debug)]
#[command(
    after_help = "Writes a results.json as Gradescope reads it: points, a test for each step of \
the points, a line of the leaderboard, and what to improve as far as --feedback lets students see \
it. A submission that cannot be played gets 0 points and the reason. If nothing can be graded, \
whatever the submission is, the file says that it is not the student's fault, and the exit status \
is 2. `hog gradescope` makes an archive that runs this command.

Python files run in a sandbox: see hog rate --help. Where Linux has no Landlock, as in some \
containers, and hog runs as root, they run as the user nobody instead, who can write nothing and \
read what everybody can.

Examples:
  hog grade fa24 submission/ -o results.json
  hog grade fa24 hog.py --points plays=1,baseline:0.55=1,baseline:0.6=2
  hog grade fa24 hog.py --against optimal --against always_roll:6 --feedback map"
)]
pub(super) struct GradeCommand {
    #[command(flatten)]
    request: GradeSubmission,
    /// Write the results to this .json file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl GradeCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if let Some(path) = &self.output {
            ending(path, &["json"])?;
        }
        let request = &self.request;
        let read = request.grading.against.iter().chain(&request.game.rules).map(Path::new);
        refuse_inputs(&self.output, read, [])?;
        console.can_write(&self.output)?;
        let graded = self.graded(console);
        if let Some(path) = &self.output {
            let grade = match &graded {
                Ok(grade) => grade,
                Err(error) => &Grade::not_graded(&refusal::message(error)),
            };
            console.write_with(path, |out| format::json(grade, out))?;
        }
        let grade = graded?;
        console.show(&grade)?;
        Ok(Status::of(grade.is_graded()))
    }

    fn graded(&self, console: &Console) -> anyhow::Result<Grade> {
        let submission = self.request.submission.as_deref().context("no submission is named")?;
        let cancel = Cancel::new();
        // Not private: where Landlock is missing, the submission runs as another user.
        let mut builder = tempfile::Builder::new();
        builder.prefix("hog-grade-");
        let folder = WorkFolder::new(|| builder.tempdir(), cancel.clone())
            .context("cannot make a folder to unpack in")?;
        let unpack_in = Some(folder.path().to_owned());
        let sources = Sources::files().with_python(console.launcher().or_as_nobody());
        let engine = console.engine.clone().with_sources(sources).cancelled_by(cancel);
        let call = engine.call();
        let game = call.game(&self.request.game)?;
        Ok(self.request.grading.grade(&call, &game, submission, unpack_in)?)
    }
}
