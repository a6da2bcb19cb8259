//! Writes a scene as SVG. Text stays text, coordinates are rounded, and segments have relative
//! coordinates.

use std::fmt::Write as _;

use hog_rules::files::escape::html;

use super::colour::Rgb;
use super::font::FAMILY;
use super::scene::{Anchor, Dots, Mark, Path, PathMark, PathStep, Scene, TextLine};

/// Writes the document. Screen readers read `title` and `description`.
pub(super) fn document(scene: &Scene, title: &str, description: &str) -> String {
    let width = number(scene.width);
    let height = number(scene.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" \
         role=\"img\">\n<title>{}</title>\n<desc>{} Made by hog.</desc>\n\
         <path fill=\"{}\" d=\"M0 0h{width}v{height}H0z\"/>\n",
        html(title),
        html(description),
        scene.paper,
    );
    for mark in &scene.marks {
        match mark {
            Mark::Path(mark) => path(mark, &mut out),
            Mark::Dots(mark) => dots(mark, &mut out),
            Mark::Text(mark) => text(mark, &mut out),
        }
    }
    out + "</svg>\n"
}

/// Formats a number with at most two decimals, as short as possible.
fn number(value: f64) -> String {
    let hundredths = (value * 100.0).round() as i64;
    let sign = if hundredths < 0 { "-" } else { "" };
    let hundredths = hundredths.unsigned_abs();
    let whole = hundredths / 100;
    let rest = hundredths % 100;
    let whole = if whole == 0 && rest > 0 { String::new() } else { whole.to_string() };
    match rest {
        0 if whole == "0" => whole,
        0 => format!("{sign}{whole}"),
        rest if rest % 10 == 0 => format!("{sign}{whole}.{}", rest / 10),
        rest => format!("{sign}{whole}.{rest:02}"),
    }
}

/// Rounds a number as [`number`] does, so that rounding errors of relative coordinates do not
/// accumulate.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn data(path: &Path) -> String {
    let mut out = String::new();
    let mut at = (0.0, 0.0);
    let mut begun = (0.0, 0.0);
    for step in &path.steps {
        match *step {
            PathStep::Move(x, y) => {
                (at, begun) = ((rounded(x), rounded(y)), (rounded(x), rounded(y)));
                pair(&mut out, 'M', at);
            }
            PathStep::Line(x, y) => {
                let x = rounded(x);
                let y = rounded(y);
                let by = (x - at.0, y - at.1);
                match (number(by.0).as_str(), number(by.1).as_str()) {
                    ("0", "0") => {}
                    (across, "0") => out.extend(["h", across]),
                    ("0", down) => out.extend(["v", down]),
                    _ => pair(&mut out, 'l', by),
                }
                at = (x, y);
            }
            PathStep::Close => {
                out.push('z');
                at = begun;
            }
        }
    }
    out
}

fn pair(out: &mut String, command: char, point: (f64, f64)) {
    let x = number(point.0);
    let y = number(point.1);
    let gap = if y.starts_with('-') { "" } else { " " };
    // Writing to a string cannot fail.
    let _ = write!(out, "{command}{x}{gap}{y}");
}

