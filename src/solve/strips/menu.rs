//! What the columns of a strip choose from: the sum of every action in every column.

use super::LANES;
use super::setting::Setting;
use super::strip::{Lanes, Layer};
use crate::solve::program::{Program, Sum, Term};

/// What the columns of a strip choose from. There are few such menus: most games have the same in each layer, or in turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    /// The panels of the columns.
    panels: [u32; LANES],
    /// By memories as far as they matter and action: the number of its means, those of `sums`, then of `mixed`, then of
    /// `sure`.
    pub rows: Vec<u32>,
    /// Sums that some column wants.
    pub sums: Vec<Weighed>,
    /// The terms of all sums.
    terms: Vec<Placed>,
    /// Each column has a sum of its own, among `sums`.
    pub mixed: Vec<Mixed>,
    /// Each column has a turn without chance of its own: the kind of landing and the points.
    pub sure: Vec<[(u32, u32); LANES]>,
    /// By kind of landing and points, where arrivals depend on these: its weight in each of `sums`.
    pub weights: Weights,
    /// Whether lotteries depend on the opponent's memory.
    pub theirs_matter: bool,
}

/// A sum, as the strip's rows hold it.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    /// The chain's row of the opponent's first memory, and points on top.
    pub climb: Option<(usize, usize)>,
    terms: (usize, usize),
    /// One over the sum of the weights.
    pub scale: f64,
}

/// A term of a sum.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// The row of arrivals of the opponent's first memory, after the first of the layer.
    pub row: usize,
    pub weight: f64,
}

/// Weights of landings in the sums of a menu.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// Points from 0 to the most.
    points: usize,
    /// By kind and points: where its weights begin, and the end of the last.
    first: Vec<u32>,
    /// Sums, and the weight in each.
    weights: Vec<(u32, f64)>,
}

impl Weights {
    fn new(setting: &Setting, sums: &[u32]) -> Self {
        let points = setting.points();
        let terms = || {
            let sums = sums.iter().map(|index| &setting.program.sums[*index as usize]);
            (0..).zip(sums).flat_map(|(place, sum)| sum.all.iter().map(move |term| (place, term)))
        };
        let landing = |term: &Term| term.kind * points + term.points;
        // Counted, then added up, then filled from the end of each down to its beginning.
        let mut first = vec![0; setting.program.kinds.len() * points + 1];
        terms().for_each(|(_, term)| first[landing(term)] += 1);
        let mut end = 0;
        for first in &mut first {
            end += *first;
            *first = end;
        }
        let mut weights = vec![(0, 0.0); end as usize];
        for (place, term) in terms() {
            let first = &mut first[landing(term)];
            *first -= 1;
            weights[*first as usize] = (place, term.weight);
        }
        Self { points, first, weights }
    }

    /// The weights of a landing in the sums of which it is an outcome.
    #[inline(always)]
    pub fn of(&self, kind: usize, points: usize) -> &[(u32, f64)] {
        let landing = kind * self.points + points;
        &self.weights[self.first[landing] as usize..self.first[landing + 1] as usize]
    }
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

/// What one action is in the columns of a strip.
enum Choice {
    /// The same sum in all.
    Alike(u32),
    /// A turn without chance in each: the kind of landing and the points.
    Sure([(u32, u32); LANES]),
    /// A sum of its own in each.
    Mixed([u32; LANES]),
}

impl Choice {
    fn new(program: &Program, sums: [u32; LANES]) -> Self {
        if sums.iter().all(|sum| *sum == sums[0]) {
            return Self::Alike(sums[0]);
        }
        sure(program, &sums).map_or(Self::Mixed(sums), Self::Sure)
    }

    /// The sums that it wants.
    fn sums(&self) -> &[u32] {
        match self {
            Self::Alike(sum) => std::slice::from_ref(sum),
            Self::Sure(_) => &[],
            Self::Mixed(sums) => sums,
        }
    }
}

/// The most menus that are kept for a strip.
const MENUS: usize = 8;

impl Menu {
    /// How many means there are for each memory of the opponent.
    pub fn means(&self) -> usize {
        self.sums.len() + self.mixed.len() + self.sure.len()
    }

