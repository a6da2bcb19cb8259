//! The win rate of each number of dice in one position, and the distribution of win rates after the
//! turn.

use hog_engine::queries::{BestAnswer, Choice};
use hog_solve::solve::Prospect;

use super::board::{DARK_INK, LIGHT_INK};
use super::figure::{Axis, Figure, Panel, signed};
use super::scene::{Anchor, Dots, Path, PathMark, Stroke};
use super::theme::{Look, Size};
use super::{Caption, Picture};

/// The number of bins of the win rate after the turn.
const BINS: usize = 50;

/// Draws the win rate of each number of dice in a position, and the distribution of win rates after
/// the turn: `prospects` has that of each choice.
pub fn choices(
    look: Look,
    caption: &Caption,
    answer: &BestAnswer,
    prospects: &[Vec<Prospect>],
) -> Picture {
    let (title, notes) = heading(answer);
    let mut figure = Figure::new(look, caption, &title, &notes);
    let theme = figure.theme.clone();
    let text = theme.text;
    let count = answer.choices.len() as f64;
    let top = figure.top + text * 1.9;
    let room = figure.room_below().map(|room| room - text * 1.9 - figure.below_axis());
    let row =
        room.map_or(text * if look.size == Size::Column { 2.0 } else { 2.4 }, |room| room / count);
    let left = theme.margin + text * 3.6;
    let across = theme.width - theme.margin - left;
    let gap = text * 1.5;
    let rates = rate_range(&answer.choices);
    let split = across * 0.42;
    let left_panel = Panel::new((left, top), (split, row * count), rates, (count, 0.0));
    let beside = (left + split + gap, top);
    let right_panel =
        Panel::new(beside, (across - split - gap, row * count), (0.0, 1.0), (count, 0.0));
    let head = top - text * 0.7;
    figure.text((theme.margin, head), "dice", text, true, Anchor::Start, theme.ink);
    figure.text((left, head), "win rate", text, true, Anchor::Start, theme.ink);
    let name = if look.size == Size::Column {
        "what follows"
    } else {
        "how likely each win rate follows the turn"
    };
    figure.text((beside.0, head), name, text, true, Anchor::Start, theme.ink);
    figure.x_axis(&left_panel, &Axis::round("win rate, best play after", left_panel.x, 4));
    figure.x_axis(&right_panel, &Axis::round("win rate after the turn", right_panel.x, 5));
    for (place, (choice, after)) in answer.choices.iter().zip(prospects).enumerate() {
        let middle = top + (place as f64 + 0.5) * row;
        let best = answer.best.contains(&choice.dice);
        let ink = if best { theme.ink } else { theme.soft };
        let shown = signed(f64::from(choice.dice), 0);
        figure.text(
            (theme.margin + text * 2.2, middle + text * 0.36),
            &shown,
            text,
            best,
            Anchor::End,
            ink,
        );
        lollipop(&mut figure, &left_panel, choice, middle, best);
        let above = top + place as f64 * row;
        distribution(&mut figure, &right_panel, after, above, row);
    }
    let bottom = left_panel.bottom() + figure.below_axis();
    figure.finish(bottom)
}

fn heading(answer: &BestAnswer) -> (String, Vec<String>) {
    let BestAnswer { rules, score, opponent, win_rate, .. } = answer;
    let best: Vec<String> = answer.best.iter().map(ToString::to_string).collect();
    let mut title =
        format!("What each number of dice is worth at {score} to {opponent} in {rules}");
    if let Some(against) = &answer.against {
        title += &format!(" against {against}");
    }
    let mut note = format!("Best: {}, which wins {win_rate:.6}.", best.join(" or "));
    let others = answer.choices.iter().filter(|choice| !answer.best.contains(&choice.dice));
    if let Some(next) = others.max_by(|a, b| a.win_rate.total_cmp(&b.win_rate)) {
        note += &format!(" Next best: {}, {:.6} less.", next.dice, win_rate - next.win_rate);
    }
    let memory = answer.memory.iter().map(|(name, value)| format!("{name} = {value}"));
    let memory: Vec<String> = memory.collect();
    if !memory.is_empty() {
        note += &format!(" With {}.", memory.join(", "));
    }
    (title, vec![note])
}

/// Returns the range of the win rates, with some padding.
fn rate_range(choices: &[Choice]) -> (f64, f64) {
    let rates: Vec<f64> = choices.iter().map(|choice| choice.win_rate).collect();
    let least = rates.iter().copied().fold(1.0, f64::min);
    let most = rates.iter().copied().fold(0.0, f64::max);
    let padding = ((most - least) * 0.08).max(1e-4);
    (least - padding, most + padding * 3.0)
}

fn lollipop(figure: &mut Figure, panel: &Panel, choice: &Choice, y: f64, best: bool) {
    let theme = figure.theme.clone();
    let x = panel.x.at(choice.win_rate);
    let colour = if best { theme.accent } else { theme.soft };
    let width = if best { theme.small * 0.28 } else { theme.small * 0.14 };
    figure.line(Path::through(&[(panel.left, y), (x, y)], false), colour, width);
    let tip = Some(format!("{} dice: {}", choice.dice, choice.win_rate));
    let radius = if best { theme.small * 0.5 } else { theme.small * 0.34 };
    figure.dots(Dots { centres: vec![(x, y)], radius, fill: colour, rim: None, tip });
    let shown = format!("{:.4}", choice.win_rate);
    let right = x + theme.small * 4.2 < panel.right() + theme.text;
    let (at, anchor) = if right {
        (x + theme.small * 0.8, Anchor::Start)
    } else {
        (x - theme.small * 0.8, Anchor::End)
    };
    let ink = if best { theme.ink } else { theme.soft };
    let y = if right { y + theme.small * 0.36 } else { y - theme.small * 0.35 };
    figure.text((at, y), &shown, theme.small, best, anchor, ink);
}

/// Draws the distribution of the win rate after the turn: bars in the colours of their win rates,
/// scaled to the height of the row, and a line at the mean.
fn distribution(figure: &mut Figure, panel: &Panel, after: &[Prospect], top: f64, row: f64) {
    let theme = figure.theme.clone();
    let mut bins = [0.0; BINS];
    for prospect in after {
        bins[((prospect.win_rate * BINS as f64) as usize).min(BINS - 1)] += prospect.chance;
    }
    let most = bins.iter().copied().fold(0.0, f64::max);
    let base = top + row * 0.94;
    let tall = row * 0.8;
    let each = panel.width / BINS as f64;
    figure.line(
        Path::through(&[(panel.left, base), (panel.right(), base)], false),
        theme.faint,
        1.0,
    );
    for (place, chance) in bins.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        // Square roots keep small chances visible.
        let height = (chance / most).sqrt() * tall;
        let rate = (place as f64 + 0.5) / BINS as f64;
        let column = Path::rectangle(
            (panel.left + place as f64 * each, base - height),
            (each * 0.88, height),
        );
        let colour = theme.rate(rate).toward(theme.ink, 0.25);
        let tip = format!("{:.2} to {:.2}: chance {chance:.4}", rate - 0.01, rate + 0.01);
        figure.add(PathMark::filled(column, colour).tip(tip));
    }
    let mean: f64 = after.iter().map(|prospect| prospect.win_rate * prospect.chance).sum();
    let x = panel.x.at(mean);
    let ink = theme.paper.more_readable(DARK_INK, LIGHT_INK);
    let line = Path::through(&[(x, base - tall), (x, base)], false);
    figure.add(PathMark::line(line, Stroke::solid(ink, theme.small * 0.14)));
}
