//! Counts of rolls by features of their faces: enumerates every multiset of faces, weighted by the
//! number of its rolls.

use std::collections::BTreeMap;

use crate::limits;

use super::{Detail, DiceError, Die, RollCount};

/// A feature of a roll other than its sum. Without dice every feature is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The number of dice that show a face.
    Count(u32),
    /// The highest face.
    Highest,
    /// The lowest face.
    Lowest,
    /// The number of different faces.
    Distinct,
    /// The most dice that show one face.
    OfAKind,
    /// The number of disjoint pairs of equal dice.
    Pairs,
    /// The length of the longest run of consecutive faces.
    Straight,
}

impl Feature {
    /// The value of the feature if `shown[f - 1]` dice show the face `f`.
    pub fn of(self, shown: &[u32]) -> i64 {
        let mut faces =
            (1..).zip(shown).filter(|(_, dice)| **dice > 0).map(|(face, _): (u32, _)| face);
        let value = match self {
            Self::Count(face) => face.checked_sub(1).and_then(|i| shown.get(i as usize)).copied(),
            Self::Highest => faces.last(),
            Self::Lowest => faces.next(),
            Self::Distinct => Some(faces.count() as u32),
            Self::OfAKind => shown.iter().max().copied(),
            Self::Pairs => Some(shown.iter().map(|dice| dice / 2).sum()),
            Self::Straight => shown.split(|dice| *dice == 0).map(|run| run.len() as u32).max(),
        };
        value.unwrap_or(0).into()
    }
}

/// Returns the number of dice that show each face, from face 1 to the highest face present.
pub fn shown(faces: &[u32]) -> Vec<u32> {
    let mut shown = vec![0; faces.iter().max().map_or(0, |highest| *highest as usize)];
    faces.iter().filter(|face| **face > 0).for_each(|face| shown[*face as usize - 1] += 1);
    shown
}

/// A number of rolls that agree in what is counted and in their features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternCount {
    /// What all these rolls have in common, and their number.
    pub roll: RollCount,
    /// The values of the features, in the order of the request.
    pub features: Vec<i64>,
}

impl Die {
    /// Returns the number of multisets of faces of `dice` dice, C(dice + faces - 1, dice), or
    /// `None` if it overflows. `faces` is the number of faces with a weight above 0.
    pub fn multisets(&self, dice: u32) -> Option<u64> {
        let faces = self.weights.iter().filter(|weight| **weight > 0).count() as u64;
        let mut count: u128 = 1;
        for die in 1..=u64::from(dice) {
            // A binomial coefficient: the division is exact.
            count = count.checked_mul((faces + die - 1).into())? / u128::from(die);
        }
        u64::try_from(count).ok()
    }

    /// Returns the outcomes of `dice` dice, also distinguished by `features`, in ascending order of
    /// (ones, sum, bonus, features). `bonus` and `detail` are as in [`Die::outcomes`].
    ///
    /// # Errors
    /// Returns an error if the number of rolls does not fit 128 bits, or there are more than
    /// [`limits::MULTISETS`] multisets of faces.
    pub fn patterns(
        &self,
        dice: u32,
        bonus: &[i64],
        detail: Detail,
        features: &[Feature],
    ) -> Result<Vec<PatternCount>, DiceError> {
        self.rolls(dice)?;
        let sides = self.sides();
        if self.multisets(dice).is_none_or(|count| count > limits::MULTISETS) {
            return Err(DiceError::TooManyPatterns { dice, sides });
        }
        let mut found = BTreeMap::new();
        self.each_multiset(dice, &mut vec![0; sides], 0, 1, &mut |shown, count| {
            let ones = shown[0];
            let mut sum = 0;
            let mut extra = 0;
            for (face, dice) in shown.iter().enumerate() {
                sum += (face as u32 + 1) * dice;
                extra += bonus.get(face).copied().unwrap_or(0) * i64::from(*dice);
            }
            let key = (
                if detail.number_of_ones { ones } else { ones.min(1) },
                if ones > 0 && !detail.sum_with_ones { 0 } else { sum },
                extra,
                features.iter().map(|feature| feature.of(shown)).collect::<Vec<i64>>(),
            );
            *found.entry(key).or_insert(0) += count;
        });
        let mut outcomes = Vec::with_capacity(found.len());
        for ((ones, sum, bonus, features), count) in found {
            outcomes.push(PatternCount { roll: RollCount { ones, sum, bonus, count }, features });
        }
        Ok(outcomes)
    }

