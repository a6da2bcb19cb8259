//! What is on offer at cells, put together from lotteries over landings.

use std::num::TryFromIntError;

use super::intern::Interner;
use super::lottery::CleanRolls;
use super::{Climb, Landing, Lottery, Offer, Panel};

/// A lottery over landings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LandingLottery {
    /// In ascending order.
    pub outcomes: Vec<(Landing, u64)>,
    pub total: u64,
    pub clean: Option<CleanRolls>,
}

/// Points that one die of a clean roll brings, or several, with weights.
type Step = Vec<(u32, u64)>;

/// What a climb stands on, and the outcomes that are none.
type Footing = Option<(Landing, Vec<(Landing, u64)>)>;

/// Makes panels; what several of them have in common is worked out once.
pub(super) struct PanelMaker<'a> {
    /// Classes of the shared memories.
    shared: usize,
    theirs_matter: bool,
    lotteries: &'a [LandingLottery],
    /// All landings, in ascending order.
    landings: Vec<Landing>,
    /// By lottery: the places of its outcomes among them.
    places: Vec<Vec<u32>>,
    /// By lottery, if it was asked for.
    footings: Vec<Option<Footing>>,
    /// By place of a landing: where it is in the offer that is being made.
    in_offer: Vec<u16>,
    /// A bit for each place, none of them set but while they are put in order.
    marks: Vec<u64>,
    ladders: Interner<Step>,
    sums: ClimbSums,
}

impl<'a> PanelMaker<'a> {
    /// For so many classes of the shared memories.
    pub fn new(shared: usize, theirs_matter: bool, lotteries: &'a [LandingLottery]) -> Self {
        let all = || lotteries.iter().flat_map(|lottery| &lottery.outcomes).map(|(landing, _)| *landing);
        let mut interner = Interner::new();
        let numbers: Vec<u32> = all().map(|landing| interner.number(landing)).collect();
        let first_seen = interner.into_items();
        let mut order: Vec<u32> = (0..first_seen.len() as u32).collect();
        order.sort_unstable_by_key(|number| first_seen[*number as usize]);
        let mut place_of = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, number)| place_of[*number as usize] = place as u32);
        let mut numbers = numbers.into_iter().map(|number| place_of[number as usize]);
        let places = lotteries.iter().map(|lottery| numbers.by_ref().take(lottery.outcomes.len()).collect()).collect();
        let landings = order.iter().map(|number| first_seen[*number as usize]).collect();
        Self {
            shared,
            theirs_matter,
            lotteries,
            landings,
            places,
            footings: vec![None; lotteries.len()],
            in_offer: vec![0; order.len()],
            marks: vec![0; order.len().div_ceil(64)],
            ladders: Interner::new(),
            sums: ClimbSums::default(),
        }
    }

    /// A panel of the lotteries of all actions: by the shared memories, the mover's, and if they matter the opponent's.
    ///
    /// # Errors
    /// If lotteries or landings are more than a panel can number.
    pub fn panel(&mut self, lotteries: &[u32]) -> Result<Panel, TryFromIntError> {
        let mut panel = Panel { theirs_matter: self.theirs_matter, ..Panel::default() };
        for lotteries in lotteries.chunks_exact(lotteries.len() / self.shared) {
            let mut on_offer = Interner::new();
            for lottery in lotteries {
                panel.choices.push(on_offer.number(*lottery).try_into()?);
            }
            panel.offers.push(self.offer(&on_offer.into_items())?);
        }
        Ok(panel)
    }

    /// What one die of a clean roll brings, as far as climbs of the panels use it.
    pub fn into_ladders(self) -> Vec<Step> {
        self.ladders.into_items()
    }

    fn offer(&mut self, lotteries: &[u32]) -> Result<Offer, TryFromIntError> {
        let places = self.places_of(lotteries);
        for (index, place) in places.iter().enumerate() {
            self.in_offer[*place as usize] = index.try_into()?;
        }
        let landings = places.iter().map(|place| self.landings[*place as usize]).collect();
        let lotteries = lotteries.iter().map(|id| self.lottery(*id as usize)).collect();
        Ok(Offer { landings, level: Vec::new(), lotteries })
    }

    /// The places of all landings of some lotteries, ascending.
    fn places_of(&mut self, lotteries: &[u32]) -> Vec<u32> {
        for place in lotteries.iter().flat_map(|lottery| &self.places[*lottery as usize]) {
            self.marks[*place as usize / 64] |= 1 << (place % 64);
        }
        let mut places = Vec::new();
        for (first, marks) in (0..).step_by(64).zip(&mut self.marks) {
            while *marks != 0 {
                places.push(first + marks.trailing_zeros());
                *marks &= *marks - 1;
            }
        }
        places
    }

    fn lottery(&mut self, id: usize) -> Lottery {
        let lottery = &self.lotteries[id];
        let footing = self.footings[id].get_or_insert_with(|| {
            let clean = lottery.clean.as_ref()?;
            footing(clean, lottery, self.sums.of(clean)?)
        });
        let in_offer = |place: &u32| self.in_offer[*place as usize];
        let outcomes = self.places[id].iter().map(in_offer).zip(lottery.outcomes.iter().map(|(_, weight)| *weight));
        let climb = footing.as_ref().zip(lottery.clean.as_ref()).map(|((foot, rest), clean)| {
            let place = |landing: &Landing| {
                let own = lottery.outcomes.binary_search_by_key(landing, |(landing, _)| *landing);
                in_offer(&self.places[id][own.expect("an outcome")])
            };
            let rest = rest.iter().map(|(landing, weight)| (place(landing), *weight)).collect();
            let ladder = self.ladders.number_of(&clean.step, || clean.step.clone()) as usize;
            Climb { ladder, dice: clean.dice as usize, foot: *foot, rest }
        });
        Lottery { outcomes: outcomes.collect(), total: lottery.total, climb }
    }
}

