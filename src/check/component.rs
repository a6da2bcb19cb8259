//! Loops of any shape, some of them left only by chance: solved by best replies in exact fractions.
//!
//! Starting from the claimed rolls, each player in turn answers the other's fixed rolls as well as can be, until neither
//! gains. An answer is improved (Howard, 1960) while some roll does better once, or while the player could stay for
//! ever, which is worth 1/2, where the present rolls are worth less. When neither player gains the values are those of
//! the game: no play does better against either side's rolls.

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::game::DiceSet;

use super::CheckError;
use super::cell::Found;
use super::loops::Group;
use super::numbers::Numbers;
use super::rounding::nearest_to;
use super::sweep::Pending;

/// The most states of a loop.
const MOST_STATES: usize = 128;
/// The most rounds of best replies; a true claim takes one.
const MOST_ROUNDS: usize = 1000;

/// A draw in a state of the loop.
struct Choice {
    actions: DiceSet,
    /// The mover's win rate from the outcomes that leave, times their chance.
    leaving: RBig,
    /// The chance of leaving.
    leaves: RBig,
    /// The states stayed in: which, with what chance, and whether the other player moves there.
    stays: Vec<(usize, RBig, bool)>,
}

/// Each state twice: with the first player to move, and with the second.
struct Duel {
    choices: Vec<Vec<Choice>>,
    /// The choice of each player in each state.
    policy: [Vec<usize>; 2],
}

fn half() -> RBig {
    RBig::from_parts(IBig::ONE, 2u8.into())
}

/// Solves a group that is no pass loop.
pub(super) fn solve<A: Numbers>(group: &Group<'_, '_, A>) -> Result<Vec<Found<A::Number>>, CheckError> {
    if group.states.len() > MOST_STATES {
        let message = format!("a loop of {} states is not checked; at most {MOST_STATES} are", group.states.len());
        return Err(CheckError::TooLarge(message));
    }
    let choices: Vec<Vec<Choice>> = group.states.iter().map(|state| choices(group, state)).collect();
    let first = |(state, choices): (&&Pending, &Vec<Choice>)| {
        let lowest = state.claimed & state.claimed.wrapping_neg();
        choices.iter().position(|choice| choice.actions & lowest != 0).unwrap_or(0)
    };
    let policy: Vec<usize> = group.states.iter().zip(&choices).map(first).collect();
    let mut duel = Duel { choices, policy: [policy.clone(), policy] };
    let values = duel.settle().ok_or_else(|| group.unsettled())?;
    let claimed: Vec<DiceSet> = group.states.iter().map(|state| state.claimed).collect();
    let endless = duel.endless(&values, &claimed);
    let found = group.states.iter().enumerate().map(|(i, state)| found(group, state, &duel, (&values, &endless), i));
    found.collect::<Option<_>>().ok_or_else(|| group.unsettled())
}

fn choices<A: Numbers>(group: &Group<'_, '_, A>, state: &Pending) -> Vec<Choice> {
    let board = group.board;
    let choice = |draw: &(DiceSet, usize)| {
        let view = group.view(state, draw);
        let total = RBig::from(view.total);
        let mut leaving = RBig::from_parts(IBig::from(view.halves), 2u8.into());
        let (mut stays, mut staying) = (Vec::new(), 0);
        for exit in &view.exits {
            if let Some(member) = group.member(state, exit) {
                staying += exit.weight;
                stays.push((member, RBig::from(exit.weight) / &total, exit.passed));
                continue;
            }
            let spot = board.spot(state.spot.side, exit, board.theirs(state.place));
            let value = &board.sides[spot.side].stages[exit.sum].values[spot.index];
            let value = board.numbers.fraction(board.height(exit.sum), value);
            leaving += RBig::from(exit.weight) * if exit.passed { RBig::ONE - value } else { value };
        }
        let leaves = RBig::from(view.total - staying) / &total;
        Choice { actions: draw.0, leaving: leaving / total, leaves, stays }
    };
    state.draws.iter().map(choice).collect()
}

/// The answer in a state. All actions worth its value are among the best, except that of those which surely stay only
/// the claimed ones are where the mover is ahead, and none where the opponent could then make the game go on for ever:
/// one such action may be safe alone and not together with another's elsewhere, so no set of them is the only right one.
fn found<A: Numbers>(
    group: &Group<'_, '_, A>,
    state: &Pending,
    duel: &Duel,
    (values, endless): (&[RBig], &[bool]),
    i: usize,
) -> Option<Found<A::Number>> {
    // Of two sides each moves in its own states; of one side both players' values are alike.
    let player = state.spot.side;
    let place = duel.place(player, i);
    let seen = |value: RBig| if player == 0 { value } else { RBig::ONE - value };
    let value = seen(values[place].clone());
    let half = half();
    let (mut best, mut free, mut shortfall) = (0, 0, 0.0f64);
    for choice in &duel.choices[i] {
        let worth = seen(duel.worth(player, choice, values));
        let listed = choice.actions & state.claimed != 0;
        let stays_ahead = choice.leaves.is_zero() && value > half;
        let is_endless = stays_ahead && duel.next(place, choice).all(|next| endless[next]);
        if worth == value && !stays_ahead {
            best |= choice.actions;
        } else if worth == value && !(listed && is_endless) {
            free |= choice.actions;
        } else if listed {
            let worth = if worth == value { half.clone() } else { worth };
            shortfall = shortfall.max(nearest_to(&(&value - worth)));
        }
    }
    best |= if best | free & state.claimed == 0 { free } else { free & state.claimed };
    let number = group.board.numbers.number(group.board.height(group.sum), &value)?;
    Some(Found { value: number, near: nearest_to(&value), best, shortfall })
}

