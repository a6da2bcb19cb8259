//! Loops of any shape, including those that are left only by chance: alternating best responses in
//! exact fractions.
//!
//! Starting from the claimed rolls, each player in turn computes a best response to the other's
//! fixed policy, until neither can improve. A best response is found by policy iteration (Howard,
//! 1960): the policy is improved while some other roll is better for one turn, or while the player
//! can stay in the loop for ever (value 1/2) where the current policy wins less. When neither
//! player can improve, the values are those of the game: no policy does better against
//! the other player's.

use std::collections::HashMap;

use dashu_int::IBig;
use dashu_ratio::RBig;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use hog_rules::states::DiceSet;

use super::argmax::Argmax;
use super::cell::{
    Cell, SharedDistribution, Spot, StateSolution, Transition, Transitions, Workspace,
};
use super::error::CheckError;
use super::limits;
use super::numbers::RateArithmetic;
use super::rounding::nearest_to;

/// A state with a turn that may lead back to it: one that leaves the sum of scores unchanged, or
/// any where turns may lower it.
pub(super) struct Pending {
    pub spot: Spot,
    pub place: usize,
    /// The index of its cell among those that have pending states.
    pub cell: usize,
    pub distributions: Vec<SharedDistribution>,
    /// The actions that the claim lists.
    pub claimed: DiceSet,
}

impl Pending {
    /// The sum of its scores, and where its value is stored.
    pub fn at(&self, cells: &[Cell]) -> (usize, Spot) {
        (cells[self.cell].sum, self.spot)
    }
}

/// States that are solved together: a strongly connected component.
pub(super) struct Component<'b, 'a, A: RateArithmetic> {
    pub workspace: &'b Workspace<'a, A>,
    pub cells: &'b [Cell<'a>],
    pub states: Vec<&'b Pending>,
    /// By the sum of the scores and the spot.
    pub place_of: HashMap<(usize, Spot), usize>,
}

impl<A: RateArithmetic> Component<'_, '_, A> {
    /// Returns the index of the component's state to which a transition from `state` leads; `None`
    /// if it leaves the component.
    pub fn member(&self, state: &Pending, transition: &Transition) -> Option<usize> {
        let spot =
            self.workspace.spot(state.spot.side, transition, self.workspace.theirs(state.place));
        self.place_of.get(&(transition.sum, spot)).copied()
    }

    /// The sum of the scores in a state.
    pub fn sum(&self, state: &Pending) -> usize {
        self.cells[state.cell].sum
    }

    /// The height of a state's stage.
    pub fn height(&self, state: &Pending) -> usize {
        self.workspace.height(self.sum(state))
    }

    /// Returns the transitions of a distribution in a state.
    pub fn transitions(&self, state: &Pending, distribution: &SharedDistribution) -> &Transitions {
        &self.cells[state.cell].transitions[distribution.1]
    }

    /// Returns the error that the component's values do not converge.
    pub fn not_converged(&self) -> CheckError {
        let per_cell = self.workspace.reading.space.per_cell();
        let state =
            self.states.first().map_or(0, |s| self.cells[s.cell].number * per_cell + s.place);
        CheckError::NotConverged { state }
    }

    /// Solves a component of a single state that does not lead to itself.
    pub fn alone(&self) -> Result<Vec<StateSolution<A::Number>>, CheckError> {
        let [state] = self.states.as_slice() else { return Err(self.not_converged()) };
        let found = Argmax::new(self.workspace, &self.cells[state.cell], state.spot.side)
            .find(&state.distributions, state.place, state.claimed)
            .ok_or_else(|| self.not_converged())?;
        Ok(vec![found])
    }
}

/// One distribution in a state of the loop.
struct LoopChoice {
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
    choices: Vec<Vec<LoopChoice>>,
    /// The index of each player's choice in each state.
    policy: [Vec<usize>; 2],
}

fn half() -> RBig {
    RBig::from_parts(IBig::ONE, 2u8.into())
}

