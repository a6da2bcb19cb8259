//! What a strategy rolls at all scores, as a picture within a page: one path for each number of dice.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::view::ChoiceMapView;

/// The side of the picture, and the room beside it for numbers, in its own units.
const SIDE: f64 = 100.0;
const ROOM: f64 = 10.0;

/// Fewest to most dice, in steps that are told apart in print and by most eyes (viridis).
const COLOURS: [&str; 11] = [
    "#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c", "#22a884", "#44bf70", "#7ad151", "#bddf26",
    "#fde725",
];

pub(super) fn write(map: &ChoiceMapView, out: &mut dyn Write) -> io::Result<()> {
    let mut paths: BTreeMap<i32, String> = BTreeMap::new();
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for (score, row) in map.dice.iter().enumerate() {
        let mut from = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let path = paths.entry(run[0]).or_default();
            path.push_str(&format!("M{from} {score}h{}v1h-{}z", run.len(), run.len()));
            *counts.entry(run[0]).or_default() += run.len();
            from += run.len();
        }
    }
    let cells = map.scores.len().max(1) as f64;
    let scale = SIDE / cells;
    let size = SIDE + 2.0 * ROOM;
    let title = "The number of dice at each pair of scores";
    writeln!(out, "<svg class=\"map\" viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"{title}\">")?;
    writeln!(out, "<g transform=\"translate({ROOM} {ROOM}) scale({scale})\" shape-rendering=\"crispEdges\">")?;
    let (least, most) = (paths.keys().next().copied().unwrap_or(0), paths.keys().last().copied().unwrap_or(0));
    for (dice, path) in &paths {
        writeln!(out, "<path fill=\"{}\" d=\"{path}\"><title>{dice} dice</title></path>", colour(*dice, least, most))?;
    }
    writeln!(out, "</g>")?;
    axes(map, out)?;
    writeln!(out, "</svg>\n<p>From top to bottom its own score, from left to right the opponent's. Dice rolled:")?;
    for (dice, count) in &counts {
        let (colour, share) = (colour(*dice, least, most), 100.0 * *count as f64 / (cells * cells));
        writeln!(
            out,
            "<span style=\"white-space: nowrap\"><svg width=\"12\" height=\"12\" aria-hidden=\"true\">\
                       <rect width=\"12\" height=\"12\" fill=\"{colour}\"/></svg> {dice} ({share:.1} %)</span>"
        )?;
    }
    writeln!(out, "</p>")
}

fn axes(map: &ChoiceMapView, out: &mut dyn Write) -> io::Result<()> {
    for quarter in 0..=4 {
        let (at, score) = (ROOM + SIDE * f64::from(quarter) / 4.0, f64::from(map.goal) * f64::from(quarter) / 4.0);
        let score = score.round();
        writeln!(out, "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{score}</text>", ROOM - 2.0)?;
        writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{score}</text>", ROOM - 1.5, at + 1.5)?;
    }
    Ok(())
}

fn colour(dice: i32, least: i32, most: i32) -> &'static str {
    let steps = (COLOURS.len() - 1) as f64;
    let share = if (0..COLOURS.len() as i32).contains(&most) && least >= 0 {
        f64::from(dice) / steps
    } else {
        f64::from(dice - least) / f64::from((most - least).max(1))
    };
    COLOURS[(share * steps).round() as usize]
}
