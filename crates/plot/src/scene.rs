//! The contents of a picture: paths, dots and text on a sheet, in pixels from the upper left
//! corner.

use super::colour::Rgb;

/// A sheet and its marks, in the order of painting.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    pub paper: Rgb,
    pub marks: Vec<Mark>,
}

/// An element of a scene.
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
    /// From 0 (transparent) to 1 (opaque).
    pub opacity: f64,
    /// A tooltip.
    pub tip: Option<String>,
    /// The grid whose coordinates the path has; `None` for those of the sheet.
    pub place: Option<GridPlace>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub colour: Rgb,
    pub width: f64,
    /// The lengths of a dash and of the gap after it.
    pub dash: Option<[f64; 2]>,
}

/// The place of a grid of cells on the sheet: its lower left corner and the size of a cell. Its y
/// axis points up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GridPlace {
    pub left: f64,
    pub bottom: f64,
    pub cell: f64,
}

/// A path of straight segments.
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
    /// The colour of a ring around each dot, which keeps it visible on any background.
    pub rim: Option<Rgb>,
    pub tip: Option<String>,
}

/// A line of text.
#[derive(Clone, Debug)]
pub(super) struct TextLine {
    pub x: f64,
    /// The baseline.
    pub y: f64,
    pub text: String,
    pub size: f64,
    pub bold: bool,
    pub anchor: Anchor,
    pub fill: Rgb,
    /// Whether the text runs from the bottom up.
    pub vertical: bool,
    /// The colour of an outline around the letters, for text over other marks.
    pub halo: Option<Rgb>,
}

/// Which point of a text its coordinates give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Path {
    /// A polygon (if closed) or an open line through points.
    pub fn through(points: &[(f64, f64)], closed: bool) -> Self {
        let mut path = Self::default();
        path.add(points, closed);
        path
    }

    /// Adds a separate polygon or line.
    pub fn add(&mut self, points: &[(f64, f64)], closed: bool) {
        for (place, (x, y)) in points.iter().enumerate() {
            self.steps.push(if place == 0 {
                PathStep::Move(*x, *y)
            } else {
                PathStep::Line(*x, *y)
            });
        }
        if closed && !points.is_empty() {
            self.steps.push(PathStep::Close);
        }
    }

    /// A rectangle by its top left corner and its size.
    pub fn rectangle(corner: (f64, f64), size: (f64, f64)) -> Self {
        let (x, y) = corner;
        let (width, height) = size;
        Self::through(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)], true)
    }
}

impl Stroke {
    /// A line without dashes.
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

    /// Adds a tooltip.
    pub fn tip(mut self, tip: impl Into<String>) -> Self {
        self.tip = Some(tip.into());
        self
    }

    /// Takes the path's coordinates as those of a grid of cells.
    pub fn at(mut self, place: GridPlace) -> Self {
        self.place = Some(place);
        self
    }
}
