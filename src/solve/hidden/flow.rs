//! One pass forward (how often each hidden state is met) and one backward (what each is worth) over a field of opponents.
//!
//! All values are those of the solved side: the win rate if it plays its table from there on.

use crate::game::{DiceSet, Game, Plan};

use super::flat::{Mend, Tables};
use super::lanes::{bit, members};
use super::memories::memories;
use super::{Sees, lanes};

/// A game and the opponents that may sit there, each with its share of the games.
pub(super) struct Board<'a> {
    pub game: &'a Game,
    pub tables: Tables,
    /// All weights, each twice: for two lanes.
    pub doubled: Vec<f64>,
    sees: Sees,
    /// The opponent's memories that can come up, by lane; and the lane of the start's.
    theirs: Vec<usize>,
    start_lane: usize,
    /// Lanes of opponents' memories and of own ones, those that only fill vectors among them.
    their_lanes: usize,
    own_lanes: usize,
    /// By cell: the first of its panel's distributions; their number is that of the next.
    pub panels: Vec<(u32, u32)>,
    /// By cell, then lottery: where the mends begin.
    mend_starts: Vec<Vec<u32>>,
    mends: Vec<Mend>,
    opponents: Vec<Opponent>,
}

struct Opponent {
    share: f64,
    /// OutcomeDistribution, among its panel's, by cell, its own memory (a lane), the solved side's memory.
    distributions: Vec<u16>,
}

/// What is known against one opponent.
#[derive(Clone)]
struct Tide {
    own_met: Vec<f64>,
    their_met: Vec<f64>,
    own_worth: Vec<f64>,
    their_worth: Vec<f64>,
}

/// What is known against all, and the table that is being improved.
#[derive(Clone)]
pub(super) struct Flow {
    tides: Vec<Tide>,
    /// The action of each decision: a cell, or a state where memories are seen.
    pub table: Vec<u8>,
    /// By decision and action: what it is worth there, on average over what is hidden.
    pub worth: Vec<f32>,
    means: Vec<f64>,
    /// What has been met at a cell, by lottery and lane; all 0 between cells.
    gathered: Vec<f64>,
}

/// Weight of hidden states that are never met: just enough that their decisions are sensible ones.
const FAINT: f64 = 1e-18;

/// An action must be better by this much, times how often the decision is met, to replace another.
const BETTER: f64 = 1e-14;

impl<'a> Board<'a> {
    /// `None` if the game or a plan does not fit.
    pub fn new(game: &'a Game, opponents: &[(&Plan, f64)], sees: Sees) -> Option<Self> {
        let tables = Tables::new(game)?;
        let space = game.space();
        let cells = space.goal * space.goal;
        let panels = (0..cells).map(|cell| {
            let panel = game.action_set(cell);
            let first = tables.first_lottery[game.action_set_number(cell)] as u32;
            (first, panel.by_shared[0].distributions.len() as u32)
        });
        let panels: Vec<(u32, u32)> = panels.collect();
        let (mut mends, mut mend_starts) = (Vec::new(), Vec::with_capacity(cells));
        for (cell, (first, count)) in panels.iter().enumerate() {
            let mut starts = vec![mends.len() as u32];
            for lottery in *first..first + count {
                tables.mend(cell, lottery as usize, &mut mends);
                starts.push(mends.len() as u32);
            }
            mend_starts.push(starts);
        }
        let theirs = memories(game, &tables, opponents);
        let opponents = opponents.iter().map(|(plan, share)| Opponent {
            share: *share,
            distributions: (0..cells)
                .flat_map(|cell| {
                    let panel = game.action_set(cell);
                    theirs.iter().flat_map(move |of_theirs| {
                        (0..space.mine).map(move |mine| {
                            let action = plan.action(space.state(cell, 0, mine, *of_theirs));
                            panel.distributions(&space, (0, *of_theirs, mine))[action]
                        })
                    })
                })
                .collect(),
        });
        let doubled = tables.weights.iter().flat_map(|weight| [*weight; 2]).collect();
        let opponents = opponents.collect();
        let (their_lanes, own_lanes) = (lanes::padded(theirs.len()), lanes::padded(space.mine));
        let start_lane = theirs.iter().position(|theirs| *theirs == tables.start_memory).expect("it comes up");
        Some(Self {
            game,
            tables,
            doubled,
            sees,
            theirs,
            start_lane,
            their_lanes,
            own_lanes,
            panels,
            mend_starts,
            mends,
            opponents,
        })
    }

