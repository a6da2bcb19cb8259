//! Large components with chance, by sweeps: value iteration with a proof.
//!
//! A sweep gives each node the value of its best choice, given the values of the others, in an order
//! in which most of a node's successors come before it (Gauss and Seidel). After a few sweeps all
//! changes shrink by nearly the same factor, so the limit is extrapolated (Aitken, 1926). Sweeps
//! start from the value of endless play.
//!
//! **Proof.** Let x be the values found, U = x + u and L = x - l. They are bounds of the true values
//! if no choice is worth more than U when the mover's own values are U and the opponent's L, and
//! some choice is worth at least L when they are the other way round, with all errors of rounding
//! and of the values of leaving added against them, and strictly where U is below or L above one
//! half (interval iteration: Baier et al. 2017). For then the bound is a supermartingale of any play
//! against the choices that reach it: it falls by a margin wherever endless play, which is worth one
//! half, would be better than it, so that no play stays there for ever. Nothing is worth more than 1
//! or less than 0, so bounds beyond need no proof.

use std::ops::Range;

use crate::dice::Weight;
use crate::linear::{Scalar, UNIT};

use crate::solve::components::each_component;

use super::graph::Edge;
use super::values::Approximate;

/// A component whose values outside are known, in doubles. Values are those of the mover.
#[derive(Debug)]
pub(super) struct Inside {
    /// By node, and the end of the last: its first choice.
    first_choice: Vec<u32>,
    /// By choice: the value of leaving by it, times the probability of leaving.
    leaving: Vec<f64>,
    /// By choice: a bound on the error of the value of leaving, in units.
    leave_errors: Vec<f64>,
    /// By choice, and the end of the last: its first edge.
    first_edge: Vec<u32>,
    /// By edge: twice the node it leads to, plus 1 if the same player moves there.
    to: Vec<u32>,
    /// By edge: its probability.
    chance: Vec<f64>,
    /// By choice: whether it may leave.
    leaves: Vec<bool>,
    /// The value of endless play.
    endless: f64,
    /// Whether a choice lets the same player move in the same node again.
    may_stall: bool,
}

impl Inside {
    /// An empty component; `endless` is the value of endless play.
    pub fn with_room(nodes: usize, endless: f64) -> Self {
        let mut first_choice = Vec::with_capacity(nodes + 1);
        first_choice.push(0);
        Self {
            first_choice,
            leaving: Vec::new(),
            leave_errors: Vec::new(),
            first_edge: vec![0],
            to: Vec::new(),
            chance: Vec::new(),
            leaves: Vec::new(),
            endless,
            may_stall: false,
        }
    }

    /// Appends a choice of the node that is being built: the value of leaving by it, and its edges
    /// in the component, each with the node it leads to.
    pub fn push_choice<'e>(
        &mut self,
        leaving: Approximate<f64>,
        total: Weight,
        edges: impl Iterator<Item = (u32, &'e Edge)>,
    ) {
        self.leaving.push(leaving.value);
        self.leave_errors.push(leaving.error);
        let mut staying = 0;
        // Outcomes that lead to the same node often follow each other.
        let mut last: Option<(u32, Weight)> = None;
        for (node, edge) in edges {
            let to = 2 * node + u32::from(edge.again);
            staying += edge.weight;
            match &mut last {
                Some((before, weight)) if *before == to => *weight += edge.weight,
                _ => {
                    self.chance.extend(last.map(|(_, weight)| f64::ratio((), weight, total)));
                    self.to.push(to);
                    last = Some((to, edge.weight));
                }
            }
        }
        let own = self.first_choice.len() as u32 - 1;
        if let Some((to, weight)) = last
            && (to / 2, weight) == (own, total)
        {
            // Who can stay for ever is worth endless play or more, and no more by staying.
            self.may_stall |= to & 1 == 1;
            self.to.pop();
            self.leaving.pop();
            self.leaving.push(self.endless);
            (last, staying) = (None, 0);
        }
        self.chance.extend(last.map(|(_, weight)| f64::ratio((), weight, total)));
        self.leaves.push(staying < total);
        self.first_edge.push(self.to.len() as u32);
    }

    /// Ends a node.
    pub fn end_node(&mut self) {
        self.first_choice.push(self.leaving.len() as u32);
    }

    fn nodes(&self) -> usize {
        self.first_choice.len() - 1
    }

