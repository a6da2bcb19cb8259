//! Where a strategy loses.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HandoutView;
use crate::analysis::{Explanation, Mistake, Reached, reason};
use crate::game::{Game, memory_names};
use crate::queries::WinRates;

/// How much a strategy loses, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExplainView {
    /// The game's id.
    pub rules: String,
    /// The strategy that is explained.
    pub strategy: String,
    /// The opponent's strategy.
    pub against: String,
    /// The strategy's win rates.
    pub win_rate: WinRates,
    /// The win rates of the best response to the opponent.
    pub best_response: WinRates,
    /// The total loss over all positions: `best_response` minus `win_rate`, up to rounding.
    pub loss: WinRates,
    /// The loss by kind of mistake.
    pub mistakes: Vec<MistakeView>,
    /// The positions that cost most, averaged over moving first and second.
    pub worst: Vec<LossView>,
    /// The number of positions that are reached with positive probability.
    pub positions_met: usize,
    /// How the functions in the strategy's file compare with those of the handout.
    pub handout: HandoutView,
}

/// The loss by one kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MistakeView {
    /// The kind of mistake.
    pub kind: MistakeKind,
    /// The number of positions with such a mistake.
    pub positions: usize,
    /// The loss in these positions, averaged over moving first and second.
    pub loss: f64,
}

/// A kind of mistake. Of several kinds that apply, the first in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MistakeKind {
    /// The game never ends, although another roll has a higher win rate.
    NeverEnds,
    /// More dice than are best, although the best roll wins in this turn more often than not.
    RisksTheEnd,
    /// One or more dice, although zero dice are best.
    MissesZeroDice,
    /// More dice than any best number.
    TooManyDice,
    /// Fewer dice than any best number, or a number between two best ones.
    TooFewDice,
}

impl MistakeKind {
    /// Returns its name in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::NeverEnds => "goes round for ever",
            Self::RisksTheEnd => "too many, when fewer win at once",
            Self::MissesZeroDice => "dice, where zero is best",
            Self::TooManyDice => "too many dice",
            Self::TooFewDice => "too few dice",
        }
    }
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

/// A position and the loss there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LossView {
    /// The score of the player to move.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// The values of the memories by name.
    pub memory: BTreeMap<String, i64>,
    /// The number of dice the strategy rolls.
    pub dice: i32,
    /// The best numbers of dice, ascending.
    pub best: Vec<i32>,
    /// The loss per game, averaged over moving first and second: `met` times `loss_each`.
    pub loss: f64,
    /// The expected number of times that the position is reached in a game, averaged over moving
    /// first and second.
    pub met: f64,
    /// The loss in win rate each time the position is reached.
    pub loss_each: f64,
    /// The kind of mistake.
    pub mistake: Option<MistakeKind>,
    /// A sentence with the position, the roll, the best rolls and the reason: `at 25-27 you roll
    /// 6: roll 0, it swaps`.
    pub words: String,
}

impl ExplainView {
    /// Makes the view of an explanation, with the `top` positions that cost most.
    pub fn new(
        game: &Game,
        [strategy, against]: [String; 2],
        explanation: &Explanation,
        top: usize,
    ) -> Self {
        let ([own, best], bounds) = (explanation.endless, explanation.error_bound);
        let costly =
            explanation.reached.iter().filter(|reached| reached.average_loss() > 0.0).take(top);
        let mistakes = explanation.by_mistake().into_iter();
        let more = [best[0] - own[0], best[1] - own[1]];
        Self {
            rules: game.rules().id.clone(),
            strategy,
            against,
            win_rate: WinRates::new(explanation.rate, own, bounds[0]),
            best_response: WinRates::new(explanation.best, best, bounds[1]),
            loss: WinRates::new(explanation.loss, more, bounds[0] + bounds[1]),
            mistakes: mistakes
                .map(|(kind, positions, loss)| MistakeView { kind: kind.into(), positions, loss })
                .collect(),
            worst: costly.map(|reached| LossView::new(game, reached)).collect(),
            positions_met: explanation.reached.len(),
            handout: HandoutView::default(),
        }
    }
}

impl LossView {
    /// Makes the view of a position that is reached.
    pub(super) fn new(game: &Game, reached: &Reached) -> Self {
        Self {
            words: in_words(game, reached),
            score: reached.position.score,
            opponent: reached.position.opponent,
            memory: memory_names(game.rules())
                .into_iter()
                .zip(reached.position.memory.iter().copied())
                .collect(),
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
    let memory =
        if memory.is_empty() { String::new() } else { format!(" ({})", memory.join(", ")) };
    let place = format!("at {}-{}{memory} you roll {dice}", position.score, position.opponent);
    match (best.split_last(), mistake) {
        (_, Some(Mistake::NeverEnds)) | (None, _) => format!("{place}: the game never ends"),
        (Some((last, others)), _) => {
            let why = reason(game, position, *dice, best[0]);
            let others: String = others.iter().map(|dice| format!("{dice} or ")).collect();
            format!("{place}: roll {others}{last}, {why}")
        }
    }
}
