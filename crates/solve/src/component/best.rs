//! Which choices are best, once all values are known.
//!
//! A choice is best if it is worth as much as its node. One kind is left out. In a *stalling loop*
//! the best choices of both players can keep play for ever although one of them is ahead, by one
//! and the same lead. There the best choices of that player that are certain to stay in the loop
//! are left out at each node that has one that may lead out, at all such nodes at once; and so on
//! with the loops that are left. What remains is one set for each node, and any play by these sets
//! keeps the value: `docs/proofs.md` has the proof.

use std::collections::{BTreeMap, BTreeSet};

use crate::linear::{Number, each_component};

use super::places::shrink;
use super::{Component, Solved};

/// How close values count as equal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tolerance {
    /// Choices tie within this and the errors of their values.
    pub tie: f64,
    /// Choices are as good as each other, for choosing one.
    pub equal: f64,
}

/// What is best in a component.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    /// By choice: whether it may be worth as much as its node.
    pub may_be_best: Vec<bool>,
    /// By choice: whether it is one of the best.
    pub is_best: Vec<bool>,
    /// By node: the first of the best choices that is as good as any of them.
    pub chosen: Vec<u32>,
}

/// A loop whose values only the loop itself keeps up.
pub(super) struct KeptUp {
    pub nodes: Vec<usize>,
    /// The best value that the player who is ahead can leave it for.
    pub best_exit: f64,
}

impl Component<f64> {
    /// Finds the loops of best choices in which one player is ahead and has no best choice that
    /// leads out, where values are off by so many units.
    pub(super) fn kept_up(&self, values: &[f64], off: f64) -> Vec<KeptUp> {
        if !self.exit.contains(&0.0) {
            return Vec::new();
        }
        let errors = vec![[off; 2]; values.len()];
        let solved = Solved { values: values.to_vec(), errors };
        let decided = self.values_of_choices(&solved, Tolerance::default());
        let ahead: Vec<Option<bool>> = (0..self.nodes())
            .map(|node| self.is_ahead(node, &solved, Tolerance::default()))
            .collect();
        let loop_of = self.stalling_loops(&ahead, &decided.may_be_best);
        let mut found: BTreeMap<u32, KeptUp> = BTreeMap::new();
        let mut left = BTreeSet::new();
        for node in 0..self.nodes() {
            let Some(own) = loop_of[node] else { continue };
            let of_loop = found.entry(own).or_insert(KeptUp { nodes: Vec::new(), best_exit: 0.0 });
            of_loop.nodes.push(node);
            if ahead[node] != Some(true) {
                continue;
            }
            for choice in self.choices(node) {
                if self.stays(node, choice, &loop_of, &ahead) {
                    continue;
                }
                of_loop.best_exit = of_loop.best_exit.max(decided.of_choices[choice]);
                if decided.may_be_best[choice] {
                    left.insert(own);
                }
            }
        }
        found.retain(|own, _| !left.contains(own));
        found.into_values().collect()
    }
}

/// The values of choices.
struct Compared<N> {
    of_choices: Vec<N>,
    /// By choice: see [`Decided`].
    may_be_best: Vec<bool>,
    /// By node: its choice of the largest value; of equals the last.
    top: Vec<usize>,
}

impl<N: Number> Component<N> {
    /// Finds the best choices of all nodes.
    pub(crate) fn decide(&self, solved: &Solved<N>, tolerance: Tolerance) -> Decided {
        let Compared { of_choices, may_be_best, top } = self.values_of_choices(solved, tolerance);
        let mut is_best = may_be_best.clone();
        if self.has_edges && self.exit.contains(&N::ZERO) {
            let ahead: Vec<Option<bool>> =
                (0..self.nodes()).map(|node| self.is_ahead(node, solved, tolerance)).collect();
            if !self.leave_out_stalling(&ahead, &mut is_best) {
                // Within the tolerance no set of choices may keep the values: only the top ones do.
                is_best.fill(false);
                top.iter().for_each(|choice| is_best[*choice] = true);
            }
        }
        let equal = self.within(tolerance.equal, 0.0);
        let mut chosen = Vec::with_capacity(self.nodes());
        for (node, top) in top.into_iter().enumerate() {
            let mut listed = self.choices(node).filter(|choice| is_best[*choice]);
            let mut most = listed.next().unwrap_or(top);
            for choice in listed {
                most = if of_choices[choice] > of_choices[most] { choice } else { most };
            }
            is_best[most] = true;
            let mut listed = self.choices(node).filter(|choice| is_best[*choice]);
            let first = listed.find(|choice| of_choices[most].minus(&of_choices[*choice]) <= equal);
            chosen.push(first.unwrap_or(most) as u32);
        }
        Decided { may_be_best, is_best, chosen }
    }

    fn values_of_choices(&self, solved: &Solved<N>, tolerance: Tolerance) -> Compared<N> {
        let mut of_choices = self.leaving.clone();
        if self.has_edges || self.menus.is_some() {
            let both = self.both(&solved.values);
            let mut room = Vec::new();
            for (choice, value) in of_choices.iter_mut().enumerate() {
                *value = self.value_by(choice, &both, &mut room);
            }
        }
        let mut most_error: f64 = 0.0;
        if self.menus.is_some() {
            most_error = self.most_error_of_targets();
            for error in solved.errors.iter().flatten() {
                most_error = most_error.max(*error);
            }
        }
        let mut may_be_best = vec![false; of_choices.len()];
        let mut top = Vec::with_capacity(self.nodes());
        for node in 0..self.nodes() {
            // Of equals the last, which leaves if any of them does.
            let mut best = self.choices(node).start;
            for choice in self.choices(node) {
                best = if of_choices[choice] >= of_choices[best] { choice } else { best };
            }
            let error = self.error(best, solved, most_error);
            for choice in self.choices(node) {
                let short = of_choices[best].minus(&of_choices[choice]);
                let errors = self.error(choice, solved, most_error) + error;
                may_be_best[choice] = short <= self.within(tolerance.tie, errors);
            }
            top.push(best);
        }
        Compared { of_choices, may_be_best, top }
    }

