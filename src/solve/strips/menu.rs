//! What the columns of a strip choose from: the sum of every action in every column.

use super::LANES;
use super::setting::Setting;
use super::strip::{Lanes, Layer};
use crate::solve::program::{Program, Sum};

/// What the columns of a strip choose from. There are few such menus: most games have the same in each layer, or in turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    /// The panels of the columns.
    panels: [usize; LANES],
    /// By memories as far as they matter and action: the number of its means, those of `sums`, then of `mixed`, then of
    /// `sure`.
    pub rows: Vec<u32>,
    /// Sums that some column wants, and their numbers in the program.
    pub sums: Vec<u32>,
    /// Each column has a sum of its own, among `sums`.
    pub mixed: Vec<Mixed>,
    /// Each column has a turn without chance of its own: the kind of landing and the points.
    pub sure: Vec<[(u32, u32); LANES]>,
    /// By kind of landing and points, where arrivals depend on these: its weight in each of `sums`, and a last weight that
    /// is above 0 if any of those is.
    pub weights: Vec<f64>,
    /// Whether lotteries depend on the opponent's memory.
    pub theirs_matter: bool,
}

/// Sums by column, as their places in [`Menu::sums`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mixed {
    /// One of two: all bits are set where it is the second.
    Two([u32; 2], [u64; LANES]),
    Many([u32; LANES]),
}

impl Mixed {
    fn new(sums: [u32; LANES]) -> Self {
        let Some(other) = sums.iter().copied().find(|sum| *sum != sums[0]) else {
            return Self::Two([sums[0]; 2], [0; LANES]);
        };
        if sums.iter().any(|sum| *sum != sums[0] && *sum != other) {
            return Self::Many(sums);
        }
        Self::Two([sums[0], other], sums.map(|sum| if sum == other { u64::MAX } else { 0 }))
    }
}

/// The most menus that are kept for a strip.
const MENUS: usize = 8;

impl Menu {
    /// How many means there are for each memory of the opponent.
    pub fn means(&self) -> usize {
        self.sums.len() + self.mixed.len() + self.sure.len()
    }

    /// The place of the menu of a layer among those known, which may be new.
    pub fn find(layer: &Layer, first: usize, lanes: Lanes, known: &mut Vec<Self>) -> usize {
        if layer.setting.panels.is_some() && !known.is_empty() {
            return 0;
        }
        let panels = panels(layer, first);
        let lanes = lanes.first..lanes.end;
        let place = known.iter().position(|menu| menu.panels[lanes.clone()] == panels[lanes.clone()]);
        place.unwrap_or_else(|| {
            if known.len() == MENUS {
                known.pop();
            }
            known.push(Self::new(layer.setting, panels));
            known.len() - 1
        })
    }

    /// Finds the sum of every action in every column.
    fn new(setting: &Setting, panels: [usize; LANES]) -> Self {
        let program = &setting.program;
        let mut menu =
            Self { panels, theirs_matter: setting.game.panels()[panels[0]].theirs_matter(), ..Self::default() };
        let choices: [&Vec<u32>; LANES] = std::array::from_fn(|lane| &program.choices[panels[lane]]);
        let each: Vec<[u32; LANES]> =
            (0..choices[0].len()).map(|place| std::array::from_fn(|lane| choices[lane][place])).collect();
        let alike = |sums: &[u32; LANES]| sums.iter().all(|sum| *sum == sums[0]);
        let sure = |sums: &[u32; LANES]| {
            let surely: Vec<(u32, u32)> = sums.iter().filter_map(|sum| surely(program, *sum)).collect();
            // Where arrivals depend on the points, sums are mended.
            <[(u32, u32); LANES]>::try_from(surely).ok().filter(|_| setting.by_points.is_empty())
        };
        for sums in &each {
            if alike(sums) || sure(sums).is_none() {
                menu.sums.extend(sums);
            }
        }
        menu.sums.sort_unstable();
        menu.sums.dedup();
        let place = |sum: u32, sums: &[u32]| sums.binary_search(&sum).expect("wanted") as u32;
        // Numbers are known once all sums and mixed ones are.
        let mut rows = Vec::with_capacity(each.len());
        for sums in &each {
            rows.push(if alike(sums) {
                (0, place(sums[0], &menu.sums))
            } else if let Some(sure) = sure(sums) {
                (2, number(&mut menu.sure, sure))
            } else {
                let mixed = sums.map(|sum| place(sum, &menu.sums));
                (1, number(&mut menu.mixed, Mixed::new(mixed)))
            });
        }
        let before = [0, menu.sums.len(), menu.sums.len() + menu.mixed.len()];
        menu.rows = rows.into_iter().map(|(which, number)| before[which] as u32 + number).collect();
        if !setting.by_points.is_empty() {
            menu.weights = setting.weights(&menu.sums);
        }
        menu
    }
}

/// The number of an item in a list that grows with new ones.
fn number<T: PartialEq>(list: &mut Vec<T>, item: T) -> u32 {
    let place = list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    });
    place as u32
}

/// The landing of a sum without chance.
fn surely(program: &Program, sum: u32) -> Option<(u32, u32)> {
    match &program.sums[sum as usize] {
        Sum { climb: None, rest, scale, .. } => match rest[..] {
            [term] if term.weight * scale == 1.0 => Some((term.kind as u32, term.points as u32)),
            _ => None,
        },
        _ => None,
    }
}

/// The panels of a strip's columns in a layer. Columns that are not cells are taken to offer what a cell near by offers,
/// where the mover's score is even or odd like theirs, so that menus seldom differ.
fn panels(layer: &Layer, first: usize) -> [usize; LANES] {
    let (game, goal) = (layer.setting.game, layer.setting.space.goal);
    if let Some(panels) = &layer.setting.panels {
        return std::array::from_fn(|lane| panels[(first + lane).min(goal - 1)]);
    }
    let most = (first + LANES - 1).min(goal - 1);
    std::array::from_fn(|lane| {
        let column = (first + lane).min(most);
        let score = match layer.sum.checked_sub(column) {
            None => (column - layer.sum) % 2,
            Some(score) if score < goal => score,
            Some(score) => goal - 1 - (score + 1 - goal) % 2.min(goal),
        };
        game.panel_number(score.min(goal - 1) * goal + column)
    })
}
