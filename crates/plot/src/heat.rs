//! A heat map of win rates over two numbers.

use super::board::{DARK_INK, LIGHT_INK};
use super::colour::Rgb;
use super::figure::{Axis, Figure, Panel, signed};
use super::font::width;
use super::legend::steps;
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
        let rates = || self.cells.iter().map(|cell| cell.rate);
        let least = rates().fold(1.0, f64::min);
        let most = rates().fold(0.0, f64::max);
        let share = |rate: f64| if most > least { (rate - least) / (most - least) } else { 1.0 };
        let colour = |rate: f64| {
            let step = (share(rate) * STEPS as f64).floor().min(STEPS as f64 - 1.0);
            theme.loss(step / (STEPS - 1) as f64)
        };
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
        let span = |count: usize| (-0.5, count as f64 - 0.5);
        let panel = Panel::new((left, figure.top), extent, span(columns.len()), span(rows.len()));
        let fits = width("0.0000", theme.small, false) < cell * 0.92 && tall > theme.small * 1.3;
        let place = |values: &[i64], value: i64| values.iter().position(|known| *known == value);
        let mut frames = Vec::new();
        for HeatCell { values, rate, tip, framed } in &self.cells {
            let (Some(column), Some(row)) = (place(columns, values[0]), place(rows, values[1]))
            else {
                continue;
            };
            let (x, y) = panel.at((column as f64, row as f64));
            let outline = || Path::rectangle((x - cell / 2.0, y - tall / 2.0), (cell, tall));
            let fill = colour(*rate);
            figure.add(PathMark::filled(outline(), fill).tip(tip.clone()));
            if fits {
                let ink = fill.more_readable(DARK_INK, LIGHT_INK);
                let at = (x, y + theme.small * 0.36);
                figure.text(at, &format!("{rate:.4}"), theme.small, false, Anchor::Middle, ink);
            }
            if *framed {
                frames.push(outline());
            }
        }
        // Drawn last, on top of all cells.
        for frame in frames {
            let stroke = Stroke::solid(theme.accent, theme.small * 0.28);
            figure.add(PathMark::line(frame, stroke));
        }
        self.labels(figure, &panel);
        let top = panel.bottom() + figure.below_axis() + theme.small * 0.4;
        let limits: Vec<String> = (1..STEPS)
            .map(|step| format!("{:.3}", least + (most - least) * step as f64 / STEPS as f64))
            .collect();
        let colours: Vec<Rgb> =
            (0..STEPS).map(|step| theme.loss(step as f64 / (STEPS - 1) as f64)).collect();
        let bar = (theme.text * 32.0).min(theme.width - theme.margin - left);
        steps(figure, (left, top), bar, (self.legend, &colours, &limits));
        top + theme.small * 5.0
    }

    /// Writes the values of both numbers along the map, leaving some out if there is too little
    /// space.
    fn labels(&self, figure: &mut Figure, panel: &Panel) {
        let Self { columns, rows, names, .. } = self;
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
        figure.x_axis(panel, &none(names[0]));
        let widest =
            rows.iter().map(|value| width(&value.to_string(), small, false)).fold(0.0, f64::max);
        let beside = Panel { left: panel.left - widest, ..*panel };
        figure.y_axis(&beside, &none(names[1]));
    }
}
