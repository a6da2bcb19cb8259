//! Whether a game can still end, if both players follow fixed plans.

use super::{Game, Order, Plan, Successor};

impl Game {
    /// Returns, by player to move and state (as the mover sees it), whether the game may still end
    /// if player i follows `plans[i]`; `None` if `go_on`, called once for each stage, returns
    /// false.
    pub fn may_end(&self, plans: [&Plan; 2], go_on: &dyn Fn() -> bool) -> Option<[Vec<bool>; 2]> {
        let mut ends = plans.map(|_| vec![false; self.space().states()]);
        // Most turns raise the sum of the scores, so few rounds find all states; where turns may
        // lower the sum, all stages are searched again until nothing changes.
        loop {
            let mut changed = false;
            for stage in (0..self.space().stages()).rev() {
                while self.mark_ending(plans, stage, &mut ends) {
                    changed = true;
                    go_on().then_some(())?;
                }
            }
            if !changed || self.order() != Order::Recurrent {
                return Some(ends);
            }
        }
    }

    /// Marks the states of a stage with a turn that may lead to the end or to a marked state;
    /// returns whether any is new.
    fn mark_ending(&self, plans: [&Plan; 2], stage: usize, ends: &mut [Vec<bool>; 2]) -> bool {
        let space = self.space();
        let mut changed = false;
        let states = space
            .stage(stage)
            .flat_map(|cell| cell * space.per_cell()..(cell + 1) * space.per_cell());
        for (state, mover) in states.rev().flat_map(|state| [(state, 0), (state, 1)]) {
            if ends[mover][state] {
                continue;
            }
            let may_end = self.may_lead(plans[mover], state, |to| match to {
                Successor::End(_) => true,
                Successor::Next { to, again } => ends[if again { mover } else { 1 - mover }][to],
            });
            ends[mover][state] = may_end;
            changed |= may_end;
        }
        changed
    }
}
