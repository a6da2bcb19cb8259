//! Exact arithmetic in integers over fixed denominators: no fraction is ever reduced while a game is solved.
//!
//! Let D be the least common multiple of the totals of all distributions of a layer (6^10 for ten six-sided dice, 4^10 for
//! four-sided ones). A mean over values of lower layers multiplies the denominator by at most D, so every state of a layer of
//! height h is worth N / (2 D D' D'' ...) for an integer N, one factor for its layer and each of those below. The 2 is there for
//! ties and endless games: at height 0 a value is 0, 1/2 or 1. Sums run over numbers from the lowest height up (Horner's
//! rule), so that each step is one multiplication by a machine word and one addition; and clean rolls share most of their sums
//! (`ladders`).

mod factors;
mod horner;
mod ladders;
mod limbs;

use std::cmp::Ordering;

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::game::{Game, OutcomeDistribution, TurnOutcome};

use super::arithmetic::{Arithmetic, Solved, Source, Spot, Weighing};
use super::layout::LayerIndex;
pub(super) use factors::base;
use factors::factors;
use horner::{Horner, Item};
use ladders::Ladders;
use limbs::{nearest_ratio, scale_add, subtract};

/// Integers over a denominator for each height, least significant limb first.
#[derive(Debug)]
pub(super) struct Scaled {
    /// By height: the products of the factors of the heights above it, of one, two, ... as far as they are below 2^63, so that two
    /// products and a carry fit 128 bits.
    factors: Vec<Vec<u64>>,
    /// The denominators by height, and half of each.
    ones: Vec<Vec<u64>>,
    halves: Vec<Vec<u64>>,
    ladders: Option<Ladders>,
}

/// No more factors than these are multiplied beforehand.
const MOST_FACTORS: usize = 63;

/// Room for the order of numbers and one running sum.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    sources: Vec<Source>,
    order: Vec<(usize, Item, u64)>,
    sum: Vec<u64>,
}

/// Whether a lottery has one outcome, perhaps in several ways.
fn is_certain(lottery: &OutcomeDistribution) -> bool {
    lottery.outcomes.len() == 1
}

impl Scaled {
    /// For a game whose totals have a common multiple that fits.
    pub fn new(game: &Game) -> Option<Self> {
        let of_layers = factors(game)?;
        let products = |height: usize| {
            let next = |product: &mut u64, factor: &u64| {
                *product = product.checked_mul(*factor).filter(|product| *product < 1 << 63)?;
                Some(*product)
            };
            of_layers[height..].iter().take(MOST_FACTORS).scan(1, next).collect()
        };
        let denominators = |first: u64| {
            let mut numbers = vec![vec![first]];
            for factor in &of_layers {
                let mut next = numbers[numbers.len() - 1].clone();
                scale_add(&mut next, *factor, &[], 0);
                numbers.push(next);
            }
            numbers
        };
        let mut scaled = Self {
            factors: (0..=of_layers.len()).map(products).collect(),
            ones: denominators(2),
            halves: denominators(1),
            ladders: None,
        };
        // Halves of clean rolls may weigh twice as much as all of a lottery.
        let fits = of_layers.iter().all(|factor| *factor < 1 << 62);
        scaled.ladders = Ladders::new(game, |layer| scaled.roll_limbs(layer)).filter(|_| fits);
        Some(scaled)
    }

    /// Limbs of one number of a layer, all layers of a game together: for estimating memory.
    pub fn limbs(&self, layer: LayerIndex) -> usize {
        self.ones[layer + 1].len()
    }

    /// Limbs of clean rolls from a layer: at its own height but for the layer's factor, and counted as often as they come up.
    fn roll_limbs(&self, layer: LayerIndex) -> usize {
        self.ones[layer].len() + 1
    }

    /// The most words of clean rolls that a side keeps at a time: for estimating memory.
    pub fn most_words_of_rolls(&self) -> usize {
        self.ladders.as_ref().map_or(0, Ladders::most_words)
    }

    /// The denominator of a layer's numbers.
    fn one(&self, layer: LayerIndex) -> &[u64] {
        &self.ones[layer + 1]
    }

    /// Where a side's clean rolls from a cell are: those of one row.
    fn rolls_at(&self, ladders: &Ladders, (side, row): (usize, usize), (score, opponent): (usize, usize)) -> Item {
        let cell = score * ladders.goal + opponent;
        let layer = ladders.layout.layer_of(cell);
        Item::Rolls { side, layer, word: ladders.layout.first_word_of(cell) + row * self.roll_limbs(layer) }
    }

