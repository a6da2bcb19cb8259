//! Many games on one page: the first player's win rate, win rates against the baseline, and the
//! rolls of best play.

use hog_engine::format::counted;
use hog_engine::queries::WinRates;
use hog_engine::queries::{SurveyAnswer, SurveyRow};

use super::figure::{Figure, Panel, percent, signed};
use super::font::{shortened, width};
use super::scene::{Anchor, Dots, Path, PathMark, Stroke};
use super::theme::{Look, Theme};
use super::{Caption, Picture};

/// The columns of the page.
struct SurveyPanels {
    /// The first player's win rate.
    first: Panel,
    /// Win rates against the baseline.
    baseline: Panel,
    /// Shares of positions by number of dice.
    rolls: Panel,
    /// The height of a line.
    line: f64,
}

/// Draws one line for each game, under the headings of the survey's table.
pub fn survey(look: Look, caption: &Caption, view: &SurveyAnswer) -> Picture {
    let title = format!("{} of Hog at a glance", counted(view.games.len() as u64, "game"));
    let mut figure = Figure::new(look, caption, &title, &notes(view));
    let text = figure.theme.text;
    let margin = figure.theme.margin;
    let small = figure.theme.small;
    let groups = view.groups();
    let line = text * 1.45;
    let height = line * (view.games.len() as f64 + 1.35 * groups.len() as f64);
    let columns = columns(&figure, view, line, height);
    heads(&mut figure, &columns);
    let mut top = columns.first.top;
    for group in groups {
        top += line * 0.35;
        let ink = figure.theme.soft;
        let shown = shortened(group, small, true, columns.first.right() - margin);
        figure.text((margin, top + line * 0.7), &shown, small, true, Anchor::Start, ink);
        top += line;
        for row in view.of(group) {
            game_line(&mut figure, &columns, row, top + line / 2.0);
            top += line;
        }
    }
    let bottom = legend(&mut figure, &columns, top + text * 1.2);
    figure.finish(bottom)
}

fn notes(view: &SurveyAnswer) -> Vec<String> {
    let mut firsts: Vec<&SurveyRow> = view.games.iter().collect();
    firsts.sort_by(|a, b| a.win_rate.first.total_cmp(&b.win_rate.first));
    let Some((least, most)) = firsts.first().zip(firsts.last()) else { return Vec::new() };
    let mut note = format!(
        "Moving first wins from {:.3} ({}) to {:.3} ({}) if both play to win.",
        least.win_rate.first, least.rules, most.win_rate.first, most.rules
    );
    if view.games.iter().any(|row| row.best_dice.iter().any(|share| share.dice < 0)) {
        note += " Grey: moves below zero dice.";
    }
    vec![note]
}

fn columns(figure: &Figure, view: &SurveyAnswer, line: f64, height: f64) -> SurveyPanels {
    let theme = &figure.theme;
    let text = theme.text;
    let margin = theme.margin;
    let names = view.games.iter().map(|row| width(&row.rules, text, true)).fold(0.0, f64::max);
    let left = margin + names.max(text * 6.0) + text * 1.6;
    let across = theme.width - margin - left;
    let gap = text * 2.6;
    let top = figure.top + text * 3.4;
    let firsts: Vec<f64> = view.games.iter().map(|row| row.win_rate.first).collect();
    let lowest = firsts.iter().copied().fold(0.48, f64::min) - 0.005;
    let highest = firsts.iter().copied().fold(0.52, f64::max) + 0.005;
    let least = against(view).fold(0.5, f64::min);
    let unit = (across - 2.0 * gap) / 10.0;
    let whole = (0.0, 1.0);
    let first = Panel::new((left, top), (2.7 * unit, height), (lowest, highest), whole);
    let place = (first.right() + gap, top);
    let baseline = Panel::new(place, (3.5 * unit, height), (least, 1.0), whole);
    let place = (baseline.right() + gap, top);
    let rolls = Panel::new(place, (3.8 * unit, height), whole, whole);
    SurveyPanels { first, baseline, rolls, line }
}

fn against(view: &SurveyAnswer) -> impl Iterator<Item = f64> {
    let rates = view.games.iter().flat_map(|row| [row.equilibrium, row.best_response]);
    rates.flatten().map(|rate| rate.average)
}

/// Draws the names of the columns, and vertical lines at their ticks.
fn heads(figure: &mut Figure, columns: &SurveyPanels) {
    let theme = figure.theme.clone();
    let text = theme.text;
    let small = theme.small;
    let names = [
        (&columns.first, "first player's win rate", 3, 2),
        (&columns.baseline, "against the baseline", 5, 1),
        (&columns.rolls, "what best play rolls", 4, 0),
    ];
    for (panel, name, about, decimals) in names {
        let shown = shortened(name, text, true, panel.width + text);
        figure.text(
            (panel.left, panel.top - text * 2.1),
            &shown,
            text,
            true,
            Anchor::Start,
            theme.ink,
        );
        for tick in panel.x.ticks(about) {
            let x = panel.x.at(tick);
            let half = (tick - 0.5).abs() < 1e-9 && decimals > 0;
            let colour = if half { theme.soft } else { theme.faint };
            figure.line(Path::through(&[(x, panel.top), (x, panel.bottom())], false), colour, 1.0);
            let shown = if decimals == 0 { percent(tick) } else { signed(tick, decimals) };
            figure.text(
                (x, panel.top - text * 0.5),
                &shown,
                small,
                half,
                Anchor::Middle,
                theme.soft,
            );
        }
    }
}

