//! The win rates of a family of strategies: a heat map over two of its numbers, or a curve over
//! one.

use std::collections::BTreeSet;

use hog_engine::format::counted;
use hog_engine::queries::{TuneAnswer, TunedStrategy};

use super::figure::{Axis, Figure, Panel, signed};
use super::heat::{Heat, HeatCell};
use super::scene::{Anchor, Dots, Path};
use super::theme::{Look, Size};
use super::{Caption, Picture};

/// Draws the win rates of a tuned family: a curve over one number, or a map over the first two.
/// With more numbers each cell has the best rate over the others.
pub fn families(look: Look, caption: &Caption, tuned: &TuneAnswer) -> Picture {
    let title =
        format!("Win rate of {} against {} in {}", tuned.strategy, tuned.against, tuned.rules);
    let best = &tuned.best;
    let values = named(&tuned.parameters, &best.values);
    let others = match tuned.others_as_good() {
        0 => String::new(),
        others => format!(", and with {}", counted(others as u64, "other")),
    };
    let mut note =
        format!("Best of {}: {:.6} with {values}{others}.", tuned.rates.len(), best.average);
    if tuned.parameters.len() > 2 {
        note += &format!(" Each cell is the best over {}.", tuned.parameters[2..].join(", "));
    }
    let mut figure = Figure::new(look, caption, &title, &[note]);
    let bottom = match &tuned.parameters[..] {
        [_, _, ..] => map(&mut figure, tuned, look.size),
        _ => curve(&mut figure, tuned),
    };
    figure.finish(bottom)
}

fn named(parameters: &[String], values: &[i64]) -> String {
    let pairs = parameters
        .iter()
        .zip(values)
        .map(|(name, value)| format!("{name} = {}", signed(*value as f64, 0)));
    pairs.collect::<Vec<_>>().join(", ")
}

/// Returns the values of a parameter in ascending order.
fn values(tuned: &TuneAnswer, parameter: usize) -> Vec<i64> {
    tuned
        .rates
        .iter()
        .map(|member| member.values[parameter])
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// Returns the best member with the given values of the first two parameters.
fn member(tuned: &TuneAnswer, first: i64, second: i64) -> Option<&TunedStrategy> {
    let fitting =
        tuned.rates.iter().filter(|member| member.values[0] == first && member.values[1] == second);
    fitting.max_by(|a, b| a.average.total_cmp(&b.average))
}

fn map(figure: &mut Figure, tuned: &TuneAnswer, size: Size) -> f64 {
    let columns = values(tuned, 0);
    let rows = values(tuned, 1);
    let mut cells = Vec::new();
    for first in &columns {
        for second in &rows {
            cells.extend(member(tuned, *first, *second).map(|found| HeatCell {
                values: [*first, *second],
                rate: found.average,
                tip: format!("{}: {:.10}", found.strategy, found.average),
                framed: tuned.is_best(found),
            }));
        }
    }
    let [first, second] = [0, 1].map(|place| tuned.parameters[place].as_str());
    let legend = "average win rate; the best has a frame";
    Heat { names: [first, second], columns, rows, cells, legend }.draw(figure, size)
}

fn curve(figure: &mut Figure, tuned: &TuneAnswer) -> f64 {
    let theme = figure.theme.clone();
    let left = theme.margin + figure.beside_axis("0.000");
    let across = theme.width - theme.margin - left;
    let tall = figure.room_below().map_or(across * 0.5, |room| room - figure.below_axis());
    let mut points: Vec<(f64, f64)> =
        tuned.rates.iter().map(|member| (member.values[0] as f64, member.average)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let least = points.iter().map(|(_, rate)| *rate).fold(1.0, f64::min);
    let most = points.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
    let padding = ((most - least) * 0.08).max(1e-4);
    let span =
        (points.first().map_or(0.0, |point| point.0), points.last().map_or(1.0, |point| point.0));
    let panel = Panel::new(
        (left, figure.top),
        (across, tall),
        span,
        (least - padding, most + padding * 2.0),
    );
    figure.y_axis(&panel, &Axis::round("average win rate", panel.y, 5));
    figure.x_axis(&panel, &Axis::whole(&tuned.parameters[0], panel.x, 10).without_lines());
    let centres: Vec<(f64, f64)> = points.iter().map(|point| panel.at(*point)).collect();
    figure.line(Path::through(&centres, false), theme.accent, theme.small * 0.18);
    let radius = (theme.small * 0.34).min(across / centres.len() as f64 * 0.3);
    figure.dots(Dots { centres, radius, fill: theme.accent, rim: None, tip: None });
    let all_best = tuned.rates.iter().filter(|member| tuned.is_best(member));
    let centres =
        all_best.map(|member| panel.at((member.values[0] as f64, member.average))).collect();
    let best = panel.at((tuned.best.values[0] as f64, tuned.best.average));
    let radius = theme.small * 0.55;
    let fill = theme.second;
    figure.dots(Dots { centres, radius, fill, rim: Some(theme.paper), tip: None });
    let shown = format!("{}: {:.4}", signed(tuned.best.values[0] as f64, 0), tuned.best.average);
    let anchor = if best.0 > panel.left + panel.width * 0.8 { Anchor::End } else { Anchor::Start };
    figure.text((best.0, best.1 - theme.small * 1.1), &shown, theme.text, true, anchor, fill);
    panel.bottom() + figure.below_axis()
}
