//! The win rate that a strategy loses at each pair of scores: by one roll, and as a share of the
//! total, side by side.

use std::collections::BTreeMap;

use hog_engine::format::{counted, thousands};
use hog_engine::queries::{Loss, Losses};

use super::board::{Board, step_note};
use super::colour::Rgb;
use super::figure::Figure;
use super::font::wrapped;
use super::legend::{ColourScale, Decades, steps};
use super::scene::Anchor;
use super::theme::{Look, Size};
use super::{Caption, Picture};

/// The number of the colour of pairs of scores that are never met; others have that of their step.
const NEVER_MET: i32 = -1;

/// The loss at a pair of scores, summed over all memories.
#[derive(Clone, Copy, Debug, Default)]
struct Lost {
    /// The expected number of visits per game.
    visits: f64,
    /// The expected loss per game.
    loss: f64,
}

/// What a map of losses shows.
#[derive(Clone, Copy)]
enum LossMeasure {
    /// The loss of one roll.
    Each,
    /// The share of the whole loss.
    Share,
}

impl LossMeasure {
    fn of(self, lost: &Lost, total: f64) -> f64 {
        match self {
            Self::Each if lost.visits > 0.0 => lost.loss / lost.visits,
            Self::Share if total > 0.0 => lost.loss / total,
            _ => 0.0,
        }
    }

    /// The heading, the name of its scale, and what the scale's numbers are multiplied by.
    fn words(self) -> (&'static str, &'static str, f64) {
        match self {
            Self::Each => ("lost each time", "win rate lost by one roll there", 1.0),
            Self::Share => ("share of all that is lost", "% of the whole loss", 100.0),
        }
    }
}

/// Draws the loss of a strategy by pair of scores: per visit, and per game.
pub fn loss(look: Look, caption: &Caption, losses: &Losses) -> Picture {
    let goal = losses.game.space().goal;
    let cells = by_cell(losses);
    let total = losses.loss().average;
    let (title, notes) = heading(losses);
    let mut figure = Figure::new(look, caption, &title, &notes);
    let worst = worst(losses, if look.size == Size::Column { 3 } else { 5 });
    let below = figure.theme.small * 5.6;
    let boards = Board::pair(&figure, goal, below);
    for (board, measure) in boards.iter().zip([LossMeasure::Each, LossMeasure::Share]) {
        let (head, name, unit) = measure.words();
        let most = cells.values().map(|lost| measure.of(lost, total)).fold(0.0, f64::max);
        let decades = Decades::below(most, 6, &[3.0, 1.0]);
        let grid = board.grid(|score, opponent| match cells.get(&(score * goal + opponent)) {
            Some(lost) if lost.visits > 0.0 => decades.step(measure.of(lost, total)) as i32,
            _ => NEVER_MET,
        });
        let colours: Vec<Rgb> = (0..decades.count())
            .map(|step| figure.theme.loss(step as f64 / (decades.count() - 1) as f64))
            .collect();
        let unvisited = figure.theme.faint;
        board.fill(&mut figure, &grid, |step| match step {
            NEVER_MET => (unvisited, "never met".into()),
            step => (colours[step as usize], decades.range(step as usize, unit)),
        });
        board.axes(&mut figure);
        let text = figure.theme.text;
        let ink = figure.theme.ink;
        let above = (board.panel.left, board.panel.top - text * 0.7);
        figure.text(above, head, text, true, Anchor::Start, ink);
        let under = board.panel.bottom() + figure.below_axis() + figure.theme.small * 0.4;
        let scale = ColourScale { name, colours: &colours, limits: &decades.shown(unit) };
        steps(&mut figure, board.panel.left, under, board.panel.width, scale);
    }
    boards[1].rings(&mut figure, &worst.iter().map(|(scores, _)| *scores).collect::<Vec<_>>());
    let bottom = boards[0].panel.bottom() + figure.below_axis() + figure.theme.small * 5.6;
    let beside = boards[1].panel.right() + figure.theme.text * 2.0;
    // On a slide there is space to the right of the maps, on a page below them.
    let ended = if figure.theme.width - beside > figure.theme.text * 12.0 {
        let top = boards[1].panel.top - figure.theme.text * 2.0;
        list(&mut figure, beside, top, &worst)
    } else {
        let left = figure.theme.margin;
        list(&mut figure, left, bottom, &worst)
    };
    figure.finish(bottom.max(ended))
}

