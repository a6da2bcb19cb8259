//! What is on offer at a cell: landings, lotteries over them, and which state may take which.

use super::Space;

/// Where an outcome arrives, as far as it does not depend on the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Landing {
    /// Which table of arrivals.
    pub(super) table: u16,
    /// The mover's memory class if the turn passes, and if the mover moves again.
    pub(super) mine: [u16; 2],
    /// The shared class, likewise.
    pub(super) shared: [u16; 2],
    /// The turn's points.
    pub points: u32,
}

/// What one action can lead to: landings of a panel with whole weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Lottery {
    /// The landing's index in [`Offer::landings`], ascending, and its weight.
    pub outcomes: Vec<(u16, u64)>,
    /// The sum of the weights.
    pub total: u64,
    /// The same outcomes as stretches of neighbouring landings, weights as doubles: what vectors of a processor like.
    pub stretches: Vec<Stretch>,
    /// The same outcomes as a climb, where all rolls without a 1 land alike but for their points.
    pub climb: Option<Climb>,
}

/// A lottery as clean rolls, each die of which brings some points more, and a rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    /// Which of [`Game::ladders`](super::Game::ladders) tells what one die brings.
    pub ladder: usize,
    /// How many dice.
    pub dice: usize,
    /// The other outcomes.
    pub rest: Vec<Stretch>,
}

/// Outcomes on neighbouring landings of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The index of the run.
    pub run: usize,
    /// The first landing.
    pub first: usize,
    /// Its place in the run.
    pub offset: usize,
    /// The weight of each landing from the first on, 0 for some that are not among the outcomes; a double (exact below
    /// 2^53).
    pub weights: Vec<f64>,
}

/// Neighbouring landings that differ only in their points, which are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The index of its first landing.
    pub first: usize,
    /// How many landings.
    pub length: usize,
    pub(super) landing: Landing,
}

impl Lottery {
    /// The weight of a landing, as a double; 0 if it is not among the outcomes.
    #[inline(always)]
    pub fn weight_of(&self, landing: usize) -> f64 {
        let at = |part: &Stretch| part.weights.get(landing.wrapping_sub(part.first)).copied();
        self.stretches.iter().find_map(at).unwrap_or(0.0)
    }
}

/// Gaps up to this long are filled with weights of 0: a few more products cost less than one more stretch.
const LONGEST_GAP: usize = 8;

impl Lottery {
    pub(super) fn new(outcomes: Vec<(u16, u64)>, total: u64, runs: &[Run], climb: Option<Climb>) -> Self {
        let stretches = stretches(&outcomes, runs);
        Self { outcomes, total, stretches, climb }
    }
}

/// Outcomes as stretches.
pub(super) fn stretches(outcomes: &[(u16, u64)], runs: &[Run]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (landing, weight) in outcomes {
        let landing = usize::from(*landing);
        let run = runs.partition_point(|run| run.first <= landing) - 1;
        let near = |last: &&mut Stretch| last.run == run && landing <= last.first + last.weights.len() + LONGEST_GAP;
        match stretches.last_mut().filter(near) {
            Some(last) => {
                last.weights.resize(landing - last.first, 0.0);
                last.weights.push(*weight as f64);
            }
            None => {
                let offset = landing - runs[run].first;
                stretches.push(Stretch { run, first: landing, offset, weights: vec![*weight as f64] });
            }
        }
    }
    stretches
}

impl Offer {
    /// The landings that may leave the sum of scores as it is, from some cell.
    pub fn level_landings(&self) -> impl Iterator<Item = &Landing> {
        self.level.iter().map(|landing| &self.landings[usize::from(*landing)])
    }
}

impl Run {
    /// The points of its first landing.
    pub fn points(&self) -> usize {
        self.landing.points as usize
    }

    /// The mover's memory class and the shared class after its turns, where they pass.
    pub fn classes(&self) -> (usize, usize) {
        (self.landing.mine[0].into(), self.landing.shared[0].into())
    }
}

/// What is on offer at some cells for one class of the shared memories.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// All landings of the lotteries.
    pub landings: Vec<Landing>,
    /// The same in runs.
    pub runs: Vec<Run>,
    /// Those that may leave the sum of scores as it is, from some cell.
    pub level: Vec<u16>,
    /// The distinct lotteries.
    pub lotteries: Vec<Lottery>,
}

/// What is on offer at some cells.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// By class of the shared memories.
    pub offers: Vec<Offer>,
    /// Lottery of each action: `choices[((g * mine + i) * mine + j) * actions + action]`, or without `j` where the
    /// opponent's memory does not matter.
    pub(super) choices: Vec<u16>,
    pub(super) theirs_matter: bool,
}

impl Panel {
    /// The lotteries, among `offers[shared]`, of each action in a state with memories (shared, mine, theirs).
    #[inline(always)]
    pub fn lotteries(&self, space: &Space, (shared, mine, theirs): (usize, usize, usize)) -> &[u16] {
        let row = shared * space.mine + mine;
        let place = if self.theirs_matter { row * space.mine + theirs } else { row };
        &self.choices[place * space.actions..][..space.actions]
    }
}
