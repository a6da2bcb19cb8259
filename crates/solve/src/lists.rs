//! Decision lists of little cost: lines of conditions on a few numbers, of which the first that
//! holds decides on an action.
//!
//! If it is known what each action costs in each place (a state, or a pair of scores), the cost of
//! a list is a sum over the places. Then the best line at a position of the list, while the other
//! lines stay, can be found exactly: for every pair of numbers the savings of each action are
//! summed by the bins of both, and sums from a corner of that grid (a summed-area table) give what
//! every pair of conditions saves.

use rayon::prelude::*;

/// A number that conditions compare, in bins: for each place, the bin that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The number of bins, at least two.
    pub bins: usize,
    /// The bin of each place.
    pub bin_of: Vec<u8>,
}

/// The most bins where a search looks for pairs of columns that are worth a closer look.
const MOST_JOINED_BINS: usize = 48;

impl Column {
    /// How many bins are joined for such a search.
    fn joined(&self) -> usize {
        self.bins.div_ceil(MOST_JOINED_BINS)
    }
}

/// A condition of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The number of the column.
    pub column: usize,
    /// Whether it holds from a bin up, or below it.
    pub at_least: bool,
    /// The bin.
    pub bin: usize,
}

/// A line of a list: an action where all conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListLine {
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// The action.
    pub action: usize,
}

/// Lines of which the first that holds decides; the last has no conditions.
pub type List = Vec<ListLine>;

/// The cost of every action in the places that are met.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The number of actions.
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
const LEAST_SAVING: f64 = 1e-6;
/// How many pairs of columns, by what they save with joined bins, are searched bin by bin.
const CLOSER_LOOKS: usize = 4;
/// How often each line of a list is replaced by a better one, at most.
const MOST_ROUNDS: usize = 8;

impl Condition {
    fn holds(&self, columns: &[Column], place: usize) -> bool {
        let bin = usize::from(columns[self.column].bin_of[place]);
        (bin >= self.bin) == self.at_least
    }
}

impl ListLine {
    fn holds(&self, columns: &[Column], place: usize) -> bool {
        self.conditions.iter().all(|condition| condition.holds(columns, place))
    }
}

/// The actions of a list in the first `places` places.
pub fn actions(list: &List, columns: &[Column], places: usize) -> Vec<u8> {
    (0..places).into_par_iter().map(|place| action(list, columns, place) as u8).collect()
}

/// The action of a list in a place.
fn action(list: &List, columns: &[Column], place: usize) -> usize {
    let decides = list.iter().find(|line| line.holds(columns, place));
    decides.expect("the last line always holds").action
}

impl Costs {
    fn of(&self, at: usize) -> &[f64] {
        &self.costs[at * self.actions..(at + 1) * self.actions]
    }

    /// Leaves out the places in which no action costs more than this.
    pub fn above(self, least: f64) -> Self {
        let kept: Vec<usize> = (0..self.places.len())
            .filter(|at| self.of(*at).iter().any(|cost| *cost > least))
            .collect();
        Self {
            actions: self.actions,
            places: kept.iter().map(|at| self.places[*at]).collect(),
            costs: kept.iter().flat_map(|at| self.of(*at)).copied().collect(),
        }
    }

    /// The cost of a list.
    pub fn cost(&self, list: &List, columns: &[Column]) -> f64 {
        let places = self.places.iter().enumerate();
        places.map(|(at, place)| self.of(at)[action(list, columns, *place)]).sum()
    }

    /// The best action of the last line, if the other lines stay.
    fn last_line(&self, others: &[ListLine], columns: &[Column]) -> ListLine {
        let mut sums = vec![0.0; self.actions];
        for (at, place) in self.places.iter().enumerate() {
            if !others.iter().any(|line| line.holds(columns, *place)) {
                sums.iter_mut().zip(self.of(at)).for_each(|(sum, cost)| *sum += cost);
            }
        }
        let action = (0..self.actions).min_by(|a, b| sums[*a].total_cmp(&sums[*b]));
        ListLine { conditions: Vec::new(), action: action.unwrap_or(0) }
    }

    /// The best list of one line.
    pub fn shortest(&self, columns: &[Column]) -> List {
        vec![self.last_line(&[], columns)]
    }

