//! The distribution of the number of turns in a game, for several pairs of players.

use super::figure::{Axis, Figure, Panel};
use super::scene::{Anchor, Dots, Path, PathMark, Stroke, TextLine};
use super::theme::{Look, Size};
use super::{Caption, Picture, Rgb};

/// The lengths of games between two players.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLengths {
    /// A description of the players.
    pub players: String,
    /// The chances that a game takes 1, 2, 3, ... turns of both players together.
    pub chances: Vec<f64>,
}

impl GameLengths {
    /// Returns the mean length of the games that end.
    pub fn mean(&self) -> f64 {
        let ended: f64 = self.chances.iter().sum();
        let sum: f64 = self
            .chances
            .iter()
            .enumerate()
            .map(|(place, chance)| (place + 1) as f64 * chance)
            .sum();
        if ended > 0.0 { sum / ended } else { 0.0 }
    }

    /// Returns the smallest number of turns within which all but a share of the games that end are
    /// over.
    fn all_but(&self, share: f64) -> usize {
        let ended: f64 = self.chances.iter().sum();
        let mut sum = 0.0;
        let enough = self.chances.iter().position(|chance| {
            sum += chance;
            sum >= ended * (1.0 - share)
        });
        enough.map_or(self.chances.len(), |place| place + 1)
    }
}

/// Draws the number of turns in a game: one curve for each pair of players.
pub fn length(look: Look, caption: &Caption, id: &str, games: &[GameLengths]) -> Picture {
    let means: Vec<String> =
        games.iter().map(|game| format!("{} {:.1}", game.players, game.mean())).collect();
    let note = format!("Turns of both players together; mean: {}.", means.join(", "));
    let mut figure = Figure::new(look, caption, &format!("How long a game of {id} lasts"), &[note]);
    let theme = figure.theme.clone();
    let left = theme.margin + figure.beside_axis("0.00");
    let across = theme.width - theme.margin - left;
    let room = figure.room_below().map(|room| room - figure.below_axis());
    let tall = room.unwrap_or(across * if look.size == Size::Column { 0.62 } else { 0.5 });
    let turns = games.iter().map(|game| game.all_but(0.002)).max().unwrap_or(1).max(2);
    let most =
        games.iter().flat_map(|game| game.chances.iter().copied()).fold(0.0, f64::max).max(1e-9);
    let span = (0.0, turns as f64 + 0.5);
    let panel = Panel::new((left, figure.top), (across, tall), span, (0.0, most * 1.12));
    figure.y_axis(&panel, &Axis::round("chance", panel.y, 5));
    figure.x_axis(&panel, &Axis::whole("turns of the game", panel.x, 10).without_lines());
    let colours = [theme.accent, theme.second, theme.other, theme.soft];
    for (game, colour) in games.iter().zip(colours.iter().cycle()) {
        curve(&mut figure, &panel, game, *colour);
    }
    names(&mut figure, &panel, games, &colours);
    let bottom = panel.bottom() + figure.below_axis();
    figure.finish(bottom)
}

fn curve(figure: &mut Figure, panel: &Panel, game: &GameLengths, colour: Rgb) {
    let small = figure.theme.small;
    let shown = game
        .chances
        .iter()
        .enumerate()
        .take_while(|(place, _)| (place + 1) as f64 <= panel.x.from.1);
    let points: Vec<(f64, f64)> =
        shown.map(|(place, chance)| panel.at(((place + 1) as f64, *chance))).collect();
    let line = PathMark::line(Path::through(&points, false), Stroke::solid(colour, small * 0.2));
    figure.add(line.tip(format!("{}: {:.2} turns on average", game.players, game.mean())));
    let radius = (small * 0.3).min(panel.width / points.len().max(1) as f64 * 0.3);
    figure.dots(Dots { centres: points, radius, fill: colour, rim: None, tip: None });
    let mean = panel.x.at(game.mean());
    let line = Path::through(&[(mean, panel.top), (mean, panel.bottom())], false);
    figure.add(PathMark::line(line, Stroke { colour, width: 1.0, dash: Some([3.0, 3.0]) }));
}

/// Writes the players in the colours of their curves, in the upper right corner, where the curves
/// are low.
fn names(figure: &mut Figure, panel: &Panel, games: &[GameLengths], colours: &[Rgb]) {
    let size = figure.theme.text;
    let paper = figure.theme.paper;
    for (place, (game, fill)) in games.iter().zip(colours.iter().cycle()).enumerate() {
        let x = panel.right();
        let y = panel.top + size * (1.1 + 1.5 * place as f64);
        let text = game.players.clone();
        let bold = true;
        let anchor = Anchor::End;
        let fill = *fill;
        let halo = Some(paper);
        figure.push_text(TextLine { x, y, text, size, bold, anchor, fill, vertical: false, halo });
    }
}

#[cfg(test)]
mod tests {
    use super::GameLengths;

    #[test]
    fn only_games_that_end_count() {
        let games = GameLengths { players: String::new(), chances: vec![0.0, 0.25, 0.5, 0.15] };
        assert!((games.mean() - (0.5 + 1.5 + 0.6) / 0.9).abs() < 1e-12);
        assert_eq!([games.all_but(0.0), games.all_but(0.2), games.all_but(0.9)], [4, 3, 2]);
    }
}
