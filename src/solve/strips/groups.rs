//! The sums of a menu, a few at a time: what they read is read once. Columns may take two sums in turns, as at even and odd
//! scores, that are weighed as one where they read nearly the same.

use super::LANES;
use super::menu::Mask;
use super::setting::Setting;
use crate::solve::program::{Sum, Term};

/// So many sums that follow each other are weighed together.
pub(super) const GROUP: usize = 2;

/// The sums of the program that columns take in turns: of the first and of the second, perhaps the same.
pub(super) type Turns = [u32; 2];

/// The sums of a menu.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    pub groups: Vec<Group>,
    /// The terms of all groups.
    terms: Vec<Placed>,
    /// All bits are set in every second column. As a constant it would have compilers take columns apart.
    pub second: Mask,
}

/// Sums that are weighed together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Where it has fewer, its last one again.
    pub sums: [Weighed; GROUP],
    terms: (usize, usize),
}

/// A sum, as the strip's rows hold it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighed {
    /// Its place among those of the menu.
    pub number: usize,
    /// Of columns in turns: the clean rolls.
    pub climbs: [Option<RollConvolution>; 2],
    /// Whether all columns have the same clean rolls.
    pub one_climb: bool,
    /// One over the sum of the weights.
    pub scale: f64,
}

/// Clean rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RollConvolution {
    /// The chain's row of the opponent's first memory.
    pub row: usize,
    /// The layer, counted from the one that is solved.
    pub above: usize,
}

/// A term of the sums of a group.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// The row of arrivals of the opponent's first memory, after the first of the layer.
    pub row: usize,
    /// Of each sum, of columns in turns.
    pub weights: [[f64; 2]; GROUP],
}

/// The two sums that columns take in turns, if they do.
pub(super) fn in_turns(sums: &[u32; LANES]) -> Option<Turns> {
    let two = [sums[0], sums[1]];
    (two[0] != two[1] && (0..LANES).all(|lane| sums[lane] == two[lane % 2])).then_some(two)
}

/// Whether two sums may be weighed as one that columns take in turns.
pub(super) fn blend_well(setting: &Setting, turns: Turns) -> bool {
    let [one, other] = turns.map(|sum| &setting.program.sums[sum as usize]);
    setting.by_points.is_empty() && one.scale == other.scale && merges(one) && merges(other)
}

/// Whether a sum may be weighed with others: it reads arrivals with points, always finite, each once and in the order of their
/// rows. Then a term of another sum, with the weight 0, changes nothing.
fn merges(sum: &Sum) -> bool {
    let place = |term: &Term| (term.points, term.kind);
    let rises = sum.rest.windows(2).all(|pair| place(&pair[0]) < place(&pair[1]));
    rises && sum.rest.iter().all(|term| term.points > 0)
}

impl Groups {
    /// Of the sums of a menu.
    pub fn new(setting: &Setting, wanted: &[Turns]) -> Self {
        let second = std::array::from_fn(|lane| if lane % 2 == 1 { u64::MAX } else { 0 });
        let mut made = Self { second, ..Self::default() };
        let merges = |turns: &Turns| turns.iter().all(|sum| merges(&setting.program.sums[*sum as usize]));
        let mut next = 0;
        while next < wanted.len() {
            let together = wanted[next..].iter().take(GROUP).take_while(|turns| merges(turns)).count().max(1);
            made.push(setting, (next, &wanted[next..next + together]));
            next += together;
        }
        made
    }

    /// Adds a group of the sums that follow from a number on.
    fn push(&mut self, setting: &Setting, (number, wanted): (usize, &[Turns])) {
        let member = |place: usize| place.min(wanted.len() - 1);
        let sums = std::array::from_fn(|place| {
            let [one, other] = wanted[member(place)].map(|sum| &setting.program.sums[sum as usize]);
            let climbs = [one, other].map(|sum| setting.row_of_climb(sum));
            let one_climb = climbs[0] == climbs[1];
            Weighed { number: number + member(place), climbs, one_climb, scale: one.scale }
        });
        let read: [[&[Term]; 2]; GROUP] =
            std::array::from_fn(|place| wanted[member(place)].map(|sum| &setting.program.sums[sum as usize].rest[..]));
        let first = self.terms.len();
        self.merge(setting, read);
        self.groups.push(Group { sums, terms: (first, self.terms.len()) });
    }

    /// Adds all terms, each row once where they are in order.
    fn merge(&mut self, setting: &Setting, mut read: [[&[Term]; 2]; GROUP]) {
        let row = |term: &Term| setting.arrivals_at(term.kind, term.points);
        while let Some(next) = read.iter().flatten().filter_map(|terms| terms.first()).map(row).min() {
            // A sum by itself may have its terms in any order.
            let mut weight = |terms: &mut &[Term]| match terms.split_first() {
                Some((term, rest)) if row(term) == next => {
                    *terms = rest;
                    term.weight
                }
                _ => 0.0,
            };
            let weights = read.each_mut().map(|turns| turns.each_mut().map(&mut weight));
            self.terms.push(Placed { row: next, weights });
        }
    }

    /// The terms of a group.
    #[inline(always)]
    pub fn terms(&self, group: &Group) -> &[Placed] {
        &self.terms[group.terms.0..group.terms.1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{Overrides, load};
    use crate::solve::strips::menu::Menu;

    #[test]
    fn groups_have_in_each_column_the_terms_of_its_own_sums() {
        let overrides = Overrides { goal: Some(40), max_dice: None };
        let game = Game::new(load("nju21", overrides).expect("built in")).expect("sound");
        let setting = Setting::new(&game).expect("it fits");
        // The mover's score is even in one column and odd in the next.
        let panels: [u32; LANES] = std::array::from_fn(|column| game.action_set_number_at(30 - column, column) as u32);
        let menu = Menu::new(&setting, panels);
        assert_eq!((menu.means() - menu.sure.len(), menu.mixed.len()), (10, 0), "one for each number of dice");
        for (dice, column) in (1..=10).flat_map(|dice| (0..LANES).map(move |column| (dice, column))) {
            let sum = &setting.program.sums[setting.program.choices[panels[column] as usize][dice] as usize];
            let number = menu.rows[dice] as usize;
            let of_sum = |group: &&Group| group.sums.iter().any(|sum| sum.number == number);
            let group = menu.sums.groups.iter().find(of_sum).expect("it is in a group");
            let place = group.sums.iter().position(|sum| sum.number == number).expect("as just found");
            let own = menu.sums.terms(group).iter().map(|term| (term.row, term.weights[place][column % 2]));
            let rest = sum.rest.iter().map(|term| (setting.arrivals_at(term.kind, term.points), term.weight));
            assert_eq!(own.filter(|term| term.1 > 0.0).collect::<Vec<_>>(), rest.collect::<Vec<_>>());
            assert_eq!(group.sums[place].climbs[column % 2], setting.row_of_climb(sum));
            assert_eq!(group.sums[place].scale, sum.scale);
        }
    }
}
