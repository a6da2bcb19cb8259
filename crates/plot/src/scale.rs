//! Linear scales from data to pixels, and round numbers for their ticks.

/// A linear map from numbers to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisScale {
    pub from: (f64, f64),
    pub to: (f64, f64),
}

impl AxisScale {
    /// Maps the range `from` to the range `to`.
    pub fn new(from: (f64, f64), to: (f64, f64)) -> Self {
        Self { from, to }
    }

    /// Returns the pixel of a number; the middle of the scale if its range is a single number.
    pub fn at(&self, value: f64) -> f64 {
        let span = self.from.1 - self.from.0;
        let share = if span == 0.0 { 0.5 } else { (value - self.from.0) / span };
        self.to.0 + share * (self.to.1 - self.to.0)
    }

    /// Returns about `about` round numbers within the range: multiples of 1, 2 or 5 times a power
    /// of ten.
    pub fn ticks(&self, about: usize) -> Vec<f64> {
        let least = self.from.0.min(self.from.1);
        let most = self.from.0.max(self.from.1);
        let step = step((most - least) / about.max(1) as f64);
        let first = (least / step - 1e-9).ceil() as i64;
        let last = (most / step + 1e-9).floor() as i64;
        (first..=last).map(|count| count as f64 * step).collect()
    }

    /// Returns the whole numbers among [`Self::ticks`], for counts.
    pub fn whole_ticks(&self, about: usize) -> Vec<f64> {
        self.ticks(about).into_iter().filter(|tick| tick.fract() == 0.0).collect()
    }

    /// Returns how many decimals the numbers of [`Self::ticks`] have.
    pub fn decimals(&self, about: usize) -> usize {
        let step = step((self.from.1 - self.from.0).abs() / about.max(1) as f64);
        (0..9).find(|decimals| (step * 10f64.powi(*decimals)).fract().abs() < 1e-6).unwrap_or(9)
            as usize
    }
}

/// Returns the smallest round step that is at least `least`.
fn step(least: f64) -> f64 {
    if least <= 0.0 || !least.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|times| times * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::AxisScale;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = AxisScale::new((0.0, 100.0), (0.0, 500.0));
        assert_eq!(scale.ticks(5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!((scale.at(20.0), scale.decimals(5)), (100.0, 0));
        let rates = AxisScale::new((0.46, 0.58), (0.0, 1.0));
        let shown: Vec<String> =
            rates.ticks(4).iter().map(|tick| format!("{tick:.*}", rates.decimals(4))).collect();
        assert_eq!(shown, ["0.50", "0.55"]);
    }

    #[test]
    fn ticks_of_counts_are_whole() {
        assert_eq!(AxisScale::new((-0.6, 1.6), (0.0, 500.0)).whole_ticks(10), [0.0, 1.0]);
    }

    #[test]
    fn a_range_of_one_value_maps_to_the_middle() {
        let scale = AxisScale::new((3.0, 3.0), (0.0, 10.0));
        assert_eq!(scale.at(3.0), 5.0);
        assert_eq!(scale.ticks(4), [3.0]);
    }
}
