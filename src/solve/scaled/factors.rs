//! What means multiply denominators by: least common multiples of the totals of distributions.

use crate::game::{CellActions, Game};

/// The least common multiple of the totals of all distributions, if it is below 2^63.
pub(in super::super) fn base(game: &Game) -> Option<u64> {
    game.action_sets().iter().try_fold(1, |base, panel| multiple(base, base_of(panel)?))
}

/// That of the distributions of a panel.
fn base_of(panel: &CellActions) -> Option<u64> {
    let mut distributions = panel.by_shared.iter().flat_map(|offer| &offer.distributions);
    distributions.try_fold(1, |base, lottery| multiple(base, lottery.total))
}

/// The least common multiple of two numbers, if it is below 2^63.
fn multiple(one: u64, other: u64) -> Option<u64> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a).checked_mul(other).filter(|multiple| *multiple < 1 << 63)
}

/// The factor of each layer, from the highest sum of scores down, if that of the whole game is below 2^63.
pub(super) fn factors(game: &Game) -> Option<Vec<u64>> {
    base(game)?;
    let of_panels: Vec<u64> = game.action_sets().iter().map(base_of).collect::<Option<_>>()?;
    let space = game.space();
    let of_layer = |sum: usize| {
        let panels = space.stage(sum).map(|cell| game.action_set_number(cell));
        let mut last = None;
        panels
            .filter(|panel| last.replace(*panel) != Some(*panel))
            .try_fold(1, |base, panel| multiple(base, of_panels[panel]))
    };
    (0..space.stages()).rev().map(of_layer).collect()
}