    /// How many decisions a table has.
    pub fn decisions(&self) -> usize {
        self.panels.len() * self.per_cell()
    }

    fn per_cell(&self) -> usize {
        if self.sees == Sees::Scores { 1 } else { self.theirs.len() * self.game.space().mine }
    }

    fn decision(&self, cell: usize, lane: usize, mine: usize) -> usize {
        match self.sees {
            Sees::Scores => cell,
            Sees::State => cell * self.per_cell() + lane * self.game.space().mine + mine,
        }
    }

    /// A table as a plan.
    pub fn plan(&self, table: &[u8]) -> Plan {
        let space = self.game.space();
        if self.sees == Sees::Scores {
            return Plan::of_scores(self.game, table.to_vec());
        }
        let action = |state: usize| {
            let (cell, place) = (state / space.per_cell(), state % space.per_cell());
            // Memories that never come up are played as the first that does.
            let lane = self.theirs.iter().position(|theirs| *theirs == place / space.mine).unwrap_or(0);
            table[self.decision(cell, lane, place % space.mine)]
        };
        Plan::from_actions((0..space.states()).map(action).collect())
    }

    /// Nothing known, and a table of one action.
    pub fn flow(&self, action: u8) -> Flow {
        let places = self.tables.ends() + 3;
        let goal = self.game.space().goal;
        let tide = || {
            let mut tide = Tide {
                own_met: vec![0.0; places * self.own_lanes],
                their_met: vec![0.0; places * self.their_lanes],
                own_worth: vec![0.0; places * self.own_lanes],
                their_worth: vec![0.0; places * self.their_lanes],
            };
            let fill = |worth: &mut [f64], lanes: usize, place: usize, value: f64| {
                worth[place * lanes..(place + 1) * lanes].fill(value);
            };
            for place in (0..self.tables.ends()).filter(|place| place % self.tables.width >= goal) {
                fill(&mut tide.their_worth, self.their_lanes, place, 1.0);
            }
            for (end, (own, their)) in [(0.0, 1.0), (1.0, 0.0), (0.5, 0.5)].into_iter().enumerate() {
                fill(&mut tide.own_worth, self.own_lanes, self.tables.ends() + end, own);
                fill(&mut tide.their_worth, self.their_lanes, self.tables.ends() + end, their);
            }
            tide
        };
        let decisions = self.decisions();
        Flow {
            tides: self.opponents.iter().map(|_| tide()).collect(),
            table: vec![action; decisions],
            worth: vec![0.0; decisions * self.game.space().actions],
            means: Vec::new(),
            gathered: Vec::new(),
        }
    }

    #[inline(always)]
    fn forward(&self, flow: &mut Flow) {
        let (space, start) = (self.game.space(), self.tables.start_memory);
        let plane = space.goal * self.tables.width;
        for (opponent, tide) in self.opponents.iter().zip(&mut flow.tides) {
            for theirs in &self.theirs {
                tide.own_met[theirs * plane * self.own_lanes..(theirs + 1) * plane * self.own_lanes].fill(0.0);
            }
            tide.their_met.fill(0.0);
            let place = self.tables.place(start, 0);
            tide.own_met[place * self.own_lanes + start] = 0.5;
            tide.their_met[place * self.their_lanes + self.start_lane] = 0.5;
            for layer in (0..space.stages()).rev() {
                for cell in self.tables.cells(layer) {
                    self.carry_own(cell, tide, &flow.table, &mut flow.gathered);
                    self.carry_theirs(cell, tide, opponent, &mut flow.gathered);
                }
            }
        }
    }

    #[inline(always)]
    fn carry_own(&self, cell: usize, tide: &mut Tide, table: &[u8], by_lottery: &mut Vec<f64>) {
        let (space, lanes, count) = (self.game.space(), self.their_lanes, self.panels[cell].1 as usize);
        let (panel, mut used) = (self.game.action_set(cell), 0);
        by_lottery.resize(by_lottery.len().max(count * lanes), 0.0);
        for (lane, theirs) in self.theirs.iter().enumerate() {
            let place = self.tables.place(*theirs, cell) * self.own_lanes;
            for mine in 0..space.mine {
                let met = tide.own_met[place + mine];
                if met > 0.0 {
                    let action = usize::from(table[self.decision(cell, lane, mine)]);
                    let lottery = usize::from(panel.distributions(&space, (0, mine, *theirs))[action]);
                    by_lottery[lottery * lanes + lane] += met;
                    used |= bit(lottery);
                }
            }
        }
        self.carry((cell, used), lanes, by_lottery, &mut tide.their_met);
    }

