//! The colours of the numbers of dice, as people with colour blindness see them: CIEDE2000
//! distances between colours as simulated by Machado, Oliveira and Fernandes (2009).

use hog::plot::{Rgb, Shade, dice_colours};

/// A kind of colour vision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sight {
    Normal,
    Deuteranopia,
    Protanopia,
    Tritanopia,
}

pub const SIGHTS: [Sight; 4] =
    [Sight::Normal, Sight::Deuteranopia, Sight::Protanopia, Sight::Tritanopia];

/// The least distance of neighbouring numbers of dice; 2.3 is just noticeable, side by side.
const NEIGHBOURS: f64 = 7.5;
/// The least distance of zero dice from every other number.
const ZERO: f64 = 10.0;

impl Sight {
    /// Returns the matrix that maps linear colours to colours as seen (severity 1.0, Machado and
    /// others, table 1).
    fn matrix(self) -> [[f64; 3]; 3] {
        match self {
            Self::Normal => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Self::Deuteranopia => [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            Self::Protanopia => [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            Self::Tritanopia => [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        }
    }
}

fn times(matrix: [[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
}

/// Returns the CIELAB coordinates (D65) of a colour as it is seen.
fn lab(Rgb(red, green, blue): Rgb, sight: Sight) -> [f64; 3] {
    let linear = [red, green, blue].map(|channel| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    });
    let seen = times(sight.matrix(), linear).map(|channel| channel.clamp(0.0, 1.0));
    let to_xyz = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ];
    let white = [0.95047, 1.0, 1.08883];
    let xyz = times(to_xyz, seen);
    let f: [f64; 3] = std::array::from_fn(|axis| {
        let share = xyz[axis] / white[axis];
        if share > 216.0 / 24389.0 { share.cbrt() } else { (24389.0 / 27.0 * share + 16.0) / 116.0 }
    });
    [116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])]
}

/// Returns the CIEDE2000 distance (Sharma, Wu and Dalal, 2005).
fn ciede2000([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let mean_chroma = (a1.hypot(b1) + a2.hypot(b2)) / 2.0;
    let weight = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25f64.powi(7))).sqrt();
    let stretch = 1.0 + 0.5 * (1.0 - weight(mean_chroma));
    let (a1, a2) = (a1 * stretch, a2 * stretch);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f64, b: f64| {
        if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) }
    };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if grey => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let hue_part = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (light, chroma) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let mean_hue = match (h1 - h2).abs() {
        _ if grey => h1 + h2,
        apart if apart <= 180.0 => (h1 + h2) / 2.0,
        _ if h1 + h2 < 360.0 => (h1 + h2 + 360.0) / 2.0,
        _ => (h1 + h2 - 360.0) / 2.0,
    };
    let cosine = |times: f64, offset: f64| (times * mean_hue + offset).to_radians().cos();
    let t = 1.0 - 0.17 * cosine(1.0, -30.0) + 0.24 * cosine(2.0, 0.0) + 0.32 * cosine(3.0, 6.0)
        - 0.2 * cosine(4.0, -63.0);
    let rotation = 30.0 * (-((mean_hue - 275.0) / 25.0).powi(2)).exp();
    let mixed = -2.0 * weight(chroma) * (2.0 * rotation).to_radians().sin();
    let sl = 1.0 + 0.015 * (light - 50.0).powi(2) / (20.0 + (light - 50.0).powi(2)).sqrt();
    let (sc, sh) = (1.0 + 0.045 * chroma, 1.0 + 0.015 * chroma * t);
    let [dl, dc, dh] = [(l2 - l1) / sl, (c2 - c1) / sc, hue_part / sh];
    (dl * dl + dc * dc + dh * dh + mixed * dc * dh).sqrt()
}

/// Returns the distance between two colours as they are seen.
pub fn distance(one: Rgb, other: Rgb, sight: Sight) -> f64 {
    ciede2000(lab(one, sight), lab(other, sight))
}

/// Returns the least distance between the colours of two numbers of dice, over all pairs that
/// `pairs` selects.
fn nearest(colours: &[Rgb], sight: Sight, pairs: impl Fn(usize, usize) -> bool) -> f64 {
    let all = (0..colours.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
    let chosen = all.filter(|(one, other)| pairs(*one, *other));
    chosen
        .map(|(one, other)| distance(colours[one], colours[other], sight))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn distances_agree_with_those_published_by_sharma_wu_and_dalal() {
    let pairs = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ];
    for (one, other, published) in pairs {
        assert!(
            (ciede2000(one, other) - published).abs() < 5e-5,
            "{one:?} {other:?}: {}",
            ciede2000(one, other)
        );
    }
}

#[test]
fn neighbouring_numbers_of_dice_are_distinct_for_every_colour_vision() {
    for shade in [Shade::Light, Shade::Dark] {
        let colours = dice_colours(shade);
        for sight in SIGHTS {
            let neighbours = nearest(&colours, sight, |one, other| one + 1 == other);
            assert!(neighbours >= NEIGHBOURS, "{shade:?}, {sight:?}: {neighbours}");
            let zero = nearest(&colours, sight, |one, _| one == 0);
            assert!(zero >= ZERO, "{shade:?}, {sight:?}: zero dice at {zero}");
        }
    }
}

#[test]
fn more_dice_are_darker() {
    let light = dice_colours(Shade::Light)[1..]
        .iter()
        .map(|colour| lab(*colour, Sight::Normal)[0])
        .collect::<Vec<_>>();
    assert!(light.is_sorted_by(|a, b| a > b), "{light:?}");
}

/// Returns the table on the page of the gallery.
pub fn table() -> String {
    let colours = dice_colours(Shade::Light);
    let mut out = String::from(
        "| dice | colours | full colour vision | deuteranopia | protanopia | tritanopia |\n\
         |---|---|---|---|---|---|\n",
    );
    for one in 0..colours.len() - 1 {
        let (here, next) = (colours[one], colours[one + 1]);
        let distances: Vec<String> =
            SIGHTS.map(|sight| format!("{:.1}", distance(here, next, sight))).into();
        out += &format!("| {one}, {} | `{here}` `{next}` | {} |\n", one + 1, distances.join(" | "));
    }
    let least: Vec<String> =
        SIGHTS.map(|sight| format!("{:.1}", nearest(&colours, sight, |_, _| true))).into();
    out + &format!("| the two closest colours | | {} |\n", least.join(" | "))
}
