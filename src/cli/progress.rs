//! A progress bar on standard error for work that takes its time; nothing where that is no terminal.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hog::engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Short work ends before anyone could read a bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// Shows a bar while an engine works.
#[derive(Default)]
pub(super) struct Bar(Mutex<Option<(ProgressBar, Instant)>>);

impl Progress for Bar {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (bar, began) = shown.get_or_insert_with(|| (bar(), Instant::now()));
        if began.elapsed() > PATIENCE {
            bar.set_message(what);
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        }
    }

    fn end(&self) {
        if let Some((bar, _)) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    bar.with_style(ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % {eta:>4}").expect("a sound template"))
}
