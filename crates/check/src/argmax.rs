//! The best actions in each state of a cell.

use hog_rules::states::DiceSet;

use super::cell::{Cell, SharedDistribution, StateSolution, Workspace};
use super::numbers::RateArithmetic;

/// Finds the best distributions in the states of a cell; evaluates each one once for all states
/// that share it.
pub(super) struct Argmax<'b, 'a, A: RateArithmetic> {
    workspace: &'b Workspace<'a, A>,
    cell: &'b Cell<'a>,
    side: usize,
    near: Vec<Option<f64>>,
    exact: Vec<Option<A::Number>>,
}

impl<'b, 'a, A: RateArithmetic> Argmax<'b, 'a, A> {
    pub fn new(workspace: &'b Workspace<'a, A>, cell: &'b Cell<'a>, side: usize) -> Self {
        let distributions = cell.transitions.len() * workspace.reading.space.mine;
        Self {
            workspace,
            cell,
            side,
            near: vec![None; distributions],
            exact: vec![None; distributions],
        }
    }

    /// Returns the solution of a state whose successors are all solved; `claimed` holds the actions
    /// that the claim lists.
    pub fn find(
        &mut self,
        distributions: &[SharedDistribution],
        place: usize,
        claimed: DiceSet,
    ) -> Option<StateSolution<A::Number>> {
        let theirs = self.workspace.theirs(place);
        let near: Vec<f64> = distributions
            .iter()
            .map(|(_, distribution)| self.near(*distribution, theirs))
            .collect();
        let most = near.iter().copied().fold(0.0, f64::max) - self.workspace.tolerance;
        let mut best: Option<(A::Number, DiceSet)> = None;
        for ((set, distribution), _) in
            distributions.iter().zip(&near).filter(|(_, near)| **near >= most)
        {
            let value = self.exact(*distribution, theirs);
            best = match best {
                Some((most, sets)) if most == value => Some((most, sets | set)),
                Some((most, sets)) if most > value => Some((most, sets)),
                _ => Some((value, *set)),
            };
        }
        let (value, best) = best?;
        let near = self.workspace.numbers.nearest(self.workspace.height(self.cell.sum), &value);
        let mut shortfall: f64 = 0.0;
        for (_, distribution) in distributions.iter().filter(|(set, _)| set & claimed & !best != 0)
        {
            let listed = self.exact(*distribution, theirs);
            shortfall = shortfall.max(self.workspace.numbers.shortfall(
                self.workspace.height(self.cell.sum),
                &value,
                &listed,
            ));
        }
        Some(StateSolution { value, near, best, shortfall })
    }

    fn near(&mut self, distribution: usize, theirs: usize) -> f64 {
        let workspace = self.workspace;
        let transitions = &self.cell.transitions[distribution];
        let side = self.side;
        let place = distribution * workspace.reading.space.mine + theirs;
        *self.near[place].get_or_insert_with(|| workspace.near(side, transitions, theirs))
    }

    fn exact(&mut self, distribution: usize, theirs: usize) -> A::Number {
        let workspace = self.workspace;
        let cell = self.cell;
        let side = self.side;
        let place = distribution * workspace.reading.space.mine + theirs;
        let value = self.exact[place].get_or_insert_with(|| {
            workspace.exact(side, cell.sum, &cell.transitions[distribution], theirs)
        });
        value.clone()
    }
}
