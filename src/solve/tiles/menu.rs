//! What the columns of a tile choose from: the sum of every action in every column.

use super::LANES;
use super::tile::{Columns, Tile};

/// What the columns of a tile choose from. There are few such menus: most games have the same in each layer, or in turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    /// The panels of the columns.
    pub(super) panels: [usize; LANES],
    /// By memories as far as they matter and action: the row of its means, a sum's or after those a mixed one.
    pub(super) rows: Vec<u32>,
    /// Sums that some column wants.
    pub(super) wanted: Vec<u32>,
    /// Rows of which each column has a sum of its own.
    pub(super) mixed: Vec<[u32; LANES]>,
    /// By kind of landing and points, where arrivals depend on these: its weight in each of the wanted sums; empty if it is
    /// an outcome of none.
    pub(super) weights: Vec<Vec<Vec<f64>>>,
}

/// The most menus that are kept for a tile.
pub(super) const MENUS: usize = 8;

impl Tile<'_> {
    /// The menu of the tile, one of those known or a new one.
    pub(super) fn read_menu<'m>(&self, columns: Columns, known: &'m mut Vec<Menu>) -> &'m Menu {
        let (game, goal) = (self.setting.game, self.setting.space.goal);
        let most = (self.tile * LANES + LANES - 1).min(goal - 1);
        // Columns that are not cells are taken to offer what a cell near by offers, where the mover's score is even or odd
        // like theirs, so that menus seldom differ.
        let panels: [usize; LANES] = std::array::from_fn(|lane| {
            let column = (self.tile * LANES + lane).min(most);
            let score = match self.sum.checked_sub(column) {
                None => (column - self.sum) % 2,
                Some(score) if score < goal => score,
                Some(score) => goal - 1 - (score + 1 - goal) % 2.min(goal),
            };
            game.panel_number(score.min(goal - 1) * goal + column)
        });
        let lanes = columns.first..columns.first + columns.count;
        match known.iter().position(|menu| menu.panels[lanes.clone()] == panels[lanes.clone()]) {
            Some(place) => &known[place],
            None => {
                if known.len() == MENUS {
                    known.pop();
                }
                known.push(self.new_menu(panels));
                &known[known.len() - 1]
            }
        }
    }

    /// Finds the sum of every action in every column.
    pub(super) fn new_menu(&self, panels: [usize; LANES]) -> Menu {
        let program = &self.setting.program;
        let mut menu = Menu { panels, ..Menu::default() };
        let choices: [&Vec<u32>; LANES] = std::array::from_fn(|lane| &program.choices[panels[lane]]);
        for (place, first) in choices[0].iter().enumerate() {
            let each: [u32; LANES] = std::array::from_fn(|lane| choices[lane][place]);
            let row = if each.iter().all(|sum| sum == first) {
                menu.wanted.push(*first);
                *first
            } else {
                menu.wanted.extend(each);
                let known = menu.mixed.iter().position(|mixed| *mixed == each).unwrap_or_else(|| {
                    menu.mixed.push(each);
                    menu.mixed.len() - 1
                });
                (program.sums.len() + known) as u32
            };
            menu.rows.push(row);
        }
        menu.wanted.sort_unstable();
        menu.wanted.dedup();
        if !self.setting.by_points.is_empty() {
            menu.weights = self.setting.weights(&menu.wanted);
        }
        menu
    }
}
