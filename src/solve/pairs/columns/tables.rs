//! What all pairs of a game without memory share: its lotteries as sums over rows, and where arrivals are not plain.

use std::collections::HashMap;

use crate::game::{Climb as Clean, Destination, Game, Landing, Lottery as Outcomes, Offer, Order, Space};

use super::excess::Excesses;
use super::row::{LANES, Row, ZERO, add};

/// A game in columns.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) space: Space,
    /// Tiles of a row.
    pub(super) tiles: usize,
    /// Sums of scores, those that totals past the goal reach among them.
    pub(super) sums: usize,
    /// The most points of a die, or on top of a climb.
    pub(super) reach: usize,
    pub(super) kinds: Vec<Landing>,
    pub(super) chains: Vec<Chain>,
    /// Rows of all chains.
    pub(super) chain_rows: usize,
    pub(super) lotteries: Vec<Lottery>,
    pub(super) terms: Vec<Term>,
    /// By panel: the lottery of each action.
    pub(super) choices: Vec<Vec<u32>>,
    /// Arrivals as far as they are known before anything is solved.
    pub(super) blank: Vec<Row>,
    /// By sum, tile and row: the chains left of the first tile that is solved, where totals are past the goal.
    pub(super) edges: Vec<Vec<Row>>,
    /// By sum: arrivals that are not plain, whatever the points.
    pub(super) patches: Vec<Vec<Patch>>,
    pub(super) excesses: Excesses,
    /// Whether a turn of chance may bring no points.
    pub(super) reads_own_sum: bool,
}

/// Clean rolls of one kind of die that land alike.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) kind: usize,
    /// What one die brings, at least 1 point.
    pub(super) points: Vec<usize>,
    /// The weight of each.
    pub(super) weights: Vec<f64>,
    /// The row of arrivals; each die has a row of its own after it.
    pub(super) first_row: usize,
    most_dice: usize,
}

/// A lottery: clean rolls on a chain, and other outcomes.
#[derive(Debug)]
pub(super) struct Lottery {
    pub(super) climb: Option<Climb>,
    pub(super) rest: std::ops::Range<usize>,
    /// One over the sum of the weights.
    pub(super) scale: f64,
    /// All outcomes: kind, points, weight.
    pub(super) all: Vec<(usize, usize, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Climb {
    pub(super) chain: usize,
    pub(super) dice: usize,
    /// Points on top.
    pub(super) shift: usize,
    /// Its row.
    pub(super) row: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// The tile of its arrivals, from the first of the row of the mover's sum.
    pub(super) at: usize,
    pub(super) weight: f64,
}

/// An arrival that is another cell's worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) at: u32,
    pub(super) to: u32,
}

/// The most points of a die, so that few rows of a chain are kept.
const MOST_REACH: usize = 31;
/// The most different numbers of points that one die brings.
pub(super) const MOST_STEPS: usize = 16;
/// The most kinds of landings, each of which has arrivals of its own.
const MOST_KINDS: usize = 4;
/// The most rows of arrivals.
const MOST_ROWS: usize = 1 << 20;

impl Tables {
    /// The tables of a game; `None` if it does not fit: extra turns, memories, loops of chance, totals that are lowered, dice
    /// of very many points or of none.
    pub(super) fn new(game: &Game) -> Option<Self> {
        let space = game.space();
        if space.per_cell() > 1 || game.order() == (Order::Level { random: true }) || game.rules_lower_totals() {
            return None;
        }
        let offers = || game.panels().iter().flat_map(|panel| &panel.offers);
        let farthest = offers().flat_map(|offer| &offer.landings).map(|landing| landing.points as usize).max()?;
        let mut tables = Self {
            space,
            tiles: space.goal.div_ceil(LANES),
            sums: space.layers() + farthest.max(MOST_REACH) + 1,
            reach: 1,
            kinds: Vec::new(),
            chains: Vec::new(),
            chain_rows: 0,
            lotteries: Vec::new(),
            terms: Vec::new(),
            choices: Vec::new(),
            blank: Vec::new(),
            edges: Vec::new(),
            patches: vec![Vec::new(); space.layers()],
            excesses: Excesses::default(),
            reads_own_sum: false,
        };
        Maker { game, tables: &mut tables, known: HashMap::new() }.lotteries()?;
        let rows = tables.kinds.len() * tables.sums * tables.tiles;
        if tables.kinds.len() > MOST_KINDS || rows > MOST_ROWS {
            return None;
        }
        tables.blank = vec![ZERO; rows];
        let level = |lottery: &Lottery| lottery.all.len() > 1 && lottery.all.iter().any(|(_, points, _)| *points == 0);
        tables.reads_own_sum = tables.lotteries.iter().any(level);
        tables.list_arrivals(game)?;
        tables.number_rows();
        tables.edges = tables.edges();
        Some(tables)
    }

