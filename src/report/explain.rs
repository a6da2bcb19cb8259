//! `hog explain`: where a strategy loses.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::analysis::{Explanation, Mistake, Reached};
use crate::game::{Game, memory_names};

use super::style::{BEST, FAINT, LOSS, TITLE, either, paint, thousands};
use super::{View, WinRates};

/// What a strategy loses, and where.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainView {
    pub rules: String,
    pub strategy: String,
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: WinRates,
    /// Those of the best response to the opponent.
    pub best: WinRates,
    /// What the positions cost in all: `best` less `win_rate`, up to rounding.
    pub loss: WinRates,
    /// By kind of mistake.
    pub mistakes: Vec<MistakeView>,
    /// How many positions are met.
    pub positions_met: usize,
    /// The positions that cost most.
    pub positions: Vec<ReachedView>,
}

/// One kind of mistake.
#[derive(Clone, Debug, Serialize)]
pub struct MistakeView {
    pub kind: &'static str,
    /// In how many positions.
    pub positions: usize,
    /// What they cost on average over moving first and second.
    pub loss: f64,
}

/// One position.
#[derive(Clone, Debug, Serialize)]
pub struct ReachedView {
    pub score: u32,
    pub opponent: u32,
    pub memory: Map<String, Value>,
    /// How often it is met in a game, on average.
    pub met: f64,
    pub dice: i32,
    pub best: Vec<i32>,
    /// What the roll costs each time.
    pub loss_each: f64,
    /// What it costs in all, on average.
    pub loss: f64,
    pub mistake: Option<&'static str>,
}

impl ExplainView {
    /// A view of the `top` positions that cost most.
    pub fn new(game: &Game, names: [String; 2], explanation: &Explanation, top: usize) -> Self {
        let rates = |[first, second, average]: [f64; 3]| WinRates { first, second, average };
        let [strategy, against] = names;
        let costly = explanation.reached.iter().filter(|reached| reached.average_loss() > 0.0).take(top);
        let mistakes = explanation.by_mistake().into_iter();
        Self {
            rules: game.rules().id.clone(),
            strategy,
            against,
            win_rate: rates(explanation.rate),
            best: rates(explanation.best),
            loss: rates(explanation.loss),
            mistakes: mistakes
                .map(|(kind, positions, loss)| MistakeView { kind: kind.name(), positions, loss })
                .collect(),
            positions_met: explanation.reached.len(),
            positions: costly.map(|reached| row(game, reached)).collect(),
        }
    }
}

fn row(game: &Game, reached: &Reached) -> ReachedView {
    let values = reached.position.memory.iter().map(|value| Value::from(*value));
    ReachedView {
        score: reached.position.score,
        opponent: reached.position.opponent,
        memory: memory_names(game.rules()).into_iter().zip(values).collect(),
        met: reached.average_met(),
        dice: reached.dice,
        best: reached.best.clone(),
        loss_each: reached.loss_each,
        loss: reached.average_loss(),
        mistake: reached.mistake.map(Mistake::name),
    }
}

fn in_words(kind: &str) -> &'static str {
    match kind {
        "never_ends" => "goes round for ever",
        "risks_the_end" => "too many, when fewer win at once",
        "misses_zero_dice" => "dice, where zero is best",
        "too_many_dice" => "too many dice",
        _ => "too few dice",
    }
}

impl View for ExplainView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = format!("{}: {} against {}", self.rules, self.strategy, self.against);
        writeln!(out, "{}", paint(TITLE, title))?;
        writeln!(out, "  it wins            {}", self.win_rate.average)?;
        writeln!(out, "  the best response  {}", paint(BEST, self.best.average))?;
        writeln!(out, "  it loses           {}", paint(LOSS, self.loss.average))?;
        if self.positions.is_empty() {
            return writeln!(out, "nothing is lost: no one plays better against {}", self.against);
        }
        writeln!(out, "\nby kind of mistake")?;
        for mistake in self.mistakes.iter().filter(|mistake| mistake.positions > 0) {
            let positions = thousands(mistake.positions as u64);
            writeln!(out, "  {:<34}{:.8}  in {positions} positions", in_words(mistake.kind), mistake.loss)?;
        }
        writeln!(out, "\nwhere it costs most")?;
        writeln!(out, "  score  opponent  rolls  best        loss  each time       met")?;
        for row in &self.positions {
            let best = either(&row.best);
            let memory: Vec<String> = row.memory.iter().map(|(name, value)| format!("{name} {value}")).collect();
            let memory = if memory.is_empty() { String::new() } else { format!("  ({})", memory.join(", ")) };
            writeln!(
                out,
                "  {:>5}  {:>8}  {:>5}  {best:<8}{:>8.6}   {:>8.6}  {:>8.6}{memory}",
                row.score, row.opponent, row.dice, row.loss, row.loss_each, row.met
            )?;
        }
        let met = thousands(self.positions_met as u64);
        writeln!(out, "{}", paint(FAINT, format!("averages of moving first and second, over all {met} positions met")))
    }
}

/// Writes all positions met as CSV, one a line, for pictures: `score,opponent[,MEMORY...],met_first,met_second,dice,
/// best,loss_each,loss_first,loss_second,loss,mistake`.
///
/// # Errors
/// If `out` cannot be written.
pub fn explain_csv(game: &Game, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    let names: String = memory_names(game.rules()).iter().map(|name| format!(",{name}")).collect();
    let last = "met_first,met_second,dice,best,loss_each,loss_first,loss_second,loss,mistake";
    writeln!(out, "score,opponent{names},{last}")?;
    let mut rows: Vec<&Reached> = explanation.reached.iter().collect();
    rows.sort_by(|a, b| {
        let key =
            |reached: &Reached| (reached.position.score, reached.position.opponent, reached.position.memory.clone());
        key(a).cmp(&key(b))
    });
    for reached in rows {
        let Reached { position, met, dice, best, loss_each, loss, mistake } = reached;
        let memory: String = position.memory.iter().map(|value| format!(",{value}")).collect();
        let best = best.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        let (average, kind) = (reached.average_loss(), mistake.map_or("", Mistake::name));
        write!(out, "{},{}{memory},{},{},{dice},{best},", position.score, position.opponent, met[0], met[1])?;
        writeln!(out, "{loss_each},{},{},{average},{kind}", loss[0], loss[1])?;
    }
    Ok(())
}