    /// The terms of a sum.
    #[inline(always)]
    pub fn terms(&self, sum: &Weighed) -> &[Placed] {
        &self.terms[sum.terms.0..sum.terms.1]
    }

    /// The place of the menu of a layer among those known, which may be new.
    pub fn find(layer: &Layer, first: usize, lanes: Lanes, known: &mut Vec<Self>) -> usize {
        if layer.setting.game.panels_by_opponent().is_some() && !known.is_empty() {
            return 0;
        }
        let panels = panels(layer, first);
        let lanes = lanes.range();
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
    fn new(setting: &Setting, panels: [u32; LANES]) -> Self {
        let program = &setting.program;
        let theirs_matter = setting.game.panels()[panels[0] as usize].theirs_matter();
        let mut menu = Self { panels, theirs_matter, ..Self::default() };
        let choices = panels.map(|panel| &program.choices[panel as usize]);
        let sums = |place: usize| std::array::from_fn(|lane| choices[lane][place]);
        let each: Vec<Choice> = (0..choices[0].len()).map(|place| Choice::new(program, sums(place))).collect();
        let mut wanted: Vec<u32> = each.iter().flat_map(Choice::sums).copied().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let place = |sum: u32| wanted.binary_search(&sum).expect("wanted") as u32;
        // Numbers are known once all sums and mixed ones are.
        let number = |choice| match choice {
            Choice::Alike(sum) => (0, place(sum)),
            Choice::Mixed(sums) => (1, number(&mut menu.mixed, Mixed::new(sums.map(place)))),
            Choice::Sure(landings) => (2, number(&mut menu.sure, landings)),
        };
        let rows: Vec<(usize, u32)> = each.into_iter().map(number).collect();
        let before = [0, wanted.len(), wanted.len() + menu.mixed.len()];
        menu.rows = rows.into_iter().map(|(which, number)| before[which] as u32 + number).collect();
        menu.place_sums(setting, &wanted);
        menu
    }

    fn place_sums(&mut self, setting: &Setting, wanted: &[u32]) {
        let (program, mine) = (&setting.program, setting.space.mine);
        for index in wanted {
            let sum = &program.sums[*index as usize];
            let row = |(chain, dice, shift): (usize, usize, usize)| {
                (program.chains[chain].first_row + (dice - 1) * mine, shift)
            };
            let first = self.terms.len();
            let placed = |term: &Term| Placed { row: setting.arrivals_at(term.kind, term.points), weight: term.weight };
            self.terms.extend(sum.rest.iter().map(placed));
            let terms = (first, self.terms.len());
            self.sums.push(Weighed { climb: sum.climb.map(row), terms, scale: sum.scale });
        }
        if !setting.by_points.is_empty() {
            self.weights = Weights::new(setting, wanted);
        }
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

/// The landings of sums without chance: kind and points.
fn sure(program: &Program, sums: &[u32; LANES]) -> Option<[(u32, u32); LANES]> {
    let mut landings = [(0, 0); LANES];
    for (landing, sum) in landings.iter_mut().zip(sums) {
        let Sum { climb: None, rest, scale, .. } = &program.sums[*sum as usize] else { return None };
        match rest[..] {
            [term] if term.weight * scale == 1.0 => *landing = (term.kind as u32, term.points as u32),
            _ => return None,
        }
    }
    Some(landings)
}

/// The panels of a strip's columns in a layer. Columns that are not cells are taken to offer what they would if panels went
/// on to repeat as they do, so that menus differ as seldom as panels.
fn panels(layer: &Layer, first: usize) -> [u32; LANES] {
    let (game, goal, period) = (layer.setting.game, layer.setting.space.goal, layer.setting.period);
    if let Some(known) = game.panels_by_opponent() {
        return std::array::from_fn(|lane| known[(first + lane).min(goal - 1)].into());
    }
    std::array::from_fn(|lane| {
        let column = (first + lane).min(goal - 1);
        let score = match layer.sum.checked_sub(column) {
            Some(score) if score < goal => score,
            Some(score) => score - (score + 1 - goal).next_multiple_of(period),
            None => (column - layer.sum).next_multiple_of(period) - (column - layer.sum),
        };
        game.panel_number_at(score, column) as u32
    })
}