    /// Numbers of a row.
    pub(super) fn width(&self) -> usize {
        self.tiles * LANES
    }

    /// The place of a cell's worth.
    pub(super) fn place(&self, cell: usize) -> usize {
        self.space.sum(cell) * self.width() + cell / self.space.goal
    }

    /// The places of the ends: won, lost, tied for who has just moved.
    pub(super) fn ends(&self) -> usize {
        self.space.layers() * self.width()
    }

    /// Where a landing leads: the place of a worth; `None` if to another turn.
    pub(super) fn destination(&self, destination: Destination) -> Option<usize> {
        match destination {
            Destination::Won => Some(self.ends()),
            Destination::Lost => Some(self.ends() + 1),
            Destination::Tied => Some(self.ends() + 2),
            Destination::Passed { cell } => Some(self.place(cell)),
            Destination::Again { .. } => None,
        }
    }

    /// The first tile with a cell of a sum (past the last, if there is none), and the first that chains are read in.
    pub(super) fn first_tiles(&self, sum: usize) -> (usize, usize) {
        let least = (sum + 1).saturating_sub(self.space.goal);
        let live = if sum < self.space.layers() { least / LANES } else { self.tiles };
        (live, (least.saturating_sub(self.reach) / LANES).min(live))
    }

    /// Whether a lottery surely brings no points.
    pub(super) fn stays(&self, lottery: usize) -> bool {
        matches!(self.lotteries[lottery].all[..], [(_, 0, _)])
    }

    /// The points that a lottery may bring.
    pub(super) fn points(&self, lottery: usize) -> impl Iterator<Item = usize> {
        self.lotteries[lottery].all.iter().map(|(_, points, _)| *points)
    }

    fn number_rows(&mut self) {
        let mut row = 0;
        for chain in &mut self.chains {
            chain.first_row = row;
            row += chain.most_dice + 1;
            let farthest = chain.points.iter().copied().max().unwrap_or(0);
            self.reach = self.reach.max(farthest);
        }
        self.chain_rows = row;
        for climb in self.lotteries.iter_mut().filter_map(|lottery| lottery.climb.as_mut()) {
            climb.row = self.chains[climb.chain].first_row + climb.dice;
            self.reach = self.reach.max(climb.shift);
        }
    }

    /// Lists the arrivals that are not plain; `None` if one of them does not fit.
    fn list_arrivals(&mut self, game: &Game) -> Option<()> {
        let goal = self.space.goal;
        let mut by_points = Vec::new();
        for kind in 0..self.kinds.len() {
            let Some(surprises) = game.surprises(&self.kinds[kind]) else {
                by_points.push(kind);
                continue;
            };
            for (column, total, destination) in surprises {
                let (sum, to) = (column + total, self.destination(destination)?);
                let at = (kind * self.sums + sum) * self.width() + column;
                match (total < goal, to >= self.ends()) {
                    (true, _) if to >= sum * self.width() => {
                        self.patches[sum].push(Patch { at: at as u32, to: to as u32 });
                    }
                    (false, true) => self.blank[at / LANES][at % LANES] = [0.0, 1.0, 0.5][to - self.ends()],
                    _ => return None,
                }
            }
        }
        if !by_points.is_empty() {
            if self.reads_own_sum {
                return None;
            }
            self.list_excesses(game, &by_points)?;
        }
        Some(())
    }

    /// What chains hold where totals are past the goal.
    fn edges(&self) -> Vec<Vec<Row>> {
        let sums = self.space.layers() + self.reach;
        let counts: Vec<usize> = (0..sums).map(|sum| self.first_tiles(sum)).map(|(live, first)| live - first).collect();
        let mut edges: Vec<Vec<Row>> = counts.iter().map(|count| vec![ZERO; count * self.chain_rows]).collect();
        if self.blank.iter().all(|row| *row == ZERO) {
            return edges;
        }
        let all = self.chain_rows;
        for chain in &self.chains {
            let first = chain.kind * self.sums * self.tiles;
            let mut rows = self.blank[first..first + self.sums * self.tiles].to_vec();
            for dice in 0..=chain.most_dice {
                for (sum, edges) in edges.iter_mut().enumerate() {
                    let from = &rows[sum * self.tiles + self.first_tiles(sum).1..][..counts[sum]];
                    let row = chain.first_row + dice;
                    edges.chunks_exact_mut(all).zip(from).for_each(|(edges, from)| edges[row] = *from);
                }
                let mut next = vec![ZERO; rows.len()];
                // Below the goal there are no totals past it; beyond the last row there are no outcomes.
                for place in self.space.goal * self.tiles..(self.sums - self.reach) * self.tiles {
                    for (points, weight) in chain.points.iter().zip(&chain.weights) {
                        add(&mut next[place], *weight, &rows[place + points * self.tiles]);
                    }
                }
                rows = next;
            }
        }
        edges
    }
}

/// What makes two lotteries the same: the climb, other outcomes, total.
type Key = (Option<Climb>, Vec<(usize, u32, u64)>, u64);

struct Maker<'a> {
    game: &'a Game,
    tables: &'a mut Tables,
    known: HashMap<Key, u32>,
}

