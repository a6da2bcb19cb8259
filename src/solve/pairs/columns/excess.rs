//! Arrivals that depend on the points of the turn: by how much they are worth more than plain ones.

use crate::game::Game;

use super::row::LANES;
use super::tables::Tables;

/// By how much arrivals are worth more than plain ones, where that depends on the points.
#[derive(Debug, Default)]
pub(super) struct Excesses {
    /// By sum: neighbouring columns that lead to neighbouring cells, or all to one end.
    pub(super) runs: Vec<Vec<Run>>,
    /// The most rows of a sum.
    pub(super) rows: usize,
    /// By sum and lottery: where its mends begin.
    starts: Vec<u32>,
    mends: Vec<Mend>,
    lotteries: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) row: u32,
    pub(super) points: u32,
    pub(super) column: u32,
    pub(super) count: u32,
    /// The plain arrival of the first.
    pub(super) at: u32,
    pub(super) to: u32,
    /// Whether the others follow it, or all lead there.
    pub(super) moves: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Mend {
    /// The first tile of its row.
    pub(super) at: u32,
    pub(super) weight: f64,
}

/// The most mends, and lotteries that have some or none: beyond that they would take gigabytes.
const MOST_MENDS: usize = 1 << 25;

impl Excesses {
    /// Those of kinds of landings whose arrivals depend on the points; `None` if one gives another turn, or there are too
    /// many.
    pub(super) fn new(tables: &Tables, game: &Game, kinds: &[usize]) -> Option<Self> {
        let mut excesses = Self { lotteries: tables.lotteries.len(), starts: vec![0], ..Self::default() };
        let mut by_points = vec![Vec::new(); tables.program.farthest + 1];
        for sum in 0..tables.space.layers() {
            let (mut runs, mut rows) = (Vec::new(), 0);
            // By kind and points.
            let mut row_of = vec![vec![None; by_points.len()]; tables.program.kinds.len()];
            for kind in kinds {
                find_surprises(tables, game, (*kind, sum), &mut by_points)?;
                for (points, found) in by_points.iter().enumerate().filter(|(_, found)| !found.is_empty()) {
                    row_of[*kind][points] = Some(rows);
                    let plain = tables.arrivals(*kind, sum + points) * LANES;
                    list_runs((rows, points as u32, plain as u32), found, &mut runs);
                    rows += 1;
                }
            }
            excesses.runs.push(runs);
            excesses.rows = excesses.rows.max(rows as usize);
            excesses.list_mends(tables, &row_of)?;
        }
        Some(excesses)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The mends of a lottery at a sum.
    #[inline(always)]
    pub(super) fn mends(&self, sum: usize, lottery: usize) -> &[Mend] {
        let at = sum * self.lotteries + lottery;
        &self.mends[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Lists the mends of all lotteries at a sum; `None` if there are too many.
    fn list_mends(&mut self, tables: &Tables, row_of: &[Vec<Option<u32>>]) -> Option<()> {
        for lottery in &tables.program.sums {
            let mends = lottery.all.iter().filter_map(|term| {
                let row = row_of[term.kind][term.points]?;
                Some(Mend { at: row * tables.tiles as u32, weight: term.weight })
            });
            self.mends.extend(mends);
            self.starts.push(self.mends.len() as u32);
        }
        (self.mends.len() + self.starts.len() <= MOST_MENDS).then_some(())
    }
}

/// Finds, by points that a turn may bring, the columns of a sum whose arrivals of a kind are not plain, and the places
/// that these lead to; `None` if one gives another turn.
fn find_surprises(
    tables: &Tables,
    game: &Game,
    (kind, sum): (usize, usize),
    by_points: &mut [Vec<(u32, u32)>],
) -> Option<()> {
    by_points.iter_mut().for_each(Vec::clear);
    // Columns in ascending order.
    for cell in tables.space.layer(sum).collect::<Vec<_>>().into_iter().rev() {
        for (points, destination) in game.surprises_from(cell, &tables.program.kinds[kind]) {
            if points > 0 && tables.program.outcomes[kind].get(points) == Some(&true) {
                let column = cell % tables.space.goal;
                by_points[points].push((column as u32, tables.destination(destination)? as u32));
            }
        }
    }
    Some(())
}

/// Lists columns, and where they lead, as runs of a row; `plain` is the first column's place of the plain arrivals.
fn list_runs((row, points, plain): (u32, u32, u32), found: &[(u32, u32)], runs: &mut Vec<Run>) {
    let first = runs.len();
    for (column, to) in found.iter().copied() {
        if let Some(run) = runs[first..].last_mut()
            && column == run.column + run.count
        {
            let moves = to == run.to + run.count;
            if (run.count == 1 || run.moves == moves) && (moves || to == run.to) {
                (run.count, run.moves) = (run.count + 1, moves);
                continue;
            }
        }
        runs.push(Run { row, points, column, count: 1, at: plain + column, to, moves: false });
    }
}