/// Solves a component with a loop.
pub(super) fn solve<A: RateArithmetic>(
    component: &Component<'_, '_, A>,
) -> Result<Vec<StateSolution<A::Number>>, CheckError> {
    if component.states.len() > limits::LOOP_STATES {
        let message = format!(
            "a loop has {} states; at most {} can be checked",
            component.states.len(),
            limits::LOOP_STATES
        );
        return Err(CheckError::TooLarge(message));
    }
    let mut choices: Vec<Vec<LoopChoice>> = Vec::with_capacity(component.states.len());
    let mut policy = Vec::with_capacity(component.states.len());
    for state in &component.states {
        let distributions = state.distributions.iter();
        let of_state: Vec<LoopChoice> =
            distributions.map(|distribution| choice(component, state, distribution)).collect();
        let lowest = state.claimed & state.claimed.wrapping_neg();
        let first = of_state.iter().position(|choice| choice.actions & lowest != 0);
        policy.push(first.unwrap_or(0));
        choices.push(of_state);
    }
    let mut duel = Duel { choices, policy: [policy.clone(), policy] };
    let values = duel.converge().ok_or_else(|| component.not_converged())?;
    let best = duel.best(&values).ok_or_else(|| component.not_converged())?;
    let found = component
        .states
        .iter()
        .enumerate()
        .map(|(i, state)| found(component, state, &duel, &values, &best, i));
    found.collect::<Option<_>>().ok_or_else(|| component.not_converged())
}

fn choice<A: RateArithmetic>(
    component: &Component<'_, '_, A>,
    state: &Pending,
    distribution: &SharedDistribution,
) -> LoopChoice {
    let workspace = component.workspace;
    let numbers = workspace.numbers;
    let transitions = component.transitions(state, distribution);
    let members = transitions.continuing.iter().map(|next| component.member(state, next));
    let members: Vec<Option<usize>> = members.collect();
    let theirs = workspace.theirs(state.place);
    if members.iter().all(Option::is_none) {
        let sum = component.sum(state);
        let mean = workspace.exact(state.spot.side, sum, transitions, theirs);
        let leaving = numbers.fraction(workspace.height(sum), &mean);
        return LoopChoice {
            actions: distribution.0,
            leaving,
            leaves: RBig::ONE,
            stays: Vec::new(),
        };
    }
    let total = RBig::from(transitions.total);
    let mut leaving = RBig::from_parts(IBig::from(transitions.halves), 2u8.into());
    let mut stays = Vec::new();
    let mut staying = 0;
    for (transition, member) in transitions.continuing.iter().zip(members) {
        if let Some(member) = member {
            staying += transition.weight;
            stays.push((member, RBig::from(transition.weight) / &total, transition.passed));
            continue;
        }
        let spot = workspace.spot(state.spot.side, transition, theirs);
        let value = &workspace.sides[spot.side].stages[transition.sum].values[spot.index];
        let value = numbers.fraction(workspace.height(transition.sum), value);
        leaving += RBig::from(transition.weight)
            * if transition.passed { RBig::ONE - value } else { value };
    }
    let leaves = RBig::from(transitions.total - staying) / &total;
    LoopChoice { actions: distribution.0, leaving: leaving / total, leaves, stays }
}

/// Returns the solution of a state, `best` being the best choices by place.
fn found<A: RateArithmetic>(
    component: &Component<'_, '_, A>,
    state: &Pending,
    duel: &Duel,
    values: &[RBig],
    best: &[Vec<bool>],
    i: usize,
) -> Option<StateSolution<A::Number>> {
    // With two sides, each player moves in the states of one side; with one side, both players have
    // the same values.
    let player = state.spot.side;
    let place = duel.place(player, i);
    let value = seen_by(player, values[place].clone());
    let mut actions = 0;
    let mut shortfall: f64 = 0.0;
    for (choice, is_best) in duel.choices[i].iter().zip(&best[place]) {
        if *is_best {
            actions |= choice.actions;
        } else if choice.actions & state.claimed != 0 {
            let action_value = seen_by(player, duel.action_value(player, choice, values));
            // Who is ahead and stays in the loop for ever gets one half.
            let action_value = if action_value == value { half() } else { action_value };
            shortfall = shortfall.max(nearest_to(&(&value - action_value)));
        }
    }
    let numbers = component.workspace.numbers;
    let height = component.height(state);
    let number = numbers.number(height, &value)?;
    Some(StateSolution {
        near: numbers.nearest(height, &number),
        value: number,
        best: actions,
        shortfall,
    })
}

/// Returns a player's win rate, from the first player's.
fn seen_by(player: usize, value: RBig) -> RBig {
    if player == 0 { value } else { RBig::ONE - value }
}

impl Duel {
    fn place(&self, player: usize, state: usize) -> usize {
        player * self.choices.len() + state
    }

    /// Returns the first player's win rate if `player` moves and takes a choice.
    fn action_value(&self, player: usize, choice: &LoopChoice, values: &[RBig]) -> RBig {
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

    fn chosen(&self, place: usize) -> &LoopChoice {
        let player = place / self.choices.len();
        let state = place % self.choices.len();
        &self.choices[state][self.policy[player][state]]
    }

    /// Returns the places of the loop to which a choice at `place` may lead.
    fn next<'a>(
        &self,
        place: usize,
        choice: &'a LoopChoice,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let count = self.choices.len();
        let player = place / self.choices.len();
        choice.stays.iter().map(
            move |(state, _, passed)| if *passed { 1 - player } else { player } * count + state,
        )
    }

