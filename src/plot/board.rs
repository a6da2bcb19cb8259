//! A map over both scores: the panel, its axes, regions of equal kind and the marks on them.

use std::collections::BTreeMap;

use super::colour::Rgb;
use super::figure::{Axis, Figure, Panel};
use super::font::width;
use super::legend::LegendArea;
use super::regions::Grid;
use super::scene::{Anchor, Dots, Path, PathMark, Place, TextLine};

/// The most cells on a side that are drawn: beyond this, every second, third, ... score is.
const MOST_CELLS: usize = 200;

/// Where a map lies, and which scores its cells stand for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub panel: Panel,
    pub place: Place,
    goal: usize,
    /// How many scores lie from one cell to the next.
    step: usize,
}

/// Which scores a map of that goal shows: every how many.
pub(super) fn step(goal: usize) -> usize {
    goal.div_ceil(MOST_CELLS)
}

/// What is said of maps that leave scores out.
pub(super) fn step_note(goal: usize) -> String {
    match step(goal) {
        1 => String::new(),
        step => format!(" One score in {step} is drawn."),
    }
}

impl Board {
    /// A square map with its upper left corner there.
    pub fn new(goal: usize, corner: (f64, f64), side: f64) -> Self {
        let step = step(goal);
        let cells = goal.div_ceil(step);
        let span = (0.0, (cells * step) as f64);
        let panel = Panel::new(corner, (side, side), span, span);
        let place = Place { left: panel.left, bottom: panel.bottom(), cell: side / cells as f64 };
        Self { panel, place, goal, step }
    }

    /// A map that stands alone, below the heading.
    pub fn alone(figure: &Figure, goal: usize) -> Self {
        let left = figure.theme.margin + figure.beside_axis(&goal.to_string());
        let room = figure.room_below().map_or(f64::INFINITY, |room| room - figure.below_axis());
        Self::new(goal, (left, figure.top), figure.theme.map.min(room.floor()))
    }

    /// Two maps side by side, below the heading and a line of text above each.
    pub fn pair(figure: &Figure, goal: usize, below: f64) -> [Self; 2] {
        let theme = &figure.theme;
        let (beside, gap) = (figure.beside_axis(&goal.to_string()), theme.text * 1.4);
        let across = (theme.width - 2.0 * theme.margin - gap) / 2.0;
        let top = figure.top + theme.text * 1.9;
        let room =
            figure.room_below().map_or(f64::INFINITY, |room| room - figure.below_axis() - theme.text * 1.9 - below);
        let side = (across - beside).min(room).floor();
        let next = across.min(beside + side) + gap;
        [0.0, 1.0].map(|place| Self::new(goal, (theme.margin + beside + place * next, top), side))
    }

    /// The space to the right of a map that stands alone.
    pub fn beside(&self, figure: &Figure) -> LegendArea {
        let theme = &figure.theme;
        let left = self.panel.right() + theme.text * 1.2;
        LegendArea { left, top: self.panel.top, width: theme.width - theme.margin - left, height: self.panel.height }
    }

    /// The kind of every cell, from the mover's score and the opponent's.
    pub fn grid<K: Copy + Ord>(&self, kind: impl Fn(usize, usize) -> K) -> Grid<K> {
        Grid::new(self.goal.div_ceil(self.step), |column, row| kind(column * self.step, row * self.step))
    }

    /// How many cells lie on a side.
    pub fn side(&self) -> usize {
        self.goal.div_ceil(self.step)
    }

    /// The scores of a cell.
    pub fn scores(&self, column: usize, row: usize) -> (usize, usize) {
        (column * self.step, row * self.step)
    }

    /// A point given in cells, on the sheet.
    pub fn on_sheet(&self, (column, row): (f64, f64)) -> (f64, f64) {
        (self.place.left + column * self.place.cell, self.place.bottom - row * self.place.cell)
    }

    /// The middle of the cell of a pair of scores.
    pub fn middle(&self, score: usize, opponent: usize) -> (f64, f64) {
        self.on_sheet(((score / self.step) as f64 + 0.5, (opponent / self.step) as f64 + 0.5))
    }

    /// Fills all regions of a grid, each with its colour and what a pointer brings up.
    pub fn fill<K: Copy + Ord>(&self, figure: &mut Figure, grid: &Grid<K>, look: impl Fn(K) -> (Rgb, String)) {
        let counts = grid.counts();
        let ground = counts.iter().max_by_key(|(_, count)| **count).map(|(kind, _)| *kind);
        for (kind, path) in ground_first(grid.outlines(), ground) {
            let (colour, tip) = look(kind);
            figure.add(PathMark::filled(path, colour).at(self.place).tip(tip));
        }
    }

