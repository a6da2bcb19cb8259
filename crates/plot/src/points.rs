//! The distribution of a turn's points for each number of dice, as small multiples.

use hog_engine::queries::GivenPosition;
use hog_engine::queries::TurnPoints;

use super::best::rolled;
use super::figure::{Figure, Panel, percent, signed};
use super::scene::{Anchor, Path, PathMark, Stroke};
use super::theme::{Look, Size};
use super::{Caption, Picture};

/// The axes of the panels end at the largest points whose chance, for some number of dice, is at
/// least `RARE`, or at least `LOW` times the panel's height.
const RARE: f64 = 0.0005;
const LOW: f64 = 0.03;

/// Draws the distribution of the points of one turn, for every number of dice, in one position.
pub fn points(
    look: Look,
    caption: &Caption,
    id: &str,
    position: &GivenPosition,
    turns: &[TurnPoints],
) -> Picture {
    let shown: Vec<&TurnPoints> = turns.iter().filter(|turn| turn.dice > 0).collect();
    let title = format!("Points of one turn in {id}, by the number of dice");
    let mut figure = Figure::new(look, caption, &title, &notes(position, turns));
    let columns = if look.size == Size::Column { 2 } else { 5 }.min(shown.len().max(1));
    let rows = shown.len().div_ceil(columns).max(1);
    let most = shown.iter().flat_map(|turn| common(turn)).max().unwrap_or(1).max(6);
    let theme = figure.theme.clone();
    let gap = theme.text * 1.3;
    let above = theme.text * 1.9;
    let beside = figure.beside_axis("") - theme.text * 1.2;
    let across =
        (theme.width - 2.0 * theme.margin - beside - gap * (columns - 1) as f64) / columns as f64;
    let fixed = figure
        .room_below()
        .map(|room| (room - figure.below_axis()) / rows as f64 - above - theme.small * 1.8);
    let tall = fixed.unwrap_or(across * if look.size == Size::Column { 0.4 } else { 0.8 });
    let mut bottom = figure.top;
    for (place, turn) in shown.iter().enumerate() {
        let column = place % columns;
        let row = place / columns;
        let left = theme.margin + beside + column as f64 * (across + gap);
        let top = figure.top + above + row as f64 * (tall + above + theme.small * 1.8);
        let panel = Panel::new(
            (left, top),
            (across, tall),
            (-0.5, f64::from(most) + 0.5),
            (0.0, height(turn)),
        );
        histogram(&mut figure, &panel, turn);
        bottom = bottom.max(panel.bottom());
    }
    let middle = (theme.margin + theme.width - theme.margin) / 2.0;
    let base = bottom + theme.small * 1.7 + theme.text * 1.3;
    figure.text(
        (middle, base),
        "points of the turn",
        theme.text,
        false,
        Anchor::Middle,
        theme.soft,
    );
    figure.finish(base + theme.text * 0.3)
}

fn notes(position: &GivenPosition, turns: &[TurnPoints]) -> Vec<String> {
    let GivenPosition { score, opponent, .. } = position;
    let mut note = format!("At {score} to {opponent}, before rules on totals.");
    for turn in turns.iter().filter(|turn| turn.dice == 0) {
        match turn.chances.iter().next() {
            Some((points, _)) if turn.chances.len() == 1 => {
                note += &format!(" Zero dice score {points}.")
            }
            _ => note += &format!(" Zero dice score {:.2} on average.", turn.mean()),
        }
    }
    let thrown = turns.iter().filter(|turn| turn.dice > 0);
    if let Some(most) = thrown.max_by(|a, b| a.mean().total_cmp(&b.mean())) {
        note += &format!(" Most points on average: {}, {:.2}.", rolled(most.dice), most.mean());
    }
    note += " Line: mean. Each panel has its own height.";
    vec![note]
}

/// Returns the points that are likely enough to be visible.
fn common(turn: &TurnPoints) -> impl Iterator<Item = u32> {
    let least = RARE.min(LOW * height(turn));
    turn.chances.iter().filter(move |(_, chance)| **chance >= least).map(|(points, _)| *points)
}

/// Returns the largest chance that a panel shows. A single bar much higher than the others is cut
/// and labelled.
fn height(turn: &TurnPoints) -> f64 {
    let mut chances: Vec<f64> = turn.chances.values().copied().collect();
    chances.sort_by(|a, b| b.total_cmp(a));
    match chances[..] {
        [first, second, ..] if first > 1.8 * second => second * 1.5,
        [first, ..] => first * 1.15,
        [] => 1.0,
    }
}