fn path(mark: &PathMark, out: &mut String) {
    let mut attributes = match mark.fill {
        Some(fill) => format!(" fill=\"{fill}\""),
        None => " fill=\"none\"".to_owned(),
    };
    if let Some(stroke) = mark.stroke {
        let _ = write!(
            attributes,
            " stroke=\"{}\" stroke-width=\"{}\"",
            stroke.colour,
            number(stroke.width)
        );
        attributes += " stroke-linejoin=\"round\"";
        if let Some([dash, gap]) = stroke.dash {
            let _ = write!(attributes, " stroke-dasharray=\"{} {}\"", number(dash), number(gap));
        }
    }
    if mark.opacity < 1.0 {
        let _ = write!(attributes, " opacity=\"{}\"", number(mark.opacity));
    }
    if let Some(place) = mark.place {
        let cell = place.cell;
        let left = number(place.left);
        let bottom = number(place.bottom);
        // Four decimals, since the errors of many cells in a row accumulate.
        let scale = (cell * 1e4).round() / 1e4;
        let _ =
            write!(attributes, " transform=\"translate({left} {bottom})scale({scale} -{scale})\"");
        match (mark.fill, mark.stroke) {
            // A thin stroke of the same colour closes the seams that anti-aliasing leaves between
            // neighbours.
            (Some(fill), None) => {
                let _ = write!(attributes, " stroke=\"{fill}\" stroke-width=\".06\"");
            }
            _ => attributes += " vector-effect=\"non-scaling-stroke\"",
        }
    }
    element("path", &format!("{attributes} d=\"{}\"", data(&mark.path)), mark.tip.as_deref(), out);
}

fn dots(mark: &Dots, out: &mut String) {
    let mut data = String::new();
    for centre in &mark.centres {
        pair(&mut data, 'M', *centre);
        data += "h0";
    }
    if let Some(rim) = mark.rim {
        element("path", &dots_in(rim, mark.radius + 1.0, &data), None, out);
    }
    element("path", &dots_in(mark.fill, mark.radius, &data), mark.tip.as_deref(), out);
}

/// Returns the attributes of dots of a colour.
fn dots_in(colour: Rgb, radius: f64, data: &str) -> String {
    let width = number(2.0 * radius);
    format!(
        " fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
         d=\"{data}\""
    )
}

fn text(mark: &TextLine, out: &mut String) {
    let x = number(mark.x);
    let y = number(mark.y);
    let mut attributes =
        format!(" x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"", number(mark.size), mark.fill);
    match mark.anchor {
        Anchor::Start => {}
        Anchor::Middle => attributes += " text-anchor=\"middle\"",
        Anchor::End => attributes += " text-anchor=\"end\"",
    }
    if mark.bold {
        attributes += " font-weight=\"600\"";
    }
    if mark.vertical {
        let _ = write!(attributes, " transform=\"rotate(-90 {x} {y})\"");
    }
    if let Some(halo) = mark.halo {
        let width = number(halo_width(mark.size));
        let _ = write!(
            attributes,
            " stroke=\"{halo}\" stroke-width=\"{width}\" stroke-linejoin=\"round\""
        );
        attributes += " paint-order=\"stroke\"";
    }
    let _ = writeln!(out, "<text{attributes}>{}</text>", html(&mark.text));
}

/// Returns the width of the outline around letters; half of it lies outside of them.
pub(super) fn halo_width(size: f64) -> f64 {
    size * 0.28
}

fn element(name: &str, attributes: &str, tip: Option<&str>, out: &mut String) {
    let _ = match tip {
        Some(tip) => writeln!(out, "<{name}{attributes}><title>{}</title></{name}>", html(tip)),
        None => writeln!(out, "<{name}{attributes}/>"),
    };
}

#[cfg(test)]
mod tests {
    use super::{data, number};
    use crate::scene::Path;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, -0.001, 0.5, -0.5, 1.25, 12.0, -3.1, 100.004].map(number);
        assert_eq!(shown, ["0", "0", ".5", "-.5", "1.25", "12", "-3.1", "100"]);
    }

    #[test]
    fn segments_are_relative_and_rounding_does_not_accumulate() {
        let path = Path::through(&[(1.0, 2.0), (4.0, 2.0), (4.0, 7.0), (3.0, 6.0)], true);
        assert_eq!(data(&path), "M1 2h3v5l-1-1z");
        let thirds: Vec<_> = (0..=300).map(|step| (f64::from(step) / 3.0, 0.0)).collect();
        let sum: f64 = data(&Path::through(&thirds, false))
            .split('h')
            .skip(1)
            .map(|by| by.parse::<f64>().unwrap())
            .sum();
        assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    }
}
