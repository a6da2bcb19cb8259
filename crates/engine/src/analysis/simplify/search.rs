//! The search for a decision list of little cost.
//!
//! If it is known what each action costs in each place, the cost of a list is a sum over the places.
//! Then the best line at a place of the list, while the other lines stay, can be found exactly: for
//! every pair of sights the savings of each action are summed by the bins of both, and sums from a
//! corner of that grid (a summed-area table) give what every pair of conditions saves.

use rayon::prelude::*;

use super::sights::Sights;

/// A condition of a line: a sight is at least a number, or below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    /// The index of the sight's column.
    pub column: usize,
    pub at_least: bool,
    /// Holds from this bin up if `at_least`, else below it.
    pub bin: usize,
}

/// A line of a list: an action where all conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListLine {
    pub conditions: Vec<Condition>,
    pub action: usize,
}

/// Lines of which the first that holds decides; the last has no conditions.
pub(super) type List = Vec<ListLine>;

/// The cost of every action in the places that are met.
pub(super) struct Costs {
    pub actions: usize,
    /// The places, ascending.
    pub places: Vec<usize>,
    /// By place of this list, then by action.
    pub costs: Vec<f64>,
}

/// A line that another could become, and what it saves.
#[derive(Clone)]
struct Saving {
    line: ListLine,
    saved: f64,
}

/// What a second condition of a line must save: a shorter line is easier to remember.
const CONDITION: f64 = 1e-5;
/// Smaller savings are not worth a change.
const LEAST_SAVING: f64 = 1e-9;
/// The most rounds in which all lines of a list are replaced by better ones.
const MOST_ROUNDS: usize = 12;

impl Condition {
    fn holds(&self, sights: &Sights, place: usize) -> bool {
        let bin = usize::from(sights.columns[self.column].bin_of[place]);
        (bin >= self.bin) == self.at_least
    }
}

impl ListLine {
    fn holds(&self, sights: &Sights, place: usize) -> bool {
        self.conditions.iter().all(|condition| condition.holds(sights, place))
    }
}

/// The action of a list in a place.
pub(super) fn action(list: &List, sights: &Sights, place: usize) -> usize {
    let decides = list.iter().find(|line| line.holds(sights, place));
    decides.expect("the last line always holds").action
}

impl Costs {
    fn of(&self, at: usize) -> &[f64] {
        &self.costs[at * self.actions..(at + 1) * self.actions]
    }

    /// The cost of a list.
    pub fn cost(&self, list: &List, sights: &Sights) -> f64 {
        let places = self.places.iter().enumerate();
        places.map(|(at, place)| self.of(at)[action(list, sights, *place)]).sum()
    }

    /// The best action of the last line, if the other lines stay.
    fn last_line(&self, others: &[ListLine], sights: &Sights) -> ListLine {
        let mut sums = vec![0.0; self.actions];
        for (at, place) in self.places.iter().enumerate() {
            if !others.iter().any(|line| line.holds(sights, *place)) {
                sums.iter_mut().zip(self.of(at)).for_each(|(sum, cost)| *sum += cost);
            }
        }
        let action = (0..self.actions).min_by(|a, b| sums[*a].total_cmp(&sums[*b]));
        ListLine { conditions: Vec::new(), action: action.unwrap_or(0) }
    }

    /// The best list of one line.
    pub fn shortest(&self, sights: &Sights) -> List {
        vec![self.last_line(&[], sights)]
    }

    /// What each action saves where a new line at `position` of a list could decide: in the places
    /// that no line before it decides, the cost of the rest of the list less that of the action.
    fn savings(&self, list: &[ListLine], position: usize, sights: &Sights) -> (Vec<usize>, Vec<f64>) {
        let (mut places, mut savings) = (Vec::new(), Vec::new());
        for (at, place) in self.places.iter().enumerate() {
            let holds = |line: &&ListLine| line.holds(sights, *place);
            if list[..position].iter().any(|line| holds(&line)) {
                continue;
            }
            let rest = list[position..].iter().find(holds).expect("the last line always holds");
            let costs = self.of(at);
            places.push(*place);
            savings.extend(costs.iter().map(|cost| costs[rest.action] - cost));
        }
        (places, savings)
    }

    /// The best line at a position of a list whose other lines stay.
    fn best_line(&self, list: &[ListLine], position: usize, sights: &Sights) -> Option<Saving> {
        let (places, savings) = self.savings(list, position, sights);
        let count = sights.columns.len();
        let pairs: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
        let best = |(first, second): &(usize, usize)| {
            Grid::new(self.actions, &places, &savings, [*first, *second], sights).best()
        };
        let found: Vec<Option<Saving>> = pairs.par_iter().map(best).collect();
        let better = |best: Option<Saving>, next: Saving| match best {
            Some(best) if best.saved >= next.saved => Some(best),
            _ => Some(next),
        };
        found.into_iter().flatten().fold(None, better)
    }

