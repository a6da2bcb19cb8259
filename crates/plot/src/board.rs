//! A map over both scores: its panel and axes, regions of cells of the same kind, and marks on
//! them.

use std::collections::BTreeMap;

use super::Picture;
use super::colour::Rgb;
use super::figure::{Axis, Figure, Panel};
use super::font::width;
use super::legend::{self, LegendArea, LegendEntry};
use super::regions::SquareGrid;
use super::scene::{Anchor, Dots, GridPlace, Path, PathMark, TextLine};

/// The largest number of cells on a side. For larger goals only every second, third, ... score is
/// drawn.
const MOST_CELLS: usize = 200;

/// Where the ring of a cell is looked for: in so many directions, and at so many distances.
const DIRECTIONS: usize = 16;
const RINGS: usize = 5;

fn distance(one: (f64, f64), other: (f64, f64)) -> f64 {
    (one.0 - other.0).hypot(one.1 - other.1)
}

/// The place of a map on the sheet, and the scores of its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub panel: Panel,
    pub place: GridPlace,
    goal: usize,
    /// The difference of the scores of neighbouring cells.
    step: usize,
}

/// Returns the difference of the scores of neighbouring cells in a map of a goal.
pub(super) fn step(goal: usize) -> usize {
    goal.div_ceil(MOST_CELLS)
}

/// Returns a note for maps that leave scores out; empty for others.
pub(super) fn step_note(goal: usize) -> String {
    match step(goal) {
        1 => String::new(),
        step => format!(" One score in {step} is drawn."),
    }
}

impl Board {
    /// A square map with the given upper left corner and side.
    pub fn new(goal: usize, corner: (f64, f64), side: f64) -> Self {
        let step = step(goal);
        let cells = goal.div_ceil(step);
        let span = (0.0, (cells * step) as f64);
        let panel = Panel::new(corner, (side, side), span, span);
        let place =
            GridPlace { left: panel.left, bottom: panel.bottom(), cell: side / cells as f64 };
        Self { panel, place, goal, step }
    }

    /// A single map, below the heading.
    pub fn alone(figure: &Figure, goal: usize) -> Self {
        Self::in_steps(figure, goal, 1)
    }

    /// A single map of scores that are counted in steps of `points`, with axes in points.
    pub fn in_steps(figure: &Figure, goal: usize, points: u32) -> Self {
        let label = (goal * points as usize).to_string();
        let left = figure.theme.margin + figure.beside_axis(&label);
        let room = figure.room_below().map_or(f64::INFINITY, |room| room - figure.below_axis());
        let mut board = Self::new(goal, (left, figure.top), figure.theme.map.min(room.floor()));
        let Panel { left, top, width, height, .. } = board.panel;
        let span = (0.0, f64::from(points) * (board.side() * board.step) as f64);
        board.panel = Panel::new((left, top), (width, height), span, span);
        board
    }

    /// Two maps side by side, each below a line of text, with the height `below` kept free under
    /// their axes.
    pub fn pair(figure: &Figure, goal: usize, below: f64) -> [Self; 2] {
        let theme = &figure.theme;
        let beside = figure.beside_axis(&goal.to_string());
        let gap = theme.text * 1.4;
        let across = (theme.width - 2.0 * theme.margin - gap) / 2.0;
        let top = figure.top + theme.text * 1.9;
        let room = figure
            .room_below()
            .map_or(f64::INFINITY, |room| room - figure.below_axis() - theme.text * 1.9 - below);
        let side = (across - beside).min(room).floor();
        let next = across.min(beside + side) + gap;
        [0.0, 1.0].map(|place| Self::new(goal, (theme.margin + beside + place * next, top), side))
    }

    /// The area to the right of a single map.
    fn beside(&self, figure: &Figure) -> LegendArea {
        let theme = &figure.theme;
        let left = self.panel.right() + theme.text * 1.2;
        LegendArea {
            left,
            top: self.panel.top,
            width: theme.width - theme.margin - left,
            height: self.panel.height,
        }
    }

