//! Loops of any shape, including those that are left only by chance: alternating best responses in
//! exact fractions.
//!
//! Starting from the claimed rolls, each player in turn computes a best response to the other's
//! fixed policy, until neither can improve. A best response is found by policy iteration (Howard,
//! 1960): the policy is improved while some other roll is better for one turn, or while the player
//! can stay in the loop for ever (value 1/2) where the current policy wins less. When neither
//! player can improve, the values are those of the game: no policy does better against
//! the other player's.

use dashu_int::IBig;
use dashu_ratio::RBig;

use hog_rules::states::DiceSet;

use super::CheckError;
use super::cell::Found;
use super::loops::Component;
use super::numbers::Numbers;
use super::rounding::nearest_to;
use super::sweep::Pending;

/// The most states of a loop that is solved.
const MOST_STATES: usize = 128;
/// The most rounds of best responses, and of policy iteration in one of them; a correct claim takes
/// one round.
const MOST_ROUNDS: usize = 1000;

/// One distribution in a state of the loop.
struct Choice {
    actions: DiceSet,
    /// The sum, over the outcomes that leave the loop, of their chance times the mover's win rate.
    leaving: RBig,
    /// The chance of leaving the loop.
    leaves: RBig,
    /// The outcomes that stay in the loop: the state's index, the chance, and whether the other
    /// player moves there.
    stays: Vec<(usize, RBig, bool)>,
}

/// The loop as a game of two players. Each state occurs at two places, `player * states + state`,
/// one for each player who may move there.
struct Duel {
    choices: Vec<Vec<Choice>>,
    /// The index of each player's choice in each state.
    policy: [Vec<usize>; 2],
}

fn half() -> RBig {
    RBig::from_parts(IBig::ONE, 2u8.into())
}

/// Solves a component that is not a pass loop.
pub(super) fn solve<A: Numbers>(
    component: &Component<'_, '_, A>,
) -> Result<Vec<Found<A::Number>>, CheckError> {
    if component.states.len() > MOST_STATES {
        let message = format!(
            "a loop has {} states; at most {MOST_STATES} can be checked",
            component.states.len()
        );
        return Err(CheckError::TooLarge(message));
    }
    let choices: Vec<Vec<Choice>> =
        component.states.iter().map(|state| choices(component, state)).collect();
    let first = |(state, choices): (&&Pending, &Vec<Choice>)| {
        let lowest = state.claimed & state.claimed.wrapping_neg();
        choices.iter().position(|choice| choice.actions & lowest != 0).unwrap_or(0)
    };
    let policy: Vec<usize> = component.states.iter().zip(&choices).map(first).collect();
    let mut duel = Duel { choices, policy: [policy.clone(), policy] };
    let values = duel.converge().ok_or_else(|| component.not_converged())?;
    let claimed: Vec<DiceSet> = component.states.iter().map(|state| state.claimed).collect();
    let endless = duel.endless(&values, &claimed);
    let found = component
        .states
        .iter()
        .enumerate()
        .map(|(i, state)| found(component, state, &duel, &values, &endless, i));
    found.collect::<Option<_>>().ok_or_else(|| component.not_converged())
}

fn choices<A: Numbers>(component: &Component<'_, '_, A>, state: &Pending) -> Vec<Choice> {
    let workspace = component.workspace;
    let choice = |distribution: &(DiceSet, usize)| {
        let transitions = component.transitions(state, distribution);
        let total = RBig::from(transitions.total);
        let mut leaving = RBig::from_parts(IBig::from(transitions.halves), 2u8.into());
        let (mut stays, mut staying) = (Vec::new(), 0);
        for transition in &transitions.continuing {
            if let Some(member) = component.member(state, transition) {
                staying += transition.weight;
                stays.push((member, RBig::from(transition.weight) / &total, transition.passed));
                continue;
            }
            let spot = workspace.spot(state.spot.side, transition, workspace.theirs(state.place));
            let value = &workspace.sides[spot.side].stages[transition.sum].values[spot.index];
            let value = workspace.numbers.fraction(workspace.height(transition.sum), value);
            leaving += RBig::from(transition.weight)
                * if transition.passed { RBig::ONE - value } else { value };
        }
        let leaves = RBig::from(transitions.total - staying) / &total;
        Choice { actions: distribution.0, leaving: leaving / total, leaves, stays }
    };
    state.distributions.iter().map(choice).collect()
}

