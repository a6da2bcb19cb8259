//! The survey as a picture: for each game three win rates on one line.

use std::io::{self, Write};

use crate::view::{SurveyRow, SurveyView};

/// Where the axis begins and ends, in pixels.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 780.0;
const TOP: f64 = 84.0;
const LINE: f64 = 18.0;
const WIDTH: f64 = 800.0;

/// The win rates that the axis spans.
const LEAST: f64 = 0.4;
const MOST: f64 = 1.0;

const FIRST: &str = "#1b6ca8";
const EQUILIBRIUM: &str = "#2a9d4a";
const RESPONSE: &str = "#d1495b";

/// The place of a win rate on the axis.
fn x(rate: f64) -> f64 {
    LEFT + (rate.clamp(LEAST, MOST) - LEAST) / (MOST - LEAST) * (RIGHT - LEFT)
}

/// Writes an SVG that stands alone; games under their headings, in the order of the table.
pub(crate) fn write(survey: &SurveyView, out: &mut dyn Write) -> io::Result<()> {
    let groups = survey.groups();
    let height = TOP + LINE * (survey.games.len() + 2 * groups.len()) as f64 + 20.0;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<desc>Made by {}; do not edit.</desc>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>",
        escaped(&survey.command)
    )?;
    legend(out)?;
    axis(height, out)?;
    let mut y = TOP;
    for group in groups {
        y += LINE;
        writeln!(out, "<text x=\"8\" y=\"{}\" font-weight=\"bold\">{}</text>", y + 4.0, escaped(group))?;
        for row in survey.of(group) {
            y += LINE;
            line(row, y, out)?;
        }
        y += LINE;
    }
    writeln!(out, "</svg>")
}

fn legend(out: &mut dyn Write) -> io::Result<()> {
    let entries = [
        (90.0, FIRST, "first player, both play to win"),
        (306.0, EQUILIBRIUM, "equilibrium play against the baseline"),
        (574.0, RESPONSE, "best response to the baseline"),
    ];
    for (left, colour, text) in entries {
        writeln!(out, "<circle cx=\"{left}\" cy=\"20\" r=\"5\" fill=\"{colour}\"/>")?;
        writeln!(out, "<text x=\"{}\" y=\"24\">{text}</text>", left + 10.0)?;
    }
    Ok(())
}

fn axis(height: f64, out: &mut dyn Write) -> io::Result<()> {
    for tenth in 4..=10 {
        let rate = f64::from(tenth) / 10.0;
        let (at, colour) = (x(rate), if tenth == 5 { "#888888" } else { "#dddddd" });
        let bottom = height - 14.0;
        writeln!(out, "<line x1=\"{at}\" y1=\"62\" x2=\"{at}\" y2=\"{bottom}\" stroke=\"{colour}\"/>")?;
        writeln!(out, "<text x=\"{at}\" y=\"54\" text-anchor=\"middle\" fill=\"#555555\">{rate:.1}</text>")?;
    }
    Ok(())
}

fn line(row: &SurveyRow, y: f64, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", LEFT - 12.0, y + 4.0, escaped(&row.rules))?;
    let [equilibrium, response] = [row.equilibrium, row.best_response].map(|rate| rate.map(|rate| rate.average));
    if let (Some(least), Some(most)) = (equilibrium, response) {
        writeln!(out, "<line x1=\"{:.1}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\" stroke=\"#999999\"/>", x(least), x(most))?;
    }
    let dots = [(Some(row.win_rate.first), FIRST), (equilibrium, EQUILIBRIUM), (response, RESPONSE)];
    for (rate, colour) in dots.iter().filter_map(|(rate, colour)| Some(((*rate)?, colour))) {
        let title = format!("{}: {rate:.10}", escaped(&row.rules));
        writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"><title>{title}</title></circle>",
            x(rate)
        )?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
