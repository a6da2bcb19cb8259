//! A progress bar on standard error for work that takes its time; nothing where that is no terminal.

use std::time::Duration;

use hog::solve::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Runs `work` with a watch that shows its progress.
pub(super) fn with_progress<T>(what: &'static str, work: impl FnOnce(&Watch) -> T) -> T {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)).with_message(what);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % {eta:>4}").expect("a sound template");
    bar.set_style(style);
    let began = std::time::Instant::now();
    let on_step = |done: usize, of: usize| {
        // Short work ends before anyone could read a bar.
        if began.elapsed() > Duration::from_millis(400) {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        }
        true
    };
    let result = work(&Watch::new(&on_step));
    bar.finish_and_clear();
    result
}
