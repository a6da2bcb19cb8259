//! In a browser's tab there are no processes: the page runs the harness, in another worker. What is
//! to be run is written to the folder [`FOLDER`]; when the page has run it and written there what
//! it has printed, the question is asked again.
//!
//! | file | what it holds |
//! |---|---|
//! | `harness.py` | the harness |
//! | `KEY.run` | lines with `PYTHONHASHSEED` and the seconds allowed, and the harness's input |
//! | `KEY.out` | what the harness has printed |
//! | `KEY.end` | why it has ended before it has printed all answers: `time`, or words |
//!
//! `KEY` is the SHA-256 of what is in `KEY.run`.

use sha2::{Digest, Sha256};

use crate::answers::Answers;
use crate::fault::Fault;
use crate::hex::encode;
use crate::process::{HARNESS, ProcessTask, Unanswered};
use crate::question::NoAnswers;

/// The folder for the page.
const FOLDER: &str = "/python";

impl ProcessTask<'_> {
    /// Reads the answers of a run, or asks for it.
    pub fn ask(&self, answers: &mut Answers) -> Result<(), Unanswered> {
        let run = [format!("{}\n{}\n", self.hashes, self.seconds).as_bytes(), &self.input].concat();
        let files = format!("{FOLDER}/{}", encode(&Sha256::digest(&run)));
        let Ok(printed) = std::fs::read(format!("{files}.out")) else {
            let written = std::fs::write(format!("{FOLDER}/harness.py"), HARNESS)
                .and_then(|()| std::fs::write(format!("{files}.run"), &run));
            return Err(match written {
                Ok(()) => NoAnswers::NotRun,
                Err(error) => NoAnswers::NoPython(error.to_string()),
            }
            .into());
        };
        answers.read(&printed).map_err(NoAnswers::Fault)?;
        if answers.are_complete() {
            return Ok(());
        }
        let at = answers.after();
        let end = std::fs::read_to_string(format!("{files}.end")).unwrap_or_default();
        Err(NoAnswers::Fault(match end {
            end if end == "time" => {
                Fault::TooLong { at, line: 0, inner: None, seconds: self.seconds }
            }
            end if end.is_empty() => Fault::Ended { at, how: "it exits".into() },
            how => Fault::Ended { at, how },
        })
        .into())
    }
}