/// Returns the solution of a state. The best actions are those that attain the value, with one
/// exception: where the mover is ahead, an action that cannot leave the loop in this turn counts
/// only if the claim lists it, and not if the opponent could then prolong the game for ever. Such
/// an action may be safe alone but not together with another one in another state, so there is no
/// unique correct set. If no action is left, those that the claim does not list count.
fn found<A: Numbers>(
    component: &Component<'_, '_, A>,
    state: &Pending,
    duel: &Duel,
    values: &[RBig],
    endless: &[bool],
    i: usize,
) -> Option<Found<A::Number>> {
    // With two sides, each player moves in the states of one side; with one side, both players have
    // the same values.
    let player = state.spot.side;
    let place = duel.place(player, i);
    let seen = |value: RBig| if player == 0 { value } else { RBig::ONE - value };
    let value = seen(values[place].clone());
    let half = half();
    let (mut best, mut free, mut shortfall) = (0, 0, 0.0f64);
    for choice in &duel.choices[i] {
        let action_value = seen(duel.action_value(player, choice, values));
        let listed = choice.actions & state.claimed != 0;
        let stays_ahead = choice.leaves.is_zero() && value > half;
        let is_endless = stays_ahead && duel.next(place, choice).all(|next| endless[next]);
        if action_value == value && !stays_ahead {
            best |= choice.actions;
        } else if action_value == value && !(listed && is_endless) {
            free |= choice.actions;
        } else if listed {
            let action_value = if action_value == value { half.clone() } else { action_value };
            shortfall = shortfall.max(nearest_to(&(&value - action_value)));
        }
    }
    best |= if best | free & state.claimed == 0 { free } else { free & state.claimed };
    let (numbers, height) =
        (component.workspace.numbers, component.workspace.height(component.sum));
    let number = numbers.number(height, player, &value)?;
    Some(Found { near: numbers.nearest(height, &number), value: number, best, shortfall })
}

impl Duel {
    fn place(&self, player: usize, state: usize) -> usize {
        player * self.choices.len() + state
    }

    /// Returns the first player's win rate if `player` moves and takes a choice.
    fn action_value(&self, player: usize, choice: &Choice, values: &[RBig]) -> RBig {
        let leaving =
            if player == 0 { choice.leaving.clone() } else { &choice.leaves - &choice.leaving };
        choice.stays.iter().fold(leaving, |sum, (state, chance, passed)| {
            let next = if *passed { 1 - player } else { player };
            sum + chance * &values[self.place(next, *state)]
        })
    }

    fn is_chosen(&self, place: usize, choice: usize) -> bool {
        self.policy[place / self.choices.len()][place % self.choices.len()] == choice
    }

    fn chosen(&self, place: usize) -> &Choice {
        let (player, state) = (place / self.choices.len(), place % self.choices.len());
        &self.choices[state][self.policy[player][state]]
    }

