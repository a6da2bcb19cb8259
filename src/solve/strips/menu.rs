//! What the columns of a strip choose from: the sum of every action in every column.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::LANES;
use super::groups::{Groups, Turns, blend_well, in_turns};
use super::setting::Setting;
use super::strip::Layer;
use super::weights::Weights;
use crate::solve::program::{Program, Sum};

/// What the columns of a strip choose from.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    /// The panels of the columns.
    panels: [u32; LANES],
    /// By memories as far as they matter and action: the number of its means, those of `wanted`, then of `mixed`, then of
    /// `sure`.
    pub rows: Vec<u32>,
    /// Sums that some column wants, or that columns take in turns; ascending.
    wanted: Vec<Turns>,
    /// The same, as they are weighed.
    pub sums: Groups,
    /// Each column has a sum of its own, among `wanted`.
    pub mixed: Vec<Mixed>,
    /// Each column has a turn without chance of its own.
    pub sure: Vec<Sure>,
    /// What outcomes whose arrivals depend on the points weigh in `sums`.
    pub weights: Arc<Weights>,
    /// Whether distributions depend on the opponent's memory.
    pub theirs_matter: bool,
}

/// Turns without chance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sure {
    /// By column: the row of the arrivals of the opponent's first memory, after the first of the layer.
    pub rows: [u32; LANES],
    /// Where arrivals depend on the points: the number of the landing, and the columns, whose bits are all set.
    pub by_points: Vec<(u32, Mask)>,
}

impl Sure {
    fn new(setting: &Setting, outcomes: [(u32, u32); LANES]) -> Self {
        let row = |(kind, points)| setting.arrivals_at(kind as usize, points as usize) as u32;
        let mut by_points: Vec<(u32, Mask)> = Vec::new();
        for (lane, (kind, points)) in outcomes.into_iter().enumerate() {
            let Some(landing) = setting.number_of(kind as usize, points as usize) else { continue };
            let landing = landing as u32;
            let known = by_points.iter().position(|known| known.0 == landing).unwrap_or_else(|| {
                by_points.push((landing, [0; LANES]));
                by_points.len() - 1
            });
            by_points[known].1[lane] = u64::MAX;
        }
        Self { rows: outcomes.map(row), by_points }
    }
}

/// All bits of a column or none.
pub(super) type Mask = [u64; LANES];

/// Sums by column, as their places in [`Menu::wanted`]; all bits of a mask are set where the second is taken.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mixed {
    Two { sums: [u32; 2], mask: Mask },
    Many([u32; LANES]),
}

impl Mixed {
    fn new(sums: [u32; LANES]) -> Self {
        let other = *sums.iter().find(|sum| **sum != sums[0]).expect("columns differ");
        if sums.iter().any(|sum| *sum != sums[0] && *sum != other) {
            return Self::Many(sums);
        }
        Self::Two { sums: [sums[0], other], mask: sums.map(|sum| if sum == other { u64::MAX } else { 0 }) }
    }
}

/// What one action is in the columns of a strip.
enum Choice {
    /// The same sum in all, or two in turns that are weighed as one.
    InTurns(Turns),
    /// A turn without chance in each: the kind of landing and the points.
    Sure([(u32, u32); LANES]),
    /// A sum of its own in each.
    Mixed([u32; LANES]),
}

impl Choice {
    fn new(setting: &Setting, sums: [u32; LANES]) -> Self {
        if sums.iter().all(|sum| *sum == sums[0]) {
            return Self::InTurns([sums[0]; 2]);
        }
        let program = &setting.program;
        if let Some(outcomes) = sure(program, &sums) {
            return Self::Sure(outcomes);
        }
        match in_turns(&sums) {
            Some(turns) if blend_well(setting, turns) => Self::InTurns(turns),
            _ => Self::Mixed(sums),
        }
    }

    /// The sums that it wants.
    fn wanted(&self) -> Vec<Turns> {
        match self {
            Self::InTurns(turns) => vec![*turns],
            Self::Sure(_) => Vec::new(),
            Self::Mixed(sums) => sums.iter().map(|sum| [*sum; 2]).collect(),
        }
    }
}

/// The menus of all strips and layers, where what is on offer repeats after a few scores.
#[derive(Debug)]
pub(super) struct Menus {
    known: Vec<Menu>,
    /// By strip and sum of scores modulo the period, the menu.
    places: Vec<u32>,
    /// After how many own scores what is on offer repeats.
    period: usize,
}

/// All menus are made beforehand if what is on offer repeats after no more scores than these, and they are no more than these.
const MOST_SCORES: usize = 64;
const MOST_MENUS: usize = 1024;

impl Menus {
    /// `None` if there are too many.
    pub fn new(setting: &Setting) -> Option<Self> {
        let (goal, period) = (setting.space.goal, setting.period);
        if period > MOST_SCORES {
            return None;
        }
        let (mut known, mut of_panels): (Vec<Menu>, _) = (Vec::new(), HashMap::with_hasher(FixedState::default()));
        let mut places = Vec::with_capacity(goal.div_ceil(LANES) * period);
        for first in (0..goal).step_by(LANES) {
            for residue in 0..period {
                let panels = panels(setting, residue, first);
                places.push(*of_panels.entry(panels).or_insert_with(|| {
                    let mut menu = Menu::new(setting, panels);
                    // Kept once, they stay in the first-level cache.
                    if let Some(same) = known.iter().find(|known| known.weights == menu.weights) {
                        menu.weights = Arc::clone(&same.weights);
                    }
                    known.push(menu);
                    known.len() as u32 - 1
                }));
                if known.len() > MOST_MENUS {
                    return None;
                }
            }
        }
        Some(Self { known, places, period })
    }

