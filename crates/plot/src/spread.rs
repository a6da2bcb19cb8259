//! What is at stake at every pair of scores: how much the best number of dice wins more often than
//! the worst.

use hog_engine::queries::MapAnswer;

use super::board::{Board, step_note};
use super::figure::Figure;
use super::legend::Decades;
use super::theme::Look;
use super::{Caption, Picture};

/// The number of limits between the colour steps.
const STEPS: usize = 7;

/// Draws the `spread` of a map, by both scores.
pub fn spread(
    look: Look,
    caption: &Caption,
    game: &str,
    map: &MapAnswer,
    spread: &[f64],
) -> Picture {
    let goal = map.goal as usize;
    let (title, note) = heading(game, map, spread);
    let mut figure = Figure::new(look, caption, &title, &[note]);
    let board = Board::alone(&figure, goal);
    let most = spread.iter().copied().fold(0.0, f64::max);
    let decades = Decades::below(most, STEPS, &[5.0, 2.0, 1.0]);
    let grid = board.grid(|score, opponent| decades.step(spread[score * goal + opponent]) as i32);
    let last = (decades.count() - 1) as f64;
    let colours: Vec<_> =
        (0..decades.count()).map(|step| figure.theme.loss(step as f64 / last)).collect();
    board.fill(&mut figure, &grid, |step| {
        (colours[step as usize], decades.range(step as usize, 1.0))
    });
    board.axes(&mut figure);
    let entries = decades.entries(&colours, &grid.counts(), "0");
    board.finish(figure, "win rate", &entries)
}

fn heading(game: &str, map: &MapAnswer, spread: &[f64]) -> (String, String) {
    let against =
        map.against.as_ref().map_or_else(String::new, |against| format!(" against {against}"));
    let title = format!("What is at stake{against} in {game}");
    let mean = spread.iter().sum::<f64>() / spread.len() as f64;
    let mut note = format!(
        "The win rate of the best number of dice minus that of the worst: {mean:.4} in the mean of \
         all positions.{}",
        step_note(map.goal as usize)
    );
    if !map.memory.is_empty() {
        let shown: Vec<String> =
            map.memory.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        note += &format!(" Drawn for {}.", shown.join(", "));
    }
    (title, note)
}
