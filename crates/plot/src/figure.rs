//! The sheet on which every picture is drawn: the title, notes and axes, and the caption below.

use super::font::{shortened, width, wrapped};
use super::scale::AxisScale;
use super::scene::{Anchor, Dots, Mark, Path, PathMark, Scene, Stroke, TextLine};
use super::theme::{Look, Theme};
use super::{Caption, Picture, colour::Rgb};

/// A picture under construction.
pub(super) struct Figure {
    pub theme: Theme,
    scene: Scene,
    title: String,
    notes: Vec<String>,
    caption: Caption,
    /// The top of the space below the title and the notes.
    pub top: f64,
}

/// A rectangle in which data are drawn, with its scales. The y axis of pixels points down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    pub x: AxisScale,
    pub y: AxisScale,
}

impl Panel {
    /// Creates a panel from its upper left corner, its size, and the ranges of its axes.
    pub fn new(corner: (f64, f64), size: (f64, f64), x: (f64, f64), y: (f64, f64)) -> Self {
        let (left, top) = corner;
        let (width, height) = size;
        let x = AxisScale::new(x, (left, left + width));
        let y = AxisScale::new(y, (top + height, top));
        Self { left, top, width, height, x, y }
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Maps a point of the data to the sheet.
    pub fn at(&self, point: (f64, f64)) -> (f64, f64) {
        (self.x.at(point.0), self.y.at(point.1))
    }
}

/// The marks of an axis.
pub(super) struct Axis<'a> {
    /// The name of its quantity, with the unit.
    pub name: &'a str,
    pub ticks: Vec<f64>,
    pub decimals: usize,
    /// Whether lines run across the panel.
    pub lines: bool,
}

impl<'a> Axis<'a> {
    /// An axis with about `about` ticks at round numbers.
    pub fn round(name: &'a str, scale: AxisScale, about: usize) -> Self {
        Self { name, ticks: scale.ticks(about), decimals: scale.decimals(about), lines: true }
    }

    /// An axis of counts: as [`Self::round`], with ticks at whole numbers only.
    pub fn whole(name: &'a str, scale: AxisScale, about: usize) -> Self {
        Self { name, ticks: scale.whole_ticks(about), decimals: 0, lines: true }
    }

    /// Removes the lines across the panel; only ticks remain.
    pub fn without_lines(self) -> Self {
        Self { lines: false, ..self }
    }
}

impl Figure {
    /// Starts a sheet with a title, and notes below it.
    pub fn new(look: Look, caption: &Caption, title: &str, notes: &[String]) -> Self {
        let theme = Theme::new(look);
        let scene = Scene {
            width: theme.width,
            height: theme.height,
            paper: theme.paper,
            marks: Vec::new(),
        };
        let mut figure = Self {
            scene,
            title: title.to_owned(),
            notes: notes.to_vec(),
            caption: caption.clone(),
            top: theme.margin,
            theme,
        };
        figure.heading();
        figure
    }

    fn heading(&mut self) {
        let margin = self.theme.margin;
        let title_size = self.theme.title;
        let text = self.theme.text;
        let room = self.theme.width - 2.0 * margin;
        let ink = self.theme.ink;
        let soft = self.theme.soft;
        for line in wrapped(&self.title.clone(), title_size, true, room) {
            self.top += title_size;
            self.text((margin, self.top), &line, title_size, true, Anchor::Start, ink);
            self.top += title_size * 0.25;
        }
        self.top += text * 0.25;
        for line in self.notes.clone().iter().flat_map(|note| wrapped(note, text, false, room)) {
            self.top += text * 1.05;
            self.text((margin, self.top), &line, text, false, Anchor::Start, soft);
            self.top += text * 0.3;
        }
        self.top += text * 0.9;
    }

    /// Finishes the sheet with the caption below `bottom`: the game, the source of the numbers with
    /// the version of hog, and the command.
    pub fn finish(mut self, bottom: f64) -> Picture {
        let margin = self.theme.margin;
        let small = self.theme.small;
        let soft = self.theme.soft;
        let room = self.theme.width - 2.0 * margin;
        let Caption { game, source, command } = self.caption.clone();
        let source = format!("{source}; hog {}", env!("CARGO_PKG_VERSION"));
        let description = self
            .notes
            .iter()
            .chain([&game, &source])
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ");
        let game = shortened(&game, small, true, room);
        let command = shortened(&command, small, false, room);
        let sources = wrapped(&source, small, false, room);
        // What fits is written at the right of the game; all else on lines of its own.
        let beside = room - width(&game, small, true) - small * 2.0;
        let (right, lines) =
            match [&command, &source].map(|text| width(text, small, false) <= beside) {
                [true, _] => (&command, sources),
                [false, true] => (&source, vec![command.clone()]),
                [false, false] => (&String::new(), [sources, vec![command.clone()]].concat()),
            };
        let below = small * 1.35 * lines.len() as f64;
        let height = self.theme.height.max(bottom + small * 3.25 + below + margin * 0.5);
        let base = height - margin * 0.7;
        let first = base - below;
        let rule = Path::through(
            &[(margin, first - small * 1.4), (margin + room, first - small * 1.4)],
            false,
        );
        self.line(rule, self.theme.faint, 1.0);
        self.text((margin, first), &game, small, true, Anchor::Start, soft);
        self.text((margin + room, first), right, small, false, Anchor::End, soft);
        for (number, line) in (1..).zip(&lines) {
            let y = first + small * 1.35 * f64::from(number);
            self.text((margin, y), line, small, false, Anchor::Start, soft);
        }
        self.scene.height = height.ceil();
        Picture { scene: self.scene, title: self.title, description, density: self.theme.density }
    }

