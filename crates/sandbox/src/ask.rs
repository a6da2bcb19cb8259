//! A function, the questions to it, and its answers: from an earlier run if nothing that they
//! depend on has changed, and otherwise from two processes.

use std::ops::RangeInclusive;
use std::path::Path;

use hog_files as files;

use crate::fault::Fault;
use crate::kept::Key;
use crate::launcher::{Launcher, most_memory};
use crate::process;
use crate::readable::ReadableFiles;
use crate::twice::Run;

/// The size limit of a file, in bytes, and of all other files that it may read together if its
/// answers are to be kept.
pub const LARGEST_FILE: u64 = 16 << 20;

/// A function in a Python file.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The absolute path of the file.
    pub path: &'a Path,
    /// The text to run: the file's, or what was made of it.
    pub source: &'a [u8],
    /// The function's name.
    pub name: &'a str,
    /// The names of its two arguments, separated by a comma, for messages.
    pub parameters: &'a str,
    /// Keyword arguments that are passed in addition.
    pub keywords: &'a [(String, i64)],
    /// Modules that it can import although they are not beside its file.
    pub stand_ins: &'a [StandIn],
    /// Whether it may read the other files of its folder, and not only its own.
    pub reads_its_folder: bool,
    /// Whether it may use random numbers: every process then starts with the same fixed seed and
    /// asks in the same order.
    pub is_seeded: bool,
    /// What identifies the file from run to run; `None` for its path.
    pub known_as: Option<&'a str>,
}

/// A module that a file can import unless there is one of this name in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// The module's name.
    pub name: &'static str,
    /// Its text in Python.
    pub source: &'static str,
}

/// The questions: what a function returns for every pair of whole numbers from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Questions {
    /// Both numbers are below this one.
    pub below: usize,
    /// The answers that are allowed.
    pub answers: RangeInclusive<i32>,
}

impl Questions {
    /// The number of questions.
    pub fn count(&self) -> usize {
        self.below * self.below
    }
}

/// Why there are no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswers {
    /// The function is at fault.
    Fault(Fault),
    /// No interpreter was found, or a trusted file's could not be started.
    NoPython(String),
    /// The process could not be sandboxed.
    NotConfined(String),
    /// It has not been run yet, but the page of the tab is told to.
    NotRun,
    /// The caller cancelled the work.
    Cancelled,
}

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
        questions: &Questions,
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

/// The function that passes keyword arguments, as `harness.py` knows it.
const PASSING: &str = "_with_numbers_given";

impl Function<'_> {
    /// Returns the source to run and the function to call. With keyword arguments, a function that
    /// passes them is appended to the text.
    fn called(&self) -> (Vec<u8>, String) {
        let mut source = self.source.to_vec();
        if self.keywords.is_empty() {
            return (source, self.name.to_owned());
        }
        let keywords: Vec<String> =
            self.keywords.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let name = self.name;
        let parameters = self.parameters;
        let keywords = keywords.join(", ");
        let passing = format!(
            "\n\n\ndef {PASSING}({parameters}):\n    return {name}({parameters}, {keywords})\n"
        );
        source.extend_from_slice(passing.as_bytes());
        (source, PASSING.to_owned())
    }

    /// Returns the names of the arguments with which the function is called.
    pub(crate) fn arguments(&self) -> String {
        let keywords = self.keywords.iter().map(|(name, _)| name.as_str());
        [self.parameters].into_iter().chain(keywords).collect::<Vec<_>>().join(", ")
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
fn key(run: &Run) -> Option<Key> {
    let interpreter = run.launcher.interpreter().ok()?;
    let Questions { below, answers } = run.questions;
    let Function { path, parameters, stand_ins, reads_its_folder, is_seeded, known_as, .. } =
        *run.function;
    let seconds = run.launcher.seconds_for(run.questions.count());
    let memory = most_memory();
    let numbers = format!("{below} {answers:?} {seconds} {memory} {is_seeded} {reads_its_folder}");
    let mut key = Key::new()
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
        .with(&files::read_without_links(path, LARGEST_FILE).ok()?)
        .with(&run.source);
    let mut left = LARGEST_FILE;
    for file in run.readable.files.iter().filter(|file| *file != path) {
        let bytes = files::read_without_links(file, left).ok()?;
        left -= bytes.len() as u64;
        let name = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
        key = key.with(name.as_os_str().as_encoded_bytes()).with(&bytes);
    }
    Some(key)
}

/// Whether a text is an identifier of Python.
pub fn is_identifier(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.is_empty()
}