fn by_cell(losses: &Losses) -> BTreeMap<usize, Lost> {
    let goal = losses.game.space().goal;
    let mut cells: BTreeMap<usize, Lost> = BTreeMap::new();
    for reached in &losses.explanation.reached {
        let cell = reached.position.score as usize * goal + reached.position.opponent as usize;
        let lost = cells.entry(cell).or_default();
        lost.visits += reached.average_met();
        lost.loss += reached.average_loss().max(0.0);
    }
    cells
}

fn heading(losses: &Losses) -> (String, Vec<String>) {
    let game = &losses.game;
    let title = format!(
        "What {} gives away against {} in {}",
        losses.strategy,
        losses.against,
        game.rules().called()
    );
    let costly =
        losses.explanation.reached.iter().filter(|reached| reached.average_loss() > 0.0).count();
    let note = format!(
        "It wins {:.4}, the best response {:.4}: {:.4} is lost, in {} of the {} that it meets. \
         Grey: never met.{}",
        losses.win_rate().average,
        losses.best_response().average,
        losses.loss().average,
        counted(costly as u64, "position"),
        thousands(losses.explanation.reached.len() as u64),
        step_note(game.space().goal),
    );
    let memory = if game.rules().memories.is_empty() {
        ""
    } else {
        " The maps are means and sums over all memories."
    };
    (title, vec![note + memory])
}

/// Returns the pairs of scores with the largest losses, each with a description.
fn worst(losses: &Losses, most: usize) -> Vec<((usize, usize), String)> {
    let total = losses.loss().average;
    let has_pot = losses.game.rules().pot().is_some();
    let mut found: Vec<((usize, usize), String)> = Vec::new();
    for reached in losses.explanation.reached.iter().filter(|reached| reached.average_loss() > 0.0)
    {
        let scores = (reached.position.score as usize, reached.position.opponent as usize);
        if found.len() == most || found.iter().any(|(known, _)| *known == scores) {
            continue;
        }
        let Loss { memory, dice, best, .. } =
            Loss::new(&losses.game, &losses.explanation.response, reached, None);
        let memory: String =
            memory.iter().map(|(name, value)| format!(", {name} {value}")).collect();
        let best = best.iter().map(|dice| match dice {
            0 if has_pot => "hold".into(),
            dice => dice.to_string(),
        });
        let best: Vec<String> = best.collect();
        let own = match dice {
            0 if has_pot => "holds".into(),
            dice => format!("rolls {dice}"),
        };
        let text = format!(
            "{} to {}{memory}: {own}, best {}; {} each time, met {} times a game, {} % of the loss",
            scores.0,
            scores.1,
            best.join(" or "),
            three_digits(reached.loss_each),
            three_digits(reached.average_met()),
            three_digits(100.0 * reached.average_loss() / total),
        );
        found.push((scores, text));
    }
    found
}

/// Formats a number with three significant digits.
fn three_digits(number: f64) -> String {
    let decimals = (2.0 - number.log10().floor()).max(0.0) as usize;
    format!("{number:.decimals$}")
}

/// Writes numbered lines; returns the bottom of the last one.
fn list(figure: &mut Figure, left: f64, top: f64, lines: &[((usize, usize), String)]) -> f64 {
    let text = figure.theme.text;
    let ink = figure.theme.ink;
    let soft = figure.theme.soft;
    let size = if left > figure.theme.margin { figure.theme.small } else { text };
    let room = figure.theme.width - figure.theme.margin - left - text * 1.6;
    let mut base = top;
    for (place, (_, line)) in lines.iter().enumerate() {
        base += text * 0.15;
        for (number, part) in wrapped(line, size, false, room).iter().enumerate() {
            base += size * 1.3;
            if number == 0 {
                figure.text((left, base), &(place + 1).to_string(), text, true, Anchor::Start, ink);
            }
            figure.text((left + text * 1.6, base), part, size, false, Anchor::Start, soft);
        }
    }
    base
}
