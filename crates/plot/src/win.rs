//! The win rate at every pair of scores, with a contour at each tenth.

use hog_engine::queries::ScoreMap;

use super::best::memory_note;
use super::board::{Board, step_note};
use super::contours::contours;
use super::figure::{Figure, percent};
use super::scene::{Anchor, Path, PathMark, Stroke};
use super::theme::Look;
use super::{Caption, Picture};

/// The number of colour steps from lost to won.
const STEPS: usize = 40;

/// Draws the win rate of the player to move, by both scores.
pub fn win(look: Look, caption: &Caption, map: &ScoreMap) -> Picture {
    let (title, notes) = heading(map);
    let mut figure = Figure::new(look, caption, &title, &notes);
    let theme = figure.theme.clone();
    let goal = map.game.space().goal;
    let board = Board::in_steps(&figure, goal, map.game.rules().step);
    let grid = board.grid(|score, opponent| step(map.win_rate(score, opponent)) as i32);
    board.fill(&mut figure, &grid, |step| {
        let from = f64::from(step) / STEPS as f64;
        let to = f64::from(step + 1) / STEPS as f64;
        (theme.rate((from + to) / 2.0), format!("win rate {from:.3} to {to:.3}"))
    });
    for tenth in 1..10 {
        line_at(&mut figure, &board, map, tenth);
    }
    board.axes(&mut figure);
    legend(&mut figure, &board);
    let bottom = board.panel.bottom() + figure.below_axis();
    figure.finish(bottom)
}

fn step(rate: f64) -> usize {
    ((rate * STEPS as f64) as usize).min(STEPS - 1)
}

fn heading(map: &ScoreMap) -> (String, Vec<String>) {
    let rules = map.game.rules();
    let game = rules.called();
    let title = match (&map.strategy, &map.against) {
        (Some(strategy), Some(against)) => {
            format!("Win rate of {strategy} against {against} in {game}, to move")
        }
        (None, Some(against)) => {
            format!("Win rate of best play against {against} in {game}, to move")
        }
        _ => format!("Win rate of the player to move in {game}"),
    };
    let goal = map.game.space().goal;
    let above =
        map.win_rates.iter().filter(|rate| **rate > 0.5).count() as f64 / (goal * goal) as f64;
    let space = map.game.space();
    let (cell, _) = space.parts(map.game.start());
    let (score, opponent) = space.scores(cell);
    let mut note = format!(
        "{:.4} at {score} to {opponent}; above one half in {} of all positions. A line \
         at each tenth.",
        map.win_rate(score, opponent),
        percent(above)
    );
    note += &step_note(goal);
    (title, vec![note + &memory_note(map)])
}

/// Draws the contours of a tenth, and its number on the longest one. Very short contours are left
/// out.
fn line_at(figure: &mut Figure, board: &Board, map: &ScoreMap, tenth: usize) {
    let rate = |column: usize, row: usize| {
        let (score, opponent) = board.scores(column, row);
        map.win_rate(score, opponent)
    };
    let lines = contours(board.side(), &rate, tenth as f64 / 10.0);
    let least = (board.side() / 6).max(4);
    let mut path = Path::default();
    for line in lines.iter().filter(|line| line.len() >= least) {
        path.add(line, false);
    }
    let theme = &figure.theme;
    let width = if tenth == 5 { theme.small * 0.17 } else { theme.small * 0.08 };
    let colour = theme.ink;
    figure.add(
        PathMark::line(path, Stroke::solid(colour, width))
            .at(board.place)
            .tip(format!("win rate 0.{tenth}")),
    );
    if let Some(line) = lines.first().filter(|line| line.len() >= board.side() / 4) {
        // The position along the line varies with the tenth, so that labels are not next to each
        // other.
        let at = line[line.len() * (tenth + 3) / 16];
        board.label(figure, at, &format!("0.{tenth}"));
    }
}

/// Draws the colours as a column, from won at the top to lost at the bottom.
fn legend(figure: &mut Figure, board: &Board) {
    let theme = figure.theme.clone();
    let text = theme.text;
    let small = theme.small;
    let left = board.panel.right() + text * 1.6;
    let top = board.panel.top + text * 2.0;
    let bar = text * 1.5;
    let height = (board.panel.height - text * 2.0).min(text * 24.0);
    figure.text(
        (left, board.panel.top + text * 0.8),
        "win rate",
        text,
        true,
        Anchor::Start,
        theme.ink,
    );
    for step in 0..STEPS {
        let tall = height / STEPS as f64;
        let place = (left, top + height - (step + 1) as f64 * tall);
        figure.box_at(place, (bar, tall + 0.3), theme.rate((step as f64 + 0.5) / STEPS as f64));
    }
    for tenth in 0..=10 {
        let y = top + height * (1.0 - f64::from(tenth) / 10.0);
        let right = left + bar;
        figure.line(Path::through(&[(right, y), (right + text * 0.35, y)], false), theme.soft, 1.0);
        let shown = format!("{:.1}", f64::from(tenth) / 10.0);
        let bold = tenth == 5;
        figure.text(
            (right + text * 0.7, y + small * 0.36),
            &shown,
            small,
            bold,
            Anchor::Start,
            theme.soft,
        );
    }
}
