//! Progress in lines of JSON: `{"type":"progress","progress":{"what","done","of"}}`, with what is
//! known of the answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine::Progress;

/// Sends progress lines; of steps, at most one in 50 ms.
pub struct ProgressLines<S> {
    /// Sends a line that it is given a way to make; returns false if there is no room for one.
    send: S,
    last: Mutex<Instant>,
    /// The items of each list that became known since the last line.
    items: Mutex<BTreeMap<&'static str, Vec<Value>>>,
}

const BETWEEN_STEPS: Duration = Duration::from_millis(50);

impl<S: Fn(&dyn Fn() -> String) -> bool + Send + Sync> ProgressLines<S> {
    /// Lines that `send` sends. It calls what it is given to make the line, if there is room for
    /// it, and returns whether there was.
    pub fn new(send: S) -> Self {
        Self { send, last: Mutex::new(Instant::now()), items: Mutex::default() }
    }

    /// Sends a line, with the items that became known since the last one. If there is no room, the
    /// next line supersedes it, and has these items too.
    fn send_line(&self, progress: &Value) {
        (self.send)(&|| {
            let mut progress = progress.clone();
            let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
            for (list, items) in std::mem::take(&mut *items) {
                progress[list] = items.into();
            }
            format!("{}\n", json!({ "type": "progress", "progress": progress }))
        });
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

    fn item(&self, list: &'static str, item: &dyn Fn() -> Value) {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.entry(list).or_default().push(item());
    }

    fn partial(
        &self,
        what: &'static str,
        done: usize,
        of: usize,
        name: &'static str,
        part: &dyn Fn() -> Value,
    ) {
        self.send_line(&json!({ "what": what, "done": done, "of": of, name: part() }));
    }
}
