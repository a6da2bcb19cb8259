//! Value iteration in doubles, as long as it converges quickly.
//!
//! A sweep gives each node the value of its best choice, given the values of the others, in the
//! order of the nodes (Gauss and Seidel). After a few sweeps all changes shrink by nearly the same
//! factor, so the limit is extrapolated (Aitken, 1926). Sweeps start from the value of endless
//! play. Values may be kept up by a loop of both players' best choices for ever, as those who are
//! ahead wait for what can no longer be had: these are lowered to those of the loop's best exit
//! (*deflating*: Kelmendi, Kramer, Kretinsky and Weininger 2018). What is found proves nothing yet:
//! see [`proof`](super::proof).

use crate::linear::{GoOn, Number, UNIT};

use super::{Component, Unsolved};

/// Values have converged when no sweep changes one by more units than this.
pub(super) const CONVERGED: f64 = 32.0;
/// The most sweeps that raise the errors of such values.
pub(super) const RAISING: usize = 120;
/// The most sweeps before policy iteration takes over: about the time of one elimination.
const SWEEPS: usize = 1000;
/// A factor is steady if it differs by less from that of the step before.
const STEADY: f64 = 0.05;

/// Values found by sweeps.
pub(super) struct SweptValues {
    /// By node: the mover's value.
    pub values: Vec<f64>,
    pub has_converged: bool,
}

/// Sweeps a component until its values converge, or it is clear that this takes too many sweeps.
pub(super) fn solve(component: &Component<f64>, go_on: GoOn) -> Result<SweptValues, Unsolved> {
    let nodes = component.nodes();
    // By node: its value to the player who does not move there, and to the one who does.
    let mut both = component.both(&vec![component.endless; nodes]);
    let mut before = vec![0.0; nodes];
    let mut start = vec![0.0; nodes];
    let mut factor_before = 0.0;
    let mut has_converged = false;
    for _ in 0..SWEEPS / 2 {
        for (start, value) in start.iter_mut().zip(both.iter().skip(1).step_by(2)) {
            *start = *value;
        }
        // Two sweeps make a step, because errors may change their sign with the player.
        sweep(component, &mut both);
        if !go_on() {
            return Err(Unsolved::Stopped);
        }
        if sweep(component, &mut both) <= CONVERGED * UNIT {
            has_converged = !lower(component, &mut both);
            if has_converged {
                break;
            }
            before.fill(0.0);
            continue;
        }
        let mut shared = 0.0;
        let mut square = 0.0;
        for (node, before) in before.iter_mut().enumerate() {
            let moved = both[2 * node + 1] - start[node];
            shared += moved * *before;
            square += *before * *before;
            *before = moved;
        }
        let factor = if square > 0.0 { shared / square } else { 0.0 };
        if (factor - factor_before).abs() < STEADY && (0.02..0.995).contains(&factor) {
            let ahead = factor / (1.0 - factor);
            for (node, moved) in before.iter_mut().enumerate() {
                let value = both[2 * node + 1] + ahead * *moved;
                set(&mut both, node, value.clamp(0.0, 1.0));
                *moved = 0.0;
            }
            factor_before = 0.0;
        } else {
            factor_before = factor;
        }
    }
    if has_converged {
        settle(component, &mut both);
    }
    Ok(SweptValues { values: of_movers(&both), has_converged })
}

/// Replaces the values at the start of a sweep by how far it moved them; returns the part of the
/// change of these movements that would undo them best, in the mean over all nodes.
fn moved_since(both: &[f64], start: &mut [f64], moved_before: &[f64]) -> f64 {
    let mut shared = 0.0;
    let mut square = 0.0;
    for (node, (start, before)) in start.iter_mut().zip(moved_before).enumerate() {
        let moved = both[2 * node + 1] - *start;
        let change = moved - before;
        shared += moved * change;
        square += change * change;
        *start = moved;
    }
    if square > 0.0 { shared / square } else { 0.0 }
}

/// As [`solve`], for components in which few nodes lead to nodes after them, so that a sweep solves
/// all others: the values to sweep next are extrapolated from the last two sweeps (Anderson, 1965).
/// Choices that are clearly not the best are left out until the values have converged without them.
pub(super) fn solve_mixed(
    component: &Component<f64>,
    near: Option<&[f64]>,
    go_on: GoOn,
) -> Result<SweptValues, Unsolved> {
    let nodes = component.nodes();
    let mut both = match near {
        Some(near) => component.both(near),
        None => component.both(&vec![component.endless; nodes]),
    };
    let mut found_before = vec![0.0; nodes];
    let mut moved_before = vec![0.0; nodes];
    let mut start = vec![0.0; nodes];
    let mut choices = SweptChoices::all(component);
    let mut has_converged = false;
    for sweeps in 0..SWEEPS {
        for (start, value) in start.iter_mut().zip(both.iter().skip(1).step_by(2)) {
            *start = *value;
        }
        if !go_on() {
            return Err(Unsolved::Stopped);
        }
        let largest = choices.sweep(component, &mut both);
        if largest <= CONVERGED * UNIT {
            if choices.are_all {
                has_converged = !lower(component, &mut both);
            }
            if has_converged {
                break;
            }
            choices.are_all = true;
        } else {
            choices.leave_out(component, largest);
        }
        let part = moved_since(&both, &mut start, &moved_before);
        let part = if sweeps > 0 && part.abs() < MOST_MIXED { part } else { 0.0 };
        for node in 0..nodes {
            let found = both[2 * node + 1];
            let mixed = found - part * (found - found_before[node]);
            set(&mut both, node, mixed.clamp(0.0, 1.0));
            found_before[node] = found;
        }
        std::mem::swap(&mut moved_before, &mut start);
    }
    if has_converged {
        settle(component, &mut both);
    }
    Ok(SweptValues { values: of_movers(&both), has_converged })
}