impl Maker<'_> {
    fn lotteries(&mut self) -> Option<()> {
        for panel in self.game.panels() {
            let offer = &panel.offers[0];
            let numbers = offer.lotteries.iter().map(|lottery| self.lottery(offer, lottery));
            let numbers = numbers.collect::<Option<Vec<u32>>>()?;
            let choices =
                panel.all_lotteries(&self.game.space(), 0).iter().map(|lottery| numbers[usize::from(*lottery)]);
            self.tables.choices.push(choices.collect());
        }
        Some(())
    }

    /// The number of a lottery; `None` if its dice do not fit.
    fn lottery(&mut self, offer: &Offer, lottery: &Outcomes) -> Option<u32> {
        let climb = match &lottery.climb {
            Some(climb) => Some(self.climb(climb)?),
            None => None,
        };
        let all = self.outcomes(offer, &lottery.outcomes);
        let rest = match (&climb, &lottery.climb) {
            (Some(_), Some(climb)) => self.outcomes(offer, &climb.rest),
            _ => all.clone(),
        };
        let key = (climb, rest, lottery.total);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let tables = &mut *self.tables;
        let first = tables.terms.len();
        let (sums, tiles) = (tables.sums, tables.tiles);
        let at = |kind: usize, points: u32| (kind * sums + points as usize) * tiles;
        let term = |(kind, points, weight): &(usize, u32, u64)| Term { at: at(*kind, *points), weight: *weight as f64 };
        tables.terms.extend(key.1.iter().map(term));
        tables.lotteries.push(Lottery {
            climb,
            rest: first..tables.terms.len(),
            scale: 1.0 / lottery.total as f64,
            all: all.iter().map(|(kind, points, weight)| (*kind, *points as usize, *weight as f64)).collect(),
        });
        let number = (tables.lotteries.len() - 1) as u32;
        self.known.insert(key, number);
        Some(number)
    }

    fn climb(&mut self, climb: &Clean) -> Option<Climb> {
        let step = &self.game.ladders()[climb.ladder];
        let fits = |points: u32| (1..=MOST_REACH as u32).contains(&points);
        let all_fit = step.iter().all(|(points, _)| fits(*points)) && step.len() <= MOST_STEPS;
        if !all_fit || climb.foot.points > MOST_REACH as u32 || climb.dice > usize::from(u8::MAX) {
            return None;
        }
        let step = step.iter().map(|(points, weight)| (*points as usize, *weight as f64)).unzip();
        let chain = self.chain(&climb.foot, step, climb.dice);
        Some(Climb { chain, dice: climb.dice, shift: climb.foot.points as usize, row: 0 })
    }

    fn outcomes(&mut self, offer: &Offer, outcomes: &[(u16, u64)]) -> Vec<(usize, u32, u64)> {
        let outcome = |(landing, weight): &(u16, u64)| {
            let landing = &offer.landings[usize::from(*landing)];
            (self.kind(landing), landing.points, *weight)
        };
        outcomes.iter().map(outcome).collect()
    }

    fn kind(&mut self, landing: &Landing) -> usize {
        let (kinds, kind) = (&mut self.tables.kinds, landing.with_points(0));
        kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            kinds.push(kind);
            kinds.len() - 1
        })
    }

    fn chain(&mut self, foot: &Landing, (points, weights): (Vec<usize>, Vec<f64>), dice: usize) -> usize {
        let kind = self.kind(foot);
        let chains = &mut self.tables.chains;
        let same = |chain: &Chain| (chain.kind, &chain.points, &chain.weights) == (kind, &points, &weights);
        let known = chains.iter().position(same);
        let known = known.unwrap_or_else(|| {
            chains.push(Chain { kind, points, weights, most_dice: 0, first_row: 0 });
            chains.len() - 1
        });
        chains[known].most_dice = chains[known].most_dice.max(dice);
        known
    }
}