    fn choices(&self, node: usize) -> Range<usize> {
        self.first_choice[node] as usize..self.first_choice[node + 1] as usize
    }

    /// Whether a choice leads to one node with certainty.
    fn is_certain(&self, choice: usize) -> bool {
        self.first_edge[choice] + 1 == self.first_edge[choice + 1]
            && self.chance[self.first_edge[choice] as usize] == 1.0
    }

    /// The edges of a choice: where they lead, and their probabilities.
    #[inline(always)]
    fn edges(&self, choice: usize) -> impl Iterator<Item = (u32, f64)> {
        let edges = self.first_edge[choice] as usize..self.first_edge[choice + 1] as usize;
        self.to[edges.clone()].iter().copied().zip(self.chance[edges].iter().copied())
    }
}

/// The most steps, of two sweeps each, before giving up: of components for which there is no other
/// method, and of others.
const MOST_STEPS: usize = 1500;
const MOST_QUICK_STEPS: usize = 500;
/// Values that only loops keep up are lowered until that has taken so many times as many steps as
/// convergence.
const MOST_TIMES_AS_LONG: usize = 50;
/// Sweeps have converged when no value changes by more units than this.
const CONVERGED: f64 = 32.0;
/// Values that swing by no more than this are due to rounding.
const SMALL_SWINGS: f64 = 16.0 * CLOSE;
/// Closer values count as equal.
const CLOSE: f64 = CONVERGED * UNIT;
/// The part of the progress that convergence takes; the proof takes the rest.
const CONVERGENCE_SHARE: f64 = 0.8;
/// The errors are tried after so many sweeps of them, and given up after so many.
const PROVEN_EVERY: usize = 4;
const SETTLING_SWEEPS: usize = 3;
const MOST_SWEEPS_BY_ALL: usize = 60;
const MOST_SWEEPS_BY_BEST: usize = 200;
/// Where values converge slowly, so do their errors: so many more for each step of convergence, if
/// there is no other method.
const SWEEPS_FOR_STEP: usize = 10;

/// More than the rounding of a sum, as a factor.
const ROUNDED: f64 = 1.0 + 1e-12;

/// A component solved by sweeps.
pub(super) struct Swept {
    /// By node: the value, with a bound on its error in units.
    pub values: Vec<Approximate<f64>>,
    /// Whether choices that may be best may keep play in the component for ever.
    pub may_stall: bool,
}

/// Solves a component. `opposed` tells whether the other player's value is the complement, `quick`
/// whether another method solves what takes many sweeps.
///
/// # Errors
/// Returns the values found if they cannot be proven, or if `go_on`, called with the part of the work
/// that is done, returns false.
pub(super) fn solve(
    inside: &Inside,
    opposed: bool,
    quick: bool,
    go_on: &dyn Fn(f64) -> bool,
) -> Result<Swept, Vec<f64>> {
    if !inside.leaves.contains(&true) {
        let values = vec![Approximate { value: inside.endless, error: 0.0 }; inside.nodes()];
        return Ok(Swept { values, may_stall: false });
    }
    let values = vec![0.0; 2 * inside.nodes()];
    let mut sweeps = Sweeps { inside, opposed, quick, values, go_on };
    (0..inside.nodes()).for_each(|node| sweeps.set(node, inside.endless));
    let proven = sweeps.proven();
    let values = sweeps.values.iter().skip(1).step_by(2).copied();
    let Some((errors, may_stall)) = proven else { return Err(values.collect()) };
    let errors = errors.chunks(2).map(|errors| errors[0].max(errors[1]));
    let values = values.zip(errors).map(|(value, error)| Approximate { value, error });
    Ok(Swept { values: values.collect(), may_stall })
}

struct Sweeps<'s> {
    inside: &'s Inside,
    opposed: bool,
    quick: bool,
    /// By node: its value to the player who does not move there, and to the one who does.
    values: Vec<f64>,
    go_on: &'s dyn Fn(f64) -> bool,
}

