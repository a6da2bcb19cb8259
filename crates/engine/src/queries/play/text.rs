//! The text of `hog play`: turns, scores, hints, the end of a game, and drawings of dice and
//! scores.

use std::io::{self, Write};

use super::super::Step;
use super::{PlayBids, PlayEnd, PlayEvent, PlayHints, PlayScores, PlayStart, PlayTurn};
use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, bar, columns_of, counted, padded, paint};
use crate::sim::session::Finish;
use crate::sim::{Hint, RollGrade, Summary};

impl PlayTurn {
    /// Returns a sentence that says who rolled how many dice, and the scores after the turn.
    pub fn headline(&self) -> String {
        let dice = match (self.dice, self.keep.is_empty()) {
            (_, false) => self.dice_kept(),
            (1, _) => "1 die".to_owned(),
            (dice, _) => format!("{dice} dice"),
        };
        let kept =
            self.kept.iter().map(|(name, value)| format!("{} {value}", name.replace('_', " ")));
        let points = match self.points {
            1 => "1 point".to_owned(),
            _ if self.is_part_of_a_turn() => kept.collect::<Vec<_>>().join(", "),
            points => format!("{points} points"),
        };
        let again = if self.again { ", and moves again" } else { "" };
        format!("{}: {dice}, {points}, {} to {}{again}", self.name, self.scores[0], self.scores[1])
    }

    /// Returns which dice of the roll were kept.
    fn dice_kept(&self) -> String {
        let kept = self.keep.iter().filter(|face| **face > 0).map(u32::to_string);
        let kept: Vec<String> = kept.collect();
        let rolled = counted(self.faces.len() as u64, "die").replace("dies", "dice");
        match kept.is_empty() {
            true => format!("{rolled}, keeps nothing"),
            false => format!("{rolled}, keeps {}", kept.join(" ")),
        }
    }

    /// Returns the steps without the roll, whose dice are drawn.
    pub fn shown_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.rule != "Roll")
    }
}

impl Text for PlayTurn {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, self.headline()))?;
        for row in dice_drawn(&self.faces) {
            writeln!(out, "  {row}")?;
        }
        for step in self.shown_steps() {
            writeln!(out, "  {}  {}", paint(FAINT, &step.rule), step.text)?;
        }
        if let Some(remark) = &self.remark {
            writeln!(out, "  {}", paint(if self.loss == Some(0.0) { BEST } else { LOSS }, remark))?;
        }
        Ok(())
    }
}

impl Text for PlayStart {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, goal, names: [first, second], seed } = self;
        writeln!(
            out,
            "{rules}: {first} against {second}, to {}, seed {seed}",
            counted((*goal).into(), "point")
        )
    }
}

impl Text for PlayBids {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { names, bids, scores, first } = self;
        let then = match first {
            Some(player) => format!("first to move: {}", names[*player]),
            None => "the game is over".to_owned(),
        };
        writeln!(
            out,
            "bids: {} {}, {} {}; the game starts at {} to {}; {then}",
            names[0], bids[0], names[1], bids[1], scores[0], scores[1]
        )
    }
}

/// Returns how many turns were taken back.
pub fn taken_back(turns: usize) -> String {
    match turns {
        0 => "nothing to take back".into(),
        turns => format!("{} taken back", counted(turns as u64, "turn")),
    }
}

impl Text for PlayEvent {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Start(start) => start.text(out),
            Self::Bids(bids) => bids.text(out),
            Self::Scores(scores) => scores.text(out),
            Self::Turn(turn) => turn.text(out),
            Self::Hints(hints) => hints.text(out),
            Self::Rules(rules) => rules.text(out),
            Self::Undone { undone } => writeln!(out, "{}", taken_back(*undone)),
            Self::Help { help } => writeln!(out, "{help}"),
            Self::Error(answer) => writeln!(out, "{}", answer.error.message),
            Self::End(end) => end.text(out),
        }
    }
}

