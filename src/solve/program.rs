//! A game as sums over rows of numbers: what `strips` and `pairs` compute, found out once before solving.
//!
//! A kind of landing is a landing without its points. For each kind there are rows of arrivals, for each ladder of a
//! kind rows of clean rolls of 1, 2, ... dice, and every lottery of the game is a sum over such rows.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::game::{DistributionSet, Game, OutcomeDistribution, TurnOutcome};

use super::bellman::{Chooser, Side};

/// The sums of a game.
#[derive(Debug)]
pub(super) struct Program {
    /// The kinds of outcomes, their points 0.
    pub kinds: Vec<TurnOutcome>,
    pub chains: Vec<Chain>,
    pub sums: Vec<Sum>,
    /// By panel: the sum of each action, `[((shared * mine + i) * mine + j) * actions + action]`, or without `j`.
    pub choices: Vec<Vec<u32>>,
    /// The most points of a landing that some sum or chain reads by itself, and of any landing.
    pub arrivals_reach: usize,
    pub farthest: usize,
    /// The most points of a step on a chain, or on top of a convolution.
    pub chains_reach: usize,
    /// Whether some landing brings no points.
    pub reads_own_layer: bool,
    /// By kind of landing and points: whether it is an outcome of some sum.
    pub outcomes: Vec<Vec<bool>>,
}

/// Clean rolls of one kind of die that land alike.
#[derive(Debug)]
pub(super) struct Chain {
    pub kind: usize,
    /// What one die brings, at least 1 point, and its weight.
    pub step: Vec<(usize, f64)>,
    pub most_dice: usize,
    /// The row of one die; each die more, and each class of the opponent's memory, has a row of its own.
    pub first_row: usize,
}

impl Chain {
    /// The fewest points of a step.
    pub fn least(&self) -> usize {
        self.step.iter().map(|(points, _)| *points).min().unwrap_or(1)
    }

    /// The most points of a step.
    pub fn most(&self) -> usize {
        self.step.iter().map(|(points, _)| *points).max().unwrap_or(1)
    }

    /// Whether steps follow each other and weigh the same, as on the faces of a fair die beside the 1.
    pub fn is_fair_die(&self) -> bool {
        (self.least()..).zip(&self.step).all(|(points, step)| *step == (points, 1.0))
    }
}

/// A lottery.
#[derive(Debug)]
pub(super) struct Sum {
    /// The chain, the number of dice, and points on top.
    pub convolution: Option<(usize, usize, usize)>,
    /// All other outcomes.
    pub rest: Vec<Term>,
    /// All outcomes.
    pub all: Vec<Term>,
    /// One over the sum of the weights.
    pub scale: f64,
}

/// A weighted landing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub kind: usize,
    pub points: usize,
    pub weight: f64,
}

impl Program {
    /// The sums of a game with so many classes of one player's memories.
    pub fn new(game: &Game) -> Self {
        let mut maker =
            Maker { game, program: Self::empty(), kinds: HashMap::default(), last: None, sums: HashMap::default() };
        for panel in game.action_sets() {
            let numbers = panel.by_shared.iter().map(|offer| {
                let kinds: Vec<usize> = offer.outcomes.iter().map(|landing| maker.kind(landing)).collect();
                offer.distributions.iter().map(|lottery| maker.sum((offer, &kinds), lottery)).collect()
            });
            let numbers: Vec<Vec<u32>> = numbers.collect();
            let choices = numbers.iter().enumerate().flat_map(|(shared, numbers)| {
                panel.all_distributions(&game.space(), shared).iter().map(|lottery| numbers[usize::from(*lottery)])
            });
            let choices = choices.collect();
            maker.program.choices.push(choices);
        }
        let mut program = maker.program;
        program.outcomes = vec![vec![false; program.farthest + 1]; program.kinds.len()];
        for term in program.sums.iter().flat_map(|sum| &sum.all) {
            program.outcomes[term.kind][term.points] = true;
        }
        let mut row = 0;
        for chain in &mut program.chains {
            chain.first_row = row;
            row += chain.most_dice * game.space().mine;
        }
        program
    }

    fn empty() -> Self {
        Self {
            kinds: Vec::new(),
            chains: Vec::new(),
            sums: Vec::new(),
            choices: Vec::new(),
            arrivals_reach: 0,
            farthest: 0,
            chains_reach: 0,
            reads_own_layer: false,
            outcomes: Vec::new(),
        }
    }

    /// Rows of all chains together.
    pub fn chain_rows(&self, mine: usize) -> usize {
        self.chains.iter().map(|chain| chain.most_dice * mine).sum()
    }

