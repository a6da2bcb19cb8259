//! Many fixed plans against each other: the work that all pairs share is done once.
//!
//! A plan that sees only the scores plays one lottery at a cell, or two where a memory of its own decides the points of the
//! same roll (then nearly all values of the memory share one lottery and a few, the exceptions, another). So a cell is
//! worth a number and, for the exceptions, a difference, each for every memory of the opponent; a turn's mean is a dot
//! product over numbers that lie side by side, and a few differences. Landings that rules on totals move are mended one by
//! one. Turns without chance that stay in their layer are followed to where they leave it, or round for ever.
//!
//! What does not fit this (extra turns, shared memories, plans that see memories, loops of chance) is evaluated as any
//! pair is, more slowly.

use crate::game::{Game, Plan};

use super::flat::{FlatLottery, Mend, Tables};
use super::{Arithmetic, SolveError, Watch, evaluate};

/// Rates pairs of plans of one game.
#[derive(Debug)]
pub struct Rater<'g> {
    game: &'g Game,
    /// Absent where the game does not fit.
    tables: Option<Tables>,
    error_bound: f64,
}

/// A plan made ready for a [`Rater`].
#[derive(Debug)]
pub struct Contender<'p> {
    plan: &'p Plan,
    program: Option<Program>,
}

/// Exact win rates of one plan against another, to [`Rater::error_bound`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRate {
    /// The first plan's win rate when it moves first.
    pub first: f64,
    /// Its win rate when it moves second.
    pub second: f64,
}

impl PairRate {
    /// The average of moving first and moving second.
    pub fn average(&self) -> f64 {
        (self.first + self.second) / 2.0
    }
}

/// Room for one thread's pairs.
#[derive(Debug, Default)]
pub struct PairRoom {
    sides: [Board; 2],
    passing: Vec<Passing>,
}

/// What the cells of a side are worth to its player, who is next to move, laid out as the other's turns read it:
/// `(plane of the other's memory, own score, other's total)`; after all planes, the ends.
#[derive(Debug, Default)]
struct Board {
    base: Vec<f64>,
    /// What is added for the memories in `mask`.
    extra: Vec<f64>,
    /// By (own score, other's total): the own memories that are exceptions there.
    mask: Vec<u64>,
}

/// A turn without chance that stays in its layer.
#[derive(Debug)]
struct Passing {
    side: usize,
    cell: usize,
    /// The place its landing is read from, on the other side.
    to: usize,
}

/// What a plan plays, cell by cell in solving order.
#[derive(Debug)]
struct Program {
    steps: Vec<Step>,
    mends: Vec<Mend>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// The lottery of most memories and, if `mask` is not empty, that of the exceptions.
    lotteries: [u32; 2],
    mask: u64,
    /// Mends of the first lottery begin, those of the second begin, and end.
    mends: [u32; 3],
}

/// The most error that a pair of a game that does not fit may have; the bound of its evaluation is held against it.
const MOST_ERROR: f64 = 1e-9;

/// Partial sums kept side by side.
const STRIPES: usize = 4;

impl<'g> Rater<'g> {
    /// For the pairs of a game.
    pub fn new(game: &'g Game) -> Self {
        let tables = Tables::new(game);
        let error_bound = tables.as_ref().map_or(MOST_ERROR, Tables::error_bound);
        Self { game, tables, error_bound }
    }

    /// No rate is further than this from the exact one.
    pub fn error_bound(&self) -> f64 {
        self.error_bound
    }

    /// Makes a plan ready.
    pub fn contender<'p>(&self, plan: &'p Plan) -> Contender<'p> {
        let program = self.tables.as_ref().and_then(|tables| tables.program(self.game, plan));
        Contender { plan, program }
    }

    /// The win rates of `a` against `b`.
    ///
    /// # Errors
    /// If the game is too large.
    pub fn rate(&self, a: &Contender, b: &Contender, room: &mut PairRoom) -> Result<PairRate, SolveError> {
        match (&self.tables, &a.program, &b.program) {
            (Some(tables), Some(a), Some(b)) => Ok(tables.rate([a, b], room)),
            _ => {
                let rated = evaluate(self.game, [a.plan, b.plan], Arithmetic::Float, &Watch::silent())?;
                if rated.error_bound > self.error_bound {
                    return Err(SolveError::TooLarge("the errors of doubles add up to too much in this game".into()));
                }
                Ok(PairRate { first: rated.first(), second: rated.second() })
            }
        }
    }
}

