//! Averages of random results, with confidence intervals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An average with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The average.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The normal quantile of a 95% confidence interval.
pub const CONFIDENCE_95: f64 = 1.959_963_984_540_054;

impl Estimate {
    /// Creates the estimate of a share from results between 0 and 1 (wins, with ties as one half)
    /// whose average over `trials` is `mean`: Wilson's score interval (E. B. Wilson, JASA 22,
    /// 1927). If there are ties, it is slightly too wide.
    pub fn of_share(mean: f64, trials: u64, quantile: f64) -> Self {
        if trials == 0 {
            return Self { mean, low: 0.0, high: 1.0 };
        }
        let n = trials as f64;
        let z2 = quantile * quantile;
        let centre = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = quantile / (1.0 + z2 / n)
            * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
        // Without a loss the interval ends at 1 and without a win at 0, but rounding may lead off
        // these ends.
        let low = (centre - half).max(0.0);
        let high = (centre + half).min(1.0);
        Self {
            mean,
            low: if mean <= 0.0 { 0.0 } else { low },
            high: if mean >= 1.0 { 1.0 } else { high },
        }
    }

    /// Creates the estimate of a mean from any results: the interval extends `quantile` standard
    /// errors to both sides. With fewer than two results, it is infinite.
    pub fn of_results(results: impl IntoIterator<Item = f64>, quantile: f64) -> Self {
        // Welford's method for the variance: one pass, no cancellation. The mean itself is the sum
        // divided by the count, so that the average of integers is rounded only once.
        let mut n = 0.0;
        let mut sum = 0.0;
        let mut running = 0.0;
        let mut squares = 0.0;
        for result in results {
            n += 1.0;
            sum += result;
            let off = result - running;
            running += off / n;
            squares += off * (result - running);
        }
        let mean = sum / f64::max(n, 1.0);
        let half =
            if n > 1.0 { quantile * (squares / (n - 1.0) / n).sqrt() } else { f64::INFINITY };
        Self { mean, low: mean - half, high: mean + half }
    }

    /// Returns whether a value lies in the interval.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_equals_a_textbook_example() {
        // 8 of 10: 0.4902 to 0.9433.
        let share = Estimate::of_share(0.8, 10, CONFIDENCE_95);
        assert!(
            (share.low - 0.4902).abs() < 1e-4 && (share.high - 0.9433).abs() < 1e-4,
            "{share:?}"
        );
        for trials in [10, 1_000, 4_000] {
            let [none, all] =
                [0.0, 1.0].map(|share| Estimate::of_share(share, trials, CONFIDENCE_95));
            assert_eq!((none.low, all.high), (0.0, 1.0), "{trials} trials");
        }
    }

    #[test]
    fn the_interval_of_a_mean_is_symmetric() {
        let mean = Estimate::of_results([1.0, 2.0, 3.0], 1.0);
        assert!(
            (mean.mean - 2.0).abs() < 1e-15
                && (mean.high - 2.0 - (1f64 / 3.0).sqrt()).abs() < 1e-12,
            "{mean:?}"
        );
        assert!(!mean.holds(1.0) && mean.holds(1.5));
    }
}