    /// A bound on the error of a choice's value, in units; `most` bounds the errors of all nodes.
    fn error(&self, choice: usize, solved: &Solved<N>, most: f64) -> f64 {
        if N::IS_EXACT {
            return 0.0;
        }
        let mut error = self.leaving_error[choice] + self.error_of_menus(choice, most);
        for (to, chance) in self.steps(choice) {
            let [below, above] = solved.errors[to / 2];
            error += chance.to_double() * (below.max(above) + 3.0) + 1.0;
        }
        error
    }

    /// Whether the mover at a node is ahead, or behind; `None` if neither is certain.
    fn is_ahead(&self, node: usize, solved: &Solved<N>, tolerance: Tolerance) -> Option<bool> {
        let lead = solved.values[node].minus(&self.endless);
        if lead == N::ZERO {
            return None;
        }
        let [below, above] = solved.errors[node];
        let within = self.within(tolerance.tie, below.max(above));
        let is_certain = lead > within || N::ZERO.minus(&lead) > within;
        is_certain.then(|| lead > N::ZERO)
    }

    /// A tolerance, and errors in units, as a number: 1 if they are infinite.
    fn within(&self, tolerance: f64, errors: f64) -> N {
        if !errors.is_finite() {
            return N::ONE;
        }
        N::from_double(tolerance).plus(&N::units(errors))
    }

    /// Removes from the best choices those by which a player who is ahead would let play stay in a
    /// stalling loop; returns false if the values are such that it may not be left.
    fn leave_out_stalling(&self, ahead: &[Option<bool>], is_best: &mut [bool]) -> bool {
        loop {
            let loop_of = self.stalling_loops(ahead, is_best);
            let mut exits = vec![false; self.nodes()];
            let mut dropped = Vec::new();
            for node in 0..self.nodes() {
                let Some(own) = loop_of[node] else { continue };
                if ahead[node] != Some(true) {
                    continue;
                }
                let best = self.choices(node).filter(|choice| is_best[*choice]);
                let (staying, leading_out) = best.partition::<Vec<usize>, _>(|choice| {
                    self.stays(node, *choice, &loop_of, ahead)
                });
                if !leading_out.is_empty() {
                    exits[own as usize] = true;
                    dropped.extend(staying);
                }
            }
            if loop_of.iter().flatten().any(|own| !exits[*own as usize]) {
                return false;
            }
            if dropped.is_empty() {
                return true;
            }
            dropped.into_iter().for_each(|choice| is_best[choice] = false);
        }
    }

    /// Returns by node the stalling loop that it is in, named by one of its nodes.
    fn stalling_loops(&self, ahead: &[Option<bool>], is_best: &[bool]) -> Vec<Option<u32>> {
        let mut inside: Vec<bool> = ahead.iter().map(Option::is_some).collect();
        let mut loop_of: Vec<Option<u32>> =
            inside.iter().map(|is_inside| is_inside.then_some(0)).collect();
        loop {
            shrink(&mut inside, |node, inside| {
                let mut choices = self.choices(node).filter(|choice| is_best[*choice]);
                choices.any(|choice| {
                    self.can_lead(choice, |to| inside[to / 2])
                        && self.stays(node, choice, &loop_of, ahead)
                })
            });
            if !inside.contains(&true) {
                return vec![None; self.nodes()];
            }
            let mut found = vec![None; self.nodes()];
            let searched = each_component(
                self.nodes(),
                &|node, targets| {
                    if !inside[node] {
                        return;
                    }
                    for choice in self.choices(node).filter(|choice| is_best[*choice]) {
                        if self.can_lead(choice, |to| inside[to / 2])
                            && self.stays(node, choice, &loop_of, ahead)
                        {
                            self.append_inside(choice, &inside, targets);
                        }
                    }
                },
                &mut |component| {
                    for node in component.iter().filter(|node| inside[**node as usize]) {
                        found[*node as usize] = Some(component[0]);
                    }
                    Ok::<(), ()>(())
                },
            );
            searched.expect("nothing fails");
            if found == loop_of {
                return loop_of;
            }
            loop_of = found;
        }
    }

    /// Appends the nodes to which a choice leads; of those of its menus, of which the mover need
    /// not take any, only the ones inside.
    fn append_inside(&self, choice: usize, inside: &[bool], targets: &mut Vec<u32>) {
        let from = targets.len();
        self.append_nodes(choice, targets);
        if self.has_menus(choice) {
            let mut at = 0;
            targets.retain(|to| {
                at += 1;
                at <= from || inside[*to as usize]
            });
        }
    }

    /// Whether a choice stays with certainty in the loop of its node, where the same player is
    /// ahead.
    fn stays(
        &self,
        node: usize,
        choice: usize,
        loop_of: &[Option<u32>],
        ahead: &[Option<bool>],
    ) -> bool {
        !self.may_leave(choice)
            && self.can_lead(choice, |to| {
                let is_same = (to & 1 == 1) == (ahead[to / 2] == ahead[node]);
                is_same && loop_of[to / 2] == loop_of[node]
            })
    }
}
