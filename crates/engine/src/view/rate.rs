//! The win rates of a strategy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The win rates of a strategy against another, from 0 to 1. A game that never ends counts as half
/// a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Rate {
    /// The win rate when it moves first.
    pub first: f64,
    /// The win rate when it moves second.
    pub second: f64,
    /// The average of both: what the course calls the win rate.
    pub average: f64,
    /// The share of games that never end, averaged over moving first and second.
    pub endless: f64,
    /// No win rate here differs from the exact one by more than this.
    pub error_bound: f64,
}

impl Rate {
    /// Makes the view of the win rates `[first, second, average]`, the shares of endless games when
    /// moving first and second, and the error bound.
    pub fn new([first, second, average]: [f64; 3], endless: [f64; 2], error_bound: f64) -> Self {
        Self { first, second, average, endless: (endless[0] + endless[1]) / 2.0, error_bound }
    }
}

/// The win rates of one strategy against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RateView {
    /// The game's id.
    pub rules: String,
    /// The strategy that is rated.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: Rate,
}

/// Formats an error bound with two digits, rounded up: what is printed is a bound as well.
pub fn rounded_up(bound: f64) -> String {
    let nearest = format!("{bound:.1e}");
    let parts = nearest
        .split_once('e')
        .and_then(|(digits, power)| Some((digits.parse::<f64>().ok()?, power)));
    match parts {
        Some((digits, power)) if nearest.parse::<f64>().is_ok_and(|nearest| nearest < bound) => {
            let next = format!("{:.1}e{power}", digits + 0.1);
            next.parse::<f64>().map_or(nearest, |next| format!("{next:.1e}"))
        }
        _ => nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::rounded_up;

    #[test]
    fn a_printed_bound_is_never_smaller_than_the_bound() {
        assert_eq!(
            [1.356e-13, 1.31e-13, 1.3e-13, 9.96e-13, 9.91e-13, 0.0].map(rounded_up),
            ["1.4e-13", "1.4e-13", "1.3e-13", "1.0e-12", "1.0e-12", "0.0e0"]
        );
        let all = (1..2000).map(|step| 1.0e-16 * 1.013_f64.powi(step));
        all.for_each(|bound| {
            assert!(rounded_up(bound).parse::<f64>().unwrap() >= bound, "{bound}")
        });
    }
}
