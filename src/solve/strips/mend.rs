//! Arrivals that depend on the points of the turn: sums count them as plain, and the difference is added.

use crate::game::Destination;

use super::kernel::Tile;
use super::menu::Menu;
use super::strip::add;
use super::{Row, ZERO};

/// By how much an arrival is worth more than a plain one.
pub(super) struct Mended {
    pub kind: usize,
    pub points: usize,
    pub memory: usize,
    pub difference: f64,
}

/// A set of points: those below the last are each a bit, all from there on share one.
#[derive(Clone, Copy, Default)]
struct Found(u128);

impl Found {
    fn add(&mut self, points: usize) {
        self.0 |= 1 << points.min(127);
    }

    fn holds(self, points: usize) -> bool {
        self.0 >> points.min(127) & 1 == 1
    }
}

impl Tile<'_> {
    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    pub fn mend(&self, menu: &Menu, (means, differences): (&mut [Row], &mut Vec<Row>)) {
        let setting = self.layer.setting;
        let mine = setting.space.mine;
        differences.resize(setting.program.farthest + 1, ZERO);
        for kind in &setting.by_points {
            for memory in 0..mine {
                let found = self.find_differences(menu, (*kind, memory), differences);
                for points in (0..=setting.program.farthest).filter(|points| found.holds(*points)) {
                    for (sum, weight) in menu.weights.of(*kind, points) {
                        add(&mut means[*sum as usize * mine + memory], *weight, &differences[points]);
                    }
                    differences[points] = ZERO;
                }
            }
        }
    }

    /// By how much arrivals of a kind are worth more than plain ones, by points; the points at which they are.
    #[inline(always)]
    fn find_differences(&self, menu: &Menu, (kind, memory): (usize, usize), differences: &mut [Row]) -> Found {
        let (setting, landing) = (self.layer.setting, &self.layer.setting.program.kinds[kind]);
        let mut found = Found::default();
        for lane in self.lanes.range() {
            for (points, destination) in setting.game.surprises_from(self.cell(lane), landing) {
                if !menu.weights.of(kind, points).is_empty() {
                    differences[points][lane] = self.difference((kind, points), (destination, memory), lane);
                    found.add(points);
                }
            }
        }
        found
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