/// Draws a line across a bar, which shows that it is cut, and beside it how high it is.
fn mark_cut(figure: &mut Figure, right: f64, y: f64, bar: f64, shown: &str) {
    let theme = figure.theme.clone();
    let across = [(right - bar * 1.6, y + 3.0), (right + bar * 0.8, y - 3.0)];
    figure.line(Path::through(&across, false), theme.paper, 2.0);
    let beside = (right + theme.small * 0.5, y);
    figure.text(beside, shown, theme.small, true, Anchor::Start, theme.accent);
}

fn histogram(figure: &mut Figure, panel: &Panel, turn: &TurnPoints) {
    let theme = figure.theme.clone();
    let text = theme.text;
    let small = theme.small;
    let name = rolled(turn.dice);
    figure.text((panel.left, panel.top - text * 0.5), &name, text, true, Anchor::Start, theme.ink);
    let mean = format!("mean {:.2}", turn.mean());
    figure.text(
        (panel.right(), panel.top - text * 0.5),
        &mean,
        small,
        false,
        Anchor::End,
        theme.soft,
    );
    let bar = panel.width / (panel.x.from.1 - panel.x.from.0);
    let most = panel.y.from.1;
    let mut bars = Path::default();
    let mut cut = None;
    for (points, chance) in
        turn.chances.iter().filter(|(points, _)| f64::from(**points) <= panel.x.from.1)
    {
        let left = panel.x.at(f64::from(*points)) - bar * 0.42;
        let right = panel.x.at(f64::from(*points)) + bar * 0.42;
        let top = panel.y.at(chance.min(most));
        bars.add(
            &[(left, panel.bottom()), (left, top), (right, top), (right, panel.bottom())],
            true,
        );
        cut = cut.or((*chance > most).then_some((right, *points, *chance)));
    }
    let fill = theme.accent;
    figure.add(PathMark::filled(bars, fill));
    if let Some((right, points, chance)) = cut {
        let y = panel.top + small * 0.9;
        mark_cut(figure, right, y, bar, &format!("{points}: {}", percent(chance)));
    }
    let mean = panel.x.at(turn.mean());
    let line = Path::through(&[(mean, panel.top + small * 1.4), (mean, panel.bottom())], false);
    figure.add(PathMark::line(line, Stroke::solid(theme.second, small * 0.16)));
    axes(figure, panel, turn);
}

/// Draws the axis of points with its ticks, and one line of chances.
fn axes(figure: &mut Figure, panel: &Panel, turn: &TurnPoints) {
    let theme = figure.theme.clone();
    let small = theme.small;
    let most = panel.y.from.1;
    let mean = panel.x.at(turn.mean());
    figure.line(
        Path::through(&[(panel.left, panel.bottom()), (panel.right(), panel.bottom())], false),
        theme.soft,
        1.0,
    );
    for tick in panel.x.whole_ticks(4) {
        let x = panel.x.at(tick);
        let down = panel.bottom() + small * 0.35;
        let shown = signed(tick, 0);
        figure.line(Path::through(&[(x, panel.bottom()), (x, down)], false), theme.soft, 1.0);
        figure.text(
            (x, panel.bottom() + small * 1.4),
            &shown,
            small,
            false,
            Anchor::Middle,
            theme.soft,
        );
    }
    if let Some(tick) = panel.y.ticks(4).into_iter().rfind(|tick| *tick > 0.0 && *tick < most * 0.8)
    {
        let y = panel.y.at(tick);
        let line = Path::through(&[(panel.left, y), (panel.right(), y)], false);
        let dash = Some([2.0, 3.0]);
        figure.add(PathMark::line(line, Stroke { colour: theme.faint, width: 1.0, dash }));
        // Next to the mean's line if bars are in the way.
        let beside = panel.right() - small * 4.0..panel.right();
        let crowded = turn.chances.iter().any(|(points, chance)| {
            *chance > tick && beside.contains(&panel.x.at(f64::from(*points)))
        });
        let (x, anchor) = if crowded {
            (mean + small * 0.5, Anchor::Start)
        } else {
            (panel.right(), Anchor::End)
        };
        let at = (x, y - small * 0.3);
        // Ticks are round numbers: trailing zeros are removed.
        let shown = format!("{:.4}", tick * 100.0);
        let shown = format!("{} %", shown.trim_end_matches('0').trim_end_matches('.'));
        figure.text(at, &shown, small, false, anchor, theme.soft);
    }
}
