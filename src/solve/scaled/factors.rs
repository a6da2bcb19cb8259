//! What means multiply denominators by: least common multiples of the totals of lotteries.

use crate::game::{Game, Panel};

/// The least common multiple of the totals of all lotteries, if it is below 2^63.
pub(in super::super) fn base(game: &Game) -> Option<u64> {
    game.panels().iter().try_fold(1, |base, panel| multiple(base, base_of(panel)?))
}

/// That of the lotteries of a panel.
fn base_of(panel: &Panel) -> Option<u64> {
    let mut lotteries = panel.offers.iter().flat_map(|offer| &offer.lotteries);
    lotteries.try_fold(1, |base, lottery| multiple(base, lottery.total))
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
    let of_panels: Vec<u64> = game.panels().iter().map(base_of).collect::<Option<_>>()?;
    let space = game.space();
    let of_layer = |sum: usize| {
        let panels = space.layer(sum).map(|cell| game.panel_number(cell));
        let mut last = None;
        panels
            .filter(|panel| last.replace(*panel) != Some(*panel))
            .try_fold(1, |base, panel| multiple(base, of_panels[panel]))
    };
    (0..space.layers()).rev().map(of_layer).collect()
}