    /// Alternates best responses until neither player improves; returns the first player's values
    /// by place.
    fn converge(&mut self) -> Option<Vec<RBig>> {
        for _ in 0..limits::ROUNDS {
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
        for round in 0..limits::ROUNDS {
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

    /// Returns by place and choice whether it is best: whether it attains the value, and is not
    /// left out of a stalling loop (see docs/proofs.md). `None` if the values are only kept up by a
    /// loop.
    fn best(&self, values: &[RBig]) -> Option<Vec<Vec<bool>>> {
        let mut best = Vec::with_capacity(values.len());
        for (place, value) in values.iter().enumerate() {
            let player = place / self.choices.len();
            let state = place % self.choices.len();
            let mut attains = Vec::with_capacity(self.choices[state].len());
            for choice in &self.choices[state] {
                attains.push(self.action_value(player, choice, values) == *value);
            }
            best.push(attains);
        }
        loop {
            let loop_of = self.stalling_loops(values, &best);
            let mut has_exit = vec![false; values.len()];
            let mut dropped = false;
            for place in 0..values.len() {
                let Some(own) = loop_of[place] else { continue };
                if (place / self.choices.len() == 0) != (values[place] > half()) {
                    continue;
                }
                let stays: Vec<bool> = self.choices[place % self.choices.len()]
                    .iter()
                    .map(|choice| self.stays_in(place, choice, &loop_of))
                    .collect();
                if best[place].iter().zip(&stays).any(|(is_best, stays)| *is_best && !stays) {
                    has_exit[own] = true;
                    for (is_best, stays) in best[place].iter_mut().zip(stays) {
                        dropped |= *is_best && stays;
                        *is_best &= !stays;
                    }
                }
            }
            if loop_of.iter().flatten().any(|own| !has_exit[*own]) {
                return None;
            }
            if !dropped {
                return Some(best);
            }
        }
    }

    /// Returns by place the stalling loop that it is in, named by one of its places: places of one
    /// value, other than one half, that best choices of both players need never leave.
    fn stalling_loops(&self, values: &[RBig], best: &[Vec<bool>]) -> Vec<Option<usize>> {
        let half = half();
        let mut loop_of: Vec<Option<usize>> =
            values.iter().map(|value| (*value != half).then_some(0)).collect();
        loop {
            let mut graph: DiGraph<(), ()> = DiGraph::new();
            let nodes: Vec<_> = values.iter().map(|_| graph.add_node(())).collect();
            let mut kept = vec![false; values.len()];
            for place in (0..values.len()).filter(|place| loop_of[*place].is_some()) {
                for (at, choice) in self.choices[place % self.choices.len()].iter().enumerate() {
                    let mut next = self.next(place, choice);
                    if best[place][at]
                        && next.all(|next| values[next] == values[place])
                        && self.stays_in(place, choice, &loop_of)
                    {
                        kept[place] = true;
                        for next in self.next(place, choice) {
                            graph.update_edge(nodes[place], nodes[next], ());
                        }
                    }
                }
            }
            let mut found = vec![None; values.len()];
            for members in kosaraju_scc(&graph) {
                let least = members.iter().map(|node| node.index()).min();
                for node in members.iter().filter(|node| kept[node.index()]) {
                    found[node.index()] = least;
                }
            }
            if found == loop_of {
                return loop_of;
            }
            loop_of = found;
        }
    }

    /// Whether a choice stays with certainty in the loop of its place.
    fn stays_in(&self, place: usize, choice: &LoopChoice, loop_of: &[Option<usize>]) -> bool {
        choice.leaves.is_zero()
            && self.next(place, choice).all(|next| loop_of[next] == loop_of[place])
    }

    /// Returns, for each place of the largest subset of `inside` that allowed choices need never
    /// leave, such a choice; `None` for all other places.
    fn closed(
        &self,
        mut inside: Vec<bool>,
        allowed: impl Fn(usize, usize) -> bool,
    ) -> Vec<Option<usize>> {
        loop {
            let mut found = vec![None; inside.len()];
            for place in (0..inside.len()).filter(|place| inside[*place]) {
                let mut choices = self.choices[place % self.choices.len()].iter().enumerate();
                found[place] = choices.position(|(index, choice)| {
                    allowed(place, index)
                        && choice.leaves.is_zero()
                        && self.next(place, choice).all(|next| inside[next])
                });
            }
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
            let player = place / self.choices.len();
            let choice = self.chosen(*place);
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