    /// Returns the height between the heading and the caption if the sheet has a fixed height.
    pub fn room_below(&self) -> Option<f64> {
        (self.theme.height > 0.0).then_some(
            self.theme.height - self.theme.small * 4.6 - self.theme.margin * 0.5 - self.top,
        )
    }

    pub fn add(&mut self, mark: PathMark) {
        if !mark.path.steps.is_empty() {
            self.scene.marks.push(Mark::Path(mark));
        }
    }

    pub fn dots(&mut self, dots: Dots) {
        if !dots.centres.is_empty() {
            self.scene.marks.push(Mark::Dots(dots));
        }
    }

    pub fn line(&mut self, path: Path, colour: Rgb, width: f64) {
        self.add(PathMark::line(path, Stroke::solid(colour, width)));
    }

    pub fn box_at(&mut self, place: (f64, f64), size: (f64, f64), fill: Rgb) {
        self.add(PathMark::filled(Path::rectangle(place, size), fill));
    }

    pub fn text(
        &mut self,
        at: (f64, f64),
        text: &str,
        size: f64,
        bold: bool,
        anchor: Anchor,
        fill: Rgb,
    ) {
        let (x, y) = at;
        self.push_text(TextLine {
            x,
            y,
            text: text.to_owned(),
            size,
            bold,
            anchor,
            fill,
            vertical: false,
            halo: None,
        });
    }

    pub fn push_text(&mut self, text: TextLine) {
        if !text.text.is_empty() {
            self.scene.marks.push(Mark::Text(text));
        }
    }

    /// Draws ticks, numbers and the name below a panel.
    pub fn x_axis(&mut self, panel: &Panel, axis: &Axis) {
        let small = self.theme.small;
        let soft = self.theme.soft;
        let faint = self.theme.faint;
        let bottom = panel.bottom();
        for tick in &axis.ticks {
            let x = panel.x.at(*tick);
            let up = if axis.lines { panel.top } else { bottom };
            self.line(Path::through(&[(x, up), (x, bottom + small * 0.4)], false), faint, 1.0);
            let shown = signed(*tick, axis.decimals);
            self.text((x, bottom + small * 1.5), &shown, small, false, Anchor::Middle, soft);
        }
        let middle = (panel.left + panel.right()) / 2.0;
        let text = self.theme.text;
        self.text(
            (middle, bottom + small * 1.7 + text * 1.2),
            axis.name,
            text,
            false,
            Anchor::Middle,
            soft,
        );
    }

    /// Draws ticks, numbers and the name to the left of a panel.
    pub fn y_axis(&mut self, panel: &Panel, axis: &Axis) {
        let small = self.theme.small;
        let text = self.theme.text;
        let soft = self.theme.soft;
        let faint = self.theme.faint;
        let mut widest = 0.0_f64;
        for tick in &axis.ticks {
            let y = panel.y.at(*tick);
            let right = if axis.lines { panel.right() } else { panel.left };
            self.line(
                Path::through(&[(panel.left - small * 0.4, y), (right, y)], false),
                faint,
                1.0,
            );
            let shown = signed(*tick, axis.decimals);
            widest = widest.max(width(&shown, small, false));
            let at = (panel.left - small * 0.7, y + small * 0.36);
            self.text(at, &shown, small, false, Anchor::End, soft);
        }
        self.push_text(TextLine {
            x: panel.left - small * 0.7 - widest - text * 0.6,
            y: panel.top + panel.height / 2.0,
            text: axis.name.to_owned(),
            size: text,
            bold: false,
            anchor: Anchor::Middle,
            fill: soft,
            vertical: true,
            halo: None,
        });
    }

    /// Returns the height that [`Self::x_axis`] takes below a panel.
    pub fn below_axis(&self) -> f64 {
        self.theme.small * 1.7 + self.theme.text * 1.6
    }

    /// Returns the width that [`Self::y_axis`] takes to the left of a panel, given its widest
    /// number.
    pub fn beside_axis(&self, widest: &str) -> f64 {
        self.theme.small * 0.7 + width(widest, self.theme.small, false) + self.theme.text * 1.6
    }
}

/// Formats a number with a typographic minus sign.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let shown = format!("{:.decimals$}", value.abs());
    let zero = shown.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !zero { format!("−{shown}") } else { shown }
}

/// Formats a share: `12 %`, `0.4 %`, `<0.1 %`, `99.6 %`. Only exactly 1 becomes `100 %`.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".into(),
        percent if percent < 0.1 => "<0.1 %".into(),
        percent if percent > 99.9 && percent < 100.0 => ">99.9 %".into(),
        percent if (9.95..=99.0).contains(&percent) => format!("{percent:.0} %"),
        percent => format!("{} %", format!("{percent:.1}").trim_end_matches(".0")),
    }
}