    /// Draws what the colours mean beside a single map, which ends the picture.
    pub fn finish(&self, mut figure: Figure, head: &str, entries: &[LegendEntry]) -> Picture {
        let beside = self.beside(&figure);
        legend::bars(&mut figure, beside, head, entries);
        let bottom = self.panel.bottom() + figure.below_axis();
        figure.finish(bottom)
    }

    /// Makes a grid from a function of the mover's score and the opponent's.
    pub fn grid(&self, kind: impl Fn(usize, usize) -> i32) -> SquareGrid {
        SquareGrid::new(self.goal.div_ceil(self.step), |column, row| {
            kind(column * self.step, row * self.step)
        })
    }

    /// The number of cells on a side.
    pub fn side(&self) -> usize {
        self.goal.div_ceil(self.step)
    }

    /// Returns the scores of a cell.
    pub fn scores(&self, column: usize, row: usize) -> (usize, usize) {
        (column * self.step, row * self.step)
    }

    /// Maps a point in cells to the sheet.
    pub fn on_sheet(&self, point: (f64, f64)) -> (f64, f64) {
        let (column, row) = point;
        (self.place.left + column * self.place.cell, self.place.bottom - row * self.place.cell)
    }

    /// Returns the centre of the cell of a pair of scores, on the sheet.
    pub fn middle(&self, score: usize, opponent: usize) -> (f64, f64) {
        self.on_sheet(((score / self.step) as f64 + 0.5, (opponent / self.step) as f64 + 0.5))
    }

    /// Fills all regions of a grid; `look` gives each kind's colour and tooltip.
    pub fn fill(
        &self,
        figure: &mut Figure,
        grid: &SquareGrid,
        look: impl Fn(i32) -> (Rgb, String),
    ) {
        let counts = grid.counts();
        let ground = counts.iter().max_by_key(|(_, count)| **count).map(|(kind, _)| *kind);
        for (kind, path) in ground_first(grid.outlines(), ground) {
            let (colour, tip) = look(kind);
            figure.add(PathMark::filled(path, colour).at(self.place).tip(tip));
        }
    }

    /// Draws both axes and the frame.
    pub fn axes(&self, figure: &mut Figure) {
        let about = if self.panel.width < 260.0 { 4 } else { 5 };
        let own = Axis::whole("your score", self.panel.x, about).without_lines();
        figure.x_axis(&self.panel, &own);
        let other = Axis::whole("opponent's score", self.panel.x, about).without_lines();
        figure.y_axis(&self.panel, &other);
        let frame = Path::rectangle(
            (self.panel.left, self.panel.top),
            (self.panel.width, self.panel.height),
        );
        figure.line(frame, figure.theme.soft, 1.0);
    }

    /// Draws labels in the largest regions of a grid where they fit; `look` gives each kind's
    /// colour and label.
    pub fn labels(
        &self,
        figure: &mut Figure,
        grid: &SquareGrid,
        look: impl Fn(i32) -> (Rgb, String),
    ) {
        let size = figure.theme.text;
        let least = (size * 1.25 / self.place.cell).ceil().max(2.0) as usize;
        for (kind, square) in grid.squares(least) {
            let (ground, label) = look(kind);
            // A square is large enough for two characters; longer labels are measured.
            if label.chars().count() > 2
                && width(&label, size, true) > square.side as f64 * self.place.cell
            {
                continue;
            }
            let (x, y) = self.on_sheet(square.centre());
            let fill = ground.more_readable(DARK_INK, LIGHT_INK);
            let y = y + size * 0.36;
            let bold = true;
            let anchor = Anchor::Middle;
            let halo = Some(ground);
            figure.push_text(TextLine {
                x,
                y,
                text: label,
                size,
                bold,
                anchor,
                fill,
                vertical: false,
                halo,
            });
        }
    }