    /// The most dice on each chain that a side may roll.
    pub fn most_dice(&self, game: &Game, side: &Side) -> Vec<usize> {
        let all = || self.chains.iter().map(|chain| chain.most_dice).collect::<Vec<_>>();
        let Chooser::Fixed(plan) = side.chooser else { return all() };
        let space = game.space();
        let memories: Vec<_> = (0..space.per_cell()).map(|place| space.parts(place).1).collect();
        let mut used = vec![false; self.sums.len()];
        for cell in 0..space.goal * space.goal {
            let (panel, choices) = (game.action_set(cell), &self.choices[game.action_set_number(cell)]);
            let actions = plan.actions_of(cell, space.per_cell());
            for (place, memories) in memories.iter().enumerate() {
                let action = usize::from(actions[place.min(actions.len() - 1)]);
                used[choices[panel.place(&space, *memories) * space.actions + action] as usize] = true;
            }
        }
        let mut most = vec![0; self.chains.len()];
        for (sum, _) in self.sums.iter().zip(used).filter(|(_, used)| *used) {
            if let Some((chain, dice, _)) = sum.convolution {
                most[chain] = most[chain].max(dice);
            }
        }
        most
    }
}

/// What makes two distributions the same: chain, dice and points on top, other outcomes, total.
type Key = (Option<(usize, usize, usize)>, Vec<(usize, u32, u64)>, u64);

struct Maker<'a> {
    game: &'a Game,
    program: Program,
    kinds: HashMap<TurnOutcome, usize, FixedState>,
    /// The last one asked for: neighbours are mostly of one kind.
    last: Option<(TurnOutcome, usize)>,
    sums: HashMap<Key, u32, FixedState>,
}

impl Maker<'_> {
    fn kind(&mut self, landing: &TurnOutcome) -> usize {
        let kind = landing.with_points(0);
        if let Some((last, number)) = self.last
            && last == kind
        {
            return number;
        }
        let number = self.known_kind(kind);
        self.last = Some((kind, number));
        number
    }

    fn known_kind(&mut self, kind: TurnOutcome) -> usize {
        let kinds = &mut self.program.kinds;
        *self.kinds.entry(kind).or_insert_with(|| {
            kinds.push(kind);
            kinds.len() - 1
        })
    }

    fn sum(&mut self, (offer, kinds): (&DistributionSet, &[usize]), lottery: &OutcomeDistribution) -> u32 {
        let convolution = lottery.convolution.as_ref().and_then(|convolution| {
            let step = &self.game.die_sums()[convolution.die];
            // A die that brings nothing would be a step on the spot.
            let rises = step.iter().all(|(points, _)| *points > 0);
            let step = step.iter().map(|(points, weight)| (*points as usize, *weight as f64)).collect();
            rises.then(|| {
                (
                    self.chain(&convolution.at_offset, step, convolution.dice),
                    convolution.dice,
                    convolution.at_offset.points as usize,
                )
            })
        });
        let outcomes = match (&convolution, &lottery.convolution) {
            (Some(_), Some(convolution)) => &convolution.remainder,
            _ => &lottery.outcomes,
        };
        let terms = |outcomes: &[(u16, u64)]| -> Vec<(usize, u32, u64)> {
            let term =
                |(at, weight): &(u16, u64)| (kinds[usize::from(*at)], offer.outcomes[usize::from(*at)].points, *weight);
            outcomes.iter().map(term).collect()
        };
        let rest = terms(outcomes);
        let farthest = offer.outcomes.iter().map(|landing| landing.points as usize).max().unwrap_or(0);
        self.program.farthest = self.program.farthest.max(farthest);
        let as_terms = |terms: &[(usize, u32, u64)]| {
            let term = |(kind, points, weight): &(usize, u32, u64)| Term {
                kind: *kind,
                points: *points as usize,
                weight: *weight as f64,
            };
            terms.iter().map(term).collect()
        };
        let sums = &mut self.program.sums;
        let read = rest.iter().map(|(_, points, _)| *points as usize).max().unwrap_or(0);
        self.program.arrivals_reach = self.program.arrivals_reach.max(read);
        self.program.reads_own_layer |= rest.iter().any(|(_, points, _)| *points == 0);
        let on_top = convolution.map_or(0, |(_, _, shift)| shift);
        self.program.chains_reach = self.program.chains_reach.max(on_top);
        let key = (convolution, rest, lottery.total);
        if let Some(known) = self.sums.get(&key) {
            return *known;
        }
        let all = as_terms(&terms(&lottery.outcomes));
        sums.push(Sum { convolution, rest: as_terms(&key.1), all, scale: 1.0 / lottery.total as f64 });
        let number = (sums.len() - 1) as u32;
        self.sums.insert(key, number);
        number
    }

    fn chain(&mut self, at_offset: &TurnOutcome, step: Vec<(usize, f64)>, dice: usize) -> usize {
        let kind = self.kind(at_offset);
        let farthest = step.iter().map(|(points, _)| *points).max().unwrap_or(0);
        self.program.arrivals_reach = self.program.arrivals_reach.max(farthest);
        self.program.chains_reach = self.program.chains_reach.max(farthest);
        self.program.farthest = self.program.farthest.max(farthest);
        let chains = &mut self.program.chains;
        if let Some(known) = chains.iter().position(|chain| chain.kind == kind && chain.step == step) {
            chains[known].most_dice = chains[known].most_dice.max(dice);
            return known;
        }
        chains.push(Chain { kind, step, most_dice: dice, first_row: 0 });
        chains.len() - 1
    }
}
