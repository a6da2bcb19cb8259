//! The best number of dice at every pair of scores, with a legend that counts them.

use std::collections::BTreeMap;

use hog_engine::format::counted;
use hog_engine::queries::ScoreMap;

use super::board::{Board, step_note};
use super::figure::{Figure, percent, signed};
use super::legend::LegendEntry;
use super::theme::{Look, Theme};
use super::{Caption, Picture};

/// Draws the number of dice to roll by both scores. Zero dice stand out, and ties have a dot.
pub fn best(look: Look, caption: &Caption, map: &ScoreMap) -> Picture {
    let shares = shares(map);
    let (title, notes) = heading(map, &shares);
    let mut figure = Figure::new(look, caption, &title, &notes);
    let space = map.game.space();
    let theme = figure.theme.clone();
    let most = space.dice(space.actions - 1);
    let board = Board::alone(&figure, space.goal);
    let grid = board.grid(|score, opponent| map.dice(score, opponent));
    board.fill(&mut figure, &grid, |dice| {
        let positions = counted(shares[&dice] as u64, "position");
        (theme.dice(dice, most), format!("{}: {positions}", rolled(dice)))
    });
    let mut ties = Vec::new();
    for cell in 0..board.side().pow(2) {
        let (score, opponent) = board.scores(cell / board.side(), cell % board.side());
        if map.is_tie(score, opponent) {
            ties.push(((score, opponent), theme.dice(map.dice(score, opponent), most)));
        }
    }
    board.mark(
        &mut figure,
        &ties,
        "several numbers of dice are equally good; the colour is that of the fewest",
    );
    board.labels(&mut figure, &grid, |dice| (theme.dice(dice, most), dice.to_string()));
    board.axes(&mut figure);
    let entries = legend(&theme, map, &shares);
    board.finish(figure, "dice", &entries)
}

/// Counts the positions by their best number of dice (the fewest, for ties).
fn shares(map: &ScoreMap) -> BTreeMap<i32, usize> {
    let goal = map.game.space().goal;
    let mut shares = BTreeMap::new();
    for cell in 0..goal * goal {
        *shares.entry(map.dice(cell / goal, cell % goal)).or_default() += 1;
    }
    shares
}

/// Formats a number of dice.
pub(super) fn rolled(dice: i32) -> String {
    match dice {
        ..0 => format!("move {dice}"),
        0 => "zero dice".into(),
        1 => "1 die".into(),
        _ => format!("{dice} dice"),
    }
}

fn heading(map: &ScoreMap, shares: &BTreeMap<i32, usize>) -> (String, Vec<String>) {
    let game = map.game.rules().called();
    let title = match (&map.strategy, &map.against) {
        (Some(strategy), _) => format!("How many dice {strategy} rolls in {game}"),
        (None, Some(against)) => format!("How many dice to roll against {against} in {game}"),
        (None, None) => format!("How many dice to roll in {game}"),
    };
    let goal = map.game.space().goal;
    let zero = shares.get(&0).map_or(0.0, |count| *count as f64 / (goal * goal) as f64);
    let mut note = match zero {
        0.0 => "No position calls for zero dice.".to_owned(),
        share => format!("Zero dice in {} of all positions.", percent(share)),
    };
    if map.strategy.is_some() {
        note = note.replace("No position calls for zero dice", "It never rolls zero dice");
    }
    let ties = (0..goal * goal).filter(|cell| map.is_tie(cell / goal, cell % goal)).count();
    if map.strategy.is_none() {
        note += &match ties {
            0 => " No ties.".to_owned(),
            ties => {
                format!(
                    " Dots: {} with a tie; their colour is that of the fewest dice.",
                    counted(ties as u64, "position")
                )
            }
        };
    }
    (title, vec![note + &step_note(goal) + &memory_note(map)])
}

/// Returns a note with the memories for which a map is drawn; empty if the game has none.
pub(super) fn memory_note(map: &ScoreMap) -> String {
    if map.memory.is_empty() {
        return String::new();
    }
    let shown: Vec<String> =
        map.memory.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!(" Drawn for {}.", shown.join(", "))
}

/// Returns what each colour means, and how often it occurs.
fn legend(theme: &Theme, map: &ScoreMap, shares: &BTreeMap<i32, usize>) -> Vec<LegendEntry> {
    let space = map.game.space();
    let all: Vec<i32> = (0..space.actions).map(|action| space.dice(action)).collect();
    let shown = if all.len() <= 13 { all } else { shares.keys().copied().collect() };
    let mut entries = Vec::with_capacity(shown.len());
    for dice in shown {
        entries.push(LegendEntry {
            label: signed(f64::from(dice), 0),
            colour: theme.dice(dice, space.dice(space.actions - 1)),
            count: shares.get(&dice).copied().unwrap_or(0),
        });
    }
    entries
}
