//! Policies: anything that chooses a number of dice for a position, and tables of such choices.

use std::sync::Arc;

use crate::states::States;
use crate::turn::Position;

/// A policy: a deterministic choice of a number of dice for each position.
pub trait Policy: Sync {
    /// Returns the number of dice to roll in this position.
    ///
    /// # Errors
    /// Returns an error if the policy has no answer for the position.
    fn dice(&self, position: &Position) -> Result<i32, PolicyError>;

    /// Whether the choice may depend on more than the two scores.
    fn sees_memory(&self) -> bool {
        false
    }
}

/// Why a policy cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at {score}-{opponent}: {reason}")]
pub struct PolicyError {
    /// The mover's score.
    pub score: u32,
    /// The opponent's score.
    pub opponent: u32,
    /// What is wrong there.
    pub reason: String,
}

impl PolicyError {
    /// Creates an error at a position.
    pub fn at(position: &Position, reason: impl Into<String>) -> Self {
        Self { score: position.score, opponent: position.opponent, reason: reason.into() }
    }
}

/// A tabulated policy: one action for each state of a game, or for each cell if it sees only
/// scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    actions: Vec<u8>,
    per_cell: usize,
    /// By state: see [`Self::keeping`].
    worth: Option<Arc<[f64]>>,
}

// No worth is NaN.
impl Eq for Plan {}

impl Plan {
    /// Tabulates `policy` over all states, in order (over all cells if it does not see memories).
    ///
    /// # Errors
    /// Returns an error at the first position where the policy has no answer or one that the game
    /// does not allow.
    pub fn tabulate(states: &States, policy: &dyn Policy) -> Result<Self, PolicyError> {
        let space = states.space();
        let per_cell = space.per_cell();
        let step = if policy.sees_memory() { 1 } else { per_cell };
        let mut actions = Vec::with_capacity(space.states() / step);
        for state in (0..space.states()).step_by(step) {
            let position = states.position(state);
            let dice = policy.dice(&position)?;
            let action = space.action(dice).ok_or_else(|| {
                let min = space.min_dice;
                let max = space.dice(space.actions - 1);
                PolicyError::at(
                    &position,
                    format!("it rolls {dice} dice; the game allows {min} to {max}"),
                )
            })?;
            actions.push(action as u8);
        }
        let per_cell = if policy.sees_memory() { 1 } else { per_cell };
        Ok(Self { actions, per_cell, worth: None })
    }

    /// Creates a plan from an action for each state.
    pub fn from_actions(actions: Vec<u8>) -> Self {
        Self { actions, per_cell: 1, worth: None }
    }

    /// Creates a plan that sees only scores, from an action for each cell.
    pub fn of_scores(states: &States, actions: Vec<u8>) -> Self {
        Self { actions, per_cell: states.space().per_cell(), worth: None }
    }

    /// Returns the plan with what it keeps of a roll: the dice after which the state is worth most.
    /// `worth` estimates by state how good it is to move there, from 0 to 1; a state in which the
    /// opponent moves is worth the rest. Of several the one is kept that ends the game, or leads to
    /// the first state.
    #[must_use]
    pub fn keeping(self, worth: impl Into<Arc<[f64]>>) -> Self {
        Self { worth: Some(worth.into()), ..self }
    }

    /// The worth of each state to its mover, by which the plan keeps dice; `None` if it does not
    /// say.
    pub fn worth(&self) -> Option<&[f64]> {
        self.worth.as_deref()
    }

    /// Whether the plan has an action for each state of `states`, and `states` allows all of them.
    pub fn fits(&self, states: &States) -> bool {
        let space = states.space();
        self.actions.len() * self.per_cell == space.states()
            && self.actions.iter().all(|action| usize::from(*action) < space.actions)
    }

    /// All actions in order: one for each state, or one for each cell if the plan sees only scores.
    pub fn actions(&self) -> &[u8] {
        &self.actions
    }

    /// How many states share an action: 1, or the states of a cell if the plan sees only scores.
    pub fn states_per_action(&self) -> usize {
        self.per_cell
    }

    /// The action in a state.
    #[inline(always)]
    pub fn action(&self, state: usize) -> usize {
        usize::from(self.actions[state / self.per_cell])
    }

    /// The actions in the states of a cell, in order; a single action if the plan sees only scores.
    pub fn actions_of(&self, cell: usize, per_cell: usize) -> &[u8] {
        if self.per_cell == 1 {
            &self.actions[cell * per_cell..(cell + 1) * per_cell]
        } else {
            std::slice::from_ref(&self.actions[cell])
        }
    }
}