    /// Draws a dot in each of the cells, given with their colours; dark or light, whichever has
    /// more contrast.
    pub fn mark(&self, figure: &mut Figure, cells: &[((usize, usize), Rgb)], tip: &str) {
        for ink in [DARK_INK, LIGHT_INK] {
            let readable =
                cells.iter().filter(|(_, ground)| ground.more_readable(DARK_INK, LIGHT_INK) == ink);
            let centres =
                readable.map(|((score, opponent), _)| self.middle(*score, *opponent)).collect();
            let radius = (self.place.cell * 0.28).max(0.55);
            figure.dots(Dots { centres, radius, fill: ink, rim: None, tip: Some(tip.to_owned()) });
        }
    }

    /// Draws a dot in each of the cells, and a numbered ring next to it.
    pub fn rings(&self, figure: &mut Figure, cells: &[(usize, usize)]) {
        let size = figure.theme.small;
        let ink = figure.theme.ink;
        let fill = figure.theme.paper;
        let cells: Vec<(f64, f64)> = cells.iter().map(|cell| self.middle(cell.0, cell.1)).collect();
        let rings = self.places_of_rings(&cells, size);
        for (cell, ring) in cells.iter().zip(&rings) {
            figure.line(Path::through(&[*cell, *ring], false), ink, size * 0.08);
        }
        for (centres, radius) in [(cells, size * 0.22), (rings.clone(), size * 0.72)] {
            figure.dots(Dots { centres, radius, fill, rim: Some(ink), tip: None });
        }
        for (place, (x, y)) in rings.into_iter().enumerate() {
            let number = (place + 1).to_string();
            figure.text((x, y + size * 0.36), &number, size, true, Anchor::Middle, ink);
        }
    }

    /// The nearest place on the board for a ring at each of the cells, away from those before it
    /// and from the cells.
    fn places_of_rings(&self, cells: &[(f64, f64)], size: f64) -> Vec<(f64, f64)> {
        let panel = &self.panel;
        let across = panel.left + size..panel.right() - size;
        let down = panel.top + size..panel.bottom() - size;
        let mut rings: Vec<(f64, f64)> = Vec::new();
        for (x, y) in cells {
            let around = (0..DIRECTIONS * RINGS).map(|step| {
                let far = size * (1.3 + (step / DIRECTIONS) as f64);
                let angle = std::f64::consts::TAU * (step % DIRECTIONS) as f64 / DIRECTIONS as f64;
                (x + far * angle.cos(), y - far * angle.sin())
            });
            let mut free = around.filter(|at| {
                across.contains(&at.0)
                    && down.contains(&at.1)
                    && rings.iter().all(|ring| distance(*ring, *at) >= size * 1.6)
                    && cells.iter().all(|cell| distance(*cell, *at) >= size)
            });
            rings.push(free.next().unwrap_or((*x, *y)));
        }
        rings
    }

    /// Draws a label with an outline, at a point in cells.
    pub fn label(&self, figure: &mut Figure, at: (f64, f64), label: &str) {
        let (x, y) = self.on_sheet(at);
        let size = figure.theme.small;
        let theme = &figure.theme;
        let fill = theme.ink;
        let halo = Some(theme.paper);
        let text = label.to_owned();
        let anchor = Anchor::Middle;
        let bold = true;
        figure.push_text(TextLine {
            x,
            y: y + size * 0.36,
            text,
            size,
            bold,
            anchor,
            fill,
            vertical: false,
            halo,
        });
    }
}

/// The colours of text on cells, which are the same for light and dark paper, as are those of dice.
pub(super) const DARK_INK: Rgb = Rgb::hex(0x101114);
pub(super) const LIGHT_INK: Rgb = Rgb::hex(0xffffff);

/// Orders the outlines so that the most frequent kind, the background, comes first.
fn ground_first(mut outlines: BTreeMap<i32, Path>, ground: Option<i32>) -> Vec<(i32, Path)> {
    let first = ground.and_then(|ground| outlines.remove_entry(&ground));
    first.into_iter().chain(outlines).collect()
}
