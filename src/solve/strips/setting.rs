//! What the engine knows of a game, whoever plays it and whatever is asked.

use crate::game::{Game, Order, ScoreSuccessor, Space, TurnOutcome};

use super::detours::Detours;
use super::groups::RollConvolution;
use super::menu::Menus;
use super::order::in_order;
use super::passes::Ways;
use super::stretch::{Stretches, layers_seen};
use super::{LANES, Row};
use crate::solve::program::{Program, Sum};

/// The edge of a block in cells: the strips of a pair of blocks fit the second-level cache.
const EDGE: usize = 128;

/// Boards up to this goal are one block: their strips fit the cache as they are, and a second thread would bring less than
/// what the ragged ends of blocks cost.
const ONE_BLOCK: usize = 512;

/// So many bytes take a system longer to hand out, page by page, than a thread to wake.
pub(super) const LARGE: usize = 1 << 21;

/// What the engine knows of a game, found out once for all its solutions.
#[derive(Debug)]
pub(super) struct Setting<'g> {
    pub game: &'g Game,
    pub program: Program,
    pub space: Space,
    /// After how many own scores what is on offer repeats.
    pub period: usize,
    /// Rows of arrivals, and of chains, of a strip.
    pub arrival_rows: usize,
    pub chain_rows: usize,
    /// So many layers of arrivals, and of chains, are kept.
    pub arrivals_kept: usize,
    pub chains_kept: usize,
    /// How chains are climbed.
    pub ascent: Ascent,
    /// The edge of a block in cells: a multiple of [`LANES`], or the whole board.
    pub edge: usize,
    pub by_points: Vec<ByPoints>,
    /// By sum of scores: the turns from there whose arrivals depend on the points, where there are some, and not too many.
    pub detours: Option<Vec<Detours>>,
    /// By strip: arrivals that are not plain, of all other kinds, in the order in which they are met.
    pub surprises: Vec<Vec<Surprise>>,
    /// What columns choose from, where that repeats soon.
    pub menus: Option<Menus>,
    /// The turns that stay in their layer.
    pub ways: Ways,
}

/// A kind of landing whose arrivals depend on the points.
#[derive(Debug)]
pub(super) struct ByPoints {
    pub kind: usize,
    pub stretches: Stretches,
    /// By sum of scores: whether no turn leads there as a plain one would. The rows of such layers hold nothing.
    pub never_plain: Vec<bool>,
}

impl ByPoints {
    fn new(game: &Game, program: &Program, kind: usize) -> Self {
        let stretches = Stretches::new(game, &program.kinds[kind], program.farthest);
        let never_plain = stretches.sums_without_plain(game.space().goal, &program.outcomes[kind]);
        Self { kind, stretches, never_plain }
    }

    /// The most points, up to the most that turns bring, with which some of them lead elsewhere where others are plain: what
    /// these are worth is read.
    fn plain_reach(&self, farthest: usize) -> usize {
        let told = self.stretches.sums_from(0).iter().filter(|sum| !self.never_plain[**sum]);
        told.max().map_or(0, |sum| farthest.min(*sum))
    }
}

/// An arrival that is not plain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surprise {
    pub kind: usize,
    pub column: usize,
    /// The total before the rules on totals.
    pub total: usize,
    pub destination: ScoreSuccessor,
}

impl Surprise {
    pub fn sum(&self) -> usize {
        self.column + self.total
    }
}

/// Where the layers from a sum of scores upward are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// The first row of the arrivals; those of each point more follow.
    pub arrivals: usize,
    /// By points, the first row of the layer of chains.
    pub chains: Vec<usize>,
}

impl Slots {
    /// The row of the arrivals of a kind with the opponent's first memory, so many points above the layer.
    #[inline(always)]
    pub fn arrivals_of(&self, setting: &Setting, kind: usize, points: usize) -> usize {
        self.arrivals + setting.arrivals_at(kind, points)
    }

    /// Turns to the layers from a sum of scores upward.
    pub fn turn(&mut self, setting: &Setting, sum: usize) {
        self.arrivals = sum % setting.arrivals_kept * setting.arrival_rows;
        self.chains.clear();
        let first = sum % setting.chains_kept;
        let layers = (first..setting.chains_kept).chain(0..first);
        self.chains.extend(layers.map(|layer| layer * setting.chain_rows));
    }
}