fn game_line(figure: &mut Figure, columns: &SurveyPanels, row: &SurveyRow, middle: f64) {
    let theme = figure.theme.clone();
    let text = theme.text;
    let margin = theme.margin;
    figure.text(
        (margin + text * 0.8, middle + text * 0.36),
        &row.rules,
        text,
        false,
        Anchor::Start,
        theme.ink,
    );
    let half = columns.first.x.at(0.5);
    let x = columns.first.x.at(row.win_rate.first);
    let tall = columns.line * 0.5;
    let colour = if row.win_rate.first < 0.5 { theme.second } else { theme.accent };
    let bar =
        Path::rectangle((half.min(x), middle - tall / 2.0), ((x - half).abs().max(1.0), tall));
    let tip =
        format!("{} ({}): the first player wins {:.10}", row.title, row.rules, row.win_rate.first);
    figure.add(PathMark::filled(bar, colour).tip(tip));
    if let Some((equilibrium, response)) = row.equilibrium.zip(row.best_response) {
        dumbbell(figure, columns, &row.rules, middle, [equilibrium, response]);
    } else {
        let at = (columns.baseline.left + text * 0.5, middle + text * 0.32);
        figure.text(at, "no baseline", theme.small, false, Anchor::Start, theme.soft);
    }
    stack(figure, columns, row, middle);
}

/// Draws a line from the win rate of equilibrium play to that of the best response.
fn dumbbell(figure: &mut Figure, columns: &SurveyPanels, id: &str, y: f64, rates: [WinRates; 2]) {
    let theme = figure.theme.clone();
    let [from, to] = rates.map(|rate| columns.baseline.x.at(rate.average));
    figure.line(Path::through(&[(from, y), (to, y)], false), theme.soft, theme.small * 0.14);
    let kinds = [(from, theme.accent, "equilibrium play"), (to, theme.second, "best response")];
    for ((x, fill, name), rate) in kinds.into_iter().zip(rates) {
        let tip = Some(format!("{id}: {name} wins {:.10} against the baseline", rate.average));
        figure.dots(Dots {
            centres: vec![(x, y)],
            radius: theme.small * 0.38,
            fill,
            rim: None,
            tip,
        });
    }
}

/// Draws a stacked bar of the shares of positions by number of dice.
fn stack(figure: &mut Figure, columns: &SurveyPanels, row: &SurveyRow, middle: f64) {
    let theme = figure.theme.clone();
    let tall = columns.line * 0.72;
    let most = row.best_dice.iter().map(|share| share.dice).max().unwrap_or(10);
    let mut from = 0.0;
    for share in &row.best_dice {
        let left = columns.rolls.x.at(from);
        let right = columns.rolls.x.at(from + share.share);
        let bar = Path::rectangle((left, middle - tall / 2.0), (right - left, tall));
        let tip = format!(
            "{}: {} dice in {}",
            row.rules,
            signed(f64::from(share.dice), 0),
            percent(share.share)
        );
        figure.add(PathMark::filled(bar, theme.dice(share.dice, most)).tip(tip));
        from += share.share;
    }
    let frame =
        Path::rectangle((columns.rolls.left, middle - tall / 2.0), (columns.rolls.width, tall));
    figure.add(PathMark::line(frame, Stroke::solid(theme.faint, 0.6)));
}

/// Draws what dots and colours mean; returns the bottom of the legend.
fn legend(figure: &mut Figure, columns: &SurveyPanels, top: f64) -> f64 {
    let theme = figure.theme.clone();
    let text = theme.text;
    let small = theme.small;
    let mut left = columns.baseline.left;
    let mut base = top + small;
    for (colour, name) in [(theme.accent, "equilibrium play"), (theme.second, "best response")] {
        let centres = vec![(left + small * 0.4, base - small * 0.35)];
        figure.dots(Dots { centres, radius: small * 0.38, fill: colour, rim: None, tip: None });
        figure.text((left + small * 1.2, base), name, small, false, Anchor::Start, theme.soft);
        base += small * 1.5;
        left = columns.baseline.left;
    }
    dice_keys(figure, columns, top, &theme);
    let entries =
        [(theme.accent, "moving first is better"), (theme.second, "moving second is better")];
    for (place, (colour, name)) in entries.into_iter().enumerate() {
        let y = top + place as f64 * small * 1.5;
        figure.box_at((columns.first.left, y + small * 0.25), (small, small * 0.8), colour);
        figure.text(
            (columns.first.left + small * 1.5, y + small),
            name,
            small,
            false,
            Anchor::Start,
            theme.soft,
        );
    }
    base + text * 0.2
}

fn dice_keys(figure: &mut Figure, columns: &SurveyPanels, top: f64, theme: &Theme) {
    let each = columns.rolls.width / 11.0;
    for dice in 0..=10 {
        let left = columns.rolls.left + f64::from(dice) * each;
        figure.box_at((left, top), (each + 0.3, theme.small * 1.1), theme.dice(dice, 10));
        let at = (left + each / 2.0, top + theme.small * 2.4);
        figure.text(at, &dice.to_string(), theme.small, false, Anchor::Middle, theme.soft);
    }
}