impl Sweeps<'_> {
    /// Finds the values; returns the errors for which they are proven, and whether choices that may be
    /// best may keep play in the component for ever.
    fn proven(&mut self) -> Option<(Vec<f64>, bool)> {
        let first = self.converge(true)?;
        if let Some(errors) = Proof::new(self).errors(Reached::ByAll, first) {
            return Some((errors, self.inside.may_stall));
        }
        let mut more = 0;
        while self.opposed && self.deflate() {
            if more > MOST_TIMES_AS_LONG * first {
                return None;
            }
            more += self.converge(false)?;
        }
        Some((Proof::new(self).errors(Reached::ByBest, first)?, true))
    }

    #[inline(always)]
    fn set(&mut self, node: usize, value: f64) {
        // A multiple of the unit, so that its complement is exact.
        let value = if value < 0.5 { (value + 0.5) - 0.5 } else { value };
        self.values[2 * node] = if self.opposed { 1.0 - value } else { value };
        self.values[2 * node + 1] = value;
    }

    #[inline(always)]
    fn value(&self, choice: usize) -> f64 {
        let edges = self.inside.edges(choice);
        edges.fold(self.inside.leaving[choice], |sum, (to, chance)| {
            sum + chance * self.values[to as usize]
        })
    }

    /// The value of a choice that stays and leads to one value alone: a mean that needs no rounding.
    fn level(&self, choice: usize) -> Option<f64> {
        let mut values = self.inside.edges(choice).map(|(to, _)| self.values[to as usize]);
        let value = values.next().filter(|_| !self.inside.leaves[choice])?;
        values.all(|other| other == value).then_some(value)
    }

    /// Lowers values that only a loop keeps up: the player who is ahead in it can get no more than by
    /// the best choice that leads out (deflating: Kelmendi, Kramer, Kretinsky and Weininger, 2018).
    /// Returns whether any value was lowered.
    fn deflate(&mut self) -> bool {
        // By node: whether its mover is ahead or behind.
        let ahead: Vec<Option<bool>> = (0..self.inside.nodes())
            .map(|node| {
                let lead = self.values[2 * node + 1] - 0.5;
                (lead.abs() > CLOSE).then_some(lead > 0.0)
            })
            .collect();
        let mut lowered = false;
        let mut is_member = vec![false; self.inside.nodes()];
        for members in self.loops_that_last(&ahead) {
            let members = || members.iter().map(|node| *node as usize);
            members().for_each(|node| is_member[node] = true);
            let exits = members()
                .filter(|node| ahead[*node] == Some(true))
                .flat_map(|node| self.inside.choices(node).map(move |choice| (node, choice)))
                .filter(|(node, choice)| !self.stays(*node, *choice, &is_member, &ahead));
            let most = exits.map(|(_, choice)| self.value(choice)).fold(0.5, f64::max);
            for node in members() {
                let value = self.values[2 * node + 1];
                // All nodes of the loop have the same value exactly, or are worth less.
                let lead = if ahead[node] == Some(true) { value } else { 1.0 - value };
                lowered |= lead > most + CLOSE;
                if lead >= most - CLOSE {
                    self.set(node, if ahead[node] == Some(true) { most } else { 1.0 - most });
                }
                is_member[node] = false;
            }
        }
        lowered
    }

    /// Returns the loops in which play may stay for ever although a player is ahead, each after those
    /// that it leads to: all best choices of the player who is ahead stay there, and some of the
    /// other's.
    fn loops_that_last(&self, ahead: &[Option<bool>]) -> Vec<Vec<u32>> {
        let nodes = self.inside.nodes();
        let may_be_played = |node: usize, choice: usize| {
            ahead[node] == Some(false) || self.value(choice) >= self.values[2 * node + 1] - CLOSE
        };
        let mut kept: Vec<bool> = ahead.iter().map(Option::is_some).collect();
        loop {
            let mut removed = false;
            for node in 0..nodes {
                let mut choices = self.inside.choices(node);
                let stays = |choice: usize| self.stays(node, choice, &kept, ahead);
                let is_kept = match ahead[node] {
                    Some(true) => {
                        choices.all(|choice| !may_be_played(node, choice) || stays(choice))
                    }
                    _ => choices.any(stays),
                };
                removed |= kept[node] && !is_kept;
                kept[node] &= is_kept;
            }
            if !removed {
                break;
            }
        }
        let append_targets = |node: usize, targets: &mut Vec<u32>| {
            if kept[node] {
                let choices = self.inside.choices(node).filter(|choice| {
                    may_be_played(node, *choice) && self.stays(node, *choice, &kept, ahead)
                });
                targets.extend(
                    choices.flat_map(|choice| self.inside.edges(choice)).map(|(to, _)| to / 2),
                );
            }
        };
        let mut loops = Vec::new();
        let collect = |component: &[u32]| {
            // No choice leads from a node to itself with certainty.
            if component.len() > 1 && kept[component[0] as usize] {
                loops.push(component.to_vec());
            }
            Ok::<(), ()>(())
        };
        each_component(nodes, append_targets, collect).expect("nothing fails");
        loops
    }

    /// Whether a choice stays with certainty in a set of nodes, where the same player is ahead.
    fn stays(&self, node: usize, choice: usize, set: &[bool], ahead: &[Option<bool>]) -> bool {
        let same = |to: u32| (to & 1 == 1) == (ahead[to as usize / 2] == ahead[node]);
        !self.inside.leaves[choice]
            && self.inside.edges(choice).all(|(to, _)| set[to as usize / 2] && same(to))
    }

    /// Gives nodes whose best choice moves on with certainty exactly the value of its target, which
    /// may have changed since.
    fn settle(&mut self) {
        for node in (0..SETTLING_SWEEPS).flat_map(|_| 0..self.inside.nodes()) {
            let value = self.values[2 * node + 1];
            let better = self.inside.choices(node).filter(|choice| self.inside.is_certain(*choice));
            let better = better.map(|choice| self.value(choice)).fold(0.0, f64::max);
            if better > 0.0 && (better - value).abs() <= CLOSE {
                self.set(node, better);
            }
        }
    }

    /// Gives each node the value of its best choice; returns the largest change.
    fn sweep(&mut self) -> f64 {
        let mut largest: f64 = 0.0;
        for node in 0..self.inside.nodes() {
            let values = self.inside.choices(node).map(|choice| self.value(choice));
            let best = values.fold(0.0, f64::max);
            largest = largest.max((best - self.values[2 * node + 1]).abs());
            self.set(node, best);
        }
        largest
    }

    /// Sweeps until no value changes; returns the number of steps, or `None` if they do not converge.
    fn converge(&mut self, extrapolates: bool) -> Option<usize> {
        let nodes = self.inside.nodes();
        let (mut before, mut start) = (vec![0.0; nodes], vec![0.0; nodes]);
        let (mut factor_before, mut done) = (0.0, 0.0);
        let mut swings = Swings::default();
        for step in 0..if self.quick { MOST_QUICK_STEPS } else { MOST_STEPS } {
            for (start, value) in start.iter_mut().zip(self.values.iter().skip(1).step_by(2)) {
                *start = *value;
            }
            // Two sweeps make a step, because errors may change their sign with the player.
            self.sweep();
            if !(self.go_on)(done) {
                return None;
            }
            let largest = self.sweep();
            if largest <= CLOSE {
                self.settle();
                return Some(step + 1);
            }
            if swings.are_seen(step, &self.values) {
                return (largest <= SMALL_SWINGS).then_some(step + 1);
            }
            let digits = largest.min(1.0).ln() / CLOSE.ln();
            done = f64::max(done, CONVERGENCE_SHARE * digits);
            let (mut shared, mut square) = (0.0, 0.0);
            for (node, before) in before.iter_mut().enumerate() {
                let moved = self.values[2 * node + 1] - start[node];
                shared += moved * *before;
                square += *before * *before;
                *before = moved;
            }
            let factor = if square > 0.0 { shared / square } else { 0.0 };
            let steady = extrapolates
                && (factor - factor_before).abs() < 0.05
                && (0.02..0.995).contains(&factor);
            factor_before = factor;
            if steady {
                let ahead = factor / (1.0 - factor);
                for (node, moved) in before.iter_mut().enumerate() {
                    let value = self.values[2 * node + 1] + ahead * *moved;
                    self.set(node, value.clamp(0.0, 1.0));
                    *moved = 0.0;
                }
                factor_before = 0.0;
            }
        }
        None
    }
}

