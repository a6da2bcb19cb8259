//! A heat map of win rates over two numbers.

use super::board::{DARK_INK, LIGHT_INK};
use super::colour::Rgb;
use super::figure::{Axis, Figure, Panel, signed};
use super::font::width;
use super::legend::{ColourScale, steps};
use super::scene::{Anchor, Path, PathMark, Stroke};
use super::theme::Size;

/// The number of colour steps.
const STEPS: usize = 7;

/// Win rates over two numbers.
pub(super) struct Heat<'a> {
    /// The names of the number across and of the one upward.
    pub names: [&'a str; 2],
    /// The values across and upward.
    pub columns: Vec<i64>,
    pub rows: Vec<i64>,
    pub cells: Vec<HeatCell>,
    /// What the colours mean.
    pub legend: &'a str,
}

/// One cell of a heat map.
pub(super) struct HeatCell {
    /// The values of both numbers.
    pub values: [i64; 2],
    pub rate: f64,
    pub tip: String,
    /// Whether it has a frame.
    pub framed: bool,
}

impl Heat<'_> {
    /// Draws the map below the heading; returns the bottom of its legend.
    pub fn draw(&self, figure: &mut Figure, size: Size) -> f64 {
        let theme = figure.theme.clone();
        let Self { columns, rows, .. } = self;
        let least = self.cells.iter().map(|cell| cell.rate).fold(1.0, f64::min);
        let most = self.cells.iter().map(|cell| cell.rate).fold(0.0, f64::max);
        let left =
            theme.margin + figure.beside_axis(&rows.last().copied().unwrap_or(0).to_string());
        let across = theme.width - theme.margin - left;
        let room = figure
            .room_below()
            .map_or(f64::INFINITY, |room| room - figure.below_axis() - theme.small * 5.6);
        let cell =
            (across / columns.len() as f64).min(room / rows.len() as f64).min(theme.text * 4.0);
        let tall = if size == Size::Slide { cell } else { cell.min(theme.text * 2.6) };
        let extent = (cell * columns.len() as f64, tall * rows.len() as f64);
        let across = (-0.5, columns.len() as f64 - 0.5);
        let upward = (-0.5, rows.len() as f64 - 0.5);
        let panel = Panel::new((left, figure.top), extent, across, upward);
        let fits = width("0.0000", theme.small, false) < cell * 0.92 && tall > theme.small * 1.3;
        let mut frames = Vec::new();
        for HeatCell { values, rate, tip, framed } in &self.cells {
            let column = columns.iter().position(|known| *known == values[0]);
            let row = rows.iter().position(|known| *known == values[1]);
            let Some((column, row)) = column.zip(row) else { continue };
            let (x, y) = panel.at((column as f64, row as f64));
            let outline = Path::rectangle((x - cell / 2.0, y - tall / 2.0), (cell, tall));
            let share = if most > least { (rate - least) / (most - least) } else { 1.0 };
            let step = (share * STEPS as f64).floor().min(STEPS as f64 - 1.0);
            let fill = theme.loss(step / (STEPS - 1) as f64);
            figure.add(PathMark::filled(outline.clone(), fill).tip(tip.clone()));
            if fits {
                let ink = fill.more_readable(DARK_INK, LIGHT_INK);
                let at = (x, y + theme.small * 0.36);
                figure.text(at, &format!("{rate:.4}"), theme.small, false, Anchor::Middle, ink);
            }
            if *framed {
                frames.push(outline);
            }
        }
        // Drawn last, on top of all cells.
        for frame in frames {
            let stroke = Stroke::solid(theme.accent, theme.small * 0.28);
            figure.add(PathMark::line(frame, stroke));
        }
        self.labels(figure, &panel);
        let top = panel.bottom() + figure.below_axis() + theme.small * 0.4;
        self.scale(figure, left, top, least, most);
        top + theme.small * 5.0
    }

    /// Draws what the colours mean.
    fn scale(&self, figure: &mut Figure, left: f64, top: f64, least: f64, most: f64) {
        let theme = figure.theme.clone();
        let limits: Vec<String> = (1..STEPS)
            .map(|step| format!("{:.3}", least + (most - least) * step as f64 / STEPS as f64))
            .collect();
        let colours: Vec<Rgb> =
            (0..STEPS).map(|step| theme.loss(step as f64 / (STEPS - 1) as f64)).collect();
        let bar = (theme.text * 32.0).min(theme.width - theme.margin - left);
        let scale = ColourScale { name: self.legend, colours: &colours, limits: &limits };
        steps(figure, left, top, bar, scale);
    }

    /// Writes the values of both numbers along the map, leaving some out if there is too little
    /// space.
    fn labels(&self, figure: &mut Figure, panel: &Panel) {
        let Self { columns, rows, names, .. } = self;
        let theme = figure.theme.clone();
        let small = theme.small;
        let step = label_step(columns.len(), panel.width / (small * 2.6));
        for (place, value) in columns.iter().enumerate().step_by(step) {
            let at = (panel.x.at(place as f64), panel.bottom() + small * 1.4);
            figure.text(at, &signed(*value as f64, 0), small, false, Anchor::Middle, theme.soft);
        }
        let step = label_step(rows.len(), panel.height / (small * 1.4));
        for (place, value) in rows.iter().enumerate().step_by(step) {
            let at = (panel.left - small * 0.6, panel.y.at(place as f64) + small * 0.36);
            figure.text(at, &signed(*value as f64, 0), small, false, Anchor::End, theme.soft);
        }
        let unmarked =
            names.map(|name| Axis { name, ticks: Vec::new(), decimals: 0, lines: false });
        figure.x_axis(panel, &unmarked[0]);
        let widest =
            rows.iter().map(|value| width(&value.to_string(), small, false)).fold(0.0, f64::max);
        let beside = Panel { left: panel.left - widest, ..*panel };
        figure.y_axis(&beside, &unmarked[1]);
    }
}

/// Returns which of so many values are labelled, where there is room for about `room` labels: each,
/// each second, each third and so on.
fn label_step(count: usize, room: f64) -> usize {
    (count as f64 / room.max(1.0)).ceil().max(1.0) as usize
}