impl Duel {
    fn place(&self, player: usize, state: usize) -> usize {
        player * self.choices.len() + state
    }

    /// The first player's win rate with a choice of `player`.
    fn worth(&self, player: usize, choice: &Choice, values: &[RBig]) -> RBig {
        let leaving = if player == 0 { choice.leaving.clone() } else { &choice.leaves - &choice.leaving };
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

    /// The places that a choice at `place` may stay in.
    fn next<'a>(&self, place: usize, choice: &'a Choice) -> impl Iterator<Item = usize> + use<'a> {
        let (count, player) = (self.choices.len(), place / self.choices.len());
        choice.stays.iter().map(move |(state, _, passed)| if *passed { 1 - player } else { player } * count + state)
    }

    /// Best replies until neither player gains; the first player's values by place.
    fn settle(&mut self) -> Option<Vec<RBig>> {
        for _ in 0..MOST_ROUNDS {
            let gains = [self.reply(0)?, self.reply(1)?];
            if gains == [false; 2] {
                return self.values();
            }
        }
        None
    }

    /// Makes the best reply of `player` to the other's policy; true if it is better than the policy so far.
    fn reply(&mut self, player: usize) -> Option<bool> {
        for round in 0..MOST_ROUNDS {
            let values = self.values()?;
            if !self.switch(player, &values) && !self.stay(player, &values) {
                return Some(round > 0);
            }
        }
        None
    }

    /// Switches to choices that are better once; true if there are any.
    fn switch(&mut self, player: usize, values: &[RBig]) -> bool {
        let mut switched = false;
        for state in 0..self.choices.len() {
            let mut most = values[self.place(player, state)].clone();
            for (index, choice) in self.choices[state].iter().enumerate() {
                let worth = self.worth(player, choice, values);
                if if player == 0 { worth > most } else { worth < most } {
                    most = worth;
                    self.policy[player][state] = index;
                    switched = true;
                }
            }
        }
        switched
    }

    /// Switches to staying for ever wherever that can be had and is worth more; true if it is anywhere.
    fn stay(&mut self, player: usize, values: &[RBig]) -> bool {
        let half = half();
        let worse = values.iter().map(|value| if player == 0 { *value < half } else { *value > half }).collect();
        let stays =
            self.closed(worse, |place, choice| place / self.choices.len() == player || self.is_chosen(place, choice));
        for state in 0..self.choices.len() {
            if let Some(choice) = stays[self.place(player, state)] {
                self.policy[player][state] = choice;
            }
        }
        stays.iter().any(Option::is_some)
    }

    /// Where the second player can make the game go on for ever, if the first is ahead and plays the `claimed` actions.
    fn endless(&self, values: &[RBig], claimed: &[DiceSet]) -> Vec<bool> {
        let count = self.choices.len();
        let ahead = values.iter().map(|value| *value > half()).collect();
        let allowed = |place: usize, index: usize| {
            let choice = &self.choices[place % count][index];
            place >= count || (choice.actions & claimed[place] != 0 && self.worth(0, choice, values) == values[place])
        };
        self.closed(ahead, allowed).iter().map(Option::is_some).collect()
    }

    /// The places among `inside` that allowed choices never leave, each with such a choice.
    fn closed(&self, mut inside: Vec<bool>, allowed: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
        loop {
            let keeper = |place: usize| {
                let mut choices = self.choices[place % self.choices.len()].iter().enumerate();
                let keeps =
                    |choice: &Choice| choice.leaves.is_zero() && self.next(place, choice).all(|next| inside[next]);
                choices.position(|(index, choice)| allowed(place, index) && keeps(choice))
            };
            let found: Vec<Option<usize>> =
                (0..inside.len()).map(|place| if inside[place] { keeper(place) } else { None }).collect();
            let left: Vec<bool> = found.iter().map(Option::is_some).collect();
            if left == inside {
                return found;
            }
            inside = left;
        }
    }

    /// The first player's win rates under both policies: 1/2 where play never leaves, elsewhere linear equations.
    fn values(&self) -> Option<Vec<RBig>> {
        let places = 2 * self.choices.len();
        let mut ends: Vec<bool> = (0..places).map(|place| !self.chosen(place).leaves.is_zero()).collect();
        while let Some(place) =
            (0..places).find(|place| !ends[*place] && self.next(*place, self.chosen(*place)).any(|next| ends[next]))
        {
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

/// Solves linear equations, the right-hand side last in each row; `None` if they have no single solution.
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
                rows[row].iter_mut().zip(&pivot).for_each(|(value, known)| *value -= &factor * known);
            }
        }
        rows[column] = pivot;
    }
    Some(rows.into_iter().filter_map(|mut row| row.pop()).collect())
}
