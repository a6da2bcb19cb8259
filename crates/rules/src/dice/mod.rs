//! Exact counts of the outcomes of n dice, out of all equally likely rolls. Scores and rules play
//! no part here.
//!
//! ```
//! use hog_rules::dice::{Detail, Die};
//! let two = &Die::fair(6)?.outcomes(2, &[], Detail::ALL)?[2];
//! let sevens: u128 = two.iter().filter(|o| o.sum == 7).map(|o| o.count).sum();
//! assert_eq!((sevens, Die::fair(6)?.rolls(2)?), (6, 36));
//! # Ok::<(), hog_rules::dice::DiceError>(())
//! ```

mod patterns;

pub use patterns::{Feature, PatternCount, shown};

use crate::limits;
use std::collections::BTreeMap;

/// A number of equally likely rolls: all rolls of some dice, or those with one outcome. 30
/// six-sided dice have 6^30, about 2^77.5.
pub type Weight = u128;

/// Returns the double nearest to a weight. Most weights fit 64 bits, which processors convert in
/// one instruction.
#[inline(always)]
pub fn double_of(weight: Weight) -> f64 {
    u64::try_from(weight).map_or_else(|_| double_of_long(weight), |weight| weight as f64)
}

/// Separate from [`double_of`] because compilers would merge both conversions into the slow one.
#[cold]
#[inline(never)]
fn double_of_long(weight: Weight) -> f64 {
    weight as f64
}

/// A die with faces from 1 up, each with an integer weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Die {
    weights: Vec<u32>,
}

/// What distinguishes outcomes, apart from the sum of rolls without a 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Detail {
    /// Whether the sum of rolls with a 1 is counted; otherwise it is 0.
    pub sum_with_ones: bool,
    /// Whether the number of ones is counted; otherwise 1 stands for any positive number.
    pub number_of_ones: bool,
}

impl Detail {
    /// Everything.
    pub const ALL: Self = Self { sum_with_ones: true, number_of_ones: true };
    /// Only whether there is a 1.
    pub const LEAST: Self = Self { sum_with_ones: false, number_of_ones: false };
}

/// A number of rolls that agree in what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollCount {
    /// The number of ones (see [`Detail`]).
    pub ones: u32,
    /// The sum of the faces (see [`Detail`]).
    pub sum: u32,
    /// The sum of the extra points of the faces.
    pub bonus: i64,
    /// The number of rolls, out of [`Die::rolls`].
    pub count: Weight,
}

/// Why dice cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiceError {
    /// The number of rolls does not fit 128 bits.
    #[error(
        "{dice} dice of {sides} sides have more than 2^128 rolls, too many to count exactly; at \
         most {most} can be counted"
    )]
    TooManyRolls {
        /// The number of dice requested.
        dice: u32,
        /// The number of sides of each.
        sides: usize,
        /// The most dice of this kind that can be counted.
        most: u32,
    },
    /// There are more than [`limits::COUNTED_DICE`] dice.
    #[error("{0} dice are too many: at most {most} can be counted", most = limits::COUNTED_DICE)]
    TooManyDice(u32),
    /// Rolls are distinguished by their faces, and there are too many multisets of faces.
    #[error(
        "{dice} dice of {sides} sides show more than {most} different sets of faces, \
         too many to enumerate for rules that look at single faces",
        most = limits::MULTISETS
    )]
    TooManyPatterns {
        /// The number of dice requested.
        dice: u32,
        /// The number of sides of each.
        sides: usize,
    },
    /// All faces of the die have weight 0.
    #[error("a die needs a face with a weight above 0")]
    NoFace,
    /// The die has no faces, or too many.
    #[error("a die of {0} sides cannot be rolled: choose 1 to {most}", most = limits::SIDES)]
    NoDie(i64),
}

impl Die {
    /// Creates a die whose faces 1 to `sides` are equally likely.
    ///
    /// # Errors
    /// Returns an error unless `sides` is from 1 to [`limits::SIDES`].
    pub fn fair(sides: i64) -> Result<Self, DiceError> {
        if !(1..=limits::SIDES).contains(&sides) {
            return Err(DiceError::NoDie(sides));
        }
        Ok(Self { weights: vec![1; sides as usize] })
    }

    /// Creates a die whose face `f` has weight `weights[f - 1]`.
    ///
    /// # Errors
    /// Returns an error if no weight is above 0, or there are more than [`limits::SIDES`] weights.
    pub fn weighted(weights: &[u32]) -> Result<Self, DiceError> {
        if weights.iter().all(|w| *w == 0) {
            return Err(DiceError::NoFace);
        }
        if weights.len() as i64 > limits::SIDES {
            return Err(DiceError::NoDie(weights.len() as i64));
        }
        Ok(Self { weights: weights.to_vec() })
    }

