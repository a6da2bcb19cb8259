//! Legends: categories with bars proportional to their shares, and colour steps with their limits.

use std::collections::BTreeMap;

use super::colour::Rgb;
use super::figure::{Figure, percent};
use super::font::width;
use super::scene::{Anchor, Path};

/// A category of cells.
pub(super) struct LegendEntry {
    pub label: String,
    pub colour: Rgb,
    /// The number of its cells.
    pub count: usize,
}

/// The area of a legend: its upper left corner and its size.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegendArea {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// Draws what each colour means, with a bar proportional to its share of all cells.
pub(super) fn bars(figure: &mut Figure, space: LegendArea, head: &str, entries: &[LegendEntry]) {
    let theme = figure.theme.clone();
    let text = theme.text;
    let small = theme.small;
    let left = space.left;
    let base = space.top + text * 0.8;
    figure.text((left, base), head, text, true, Anchor::Start, theme.ink);
    let label = if space.width < text * 14.0 { (small, true) } else { (text, true) };
    let widest = entries.iter().map(|entry| width(&entry.label, label.0, true)).fold(0.0, f64::max);
    let head_room = space.width - width(head, text, true) - text;
    let share = if width("share of positions", small, false) < head_room {
        "share of positions"
    } else {
        "share"
    };
    let bar_room = (space.width - widest - width("<0.1 %", small, false) - text * 0.9)
        .clamp(text * 0.7, text * 12.0);
    let right = left + widest + text + bar_room + width("<0.1 %", small, false);
    let at = right
        .max(left + width(head, text, true) + text + width(share, small, false))
        .min(left + space.width);
    if width(share, small, false) < head_room {
        figure.text((at, base), share, small, false, Anchor::End, theme.soft);
    }
    let line = (text * 1.75).min((space.height - text * 2.0) / entries.len().max(1) as f64);
    let total: usize = entries.iter().map(|entry| entry.count).sum();
    let most = entries.iter().map(|entry| entry.count).max().unwrap_or(1).max(1) as f64;
    for (place, entry) in entries.iter().enumerate() {
        let top = space.top + text * 1.6 + place as f64 * line;
        let middle = top + line / 2.0;
        figure.text(
            (left + widest, middle + label.0 * 0.36),
            &entry.label,
            label.0,
            label.1,
            Anchor::End,
            theme.ink,
        );
        let length = (bar_room * entry.count as f64 / most).max(text * 0.7);
        let height = (line * 0.72).min(text * 1.3);
        figure.box_at(
            (left + widest + text * 0.4, middle - height / 2.0),
            (length, height),
            entry.colour,
        );
        let fill = if entry.count == 0 { theme.faint } else { theme.soft };
        let shown = percent(entry.count as f64 / total.max(1) as f64);
        let at = (left + widest + text * 0.7 + length, middle + small * 0.36);
        figure.text(at, &shown, small, false, Anchor::Start, fill);
    }
}

/// What colours in a row mean.
pub(super) struct ColourScale<'a> {
    pub name: &'a str,
    pub colours: &'a [Rgb],
    /// The limits between the colours: one fewer.
    pub limits: &'a [String],
}

/// Draws a scale below its name.
pub(super) fn steps(figure: &mut Figure, left: f64, top: f64, across: f64, scale: ColourScale) {
    let theme = figure.theme.clone();
    let ColourScale { name, colours, limits } = scale;
    let text = theme.text;
    let small = theme.small;
    figure.text((left, top + small), name, small, true, Anchor::Start, theme.ink);
    let each = across / colours.len() as f64;
    let bar = text * 0.9;
    let bar_top = top + small * 1.6;
    for (place, colour) in colours.iter().enumerate() {
        figure.box_at((left + place as f64 * each, bar_top), (each + 0.3, bar), *colour);
    }
    let frame = Path::rectangle((left, bar_top), (across, bar));
    figure.line(frame, theme.faint, 1.0);
    let mut taken = f64::NEG_INFINITY;
    for (place, limit) in limits.iter().enumerate() {
        let x = left + (place + 1) as f64 * each;
        let half = width(limit, small, false) / 2.0;
        // Limits that would overlap the previous one are left out.
        if x - half < taken {
            continue;
        }
        taken = x + half + small * 0.5;
        figure.text(
            (x, bar_top + bar + small * 1.2),
            limit,
            small,
            false,
            Anchor::Middle,
            theme.soft,
        );
    }
}

