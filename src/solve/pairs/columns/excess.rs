//! Arrivals that depend on the points of the turn: by how much they are worth more than plain ones.

use std::ops::Range;

use crate::game::Game;

use super::row::LANES;
use super::tables::Tables;

/// By how much arrivals are worth more than plain ones, where that depends on the points.
#[derive(Debug, Default)]
pub(super) struct Excesses {
    /// By sum, row and column: columns that go on alike. Those of a row are all columns of its sum.
    pub(super) runs: Vec<Run>,
    /// By sum: where its runs begin.
    first_run: Vec<usize>,
    /// The most rows of a sum.
    pub(super) rows: usize,
    /// By sum and lottery: where its mends begin.
    starts: Vec<u32>,
    mends: Vec<Mend>,
    distributions: usize,
}

/// Neighbouring columns of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) count: u32,
    /// The plain arrival of the first.
    pub(super) plain: u32,
    pub(super) way: Way,
}

/// Where columns lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// To where plain arrivals do.
    Plain,
    /// To neighbouring places from one on.
    Places(u32),
    /// All to one place.
    Place(u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Mend {
    /// The first tile of its row.
    pub(super) at: u32,
    pub(super) weight: f64,
}

/// The most mends, and distributions that have some or none: beyond that they would take gigabytes.
const MOST_MENDS: usize = 1 << 25;

impl Excesses {
    /// Those of kinds of outcomes whose arrivals depend on the points; `None` if one gives another turn, or there are too
    /// many.
    pub(super) fn new(tables: &Tables, game: &Game, kinds: &[usize]) -> Option<Self> {
        let mut excesses =
            Self { distributions: tables.distributions.len(), first_run: vec![0], starts: vec![0], ..Self::default() };
        let mut by_points = vec![Vec::new(); tables.program.farthest + 1];
        for sum in 0..tables.space.stages() {
            let mut rows = 0;
            // By kind and points.
            let mut row_of = vec![vec![None; by_points.len()]; tables.program.kinds.len()];
            for kind in kinds {
                find_surprises(tables, game, (*kind, sum), &mut by_points)?;
                for (points, found) in by_points.iter().enumerate().filter(|(_, found)| !found.is_empty()) {
                    row_of[*kind][points] = Some(rows);
                    let plain = tables.arrivals(*kind, sum + points) * LANES;
                    list_runs((rows, plain as u32), found, tables.scores(sum), &mut excesses.runs);
                    rows += 1;
                }
            }
            excesses.first_run.push(excesses.runs.len());
            excesses.rows = excesses.rows.max(rows as usize);
            excesses.list_mends(tables, &row_of)?;
        }
        Some(excesses)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The numbers of the runs of a sum.
    pub(super) fn runs_of(&self, sum: usize) -> Range<usize> {
        self.first_run[sum]..self.first_run[sum + 1]
    }

    /// The mends of a lottery at a sum.
    #[inline(always)]
    pub(super) fn mends(&self, sum: usize, lottery: usize) -> &[Mend] {
        let at = sum * self.distributions + lottery;
        &self.mends[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Lists the mends of all distributions at a sum; `None` if there are too many.
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
    for cell in tables.space.stage(sum).collect::<Vec<_>>().into_iter().rev() {
        for (points, destination) in game.exceptional_from(cell, &tables.program.kinds[kind]) {
            if points > 0 && tables.program.outcomes[kind].get(points) == Some(&true) {
                let column = cell % tables.space.goal;
                by_points[points].push((column as u32, tables.score_successor(destination)? as u32));
            }
        }
    }
    Some(())
}

/// Lists the columns of a sum, from the least to the most, as runs of a row, told by those that are not plain and where they
/// lead; `plain` is the place of the plain arrivals' first column.
fn list_runs((row, plain): (u32, u32), found: &[(u32, u32)], (least, most): (usize, usize), runs: &mut Vec<Run>) {
    let first = runs.len();
    let mut surprises = found.iter().copied().peekable();
    for column in least as u32..=most as u32 {
        let way = surprises.next_if(|surprise| surprise.0 == column).map_or(Way::Plain, |(_, to)| Way::Place(to));
        match runs[first..].last_mut().and_then(|run| Some((run.way.with(run.count, way)?, run))) {
            Some((way, run)) => (run.count, run.way) = (run.count + 1, way),
            None => runs.push(Run { row, column, count: 1, plain: plain + column, way }),
        }
    }
}

impl Way {
    /// That of so many columns and one more; `None` if that goes on differently.
    fn with(self, count: u32, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::Place(to), Self::Place(next)) if count == 1 && next == to + 1 => Some(Self::Places(to)),
            (Self::Places(to), Self::Place(next)) if next == to + count => Some(self),
            _ => (self == next).then_some(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_tell_where_all_columns_of_a_sum_lead() {
        let mut runs = Vec::new();
        list_runs((2, 100), &[(3, 40), (4, 41), (5, 42), (6, 42), (7, 42), (9, 50)], (2, 10), &mut runs);
        let told: Vec<_> = runs.iter().map(|run| (run.column, run.count, run.plain, run.way)).collect();
        let ways = [Way::Plain, Way::Places(40), Way::Place(42), Way::Plain, Way::Place(50), Way::Plain];
        let columns = [(2, 1, 102), (3, 3, 103), (6, 2, 106), (8, 1, 108), (9, 1, 109), (10, 1, 110)];
        let right: Vec<_> = columns.iter().zip(ways).map(|((c, n, p), way)| (*c, *n, *p, way)).collect();
        assert_eq!(told, right);
        assert!(runs.iter().all(|run| run.row == 2));
    }
}
