//! How a game depends on its numbers: curves over one, a map over two.

use hog_engine::format::counted;
use hog_engine::queries::VaryAnswer;

use super::curves::curves;
use super::figure::Figure;
use super::heat::{Heat, HeatCell};
use super::theme::Look;
use super::{Caption, Picture};

/// Draws a game by the values of one number, or of two; `None` if there are more.
pub fn vary(look: Look, caption: &Caption, answer: &VaryAnswer) -> Option<Picture> {
    match &answer.vary[..] {
        [_] => Some(curves(look, caption, answer)),
        [across, upward] => Some(map(look, caption, answer, [across, upward])),
        _ => None,
    }
}

fn ascending(mut values: Vec<i64>) -> Vec<i64> {
    values.sort_unstable();
    values
}

/// Draws the first player's win rates over two numbers of a game; the fairest has a frame.
fn map(look: Look, caption: &Caption, view: &VaryAnswer, names: [&str; 2]) -> Picture {
    let [across, upward] = names;
    let title = format!("The first player's win rate in {}, by {across} and {upward}", view.rules);
    let fairest = view.fairest();
    let notes = fairest.map(|row| {
        let first = row.values[0];
        let second = row.values[1];
        format!(
            "Fairest of {}: {:.6} with {across} = {first}, {upward} = {second}.",
            counted(view.rows.len() as u64, "game"),
            row.figures.win_rate.first
        )
    });
    let mut figure = Figure::new(look, caption, &title, &Vec::from_iter(notes));
    let cells = view.rows.iter().map(|row| {
        let first = row.values[0];
        let second = row.values[1];
        let rate = row.figures.win_rate.first;
        HeatCell {
            values: [first, second],
            rate,
            tip: format!("{across} {first}, {upward} {second}: {rate:.10}"),
            framed: Some(row) == fairest,
        }
    });
    let heat = Heat {
        names,
        columns: ascending(view.values(0)),
        rows: ascending(view.values(1)),
        cells: cells.collect(),
        legend: "win rate of the first player; the fairest has a frame",
    };
    let bottom = heat.draw(&mut figure, look.size);
    figure.finish(bottom)
}