    /// Extends the multiset `shown` by `left` dice with faces above `known`, in every possible way,
    /// and calls `see` with each result and the number of its rolls: a multinomial coefficient
    /// times the weights of the faces. `count` is the factor for the dice already in `shown`.
    fn each_multiset(
        &self,
        left: u32,
        shown: &mut Vec<u32>,
        known: usize,
        count: u128,
        see: &mut dyn FnMut(&[u32], u128),
    ) {
        if left == 0 {
            return see(shown, count);
        }
        let Some(place) = (known..self.sides()).find(|place| self.weights[*place] > 0) else {
            return;
        };
        let weight = u128::from(self.weights[place]);
        if self.weights[place + 1..].iter().all(|weight| *weight == 0) {
            // All other dice show the last face.
            shown[place] = left;
            see(shown, count * weight.pow(left));
            shown[place] = 0;
            return;
        }
        let mut ways = 1u128;
        let mut power = 1u128;
        for dice in 0..=left {
            if dice > 0 {
                // C(left, dice) from C(left, dice - 1), avoiding overflow of the product.
                let more = u128::from(left - dice + 1);
                let by = u128::from(dice);
                (ways, power) = (ways / by * more + ways % by * more / by, power * weight);
            }
            shown[place] = dice;
            self.each_multiset(left - dice, shown, place + 1, count * ways * power, see);
        }
        shown[place] = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const ALL: [Feature; 9] = [
        Feature::Count(1),
        Feature::Count(3),
        Feature::Count(7),
        Feature::Highest,
        Feature::Lowest,
        Feature::Distinct,
        Feature::OfAKind,
        Feature::Pairs,
        Feature::Straight,
    ];

    #[test]
    fn features_of_known_rolls() {
        let of = |faces: &[u32]| ALL.map(|feature| feature.of(&shown(faces)));
        assert_eq!(of(&[]), [0; 9]);
        assert_eq!(of(&[3]), [0, 1, 0, 3, 3, 1, 1, 0, 1]);
        assert_eq!(of(&[1, 6, 1, 1, 1, 6]), [4, 0, 0, 6, 1, 2, 4, 3, 1]);
        assert_eq!(of(&[5, 2, 3, 4, 8, 3]), [0, 2, 0, 8, 2, 5, 2, 1, 4]);
        assert_eq!(of(&[7, 8, 1]), [1, 0, 1, 8, 1, 3, 1, 0, 2]);
    }

    /// Lists all rolls, each with its weight.
    fn listed(die: &Die, dice: u32) -> Vec<(Vec<u32>, u128)> {
        (0..dice).fold(vec![(Vec::new(), 1)], |rolls, _| {
            let longer = |(roll, count): &(Vec<u32>, u128)| {
                let faces = 1..=die.sides() as u32;
                faces
                    .map(|f| ([roll.as_slice(), &[f]].concat(), count * u128::from(die.weight(f))))
                    .collect::<Vec<_>>()
            };
            rolls.iter().flat_map(longer).collect()
        })
    }

    #[test]
    fn counts_agree_with_a_list_of_all_rolls() {
        let bonus = [0, 2, 0, 1];
        let dice = [
            Die::fair(6),
            Die::fair(4),
            Die::weighted(&[1, 3, 0, 3, 2]),
            Die::weighted(&[0, 0, 5]),
        ];
        for (die, dice) in
            dice.into_iter().flat_map(|die| (0..=5).map(move |dice| (die.clone().unwrap(), dice)))
        {
            let mut wanted = BTreeMap::new();
            for (roll, count) in listed(&die, dice).into_iter().filter(|(_, count)| *count > 0) {
                let ones = roll.iter().filter(|face| **face == 1).count() as u32;
                let extra: i64 = roll.iter().filter_map(|face| bonus.get(*face as usize - 1)).sum();
                let features: Vec<i64> = ALL.map(|feature| feature.of(&shown(&roll))).to_vec();
                *wanted.entry((ones, roll.iter().sum::<u32>(), extra, features)).or_insert(0) +=
                    count;
            }
            let counted = die.patterns(dice, &bonus, Detail::ALL, &ALL).unwrap();
            let counted = counted.into_iter().map(|PatternCount { roll, features }| {
                ((roll.ones, roll.sum, roll.bonus, features), roll.count)
            });
            assert_eq!(counted.collect::<BTreeMap<_, _>>(), wanted, "{dice} of {die:?}");
        }
    }

    #[test]
    fn without_features_the_counts_equal_those_of_outcomes() {
        for (detail, dice) in [(Detail::ALL, 10), (Detail::LEAST, 24)] {
            let die = Die::fair(6).unwrap();
            let counted = die.patterns(dice, &[], detail, &[]).unwrap();
            let rolls: Vec<RollCount> = counted.into_iter().map(|counted| counted.roll).collect();
            assert_eq!(Some(rolls), die.outcomes(dice, &[], detail).unwrap().pop());
        }
    }

    #[test]
    fn many_dice_of_few_sides_are_counted_and_too_many_multisets_are_refused() {
        let (coin, six) = (Die::fair(2).unwrap(), Die::fair(6).unwrap());
        assert_eq!(
            [six.multisets(10), six.multisets(24), coin.multisets(0)],
            [Some(3003), Some(118_755), Some(1)]
        );
        assert_eq!(
            six.patterns(10, &[], Detail::ALL, &ALL)
                .unwrap()
                .iter()
                .map(|p| p.roll.count)
                .sum::<u128>(),
            6u128.pow(10)
        );
        let heads = coin.patterns(127, &[], Detail::LEAST, &[Feature::Count(2)]).unwrap();
        assert_eq!(heads.iter().map(|found| found.roll.count).sum::<u128>(), 1 << 127);
        let certain =
            Die::fair(1).unwrap().patterns(1000, &[], Detail::ALL, &[Feature::Pairs]).unwrap();
        assert_eq!(
            (certain.len(), certain[0].roll.count, &certain[0].features[..]),
            (1, 1, &[500][..])
        );
        let error = Die::fair(20).unwrap().patterns(10, &[], Detail::ALL, &ALL).unwrap_err();
        assert_eq!(error, DiceError::TooManyPatterns { dice: 10, sides: 20 });
    }
}
