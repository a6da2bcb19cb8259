//! Shows the progress of long work on standard error: a bar if that is a terminal, lines now and
//! then if it is not.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::Progress;
use crate::format::fit;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::lines::terminal_columns;

/// Work shorter than this shows no bar.
const SHOWN_AFTER: Duration = Duration::from_millis(400);

/// Work shorter than this writes no line where no bar can be shown. Each further line comes after
/// twice the time.
const NOTED_AFTER: Duration = Duration::from_secs(10);

/// The same for work of which nobody knows how long the rest takes.
const NOTED_WITHOUT_ESTIMATE: Duration = Duration::from_secs(40);

/// The least time from which the time left is estimated.
const ESTIMATED_AFTER: Duration = Duration::from_secs(2);

/// The least part of the work from which the time left is estimated, as one of this number: the
/// first steps may be much slower than the others.
const ESTIMATED_FROM: usize = 20;

/// The width of a name next to the bar, in columns; fixed, so that the bar does not move. In a
/// narrow terminal it is a fifth of the line.
const NAME_WIDTH: usize = 24;

/// A progress bar, or a spinner as long as work reports no steps, or only one, or repeats itself:
/// a bar would fall again and again.
#[derive(Clone)]
pub(super) struct Bar(Arc<Mutex<ShownBar>>);

struct ShownBar {
    began: Instant,
    bar: Option<ProgressBar>,
    /// Whether the bar is a spinner.
    spins: bool,
    phase: Option<Phase>,
    /// Whether nothing is shown any more.
    stopped: bool,
    /// Whether nothing is shown at all.
    quiet: bool,
    /// When the next line is written, if no bar can be shown.
    note_after: Option<Duration>,
}

/// One kind of work, from its first step to its last; `done` of `of` steps are done.
struct Phase {
    what: &'static str,
    /// The file or game that the latest step is about; empty if there is none.
    about: String,
    of: usize,
    done: usize,
    began: Instant,
    /// Whether it repeats the kind of work before it. How many more parts follow is unknown, so no
    /// time is estimated.
    is_part: bool,
    /// Whether it is over, so that work without a name may follow.
    ended: bool,
}

impl Bar {
    /// Returns a bar that appears once work has taken a moment, unless it is quiet.
    pub fn new(quiet: bool) -> Self {
        let shown = ShownBar {
            began: Instant::now(),
            bar: None,
            spins: false,
            phase: None,
            stopped: quiet,
            quiet,
            note_after: (!stderr().is_terminal()).then_some(NOTED_AFTER),
        };
        let bar = Self(Arc::new(Mutex::new(shown)));
        if stderr().is_terminal() && !quiet {
            let later = bar.clone();
            // Work that reports no steps shows a spinner.
            std::thread::spawn(move || {
                std::thread::sleep(SHOWN_AFTER);
                later.lock().spin();
            });
        }
        bar
    }

    /// Shows progress again after [`Self::stop`].
    pub fn resume(&self) {
        let mut shown = self.lock();
        shown.stopped = shown.quiet;
    }

    /// Clears the bar, since results, prompts or errors follow; [`Self::resume`] shows it again.
    pub fn stop(&self) {
        let mut shown = self.lock();
        shown.stopped = true;
        if let Some(bar) = shown.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, ShownBar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Bar {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        self.lock().step(what, "", done, of);
    }

    fn named_step(&self, what: &'static str, name: &str, done: usize, of: usize) {
        self.lock().step(what, name, done, of);
    }

    fn end(&self) {
        if let Some(phase) = &mut self.lock().phase {
            phase.ended = true;
        }
    }
}

impl ShownBar {
    /// Shows a spinner with the name of the work, which may have begun before anything is shown.
    fn spin(&mut self) {
        if !self.stopped && self.bar.is_none() {
            self.bar = Some(spinner().with_prefix(self.label()));
            self.spins = true;
        }
    }

    /// What is done: the kind of work and the file or game that it is about.
    fn label(&self) -> String {
        match self.phase.as_ref().filter(|phase| !phase.ended) {
            None => "working".to_owned(),
            Some(Phase { what, about, .. }) if about.is_empty() => (*what).to_owned(),
            Some(Phase { what, about, .. }) => {
                format!("{what} {}", fit(about, name_width())).trim_end().to_owned()
            }
        }
    }