    #[inline(always)]
    fn carry_theirs(&self, cell: usize, tide: &mut Tide, opponent: &Opponent, by_lottery: &mut Vec<f64>) {
        let (space, lanes, count) = (self.game.space(), self.own_lanes, self.panels[cell].1 as usize);
        by_lottery.resize(by_lottery.len().max(count * lanes), 0.0);
        let (known, mut used) = (&opponent.distributions[cell * self.theirs.len() * space.mine..], 0);
        for mine in 0..space.mine {
            let place = self.tables.place(mine, cell) * self.their_lanes;
            for lane in 0..self.theirs.len() {
                let met = tide.their_met[place + lane];
                if met > 0.0 {
                    let lottery = usize::from(known[lane * space.mine + mine]);
                    by_lottery[lottery * lanes + mine] += met;
                    used |= bit(lottery);
                }
            }
        }
        self.carry((cell, used), lanes, by_lottery, &mut tide.own_met);
    }

    /// Carries on what has been gathered by lottery, and clears it.
    #[inline(always)]
    fn carry(&self, (cell, used): (usize, u64), lanes: usize, by_lottery: &mut [f64], into: &mut [f64]) {
        for lottery in members(used, self.panels[cell].1 as usize) {
            let met = &mut by_lottery[lottery * lanes..(lottery + 1) * lanes];
            lanes::scatter(self, cell, lottery, met, into);
            met.fill(0.0);
        }
    }

    #[inline(always)]
    fn backward(&self, flow: &mut Flow) -> (f64, usize) {
        let mut changed = 0;
        for layer in 0..self.game.space().stages() {
            for cell in self.tables.cells(layer) {
                self.expect_own(cell, flow);
                changed += self.choose(cell, flow);
                self.settle_own(cell, flow);
                for (opponent, tide) in self.opponents.iter().zip(&mut flow.tides) {
                    self.settle_theirs(cell, tide, opponent, &mut flow.means);
                }
            }
        }
        let start = self.tables.place(self.tables.start_memory, 0);
        let worth = |tide: &Tide| {
            let own = tide.own_worth[start * self.own_lanes + self.tables.start_memory];
            (own + tide.their_worth[start * self.their_lanes + self.start_lane]) / 2.0
        };
        let rate = self.opponents.iter().zip(&flow.tides).map(|(opponent, tide)| opponent.share * worth(tide)).sum();
        (rate, changed)
    }

    /// Writes to `flow.means`, by opponent, lottery and lane, what each lottery of a cell is worth to the solved side.
    #[inline(always)]
    fn expect_own(&self, cell: usize, flow: &mut Flow) {
        let (lanes, distributions) = (self.their_lanes, self.panels[cell].1 as usize);
        let Flow { tides, means, .. } = flow;
        means.resize(tides.len() * distributions * lanes, 0.0);
        for (tide, means) in tides.iter().zip(means.chunks_exact_mut(distributions * lanes)) {
            for (lottery, means) in means.chunks_exact_mut(lanes).enumerate() {
                lanes::gather(self, cell, lottery, &tide.their_worth, means);
            }
        }
    }

    #[inline(always)]
    fn choose(&self, cell: usize, flow: &mut Flow) -> usize {
        let (space, panel) = (self.game.space(), self.game.action_set(cell));
        let (lanes, distributions) = (self.their_lanes, self.panels[cell].1 as usize);
        let mut sums = [0.0; DiceSet::BITS as usize];
        let (mut changed, mut met_in_all) = (0, 0.0);
        let met_by = |tide: &Tide| {
            let rows = self.theirs.iter().map(|theirs| self.tables.place(*theirs, cell) * self.own_lanes);
            rows.map(|row| tide.own_met[row..row + space.mine].iter().sum::<f64>()).sum::<f64>()
        };
        // What is met is what counts; only where nothing is, all that might be.
        let any_met = self.sees == Sees::Scores && flow.tides.iter().any(|tide| met_by(tide) > 0.0);
        for (lane, mine) in (0..self.theirs.len()).flat_map(|lane| (0..space.mine).map(move |mine| (lane, mine))) {
            let theirs = self.theirs[lane];
            let of_action = panel.distributions(&space, (0, mine, theirs));
            let place = self.tables.place(theirs, cell) * self.own_lanes + mine;
            for (index, (opponent, tide)) in self.opponents.iter().zip(&flow.tides).enumerate() {
                if any_met && tide.own_met[place] == 0.0 {
                    continue;
                }
                let met = opponent.share * (tide.own_met[place] + FAINT);
                met_in_all += met;
                let means = &flow.means[index * distributions * lanes..(index + 1) * distributions * lanes];
                for (sum, lottery) in sums.iter_mut().zip(of_action) {
                    *sum += met * means[usize::from(*lottery) * lanes + lane];
                }
            }
            if self.sees == Sees::State || (lane, mine) == (self.theirs.len() - 1, space.mine - 1) {
                let decision = self.decision(cell, lane, mine);
                changed += usize::from(decide(flow, decision, &sums[..space.actions], met_in_all));
                sums.fill(0.0);
                met_in_all = 0.0;
            }
        }
        changed
    }

