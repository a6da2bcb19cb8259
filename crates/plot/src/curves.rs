//! How a game's win rates and best first rolls depend on one of its numbers.

use hog_engine::format::counted;
use hog_engine::queries::{SurveyRow, VariedRow, VaryAnswer};

use super::figure::{Axis, Figure, Panel, signed};
use super::font::width;
use super::scene::{Anchor, Dots, Path, PathMark, Stroke};
use super::theme::{Look, Size};
use super::{Caption, Picture, Rgb};

/// A curve of a panel.
struct Series<'a> {
    name: &'a str,
    colour: Rgb,
    points: Vec<(f64, f64)>,
}

/// Draws the first player's win rate, the win rates against the baseline, and the best first rolls
/// by the values of one number.
pub(super) fn curves(look: Look, caption: &Caption, answer: &VaryAnswer) -> Picture {
    let id = &answer.rules;
    let number = answer.vary[0].as_str();
    let mut rows: Vec<&VariedRow> = answer.rows.iter().collect();
    rows.sort_by_key(|row| row.values[0]);
    let title = format!("How {id} changes with its {number}");
    let mut figure = Figure::new(look, caption, &title, &notes(number, &rows));
    let theme = figure.theme.clone();
    let first = points(&rows, |row| Some(row.win_rate.first));
    let response = points(&rows, |row| row.best_response.map(|rate| rate.average));
    let equilibrium = points(&rows, |row| row.equilibrium.map(|rate| rate.average));
    let against = rows.first().and_then(|row| row.figures.baseline.clone()).unwrap_or_default();
    let mut panels = vec![(
        "Both play to win: the first player's win rate".to_owned(),
        vec![Series { name: "", colour: theme.accent, points: first }],
    )];
    if !response.is_empty() {
        let lines = vec![
            Series { name: "best response", colour: theme.second, points: response },
            Series { name: "equilibrium play", colour: theme.accent, points: equilibrium },
        ];
        panels.push((format!("Against {against}: average win rate"), lines));
    }
    let span = (value(rows.first()), value(rows.last()));
    let left = theme.margin + figure.beside_axis("0.000");
    let across = theme.width - theme.margin - left;
    let count = panels.len() as f64 + 0.8;
    let above = theme.text * 2.4;
    let room = figure
        .room_below()
        .map(|room| (room - figure.below_axis() - above * (count + 0.2)) / count);
    let tall = room.unwrap_or(if look.size == Size::Column { 95.0 } else { 150.0 });
    let mut top = figure.top;
    for (name, lines) in &panels {
        let panel = panel((left, top + above), (across, tall), span, lines);
        head(&mut figure, &panel, name);
        grid(&mut figure, &panel, "win rate");
        for line in lines {
            series(&mut figure, &panel, line);
        }
        names(&mut figure, &panel, lines);
        top = panel.bottom();
    }
    let low = Panel::new((left, top + above), (across, tall * 0.8), span, roll_range(&rows));
    let bottom = rolls(&mut figure, &low, number, &rows);
    figure.finish(bottom)
}

/// The value of the number in a row.
fn value(row: Option<&&VariedRow>) -> f64 {
    row.map_or(0.0, |row| row.values[0] as f64)
}

/// The points of a curve, where a row has a rate.
fn points(rows: &[&VariedRow], rate: fn(&SurveyRow) -> Option<f64>) -> Vec<(f64, f64)> {
    let mut points = Vec::with_capacity(rows.len());
    for row in rows {
        points.extend(rate(&row.figures).map(|rate| (row.values[0] as f64, rate)));
    }
    points
}

fn notes(number: &str, rows: &[&VariedRow]) -> Vec<String> {
    let Some((first, last)) = rows.first().zip(rows.last()) else { return Vec::new() };
    vec![format!(
        "The first player wins {:.4} with {number} {} and {:.4} with {number} {}; {}.",
        first.figures.win_rate.first,
        first.values[0],
        last.figures.win_rate.first,
        last.values[0],
        counted(rows.len() as u64, "value")
    )]
}