/// Steps of a logarithmic scale: limits at given multiples of powers of ten, up to a maximum.
#[derive(Clone, Debug)]
pub(super) struct Decades {
    limits: Vec<f64>,
}

impl Decades {
    /// Chooses the `count` largest limits below `most`. They are `10^k * m / 10` for integers k and
    /// the given descending `multiples` m. If `most` is practically zero, limits below 1 are
    /// chosen.
    pub fn below(most: f64, count: usize, multiples: &[f64]) -> Self {
        let most = if most > 1e-100 { most } else { 1.0 };
        let mut limits = Vec::new();
        let mut power = 10f64.powf(most.log10().ceil());
        while limits.len() < count {
            for times in multiples.iter().map(|times| times / 10.0) {
                if power * times < most && limits.len() < count {
                    limits.push(power * times);
                }
            }
            power /= 10.0;
        }
        limits.reverse();
        Self { limits }
    }

    /// Returns the step of a number; 0 if the number is not positive.
    pub fn step(&self, value: f64) -> usize {
        if value <= 0.0 { 0 } else { 1 + self.limits.partition_point(|limit| *limit <= value) }
    }

    /// Returns the number of steps, that of zero included.
    pub fn count(&self) -> usize {
        self.limits.len() + 2
    }

    /// Formats the limits between the steps, multiplied by `unit`; the first is 0.
    pub fn shown(&self, unit: f64) -> Vec<String> {
        let mut shown = vec!["0".to_owned()];
        for limit in &self.limits {
            let limit = limit * unit;
            let decimals = (-(limit * 1.001).log10().floor()).max(0.0) as usize;
            shown.push(format!("{limit:.decimals$}"));
        }
        shown
    }

    /// Returns what the colours of the steps mean, the largest first; `nothing` names that of zero,
    /// `counts` has how many cells each has.
    pub fn entries(
        &self,
        colours: &[Rgb],
        counts: &BTreeMap<i32, usize>,
        nothing: &str,
    ) -> Vec<LegendEntry> {
        let shown = self.shown(1.0);
        let mut entries = Vec::with_capacity(self.count());
        for step in (0..self.count()).rev() {
            entries.push(LegendEntry {
                label: match step {
                    0 => nothing.to_owned(),
                    1 => format!("< {}", shown[1]),
                    step => format!("≥ {}", shown[step - 1]),
                },
                colour: colours[step],
                count: counts.get(&(step as i32)).copied().unwrap_or(0),
            });
        }
        entries
    }

    /// Describes the range of a step, multiplied by `unit`.
    pub fn range(&self, step: usize, unit: f64) -> String {
        let shown = self.shown(unit);
        match step {
            0 => "nothing".into(),
            1 => format!("below {}", shown[1]),
            step if step == shown.len() => format!("{} or more", shown[step - 1]),
            step => format!("{} to {}", shown[step - 1], shown[step]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decades;

    #[test]
    fn limits_are_one_and_three_times_powers_of_ten() {
        let steps = Decades::below(0.047, 4, &[3.0, 1.0]);
        assert_eq!(steps.shown(1.0), ["0", "0.001", "0.003", "0.01", "0.03"]);
        assert_eq!([0.0, 1e-9, 0.002, 0.047].map(|value| steps.step(value)), [0, 1, 2, 5]);
        assert_eq!(steps.count(), 6);
        assert_eq!(
            [0, 1, 2, 5].map(|step| steps.range(step, 100.0)),
            ["nothing", "below 0.1", "0.1 to 0.3", "3 or more"]
        );
    }
}