    /// Returns the places of the loop to which a choice at `place` may lead.
    fn next<'a>(&self, place: usize, choice: &'a Choice) -> impl Iterator<Item = usize> + use<'a> {
        let (count, player) = (self.choices.len(), place / self.choices.len());
        choice.stays.iter().map(
            move |(state, _, passed)| if *passed { 1 - player } else { player } * count + state,
        )
    }

    /// Alternates best responses until neither player improves; returns the first player's values
    /// by place.
    fn converge(&mut self) -> Option<Vec<RBig>> {
        for _ in 0..MOST_ROUNDS {
            let gains = [self.reply(0)?, self.reply(1)?];
            if gains == [false; 2] {
                return self.values();
            }
        }
        None
    }

    /// Replaces the policy of `player` by a best response to the other's; returns true if that is
    /// an improvement.
    fn reply(&mut self, player: usize) -> Option<bool> {
        for round in 0..MOST_ROUNDS {
            let values = self.values()?;
            if !self.switch(player, &values) && !self.stay(player, &values) {
                return Some(round > 0);
            }
        }
        None
    }

    /// Switches to choices that are better for one turn; returns true if there are any.
    fn switch(&mut self, player: usize, values: &[RBig]) -> bool {
        let mut switched = false;
        for state in 0..self.choices.len() {
            let mut most = values[self.place(player, state)].clone();
            for (index, choice) in self.choices[state].iter().enumerate() {
                let action_value = self.action_value(player, choice, values);
                if if player == 0 { action_value > most } else { action_value < most } {
                    most = action_value;
                    self.policy[player][state] = index;
                    switched = true;
                }
            }
        }
        switched
    }

    /// Switches to staying for ever wherever that is possible and better; returns true if there is
    /// such a place.
    fn stay(&mut self, player: usize, values: &[RBig]) -> bool {
        let half = half();
        let worse = values
            .iter()
            .map(|value| if player == 0 { *value < half } else { *value > half })
            .collect();
        let stays = self.closed(worse, |place, choice| {
            place / self.choices.len() == player || self.is_chosen(place, choice)
        });
        for state in 0..self.choices.len() {
            if let Some(choice) = stays[self.place(player, state)] {
                self.policy[player][state] = choice;
            }
        }
        stays.iter().any(Option::is_some)
    }

    /// Returns the places from which the game can be prolonged for ever although the first player
    /// is ahead: the second player may take any action, the first one that is `claimed` and
    /// attains the value.
    fn endless(&self, values: &[RBig], claimed: &[DiceSet]) -> Vec<bool> {
        let count = self.choices.len();
        let ahead = values.iter().map(|value| *value > half()).collect();
        let allowed = |place: usize, index: usize| {
            let choice = &self.choices[place % count][index];
            place >= count
                || (choice.actions & claimed[place] != 0
                    && self.action_value(0, choice, values) == values[place])
        };
        self.closed(ahead, allowed).iter().map(Option::is_some).collect()
    }

    /// Returns, for each place of the largest subset of `inside` that allowed choices need never
    /// leave, such a choice; `None` for all other places.
    fn closed(
        &self,
        mut inside: Vec<bool>,
        allowed: impl Fn(usize, usize) -> bool,
    ) -> Vec<Option<usize>> {
        loop {
            let keeper = |place: usize| {
                let mut choices = self.choices[place % self.choices.len()].iter().enumerate();
                let keeps = |choice: &Choice| {
                    choice.leaves.is_zero() && self.next(place, choice).all(|next| inside[next])
                };
                choices.position(|(index, choice)| allowed(place, index) && keeps(choice))
            };
            let found: Vec<Option<usize>> = (0..inside.len())
                .map(|place| if inside[place] { keeper(place) } else { None })
                .collect();
            let left: Vec<bool> = found.iter().map(Option::is_some).collect();
            if left == inside {
                return found;
            }
            inside = left;
        }
    }

    /// Returns the first player's win rates under both policies: 1/2 where play never leaves the
    /// loop, elsewhere the solution of linear equations.
    fn values(&self) -> Option<Vec<RBig>> {
        let places = 2 * self.choices.len();
        let mut ends: Vec<bool> =
            (0..places).map(|place| !self.chosen(place).leaves.is_zero()).collect();
        while let Some(place) = (0..places).find(|place| {
            !ends[*place] && self.next(*place, self.chosen(*place)).any(|next| ends[next])
        }) {
            ends[place] = true;
        }
        let mut values = vec![half(); places];
        let unknown: Vec<usize> = (0..places).filter(|place| ends[*place]).collect();
        let mut rows = Vec::with_capacity(unknown.len());
        for (row, place) in unknown.iter().enumerate() {
            let (player, choice) = (place / self.choices.len(), self.chosen(*place));
            let mut equation = vec![RBig::ZERO; unknown.len() + 1];
            equation[row] = RBig::ONE;
            equation[unknown.len()] =
                if player == 0 { choice.leaving.clone() } else { &choice.leaves - &choice.leaving };
            for (next, (_, chance, _)) in self.next(*place, choice).zip(&choice.stays) {
                match unknown.binary_search(&next) {
                    Ok(column) => equation[column] -= chance,
                    Err(_) => equation[unknown.len()] += chance * &values[next],
                }
            }
            rows.push(equation);
        }
        for (place, value) in unknown.iter().zip(eliminate(rows)?) {
            values[*place] = value;
        }
        Some(values)
    }
}

/// Solves linear equations, with the right-hand side last in each row; returns `None` if there is
/// no unique solution.
fn eliminate(mut rows: Vec<Vec<RBig>>) -> Option<Vec<RBig>> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count).find(|row| !rows[*row][column].is_zero())?;
        rows.swap(column, pivot);
        let scale = RBig::ONE / &rows[column][column];
        let pivot: Vec<RBig> = rows[column].iter().map(|value| value * &scale).collect();
        for row in (0..count).filter(|row| *row != column) {
            let factor = rows[row][column].clone();
            if !factor.is_zero() {
                rows[row]
                    .iter_mut()
                    .zip(&pivot)
                    .for_each(|(value, known)| *value -= &factor * known);
            }
        }
        rows[column] = pivot;
    }
    Some(rows.into_iter().filter_map(|mut row| row.pop()).collect())
}
