//! Progress on standard error for work that takes its time; nothing where that is no terminal.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hog::engine::Progress;
use hog::format::fit;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work ends before anyone could read a bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// Times are not guessed from less than this.
const FIRST_GUESS: Duration = Duration::from_millis(800);

/// As much of a name as is shown beside the bar, and no less, so that the bar stays where it is.
const NAME_WIDTH: usize = 24;

/// Says how far work is: a bar where its steps are known, else that it goes on.
#[derive(Clone)]
pub(super) struct Bar(Arc<Mutex<ShownBar>>);

struct ShownBar {
    began: Instant,
    bar: Option<ProgressBar>,
    /// The bar says only that work goes on.
    spins: bool,
    /// What the work is about, before what is being done.
    label: String,
    phase: Option<Phase>,
    /// Nothing is shown any more.
    over: bool,
}

/// One kind of work, from its first step to its last.
struct Phase {
    what: &'static str,
    of: usize,
    done: usize,
    began: Instant,
    /// The least that was guessed of the time left: a guess never climbs.
    left: Option<Duration>,
    /// It is another part of the work before, and nobody knows how many follow: no time is guessed.
    is_part: bool,
}

impl Bar {
    /// A bar that shows up once it has something to say.
    pub fn new() -> Self {
        let shown =
            ShownBar { began: Instant::now(), bar: None, spins: false, label: String::new(), phase: None, over: false };
        let bar = Self(Arc::new(Mutex::new(shown)));
        if std::io::stderr().is_terminal() {
            let later = bar.clone();
            // Work that reports no steps is seen to go on all the same.
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                later.shown().say_it_goes_on();
            });
        }
        bar
    }

    /// What the work that follows is about.
    pub fn label(&self, label: String) {
        let mut shown = self.shown();
        (shown.label, shown.phase) = (label, None);
    }

    /// More work follows what [`Self::stop`] made room for.
    pub fn go_on(&self) {
        self.shown().over = false;
    }

    /// Takes it away for good: results, questions or errors follow.
    pub fn stop(&self) {
        let mut shown = self.shown();
        shown.over = true;
        if let Some(bar) = shown.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn shown(&self) -> MutexGuard<'_, ShownBar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Bar {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        self.shown().step(what, "", (done, of));
    }

    fn named_step(&self, what: &'static str, name: &str, done: (usize, usize)) {
        self.shown().step(what, name, done);
    }
}

impl ShownBar {
    fn say_it_goes_on(&mut self) {
        if !self.over && self.bar.is_none() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            bar.set_style(ProgressStyle::with_template("{spinner} working {elapsed}").expect("a sound template"));
            bar.enable_steady_tick(Duration::from_millis(100));
            self.bar = Some(bar);
            self.spins = true;
        }
    }

    fn step(&mut self, what: &'static str, name: &str, (done, of): (usize, usize)) {
        let goes_on =
            self.phase.as_ref().is_some_and(|phase| (phase.what, phase.of) == (what, of) && phase.done <= done);
        if !goes_on {
            let is_part = self.phase.as_ref().is_some_and(|phase| phase.what == what);
            self.phase = Some(Phase { what, of, done, began: Instant::now(), left: None, is_part });
        }
        let (Some(phase), false) = (&mut self.phase, self.over || self.began.elapsed() < PATIENCE) else { return };
        if (self.spins || !goes_on)
            && let Some(bar) = self.bar.take()
        {
            bar.finish_and_clear();
            self.spins = false;
        }
        phase.done = done;
        let left = phase.guess().map_or_else(String::new, in_words);
        let bar = self.bar.get_or_insert_with(bar);
        let name = if name.is_empty() { String::new() } else { format!(" {}", fit(name, NAME_WIDTH)) };
        bar.set_prefix(format!("{}{what}{name}", self.label));
        bar.set_message(left);
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    }
}

impl Phase {
    /// The time left if the rest goes as what is done went, or what was guessed before if that is less.
    fn guess(&mut self) -> Option<Duration> {
        let elapsed = self.began.elapsed();
        if elapsed > FIRST_GUESS && self.done > 0 && !self.is_part {
            let rest = self.of.saturating_sub(self.done) as f64 / self.done as f64;
            let guess = elapsed.mul_f64(rest);
            self.left = Some(self.left.map_or(guess, |left| left.min(guess)));
        }
        self.left
    }
}

/// `12 s left`, `3 min left`.
fn in_words(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..100 => format!("{} s left", seconds.max(1)),
        seconds @ 100..6000 => format!("{} min left", seconds.div_ceil(60)),
        seconds => format!("{} h left", seconds.div_ceil(3600)),
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let template = "{prefix} {wide_bar} {percent:>3} %  {msg:>10}";
    bar.with_style(ProgressStyle::with_template(template).expect("a sound template"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guessed_of_the_time_left_never_climbs() {
        let began = Instant::now() - Duration::from_secs(10);
        let mut phase = Phase { what: "solving", of: 100, done: 50, began, left: None, is_part: false };
        let first = phase.guess().unwrap();
        assert!((9..=11).contains(&first.as_secs()), "{first:?}");
        // As slow as this, a fresh guess would be four times as long.
        (phase.done, phase.began) = (60, Instant::now() - Duration::from_secs(60));
        assert_eq!(phase.guess(), Some(first));
        (phase.done, phase.began) = (99, Instant::now() - Duration::from_secs(60));
        assert!(phase.guess().unwrap() < Duration::from_secs(1));
    }

    #[test]
    fn work_of_many_parts_is_not_guessed_again() {
        let mut shown =
            ShownBar { began: Instant::now(), bar: None, spins: false, label: String::new(), phase: None, over: true };
        let mut guess = |what: &'static str, done: usize| {
            shown.step(what, "", (done, 100));
            let phase = shown.phase.as_mut().unwrap();
            phase.began = Instant::now() - Duration::from_secs(10);
            phase.done = done;
            phase.guess()
        };
        assert!(guess("describing", 50).is_some() && guess("describing", 90).is_some());
        // It begins anew: another part, which may take longer than was guessed.
        assert_eq!([guess("describing", 1), guess("describing", 99)], [None, None]);
        assert!(guess("solving", 50).is_some());
    }

    #[test]
    fn times_are_told_in_words() {
        let told = [0, 1, 99, 100, 5999, 7200].map(|seconds| in_words(Duration::from_secs(seconds)));
        assert_eq!(told, ["1 s left", "1 s left", "99 s left", "2 min left", "100 min left", "2 h left"]);
    }
}