    /// Both axes; the frame.
    pub fn axes(&self, figure: &mut Figure) {
        let about = if self.panel.width < 260.0 { 4 } else { 5 };
        let axis = |name| Axis::round(name, self.panel.x, about).without_lines();
        figure.x_axis(&self.panel, &axis("your score"));
        figure.y_axis(&self.panel, &axis("opponent's score"));
        let frame = Path::rectangle((self.panel.left, self.panel.top), (self.panel.width, self.panel.height));
        figure.line(frame, figure.theme.soft, 1.0);
    }

    /// Labels in the largest patches of a grid, where they fit.
    pub fn labels<K: Copy + Ord>(&self, figure: &mut Figure, grid: &Grid<K>, look: impl Fn(K) -> (Rgb, String)) {
        let size = figure.theme.text;
        let least = (size * 1.25 / self.place.cell).ceil().max(2.0) as usize;
        for (kind, square) in grid.squares(least) {
            let (ground, label) = look(kind);
            // A long label wants more than a square that a number fits.
            if label.chars().count() > 2 && width(&label, size, true) > square.side as f64 * self.place.cell {
                continue;
            }
            let (x, y) = self.on_sheet(square.centre());
            let fill = ground.more_readable(DARK_INK, LIGHT_INK);
            let (y, bold, anchor, halo) = (y + size * 0.36, true, Anchor::Middle, Some(ground));
            figure.push_text(TextLine { x, y, text: label, size, bold, anchor, fill, turned: false, halo });
        }
    }

    /// A dot in each of these cells, dark or light as its ground demands.
    pub fn mark(&self, figure: &mut Figure, cells: &[((usize, usize), Rgb)], tip: &str) {
        for ink in [DARK_INK, LIGHT_INK] {
            let readable = cells.iter().filter(|(_, ground)| ground.more_readable(DARK_INK, LIGHT_INK) == ink);
            let centres = readable.map(|((score, opponent), _)| self.middle(*score, *opponent)).collect();
            let radius = (self.place.cell * 0.28).max(0.55);
            figure.dots(Dots { centres, radius, fill: ink, rim: None, tip: Some(tip.to_owned()) });
        }
    }

    /// A ring with a number in each of these cells.
    pub fn rings(&self, figure: &mut Figure, cells: &[(usize, usize)]) {
        let (size, ink, paper) = (figure.theme.small, figure.theme.ink, figure.theme.paper);
        // The first on top; beside their cells, which have a dot.
        for (place, (score, opponent)) in cells.iter().enumerate().rev() {
            let (cell, radius) = (self.middle(*score, *opponent), size * 0.72);
            figure.dots(Dots { centres: vec![cell], radius: size * 0.22, fill: paper, rim: Some(ink), tip: None });
            // To both sides in turn, for the worst are often neighbours.
            let near_edge = [cell.0 - self.panel.left, self.panel.right() - cell.0].map(|room| room < size * 2.0);
            let right = near_edge[0] || (place % 2 == 0 && !near_edge[1]);
            let (x, y) = (cell.0 + if right { size * 1.1 } else { -size * 1.1 }, cell.1 - size * 0.5);
            figure.dots(Dots { centres: vec![(x, y)], radius, fill: paper, rim: Some(ink), tip: None });
            figure.text((x, y + size * 0.36), &(place + 1).to_string(), (size, true), (Anchor::Middle, ink));
        }
    }

    /// A label with a halo, at a point given in cells.
    pub fn label(&self, figure: &mut Figure, at: (f64, f64), label: &str) {
        let (x, y) = self.on_sheet(at);
        let (size, theme) = (figure.theme.small, &figure.theme);
        let (fill, halo) = (theme.ink, Some(theme.paper));
        let text = label.to_owned();
        let (anchor, bold) = (Anchor::Middle, true);
        figure.push_text(TextLine { x, y: y + size * 0.36, text, size, bold, anchor, fill, turned: false, halo });
    }
}

/// Ink on cells: the colours of cells are the same on light and dark paper.
pub(super) const DARK_INK: Rgb = Rgb::hex(0x101114);
pub(super) const LIGHT_INK: Rgb = Rgb::hex(0xffffff);

/// The outlines, that of the ground before all others.
fn ground_first<K: Ord + Copy>(mut outlines: BTreeMap<K, Path>, ground: Option<K>) -> Vec<(K, Path)> {
    let first = ground.and_then(|ground| outlines.remove_entry(&ground));
    first.into_iter().chain(outlines).collect()
}
