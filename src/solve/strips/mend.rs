//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use crate::game::Destination;

use super::Row;
use super::kernel::Tile;
use super::menu::Menu;
use super::setting::Setting;

/// By how much an arrival is worth more than a plain one.
pub(super) struct Mended {
    pub kind: usize,
    pub points: usize,
    pub memory: usize,
    pub difference: f64,
}

impl Setting<'_> {
    /// By kind of landing and points: its weight in each of some sums, and how many of those are above 0.
    pub fn weights(&self, sums: &[u32]) -> Vec<f64> {
        let (points, each) = (self.program.farthest + 1, sums.len() + 1);
        let mut weights = vec![0.0; self.program.kinds.len() * points * each];
        for (place, index) in sums.iter().enumerate() {
            for term in &self.program.sums[*index as usize].all {
                let of_landing = &mut weights[(term.kind * points + term.points) * each..][..each];
                of_landing[place] = term.weight;
                of_landing[each - 1] += 1.0;
            }
        }
        weights
    }
}

impl Tile<'_> {
    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    pub fn mend(&self, menu: &Menu, (means, sums): (&mut [Row], &mut Vec<f64>)) {
        for kind in &self.layer.setting.by_points {
            for lane in self.lanes.first..self.lanes.end {
                self.mend_column(menu, *kind, lane, (means, sums));
            }
        }
    }

    #[inline(always)]
    fn mend_column(&self, menu: &Menu, kind: usize, lane: usize, (means, sums): (&mut [Row], &mut Vec<f64>)) {
        let setting = self.layer.setting;
        let (mine, each) = (setting.space.mine, menu.sums.len() + 1);
        let landing = &setting.program.kinds[kind];
        let weights = &menu.weights[kind * (setting.program.farthest + 1) * each..];
        for memory in 0..mine {
            sums.clear();
            sums.resize(each, 0.0);
            for (points, destination) in setting.game.surprises_from(self.cell(lane), landing) {
                let Some(weights) = weights.get(points * each..(points + 1) * each) else { break };
                if points > setting.program.farthest || weights[each - 1] == 0.0 {
                    continue;
                }
                let difference = self.difference((kind, points), (destination, memory), lane);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight * difference;
                }
            }
            for (index, sum) in sums[..each - 1].iter().enumerate() {
                means[index * mine + memory][lane] += sum;
            }
        }
    }

    #[inline(always)]
    fn difference(
        &self,
        (kind, points): (usize, usize),
        (destination, memory): (Destination, usize),
        lane: usize,
    ) -> f64 {
        let (setting, known) = (self.layer.setting, (self.layer.side, self.layer.known));
        let worth = setting.worth(&setting.program.kinds[kind], (destination, memory), known);
        worth - self.arrival(kind, points, memory)[lane]
    }

    /// All arrivals of a column that depend on the points and are not plain.
    pub fn list_mended(&self, lane: usize, mended: &mut Vec<Mended>) {
        let setting = self.layer.setting;
        mended.clear();
        for kind in &setting.by_points {
            let landing = &setting.program.kinds[*kind];
            for (points, destination) in setting.game.surprises_from(self.cell(lane), landing) {
                let outcomes = &setting.program.outcomes[*kind];
                // What no turn brings may lead to layers that nothing reads any more, or to this one.
                if !outcomes.get(points).is_some_and(|outcome| *outcome) || setting.stays(self.layer.sum, destination) {
                    continue;
                }
                mended.extend((0..setting.space.mine).map(|memory| {
                    let difference = self.difference((*kind, points), (destination, memory), lane);
                    Mended { kind: *kind, points, memory, difference }
                }));
            }
        }
    }
}