/// Beyond this an extrapolation is no estimate.
const MOST_MIXED: f64 = 4.0;
/// Choices are left out that are worse by so many times the largest change of the last sweep.
const LEFT_OUT: f64 = 64.0;

/// The choices that are swept.
struct SweptChoices {
    are_all: bool,
    is_left_out: Vec<bool>,
    /// By choice: its value when it was swept last.
    values: Vec<f64>,
    room: Vec<f64>,
}

impl SweptChoices {
    fn all(component: &Component<f64>) -> Self {
        let count = component.exit.len();
        Self {
            are_all: true,
            is_left_out: vec![false; count],
            values: vec![0.0; count],
            room: Vec::new(),
        }
    }

    /// As [`sweep`].
    fn sweep(&mut self, component: &Component<f64>, both: &mut [f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for node in 0..component.nodes() {
            let mut best: f64 = 0.0;
            for choice in component.choices(node) {
                if self.are_all || !self.is_left_out[choice] {
                    self.values[choice] = component.value_by(choice, both, &mut self.room);
                    best = best.max(self.values[choice]);
                }
            }
            largest = largest.max((best - both[2 * node + 1]).abs());
            set(both, node, best);
        }
        largest
    }

    /// After all choices were swept, leaves out those that are worse by far more than the largest
    /// change.
    fn leave_out(&mut self, component: &Component<f64>, largest: f64) {
        if !self.are_all || largest * LEFT_OUT > 1.0 {
            return;
        }
        for node in 0..component.nodes() {
            let of_node = component.choices(node);
            let best = self.values[of_node.clone()].iter().copied().fold(0.0, f64::max);
            for choice in of_node {
                self.is_left_out[choice] = self.values[choice] < best - LEFT_OUT * largest;
            }
        }
        self.are_all = false;
    }
}

/// Lowers the values that a loop keeps up, if there are any, to those of its best exits.
fn lower(component: &Component<f64>, both: &mut [f64]) -> bool {
    let values = of_movers(both);
    let mut lowered = false;
    for kept_up in component.kept_up(&values, 2.0 * CONVERGED) {
        let value = kept_up.best_exit.max(component.endless);
        for node in kept_up.nodes {
            let is_ahead = values[node] > component.endless;
            set(both, node, if is_ahead { value } else { 1.0 - value });
            lowered = true;
        }
    }
    lowered
}

/// The sweeps that make values of a component follow from each other but for their last digits.
const SMOOTHING: usize = 4;

/// Makes values that are right, but for the rounding of some other method, follow from each other:
/// what they are off would count against their bounds in each turn.
pub(super) fn smoothed(component: &Component<f64>, values: &[f64]) -> Vec<f64> {
    let mut both = component.both(values);
    for _ in 0..SMOOTHING {
        sweep(component, &mut both);
    }
    settle(component, &mut both);
    of_movers(&both)
}

/// The values to those who move.
fn of_movers(both: &[f64]) -> Vec<f64> {
    both.iter().skip(1).step_by(2).copied().collect()
}

#[inline(always)]
fn set(both: &mut [f64], node: usize, value: f64) {
    let value = value.to_grain();
    both[2 * node] = 1.0 - value;
    both[2 * node + 1] = value;
}

/// Gives each node the value of its best choice; returns the largest change.
fn sweep(component: &Component<f64>, both: &mut [f64]) -> f64 {
    let mut largest: f64 = 0.0;
    let mut room = Vec::new();
    for node in 0..component.nodes() {
        let mut best: f64 = 0.0;
        for choice in component.choices(node) {
            best = best.max(component.value_by(choice, both, &mut room));
        }
        largest = largest.max((best - both[2 * node + 1]).abs());
        set(both, node, best);
    }
    largest
}

/// The most rounds in which nodes are given exactly the values that they lead to.
const SETTLING: usize = 3;

/// Gives nodes whose best choice moves on with certainty exactly the value of its target, which may
/// have changed since.
fn settle(component: &Component<f64>, both: &mut [f64]) {
    for node in (0..SETTLING).flat_map(|_| 0..component.nodes()) {
        let mut best: f64 = 0.0;
        for choice in component.choices(node) {
            let is_certain = component.edges(choice).len() == 1 && !component.may_leave(choice);
            if is_certain && !component.has_menus(choice) {
                best = best.max(component.value(choice, both));
            }
        }
        if best > 0.0 && (best - both[2 * node + 1]).abs() <= CONVERGED * UNIT {
            set(both, node, best);
        }
    }
}
