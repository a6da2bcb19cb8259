//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use crate::game::{Destination, Landing};

use super::menu::Menu;
use super::rings::Row;
use super::tile::Tile;

/// By how much an arrival is worth more than a plain one.
pub(super) struct Mended {
    pub(super) kind: usize,
    pub(super) points: usize,
    pub(super) memory: usize,
    pub(super) difference: f64,
}

impl Tile<'_> {
    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    pub(super) fn mend(&self, menu: &Menu, kind: usize, lane: usize, (means, sums): (&mut [Row], &mut Vec<f64>)) {
        let (setting, mine) = (self.setting, self.setting.space.mine);
        let landing = &setting.program.kinds[kind];
        for memory in 0..mine {
            sums.clear();
            sums.resize(menu.wanted.len(), 0.0);
            for (points, destination) in setting.game.surprises_from(self.cell(lane), landing) {
                let Some(weights) = menu.weights[kind].get(points).filter(|weights| !weights.is_empty()) else {
                    continue;
                };
                let difference = self.difference(landing, (points, destination), (kind, memory), lane);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight * difference;
                }
            }
            for (sum, index) in sums.iter().zip(&menu.wanted) {
                means[*index as usize * mine + memory][lane] += sum;
            }
        }
    }

    pub(super) fn difference(
        &self,
        landing: &Landing,
        (points, destination): (usize, Destination),
        (kind, memory): (usize, usize),
        lane: usize,
    ) -> f64 {
        let known = (self.side, self.layout, self.solved);
        self.setting.worth(landing, (destination, memory), known) - self.arrival(kind, points, memory)[lane]
    }

    fn stays(&self, destination: Destination) -> bool {
        match destination {
            Destination::Passed { cell } | Destination::Again { cell } => {
                self.layout.sum(self.layout.layer_of(cell)) == self.sum
            }
            _ => false,
        }
    }

    /// All arrivals of a column that depend on the points and are not plain.
    pub(super) fn list_mended(&self, lane: usize, mended: &mut Vec<Mended>) {
        mended.clear();
        for kind in &self.setting.by_points {
            let landing = &self.setting.program.kinds[*kind];
            for (points, destination) in self.setting.game.surprises_from(self.cell(lane), landing) {
                let outcomes = &self.setting.program.outcomes[*kind];
                // What no turn brings may lead to layers that nothing reads any more, or to this one.
                if !outcomes.get(points).is_some_and(|outcome| *outcome) || self.stays(destination) {
                    continue;
                }
                mended.extend((0..self.setting.space.mine).map(|memory| Mended {
                    kind: *kind,
                    points,
                    memory,
                    difference: self.difference(landing, (points, destination), (*kind, memory), lane),
                }));
            }
        }
    }
}
