//! Solved floats once more, laid out so that what the turns of a cell read lies side by side.
//!
//! After a plain turn the opponent moves with the mover's new total as the other score. For a fixed opponent's score
//! the totals of consecutive points are neighbours here, so a lottery over them is one dot product over memory in order.
//! Where all turns share one table of arrivals, the rules on totals (swaps and the like) are worked in when a total is
//! taken in; elsewhere such turns are read one by one.
//!
//! **Ladders.** A clean roll of n dice is a clean roll of n - 1 dice from wherever the first die leads: with U(0, t) the
//! value of arriving at total t, U(n, t) is the weighted sum of U(n - 1, t + p) over what one die brings, p. So all
//! numbers of dice together cost a few sums a cell instead of a sum over all outcomes of each.

use crate::game::{Destination, Game, Outlook, Run};

use super::layout::{LayerIndex, Layout};

/// By side: values indexed by (the next mover's shared class, the other's memory class, the next mover's score, the
/// other's total, the next mover's memory class). Totals past the goal are won turns: worth 0 to the next mover.
#[derive(Debug)]
pub(super) struct Mirror {
    sides: Vec<Vec<f64>>,
    goal: usize,
    /// Totals: those below the goal, and as many past it as the highest points can reach.
    width: usize,
    mine: usize,
    /// True if rules on totals are worked in: then every landing is read here.
    pub resolved: bool,
    /// By layer of the destination: places of totals that lead elsewhere, and that cell.
    elsewhere: Vec<Vec<(usize, usize)>>,
    /// Totals below the goal, in the plain sense, that lead elsewhere: not to be overwritten.
    taken: Vec<bool>,
    ladders: Vec<Ladder>,
    most_dice: usize,
}

/// The sums of clean rolls for one kind of die.
#[derive(Debug)]
struct Ladder {
    /// What one die brings, and its weight.
    step: Vec<(usize, f64)>,
    /// By side: `[(opponent * width + total) * most_dice + dice - 1]`.
    sums: Vec<Vec<f64>>,
}

/// What an ended game is worth to the player who did not make the last move.
pub(super) struct Ends {
    pub lost: f64,
    pub tied: f64,
}

/// The most numbers of points that one die of a ladder may bring.
const LONGEST_STEP: usize = 6;

/// Whether clean rolls of a game are summed on ladders: not where there are memories, where the game may go on past the
/// goal, or where a die brings too many different points.
pub(super) fn climbs(game: &Game) -> bool {
    let space = game.space();
    let goes_on = |(_, total, destination): &(usize, usize, Destination)| {
        *total >= space.goal && matches!(destination, Destination::Passed { .. })
    };
    let most_points = most_points(game);
    let short = |step: &Vec<(u32, u64)>| {
        step.len() <= LONGEST_STEP && step.iter().all(|(points, _)| (*points as usize) < space.goal + most_points)
    };
    space.per_cell() == 1
        && game.ladders().iter().all(short)
        && (!resolves(game) || !game.only_surprises().iter().flatten().any(goes_on))
}

/// Whether rules on totals can be worked in: no turn gives another, and all share one table.
fn resolves(game: &Game) -> bool {
    let again = |(_, _, destination): &(usize, usize, Destination)| matches!(destination, Destination::Again { .. });
    game.only_surprises().is_some_and(|surprises| !surprises.iter().any(again))
}

fn most_points(game: &Game) -> usize {
    let runs = game.panels().iter().flat_map(|panel| &panel.offers).flat_map(|offer| &offer.runs);
    runs.map(|run| run.points() + run.length).max().unwrap_or(0)
}

impl Mirror {
    /// A mirror in which nothing is solved.
    pub fn new(game: &Game, layout: &Layout, sides: usize, ends: &Ends) -> Self {
        let space = game.space();
        let width = space.goal + most_points(game);
        let planes = space.shared * space.mine;
        let size = planes * space.goal * width * space.mine;
        let mut mirror = Self {
            sides: vec![vec![0.0; size]; sides],
            goal: space.goal,
            width,
            mine: space.mine,
            resolved: false,
            elsewhere: vec![Vec::new(); layout.layers()],
            taken: Vec::new(),
            ladders: Vec::new(),
            most_dice: space.actions,
        };
        mirror.resolve(game, layout, planes, ends);
        if climbs(game) {
            mirror.raise_ladders(game, sides);
        }
        mirror
    }

    /// Works the rules on totals in, if they can be.
    fn resolve(&mut self, game: &Game, layout: &Layout, planes: usize, ends: &Ends) {
        let Some(surprises) = game.only_surprises().filter(|_| resolves(game)) else { return };
        self.resolved = true;
        self.taken = vec![false; self.goal * self.width];
        for (opponent, total, destination) in surprises {
            let place = opponent * self.width + total;
            self.taken[place] = true;
            let end = match destination {
                Destination::Passed { cell } | Destination::Again { cell } => {
                    self.elsewhere[layout.layer_of(cell)].push((place, cell));
                    continue;
                }
                Destination::Won => 0.0,
                Destination::Lost => ends.lost,
                Destination::Tied => ends.tied,
            };
            for plane in 0..planes {
                let start = (plane * self.goal * self.width + place) * self.mine;
                self.sides.iter_mut().for_each(|side| side[start..start + self.mine].fill(end));
            }
        }
    }