/// Draws dice as boxes next to each other: three rows, or no rows without dice.
pub fn dice_drawn(faces: &[u32]) -> Vec<String> {
    if faces.is_empty() {
        return Vec::new();
    }
    let width = faces.iter().map(|face| face.to_string().len()).max().unwrap_or(1) + 2;
    let line = "─".repeat(width);
    let shown = faces.iter().map(|face| format!("│{face:^width$}│"));
    vec![
        vec![format!("┌{line}┐"); faces.len()].join(" "),
        shown.collect::<Vec<_>>().join(" "),
        vec![format!("└{line}┘"); faces.len()].join(" "),
    ]
}

/// Draws a score as a runner on a track of `cells` columns that ends at the goal.
pub fn race_track(score: i64, goal: u32, cells: usize) -> String {
    let run = (score.max(0) as f64 / f64::from(goal.max(1))).min(1.0);
    let done = ((run * cells as f64) as usize).min(cells);
    format!("{}▶{}┃", "━".repeat(done), "·".repeat(cells - done))
}

/// The width of a race track, in columns.
const TRACK: usize = 40;

impl Text for PlayScores {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.names.iter().map(|name| columns_of(name)).max().unwrap_or(0);
        for (player, (name, score)) in self.names.iter().zip(self.scores).enumerate() {
            let style = if self.mover == Some(player) { TITLE } else { FAINT };
            let track = race_track(score, self.goal, TRACK);
            writeln!(
                out,
                "{}",
                paint(style, format!("{} {score:>4} {track}", padded(name, width)))
            )?;
        }
        for row in dice_drawn(&self.roll) {
            writeln!(out, "  {row}")?;
        }
        Ok(())
    }
}

impl Text for PlayHints {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.hints.is_empty() {
            return writeln!(out, "no hints here");
        }
        for Hint { dice, win_rate, best, means, .. } in &self.hints {
            let what = match means {
                Some(means) => format!("{means:<16}"),
                None => format!("{dice:>4}"),
            };
            let line = format!("{what}  {win_rate:.4}  {}", bar(*win_rate, 24));
            let (line, mark) = if *best { (paint(BEST, line), "  best") } else { (line, "") };
            writeln!(out, "{line}{}", paint(BEST, mark))?;
        }
        Ok(())
    }
}

impl PlayEnd {
    /// Returns a sentence that says who has won.
    pub fn verdict(&self) -> String {
        let [score0, score1] = self.scores;
        let place = format!("{score0} to {score1} after {}", counted(self.turns as u64, "turn"));
        match self.result {
            Some(Finish::Won(player)) if self.names[player] == "you" => format!("you win: {place}"),
            Some(Finish::Won(player)) => format!("{} wins: {place}", self.names[player]),
            Some(Finish::Tied) => format!("a tie: {place}"),
            Some(Finish::Endless) => format!("the game never ends, half a win for each: {place}"),
            None => format!("the game is left at {place}"),
        }
    }

    /// Returns the judge's summary of both players' rolls, one or two lines for each.
    pub fn remarks(&self) -> Vec<String> {
        let played =
            self.names.iter().zip(self.summaries.iter().flatten()).filter(|(_, s)| s.moves > 0);
        played.flat_map(|(name, summary)| summary_lines(name, summary)).collect()
    }
}

fn summary_lines(name: &str, summary: &Summary) -> Vec<String> {
    let graded = RollGrade::ALL.iter().zip(summary.grades).filter(|(_, count)| *count > 0);
    let grades: Vec<String> = graded.map(|(grade, count)| format!("{count} {grade}")).collect();
    let loss = summary.mean_loss * 100.0;
    let mut lines = vec![format!(
        "{name}: {} ({}), {loss:.2} points of win rate given away a roll",
        counted(summary.moves as u64, "roll"),
        grades.join(", ")
    )];
    if let Some((turn, [score, opponent], remark)) = &summary.worst {
        lines.push(format!("  worst: roll {turn}, at {score}-{opponent}: {remark}"));
    }
    lines
}

impl Text for PlayEnd {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, self.verdict()))?;
        self.remarks().iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}
