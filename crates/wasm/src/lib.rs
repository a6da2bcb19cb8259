//! The engine as a WebAssembly module for a browser's tab.
//!
//! The module is a WASI reactor with one function, [`ask`]. It reads a request from standard input
//! and writes the answer to standard output, as the server does (`Accept: application/x-ndjson`):
//! lines of progress, then one line with the result or the error. Files are those of the file
//! system that the page gives it, in memory:
//!
//! | folder | what it holds |
//! |---|---|
//! | `/tables` | the shipped tables that the page has loaded so far |
//! | `/sent` | the files of a request, while it is answered |
//! | `/tmp` | what is unpacked for a request |
//! | `/python` | Python files that the page is to run, and what they printed: it asks again then |
//!
//! There is one thread, and no clock that could stop the work: the page ends the worker in which
//! the module runs.

use std::io::{Read as _, Write as _, stdin, stdout};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use hog_engine::Engine;
use hog_engine::engine::{Error, Limits, Sources};
use hog_engine::queries::QueryEntry;
use hog_engine::requests::{Endpoint, Failure, ProgressLines, error_line, result_line};
use hog_study::strategy::python::Launcher;

/// The folder for the files of requests.
const SENT: &str = "/sent";

/// The largest answer, in bytes.
const LARGEST_ANSWER: usize = 192 << 20;

/// The engine; it keeps its cache between requests.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    // WASI names no folder for temporary files; submissions to a contest are unpacked in one.
    let _ = tempfile::env::override_temp_dir(Path::new("/tmp"));
    let mut limits = Limits::default();
    (limits.states, limits.memory) = (8 << 20, 2 << 30);
    (limits.entrants, limits.listed, limits.near_ties) = (1200, 100_000, false);
    let sources = Sources::builtin().with_strategy_files().with_python(Launcher::new("pyodide"));
    Engine::builder().limits(limits).sources(sources).build()
});

/// All questions.
static ENDPOINTS: LazyLock<Vec<Endpoint>> =
    LazyLock::new(|| QUERIES.into_iter().flatten().map(Endpoint::new).collect());

const QUERIES: [&[QueryEntry]; 3] =
    [hog_engine::queries::QUERIES, hog_contest::queries::QUERIES, hog_plot::queries::QUERIES];

/// Answers the request on standard input: a line with the name of the question, then its parameters
/// as a JSON document.
#[allow(unsafe_code, reason = "the name under which the page finds it")]
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let mut request = Vec::new();
    let line = match stdin().lock().read_to_end(&mut request).map_err(Error::Storage) {
        Ok(_) => answer(&request),
        Err(error) => Err(error.into()),
    };
    let line = match line {
        Ok(document) => result_line(&document),
        Err(failure) => error_line(&failure.answer),
    };
    write(&line);
}

fn answer(request: &[u8]) -> Result<Vec<u8>, Failure> {
    let end = request.iter().position(|byte| *byte == b'\n').unwrap_or(request.len());
    let (name, body) = (&request[..end], &request[(end + 1).min(request.len())..]);
    let endpoint = ENDPOINTS.iter().find(|endpoint| endpoint.query.name.as_bytes() == name);
    let endpoint = endpoint.ok_or_else(|| {
        Error::malformed(format!("there is no question `{}`", String::from_utf8_lossy(name)))
    })?;
    let read = endpoint.read_body(body)?;
    let uploads = read.uploads(Path::new(SENT))?;
    let progress = ProgressLines::new(|line: &dyn Fn() -> String| {
        write(line().as_bytes());
        true
    });
    let engine = ENGINE.clone().reporting_to(Arc::new(progress));
    read.document(engine, Some(&uploads), LARGEST_ANSWER)
}

/// Writes a line to the page; there is nobody else to tell if that fails.
fn write(line: &[u8]) {
    let mut out = stdout().lock();
    let _ = out.write_all(line);
    let _ = out.flush();
}