/// What the dice of clean rolls bring together.
#[derive(Default)]
struct ClimbSums {
    steps: Interner<Step>,
    /// By kind of die and number of dice: points and their counts, ascending; `None` if they are past their types.
    sums: Vec<Vec<Option<Step>>>,
}

impl ClimbSums {
    fn of(&mut self, clean: &CleanRolls) -> Option<&[(u32, u64)]> {
        let step = self.steps.number_of(&clean.step, || clean.step.clone()) as usize;
        self.sums.resize_with(self.sums.len().max(step + 1), || vec![Some(vec![(0, 1)])]);
        let sums = &mut self.sums[step];
        while sums.len() <= clean.dice as usize {
            let last = sums.last().expect("no dice at least").as_ref();
            sums.push(last.and_then(|last| with_one_more(last, &clean.step)));
        }
        sums[clean.dice as usize].as_deref()
    }
}

fn with_one_more(sums: &[(u32, u64)], step: &Step) -> Option<Step> {
    let mut more = Vec::with_capacity(sums.len() * step.len());
    for (points, count) in sums {
        for (brings, weight) in step {
            more.push((points.checked_add(*brings)?, count * weight));
        }
    }
    Some(super::lottery::summed(more))
}

/// Where the clean rolls of a lottery land before any die brings points, and the outcomes that are none; if all clean
/// rolls, with these sums and their counts, land alike but for their points.
fn footing(clean: &CleanRolls, lottery: &LandingLottery, sums: &[(u32, u64)]) -> Footing {
    // A bust may land where a clean roll does; the landing is the one that has at least the clean rolls' weight.
    let (highest, count) = sums.last()?;
    let highest = highest + clean.shift;
    let first = lottery.outcomes.iter().find(|(landing, weight)| landing.points == highest && weight >= count)?;
    let mut rest = lottery.outcomes.clone();
    let mut at = 0;
    for (points, count) in sums {
        let landing = first.0.with_points(points + clean.shift);
        at += rest[at..].iter().position(|(known, _)| *known >= landing)?;
        rest[at].1 = (rest[at].0 == landing).then(|| rest[at].1.checked_sub(*count)).flatten()?;
    }
    rest.retain(|(_, weight)| *weight > 0);
    Some((first.0.with_points(clean.shift), rest))
}
