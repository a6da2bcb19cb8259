//! The smallest value of a memory at which no dice are rolled, by pair of scores: when a player of
//! Pig holds.

use std::collections::BTreeMap;

use hog_engine::format::{counted, thousands};
use hog_engine::queries::{HoldLayer, ScoreMap};

use super::best::memory_note;
use super::board::{Board, step_note};
use super::colour::Rgb;
use super::figure::Figure;
use super::legend::LegendEntry;
use super::theme::{Look, Theme};
use super::{Caption, Picture};

/// Bands of values of equal width, the last of them open, and a band for pairs of scores without
/// such a value.
struct Bands {
    width: i64,
    /// The index of the last band.
    last: i32,
    /// What the band without such a value is called.
    never: &'static str,
    /// The value of each band, `None` if it has several.
    alone: BTreeMap<i32, Option<i64>>,
}

/// The largest number of bands before the open one.
const MOST: i32 = 10;

/// The band of pairs of scores at which dice are rolled for any value.
const NEVER: i32 = i32::MAX;

impl Bands {
    /// Chooses the smallest round width with which nine tenths of the values lie below the open
    /// band.
    fn of(first: &[Option<i64>], never: &'static str) -> Self {
        let mut values: Vec<i64> = first.iter().flatten().copied().collect();
        values.sort_unstable();
        let usual = values.get(values.len() * 9 / 10).copied().unwrap_or(0);
        let round = [1, 2, 5, 10, 20, 50, 100, 200, 500];
        let width = round.into_iter().find(|width| usual / width < MOST.into()).unwrap_or(1000);
        let last = (values.last().copied().unwrap_or(0) / width).min(MOST.into()) as i32;
        let mut bands = Self { width, last, never, alone: BTreeMap::new() };
        for value in values.into_iter().map(Some) {
            let alone = bands.alone.entry(bands.band(value)).or_insert(value);
            *alone = alone.filter(|one| Some(*one) == value);
        }
        bands
    }

    fn band(&self, value: Option<i64>) -> i32 {
        value.map_or(NEVER, |value| (value / self.width).min(self.last.into()) as i32)
    }

    fn label(&self, band: i32) -> String {
        let from = i64::from(band) * self.width;
        let to = from + self.width - 1;
        if let Some(Some(value)) = self.alone.get(&band) {
            return value.to_string();
        }
        match band {
            NEVER => self.never.into(),
            band if band == MOST => format!("{from}+"),
            _ if from == to => from.to_string(),
            _ => format!("{from}–{to}"),
        }
    }

    fn colour(&self, theme: &Theme, band: i32) -> Rgb {
        if band == NEVER {
            theme.dice(0, 1)
        } else {
            theme.loss(0.08 + 0.92 * f64::from(band) / f64::from(self.last.max(1)))
        }
    }
}

/// Draws the value of a memory at which to stop rolling, by both scores.
pub fn hold(look: Look, caption: &Caption, map: &ScoreMap, hold: &HoldLayer) -> Picture {
    let goal = map.game.space().goal;
    let first = &hold.first;
    let has_pot = map.game.rules().pot().is_some();
    let bands = Bands::of(first, if has_pot { "to the goal" } else { "never" });
    let name = hold.over.replace('_', " ");
    let (title, notes) = heading(map, hold, &name);
    let mut figure = Figure::new(look, caption, &title, &notes);
    let theme = figure.theme.clone();
    let board = Board::alone(&figure, goal);
    let grid = board.grid(|score, opponent| bands.band(first[score * goal + opponent]));
    let mut counts: BTreeMap<i32, usize> = (0..=bands.last).map(|band| (band, 0)).collect();
    first.iter().for_each(|value| *counts.entry(bands.band(*value)).or_default() += 1);
    board.fill(&mut figure, &grid, |band| {
        (
            bands.colour(&theme, band),
            format!("{name} {}: {}", bands.label(band), counted(counts[&band] as u64, "position")),
        )
    });
    board.labels(&mut figure, &grid, |band| (bands.colour(&theme, band), bands.label(band)));
    board.axes(&mut figure);
    let mut entries = Vec::with_capacity(counts.len());
    for (band, count) in &counts {
        entries.push(LegendEntry {
            label: bands.label(*band),
            colour: bands.colour(&theme, *band),
            count: *count,
        });
    }
    board.finish(figure, &name, &entries)
}

fn heading(map: &ScoreMap, hold: &HoldLayer, name: &str) -> (String, Vec<String>) {
    let game = map.game.rules().called();
    let title = match (&map.strategy, &map.against) {
        (Some(strategy), _) => {
            format!("The {name} at which {strategy} rolls no more dice in {game}")
        }
        (None, Some(against)) => {
            format!("The {name} at which to roll no more dice against {against} in {game}")
        }
        (None, None) => format!("The {name} at which to roll no more dice in {game}"),
    };
    let space = map.game.space();
    let (cell, _) = space.parts(map.game.start());
    let (score, opponent) = space.scores(cell);
    let start = match (hold.first[cell], hold.last[cell]) {
        (Some(value), None) => format!("From {value} on at {score} to {opponent}."),
        (Some(value), Some(last)) => format!("From {value} to {last} at {score} to {opponent}."),
        (None, _) => format!("Never at {score} to {opponent}."),
    };
    let again = match hold.last.iter().flatten().count() as u64 {
        0 => String::new(),
        rolled => {
            let rolled = counted(rolled, "position");
            let held = match hold.again.iter().flatten().count() as u64 {
                0 => String::new(),
                held => format!(", and in {} of them no dice with still more", thousands(held)),
            };
            format!(" In {rolled}, dice are rolled again with more{held}.")
        }
    };
    let tie = if map.strategy.is_none() {
        " Where both are equally good, no dice are rolled."
    } else {
        ""
    };
    (title, vec![start + &again + tie + &step_note(space.goal) + &memory_note(map)])
}
