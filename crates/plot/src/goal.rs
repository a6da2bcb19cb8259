//! How a game's win rates and best first rolls depend on its goal.

use hog_engine::format::counted;
use hog_engine::queries::SurveyRow;

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
/// by goal. The rows are in ascending order of goals.
pub fn goal(look: Look, caption: &Caption, rows: &[SurveyRow]) -> Picture {
    let id = rows.first().map_or("", |row| row.rules.as_str());
    let mut figure =
        Figure::new(look, caption, &format!("How {id} changes with its goal"), &notes(rows));
    let theme = figure.theme.clone();
    let of = |rate: &dyn Fn(&SurveyRow) -> Option<f64>| -> Vec<(f64, f64)> {
        rows.iter().filter_map(|row| Some((f64::from(row.goal), rate(row)?))).collect()
    };
    let first = of(&|row| Some(row.win_rate.first));
    let response = of(&|row| row.best_response.map(|rate| rate.average));
    let equilibrium = of(&|row| row.equilibrium.map(|rate| rate.average));
    let against = rows.first().and_then(|row| row.baseline.clone()).unwrap_or_default();
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
    let spans = rows.iter().map(|row| f64::from(row.goal));
    let goals = (spans.clone().fold(f64::INFINITY, f64::min), spans.fold(0.0, f64::max));
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
        let panel = panel((left, top + above), (across, tall), goals, lines);
        head(&mut figure, &panel, name);
        grid(&mut figure, &panel, "win rate");
        for line in lines {
            series(&mut figure, &panel, line);
        }
        names(&mut figure, &panel, lines);
        top = panel.bottom();
    }
    let bottom = rolls(&mut figure, rows, (left, top + above), (across, tall * 0.8), goals);
    figure.finish(bottom)
}

fn notes(rows: &[SurveyRow]) -> Vec<String> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    let edge = |row: &SurveyRow| format!("{:.4} to {}", row.win_rate.first, row.goal);
    vec![format!(
        "The first player wins {} points and {} points; {}.",
        edge(first),
        edge(last),
        counted(rows.len() as u64, "goal")
    )]
}

fn panel(place: (f64, f64), size: (f64, f64), goals: (f64, f64), lines: &[Series]) -> Panel {
    let rates = || lines.iter().flat_map(|line| line.points.iter().map(|(_, rate)| *rate));
    let (least, most) = (rates().fold(0.5, f64::min), rates().fold(0.5, f64::max));
    let padding = ((most - least) * 0.1).max(0.005);
    Panel::new(place, size, goals, (least - padding, most + padding))
}

fn head(figure: &mut Figure, panel: &Panel, name: &str) {
    let (text, ink) = (figure.theme.text, figure.theme.ink);
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
fn rolls(
    figure: &mut Figure,
    rows: &[SurveyRow],
    place: (f64, f64),
    size: (f64, f64),
    goals: (f64, f64),
) -> f64 {
    let theme = figure.theme.clone();
    let all = || rows.iter().flat_map(|row| row.first_roll.iter().copied());
    let (least, most) = (all().min().unwrap_or(0).min(0), all().max().unwrap_or(10));
    let panel = Panel::new(place, size, goals, (f64::from(least) - 0.7, f64::from(most) + 0.7));
    head(figure, &panel, "Best number of dice at 0 to 0");
    figure.y_axis(&panel, &Axis::whole("dice", panel.y, 5));
    figure.x_axis(&panel, &Axis::whole("goal, in points", panel.x, 8).without_lines());
    let radius = (theme.small * 0.55).min(panel.width / rows.len().max(1) as f64 * 0.42);
    for row in rows {
        for dice in &row.first_roll {
            let centre = panel.at((f64::from(row.goal), f64::from(*dice)));
            let tip = Some(format!("goal {}: {} dice", row.goal, signed(f64::from(*dice), 0)));
            let rim = Some(theme.soft);
            figure.dots(Dots {
                centres: vec![centre],
                radius,
                fill: theme.dice(*dice, most.max(10)),
                rim,
                tip,
            });
        }
    }
    panel.bottom() + figure.below_axis()
}
