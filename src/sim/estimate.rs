//! Averages of random results with the interval in which the true value is expected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An average and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The average.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The normal quantile of an interval that holds the true value 95 times in 100.
pub const CONFIDENCE_95: f64 = 1.959_963_984_540_054;

impl Estimate {
    /// Of results between 0 and 1 (wins, ties as a half) that average `mean` over `trials`: Wilson's score interval
    /// (E. B. Wilson, JASA 22, 1927). With halves among the results it is a little too wide.
    pub fn of_share(mean: f64, trials: u64, quantile: f64) -> Self {
        if trials == 0 {
            return Self { mean, low: 0.0, high: 1.0 };
        }
        let (n, z2) = (trials as f64, quantile * quantile);
        let centre = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = quantile / (1.0 + z2 / n) * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
        Self { mean, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }

    /// Of results of any kind: the mean and so many standard errors around it. One result alone has no interval.
    pub fn of_results(results: impl IntoIterator<Item = f64>, quantile: f64) -> Self {
        // Welford's method for the variance: one pass, no cancellation. The mean itself is the sum over the count, so
        // that the average of whole numbers is rounded once.
        let (mut n, mut sum, mut running, mut squares) = (0.0, 0.0, 0.0, 0.0);
        for result in results {
            n += 1.0;
            sum += result;
            let off = result - running;
            running += off / n;
            squares += off * (result - running);
        }
        let mean = sum / f64::max(n, 1.0);
        let half = if n > 1.0 { quantile * (squares / (n - 1.0) / n).sqrt() } else { f64::INFINITY };
        Self { mean, low: mean - half, high: mean + half }
    }

    /// Whether a value lies in the interval.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_that_of_the_textbooks() {
        // 8 of 10: 0.4902 to 0.9433.
        let share = Estimate::of_share(0.8, 10, CONFIDENCE_95);
        assert!((share.low - 0.4902).abs() < 1e-4 && (share.high - 0.9433).abs() < 1e-4, "{share:?}");
        assert_eq!(Estimate::of_share(0.0, 10, CONFIDENCE_95).low, 0.0);
    }

    #[test]
    fn a_mean_lies_in_the_middle_of_its_interval() {
        let mean = Estimate::of_results([1.0, 2.0, 3.0], 1.0);
        assert!((mean.mean - 2.0).abs() < 1e-15 && (mean.high - 2.0 - (1f64 / 3.0).sqrt()).abs() < 1e-12, "{mean:?}");
        assert!(!mean.holds(1.0) && mean.holds(1.5));
    }
}
