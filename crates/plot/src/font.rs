//! The shipped font: the width of text, and the outlines of letters, which a PNG needs.
//!
//! It is Inter (SIL Open Font License, `fonts/LICENSE.txt`) in two weights, reduced to the
//! characters of `GLYPHS` in `fonts/README.md`.

use std::io::Read as _;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font families of an SVG: Inter if it is installed, otherwise one of about the same width.
pub(super) const FAMILY: &str = "Inter,'Helvetica Neue',Arial,'Liberation Sans',sans-serif";

static REGULAR: LazyLock<Vec<u8>> =
    LazyLock::new(|| inflated(include_bytes!("fonts/Inter-Regular.otf.gz")));
static BOLD: LazyLock<Vec<u8>> =
    LazyLock::new(|| inflated(include_bytes!("fonts/Inter-SemiBold.otf.gz")));

static REGULAR_FACE: LazyLock<Face<'static>> = LazyLock::new(|| face(&REGULAR));
static BOLD_FACE: LazyLock<Face<'static>> = LazyLock::new(|| face(&BOLD));

fn inflated(packed: &[u8]) -> Vec<u8> {
    let mut font = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut font).expect("the shipped font is valid");
    font
}

fn face(font: &'static [u8]) -> Face<'static> {
    Face::parse(font, 0).expect("the shipped font is valid")
}

fn weight(bold: bool) -> &'static Face<'static> {
    if bold { &BOLD_FACE } else { &REGULAR_FACE }
}

/// Returns the glyph of a letter, or the box for letters that the font lacks.
fn glyph(face: &Face, letter: char) -> GlyphId {
    face.glyph_index(letter).unwrap_or(GlyphId(0))
}

fn advance(face: &Face, glyph: GlyphId) -> f64 {
    f64::from(face.glyph_hor_advance(glyph).unwrap_or_default()) / f64::from(face.units_per_em())
}

/// Returns the width of a line of text in a font size.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let face = weight(bold);
    text.chars().map(|letter| advance(face, glyph(face, letter))).sum::<f64>() * size
}

/// Breaks text at spaces into lines no wider than `most`. A single word may be wider.
pub(super) fn wrapped(text: &str, size: f64, bold: bool, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, bold) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns the text, cut and with an ellipsis if it is wider than `most`.
pub(super) fn shortened(text: &str, size: f64, bold: bool, most: f64) -> String {
    if width(text, size, bold) <= most {
        return text.to_owned();
    }
    let mut kept: String = text.to_owned();
    while kept.pop().is_some() {
        let shown = format!("{}…", kept.trim_end());
        if width(&shown, size, bold) <= most {
            return shown;
        }
    }
    String::new()
}

/// Receives the outlines of letters, one after the other.
pub(super) trait Pen: OutlineBuilder {
    /// Begins a letter at the distance `right` from the text's left end. The outline's coordinates
    /// are to be multiplied by `unit`. Both are multiples of the font's size.
    fn begin(&mut self, right: f64, unit: f64);
}

/// Passes the outlines of a line of text to a pen.
pub(super) fn outlines(text: &str, bold: bool, pen: &mut impl Pen) {
    let face = weight(bold);
    let unit = 1.0 / f64::from(face.units_per_em());
    let mut right = 0.0;
    for letter in text.chars() {
        let glyph = glyph(face, letter);
        pen.begin(right, unit);
        // A space has no outline.
        let _ = face.outline_glyph(glyph, pen);
        right += advance(face, glyph);
    }
}

#[cfg(test)]
mod tests {
    use super::{shortened, width, wrapped};

    #[test]
    fn width_scales_with_the_size_and_text_breaks_between_words() {
        assert!(width("win rate", 10.0, true) > width("win rate", 10.0, false));
        assert!(
            (width("win rate", 20.0, false) - 2.0 * width("win rate", 10.0, false)).abs() < 1e-9
        );
        let lines = wrapped("how many dice to roll at each position", 10.0, false, 80.0);
        assert!(
            lines.len() > 1 && lines.iter().all(|line| width(line, 10.0, false) <= 80.0),
            "{lines:?}"
        );
        assert_eq!(lines.join(" "), "how many dice to roll at each position");
    }

    #[test]
    fn text_that_does_not_fit_ends_in_an_ellipsis() {
        let shown = shortened("a long name of a game", 10.0, false, 50.0);
        assert!(shown.ends_with('…') && width(&shown, 10.0, false) <= 50.0, "{shown}");
        assert_eq!(shortened("short", 10.0, false, 50.0), "short");
    }
}