    fn step(&mut self, what: &'static str, name: &str, done: usize, of: usize) {
        let continues = self.phase.as_ref().is_some_and(|phase| {
            !phase.ended && (phase.what, phase.of) == (what, of) && phase.done <= done
        });
        if !continues {
            let is_part = self.phase.as_ref().is_some_and(|phase| phase.what == what);
            let about = String::new();
            let began = Instant::now();
            self.phase = Some(Phase { what, about, of, done, began, is_part, ended: false });
        }
        let Some(phase) = &mut self.phase else { return };
        if phase.about != name {
            name.clone_into(&mut phase.about);
        }
        if self.stopped || self.began.elapsed() < SHOWN_AFTER {
            return;
        }
        if self.note_after.is_some() {
            phase.done = done;
            return self.note();
        }
        let spins = of <= 1 || phase.is_part;
        let is_new = !continues && !phase.is_part;
        if (self.spins != spins || is_new)
            && let Some(bar) = self.bar.take()
        {
            bar.finish_and_clear();
        }
        self.spins = spins;
        phase.done = done;
        let left = phase.estimate().map_or_else(String::new, in_words);
        let bar = self.bar.get_or_insert_with(if spins { spinner } else { bar });
        let name =
            if name.is_empty() { String::new() } else { format!(" {}", fit(name, name_width())) };
        let prefix = format!("{what}{name}");
        if spins {
            return bar.set_prefix(prefix.trim_end().to_owned());
        }
        bar.set_prefix(prefix);
        bar.set_message(left);
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    }
}

impl ShownBar {
    /// Writes a line with what is done and how long the rest takes, if it is time for one.
    fn note(&mut self) {
        let elapsed = self.began.elapsed();
        let Some(line) = self.noted(elapsed) else { return };
        self.note_after = Some(2 * elapsed);
        // There is nowhere left to report that this cannot be written.
        let _ = writeln!(stderr(), "{line}");
    }

    /// A line after this time, as `solving: 12 % after 10 s, 80 s left`, if it is time for one: not
    /// if little is left, and later if nobody knows how much.
    fn noted(&mut self, elapsed: Duration) -> Option<String> {
        let label = self.label();
        let after = self.note_after?;
        let phase = self.phase.as_mut()?;
        let left = phase.estimate();
        let after = if left.is_some() { after } else { NOTED_WITHOUT_ESTIMATE.max(after) };
        if elapsed < after || left.is_some_and(|left| left < NOTED_AFTER) {
            return None;
        }
        let done = match phase.of {
            0 | 1 => String::new(),
            of => format!(": {} %", 100 * phase.done / of),
        };
        let left = left.map_or_else(String::new, |left| format!(", {}", in_words(left)));
        Some(format!("{label}{done} after {} s{left}", elapsed.as_secs()))
    }
}

impl Phase {
    /// Estimates the time left at the average speed so far.
    fn estimate(&self) -> Option<Duration> {
        let elapsed = self.began.elapsed();
        let is_enough = elapsed > ESTIMATED_AFTER
            && self.done >= self.of.div_ceil(ESTIMATED_FROM).max(1)
            && !self.is_part;
        let remaining = self.of.saturating_sub(self.done) as f64 / self.done as f64;
        is_enough.then(|| elapsed.mul_f64(remaining))
    }
}

/// Formats the time left as `12 s left` or `3 min left`.
fn in_words(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..100 => format!("{} s left", seconds.max(1)),
        seconds @ 100..6000 => format!("{} min left", seconds.div_ceil(60)),
        seconds => format!("{} h left", seconds.div_ceil(3600)),
    }
}

fn name_width() -> usize {
    let columns = terminal_columns(stderr().is_terminal());
    columns.map_or(NAME_WIDTH, |columns| NAME_WIDTH.min(columns / 5))
}