    /// Lists all that a lottery is summed from at a cell whose clean rolls are known; false if it is no convolution, or certain.
    fn list_climb(
        &self,
        (weighing, index): (&Weighing, usize),
        source: impl Fn(usize) -> Source,
        order: &mut Vec<(usize, Item, u64)>,
    ) -> bool {
        let (Some(ladders), Some(spot)) = (&self.ladders, &weighing.spot) else { return false };
        let lottery = &weighing.offer.distributions[index];
        let (Some((chain, dice, on_top)), Some(convolution)) = (ladders.climb_of(lottery), &lottery.convolution) else {
            return false;
        };
        if is_certain(lottery) {
            return false;
        }
        let (score, opponent) = spot.scores;
        let is_apart = |landing: u16| {
            let landing = &weighing.offer.outcomes[usize::from(landing)];
            chain.is_apart(score + opponent + landing.points as usize) && landing.with_points(0) == chain.kind
        };
        let others = convolution.remainder.iter().filter(|(landing, _)| !is_apart(*landing));
        let apart = lottery.outcomes.iter().filter(|(landing, _)| is_apart(*landing));
        for (landing, weight) in others.chain(apart) {
            let item = Item::At(source(usize::from(*landing)));
            order.push((item.height(), item, *weight));
        }
        let total = score + on_top;
        let rolls = match total < ladders.goal {
            true => self.rolls_at(ladders, (spot.side, chain.row(dice)), (total, opponent)),
            false => Item::Halves(chain.past(ladders.goal, dice, (total, opponent))),
        };
        order.push((rolls.height(), rolls, 1));
        true
    }

    /// What the opponent gets on average in one lane of one lottery, over the denominator of this layer.
    ///
    /// A lottery of one outcome divides nothing, so it may land in this very layer (a pass); any other lands below.
    fn weigh(
        &self,
        layer: LayerIndex,
        (solved, lane): (&Solved<u64>, usize),
        lottery: &OutcomeDistribution,
        scratch: &mut Scratch,
    ) {
        let certain = is_certain(lottery);
        let (scale, height) = if certain { (1, layer + 1) } else { (self.factors[layer][0] / lottery.total, layer) };
        let mut horner = Horner::new(self, &mut scratch.sum);
        for (_, item, weight) in &scratch.order {
            let weight = if certain { 1 } else { weight * scale };
            horner.add_item(item, (solved, lane), weight);
        }
        horner.finish(height);
    }
}

impl Arithmetic for Scaled {
    type Word = u64;
    type Scratch = Scratch;

    fn words(&self, layer: LayerIndex) -> usize {
        self.limbs(layer)
    }

    fn expect(
        &self,
        weighing: &Weighing,
        source: impl Fn(usize) -> Source,
        solved: &Solved<u64>,
        (scratch, expected): (&mut Scratch, &mut Vec<u64>),
    ) {
        let (words, lanes) = (self.limbs(weighing.layer), weighing.lanes);
        expected.resize(weighing.offer.distributions.len() * lanes * words, 0);
        // Where there are climbs, few outcomes are read.
        let climbs = self.ladders.is_some() && weighing.spot.is_some();
        if !climbs {
            scratch.sources.resize(weighing.offer.outcomes.len(), Source::Open);
            weighing.each_landing(|landing| scratch.sources[landing] = source(landing));
        }
        for index in weighing.wanted {
            let lottery = &weighing.offer.distributions[usize::from(*index)];
            scratch.order.clear();
            if !self.list_climb((weighing, usize::from(*index)), &source, &mut scratch.order) {
                let source = |landing: usize| if climbs { source(landing) } else { scratch.sources[landing] };
                let items = lottery.outcomes.iter().map(|(landing, weight)| {
                    let item = Item::At(source(usize::from(*landing)));
                    (item.height(), item, *weight)
                });
                scratch.order.extend(items);
            }
            scratch.order.sort_unstable_by_key(|(height, ..)| *height);
            for lane in 0..lanes {
                self.weigh(weighing.layer, (solved, lane), lottery, scratch);
                let first = (usize::from(*index) * lanes + lane) * words;
                let mean = &mut expected[first..first + words];
                mean.copy_from_slice(self.one(weighing.layer));
                subtract(mean, &scratch.sum);
            }
        }
    }

    fn roll_words(&self, layer: LayerIndex) -> usize {
        self.ladders.as_ref().map_or(0, |ladders| ladders.layout.words(layer))
    }

    fn rolls_reach(&self) -> usize {
        self.ladders.as_ref().map_or(0, |ladders| ladders.reach)
    }