fn panel(place: (f64, f64), size: (f64, f64), goals: (f64, f64), lines: &[Series]) -> Panel {
    let mut least: f64 = 0.5;
    let mut most: f64 = 0.5;
    for (_, rate) in lines.iter().flat_map(|line| &line.points) {
        least = least.min(*rate);
        most = most.max(*rate);
    }
    let padding = ((most - least) * 0.1).max(0.005);
    Panel::new(place, size, goals, (least - padding, most + padding))
}

fn head(figure: &mut Figure, panel: &Panel, name: &str) {
    let text = figure.theme.text;
    let ink = figure.theme.ink;
    figure.text((panel.left, panel.top - text * 0.7), name, text, true, Anchor::Start, ink);
}

fn grid(figure: &mut Figure, panel: &Panel, name: &str) {
    figure.y_axis(panel, &Axis::round(name, panel.y, 4));
    // A line at one half, where both players are equal.
    let y = panel.y.at(0.5);
    if y <= panel.bottom() && y >= panel.top {
        let dash = Some([4.0, 3.0]);
        let stroke = Stroke { colour: figure.theme.soft, width: 1.0, dash };
        figure.add(PathMark::line(
            Path::through(&[(panel.left, y), (panel.right(), y)], false),
            stroke,
        ));
    }
    for tick in panel.x.whole_ticks(8) {
        let x = panel.x.at(tick);
        let line = Path::through(
            &[(x, panel.bottom()), (x, panel.bottom() + figure.theme.small * 0.4)],
            false,
        );
        let colour = figure.theme.faint;
        figure.line(line, colour, 1.0);
    }
}

fn series(figure: &mut Figure, panel: &Panel, line: &Series) {
    let points: Vec<(f64, f64)> = line.points.iter().map(|point| panel.at(*point)).collect();
    let size = figure.theme.small;
    figure.line(Path::through(&points, false), line.colour, size * 0.16);
    let radius = (size * 0.32).min(panel.width / points.len().max(1) as f64 * 0.3);
    figure.dots(Dots { centres: points, radius, fill: line.colour, rim: None, tip: None });
}

/// Writes the names of the curves in their colours, above the panel's right end.
fn names(figure: &mut Figure, panel: &Panel, lines: &[Series]) {
    let size = figure.theme.text;
    let mut right = panel.right();
    for line in lines.iter().rev() {
        figure.text(
            (right, panel.top - size * 0.7),
            line.name,
            size,
            true,
            Anchor::End,
            line.colour,
        );
        right -= width(line.name, size, true) + size * 1.2;
    }
}

/// Draws the best first rolls of each goal in the colours of the dice; returns the bottom of the
/// panel and its axis.
/// The range of the numbers of dice, with some room.
fn roll_range(rows: &[&VariedRow]) -> (f64, f64) {
    let (least, most) = least_and_most_dice(rows);
    (f64::from(least) - 0.7, f64::from(most) + 0.7)
}

fn least_and_most_dice(rows: &[&VariedRow]) -> (i32, i32) {
    let dice: Vec<i32> = rows.iter().flat_map(|row| row.figures.first_roll.clone()).collect();
    (dice.iter().copied().min().unwrap_or(0).min(0), dice.iter().copied().max().unwrap_or(10))
}

/// Draws the best first rolls, and returns where the picture ends.
fn rolls(figure: &mut Figure, panel: &Panel, number: &str, rows: &[&VariedRow]) -> f64 {
    let theme = figure.theme.clone();
    let (_, most) = least_and_most_dice(rows);
    head(figure, panel, "Best number of dice at the start");
    figure.y_axis(panel, &Axis::whole("dice", panel.y, 5));
    let unit = if number == "goal" { "goal, in points" } else { number };
    figure.x_axis(panel, &Axis::whole(unit, panel.x, 8).without_lines());
    let radius = (theme.small * 0.55).min(panel.width / rows.len().max(1) as f64 * 0.42);
    for row in rows {
        let value = row.values[0];
        for dice in &row.figures.first_roll {
            figure.dots(Dots {
                centres: vec![panel.at((value as f64, f64::from(*dice)))],
                radius,
                fill: theme.dice(*dice, most.max(10)),
                rim: Some(theme.soft),
                tip: Some(format!("{number} {value}: {} dice", signed(f64::from(*dice), 0))),
            });
        }
    }
    panel.bottom() + figure.below_axis()
}
