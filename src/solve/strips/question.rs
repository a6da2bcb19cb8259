//! What is asked of a game: who plays, and what their states are worth.

use std::borrow::Cow;

use crate::game::{Order, ScoreSuccessor, TurnOutcome};

use super::board::Known;
use super::passes::Passes;
use super::setting::Setting;
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::Side;

/// What is asked of a game.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub setting: &'a Setting<'a>,
    pub sides: &'a [Side<'a>],
    pub payoff: Payoff,
    /// By layer: two values closer than this count as tied.
    pub slack: &'a [f64],
    /// By side and chain: the most dice that the side may roll.
    pub most_dice: Vec<Vec<usize>>,
    /// The states whose movers may pass within their layer.
    pub passes: Cow<'a, Passes>,
}

impl<'a> Question<'a> {
    /// `None` if the passes of these sides do not fit.
    pub fn new(setting: &'a Setting, sides: &'a [Side], (payoff, slack): (Payoff, &'a [f64])) -> Option<Self> {
        let passes = setting.ways.passes(setting.space, sides)?;
        let most_dice = sides.iter().map(|side| setting.program.most_dice(setting.game, side)).collect();
        Some(Self { setting, sides, payoff, slack, most_dice, passes })
    }

    /// How close two values in the layer of a sum of scores are that count as tied.
    #[inline(always)]
    pub fn slack_of(&self, sum: usize) -> f64 {
        self.slack[self.setting.space.stages() - 1 - sum]
    }

    /// What a landing of a kind is worth to the opponent with a memory, where it leads to `destination`.
    #[inline(always)]
    pub fn worth(
        &self,
        kind: &TurnOutcome,
        (destination, memory): (ScoreSuccessor, usize),
        (side, known): (&Side, &Known),
    ) -> f64 {
        let setting = self.setting;
        match destination {
            ScoreSuccessor::Passed { cell } => known.number(side.other, cell, setting.passed(kind, memory)),
            ScoreSuccessor::Again { cell } => self.flip(known.number(side.own, cell, setting.again(kind, memory))),
            ended => end(self.payoff, ended),
        }
    }

    /// What a turn that stays in its layer counts as while that is solved: infinitely much to the opponent, so that nobody
    /// chooses it there. Where none stays, arrivals without points are mended.
    pub fn never(&self) -> f64 {
        match (self.setting.game.order(), self.payoff) {
            (Order::Acyclic, _) => 0.0,
            (Order::Cyclic { .. }, Payoff::WinRate) => f64::INFINITY,
            (Order::Cyclic { .. }, Payoff::Endless) => f64::NEG_INFINITY,
        }
    }

    /// What one player's win is worth to the other.
    #[inline(always)]
    pub fn flip(&self, value: f64) -> f64 {
        flip(self.payoff, value)
    }
}

/// What one player's win is worth to the other.
#[inline(always)]
pub(super) fn flip(payoff: Payoff, value: f64) -> f64 {
    if payoff == Payoff::WinRate { 1.0 - value } else { value }
}

/// What an arrival that ends the game is worth to the opponent.
pub(super) fn end(payoff: Payoff, destination: ScoreSuccessor) -> f64 {
    match (payoff, destination) {
        (Payoff::WinRate, ScoreSuccessor::Lost) => 1.0,
        (Payoff::WinRate, ScoreSuccessor::Tied) => 0.5,
        _ => 0.0,
    }
}