    /// The menu of the strip that begins at a column in the layer of a sum of scores.
    #[inline(always)]
    pub fn of(&self, first: usize, sum: usize) -> &Menu {
        &self.known[self.places[first / LANES * self.period + sum % self.period] as usize]
    }
}

/// The menus of a strip in the latest layers, where there are too many to make them all beforehand.
#[derive(Clone, Debug, Default)]
pub(super) struct LatestMenus(Vec<Menu>);

/// So many menus of a strip are kept.
const LATEST: usize = 8;

impl LatestMenus {
    /// The menu of a layer, which may be new.
    pub fn find(&mut self, layer: &Layer, first: usize) -> &Menu {
        let setting = layer.question.setting;
        let (panels, lanes) = (panels(setting, layer.sum, first), layer.lanes(first).range());
        // Columns that are not cells may be anything.
        let known = |menu: &Menu| menu.panels[lanes.clone()] == panels[lanes.clone()];
        let place = self.0.iter().position(known).unwrap_or_else(|| {
            self.0.truncate(LATEST - 1);
            self.0.push(Menu::new(setting, panels));
            self.0.len() - 1
        });
        &self.0[place]
    }
}

impl Menu {
    /// How many means there are for each memory of the opponent.
    pub fn means(&self) -> usize {
        self.wanted.len() + self.mixed.len() + self.sure.len()
    }

    /// Finds the sum of every action in every column.
    pub fn new(setting: &Setting, panels: [u32; LANES]) -> Self {
        let program = &setting.program;
        let theirs_matter = setting.game.action_sets()[panels[0] as usize].theirs_matter();
        let mut menu = Self { panels, theirs_matter, ..Self::default() };
        let choices = panels.map(|panel| &program.choices[panel as usize]);
        let sums = |place: usize| std::array::from_fn(|lane| choices[lane][place]);
        let each: Vec<Choice> = (0..choices[0].len()).map(|place| Choice::new(setting, sums(place))).collect();
        let mut wanted: Vec<Turns> = each.iter().flat_map(Choice::wanted).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let place = |turns: Turns| wanted.binary_search(&turns).expect("wanted") as u32;
        // Numbers are known once all sums and mixed ones are.
        let number = |choice| match choice {
            Choice::InTurns(turns) => (0, place(turns)),
            Choice::Mixed(sums) => (1, number(&mut menu.mixed, Mixed::new(sums.map(|sum| place([sum; 2]))))),
            Choice::Sure(outcomes) => (2, number(&mut menu.sure, Sure::new(setting, outcomes))),
        };
        let rows: Vec<(usize, u32)> = each.into_iter().map(number).collect();
        let before = [0, wanted.len(), wanted.len() + menu.mixed.len()];
        menu.rows = rows.into_iter().map(|(which, number)| before[which] as u32 + number).collect();
        menu.sums = Groups::new(setting, &wanted);
        if !setting.by_points.is_empty() {
            let groups = menu.sums.groups.iter().map(|group| group.sums.map(|sum| wanted[sum.number][0]));
            menu.weights = Arc::new(Weights::new(setting, groups));
        }
        menu.wanted = wanted;
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

/// The outcomes of sums without chance: kind and points.
fn sure(program: &Program, sums: &[u32; LANES]) -> Option<[(u32, u32); LANES]> {
    let mut outcomes = [(0, 0); LANES];
    for (landing, sum) in outcomes.iter_mut().zip(sums) {
        let Sum { convolution: None, rest, scale, .. } = &program.sums[*sum as usize] else { return None };
        match rest[..] {
            [term] if term.weight * scale == 1.0 => *landing = (term.kind as u32, term.points as u32),
            _ => return None,
        }
    }
    Some(outcomes)
}

/// The panels of a strip's columns in the layer of a sum of scores. Columns that are not cells are taken to offer what they
/// would if panels went on to repeat as they do, so that menus differ as seldom as panels.
fn panels(setting: &Setting, sum: usize, first: usize) -> [u32; LANES] {
    let (game, goal, period) = (setting.game, setting.space.goal, setting.period);
    if let Some(known) = game.action_sets_by_opponent() {
        return std::array::from_fn(|lane| known[(first + lane).min(goal - 1)].into());
    }
    std::array::from_fn(|lane| {
        let past = (first + lane + 1).saturating_sub(goal).next_multiple_of(period);
        let column = (first + lane).checked_sub(past).unwrap_or(goal - 1);
        let score = match sum.checked_sub(column) {
            Some(score) if score < goal => score,
            Some(score) => score - (score + 1 - goal).next_multiple_of(period),
            None => (column - sum).next_multiple_of(period) - (column - sum),
        };
        game.action_set_number_at(score, column) as u32
    })
}
