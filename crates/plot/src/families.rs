//! The win rates of a family of strategies: a heat map over two of its numbers, or a curve over
//! one.

use std::collections::BTreeSet;

use hog_engine::format::counted;
use hog_engine::queries::{TuneAnswer, TunedStrategy};

use super::figure::{Axis, Figure, Panel, signed};
use super::font::width;
use super::legend::steps;
use super::scene::{Anchor, Dots, Path, PathMark, Stroke};
use super::theme::{Look, Size};
use super::{Caption, Picture, Rgb};

/// The number of colour steps.
const STEPS: usize = 7;

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
    let theme = figure.theme.clone();
    let (columns, rows) = (values(tuned, 0), values(tuned, 1));
    let rates = || tuned.rates.iter().map(|member| member.average);
    let (least, most) = (rates().fold(1.0, f64::min), rates().fold(0.0, f64::max));
    let share = |rate: f64| if most > least { (rate - least) / (most - least) } else { 1.0 };
    let colour = |rate: f64| {
        theme
            .loss((share(rate) * STEPS as f64).floor().min(STEPS as f64 - 1.0) / (STEPS - 1) as f64)
    };
    let left = theme.margin + figure.beside_axis(&rows.last().copied().unwrap_or(0).to_string());
    let across = theme.width - theme.margin - left;
    let room = figure
        .room_below()
        .map_or(f64::INFINITY, |room| room - figure.below_axis() - theme.small * 5.6);
    let cell = (across / columns.len() as f64).min(room / rows.len() as f64).min(theme.text * 4.0);
    let tall = if size == Size::Slide { cell } else { cell.min(theme.text * 2.6) };
    let extent = (cell * columns.len() as f64, tall * rows.len() as f64);
    let span = |count: usize| (-0.5, count as f64 - 0.5);
    let panel = Panel::new((left, figure.top), extent, span(columns.len()), span(rows.len()));
    let fits = width("0.0000", theme.small, false) < cell * 0.92 && tall > theme.small * 1.3;
    let mut frames = Vec::new();
    for (column, first) in columns.iter().enumerate() {
        for (row, second) in rows.iter().enumerate() {
            let Some(found) = member(tuned, *first, *second) else { continue };
            let (x, y) = panel.at((column as f64, row as f64));
            let fill = colour(found.average);
            let cell_mark = PathMark::filled(
                Path::rectangle((x - cell / 2.0, y - tall / 2.0), (cell, tall)),
                fill,
            );
            figure.add(cell_mark.tip(format!("{}: {:.10}", found.strategy, found.average)));
            if fits {
                let shown = format!("{:.4}", found.average);
                let ink = fill.more_readable(Rgb::hex(0x101114), Rgb::hex(0xffffff));
                figure.text(
                    (x, y + theme.small * 0.36),
                    &shown,
                    theme.small,
                    false,
                    Anchor::Middle,
                    ink,
                );
            }
            if tuned.is_best(found) {
                frames.push(Path::rectangle((x - cell / 2.0, y - tall / 2.0), (cell, tall)));
            }
        }
    }
    // Drawn last, on top of all cells.
    for frame in frames {
        figure.add(PathMark::line(frame, Stroke::solid(theme.accent, theme.small * 0.28)));
    }
    labels(figure, &panel, tuned, &columns, &rows);
    let top = panel.bottom() + figure.below_axis() + theme.small * 0.4;
    let limits: Vec<String> = (1..STEPS)
        .map(|step| format!("{:.3}", least + (most - least) * step as f64 / STEPS as f64))
        .collect();
    let colours: Vec<Rgb> =
        (0..STEPS).map(|step| theme.loss(step as f64 / (STEPS - 1) as f64)).collect();
    let bar = (theme.text * 32.0).min(theme.width - theme.margin - left);
    steps(figure, (left, top), bar, ("average win rate; the best has a frame", &colours, &limits));
    top + theme.small * 5.0
}

/// Writes the values of both parameters along the map, leaving some out if there is too little
/// space.
fn labels(figure: &mut Figure, panel: &Panel, tuned: &TuneAnswer, columns: &[i64], rows: &[i64]) {
    let each = |values: &[i64], about: f64| {
        (values.len() as f64 / about.max(1.0)).ceil().max(1.0) as usize
    };
    let theme = figure.theme.clone();
    let small = theme.small;
    let every = each(columns, panel.width / (small * 2.6));
    for (place, value) in columns.iter().enumerate().step_by(every) {
        let at = (panel.x.at(place as f64), panel.bottom() + small * 1.4);
        figure.text(at, &signed(*value as f64, 0), small, false, Anchor::Middle, theme.soft);
    }
    let every = each(rows, panel.height / (small * 1.4));
    for (place, value) in rows.iter().enumerate().step_by(every) {
        let at = (panel.left - small * 0.6, panel.y.at(place as f64) + small * 0.36);
        figure.text(at, &signed(*value as f64, 0), small, false, Anchor::End, theme.soft);
    }
    let none = |name| Axis { name, ticks: Vec::new(), decimals: 0, lines: false };
    figure.x_axis(panel, &none(&tuned.parameters[0]));
    let widest =
        rows.iter().map(|value| width(&value.to_string(), small, false)).fold(0.0, f64::max);
    let beside = Panel { left: panel.left - widest, ..*panel };
    figure.y_axis(&beside, &none(&tuned.parameters[1]));
}

fn curve(figure: &mut Figure, tuned: &TuneAnswer) -> f64 {
    let theme = figure.theme.clone();
    let left = theme.margin + figure.beside_axis("0.000");
    let across = theme.width - theme.margin - left;
    let tall = figure.room_below().map_or(across * 0.5, |room| room - figure.below_axis());
    let mut points: Vec<(f64, f64)> =
        tuned.rates.iter().map(|member| (member.values[0] as f64, member.average)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rates = || points.iter().map(|(_, rate)| *rate);
    let (least, most) = (rates().fold(1.0, f64::min), rates().fold(0.0, f64::max));
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
    let (radius, fill) = (theme.small * 0.55, theme.second);
    figure.dots(Dots { centres, radius, fill, rim: Some(theme.paper), tip: None });
    let shown = format!("{}: {:.4}", signed(tuned.best.values[0] as f64, 0), tuned.best.average);
    let anchor = if best.0 > panel.left + panel.width * 0.8 { Anchor::End } else { Anchor::Start };
    figure.text((best.0, best.1 - theme.small * 1.1), &shown, theme.text, true, anchor, fill);
    panel.bottom() + figure.below_axis()
}