impl<'g> Setting<'g> {
    /// `None` for games that do not fit: those whose loops depend on chance, whose rules lower totals, so that an arrival may
    /// lead to a layer below it, or in which it takes the points to tell whether a turn without points stays in its layer.
    pub fn new(game: &'g Game) -> Option<Self> {
        let (space, program) = (game.space(), Program::new(game));
        let (mut by_points, mut surprises) = (Vec::new(), Vec::new());
        for (kind, landing) in program.kinds.iter().enumerate() {
            match game.exceptional(landing) {
                Some(known) => surprises.extend(
                    known
                        .into_iter()
                        .map(|(column, total, destination)| Surprise { kind, column, total, destination })
                        .filter(|surprise| surprise.total < space.goal + program.farthest),
                ),
                None => by_points.push(ByPoints::new(game, &program, kind)),
            }
        }
        let unclear = !by_points.is_empty() && program.reads_own_layer && game.order() != Order::Acyclic;
        if unclear || game.rules_lower_totals() || game.order() == (Order::Cyclic { random: true }) {
            return None;
        }
        let plain_reaches = by_points.iter().map(|by_points| by_points.plain_reach(program.farthest));
        let arrivals_reach = plain_reaches.fold(program.arrivals_reach, usize::max);
        let mut setting = Self {
            period: game.action_sets_repeat_after(),
            arrival_rows: program.kinds.len() * space.mine,
            chain_rows: program.chain_rows(space.mine),
            arrivals_kept: 1 + arrivals_reach,
            chains_kept: 0,
            ascent: Ascent::Single,
            edge: space.goal,
            game,
            program,
            space,
            by_points,
            detours: None,
            surprises: Vec::new(),
            menus: None,
            ways: Ways::new(game),
        };
        setting.ascend(Ascent::new(&setting.program));
        setting.surprises = setting.by_strip(&surprises);
        setting.menus = Menus::new(&setting);
        setting.detours = Detours::of_layers(&setting);
        if space.goal > ONE_BLOCK && setting.mirrors() {
            setting.cut(EDGE);
        }
        Some(setting)
    }

    /// Has chains climbed in one way, of which menus must not know another.
    pub(super) fn ascend(&mut self, ascent: Ascent) {
        self.ascent = ascent;
        self.chains_kept = ascent.reach(&self.program) + 1;
    }

    /// Surprises by strip; the highest sums of scores are met first.
    fn by_strip(&self, surprises: &[Surprise]) -> Vec<Vec<Surprise>> {
        let (sums, strips) = (2 * self.space.goal + self.program.farthest, self.space.goal.div_ceil(LANES));
        let (sorted, _) = in_order(surprises, sums, |surprise| sums - 1 - surprise.sum());
        let (sorted, first) = in_order(&sorted, strips, |surprise| surprise.column / LANES);
        first.windows(2).map(|range| sorted[range[0]..range[1]].to_vec()).collect()
    }

    /// Cuts the board into blocks.
    pub(super) fn cut(&mut self, edge: usize) {
        self.edge = edge;
        // Blocks come from the highest totals down.
        let (goal, blocks) = (self.space.goal, self.space.goal.div_ceil(edge));
        for surprises in &mut self.surprises {
            let block = |surprise: &Surprise| blocks - 1 - surprise.total.min(goal - 1) / edge;
            *surprises = in_order(surprises, blocks, block).0;
        }
        // A strip's columns come to the end of a block one after another.
        self.arrivals_kept += LANES - 1;
        self.chains_kept += LANES - 1;
    }

    /// The row of the arrivals of a kind, with the opponent's first memory, after the first row of a layer so many points
    /// below.
    #[inline(always)]
    pub fn arrivals_at(&self, kind: usize, points: usize) -> usize {
        points * self.arrival_rows + kind * self.space.mine
    }

    /// The row that a sum climbs to, of the opponent's first memory, and its layer.
    #[inline(always)]
    pub fn row_of_climb(&self, sum: &Sum) -> Option<RollConvolution> {
        let row = |(chain, dice, shift): (usize, usize, usize)| {
            let chain = &self.program.chains[chain];
            RollConvolution {
                row: chain.first_row + (dice - 1) * self.space.mine,
                above: shift + self.ascent.lead(dice),
            }
        };
        sum.convolution.map(row)
    }

    /// Whether all strips take so much memory that it is worth more than one thread to ask for it.
    pub fn is_large(&self) -> bool {
        let rows = 2 * self.arrivals_kept * self.arrival_rows + self.chains_kept * self.chain_rows;
        rows * size_of::<Row>() * self.space.goal.div_ceil(LANES) > LARGE
    }

