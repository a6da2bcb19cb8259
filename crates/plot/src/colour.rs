//! Colours, and colour maps that interpolate between given stops.

use std::fmt;

/// Returns a channel between two others.
fn mixed(from: u8, to: u8, share: f64) -> u8 {
    (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
}

/// Returns the light of a channel, from 0 to 1.
fn linear(channel: u8) -> f64 {
    let share = f64::from(channel) / 255.0;
    if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

/// A colour in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// Creates a colour from `0xRRGGBB`.
    pub const fn hex(code: u32) -> Self {
        Self((code >> 16) as u8, (code >> 8) as u8, code as u8)
    }

    /// Mixes this colour with another in sRGB; `share` (0 to 1) is that of the other.
    #[must_use]
    pub fn toward(self, other: Self, share: f64) -> Self {
        Self(
            mixed(self.0, other.0, share),
            mixed(self.1, other.1, share),
            mixed(self.2, other.2, share),
        )
    }

    /// Returns the relative luminance, from 0 to 1 (WCAG 2).
    pub fn luminance(self) -> f64 {
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Returns which of two colours has more contrast (WCAG 2) with this background.
    #[must_use]
    pub fn more_readable(self, one: Self, other: Self) -> Self {
        if self.contrast(one) >= self.contrast(other) { one } else { other }
    }

    fn contrast(self, ink: Self) -> f64 {
        let a = self.luminance() + 0.05;
        let b = ink.luminance() + 0.05;
        (a / b).max(b / a)
    }
}

impl fmt::Display for Rgb {
    /// Writes the colour in SVG's notation, with three digits where that is exact.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let channels = [self.0, self.1, self.2];
        if channels.iter().all(|channel| channel >> 4 == channel & 15) {
            return write!(f, "#{:x}{:x}{:x}", self.0 & 15, self.1 & 15, self.2 & 15);
        }
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Returns the colour at `share` (clamped to 0..=1) along evenly spaced stops.
pub(super) fn along(stops: &[Rgb], share: f64) -> Rgb {
    let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let below = (place as usize).min(stops.len() - 2);
    stops[below].toward(stops[below + 1], place - below as f64)
}
