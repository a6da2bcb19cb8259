//! Progress in lines of JSON: `{"progress":{"what","done","of"}}`, with the entrants of a contest
//! that were read, or the part of its matrix that is known.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine::Progress;

/// Sends progress lines; of steps, at most one in 50 ms.
pub struct ProgressLines<S> {
    /// Sends a line that it is given a way to make; returns false if there is no room for one.
    send: S,
    last: Mutex<Instant>,
    /// The entrants of a contest that were read since the last line: `{"name","rejected"}`.
    fates: Mutex<Vec<Value>>,
}

const BETWEEN_STEPS: Duration = Duration::from_millis(50);

/// The most entrants of a contest whose matrix is sent while it fills.
const MOST_SHOWN: usize = 60;

impl<S: Fn(&dyn Fn() -> String) -> bool + Send + Sync> ProgressLines<S> {
    /// Lines that `send` sends. It calls what it is given to make the line, if there is room for
    /// it, and returns whether there was.
    pub fn new(send: S) -> Self {
        Self { send, last: Mutex::new(Instant::now()), fates: Mutex::default() }
    }

    /// Sends a line, with the entrants that were read since the last one. If there is no room, the
    /// next line supersedes it, and has these entrants too.
    fn send_line(&self, progress: &Value) {
        let line = || {
            let mut progress = progress.clone();
            let mut fates = self.fates.lock().unwrap_or_else(PoisonError::into_inner);
            let fates = std::mem::take(&mut *fates);
            if !fates.is_empty() {
                progress["entrants"] = fates.into();
            }
            format!("{}\n", json!({ "progress": progress }))
        };
        (self.send)(&line);
    }
}

impl<S: Fn(&dyn Fn() -> String) -> bool + Send + Sync> Progress for ProgressLines<S> {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < BETWEEN_STEPS {
            return;
        }
        *last = Instant::now();
        self.send_line(&json!({ "what": what, "done": done, "of": of }));
    }

    fn fate(&self, name: &str, rejected: Option<&str>) {
        let fate = json!({ "name": name, "rejected": rejected });
        self.fates.lock().unwrap_or_else(PoisonError::into_inner).push(fate);
    }

    fn rated(&self, matrix: &dyn Fn() -> Vec<Vec<Option<f64>>>) {
        let matrix = matrix();
        let count = matrix.len();
        if count > MOST_SHOWN {
            return;
        }
        let done: usize = (0..count).map(|at| matrix[at][at..].iter().flatten().count()).sum();
        let of = count * (count + 1) / 2;
        self.send_line(&json!({ "what": "playing", "done": done, "of": of, "matrix": matrix }));
    }
}
