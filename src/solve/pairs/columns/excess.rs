//! Arrivals that depend on the points of the turn: by how much they are worth more than plain ones.

use crate::game::Game;

use super::tables::Tables;

/// By how much arrivals are worth more than plain ones, where that depends on the points.
#[derive(Debug, Default)]
pub(super) struct Excesses {
    /// By sum: neighbouring columns that lead to neighbouring cells, or all to one end.
    pub(super) runs: Vec<Vec<Run>>,
    /// By sum: how many rows there are.
    pub(super) rows: Vec<usize>,
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
    pub(super) row: u32,
    pub(super) weight: f64,
}

impl Excesses {
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The mends of a lottery at a sum.
    #[inline(always)]
    pub(super) fn mends(&self, sum: usize, lottery: usize) -> &[Mend] {
        let at = sum * self.lotteries + lottery;
        &self.mends[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Tables {
    /// Lists what depends on the points, for kinds of landings of which it does; `None` if one gives another turn.
    pub(super) fn list_excesses(&mut self, game: &Game, kinds: &[usize]) -> Option<()> {
        let farthest = self.lotteries.iter().flat_map(|lottery| &lottery.all).map(|(_, points, _)| *points).max()?;
        let mut wanted = vec![vec![false; farthest + 1]; self.kinds.len()];
        for (kind, points, _) in self.lotteries.iter().flat_map(|lottery| &lottery.all) {
            wanted[*kind][*points] = *points > 0;
        }
        let mut excesses = Excesses { lotteries: self.lotteries.len(), starts: vec![0], ..Excesses::default() };
        let mut found: Vec<Vec<(usize, usize)>> = vec![Vec::new(); farthest + 1];
        for sum in 0..self.space.layers() {
            let (mut runs, mut row_of, mut rows) =
                (Vec::new(), vec![vec![u32::MAX; farthest + 1]; self.kinds.len()], 0);
            for kind in kinds {
                found.iter_mut().for_each(Vec::clear);
                for cell in self.space.layer(sum).collect::<Vec<_>>().into_iter().rev() {
                    for (points, destination) in game.surprises_from(cell, &self.kinds[*kind]) {
                        if wanted[*kind].get(points).is_some_and(|wanted| *wanted) {
                            found[points].push((cell % self.space.goal, self.destination(destination)?));
                        }
                    }
                }
                for (points, found) in found.iter().enumerate().filter(|(_, found)| !found.is_empty()) {
                    row_of[*kind][points] = rows;
                    let of = Run {
                        row: rows,
                        points: points as u32,
                        column: 0,
                        count: 0,
                        at: ((*kind * self.sums + sum + points) * self.width()) as u32,
                        to: 0,
                        moves: false,
                    };
                    list_runs(of, found, &mut runs);
                    rows += 1;
                }
            }
            for lottery in &self.lotteries {
                let mends = lottery.all.iter().filter_map(|(kind, points, weight)| {
                    let row = row_of[*kind][*points];
                    (row != u32::MAX).then_some(Mend { row: row * self.tiles as u32, weight: *weight })
                });
                excesses.mends.extend(mends);
                excesses.starts.push(excesses.mends.len() as u32);
            }
            excesses.runs.push(runs);
            excesses.rows.push(rows as usize);
        }
        self.excesses = excesses;
        Some(())
    }
}

fn list_runs(of: Run, found: &[(usize, usize)], runs: &mut Vec<Run>) {
    let mut last: Option<Run> = None;
    for (column, to) in found.iter().map(|(column, to)| (*column as u32, *to as u32)) {
        if let Some(run) = &mut last
            && column == run.column + run.count
        {
            let moves = to == run.to + run.count;
            if (run.count == 1 || run.moves == moves) && (moves || to == run.to) {
                (run.count, run.moves) = (run.count + 1, moves);
                continue;
            }
        }
        runs.extend(last.replace(Run { column, count: 1, at: of.at + column, to, ..of }));
    }
    runs.extend(last);
}