/// Values for ever changing to and fro, as of states where each player passes to the other, found by
/// remembering those of one step among twice as many (Brent, 1980).
#[derive(Default)]
struct Swings {
    remembered: Vec<f64>,
}

impl Swings {
    /// Whether the values that still change are those of an earlier step.
    fn are_seen(&mut self, step: usize, values: &[f64]) -> bool {
        let is_same = |(value, before): (&f64, &f64)| (value - before).abs() <= CLOSE;
        let seen = !self.remembered.is_empty() && values.iter().zip(&self.remembered).all(is_same);
        if step.is_power_of_two() {
            self.remembered = values.to_vec();
        }
        seen
    }
}

/// Which choices reach the lower bound of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// All that may be best: then none of them stays in the component for ever where the mover is
    /// ahead.
    ByAll,
    ByBest,
}

/// The search for bounds on the errors of values. All numbers are in units.
struct Proof<'s> {
    sweeps: &'s Sweeps<'s>,
    /// By choice: the errors of leaving and of rounding; none if it stays and leads to one value alone.
    own: Vec<f64>,
    /// By choice: how much less it is worth than its node.
    loss: Vec<f64>,
}

impl<'s> Proof<'s> {
    fn new(sweeps: &'s Sweeps) -> Self {
        let (inside, mut proof) =
            (sweeps.inside, Self { sweeps, own: Vec::new(), loss: Vec::new() });
        for node in 0..inside.nodes() {
            for choice in inside.choices(node) {
                // Each probability, product and sum is rounded, and the value to a multiple.
                let rounding = (inside.edges(choice).count() + 5) as f64;
                let level = sweeps.level(choice);
                let own =
                    if level.is_some() { 0.0 } else { inside.leave_errors[choice] + rounding };
                proof.own.push(own);
                let value = level.unwrap_or_else(|| sweeps.value(choice));
                proof.loss.push((sweeps.values[2 * node + 1] - value) / UNIT);
            }
        }
        proof
    }