impl Tables {
    /// A plan as steps; `None` if it does not fit.
    fn program(&self, game: &Game, plan: &Plan) -> Option<Program> {
        let (space, per_cell) = (self.space, self.space.per_cell());
        let mut program = Program { steps: Vec::with_capacity(space.goal * space.goal), mends: Vec::new() };
        for cell in (0..space.layers()).flat_map(|layer| self.cells(layer)) {
            let action = plan.action(cell * per_cell);
            if (1..per_cell).any(|place| plan.action(cell * per_cell + place) != action) {
                return None;
            }
            let panel = game.panel(cell);
            let first = self.first_lottery(panel);
            let lottery = |mine: usize, theirs: usize| panel.lotteries(&space, (0, mine, theirs))[action];
            let of_mine: Vec<u16> = (0..space.mine).map(|mine| lottery(mine, 0)).collect();
            let depends = |mine: usize| (1..space.mine).any(|theirs| lottery(mine, theirs) != of_mine[mine]);
            if (0..space.mine).any(depends) {
                return None;
            }
            let (most, other, mask) = split(&of_mine)?;
            let begin = program.mends.len() as u32;
            let lotteries = [most, other].map(|index| (first + usize::from(index)) as u32);
            self.mend(cell, lotteries[0] as usize, &mut program.mends);
            let between = program.mends.len() as u32;
            if mask != 0 {
                self.mend(cell, lotteries[1] as usize, &mut program.mends);
            }
            program.steps.push(Step { lotteries, mask, mends: [begin, between, program.mends.len() as u32] });
        }
        Some(program)
    }

    fn rate(&self, programs: [&Program; 2], room: &mut PairRoom) -> PairRate {
        room.sides.iter_mut().for_each(|board| self.clear(board));
        let mut at = 0;
        for layer in 0..self.space.layers() {
            let cells = self.cells(layer);
            room.passing.clear();
            for (side, program) in programs.into_iter().enumerate() {
                for (cell, step) in self.cells(layer).zip(&program.steps[at..]) {
                    match self.passes(cell, step) {
                        Some(to) => room.passing.push(Passing { side, cell, to }),
                        None => self.step(side, cell, (step, &program.mends), &mut room.sides),
                    }
                }
            }
            self.settle(&room.passing, &mut room.sides);
            at += cells.len();
        }
        let worth = |side: usize| {
            let (board, place) = (&room.sides[side], self.place(self.start_memory, 0));
            let exception = board.mask[0] >> self.start_memory & 1 == 1;
            board.base[place] + if exception { board.extra[place] } else { 0.0 }
        };
        PairRate { first: worth(0), second: 1.0 - worth(1) }
    }

    fn clear(&self, board: &mut Board) {
        let places = self.ends() + 3;
        if board.base.len() == places {
            // Every place below the goal is written before it is read; the others stay 0.
            return;
        }
        *board = Board {
            base: vec![0.0; places],
            extra: if self.space.mine > 1 { vec![0.0; places] } else { Vec::new() },
            mask: vec![0; self.space.goal * self.width + 3],
        };
        board.base[places - 2] = 1.0;
        board.base[places - 1] = 0.5;
    }

    /// Where a step leads if it stays in its layer.
    fn passes(&self, cell: usize, step: &Step) -> Option<usize> {
        if !self.level {
            return None;
        }
        let lottery = &self.lotteries[step.lotteries[0] as usize];
        let landing = lottery.only?;
        let odd = self.odd[cell].iter().find(|odd| odd.landing == landing);
        let part = &self.parts[lottery.parts.start];
        let (score, opponent) = (cell / self.space.goal, cell % self.space.goal);
        let to = odd.map_or(opponent * self.width + score + part.offset, |odd| odd.to);
        let (row, total) = (to / self.width % self.space.goal, to % self.width);
        let stays = to < self.ends() && total < self.space.goal;
        (stays && row + total == score + opponent).then_some(to)
    }

    /// Works out a cell whose turns leave its layer.
    #[inline(always)]
    fn step(&self, side: usize, cell: usize, (step, mends): (&Step, &[Mend]), sides: &mut [Board; 2]) {
        let (score, opponent) = (cell / self.space.goal, cell % self.space.goal);
        let origin = opponent * self.width + score;
        let place = score * self.width + opponent;
        let [begin, between, end] = step.mends.map(|mend| mend as usize);
        let other = &sides[1 - side];
        if self.space.mine == 1 {
            let lottery = &self.lotteries[step.lotteries[0] as usize];
            let mut sum = self.dot(lottery, origin, &other.base);
            for mend in &mends[begin..end] {
                sum += mend.weight * (other.base[mend.to as usize] - other.base[mend.plain as usize]);
            }
            sides[side].base[place] = 1.0 - sum / lottery.total;
            return;
        }
        let mut most = [0.0; 64];
        self.lanes(step.lotteries[0], origin, &mends[begin..between], other, &mut most);
        let plane = self.space.goal * self.width;
        if step.mask != 0 {
            let mut exceptions = [0.0; 64];
            self.lanes(step.lotteries[1], origin, &mends[between..end], other, &mut exceptions);
            for (theirs, (exception, most)) in exceptions.iter().zip(&most).take(self.space.mine).enumerate() {
                sides[side].extra[theirs * plane + place] = exception - most;
            }
        }
        sides[side].mask[place] = step.mask;
        for (theirs, most) in most.iter().take(self.space.mine).enumerate() {
            sides[side].base[theirs * plane + place] = *most;
        }
    }