fn spinner() -> ProgressBar {
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner.with_style(
        ProgressStyle::with_template("{spinner} {prefix} {elapsed}").expect("a valid template"),
    )
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let template = "{prefix} {wide_bar} {percent:>3} %  {msg:>10}";
    bar.with_style(ProgressStyle::with_template(template).expect("a valid template"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_estimated_at_the_average_speed() {
        let began = Instant::now() - Duration::from_secs(10);
        let mut phase = Phase {
            about: String::new(),
            ended: false,
            what: "solving",
            of: 100,
            done: 50,
            began,
            is_part: false,
        };
        let first = phase.estimate().unwrap();
        assert!((9..=11).contains(&first.as_secs()), "{first:?}");
        // Work has slowed down.
        (phase.done, phase.began) = (60, Instant::now() - Duration::from_secs(60));
        let slower = phase.estimate().unwrap();
        assert!((39..=41).contains(&slower.as_secs()), "{slower:?}");
        (phase.done, phase.began) = (99, Instant::now() - Duration::from_secs(60));
        assert!(phase.estimate().unwrap() < Duration::from_secs(1));
    }

    #[test]
    fn the_first_steps_give_no_estimate() {
        let began = Instant::now() - Duration::from_secs(100);
        let mut phase = Phase {
            about: String::new(),
            ended: false,
            what: "solving",
            of: 1000,
            done: 9,
            began,
            is_part: false,
        };
        assert_eq!(phase.estimate(), None);
        phase.done = 50;
        assert!(phase.estimate().is_some());
    }

    #[test]
    fn repeated_work_has_no_estimate() {
        let mut shown = ShownBar {
            began: Instant::now(),
            bar: None,
            spins: false,
            phase: None,
            stopped: true,
            quiet: false,
            note_after: None,
        };
        let mut estimate = |what: &'static str, done: usize| {
            shown.step(what, "", done, 100);
            let phase = shown.phase.as_mut().unwrap();
            phase.began = Instant::now() - Duration::from_secs(10);
            phase.done = done;
            phase.estimate()
        };
        assert!(estimate("describing", 50).is_some() && estimate("describing", 90).is_some());
        // Work of the same kind begins again: this part may take longer than estimated.
        assert_eq!([estimate("describing", 1), estimate("describing", 99)], [None, None]);
        assert!(estimate("solving", 50).is_some());
    }

    #[test]
    fn work_that_began_before_anything_is_shown_has_its_name() {
        let shown = |steps: &dyn Fn(&Bar)| {
            let bar = Bar::new(false);
            steps(&bar);
            bar.lock().label()
        };
        assert_eq!(shown(&|_| ()), "working");
        assert_eq!(shown(&|bar| bar.step("tabulating", 0, 1)), "tabulating");
        let of_many = |bar: &Bar| bar.named_step("tabulating", "1 of 2, pig", 0, 1);
        assert_eq!(shown(&of_many), "tabulating 1 of 2, pig");
        let over = |bar: &Bar| {
            of_many(bar);
            bar.end();
        };
        assert_eq!(shown(&over), "working");
        let next = |bar: &Bar| {
            over(bar);
            bar.step("solving", 1, 9);
        };
        assert_eq!(shown(&next), "solving");
    }

    #[test]
    fn a_line_says_how_much_is_done_and_how_long_the_rest_takes() {
        let bar = Bar::new(false);
        bar.step("solving", 25, 100);
        let mut shown = bar.lock();
        shown.note_after = Some(NOTED_AFTER);
        shown.phase.as_mut().unwrap().began = Instant::now() - Duration::from_secs(10);
        let line = shown.noted(Duration::from_secs(10));
        assert_eq!(line.as_deref(), Some("solving: 25 % after 10 s, 30 s left"));
        assert_eq!(shown.noted(Duration::from_secs(9)), None);
        shown.step("solving", "", 90, 100);
        shown.phase.as_mut().unwrap().done = 90;
        assert_eq!(shown.noted(Duration::from_secs(10)), None, "it is over in a second");
        shown.step("reading", "", 0, 1);
        assert_eq!(shown.noted(Duration::from_secs(20)), None);
        let line = shown.noted(Duration::from_secs(40));
        assert_eq!(line.as_deref(), Some("reading after 40 s"));
    }

    #[test]
    fn times_are_rounded_to_readable_units() {
        let texts =
            [0, 1, 99, 100, 5999, 7200].map(|seconds| in_words(Duration::from_secs(seconds)));
        assert_eq!(
            texts,
            ["1 s left", "1 s left", "99 s left", "2 min left", "100 min left", "2 h left"]
        );
    }
}
