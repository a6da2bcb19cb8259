//! `hog play`: turns, hints and endings of a game, and how dice and scores are drawn.

use std::io::{self, Write};

use serde::Serialize;

use crate::sim::session::{Finish, Session, Taken};
use crate::sim::{Grade, Hint, Summary};

use super::style::{BEST, FAINT, LOSS, TITLE, bar, paint};
use super::{StepView, View};

/// One turn of a game.
#[derive(Clone, Debug, Serialize)]
pub struct PlayTurnView {
    pub player: usize,
    pub name: String,
    /// The dice asked for.
    pub dice: i32,
    pub faces: Vec<u32>,
    pub points: i64,
    /// Player 0's score and Player 1's after the turn.
    pub scores: [i64; 2],
    /// True if the same player moves once more.
    pub again: bool,
    pub steps: Vec<StepView>,
    /// What a judge says of the choice.
    pub remark: Option<String>,
    /// The win rate it gave away.
    pub loss: Option<f64>,
}

impl PlayTurnView {
    pub fn new(taken: &Taken, name: &str) -> Self {
        let turn = &taken.rolled.turn;
        Self {
            player: taken.player,
            name: name.to_owned(),
            dice: taken.rolled.request,
            faces: taken.rolled.faces.clone(),
            points: turn.points,
            scores: taken.scores(),
            again: turn.again,
            steps: turn.steps.iter().map(|s| StepView { rule: s.rule.clone(), text: s.text.clone() }).collect(),
            remark: taken.remark.as_ref().map(ToString::to_string),
            loss: taken.remark.as_ref().map(|remark| remark.loss),
        }
    }

    /// Who rolls what, in a sentence.
    pub fn headline(&self) -> String {
        let dice = match self.dice {
            1 => "1 die".to_owned(),
            dice => format!("{dice} dice"),
        };
        let points = if self.points == 1 { "1 point".to_owned() } else { format!("{} points", self.points) };
        let again = if self.again { ", and moves again" } else { "" };
        format!("{}: {dice}, {points}, {} to {}{again}", self.name, self.scores[0], self.scores[1])
    }
}

impl View for PlayTurnView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, self.headline()))?;
        for row in dice_drawn(&self.faces) {
            writeln!(out, "  {row}")?;
        }
        for step in self.steps.iter().filter(|step| step.rule != "Roll") {
            writeln!(out, "  {}  {}", paint(FAINT, &step.rule), step.text)?;
        }
        if let Some(remark) = &self.remark {
            writeln!(out, "  {}", paint(if self.loss == Some(0.0) { BEST } else { LOSS }, remark))?;
        }
        Ok(())
    }
}

/// Dice as boxes side by side: three rows, or none without dice.
pub fn dice_drawn(faces: &[u32]) -> Vec<String> {
    if faces.is_empty() {
        return Vec::new();
    }
    let width = faces.iter().map(|face| face.to_string().len()).max().unwrap_or(1) + 2;
    let row = |each: &dyn Fn(&u32) -> String| faces.iter().map(each).collect::<Vec<_>>().join(" ");
    vec![
        row(&|_| format!("┌{}┐", "─".repeat(width))),
        row(&|face| format!("│{face:^width$}│")),
        row(&|_| format!("└{}┘", "─".repeat(width))),
    ]
}

/// A score as a runner on a track of that many cells, the goal at its end.
pub fn race_track(score: i64, goal: u32, cells: usize) -> String {
    let run = (score.max(0) as f64 / f64::from(goal.max(1))).min(1.0);
    let done = ((run * cells as f64) as usize).min(cells);
    format!("{}▶{}┃", "━".repeat(done), "·".repeat(cells - done))
}

/// The scores as a race.
#[derive(Clone, Debug, Serialize)]
pub struct ScoresView {
    pub names: [String; 2],
    pub scores: [i64; 2],
    pub goal: u32,
    /// Whose turn it is; none if the game is over.
    pub mover: Option<usize>,
}

impl ScoresView {
    pub fn new(session: &Session) -> Self {
        Self {
            names: session.seats().each_ref().map(|seat| seat.name.clone()),
            scores: session.scores(),
            goal: session.game().rules().goal,
            mover: session.mover(),
        }
    }
}

/// Cells of a race track.
const TRACK: usize = 40;

impl View for ScoresView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (player, (name, score)) in self.names.iter().zip(self.scores).enumerate() {
            let style = if self.mover == Some(player) { TITLE } else { FAINT };
            let track = race_track(score, self.goal, TRACK);
            writeln!(out, "{}", paint(style, format!("{name:<width$} {score:>4} {track}")))?;
        }
        Ok(())
    }
}

/// What each number of dice is worth.
#[derive(Clone, Debug, Serialize)]
pub struct HintsView {
    pub hints: Vec<Hint>,
}

impl View for HintsView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.hints.is_empty() {
            return writeln!(out, "no hints here");
        }
        for Hint { dice, win_rate, best } in &self.hints {
            let line = format!("{dice:>4}  {win_rate:.4}  {}", bar(*win_rate, 24));
            let (line, mark) = if *best { (paint(BEST, line), "  best") } else { (line, "") };
            writeln!(out, "{line}{}", paint(BEST, mark))?;
        }
        Ok(())
    }
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
pub struct EndView {
    pub names: [String; 2],
    pub scores: [i64; 2],
    pub turns: usize,
    /// None if it was left before its end.
    pub result: Option<Finish>,
    pub summaries: Option<[Summary; 2]>,
}

impl EndView {
    pub fn new(session: &Session) -> Self {
        Self {
            names: session.seats().each_ref().map(|seat| seat.name.clone()),
            scores: session.scores(),
            turns: session.taken().len(),
            result: session.result(),
            summaries: session.summaries().filter(|_| !session.taken().is_empty()),
        }
    }

    /// Who has won, in a sentence.
    pub fn verdict(&self) -> String {
        let [score0, score1] = self.scores;
        let place = format!("{score0} to {score1} after {} turns", self.turns);
        match self.result {
            Some(Finish::Won(player)) if self.names[player] == "you" => format!("you win: {place}"),
            Some(Finish::Won(player)) => format!("{} wins: {place}", self.names[player]),
            Some(Finish::Tied) => format!("a tie: {place}"),
            Some(Finish::Endless) => format!("both pass for ever, half a win for each: {place}"),
            None => format!("the game is left at {place}"),
        }
    }

    /// What the judge makes of both players' rolls, a line or two for each.
    pub fn remarks(&self) -> Vec<String> {
        let played = self.names.iter().zip(self.summaries.iter().flatten()).filter(|(_, s)| s.moves > 0);
        played.flat_map(|(name, summary)| summary_lines(name, summary)).collect()
    }
}

fn summary_lines(name: &str, summary: &Summary) -> Vec<String> {
    let graded = Grade::ALL.iter().zip(summary.grades).filter(|(_, count)| *count > 0);
    let grades: Vec<String> = graded.map(|(grade, count)| format!("{count} {grade}")).collect();
    let loss = summary.mean_loss * 100.0;
    let rolls = if summary.moves == 1 { "roll" } else { "rolls" };
    let mut lines = vec![format!(
        "{name}: {} {rolls} ({}), {loss:.2} points of win rate given away a roll",
        summary.moves,
        grades.join(", ")
    )];
    if let Some((turn, [score, opponent], remark)) = &summary.worst {
        lines.push(format!("  worst: turn {turn} at {score}-{opponent}: {remark}"));
    }
    lines
}

impl View for EndView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, self.verdict()))?;
        self.remarks().iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}
