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

/// Room for the differences of one kind of landing against one memory.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// By points; zeros between uses.
    rows: Vec<Row>,
    /// By points: whether there is any.
    found: Vec<bool>,
}

impl Tile<'_> {
    /// Where arrivals depend on the points, sums have counted them as plain: adds the differences.
    #[inline(always)]
    pub fn mend(&self, menu: &Menu, (means, room): (&mut [Row], &mut Differences)) {
        let setting = self.layer.setting;
        let mine = setting.space.mine;
        room.rows.resize(setting.program.farthest + 1, ZERO);
        room.found.resize(setting.program.farthest + 1, false);
        for kind in &setting.by_points {
            for memory in 0..mine {
                self.find_differences((*kind, memory), room);
                for (points, (found, row)) in room.found.iter_mut().zip(&mut room.rows).enumerate() {
                    if !*found {
                        continue;
                    }
                    for (sum, weight) in menu.weights.of(*kind, points) {
                        add(&mut means[*sum as usize * mine + memory], *weight, row);
                    }
                    (*found, *row) = (false, ZERO);
                }
            }
        }
    }

    /// By how much arrivals of a kind are worth more than plain ones, also where no turn brings such points.
    #[inline(always)]
    fn find_differences(&self, (kind, memory): (usize, usize), room: &mut Differences) {
        let (setting, landing) = (self.layer.setting, &self.layer.setting.program.kinds[kind]);
        let (rows, found) = (&mut room.rows[..], &mut room.found[..]);
        for lane in self.lanes.range() {
            for (points, destination) in setting.game.surprises_from(self.cell(lane), landing) {
                if let (Some(row), Some(found)) = (rows.get_mut(points), found.get_mut(points)) {
                    row[lane] = self.difference((kind, points), (destination, memory), lane);
                    *found = true;
                }
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