    /// See [`layers_seen`].
    pub fn layers_seen(&self) -> usize {
        layers_seen(self.program.farthest)
    }

    /// Whether no turn leads to the layer of a sum as a plain one with a kind of landing would.
    #[inline(always)]
    pub fn never_plain(&self, kind: usize, sum: usize) -> bool {
        let of_kind = self.by_points.iter().find(|by_points| by_points.kind == kind);
        of_kind.is_some_and(|by_points| by_points.never_plain[sum])
    }

    /// The number of a landing whose arrivals depend on the points; `None` for all others.
    pub fn number_of(&self, kind: usize, points: usize) -> Option<usize> {
        let place = self.by_points.iter().position(|by_points| by_points.kind == kind)?;
        Some(place * self.points() + points)
    }

    /// Points from none to the most.
    pub fn points(&self) -> usize {
        self.program.farthest + 1
    }

    /// Whether every arrival leads to a block that is solved before its own, or to its own or that one's mirror image: both
    /// scores, in either order, are at least those before the rules on totals.
    pub(super) fn mirrors(&self) -> bool {
        let goal = self.space.goal;
        let above = |surprise: &Surprise| match surprise.destination {
            ScoreSuccessor::Passed { cell } | ScoreSuccessor::Again { cell } => {
                let (score, opponent) = (cell / goal, cell % goal);
                let least = (surprise.total.min(surprise.column), surprise.total.max(surprise.column));
                score.min(opponent) >= least.0 && score.max(opponent) >= least.1
            }
            _ => true,
        };
        self.game.order() == Order::Acyclic && self.by_points.is_empty() && self.surprises.iter().flatten().all(above)
    }

    /// The place among a cell's states where a landing hands over to an opponent with a memory.
    #[inline(always)]
    pub fn passed(&self, kind: &TurnOutcome, memory: usize) -> usize {
        self.space.state(0, kind.shared[0].into(), kind.mine[0].into(), memory)
    }

    /// The same where the mover goes on.
    #[inline(always)]
    pub fn again(&self, kind: &TurnOutcome, memory: usize) -> usize {
        self.space.state(0, kind.shared[1].into(), memory, kind.mine[1].into())
    }

    /// Whether a turn without points that leads there stays in its layer.
    pub fn stays(&self, sum: usize, destination: ScoreSuccessor) -> bool {
        match destination {
            ScoreSuccessor::Passed { cell } | ScoreSuccessor::Again { cell } => self.space.sum(cell) == sum,
            _ => false,
        }
    }
}

/// How chains are climbed.
///
/// Where every step brings at least two points, the first dice of many lead so far up that what they read is known long before
/// the layer of the turn is reached. So rows of n dice are kept, and found, n + 1 layers further up, where a step of p points
/// reads p - 1 layers above: those of one die two layers at a time, all others four, which read nearly the same rows, some of
/// them just written. Each further layer up would be another row to wait for.
///
/// Layers climbed together are those from a multiple of their number upward: rows that they have in common are added once, so
/// that who else is climbed shows in the last bits, and these must not depend on where a strip or a block begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ascent {
    /// Layer by layer, rows kept in their own.
    Single,
    /// Several layers at a time, rows kept further up.
    Ahead,
}

impl Ascent {
    fn new(program: &Program) -> Self {
        if program.chains.iter().all(|chain| chain.least() > 1) { Self::Ahead } else { Self::Single }
    }

    /// How many layers above their own rows of so many dice are kept.
    #[inline(always)]
    pub fn lead(self, dice: usize) -> usize {
        if self == Self::Ahead { dice + 1 } else { 0 }
    }

    /// Of how many layers the rows are found at once, of one die and of more dice.
    #[inline(always)]
    pub fn at_once(self) -> [usize; 2] {
        if self == Self::Ahead { [2, 4] } else { [1, 1] }
    }

    /// How many layers above the one that is solved rows are read at most.
    fn reach(self, program: &Program) -> usize {
        let starts =
            program.sums.iter().filter_map(|sum| sum.convolution).map(|(_, dice, shift)| shift + self.lead(dice));
        let steps = program.chains.iter().map(|chain| chain.most() + self.at_once()[1]);
        starts.chain(steps).max().unwrap_or(0)
    }
}
