//! Where a strategy loses.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rate;
use crate::analysis::{Explanation, Mistake, Reached, reason};
use crate::game::{Game, memory_names};

/// What a strategy loses, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExplainView {
    /// The game's id.
    pub rules: String,
    /// The strategy that is looked at.
    pub strategy: String,
    /// What it plays against.
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: Rate,
    /// Those of the best response to the opponent.
    pub best_response: Rate,
    /// What the positions cost in all: `best_response` less `win_rate`, up to rounding.
    pub loss: Rate,
    /// By kind of mistake.
    pub mistakes: Vec<MistakeView>,
    /// The positions that cost most, on average of moving first and second.
    pub worst: Vec<LossView>,
    /// How many positions are met.
    pub positions_met: usize,
}

/// One kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MistakeView {
    /// Which kind.
    pub kind: MistakeKind,
    /// In how many positions.
    pub positions: usize,
    /// What they cost on average of moving first and second.
    pub loss: f64,
}

/// A kind of mistake, by the first that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MistakeKind {
    /// The game goes round for ever although more could be had.
    NeverEnds,
    /// More dice than the best, although the best roll wins in this turn more often than not.
    RisksTheEnd,
    /// Dice, although none is best.
    MissesZeroDice,
    /// More dice than any best.
    TooManyDice,
    /// Fewer dice than any best, or a number between two that are.
    TooFewDice,
}

impl From<Mistake> for MistakeKind {
    fn from(mistake: Mistake) -> Self {
        match mistake {
            Mistake::NeverEnds => Self::NeverEnds,
            Mistake::RisksTheEnd => Self::RisksTheEnd,
            Mistake::MissesZeroDice => Self::MissesZeroDice,
            Mistake::TooMany => Self::TooManyDice,
            Mistake::TooFew => Self::TooFewDice,
        }
    }
}

/// A position and what is lost there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LossView {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The memories' values by name.
    pub memory: BTreeMap<String, i64>,
    /// The number of dice the strategy rolls.
    pub dice: i32,
    /// The best numbers of dice, ascending.
    pub best: Vec<i32>,
    /// What the roll costs in all, on average of moving first and second: `met` times `loss_each`.
    pub loss: f64,
    /// How often the position is met in a game, on average.
    pub met: f64,
    /// What the roll costs each time.
    pub loss_each: f64,
    /// What kind of mistake it is.
    pub mistake: Option<MistakeKind>,
    /// All of this in a sentence, with the reason: `at 25-27 you roll 6: roll 0, it swaps`.
    pub words: String,
}

impl ExplainView {
    /// The `top` positions that cost most.
    pub fn new(game: &Game, [strategy, against]: [String; 2], explanation: &Explanation, top: usize) -> Self {
        let ([own, best], bounds) = (explanation.endless, explanation.error_bound);
        let costly = explanation.reached.iter().filter(|reached| reached.average_loss() > 0.0).take(top);
        let mistakes = explanation.by_mistake().into_iter();
        let more = [best[0] - own[0], best[1] - own[1]];
        Self {
            rules: game.rules().id.clone(),
            strategy,
            against,
            win_rate: Rate::new(explanation.rate, own, bounds[0]),
            best_response: Rate::new(explanation.best, best, bounds[1]),
            loss: Rate::new(explanation.loss, more, bounds[0] + bounds[1]),
            mistakes: mistakes
                .map(|(kind, positions, loss)| MistakeView { kind: kind.into(), positions, loss })
                .collect(),
            worst: costly.map(|reached| LossView::new(game, reached)).collect(),
            positions_met: explanation.reached.len(),
        }
    }
}

impl LossView {
    /// Of a position that was met.
    pub(super) fn new(game: &Game, reached: &Reached) -> Self {
        Self {
            words: in_words(game, reached),
            score: reached.position.score,
            opponent: reached.position.opponent,
            memory: memory_names(game.rules()).into_iter().zip(reached.position.memory.iter().copied()).collect(),
            dice: reached.dice,
            best: reached.best.clone(),
            loss: reached.average_loss(),
            met: reached.average_met(),
            loss_each: reached.loss_each,
            mistake: reached.mistake.map(Into::into),
        }
    }
}

fn in_words(game: &Game, reached: &Reached) -> String {
    let Reached { position, dice, best, mistake, .. } = reached;
    let names = memory_names(game.rules()).into_iter().zip(&position.memory);
    let memory: Vec<String> = names.map(|(name, value)| format!("{name} {value}")).collect();
    let memory = if memory.is_empty() { String::new() } else { format!(" ({})", memory.join(", ")) };
    let place = format!("at {}-{}{memory} you roll {dice}", position.score, position.opponent);
    match (best.split_last(), mistake) {
        (_, Some(Mistake::NeverEnds)) | (None, _) => format!("{place}: the game goes round for ever"),
        (Some((last, others)), _) => {
            let why = reason(game, position, *dice, best[0]);
            let others: String = others.iter().map(|dice| format!("{dice} or ")).collect();
            format!("{place}: roll {others}{last}, {why}")
        }
    }
}
