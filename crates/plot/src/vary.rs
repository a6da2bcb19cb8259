//! How a game's win rate for the first player depends on two of its numbers.

use hog_engine::format::counted;
use hog_engine::queries::VariedPairAnswer;

use super::figure::Figure;
use super::heat::{Heat, HeatCell};
use super::theme::Look;
use super::{Caption, Picture};

/// Draws the first player's win rates over two numbers of a game; the fairest has a frame.
pub fn vary(look: Look, caption: &Caption, view: &VariedPairAnswer) -> Picture {
    let [across, upward] = &view.vary;
    let title = format!("The first player's win rate in {}, by {across} and {upward}", view.rules);
    let fairest = view.fairest();
    let notes = fairest.map(|row| {
        let [first, second] = row.values;
        format!(
            "Fairest of {}: {:.6} with {across} = {first}, {upward} = {second}.",
            counted(view.rows.len() as u64, "game"),
            row.figures.win_rate.first
        )
    });
    let mut figure = Figure::new(look, caption, &title, &Vec::from_iter(notes));
    let cells = view.rows.iter().map(|row| {
        let [first, second] = row.values;
        let rate = row.figures.win_rate.first;
        HeatCell {
            values: row.values.map(i64::from),
            rate,
            tip: format!("{across} {first}, {upward} {second}: {rate:.10}"),
            framed: Some(row) == fairest,
        }
    });
    let ascending = |number: usize| {
        let mut values = view.values(number);
        values.sort_unstable();
        values.into_iter().map(i64::from).collect()
    };
    let heat = Heat {
        names: [across, upward],
        columns: ascending(0),
        rows: ascending(1),
        cells: cells.collect(),
        legend: "win rate of the first player; the fairest has a frame",
    };
    let bottom = heat.draw(&mut figure, look.size);
    figure.finish(bottom)
}