    /// Replaces the lines of a list by better ones, one at a time, until none is better. Returns
    /// `None` if `go_on` says to stop.
    pub fn improve(&self, list: &List, sights: &Sights, go_on: &dyn Fn() -> bool) -> Option<List> {
        let mut list = list.clone();
        for _ in 0..MOST_ROUNDS {
            let before = self.cost(&list, sights);
            for position in 0..list.len() - 1 {
                if !go_on() {
                    return None;
                }
                let line = list.remove(position);
                let without = self.cost(&list, sights);
                let saved_by = |line: &ListLine| {
                    let mut list = list.clone();
                    list.insert(position, line.clone());
                    without - self.cost(&list, sights) - price(line)
                };
                let kept = saved_by(&line);
                let found = self.best_line(&list, position, sights);
                let line = match found {
                    Some(found) if found.saved > kept + LEAST_SAVING => found.line,
                    _ => line,
                };
                list.insert(position, line);
            }
            list.pop();
            let last = self.last_line(&list, sights);
            list.push(last);
            if before - self.cost(&list, sights) < LEAST_SAVING {
                break;
            }
        }
        Some(list)
    }

    /// Returns lists of one line more: for each position the one with the best new line there, the
    /// best list first. Returns `None` if `go_on` says to stop.
    pub fn grown(
        &self,
        list: &List,
        sights: &Sights,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<(f64, List)>> {
        let mut grown = Vec::new();
        for position in 0..list.len() {
            if !go_on() {
                return None;
            }
            if let Some(Saving { line, saved }) = self.best_line(list, position, sights) {
                let mut longer = list.clone();
                longer.insert(position, line);
                grown.push((saved, longer));
            }
        }
        Some(grown)
    }
}

/// What a line must save to be worth its conditions.
fn price(line: &ListLine) -> f64 {
    CONDITION * line.conditions.len().saturating_sub(1) as f64
}

/// The savings of each action, summed over the places whose bins of two sights are below a corner.
/// With one sight twice, only conditions on that sight are made.
struct Grid {
    actions: usize,
    columns: [usize; 2],
    /// The number of corners along each sight: one more than its bins.
    corners: [usize; 2],
    sums: Vec<f64>,
}

impl Grid {
    fn new(
        actions: usize,
        places: &[usize],
        savings: &[f64],
        columns: [usize; 2],
            sights: &Sights,
    ) -> Self {
        let [first, second] = columns.map(|column| &sights.columns[column]);
        let is_one = columns[0] == columns[1];
        let corners = [first.bins + 1, if is_one { 2 } else { second.bins + 1 }];
        let mut grid =
            Self { actions, columns, corners, sums: vec![0.0; corners[0] * corners[1] * actions] };
        for (place, savings) in places.iter().zip(savings.chunks_exact(actions)) {
            let y = if is_one { 0 } else { usize::from(second.bin_of[*place]) };
            let at = grid.at(usize::from(first.bin_of[*place]) + 1, y + 1);
            add(&mut grid.sums[at..at + actions], savings);
        }
        let row = corners[1] * actions;
        for x in 1..corners[0] {
            let (before, rest) = grid.sums.split_at_mut(x * row);
            let row_before = &before[(x - 1) * row..];
            let this = &mut rest[..row];
            // Sums along this row first, then those of the rows before.
            for y in 1..corners[1] {
                let (left, right) = this.split_at_mut(y * actions);
                add(&mut right[..actions], &left[(y - 1) * actions..]);
            }
            add(this, row_before);
        }
        grid
    }

    fn at(&self, x: usize, y: usize) -> usize {
        (x * self.corners[1] + y) * self.actions
    }

    fn below(&self, x: usize, y: usize) -> &[f64] {
        &self.sums[self.at(x, y)..self.at(x, y) + self.actions]
    }

    /// The line that saves most.
    fn best(&self) -> Option<Saving> {
        let [width, height] = self.corners;
        let is_one = self.columns[0] == self.columns[1];
        // The largest saving, its action, the corner, and on which side of it each sight is.
        let mut best: Option<(f64, usize, [usize; 2], [bool; 2])> = None;
        let mut consider = |saved: f64, action: usize, corner: [usize; 2], sides: [bool; 2]| {
            if saved > best.map_or(0.0, |(most, ..)| most) {
                best = Some((saved, action, corner, sides));
            }
        };
        let price = if is_one { 0.0 } else { CONDITION };
        let top = height - 1;
        for x in 1..width - 1 {
            let heights = if is_one { 1..2 } else { 1..top };
            for y in heights {
                let [here, right, up, all] = [
                    self.below(x, y),
                    self.below(width - 1, y),
                    self.below(x, top),
                    self.below(width - 1, top),
                ];
                for action in 0..self.actions {
                    let [low, below, left] =
                        [here[action], right[action] - here[action], up[action] - here[action]];
                    if is_one {
                        consider(low, action, [x, y], [false, false]);
                        consider(below, action, [x, y], [true, false]);
                        continue;
                    }
                    let high = all[action] - right[action] - left;
                    consider(low - price, action, [x, y], [false, false]);
                    consider(below - price, action, [x, y], [true, false]);
                    consider(left - price, action, [x, y], [false, true]);
                    consider(high - price, action, [x, y], [true, true]);
                }
            }
        }
        let (saved, action, corner, sides) = best?;
        let condition = |of: usize| Condition {
            column: self.columns[of],
            at_least: sides[of],
            bin: corner[of],
        };
        let conditions = if is_one { vec![condition(0)] } else { vec![condition(0), condition(1)] };
        Some(Saving { line: ListLine { conditions, action }, saved })
    }
}

fn add(sums: &mut [f64], terms: &[f64]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}