    #[inline(always)]
    fn dot(&self, lottery: &FlatLottery, origin: usize, base: &[f64]) -> f64 {
        let mut sum = 0.0;
        for part in &self.parts[lottery.parts.clone()] {
            let weights = &self.weights[part.weights..part.weights + part.length];
            let values = &base[origin + part.offset..][..part.length];
            sum += striped(weights, values);
        }
        sum
    }

    /// The mover's mean of a lottery for each memory of the opponent.
    #[inline(always)]
    fn lanes(&self, lottery: u32, origin: usize, mends: &[Mend], other: &Board, means: &mut [f64; 64]) {
        let lottery = &self.lotteries[lottery as usize];
        let mut sum = self.dot(lottery, origin, &other.base);
        let plane = self.space.goal * self.width;
        let mut extra = [0.0; 64];
        let mut except = |place: usize, weight: f64| {
            let mut mask = other.mask[if place < self.ends() { place % plane } else { plane }];
            while mask != 0 {
                extra[mask.trailing_zeros() as usize] += weight * other.extra[place];
                mask &= mask - 1;
            }
        };
        for part in &self.parts[lottery.parts.clone()] {
            // Beyond the goal nothing is an exception.
            let first = origin + part.offset;
            let below = self.space.goal.saturating_sub(first % self.width).min(part.length);
            for (place, weight) in self.weights[part.weights..][..below].iter().enumerate() {
                except(first + place, *weight);
            }
        }
        for mend in mends {
            let (plain, to) = (mend.plain as usize, mend.to as usize);
            sum += mend.weight * (other.base[to] - other.base[plain]);
            except(to, mend.weight);
            except(plain, -mend.weight);
        }
        for (mean, extra) in means.iter_mut().zip(extra).take(self.space.mine) {
            *mean = 1.0 - (sum + extra) / lottery.total;
        }
    }

    /// Follows turns that stay in their layer; a game that goes round for ever counts half.
    fn settle(&self, passing: &[Passing], sides: &mut [Board; 2]) {
        let at = |side: usize, place: usize| {
            passing.iter().position(|pass| pass.side == side && self.place(0, pass.cell) == place)
        };
        for start in passing {
            let (mut side, mut place, mut steps) = (1 - start.side, start.to, 1);
            let mut next = at(side, place);
            while let Some(index) = next.filter(|_| steps <= passing.len()) {
                (side, place, steps) = (1 - side, passing[index].to, steps + 1);
                next = at(side, place);
            }
            let known = if next.is_some() { 0.5 } else { sides[side].base[place] };
            let own = if next.is_none() && steps % 2 == 1 { 1.0 - known } else { known };
            sides[start.side].base[self.place(0, start.cell)] = own;
        }
    }
}

/// The lottery of most memories, that of the others, and who those are; `None` if there are more than two.
fn split(of_mine: &[u16]) -> Option<(u16, u16, u64)> {
    let first = of_mine[0];
    let other = of_mine.iter().copied().find(|lottery| *lottery != first).unwrap_or(first);
    if of_mine.iter().any(|lottery| *lottery != first && *lottery != other) {
        return None;
    }
    let firsts = of_mine.iter().filter(|lottery| **lottery == first).count();
    let (most, other) = if firsts * 2 >= of_mine.len() { (first, other) } else { (other, first) };
    let exceptions = of_mine.iter().enumerate().filter(|(_, lottery)| **lottery != most);
    Some((most, other, exceptions.fold(0, |mask, (mine, _)| mask | 1 << mine)))
}

/// A weighted sum in [`STRIPES`] partial sums: always the same order, so always the same bits.
#[inline(always)]
fn striped(weights: &[f64], values: &[f64]) -> f64 {
    let (weights, last_weights) = weights.as_chunks::<STRIPES>();
    let (values, last_values) = values.as_chunks::<STRIPES>();
    let mut sums = [0.0; STRIPES];
    for (weights, values) in weights.iter().zip(values) {
        for stripe in 0..STRIPES {
            sums[stripe] += weights[stripe] * values[stripe];
        }
    }
    for (stripe, (weight, value)) in last_weights.iter().zip(last_values).enumerate() {
        sums[stripe] += weight * value;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
