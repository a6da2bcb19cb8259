//! Which memories can come up at all.

use crate::game::{Game, Plan};

use super::flat::Tables;

/// The memories that opponents can have, ascending: the start's, and those that a turn of theirs leaves in any state, met or
/// not.
pub(super) fn memories(game: &Game, tables: &Tables, opponents: &[(&Plan, f64)]) -> Vec<usize> {
    let space = game.space();
    let plane = space.goal * tables.width;
    let mut found = vec![false; space.mine];
    found[tables.start_memory] = true;
    for cell in 0..space.goal * space.goal {
        let panel = game.action_set(cell);
        let first = tables.first_lottery[game.action_set_number(cell)];
        for (mine, theirs) in (0..space.mine).flat_map(|mine| (0..space.mine).map(move |theirs| (mine, theirs))) {
            let of_action = panel.distributions(&space, (0, mine, theirs));
            for (plan, _) in opponents {
                let lottery = usize::from(of_action[plan.action(space.state(cell, 0, theirs, mine))]);
                for part in &tables.parts[tables.distributions[first + lottery].parts.clone()] {
                    found[part.offset / plane] = true;
                }
            }
        }
    }
    (0..space.mine).filter(|memory| found[*memory]).collect()
}
