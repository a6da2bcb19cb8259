//! Dice: seeded ones, so that every game can be replayed on any machine, or any others.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::dice::{Die, Weight};

/// A source of outcomes of dice.
pub trait DiceSource {
    /// Rolls one die of this kind; returns its face, from 1 up.
    fn roll(&mut self, die: &Die) -> u32;
}

/// Any function of the die is one: `|die: &Die| if die.sides() == 4 { 1 } else { 3 }`.
impl<F: FnMut(&Die) -> u32> DiceSource for F {
    fn roll(&mut self, die: &Die) -> u32 {
        self(die)
    }
}

/// Rolls exactly `number` dice, even after a 1.
pub fn roll_together(dice: &mut dyn DiceSource, die: &Die, number: usize) -> Vec<u32> {
    (0..number).map(|_| dice.roll(die)).collect()
}

/// Random dice that roll the same on any machine: `ChaCha8`, keyed with the seed.
///
/// The key is the seed as eight little-endian bytes, followed by 24 zero bytes; the stream number
/// distinguishes independent dice of one seed. A face is drawn from 32-bit words by Lemire's
/// method: it is selected by the high half of the word times the die's total weight; the word is
/// rejected if the low half is below 2^32 modulo that weight, so that the probability of every face
/// is exact.
#[derive(Debug)]
pub struct SeededDice(ChaCha8Rng);

impl Clone for SeededDice {
    /// Returns dice that roll what these will roll.
    fn clone(&self) -> Self {
        Self(ChaCha8Rng::deserialize_state(&self.0.serialize_state()))
    }
}

impl SeededDice {
    /// Creates the dice of a seed.
    pub fn new(seed: u64) -> Self {
        Self::stream(seed, 0)
    }

    /// Creates the dice of a seed and stream; different streams are independent.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(stream);
        Self(rng)
    }

    /// Returns the next 64 bits.
    #[inline(always)]
    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a uniformly random number from 0 to `below - 1`.
    #[inline(always)]
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        if let Ok(below) = u32::try_from(below) {
            return self.below_u32(below).into();
        }
        loop {
            let product = u128::from(self.bits()) * u128::from(below);
            if product as u64 >= below || product as u64 >= below.wrapping_neg() % below {
                return (product >> 64) as u64;
            }
        }
    }

    /// Returns a uniformly random number from 0 to `below - 1`. Beyond 64 bits, numbers with as
    /// many bits as `below - 1` are drawn until one is small enough.
    #[inline]
    pub(super) fn below_weight(&mut self, below: Weight) -> Weight {
        if let Ok(below) = u64::try_from(below) {
            return self.below(below).into();
        }
        let spare = (below - 1).leading_zeros();
        loop {
            let drawn = (Weight::from(self.bits()) << 64 | Weight::from(self.bits())) >> spare;
            if drawn < below {
                return drawn;
            }
        }
    }

    fn below_u32(&mut self, below: u32) -> u32 {
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(below);
            if product as u32 >= below || product as u32 >= below.wrapping_neg() % below {
                return (product >> 32) as u32;
            }
        }
    }
}

impl DiceSource for SeededDice {
    fn roll(&mut self, die: &Die) -> u32 {
        let total = u64::try_from(die.total()).expect("at most 1000 weights of 32 bits");
        let mut remaining = self.below(total);
        for face in 1.. {
            match remaining.checked_sub(die.weight(face).into()) {
                Some(left) => remaining = left,
                None => return face,
            }
        }
        unreachable!("the weights sum to the total")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_rolls() {
        // From an independent implementation of ChaCha8, written from RFC 8439 with 8 rounds and a
        // 64-bit stream.
        let mut dice = SeededDice::new(2021);
        let six = Die::fair(6).unwrap();
        assert_eq!(roll_together(&mut dice, &six, 12), [6, 1, 2, 1, 4, 1, 4, 1, 5, 4, 3, 3]);
        assert_eq!(SeededDice::stream(2021, 7).bits(), 17_422_996_798_892_727_635);
    }

    #[test]
    fn a_clone_rolls_what_the_original_rolls() {
        let mut dice = SeededDice::stream(2021, 7);
        let four = Die::fair(4).unwrap();
        for _ in 0..200 {
            let mut cloned = dice.clone();
            let both =
                [&mut cloned, &mut dice].map(|dice| (roll_together(dice, &four, 3), dice.bits()));
            assert_eq!(both[0], both[1]);
        }
    }

    #[test]
    fn weighted_faces_occur_in_proportion_to_their_weights() {
        let die = Die::weighted(&[1, 3, 0, 4]).unwrap();
        let mut dice = SeededDice::new(1);
        let mut counts = [0; 5];
        for _ in 0..80_000 {
            counts[dice.roll(&die) as usize] += 1;
        }
        // Six standard deviations of the most frequent face's count are about 850.
        for (face, expected) in [(1, 10_000i32), (2, 30_000), (3, 0), (4, 40_000)] {
            assert!((counts[face] - expected).abs() < 850, "{counts:?}");
        }
        assert_eq!(counts[3], 0);
    }

    #[test]
    fn large_ranges_are_drawn_within_bounds() {
        let mut dice = SeededDice::new(3);
        let most = (0..1000).map(|_| dice.below(1 << 40)).max().unwrap();
        assert!(most < 1 << 40 && most > (1 << 40) - (1 << 33), "{most}");
    }

    #[test]
    fn numbers_beyond_64_bits_are_drawn_uniformly() {
        let all = 6u128.pow(30);
        let mut dice = SeededDice::new(3);
        let mut sixths = [0; 6];
        (0..60_000).for_each(|_| sixths[(dice.below_weight(all) / (all / 6)) as usize] += 1);
        // Six standard deviations are about 550.
        assert!(sixths.iter().all(|drawn: &i32| (drawn - 10_000).abs() < 550), "{sixths:?}");
        let below = [2, 6, 1 << 32, 1 << 40, u64::MAX];
        let (mut wide, mut narrow) = (SeededDice::new(4), SeededDice::new(4));
        assert_eq!(
            below.map(|below| wide.below_weight(below.into())),
            below.map(|below| narrow.below(below).into())
        );
    }
}
