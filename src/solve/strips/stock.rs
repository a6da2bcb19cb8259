//! What solutions of a game leave for later ones: strips as they begin, and memory.

use std::sync::{Mutex, PoisonError};

use super::LANES;
use super::diagonals::Diagonals;
use super::kernel::pass_the_goal;
use super::pair::Crew;
use super::question::Question;
use super::setting::Setting;
use super::strip::Strip;
use crate::solve::arithmetic::Payoff;
use crate::solve::bellman::Chooser;

/// What the solution of a board of one block needs beside its results. It serves again, for to ask the system for fresh memory
/// takes long.
#[derive(Debug)]
pub(super) struct Desk {
    pub crew: Crew,
    pub diagonals: Diagonals,
}

/// What solutions of a game leave for later ones.
#[derive(Debug, Default)]
pub(super) struct Stock {
    /// All strips with their layers past the goal, as they are where win rates are asked for and the best is chosen; none if
    /// they take much memory, for boards that are cut, or where nothing past the goal is worth anything.
    past_the_goal: Vec<Strip>,
    /// One for each solution that was worked on at the same time.
    desks: Mutex<Vec<Desk>>,
}

impl Stock {
    /// Finds how strips begin.
    pub fn new(setting: &Setting) -> Self {
        let goal = setting.space.goal;
        let any = setting.surprises.iter().flatten().any(|surprise| surprise.total >= goal);
        if setting.edge < goal || setting.is_large() || !any {
            return Self::default();
        }
        let most_dice: Vec<usize> = setting.program.chains.iter().map(|chain| chain.most_dice).collect();
        let strip = |number: usize| {
            let mut strip = Strip::new(setting, number);
            pass_the_goal(&mut strip, setting, Payoff::WinRate, &most_dice);
            strip
        };
        Self { past_the_goal: (0..goal.div_ceil(LANES)).map(strip).collect(), desks: Mutex::default() }
    }

    /// Readies a strip, whatever it held, for one side of a question.
    pub fn begin(&self, strip: &mut Strip, question: &Question, side: usize) {
        let known = match (question.payoff, &question.sides[side].chooser) {
            (Payoff::WinRate, Chooser::Best) => self.past_the_goal.get(strip.first / LANES),
            _ => None,
        };
        strip.restart(known);
        if known.is_none() {
            pass_the_goal(strip, question.setting, question.payoff, &question.most_dice[side]);
        }
    }

    /// A desk for so many sides, if there is one.
    pub fn take(&self, sides: usize) -> Option<Desk> {
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        let place = desks.iter().position(|desk| desk.crew.sides() == sides)?;
        Some(desks.swap_remove(place))
    }

    /// Takes a desk back.
    pub fn give(&self, desk: Desk) {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner).push(desk);
    }
}