    /// The errors of a choice of a node, above and below its value: those of its successors, its
    /// own, times `turns`, and the margin by which bounds must be strict: always, but for choices
    /// that move on with certainty where endless play is no better than the bound.
    fn errors_of(&self, node: usize, choice: usize, turns: f64, errors: &[f64]) -> [f64; 2] {
        let (mut above, mut below): (f64, f64) = (0.0, 0.0);
        let (mut most_above, mut most_below): (f64, f64) = (0.0, 0.0);
        for (to, chance) in self.sweeps.inside.edges(choice) {
            // The opponent's lower bound is the mover's upper one.
            let place = if self.sweeps.opposed { to } else { to | 1 } as usize;
            above += chance * errors[place];
            below += chance * errors[place ^ 1];
            most_above = most_above.max(errors[place]);
            most_below = most_below.max(errors[place ^ 1]);
        }
        let (own, half) = (self.own[choice], 0.5 / UNIT);
        if own > 0.0 {
            let of_turn = turns * (own + CONVERGED);
            return [above, below].map(|sum| of_turn + sum * ROUNDED);
        }
        let value = self.sweeps.values[2 * node + 1] / UNIT;
        let margin = |strict: bool| if strict { turns * CONVERGED } else { 0.0 };
        // However its sum is rounded, a mean is no larger than its largest number.
        (above, below) = ((above * ROUNDED).min(most_above), (below * ROUNDED).min(most_below));
        [
            above + margin(value + errors[2 * node + 1] < half),
            below + margin(value - errors[2 * node] > half),
        ]
    }

    /// Returns errors for which the bounds are proven, by node: below its value, above it. `steps` is
    /// how many the values took to converge.
    fn errors(&self, reached: Reached, steps: usize) -> Option<Vec<f64>> {
        let nodes = self.sweeps.inside.nodes();
        let mut errors = vec![0.0; 2 * nodes];
        let most = match reached {
            Reached::ByAll => MOST_SWEEPS_BY_ALL,
            Reached::ByBest if self.sweeps.quick => MOST_SWEEPS_BY_BEST,
            Reached::ByBest => MOST_SWEEPS_BY_BEST + SWEEPS_FOR_STEP * steps,
        };
        for sweep in 1..=most {
            if !(self.sweeps.go_on)(CONVERGENCE_SHARE) {
                return None;
            }
            (0..nodes).for_each(|node| self.raise(node, reached, |_| true, &mut errors));
            if sweep % PROVEN_EVERY != 0 {
                continue;
            }
            // Choices without errors of their own have no slack, so they must follow exactly.
            for _ in 0..SETTLING_SWEEPS {
                let certain = |choice: usize| self.own[choice] == 0.0;
                (0..nodes).for_each(|node| self.raise(node, reached, certain, &mut errors));
            }
            if (0..nodes).all(|node| self.is_proven(node, reached, &errors)) {
                return Some(errors);
            }
        }
        None
    }