    #[inline(always)]
    fn settle_own(&self, cell: usize, flow: &mut Flow) {
        let (space, panel) = (self.game.space(), self.game.action_set(cell));
        let (lanes, distributions) = (self.their_lanes, self.panels[cell].1 as usize);
        for (lane, theirs) in self.theirs.iter().enumerate() {
            let place = self.tables.place(*theirs, cell) * self.own_lanes;
            for mine in 0..space.mine {
                let action = usize::from(flow.table[self.decision(cell, lane, mine)]);
                let lottery = usize::from(panel.distributions(&space, (0, mine, *theirs))[action]);
                for (index, tide) in flow.tides.iter_mut().enumerate() {
                    tide.own_worth[place + mine] = flow.means[(index * distributions + lottery) * lanes + lane];
                }
            }
        }
    }

    #[inline(always)]
    fn settle_theirs(&self, cell: usize, tide: &mut Tide, opponent: &Opponent, means: &mut Vec<f64>) {
        let (space, lanes) = (self.game.space(), self.own_lanes);
        let states = self.theirs.len() * space.mine;
        let known = &opponent.distributions[cell * states..(cell + 1) * states];
        means.resize(self.panels[cell].1 as usize * lanes, 0.0);
        // Worked out when first needed; few of a panel's distributions are.
        let mut worked_out = [0u64; 4];
        for (lane, of_mine) in known.chunks_exact(space.mine).enumerate() {
            for (mine, lottery) in of_mine.iter().enumerate() {
                let lottery = usize::from(*lottery);
                let (word, bit) = (lottery / 64 % worked_out.len(), 1 << (lottery % 64));
                let worths = lottery * lanes..(lottery + 1) * lanes;
                if worked_out[word] & bit == 0 || lottery >= 64 * worked_out.len() {
                    lanes::gather(self, cell, lottery, &tide.own_worth, &mut means[worths.clone()]);
                    worked_out[word] |= bit;
                }
                let place = self.tables.place(mine, cell) * self.their_lanes + lane;
                tide.their_worth[place] = means[worths][mine];
            }
        }
    }

    #[inline(always)]
    pub fn mends_of(&self, cell: usize, lottery: usize) -> &[Mend] {
        let starts = &self.mend_starts[cell];
        &self.mends[starts[lottery] as usize..starts[lottery + 1] as usize]
    }
}

/// Takes the best action, the one in the table where none is better; true if it changed.
#[inline(always)]
fn decide(flow: &mut Flow, decision: usize, sums: &[f64], met: f64) -> bool {
    let known = usize::from(flow.table[decision]);
    let (mut best, mut most) = (known, sums[known] + BETTER * met);
    for (action, sum) in sums.iter().enumerate() {
        flow.worth[decision * sums.len() + action] = (sum / met) as f32;
        if *sum > most {
            (best, most) = (action, *sum);
        }
    }
    flow.table[decision] = best as u8;
    best != known
}

/// Renews how often each hidden state is met, with the best vectors that this processor has.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx")))]
pub(super) fn forward(board: &Board, flow: &mut Flow) {
    board.forward(flow);
}

/// Renews all worths and chooses each decision anew. The win rate, and how many decisions changed.
#[cfg_attr(not(feature = "portable"), multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx")))]
pub(super) fn backward(board: &Board, flow: &mut Flow) -> (f64, usize) {
    board.backward(flow)
}
