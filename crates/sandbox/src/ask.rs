//! The answers to the questions to a function: from an earlier run if nothing that they
//! depend on has changed, and otherwise from two processes.

use hog_files as files;

use crate::confinement::most_memory;
use crate::kept::AnswerKey;
use crate::launcher::Launcher;
use crate::limits;
use crate::process;
use crate::question::{Function, NoAnswers, QuestionGrid, StandIn};
use crate::readable::ReadableFiles;
use crate::twice::Run;

impl Launcher {
    /// Asks a function, which must give the same answers in two processes. Returns the answer to
    /// `(a, b)` at index `a * below + b`. Work is cancelled when `keep_going`, called periodically,
    /// returns false.
    ///
    /// For many functions, call it from all threads. Copies of a launcher share the interpreter,
    /// which is searched for once, the answers kept from earlier runs
    /// ([`Launcher::keeping_answers_in`]), and a limit on the number of concurrent processes, so
    /// that they use at most half of the machine's memory.
    ///
    /// # Errors
    /// Returns why there are no answers.
    pub fn ask(
        &self,
        function: &Function,
        questions: &QuestionGrid,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Vec<i32>, NoAnswers> {
        let (source, called) = function.called();
        let readable = if function.reads_its_folder {
            ReadableFiles::own_folder(function.path)
        } else {
            ReadableFiles::alone(function.path)
        };
        let run = Run { launcher: self, function, questions, source, called, readable };
        kept_or(&run, || run.twice(keep_going)).map_err(|failure| match failure {
            NoAnswers::NotConfined(reason) if self.trust => NoAnswers::NoPython(reason),
            failure => failure,
        })
    }
}

/// Returns the result of an earlier run if there is one; otherwise calls `find`, and keeps its
/// result.
fn kept_or(
    run: &Run,
    find: impl FnOnce() -> Result<Vec<i32>, NoAnswers>,
) -> Result<Vec<i32>, NoAnswers> {
    let kept = run.launcher.kept.as_deref().filter(|_| !run.launcher.trust);
    let Some((kept, key)) = kept.and_then(|kept| Some((kept, key(run)?))) else { return find() };
    if let Some(result) = kept.read(&key, run.questions) {
        return result.map_err(NoAnswers::Fault);
    }
    let result = find();
    let to_keep = match &result {
        Ok(answers) => Ok(&answers[..]),
        Err(NoAnswers::Fault(fault)) => Err(fault),
        Err(_) => return result,
    };
    // What has changed or gone meanwhile may be the reason for the result.
    if self::key(run).is_some_and(|again| again == key) {
        kept.write(&key, to_keep);
    }
    result
}

/// Digests everything that the result depends on; `None` if some of it cannot be read or is too
/// large.
fn key(run: &Run) -> Option<AnswerKey> {
    let interpreter = run.launcher.interpreter().ok()?;
    let QuestionGrid { below, answers } = run.questions;
    let Function { path, parameters, stand_ins, reads_its_folder, is_seeded, known_as, .. } =
        *run.function;
    let seconds = run.launcher.seconds_for(run.questions.count());
    let memory = most_memory();
    let numbers = format!("{below} {answers:?} {seconds} {memory} {is_seeded} {reads_its_folder}");
    let mut key = AnswerKey::new()
        .with(env!("CARGO_PKG_VERSION").as_bytes())
        .with(process::SERVER.as_bytes())
        .with(interpreter.version.as_bytes())
        .with(run.called.as_bytes())
        .with(parameters.as_bytes())
        .with(numbers.as_bytes());
    for StandIn { name, source } in stand_ins {
        key = key.with(name.as_bytes()).with(source.as_bytes());
    }
    for packages in &interpreter.packages {
        let changed = packages.metadata().and_then(|metadata| metadata.modified()).ok()?;
        key = key
            .with(packages.as_os_str().as_encoded_bytes())
            .with(format!("{changed:?}").as_bytes());
    }
    // Of a file in a temporary folder, the names of the other files count as seen from its folder.
    let (known_as, folder) = match known_as {
        Some(known_as) => (known_as.as_bytes(), path.parent()),
        None => (path.as_os_str().as_encoded_bytes(), None),
    };
    key = key
        .with(&[u8::from(folder.is_some())])
        .with(known_as)
        .with(&files::read_without_links(path, limits::FILE_BYTES).ok()?)
        .with(&run.source);
    let mut left = limits::FILE_BYTES;
    for file in run.readable.files.iter().filter(|file| *file != path) {
        let bytes = files::read_without_links(file, left).ok()?;
        left -= bytes.len() as u64;
        let name = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
        key = key.with(name.as_os_str().as_encoded_bytes()).with(&bytes);
    }
    Some(key)
}
