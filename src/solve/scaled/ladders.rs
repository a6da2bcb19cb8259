//! Clean rolls of a game without memories: what they read is shared between numbers of dice.
//!
//! A clean roll of n dice is a clean roll of n - 1 dice from wherever the first die leads. So from each cell the sums over the
//! clean rolls of 1, 2, ... dice are kept, and each is the sum of a few numbers of one die less from cells with a higher total.
//! A lottery is then one such sum and what is left of its outcomes. With n dice it would be 4n + 1 numbers otherwise.
//!
//! Arrivals have to be the same whatever the points of the turn. At sums of scores where some are not, all arrivals are set
//! apart: in clean rolls they count as nothing, and distributions weigh them one by one.

use crate::game::{CellActions, Game, OutcomeDistribution, ScoreSuccessor, TurnOutcome};
use crate::solve::layout::{LayerIndex, Layout};

/// The most rows: each has a bit of a word, and one is left.
const MOST_ROWS: usize = 63;

/// The clean rolls that are kept.
#[derive(Debug)]
pub(super) struct Ladders {
    pub goal: usize,
    pub chains: Vec<Chain>,
    /// Where the rows of each cell lie.
    pub layout: Layout,
    /// Numbers of a cell.
    rows: usize,
    /// The most points of a die, or on top of a convolution.
    pub reach: usize,
    /// By cell: a bit for each row that some turn reads.
    read: Vec<u64>,
}

/// Clean rolls of one kind of die that land alike.
#[derive(Debug)]
pub(super) struct Chain {
    /// The kind of landing, its points 0.
    pub kind: TurnOutcome,
    die: usize,
    /// What one die brings, at least 1 point, and its weight: most points first, for these lead to the lowest heights.
    pub steps: Vec<(usize, u64)>,
    pub most_dice: usize,
    /// The row of one die; those of more follow.
    pub first_row: usize,
    /// By sum of scores.
    apart: Vec<bool>,
    /// By number of dice, none first, total past the goal and opponent's score: twice what clean rolls are worth to the opponent.
    past: Vec<Vec<u64>>,
}

impl Ladders {
    /// `None` where none are kept: in games with memories, whose rolls are too many, and where rules lower totals, so that an
    /// arrival may lead to a layer below it, which is not solved by then. `limbs` are those of one number of a layer.
    pub fn new(game: &Game, limbs: impl Fn(LayerIndex) -> usize) -> Option<Self> {
        let goal = game.space().goal;
        let layout = Layout::new(game.space(), |_| 0);
        let mut ladders = Self { goal, chains: Vec::new(), layout, rows: 0, reach: 0, read: Vec::new() };
        if game.space().per_cell() > 1 || game.rules_lower_totals() {
            return None;
        }
        let distributions =
            game.action_sets().iter().flat_map(|panel| &panel.by_shared).flat_map(|offer| &offer.distributions);
        let climbs = distributions.filter_map(|lottery| lottery.convolution.as_ref());
        for convolution in climbs {
            let steps = &game.die_sums()[convolution.die];
            let (kind, on_top) = (convolution.at_offset.with_points(0), convolution.at_offset.points as usize);
            if convolution.dice == 0 || steps.iter().any(|(points, _)| *points == 0) {
                continue;
            }
            let known = ladders.chains.iter_mut().find(|chain| chain.die == convolution.die && chain.kind == kind);
            match known {
                Some(chain) => chain.most_dice = chain.most_dice.max(convolution.dice),
                None => {
                    let mut steps: Vec<_> = steps.iter().map(|(points, weight)| (*points as usize, *weight)).collect();
                    steps.sort_unstable_by(|a, b| b.cmp(a));
                    ladders.chains.push(Chain {
                        kind,
                        die: convolution.die,
                        steps,
                        most_dice: convolution.dice,
                        first_row: 0,
                        apart: Vec::new(),
                        past: Vec::new(),
                    });
                }
            }
            ladders.reach = ladders.reach.max(on_top);
        }
        let on_top = ladders.reach;
        for chain in &mut ladders.chains {
            chain.first_row = ladders.rows;
            ladders.rows += chain.most_dice;
            ladders.reach = ladders.reach.max(chain.most_points());
            chain.find_ends(game, on_top);
        }
        if ladders.rows == 0 || ladders.rows > MOST_ROWS {
            return None;
        }
        ladders.layout = Layout::new(game.space(), |layer| ladders.rows * limbs(layer));
        ladders.find_reads(game);
        Some(ladders)
    }