    /// The number of faces.
    pub fn sides(&self) -> usize {
        self.weights.len()
    }

    /// The weight of a face; 0 if the die has no such face.
    pub fn weight(&self, face: u32) -> u32 {
        face.checked_sub(1).and_then(|i| self.weights.get(i as usize)).copied().unwrap_or(0)
    }

    /// The sum of all weights: the number of equally likely rolls of one die.
    pub fn total(&self) -> Weight {
        self.weights.iter().map(|w| Weight::from(*w)).sum()
    }

    /// Returns the number of equally likely rolls of `dice` dice.
    ///
    /// # Errors
    /// Returns an error if it does not fit 128 bits, or there are more than
    /// [`limits::COUNTED_DICE`] dice.
    pub fn rolls(&self, dice: u32) -> Result<Weight, DiceError> {
        let mut rolls: Weight = 1;
        for most in 0..dice.min(limits::COUNTED_DICE) {
            let next = rolls.checked_mul(self.total());
            rolls = next.ok_or(DiceError::TooManyRolls { dice, sides: self.sides(), most })?;
        }
        if dice > limits::COUNTED_DICE { Err(DiceError::TooManyDice(dice)) } else { Ok(rolls) }
    }

    /// Returns the outcomes of 0, 1, ... `most` dice, each list in ascending order of (ones, sum,
    /// bonus). `bonus[f - 1]` is the extra points of face `f`; faces past the end of `bonus`
    /// have none.
    ///
    /// # Errors
    /// Returns the errors of [`Self::rolls`].
    pub fn outcomes(
        &self,
        most: u32,
        bonus: &[i64],
        detail: Detail,
    ) -> Result<Vec<Vec<RollCount>>, DiceError> {
        let mut counts = DiceCounts::new(self.clone(), bonus.to_vec(), detail);
        counts.of(most)?;
        Ok(counts.listed)
    }
}

/// The outcomes of any number of equal dice, counted on demand.
#[derive(Clone, Debug)]
pub struct DiceCounts {
    die: Die,
    bonus: Vec<i64>,
    detail: Detail,
    /// The outcomes of 0, 1, ... dice.
    listed: Vec<Vec<RollCount>>,
    /// The counts of the last entry of `listed`.
    counts: Counts,
}

impl DiceCounts {
    /// Creates counts for a die. `bonus` and `detail` are as in [`Die::outcomes`].
    pub fn new(die: Die, bonus: Vec<i64>, detail: Detail) -> Self {
        let counts = Counts::from([((0, 0), vec![1])]);
        Self { die, bonus, detail, listed: vec![listed(&counts)], counts }
    }

    /// Returns the outcomes of `dice` dice, in ascending order of (ones, sum, bonus).
    ///
    /// # Errors
    /// Returns the errors of [`Die::rolls`].
    pub fn of(&mut self, dice: u32) -> Result<&[RollCount], DiceError> {
        self.die.rolls(dice)?;
        while self.listed.len() <= dice as usize {
            self.counts = self.with_one_more();
            self.listed.push(listed(&self.counts));
        }
        Ok(&self.listed[dice as usize])
    }

    /// The counts for one more die.
    fn with_one_more(&self) -> Counts {
        let mut more = Counts::new();
        for ((ones, extra), by_sum) in &self.counts {
            for (face, weight) in (1..).zip(&self.die.weights).filter(|(_, w)| **w > 0) {
                let extra = extra + self.bonus.get(face as usize - 1).copied().unwrap_or(0);
                let ones = ones + u32::from(face == 1);
                // A sum that is kept never depends on a dropped one, as a roll with a 1 stays one
                // when dice are added.
                let drops_sum = ones > 0 && !self.detail.sum_with_ones;
                let seen = if self.detail.number_of_ones { ones } else { ones.min(1) };
                let sums = more.entry((seen, extra)).or_default();
                add(
                    sums,
                    by_sum,
                    Weight::from(*weight),
                    if drops_sum { None } else { Some(face as usize) },
                );
            }
        }
        more
    }
}

/// The numbers of rolls by (ones, extra points), then by sum.
type Counts = BTreeMap<(u32, i64), Vec<Weight>>;

/// Adds `rolls`, by sum, extended by a die of some weight: its face is added to their sums, or all
/// sums become 0 if `face` is `None`.
fn add(sums: &mut Vec<Weight>, rolls: &[Weight], weight: Weight, face: Option<usize>) {
    let needed = face.map_or(1, |face| rolls.len() + face);
    sums.resize(sums.len().max(needed), 0);
    match face {
        Some(face) => {
            sums[face..].iter_mut().zip(rolls).for_each(|(sum, count)| *sum += count * weight)
        }
        None => sums[0] += rolls.iter().sum::<Weight>() * weight,
    }
}

