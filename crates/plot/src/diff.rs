//! Where two strategies or tables choose different numbers of dice.

use hog_engine::format::counted;
use hog_engine::queries::ScoreMap;

use super::best::memory_note;
use super::board::{Board, step_note};
use super::colour::Rgb;
use super::figure::{Figure, percent};
use super::legend::LegendEntry;
use super::theme::{Look, Theme};
use super::{Caption, Picture};

/// How the second map's roll differs from the first's.
#[derive(Clone, Copy, Debug)]
enum RollDifference {
    /// Some roll is among the best in both.
    None,
    OnlyFirstZero,
    OnlySecondZero,
    /// At least three dice fewer; `Fewer` is one or two, and `More` and `FarMore` are the same in
    /// the other direction.
    FarFewer,
    Fewer,
    More,
    FarMore,
}

use RollDifference::{FarFewer, FarMore, Fewer, More, OnlyFirstZero, OnlySecondZero};

/// All differences by their number, in the order of the legend.
const ALL: [RollDifference; 7] =
    [RollDifference::None, OnlyFirstZero, OnlySecondZero, FarFewer, Fewer, More, FarMore];

impl RollDifference {
    fn of(maps: [&ScoreMap; 2], score: usize, opponent: usize) -> Self {
        let [first, second] = maps.map(|map| map.dice(score, opponent));
        if maps[0].set(score, opponent) & maps[1].set(score, opponent) != 0 {
            return Self::None;
        }
        match (first, second) {
            (0, _) => OnlyFirstZero,
            (_, 0) => OnlySecondZero,
            _ if second <= first - 3 => FarFewer,
            _ if second < first => Fewer,
            _ if second < first + 3 => More,
            _ => FarMore,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::None => "same",
            OnlyFirstZero => "only A zero",
            OnlySecondZero => "only B zero",
            FarFewer => "B 3+ fewer",
            Fewer => "B 1–2 fewer",
            More => "B 1–2 more",
            FarMore => "B 3+ more",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::None => "the same, or equally good",
            OnlyFirstZero => "only A rolls zero dice",
            OnlySecondZero => "only B rolls zero dice",
            FarFewer => "B rolls three or more dice fewer",
            Fewer => "B rolls one or two dice fewer",
            More => "B rolls one or two dice more",
            FarMore => "B rolls three or more dice more",
        }
    }

    fn colour(self, theme: &Theme) -> Rgb {
        match self {
            Self::None => theme.paper.toward(theme.ink, 0.07),
            OnlyFirstZero => theme.ink,
            OnlySecondZero => theme.other,
            FarFewer => theme.rate(0.12),
            Fewer => theme.rate(0.33),
            More => theme.rate(0.67),
            FarMore => theme.rate(0.88),
        }
    }
}

/// Draws where the rolls of two maps of one game differ. Positions where some roll is among the
/// best in both count as equal.
pub fn diff(look: Look, caption: &Caption, maps: [&ScoreMap; 2]) -> Picture {
    let game = &maps[0].game;
    let goal = game.space().goal;
    let [first, second] = maps.map(|map| match (&map.strategy, &map.against) {
        (Some(strategy), _) => strategy.clone(),
        (None, Some(against)) => format!("beat:{against}"),
        (None, None) => "optimal".into(),
    });
    let differing =
        (0..goal * goal).filter(|cell| maps[0].best[*cell] & maps[1].best[*cell] == 0).count();
    let title = format!("Where {first} and {second} roll differently in {}", game.rules().called());
    let note = format!(
        "A: {first}. B: {second}. They differ in {} ({}).{}{}",
        counted(differing as u64, "position"),
        percent(differing as f64 / (goal * goal) as f64),
        step_note(goal),
        memory_note(maps[0]),
    );
    let mut figure = Figure::new(look, caption, &title, &[note]);
    let theme = figure.theme.clone();
    let board = Board::alone(&figure, goal);
    let grid = board.grid(|score, opponent| RollDifference::of(maps, score, opponent) as i32);
    board.fill(&mut figure, &grid, |kind| {
        let kind = ALL[kind as usize];
        (kind.colour(&theme), kind.description().into())
    });
    board.axes(&mut figure);
    let counts = grid.counts();
    let entries = ALL.map(|kind| LegendEntry {
        label: kind.name().into(),
        colour: kind.colour(&theme),
        count: counts.get(&(kind as i32)).copied().unwrap_or(0),
    });
    board.finish(figure, "rolls", &entries)
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn differences_are_listed_by_their_numbers() {
        assert_eq!(ALL.map(|difference| difference as usize), [0, 1, 2, 3, 4, 5, 6]);
    }
}