    /// Finds which rows are read: by distributions, and by rolls of one die more from lower totals.
    fn find_reads(&mut self, game: &Game) {
        let goal = self.goal;
        let climbs_of = |panel: &CellActions| {
            let distributions = panel.by_shared.iter().flat_map(|offer| &offer.distributions);
            let climbs = distributions.filter_map(|lottery| self.climb_of(lottery));
            let mut rows: Vec<_> = climbs.map(|(chain, dice, on_top)| (on_top, 1 << chain.row(dice))).collect();
            rows.sort_unstable();
            rows.dedup_by(|next, rows| {
                let same = next.0 == rows.0;
                rows.1 |= if same { next.1 } else { 0 };
                same
            });
            rows
        };
        let climbs: Vec<Vec<(usize, u64)>> = game.action_sets().iter().map(climbs_of).collect();
        let mut read = vec![0; goal * goal];
        for (score, opponent) in (0..goal).flat_map(|score| (0..goal).map(move |opponent| (score, opponent))) {
            let cell = score * goal + opponent;
            for (on_top, rows) in
                climbs[game.action_set_number(cell)].iter().filter(|(on_top, _)| score + on_top < goal)
            {
                read[cell + on_top * goal] |= rows;
            }
            for chain in &self.chains {
                // All rows of the chain but the first, each as the one before it.
                let fewer = read[cell] >> (chain.first_row + 1) & ((1 << (chain.most_dice - 1)) - 1);
                for (points, _) in chain.steps.iter().filter(|(points, _)| fewer > 0 && score + points < goal) {
                    read[cell + points * goal] |= fewer << chain.first_row;
                }
            }
        }
        self.read = read;
    }

    /// Whether some turn reads a row from a cell.
    pub fn is_read(&self, (score, opponent): (usize, usize), row: usize) -> bool {
        self.read[score * self.goal + opponent] >> row & 1 == 1
    }

    /// The most words that a side keeps at a time.
    pub fn most_words(&self) -> usize {
        let (layers, kept) = (self.layout.stages(), self.reach + 1);
        let held = |first: LayerIndex| self.layout.words_of(first..layers.min(first + kept));
        (0..layers).step_by(kept).map(held).max().unwrap_or(0)
    }

    /// The chain of a lottery's clean rolls, the number of dice, and points on top.
    pub fn climb_of(&self, lottery: &OutcomeDistribution) -> Option<(&Chain, usize, usize)> {
        let convolution = lottery.convolution.as_ref()?;
        let kind = convolution.at_offset.with_points(0);
        let chain = self.chains.iter().find(|chain| chain.die == convolution.die && chain.kind == kind)?;
        (convolution.dice > 0).then_some((chain, convolution.dice, convolution.at_offset.points as usize))
    }
}

impl Chain {
    fn most_points(&self) -> usize {
        self.steps.iter().map(|(points, _)| *points).max().unwrap_or(0)
    }

    /// The row of so many dice.
    pub fn row(&self, dice: usize) -> usize {
        self.first_row + dice - 1
    }

    /// Whether arrivals at a sum of scores are set apart.
    pub fn is_apart(&self, sum: usize) -> bool {
        self.apart.get(sum) == Some(&true)
    }

    /// Twice what clean rolls of some dice are worth to the opponent from a total past the goal.
    pub fn past(&self, goal: usize, dice: usize, (total, opponent): (usize, usize)) -> u64 {
        self.past[dice][(total - goal) * goal + opponent]
    }

    /// Finds which arrivals are set apart, and what clean rolls from past the goal come to: no cell has those. Rolls may begin
    /// with some points on top.
    fn find_ends(&mut self, game: &Game, on_top: usize) {
        let (goal, most) = (game.space().goal, self.most_points());
        let totals = on_top + most * (self.most_dice + 1);
        self.apart = vec![false; 2 * goal + totals];
        let mut ends = vec![0; totals * goal];
        match game.exceptional(&self.kind) {
            Some(surprises) => {
                for (opponent, total, destination) in surprises {
                    if !(goal..goal + totals).contains(&total) {
                        continue;
                    }
                    match destination {
                        ScoreSuccessor::Won => {}
                        ScoreSuccessor::Lost => ends[(total - goal) * goal + opponent] = 2,
                        ScoreSuccessor::Tied => ends[(total - goal) * goal + opponent] = 1,
                        _ => self.apart[opponent + total] = true,
                    }
                }
            }
            None => game.each_exceptional(&self.kind, |opponent, total, _| {
                if let Some(apart) = self.apart.get_mut(opponent + total) {
                    *apart = true;
                }
            }),
        }
        for (place, end) in ends.iter_mut().enumerate() {
            if self.is_apart(goal + place / goal + place % goal) {
                *end = 0;
            }
        }
        self.past = vec![ends];
        for dice in 1..=self.most_dice {
            let fewer = &self.past[dice - 1];
            // Of fewer totals: each reads higher ones.
            let count = fewer.len() - most * goal;
            let roll = |place: usize, (points, weight): &(usize, u64)| fewer[place + points * goal] * weight;
            let rolls = |place: usize| self.steps.iter().map(|step| roll(place, step)).sum();
            self.past.push((0..count).map(rolls).collect());
        }
    }
}
