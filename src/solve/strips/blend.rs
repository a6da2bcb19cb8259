//! Two sums that read nearly the same, weighed as one: where columns choose from them in turns, as at even and odd scores.

use std::iter::Peekable;
use std::slice::Iter;

use super::LANES;
use super::menu::Mask;
use super::setting::Setting;
use crate::solve::program::{Sum, Term};

/// The two sums that columns take in turns, if they do.
pub(super) fn in_turns(sums: &[u32; LANES]) -> Option<[u32; 2]> {
    let two = [sums[0], sums[1]];
    (two[0] != two[1] && (0..LANES).all(|lane| sums[lane] == two[lane % 2])).then_some(two)
}

/// Whether two sums may be weighed as one: they have one scale, and read arrivals with points, always finite, each once and in
/// the order of their rows, and whatever the points. Then a term with the weight 0 changes nothing.
pub(super) fn blend_well(setting: &Setting, sums: [u32; 2]) -> bool {
    let [one, other] = sums.map(|sum| &setting.program.sums[sum as usize]);
    let ordered = |sum: &Sum| {
        let place = |term: &Term| (term.points, term.kind);
        let rises = sum.rest.windows(2).all(|pair| place(&pair[0]) < place(&pair[1]));
        rises && sum.rest.iter().all(|term| term.points > 0)
    };
    setting.by_points.is_empty() && one.scale == other.scale && ordered(one) && ordered(other)
}

/// Two sums as one: the columns of a strip take their weights in turns.
#[derive(Clone, Debug)]
pub(super) struct Blend {
    /// That of the first column, and that of the second.
    pub sums: [u32; 2],
    /// All bits are set in columns that have the second.
    pub second: Mask,
    /// Of either sum: the chain's row of the opponent's first memory, and points on top.
    pub climbs: [Option<(usize, usize)>; 2],
    pub terms: Vec<Blended>,
    /// One over the sum of the weights.
    pub scale: f64,
}

/// A term of a blend.
#[derive(Clone, Debug)]
pub(super) struct Blended {
    /// The row of arrivals of the opponent's first memory, after the first of the layer.
    pub row: usize,
    /// In either sum.
    pub weights: [f64; 2],
}

impl Blend {
    /// Of sums that [`blend_well`].
    pub fn new(setting: &Setting, numbers: [u32; 2]) -> Self {
        let sums = numbers.map(|sum| &setting.program.sums[sum as usize]);
        let row = |term: &Term| setting.arrivals_at(term.kind, term.points);
        let mut rest = sums.map(|sum| sum.rest.iter().peekable());
        let mut terms = Vec::with_capacity(sums[0].rest.len() + 1);
        while let Some(least) = rest.iter_mut().filter_map(Peekable::peek).map(|term| row(term)).min() {
            let weight = |terms: &mut Peekable<Iter<Term>>| {
                terms.next_if(|term| row(term) == least).map_or(0.0, |term| term.weight)
            };
            terms.push(Blended { row: least, weights: rest.each_mut().map(weight) });
        }
        let second = std::array::from_fn(|lane| if lane % 2 == 1 { u64::MAX } else { 0 });
        Self { sums: numbers, second, climbs: sums.map(|sum| setting.row_of_climb(sum)), terms, scale: sums[0].scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{Overrides, load};
    use crate::solve::strips::menu::Menu;

    #[test]
    fn a_blend_has_in_each_column_the_terms_of_its_own_sum() {
        let overrides = Overrides { goal: Some(40), max_dice: None };
        let game = Game::new(load("nju21", overrides).expect("built in")).expect("sound");
        let setting = Setting::new(&game).expect("it fits");
        // The mover's score is even in one column and odd in the next.
        let menu = Menu::new(&setting, std::array::from_fn(|column| game.panel_number_at(30 - column, column) as u32));
        assert_eq!((menu.blends.len(), menu.mixed.len()), (10, 0), "one for each number of dice");
        for (blend, column) in menu.blends.iter().flat_map(|blend| (0..LANES).map(move |column| (blend, column))) {
            let second = column % 2;
            let sum = &setting.program.sums[blend.sums[second] as usize];
            let own = blend.terms.iter().map(|term| (term.row, term.weights[second]));
            let rest = sum.rest.iter().map(|term| (setting.arrivals_at(term.kind, term.points), term.weight));
            assert_eq!(own.filter(|term| term.1 > 0.0).collect::<Vec<_>>(), rest.collect::<Vec<_>>());
            assert_eq!(blend.climbs[second], setting.row_of_climb(sum));
            assert_eq!(blend.scale, sum.scale);
        }
    }
}