    fn roll(
        &self,
        spot: &Spot,
        source: impl Fn(&TurnOutcome) -> Source,
        solved: &Solved<u64>,
        (scratch, rolls): (&mut Scratch, &mut [u64]),
    ) {
        let Some(ladders) = &self.ladders else { return };
        let ((score, opponent), Scratch { order, sum, .. }) = (spot.scores, scratch);
        let words = self.roll_limbs(spot.layer);
        for chain in &ladders.chains {
            for dice in (1..=chain.most_dice).filter(|dice| ladders.is_read(spot.scores, chain.row(*dice))) {
                order.clear();
                for (points, weight) in &chain.steps {
                    let total = score + points;
                    let item = match dice {
                        1 if chain.is_apart(total + opponent) => continue,
                        1 => Item::At(source(&chain.kind.with_points(*points as u32))),
                        _ if total >= ladders.goal => {
                            Item::Halves(chain.past(ladders.goal, dice - 1, (total, opponent)))
                        }
                        _ => self.rolls_at(ladders, (spot.side, chain.row(dice - 1)), (total, opponent)),
                    };
                    order.push((item.height(), item, *weight));
                }
                if dice == 1 {
                    // Rules on totals may lead elsewhere than plain turns do.
                    order.sort_unstable_by_key(|(height, ..)| *height);
                }
                let mut horner = Horner::new(self, sum);
                for (_, item, weight) in order.iter() {
                    horner.add_item(item, (solved, 0), *weight);
                }
                horner.finish(spot.layer);
                let row = &mut rolls[chain.row(dice) * words..][..words];
                row[..sum.len()].copy_from_slice(sum);
                row[sum.len()..].fill(0);
            }
        }
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Ordering {
        a.iter().rev().cmp(b.iter().rev())
    }

    fn ties(&self, best: &[u64], other: &[u64], _: LayerIndex) -> bool {
        best == other
    }

    fn slack(&self, _: LayerIndex) -> f64 {
        0.0
    }

    fn turned(&self, number: &[u64], layer: LayerIndex) -> Vec<u64> {
        let mut rest = self.one(layer).to_vec();
        subtract(&mut rest, number);
        rest
    }

    fn to_rational(&self, number: &[u64], layer: LayerIndex) -> RBig {
        RBig::from_parts(IBig::from(UBig::from_words(number)), UBig::from_words(self.one(layer)))
    }

    fn nearest(&self, value: &RBig, layer: LayerIndex) -> Vec<u64> {
        let scaled = value.clone() * RBig::from(UBig::from_words(self.one(layer)));
        let (numerator, denominator) = scaled.into_parts();
        assert!(denominator.is_one(), "loops without chance keep to the layer's denominator");
        let mut words = UBig::try_from(numerator).expect("values are not negative").as_words().to_vec();
        words.resize(self.limbs(layer), 0);
        words
    }

    fn to_f64(&self, number: &[u64], layer: LayerIndex) -> f64 {
        nearest_ratio(&UBig::from_words(number), &UBig::from_words(self.one(layer)))
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{Game, Plan};
    use crate::rules::{Overrides, builtins, load, rules_from_text};
    use crate::solve::solver::Numbers;
    use crate::solve::{Arithmetic, Solution, Solver, Watch};

    use super::{Scaled, scale_add};

    fn game(id: &str, goal: u32) -> Game {
        Game::new(load(id, Overrides { goal: Some(goal), max_dice: None }).expect("built in")).expect("sound")
    }

    /// All that a solution tells.
    fn told(solution: &Solution) -> (Option<String>, Vec<u64>, Vec<u32>) {
        let sides = || [Some(&solution.own), solution.other.as_ref()].into_iter().flatten();
        let bits = sides().flat_map(|values| &values.win_rates).map(|rate| rate.to_bits()).collect();
        let best = sides().flat_map(|values| &values.best).copied().collect();
        (solution.first_fraction().map(ToString::to_string), bits, best)
    }

    #[test]
    fn clean_rolls_that_are_kept_change_no_number() {
        let mut kept = 0;
        for id in builtins().iter().map(|builtin| builtin.id) {
            let game = game(id, 24);
            if game.space().per_cell() > 1 {
                continue;
            }
            let mut solver = Solver::new(&game, Arithmetic::Exact);
            let four = Plan::of_scores(&game, vec![4.min(game.space().actions as u8 - 1); 24 * 24]);
            let solved = |solver: &Solver| {
                let equilibrium = solver.equilibrium(&Watch::silent()).expect("it fits");
                let response = solver.best_response(&four, &Watch::silent()).expect("it fits");
                [told(&equilibrium), told(&response)]
            };
            let with = match &solver.numbers {
                Numbers::Scaled(scaled) if scaled.ladders.is_some() => solved(&solver),
                _ => continue,
            };
            if let Numbers::Scaled(scaled) = &mut solver.numbers {
                scaled.ladders = None;
            }
            assert!(with == solved(&solver), "{id}");
            kept += 1;
        }
        assert!(kept > 20, "most games have no memories: {kept}");
    }

    #[test]
    fn where_rules_lower_totals_no_clean_rolls_are_kept() {
        let text = "id = \"slide\"\ngoal = 20\nmax_dice = 2\n[[rule]]\nname = \"Slide\"\nscore = \"points > 2 ? score - 2 : score\"";
        let game = Game::new(rules_from_text(text, "slide", Overrides::default()).expect("sound")).expect("sound");
        assert!(game.rules_lower_totals());
        assert!(Scaled::new(&game).expect("totals that fit").ladders.is_none());
    }

    #[test]
    fn each_layer_has_the_factor_of_its_own_dice() {
        // Where the sum of scores is a multiple of 7, dice have four sides.
        let scaled = Scaled::new(&game("su15", 10)).expect("totals that fit");
        let mut expected = vec![2];
        for sum in (0..19).rev() {
            scale_add(&mut expected, if sum % 7 == 0 { 4_u64.pow(10) } else { 6_u64.pow(10) }, &[], 0);
            assert_eq!(scaled.ones[19 - sum], expected, "at a sum of {sum}");
        }
    }
}
