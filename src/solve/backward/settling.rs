//! How far repeated sweeps are, told while nobody knows how many there will be.

use std::cell::Cell;

/// So many sweeps are expected while nothing is known of how changes shrink.
const USUAL_SWEEPS: f64 = 20.0;
/// So many sweeps prove what was found, about.
const PROOF_SWEEPS: f64 = 6.0;
/// Progress is told in so many parts: always as many, so that it is one piece of work.
const PARTS: f64 = 10_000.0;

/// A guess of how much is done, from the factor by which changes shrink with each sweep. What is told never falls.
pub(super) struct Settling {
    sweeps: f64,
    left: f64,
    /// The first change, and after how many sweeps it was seen.
    first: Option<(f64, f64)>,
    told: Cell<f64>,
}

impl Settling {
    pub fn new() -> Self {
        Self { sweeps: 0.0, left: USUAL_SWEEPS, first: None, told: Cell::new(0.0) }
    }

    /// How much is done of how much, within a sweep of which so much is done.
    pub fn told(&self, (part, all): (usize, usize)) -> (usize, usize) {
        let done = self.sweeps + part as f64 / all.max(1) as f64;
        self.told.set(self.told.get().max(done / (self.sweeps + self.left)));
        ((self.told.get() * PARTS) as usize, PARTS as usize)
    }

    /// A sweep is over.
    pub fn swept(&mut self) {
        self.sweeps += 1.0;
        // One more always follows, as far as is known here.
        self.left = (self.left - 1.0).max(2.0);
    }

    /// The last sweep has changed values by this much; sweeps go on until that is no more than `settled`.
    pub fn changed(&mut self, change: f64, settled: f64) {
        let Some((first, seen)) = self.first else {
            self.first = Some((change, self.sweeps));
            return;
        };
        let shrinks = (first / change).ln() / (self.sweeps - seen);
        if change <= settled {
            self.left = PROOF_SWEEPS;
        } else if shrinks > 0.0 {
            self.left = (change / settled).ln() / shrinks + PROOF_SWEEPS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told after each sweep whose changes are these, and how many sweeps are then expected in all.
    fn after(changes: impl IntoIterator<Item = f64>) -> Vec<(usize, f64)> {
        let mut settling = Settling::new();
        let mut told = Vec::new();
        for change in changes {
            let half = settling.told((1, 2)).0;
            assert!(told.last().is_none_or(|(before, _)| *before <= half));
            let (whole, of) = settling.told((2, 2));
            assert!(half <= whole && whole <= of && of == PARTS as usize);
            settling.swept();
            settling.changed(change, 1e-9);
            told.push((whole, settling.sweeps + settling.left));
        }
        told
    }

    #[test]
    fn sweeps_are_guessed_from_how_changes_shrink() {
        // After 1e-1 the change 1e-9 is the ninth.
        let told = after((1..=9).map(|power| 0.1_f64.powi(power)));
        assert!(told[1..].iter().all(|(_, sweeps)| (sweeps - 9.0 - PROOF_SWEEPS).abs() < 1e-6), "{told:?}");
        assert_eq!(told[8].0, (9.0 / 15.0 * PARTS) as usize);
    }

    #[test]
    fn what_is_told_never_falls_nor_passes_the_end() {
        let up_and_down = [0.5, 0.1, 0.4, 1e-3, 0.2, 0.6, 1e-8, 1e-7, 1e-12, 0.0, 1e-12, 0.0];
        after(up_and_down.into_iter().cycle().take(200));
    }
}
