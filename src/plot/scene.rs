//! What is drawn: paths, dots and text on a sheet, in pixels from the top left corner.

use super::colour::Rgb;

/// A sheet with everything on it, in the order it is painted.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    pub paper: Rgb,
    pub marks: Vec<Mark>,
}

/// One thing painted.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    Path(PathMark),
    Dots(Dots),
    Text(TextLine),
}

/// A path, filled or stroked.
#[derive(Clone, Debug, Default)]
pub(super) struct PathMark {
    pub path: Path,
    pub fill: Option<Rgb>,
    pub stroke: Option<Stroke>,
    /// 0 is unseen, 1 hides what is below.
    pub opacity: f64,
    /// Shown when a pointer rests on it.
    pub tip: Option<String>,
    /// Where the path has coordinates of its own.
    pub place: Option<Place>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub colour: Rgb,
    pub width: f64,
    /// Lengths of a dash and of the gap after it.
    pub dash: Option<[f64; 2]>,
}

/// Where a grid of cells lies on the sheet: its lower left corner and the size of a cell. Its second axis points up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub left: f64,
    pub bottom: f64,
    pub cell: f64,
}

/// A path of straight lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub steps: Vec<PathStep>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PathStep {
    Move(f64, f64),
    Line(f64, f64),
    Close,
}

/// Round dots of one colour.
#[derive(Clone, Debug)]
pub(super) struct Dots {
    pub centres: Vec<(f64, f64)>,
    pub radius: f64,
    pub fill: Rgb,
    /// A ring around each, so that it stays visible on any ground.
    pub rim: Option<Rgb>,
    pub tip: Option<String>,
}

/// A line of text.
#[derive(Clone, Debug)]
pub(super) struct TextLine {
    pub x: f64,
    /// Of the baseline.
    pub y: f64,
    pub text: String,
    pub size: f64,
    pub bold: bool,
    pub anchor: Anchor,
    pub fill: Rgb,
    /// Read from the bottom up.
    pub turned: bool,
    /// Drawn around the letters, over what is busy.
    pub halo: Option<Rgb>,
}

/// Which end of a text its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Path {
    /// A polygon, or an open line.
    pub fn through(points: &[(f64, f64)], closed: bool) -> Self {
        let mut path = Self::default();
        path.add(points, closed);
        path
    }

    /// One more line, apart from those there.
    pub fn add(&mut self, points: &[(f64, f64)], closed: bool) {
        for (place, (x, y)) in points.iter().enumerate() {
            self.steps.push(if place == 0 { PathStep::Move(*x, *y) } else { PathStep::Line(*x, *y) });
        }
        if closed && !points.is_empty() {
            self.steps.push(PathStep::Close);
        }
    }

    /// A rectangle by its top left corner and its size.
    pub fn rectangle((x, y): (f64, f64), (width, height): (f64, f64)) -> Self {
        Self::through(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)], true)
    }
}

impl Stroke {
    /// An unbroken line.
    pub fn solid(colour: Rgb, width: f64) -> Self {
        Self { colour, width, dash: None }
    }
}

impl PathMark {
    /// A path filled with a colour.
    pub fn filled(path: Path, fill: Rgb) -> Self {
        Self { path, fill: Some(fill), opacity: 1.0, ..Self::default() }
    }

    /// A path drawn as a line.
    pub fn line(path: Path, stroke: Stroke) -> Self {
        Self { path, stroke: Some(stroke), opacity: 1.0, ..Self::default() }
    }

    /// With words that a pointer brings up.
    pub fn tip(mut self, tip: impl Into<String>) -> Self {
        self.tip = Some(tip.into());
        self
    }

    /// In the coordinates of a grid of cells.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
}