    /// Sets up the ladders with their sums from totals past the goal, where the game is over.
    fn raise_ladders(&mut self, game: &Game, sides: usize) {
        let size = self.goal * self.width * self.most_dice;
        let ladder = |step: &Vec<(u32, u64)>| Ladder {
            step: step.iter().map(|(points, weight)| (*points as usize, *weight as f64)).collect(),
            sums: vec![vec![0.0; size]; sides],
        };
        self.ladders = game.ladders().iter().map(ladder).collect();
        // Mostly 0: only what rules on totals make of a won turn has to be summed.
        let rows = (0..self.goal).filter(|opponent| {
            self.sides[0][opponent * self.width + self.goal..(opponent + 1) * self.width]
                .iter()
                .any(|value| *value != 0.0)
        });
        for opponent in rows.collect::<Vec<_>>() {
            for total in (self.goal..self.width).rev() {
                (0..sides).for_each(|side| self.climb(side, opponent, total));
            }
        }
    }

    /// Takes one step on all ladders from a total.
    #[inline(always)]
    fn climb(&mut self, side: usize, opponent: usize, total: usize) {
        let arrivals = &self.sides[side][opponent * self.width..(opponent + 1) * self.width];
        for ladder in &mut self.ladders {
            let row = &mut ladder.sums[side];
            let most_dice = self.most_dice;
            let start = (opponent * self.width + total) * most_dice;
            let (sums, later) = row[start..(opponent + 1) * self.width * most_dice].split_at_mut(most_dice);
            sums.fill(0.0);
            for (points, weight) in ladder.step.iter().filter(|(points, _)| total + points < self.width) {
                sums[0] += weight * arrivals[total + points];
                // A die that brings nothing would be a step on the spot; such a sum is never asked for here.
                if let Some(from) = points.checked_sub(1) {
                    let from = &later[from * most_dice..][..most_dice - 1];
                    sums[1..].iter_mut().zip(from).for_each(|(sum, fewer)| *sum += weight * fewer);
                }
            }
        }
    }

    /// Whether clean rolls are summed on ladders.
    #[inline(always)]
    pub fn has_ladders(&self) -> bool {
        !self.ladders.is_empty()
    }

    /// The weighted sum over all clean rolls from a cell, if rules on totals that are not worked in do nothing.
    #[inline(always)]
    pub fn clean(&self, side: usize, outlook: &Outlook, ladder: usize, dice: usize) -> f64 {
        let start = (outlook.opponent() * self.width + outlook.score()) * self.most_dice;
        self.ladders[ladder].sums[side][start + dice - 1]
    }

    /// All values that are read after passing to a side.
    #[inline(always)]
    pub fn side(&self, side: usize) -> &[f64] {
        &self.sides[side]
    }

    /// Where, in [`Self::side`], the landings of a run are worth what they are if no rule on totals acts (or what they
    /// are worth altogether, if those are worked in).
    #[inline(always)]
    pub fn start(&self, outlook: &Outlook, run: &Run) -> usize {
        let (theirs, shared) = run.classes();
        let plane = (shared * self.mine + theirs) * self.goal + outlook.opponent();
        (plane * self.width + outlook.score() + run.points()) * self.mine
    }

    /// Readies the ladders for a layer: all totals above its own are known.
    pub fn prepare(&mut self, layout: &Layout, layer: LayerIndex) {
        if self.ladders.is_empty() {
            return;
        }
        for cell in layout.cells(layer) {
            let (score, opponent) = (*cell as usize / self.goal, *cell as usize % self.goal);
            (0..self.sides.len()).for_each(|side| self.climb(side, opponent, score));
        }
    }

    /// Takes in the values of a layer, in solving order; `all` are the numbers of the side.
    pub fn reflect(&mut self, layout: &Layout, layer: LayerIndex, side: usize, all: &[f64]) {
        let per_cell = layout.space.per_cell();
        let mut write = |place: usize, values: &[f64]| {
            for (plane, lanes) in values.chunks_exact(self.mine).enumerate() {
                let start = (plane * self.goal * self.width + place) * self.mine;
                self.sides[side][start..start + self.mine].copy_from_slice(lanes);
            }
        };
        for (cell, values) in layout.cells(layer).iter().zip(all[layout.word_range(layer)].chunks_exact(per_cell)) {
            let (score, total) = (*cell as usize / self.goal, *cell as usize % self.goal);
            let place = score * self.width + total;
            if !self.resolved || !self.taken[place] {
                write(place, values);
            }
        }
        for (place, cell) in &self.elsewhere[layer] {
            let word = layout.first_word_of(*cell);
            write(*place, &all[word..word + per_cell]);
        }
    }
}