/// Lists the nonzero counts in ascending order of (ones, sum, bonus).
fn listed(counts: &Counts) -> Vec<RollCount> {
    let counts: Vec<_> = counts.iter().collect();
    let mut outcomes = Vec::new();
    for of_ones in counts.chunk_by(|((ones, _), _), ((others, _), _)| ones == others) {
        let sums = of_ones.iter().map(|(_, by_sum)| by_sum.len()).max().unwrap_or(0);
        for sum in 0..sums {
            let known = of_ones
                .iter()
                .filter_map(|(key, by_sum)| Some((*key, *by_sum.get(sum).filter(|n| **n > 0)?)));
            outcomes.extend(known.map(|(&(ones, bonus), count)| RollCount {
                ones,
                sum: sum as u32,
                bonus,
                count,
            }));
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists all rolls of `dice` dice.
    fn enumerate(sides: u32, dice: u32) -> Vec<Vec<u32>> {
        (0..dice).fold(vec![Vec::new()], |rolls, _| {
            let longer = |roll: &Vec<u32>| {
                (1..=sides).map(|f| [roll.as_slice(), &[f]].concat()).collect::<Vec<_>>()
            };
            rolls.iter().flat_map(longer).collect()
        })
    }

    #[test]
    fn counts_agree_with_a_list_of_all_rolls() {
        let bonus = [1, 0, 1, 0, 1, 0];
        for dice in 0..=5 {
            let counted =
                &Die::fair(6).unwrap().outcomes(dice, &bonus, Detail::ALL).unwrap()[dice as usize];
            let mut listed = BTreeMap::new();
            for roll in enumerate(6, dice) {
                let ones = roll.iter().filter(|f| **f == 1).count() as u32;
                let extra = roll.iter().map(|f| bonus[*f as usize - 1]).sum::<i64>();
                *listed.entry((ones, roll.iter().sum::<u32>(), extra)).or_insert(0u128) += 1;
            }
            let counted: BTreeMap<_, _> =
                counted.iter().map(|o| ((o.ones, o.sum, o.bonus), o.count)).collect();
            assert_eq!(counted, listed, "{dice} dice");
        }
    }

    #[test]
    fn counts_do_not_depend_on_the_order_of_requests() {
        let die = Die::weighted(&[2, 0, 1, 1]).unwrap();
        let mut counts = DiceCounts::new(die.clone(), vec![0, 5, 1], Detail::ALL);
        for dice in [3, 1, 0, 6, 4] {
            let alone = die.outcomes(dice, &[0, 5, 1], Detail::ALL).unwrap().pop();
            assert_eq!(Some(counts.of(dice).unwrap().to_vec()), alone, "{dice} dice");
        }
    }

    #[test]
    fn three_four_sided_dice_show_a_1_in_37_of_64_rolls() {
        let three = &Die::fair(4).unwrap().outcomes(3, &[], Detail::LEAST).unwrap()[3];
        let ones: u128 = three.iter().filter(|o| o.ones > 0).map(|o| o.count).sum();
        assert_eq!(ones, 64 - 27);
        assert_eq!(three.iter().map(|o| o.count).sum::<u128>(), 64);
    }

    #[test]
    fn a_rerolled_odd_die_is_a_weighted_die() {
        // Each odd face of six is rolled again once: evens weigh 1/6 + 1/2 * 1/6 = 3/12, odds 1/12.
        let die = Die::weighted(&[1, 3, 1, 3, 1, 3]).unwrap();
        let one = &die.outcomes(1, &[], Detail::ALL).unwrap()[1];
        assert_eq!(
            one.iter().map(|o| (o.sum, o.count)).collect::<Vec<_>>(),
            [(2, 3), (3, 1), (4, 3), (5, 1), (6, 3), (1, 1)]
        );
    }

    #[test]
    fn thirty_dice_have_six_to_the_thirtieth_rolls() {
        let thirty = &Die::fair(6).unwrap().outcomes(30, &[], Detail::LEAST).unwrap()[30];
        assert_eq!(thirty.iter().map(|o| o.count).sum::<u128>(), 6u128.pow(30));
        assert_eq!(
            thirty.iter().filter(|o| o.ones == 0).map(|o| o.count).sum::<u128>(),
            5u128.pow(30)
        );
    }

    #[test]
    fn dice_that_cannot_be_counted_are_refused() {
        let error = Die::fair(6).unwrap().outcomes(50, &[], Detail::LEAST).unwrap_err();
        assert_eq!(error, DiceError::TooManyRolls { dice: 50, sides: 6, most: 49 });
        assert_eq!(Die::fair(1).unwrap().rolls(1001), Err(DiceError::TooManyDice(1001)));
        assert_eq!(Die::weighted(&[0, 0]), Err(DiceError::NoFace));
        assert!(
            Die::fair(0).is_err() && Die::fair(1001).is_err() && Die::weighted(&[1; 1001]).is_err()
        );
    }
}