    /// What each action saves where a new line at `position` of a list could decide: in the places
    /// that no line before it decides, the cost of the rest of the list less that of the action.
    fn savings(
        &self,
        list: &[ListLine],
        position: usize,
        columns: &[Column],
    ) -> (Vec<usize>, Vec<f64>) {
        let mut places = Vec::new();
        let mut savings = Vec::new();
        for (at, place) in self.places.iter().enumerate() {
            if list[..position].iter().any(|line| line.holds(columns, *place)) {
                continue;
            }
            let mut rest = list[position..].iter();
            let rest = rest.find(|line| line.holds(columns, *place));
            let rest = rest.expect("the last line always holds");
            let costs = self.of(at);
            places.push(*place);
            savings.extend(costs.iter().map(|cost| costs[rest.action] - cost));
        }
        (places, savings)
    }

    /// The best line at a position of a list whose other lines stay.
    fn best_line(&self, list: &[ListLine], position: usize, columns: &[Column]) -> Option<Saving> {
        let (places, savings) = self.savings(list, position, columns);
        let count = columns.len();
        let pairs: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
        let saved = pairs.par_iter().map(|(a, b)| {
            let grid = Grid::new(self.actions, &places, &savings, [*a, *b], true, columns);
            grid.most_saved().into_iter().fold(0.0, f64::max)
        });
        let saved: Vec<f64> = saved.collect();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|a, b| saved[*b].total_cmp(&saved[*a]));
        order.truncate(CLOSER_LOOKS);
        let found = order.par_iter().map(|at| {
            let (a, b) = pairs[*at];
            Grid::new(self.actions, &places, &savings, [a, b], false, columns).best()
        });
        let found: Vec<Option<Saving>> = found.collect();
        let mut best: Option<Saving> = None;
        for saving in found.into_iter().flatten() {
            if best.as_ref().is_none_or(|best| best.saved < saving.saved) {
                best = Some(saving);
            }
        }
        best
    }

    /// Replaces the lines of a list by better ones, one at a time, until none is better. Returns
    /// `None` if `go_on` says to stop.
    pub fn improve(
        &self,
        list: &List,
        columns: &[Column],
        go_on: &dyn Fn() -> bool,
    ) -> Option<List> {
        let mut list = list.clone();
        let lines = list.len() - 1;
        let mut unchanged = 0;
        for position in (0..lines).cycle().take(MOST_ROUNDS * lines) {
            if !go_on() {
                return None;
            }
            let line = list.remove(position);
            let without = self.cost(&list, columns);
            let found = self.best_line(&list, position, columns);
            list.insert(position, line);
            let kept = without - self.cost(&list, columns) - price(&list[position]);
            match found {
                Some(found) if found.saved > kept + LEAST_SAVING => {
                    list[position] = found.line;
                    list.pop();
                    let last = self.last_line(&list, columns);
                    list.push(last);
                    unchanged = 0;
                }
                _ => unchanged += 1,
            }
            if unchanged == lines {
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
        columns: &[Column],
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<(f64, List)>> {
        let mut grown = Vec::new();
        for position in 0..list.len() {
            if !go_on() {
                return None;
            }
            if let Some(Saving { line, saved }) = self.best_line(list, position, columns) {
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

/// The savings of each action, summed over the places whose bins of two columns are below a corner.
/// With one column twice, only conditions on that one are made.
struct Grid {
    actions: usize,
    /// The numbers of both columns.
    pair: [usize; 2],
    /// The number of corners along each column: one more than its bins.
    corners: [usize; 2],
    sums: Vec<f64>,
}

impl Grid {
    fn new(
        actions: usize,
        places: &[usize],
        savings: &[f64],
        pair: [usize; 2],
        joins: bool,
        columns: &[Column],
    ) -> Self {
        let [first, second] = pair.map(|column| &columns[column]);
        let is_one = pair[0] == pair[1];
        let [join_first, join_second] =
            [first, second].map(|column| if joins { column.joined() } else { 1 });
        let width = first.bins.div_ceil(join_first) + 1;
        let height = if is_one { 2 } else { second.bins.div_ceil(join_second) + 1 };
        let corners = [width, height];
        let mut grid =
            Self { actions, pair, corners, sums: vec![0.0; corners[0] * corners[1] * actions] };
        for (place, savings) in places.iter().zip(savings.chunks_exact(actions)) {
            let x = usize::from(first.bin_of[*place]) / join_first;
            let y = if is_one { 0 } else { usize::from(second.bin_of[*place]) / join_second };
            let at = grid.at(x + 1, y + 1);
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

    /// What the best line saves with each action.
    fn most_saved(&self) -> Vec<f64> {
        let [width, height] = self.corners;
        let is_one = self.pair[0] == self.pair[1];
        let top = height - 1;
        let mut most = vec![0.0; self.actions];
        let all = self.below(width - 1, top);
        for x in 1..width - 1 {
            let up = self.below(x, top);
            for y in if is_one { 1..2 } else { 1..top } {
                let here = self.below(x, y);
                let right = self.below(width - 1, y);
                for (action, most) in most.iter_mut().enumerate() {
                    let of_corner = corner([here, right, up, all], action);
                    *most = of_corner.into_iter().fold(*most, larger);
                }
            }
        }
        if !is_one {
            most.iter_mut().for_each(|saved| *saved -= CONDITION);
        }
        most
    }

    /// The line that saves most; its bins must not be joined.
    fn best(&self) -> Option<Saving> {
        let most = self.most_saved();
        let action = (0..self.actions).max_by(|a, b| most[*a].total_cmp(&most[*b]))?;
        if most[action] <= 0.0 {
            return None;
        }
        let [width, height] = self.corners;
        let is_one = self.pair[0] == self.pair[1];
        let top = height - 1;
        let mut found = (f64::MIN, [0, 0], 0);
        let all = self.below(width - 1, top);
        for x in 1..width - 1 {
            let up = self.below(x, top);
            for y in if is_one { 1..2 } else { 1..top } {
                let here = self.below(x, y);
                let right = self.below(width - 1, y);
                let of_corner = corner([here, right, up, all], action);
                for (quadrant, saved) in of_corner.into_iter().enumerate() {
                    if saved > found.0 {
                        found = (saved, [x, y], quadrant);
                    }
                }
            }
        }
        let (_, bins, quadrant) = found;
        let mut conditions = Vec::with_capacity(2);
        for (of, (column, bin)) in self.pair.into_iter().zip(bins).enumerate() {
            conditions.push(Condition { column, at_least: quadrant >> of & 1 == 1, bin });
        }
        conditions.truncate(if is_one { 1 } else { 2 });
        Some(Saving { line: ListLine { conditions, action }, saved: most[action] })
    }
}

/// What an action saves in the quadrants around a corner: below it in both columns, below it only
/// in the second, only in the first, and in none. The sums are those below the corner, below it in
/// the second sight, in the first, and all.
#[inline(always)]
fn corner(sums: [&[f64]; 4], action: usize) -> [f64; 4] {
    let [here, right, up, all] = sums.map(|sums| sums[action]);
    [here, right - here, up - here, all - right - (up - here)]
}

/// As `f64::max`, for numbers that are compared in one instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn add(sums: &mut [f64], terms: &[f64]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six places in a row, with two actions: the second is worth 1 in the places 2 and 3.
    fn example() -> (Costs, Vec<Column>) {
        let column = Column { bins: 6, bin_of: (0..6).collect() };
        let other = Column { bins: 2, bin_of: vec![0, 0, 1, 1, 1, 1] };
        let costs =
            (0..6).flat_map(|place| if (2..4).contains(&place) { [1.0, 0.0] } else { [0.0, 1.0] });
        let costs = Costs { actions: 2, places: (0..6).collect(), costs: costs.collect() };
        (costs, vec![column, other])
    }

    #[test]
    fn the_best_line_is_found_among_all_conditions() {
        let (costs, columns) = example();
        let shortest = costs.shortest(&columns);
        assert_eq!((costs.cost(&shortest, &columns), shortest[0].action), (2.0, 0));
        let grown = costs.grown(&shortest, &columns, &|| true).unwrap();
        let (saved, list) = &grown[0];
        assert!((saved - (2.0 - CONDITION)).abs() < 1e-12);
        assert_eq!(costs.cost(list, &columns), 0.0);
        assert_eq!(actions(list, &columns, 6), [0, 0, 1, 1, 0, 0]);
    }

    #[test]
    fn a_list_is_improved_line_by_line_and_can_be_stopped() {
        let (costs, columns) = example();
        let condition = Condition { column: 0, at_least: true, bin: 5 };
        let poor = vec![
            ListLine { conditions: vec![condition], action: 1 },
            ListLine { conditions: Vec::new(), action: 1 },
        ];
        let better = costs.improve(&poor, &columns, &|| true).unwrap();
        assert!(costs.cost(&better, &columns) < costs.cost(&poor, &columns) - 2.0);
        assert!(costs.improve(&poor, &columns, &|| false).is_none());
    }

    #[test]
    fn places_without_a_cost_are_left_out() {
        let (mut costs, columns) = example();
        costs.costs[0..2].copy_from_slice(&[0.0, 0.0]);
        let kept = costs.clone().above(0.0);
        assert_eq!(kept.places, [1, 2, 3, 4, 5]);
        let list = kept.shortest(&columns);
        assert_eq!(kept.cost(&list, &columns), costs.cost(&list, &columns));
    }
}