    /// Raises the errors of a node to what those of its successors require for the choices that
    /// `counts` names, with twice the errors of its own turn, so that few sweeps suffice.
    fn raise(
        &self,
        node: usize,
        reached: Reached,
        counts: impl Fn(usize) -> bool,
        errors: &mut [f64],
    ) {
        let [below, above] = [errors[2 * node], errors[2 * node + 1]];
        let (mut upper, mut all, mut best): (f64, f64, f64) = (above, below, f64::INFINITY);
        for choice in self.sweeps.inside.choices(node) {
            let [up, down] = self.errors_of(node, choice, 2.0, errors);
            best = best.min(self.loss[choice] + down);
            // As long as the errors grow, more choices may be best.
            if counts(choice) && self.loss[choice] <= 2.0 * (above + up) {
                upper = upper.max(up);
                all = all.max(down);
            }
        }
        errors[2 * node + 1] = upper;
        errors[2 * node] = match reached {
            Reached::ByAll => all,
            Reached::ByBest => best.max(below),
        };
    }

    fn is_proven(&self, node: usize, reached: Reached, errors: &[f64]) -> bool {
        let value = self.sweeps.values[2 * node + 1] / UNIT;
        let [below, above] = [errors[2 * node], errors[2 * node + 1]];
        let mut is_reached = value <= below;
        self.sweeps.inside.choices(node).all(|choice| {
            let [up, down] = self.errors_of(node, choice, 1.0, errors);
            let loss = self.loss[choice];
            is_reached |= loss + down <= below;
            let may_be_best = loss <= above.max(below) + up.max(down);
            let is_kept = reached == Reached::ByBest || !may_be_best || down <= below;
            is_kept && (up - loss <= above || value + above >= 1.0 / UNIT)
        }) && is_reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of leaving, times its probability; and the edges: node, same player, weight of six.
    type TestChoice<'t> = (f64, &'t [(u32, bool, Weight)]);

    fn inside(nodes: &[&[TestChoice]]) -> Inside {
        let mut inside = Inside::with_room(nodes.len(), 0.5);
        for choices in nodes {
            for (value, edges) in *choices {
                let edges: Vec<Edge> = edges
                    .iter()
                    .map(|(node, again, weight)| Edge {
                        node: *node,
                        again: *again,
                        weight: *weight,
                    })
                    .collect();
                let leaving = Approximate { value: *value, error: 0.0 };
                inside.push_choice(leaving, 6, edges.iter().map(|edge| (edge.node, edge)));
            }
            inside.end_node();
        }
        inside
    }

    #[test]
    fn the_first_to_roll_a_six_wins_with_six_in_eleven() {
        let game = inside(&[&[(1.0 / 6.0, &[(0, false, 5)])]]);
        let found =
            solve(&game, true, false, &|_| true).unwrap_or_else(|values| panic!("{values:?}"));
        let Approximate { value, error } = found.values[0];
        assert!((value - 6.0 / 11.0).abs() <= error * UNIT && error < 1000.0, "{value} {error}");
    }

    #[test]
    fn play_that_may_stay_for_ever_is_worth_one_half() {
        // Both players may pass for ever; leaving is worth less.
        let game = inside(&[&[(0.25, &[]), (0.0, &[(0, false, 6)])]]);
        let found =
            solve(&game, true, false, &|_| true).unwrap_or_else(|values| panic!("{values:?}"));
        assert_eq!((found.values[0].value, found.may_stall), (0.5, false), "nobody is ahead");
    }

    #[test]
    fn a_player_who_is_ahead_may_stall_but_not_for_ever() {
        // The first leaves with 3/4, or passes; the second can only pass.
        let game = inside(&[&[(0.75, &[]), (0.0, &[(1, false, 6)])], &[(0.0, &[(0, false, 6)])]]);
        let found =
            solve(&game, true, false, &|_| true).unwrap_or_else(|values| panic!("{values:?}"));
        let values: Vec<f64> = found.values.iter().map(|value| value.value).collect();
        assert_eq!((&values[..], found.may_stall), (&[0.75, 0.25][..], true));
    }
}
